//! The vocabulary of the Internet-Draft: the members of a document, once for both notations.
//!
//! A row states everything about a member:
//!
//! ```text
//! token_endpoint "token_url": Text<'a> = b"tokenEndpoint" | b"endpoint" / "Auth-Endpoint" AuthEndpoint Capability,
//! ```
//!
//! - the field of the view, and the member of the unified model if it has another name;
//! - the type in JSON, the name in JSON, and other names that are read; `required`, if it is never
//!   empty;
//! - the key in agents.txt, its [`Field`], where it may stand ([`Place`]) and whether it can be
//!   repeated or be followed by a comment; the section, if it is another one than that of the
//!   object; and an alias;
//! - the rules for its value, of which those for texts apply to both notations.
//!
//! [`vocabulary!`] makes from the rows the views of agents.json, the keys of agents.txt
//! ([`LINES`]) and the names that the writer uses (`MEMBERS` of each view).

use super::agents_json::{AgentsValue, AuthValue, RateValue};
use super::agents_txt::keys::Place;
use super::check::{self, Rule, Schema};
use crate::rules::json::reading::{Objects, OneText, Texts, TextsOrOne};
use crate::rules::member::Name;
use crate::syntax::json::view::{Object, view};
use crate::syntax::json::{Number, Value};
use crate::syntax::text::Text;

/// A key of agents.txt, as its row states it.
pub(super) struct Line {
    pub(super) name: &'static str,
    pub(super) field: Field,
    pub(super) place: Place,
    pub(super) flags: &'static [Flag],
    /// The section of the specification that defines it; empty for an alias.
    pub(super) section: &'static str,
    schema: &'static Schema,
    row: u32,
}

impl Line {
    /// Returns the rules for the value, of which those for texts apply.
    pub(super) fn rules(&self) -> &'static [Rule] {
        self.schema.rows.get(self.row as usize).copied().unwrap_or_default()
    }

    /// Whether the specification requires it, always or depending on another field.
    pub(super) fn is_required(&self) -> bool {
        self.schema.table.fields.get(self.row as usize).is_some_and(|field| field.required)
    }
}

/// What is particular about the lines of a key.
#[derive(Clone, Copy)]
pub(super) enum Flag {
    /// There can be several lines.
    Repeated,
    /// A comment can follow the value, as in robots.txt. The value never contains a blank and a
    /// `#`.
    Commented,
}

/// Returns a bit for each field with this flag.
pub(super) const fn flagged(flag: Flag) -> u32 {
    let (mut fields, mut lines) = (0, LINES);
    while let [line, rest @ ..] = lines {
        if has(line.flags, flag) {
            fields |= 1 << line.field as u32;
        }
        lines = rest;
    }
    fields
}

const fn has(mut flags: &[Flag], flag: Flag) -> bool {
    while let [first, rest @ ..] = flags {
        if *first as u8 == flag as u8 {
            return true;
        }
        flags = rest;
    }
    false
}

