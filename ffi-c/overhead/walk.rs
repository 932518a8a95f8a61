//! Reads every value of documents through the Rust core; `walk.c` and `walk.cpp` do the same through the
//! C library. `cargo xtask c-overhead` compares the three; `cargo xtask instructions` compares what they cost
//! with what they cost before.
//!
//!     walk PARSES WALKS FILE…
//!     walk read READS FILE…
//!
//! Parses each document PARSES times into the same memory, then walks it WALKS times, and prints a sum over
//! all values, which must be the same for all three programs. With `read`, reads each document READS times by
//! `Document::read`, with a visitor that looks at every item; only the program in Rust can do this.

#![allow(clippy::expect_used, clippy::panic, missing_docs, reason = "a program for measuring")]

use std::convert::Infallible;

use agentsdisc_core::manifest::{
    AgentPolicy, Capability, Choice, Enumeration, List, MemberVisitor, Metadata, Name, Object,
    Parameter, Raw, Visitor,
};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, ParseOptions};

/// The sum over what was read: lengths of texts, and numbers. Names of members are not counted.
struct Sum(u64);

impl Sum {
    fn bytes(&mut self, bytes: &[u8]) {
        self.0 = self.0.wrapping_mul(3).wrapping_add(bytes.len() as u64);
    }

    fn value(&mut self, value: Raw<'_>) {
        self.bytes(match value {
            Raw::Text(text) => text.raw(),
            Raw::Json(value) => value.as_text().map_or(value.raw(), |text| text.raw()),
        });
    }

    fn walk<'a>(&mut self, object: &impl Object<'a>) {
        let Ok(()) = object.members(self);
        let source = object.source();
        if !source.is_empty() {
            self.bytes(source);
        }
    }
}

type Done = Result<(), Infallible>;

impl<'a> MemberVisitor<'a> for Sum {
    type Error = Infallible;

    fn word(&mut self, _: &'static Name, _: &'static str) -> Done {
        Ok(())
    }

    fn text(&mut self, _: &'static Name, text: Text<'a>) -> Done {
        self.bytes(text.raw());
        Ok(())
    }

    fn texts(&mut self, _: &'static Name, list: List<'a, Text<'a>>) -> Done {
        list.for_each(|text| self.bytes(text.raw()));
        Ok(())
    }

    fn granted(&mut self, name: &'static Name, list: List<'a, Text<'a>>) -> Done {
        self.texts(name, list)
    }

    fn choice<E: Enumeration>(&mut self, _: &'static Name, choice: Choice<'a, E>) -> Done {
        if let Some(text) = choice.text {
            self.bytes(text.raw());
        }
        Ok(())
    }

    fn truth(&mut self, _: &'static Name, value: bool) -> Done {
        self.0 = self.0.wrapping_add(u64::from(value));
        Ok(())
    }

    fn number(&mut self, _: &'static Name, number: u32) -> Done {
        self.0 = self.0.wrapping_add(u64::from(number));
        Ok(())
    }

    fn raw(&mut self, _: &'static Name, value: Raw<'a>) -> Done {
        self.value(value);
        Ok(())
    }

    fn raws(&mut self, _: &'static Name, list: List<'a, Raw<'a>>) -> Done {
        list.for_each(|value| self.value(value));
        Ok(())
    }

    fn metadata(&mut self, _: &'static Name, members: Metadata<'a>) -> Done {
        for member in members {
            self.bytes(member.name.raw());
            self.value(member.value);
        }
        Ok(())
    }

    fn object<T: Object<'a>>(&mut self, _: &'static Name, object: &T) -> Done {
        self.walk(object);
        Ok(())
    }

    fn objects<T: Object<'a>>(
        &mut self,
        _: &'static Name,
        list: impl Iterator<Item = T> + Clone,
    ) -> Done {
        list.for_each(|item| self.walk(&item));
        Ok(())
    }
}

impl<'a> Visitor<'a> for Sum {
    fn parameter(&mut self, parameter: &Parameter<'a>) {
        self.walk(parameter);
    }

    fn capability(&mut self, capability: &Capability<'a>) {
        self.walk(capability);
    }

    fn agent(&mut self, policy: &AgentPolicy<'a>) {
        self.walk(policy);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [parses, walks, files @ ..] = arguments.as_slice() else {
        panic!("walk PARSES WALKS FILE…")
    };
    let times = |argument: &str| argument.parse::<u32>().expect("PARSES and WALKS are numbers");
    let bodies: Vec<Vec<u8>> =
        files.iter().map(|file| std::fs::read(file).expect("a file")).collect();
    let mut sum = Sum(0);
    if parses == "read" {
        let mut count = 0_usize;
        for _ in 0..times(walks) {
            for body in &bodies {
                let read = Document::read(body, &ParseOptions::default(), &mut sum);
                count += usize::from(read.is_ok());
            }
        }
        println!("{count} documents, {}", sum.0);
        return;
    }
    let mut documents: Vec<Option<Document<'_>>> = vec![None; bodies.len()];
    for _ in 0..times(parses) {
        for (document, body) in documents.iter_mut().zip(&bodies) {
            *document = Document::parse(body).ok();
        }
    }
    for _ in 0..times(walks) {
        documents.iter().flatten().for_each(|document| sum.walk(&document.manifest()));
    }
    println!("{} documents, {}", documents.iter().flatten().count(), sum.0);
}
