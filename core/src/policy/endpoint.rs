//! The endpoints in a document: resolves them to URLs, and compares them with the place of a
//! request.

use super::Case;
#[cfg(any(feature = "adp", feature = "openapi"))]
use super::place::is_web;
use super::place::{Place, Site};
use super::workspace::{BaseText, Scratch};
use crate::document::Document;
use crate::document::with_reading;
#[cfg(any(feature = "adp", feature = "openapi"))]
use crate::format::adp::append_to;
use crate::format::mcp_card::auth::credential;
use crate::format::{Format, a2a, fact};
use crate::model::{AuthType, Choice, Endpoint};
use crate::rules::urls::is_rooted;
use crate::syntax::text::Text;
use crate::syntax::url::Url;

/// The base for references in a document.
#[derive(Clone, Copy)]
pub(super) struct Base<'u> {
    site: &'u Site,
    /// Whether capabilities without a protocol are called by HTTP, so that only http and https URLs
    /// are valid endpoints.
    is_http: bool,
    /// The base URL to which the Agent Discovery Protocol and OpenAPI append paths. The outer `None`
    /// is for other documents, the inner `None` for a base URL that is missing or invalid.
    #[cfg(any(feature = "adp", feature = "openapi"))]
    appends_to: Option<Option<Url<'u>>>,
    /// Whether a path that begins with that of the base URL is appended like all others.
    #[cfg(any(feature = "adp", feature = "openapi"))]
    appends_all: bool,
}

impl<'u> Base<'u> {
    #[cfg(any(feature = "adp", feature = "openapi"))]
    pub(super) fn of<'a: 'u>(
        case: &Case<'a>,
        document: &Document<'a>,
        site: &'u Site,
        tools: &'u mut BaseText,
    ) -> Self {
        let is_http = calls_by_http(document);
        if Format::OpenApi.is_built_in() && document.is(Format::OpenApi) {
            let url = server(document, site, tools).filter(is_web);
            return Self { site, is_http, appends_to: Some(url), appends_all: true };
        }
        let written = base_url(case, document);
        let appends_to = match written {
            Some(_) if tools.filled().is_some() => Some(tools.filled().and_then(Url::parse)),
            Some(written) => Some(written.and_then(|text| Url::of(text, &mut tools.text))),
            None => None,
        };
        Self {
            site,
            is_http,
            appends_to: appends_to.map(|url| url.filter(is_web)),
            appends_all: false,
        }
    }

    #[cfg(not(any(feature = "adp", feature = "openapi")))]
    pub(super) const fn of<'a: 'u>(
        _: &Case<'a>,
        document: &Document<'a>,
        site: &'u Site,
        _: &'u mut BaseText,
    ) -> Self {
        Self { site, is_http: calls_by_http(document) }
    }

    /// Whether references are appended to a base URL.
    const fn appends(&self) -> bool {
        #[cfg(any(feature = "adp", feature = "openapi"))]
        return self.appends_to.is_some();
        #[cfg(not(any(feature = "adp", feature = "openapi")))]
        return false;
    }

    /// Resolves an endpoint: a URL, or a path from the root of the site. `None` if it is neither.
    pub(super) fn resolve<'b>(&self, text: Text<'b>, scratch: &'b mut Scratch) -> Option<Url<'b>> {
        // Text without escapes is a part of the document, which is UTF-8.
        let reference = if text.is_escaped() {
            text.decode(&mut scratch.text).ok()?.as_bytes()
        } else {
            text.raw()
        };
        if let Some(url) = Url::parse(reference) {
            return Some(url);
        }
        let is_rooted = reference.starts_with(b"/") && !reference.starts_with(b"//");
        if reference.is_empty() || !(self.appends() || is_rooted) {
            return None;
        }
        Url::parse(self.resolved(reference, &mut scratch.url)?)
    }

