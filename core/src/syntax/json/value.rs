//! Views of validated JSON text.
//!
//! A [`Value`] is the slice of a document that contains one value. Reading it cannot fail, because
//! the whole document was validated first. (On text that was not validated, every function still
//! terminates and returns some result.)

use core::fmt;

use super::record::{Holds, Slot};
use super::tokenizer::TokenKind;
use crate::scan;
use crate::syntax::text::{HAS_ESCAPES, Text};

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`
    Null,
}

/// A JSON value: the slice of a validated document that contains it.
///
/// ```
/// use agentsdisc_core::syntax::json::Value;
/// let value = Value::parse(br#"{"id": "search", "tags": ["a", "b"]}"#).unwrap();
/// assert_eq!(value.get("id").unwrap().as_text().unwrap(), "search");
/// assert_eq!(value.get("tags").unwrap().elements().count(), 2);
/// ```
#[derive(Clone, Copy)]
pub struct Value<'a> {
    raw: &'a [u8],
    /// For a string that was just read: whether it contains a backslash. If this is unknown, the
    /// string is searched again.
    escapes: Escapes,
}

/// Whether a value is a string with a backslash. One machine word, like the numbers of
/// [`Escape`](crate::syntax::text::Escape).
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
enum Escapes {
    /// Unknown.
    Unknown,
    /// A string without a backslash.
    Absent,
    /// A string with a backslash.
    Present,
}

impl Escapes {
    const fn known(escaped: bool) -> Self {
        if escaped { Self::Present } else { Self::Absent }
    }
}

impl<'a> Value<'a> {
    /// `null`.
    pub const NULL: Value<'static> = Value { raw: b"null", escapes: Escapes::Unknown };

    /// Validates a JSON text (with the default nesting limit), and returns its value.
    ///
    /// # Errors
    /// [`InvalidUtf8`](crate::ErrorKind::InvalidUtf8),
    /// [`InvalidJson`](crate::ErrorKind::InvalidJson), [`TooDeep`](crate::ErrorKind::TooDeep).
    pub fn parse(bytes: &'a [u8]) -> Result<Self, crate::Error> {
        if bytes.len() > u32::MAX as usize {
            return Err(crate::Error::new(crate::ErrorKind::TooLarge, u32::MAX as usize));
        }
        crate::syntax::text::validate_utf8(bytes)?;
        super::tokenizer::validate(bytes, 0, crate::Limits::DEFAULT.depth, |_, _| {})?;
        Ok(Self::trusted(crate::syntax::text::trim(bytes)))
    }

    /// An absent value. Reads as `null`.
    pub(crate) const ABSENT: Value<'static> = Value::trusted(b"");

    /// Creates the value in a slice of validated text, without surrounding white space.
    pub(crate) const fn trusted(raw: &'a [u8]) -> Self {
        Self { raw, escapes: Escapes::Unknown }
    }

    /// Creates a string value; `escaped` is whether it contains a backslash.
    pub(crate) const fn string(raw: &'a [u8], escaped: bool) -> Self {
        Self { raw, escapes: Escapes::known(escaped) }
    }

