//! The pass over a document that finds all data of an outline.

use super::gateway::{is_about_auth, mentions_auth};
use super::piece::{Piece, kept_at_top, slot, yaml_of};
use super::section::{Place, SectionKind, is_outside, opens_cannot, section_kind};
use super::walk::joined;
use super::{AgentsMdOutline, FrontMatter, Gateway, McpSource, Slot, TOP_FIELDS, place_of};
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::scan;
use crate::span::Span;
use crate::syntax::fold::line_end;
use crate::syntax::markdown::{Blocks, Kind};
use crate::syntax::text::{Text, starts_with, validate_utf8};
use crate::syntax::yaml::{Event, Resolved, Scalar, Value, entries, whole_entries};

/// The byte order mark of UTF-8.
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

pub(super) fn outline(bytes: &[u8], limits: &Limits) -> Result<AgentsMdOutline, Error> {
    if bytes.len() > limits.document_limit() {
        return Err(Error::new(ErrorKind::TooLarge, limits.document_limit()));
    }
    validate_utf8(bytes)?;
    let mut outline = empty_outline(limits);
    outline.read_valid(bytes, limits)?;
    Ok(outline)
}

/// An outline without data.
pub(super) fn empty_outline(limits: &Limits) -> AgentsMdOutline {
    AgentsMdOutline {
        front_matter: FrontMatter::Absent,
        yaml: Span::default(),
        mcp_yaml: Span::default(),
        body: 0,
        depth: limits.depth_limit() as u16,
        title: Slot::ABSENT,
        description: Slot::ABSENT,
        version: Slot::ABSENT,
        mcp: None,
        gateway: Gateway::NONE,
        first: [None; 5],
        repeated: 0,
        kept: 0,
    }
}

fn check_lines(bytes: &[u8], limit: usize) -> Result<(), Error> {
    if bytes.len() <= limit {
        return Ok(());
    }
    let mut start = 0;
    while start < bytes.len() {
        let (end, next) = line_end(bytes, start);
        if end - start > limit {
            return Err(Error::new(ErrorKind::LineTooLong, start));
        }
        start = next;
    }
    Ok(())
}

/// Returns the state of the front matter at `start`, the range of its YAML, and the offset of the
/// Markdown.
pub(super) fn front_matter_from(bytes: &[u8], start: usize) -> (FrontMatter, Span, usize) {
    let (end, yaml) = line_end(bytes, start);
    if bytes.get(start..end).unwrap_or_default().trim_ascii_end() != b"---" {
        return (FrontMatter::Absent, Span::default(), start);
    }
    let closes = |line: &[u8]| matches!(line.trim_ascii_end(), b"---" | b"...");
    match closed(bytes, yaml, closes) {
        Some((yaml, next)) => (FrontMatter::Closed, yaml, next),
        None => (FrontMatter::Unclosed, Span::default(), start),
    }
}

/// Returns the YAML up to the next line that `closes` it, and the offset after that line.
fn closed(bytes: &[u8], start: usize, closes: impl Fn(&[u8]) -> bool) -> Option<(Span, usize)> {
    let mut at = start;
    while at < bytes.len() {
        let (end, next) = line_end(bytes, at);
        if closes(bytes.get(at..end)?) {
            return Some((Span::new(start as u32, at as u32), next));
        }
        at = next;
    }
    None
}

/// Returns the first line of a block that is meant as front matter, but is not read as such: it
/// stands below other lines, or its first line is not exactly `---` (it is indented, or has
/// invisible characters or other text). A closing line `---` must follow, with keys before it.
/// Below lines of text, one of the keys must be `mcp`. Linear.
pub(super) fn misplaced_front_matter(bytes: &[u8], mut at: usize) -> Option<Span> {
    // True at the start, and below blank lines, comments and the start of code.
    let mut is_first = true;
    while at < bytes.len() {
        let (end, next) = line_end(bytes, at);
        let text = visible(bytes.get(at..end)?);
        if !opens(text, is_first) {
            is_first &= matches!(text, [] | [b'<', ..] | [b'`', b'`', b'`', ..]);
            at = next;
            continue;
        }
        let closes = |line: &[u8]| is_fence(line.trim_ascii()) || line.trim_ascii() == b"...";
        let (yaml, _) = closed(bytes, next, closes)?;
        let source = yaml.slice(bytes);
        let is_mapping = || entries(source, Limits::MAX_DEPTH).root() == Some(Event::Mapping);
        if is_first && is_mapping() || names_gateway(source) {
            return Some(Span::of(text, bytes));
        }
        (is_first, at) = (false, yaml.end as usize);
    }
    None
}

