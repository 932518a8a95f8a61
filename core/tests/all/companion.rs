//! Differences between an agents.txt and its companion agents.json, and their positions.
use agentsdisc_core::Document;
use agentsdisc_core::document::{Difference, Slot};

const TEXT: &str = "\
Spec-Version: 1.0
Site-Name: Mugs
Site-URL: https://mugs.example
Capability: search
  Endpoint: https://mugs.example/s
  Protocol: REST
  Auth: oauth2
  Auth-Endpoint: https://mugs.example/t
  Scopes: a, b
  Rate-Limit: 5/minute
  Param: q (query, string, required) - Words
Capability: order
  Endpoint: https://mugs.example/o
  Protocol: MCP
Allow: /a
Disallow: /b
Agent: Bot
  Capabilities: search, order
  Rate-Limit: 1/second
";

const JSON: &str = r#"{"specVersion":"1.0","site":{"name":"Mu\u0067s","url":"https:\/\/mugs.example"},"capabilities":[
{"id":"order","endpoint":"https://mugs.example/o","protocol":"mcp"},
{"id":"search","endpoint":"https://mugs.example/s","method":"get","protocol":"rest","auth":{"type":"oauth2","tokenEndpoint":"https://mugs.example/t","scopes":["b","a"]},
"rateLimit":{"requests":5,"window":"minute"},"parameters":[{"name":"q","in":"query","type":"string","required":true,"description":"Words"}]}],
"access":{"allow":["/a"],"disallow":["/b"]},"agents":{"bot":{"rateLimit":{"requests":1,"window":"second"},"capabilities":["order","search"]}}}"#;

fn parse(text: &str) -> Document<'_> {
    Document::parse(text.as_bytes()).unwrap()
}

fn differences<'a>(text: &'a str, json: &'a str) -> Vec<Difference<'a>> {
    let mut found = Vec::new();
    assert!(parse(text).differences(&parse(json), |difference| found.push(difference)));
    found
}

#[test]
fn spelling_and_order_are_not_differences() {
    assert_eq!(differences(TEXT, JSON).iter().map(|d| d.field).collect::<Vec<_>>(), [""; 0]);
    assert!(parse(JSON).differences(&parse(TEXT), |_| panic!("they are the same")));
}

