//! Sections and their names (agents.md 3).

use super::walk::{Entry, Item, Walk};
use super::words::{
    Folded, Force, announces, forbids, forbids_inside, force, html_that_forbids, is_title,
};
use crate::model::list::states;
use crate::rules::near::{letters_in, meant};
use crate::syntax::markdown::{Block, Kind};
use crate::syntax::text::{Chars, Text, starts_with};

/// The kind of a section, by its name. Letter case and decoration around the name are ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum SectionKind {
    /// `Can`: permissions.
    Can = 0,
    /// `Cannot`, `Can't`, `Cant` or `Can not`: prohibitions.
    Cannot = 1,
    /// `MCP`: the gateway, in YAML.
    Mcp = 2,
    /// `Behavior` or `Behaviour`: rules of conduct.
    Behavior = 3,
    /// `Contact`.
    Contact = 4,
    /// Any other name.
    Other = 5,
}

states!(SectionKind: Can, Cannot, Mcp, Behavior, Contact, Other);

impl SectionKind {
    /// The name in the specification; empty for [`Other`](Self::Other).
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Can => "Can",
            Self::Cannot => "Cannot",
            Self::Mcp => "MCP",
            Self::Behavior => "Behavior",
            Self::Contact => "Contact",
            Self::Other => "",
        }
    }
}

/// All known names and their kinds. The first name of each kind is the name in the specification.
const NAMES: [(&str, SectionKind); 10] = [
    ("Can", SectionKind::Can),
    ("Cannot", SectionKind::Cannot),
    ("Can't", SectionKind::Cannot),
    ("Can\u{2019}t", SectionKind::Cannot),
    ("Can not", SectionKind::Cannot),
    ("Cant", SectionKind::Cannot),
    ("MCP", SectionKind::Mcp),
    ("Behavior", SectionKind::Behavior),
    ("Behaviour", SectionKind::Behavior),
    ("Contact", SectionKind::Contact),
];

/// The first letters of all names.
const FIRST: u32 = {
    let (mut letters, mut rest) = (0, NAMES.as_slice());
    while let [(name, _), others @ ..] = rest {
        if let [first, ..] = name.as_bytes() {
            letters |= letters_in(&[*first]);
        }
        rest = others;
    }
    letters
};

/// Returns the kind of a section, and true if its name is written as in the specification.
/// Decoration around a known name is ignored: emphasis, digits, symbols, links, tags and the names
/// of symbols. The name Cannot is recognized in letters that look like ASCII letters, too.
pub(super) fn section_kind(name: Text<'_>) -> (SectionKind, bool) {
    let known = NAMES
        .iter()
        .find(|(known, _)| name.eq_ignore_case(known))
        .map(|(known, kind)| (*kind, *known == kind.as_str()));
    if let Some(known) = known {
        return known;
    }
    // Decoration is searched only now, because most names consist of letters.
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    let is_plain =
        !name.is_escaped() && is_letter(name.raw().first()) && is_letter(name.raw().last());
    let is_end = |rest: Chars<'_>| behind_decoration(rest).next().is_none();
    let kind = match is_plain {
        true => SectionKind::Other,
        false => around(name, is_end),
    };
    let start = Folded::new(behind_decoration(name.chars()));
    let is_cannot = |words: &str| {
        let rest = start.behind_words(words.chars());
        rest.is_some_and(|rest| is_end(rest.rest()))
    };
    if kind == SectionKind::Other
        && { start }.next() == Some('c')
        && ["cannot", "can not", "cant"].into_iter().any(is_cannot)
    {
        return (SectionKind::Cannot, false);
    }
    (kind, false)
}

/// Returns the kind of section that a text seems to name: Cannot if it has words that forbid,
/// otherwise the kind of a known name at its start, or of a known name that it almost is. In a
/// title (`level` 1), only words that clearly forbid count.
pub(super) fn named_section(text: Text<'_>, level: u8) -> SectionKind {
    let least = match level {
        1 => Force::Strong,
        _ => Force::Weak,
    };
    if force(text) >= least {
        return SectionKind::Cannot;
    }
    // A heading over several lines is not a name.
    if text.is_escaped() {
        return SectionKind::Other;
    }
    let is_word = |mut rest: Chars<'_>| rest.next().is_none_or(|c| !c.is_alphanumeric());
    match (around(text, is_word), almost(text)) {
        // `Can nott` is not `Can` with another word.
        (SectionKind::Can, SectionKind::Cannot) if has_not(text) => SectionKind::Cannot,
        (SectionKind::Other, kind) | (kind, _) => kind,
    }
}

/// True if a word of a text begins with `no` or `nt`.
fn has_not(text: Text<'_>) -> bool {
    let words = text.raw().split(|byte| !byte.is_ascii_alphabetic());
    words.into_iter().any(|word| starts_with(word, b"no") || starts_with(word, b"nt"))
}

