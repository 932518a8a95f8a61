//! Discovery: which URLs are requested, which documents count, and their order (docs/formats/locations.md).
use crate::common::site;

use agentsdisc_core::discovery::{
    AskError, Attempt, Declared, Discovery, Failure, Moved, NotOpen, Options, OriginError,
    Rejection, RequestId, Resource, Resources, Response, RobotsRules, Source, State,
};
use agentsdisc_core::{ErrorKind, Format};
use site::{
    ADP, AWP, CARD, Client, HTML, JSON, JSON_01, MD, NOW, ROBOTS, Reply, SYNTHETIC, TXT, TXT_01,
    attempts, discover, pages,
};

#[test]
fn all_locations_are_requested_in_order_if_none_exists() {
    let (discovery, client) = discover("https://a.example", |_| Reply::status(404));
    let paths: Vec<_> =
        client.asked.iter().map(|url| url.strip_prefix("https://a.example").unwrap()).collect();
    assert_eq!(
        paths,
        [
            "/.well-known/agents.json",
            "/.well-known/agents.txt",
            "/.well-known/agents.md",
            "/agent.json",
            "/.well-known/agent",
            "/robots.txt",
            "/agents.txt",
            "/agents.md",
            "/.well-known/agent.json",
            "/.well-known/agent-card.json",
            "/.well-known/ard.json",
            "/llms.txt",
            "/",
            "/.well-known/ai-catalog.json",
        ]
    );
    assert_eq!(discovery.documents().count(), 0);
    assert_eq!(discovery.robots(), RobotsRules::AllowAll);
}

#[test]
fn each_format_is_found_at_each_of_its_locations() {
    for (path, body, format, resource) in [
        ("/.well-known/agents.json", JSON, Format::AgentsJson, Resource::AgentsJson),
        ("/.well-known/agents.json", JSON_01, Format::AgentsJson01, Resource::AgentsJson),
        ("/.well-known/agents.txt", TXT, Format::AgentsTxt, Resource::AgentsTxt),
        ("/agents.txt", TXT, Format::AgentsTxt, Resource::AgentsTxt),
        ("/.well-known/agents.txt", TXT_01, Format::AgentsTxt01, Resource::AgentsTxt),
        ("/agents.txt", TXT_01, Format::AgentsTxt01, Resource::AgentsTxt),
        ("/.well-known/agents.md", MD, Format::AgentsMd, Resource::AgentsMd),
        ("/agents.md", MD, Format::AgentsMd, Resource::AgentsMd),
        ("/agent.json", AWP, Format::Awp, Resource::Awp),
        ("/.well-known/agent.json", AWP, Format::Awp, Resource::Awp),
        ("/.well-known/agent", ADP, Format::Adp, Resource::Adp),
    ] {
        let (discovery, _) = discover("a.example", pages(&[(path, Reply::body(body))]));
        let found: Vec<_> = discovery
            .documents()
            .map(|found| (found.url(), found.format(), found.resource(), found.moved()))
            .collect();
        assert_eq!(
            found,
            [(format!("https://a.example{path}").as_str(), format, resource, Moved::No)],
            "{path}"
        );
    }
}

