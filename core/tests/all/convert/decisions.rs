//! A converted document allows nothing that the original denies: both decide the same requests.

use std::collections::BTreeSet;

use agentsdisc_core::policy::{Confirmation, Decision, Reason, Request, Robots, decide};

use super::*;

const SITE: &str = "https://example.com";

/// The requests to decide: ids, agents, URLs and paths that occur in the document, and some that do
/// not occur.
struct Questions {
    ids: BTreeSet<String>,
    agents: BTreeSet<String>,
    places: BTreeSet<String>,
}

fn questions(model: &Value) -> Questions {
    let mut all =
        Questions { ids: BTreeSet::new(), agents: BTreeSet::new(), places: BTreeSet::new() };
    all.ids.insert("no-such-thing".to_owned());
    all.agents.insert("OtherBot".to_owned());
    all.places.extend(["/", "/zzz", "/.well-known/agents.txt", SITE].map(str::to_owned));
    let mut rest = vec![("", model)];
    while let Some((name, value)) = rest.pop() {
        match value {
            Value::Object(members) => {
                rest.extend(members.iter().map(|(name, value)| (name.as_str(), value)))
            }
            Value::Array(items) => rest.extend(items.iter().map(|item| (name, item))),
            Value::String(text) => {
                match name {
                    "id" if !text.is_empty() => drop(all.ids.insert(text.clone())),
                    "name" | "agents" if text.is_ascii() => drop(all.agents.insert(text.clone())),
                    _ => {}
                }
                let place = text.replace('*', "x").replace('$', "").replace(['{', '}'], "y");
                if place.starts_with('/') || place.starts_with("http") {
                    all.places.extend([format!("{place}z"), place]);
                } else if name == "endpoint" || name == "pattern" {
                    all.places.insert(format!("/{place}"));
                }
            }
            _ => {}
        }
    }
    all
}

/// Requests per second; absent if there is no limit.
fn rate(decision: &Decision<'_>) -> Option<f64> {
    let limit = decision.advisory_limit()?;
    Some(f64::from(limit.requests) / limit.milliseconds? as f64)
}

/// Returns what the converted document permits beyond the original, if anything.
fn given_away(before: &Decision<'_>, after: &Decision<'_>) -> Option<&'static str> {
    if !after.allowed {
        return None;
    }
    // The location of the documents themselves is requested without credentials, whatever the
    // service requires.
    let is_document =
        before.reason == Reason::DiscoveryDocument || after.reason == Reason::DiscoveryDocument;
    if !before.allowed {
        return (!(is_document && before.reason == Reason::InsecureEndpoint)).then_some("allowed");
    }
    let required = |decision: &Decision<'_>| {
        decision.auth().need == agentsdisc_core::policy::AuthNeed::Required
    };
    if required(before) && !required(after) && !is_document {
        return Some("without authentication");
    }
    if before.human.confirmation != Confirmation::NotStated
        && after.human.confirmation < before.human.confirmation
    {
        return Some("without a person");
    }
    match (rate(before), rate(after)) {
        (Some(before), Some(after)) if after > before * 1.000_001 => Some("more often"),
        (Some(_), None) => Some("without a limit"),
        _ => None,
    }
}

