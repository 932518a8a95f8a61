//! Documents as nearly everybody writes them, read without the machines of Markdown and YAML.
//!
//! Plain is front matter of `key: value` lines, and of `mcp:` with such lines below it, indented alike; and Markdown of ATX headings, items of one line and
//! paragraphs, none of it indented, and right behind an item no paragraph. One pass over the lines of such a document finds all that an outline
//! holds, and what the items of Behavior say. The lines of a paragraph need not be told from paragraphs of one line: put together, they are the same text.
//!
//! INVARIANT: what is read here, `read.rs` would read the same way; whatever is not plain is left to it. The tests hold both against each other, and the lists
//! over a plain document, which pass line by line too ([`next_words`]), against those over any.

use super::behavior::{self, RateGuidance, RateWindow};
use super::read::{Begin, empty_outline};
use super::reading::BEHIND;
use super::walk::joined;
use super::{AgentsMdOutline, FrontMatter, SectionKind, Slot, section_kind};
use crate::document::detect;
use crate::error::Error;
use crate::limits::Limits;
use crate::manifest::list::Cursor;
use crate::manifest::{List, RateLimit};
use crate::span::Span;
use crate::syntax::fold::line_end;
use crate::syntax::line::{Sweep, Whole};
use crate::syntax::markdown::{Block, Kind, PlainLine, plain_line};
use crate::syntax::text::Text;
use crate::syntax::yaml;

/// The widest indentation below `mcp:` that the machine reads.
const WIDEST: usize = 125;

/// What the items of Behavior say, where that is known from reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Guidance {
    pub(super) rates: Rates,
    pub(super) cache_seconds: Option<u32>,
}

/// The rates that items give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rates {
    None,
    One(RateGuidance),
    /// They must be looked for.
    Several,
}

/// Whether a document is read here: the machines read those with limits that are not the usual ones.
pub(super) fn reads(bytes: &[u8], limits: &Limits) -> bool {
    bytes.len() <= limits.line && limits.depth_limit() >= 2
}

/// Reads a document that is UTF-8 and not too large, and begins at `start` behind a byte order mark.
pub(super) fn outline(
    bytes: &[u8],
    start: usize,
    limits: &Limits,
) -> Result<AgentsMdOutline, Error> {
    let mut plain = Plain::front(bytes, start, limits)?;
    if let Some(begin) = plain.body(bytes) {
        plain.outline.read_body(bytes, &begin)?;
    }
    Ok(plain.outline)
}

/// The same of a document whose format is not known; `None` where it is not certain that detection, too, takes it for an agents.md. What is not plain is read
/// only where the sections before it say so.
pub(super) fn guessed(bytes: &[u8], start: usize, limits: &Limits) -> Option<AgentsMdOutline> {
    if !reads(bytes, limits) {
        return None;
    }
    let mut plain = Plain::front(bytes, start, limits).ok()?;
    if let Some(begin) = plain.body(bytes).filter(|_| plain.is_certain()) {
        plain.note_votes(bytes.get(begin.at..)?);
        plain.outline.read_body(bytes, &begin).ok()?;
    }
    plain.is_certain().then_some(plain.outline)
}

/// What is read of a document.
struct Plain {
    outline: AgentsMdOutline,
    /// How many lines at most speak for another format.
    votes: u32,
    /// Whether detection sees that it could be an agents.md.
    is_seen: bool,
}

impl Plain {
    /// Whether detection, too, takes the document for an agents.md. `false` where that is not certain.
    fn is_certain(&self) -> bool {
        let kinds = self
            .outline
            .first
            .iter()
            .rev()
            .fold(0, |kinds, first| kinds << 1 | u8::from(first.is_some()));
        self.is_seen && detect::is_agents_md(kinds, self.votes)
    }

    /// Notes whether a line that is neither heading nor item could speak for another format.
    fn note_vote(&mut self, line: &[u8]) {
        self.votes = self.votes.saturating_add(u32::from(detect::votes(line)));
    }

    fn note_votes(&mut self, text: &[u8]) {
        let mut lines = Sweep::<Whole>::starting_at(text, 0);
        while let Some((_, line)) = lines.take_line() {
            self.note_vote(line);
        }
    }

