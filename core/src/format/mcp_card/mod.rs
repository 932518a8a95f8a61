//! MCP server cards, in the dialects that sites publish. The tables below define the format.
//!
//! The dialects are the card of the schema (`remotes`), the earlier draft (`serverInfo`,
//! `transport`), the entry of the MCP registry (`packages`), short forms with one URL, and the
//! settings of clients (`mcpServers`). One table reads all of them: each member has the same
//! meaning in every document.

mod about;
pub mod auth;
pub(crate) mod check;
pub mod servers;
pub(crate) mod signs;
pub mod tools;

use crate::model::list::Cursor;
use crate::model::{
    Capability, Endpoint, Head, List, Metadata, Reading, Reference, SecurityScheme, Service,
    ServiceAuth,
};
use crate::rules::json::reading::{
    Texts, TextsOrOne, all_members, are_all, has_unread_auth, kept, or_absent,
};
use crate::scan;
use crate::span::Span;
use crate::syntax::json::view::{Also, Object, Read, Seen, Shape, view};
use crate::syntax::json::{Holds, Kind, Value, next_element};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;
use servers::{Carrier, PackageObject, ServerObject, TransportObject};
use tools::Tools;

view! {
    /// The document.
    pub struct Top at "" welcomes OtherNames then card {
        /// `$schema`, required.
        schema: Also<Text<'a>> = b"$schema" [Need, In(New, &Fits(is_schema, NO_SCHEMA))],
        /// `name`, required: `NAMESPACE/NAME` with a reverse domain name.
        name: Text<'a> = b"name" [If(is_nowhere, &Need), Fits(is_name, NO_NAME), Fits(is_short::<200>, LONG_NAME)],
        /// `title`.
        title: Text<'a> = b"title" required [Fits(is_short::<100>, LONG_TITLE)],
        /// `description`, required.
        description: Text<'a> = b"description" [If(is_nowhere, &Need), Fits(is_short::<100>, LONG_DESCRIPTION)],
        /// `version`, required.
        version: Text<'a> = b"version" [If(is_nowhere, &Need), Fits(is_short::<255>, LONG_VERSION), Fits(is_one, RANGE), Fits(is_semantic, NOT_SEMANTIC)],
        /// `websiteUrl`.
        website: Text<'a> = b"websiteUrl" | b"homepage" [Url(Secure::Web)],
        /// `icons`; also read: a single URL.
        icons: Icons<'a> = b"icons" | b"iconUrl" | b"icon" [Each(IconObject::RULES)],
        /// `repository`; also read: its URL.
        repository: Repository<'a> = b"repository" [Inside(RepositoryObject::RULES)],
        /// `remotes`.
        remotes: Servers<'a> = b"remotes" [Each(ServerObject::RULES)],
        /// `packages` of the MCP registry.
        packages: Servers<'a> = b"packages" [In(New, &Gone(PACKAGES, "")), Among(PackageObject::RULES)],
        /// `mcpServers` of clients: an object from name to server; also read: a list of servers.
        servers: NamedServers<'a> = b"mcpServers" | b"servers" [Gone(SETTINGS, ""), Names, Among(ServerObject::RULES)],
        /// `serverInfo` of the earlier draft.
        server_info: Object<'a> = b"serverInfo" [Gone(DRAFT, "`name`, `version`, `title` and `description` at the top level"), Inside(ServerInfo::RULES)],
        /// `protocolVersion` of the earlier draft.
        protocol_version: Text<'a> = b"protocolVersion" | b"mcp_version" [Gone(DRAFT, "`supportedProtocolVersions` in each of `remotes`")],
        /// `transport` of the earlier draft; also read: its type as a string.
        transport: Carrier<'a> = b"transport" | b"mcp" [Gone(DRAFT, REMOTES), Inside(TransportObject::RULES)],
        /// `transports`: a list, or an object from transport to server.
        transports: Transports<'a> = b"transports" | b"endpoints" [Gone(FOREIGN, REMOTES), Among(ServerObject::RULES)],
        /// `capabilities`: feature flags of the server.
        capabilities: Object<'a> = b"capabilities" [Gone(FLAGS, "")],
        /// `authentication` of the earlier draft.
        authentication: Value<'a> = b"authentication" | b"auth" => auth::weight [Gone(DRAFT, "`headers` in each of `remotes`"), Inside(auth::AuthObject::RULES), Among(auth::SchemeObject::RULES)],
        /// `tools`: a list of objects or names; also read: an object from name to tool.
        tools: Tools<'a> = b"tools" [Gone(LISTED, ""), Among(tools::ToolObject::RULES)],
        /// `resources` of the earlier draft.
        resources: Resources<'a> = b"resources" [Gone(LISTED, "")],
        /// `url`: the URL of the server; or of the site, if another member has the URL of the
        /// server.
        url: Text<'a> = b"url" [Gone(FOREIGN, REMOTES)],
        /// The URL of the server in the short forms.
        endpoint: Text<'a> = b"endpoint" | b"serverUrl" | b"server_url" | b"mcp_endpoint"
            | b"mcp_server" | b"mcp_url" [Gone(FOREIGN, REMOTES)],
        /// `documentationUrl` of the earlier draft.
        documentation: Text<'a> = b"documentationUrl" | b"documentation" | b"docs" [Gone(DRAFT, "`websiteUrl`")],
        /// The operator of the server; also read: its name as a string.
        provider: Provider<'a> = b"provider" | b"author" | b"publisher" | b"vendor" [Gone(FOREIGN, META)],
        /// `contact`.
        contact: TextsOrOne<'a> = b"contact",
    }

    /// The server in the earlier draft.
    pub struct ServerInfo at "" welcomes Anything {
        /// `name`.
        name: Text<'a> = b"name",
        /// `title`.
        title: Text<'a> = b"title",
        /// `version`.
        version: Text<'a> = b"version",
        /// `description`.
        description: Text<'a> = b"description",
        /// `websiteUrl`.
        website: Text<'a> = b"websiteUrl" | b"homepage",
    }

    /// An icon.
    pub struct IconObject at "" {
        /// `src`, required: a URL.
        src: Text<'a> = b"src" [Need, If(is_not_data, &Url(Secure::Web))],
        /// `mimeType`.
        media_type: Text<'a> = b"mimeType",
        /// `sizes`: `WIDTHxHEIGHT`, or `any`.
        sizes: Texts<'a> = b"sizes" [Texts, EachText(&Fits(is_size, NO_SIZE))],
        /// `theme`: `light` or `dark`.
        theme: Text<'a> = b"theme" [OneOf(&["light", "dark"], Case::Exact, NO_THEME)],
    }

    /// The repository of the server's source code.
    pub struct RepositoryObject at "" {
        /// `url`, required.
        url: Text<'a> = b"url" [Need, Url(Secure::NotAsked)],
        /// `source`, required: the hosting service.
        source: Also<Text<'a>> = b"source" [Need],
        /// `id`: the identifier in the hosting service.
        id: Text<'a> = b"id",
        /// `subfolder`: a relative path.
        subfolder: Also<Text<'a>> = b"subfolder" [Fits(is_clean_path, NO_FOLDER)],
    }

    /// A resource of the server.
    pub struct ResourceObject {
        /// `uri`.
        uri: Text<'a> = b"uri",
        /// `name`.
        name: Text<'a> = b"name",
        /// `title`.
        title: Text<'a> = b"title",
        /// `description`.
        description: Text<'a> = b"description",
        /// `mimeType`.
        media_type: Text<'a> = b"mimeType",
    }

    /// The provider of the server.
    pub struct ProviderObject {
        /// `name`.
        name: Text<'a> = b"name",
        /// `url`.
        url: Text<'a> = b"url",
    }
}

