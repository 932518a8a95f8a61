//! The checks of an AI Catalog that go beyond the types and names of members.

use super::{
    AiCatalog, Attestation, Entry, Host, Objects, Provenance, Top, TrustManifest, TrustSchema,
};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::model::Reading;
use crate::rules::json::{
    Case, Check, decoded, known, members, quoted, span_of, strings, strings_in, wrong_type,
};
use crate::rules::media::is_media_type;
use crate::rules::report::Report;
use crate::rules::timestamp::is_iso_8601;
use crate::rules::urls::{Others, Secure, has_scheme, is_elsewhere};
use crate::scan;
use crate::syntax::json::view::{Also, Object, Seen, Shape, Table};
use crate::syntax::json::{Kind, Value};
use crate::syntax::pieces::{Pieces, before};
use crate::syntax::text::Text;
use crate::syntax::url::{HostKind, Url};

/// The start of the media types of catalogs.
const CATALOG: &str = "application/ai-catalog";
/// The well-known path of a catalog.
const PLACE: &str = "/.well-known/ai-catalog.json";

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
    const SECTION: &str = "4.1";
    let top = &document.top;
    let object = top.object;
    let mut check = Check::new(bytes, Spec::Ard, report);
    let check = &mut check;
    strings(check, span_of(object, bytes).start as usize);
    members::<Top<'_>>(object, check, SECTION);
    if let Some(version) =
        check.need_text::<Top<'_>>(object, &top.seen, "specVersion", top.spec_version, SECTION)
        && version != "1.0"
    {
        check.about(
            Code::UnsupportedVersion,
            version,
            SECTION,
            "version {} is not supported; write 1.0",
        );
    }
    if let Some(Object(object)) = top.host {
        host(object, check);
    }
    check.need::<Top<'_>>(object, &top.seen, "entries", SECTION);
    let Some(Objects(entries)) = top.entries else {
        return;
    };
    let message = "the catalog is empty; list at least one entry";
    check.some(entries, Severity::Error, SECTION, message);
    check.objects(entries, SECTION, |value, check| entry(value, origin, check));
    let identifiers = document.references().filter_map(|entry| entry.identifier);
    let message =
        "an earlier entry already has the identifier {}; give each entry a unique identifier";
    check.unique(identifiers, Severity::Error, "4.2", message, scratch);
}

fn host<'a>(object: Value<'a>, check: &mut Check<'_, '_, 'a>) {
    const SECTION: &str = "4.3";
    let host = members::<Host<'_>>(object, check, SECTION).view();
    let name = host.display_name;
    check.need_text::<Host<'_>>(object, &host.seen, "displayName", name, SECTION);
    if let Some(identifier) = host.identifier.filter(|text| !text.is_blank())
        && !identifier.starts_with_ignore_case("did:")
        && !decoded(identifier, &mut [0; LONGEST]).is_some_and(is_domain)
    {
        check.graded(
            Code::InvalidValue,
            Severity::Warning,
            identifier,
            SECTION,
            "{} is neither a DID nor a domain; write one such as did:web:example.com",
        );
    }
    for url in [host.documentation_url, host.logo_url] {
        check.public_url(url, Secure::Web, Others::No, SECTION);
    }
    if let Some(Also(Object(object))) = host.trust_manifest {
        trust(object, None, check);
    }
}

