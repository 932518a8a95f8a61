//! A document: detection, and parsing into one of the formats.
//!
//! How a byte becomes a view: [`Document::parse`] settles the format ([`detect`]), checks once everything that could make reading fail
//! (UTF-8, the grammar, the limits) and notes where the top-level fields stand ([`Outline`]). From then on nothing can fail: the typed
//! view of each format and the unified model read from the recorded places on.

pub(crate) mod detect;
mod fused;
mod outline;

use crate::diagnostic::Diagnostic;
use crate::error::{Error, ErrorKind};
use crate::format::adp::{self, Adp, AdpCapability, AdpSearch};
use crate::format::agents_json::{self, AgentsJson};
use crate::format::agents_json_01::{self, AgentsJson01};
use crate::format::agents_md::{self, AgentsMd};
use crate::format::agents_txt::{self, AgentsTxt};
use crate::format::agents_txt_01::{self, AgentsTxt01};
use crate::format::awp::{self, Awp};
use crate::format::robots_txt::{self, RobotsTxt};
use crate::format::{Format, check::CheckOptions};
use crate::limits::Limits;
use crate::manifest::{Manifest, Visitor, with_reading};
use crate::span::{Position, PositionCursor, Span};
use crate::syntax::json::view::{Field, NAME, Table, plain_name};
use crate::syntax::json::{self, TokenKind, Value};
use crate::syntax::text::validate_utf8;
use crate::write::{Sink, SliceSink};

pub use detect::{Detection, Evidence, Hints, detect};
pub use outline::Outline;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// How a document is parsed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions<'o> {
    /// The format, where it is known; a forced format never fails for absent fields.
    pub format: Option<Format>,
    /// What is known besides the bytes.
    pub hints: Hints<'o>,
    /// The limits.
    pub limits: Limits,
}

/// A parsed document: its bytes, its format, and where its top-level fields stand.
///
/// It is `Copy` and borrows from the bytes; so does everything read from it.
///
/// ```
/// use agentsdisc_core::Document;
/// let text = b"Spec-Version: 1.0\nSite-Name: Mug Shop\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/s\n  Protocol: REST\n";
/// let document = Document::parse(text)?;
/// assert_eq!(document.manifest().service().unwrap().name.unwrap(), "Mug Shop");
/// let search = document.manifest().capabilities().next().unwrap();
/// assert_eq!(search.endpoint.unwrap(), "https://mugs.example/s");
/// # Ok::<(), agentsdisc_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    bytes: &'a [u8],
    outline: Outline,
}

