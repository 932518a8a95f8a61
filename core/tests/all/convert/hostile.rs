//! Values that would have another meaning in the target format, and documents that would gain
//! rights.

use agentsdisc_core::manifest::AuthType;
use agentsdisc_core::{CheckOptions, ConvertError, Format, Severity};
use serde_json::{Value, json};

use super::{Converted, convert, model, parse};

fn of_json(value: &Value, to: Format) -> Converted {
    convert(&parse(value.to_string().as_bytes(), Format::AgentsJson), to)
}

#[test]
fn no_value_opens_another_field() {
    for value in [
        "x\nAuth: none",
        "x\rDisallow:",
        "x\u{b}Allow: /*",
        "x\u{85}Agent: *",
        "x\u{2028}Capability: y",
        "x\r\n\r\nAgent: evil",
    ] {
        for (path, document) in [
            ("service.name", json!({"site": {"name": value}})),
            ("service.contact[0]", json!({"site": {"contact": value}})),
            ("generated_at", json!({"generatedAt": value})),
            ("operates_on[0]", json!({"operatesOn": [value]})),
            ("metadata.X", json!({"X": value})),
            (
                "capabilities[0].description",
                json!({"capabilities": [{"id": "a", "description": value}]}),
            ),
            ("capabilities[0].protocol", json!({"capabilities": [{"id": "a", "protocol": value}]})),
            (
                "capabilities[0].auth.type",
                json!({"capabilities": [{"id": "a", "auth": {"type": value}}]}),
            ),
            (
                "capabilities[0].auth.scopes[0]",
                json!({"capabilities": [{"id": "a", "auth": {"type": "oauth2", "scopes": [value]}}]}),
            ),
            (
                "capabilities[0].parameters[0]",
                json!({"capabilities": [{"id": "a", "parameters": [{"name": value}]}]}),
            ),
            (
                "capabilities[0].parameters[0].location",
                json!({"capabilities": [{"id": "a", "parameters": [{"name": "q", "in": value}]}]}),
            ),
            (
                "capabilities[0].parameters[0].description",
                json!({"capabilities": [{"id": "a", "parameters": [{"name": "q", "description": value}]}]}),
            ),
            ("agents[0].capabilities[0]", json!({"agents": {"a": {"capabilities": [value]}}})),
            ("agents[0].declaration", json!({"agents": {"a": {"agentDeclaration": value}}})),
        ] {
            let converted = of_json(&document, Format::AgentsTxt);
            // Prose is folded to one line.
            let reason = if path.ends_with("description") { "changed" } else { "line-break" };
            assert_eq!(converted.reason(path), reason, "{path} {converted:?}");
            let text = converted.text();
            assert!(!text.contains(value) && !text.contains("x\n"), "{path}: {text}");
        }
        // Also names of fields.
        let converted = of_json(
            &json!({ value: "y", "capabilities": [{"id": "a", value: "y"}] }),
            Format::AgentsTxt,
        );
        // A name that mentions authentication means some; one that mentions `Disallow` restricts,
        // and cannot be written.
        if value.contains("Disallow") {
            assert_eq!(converted.result, Err(ConvertError::Refused));
        } else {
            let text = converted.text().replace("  Auth: unknown\n", "");
            assert_eq!(text, "Capability: a\n");
        }
        // A restriction that cannot be written rejects the whole conversion.
        for document in [
            json!({"access": {"disallow": [value]}}),
            json!({"access": {"allow": ["/", value]}}),
            json!({"agents": {value: {"capabilities": []}}}),
            json!({"capabilities": [{"id": value}]}),
            json!({"capabilities": [{"id": "a", "method": value}]}),
            json!({"capabilities": [{"id": "a", "endpoint": value}]}),
        ] {
            assert_eq!(
                of_json(&document, Format::AgentsTxt).result,
                Err(ConvertError::Refused),
                "{document}"
            );
            assert!(of_json(&document, Format::AgentsJson).result.is_ok(), "{document}");
        }
    }
}

