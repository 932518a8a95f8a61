//! The check of an AI Catalog: what the rules in the tables of the format refer to.

use super::{AiCatalog, Entry, Top, TrustManifest};
use crate::diagnostic::Code::SelfReference;
use crate::diagnostic::{Diagnostic, Severity, Spec};
use crate::rules::json::reading::or_absent;
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::json::{decoded, quoted};
pub(super) use crate::rules::media::is_media_type;
use crate::rules::report::Report;
pub(super) use crate::rules::timestamp::is_iso_8601;
pub(super) use crate::rules::urls::has_scheme;
use crate::rules::urls::is_elsewhere;
use crate::scan;
use crate::syntax::json::{Kind, Value};
use crate::syntax::pieces::{Pieces, before};
use crate::syntax::text::Text;
use crate::syntax::url::{HostKind, Url};

says! {
    NO_IDENTITY_TYPE: InvalidValue, "{} is not a valid type of an identity; write spiffe, did, https, dns or other";
    NO_RELATION: InvalidValue, "{} is not a valid relation; write derivedFrom, publishedFrom or copiedFrom";
    NO_VERSION: MissingRecommendedField Info, "the catalog has no {}, which readers of versions before 0.91 need; add 1.0";
    NO_ID: InvalidValue Warning, "{} is not a URI; write that of the catalog";
    VERSION: UnsupportedVersion, "version {} is not supported; write 1.0";
    EMPTY: EmptyValue Error, "the catalog is empty; list at least one entry";
    OLD_DATA: NonstandardShape, "{} is read as `data`; use that name";
    NO_OPERATOR: InvalidValue Warning, "{} is neither a DID nor a domain; write one such as did:web:example.com";
    OLD_IDENTIFIER: InvalidValue "4.2.1", "{} has the prefix of an earlier version; begin it with urn:air:";
    NO_IDENTIFIER: InvalidValue "4.2.1", "{} is not a valid identifier; write one such as urn:air:example.com:agents:assistant, with the publisher's domain";
    NO_MEDIA_TYPE: InvalidValue, "{} is not a media type; write one such as application/mcp-server-card+json";
    URL_AND_DATA: Contradiction Error "3.4", "the entry has both {} and `data`; remove one of them";
    NO_CONTENT: MissingRequiredField "3.4", "the entry has neither {} nor `data`; add one of them";
    NO_DATA: WrongType "3.4", wrong_type(Shape::Object);
    QUERIES: InvalidLength Warning, "write 2 to 5 representative queries, which registries use to rank the entry";
    NO_TIME: InvalidTimestamp, "{} is not a valid timestamp; use ISO 8601, for example 2026-02-01T00:00:00Z";
    NO_URI: InvalidValue, "{} is not a URI; write a SPIFFE id, a DID, or a URL such as https://example.com";
    OTHER_DOMAIN: Contradiction Error "5.1", "{} is the identity of another domain than the publisher in the identifier; use one of the publisher's domain";
    NO_SIGNATURE: InvalidValue, "{} is not a detached JWS, which has two dots between header and signature; sign the trust manifest, or remove the member";
    NO_ATTESTATION_TYPE: MissingRecommendedField Info, "the attestation does not say what its document is; add {}";
    NO_DOCUMENT_TYPE: InvalidValue, "{} is not a media type; write one such as application/pdf";
}

/// The start of the media types of catalogs.
const CATALOG: &str = "application/ai-catalog";
/// The well-known paths of a catalog.
const PLACES: [&str; 2] = ["/.well-known/ard.json", "/.well-known/ai-catalog.json"];

/// The maximum length of an identifier that is checked, in bytes after decoding escapes.
const LONGEST: usize = 512;

/// Checks a document. `scratch` needs two numbers for each entry.
pub(crate) fn check<'a>(
    document: &AiCatalog<'a>,
    bytes: &'a [u8],
    origin: Option<&str>,
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, Spec::Ard, report).with(scratch);
    check.origin = origin;
    check.document(document.top.object, Top::RULES);
}

