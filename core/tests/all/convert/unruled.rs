//! The results of conversions to the formats without access rules.

use agentsdisc_core::{ConvertError, ConvertOptions, Format};
use serde_json::{Value, json};

use super::{UNRULED, convert, convert_with, parse};

const DRAFT_SHOP: &str = "Spec-Version: 1.0
Site-Name: Mug Shop
Site-URL: https://mugs.example
Site-Description: Sells mugs.
Site-Contact: agents@mugs.example

Capability: search
  Description: Search the mugs
  Endpoint: https://mugs.example/api/search
  Method: GET
  Protocol: REST
  Rate-Limit: 60/minute
  Param: q (query, string, required) - What to search for

Capability: order
  Description: Order a mug
  Endpoint: https://mugs.example/api/order
  Method: POST
  Protocol: REST
  Auth: oauth2

Capability: chat
  Description: Talk about mugs
  Endpoint: https://mugs.example/mcp
  Protocol: MCP
";

#[test]
fn an_agents_txt_converts_to_an_agent_json() {
    let document = parse(DRAFT_SHOP.as_bytes(), Format::AgentsTxt);
    let converted = convert(&document, Format::Awp);
    let value: Value = serde_json::from_str(converted.text()).unwrap();
    // The version of the protocol, inputs and outputs are not stated, so they are not invented.
    assert_eq!(
        value,
        json!({
            "awp_version": "0.2",
            "domain": "mugs.example",
            "intent": "Sells mugs.",
            "protocols": {"mcp": {"endpoint": "https://mugs.example/mcp"}},
            "auth": {"type": "oauth2"},
            "actions": [
                {
                    "id": "search",
                    "description": "Search the mugs",
                    "auth_required": false,
                    "inputs": {"q": {"type": "string", "required": true, "description": "What to search for"}},
                    "endpoint": "https://mugs.example/api/search",
                    "method": "GET",
                    "rate_limit": "60/minute",
                },
                {
                    "id": "order",
                    "description": "Order a mug",
                    "auth_required": true,
                    "endpoint": "https://mugs.example/api/order",
                    "method": "POST",
                },
                {"id": "chat", "description": "Talk about mugs", "auth_required": false, "via": "mcp"},
            ]
        })
    );
    for (path, reason) in [
        ("service.name", "no-place"),
        ("service.url", "changed"),
        ("service.contact[0]", "no-place"),
        ("access", "no-place"),
        ("capabilities[0].parameters[0].location", "no-place"),
        ("capabilities[1].auth.type", "changed"),
        ("capabilities[2].protocol", "changed"),
    ] {
        assert_eq!(converted.reason(path), reason, "{path}");
    }
}

#[test]
fn an_agents_txt_converts_to_an_agents_md() {
    let document = parse(DRAFT_SHOP.as_bytes(), Format::AgentsTxt);
    let options = ConvertOptions { loosen: true, ..ConvertOptions::default() };
    let converted = convert_with(&document, Format::AgentsMd, &options);
    assert_eq!(
        converted.text(),
        "---\nversion: \"1.0\"\nmcp:\n  endpoint: \"https://mugs.example/mcp\"\n  auth: none\n---\n\n# Mug Shop\n\nSells mugs.\n\n## Can\n- Search the mugs\n- Talk about mugs\n\n## Contact\n- agents@mugs.example\n"
    );
    // A sentence does not carry authentication, nor a limit unless that is dropped on request.
    assert_eq!(converted.reason("capabilities[1]"), "guarded");
    let converted = convert(&document, Format::AgentsMd);
    assert_eq!(converted.reason("capabilities[0]"), "guarded");
    assert!(!converted.text().contains("Search the mugs"));
}

#[test]
fn targets_without_access_rules_refuse_restrictions() {
    for restriction in [
        "Disallow: /admin/*\n",
        "Agent: Claude\n  Capabilities: search\n",
        "Agent: *\n  Capabilities:\n",
        "Agent: *\n  Rate-Limit: 5/minute\n",
        "Declaration-Type: agent\n",
    ] {
        let text = format!("{DRAFT_SHOP}\n{restriction}");
        let document = parse(text.as_bytes(), Format::AgentsTxt);
        for target in UNRULED {
            assert_eq!(
                convert(&document, target).result,
                Err(ConvertError::Refused),
                "{restriction} {target}"
            );
        }
    }
}

