//! Values that the model keeps as written, and a JSON reader.

use core::ffi::c_char;

use agentsdisc_core::manifest::{Member, Raw};
use agentsdisc_core::syntax::json::{self, Kind, Value};

use crate::boundary::{
    Carry, agd_list_state, bytes, checked, clear, ended, filled_by_value, fixed, held_mut, hold_in,
    put, room, write_out,
};
use crate::enumerations::{AGD_FALSE, AGD_TRUE, AGD_UNSAID};
use crate::list::next;
use crate::status::{AGD_ERROR_ARGUMENT, AGD_NONE, AGD_OK, AGD_SOME, agd_error, agd_status};
use crate::text::agd_text;

/// There is no value.
pub const AGD_VALUE_ABSENT: i32 = 0;
/// Text of a text format.
pub const AGD_VALUE_TEXT: i32 = 1;
/// A JSON string; `text` is the part between the quotes.
pub const AGD_VALUE_STRING: i32 = 2;
/// A JSON number, as written.
pub const AGD_VALUE_NUMBER: i32 = 3;
/// JSON `true` or `false`.
pub const AGD_VALUE_BOOL: i32 = 4;
/// JSON `null`.
pub const AGD_VALUE_NULL: i32 = 5;
/// A JSON object, as written.
pub const AGD_VALUE_OBJECT: i32 = 6;
/// A JSON array, as written.
pub const AGD_VALUE_ARRAY: i32 = 7;

/// A value as written: text of a text format, or a JSON value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_value {
    /// AGD_VALUE_*.
    pub kind: i32,
    /// The text, or the part between the quotes of a JSON string (compare and decode both as text),
    /// or the JSON text of any other value. Absent if the value is absent.
    pub text: agd_text,
}

/// A named value as written.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_member {
    /// The name as written.
    pub name: agd_text,
    /// The value.
    pub value: agd_value,
}

fixed! { agd_value, agd_member, }
filled_by_value! { agd_value from Raw<'static>, agd_member from Member<'static>, }

impl From<Value<'static>> for agd_value {
    fn from(value: Value<'static>) -> Self {
        let kind = match value.kind() {
            Kind::String => {
                return Self { kind: AGD_VALUE_STRING, text: value.as_text().into() };
            }
            Kind::Number => AGD_VALUE_NUMBER,
            Kind::Bool => AGD_VALUE_BOOL,
            Kind::Null => AGD_VALUE_NULL,
            Kind::Object => AGD_VALUE_OBJECT,
            Kind::Array => AGD_VALUE_ARRAY,
        };
        Self { kind, text: value.raw().into() }
    }
}

impl From<Raw<'static>> for agd_value {
    fn from(raw: Raw<'static>) -> Self {
        match raw {
            Raw::Json(value) => value.into(),
            Raw::Text(text) => Self { kind: AGD_VALUE_TEXT, text: text.into() },
        }
    }
}

impl<T: Into<Self>> From<Option<T>> for agd_value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self { kind: AGD_VALUE_ABSENT, text: agd_text::ABSENT }, T::into)
    }
}

impl Carry<agd_value> for Raw<'static> {
    #[inline(always)]
    unsafe fn carry(self, place: *mut agd_value) {
        // SAFETY: the contract is the same.
        unsafe { place.write(self.into()) };
    }
}

impl<T: Into<agd_value>> Carry<agd_value> for Option<T> {
    #[inline(always)]
    unsafe fn carry(self, place: *mut agd_value) {
        // SAFETY: the contract is the same; zero bytes are the absent value.
        unsafe {
            match self {
                Some(value) => place.write(value.into()),
                None => place.write_bytes(0, 1),
            }
        }
    }
}

const _: () = assert!(AGD_VALUE_ABSENT == 0);

impl Carry<agd_member> for Member<'static> {
    #[inline(always)]
    unsafe fn carry(self, place: *mut agd_member) {
        // SAFETY: the contract is the same.
        unsafe { place.write(self.into()) };
    }
}

