//! The documents at well-known locations: whether they follow their specifications, whether what they
//! name is there, and how they are sent.

use super::answers::{Context, How, Reply, TOO_LONG};
use super::locations::{copies, problems};
use super::mcp;
use super::message::{Message, say};
use super::places::{OLD_CARD, PLACES, Place};
use super::served::{self, ServingCode};
use super::{Check, Evidence, Status};
use crate::diagnostic::{Diagnostic, Severity};
use crate::discovery::link_header::Links;
use crate::discovery::{self, Rejection, Resource, Resources};
use crate::document::{Document, Hints, detect};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::limits::Limits;
use crate::model::Metadata;
use crate::rules::CheckOptions;
use crate::span::Span;
use crate::syntax::base64;
use crate::syntax::text::Text;

/// The maximum number of diagnostics of a document that are reported.
const SHOWN: usize = 20;
/// The maximum number of targets of a document that are requested.
const TARGETS: usize = 4;

/// What is at a location.
#[allow(clippy::large_enum_variant, reason = "without a heap, and one at a time")]
pub(super) enum Found<'a> {
    /// A document of a format that belongs there.
    Read(Document<'a>),
    /// A document that cannot be read, of a format that belongs there.
    Unreadable(Error, Format),
    /// An HTML page.
    Page,
    /// Something else.
    Other,
    /// Nothing can be said, for this reason.
    Unknown(&'static str),
}

/// How the documents of a resource are requested.
pub(super) const fn how(resource: Resource) -> How {
    How::Document(resource.accept())
}

/// Reads what is at a location, as discovery does.
pub(super) fn read<'a>(reply: &Reply<'a>, place: &Place, url: &str) -> Found<'a> {
    let answer = &reply.answer;
    if place.resource == Resource::RobotsTxt && answer.is_html() {
        return Found::Page;
    }
    let kind = answer.header("content-type").and_then(|sent| core::str::from_utf8(sent.value).ok());
    // The path of earlier agent cards is also that of AWP.
    let others = match place.path == OLD_CARD.path {
        true => Resources::NONE.with(OLD_CARD.resource),
        false => Resources::NONE,
    };
    let (resource, limits) = (place.resource, Limits::DEFAULT);
    let refused = match discovery::read(resource, others, (url, None), kind, answer.body, &limits) {
        Ok(Some(document)) => return Found::Read(document),
        Ok(None) => return Found::Other,
        Err(refused) => refused,
    };
    match (refused.rejection, refused.error) {
        (Rejection::Html, _) => Found::Page,
        _ if answer.is_cut => Found::Unknown(TOO_LONG),
        (_, Some(Error { kind: ErrorKind::NotBuiltIn(_), .. })) => {
            Found::Unknown("this build does not read its format")
        }
        (_, Some(error)) => {
            let hints = Hints { url: Some(url), content_type: kind };
            let accepts = |format: &Format| {
                resource.accepts(*format)
                    || others.contains(OLD_CARD.resource) && OLD_CARD.resource.accepts(*format)
            };
            match detect(answer.body, hints).format {
                // Malformed before its format could be detected: counts as a document of this
                // location.
                Format::Unknown => {
                    let own = Format::ALL.iter().copied().find(accepts);
                    Found::Unreadable(error, own.unwrap_or(Format::Unknown))
                }
                format if accepts(&format) => Found::Unreadable(error, format),
                _ => Found::Other,
            }
        }
        (_, None) => Found::Other,
    }
}

