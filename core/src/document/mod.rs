//! A document: detection, and parsing into one of the formats.
//!
//! How a byte becomes a view: [`Document::parse`] settles the format ([`detect`]), checks once everything that could make reading fail
//! (UTF-8, the grammar, the limits) and notes where the top-level fields stand ([`Outline`]). From then on nothing can fail: the typed
//! view of each format and the unified model read from the recorded places on.

pub(crate) mod detect;
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
use crate::manifest::Manifest;
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
    pub const fn manifest(&self) -> Manifest<'a> {
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
    /// O(n log n). Duplicates and references are looked for with the scratch space lent in the options; without any, up to 128
    /// names are compared, and what was left out is said (`not-checked`).
    pub fn check(&self, options: &CheckOptions<'_>, mut sink: impl FnMut(Diagnostic<'a>)) {
        crate::format::check::check(self, options, &mut sink);
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
        crate::write::manifest(&self.manifest(), sink);
    }
}

/// Settles the format, validates, and records the top-level fields.
fn parse(bytes: &[u8], options: &ParseOptions<'_>) -> Result<Outline, Error> {
    // robots.txt is cut where others are refused, and may be in any encoding, so it is asked for before both.
    if is_robots(bytes, options) {
        return robots_txt::reading::parse(bytes, &options.limits);
    }
    let limit = options.limits.document_limit();
    if bytes.len() > limit {
        return Err(Error::new(ErrorKind::TooLarge, limit));
    }
    let start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let body = Span::new(start as u32, bytes.len() as u32);
    let text = body.slice(bytes);
    let forced = options.format.filter(|format| format.is_read());
    if forced.is_none() && detect::is_html(text) {
        return Err(Error::new(ErrorKind::NotADiscoveryDocument(Format::Html), 0));
    }
    validate_utf8(bytes)?;
    let is_json = match forced {
        Some(format) => format.is_json(),
        None => detect::looks_like_json(text),
    };
    if is_json {
        return parse_json(bytes, body, forced, options);
    }
    let format = forced.unwrap_or_else(|| detect::text_format(text, &options.hints).format);
    match format {
        Format::AgentsTxt => agents_txt::parse(bytes, body, &options.limits),
        Format::AgentsTxt01 => agents_txt_01::parse(bytes, body, &options.limits),
        Format::AgentsMd => agents_md::reading::parse(bytes, body, &options.limits),
        _ => Err(refuse(format)),
    }
}

/// Whether the document is a robots.txt, by what was asked for or by its first lines.
fn is_robots(bytes: &[u8], options: &ParseOptions<'_>) -> bool {
    if let Some(format) = options.format.filter(|format| format.is_read()) {
        return format == Format::RobotsTxt;
    }
    let read = bytes.get(..options.limits.robots.min(bytes.len())).unwrap_or_default();
    let text = read.strip_prefix(BOM).unwrap_or(read);
    !detect::looks_like_json(text) && !detect::is_html(text) && detect::text_format(text, &options.hints).format == Format::RobotsTxt
}

fn refuse(format: Format) -> Error {
    let kind = if format == Format::Unknown { ErrorKind::UnknownFormat } else { ErrorKind::NotADiscoveryDocument(format) };
    Error::new(kind, 0)
}

/// How many top-level members are remembered until the format is known; a document with more is walked once more.
const REMEMBERED: usize = 32;

fn parse_json(bytes: &[u8], body: Span, forced: Option<Format>, options: &ParseOptions<'_>) -> Result<Outline, Error> {
    let mut members = heapless::Vec::<(Span, Span), REMEMBERED>::new();
    let mut overflow = false;
    let mut evidence = Evidence::default();
    let kind = json::validate(bytes, body.start as usize, options.limits.depth_limit(), |name, value| {
        detect::note(&mut evidence, bytes, name, value);
        overflow |= members.push((name, value)).is_err();
    })?;
    if kind != TokenKind::ObjectStart {
        return Err(Error::new(if forced.is_some() { ErrorKind::WrongFormat } else { ErrorKind::UnknownFormat }, 0));
    }
    let format = forced.unwrap_or_else(|| detect::json_format(evidence, &options.hints).format);
    let fields = match format {
        Format::AgentsJson => agents_json::Top::FIELDS,
        Format::AgentsJson01 => agents_json_01::Top::FIELDS,
        Format::Awp => awp::Top::FIELDS,
        Format::Adp => adp::Top::FIELDS,
        Format::AdpCapability => adp::Detail::FIELDS,
        Format::AdpSearch => adp::SearchTop::FIELDS,
        _ => return Err(refuse(format)),
    };
    let mut outline = Outline::new(format, body);
    if overflow {
        for member in Value::trusted(crate::syntax::text::trim(body.slice(bytes))).members() {
            record(&mut outline, fields, member.name, Span::of(member.value.raw(), bytes));
        }
    } else {
        for (name, value) in &members {
            if let Some(name) = Value::trusted(name.slice(bytes)).as_text() {
                record(&mut outline, fields, name, *value);
            }
        }
    }
    Ok(outline)
}

/// Notes the place of a top-level member under the number that its format's table gives it.
fn record(outline: &mut Outline, fields: &[Field], name: crate::syntax::text::Text<'_>, value: Span) {
    let mut buffer = [0; NAME];
    let plain = plain_name(name, &mut buffer);
    match fields.iter().position(|field| field.names.contains(&plain)) {
        Some(index) => {
            outline.set(index, value);
        }
        None => outline.flags |= Outline::UNKNOWN_MEMBERS,
    }
}
