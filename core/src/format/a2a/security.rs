//! How callers of an agent authenticate: the schemes, and which of them are required.
//!
//! A list of requirements is a list of alternatives. A caller satisfies an alternative with all of
//! its schemes together. The model has one way to authenticate, so it shows the first alternative
//! that needs a single scheme. If no alternative does, the kind is unknown, which means some
//! authentication. An alternative without schemes makes authentication optional.

use crate::model::list::{Cursor, states};
use crate::model::{
    AuthType, CapabilityAuth, Choice, Enumeration, List, Location, Member, Metadata, Raw,
    SecurityScheme, ServiceAuth,
};
use crate::rules::json::reading::{
    Objects, Texts, TextsOrOne, choice, either, entries, has_unread_auth, kept, or_absent, stays,
};
use crate::span::Span;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::json::view::{Also, Array, Object, view};
use crate::syntax::json::{self, Kind, Value, next_element, next_member};
use crate::syntax::text::Text;

use super::{InterfaceObject, Top, check};

view! {
    /// A security scheme: the object of OpenAPI, or the object of 1.0, which contains the scheme in
    /// a member named after its kind.
    pub struct SchemeObject at "4.5" then scheme {
        /// `type`.
        kind: Text<'a> = b"type" [If(is_flat, &Need), If(is_flat, &Then(kind))],
        /// `description`.
        description: Text<'a> = b"description",
        /// `name` of the header, query parameter or cookie.
        name: Text<'a> = b"name" [If(is::<KEY>, &At("4.5.2", &Need))],
        /// `in` of 0.2 and 0.3: `query`, `header` or `cookie`.
        location: Text<'a> = b"in" [If(is_flat, &If(is::<KEY>, &At("4.5.2", &Need)))],
        /// `location` of 1.0, the same as `in`.
        new_location: Text<'a> = b"location" [If(within::<IN_KEY>, &At("4.5.2", &Need))],
        /// `scheme` of HTTP authentication.
        scheme: Text<'a> = b"scheme" [If(is::<HTTP>, &At("4.5.3", &Need))],
        /// `bearerFormat`.
        bearer_format: Also<Text<'a>> = b"bearerFormat" | b"bearer_format",
        /// `flows` of OAuth 2. They are kept as metadata, because the model shows only one of them.
        flows: Also<Object<'a>> = b"flows" [If(is::<OAUTH2>, &At("4.5.4", &Need)), If(is::<OAUTH2>, &Inside(FlowsObject::RULES))],
        /// `openIdConnectUrl`.
        open_id_connect_url: Text<'a> = b"openIdConnectUrl" | b"open_id_connect_url" [If(is::<OPEN_ID>, &At("4.5.5", &Need)), If(is::<OPEN_ID>, &SECURE)],
        /// `oauth2MetadataUrl`.
        oauth2_metadata_url: Text<'a> = b"oauth2MetadataUrl" | b"oauth2_metadata_url" [If(is::<OAUTH2>, &SECURE)],
        /// `apiKeySecurityScheme` of 1.0.
        api_key: Object<'a> = b"apiKeySecurityScheme" | b"api_key_security_scheme" [If(is_first, &Again(Nest::One))],
        /// `httpAuthSecurityScheme` of 1.0.
        http: Object<'a> = b"httpAuthSecurityScheme" | b"http_auth_security_scheme" [If(is_first, &Again(Nest::One))],
        /// `oauth2SecurityScheme` of 1.0.
        oauth2: Object<'a> = b"oauth2SecurityScheme" | b"oauth2_security_scheme" [If(is_first, &Again(Nest::One))],
        /// `openIdConnectSecurityScheme` of 1.0.
        open_id_connect: Object<'a> = b"openIdConnectSecurityScheme" | b"open_id_connect_security_scheme" [If(is_first, &Again(Nest::One))],
        /// `mtlsSecurityScheme` of 1.0.
        mutual_tls: Object<'a> = b"mtlsSecurityScheme" | b"mtls_security_scheme" [If(is_first, &Again(Nest::One))],
    }

    /// The flows of OAuth 2.
    pub struct FlowsObject at "4.5.7" then flows {
        /// `authorizationCode`.
        authorization_code: Object<'a> = b"authorizationCode" | b"authorization_code" [Inside(FlowObject::RULES)],
        /// `clientCredentials`.
        client_credentials: Object<'a> = b"clientCredentials" | b"client_credentials" [Inside(FlowObject::RULES)],
        /// `deviceCode` of 1.0.
        device_code: Object<'a> = b"deviceCode" | b"device_code" [Inside(FlowObject::RULES)],
        /// `implicit`, deprecated.
        implicit: Object<'a> = b"implicit" [Inside(FlowObject::RULES), In(New, &Gone(OLDER, "authorizationCode"))],
        /// `password`, deprecated.
        password: Object<'a> = b"password" [Inside(FlowObject::RULES), In(New, &Gone(OLDER, "authorizationCode"))],
    }

    /// A flow of OAuth 2.
    pub struct FlowObject at "4.5.7" {
        /// `authorizationUrl`.
        authorization_url: Text<'a> = b"authorizationUrl" | b"authorization_url" [If(within::<WITH_PAGE>, &Need), SECURE],
        /// `tokenUrl`.
        token_url: Text<'a> = b"tokenUrl" | b"token_url" [If(within::<WITH_TOKEN>, &Need), SECURE],
        /// `deviceAuthorizationUrl` of 1.0.
        device_authorization_url: Text<'a> = b"deviceAuthorizationUrl" | b"device_authorization_url" [If(within::<WITH_DEVICE>, &Need), SECURE],
        /// `refreshUrl`.
        refresh_url: Text<'a> = b"refreshUrl" | b"refresh_url" [SECURE],
        /// `scopes`: from scope to description.
        scopes: Object<'a> = b"scopes" [Need, ThenValue(descriptions)],
        /// `pkceRequired` of 1.0.
        pkce_required: bool = b"pkceRequired" | b"pkce_required",
    }

    /// `authentication` of the first drafts.
    pub struct AuthenticationObject at "" {
        /// `schemes`, required: names such as `Bearer`.
        schemes: TextsOrOne<'a> = b"schemes",
        /// `credentials`, which public cards must not have.
        credentials: Text<'a> = b"credentials" [Report(CREDENTIAL)],
    }
}

