//! Type expressions of the Agent Web Protocol (section 8): `string`, `enum[economy, business]`,
//! `array[flight]`, `object[flight]`.
//!
//! An expression is a chain: only `array` contains another expression, and only one. So a loop
//! reads it from the outside in, without a stack.
//!
//! The loop works on decoded characters, because an escape such as `\u005b` is a bracket as well,
//! and cuts slices of the raw text. The nom combinators of the other value grammars read plain
//! bytes (`syntax::input::Input`). Decoded characters would need a second input type, so
//! nom is not used here.

use crate::scan;
use core::fmt;

use super::text::{Chars, Escape, Text};

/// The maximum nesting of arrays.
pub const DEPTH: usize = 32;

/// The kind of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum TypeKind {
    /// `string`
    String,
    /// `integer`
    Integer,
    /// `float`
    Float,
    /// `boolean`
    Boolean,
    /// `ISO8601`: a date, or a date and time.
    DateTime,
    /// `url`
    Url,
    /// `enum` or `enum[a, b]`: see [`TypeExpr::options`].
    Enum,
    /// `array` or `array[T]`: see [`TypeExpr::items`].
    Array,
    /// `object` or `object[E]`: see [`TypeExpr::entity`].
    Object,
    /// Any other name: an entity, or a type that the document does not define, such as
    /// `airport_code`.
    Named,
}

impl TypeKind {
    const NAMES: [(&'static str, Self); 9] = [
        ("string", Self::String),
        ("integer", Self::Integer),
        ("float", Self::Float),
        ("boolean", Self::Boolean),
        ("ISO8601", Self::DateTime),
        ("url", Self::Url),
        ("enum", Self::Enum),
        ("array", Self::Array),
        ("object", Self::Object),
    ];

    /// The kind of a name without brackets or before brackets.
    fn of(name: Text<'_>) -> Self {
        Self::NAMES
            .iter()
            .find(|(known, _)| name.eq_ignore_case(known))
            .map_or(Self::Named, |(_, kind)| *kind)
    }

    /// The stable name. It is the name in the specification, except `date-time` for `ISO8601` and
    /// `named` for any other name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Float => "float",
            Self::Boolean => "boolean",
            Self::DateTime => "date-time",
            Self::Url => "url",
            Self::Enum => "enum",
            Self::Array => "array",
            Self::Object => "object",
            Self::Named => "named",
        }
    }
}

/// The reason why a text is not a type expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum TypeError {
    /// The text is empty.
    Empty,
    /// A bracket is not balanced.
    Unbalanced,
    /// Text follows the closing bracket, the name before the brackets or the text in them is
    /// missing, or `enum` or `object` contains nested brackets.
    Malformed,
    /// Brackets are nested deeper than [`DEPTH`].
    TooDeep,
}

impl TypeError {
    /// The stable kebab-case name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Unbalanced => "unbalanced",
            Self::Malformed => "malformed",
            Self::TooDeep => "too-deep",
        }
    }

    /// A message, without a capital letter and a full stop.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Empty => "the type is empty",
            Self::Unbalanced => "the brackets of the type are not balanced",
            Self::Malformed => {
                "the type is not written as `name`, `enum[a, b]`, `array[type]` or `object[entity]`"
            }
            Self::TooDeep => "the type nests too deep",
        }
    }
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl core::error::Error for TypeError {}

/// A type expression.
///
/// ```
/// use agentsdisc_core::syntax::{text::Text, type_expr::{TypeExpr, TypeKind}};
/// let flights = TypeExpr::parse(Text::plain(b"array[object[flight]]"))?;
/// assert_eq!(flights.kind(), TypeKind::Array);
/// assert_eq!(flights.items().and_then(|items| items.entity()).unwrap(), "flight");
/// let class = TypeExpr::parse(Text::plain(b"enum[economy, first]"))?;
/// assert!(class.options().eq(["economy", "first"]));
/// # Ok::<(), agentsdisc_core::syntax::type_expr::TypeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TypeExpr<'a> {
    text: Text<'a>,
    kind: TypeKind,
    /// The text in the brackets, without blanks at its ends. It can be empty only for `enum`.
    inside: Option<Text<'a>>,
}

impl<'a> TypeExpr<'a> {
    /// Reads an expression. Names are matched without case. Takes linear time, [`DEPTH`] passes at
    /// most.
    ///
    /// # Errors
    /// [`TypeError`]. An unknown name is not an error. Text with escapes of YAML or Markdown is
    /// [`TypeError::Malformed`]; no format has type expressions there.
    pub fn parse(text: Text<'a>) -> Result<Self, TypeError> {
        let whole = Self::outermost(text)?;
        let mut inner = whole;
        while let Some(inside) = inner.inside_array() {
            inner = Self::outermost(inside)?;
        }
        Ok(whole)
    }

