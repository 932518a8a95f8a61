//! The codes of diagnostics: the one table from which [`Code`], `agentsdisc explain`, the rules in SARIF
//! and docs/diagnostics.md are made.
//!
//! A row has the variant, the code, the usual severity, the group, what the span covers, the meaning,
//! why it matters, and the smallest documents of a format that have and do not have the finding. A test
//! checks both, at the origin <https://mugs.example>. A code that depends on a size or an option has
//! no example. To add a code, add a row at its alphabetical place.

use core::fmt;

use super::Severity;

/// A document that has a finding, and one that does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The id of the format.
    pub format: &'static str,
    /// A document that has the finding.
    pub wrong: &'static str,
    /// The same document without it.
    pub right: &'static str,
}

/// What a diagnostic is about. Its page in the documentation has the codes of one group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Group {
    /// Bytes, lines, indentation, comments and front matter.
    Text,
    /// Names of fields, and which of them are there.
    Fields,
    /// Types and values of fields.
    Values,
    /// URLs, endpoints and origins.
    Urls,
    /// Access rules, authentication, and references between capabilities.
    Rules,
    /// Sections, titles and links of Markdown.
    Sections,
    /// What the check left out.
    Checking,
}

macro_rules! codes {
    ($($name:ident $text:literal $severity:ident of $group:ident at $at:literal $about:literal $why:literal
        $(in $format:literal wrong $wrong:literal right $right:literal)?;)*) => {
        /// The kind of a diagnostic. A code has the same meaning in every format.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        pub enum Code { $(#[doc = $about] $name,)* }

        impl Code {
            /// All codes, in alphabetical order.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// Returns the stable kebab-case name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Returns the usual severity. The pages in `docs/formats/` name rules that use another one.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// Returns the group, for which the documentation has a page.
            pub const fn group(self) -> Group {
                match self { $(Self::$name => Group::$group,)* }
            }

            /// Returns what the span of such a diagnostic covers.
            pub const fn points_at(self) -> &'static str {
                match self { $(Self::$name => $at,)* }
            }

            /// Returns the meaning of the code.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$name => $about,)* }
            }

            /// Returns why it matters.
            pub const fn why(self) -> &'static str {
                match self { $(Self::$name => $why,)* }
            }

            /// Returns a wrong and a right document, if small ones can show the difference.
            #[allow(unreachable_code)]
            pub const fn example(self) -> Option<Example> {
                match self {
                    $(Self::$name => {
                        $(return Some(Example { format: $format, wrong: $wrong, right: $right });)?
                        None
                    })*
                }
            }
        }
    };
}

