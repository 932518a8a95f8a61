//! The check of an MCP server card, by the schema of cards and the text of the specification about
//! their discovery.
//!
//! An entry of the MCP registry has the same members, so the same rules apply to it.

mod inputs;
mod meta;

use super::auth::{AuthObject, SchemeObject, Schemes};
use super::servers::{Access, Carrier, Headers, PackageObject, ServerObject, TransportObject};
use super::tools::{Annotations, ToolObject, Tools};
use super::{
    IconObject, McpServerCard, NamedServers, Repository, RepositoryObject, ServerInfo, Servers,
    Top, Transports, schema_version,
};
use crate::diagnostic::{Code, Severity, Spec};
use crate::model::{Enumeration, Reading, Transport};
use crate::rules::json::reading::or_absent;
use crate::rules::json::{
    Case, Check, any_name, members, names_only, span_of, strings, strings_in,
};
use crate::rules::report::Report;
use crate::rules::urls::Secure;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::view::{Also, Object};
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;

/// The URL of the schema of cards.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

/// Checks a document. `scratch` needs two numbers for each tool, for each server, and for each name
/// in the largest object whose members may have any name.
pub(crate) fn check<'a>(
    document: &McpServerCard<'a>,
    bytes: &'a [u8],
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let top = &document.top;
    let mut check = Check::new(bytes, Spec::McpServerCard, report);
    let check = &mut check;
    strings(check, span_of(top.object, bytes).start as usize);
    any_name::<Top<'_>>(top.object, check, "");
    let is_registered = is_registry_entry(top.schema);
    schema(top, is_registered, check);
    identity(document, check);
    foreign(top.object, is_registered, check);
    check.url(top.website, Secure::Web, "");
    repository(top.repository, check);
    if let Some(icons) = top.object.get("icons").filter(|icons| icons.kind() == Kind::Array) {
        self::icons(icons, check);
    }
    if let Some(Servers(list)) = top.remotes {
        check.objects(list, "", |remote, check| {
            self::remote(remote, check, scratch);
        });
    }
    others(top, check, scratch);
    other_names(top, check);
    if let Some(meta) = top.object.get("_meta").filter(|meta| !meta.is_null()) {
        meta::check(meta, is_registered, check);
    }
    if let Some(Tools(list)) = top.tools {
        tools(list, check);
    }
    names(document, check, scratch);
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

fn schema<'a>(top: &Top<'a>, is_registered: bool, check: &mut Check<'_, '_, 'a>) {
    let text = top.schema.map(|Also(schema)| schema);
    let schema = check.need_text::<Top<'_>>(top.object, &top.seen, "$schema", text, "");
    if let Some(schema) = schema.filter(|schema| !is_registered && *schema != SCHEMA) {
        check.about(
            Code::InvalidValue,
            schema,
            "",
            "{} is not the schema of server cards; write https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        );
    }
}

/// Checks the members that identify the server. In the earlier draft they are in `serverInfo`.
fn identity<'a>(document: &McpServerCard<'a>, check: &mut Check<'_, '_, 'a>) {
    let top = &document.top;
    let info = ServerInfo::read(or_absent(&top.server_info));
    let inner = [
        ("name", top.name, info.name),
        ("version", top.version, info.version),
        ("description", top.description, info.description),
    ];
    for (name, text, inner) in inner {
        if text.is_some() || inner.is_none() {
            check.need_text::<Top<'_>>(top.object, &top.seen, name, text, "");
        }
    }
    if let Some(name) = filled(top.name)
        && !is_name(name)
    {
        check.about(
            Code::InvalidValue,
            name,
            "",
            "{} is not a valid server name; write a reverse domain name, one slash and the name, such as com.example/weather",
        );
    }
    length(top.name, 200, "{} is longer than 200 characters; shorten the name", check);
    length(top.title, 100, "{} is longer than 100 characters; shorten the title", check);
    length(
        top.description,
        100,
        "{} is longer than 100 characters; shorten the description",
        check,
    );
    let version = filled(top.version);
    length(version, 255, "{} is longer than 255 characters; shorten the version", check);
    match version.map(|version| (version, version_of(version))) {
        Some((version, Version::Range)) => check.about(
            Code::InvalidValue,
            version,
            "",
            "{} is a range of versions; write the one version of the server, such as 1.0.2",
        ),
        Some((version, Version::Other)) => check.graded(
            Code::InvalidValue,
            Severity::Info,
            version,
            "",
            "{} is not a semantic version, so it may not sort as expected; write one such as 1.0.2",
        ),
        _ => {}
    }
}

