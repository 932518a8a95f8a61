//! The A2A agent card in versions 0.2, 0.3 and 1.0. The tables below and in [`security`] define the
//! format.
//!
//! The versions differ in two places. 1.0 lists its interfaces; 0.2 and 0.3 have a `url` and
//! additional interfaces. 1.0 writes security in the JSON of Protocol Buffers; 0.2 and 0.3 use the
//! objects of OpenAPI. All members of all versions are read, whatever version a card states.

pub(crate) mod check;
pub mod security;

use crate::model::list::Cursor;
use crate::model::{
    Capability, CapabilityAuth, Choice, Endpoint, Extension, Head, List, Member, Metadata,
    Protocol, Raw, Reading, SecurityScheme, Service, ServiceAuth, Signature, Skill, Transport,
};
use crate::rules::json::reading::{
    Objects, Texts, are_all, has_unread_auth, kept, or_absent, raw, texts,
};
use crate::rules::urls::{is_rooted, is_url};
use crate::span::Span;
use crate::syntax::json::view::{Also, Array, Object, Seen, View, view};
use crate::syntax::json::{Kind, Value, next_member};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;
use security::{CardAuth, Need, Needs, Scheme};

view! {
    /// The document.
    pub struct Top {
        /// `protocolVersion` of 0.3: the version of the protocol.
        protocol_version: Text<'a> = b"protocolVersion",
        /// `name`, required.
        name: Text<'a> = b"name" required,
        /// `description`, required.
        description: Text<'a> = b"description" required,
        /// `version` of the agent, required.
        version: Text<'a> = b"version" required,
        /// `supportedInterfaces` of 1.0, the preferred one first.
        supported_interfaces: Objects<'a> = b"supportedInterfaces",
        /// `url` of 0.2 and 0.3: the preferred interface.
        url: Text<'a> = b"url" required,
        /// `preferredTransport` of 0.3: the transport of `url`. Default: `JSONRPC`.
        preferred_transport: Text<'a> = b"preferredTransport",
        /// `additionalInterfaces` of 0.3.
        additional_interfaces: Objects<'a> = b"additionalInterfaces",
        /// `provider`.
        provider: Object<'a> = b"provider",
        /// `documentationUrl`.
        documentation_url: Text<'a> = b"documentationUrl",
        /// `iconUrl`.
        icon_url: Text<'a> = b"iconUrl",
        /// `capabilities`, required: the optional parts of the protocol.
        capabilities: Object<'a> = b"capabilities",
        /// `supportsAuthenticatedExtendedCard` of 0.2 and 0.3.
        supports_extended_card: bool = b"supportsAuthenticatedExtendedCard" | b"supportsExtendedAgentCard",
        /// `securitySchemes`: from name to scheme.
        security_schemes: Object<'a> = b"securitySchemes",
        /// `securityRequirements` of 1.0.
        security_requirements: Array<'a> = b"securityRequirements",
        /// `security` of 0.2 and 0.3.
        security: Array<'a> = b"security",
        /// `authentication` of the first drafts.
        authentication: Object<'a> = b"authentication",
        /// `defaultInputModes`, required.
        input_modes: Texts<'a> = b"defaultInputModes",
        /// `defaultOutputModes`, required.
        output_modes: Texts<'a> = b"defaultOutputModes",
        /// `skills`, required.
        skills: Objects<'a> = b"skills",
        /// `signatures`.
        signatures: Objects<'a> = b"signatures",
    }

    /// An interface: a URL where the agent is called.
    pub struct InterfaceObject {
        /// `url`, required.
        url: Text<'a> = b"url" required,
        /// `protocolBinding` of 1.0: `JSONRPC`, `GRPC`, `HTTP+JSON`, or the URI of another binding.
        protocol_binding: Text<'a> = b"protocolBinding" required,
        /// `transport` of 0.3, with the same values.
        transport: Text<'a> = b"transport" required,
        /// `protocolVersion` of 1.0.
        protocol_version: Text<'a> = b"protocolVersion" required,
        /// `tenant` of 1.0, which callers repeat in every request.
        tenant: Also<Text<'a>> = b"tenant",
    }

    /// The organization that operates the agent.
    pub struct ProviderObject {
        /// `organization`, required; also read: `name`.
        organization: Text<'a> = b"organization" | b"name" required,
        /// `url`, required.
        url: Text<'a> = b"url" required,
    }

    /// The optional parts of the protocol that an agent supports.
    pub struct FeaturesObject {
        /// `streaming`.
        streaming: Also<bool> = b"streaming",
        /// `pushNotifications`.
        push_notifications: Also<bool> = b"pushNotifications",
        /// `stateTransitionHistory` of 0.2 and 0.3.
        state_transition_history: Also<bool> = b"stateTransitionHistory",
        /// `extendedAgentCard` of 1.0.
        extended_agent_card: Also<bool> = b"extendedAgentCard",
        /// `extensions`.
        extensions: Objects<'a> = b"extensions",
    }

    /// An extension of the protocol.
    pub struct ExtensionObject {
        /// `uri`, required.
        uri: Text<'a> = b"uri" required,
        /// `description`.
        description: Text<'a> = b"description",
        /// `required`.
        required: bool = b"required",
        /// `params`.
        params: Value<'a> = b"params",
    }

    /// A skill.
    pub struct SkillObject {
        /// `id`, required.
        id: Text<'a> = b"id" required,
        /// `name`, required.
        name: Text<'a> = b"name" required,
        /// `description`, required.
        description: Text<'a> = b"description" required,
        /// `tags`, required.
        tags: Texts<'a> = b"tags",
        /// `examples`.
        examples: Texts<'a> = b"examples",
        /// `inputModes`.
        input_modes: Texts<'a> = b"inputModes",
        /// `outputModes`.
        output_modes: Texts<'a> = b"outputModes",
        /// `securityRequirements` of 1.0.
        security_requirements: Array<'a> = b"securityRequirements",
        /// `security` of 0.3.
        security: Array<'a> = b"security",
    }

    /// A JSON Web Signature over the card.
    pub struct SignatureObject {
        /// `protected`, required: the protected header in base64url.
        protected: Text<'a> = b"protected" required,
        /// `signature`, required: the signature in base64url.
        signature: Text<'a> = b"signature" required,
        /// `header`: the unprotected header.
        header: Object<'a> = b"header",
    }
}

