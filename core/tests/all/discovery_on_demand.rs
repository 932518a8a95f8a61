//! Discovery: requests on demand, for the details of a manifest and the declaration of an operator
//! (docs/formats/locations.md).
use crate::common::site;

use agentsdisc_core::discovery::{
    AskError, Declared, Discovery, Options, Origin, Rejection, Resources, Response, State,
};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Format};
use site::{ADP, DETAIL, NOW, Reply, TXT, attempts, discover, pages};

#[test]
fn details_are_requested_at_the_urls_of_the_manifest() {
    let list = [
        ("/.well-known/agent", Reply::body(ADP)),
        ("/api/a.json", Reply::body(DETAIL)),
        ("/api/bare.json", Reply::body("{}")),
    ];
    let (mut discovery, mut client) = discover("a.example", pages(&list));
    let manifest = Document::parse(ADP.as_bytes()).unwrap();
    let manifest = manifest.adp().unwrap();
    discovery.ask_detail(&manifest, Text::plain(b"/a.json"), false).unwrap();
    assert!(!discovery.is_done());
    discovery
        .ask_detail(&manifest, Text::json(br"https:\/\/a.example\/api\/bare.json"), false)
        .unwrap();
    discovery.ask_detail(&manifest, Text::plain(b"/none.json"), false).unwrap();
    client.run(&mut discovery, |_| 0, pages(&list));
    let details: Vec<_> =
        attempts(&discovery).into_iter().filter(|line| line.starts_with("/api/")).collect();
    // Details may lack members.
    assert_eq!(details, ["/api/a.json found", "/api/bare.json found", "/api/none.json not-found"]);
    // A detail is not a document about the site.
    assert_eq!(discovery.documents().count(), 1);

    let rejected = |rejection| Err(AskError::Rejected(rejection));
    for (url, expected) in [
        ("https://b.example/a.json", rejected(Rejection::OffSite)),
        ("//b.example/a.json", rejected(Rejection::OffSite)),
        ("http://a.example/a.json", rejected(Rejection::Downgrade)),
        ("https://a.example@b.example/", rejected(Rejection::InvalidUrl)),
        ("https://{shop}.a.example/", rejected(Rejection::InvalidUrl)),
    ] {
        assert_eq!(
            discovery.ask_detail(&manifest, Text::plain(url.as_bytes()), false),
            expected,
            "{url}"
        );
    }
    // An approved URL may be on another site, but must not redirect to a third one.
    discovery.ask_detail(&manifest, Text::plain(b"https://b.example/a.json"), true).unwrap();
    let away = [("https://b.example/a.json", Reply::to(302, "https://c.test/"))];
    client.run(&mut discovery, |_| 0, pages(&away));
    assert!(attempts(&discovery).contains(&"https://b.example/a.json off-site".to_owned()));
}

#[test]
fn finished_details_free_their_slots() {
    let mut discovery =
        Discovery::new("a.example", &Options { resources: Resources::NONE, ..Options::default() })
            .unwrap();
    let manifest = Document::parse(ADP.as_bytes()).unwrap();
    let manifest = manifest.adp().unwrap();
    let ask = |discovery: &mut Discovery, number: usize| {
        discovery.ask_detail(&manifest, Text::plain(format!("/{number}.json").as_bytes()), false)
    };
    for number in 0..4 {
        ask(&mut discovery, number).unwrap();
    }
    assert_eq!(ask(&mut discovery, 4), Err(AskError::Busy));
    for number in 4..200 {
        let id = discovery.next_request().unwrap();
        let answer = discovery
            .respond(
                id,
                &Response { status: 200, body: DETAIL.as_bytes(), now: NOW, ..Response::default() },
            )
            .unwrap();
        assert_eq!(
            (answer.state, answer.document.unwrap().format()),
            (State::Found, Format::AdpCapability)
        );
        ask(&mut discovery, number).unwrap();
    }
    assert_eq!(discovery.attempts().count(), 4);
}

#[test]
fn an_operators_declaration_is_requested_on_demand_and_compared() {
    let declaration = |sites: &str| {
        format!(
            "Spec-Version: 1.0\nDeclaration-Type: agent\nSite-Name: Bot\nSite-URL: https://bot.test\n{sites}"
        )
    };
    let platform = Origin::parse("https://a.example").unwrap();
    for (text, expected) in [
        (
            declaration("Operates-On: https://b.example\nOperates-On: https://a.example/shop\n"),
            Declared::Named,
        ),
        (declaration("Operates-On: https://www.A.example:443\n"), Declared::Named),
        (declaration("Operates-On: http://a.example\n"), Declared::Named),
        (declaration("Operates-On: a.example\n"), Declared::Named),
        (declaration("Operates-On: https://a.example.evil.test\n"), Declared::NotNamed),
        (declaration("Operates-On: https://a.example@evil.test\n"), Declared::NotNamed),
        (declaration("Operates-On: https://a.example:8443\n"), Declared::NotNamed),
        (declaration("Operates-On: https://shop.a.example\n"), Declared::NotNamed),
        (declaration(""), Declared::NotNamed),
        (TXT.to_owned(), Declared::NotAnAgent),
    ] {
        let document = Document::parse(text.as_bytes()).unwrap();
        assert_eq!(Declared::of(&document.manifest(), &platform), expected, "{text}");
    }

    let site =
        format!("{TXT}Agent: Bot\n  Agent-Declaration: https://bot.test/.well-known/agents.txt\n");
    let (mut discovery, mut client) =
        discover("a.example", pages(&[("/.well-known/agents.txt", Reply::body(&site))]));
    assert!(client.asked.iter().all(|url| url.starts_with("https://a.example/")));
    let document = Document::parse(site.as_bytes()).unwrap();
    let url = document.manifest().agents().next().unwrap().declaration.unwrap();
    discovery.ask_declaration(url).unwrap();
    let list = [(
        "https://bot.test/.well-known/agents.txt",
        Reply::body(&declaration("Operates-On: https://a.example\n")),
    )];
    client.run(&mut discovery, |_| 0, pages(&list));
    assert!(
        attempts(&discovery).contains(&"https://bot.test/.well-known/agents.txt found".to_owned())
    );
    assert_eq!(
        discovery.ask_declaration(Text::plain(b"ftp://bot.test/")),
        Err(AskError::Rejected(Rejection::InvalidUrl))
    );
    assert_eq!(
        discovery.ask_declaration(Text::plain(b"http://bot.test/")),
        Err(AskError::Rejected(Rejection::Downgrade))
    );
}
