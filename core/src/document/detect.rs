//! Detects the format of a document from its content and, if the content is not sufficient, from
//! hints.
//!
//! No single sign decides: a document without a required member is still recognized, so that the
//! check can report it. An uncertain result is [`Format::Unknown`]. The rules are in section 12 of
//! `docs/formats.md`. [`json_format`] and [`text_format`] implement them.

mod text;

use crate::error::Error;
use crate::format::Format;
use crate::scan;
use crate::span::Span;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::{self, TokenKind, Value, next_member};
use crate::syntax::text::trim;

pub(crate) use text::text_format;

/// Information about a document besides its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'h> {
    /// The URL from which it was fetched, or only its path.
    pub url: Option<&'h str>,
    /// The Content-Type of the response.
    pub content_type: Option<&'h str>,
}

impl<'h> Hints<'h> {
    /// The path of the URL, without query and fragment.
    fn path(&self) -> &'h [u8] {
        let Some(url) = self.url.map(str::as_bytes) else {
            return b"";
        };
        let path = match scan::find(url, b"://").and_then(|at| url.get(at..)?.strip_prefix(b"://"))
        {
            Some(rest) => scan::memchr(b'/', rest)
                .and_then(|at| rest.get(at..))
                .unwrap_or(b"/"),
            None => url,
        };
        path.split(|octet| matches!(octet, b'?' | b'#'))
            .next()
            .unwrap_or_default()
    }

    fn path_ends_with(&self, end: &str) -> bool {
        let path = self.path();
        let tail = path
            .len()
            .checked_sub(end.len())
            .and_then(|at| path.get(at..));
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end.as_bytes()))
    }
}

/// The signs that were found, one bit each, and the votes of the lines of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// The signs; see [`Evidence::signs`].
    bits: u64,
    /// The number of fields that only agents.txt of the Internet-Draft has.
    pub agents_txt: u32,
    /// The number of fields that only agents.txt 0.1.0 has.
    pub agents_txt_01: u32,
    /// The number of fields of robots.txt.
    pub robots_txt: u32,
}

/// A detected format and its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The format.
    pub format: Format,
    /// The signs that decided.
    pub evidence: Evidence,
    /// True if a hint was needed.
    pub by_hint: bool,
}

macro_rules! signs {
    ($($name:ident = $bit:literal $text:literal,)*) => {
        $(const $name: u64 = 1 << $bit;)*
        const SIGNS: &[(u64, &str)] = &[$(($name, $text),)*];
    };
}

signs! {
    AWP_VERSION = 0 "member awp_version",
    DOMAIN = 1 "member domain",
    INTENT = 2 "member intent",
    ACTIONS = 3 "member actions",
    SPEC_VERSION_SNAKE = 4 "member spec_version",
    BASE_URL = 5 "member base_url",
    DETAIL_URLS = 6 "capabilities with detail_url",
    AUTH = 7 "member auth",
    PRICING = 8 "member pricing",
    ENDPOINT = 9 "member endpoint",
    METHOD = 10 "member method",
    PARAMETERS = 11 "member parameters",
    SUCCESS = 12 "member success",
    DATA = 13 "member data",
    MATCHING = 14 "results with matching_capabilities",
    SPEC_VERSION = 15 "member specVersion",
    SITE = 16 "member site",
    CAPABILITIES = 17 "member capabilities",
    SCHEMA_VERSION = 18 "member schema_version or protocol_version",
    NAME_FOR_MODEL = 19 "member name_for_model",
    AGENTS_JSON = 20 "member agentsJson",
    OPENAPI = 21 "member openapi or swagger",
    AID = 22 "member v with an AID version",
    URL = 23 "member url",
    SKILLS = 24 "member skills",
    PROTOCOL_VERSION = 25 "member protocolVersion",
    SERVER_INFO = 26 "member serverInfo or remotes",
    PERMISSIONS = 27 "member resource_rules or action_guidelines",
    QUERY = 28 "member query or result_count",
    NAME = 29 "member name",
    DRAFT_SHAPE = 30 "capabilities with id",
    LEGACY_SHAPE = 31 "capabilities with name",
    HTML = 32 "HTML",
    JSON = 33 "a JSON object",
    MARKDOWN = 34 "front matter or known sections",
    LLMS = 35 "a title, a quote and lists of links",
    BRACKETS = 36 "sections in brackets",
}