/// Returns a line without blanks and invisible characters at its ends.
fn visible(line: &[u8]) -> &[u8] {
    let is_unseen = |c: char| {
        c.is_whitespace() || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
    };
    scan::text(line).map_or(line, |text| text.trim_matches(is_unseen).as_bytes())
}

/// Whether a line is meant to open front matter: a line of dashes. At the start of a document, text
/// may follow the dashes, and other marks count, too: the plus signs of TOML, semicolons, long
/// dashes.
fn opens(line: &[u8], is_first: bool) -> bool {
    match line {
        [b'-', b'-', b'-', ..] => is_first || line.iter().all(|byte| *byte == b'-'),
        _ => is_first && is_fence(line),
    }
}

/// Whether a line consists only of such marks, at least three bytes.
fn is_fence(line: &[u8]) -> bool {
    let is_mark = |c: char| matches!(c, '-' | '+' | ';' | '\u{2010}'..='\u{2015}');
    line.len() >= 3 && scan::text(line).is_some_and(|text| text.chars().all(is_mark))
}

/// Whether a line of the YAML or TOML begins with the key `mcp`.
fn names_gateway(source: &[u8]) -> bool {
    source.split(|byte| matches!(byte, b'\n' | b'\r')).any(|line| {
        let is_mark = |byte: u8| matches!(byte, b'[' | b'{' | b'"' | b'\'' | b' ' | b'\t');
        let start = line.iter().position(|byte| !is_mark(*byte));
        let key = start.and_then(|start| line.get(start..)).unwrap_or_default();
        starts_with(key, b"mcp")
            && matches!(key.get(3), Some(b':' | b'=' | b']' | b'.' | b'"' | b'\'' | b' '))
    })
}

impl AgentsMdOutline {
    /// Reads a document into an empty outline. `bytes` must be valid UTF-8 within the size limit.
    pub(super) fn read_valid(&mut self, bytes: &[u8], limits: &Limits) -> Result<(), Error> {
        let start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        check_lines(bytes, limits.line)?;
        let (front_matter, yaml, body) = front_matter_from(bytes, start);
        (self.front_matter, self.yaml, self.body) = (front_matter, yaml, body as u32);
        self.read_yaml(bytes)?;
        self.read_body(bytes)
    }

    fn read_yaml(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let yaml = self.yaml.slice(bytes);
        let depth = usize::from(self.depth);
        let mut top = whole_entries(yaml, depth);
        let mut mentions_auth = false;
        for (key, value) in top.by_ref() {
            self.top_entry(key, value, bytes);
            mentions_auth |= is_about_auth(key, value);
        }
        self.gateway.note_unread_auth(mentions_auth && self.mcp.is_some());
        match top.too_deep() {
            Some(piece) => {
                Err(Error::new(ErrorKind::TooDeep, Span::of(piece.raw, bytes).start as usize))
            }
            None => Ok(()),
        }
    }

    /// Reads an entry of the front matter.
    fn top_entry(&mut self, key: Scalar<'_>, value: Value<'_>, bytes: &[u8]) {
        let field = place_of(key.text, &TOP_FIELDS);
        self.kept |= if kept_at_top(field, value) { AgentsMdOutline::KEPT_AT_TOP } else { 0 };
        match field {
            Some(0) => self.version = slot(value, bytes, true),
            Some(_) => self.read_mcp(value, bytes),
            None => {}
        }
    }