fn entry<'a>(object: Value<'a>, origin: Option<&str>, check: &mut Check<'_, '_, 'a>) {
    const SECTION: &str = "4.2";
    // An entry may have members of other vocabularies, section 4.5.
    let noted = known::<Entry<'_>>(object, check, SECTION);
    let entry = noted.view();
    let identifier =
        check.need_text::<Entry<'_>>(object, &entry.seen, "identifier", entry.identifier, SECTION);
    let mut buffer = [0; LONGEST];
    let publisher =
        identifier.and_then(|identifier| self::identifier(identifier, &mut buffer, check));
    let name = entry.display_name;
    check.need_text::<Entry<'_>>(object, &entry.seen, "displayName", name, SECTION);
    let kind = check.need_text::<Entry<'_>>(object, &entry.seen, "type", entry.kind, SECTION);
    if let Some(kind) = kind.filter(|kind| !is_media_type(*kind)) {
        check.about(
            Code::InvalidValue,
            kind,
            SECTION,
            "{} is not a media type; write one such as application/mcp-server-card+json",
        );
    }
    content(&entry, check);
    if let Some(url) = entry.url
        && kind.is_some_and(|kind| kind.starts_with_ignore_case(CATALOG))
        && is_itself(url, origin)
    {
        let message = "{} is this catalog; remove the entry";
        let span = quoted(url, check.bytes);
        let itself = Diagnostic::new(Code::SelfReference, span, Spec::Ruling, "", message);
        check.report.add(itself.about(url));
    }
    strings_in(&noted, &["tags", "capabilities", "representativeQueries"], check, SECTION);
    if let Some(queries) = noted.value_of_kind("representativeQueries", Kind::Array)
        && !(2..=5).contains(&queries.elements().count())
    {
        let span = span_of(queries, check.bytes);
        let message = "write 2 to 5 representative queries, which registries use to rank the entry";
        let count = Diagnostic::new(Code::InvalidLength, span, check.spec, SECTION, message);
        check.report.add(count.with_severity(Severity::Warning));
    }
    if let Some(time) = entry.updated_at.filter(|text| !text.is_blank())
        && !is_iso_8601(time)
    {
        let message = "{} is not a valid timestamp; use ISO 8601, for example 2026-02-01T00:00:00Z";
        check.about(Code::InvalidTimestamp, time, SECTION, message);
    }
    if let Some(Object(object)) = entry.trust_manifest {
        trust(object, publisher, check);
    }
}

/// Checks that an entry either refers to its document or contains it.
fn content<'a>(entry: &Entry<'a>, check: &mut Check<'_, '_, 'a>) {
    const SECTION: &str = "3.4";
    match (entry.seen.has(Entry::url), entry.seen.has(Entry::data)) {
        (true, true) => check.lacks(
            Code::Contradiction,
            Severity::Error,
            "url",
            entry.object,
            SECTION,
            "the entry has both {} and `data`; remove one of them",
        ),
        (false, false) => check.lacks(
            Code::MissingRequiredField,
            Severity::Error,
            "url",
            entry.object,
            SECTION,
            "the entry has neither {} nor `data`; add one of them",
        ),
        _ => {}
    }
    check.public_url(entry.url, Secure::Http, Others::No, SECTION);
    if let Some(data) = entry.data.filter(|data| data.kind() != Kind::Object) {
        let message = wrong_type(Shape::Object);
        let span = span_of(data, check.bytes);
        let wrong = Diagnostic::new(Code::WrongType, span, check.spec, SECTION, message);
        check.report.add(wrong.about(Text::plain(b"data")));
    }
}

/// Whether a URL is the well-known URL of the catalog on the origin of this document.
fn is_itself(url: Text<'_>, origin: Option<&str>) -> bool {
    let origin = origin.and_then(|origin| Url::parse(origin.as_bytes()));
    let mut buffer = None;
    let url = Url::lazily(url, &mut buffer);
    url.zip(origin).is_some_and(|(url, origin)| url.is_same_origin(&origin) && url.path() == PLACE)
}

/// Checks an identifier, `urn:air:PUBLISHER:…:NAME`, and returns the publisher if it is valid.
fn identifier<'a: 'b, 'b>(
    text: Text<'a>,
    buffer: &'b mut [u8],
    check: &mut Check<'_, '_, 'a>,
) -> Option<&'b str> {
    const SECTION: &str = "4.2.1";
    let invalid = if text.starts_with_ignore_case("urn:ai:") {
        "{} has the prefix of an earlier version; begin it with urn:air:"
    } else {
        "{} is not a valid identifier; write one such as urn:air:example.com:agents:assistant, with the publisher's domain"
    };
    let publisher = decoded(text, buffer).and_then(|text| {
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
    });
    if publisher.is_none() {
        check.about(Code::InvalidValue, text, SECTION, invalid);
    }
    publisher
}

/// Whether a text is a domain name with at least two labels.
fn is_domain(text: &str) -> bool {
    scan::memchr(b'.', text.as_bytes()).is_some() && HostKind::of(text) == Some(HostKind::Domain)
}