/// Changes each field of the agents.json in turn: the difference is reported at its position.
#[test]
fn every_field_is_compared() {
    for (from, to, field, subject, item) in [
        (r"Mu\u0067s", "Cups", "service.name", "", ""),
        (r"https:\/\/mugs.example", "https://cups.example", "service.url", "", ""),
        (r#""site":{"#, r#""site":{"description":"x","#, "service.description", "", ""),
        (
            r#""site":{"#,
            r#""site":{"contact":"a@mugs.example","#,
            "service.contact",
            "",
            "a@mugs.example",
        ),
        (
            r#""site":{"#,
            r#""site":{"privacyPolicy":"https://mugs.example/p","#,
            "service.privacy_policy",
            "",
            "",
        ),
        (r#""site":{"#, r#""declarationType":"agent","site":{"#, "kind", "", ""),
        (
            r#""site":{"#,
            r#""operatesOn":["https://x.example"],"site":{"#,
            "operates_on",
            "",
            "https://x.example",
        ),
        (
            r#""id":"order","#,
            r#""id":"order","description":"x","#,
            "capabilities.description",
            "order",
            "",
        ),
        ("mugs.example/o", "mugs.example/other", "capabilities.endpoint", "order", ""),
        (r#""get""#, r#""POST""#, "capabilities.method", "search", ""),
        (r#""mcp""#, r#""a2a""#, "capabilities.protocol", "order", ""),
        (
            r#""id":"order","#,
            r#""id":"order","openapi":"https://mugs.example/api","#,
            "capabilities.openapi",
            "order",
            "",
        ),
        (r#""type":"oauth2""#, r#""type":"bearer-token""#, "capabilities.auth.type", "search", ""),
        ("mugs.example/t", "mugs.example/token", "capabilities.auth.token_url", "search", ""),
        (
            r#""type":"oauth2","#,
            r#""type":"oauth2","docsUrl":"https://mugs.example/d","#,
            "capabilities.auth.docs_url",
            "search",
            "",
        ),
        (r#"["b","a"]"#, r#"["b"]"#, "capabilities.auth.scopes", "search", "a"),
        (r#""requests":5"#, r#""requests":6"#, "capabilities.rate_limits", "search", ""),
        (r#""window":"minute""#, r#""window":"hour""#, "capabilities.rate_limits", "search", ""),
        (r#""in":"query""#, r#""in":"path""#, "capabilities.parameters.location", "search", "q"),
        (
            r#""type":"string""#,
            r#""type":"integer""#,
            "capabilities.parameters.type",
            "search",
            "q",
        ),
        (r#""required":true,"#, "", "capabilities.parameters.required", "search", "q"),
        ("Words", "Terms", "capabilities.parameters.description", "search", "q"),
        (r#"["/a"]"#, r#"["/a","/c"]"#, "access.allow", "", "/c"),
        (r#"["/b"]"#, "[]", "access.disallow", "", "/b"),
        (r#"["order","search"]"#, r#"["order"]"#, "agents.capabilities", "Bot", "search"),
        (r#","capabilities":["order","search"]"#, "", "agents.capabilities", "Bot", ""),
        (r#""requests":1,"#, r#""requests":2,"#, "agents.rate_limits", "Bot", ""),
        (
            r#""bot":{"#,
            r#""bot":{"agentDeclaration":"https://bot.example/d","#,
            "agents.declaration",
            "Bot",
            "",
        ),
    ] {
        let changed = JSON.replacen(from, to, 1);
        assert_ne!(changed, JSON, "{from}");
        let found = differences(TEXT, &changed);
        let [difference] = found.as_slice() else { panic!("{field}: {found:?}") };
        assert_eq!(
            (
                difference.field,
                difference.subject.to_string().as_str(),
                difference.item.to_string().as_str()
            ),
            (field, subject, item)
        );
        assert!(
            difference.first.is_some() || difference.second.is_some() || field.ends_with("type"),
            "{field}: {difference:?}"
        );
    }
}

#[test]
fn items_of_one_document_are_reported_with_their_position() {
    let changed =
        JSON.replace(r#""id":"order""#, r#""id":"refund""#).replace(r#""bot""#, r#""Other""#);
    let found = differences(TEXT, &changed);
    let said: Vec<_> = found
        .iter()
        .map(|d| (d.field, d.subject.to_string(), d.first.is_some(), d.second.is_some()))
        .collect();
    let expected = [
        ("capabilities", "order", true, false),
        ("capabilities", "refund", false, true),
        ("agents", "Bot", true, false),
        ("agents", "Other", false, true),
    ];
    assert_eq!(
        said,
        expected.map(|(field, name, first, second)| (field, name.to_owned(), first, second))
    );
    let place = found.get(1).and_then(|d| d.second).unwrap();
    assert_eq!(place.slice(changed.as_bytes()), b"refund");
}

#[test]
fn older_formats_compare_their_common_members() {
    let text = "Site: Mugs\nURL: https://mugs.example\nAllow: search\nAllow: checkout\nRate-Limit: 60/minute\n";
    let json = r#"{"schema_version":"0.1","site":{"name":"Mugs"},"capabilities":[{"name":"search","endpoint":"/s","method":"GET"}],"rate_limit":{"requests_per_minute":30}}"#;
    let found: Vec<_> =
        differences(text, json).iter().map(|d| (d.field, d.subject.to_string())).collect();
    assert_eq!(found, [("capabilities", "checkout".to_owned()), ("rate_limits", String::new())]);
}

#[test]
fn sessions_and_audit_are_compared_with_the_defaults_of_each_format() {
    let text = |fields: &str| format!("Site: A\nURL: https://a.example\nAllow: search\n{fields}");
    let json = |members: &str| {
        format!(
            r#"{{"schema_version":"0.1","site":{{"name":"A","url":"https://a.example"}},"capabilities":[{{"name":"search","endpoint":"/s","method":"GET"}}]{members}}}"#
        )
    };
    let ttl = r#","session":{"create":"/c","ttl_seconds":1800}"#;
    for (fields, members, expected) in [
        ("", "", &[][..]),
        ("", ttl, &[]),
        ("Session-TTL: 1800s\n", ttl, &[]),
        ("Session-TTL: 3600s\n", r#","session":{"create":"/c"}"#, &[]),
        ("Audit: false\n", "", &[]),
        ("", r#","audit":{"enabled":false}"#, &[]),
        ("", r#","session":{"create":"/c"}"#, &["session.ttl_seconds"]),
        ("Session-TTL: 600s\n", ttl, &["session.ttl_seconds"]),
        ("Session-TTL: 1800s\n", "", &["session.ttl_seconds"]),
        ("Audit: true\n", "", &["audit.enabled"]),
        ("", r#","audit":{"enabled":true}"#, &["audit.enabled"]),
        (
            "Session-TTL: 600s\nAudit: true\n",
            r#","session":{"create":"/c"},"audit":{"enabled":"yes"}"#,
            &["session.ttl_seconds", "audit.enabled"],
        ),
    ] {
        let (text, json) = (text(fields), json(members));
        let found = differences(&text, &json);
        let names: Vec<_> = found.iter().map(|d| d.field).collect();
        assert_eq!(names, expected, "{text}{json}");
        for difference in &found {
            let is_written = |start: &str| text.contains(start);
            let of_session = difference.field == "session.ttl_seconds";
            let start = if of_session { "Session-TTL" } else { "Audit" };
            assert_eq!(difference.first.is_some(), is_written(start), "{text}");
        }
        let back = differences(&json, &text);
        assert_eq!(back.len(), expected.len(), "{text}{json}");
    }
}

/// Returns a document with these capabilities.
fn with_capabilities(numbers: impl Iterator<Item = u32>) -> String {
    let mut text = "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n".to_owned();
    numbers.for_each(|n| {
        text.push_str(&format!(
            "Capability: c{n}\n  Endpoint: https://a.example/{n}\n  Protocol: REST\n"
        ))
    });
    text
}

#[test]
fn a_large_reordered_document_reports_an_incomplete_comparison() {
    let (one, two) = (with_capabilities(0..10_000), with_capabilities((0..10_000).rev()));
    assert!(parse(&one).differences(&parse(&one), |_| panic!("it is the same")));
    assert!(!parse(&one).differences(&parse(&two), |_| panic!("there is none")));
}

#[test]
fn a_large_reordered_document_is_compared_with_enough_scratch() {
    let (one, two) = (with_capabilities(0..10_000), with_capabilities((0..10_000).rev()));
    let two = two.replacen("a.example/5000\n", "b.example/5000\n", 1);
    let two = two.replacen("Capability: c7\n", "Capability: d7\n", 1);
    let mut slots = vec![Slot::default(); 20_000];
    let mut found = Vec::new();
    assert!(parse(&one).differences_with(&parse(&two), &mut slots, |difference| {
        found.push((difference.field, difference.subject.to_string()))
    }));
    let expected =
        [("capabilities", "c7"), ("capabilities.endpoint", "c5000"), ("capabilities", "d7")];
    assert_eq!(found, expected.map(|(field, subject)| (field, subject.to_owned())));
}

#[test]
fn a_few_hundred_reordered_items_need_no_scratch() {
    let (one, two) = (with_capabilities(0..300), with_capabilities((0..300).rev()));
    assert!(parse(&one).differences(&parse(&two), |_| panic!("it is the same")));
}

#[test]
fn items_in_the_same_order_need_no_scratch() {
    let (one, two) = (with_capabilities(0..3), with_capabilities((0..3).rev()));
    let mut none = |_: Difference<'_>| panic!("it is the same");
    assert!(parse(&one).differences_with(&parse(&one), &mut [], &mut none));
    assert!(!parse(&one).differences_with(&parse(&two), &mut [], &mut none));
}
