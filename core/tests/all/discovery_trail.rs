//! Discovery: the documents to which a site points, and the recorded pointers to them.

mod cards;

use crate::common::site;

use agentsdisc_core::Format;
use agentsdisc_core::discovery::{
    Discovery, Follow, MAX_LINKED, Options, Pointing, Rejection, Resource, Resources, State,
};
use proptest::prelude::*;
use site::{AWP, Client, JSON, NOW, ROBOTS, Reply, TXT, attempts, discover, pages};

const CARD: &str = r#"{"name": "A", "description": "x", "version": "1", "protocolVersion": "0.3.0", "url": "https://a.example/a2a",
    "capabilities": {}, "defaultInputModes": ["text"], "defaultOutputModes": ["text"], "skills": []}"#;
const LLMS: &str = "# A\n\n> Mugs.\n\n## Docs\n\n- [API](https://a.example/api.md): the API\n";
const MCP: &str = r#"{"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json", "name": "example.a/mugs",
    "version": "1.0.0", "description": "Mugs", "remotes": [{"type": "streamable-http", "url": "https://a.example/mcp"}]}"#;
const API: &str = r#"{"linkset": [{"anchor": "https://a.example/api", "service-doc": [{"href": "https://a.example/api.html"}]}]}"#;

fn catalog(entries: &[(&str, &str)]) -> String {
    let entries: Vec<_> = entries
        .iter()
        .enumerate()
        .map(|(n, (kind, url))| {
            format!(r#"{{"identifier": "urn:air:a.example:x:{n}", "displayName": "{n}", "type": "{kind}", "url": "{url}"}}"#)
        })
        .collect();
    format!(
        r#"{{"specVersion": "1.0", "host": {{"displayName": "A"}}, "entries": [{}]}}"#,
        entries.join(",")
    )
}

fn follow(
    choice: Follow,
    resources: &[Resource],
    site: impl Fn(&str) -> Reply,
) -> (Discovery, Client) {
    let resources = resources.iter().fold(Resources::NONE, |set, resource| set.with(*resource));
    let options = Options { resources, follow: choice, ..Options::default() };
    let mut discovery = Discovery::new("a.example", &options).unwrap();
    let mut client = Client::new();
    client.run(&mut discovery, |_| 0, site);
    (discovery, client)
}

/// Returns each attempt that something points to, as `path result pointing relation by source`.
fn trail(discovery: &Discovery) -> Vec<String> {
    let short = |url: &str| url.strip_prefix("https://a.example").unwrap_or(url).to_owned();
    let lines = discovery.attempts().filter_map(|attempt| {
        let pointer = discovery.pointer(attempt)?;
        let result = attempt.rejection().map_or(attempt.format().id(), Rejection::as_str);
        Some(format!(
            "{} {result} {} {} by {}",
            short(attempt.key()),
            pointer.pointing.as_str(),
            pointer.relation,
            short(pointer.source.url())
        ))
    });
    lines.collect()
}

const DESCRIPTION: &str = r#"{"openapi": "3.1.0", "paths": {}}"#;

#[test]
fn the_links_of_the_home_page_are_followed() {
    let html = "<!doctype html><head><link rel=stylesheet href=/style.css><LINK href='card?a&amp;b' rel=\"agent-card\">
        <link rel=alternate type=text/plain href=/llms.txt><link rel=canonical href=/><link rel=license type=application/rsl+xml href=/rsl/no></head><body><link rel=mcp href=/no>";
    let links = "</catalog>; rel=api-catalog; type=\"application/linkset+json\", </openapi.json>; rel=service-desc, \
        </docs>; rel=service-doc, </mcp>; rel=\"mcp\", </x>; rel=llms; anchor=\"/y\"";
    let list = [
        (
            "/",
            Reply::body(html).with("Link", links).with(
                "link",
                "<https://a.example/s.json>; rel=\"https://x.example/rels/agent-skills\"",
            ),
        ),
        ("/card?a&b", Reply::body(CARD)),
        ("/llms.txt", Reply::body(LLMS)),
        ("/catalog", Reply::body(API)),
        ("/mcp/server-card", Reply::body(MCP)),
        ("/openapi.json", Reply::body(DESCRIPTION)),
    ];
    let (discovery, client) = discover("a.example", pages(&list));
    assert_eq!(
        trail(&discovery),
        [
            "/llms.txt llms-txt link-element alternate by /",
            "/catalog api-catalog link-header api-catalog by /",
            "/openapi.json openapi link-header service-desc by /",
            "/mcp/server-card mcp-server-card link-header mcp by /",
            "/s.json not-found link-header https://x.example/rels/agent-skills by /",
            "/card?a&b a2a-agent-card link-element agent-card by /",
        ]
    );
    let spans = discovery.attempts().filter_map(|attempt| discovery.pointer(attempt)?.span);
    let texts: Vec<_> = spans.map(|span| &html[span.start as usize..span.end as usize]).collect();
    assert_eq!(texts, ["/llms.txt", "card?a&amp;b"]);
    assert!(client.asked.iter().all(|url| !url.ends_with("/mcp") && !url.ends_with("/no")));
    assert_eq!(discovery.documents().count(), 5);
    let home = discovery.attempts().find(|attempt| attempt.resource() == Resource::Home).unwrap();
    assert_eq!((home.state(), home.format()), (State::Found, Format::Html));
}

#[test]
fn the_description_of_a_capability_is_followed() {
    let manifest = r#"{"specVersion": "1.0", "site": {"name": "S", "url": "https://a.example"},
        "capabilities": [{"id": "a", "endpoint": "/a", "openapi": "/api/description.json"}]}"#;
    let list = [
        ("/.well-known/agents.json", Reply::body(manifest)),
        ("/api/description.json", Reply::body(DESCRIPTION)),
    ];
    let (discovery, _) = discover("a.example", pages(&list));
    let expected =
        "/api/description.json openapi endpoint service-desc by /.well-known/agents.json";
    assert_eq!(trail(&discovery), [expected]);
}

