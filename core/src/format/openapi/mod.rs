//! OpenAPI descriptions 3.0, 3.1 and 3.2 in JSON. The tables below define the format.
//!
//! An operation becomes a capability, with its path as the endpoint; [`OpenApi::base`] has the URL of
//! the server, to which paths are appended. Parts of a description can be anywhere in it, so reading
//! follows references (`Refs`). Nothing is remembered between two references, therefore the bytes
//! that are searched for the references of an operation are limited in proportion to its own size.
//!
//! Of Swagger 2.0, only the description of the service is read: it has no capabilities, and some
//! unknown authentication is required.

mod about;
pub(crate) mod check;
pub mod operations;
pub mod parameters;
pub(crate) mod refs;
mod security;

use crate::model::{
    Capability, Head, List, Metadata, Reading, Reference, SecurityScheme, Service, ServiceAuth,
};
use crate::rules::json::reading::{Objects, Texts, entries, kept, or_absent};
use crate::sink::{Sink, SliceSink};
use crate::syntax::json::view::{Also, Array, Object, Read, Shape, view};
use crate::syntax::json::{Kind, Value};
use crate::syntax::outline::Outline;
use crate::syntax::template::{Piece, pieces};
use crate::syntax::text::Text;
use refs::Refs;

view! {
    /// The document.
    pub struct Top at "4.8.1" welcomes Extensions {
        /// `openapi`, required: the version of the specification.
        openapi: Text<'a> = b"openapi" [Need],
        /// `swagger`: the version of older descriptions.
        swagger: Text<'a> = b"swagger",
        /// `info`, required.
        info: Object<'a> = b"info" [Need, Inside(InfoObject::RULES)],
        /// `servers`. The first one is the base of all paths.
        servers: Also<Objects<'a>> = b"servers" [Each(ServerObject::RULES)],
        /// `paths`: from path to path item. Required in 3.0.
        paths: Object<'a> = b"paths" [In(Old, &Need), Names],
        /// `components`: parts of the description, to which references lead.
        components: Object<'a> = b"components" [Inside(ComponentsObject::RULES)],
        /// `security`: a list of alternatives for every operation that states none itself.
        security: Array<'a> = b"security",
        /// `tags`.
        tags: Also<Objects<'a>> = b"tags" [Each(TagObject::RULES)],
        /// `externalDocs`.
        external_docs: Object<'a> = b"externalDocs" [Inside(DocsObject::RULES)],
        /// `webhooks` of 3.1: requests that the service sends.
        webhooks: Also<Object<'a>> = b"webhooks",
        /// `jsonSchemaDialect` of 3.1.
        dialect: Also<Text<'a>> = b"jsonSchemaDialect",
        /// `$self` of 3.2: the URL of the description.
        itself: Also<Text<'a>> = b"$self",
    }

    /// What the description is about.
    pub struct InfoObject at "4.8.2" welcomes Extensions {
        /// `title`, required.
        title: Text<'a> = b"title" required [Need],
        /// `version` of the description, required.
        version: Text<'a> = b"version" required [Need],
        /// `summary` of 3.1.
        summary: Text<'a> = b"summary",
        /// `description`.
        description: Text<'a> = b"description",
        /// `termsOfService`: a URL.
        terms: Text<'a> = b"termsOfService" [URL],
        /// `contact`.
        contact: Object<'a> = b"contact" [Inside(ContactObject::RULES)],
        /// `license`.
        license: Object<'a> = b"license" [Inside(LicenseObject::RULES)],
    }

    /// How to reach the operator.
    pub struct ContactObject at "4.8.3" welcomes Extensions {
        /// `name` of the person or organization.
        name: Text<'a> = b"name",
        /// `url`.
        url: Text<'a> = b"url" [URL],
        /// `email`.
        email: Text<'a> = b"email" [Fits(is_email, NO_EMAIL)],
    }

    /// The licence of the API.
    pub struct LicenseObject at "4.8.4" welcomes Extensions {
        /// `name`, required.
        name: Text<'a> = b"name" required [Need],
        /// `identifier` of 3.1: an SPDX expression.
        identifier: Text<'a> = b"identifier",
        /// `url`.
        url: Text<'a> = b"url" [URL, If(has_identifier, &Report(TWO_LICENSES))],
    }

    /// Documentation elsewhere.
    pub struct DocsObject at "4.8.11" welcomes Extensions {
        /// `description`.
        description: Text<'a> = b"description",
        /// `url`, required.
        url: Text<'a> = b"url" required [Need, URL],
    }

    /// A tag, which groups operations.
    pub struct TagObject at "4.8.22" welcomes Others {
        /// `name`, required.
        name: Text<'a> = b"name" required [Need, Unique(TAG_TWICE)],
    }

    /// A server.
    pub struct ServerObject at "4.8.5" welcomes Extensions then server {
        /// `url`, required: absolute, or relative to the description; with variables in braces.
        url: Text<'a> = b"url" required [Need],
        /// `description`.
        description: Text<'a> = b"description",
        /// `name` of 3.2.
        name: Text<'a> = b"name",
        /// `variables`: from name to variable.
        variables: Object<'a> = b"variables" [Names, Map(VariableObject::RULES)],
    }

    /// A variable in the URL of a server.
    pub struct VariableObject at "4.8.6" welcomes Extensions then variable {
        /// `default`, required. It may be empty.
        default: Value<'a> = b"default" [Need],
        /// `enum`: the values that it can have.
        options: Texts<'a> = b"enum" [In(New, &Filled(NO_VALUES)), Texts],
        /// `description`.
        description: Text<'a> = b"description",
    }

    /// The parts of a description. The names in each group are unique.
    pub struct ComponentsObject at "4.8.7" welcomes Others {
        /// `schemas`.
        schemas: Object<'a> = b"schemas" [Names, ThenValue(component_names)],
        /// `responses`.
        responses: Object<'a> = b"responses" [Names, ThenValue(component_names)],
        /// `parameters`.
        parameters: Object<'a> = b"parameters" [Names, ThenValue(component_names)],
        /// `requestBodies`.
        request_bodies: Object<'a> = b"requestBodies" [Names, ThenValue(component_names)],
        /// `pathItems` of 3.1.
        path_items: Object<'a> = b"pathItems" [Names, ThenValue(component_names)],
        /// `securitySchemes`.
        security_schemes: Object<'a> = b"securitySchemes" [Names, ThenValue(component_names)],
    }
}

