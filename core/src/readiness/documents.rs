//! The documents at well-known locations: whether they follow their specifications, whether what they
//! name is there, and how they are sent.

use super::answers::{Context, How, Reply};
use super::message::{Message, say};
use super::places::{OLD_CARD, PLACES, Place};
use super::served::{self, ServingCode};
use super::{Answer, Check, Evidence, Status};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::discovery::Resource;
use crate::discovery::link_header::Links;
use crate::document::{Document, Hints, ParseOptions, detect};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::rules::CheckOptions;
use crate::scan;
use crate::span::Span;
use crate::syntax::text::Text;
use crate::syntax::url::Url;

/// The maximum number of diagnostics of a document that are reported.
const SHOWN: usize = 20;
/// The maximum number of targets of a document that are requested.
const TARGETS: usize = 4;

/// What is at a location.
#[allow(clippy::large_enum_variant, reason = "without a heap, and one at a time")]
pub(super) enum Found<'a> {
    /// A document that belongs there.
    Read(Document<'a>),
    /// A document that cannot be read, of a format that belongs there.
    Unreadable(Error, Format),
    /// Something else.
    Other(Format),
}

/// How the documents of a resource are requested.
pub(super) const fn how(resource: Resource) -> How {
    How::Document(resource.accept())
}

/// Reads what was sent for a resource.
pub(super) fn read<'a>(answer: &Answer<'a>, resource: Resource) -> Found<'a> {
    let kind = answer.header("content-type").and_then(|sent| core::str::from_utf8(sent.value).ok());
    let hints = Hints { url: Some(answer.url), content_type: kind };
    let format = detect(answer.body, hints).format;
    if !resource.accepts(format) && format != Format::Unknown {
        return Found::Other(format);
    }
    let main = Format::ALL.iter().copied().find(|format| resource.accepts(*format));
    let own = if resource.accepts(format) { format } else { main.unwrap_or(Format::Unknown) };
    match Document::parse_with(answer.body, &ParseOptions { hints, ..ParseOptions::default() }) {
        Ok(document) if resource.accepts(document.format()) => Found::Read(document),
        Ok(document) => Found::Other(document.format()),
        Err(error) => match error.kind {
            ErrorKind::UnknownFormat
            | ErrorKind::NotADiscoveryDocument(_)
            | ErrorKind::NotBuiltIn(_) => Found::Other(Format::Unknown),
            // Malformed before its format could be detected: counts as a document for this location.
            _ => Found::Unreadable(error, own),
        },
    }
}

/// Whether a document of a resource is at a location.
pub(super) fn is_there(reply: &Reply<'_>, place: &Place) -> bool {
    matches!(read(&reply.answer, place.resource), Found::Read(_))
}

