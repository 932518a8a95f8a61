//! The check of an MCP server card: what the rules in the tables of the format refer to. The rules
//! are those of the schema of cards, and of the text of the specification about their discovery.
//!
//! An entry of the MCP registry has the same members, so the same rules apply to it. It is checked
//! with the profile `Old`.

mod inputs;
mod meta;

use super::servers::{Carrier, ServerObject, transport};
use super::tools::{Annotations, ToolObject};
use super::{IconObject, McpServerCard, NamedServers, ServerInfo, Top, schema_version};
use crate::diagnostic::{Code, Severity, Spec};
use crate::model::{Enumeration, Reading, Transport};
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::json::span_of;
use crate::rules::report::Report;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::view::Also;
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;
pub(super) use inputs::*;

says! {
    NO_SCHEMA: InvalidValue, "{} is not the schema of server cards; write https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
    NO_NAME: InvalidValue, "{} is not a valid server name; write a reverse domain name, one slash and the name, such as com.example/weather";
    LONG_NAME: InvalidLength, "{} is longer than 200 characters; shorten the name";
    LONG_TITLE: InvalidLength, "{} is longer than 100 characters; shorten the title";
    LONG_DESCRIPTION: InvalidLength, "{} is longer than 100 characters; shorten the description";
    LONG_VERSION: InvalidLength, "{} is longer than 255 characters; shorten the version";
    RANGE: InvalidValue, "{} is a range of versions; write the one version of the server, such as 1.0.2";
    NOT_SEMANTIC: InvalidValue Info, "{} is not a semantic version, so it may not sort as expected; write one such as 1.0.2";
    DRAFT: NonstandardField, "{} is from an earlier draft; it is read, write {}";
    FLAGS: NonstandardField, "{} is from an earlier draft; it is read, but remove it, because clients ask the server";
    FOREIGN: NonstandardField, "{} is not in the specification; it is read, write {}";
    SETTINGS: NonstandardField, "{} is from the settings of clients; it is read, write one card with `remotes` for each server";
    PACKAGES: NonstandardField, "{} belongs into the MCP registry; it is read, describe in a card only how to connect";
    LISTED: NonstandardField, "{} are not listed in a card, because clients ask the server; they are read";
    UNKNOWN: UnknownField, "the specification does not define {}; it is kept as metadata, write data of your own into `_meta`";
    NO_FOLDER: InvalidValue, "{} is not a clean relative path; write it from the root of the repository, without `.`, `..`, `\\` and a slash at either end";
    NO_SIZE: InvalidValue Info, "{} is not a size, so clients may not use it to choose an icon; write WIDTHxHEIGHT such as 48x48, or any";
    NO_THEME: InvalidValue, "{} is not a theme; write light or dark";
    NO_REMOTE: InvalidValue, "{} is not a transport of a remote; write streamable-http or sse";
    NO_TRANSPORT: InvalidValue, "{} is not a transport of MCP; write streamable-http or sse";
    REMOTE_TWICE: DuplicateId Warning, "the remote {} is described twice; remove one";
    BOTH_HINTS: Contradiction, "a tool that only reads cannot be destructive; correct one of the two hints, now it counts as destructive";
}

/// The URL of the schema of cards.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
/// What replaces the members in which the other dialects have the URL of the server.
pub(super) const REMOTES: &str = "`remotes` with `type` and `url`";
/// What replaces the provider.
pub(super) const META: &str = "it into `_meta`";

/// Checks a document. `scratch` needs two numbers for each tool, for each server, and for each name
/// in the largest object whose members may have any name.
pub(crate) fn check<'a>(
    document: &McpServerCard<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, Spec::McpServerCard, report).with(scratch);
    if is_registry_entry(document.top.schema) {
        check.profile = Old;
    }
    check.document(document.top.object, Top::RULES);
}

