//! agents.txt of the Internet-Draft draft-car-agents-txt-wellknown-00.
//!
//! A document is a sequence of `Key: value` lines. Header, site and access fields belong to the
//! document. A `Capability` or `Agent` line opens a block, which ends at the next such line. The
//! role of a field depends only on its key, its indentation and the kind of the open block.
//! `keys::Above` is the only implementation of that rule.
//!
//! `reading::parse` reads all lines once. It records the offsets of the document's fields and, for
//! each list, the range from its first line to its last. The lists read these ranges again. A block
//! is read in one pass over its lines (`block.rs`), which finds the ranges of its own lists. So no
//! line is read more than three times. `reading::read` reads each line once and reports the blocks
//! to a visitor.

mod about;
mod block;
pub(crate) mod check;
pub(crate) mod keys;
pub(crate) mod reading;

use crate::model::list::{Cursor, State, states};
use crate::model::{
    Access, AgentPolicy, Capability, Choice, Head, Kind, List, Member, Metadata, Reading, Service,
};
use crate::rules::values;
use crate::syntax::line::{Content, Indent, Line, Lines};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;
use block::Values;
use keys::{Above, Entry, Field, Open, Role};
use reading::{
    AGENTS, ALLOW_OPEN, HAS_AUTH, METADATA, METADATA_OPEN, NAMELESS, UNREAD_ALLOW, USED,
};

/// Returns the field, the key and the value of a header field in a comment, as some generators
/// write it: `# Spec-Version: 1.0`, `# Generated: 2026-02-01`.
pub(crate) fn field_in_comment(comment: &[u8]) -> Option<(Field, &[u8], &[u8])> {
    // Most comments are prose; their first letter usually shows it.
    if !matches!(comment, [b's' | b'S' | b'g' | b'G', ..]) {
        return None;
    }
    let mut lines = Lines::new(comment);
    let Some(Line { content: Content::Field { key, value }, .. }) = lines.next() else {
        return None;
    };
    let field = match key {
        _ if key.eq_ignore_ascii_case(b"Spec-Version") => Field::SpecVersion,
        _ if key.eq_ignore_ascii_case(b"Generated") => Field::GeneratedAt,
        _ => return None,
    };
    if value.is_empty() { None } else { Some((field, key, value)) }
}

/// An agents.txt. The accessors have the names of the specification; the numbers in parentheses are
/// its sections. Each accessor takes at most linear time in the document.
///
/// `docs/formats/agents-txt.md` has the rules for cases that the specification leaves open. The most important
/// ones:
/// - A block ends at the next `Capability` or `Agent` line. An unindented field that only exists in
///   blocks of the open kind belongs to the block. A header, site or access field belongs to the
///   document with any indentation.
/// - The last value of a repeated field counts.
/// - A comment can follow only a pattern, the name of an agent or a list of capabilities.
#[derive(Clone, Copy, Debug)]
pub struct AgentsTxt<'a> {
    bytes: &'a [u8],
    outline: Outline,
}

impl<'a> AgentsTxt<'a> {
    /// Returns the document for an outline.
    #[inline(always)] // Otherwise the outline, which is large, would be copied.
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { bytes, outline: *outline }
    }

    fn text(&self, field: Field) -> Option<Text<'a>> {
        self.outline.field(self.bytes, field as usize).map(Text::plain)
    }

    /// The values of a field that can be repeated.
    fn values(&self, field: Field) -> List<'a, Text<'a>> {
        match self.outline.field(self.bytes, field as usize) {
            Some(stretch) => {
                let open = match field {
                    Field::Allow => self.open_above(ALLOW_OPEN),
                    _ => Open::None,
                };
                let above = Above::of(open);
                List::new(stretch, Values { number: field as u32, above }, block::next_value)
            }
            None => List::empty(),
        }
    }

    /// `Spec-Version` (2.3): the version of the specification.
    pub fn spec_version(&self) -> Option<Text<'a>> {
        self.text(Field::SpecVersion)
    }

    /// `Generated-At` (2.3): the creation time of the document.
    pub fn generated_at(&self) -> Option<Text<'a>> {
        self.text(Field::GeneratedAt)
    }

    /// `Declaration-Type` (2.3): the kind of the declaring party (default: a platform).
    pub fn declaration_type(&self) -> Choice<'a, Kind> {
        self.text(Field::DeclarationType).map_or(Choice::implied(Kind::Platform), Choice::read)
    }

    /// `Operates-On` (2.3): the platforms on which the operator's agent works.
    pub fn operates_on(&self) -> List<'a, Text<'a>> {
        self.values(Field::OperatesOn)
    }

    /// `Site-Name` (2.4).
    pub fn site_name(&self) -> Option<Text<'a>> {
        self.text(Field::SiteName)
    }

    /// `Site-URL` (2.4): the canonical URL of the site.
    pub fn site_url(&self) -> Option<Text<'a>> {
        self.text(Field::SiteUrl)
    }

    /// `Site-Description` (2.4).
    pub fn site_description(&self) -> Option<Text<'a>> {
        self.text(Field::SiteDescription)
    }

    /// `Site-Contact` (2.4): an email address.
    pub fn site_contact(&self) -> Option<Text<'a>> {
        self.text(Field::SiteContact)
    }

    /// `Site-Privacy-Policy` (2.4): a URL.
    pub fn site_privacy_policy(&self) -> Option<Text<'a>> {
        self.text(Field::SitePrivacyPolicy)
    }

    /// `Agents-JSON` (3.2): the URL of the companion document.
    pub fn agents_json(&self) -> Option<Text<'a>> {
        self.text(Field::AgentsJson)
    }

    /// The `Capability` blocks (2.5).
    pub fn capabilities(&self) -> List<'a, Capability<'a>> {
        match self.outline.field(self.bytes, Field::Capability as usize) {
            Some(stretch) => {
                List::new(stretch, self.outline.flags & HAS_AUTH != 0, block::next_capability)
            }
            None => List::empty(),
        }
    }

    /// `Allow` (2.6): path patterns that agents may access.
    pub fn allow(&self) -> List<'a, Text<'a>> {
        self.values(Field::Allow)
    }

    /// `Disallow` (2.6): path patterns that agents must not access.
    pub fn disallow(&self) -> List<'a, Text<'a>> {
        self.values(Field::Disallow)
    }

    /// The `Agent` blocks (2.7).
    pub fn agents(&self) -> List<'a, AgentPolicy<'a>> {
        match self.outline.field(self.bytes, AGENTS) {
            Some(stretch) => List::new(stretch, 0, block::next_agent),
            None => List::empty(),
        }
    }

    /// Whether a list of capabilities is outside of the block of an agent, so the name of its agent
    /// is unknown.
    pub(crate) const fn has_nameless_policy(&self) -> bool {
        self.outline.flags & NAMELESS != 0
    }

    /// Whether a line that is not read seems to be an `Allow`.
    pub(crate) const fn has_unread_allow(&self) -> bool {
        self.outline.flags & UNREAD_ALLOW != 0
    }

    /// Fields of the document that the specification does not define, or that have no meaning at
    /// their position.
    pub fn metadata(&self) -> Metadata<'a> {
        match self.outline.field(self.bytes, METADATA) {
            Some(stretch) => {
                let above = Above::of(self.open_above(METADATA_OPEN));
                let used = self.outline.flags & USED;
                List::new(stretch, Unread { above, used }, next_metadata)
            }
            None => List::empty(),
        }
    }

    /// The kind of block in the flags of the outline from this bit on.
    fn open_above(&self, bit: u32) -> Open {
        Open::of_bits(self.outline.flags >> bit & 3)
    }
}

