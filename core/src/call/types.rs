//! Checks the value of an argument against the type that a document declares.
//!
//! Implementation notes: types and values are nested, but no function recurses; a small stack holds
//! the open containers. A budget bounds the search of entities and of their fields, whose time
//! would otherwise be the product of both lengths.

use super::Problem;
use crate::model::{Entity, List, Location, Output, Parameter, Raw};
use crate::rules::timestamp::is_iso_8601;
use crate::syntax::json::{Elements, Kind, Members, Value};
use crate::syntax::text::Text;
use crate::syntax::type_expr::{TypeExpr, TypeKind};
use crate::syntax::url::{BUFFER, Url};

/// The largest nesting of containers in an argument.
const DEPTH: usize = 16;
/// The largest number of bytes of entities and fields that are searched.
const BUDGET: usize = 1 << 22;

/// The named types of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Types<'a> {
    entities: List<'a, Entity<'a>>,
    /// Whether types are free text. Then a string outside of a body may be the text of a number or
    /// a truth value, and `array` and `object` each accept both containers.
    is_free_text: bool,
}

/// A container whose items are being checked.
#[derive(Clone, Copy)]
enum Open<'a, 'v> {
    Array(Elements<'v>, Option<TypeExpr<'a>>),
    Object(Members<'v>, List<'a, Output<'a>>),
}

impl<'a> Types<'a> {
    pub(super) const fn of(entities: List<'a, Entity<'a>>, is_free_text: bool) -> Self {
        Self { entities, is_free_text }
    }

    /// Checks a value against its parameter, for the location where it is sent.
    pub(super) fn check_at(
        &self,
        parameter: &Parameter<'a>,
        value: Value<'_>,
        location: Location,
    ) -> Result<(), Problem> {
        let kind = parameter.kind.and_then(|kind| TypeExpr::parse(kind).ok());
        let is_container =
            |kind: TypeExpr<'_>| matches!(kind.kind(), TypeKind::Array | TypeKind::Object);
        let has_items = matches!(value.kind(), Kind::Array | Kind::Object);
        if self.is_free_text && has_items && kind.is_some_and(is_container) {
            return Ok(());
        }
        let is_text = self.is_free_text && location != Location::Body;
        let read = read_text(parameter.kind, value).filter(|_| is_text);
        self.check(parameter, read.unwrap_or(value))
    }

    /// Checks a value against its parameter.
    pub(super) fn check(&self, parameter: &Parameter<'a>, value: Value<'_>) -> Result<(), Problem> {
        let kind = parameter.kind.and_then(|kind| TypeExpr::parse(kind).ok());
        if let Some(kind) = kind {
            self.check_type(kind, value)?;
            if kind.kind() == TypeKind::Array
                && let Some(Raw::Json(items)) = parameter.items
                && let Some(items) = items.get("type").or(Some(items)).and_then(Value::as_text)
                && let Ok(items) = TypeExpr::parse(items)
                && !value.elements().all(|item| is_scalar(items, item))
            {
                return Err(Problem::WrongType);
            }
        }
        let mut options = parameter.options;
        let is_option = |option: Raw<'_>| match option {
            Raw::Json(option) => is_same(option, value),
            Raw::Text(option) => value.as_text() == Some(option),
        };
        if !options.is_empty() && !options.any(is_option) {
            return Err(Problem::NotAnOption);
        }
        let number = |raw: Option<Raw<'a>>| raw.and_then(Decimal::of);
        if let Some(value) = Decimal::of(Raw::Json(value))
            && (number(parameter.min).is_some_and(|min| value.is_below(&min))
                || number(parameter.max).is_some_and(|max| max.is_below(&value)))
        {
            return Err(Problem::OutOfRange);
        }
        Ok(())
    }

    /// Checks a value against a type, with its items and members.
    pub(super) fn check_type(&self, kind: TypeExpr<'a>, value: Value<'_>) -> Result<(), Problem> {
        let mut stack = heapless::Vec::<Open<'a, '_>, DEPTH>::new();
        let mut budget = BUDGET;
        let mut next = Some((kind, value));
        loop {
            if let Some((kind, value)) = next.take() {
                if !is_scalar(kind, value) {
                    return Err(match kind.kind() {
                        TypeKind::Enum if value.kind() == Kind::String => Problem::NotAnOption,
                        _ => Problem::WrongType,
                    });
                }
                let open = self.open(kind, value, &mut budget);
                let is_entity = matches!(open, Some(Open::Object(..)));
                let fits = !is_entity || value.kind() == Kind::Object;
                if !fits || open.is_some_and(|open| stack.push(open).is_err()) {
                    return Err(Problem::WrongType);
                }
            }
            let Some(top) = stack.last_mut() else {
                return Ok(());
            };
            match top {
                Open::Array(elements, items) => match (elements.next(), *items) {
                    (Some(value), Some(items)) => next = Some((items, value)),
                    _ => drop(stack.pop()),
                },
                Open::Object(members, fields) => {
                    let Some(member) = members.next() else {
                        stack.pop();
                        continue;
                    };
                    if !member.value.is_null()
                        && let Some(kind) = type_of(*fields, member.name, &mut budget)
                    {
                        next = Some((kind, member.value));
                    }
                }
            }
        }
    }

