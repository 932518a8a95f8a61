//! Applies automatic fixes to an agents.txt of the Internet-Draft or of 0.1.0.
//!
//! | problem | fix |
//! | --- | --- |
//! | a byte order mark | removed |
//! | a lone CR as line end, no line end at the end | the line end of the line before: LF, or CR and LF |
//! | blanks around keys, values and items of lists, and at the ends of lines | one space after the colon and after commas |
//! | a comment after a pattern, the name of an agent or a list of capabilities | moved to a separate line before the field |
//! | indentation | two spaces in a block, none elsewhere (nowhere in 0.1.0) |
//! | the letter case of a key | the letter case of the specification |
//! | an alias of a field, also in a comment | the name of the field |
//! | empty items of lists with commas | removed |
//! | `->`, `Rate-Limit: 60`, `Session-TTL: 60` and `Capabilities: a, b` of 0.1.0 | `→`, `60/minute`, `60s`, `Allow` lines |
//!
//! Everything else stays byte for byte: comments, and unknown fields and malformed lines including
//! their blanks. The unified model stays the same. Therefore a field with an unreadable value keeps
//! its key, because the model has the field under that name.
//!
//! Advice before you change this: each line is rewritten separately, by the same rules that read it
//! (`keys::Above`, `agents_txt_01::stays`). A rewritten line is first compared with the original,
//! so that only changes are reported, and then written.

use crate::document::{Document, Outline};
use crate::format::Format;
use crate::format::agents_txt::keys::{Above, Entry, Open, Place, Role};
use crate::format::agents_txt::{self, keys::Field as DraftField};
use crate::format::agents_txt_01::{self as flat, Field};
use crate::format::robots_txt::unread::is_path;
use crate::rules::values::rate_limit_of;
use crate::sink::{Sink, SliceSink};
use crate::span::Span;
use crate::syntax::grammar::{self, Items};
use crate::syntax::line::{Content, Line, Lines};
use crate::syntax::text::BufferTooSmall;

macro_rules! fixes {
    ($($name:ident $text:literal $about:literal,)*) => {
        /// A kind of fix.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Fix { $(#[doc = $about] $name,)* }

        impl Fix {
            /// Every kind of fix, in alphabetical order of their names.
            pub const ALL: &'static [Fix] = &[$(Fix::$name,)*];

            /// The stable kebab-case name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// What it does.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$name => $about,)* }
            }
        }
    };
}

// Alphabetical. Columns: variant, name, meaning.
fixes! {
    Arrow "arrow" "The arrow of a flow is written as `→`.",
    ByteOrderMark "byte-order-mark" "The byte order mark is removed.",
    Comment "comment" "A comment after a value is moved to a line of its own before the field.",
    FieldName "field-name" "The field is renamed to the name in the specification.",
    Indentation "indentation" "Fields of a block are indented by two spaces, other fields are not indented.",
    LetterCase "letter-case" "The key is written in the letter case of the specification.",
    LineEnd "line-end" "The line end is changed to that of the line before: LF, or CR and LF.",
    Spacing "spacing" "Blanks and empty list items without a meaning are removed.",
    Unit "unit" "The number gets its unit.",
}

impl core::fmt::Display for Fix {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A fix that was applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Change {
    /// The kind of fix.
    pub fix: Fix,
    /// The original line in the document.
    pub span: Span,
}

/// Why nothing was fixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FixError {
    /// Only agents.txt of the Internet-Draft and of 0.1.0 can be fixed.
    Unsupported,
    /// The buffer is too small.
    BufferTooSmall {
        /// The required length.
        needed: usize,
    },
}

impl core::fmt::Display for FixError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Unsupported => f.write_str("only agents.txt can be fixed"),
            Self::BufferTooSmall { needed } => {
                write!(f, "the buffer is too small; it needs {needed} bytes")
            }
        }
    }
}

impl core::error::Error for FixError {}

impl From<BufferTooSmall> for FixError {
    fn from(BufferTooSmall { needed }: BufferTooSmall) -> Self {
        Self::BufferTooSmall { needed }
    }
}