/// Takes the next line in the range of a list. Skips blank lines and comments.
#[inline]
fn next_entry<'a>(cursor: &mut Cursor<'a>) -> Option<(Indent, Entry<'a>)> {
    let mut lines = Lines::starting_at(cursor.bytes, cursor.position as usize);
    while let Some(line) = lines.next() {
        if let Some(entry) = Entry::of(line.content) {
            cursor.position = lines.position() as u32;
            return Some((line.indent, entry));
        }
    }
    cursor.position = u32::MAX;
    None
}

/// Takes the next field in the range of a list. Returns its indentation, key and value.
#[inline]
pub(crate) fn next_field<'a>(cursor: &mut Cursor<'a>) -> Option<(Indent, &'a [u8], &'a [u8])> {
    let mut lines = Lines::starting_at(cursor.bytes, cursor.position as usize);
    while let Some(line) = lines.next() {
        if let Content::Field { key, value } = line.content {
            cursor.position = lines.position() as u32;
            return Some((line.indent, key, value));
        }
    }
    cursor.position = u32::MAX;
    None
}

states! {
    /// The state of the list of metadata of the document.
    struct Unread {
        /// The state above the next line.
        above: Above,
        /// Which aliases were read, as flags.
        used: u32[8],
    }
}

/// Returns the next metadata member of the document.
fn next_metadata<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    let Unread { mut above, used } = cursor.state();
    while let Some((indent, entry)) = next_entry(cursor) {
        let role = above.take(&entry, indent);
        cursor.set(Unread { above, used });
        let member = match role {
            Role::DocumentMetadata => true,
            Role::Alias(field) => !reading::is_used(field, used),
            _ => false,
        };
        if member {
            return Some(block::member(&entry));
        }
    }
    None
}

impl<'a> Reading<'a> for AgentsTxt<'a> {
    fn head(&self) -> Head<'a> {
        Head {
            spec_version: self.spec_version(),
            kind: self.declaration_type(),
            generated_at: self.generated_at(),
            companion: self.agents_json(),
        }
    }

    fn operates_on(&self) -> List<'a, Text<'a>> {
        AgentsTxt::operates_on(self)
    }

    fn service(&self) -> Option<Service<'a>> {
        let contact = self.outline.field(self.bytes, Field::SiteContact as usize);
        let service = Service {
            name: self.site_name(),
            url: self.site_url(),
            description: self.site_description(),
            contact: contact
                .map_or(List::empty(), |contact| List::new(contact, 0, values::only_item)),
            privacy_policy: self.site_privacy_policy(),
            ..Service::default()
        };
        let said = contact.is_some()
            || [service.name, service.url, service.description, service.privacy_policy]
                .iter()
                .any(|field| field.is_some());
        if said { Some(service) } else { None }
    }

    fn capabilities(&self) -> List<'a, Capability<'a>> {
        AgentsTxt::capabilities(self)
    }

    fn access(&self) -> Access<'a> {
        Access { allow: self.allow(), disallow: self.disallow(), metadata: List::empty() }
    }

    fn agents(&self) -> List<'a, AgentPolicy<'a>> {
        AgentsTxt::agents(self)
    }

    fn metadata(&self) -> Metadata<'a> {
        AgentsTxt::metadata(self)
    }
}