    /// Returns the text of the value.
    pub const fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// Returns the type.
    #[inline]
    pub fn kind(self) -> Kind {
        match self.raw.first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            _ => Kind::Null,
        }
    }

    /// Whether the value is `null`.
    #[inline]
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Returns the string, if the value is one. Linear in its length, to find out whether it is
    /// escaped. A build without any format that needs escapes has no decoder
    /// ([`Escape`](crate::syntax::text::Escape)); there, this is `None` for a string with escapes.
    #[inline]
    pub fn as_text(self) -> Option<Text<'a>> {
        match self.raw {
            [b'"', inside @ .., b'"'] => {
                match self.escapes == Escapes::Present
                    || (self.escapes == Escapes::Unknown && scan::memchr(b'\\', inside).is_some())
                {
                    true if HAS_ESCAPES => Some(Text::json(inside)),
                    true => None,
                    false => Some(Text::plain(inside)),
                }
            }
            _ => None,
        }
    }

    /// Whether the value is a string with escapes. Linear in its length if that is unknown.
    pub(crate) fn is_escaped(self) -> bool {
        match self.escapes {
            Escapes::Unknown => {
                self.kind() == Kind::String && scan::memchr(b'\\', self.raw).is_some()
            }
            known => known == Escapes::Present,
        }
    }

    /// Returns the number, if the value is one.
    pub fn as_number(self) -> Option<Number<'a>> {
        (self.kind() == Kind::Number).then_some(Number { raw: self.raw })
    }

    /// Returns the Boolean, if the value is one.
    pub fn as_bool(self) -> Option<bool> {
        match self.raw {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// Returns the members of an object; none for any other value.
    pub fn members(self) -> Members<'a> {
        Members { inside: self.inside(b'{'), position: 0 }
    }

    /// Returns the elements of an array; none for any other value.
    pub fn elements(self) -> Elements<'a> {
        Elements { inside: self.inside(b'['), position: 0 }
    }

    /// Returns the bytes between the brackets, if the value begins with `open`.
    pub(crate) fn inside(self, open: u8) -> &'a [u8] {
        match self.raw.split_first() {
            Some((first, rest)) if *first == open => {
                rest.get(..rest.len().wrapping_sub(1)).unwrap_or_default()
            }
            _ => b"",
        }
    }

    /// Returns the value of a member of an object; of duplicate names, the last one. Linear in the
    /// size of the object.
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        self.members().filter(|member| member.name == *name).last().map(|member| member.value)
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Text::plain(self.raw), f)
    }
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The value.
    pub value: Value<'a>,
}

/// The members of an object, in document order, including duplicates.
#[derive(Clone, Copy, Debug)]
pub struct Members<'a> {
    inside: &'a [u8],
    position: u32,
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    #[inline]
    fn next(&mut self) -> Option<Member<'a>> {
        next_member(self.inside, &mut self.position)
    }
}

/// The elements of an array.
#[derive(Clone, Copy, Debug)]
pub struct Elements<'a> {
    inside: &'a [u8],
    position: u32,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Value<'a>;

    #[inline]
    fn next(&mut self) -> Option<Value<'a>> {
        next_element(self.inside, &mut self.position)
    }
}

/// Takes a member from the content of an object, and moves `position` after it and its comma.
#[inline]
pub(crate) fn next_member<'a>(inside: &'a [u8], position: &mut u32) -> Option<Member<'a>> {
    let member = MemberAt::find(inside, *position as usize)?;
    *position = member.next as u32;
    Some(member.read(inside))
}

/// Takes the name of a member from the content of an object, and moves `position` to its value.
#[inline]
pub(crate) fn next_name<'a>(inside: &'a [u8], position: &mut u32) -> Option<Text<'a>> {
    let (name, value_start) = MemberAt::begin(inside, *position as usize)?;
    *position = value_start as u32;
    Some(name.inside(inside))
}

/// Takes an element from the content of an array, and moves `position` after it and its comma.
#[inline]
pub(crate) fn next_element<'a>(inside: &'a [u8], position: &mut u32) -> Option<Value<'a>> {
    let start = scan::blanks_end(inside, *position as usize);
    let slot = value_at(inside, start);
    if slot.end <= slot.start {
        return None;
    }
    *position = comma_end(inside, slot.end as usize) as u32;
    Some(slot.value(inside))
}

/// A member of validated text, as byte offsets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemberAt {
    /// The name with its quotes.
    pub(crate) name: Slot,
    pub(crate) value: Slot,
    /// The offset after its comma.
    pub(crate) next: usize,
}

impl MemberAt {
    /// Finds the member at an offset, or after the blanks there; `None` if no name begins there.
    #[inline(always)]
    pub(crate) fn find(bytes: &[u8], at: usize) -> Option<Self> {
        let (name, value_start) = Self::begin(bytes, at)?;
        Some(Self::new(name, value_at(bytes, value_start), bytes))
    }

    /// Finds the name of the member at an offset, or after the blanks there, and the offset of its
    /// value.
    #[inline(always)]
    pub(crate) fn begin(bytes: &[u8], at: usize) -> Option<(Slot, usize)> {
        let open = scan::blanks_end(bytes, at);
        if bytes.get(open) != Some(&b'"') {
            return None;
        }
        let name = string_at(bytes, open, TokenKind::Name);
        let mut colon = name.end as usize;
        if bytes.get(colon) != Some(&b':') {
            colon = scan::blanks_end(bytes, colon);
        }
        Some((name, scan::blanks_end(bytes, colon + 1)))
    }