#[test]
fn urls_of_a_page_are_relative_to_its_base_and_to_where_it_moved() {
    for (head, expected) in [
        ("<link rel=llms href=l>", "/en/l"),
        ("<base href=/b/><link rel=llms href=l><base href=/c/>", "/b/l"),
        ("<base href='//b.example/'><link rel=llms href=l>", "https://b.example/l"),
        ("<base href='b/'><link rel=llms href='  /l  '>", "/l"),
        ("<base href='ht tp:'><link rel=llms href=l>", "/en/l"),
    ] {
        let list = [("/", Reply::to(302, "/en/")), ("/en/", Reply::body(head))];
        let (discovery, _) = follow(Follow::SameSite, &[Resource::Home], pages(&list));
        let lines = trail(&discovery);
        assert!(
            lines.len() == 1 && lines[0].starts_with(&format!("{expected} ")),
            "{head}: {lines:?}"
        );
    }
}

#[test]
fn only_the_site_is_followed_by_default() {
    let targets = [
        ("https://b.example/c", "off-site", true),
        ("https://api.a.example/c", "not-found", false),
        ("http://a.example/c", "downgrade", false),
        ("http://b.example/c", "downgrade", false),
        ("ftp://a.example/c", "invalid-url", false),
        ("https://a.example@b.example/c", "invalid-url", false),
        ("https://127.0.0.1/c", "off-site", false),
        ("https://[::1]/c", "off-site", false),
        ("https://localhost/c", "off-site", false),
        ("https://a.example:0/c", "invalid-url", false),
        ("javascript:alert(1)", "invalid-url", false),
    ];
    for (target, code, is_open) in targets {
        for how in ["header", "robots", "element"] {
            let list = match how {
                "header" => {
                    [("/", Reply::body("").with("Link", &format!("<{target}>; rel=ai-catalog")))]
                }
                "robots" => [(
                    "/robots.txt",
                    Reply::body(&format!("User-agent: *\nAllow: /\nAgentmap: {target}\n")),
                )],
                _ => [("/", Reply::body(&format!("<link rel=ai-catalog href=\"{target}\">")))],
            };
            for choice in [Follow::SameSite, Follow::Any] {
                let (discovery, client) =
                    follow(choice, &[Resource::Home, Resource::RobotsTxt], pages(&list));
                let attempt = discovery
                    .attempts()
                    .find(|attempt| attempt.resource() == Resource::Linked)
                    .unwrap();
                let found = attempt.rejection().unwrap();
                if choice == Follow::Any && is_open {
                    assert_eq!(
                        (found, discovery.is_own(attempt)),
                        (Rejection::NotFound, false),
                        "{target}"
                    );
                } else if choice == Follow::Any && code == "off-site" {
                    assert_eq!(found, Rejection::AddressRefused, "{target}");
                } else {
                    assert_eq!(found.as_str(), code, "{how} {target}");
                }
                let asked = client.asked.iter().any(|url| url.ends_with("/c"));
                assert_eq!(asked, found == Rejection::NotFound, "{how} {target}");
            }
        }
    }
}

