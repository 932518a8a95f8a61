//! Type expressions of the Agent Web Protocol, such as `array[object[flight]]`.

use core::ffi::c_char;
use core::mem::{MaybeUninit, size_of};

use agentsdisc_core::syntax::type_expr::{TypeExpr, TypeKind};

use crate::boundary::{c_text, checked, ended, give, growing, held_mut, hold, put, room};
use crate::enumerations::AGD_UNSAID;
use crate::status::{AGD_ERROR_NULL, AGD_ERROR_TYPE, AGD_NONE, AGD_SOME, agd_status};
use crate::text::agd_text;

/// A name other than those below: an entity, or a name that the document does not define.
pub const AGD_TYPE_NAMED: i32 = 0;
/// `string`
pub const AGD_TYPE_STRING: i32 = 1;
/// `integer`
pub const AGD_TYPE_INTEGER: i32 = 2;
/// `float`
pub const AGD_TYPE_FLOAT: i32 = 3;
/// `boolean`
pub const AGD_TYPE_BOOLEAN: i32 = 4;
/// `ISO8601`: a date, or a date and time.
pub const AGD_TYPE_DATE_TIME: i32 = 5;
/// `url`
pub const AGD_TYPE_URL: i32 = 6;
/// `enum` or `enum[a, b]`
pub const AGD_TYPE_ENUM: i32 = 7;
/// `array` or `array[T]`
pub const AGD_TYPE_ARRAY: i32 = 8;
/// `object` or `object[E]`
pub const AGD_TYPE_OBJECT: i32 = 9;

/// Size of agd_type_options in 64-bit words.
pub const AGD_TYPE_WORDS: usize = 16;

/// The values of an `enum[a, b]`. It borrows the bytes of the expression. A copy iterates
/// independently. Use a list from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_type_options {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_TYPE_WORDS],
}

/// A type expression. It borrows the bytes it was read from.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_type {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The kind: AGD_TYPE_*.
    pub kind: i32,
    /// The kind of the innermost type: the items of an array, through nested arrays; `kind` if this
    /// is not an array.
    pub innermost_kind: i32,
    /// The whole expression, without blanks at its ends.
    pub text: agd_text,
    /// The item type of an array, for agd_type_parse; absent if it is not given, and for other
    /// kinds.
    pub items: agd_text,
    /// The entity of an object; absent if it is not given, and for other kinds.
    pub entity: agd_text,
    /// The innermost type; the whole expression if this is not an array.
    pub innermost: agd_text,
    /// The values of an enumeration.
    pub options: agd_type_options,
}

growing! { agd_type, }

const fn number(kind: TypeKind) -> i32 {
    match kind {
        TypeKind::String => AGD_TYPE_STRING,
        TypeKind::Integer => AGD_TYPE_INTEGER,
        TypeKind::Float => AGD_TYPE_FLOAT,
        TypeKind::Boolean => AGD_TYPE_BOOLEAN,
        TypeKind::DateTime => AGD_TYPE_DATE_TIME,
        TypeKind::Url => AGD_TYPE_URL,
        TypeKind::Enum => AGD_TYPE_ENUM,
        TypeKind::Array => AGD_TYPE_ARRAY,
        TypeKind::Object => AGD_TYPE_OBJECT,
        TypeKind::Named => AGD_TYPE_NAMED,
        // A kind that is newer than this list.
        _ => AGD_UNSAID,
    }
}

/// Returns the name of a kind of type (AGD_TYPE_*), such as `date-time`, NUL-terminated; `named`
/// for AGD_TYPE_NAMED, `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_type_name(kind: i32) -> *const c_char {
    match kind {
        AGD_TYPE_STRING => c_text!(TypeKind::String.as_str()),
        AGD_TYPE_INTEGER => c_text!(TypeKind::Integer.as_str()),
        AGD_TYPE_FLOAT => c_text!(TypeKind::Float.as_str()),
        AGD_TYPE_BOOLEAN => c_text!(TypeKind::Boolean.as_str()),
        AGD_TYPE_DATE_TIME => c_text!(TypeKind::DateTime.as_str()),
        AGD_TYPE_URL => c_text!(TypeKind::Url.as_str()),
        AGD_TYPE_ENUM => c_text!(TypeKind::Enum.as_str()),
        AGD_TYPE_ARRAY => c_text!(TypeKind::Array.as_str()),
        AGD_TYPE_OBJECT => c_text!(TypeKind::Object.as_str()),
        AGD_TYPE_NAMED => c_text!(TypeKind::Named.as_str()),
        _ => c"unknown".as_ptr(),
    }
}

impl From<TypeExpr<'static>> for agd_type {
    fn from(expression: TypeExpr<'static>) -> Self {
        let innermost = expression.innermost();
        Self {
            size: size_of::<Self>(),
            kind: number(expression.kind()),
            innermost_kind: number(innermost.kind()),
            text: expression.text().into(),
            items: expression.items().map(|items| items.text()).into(),
            entity: expression.entity().into(),
            innermost: innermost.text().into(),
            options: hold(
                agd_type_options { state: [MaybeUninit::new(0); AGD_TYPE_WORDS] },
                expression.options(),
            ),
        }
    }
}

/// Reads a type expression of AWP (section 8), such as the `type` of a parameter or of a field. The
/// letter case of names is ignored.
///
/// `text` may be escaped as JSON, and must not be absent; `found` must not be NULL, must be
/// initialised (AGD_INIT) and borrows the text. Returns AGD_SOME; AGD_ERROR_TYPE if the text is not
/// a type expression (`found` is unchanged); or another negative status for misuse. Thread-safe;
/// linear in the text times the nesting, at most 32.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_type_parse(text: agd_text, found: *mut agd_type) -> agd_status {
    // SAFETY: the caller promises a readable text and a writable output.
    ended(unsafe {
        text.get().and_then(|text| {
            checked(found)?;
            let expression =
                TypeExpr::parse(text.ok_or(AGD_ERROR_NULL)?).map_err(|_| AGD_ERROR_TYPE)?;
            give(found, Some(expression.into()))
        })
    })
}

/// Returns the next value of an enumeration, skipping empty ones.
///
/// Neither pointer may be NULL; `text` borrows the bytes of the expression. Returns AGD_SOME,
/// AGD_NONE at the end, or a negative status for misuse. Not thread-safe on one list; linear in the
/// bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_type_options_next(
    list: *mut agd_type_options,
    text: *mut agd_text,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output, which is checked before
    // the list advances.
    ended(unsafe {
        held_mut(list).and_then(|list| {
            let room = room(text)?;
            let Some(option) = list.next() else {
                return Ok(AGD_NONE);
            };
            put(text, room, option.into());
            Ok(AGD_SOME)
        })
    })
}