const REQUIREMENTS: u32 = Top::security_requirements;
const SECURITY: u32 = Top::security;
const AUTHENTICATION: u32 = Top::authentication;

/// The kinds of security schemes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SchemeKind {
    ApiKey,
    Http,
    OAuth2,
    OpenIdConnect,
    MutualTls,
}

/// The kinds with their `type` in 0.2 and 0.3, and their member in 1.0.
pub(crate) const KINDS: [(SchemeKind, &str, &str); 5] = [
    (SchemeKind::ApiKey, "apiKey", "apiKeySecurityScheme"),
    (SchemeKind::Http, "http", "httpAuthSecurityScheme"),
    (SchemeKind::OAuth2, "oauth2", "oauth2SecurityScheme"),
    (SchemeKind::OpenIdConnect, "openIdConnect", "openIdConnectSecurityScheme"),
    (SchemeKind::MutualTls, "mutualTLS", "mtlsSecurityScheme"),
];

/// A security scheme that was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scheme<'a> {
    /// The object with the members of the scheme: the object of OpenAPI, or the object inside the
    /// member of 1.0.
    pub(crate) members: SchemeObject<'a>,
    pub(crate) kind: Option<SchemeKind>,
    /// The text that states the kind.
    text: Option<Text<'a>>,
    /// The flow of OAuth 2 that the model shows.
    pub(crate) flow: FlowObject<'a>,
}

