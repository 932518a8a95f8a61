//! The Agent Discovery Protocol 1.0: the manifest, the detail of a capability, and the response of
//! a registry search.
//!
//! The tables below define the formats. All three documents are in this module, because a detail
//! completes a capability of a manifest, and a search result is a part of a manifest.

mod about;
pub(crate) mod check;
pub(crate) mod encode;
mod envelope;
mod error;
mod request;
pub(crate) mod resolve;
pub(crate) mod signs;

use crate::model::{
    AuthType, Capability, CapabilityAuth, Choice, Head, List, Metadata, Parameter, Plan, Pricing,
    RateLimit, Raw, Reading, Search, SearchResult, Service, ServiceAuth, Window,
};
use crate::rules::json::reading::{
    Texts, choice, document_metadata, filled_or, guarded_text, has_unread_auth, kept, kept_and,
    objects, or_absent, raw, texts,
};
use crate::syntax::json::Wants;
use crate::syntax::json::view::{Also, Array, Object, Read, Shape, view};
use crate::syntax::json::{Member, Number, Value, next_member};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;
pub use error::RequestError;
pub use request::{Argument, ArgumentValue, Header, Headers, Request, RequestOptions};
pub(crate) use request::{Ends, argument};
pub use resolve::search_url;
pub(crate) use resolve::{append, append_to};

