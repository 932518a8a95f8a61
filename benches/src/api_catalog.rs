//! API catalogs: from bytes to all typed values.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::structs::{Str, sum, sum_of};
use crate::{Task, read_unified};

/// This library and its peer. `agents_json` describes what each of them validates.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Catalog<'_>>(bytes).ok().map(|catalog| catalog.touch())
        }),
    ]
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Catalog<'a> {
    #[serde(borrow)]
    linkset: Vec<Context<'a>>,
}

/// A context: its anchor, and targets by relation, which can have any name. Read by hand, because
/// `#[serde(flatten)]` would collect everything first.
#[derive(Default)]
struct Context<'a> {
    anchor: Option<Str<'a>>,
    relations: Vec<(Str<'a>, Vec<Target<'a>>)>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Target<'a> {
    #[serde(borrow)]
    href: Option<Str<'a>>,
    #[serde(borrow, rename = "type")]
    kind: Option<Str<'a>>,
    #[serde(borrow)]
    title: Option<Str<'a>>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Context<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Context<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a context")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut context = Context::default();
        while let Some(name) = map.next_key::<Str<'de>>()? {
            if name.0 == "anchor" {
                context.anchor = map.next_value()?;
            } else {
                context.relations.push((name, map.next_value()?));
            }
        }
        Ok(context)
    }
}

impl Catalog<'_> {
    fn touch(&self) -> u64 {
        let mut total = 0;
        for context in &self.linkset {
            total += sum_of([&context.anchor]);
            for (name, targets) in &context.relations {
                total += sum([name]);
                for target in targets {
                    total += sum_of([&target.href, &target.kind, &target.title]);
                }
            }
        }
        total
    }
}