    /// Like [`resolve`](Self::resolve), for the endpoint of a capability that names no protocol.
    pub(super) fn resolve_own<'b>(
        &self,
        text: Text<'b>,
        scratch: &'b mut Scratch,
    ) -> Option<Url<'b>> {
        let url = self.resolve(text, scratch)?;
        (!self.is_http || url.is_http()).then_some(url)
    }

    fn resolved<'b>(&self, reference: &[u8], buffer: &'b mut [u8]) -> Option<&'b [u8]> {
        #[cfg(any(feature = "adp", feature = "openapi"))]
        if let Some(base) = &self.appends_to {
            let reference = crate::scan::text(reference)?;
            return append_to(base.as_ref()?, reference, self.appends_all, buffer)
                .ok()
                .map(str::as_bytes);
        }
        self.site.resolve(reference, buffer)
    }

    /// Whether a place is the endpoint in a text.
    pub(super) fn is_at(&self, place: &Place, text: Text<'_>, scratch: &mut Scratch) -> bool {
        self.resolve(text, scratch).is_some_and(|url| place.is_at(&url, self.site))
    }

    /// Whether a place is on the origin of the base URL of an Agent Discovery Protocol manifest.
    #[cfg(feature = "adp")]
    pub(super) fn is_origin_of(&self, place: &Place) -> bool {
        self.appends_to
            .flatten()
            .is_some_and(|url| url.server().is_same_as(&place.server(self.site)))
    }
}

/// Whether the format of a document uses HTTP for capabilities without a protocol.
const fn calls_by_http(document: &Document<'_>) -> bool {
    fact!(document.format() => calls_by_http)
}

/// The URL of the server of an OpenAPI description. `None` if it is not known, or if the buffer holds
/// the base URL of a manifest.
#[cfg(any(feature = "adp", feature = "openapi"))]
fn server<'u>(document: &Document<'_>, site: &Site, tools: &'u mut BaseText) -> Option<Url<'u>> {
    if tools.filled().is_some() {
        return None;
    }
    let mut written = [0; 512];
    let written = with_reading(document, |reading| reading.base(&mut written))?;
    let Some(url) = Url::parse(written.as_bytes()) else {
        return Url::parse(site.resolve(written.as_bytes(), &mut tools.text)?);
    };
    let place = tools.text.get_mut(..url.as_str().len())?;
    crate::sink::copy(place, url.as_str().as_bytes());
    Url::parse(place)
}

/// The base URL of an Agent Discovery Protocol manifest; for a detail, of its manifest. The outer
/// `None` is for other documents, the inner `None` for a manifest without a base URL.
#[cfg(any(feature = "adp", feature = "openapi"))]
fn base_url<'a>(case: &Case<'a>, document: &Document<'a>) -> Option<Option<Text<'a>>> {
    let manifest = match document.format() {
        Format::AdpCapability => case.documents.get(case.manifest?)?,
        _ => document,
    };
    manifest.adp().map(|adp| adp.top.base_url)
}

/// The endpoint of another protocol.
#[derive(Clone, Copy)]
pub(super) struct Gateway<'a> {
    /// The name of the protocol, as written.
    pub(super) name: Option<Text<'a>>,
    pub(super) url: Option<Text<'a>>,
    pub(super) auth: Option<Choice<'a, AuthType>>,
    /// The header that carries credentials, and whether it is required.
    pub(super) header: Option<(Text<'a>, bool)>,
}

impl<'a> Gateway<'a> {
    fn of(endpoint: &Endpoint<'a>) -> Self {
        let credential = credential(endpoint.parameters);
        Self {
            name: endpoint.protocol.text,
            url: endpoint.url,
            auth: endpoint.auth,
            header: credential.map(|credential| (credential.header, credential.is_required)),
        }
    }
}

impl Gateway<'_> {
    fn needs_auth(&self) -> bool {
        self.auth.is_some_and(|kind| kind.value != AuthType::None)
    }
}