impl Format {
    /// Whether [`Document::fix`] supports this format.
    pub const fn is_fixed(self) -> bool {
        matches!(self, Self::AgentsTxt | Self::AgentsTxt01)
    }
}

impl<'a> Document<'a> {
    /// Writes the document with automatic fixes to a sink (see [`Fix`]), calls `on_change` with
    /// each change, and returns the length. The unified model stays the same, and fixing the result
    /// changes nothing. Linear.
    ///
    /// Lines longer than 16 KiB are not changed, so that no line exceeds the limits of readers.
    ///
    /// # Errors
    /// [`FixError::Unsupported`] if the document is not an agents.txt; then nothing was written.
    ///
    /// ```
    /// use agentsdisc_core::{Document, Format, ParseOptions};
    /// let text = b"# Spec-Version: 1.0\nsite-name : Mugs\nSite-URL: https://mugs.example\nCapability: search\nEndpoint: https://mugs.example/s";
    /// let document = Document::parse_with(text, &ParseOptions { format: Some(Format::AgentsTxt), ..ParseOptions::default() })?;
    /// let mut buffer = [0; 256];
    /// let length = document.write_fixed(&mut buffer, |change| println!("{}", change.fix)).unwrap();
    /// assert_eq!(
    ///     core::str::from_utf8(&buffer[..length]),
    ///     Ok("Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/s\n")
    /// );
    /// # Ok::<(), agentsdisc_core::Error>(())
    /// ```
    pub fn fix(
        &self,
        sink: &mut impl Sink,
        mut on_change: impl FnMut(Change),
    ) -> Result<usize, FixError> {
        if !self.format().is_fixed() {
            return Err(FixError::Unsupported);
        }
        let mut length = 0_usize;
        let mut counting = |piece: &[u8]| {
            length = length.saturating_add(piece.len());
            sink.put(piece);
        };
        let (bytes, outline) = (self.bytes(), self.outline());
        let line_end = line_end(outline.body.slice(bytes));
        Walk {
            bytes,
            outline,
            line_end,
            above: Above::of(Open::None),
            below_disallow: false,
            flags: 0,
            sink: &mut counting,
            on_change: &mut on_change,
        }
        .run();
        Ok(length)
    }

    /// The same into a buffer.
    ///
    /// # Errors
    /// [`FixError`].
    pub fn write_fixed(
        &self,
        buffer: &mut [u8],
        on_change: impl FnMut(Change),
    ) -> Result<usize, FixError> {
        let mut sink = SliceSink::new(buffer);
        self.fix(&mut sink, on_change)?;
        if sink.is_whole() {
            Ok(sink.length())
        } else {
            Err(FixError::BufferTooSmall { needed: sink.length() })
        }
    }
}

/// The line end of the first line that ends with a line feed. It replaces the lone CRs before that
/// line.
fn line_end(text: &[u8]) -> &'static [u8] {
    let before = crate::scan::memchr(b'\n', text)
        .and_then(|at| at.checked_sub(1))
        .and_then(|before| text.get(before));
    if before == Some(&b'\r') { b"\r\n" } else { b"\n" }
}

/// Longer lines are not changed.
const LONGEST: usize = 16 << 10;

/// The walk over the lines.
struct Walk<'w, 'a> {
    bytes: &'a [u8],
    outline: &'w Outline,
    /// The end of the previous line, used for a line without a valid end.
    line_end: &'static [u8],
    /// The state after the lines before, such as an open block.
    above: Above,
    /// True below a `Disallow` without a value, up to the next known field: a reader of robots.txt
    /// reads a list there, which another field would end.
    below_disallow: bool,
    /// The state of the 0.1.0 reader: whether a flow is open.
    flags: u32,
    sink: &'w mut dyn Sink,
    on_change: &'w mut dyn FnMut(Change),
}

/// A field in its new form.
#[derive(Clone, Copy)]
struct Rewritten<'l> {
    indented: bool,
    key: &'l [u8],
    value: Written<'l>,
    /// A comment to write on a line before the field.
    comment: Option<&'l [u8]>,
}

