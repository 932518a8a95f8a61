//! Cards of A2A agents and MCP servers.

use super::{Making, literal};
use crate::json::{Json, Object};
use crate::site::Operation;

/// A card of A2A 1.0, with skills like those of published cards.
pub(super) fn a2a_agent_card(making: &mut Making<'_>) -> Json {
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
    let key = Object::new().with("location", "header").with("name", "X-Api-Key");
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
    let (layout, base) = (making.layout, Json::from(head.clone()).write(making.layout).len() + 19);
    let operations = making.operations(&mut site, base, |o| skill(o).length(layout, 2));
    let skills: Vec<_> = operations.iter().map(skill).collect();
    head.with("skills", skills).into()
}

/// A server card with tools, listed as in published cards.
pub(super) fn mcp_server_card(making: &mut Making<'_>) -> Json {
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
    let header =
        Object::new().with("name", "X-Api-Key").with("isRequired", true).with("isSecret", true);
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
    let (layout, base) = (making.layout, Json::from(head.clone()).write(making.layout).len() + 19);
    let operations = making.operations(&mut site, base, |o| tool(o).length(layout, 2));
    let tools: Vec<_> = operations.iter().map(tool).collect();
    // A card lists no tools, but published cards do.
    if making.is_strict {
        return head.into();
    }
    head.with("tools", tools).into()
}
