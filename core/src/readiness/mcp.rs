//! Whether MCP servers answer as their card says: by `server/discover` of MCP 2026-07-28, the only call
//! that a check sends, and only if the caller wants it.

use super::answers::{Answer, Context, How, Reply};
use super::message::{Message, say};
use super::{Check, Evidence, Status};
use crate::document::Document;
use crate::model::{Endpoint, Transport};
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;

/// The maximum number of servers that are called.
const SERVERS: usize = 2;
const CHECK: Check = Check::McpServer;

/// What is sent besides the usual headers.
pub(super) const HEADERS: &[(&str, &str)] = &[
    ("Content-Type", "application/json"),
    ("MCP-Protocol-Version", "2026-07-28"),
    ("Mcp-Method", "server/discover"),
];

/// The call.
pub(super) const CALL: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"#,
    r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientInfo":{"name":"agentsdisc","version":"1"},"#,
    r#""io.modelcontextprotocol/clientCapabilities":{}}}}"#
);

/// Checks the servers of a card.
pub(super) fn servers<'a>(
    context: &mut Context<'_, 'a>,
    card: &Reply<'a>,
    document: &Document<'a>,
) {
    let what = "the MCP server";
    if context.site.is_folder {
        return context.unknown(CHECK, what, "a folder answers no calls");
    }
    if !context.site.calls {
        return context.unknown(CHECK, what, "this check sends no calls");
    }
    let manifest = document.manifest();
    let version = manifest.service().and_then(|service| service.version);
    let mut count = 0_usize;
    for endpoint in manifest.endpoints().take(SERVERS) {
        if let Some(url) = endpoint.url {
            count = count.saturating_add(1);
            let at = card.at(document.span_of(url.raw()).start as usize);
            server(context, (at, card.answer.url), &endpoint, url, version);
        }
    }
    if count == 0 {
        context.unknown(CHECK, what, "its card names no URL");
    }
}

fn server<'a>(
    context: &mut Context<'_, 'a>,
    (at, base): (Evidence<'_>, &str),
    endpoint: &Endpoint<'a>,
    url: Text<'a>,
    version: Option<Text<'a>>,
) {
    let reply = match context.follow(base, url, How::Discover) {
        Ok(reply) => reply,
        Err(why) => return context.unknown_at(CHECK, at, say![url], why),
    };
    let status = reply.answer.status;
    let is_modern =
        matches!(endpoint.transport, Some(own) if own.value == Transport::StreamableHttp);
    if status == 401 {
        return login(context, &reply, url);
    }
    let message = message(&reply.answer);
    let has = |name| {
        message.and_then(|message| message.get(name)).filter(|own| own.kind() == Kind::Object)
    };
    if let Some(result) = has("result") {
        answered(context, &reply, url, result, version);
        return foreign(context, base, url);
    }
    if has("error").is_some() {
        let why = "it answers with an error, as servers of earlier versions do";
        return context.unknown_at(CHECK, reply.evidence(), say![url], why);
    }
    let is_page = reply.is_ok() && reply.answer.is_html();
    if is_page || reply.is_missing() && is_modern {
        let said = match is_page {
            true => say!["the card names ", url, ", but an HTML page answers the call"],
            false => {
                say!["the card names ", url, ", but the server answers with status ", status]
            }
        };
        let fix = say!["correct the card, or start the server"];
        return context.say(CHECK, Status::Fail, at, said, fix);
    }
    let why = match reply.is_refused() || reply.stop.is_some() {
        true => reply.why_not(),
        false => "it does not answer as a server of this version of MCP",
    };
    context.unknown_at(CHECK, reply.evidence(), say![url], why);
}

/// The message in an answer: JSON, or the first event of a stream.
fn message<'a>(answer: &Answer<'a>) -> Option<Value<'a>> {
    let is_stream = answer.is_type("text/event-stream");
    let mut lines = answer.body.split(|octet| matches!(octet, b'\n' | b'\r'));
    let text = match is_stream {
        true => lines.find_map(|line| line.strip_prefix(b"data:"))?,
        false => answer.body,
    };
    Value::parse(text).ok()
}

/// The result of the call must name versions. The card should not say another version of the server.
fn answered<'a>(
    context: &mut Context<'_, 'a>,
    reply: &Reply<'a>,
    url: Text<'a>,
    result: Value<'a>,
    version: Option<Text<'a>>,
) {
    let versions = result.get("supportedVersions");
    if versions.is_none_or(|versions| versions.elements().next().is_none()) {
        let said = say!["the answer of ", url, " to `server/discover` has no `supportedVersions`"];
        let fix = say!["name the versions of MCP that the server supports"];
        return context.say(CHECK, Status::Fail, reply.evidence(), said, fix);
    }
    let said = say![url, " answers `server/discover`"];
    context.say(CHECK, Status::Pass, reply.evidence(), said, Message::NONE);
    let info = result.get("_meta").and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"));
    let own = info.and_then(|info| info.get("version")?.as_text());
    if let (Some(own), Some(version)) = (own, version)
        && own != version
    {
        let said = say!["the card says version ", version, ", and the server says ", own];
        let fix = say!["write the card when the server is published"];
        context.say(CHECK, Status::Warn, reply.evidence(), said, fix);
    }
}

/// A server that needs a login names the metadata for it.
fn login(context: &mut Context<'_, '_>, reply: &Reply<'_>, url: Text<'_>) {
    let mut values = reply.answer.values("www-authenticate");
    let is_named = values.any(|value| crate::scan::find(value, b"resource_metadata").is_some());
    match is_named {
        true => {
            let said = say![url, " needs a login, and names the metadata for it"];
            context.say(CHECK, Status::Pass, reply.evidence(), said, Message::NONE);
        }
        false => context.unknown_at(CHECK, reply.evidence(), say![url], "it needs a login"),
    }
}

/// A server checks `Origin`: pages of other sites must not call it, unless it is open to all.
fn foreign(context: &mut Context<'_, '_>, base: &str, url: Text<'_>) {
    let Ok(reply) = context.follow(base, url, How::Foreign) else { return };
    let is_open = reply.answer.values("access-control-allow-origin").any(|value| value == b"*");
    if reply.answer.status == 403 {
        let said = say![url, " refuses calls by pages of other sites"];
        context.say(CHECK, Status::Pass, reply.evidence(), said, Message::NONE);
    } else if reply.is_ok() && !is_open {
        let said = say![url, " answers a call by a page of another site"];
        let fix = say![
            "answer with status 403 if `Origin` is not one that may call (MCP, Streamable HTTP)"
        ];
        context.say(CHECK, Status::Warn, reply.evidence(), said, fix);
    }
}