#[test]
fn a_fallback_is_requested_only_without_a_usable_document() {
    let big = "x".repeat((1 << 20) + 1);
    for (reply, code, falls_back) in [
        (Reply::status(404), "not-found", true),
        (Reply::status(410), "gone", true),
        (Reply::body(HTML), "html", true),
        (
            Reply::body("<p>Not here</p>").with("content-type", "Text/HTML; charset=utf-8"),
            "html",
            true,
        ),
        (Reply::body(""), "not-recognised", true),
        (Reply::body("Hello"), "not-recognised", true),
        (Reply::body("[1]"), "not-recognised", true),
        (Reply::body(ROBOTS), "other-format", true),
        (Reply::body(AWP), "other-format", true),
        (Reply::body(CARD), "other-format", true),
        (Reply::body("{"), "unreadable", false),
        (Reply::body(&big), "too-large", false),
        (Reply::status(401), "access-denied", false),
        (Reply::status(403), "access-denied", false),
        (Reply::status(451), "access-denied", false),
        (Reply::status(429), "rate-limited", false),
        (Reply::status(400), "client-error", false),
        (Reply::status(500), "server-error", false),
        (Reply::status(599), "server-error", false),
        (Reply::status(204), "unexpected-status", false),
        (Reply::status(206), "unexpected-status", false),
        (Reply::status(300), "unexpected-status", false),
        (Reply::status(100), "unexpected-status", false),
        (Reply::status(0), "unexpected-status", false),
        (Reply::status(65535), "unexpected-status", false),
        (Reply::status(304), "not-modified-unasked", false),
        (Reply::status(302), "invalid-url", false),
        (Reply::to(302, "https://b.example/"), "off-site", false),
        (Reply::to(302, "http://a.example/"), "downgrade", false),
        (Reply::failure(Failure::Timeout), "timeout", false),
        (Reply::failure(Failure::TooLarge), "too-large", false),
        (Reply::failure(Failure::Encoding), "encoding", false),
        (Reply::failure(Failure::Refused), "address-refused", false),
        (Reply::failure(Failure::Unreachable), "unreachable", false),
    ] {
        let list = [("/.well-known/agents.txt", reply.clone()), ("/agents.txt", Reply::body(TXT))];
        let (discovery, client) = discover("a.example", pages(&list));
        let first = discovery
            .attempts()
            .find(|attempt| attempt.key() == "https://a.example/.well-known/agents.txt")
            .unwrap();
        assert_eq!(first.rejection().map(Rejection::as_str), Some(code), "{reply:?}");
        assert_eq!(
            client.asked.iter().any(|url| url == "https://a.example/agents.txt"),
            falls_back,
            "{reply:?}"
        );
        assert_eq!(discovery.documents().count(), usize::from(falls_back), "{reply:?}");
        assert_eq!(first.rejection().map(Rejection::asks_fallback), Some(falls_back));
    }
}

#[test]
fn documents_at_wrong_locations_are_reported() {
    let big = format!("# A\n\n{}", "x ".repeat(1 << 20));
    let list = [
        ("/llms.txt", Reply::body(&big)),
        ("/.well-known/agent", Reply::body(CARD)),
        ("/.well-known/agents.json", Reply::body("{\"specVersion\": ")),
    ];
    let (discovery, _) = discover("a.example", pages(&list));
    let attempt =
        |resource| discovery.attempts().find(|attempt| attempt.resource() == resource).unwrap();
    assert_eq!(attempt(Resource::Adp).format(), Format::Aid);
    assert_eq!(attempt(Resource::AgentsJson).error().unwrap().offset, 16);
    assert_eq!(attempt(Resource::AgentsJson).status(), 200);
    let error = attempt(Resource::LlmsTxt).error().unwrap();
    assert_eq!(error.kind, ErrorKind::TooLarge);
}

#[test]
fn documents_are_ordered_by_precedence() {
    let list = [
        ("/.well-known/agents.json", Reply::body(JSON)),
        ("/agents.txt", Reply::body(TXT)),
        ("/.well-known/agents.md", Reply::body(MD)),
        ("/agent.json", Reply::body(AWP)),
        ("/.well-known/agent", Reply::body(ADP)),
        ("/robots.txt", Reply::body(ROBOTS)),
    ];
    let order = |list: &[(&str, Reply)]| {
        let (discovery, _) = discover("a.example", pages(list));
        discovery
            .documents()
            .map(|found| found.key().replace("https://a.example", ""))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        order(&list),
        [
            "/.well-known/agents.json",
            "/.well-known/agent",
            "/agent.json",
            "/.well-known/agents.md",
            "/agents.txt"
        ]
    );
    let mut synthetic = list.clone();
    synthetic[3] = ("/agent.json", Reply::body(SYNTHETIC));
    assert_eq!(
        order(&synthetic),
        [
            "/.well-known/agents.json",
            "/.well-known/agent",
            "/.well-known/agents.md",
            "/agents.txt",
            "/agent.json"
        ]
    );
    let (discovery, _) = discover("a.example", pages(&synthetic));
    let is_synthetic = |attempt: &&Attempt| attempt.is_synthetic();
    assert_eq!(discovery.documents().filter(is_synthetic).count(), 1);
    assert!(discovery.documents().last().unwrap().is_synthetic());
}

#[test]
fn replies_may_arrive_in_any_order() {
    let list = [
        ("/agents.txt", Reply::body(TXT)),
        ("/agents.md", Reply::body(MD)),
        ("/.well-known/agents.json", Reply::body(JSON)),
        ("/robots.txt", Reply::to(301, "/r")),
    ];
    let (expected, _) = discover("a.example", pages(&list));
    for step in 0..7 {
        let mut discovery = Discovery::new("a.example", &Options::default()).unwrap();
        let mut turn = 0;
        let pick = |_| {
            turn += step;
            turn
        };
        Client::new().run(&mut discovery, pick, pages(&list));
        assert_eq!(attempts(&discovery), attempts(&expected));
        assert!(
            discovery
                .documents()
                .map(|found| found.url())
                .eq(expected.documents().map(|found| found.url()))
        );
    }
}

