//! Detects the format of a JSON object from its top-level members.
//!
//! A member, or the shape of its value, is a sign. [`RULES`] says which signs each format needs; of
//! the formats that have the signs they need, the one with the most signs wins. After a tie, the
//! format is unknown. The JSON formats of agents.txt have names that everybody uses
//! (`capabilities`, `site`), so they are also weighed against the members that they do not define
//! ([`Evidence::is_mostly`]), and a member that only another vocabulary has rules them out
//! ([`FOREIGN`]).

mod servers;

use servers::{is_mcp_transport, remote_signs, server_signs};

use super::{Detection, Evidence, Hints, Vocabulary, ends_with, is_foreign, note_text, trim_start};
use crate::format::Format;
use crate::scan;
use crate::syntax::json::{Member, Value, next_member};

signs! {
    SIGNS:
    AWP_VERSION = 0 "member awp_version",
    DOMAIN = 1 "member domain",
    INTENT = 2 "member intent",
    ACTIONS = 3 "member actions",
    SPEC_VERSION_SNAKE = 4 "member spec_version",
    BASE_URL = 5 "member base_url",
    DETAIL_URLS = 6 "capabilities with detail_url",
    AUTH = 7 "member auth",
    PRICING = 8 "member pricing",
    ENDPOINT = 9 "member endpoint",
    METHOD = 10 "member method",
    PARAMETERS = 11 "a list of parameters",
    EXAMPLES = 12 "member request_example or response_example",
    SUCCESS = 13 "member success",
    DATA = 14 "member data",
    MATCHING = 15 "results with matching_capabilities",
    EMPTY_DATA = 16 "an empty list of results",
    QUERY = 17 "member query",
    RESULT_COUNT = 18 "member result_count",
    SPEC_VERSION = 19 "member specVersion",
    SITE = 20 "member site with a name or a url",
    CAPABILITIES = 21 "member capabilities",
    CAPABILITY_LIST = 22 "a list of capability objects",
    CAPABILITY_FLAGS = 23 "an object of capability flags",
    DRAFT_SHAPE = 24 "capabilities with id and endpoint",
    LEGACY_SHAPE = 25 "capabilities with name and endpoint",
    ACCESS = 26 "member access with allow or disallow",
    SCHEMA_VERSION = 27 "member schema_version or protocol_version",
    LEGACY_MEMBER = 28 "member session, audit or docs_url",
    NAME_FOR_MODEL = 29 "member name_for_model",
    AGENTS_JSON = 30 "member agentsJson",
    OPENAPI = 31 "member openapi or swagger with a version",
    AID = 32 "member v with an AID version",
    NAME = 33 "member name",
    DESCRIPTION = 34 "member description",
    VERSION = 35 "member version",
    URL = 36 "member url",
    SKILLS = 37 "a list of skills with id",
    SKILL_FILES = 38 "a list of skills with files or digests",
    PROTOCOL_VERSION = 39 "member protocolVersion",
    MODES = 40 "member defaultInputModes or defaultOutputModes",
    INTERFACES = 41 "member supportedInterfaces, additionalInterfaces or preferredTransport",
    A2A_SCHEMA = 42 "a schema of A2A",
    SERVER_INFO = 43 "member serverInfo",
    REMOTES = 44 "remotes with a type",
    MCP_SERVERS = 45 "member mcpServers",
    MCP_MEMBER = 46 "a member that names an MCP server, version or transport",
    MCP_SCHEMA = 47 "a schema of MCP",
    TOOLS = 48 "a list of tools",
    TOOL_SCHEMAS = 49 "tools with inputSchema",
    PERMISSIONS = 50 "member resource_rules or action_guidelines",
    UCP = 51 "member ucp",
    KEYS = 52 "keys with kty",
    RESOURCE = 53 "member resource or resources",
    OAUTH = 54 "member authorization_servers, bearer_methods_supported or scopes_supported",
    X402 = 55 "member x402Version",
    WEBMCP = 56 "a version of WebMCP",
    AGENTS_TXT_COM = 57 "the standard agents-txt.com",
    W2A = 58 "member w2a",
    ENTRIES = 59 "a list of entries",
    LINKSET = 60 "member linkset",
    LINKED_DATA = 61 "member @context, @type or protocolType",
    OTHER_VOCABULARY = 62 "a mark of another vocabulary",
    MCP_SERVER = 63 "member mcp_server or mcp",
}

