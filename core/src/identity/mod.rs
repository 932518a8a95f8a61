//! Requests that an agent signs and a site checks: HTTP message signatures (RFC 9421) by the rules of
//! Web Bot Auth (`draft-meunier-webbotauth-httpsig-protocol`). The cryptography is the caller's.
//!
//! A site calls [`verify`], or takes its four steps. [`Claim::read`] finds a signature and checks
//! everything that needs no key; [`find_key`] finds the key in the agent's directory;
//! [`Claim::put_base`] writes the bytes that the signature covers; and a library of cryptography
//! compares [`Claim::signature`] with them. Each step that fails gives a [`Reason`], so nothing passes
//! unchecked.
//!
//! An agent writes the fields Signature-Input and Signature-Agent with [`Signing`], signs what
//! [`Signing::put_base`] writes, and adds the fields to its request:
//!
//! ```
//! use agentsdisc_core::identity::{Message, Signing};
//! let signing = Signing {
//!     label: "sig1",
//!     fields: &[],
//!     created: 1735689600,
//!     expires: 1735689660,
//!     key_id: "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",
//!     algorithm: None,
//!     nonce: None,
//!     agent: Some("https://agent.example"),
//! };
//! let (mut input, mut agent, mut base) = (Vec::new(), Vec::new(), Vec::new());
//! signing.put_input(&mut |bytes: &[u8]| input.extend_from_slice(bytes));
//! signing.put_agent(&mut |bytes: &[u8]| agent.extend_from_slice(bytes));
//! let message = Message::new(b"GET", b"https://Shop.example:443/mugs?color=red", &[]);
//! signing.put_base(&message, &mut |bytes: &[u8]| base.extend_from_slice(bytes)).unwrap();
//! let base = String::from_utf8(base).unwrap();
//! assert!(base.starts_with("\"@authority\": shop.example\n\"@method\": GET\n\"@path\": /mugs\n"));
//! ```
//!
//! Decisions beyond the specifications:
//! - What occurs twice is refused: labels, covered members, components and parameters. Structured
//!   fields would take the last one, and two readers might disagree.
//! - `;sf`, `;bs` and `;tr` are refused, as is `;req` in a request.
//! - Each line of a field must be a dictionary of its own.

mod agent;
mod card;
mod claim;
mod component;
mod key;
mod message;
mod reason;
mod signing;
mod verdict;

pub use agent::{Agent, AgentKind};
pub use card::{CardKeys, card_keys, lifetime};
pub use claim::{Claim, Options};
pub use key::{Algorithm, PublicKey, find_key};
pub use message::{Header, Message};
pub use reason::Reason;
pub use signing::{Signing, put_base};
pub use verdict::{Site, Verdict, verify};
