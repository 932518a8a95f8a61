//! agent.json of the Agent Web Protocol 0.2. The tables below define the format.
//!
//! Everything that the specification leaves open (hints, members that only some protocols have,
//! errors, unknown members) is available as written. A document with an unknown major version is
//! read as well (section 4); the check reports it.

mod about;
pub(crate) mod advice;
pub(crate) mod check;
mod graph;
mod layer;
pub(crate) mod signs;

use crate::model::{
    AuthType, Capability, Choice, Dependency, Endpoint, Entity, Head, Hints, Idempotency, List,
    Member, Metadata, Output, Parameter, Provenance, RateLimit, Raw, Reading, Recovery, Service,
    ServiceAuth, Source, Status,
};
use crate::rules::json::reading::{
    Texts, all_members, are_all, choice, document_metadata, document_metadata_and, entries,
    guarded, guarded_text, has_unread_auth, kept, next_of_document_of, objects, or_absent, raw,
    raws, start_of, texts,
};
use crate::rules::values;
use crate::syntax::json::Wants;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::view::{Array, Field, Object, Read, Shape, Table, view};
use crate::syntax::json::{self, Number, Value};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;
pub use graph::{Actions, PrerequisiteError};
pub use layer::Layer;

view! {
    /// The document, section 5.
    pub struct Top at "5" then document {
        /// `awp_version`, required: `MAJOR.MINOR`.
        awp_version: Text<'a> = b"awp_version" required [Need, Fits(is_version, NO_VERSION), Fits(is_known_version, OTHER_MAJOR)],
        /// `domain`, required.
        domain: Text<'a> = b"domain" required [Need, Then(domain)],
        /// `intent`, required: the purpose of the surface.
        intent: Text<'a> = b"intent" required [Need],
        /// `protocols`: from protocol id to entry.
        protocols: Object<'a> = b"protocols" [Names, ThenValue(protocol_ids), Map(ProtocolObject::RULES)],
        /// `capabilities`: feature flags.
        capabilities: Object<'a> = b"capabilities" [Inside(Features::RULES)],
        /// `auth`.
        auth: Object<'a> = b"auth" [Inside(AuthObject::RULES)],
        /// `entities`: from name to type.
        entities: Object<'a> = b"entities" [Names, Map(EntityObject::RULES)],
        /// `actions`, required.
        actions: Array<'a> = b"actions" [Need, Each(Action::RULES)],
        /// `errors`: from code to recovery.
        errors: Object<'a> = b"errors" [Names, MapOrTexts(ErrorObject::RULES, RECOVERY_ALONE)],
        /// `dependencies`: from an action to the actions it requires.
        dependencies: Object<'a> = b"dependencies" [Names, ThenValue(dependencies)],
        /// `agent_hints`: any content.
        agent_hints: Object<'a> = b"agent_hints" [Names],
        /// `agent_status`.
        agent_status: Object<'a> = b"agent_status" [Inside(StatusObject::RULES)],
        /// `source`: `synthetic` if a third party wrote the document (section 14).
        source: Text<'a> = b"source" [If(describes_origin, &Want(NO_SOURCE)), OneOf(&["synthetic", "native"], Case::Ignored, UNKNOWN_SOURCE)],
        /// `generated_by`.
        generated_by: Text<'a> = b"generated_by" required [OF_SYNTHETIC],
        /// `confidence`, from 0 to 1.
        confidence: Number<'a> = b"confidence" [OF_SYNTHETIC, ThenValue(confidence)],
        /// `last_verified`: a date and time.
        last_verified: Text<'a> = b"last_verified" required [OF_SYNTHETIC, Fits(is_iso_8601, NO_TIME)],
        /// `metadata`, which is not in the specification but occurs in many documents.
        metadata: Object<'a> = b"metadata",
    }

    /// Feature flags, section 6.
    pub struct Features at "6" {
        /// `streaming`.
        streaming: bool = b"streaming",
        /// `batch_actions`.
        batch_actions: bool = b"batch_actions",
        /// `webhooks`.
        webhooks: bool = b"webhooks",
        /// `pagination`: cursor, offset, page or none.
        pagination: Text<'a> = b"pagination" [OneOf(&["cursor", "offset", "page", "none"], Case::Ignored, NO_PAGINATION)],
        /// `idempotency`.
        idempotency: bool = b"idempotency",
    }

    /// Authentication, section 7.
    pub struct AuthObject at "7" {
        /// `required_for`: action ids.
        required_for: Texts<'a> = b"required_for" [Texts],
        /// `optional_for`: action ids.
        optional_for: Texts<'a> = b"optional_for" [Texts],
        /// `type`: oauth2, api_key, bearer or none.
        kind: Text<'a> = b"type" [OneOf(&["oauth2", "api_key", "bearer", "none"], Case::Ignored, NO_AUTH_TYPE)],
        /// `token_expiry`: `24h`, `7d`.
        token_expiry: Text<'a> = b"token_expiry" [Fits(is_duration, NO_DURATION)],
        /// `refresh_endpoint`.
        refresh_endpoint: Text<'a> = b"refresh_endpoint" [PATH_OR_URL, OnSite],
    }

    /// An entry of `protocols`, section 5.5. Members that only some protocols have are kept in
    /// `extra` of the unified model.
    pub struct ProtocolObject at "5.5" welcomes Others {
        /// `version`, required.
        version: Text<'a> = b"version" required [If(is_payment, &Want(NO_PAYMENT_VERSION)), If(is_no_payment, &Want(NO_PROTOCOL_VERSION))],
        /// `endpoint`: required for transports and tool protocols.
        endpoint: Text<'a> = b"endpoint" required [If(is_called, &Need), Url(Secure::Endpoint(Protocol::Unknown)), OnSite],
        /// `transport`.
        transport: Text<'a> = b"transport",
    }

    /// An action, section 9.
    pub struct Action at "9" {
        /// `id`, required.
        id: Text<'a> = b"id" required [Need, Unique(ACTION_TWICE)],
        /// `description`, required.
        description: Text<'a> = b"description" required [Want(NO_DESCRIPTION)],
        /// `auth_required`, required.
        auth_required: bool = b"auth_required" [Need],
        /// `inputs`, required: from name to parameter.
        inputs: Object<'a> = b"inputs" [Need, Names, MapOrTexts(Input::RULES, TYPE_ALONE)],
        /// `outputs`, required: from name to type.
        outputs: Object<'a> = b"outputs" [Need, Names],
        /// `endpoint`: required if `via` is absent.
        endpoint: Text<'a> = b"endpoint" required [If(is_direct, &Need), PATH_OR_URL, OnSite],
        /// `method`: required if `via` is absent.
        method: Text<'a> = b"method" required [If(is_direct, &Need), OneOf(METHODS, Case::Ignored, NO_METHOD)],
        /// `via`: an entry of `protocols`.
        via: Text<'a> = b"via",
        /// `operation`: the name of the action in that protocol.
        operation: Text<'a> = b"operation",
        /// `rate_limit`: `30/minute`.
        rate_limit: RateText<'a> = b"rate_limit" [Then(rate_limit)],
        /// `idempotency`.
        idempotency: Object<'a> = b"idempotency" [Inside(IdempotencyObject::RULES)],
        /// `execution_model`: sync (default) or async.
        execution_model: Text<'a> = b"execution_model" [OneOf(&["sync", "async"], Case::Ignored, NO_EXECUTION)],
        /// `poll_endpoint`, for async.
        poll_endpoint: Text<'a> = b"poll_endpoint" [If(is_async, &Want(NO_POLL)), PATH_OR_URL, OnSite],
        /// `sensitivity`: standard, destructive or irreversible.
        sensitivity: Text<'a> = b"sensitivity" [If(is_final, &Want(FINAL)), If(seems_to_delete, &Want(DELETES)), OneOf(&["standard", "destructive", "irreversible"], Case::Ignored, NO_SENSITIVITY), Then(sensitivity)],
        /// `requires_human_confirmation`.
        requires_human_confirmation: bool = b"requires_human_confirmation",
        /// `reversible`.
        reversible: bool = b"reversible" [ThenValue(reversible)],
    }

    /// An input parameter, section 9.
    pub struct Input at "9" {
        /// `type`, required: a type expression.
        kind: Text<'a> = b"type" required [Need],
        /// `required`. Default: false.
        required: bool = b"required",
        /// `default`.
        default: Value<'a> = b"default" [ThenValue(default_value)],
        /// `options`: the values of an enumeration.
        options: Array<'a> = b"options",
        /// `description`.
        description: Text<'a> = b"description",
    }

    /// The protection of repeated calls, section 9.
    pub struct IdempotencyObject at "9" {
        /// `supported`.
        supported: bool = b"supported",
        /// `key_field`.
        key_field: Text<'a> = b"key_field" [If(is_idempotent, &Want(NO_KEY_FIELD))],
        /// `window`: `24h`.
        window: Text<'a> = b"window" [Fits(is_duration, NO_DURATION)],
    }

    /// A named type, section 8.
    pub struct EntityObject at "8" then entity {
        /// `fields`: from name to type.
        fields: Object<'a> = b"fields" [Names],
    }

    /// The recovery from an error, section 10.
    pub struct ErrorObject at "10" welcomes Others {
        /// `recovery`, required.
        recovery: Text<'a> = b"recovery" required [Need],
    }

    /// The status of the surface, section 13.
    pub struct StatusObject at "13" {
        /// `operational`.
        operational: bool = b"operational",
        /// `degraded_actions`: action ids.
        degraded_actions: Texts<'a> = b"degraded_actions" [Texts],
        /// `status_endpoint`.
        status_endpoint: Text<'a> = b"status_endpoint" [PATH_OR_URL, OnSite],
    }
}