/// Checks what the members of an entry need from each other.
pub(crate) fn entry<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let entry: Entry<'a> = row.view();
    if entry.seen.has(Entry::url) && entry.seen.has(Entry::data) {
        check.without(URL_AND_DATA, "url", row);
    }
    if let Some(url) = entry.url
        && entry.kind.is_some_and(|kind| kind.starts_with_ignore_case(CATALOG))
        && is_itself(url, check.origin)
    {
        let message = "{} is this catalog; remove the entry";
        let span = quoted(url, check.bytes);
        let itself = Diagnostic::new(SelfReference, span, Spec::Ruling, "", message);
        check.report.add(itself.about(url));
    }
    if entry.data.is_some()
        && let Some(member) = entry.object.members().find(|member| member.name == "inline")
        && entry.object.get("data").is_none()
    {
        check.say(OLD_DATA, member.name, row);
    }
    let Some(identifier) = entry.identifier.filter(|text| !text.is_blank()) else { return };
    if !is_of_ard(row) {
        return;
    }
    let mut buffer = [0; LONGEST];
    let Some(publisher) = publisher(identifier, &mut buffer) else {
        let is_old = identifier.starts_with_ignore_case("urn:ai:");
        return check.say(if is_old { OLD_IDENTIFIER } else { NO_IDENTIFIER }, identifier, row);
    };
    let manifest = TrustManifest::read(or_absent(&entry.trust_manifest));
    if let Some(identity) = manifest.identity.filter(|identity| is_of_other(*identity, publisher)) {
        check.say(OTHER_DOMAIN, identity, row);
    }
}

/// Whether an entry follows ARD, where the media type is in `type`. The AI Catalog specification, on
/// which ARD builds, calls it `mediaType`, and allows any identifier and any `data`.
pub(super) fn is_of_ard(row: &Row<'_, '_>) -> bool {
    is_ard(row.object)
}

fn is_ard(entry: Value<'_>) -> bool {
    entry.get("type").is_some() || entry.get("mediaType").is_none()
}

pub(super) fn has_no_data(row: &Row<'_, '_>) -> bool {
    row.value_of(Entry::data).is_none()
}

/// Reports entries with one identifier. In the AI Catalog specification, they may be versions of one
/// artifact.
pub(super) fn identifiers<'a>(entries: Value<'a>, _: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let is_alone = |entry: &Value<'a>| is_ard(*entry) || entry.get("version").is_none();
    let texts = entries.elements().filter(is_alone);
    let texts = texts.filter_map(|entry| entry.get("identifier")?.as_text());
    let message =
        "an earlier entry already has the identifier {}; give each entry a unique identifier";
    check.with_scratch(|check, scratch| {
        check.unique(texts, Severity::Error, "4.2", message, scratch);
    });
}

pub(crate) fn queries<'a>(value: Value<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if value.kind() == Kind::Array && !(2..=5).contains(&value.elements().count()) {
        check.say_at(QUERIES, value, row);
    }
}

/// Whether a URL is the well-known URL of the catalog on the origin of this document.
fn is_itself(url: Text<'_>, origin: Option<&str>) -> bool {
    let origin = origin.and_then(|origin| Url::parse(origin.as_bytes()));
    let mut buffer = None;
    let url = Url::lazily(url, &mut buffer);
    url.zip(origin)
        .is_some_and(|(url, origin)| url.is_same_origin(&origin) && PLACES.contains(&url.path()))
}

/// Returns the publisher of an identifier, `urn:air:PUBLISHER:…:NAME`, if it is valid.
fn publisher<'b>(text: Text<'b>, buffer: &'b mut [u8]) -> Option<&'b str> {
    let text = decoded(text, buffer)?;
    let (prefix, rest) = text.as_bytes().split_at_checked(8)?;
    let mut segments = Pieces::of(rest, b':');
    let publisher = segments.next().and_then(scan::text)?;
    let is_segment = |segment: &[u8]| {
        let is_fit =
            |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'.' | b'_' | b'-');
        !segment.is_empty() && segment.iter().all(is_fit)
    };
    (prefix.eq_ignore_ascii_case(b"urn:air:")
        && publisher.is_ascii()
        && is_domain(publisher)
        && !segments.is_done()
        && segments.all(is_segment))
    .then_some(publisher)
}

/// Whether an identity belongs to another domain than that of a publisher.
fn is_of_other(identity: Text<'_>, publisher: &str) -> bool {
    let mut buffer = [0; LONGEST];
    let text = decoded(identity, &mut buffer).filter(|_| has_scheme(identity));
    let domain = text.and_then(|text| match text.strip_prefix("did:web:") {
        Some(rest) => scan::text(before(rest.as_bytes(), b':')),
        None => Url::parse(text.as_bytes()).map(|url| url.host()),
    });
    domain.is_some_and(|domain| is_elsewhere(publisher, domain))
}

/// Whether a text is a domain name with at least two labels.
fn is_domain(text: &str) -> bool {
    scan::memchr(b'.', text.as_bytes()).is_some() && HostKind::of(text) == Some(HostKind::Domain)
}

/// Whether a text is a DID or a domain.
pub(crate) fn is_operator(text: Text<'_>) -> bool {
    text.starts_with_ignore_case("did:") || decoded(text, &mut [0; LONGEST]).is_some_and(is_domain)
}

/// Whether a signature is a JWS without its payload.
pub(crate) fn is_detached(signature: Text<'_>) -> bool {
    scan::find(signature.raw(), b"..").is_some()
}
