//! Documents: detection and parsing.
//!
//! [`Document::parse`] determines the format ([`detect`]), runs all checks that can fail (UTF-8,
//! the grammar, the limits) and records the offsets of the top-level fields ([`Outline`]). After
//! that, reading cannot fail: the typed view of each format and the unified model read from the
//! recorded offsets.

#[cfg(feature = "check")]
mod check;
#[cfg(feature = "check")]
mod companion;
mod defaults;
pub(crate) mod detect;
mod explained;
mod fused;
mod links;
mod manifest;

use crate::error::{Error, ErrorKind};
use crate::format::agents_txt::{self, AgentsTxt};
use crate::format::agents_txt_01;
use crate::format::robots_txt;
use crate::format::{Format, READS_JSON, built_in};
use crate::kind::registry;
use crate::limits::Limits;
use crate::model::Visitor;
use crate::span::{Position, PositionCursor, Span};
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::{self, TokenKind, Value};
use crate::syntax::text::{Text, byte_order_mark, trim, validate_utf8};

pub use crate::syntax::outline::Outline;
#[cfg(feature = "check")]
pub use companion::{Difference, Slot};
pub use defaults::CompanionUrl;
use detect::Remembered;
pub use detect::{Detection, Evidence, Hints, detect};
pub use explained::Explained;
pub use links::{Link, LinkKind, Links};
pub use manifest::Manifest;
pub(crate) use manifest::with_reading;

/// Options for parsing a document.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions<'o> {
    /// The format, if known. With it, parsing never fails because of missing fields.
    pub format: Option<Format>,
    /// Information besides the bytes.
    pub hints: Hints<'o>,
    /// The limits.
    pub limits: Limits,
}

/// A parsed document: its bytes, its format and the offsets of its top-level fields.
///
/// It is `Copy` and borrows from the bytes, like all data that is read from it.
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
    /// See [`ErrorKind`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::parse_with(bytes, &ParseOptions::default())
    }

    /// Parses with options. Takes linear time.
    ///
    /// # Errors
    /// See [`ErrorKind`].
    pub fn parse_with(bytes: &'a [u8], options: &ParseOptions<'_>) -> Result<Self, Error> {
        let (start, shape) = shape(bytes, options);
        Ok(Self { bytes, outline: parse(bytes, start, shape, options)? })
    }

    /// Parses a document of a known format: the same as [`parse_with`](Self::parse_with) with that
    /// format. A program that only calls this function does not link the detection of text formats,
    /// which saves 2 KB of firmware.
    ///
    /// ```
    /// use agentsdisc_core::{Document, Format, Limits};
    /// let document = Document::parse_as(b"Allow: /shop/*\nDisallow: /\n", Format::AgentsTxt, &Limits::default())?;
    /// assert_eq!(document.manifest().access().allow.next().unwrap(), "/shop/*");
    /// # Ok::<(), agentsdisc_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `parse_with`, and [`ErrorKind::UnknownFormat`] for a format that is recognized but
    /// not read ([`Format::is_read`]).
    pub fn parse_as(bytes: &'a [u8], format: Format, limits: &Limits) -> Result<Self, Error> {
        if !format.is_read() {
            return Err(refuse(Format::Unknown));
        }
        let options =
            ParseOptions { format: Some(format), limits: *limits, ..ParseOptions::default() };
        Ok(Self {
            bytes,
            outline: parse(bytes, byte_order_mark(bytes), Shape::of(format), &options)?,
        })
    }

    /// Parses the document and calls `visitor` with every capability, parameter and agent policy;
    /// in one pass if the format ([`Format::is_read_in_one_pass`]) and the document allow it.
    ///
    /// For callers that need all items, such as converters into columns. Other documents are parsed
    /// first; then their lists are read ([`Manifest::visit`]).
    ///
    /// # Errors
    /// Those of [`parse_with`](Self::parse_with). The visitor may have received items before the
    /// error; discard them.
    pub fn read(
        bytes: &'a [u8],
        options: &ParseOptions<'_>,
        visitor: &mut impl Visitor<'a>,
    ) -> Result<Self, Error> {
        let (start, shape) = shape(bytes, options);
        if let Some(outline) = read_fused(bytes, start, &shape, options, visitor)? {
            return Ok(Self { bytes, outline });
        }
        let document = Self { bytes, outline: parse(bytes, start, shape, options)? };
        visitor.restart();
        document.manifest().visit(visitor);
        Ok(document)
    }

    /// Creates a document without parsing it, for [decisions](crate::policy). It allows nothing. Of
    /// its lines, only those count that a reader of robots.txt would treat as restrictions. Its
    /// format is [`Format::Unknown`] and its model is empty. For documents that cannot be parsed
    /// because their format is unknown or not read.
    ///
    /// ```
    /// use agentsdisc_core::Document;
    /// use agentsdisc_core::policy::{Reason, Request, Robots, decide};
    /// let document = Document::unread(b"Owner: Mugs\nDisallow: /admin\n");
    /// let decision = decide(&document, Robots::Absent, &Request::url("ExampleBot", "https://mugs.example/admin"));
    /// assert_eq!((decision.allowed, decision.reason), (false, Reason::UnreadRestriction));
    /// ```
    pub fn unread(bytes: &'a [u8]) -> Self {
        let body = Span::new(byte_order_mark(bytes) as u32, bytes.len() as u32);
        Self { bytes, outline: Outline::new(Format::Unknown, body) }
    }

    /// The text after a byte order mark.
    pub(crate) fn text(&self) -> &'a [u8] {
        self.bytes.get(byte_order_mark(self.bytes)..).unwrap_or_default()
    }

    /// Combines an outline with the bytes from which it was made. With other bytes the views return
    /// wrong data, but nothing else fails.
    pub const fn attach(bytes: &'a [u8], outline: Outline) -> Self {
        Self { bytes, outline }
    }

    /// The result of parsing, without the bytes.
    pub const fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The bytes of the document.
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

    /// True if the document has this format and the format is built in.
    // Inlined everywhere, because only then the linker can remove formats that are not used.
    #[inline(always)]
    pub(crate) const fn is(&self, format: Format) -> bool {
        format.is_built_in() && self.format() as u8 == format as u8
    }

    /// The range of a slice of the document, for example of the raw bytes of a text.
    pub fn span_of(&self, part: &[u8]) -> Span {
        Span::of(part, self.bytes)
    }

    /// The line and the column of an offset. Takes linear time in the offset; for many offsets use
    /// a [`PositionCursor`].
    pub fn position(&self, offset: usize) -> Position {
        PositionCursor::new(self.bytes).at(offset)
    }
}

