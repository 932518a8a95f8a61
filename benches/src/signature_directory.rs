//! Directories of keys for signatures: from bytes to all typed values.

use serde::Deserialize;

use crate::structs::{Str, sum_of};
use crate::{Task, read_unified};

/// This library and its peer. `agents_json` describes what each of them validates.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            let directory = serde_json::from_slice::<Directory<'_>>(bytes).ok()?;
            Some(directory.keys.iter().map(Key::touch).fold(0, u64::wrapping_add))
        }),
    ]
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Directory<'a> {
    #[serde(borrow)]
    keys: Vec<Key<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Key<'a> {
    #[serde(borrow)]
    kid: Option<Str<'a>>,
    #[serde(borrow)]
    kty: Option<Str<'a>>,
    #[serde(borrow)]
    crv: Option<Str<'a>>,
    #[serde(borrow)]
    x: Option<Str<'a>>,
    #[serde(borrow)]
    alg: Option<Str<'a>>,
    #[serde(borrow, rename = "use")]
    usage: Option<Str<'a>>,
    nbf: Option<u64>,
    exp: Option<u64>,
}

impl Key<'_> {
    fn touch(&self) -> u64 {
        let numbers = self.nbf.unwrap_or_default().wrapping_add(self.exp.unwrap_or_default());
        sum_of([&self.kid, &self.kty, &self.crv, &self.x, &self.alg, &self.usage])
            .wrapping_add(numbers)
    }
}