codes! {
    BaseUrlPath "base-url-path" Info of Urls at "the base URL"
        "The base URL has a path: a reference that is a path is appended to it, although RFC 3986 would replace it or its last segment."
        "Readers join paths differently: RFC 3986 would drop the path of the base, so one of them calls a wrong URL."
        in "adp" wrong r#"{"base_url": "https://api.mugs.example/v2", "capabilities": [{"name": "search", "detail_url": "/search"}]}"# right r#"{"base_url": "https://api.mugs.example", "capabilities": [{"name": "search", "detail_url": "/v2/search"}]}"#;
    BaseUrlQuery "base-url-query" Warning of Urls at "the base URL"
        "The base URL has a query or fragment, which is dropped where a reference is resolved with it."
        "The query is dropped when a reference is resolved, so what it states never reaches the server."
        in "adp" wrong r#"{"base_url": "https://api.mugs.example/?v=1"}"# right r#"{"base_url": "https://api.mugs.example"}"#;
    ByteOrderMark "byte-order-mark" Info of Text at "the mark"
        "The document starts with a UTF-8 byte order mark, which is skipped."
        "Some readers take the mark for a part of the first field and lose that line."
        in "robots-txt" wrong "\
\u{feff}User-agent: *
Disallow: /cart/
" right "\
User-agent: *
Disallow: /cart/
";
    CompanionLocation "companion-location" Warning of Urls at "the value"
        "The URL of the companion document is off the site or off the well-known path, where agents do not look."
        "Agents look for the companion only at the well-known path of the site."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Agents-JSON: https://mugs.example/files/agents.json
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Agents-JSON: https://mugs.example/.well-known/agents.json
Allow: /
";
    Contradiction "contradiction" Warning of Rules at "the value"
        "Two members contradict each other; the stricter one counts, or the one that the message names."
        "Two readers of the document behave differently, and decisions take the stricter value."
        in "agents-json-0.1" wrong r#"{"rate_limit": {"requests_per_minute": 5, "max_requests_per_minute": 50}}"# right r#"{"rate_limit": {"requests_per_minute": 5}}"#;
    ControlCharacter "control-character" Warning of Text at "the character"
        "A text document contains a control character other than tab and line end, or a blank or an invisible mark that is not ASCII."
        "An invisible character makes a rule match other paths than those that a person reads."
        in "robots-txt" wrong "\
User-agent: *
Disallow: /cart/\u{200b}
" right "\
User-agent: *
Disallow: /cart/
";
    CredentialInDocument "credential-in-document" Error of Rules at "the value"
        "A value looks like a real credential. The message does not repeat it."
        "Everybody can read the document, so the key must count as stolen."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
# key AKIAR5WM3TQZ8NVC2KXB
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
# ask keys@mugs.example for a key
Allow: /
";
    CrossOriginEndpoint "cross-origin-endpoint" Error of Urls at "the endpoint"
        "An endpoint is on another registrable domain than the document (warning if that is uncertain, info if it is written as an absolute URL)."
        "Agents do not send requests or credentials to another site unless their user approves it."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://cups.example/search
  Protocol: REST
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/search
  Protocol: REST
";
    DependencyCycle "dependency-cycle" Error of Rules at "the key of one action of the cycle"
        "Actions require each other, so none of them can ever run."
        "No order exists in which the actions can run."
        in "awp" wrong r#"{"dependencies": {"pay": ["ship"], "ship": ["pay"]}}"# right r#"{"dependencies": {"ship": ["pay"]}}"#;
    DeprecatedField "deprecated-field" Info of Fields at "the key"
        "A field is of an older version of the specification; it is read."
        "Newer readers do not know the member."
        in "a2a-agent-card" wrong r#"{"name": "Mugs", "supportedInterfaces": [{"url": "https://mugs.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}], "protocolVersion": "1.0"}"# right r#"{"name": "Mugs", "supportedInterfaces": [{"url": "https://mugs.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}"#;
    DisallowedEndpoint "disallowed-endpoint" Warning of Rules at "the endpoint"
        "The document's own Disallow rules deny the endpoint of a capability that it declares."
        "Agents that respect the rules cannot call the capability."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Disallow: /api/
Capability: search
  Endpoint: https://mugs.example/api/search
  Protocol: REST
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Disallow: /cart/
Capability: search
  Endpoint: https://mugs.example/api/search
  Protocol: REST
";
    DocumentCut "document-cut" Warning of Text at "what is left out"
        "A robots.txt is longer than the limit: the line that crosses the limit and everything after it have no effect."
        "The rules behind the limit do not protect the site.";
    DuplicateAgent "duplicate-agent" Warning of Rules at "the second name"
        "Two policies have the same agent name (letter case ignored); the last one counts."
        "Readers take different ones of the policies."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Agent: MugBot
  Capabilities: search
Agent: mugbot
  Capabilities: order
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Agent: MugBot
  Capabilities: search, order
";
    DuplicateField "duplicate-field" Warning of Fields at "the later key (of `Flow-Description` the earlier one)"
        "A field with a single value is repeated; the last one counts."
        "Readers take different ones of the values."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Site-Name: Cups
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Allow: /
";
    DuplicateId "duplicate-id" Error of Rules at "the second id"
        "Two capabilities or actions have the same id (warning for flows of one name)."
        "An agent cannot name one of the capabilities, and readers call different ones."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/a
  Protocol: REST
Capability: search
  Endpoint: https://mugs.example/b
  Protocol: REST
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/a
  Protocol: REST
Capability: find
  Endpoint: https://mugs.example/b
  Protocol: REST
";
    DuplicateSection "duplicate-section" Warning of Sections at "the second heading"
        "A known section occurs again; the items of all of them count."
        "A reader that takes one section misses the items of the others."
        in "agents-md" wrong "\
# Mugs

## Can

- Browse

## Can

- Compare
" right "\
# Mugs

## Can

- Browse
- Compare
";
    EmptyValue "empty-value" Warning of Values at "the value, or the key if there is none"
        "A value or an item of a list is empty (error if it is required)."
        "A required member that is empty states as little as a missing one."
        in "agents-json" wrong r#"{"specVersion": "1.0", "site": {"name": "", "url": "https://mugs.example"}}"# right r#"{"specVersion": "1.0", "site": {"name": "Mugs", "url": "https://mugs.example"}}"#;
    EndpointLocation "endpoint-location" Info of Urls at "the endpoint"
        "An endpoint is not at the recommended path."
        "Readers try the recommended path before they read the document."
        in "agents-md" wrong "\
# Mugs

## MCP

endpoint: https://mugs.example/mcp
" right "\
# Mugs

## MCP

endpoint: https://mugs.example/.well-known/mcp
";
    EntryWithoutLink "entry-without-link" Info of Sections at "the item"
        "An item in a section of links has no link; only the first one of a section is reported."
        "Readers collect the links of a section and skip everything else."
        in "llms-txt" wrong "\
# Mugs

## Docs

- The manual
- [API](https://mugs.example/api.md)
" right "\
# Mugs

## Docs

- [Manual](https://mugs.example/manual.md)
- [API](https://mugs.example/api.md)
";
    FieldInComment "field-in-comment" Warning of Text at "the field in the comment"
        "A header field is in a comment, as some generators write it; it is read because the field itself is missing."
        "Readers skip comments, so for them the field is missing."
        in "agents-txt" wrong "\
# Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Allow: /
";
    ImpliedAuth "implied-auth" Warning of Rules at "the value that implies it"
        "No authentication type is given, but another field implies one."
        "An agent has to guess how to authenticate."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: order
  Endpoint: https://mugs.example/orders
  Protocol: REST
  Scopes: orders
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: order
  Endpoint: https://mugs.example/orders
  Protocol: REST
  Auth: oauth2
  Auth-Endpoint: https://mugs.example/token
  Scopes: orders
";
    ImpliedPrefix "implied-prefix" Info of Rules at "the header"
        "A custom header is named without a prefix: agents send the bare key, without `Bearer`."
        "A server that expects `Bearer` before the key rejects the bare key."
        in "adp" wrong r#"{"auth": {"type": "api_key", "header": "X-Api-Key"}}"# right r#"{"auth": {"type": "api_key", "header": "X-Api-Key", "prefix": ""}}"#;
    IndentedField "indented-field" Warning of Text at "the key"
        "A top-level field is indented; it is still read as a top-level field, except for what the block of an agent allows."
        "Indentation makes a field look like a part of a block, and other readers may take it for one."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
  Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Allow: /
";
    InlineComment "inline-comment" Warning of Text at "the comment"
        "A value contains a blank and a #. In patterns, agent names and lists of capabilities of agents.txt this begins a comment; elsewhere it is part of the value."
        "Other readers take the comment for a part of the value."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Disallow: /cart/ # not for agents
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
# not for agents
Disallow: /cart/
";
    InsecureUrl "insecure-url" Error of Urls at "the value"
        "A URL is http or ws where a secure scheme is required (info on localhost and loopback addresses)."
        "Anybody on the way can read and change the request, also its credentials."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: http://mugs.example/search
  Protocol: REST
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/search
  Protocol: REST
";
    InvalidLength "invalid-length" Error of Values at "the value"
        "A text is shorter or longer than allowed."
        "Readers cut or reject texts of other lengths."
        in "mcp-server-card" wrong r#"{"name": "com.example/mugs", "description": "Finds mugs and cups of clay. Finds mugs and cups of clay. Finds mugs and cups of clay. Finds mugs and cups of clay. "}"# right r#"{"name": "com.example/mugs", "description": "Finds mugs and cups of clay."}"#;
    InvalidRateLimit "invalid-rate-limit" Error of Values at "the value"
        "A rate limit is not a positive integer and a window (warning if it is zero)."
        "A limit that cannot be read protects nothing."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/search
  Protocol: REST
  Rate-Limit: often
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/search
  Protocol: REST
  Rate-Limit: 30/minute
";
    InvalidTimestamp "invalid-timestamp" Error of Values at "the value"
        "A date and time is not in ISO 8601 format."
        "Readers cannot tell how old the document is."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Generated-At: yesterday
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Generated-At: 2026-02-01T00:00:00Z
Allow: /
";
    InvalidUrl "invalid-url" Error of Urls at "the value"
        "A value is not a valid absolute URL."
        "No client can request it."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: mugs.example
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Allow: /
";
    InvalidValue "invalid-value" Error of Values at "the value"
        "A value is not one of the values that the field allows."
        "Readers ignore values that they do not know, or reject the document."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/search
  Protocol: HTTP
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/search
  Protocol: REST
";
    LinkWithoutUrl "link-without-url" Warning of Sections at "the link"
        "A link has no URL, or refers to a definition that is missing."
        "There is nothing that a reader could request."
        in "llms-txt" wrong "\
# Mugs

## Docs

- [API]()
- [Manual](https://mugs.example/manual.md)
" right "\
# Mugs

## Docs

- [API](https://mugs.example/api.md)
- [Manual](https://mugs.example/manual.md)
";
    LoneSurrogate "lone-surrogate" Warning of Text at "the value"
        "A JSON string escapes half of a surrogate pair; it reads as U+FFFD."
        "No text has half of a character, so readers replace or reject it."
        in "agents-json" wrong r#"{"specVersion": "1.0", "site": {"name": "Mugs \ud83d", "url": "https://mugs.example"}}"# right r#"{"specVersion": "1.0", "site": {"name": "Mugs \ud83c\udf75", "url": "https://mugs.example"}}"#;
    LongLine "long-line" Warning of Text at "the line"
        "A line is longer than the limit and is skipped."
        "Readers skip the line, so what it states is lost.";
    MalformedLine "malformed-line" Error of Text at "the line"
        "A line is not a field, a comment or blank: it has no colon, or nothing before it."
        "Readers skip the line, so what it states is lost."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
these are the rules
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
# these are the rules
Allow: /
";
    MisplacedField "misplaced-field" Warning of Fields at "the key"
        "A field of a block appears outside such a block."
        "A field outside of its block belongs to no capability, so it has no effect."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Protocol: REST
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/search
  Protocol: REST
";
    MisplacedFrontMatter "misplaced-front-matter" Error of Text at "the line"
        "What looks like front matter does not start on the first line, or its first line is not exactly three dashes; it is read as Markdown."
        "Readers look for front matter only at the start, so its settings are lost."
        in "agents-md" wrong "\n\
---
version: 1.0
---

# Mugs

## Can

- Browse
" right "\
---
version: 1.0
---

# Mugs

## Can

- Browse
";
    MisplacedPart "misplaced-part" Warning of Sections at "the part"
        "A part of the document is not where the specification puts it: text before the title, a summary behind other text, a link in no section, a heading of a lower level (info for the last two)."
        "Readers look for the title first and for the summary directly below it."
        in "llms-txt" wrong "\
Mugs of clay.

# Mugs

## Docs

- [API](https://mugs.example/api.md)
" right "\
# Mugs

> Mugs of clay.

## Docs

- [API](https://mugs.example/api.md)
";
    MissingColon "missing-colon" Warning of Text at "the line"
        "A field has no colon; it is read because a blank separates its name from a single word."
        "Many readers skip a line without a colon, so the rule has no effect for them."
        in "robots-txt" wrong "\
User-agent: *
Disallow /cart/
" right "\
User-agent: *
Disallow: /cart/
";
    MissingConfirmation "missing-confirmation" Warning of Rules at "the sensitivity"
        "An irreversible action does not require confirmation by a person (info if it is only destructive)."
        "An agent may do what cannot be undone without asking a person."
        in "awp" wrong r#"{"actions": [{"id": "close", "auth_required": true, "sensitivity": "irreversible"}]}"# right r#"{"actions": [{"id": "close", "auth_required": true, "sensitivity": "irreversible", "requires_human_confirmation": true}]}"#;
    MissingRecommendedField "missing-recommended-field" Warning of Fields at "the object or block"
        "A field that is expected here is missing."
        "Agents work without the field, but have to guess what it would say."
        in "awp" wrong r#"{"actions": []}"# right r#"{"actions": [], "errors": {"RATE_LIMITED": {"recovery": "wait 60 seconds"}}}"#;
    MissingRequiredField "missing-required-field" Error of Fields at "the object or block"
        "A required field is missing."
        "Readers may reject the document without it."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Allow: /
";
    MisspelledField "misspelled-field" Warning of Fields at "the key"
        "The specification does not define the field, but one with a similar name; the field has no effect."
        "The field has no effect under this name."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Dissalow: /cart/
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Disallow: /cart/
Allow: /
";
    NoAccessRules "no-access-rules" Info of Rules at "the start"
        "The document has no access rules: only the endpoints of capabilities are permitted."
        "Agents may access only the endpoints of capabilities, which is rarely meant."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Allow: /
";
    NoKnownSection "no-known-section" Warning of Sections at "the start"
        "The document has none of the sections that the specification defines."
        "Nothing in the document tells an agent what it may do."
        in "agents-md" wrong "\
# Mugs

## Hello

Mugs of clay.
" right "\
# Mugs

## Can

- Browse
";
    NonstandardContact "nonstandard-contact" Warning of Values at "the value"
        "A contact is not a plain email address (info if it is a mailto: URL)."
        "Software that writes to the address fails."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Site-Contact: https://mugs.example/contact
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Site-Contact: agents@mugs.example
Allow: /
";
    NonstandardField "nonstandard-field" Warning of Fields at "the key"
        "A field has a name that the specification does not define; it is read."
        "Other readers may not know the name, so the line has no effect for them."
        in "robots-txt" wrong "\
User agent: *
Disallow: /cart/
" right "\
User-agent: *
Disallow: /cart/
";
    NonstandardLink "nonstandard-link" Warning of Sections at "the link"
        "An entry is not a list item that begins with a link; it is read (info if only the colon before the notes is missing)."
        "Readers collect list items that begin with a link."
        in "llms-txt" wrong "\
# Mugs

## Docs

- See [the API](https://mugs.example/api.md)
" right "\
# Mugs

## Docs

- [API](https://mugs.example/api.md): how to search
";
    NonstandardShape "nonstandard-shape" Warning of Values at "the value"
        "A member has a shape or name that the specification does not define; it is read."
        "Other readers may not know the shape, so they lose the value."
        in "agents-json" wrong r#"{"specVersion": "1.0", "capabilities": [{"id": "search", "params": []}]}"# right r#"{"specVersion": "1.0", "capabilities": [{"id": "search", "parameters": []}]}"#;
    NotChecked "not-checked" Info of Checking at "the start"
        "Part of the check was skipped because the scratch buffer is too small."
        "Two names may be equal without a finding.";
    NotUtf8 "not-utf8" Warning of Text at "the first invalid byte"
        "The document is not UTF-8; its bytes are compared as they are."
        "Readers decode the bytes differently, so a rule may match other paths.";
    OneSpaceIndent "one-space-indent" Warning of Text at "the line"
        "One space does not count as indentation: the line is read as not indented."
        "Readers may take the line for a part of the block or not."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
 Endpoint: https://mugs.example/search
  Protocol: REST
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/search
  Protocol: REST
";
    OriginMismatch "origin-mismatch" Warning of Urls at "the value"
        "The document names another origin than the one it was fetched from."
        "Agents do not believe what a site says of another site."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://cups.example
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Allow: /
";
    PatternWithoutSlash "pattern-without-slash" Warning of Rules at "the pattern"
        "A path pattern does not begin with / or *, so it matches nothing."
        "The rule matches no path, so what should be closed stays open."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Disallow: cart/
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Disallow: /cart/
";
    Placeholder "placeholder" Warning of Values at "the value"
        "A URL contains a placeholder, which is kept and not resolved."
        "Agents cannot request the URL without a value that only their user knows."
        in "adp" wrong r#"{"base_url": "https://{store}.mugs.example"}"# right r#"{"base_url": "https://api.mugs.example"}"#;
    PrivateAddress "private-address" Warning of Urls at "the URL"
        "A public document refers to an address of a private or local network, which nobody else can reach."
        "Nobody outside of the network can reach it, and clients refuse it."
        in "ai-catalog" wrong r#"{"specVersion": "1.0", "entries": [{"identifier": "urn:air:mugs.example:finder", "displayName": "Finder", "type": "application/a2a-agent-card+json", "url": "https://192.168.0.7/card.json"}]}"# right r#"{"specVersion": "1.0", "entries": [{"identifier": "urn:air:mugs.example:finder", "displayName": "Finder", "type": "application/a2a-agent-card+json", "url": "https://mugs.example/card.json"}]}"#;
    RelativeUrl "relative-url" Info of Urls at "the URL"
        "A URL is relative, so readers must know where the document comes from."
        "A copy of the document, in a model's context for example, does not say from which site it is."
        in "llms-txt" wrong "\
# Mugs

## Docs

- [API](/api.md)
" right "\
# Mugs

## Docs

- [API](https://mugs.example/api.md)
";
    RequiredExtension "required-extension" Info of Fields at "the identifier"
        "An extension of the protocol is required, so callers that do not support it are refused."
        "Callers that do not support the extension are refused."
        in "a2a-agent-card" wrong r#"{"name": "Mugs", "capabilities": {"extensions": [{"uri": "https://mugs.example/ext/v1", "required": true}]}}"# right r#"{"name": "Mugs", "capabilities": {"extensions": [{"uri": "https://mugs.example/ext/v1", "required": false}]}}"#;
    SectionWithoutLinks "section-without-links" Warning of Sections at "the heading"
        "A section that is for links has none."
        "Readers collect the links of each section; a section without links gives them nothing."
        in "llms-txt" wrong "\
# Mugs

## Docs
" right "\
# Mugs

## Docs

- [API](https://mugs.example/api.md)
";
    SelfReference "self-reference" Warning of Urls at "the URL"
        "A catalog lists itself, so a reader that follows its entries would not end."
        "A reader that follows the entries would not end."
        in "ai-catalog" wrong r#"{"specVersion": "1.0", "entries": [{"identifier": "urn:air:mugs.example:all", "displayName": "All", "type": "application/ai-catalog+json", "url": "https://mugs.example/.well-known/ai-catalog.json"}]}"# right r#"{"specVersion": "1.0", "entries": [{"identifier": "urn:air:mugs.example:more", "displayName": "More", "type": "application/ai-catalog+json", "url": "https://mugs.example/more.json"}]}"#;
    SeveralTitles "several-titles" Warning of Sections at "the later heading"
        "The document has more than one heading of the first level; the first one is its title."
        "A reader that takes the last title, or expects one, reads another name."
        in "llms-txt" wrong "\
# Mugs

# Docs

- [API](https://mugs.example/api.md)
" right "\
# Mugs

## Docs

- [API](https://mugs.example/api.md)
";
    SeveralValues "several-values" Warning of Values at "the value"
        "A value looks like a list of values, but may be read as a single value."
        "The line is one pattern, and no path has a blank, so the rule matches nothing."
        in "robots-txt" wrong "\
User-agent: *
Disallow: /cart/ /account/
" right "\
User-agent: *
Disallow: /cart/
Disallow: /account/
";
    ShadowedSection "shadowed-section" Warning of Sections at "the heading"
        "The front matter has the same content as this section; the front matter counts."
        "The front matter counts, so what the section says is lost."
        in "agents-md" wrong "\
---
mcp:
  endpoint: https://mugs.example/.well-known/mcp
---

# Mugs

## MCP

endpoint: https://mugs.example/mcp
" right "\
---
mcp:
  endpoint: https://mugs.example/.well-known/mcp
---

# Mugs

## Can

- Browse
";
    TooManyDiagnostics "too-many-diagnostics" Info of Checking at "the next one"
        "More diagnostics were found than are reported."
        "The findings that are left out may be the important ones.";
    UnclosedFrontMatter "unclosed-front-matter" Error of Text at "the first line"
        "Front matter is not closed; the document is read as Markdown from its first line."
        "Without its end, nothing of the front matter is read."
        in "agents-md" wrong "\
---
version: 1.0

# Mugs

## Can

- Browse
" right "\
---
version: 1.0
---

# Mugs

## Can

- Browse
";
    UnclosedGroup "unclosed-group" Warning of Rules at "the later User-agent line"
        "Two User-agent lines have fields but no rule between them, which does not end a group: both agents get the same rules."
        "Both agents get the rules of the second group."
        in "robots-txt" wrong "\
User-agent: MugBot
Crawl-delay: 5

User-agent: *
Disallow: /cart/
" right "\
User-agent: MugBot
Disallow:
Crawl-delay: 5

User-agent: *
Disallow: /cart/
";
    UnexpectedField "unexpected-field" Warning of Fields at "the key"
        "A field appears where the specification does not use it."
        "Other readers ignore it, so what it states has no effect for them."
        in "agents-txt-0.1" wrong "\
Site: Mugs
URL: https://mugs.example
Allow: mugs.search
Disallow: admin
" right "\
Site: Mugs
URL: https://mugs.example
Allow: mugs.search
";
    UnindentedBlockField "unindented-block-field" Warning of Text at "the key"
        "A field of a block is not indented; it is read into the open block."
        "Other readers may take it for a field of the document."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
Endpoint: https://mugs.example/search
  Protocol: REST
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/search
  Protocol: REST
";
    UnknownField "unknown-field" Info of Fields at "the key"
        "The specification does not define the field; it is kept as metadata."
        "Readers ignore it, so it has no effect."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Colour: red
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
# Colour: red
Allow: /
";
    UnknownProtocol "unknown-protocol" Info of Rules at "the key"
        "The name of a protocol is not registered."
        "Agents do not know how to call it."
        in "awp" wrong r#"{"protocols": {"telepathy": {"version": "1"}}}"# right r#"{"protocols": {"mcp": {"version": "2025-06-18", "endpoint": "https://mugs.example/mcp"}}}"#;
    UnknownReference "unknown-reference" Warning of Rules at "the reference"
        "A name refers to something that the document does not define."
        "An agent looks for something that does not exist."
        in "agents-txt" wrong "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Agent: MugBot
  Capabilities: serach
Capability: search
  Endpoint: https://mugs.example/search
  Protocol: REST
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Agent: MugBot
  Capabilities: search
Capability: search
  Endpoint: https://mugs.example/search
  Protocol: REST
";
    UnreadSection "unread-section" Warning of Sections at "the line or block"
        "A line looks like the heading of a known section but starts no section, or Cannot contains code or HTML; it is not read."
        "Readers find the section by its exact name."
        in "llms-txt" wrong "\
# Mugs

## Optional pages

- [History](https://mugs.example/history.md)
" right "\
# Mugs

## Optional

- [History](https://mugs.example/history.md)
";
    UnsupportedVersion "unsupported-version" Error of Fields at "the value"
        "The document follows a version that this library does not support."
        "A later version may give the fields another meaning."
        in "agents-txt" wrong "\
Spec-Version: 7.0
Site-Name: Mugs
Site-URL: https://mugs.example
Allow: /
" right "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Allow: /
";
    VagueRecovery "vague-recovery" Info of Values at "the value"
        "A recovery names no endpoint or action, and does not say to wait or retry, so software cannot follow it."
        "Software cannot follow a sentence that names no action, endpoint or time."
        in "awp" wrong r#"{"actions": [{"id": "order"}], "errors": {"SOLD_OUT": {"recovery": "try again tomorrow"}}}"# right r#"{"errors": {"SOLD_OUT": {"recovery": "wait 60 seconds, then retry"}}}"#;
    WrongType "wrong-type" Error of Values at "the value"
        "A member has a different JSON type than the specification defines, so it has no value."
        "The member has no value for readers."
        in "agents-json" wrong r#"{"specVersion": 1.0, "site": {"name": "Mugs", "url": "https://mugs.example"}}"# right r#"{"specVersion": "1.0", "site": {"name": "Mugs", "url": "https://mugs.example"}}"#;
    YamlUnsupported "yaml-unsupported" Warning of Text at "the piece"
        "A piece of YAML is not supported and counts as absent: an anchor, an alias, a tag, a tab as indentation, or invalid YAML."
        "Readers of front matter support a small part of YAML, so the piece is lost."
        in "agents-md" wrong "\
---
version: &v 1.0
---

# Mugs

## Can

- Browse
" right "\
---
version: 1.0
---

# Mugs

## Can

- Browse
";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