view! {
    /// The manifest, section 2.
    pub struct Top at "2" then base_path {
        /// `spec_version`, required: `1.0`.
        spec_version: Text<'a> = b"spec_version" required [Need, OneOf(&["1.0"], Case::Exact, VERSION)],
        /// `name`, required.
        name: Text<'a> = b"name" required [Need],
        /// `description`, required: 10 to 200 characters.
        description: Text<'a> = b"description" required [Need, Fits(has_length, LENGTH)],
        /// `base_url`, required.
        base_url: Text<'a> = b"base_url" required [Need, Then(no_placeholders), Then(base_url)],
        /// `auth`, required.
        auth: Object<'a> = b"auth" [Need, Inside(AuthObject::RULES)],
        /// `pricing`.
        pricing: Object<'a> = b"pricing" [Inside(PricingObject::RULES)],
        /// `capabilities`, required: at least one.
        capabilities: Array<'a> = b"capabilities" [Need, Filled(NO_CAPABILITIES), Each(Entry::RULES)],
        /// `metadata`, which is not in the specification.
        metadata: Object<'a> = b"metadata",
    }

    /// An entry of `capabilities`, section 2.
    pub struct Entry at "2" {
        /// `name`, required: snake_case.
        name: Text<'a> = b"name" required [Need, Unique(CAPABILITY_TWICE), Fits(is_snake_case, NO_SNAKE_CASE)],
        /// `description`, required.
        description: Text<'a> = b"description" required [Need],
        /// `detail_url`, required.
        detail_url: Text<'a> = b"detail_url" required [Need, Then(no_placeholders), Then(reference)],
        /// `endpoint`, which some manifests contain in addition to the detail.
        endpoint: Text<'a> = b"endpoint" [Then(reference)],
        /// `method`, which some manifests contain in addition to the detail.
        method: Text<'a> = b"method" [Then(method)],
    }

    /// Authentication, section 3.
    pub struct AuthObject at "3" {
        /// `type`, required: none, api_key or oauth2.
        kind: Text<'a> = b"type" required [Need, OneOf(&["none", "api_key", "oauth2"], Case::Ignored, NO_AUTH_TYPE)],
        /// `header`. Default: `Authorization`.
        header: Text<'a> = b"header" [Then(header)],
        /// `prefix`. Default: `Bearer` for `Authorization`, none for other headers.
        prefix: Text<'a> = b"prefix" [ThenValue(prefix)],
        /// `setup_url`.
        setup_url: Text<'a> = b"setup_url" [Url(Secure::NotAsked)],
        /// `authorization_url`.
        authorization_url: Text<'a> = b"authorization_url" [If(is_oauth2, &Want(NO_AUTHORIZATION)), Url(Secure::Http)],
        /// `token_url`.
        token_url: Text<'a> = b"token_url" [If(is_oauth2, &Want(NO_TOKEN)), Url(Secure::Http)],
        /// `scopes`.
        scopes: Texts<'a> = b"scopes" [Texts],
    }

    /// Prices, section 4.
    pub struct PricingObject at "4" {
        /// `type`: free, freemium or paid.
        kind: Text<'a> = b"type" [OneOf(&["free", "freemium", "paid"], Case::Ignored, NO_PRICING)],
        /// `plans`.
        plans: Array<'a> = b"plans" [Each(PlanObject::RULES)],
        /// `plans_url`.
        plans_url: Text<'a> = b"plans_url" [Url(Secure::NotAsked)],
    }

    /// A plan, section 4.
    pub struct PlanObject at "4" welcomes OtherTypes {
        /// `name`.
        name: Text<'a> = b"name",
        /// `price`.
        price: Text<'a> = b"price",
        /// `limits`.
        limits: Text<'a> = b"limits",
    }

    /// The detail of a capability, section 5.
    pub struct Detail at "5" then path_parameters {
        /// `name`, required.
        name: Text<'a> = b"name" required [Need, Fits(is_snake_case, NO_SNAKE_CASE)],
        /// `description`, required.
        description: Text<'a> = b"description" required [Need],
        /// `endpoint`, required: a path or URL.
        endpoint: Text<'a> = b"endpoint" required [Need, Then(reference), Then(rooted)],
        /// `method`, required.
        method: Text<'a> = b"method" required [Need, Then(method)],
        /// `parameters`, required.
        parameters: Array<'a> = b"parameters" [Need, Each(ParameterObject::RULES)],
        /// `request_example`, required.
        request_example: Value<'a> = b"request_example" [Need, IsObject(NO_REQUEST)],
        /// `response_example`, required.
        response_example: Value<'a> = b"response_example" [Need, IsObject(NO_RESPONSE)],
        /// `auth_scopes`.
        auth_scopes: Texts<'a> = b"auth_scopes" [Texts],
        /// `rate_limits`.
        rate_limits: LimitsObject<'a> = b"rate_limits" [Inside(RateLimitsObject::RULES)],
        /// `metadata`, which is not in the specification.
        metadata: Object<'a> = b"metadata",
    }

    /// A parameter, section 5.
    pub struct ParameterObject at "5" then location {
        /// `name`, required.
        name: Text<'a> = b"name" required [Need, Unique(PARAMETER_TWICE)],
        /// `type`, required: any text.
        kind: Text<'a> = b"type" required [Need],
        /// `description`, required.
        description: Text<'a> = b"description" required [Need],
        /// `required`.
        required: bool = b"required",
        /// `example`.
        example: Value<'a> = b"example",
        /// `default`.
        default: Value<'a> = b"default",
        /// `in`.
        location: Text<'a> = b"in",
        /// `location`, which is read if `in` is absent.
        other_location: Text<'a> = b"location",
    }

    /// Rate limits of a capability, section 5.
    pub struct RateLimitsObject at "5" {
        /// `requests_per_minute`.
        requests_per_minute: Number<'a> = b"requests_per_minute" [ThenValue(requests)],
        /// `daily_limit`.
        daily_limit: Number<'a> = b"daily_limit" [ThenValue(requests)],
    }

    /// The response of a registry search, section 6.
    pub struct SearchTop at "6" {
        /// `success`.
        success: Also<bool> = b"success" [Need, ThenValue(success)],
        /// `query`.
        query: Text<'a> = b"query",
        /// `result_count`.
        result_count: Also<Number<'a>> = b"result_count" [ThenValue(count)],
        /// `data`: the results.
        data: Array<'a> = b"data" [Need, Each(ResultObject::RULES)],
        /// `metadata`, which is not in the specification.
        metadata: Object<'a> = b"metadata",
    }

    /// One result of a search.
    pub struct ResultObject at "6" {
        /// `service`.
        service: Object<'a> = b"service" [Need, Inside(SearchService::RULES)],
        /// `matching_capabilities`.
        matching_capabilities: Array<'a> = b"matching_capabilities" [Need, ThenValue(matches)],
    }

    /// The service of a result.
    pub struct SearchService at "6" {
        /// `name`.
        name: Text<'a> = b"name" required [Need],
        /// `domain`.
        domain: Text<'a> = b"domain" required [Need],
        /// `description`.
        description: Text<'a> = b"description",
        /// `base_url`.
        base_url: Text<'a> = b"base_url",
        /// `auth_type`.
        auth_type: Also<Text<'a>> = b"auth_type",
        /// `pricing_type`.
        pricing_type: Also<Text<'a>> = b"pricing_type",
        /// `verified`.
        verified: Also<bool> = b"verified",
    }
}

