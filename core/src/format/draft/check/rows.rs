//! What the rows of the vocabulary refer to: messages, and functions that judge a value.

use super::{Row, Rule, says};
use crate::format::draft::vocabulary::{CapabilityObject, ParameterObject, Top};
use crate::model::{AuthType, Choice, Enumeration, Kind, Location, Protocol};
use crate::rules::REQUIRED_IS_EMPTY;
use crate::rules::email::is_email;
use crate::rules::json::schema::From;
use crate::rules::lines::MARK;
pub(in crate::format::draft) use crate::rules::timestamp::is_iso_8601;
use crate::rules::urls::{Secure, is_url};
use crate::rules::values::is_separator;
use crate::syntax::json::Value;
use crate::syntax::line::is_mark;
use crate::syntax::text::Text;

/// The message for an unknown parameter location.
pub(crate) const LOCATION: &str =
    "{} is not a valid parameter location; use query, path, header or body";

says! {
    // Members that are missing.
    IN_HEAD: MissingRequiredField "2.3", "{} is missing in the document; add it";
    IN_DOCUMENT: MissingRequiredField "2.4", "{} is missing in the document; add it";
    IN_SITE: MissingRequiredField "2.4", "{} is missing in the site; add it";
    IN_CAPABILITY: MissingRequiredField "2.5", "{} is missing in the capability; add it";
    IN_PARAMETER: MissingRequiredField "2.5", "{} is missing in the parameter; add it";
    IN_AUTH: MissingRequiredField "2.5", "{} is missing in `auth`, so agents expect some unknown authentication; add it";
    IN_POLICY: MissingRequiredField "2.7", "{} is missing in the policy, so it could be for any agent; add it";
    NO_TOKEN_URL: MissingRequiredField "2.5", "bearer-token and oauth2 require {}; add the URL that issues tokens";
    NO_PLATFORM: MissingRecommendedField "2.3", "the declaration of an agent should name the platforms on which it works; add `Operates-On`";
    NO_RULES: NoAccessRules "2.6", "there are no access rules, so agents may only access the endpoints of capabilities; if this is not intended, add `Allow` or `Disallow`";
    EMPTY: EmptyValue Error, REQUIRED_IS_EMPTY;
    EMPTY_PATTERN: EmptyValue "2.6", "the value is empty; write one";
    NO_CAPABILITY: EmptyValue "2.7", "the list is empty, so the agent may use no capability; leave it out to permit all of them";

    // The document and its site.
    OTHER_VERSION: UnsupportedVersion "2.3", "version {} is unknown; this specification is 1.0";
    NO_TIME: InvalidTimestamp "2.3", "{} is not a valid timestamp; use RFC 3339, for example 2026-02-01T00:00:00Z";
    NO_KIND: InvalidValue "2.3", "{} is not a declaration type; use platform or agent";
    OF_AGENTS: UnexpectedField "2.3", "only the declaration of an agent names platforms; remove this";
    ELSEWHERE: CompanionLocation "3.2", "agents expect the companion at /.well-known/agents.json of the site, not at {}; publish it there";
    OTHER_ORIGIN: OriginMismatch "2.4", "the document is for {}, but it was fetched from another origin";
    MAILTO: NonstandardContact Info "2.4", "{} is read as the address after `mailto:`; write only the address";
    CONTACT_URL: NonstandardContact "2.4", "{} is a URL; use an email address";
    NO_ADDRESS: InvalidValue Warning "2.4", "{} is not an email address; use one";

    // Access rules.
    NO_SLASH: PatternWithoutSlash "2.6", "{} matches nothing; a pattern begins with / or *";
    TWO_SLASHES: InvalidValue Warning "2.6", "{} begins with two slashes, which paths of a site do not; write the path alone, such as /admin";
    WITH_MARK: ControlCharacter Warning "2.6", MARK;
    SEVERAL_PATTERNS: SeveralValues "2.6",
        "{} counts as one pattern; write each pattern as an item of its own",
        "{} counts as one pattern; write each pattern on a line of its own";
    OUTSIDE_ACCESS: NonstandardShape Warning "2.6", "{} is outside `access`, where it is still read; move it into `access`";
    ALLOW_TWICE: Contradiction "2.6", "{} is also in `access`, which counts; remove this one";
    DISALLOW_TWICE: Contradiction "2.6", "{} is also in `access`, and it is unclear which one counts, so everything is disallowed; remove this one";
    DISALLOWED: DisallowedEndpoint "2.6", "the rules of the document disallow {}; allow it, or remove the capability";

    // Capabilities.
    NO_ID: InvalidValue "2.5", "{} is not a valid capability id; use only lower-case letters, digits and hyphens";
    ID_TWICE: DuplicateId "2.5", "the id {} is used by an earlier capability; ids must be unique";
    NO_PROTOCOL: InvalidValue "2.5", "the specification does not define the protocol {}; use REST, MCP, A2A, GraphQL or WebSocket";
    REST_ONLY: UnexpectedField "2.5", "this is only valid in a REST capability; remove it, or correct the protocol";
    NO_LOCATION: InvalidValue "2.5", LOCATION;
    NO_PARAMETER_TYPE: InvalidValue "2.5", "{} is not a valid parameter type; use string, integer, number or boolean";
    PARAMETER_TWICE: DuplicateId Warning "2.5", "an earlier parameter has the name {}; names must be unique";
    NO_AUTH_TYPE: InvalidValue "2.5", "{} is not a valid authentication type; use none, api-key, bearer-token, oauth2 or hmac";
    IMPLIED_OAUTH2: ImpliedAuth "2.5", "the authentication type is missing; oauth2 is assumed because of the scopes; add it";
    IMPLIED_TOKEN: ImpliedAuth "2.5", "the authentication type is missing; bearer-token is assumed because of the token endpoint; add it";
    UNUSED_AUTH: Contradiction "2.5", "the authentication {} counts, although there is a token endpoint or a list of scopes; correct it, or remove them";
    OUTSIDE_AUTH: NonstandardShape Warning "2.5", "{} is outside `auth`, where it is still read; write it as `tokenEndpoint` in `auth`";
    SEVERAL_ITEMS: SeveralValues,
        "{} counts as one item; write each as a string of its own",
        "{} counts as one item; separate items by commas";
    LIMIT_TEXT: NonstandardShape Warning, "{} is a string, which is read; write an object: {\"requests\": N, \"window\": \"minute\"}";
    NO_LIMIT: WrongType, "{} must be an object with `requests` and `window`; its value is ignored";

    // Policies.
    NO_AGENT: InvalidValue "2.7", "{} names no agent, so it could be for any agent; write the first word of its User-Agent, or * for all agents";
    SEVERAL_AGENTS: SeveralValues "2.7",
        "{} has several words; write a policy for each agent, with the first word of its User-Agent",
        "{} has several words; write an `Agent` block for each agent, with the first word of its User-Agent";
    MORE_THAN_AGENT: InvalidValue Warning "2.7", "{} is more than the name of an agent; write only the first word of its User-Agent, or * for all agents";
    AGENT_TWICE: DuplicateAgent "2.7", "there is an earlier policy for {}, and only the last one counts; keep one";
    NO_REFERENCE: UnknownReference "2.7", "no capability has the id {}; declare it, or correct the reference";
    NAMED_BY_KEY: UnknownField "2.7", "{} is kept as metadata, because the key of this policy already names the agent; remove it";
    NO_POLICY: WrongType "2.7", "the policy of {} is not an object, so it grants nothing; write an object";
}

