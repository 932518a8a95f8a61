//! agents.json of the Internet-Draft draft-car-agents-txt-wellknown-00 (section 3): the typed JSON
//! companion of agents.txt.
//!
//! The tables in `vocabulary.rs` define the format. The parser also accepts the shapes that the author of the
//! draft publishes: a string for `auth`, `params` for `parameters`, `location` for `in`, a rate
//! limit such as `"60/minute"`, agents as an array, and `allow` and `disallow` at the top level.
//! The check reports each of them.

mod about;
pub(crate) mod check;
pub(crate) mod signs;

pub use super::vocabulary::{
    AccessObject, AgentObject, AuthObject, CapabilityObject, ParameterObject, RateLimitObject,
    Site, Top,
};
use crate::format::robots_txt::line::Key;
use crate::model::list::{Cursor, Step};
use crate::model::{
    Access, AgentPolicy, AuthType, Capability, CapabilityAuth, Choice, Head, Kind, List, Member,
    Metadata, Parameter, RateLimit, Reading, Service, Window,
};
use crate::rules::json::reading::{
    Objects, Texts, TextsOrOne, are_all, choice, document_metadata, document_metadata_and, either,
    filled_or, guarded_text, has_unread_auth, kept, kept_and, next_of_document_of, or_absent, raw,
    texts,
};
use crate::rules::near::{meant, names_allow, names_capabilities, names_disallow};
use crate::rules::values;
use crate::syntax::json::Wants;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::record::{Fields, Slot};
use crate::syntax::json::view::{Object, Read, Shape, View};
use crate::syntax::json::{self, Holds, Value, next_member};
use crate::syntax::line::strip;
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

/// A rate limit as an object or a string. An invalid rate limit is unreadable.
#[derive(Clone, Copy, Debug)]
pub struct RateValue<'a> {
    /// The limit.
    pub limit: RateLimit<'a>,
    /// The value that contains it: an object or a string.
    pub value: Value<'a>,
}

impl<'a> Read<'a> for RateValue<'a> {
    /// The check of the format handles both shapes itself.
    const SHAPE: Shape = Shape::Any;
    const NESTED: Option<Lookup> = Some(Lookup::of::<RateLimitObject<'_>>());

    fn read(value: Value<'a>) -> Option<Self> {
        if value.kind() == json::Kind::Object {
            Self::of(&RateLimitObject::read(value))
        } else {
            Self::of_text(value)
        }
    }

    #[inline]
    fn read_slot(bytes: &'a [u8], slot: Slot, nested: Option<Fields<'_>>) -> Option<Self> {
        match nested {
            Some(fields) => Self::of(&RateLimitObject::of_fields(bytes, fields)),
            None => Self::of_text(slot.value(bytes)),
        }
    }
}

impl<'a> RateValue<'a> {
    fn of_text(value: Value<'a>) -> Option<Self> {
        let limit = values::rate_limit(value.as_text()?)?;
        Some(Self { limit, value })
    }

    fn of(object: &RateLimitObject<'a>) -> Option<Self> {
        let requests = object.requests?.as_u32()?;
        let window = Choice::read(object.window?);
        let metadata = kept::<RateLimitObject<'_>>(&object.object, &object.seen);
        (window.value != Window::Unknown).then_some(Self {
            limit: RateLimit { requests, window, metadata },
            value: object.object,
        })
    }
}

/// Authentication as an object or a string.
#[derive(Clone, Copy, Debug)]
pub enum AuthValue<'a> {
    /// An object, the shape of the draft.
    Object(AuthObject<'a>),
    /// The type alone, as a string.
    Type(Text<'a>),
}

impl<'a> Read<'a> for AuthValue<'a> {
    const SHAPE: Shape = Shape::Object;
    const NESTED: Option<Lookup> = Some(Lookup::of::<AuthObject<'_>>());

    fn read(value: Value<'a>) -> Option<Self> {
        match value.kind() {
            json::Kind::Object => Some(Self::Object(AuthObject::read(value))),
            _ => value.as_text().map(Self::Type),
        }
    }

    #[inline]
    fn read_slot(bytes: &'a [u8], slot: Slot, nested: Option<Fields<'_>>) -> Option<Self> {
        match nested {
            Some(fields) => Some(Self::Object(AuthObject::of_fields(bytes, fields))),
            None => slot.text(bytes).map(Self::Type),
        }
    }
}

/// Policies: an object from name to policy, or an array of policies with names.
#[derive(Clone, Copy, Debug)]
pub struct AgentsValue<'a>(pub Value<'a>);