/// The lists whose items [`Document::read`](crate::Document::read) reports during validation.
pub(crate) const LISTS: Wants = Wants { objects: 0, arrays: 1 << Top::capabilities, names: true };

const AUTH: u32 = Top::auth;
const ENTRY_ENDPOINT: u32 = Entry::endpoint;
const ENDPOINT: u32 = Detail::endpoint;
const SCOPES: u32 = Detail::auth_scopes;
const LOCATION: u32 = ParameterObject::location;
const OTHER_LOCATION: u32 = ParameterObject::other_location;

/// Returns the text, or `None` if it is empty.
pub(crate) fn filled(text: Option<Text<'_>>) -> Option<Text<'_>> {
    text.filter(|text| !text.is_empty())
}

/// A parsed manifest.
#[derive(Clone, Copy, Debug)]
pub struct Adp<'a> {
    /// The top-level members.
    pub top: Top<'a>,
    /// The response of a registry that contains the manifest.
    envelope: Option<Value<'a>>,
}

impl<'a> Adp<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        let top = Top::attach(bytes, outline);
        Self { top, envelope: envelope::around(top.object, bytes) }
    }

    /// Returns the authentication with the names of the specification, section 3.
    pub fn auth_object(&self) -> Option<AuthObject<'a>> {
        Some(AuthObject::read(self.top.auth?.0))
    }

    /// Returns the name of the header that carries a token, and the prefix of the token, as written
    /// or by default ([`auth_header`](Self::auth_header)).
    pub fn header_and_prefix(&self) -> (Text<'a>, Text<'a>) {
        let auth = self.auth_object();
        let standard = Text::plain(b"Authorization");
        let header = filled(auth.and_then(|auth| auth.header)).unwrap_or(standard);
        let default =
            if header.eq_text_ignore_case(standard) { Text::plain(b"Bearer") } else { Text::EMPTY };
        (header, auth.and_then(|auth| auth.prefix).unwrap_or(default))
    }
}

impl<'a> Reading<'a> for Adp<'a> {
    fn head(&self) -> Head<'a> {
        Head { spec_version: self.top.spec_version, ..Head::default() }
    }

    fn service(&self) -> Option<Service<'a>> {
        let Top { name, base_url, description, .. } = self.top;
        if name.is_none() && base_url.is_none() && description.is_none() {
            return None;
        }
        Some(Service { name, url: base_url, description, ..Service::default() })
    }

    fn auth(&self) -> Option<ServiceAuth<'a>> {
        let is_unread = has_unread_auth::<Top<'_>>(&self.top.object, &self.top.seen);
        if self.top.auth.is_none() && !self.top.seen.is_ill_typed(AUTH) && !is_unread {
            return None;
        }
        let auth = AuthObject::read(or_absent(&self.top.auth));
        Some(ServiceAuth {
            // The type is required: if it is absent or unreadable, some authentication is assumed.
            kind: auth
                .kind
                .map(Choice::read)
                .filter(|kind| !is_unread || kind.value != AuthType::None)
                .unwrap_or(Choice::unreadable()),
            scopes: texts(auth.scopes),
            metadata: kept::<AuthObject<'_>>(&auth.object, &auth.seen),
            header: auth.header,
            prefix: auth.prefix,
            setup_url: auth.setup_url,
            authorization_url: auth.authorization_url,
            token_url: auth.token_url,
            refresh_url: None,
            token_expiry: None,
            token_expiry_seconds: None,
            required_for: List::empty(),
            optional_for: List::empty(),
        })
    }

    fn capabilities(&self) -> List<'a, Capability<'a>> {
        entries(self.top.capabilities)
    }

    fn pricing(&self) -> Option<Pricing<'a>> {
        let pricing = PricingObject::read(self.top.pricing?.0);
        Some(Pricing {
            kind: choice(&pricing.kind),
            plans: objects(pricing.plans, |cursor| {
                let plan: PlanObject<'_> = cursor.next_view()?;
                let metadata = kept::<PlanObject<'_>>(&plan.object, &plan.seen);
                Some(Plan { name: plan.name, price: plan.price, limits: plan.limits, metadata })
            }),
            plans_url: pricing.plans_url,
            metadata: kept::<PricingObject<'_>>(&pricing.object, &pricing.seen),
        })
    }

    fn metadata(&self) -> Metadata<'a> {
        match self.envelope {
            Some(envelope) => envelope::metadata(envelope, &self.top),
            None => {
                document_metadata::<Top<'_>>(self.top.object, &self.top.seen, self.top.metadata)
            }
        }
    }
}

