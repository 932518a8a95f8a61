//! The Agent Web Protocol and the Agent Discovery Protocol.

use super::{Making, literal};
use crate::json::{Json, Object};
use crate::site::Operation;

pub(super) fn awp(making: &mut Making<'_>) -> Json {
    let mut site = making.site(false);
    let strict = making.is_strict;
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
            inputs = inputs.with(p.name.as_str(), input.maybe("default", p.default.map(literal)));
        }
        let entity = o.group.join("_");
        let list = if strict { "array[string]".to_owned() } else { format!("array[{entity}]") };
        let outputs = Object::new().with(entity.as_str(), list).with("next", "string");
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
                object = object.with("execution_model", "sync").with("idempotency", keys);
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
        .with("endpoint", if strict { site.url("/mcp") } else { "/mcp".to_owned() })
        .with("transport", "http");
    let head = Object::new()
        .with("awp_version", "0.2")
        .with("domain", site.host.as_str())
        .with("intent", site.description.as_str());
    let head = if site.lean {
        head
    } else {
        head.with("protocols", Object::new().with("mcp", mcp)).with("capabilities", features)
    };
    let mut errors = Object::new();
    for (code, recovery) in [
        ("AUTH_EXPIRED", "call /auth/refresh, then repeat the action"),
        ("RATE_LIMITED", "wait 60 seconds, then repeat the action"),
        ("NOT_FOUND", "list the entries again and take a current id"),
        ("VERSION_CONFLICT", "read the entry again, then repeat the change"),
    ] {
        errors = errors.with(code, Object::new().with("recovery", recovery));
    }
    let hints = Object::new()
        .with("paging", "ask for small pages first")
        .with("prices", "prices may change, keep them for 5 minutes at most");
    let base =
        Json::from(head.clone().with("errors", errors.clone()).with("agent_hints", hints.clone()))
            .write(making.layout)
            .len();
    let (layout, lean) = (making.layout, site.lean);
    let base = if lean { base / 3 } else { base + making.size / 8 };
    let operations = making.operations(&mut site, base, |o| action(o).length(layout, 2));
    let names: Vec<_> = operations.iter().map(|o| o.name("_")).collect();
    let actions: Vec<_> = operations.iter().map(action).collect();
    if lean && !strict {
        return head.with("actions", actions).into();
    }
    let guarded: Vec<_> =
        operations.iter().filter(|o| o.auth != "none").map(|o| o.name("_")).take(12).collect();
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
        let name = operations.get(number).map_or_else(|| "entry".to_owned(), |o| o.group.join("_"));
        entities = entities.with(format!("{name}_{number}"), Object::new().with("fields", fields));
        if let [first, .., last] = names.as_slice() {
            let name = names.get(number + 1).unwrap_or(last);
            if name != first && number + 1 < names.len() {
                dependencies = dependencies.with(name.as_str(), vec![first.as_str()]);
            }
        }
    }
    let status = Object::new().with("operational", true).with("status_endpoint", "/status");
    head.with("auth", auth)
        .with("entities", entities)
        .with("actions", actions)
        .with("errors", errors)
        .with("dependencies", dependencies)
        .with("agent_hints", hints)
        .with("agent_status", status)
        .into()
}

pub(super) fn adp(making: &mut Making<'_>) -> Json {
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
    let (layout, base) = (making.layout, Json::from(head.clone()).write(making.layout).len() + 25);
    let operations = making.operations(&mut site, base, |o| capability(o).length(layout, 2));
    let capabilities: Vec<_> = operations.iter().map(capability).collect();
    head.with("capabilities", capabilities).into()
}
