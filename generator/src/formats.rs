//! The formats: how each describes a site and its operations.

use std::fmt::Write;

use crate::json::{Json, Layout, Object};
use crate::rng::Rng;
use crate::site::{Operation, Site};

/// A format of document.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// agents.txt of the Internet-Draft.
    AgentsTxt,
    /// agents.json of the Internet-Draft.
    AgentsJson,
    /// agents.txt 0.1.0.
    AgentsTxt01,
    /// agents.json 0.1.
    AgentsJson01,
    /// agents.md.
    AgentsMd,
    /// agent.json of the Agent Web Protocol.
    Awp,
    /// Manifest of the Agent Discovery Protocol.
    Adp,
    /// A2A agent card.
    A2aAgentCard,
    /// MCP server card.
    McpServerCard,
    /// robots.txt.
    RobotsTxt,
    /// AI Catalog.
    AiCatalog,
    /// Index of agent skills.
    AgentSkills,
    /// API catalog.
    ApiCatalog,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 13] = [
        Self::AgentsTxt,
        Self::AgentsJson,
        Self::AgentsTxt01,
        Self::AgentsJson01,
        Self::AgentsMd,
        Self::Awp,
        Self::Adp,
        Self::A2aAgentCard,
        Self::McpServerCard,
        Self::RobotsTxt,
        Self::AiCatalog,
        Self::AgentSkills,
        Self::ApiCatalog,
    ];

    /// Returns the library's id of the format.
    pub const fn id(self) -> &'static str {
        match self {
            Self::AgentsTxt => "agents-txt",
            Self::AgentsJson => "agents-json",
            Self::AgentsTxt01 => "agents-txt-0.1",
            Self::AgentsJson01 => "agents-json-0.1",
            Self::AgentsMd => "agents-md",
            Self::Awp => "awp",
            Self::Adp => "adp",
            Self::A2aAgentCard => "a2a-agent-card",
            Self::McpServerCard => "mcp-server-card",
            Self::RobotsTxt => "robots-txt",
            Self::AiCatalog => "ai-catalog",
            Self::AgentSkills => "agent-skills",
            Self::ApiCatalog => "api-catalog",
        }
    }

    /// Returns the kind with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }

    /// Whether the format is JSON.
    pub const fn is_json(self) -> bool {
        matches!(
            self,
            Self::AgentsJson
                | Self::AgentsJson01
                | Self::Awp
                | Self::Adp
                | Self::A2aAgentCard
                | Self::McpServerCard
                | Self::AiCatalog
                | Self::AgentSkills
                | Self::ApiCatalog
        )
    }

    /// Returns the path at which a site publishes it.
    pub const fn path(self) -> &'static str {
        match self {
            Self::AgentsTxt | Self::AgentsTxt01 => "/.well-known/agents.txt",
            Self::AgentsJson | Self::AgentsJson01 => "/.well-known/agents.json",
            Self::AgentsMd => "/.well-known/agents.md",
            Self::Awp => "/agent.json",
            Self::Adp => "/.well-known/agent",
            Self::A2aAgentCard => "/.well-known/agent-card.json",
            Self::McpServerCard => "/.well-known/mcp/server-card.json",
            Self::RobotsTxt => "/robots.txt",
            Self::AiCatalog => "/.well-known/ai-catalog.json",
            Self::AgentSkills => "/.well-known/agent-skills/index.json",
            Self::ApiCatalog => "/.well-known/api-catalog",
        }
    }
}

/// The requested size, and the layout of JSON.
pub(crate) struct Making<'r> {
    pub(crate) rng: &'r mut Rng,
    pub(crate) size: usize,
    pub(crate) layout: Layout,
}