impl<'a> Read<'a> for AgentsValue<'a> {
    const SHAPE: Shape = Shape::Object;

    fn read(value: Value<'a>) -> Option<Self> {
        matches!(value.kind(), json::Kind::Object | json::Kind::Array).then_some(Self(value))
    }

    const KEPT: bool = true;
    const WHOLE: Holds = Holds::OBJECTS;

    fn keeps(value: Value<'a>) -> bool {
        !are_all(value, json::Kind::Object)
    }
}

/// Which members are present but unreadable; see [`AgentsJson::unreadable`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unreadable {
    /// Patterns in `allow`.
    pub(crate) allow: bool,
    /// Patterns in `disallow`, or the access rules as a whole.
    pub(crate) disallow: bool,
    /// Policies for agents. (Policies without a name are not included.)
    pub(crate) agents: bool,
}

/// Whether an element is neither of this kind nor `null`. `inside` is the text between the
/// brackets.
fn has_other(inside: &[u8], kind: json::Kind) -> bool {
    let mut position = 0;
    core::iter::from_fn(|| json::next_element(inside, &mut position))
        .any(|value| value.kind() != kind && !value.is_null())
}

impl Top<'_> {
    /// Whether `allow`, and whether `disallow`, at the top level has no effect because `access` has
    /// the same member.
    pub(super) fn hidden(&self) -> (bool, bool) {
        let access = AccessObject::read(or_absent(&self.access));
        (
            self.allow.is_some() && access.allow.is_some(),
            self.disallow.is_some() && access.disallow.is_some(),
        )
    }
}

