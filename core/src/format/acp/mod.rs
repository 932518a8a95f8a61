//! The discovery document of the Agentic Commerce Protocol (ACP). The tables below define the format.

mod about;
pub(crate) mod check;

use crate::model::list::Cursor;
use crate::model::{
    Capability, Choice, Endpoint, Extension, Head, List, Metadata, Protocol, Reading, Service,
};
use crate::rules::json::reading::{
    Objects, Texts, content_start, kept, next_text, objects, or_absent,
};
use crate::span::Span;
use crate::syntax::json::next_element;
use crate::syntax::json::view::{Also, Array, Object, view};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The document, section 4.2.
    pub struct Top at "4.2" then no_merchants {
        /// `protocol`, required.
        protocol: Also<Object<'a>> = b"protocol" [Need, Inside(About::RULES)],
        /// `api_base_url`, required: the URL to which the paths of resources are appended.
        api_base_url: Text<'a> = b"api_base_url" [Need, PublicUrl(Secure::Http, Others::No)],
        /// `transports`, required: rest, and mcp.
        transports: Array<'a> = b"transports" [Need, Texts, EachText(&OneOf(&["rest", "mcp"], Case::Exact, NO_TRANSPORT)), ThenValue(has_rest)],
        /// `capabilities`, required.
        capabilities: Also<Object<'a>> = b"capabilities" [Need, Inside(Offer::RULES)],
    }

    /// The protocol and its versions.
    pub struct About at "4.2" {
        /// `name`, required: `acp`.
        name: Text<'a> = b"name" [Need, OneOf(&["acp"], Case::Exact, NO_ACP)],
        /// `version`, required: a date, the latest version.
        version: Text<'a> = b"version" [Need, Fits(is_date, NO_DATE)],
        /// `supported_versions`, required: the oldest first.
        versions: Texts<'a> = b"supported_versions" [Need, Filled(NO_VERSIONS), Texts, EachText(&Fits(is_date, NO_DATE)), ThenValue(order)],
        /// `documentation_url`.
        documentation: Text<'a> = b"documentation_url" [PublicUrl(Secure::Web, Others::No)],
    }

    /// What the seller supports.
    pub struct Offer at "4.2" then no_merchants {
        /// `services`, required.
        services: Array<'a> = b"services" [Need, Texts, EachText(&OneOf(&["checkout", "orders", "delegate_payment", "carts"], Case::Exact, NO_SERVICE))],
        /// `extensions`.
        extensions: Objects<'a> = b"extensions" [Each(Addition::RULES)],
        /// `intervention_types`.
        interventions: Texts<'a> = b"intervention_types" [Texts, EachText(&OneOf(&["3ds", "biometric", "address_verification"], Case::Exact, NO_INTERVENTION))],
        /// `supported_currencies`: ISO 4217.
        currencies: Texts<'a> = b"supported_currencies" [Texts, EachText(&Fits(is_currency, NO_CURRENCY))],
        /// `supported_locales`: BCP 47.
        locales: Texts<'a> = b"supported_locales" [Texts, EachText(&Fits(is_locale, NO_LOCALE))],
    }

    /// An extension.
    pub struct Addition at "4.2" {
        /// `name`, required.
        name: Text<'a> = b"name" [Need, Unique(NAME_TWICE)],
        /// `spec`: documentation.
        spec: Also<Text<'a>> = b"spec" [PublicUrl(Secure::Web, Others::No)],
        /// `schema`: a JSON Schema.
        schema: Also<Text<'a>> = b"schema" [PublicUrl(Secure::Web, Others::No)],
    }
}

/// A parsed discovery document of the Agentic Commerce Protocol.
#[derive(Clone, Copy, Debug)]
pub struct Acp<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> Acp<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Top::attach(bytes, outline) }
    }

    /// Returns `protocol`; an object without members if it is absent.
    fn protocol(&self) -> About<'a> {
        About::read(or_absent(&self.top.protocol.map(|Also(protocol)| protocol)))
    }

    /// Returns `capabilities`; an object without members if it is absent.
    fn offer(&self) -> Offer<'a> {
        Offer::read(or_absent(&self.top.capabilities.map(|Also(capabilities)| capabilities)))
    }
}

impl<'a> Reading<'a> for Acp<'a> {
    fn head(&self) -> Head<'a> {
        Head { spec_version: self.protocol().version, ..Head::default() }
    }

    fn service(&self) -> Option<Service<'a>> {
        let docs = self.protocol().documentation;
        docs.is_some().then(|| Service { docs, ..Service::default() })
    }

    fn endpoints(&self) -> List<'a, Endpoint<'a>> {
        let bytes = self.top.object.raw();
        let Some(Array(transports)) = self.top.transports else { return List::empty() };
        let base = self.top.api_base_url.map_or(0, |url| Span::of(url.raw(), bytes).start);
        let start = content_start(transports, bytes);
        List::new(bytes, base, next_endpoint).from(start)
    }

    fn capabilities(&self) -> List<'a, Capability<'a>> {
        objects(self.offer().services, |cursor| {
            let id = next_text(cursor)?;
            Some(Capability { id: Some(id), source: id.raw(), ..Capability::default() })
        })
    }

    fn extensions(&self) -> List<'a, Extension<'a>> {
        Objects::list(self.offer().extensions, |cursor| {
            let addition: Addition<'a> = cursor.next_view()?;
            Some(Extension {
                uri: addition.name,
                metadata: kept::<Addition<'_>>(&addition.object, &addition.seen),
                ..Extension::default()
            })
        })
    }

    fn metadata(&self) -> Metadata<'a> {
        kept::<Top<'_>>(&self.top.object, &self.top.seen)
    }
}

/// Returns the endpoint of the next transport. The state of the list is the offset of the base URL,
/// which is that of the REST API; the document does not have the URLs of other transports.
fn next_endpoint<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    let protocol = Choice::<Protocol>::read(next_text(cursor)?);
    let base = cursor.state::<u32>().checked_sub(1);
    let url = base
        .filter(|_| protocol.value == Protocol::Rest)
        .and_then(|mut quote| next_element(cursor.bytes, &mut quote)?.as_text());
    Some(Endpoint {
        name: None,
        protocol,
        url,
        version: None,
        transport: None,
        auth: None,
        parameters: List::empty(),
        extra: List::empty(),
    })
}
