//! The A2A agent card in versions 0.2, 0.3 and 1.0. The tables below and in [`security`] define the
//! format.
//!
//! The versions differ in two places. 1.0 lists its interfaces; 0.2 and 0.3 have a `url` and
//! additional interfaces. 1.0 writes security in the JSON of Protocol Buffers; 0.2 and 0.3 use the
//! objects of OpenAPI. All members of all versions are read, whatever version a card states.

mod about;
pub(crate) mod check;
pub mod security;
pub(crate) mod signs;

use crate::model::list::{Cursor, State, Step, states};
use crate::model::{
    AuthType, Capability, CapabilityAuth, Choice, Endpoint, Extension, Head, List, Member,
    Metadata, Protocol, Raw, Reading, SecurityScheme, Service, ServiceAuth, Signature, Skill,
    Transport,
};
use crate::rules::json::reading::{
    Objects, Texts, are_all, content_start, has_unread_auth, kept, or_absent, raw, texts,
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
    pub struct Top at "4.4.1" then card {
        /// `protocolVersion` of 0.3: the version of the protocol.
        protocol_version: Text<'a> = b"protocolVersion" | b"protocol_version" [In(Old, &Want(NO_VERSION)), In(Old, &Fits(is_known_version, UNKNOWN_VERSION)), In(New, &Gone(OLDER, "protocolVersion` of each of `supportedInterfaces"))],
        /// `name`, required.
        name: Text<'a> = b"name" [Need],
        /// `description`, required.
        description: Text<'a> = b"description" [Need],
        /// `version` of the agent, required.
        version: Text<'a> = b"version" [Need],
        /// `supportedInterfaces` of 1.0, the preferred one first.
        supported_interfaces: Objects<'a> = b"supportedInterfaces" | b"supported_interfaces" [In(New, &Need), SOME, Each(InterfaceObject::RULES)],
        /// `url` of 0.2 and 0.3: the preferred interface.
        url: Text<'a> = b"url" [In(Old, &Need), In(New, &Gone(OLDER, "supportedInterfaces"))],
        /// `preferredTransport` of 0.3: the transport of `url`. Default: `JSONRPC`.
        preferred_transport: Text<'a> = b"preferredTransport" | b"preferred_transport" [In(New, &Gone(OLDER, "supportedInterfaces"))],
        /// `additionalInterfaces` of 0.3.
        additional_interfaces: Objects<'a> = b"additionalInterfaces" | b"additional_interfaces" [In(New, &Gone(OLDER, "supportedInterfaces")), Each(InterfaceObject::RULES)],
        /// `provider`.
        provider: Object<'a> = b"provider" [Inside(ProviderObject::RULES)],
        /// `documentationUrl`.
        documentation_url: Text<'a> = b"documentationUrl" | b"documentation_url" [Url(Secure::Web)],
        /// `iconUrl`.
        icon_url: Text<'a> = b"iconUrl" [Url(Secure::Web)],
        /// `capabilities`, required: the optional parts of the protocol.
        capabilities: Object<'a> = b"capabilities" [Need, Inside(FeaturesObject::RULES)],
        /// `supportsAuthenticatedExtendedCard` of 0.2 and 0.3.
        supports_extended_card: bool = b"supportsAuthenticatedExtendedCard" | b"supportsExtendedAgentCard" | b"supports_authenticated_extended_card" [In(New, &Gone(OLDER, "extendedAgentCard` in `capabilities"))],
        /// `securitySchemes`: from name to scheme.
        security_schemes: Object<'a> = b"securitySchemes" | b"security_schemes" [Names, Map(security::SchemeObject::RULES)],
        /// `securityRequirements` of 1.0.
        security_requirements: Array<'a> = b"securityRequirements" | b"security_requirements" => security::weight,
        /// `security` of 0.2 and 0.3.
        security: Array<'a> = b"security" [In(New, &Gone(OLDER, "securityRequirements"))],
        /// `authentication` of the first drafts.
        authentication: Object<'a> = b"authentication" [Gone(OLDER, "securitySchemes"), Inside(security::AuthenticationObject::RULES)],
        /// `defaultInputModes`, required.
        input_modes: Texts<'a> = b"defaultInputModes" | b"default_input_modes" [Need, SOME, OLD_SOME, Texts, EachText(&MODE)],
        /// `defaultOutputModes`, required.
        output_modes: Texts<'a> = b"defaultOutputModes" | b"default_output_modes" [Need, SOME, OLD_SOME, Texts, EachText(&MODE)],
        /// `skills`, required.
        skills: Objects<'a> = b"skills" [Need, SOME, OLD_SOME, Each(SkillObject::RULES)],
        /// `signatures`.
        signatures: Objects<'a> = b"signatures" [Each(SignatureObject::RULES)],
    }

    /// An interface: a URL where the agent is called.
    pub struct InterfaceObject at "4.4.6" then interface {
        /// `url`, required.
        url: Text<'a> = b"url" [Need],
        /// `protocolBinding` of 1.0: `JSONRPC`, `GRPC`, `HTTP+JSON`, or the URI of another binding.
        protocol_binding: Text<'a> = b"protocolBinding" | b"protocol_binding" [If(within::<IN_NEW>, &Need)],
        /// `transport` of 0.3, with the same values.
        transport: Text<'a> = b"transport" [If(within::<IN_OLD>, &Need)],
        /// `protocolVersion` of 1.0.
        protocol_version: Text<'a> = b"protocolVersion" | b"protocol_version" [If(within::<IN_NEW>, &Need), If(within::<IN_NEW>, &Fits(is_two_numbers, TWO_NUMBERS))],
        /// `tenant` of 1.0, which callers repeat in every request.
        tenant: Also<Text<'a>> = b"tenant",
    }

    /// The organization that operates the agent.
    pub struct ProviderObject at "4.4.2" {
        /// `organization`, required; also read: `name`.
        organization: Text<'a> = b"organization" | b"name" [Need],
        /// `url`, required.
        url: Text<'a> = b"url" [Need, Url(Secure::Web)],
    }

    /// The optional parts of the protocol that an agent supports.
    pub struct FeaturesObject at "4.4.3" {
        /// `streaming`.
        streaming: Also<bool> = b"streaming",
        /// `pushNotifications`.
        push_notifications: Also<bool> = b"pushNotifications" | b"push_notifications",
        /// `stateTransitionHistory` of 0.2 and 0.3.
        state_transition_history: Also<bool> = b"stateTransitionHistory" | b"state_transition_history" [In(New, &Gone(OLDER, "extensions"))],
        /// `extendedAgentCard` of 1.0.
        extended_agent_card: Also<bool> = b"extendedAgentCard" | b"extended_agent_card",
        /// `extensions`.
        extensions: Objects<'a> = b"extensions" [Each(ExtensionObject::RULES)],
    }

    /// An extension of the protocol.
    pub struct ExtensionObject at "4.4.4" {
        /// `uri`, required.
        uri: Text<'a> = b"uri" [Need, Unique(EXTENSION_TWICE), Fits(is_uri, NO_URI), Fits(is_versioned, NO_URI_VERSION), If(is_required, &Report(REQUIRED))],
        /// `description`.
        description: Text<'a> = b"description",
        /// `required`.
        required: bool = b"required",
        /// `params`.
        params: Value<'a> = b"params",
    }

    /// A skill.
    pub struct SkillObject at "4.4.5" {
        /// `id`, required.
        id: Text<'a> = b"id" [Need, Unique(SKILL_TWICE)],
        /// `name`, required.
        name: Text<'a> = b"name" [Need],
        /// `description`, required.
        description: Text<'a> = b"description" [Need],
        /// `tags`, required.
        tags: Texts<'a> = b"tags" [Need, SOME, OLD_SOME, Texts],
        /// `examples`.
        examples: Texts<'a> = b"examples" [Texts],
        /// `inputModes`.
        input_modes: Texts<'a> = b"inputModes" | b"input_modes" [Texts, EachText(&MODE)],
        /// `outputModes`.
        output_modes: Texts<'a> = b"outputModes" | b"output_modes" [Texts, EachText(&MODE)],
        /// `securityRequirements` of 1.0.
        security_requirements: Array<'a> = b"securityRequirements" | b"security_requirements" => security::weight,
        /// `security` of 0.3.
        security: Array<'a> = b"security" [In(New, &Gone(OLDER, "securityRequirements"))],
    }

    /// A JSON Web Signature over the card.
    pub struct SignatureObject at "8.4.2" {
        /// `protected`, required: the protected header in base64url.
        protected: Text<'a> = b"protected" [Need, Then(protected)],
        /// `signature`, required: the signature in base64url.
        signature: Text<'a> = b"signature" [Need, Fits(is_base64url, NO_BASE64)],
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
        state: impl State,
        step: Step<'a, T>,
    ) -> List<'a, T> {
        let raw = self.top.object.raw();
        let start = content.map_or(0, |value| content_start(value, raw));
        List::new(raw, state, step).from(start)
    }
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
        let auth = CardAuth::of(&self.top).kind_of_interfaces();
        let is_old = self.top.url.is_some() || self.top.additional_interfaces.is_some();
        let (content, stage) = match self.top.supported_interfaces {
            Some(Objects(array)) if is_old => (Some(array), Stage::Supported),
            Some(Objects(array)) => (Some(array), Stage::Additional),
            None if is_old => (None, Stage::Preferred),
            None => return List::empty(),
        };
        self.list(content, Interfaces { stage, again: NOWHERE, auth }, next_interface)
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
        self.list(Some(array), CardAuth::of(&self.top), |cursor| {
            let skill: SkillObject<'_> = cursor.next_view()?;
            Some(capability(&skill, cursor))
        })
    }

    fn features(&self) -> Metadata<'a> {
        let content = self.top.capabilities.map(|Object(object)| object);
        // Inside of the braces of the whole card.
        let top = u32::from(self.top.seen.has(SUPPORTS_EXTENDED_CARD));
        if content.is_none() && top == 0 {
            return List::empty();
        }
        let raw = self.top.object.raw();
        let start = content.map_or(u32::MAX, |object| content_start(object, raw));
        List::new(raw, top, next_feature).from(start)
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