impl Making<'_> {
    fn site(&mut self, wordy: bool) -> Site {
        let lean = self.size < 1500;
        Site::new(self.rng, lean, wordy)
    }

    /// Returns items at `depth` until the document reaches the requested size; `base` is its size
    /// without them. At least one. The last item is the one of several attempts that comes closest.
    fn fill<T>(
        &mut self,
        base: usize,
        mut item: impl FnMut(&mut Rng) -> T,
        length: impl Fn(&T) -> usize,
    ) -> Vec<T> {
        let mut items = Vec::new();
        let mut so_far = base;
        loop {
            let first = item(self.rng);
            let left = self.size.saturating_sub(so_far);
            let size = length(&first);
            if size + 40 < left {
                so_far += size;
                items.push(first);
                continue;
            }
            let mut best = first;
            for _ in 0..24 {
                let other = item(self.rng);
                if length(&other).abs_diff(left) < length(&best).abs_diff(left) {
                    best = other;
                }
            }
            if items.is_empty() || length(&best).abs_diff(left) < left {
                items.push(best);
            }
            return items;
        }
    }

    fn operations(
        &mut self,
        site: &mut Site,
        base: usize,
        length: impl Fn(&Operation) -> usize,
    ) -> Vec<Operation> {
        self.fill(base, |rng| site.operation(rng), length)
    }
}

/// A JSON document as a tree.
pub(crate) fn json(kind: Kind, making: &mut Making<'_>) -> Json {
    match kind {
        Kind::AgentsJson01 => agents_json_01(making),
        Kind::Awp => awp(making),
        Kind::Adp => adp(making),
        Kind::A2aAgentCard => a2a_agent_card(making),
        Kind::McpServerCard => mcp_server_card(making),
        Kind::AiCatalog => ai_catalog(making),
        Kind::AgentSkills => agent_skills(making),
        Kind::ApiCatalog => api_catalog(making),
        _ => agents_json(making),
    }
}

/// A text document.
pub(crate) fn text(kind: Kind, making: &mut Making<'_>) -> String {
    match kind {
        Kind::AgentsTxt01 => agents_txt_01(making),
        Kind::AgentsMd => agents_md(making),
        Kind::RobotsTxt => robots_txt(making),
        _ => agents_txt(making),
    }
}

const AGENTS: &[&str] = &[
    "shopper-bot",
    "ledgerbot",
    "quillagent",
    "northstar-agent",
    "papercrane",
    "heron",
    "tinker-agent",
    "wayfarer",
];

/// Returns the names of a few operations, for policies, flows and the like.
fn some(rng: &mut Rng, names: &[String], most: usize) -> Vec<String> {
    let count = rng.between(1, most.min(names.len()).max(1));
    let start = rng.below(names.len());
    names
        .iter()
        .cycle()
        .skip(start)
        .take(count.min(names.len()))
        .cloned()
        .collect()
}