    /// The front matter, by the machine where it is not plain.
    fn front(bytes: &[u8], start: usize, limits: &Limits) -> Result<Self, Error> {
        let mut plain = Self {
            outline: empty_outline(limits),
            votes: 0,
            is_seen: false,
        };
        let text = bytes.get(start..).unwrap_or_default();
        if text.starts_with(b"---") {
            plain.is_seen = true;
            let mut lines = Sweep::<Whole>::starting_at(bytes, start);
            if plain.front_matter(&mut lines, bytes).is_none() {
                plain.outline = empty_outline(limits);
                plain.outline.read_front_matter(bytes, start)?;
                plain.votes = 0;
                plain.note_votes(
                    bytes
                        .get(start..plain.outline.body as usize)
                        .unwrap_or_default(),
                );
            } else {
                plain.outline.body = lines.offset() as u32;
            }
        } else {
            plain.outline.body = start as u32;
        }
        Ok(plain)
    }

    /// The lines from `---` to the next such line.
    fn front_matter<'a>(&mut self, lines: &mut Sweep<'a, Whole>, bytes: &'a [u8]) -> Option<()> {
        let (_, b"---") = lines.take_line()? else {
            return None;
        };
        let start = lines.offset();
        // Where the entries of `mcp` begin, and how far they are indented.
        let mut below = None;
        let mut indent = 0;
        loop {
            let (at, line) = lines.take_line()?;
            let is_below = matches!(line, [b' ', ..]);
            if let Some(first) = below.filter(|_| !is_below) {
                if indent == 0 {
                    return None;
                }
                self.outline.mcp_yaml = Span::new(first as u32, at as u32);
                (below, indent) = (None, 0);
            }
            self.note_vote(line);
            match line {
                b"---" => {
                    self.outline.front_matter = FrontMatter::Closed;
                    self.outline.yaml = Span::new(start as u32, at as u32);
                    return Some(());
                }
                [m, c, p, b':'] if [*m, *c, *p].eq_ignore_ascii_case(b"mcp") => {
                    self.outline.begin_mcp();
                    below = Some(lines.offset());
                }
                _ if is_below => {
                    below?;
                    let spaces = line.iter().take_while(|&&byte| byte == b' ').count();
                    if indent == 0 {
                        indent = spaces;
                    }
                    if spaces != indent || spaces > WIDEST {
                        return None;
                    }
                    let (key, value) = yaml::plain_line(line.get(spaces..)?)?;
                    self.outline
                        .mcp_entry(key, yaml::Value::Scalar(value), bytes);
                }
                _ => {
                    let (key, value) = yaml::plain_line(line)?;
                    self.outline
                        .top_entry(key, yaml::Value::Scalar(value), bytes);
                }
            }
        }
    }

    /// The Markdown, for as long as it is plain; then, where the machine goes on.
    fn body<'a>(&mut self, bytes: &'a [u8]) -> Option<Begin<'a>> {
        let start = self.outline.body as usize;
        let body = bytes.get(start..)?;
        let mut lines = Sweep::<Whole>::starting_at(bytes, start);
        let mut begin = Begin::at(start);
        let mut guidance = Guides::default();
        let mut passed = 0_u32;
        // What the machine must read again if the next line is not plain, because it may be open there: an item, or a paragraph, before which
        // this was the description.
        let mut open = Open::Nothing;
        while let Some((at, text)) = lines.take_line() {
            passed = passed.saturating_add(1);
            let line = plain_line(text);
            let goes_on = match (line, open) {
                (None, _) => true,
                // It would go on with the item.
                (Some(PlainLine::Paragraph(_)), Open::Item(_, true)) => true,
                // Its paragraphs are YAML.
                (Some(PlainLine::Heading(2, name)), _) => {
                    self.outline.mcp.is_none() && is_mcp(name)
                }
                _ => false,
            };
            let Some(line) = line.filter(|_| !goes_on) else {
                begin.at = at;
                match open {
                    Open::Nothing => {}
                    Open::Item(start, _) => begin.at = start,
                    Open::Paragraph(start, before) => {
                        (begin.at, begin.description) = (start, before)
                    }
                }
                return Some(begin);
            };
            match line {
                PlainLine::Empty => match &mut open {
                    Open::Item(_, last) => *last = false,
                    _ => open = Open::Nothing,
                },
                PlainLine::Heading(level, name) => {
                    open = Open::Nothing;
                    begin.describing = false;
                    if level == 1 && self.outline.title == Slot::ABSENT {
                        self.outline.title = Slot::of(Text::plain(name), bytes);
                        begin.describing = true;
                    }
                    if level <= 2 {
                        // Detection sees the first section that is known where fewer lines stand before it than may vote.
                        begin.section = (level == 2)
                            .then(|| self.outline.note_section_at(Text::plain(name), at as u32));
                        self.is_seen |= passed < detect::VOTERS
                            && !matches!(begin.section, None | Some(SectionKind::Other));
                    }
                }
                PlainLine::Item(words) => {
                    open = Open::Item(at, true);
                    begin.describing &= begin.description.is_none();
                    if begin.section == Some(SectionKind::Behavior) {
                        guidance.note(words);
                    }
                }
                PlainLine::Paragraph(words) => {
                    if !matches!(open, Open::Paragraph(..)) {
                        open = Open::Paragraph(at, begin.description);
                    }
                    self.note_vote(text);
                    if begin.describing {
                        let block = Block {
                            kind: Kind::Paragraph,
                            depth: 0,
                            quotes: 0,
                            text: Text::plain(words),
                        };
                        begin.description = Some(
                            begin
                                .description
                                .map_or(block.text, |before| joined(body, before, block)),
                        );
                    }
                }
            }
        }
        if let Some(text) = begin.description {
            self.outline.description = Slot::of(text, bytes);
        }
        self.outline.plain = Some(guidance.found());
        None
    }
}

