//! Reads the servers of a card, from the top level, `remotes`, `mcpServers`, `transports` and
//! `packages`.

use super::auth::{self, credential};
use super::{NamedServers, Servers, Top, Transports, check};
use crate::model::list::{Cursor, states};
use crate::model::{
    Choice, Endpoint, Enumeration, List, Location, Parameter, Protocol, Raw, Transport,
};
use crate::rules::json::reading::{guarded, guards, has_unread_auth, kept, kept_and};
use crate::rules::values::is_first;
use crate::span::Span;
use crate::syntax::json::view::{Also, Array, Object, Read, Shape, View, view};
use crate::syntax::json::{Holds, Kind, Value, next_element, next_member};
use crate::syntax::text::Text;

view! {
    /// A server.
    pub struct ServerObject at "" then remote {
        /// `type`, required: the transport.
        kind: Text<'a> = b"type" | b"transport_type" | b"transportType" [If(is_remote, &Need), If(is_remote, &OneOf(&["streamable-http", "sse"], Case::Exact, NO_REMOTE))],
        /// `url`, required: a URL or a URL template.
        url: Text<'a> = b"url" | b"endpoint" | b"serverUrl" | b"httpUrl" [If(is_remote, &Need), Unique(REMOTE_TWICE), If(is_remote, &Then(server_url))],
        /// `headers`: a list; also read: an object from name to header.
        headers: Headers<'a> = b"headers" [If(is_remote, &Each(InputObject::RULES))],
        /// `variables` of the URL, from name to variable.
        variables: Object<'a> = b"variables" [If(is_remote, &Names), If(is_remote, &Map(InputObject::RULES))],
        /// `supportedProtocolVersions`; also read: a single version.
        versions: Versions<'a> = b"supportedProtocolVersions" | b"protocolVersions"
            | b"protocolVersion" [If(is_remote, &Texts)],
        /// `transport` of the other dialects.
        transport: Carrier<'a> = b"transport" [Inside(TransportObject::RULES)],
        /// `authentication` of the other dialects.
        authentication: Access<'a> = b"authentication" | b"auth" => auth::weight [Inside(auth::AuthObject::RULES), Among(auth::SchemeObject::RULES)],
        /// `command` of clients.
        command: Also<Text<'a>> = b"command",
        /// `name`.
        name: Text<'a> = b"name",
    }

    /// A transport.
    pub struct TransportObject at "" welcomes Anything {
        /// `type`.
        kind: Text<'a> = b"type",
        /// `endpoint`.
        url: Text<'a> = b"endpoint" | b"url",
    }

    /// A package of the MCP registry.
    pub struct PackageObject at "" welcomes Anything {
        /// `identifier`.
        identifier: Text<'a> = b"identifier" | b"name",
        /// `transport`.
        transport: PackageTransport<'a> = b"transport" [Inside(TransportObject::RULES)],
    }

    /// A header, or a variable of a URL.
    pub struct InputObject at "" then input {
        /// `name`, required for headers.
        name: Text<'a> = b"name" [If(is_header, &Need), If(is_header, &Then(header_name))],
        /// `description`.
        description: Text<'a> = b"description",
        /// `isRequired`.
        required: bool = b"isRequired" | b"required" => guards,
        /// `isSecret`.
        secret: bool = b"isSecret" | b"secret" => guards,
        /// `format`: boolean, filepath, number or string.
        format: Text<'a> = b"format" [OneOf(&["string", "number", "boolean", "filepath"], Case::Exact, NO_FORMAT)],
        /// `default`.
        default: Value<'a> = b"default",
        /// `value`, which callers cannot choose.
        value: Also<Value<'a>> = b"value",
        /// `placeholder`.
        placeholder: Value<'a> = b"placeholder",
        /// `choices`.
        choices: Array<'a> = b"choices" [Texts],
        /// `variables` of `value`.
        variables: Also<Object<'a>> = b"variables" [Names, Again(Nest::Map(None))],
    }
}

const NAME: u32 = ServerObject::name;
const HEADERS: u32 = ServerObject::headers;
const REQUIRED: u32 = InputObject::required;
const SECRET: u32 = InputObject::secret;

/// A list of headers.
#[derive(Clone, Copy, Debug)]
pub struct Headers<'a>(pub Value<'a>);

impl<'a> Read<'a> for Headers<'a> {
    const SHAPE: Shape = Shape::Array;

    const KEPT: bool = true;
    const WHOLE: Holds = Holds::TEXTS_OR_OBJECTS;

    fn read(value: Value<'a>) -> Option<Self> {
        super::is_container(value).then_some(Self(value))
    }

    fn keeps(value: Value<'a>) -> bool {
        let is_read = |value: Value<'_>| matches!(value.kind(), Kind::Object | Kind::String);
        !value.elements().all(is_read) || !value.members().all(|member| is_read(member.value))
    }
}