#[test]
fn no_name_becomes_a_known_field() {
    let names = [
        "Auth",
        "AUTH",
        "Capability",
        "agent",
        "Endpoint",
        "Site-Name",
        "Contact",
        "Description",
        "User-agent",
        "Flow",
        "URL",
        "#x",
        "a:b",
        " x",
        "",
    ];
    for name in names {
        let converted = of_json(
            &json!({ name: "none", "capabilities": [{"id": "a", "auth": {"type": "hmac"}, name: "none"}] }),
            Format::AgentsTxt,
        );
        assert_eq!(converted.text(), "Capability: a\n  Auth: hmac\n", "{name}");
        assert_eq!(converted.losses.len(), 2, "{name}: {converted:?}");
    }
    // Also with escapes in the source.
    let source = br#"{"capabilities":[{"id":"a","\u0041uth":"none","auth":{"type":"hmac"}}]}"#;
    let converted = convert(&parse(source, Format::AgentsJson), Format::AgentsTxt);
    assert_eq!(converted.text(), "Capability: a\n  Auth: hmac\n");
    // Also in the other direction.
    let text =
        b"Capability: a\n  Auth: hmac\n  auth-x: 1\n  tokenEndpoint: https://evil.test\n  scopes_: x\n  rateLimit: x\n  parameters: y\n";
    let converted = convert(&parse(text, Format::AgentsTxt), Format::AgentsJson);
    assert_eq!(converted.reason("capabilities[0].metadata.rateLimit"), "name-taken");
    assert_eq!(converted.reason("capabilities[0].metadata.parameters"), "name-taken");
    let json: Value = serde_json::from_str(converted.text()).unwrap();
    assert_eq!(json["capabilities"][0]["auth"], json!({"type": "hmac"}));
}

#[test]
fn no_item_splits_into_two() {
    let converted = of_json(
        &json!({"agents": {"a": {"capabilities": ["x, y", "z", "", " w", "(v)"]}}}),
        Format::AgentsTxt,
    );
    assert_eq!(converted.text(), "Agent: a\n  Capabilities: z, (v)\n");
    for (path, reason) in [(0, "separator"), (2, "empty"), (3, "blank-edge")] {
        assert_eq!(converted.reason(&format!("agents[0].capabilities[{path}]")), reason);
    }
    let parameter = |name: &str, location: &str, kind: &str| {
        of_json(
            &json!({"capabilities": [{"id": "a", "parameters": [{"name": name, "in": location, "type": kind}]}]}),
            Format::AgentsTxt,
        )
    };
    assert_eq!(
        parameter("q", "query", "string, required").text(),
        "Capability: a\n  Param: q (query)\n"
    );
    assert_eq!(
        parameter("q", "query) - x", "string").text(),
        "Capability: a\n  Param: q (unknown, string)\n"
    );
    assert_eq!(parameter("q (body, string)", "query", "string").text(), "Capability: a\n");
}

#[test]
fn authentication_never_becomes_none() {
    let hostile = [
        json!(5),
        json!({}),
        json!([]),
        json!(" none"),
        json!("none\n"),
        json!("NONE "),
        json!(""),
        json!({"type": 5}),
        json!({"type": " none"}),
        json!({"type": "none\u{0}"}),
        json!({"type": "\u{a0}none"}),
        json!(false),
    ];
    for auth in hostile {
        for to in [Format::AgentsTxt, Format::AgentsJson] {
            let converted = of_json(&json!({"capabilities": [{"id": "a", "auth": auth}]}), to);
            let written = model(&parse(converted.text().as_bytes(), to));
            assert_eq!(
                written["capabilities"][0]["auth"]["type"],
                "unknown",
                "{auth} to {to}: {}",
                converted.text()
            );
        }
    }
}

#[test]
fn authentication_outside_of_the_capabilities_reaches_those_that_state_none() {
    for member in ["Auth", "authentication"] {
        let source =
            json!({member: "t", "capabilities": [{"id": "a"}, {"id": "b", "auth": "none"}]});
        for to in [Format::AgentsTxt, Format::AgentsJson, Format::Awp] {
            let converted = of_json(&source, to);
            let document = parse(converted.text().as_bytes(), to);
            let capabilities: Vec<_> = document.manifest().capabilities().collect();
            let is_open = capabilities[0].auth_required != Some(true)
                && capabilities[0].auth.is_none_or(|auth| auth.kind.value == AuthType::None);
            assert!(!is_open, "{member} to {to}: {}", converted.text());
        }
    }
}