impl From<Member<'static>> for agd_member {
    fn from(member: Member<'static>) -> Self {
        Self { name: member.name.into(), value: member.value.into() }
    }
}

impl From<json::Member<'static>> for agd_member {
    fn from(member: json::Member<'static>) -> Self {
        Self { name: member.name.into(), value: member.value.into() }
    }
}

/// A list of values. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_values {
    /// Internal state.
    pub state: agd_list_state,
}

/// A list of named values. It borrows the document's bytes. A copy iterates independently. Use a
/// list from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_members {
    /// Internal state.
    pub state: agd_list_state,
}

/// Returns the next value of a list.
///
/// Neither pointer may be NULL. `value` borrows the document's bytes. Returns AGD_SOME, AGD_NONE at
/// the end (`value` is unchanged), or a negative status for misuse. Not thread-safe on one list;
/// linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_values_next(
    list: *mut agd_values,
    value: *mut agd_value,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable value.
    unsafe { next(list, value) }
}

/// Returns the next named value of a list. A name may occur more than once.
///
/// Neither pointer may be NULL. `member` borrows the document's bytes. Returns AGD_SOME, AGD_NONE
/// at the end (`member` is unchanged), or a negative status for misuse. Not thread-safe on one
/// list; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_members_next(
    list: *mut agd_members,
    member: *mut agd_member,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable member.
    unsafe { next(list, member) }
}

/// The members of a JSON object. They borrow the bytes of the object. A copy iterates
/// independently. Use it from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_json_members {
    /// Internal state.
    pub state: agd_list_state,
}

/// The elements of a JSON array. They borrow the bytes of the array. A copy iterates independently.
/// Use it from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_json_elements {
    /// Internal state.
    pub state: agd_list_state,
}

fixed! { agd_json_members, agd_json_elements, }

/// Reads a JSON text (RFC 8259) with a nesting of at most 64 levels.
///
/// `json` may be NULL if `length` is 0; its bytes must stay unchanged while `value`, or anything
/// read from it, is used. `value` must not be NULL; `error` may be, and needs no initialisation.
/// Returns AGD_OK, or the error, which `error` receives with its position; `value` is then
/// unchanged. Thread-safe; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_json_parse(
    json: *const c_char,
    length: usize,
    value: *mut agd_value,
    error: *mut agd_error,
) -> agd_status {
    // SAFETY: the caller promises readable bytes that stay, and writable outputs.
    let parsed =
        unsafe { bytes(json.cast(), length) }.map_err(agd_error::misuse).and_then(|bytes| {
            checked(value).map_err(agd_error::misuse)?;
            Value::parse(bytes).map_err(|error| agd_error::of(error, bytes))
        });
    // SAFETY: the caller promises that it is NULL or writable.
    let written =
        unsafe { write_out(error, parsed.as_ref().err().copied().unwrap_or_else(agd_error::none)) };
    ended(written.map(|()| match parsed {
        Ok(parsed) => {
            // SAFETY: `value` was checked, and the caller promises that it is writable.
            unsafe { value.write(parsed.into()) };
            AGD_OK
        }
        Err(what) => what.kind,
    }))
}

/// Converts a JSON value to the core's value.
///
/// # Safety
/// `value` is NULL or readable, and so is the text in it.
unsafe fn json_of(value: *const agd_value, kind: i32) -> Result<Value<'static>, agd_status> {
    // SAFETY: it is not NULL and aligned, and readable by the contract.
    let value = unsafe { checked(value)?.read() };
    if value.kind != kind {
        return Err(AGD_ERROR_ARGUMENT);
    }
    // SAFETY: the contract is the same. The text is validated again, because the caller may have
    // written the struct.
    let raw = unsafe { bytes(value.text.ptr.cast(), value.text.len)? };
    Value::parse(raw).map_err(|error| crate::status::status_of(error.kind))
}