/// Reports what is wrong with a document; `check_of` says which check each diagnostic concerns.
pub(super) fn diagnose<'a>(
    context: &mut Context<'_, 'a>,
    reply: &Reply<'a>,
    document: &Document<'a>,
    check_of: impl Fn(&Diagnostic<'a>) -> Check,
) {
    let mut count = 0_usize;
    let options = CheckOptions {
        origin: Some(context.site.canonical).filter(|origin| !origin.is_empty()),
        received_from: Some(context.site.origin),
        ..CheckOptions::default()
    };
    document.check(&options, |diagnostic| {
        if diagnostic.severity == Severity::Info {
            return;
        }
        count = count.saturating_add(1);
        if count > SHOWN {
            return;
        }
        let own: &dyn core::fmt::Display = &diagnostic;
        let evidence = reply.at(diagnostic.span.start as usize);
        let check = check_of(&diagnostic);
        context.say(check, status_of(diagnostic.severity), evidence, say![own], Message::NONE);
    });
}

/// The status of a finding by the severity of a diagnostic.
const fn status_of(severity: Severity) -> Status {
    match severity {
        Severity::Error => Status::Fail,
        Severity::Warning => Status::Warn,
        Severity::Info => Status::Pass,
    }
}

/// The check that is about documents of a resource.
const fn check_of(resource: Resource) -> Option<Check> {
    Some(match resource {
        Resource::AgentsJson
        | Resource::AgentsTxt
        | Resource::AgentsMd
        | Resource::Awp
        | Resource::Adp => Check::AgentsDocuments,
        Resource::AgentCard => Check::A2aCard,
        Resource::McpServerCard => Check::McpCard,
        Resource::AiCatalog => Check::AiCatalog,
        Resource::AgentSkills => Check::SkillsIndex,
        Resource::ApiCatalog => Check::ApiCatalog,
        Resource::LlmsTxt => Check::LlmsTxt,
        Resource::Ucp => Check::Ucp,
        Resource::Acp => Check::Acp,
        Resource::X402 => Check::X402,
        Resource::OpenApi => Check::Openapi,
        Resource::SignatureDirectory => Check::WebBotAuth,
        Resource::OauthProtectedResource => Check::OauthResource,
        Resource::OauthAuthorizationServer => Check::OauthServer,
        Resource::AuthMd => Check::AuthMd,
        _ => return None,
    })
}

/// Checks all documents.
pub(super) fn all(context: &mut Context<'_, '_>) {
    let mut shown = Shown::default();
    let mut served = false;
    for (number, place) in PLACES.iter().enumerate() {
        let format = at(context, place, &mut shown);
        if let Some(known) = context.formats.get_mut(number) {
            *known = format.unwrap_or(Format::Unknown);
        }
        served |= format.is_some();
    }
    if !served {
        context.absent(
            Check::ServedAs,
            "the site has no document for agents at a well-known location",
        );
    }
    copies(context, &mut |context, place, reply, remark| {
        let (Some(check), own) = (check_of(place.resource), &remark.message) else { return };
        if remark.severity != Severity::Info {
            let own: &dyn core::fmt::Display = own;
            // Agents that look at both locations find it.
            let status = match remark.code {
                ServingCode::WrongLocation => Status::Warn,
                _ => status_of(remark.severity),
            };
            context.say(check, status, reply.evidence(), say![own], Message::NONE);
        }
    });
    catalog_head(context);
    shown.report(context);
}

/// What documents say that concerns other documents and checks.
#[derive(Default)]
struct Shown {
    /// Whether the metadata of OAuth says how agents register.
    registration: bool,
    /// Where calls with payments are declared.
    payments: Option<Evidence<'static>>,
    /// Where AP2 is declared.
    ap2: Option<Evidence<'static>>,
    /// Whether the servers of a card were looked at.
    servers: bool,
}

impl Shown {
    fn note(&mut self, resource: Resource, reply: &Reply<'_>, document: &Document<'_>) {
        let manifest = document.manifest();
        match resource {
            Resource::OauthProtectedResource | Resource::OauthAuthorizationServer => {
                self.registration |= manifest.registration().is_some();
            }
            Resource::OpenApi => {
                let is_payment =
                    |mut known: Metadata<'_>| known.any(|member| member.name == *"x-payment-info");
                if manifest.capabilities().any(|operation| is_payment(operation.metadata)) {
                    self.payments = Some(reply.evidence());
                }
            }
            Resource::AgentCard => {
                let mut uris = manifest.extensions().filter_map(|extension| extension.uri);
                if uris.any(|uri| has_segment(uri, "ap2")) {
                    self.ap2 = Some(reply.evidence());
                }
            }
            _ => {}
        }
    }

