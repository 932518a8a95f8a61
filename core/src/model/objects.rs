//! The structs of the unified model: plain `Copy` structs of borrowed text and lists, generated
//! from the table in `table.rs`.
//!
//! A field is `None`, and a list empty, if the document does not contain it or it cannot be read.
//! `docs/model.md` describes the JSON form of the model and how each format is read into it.

use super::choice::{
    AuthType, Choice, Execution, Location, PricingType, Protocol, Purpose, Sensitivity, Source,
    Stance, Transport, Vocabulary, Window,
};
use super::list::List;
use crate::model;
use crate::syntax::json::Value;
use crate::syntax::text::Text;

/// A value in the form of the document.
#[derive(Clone, Copy, Debug)]
pub enum Raw<'a> {
    /// A JSON value of a JSON document.
    Json(Value<'a>),
    /// Text of a text document.
    Text(Text<'a>),
}

/// A named value in the form of the document.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// The name as written.
    pub name: Text<'a>,
    /// The value.
    pub value: Raw<'a>,
}

/// Unknown members of an object or block, and members that could not be read, in the order of the
/// document.
pub type Metadata<'a> = List<'a, Member<'a>>;

macro_rules! structs {
    ($(
        $(#[doc = $about:literal])*
        $object:ident $(: $default:ident)? {
            $(
                $(#[doc = $doc:literal])*
                $field:ident $(as $name:literal)? $(or $text:ident)?: $type:ty $(= $implied:expr)?,
            )*
        } $(from $origin:literal)?,
    )*) => {$(
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug $(, $default)?)]
        #[non_exhaustive]
        pub struct $object<'a> {
            $($(#[doc = $doc])* pub $field: $type,)*
            $(
                #[doc = concat!("The bytes of the object: ", $origin, ".")]
                pub source: &'a [u8],
            )?
        }
    )*};
}

crate::model! { structs 'a }

impl<'a> AgentPolicy<'a> {
    /// Whether another policy of the same JSON document has the same name, in any letter case, and
    /// says something else.
    pub(crate) fn contradicts(&self, name: Option<Text<'a>>, source: &'a [u8]) -> bool {
        let names = self.name.zip(name);
        names.is_some_and(|(own, name)| own.eq_text_ignore_case(name))
            && !Value::trusted(self.source).is_same(Value::trusted(source))
    }
}

impl CapabilityAuth<'_> {
    /// An authentication of which only the existence is known.
    pub(crate) const fn unreadable() -> Self {
        Self {
            kind: Choice::unreadable(),
            token_url: None,
            docs_url: None,
            scopes: List::empty(),
            metadata: List::empty(),
            source: b"",
        }
    }
}

impl<'a> From<Member<'a>> for Hint<'a> {
    fn from(member: Member<'a>) -> Self {
        Self { name: member.name, value: member.value }
    }
}

/// The hints for planning: [`Metadata`] whose order counts.
#[derive(Clone, Copy, Default, Debug)]
pub struct Hints<'a>(pub Metadata<'a>);

impl<'a> Iterator for Hints<'a> {
    type Item = Hint<'a>;

    fn next(&mut self) -> Option<Hint<'a>> {
        self.0.next().map(Hint::from)
    }
}