#[test]
fn nothing_is_followed_if_the_caller_says_so() {
    let list = [
        ("/", Reply::body("<link rel=llms href=/l>")),
        ("/robots.txt", Reply::body("User-agent: *\nAgentmap: /catalog\n")),
        ("/.well-known/agents.txt", Reply::body(&format!("{TXT}Agents-JSON: /data.json\n"))),
        ("/data.json", Reply::body(JSON)),
    ];
    let options = Options { follow: Follow::Nothing, ..Options::default() };
    let mut discovery = Discovery::new("a.example", &options).unwrap();
    let mut client = Client::new();
    client.run(&mut discovery, |_| 0, pages(&list));
    assert!(!client.asked.contains(&"https://a.example/".to_owned()));
    // The companion is a resource of its own.
    assert_eq!(
        trail(&discovery),
        ["/data.json agents-json companion Agents-JSON by /.well-known/agents.txt"]
    );
}

#[test]
fn catalogs_are_followed_to_a_bounded_depth() {
    let nested = |url: &str| {
        catalog(&[
            ("application/ai-catalog+json", url),
            ("application/a2a-agent-card+json", &format!("{url}.card")),
        ])
    };
    let site = |url: &str| match url.strip_prefix("https://a.example/") {
        Some(".well-known/ard.json") => Reply::body(&nested("/1")),
        Some(path) if path.ends_with(".card") => Reply::body(CARD),
        Some(path) => match path.parse::<u32>() {
            Ok(number) => Reply::body(&nested(&format!("/{}", number + 1))),
            Err(_) => Reply::status(404),
        },
        None => Reply::status(404),
    };
    let (discovery, _) = follow(Follow::SameSite, &[Resource::AiCatalog], site);
    let paths: Vec<_> = discovery
        .attempts()
        .map(|attempt| attempt.key().replace("https://a.example", ""))
        .collect();
    assert_eq!(paths, ["/.well-known/ard.json", "/1", "/1.card", "/2", "/2.card", "/3.card"]);
}

#[test]
fn entries_of_included_catalogs_are_followed() {
    let include = |inner: &str| {
        format!(
            r#"{{"specVersion": "1.0", "entries": [{{"identifier": "x", "displayName": "x", "type": "application/ai-catalog+json", "data": {inner}}}]}}"#
        )
    };
    let leaf = catalog(&[("application/a2a-agent-card+json", "/card")]);
    let mut body = leaf;
    for (level, expected) in [(0, 1), (1, 1), (2, 1), (3, 0), (4, 0)] {
        let list = [("/.well-known/ard.json", Reply::body(&body))];
        let (discovery, _) = follow(Follow::SameSite, &[Resource::AiCatalog], pages(&list));
        let found: Vec<_> =
            discovery.attempts().filter_map(|attempt| discovery.pointer(attempt)?.span).collect();
        assert_eq!(found.len(), expected, "{level}");
        for span in found {
            assert_eq!(&body[span.start as usize..span.end as usize], "/card");
        }
        body = include(&body);
    }
}