/// Returns the first of the texts, for an optional part of a row with a default.
const fn first(texts: &[&'static str]) -> &'static str {
    match texts {
        [first, ..] => first,
        [] => "",
    }
}

/// Returns the name in the specification, which is the first one.
const fn json_name(names: &[&'static [u8]]) -> &'static str {
    match names {
        [name, ..] => match core::str::from_utf8(name) {
            Ok(name) => name,
            Err(_) => "",
        },
        [] => "",
    }
}

macro_rules! vocabulary {
    ($($(#[$about:meta])* pub struct $name:ident at $section:literal $(then $then:ident)? { $(
        $(#[$doc:meta])*
        $member:ident $($model:literal)?: $type:ty = $($key:literal)|+
            $($required:ident)? $(/ $text:literal $field:ident $place:ident $($flag:ident)* $($at:literal)? $(| $alias:literal $other:ident)?)?
            $([$($rule:expr),+])?,
    )* })*) => {
        view! { $($(#[$about])* pub struct $name at $section $(then $then)? {
            $($(#[$doc])* $member: $type = $($key)|+ $($required)? $([$($rule),+])?,)*
        })* }

        /// A key with a meaning in the specification or in `docs/formats/agents-txt.md`.
        ///
        /// INVARIANT: the fields are in the order of [`LINES`]. The number of a field of the
        /// document, and of `Capability`, is its index in the outline.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(crate) enum Field { $($($($field,)?)*)* $($($($($other,)?)?)*)* }

        /// All keys of agents.txt: those of the specification, then the aliases.
        pub(super) const LINES: &[Line] = &[
            $($($(Line {
                name: $text,
                field: Field::$field,
                place: Place::$place,
                flags: &[$(Flag::$flag),*],
                section: first(&[$($at,)? $section]),
                schema: $name::RULES,
                row: $name::$member,
            },)?)*)*
            $($($($(Line {
                name: $alias,
                field: Field::$other,
                place: Place::Alias,
                flags: &[],
                section: "",
                schema: $name::RULES,
                row: u32::MAX,
            },)?)?)*)*
        ];

        $(#[allow(dead_code)] // Not every member is written.
        const _: () = {
            /// The names of each member.
            pub(crate) struct Names { $(pub(crate) $member: Name,)* }

            impl $name<'_> {
                pub(crate) const MEMBERS: Names = Names { $($member: Name {
                    model: first(&[$($model,)? stringify!($member)]),
                    text: first(&[$($text)?]),
                    json: json_name(&[$($key),+]),
                    has_comment: has(&[$($(Flag::$flag),*)?], Flag::Commented),
                },)* };
            }
        };)*
    };
}

vocabulary! {
    /// The document, section 3. Its fields are recorded during parsing.
    pub struct Top at "3" then top {
        /// `specVersion`, required: `1.0`.
        spec_version: Text<'a> = b"specVersion" required / "Spec-Version" SpecVersion Document "2.3" [Want(IN_HEAD), Fits(is_1_0, OTHER_VERSION)],
        /// `generatedAt`: ISO 8601.
        generated_at: Text<'a> = b"generatedAt" / "Generated-At" GeneratedAt Document "2.3" [Fits(is_iso_8601, NO_TIME)],
        /// `declarationType`: `platform` (default) or `agent`.
        declaration_type "kind": Text<'a> = b"declarationType" / "Declaration-Type" DeclarationType Document "2.3" [Fits(is_kind, NO_KIND)],
        /// `operatesOn`: URLs of platforms.
        operates_on: Texts<'a> = b"operatesOn" / "Operates-On" OperatesOn Document Repeated "2.3" [If(is_platform, &Gone(OF_AGENTS, "")), Texts, EachText(&PAGE)],
        /// `agentsJson`: the URL of the companion.
        agents_json "companion": Text<'a> = b"agentsJson" / "Agents-JSON" AgentsJson Document "3.2",
        /// `site`, required.
        site: Object<'a> = b"site" [Want(IN_DOCUMENT), Inside(Site::RULES)],
        /// `capabilities`.
        capabilities: Objects<'a> = b"capabilities" [Each(CapabilityObject::RULES)],
        /// `access`.
        access: Object<'a> = b"access" [Inside(AccessObject::RULES)],
        /// `agents`: an object from name to policy; also read: an array of policies with `name`.
        agents: AgentsValue<'a> = b"agents" [Each(AgentObject::RULES)],
        /// `metadata`.
        metadata: Object<'a> = b"metadata",
        /// `allow` at the top level, which is not in the draft.
        allow: Texts<'a> = b"allow" [Texts, SLASH, ONE_SLASH, NO_MARK, ONE_PATTERN],
        /// `disallow` at the top level, which is not in the draft.
        disallow: TextsOrOne<'a> = b"disallow" [Texts, SLASH, ONE_SLASH, NO_MARK, ONE_PATTERN],
    }

    /// The site, section 2.4.
    pub struct Site at "2.4" {
        /// `name`, required.
        name: Text<'a> = b"name" required / "Site-Name" SiteName Document [Want(IN_SITE)],
        /// `url`, required.
        url: Text<'a> = b"url" required / "Site-URL" SiteUrl Document [Want(IN_SITE), Url(Secure::Http)],
        /// `description`.
        description: Text<'a> = b"description" / "Site-Description" SiteDescription Document,
        /// `contact`: an email address.
        contact: OneText<'a> = b"contact" / "Site-Contact" SiteContact Document | "Contact" Contact [Fits(is_bare, MAILTO), Fits(is_no_url, CONTACT_URL), Fits(is_contact, NO_ADDRESS)],
        /// `privacyPolicy`: a URL.
        privacy_policy: Text<'a> = b"privacyPolicy" / "Site-Privacy-Policy" SitePrivacyPolicy Document | "Privacy-Policy" PrivacyPolicy [PAGE],
    }

    /// Access rules, section 2.6.
    pub struct AccessObject at "2.6" {
        /// `allow`: patterns.
        allow: Texts<'a> = b"allow" / "Allow" Allow Document Repeated Commented [Texts, SLASH, ONE_SLASH, NO_MARK, ONE_PATTERN],
        /// `disallow`: patterns; also read: a string, as one pattern.
        disallow: TextsOrOne<'a> = b"disallow" / "Disallow" Disallow Document Repeated Commented [Texts, SLASH, ONE_SLASH, NO_MARK, ONE_PATTERN],
    }

    /// A capability, section 2.5.
    pub struct CapabilityObject at "2.5" then capability {
        /// `id`, required.
        id: Text<'a> = b"id" required / "Capability" Capability Opening Repeated [Want(IN_CAPABILITY), Fits(is_id, NO_ID)],
        /// `parameters`; also read: `params`.
        parameters: Objects<'a> = b"parameters" | b"params" / "Param" Param InCapability Repeated [If(is_out_of_rest, &Gone(REST_ONLY, "")), Each(ParameterObject::RULES)],
        /// `description`.
        description: Text<'a> = b"description" / "Description" Description InCapability,
        /// `endpoint`, required: a full https URL.
        endpoint: Text<'a> = b"endpoint" required / "Endpoint" Endpoint InCapability [Want(IN_CAPABILITY)],
        /// `method`. Default: GET.
        method: Text<'a> = b"method" / "Method" Method InCapability [If(is_out_of_rest, &Gone(REST_ONLY, ""))],
        /// `protocol`, required.
        protocol: Text<'a> = b"protocol" required / "Protocol" Protocol InCapability [Want(IN_CAPABILITY), Fits(is_protocol, NO_PROTOCOL)],
        /// `auth`: an object; also read: a string.
        auth: AuthValue<'a> = b"auth" [Fits(is_auth_type, NO_AUTH_TYPE), Inside(AuthObject::RULES)],
        /// `rateLimit`: an object; also read: a string `N/window`.
        rate_limit: RateValue<'a> = b"rateLimit" [Inside(RateLimitObject::RULES)],
        /// `openapi`: a URL.
        openapi: Text<'a> = b"openapi" / "OpenAPI" OpenApi InCapability [PAGE],
        /// `scopes`, for an `auth` without scopes.
        scopes: Texts<'a> = b"scopes" [Texts, ITEM],
        /// `authEndpoint`, for an `auth` without a token endpoint; not in the draft.
        auth_endpoint: Text<'a> = b"authEndpoint" [If(is_text, &Gone(OUTSIDE_AUTH, "")), Url(Secure::Http)],
    }

    /// Authentication of a capability.
    pub struct AuthObject at "2.5" {
        /// `type`.
        kind "type": Text<'a> = b"type" required / "Auth" Auth InCapability [Fits(is_auth_type, NO_AUTH_TYPE)],
        /// `tokenEndpoint`; also read: `endpoint` and `authEndpoint`.
        token_endpoint "token_url": Text<'a> = b"tokenEndpoint" | b"endpoint" | b"authEndpoint" required / "Auth-Endpoint" AuthEndpoint InCapability [Url(Secure::Http)],
        /// `docsUrl`.
        docs_url: Text<'a> = b"docsUrl" / "Auth-Docs" AuthDocs InCapability [PAGE],
        /// `scopes`.
        scopes: Texts<'a> = b"scopes" / "Scopes" Scopes InCapability [Texts, ITEM],
    }

    /// A rate limit.
    pub struct RateLimitObject at "2.5" then limit {
        /// `requests`: a positive integer.
        requests: Number<'a> = b"requests" / "Rate-Limit" RateLimit InBoth,
        /// `window`: second, minute, hour or day.
        window: Text<'a> = b"window",
    }

    /// A policy for one agent, section 2.7.
    pub struct AgentObject at "2.7" then policy {
        /// `name`, for policies in an array.
        name: Text<'a> = b"name" required / "Agent" Agent Opening Repeated Commented [If(is_listed, &Want(IN_POLICY)), If(is_named, &Gone(NAMED_BY_KEY, ""))],
        /// `rateLimit`: an object; also read: a string `N/window`.
        rate_limit: RateValue<'a> = b"rateLimit" [Inside(RateLimitObject::RULES)],
        /// `capabilities`: ids. Absent means all; an unreadable value means none.
        capabilities: Texts<'a> = b"capabilities" / "Capabilities" Capabilities InAgent Commented [Texts, Filled(NO_CAPABILITY), ITEM],
        /// `agentDeclaration`: a URL.
        agent_declaration "declaration": Text<'a> = b"agentDeclaration" / "Agent-Declaration" AgentDeclaration InAgent [Url(Secure::Http)],
    }

    /// A parameter of a capability.
    pub struct ParameterObject at "2.5" then parameter {
        /// `name`, required.
        name: Text<'a> = b"name" required [Want(IN_PARAMETER)],
        /// `in`, required.
        location: Text<'a> = b"in" required [If(has_one_location, &Want(IN_PARAMETER)), Fits(is_location, NO_LOCATION)],
        /// `location`, which is read if `in` is absent; not in the draft.
        other_location: Text<'a> = b"location" [If(has_other_location, &Fits(is_location, NO_LOCATION))],
        /// `type`, required.
        kind "type": Text<'a> = b"type" required [Want(IN_PARAMETER), Fits(is_parameter_type, NO_PARAMETER_TYPE)],
        /// `required`.
        required: bool = b"required",
        /// `default`.
        default: Value<'a> = b"default",
        /// `description`.
        description: Text<'a> = b"description",
        /// `min`.
        min: Value<'a> = b"min",
        /// `max`.
        max: Value<'a> = b"max",
    }
}
