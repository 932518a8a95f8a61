//! The check of security schemes and requirements.

use super::{replaced, secure};
use crate::diagnostic::{Code, Severity};
use crate::format::a2a::security::{
    AuthenticationObject, FlowObject, FlowsObject, KINDS, Need, Needs, SchemeKind, SchemeObject,
    kind_of, schemes_of,
};
use crate::format::a2a::{FeaturesObject, SkillObject, Top};
use crate::rules::credentials;
use crate::rules::json::reading::Objects;
use crate::rules::json::{Check, members, span_of, wrong_type};
use crate::rules::names::Names;
use crate::syntax::json::view::{Also, Array, Object, Shape};
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;

/// Checks the schemes and requirements of a card, and the requirements of its skills.
pub(super) fn check<'a>(
    top: &Top<'a>,
    is_old: bool,
    check: &mut Check<'_, '_, 'a>,
    scratch: &mut [u32],
) {
    check.repeated(top.security_schemes, scratch);
    let schemes = top.security_schemes.map(|Object(schemes)| schemes);
    let schemes = schemes.unwrap_or(Value::ABSENT);
    for member in schemes.members() {
        if check.report.is_full() {
            return;
        }
        match member.value.kind() {
            Kind::Object => scheme(member.name, member.value, is_old, check),
            Kind::Null => {}
            _ => check.about(Code::WrongType, member.name, "4.5", wrong_type(Shape::Object)),
        }
    }
    if let Some(Object(authentication)) = top.authentication {
        let drafts = members::<AuthenticationObject<'_>>(authentication, check, "").view();
        if let Some(text) = drafts.credentials.filter(|text| !text.is_blank()) {
            let span = crate::rules::json::quoted(text, check.bytes);
            check.add(Code::CredentialInDocument, span, "", credentials::MESSAGE);
        }
    }
    required(top, schemes, is_old, check);
    let names = schemes.members().map(|member| member.name);
    let Some(names) = check.sorted(names, scratch) else {
        return;
    };
    requirements(top.security_requirements, false, &names, check);
    requirements(top.security, true, &names, check);
    let Some(Objects(skills)) = top.skills else {
        return;
    };
    for skill in skills.elements().map(SkillObject::read) {
        requirements(skill.security_requirements, false, &names, check);
        requirements(skill.security, true, &names, check);
    }
}

/// Reports schemes that nothing requires, and an extended card without schemes.
fn required<'a>(top: &Top<'a>, schemes: Value<'a>, is_old: bool, check: &mut Check<'_, '_, 'a>) {
    let has_schemes = schemes.members().next().is_some();
    let features = top.capabilities.map(|Object(object)| FeaturesObject::read(object));
    let extended = features.and_then(|features| features.extended_agent_card);
    if !has_schemes
        && (matches!(extended, Some(Also(true))) || top.supports_extended_card == Some(true))
    {
        let message = "the card offers an extended card for callers that authenticate, but {} is missing; add how they do that";
        let (code, severity) = (Code::MissingRecommendedField, Severity::Warning);
        check.lacks(code, severity, "securitySchemes", top.object, "13.3", message);
    }
    if has_schemes && Needs::of_card(top).need == Need::NotStated {
        let name = if is_old { "security" } else { "securityRequirements" };
        let message =
            "schemes are declared, but {} is missing, so the card requires none of them; add it";
        let (code, severity) = (Code::MissingRecommendedField, Severity::Warning);
        check.lacks(code, severity, name, top.object, "4.5", message);
    }
}

fn scheme<'a>(name: Text<'a>, object: Value<'a>, is_old: bool, check: &mut Check<'_, '_, 'a>) {
    let outer = members::<SchemeObject<'_>>(object, check, "4.5").view();
    let mut wrapped = outer.wrapped();
    let Some(((kind, ..), inner)) = wrapped.next() else {
        return described(object, &outer, is_old, check);
    };
    if wrapped.next().is_some() {
        let message = "the scheme {} has several kinds, of which the first one of the specification is read; write one";
        check.about(Code::InvalidValue, name, "4.5.1", message);
    }
    let inner = members::<SchemeObject<'_>>(inner, check, "4.5").view();
    let location = ("location", inner.new_location.or(inner.location));
    of_kind(kind, location, &inner, is_old, check);
}

/// Checks a scheme in the form of OpenAPI.
fn described<'a>(
    object: Value<'a>,
    scheme: &SchemeObject<'a>,
    is_old: bool,
    check: &mut Check<'_, '_, 'a>,
) {
    let text =
        check.need_text::<SchemeObject<'_>>(object, &scheme.seen, "type", scheme.kind, "4.5");
    let Some(text) = text else { return };
    let Some(kind) = kind_of(text) else {
        let message = "{} is not a kind of security scheme; write `apiKey`, `http`, `oauth2`, `openIdConnect` or `mutualTLS`";
        return check.about(Code::InvalidValue, text, "4.5", message);
    };
    if !is_old {
        let new = KINDS.iter().find(|(known, ..)| *known == kind);
        replaced(object, &[("type", new.map_or("", |(.., new)| new))], check);
    }
    let location = ("in", scheme.location.or(scheme.new_location));
    of_kind(kind, location, scheme, is_old, check);
}