/// A string with a rate limit.
#[derive(Clone, Copy, Debug)]
pub struct RateText<'a>(pub Text<'a>);

impl<'a> Read<'a> for RateText<'a> {
    const SHAPE: Shape = Shape::Text;

    fn read(value: Value<'a>) -> Option<Self> {
        let text = value.as_text()?;
        values::rate_limit(text).map(|_| Self(text))
    }
}

impl<'a> RateText<'a> {
    /// Returns the rate limit as a list.
    fn list(limit: Option<Self>) -> List<'a, RateLimit<'a>> {
        let Some(Self(text)) = limit else {
            return List::empty();
        };
        List::new(text.raw(), text.is_escaped(), |cursor| {
            let raw = core::mem::take(&mut cursor.bytes);
            if raw.is_empty() {
                None
            } else {
                values::rate_limit(if cursor.state() { Text::json(raw) } else { Text::plain(raw) })
            }
        })
    }
}

/// The lists whose items [`Document::read`](crate::Document::read) reports during validation.
pub(crate) const LISTS: Wants = Wants { objects: 0, arrays: 1 << Top::actions, names: true };
/// The parameters of a capability.
pub(crate) const PARAMETERS: Wants =
    Wants { objects: 1 << Action::inputs, arrays: 0, names: false };

