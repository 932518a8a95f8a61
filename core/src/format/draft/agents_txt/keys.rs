//! The keys of agents.txt: their names and the positions where they are allowed.
//!
//! The table is that of both notations ([`LINES`]). A key of a document is not compared with every name: its lower-case letters are packed
//! into three words, and a perfect hash finds the only name that can match ([`Names`]).

pub(crate) use super::super::vocabulary::Field;
use super::super::vocabulary::{Flag, LINES, Line, flagged};
use crate::model::list::states;
use crate::rules::near::{is_about_auth, names_allow, names_capabilities};
use crate::syntax::line::{Content, Indent, Letters, Names, split_comment, split_inside, trim};
use crate::syntax::text::{Text, starts_with};

impl Field {
    /// The name in the specification.
    pub(crate) fn name(self) -> &'static str {
        name(self as u32)
    }

    /// Returns the field with this number: one of the repeatable fields of a document that have a
    /// list of values.
    pub(super) const fn repeated(number: u32) -> Self {
        const ALLOW: u32 = Field::Allow as u32;
        const DISALLOW: u32 = Field::Disallow as u32;
        match number {
            ALLOW => Self::Allow,
            DISALLOW => Self::Disallow,
            _ => Self::OperatesOn,
        }
    }

    /// True if it can be repeated.
    pub(super) const fn is_repeatable(self) -> bool {
        const REPEATED: u32 = flagged(Flag::Repeated);
        REPEATED >> self as u32 & 1 == 1
    }

    /// True if a comment can follow the value.
    pub(crate) const fn has_comment(self) -> bool {
        const COMMENTED: u32 = flagged(Flag::Commented);
        COMMENTED >> self as u32 & 1 == 1
    }

    /// Returns the value, and the comment behind it. In `Disallow`, a `#` begins a comment even
    /// without a blank before it, as in robots.txt, because a fragment never reaches a server. In
    /// other values, such a `#` is a part of the value, which then matches nothing.
    #[inline]
    pub(crate) fn split(self, value: &[u8]) -> (&[u8], Option<&[u8]>) {
        match self {
            Self::Disallow => split_inside(value),
            _ if self.has_comment() => split_comment(value),
            _ => (value, None),
        }
    }

    /// The section of the specification that defines it; empty for an alias.
    pub(super) fn section(self) -> &'static str {
        LINES.get(self as usize).map_or("", |line| line.section)
    }
}

/// The position of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// At the top level, with any indentation.
    Document,
    /// At the top level, where it opens a block.
    Opening,
    /// In a `Capability` block.
    InCapability,
    /// In an `Agent` block.
    InAgent,
    /// In a block of either kind.
    InBoth,
    /// An alias, at the top level before the first block.
    Alias,
}

/// A key of the format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// Its meaning.
    pub(crate) field: Field,
    /// Its position.
    pub(crate) place: Place,
}

impl Place {
    /// True if it is in a block.
    const fn is_in_block(self) -> bool {
        matches!(self, Self::InCapability | Self::InAgent | Self::InBoth)
    }
}

/// All known keys.
#[allow(clippy::indexing_slicing)] // Runs only when the program is compiled.
const KEYS: [(&str, Key); LINES.len()] = {
    let (mut keys, mut lines, mut number) =
        ([("", Key { field: Field::SpecVersion, place: Place::Document }); LINES.len()], LINES, 0);
    while let [Line { name, field, place, .. }, rest @ ..] = lines {
        keys[number] = (name, Key { field: *field, place: *place });
        (lines, number) = (rest, number + 1);
    }
    keys
};

/// The letters with which no key of the document and no key that opens a block begins. A line of an
/// open block with such a first letter needs no lookup. Each letter is the bit `letter & 31`.
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

/// The kind of the open block at a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Open {
    /// No block is open: before the first block.
    None = 0,
    /// A `Capability` block.
    Capability = 1,
    /// An `Agent` block.
    Agent = 2,
}

states!(Open: None, Capability, Agent);

/// The role of a field at its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The first line of a block.
    Opens(Open),
    /// A field of the document.
    Document(Field),
    /// A field of the document, under an alias.
    Alias(Field),
    /// A field of the open block.
    Block(Field),
    /// A field of the document without a defined meaning.
    DocumentMetadata,
    /// A field of the open block without a defined meaning.
    BlockMetadata,
}

states! {
    /// The state above a line.
    pub(crate) struct Above {
        /// The kind of the open block.
        pub(crate) open: Open,
        /// True below a line that is not read, but may name an agent, up to the next block or an
        /// `Allow` without indentation.
        pub(crate) is_unnamed: bool,
    }
}