    #[inline(always)]
    pub(crate) fn new(name: Slot, value: Slot, bytes: &[u8]) -> Self {
        Self { name, value, next: comma_end(bytes, value.end as usize) }
    }

    /// Reads the member in the bytes in which it was found.
    #[inline]
    pub(crate) fn read(self, bytes: &[u8]) -> Member<'_> {
        Member { name: self.name.inside(bytes), value: self.value.value(bytes) }
    }
}

/// Returns the offset after the comma behind a value that ends at `end`, or after the bracket that
/// closes its container.
#[inline(always)]
pub(crate) fn comma_end(bytes: &[u8], end: usize) -> usize {
    if bytes.get(end) == Some(&b',') { end + 1 } else { scan::blanks_end(bytes, end) + 1 }
}

/// Returns the string that begins with the quote at `open`.
#[inline(always)]
fn string_at(bytes: &[u8], open: usize, kind: TokenKind) -> Slot {
    let (quote, escaped) = scan::string_end(bytes, open + 1);
    Slot {
        start: open as u32,
        end: (quote + 1).min(bytes.len()) as u32,
        kind,
        escaped,
        holds: Holds::UNKNOWN,
    }
}

/// Returns the value that begins at `start`; empty at the end of the text.
#[inline(always)]
pub(crate) fn value_at(bytes: &[u8], start: usize) -> Slot {
    let word = |kind, length: usize| (kind, (start + length).min(bytes.len()));
    let (kind, end) = match bytes.get(start) {
        Some(b'"') => return string_at(bytes, start, TokenKind::String),
        Some(b'{') => (TokenKind::ObjectStart, scan::container_end(bytes, start)),
        Some(b'[') => return array_at(bytes, start),
        Some(b't') => word(TokenKind::True, 4),
        Some(b'f') => word(TokenKind::False, 5),
        Some(b'n') => word(TokenKind::Null, 4),
        _ => (TokenKind::Number, number_end(bytes, start)),
    };
    Slot { start: start as u32, end: end as u32, kind, escaped: false, holds: Holds::UNKNOWN }
}

/// Returns the array that begins at `start`. Reads the strings of an array of strings one by one.
fn array_at(bytes: &[u8], start: usize) -> Slot {
    let mut end = scan::blanks_end(bytes, start + 1);
    while bytes.get(end) == Some(&b'"') {
        let next = string_at(bytes, end, TokenKind::String).end as usize;
        end = scan::blanks_end(bytes, next);
        if bytes.get(end) == Some(&b',') {
            end = scan::blanks_end(bytes, end + 1);
        }
    }
    let (end, holds) = if bytes.get(end) == Some(&b']') {
        (end + 1, Holds::TEXTS)
    } else {
        (scan::container_end(bytes, start), Holds::UNKNOWN)
    };
    Slot {
        start: start as u32,
        end: end as u32,
        kind: TokenKind::ArrayStart,
        escaped: false,
        holds,
    }
}

/// Returns the offset after the number at `start`.
fn number_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    while let Some(byte) = bytes.get(end) {
        if matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t') {
            break;
        }
        end += 1;
    }
    end
}

/// A number: its text, with conversions.
#[derive(Clone, Copy)]
pub struct Number<'a> {
    raw: &'a [u8],
}

impl<'a> Number<'a> {
    pub(crate) const fn new(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    /// Returns the bytes of the number.
    pub const fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// Returns the number as written.
    pub fn as_str(self) -> &'a str {
        scan::text(self.raw).unwrap_or_default()
    }

    /// Returns the value, if it is an integer (in any notation, so `1.0` and `1e3` count) from 0 to
    /// 2^64 − 1.
    ///
    /// ```
    /// # use agentsdisc_core::syntax::json::Value;
    /// let number = |text: &'static str| Value::parse(text.as_bytes()).unwrap().as_number().unwrap().as_u64();
    /// assert_eq!(number("60"), Some(60));
    /// assert_eq!(number("6.0e1"), Some(60));
    /// assert_eq!(number("0.5"), None);
    /// assert_eq!(number("-1"), None);
    /// ```
    pub fn as_u64(self) -> Option<u64> {
        // Nearly every number has a few digits.
        if self.raw.len() <= 9
            && let Some(number) = self.raw.iter().try_fold(0_u64, |number, byte| {
                byte.is_ascii_digit().then(|| number * 10 + u64::from(byte - b'0'))
            })
        {
            return Some(number);
        }
        let (negative, magnitude) = self.whole()?;
        if negative && magnitude != 0 { None } else { Some(magnitude) }
    }