/// A parsed agents.json of the Internet-Draft.
#[derive(Clone, Copy, Debug)]
pub struct AgentsJson<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> AgentsJson<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Top::attach(bytes, outline) }
    }

    /// Returns which members that grant or deny rights are present but unreadable. For these, the
    /// more restrictive reading applies. Linear in the size of their lists.
    pub(crate) fn unreadable(&self) -> Unreadable {
        let top = &self.top;
        let inner = top.access.map(|Object(object)| AccessObject::read(object));
        let inner_ill_typed = |field| inner.is_some_and(|access| access.seen.is_ill_typed(field));
        let disallow = inner.and_then(|access| access.disallow).or(top.disallow);
        Unreadable {
            allow: top.seen.is_ill_typed(TOP_ALLOW)
                || inner_ill_typed(ALLOW)
                || self.has_misspelled_allow(),
            disallow: top.seen.is_ill_typed(ACCESS)
                || top.seen.is_ill_typed(TOP_DISALLOW)
                || inner_ill_typed(DISALLOW)
                || top.hidden().1
                || disallow.is_some_and(|texts| has_other(texts.0.bytes(), json::Kind::String)),
            agents: top.seen.is_ill_typed(AGENTS)
                || top.agents.is_some_and(|AgentsValue(value)| {
                    value.kind() == json::Kind::Array
                        && has_other(value.inside(b'['), json::Kind::Object)
                })
                || self.has_misspelled_agents(),
        }
    }

    /// Whether a member outside of the capabilities seems to state some authentication: at the top
    /// level, in the site, in the access rules or in a policy. Linear.
    pub(crate) fn has_common_auth(&self) -> bool {
        let top = &self.top;
        let site = top.site.map(|Object(site)| Site::read(site));
        let access = top.access.map(|Object(access)| AccessObject::read(access));
        has_unread_auth::<Top<'_>>(&top.object, &top.seen)
            || site.is_some_and(|it| has_unread_auth::<Site<'_>>(&it.object, &it.seen))
            || access.is_some_and(|it| has_unread_auth::<AccessObject<'_>>(&it.object, &it.seen))
            || self.agents().any(|policy| {
                let policy = AgentObject::read(Value::trusted(policy.source));
                has_unread_auth::<AgentObject<'_>>(&policy.object, &policy.seen)
            })
    }

    /// Whether `null` stands beside the policies under this name, in any letter case. Alone it is
    /// absent; beside a policy it may be meant to withdraw it.
    pub(crate) fn has_null_policy(&self, name: Text<'_>) -> bool {
        let named = self.top.agents.into_iter().flat_map(|AgentsValue(value)| value.members());
        named
            .into_iter()
            .any(|member| member.value.is_null() && member.name.eq_text_ignore_case(name))
    }

    /// Whether a member at the top level seems to be `agents`, but is not read.
    fn has_misspelled_agents(&self) -> bool {
        !self.top.seen.unknown.is_empty()
            && self.top.object.members().any(|member| {
                let is_container =
                    matches!(member.value.kind(), json::Kind::Object | json::Kind::Array);
                is_container
                    && member.name != *"agents"
                    && meant(member.name, ["agents"].into_iter()).is_some()
            })
    }

    /// Whether a member that is not read seems to be `allow`: at the top level, in `access`, or in
    /// objects whose name is nearly `access`. Linear.
    pub(crate) fn has_misspelled_allow(&self) -> bool {
        let inner = AccessObject::read(or_absent(&self.top.access));
        let (top, access) = (self.top.object.members(), inner.object.members());
        top.chain(access)
            .filter(|one| one.name != *"allow")
            .chain(self.in_other_access())
            .any(|one| names_allow(one.name) && Texts::of(one.value).next().is_some())
    }

    /// The members of objects whose name is nearly `access`.
    fn in_other_access(&self) -> impl Iterator<Item = json::Member<'a>> + use<'a> {
        let top = self.top.object.members();
        top.filter(|one| one.name.starts_with_ignore_case("access") && one.name != *"access")
            .flat_map(|one| one.value.members())
    }

    /// Returns the patterns in members whose name is nearly `disallow`: at the top level, in
    /// `access`, in objects whose name is nearly `access`, and in policies; and in those that a
    /// later member with the same name replaces. No other code reads them. Linear.
    pub(crate) fn misspelled_restrictions(&self) -> impl Iterator<Item = Text<'a>> + use<'a> {
        let forbids = |member: &json::Member<'_>| {
            Key::of(strip(member.name.raw())) == Key::Disallow || names_disallow(member.name)
        };
        let top = self.top.object.members();
        // Of members with one name, the last one counts.
        let counts = |one: &json::Member<'_>, read: Option<TextsOrOne<'_>>| {
            let read = read.map(|TextsOrOne(list)| list.bytes().as_ptr());
            let list = TextsOrOne::read(one.value).map(|TextsOrOne(list)| list.bytes().as_ptr());
            one.name == *"disallow" && list.is_none_or(|list| read == Some(list))
        };
        let (own, inner) =
            (self.top.disallow, AccessObject::read(or_absent(&self.top.access)).disallow);
        let in_top = top.filter(move |one| !counts(one, own));
        let in_policies = self.agents().flat_map(|policy| {
            let members = Value::trusted(policy.source).members();
            members.filter(|one| !one.name.eq_ignore_case("disallow"))
        });
        let in_access = or_absent(&self.top.access).members();
        in_top
            .chain(self.in_other_access())
            .chain(in_access.filter(move |one| !counts(one, inner)))
            .chain(in_policies)
            .filter(forbids)
            .flat_map(|one| Texts::of(one.value))
    }

    /// Returns the site, section 2.4.
    pub fn site(&self) -> Option<Site<'a>> {
        Some(Site::read(self.top.site?.0))
    }
}