/// What may be open behind a line.
#[derive(Clone, Copy)]
enum Open<'a> {
    Nothing,
    /// An item, where it starts, and whether it was the last line.
    Item(usize, bool),
    /// A paragraph, where it starts, and the description without it.
    Paragraph(usize, Option<Text<'a>>),
}

fn is_mcp(name: &[u8]) -> bool {
    section_kind(Text::plain(name)) == SectionKind::Mcp
}

/// What the items of Behavior said up to now.
#[derive(Default)]
struct Guides {
    rate: Option<RateGuidance>,
    rates: u32,
    seconds: Option<u32>,
    /// Two times differ.
    differ: bool,
}

impl Guides {
    fn note(&mut self, words: &[u8]) {
        if let Some(rate) = behavior::rate(words) {
            self.rate = Some(rate);
            self.rates = self.rates.saturating_add(1);
        }
        if let Some(seconds) = behavior::cache_seconds(words) {
            self.differ |= self.seconds.is_some_and(|before| before != seconds);
            self.seconds = Some(seconds);
        }
    }

    fn found(&self) -> Guidance {
        let rates = match (self.rate, self.rates) {
            (None, _) => Rates::None,
            (Some(rate), 1) => Rates::One(rate),
            _ => Rates::Several,
        };
        Guidance {
            rates,
            cache_seconds: self.seconds.filter(|_| !self.differ),
        }
    }
}

/// Takes the words of the next item of a section, and with `paragraphs` also those of a paragraph. The bytes of the list are those of a plain document from
/// the heading of the section on.
pub(super) fn next_words<'a>(cursor: &mut Cursor<'a>, paragraphs: bool) -> Option<&'a [u8]> {
    let (mut rest, mut behind) = (cursor.bytes, cursor.position & BEHIND);
    let found = loop {
        let words = match rest {
            [] => break None,
            [b'\n' | b'\r', tail @ ..] => {
                rest = tail;
                continue;
            }
            // Deeper headings end no section.
            [b'#', b'#', b'#', ..] => None,
            [b'#', ..] => {
                if core::mem::replace(&mut behind, BEHIND) != 0 {
                    rest = b"";
                    break None;
                }
                None
            }
            [b'-' | b'*' | b'+', b' ', ..] => Some(2),
            _ => Some(0).filter(|_| paragraphs),
        };
        let (end, next) = line_end(rest, 0);
        let line = rest.get(..end).unwrap_or_default();
        rest = rest.get(next..).unwrap_or_default();
        if let Some(words) = words.and_then(|from| line.get(from..)) {
            break Some(crate::syntax::line::trim_end(words));
        }
    };
    cursor.bytes = rest;
    cursor.position |= behind;
    found
}

/// The list of one rate.
pub(super) fn only_rate<'a>(rate: RateGuidance) -> List<'a, RateLimit<'a>> {
    // The mode are its requests, the position the number of its window, or 0 behind it.
    let list = List::new(b"", rate.requests, |cursor| {
        let window = RateWindow::numbered(core::mem::take(&mut cursor.position))?;
        Some(
            RateGuidance {
                requests: cursor.mode,
                window,
            }
            .limit(),
        )
    });
    list.from(rate.window.number())
}

#[cfg(test)]
mod tests;
