//! Documents as nearly everybody writes them, read without the machines of Markdown and YAML.
//!
//! Plain is front matter of `key: value` lines, and of `mcp:` with such lines below it, indented alike; and Markdown of ATX headings, items of one line and
//! paragraphs, none of it indented, and right behind an item no paragraph. One pass over the lines of such a document finds all that an outline
//! holds, and what the items of Behavior say. The lines of a paragraph need not be told from paragraphs of one line: put together, they are the same text.
//!
//! INVARIANT: what is read here, `read.rs` would read the same way; whatever is not plain is left to it. The tests hold both against each other, and the lists
//! over a plain document, which pass line by line too ([`next_words`]), against those over any.

use super::behavior::{self, RateGuidance};
use super::read::{Begin, empty_outline, front_matter_by_machine};
use super::walk::joined;
use super::{AgentsMdOutline, FrontMatter, SectionKind, Slot, section_kind};
use crate::document::detect;
use crate::error::Error;
use crate::limits::Limits;
use crate::manifest::list::Cursor;
use crate::span::Span;
use crate::syntax::fold::line_end;
use crate::syntax::line::{Sweep, Whole};
use crate::syntax::markdown::{Block, Kind, PlainLine, plain_line};
use crate::syntax::text::Text;
use crate::syntax::yaml;

/// Whether plain documents are read here. Where code must be small, the machines read all.
pub(super) const READS: bool = !cfg!(target_os = "none");

/// The widest indentation below `mcp:` that the machine reads.
const WIDEST: usize = 125;

/// So many lines at most may stand before the first section that is known, for detection to have seen it.
const SEEN: u32 = 64;

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
    READS && bytes.len() <= limits.line && limits.depth_limit() >= 2
}

