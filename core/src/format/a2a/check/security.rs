//! The check of security schemes and requirements.

use super::*;
use crate::format::a2a::security::{
    self, FlowsObject, KINDS, Needs, SchemeObject, kind_of, schemes_of,
};
use crate::rules::credentials;
use crate::rules::json::reading::{Objects, or_absent};
use crate::rules::names::Names;
use crate::syntax::json::view::{Also, Array};

says! {
    NO_SCHEMES: MissingRecommendedField "13.3", "the card offers an extended card for callers that authenticate, but {} is missing; add how they do that";
    NOT_REQUIRED: MissingRecommendedField "4.5", "schemes are declared, but {} is missing, so the card requires none of them; add it";
    SEVERAL_KINDS: InvalidValue "4.5.1", "the scheme {} has several kinds, of which the first one of the specification is read; write one";
    NO_KIND: InvalidValue, "{} is not a kind of security scheme; write `apiKey`, `http`, `oauth2`, `openIdConnect` or `mutualTLS`";
    NO_FLOW: EmptyValue, "there is no flow; add one, for example `authorizationCode`";
    SEVERAL_FLOWS: InvalidValue, "there are several flows; A2A 1.0 has one in each scheme";
    CREDENTIAL: CredentialInDocument, credentials::MESSAGE;
    NESTED: NonstandardShape "4.5", "the schemes of a requirement are in `schemes`, as A2A 1.0 writes them; they are read anyway, but write them directly into the object";
    FLAT: NonstandardShape "4.5", "the schemes of a requirement are not in `schemes`; they are read anyway, but write `{\"schemes\": …}`";
    UNKNOWN: UnknownField "4.5", "the specification does not define {} here; it is kept as metadata";
    UNDECLARED: UnknownReference Error "4.5", "{} is not a declared security scheme, so callers cannot authenticate; declare it, or correct the name";
    NO_DESCRIPTION: WrongType "4.5.7", "the description of the scope {} must be a string; it is kept as written";
    NO_LIST: WrongType "4.5", wrong_type(Shape::Array);
}

pub(crate) const SECURE: Rule = At("4.5", &Url(Secure::Http));
/// The flows of OAuth 2 that use a page, a token URL and a device URL.
pub(crate) const WITH_PAGE: u32 = 1 << FlowsObject::authorization_code | 1 << FlowsObject::implicit;
pub(crate) const WITH_TOKEN: u32 = !(1 << FlowsObject::implicit);
pub(crate) const WITH_DEVICE: u32 = 1 << FlowsObject::device_code;
/// The kinds of schemes, by the fields in which 1.0 writes them.
pub(crate) const KEY: u32 = SchemeObject::api_key;
pub(crate) const IN_KEY: u32 = 1 << KEY;
pub(crate) const HTTP: u32 = SchemeObject::http;
pub(crate) const OAUTH2: u32 = SchemeObject::oauth2;
pub(crate) const OPEN_ID: u32 = SchemeObject::open_id_connect;

/// Returns the field in which 1.0 writes the schemes of a `type`.
fn field_of(text: Text<'_>) -> Option<u32> {
    let kind = kind_of(text)?;
    (KEY..).zip(KINDS).find_map(|(field, (known, ..))| (known == kind).then_some(field))
}

/// Whether a scheme has the kind that 1.0 writes in the field `KIND`.
pub(crate) fn is<const KIND: u32>(row: &Row<'_, '_>) -> bool {
    match row.from {
        From::Field(field) => field == KIND,
        _ => is_flat(row) && row.text_of(SchemeObject::kind).and_then(field_of) == Some(KIND),
    }
}

/// Returns the first field in which 1.0 writes a scheme that is present.
fn wrapper(row: &Row<'_, '_>) -> Option<u32> {
    let kind_at = |field| row.value_of(field).map(Value::kind);
    (KEY..=SchemeObject::mutual_tls).find(|field| kind_at(*field) == Some(Kind::Object))
}

/// Whether the kind is in the member `type`.
pub(crate) fn is_flat(row: &Row<'_, '_>) -> bool {
    matches!(row.from, From::Name(_)) && wrapper(row).is_none()
}

/// Whether a scheme is in this field, and in no other one before it.
pub(crate) fn is_first(row: &Row<'_, '_>) -> bool {
    wrapper(row) == Some(row.field)
}