impl<'a> Reading<'a> for AgentsJson<'a> {
    fn head(&self) -> Head<'a> {
        let kind = self.top.declaration_type.map_or(Choice::implied(Kind::Platform), Choice::read);
        Head {
            spec_version: self.top.spec_version,
            kind,
            generated_at: self.top.generated_at,
            companion: self.top.agents_json,
        }
    }

    fn operates_on(&self) -> List<'a, Text<'a>> {
        self.top.operates_on.map_or_else(List::empty, |texts| texts.0)
    }

    fn service(&self) -> Option<Service<'a>> {
        let site = Site::read(self.top.site?.0);
        Some(Service {
            contact: site.contact.map_or_else(List::empty, |contact| contact.0),
            metadata: kept::<Site<'_>>(&site.object, &site.seen),
            name: site.name,
            url: site.url,
            description: site.description,
            privacy_policy: site.privacy_policy,
            source: site.object.raw(),
            ..Service::default()
        })
    }

    fn capabilities(&self) -> List<'a, Capability<'a>> {
        Objects::list(self.top.capabilities, |cursor| cursor.next_object().map(capability))
    }

    fn access(&self) -> Access<'a> {
        let access = AccessObject::read(or_absent(&self.top.access));
        Access {
            allow: texts(*either(&access.allow, &self.top.allow)),
            disallow: either(&access.disallow, &self.top.disallow)
                .map_or_else(List::empty, |texts| texts.0),
            metadata: kept::<AccessObject<'_>>(&access.object, &access.seen),
        }
    }

    fn agents(&self) -> List<'a, AgentPolicy<'a>> {
        match self.top.agents {
            Some(AgentsValue(value)) if value.kind() == json::Kind::Array => {
                Objects::list(Some(Objects(value)), |cursor| {
                    cursor.next_object().map(|value| agent(None, value))
                })
            }
            Some(AgentsValue(value)) => List::new(value.inside(b'{'), 0, |cursor| {
                loop {
                    let member = next_member(cursor.bytes, &mut cursor.position)?;
                    if !member.value.is_null() {
                        return Some(agent(Some(member.name), member.value));
                    }
                }
            }),
            None => List::empty(),
        }
    }

    fn metadata(&self) -> Metadata<'a> {
        let Top { object, seen, metadata, .. } = &self.top;
        // A top-level list that `access` overrides is kept as metadata.
        let step: Step<'a, Member<'a>> = match self.top.hidden() {
            (false, false) => return document_metadata::<Top<'_>>(*object, seen, *metadata),
            (true, false) => |cursor| next_of_top(cursor, |member| member.name == *"allow"),
            (false, true) => |cursor| next_of_top(cursor, |member| member.name == *"disallow"),
            (true, true) => |cursor| {
                next_of_top(cursor, |member| member.name == *"allow" || member.name == *"disallow")
            },
        };
        document_metadata_and(*object, *metadata, step)
    }
}

fn next_of_top<'a>(
    cursor: &mut Cursor<'a>,
    more: fn(&json::Member<'a>) -> bool,
) -> Option<Member<'a>> {
    next_of_document_of(cursor, Lookup::of::<Top<'_>>(), more)
}

/// The lists whose items [`Document::read`](crate::Document::read) reports during validation.
pub(crate) const LISTS: Wants =
    Wants { objects: 1 << AGENTS, arrays: 1 << AGENTS | 1 << CAPABILITIES, names: true };
/// The parameters of a capability.
pub(crate) const PARAMETERS: Wants =
    Wants { objects: 0, arrays: 1 << CapabilityObject::parameters, names: false };

const CAPABILITIES: u32 = Top::capabilities;
const ACCESS: u32 = Top::access;
const TOP_ALLOW: u32 = Top::allow;
const TOP_DISALLOW: u32 = Top::disallow;
const ALLOW: u32 = AccessObject::allow;
const DISALLOW: u32 = AccessObject::disallow;
pub(crate) const AGENTS: u32 = Top::agents;
const AUTH: u32 = CapabilityObject::auth;
const ENDPOINT: u32 = CapabilityObject::endpoint;
const AUTH_TYPE: u32 = AuthObject::kind;
const AGENT_CAPABILITIES: u32 = AgentObject::capabilities;

fn capability(value: Value<'_>) -> Capability<'_> {
    capability_of(&CapabilityObject::read(value))
}

#[inline(always)]
pub(crate) fn capability_of<'a>(object: &CapabilityObject<'a>) -> Capability<'a> {
    Capability {
        rate_limits: rate_limits(object.rate_limit),
        auth: capability_auth(object),
        protocol: choice(&object.protocol),
        parameters: Objects::list(object.parameters, |cursor| cursor.next_object().map(parameter)),
        metadata: kept::<CapabilityObject<'_>>(&object.object, &object.seen),
        id: object.id,
        description: object.description,
        endpoint: guarded_text::<CapabilityObject<'_>>(
            object.endpoint,
            &object.object,
            &object.seen,
            ENDPOINT,
        ),
        method: object.method,
        openapi: object.openapi,
        source: object.object.raw(),
        ..Capability::default()
    }
}

