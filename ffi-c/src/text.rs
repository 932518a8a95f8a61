//! Text of a document: borrowed, and possibly escaped.

use core::ffi::{CStr, c_char};
use core::ptr;

use agentsdisc_core::syntax::text::{Escape, Text};
use agentsdisc_core::write::Sink;

use crate::boundary::{Buffer, Carry, agd_list_state, bytes, ended, filled_by_value, fixed};
use crate::list::next;
use crate::status::{AGD_ERROR_ARGUMENT, AGD_ERROR_NULL, agd_status};

/// Set in `flags` of a text if its bytes are escaped; read it with agd_text_decode and compare it
/// with agd_text_eq.
pub const AGD_TEXT_ESCAPED: u32 = 1;

/// A piece of text, always borrowed: do not free it. It points into the parsed bytes and is valid
/// as long as they are (or is static, if the function says so). It is not NUL-terminated.
///
/// Absent text has `ptr` NULL; empty text does not.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_text {
    /// The first byte. UTF-8, except in a robots.txt, which may have other bytes. NULL if the text
    /// is absent.
    pub ptr: *const c_char,
    /// Number of bytes.
    pub len: usize,
    /// AGD_TEXT_ESCAPED or 0; the other bits are internal. Set it to 0 in texts that you create.
    pub flags: u32,
}

fixed! { agd_text, }
filled_by_value! { agd_text from Text<'static>, }

impl agd_text {
    /// The absent text.
    pub(crate) const ABSENT: Self = Self { ptr: ptr::null(), len: 0, flags: 0 };

    /// Writes the absent text to `place`.
    ///
    /// # Safety
    /// `place` is writable and aligned.
    #[inline(always)]
    pub(crate) unsafe fn clear(place: *mut Self) {
        // SAFETY: the contract is the same; a text consists of this many words, including padding;
        // zeros are the absent text.
        unsafe {
            place
                .cast::<[usize; size_of::<Self>() / size_of::<usize>()]>()
                .write([0; size_of::<Self>() / size_of::<usize>()])
        };
    }

    /// Converts to the core's text; `None` if it is absent.
    ///
    /// # Safety
    /// `len` bytes are readable at `ptr`, or it is NULL.
    pub(crate) unsafe fn get(self) -> Result<Option<Text<'static>>, agd_status> {
        if self.ptr.is_null() {
            return if self.len == 0 { Ok(None) } else { Err(AGD_ERROR_NULL) };
        }
        let escape = escape_of(self.flags).ok_or(AGD_ERROR_ARGUMENT)?;
        // SAFETY: the contract is the same.
        Ok(Some(Text::escaped(unsafe { bytes(self.ptr.cast(), self.len)? }, escape)))
    }

    /// The bytes of an argument, in any encoding; empty if it is absent.
    ///
    /// # Safety
    /// `len` bytes are readable at `ptr`, or it is NULL.
    pub(crate) unsafe fn raw(self) -> Result<&'static [u8], agd_status> {
        if self.ptr.is_null() && self.len != 0 {
            return Err(AGD_ERROR_NULL);
        }
        // SAFETY: the contract is the same.
        unsafe { bytes(self.ptr.cast(), self.len) }
    }

    /// A text for C, which has to keep the bytes as long as it uses the text.
    #[inline(always)]
    pub(crate) fn of(text: Text<'_>) -> Self {
        Self {
            ptr: text.raw().as_ptr().cast(),
            len: text.raw().len(),
            flags: text.escape().number(),
        }
    }

    /// Converts an argument to a string: it must be UTF-8 and not escaped.
    ///
    /// # Safety
    /// `len` bytes are readable at `ptr`, or it is NULL.
    pub(crate) unsafe fn string(self) -> Result<Option<&'static str>, agd_status> {
        // SAFETY: the contract is the same.
        match unsafe { self.get()? } {
            Some(text) => text.as_str().map(Some).ok_or(AGD_ERROR_ARGUMENT),
            None => Ok(None),
        }
    }
}

// The core's numbers are the flags: every escape has an odd number, plain text has 0.
const _: () = assert!(Escape::Plain.number() == 0 && Escape::Json.number() == AGD_TEXT_ESCAPED);

impl From<Text<'static>> for agd_text {
    #[inline(always)]
    fn from(text: Text<'static>) -> Self {
        Self::of(text)
    }
}

impl From<Option<Text<'static>>> for agd_text {
    #[inline(always)]
    fn from(text: Option<Text<'static>>) -> Self {
        text.map_or(Self::ABSENT, Self::from)
    }
}

impl Carry<agd_text> for Text<'static> {
    #[inline(always)]
    unsafe fn carry(self, place: *mut agd_text) {
        // SAFETY: the contract is the same.
        unsafe { place.write(self.into()) };
    }
}

