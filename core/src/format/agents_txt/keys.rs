//! The keys of agents.txt: what they are called and where they belong.
//!
//! [`KEYS`] is the one table; reading, checking and writing take everything about a key from it. A key in a document is
//! not compared with one name after the other: its letters, lower-cased, are packed into three words, and a multiplication that was found at
//! compile time leads from them to the one name that it can be.

use crate::document::detect::{Vote, votes_of};
use crate::syntax::line::{Indent, Names};

/// A key that the specification, or a ruling, gives a meaning.
///
/// INVARIANT: the order is that of [`KEYS`]; those before [`Field::OperatesOn`] have one value, and their number is their place in the outline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Field {
    SpecVersion,
    GeneratedAt,
    DeclarationType,
    AgentsJson,
    SiteName,
    SiteUrl,
    SiteDescription,
    SiteContact,
    SitePrivacyPolicy,
    OperatesOn,
    Allow,
    Disallow,
    Capability,
    Agent,
    Endpoint,
    Protocol,
    Method,
    Auth,
    AuthEndpoint,
    AuthDocs,
    Scopes,
    RateLimit,
    Description,
    OpenApi,
    Param,
    Capabilities,
    AgentDeclaration,
    Contact,
    PrivacyPolicy,
}

impl Field {
    /// Its name as the specification writes it.
    pub(crate) fn name(self) -> &'static str {
        KEYS.get(self as usize).map_or("", |(name, _)| name)
    }
}

/// Where a key belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// At the top level, however it is indented.
    Document,
    /// At the top level, where it opens a block.
    Opening,
    /// In a block of one of these kinds.
    Block {
        /// In a `Capability` block.
        capability: bool,
        /// In an `Agent` block.
        agent: bool,
    },
    /// At the top level before any block, for another name.
    Alias,
}

/// One key of the format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// What it means.
    pub(crate) field: Field,
    /// Where it belongs.
    pub(crate) place: Place,
    /// Whether it may be given more than once.
    pub(crate) repeatable: bool,
    /// The section of the specification that defines it: `2.3` is `b"2.3"`. Only checks tell it, and three octets are less than a reference.
    section: [u8; 3],
}

impl Key {
    /// The section of the specification that defines it; empty for another name of a field.
    #[cfg_attr(not(feature = "check"), allow(dead_code))]
    pub(crate) fn section(&'static self) -> &'static str {
        match &self.section {
            [0, ..] => "",
            section => core::str::from_utf8(section).unwrap_or_default(),
        }
    }
}

const fn key(name: &'static str, field: Field, place: Place, section: [u8; 3]) -> (&'static str, Key) {
    let repeatable = matches!(field, Field::OperatesOn | Field::Allow | Field::Disallow | Field::Capability | Field::Agent | Field::Param);
    (name, Key { field, place, repeatable, section })
}

const CAPABILITY: Place = Place::Block { capability: true, agent: false };
const AGENT: Place = Place::Block { capability: false, agent: true };
const BOTH: Place = Place::Block { capability: true, agent: true };

/// Every key that is known, under its name as the specification writes it.
pub(crate) static KEYS: [(&str, Key); 29] = [
    key("Spec-Version", Field::SpecVersion, Place::Document, *b"2.3"),
    key("Generated-At", Field::GeneratedAt, Place::Document, *b"2.3"),
    key("Declaration-Type", Field::DeclarationType, Place::Document, *b"2.3"),
    key("Agents-JSON", Field::AgentsJson, Place::Document, *b"3.2"),
    key("Site-Name", Field::SiteName, Place::Document, *b"2.4"),
    key("Site-URL", Field::SiteUrl, Place::Document, *b"2.4"),
    key("Site-Description", Field::SiteDescription, Place::Document, *b"2.4"),
    key("Site-Contact", Field::SiteContact, Place::Document, *b"2.4"),
    key("Site-Privacy-Policy", Field::SitePrivacyPolicy, Place::Document, *b"2.4"),
    key("Operates-On", Field::OperatesOn, Place::Document, *b"2.3"),
    key("Allow", Field::Allow, Place::Document, *b"2.6"),
    key("Disallow", Field::Disallow, Place::Document, *b"2.6"),
    key("Capability", Field::Capability, Place::Opening, *b"2.5"),
    key("Agent", Field::Agent, Place::Opening, *b"2.7"),
    key("Endpoint", Field::Endpoint, CAPABILITY, *b"2.5"),
    key("Protocol", Field::Protocol, CAPABILITY, *b"2.5"),
    key("Method", Field::Method, CAPABILITY, *b"2.5"),
    key("Auth", Field::Auth, CAPABILITY, *b"2.5"),
    key("Auth-Endpoint", Field::AuthEndpoint, CAPABILITY, *b"2.5"),
    key("Auth-Docs", Field::AuthDocs, CAPABILITY, *b"2.5"),
    key("Scopes", Field::Scopes, CAPABILITY, *b"2.5"),
    key("Rate-Limit", Field::RateLimit, BOTH, *b"2.5"),
    key("Description", Field::Description, CAPABILITY, *b"2.5"),
    key("OpenAPI", Field::OpenApi, CAPABILITY, *b"2.5"),
    key("Param", Field::Param, CAPABILITY, *b"2.5"),
    key("Capabilities", Field::Capabilities, AGENT, *b"2.7"),
    key("Agent-Declaration", Field::AgentDeclaration, AGENT, *b"2.7"),
    key("Contact", Field::Contact, Place::Alias, [0; 3]),
    key("Privacy-Policy", Field::PrivacyPolicy, Place::Alias, [0; 3]),
];

/// The letters with which no key begins that matters outside of blocks while a block is open; bit `letter & 31` each.
pub(crate) const BLOCK_INITIALS: u32 = {
    let mut initials = u32::MAX;
    let mut keys = KEYS.as_slice();
    while let [(name, key), rest @ ..] = keys {
        if let (Place::Document | Place::Opening, [initial, ..]) = (key.place, name.as_bytes()) {
            initials &= !(1 << (*initial & 31));
        }
        keys = rest;
    }
    initials
};

/// The kind of block that is open at a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Open {
    /// None: before the first block.
    None = 0,
    /// A `Capability` block.
    Capability = 1,
    /// An `Agent` block.
    Agent = 2,
}