#[test]
fn an_agent_json_converts_to_an_agents_md() {
    let agent_json = |mcp: &str| {
        format!(
            r#"{{"awp_version":"0.2","domain":"mugs.example","intent":"Sell mugs","auth":{{"type":"api_key"}},"protocols":{{"mcp":{{"version":"1","endpoint":"https://mugs.example/mcp"}}}},"actions":[{{"id":"chat","description":"Talk","auth_required":true,"via":"mcp"{mcp}}}]}}"#
        )
    };
    let source = agent_json("");
    let document = parse(source.as_bytes(), Format::Awp);
    let text = convert(&document, Format::AgentsMd);
    assert!(
        text.text().contains("mcp:\n  endpoint: \"https://mugs.example/mcp\"\n  auth: api-key\n"),
        "{}",
        text.text()
    );
    // A person has to agree, which agents.md cannot express.
    let source = agent_json(r#","requires_human_confirmation":true"#);
    let document = parse(source.as_bytes(), Format::Awp);
    let text = convert(&document, Format::AgentsMd);
    assert!(!text.text().contains("mcp:"), "{}", text.text());
    assert_eq!(text.reason("endpoints[0]"), "guarded");
}

#[test]
fn a_document_of_the_target_stays_as_it_is() {
    for (text, format) in [
        ("\u{feff}{ \"awp_version\" : \"0.2\", \"x\": 1 }\n", Format::Awp),
        ("# Shop\n\nSells <b>mugs</b>.\n\n## Can\n- Buy\n", Format::AgentsMd),
        ("# Shop\n\n> Sells *mugs*.\n\n## Docs\n- [API](/api.md)\n", Format::LlmsTxt),
    ] {
        let converted = convert(&parse(text.as_bytes(), format), format);
        assert_eq!(converted.text(), text);
        assert!(converted.losses.is_empty());
    }
}

#[test]
fn an_openapi_description_converts_to_an_llms_txt() {
    let source = r#"{
        "openapi": "3.1.0",
        "info": {
            "title": "3 Mug Shops [v2]", "version": "2", "description": "Sells [mugs](/m).\n\nAnd cups.",
            "termsOfService": "https://mugs.example/terms", "license": {"name": "MIT", "identifier": "MIT"}
        },
        "externalDocs": {"url": "https://docs.mugs.example/(api)"},
        "servers": [{"url": "https://mugs.example"}],
        "paths": {"/mugs": {
            "get": {"operationId": "search", "summary": "Search the mugs"},
            "post": {"operationId": "order", "summary": "[Order](https://evil.example) a mug", "security": [{"key": []}]},
            "put": {"operationId": "-", "summary": "- see https://evil.example"},
            "patch": {"operationId": "a][b", "summary": "See https://evil.example"}
        }},
        "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}
    }"#;
    let document = parse(source.as_bytes(), Format::OpenApi);
    let converted = convert(&document, Format::LlmsTxt);
    assert_eq!(
        converted.text(),
        "# 3 Mug Shops [v2]\n\n> Sells [mugs](/m). And cups.\n\n- Search the mugs\n- order\n\n## Optional\n\n- [terms-of-service](https://mugs.example/terms)\n"
    );
    for (path, reason) in [
        ("service.description", "changed"),
        ("service.docs", "separator"),
        ("service.version", "no-place"),
        ("capabilities[0]", "changed"),
        ("capabilities[2]", "unnamed"),
        ("capabilities[3]", "unnamed"),
        ("references[0]", "changed"),
        ("references[1]", "no-place"),
    ] {
        assert_eq!(converted.reason(path), reason, "{path}");
    }
}

#[test]
fn text_that_markdown_would_read_otherwise_is_not_written() {
    for name in ["# x", "- x", "1. x", "> x", "a <b>", "`x`", "x #", "*x*", "---", "[x]: y", "~~~"]
    {
        let text = format!(
            "Spec-Version: 1.0\nSite-Name: {name}\nSite-URL: https://mugs.example\nSite-Description: {name}\n"
        );
        let document = parse(text.as_bytes(), Format::AgentsTxt);
        for target in [Format::AgentsMd, Format::LlmsTxt] {
            let is_plain = target == Format::LlmsTxt && name == "a <b>";
            if !is_plain {
                let converted = convert(&document, target);
                assert_eq!(converted.reason("service.name"), "separator", "{name}");
                assert!(!converted.text().contains(name) || name == "---", "{name}");
            }
        }
    }
}