    fn read_mcp(&mut self, value: Value<'_>, bytes: &[u8]) {
        // The last `mcp` counts, so the data of an earlier one are removed.
        self.gateway = Gateway::NONE;
        self.mcp_yaml = Span::default();
        self.kept &= !AgentsMdOutline::KEPT_OF_MCP;
        self.mcp = Some(McpSource::FrontMatter);
        match value {
            Value::Mapping(text) => {
                self.mcp_yaml = Span::of(text, bytes);
                self.read_mcp_fields(Piece::new(text), bytes);
            }
            Value::Scalar(scalar) if scalar.resolve() == Resolved::Null => self.mcp = None,
            // The value is invalid: the gateway has no endpoint, and requires some authentication.
            _ => self.gateway.auth = Slot::UNREADABLE,
        }
    }

    fn read_mcp_fields(&mut self, piece: Piece<'_>, bytes: &[u8]) {
        let stays = self.gateway.read(piece, bytes, usize::from(self.depth));
        self.kept |= if stays { Self::KEPT_OF_MCP } else { 0 };
    }

    fn read_body(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let body = bytes.get(self.body as usize..).unwrap_or_default();
        let mut blocks = Blocks::new(body, usize::from(self.depth));
        let from_front_matter = self.mcp.is_some();
        let mut description = None;
        let mut place = Place::new(None);
        // The offset of the line of the last heading outside of containers; at first the start of
        // the body.
        let mut heading = self.body;
        // True while the next paragraph belongs to the description.
        let mut describing = false;
        let mut mentions_auth_in_section = false;
        for block in blocks.by_ref() {
            // Only headings open and end sections.
            if matches!(block.kind, Kind::Heading(_)) {
                place.pass(&block);
            }
            if opens_cannot(&block) {
                let line = heading_line(block.text, bytes, self.body);
                // A list of the model must start at a line where no container is open.
                let is_inside = !is_outside(&block);
                let start = if is_inside { heading } else { line };
                self.note_section(SectionKind::Cannot, start, is_inside);
            }
            match block.kind {
                Kind::Heading(level) if is_outside(&block) => {
                    let line = heading_line(block.text, bytes, self.body);
                    heading = line;
                    describing = false;
                    if level == 1 && self.title == Slot::ABSENT {
                        self.title = Slot::of(block.text, bytes);
                        describing = true;
                    }
                    if level == 2 && !opens_cannot(&block) {
                        self.note_section(section_kind(block.text).0, line, false);
                    }
                    if place.section == Some(SectionKind::Mcp) && !from_front_matter {
                        self.mcp = Some(McpSource::Section);
                    }
                }
                Kind::Paragraph if describing && block.depth == 0 => {
                    description = Some(match description {
                        Some(text) => joined(body, text, block),
                        None => block.text,
                    });
                }
                _ => describing &= description.is_none(),
            }
            if place.section == Some(SectionKind::Mcp) && !from_front_matter {
                if let Some(piece) = yaml_of(body, &block) {
                    self.read_mcp_fields(piece, bytes);
                }
                mentions_auth_in_section |= mentions_auth(block.text.raw());
            }
        }
        self.gateway.note_unread_auth(mentions_auth_in_section);
        if let Some(text) = description {
            self.description = Slot::of(text, bytes);
        }
        // Lists of the unified model cannot continue in wider containers (see `reading.rs`).
        match blocks.overflow().into_iter().chain(blocks.too_wide()).min() {
            Some(at) => Err(Error::new(ErrorKind::TooDeep, self.body as usize + at)),
            None => Ok(()),
        }
    }

    /// Records a section: the start of the first section of its kind, and whether there are more.
    /// If its heading is in a list or a quote (`is_inside`), `line` is an earlier line, so the
    /// section counts as repeated.
    fn note_section(&mut self, kind: SectionKind, line: u32, is_inside: bool) {
        let bit = kind as u8;
        if let Some(first) = self.first.get_mut(usize::from(bit)) {
            if first.is_some() || is_inside {
                self.repeated |= 1 << bit;
            }
            first.get_or_insert(line);
        }
    }
}

/// Returns the offset of the line of a heading in the body. A byte order mark precedes the body and
/// is not a part of its first line.
fn heading_line(name: Text<'_>, bytes: &[u8], body: u32) -> u32 {
    let start = Span::of(name.raw(), bytes).start;
    let before = bytes.get(body as usize..start as usize).unwrap_or_default();
    start - before.iter().rev().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count() as u32
}