/// Returns the kind of the known name that the text almost is, with a few wrong letters.
fn almost(text: Text<'_>) -> SectionKind {
    let mut word = text.raw();
    while let [_, rest @ ..] = word
        && !word.first().is_some_and(u8::is_ascii_alphabetic)
    {
        word = rest;
    }
    while let [rest @ .., last] = word
        && !last.is_ascii_alphabetic()
    {
        word = rest;
    }
    let is_meant = meant(Text::plain(word), NAMES.iter().map(|(name, _)| *name));
    let found = NAMES.iter().find(|(name, _)| Some(*name) == is_meant);
    found.map_or(SectionKind::Other, |(_, kind)| *kind)
}

/// Returns the kind of the longest known name at the start of a text, behind decoration, for which
/// the rest of the text `fits`.
fn around<'a>(text: Text<'a>, fits: impl Fn(Chars<'a>) -> bool) -> SectionKind {
    let start = behind_decoration(text.chars());
    let mut found = (SectionKind::Other, 0);
    let is_first = |c| u8::try_from(c).is_ok_and(|octet| letters_in(&[octet]) & FIRST != 0);
    if !{ start }.next().is_some_and(is_first) {
        return found.0;
    }
    for (name, kind) in NAMES {
        let mut rest = start;
        let same = |c: char| rest.next().is_some_and(|other| other.eq_ignore_ascii_case(&c));
        if name.len() > found.1 && name.chars().all(same) && fits(rest) {
            found = (kind, name.len());
        }
    }
    found.0
}

/// The maximum length in characters of the name of a symbol, a tag or the target of a link that is
/// skipped. Those in headings are shorter.
const LONGEST_DECORATION: usize = 128;