/// Whether a value is an array or an object.
fn is_container(value: Value<'_>) -> bool {
    matches!(value.kind(), Kind::Array | Kind::Object)
}

macro_rules! containers {
    ($($(#[$about:meta])* $name:ident $shape:ident $whole:ident $keeps:expr,)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'a>(pub Value<'a>);

        impl<'a> Read<'a> for $name<'a> {
            const SHAPE: Shape = Shape::$shape;

            const KEPT: bool = true;
            const WHOLE: Holds = Holds::$whole;

            fn read(value: Value<'a>) -> Option<Self> {
                is_container(value).then_some(Self(value))
            }

            fn keeps(value: Value<'a>) -> bool {
                $keeps(value)
            }
        }
    )*};
}

containers! {
    /// A list of servers.
    Servers Array OBJECTS |value| !are_all(value, Kind::Object),
    /// A list of servers, or an object from name to server.
    NamedServers Any OBJECTS |value| !are_all(value, Kind::Object),
    /// A list of servers, or an object in which some members are servers.
    Transports Any UNKNOWN |value: Value<'a>| value.kind() == Kind::Object || !are_all(value, Kind::Object),
    /// A list of resources.
    Resources Any UNKNOWN |value: Value<'a>| value.kind() == Kind::Object || !are_all(value, Kind::Object),
}