/// The signs that no document of a supported format has.
const FOREIGN: u64 = OTHER_VOCABULARY
    | LINKED_DATA
    | NAME_FOR_MODEL
    | OPENAPI
    | AID
    | UCP
    | X402
    | WEBMCP
    | AGENTS_TXT_COM
    | W2A
    | LINKSET;

/// The signs that are not members of their own, but the shape of another member's value.
const SHAPES: u64 = DETAIL_URLS
    | MATCHING
    | EMPTY_DATA
    | CAPABILITY_LIST
    | CAPABILITY_FLAGS
    | DRAFT_SHAPE
    | LEGACY_SHAPE
    | TOOL_SCHEMAS;

/// The members of both JSON formats of agents.txt.
const DRAFT: u64 = SPEC_VERSION | SITE | CAPABILITIES | ACCESS;
const LEGACY: u64 = SCHEMA_VERSION | SITE | CAPABILITIES | LEGACY_MEMBER;

const ADP: u64 = SPEC_VERSION_SNAKE | BASE_URL | DETAIL_URLS | AUTH | PRICING;
const AWP: u64 = AWP_VERSION | DOMAIN | INTENT | ACTIONS;
const DETAIL: u64 = ENDPOINT | METHOD | PARAMETERS;
const SEARCH: u64 = SUCCESS | DATA | QUERY | RESULT_COUNT;

/// The signs that only agent cards have, and all signs that count for agent cards.
const A2A_MARKS: u64 = SKILLS | MODES | INTERFACES | A2A_SCHEMA;
const A2A: u64 = A2A_MARKS | PROTOCOL_VERSION | URL | VERSION | CAPABILITY_FLAGS;

/// The same for server cards of the Model Context Protocol.
const MCP_MARKS: u64 = SERVER_INFO | REMOTES | MCP_SERVERS | MCP_MEMBER | MCP_SCHEMA | TOOL_SCHEMAS;
const MCP_PARTS: u64 = MCP_MARKS | TOOLS | CAPABILITY_FLAGS | PROTOCOL_VERSION | ENDPOINT;
const MCP: u64 = MCP_MARKS | NAME | VERSION | TOOLS | CAPABILITIES | PROTOCOL_VERSION | ENDPOINT;

/// The signs that a document needs for a format.
struct Rule {
    format: Format,
    /// The document needs all of these signs.
    all: u64,
    /// It needs at least one of these signs, unless this is 0.
    one: u64,
    /// It needs at least this many of the signs in `of`.
    least: u32,
    of: u64,
}

const fn rule(format: Format, all: u64, one: u64, (least, of): (u32, u64)) -> Rule {
    Rule { format, all, one, least, of }
}

