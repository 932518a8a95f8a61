//! The crate's types in the world of [serde](https://serde.rs) (feature `serde`).
//!
//! # Writing
//!
//! [`Document`](crate::Document), [`Manifest`](crate::Manifest), every object and list of the [model](crate::manifest), its enumerations,
//! [`Text`](crate::syntax::text::Text) and JSON [`Value`]s are [`Serialize`](serde::Serialize). A document gives the
//! unified model in the form of `docs/model.md`, so that any serializer writes what [`write_json`](crate::Document::write_json) writes as JSON:
//!
//! ```
//! use agentsdisc_core::Document;
//! let text = b"Site-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/s\n  Protocol: REST\n";
//! let document = Document::parse(text)?;
//! let value = serde_json::to_value(document).unwrap();
//! assert_eq!(value["capabilities"][0]["protocol"], "rest");
//! assert_eq!(value["capabilities"][0]["protocol_text"], "REST");
//!
//! // Or a part of it, without a heap:
//! let capability = document.manifest().capabilities().next().unwrap();
//! let mut buffer = [0; 128];
//! let length = serde_json_core::to_slice(&capability, &mut buffer).unwrap();
//! assert_eq!(&buffer[..length], br#"{"id":"search","endpoint":"https://mugs.example/s","protocol":"rest","protocol_text":"REST"}"#);
//! # Ok::<(), agentsdisc_core::Error>(())
//! ```
//!
//! Objects are maps to serde, not structs, because what is absent is left out, and lengths are not told ahead, because counting would
//! walk every list twice. So the format must name its members and need no length: JSON, CBOR, MessagePack, YAML do; bincode and postcard do not.
//!
//! JSON values of a document are written as values, not as text. What that means for numbers: whole numbers of 64 bits are whole numbers, any
//! other is the nearest `f64`, and one beyond `f64` (`1e999`) is its text. (`write_json` passes numbers on digit by digit.) An object
//! in which a name occurs twice has it twice. Nested values need recursion, because serde asks for it: one step for each level, at most
//! [`Limits::MAX_DEPTH`](crate::Limits::MAX_DEPTH), which is as deep as any document is read. (Only bytes that were never parsed can be deeper;
//! what is below is written as `null`.)
//!
//! # Reading
//!
//! [`Value::deserialize`], [`Raw::deserialize`] and [`List::deserialize`] read what the model passes on (hints, the extras of a protocol,
//! examples, metadata) into a type of your own, and `deserialize_with` does so where strings are escaped:
//!
//! ```
//! # use agentsdisc_core::syntax::json::Value;
//! #[derive(serde::Deserialize)]
//! struct Pacing<'a> {
//!     per_minute: u32,
//!     reason: Option<&'a str>,
//! }
//! let value = Value::parse(br#"{"per_minute": 30, "reason": "caf\u00e9", "x": []}"#).unwrap();
//! let mut scratch = [0; 32];
//! let pacing: Pacing<'_> = value.deserialize_with(&mut scratch)?;
//! assert_eq!((pacing.per_minute, pacing.reason), (30, Some("café")));
//! # Ok::<(), agentsdisc_core::serde_support::DeserializeError>(())
//! ```
//!
//! A type that contains itself is read with recursion, at most [`Limits::MAX_DEPTH`](crate::Limits::MAX_DEPTH) containers deep.
//!
//! [`Value`]: crate::syntax::json::Value
//! [`Value::deserialize`]: crate::syntax::json::Value::deserialize
//! [`Raw::deserialize`]: crate::manifest::Raw::deserialize
//! [`List::deserialize`]: crate::manifest::List::deserialize

mod deserialize;
mod error;
mod model;
mod source;
mod value;

pub use error::DeserializeError;