/// The repository: an object, or its URL.
#[derive(Clone, Copy, Debug)]
pub struct Repository<'a>(pub Value<'a>);

impl<'a> Read<'a> for Repository<'a> {
    const SHAPE: Shape = Shape::Object;

    fn read(value: Value<'a>) -> Option<Self> {
        matches!(value.kind(), Kind::Object | Kind::String).then_some(Self(value))
    }
}

/// The URL of an icon.
#[derive(Clone, Copy, Debug)]
pub struct Icons<'a> {
    /// The URL of the first icon.
    pub first: Option<Text<'a>>,
}

impl<'a> Read<'a> for Icons<'a> {
    const SHAPE: Shape = Shape::Array;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        let first = match value.kind() {
            Kind::String => value.as_text(),
            Kind::Array => value.elements().find_map(|icon| IconObject::read(icon).src),
            _ => return None,
        };
        Some(Self { first })
    }

    fn keeps(value: Value<'a>) -> bool {
        value.kind() != Kind::String
    }
}

/// The name and the URL of a provider.
#[derive(Clone, Copy, Debug)]
pub struct Provider<'a> {
    /// Its name.
    pub name: Option<Text<'a>>,
    /// Its URL.
    pub url: Option<Text<'a>>,
}

impl<'a> Read<'a> for Provider<'a> {
    const SHAPE: Shape = Shape::Any;

    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        let object = ProviderObject::read(value);
        let name = object.name.or(value.as_text());
        (value.kind() == Kind::Object || name.is_some()).then_some(Self { name, url: object.url })
    }

    fn keeps(value: Value<'a>) -> bool {
        let seen = ProviderObject::read(value).seen;
        seen.is_contested() || seen.unknown != Span::default()
    }
}

/// A parsed MCP server card.
#[derive(Clone, Copy, Debug)]
pub struct McpServerCard<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> McpServerCard<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Top::attach(bytes, outline) }
    }

    /// Whether the card declares authentication that is optional for callers.
    pub(crate) fn is_auth_optional(&self) -> bool {
        self.top.authentication.is_some_and(auth::is_optional)
    }

    /// Returns `serverInfo`; an object without members if it is absent.
    fn server_info(&self) -> ServerInfo<'a> {
        ServerInfo::read(or_absent(&self.top.server_info))
    }
}

impl<'a> Top<'a> {
    /// Returns the URL of the server that the top level describes.
    fn server_url(&self) -> Option<Text<'a>> {
        let carried = self.transport.and_then(|carrier| carrier.url);
        carried.or(self.endpoint).or(self.url.filter(|_| {
            self.remotes.is_none() && self.servers.is_none() && self.packages.is_none()
        }))
    }

    /// Whether `url` is the web site of the service and not the URL of the server.
    fn has_site(&self) -> bool {
        self.server_url() != self.url
    }
}