/// The rules that apply at any path.
const RULES: [Rule; 29] = [
    rule(Format::Awp, AWP_VERSION, 0, (3, AWP)),
    rule(Format::AdpSearch, SUCCESS | DATA | MATCHING, 0, (0, SEARCH)),
    rule(Format::AdpSearch, SEARCH | EMPTY_DATA, 0, (0, 0)),
    rule(Format::Adp, 0, SPEC_VERSION_SNAKE | DETAIL_URLS, (3, ADP)),
    rule(Format::AdpCapability, DETAIL, EXAMPLES, (0, NAME | DESCRIPTION)),
    rule(Format::AdpCapability, DETAIL | NAME | DESCRIPTION, 0, (0, 0)),
    rule(Format::AgentsJson, SPEC_VERSION, SITE | DRAFT_SHAPE | LEGACY_SHAPE, (2, DRAFT)),
    rule(Format::AgentsJson01, SCHEMA_VERSION, SITE | LEGACY_SHAPE, (2, LEGACY)),
    rule(Format::AiPlugin, NAME_FOR_MODEL | SCHEMA_VERSION, 0, (0, 0)),
    rule(Format::OpenApi, OPENAPI, 0, (0, 0)),
    rule(Format::Aid, AID, 0, (0, 0)),
    rule(Format::WildcardAgentsJson, AGENTS_JSON, 0, (0, 0)),
    rule(Format::AgentPermissions, PERMISSIONS, 0, (0, 0)),
    rule(Format::McpServerCard, 0, MCP_MARKS, (2, MCP)),
    rule(Format::McpServerCard, 0, MCP_SERVERS | MCP_SCHEMA, (0, MCP)),
    rule(Format::McpServerCard, MCP_SERVER | TOOLS, 0, (0, MCP)),
    rule(Format::A2aAgentCard, NAME, A2A_MARKS, (3, A2A)),
    rule(Format::A2aAgentCard, NAME | DESCRIPTION, INTERFACES | A2A_SCHEMA, (2, A2A)),
    rule(Format::A2aAgentCard, NAME | INTERFACES | SKILLS, 0, (0, A2A)),
    rule(Format::AiCatalog, SPEC_VERSION | ENTRIES, 0, (0, 0)),
    rule(Format::AgentSkills, SKILL_FILES, 0, (0, 0)),
    rule(Format::ApiCatalog, LINKSET, 0, (0, 0)),
    rule(Format::UcpProfile, UCP, 0, (0, KEYS)),
    rule(Format::SignatureDirectory, KEYS, 0, (0, 0)),
    rule(Format::OauthProtectedResource, RESOURCE | OAUTH, 0, (0, 0)),
    rule(Format::X402, X402, 0, (0, RESOURCE)),
    rule(Format::WebMcp, WEBMCP, 0, (0, TOOLS | TOOL_SCHEMAS | NAME)),
    rule(Format::AgentsTxtCom, AGENTS_TXT_COM, 0, (0, SITE | VERSION)),
    rule(Format::W2a, W2A, 0, (0, SITE | SKILLS)),
];

/// The rules that need fewer signs at the format's own path, each with the end of such a path.
const PLACED: [(&str, Rule); 18] = [
    ("/agents.json", rule(Format::AgentsJson01, LEGACY_SHAPE, 0, (0, LEGACY))),
    ("/agents.json", rule(Format::AgentsJson, 0, ACCESS | DRAFT_SHAPE, (0, DRAFT))),
    ("/agents.json", rule(Format::AgentsJson, SITE | CAPABILITY_LIST, 0, (0, DRAFT))),
    ("/agent.json", rule(Format::Awp, AWP_VERSION, 0, (2, AWP))),
    ("/agent.json", rule(Format::Awp, DOMAIN | INTENT | ACTIONS, 0, (0, 0))),
    ("/.well-known/agent", rule(Format::Adp, 0, SPEC_VERSION_SNAKE | DETAIL_URLS, (2, ADP))),
    ("/agent-card.json", rule(Format::A2aAgentCard, NAME, A2A_MARKS | PROTOCOL_VERSION, (2, A2A))),
    ("/agent.json", rule(Format::A2aAgentCard, NAME, A2A_MARKS | PROTOCOL_VERSION, (2, A2A))),
    ("/server-card", rule(Format::McpServerCard, NAME, 0, (3, MCP | DESCRIPTION))),
    ("/server-card.json", rule(Format::McpServerCard, NAME, 0, (3, MCP | DESCRIPTION))),
    ("/mcp.json", rule(Format::McpServerCard, NAME, MCP_PARTS, (3, MCP | DESCRIPTION))),
    ("/server-card", rule(Format::McpServerCard, 0, MCP_MARKS | MCP_SERVER, (0, MCP))),
    ("/server-card.json", rule(Format::McpServerCard, 0, MCP_MARKS | MCP_SERVER, (0, MCP))),
    ("/mcp.json", rule(Format::McpServerCard, 0, MCP_MARKS | MCP_SERVER, (0, MCP))),
    ("/ai-catalog.json", rule(Format::AiCatalog, ENTRIES, 0, (0, 0))),
    ("/skills/index.json", rule(Format::AgentSkills, SKILLS, 0, (0, 0))),
    ("/agent-skills/index.json", rule(Format::AgentSkills, SKILLS, 0, (0, 0))),
    ("/.well-known/x402", rule(Format::X402, VERSION | RESOURCE, 0, (0, 0))),
];

impl Rule {
    /// True if all signs are there that the rule needs, whatever their number. Tested first, because
    /// few rules pass.
    #[inline(always)]
    fn has_needed(&self, e: &Evidence) -> bool {
        e.has(self.all) && (self.one == 0 || e.any(self.one))
    }