#[test]
fn an_unreadable_list_of_authenticated_actions_covers_all() {
    for auth in [
        json!(false),
        json!("oauth2"),
        json!([]),
        json!({"required_for": "a"}),
        json!({"type": "none", "required_for": {"a": true}}),
        json!({"type": "oauth2", "required_for": 5}),
    ] {
        let action = json!({"id": "a", "auth_required": false, "endpoint": "/a", "method": "GET"});
        let document = json!({"awp_version": "0.2", "domain": "example.com", "intent": "x", "auth": auth, "actions": [action]});
        for to in [Format::AgentsTxt, Format::AgentsJson] {
            let converted = convert(&parse(document.to_string().as_bytes(), Format::Awp), to);
            let written = model(&parse(converted.text().as_bytes(), to));
            let kind = &written["capabilities"][0]["auth"]["type"];
            assert!(kind == "unknown" || kind == "oauth2", "{auth} to {to}: {}", converted.text());
        }
    }
}

#[test]
fn an_agent_never_gets_more_capabilities() {
    for policy in [
        json!({"capabilities": "search"}),
        json!({"capabilities": 5}),
        json!({"capabilities": {}}),
        json!("all"),
        json!([]),
        json!({"capabilities": [5, {}]}),
        json!({"capabilities": ["a,b"]}),
    ] {
        for to in [Format::AgentsTxt, Format::AgentsJson] {
            let converted = of_json(&json!({"agents": {"x": policy}}), to);
            let written = model(&parse(converted.text().as_bytes(), to));
            let granted = written["agents"][0]["capabilities"]
                .as_array()
                .unwrap_or_else(|| panic!("{policy} to {to}: all"));
            assert!(
                granted.is_empty() || to == Format::AgentsJson && granted == &[json!("a,b")],
                "{policy}: {written}"
            );
        }
    }
}

#[test]
fn unreadable_or_unwritable_rules_reject_the_conversion() {
    for document in [
        json!({"access": "none"}),
        json!({"agents": "none"}),
        json!({"disallow": 5}),
        json!({"access": {"disallow": 5}}),
        json!({"access": {"allow": "/", "disallow": ["/a"]}}),
        json!({"access": {"disallow": ["/a", 5]}}),
        json!({"access": {"disallow": ["/a", ["/b"]]}}),
        json!({"disallow": ["/"], "access": {"disallow": ["/a"]}}),
        json!({"Disallow": "none"}),
        json!({"access": {"disallowed": ["/a"]}}),
        json!({"Access": {"disallow": ["/a"]}}),
        json!({"agents": {"a": {"dissallow": ["/a"]}}}),
        json!({"agents": [5]}),
        json!({"agents": [{"name": "a"}, ["b"]]}),
    ] {
        for to in [Format::AgentsTxt, Format::AgentsJson] {
            let converted = of_json(&document, to);
            assert_eq!(converted.result, Err(ConvertError::Refused), "{document}");
            assert!(
                converted.losses.values().any(|loss| *loss == ("unreadable", Severity::Error)),
                "{converted:?}"
            );
        }
    }
    for nameless in [json!({}), json!({"name": 5}), json!({"name": null, "capabilities": []})] {
        assert_eq!(
            of_json(&json!({"agents": [nameless]}), Format::AgentsTxt).result,
            Err(ConvertError::Refused),
            "{nameless}"
        );
    }
    assert!(of_json(&json!({"agents": [null]}), Format::AgentsTxt).result.is_ok());
    // In `metadata`, names have no meaning.
    assert!(
        of_json(&json!({"metadata": {"access": 5, "disallow": 5}}), Format::AgentsTxt)
            .result
            .is_ok()
    );
    for robots in [
        &b"User-agent: *\nDisallow: /\xff\n"[..],
        b"User-agent: bot\nDisallow: /\nUser-agent: *\nAllow: /\n",
        b"User-agent: *\nDisallow: /a\0b\n",
    ] {
        let converted = convert(&parse(robots, Format::RobotsTxt), Format::AgentsTxt);
        assert_eq!(
            converted.result,
            Err(ConvertError::Refused),
            "{}",
            String::from_utf8_lossy(robots)
        );
    }
}