/// Checks what a scheme of a kind needs.
fn of_kind<'a>(
    kind: SchemeKind,
    (place, location): (&'static str, Option<Text<'a>>),
    scheme: &SchemeObject<'a>,
    is_old: bool,
    check: &mut Check<'_, '_, 'a>,
) {
    let (object, seen) = (scheme.object, &scheme.seen);
    match kind {
        SchemeKind::ApiKey => {
            check.need_text::<SchemeObject<'_>>(object, seen, "name", scheme.name, "4.5.2");
            check.need_text::<SchemeObject<'_>>(object, seen, place, location, "4.5.2");
            let places = ["query", "header", "cookie"];
            let is_known = |text: Text<'_>| places.iter().any(|place| text == **place);
            if let Some(text) = location.filter(|text| !text.is_blank() && !is_known(*text)) {
                let message = "{} is not where a key is sent; write `query`, `header` or `cookie`";
                check.about(Code::InvalidValue, text, "4.5.2", message);
            }
        }
        SchemeKind::Http => {
            check.need_text::<SchemeObject<'_>>(object, seen, "scheme", scheme.scheme, "4.5.3");
        }
        SchemeKind::OAuth2 => {
            check.need::<SchemeObject<'_>>(object, seen, "flows", "4.5.4");
            secure(scheme.oauth2_metadata_url, check);
            if let Some(Also(Object(flows))) = scheme.flows {
                self::flows(flows, is_old, check);
            }
        }
        SchemeKind::OpenIdConnect => {
            let url = scheme.open_id_connect_url;
            check.need_text::<SchemeObject<'_>>(object, seen, "openIdConnectUrl", url, "4.5.5");
            secure(url, check);
        }
        SchemeKind::MutualTls => {}
    }
}

fn flows<'a>(object: Value<'a>, is_old: bool, check: &mut Check<'_, '_, 'a>) {
    let flows = members::<FlowsObject<'_>>(object, check, "4.5.7").view();
    let count = flows.present().count();
    if count == 0 || (count > 1 && !is_old) {
        let (code, message) = match count {
            0 => (Code::EmptyValue, "there is no flow; add one, for example `authorizationCode`"),
            _ => (Code::InvalidValue, "there are several flows; A2A 1.0 has one in each scheme"),
        };
        check.add(code, span_of(object, check.bytes), "4.5.7", message);
    }
    if !is_old {
        let code = "authorizationCode";
        replaced(object, &[("implicit", code), ("password", code)], check);
    }
    let needed: [(_, &[&'static str]); 5] = [
        (flows.authorization_code, &["authorizationUrl", "tokenUrl"]),
        (flows.client_credentials, &["tokenUrl"]),
        (flows.device_code, &["deviceAuthorizationUrl", "tokenUrl"]),
        (flows.implicit, &["authorizationUrl"]),
        (flows.password, &["tokenUrl"]),
    ];
    for (flow, names) in needed {
        let Some(Object(object)) = flow else { continue };
        let flow = members::<FlowObject<'_>>(object, check, "4.5.7").view();
        for name in names.iter().chain(&["scopes"]) {
            check.need::<FlowObject<'_>>(object, &flow.seen, name, "4.5.7");
        }
        secure(flow.authorization_url, check);
        secure(flow.token_url, check);
        secure(flow.device_authorization_url, check);
        secure(flow.refresh_url, check);
    }
}

/// Checks a list of requirements, whose names must be declared schemes.
fn requirements<'a>(
    list: Option<Array<'a>>,
    is_old: bool,
    names: &Names<'_, 'a>,
    check: &mut Check<'_, '_, 'a>,
) {
    let Some(Array(list)) = list else { return };
    check.objects(list, "4.5", |alternative, check| {
        let schemes = schemes_of(alternative);
        let is_flat = schemes.raw().len() == alternative.raw().len();
        if is_flat != is_old && alternative.members().next().is_some() {
            let message = if is_old {
                "the schemes of a requirement are in `schemes`, as A2A 1.0 writes them; they are read anyway, but write them directly into the object"
            } else {
                "the schemes of a requirement are not in `schemes`; they are read anyway, but write `{\"schemes\": …}`"
            };
            let span = span_of(alternative, check.bytes);
            check.add(Code::NonstandardShape, span, "4.5", message);
        }
        for scheme in schemes.members() {
            if !scheme.name.is_empty() && !names.contains(scheme.name) {
                let message = "{} is not a declared security scheme, so callers cannot authenticate; declare it, or correct the name";
                check.graded(
                    Code::UnknownReference,
                    Severity::Error,
                    scheme.name,
                    "4.5",
                    message,
                );
            }
            let scopes = match scheme.value.kind() {
                Kind::Object => scheme.value.get("list"),
                _ => Some(scheme.value),
            };
            match scopes.map(|scopes| (scopes.kind(), scopes)) {
                Some((Kind::Array, scopes)) => check.texts(scopes, "4.5"),
                None | Some((Kind::Null, _)) => {}
                Some(_) => check.about(
                    Code::WrongType,
                    scheme.name,
                    "4.5",
                    wrong_type(Shape::Array),
                ),
            }
        }
    });
}