impl<'a> Document<'a> {
    /// Detects the format and parses with the default limits.
    ///
    /// # Errors
    /// Only where no reading is possible; see [`ErrorKind`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::parse_with(bytes, &ParseOptions::default())
    }

    /// Parses as the options say. Linear in the document.
    ///
    /// # Errors
    /// Only where no reading is possible; see [`ErrorKind`].
    pub fn parse_with(bytes: &'a [u8], options: &ParseOptions<'_>) -> Result<Self, Error> {
        let outline = parse(bytes, options)?;
        Ok(Self { bytes, outline })
    }

    /// Parses, and tells `visitor` everything that stands in lists, in one pass where the format and the document allow it.
    ///
    /// For readers of everything, such as converters into columns. It takes about twice as long as parsing alone where the visitor takes the
    /// parts in the terms of their format ([`Visitor::part`]), and four times as long where it wants the unified model; parsing and then walking
    /// [`Manifest`]'s lists takes six times as long.
    ///
    /// # Errors
    /// Those of [`parse_with`](Self::parse_with). The visitor may have been told something before; it does not count.
    pub fn read(bytes: &'a [u8], options: &ParseOptions<'_>, visitor: &mut impl Visitor<'a>) -> Result<Self, Error> {
        if let Some(outline) = read_fused(bytes, options, visitor)? {
            return Ok(Self { bytes, outline });
        }
        let document = Self::parse_with(bytes, options)?;
        visitor.restart();
        document.manifest().visit(visitor);
        Ok(document)
    }

    /// Puts an outline and the bytes it was made from together again. With other bytes, the views show nonsense, but nothing breaks.
    pub const fn attach(bytes: &'a [u8], outline: Outline) -> Self {
        Self { bytes, outline }
    }

    /// The result of parsing without the bytes.
    pub const fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The bytes, as they were given.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The format.
    pub const fn format(&self) -> Format {
        self.outline.format
    }

    /// The unified model.
    pub fn manifest(&self) -> Manifest<'a> {
        Manifest::new(*self)
    }

    /// The typed view of an agents.txt of the Internet-Draft.
    pub fn agents_txt(&self) -> Option<AgentsTxt<'a>> {
        (self.format() == Format::AgentsTxt).then(|| AgentsTxt::attach(self.bytes, &self.outline))
    }

    /// The typed view of an agents.json of the Internet-Draft.
    pub fn agents_json(&self) -> Option<AgentsJson<'a>> {
        (self.format() == Format::AgentsJson).then(|| AgentsJson::attach(self.bytes, &self.outline))
    }

    /// The typed view of an agents.txt 0.1.0.
    pub fn agents_txt_01(&self) -> Option<AgentsTxt01<'a>> {
        (self.format() == Format::AgentsTxt01).then(|| AgentsTxt01::attach(self.bytes, &self.outline))
    }

    /// The typed view of an agents.json 0.1.
    pub fn agents_json_01(&self) -> Option<AgentsJson01<'a>> {
        (self.format() == Format::AgentsJson01).then(|| AgentsJson01::attach(self.bytes, &self.outline))
    }

    /// The typed view of an agents.md.
    pub fn agents_md(&self) -> Option<AgentsMd<'a>> {
        (self.format() == Format::AgentsMd).then(|| AgentsMd::attach(self.bytes, &self.outline))
    }

    /// The typed view of an agent.json of the Agent Web Protocol.
    pub fn awp(&self) -> Option<Awp<'a>> {
        (self.format() == Format::Awp).then(|| Awp::attach(self.bytes, &self.outline))
    }

    /// The typed view of a manifest of the Agent Discovery Protocol.
    pub fn adp(&self) -> Option<Adp<'a>> {
        (self.format() == Format::Adp).then(|| Adp::attach(self.bytes, &self.outline))
    }

    /// The typed view of a capability detail of the Agent Discovery Protocol.
    pub fn adp_capability(&self) -> Option<AdpCapability<'a>> {
        (self.format() == Format::AdpCapability).then(|| AdpCapability::attach(self.bytes, &self.outline))
    }

    /// The typed view of a registry search response of the Agent Discovery Protocol.
    pub fn adp_search(&self) -> Option<AdpSearch<'a>> {
        (self.format() == Format::AdpSearch).then(|| AdpSearch::attach(self.bytes, &self.outline))
    }

    /// The typed view of a robots.txt.
    pub fn robots_txt(&self) -> Option<RobotsTxt<'a>> {
        (self.format() == Format::RobotsTxt).then(|| RobotsTxt::attach(self.bytes, &self.outline))
    }

    /// Where a slice of the document stands, such as the raw bytes of a text that was read from it.
    pub fn span_of(&self, part: &[u8]) -> Span {
        Span::of(part, self.bytes)
    }

    /// Line and column of an offset. Linear in it; for many offsets use a [`PositionCursor`].
    pub fn position(&self, offset: usize) -> Position {
        PositionCursor::new(self.bytes).at(offset)
    }

    /// Checks the document against its specification and tells `sink` everything that is found, in no particular order.
    ///
    /// Duplicates, references and cycles are looked for in 256 numbers of scratch space on the stack, enough for 128 names. Where there are
    /// more, that part is left out, and said to be (`not-checked`); [`check_with`](Self::check_with) takes more space. O(n log n).
    pub fn check(&self, options: &CheckOptions<'_>, sink: impl FnMut(Diagnostic<'a>)) {
        self.check_with(options, &mut [0; 256], sink);
    }

    /// The same with scratch space from the caller. What it holds before does not matter.
    ///
    /// Needed are two numbers for each name in the largest set of names that must differ or are referred to: the capabilities or actions,
    /// the agents, the entities, the members of one map, the parameters of one capability. The prerequisites of an AWP document need four
    /// for each id in `dependencies`, keys and values alike. As many numbers as the document has bytes are always enough.
    pub fn check_with(&self, options: &CheckOptions<'_>, scratch: &mut [u32], mut sink: impl FnMut(Diagnostic<'a>)) {
        crate::format::check::check(self, options, scratch, &mut sink);
    }

    /// Writes the unified model as JSON (`docs/model.md`) into `buffer`, and returns its length.
    ///
    /// # Errors
    /// Where the buffer is too small, the length that is needed.
    pub fn write_json(&self, buffer: &mut [u8]) -> Result<usize, crate::syntax::text::BufferTooSmall> {
        let mut sink = SliceSink::new(buffer);
        self.put_json(&mut sink);
        if sink.is_whole() { Ok(sink.length()) } else { Err(crate::syntax::text::BufferTooSmall { needed: sink.length() }) }
    }

    /// The length of the unified model as JSON. Costs as much as writing it.
    pub fn json_len(&self) -> usize {
        let mut length = 0;
        self.put_json(&mut |piece: &[u8]| length += piece.len());
        length
    }

    /// Puts the unified model as JSON into a sink, piece by piece.
    pub fn put_json(&self, sink: &mut impl Sink) {
        with_reading(self, |reading| crate::write::manifest(self.format(), reading, sink));
    }
}

/// What a document is taken for before it is validated.
enum Shape {
    Json,
    Text(Format),
}

/// What a document is taken for: what was asked for, or what its first bytes and lines show.
fn shape(text: &[u8], options: &ParseOptions<'_>) -> Shape {
    match options.format.filter(|format| format.is_read()) {
        _ if is_json(text, options) => Shape::Json,
        Some(format) => Shape::Text(format),
        None if detect::is_html(text) => Shape::Text(Format::Html),
        // No more is looked at than is read of a robots.txt, whatever the size of the document.
        None => {
            let read = text.get(..options.limits.robots.min(text.len())).unwrap_or_default();
            Shape::Text(detect::text_format(read, &options.hints).format)
        }
    }
}

