//! Reads everything in a manifest: calls all accessors, walks all lists, and reads all fields of
//! all items.
//!
//! The tests of the core, the fuzz targets and the benchmarks share this code, so that "everything"
//! has one meaning.
#![allow(unreachable_pub, dead_code)]

use std::convert::Infallible;

use agentsdisc_core::manifest::{
    self, AgentPolicy, Capability, Choice, Enumeration, List, Manifest, MemberVisitor, Metadata,
    Name, Object, Parameter, Raw,
};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Error, ParseOptions};

/// Receives the values.
pub trait Visitor {
    /// Receives a text.
    fn text(&mut self, text: Text<'_>);
    /// Receives a value in the form of the document.
    fn raw(&mut self, raw: Raw<'_>);
    /// Receives a number, a boolean, or the length of an enumeration's name.
    fn number(&mut self, number: u64);
    /// Receives the bytes of an item.
    fn source(&mut self, source: &[u8]) {
        self.number(source.len() as u64);
    }
}

/// Reads everything.
pub fn manifest<V: Visitor>(manifest: &Manifest<'_>, visitor: &mut V) {
    walk(manifest, visitor, &[]);
}

/// Reads everything while the document is parsed: first the items that a visitor receives in one
/// pass, then the rest.
pub fn read<V: Visitor>(
    bytes: &[u8],
    options: &ParseOptions<'_>,
    visitor: &mut V,
) -> Result<(), Error> {
    let document = Document::read(bytes, options, &mut OnePass(visitor))?;
    walk(&document.manifest(), visitor, &["capabilities", "agents"]);
    Ok(())
}

struct OnePass<'v, V>(&'v mut V);

impl<'a, V: Visitor> manifest::Visitor<'a> for OnePass<'_, V> {
    fn parameter(&mut self, parameter: &Parameter<'a>) {
        walk(parameter, self.0, &[]);
    }
    fn capability(&mut self, capability: &Capability<'a>) {
        walk(capability, self.0, &["parameters"]);
    }
    fn agent(&mut self, policy: &AgentPolicy<'a>) {
        walk(policy, self.0, &[]);
    }
}

/// Reads an object without the lists in `skipped`, which were read before.
#[inline(always)]
fn walk<'a, V: Visitor>(object: &impl Object<'a>, visitor: &mut V, skipped: &'static [&str]) {
    let Ok(()) = object.members(&mut Walk { visitor, skipped });
    let source = object.source();
    if !source.is_empty() {
        visitor.source(source);
    }
}

struct Walk<'v, V> {
    visitor: &'v mut V,
    skipped: &'static [&'static str],
}

type Done = Result<(), Infallible>;

impl<'a, V: Visitor> MemberVisitor<'a> for Walk<'_, V> {
    type Error = Infallible;

    #[inline(always)]
    fn word(&mut self, _: &'static Name, word: &'static str) -> Done {
        self.visitor.number(word.len() as u64);
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, _: &'static Name, text: Text<'a>) -> Done {
        self.visitor.text(text);
        Ok(())
    }

    fn texts(&mut self, _: &'static Name, list: List<'a, Text<'a>>) -> Done {
        list.for_each(|text| self.visitor.text(text));
        Ok(())
    }

    fn granted(&mut self, name: &'static Name, list: List<'a, Text<'a>>) -> Done {
        self.visitor.number(1);
        self.texts(name, list)
    }

    #[inline(always)]
    fn choice<E: Enumeration>(&mut self, _: &'static Name, choice: Choice<'a, E>) -> Done {
        self.visitor.number(choice.as_str().len() as u64);
        choice.text.into_iter().for_each(|text| self.visitor.text(text));
        Ok(())
    }

    #[inline(always)]
    fn truth(&mut self, _: &'static Name, value: bool) -> Done {
        self.visitor.number(u64::from(value));
        Ok(())
    }

    #[inline(always)]
    fn number(&mut self, _: &'static Name, number: u32) -> Done {
        self.visitor.number(u64::from(number));
        Ok(())
    }

    #[inline(always)]
    fn raw(&mut self, _: &'static Name, value: Raw<'a>) -> Done {
        self.visitor.raw(value);
        Ok(())
    }

    fn raws(&mut self, _: &'static Name, list: List<'a, Raw<'a>>) -> Done {
        list.for_each(|value| self.visitor.raw(value));
        Ok(())
    }

    fn metadata(&mut self, _: &'static Name, members: Metadata<'a>) -> Done {
        for member in members {
            self.visitor.text(member.name);
            self.visitor.raw(member.value);
        }
        Ok(())
    }

    fn object<T: Object<'a>>(&mut self, _: &'static Name, object: &T) -> Done {
        walk(object, self.visitor, &[]);
        Ok(())
    }

    fn objects<T: Object<'a>>(
        &mut self,
        name: &'static Name,
        list: impl Iterator<Item = T> + Clone,
    ) -> Done {
        if !self.skipped.contains(&name.as_str()) {
            list.for_each(|item| walk(&item, self.visitor, &[]));
        }
        Ok(())
    }
}