    /// The number of members that count for the format, if its rule has what it
    /// [needs](Self::has_needed); `None` if there are too few signs.
    #[inline(never)]
    fn count(&self, e: &Evidence) -> Option<u32> {
        let is_met = (self.least == 0 || e.count(self.of) >= self.least) && self.is_possible(e);
        is_met.then(|| e.count((self.all | self.one | self.of) & !SHAPES))
    }

    /// False if a sign, or the other members, show that the document has another vocabulary.
    fn is_possible(&self, e: &Evidence) -> bool {
        match self.format {
            Format::AgentsJson => {
                !e.any(FOREIGN)
                    && (e.has(SPEC_VERSION | SITE) && e.any(CAPABILITY_LIST | ACCESS)
                        || e.is_mostly(DRAFT, AGENTS_JSON))
                    && (e.any(SPEC_VERSION | DRAFT_SHAPE) || !e.any(LEGACY_SHAPE))
            }
            Format::AgentsJson01 => {
                let whole = SCHEMA_VERSION | SITE | CAPABILITY_LIST;
                !e.any(FOREIGN | AGENTS_JSON)
                    && (e.has(whole) || e.is_mostly(LEGACY, 0))
                    && (e.any(SCHEMA_VERSION) || !e.any(SPEC_VERSION | DRAFT_SHAPE))
            }
            // Beside members of the draft, `agentsJson` is the URL of the companion.
            Format::WildcardAgentsJson => !e.any(SPEC_VERSION | SITE | CAPABILITY_LIST | ACCESS),
            // Settings of clients and requests to models also contain servers and tools.
            Format::McpServerCard if !e.any(MCP_MARKS & !(MCP_SERVERS | TOOL_SCHEMAS)) => {
                !e.any(LINKED_DATA | WEBMCP) && e.is_mostly(MCP | MCP_SERVER | DESCRIPTION, 0)
            }
            Format::A2aAgentCard | Format::McpServerCard => !e.any(LINKED_DATA | WEBMCP),
            Format::Adp if !e.any(DETAIL_URLS) => {
                !e.any(FOREIGN) && e.is_mostly(ADP | CAPABILITIES | NAME | DESCRIPTION, 0)
            }
            // Other vocabularies are allowed in entries, and in the catalog itself.
            Format::AiCatalog => !e.any(FOREIGN & !LINKED_DATA),
            // No other vocabulary has link sets.
            Format::ApiCatalog => true,
            format => !format.is_read() || !e.any(FOREIGN),
        }
    }
}

impl Evidence {
    fn has(&self, signs: u64) -> bool {
        self.members & signs == signs
    }

    fn any(&self, signs: u64) -> bool {
        self.members & signs != 0
    }

    fn count(&self, signs: u64) -> u32 {
        (self.members & signs).count_ones()
    }

    /// True if more members belong to the format (`own`) than to others. The signs in `nobody` do
    /// not count at all.
    fn is_mostly(&self, own: u64, nobody: u64) -> bool {
        let others = self.count(!(own | nobody | SHAPES)) + self.unknown;
        self.count(own) > others
    }

    /// Records a top-level member of a JSON object.
    pub(crate) fn note_member(&mut self, name: &[u8], value: Value<'_>) {
        match sign_of(name, value) {
            Some(signs) => self.members |= signs,
            None => self.unknown = self.unknown.saturating_add(1),
        }
    }
}

/// The format that has the most signs of those whose rules are met; `None` if no rule is met.
#[inline]
fn best<'r>(rules: impl Iterator<Item = &'r Rule>, evidence: &Evidence) -> Option<Format> {
    let (mut format, mut most) = (None, 0);
    for rule in rules {
        let Some(count) = rule.has_needed(evidence).then(|| rule.count(evidence)).flatten() else {
            continue;
        };
        if format.is_none() || count > most {
            (format, most) = (Some(rule.format), count);
        } else if count == most && format != Some(rule.format) {
            format = Some(Format::Unknown);
        }
    }
    format
}

/// The format of a JSON object, from its top-level members.
pub(crate) fn json_format(evidence: Evidence, hints: &Hints<'_>) -> Detection {
    let (format, by_hint) = match best(RULES.iter(), &evidence) {
        Some(format) => (format, false),
        None if hints.url.is_none() => (Format::Unknown, false),
        None => {
            let path = hints.path();
            let there = PLACED.iter().filter(|(place, _)| ends_with(path, place));
            let format = best(there.map(|(_, rule)| rule), &evidence).unwrap_or_default();
            (format, format != Format::Unknown)
        }
    };
    Detection { format, evidence, by_hint }
}