impl Open {
    /// The kind with a number.
    pub(crate) const fn from_bits(bits: u32) -> Self {
        match bits & 3 {
            1 => Self::Capability,
            2 => Self::Agent,
            _ => Self::None,
        }
    }
}

/// What a field is where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The first line of a block.
    Opens(Open),
    /// A field of the document.
    Document(Field),
    /// A field of the document under another name.
    Alias(Field),
    /// A field of the open block.
    Block(Field),
    /// Something that belongs to the document without a meaning of its own.
    DocumentMetadata,
    /// Something that belongs to the open block without a meaning of its own.
    BlockMetadata,
}

/// What a field with this key is, in a line indented so, while a block of this kind is open.
#[cfg_attr(not(target_os = "none"), inline(always))]
pub(crate) fn role(key: Option<&Key>, indent: Indent, open: Open) -> Role {
    let loose = if open != Open::None && indent == Indent::Indented { Role::BlockMetadata } else { Role::DocumentMetadata };
    let Some(key) = key else { return loose };
    match (key.place, open) {
        (Place::Document, _) => Role::Document(key.field),
        (Place::Opening, _) => Role::Opens(if key.field as u8 == Field::Agent as u8 { Open::Agent } else { Open::Capability }),
        (Place::Block { capability: true, .. }, Open::Capability) | (Place::Block { agent: true, .. }, Open::Agent) => {
            Role::Block(key.field)
        }
        (Place::Alias, Open::None) => Role::Alias(key.field),
        (Place::Block { .. }, _) if matches!(key.field, Field::Description) => match open {
            Open::None => Role::Alias(key.field),
            // A description is never the document's where a block is open; an agent's has no place in the model.
            _ => Role::BlockMetadata,
        },
        _ => loose,
    }
}

static NAMES: Names<{ KEYS.len() }, 128> = Names::of(&KEYS);

/// What each key votes for where the format of a document is not known yet.
static VOTES: [Vote; KEYS.len()] = votes_of(&KEYS);

impl Key {
    /// What it votes for where the format of a document is not known yet.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(super) fn vote(&self) -> Vote {
        VOTES.get(self.field as usize).copied().unwrap_or(Vote::Nothing)
    }
}

/// The known key of this name, letter case ignored.
#[cfg_attr(not(target_os = "none"), inline(always))]
pub(crate) fn find(key: &[u8]) -> Option<&'static Key> {
    NAMES.find(key, &KEYS)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    #[test]
    fn every_name_is_found_in_any_letter_case() {
        for (number, (name, key)) in KEYS.iter().enumerate() {
            assert_eq!(key.field as usize, number, "the table is in the order of the fields");
            assert_eq!(find(name.as_bytes()).unwrap().field, key.field);
            assert_eq!(find(name.to_ascii_lowercase().as_bytes()).unwrap().field, key.field);
            assert_eq!(find(name.to_ascii_uppercase().as_bytes()).unwrap().field, key.field);
        }
    }

    #[test]
    fn what_is_no_name_is_not_found() {
        for (name, _) in &KEYS {
            let name = name.as_bytes();
            for at in 0..name.len() {
                for byte in 0..=255_u8 {
                    let mut other = name.to_vec();
                    other[at] = byte;
                    if byte != b'\r' && !other.eq_ignore_ascii_case(name) {
                        assert_eq!(
                            find(&other).map(|key| key.field),
                            KEYS.iter().find(|(k, _)| k.as_bytes().eq_ignore_ascii_case(&other)).map(|(_, key)| key.field)
                        );
                    }
                }
                assert!(find(&name[..at]).is_none() || KEYS.iter().any(|(key, _)| key.as_bytes() == &name[..at]));
            }
            let mut longer = name.to_vec();
            longer.push(b's');
            assert!(find(&longer).is_none() || name == b"Agent");
        }
    }
}