/// The offset of no item: an item is never at the start of the document.
const NOWHERE: u32 = 0;

/// Which interface is next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// One of `supportedInterfaces` of 1.0, which the others follow.
    Supported,
    /// The interface of `url`.
    Preferred,
    /// One of the last list: `additionalInterfaces`, or `supportedInterfaces` of a card that has
    /// only them.
    Additional,
}

states!(Stage: Supported, Preferred, Additional);

states! {
    /// The state of the list of interfaces.
    struct Interfaces {
        stage: Stage,
        /// The offset of the item of the last list that repeats `url`. An item at an offset that
        /// does not fit is listed twice.
        again: u32[26],
        /// The authentication of every interface, if it is stated.
        auth: Option<AuthType>,
    }
}

/// Returns the next interface. Reads the top level again between the two lists.
fn next_interface<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    let auth = cursor.state::<Interfaces>().auth;
    let interface = next_unguarded(cursor)?;
    Some(Endpoint { auth: auth.map(Choice::implied), ..interface })
}

/// Returns the next interface without its authentication.
fn next_unguarded<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    loop {
        let state: Interfaces = cursor.state();
        match state.stage {
            Stage::Supported => {
                if let Some(object) = cursor.next_view() {
                    return Some(interface(&object));
                }
                cursor.change(|state: &mut Interfaces| state.stage = Stage::Preferred);
            }
            Stage::Preferred => {
                let preferred = begin_additional(cursor);
                if preferred.is_some() {
                    return preferred;
                }
            }
            Stage::Additional => {
                let object = cursor.next_object()?;
                let again = state.again;
                if again == NOWHERE || again != Span::of(object.raw(), cursor.bytes).start {
                    return Some(interface(&InterfaceObject::read(object)));
                }
            }
        }
    }
}