/// Returns the manifest of the Agent Discovery Protocol in the response of a registry
/// (`data.manifest`), and its detection, if the object itself has no known format.
pub(crate) fn manifest_in_envelope<'a>(
    object: Value<'a>,
    found: Detection,
    forced: Option<Format>,
    hints: &Hints<'_>,
) -> Option<(Value<'a>, Detection)> {
    const OWN: u64 =
        SPEC_VERSION_SNAKE | NAME | DESCRIPTION | BASE_URL | AUTH | PRICING | CAPABILITIES;
    let format = forced.unwrap_or(found.format);
    let is_open = matches!((forced, format), (None, Format::Unknown) | (Some(_), Format::Adp));
    if !is_open || !found.evidence.has(DATA) || found.evidence.any(OWN) {
        return None;
    }
    let manifest = object.get("data")?.get("manifest")?;
    let mut evidence = Evidence::default();
    for member in manifest.members() {
        note_text(&mut evidence, member.name, member.value);
    }
    let inner = json_format(evidence, hints);
    (inner.format == Format::Adp).then_some((manifest, inner))
}

/// The signs of a top-level member. `None` for a member that no format defines; 0 for a member that
/// identifies no format, such as `metadata`.
fn sign_of(name: &[u8], value: Value<'_>) -> Option<u64> {
    let first = |names: &[(&str, u64)]| first_signs(value, names);
    let is_object = value.raw().first() == Some(&b'{');
    let is_list = value.raw().first() == Some(&b'[');
    let sign_if = |is_so: bool, sign: u64| if is_so { sign } else { 0 };
    Some(match name {
        b"awp_version" => AWP_VERSION,
        b"domain" => DOMAIN,
        b"intent" => INTENT,
        b"actions" => ACTIONS,
        b"spec_version" => SPEC_VERSION_SNAKE,
        b"base_url" => BASE_URL,
        b"auth" => AUTH,
        b"pricing" => PRICING,
        b"endpoint" => ENDPOINT,
        b"method" => METHOD,
        b"parameters" => {
            sign_if(is_empty_list(value) || first(&[("name", 1), ("type", 1)]) != 0, PARAMETERS)
        }
        b"request_example" | b"response_example" => EXAMPLES,
        b"success" => SUCCESS,
        b"data" => {
            let shape = if is_empty_list(value) {
                EMPTY_DATA
            } else {
                first(&[("matching_capabilities", MATCHING)])
            };
            DATA | shape
        }
        b"query" => QUERY,
        b"result_count" => RESULT_COUNT,
        b"specVersion" => SPEC_VERSION,
        b"site" => sign_if(has_any(value, &["name", "url"]), SITE),
        b"capabilities" => CAPABILITIES | capability_signs(value),
        b"access" => sign_if(has_any(value, &["allow", "disallow"]), ACCESS),
        b"schema_version" | b"protocol_version" => SCHEMA_VERSION,
        b"session" | b"audit" | b"docs_url" => LEGACY_MEMBER,
        b"name_for_model" => NAME_FOR_MODEL,
        b"agentsJson" => AGENTS_JSON,
        b"openapi" | b"swagger" => {
            sign_if(has_text(value, |text| text.starts_with(DIGITS)), OPENAPI)
        }
        b"v" => sign_if(has_text(value, |text| text == "aid1" || text == "aid2"), AID),
        b"name" => NAME,
        b"description" => DESCRIPTION,
        b"version" => VERSION,
        b"url" => URL,
        b"skills" => skill_signs(value),
        b"protocolVersion" => PROTOCOL_VERSION,
        b"defaultInputModes" | b"defaultOutputModes" => MODES,
        b"supportedInterfaces" | b"additionalInterfaces" | b"preferredTransport" => INTERFACES,
        b"serverInfo" => sign_if(is_object, SERVER_INFO),
        b"remotes" => remote_signs(value),
        b"mcpServers" => sign_if(is_object, MCP_SERVERS),
        b"servers" | b"transports" | b"endpoints" => match server_signs(name, value) {
            0 => return None,
            signs => signs,
        },
        b"mcp" => sign_if(value.get("endpoint").or(value.get("url")).is_some(), MCP_SERVER),
        b"mcp_server" => MCP_SERVER,
        b"mcp_version" | b"mcpVersion" | b"serverUrl" => MCP_MEMBER,
        b"protocol" => {
            sign_if(has_text(value, |text| text.eq_ignore_ascii_case("mcp")), MCP_MEMBER)
        }
        b"transport" => sign_if(
            has_text(value, is_mcp_transport) || value.get("endpoint").is_some(),
            MCP_MEMBER,
        ),
        b"tools" => {
            sign_if(is_list, TOOLS)
                | first(&[("inputSchema", TOOL_SCHEMAS), ("input_schema", TOOL_SCHEMAS)])
        }
        b"resource_rules" | b"action_guidelines" => PERMISSIONS,
        b"ucp" => sign_if(is_object, UCP),
        // The keys of Web Bot Auth have this type; the keys of an OAuth server have others.
        b"keys" => {
            let is_edwards = |member: &Member<'_>| {
                member.name == "kty" && has_text(member.value, |kind| kind == "OKP")
            };
            sign_if(first_members(value).any(|member| is_edwards(&member)), KEYS)
        }
        b"type" if has_text(value, |kind| kind.starts_with("https://")) => LINKED_DATA,
        b"resource" | b"resources" => RESOURCE,
        b"authorization_servers" | b"bearer_methods_supported" | b"scopes_supported" => OAUTH,
        b"x402Version" => X402,
        b"webmcp_version" | b"webmcpVersion" => WEBMCP,
        b"spec" if has_text(value, |text| text.starts_with("webmcp")) => WEBMCP,
        b"w2a" => W2A,
        b"entries" => sign_if(is_list, ENTRIES),
        b"linkset" => sign_if(is_list, LINKSET),
        b"@context" | b"@type" | b"protocolType" => LINKED_DATA,
        b"$schema" | b"standard" | b"Standard" => schema_signs(value),
        b"schema" | b"@schema" | b"_schema" | b"schemaUrl" | b"schema_url" | b"spec"
        | b"specification"
            if scan::find(value.raw(), b"://").is_some() =>
        {
            schema_signs(value)
        }
        b"schema" | b"spec" => 0,
        b"agents_json" => OTHER_VOCABULARY,
        b"x402" if is_object => OTHER_VOCABULARY,
        // Members that formats define, but that identify no format.
        b"generatedAt" | b"declarationType" | b"operatesOn" | b"agents" | b"metadata"
        | b"allow" | b"disallow" | b"flows" | b"rate_limit" | b"protocols" | b"entities"
        | b"errors" | b"dependencies" | b"agent_hints" | b"agent_status" | b"source"
        | b"generated_by" | b"confidence" | b"last_verified" | b"auth_scopes" | b"rate_limits" => 0,
        _ if is_foreign(name) => OTHER_VOCABULARY,
        _ => return None,
    })
}