#[test]
fn only_replies_to_open_requests_are_accepted() {
    let mut discovery = Discovery::new("a.example", &Options::default()).unwrap();
    let nothing = Response { status: 404, now: NOW, ..Response::default() };
    assert_eq!(discovery.respond(RequestId(1), &nothing).unwrap_err(), NotOpen);
    let id = discovery.next_request().unwrap();
    assert!(discovery.respond(id, &nothing).is_ok());
    assert_eq!(discovery.respond(id, &nothing).unwrap_err(), NotOpen);
    assert_eq!(discovery.fail(id, Failure::Timeout, NOW).unwrap_err(), NotOpen);
    assert!(discovery.request(id).is_none());
    assert_eq!(discovery.attempt(id).unwrap().rejection(), Some(Rejection::NotFound));
}

#[test]
fn only_wanted_formats_are_requested() {
    let resources = Resources::NONE.with(Resource::AgentsMd).with(Resource::RobotsTxt);
    let mut discovery =
        Discovery::new("a.example", &Options { resources, ..Options::default() }).unwrap();
    let mut client = Client::new();
    client.run(&mut discovery, |_| 0, |_| Reply::status(404));
    assert_eq!(
        attempts(&discovery),
        ["/.well-known/agents.md not-found", "/agents.md not-found", "/robots.txt not-found"]
    );
    assert!(!Resources::ALL.without(Resource::Awp).contains(Resource::Awp));
    for resource in Resource::ALL {
        assert_eq!(Resource::from_id(resource.as_str()), Some(*resource));
    }
    for rejection in Rejection::ALL {
        assert_eq!(Rejection::from_code(rejection.as_str()), Some(*rejection));
    }
}

#[test]
fn requests_have_user_agent_and_accept() {
    let (_, client) = discover("a.example", |_| Reply::status(404));
    for headers in &client.headers {
        let names: Vec<_> = headers.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["User-Agent", "Accept"]);
        let types = ["application/", "text/plain", "text/markdown", "text/html"];
        assert!(types.iter().any(|name| headers[1].1.starts_with(name)));
        assert!(headers[1].1.ends_with("*/*;q=0.1"));
        assert!(headers[0].1.starts_with("agentsdisc/"));
    }
    let mut discovery = Discovery::new("a.example", &Options::default()).unwrap();
    let id = discovery.next_request().unwrap();
    let request = discovery.request(id).unwrap();
    let agent = |name| {
        String::from_utf8_lossy(request.headers(name, None).next().unwrap().value).into_owned()
    };
    assert_eq!(agent("Bot/1.0 (+https://bot.example)"), "Bot/1.0 (+https://bot.example)");
    for name in ["", "Bot\r\nCookie: a", "Bot\u{7f}", "Bót"] {
        assert!(agent(name).starts_with("agentsdisc/"), "{name:?}");
    }
}

#[test]
fn bodies_are_limited() {
    let mut discovery = Discovery::new("a.example", &Options::default()).unwrap();
    let robots = Resources::default().without(Resource::RobotsTxt);
    let options = Options { resources: robots, ..Options::default() };
    let mut others = Discovery::new("a.example", &options).unwrap();
    while let Some(id) = others.next_request() {
        let request = others.request(id).unwrap();
        let is_home = request.resource == Resource::Home;
        let expected = if is_home { (64 << 10, true) } else { (1 << 20, false) };
        assert_eq!((request.limit, request.cuts), expected);
    }
    while let Some(id) = discovery.next_request() {
        let request = discovery.request(id).unwrap();
        let expected = if request.resource == Resource::RobotsTxt {
            ((500 << 10) + 1, true)
        } else {
            (1 << 20, false)
        };
        assert_eq!((request.limit, request.cuts), expected);
    }
}