#[test]
fn each_url_is_requested_once() {
    let links = "</.well-known/ard.json>; rel=ai-catalog, <HTTPS://A.example:443/.well-known/%61rd.json#x>; rel=ai-catalog, \
        </c>; rel=llms, </c>; rel=agent-card, </agents.txt>; rel=describedby, </>; rel=service-desc, <https://a.example>; rel=service-desc";
    let body = catalog(&[
        ("application/ai-catalog+json", "/.well-known/ard.json"),
        ("application/ai-catalog+json", "https://a.example/b"),
    ]);
    let list = [
        ("/", Reply::body("").with("Link", links)),
        ("/.well-known/ard.json", Reply::body(&body)),
        ("/b", Reply::body(&body)),
        ("/agents.txt", Reply::body(TXT)),
    ];
    for step in 0..5 {
        let mut discovery = Discovery::new("a.example", &Options::default()).unwrap();
        let mut client = Client::new();
        let mut turn = 0;
        client.run(
            &mut discovery,
            |_| {
                turn += step;
                turn
            },
            pages(&list),
        );
        let mut asked = client.asked.clone();
        asked.sort();
        asked.dedup();
        assert_eq!(asked.len(), client.asked.len(), "{:?}", client.asked);
        assert_eq!(asked.len(), 15, "{asked:?}");
        assert_eq!(discovery.documents().count(), 3);
        // A pointer to a well-known location is recorded too.
        let well_known =
            discovery.attempts().find(|attempt| attempt.resource() == Resource::AiCatalog).unwrap();
        assert!(discovery.pointer(well_known).is_some() && discovery.is_own(well_known));
    }
}

#[test]
fn the_number_of_documents_is_bounded() {
    let urls: Vec<_> = (0..5_000).map(|n| format!("/{n}")).collect();
    let entries: Vec<_> =
        urls.iter().map(|url| ("application/a2a-agent-card+json", url.as_str())).collect();
    let foreign: Vec<_> = (0..10_000).map(|n| format!("https://b.example/{n}")).collect();
    let mut first: Vec<_> =
        foreign.iter().take(100).map(|url| ("application/ai-catalog+json", url.as_str())).collect();
    first.extend(entries.iter().take(3));
    let header: String = urls.iter().map(|url| format!("<{url}>; rel=agent-card, ")).collect();
    for (path, reply) in [
        ("/.well-known/ard.json", Reply::body(&catalog(&entries))),
        ("/", Reply::body("").with("Link", &header)),
    ] {
        let list = [(path, reply)];
        let (discovery, client) =
            follow(Follow::SameSite, &[Resource::AiCatalog, Resource::Home], pages(&list));
        // Without a catalog at its place, the older place is requested, too.
        let places = if path == "/" { 3 } else { 2 };
        assert_eq!(client.asked.len(), places + MAX_LINKED);
        assert_eq!(trail(&discovery).len(), MAX_LINKED);
        assert!(discovery.is_trail_cut());
    }
    // Refused ones are recorded as far as there is room, and leave it to others.
    let list = [("/.well-known/ard.json", Reply::body(&catalog(&first)))];
    let (discovery, client) = follow(Follow::SameSite, &[Resource::AiCatalog], pages(&list));
    assert_eq!((client.asked.len(), trail(&discovery).len()), (4, MAX_LINKED));
    assert!(!discovery.is_trail_cut());
}

#[test]
fn other_sites_have_no_say() {
    let elsewhere = catalog(&[
        ("application/a2a-agent-card+json", "https://a.example/users/mallory/card.json"),
        ("application/a2a-agent-card+json", "/card.json"),
        ("application/ai-catalog+json", "https://a.example/own.json"),
    ]);
    let own = catalog(&[
        ("application/ai-catalog+json", "https://b.example/c.json"),
        ("application/ai-catalog+json", "/own.json"),
    ]);
    let list = [
        ("/.well-known/ard.json", Reply::body(&own)),
        ("https://b.example/c.json", Reply::body(&elsewhere)),
        ("https://b.example/card.json", Reply::body(CARD)),
        ("/users/mallory/card.json", Reply::body(CARD)),
        ("/own.json", Reply::body(&catalog(&[]))),
    ];
    for step in 0..4 {
        let mut turn = 0;
        let resources = Resources::NONE.with(Resource::AiCatalog);
        let mut discovery = Discovery::new(
            "a.example",
            &Options { resources, follow: Follow::Any, ..Options::default() },
        )
        .unwrap();
        Client::new().run(
            &mut discovery,
            |_| {
                turn += step;
                turn
            },
            pages(&list),
        );
        let own: Vec<_> = discovery
            .documents()
            .map(|found| found.url().replace("https://a.example", ""))
            .collect();
        assert_eq!(own, ["/.well-known/ard.json", "/own.json"]);
        assert_eq!(
            discovery.attempts().filter(|attempt| attempt.state() == State::Found).count(),
            5
        );
    }
}