impl Evidence {
    /// The signs that were found, as text.
    pub fn signs(&self) -> impl Iterator<Item = &'static str> + use<> {
        let bits = self.bits;
        SIGNS
            .iter()
            .filter(move |(bit, _)| bits & bit != 0)
            .map(|(_, text)| *text)
    }

    fn has(&self, bits: u64) -> bool {
        self.bits & bits == bits
    }

    fn count(&self, bits: u64) -> u32 {
        (self.bits & bits).count_ones()
    }

    /// True if the recorded members are those of `format`. The value of `capabilities` was not
    /// examined; it is examined now if it can change the result. False if the order of members can
    /// change it.
    pub(crate) fn agrees(
        mut self,
        format: Format,
        hints: &Hints<'_>,
        capabilities: Option<Value<'_>>,
    ) -> bool {
        let least = json_format(self, hints);
        // Signs that were not recorded count only for manifests of ADP; earlier rules do not use
        // them.
        let settled = match format {
            Format::AgentsJson | Format::Awp | Format::Adp => true,
            _ => {
                json_format(
                    Self {
                        bits: self.bits | DETAIL_URLS,
                        ..self
                    },
                    hints,
                )
                .format
                    == format
            }
        };
        if least.format == format && !least.by_hint && settled {
            return true;
        }
        if let Some(value) = capabilities {
            if self.has(SPEC_VERSION) {
                return false;
            }
            self.note_member(b"capabilities", value);
        }
        json_format(self, hints).format == format
    }

    /// Records the members of a JSON object that the table of a format names (a bit each), without
    /// their values.
    pub(crate) fn note_fields(&mut self, table: Option<Lookup>, named: u32) {
        let mut rest = named;
        while rest != 0 {
            let number = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            self.bits |= table.map_or(0, |table| sign_of(table.name(number)));
        }
    }

    /// Records a top-level member of a JSON object.
    pub(crate) fn note_member(&mut self, name: &[u8], value: Value<'_>) {
        self.bits |= match name {
            b"data" => DATA | first_signs(value, &[("matching_capabilities", MATCHING)]),
            // After specVersion, capabilities are those of agents.json in any form.
            b"capabilities" if !self.has(SPEC_VERSION) => {
                CAPABILITIES
                    | first_signs(
                        value,
                        &[
                            ("detail_url", DETAIL_URLS),
                            ("id", DRAFT_SHAPE),
                            ("name", LEGACY_SHAPE),
                        ],
                    )
            }
            b"v" if value.as_text().is_some_and(|v| v == "aid1" || v == "aid2") => AID,
            _ => sign_of(name),
        };
    }
}

/// The sign of a top-level member, for any value; 0 if there is none.
fn sign_of(name: &[u8]) -> u64 {
    match name {
        b"awp_version" => AWP_VERSION,
        b"domain" => DOMAIN,
        b"intent" => INTENT,
        b"actions" => ACTIONS,
        b"spec_version" => SPEC_VERSION_SNAKE,
        b"base_url" => BASE_URL,
        b"auth" => AUTH,
        b"pricing" => PRICING,
        b"endpoint" => ENDPOINT,
        b"method" => METHOD,
        b"parameters" => PARAMETERS,
        b"success" => SUCCESS,
        b"data" => DATA,
        b"specVersion" => SPEC_VERSION,
        b"site" => SITE,
        b"capabilities" => CAPABILITIES,
        b"schema_version" | b"protocol_version" => SCHEMA_VERSION,
        b"name_for_model" => NAME_FOR_MODEL,
        b"agentsJson" => AGENTS_JSON,
        b"openapi" | b"swagger" => OPENAPI,
        b"url" => URL,
        b"skills" => SKILLS,
        b"protocolVersion" => PROTOCOL_VERSION,
        b"serverInfo" | b"remotes" => SERVER_INFO,
        b"resource_rules" | b"action_guidelines" => PERMISSIONS,
        b"query" | b"result_count" => QUERY,
        b"name" => NAME,
        _ => 0,
    }
}

/// The signs of the members of the first element of an array, if it is an object. Reads only this
/// element, and only once.
fn first_signs(value: Value<'_>, names: &[(&str, u64)]) -> u64 {
    let Some((b'{', inside)) = trim_start(value.inside(b'[')).split_first() else {
        return 0;
    };
    let (mut found, mut position) = (0, 0);
    // No other member follows the last one, because the next element does not begin with a quote.
    while let Some(member) = next_member(inside, &mut position) {
        let sign = names.iter().find(|(name, _)| member.name == **name);
        found |= sign.map_or(0, |(_, sign)| *sign);
    }
    found
}