/// Reports what is wrong with a document; `check_of` says which check each diagnostic concerns.
pub(super) fn diagnose<'a>(
    context: &mut Context<'_, 'a>,
    reply: &Reply<'a>,
    document: &Document<'a>,
    check_of: impl Fn(&Diagnostic<'a>) -> Check,
) {
    let mut count = 0_usize;
    let own = context.site.origin.as_bytes();
    let is_here = Url::parse(own).is_some_and(|url| url.is_loopback());
    let origin = Some(context.site.canonical).filter(|origin| !origin.is_empty());
    document.check(&CheckOptions { origin, ..CheckOptions::default() }, |diagnostic| {
        // A site on a loopback address names that address in its documents; that is no mistake.
        let is_own = || {
            let place = diagnostic.span.slice(document.bytes());
            let behind = |at: usize| place.get(at.saturating_add(own.len()));
            scan::find(place, own).is_some_and(|at| !behind(at).is_some_and(u8::is_ascii_digit))
        };
        let is_of_machine = is_here
            && matches!(diagnostic.code, Code::InsecureUrl | Code::PrivateAddress)
            && is_own();
        if diagnostic.severity == Severity::Info || is_of_machine {
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
    let mut served = false;
    for place in &PLACES {
        served |= at(context, place);
    }
    if !served {
        context.absent(
            Check::ServedAs,
            "the site has no document for agents at a well-known location",
        );
    }
    copies(context);
    catalog_head(context);
    payments(context);
}

/// Checks what is at a location. Returns whether it is a document.
fn at(context: &mut Context<'_, '_>, place: &Place) -> bool {
    let reply = context.get(place.path, how(place.resource));
    let check = check_of(place.resource);
    let reply = match (reply, check) {
        (Ok(reply), _) => reply,
        (Err(why), Some(check)) => {
            context.unknown(check, place.path, why);
            return false;
        }
        (Err(_), None) => return false,
    };
    let robots = place.resource == Resource::RobotsTxt;
    if !reply.is_ok() {
        if let Some(check) = check {
            missing(context, check, place, &reply);
        }
        return false;
    }
    let mut place = place;
    let mut found = read(&reply.answer, place.resource);
    // The same path is that of agent cards in earlier versions of A2A.
    if place.path == OLD_CARD.path && matches!(found, Found::Other(Format::A2aAgentCard)) {
        place = &OLD_CARD;
        found = read(&reply.answer, place.resource);
    }
    let check = check_of(place.resource);
    let format = match (&found, robots) {
        (Found::Other(Format::Html), _) => Format::Html,
        // Any other body counts as rules (RFC 9309 section 2.3.1.1).
        (_, true) => Format::RobotsTxt,
        (Found::Read(document), _) => document.format(),
        (Found::Unreadable(_, format), _) => *format,
        (Found::Other(_), _) => Format::Unknown,
    };
    if format != Format::Html && format != Format::Unknown {
        sent(context, place, &reply, format);
    }
    let Some(check) = check else { return robots && format != Format::Html };
    match found {
        Found::Read(document) => {
            diagnose(context, &reply, &document, |_| check);
            if check == Check::AuthMd {
                registration(context, &reply);
                return true;
            }
            let message = say![place.path, " can be read"];
            context.say(check, Status::Pass, reply.evidence(), message, Message::NONE);
            targets(context, check, &reply, &document);
            true
        }
        Found::Unreadable(error, _) => {
            let message = say![place.path, " cannot be read: ", error.kind.message()];
            let fix = say!["correct the document; `agentsdisc lint` shows the place"];
            context.say(check, Status::Fail, reply.at(error.offset), message, fix);
            true
        }
        Found::Other(Format::Html) => {
            let why = "the answer is an HTML page, not a document";
            context.absent(check, why);
            false
        }
        Found::Other(_) => {
            let message = say![
                "the answer at ",
                place.path,
                " is not a document of a format for this location"
            ];
            let fix = say!["serve one, or answer 404"];
            context.say(check, status_of_stranger(place), reply.evidence(), message, fix);
            false
        }
    }
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

fn missing(context: &mut Context<'_, '_>, check: Check, place: &Place, reply: &Reply<'_>) {
    let status = reply.answer.status;
    if let Some(stop) = reply.stop {
        // It may be a redirect of everything, for example to another host.
        let message = say![place.path, " cannot be decided: ", stop.words()];
        return context.say(check, Status::Unknown, reply.evidence(), message, Message::NONE);
    }
    if reply.is_refused() {
        let message = match reply.answer.failure {
            "" => say![place.path, " cannot be decided: the server answers with status ", status],
            why => say![place.path, " cannot be decided: ", why],
        };
        return context.say(check, Status::Unknown, reply.evidence(), message, Message::NONE);
    }
    let message = say!["there is nothing at ", place.path];
    context.say(check, Status::NotApplicable, reply.evidence(), message, Message::NONE);
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
    if !matches!(check, Check::ApiCatalog | Check::AiCatalog | Check::LlmsTxt) {
        return;
    }
    for target in document.manifest().references().take(TARGETS) {
        let Some(url) = target.url else { continue };
        let at = reply.at(document.span_of(url.raw()).start as usize);
        let answer = match context.follow(base, url, How::Linked) {
            Ok(answer) => answer,
            Err(why) => {
                context.say(
                    check,
                    Status::Unknown,
                    at,
                    say![url, " is not decided: ", why],
                    Message::NONE,
                );
                continue;
            }
        };
        let is_gate = matches!(answer.answer.status, 401 | 403);
        if check == Check::LlmsTxt {
            gate(context, url, &answer, is_gate);
        }
        if answer.is_ok() {
            let declared = target.media_type.filter(|kind| !kind.is_escaped());
            let html = answer.answer.is_type("text/html");
            let is_wrong =
                declared.is_some_and(|kind| html && !kind.starts_with_ignore_case("text/html"));
            if is_wrong && !answer.answer.hides_headers {
                let message = say![url, " is an HTML page, but the document declares another type"];
                context.say(
                    check,
                    Status::Fail,
                    at,
                    message,
                    say!["serve what the document declares"],
                );
            } else {
                context.say(
                    check,
                    Status::Pass,
                    answer.evidence(),
                    say![url, " answers"],
                    Message::NONE,
                );
            }
        } else if answer.is_refused() || answer.stop.is_some() {
            let message =
                say![url, " is not decided: the server refuses it or redirects elsewhere"];
            context.say(check, Status::Unknown, at, message, Message::NONE);
        } else {
            let message = say![
                "the document names ",
                url,
                ", but the server answers with status ",
                answer.answer.status
            ];
            context.say(
                check,
                Status::Fail,
                at,
                message,
                say!["serve it, or correct the document"],
            );
        }
    }
}

/// Whether a page that llms.txt names needs a login.
fn gate(context: &mut Context<'_, '_>, url: Text<'_>, answer: &Reply<'_>, is_gate: bool) {
    let check = Check::AuthGate;
    match is_gate {
        true => context.say(
            check,
            Status::Warn,
            answer.evidence(),
            say![url, ", which llms.txt names, answers with status ", answer.answer.status],
            say!["name pages that need no login, or allow programs to read it"],
        ),
        false if answer.is_ok() => {
            context.say(
                check,
                Status::Pass,
                answer.evidence(),
                say![url, " needs no login"],
                Message::NONE,
            );
        }
        false => {}
    }
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
    let file = match context.follow(index.answer.url, url, How::Linked) {
        Ok(file) => file,
        Err(why) => {
            return context.say(
                check,
                Status::Unknown,
                at,
                say![url, " is not decided: ", why],
                Message::NONE,
            );
        }
    };
    if file.is_refused() || file.stop.is_some() || file.answer.is_cut {
        let message = say![
            url,
            " is not decided: the server refuses it, redirects elsewhere or sends too much"
        ];
        return context.say(check, Status::Unknown, at, message, Message::NONE);
    }
    if !file.is_ok() {
        let message = say![
            "the index names ",
            url,
            ", but the server answers with status ",
            file.answer.status
        ];
        return context.say(
            check,
            Status::Fail,
            at,
            message,
            say!["serve the skill, or remove it from the index"],
        );
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

/// Compares documents that must be copies of each other.
fn copies(context: &mut Context<'_, '_>) {
    for place in PLACES.iter().filter(|place| !place.is_main) {
        let Some(check) = check_of(place.resource) else { continue };
        let main = PLACES.iter().find(|main| main.is_main && main.resource == place.resource);
        let Some(main) = main else { continue };
        let own = context.get(place.path, how(place.resource));
        let other = context.get(main.path, how(main.resource));
        let (Ok(own), Ok(other)) = (own, other) else { continue };
        let both = is_there(&own, place) && is_there(&other, main) && own.is_ok() && other.is_ok();
        if both && own.answer.body != other.answer.body && own.answer.url != other.answer.url {
            let is_catalog = place.resource == Resource::AiCatalog;
            context.say(
                check,
                if is_catalog { Status::Fail } else { Status::Warn },
                own.evidence(),
                say![place.path, " differs from ", main.path, ", which agents use"],
                say!["serve the same at both, or redirect"],
            );
        }
    }
}

/// RFC 9727 section 2: a request for the headers of the API catalog names it.
fn catalog_head(context: &mut Context<'_, '_>) {
    let (check, resource) = (Check::ApiCatalog, Resource::ApiCatalog);
    let Some(place) = PLACES.iter().find(|place| place.resource == resource) else { return };
    match context.get(place.path, how(resource)) {
        Ok(reply) if reply.is_ok() && is_there(&reply, place) => {}
        _ => return,
    }
    if context.site.is_folder {
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

/// The document of a resource at its first location that has one.
fn document<'a>(
    context: &mut Context<'_, 'a>,
    resource: Resource,
) -> Option<(Reply<'a>, Document<'a>)> {
    PLACES.iter().filter(|place| place.resource == resource).find_map(|place| {
        let reply = context.get(place.path, how(resource)).ok()?;
        match read(&reply.answer, resource) {
            Found::Read(document) if reply.is_ok() => Some((reply, document)),
            _ => None,
        }
    })
}

/// An auth.md explains how agents register; the OAuth metadata must contain `agent_auth`.
fn registration(context: &mut Context<'_, '_>, reply: &Reply<'_>) {
    let is_offered = [Resource::OauthProtectedResource, Resource::OauthAuthorizationServer]
        .into_iter()
        .filter_map(|resource| document(context, resource))
        .any(|(_, document)| scan::find(document.bytes(), b"\"agent_auth\"").is_some());
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

/// What documents declare about payments, and what only a request that costs something could show.
fn payments(context: &mut Context<'_, '_>) {
    for (check, resource, name, what) in [
        (
            Check::Mpp,
            Resource::OpenApi,
            &b"\"x-payment-info\""[..],
            "the OpenAPI description declares payments",
        ),
        (Check::Ap2, Resource::AgentCard, &b"ap2"[..], "the agent card declares AP2"),
    ] {
        match document(context, resource) {
            Some((reply, found)) if scan::find(found.bytes(), name).is_some() => {
                context.say(check, Status::Pass, reply.evidence(), say![what], Message::NONE);
            }
            _ => context.absent(check, "no document declares it"),
        }
    }
    match document(context, Resource::McpServerCard) {
        Some(_) => context.unknown(Check::McpServer, "the MCP server", "this check sends no calls"),
        None => context.absent(Check::McpServer, "no card declares a server"),
    }
    match document(context, Resource::AgentCard) {
        Some(_) => context.unknown(Check::DnsAid, "DNS", "this check resolves no such names"),
        None => context.absent(Check::DnsAid, "no card declares an agent"),
    }
}