/// Checks `type`, which 1.0 replaces by a member for each kind.
pub(crate) fn kind<'a>(text: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    match field_of(text) {
        None => check.say(NO_KIND, text, row),
        Some(field) if check.profile == New => check.gone(OLDER, row.name_of(field), row),
        Some(_) => {}
    }
}

pub(crate) fn scheme<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let scheme: SchemeObject<'a> = row.view();
    let (mut first, mut second) = (scheme.new_location, scheme.location);
    if let From::Name(name) = row.from {
        (first, second) = (second, first);
        if scheme.wrapped().nth(1).is_some() {
            check.say(SEVERAL_KINDS, name, row);
        }
    }
    if is::<KEY>(row) {
        let message = "{} is not where a key is sent; write `query`, `header` or `cookie`";
        let places = ["query", "header", "cookie"];
        check.one_of(first.or(second), &places, Case::Exact, "4.5.2", message);
    }
}

pub(crate) fn flows<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    match row.view::<FlowsObject<'_>>().present().count() {
        0 => check.say_at(NO_FLOW, row.object, row),
        2.. if check.profile == New => check.say_at(SEVERAL_FLOWS, row.object, row),
        _ => {}
    }
}

/// Checks the descriptions of scopes, which are texts.
pub(crate) fn descriptions<'a>(
    scopes: Value<'a>,
    row: &Row<'_, 'a>,
    check: &mut Check<'_, '_, 'a>,
) {
    for scope in scopes.members().filter(|scope| scope.value.kind() != Kind::String) {
        check.say_member(NO_DESCRIPTION, scope, row.section);
    }
}

/// Checks what a card and its skills require.
pub(super) fn security<'a>(top: &Top<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let schemes = or_absent(&top.security_schemes);
    let has_schemes = schemes.members().next().is_some();
    let extended = FeaturesObject::read(or_absent(&top.capabilities)).extended_agent_card;
    let is_extended = matches!(extended, Some(Also(true)));
    if !has_schemes && (is_extended || top.supports_extended_card == Some(true)) {
        check.without(NO_SCHEMES, "securitySchemes", row);
    }
    if has_schemes && Needs::of_card(top).need == security::Need::NotStated {
        let name = match check.profile {
            New => "securityRequirements",
            Old => "security",
        };
        check.without(NOT_REQUIRED, name, row);
    }
    // A scheme that is `null` is not declared.
    let declared = schemes.members().filter(|member| !member.value.is_null());
    check.with_names(declared.map(|member| member.name), |names, check| {
        let skills = top.skills.map_or(Value::ABSENT, |Objects(skills)| skills);
        let skills = skills.elements().map(SkillObject::read);
        let skills = skills.map(|skill| (skill.security_requirements, skill.security));
        let own = (top.security_requirements, top.security);
        for (new, old) in core::iter::once(own).chain(skills) {
            requirements(new, false, names, row, check);
            requirements(old, true, names, row, check);
        }
    });
}

/// Checks a list of requirements, whose names must be declared schemes.
fn requirements<'a>(
    list: Option<Array<'a>>,
    is_old: bool,
    names: &Names<'_, 'a>,
    row: &Row<'_, 'a>,
    check: &mut Check<'_, '_, 'a>,
) {
    let Some(Array(list)) = list else { return };
    check.objects(list, "4.5", |alternative, check| {
        let schemes = schemes_of(alternative);
        let is_flat = schemes.raw().len() == alternative.raw().len();
        if is_flat != is_old && alternative.members().next().is_some() {
            let say = if is_old { NESTED } else { FLAT };
            check.say_at(say, alternative, row);
        }
        let others = alternative.members().filter(|member| !is_flat && member.name != "schemes");
        others.for_each(|member| check.say(UNKNOWN, member.name, row));
        for scheme in schemes.members() {
            let others = scheme.value.members().filter(|member| member.name != "list");
            others.for_each(|member| check.say(UNKNOWN, member.name, row));
            if !scheme.name.is_empty() && !names.contains(scheme.name) {
                check.say(UNDECLARED, scheme.name, row);
            }
            let scopes = match scheme.value.kind() {
                Kind::Object => scheme.value.get("list"),
                _ => Some(scheme.value),
            };
            match scopes.filter(|scopes| !scopes.is_null()) {
                Some(scopes) if scopes.kind() == Kind::Array => check.texts(scopes, "4.5"),
                Some(_) => check.say(NO_LIST, scheme.name, row),
                None => {}
            }
        }
    });
}