/// The digits with which a version begins.
const DIGITS: [char; 10] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];

/// True if a value is a string without escapes that meets a condition.
fn has_text(value: Value<'_>, meets: impl Fn(&str) -> bool) -> bool {
    let text = value.as_text().filter(|text| !text.is_escaped());
    text.and_then(|text| text.as_str()).is_some_and(meets)
}

fn is_empty_list(value: Value<'_>) -> bool {
    value.raw().first() == Some(&b'[') && trim_start(value.inside(b'[')).is_empty()
}

/// The shape of `capabilities`: objects in a list, or flags in an object.
fn capability_signs(value: Value<'_>) -> u64 {
    match value.raw().first() {
        Some(b'{') => CAPABILITY_FLAGS,
        Some(b'[') => match trim_start(value.inside(b'[')).first() {
            None => CAPABILITY_LIST,
            Some(b'{') => CAPABILITY_LIST | capability_shape(value),
            Some(_) => 0,
        },
        _ => 0,
    }
}

/// The shape of a list of capabilities. An id or a name alone identifies no vocabulary.
fn capability_shape(value: Value<'_>) -> u64 {
    const CALLED: u64 = 1;
    let found = first_signs(
        value,
        &[
            ("detail_url", DETAIL_URLS),
            ("id", DRAFT_SHAPE),
            ("name", LEGACY_SHAPE),
            ("endpoint", CALLED),
            ("method", CALLED),
        ],
    );
    let is_called = found & CALLED != 0;
    found & if is_called { !CALLED } else { DETAIL_URLS }
}