#[test]
fn a_companion_at_an_unusual_path_of_the_site_is_requested() {
    let with = |companion: &str| Reply::body(&format!("{TXT}Agents-JSON: {companion}\n"));
    for (companion, expected) in [
        ("https://a.example/data/agents.json", Some("/data/agents.json found")),
        ("/data/agents.json", Some("/data/agents.json found")),
        ("https://a.example/.well-known/agents.json", None),
        ("https://a.example/.well-known/agents.json#x", None),
        ("https://b.example/agents.json", Some("https://b.example/agents.json off-site")),
        ("https://a.example@b.example/agents.json", Some("@b.example/agents.json invalid-url")),
        ("http://a.example/agents.json", Some("http://a.example/agents.json downgrade")),
        ("file:///etc/passwd", Some("file:///etc/passwd invalid-url")),
        ("https:\\\\b.example", Some(" invalid-url")),
        ("https://api.a.example/agents.json", Some("https://api.a.example/agents.json found")),
    ] {
        let companion_found = Reply::body(JSON);
        let list = [
            ("/.well-known/agents.txt", with(companion)),
            ("/data/agents.json", companion_found.clone()),
            ("https://api.a.example/agents.json", companion_found),
        ];
        let (discovery, client) = discover("a.example", pages(&list));
        let found = discovery.attempts().find(|attempt| attempt.resource() == Resource::Companion);
        let attempts = attempts(&discovery);
        assert_eq!(found.is_some(), expected.is_some(), "{companion}");
        assert!(
            expected.is_none_or(|line| attempts.iter().any(|attempts| attempts == line)),
            "{companion}: {attempts:?}"
        );
        assert!(
            client
                .asked
                .iter()
                .all(|url| !url.contains("b.example") && url.starts_with("https://")),
            "{companion}"
        );
        // The companion of a companion is not requested.
        assert!(client.asked.len() <= 15);
    }
}

#[test]
fn the_default_companion_of_0_1_is_below_the_url_of_the_site() {
    let text = |url: &str| format!("Site: A\nURL: {url}\nAllow: checkout\nSession-TTL: 60s\n");
    let below = "/shop/.well-known/agents.json";
    for (url, expected) in [
        ("https://a.example/shop", Some(below)),
        ("https://a.example/shop/", Some(below)),
        ("https://A.example:443/shop//?a=/b#c", Some(below)),
        ("https://a.example/x/../shop/.", Some(below)),
        ("https://a.example/de/shop", Some("/de/shop/.well-known/agents.json")),
        ("https://a.example", None),
        ("https://a.example/", None),
        ("https://a.example/#top", None),
        ("https://A.example:443/", None),
        ("http://a.example/shop", None),
        ("https://a.example:444/shop", None),
        ("https://www.a.example/shop", None),
        ("https://b.example/shop", None),
        ("https://x@a.example/shop", None),
        ("https://a.example//b.example/shop", Some("//b.example/shop/.well-known/agents.json")),
        ("ftp://a.example/shop", None),
        ("/shop", None),
        ("", None),
    ] {
        let list =
            [("/.well-known/agents.txt", Reply::body(&text(url))), (below, Reply::body(JSON_01))];
        let (discovery, client) = discover("a.example", pages(&list));
        let found: Vec<_> = discovery
            .attempts()
            .filter(|attempt| attempt.resource() == Resource::Companion)
            .map(|attempt| attempt.key().replace("A.example:443", "a.example"))
            .collect();
        let expected = expected.map(|path| format!("https://a.example{path}"));
        assert_eq!(found, Vec::from_iter(expected), "{url}");
        let is_ours = |url: &String| {
            url.starts_with("https://a.example/") || url.starts_with("https://A.example:443/shop")
        };
        assert!(client.asked.iter().all(is_ours), "{url}");
    }
    // The written URL counts, also beside a `URL` with a path; so does the format.
    for (body, expected) in [
        (
            text("https://a.example/shop") + "Agents-JSON: /data.json\n",
            Some("/data.json not-found"),
        ),
        (
            text("https://a.example/shop") + "Agents-JSON:\n",
            Some("/shop/.well-known/agents.json found"),
        ),
        (TXT.replace("a.example", "a.example/shop"), None),
    ] {
        let list = [("/agents.txt", Reply::body(&body)), (below, Reply::body(JSON_01))];
        let (discovery, client) = discover("a.example", pages(&list));
        let attempts = attempts(&discovery);
        let others = attempts.iter().filter(|line| line.contains(".json"));
        let others: Vec<_> = others
            .filter(|line| !line.starts_with("/.well-known") && !line.starts_with("/agent.json"))
            .collect();
        assert_eq!(others, Vec::from_iter(&expected), "{body}");
        assert!(client.asked.len() <= 15);
    }
    // The default companion is asked for on the host that has the agents.txt.
    let www = "https://www.a.example/.well-known/agents.txt";
    let list = [
        ("/.well-known/agents.txt", Reply::to(301, www)),
        (www, Reply::body(&text("https://www.a.example/shop"))),
        ("https://www.a.example/shop/.well-known/agents.json", Reply::body(JSON_01)),
    ];
    let (discovery, _) = discover("a.example", pages(&list));
    let found =
        discovery.attempts().find(|attempt| attempt.resource() == Resource::Companion).unwrap();
    assert_eq!(found.state(), State::Found);
    // A path that leaves no room for the location is not requested.
    let long = format!("https://a.example/{}", "x".repeat(480));
    let list = [("/agents.txt", Reply::body(&text(&long)))];
    let (discovery, client) = discover("a.example", pages(&list));
    assert!(discovery.is_done() && client.asked.len() <= 15);
}