    /// Reports what is declared about payments, and what only calls could show.
    fn report(&self, context: &mut Context<'_, '_>) {
        for (check, declared, what) in [
            (Check::Mpp, self.payments, "the OpenAPI description declares payments"),
            (Check::Ap2, self.ap2, "the agent card declares AP2"),
        ] {
            match declared {
                Some(evidence) => {
                    context.say(check, Status::Pass, evidence, say![what], Message::NONE);
                }
                None => context.absent(check, "no document declares it"),
            }
        }
        match (self.servers, context.has(Resource::McpServerCard)) {
            (true, _) => {}
            (_, true) => {
                context.unknown(Check::McpServer, "the MCP server", "its card cannot be read")
            }
            (_, false) => context.absent(Check::McpServer, "no card declares a server"),
        }
        match context.has(Resource::AgentCard) {
            true => context.unknown(Check::DnsAid, "DNS", "this check resolves no such names"),
            false => context.absent(Check::DnsAid, "no card declares an agent"),
        }
    }
}

/// Whether a part of a URI between slashes, colons and hashes is a word, in any letter case.
fn has_segment(uri: Text<'_>, word: &str) -> bool {
    let is_between = |octet: &u8| matches!(octet, b'/' | b':' | b'#' | b'?');
    uri.raw().split(is_between).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

/// Checks what is at a location. Returns the format of the document, if there is one.
fn at(context: &mut Context<'_, '_>, place: &'static Place, shown: &mut Shown) -> Option<Format> {
    let check = check_of(place.resource);
    let reply = match (context.get(place.path, how(place.resource)), check) {
        (Ok(reply), _) => reply,
        (Err(why), Some(check)) => {
            context.unknown(check, place.path, why);
            return None;
        }
        (Err(_), None) => return None,
    };
    let found = match reply.is_ok() {
        true => read(&reply, place, &context.url(place.path)),
        false => Found::Other,
    };
    let format = if reply.is_ok() { format_of(&found) } else { Format::Unknown };
    let place = place_of(place, format);
    if format != Format::Unknown {
        sent(context, place, &reply, format);
    }
    let Some(check) = check_of(place.resource) else {
        return Some(format).filter(|format| *format != Format::Unknown);
    };
    if reply.is_missing() {
        let message = say!["there is nothing at ", place.path];
        context.say(check, Status::NotApplicable, reply.evidence(), message, Message::NONE);
    }
    problems(place, &reply, &found, &mut |remark, span| {
        let at = span.map_or(reply.evidence(), |span| reply.at(span.start as usize));
        let evidence = Evidence { header: remark.header, ..at };
        let own: &dyn core::fmt::Display = &remark.message;
        let status = match (remark.code, &found) {
            // Another check is about redirects.
            (ServingCode::Redirected, _) => return,
            (ServingCode::Soft404, _) => Status::NotApplicable,
            (ServingCode::NotRecognised, _) => status_of_stranger(place),
            (ServingCode::Unreadable, Found::Unreadable(..)) => Status::Fail,
            // A redirect may be one of everything, for example to another host.
            _ => Status::Unknown,
        };
        let between = match status {
            Status::Unknown => " could not be checked: ",
            _ => ": ",
        };
        context.say(check, status, evidence, say![place.path, between, own], Message::NONE);
    });
    let Found::Read(document) = found else { return None };
    diagnose(context, &reply, &document, |_| check);
    shown.note(place.resource, &reply, &document);
    if check == Check::AuthMd {
        registration(context, &reply, shown.registration);
        return Some(format);
    }
    let message = say![place.path, " can be read"];
    context.say(check, Status::Pass, reply.evidence(), message, Message::NONE);
    targets(context, check, &reply, &document);
    if check == Check::McpCard {
        mcp::servers(context, &reply, &document);
        shown.servers = true;
    }
    Some(format)
}

/// The format of what is at a location; unknown if that is no document.
pub(super) const fn format_of(found: &Found<'_>) -> Format {
    match found {
        Found::Read(document) => document.format(),
        Found::Unreadable(_, format) => *format,
        _ => Format::Unknown,
    }
}

/// The location for a document of a format: the path of earlier agent cards is also that of AWP.
pub(super) fn place_of(place: &'static Place, format: Format) -> &'static Place {
    let is_old = place.path == OLD_CARD.path && OLD_CARD.resource.accepts(format);
    if is_old { const { &OLD_CARD } } else { place }
}

/// What something else at a location means: a failure where the path is registered for one format,
/// otherwise perhaps another document of the same name.
const fn status_of_stranger(place: &Place) -> Status {
    match place.resource {
        Resource::ApiCatalog
        | Resource::OauthAuthorizationServer
        | Resource::OauthProtectedResource
        | Resource::SignatureDirectory => Status::Fail,
        _ => Status::Warn,
    }
}

/// Checks how a document is sent.
fn sent<'a>(context: &mut Context<'_, 'a>, place: &Place, reply: &Reply<'a>, format: Format) {
    let check = Check::ServedAs;
    if reply.answer.hides_headers {
        let why = "the folder has no file that states headers of its host";
        return context.unknown(check, "how documents are sent", why);
    }
    let mut clean = true;
    let url = reply.answer.url;
    served::check(format, url, &reply.answer, &mut |remark| {
        let is_of_network = remark.code == ServingCode::InsecureTransport;
        if remark.severity == Severity::Info || (is_of_network && context.site.is_folder) {
            return;
        }
        clean = false;
        let own: &dyn core::fmt::Display = &remark.message;
        let evidence = Evidence { header: remark.header, ..reply.evidence() };
        context.say(
            check,
            status_of(remark.severity),
            evidence,
            say![place.path, ": ", own],
            say![own],
        );
    });
    if clean {
        let message = say![place.path, " is sent as its specification asks"];
        context.say(check, Status::Pass, reply.evidence(), message, Message::NONE);
    }
}

/// Checks that what a document names is there.
fn targets<'a>(
    context: &mut Context<'_, 'a>,
    check: Check,
    reply: &Reply<'a>,
    document: &Document<'a>,
) {
    let base = reply.answer.url;
    if check == Check::SkillsIndex {
        for skill in document.manifest().capabilities().take(TARGETS) {
            if let Some(url) = skill.detail_url {
                let digest = skill.skill.and_then(|skill| skill.digest);
                skill_file(context, reply, url, digest);
            }
        }
        return;
    }
    if !matches!(check, Check::ApiCatalog | Check::AiCatalog | Check::LlmsTxt | Check::X402) {
        return;
    }
    for target in document.manifest().references().take(TARGETS) {
        let Some(url) = target.url else { continue };
        let at = reply.at(document.span_of(url.raw()).start as usize);
        if check == Check::LlmsTxt {
            gate(context, base, url);
        }
        if check == Check::X402 {
            priced(context, at, base, url);
            continue;
        }
        // An endpoint need not answer GET (RFC 9727 section 4).
        if check == Check::ApiCatalog && target.relation.is_some_and(|own| own == *"item") {
            continue;
        }
        let texts = ("the document names ", "serve it, or correct the document");
        let Some(answer) = context.promised((check, at), (base, url, How::Linked), texts) else {
            continue;
        };
        let declared = target.media_type.filter(|kind| !kind.is_escaped());
        let is_html = answer.answer.is_type("text/html");
        let is_wrong =
            declared.is_some_and(|kind| is_html && !kind.starts_with_ignore_case("text/html"));
        if is_wrong && !answer.answer.hides_headers {
            let message = say![url, " is an HTML page, but the document declares another type"];
            let fix = say!["serve what the document declares"];
            context.say(check, Status::Fail, at, message, fix);
        } else {
            let message = say![url, " answers"];
            context.say(check, Status::Pass, answer.evidence(), message, Message::NONE);
        }
    }
}

