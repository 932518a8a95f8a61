//! The authentication that a card declares, in all shapes that occur in published cards.

use super::check;
use crate::model::list::Cursor;
use crate::model::{
    AuthType, CapabilityAuth, Choice, Enumeration, List, Location, Parameter, Raw, SecurityScheme,
    ServiceAuth,
};
use crate::rules::json::reading::{Texts, are_all, content_start, kept, next_text, texts};
use crate::syntax::json::record::counted;
use crate::syntax::json::view::{Also, Read, Shape, view};
use crate::syntax::json::{Holds, Kind, Value, next_element};
use crate::syntax::text::Text;

view! {
    /// The authentication of a server, or one of its schemes.
    pub struct AuthObject at "" welcomes Anything {
        /// `required`: whether every caller must authenticate.
        required: Also<bool> = b"required",
        /// `type`.
        kind: Text<'a> = b"type" | b"scheme" | b"method" => names_some,
        /// `schemes`: strings or objects.
        schemes: Schemes<'a> = b"schemes" | b"methods" => weight_of_list [Among(SchemeObject::RULES)],
        /// The request header that carries a key.
        header: Text<'a> = b"header" | b"headerName",
        /// The text before the key.
        prefix: Text<'a> = b"prefix",
        /// The URL where people get a key.
        setup_url: Text<'a> = b"setup_url" | b"setupUrl" | b"signupUrl",
        /// The authorization endpoint of OAuth 2.
        authorization_url: Text<'a> = b"authorizationUrl" | b"authorization_url"
            | b"authorizationEndpoint" | b"authorization_endpoint",
        /// The token endpoint of OAuth 2.
        token_url: Text<'a> = b"tokenUrl" | b"token_url" | b"tokenEndpoint" | b"token_endpoint",
        /// The scopes of OAuth 2.
        scopes: Texts<'a> = b"scopes",
        /// The tools that need authentication.
        required_for: Texts<'a> = b"authenticated_tools" | b"required_for"
            => names_more,
    }

    /// A scheme in a list.
    pub struct SchemeObject at "" welcomes Anything {
        /// The name.
        name: Text<'a> = b"name" | b"id",
        /// The type.
        kind: Text<'a> = b"type" | b"scheme" | b"method" => names_some,
        /// The description.
        description: Text<'a> = b"description",
        /// The header.
        header: Text<'a> = b"header" | b"headerName",
        /// The authorization endpoint of OAuth 2.
        authorization_url: Text<'a> = b"authorizationUrl" | b"authorization_url",
        /// The token endpoint of OAuth 2.
        token_url: Text<'a> = b"tokenUrl" | b"token_url",
        /// The scopes of OAuth 2.
        scopes: Texts<'a> = b"scopes",
    }
}

/// A list of schemes.
#[derive(Clone, Copy, Debug)]
pub struct Schemes<'a>(pub Value<'a>);

impl<'a> Read<'a> for Schemes<'a> {
    const SHAPE: Shape = Shape::Array;

    const KEPT: bool = true;
    const WHOLE: Holds = Holds::TEXTS_OR_OBJECTS;

    fn read(value: Value<'a>) -> Option<Self> {
        (value.kind() == Kind::Array).then_some(Self(value))
    }

    fn keeps(value: Value<'a>) -> bool {
        !are_all(value, Kind::String) && !are_all(value, Kind::Object)
    }
}

/// Other names for types of authentication.
const KINDS: [(&str, AuthType); 6] = [
    ("noauth", AuthType::None),
    ("no-auth", AuthType::None),
    ("apikey", AuthType::ApiKey),
    ("oauth", AuthType::OAuth2),
    ("oauth2.1", AuthType::OAuth2),
    ("oauth-2.1", AuthType::OAuth2),
];

