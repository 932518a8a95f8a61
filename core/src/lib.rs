#![no_std]
#![forbid(unsafe_op_in_unsafe_fn)]
//! Reads the documents with which web sites tell AI agents what they may do: agents.txt and agents.json of the Internet-Draft
//! `draft-car-agents-txt-wellknown`, their 0.1 relatives, agents.md, agent.json of the Agent Web Protocol, the documents of the Agent Discovery
//! Protocol, robots.txt. Other documents of such names are recognised, and say what they are ([`Format`]).
//!
//! A document is parsed once, and borrows from its bytes. After that nothing can fail, and the same questions get the same kind of answers for
//! every format:
//!
//! ```
//! use agentsdisc_core::Document;
//! let text = b"Spec-Version: 1.0
//! Site-Name: Mug Shop
//! Site-URL: https://mugs.example
//! Capability: search
//!   Endpoint: https://mugs.example/s
//!   Protocol: REST
//! ";
//! let document = Document::parse(text)?;
//! let manifest = document.manifest();
//! assert_eq!(manifest.service().and_then(|service| service.name).unwrap_or_default(), "Mug Shop");
//! for capability in manifest.capabilities() {
//!     assert_eq!(capability.id.unwrap_or_default(), "search");
//!     assert_eq!(capability.protocol.map(|protocol| protocol.as_str()), Some("rest"));
//! }
//! # Ok::<(), agentsdisc_core::Error>(())
//! ```
//!
//! What is wrong with it is told apart from reading it, and the whole model is written as JSON:
//!
//! ```
//! use agentsdisc_core::{CheckOptions, Document};
//! let document = Document::parse(b"Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: http://mugs.example\n")?;
//! document.check(&CheckOptions::default(), |diagnostic| {
//!     let position = document.position(diagnostic.span.start as usize);
//!     println!("{}:{}: {}: {diagnostic}", position.line, position.column, diagnostic.severity);
//! });
//! let mut buffer = [0; 256];
//! let length = document.write_json(&mut buffer).unwrap();
//! assert!(buffer[..length].starts_with(br#"{"format":"agents-txt","spec_version":"1.0","kind":"platform","service":{"name":"Mugs","#));
//! # Ok::<(), agentsdisc_core::Error>(())
//! ```
//!
//! # Where to look next
//!
//! | for | see |
//! | --- | --- |
//! | parsing with hints, a forced format, limits | [`Document::parse_with`], [`Document::parse_as`], [`ParseOptions`], [`Limits`], [`Error`] |
//! | the unified model | [`Manifest`], [`manifest`] |
//! | a document in the words of its specification | [`Document::agents_txt`] and its siblings, [`format`](mod@format) |
//! | everything of many documents, in one pass | [`Document::read`], [`manifest::Visitor`] |
//! | what a document is, without reading it | [`detect`] |
//! | what is wrong with it | [`Document::check`], [`Document::check_with`], [`Diagnostic`], [`Code`] |
//! | which URLs of a site to ask for, and what to make of the answers | [`discovery::Discovery`] |
//! | text that may be escaped | [`syntax::text::Text`] |
//! | JSON, URLs, path patterns for themselves | [`syntax`] |
//! | may an agent do something, how fast, with what key | [`policy::decide`] |
//! | JSON out | [`Document::write_json`], [`Document::put_json`] |
//! | another format out, and what it cannot say | [`Document::convert`], [`ConvertOptions`], [`write`](mod@write) |
//! | an agents.txt put right | [`Document::fix`] |
//! | an agents.txt compared with the agents.json beside it | [`Document::differences`] |
//!
//! The guide `docs/rust.md` in the repository walks through all of it, and `docs/model.md` fixes the model's JSON form.
//!
//! # What it does not need
//!
//! No std and no allocator, with any feature. Nothing recurses on what a document holds, and without features no input makes it panic.
//! Everything read is a small `Copy` value that borrows from the bytes; keep a [`Document::outline`] to let go of them and
//! [`attach`](Document::attach) them again.
//!
//! # Features
//!
//! Features settle what is linked, for programs that count kilobytes. Those of the formats change no name and no type: a document of a format that
//! is left out is recognised still, and parsing it gives [`ErrorKind::NotBuiltIn`]. Everything but `serde` and `psl` is on by default; `full` stands for it.
//!
//! | feature | what it builds in |
//! | --- | --- |
//! | `agents-txt` | agents.txt of the Internet-Draft, and agents.txt 0.1.0; `agents-txt-draft`, `agents-txt-01` for one of them |
//! | `agents-json` | agents.json of the Internet-Draft, and agents.json 0.1; `agents-json-draft`, `agents-json-01` for one of them |
//! | `agents-md` | agents.md |
//! | `awp` | agent.json of the Agent Web Protocol |
//! | `adp` | manifest, capability detail and search response of the Agent Discovery Protocol |
//! | `robots-txt` | robots.txt |
//! | `policy` | the module `policy` |
//! | `discovery` | the module `discovery` |
//! | `check` | `Document::check` and `check_with` |
//! | `write` | `Document::convert`, `Document::fix` and what belongs to them |
//! | `json` | `write_json`, `put_json` and `json_len` of documents, those of decisions with `policy` |
//! | `serde` | `Serialize` for the model, and `deserialize` into types of your own for values that it passes on (module `serde_support`); costs serde and serde-json-core |
//! | `psl` | the Public Suffix List, by which two hosts are seen to have one owner; about 550 KB |

// A part that is left out leaves some of what it shares with others unused.
#![cfg_attr(
    not(all(
        feature = "policy",
        feature = "discovery",
        feature = "check",
        feature = "write",
        feature = "json"
    )),
    allow(dead_code, unused_imports, unused_macros)
)]

pub mod diagnostic;
#[cfg(feature = "discovery")]
pub mod discovery;
pub mod document;
pub mod error;
pub mod format;
pub mod limits;
pub mod manifest;
#[cfg(feature = "policy")]
pub mod policy;
#[doc(hidden)]
pub mod scan;
#[cfg(feature = "serde")]
pub mod serde_support;
pub mod span;
pub mod syntax;
pub mod write;

pub use diagnostic::{Code, Diagnostic, Severity};
pub use document::{Detection, Document, Evidence, Hints, Outline, ParseOptions, detect};
pub use error::{Error, ErrorKind};
pub use format::{Format, check::CheckOptions};
pub use limits::Limits;
pub use manifest::Manifest;
pub use span::{Position, Span};
#[cfg(feature = "write")]
pub use write::{ConvertError, ConvertOptions};

/// The programs of the guide.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../../docs/rust.md")]
mod guide {}

/// The program of the page on bare metal.
#[cfg(all(doctest, feature = "policy", feature = "agents-txt"))]
#[doc = include_str!("../../docs/embedded.md")]
mod bare_metal {}