/// The methods of actions.
pub(crate) const METHODS: &[&str] = &["GET", "POST", "PUT", "DELETE", "PATCH"];

const SOURCE: u32 = Top::source;
const AUTH: u32 = Top::auth;
const AUTH_TYPE: u32 = AuthObject::kind;
const REQUIRED_FOR: u32 = AuthObject::required_for;
const AUTH_REQUIRED: u32 = Action::auth_required;
const ENDPOINT: u32 = Action::endpoint;
const VIA: u32 = Action::via;
const PROTOCOL_ENDPOINT: u32 = ProtocolObject::endpoint;
const REVERSIBLE: u32 = Action::reversible;
const CONFIRMATION: u32 = Action::requires_human_confirmation;

/// A parsed agent.json.
#[derive(Clone, Copy, Debug)]
pub struct Awp<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> Awp<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Top::attach(bytes, outline) }
    }

    /// Returns the feature flags, section 6.
    pub fn feature_flags(&self) -> Option<Features<'a>> {
        Some(Features::read(self.top.capabilities?.0))
    }

    /// Returns the actions with the names of the specification, section 9.
    pub fn actions(&self) -> List<'a, Action<'a>> {
        objects(self.top.actions, |cursor| cursor.next_object().map(Action::read))
    }

    /// Whether a third party wrote the document (section 14). True if `source` is unreadable,
    /// because agents trust native documents more.
    pub fn is_synthetic(&self) -> bool {
        self.source().value == Source::Synthetic
    }

    fn source(&self) -> Choice<'a, Source> {
        let source = self.top.source.map(Text::trim).map(Choice::read);
        source.unwrap_or(Choice::implied(if self.top.seen.is_ill_typed(SOURCE) {
            Source::Synthetic
        } else {
            Source::Native
        }))
    }
}

