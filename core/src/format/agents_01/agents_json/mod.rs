//! agents.json 0.1, the companion of agents.txt 0.1.0. The tables below define the format.

mod about;
pub(crate) mod check;
pub(crate) mod signs;

use crate::model::list::Cursor;
use crate::model::{
    Audit, Capability, Choice, Flow, Head, List, Metadata, Parameter, RateLimit, Reading, Service,
    Session, Window,
};
use crate::rules::json::reading::{
    Objects, OneText, Texts, document_metadata, entries, guarded, guarded_text, kept, limits,
    or_absent, raw, raws, texts,
};
use crate::syntax::json::Wants;
use crate::syntax::json::view::{Also, Array, Object, Read, Seen, Shape, view};
use crate::syntax::json::{Holds, Kind, Member, Number, Value};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

view! {
    /// The document.
    pub struct Top at "" then document {
        /// `schema_version`, required; also read: `protocol_version`.
        schema_version: Text<'a> = b"schema_version" | b"protocol_version" [Need],
        /// `site`, required.
        site: Object<'a> = b"site" [Need, Filled(EMPTY_SITE), Inside(Site::RULES)],
        /// `capabilities`, required: at least one.
        capabilities: Objects<'a> = b"capabilities" [Need, Filled(EMPTY), Each(CapabilityObject::RULES)],
        /// `session`.
        session: Object<'a> = b"session" [Inside(SessionObject::RULES)],
        /// `flows`.
        flows: Objects<'a> = b"flows" [Each(FlowObject::RULES)],
        /// `rate_limit`.
        rate_limit: PerMinute<'a> = b"rate_limit" [Inside(RateLimitObject::RULES)],
        /// `audit`.
        audit: Object<'a> = b"audit" [Inside(AuditObject::RULES)],
        /// `docs_url`.
        docs_url: Text<'a> = b"docs_url" [Url(Secure::NotAsked)],
        /// `metadata`, which is not in the format.
        metadata: Object<'a> = b"metadata",
    }

    /// The site.
    pub struct Site at "" {
        /// `name`.
        name: Text<'a> = b"name",
        /// `url`.
        url: Text<'a> = b"url" [Url(Secure::Http)],
        /// `description`.
        description: Text<'a> = b"description",
        /// `contact`.
        contact: OneText<'a> = b"contact",
    }

    /// A capability.
    pub struct CapabilityObject at "" {
        /// `name`, required.
        name: Text<'a> = b"name" [Need, Unique(CAPABILITY_TWICE), Fits(is_name, NO_NAME)],
        /// `description`.
        description: Text<'a> = b"description",
        /// `endpoint`, required; may be relative to the origin.
        endpoint: Text<'a> = b"endpoint" [Need, PATH_OR_URL],
        /// `method`, required.
        method: Text<'a> = b"method" [Need, Then(method)],
        /// `params`: from name to parameter.
        params: Params<'a> = b"params" [Names, MapOrTexts(ParamObject::RULES, TYPE_ALONE)],
        /// `requires_session`.
        requires_session: bool = b"requires_session",
        /// `human_handoff`.
        human_handoff: bool = b"human_handoff",
    }

    /// A parameter.
    pub struct ParamObject at "" {
        /// `type`.
        kind: Text<'a> = b"type",
        /// `description`.
        description: Text<'a> = b"description",
        /// `required`.
        required: bool = b"required",
        /// `default`.
        default: Value<'a> = b"default",
        /// `enum`: the allowed values.
        options: Array<'a> = b"enum",
        /// `items`: the type of the items of an array.
        items: Value<'a> = b"items",
    }

    /// Sessions.
    pub struct SessionObject at "" then session {
        /// `create`; also read: `endpoint`. Default: `/.well-known/agents/api/session`.
        create: Text<'a> = b"create" | b"endpoint" [PATH_OR_URL],
        /// `delete`.
        delete: Text<'a> = b"delete" [PATH_OR_URL],
        /// `ttl_seconds`, at least 60; also read: `ttl`. Default: 3600.
        ttl_seconds: Seconds = b"ttl_seconds" | b"ttl",
    }

    /// A suggested sequence of capabilities.
    pub struct FlowObject at "" {
        /// `name`.
        name: Text<'a> = b"name" [Unique(FLOW_TWICE)],
        /// `description`.
        description: Text<'a> = b"description",
        /// `steps`: names of capabilities.
        steps: Texts<'a> = b"steps" [Texts],
    }

    /// The rate limit.
    pub struct RateLimitObject at "" then rate_limit {
        /// `requests_per_minute`; also read: `max_requests_per_minute`.
        requests_per_minute: Number<'a> = b"requests_per_minute" | b"max_requests_per_minute" => limits,
    }

    /// Whether the site records the activity of agents.
    pub struct AuditObject at "" {
        /// `enabled`.
        enabled: bool = b"enabled",
        /// `endpoint`.
        endpoint: Text<'a> = b"endpoint" [PATH_OR_URL],
        /// `description`.
        description: Also<Text<'a>> = b"description",
    }
}