/// Decides all requests for a document and its conversion.
fn allows_no_more(document: &Document<'_>, target: Format, about: &str) {
    let options = ConvertOptions { origin: Some(SITE), ..ConvertOptions::default() };
    let converted = convert_with(document, target, &options);
    let Ok(bytes) = &converted.result else { return };
    let written = parse(bytes, target);
    // A manifest is published with its details.
    let names = written.manifest().capabilities().map(|one| one.id.map(|id| id.to_string()));
    let names: BTreeSet<_> = names.flatten().filter(|_| target == Format::Adp).take(20).collect();
    let details = names.iter().filter_map(|name| {
        let options = ConvertOptions { capability: Some(name), ..options };
        convert_with(document, Format::AdpCapability, &options).result.ok()
    });
    let details: Vec<_> = details.collect();
    let details = details.iter().map(|detail| parse(detail, Format::AdpCapability));
    let documents = [*document];
    let others: Vec<_> = std::iter::once(written).chain(details).collect();
    let Questions { ids, agents, places } = questions(&model(document));
    for agent in agents.iter().take(6) {
        let by_id = ids.iter().take(20).map(|id| Request::capability(agent, id));
        let by_place = places.iter().take(40).flat_map(|place| {
            [Request::url(agent, place), Request::url(agent, place).with_method("POST")]
        });
        for request in by_id.chain(by_place) {
            for request in [request, request.with_origin(SITE)] {
                let before = decide(&documents, Robots::NotAsked, &request);
                let after = decide(&*others, Robots::NotAsked, &request);
                // What a document without access rules does not declare is open, unless the source
                // denies it explicitly.
                let is_undeclared = UNRULED.contains(&target)
                    && (matches!(
                        before.reason,
                        Reason::NotListed | Reason::NoAccessRules | Reason::OtherOrigin
                    ) || matches!(after.reason, Reason::NotStated | Reason::ProseOnly));
                if is_undeclared && before.reason != Reason::Disallowed {
                    continue;
                }
                if let Some(what) = given_away(&before, &after) {
                    panic!(
                        "{what}: {request:?}\n{} became {}\n{about} to {target}:\n{}\nlosses {:#?}",
                        before.reason,
                        after.reason,
                        String::from_utf8_lossy(bytes),
                        converted.losses
                    );
                }
            }
        }
    }
}

#[test]
fn no_vector_gains_permissions() {
    let mut done = 0;
    for path in vectors::inputs() {
        let input = fs::read(&path).unwrap();
        let Ok(document) = vectors::parse(&input, &vectors::expected(&path)) else {
            continue;
        };
        for target in
            DRAFT.into_iter().chain(UNRULED).filter(|target| target.is_made_of(document.format()))
        {
            allows_no_more(&document, target, &path.display().to_string());
            done += 1;
        }
    }
    assert!(done > 1000, "{done}");
}

#[test]
fn no_generated_document_gains_permissions() {
    for kind in Kind::ALL {
        for seed in 0..10 {
            let bytes = agentsdisc_generator::document(&agentsdisc_generator::Request {
                kind,
                size: 2000,
                layout: Layout::Pretty,
                seed,
            });
            let document = Document::parse(&bytes).unwrap();
            for target in DRAFT
                .into_iter()
                .chain(UNRULED)
                .filter(|target| target.is_made_of(document.format()))
            {
                allows_no_more(&document, target, &format!("{kind:?} {seed}"));
            }
        }
    }
}

/// Returns a decision as JSON, without the place and the text of its rule.
fn shown_decision(decision: &Decision<'_>) -> Value {
    let mut text = Vec::new();
    decision.put_json(&mut [0; 64], &mut |piece: &[u8]| text.extend_from_slice(piece));
    let mut value: Value = serde_json::from_slice(&text).unwrap();
    let members = value.as_object_mut().unwrap();
    members.remove("rule");
    value
}