fn filled(text: Option<Text<'_>>) -> Option<Text<'_>> {
    text.filter(|text| !text.is_blank())
}

/// Reports a text with more characters than allowed.
fn length<'a>(
    text: Option<Text<'a>>,
    most: usize,
    message: &'static str,
    check: &mut Check<'_, '_, 'a>,
) {
    if let Some(text) = text
        && text.chars().nth(most).is_some()
    {
        check.about(Code::InvalidLength, text, "", message);
    }
}

/// Whether a name matches `^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`.
fn is_name(name: Text<'_>) -> bool {
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

enum Version {
    Semantic,
    Range,
    Other,
}

/// Returns whether a version is a semantic version, a range of versions, or something else.
fn version_of(version: Text<'_>) -> Version {
    let mut chars = version.chars();
    let first = chars.next().unwrap_or_default();
    let (mut dots, mut digits, mut is_core) = (0_usize, 0_usize, true);
    let (mut previous, mut is_range) = (first, matches!(first, '^' | '~' | '>' | '<' | '='));
    for c in version.chars() {
        // Ranges have a part that is `x` or `*`, alternatives, or the form `1.0 - 2.0`.
        is_range |= matches!(c, '*' | '|' | ' ' | '<' | '>');
        is_range |= is_core && matches!(c, 'x' | 'X') && previous == '.';
        match c {
            '.' if is_core && digits > 0 => (dots, digits) = (dots.saturating_add(1), 0),
            '0'..='9' if is_core => digits = digits.saturating_add(1),
            '-' | '+' if is_core && dots == 2 && digits > 0 => is_core = false,
            _ if is_core => dots = usize::MAX,
            _ => {}
        }
        previous = c;
    }
    match (is_range, dots == 2 && (digits > 0 || !is_core)) {
        (true, _) => Version::Range,
        (false, true) => Version::Semantic,
        (false, false) => Version::Other,
    }
}

/// Members that the specification of cards does not define but that are read, with messages that
/// say what to write instead.
const FOREIGN: [(&[u8], &str); 14] = [
    (
        b"serverInfo",
        "{} is from an earlier draft; it is read, write `name`, `version`, `title` and `description` at the top level",
    ),
    (
        b"protocolVersion",
        "{} is from an earlier draft; it is read, write `supportedProtocolVersions` in each of `remotes`",
    ),
    (
        b"transport",
        "{} is from an earlier draft; it is read, write `remotes` with `type` and `url`",
    ),
    (
        b"transports",
        "{} is not in the specification; it is read, write `remotes` with `type` and `url`",
    ),
    (b"url", "{} is not in the specification; it is read, write `remotes` with `type` and `url`"),
    (
        b"endpoint",
        "{} is not in the specification; it is read, write `remotes` with `type` and `url`",
    ),
    (
        b"mcpServers",
        "{} is from the settings of clients; it is read, write one card with `remotes` for each server",
    ),
    (
        b"packages",
        "{} belongs into the MCP registry; it is read, describe in a card only how to connect",
    ),
    (
        b"capabilities",
        "{} is from an earlier draft; it is read, but remove it, because clients ask the server",
    ),
    (
        b"authentication",
        "{} is from an earlier draft; it is read, write `headers` in each of `remotes`",
    ),
    (b"tools", "{} are not listed in a card, because clients ask the server; they are read"),
    (b"resources", "{} are not listed in a card, because clients ask the server; they are read"),
    (b"documentationUrl", "{} is from an earlier draft; it is read, write `websiteUrl`"),
    (b"provider", "{} is not in the specification; it is read, write it into `_meta`"),
];

/// Reports members that the specification of cards does not define, whether they are read or not.
fn foreign<'a>(object: Value<'a>, is_registered: bool, check: &mut Check<'_, '_, 'a>) {
    let table = Lookup::of::<Top<'_>>();
    for member in object.members().filter(|member| !member.value.is_null()) {
        let number = table.number(member.name);
        let field = number.and_then(|number| table.fields.get(number as usize));
        if field.is_none() && member.name != "_meta" {
            let message = "the specification does not define {}; it is kept as metadata, write data of your own into `_meta`";
            check.about(Code::UnknownField, member.name, "", message);
        }
        let own = |name: &[u8]| FOREIGN.iter().find(|(field, _)| *field == name);
        let Some((name, message)) = field.and_then(|field| own(field.name())) else {
            continue;
        };
        if is_registered && *name == b"packages" {
            continue;
        }
        check.about(Code::NonstandardField, member.name, "", message);
    }
}