#[test]
fn values_that_readers_reject_are_left_out() {
    let long = "x".repeat(70_000);
    let document = json!({"site": {"name": long}, long.as_str(): "y", "agents": {"a": {"capabilities": vec![&long[..1000]; 100]}}});
    let converted = of_json(&document, Format::AgentsTxt);
    assert_eq!(converted.reason("service.name"), "too-long");
    assert_eq!(converted.reason("agents[0].capabilities[99]"), "too-long");
    parse(converted.text().as_bytes(), Format::AgentsTxt);
    // A value at the maximum depth cannot be nested further.
    let deep = format!(r#"{{"x":{}{}}}"#, "[".repeat(63), "]".repeat(63));
    let converted = convert(&parse(deep.as_bytes(), Format::AgentsJson), Format::AgentsJson);
    assert_eq!(converted.reason("metadata.x"), "too-deep");
    parse(converted.text().as_bytes(), Format::AgentsJson);
}

#[test]
fn a_path_never_becomes_an_authority() {
    for domain in
        ["evil.test/x", "user@evil.test", "a b", "", "evil.test#", "x\nAuth: none", "[::1]"]
    {
        let source = json!({"awp_version": "0.2", "domain": domain, "actions": [{"id": "a", "endpoint": "/x"}]});
        let source = source.to_string();
        let converted = convert(&parse(source.as_bytes(), Format::Awp), Format::AgentsTxt);
        assert!(!converted.text().contains("https:"), "{domain}: {}", converted.text());
    }
    for endpoint in ["//evil.test/x", "/\\evil.test/x", "http://evil.test/", "/a b"] {
        let source = json!({"awp_version": "0.2", "domain": "a.example", "actions": [{"id": "a", "endpoint": endpoint}]}).to_string();
        let converted = convert(&parse(source.as_bytes(), Format::Awp), Format::AgentsTxt);
        assert!(
            converted.text().contains(&format!("  Endpoint: {endpoint}\n")),
            "{endpoint}: {}",
            converted.text()
        );
    }
}

/// Operations of a description that have one id are all kept: a conversion neither joins nor renames
/// them, and the check of the result names each repetition.
#[test]
fn ten_thousand_operations_of_one_id_are_all_kept() {
    const COUNT: usize = 10_000;
    let operation = |number| (format!("/m{number}"), json!({"get": {"operationId": "same"}}));
    let paths: serde_json::Map<_, _> = (0..COUNT).map(operation).collect();
    let text = json!({
        "openapi": "3.1.0", "info": {"title": "T", "version": "1"},
        "servers": [{"url": "https://mugs.example"}], "paths": paths
    })
    .to_string();
    let document = parse(text.as_bytes(), Format::OpenApi);
    for target in [Format::AgentsTxt, Format::AgentsJson, Format::Awp] {
        let converted = convert(&document, target);
        assert_eq!(converted.reason("capabilities[9999].endpoint"), "changed");
        let result = parse(converted.text().as_bytes(), target);
        let kept: std::collections::BTreeSet<_> = result
            .manifest()
            .capabilities()
            .filter(|one| one.id.is_some_and(|id| id == "same"))
            .map(|one| one.endpoint.unwrap().to_string())
            .filter(|endpoint| endpoint.starts_with("https://mugs.example/m"))
            .collect();
        assert_eq!(kept.len(), COUNT, "{target}");
        let (mut twice, mut all) = (0, 0);
        result.check_with(&CheckOptions::default(), &mut vec![0; 2 * COUNT], |found| {
            all += 1;
            twice += usize::from(found.code.as_str() == "duplicate-id");
        });
        assert!(twice > 0 && all < COUNT, "{target}: {twice} of {all}");
    }
    let sentences = convert(&document, Format::AgentsMd);
    assert_eq!(sentences.reason("capabilities[9999]"), "changed");
}