/// The protocol by which every skill is called.
const A2A: Text<'static> = Text::plain(b"a2a");

const SKILL_REQUIREMENTS: u32 = SkillObject::security_requirements;
const SKILL_SECURITY: u32 = SkillObject::security;
const SCHEMES: u32 = Top::security_schemes;
const SUPPORTS_EXTENDED_CARD: u32 = Top::supports_extended_card;

/// A parsed A2A agent card.
#[derive(Clone, Copy, Debug)]
pub struct A2aAgentCard<'a> {
    /// The top-level members.
    pub top: Top<'a>,
}

impl<'a> A2aAgentCard<'a> {
    pub(crate) fn attach(bytes: &'a [u8], outline: &Outline) -> Self {
        Self { top: Top::attach(bytes, outline) }
    }

    /// Whether the card declares security schemes, or has a `securitySchemes` of the wrong type.
    pub(crate) fn has_schemes(&self) -> bool {
        let has_one = |Object(schemes): Object<'_>| schemes.members().next().is_some();
        self.top.security_schemes.is_some_and(has_one) || self.top.seen.is_ill_typed(SCHEMES)
    }

    /// Returns a list that starts in the content of a value. Its cursor sees the whole document.
    fn list<T>(
        &self,
        content: Option<Value<'a>>,
        mode: u32,
        step: fn(&mut Cursor<'a>) -> Option<T>,
    ) -> List<'a, T> {
        let raw = self.top.object.raw();
        let start = content.map_or(0, |value| content_start(value, raw));
        List::new(raw, mode, step).from(start)
    }
}

/// Returns the offset behind the opening bracket of a value.
fn content_start(value: Value<'_>, whole: &[u8]) -> u32 {
    Span::of(value.raw(), whole).start.saturating_add(1)
}