/// A number of seconds that fits into 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct Seconds(pub u32);

impl<'a> Read<'a> for Seconds {
    const SHAPE: Shape = Shape::Number;

    fn read(value: Value<'a>) -> Option<Self> {
        value.as_number()?.as_u32().map(Self)
    }
}

/// An object from name to parameter. A parameter is an object, or its type as a string.
#[derive(Clone, Copy, Debug)]
pub struct Params<'a>(pub Value<'a>);

impl<'a> Read<'a> for Params<'a> {
    const SHAPE: Shape = Shape::Object;

    const KEPT: bool = true;
    const WHOLE: Holds = Holds::TEXTS_OR_OBJECTS;

    fn read(value: Value<'a>) -> Option<Self> {
        (value.kind() == Kind::Object).then_some(Self(value))
    }

    fn keeps(value: Value<'a>) -> bool {
        let is_read = |kind| matches!(kind, Kind::Object | Kind::String | Kind::Null);
        !value.members().all(|member| is_read(member.value.kind()))
    }
}

/// The lists whose items [`Document::read`](crate::Document::read) reports during validation.
pub(crate) const LISTS: Wants = Wants { objects: 0, arrays: 1 << Top::capabilities, names: true };
/// The parameters of a capability.
pub(crate) const PARAMETERS: Wants =
    Wants { objects: 1 << CapabilityObject::params, arrays: 0, names: false };

const ENDPOINT: u32 = CapabilityObject::endpoint;
const REQUIRES_SESSION: u32 = CapabilityObject::requires_session;
const HUMAN_HANDOFF: u32 = CapabilityObject::human_handoff;

const AUDIT: u32 = Top::audit;
const ENABLED: u32 = AuditObject::enabled;

/// The default lifetime of a session, in seconds.
const SESSION_SECONDS: u32 = 3600;

/// A parsed agents.json 0.1.
#[derive(Clone, Copy, Debug)]
pub struct AgentsJson01<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> AgentsJson01<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Top::attach(bytes, outline) }
    }

    /// Returns `session.ttl_seconds` (default: 3600). `None` if there is no session.
    pub fn session_ttl_or_default(&self) -> Option<u32> {
        Some(self.session()?.ttl_seconds.unwrap_or(SESSION_SECONDS))
    }

    /// The values of `session` and `audit`, as written.
    pub(crate) fn session_and_audit(&self) -> [Option<&'a [u8]>; 2] {
        [self.top.session, self.top.audit].map(|one| one.map(|Object(object)| object.raw()))
    }

    /// Returns `audit.enabled` (default: false). `None` if it is unreadable.
    pub fn audit_or_default(&self) -> Option<bool> {
        let Some(Object(audit)) = self.top.audit else {
            return (!self.top.seen.is_ill_typed(AUDIT)).then_some(false);
        };
        let audit = AuditObject::read(audit);
        let is_absent = !audit.seen.is_ill_typed(ENABLED);
        audit.enabled.or(is_absent.then_some(false))
    }
}