/// Defines the methods that return the typed views.
macro_rules! typed {
    (
        []
        $($(#[$doc:meta])* $name:ident = $number:literal $id:literal $medium:ident
            $(: $feature:literal of $family:literal, $($module:ident)::+ as $view:ident)?;)*
    ) => {
        impl<'a> Document<'a> {$($(
            #[doc = concat!("The typed view of a document of [`Format::", stringify!($name), "`].")]
            pub fn $view(&self) -> Option<crate::format::$($module::)+$name<'a>> {
                use crate::format::$($module::)+$name;
                self.is(Format::$name).then(|| $name::attach(self.bytes, &self.outline))
            }
        )?)*}
    };
}

registry!(typed);

impl Format {
    /// Whether [`Document::read`] reads documents of this format in one pass, which costs a fraction
    /// of parsing them and walking their lists. False for formats that are not built in.
    pub fn is_read_in_one_pass(self) -> bool {
        built_in!(match self => {
            AgentsTxt => true,
            AgentsTxt01 => true,
            _ => fused::reads(self),
        })
    }
}

/// The assumed kind of a document before validation.
enum Shape {
    Json,
    Text(Format),
}

impl Shape {
    /// The kind of documents of a format.
    const fn of(format: Format) -> Self {
        if format.is_json() { Self::Json } else { Self::Text(format) }
    }
}

/// The offset of the text after a byte order mark, and its assumed kind: the requested one, or the
/// one that its first bytes and lines show.
#[inline(never)] // Keeps its buffers off the stack of its callers.
fn shape(bytes: &[u8], options: &ParseOptions<'_>) -> (usize, Shape) {
    let start = byte_order_mark(bytes);
    let text = bytes.get(start..).unwrap_or_default();
    let shape = match options.format.filter(|format| format.is_read()) {
        Some(format) => Shape::of(format),
        None if detect::looks_like_json(text) => Shape::Json,
        None => Shape::Text(match detect::markup(text) {
            Some(format) => format,
            None => detect::text_format(text, &options.hints).format,
        }),
    };
    (start, shape)
}

/// The single pass of [`Document::read`]; `None` if the document needs two.
fn read_fused<'a>(
    bytes: &'a [u8],
    start: usize,
    shape: &Shape,
    options: &ParseOptions<'_>,
    visitor: &mut impl Visitor<'a>,
) -> Result<Option<Outline>, Error> {
    let in_one_pass = match shape {
        Shape::Json => READS_JSON,
        Shape::Text(format) => format.is_read_in_one_pass(),
    };
    if bytes.len() > options.limits.document_limit() || !in_one_pass {
        return Ok(None);
    }
    let body = Span::new(start as u32, bytes.len() as u32);
    match shape {
        Shape::Json => fused::read(bytes, body, options, visitor),
        Shape::Text(format) => {
            validate_utf8(bytes)?;
            built_in!(match *format => {
                AgentsTxt => agents_txt::reading::read(bytes, body, &options.limits, visitor),
                AgentsTxt01 => agents_txt_01::read(bytes, body, &options.limits, visitor),
                _ => Ok(None),
            })
        }
    }
}

