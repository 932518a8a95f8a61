//! Every list of every format, in every operation: ten times the size takes at most fifteen times
//! as long.
//!
//! A list that is read again for each of its items takes a hundred times as long.
//!
//! If the environment variable `AGENTSDISC_LISTS` names a folder, documents of 1 KB to 1 MB are
//! measured, and written to that folder for `python/hostile.py`.

use std::path::PathBuf;
use std::time::Duration;

use agentsdisc_core::document::Slot;
use agentsdisc_core::policy::{Request, Robots, decide};
use agentsdisc_core::{CheckOptions, ConvertOptions, Document, Format, Limits, ParseOptions};

use super::Count;
use crate::common::{time, walk};

/// A document that consists of a head, many items of one list, and a tail.
struct List {
    format: Format,
    name: &'static str,
    head: &'static str,
    /// The separator between two items.
    separator: &'static str,
    /// `#` is replaced by the number of the item.
    item: &'static str,
    tail: &'static str,
}

const fn list(
    format: Format,
    name: &'static str,
    head: &'static str,
    separator: &'static str,
    item: &'static str,
    tail: &'static str,
) -> List {
    List { format, name, head, separator, item, tail }
}

use Format::{
    A2aAgentCard, Adp, AdpCapability, AdpSearch, AgentSkills, AgentsJson, AgentsJson01, AgentsMd,
    AgentsTxt, AgentsTxt01, AiCatalog, ApiCatalog, Awp, LlmsTxt, McpServerCard, RobotsTxt,
};

/// The start of a capability.
const OPENED: &str = "Site-URL: https://e.test\nCapability: c\n  Endpoint: https://e.test/x\n";

