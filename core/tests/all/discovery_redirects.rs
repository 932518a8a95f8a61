//! Discovery: the permitted targets of redirects (docs/formats/locations.md).
use crate::common::site;

use agentsdisc_core::discovery::{
    Attempt, Discovery, MAX_REDIRECTS, Moved, Options, Origin, Rejection, Resource, Resources,
    URL_CAPACITY,
};
use site::{Client, JSON, Reply, discover};

/// Requests only the agents.json of `origin`.
fn ask(origin: &str, site: impl Fn(&str) -> Reply) -> (Attempt, Client) {
    let options =
        Options { resources: Resources::NONE.with(Resource::AgentsJson), ..Options::default() };
    let mut discovery = Discovery::new(origin, &options).unwrap();
    let mut client = Client::new();
    client.run(&mut discovery, |_| 0, site);
    (discovery.attempts().next().unwrap().clone(), client)
}

/// Returns the attempt at a location that redirects to `target`; every other URL has a document.
fn led(origin: &str, target: &str) -> (Attempt, Client) {
    let first = format!("{}/.well-known/agents.json", Origin::parse(origin).unwrap());
    ask(origin, |url| if url == first { Reply::to(302, target) } else { Reply::body(JSON) })
}

#[test]
fn redirects_on_the_site_are_followed() {
    for (origin, target, url, moved) in [
        ("https://a.example", "/b?c#d", "https://a.example/b?c", Moved::SameOrigin),
        ("https://a.example", "b", "https://a.example/.well-known/b", Moved::SameOrigin),
        (
            "https://a.example",
            "HTTPS://A.EXAMPLE.:443/b",
            "HTTPS://A.EXAMPLE.:443/b",
            Moved::SameOrigin,
        ),
        ("http://a.example", "https://a.example/b", "https://a.example/b", Moved::Canonical),
        ("http://www.a.example", "https://a.example/b", "https://a.example/b", Moved::Canonical),
        ("https://a.example", "//www.a.example/b", "https://www.a.example/b", Moved::Canonical),
        ("https://www.a.example", "https://a.example/b", "https://a.example/b", Moved::Canonical),
        (
            "https://a.example",
            "https://cdn.a.example/b",
            "https://cdn.a.example/b",
            Moved::SameSite,
        ),
        (
            "https://a.example",
            "https://a.example:8443/b",
            "https://a.example:8443/b",
            Moved::SameSite,
        ),
        (
            "http://127.0.0.1:81",
            "http://127.0.0.1:81/b",
            "http://127.0.0.1:81/b",
            Moved::SameOrigin,
        ),
    ] {
        let (attempt, client) = led(origin, target);
        assert_eq!(
            (attempt.rejection(), attempt.url(), attempt.moved(), attempt.redirects()),
            (None, url, moved, 1),
            "{origin} {target}"
        );
        assert_eq!(client.asked.len(), 2);
        assert_eq!(client.asked[1], url);
    }
}

#[test]
fn other_redirects_end_the_attempt() {
    let long = format!("/{}", "x".repeat(URL_CAPACITY));
    for (origin, target, rejection) in [
        ("https://a.example", "", Rejection::InvalidUrl),
        ("https://a.example", "https://b.example/", Rejection::OffSite),
        ("https://a.example", "//b.example/", Rejection::OffSite),
        ("https://a.example", "https://a.example:0/b", Rejection::InvalidUrl),
        ("https://a.example", "//a.example:00000/b", Rejection::InvalidUrl),
        ("http://127.0.0.1", "http://127.0.0.1:0/b", Rejection::InvalidUrl),
        ("https://a.example", "https://a.example.evil.test/", Rejection::OffSite),
        ("https://a.example", "https://evila.example/", Rejection::OffSite),
        ("https://a.example", "https://example/", Rejection::OffSite),
        ("https://a.example", "https://a.example@evil.test/", Rejection::InvalidUrl),
        ("https://a.example", "https://user:pw@a.example/", Rejection::InvalidUrl),
        ("https://a.example", "https://a.example:443@evil.test/", Rejection::InvalidUrl),
        ("https://a.example", "https:\\/\\/evil.test/", Rejection::InvalidUrl),
        ("https://a.example", "/\\evil.test/", Rejection::InvalidUrl),
        ("https://a.example", "\\\\evil.test/", Rejection::InvalidUrl),
        ("https://a.example", "https://evil.test\\@a.example/", Rejection::InvalidUrl),
        ("https://a.example", "https://a.example%2eevil.test/", Rejection::InvalidUrl),
        ("https://a.example", "https://\u{430}.example/", Rejection::InvalidUrl),
        ("https://a.example", "https://a.example/\u{e9}", Rejection::InvalidUrl),
        ("https://a.example", "https://a.example/ b", Rejection::InvalidUrl),
        ("https://a.example", "https://a.example/\rb", Rejection::InvalidUrl),
        ("https://a.example", "https://a.example:99999/", Rejection::InvalidUrl),
        ("https://a.example", "http://a.example/", Rejection::Downgrade),
        ("https://a.example", "http://b.example/", Rejection::Downgrade),
        ("https://a.example", "ftp://a.example/", Rejection::InvalidUrl),
        ("https://a.example", "file:///etc/passwd", Rejection::InvalidUrl),
        ("https://a.example", "javascript:alert(1)", Rejection::InvalidUrl),
        ("https://a.example", "data:application/json,{}", Rejection::InvalidUrl),
        ("https://a.example", "https://127.0.0.1/", Rejection::OffSite),
        ("https://a.example", "https://0x7f.1/", Rejection::OffSite),
        ("https://a.example", "https://2130706433/", Rejection::OffSite),
        ("https://a.example", "https://[::1]/", Rejection::OffSite),
        ("https://a.example", "https://[::ffff:127.0.0.1]/", Rejection::OffSite),
        ("https://a.example", "https://localhost/", Rejection::OffSite),
        ("http://127.0.0.1:81", "http://127.0.0.1:82/", Rejection::OffSite),
        ("http://127.0.0.1:81", "http://127.1.0.1:81/", Rejection::OffSite),
        ("http://localhost:81", "http://localhost:82/", Rejection::OffSite),
        ("http://localhost", "http://a.localhost/", Rejection::OffSite),
        ("http://[::1]:81", "http://[::1]:82/", Rejection::OffSite),
        ("https://a.example", &long, Rejection::UrlTooLong),
    ] {
        let (attempt, client) = led(origin, target);
        assert_eq!(attempt.rejection(), Some(rejection), "{origin} {target}");
        assert_eq!(client.asked.len(), 1, "{origin} {target}");
        assert_eq!(attempt.url(), attempt.key());
    }
}