fn agents_json(making: &mut Making<'_>) -> Json {
    let mut site = making.site(true);
    let capability = |site: &Site, o: &Operation| -> Json {
        let mut auth = Object::new().with("type", o.auth);
        if matches!(o.auth, "bearer-token" | "oauth2") {
            auth = auth.with("tokenEndpoint", site.url("/oauth/token"));
            if !site.lean {
                auth = auth.with("docsUrl", site.url("/docs/auth"));
            }
        }
        if !o.scopes.is_empty() {
            auth = auth.with("scopes", o.scopes.clone());
        }
        let parameters: Vec<_> = o
            .parameters
            .iter()
            .map(|p| {
                let mut parameter = Object::new()
                    .with("name", p.name.as_str())
                    .with("in", p.location)
                    .with("type", p.kind);
                if p.required {
                    parameter = parameter.with("required", true);
                }
                parameter = parameter.with("description", p.description.as_str());
                parameter = parameter.maybe("default", p.default.map(literal));
                if p.name == "limit" {
                    parameter.with("min", 1).with("max", 100)
                } else {
                    parameter
                }
            })
            .collect();
        let mut object = Object::new()
            .with("id", o.name("-"))
            .with("description", o.description.as_str())
            .with("endpoint", site.url(&o.path))
            .with("method", o.method)
            .with("protocol", "REST")
            .with("auth", auth);
        if let Some((requests, window)) = o.rate {
            object = object.with(
                "rateLimit",
                Object::new()
                    .with("requests", requests)
                    .with("window", window),
            );
        }
        if !parameters.is_empty() {
            object = object.with("parameters", parameters);
        }
        object.into()
    };
    let mut about = Object::new()
        .with("name", site.name.as_str())
        .with("url", site.url(""));
    if !site.lean {
        about = about
            .with("description", site.description.as_str())
            .with("contact", format!("agents@{}", site.host))
            .with("privacyPolicy", site.url("/privacy"));
    }
    let head = Object::new().with("specVersion", "1.0");
    let head = if site.lean {
        head
    } else {
        head.with("generatedAt", "2026-05-04T08:30:00Z")
            .with("declarationType", "platform")
            .with("agentsJson", site.url(Kind::AgentsJson.path()))
    };
    let head = head.with("site", about);
    let access = Object::new()
        .with("allow", vec!["/v1/*"])
        .with("disallow", vec!["/admin/*", "/internal/*"]);
    // The parts around the capabilities: the header, and policies of agents that grow with the
    // document.
    let policies = if site.lean {
        0
    } else {
        (making.size / 4000).clamp(2, AGENTS.len())
    };
    let lean = site.lean;
    let ruled = |document: Object| {
        if lean {
            document
        } else {
            document.with("access", access.clone())
        }
    };
    let around = Json::from(ruled(head.clone())).write(making.layout).len()
        + 20
        + policies
            * if making.layout == Layout::Pretty {
                260
            } else {
                150
            };
    let layout = making.layout;
    let probe = site.clone();
    let operations = making.operations(&mut site, around, |o| {
        capability(&probe, o).length(layout, 2)
    });
    let names: Vec<_> = operations.iter().map(|o| o.name("-")).collect();
    let capabilities: Vec<_> = operations.iter().map(|o| capability(&site, o)).collect();
    let mut document = ruled(head.with("capabilities", capabilities));
    if policies > 0 {
        let mut agents = Object::new().with(
            "*",
            Object::new()
                .with(
                    "rateLimit",
                    Object::new().with("requests", 60).with("window", "minute"),
                )
                .with("capabilities", some(making.rng, &names, 6)),
        );
        for name in AGENTS.iter().take(policies - 1) {
            let policy = Object::new()
                .with(
                    "rateLimit",
                    Object::new()
                        .with("requests", making.rng.between(1, 20) * 60)
                        .with("window", "minute"),
                )
                .with("capabilities", some(making.rng, &names, 8));
            agents = agents.with(*name, policy);
        }
        document = document.with("agents", agents);
    }
    document.into()
}

/// Returns a default value as JSON.
fn literal(text: &'static str) -> Json {
    match text {
        "true" | "false" => Json::Bool(text == "true"),
        _ if text.starts_with('"') => text.trim_matches('"').into(),
        _ => Json::Number(text.to_owned()),
    }
}

fn agents_txt(making: &mut Making<'_>) -> String {
    let mut site = making.site(true);
    let block = |site: &Site, o: &Operation| -> String {
        let mut text = format!(
            "Capability: {}\n  Endpoint: {}\n",
            o.name("-"),
            site.url(&o.path)
        );
        let mut field = |name: &str, value: &str| {
            let _ = writeln!(text, "  {name}: {value}");
        };
        field("Method", o.method);
        field("Protocol", "REST");
        field("Auth", o.auth);
        if matches!(o.auth, "bearer-token" | "oauth2") {
            field("Auth-Endpoint", &site.url("/oauth/token"));
        }
        if !o.scopes.is_empty() {
            field("Scopes", &o.scopes.join(", "));
        }
        if let Some((requests, window)) = o.rate {
            field("Rate-Limit", &format!("{requests}/{window}"));
        }
        field("Description", &o.description);
        for p in &o.parameters {
            let required = if p.required { ", required" } else { "" };
            let kind = if matches!(p.kind, "array" | "object") {
                "string"
            } else {
                p.kind
            };
            field(
                "Param",
                &format!(
                    "{} ({}, {kind}{required}) - {}",
                    p.name, p.location, p.description
                ),
            );
        }
        text.push('\n');
        text
    };
    let mut text = format!("# What agents may do at {}\nSpec-Version: 1.0\n", site.name);
    if !site.lean {
        let _ = writeln!(
            text,
            "Generated-At: 2026-05-04T08:30:00Z\nDeclaration-Type: platform\nAgents-JSON: {}\n",
            site.url(Kind::AgentsJson.path())
        );
    }
    let _ = writeln!(text, "Site-Name: {}\nSite-URL: {}", site.name, site.url(""));
    if !site.lean {
        let _ = writeln!(
            text,
            "Site-Description: {}\nSite-Contact: agents@{}\nSite-Privacy-Policy: {}",
            site.description,
            site.host,
            site.url("/privacy")
        );
    }
    text.push('\n');
    let policies = if site.lean {
        0
    } else {
        (making.size / 4000).clamp(2, AGENTS.len())
    };
    let probe = site.clone();
    let operations = making.operations(&mut site, text.len() + 60 + policies * 90, |o| {
        block(&probe, o).len()
    });
    let names: Vec<_> = operations.iter().map(|o| o.name("-")).collect();
    for (number, o) in operations.iter().enumerate() {
        if number % 8 == 7 {
            let _ = writeln!(text, "# --- {} ---\n", o.group.join(" "));
        }
        text.push_str(&block(&site, o));
    }
    text.push_str("Allow: /v1/*\nDisallow: /admin/*\nDisallow: /internal/*\n");
    for number in 0..policies {
        let name = if number == 0 {
            "*"
        } else {
            AGENTS.get(number).unwrap_or(&"heron")
        };
        let _ = writeln!(
            text,
            "\nAgent: {name}\n  Rate-Limit: {}/minute\n  Capabilities: {}",
            making.rng.between(1, 20) * 60,
            some(making.rng, &names, 6).join(", ")
        );
    }
    text
}