/// Versions of the protocol.
#[derive(Clone, Copy, Debug)]
pub struct Versions<'a> {
    /// The latest version: the last one in alphabetical order.
    pub latest: Option<Text<'a>>,
}

impl<'a> Read<'a> for Versions<'a> {
    const SHAPE: Shape = Shape::Array;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        let latest = match value.kind() {
            Kind::String => value.as_text(),
            Kind::Array => {
                value.elements().filter_map(Value::as_text).max_by_key(|version| version.raw())
            }
            _ => return None,
        };
        Some(Self { latest })
    }

    fn keeps(value: Value<'a>) -> bool {
        value.kind() == Kind::Array
            && !(value.elements().count() == 1
                && value.elements().all(|item| item.kind() == Kind::String))
    }
}

/// A transport: an object, or its type as a string.
#[derive(Clone, Copy, Debug)]
pub struct Carrier<'a> {
    /// Its type.
    pub kind: Option<Text<'a>>,
    /// Its URL.
    pub url: Option<Text<'a>>,
}

impl<'a> Read<'a> for Carrier<'a> {
    const SHAPE: Shape = Shape::Any;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        let object = TransportObject::read(value);
        let kind = object.kind.or(value.as_text());
        (value.kind() == Kind::Object || kind.is_some()).then_some(Self { kind, url: object.url })
    }

    fn keeps(value: Value<'a>) -> bool {
        let seen = TransportObject::read(value).seen;
        seen.is_contested() || seen.ill_typed != 0 || seen.unknown != Span::default()
    }
}

/// The transport of a package. Its URL is on the machine that runs the package.
#[derive(Clone, Copy, Debug)]
pub struct PackageTransport<'a>(pub Carrier<'a>);

impl<'a> Read<'a> for PackageTransport<'a> {
    const SHAPE: Shape = Shape::Object;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        Carrier::read(value).map(Self)
    }

    fn keeps(value: Value<'a>) -> bool {
        Carrier::keeps(value) || TransportObject::read(value).url.is_some()
    }
}

/// The authentication of one server.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a>(pub Value<'a>);

impl<'a> Read<'a> for Access<'a> {
    const SHAPE: Shape = Shape::Any;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        Some(Self(value))
    }

    /// The model shows only the type, so everything else is kept.
    fn keeps(value: Value<'a>) -> bool {
        match value.kind() {
            Kind::Object => {
                let has_type = |member: crate::syntax::json::Member<'_>| member.name == *"type";
                !value.members().all(has_type)
            }
            kind => kind != Kind::String,
        }
    }
}

/// Other names of transports.
const TRANSPORTS: [(&str, Transport); 5] = [
    ("streamable_http", Transport::StreamableHttp),
    ("streamableHttp", Transport::StreamableHttp),
    ("http+sse", Transport::Sse),
    ("http-sse", Transport::Sse),
    ("https", Transport::Http),
];

pub(super) fn transport(text: Text<'_>) -> Choice<'_, Transport> {
    let further = TRANSPORTS.iter().find(|(name, _)| text.eq_ignore_case(name));
    Choice {
        value: further.map_or_else(|| Transport::of(text), |(_, transport)| *transport),
        text: Some(text),
    }
}

/// The places of servers in a card, as bits.
const OWN: u32 = 1;
const REMOTES: u32 = 1 << 1;
const SERVERS: u32 = 1 << 2;
const TRANSPORT_LIST: u32 = 1 << 3;
const PACKAGES: u32 = 1 << 4;

states! {
    /// The state of a list of servers.
    struct Places {
        /// The place of the next server, or 0 before the first place.
        current: u32[5],
        /// The places that follow.
        left: u32[5],
        /// Whether the current place is an object, from the names of the servers.
        is_object: bool,
    }
}

/// Returns the servers of a card, place by place, in the order of the constants above.
pub(super) fn endpoints<'a>(top: &Top<'a>) -> List<'a, Endpoint<'a>> {
    let bit = |is_there: bool, bit: u32| if is_there { bit } else { 0 };
    let lists = bit(top.remotes.is_some(), REMOTES)
        | bit(top.servers.is_some(), SERVERS)
        | bit(top.transports.is_some(), TRANSPORT_LIST)
        | bit(top.packages.is_some(), PACKAGES);
    let has_own = top.server_url().is_some()
        || top.transport.is_some()
        || (lists == 0 && top.protocol_version.is_some());
    let places = lists | bit(has_own, OWN);
    if places == 0 {
        return List::empty();
    }
    let none = Places { current: 0, left: places, is_object: false };
    let mut list = List::new(top.object.raw(), none, next_server);
    if let Some(cursor) = list.cursor_mut()
        && let Some(first) = none.next_place(cursor, |_, place| list_at(top, place))
    {
        cursor.set(first);
    }
    list
}

