//! Converts a document to another format.

use super::adapt::Source;
use super::awp::Synthetic;
use super::loss::{Loss, Part, Reason};
use super::out::Out;
use super::{adapt, adp, agents_md, awp, draft, flat, llms_txt, preferences};
use crate::diagnostic::Severity;
use crate::document::Document;
use crate::document::with_reading;
use crate::format::about::{Says, Takes};
use crate::format::agents_md::unread_prohibitions;
use crate::format::robots_txt::unread::{Kind, restrictions};
use crate::format::{Format, fact};
use crate::model::Reading;
use crate::rules::doubled;
use crate::sink::{Sink, SliceSink};
use crate::span::Span;
use crate::syntax::text::Text;

/// Options of a conversion.
#[derive(Clone, Copy, Debug)]
pub struct ConvertOptions<'o> {
    /// The origin of the document, such as `https://example.com`. It is the URL of the site if the
    /// document states none, and the base of relative references.
    pub origin: Option<&'o str>,
    /// Whether JSON is indented by two spaces per level; otherwise it is written on one line. True
    /// by default.
    pub pretty: bool,
    /// Whether to drop restrictions that the target cannot express. Of a capability, these are
    /// confirmation by a person, sensitivity, and all rate limits but the strictest. Of the whole
    /// site, these are its rate limits, the prohibitions of an agents.md, and restrictions that the
    /// format of the document does not read. If false (the default), the capability is left out, or
    /// the conversion is refused. Access patterns, agent policies and authentication are never
    /// dropped.
    pub loosen: bool,
    /// What made an agent.json of the Agent Web Protocol, if the owner of the site does not publish it.
    /// `None` (the default) states nothing.
    pub synthetic: Option<Synthetic<'o>>,
    /// The id of the capability whose detail of the Agent Discovery Protocol is written: as in the
    /// document, or its name in the detail. The first one with this id counts. `None` (the default)
    /// is the only capability. Other targets ignore it.
    pub capability: Option<&'o str>,
}

impl Default for ConvertOptions<'_> {
    fn default() -> Self {
        Self { origin: None, pretty: true, loosen: false, synthetic: None, capability: None }
    }
}

/// Why nothing was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ConvertError {
    /// A document of this format cannot be converted to the target.
    Unsupported,
    /// The target cannot express a restriction, so it would allow agents more. Losses of severity
    /// `Error` name the restriction.
    Refused,
    /// [`ConvertOptions::capability`] is not the id of a capability, or is absent although the
    /// document does not have exactly one capability.
    NoCapability,
    /// The buffer is too small.
    BufferTooSmall {
        /// The required length.
        needed: usize,
    },
}

impl core::fmt::Display for ConvertError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Unsupported => f.write_str("this document cannot be converted to that format"),
            Self::Refused => {
                f.write_str("the target format would allow agents more than the document does")
            }
            Self::NoCapability => {
                f.write_str("a detail has one capability; name one that the document declares")
            }
            Self::BufferTooSmall { needed } => {
                write!(f, "the buffer is too small; it needs {needed} bytes")
            }
        }
    }
}

impl core::error::Error for ConvertError {}

/// That a document of one format cannot be converted to another, with the targets that it has.
/// [`Format::target`] returns it.
#[derive(Clone, Copy, Debug)]
pub struct NoTarget<'a> {
    source: Format,
    target: &'a str,
}

impl core::fmt::Display for NoTarget<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { source, target } = self;
        let wrong = "a document of the format";
        write!(f, "{wrong} {source} cannot be converted to {target:?}; use one of: ")?;
        for format in Format::ALL.iter().filter(|format| format.is_made_of(*source)) {
            write!(f, "{format}, ")?;
        }
        f.write_str("json")
    }
}

impl core::error::Error for NoTarget<'_> {}

impl Format {
    /// The format with this id, if documents of this format can be converted to it.
    ///
    /// # Errors
    /// The message for people, which lists the targets and `json` for the unified model.
    ///
    /// ```
    /// use agentsdisc_core::Format;
    /// assert_eq!(Format::AgentsTxt.target("awp").unwrap(), Format::Awp);
    /// let said = "a document of the format robots-txt cannot be converted to \"awp\"; use one of: agents-txt, agents-json, robots-txt, json";
    /// assert_eq!(Format::RobotsTxt.target("awp").unwrap_err().to_string(), said);
    /// ```
    pub fn target(self, id: &str) -> Result<Self, NoTarget<'_>> {
        Self::from_id(id)
            .filter(|target| target.is_made_of(self))
            .ok_or(NoTarget { source: self, target: id })
    }

    /// Whether documents of format `source` can be converted to this format.
    ///
    /// Every readable format converts to agents.txt and agents.json of the Internet-Draft, to
    /// agents.md, to llms.txt, to agent.json of the Agent Web Protocol, and to the manifest and the
    /// details of the Agent Discovery Protocol, except as follows. The answer of a
    /// registry covers many sites, catalogs and indexes of skills only refer to documents, and an
    /// MCP server card describes a server instead of a site, so none of these converts. A
    /// robots.txt declares nothing, so it only converts to the two formats of the Internet-Draft,
    /// and to a robots.txt that states its AI preferences in both fields. The two 0.1 formats also
    /// convert to each other.
    pub const fn is_made_of(self, source: Self) -> bool {
        let says = fact!(source => says);
        source.is_read()
            && match fact!(self => takes) {
                Takes::Nothing => false,
                Takes::Rules => matches!(says, Says::Rules | Says::Services),
                Takes::Services => matches!(says, Says::Services),
                Takes::Version01 => matches!(fact!(source => takes), Takes::Version01),
                Takes::Own => self as u8 == source as u8,
            }
    }
}

