//! The results of conversions: documents of each format, with their losses.

use agentsdisc_core::{ConvertError, ConvertOptions, Document, Format};

use super::{Converted, convert, convert_with, parse};

/// Checks the result of converting `source`, and the reported reasons by path.
pub(super) fn becomes(
    source: &str,
    from: Format,
    to: Format,
    expected: &str,
    losses: &[(&str, &str)],
) {
    check(&convert(&parse(source.as_bytes(), from), to), expected, losses);
}

fn check(converted: &Converted, expected: &str, losses: &[(&str, &str)]) {
    assert_eq!(converted.text(), expected, "{:#?}", converted.losses);
    let found: Vec<_> =
        converted.losses.iter().map(|(path, (reason, _))| (path.as_str(), *reason)).collect();
    let mut losses = losses.to_vec();
    losses.sort_unstable();
    assert_eq!(found, losses);
}

const TEXT: &str = "\
Spec-Version: 1.0
Generated-At: 2026-02-01T00:00:00Z
Agents-JSON: https://mugs.example/.well-known/agents.json

Site-Name: Mug Shop
Site-URL: https://mugs.example
Site-Contact: agents@mugs.example

X-Note: kept

Capability: search
  Description: Search the mugs
  Endpoint: https://mugs.example/s
  Method: GET
  Protocol: REST
  Auth: oauth2
  Auth-Endpoint: https://mugs.example/token
  Scopes: read, write
  Rate-Limit: 60/minute
  Param: q (query, string, required) - Words
  Param: page-size (query, integer)