/// Determines the format, validates, and records the top-level fields.
fn parse(
    bytes: &[u8],
    start: usize,
    shape: Shape,
    options: &ParseOptions<'_>,
) -> Result<Outline, Error> {
    if let Some(format) = options.format.filter(|format| format.is_read() && !format.is_built_in())
    {
        return Err(Error::new(ErrorKind::NotBuiltIn(format), 0));
    }
    // robots.txt is cut at the limit instead of rejected, and can have any encoding.
    if let Shape::Text(Format::RobotsTxt) = shape
        && Format::RobotsTxt.is_built_in()
    {
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
        Shape::Json if READS_JSON => parse_json(bytes, body, options),
        Shape::Json => Err(Error::new(ErrorKind::NotBuiltIn(Format::Unknown), 0)),
        Shape::Text(format) if !format.is_built_in() => Err(refuse(format)),
        Shape::Text(format) => built_in!(format => parse(bytes, body, &options.limits)),
    }
}

fn refuse(format: Format) -> Error {
    let kind = match format {
        Format::Unknown => ErrorKind::UnknownFormat,
        _ if format.is_read() => ErrorKind::NotBuiltIn(format),
        _ => ErrorKind::NotADiscoveryDocument(format),
    };
    Error::new(kind, 0)
}

/// The table of the top-level members of a JSON format.
fn json_fields(format: Format) -> Option<Lookup> {
    built_in!(format => top())
}

#[inline(never)] // Keeps its buffers off the stack of its callers.
fn parse_json(bytes: &[u8], body: Span, options: &ParseOptions<'_>) -> Result<Outline, Error> {
    let forced = options.format.filter(|format| format.is_read());
    let (mut evidence, mut remembered) = (Evidence::default(), Remembered::default());
    let kind = detect::validate(
        bytes,
        body.start as usize,
        options.limits.depth_limit(),
        &mut evidence,
        Some(&mut remembered),
    )?;
    if kind != TokenKind::ObjectStart {
        return Err(Error::new(
            if forced.is_some() { ErrorKind::WrongFormat } else { ErrorKind::UnknownFormat },
            0,
        ));
    }
    let found = detect::json_format(evidence, &options.hints);
    let object = Value::trusted(trim(body.slice(bytes)));
    let inner = detect::manifest_in_envelope(object, found, forced, &options.hints);
    let (body, format) = match inner {
        Some((manifest, inner)) => (Span::of(manifest.raw(), bytes), inner.format),
        None => (body, forced.unwrap_or(found.format)),
    };
    let Some(fields) = json_fields(format) else {
        return Err(refuse(format));
    };
    let mut outline = Outline::new(format, body);
    // Of several names of a field, not the last one counts.
    let mut has_alias = false;
    let mut number = |name| {
        let meaning = fields.find(name)?;
        has_alias |= meaning.rank > 0;
        Some(meaning.field)
    };
    if remembered.overflow || inner.is_some() {
        for member in outline.object(bytes).members() {
            let value = json::Slot {
                holds: json::Holds::of(member.value),
                ..json::Slot::of_value(member.value, bytes)
            };
            outline.set_member(number(member.name), value);
        }
    } else {
        for (name, value) in &remembered.members {
            outline.set_member(number(Text::plain(name.slice(bytes))), *value);
        }
    }
    if has_alias {
        note_again(&mut outline, bytes, fields);
    }
    Ok(outline)
}

/// Records the top level of a document in which an alias occurs.
#[cold]
#[inline(never)]
fn note_again(outline: &mut Outline, bytes: &[u8], fields: Lookup) {
    let mut record = json::Record::new();
    record.note(bytes, Span::of(outline.object(bytes).raw(), bytes).start as usize, fields.names);
    outline.note(&record);
}

impl<'a> AgentsTxt<'a> {
    /// Parses a document that is known to have this format. ([`Document::parse`] detects the
    /// format.)
    ///
    /// # Errors
    /// [`InvalidUtf8`](crate::ErrorKind::InvalidUtf8), [`TooLarge`](crate::ErrorKind::TooLarge) and
    /// [`LineTooLong`](crate::ErrorKind::LineTooLong).
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self, Error> {
        Document::parse_as(bytes, Format::AgentsTxt, limits)
            .map(|document| Self::attach(bytes, document.outline()))
    }
}
