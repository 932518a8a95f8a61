//! Serialization of the unified model (`docs/model.md`) as maps.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::document::{Document, Manifest};
use crate::model::{
    self, AuthType, Choice, Enumeration, Execution, Head, Kind, List, Location, MemberVisitor,
    Metadata, Name, Object, PricingType, Protocol, Purpose, Raw, Sensitivity, Source, Stance,
    Transport, Vocabulary, Window,
};
use crate::syntax::text::Text;

/// The unified model.
impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.manifest().serialize(serializer)
    }
}

/// The unified model.
impl Serialize for Manifest<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Members(self).serialize(serializer)
    }
}

/// Serializes the canonical name. The object that contains it also has the text as written, if that
/// differs.
impl<E: Enumeration> Serialize for Choice<'_, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

macro_rules! enumerations {
    ($($name:ident)*) => {$(
        /// Serializes the canonical name.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )*};
}

enumerations! {
    AuthType Execution Kind Location PricingType Protocol Purpose Sensitivity Source Stance Transport Vocabulary Window
}

macro_rules! objects {
    ($(
        $(#[doc = $about:literal])*
        $object:ident $(: $default:ident)? { $($members:tt)* } $(from $origin:literal)?,
    )*) => {$(
        impl Serialize for model::$object<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Members(self).serialize(serializer)
            }
        }
    )*};
}

crate::model! { objects 'a }

/// Serializes the members of a [`Manifest`].
impl Serialize for Head<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = Map(serializer.serialize_map(None)?);
        map.some("spec_version", self.spec_version)?;
        map.some("kind", Some(self.kind))?;
        map.some("kind_text", self.kind.differing_text())?;
        map.some("generated_at", self.generated_at)?;
        map.some("companion", self.companion)?;
        map.0.end()
    }
}

/// Serializes the members of an object as a map.
struct Members<'o, T>(&'o T);

impl<'a, T: Object<'a>> Serialize for Members<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = Map(serializer.serialize_map(None)?);
        self.0.members(&mut map)?;
        map.0.end()
    }
}

/// Serializes objects as a sequence of maps.
struct Objects<I>(I);

impl<'a, T: Object<'a>, I: Iterator<Item = T> + Clone> Serialize for Objects<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(None)?;
        for item in self.0.clone() {
            sequence.serialize_element(&Members(&item))?;
        }
        sequence.end()
    }
}

/// A map in the process of serialization.
struct Map<M>(M);

impl<M: SerializeMap> Map<M> {
    fn put(&mut self, name: &'static Name, value: impl Serialize) -> Result<(), M::Error> {
        self.0.serialize_entry(name.as_str(), &value)
    }

    fn some(&mut self, name: &'static str, value: Option<impl Serialize>) -> Result<(), M::Error> {
        value.map_or(Ok(()), |value| self.0.serialize_entry(name, &value))
    }

    /// Serializes a list; omits it if it is empty.
    fn list<'a, T>(&mut self, name: &'static Name, list: List<'a, T>) -> Result<(), M::Error>
    where
        List<'a, T>: Serialize,
    {
        if list.is_empty() {
            return Ok(());
        }
        self.put(name, list)
    }
}

impl<'a, M: SerializeMap> MemberVisitor<'a> for Map<M> {
    type Error = M::Error;

    fn word(&mut self, name: &'static Name, word: &'static str) -> Result<(), M::Error> {
        self.put(name, word)
    }

    fn text(&mut self, name: &'static Name, text: Text<'a>) -> Result<(), M::Error> {
        self.put(name, text)
    }

    fn texts(&mut self, name: &'static Name, list: List<'a, Text<'a>>) -> Result<(), M::Error> {
        self.list(name, list)
    }

    fn granted(&mut self, name: &'static Name, list: List<'a, Text<'a>>) -> Result<(), M::Error> {
        self.put(name, list)
    }

    fn choice<E: Enumeration>(
        &mut self,
        name: &'static Name,
        choice: Choice<'a, E>,
    ) -> Result<(), M::Error> {
        self.put(name, choice)?;
        self.some(name.text_name(), choice.differing_text())
    }

    fn truth(&mut self, name: &'static Name, value: bool) -> Result<(), M::Error> {
        self.put(name, value)
    }

    fn number(&mut self, name: &'static Name, number: u32) -> Result<(), M::Error> {
        self.put(name, number)
    }

    fn raw(&mut self, name: &'static Name, value: Raw<'a>) -> Result<(), M::Error> {
        self.put(name, value)
    }

    fn raws(&mut self, name: &'static Name, list: List<'a, Raw<'a>>) -> Result<(), M::Error> {
        self.list(name, list)
    }

    fn metadata(&mut self, name: &'static Name, members: Metadata<'a>) -> Result<(), M::Error> {
        self.list(name, members)
    }

    fn object<T: Object<'a>>(&mut self, name: &'static Name, object: &T) -> Result<(), M::Error> {
        self.put(name, Members(object))
    }

    fn objects<T: Object<'a>>(
        &mut self,
        name: &'static Name,
        list: impl Iterator<Item = T> + Clone,
    ) -> Result<(), M::Error> {
        if list.clone().next().is_none() {
            return Ok(());
        }
        self.put(name, Objects(list))
    }
}