impl<'a> Reading<'a> for Awp<'a> {
    fn head(&self) -> Head<'a> {
        Head { spec_version: self.top.awp_version, ..Head::default() }
    }

    fn provenance(&self) -> Option<Provenance<'a>> {
        let top = &self.top;
        if top.source.is_none()
            && !top.seen.is_ill_typed(SOURCE)
            && top.generated_by.is_none()
            && top.confidence.is_none()
            && top.last_verified.is_none()
        {
            return None;
        }
        Some(Provenance {
            source: self.source(),
            generated_by: top.generated_by,
            confidence: top.confidence.map(|number| Value::trusted(number.raw())),
            last_verified: top.last_verified,
        })
    }

    fn service(&self) -> Option<Service<'a>> {
        if self.top.domain.is_none() && self.top.intent.is_none() {
            return None;
        }
        Some(Service {
            domain: self.top.domain,
            description: self.top.intent,
            ..Service::default()
        })
    }

    fn auth(&self) -> Option<ServiceAuth<'a>> {
        let is_unread = has_unread_auth::<Top<'_>>(&self.top.object, &self.top.seen);
        if self.top.auth.is_none() && !self.top.seen.is_ill_typed(AUTH) && !is_unread {
            return None;
        }
        let auth = AuthObject::read(or_absent(&self.top.auth));
        // An object without a type means no authentication, unless it lists actions that require
        // some.
        let is_silent = || {
            self.top.auth.is_some()
                && !auth.seen.is_ill_typed(AUTH_TYPE)
                && !auth.seen.is_ill_typed(REQUIRED_FOR)
                && texts(auth.required_for).is_empty()
        };
        Some(ServiceAuth {
            kind: match auth.kind.map(Choice::read) {
                Some(kind) if !is_unread || kind.value != AuthType::None => kind,
                None if is_silent() && !is_unread => Choice::implied(AuthType::None),
                _ => Choice::unreadable(),
            },
            required_for: texts(auth.required_for),
            optional_for: texts(auth.optional_for),
            metadata: kept::<AuthObject<'_>>(&auth.object, &auth.seen),
            header: None,
            prefix: None,
            setup_url: None,
            authorization_url: None,
            token_url: None,
            refresh_url: auth.refresh_endpoint,
            token_expiry: auth.token_expiry,
            token_expiry_seconds: auth.token_expiry.and_then(values::duration_seconds),
            scopes: List::empty(),
        })
    }

    fn endpoints(&self) -> List<'a, Endpoint<'a>> {
        entries(self.top.protocols, |cursor| {
            let member = cursor.next_entry()?;
            let entry = ProtocolObject::read(member.value);
            Some(Endpoint {
                name: None,
                protocol: Choice::read(member.name),
                transport: choice(&entry.transport),
                extra: kept::<ProtocolObject<'_>>(&entry.object, &entry.seen),
                url: match member.value.kind() {
                    json::Kind::Object => guarded_text::<ProtocolObject<'_>>(
                        entry.endpoint,
                        &entry.object,
                        &entry.seen,
                        PROTOCOL_ENDPOINT,
                    ),
                    _ => Some(start_of(member.value)),
                },
                version: entry.version,
                auth: None,
                parameters: List::empty(),
            })
        })
    }

    fn capabilities(&self) -> List<'a, Capability<'a>> {
        objects(self.top.actions, |cursor| cursor.next_object().map(capability))
    }

    fn features(&self) -> Metadata<'a> {
        all_members(self.top.capabilities)
    }

    fn entities(&self) -> List<'a, Entity<'a>> {
        entries(self.top.entities, |cursor| {
            let member = cursor.next_entry()?;
            let entity = EntityObject::read(member.value);
            Some(Entity {
                name: member.name,
                fields: named_types(entity.fields),
                metadata: kept::<EntityObject<'_>>(&entity.object, &entity.seen),
            })
        })
    }

    fn errors(&self) -> List<'a, Recovery<'a>> {
        entries(self.top.errors, |cursor| {
            let member = cursor.next_entry()?;
            let error = ErrorObject::read(member.value);
            // An error may be its recovery alone, as a string.
            Some(Recovery {
                code: member.name,
                recovery: error.recovery.or(error.object.as_text()),
                metadata: kept::<ErrorObject<'_>>(&error.object, &error.seen),
            })
        })
    }

    fn dependencies(&self) -> List<'a, Dependency<'a>> {
        entries(self.top.dependencies, |cursor| {
            let member = cursor.next_entry()?;
            let requires = match member.value.kind() {
                // A single action may be written without an array. Reading it is the restrictive
                // choice, because it adds a requirement.
                json::Kind::Array | json::Kind::String => Texts::of(member.value),
                _ => List::empty(),
            };
            Some(Dependency { capability: member.name, requires })
        })
    }

    fn hints(&self) -> Hints<'a> {
        Hints(all_members(self.top.agent_hints))
    }

    fn status(&self) -> Option<Status<'a>> {
        let status = StatusObject::read(self.top.agent_status?.0);
        Some(Status {
            operational: status.operational,
            degraded: texts(status.degraded_actions),
            url: status.status_endpoint,
            metadata: kept::<StatusObject<'_>>(&status.object, &status.seen),
        })
    }

    fn metadata(&self) -> Metadata<'a> {
        let top = &self.top;
        if !top.has_unread_entries() {
            return document_metadata::<Top<'_>>(top.object, &top.seen, top.metadata);
        }
        document_metadata_and(top.object, top.metadata, |cursor| {
            next_of_document_of(cursor, Lookup::of::<Top<'_>>(), |member| {
                Top::read_member(member).has_unread_entries()
            })
        })
    }
}