/// A value in its new form.
#[derive(Clone, Copy)]
enum Written<'l> {
    /// Unchanged.
    Same(&'l [u8]),
    /// Items separated by commas.
    Items(&'l [u8]),
    /// Items on lines of their own.
    Each(&'l [u8]),
    /// A number with its unit.
    With(&'l [u8], &'static [u8]),
    /// Name and steps of a flow.
    Flow(&'l [u8], &'l [u8]),
}

impl<'a> Walk<'_, 'a> {
    fn run(mut self) {
        let body = self.outline.body;
        let text = self.bytes.get(..body.end as usize).unwrap_or_default();
        // Further byte order marks are blanks. Without the first, the next one would be skipped.
        let mut start = body.start as usize;
        while body.start > 0
            && let Some([0xEF, 0xBB, 0xBF, ..]) = text.get(start..)
        {
            start = start.saturating_add(3);
        }
        if start > 0 {
            self.report(Fix::ByteOrderMark, Span::new(0, start as u32));
        }
        let mut lines = Lines::starting_at(text, start);
        while let Some(line) = lines.next() {
            let own = match text.get(line.end..lines.position()) {
                Some(b"\n") => Some(&b"\n"[..]),
                Some(b"\r\n") => Some(&b"\r\n"[..]),
                _ => None,
            };
            // A line feed stays, with or without a CR before it.
            self.line_end = own.unwrap_or(self.line_end);
            self.line(line, text.get(line.start..line.end).unwrap_or_default());
            self.sink.put(self.line_end);
            if own.is_none() {
                self.report(Fix::LineEnd, Span::new(line.start as u32, line.end as u32));
            }
        }
    }

    fn report(&mut self, fix: Fix, span: Span) {
        (self.on_change)(Change { fix, span });
    }

    fn line(&mut self, line: Line<'a>, raw: &'a [u8]) {
        let written = match line.content {
            Content::Field { key, value } if self.outline.format() == Format::AgentsTxt => {
                let is_known = agents_txt::keys::find(key).is_some();
                let is_blank = matches!(value, [] | [b'#', ..]);
                let is_list = key.eq_ignore_ascii_case(b"disallow") && is_blank;
                self.below_disallow = is_list || self.below_disallow && !is_known;
                self.draft_field(line, key, value)
            }
            Content::Field { key, value } => self.flat_field(key, value),
            Content::Comment(comment) if self.outline.format() == Format::AgentsTxt => {
                self.comment(comment)
            }
            Content::Malformed(_) if self.outline.format() == Format::AgentsTxt => {
                // A malformed line is not changed, but it can open a block.
                Entry::of(line.content).map(|entry| self.above.take(&entry, line.indent));
                None
            }
            Content::Comment(_) | Content::Blank | Content::Malformed(_) => None,
        };
        let Some(written) = written.filter(|_| raw.len() <= LONGEST) else {
            let kept = match line.content {
                Content::Comment(_) | Content::Blank if raw.len() <= LONGEST => {
                    crate::syntax::line::trim_end(raw)
                }
                _ => raw,
            };
            self.sink.put(kept);
            if kept.len() < raw.len() {
                self.report(Fix::Spacing, Span::new(line.start as u32, line.end as u32));
            }
            return;
        };
        let mut compared = Compared { rest: raw, same: true };
        written.put(self.line_end, &mut compared);
        if !compared.is_same() {
            self.report_line(line, raw, &written);
        }
        written.put(self.line_end, self.sink);
    }

    /// Reports the changes of a line.
    fn report_line(&mut self, line: Line<'_>, raw: &[u8], written: &Rewritten<'_>) {
        let span = Span::new(line.start as u32, line.end as u32);
        let text = crate::syntax::line::trim(raw);
        let blanks = raw.len().saturating_sub(text.len()) > 0 && !raw.starts_with(text);
        let wanted: &[u8] = if written.indented { b"  " } else { b"" };
        let indented = blanks || written.indented;
        let is_indented_so =
            raw.strip_prefix(wanted).is_some_and(|rest| !matches!(rest, [b' ' | b'\t', ..]));
        let key = match line.content {
            Content::Field { key, .. } => key,
            _ => b"",
        };
        let same_name = key.eq_ignore_ascii_case(written.key);
        let is_arrow = matches!(written.value, Written::Flow(..))
            && crate::scan::find(raw, "→".as_bytes()).is_none();
        let fixes = [
            (
                Fix::Indentation,
                indented && !is_indented_so && !matches!(line.content, Content::Comment(_)),
            ),
            (Fix::FieldName, !same_name),
            (Fix::LetterCase, same_name && key != written.key),
            (Fix::Unit, matches!(written.value, Written::With(..))),
            (Fix::Arrow, is_arrow),
            (Fix::Comment, written.comment.is_some()),
        ];
        let mut any = false;
        for (fix, _) in fixes.into_iter().filter(|(_, is)| *is) {
            any = true;
            self.report(fix, span);
        }
        if !any {
            self.report(Fix::Spacing, span);
        }
    }

    /// Rewrites a field of the draft. A field with an unreadable value keeps its key. `None` if the
    /// field has no meaning at this position.
    fn draft_field(
        &mut self,
        line: Line<'a>,
        key: &'a [u8],
        value: &'a [u8],
    ) -> Option<Rewritten<'a>> {
        let entry = Entry::of(line.content)?;
        let role = self.above.take(&entry, line.indent);
        let known = entry.known?;
        // A comment with a header field is not moved, because it would be read on a separate line.
        let (rest, comment) = known.field.split(value);
        let is_moved = comment.is_some_and(|comment| !holds_field(comment));
        let value = if is_moved { rest } else { value };
        let (field, indented) = match role {
            Role::Opens(_) => (known.field, false),
            Role::Document(field) => (field, false),
            Role::Alias(field) => (agents_txt::reading::alias_of(field, self.outline)?, false),
            Role::Block(field) => (field, true),
            // `Allow` and `Disallow` in the block of an agent are metadata with a meaning.
            Role::BlockMetadata if known.place == Place::Document => (known.field, true),
            Role::DocumentMetadata | Role::BlockMetadata => return None,
        };
        let is_read = match field {
            DraftField::RateLimit => rate_limit_of(value).is_some(),
            DraftField::Param => grammar::has_name(value),
            DraftField::Allow => !indented,
            _ => true,
        };
        // After a blank, the `#` of an item would begin a comment.
        let is_list = || {
            (is_moved || comment.is_none()) && !Items::new(value).any(|item| item.starts_with(b"#"))
        };
        Some(Rewritten {
            indented,
            key: if is_read { field.name().as_bytes() } else { key },
            value: match field {
                DraftField::Scopes | DraftField::Capabilities if is_list() => Written::Items(value),
                _ => Written::Same(value),
            },
            comment: comment.filter(|_| is_moved),
        })
    }

    /// Rewrites a header field in a comment. `None` if the comment has no field that is read, or if
    /// the field would end a list.
    fn comment(&self, comment: &'a [u8]) -> Option<Rewritten<'a>> {
        let (field, _, value) = agents_txt::field_in_comment(comment)?;
        let value_at = Span::of(value, self.bytes);
        if self.below_disallow
            || !agents_txt::reading::is_used_comment(field, value_at, self.outline)
        {
            return None;
        }
        Some(Rewritten {
            indented: false,
            key: field.name().as_bytes(),
            value: Written::Same(value),
            comment: None,
        })
    }

    /// Rewrites a field of 0.1.0. `None` if the line is not changed.
    fn flat_field(&mut self, key: &'a [u8], value: &'a [u8]) -> Option<Rewritten<'a>> {
        let (field, is_older) = Field::of(key).unzip();
        let (_, stays) = flat::stays(field, value, &mut self.flags);
        let is_replaced =
            |field| flat::AgentsTxt01::is_replaced(self.outline, field, is_older.unwrap_or(false));
        let field = field.filter(|field| !stays && !is_replaced(*field))?;
        let same = Written::Same(value);
        let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
        let (key, value): (&[u8], _) = match field {
            Field::Site => (b"Site", same),
            Field::Url => (b"URL", same),
            Field::Description => (b"Description", same),
            Field::Contact => (b"Contact", same),
            Field::AgentsJson => (b"Agents-JSON", same),
            Field::RateLimit => {
                (b"Rate-Limit", if is_number { Written::With(value, b"/minute") } else { same })
            }
            Field::SessionTtl => {
                (b"Session-TTL", if is_number { Written::With(value, b"s") } else { same })
            }
            Field::Audit => (b"Audit", same),
            Field::AuditEndpoint => (b"Audit-Endpoint", same),
            Field::Allow => (b"Allow", same),
            // A reader of robots.txt would take such a name after `Allow` for an allowed path.
            Field::Capabilities if Items::new(value).any(means_path) => (key, same),
            Field::Capabilities if Items::new(value).all(<[u8]>::is_empty) => (key, same),
            Field::Capabilities => (b"Allow", Written::Each(value)),
            Field::Flow => match flat::split_flow(value) {
                (name, steps, _) if name.len() < value.len() => {
                    (b"Flow", Written::Flow(name, steps))
                }
                _ => (b"Flow", same),
            },
            Field::FlowDescription => (b"Flow-Description", same),
        };
        Some(Rewritten { indented: false, key, value, comment: None })
    }
}