impl Above {
    /// The state below the first line of a block, or before the first block.
    pub(crate) const fn of(open: Open) -> Self {
        Self { open, is_unnamed: false }
    }

    /// Returns the role of the next line, and updates the state. An indented `Allow` below a line
    /// that may name an agent is metadata: it permits nobody.
    #[inline]
    pub(crate) fn take(&mut self, entry: &Entry<'_>, indent: Indent) -> Role {
        let role = role(entry.known, indent, self.open);
        let is_indented = indent != Indent::None;
        match role {
            Role::Opens(kind) => *self = Self::of(kind),
            Role::Document(Field::Allow) | Role::BlockMetadata
                if self.is_unnamed && is_indented && entry.is(Field::Allow) =>
            {
                return Role::DocumentMetadata;
            }
            // Only `Allow` ends this state, because a fix may change the indentation of other
            // fields.
            Role::Document(Field::Allow) => self.is_unnamed = false,
            Role::DocumentMetadata if !is_indented => self.is_unnamed |= entry.may_name_agent(),
            _ => {}
        }
        role
    }
}

/// Returns the role of a field with this key and indentation, while a block of this kind is open.
#[inline]
fn role(key: Option<&Key>, indent: Indent, open: Open) -> Role {
    let loose = if open != Open::None && indent == Indent::Indented {
        Role::BlockMetadata
    } else {
        Role::DocumentMetadata
    };
    let Some(key) = key else { return loose };
    match (key.place, open) {
        // An `Allow` in the block of an agent, even with only one space before it, permits only
        // that agent.
        (Place::Document, Open::Agent)
            if matches!(key.field, Field::Allow) && indent != Indent::None =>
        {
            Role::BlockMetadata
        }
        (Place::Document, _) => Role::Document(key.field),
        (Place::Opening, _) => {
            Role::Opens(if key.field == Field::Agent { Open::Agent } else { Open::Capability })
        }
        (Place::InCapability | Place::InBoth, Open::Capability)
        | (Place::InAgent | Place::InBoth, Open::Agent) => Role::Block(key.field),
        (Place::Alias, Open::None) => Role::Alias(key.field),
        _ if matches!(key.field, Field::Description) => match open {
            Open::None => Role::Alias(key.field),
            // A description belongs to the document only outside of blocks. The model has no
            // description of an agent.
            _ => Role::BlockMetadata,
        },
        _ => loose,
    }
}

/// True for a list of capabilities outside of the block of an agent: it restricts some agent, whose
/// name is missing or misspelled. Without indentation above the first block, it is a summary and
/// not a policy.
pub(crate) fn is_nameless_policy(key: Option<&Key>, indent: Indent, open: Open) -> bool {
    let is_list = key.is_some_and(|key| matches!(key.field, Field::Capabilities));
    is_list && open != Open::Agent && (open != Open::None || indent != Indent::None)
}

static NAMES: Names<Key, { KEYS.len() }, 128> = Names::of(&KEYS);

/// Returns the names in the specification. The fields of blocks come first or last.
pub(super) fn names(blocks_first: bool) -> impl Iterator<Item = &'static str> {
    let of = |blocks: bool| {
        KEYS.iter()
            .filter(move |(_, key)| key.place != Place::Alias && key.place.is_in_block() == blocks)
            .map(|(name, _)| *name)
    };
    of(blocks_first).chain(of(!blocks_first))
}

/// The name of the field with this number, as in the specification.
pub(super) fn name(number: u32) -> &'static str {
    NAMES.name(number as usize)
}

/// The parts of a line: the key, if it is known; the name of the key; and the value without a
/// comment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) known: Option<&'static Key>,
    pub(crate) key: &'a [u8],
    pub(crate) value: &'a [u8],
    is_malformed: bool,
}

impl<'a> Entry<'a> {
    /// Reads a line. `None` for blank lines and comments. A malformed line is an unknown key
    /// without a value. But `Agent` without a colon opens the block of an agent, so no agent gets
    /// more than the lines below it say.
    #[inline]
    pub(crate) fn of(content: Content<'a>) -> Option<Self> {
        match content {
            Content::Field { key, value } => {
                let known = find(key);
                let value = known.map_or(value, |known| known.field.split(value).0);
                Some(Self { known, key, value, is_malformed: false })
            }
            Content::Malformed(line) => Some(agent_without_colon(line).unwrap_or(Self {
                known: None,
                key: line,
                value: b"",
                is_malformed: true,
            })),
            Content::Blank | Content::Comment(_) => None,
        }
    }

    fn is(&self, field: Field) -> bool {
        self.known.is_some_and(|key| key.field == field)
    }

