//! Visiting the members of the model's objects. Every writer and walker reads objects in this way.

use super::choice::{AuthType, Choice, Enumeration};
use super::list::List;
use super::objects::{
    Access, AgentPolicy, Audit, Capability, CapabilityAuth, Dependency, Endpoint, Entity,
    Extension, Flow, Hint, Hints, Idempotency, Key, Metadata, Output, Parameter, Permissions, Plan,
    Pricing, Provenance, RateLimit, Raw, Recovery, Reference, Registration, Robots, RobotsField,
    RobotsGroup, RobotsPreference, RobotsRule, Search, SearchResult, SecurityScheme, Service,
    ServiceAuth, Session, Signature, Skill, Status,
};
use crate::syntax::json::Value;
use crate::syntax::json::view::are_same;
use crate::syntax::text::Text;

/// An object of the model.
pub trait Object<'a>: Copy {
    /// Calls the visitor with each member that is present, in the order of the JSON form.
    fn members<V: MemberVisitor<'a>>(&self, visitor: &mut V) -> Result<(), V::Error>;

    /// Returns the bytes of the object in the document; empty if the object does not keep them.
    fn source(&self) -> &'a [u8] {
        b""
    }

    /// Whether no member is present.
    fn is_empty(&self) -> bool {
        each_member(self, |_, _| Err(())).is_ok()
    }
}

/// Receives the members of an object.
///
/// May be called with empty lists, which count as absent, except for [`granted`](Self::granted).
pub trait MemberVisitor<'a> {
    /// The reason why the visitor stops.
    type Error;
    /// Receives a word that is not part of the document.
    fn word(&mut self, name: &'static Name, word: &'static str) -> Result<(), Self::Error>;
    /// Receives a text.
    fn text(&mut self, name: &'static Name, text: Text<'a>) -> Result<(), Self::Error>;
    /// Receives a list of texts.
    fn texts(&mut self, name: &'static Name, list: List<'a, Text<'a>>) -> Result<(), Self::Error>;
    /// Receives a list of texts that also counts if it is empty.
    fn granted(&mut self, name: &'static Name, list: List<'a, Text<'a>>)
    -> Result<(), Self::Error>;
    /// Receives the value of an enumeration.
    fn choice<E: Enumeration>(
        &mut self,
        name: &'static Name,
        choice: Choice<'a, E>,
    ) -> Result<(), Self::Error>;
    /// Receives a boolean.
    fn truth(&mut self, name: &'static Name, value: bool) -> Result<(), Self::Error>;
    /// Receives a number.
    fn number(&mut self, name: &'static Name, number: u32) -> Result<(), Self::Error>;
    /// Receives a value in the form of the document.
    fn raw(&mut self, name: &'static Name, value: Raw<'a>) -> Result<(), Self::Error>;
    /// Receives a list of values in the form of the document.
    fn raws(&mut self, name: &'static Name, list: List<'a, Raw<'a>>) -> Result<(), Self::Error>;
    /// Receives named values.
    fn metadata(&mut self, name: &'static Name, members: Metadata<'a>) -> Result<(), Self::Error>;
    /// Receives an object.
    fn object<T: Object<'a>>(&mut self, name: &'static Name, object: &T)
    -> Result<(), Self::Error>;
    /// Receives a list of objects.
    fn objects<T: Object<'a>>(
        &mut self,
        name: &'static Name,
        list: impl Iterator<Item = T> + Clone,
    ) -> Result<(), Self::Error>;
}

/// The name of a member. For an enumeration, also the name of the member with the text as written.
#[derive(Debug)]
pub struct Name {
    name: &'static str,
    text_name: &'static str,
    key: &'static str,
    text_key: &'static str,
    index: usize,
}

impl Name {
    #[doc(hidden)]
    pub const fn new([name, text_name, key, text_key]: [&'static str; 4]) -> Self {
        Self { name, text_name, key, text_key, index: index_of(name) }
    }

    /// Returns the name.
    pub const fn as_str(&self) -> &'static str {
        self.name
    }

    /// Returns the name of the member with the text as written, for a member that is an
    /// enumeration.
    pub const fn text_name(&self) -> &'static str {
        self.text_name
    }

    /// Returns the index of the name, less than [`Name::COUNT`]. Equal names have equal indexes.
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The number of indexes.
    pub const COUNT: usize = OF_DOCUMENT.len() + OF_OBJECTS.len();

    /// Returns the name in JSON, with a comma before it and a colon after it.
    pub(crate) const fn key(&self) -> &'static str {
        self.key
    }

    /// Like [`key`](Self::key), for the text as written.
    pub(crate) const fn text_key(&self) -> &'static str {
        self.text_key
    }
}