fn agents_txt_01(making: &mut Making<'_>) -> String {
    let mut site = making.site(false);
    let mut text = format!(
        "# agents.txt - {0}\nSite: {0}\nURL: {1}\nDescription: {2}\nContact: agents@{3}\nAgents-JSON: {4}\n\n# Capabilities\n",
        site.name,
        site.url(""),
        site.description,
        site.host,
        site.url(Kind::AgentsJson.path())
    );
    let end = format!(
        "\nRate-Limit: 60/minute\nSession-TTL: 3600s\nAudit: true\nAudit-Endpoint: {}\n",
        site.url("/.well-known/agents/api/audit/:session_id")
    );
    for built_in in ["search", "browse", "detail"] {
        let _ = writeln!(text, "Allow: {built_in}");
    }
    // One flow for every eight capabilities.
    let operations = making.operations(&mut site, text.len() + end.len() + 90, |o| {
        8 + o.name(".").len() + 18
    });
    let names: Vec<_> = operations.iter().map(|o| o.name(".")).collect();
    for name in &names {
        let _ = writeln!(text, "Allow: {name}");
    }
    text.push_str("\n# Suggested flows\n");
    for number in 0..names.len().div_ceil(8) {
        let steps = some(making.rng, &names, 4).join(", ");
        let _ = writeln!(
            text,
            "Flow: flow-{number} → search, {steps}\nFlow-Description: From the search to the end, in {} steps",
            number + 2
        );
    }
    text + &end
}

fn agents_json_01(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let capability = |o: &Operation| -> Json {
        let mut parameters = Object::new();
        for p in &o.parameters {
            let parameter = Object::new()
                .with("type", p.kind)
                .with("description", p.description.as_str())
                .with("required", p.required);
            parameters = parameters.with(
                p.name.as_str(),
                parameter.maybe("default", p.default.map(literal)),
            );
        }
        let session = o.method != "GET";
        let object = Object::new()
            .with("name", o.name("."))
            .with("description", o.description.as_str())
            .with("endpoint", o.path.as_str())
            .with("method", o.method)
            .with("params", parameters);
        if session {
            object.with("requires_session", true)
        } else {
            object
        }
        .into()
    };
    let about = Object::new()
        .with("name", site.name.as_str())
        .with("url", site.url(""))
        .with("description", site.description.as_str())
        .with("contact", format!("agents@{}", site.host));
    let head = Object::new()
        .with("schema_version", "0.1.0")
        .with("site", about);
    let session = Object::new()
        .with("create", "/.well-known/agents/api/session")
        .with("delete", "/.well-known/agents/api/session")
        .with("ttl_seconds", 3600);
    let audit = Object::new()
        .with("enabled", true)
        .with("endpoint", "/.well-known/agents/api/audit/:session_id");
    let limit = Object::new().with("requests_per_minute", 60);
    let lean = site.lean;
    let tail = |document: Object| {
        if lean {
            return document.with("rate_limit", limit.clone());
        }
        document
            .with("session", session.clone())
            .with("rate_limit", limit.clone())
            .with("audit", audit.clone())
            .with("docs_url", "/docs/agents")
    };
    let (layout, base) = (
        making.layout,
        Json::from(tail(head.clone())).write(making.layout).len() + if lean { 25 } else { 200 },
    );
    let operations = making.operations(&mut site, base, |o| capability(o).length(layout, 2));
    let names: Vec<_> = operations.iter().map(|o| o.name(".")).collect();
    let flow = Object::new()
        .with("name", "usual")
        .with("description", "What most callers do.")
        .with("steps", some(making.rng, &names, 4));
    let capabilities: Vec<_> = operations.iter().map(capability).collect();
    tail(
        head.with("capabilities", capabilities)
            .with("flows", vec![flow]),
    )
    .into()
}

