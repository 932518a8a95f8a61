//! Discovery: agent cards, server cards and other documents that links lead to, and their old and
//! new locations.

use super::*;

#[test]
fn a_link_says_what_is_at_its_target() {
    let html = "<head><link rel=llms-txt href=/for-llms.md><link rel='alternate' type='application/a2a-agent-card+json' href=/b.json>
        <link rel=alternate href=/other.md>";
    let thin = r#"{"name": "A", "protocolVersion": "0.3.0", "url": "https://a.example/a2a"}"#;
    let catalog = catalog(&[("application/a2a-agent-card+json", "/c.json")]);
    let list = [
        ("/", Reply::body(html).with("Link", "</a.json>; rel=\"a2a-agent-card\"")),
        ("/for-llms.md", Reply::body("# A\n\n- [b](/b)\n")),
        ("/.well-known/ard.json", Reply::body(&catalog)),
        ("/a.json", Reply::body(thin)),
        ("/b.json", Reply::body(thin)),
        ("/c.json", Reply::body(thin)),
    ];
    let (discovery, _) = discover("a.example", pages(&list));
    assert_eq!(
        trail(&discovery),
        [
            "/c.json a2a-agent-card entry application/a2a-agent-card+json by /.well-known/ard.json",
            "/a.json a2a-agent-card link-header a2a-agent-card by /",
            "/for-llms.md llms-txt link-element llms-txt by /",
            "/b.json a2a-agent-card link-element application/a2a-agent-card+json by /",
        ]
    );
}

#[test]
fn cards_beside_mcp_endpoints_are_followed() {
    let awp = AWP.replace(
        "\"actions\"",
        r#""protocols": {"mcp": {"endpoint": "https:\/\/a.example\/mcp\/?x=1"}}, "actions""#,
    );
    let list = [("/agent.json", Reply::body(&awp)), ("/mcp/server-card", Reply::body(MCP))];
    let (discovery, _) = follow(Follow::SameSite, &[Resource::Awp], pages(&list));
    assert_eq!(trail(&discovery), ["/mcp/server-card mcp-server-card endpoint mcp by /agent.json"]);
}

#[test]
fn cards_beside_mcp_capabilities_are_followed() {
    let text = format!(
        "{TXT}Capability: a\n  Endpoint: https://a.example/mcp\n  Protocol: MCP\n\
        Capability: b\n  Endpoint: https://a.example/b\n  Protocol: REST\n"
    );
    let json = JSON.replace(
        r#""capabilities": []"#,
        r#""capabilities": [{"id": "a", "endpoint": "https://a.example/mcp", "protocol": "MCP"}]"#,
    );
    for (path, body) in [("/.well-known/agents.txt", text), ("/.well-known/agents.json", json)] {
        let list = [(path, Reply::body(&body)), ("/mcp/server-card", Reply::body(MCP))];
        let (discovery, _) = discover("a.example", pages(&list));
        assert_eq!(
            trail(&discovery),
            [format!("/mcp/server-card mcp-server-card endpoint mcp by {path}")]
        );
    }
}

#[test]
fn an_old_agent_card_is_found_where_agent_json_is() {
    for (list, resource, format) in [
        (
            [("/.well-known/agent.json", Reply::body(CARD))],
            Resource::AgentCard,
            Format::A2aAgentCard,
        ),
        ([("/agent.json", Reply::body(CARD))], Resource::AgentCard, Format::A2aAgentCard),
        ([("/.well-known/agent.json", Reply::body(AWP))], Resource::Awp, Format::Awp),
    ] {
        for step in 0..4 {
            let mut turn = 0;
            let mut discovery = Discovery::new("a.example", &Options::default()).unwrap();
            let mut client = Client::new();
            client.run(
                &mut discovery,
                |_| {
                    turn += step;
                    turn
                },
                pages(&list),
            );
            let found: Vec<_> =
                discovery.documents().map(|found| (found.resource(), found.format())).collect();
            assert_eq!(found, [(resource, format)]);
            assert_eq!(
                client.asked.iter().filter(|url| url.ends_with("/.well-known/agent.json")).count(),
                1
            );
        }
    }
    let (discovery, _) = follow(Follow::Nothing, &[Resource::AgentCard], |_| Reply::status(404));
    assert_eq!(
        attempts(&discovery),
        ["/.well-known/agent-card.json not-found", "/.well-known/agent.json not-found"]
    );
    let list = [("/agent.json", Reply::body(CARD))];
    let (discovery, _) = follow(Follow::Nothing, &[Resource::Awp], pages(&list));
    assert_eq!(
        attempts(&discovery),
        ["/.well-known/agent.json not-found", "/agent.json other-format"]
    );
}