impl<'a> SchemeObject<'a> {
    /// The members of 1.0 that are present, in the order of [`KINDS`].
    pub(crate) fn wrapped(
        &self,
    ) -> impl Iterator<Item = ((SchemeKind, &'static str, &'static str), Value<'a>)> + use<'a> {
        let wrappers =
            [self.api_key, self.http, self.oauth2, self.open_id_connect, self.mutual_tls];
        KINDS.into_iter().zip(wrappers).filter_map(|(kind, wrapper)| Some((kind, wrapper?.0)))
    }
}

impl<'a> FlowsObject<'a> {
    /// The flows that are present, the preferred one first.
    pub(crate) fn present(&self) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let flows = [
            self.authorization_code,
            self.client_credentials,
            self.device_code,
            self.implicit,
            self.password,
        ];
        flows.into_iter().flatten().map(|Object(flow)| flow)
    }
}

impl<'a> Scheme<'a> {
    pub(crate) fn read(value: Value<'a>) -> Self {
        let object = SchemeObject::read(value);
        let wrapped = object.wrapped().next();
        let (members, kind, text) = match wrapped {
            Some(((kind, _, name), inner)) => {
                (SchemeObject::read(inner), Some(kind), Some(Text::plain(name.as_bytes())))
            }
            None => (object, object.kind.and_then(kind_of), object.kind.or(value.as_text())),
        };
        let flows = members.flows.map(|Also(flows)| flows);
        let flows = FlowsObject::read(or_absent(&flows));
        Self {
            members,
            kind,
            text,
            flow: FlowObject::read(flows.present().next().unwrap_or(Value::ABSENT)),
        }
    }

    /// The kind in the model. A scheme always means authentication, so this is never
    /// `AuthType::None`.
    fn choice(&self) -> Choice<'a, AuthType> {
        let value = match self.kind {
            Some(SchemeKind::ApiKey) => AuthType::ApiKey,
            Some(SchemeKind::OAuth2 | SchemeKind::OpenIdConnect) => AuthType::OAuth2,
            Some(SchemeKind::Http) if self.is_bearer() => AuthType::BearerToken,
            Some(SchemeKind::Http | SchemeKind::MutualTls) => AuthType::Unknown,
            None => self.text.map_or(AuthType::Unknown, named),
        };
        Choice { value, text: self.text }
    }

    fn is_bearer(&self) -> bool {
        { self.members.scheme }.is_some_and(|scheme| scheme.eq_ignore_case("Bearer"))
    }

    fn location(&self) -> Option<Text<'a>> {
        *either(&self.members.location, &self.members.new_location)
    }

    /// The header that carries the credentials, and the text before them.
    pub(crate) fn header_and_prefix(&self) -> (Option<Text<'a>>, Option<Text<'a>>) {
        const AUTHORIZATION: Text<'static> = Text::plain(b"Authorization");
        match self.kind {
            Some(SchemeKind::Http) if self.is_bearer() => {
                (Some(AUTHORIZATION), Some(Text::plain(b"Bearer")))
            }
            Some(SchemeKind::Http) => (Some(AUTHORIZATION), self.members.scheme),
            Some(SchemeKind::ApiKey) => {
                let is_header = |location: Text<'_>| location.eq_ignore_case("header");
                let name = self.members.name.filter(|_| self.location().is_some_and(is_header));
                (name, None)
            }
            _ => (None, None),
        }
    }
}

/// The kind of scheme that a `type` names.
pub(crate) fn kind_of(text: Text<'_>) -> Option<SchemeKind> {
    let named = KINDS.iter().find(|(_, name, _)| text.eq_ignore_case(name));
    named.map(|(kind, ..)| *kind)
}

/// Returns the kind of authentication that a name means; never `AuthType::None`.
fn named(text: Text<'_>) -> AuthType {
    match (kind_of(text), AuthType::of(text)) {
        (Some(SchemeKind::ApiKey), _) => AuthType::ApiKey,
        (Some(SchemeKind::OAuth2 | SchemeKind::OpenIdConnect), _) => AuthType::OAuth2,
        (_, AuthType::None) => AuthType::Unknown,
        (_, kind) => kind,
    }
}