/// Whether `$schema` is the schema of an entry of the MCP registry. Its URL contains a date and
/// another file name.
fn is_registry_entry(schema: Option<Also<Text<'_>>>) -> bool {
    schema.is_some_and(|Also(schema)| {
        let is_dated =
            |version: Text<'_>| version.chars().next().is_some_and(|c| c.is_ascii_digit());
        schema.raw().ends_with(b"/server.schema.json")
            && schema_version(schema).is_some_and(is_dated)
    })
}

/// Checks the members that the specification does not define, the servers of the other dialects,
/// and the names of tools.
pub(super) fn card<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let table = Lookup::of::<Top<'_>>();
    for member in row.object.members().filter(|member| !member.value.is_null()) {
        if member.name == "_meta" {
            meta::check(member.value, row, check);
        } else if table.number(member.name).is_none() {
            check.say(UNKNOWN, member.name, row);
        }
    }
    let top: Top<'a> = row.view();
    servers(&top, row, check);
    let tools = McpServerCard { top }.capabilities().filter_map(|tool| tool.id);
    let message = "an earlier tool already has the name {}; give each tool a unique name";
    check.with_scratch(|check, scratch| {
        check.unique(tools, Severity::Error, "", message, scratch);
    });
}

/// Checks the URLs and transports of the servers of the other dialects.
fn servers<'a>(top: &Top<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let mut server = |url, kind: Option<Text<'a>>| {
        let neither =
            "{} is neither an https URL nor a path that begins with `/`; write one of them";
        check.endpoint(url, Secure::Http, "", neither);
        let kind = kind.filter(|kind| !kind.is_blank());
        if let Some(kind) = kind.filter(|kind| transport(*kind).value == Transport::UNKNOWN) {
            check.say(NO_TRANSPORT, kind, row);
        }
    };
    let carried = |carrier: Option<Carrier<'a>>| carrier.and_then(|carrier| carrier.kind);
    server(top.server_url(), carried(top.transport));
    let Some(NamedServers(list)) = top.servers else { return };
    let values = || list.elements().chain(list.members().map(|member| member.value));
    for object in values().map(ServerObject::read) {
        server(object.url, object.kind.or(carried(object.transport)));
    }
    for other in values().filter(|value| value.kind() != Kind::Object) {
        let message = "this server must be an object; it is ignored";
        check.add(Code::WrongType, span_of(other, check.bytes), "", message);
    }
}

pub(super) fn is_schema(schema: Text<'_>) -> bool {
    schema == *SCHEMA
}

/// Whether a member that identifies the server is not in `serverInfo` of the earlier draft either.
pub(super) fn is_nowhere(row: &Row<'_, '_>) -> bool {
    let info = ServerInfo::read(row.value_of(Top::server_info).unwrap_or(Value::ABSENT));
    let text = match row.field {
        Top::name => info.name,
        Top::version => info.version,
        _ => info.description,
    };
    text.is_none()
}

/// Whether a text has at most `MOST` characters.
pub(super) fn is_short<const MOST: usize>(text: Text<'_>) -> bool {
    text.chars().nth(MOST).is_none()
}