impl<'a> Reading<'a> for A2aAgentCard<'a> {
    fn head(&self) -> Head<'a> {
        Head { spec_version: self.top.protocol_version, ..Head::default() }
    }

    fn service(&self) -> Option<Service<'a>> {
        let provider = ProviderObject::read(or_absent(&self.top.provider));
        Some(Service {
            name: self.top.name,
            description: self.top.description,
            docs: self.top.documentation_url,
            version: self.top.version,
            icon: self.top.icon_url,
            provider: provider.organization,
            provider_url: provider.url,
            metadata: kept::<ProviderObject<'_>>(&provider.object, &provider.seen),
            ..Service::default()
        })
    }

    fn auth(&self) -> Option<ServiceAuth<'a>> {
        security::service_auth(&self.top)
    }

    fn security_schemes(&self) -> List<'a, SecurityScheme<'a>> {
        security::schemes(self.top.security_schemes)
    }

    fn endpoints(&self) -> List<'a, Endpoint<'a>> {
        let auth = CardAuth::of(&self.top).of_interfaces();
        let is_old = self.top.url.is_some() || self.top.additional_interfaces.is_some();
        let (content, stage) = match self.top.supported_interfaces {
            Some(Objects(array)) if is_old => (Some(array), SUPPORTED),
            Some(Objects(array)) => (Some(array), ADDITIONAL),
            None if is_old => (None, PREFERRED),
            None => return List::empty(),
        };
        self.list(content, stage | auth, next_interface)
    }

    fn input_modes(&self) -> List<'a, Text<'a>> {
        texts(self.top.input_modes)
    }

    fn output_modes(&self) -> List<'a, Text<'a>> {
        texts(self.top.output_modes)
    }

    fn capabilities(&self) -> List<'a, Capability<'a>> {
        let Some(Objects(array)) = self.top.skills else {
            return List::empty();
        };
        let mode = CardAuth::of(&self.top).packed();
        self.list(Some(array), mode, |cursor| {
            let skill: SkillObject<'_> = cursor.next_view()?;
            Some(capability(&skill, cursor))
        })
    }

    fn features(&self) -> Metadata<'a> {
        match self.top.capabilities {
            Some(Object(object)) => {
                let is_old = self.top.seen.has(SUPPORTS_EXTENDED_CARD);
                let mode = if is_old { OF_FEATURES } else { ALONE };
                self.list(Some(object), mode, next_feature)
            }
            None if self.top.seen.has(SUPPORTS_EXTENDED_CARD) => {
                List::new(self.top.object.raw(), OF_TOP, next_feature).from(1)
            }
            None => List::empty(),
        }
    }

    fn extensions(&self) -> List<'a, Extension<'a>> {
        let features = FeaturesObject::read(or_absent(&self.top.capabilities));
        Objects::list(features.extensions, |cursor| {
            let extension: ExtensionObject<'_> = cursor.next_view()?;
            Some(Extension {
                uri: extension.uri,
                description: extension.description,
                required: extension.required,
                params: raw(&extension.params),
                metadata: kept::<ExtensionObject<'_>>(&extension.object, &extension.seen),
            })
        })
    }

    fn signatures(&self) -> List<'a, Signature<'a>> {
        Objects::list(self.top.signatures, |cursor| {
            let signature: SignatureObject<'_> = cursor.next_view()?;
            Some(Signature {
                protected_header: signature.protected,
                signature: signature.signature,
                header: signature.header.map(|Object(header)| Raw::Json(header)),
                metadata: kept::<SignatureObject<'_>>(&signature.object, &signature.seen),
            })
        })
    }

    fn metadata(&self) -> Metadata<'a> {
        kept::<Top<'_>>(&self.top.object, &self.top.seen)
    }
}

// The stages of the list of interfaces, in the lower bits of its mode: the interfaces of 1.0
// (`SUPPORTED`), then the `url` (`PREFERRED`), then the additional interfaces. In the last stage
// the lower bits are `ADDITIONAL` plus the offset of the item that repeats the `url`, or
// `ADDITIONAL` alone. A card that has only the list of 1.0 starts in this stage. The upper bits are
// the authentication.
const SUPPORTED: u32 = 0;
const PREFERRED: u32 = 1;
const ADDITIONAL: u32 = 2;
const END: u32 = STAGES;
const STAGES: u32 = (1 << CardAuth::BITS) - 1;