    /// Returns the value, if it is an integer from 0 to 2^32 − 1, in any notation.
    pub fn as_u32(self) -> Option<u32> {
        u32::try_from(self.as_u64()?).ok()
    }

    /// Returns the value, if it is a signed 64-bit integer, in any notation.
    pub fn as_i64(self) -> Option<i64> {
        match self.whole()? {
            (false, magnitude) => i64::try_from(magnitude).ok(),
            (true, magnitude) => 0i64.checked_sub_unsigned(magnitude),
        }
    }

    /// Returns the sign and the magnitude of an integer.
    fn whole(self) -> Option<(bool, u64)> {
        let mut magnitude = 0_u64;
        let negative = self.digits(|digit| {
            magnitude = magnitude.checked_mul(10)?.checked_add(u64::from(digit))?;
            Some(magnitude != 0)
        })?;
        Some((negative, magnitude))
    }

    /// Passes the digits of an integer to `take`, which returns whether the number is more than 0
    /// so far, or `None` if it is too large. Returns whether there is a minus sign; `None` if the
    /// number is not an integer, or too large.
    fn digits(self, mut take: impl FnMut(u32) -> Option<bool>) -> Option<bool> {
        let (negative, rest) = match self.raw {
            [b'-', rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        // The number of digits before the decimal point, after the exponent has moved it.
        let (mut whole, mut is_fraction, mut length) = (0_isize, false, 0_usize);
        for octet in rest {
            match octet {
                b'.' => is_fraction = true,
                b'e' | b'E' => {
                    let exponent = rest.get(length.wrapping_add(1)..).unwrap_or_default();
                    whole = whole.saturating_add(exponent_value(exponent));
                    break;
                }
                _ => whole = whole.saturating_add(isize::from(!is_fraction)),
            }
            length = length.wrapping_add(1);
        }
        let mut is_more = false;
        for octet in rest.iter().take(length).filter(|octet| **octet != b'.') {
            let digit = octet.wrapping_sub(b'0');
            if whole > 0 {
                is_more = take(u32::from(digit))?;
            } else if digit != 0 {
                return None;
            }
            whole = whole.saturating_sub(1);
        }
        while whole > 0 && is_more {
            is_more = take(0)?;
            whole = whole.wrapping_sub(1);
        }
        Some(negative)
    }
}

/// Returns the value of an exponent. One that overflows becomes larger than the number of digits of
/// any text.
fn exponent_value(text: &[u8]) -> isize {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let value = digits.iter().fold(0_isize, |value, digit| {
        value.saturating_mul(10).saturating_add(isize::from(digit.wrapping_sub(b'0') as i8))
    });
    if negative { value.wrapping_neg() } else { value }
}

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::format;

    use super::*;
    use crate::syntax::json::{Core, Words};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn arrays_of_strings_are_known(
            elements in proptest::collection::vec(
                prop_oneof![
                    4 => Just(r#""a""#),
                    4 => Just(r#""]\\\"[""#),
                    1 => Just("1"),
                    1 => Just("null"),
                    1 => Just(r#"["b"]"#),
                    4 => Just(r#"{"c": ["]"]}"#),
                ],
                0..6,
            ),
            comma in "[ \n]{0,3},[ \n]{0,3}",
            behind in "[ \n,\\]}]{0,3}",
        ) {
            let array = format!("[ {}]", elements.join(&comma));
            let text = array.clone() + &behind;
            let slot = value_at(text.as_bytes(), 0);
            let are_strings = elements.iter().all(|element| element.starts_with('"'));
            prop_assert_eq!((slot.holds.are(Holds::TEXTS), slot.end as usize), (are_strings, array.len()));
            // The tokenizer knows arrays of objects, too.
            let mut tokens = Core::<Words>::at(array.as_bytes(), 0, 8);
            tokens.step().unwrap();
            let holds = tokens.finish().unwrap();
            let are_objects = elements.iter().all(|element| element.starts_with('{'));
            prop_assert_eq!((holds.are(Holds::TEXTS), holds.are(Holds::OBJECTS)), (are_strings, are_objects));
        }
    }
}