impl Carry<agd_text> for Option<Text<'static>> {
    #[inline(always)]
    unsafe fn carry(self, place: *mut agd_text) {
        // Two separate branches: choosing member by member takes three times as many instructions,
        // and there are many texts.
        // SAFETY: the contract is the same.
        unsafe {
            match self {
                Some(text) => text.carry(place),
                None => agd_text::clear(place),
            }
        }
    }
}

impl Carry<agd_text> for &'static [u8] {
    #[inline(always)]
    unsafe fn carry(self, place: *mut agd_text) {
        // SAFETY: the contract is the same.
        unsafe { Text::plain(self).carry(place) };
    }
}

impl From<&'static [u8]> for agd_text {
    fn from(raw: &'static [u8]) -> Self {
        Text::plain(raw).into()
    }
}

/// The escape that the flags of a text denote.
fn escape_of(flags: u32) -> Option<Escape> {
    if flags & AGD_TEXT_ESCAPED == 0 {
        return Some(Escape::Plain);
    }
    Escape::from_number(flags)
}

/// Converts a C string to a text. NULL becomes the absent text.
///
/// The text borrows `string` (up to its NUL), which must stay unchanged while the text is used.
/// Thread-safe; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_text_from(string: *const c_char) -> agd_text {
    if string.is_null() {
        return agd_text::ABSENT;
    }
    // SAFETY: it is not NULL, and the caller promises that it is NUL-terminated.
    unsafe { CStr::from_ptr(string) }.to_bytes().into()
}

/// Whether two texts have the same characters after decoding. An absent text equals no text, not
/// even another absent one.
///
/// Thread-safe; linear, without decoding into memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_text_eq(a: agd_text, b: agd_text) -> bool {
    // SAFETY: the caller promises that both texts are readable.
    match unsafe { (a.get(), b.get()) } {
        (Ok(Some(a)), Ok(Some(b))) => a == b,
        _ => false,
    }
}

/// Like agd_text_eq, ignoring the letter case of ASCII.
///
/// Thread-safe; linear, without decoding into memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_text_eq_ignore_case(a: agd_text, b: agd_text) -> bool {
    // SAFETY: the caller promises that both texts are readable.
    match unsafe { (a.get(), b.get()) } {
        (Ok(Some(a)), Ok(Some(b))) => a.eq_text_ignore_case(b),
        _ => false,
    }
}

/// Whether a text has the characters of a C string, which is borrowed during the call. False if
/// either is absent (NULL).
///
/// Thread-safe; linear, without decoding into memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_text_eq_str(text: agd_text, string: *const c_char) -> bool {
    // SAFETY: the caller promises a readable text and a NUL-terminated string.
    unsafe { agd_text_eq(text, agd_text_from(string)) }
}

/// Like agd_text_eq_str, ignoring the letter case of ASCII. The string is borrowed during the call.
/// False if either is absent (NULL).
///
/// Thread-safe; linear, without decoding into memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_text_eq_str_ignore_case(
    text: agd_text,
    string: *const c_char,
) -> bool {
    // SAFETY: the caller promises a readable text and a NUL-terminated string.
    unsafe { agd_text_eq_ignore_case(text, agd_text_from(string)) }
}

/// Decodes a text into `buffer` as NUL-terminated UTF-8. Lone surrogates and invalid UTF-8 become
/// U+FFFD. The text itself may contain a NUL if the document escapes one, so use the length.
///
/// `buffer` may be NULL if `capacity` is 0, to query the length. `length`, if not NULL, receives
/// the length without the NUL, even if the buffer is too small; a capacity of length + 1 is enough.
///
/// Returns AGD_OK; AGD_NONE (the same number) for an absent text, with the empty string;
/// AGD_ERROR_BUFFER_TOO_SMALL if text and NUL do not fit: the buffer then holds the empty string.
/// Thread-safe; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_text_decode(
    text: agd_text,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable text, a writable buffer in sole use, and a length that
    // is NULL or writable.
    ended(unsafe { decode(text, buffer, capacity, length) })
}

/// # Safety
/// That of `agd_text_decode`.
unsafe fn decode(
    text: agd_text,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Result<agd_status, agd_status> {
    // SAFETY: the contract is the same.
    let mut buffer = unsafe { Buffer::new(buffer, capacity)? };
    // SAFETY: the contract is the same.
    let text = unsafe { text.get()? }.unwrap_or_default();
    match text.as_str() {
        Some(plain) => buffer.put(plain.as_bytes()),
        None => text.chars().for_each(|c| buffer.put(c.encode_utf8(&mut [0; 4]).as_bytes())),
    }
    // SAFETY: the contract is the same.
    unsafe { buffer.finish(length) }
}

/// A list of texts. It borrows the document's bytes. A copy iterates independently. Use a list from
/// one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_texts {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next text of a list.
///
/// Neither pointer may be NULL. `text` borrows the document's bytes. Returns AGD_SOME, AGD_NONE at
/// the end (`text` is unchanged), or a negative status for misuse. Not thread-safe on one list;
/// linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_texts_next(list: *mut agd_texts, text: *mut agd_text) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable text.
    unsafe { next(list, text) }
}