/// Returns the next interface. Reads the top level again between the two lists.
fn next_interface<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    let auth = cursor.mode & !STAGES;
    let mut interface = next_unguarded(cursor)?;
    interface.auth = CardAuth::unpacked(auth).kind_of_interfaces();
    Some(interface)
}

/// Returns the next interface without its authentication.
fn next_unguarded<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    let auth = cursor.mode & !STAGES;
    if cursor.mode == SUPPORTED | auth {
        if let Some(object) = cursor.next_view() {
            return Some(interface(&object));
        }
        cursor.mode = PREFERRED | auth;
    }
    if cursor.mode == PREFERRED | auth
        && let Some(preferred) = begin_additional(cursor, auth)
    {
        return Some(preferred);
    }
    while cursor.mode != END | auth {
        let object = cursor.next_object()?;
        let start = Span::of(object.raw(), cursor.bytes).start;
        if cursor.mode != start.saturating_add(ADDITIONAL) | auth {
            return Some(interface(&InterfaceObject::read(object)));
        }
    }
    None
}

/// Moves to the additional interfaces. Returns the interface of `url`, unless the list of 1.0
/// contains it.
fn begin_additional<'a>(cursor: &mut Cursor<'a>, auth: u32) -> Option<Endpoint<'a>> {
    let top = Top::of_document(Value::trusted(cursor.bytes));
    let preferred = top.url.map(|_| preferred(&top));
    cursor.mode = END | auth;
    if let Some(Objects(array)) = top.additional_interfaces {
        cursor.position = content_start(array, cursor.bytes);
        let again = preferred.and_then(|preferred| again(array, &preferred));
        let again = again.map(|again| Span::of(again.raw(), cursor.bytes).start);
        // An item at an offset that does not fit into the mode is listed twice.
        let again = again.filter(|start| *start < STAGES - ADDITIONAL);
        cursor.mode = again.map_or(ADDITIONAL, |start| start + ADDITIONAL) | auth;
    }
    preferred.filter(|preferred| {
        { top.supported_interfaces }.is_none_or(|Objects(array)| again(array, preferred).is_none())
    })
}

/// Returns the interface of `url`, which is the preferred one in 0.2 and 0.3.
fn preferred<'a>(top: &Top<'a>) -> Endpoint<'a> {
    let usual = Choice::implied(Transport::JsonRpc);
    endpoint(
        top.url,
        top.protocol_version,
        Some(top.preferred_transport.map_or(usual, Choice::read)),
        List::empty(),
    )
}

fn interface<'a>(object: &InterfaceObject<'a>) -> Endpoint<'a> {
    let binding = object.protocol_binding.or(object.transport);
    endpoint(
        object.url,
        object.protocol_version,
        binding.map(Choice::read),
        kept::<InterfaceObject<'_>>(&object.object, &object.seen),
    )
}

const fn endpoint<'a>(
    url: Option<Text<'a>>,
    version: Option<Text<'a>>,
    transport: Option<Choice<'a, Transport>>,
    extra: Metadata<'a>,
) -> Endpoint<'a> {
    Endpoint {
        name: None,
        protocol: Choice { value: Protocol::A2a, text: Some(A2A) },
        url,
        version,
        transport,
        auth: None,
        parameters: List::empty(),
        extra,
    }
}

/// Whether an interface has a valid URL or a rooted path. Callers use the first interface that has
/// one. (A gRPC interface may have a host and a port instead.)
pub(crate) fn has_url(interface: &Endpoint<'_>) -> bool {
    let is_one = |url: Text<'_>| is_url(url) || is_rooted(url);
    interface.url.is_some_and(is_one)
}