impl<'a> Document<'a> {
    /// Writes the document to a sink in another format (or in its own, with new layout), and
    /// returns the length.
    ///
    /// Before writing anything, calls `on_loss` for everything that the target cannot express, or
    /// expresses elsewhere. Every member of the unified model either has the same value when the
    /// result is parsed, or a loss names the member or one of its parents. Comments, and defaults
    /// of a specification, are not part of the model.
    ///
    /// The result lifts no restriction that the source states. (agents.md, llms.txt and agent.json
    /// have no access rules: what the source denies only because it does not declare it, they do not
    /// cover.) Unreadable authentication becomes
    /// authentication of an unknown type, an unreadable list of the capabilities of an agent
    /// becomes an empty list, and the conversion fails if an access pattern cannot be written.
    ///
    /// A manifest and the details ([`Format::AdpCapability`]) of the Agent Discovery Protocol are
    /// only published together: the details have what calls need, such as rate limits, and only the
    /// manifest has the authentication. The losses of a detail are those of its capability, and
    /// those that refuse the conversion. To write all details takes quadratic time.
    ///
    /// For the unified JSON, which loses nothing, use [`put_json`](Self::put_json). Linear in the
    /// document, which is walked twice.
    ///
    /// # Errors
    /// [`ConvertError::Unsupported`], [`ConvertError::NoCapability`] and [`ConvertError::Refused`];
    /// then nothing was written.
    ///
    /// ```
    /// use agentsdisc_core::{ConvertOptions, Document, Format};
    /// let document = Document::parse(b"Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nDisallow: /admin/*\n")?;
    /// let options = ConvertOptions { pretty: false, ..ConvertOptions::default() };
    /// let mut buffer = [0; 256];
    /// let length = document.write_converted(Format::AgentsJson, &options, &mut buffer, |loss| panic!("{loss}")).unwrap();
    /// assert_eq!(
    ///     core::str::from_utf8(&buffer[..length]),
    ///     Ok(r#"{"specVersion":"1.0","site":{"name":"Mugs","url":"https://mugs.example"},"access":{"disallow":["/admin/*"]}}"#)
    /// );
    /// # Ok::<(), agentsdisc_core::Error>(())
    /// ```
    pub fn convert(
        &self,
        target: Format,
        options: &ConvertOptions<'_>,
        sink: &mut impl Sink,
        mut on_loss: impl FnMut(Loss<'a>),
    ) -> Result<usize, ConvertError> {
        if !target.is_made_of(self.format()) {
            return Err(ConvertError::Unsupported);
        }
        with_reading(self, |reading| {
            let chosen = match target {
                Format::AdpCapability => {
                    let found = chosen(reading, options.capability);
                    Some(found.ok_or(ConvertError::NoCapability)?)
                }
                _ => None,
            };
            let mut length = 0_usize;
            let mut count = |piece: &[u8]| length = length.saturating_add(piece.len());
            if run(self, reading, (target, chosen), options, &mut count, &mut on_loss) {
                return Err(ConvertError::Refused);
            }
            run(self, reading, (target, chosen), options, sink, &mut |_| {});
            Ok(length)
        })
    }

    /// The same into a buffer. Losses are also reported if the buffer is too small.
    ///
    /// # Errors
    /// Those of [`convert`](Self::convert), and [`ConvertError::BufferTooSmall`] with the required
    /// length.
    pub fn write_converted(
        &self,
        target: Format,
        options: &ConvertOptions<'_>,
        buffer: &mut [u8],
        on_loss: impl FnMut(Loss<'a>),
    ) -> Result<usize, ConvertError> {
        let mut sink = SliceSink::new(buffer);
        self.convert(target, options, &mut sink, on_loss)?;
        if sink.is_whole() {
            Ok(sink.length())
        } else {
            Err(ConvertError::BufferTooSmall { needed: sink.length() })
        }
    }
}

/// How many policies below one are compared with it.
const NEAR: usize = 32;

/// Reports restrictions that the format does not read, but decisions respect. They are lost in
/// another format. A policy without a name is lost in every format.
fn report_unread<'a>(out: &mut Out<'_, 'a>, document: &Document<'a>, target: Format, loosen: bool) {
    let format = document.format();
    let severity = if loosen { Severity::Warning } else { Severity::Error };
    if let Some(text) = document.agents_txt()
        && text.has_nameless_policy()
    {
        let place = out.place;
        out.lose(Part::object("agents"), Reason::Unreadable, severity, place);
    }
    if let Some(name) = doubled::in_document(document.text(), format, false) {
        let span = out.span(name);
        out.lose(Part::object("access"), Reason::Unreadable, severity, span);
    }
    if let Some(line) = document.robots_txt().and_then(|robots| robots.unread_restriction()) {
        let span = out.span(line);
        out.lose(Part::object("access"), Reason::Unreadable, severity, span);
    }
    if let Some(json) = document.agents_json() {
        // A text gives both policies, of which the last one counts. Bounded, so that the walk is
        // linear: documents repeat names by mistake, near each other.
        let mut policies = json.agents();
        while let Some(policy) = policies.next() {
            let mut next = policies.take(NEAR);
            if next.any(|other| other.contradicts(policy.name, policy.source)) {
                let span = out.span(policy.name.unwrap_or_default());
                out.lose(Part::object("agents"), Reason::Unreadable, severity, span);
            }
        }
        for text in json.misspelled_restrictions() {
            let span = out.span(text);
            out.lose(Part::object("access"), Reason::Unreadable, severity, span);
        }
    }
    if format == target {
        return;
    }
    if document.agents_txt().is_some_and(|text| text.has_unread_allow())
        || document.agents_json().is_some_and(|json| json.has_misspelled_allow())
    {
        let place = out.place;
        out.lose(Part::object("access"), Reason::Unreadable, severity, place);
    }
    let audit = match (document.agents_txt_01(), document.agents_json_01()) {
        (Some(text), _) => text.audit_or_default(),
        (_, Some(json)) => json.audit_or_default(),
        _ => Some(false),
    };
    if audit.is_none() && fact!(target => takes) == Takes::Version01 {
        // A target without the member states that nothing is recorded.
        let place = super::place::of(document.bytes(), format, super::place::AUDIT);
        out.lose(Part::object("audit"), Reason::Unreadable, Severity::Warning, place);
    }
    if format.is_json() || format == Format::RobotsTxt {
        return;
    }
    let kind = match (format, target) {
        (Format::AgentsTxt, Format::AgentsJson) => Kind::Kept,
        _ => fact!(format => lines),
    };
    for text in restrictions(document.text(), kind) {
        let span = out.span(text);
        out.lose(Part::object("access"), Reason::Unreadable, severity, span);
    }
    if Format::AgentsMd.is_built_in() && format == Format::AgentsMd {
        for text in unread_prohibitions(document.text()) {
            let (part, span) = (Part::object("permissions"), out.span(text));
            out.lose(part, Reason::Unreadable, severity, span);
        }
    }
}

/// The index of the first capability with this id, or else this name; or of the only capability.
fn chosen<'a>(reading: &dyn Reading<'a>, id: Option<&str>) -> Option<u32> {
    let mut list = reading.capabilities();
    let Some(wanted) = id else {
        return list.next().filter(|_| list.next().is_none()).map(|_| 0);
    };
    let is_named =
        |id: Text<'a>| adapt::joined(id, '_').is_some_and(|made| made.as_str() == wanted);
    let mut found = { list }.position(|one| one.id.is_some_and(|id| id == *wanted));
    found = found.or_else(|| list.position(|one| one.id.is_some_and(is_named)));
    found.map(|index| index as u32)
}