#[test]
fn every_new_location_is_requested_on_demand() {
    let mut discovery =
        Discovery::new("a.example", &Options { resources: Resources::ALL, ..Options::default() })
            .unwrap();
    let mut client = Client::new();
    client.run(&mut discovery, |_| 0, |_| Reply::status(404));
    assert_eq!(client.asked.len(), 29);
    for (path, body, resource) in [
        ("/.well-known/agent-card.json", CARD, Resource::AgentCard),
        ("/.well-known/mcp/server-card.json", MCP, Resource::McpServerCard),
        ("/.well-known/mcp.json", MCP, Resource::McpServerCard),
        ("/.well-known/ard.json", &catalog(&[]), Resource::AiCatalog),
        ("/.well-known/ai-catalog.json", &catalog(&[]), Resource::AiCatalog),
        (
            "/.well-known/agent-skills/index.json",
            r#"{"$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json", "skills": []}"#,
            Resource::AgentSkills,
        ),
        ("/.well-known/api-catalog", API, Resource::ApiCatalog),
        ("/llms.txt", LLMS, Resource::LlmsTxt),
        (
            "/.well-known/http-message-signatures-directory",
            r#"{"keys": [{"kty": "OKP"}]}"#,
            Resource::SignatureDirectory,
        ),
        (
            "/.well-known/oauth-protected-resource",
            r#"{"resource": "https://a.example"}"#,
            Resource::OauthProtectedResource,
        ),
        (
            "/.well-known/openid-configuration",
            r#"{"issuer": "https://a.example", "token_endpoint": "/t"}"#,
            Resource::OauthAuthorizationServer,
        ),
        ("/auth.md", "# Authentication\n\nRead `agent_auth`.\n", Resource::AuthMd),
        ("/openapi.json", r#"{"openapi": "3.1.0"}"#, Resource::OpenApi),
        ("/.well-known/ucp", r#"{"ucp": {}}"#, Resource::Ucp),
        ("/.well-known/acp.json", r#"{"protocol": {"name": "acp"}}"#, Resource::Acp),
        ("/.well-known/x402", r#"{"version": 1, "resources": []}"#, Resource::X402),
        ("/.well-known/x402.json", r#"{"x402Version": 2, "items": []}"#, Resource::X402),
    ] {
        let list = [(path, Reply::body(body))];
        let (discovery, _) = follow(Follow::Nothing, &[resource], pages(&list));
        let found: Vec<_> =
            discovery.documents().map(|found| (found.resource(), found.key().to_owned())).collect();
        assert_eq!(found, [(resource, format!("https://a.example{path}"))]);
    }
}

#[test]
fn a_stored_home_page_keeps_its_links() {
    let page = Reply::body("<link rel=llms href=/l>")
        .with("Link", "</c>; rel=agent-card")
        .with("ETag", "\"1\"")
        .with("Cache-Control", "max-age=600");
    let list = [("/", page), ("/c", Reply::body(CARD)), ("/l", Reply::body(LLMS))];
    let mut client = Client::new();
    for later in [0, 60, 1200] {
        client.now = NOW + later;
        let mut discovery = Discovery::new("a.example", &Options::default()).unwrap();
        let site = pages(&list);
        client.run(
            &mut discovery,
            |_| 0,
            |url| {
                if later > 600 && url == "https://a.example/" {
                    Reply::status(304)
                } else {
                    site(url)
                }
            },
        );
        assert_eq!(trail(&discovery).len(), 2, "{later}");
    }
}

/// The endpoints of a server card are not followed, because they would lead to the card itself.
#[test]
fn a_server_card_points_to_no_other_card() {
    let list = [("/.well-known/mcp/server-card.json", Reply::body(MCP))];
    let (discovery, client) = follow(Follow::SameSite, &[Resource::McpServerCard], pages(&list));
    assert_eq!(discovery.documents().count(), 1);
    assert!(trail(&discovery).is_empty(), "{:?}", client.asked);
}

#[test]
fn links_have_at_most_the_longest_url() {
    for (length, result) in [(512, "llms-txt"), (513, "url-too-long")] {
        let target = format!("/{}", "x".repeat(length - "https://a.example/".len()));
        let link = format!("<{target}>; rel=llms");
        let list =
            [("/", Reply::body("").with("Link", &link)), (target.as_str(), Reply::body(LLMS))];
        let (discovery, _) = follow(Follow::SameSite, &[Resource::Home], pages(&list));
        let found = trail(&discovery).concat();
        assert!(found.contains(&format!(" {result} link-header")), "{found}");
    }
}
