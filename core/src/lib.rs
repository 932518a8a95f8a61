#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_op_in_unsafe_fn)]
//! Reads the files in which web sites tell AI agents what they may do: agents.txt and agents.json
//! of the Internet-Draft `draft-car-agents-txt-wellknown` and of 0.1, agents.md, agent.json of the
//! Agent Web Protocol, the documents of the Agent Discovery Protocol, robots.txt, llms.txt, A2A
//! agent cards, MCP server cards, AI catalogs, indexes of agent skills, and API catalogs. Related
//! files are recognized and named ([`Format`]).
//!
//! A document is parsed once and borrows from its bytes. After that, reading cannot fail, and all
//! formats have the same model:
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
//! `check` reports what is wrong with a document, and `write_json` writes the whole model as JSON:
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
//! | typed views with the names of each specification | [`Document::agents_txt`] and the others, [`format`](mod@format) |
//! | reading everything in one pass | [`Document::read`], [`manifest::Visitor`] |
//! | detecting the format only | [`detect`] |
//! | diagnostics | [`Document::check`], [`Document::check_with`], [`Diagnostic`], [`Code`] |
//! | which URLs of a site to request, and what the answers mean | [`discovery::Discovery`] |
//! | whether a site is ready for agents | [`readiness::survey`] |
//! | text that may be escaped | [`syntax::text::Text`] |
//! | JSON, URLs and path patterns on their own | [`syntax`] |
//! | signatures of requests by agents (Web Bot Auth) | [`identity`] |
//! | whether an agent may do something, how fast, with which key | [`policy::decide`] |
//! | the request that calls a capability, and what its answer means | [`call::Call`] |
//! | writing JSON | [`Document::write_json`], [`Document::put_json`] |
//! | converting to another format, with a list of losses | [`Document::convert`], [`ConvertOptions`], [`write`](mod@write) |
//! | fixing an agents.txt | [`Document::fix`] |
//! | comparing an agents.txt with the agents.json beside it | [`Document::differences`] |
//!
//! See also the guide `docs/rust.md` and the definition of the model, `docs/model.md`, in the
//! repository.
//!
//! # Guarantees
//!
//! The crate needs no std and no allocator, with any feature. It does not recurse on input, and
//! without the feature `serde` no input makes it panic, except perhaps the `Debug` output of its
//! types. All views are small `Copy` values that borrow from the bytes; keep a
//! [`Document::outline`] to release the bytes and [`attach`](Document::attach) them again.
//!
//! # Features
//!
//! Features reduce code size on firmware. Format features change no name and no type: a document of
//! a disabled format is still recognized, and parsing it returns [`ErrorKind::NotBuiltIn`]. All
//! features but `identity`, `readiness` and `serde` are on by default (`full` and `psl`).
//!
//! | feature | what it includes |
//! | --- | --- |
//! | `agents-txt` | agents.txt of the Internet-Draft draft-car-agents-txt-wellknown; agents.txt 0.1.0; `agents-txt-draft`, `agents-txt-01` for one of them |
//! | `agents-json` | agents.json of the Internet-Draft draft-car-agents-txt-wellknown; agents.json 0.1, the companion of agents.txt 0.1.0; `agents-json-draft`, `agents-json-01` for one of them |
//! | `agents-md` | agents.md 1.0.0-draft |
//! | `awp` | agent.json of the Agent Web Protocol 0.2 |
//! | `adp` | Manifest of the Agent Discovery Protocol 1.0; Capability detail of the Agent Discovery Protocol; Registry search response of the Agent Discovery Protocol |
//! | `robots-txt` | robots.txt, RFC 9309 |
//! | `llms-txt` | llms.txt |
//! | `a2a` | A2A agent card |
//! | `mcp-card` | MCP server card |
//! | `catalogs` | AI Catalog; Index of agent skills; API catalog, RFC 9727 |
//! | `openapi` | OpenAPI or Swagger description |
//! | `commerce` | Profile of the Universal Commerce Protocol; Payment requirements or resources of x402; Discovery document of the Agentic Commerce Protocol |
//! | `signature-directory` | Directory of keys for HTTP message signatures (Web Bot Auth) |
//! | `oauth` | Metadata of an OAuth protected resource, RFC 9728; Metadata of an OAuth authorization server, RFC 8414; auth.md |
//! | `policy` | the module `policy` |
//! | `call` | the module `call`; needs `policy` |
//! | `discovery` | the module `discovery` |
//! | `check` | `Document::check` and `check_with` |
//! | `readiness` | the module `readiness`; needs `check` and `discovery`; adds sha2 |
//! | `write` | `Document::convert`, `Document::fix` and their types |
//! | `json` | `write_json`, `put_json` and `json_len` of documents and, with `policy`, of decisions |
//! | `identity` | the module `identity`; needs `signature-directory` |
//! | `serde` | `Serialize` for the model, and `deserialize` for raw values (module `serde_support`); adds serde and serde-json-core |
//! | `psl` | the Public Suffix List, which tells whether two hosts have one owner; a table of 54 KB |

// With a part disabled, some shared code is unused.
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

// The examples of the package's page run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "call")]
pub mod call;
pub mod diagnostic;
#[cfg(feature = "discovery")]
pub mod discovery;
pub mod document;
pub mod error;
pub mod format;
#[cfg(feature = "identity")]
pub mod identity;
mod kind;
pub mod limits;
mod message;
mod model;
#[cfg(feature = "policy")]
pub mod policy;
#[cfg(feature = "readiness")]
pub mod readiness;
mod rules;
#[doc(hidden)]
pub mod scan;
#[cfg(feature = "serde")]
pub mod serde_support;
mod sink;
pub mod span;
pub mod syntax;
pub mod write;

/// The unified model (`docs/model.md`): one view over every format.
pub mod manifest {
    pub use crate::document::Manifest;
    pub use crate::model::*;
}

pub use diagnostic::{Code, Diagnostic, Example, Group, Severity};
pub use document::{Detection, Document, Evidence, Hints, Manifest, Outline, ParseOptions, detect};
pub use error::{Error, ErrorKind};
pub use format::Format;
pub use limits::Limits;
pub use rules::CheckOptions;
pub use span::{Position, Span};
#[cfg(feature = "write")]
pub use write::{ConvertError, ConvertOptions, Synthetic};

/// The example of the README.
#[cfg(all(doctest, feature = "check"))]
#[doc = include_str!("../../README.md")]
mod readme {}

/// Examples of the guide.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../../docs/rust.md")]
mod guide {}

/// Examples of the page on calls.
#[cfg(all(doctest, feature = "call", feature = "agents-txt", feature = "json"))]
#[doc = include_str!("../../docs/calls.md")]
mod calls {}

/// Examples of the page on firmware.
#[cfg(all(doctest, feature = "policy", feature = "agents-txt"))]
#[doc = include_str!("../../docs/embedded.md")]
mod bare_metal {}