/// A page that people read, or another platform.
pub(in crate::format::draft) const PAGE: Rule = Rule::Url(Secure::NotAsked);
/// One of several names in a list.
pub(in crate::format::draft) const ITEM: Rule = Rule::EachText(&Rule::Fits(is_item, SEVERAL_ITEMS));
// Patterns.
pub(in crate::format::draft) const SLASH: Rule = Rule::EachText(&Rule::Fits(begins_path, NO_SLASH));
pub(in crate::format::draft) const ONE_SLASH: Rule =
    Rule::EachText(&Rule::Fits(begins_once, TWO_SLASHES));
pub(in crate::format::draft) const NO_MARK: Rule =
    Rule::EachText(&Rule::Fits(has_no_mark, WITH_MARK));
pub(in crate::format::draft) const ONE_PATTERN: Rule =
    Rule::EachText(&Rule::Fits(is_one_pattern, SEVERAL_PATTERNS));

/// The protocols that the draft defines.
const PROTOCOLS: [Protocol; 5] =
    [Protocol::Rest, Protocol::Mcp, Protocol::A2a, Protocol::GraphQl, Protocol::WebSocket];

pub(in crate::format::draft) fn is_1_0(version: Text<'_>) -> bool {
    version == "1.0"
}

pub(in crate::format::draft) fn is_kind(text: Text<'_>) -> bool {
    Kind::of(text) != Kind::Unknown
}

pub(in crate::format::draft) fn is_platform(row: &Row<'_, '_>) -> bool {
    let kind = row.value_of(Top::declaration_type).and_then(Value::as_text);
    kind.is_none_or(|kind| Kind::of(kind) == Kind::Platform) && has_items(row)
}