/// Returns the named schemes of a card.
pub(super) fn schemes(object: Option<Object<'_>>) -> List<'_, SecurityScheme<'_>> {
    entries(object, |cursor| cursor.next_entry().map(scheme_of))
}

/// Returns a named scheme for the model.
pub(crate) fn scheme_of(member: json::Member<'_>) -> SecurityScheme<'_> {
    let scheme = Scheme::read(member.value);
    let Scheme { members, flow, .. } = &scheme;
    SecurityScheme {
        name: Some(member.name),
        kind: Some(scheme.choice()),
        description: members.description,
        location: choice::<Location>(&scheme.location()),
        parameter: members.name,
        http_scheme: members.scheme,
        authorization_url: flow.authorization_url,
        token_url: flow.token_url,
        metadata_url: members.open_id_connect_url.or(members.oauth2_metadata_url),
        scopes: entries(flow.scopes, |cursor| {
            next_member(cursor.bytes, &mut cursor.position).map(|scope| scope.name)
        }),
        metadata: scheme_metadata(member.value, members),
        source: member.value.raw(),
        ..SecurityScheme::default()
    }
}

/// Returns the members of a scheme that are kept as metadata: first those of the outer object, then
/// those of the inner object of 1.0.
fn scheme_metadata<'a>(outer: Value<'a>, members: &SchemeObject<'a>) -> Metadata<'a> {
    if members.object.raw().len() == outer.raw().len() {
        return kept::<SchemeObject<'_>>(&members.object, &members.seen);
    }
    let inside = outer.inside(b'{');
    let inner = Span::of(members.object.raw(), inside).start.saturating_add(1);
    List::new(inside, inner, |cursor| {
        cursor.next_of_two(|cursor, _| {
            loop {
                let member = next_member(cursor.bytes, &mut cursor.position)?;
                if stays(member, Lookup::of::<SchemeObject<'_>>()) {
                    return Some(as_metadata(member));
                }
            }
        })
    })
}

const fn as_metadata(member: json::Member<'_>) -> Member<'_> {
    Member { name: member.name, value: Raw::Json(member.value) }
}

/// Whether authentication is needed, from the weakest to the strictest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Need {
    NotStated,
    None,
    Optional,
    Required,
}

/// The result of reading the requirements of a card or a skill.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs<'a> {
    pub(crate) need: Need,
    way: Way<'a>,
    pub(crate) scopes: List<'a, Text<'a>>,
}