/// Checks that a document of 0.1 and its conversion give the same decisions, except about what is
/// lost.
fn decides_the_same(document: &Document<'_>, about: &str) {
    let is_text = document.format() == Format::AgentsTxt01;
    let target = FLAT[usize::from(is_text)];
    let converted = convert(document, target);
    let Ok(bytes) = &converted.result else { return };
    let written = parse(bytes, target);
    let back = convert(&written, document.format());
    let back = parse(back.result.as_ref().unwrap(), document.format());
    let model = model(document);
    let Questions { ids, agents, places } = questions(&model);
    let lost: BTreeSet<_> = (0..)
        .zip(model["capabilities"].as_array().into_iter().flatten())
        .filter(|(index, _)| {
            let path = format!("capabilities[{index}]");
            ["", ".requires_session", ".human_handoff"]
                .iter()
                .any(|part| converted.losses.contains_key(&format!("{path}{part}")))
        })
        .filter_map(|(_, one)| one["id"].as_str())
        .collect();
    let agent = agents.first().unwrap();
    let by_id = ids
        .iter()
        .take(30)
        .filter(|id| !lost.contains(id.as_str()))
        .map(|id| Request::capability(agent, id));
    let by_place = places.iter().take(30).flat_map(|place| {
        [Request::url(agent, place), Request::url(agent, place).with_method("POST")]
    });
    // The text has no endpoints, so its URLs cannot be compared with those of JSON.
    for request in by_id.chain(by_place.filter(|_| is_text)) {
        let decide = |one: &Document<'_>| {
            let decision = shown_decision(&decide(&[*one], Robots::NotAsked, &request));
            let parts = ["session", "human", "rate_limits", "auth"];
            if is_text {
                return decision;
            }
            let mut parts: Value =
                parts.iter().map(|name| (*name, decision[name].clone())).collect();
            if let Some(session) = parts["session"].as_object_mut() {
                session.retain(|name, _| name == "ttl_seconds");
            }
            parts
        };
        let (before, after, again) = (decide(document), decide(&written), decide(&back));
        let about = || format!("{request:?}\n{about}:\n{}", String::from_utf8_lossy(bytes));
        assert_eq!(before, after, "{}", about());
        assert_eq!(before, again, "and back: {}", about());
    }
}

#[test]
fn no_vector_of_0_1_changes_a_decision() {
    let mut done = 0;
    for path in vectors::inputs() {
        let input = fs::read(&path).unwrap();
        if let Ok(document) = vectors::parse(&input, &vectors::expected(&path))
            && FLAT.contains(&document.format())
        {
            decides_the_same(&document, &path.display().to_string());
            done += 1;
        }
    }
    assert!(done > 100, "{done}");
}

#[test]
fn no_generated_document_of_0_1_changes_a_decision() {
    let mut done = 0;
    for kind in Kind::ALL {
        for seed in 0..20 {
            let bytes = agentsdisc_generator::document(&agentsdisc_generator::Request {
                kind,
                size: 1000,
                layout: Layout::Pretty,
                seed,
            });
            let document = Document::parse(&bytes).unwrap();
            if FLAT.contains(&document.format()) {
                decides_the_same(&document, &format!("{kind:?} {seed}"));
                done += 1;
            }
        }
    }
    assert!(done > 30, "{done}");
}

/// Unusual values for members that decide about rights.
fn odd() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(""),
        json!("none"),
        json!("no"),
        json!([]),
        json!({}),
        json!(["search"]),
        json!([1]),
        json!("*"),
        json!("search"),
        json!("POST"),
        json!("/x"),
        json!("//evil.test/x"),
        json!("https://evil.test/x"),
        json!("http://example.com/x"),
        json!("irreversible"),
        json!("destructive"),
        json!("1/day"),
        json!("0/minute"),
        json!("often"),
        json!("oauth2"),
        json!("mcp"),
        json!("rest"),
    ])
}

/// An action of agent.json with unusual members.
fn action() -> impl Strategy<Value = Value> {
    let names = [
        "endpoint",
        "method",
        "via",
        "auth_required",
        "rate_limit",
        "sensitivity",
        "requires_human_confirmation",
        "reversible",
        "description",
    ];
    prop::collection::vec((prop::sample::select(names.to_vec()), odd()), 0..4).prop_map(|members| {
        let mut action =
            json!({"id": "search", "endpoint": "/api/search", "method": "GET", "auth_required": false, "inputs": {}, "outputs": {}});
        action.as_object_mut().unwrap().extend(members.into_iter().map(|(name, value)| (name.to_owned(), value)));
        action
    })
}