impl Rewritten<'_> {
    fn start(&self, sink: &mut dyn Sink) {
        if self.indented {
            sink.put(b"  ");
        }
        sink.put(self.key);
        sink.put(b":");
    }

    /// Writes the line or lines; omits the last line end.
    fn put(&self, line_end: &[u8], sink: &mut dyn Sink) {
        if let Some(comment) = self.comment {
            if self.indented {
                sink.put(b"  ");
            }
            sink.put(comment);
            sink.put(line_end);
        }
        if let Written::Each(value) = self.value {
            for (item, index) in Items::new(value).filter(|item| !item.is_empty()).zip(0_u32..) {
                if index > 0 {
                    sink.put(line_end);
                }
                self.start(sink);
                sink.put(b" ");
                sink.put(item);
            }
            return;
        }
        self.start(sink);
        match self.value {
            Written::Same(b"") => {}
            Written::Same(value) => {
                sink.put(b" ");
                sink.put(value);
            }
            Written::With(value, unit) => {
                sink.put(b" ");
                sink.put(value);
                sink.put(unit);
            }
            Written::Items(value) => put_items(value, sink),
            Written::Flow(name, steps) => {
                sink.put(b" ");
                sink.put(name);
                sink.put(if name.is_empty() { "→" } else { " →" }.as_bytes());
                put_items(steps, sink);
            }
            Written::Each(_) => {}
        }
    }
}