fn agents_md(making: &mut Making<'_>) -> String {
    let mut site = making.site(false);
    let mut text = format!(
        "---\nversion: 1.0\nmcp:\n  endpoint: {}\n  transport: streamable-http\n  auth: none\n---\n\n# {}\n\n{}\n\n",
        site.url("/.well-known/mcp"),
        site.name,
        site.description
    );
    let end = format!(
        "\n## Behavior\n\n- Respect 1 request/second\n- Cache answers for 30 minutes\n- Say who you are in the User-Agent header\n\n## Contact\n\n- agents@{}\n- {}\n",
        site.host,
        site.url("/docs")
    );
    let line = |o: &Operation| {
        format!(
            "- {} (`{} {}`)\n",
            o.description.trim_end_matches('.'),
            o.method,
            o.path
        )
    };
    let operations = making.operations(&mut site, text.len() + end.len() + 30, |o| line(o).len());
    let cannot = operations.len() / 4;
    let (forbidden, allowed) = operations.split_at(cannot);
    for (heading, part) in [("## Can\n\n", allowed), ("\n## Cannot\n\n", forbidden)] {
        text.push_str(heading);
        for o in part {
            text.push_str(&line(o));
        }
    }
    text + &end
}

fn awp(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let action = |o: &Operation| -> Json {
        let mut inputs = Object::new();
        for p in &o.parameters {
            let kind = match p.kind {
                "number" => "float",
                "array" => "array[string]",
                other => other,
            };
            let input = Object::new()
                .with("type", kind)
                .with("required", p.required)
                .with("description", p.description.as_str());
            inputs = inputs.with(
                p.name.as_str(),
                input.maybe("default", p.default.map(literal)),
            );
        }
        let entity = o.group.join("_");
        let outputs = Object::new()
            .with(entity.as_str(), format!("array[{entity}]"))
            .with("next", "string");
        let mut object = Object::new()
            .with("id", o.name("_"))
            .with("description", o.description.as_str())
            .with("auth_required", o.auth != "none")
            .with("inputs", inputs)
            .with("outputs", outputs)
            .with("endpoint", o.path.as_str())
            .with("method", o.method);
        if let Some((requests, window)) = o.rate {
            object = object.with("rate_limit", format!("{requests}/{window}"));
        }
        match o.method {
            "DELETE" => {
                object = object
                    .with("sensitivity", "irreversible")
                    .with("requires_human_confirmation", true)
                    .with("reversible", false)
            }
            "POST" => {
                let keys = Object::new()
                    .with("supported", true)
                    .with("key_field", "idempotency_key")
                    .with("window", "24h");
                object = object
                    .with("execution_model", "sync")
                    .with("idempotency", keys);
            }
            _ => {}
        }
        object.into()
    };
    let features = Object::new()
        .with("streaming", false)
        .with("batch_actions", true)
        .with("webhooks", true)
        .with("pagination", "cursor")
        .with("idempotency", true);
    let mcp = Object::new()
        .with("version", "2025-06-18")
        .with("endpoint", "/mcp")
        .with("transport", "http");
    let head = Object::new()
        .with("awp_version", "0.2")
        .with("domain", site.host.as_str())
        .with("intent", site.description.as_str());
    let head = if site.lean {
        head
    } else {
        head.with("protocols", Object::new().with("mcp", mcp))
            .with("capabilities", features)
    };
    let mut errors = Object::new();
    for (code, recovery) in [
        ("AUTH_EXPIRED", "call /auth/refresh, then repeat the action"),
        ("RATE_LIMITED", "wait 60 seconds, then repeat the action"),
        ("NOT_FOUND", "list the entries again and take a current id"),
        (
            "VERSION_CONFLICT",
            "read the entry again, then repeat the change",
        ),
    ] {
        errors = errors.with(code, Object::new().with("recovery", recovery));
    }
    let hints = Object::new()
        .with("paging", "ask for small pages first")
        .with(
            "prices",
            "prices may change, keep them for 5 minutes at most",
        );
    let base = Json::from(
        head.clone()
            .with("errors", errors.clone())
            .with("agent_hints", hints.clone()),
    )
    .write(making.layout)
    .len();
    let (layout, lean) = (making.layout, site.lean);
    let base = if lean {
        base / 3
    } else {
        base + making.size / 8
    };
    let operations = making.operations(&mut site, base, |o| action(o).length(layout, 2));
    let names: Vec<_> = operations.iter().map(|o| o.name("_")).collect();
    let actions: Vec<_> = operations.iter().map(action).collect();
    if lean {
        return head.with("actions", actions).into();
    }
    let guarded: Vec<_> = operations
        .iter()
        .filter(|o| o.auth != "none")
        .map(|o| o.name("_"))
        .take(12)
        .collect();
    let auth = Object::new()
        .with("type", "oauth2")
        .with("required_for", guarded)
        .with("token_expiry", "24h")
        .with("refresh_endpoint", "/auth/refresh");
    let mut entities = Object::new();
    let mut dependencies = Object::new();
    for number in 0..(making.size / 2500).clamp(1, 20) {
        let fields = Object::new()
            .with("id", "string")
            .with("created", "ISO8601")
            .with("total", "float")
            .with("state", "enum[open, paid, closed]")
            .with("lines", "array[string]");
        let name = operations
            .get(number)
            .map_or_else(|| "entry".to_owned(), |o| o.group.join("_"));
        entities = entities.with(
            format!("{name}_{number}"),
            Object::new().with("fields", fields),
        );
        if let [first, .., last] = names.as_slice() {
            let name = names.get(number + 1).unwrap_or(last);
            if name != first && number + 1 < names.len() {
                dependencies = dependencies.with(name.as_str(), vec![first.as_str()]);
            }
        }
    }
    let status = Object::new()
        .with("operational", true)
        .with("status_endpoint", "/status");
    head.with("auth", auth)
        .with("entities", entities)
        .with("actions", actions)
        .with("errors", errors)
        .with("dependencies", dependencies)
        .with("agent_hints", hints)
        .with("agent_status", status)
        .into()
}