#[test]
fn an_agents_md_is_only_trusted_from_the_origin() {
    let md = "# A\n\n## Can\n- order\n\n## Cannot\n- resell\n";
    for (url, is_own) in [
        ("https://docs.a.example/agents.md", false),
        ("https://a.example:8443/agents.md", false),
        ("https://a.example/en/agents.md", true),
        ("https://www.a.example/agents.md", true),
    ] {
        let page = format!("<link rel=agents-md href=\"{url}\">");
        let list = [("/", Reply::body(&page)), (url, Reply::body(md))];
        let (discovery, _) = follow(Follow::Any, &[Resource::Home], pages(&list));
        let linked =
            discovery.attempts().find(|attempt| attempt.resource() == Resource::Linked).unwrap();
        assert_eq!(linked.format(), Format::AgentsMd, "{url}");
        assert_eq!(discovery.is_own(linked), is_own, "{url}");
        let listed = discovery.documents().any(|found| found.url() == url);
        assert_eq!(listed, is_own, "{url}");
    }
}

#[test]
fn a_pointer_of_the_site_makes_a_document_its_own() {
    // The other site points to the document first.
    let own = catalog(&[
        ("application/ai-catalog+json", "https://b.example/c.json"),
        ("application/ai-catalog+json", "/late.json"),
    ]);
    let list = [
        ("/.well-known/ard.json", Reply::body(&own)),
        (
            "https://b.example/c.json",
            Reply::body(&catalog(&[(
                "application/a2a-agent-card+json",
                "https://a.example/card.json",
            )])),
        ),
        ("/late.json", Reply::body(&catalog(&[("application/a2a-agent-card+json", "/card.json")]))),
        ("/card.json", Reply::body(CARD)),
    ];
    let (discovery, _) = follow(Follow::Any, &[Resource::AiCatalog], pages(&list));
    let card = discovery.attempts().find(|attempt| attempt.key().ends_with("/card.json")).unwrap();
    assert!(discovery.is_own(card));
    assert_eq!(discovery.pointer(card).unwrap().source.key(), "https://a.example/late.json");
}

#[test]
fn redirects_of_linked_documents_stay_where_they_began() {
    for (choice, first, target, code) in [
        (Follow::SameSite, "/c", "https://b.example/c", "off-site"),
        (Follow::Any, "/c", "https://b.example/c", "off-site"),
        (Follow::Any, "https://b.example/c", "https://a.example/c", "off-site"),
        (Follow::Any, "https://b.example/c", "https://127.0.0.1/c", "off-site"),
        (Follow::Any, "https://b.example/c", "http://b.example/c", "downgrade"),
        (Follow::SameSite, "/c", "/c", "redirect-loop"),
    ] {
        let list = [
            ("/robots.txt", Reply::body(&format!("User-agent: *\nAllow: /\nAgentmap: {first}\n"))),
            (first, Reply::to(302, target)),
        ];
        let (discovery, _) = follow(choice, &[Resource::RobotsTxt], pages(&list));
        let linked =
            discovery.attempts().find(|attempt| attempt.resource() == Resource::Linked).unwrap();
        assert_eq!(linked.rejection().map(Rejection::as_str), Some(code), "{first} {target}");
    }
}

