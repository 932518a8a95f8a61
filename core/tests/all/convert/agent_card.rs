//! Conversions of agent cards.

use agentsdisc_core::{ConvertOptions, Format};

use super::cases::becomes;
use super::{convert_with, parse};

#[test]
fn an_agent_card_converts_to_the_draft() {
    becomes(
        r#"{"name":"Mugs","description":"A shop of mugs","version":"1","supportedInterfaces":[
            {"url":"mugs.example:443","protocolBinding":"GRPC","protocolVersion":"1.0"},{"url":"https://mugs.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
            "securitySchemes":{"k":{"apiKeySecurityScheme":{"location":"header","name":"X-Key"}}},"securityRequirements":[{"schemes":{"k":{}}}],
            "skills":[{"id":"find_mug","description":"Finds a mug"}]}"#,
        Format::A2aAgentCard,
        Format::AgentsTxt,
        "Spec-Version: 1.0\n\nSite-Name: Mugs\nSite-Description: A shop of mugs\n\n\
         Capability: find_mug\n  Description: Finds a mug\n  Endpoint: https://mugs.example/a2a\n  Protocol: A2A\n  Auth: api-key\n",
        &[
            ("service.version", "no-place"),
            ("auth.type", "changed"),
            ("auth.header", "no-place"),
            ("auth.metadata.securityRequirements", "no-place"),
            ("security_schemes[0]", "no-place"),
            ("endpoints[0]", "no-place"),
            ("endpoints[1]", "no-place"),
            ("capabilities[0].via", "changed"),
            ("capabilities[0].auth.type", "changed"),
            ("capabilities[0].skill", "no-place"),
        ],
    );
}

/// A skill remains a message to the interface of its card, not a request of its own.
#[test]
fn the_skills_of_an_agent_card_become_actions_via_a2a() {
    let card = |url: &str, auth: &str| {
        format!(
            r#"{{"name":"Mugs","description":"A shop of mugs","supportedInterfaces":[{{"url":"{url}","protocolBinding":"JSONRPC","protocolVersion":"1.0"}}],
            "securitySchemes":{{"k":{{"apiKeySecurityScheme":{{"location":"header","name":"X-Key"}}}}}}{auth},"skills":[{{"id":"find_mug","description":"Finds a mug"}}]}}"#
        )
    };
    let guarded = r#","securityRequirements":[{"schemes":{"k":{}}}]"#;
    let required = r#","auth_required":true"#;
    for (url, auth, kind, required) in [
        ("https://mugs.example/a2a", "", "", ""),
        ("https://mugs.example/a2a", guarded, r#","auth":{"type":"api_key"}"#, required),
        ("/a2a", "", "", ""),
    ] {
        let source = card(url, auth);
        let options = ConvertOptions {
            origin: Some("https://mugs.example"),
            pretty: false,
            ..ConvertOptions::default()
        };
        let document = parse(source.as_bytes(), Format::A2aAgentCard);
        let converted = convert_with(&document, Format::Awp, &options);
        assert_eq!(
            converted.text(),
            format!(
                r#"{{"awp_version":"0.2","domain":"mugs.example","intent":"A shop of mugs","protocols":{{"a2a":{{"version":"1.0","endpoint":"https://mugs.example/a2a","transport":"JSONRPC"}}}}{kind},"actions":[{{"id":"find_mug","description":"Finds a mug"{required},"via":"a2a"}}]}}"#
            )
        );
        let has = |path| converted.losses.contains_key(path);
        assert!(!has("capabilities[0].via"), "{:#?}", converted.losses);
        assert_eq!(has("endpoints[0].url"), url == "/a2a");
    }
}