/// Whether a page that llms.txt names needs a login.
fn gate(context: &mut Context<'_, '_>, base: &str, url: Text<'_>) {
    let check = Check::AuthGate;
    let Ok(page) = context.follow(base, url, How::Linked) else { return };
    let (status, evidence) = (page.answer.status, page.evidence());
    if matches!(status, 401 | 403) {
        let message = say![url, ", which llms.txt names, answers with status ", status];
        let fix = say!["name pages that need no login, or allow programs to read it"];
        context.say(check, Status::Warn, evidence, message, fix);
    } else if page.is_ok() {
        context.say(check, Status::Pass, evidence, say![url, " needs no login"], Message::NONE);
    }
}

/// Checks that what a list of x402 sells states its price. Only GET is sent, and nothing is paid, so
/// other answers than 402 prove nothing.
fn priced(context: &mut Context<'_, '_>, at: Evidence<'_>, base: &str, url: Text<'_>) {
    let check = Check::X402;
    let reply = match context.follow(base, url, How::Linked) {
        Ok(reply) => reply,
        Err(why) => return context.unknown_at(check, at, say![url], why),
    };
    if reply.answer.status != 402 {
        return context.unknown_at(check, at, say![url], "GET is not answered with status 402");
    }
    let header = reply.answer.header("payment-required");
    let evidence = Evidence { header, ..reply.evidence() };
    let mut buffer = [0; TERMS];
    let terms = match header {
        Some(header) => decoded(header.value, &mut buffer),
        // Version 1 has the terms in the body.
        None => Ok(reply.answer.body),
    };
    let has_ways = |terms| {
        let terms = Document::parse_as(terms, Format::X402, &Limits::DEFAULT);
        let pricing = terms.ok().and_then(|terms| terms.manifest().pricing());
        pricing.is_some_and(|mut pricing| pricing.plans.next().is_some())
    };
    match (terms, header) {
        (Ok(terms), _) if has_ways(terms) => {
            let message = say![url, " states its price with status 402"];
            context.say(check, Status::Pass, evidence, message, Message::NONE);
        }
        (Err(TOO_LONG), _) => context.unknown_at(check, evidence, say![url], TOO_LONG),
        (_, Some(_)) => {
            let message = say![
                "the header PAYMENT-REQUIRED of ",
                url,
                " is not base64 of JSON with ways to pay in `accepts`"
            ];
            let fix = say!["write the terms as version 2 of x402 says"];
            context.say(check, Status::Fail, evidence, message, fix);
        }
        (_, None) => {
            let why = "its answer with status 402 has no PAYMENT-REQUIRED, so it may be of another protocol";
            context.unknown_at(check, evidence, say![url], why);
        }
    }
}