/// Actions with unique ids and endpoints: if two shared one and the first were left out, the second
/// would answer.
fn numbered(mut actions: Vec<Value>) -> Value {
    for (action, number) in actions.iter_mut().zip(0..).skip(1) {
        action["id"] = json!(format!("search_{number}"));
        if let Some(endpoint) = action["endpoint"].as_str() {
            action["endpoint"] = json!(format!("{endpoint}_{number}"));
        }
    }
    Value::from(actions)
}

fn agent_json() -> impl Strategy<Value = Value> {
    let object = |names: &'static [&'static str]| {
        prop::collection::vec((prop::sample::select(names), odd()), 0..3).prop_map(|members| {
            Value::Object(
                members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            )
        })
    };
    let or_odd = |value: BoxedStrategy<Value>| prop_oneof![5 => value, 1 => odd()];
    (
        or_odd(prop::collection::vec(action(), 0..3).prop_map(numbered).boxed()),
        optional(or_odd(object(&["type", "required_for", "optional_for", "token_expiry"]).boxed())),
        optional(or_odd(object(&["operational", "degraded_actions"]).boxed())),
        optional(or_odd(
            prop::collection::btree_map("mcp|rest|oauth2", object(&["version", "endpoint"]), 0..3)
                .prop_map(|all| json!(all))
                .boxed(),
        )),
        optional(odd()),
    )
        .prop_map(|(actions, auth, status, protocols, metadata)| {
            let document = json!({"awp_version": "0.2", "domain": "example.com", "intent": "Mugs"});
            with(
                document,
                [
                    ("actions", Some(actions)),
                    ("auth", auth),
                    ("agent_status", status),
                    ("protocols", protocols),
                    ("metadata", metadata),
                ],
            )
        })
}

/// A manifest of an API with unusual members.
fn manifest() -> impl Strategy<Value = Value> {
    let names = ["base_url", "auth", "capabilities", "name"];
    let base = prop::sample::select(vec![
        "https://example.com",
        "https://example.com/v1",
        "https://api.example.com/",
        "http://example.com/v1/",
    ]);
    let endpoint = prop::sample::select(vec![
        "/plants",
        "plants",
        "//evil.test/x",
        "https://example.com/plants",
        "?x",
        "/v1/plants",
        "ftp://x/y",
    ]);
    let auth = prop::sample::select(vec![
        json!({"type": "none"}),
        json!({"type": "api_key"}),
        json!({}),
        json!({"type": 1}),
    ]);
    (base, endpoint, auth, prop::collection::vec((prop::sample::select(names.to_vec()), odd()), 0..2)).prop_map(|(base, endpoint, auth, odd)| {
        let mut document = json!({
            "spec_version": "1.0", "name": "Plants", "description": "Plants, seeds and pots.", "base_url": base, "auth": auth,
            "capabilities": [{"name": "search", "description": "Search", "detail_url": "/c/search", "endpoint": endpoint, "method": "GET"}]
        });
        document.as_object_mut().unwrap().extend(odd.into_iter().map(|(name, value)| (name.to_owned(), value)));
        document
    })
}

/// A robots.txt of random groups. (A delay between the agents of a group applies to some of them
/// only, which the model does not express.)
fn robots() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        3 => "(Allow|Disallow): /[abx]{0,2}[*$]?\n",
        1 => "Crawl-delay: (0|1|2.5|7|90|5000|x)\n",
        1 => "\n",
    ];
    let group = ("(User-agent: (\\*|a|b)\n){1,2}", prop::collection::vec(line, 0..5))
        .prop_map(|(agents, lines)| agents + &lines.concat() + "Disallow:\n");
    prop::collection::vec(group, 1..4).prop_map(|groups| groups.concat())
}