/// Returns the text behind decoration: symbols, their names (`:x:`, `&#10060;`), tags, the target
/// of a link and `{#id}`.
fn behind_decoration(mut text: Chars<'_>) -> Chars<'_> {
    let mut last = ' ';
    loop {
        let mut rest = text;
        let Some(c) = rest.next().filter(|c| is_symbol(*c)) else {
            return text;
        };
        let (end, is_inside): (char, fn(char) -> bool) = match c {
            ':' => (':', |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+')),
            '&' => (';', |c| c.is_ascii_alphanumeric() || c == '#'),
            '<' => ('>', |c| c != '<'),
            '(' if last == ']' => (')', |c| c != '('),
            '{' if { rest }.next().is_some_and(|c| matches!(c, '#' | '.')) => ('}', |_| true),
            _ => ('\0', |_| false),
        };
        let mut inside = rest;
        let closing =
            inside.by_ref().take(LONGEST_DECORATION).find(|c| *c == end || !is_inside(*c));
        text = if closing == Some(end) { inside } else { rest };
        last = c;
    }
}

/// True for everything except letters. (Unicode classifies the symbol for information as a letter.)
fn is_symbol(c: char) -> bool {
    !c.is_alphabetic() || c == '\u{2139}'
}

states! {
    /// The state at a block: its section, and whether its text is forbidden. A depth is at most 64,
    /// because parsing rejects documents with wider containers.
    pub(super) struct Place {
        /// `None` before the first section and behind an H1.
        pub(super) section: Option<SectionKind>,
        /// Paragraphs in items up to this depth belong to no item, because a heading Cannot in the
        /// item ended the item's text and opened a section.
        pub(super) loose: u32[7],
        /// True behind words that announce what is forbidden, up to the next H1 or H2.
        pub(super) forbids: bool,
        /// The depth of an item that contains the block and has words that forbid; 0 without such an
        /// item.
        pub(super) below: u32[7],
    }
}

impl Place {
    pub(super) const fn new(section: Option<SectionKind>) -> Self {
        Self { section, loose: 0, forbids: false, below: 0 }
    }

    /// Updates the state for a block. An H2 opens a section, and an H1 ends it. A heading Cannot
    /// opens its section at any level and in any container. Other blocks that seem to forbid
    /// something end Can and Behavior. So nothing that a person reads as forbidden is allowed.
    pub(super) fn pass(&mut self, block: &Block<'_>) {
        let depth = u32::from(block.depth);
        let outside = match block.kind {
            Kind::Item => depth.saturating_sub(1),
            _ => depth,
        };
        self.loose = self.loose.min(outside);
        if outside < self.below {
            self.below = 0;
        }
        if opens_cannot(block) {
            *self = Self { loose: depth, ..Self::new(Some(SectionKind::Cannot)) };
        } else if let Kind::Heading(level @ (1 | 2)) = block.kind
            && is_outside(block)
        {
            *self = Self::new((level == 2).then(|| section_kind(block.text).0));
            self.heed(block);
        } else if matches!(self.section, Some(SectionKind::Can | SectionKind::Behavior)) {
            self.heed(block);
        }
    }

    /// True if a paragraph of an item announces what is forbidden, so it is a text of its own.
    pub(super) fn turns_at(&self, block: &Block<'_>) -> bool {
        let is_watched = matches!(self.section, Some(SectionKind::Can | SectionKind::Behavior));
        is_watched && !self.forbids && is_lead(block.text, true)
    }

    /// Records whether a block forbids the text that follows. Not needed in Cannot, where
    /// everything is forbidden.
    pub(super) fn heed(&mut self, block: &Block<'_>) {
        if self.section == Some(SectionKind::Cannot) || self.forbids {
            return;
        }
        if block.kind != Kind::Paragraph || !self.is_of_item(block) {
            self.forbids = seems_to_open_cannot(block);
            return;
        }
        let force = force(block.text);
        self.forbids = is_lead_of_item(block.text, force);
        if forbids_inside(block.text, force) {
            self.below = block.depth.into();
        }
    }

    /// True if the text at this place belongs to a section of this kind. A forbidden text belongs
    /// neither to Can nor to Behavior. `depth` is the depth of the item, or 0 outside of items.
    pub(super) fn is_read(&self, kind: SectionKind, depth: u16) -> bool {
        let is_forbidden = self.forbids || self.is_below(depth);
        self.section == Some(kind)
            && !(is_forbidden && matches!(kind, SectionKind::Can | SectionKind::Behavior))
    }

    /// True if an item of this depth is inside an item with words that forbid.
    pub(super) const fn is_below(&self, depth: u16) -> bool {
        self.below > 0 && depth as u32 > self.below
    }

    /// True if a block is the text of an item.
    pub(super) fn is_of_item(&self, block: &Block<'_>) -> bool {
        block.in_item && u32::from(block.depth) > self.loose
    }
}

/// True outside of list items and block quotes.
pub(super) const fn is_outside(block: &Block<'_>) -> bool {
    block.depth == 0 && block.quotes == 0
}

/// True for a heading Cannot, at any level and in any container.
pub(super) fn opens_cannot(block: &Block<'_>) -> bool {
    matches!(block.kind, Kind::Heading(_)) && section_kind(block.text).0 == SectionKind::Cannot
}

/// True for a block that a person reads as a heading above forbidden things, although it is not a
/// heading Cannot: a heading with other words, a paragraph that is not a whole sentence, HTML.
fn seems_to_open_cannot(block: &Block<'_>) -> bool {
    let text = block.text;
    match block.kind {
        Kind::Heading(level) => {
            !opens_cannot(block) && named_section(text, level) == SectionKind::Cannot
        }
        Kind::Paragraph => is_lead(text, false),
        Kind::Html => html_that_forbids(text.raw()).is_some(),
        Kind::Item | Kind::Code | Kind::Break => false,
    }
}

/// True for a paragraph that a person reads as a heading above forbidden things.
pub(super) fn is_lead(text: Text<'_>, is_of_item: bool) -> bool {
    match is_of_item {
        true => is_lead_of_item(text, force(text)),
        false => section_kind(text).0 == SectionKind::Cannot || is_title(text) && forbids(text),
    }
}

/// True for the text of an item that announces forbidden things below it.
fn is_lead_of_item(text: Text<'_>, force: Force) -> bool {
    section_kind(text).0 == SectionKind::Cannot || announces(text, force)
}

/// A section of an agents.md: an H2 and the text below it, up to the next H2 or H1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section<'a> {
    /// Its kind.
    pub kind: SectionKind,
    /// Its name as written.
    pub name: Text<'a>,
    /// From the line below the heading to the end of the document.
    rest: &'a [u8],
    depth: u16,
}

impl<'a> Section<'a> {
    pub(super) fn new(name: Text<'a>, rest: &'a [u8], depth: u16) -> Self {
        Self { kind: section_kind(name).0, name, rest, depth }
    }

    /// From the line below the heading to the end of the document.
    pub(super) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Its entries, in order. Takes linear time in the section.
    pub fn entries(&self) -> SectionEntries<'a> {
        SectionEntries {
            walk: Walk::new(self.rest, self.depth, Some(self.kind)),
            kind: self.kind,
            done: false,
        }
    }

    /// Its list items of all depths, without empty ones. Takes linear time in the section.
    pub fn items(&self) -> impl Iterator<Item = Item<'a>> + use<'a> {
        self.entries().filter_map(|entry| match entry {
            Entry::Item(item) if !item.text.raw().is_empty() => Some(item),
            _ => None,
        })
    }

    /// Its paragraphs outside of items. Takes linear time in the section.
    pub fn paragraphs(&self) -> impl Iterator<Item = Text<'a>> + use<'a> {
        self.entries().filter_map(|entry| match entry {
            Entry::Paragraph(text) => Some(text),
            _ => None,
        })
    }
}

/// The entries of one section.
#[derive(Clone, Copy, Debug)]
pub struct SectionEntries<'a> {
    walk: Walk<'a>,
    kind: SectionKind,
    done: bool,
}

impl<'a> Iterator for SectionEntries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        if self.done {
            return None;
        }
        let entry = self.walk.next();
        let is_open = self.walk.section() == Some(self.kind);
        self.done = !is_open || matches!(entry, Some(Entry::Section(_)) | None);
        entry.filter(|_| !self.done)
    }
}