/// Returns the authentication of a capability. If `auth` has no type, a token endpoint or scopes
/// imply one; otherwise the type is unknown, which means some authentication.
fn capability_auth<'a>(object: &CapabilityObject<'a>) -> Option<CapabilityAuth<'a>> {
    let absent = AuthObject::blank(Value::ABSENT);
    let auth = match &object.auth {
        Some(AuthValue::Object(auth)) => auth,
        _ => &absent,
    };
    let token_url = either(&auth.token_endpoint, &object.auth_endpoint);
    let scopes = either(&auth.scopes, &object.scopes);
    let text = match &object.auth {
        Some(AuthValue::Type(text)) => Some(*text),
        _ => auth.kind,
    };
    let stated = text.map(Choice::read);
    let is_unread = || has_unread_auth::<CapabilityObject<'_>>(&object.object, &object.seen);
    let kind = if let Some(stated) = stated.filter(|kind| kind.value != AuthType::None) {
        stated
    } else if is_unread() {
        Choice::unreadable()
    } else if let Some(stated) = stated {
        stated
    } else if auth.seen.is_ill_typed(AUTH_TYPE)
        || (object.auth.is_none() && object.seen.is_ill_typed(AUTH))
    {
        Choice::unreadable()
    } else if token_url.is_some() {
        Choice::implied(AuthType::BearerToken)
    } else if scopes.is_some() {
        Choice::implied(AuthType::OAuth2)
    } else if object.auth.is_some() {
        Choice::unreadable()
    } else {
        return None;
    };
    Some(CapabilityAuth {
        kind,
        scopes: texts(*scopes),
        metadata: kept::<AuthObject<'_>>(&auth.object, &auth.seen),
        token_url: *token_url,
        docs_url: auth.docs_url,
        source: auth.object.raw(),
    })
}

/// Returns the rate limit as a list.
fn rate_limits(limit: Option<RateValue<'_>>) -> List<'_, RateLimit<'_>> {
    let Some(RateValue { value, .. }) = limit else {
        return List::empty();
    };
    List::new(value.raw(), 0, |cursor| {
        let raw = core::mem::take(&mut cursor.bytes);
        if raw.is_empty() {
            return None;
        }
        RateValue::read(Value::trusted(raw)).map(|rate| rate.limit)
    })
}

const LOCATION: u32 = ParameterObject::location;
const OTHER_LOCATION: u32 = ParameterObject::other_location;

fn parameter(value: Value<'_>) -> Parameter<'_> {
    parameter_of(&ParameterObject::read(value))
}

#[inline(always)]
pub(crate) fn parameter_of<'a>(object: &ParameterObject<'a>) -> Parameter<'a> {
    let value = object.object;
    let location = filled_or(object.location, object.other_location);
    Parameter {
        name: object.name,
        location: choice(&location),
        kind: object.kind,
        required: object.required,
        description: object.description,
        default: raw(&object.default),
        min: raw(&object.min),
        max: raw(&object.max),
        // If `in` is not empty, `location` has no effect and stays as metadata.
        metadata: kept_and::<ParameterObject<'_>>(
            &value,
            &object.seen,
            Some(if location == object.location { OTHER_LOCATION } else { LOCATION }),
        ),
        source: value.raw(),
        ..Parameter::default()
    }
}

/// Reads a policy. `key` is its name if the policies are in an object. A policy with unreadable
/// capabilities, or one that is not an object, grants no capability.
fn agent<'a>(key: Option<Text<'a>>, value: Value<'a>) -> AgentPolicy<'a> {
    agent_of(key, &AgentObject::read(value))
}

/// Whether a policy has a list of capabilities that is not read, because it is misspelled or in
/// another object.
fn has_unread_list(object: &AgentObject<'_>) -> bool {
    let is_list =
        |member: &json::Member<'_>| names_capabilities(member.name) && !member.value.is_null();
    !object.seen.unknown.is_empty()
        && object
            .object
            .members()
            .any(|member| is_list(&member) || member.value.members().any(|inner| is_list(&inner)))
}

pub(crate) fn agent_of<'a>(key: Option<Text<'a>>, object: &AgentObject<'a>) -> AgentPolicy<'a> {
    let value = object.object;
    let is_object = value.kind() == json::Kind::Object;
    let unreadable = object.seen.is_ill_typed(AGENT_CAPABILITIES)
        || !is_object
        || object.capabilities.is_none() && has_unread_list(object);
    AgentPolicy {
        // A list among the policies is not the policy of an agent: whose list it is, is unknown.
        name: key.or(object.name).filter(|name| is_object || !names_capabilities(*name)),
        rate_limits: rate_limits(object.rate_limit),
        capabilities: object.capabilities.map(|Texts(list)| list).or(unreadable.then(List::empty)),
        declaration: object.agent_declaration,
        metadata: match key {
            Some(_) => kept_and::<AgentObject<'_>>(&value, &object.seen, Some(0)),
            None => kept::<AgentObject<'_>>(&value, &object.seen),
        },
        source: value.raw(),
    }
}