/// Whether the field of a row is not an empty list.
fn has_items(row: &Row<'_, '_>) -> bool {
    row.value_of(row.field)
        .is_some_and(|list| list.as_text().is_some() || list.elements().next().is_some())
}

fn is_mailto(contact: Text<'_>) -> bool {
    contact.starts_with_ignore_case("mailto:") && is_email(contact.chars().skip("mailto:".len()))
}

pub(in crate::format::draft) fn is_bare(contact: Text<'_>) -> bool {
    !is_mailto(contact)
}

pub(in crate::format::draft) fn is_no_url(contact: Text<'_>) -> bool {
    is_mailto(contact) || !is_url(contact) || is_email(contact.chars())
}

pub(in crate::format::draft) fn is_contact(contact: Text<'_>) -> bool {
    is_email(contact.chars()) || is_mailto(contact) || is_url(contact)
}

fn begins_path(pattern: Text<'_>) -> bool {
    matches!(pattern.chars().next(), Some('/' | '*'))
}

fn begins_once(pattern: Text<'_>) -> bool {
    !pattern.starts_with_ignore_case("//")
}

fn has_no_mark(pattern: Text<'_>) -> bool {
    !pattern.chars().any(is_mark)
}

/// False if a pattern looks like several patterns: text follows a blank (paths contain no blanks),
/// a slash follows a separator, or a separator ends the text.
fn is_one_pattern(pattern: Text<'_>) -> bool {
    let mut before = '\0';
    let is_next =
        pattern.trim().chars().take_while(|c| *c != '#').any(|c| {
            match core::mem::replace(&mut before, c) {
                ' ' | '\t' => !matches!(c, ' ' | '\t'),
                separator => is_separator(separator) && c == '/',
            }
        });
    !is_next && !is_separator(before)
}

fn is_item(item: Text<'_>) -> bool {
    !item.chars().any(|c| c.is_whitespace() || matches!(c, ',' | ';' | '|'))
}

pub(in crate::format::draft) fn is_id(id: Text<'_>) -> bool {
    id.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-'))
}

pub(in crate::format::draft) fn is_protocol(text: Text<'_>) -> bool {
    PROTOCOLS.contains(&Protocol::of(text))
}

/// Whether a protocol of the draft is not REST, so that a capability has no method and parameters.
pub(in crate::format::draft) fn is_other_than_rest(protocol: Protocol) -> bool {
    protocol != Protocol::Rest && PROTOCOLS.contains(&protocol)
}

pub(in crate::format::draft) fn is_out_of_rest(row: &Row<'_, '_>) -> bool {
    let protocol = row.text_of(CapabilityObject::protocol);
    protocol.is_some_and(|protocol| is_other_than_rest(Protocol::of(protocol))) && has_items(row)
}

/// Whether the field of a row is a text.
pub(in crate::format::draft) fn is_text(row: &Row<'_, '_>) -> bool {
    row.value_of(row.field).is_some_and(|value| value.as_text().is_some())
}

pub(in crate::format::draft) fn is_auth_type(text: Text<'_>) -> bool {
    let name = Choice::<AuthType>::read(text).as_str();
    name.chars().eq(text.chars().map(|c| c.to_ascii_lowercase()))
}

pub(in crate::format::draft) fn is_location(text: Text<'_>) -> bool {
    Location::of(text) != Location::Unknown
}

/// Whether a parameter is in the place that its member `location` names, because `in` is absent.
pub(in crate::format::draft) fn has_other_location(row: &Row<'_, '_>) -> bool {
    row.text_of(ParameterObject::location).is_none()
}

/// Whether a parameter has no member `location`.
pub(in crate::format::draft) fn has_one_location(row: &Row<'_, '_>) -> bool {
    row.text_of(ParameterObject::other_location).is_none()
}

/// Whether credentials come from a token endpoint.
pub(in crate::format::draft) fn needs_token(kind: AuthType) -> bool {
    matches!(kind, AuthType::BearerToken | AuthType::OAuth2)
}

/// Whether a text is a valid parameter type.
pub(in crate::format::draft) fn is_parameter_type(text: Text<'_>) -> bool {
    ["string", "integer", "number", "boolean"].iter().any(|name| text.eq_ignore_case(name))
}

/// Whether a policy is in a list of policies, and not in an object under the name of its agent.
pub(in crate::format::draft) fn is_listed(row: &Row<'_, '_>) -> bool {
    matches!(row.from, From::Field(_))
}

pub(in crate::format::draft) fn is_named(row: &Row<'_, '_>) -> bool {
    matches!(row.from, From::Name(_))
}