Allow: /api/*
Disallow: /admin/*

Agent: *
  Capabilities:

Agent: claude
  Rate-Limit: 200/minute
  Capabilities: search
  Agent-Declaration: https://agent.example/agents.txt
";

const JSON: &str = r#"{
  "specVersion": "1.0",
  "generatedAt": "2026-02-01T00:00:00Z",
  "agentsJson": "https://mugs.example/.well-known/agents.json",
  "site": {
    "name": "Mug Shop",
    "url": "https://mugs.example",
    "contact": "agents@mugs.example"
  },
  "capabilities": [
    {
      "id": "search",
      "description": "Search the mugs",
      "endpoint": "https://mugs.example/s",
      "method": "GET",
      "protocol": "REST",
      "auth": {
        "type": "oauth2",
        "tokenEndpoint": "https://mugs.example/token",
        "scopes": [
          "read",
          "write"
        ]
      },
      "rateLimit": {
        "requests": 60,
        "window": "minute"
      },
      "parameters": [
        {
          "name": "q",
          "in": "query",
          "type": "string",
          "required": true,
          "description": "Words"
        },
        {
          "name": "page-size",
          "in": "query",
          "type": "integer"
        }
      ]
    }
  ],
  "access": {
    "allow": [
      "/api/*"
    ],
    "disallow": [
      "/admin/*"
    ]
  },
  "agents": {
    "*": {
      "capabilities": []
    },
    "claude": {
      "rateLimit": {
        "requests": 200,
        "window": "minute"
      },
      "capabilities": [
        "search"
      ],
      "agentDeclaration": "https://agent.example/agents.txt"
    }
  },
  "metadata": {
    "X-Note": "kept"
  }
}
"#;

#[test]
fn both_notations_of_the_draft_convert_without_loss() {
    becomes(TEXT, Format::AgentsTxt, Format::AgentsJson, JSON, &[]);
    becomes(JSON, Format::AgentsJson, Format::AgentsTxt, TEXT, &[]);
    becomes(TEXT, Format::AgentsTxt, Format::AgentsTxt, TEXT, &[]);
    becomes(JSON, Format::AgentsJson, Format::AgentsJson, JSON, &[]);
}

#[test]
fn values_that_text_cannot_express_are_reported() {
    becomes(
        r#"{"specVersion":"1.0","site":{"name":"M","url":"https://m.example","logo":"x"},"x":5,"capabilities":[{"id":"a","tags":["b"],
            "auth":{"type":"api-key","realm":"m"},"parameters":[{"name":"q","in":"query","type":"integer","min":1,"default":"7"},{"in":"query"}]}]}"#,
        Format::AgentsJson,
        Format::AgentsTxt,
        "Spec-Version: 1.0\n\nSite-Name: M\nSite-URL: https://m.example\n\nCapability: a\n  Auth: api-key\n  Param: q (query, integer)\n",
        &[
            ("service.metadata.logo", "no-place"),
            ("metadata.x", "not-text"),
            ("capabilities[0].metadata.tags", "not-text"),
            ("capabilities[0].auth.metadata.realm", "no-place"),
            ("capabilities[0].parameters[0].min", "no-place"),
            ("capabilities[0].parameters[0].default", "no-place"),
            ("capabilities[0].parameters[1]", "unnamed"),
        ],
    );
}

#[test]
fn descriptions_are_folded_to_one_line() {
    becomes(
        r#"{"site":{"name":"M","description":" Mugs\n\n and\u2028more\t"},"capabilities":[{"id":"a","description":"First\r\n  second.\nAuth: none",
            "parameters":[{"name":"q","in":"query","type":"string","description":"What\nto find"},{"name":"r","description":"\n"}]},
            {"id":"b","description":"\n \n"},{"id":"c","description":"x\n\u0007"}]}"#,
        Format::AgentsJson,
        Format::AgentsTxt,
        "Site-Name: M\nSite-Description: Mugs and more\n\nCapability: a\n  Description: First second. Auth: none\n  Param: q (query, string) - What to find\n  Param: r\n\
         \nCapability: b\n\nCapability: c\n",
        &[
            ("service.description", "changed"),
            ("capabilities[0].description", "changed"),
            ("capabilities[0].parameters[0].description", "changed"),
            ("capabilities[0].parameters[1].description", "line-break"),
            ("capabilities[1].description", "line-break"),
            ("capabilities[2].description", "control-character"),
        ],
    );
}

#[test]
fn lines_that_are_not_fields_are_reported() {
    becomes(
        "Spec-Version: 1.0\nno colon\nX-Flag:\nCapability: a\n  Description: First\n    second line \n  X-Flag:\n: nothing\n",
        Format::AgentsTxt,
        Format::AgentsJson,
        r#"{
  "specVersion": "1.0",
  "capabilities": [
    {
      "id": "a",
      "description": "First",
      "X-Flag": ""
    }
  ],
  "metadata": {
    "X-Flag": ""
  }
}
"#,
        &[
            ("metadata.no colon", "not-a-field"),
            ("metadata.: nothing", "not-a-field"),
            ("capabilities[0].metadata.second line", "not-a-field"),
        ],
    );
}

#[test]
fn rules_of_one_agent_stay_with_it() {
    let text = "Spec-Version: 1.0\n\nDisallow: /d\n\nAgent: a\n  Allow: /b\n  Allow: /c\n";
    becomes(
        text,
        Format::AgentsTxt,
        Format::AgentsJson,
        r#"{
  "specVersion": "1.0",
  "access": {
    "disallow": [
      "/d"
    ]
  },
  "agents": {
    "a": {
      "allow": [
        "/b",
        "/c"
      ]
    }
  }
}
"#,
        &[("agents[0].metadata.Allow", "changed")],
    );
    becomes(
        r#"{"specVersion":"1.0","access":{"disallow":["/d"]},"agents":{"a":{"allow":["/b","/c"],"disallow":"/e"}}}"#,
        Format::AgentsJson,
        Format::AgentsTxt,
        &format!("{text}  Disallow: /e\n"),
        &[("agents[0].metadata.allow", "changed"), ("agents[0].metadata.disallow", "changed")],
    );
}

#[test]
fn what_a_reader_takes_for_a_comment_is_not_written() {
    for document in [
        r##"{"access":{"disallow":["/a #b"]}}"##,
        r##"{"access":{"allow":["#"]}}"##,
        r##"{"agents":{"a #":{}}}"##,
        r##"{"agents":{"a":{"disallow":["/a\t#"]}}}"##,
    ] {
        let document = parse(document.as_bytes(), Format::AgentsJson);
        assert_eq!(convert(&document, Format::AgentsTxt).result, Err(ConvertError::Refused));
        assert!(convert(&document, Format::AgentsJson).result.is_ok());
    }
    becomes(
        r##"{"capabilities":[{"id":"a #"}],"access":{"disallow":["/a#b"]},"agents":{"a#b":{"capabilities":["a #","b#"]}}}"##,
        Format::AgentsJson,
        Format::AgentsTxt,
        "Capability: a #\n\nDisallow: /a#b\n\nAgent: a#b\n  Capabilities: b#\n",
        &[("agents[0].capabilities[0]", "separator")],
    );
}

#[test]
fn an_awp_document_converts_to_the_draft() {
    let source = r#"{"awp_version":"0.2","domain":"mugs.example","intent":"Sells mugs",
        "protocols":{"mcp":{"version":"1","endpoint":"https://mugs.example/mcp"}},
        "auth":{"type":"api_key","required_for":["order"],"optional_for":["search"]},
        "actions":[
          {"id":"search","description":"Search","auth_required":false,"endpoint":"/s","method":"GET","inputs":{"q":{"type":"string","required":true}},"rate_limit":"30/minute"},
          {"id":"order","auth_required":true,"via":"mcp","operation":"order_mug"},
          {"id":"wipe","auth_required":true,"endpoint":"/w","method":"DELETE","sensitivity":"destructive"},
          {"id":"pay","auth_required":true,"endpoint":"/p","method":"POST","requires_human_confirmation":true},
          {"id":"odd","endpoint":"/o","method":"POST"}],
        "dependencies":{"order":["search"]},"agent_hints":{"pace":"slow"}}"#;
    let converted = convert(&parse(source.as_bytes(), Format::Awp), Format::AgentsTxt);
    check(
        &converted,
        "Spec-Version: 1.0\n\nSite-URL: https://mugs.example\nSite-Description: Sells mugs\n\n\
         Capability: search\n  Description: Search\n  Endpoint: https://mugs.example/s\n  Method: GET\n  Protocol: REST\n  Rate-Limit: 30/minute\n  Param: q (query, string, required)\n\n\
         Capability: order\n  Endpoint: https://mugs.example/mcp\n  Protocol: MCP\n  Auth: api-key\n\n\
         Capability: odd\n  Endpoint: https://mugs.example/o\n  Method: POST\n  Protocol: REST\n  Auth: api-key\n",
        &[
            ("spec_version", "changed"),
            ("service.domain", "changed"),
            ("auth.type", "changed"),
            ("auth.required_for", "changed"),
            ("auth.optional_for", "no-place"),
            ("endpoints[0]", "no-place"),
            ("dependencies[0]", "no-place"),
            ("hints[0]", "no-place"),
            ("capabilities[0].auth_required", "changed"),
            ("capabilities[0].endpoint", "changed"),
            ("capabilities[1].auth_required", "changed"),
            ("capabilities[1].via", "changed"),
            ("capabilities[1].operation", "no-place"),
            ("capabilities[1].auth.type", "changed"),
            ("capabilities[2]", "guarded"),
            ("capabilities[3]", "guarded"),
            ("capabilities[4].auth.type", "changed"),
            ("capabilities[4].endpoint", "changed"),
        ],
    );
    let loose = ConvertOptions { loosen: true, ..ConvertOptions::default() };
    let loosened = convert_with(&parse(source.as_bytes(), Format::Awp), Format::AgentsTxt, &loose);
    assert!(
        loosened.text().contains("Capability: wipe\n")
            && loosened.text().contains("Capability: pay\n")
    );
    assert_eq!(loosened.reason("capabilities[2].sensitivity"), "no-place");
    assert_eq!(loosened.reason("capabilities[3].requires_confirmation"), "no-place");
}

#[test]
fn a_parameter_is_sent_where_http_sends_it() {
    let source = r#"{"name":"get_mug","endpoint":"/mugs/{mug}/{mu}","method":"post","parameters":[{"name":"mug"},{"name":"mu"},{"name":"m"},{"name":"x","in":"header"}]}"#;
    for (source, expected) in [
        (source.to_owned(), ["path", "path", "body", "header"]),
        (source.replace("post", "DELETE"), ["path", "path", "query", "header"]),
        (source.replace("mugs/{mug}", "{mugs}"), ["body", "path", "body", "header"]),
        (source.replace("mug}", "mug"), ["body", "path", "body", "header"]),
    ] {
        let converted =
            convert(&parse(source.as_bytes(), Format::AdpCapability), Format::AgentsJson);
        let json: serde_json::Value = serde_json::from_str(converted.text()).unwrap();
        let parameters = json["capabilities"][0]["parameters"].as_array().unwrap();
        assert_eq!(
            parameters.iter().map(|one| one["in"].as_str().unwrap()).collect::<Vec<_>>(),
            expected,
            "{source}"
        );
    }
}

#[test]
fn an_adp_manifest_converts_to_the_draft() {
    becomes(
        r#"{"spec_version":"1.0","name":"Mugs","description":"A shop of mugs","base_url":"https://api.mugs.example","auth":{"type":"oauth2",
            "authorization_url":"https://m.example/a","token_url":"https://m.example/t","scopes":["read"]},
            "capabilities":[{"name":"find_mug","description":"Finds a mug","detail_url":"/d/find_mug"}],"pricing":{"type":"free"}}"#,
        Format::Adp,
        Format::AgentsTxt,
        "Spec-Version: 1.0\n\nSite-Name: Mugs\nSite-URL: https://api.mugs.example\nSite-Description: A shop of mugs\n\n\
         Capability: find_mug\n  Description: Finds a mug\n  Auth: oauth2\n  Auth-Endpoint: https://m.example/t\n  Scopes: read\n",
        &[
            ("spec_version", "changed"),
            ("auth.type", "changed"),
            ("auth.token_url", "changed"),
            ("auth.scopes", "changed"),
            ("auth.authorization_url", "no-place"),
            ("capabilities[0].detail_url", "no-place"),
            ("pricing", "no-place"),
        ],
    );
}

#[test]
fn an_agents_md_converts_to_its_gateway() {
    let source = "---\nversion: 1.0.0\nmcp:\n  endpoint: /.well-known/mcp\n  auth: api_key\n---\n# Mug Shop\n\nSells mugs.\n\n## Can\n\n- Read\n\n## Cannot\n\n- Buy\n\n## Behavior\n\n- Respect 1 request/second\n";
    let document = parse(source.as_bytes(), Format::AgentsMd);
    let options = ConvertOptions {
        origin: Some("https://mugs.example"),
        loosen: true,
        ..ConvertOptions::default()
    };
    let converted = convert_with(&document, Format::AgentsTxt, &options);
    assert_eq!(
        converted.text(),
        "Spec-Version: 1.0\n\nSite-Name: Mug Shop\nSite-URL: https://mugs.example\nSite-Description: Sells mugs.\n\n\
         Capability: mcp\n  Endpoint: https://mugs.example/.well-known/mcp\n  Protocol: MCP\n  Auth: api-key\n\nAgent: *\n  Rate-Limit: 1/second\n",
        "{:#?}",
        converted.losses
    );
    for (path, reason) in [
        ("endpoints[0]", "changed"),
        ("permissions.can[0]", "no-place"),
        ("permissions.cannot[0]", "no-place"),
        ("permissions.behavior[0]", "no-place"),
        ("rate_limits[0]", "changed"),
    ] {
        assert_eq!(converted.reason(path), reason, "{path}");
    }
}

#[test]
fn a_gateway_on_another_site_is_left_out() {
    let source = "---\nversion: 1.0.0\nmcp:\n  endpoint: https://evil.test/mcp\n---\n# Mug Shop\n";
    let document = parse(source.as_bytes(), Format::AgentsMd);
    for loosen in [false, true] {
        let options = ConvertOptions {
            origin: Some("https://mugs.example"),
            loosen,
            ..ConvertOptions::default()
        };
        let converted = convert_with(&document, Format::AgentsJson, &options);
        assert!(!converted.text().contains("evil"), "{}", converted.text());
        assert_eq!(converted.reason("endpoints[0]"), "guarded");
    }
}

#[test]
fn robots_rules_for_all_agents_become_access_rules() {
    becomes(
        "User-agent: *\nDisallow: /admin\nAllow: /admin/help\nSitemap: https://m.example/s.xml\nUser-agent: open\nAllow: /\n",
        Format::RobotsTxt,
        Format::AgentsTxt,
        "Spec-Version: 1.0\n\nAllow: /\nAllow: /admin/help\nDisallow: /admin\n",
        &[
            ("robots.groups[0]", "changed"),
            ("robots.groups[1]", "no-place"),
            ("robots.sitemaps[0]", "no-place"),
        ],
    );
    // A rule without a path allows everything.
    becomes(
        "User-agent: *\nDisallow:\n",
        Format::RobotsTxt,
        Format::AgentsTxt,
        "Spec-Version: 1.0\n\nAllow: /\n",
        &[("robots.groups[0]", "changed")],
    );
    // What is opened already is not opened again.
    becomes(
        "User-agent: *\nAllow: /\nDisallow: /admin\n",
        Format::RobotsTxt,
        Format::AgentsTxt,
        "Spec-Version: 1.0\n\nAllow: /\nDisallow: /admin\n",
        &[("robots.groups[0]", "changed")],
    );
    // Nothing is opened beside a rule that closes everything.
    becomes(
        "User-agent: *\nDisallow: /\nAllow: /open\n",
        Format::RobotsTxt,
        Format::AgentsTxt,
        "Spec-Version: 1.0\n\nAllow: /open\nDisallow: /\n",
        &[("robots.groups[0]", "changed")],
    );
}

#[test]
fn both_notations_of_0_1_convert() {
    let text = "Site: Mugs\nURL: https://mugs.example\n\nAllow: search\nAllow: cart.add\n\nFlow: buy → search, cart.add\nFlow-Description: Buy a mug\n\nRate-Limit: 60/minute\nSession-TTL: 1800s\nAudit: true\n";
    let json = r#"{"schema_version":"0.1.0","site":{"name":"Mugs","url":"https://mugs.example"},"capabilities":[{"name":"search"},{"name":"cart.add","requires_session":true}],"flows":[{"name":"buy","description":"Buy a mug","steps":["search","cart.add"]}],"rate_limit":{"requests_per_minute":60},"session":{"ttl_seconds":1800},"audit":{"enabled":true}}"#;
    let flat = ConvertOptions { pretty: false, ..ConvertOptions::default() };
    check(
        &convert_with(&parse(text.as_bytes(), Format::AgentsTxt01), Format::AgentsJson01, &flat),
        json,
        &[],
    );
    becomes(json, Format::AgentsJson01, Format::AgentsTxt01, text, &[("spec_version", "no-place")]);
}

#[test]
fn a_capability_keeps_its_session_and_its_person_or_is_left_out() {
    let json = r#"{"schema_version":"0.1.0","site":{"name":"A","url":"https://a.example"},"capabilities":[{"name":"search"},{"name":"book","human_handoff":true},{"name":"rent","requires_session":true},{"name":"lend","human_handoff":1},{"name":"cart.add","requires_session":true}]}"#;
    let text = |allowed: &[&str]| {
        let lines: String = allowed.iter().map(|name| format!("Allow: {name}\n")).collect();
        format!("Site: A\nURL: https://a.example\n\n{lines}\nSession-TTL: 3600s\n")
    };
    becomes(
        json,
        Format::AgentsJson01,
        Format::AgentsTxt01,
        &text(&["search", "cart.add"]),
        &[
            ("capabilities[1]", "guarded"),
            ("capabilities[2]", "guarded"),
            ("capabilities[3]", "guarded"),
            ("spec_version", "no-place"),
        ],
    );
    let loosen = ConvertOptions { loosen: true, ..ConvertOptions::default() };
    let document = parse(json.as_bytes(), Format::AgentsJson01);
    check(
        &convert_with(&document, Format::AgentsTxt01, &loosen),
        &text(&["search", "book", "rent", "lend", "cart.add"]),
        &[
            ("capabilities[1].human_handoff", "no-place"),
            ("capabilities[2].requires_session", "no-place"),
            ("capabilities[3].human_handoff", "no-place"),
            ("capabilities[3].metadata.human_handoff", "no-place"),
            ("spec_version", "no-place"),
        ],
    );
    for target in [Format::AgentsTxt, Format::AgentsJson] {
        let converted = convert(&document, target);
        for index in 1..5 {
            let path = format!("capabilities[{index}]");
            assert_eq!(converted.reason(&path), "guarded", "{target:?}");
        }
    }
}

#[test]
fn a_capability_with_a_refused_endpoint_is_left_out() {
    for (endpoint, is_refused) in [
        ("https://a.example/x", false),
        ("https://api.a.example/x", false),
        ("/x", false),
        ("https://other.example/x", true),
        ("//other.example/x", true),
        ("https://user@a.example/x", true),
        ("x", true),
        ("", true),
    ] {
        let json = format!(
            r#"{{"schema_version":"0.1.0","site":{{"name":"A","url":"https://a.example"}},"capabilities":[{{"name":"x","endpoint":"{endpoint}"}}]}}"#
        );
        let document = parse(json.as_bytes(), Format::AgentsJson01);
        let converted = convert(&document, Format::AgentsTxt01);
        let is_lost = converted.losses.contains_key("capabilities[0]");
        assert_eq!(is_lost, is_refused, "{endpoint}");
        assert_eq!(converted.text().contains("Allow"), !is_refused, "{endpoint}");
    }
}

#[test]
fn an_audit_that_cannot_be_read_is_reported() {
    let json = r#"{"schema_version":"0.1.0","site":{"name":"A","url":"https://a.example"},"audit":{"enabled":"true"}}"#;
    let json = convert(&parse(json.as_bytes(), Format::AgentsJson01), Format::AgentsTxt01);
    assert_eq!(json.reason("audit"), "unreadable");
    let text = "Site: A\nURL: https://a.example\nAllow: x\nAudit: yes\n";
    let text = convert(&parse(text.as_bytes(), Format::AgentsTxt01), Format::AgentsJson01);
    assert_eq!(text.reason("audit"), "unreadable");
}

#[test]
fn a_text_of_0_1_with_a_disallow_line_is_not_made_json() {
    let head = "Site: Mugs\nURL: https://mugs.example\nAllow: search\n";
    for (line, is_refused) in [
        ("Disallow: /admin/*", true),
        ("disallow: checkout", true),
        ("Disallow:", false),
        ("# Disallow: /admin", false),
    ] {
        let text = format!("{head}{line}\n");
        let document = parse(text.as_bytes(), Format::AgentsTxt01);
        let converted = convert(&document, Format::AgentsJson01);
        assert_eq!(converted.result == Err(ConvertError::Refused), is_refused, "{line}");
        assert!(convert(&document, Format::AgentsTxt01).result.is_ok());
        if is_refused {
            assert_eq!(converted.reason("metadata"), "unreadable", "{line}");
        }
    }
}

#[test]
fn meaningless_targets_are_rejected() {
    for (source, from, to) in [
        (r#"{"success":true,"data":[]}"#, Format::AdpSearch, Format::AgentsJson),
        ("User-agent: *\nAllow: /\n", Format::RobotsTxt, Format::Awp),
        ("Spec-Version: 1.0\n", Format::AgentsTxt, Format::AgentsTxt01),
        ("Spec-Version: 1.0\n", Format::AgentsTxt, Format::Unknown),
    ] {
        assert_eq!(
            convert(&parse(source.as_bytes(), from), to).result,
            Err(ConvertError::Unsupported)
        );
    }
}

#[test]
fn a_loss_has_its_position() {
    let source = r#"{"specVersion":"1.0","x":[1]}"#;
    let document = Document::parse_with(
        source.as_bytes(),
        &agentsdisc_core::ParseOptions { format: Some(Format::AgentsJson), ..Default::default() },
    )
    .unwrap();
    let mut spans = Vec::new();
    document
        .convert(Format::AgentsTxt, &ConvertOptions::default(), &mut |_: &[u8]| {}, |loss| {
            spans.push(loss.span)
        })
        .unwrap();
    let shown: Vec<_> = spans
        .iter()
        .map(|span| std::str::from_utf8(span.slice(source.as_bytes())).unwrap())
        .collect();
    assert_eq!(shown, ["x"]);
}