#[rustfmt::skip]
const LISTS: &[List] = &[
    list(AgentsTxt, "capabilities", "", "", "Capability: c#\n  Endpoint: https://e.test/x\n", ""),
    list(AgentsTxt, "parameters", OPENED, "", "  Param: p# (query, string)\n", ""),
    list(AgentsTxt, "scopes", "Capability: c\n  Scopes: ", ",", "s#", "\n"),
    list(AgentsTxt, "empty scopes", "Capability: c\n  Scopes: ", "", ",", "\n"),
    list(AgentsTxt, "capabilities of an agent", "Capability: c\nAgent: bot\n  Capabilities: ", ",", "c#", "\n"),
    list(AgentsTxt, "empty capabilities of an agent", "Capability: c\nAgent: bot\n  Capabilities: ", "", ",", "\n"),
    list(AgentsTxt, "capabilities and an agent that lists them", "Agent: bot\n  Capabilities: a,b,c", "", ",c#\nCapability: c#\nAgent: bot\n  Capabilities: c", "\n"),
    list(AgentsTxt, "agents", "Capability: c\n", "", "Agent: a#\n  Capabilities: c, d\n", ""),
    list(AgentsTxt, "names of an agent", "Capability: c\nAgent: ", ", ", "a#", "\n  Capabilities: c\n"),
    list(AgentsTxt, "agents of one name", "Capability: c\n", "", "Agent: bot\n  Capabilities: c, d\n", ""),
    list(AgentsTxt, "allowed patterns", "", "", "Allow: /a/#/*\n", ""),
    list(AgentsTxt, "disallowed patterns", "", "", "Disallow: /*#*/b$\n", ""),
    list(AgentsTxt, "platforms", "Operates-On: ", ",", "p#", "\n"),
    list(AgentsTxt, "contacts", "", "", "Site-Contact: a#@e.test\n", ""),
    list(AgentsTxt, "metadata", "", "", "X-#: y\n", ""),
    list(AgentsTxt, "metadata of a capability", OPENED, "", "  X-#: y\n", ""),
    list(AgentsTxt01, "capabilities", "Site: s\n", "", "Allow: a#\n", ""),
    list(AgentsTxt01, "capabilities on a line", "Capabilities: ", ",", "a#", "\n"),
    list(AgentsTxt01, "empty capabilities on a line", "Capabilities: ", "", ",", "\n"),
    list(AgentsTxt01, "capabilities on lines", "", "", "Capabilities: a#, b#, c#\n", ""),
    list(AgentsTxt01, "flows", "", "", "Flow: f# → a, b\nFlow-Description: x\n", ""),
    list(AgentsTxt01, "flows without descriptions", "", "", "Flow: f# → a, b\n", "Flow-Description: x\n"),
    list(AgentsTxt01, "steps of a flow", "Flow: f → ", ",", "a#", "\n"),
    list(AgentsTxt01, "empty steps of a flow", "Flow: f → ", "", ",", "\n"),
    list(AgentsTxt01, "names of a restriction", "Allow: a\nDisallow: ", ", ", "b#", "\n"),
    list(AgentsTxt01, "paths of a restriction", "Allow: a\nDisallow: ", " ", "/*b#", "\n"),
    list(AgentsTxt01, "metadata", "", "", "X-#: y\n", ""),
    list(AgentsJson, "capabilities", r#"{"capabilities":["#, ",", r##"{"id":"c#","endpoint":"https://e.test/x"}"##, "]}"),
    list(AgentsJson, "parameters", r#"{"capabilities":[{"id":"c","parameters":["#, ",", r##"{"name":"p#","in":"query"}"##, "]}]}"),
    list(AgentsJson, "scopes", r#"{"capabilities":[{"id":"c","auth":{"type":"oauth2","scopes":["#, ",", r##""s#""##, "]}}]}"),
    list(AgentsJson, "agents in an object", r#"{"agents":{"#, ",", r##""a#":{"capabilities":["c"]}"##, "}}"),
    list(AgentsJson, "agents in an array", r#"{"agents":["#, ",", r##"{"name":"a#","capabilities":["c"]}"##, "]}"),
    list(AgentsJson, "capabilities of an agent", r#"{"agents":[{"name":"bot","capabilities":["#, ",", r##""c#""##, "]}]}"),
    list(AgentsJson, "allowed patterns", r#"{"access":{"allow":["#, ",", r##""/a/#/*""##, "]}}"),
    list(AgentsJson, "disallowed patterns", r#"{"access":{"disallow":["#, ",", r##""/*#*/b$""##, "]}}"),
    list(AgentsJson, "escaped patterns", r#"{"access":{"disallow":["#, ",", r##""\/*#*/b$""##, "]}}"),
    list(AgentsJson, "patterns of the document", r#"{"disallow":["#, ",", r##""/a#""##, "]}"),
    list(AgentsJson, "platforms", r#"{"operatesOn":["#, ",", r##""p#""##, "]}"),
    list(AgentsJson, "metadata", r#"{"metadata":{"#, ",", r##""m#":[1]"##, "}}"),
    list(AgentsJson01, "capabilities", r#"{"capabilities":["#, ",", r##"{"name":"c#","endpoint":"/x"}"##, "]}"),
    list(AgentsJson01, "parameters", r#"{"capabilities":[{"name":"c","params":{"#, ",", r##""p#":{"type":"string"}"##, "}}]}"),
    list(AgentsJson01, "options", r#"{"capabilities":[{"name":"c","params":{"p":{"enum":["#, ",", r##""o#""##, "]}}}]}"),
    list(AgentsJson01, "flows", r#"{"flows":["#, ",", r##"{"name":"f#","steps":["a"]}"##, "]}"),
    list(AgentsJson01, "steps of a flow", r#"{"flows":[{"name":"f","steps":["#, ",", r##""a#""##, "]}]}"),
    list(Awp, "actions", r#"{"actions":["#, ",", r##"{"id":"c#","endpoint":"/x","method":"GET"}"##, "]}"),
    list(Awp, "inputs", r#"{"actions":[{"id":"c","inputs":{"#, ",", r##""i#":{"type":"string"}"##, "}}]}"),
    list(Awp, "options", r#"{"actions":[{"id":"c","inputs":{"i":{"options":["#, ",", r##""o#""##, "]}}}]}"),
    list(Awp, "outputs", r#"{"actions":[{"id":"c","outputs":{"#, ",", r##""o#":"string""##, "}}]}"),
    list(Awp, "actions that need authentication", r#"{"actions":[{"id":"c"}],"auth":{"type":"oauth2","required_for":["#, ",", r##""c#""##, "]}}"),
    list(Awp, "protocols", r#"{"actions":[{"id":"c","via":"p1"}],"protocols":{"#, ",", r##""p#":{"endpoint":"https://e.test/x"}"##, "}}"),
    list(Awp, "entities", r#"{"entities":{"#, ",", r##""e#":{"fields":{"f":"string"}}"##, "}}"),
    list(Awp, "fields of an entity", r#"{"entities":{"e":{"fields":{"#, ",", r##""f#":"string""##, "}}}}"),
    list(Awp, "errors", r#"{"errors":{"#, ",", r##""e#":{"recovery":"x"}"##, "}}"),
    list(Awp, "dependencies", r#"{"actions":[{"id":"c"}],"dependencies":{"#, ",", r##""c#":["c"]"##, "}}"),
    list(Awp, "dependencies of one action", r#"{"actions":[{"id":"c"}],"dependencies":{"c":["#, ",", r##""c#""##, "]}}"),
    list(Awp, "a cycle of dependencies", r#"{"actions":[{"id":"c"}],"dependencies":{"c":["d"]"#, "", r##","d#":["c","d","d#"]"##, "}}"),
    list(Awp, "hints", r#"{"agent_hints":{"#, ",", r##""h#":"x""##, "}}"),
    list(Awp, "degraded actions", r#"{"actions":[{"id":"c"}],"agent_status":{"degraded_actions":["#, ",", r##""c#""##, "]}}"),
    list(Adp, "capabilities", r#"{"base_url":"https://e.test","capabilities":["#, ",", r##"{"name":"c#","endpoint":"/x","method":"GET"}"##, "]}"),
    list(Adp, "plans", r#"{"pricing":{"plans":["#, ",", r##"{"name":"p#","price":"1"}"##, "]}}"),
    list(Adp, "scopes", r#"{"auth":{"type":"oauth2","scopes":["#, ",", r##""s#""##, r#"]},"capabilities":[{"name":"c","endpoint":"/x"}]}"#),
    list(A2aAgentCard, "skills", r#"{"name":"s","url":"https://e.test/a","version":"1","skills":["#, ",", r##"{"id":"c#","name":"n","tags":["t"]}"##, "]}"),
    list(A2aAgentCard, "skills with requirements", r#"{"name":"s","url":"https://e.test/a","version":"1","securitySchemes":{"k":{"type":"apiKey","in":"header","name":"K"}},"skills":["#, ",", r##"{"id":"c#","security":[{"k":[]}]}"##, "]}"),
    list(A2aAgentCard, "requirements of a skill", r#"{"name":"s","url":"https://e.test/a","version":"1","securitySchemes":{"k":{"type":"mutualTLS"}},"skills":[{"id":"c1","security":["#, ",", r##"{"k":["s#"]}"##, "]}]}"),
    list(A2aAgentCard, "tags", r#"{"name":"s","url":"https://e.test/a","version":"1","skills":[{"id":"c1","tags":["#, ",", r##""t#""##, "]}]}"),
    list(A2aAgentCard, "interfaces", r#"{"name":"s","skills":[{"id":"c1"}],"supportedInterfaces":["#, ",", r##"{"url":"https://e.test/#","protocolBinding":"JSONRPC","protocolVersion":"1.0"}"##, "]}"),
    list(A2aAgentCard, "additional interfaces", r#"{"name":"s","url":"https://e.test/a","version":"1","skills":[{"id":"c1"}],"additionalInterfaces":["#, ",", r##"{"url":"https://e.test/a","transport":"JSONRPC"}"##, "]}"),
    list(A2aAgentCard, "schemes", r#"{"name":"s","url":"https://e.test/a","version":"1","skills":[{"id":"c1","security":[{"k1":[]}]}],"security":[{"k1":[]}],"securitySchemes":{"#, ",", r##""k#":{"type":"apiKey","in":"header","name":"K"}"##, "}}"),
    list(A2aAgentCard, "requirements", r#"{"name":"s","url":"https://e.test/a","version":"1","skills":[{"id":"c1"}],"securitySchemes":{"k1":{"type":"mutualTLS"}},"security":["#, ",", r##"{"k#":[]}"##, "]}"),
    list(A2aAgentCard, "schemes of a requirement", r#"{"name":"s","url":"https://e.test/a","version":"1","skills":[{"id":"c1"}],"security":[{"#, ",", r##""k#":[]"##, "}]}"),
    list(A2aAgentCard, "scopes", r#"{"name":"s","url":"https://e.test/a","version":"1","skills":[{"id":"c1"}],"securitySchemes":{"k":{"type":"oauth2"}},"security":[{"k":["#, ",", r##""s#""##, "]}]}"),
    list(A2aAgentCard, "scopes of a flow", r#"{"name":"s","url":"https://e.test/a","version":"1","skills":[{"id":"c1"}],"securitySchemes":{"k":{"type":"oauth2","flows":{"implicit":{"scopes":{"#, ",", r##""s#":"x""##, "}}}}}}"),
    list(A2aAgentCard, "features", r#"{"name":"s","url":"https://e.test/a","version":"1","capabilities":{"#, ",", r##""f#":true"##, "}}"),
    list(A2aAgentCard, "extensions", r#"{"name":"s","url":"https://e.test/a","version":"1","capabilities":{"extensions":["#, ",", r##"{"uri":"https://e.test/#"}"##, "]}}"),
    list(A2aAgentCard, "modes", r#"{"name":"s","url":"https://e.test/a","version":"1","defaultInputModes":["#, ",", r##""text/x#""##, "]}"),
    list(A2aAgentCard, "signatures", r#"{"name":"s","url":"https://e.test/a","version":"1","signatures":["#, ",", r##"{"protected":"eyJhbGciOiJFUzI1NiJ9","signature":"YWJj"}"##, "]}"),
    list(A2aAgentCard, "metadata", r#"{"name":"s","url":"https://e.test/a","version":"1","#, ",", r##""m#":[1]"##, "}"),
    list(AdpCapability, "parameters", r#"{"name":"c","endpoint":"/x","parameters":["#, ",", r##"{"name":"p#","type":"string"}"##, "]}"),
    list(AdpCapability, "scopes", r#"{"name":"c","endpoint":"/x","auth_scopes":["#, ",", r##""s#""##, "]}"),
    list(AdpCapability, "rate limits", r#"{"name":"c","endpoint":"/x","rate_limits":{"#, ",", r##""l#":1"##, "}}"),
    list(AdpSearch, "results", r#"{"success":true,"query":"x","data":["#, ",", r##"{"service":{"name":"s#"}}"##, "]}"),
    list(AdpSearch, "matching capabilities", r#"{"success":true,"query":"x","data":[{"service":{"name":"s"},"matching_capabilities":["#, ",", r##"{"name":"c#"}"##, "]}]}"),
    list(McpServerCard, "remotes", r#"{"tools":["t"],"remotes":["#, ",", r##"{"type":"sse","url":"https://e.test/#"}"##, "]}"),
    list(McpServerCard, "headers", r#"{"tools":["t"],"remotes":[{"url":"https://e.test/x","headers":["#, ",", r##"{"name":"h#","value":"{v#}"}"##, "]}]}"),
    list(McpServerCard, "variables", r#"{"tools":["t"],"remotes":[{"url":"https://e.test/{v1}","variables":{"#, ",", r##""v#":{"default":"x"}"##, "}}]}"),
    list(McpServerCard, "servers by name", r#"{"mcpServers":{"#, ",", r##""s#":{"url":"https://e.test/#"}"##, "}}"),
    list(McpServerCard, "packages", r#"{"name":"a/b","packages":["#, ",", r##"{"identifier":"p#"}"##, "]}"),
    list(McpServerCard, "tools", r#"{"endpoint":"https://e.test/x","tools":["#, ",", r##"{"name":"t#","inputSchema":{"type":"object","properties":{"a":{}},"required":["a"]}}"##, "]}"),
    list(McpServerCard, "names of tools", r#"{"endpoint":"https://e.test/x","tools":["#, ",", r##""t#""##, "]}"),
    list(McpServerCard, "properties", r#"{"endpoint":"https://e.test/x","tools":[{"name":"t","inputSchema":{"required":["z1","z2","z3"],"properties":{"#, ",", r##""p#":{"type":"string"}"##, "}}}]}"),
    list(McpServerCard, "required properties", r#"{"endpoint":"https://e.test/x","tools":[{"name":"t","inputSchema":{"properties":{"p1":{},"p2":{}},"required":["#, ",", r##""p#""##, "]}}]}"),
    list(McpServerCard, "resources", r#"{"repository":"https://e.test/r","resources":["#, ",", r##"{"uri":"r://#"}"##, "]}"),
    list(McpServerCard, "schemes", r#"{"endpoint":"/x","tools":["t"],"authentication":{"required":true,"schemes":["#, ",", r##""s#""##, "]}}"),
    list(McpServerCard, "metadata", r#"{"endpoint":"/x","_meta":{"#, ",", r##""e.test/m#":1"##, "}}"),
    list(AiCatalog, "entries", r#"{"specVersion":"1.0","entries":["#, ",", r##"{"identifier":"urn:air:e.test:a:e#","displayName":"e","type":"a/b","url":"https://e.test/#"}"##, "]}"),
    list(AiCatalog, "tags", r#"{"specVersion":"1.0","entries":[{"tags":["#, ",", r##""t#""##, "]}]}"),
    list(AiCatalog, "attestations", r#"{"specVersion":"1.0","entries":[{"trustManifest":{"attestations":["#, ",", r##"{"type":"t#","uri":"https://e.test/#"}"##, "]}}]}"),
    list(AgentSkills, "skills", r#"{"skills":["#, ",", r##"{"name":"c#","type":"skill-md","description":"d","url":"/x","digest":"sha256:0"}"##, "]}"),
    list(AgentSkills, "files", r#"{"skills":[{"name":"c","files":["#, ",", r##""f#/SKILL.md""##, "]}]}"),
    list(ApiCatalog, "contexts", r#"{"linkset":["#, ",", r##"{"item":[{"href":"/#"}],"anchor":"https://e.test/#"}"##, "]}"),
    list(ApiCatalog, "empty contexts", r#"{"linkset":["#, ",", r##"{"#":[]},{}"##, "]}"),
    list(ApiCatalog, "relations", r#"{"linkset":[{"#, ",", r##""r#":[{"href":"/#"}]"##, r#","anchor":"https://e.test/"}]}"#),
    list(ApiCatalog, "targets", r#"{"linkset":[{"item":["#, ",", r##"{"href":"/#"}"##, r#"],"anchor":"https://e.test/"}]}"#),
    list(ApiCatalog, "targets without a URL", r#"{"linkset":[{"anchor":"https://e.test/","item":["#, ",", "{}", "]}]}"),
    list(ApiCatalog, "target attributes", r#"{"linkset":[{"anchor":"https://e.test/","item":[{"href":"/x","#, ",", r##""x#":["y"]"##, "}]}]}"),
    list(ApiCatalog, "relations of long names", r#"{"linkset":[{"#, ",", r##""https://e.test/rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr/#":[{"href":"/#"}]"##, "}]}"),
    list(AgentsMd, "permissions", "# S\n\n## Can\n\n", "", "- do # things\n", ""),
    list(AgentsMd, "restrictions", "# S\n\n## Cannot\n\n", "", "- do # things\n", ""),
    list(AgentsMd, "nested restrictions", "# S\n\n## Cannot\n\n", "", "- do # things\n  - and #\n", ""),
    list(AgentsMd, "restrictions with commas", "# S\n\n## Cannot\n\n- ", ",", "a#", "\n"),
    list(AgentsMd, "a front matter list", "---\nname: s\nx: [", ", ", "a#", "]\n---\n# S\n"),
    list(AgentsMd, "a front matter block list", "---\nname: s\nx:\n", "", "  - a#\n", "---\n# S\n"),
    list(AgentsMd, "contacts", "---\nname: s\ncontact:\n", "", "  k#: a@e.test\n", "---\n# S\n"),
    list(AgentsMd, "front matter", "---\nname: s\n", "", "k#: v\n", "---\n# S\n"),
    list(AgentsMd, "sections", "# S\n", "", "\n## Heading #\n\n- a\n", ""),
    list(LlmsTxt, "links", "# S\n\n## Docs\n\n", "", "- [a#](https://e.test/#): notes\n", ""),
    list(LlmsTxt, "nested links", "# S\n\n## Docs\n\n", "", "- [a#](https://e.test/#)\n  - [b](c): notes\n", ""),
    list(LlmsTxt, "lines", "# S\n\n## Docs\n\n", "", "<https://e.test/#>\n", ""),
    list(LlmsTxt, "sections", "# S\n", "", "\n## Heading #\n\n- [a](b)\n", ""),
    list(LlmsTxt, "links of a section with a long name", "# S\n\n## Docs", " a", "#", "\n\n- [a](b)\n- [c](d)\n"),
    list(LlmsTxt, "references", "# S\n\n## Docs\n\n", "", "- [a#][b#]\n", "[b1]: https://e.test/\n"),
    list(LlmsTxt, "brackets", "# S\n\n## Docs\n\n- ", "", "[a](<[b]((", "\n"),
    list(LlmsTxt, "marks before a URL", "# S\n\n## Docs\n\n- ", "", "**-_: ", "https://e.test/\n"),
    list(LlmsTxt, "a summary", "# S\n\n", "", "> a #\n", ""),
    list(LlmsTxt, "entries without links", "# S\n\n## Docs\n\n", "", "- a#: `b`\n", ""),
    list(RobotsTxt, "agents of a group", "", "", "User-agent: a#\n", "Disallow: /x\n"),
    list(RobotsTxt, "rules of a group", "User-agent: *\n", "", "Disallow: /a#\n", ""),
    list(RobotsTxt, "groups", "", "", "User-agent: a#\nDisallow: /x\n", ""),
    list(RobotsTxt, "groups of one agent", "", "", "User-agent: bot\nDisallow: /x#\n", ""),
    list(RobotsTxt, "sitemaps", "", "", "Sitemap: https://e.test/#\n", ""),
    list(RobotsTxt, "unknown lines", "User-agent: *\nDisallow: /x\n", "", "X-#: y\n", ""),
];

impl List {
    /// Returns a document of at least `size` bytes; `backwards` reverses the order of the items.
    fn document(&self, size: usize, backwards: bool) -> Vec<u8> {
        let (mut items, mut length) = (Vec::new(), 0);
        while length < size {
            let item = self.item.replace('#', &items.len().to_string());
            length += item.len() + self.separator.len();
            items.push(item);
        }
        if backwards {
            items.reverse();
        }
        [self.head, &items.join(self.separator), self.tail].concat().into_bytes()
    }

    fn parse<'a>(&self, bytes: &'a [u8]) -> Document<'a> {
        let limits = Limits {
            document: usize::MAX,
            line: usize::MAX,
            robots: usize::MAX,
            ..Limits::DEFAULT
        };
        let options = ParseOptions { format: Some(self.format), limits, ..ParseOptions::default() };
        Document::parse_with(bytes, &options)
            .unwrap_or_else(|error| panic!("{:?}, {}: {error}", self.format, self.name))
    }
}

/// An operation on a list, and on the same list in another order.
type Operation = fn(&List, &[u8], &[u8]) -> u64;

const OPERATIONS: &[(&str, Operation)] = &[
    ("parse", |list, bytes, _| list.parse(bytes).bytes().len() as u64),
    ("model", |list, bytes, _| {
        let mut count = Count::default();
        walk::manifest(&list.parse(bytes).manifest(), &mut count);
        count.0
    }),
    ("JSON", |list, bytes, _| list.parse(bytes).json_len() as u64),
    ("check", |list, bytes, _| {
        let mut found = 0;
        list.parse(bytes).check(&CheckOptions::default(), |_| found += 1);
        found
    }),
    ("decide", |list, bytes, _| {
        let documents = [list.parse(bytes)];
        let requests = [
            Request::url("bot", "https://e.test/x?a=b"),
            Request::url("bot", "https://e.test/y").with_method("POST"),
            Request::capability("bot", "c"),
            Request::capability("bot", "nothing"),
        ];
        requests
            .iter()
            .map(|request| {
                let request = request.with_origin("https://e.test");
                let decision = decide(&documents, Robots::NotAsked, &request);
                let size = if list.format == Awp { bytes.len() * 2 } else { 0 };
                let first = decision
                    .prerequisites(&mut vec![0; size])
                    .map_or(0, |found| found.map_or(1, |actions| actions.count() as u64));
                first + u64::from(decision.allowed) + decision.rate_limits().count() as u64
            })
            .sum()
    }),
    ("convert to agents.txt", |list, bytes, _| list.convert(bytes, Format::AgentsTxt)),
    ("convert to agents.json", |list, bytes, _| list.convert(bytes, Format::AgentsJson)),
    ("convert to agents.txt 0.1", |list, bytes, _| list.convert(bytes, Format::AgentsTxt01)),
    ("convert to agents.json 0.1", |list, bytes, _| list.convert(bytes, Format::AgentsJson01)),
    ("fix", |list, bytes, _| {
        let mut length = 0;
        let _ = list.parse(bytes).fix(&mut |piece: &[u8]| length += piece.len() as u64, |_| {});
        length
    }),
    ("differences", |list, bytes, _| {
        let document = list.parse(bytes);
        let mut found = 0;
        let _ = document.differences(&document, |_| found += 1);
        found
    }),
    ("differences with memory", |list, bytes, other| {
        let mut slots = vec![Slot::default(); 256.max(bytes.len() / 4)];
        let mut found = 0;
        let _ = list.parse(bytes).differences_with(&list.parse(other), &mut slots, |_| found += 1);
        found
    }),
    ("differences in another order", |list, bytes, other| {
        let mut found = 0;
        let _ = list.parse(bytes).differences(&list.parse(other), |_| found += 1);
        found
    }),
];

impl List {
    fn convert(&self, bytes: &[u8], target: Format) -> u64 {
        let mut length = 0;
        let _ = self.parse(bytes).convert(
            target,
            &ConvertOptions::default(),
            &mut |piece: &[u8]| length += piece.len() as u64,
            |_| {},
        );
        length
    }
}

const FACTOR: u32 = 15;
/// Shorter times are not compared.
const SHORT: Duration = Duration::from_millis(1);

/// Returns the shortest time of several runs.
fn shortest(runs: usize, work: impl Fn() -> u64) -> Duration {
    let run = |_| {
        let start = time::processor_time();
        std::hint::black_box(work());
        time::processor_time() - start
    };
    (0..runs).map(run).min().unwrap()
}

#[test]
fn every_list_in_every_operation_is_linear() {
    let only = std::env::var("LIST").unwrap_or_default();
    let folder = std::env::var_os("AGENTSDISC_LISTS").map(PathBuf::from);
    let kilobytes: &[usize] = match folder {
        Some(_) => &[1, 10, 100, 1000],
        None => &[10, 100],
    };
    let mut failures = Vec::new();
    for list in LISTS {
        let documents: Vec<[Vec<u8>; 2]> = kilobytes
            .iter()
            .map(|size| [false, true].map(|backwards| list.document(size << 10, backwards)))
            .collect();
        if let Some(folder) = &folder {
            let folder = folder.join(list.format.id()).join(list.name);
            std::fs::create_dir_all(&folder).unwrap();
            for (size, [document, _]) in kilobytes.iter().zip(&documents) {
                std::fs::write(folder.join(size.to_string()), document).unwrap();
            }
        }
        for (operation, work) in OPERATIONS {
            let name = format!("{}, {}: {operation}", list.format.id(), list.name);
            if !name.contains(&only) {
                continue;
            }
            for pair in documents.windows(2) {
                let [few, many] = times(pair, |[bytes, other]| work(list, bytes, other));
                if !only.is_empty() {
                    println!("{name}: {few:?}, then {many:?}");
                }
                if many >= SHORT && many >= few * FACTOR {
                    failures.push(format!("{name}: {few:?}, then {many:?}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "ten times the size takes too long:\n{}", failures.join("\n"));
}

/// Returns the times of two documents, the second ten times as large as the first.
fn times(pair: &[[Vec<u8>; 2]], work: impl Fn(&[Vec<u8>; 2]) -> u64) -> [Duration; 2] {
    let [small, large] = pair else { panic!("two sizes") };
    let (mut few, mut many) = (Duration::MAX, Duration::MAX);
    // Other load can only make a run longer, so a failed measurement is repeated, later and later.
    for turn in 0..12 {
        few = few.min(shortest(3, || work(small)));
        many = many.min(shortest(1, || work(large)));
        let is_clear = turn > 0 && many > few * (3 * FACTOR);
        if is_clear || many < SHORT || many < few * FACTOR {
            break;
        }
        std::thread::sleep(Duration::from_millis(50) * turn);
    }
    [few, many]
}