/// Returns the capabilities of a manifest or of a search result.
fn entries(array: Option<Array<'_>>) -> List<'_, Capability<'_>> {
    objects(array, |cursor| cursor.next_object().map(|value| capability_of(&Entry::read(value))))
}

#[inline(always)]
pub(crate) fn capability_of<'a>(entry: &Entry<'a>) -> Capability<'a> {
    Capability {
        id: entry.name,
        description: entry.description,
        endpoint: guarded_text::<Entry<'_>>(
            entry.endpoint,
            &entry.object,
            &entry.seen,
            ENTRY_ENDPOINT,
        ),
        method: entry.method,
        detail_url: entry.detail_url,
        metadata: kept::<Entry<'_>>(&entry.object, &entry.seen),
        source: entry.object.raw(),
        ..Capability::default()
    }
}

/// A parsed capability detail.
#[derive(Clone, Copy, Debug)]
pub struct AdpCapability<'a> {
    /// The members of the document.
    pub detail: Detail<'a>,
}

impl<'a> AdpCapability<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { detail: Detail::attach(bytes, outline) }
    }

    /// Whether the endpoint is present, readable or not.
    pub(crate) fn has_endpoint(&self) -> bool {
        self.detail.endpoint.is_some() || self.detail.seen.is_ill_typed(ENDPOINT)
    }
}

impl<'a> Reading<'a> for AdpCapability<'a> {
    fn capabilities(&self) -> List<'a, Capability<'a>> {
        let raw = self.detail.object.raw();
        List::new(raw, 0, |cursor| {
            let raw = core::mem::take(&mut cursor.bytes);
            if raw.is_empty() { None } else { Some(capability(&Detail::read(Value::trusted(raw)))) }
        })
    }

    fn request_example(&self) -> Option<Raw<'a>> {
        self.detail.request_example.map(Raw::Json)
    }

    fn response_example(&self) -> Option<Raw<'a>> {
        self.detail.response_example.map(Raw::Json)
    }

    fn metadata(&self) -> Metadata<'a> {
        document_metadata::<Detail<'_>>(self.detail.object, &self.detail.seen, self.detail.metadata)
    }
}

fn capability<'a>(detail: &Detail<'a>) -> Capability<'a> {
    let scopes = texts(detail.auth_scopes);
    // Scopes belong to OAuth 2; an unreadable list means some authentication.
    let is_unread = has_unread_auth::<Detail<'_>>(&detail.object, &detail.seen);
    let kind = if detail.seen.is_ill_typed(SCOPES) || is_unread {
        Some(Choice::unreadable())
    } else {
        (!scopes.is_empty()).then_some(Choice::implied(AuthType::OAuth2))
    };
    Capability {
        id: detail.name,
        description: detail.description,
        endpoint: guarded_text::<Detail<'_>>(
            detail.endpoint,
            &detail.object,
            &detail.seen,
            ENDPOINT,
        ),
        method: detail.method,
        auth: kind.map(|kind| CapabilityAuth {
            kind,
            token_url: None,
            docs_url: None,
            scopes,
            metadata: List::empty(),
            source: b"",
        }),
        rate_limits: detail.rate_limits.map_or_else(List::empty, |LimitsObject(object)| {
            List::new(object.inside(b'{'), false, next_rate_limit)
        }),
        parameters: objects(detail.parameters, |cursor| cursor.next_object().map(parameter)),
        source: detail.object.raw(),
        ..Capability::default()
    }
}

/// An object with a rate limit.
#[derive(Clone, Copy, Debug)]
pub struct LimitsObject<'a>(pub Value<'a>);