fn adp(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let capability = |o: &Operation| -> Json {
        let name = o.name("_");
        Object::new()
            .with("name", name.as_str())
            .with("description", o.description.as_str())
            .with("resource_group", o.group.join("_"))
            .with("detail_url", format!("/capabilities/{name}"))
            .into()
    };
    let auth = Object::new()
        .with("type", "api_key")
        .with("header", "Authorization")
        .with("prefix", "Bearer")
        .with("setup_url", site.url("/settings/keys"));
    let head = Object::new()
        .with("spec_version", "1.0")
        .with("name", site.name.as_str())
        .with("description", site.description.as_str())
        .with("base_url", format!("https://api.{}", site.host))
        .with("auth", auth);
    let (layout, base) = (
        making.layout,
        Json::from(head.clone()).write(making.layout).len() + 25,
    );
    let operations = making.operations(&mut site, base, |o| capability(o).length(layout, 2));
    let capabilities: Vec<_> = operations.iter().map(capability).collect();
    head.with("capabilities", capabilities).into()
}

/// A card of A2A 1.0, with skills as published ones have them.
fn a2a_agent_card(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let texts = |texts: &[&str]| -> Json {
        let texts: Vec<Json> = texts.iter().map(|text| Json::from(*text)).collect();
        texts.into()
    };
    let skill = |o: &Operation| -> Json {
        let tags: Vec<&str> = o.group.iter().chain(&o.words).map(String::as_str).collect();
        Object::new()
            .with("id", o.name("-"))
            .with("name", o.name(" "))
            .with("description", o.description.as_str())
            .with("tags", texts(&tags))
            .with("inputModes", texts(&["text/plain"]))
            .with("outputModes", texts(&["application/json"]))
            .into()
    };
    let interface: Json = Object::new()
        .with("url", site.url("/a2a"))
        .with("protocolBinding", "JSONRPC")
        .with("protocolVersion", "1.0")
        .into();
    let key = Object::new()
        .with("location", "header")
        .with("name", "X-Api-Key");
    let key = Object::new().with("apiKeySecurityScheme", key);
    let scopes = Object::new().with("list", texts(&[]));
    let required = Object::new().with("schemes", Object::new().with("key", scopes));
    let head = Object::new()
        .with("name", site.name.as_str())
        .with("description", site.description.as_str())
        .with("version", "1.0.0")
        .with("supportedInterfaces", vec![interface])
        .with("capabilities", Object::new().with("streaming", true))
        .with("securitySchemes", Object::new().with("key", key))
        .with("securityRequirements", vec![Json::from(required)])
        .with("defaultInputModes", texts(&["text/plain"]))
        .with("defaultOutputModes", texts(&["application/json"]));
    let (layout, base) = (
        making.layout,
        Json::from(head.clone()).write(making.layout).len() + 19,
    );
    let operations = making.operations(&mut site, base, |o| skill(o).length(layout, 2));
    let skills: Vec<_> = operations.iter().map(skill).collect();
    head.with("skills", skills).into()
}

