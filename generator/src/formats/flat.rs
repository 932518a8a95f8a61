//! agents.txt 0.1.0 and agents.json 0.1.

use std::fmt::Write;

use super::{Kind, Making, literal, some};
use crate::json::{Json, Object};
use crate::site::Operation;

pub(super) fn agents_txt_01(making: &mut Making<'_>) -> String {
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
    let operations =
        making.operations(&mut site, text.len() + end.len() + 90, |o| 8 + o.name(".").len() + 18);
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

pub(super) fn agents_json_01(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let docs = if making.is_strict { site.url("/docs/agents") } else { "/docs/agents".to_owned() };
    let capability = |o: &Operation| -> Json {
        let mut parameters = Object::new();
        for p in &o.parameters {
            let parameter = Object::new()
                .with("type", p.kind)
                .with("description", p.description.as_str())
                .with("required", p.required);
            parameters = parameters
                .with(p.name.as_str(), parameter.maybe("default", p.default.map(literal)));
        }
        let session = o.method != "GET";
        let object = Object::new()
            .with("name", o.name("."))
            .with("description", o.description.as_str())
            .with("endpoint", o.path.as_str())
            .with("method", o.method)
            .with("params", parameters);
        if session { object.with("requires_session", true) } else { object }.into()
    };
    let about = Object::new()
        .with("name", site.name.as_str())
        .with("url", site.url(""))
        .with("description", site.description.as_str())
        .with("contact", format!("agents@{}", site.host));
    let head = Object::new().with("schema_version", "0.1.0").with("site", about);
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
            .with("docs_url", docs.as_str())
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
    tail(head.with("capabilities", capabilities).with("flows", vec![flow])).into()
}