/// Returns the name of a member: the explicit name, otherwise the name of the field.
macro_rules! name_of {
    ($field:ident $name:literal) => {
        $name
    };
    ($field:ident) => {
        stringify!($field)
    };
}

/// Returns the `&'static Name` of a member: of its field and explicit name, or of a literal. The
/// type must be imported.
#[doc(hidden)]
#[macro_export]
macro_rules! name {
    ($field:ident $name:literal) => {
        $crate::name!($name)
    };
    ($field:ident) => {
        $crate::name!(stringify!($field))
    };
    ($name:expr) => {
        const {
            &Name::new([
                $name,
                concat!($name, "_text"),
                concat!(",\"", $name, "\":"),
                concat!(",\"", $name, "_text\":"),
            ])
        }
    };
}

/// Returns the first index of a name in the tables.
const fn index_of(name: &str) -> usize {
    let (mut rest, mut index) = (OF_DOCUMENT, 0);
    loop {
        match rest {
            [first, ..] if are_same(first.as_bytes(), name.as_bytes()) => return index,
            [_, others @ ..] => (rest, index) = (others, index + 1),
            [] if index == OF_DOCUMENT.len() => rest = OF_OBJECTS,
            // Fails the compilation if the tables lack a name.
            #[allow(clippy::panic)]
            [] => panic!("the tables lack the name"),
        }
    }
}

/// A type that a member of the model can have.
pub trait MemberValue<'a>: Copy {
    /// Calls the visitor if the value is present. A required object is present if it has members.
    fn visit<V: MemberVisitor<'a>>(
        self,
        name: &'static Name,
        visitor: &mut V,
    ) -> Result<(), V::Error>;

    /// Calls the visitor with the value of an `Option`.
    #[inline(always)]
    fn visit_some<V: MemberVisitor<'a>>(
        self,
        name: &'static Name,
        visitor: &mut V,
    ) -> Result<(), V::Error> {
        self.visit(name, visitor)
    }
}

impl<'a, T: MemberValue<'a>> MemberValue<'a> for Option<T> {
    #[inline(always)]
    fn visit<V: MemberVisitor<'a>>(
        self,
        name: &'static Name,
        visitor: &mut V,
    ) -> Result<(), V::Error> {
        match self {
            Some(value) => value.visit_some(name, visitor),
            None => Ok(()),
        }
    }
}

/// Implements [`MemberValue`]: calls the method of the visitor for each type.
macro_rules! values {
    ($($type:ty: |$value:ident| $method:ident($given:expr) $(, or $some:ident)?;)*) => {$(
        impl<'a> MemberValue<'a> for $type {
            #[inline(always)]
            fn visit<V: MemberVisitor<'a>>(self, name: &'static Name, visitor: &mut V) -> Result<(), V::Error> {
                let $value = self;
                visitor.$method(name, $given)
            }

            $(
                #[inline(always)]
                fn visit_some<V: MemberVisitor<'a>>(self, name: &'static Name, visitor: &mut V) -> Result<(), V::Error> {
                    visitor.$some(name, self)
                }
            )?
        }
    )*};
}

values! {
    Text<'a>: |text| text(text);
    List<'a, Text<'a>>: |list| texts(list), or granted;
    bool: |value| truth(value);
    u32: |number| number(number);
    Raw<'a>: |value| raw(value);
    Value<'a>: |value| raw(Raw::Json(value));
    List<'a, Raw<'a>>: |list| raws(list);
    Metadata<'a>: |members| metadata(members);
}

impl<'a, E: Enumeration> MemberValue<'a> for Choice<'a, E> {
    #[inline(always)]
    fn visit<V: MemberVisitor<'a>>(
        self,
        name: &'static Name,
        visitor: &mut V,
    ) -> Result<(), V::Error> {
        visitor.choice(name, self)
    }
}

impl<'a, T: Object<'a>> MemberValue<'a> for List<'a, T> {
    #[inline(always)]
    fn visit<V: MemberVisitor<'a>>(
        self,
        name: &'static Name,
        visitor: &mut V,
    ) -> Result<(), V::Error> {
        visitor.objects(name, self)
    }
}

impl<'a> MemberValue<'a> for Hints<'a> {
    fn visit<V: MemberVisitor<'a>>(
        self,
        name: &'static Name,
        visitor: &mut V,
    ) -> Result<(), V::Error> {
        visitor.objects(name, self)
    }
}