/// How to authenticate.
#[derive(Clone, Copy, Debug)]
enum Way<'a> {
    /// Unreadable, or by several schemes together.
    Unknown,
    /// By the scheme with this name.
    Scheme(Text<'a>),
    /// By a name that the first drafts use, such as `Bearer`.
    Named(Text<'a>),
}

impl<'a> Needs<'a> {
    pub(crate) const UNREADABLE: Self =
        Self { need: Need::Required, way: Way::Unknown, scopes: List::empty() };
    /// It is stated that none is needed.
    pub(crate) const NONE: Self = Self::new(true, None, List::empty());

    const fn new(has_empty: bool, way: Option<Way<'a>>, scopes: List<'a, Text<'a>>) -> Self {
        let (need, way) = match (has_empty, way) {
            (false, None) => (Need::NotStated, Way::Unknown),
            (true, None) => (Need::None, Way::Unknown),
            (true, Some(way)) => (Need::Optional, way),
            (false, Some(way)) => (Need::Required, way),
        };
        Self { need, way, scopes }
    }

    /// Reads a list of requirements. A member of the wrong type means that some authentication is
    /// required. Linear in the length of the list.
    pub(crate) fn of(list: Option<Array<'a>>, is_ill_typed: bool) -> Self {
        let Some(Array(array)) = list else {
            return match is_ill_typed {
                true => Self::UNREADABLE,
                false => Self::new(false, None, List::empty()),
            };
        };
        let (mut has_empty, mut way, mut scopes) = (false, None, List::empty());
        for alternative in array.elements().filter(|value| !value.is_null()) {
            let mut schemes = schemes_of(alternative).members();
            match (schemes.next(), schemes.next()) {
                _ if alternative.kind() != Kind::Object || is_of_both_versions(alternative) => {
                    way = way.or(Some(Way::Unknown));
                }
                (None, _) => has_empty = true,
                (Some(one), None) if matches!(way, None | Some(Way::Unknown)) => {
                    way = Some(Way::Scheme(one.name));
                    scopes = scopes_of(one.value);
                }
                _ => way = way.or(Some(Way::Unknown)),
            }
        }
        Self::new(has_empty, way, scopes)
    }

    /// Reads `authentication` of the first drafts: a list of names. If its list is unreadable, some
    /// authentication is required.
    fn of_drafts(authentication: Option<Object<'a>>, is_ill_typed: bool) -> Self {
        let Some(Object(object)) = authentication else {
            return Self::of(None, is_ill_typed);
        };
        let read = AuthenticationObject::read(object);
        let Some(TextsOrOne(names)) = read.schemes else {
            return Self::of(None, object.members().next().is_some());
        };
        let (mut has_none, mut way) = (false, None);
        for name in names {
            if name.eq_ignore_case("none") {
                has_none = true;
            } else {
                way = way.or(Some(Way::Named(name)));
            }
        }
        // If some names are not strings, the list is kept as metadata.
        let mut others = kept::<AuthenticationObject<'_>>(&object, &read.seen);
        if way.is_none() && others.any(|member| member.name == "schemes") {
            way = Some(Way::Unknown);
        }
        Self::new(has_none, way, List::empty())
    }

    /// Returns what a card requires of every caller. If its members disagree, the stricter one
    /// counts.
    pub(crate) fn of_card(top: &Top<'a>) -> Self {
        let is_ill_typed = |field| top.seen.is_ill_typed(field);
        let newest = Self::of(top.security_requirements, is_ill_typed(REQUIREMENTS));
        let newer = Self::of(top.security, is_ill_typed(SECURITY));
        let oldest = Self::of_drafts(top.authentication, is_ill_typed(AUTHENTICATION));
        let stated = Self::stricter(Self::stricter(newest, newer), oldest);
        stated.or_unread(|| has_unread(top))
    }

    /// Returns what an object requires if a member that is not read may mean authentication. Asks
    /// for one, which takes time, only if it can make a difference.
    pub(crate) fn or_unread(self, is_one: impl FnOnce() -> bool) -> Self {
        if self.need < Need::Required && is_one() { Self::UNREADABLE } else { self }
    }

    /// Returns the stricter of two needs, or the first if they are equal.
    pub(super) fn stricter(first: Self, second: Self) -> Self {
        if second.need > first.need { second } else { first }
    }

    /// Returns the name of the needed scheme.
    pub(crate) const fn name(&self) -> Option<Text<'a>> {
        match self.way {
            Way::Scheme(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the needed scheme, if the card declares it. Linear in the schemes.
    pub(super) fn scheme(&self, schemes: Option<Value<'a>>) -> Option<Scheme<'a>> {
        let name = self.name()?;
        let declared = schemes?.members().filter(|member| member.name == name);
        { declared }.last().map(|member| Scheme::read(member.value))
    }

    /// Returns the authentication of the whole service, given the needed scheme, the capabilities
    /// for which it is optional, and the requirements as written.
    pub(crate) fn service_auth(
        &self,
        scheme: &Option<Scheme<'a>>,
        optional_for: List<'a, Text<'a>>,
        metadata: Metadata<'a>,
    ) -> ServiceAuth<'a> {
        let (header, prefix) = scheme.as_ref().map_or((None, None), Scheme::header_and_prefix);
        let flow = scheme.as_ref().map(|scheme| scheme.flow);
        ServiceAuth {
            kind: self.kind(scheme),
            header,
            prefix,
            setup_url: None,
            authorization_url: flow.and_then(|flow| flow.authorization_url),
            token_url: flow.and_then(|flow| flow.token_url),
            refresh_url: flow.and_then(|flow| flow.refresh_url),
            token_expiry: None,
            token_expiry_seconds: None,
            scopes: self.scopes,
            required_for: List::empty(),
            optional_for,
            metadata,
        }
    }

    /// Returns the kind of authentication, given the needed scheme.
    pub(crate) fn kind(&self, scheme: &Option<Scheme<'a>>) -> Choice<'a, AuthType> {
        match (self.need, self.way, scheme) {
            (Need::NotStated | Need::None, ..) => Choice::implied(AuthType::None),
            (_, Way::Named(name), _) => Choice { value: named(name), text: Some(name) },
            (_, _, Some(scheme)) => {
                let Choice { value, text } = scheme.choice();
                // Other code reads the text again, so the text of a required scheme must not mean
                // `none`.
                let text = text.filter(|text| AuthType::of(*text) != AuthType::None);
                Choice { value, text }
            }
            _ => Choice::unreadable(),
        }
    }
}

/// Whether a card or one of its interfaces has a member that means authentication and is not read.
/// Every call passes through an interface.
fn has_unread(top: &Top<'_>) -> bool {
    let is_unread = |value| {
        let interface = InterfaceObject::read(value);
        has_unread_auth::<InterfaceObject<'_>>(&interface.object, &interface.seen)
    };
    let lists = [top.supported_interfaces, top.additional_interfaces];
    let mut interfaces = { lists.into_iter().flatten() }.flat_map(|Objects(list)| list.elements());
    has_unread_auth::<Top<'_>>(&top.object, &top.seen) || interfaces.any(is_unread)
}

/// Weighs requirements ([`Weigh`](crate::syntax::json::names::Weigh)) by what callers need.
pub(super) fn weight(value: Value<'_>) -> u32 {
    let list = (value.kind() == Kind::Array).then_some(Array(value));
    Needs::of(list, list.is_none()).need as u32
}

/// Returns the object with the schemes of an alternative: the alternative itself, or in 1.0 its
/// `schemes`.
pub(crate) fn schemes_of(alternative: Value<'_>) -> Value<'_> {
    let inner = alternative.get("schemes");
    inner.filter(|inner| inner.kind() == Kind::Object).unwrap_or(alternative)
}

/// Whether an alternative may name schemes in the way of 1.0 and in that of older versions, so that
/// it is not known which of them are needed.
fn is_of_both_versions(alternative: Value<'_>) -> bool {
    let inner = alternative.get("schemes");
    let Some(inner) = inner.filter(|inner| inner.kind() == Kind::Object) else {
        return false;
    };
    let is_empty = inner.members().next().is_none();
    alternative.members().any(|member| {
        let is_scheme = is_empty || member.value.kind() == Kind::Array;
        member.name != "schemes" && !member.value.is_null() && is_scheme
    })
}

/// Returns the scopes of a requirement: a list, or in 1.0 the `list` of an object.
fn scopes_of(value: Value<'_>) -> List<'_, Text<'_>> {
    let list = match value.kind() {
        Kind::Object => value.get("list"),
        _ => Some(value),
    };
    let list = list.filter(|list| list.kind() == Kind::Array);
    list.map_or_else(List::empty, Texts::of)
}

/// Returns the authentication of the whole service.
pub(super) fn service_auth<'a>(top: &Top<'a>) -> Option<ServiceAuth<'a>> {
    let needs = Needs::of_card(top);
    if needs.need == Need::NotStated {
        return None;
    }
    let scheme = needs.scheme(top.security_schemes.map(|Object(schemes)| schemes));
    let optional_for = match needs.need {
        Need::Optional => Objects::list(top.skills, next_skill_id),
        _ => List::empty(),
    };
    Some(needs.service_auth(&scheme, optional_for, requirements_of(top)))
}

/// Returns the id of the next skill that states no requirements, or only optional ones.
fn next_skill_id<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    loop {
        let skill = super::SkillObject::read(next_element(cursor.bytes, &mut cursor.position)?);
        if super::skill_needs(&skill).need <= Need::Optional && skill.id.is_some() {
            return skill.id;
        }
    }
}

/// The requirements of a card as written. The search ends behind the last of them.
fn requirements_of<'a>(top: &Top<'a>) -> Metadata<'a> {
    let inside = top.object.inside(b'{');
    let is_ill_typed = |field| top.seen.is_ill_typed(field);
    if [REQUIREMENTS, SECURITY, AUTHENTICATION].into_iter().any(is_ill_typed) {
        return requirements_in(inside);
    }
    let lists = [top.security_requirements, top.security].map(|list| list.map(|Array(list)| list));
    let drafts = top.authentication.map(|Object(object)| object);
    let ends = lists.into_iter().chain([drafts]).flatten();
    let end = ends.map(|value| Span::of(value.raw(), inside).end).max();
    requirements_in(inside.get(..end.unwrap_or_default() as usize).unwrap_or_default())
}