#[cfg(feature = "psl")]
#[test]
fn redirects_stay_on_the_registrable_domain() {
    for (origin, target, expected) in [
        ("https://shop.a.co.uk", "https://cdn.a.co.uk/", None),
        ("https://a.co.uk", "https://b.co.uk/", Some(Rejection::OffSite)),
        ("https://www.co.uk", "https://co.uk/", Some(Rejection::OffSite)),
        ("https://a.github.io", "https://b.github.io/", Some(Rejection::OffSite)),
        ("https://github.io", "https://www.github.io/", Some(Rejection::OffSite)),
    ] {
        assert_eq!(led(origin, target).0.rejection(), expected, "{origin} {target}");
    }
}

#[test]
fn redirects_that_the_client_followed_are_judged_alike() {
    for (url, rejection) in [
        ("https://www.a.example/x", None),
        ("https://b.example/x", Some(Rejection::OffSite)),
        ("http://a.example/x", Some(Rejection::Downgrade)),
        ("https://a.example@b.example/x", Some(Rejection::InvalidUrl)),
    ] {
        let (attempt, _) =
            ask("a.example", |_| Reply { final_url: Some(url.into()), ..Reply::body(JSON) });
        assert_eq!(attempt.rejection(), rejection, "{url}");
    }
}

/// The first and the last URL of an attempt have 576 bytes together.
#[test]
fn long_targets_end_the_attempt() {
    let origin = format!("https://{}.{}.example", "a".repeat(60), "b".repeat(60));
    let first = origin.len() + "/.well-known/agents.json".len();
    for (length, rejection) in [
        (576 - first, None),
        (577 - first, Some(Rejection::UrlTooLong)),
        (URL_CAPACITY + 1, Some(Rejection::UrlTooLong)),
    ] {
        let target = format!("{origin}/{}", "x".repeat(length - origin.len() - 1));
        let (attempt, _) = led(&origin, &target);
        assert_eq!(attempt.rejection(), rejection, "{length}");
    }
}

#[test]
fn at_most_five_redirects_are_followed() {
    let chain = |most: usize| {
        move |url: &str| match url.rsplit('/').next().unwrap().parse::<usize>() {
            Ok(hop) if hop >= most => Reply::body(JSON),
            Ok(hop) => Reply::to(308, &format!("/{}", hop + 1)),
            Err(_) => Reply::to(301, "/1"),
        }
    };
    let most = usize::from(MAX_REDIRECTS);
    let (attempt, client) = ask("a.example", chain(most));
    assert_eq!(
        (attempt.rejection(), attempt.redirects(), client.asked.len()),
        (None, most, most + 1)
    );
    let (attempt, client) = ask("a.example", chain(most + 1));
    assert_eq!(
        (attempt.rejection(), client.asked.len()),
        (Some(Rejection::TooManyRedirects), most + 1)
    );
}

#[test]
fn redirect_loops_end_immediately() {
    let (attempt, client) = ask("a.example", |url| Reply::to(302, url));
    assert_eq!((attempt.rejection(), client.asked.len()), (Some(Rejection::RedirectLoop), 1));
    let (attempt, client) = ask("a.example", |url| {
        Reply::to(307, if url.ends_with("/b") { "/.well-known/agents.json" } else { "/b" })
    });
    assert_eq!((attempt.rejection(), client.asked.len()), (Some(Rejection::RedirectLoop), 2));
}

#[test]
fn a_redirect_to_a_page_requests_the_fallback() {
    let (discovery, client) = discover("a.example", |url| match url {
        "https://a.example/.well-known/agents.txt" => Reply::to(302, "/"),
        "https://a.example/" => Reply::body(site::HTML),
        "https://a.example/agents.txt" => Reply::body(site::TXT),
        _ => Reply::status(404),
    });
    assert!(client.asked.contains(&"https://a.example/agents.txt".to_owned()));
    assert_eq!(discovery.documents().count(), 1);
}

#[test]
fn other_statuses_are_not_redirects() {
    for status in [300, 304, 305, 306, 309] {
        let (attempt, client) = ask("a.example", |_| Reply::to(status, "/b"));
        assert!(attempt.rejection().is_some() && client.asked.len() == 1, "{status}");
    }
}