/// Returns the list of servers at a place.
fn list_at<'a>(top: &Top<'a>, place: u32) -> Option<Value<'a>> {
    match place {
        REMOTES => top.remotes.map(|Servers(list)| list),
        SERVERS => top.servers.map(|NamedServers(list)| list),
        TRANSPORT_LIST => top.transports.map(|Transports(list)| list),
        _ => top.packages.map(|Servers(list)| list),
    }
}

/// Returns the next server, of the current place or of one that follows.
fn next_server<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    loop {
        let places: Places = cursor.state();
        let server = places.next(cursor);
        if server.is_some() {
            return server;
        }
        let next =
            places.next_place(cursor, |card, place| list_at(&Top::of_document(card), place))?;
        cursor.set(next);
    }
}

impl Places {
    /// Returns the next server of the current place.
    fn next<'a>(self, cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
        let place = self.current;
        match place {
            0 => return None,
            OWN => {
                // The top level is one server.
                let card = Value::trusted(cursor.bytes);
                return is_first(cursor).then(|| own(&Top::of_document(card)));
            }
            _ => {}
        }
        loop {
            let (name, value) = if self.is_object {
                let member = next_member(cursor.bytes, &mut cursor.position)?;
                (Some(member.name), member.value)
            } else {
                (None, next_element(cursor.bytes, &mut cursor.position)?)
            };
            let is_server = match (place, name) {
                (TRANSPORT_LIST, Some(name)) => is_transport(name, value),
                _ => value.kind() == Kind::Object,
            };
            if is_server {
                return Some(match place {
                    PACKAGES => package(value),
                    _ => server(name, place == TRANSPORT_LIST, value),
                });
            }
        }
    }

    /// Moves to the next place that has servers. `list` returns the list of servers at a place.
    fn next_place<'a>(
        self,
        cursor: &mut Cursor<'a>,
        list: impl Fn(Value<'a>, u32) -> Option<Value<'a>>,
    ) -> Option<Self> {
        let current = self.left & self.left.wrapping_neg();
        let mut next = Self { current, left: self.left & !current, is_object: false };
        match current {
            0 => return None,
            OWN => {}
            _ => {
                let list = list(Value::trusted(cursor.bytes), current)?;
                cursor.go_inside(list.raw());
                next.is_object = list.kind() == Kind::Object;
            }
        }
        Some(next)
    }
}

/// Whether a member of `transports` or `endpoints` is a server: its name is the name of a
/// transport, or `mcp`.
fn is_transport(name: Text<'_>, value: Value<'_>) -> bool {
    matches!(value.kind(), Kind::Object | Kind::String)
        && (transport(name).value != Transport::Unknown || is_protocol(name))
}

fn is_protocol(name: Text<'_>) -> bool {
    name.eq_ignore_case("mcp")
}

const MCP: Choice<'static, Protocol> = Choice::implied(Protocol::Mcp);

/// Returns the server that the top level describes.
fn own<'a>(top: &Top<'a>) -> Endpoint<'a> {
    Endpoint {
        name: None,
        protocol: MCP,
        url: top.server_url(),
        version: top.protocol_version,
        transport: top.transport.and_then(|carrier| carrier.kind).map(transport),
        auth: None,
        parameters: List::empty(),
        extra: List::empty(),
    }
}