#[test]
fn robots_txt_depends_on_the_status() {
    for (reply, rules) in [
        (Reply::body(ROBOTS), RobotsRules::Document),
        (Reply::body(HTML), RobotsRules::Document),
        (Reply::body(""), RobotsRules::Document),
        (Reply::status(204), RobotsRules::Document),
        (Reply::status(400), RobotsRules::AllowAll),
        (Reply::status(401), RobotsRules::AllowAll),
        (Reply::status(404), RobotsRules::AllowAll),
        (Reply::status(429), RobotsRules::AllowAll),
        (Reply::status(500), RobotsRules::DisallowAll),
        (Reply::status(503), RobotsRules::DisallowAll),
        (Reply::status(300), RobotsRules::DisallowAll),
        (Reply::status(302), RobotsRules::DisallowAll),
        (Reply::failure(Failure::Timeout), RobotsRules::DisallowAll),
        (Reply::failure(Failure::Unreachable), RobotsRules::DisallowAll),
        (Reply::to(301, "https://cdn.test/robots.txt"), RobotsRules::Document),
        (Reply::to(301, "http://a.example/r"), RobotsRules::AllowAll),
        (Reply::to(301, "ftp://a.example/r"), RobotsRules::DisallowAll),
        (Reply::to(301, "https://x@a.example/r"), RobotsRules::DisallowAll),
        (Reply::to(301, "/robots.txt"), RobotsRules::DisallowAll),
    ] {
        let list =
            [("/robots.txt", reply.clone()), ("https://cdn.test/robots.txt", Reply::body(ROBOTS))];
        let (discovery, _) = discover("a.example", pages(&list));
        assert_eq!(discovery.robots(), rules, "{reply:?}");
    }
    let mut discovery = Discovery::new("a.example", &Options::default()).unwrap();
    assert_eq!(discovery.robots(), RobotsRules::Unknown);
    while discovery.next_request().is_some() {}
    assert_eq!(discovery.robots(), RobotsRules::Unknown);
}

#[test]
fn every_outcome_has_its_name_and_its_message() {
    use {Declared as D, Moved as M, OriginError as O, RobotsRules as R, Source as S};
    let moved = [M::No, M::SameOrigin, M::Canonical, M::SameSite, M::OtherSite];
    let names = ["no", "same-origin", "canonical", "same-site", "other-site"];
    assert_eq!(moved.map(Moved::as_str), names);
    let rules = [R::Unknown, R::Document, R::AllowAll, R::DisallowAll];
    let names = ["unknown", "document", "allow-all", "disallow-all"];
    assert_eq!(rules.map(RobotsRules::as_str), names);
    let declared = [D::Named, D::NotNamed, D::NotAnAgent].map(Declared::as_str);
    assert_eq!(declared, ["named", "not-named", "not-an-agent"]);
    let source = [S::Network, S::Store, S::Revalidated].map(Source::as_str);
    assert_eq!(source, ["network", "store", "revalidated"]);
    let errors = [O::Invalid, O::Scheme, O::UserInfo, O::NonAscii, O::TooLong];
    let names = ["invalid", "scheme", "user-info", "non-ascii", "too-long"];
    assert_eq!(errors.map(OriginError::as_str), names);
    for error in errors {
        assert!(error.message().contains(' '));
        assert_eq!(error.to_string(), error.message());
    }
    let gone = Rejection::Gone;
    assert_eq!(gone.to_string(), gone.message());
    assert_eq!(AskError::Rejected(gone).to_string(), gone.message());
    assert!(AskError::Busy.to_string().contains(' '));
    assert!(NotOpen.to_string().contains("no request"));
}

#[test]
fn only_some_documents_have_well_known_locations() {
    for resource in [Resource::AgentsJson, Resource::AgentsMd, Resource::RobotsTxt] {
        assert!(resource.is_well_known(), "{resource:?}");
    }
    for resource in [Resource::Companion, Resource::Detail, Resource::Declaration] {
        assert!(!resource.is_well_known(), "{resource:?}");
    }
}