impl<'a> Reading<'a> for AgentsJson01<'a> {
    fn head(&self) -> Head<'a> {
        Head { spec_version: self.top.schema_version, ..Head::default() }
    }

    fn service(&self) -> Option<Service<'a>> {
        let site = Site::read(or_absent(&self.top.site));
        let is_there = site.seen != Seen::NOTHING;
        if !is_there && self.top.docs_url.is_none() {
            return None;
        }
        Some(service(&site, self.top.docs_url, is_there))
    }

    fn capabilities(&self) -> List<'a, Capability<'a>> {
        Objects::list(self.top.capabilities, |cursor| cursor.next_object().map(capability))
    }

    fn flows(&self) -> List<'a, Flow<'a>> {
        Objects::list(self.top.flows, |cursor| {
            let flow: FlowObject<'_> = cursor.next_view()?;
            Some(Flow {
                name: flow.name,
                description: flow.description,
                steps: texts(flow.steps),
                metadata: kept::<FlowObject<'_>>(&flow.object, &flow.seen),
            })
        })
    }

    fn usual_session(&self) -> Option<u32> {
        Some(SESSION_SECONDS)
    }

    fn session(&self) -> Option<Session<'a>> {
        let session = SessionObject::read(self.top.session?.0);
        (session.seen != Seen::NOTHING).then(|| Session {
            ttl_seconds: session.ttl_seconds.map(|Seconds(seconds)| seconds),
            create: session.create,
            delete: session.delete,
            metadata: kept::<SessionObject<'_>>(&session.object, &session.seen),
        })
    }

    fn audit(&self) -> Option<Audit<'a>> {
        let audit = AuditObject::read(self.top.audit?.0);
        (audit.seen != Seen::NOTHING).then(|| Audit {
            enabled: audit.enabled,
            endpoint: audit.endpoint,
            metadata: kept::<AuditObject<'_>>(&audit.object, &audit.seen),
        })
    }

    fn rate_limits(&self) -> List<'a, RateLimit<'a>> {
        self.top.rate_limit.map_or_else(List::empty, |PerMinute(object)| {
            List::new(object.raw(), 0, next_rate_limit)
        })
    }

    fn metadata(&self) -> Metadata<'a> {
        document_metadata::<Top<'_>>(self.top.object, &self.top.seen, self.top.metadata)
    }
}

/// An object with a rate limit. It is unreadable if its number is unreadable.
#[derive(Clone, Copy, Debug)]
pub struct PerMinute<'a>(pub Value<'a>);

impl<'a> Read<'a> for PerMinute<'a> {
    const SHAPE: Shape = Shape::Object;

    fn read(value: Value<'a>) -> Option<Self> {
        let mut cursor = Cursor::new(value.raw());
        next_rate_limit(&mut cursor).map(|_| Self(value))
    }
}

/// Returns the rate limit of a document. If its member is repeated, the last one counts. The other
/// members of its object are its metadata.
fn next_rate_limit<'a>(cursor: &mut Cursor<'a>) -> Option<RateLimit<'a>> {
    let object = Value::trusted(core::mem::take(&mut cursor.bytes));
    let limit = RateLimitObject::read(object);
    Some(RateLimit {
        requests: limit.requests_per_minute.and_then(Number::as_u32)?,
        window: Choice::implied(Window::Minute),
        metadata: kept::<RateLimitObject<'_>>(&limit.object, &limit.seen),
    })
}

/// Returns the service of a site, which may be absent.
fn service<'a>(site: &Site<'a>, docs: Option<Text<'a>>, is_there: bool) -> Service<'a> {
    Service {
        contact: site.contact.map_or_else(List::empty, |contact| contact.0),
        metadata: kept::<Site<'_>>(&site.object, &site.seen),
        name: site.name,
        url: site.url,
        description: site.description,
        docs,
        source: if is_there { site.object.raw() } else { b"" },
        ..Service::default()
    }
}

fn capability(value: Value<'_>) -> Capability<'_> {
    capability_of(&CapabilityObject::read(value))
}

#[inline(always)]
pub(crate) fn capability_of<'a>(object: &CapabilityObject<'a>) -> Capability<'a> {
    let value = object.object;
    Capability {
        id: object.name,
        description: object.description,
        endpoint: guarded_text::<CapabilityObject<'_>>(
            object.endpoint,
            &value,
            &object.seen,
            ENDPOINT,
        ),
        method: object.method,
        requires_session: guarded(object.requires_session, &object.seen, REQUIRES_SESSION),
        human_handoff: guarded(object.human_handoff, &object.seen, HUMAN_HANDOFF),
        parameters: entries(object.params.map(|Params(params)| Object(params)), |cursor| {
            cursor.next_entry().map(parameter)
        }),
        metadata: kept::<CapabilityObject<'_>>(&value, &object.seen),
        source: value.raw(),
        ..Capability::default()
    }
}

fn parameter(member: Member<'_>) -> Parameter<'_> {
    parameter_of(Some(member.name), &ParamObject::read(member.value))
}

#[inline(always)]
pub(crate) fn parameter_of<'a>(name: Option<Text<'a>>, object: &ParamObject<'a>) -> Parameter<'a> {
    Parameter {
        name,
        // A parameter may be its type alone, as a string.
        kind: object.kind.or(object.object.as_text()),
        required: object.required,
        description: object.description,
        default: raw(&object.default),
        items: raw(&object.items),
        options: raws(object.options),
        metadata: kept::<ParamObject<'_>>(&object.object, &object.seen),
        source: object.object.raw(),
        ..Parameter::default()
    }
}