/// The maximum length of the terms in a header, in bytes.
const TERMS: usize = 8 << 10;

/// Decodes base64 with or without padding.
fn decoded<'b>(value: &[u8], buffer: &'b mut [u8; TERMS]) -> Result<&'b [u8], &'static str> {
    const INVALID: &str = "it is no base64";
    let length = base64::decode_padded(value.trim_ascii(), buffer).ok_or(INVALID)?;
    buffer.get(..length).ok_or(TOO_LONG)
}

/// Checks that the artifact of a skill is there and has its digest.
fn skill_file<'a>(
    context: &mut Context<'_, 'a>,
    index: &Reply<'a>,
    url: Text<'a>,
    digest: Option<Text<'a>>,
) {
    let check = Check::SkillsIndex;
    let at = index.at(Span::of(url.raw(), index.answer.body).start as usize);
    let texts = ("the index names ", "serve the skill, or remove it from the index");
    let Some(file) = context.promised((check, at), (index.answer.url, url, How::Linked), texts)
    else {
        return;
    };
    if file.answer.is_cut {
        return context.unknown_at(check, at, say![url], TOO_LONG);
    }
    let Some(digest) = digest else { return };
    if is_digest(digest, file.answer.body) {
        context.say(
            check,
            Status::Pass,
            file.evidence(),
            say![url, " has the digest of the index"],
            Message::NONE,
        );
    } else {
        let message = say![
            "the digest of ",
            url,
            " does not fit to what the server sends, so clients must refuse the skill"
        ];
        let fix = say![
            "write the SHA-256 of the bytes that are sent; line ends may change on the way to the server"
        ];
        context.say(check, Status::Fail, at, message, fix);
    }
}