    /// Opens a container, if the type declares its items or members.
    fn open<'v>(
        &self,
        kind: TypeExpr<'a>,
        value: Value<'v>,
        budget: &mut usize,
    ) -> Option<Open<'a, 'v>> {
        match kind.kind() {
            TypeKind::Array => Some(Open::Array(value.elements(), Some(kind.items()?))),
            TypeKind::Object | TypeKind::Named => {
                let fields = self.fields_of(kind.entity().unwrap_or(kind.text()), budget)?;
                // Only an object has members.
                Some(Open::Object(value.members(), fields))
            }
            _ => None,
        }
    }

    /// The fields of an entity; absent if it is not declared.
    pub(super) fn fields_of(
        &self,
        name: Text<'_>,
        budget: &mut usize,
    ) -> Option<List<'a, Output<'a>>> {
        let mut entities =
            self.entities.take_while(|entity| spend(budget, entity.fields.bytes().len()));
        entities.find(|entity| entity.name == name).map(|entity| entity.fields)
    }
}

/// Whether a value has a type; does not check its items and members.
fn is_scalar(kind: TypeExpr<'_>, value: Value<'_>) -> bool {
    let own = value.kind();
    let text = value.as_text();
    match kind.kind() {
        TypeKind::String => own == Kind::String,
        TypeKind::Integer => is_integer(value.raw()),
        TypeKind::Float => own == Kind::Number,
        TypeKind::Boolean => own == Kind::Bool,
        TypeKind::DateTime => text.is_some_and(is_iso_8601),
        TypeKind::Url => text.is_some_and(|text| Url::of(text, &mut [0; BUFFER]).is_some()),
        TypeKind::Enum => match kind.options().next() {
            Some(_) => text.is_some_and(|text| kind.options().any(|option| option == text)),
            None => !matches!(own, Kind::Array | Kind::Object),
        },
        TypeKind::Array => own == Kind::Array,
        TypeKind::Object => own == Kind::Object,
        TypeKind::Named => !is_named_number(kind) || own == Kind::Number,
    }
}

/// Whether a type is `number`, as in JSON Schema and the Internet-Draft.
pub(super) fn is_named_number(kind: TypeExpr<'_>) -> bool {
    kind.kind() == TypeKind::Named && kind.text().eq_ignore_case("number")
}

/// Reads a string as a value if the type is a number or a truth value: `10` for `"10"`.
pub(super) fn read_text<'v>(kind: Option<Text<'_>>, value: Value<'v>) -> Option<Value<'v>> {
    let kind = TypeExpr::parse(kind?).ok()?;
    let text = value.as_text().filter(|text| !text.is_escaped())?;
    let read = Value::parse(text.raw()).ok()?;
    let is_one = matches!(kind.kind(), TypeKind::Integer | TypeKind::Float | TypeKind::Boolean)
        || is_named_number(kind);
    (is_one && is_scalar(kind, read)).then_some(read)
}

/// Subtracts the bytes of an item from the budget. Returns false if the budget is exhausted.
pub(super) const fn spend(budget: &mut usize, bytes: usize) -> bool {
    /// An allowance for the name and the type, which are short.
    const ITEM: usize = 32;
    *budget = budget.saturating_sub(bytes.saturating_add(ITEM));
    *budget > 0
}

/// The type of the field with this name, if it is declared and valid.
fn type_of<'a>(
    fields: List<'a, Output<'a>>,
    name: Text<'_>,
    budget: &mut usize,
) -> Option<TypeExpr<'a>> {
    let mut fields = fields.take_while(|_| spend(budget, 0));
    let field = fields.find(|field| field.name == name)?;
    TypeExpr::parse(expression(field.kind)?).ok()
}

/// The type expression of an output or a field.
pub(super) fn expression(kind: Raw<'_>) -> Option<Text<'_>> {
    match kind {
        Raw::Json(value) => value.as_text().or_else(|| value.get("type")?.as_text()),
        Raw::Text(text) => Some(text),
    }
}

/// Whether two values are equal: strings by their characters, others by their JSON text.
fn is_same(one: Value<'_>, other: Value<'_>) -> bool {
    match (one.as_text(), other.as_text()) {
        (Some(one), Some(other)) => one == other,
        _ => one.raw() == other.raw(),
    }
}

/// A number without an exponent.
#[derive(PartialEq, Eq)]
struct Decimal<'v> {
    is_negative: bool,
    /// Without zeros at the start.
    whole: &'v [u8],
    /// Without zeros at the end.
    fraction: &'v [u8],
}

impl<'v> Decimal<'v> {
    /// Reads a number. Returns `None` for other values, and for numbers with an exponent, which are
    /// not compared.
    fn of(value: Raw<'v>) -> Option<Self> {
        let text = match value {
            Raw::Json(value) => value.raw(),
            Raw::Text(text) => text.raw(),
        };
        let (is_negative, text) = match text {
            [b'-', digits @ ..] => (true, digits),
            _ => (false, text),
        };
        let point = text.iter().position(|byte| *byte == b'.');
        let (mut whole, mut fraction) = text.split_at_checked(point.unwrap_or(text.len()))?;
        if let [b'.', digits @ ..] = fraction {
            fraction = digits;
        }
        let is_number = !whole.is_empty() && whole.iter().chain(fraction).all(u8::is_ascii_digit);
        while let [b'0', rest @ ..] = whole {
            whole = rest;
        }
        while let [rest @ .., b'0'] = fraction {
            fraction = rest;
        }
        let is_zero = whole.is_empty() && fraction.is_empty();
        is_number.then_some(Self { is_negative: is_negative && !is_zero, whole, fraction })
    }

    /// Whether this number is less than another one.
    fn is_below(&self, other: &Self) -> bool {
        let parts = |one: &Self| (one.whole.len(), one.whole, one.fraction);
        match (self.is_negative, other.is_negative) {
            (false, false) => parts(self) < parts(other),
            (true, true) => parts(self) > parts(other),
            (is_negative, _) => is_negative,
        }
    }
}

/// Whether the text of a value is an integer, without a fraction or an exponent.
fn is_integer(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}
