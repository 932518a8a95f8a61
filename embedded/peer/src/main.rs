//! Reads an agents.json with serde-json-core into structs of fixed capacity: the alternative to this
//! library for a program without a heap. It knows the members of the Internet-Draft that the unified
//! model has, reads no other format, ignores unknown members, and fails if a list exceeds its capacity.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[path = "../../rust/src/board.rs"]
mod board;
#[path = "../../rust/src/terminal.rs"]
mod terminal;

/// This program has no large static values.
mod store {
    pub(crate) struct Store;

    impl Store {
        pub(crate) const fn new() -> Self {
            Self
        }
    }
}

use heapless::{String, Vec};
use serde::Deserialize;
use store::Store;
use terminal::{Terminal, line};

/// Maximum length of a text in bytes, and maximum number of items of a list.
const TEXT: usize = 64;
const ITEMS: usize = 4;

type Text = String<TEXT>;
type Texts = Vec<Text, ITEMS>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document<'a> {
    pub spec_version: &'a str,
    pub generated_at: Option<&'a str>,
    #[serde(borrow)]
    pub site: Option<Site<'a>>,
    #[serde(borrow, default)]
    pub capabilities: Vec<Capability<'a>, ITEMS>,
    pub access: Option<Access>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Site<'a> {
    pub name: Option<Text>,
    pub url: Option<&'a str>,
    pub description: Option<Text>,
    pub contact: Option<&'a str>,
    pub privacy_policy: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Capability<'a> {
    pub id: Option<&'a str>,
    pub description: Option<Text>,
    pub endpoint: Option<&'a str>,
    pub method: Option<&'a str>,
    pub protocol: Option<&'a str>,
    #[serde(borrow)]
    pub auth: Option<Auth<'a>>,
    #[serde(borrow)]
    pub rate_limit: Option<RateLimit<'a>>,
    #[serde(borrow, default)]
    pub parameters: Vec<Parameter<'a>, ITEMS>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Auth<'a> {
    pub r#type: Option<&'a str>,
    pub token_endpoint: Option<&'a str>,
    pub docs_url: Option<&'a str>,
}

#[derive(Deserialize)]
pub struct RateLimit<'a> {
    pub requests: u32,
    pub window: Option<&'a str>,
}

#[derive(Deserialize)]
pub struct Parameter<'a> {
    pub name: Option<&'a str>,
    pub r#in: Option<&'a str>,
    pub r#type: Option<&'a str>,
    pub required: Option<bool>,
    pub description: Option<Text>,
}

#[derive(Deserialize)]
pub struct Access {
    #[serde(default)]
    pub allow: Texts,
    #[serde(default)]
    pub disallow: Texts,
}

const DOCUMENT: &[u8] = include_bytes!("../../../conformance/agents-json/examples/minimal.in");

#[inline(never)]
pub fn read(bytes: &[u8]) -> Option<Document<'_>> {
    serde_json_core::from_slice(bytes).ok().map(|(document, _)| document)
}

fn run(terminal: &mut impl Terminal, _: &mut Store) {
    terminal.begin();
    let document = read(core::hint::black_box(DOCUMENT));
    terminal.end("read");
    let document = core::hint::black_box(document);
    line(terminal, &[if document.is_some() { "read" } else { "cannot be read" }], None);
}

#[cfg(not(target_os = "none"))]
fn main() {
    struct Output;
    impl Terminal for Output {
        fn put(&mut self, text: &str) {
            print!("{text}");
        }
    }
    run(&mut Output, &mut Store::new());
}