/// True if the document is HTML. Examines the bytes after white space, comments and an XML
/// declaration.
pub(crate) fn is_html(bytes: &[u8]) -> bool {
    let mut rest = trim(bytes);
    // Bounded, because a page can begin with a few comments.
    for _ in 0..8 {
        let behind = if rest.starts_with(b"<!--") {
            scan::find(rest, b"-->").map(|at| at + 3)
        } else if rest.starts_with(b"<?xml") {
            scan::find(rest, b"?>").map(|at| at + 2)
        } else {
            None
        };
        match behind.and_then(|at| rest.get(at..)) {
            Some(after) => rest = trim(after),
            None => break,
        }
    }
    let starts = |word: &[u8]| {
        rest.get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word))
    };
    starts(b"<!doctype") || starts(b"<html") || starts(b"<head>") || starts(b"<body")
}

/// True if the text could be a JSON object: its first character is `{`.
pub(crate) fn looks_like_json(bytes: &[u8]) -> bool {
    trim_start(bytes).first() == Some(&b'{')
}

fn trim_start(mut bytes: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\r' | b'\n', rest @ ..] = bytes {
        bytes = rest;
    }
    bytes
}

/// The format of a JSON object, from its top-level members.
pub(crate) fn json_format(mut evidence: Evidence, hints: &Hints<'_>) -> Detection {
    evidence.bits |= JSON;
    let e = &evidence;
    let adp = e.count(SPEC_VERSION_SNAKE | BASE_URL | DETAIL_URLS | AUTH | PRICING);
    let by_content = if e.has(AWP_VERSION) && e.count(DOMAIN | INTENT | ACTIONS) >= 2 {
        Format::Awp
    } else if e.has(SUCCESS | DATA) && (e.has(MATCHING) || e.has(QUERY)) {
        Format::AdpSearch
    } else if e.has(SPEC_VERSION) && e.count(SITE | CAPABILITIES) >= 1 {
        Format::AgentsJson
    } else if adp >= 3 {
        Format::Adp
    } else if e.has(ENDPOINT | METHOD | PARAMETERS) {
        Format::AdpCapability
    } else if e.has(NAME_FOR_MODEL | SCHEMA_VERSION) {
        Format::AiPlugin
    } else if e.has(OPENAPI) {
        Format::OpenApi
    } else if e.has(AID) {
        Format::Aid
    } else if e.has(SCHEMA_VERSION) && e.count(SITE | CAPABILITIES) >= 1 {
        Format::AgentsJson01
    } else if e.has(AGENTS_JSON) {
        Format::WildcardAgentsJson
    } else if e.has(PERMISSIONS) {
        Format::AgentPermissions
    } else if e.has(SERVER_INFO | NAME) || e.has(SERVER_INFO | PROTOCOL_VERSION) {
        Format::McpServerCard
    } else if e.has(URL)
        && (e.has(SKILLS) || e.has(PROTOCOL_VERSION) && e.count(NAME | CAPABILITIES) >= 1)
    {
        Format::A2aAgentCard
    } else {
        Format::Unknown
    };
    if by_content != Format::Unknown {
        return Detection {
            format: by_content,
            evidence,
            by_hint: false,
        };
    }
    // One sign less than the content needs: the URL decides.
    let by_hint = if hints.path_ends_with("/agent.json")
        && (e.has(AWP_VERSION) || e.count(DOMAIN | INTENT | ACTIONS) >= 2)
    {
        Format::Awp
    } else if hints.path_ends_with("/agents.json")
        && e.count(SPEC_VERSION | SITE | CAPABILITIES | SCHEMA_VERSION) >= 1
    {
        if e.has(SCHEMA_VERSION) || e.has(LEGACY_SHAPE) && !e.has(DRAFT_SHAPE) {
            Format::AgentsJson01
        } else {
            Format::AgentsJson
        }
    } else if hints.path_ends_with("/.well-known/agent") && adp >= 2 {
        Format::Adp
    } else if hints.path_ends_with("/agent-card.json")
        && e.count(URL | SKILLS | PROTOCOL_VERSION | CAPABILITIES | NAME) >= 2
    {
        Format::A2aAgentCard
    } else if hints.path_ends_with("/mcp/server-card.json") {
        Format::McpServerCard
    } else if hints.path_ends_with("/agent-permissions.json") {
        Format::AgentPermissions
    } else if scan::find(hints.path(), b"/capabilities/").is_some()
        && e.count(ENDPOINT | METHOD | PARAMETERS) >= 2
    {
        Format::AdpCapability
    } else {
        Format::Unknown
    };
    Detection {
        format: by_hint,
        evidence,
        by_hint: by_hint != Format::Unknown,
    }
}