/// A server card with tools, as published ones list them.
fn mcp_server_card(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let tool = |o: &Operation| -> Json {
        let (mut properties, mut required) = (Object::new(), Vec::new());
        for p in &o.parameters {
            let property = Object::new()
                .with("type", p.kind)
                .with("description", p.description.as_str())
                .maybe("default", p.default.map(literal));
            properties = properties.with(p.name.as_str(), property);
            if p.required {
                required.push(Json::from(p.name.as_str()));
            }
        }
        let schema = Object::new()
            .with("type", "object")
            .with("properties", properties)
            .with("required", required);
        let hints = Object::new()
            .with("readOnlyHint", o.method == "GET")
            .with("destructiveHint", o.method == "DELETE");
        Object::new()
            .with("name", o.name("_"))
            .with("title", o.name(" "))
            .with("description", o.description.as_str())
            .with("inputSchema", schema)
            .with("annotations", hints)
            .into()
    };
    let header = Object::new()
        .with("name", "X-Api-Key")
        .with("isRequired", true)
        .with("isSecret", true);
    let remote: Json = Object::new()
        .with("type", "streamable-http")
        .with("url", site.url("/mcp"))
        .with("headers", vec![Json::from(header)])
        .into();
    let head = Object::new()
        .with(
            "$schema",
            "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        )
        .with("name", format!("{}/server", site.host))
        .with("title", site.name.as_str())
        .with("description", site.description.as_str())
        .with("version", "1.0.0")
        .with("remotes", vec![remote]);
    let (layout, base) = (
        making.layout,
        Json::from(head.clone()).write(making.layout).len() + 19,
    );
    let operations = making.operations(&mut site, base, |o| tool(o).length(layout, 2));
    let tools: Vec<_> = operations.iter().map(tool).collect();
    head.with("tools", tools).into()
}

fn ai_catalog(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let entry = |site: &Site, o: &Operation| -> Json {
        let name = o.name("-");
        Object::new()
            .with("identifier", format!("urn:air:{}:server:{name}", site.host))
            .with("displayName", o.name(" "))
            .with("type", "application/mcp-server-card+json")
            .with("url", site.url(&format!("/mcp/{name}.json")))
            .with("description", o.description.as_str())
            .with("tags", o.group.clone())
            .with("updatedAt", "2026-05-04T08:30:00Z")
            .into()
    };
    let host = Object::new()
        .with("displayName", site.name.as_str())
        .with("identifier", format!("did:web:{}", site.host));
    let head = Object::new().with("specVersion", "1.0").with("host", host);
    let (layout, base) = (
        making.layout,
        Json::from(head.clone()).write(making.layout).len() + 20,
    );
    let probe = site.clone();
    let operations = making.operations(&mut site, base, |o| entry(&probe, o).length(layout, 2));
    let entries: Vec<_> = operations.iter().map(|o| entry(&site, o)).collect();
    head.with("entries", entries).into()
}

fn agent_skills(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let skill = |o: &Operation| -> Json {
        let name = o.name("-");
        // Any digits: the artifacts do not exist.
        let digest = name.bytes().cycle().map(|byte| format!("{byte:02x}"));
        Object::new()
            .with("name", name.as_str())
            .with("type", "skill-md")
            .with("description", o.description.as_str())
            .with("url", format!("/.well-known/agent-skills/{name}/SKILL.md"))
            .with(
                "digest",
                format!("sha256:{}", digest.take(32).collect::<String>()),
            )
            .into()
    };
    let schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
    let head = Object::new().with("$schema", schema);
    let (layout, base) = (
        making.layout,
        Json::from(head.clone()).write(making.layout).len() + 20,
    );
    let operations = making.operations(&mut site, base, |o| skill(o).length(layout, 2));
    let skills: Vec<_> = operations.iter().map(skill).collect();
    head.with("skills", skills).into()
}

fn api_catalog(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let context = |site: &Site, o: &Operation| -> Json {
        let anchor = site.url(&format!("/apis/{}", o.name("-")));
        let target = |end: &str, kind: &str| -> Vec<Json> {
            let target = Object::new()
                .with("href", format!("{anchor}/{end}"))
                .with("type", kind)
                .with("title", o.description.as_str());
            vec![target.into()]
        };
        Object::new()
            .with("anchor", anchor.as_str())
            .with("service-desc", target("openapi", "application/json"))
            .with("service-doc", target("docs", "text/html"))
            .with("status", target("status", "application/json"))
            .into()
    };
    let (layout, probe) = (making.layout, site.clone());
    let operations = making.operations(&mut site, 20, |o| context(&probe, o).length(layout, 2));
    let contexts: Vec<_> = operations.iter().map(|o| context(&site, o)).collect();
    Object::new().with("linkset", contexts).into()
}

/// Returns lines as in published robots.txt files: nearly all `Disallow`, with a median of 24 (15,
/// 60) bytes.
fn robots_txt(making: &mut Making<'_>) -> String {
    const PLACES: &[&str] = &[
        "admin",
        "cart",
        "search",
        "tmp",
        "login",
        "private",
        "cgi-bin",
        "feed",
        "print",
        "wp-includes",
        "checkout",
        "node",
    ];
    let site = making.site(false);
    let mut text = String::from("# robots.txt\nUser-agent: *\n");
    let end = format!("\nSitemap: {}\n", site.url("/sitemap.xml"));
    let lines = making.fill(
        text.len() + end.len(),
        |rng| {
            let place = *rng.pick(PLACES);
            let other = *rng.pick(PLACES);
            match rng.weighted(&[(70, 0), (8, 1), (8, 2), (6, 3), (4, 4), (6, 5), (2, 6)]) {
                0 => format!("Disallow: /{place}/{other}/\n"),
                1 => format!("Allow: /{place}/{other}.html$\n"),
                2 => format!("\nUser-agent: {}\n", rng.pick(AGENTS)),
                3 => format!("# {place} and {other}\n"),
                4 => format!("Disallow: /*?{other}=*&{place}=\n"),
                5 => format!(
                    "Disallow: /{place}/{:x}/index.php?page={other}&id={}\n",
                    rng.below(1 << 24),
                    rng.below(10_000)
                ),
                _ => format!("Crawl-delay: {}\n", rng.between(1, 30)),
            }
        },
        String::len,
    );
    text.extend(lines);
    text + &end
}