/// Whether a name matches `^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`.
pub(super) fn is_name(name: Text<'_>) -> bool {
    let (mut space, mut own, mut slashes) = (0_usize, 0_usize, 0_usize);
    for c in name.chars() {
        match (c, slashes) {
            ('/', _) => slashes = slashes.saturating_add(1),
            ('a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '-', 0) => space = space.saturating_add(1),
            ('a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '-' | '_', 1) => {
                own = own.saturating_add(1);
            }
            _ => return false,
        }
    }
    slashes == 1 && space > 0 && own > 0
}

#[derive(PartialEq)]
enum Version {
    Semantic,
    Range,
    Other,
}

/// Whether a version is not a range of versions.
pub(super) fn is_one(version: Text<'_>) -> bool {
    version_of(version) != Version::Range
}

/// Whether a version is a semantic version or a range.
pub(super) fn is_semantic(version: Text<'_>) -> bool {
    version_of(version) != Version::Other
}

/// Returns whether a version is a semantic version, a range of versions, or something else.
fn version_of(version: Text<'_>) -> Version {
    let (mut dots, mut digits, mut is_core, mut has_blank) = (0_usize, 0_usize, true, false);
    for c in version.chars() {
        match c {
            '.' if is_core && digits > 0 => (dots, digits) = (dots.saturating_add(1), 0),
            '0'..='9' if is_core => digits = digits.saturating_add(1),
            '-' | '+' if is_core && dots == 2 && digits > 0 => is_core = false,
            _ if is_core => dots = usize::MAX,
            _ => {}
        }
        has_blank |= c.is_whitespace();
    }
    match (is_range(version), dots == 2 && (digits > 0 || !is_core) && !has_blank) {
        (true, _) => Version::Range,
        (false, true) => Version::Semantic,
        (false, false) => Version::Other,
    }
}

/// Whether a version is a range: a comparison such as `^1.2` or `>=1.0`, alternatives, `1.0 - 2.0`,
/// or a number with a part that is `x` or `*`. A blank alone is none: `1.0 beta`.
fn is_range(version: Text<'_>) -> bool {
    // The last two characters. Before the version is a blank.
    let (mut before, mut last) = (' ', ' ');
    let mut is_number = true;
    for c in version.chars().chain(core::iter::once(' ')) {
        let is_apart = |c: char| matches!(c, ' ' | ',' | '|');
        let is_compared =
            matches!(last, '^' | '~' | '>' | '<' | '=') && is_apart(before) && c != ' ';
        let is_wild = is_number
            && matches!(last, 'x' | 'X' | '*')
            && (before == '.' || last == '*' && is_apart(before))
            && matches!(c, '.' | ' ' | '-' | '+' | '|');
        if is_compared && (c.is_ascii_digit() || matches!(c, '=' | 'v'))
            || is_wild
            || (last, c) == ('|', '|')
            || (before, last, c) == (' ', '-', ' ')
        {
            return true;
        }
        is_number &= matches!(c, '0'..='9' | '.' | 'x' | 'X' | '*' | 'v') || c == ' ';
        (before, last) = (last, c);
    }
    false
}

/// Whether a path is relative and has no empty segment, `.` or `..`. True for an empty path, which
/// is reported elsewhere.
pub(super) fn is_clean_path(path: Text<'_>) -> bool {
    let (mut dots, mut others) = (0_usize, 0_usize);
    let mut is_clean = true;
    for c in path.chars().chain(core::iter::once('/')) {
        match c {
            '/' => {
                is_clean &= others > 0 || dots > 2;
                (dots, others) = (0, 0);
            }
            '.' => dots = dots.saturating_add(1),
            '\\' => is_clean = false,
            _ => others = others.saturating_add(1),
        }
    }
    is_clean || path.is_blank()
}

/// Whether the URL of an icon is not the icon itself.
pub(super) fn is_not_data(row: &Row<'_, '_>) -> bool {
    row.view::<IconObject<'_>>().src.is_some_and(|src| !src.starts_with_ignore_case("data:"))
}

/// Whether a text is `WIDTHxHEIGHT` or `any`.
pub(super) fn is_size(size: Text<'_>) -> bool {
    let (mut digits, mut crosses) = ([0_usize; 2], 0_usize);
    for c in size.chars() {
        match (c, digits.get_mut(crosses)) {
            ('0'..='9', Some(count)) => *count = count.saturating_add(1),
            ('x', _) => crosses = crosses.saturating_add(1),
            _ => return size == "any",
        }
    }
    crosses == 1 && digits.iter().all(|count| *count > 0)
}

/// Whether a tool is in a list. In an object, its name is that of the member.
pub(super) fn is_listed(row: &Row<'_, '_>) -> bool {
    matches!(row.from, From::Field(_))
}

pub(super) fn tool<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if let Some(Annotations(hints)) = row.view::<ToolObject<'a>>().annotations
        && hints.destructive == Some(true)
        && hints.read_only == Some(true)
    {
        check.say_at(BOTH_HINTS, hints.object, row);
    }
}