/// Writes once; returns whether the conversion is refused. A detail is of the `chosen` capability.
fn run<'a>(
    document: &Document<'a>,
    reading: &dyn Reading<'a>,
    (target, chosen): (Format, Option<u32>),
    options: &ConvertOptions<'_>,
    sink: &mut dyn Sink,
    on_loss: &mut dyn FnMut(Loss<'a>),
) -> bool {
    let mut out = Out::new(sink, target.is_json(), options.pretty, document.bytes(), on_loss);
    out.only = chosen.map(|index| Part::item("capabilities", index));
    if document.format() == Format::OpenApi {
        // A description has much that is not for agents.
        out.carried = "x-agent";
    }
    report_unread(&mut out, document, target, options.loosen);
    if let (Some(robots), Format::RobotsTxt) = (document.robots_txt(), target) {
        preferences::write(&mut out, &robots);
    } else if fact!(target => takes) == Takes::Version01 {
        flat::write(&mut out, reading, document.format(), options.loosen);
    } else if target == document.format() && fact!(target => takes) == Takes::Services {
        out.copy(document.bytes());
    } else {
        let own = document
            .agents_json()
            .and_then(|json| json.top.metadata)
            .map_or(Span::default(), |own| document.span_of(own.0.raw()));
        let mut source =
            Source::new(reading, document.format(), options.loosen, options.origin, own);
        source.has_unread_auth = document.agents_json().is_some_and(|it| it.has_common_auth());
        match target {
            Format::Awp => awp::write(&mut out, &source, options.synthetic),
            Format::AgentsMd => agents_md::write(&mut out, &source),
            Format::LlmsTxt => llms_txt::write(&mut out, &source),
            Format::Adp => adp::manifest(&mut out, &source),
            Format::AdpCapability => {
                adp::detail(&mut out, &source, chosen.unwrap_or_default(), document.openapi());
            }
            _ => draft::write(&mut out, &source),
        }
    }
    out.refused
}
