//! Replaces each value of a rich agents.json by each other JSON type. The document always parses,
//! the model always contains all members and is valid JSON, and members that grant rights are read
//! restrictively.
use agentsdisc_core::manifest::AuthType;
use agentsdisc_core::{CheckOptions, Code, Document, Format, ParseOptions};
use serde_json::{Value, json};

fn rich() -> Value {
    json!({
        "specVersion": "1.0",
        "generatedAt": "2026-01-02T03:04:05Z",
        "declarationType": "agent",
        "operatesOn": ["https://a.example", "https://b.example"],
        "agentsJson": "https://shop.example/.well-known/agents.json",
        "site": {
            "name": "Shop", "url": "https://shop.example", "description": "Sells things.",
            "contact": "a@shop.example", "privacyPolicy": "https://shop.example/privacy", "founded": 1999
        },
        "capabilities": [{
            "id": "search", "description": "Search.", "endpoint": "https://shop.example/s", "method": "GET", "protocol": "REST",
            "auth": {"type": "oauth2", "tokenEndpoint": "https://shop.example/t", "docsUrl": "https://shop.example/d", "scopes": ["read"], "x": 1},
            "rateLimit": {"requests": 60, "window": "minute", "burst": 5},
            "openapi": "https://shop.example/o.json",
            "parameters": [{"name": "q", "in": "query", "type": "string", "required": true, "default": "x", "description": "Words.", "min": 1, "max": 9, "y": []}],
            "scopes": ["write"], "vendor": {"a": [1, 2]}
        }, {
            "id": "buy", "endpoint": "https://shop.example/b", "protocol": "REST", "auth": "api-key", "rateLimit": "5/hour"
        }],
        "access": {"allow": ["/s"], "disallow": ["/admin", "/b"], "note": null},
        "agents": {
            "*": {"rateLimit": {"requests": 1, "window": "second"}, "capabilities": ["search"]},
            "heron": {"capabilities": ["search", "buy"], "agentDeclaration": "https://heron.example/agents.txt", "z": {}}
        },
        "metadata": {"a": 1, "b": [true]},
        "unknown": {"deep": [{"er": null}]}
    })
}

/// Collects JSON pointers to all values.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let place = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                found.push(place.clone());
                places(value, &place, found);
            }
        }
        Value::Array(items) => {
            for (number, value) in items.iter().enumerate() {
                let place = format!("{at}/{number}");
                found.push(place.clone());
                places(value, &place, found);
            }
        }
        _ => {}
    }
}

fn replacements() -> [Value; 10] {
    [
        Value::Null,
        json!(true),
        json!(false),
        json!(0),
        json!(-1.5e300),
        json!(""),
        json!("\u{0}\u{fffd}\"\\"),
        json!([]),
        json!([null, "x", [["y"]], {"type": "none"}]),
        json!({"type": 7, "name": [], "capabilities": "all", "requests": "1", "": {}}),
    ]
}

#[test]
fn any_value_may_have_any_type() {
    let rich = rich();
    let mut found = Vec::new();
    places(&rich, "", &mut found);
    assert!(found.len() > 60);
    for place in &found {
        for replacement in replacements() {
            let mut bent = rich.clone();
            *bent.pointer_mut(place).unwrap() = replacement.clone();
            for text in [bent.to_string(), serde_json::to_string_pretty(&bent).unwrap()] {
                let options =
                    ParseOptions { format: Some(Format::AgentsJson), ..ParseOptions::default() };
                let document = Document::parse_with(text.as_bytes(), &options)
                    .unwrap_or_else(|error| panic!("{place} = {replacement}: {error}"));
                let mut model = vec![0; document.json_len()];
                document.write_json(&mut model).unwrap();
                let model: Value = serde_json::from_slice(&model)
                    .unwrap_or_else(|error| panic!("{place} = {replacement}: {error}"));
                let mut codes = Vec::new();
                document.check(&CheckOptions::default(), |diagnostic| {
                    assert!(diagnostic.span.end as usize <= text.len());
                    codes.push(diagnostic.code);
                });
                narrow(place, &replacement, &document, &codes);
                kept(place, &replacement, &model, &text);
            }
        }
    }
}

/// Checks that unreadable members grant nothing.
fn narrow(place: &str, replacement: &Value, document: &Document<'_>, codes: &[Code]) {
    let manifest = document.manifest();
    match place {
        "/capabilities/0/auth" | "/capabilities/1/auth"
            if !replacement.is_null() && !replacement.is_string() =>
        {
            let number = usize::from(place.starts_with("/capabilities/1"));
            let kind =
                manifest.capabilities().nth(number).unwrap().auth.map(|auth| auth.kind.value);
            assert!(
                kind.is_some_and(|kind| kind != AuthType::None),
                "{place} = {replacement}: {kind:?}"
            );
        }
        "/agents/heron/capabilities" | "/agents/*/capabilities" if !replacement.is_null() => {
            let name = if place.contains('*') { "*" } else { "heron" };
            let policy =
                manifest.agents().find(|agent| agent.name.is_some_and(|n| n == name)).unwrap();
            let granted = policy
                .capabilities
                .unwrap_or_else(|| panic!("{place} = {replacement}: everything is granted"));
            assert!(
                granted.count() <= replacement.as_array().map_or(0, Vec::len),
                "{place} = {replacement}"
            );
        }
        "/agents/heron" if !replacement.is_null() && !replacement.is_object() => {
            let policy =
                manifest.agents().find(|agent| agent.name.is_some_and(|n| n == "heron")).unwrap();
            assert!(
                policy.capabilities.is_some_and(|granted| granted.count() == 0),
                "{place} = {replacement}"
            );
        }
        "/access/disallow" if replacement.is_string() => {
            assert_eq!(manifest.access().disallow.count(), 1)
        }
        _ => {}
    }
    if matches!(place, "/specVersion" | "/site/name" | "/capabilities/0/id")
        && !replacement.is_string()
    {
        assert!(
            codes.iter().any(|code| matches!(code, Code::WrongType | Code::MissingRequiredField)),
            "{place} = {replacement}: {codes:?}"
        );
    }
}

/// Checks that the model contains a replacement that no field reads, unless it is `null`, which is
/// absent.
fn kept(place: &str, replacement: &Value, model: &Value, text: &str) {
    let unreadable =
        place.split('/').count() == 2 && replacement.as_f64().is_some_and(|number| number < 0.0);
    if unreadable {
        let name = place.trim_start_matches('/');
        // An ill-typed `metadata` member of the format is kept under that name.
        let found = model.pointer(&format!("/metadata/{name}"));
        assert_eq!(found.and_then(Value::as_f64), replacement.as_f64(), "{place}: {text}\n{model}");
    }
}

#[test]
fn a_top_level_other_than_an_object_is_an_error() {
    for text in ["null", "true", "0", "\"x\"", "[]", "[{}]"] {
        let options = ParseOptions { format: Some(Format::AgentsJson), ..ParseOptions::default() };
        assert!(Document::parse_with(text.as_bytes(), &options).is_err(), "{text}");
    }
}