/// Returns a server. `name` is its key, which is the name of its transport if `is_by_transport`.
fn server<'a>(name: Option<Text<'a>>, is_by_transport: bool, value: Value<'a>) -> Endpoint<'a> {
    let server = ServerObject::read(value);
    let carrier = server.transport;
    let by_name = name.filter(|name| is_by_transport && !is_protocol(*name));
    let kind = server.kind.or(carrier.and_then(|carrier| carrier.kind)).or(by_name);
    let url = server.url.or(carrier.and_then(|carrier| carrier.url)).or(value.as_text());
    let is_local = url.is_none() && server.command.is_some();
    let parameters = parameters(&server);
    let declared = server.authentication.map(|Access(value)| auth::kind(value));
    let (name, inner) = match name {
        // The object may have another name, which is kept as metadata.
        Some(name) => (Some(name), Some(NAME)),
        None => (server.name, None),
    };
    Endpoint {
        name,
        protocol: MCP,
        url,
        version: server.versions.and_then(|versions| versions.latest),
        transport: kind.map(transport).or(is_local.then_some(Choice::implied(Transport::Stdio))),
        auth: declared
            .or_else(|| credential(parameters).map(|credential| credential.kind))
            .or_else(|| {
                let is_unread = has_unread_auth::<ServerObject<'_>>(&server.object, &server.seen);
                (is_unread || has_unread_headers(&server)).then(Choice::unreadable)
            }),
        parameters,
        extra: match inner {
            Some(_) => kept_and::<ServerObject<'_>>(&server.object, &server.seen, inner),
            None => kept::<ServerObject<'_>>(&server.object, &server.seen),
        },
    }
}

/// Whether some headers of a server are unreadable; these may carry credentials. In a list, a
/// header that is only a name counts, too: its value may be secret.
fn has_unread_headers(server: &ServerObject<'_>) -> bool {
    let Some(Headers(headers)) = server.headers else {
        return server.seen.is_ill_typed(HEADERS);
    };
    let is_read = |value: Value<'_>| matches!(value.kind(), Kind::Object | Kind::String);
    headers.elements().any(|header| InputObject::read(header).name.is_none())
        || !headers.members().all(|header| is_read(header.value))
}

/// Returns the server of a package, which people install. It has no URL in the model, because its
/// URL would be on their own machine.
fn package(value: Value<'_>) -> Endpoint<'_> {
    let package = PackageObject::read(value);
    let kind = package.transport.and_then(|PackageTransport(carrier)| carrier.kind);
    Endpoint {
        name: package.identifier,
        protocol: MCP,
        url: None,
        version: None,
        transport: Some(kind.map_or(Choice::implied(Transport::Stdio), transport)),
        auth: None,
        parameters: List::empty(),
        extra: kept::<PackageObject<'_>>(&package.object, &package.seen),
    }
}

/// Returns the headers of a server, then the variables of its URL.
fn parameters<'a>(server: &ServerObject<'a>) -> List<'a, Parameter<'a>> {
    let bytes = server.object.raw();
    let offset = |value: Value<'a>| Span::of(value.raw(), bytes).start.saturating_add(1);
    let headers = server.headers.map(|Headers(headers)| headers);
    let variables = server.variables.map_or(0, |Object(variables)| offset(variables));
    let Some(first) = headers.map(offset).or((variables != 0).then_some(u32::MAX)) else {
        return List::empty();
    };
    let step = match headers.map(Value::kind) {
        Some(Kind::Array) => |cursor: &mut Cursor<'a>| next_parameter(cursor, true),
        _ => |cursor: &mut Cursor<'a>| next_parameter(cursor, false),
    };
    List::new(bytes, variables, step).from(first)
}

/// Returns the next parameter. `is_listed` is true if the headers are a list, not an object.
fn next_parameter<'a>(cursor: &mut Cursor<'a>, is_listed: bool) -> Option<Parameter<'a>> {
    cursor.next_of_two(|cursor, is_variable| {
        loop {
            let (name, value) = if is_listed && !is_variable {
                (None, next_element(cursor.bytes, &mut cursor.position)?)
            } else {
                let member = cursor.next_entry()?;
                (Some(member.name), member.value)
            };
            if matches!(value.kind(), Kind::Object | Kind::String) {
                return Some(parameter(name, value, is_variable));
            }
        }
    })
}

/// Returns a header or a variable. A string in a list is the name of a header; elsewhere it is the
/// value.
fn parameter<'a>(name: Option<Text<'a>>, value: Value<'a>, is_variable: bool) -> Parameter<'a> {
    let input = InputObject::read(value);
    let text = value.as_text();
    let own_value = input.value.map(|Also(value)| value);
    let written = text.and(name).map(|_| value);
    Parameter {
        name: name.or(input.name).or(text),
        location: Some(Choice::implied(if is_variable {
            Location::Path
        } else {
            Location::Header
        })),
        kind: input.format,
        required: guarded(input.required, &input.seen, REQUIRED),
        secret: guarded(input.secret, &input.seen, SECRET),
        description: input.description,
        default: input.default.or(own_value).or(written).map(Raw::Json),
        example: input.placeholder.map(Raw::Json),
        options: crate::rules::json::reading::raws(input.choices),
        metadata: kept::<InputObject<'_>>(&input.object, &input.seen),
        source: value.raw(),
        ..Parameter::default()
    }
}