/// Returns the requirements in the content of an object, as written.
pub(crate) fn requirements_in(inside: &[u8]) -> Metadata<'_> {
    List::new(inside, 0, |cursor| {
        loop {
            let member = next_member(cursor.bytes, &mut cursor.position)?;
            let names =
                ["security", "securityRequirements", "security_requirements", "authentication"];
            if names.iter().any(|name| member.name == **name) {
                return Some(as_metadata(member));
            }
        }
    })
}

states!(Need: NotStated, None, Optional, Required);
states!(AuthType: Unknown, None, ApiKey, BearerToken, OAuth2, Hmac);

states! {
    /// The authentication of the card, which is the state of the list of skills.
    pub(super) struct CardAuth {
        /// The byte offset of the schemes. If the caller raises the limit of the document length, the
        /// offset may not fit; then the schemes of the skills are unknown.
        schemes: u32[26],
        pub(super) need: Need,
        kind: AuthType,
    }
}

impl CardAuth {
    pub(super) fn of(top: &Top<'_>) -> Self {
        let needs = Needs::of_card(top);
        let schemes = top.security_schemes.map(|Object(schemes)| schemes);
        let start = schemes
            .filter(|schemes| schemes.raw().len() <= Self::MOST)
            .map_or(0, |schemes| Span::of(schemes.raw(), top.object.raw()).start);
        let kind = needs.kind(&needs.scheme(schemes)).value;
        Self { need: needs.need, kind, schemes: start }
    }

    /// The maximum length of `securitySchemes` in bytes that is searched for each skill with
    /// requirements of its own. If it is longer, the kinds of these skills are unknown. The limit
    /// keeps reading linear.
    const MOST: usize = 8 << 10;

    /// The kind of authentication of every interface. `None` if it is optional or not stated.
    pub(super) fn kind_of_interfaces(self) -> Option<AuthType> {
        let is_stated = matches!(self.need, Need::None | Need::Required);
        is_stated.then_some(self.kind)
    }

    /// The schemes in the document. `None` if there are none, or if they exceed a limit.
    pub(super) fn schemes(self, document: &[u8]) -> Option<Value<'_>> {
        let start = (self.schemes != 0).then_some(self.schemes)?;
        next_element(document, &mut { start })
    }

    /// The authentication of a skill that states none. It has only the kind; the document has the
    /// details.
    pub(super) fn auth<'a>(self) -> Option<CapabilityAuth<'a>> {
        (self.need > Need::None).then(|| CapabilityAuth {
            kind: Choice::implied(self.kind),
            token_url: None,
            docs_url: None,
            scopes: List::empty(),
            metadata: List::empty(),
            source: b"",
        })
    }
}
