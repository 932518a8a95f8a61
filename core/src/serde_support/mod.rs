//! Support for [serde](https://serde.rs) (feature `serde`).
//!
//! # Writing
//!
//! [`Document`](crate::Document), [`Manifest`](crate::Manifest), all objects and lists of the
//! [model](crate::manifest), its enumerations, [`Text`](crate::syntax::text::Text) and JSON
//! [`Value`]s implement [`Serialize`](serde::Serialize). A document is serialized as the unified
//! model in the form of `docs/model.md`, so any serializer writes the same as
//! [`write_json`](crate::Document::write_json):
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
//! Objects are serialized as maps, not structs, because absent members are left out. Lengths are
//! not passed, because counting would walk every list twice. The format must therefore be
//! self-describing and need no lengths: JSON, CBOR, MessagePack and YAML work; bincode and postcard
//! do not.
//!
//! JSON values of a document are serialized as values, not as text. Integers of up to 64 bits are
//! integers; other numbers are the nearest `f64`; numbers beyond `f64` (`1e999`) are strings.
//! (`write_json` copies numbers digit by digit.) An object with a repeated name is serialized with
//! both. Nested values need recursion, because serde requires it: one level for each container, at
//! most [`Limits::MAX_DEPTH`](crate::Limits::MAX_DEPTH), the maximum depth of a parsed document.
//! (Only bytes that were never parsed can be deeper; deeper values are serialized as `null`.)
//!
//! # Reading
//!
//! [`Value::deserialize`], [`Raw::deserialize`] and [`List::deserialize`] read values that the
//! model keeps as written (hints, the extras of a protocol, examples, metadata) into your own
//! types. `deserialize_with` also reads escaped strings:
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
//! A recursive type is read with recursion, at most [`Limits::MAX_DEPTH`](crate::Limits::MAX_DEPTH)
//! containers deep.
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
