//! Lists of x402 resources: from bytes to all typed values.

use serde::Deserialize;

use crate::structs::{Str, sum_of};
use crate::{Task, read_unified};

/// This library and its peer. `agents_json` describes what each of them validates.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::new("agentsdisc read, unified", read_unified),
        Task::new("serde_json structs", |bytes| {
            serde_json::from_slice::<Listing<'_>>(bytes).ok().map(|listing| listing.touch())
        }),
    ]
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Listing<'a> {
    #[serde(rename = "x402Version")]
    version: u32,
    #[serde(borrow)]
    items: Vec<Item<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Item<'a> {
    #[serde(borrow)]
    resource: Option<Str<'a>>,
    #[serde(borrow)]
    description: Option<Str<'a>>,
    #[serde(borrow)]
    accepts: Vec<Way<'a>>,
}

/// A way to pay.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Way<'a> {
    #[serde(borrow)]
    scheme: Option<Str<'a>>,
    #[serde(borrow)]
    network: Option<Str<'a>>,
    #[serde(borrow)]
    amount: Option<Str<'a>>,
    #[serde(borrow)]
    asset: Option<Str<'a>>,
    #[serde(borrow, rename = "payTo")]
    payee: Option<Str<'a>>,
    #[serde(rename = "maxTimeoutSeconds")]
    seconds: u32,
}

impl Listing<'_> {
    fn touch(&self) -> u64 {
        let way = |way: &Way<'_>| {
            u64::from(way.seconds)
                + sum_of([&way.scheme, &way.network, &way.amount, &way.asset, &way.payee])
        };
        let item = |item: &Item<'_>| {
            sum_of([&item.resource, &item.description]) + item.accepts.iter().map(way).sum::<u64>()
        };
        u64::from(self.version) + self.items.iter().map(item).sum::<u64>()
    }
}