    /// The whole expression, without blanks at its ends.
    pub const fn text(&self) -> Text<'a> {
        self.text
    }

    /// The kind of the type.
    pub const fn kind(&self) -> TypeKind {
        self.kind
    }

    /// The item type of an array, if given.
    pub fn items(&self) -> Option<Self> {
        Self::outermost(self.inside_array()?).ok()
    }

    /// The innermost item type of nested arrays; the type itself if it is not an array.
    #[must_use]
    pub fn innermost(&self) -> Self {
        let mut inner = *self;
        while let Some(items) = inner.items() {
            inner = items;
        }
        inner
    }

    /// The entity of an object, if given.
    pub fn entity(&self) -> Option<Text<'a>> {
        self.inside.filter(|_| self.kind == TypeKind::Object)
    }

    /// The values in the brackets of an `enum`, without empty ones.
    pub fn options(&self) -> Options<'a> {
        let text = self.inside.filter(|_| self.kind == TypeKind::Enum).unwrap_or_default();
        Options { text, chars: text.chars(), done: text.is_empty() }
    }

    fn inside_array(&self) -> Option<Text<'a>> {
        self.inside.filter(|_| self.kind == TypeKind::Array)
    }

    /// Reads the outermost name and finds its brackets in one pass over the text.
    fn outermost(text: Text<'a>) -> Result<Self, TypeError> {
        if !matches!(text.escape(), Escape::Plain | Escape::Json) {
            return Err(TypeError::Malformed);
        }
        if !text.is_escaped() && scan::memchr2(b'[', b']', text.raw()).is_none() {
            let text = text.trim();
            return if text.is_empty() {
                Err(TypeError::Empty)
            } else {
                Ok(Self { text, kind: TypeKind::of(text), inside: None })
            };
        }
        let mut chars = text.chars();
        let (mut depth, mut deepest) = (0_usize, 0_usize);
        // Each pair is the raw text from the first character on and the raw text after the last
        // one, for the name and for the text in the brackets.
        let mut name: Option<(&[u8], &[u8])> = None;
        let mut inside: Option<(&[u8], &[u8])> = None;
        let mut closed = false;
        loop {
            let here = chars.rest();
            let Some(c) = chars.next() else { break };
            match c {
                '[' if closed => return Err(TypeError::Malformed),
                '[' => {
                    depth = depth.saturating_add(1);
                    deepest = deepest.max(depth);
                    if depth > DEPTH {
                        return Err(TypeError::TooDeep);
                    }
                    if depth == 1 {
                        inside = Some((chars.rest(), chars.rest()));
                    }
                }
                ']' => {
                    depth = depth.checked_sub(1).ok_or(TypeError::Unbalanced)?;
                    if depth == 0 {
                        closed = true;
                        inside = inside.map(|(start, _)| (start, here));
                    }
                }
                c if is_blank(c) || depth > 0 => {}
                _ if closed => return Err(TypeError::Malformed),
                _ => name = Some((name.map_or(here, |(start, _)| start), chars.rest())),
            }
        }
        if depth > 0 {
            return Err(TypeError::Unbalanced);
        }
        let cut = |(start, end): (&'a [u8], &'a [u8])| {
            Text::escaped(
                start.get(..start.len().saturating_sub(end.len())).unwrap_or_default(),
                text.escape(),
            )
        };
        let name = cut(name.ok_or(if closed { TypeError::Malformed } else { TypeError::Empty })?);
        let known = TypeKind::of(name);
        let text = trim(text);
        let Some(inside) = inside.map(|inside| trim(cut(inside))) else {
            return Ok(Self { text, kind: known, inside: None });
        };
        match known {
            TypeKind::Enum | TypeKind::Object if deepest > 1 => Err(TypeError::Malformed),
            TypeKind::Array | TypeKind::Object if inside.is_empty() => Err(TypeError::Malformed),
            TypeKind::Enum | TypeKind::Array | TypeKind::Object => {
                Ok(Self { text, kind: known, inside: Some(inside) })
            }
            // Brackets after any other name are an unknown notation.
            _ => Ok(Self { text, kind: TypeKind::Named, inside: None }),
        }
    }
}

/// The values of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    text: Text<'a>,
    chars: Chars<'a>,
    done: bool,
}

impl<'a> Iterator for Options<'a> {
    type Item = Text<'a>;