/// Starts a walk over the members of a JSON object, such as a value in metadata or the `source` of
/// a capability.
///
/// Neither pointer may be NULL; `members` needs no initialisation and borrows the bytes of the
/// object. Returns AGD_OK, AGD_ERROR_ARGUMENT if the value is not an object, or the error of
/// parsing its text; on failure `members` is uninitialised. Thread-safe; linear, because the text
/// is validated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_value_members(
    value: *const agd_value,
    members: *mut agd_json_members,
) -> agd_status {
    // SAFETY: the caller promises a readable value and a writable output.
    ended(unsafe {
        clear(members).and_then(|()| {
            hold_in(members, json_of(value, AGD_VALUE_OBJECT)?.members());
            Ok(AGD_OK)
        })
    })
}

/// Starts a walk over the elements of a JSON array.
///
/// Neither pointer may be NULL; `elements` needs no initialisation and borrows the bytes of the
/// array. Returns AGD_OK, AGD_ERROR_ARGUMENT if the value is not an array, or the error of parsing
/// its text; on failure `elements` is uninitialised. Thread-safe; linear, because the text is
/// validated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_value_elements(
    value: *const agd_value,
    elements: *mut agd_json_elements,
) -> agd_status {
    // SAFETY: the caller promises a readable value and a writable output.
    ended(unsafe {
        clear(elements).and_then(|()| {
            hold_in(elements, json_of(value, AGD_VALUE_ARRAY)?.elements());
            Ok(AGD_OK)
        })
    })
}

/// Returns the next member of a JSON object, in the order of the text, including duplicates.
///
/// Neither pointer may be NULL. `member` borrows the bytes of the object. Returns AGD_SOME,
/// AGD_NONE at the end (`member` is unchanged), or a negative status for misuse. Not thread-safe on
/// one walk; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_json_members_next(
    members: *mut agd_json_members,
    member: *mut agd_member,
) -> agd_status {
    // SAFETY: the caller promises members in sole use and a writable output.
    ended(unsafe {
        held_mut(members).and_then(|members| {
            let room = room(member)?;
            let Some(item) = members.next() else {
                return Ok(AGD_NONE);
            };
            put(member, room, item.into());
            Ok(AGD_SOME)
        })
    })
}

/// Returns the next element of a JSON array.
///
/// Neither pointer may be NULL. `value` borrows the bytes of the array. Returns AGD_SOME, AGD_NONE
/// at the end (`value` is unchanged), or a negative status for misuse. Not thread-safe on one walk;
/// linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_json_elements_next(
    elements: *mut agd_json_elements,
    value: *mut agd_value,
) -> agd_status {
    // SAFETY: the caller promises elements in sole use and a writable output.
    ended(unsafe {
        held_mut(elements).and_then(|elements| {
            let room = room(value)?;
            let Some(item) = elements.next() else {
                return Ok(AGD_NONE);
            };
            put(value, room, item.into());
            Ok(AGD_SOME)
        })
    })
}

/// Returns a whole number from 0 to 2^64 - 1, in any notation (60, 6.0e1).
///
/// Neither pointer may be NULL. Returns AGD_SOME; AGD_NONE for other numbers; AGD_ERROR_ARGUMENT if
/// it is not a JSON number. Thread-safe; linear in the length of the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_value_u64(value: *const agd_value, number: *mut u64) -> agd_status {
    // SAFETY: the caller promises a readable value and a writable output, which is checked first.
    ended(unsafe {
        checked(number).and_then(|_| {
            let value =
                json_of(value, AGD_VALUE_NUMBER)?.as_number().and_then(json::Number::as_u64);
            let Some(value) = value else {
                return Ok(AGD_NONE);
            };
            write_out(number, value)?;
            Ok(AGD_SOME)
        })
    })
}

/// Returns a truth value: AGD_TRUE or AGD_FALSE; AGD_UNSAID for other values and NULL.
///
/// Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_value_bool(value: *const agd_value) -> i32 {
    // SAFETY: the caller promises that it is NULL or readable.
    match unsafe { json_of(value, AGD_VALUE_BOOL) }.ok().and_then(Value::as_bool) {
        Some(true) => AGD_TRUE,
        Some(false) => AGD_FALSE,
        None => AGD_UNSAID,
    }
}
