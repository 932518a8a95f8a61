//! The vocabulary of the Internet-Draft: the members of a document, once for both notations.
//!
//! A row states everything about a member:
//!
//! ```text
//! token_endpoint "token_url": Text<'a> = b"tokenEndpoint" | b"endpoint" and "Auth-Endpoint" AuthEndpoint Capability,
//! ```
//!
//! - the field of the view, and the member of the unified model if it has another name;
//! - the type in JSON, the name in JSON, and other names that are read;
//! - the key in agents.txt, its [`Field`], where it may stand ([`Place`]) and whether it can be
//!   repeated or be followed by a comment; the section, if it is another one than that of the
//!   object; and an alias.
//!
//! [`vocabulary!`] makes from the rows the views of agents.json, the keys of agents.txt
//! ([`LINES`]) and the names that the writer uses (`MEMBERS` of each view).

use super::agents_json::{AgentsValue, AuthValue, RateValue};
use super::agents_txt::keys::Place;
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
    ($($(#[$about:meta])* pub struct $name:ident at $section:literal { $(
        $(#[$doc:meta])*
        $member:ident $($model:literal)?: $type:ty = $($key:literal)|+
            $(and $text:literal $field:ident $place:ident $($flag:ident)* $($at:literal)? $(| $alias:literal $other:ident)?)?,
    )* })*) => {
        view! { $($(#[$about])* pub struct $name { $($(#[$doc])* $member: $type = $($key)|+,)* })* }

        /// A key with a meaning in the specification or in `docs/formats.md`.
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
            },)?)*)*
            $($($($(Line {
                name: $alias, field: Field::$other, place: Place::Alias, flags: &[], section: "",
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
    pub struct Top at "3" {
        /// `specVersion`, required: `1.0`.
        spec_version: Text<'a> = b"specVersion" and "Spec-Version" SpecVersion Document "2.3",
        /// `generatedAt`: ISO 8601.
        generated_at: Text<'a> = b"generatedAt" and "Generated-At" GeneratedAt Document "2.3",
        /// `declarationType`: `platform` (default) or `agent`.
        declaration_type "kind": Text<'a> = b"declarationType" and "Declaration-Type" DeclarationType Document "2.3",
        /// `operatesOn`: URLs of platforms.
        operates_on: Texts<'a> = b"operatesOn" and "Operates-On" OperatesOn Document Repeated "2.3",
        /// `agentsJson`: the URL of the companion.
        agents_json "companion": Text<'a> = b"agentsJson" and "Agents-JSON" AgentsJson Document "3.2",
        /// `site`, required.
        site: Object<'a> = b"site",
        /// `capabilities`.
        capabilities: Objects<'a> = b"capabilities",
        /// `access`.
        access: Object<'a> = b"access",
        /// `agents`: an object from name to policy; also read: an array of policies with `name`.
        agents: AgentsValue<'a> = b"agents",
        /// `metadata`.
        metadata: Object<'a> = b"metadata",
        /// `allow` at the top level, which is not in the draft.
        allow: Texts<'a> = b"allow",
        /// `disallow` at the top level, which is not in the draft.
        disallow: TextsOrOne<'a> = b"disallow",
    }

    /// The site, section 2.4.
    pub struct Site at "2.4" {
        /// `name`, required.
        name: Text<'a> = b"name" and "Site-Name" SiteName Document,
        /// `url`, required.
        url: Text<'a> = b"url" and "Site-URL" SiteUrl Document,
        /// `description`.
        description: Text<'a> = b"description" and "Site-Description" SiteDescription Document,
        /// `contact`: an email address.
        contact: OneText<'a> = b"contact" and "Site-Contact" SiteContact Document | "Contact" Contact,
        /// `privacyPolicy`: a URL.
        privacy_policy: Text<'a> = b"privacyPolicy" and "Site-Privacy-Policy" SitePrivacyPolicy Document | "Privacy-Policy" PrivacyPolicy,
    }

    /// Access rules, section 2.6.
    pub struct AccessObject at "2.6" {
        /// `allow`: patterns.
        allow: Texts<'a> = b"allow" and "Allow" Allow Document Repeated Commented,
        /// `disallow`: patterns; also read: a string, as one pattern.
        disallow: TextsOrOne<'a> = b"disallow" and "Disallow" Disallow Document Repeated Commented,
    }

    /// A capability, section 2.5.
    pub struct CapabilityObject at "2.5" {
        /// `id`, required.
        id: Text<'a> = b"id" and "Capability" Capability Opening Repeated,
        /// `parameters`; also read: `params`.
        parameters: Objects<'a> = b"parameters" | b"params" and "Param" Param InCapability Repeated,
        /// `description`.
        description: Text<'a> = b"description" and "Description" Description InCapability,
        /// `endpoint`, required: a full https URL.
        endpoint: Text<'a> = b"endpoint" and "Endpoint" Endpoint InCapability,
        /// `method`. Default: GET.
        method: Text<'a> = b"method" and "Method" Method InCapability,
        /// `protocol`, required.
        protocol: Text<'a> = b"protocol" and "Protocol" Protocol InCapability,
        /// `auth`: an object; also read: a string.
        auth: AuthValue<'a> = b"auth",
        /// `rateLimit`: an object; also read: a string `N/window`.
        rate_limit: RateValue<'a> = b"rateLimit",
        /// `openapi`: a URL.
        openapi: Text<'a> = b"openapi" and "OpenAPI" OpenApi InCapability,
        /// `scopes`, for an `auth` without scopes.
        scopes: Texts<'a> = b"scopes",
        /// `authEndpoint`, for an `auth` without a token endpoint; not in the draft.
        auth_endpoint: Text<'a> = b"authEndpoint",
    }

    /// Authentication of a capability.
    pub struct AuthObject at "2.5" {
        /// `type`.
        kind "type": Text<'a> = b"type" and "Auth" Auth InCapability,
        /// `tokenEndpoint`; also read: `endpoint` and `authEndpoint`.
        token_endpoint "token_url": Text<'a> = b"tokenEndpoint" | b"endpoint" | b"authEndpoint" and "Auth-Endpoint" AuthEndpoint InCapability,
        /// `docsUrl`.
        docs_url: Text<'a> = b"docsUrl" and "Auth-Docs" AuthDocs InCapability,
        /// `scopes`.
        scopes: Texts<'a> = b"scopes" and "Scopes" Scopes InCapability,
    }

    /// A rate limit.
    pub struct RateLimitObject at "2.5" {
        /// `requests`: a positive integer.
        requests: Number<'a> = b"requests" and "Rate-Limit" RateLimit InBoth,
        /// `window`: second, minute, hour or day.
        window: Text<'a> = b"window",
    }

    /// A policy for one agent, section 2.7.
    pub struct AgentObject at "2.7" {
        /// `name`, for policies in an array.
        name: Text<'a> = b"name" and "Agent" Agent Opening Repeated Commented,
        /// `rateLimit`: an object; also read: a string `N/window`.
        rate_limit: RateValue<'a> = b"rateLimit",
        /// `capabilities`: ids. Absent means all; an unreadable value means none.
        capabilities: Texts<'a> = b"capabilities" and "Capabilities" Capabilities InAgent Commented,
        /// `agentDeclaration`: a URL.
        agent_declaration "declaration": Text<'a> = b"agentDeclaration" and "Agent-Declaration" AgentDeclaration InAgent,
    }

    /// A parameter of a capability.
    pub struct ParameterObject at "2.5" {
        /// `name`, required.
        name: Text<'a> = b"name",
        /// `in`, required.
        location: Text<'a> = b"in",
        /// `location`, which is read if `in` is absent; not in the draft.
        other_location: Text<'a> = b"location",
        /// `type`, required.
        kind "type": Text<'a> = b"type",
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
