//! Reads the documents for AI agents out of web archives: WARC 0.17 to 1.1 (ISO 28500) and ARC 1 and 2, uncompressed or in gzip members, Zstandard
//! frames or LZ4 frames, whole or damaged, from files and streams.
//!
//! ```
//! use agentsdisc_crawl::{Options, Reader, Source};
//!
//! let record = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://shop.example/agents.txt\r\n\
//!               WARC-Date: 2026-11-01T00:00:00Z\r\nContent-Length: 37\r\n\r\n\
//!               HTTP/1.1 200 OK\r\n\r\nSpec-Version: 1.0\n\
//!               \r\n\r\n";
//! let options = Options { name: "crawl.warc".to_owned(), ..Options::default() };
//! let mut reader = Reader::new(Source::bytes(record.as_bytes()), options);
//! let item = reader.next().unwrap();
//! assert_eq!(item.url.as_deref(), Some("https://shop.example/agents.txt"));
//! assert_eq!(item.fetched.as_deref(), Some("2026-11-01T00:00:00Z"));
//! assert_eq!(item.body, b"Spec-Version: 1.0\n");
//! assert!(reader.next().is_none());
//! ```
//!
//! # What is an item, and what is not
//!
//! Every record of the type `response` whose URL is a [location](is_location) of documents is an [`Item`], also if it holds an error instead of a
//! document: another status than 200 to 299, a response that the crawler cut, a coding that cannot be undone. Every section of the archive that
//! cannot be read is an item too, with [`Item::is_lost`], its place, and the place where reading goes on. All other records are counted by reason
//! ([`Batch::passed`]), except for revisits of documents, if they are asked for ([`Batch::revisits`]). All records of ARC are responses, apart from
//! those that describe a file, which count as `warcinfo`.
//!
//! # Damage
//!
//! Nothing that is whole is lost, and nothing that is doubtful looks certain: a record that was found by a search after damage has
//! [`Item::is_recovered`], because it may be a part of another site's document.
//!
//! # Threads and memory
//!
//! A compressed file is read in ranges, in parallel, and gives the same items and batches as one thread. Each thread holds its range and the bodies
//! that it found; a frame above 8 MiB, and a stream, are expanded step by step. Memory does not depend on the size of the archive or on what its
//! frames and codings expand to.

mod arc;
mod archive;
mod bytes;
mod codings;
mod form;
mod frames;
mod head;
mod inflate;
mod message;
mod ranges;
mod reader;
mod source;
mod wanted;
mod window;

pub use reader::{Batch, Item, Options, Place, Problem, Reader, Revisit, TimedOut};
pub use source::Source;
pub use wanted::is_location;