impl<'a> Top<'a> {
    /// Returns the view of a document with this member only.
    fn read_member(member: &json::Member<'a>) -> Self {
        let mut top = Self::blank(Value::ABSENT);
        let (object, array) = (Object::read(member.value), Array::read(member.value));
        match Self::FIELDS
            .get(Self::NAMES.find(member.name).map_or(usize::MAX, |meaning| meaning.field as usize))
            .map(Field::name)
        {
            Some(b"actions") => top.actions = array,
            Some(b"protocols") => top.protocols = object,
            Some(b"entities") => top.entities = object,
            Some(b"errors") => top.errors = object,
            Some(b"dependencies") => top.dependencies = object,
            _ => {}
        }
        top
    }

    /// Whether a list or a map has entries that the model does not show, because they have the
    /// wrong type. Linear.
    fn has_unread_entries(&self) -> bool {
        let is_error = |value: Value<'_>| {
            use json::Kind::{Null, Object, String};
            matches!(value.kind(), Object | String | Null)
        };
        let is_object = |Object(map): Object<'a>| are_all(map, json::Kind::Object);
        !(self.actions.is_none_or(|Array(list)| are_all(list, json::Kind::Object))
            && self.protocols.is_none_or(is_object)
            && self.entities.is_none_or(is_object)
            && every_member(self.errors, is_error)
            && every_member(self.dependencies, graph::is_read))
    }
}