/// Reads a document that is UTF-8 and not too large, and begins at `start` behind a byte order mark.
pub(super) fn outline(bytes: &[u8], start: usize, limits: &Limits) -> Result<AgentsMdOutline, Error> {
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
        let kinds = self.outline.first.iter().rev().fold(0, |kinds, first| kinds << 1 | u8::from(first.is_some()));
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
        let mut plain = Self { outline: empty_outline(limits), votes: 0, is_seen: false };
        let text = bytes.get(start..).unwrap_or_default();
        if text.starts_with(b"---") {
            plain.is_seen = true;
            let mut lines = Sweep::<Whole>::starting_at(bytes, start);
            if plain.front_matter(&mut lines, bytes).is_none() {
                plain.outline = front_matter_by_machine(bytes, start, limits)?;
                plain.votes = 0;
                plain.note_votes(bytes.get(start..plain.outline.body as usize).unwrap_or_default());
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
        let (_, b"---") = lines.take_line()? else { return None };
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
                    self.outline.mcp_entry(key, yaml::Value::Scalar(value), bytes);
                }
                _ => {
                    let (key, value) = yaml::plain_line(line)?;
                    self.outline.top_entry(key, yaml::Value::Scalar(value), bytes);
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
                (Some(PlainLine::Heading(2, name)), _) => self.outline.mcp.is_none() && is_mcp(name),
                _ => false,
            };
            let Some(line) = line.filter(|_| !goes_on) else {
                begin.at = at;
                match open {
                    Open::Nothing => {}
                    Open::Item(start, _) => begin.at = start,
                    Open::Paragraph(start, before) => (begin.at, begin.description) = (start, before),
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
                        begin.section = (level == 2).then(|| self.outline.note_section_at(Text::plain(name), at as u32));
                        self.is_seen |= passed < SEEN && !matches!(begin.section, None | Some(SectionKind::Other));
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
                        let block = Block { kind: Kind::Paragraph, depth: 0, quotes: 0, text: Text::plain(words) };
                        begin.description = Some(begin.description.map_or(block.text, |before| joined(body, before, block)));
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
        Guidance { rates, cache_seconds: self.seconds.filter(|_| !self.differ) }
    }
}

/// Takes the words of the next item of a section, and with `paragraphs` also those of a paragraph. The bytes of the list are those of a plain document from
/// the heading of the section on. `is_behind` is whether the walk is behind the heading.
pub(super) fn next_words<'a>(cursor: &mut Cursor<'a>, is_behind: &mut bool, paragraphs: bool) -> Option<&'a [u8]> {
    let mut rest = cursor.bytes;
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
                if core::mem::replace(is_behind, true) {
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
    found
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::format;
    use std::string::String;
    use std::vec::Vec;

    use super::super::AgentsMd;
    use super::super::read::{BOM, outline_by_machine};
    use super::*;
    use crate::document::Hints;
    use crate::format::Format;
    use crate::manifest::Reading;
    use proptest::prelude::*;

    fn said(document: &AgentsMd<'_>) -> String {
        let of = document as &dyn Reading<'_>;
        let (service, endpoints, rates) = (of.service(), of.endpoints(), of.rate_limits());
        format!("{:?} {service:?} {endpoints:?} {:?} {rates:?} {:?} {:?}", of.head(), of.permissions(), of.cache_seconds(), of.metadata())
    }

    /// Whether the document is plain, and whether it is taken for an agents.md without a look by detection.
    fn compare(bytes: &[u8], limits: &Limits) -> (bool, bool) {
        assert!(reads(bytes, limits) || limits.depth < 2);
        let start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let shown = String::from_utf8_lossy(bytes);
        let body = Span::new(start as u32, bytes.len() as u32);
        let machine = outline_by_machine(bytes, start, limits);
        let found = if reads(bytes, limits) { outline(bytes, start, limits) } else { machine };
        assert_eq!(found.map(|outline| AgentsMdOutline { plain: None, ..outline }), machine, "{shown}");
        let guess = guessed(bytes, start, limits);
        if let Some(outline) = guess {
            assert_eq!(Ok(outline), found, "{shown}");
            for url in [None, Some("/agents.txt"), Some("/robots.txt"), Some("/llms.txt")] {
                let detection = detect::text_format(&bytes[start..], &Hints { url, content_type: None }, detect::FOR_PARSING);
                assert_eq!(detection.format, Format::AgentsMd, "{shown}");
            }
        }
        let Ok(outline) = found else { return (false, guess.is_some()) };
        assert_eq!(AgentsMdOutline::unpack(&outline.pack(body)), outline, "{shown}");
        let by_machine = AgentsMdOutline { plain: None, ..outline }.attach(bytes);
        assert_eq!(said(&outline.attach(bytes)), said(&by_machine), "{shown}");
        (outline.plain.is_some(), guess.is_some())
    }

    const FRONT: &[&str] = &[
        "version: 1.0",
        "version: 'a'",
        "version: null",
        "mcp:",
        "MCP:",
        "mcp: x",
        "mcp: ~",
        "mcp: null",
        "  endpoint: https://a.example/mcp",
        "  endpoint: https://a.example/mcp # here",
        "  auth: none",
        "  Auth: true",
        "  auth: a: b",
        "  transport: sse  ",
        "   other: x",
        "\tauth: x",
        "  deep:",
        "    x: y",
        "url: https://a.example",
        "allow: b",
        "site: c",
        "spec_version: 1",
        "a-b: c",
        "# d",
        "",
        "e: f:",
        "g: h#i",
        "j: k #l",
        "  go on",
        "- m",
        "...",
        "---",
    ];

    const BODY: &[&str] = &[
        "# A",
        "# B #",
        "## Can",
        "## can:",
        "## Cannot ##",
        "## Behavior",
        "## Contact",
        "## Other",
        "##",
        "### Can",
        "- a",
        "* b  ",
        "+ [c](d)",
        "- 1 request/second",
        "- at most 5 requests per minute",
        "- Cache answers for 30 minutes",
        "- Cache 2 hours",
        "prose",
        "More prose, of one line.\t",
        "URL: https://a.example",
        "Site: A",
        "Allow: b",
        "User-agent: *",
        "a@a.example \u{c}",
        "",
        "",
        "",
        "",
        "",
    ];

    const ODD: &[&str] = &[
        "#C", "#", "## MCP", "- 1. e", "- - f", "-", "-  g", "  h", "1. i", "```", "> j", "===", "---", "<b>", " ", "\t- k", "- # l",
        "* * *",
    ];

    fn lines(of: &'static [&'static str], count: usize) -> impl Strategy<Value = Vec<&'static str>> {
        prop::collection::vec(prop::sample::select(of), 0..count)
    }

    fn documents() -> impl Strategy<Value = String> {
        let front = prop_oneof![
            2 => Just(Vec::new()),
            2 => Just(Vec::from(["---", "version: 1.0", "mcp:", "  endpoint: https://a.example/mcp", "  auth: none", "---"])),
            3 => lines(FRONT, 6).prop_map(|lines| [&["---"], &lines[..], &["---"]].concat()),
        ];
        let body = prop_oneof![
            6 => lines(BODY, 10),
            1 => (lines(BODY, 6), lines(ODD, 2), lines(BODY, 6)).prop_map(|(before, odd, after)| [before, odd, after].concat()),
        ];
        (any::<bool>(), front, body, any::<bool>(), prop::sample::select(Vec::from(["\n", "\n", "\n", "\r\n", "\r"])), any::<bool>())
            .prop_map(|(mark, front, body, spaced, end, cut)| {
                let mut text = String::from(if mark { "\u{feff}" } else { "" });
                for line in front {
                    text += line;
                    text += end;
                }
                for line in body {
                    text += line;
                    text += end;
                    // Where every line stands alone, more of it is plain.
                    text += if spaced { end } else { "" };
                }
                if cut {
                    text.truncate(text.trim_end_matches(['\n', '\r']).len());
                }
                text
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6000))]

        #[test]
        fn what_is_plain_is_what_the_machines_make_of_it(text in documents(), depth in prop::sample::select(Vec::from([64, 64, 1, 2]))) {
            compare(text.as_bytes(), &Limits { depth, ..Limits::DEFAULT });
        }
    }

    const HEAD: &str = "---\nversion: 1.0\nmcp:\n  endpoint: https://a.example/.well-known/mcp\n  auth: none\nother: x\n---\n\n";
    const TAIL: &str = "# A\n\nWhat it is.\n\nAnd more.\n\n## Can\n\n- a\n- b\n\n## Cannot\n* c\n\n## Behavior\n\n- 1 request/second\n- Cache 2 hours\n\n\
        ## Contact\n\n- a@a.example\n\nhttps://a.example/help\n";

    #[test]
    fn the_usual_document_is_plain() {
        let usual = format!("{HEAD}{TAIL}");
        for text in [TAIL, &usual, &usual.replace('\n', "\r\n"), &format!("\u{feff}{usual}")] {
            assert_eq!(compare(text.as_bytes(), &Limits::DEFAULT), (true, true), "{text}");
        }
    }

    #[test]
    fn a_section_that_detection_does_not_see_is_not_certain() {
        let text = format!("Site: A\n\nURL: https://a.example\n\n{}\n## Can\n\n## Cannot\n", "- a: b\n".repeat(63));
        assert_eq!(compare(text.as_bytes(), &Limits::DEFAULT), (true, false));
    }

    #[test]
    fn every_cut_and_every_change_of_it_is_read_alike() {
        let usual = format!("{HEAD}{TAIL}");
        for end in 0..usual.len() {
            compare(&usual.as_bytes()[..end], &Limits::DEFAULT);
            for byte in *b"\n\r\t -#:ax1" {
                let mut changed = Vec::from(usual.as_bytes());
                changed[end] = byte;
                compare(&changed, &Limits::DEFAULT);
            }
        }
    }
}