/// Whether a name is a path, a URL, or stands for all paths.
fn means_path(name: &[u8]) -> bool {
    is_path(name) || name.eq_ignore_ascii_case(b"all") || crate::scan::find(name, b"://").is_some()
}

/// Whether a comment with its `#` holds a header field.
fn holds_field(comment: &[u8]) -> bool {
    let Some(Content::Comment(text)) = Lines::new(comment).next().map(|line| line.content) else {
        return false;
    };
    agents_txt::field_in_comment(text).is_some()
}

/// Writes items with a blank before the first one, and commas between them.
fn put_items(value: &[u8], sink: &mut dyn Sink) {
    let mut before: &[u8] = b" ";
    for item in Items::new(value).filter(|item| !item.is_empty()) {
        sink.put(before);
        sink.put(item);
        before = b", ";
    }
}

/// Compares the output with the original.
struct Compared<'l> {
    rest: &'l [u8],
    same: bool,
}

impl Compared<'_> {
    fn is_same(&self) -> bool {
        self.same && self.rest.is_empty()
    }
}

impl Sink for Compared<'_> {
    fn put(&mut self, bytes: &[u8]) {
        match self.rest.strip_prefix(bytes) {
            Some(rest) => self.rest = rest,
            None => self.same = false,
        }
    }
}