fn repository<'a>(repository: Option<Repository<'a>>, check: &mut Check<'_, '_, 'a>) {
    let Some(Repository(object)) = repository else {
        return;
    };
    if object.kind() != Kind::Object {
        return;
    }
    let repository = members::<RepositoryObject<'_>>(object, check, "").view();
    let source = repository.source.map(|Also(source)| source);
    check.need_text::<RepositoryObject<'_>>(object, &repository.seen, "source", source, "");
    let url = repository.url;
    let url = check.need_text::<RepositoryObject<'_>>(object, &repository.seen, "url", url, "");
    check.url(url, Secure::NotAsked, "");
    if let Some(Also(folder)) = repository.subfolder
        && !is_clean_path(folder)
    {
        check.about(
            Code::InvalidValue,
            folder,
            "",
            "{} is not a clean relative path; write it from the root of the repository, without `.`, `..`, `\\` and a slash at either end",
        );
    }
}

/// Whether a path is relative and has no empty segment, `.` or `..`. True for an empty path, which
/// is reported elsewhere.
fn is_clean_path(path: Text<'_>) -> bool {
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

fn icons<'a>(icons: Value<'a>, check: &mut Check<'_, '_, 'a>) {
    check.objects(icons, "", |object, check| {
        let noted = members::<IconObject<'_>>(object, check, "");
        strings_in(&noted, &["sizes"], check, "");
        let icon = noted.view();
        let src = check.need_text::<IconObject<'_>>(object, &icon.seen, "src", icon.src, "");
        check.url(src.filter(|src| !src.starts_with_ignore_case("data:")), Secure::Http, "");
        for size in icon.sizes.into_iter().flat_map(|sizes| sizes.0) {
            if !size.is_blank() && !is_size(size) {
                check.about(
                    Code::InvalidValue,
                    size,
                    "",
                    "{} is not a size; write WIDTHxHEIGHT such as 48x48, or any",
                );
            }
        }
        check.one_of(
            icon.theme,
            &["light", "dark"],
            Case::Exact,
            "",
            "{} is not a theme; write light or dark",
        );
    });
}

/// Whether a text is `WIDTHxHEIGHT` or `any`.
fn is_size(size: Text<'_>) -> bool {
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

fn remote<'a>(object: Value<'a>, check: &mut Check<'_, '_, 'a>, scratch: &mut [u32]) {
    let noted = members::<ServerObject<'_>>(object, check, "");
    strings_in(&noted, &["supportedProtocolVersions"], check, "");
    let remote = noted.view();
    let kind = remote.kind;
    let kind = check.need_text::<ServerObject<'_>>(object, &remote.seen, "type", kind, "");
    check.one_of(
        kind,
        &["streamable-http", "sse"],
        Case::Exact,
        "",
        "{} is not a transport of a remote; write streamable-http or sse",
    );
    let url = remote.url;
    let url = check.need_text::<ServerObject<'_>>(object, &remote.seen, "url", url, "");
    if let Some(url) = url {
        inputs::server_url(url, remote.variables, check);
    }
    check.repeated(remote.variables, scratch);
    for variable in inputs::inputs(remote.variables) {
        inputs::input(variable, check, scratch);
    }
    if let Some(Headers(headers)) = remote.headers {
        inputs::headers(headers, remote.variables, check, scratch);
    }
}

/// Checks the servers of the other dialects: their URLs and transports.
fn others<'a>(top: &Top<'a>, check: &mut Check<'_, '_, 'a>, scratch: &mut [u32]) {
    const NEITHER: &str =
        "{} is neither an https URL nor a path that begins with `/`; write one of them";
    if let Some(url) = top.server_url() {
        check.endpoint(Some(url), Secure::Http, "", NEITHER);
    }
    let kind = top.transport.and_then(|Carrier { kind, .. }| kind);
    transport(kind, check);
    let Some(NamedServers(list)) = top.servers else {
        return;
    };
    if list.kind() == Kind::Object {
        check.repeated(Some(Object(list)), scratch);
    }
    let named = list.members().map(|member| member.value);
    for server in list.elements().chain(named) {
        if check.report.is_full() {
            return;
        }
        if server.kind() != Kind::Object {
            let message = "this server must be an object; it is ignored";
            check.add(Code::WrongType, span_of(server, check.bytes), "", message);
            continue;
        }
        let server = ServerObject::read(server);
        check.endpoint(server.url, Secure::Http, "", NEITHER);
        let carrier = server.transport.and_then(|Carrier { kind, .. }| kind);
        transport(server.kind.or(carrier), check);
    }
}