fn named(text: Text<'_>) -> Choice<'_, AuthType> {
    let further = KINDS.iter().find(|(name, _)| text.eq_ignore_case(name));
    Choice {
        value: further.map_or_else(|| AuthType::of(text), |(_, kind)| *kind),
        text: Some(text),
    }
}

/// Weighs what values declare ([`Weigh`](crate::syntax::json::names::Weigh)): no authentication, an
/// optional one, one that callers need.
///
/// INVARIANT: nothing that weighs reads a view; see [`counted`].
pub(super) fn weight(value: Value<'_>) -> u32 {
    match kind(value).value {
        AuthType::None => 0,
        _ if is_optional(value) => 1,
        _ => 2,
    }
}

/// Weighs lists of schemes.
fn weight_of_list(value: Value<'_>) -> u32 {
    match Schemes::read(value).and_then(|Schemes(list)| first(list)) {
        Some(none) if none.value == AuthType::None => 0,
        _ => 2,
    }
}

/// Weighs lists of tools that need authentication by their length.
fn names_more(value: Value<'_>) -> u32 {
    value.elements().count() as u32
}

/// Weighs types. `http` is not a type of its own: in OpenAPI, `scheme` says which.
fn names_some(value: Value<'_>) -> u32 {
    match value.as_text() {
        Some(text) if named(text).value == AuthType::None => 0,
        Some(text) if text.eq_ignore_case("http") => 1,
        _ => 2,
    }
}

/// Returns the type of authentication that a value declares. An unreadable value means some
/// authentication, never none.
pub(super) fn kind(value: Value<'_>) -> Choice<'_, AuthType> {
    match value.kind() {
        Kind::String => value.as_text().map_or(Choice::unreadable(), named),
        Kind::Bool if value.as_bool() == Some(false) => Choice::implied(AuthType::None),
        Kind::Array => first(value).unwrap_or(Choice::unreadable()),
        Kind::Object => kind_of(value),
        _ => Choice::unreadable(),
    }
}

fn kind_of(object: Value<'_>) -> Choice<'_, AuthType> {
    let listed = || {
        let list = counted::<AuthObject<'_>>(object, AuthObject::schemes, weight_of_list);
        list.and_then(Schemes::read).and_then(|Schemes(list)| first(list))
    };
    let stated = counted::<AuthObject<'_>>(object, AuthObject::kind, names_some);
    let stated = stated.and_then(|kind| kind.as_text()).map(named);
    match (stated.or_else(listed), required(object)) {
        (Some(none), Some(true)) if none.value == AuthType::None => Choice::unreadable(),
        (Some(kind), _) => kind,
        (None, Some(false)) => Choice::implied(AuthType::None),
        (None, _) => Choice::unreadable(),
    }
}

/// Returns the first of several types that is not `none`, otherwise the first type.
fn first(list: Value<'_>) -> Option<Choice<'_, AuthType>> {
    let kinds = || {
        list.elements().map(|scheme| {
            let kind = counted::<SchemeObject<'_>>(scheme, SchemeObject::kind, names_some);
            let kind = kind.unwrap_or(scheme);
            kind.as_text().map_or(Choice::unreadable(), named)
        })
    };
    let some = kinds().find(|kind| kind.value != AuthType::None);
    some.or_else(|| kinds().next())
}

/// Whether callers must authenticate, as an object states.
fn required(object: Value<'_>) -> Option<bool> {
    let value = counted::<AuthObject<'_>>(object, AuthObject::required, |_| 0);
    value.and_then(|value| value.as_bool())
}

/// Whether authentication is optional for callers.
pub(crate) fn is_optional(value: Value<'_>) -> bool {
    required(value) == Some(false)
}

/// Returns the authentication of the whole service.
pub(super) fn of_service(value: Value<'_>) -> ServiceAuth<'_> {
    let auth = AuthObject::read(value);
    ServiceAuth {
        kind: kind(value),
        header: auth.header,
        prefix: auth.prefix,
        setup_url: auth.setup_url,
        authorization_url: auth.authorization_url,
        token_url: auth.token_url,
        refresh_url: None,
        token_expiry: None,
        token_expiry_seconds: None,
        scopes: texts(auth.scopes),
        required_for: required_for(&auth),
        optional_for: List::empty(),
        metadata: kept::<AuthObject<'_>>(&auth.object, &auth.seen),
    }
}

/// Returns the tools that need authentication: those of both lists, if there are two.
fn required_for<'a>(auth: &AuthObject<'a>) -> List<'a, Text<'a>> {
    let lists = ["authenticated_tools", "required_for"].map(|name| auth.object.get(name));
    match lists.map(|list| list.filter(|list| list.kind() == Kind::Array)) {
        [Some(first), Some(second)] => {
            let bytes = auth.object.raw();
            let [first, second] = [first, second].map(|list| content_start(list, bytes));
            let next = |cursor: &mut Cursor<'a>| cursor.next_of_two(|cursor, _| next_text(cursor));
            List::new(bytes, second, next).from(first)
        }
        _ => texts(auth.required_for),
    }
}

/// Returns the schemes in a declaration of authentication.
pub(super) fn schemes(value: Value<'_>) -> List<'_, SecurityScheme<'_>> {
    let list = match value.kind() {
        Kind::Array => Some(value),
        _ => AuthObject::read(value).schemes.map(|Schemes(list)| list),
    };
    list.map_or_else(List::empty, |list| {
        List::new(list.inside(b'['), 0, |cursor| {
            loop {
                let scheme = next_element(cursor.bytes, &mut cursor.position)?;
                if matches!(scheme.kind(), Kind::String | Kind::Object) {
                    return Some(scheme_of(scheme));
                }
            }
        })
    })
}

fn scheme_of(value: Value<'_>) -> SecurityScheme<'_> {
    let scheme = SchemeObject::read(value);
    let kind = scheme.kind.or(value.as_text());
    SecurityScheme {
        name: scheme.name.or(kind),
        kind: kind.map(named),
        description: scheme.description,
        location: scheme.header.map(|_| Choice::implied(Location::Header)),
        parameter: scheme.header,
        authorization_url: scheme.authorization_url,
        token_url: scheme.token_url,
        scopes: texts(scheme.scopes),
        metadata: kept::<SchemeObject<'_>>(&scheme.object, &scheme.seen),
        source: value.raw(),
        ..SecurityScheme::default()
    }
}

/// Returns the authentication of a tool.
pub(super) fn of_tool(value: Value<'_>) -> CapabilityAuth<'_> {
    // If there are several schemes, the first one that is not `none` counts.
    let is_some = |scheme: &Value<'_>| kind(*scheme).value != AuthType::None;
    let scheme = value.elements().find(is_some);
    let auth = AuthObject::read(scheme.unwrap_or(value));
    CapabilityAuth {
        kind: kind(value),
        token_url: auth.token_url,
        docs_url: None,
        scopes: texts(auth.scopes),
        metadata: kept::<AuthObject<'_>>(&auth.object, &auth.seen),
        source: value.raw(),
    }
}

/// The header that carries the credentials of a caller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credential<'a> {
    pub(crate) header: Text<'a>,
    pub(crate) kind: Choice<'a, AuthType>,
    pub(crate) is_required: bool,
}

/// Finds the header that carries the credentials of a caller among the parameters of a server: a
/// header that is declared secret, or `Authorization`.
pub(crate) fn credential<'a>(parameters: List<'a, Parameter<'a>>) -> Option<Credential<'a>> {
    { parameters }
        .filter(|parameter| {
            parameter.location.is_some_and(|location| location.value == Location::Header)
        })
        .find_map(|parameter| {
            let header = parameter.name?;
            let is_authorization = header.eq_ignore_case("Authorization");
            if !is_authorization && parameter.secret != Some(true) {
                return None;
            }
            let has_bearer = match parameter.default {
                Some(Raw::Json(value)) => {
                    value.as_text().is_some_and(|text| text.starts_with_ignore_case("Bearer "))
                }
                _ => false,
            };
            let kind = match (is_authorization, has_bearer) {
                (true, true) => Choice::implied(AuthType::BearerToken),
                (true, false) => Choice::unreadable(),
                (false, _) => Choice::implied(AuthType::ApiKey),
            };
            Some(Credential { header, kind, is_required: parameter.required != Some(false) })
        })
}