/// Whether `sha256:` and hexadecimal digits, or the digits alone, are the digest of a body.
fn is_digest(written: Text<'_>, body: &[u8]) -> bool {
    use sha2::{Digest, Sha256};
    let text = written.raw();
    let digits = text.strip_prefix(b"sha256:").unwrap_or(text);
    let digest = Sha256::digest(body);
    let digit =
        |value: u8| b"0123456789abcdef".get(usize::from(value)).copied().unwrap_or_default();
    let own = digest.iter().flat_map(|octet| [digit(octet >> 4), digit(octet & 15)]);
    own.eq(digits.iter().map(u8::to_ascii_lowercase))
}

/// RFC 9727 section 2: a request for the headers of the API catalog names it.
fn catalog_head(context: &mut Context<'_, '_>) {
    let (check, resource) = (Check::ApiCatalog, Resource::ApiCatalog);
    let Some(place) = PLACES.iter().find(|place| place.resource == resource) else { return };
    if !context.has(resource) || context.site.is_folder {
        return;
    }
    let Ok(head) = context.get(place.path, How::Head(resource.accept())) else {
        return context.unknown(check, "the answer to HEAD", "it was not requested");
    };
    if head.answer.status != 200 {
        return context.unknown(
            check,
            "the answer to HEAD",
            "the server does not answer with status 200",
        );
    }
    let has = head
        .answer
        .values("link")
        .flat_map(Links)
        .any(|link| has_relation(link.relation, "api-catalog"));
    let (status, message, fix) = match has {
        true => {
            (Status::Pass, say!["HEAD answers with the link to the API catalog"], Message::NONE)
        }
        false => (
            Status::Fail,
            say![
                "the answer to HEAD ",
                place.path,
                " has no Link header with rel=\"api-catalog\" (RFC 9727, section 2)"
            ],
            say!["send `Link: <", place.path, ">; rel=\"api-catalog\"` with it"],
        ),
    };
    context.say(check, status, head.evidence(), message, fix);
}

/// Whether one of the relations of a link is this one.
pub(super) fn has_relation(relations: Option<&[u8]>, relation: &str) -> bool {
    relations
        .unwrap_or_default()
        .split(u8::is_ascii_whitespace)
        .any(|one| one.eq_ignore_ascii_case(relation.as_bytes()))
}

/// An auth.md explains how agents register; the OAuth metadata must contain `agent_auth`.
fn registration(context: &mut Context<'_, '_>, reply: &Reply<'_>, is_offered: bool) {
    let (status, message, fix) = match is_offered {
        true => (Status::Pass, say!["/auth.md and the metadata for it exist"], Message::NONE),
        false => (
            Status::Warn,
            say!["there is an /auth.md, but no metadata of OAuth with `agent_auth` backs it"],
            say!["publish the metadata with `agent_auth`, or remove /auth.md"],
        ),
    };
    context.say(Check::AuthMd, status, reply.evidence(), message, fix);
}