/// Reports what is stated twice, under several names, in the objects that cards should not have. Their
/// members have other names in other dialects, so nothing else is reported.
fn other_names<'a>(top: &Top<'a>, check: &mut Check<'_, '_, 'a>) {
    let values = |value: Value<'a>| {
        let named = value.members().map(|member| member.value);
        value.elements().chain(named)
    };
    names_only::<ServerInfo<'_>>(or_absent(&top.server_info), check, "");
    authentication(top.authentication, check);
    for name in ["transport", "mcp"] {
        let transport = top.object.get(name).unwrap_or(Value::ABSENT);
        names_only::<TransportObject<'_>>(transport, check, "");
    }
    let transports = top.transports.map(|Transports(list)| list);
    let servers = top.servers.map(|NamedServers(list)| list);
    for server in transports.into_iter().chain(servers).flat_map(values) {
        names_only::<ServerObject<'_>>(server, check, "");
    }
    let remotes = top.remotes.map(|Servers(list)| list);
    for server in remotes.into_iter().chain(transports).chain(servers).flat_map(values) {
        let server = ServerObject::read(server);
        authentication(server.authentication.map(|Access(value)| value), check);
        let transport = server.object.get("transport").unwrap_or(Value::ABSENT);
        names_only::<TransportObject<'_>>(transport, check, "");
    }
    for package in top.packages.into_iter().flat_map(|Servers(list)| values(list)) {
        names_only::<PackageObject<'_>>(package, check, "");
        let transport = package.get("transport").unwrap_or(Value::ABSENT);
        names_only::<TransportObject<'_>>(transport, check, "");
    }
    for tool in top.tools.into_iter().flat_map(|Tools(list)| values(list)) {
        names_only::<ToolObject<'_>>(tool, check, "");
        authentication(ToolObject::read(tool).security, check);
    }
}

/// The same for a declaration of authentication.
fn authentication<'a>(value: Option<Value<'a>>, check: &mut Check<'_, '_, 'a>) {
    let Some(value) = value else { return };
    names_only::<AuthObject<'_>>(value, check, "");
    let listed = AuthObject::read(value).schemes;
    let listed = listed.map_or(value, |Schemes(list)| list);
    for scheme in listed.elements() {
        names_only::<SchemeObject<'_>>(scheme, check, "");
    }
}

fn transport<'a>(kind: Option<Text<'a>>, check: &mut Check<'_, '_, 'a>) {
    if let Some(kind) = filled(kind)
        && super::servers::transport(kind).value == Transport::UNKNOWN
    {
        check.about(
            Code::InvalidValue,
            kind,
            "",
            "{} is not a transport of MCP; write streamable-http or sse",
        );
    }
}

fn tools<'a>(list: Value<'a>, check: &mut Check<'_, '_, 'a>) {
    for object in list.elements().filter(|tool| tool.kind() == Kind::Object) {
        if check.report.is_full() {
            return;
        }
        let tool = ToolObject::read(object);
        check.need_text::<ToolObject<'_>>(object, &tool.seen, "name", tool.name, "");
        if let Some(Annotations(hints)) = tool.annotations
            && hints.destructive == Some(true)
            && hints.read_only == Some(true)
        {
            check.add(
                Code::Contradiction,
                span_of(hints.object, check.bytes),
                "",
                "a tool that only reads cannot be destructive; correct one of the two hints, now it counts as destructive",
            );
        }
    }
}

/// Reports repeated names of tools, and repeated URLs of remotes.
fn names<'a>(document: &McpServerCard<'a>, check: &mut Check<'_, '_, 'a>, scratch: &mut [u32]) {
    let tools = document.capabilities().filter_map(|tool| tool.id);
    let message = "an earlier tool already has the name {}; give each tool a unique name";
    if check.unique(tools, Severity::Error, "", message, scratch).is_none() {
        return;
    }
    let Some(Servers(list)) = document.top.remotes else {
        return;
    };
    let urls = list.elements().filter_map(|remote| ServerObject::read(remote).url);
    let message = "the remote {} is described twice; remove one";
    check.unique(urls, Severity::Warning, "", message, scratch);
}
