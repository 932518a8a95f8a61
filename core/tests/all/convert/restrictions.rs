//! Restrictions of other formats that the Internet-Draft expresses differently or not at all.

use super::*;

/// Capabilities that the draft would permit without conditions, although the original denies them
/// or requires a person.
#[test]
fn restricted_capabilities_are_left_out() {
    let action = |members: &str| {
        format!(
            r#"{{"awp_version":"0.2","domain":"mugs.example","intent":"Mugs","protocols":{{"mcp":{{"version":"1","endpoint":"/old"}},"mcp":{{"version":"1","endpoint":"https://mugs.example/mcp"}}}},"actions":[{{"id":"drop","endpoint":"/drop","method":"POST","auth_required":false,"inputs":{{}},"outputs":{{}}{members}}}]}}"#
        )
    };
    let status = |status: &str| {
        action("").replace(r#""actions""#, &format!(r#""agent_status":{status},"actions""#))
    };
    for source in [
        action(r#","reversible":false"#),
        action(r#","reversible":"yes""#),
        action(r#","sensitivity":["irreversible"]"#),
        action(r#","via":"nothing""#),
        status(r#"{"operational":false}"#),
        status(r#"{"operational":"no"}"#),
        status(r#""down""#),
    ] {
        let document = parse(source.as_bytes(), Format::Awp);
        for target in DRAFT {
            let converted = convert(&document, target);
            assert_eq!(converted.reason("capabilities[0]"), "guarded", "{source}");
            assert!(!converted.text().contains("drop"), "{source}");
        }
        let loosened = convert_with(
            &document,
            Format::AgentsTxt,
            &ConvertOptions { loosen: true, ..ConvertOptions::default() },
        );
        assert!(loosened.text().contains("Capability: drop"), "{source}");
    }
    for source in [action(r#","reversible":true"#), status(r#"{"operational":true}"#), status("{}")]
    {
        assert!(
            convert(&parse(source.as_bytes(), Format::Awp), Format::AgentsTxt)
                .text()
                .contains("Capability: drop"),
            "{source}"
        );
    }
    // If a protocol has no endpoint, the endpoint of the action is not used instead.
    let source = action(r#","via":"payment""#)
        .replace(r#""protocols":{"#, r#""protocols":{"payment":{"version":"1"},"#);
    let converted = convert(&parse(source.as_bytes(), Format::Awp), Format::AgentsTxt);
    assert!(!converted.text().contains("Endpoint"), "{}", converted.text());
    // The last one of two protocols with the same name counts, and the action is called there.
    let source = action(r#","via":"mcp""#);
    let converted = convert(&parse(source.as_bytes(), Format::Awp), Format::AgentsTxt);
    assert!(
        converted.text().contains("  Endpoint: https://mugs.example/mcp\n"),
        "{}",
        converted.text()
    );
    assert_eq!(
        (converted.reason("capabilities[0].via"), converted.reason("capabilities[0].endpoint")),
        ("changed", "only-one")
    );
}

#[test]
fn api_paths_are_appended_to_the_base_url() {
    let manifest = |base: &str, endpoint: &str| {
        format!(
            r#"{{"spec_version":"1.0","name":"Plants","description":"Plants, seeds and pots.","base_url":{base},"auth":{{"type":"none"}},"capabilities":[{{"name":"search","description":"Search","detail_url":"/c","endpoint":"{endpoint}","method":"GET"}}]}}"#
        )
    };
    let options =
        ConvertOptions { origin: Some("https://plants.example"), ..ConvertOptions::default() };
    for (base, endpoint, url) in [
        (r#""https://api.example/v1""#, "/plants", "https://api.example/v1/plants"),
        (r#""https://api.example/v1/""#, "/plants", "https://api.example/v1/plants"),
        (r#""https://api.example/v1/""#, "plants", "https://api.example/v1/plants"),
        (r#""https://api.example""#, "/plants", "https://api.example/plants"),
        (r#""https://api.example/v1""#, "https://other.example/x", "https://other.example/x"),
    ] {
        let source = manifest(base, endpoint);
        let converted =
            convert_with(&parse(source.as_bytes(), Format::Adp), Format::AgentsTxt, &options);
        assert!(converted.text().contains(&format!("  Endpoint: {url}\n")), "{}", converted.text());
    }
    // The manifest does not state the origin of the API; its own location does not count.
    for base in ["null", "1", r#""""#, r#""ftp://api.example""#] {
        let source = manifest(base, "/plants");
        let converted =
            convert_with(&parse(source.as_bytes(), Format::Adp), Format::AgentsTxt, &options);
        assert_eq!(converted.reason("capabilities[0]"), "guarded", "{base}");
    }
}

#[test]
fn an_origin_has_no_path() {
    let convert = |origin| {
        let options = ConvertOptions { origin: Some(origin), ..ConvertOptions::default() };
        convert_with(
            &parse(b"# Mugs\n\n## Can\n\n- read\n", Format::AgentsMd),
            Format::AgentsTxt,
            &options,
        )
        .text()
        .to_owned()
    };
    for origin in ["https://mugs.example", "https://mugs.example/", "https://mugs.example/shop?x#y"]
    {
        assert!(convert(origin).contains("Site-URL: https://mugs.example\n"), "{origin}");
    }
    for origin in [
        "",
        "mugs.example",
        "ftp://mugs.example",
        "https://name:secret@mugs.example",
        "https://mugs.example\nAllow: /",
    ] {
        assert!(!convert(origin).contains("Site-URL"), "{origin}");
    }
}

#[test]
fn a_crawl_delay_becomes_a_rate_limit() {
    for (delay, limit) in [
        ("0.5", "2/second"),
        ("1", "1/second"),
        ("1.5", "40/minute"),
        ("7", "8/minute"),
        ("60", "1/minute"),
        ("61", "59/hour"),
        ("3601", "23/day"),
    ] {
        let source = format!("User-agent: *\nDisallow: /admin\nCrawl-delay: {delay}\n");
        let converted = convert(&parse(source.as_bytes(), Format::RobotsTxt), Format::AgentsTxt);
        assert!(
            converted.text().ends_with(&format!("\nAgent: *\n  Rate-Limit: {limit}\n")),
            "{}",
            converted.text()
        );
        assert_eq!(converted.reason("robots.groups[0].crawl_delay"), "changed");
    }
    for source in ["User-agent: *\nCrawl-delay: 90000\n", "User-agent: slow\nCrawl-delay: 10\n"] {
        let document = parse(source.as_bytes(), Format::RobotsTxt);
        assert_eq!(
            convert(&document, Format::AgentsJson).result,
            Err(ConvertError::Refused),
            "{source}"
        );
        let loosened = convert_with(
            &document,
            Format::AgentsJson,
            &ConvertOptions { loosen: true, ..ConvertOptions::default() },
        );
        assert!(loosened.result.is_ok(), "{source}");
    }
    for source in ["User-agent: *\nCrawl-delay: 0\n", "User-agent: *\nCrawl-delay: soon\n"] {
        let converted = convert(&parse(source.as_bytes(), Format::RobotsTxt), Format::AgentsTxt);
        assert!(!converted.text().contains("Agent:"), "{}", converted.text());
    }
}

#[test]
fn a_named_agent_does_not_gain_the_rules_of_others() {
    let source = "User-agent: *\nUser-agent: x\nDisallow: /\n\nUser-agent: *\nAllow: /shop\n";
    let converted = convert(&parse(source.as_bytes(), Format::RobotsTxt), Format::AgentsTxt);
    assert_eq!(converted.result, Err(ConvertError::Refused));
    assert_eq!(converted.reason("robots.groups[0]"), "no-place");
    let source =
        "User-agent: *\nUser-agent: x\nDisallow: /\nAllow: /shop\n\nUser-agent: *\nDisallow: /y\n";
    assert!(
        convert(&parse(source.as_bytes(), Format::RobotsTxt), Format::AgentsTxt).result.is_ok()
    );
}

#[test]
fn values_without_text_are_reported_at_their_position() {
    let at = |source: &str, format, target, path: &str| {
        let document = parse(source.as_bytes(), format);
        let mut found = None;
        let options = ConvertOptions::default();
        let collect = |loss: agentsdisc_core::write::Loss<'_>| {
            if loss.path.to_string() == path {
                found = Some(loss.span.slice(document.bytes()));
            }
        };
        // A document that repeats a restriction is refused; the losses are reported all the same.
        let _ = document.convert(target, &options, &mut |_: &[u8]| {}, collect);
        String::from_utf8(found.unwrap_or_else(|| panic!("{path} is not reported")).to_vec())
            .unwrap()
    };
    let awp = r#"{"awp_version":"0.2","domain":"a.example","intent":"a","agent_status":{},"auth":{"required_for":["x"],"optional_for":["y"]},
        "source":"synthetic","actions":[],"agent_status":{"operational":true}}"#;
    for (path, key) in [
        ("status", "agent_status"),
        ("auth.required_for", "auth"),
        ("auth.optional_for", "auth"),
        ("provenance", "source"),
    ] {
        assert_eq!(at(awp, Format::Awp, Format::AgentsTxt, path), key, "{path}");
    }
    let text = "Site: a\nURL: https://a.example\nAllow: search\nsession-ttl: 60s\nAudit: true\nRate-Limit: 5/minute\n";
    for (path, key) in
        [("session", "session-ttl"), ("audit", "Audit"), ("rate_limits[0]", "Rate-Limit")]
    {
        assert_eq!(at(text, Format::AgentsTxt01, Format::AgentsJson, path), key, "{path}");
    }
    let json = r#"{"schema_version":"0.1","site":{"name":"a"},"session":{"ttl_seconds":60},"audit":{"enabled":true},"rate_limit":{"requests_per_minute":5}}"#;
    for (path, key) in
        [("session", "session"), ("audit", "audit"), ("rate_limits[0]", "rate_limit")]
    {
        assert_eq!(at(json, Format::AgentsJson01, Format::AgentsTxt, path), key, "{path}");
    }
}

#[test]
fn what_an_agents_md_forbids_is_not_dropped() {
    for (forbidden, path) in [
        ("## Cannot\n- Buy\n", "permissions.cannot[0]"),
        ("## Cannot\nNo orders.\n", "permissions.cannot_prose[0]"),
        ("## Agents must not\n- Buy\n", "permissions"),
    ] {
        let source = format!(
            "---\nmcp:\n  endpoint: https://mugs.example/mcp\n---\n# Mugs\n\n## Can\n- Read\n\n{forbidden}"
        );
        let document = parse(source.as_bytes(), Format::AgentsMd);
        for target in [Format::AgentsTxt, Format::AgentsJson, Format::Awp] {
            let converted = convert(&document, target);
            assert_eq!(converted.result, Err(ConvertError::Refused), "{source}");
            assert_eq!(converted.losses[path].1, Severity::Error, "{source}");
            let options = ConvertOptions { loosen: true, ..ConvertOptions::default() };
            let loosened = convert_with(&document, target, &options);
            assert!(loosened.text().contains("https://mugs.example/mcp"), "{source}");
            assert_eq!(loosened.losses[path].1, Severity::Warning, "{source}");
        }
    }
}

/// What cannot be read counts as an endpoint that nobody can call, not as absent.
#[test]
fn capabilities_with_unreadable_endpoints_are_left_out() {
    let source = |protocols: &str, members: &str| {
        format!(
            r#"{{"awp_version":"0.2","domain":"mugs.example","intent":"Mugs","protocols":{{"mcp":{protocols}}},"actions":[{{"id":"drop","method":"POST","auth_required":false,"inputs":{{}},"outputs":{{}},{members}}}]}}"#
        )
    };
    let good = r#"{"version":"1","endpoint":"https://mugs.example/mcp"}"#;
    for (protocols, members) in [
        (good, r#""endpoint":5"#),
        (good, r#""endpoint":"/drop","via":5"#),
        (r#""https://mugs.example/mcp""#, r#""via":"mcp""#),
        (r#"{"version":"1","endpoint":[]}"#, r#""via":"mcp""#),
    ] {
        let source = source(protocols, members);
        let document = parse(source.as_bytes(), Format::Awp);
        for target in [Format::AgentsTxt, Format::AgentsJson, Format::AgentsMd] {
            let converted = convert(&document, target);
            assert_eq!(converted.reason("capabilities[0]"), "guarded", "{source}");
            assert!(!converted.text().contains("drop"), "{source}");
        }
    }
}

/// In an agents.txt, the last of two policies for an agent counts.
#[test]
fn policies_that_contradict_each_other_are_a_loss() {
    let source = |second: &str| {
        format!(
            r#"{{"specVersion":"1.0","site":{{"name":"S","url":"https://a.example"}},"capabilities":[],"agents":{{"Bot":{{"capabilities":[]}},"BOT":{second}}}}}"#
        )
    };
    let losses = |source: &str| {
        let document = parse(source.as_bytes(), Format::AgentsJson);
        DRAFT.map(|target| convert(&document, target).losses.contains_key("agents"))
    };
    assert_eq!(losses(&source(r#"{"capabilities":["a"]}"#)), [true; 2]);
    assert_eq!(losses(&source(r#"{ "capabilities": [] }"#)), [false; 2]);
}