    /// True if a line that is not read may name an agent: `User-agent: Claude`, `Agnet: Claude`,
    /// `Agent = Claude`. A heading such as `For agents:` names no agent.
    fn may_name_agent(&self) -> bool {
        const NAME: &[u8] = b"agent";
        let word = self.word();
        let is_called = word.eq_ignore_ascii_case(b"bot")
            || matches!(word, [b'a' | b'A', ..]) && is_near(word, NAME);
        let is_about = || {
            let mut words = self.key.windows(NAME.len());
            words.any(|word| word.eq_ignore_ascii_case(NAME))
        };
        self.known.is_none()
            && match self.is_malformed {
                true => is_called,
                false => !self.value.is_empty() && (is_called || is_about()),
            }
    }

    /// True if a line that is not read seems to be a list of capabilities: `Capabilities a`,
    /// `- Capabilities: a`, `Capabilites: a`, `Allowed-Capabilities: a`. Names that begin with `X-` are extensions.
    pub(crate) fn is_unread_list(&self) -> bool {
        let is_named = || match self.is_malformed {
            true => starts_with(self.word(), b"capabilit"),
            false => !starts_with(self.key, b"x-") && names_capabilities(Text::plain(self.key)),
        };
        self.known.is_none() && (is_named() || is_near(self.word(), b"capabilities"))
    }

    /// True if a line that is not read seems to be an `Allow`: `Alow: /a`, `- Allow: /a`, `Allow /a`.
    pub(crate) fn is_unread_allow(&self) -> bool {
        let word = self.key.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        let behind = trim(self.key.get(word.len()..).unwrap_or_default());
        let name = match (self.is_malformed, behind) {
            (true, [b'/' | b'*', ..]) => word,
            (true, _) => return false,
            (false, _) => self.key,
        };
        self.known.is_none() && names_allow(Text::plain(name))
    }

    /// True if a line that is not read seems to state the authentication: `Authentication: oauth2`,
    /// `- Auth: oauth2`, `Auth oauth2`.
    pub(crate) fn is_unread_auth(&self) -> bool {
        self.known.is_none() && self.is_about_auth()
    }

    /// True if a line states some authentication, whether or not it is read.
    pub(crate) fn is_about_auth(&self) -> bool {
        let value = (!self.is_malformed).then_some(self.value);
        self.is(Field::Scopes) || is_about_auth(self.key, value)
    }

    /// Returns the first word of the key, without a bracket or list marker before it.
    fn word(&self) -> &'a [u8] {
        let mut word = self.key;
        while let [other, rest @ ..] = word
            && !other.is_ascii_alphabetic()
        {
            word = rest;
        }
        let length = word.iter().take_while(|octet| octet.is_ascii_alphabetic());
        word.get(..length.count()).unwrap_or_default()
    }
}

/// True if a word equals a name except for one or two wrong letters that are next to each other.
fn is_near(word: &[u8], name: &[u8]) -> bool {
    let is_same = |(a, b): &(&u8, &u8)| a.eq_ignore_ascii_case(b);
    let start = word.iter().zip(name).take_while(is_same).count();
    let end = word.iter().rev().zip(name.iter().rev());
    let same = start.saturating_add(end.take_while(is_same).count());
    word.len().abs_diff(name.len()) <= 1 && same.saturating_add(2) >= name.len()
}

/// Reads a line of one or two words without a colon whose first word is `Agent`.
#[cold]
fn agent_without_colon(line: &[u8]) -> Option<Entry<'_>> {
    let (key, value) = line.split_at_checked("Agent".len())?;
    let name = trim(value);
    let is_apart = value.is_empty() || name.len() < value.len();
    let known = find(key).filter(|key| matches!(key.field, Field::Agent))?;
    (is_apart && !name.iter().any(|octet| matches!(octet, b' ' | b'\t'))).then_some(Entry {
        known: Some(known),
        key,
        value: name,
        is_malformed: true,
    })
}

/// Returns the known key with this name, ignoring letter case.
#[inline]
pub(crate) fn find(key: &[u8]) -> Option<&'static Key> {
    NAMES.find(key)
}

/// The number of the known key with these letters.
#[inline]
pub(crate) fn number(letters: Letters) -> Option<usize> {
    NAMES.number_packed(letters)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    #[test]
    fn every_name_is_found_in_any_letter_case() {
        for (name, key) in &KEYS {
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
                            KEYS.iter()
                                .find(|(k, _)| k.as_bytes().eq_ignore_ascii_case(&other))
                                .map(|(_, key)| key.field)
                        );
                    }
                }
                assert!(
                    find(&name[..at]).is_none()
                        || KEYS.iter().any(|(key, _)| key.as_bytes() == &name[..at])
                );
            }
            let mut longer = name.to_vec();
            longer.push(b's');
            assert!(find(&longer).is_none() || name == b"Agent");
        }
    }
}