/// A schema. If it says more than the model shows, it is kept as metadata.
#[derive(Clone, Copy, Debug)]
pub struct Schema<'a>(pub Value<'a>);

impl<'a> Read<'a> for Schema<'a> {
    const SHAPE: Shape = Shape::Any;
    const KEPT: bool = true;

    fn read(value: Value<'a>) -> Option<Self> {
        // In 3.1, a schema can be true or false.
        matches!(value.kind(), Kind::Object | Kind::Bool).then_some(Self(value))
    }

    fn keeps(value: Value<'a>) -> bool {
        let schema = parameters::SchemaObject::read(value);
        schema.seen.metadata(value) != b"" || value.kind() == Kind::Bool
    }
}

/// A parsed description.
#[derive(Clone, Copy, Debug)]
pub struct OpenApi<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> OpenApi<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Top::attach(bytes, outline) }
    }

    /// Whether the version is one whose operations are read.
    pub(crate) fn is_read(&self) -> bool {
        self.top.openapi.is_some_and(is_read_version)
    }

    fn info(&self) -> InfoObject<'a> {
        InfoObject::read(or_absent(&self.top.info))
    }

    /// What references lead to.
    pub(crate) fn refs(&self, budget: u32) -> Refs<'a> {
        Refs::new(self.top.object.raw(), self.top.components.map(|Object(parts)| parts), budget)
    }

    fn components(&self) -> ComponentsObject<'a> {
        ComponentsObject::read(or_absent(&self.top.components))
    }

    fn first_server(&self) -> Option<ServerObject<'a>> {
        let Also(Objects(servers)) = self.top.servers?;
        servers.elements().find(|server| server.kind() == Kind::Object).map(ServerObject::read)
    }

    /// Writes the URL of the first server, with the defaults of its variables, to which paths are
    /// appended. It may be a path of the site that has the description: `/` without a server.
    /// `None` if a variable has no default, or if the buffer is too small.
    pub fn base<'b>(&self, buffer: &'b mut [u8]) -> Option<&'b str> {
        let server = self.first_server();
        let url = server.and_then(|server| server.url).filter(|url| !url.is_blank());
        let mut sink = SliceSink::new(buffer);
        let mut put = |c: char| sink.put(c.encode_utf8(&mut [0; 4]).as_bytes());
        for piece in pieces(url.unwrap_or(Text::plain(b"/"))) {
            match piece {
                Piece::Char(c) => put(c),
                Piece::Name(name) => {
                    let Object(variables) = server?.variables?;
                    let named = variables.members().filter(|variable| variable.name == name);
                    let default = VariableObject::read(named.last()?.value).default?;
                    default.as_text()?.chars().for_each(&mut put);
                }
            }
        }
        if self.top.seen.is_ill_typed(Top::servers) || !sink.is_whole() {
            return None;
        }
        let length = sink.length();
        core::str::from_utf8(buffer.get(..length)?).ok()
    }
}