/// An agents.txt 0.1.0 of lines that matter for decisions.
fn agents_txt_01() -> impl Strategy<Value = String> {
    let name = "search|cart\\.(add|clear)|checkout|Checkout|cart|a, b|/x|";
    let line = prop_oneof![
        4 => name.prop_map(|name: String| format!("Allow: {name}\n")),
        1 => (name, name).prop_map(|(a, b)| format!("Capabilities: {a}, {b}\n")),
        1 => "(Session-TTL|session-ttl): (0s|60s|3600|1800s|30 minutes|)\n",
        1 => "Rate-Limit: (0|5|60/minute|5/second|often|)\n",
        1 => "(Audit: (true|false|yes|)|Flow: a → search|Disallow: /x|nothing)\n",
        1 => "URL: (https://example.com/shop|https://example\\.com|/shop|)\n",
    ];
    prop::collection::vec(line, 0..8).prop_map(|lines| lines.concat())
}

/// An agents.json 0.1 with unusual members.
fn agents_json_01() -> impl Strategy<Value = Value> {
    let truth = || prop_oneof![3 => any::<bool>().prop_map(Value::from), 1 => odd()];
    let name = prop::sample::select(vec!["search", "cart.add", "checkout", "book"]);
    let capability = (name, optional(truth()), optional(truth()), any::<bool>()).prop_map(
        |(name, session, handoff, called)| {
            with(
                json!({"name": name}),
                [
                    ("requires_session", session),
                    ("human_handoff", handoff),
                    ("endpoint", called.then(|| json!("/x"))),
                ],
            )
        },
    );
    let session = prop_oneof![
        Just(json!({})),
        Just(json!({"ttl_seconds": 60})),
        Just(json!({"ttl": 7200, "create": "/s"})),
        Just(json!({"ttl_seconds": "long"})),
        odd(),
    ];
    let limit = prop_oneof![Just(json!({"requests_per_minute": 5})), odd()];
    let capabilities = prop::collection::btree_map(any::<u8>(), capability, 0..4);
    (capabilities, optional(session), optional(limit)).prop_map(|(all, session, limit)| {
        let mut names = BTreeSet::new();
        let all = all.into_values();
        let all: Vec<_> = all.filter(|one| names.insert(one["name"].to_string())).collect();
        with(
            json!({"schema_version": "0.1.0", "capabilities": all}),
            [("session", session), ("rate_limit", limit)],
        )
    })
}

proptest! {
    #![proptest_config(crate::common::cases(500))]

    #[test]
    fn no_agents_json_gains_permissions(value in agents_json()) {
        let bytes = value.to_string().into_bytes();
        allows_no_more(&parse(&bytes, Format::AgentsJson), Format::AgentsTxt, &value.to_string());
    }

    #[test]
    fn no_agents_txt_gains_permissions(text in agents_txt()) {
        allows_no_more(&parse(text.as_bytes(), Format::AgentsTxt), Format::AgentsJson, &text);
    }

    #[test]
    fn no_agent_json_gains_permissions(value in agent_json()) {
        let bytes = value.to_string().into_bytes();
        for target in DRAFT {
            allows_no_more(&parse(&bytes, Format::Awp), target, &value.to_string());
        }
    }

    #[test]
    fn no_manifest_gains_permissions(value in manifest()) {
        let bytes = value.to_string().into_bytes();
        for target in DRAFT {
            allows_no_more(&parse(&bytes, Format::Adp), target, &value.to_string());
        }
    }

    #[test]
    fn no_agents_txt_of_0_1_changes_a_decision(text in agents_txt_01()) {
        decides_the_same(&parse(text.as_bytes(), Format::AgentsTxt01), &text);
    }

    #[test]
    fn no_agents_json_of_0_1_changes_a_decision(value in agents_json_01()) {
        let bytes = value.to_string().into_bytes();
        decides_the_same(&parse(&bytes, Format::AgentsJson01), &value.to_string());
    }

    #[test]
    fn no_robots_txt_gains_permissions(text in robots()) {
        for target in DRAFT {
            allows_no_more(&parse(text.as_bytes(), Format::RobotsTxt), target, &text);
        }
    }
}