macro_rules! objects {
    ($(
        $(#[doc = $about:literal])*
        $object:ident $(: $default:ident)? {
            $(
                $(#[doc = $doc:literal])*
                $field:ident $(as $name:literal)? $(or $text:ident)?: $type:ty $(= $implied:expr)?,
            )*
        } $(from $origin:literal)?,
    )*) => {
        /// The names of the members of all objects.
        const OF_OBJECTS: &[&str] = &[
            $($(name_of!($field $($name)?),)*)*
        ];

        $(
            impl<'a> Object<'a> for $object<'a> {
                fn members<V: MemberVisitor<'a>>(&self, visitor: &mut V) -> Result<(), V::Error> {
                    $({
                        let value = self.$field;
                        $(let value = Some(value).filter(|value| *value != $implied);)?
                        value.visit($crate::name!($field $($name)?), visitor)?;
                    })*
                    Ok(())
                }

                $(
                    fn source(&self) -> &'a [u8] {
                        const _: &str = $origin;
                        self.source
                    }
                )?
            }

            /// A required object; left out if it has no members.
            impl<'a> MemberValue<'a> for $object<'a> {
                #[inline(always)]
                fn visit<V: MemberVisitor<'a>>(self, name: &'static Name, visitor: &mut V) -> Result<(), V::Error> {
                    if self.is_empty() {
                        return Ok(());
                    }
                    self.visit_some(name, visitor)
                }

                #[inline(always)]
                fn visit_some<V: MemberVisitor<'a>>(self, name: &'static Name, visitor: &mut V) -> Result<(), V::Error> {
                    visitor.object(name, &self)
                }
            }
        )*
    };
}

crate::model! { objects 'a }

macro_rules! names {
    ($(
        #[doc = $doc:literal]
        $field:ident $(as $name:literal)? $(or $text:ident)? $(unless $empty:ident)?
        $(in $head:ident: $part:ty)? $(: $type:ty)?,
    )*) => {
        /// The names of the members of a whole document.
        const OF_DOCUMENT: &[&str] = &["format", $(name_of!($field $($name)?),)*];
    };
}

crate::document! { names 'a }

/// Calls `receive` with the name of each member that is present, and with its bytes in the document
/// if it is a text or a raw value. Stops at the first error.
pub(crate) fn each_member<'a>(
    object: &impl Object<'a>,
    receive: impl FnMut(&'static str, Option<&'a [u8]>) -> Result<(), ()>,
) -> Result<(), ()> {
    object.members(&mut EachMember(receive))
}

/// The visitor of [`each_member`].
struct EachMember<F>(F);

impl<'a, F: FnMut(&'static str, Option<&'a [u8]>) -> Result<(), ()>> EachMember<F> {
    /// A list is present if it has items.
    fn list<T>(&mut self, name: &Name, mut list: impl Iterator<Item = T>) -> Result<(), ()> {
        list.next().map_or(Ok(()), |_| (self.0)(name.as_str(), None))
    }
}

impl<'a, F: FnMut(&'static str, Option<&'a [u8]>) -> Result<(), ()>> MemberVisitor<'a>
    for EachMember<F>
{
    type Error = ();
    fn word(&mut self, name: &'static Name, _: &'static str) -> Result<(), ()> {
        (self.0)(name.as_str(), None)
    }
    fn text(&mut self, name: &'static Name, text: Text<'a>) -> Result<(), ()> {
        (self.0)(name.as_str(), Some(text.raw()))
    }
    fn texts(&mut self, name: &'static Name, list: List<'a, Text<'a>>) -> Result<(), ()> {
        self.list(name, list)
    }
    fn granted(&mut self, name: &'static Name, _: List<'a, Text<'a>>) -> Result<(), ()> {
        (self.0)(name.as_str(), None)
    }
    fn choice<E: Enumeration>(&mut self, name: &'static Name, _: Choice<'a, E>) -> Result<(), ()> {
        (self.0)(name.as_str(), None)
    }
    fn truth(&mut self, name: &'static Name, _: bool) -> Result<(), ()> {
        (self.0)(name.as_str(), None)
    }
    fn number(&mut self, name: &'static Name, _: u32) -> Result<(), ()> {
        (self.0)(name.as_str(), None)
    }
    fn raw(&mut self, name: &'static Name, value: Raw<'a>) -> Result<(), ()> {
        let bytes = match value {
            Raw::Json(value) => value.raw(),
            Raw::Text(text) => text.raw(),
        };
        (self.0)(name.as_str(), Some(bytes))
    }
    fn raws(&mut self, name: &'static Name, list: List<'a, Raw<'a>>) -> Result<(), ()> {
        self.list(name, list)
    }
    fn metadata(&mut self, name: &'static Name, members: Metadata<'a>) -> Result<(), ()> {
        self.list(name, members)
    }
    fn object<T: Object<'a>>(&mut self, name: &'static Name, _: &T) -> Result<(), ()> {
        (self.0)(name.as_str(), None)
    }
    fn objects<T: Object<'a>>(
        &mut self,
        name: &'static Name,
        list: impl Iterator<Item = T> + Clone,
    ) -> Result<(), ()> {
        self.list(name, list)
    }
}