/// The one pass of [`Document::read`]; `None` where the document is not for it.
fn read_fused<'a>(bytes: &'a [u8], options: &ParseOptions<'_>, visitor: &mut impl Visitor<'a>) -> Result<Option<Outline>, Error> {
    let start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let text = bytes.get(start..).unwrap_or_default();
    if bytes.len() > options.limits.document_limit() || !is_json(text, options) {
        return Ok(None);
    }
    validate_utf8(bytes)?;
    fused::read(bytes, Span::new(start as u32, bytes.len() as u32), options, visitor)
}

/// Whether a document is taken for JSON, without a look at any other format.
fn is_json(text: &[u8], options: &ParseOptions<'_>) -> bool {
    match options.format.filter(|format| format.is_read()) {
        Some(format) => format.is_json(),
        None => detect::looks_like_json(text),
    }
}

/// Settles the format, validates, and records the top-level fields.
fn parse(bytes: &[u8], options: &ParseOptions<'_>) -> Result<Outline, Error> {
    let start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let shape = shape(bytes.get(start..).unwrap_or_default(), options);
    // robots.txt is cut where others are refused, and may be in any encoding.
    if let Shape::Text(Format::RobotsTxt) = shape {
        return robots_txt::reading::parse(bytes, &options.limits);
    }
    let limit = options.limits.document_limit();
    if bytes.len() > limit {
        return Err(Error::new(ErrorKind::TooLarge, limit));
    }
    if let Shape::Text(Format::Html) = shape {
        return Err(refuse(Format::Html));
    }
    validate_utf8(bytes)?;
    let body = Span::new(start as u32, bytes.len() as u32);
    match shape {
        Shape::Json => parse_json(bytes, body, options),
        Shape::Text(Format::AgentsTxt) => agents_txt::parse(bytes, body, &options.limits),
        Shape::Text(Format::AgentsTxt01) => agents_txt_01::parse(bytes, body, &options.limits),
        Shape::Text(Format::AgentsMd) => agents_md::reading::parse(bytes, body, &options.limits),
        Shape::Text(format) => Err(refuse(format)),
    }
}

fn refuse(format: Format) -> Error {
    let kind = if format == Format::Unknown { ErrorKind::UnknownFormat } else { ErrorKind::NotADiscoveryDocument(format) };
    Error::new(kind, 0)
}

/// The table of a JSON format's top-level members.
fn json_fields(format: Format) -> Option<&'static [Field]> {
    Some(match format {
        Format::AgentsJson => agents_json::Top::FIELDS,
        Format::AgentsJson01 => agents_json_01::Top::FIELDS,
        Format::Awp => awp::Top::FIELDS,
        Format::Adp => adp::Top::FIELDS,
        Format::AdpCapability => adp::Detail::FIELDS,
        Format::AdpSearch => adp::SearchTop::FIELDS,
        _ => return None,
    })
}

/// How many top-level members are remembered until the format is known; a document with more is walked once more.
const REMEMBERED: usize = 32;

fn parse_json(bytes: &[u8], body: Span, options: &ParseOptions<'_>) -> Result<Outline, Error> {
    let forced = options.format.filter(|format| format.is_read());
    let mut members = heapless::Vec::<(Span, Span, bool), REMEMBERED>::new();
    let mut overflow = false;
    let mut evidence = Evidence::default();
    let kind = json::validate(bytes, body.start as usize, options.limits.depth_limit(), |name, value, plain| {
        detect::note(&mut evidence, bytes, name, value);
        overflow |= members.push((name, value, plain)).is_err();
    })?;
    if kind != TokenKind::ObjectStart {
        return Err(Error::new(if forced.is_some() { ErrorKind::WrongFormat } else { ErrorKind::UnknownFormat }, 0));
    }
    let format = forced.unwrap_or_else(|| detect::json_format(evidence, &options.hints).format);
    let Some(fields) = json_fields(format) else { return Err(refuse(format)) };
    let mut outline = Outline::new(format, body);
    if overflow {
        for member in Value::trusted(crate::syntax::text::trim(body.slice(bytes))).members() {
            record(&mut outline, fields, member.name, Span::of(member.value.raw(), bytes), false);
        }
    } else {
        for (name, value, plain) in &members {
            if let Some(name) = Value::trusted(name.slice(bytes)).as_text() {
                record(&mut outline, fields, name, *value, *plain);
            }
        }
    }
    Ok(outline)
}

/// Notes the place of a top-level member under the number that its format's table gives it.
fn record(outline: &mut Outline, fields: &[Field], name: crate::syntax::text::Text<'_>, value: Span, plain_string: bool) {
    let mut buffer = [0; NAME];
    let plain = plain_name(name, &mut buffer);
    match fields.iter().position(|field| field.names.contains(&plain)) {
        Some(index) => outline.set_member(index, value, plain_string),
        None => outline.flags |= Outline::UNKNOWN_MEMBERS,
    }
}