#[test]
fn robots_rules_apply_to_what_is_followed() {
    let header = "</catalog>; rel=ai-catalog, <https://b.example/c>; rel=ai-catalog";
    for (robots, rejected) in [
        (Reply::status(404), None),
        (Reply::body(ROBOTS), None),
        (Reply::status(503), Some(Rejection::RobotsDisallowed)),
    ] {
        let is_document = robots.status == 200;
        let list = [("/robots.txt", robots), ("/", Reply::body("").with("Link", header))];
        let site = pages(&list);
        let options = Options { follow: Follow::Any, ..Options::default() };
        let mut discovery = Discovery::new("a.example", &options).unwrap();
        // Nothing that heeds robots.txt is handed out before the answer.
        let mut open = Vec::new();
        while let Some(id) = discovery.next_request() {
            assert!(!discovery.request(id).unwrap().heeds_robots);
            open.push(id);
        }
        assert_eq!(open.len(), 6);
        for id in open {
            let url = discovery.request(id).unwrap().url.to_owned();
            let reply = site(&url);
            let response = agentsdisc_core::discovery::Response {
                status: reply.status,
                body: reply.body.as_bytes(),
                now: NOW,
                ..Default::default()
            };
            discovery.respond(id, &response).unwrap();
        }
        let mut heeding = Vec::new();
        while let Some(id) = discovery.next_request() {
            let request = discovery.request(id).unwrap();
            if request.heeds_robots {
                heeding.push(request.url.to_owned());
            }
            let reply = site(request.url);
            let headers: Vec<_> = reply
                .headers
                .iter()
                .map(|(name, value)| agentsdisc_core::discovery::Header::new(name, value))
                .collect();
            let response = agentsdisc_core::discovery::Response {
                status: reply.status,
                headers: &headers,
                body: reply.body.as_bytes(),
                now: NOW,
                ..Default::default()
            };
            discovery.respond(id, &response).unwrap();
        }
        assert!(discovery.is_done());
        assert_eq!(heeding.len(), if is_document { 6 } else { 0 }, "{heeding:?}");
        let home =
            discovery.attempts().find(|attempt| attempt.resource() == Resource::Home).unwrap();
        assert_eq!(home.rejection(), rejected);
    }
}

#[test]
fn documents_with_rules_come_first() {
    let list = [
        ("/.well-known/agent-card.json", Reply::body(CARD)),
        ("/agents.txt", Reply::body(TXT)),
        ("/llms.txt", Reply::body(LLMS)),
    ];
    let (discovery, _) = discover("a.example", pages(&list));
    let formats: Vec<_> = discovery.documents().map(|found| found.format().id()).collect();
    assert_eq!(formats, ["agents-txt", "a2a-agent-card", "llms-txt"]);
    assert_eq!(Pointing::None.as_str(), "none");
}

proptest! {
    #![proptest_config(crate::common::cases(200))]

    /// Pages, headers and catalogs that point anywhere: it ends, each URL is requested once, and other sites have no say.
    #[test]
    fn a_trail_ends(urls in prop::collection::vec("(https?:)?(//(a|b|x\\.a)\\.example)?/[ab]{0,2}(\\?[ab])?(#x)?", 1..30), any in any::<bool>(), step in 0_usize..5) {
        let entries: Vec<_> = urls.iter().map(|url| ("application/ai-catalog+json", url.as_str())).collect();
        let body = catalog(&entries);
        let header: String = urls.iter().map(|url| format!("<{url}>; rel=ai-catalog, ")).collect();
        let site = |url: &str| match url {
            "https://a.example/" => Reply::body("").with("Link", &header),
            "https://a.example/robots.txt" => Reply::status(404),
            url if url.contains(".well-known") || url.contains("txt") => Reply::status(404),
            _ => Reply::body(&body),
        };
        let follow = if any { Follow::Any } else { Follow::SameSite };
        let mut discovery = Discovery::new("a.example", &Options { follow, ..Options::default() }).unwrap();
        let mut client = Client::new();
        let mut turn = 0;
        client.run(&mut discovery, |_| { turn += step; turn }, site);
        prop_assert!(client.asked.len() <= 14 + MAX_LINKED);
        let mut asked = client.asked.clone();
        asked.sort();
        asked.dedup();
        prop_assert_eq!(asked.len(), client.asked.len());
        for url in &client.asked {
            prop_assert!(url.starts_with("https://") && (any || !url.starts_with("https://b.")), "{}", url);
        }
        for found in discovery.documents() {
            prop_assert!(found.url().contains("a.example/"));
        }
    }
}