/// Returns the first interface of a list that is the same as the interface of `url`: URL and
/// transport are equal, and the versions, if both are stated.
fn again<'a>(array: Value<'a>, preferred: &Endpoint<'a>) -> Option<Value<'a>> {
    let is_same = |object: &Value<'a>| {
        let other = interface(&InterfaceObject::read(*object));
        let are_one = |(a, b): (Choice<'a, Transport>, Choice<'a, Transport>)| {
            a.value == b.value && (a.value != Transport::Unknown || a.text == b.text)
        };
        other.url == preferred.url
            && { other.transport.zip(preferred.transport) }.is_some_and(are_one)
            && { other.version.zip(preferred.version) }.is_none_or(|(a, b)| a == b)
    };
    array.elements().find(is_same)
}

// The modes of the list of features: the members of `capabilities` (`OF_FEATURES`), then those of
// the top level (`OF_TOP`); or the members of `capabilities` alone (`ALONE`).
const OF_FEATURES: u32 = 0;
const OF_TOP: u32 = 1;
const ALONE: u32 = 2;

/// Returns the next feature. `extensions` is a feature only if it is not a list of objects;
/// otherwise it is read as extensions.
fn next_feature<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    loop {
        let Some(member) = next_member(cursor.bytes, &mut cursor.position) else {
            if cursor.mode != OF_FEATURES {
                return None;
            }
            (cursor.mode, cursor.position) = (OF_TOP, 1);
            continue;
        };
        let is_feature = if cursor.mode == OF_TOP {
            is_extended_card(member.name) && member.value.as_bool().is_some()
        } else {
            !(member.name == "extensions" && is_list_of_objects(member.value))
        };
        if is_feature {
            return Some(Member { name: member.name, value: Raw::Json(member.value) });
        }
    }
}

fn is_list_of_objects(value: Value<'_>) -> bool {
    value.kind() == Kind::Array && are_all(value, Kind::Object)
}

/// Whether a member of the top level is a feature.
fn is_extended_card(name: Text<'_>) -> bool {
    name == "supportsAuthenticatedExtendedCard" || name == "supportsExtendedAgentCard"
}

/// Returns the capability of a skill. The mode of the cursor has the authentication of the card.
fn capability<'a>(skill: &SkillObject<'a>, cursor: &Cursor<'a>) -> Capability<'a> {
    let card = CardAuth::unpacked(cursor.mode);
    let own = skill_needs(skill);
    // Every call passes through an interface of the card, so a skill requires at least what the
    // card requires.
    let (need, auth) = if own.need < card.need || own.need == Need::NotStated {
        (card.need, card.auth())
    } else {
        let auth = skill_auth(skill, &own, card.schemes(cursor.bytes));
        (own.need, (own.need > Need::None).then_some(auth))
    };
    Capability {
        id: skill.id,
        description: skill.description,
        via: Some(A2A),
        auth,
        auth_required: (need == Need::Optional).then_some(false),
        skill: Some(Skill {
            title: skill.name,
            tags: texts(skill.tags),
            examples: texts(skill.examples),
            input_modes: texts(skill.input_modes),
            output_modes: texts(skill.output_modes),
            ..Skill::default()
        }),
        metadata: kept::<SkillObject<'_>>(&skill.object, &skill.seen),
        source: skill.object.raw(),
        ..Capability::default()
    }
}

/// What a skill itself requires.
fn skill_needs<'a>(skill: &SkillObject<'a>) -> Needs<'a> {
    let is_ill_typed = |field| Seen::is_ill_typed(&skill.seen, field);
    let stated = Needs::stricter(
        Needs::of(skill.security_requirements, is_ill_typed(SKILL_REQUIREMENTS)),
        Needs::of(skill.security, is_ill_typed(SKILL_SECURITY)),
    );
    stated.or_unread(|| has_unread_auth::<SkillObject<'_>>(&skill.object, &skill.seen))
}

fn skill_auth<'a>(
    skill: &SkillObject<'a>,
    needs: &Needs<'a>,
    schemes: Option<Value<'a>>,
) -> CapabilityAuth<'a> {
    let scheme = needs.scheme(schemes);
    CapabilityAuth {
        kind: needs.kind(&scheme),
        token_url: scheme.as_ref().and_then(|scheme: &Scheme<'_>| scheme.flow.token_url),
        docs_url: None,
        scopes: needs.scopes,
        metadata: security::requirements_in(skill.object.inside(b'{')),
        source: skill.object.raw(),
    }
}