/// The shape of `skills`: those of an agent card have ids, those of an index have files.
fn skill_signs(value: Value<'_>) -> u64 {
    if is_empty_list(value) {
        return SKILLS;
    }
    // The members of a skill in an index, without the digest, which is often missing.
    const INDEXED: u64 = 1 | 2 | 4 | 8;
    let signs = first_signs(
        value,
        &[
            ("name", 1),
            ("type", 2),
            ("description", 4),
            ("url", 8),
            ("id", SKILLS),
            ("files", SKILL_FILES),
            ("digest", SKILL_FILES),
            ("sha256", SKILL_FILES),
        ],
    );
    let is_indexed = signs & SKILL_FILES != 0 || signs & INDEXED == INDEXED;
    if is_indexed { SKILL_FILES } else { signs & SKILLS }
}

/// The signs of vocabularies that name their schema or standard, by a part of its URL. 0: the
/// vocabulary is known, but the URL is not a sign.
const SCHEMAS: [(&[u8], u64); 12] = [
    (b"agents-txt.com", AGENTS_TXT_COM),
    (b"modelcontextprotocol", MCP_SCHEMA),
    (b"agentskills", SKILL_FILES),
    (b"agent-skills", SKILL_FILES),
    (b"a2a", A2A_SCHEMA),
    (b"kaylacar/agents-txt", 0),
    (b"agents-txt-wellknown", 0),
    (b"agentwebprotocol", 0),
    (b"agent-json.org", 0),
    (b"agent-discovery-protocol", 0),
    (b"ai-catalog", 0),
    (b"agenticresource", 0),
];

/// The signs of a member that names a schema or a standard: a text, or the texts in a list or an
/// object. 0 if it contains no text.
fn schema_signs(value: Value<'_>) -> u64 {
    if value.raw().contains(&b'"') && value.raw() != br#""""# {
        vocabulary_signs(value.raw())
    } else {
        0
    }
}

/// True if a value is an object with one of these members.
fn has_any(value: Value<'_>, names: &[&str]) -> bool {
    let mut members = value.members();
    members.any(|member| names.iter().any(|name| member.name == **name))
}

/// The signs of the name or the URL of a schema or a standard: those of its vocabulary, or
/// [`OTHER_VOCABULARY`] if it is unknown.
pub(super) fn vocabulary_signs(url: &[u8]) -> u64 {
    let known = SCHEMAS.iter().find(|(part, _)| scan::find(url, part).is_some());
    known.map_or(OTHER_VOCABULARY, |(_, signs)| *signs)
}

/// The signs of the members of the first element of an array, if it is an object.
fn first_signs(value: Value<'_>, names: &[(&str, u64)]) -> u64 {
    first_members(value).fold(0, |found, member| {
        let sign = names.iter().find(|(name, _)| member.name == **name);
        found | sign.map_or(0, |(_, sign)| *sign)
    })
}

/// The members of the first element of an array, if it is an object. Reads only this element, and
/// only once.
fn first_members(value: Value<'_>) -> impl Iterator<Item = Member<'_>> {
    let inside = match trim_start(value.inside(b'[')).split_first() {
        Some((b'{', inside)) => inside,
        _ => b"",
    };
    let mut position = 0;
    // No other member follows the last one, because the next element does not begin with a quote.
    core::iter::from_fn(move || next_member(inside, &mut position))
}

/// The signs that [`Evidence`] counts for each format.
pub(super) const VOCABULARIES: &[Vocabulary] = &[
    (Format::AgentsJson, DRAFT),
    (Format::AgentsJson01, LEGACY),
    (Format::Awp, AWP),
    (Format::Adp, ADP),
    (Format::AdpCapability, DETAIL | EXAMPLES),
    (Format::AdpSearch, SEARCH | MATCHING),
    (Format::A2aAgentCard, A2A_MARKS | PROTOCOL_VERSION),
    (Format::McpServerCard, MCP_MARKS | TOOLS),
    (Format::AiCatalog, ENTRIES),
    (Format::AgentSkills, SKILL_FILES),
    (Format::ApiCatalog, LINKSET),
];
