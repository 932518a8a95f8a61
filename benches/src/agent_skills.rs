//! Indexes of agent skills: from bytes to all typed values.

use serde::Deserialize;

use crate::structs::{Str, sum, sum_of};
use crate::{Task, read_unified};

/// This library and its peer. `agents_json` describes what each of them validates.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Index<'_>>(bytes).ok().map(|index| index.touch())
        }),
    ]
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Index<'a> {
    #[serde(borrow, rename = "$schema")]
    schema: Option<Str<'a>>,
    #[serde(borrow)]
    version: Option<Str<'a>>,
    #[serde(borrow)]
    skills: Vec<Skill<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Skill<'a> {
    #[serde(borrow)]
    name: Option<Str<'a>>,
    #[serde(borrow, rename = "type")]
    kind: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    url: Option<Str<'a>>,
    #[serde(borrow)]
    digest: Option<Str<'a>>,
    #[serde(borrow)]
    sha256: Option<Str<'a>>,
    #[serde(borrow)]
    files: Vec<Str<'a>>,
}

impl Index<'_> {
    fn touch(&self) -> u64 {
        let skill = |skill: &Skill<'_>| {
            sum_of([
                &skill.name,
                &skill.kind,
                &skill.description,
                &skill.url,
                &skill.digest,
                &skill.sha256,
            ]) + sum(&skill.files)
        };
        sum_of([&self.schema, &self.version]) + self.skills.iter().map(skill).sum::<u64>()
    }
}
