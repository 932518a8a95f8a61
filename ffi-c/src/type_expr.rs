//! Type expressions of the Agent Web Protocol, such as `array[object[flight]]`.

use core::ffi::c_char;
use core::mem::{MaybeUninit, size_of};

use agentsdisc_core::syntax::type_expr::{TypeExpr, TypeKind};

use crate::boundary::{c_text, checked, ended, give, growing, held_mut, hold, put, room};
use crate::enumerations::AGD_UNSAID;
use crate::status::{AGD_ERROR_NULL, AGD_ERROR_TYPE, AGD_NONE, AGD_SOME, agd_status};
use crate::text::agd_text;

/// Any other name than those below: that of an entity, or one that the document does not explain.
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

/// Words of the state of a list of values.
pub const AGD_TYPE_WORDS: usize = 16;

/// The values of an `enum[a, b]`. It borrows the bytes of the expression. A copy walks on its own; a list that is walked is used by one thread at
/// a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_type_options {
    /// The library's.
    pub state: [MaybeUninit<u64>; AGD_TYPE_WORDS],
}

/// A type expression. It borrows the bytes it was read from.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_type {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    pub size: usize,
    /// What it stands for: AGD_TYPE_*.
    pub kind: i32,
    /// What the innermost type stands for, where arrays hold arrays; that of the items of an array; `kind` where it is no array.
    pub innermost_kind: i32,
    /// The whole expression, without blanks at its ends.
    pub text: agd_text,
    /// Of an array: the type of its items, to be read with agd_type_parse; absent where it is not given, and for all else.
    pub items: agd_text,
    /// Of an object: the entity; absent where it is not given, and for all else.
    pub entity: agd_text,
    /// The whole innermost type; the whole expression where it is no array.
    pub innermost: agd_text,
    /// Of an enumeration: its values.
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
        // One that is newer than this list.
        _ => AGD_UNSAID,
    }
}

/// The name of a kind of type (AGD_TYPE_*), such as `date-time`, with a NUL; `named` for AGD_TYPE_NAMED, `unknown` for a number that is none.
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
                agd_type_options {
                    state: [MaybeUninit::new(0); AGD_TYPE_WORDS],
                },
                expression.options(),
            ),
        }
    }
}

/// Reads a type expression of AWP (section 8), such as the `type` of a parameter or of a field. The case of the letters in the names does not
/// matter.
///
/// `text` may be escaped as JSON, and must not be absent; `found` must not be NULL, must be initialised (AGD_INIT), and then borrows the text.
/// Returns AGD_SOME; AGD_ERROR_TYPE where the text is not a type expression, and then `found` stays as it is; or another negative status for misuse.
/// Thread-safe; linear, times 32 at worst.
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

/// The next value of an enumeration, empty ones left out.
///
/// Neither pointer may be NULL; `text` borrows the bytes of the expression. Returns AGD_SOME, at the end AGD_NONE, or a negative status for misuse.
/// Not thread-safe on one list; linear in what is passed over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_type_options_next(
    list: *mut agd_type_options,
    text: *mut agd_text,
) -> agd_status {
    // SAFETY: the caller promises a list in sole use and a writable output, which is asked before the list moves.
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