/// Detects the format of a document.
///
/// Reads the whole of a JSON document, because its members can have any order. Of other documents
/// it reads at most the first 64 KB, 512 lines and 64 fields. It stops after the first four lines
/// of content if they are clear: at least two keys belong to one format, none to another, and no
/// line looks like Markdown. Returns [`Format::Unknown`] for invalid JSON.
///
/// ```
/// use agentsdisc_core::{Format, Hints, detect};
/// let found = detect(b"Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n", Hints::default());
/// assert_eq!(found.format, Format::AgentsTxt);
/// ```
#[inline(never)] // Keeps its buffers off the stack of its callers.
pub fn detect(bytes: &[u8], hints: Hints<'_>) -> Detection {
    let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if is_html(body) {
        return html();
    }
    if looks_like_json(body) {
        let mut evidence = Evidence::default();
        return match validate(body, 0, crate::Limits::MAX_DEPTH, &mut evidence, None) {
            Ok(_) => {
                let found = json_format(evidence, &hints);
                let inner = manifest_in_envelope(Value::trusted(trim(body)), found, None, &hints);
                inner.map_or(found, |(_, inner)| inner)
            }
            Err(_) => Detection {
                format: Format::Unknown,
                evidence,
                by_hint: false,
            },
        };
    }
    text_format(body, &hints)
}

/// Returns the manifest of the Agent Discovery Protocol in the response of a registry
/// (`data.manifest`), and its detection, if the object itself is of no format.
pub(crate) fn manifest_in_envelope<'a>(
    object: Value<'a>,
    found: Detection,
    forced: Option<Format>,
    hints: &Hints<'_>,
) -> Option<(Value<'a>, Detection)> {
    const OWN: u64 = SPEC_VERSION_SNAKE | BASE_URL | AUTH | PRICING | CAPABILITIES;
    let is_open = match forced {
        None => found.format == Format::Unknown,
        Some(format) => format == Format::Adp && found.evidence.count(OWN) == 0,
    };
    if !is_open || !found.evidence.has(DATA) {
        return None;
    }
    let manifest = object.get("data")?.get("manifest")?;
    let mut evidence = Evidence::default();
    for member in manifest.members() {
        note_text(&mut evidence, member.name, member.value);
    }
    let inner = json_format(evidence, hints);
    (inner.format == Format::Adp).then_some((manifest, inner))
}

/// The result for HTML.
pub(crate) const fn html() -> Detection {
    Detection {
        format: Format::Html,
        evidence: Evidence {
            bits: HTML,
            agents_txt: 0,
            agents_txt_01: 0,
            robots_txt: 0,
        },
        by_hint: false,
    }
}

/// The top-level members of a JSON document whose format is not known yet.
#[derive(Default)]
pub(crate) struct Remembered {
    /// For each its name in quotes, its value, and true if that is a string without escapes.
    pub(crate) members: heapless::Vec<(Span, Span, bool), REMEMBERED>,
    /// True if there are more, which another pass must read.
    pub(crate) overflow: bool,
}

/// The maximum number of recorded members.
const REMEMBERED: usize = 32;

/// Validates a JSON document from `start`, records the signs of its top-level members and, on
/// request, the members. Returns the kind of the top-level value.
///
/// # Errors
/// Those of [`json::validate`].
#[inline]
pub(crate) fn validate(
    bytes: &[u8],
    start: usize,
    depth: usize,
    evidence: &mut Evidence,
    mut remembered: Option<&mut Remembered>,
) -> Result<TokenKind, Error> {
    json::validate(bytes, start, depth, |name, value, plain| {
        note(evidence, bytes, name, value);
        if let Some(remembered) = &mut remembered {
            remembered.overflow |= remembered.members.push((name, value, plain)).is_err();
        }
    })
}

/// Adds the sign of a recorded member, with its name in quotes.
fn note(evidence: &mut Evidence, bytes: &[u8], name: Span, value: Span) {
    if let Some(name) = Value::trusted(name.slice(bytes)).as_text() {
        note_text(evidence, name, Value::trusted(value.slice(bytes)));
    }
}

/// Adds the sign of a member. Decodes a name with escapes first.
pub(crate) fn note_text(
    evidence: &mut Evidence,
    name: crate::syntax::text::Text<'_>,
    value: Value<'_>,
) {
    use crate::syntax::json::view::{NAME, plain_name};
    let mut buffer = [0; NAME];
    evidence.note_member(plain_name(name, &mut buffer), value);
}