/// Whether a text is a version whose descriptions are read, such as `3.1.0`.
fn is_read_version(version: Text<'_>) -> bool {
    let mut rest = version.chars();
    let is_three = rest.next() == Some('3') && rest.next() == Some('.');
    is_three
        && matches!(rest.next(), Some('0'..='2'))
        && matches!(rest.next(), None | Some('.' | '-'))
}

impl<'a> Reading<'a> for OpenApi<'a> {
    fn head(&self) -> Head<'a> {
        Head { spec_version: self.top.openapi.or(self.top.swagger), ..Head::default() }
    }

    fn base<'b>(&self, buffer: &'b mut [u8]) -> Option<&'b str> {
        self.base(buffer)
    }

    fn service(&self) -> Option<Service<'a>> {
        let info = self.info();
        let contact = ContactObject::read(or_absent(&info.contact));
        let docs = DocsObject::read(or_absent(&self.top.external_docs));
        let url = self.first_server().and_then(|server| server.url);
        Some(Service {
            name: info.title,
            url: url
                .filter(|url| crate::rules::urls::is_url(*url) && !url.chars().any(|c| c == '{')),
            description: info.description.or(info.summary),
            contact: entries(info.contact, |cursor| {
                loop {
                    let member = cursor.next_entry()?;
                    let is_way = member.name == "email" || member.name == "url";
                    if let Some(text) = member.value.as_text().filter(|_| is_way) {
                        return Some(text);
                    }
                }
            }),
            docs: docs.url,
            version: info.version,
            provider: contact.name,
            metadata: kept::<InfoObject<'_>>(&info.object, &info.seen),
            source: info.object.raw(),
            ..Service::default()
        })
    }

    fn auth(&self) -> Option<ServiceAuth<'a>> {
        security::service_auth(self)
    }

    fn security_schemes(&self) -> List<'a, SecurityScheme<'a>> {
        security::schemes(self)
    }

    fn references(&self) -> List<'a, Reference<'a>> {
        entries(self.top.info, |cursor| {
            loop {
                let member = cursor.next_entry()?;
                if member.name == "license" && member.value.kind() == Kind::Object {
                    let license = LicenseObject::read(member.value);
                    return Some(Reference {
                        relation: Some(Text::plain(b"license")),
                        identifier: license.identifier,
                        title: license.name,
                        url: license.url,
                        metadata: kept::<LicenseObject<'_>>(&license.object, &license.seen),
                        source: license.object.raw(),
                        ..Reference::default()
                    });
                }
                if let Some(url) =
                    member.value.as_text().filter(|_| member.name == "termsOfService")
                {
                    return Some(Reference {
                        relation: Some(Text::plain(b"terms-of-service")),
                        url: Some(url),
                        source: member.value.raw(),
                        ..Reference::default()
                    });
                }
            }
        })
    }

    fn capabilities(&self) -> List<'a, Capability<'a>> {
        operations::capabilities(self)
    }

    fn metadata(&self) -> Metadata<'a> {
        kept::<Top<'_>>(&self.top.object, &self.top.seen)
    }
}