/// True if the map is absent, or `is_read` holds for all its values.
fn every_member<'a>(map: Option<Object<'a>>, is_read: impl Fn(Value<'a>) -> bool) -> bool {
    map.is_none_or(|Object(map)| map.members().all(|member| is_read(member.value)))
}

fn named_types(object: Option<Object<'_>>) -> List<'_, Output<'_>> {
    entries(object, |cursor| {
        let member = cursor.next_entry()?;
        let kind = member.value.as_text().map_or(Raw::Json(member.value), Raw::Text);
        Some(Output { name: member.name, kind })
    })
}

fn capability(value: Value<'_>) -> Capability<'_> {
    capability_of(&Action::read(value))
}

#[inline(always)]
pub(crate) fn capability_of<'a>(action: &Action<'a>) -> Capability<'a> {
    let guarded_text =
        |text, field| guarded_text::<Action<'_>>(text, &action.object, &action.seen, field);
    let is_unread = has_unread_auth::<Action<'_>>(&action.object, &action.seen);
    Capability {
        rate_limits: RateText::list(action.rate_limit),
        sensitivity: choice(&action.sensitivity),
        execution: choice(&action.execution_model),
        idempotency: idempotency(action.idempotency),
        auth_required: guarded(action.auth_required, &action.seen, AUTH_REQUIRED)
            .filter(|required| *required || !is_unread)
            .or(is_unread.then_some(true)),
        requires_confirmation: guarded(
            action.requires_human_confirmation,
            &action.seen,
            CONFIRMATION,
        ),
        reversible: action.reversible.or(action.seen.is_ill_typed(REVERSIBLE).then_some(false)),
        parameters: entries(action.inputs, |cursor| cursor.next_entry().map(parameter)),
        outputs: named_types(action.outputs),
        metadata: kept::<Action<'_>>(&action.object, &action.seen),
        id: action.id,
        description: action.description,
        endpoint: guarded_text(action.endpoint, ENDPOINT),
        method: action.method,
        via: guarded_text(action.via, VIA),
        operation: action.operation,
        poll_url: action.poll_endpoint,
        source: action.object.raw(),
        ..Capability::default()
    }
}

/// Reads the idempotency of an action from its object.
fn idempotency(object: Option<Object<'_>>) -> Option<Idempotency<'_>> {
    let read = IdempotencyObject::read(object?.0);
    Some(Idempotency {
        supported: read.supported,
        key_field: read.key_field,
        window: read.window,
        metadata: kept::<IdempotencyObject<'_>>(&read.object, &read.seen),
    })
}

fn parameter(member: json::Member<'_>) -> Parameter<'_> {
    parameter_of(Some(member.name), &Input::read(member.value))
}

/// Returns the metadata of a parameter that is neither an object nor a string: one member with its
/// value. The name is empty, because a name must be a slice of the document.
fn unread_input(value: Value<'_>) -> Metadata<'_> {
    List::new(value.raw(), 0, |cursor| {
        let raw = core::mem::take(&mut cursor.bytes);
        (!raw.is_empty())
            .then(|| Member { name: Text::EMPTY, value: Raw::Json(Value::trusted(raw)) })
    })
}

#[inline(always)]
pub(crate) fn parameter_of<'a>(name: Option<Text<'a>>, input: &Input<'a>) -> Parameter<'a> {
    Parameter {
        name,
        // A parameter may be its type alone, as a string.
        kind: input.kind.or(input.object.as_text()),
        required: input.required,
        description: input.description,
        default: raw(&input.default),
        options: raws(input.options),
        metadata: match input.object.kind() {
            json::Kind::Object | json::Kind::String => {
                kept::<Input<'_>>(&input.object, &input.seen)
            }
            _ => unread_input(input.object),
        },
        source: input.object.raw(),
        ..Parameter::default()
    }
}