fn trust<'a>(object: Value<'a>, publisher: Option<&str>, check: &mut Check<'_, '_, 'a>) {
    const SECTION: &str = "5.1";
    let trust = members::<TrustManifest<'_>>(object, check, SECTION).view();
    let identity = check.need_text::<TrustManifest<'_>>(
        object,
        &trust.seen,
        "identity",
        trust.identity,
        SECTION,
    );
    if let Some(identity) = identity {
        self::identity(identity, publisher, check);
    }
    let types = ["spiffe", "did", "https", "other"];
    check.one_of(
        trust.identity_type,
        &types,
        Case::Exact,
        SECTION,
        "{} is not a valid type of an identity; write spiffe, did, https or other",
    );
    if let Some(Object(object)) = trust.trust_schema {
        let noted = members::<TrustSchema<'_>>(object, check, SECTION);
        strings_in(&noted, &["verificationMethods"], check, SECTION);
        let schema = noted.view();
        let names = ["identifier", "version"];
        needs::<TrustSchema<'_>>(object, &schema.seen, names, check, SECTION);
        check.public_url(schema.governance_uri, Secure::NotAsked, Others::Uris, SECTION);
    }
    if let Some(Objects(array)) = trust.attestations {
        check.objects(array, "5.2", attestation);
    }
    if let Some(Objects(array)) = trust.provenance {
        check.objects(array, "5.3", |object, check| {
            let link = members::<Provenance<'_>>(object, check, "5.3").view();
            let names = ["relation", "sourceId"];
            needs::<Provenance<'_>>(object, &link.seen, names, check, "5.3");
            let relations = ["derivedFrom", "publishedFrom", "copiedFrom"];
            let message =
                "{} is not a valid relation; write derivedFrom, publishedFrom or copiedFrom";
            check.one_of(link.relation, &relations, Case::Exact, "5.3", message);
        });
    }
    // The payload of a detached JWS is empty.
    if let Some(signature) = trust.signature.filter(|text| !text.is_blank())
        && scan::find(signature.raw(), b"..").is_none()
    {
        let message = "{} is not a detached JWS, which has two dots between header and signature; sign the trust manifest, or remove the member";
        check.about(Code::InvalidValue, signature, SECTION, message);
    }
}

/// Checks the identity of a trust manifest, and that it belongs to the publisher.
fn identity<'a>(identity: Text<'a>, publisher: Option<&str>, check: &mut Check<'_, '_, 'a>) {
    const SECTION: &str = "5.1";
    if !has_scheme(identity) {
        let message =
            "{} is not a URI; write a SPIFFE id, a DID, or a URL such as https://example.com";
        return check.about(Code::InvalidValue, identity, SECTION, message);
    }
    let mut buffer = [0; LONGEST];
    let Some(text) = decoded(identity, &mut buffer) else {
        return;
    };
    let domain = match text.strip_prefix("did:web:") {
        Some(rest) => scan::text(before(rest.as_bytes(), b':')),
        None => Url::parse(text.as_bytes()).map(|url| url.host()),
    };
    if let (Some(publisher), Some(domain)) = (publisher, domain)
        && is_elsewhere(publisher, domain)
    {
        let message = "{} is the identity of another domain than the publisher in the identifier; use one of the publisher's domain";
        check.graded(Code::Contradiction, Severity::Error, identity, SECTION, message);
    }
}

fn attestation<'a>(object: Value<'a>, check: &mut Check<'_, '_, 'a>) {
    const SECTION: &str = "5.2";
    let claim = members::<Attestation<'_>>(object, check, SECTION).view();
    needs::<Attestation<'_>>(object, &claim.seen, ["type", "uri"], check, SECTION);
    check.public_url(claim.uri, Secure::NotAsked, Others::Uris, SECTION);
    match claim.media_type {
        // Only the schema requires `mediaType`; the examples of the specification do not have it.
        None if !claim.seen.has(Attestation::media_type) => check.lacks(
            Code::MissingRecommendedField,
            Severity::Info,
            "mediaType",
            object,
            SECTION,
            "the attestation does not say what its document is; add {}",
        ),
        Some(kind) if !kind.is_blank() && !is_media_type(kind) => {
            let message = "{} is not a media type; write one such as application/pdf";
            check.about(Code::InvalidValue, kind, SECTION, message);
        }
        _ => {}
    }
}

/// Reports the required members that an object lacks.
fn needs<'a, V: Table>(
    object: Value<'a>,
    seen: &Seen,
    names: [&'static str; 2],
    check: &mut Check<'_, '_, 'a>,
    section: &'static str,
) {
    for name in names {
        check.need::<V>(object, seen, name, section);
    }
}