/// Whether any enabled format can declare endpoints of other protocols.
pub(super) const HAS_PROTOCOLS: bool = {
    let (mut has_protocols, mut rest) = (false, Format::ALL);
    while let [format, others @ ..] = rest {
        has_protocols |= format.is_built_in() && fact!(*format => has_protocols);
        rest = others;
    }
    has_protocols
};

/// Whether the format of a document can declare endpoints of other protocols.
pub(super) const fn has_protocols(document: &Document<'_>) -> bool {
    fact!(document.format() => has_protocols)
}

/// The protocol whose endpoint is at a place. In an agent.json and an agents.md, the endpoint must
/// be an absolute URL. If a name is repeated, the last entry counts; in an agent card, every entry
/// counts. If several endpoints are at the place, one that needs authentication is returned.
/// Linear.
pub(super) fn protocol_at<'a>(
    document: &Document<'a>,
    base: &Base<'_>,
    place: &Place,
    scratch: &mut Scratch,
) -> Option<Gateway<'a>> {
    let is_card = document.is(Format::A2aAgentCard);
    let mut found: Option<Gateway<'a>> = None;
    for endpoint in with_reading(document, |reading| reading.endpoints()) {
        let is_at = endpoint
            .url
            .filter(|text| !(document.is(Format::Awp) && is_rooted(*text)))
            .filter(|text| !document.is(Format::AgentsMd) || has_http_scheme(*text))
            .is_some_and(|text| base.is_at(place, text, scratch));
        let is_again =
            found.is_some_and(|found| found.name.is_some() && found.name == endpoint.protocol.text);
        if is_at
            && (found.is_none_or(|found| endpoint.auth.is_some() && !found.needs_auth())
                || is_again)
        {
            found = Some(Gateway::of(&endpoint));
        } else if is_again && !is_card {
            found = None;
        }
    }
    found
}

/// Whether a text has the scheme http or https, which the endpoint of an agents.md must have.
fn has_http_scheme(text: Text<'_>) -> bool {
    text.starts_with_ignore_case("https://") || text.starts_with_ignore_case("http://")
}

/// The gateway of a protocol: the preferred interface of an A2A card, otherwise the last entry with
/// this name.
pub(super) fn protocol_of<'a>(document: &Document<'a>, name: Text<'_>) -> Option<Gateway<'a>> {
    endpoint_of(document, name).map(|endpoint| Gateway::of(&endpoint))
}

/// The endpoint of a protocol: the preferred interface of an A2A card, otherwise the last endpoint
/// with this name.
pub(super) fn endpoint_of<'a>(document: &Document<'a>, name: Text<'_>) -> Option<Endpoint<'a>> {
    let mut endpoints = with_reading(document, |reading| reading.endpoints());
    if document.is(Format::A2aAgentCard) {
        let endpoint = { endpoints }.find(a2a::has_url);
        return endpoint.or_else(|| endpoints.next());
    }
    endpoints.filter(|endpoint| endpoint.protocol.text == Some(name)).last()
}

/// A place, with the data to compare it with the endpoint of a capability.
pub(super) struct Spot<'s, 'a> {
    pub(super) place: &'s Place,
    pub(super) base: &'s Base<'s>,
    /// The protocol whose endpoint is at the place.
    pub(super) via: Option<Text<'a>>,
    pub(super) scratch: &'s mut Scratch,
}

impl Spot<'_, '_> {
    pub(super) fn is_of(&mut self, endpoint: &Option<Text<'_>>, via: &Option<Text<'_>>) -> bool {
        match via {
            Some(name) => self.via.is_some_and(|via| via == *name),
            None => self.is_at(endpoint),
        }
    }

    pub(super) fn is_at(&mut self, endpoint: &Option<Text<'_>>) -> bool {
        endpoint
            .and_then(|text| self.base.resolve_own(text, self.scratch))
            .is_some_and(|url| self.place.is_at(&url, self.base.site))
    }
}