impl<'a> Read<'a> for LimitsObject<'a> {
    const SHAPE: Shape = Shape::Object;

    fn read(value: Value<'a>) -> Option<Self> {
        value.members().any(|member| limit_of(&member).is_some()).then_some(Self(value))
    }
}

/// Reads a member as a limit, if it is one.
fn limit_of(member: &Member<'_>) -> Option<(Window, u32)> {
    Some((window_of(member)?, member.value.as_number().and_then(Number::as_u32)?))
}

fn window_of(member: &Member<'_>) -> Option<Window> {
    if member.name == "requests_per_minute" {
        Some(Window::Minute)
    } else if member.name == "daily_limit" {
        Some(Window::Day)
    } else {
        None
    }
}

/// Returns the next limit of an object. The state is false before the first limit, whose metadata are the other members of
/// the object.
fn next_rate_limit<'a>(cursor: &mut crate::model::list::Cursor<'a>) -> Option<RateLimit<'a>> {
    let is_further: bool = cursor.state();
    cursor.set(true);
    loop {
        let member = next_member(cursor.bytes, &mut cursor.position)?;
        if let Some((window, requests)) = limit_of(&member) {
            let metadata =
                if is_further { List::empty() } else { List::new(cursor.bytes, 0, next_other) };
            return Some(RateLimit { requests, window: Choice::implied(window), metadata });
        }
    }
}

/// Returns the next member that is not a limit.
fn next_other<'a>(cursor: &mut crate::model::list::Cursor<'a>) -> Option<crate::model::Member<'a>> {
    loop {
        let member = next_member(cursor.bytes, &mut cursor.position)?;
        let is_absent = window_of(&member).is_some() && member.value.is_null();
        if !is_absent && limit_of(&member).is_none() {
            return Some(crate::model::Member {
                name: member.name,
                value: Raw::Json(member.value),
            });
        }
    }
}

fn parameter(value: Value<'_>) -> Parameter<'_> {
    parameter_of(&ParameterObject::read(value))
}

impl<'a> ParameterObject<'a> {
    /// Returns `in`, otherwise `location`.
    fn place(&self) -> Option<Text<'a>> {
        filled_or(self.location, self.other_location)
    }
}

#[inline(always)]
pub(crate) fn parameter_of<'a>(object: &ParameterObject<'a>) -> Parameter<'a> {
    let location = object.place();
    Parameter {
        name: object.name,
        location: choice(&location),
        kind: object.kind,
        required: object.required,
        description: object.description,
        default: raw(&object.default),
        example: raw(&object.example),
        // If `in` is not empty, `location` has no effect and stays as metadata.
        metadata: kept_and::<ParameterObject<'_>>(
            &object.object,
            &object.seen,
            Some(if location == object.location { OTHER_LOCATION } else { LOCATION }),
        ),
        source: object.object.raw(),
        ..Parameter::default()
    }
}

/// A parsed response of a registry search.
#[derive(Clone, Copy, Debug)]
pub struct AdpSearch<'a> {
    /// The top-level members.
    pub top: SearchTop<'a>,
}

impl<'a> AdpSearch<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: SearchTop::attach(bytes, outline) }
    }

    /// Returns the services that were found, with the names of the specification.
    pub fn services(&self) -> List<'a, SearchService<'a>> {
        objects(self.top.data, |cursor| {
            let result: ResultObject<'_> = cursor.next_view()?;
            Some(SearchService::read(result.service.map_or(Value::NULL, |Object(object)| object)))
        })
    }
}

impl<'a> Reading<'a> for AdpSearch<'a> {
    fn search(&self) -> Option<Search<'a>> {
        let results = objects(self.top.data, |cursor| {
            let result: ResultObject<'_> = cursor.next_view()?;
            let capabilities = entries(result.matching_capabilities);
            let service = SearchService::read(or_absent(&result.service));
            let service = Service {
                metadata: kept::<SearchService<'_>>(&service.object, &service.seen),
                name: service.name,
                url: service.base_url,
                domain: service.domain,
                description: service.description,
                source: service.object.raw(),
                ..Service::default()
            };
            Some(SearchResult { service, capabilities })
        });
        Some(Search { query: self.top.query, results })
    }

    fn metadata(&self) -> Metadata<'a> {
        document_metadata::<SearchTop<'_>>(self.top.object, &self.top.seen, self.top.metadata)
    }
}