    fn next(&mut self) -> Option<Text<'a>> {
        while !self.done {
            let start = self.chars.rest();
            let end = loop {
                let here = self.chars.rest();
                match self.chars.next() {
                    Some(',') => break here,
                    Some(_) => {}
                    None => {
                        self.done = true;
                        break here;
                    }
                }
            };
            let option = start.get(..start.len().saturating_sub(end.len())).unwrap_or_default();
            let option = trim(Text::escaped(option, self.text.escape()));
            if !option.is_empty() {
                return Some(option);
            }
        }
        None
    }
}

const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// The text without blanks at its ends, also if they are escaped.
fn trim(text: Text<'_>) -> Text<'_> {
    if !text.is_escaped() {
        return text.trim();
    }
    let mut chars = text.chars();
    let mut found: Option<(&[u8], &[u8])> = None;
    loop {
        let here = chars.rest();
        match chars.next() {
            None => break,
            Some(c) if is_blank(c) => {}
            Some(_) => found = Some((found.map_or(here, |(start, _)| start), chars.rest())),
        }
    }
    let raw = found.and_then(|(start, end)| start.get(..start.len().saturating_sub(end.len())));
    Text::escaped(raw.unwrap_or_default(), text.escape())
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::String;

    fn parse(text: &str) -> Result<TypeExpr<'_>, TypeError> {
        TypeExpr::parse(Text::plain(text.as_bytes()))
    }

    #[test]
    fn every_kind() {
        for (text, kind) in [
            ("string", TypeKind::String),
            (" Integer ", TypeKind::Integer),
            ("float", TypeKind::Float),
            ("boolean", TypeKind::Boolean),
            ("ISO8601", TypeKind::DateTime),
            ("url", TypeKind::Url),
            ("enum", TypeKind::Enum),
            ("enum[]", TypeKind::Enum),
            ("array", TypeKind::Array),
            ("array [ string ]", TypeKind::Array),
            ("object", TypeKind::Object),
            ("object[flight]", TypeKind::Object),
            ("airport_code", TypeKind::Named),
            ("string or array", TypeKind::Named),
            ("string[]", TypeKind::Named),
            ("map[string, array[x]]", TypeKind::Named),
        ] {
            assert_eq!(parse(text).unwrap().kind(), kind, "{text}");
        }
    }

    #[test]
    fn what_is_none() {
        for (text, error) in [
            ("", TypeError::Empty),
            (" \t", TypeError::Empty),
            ("array[string", TypeError::Unbalanced),
            ("array]", TypeError::Unbalanced),
            ("array[string]]", TypeError::Unbalanced),
            ("array[array[string]", TypeError::Unbalanced),
            ("array[string] or null", TypeError::Malformed),
            ("array[string][int]", TypeError::Malformed),
            ("array[]", TypeError::Malformed),
            ("array[array[ ]]", TypeError::Malformed),
            ("object[]", TypeError::Malformed),
            ("object[array[x]]", TypeError::Malformed),
            ("enum[a[b]]", TypeError::Malformed),
            ("[string]", TypeError::Malformed),
            ("array[[string]]", TypeError::Malformed),
        ] {
            assert_eq!(parse(text).unwrap_err(), error, "{text}");
        }
    }

    #[test]
    fn parts_are_found_through_escapes() {
        let text =
            TypeExpr::parse(Text::json(br"array\u005b enum[a\u002c b\t,, c d] \u005D")).unwrap();
        assert!(text.items().unwrap().options().eq(["a", "b", "c d"]));
        assert_eq!(text.innermost().text(), "enum[a, b\t,, c d]");
        assert_eq!(
            parse("array[array[object[ a b ]]]").unwrap().innermost().entity().unwrap(),
            "a b"
        );
        assert!(parse("string").unwrap().items().is_none());
        assert_eq!(parse("enum").unwrap().options().count(), 0);
    }

    #[test]
    fn nesting_ends() {
        let nested =
            |depth: usize| std::format!("{}x{}", "array[".repeat(depth), "]".repeat(depth));
        assert_eq!(parse(&nested(DEPTH)).unwrap().innermost().text(), "x");
        assert_eq!(parse(&nested(DEPTH + 1)).unwrap_err(), TypeError::TooDeep);
        assert_eq!(parse(&nested(1_000_000)).unwrap_err(), TypeError::TooDeep);
        assert_eq!(parse(&"[".repeat(1_000_000)).unwrap_err(), TypeError::TooDeep);
        assert_eq!(parse(&"]".repeat(1_000_000)).unwrap_err(), TypeError::Unbalanced);
        let many: String = (0..200_000).map(|n| std::format!("{n},")).collect();
        assert_eq!(parse(&std::format!("enum[{many}]")).unwrap().options().count(), 200_000);
    }
}