/// Moves to the additional interfaces. Returns the interface of `url`, unless the list of 1.0
/// contains it.
fn begin_additional<'a>(cursor: &mut Cursor<'a>) -> Option<Endpoint<'a>> {
    let top = Top::of_document(Value::trusted(cursor.bytes));
    let preferred = top.url.map(|_| preferred(&top));
    cursor.position = u32::MAX;
    if let Some(Objects(array)) = top.additional_interfaces {
        cursor.go_inside(array.raw());
        let again = preferred.and_then(|preferred| again(array, &preferred));
        let again = again.map_or(NOWHERE, |again| Span::of(again.raw(), cursor.bytes).start);
        cursor.change(|state: &mut Interfaces| state.again = again);
    }
    cursor.change(|state: &mut Interfaces| state.stage = Stage::Additional);
    preferred.filter(|preferred| {
        top.supported_interfaces.is_none_or(|Objects(array)| again(array, preferred).is_none())
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

/// Returns the next feature: a member of `capabilities`, then one of the top level. `extensions` is
/// a feature only if it is not a list of objects; otherwise it is read as extensions.
fn next_feature<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    cursor.next_of_two(|cursor, is_at_top| {
        loop {
            let member = next_member(cursor.bytes, &mut cursor.position)?;
            let is_feature = match is_at_top {
                true => is_extended_card(member.name) && member.value.as_bool().is_some(),
                false => !(member.name == "extensions" && is_list_of_objects(member.value)),
            };
            if is_feature {
                return Some(Member { name: member.name, value: Raw::Json(member.value) });
            }
        }
    })
}

fn is_list_of_objects(value: Value<'_>) -> bool {
    value.kind() == Kind::Array && are_all(value, Kind::Object)
}

/// Whether a member of the top level is a feature.
fn is_extended_card(name: Text<'_>) -> bool {
    name == "supportsAuthenticatedExtendedCard" || name == "supportsExtendedAgentCard"
}

/// Returns the capability of a skill. The state of the cursor is the authentication of the card.
fn capability<'a>(skill: &SkillObject<'a>, cursor: &Cursor<'a>) -> Capability<'a> {
    let card: CardAuth = cursor.state();
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