/// Returns the version in the URL of a schema: the segment after `schemas`.
fn schema_version(schema: Text<'_>) -> Option<Text<'_>> {
    const BEFORE: &[u8] = b"/schemas/";
    let start = scan::find(schema.raw(), BEFORE)?.checked_add(BEFORE.len())?;
    let rest = schema.raw().get(start..)?;
    let end = scan::memchr(b'/', rest)?;
    Some(Text::escaped(rest.get(..end)?, schema.escape()))
}

impl<'a> Reading<'a> for McpServerCard<'a> {
    fn head(&self) -> Head<'a> {
        Head {
            spec_version: self.top.schema.and_then(|Also(schema)| schema_version(schema)),
            ..Head::default()
        }
    }

    fn service(&self) -> Option<Service<'a>> {
        let (top, info) = (&self.top, self.server_info());
        let title = top.title.or(info.title);
        let name = top.name.or(info.name);
        // A reverse domain name identifies the server. So does a name if there is also a title.
        let identifier = name.filter(|name| title.is_some() || name.chars().any(|c| c == '/'));
        let provider = top.provider;
        let service = Service {
            name: title.or(name),
            identifier,
            description: top.description.or(info.description),
            version: info.version.or(top.version),
            url: top.website.or(info.website).or(top.url.filter(|_| top.has_site())),
            docs: top.documentation,
            icon: top.icons.and_then(|icons| icons.first),
            provider: provider.and_then(|provider| provider.name),
            provider_url: provider.and_then(|provider| provider.url),
            contact: top.contact.map_or_else(List::empty, |contact| contact.0),
            metadata: kept::<ServerInfo<'_>>(&info.object, &info.seen),
            source: if info.seen == Seen::NOTHING { b"" } else { info.object.raw() },
            ..Service::default()
        };
        let is_there = service.name.is_some()
            || service.description.is_some()
            || service.url.is_some()
            || service.version.is_some()
            || !service.source.is_empty();
        is_there.then_some(service)
    }

    fn auth(&self) -> Option<ServiceAuth<'a>> {
        let is_unread = has_unread_auth::<Top<'_>>(&self.top.object, &self.top.seen);
        self.top.authentication.or(is_unread.then_some(Value::ABSENT)).map(auth::of_service)
    }

    fn security_schemes(&self) -> List<'a, SecurityScheme<'a>> {
        self.top.authentication.map_or_else(List::empty, auth::schemes)
    }

    fn endpoints(&self) -> List<'a, Endpoint<'a>> {
        servers::endpoints(&self.top)
    }

    fn references(&self) -> List<'a, Reference<'a>> {
        let bytes = self.top.object.raw();
        let offset = |value: Value<'a>| Span::of(value.raw(), bytes).start;
        let repository = self.top.repository.map(|Repository(value)| offset(value));
        let resources =
            self.top.resources.map_or(0, |Resources(list)| offset(list).saturating_add(1));
        if repository.is_none() && resources == 0 {
            return List::empty();
        }
        List::new(bytes, resources, next_reference).from(repository.unwrap_or(u32::MAX))
    }

    fn capabilities(&self) -> List<'a, Capability<'a>> {
        tools::capabilities(self)
    }

    fn features(&self) -> Metadata<'a> {
        all_members(self.top.capabilities)
    }

    fn metadata(&self) -> Metadata<'a> {
        kept::<Top<'_>>(&self.top.object, &self.top.seen)
    }
}

/// Returns the next reference: the repository, then the resources.
fn next_reference<'a>(cursor: &mut Cursor<'a>) -> Option<Reference<'a>> {
    cursor.next_of_two(|cursor, is_resource| {
        if is_resource {
            return cursor.next_view().map(|resource| resource_of(&resource));
        }
        let repository = next_element(cursor.bytes, &mut cursor.position)?;
        // The member behind the repository is not an element.
        cursor.position = u32::MAX;
        Some(repository_of(repository))
    })
}

fn resource_of<'a>(resource: &ResourceObject<'a>) -> Reference<'a> {
    Reference {
        url: resource.uri,
        title: resource.title.or(resource.name),
        identifier: resource.name.filter(|_| resource.title.is_some()),
        description: resource.description,
        media_type: resource.media_type,
        metadata: kept::<ResourceObject<'_>>(&resource.object, &resource.seen),
        source: resource.object.raw(),
        ..Reference::default()
    }
}

fn repository_of(value: Value<'_>) -> Reference<'_> {
    let repository = RepositoryObject::read(value);
    Reference {
        relation: Some(Text::plain(b"repository")),
        url: repository.url.or(value.as_text()),
        identifier: repository.id,
        metadata: kept::<RepositoryObject<'_>>(&repository.object, &repository.seen),
        source: value.raw(),
        ..Reference::default()
    }
}
