//! The checks of the metadata of OAuth: what the rules in the tables of the formats refer to.

use super::{AgentAuth, Resource, Server};
use crate::diagnostic::Spec;
pub(super) use crate::rules::json::schema::rules::*;
use crate::rules::json::{decoded, reading};
use crate::rules::report::Report;
use crate::syntax::json::Value;
use crate::syntax::json::view::Also;
use crate::syntax::text::Text;
use crate::syntax::url::{self, Url};

says! {
    NO_SERVERS: MissingRecommendedField Info, "{} is missing, so clients do not find out where they get a token; name the issuers";
    NO_SCOPES: MissingRecommendedField Info, "{} is missing, so clients do not know what to ask for; list the scopes";
    NO_VALUES: EmptyValue "3.2", "a member without values must be left out; remove the empty list";
    NO_SCOPE: InvalidValue, "{} is not a scope; use visible ASCII characters without blanks, quotation marks and backslashes";
    NO_METHOD: InvalidValue, "{} is not a way to send a token; write header, body or query";
    UNSIGNED: InvalidValue, "{} must not be used, because such an answer is not signed; remove it";
    FRAGMENT: InvalidUrl, "{} has a fragment, which is not allowed in an identifier; remove it";
    QUERY: InvalidUrl, "{} has a query, which is not allowed in an issuer; remove it";
    OTHER_ORIGIN: OriginMismatch "3.3", "the document is for {}, but was fetched from another origin, so clients must not use it; write the identifier of this server";
    NO_PKCE: MissingRecommendedField Warning, "{} is missing, so clients that need PKCE, such as those of MCP, refuse this server; list S256";
    NO_GUIDE: MissingRecommendedField Info, "{} is missing, so agents do not find the instructions; add the URL of auth.md";
    NO_IDENTITIES: EmptyValue, "the list names no kind of identity, so no agent can register; list at least one";
    NO_S256: MissingRecommendedField Warning, "the methods of PKCE lack {}, the one that is safe; add it";
}

/// Checks a document. `scratch` needs two numbers for each member.
pub(crate) fn check<'a>(
    object: Value<'a>,
    schema: &'static Schema,
    spec: Spec,
    bytes: &'a [u8],
    origin: Option<&str>,
    scratch: &mut [u32],
    report: &mut Report<'_, 'a>,
) {
    let mut check = Check::new(bytes, spec, report).with(scratch);
    check.origin = origin;
    check.document(object, schema);
}

pub(super) fn resource<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let top: Resource<'a> = row.view();
    origin(top.resource, row, check);
}

pub(super) fn server<'a>(row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let top: Server<'a> = row.view();
    origin(top.issuer.and_then(|mut issuer| issuer.0.next()), row, check);
    let methods = top.challenge_methods;
    if methods.is_some_and(|mut methods| !methods.0.any(|method| method == *"S256")) {
        check.without(NO_S256, "S256", row);
    }
}

/// Reports an identifier of another origin than that from which the document was fetched.
fn origin<'a>(identifier: Option<Text<'a>>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    let fetched = check.origin.and_then(|origin| Url::parse(origin.as_bytes()));
    let (Some(text), Some(fetched)) = (identifier, fetched) else { return };
    let mut buffer = [0; url::BUFFER];
    let own = decoded(text, &mut buffer).and_then(|text| Url::parse(text.as_bytes()));
    if own.is_some_and(|own| !own.server().is_same_as(&fetched.server())) {
        check.say(OTHER_ORIGIN, text, row);
    }
}

pub(super) fn identifier<'a>(text: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    if text.chars().any(|c| c == '#') {
        check.say(FRAGMENT, text, row);
    }
}

pub(super) fn issuer<'a>(text: Text<'a>, row: &Row<'_, 'a>, check: &mut Check<'_, '_, 'a>) {
    match text.chars().find(|c| matches!(c, '?' | '#')) {
        Some('?') => check.say(QUERY, text, row),
        Some(_) => check.say(FRAGMENT, text, row),
        None => {}
    }
}

/// Whether a text is a scope token of RFC 6749 section 3.3.
pub(super) fn is_scope(scope: Text<'_>) -> bool {
    scope.chars().all(|c| matches!(c, '!' | '#'..='[' | ']'..='~'))
}

pub(super) fn is_signed(algorithm: Text<'_>) -> bool {
    algorithm != *"none"
}

/// Whether a grant uses the authorization endpoint. A grant of the default does.
pub(super) fn uses_authorization(row: &Row<'_, '_>) -> bool {
    has_grant(row, |grant| grant == *"authorization_code" || grant == *"implicit")
}

/// Whether a grant other than the implicit one is supported. One of the default is.
pub(super) fn uses_token(row: &Row<'_, '_>) -> bool {
    has_grant(row, |grant| grant != *"implicit")
}

pub(super) fn has_no_identity_endpoint(row: &Row<'_, '_>) -> bool {
    row.view::<AgentAuth<'_>>().identity_endpoint.is_none()
}

fn has_grant(row: &Row<'_, '_>, meets: impl Fn(Text<'_>) -> bool) -> bool {
    match row.view::<Server<'_>>().grant_types {
        Some(Also(reading::Texts(mut grants))) => grants.any(meets),
        None => true,
    }
}
