//! Discovery: how long responses are fresh, when they are requested again, and with which headers
//! (docs/formats/locations.md).
use crate::common::site;

use agentsdisc_core::discovery::{
    Discovery, Failure, Freshness, Options, Rejection, Resource, Resources, Source, URL_CAPACITY,
};
use site::{ADP, AWP, Client, JSON, MD, NOW, ROBOTS, Reply, TXT};

const DAY: u64 = 86_400;

fn options(resource: Resource) -> Options {
    Options { resources: Resources::NONE.with(resource), ..Options::default() }
}

fn run(client: &mut Client, options: &Options, reply: &Reply) -> (Discovery, Freshness) {
    let mut discovery = Discovery::new("a.example", options).unwrap();
    client.run(&mut discovery, |_| 0, |_| reply.clone());
    let freshness = *discovery.attempts().next().unwrap().freshness();
    (discovery, freshness)
}

/// Returns for how many seconds a response is fresh, and for how many it must not be requested
/// again.
fn keeps(resource: Resource, reply: &Reply) -> (u64, u64) {
    let (_, freshness) = run(&mut Client::new(), &options(resource), reply);
    assert_eq!(freshness.received_at, NOW);
    (freshness.fresh_until - NOW, freshness.ask_again_at - NOW)
}

#[test]
fn freshness_has_the_documented_defaults() {
    use Resource::{Adp, AgentsJson, AgentsMd, AgentsTxt, Awp, RobotsTxt};
    let month = 30 * DAY;
    for (resource, body, default, minimum, maximum) in [
        (AgentsJson, JSON, 300, 60, month),
        (AgentsTxt, TXT, 300, 60, month),
        (AgentsMd, MD, DAY, 3600, month),
        (Awp, AWP, 3600, 0, month),
        (Adp, ADP, 3600, 0, month),
        (RobotsTxt, ROBOTS, DAY, 0, DAY),
    ] {
        let cached =
            |value: &str| keeps(resource, &Reply::body(body).with("cache-control", value)).0;
        assert_eq!(keeps(resource, &Reply::body(body)), (default, default), "{resource:?}");
        assert_eq!(cached("max-age=7200"), 7200, "{resource:?}");
        for least in [
            "max-age=0",
            "no-cache",
            "no-store",
            "max-age=junk",
            "max-age=99999999999999999999, no-cache",
        ] {
            assert_eq!(cached(least), minimum, "{resource:?} {least}");
        }
        for most in ["max-age=2147483647", "max-age=99999999999999999999999999"] {
            assert_eq!(cached(most), maximum, "{resource:?} {most}");
        }
    }
}

#[test]
fn headers_have_the_documented_precedence() {
    let json = || Reply::body(JSON);
    let date = "Mon, 21 Sep 2026 14:13:20 GMT";
    for (reply, expected) in [
        (json().with("Cache-Control", "max-age=600, s-maxage=900"), 600),
        (json().with("Cache-Control", "s-maxage=900"), 900),
        (json().with("CACHE-CONTROL", "public").with("cache-control", "max-age=600"), 600),
        (json().with("Cache-Control", "max-age=600").with("Age", "100"), 500),
        (json().with("Cache-Control", "max-age=600").with("Age", "100000"), 60),
        (json().with("Cache-Control", "max-age=600").with("Age", "-3"), 600),
        (json().with("Cache-Control", "max-age=600").with("Age", "99999999999999999999"), 60),
        (json().with("Age", "100"), 200),
        (json().with("Cache-Control", "max-age=600").with("Expires", "0"), 600),
        (json().with("Expires", "Mon, 21 Sep 2026 14:23:20 GMT").with("Date", date), 600),
        (json().with("Expires", "Mon, 21 Sep 2026 14:23:20 GMT"), 600),
        (json().with("Expires", "0"), 60),
        (json().with("Expires", "-1"), 60),
        (json().with("Expires", "tomorrow"), 60),
        (json().with("Expires", date), 60),
        (json().with("Expires", "Fri, 31 Dec 9999 23:59:59 GMT"), 30 * DAY),
        (
            json()
                .with("Expires", "Fri, 31 Dec 9999 23:59:59 GMT")
                .with("Date", "Thu, 01 Jan 1970 00:00:00 GMT"),
            30 * DAY,
        ),
        (json().with("Cache-Control", "must-revalidate"), 300),
        (json().with("Cache-Control", "\u{1}\u{fffd}=,,,;max-age"), 60),
        (json().with("Pragma", "no-cache"), 300),
        (json().with("Retry-After", "1000"), 300),
    ] {
        assert_eq!(keeps(Resource::AgentsJson, &reply), (expected, expected), "{reply:?}");
    }
    assert_eq!(date_of_now(), NOW);
    let shared = Options { shared: true, ..options(Resource::AgentsJson) };
    let (_, freshness) = run(
        &mut Client::new(),
        &shared,
        &json().with("Cache-Control", "max-age=600, s-maxage=900"),
    );
    assert_eq!(freshness.fresh_until, NOW + 900);
}

/// The date in the table above, parsed: a response that expires then has a freshness of zero,
/// raised to the minimum.
fn date_of_now() -> u64 {
    let reply = Reply::body(ADP)
        .with("Expires", "Mon, 21 Sep 2026 14:13:20 GMT")
        .with("Date", "Mon, 21 Sep 2026 14:13:19 GMT");
    let (_, freshness) = run(&mut Client::new(), &options(Resource::Adp), &reply);
    assert_eq!(freshness.lifetime, 1);
    let until = Reply::body(ADP).with("Expires", "Mon, 21 Sep 2026 14:13:21 GMT");
    run(&mut Client::new(), &options(Resource::Adp), &until).1.fresh_until - 1
}

#[test]
fn absence_is_cached_too() {
    for (resource, reply, seconds) in [
        (Resource::AgentsJson, Reply::status(404), 300),
        (Resource::AgentsJson, Reply::status(404).with("Cache-Control", "max-age=600"), 600),
        (Resource::AgentsJson, Reply::status(404).with("Cache-Control", "no-store"), 60),
        (Resource::AgentsJson, Reply::status(403), 300),
        (Resource::Awp, Reply::status(500).with("Cache-Control", "max-age=600"), 60),
        (Resource::Adp, Reply::failure(Failure::Timeout), 60),
        (Resource::AgentsMd, Reply::failure(Failure::Timeout), 3600),
        (Resource::AgentsMd, Reply::failure(Failure::Refused), 0),
        (Resource::AgentsMd, Reply::failure(Failure::NotConnected), 60),
        (Resource::Adp, Reply::failure(Failure::NotConnected), 60),
        (Resource::Adp, Reply::status(503).with("Retry-After", "120"), 120),
        (
            Resource::Adp,
            Reply::status(429).with("Retry-After", "Mon, 21 Sep 2026 14:15:20 GMT"),
            120,
        ),
        (Resource::Adp, Reply::status(503).with("Retry-After", "1"), 60),
        (Resource::Adp, Reply::status(503).with("Retry-After", "soon"), 60),
        (Resource::Adp, Reply::status(503).with("Retry-After", "-5"), 60),
        (Resource::Adp, Reply::status(503).with("Retry-After", "99999999999999999999"), 30 * DAY),
        (Resource::RobotsTxt, Reply::status(503).with("Retry-After", "99999999999999999999"), DAY),
        (Resource::Adp, Reply::status(500).with("Retry-After", "120"), 60),
    ] {
        assert_eq!(keeps(resource, &reply).1, seconds, "{reply:?}");
    }
}

#[test]
fn a_redirect_to_an_unrequested_url_counts_as_asked() {
    for (failure, rejection) in [
        (Failure::Refused, Rejection::AddressRefused),
        (Failure::NotConnected, Rejection::Unreachable),
    ] {
        let mut discovery = Discovery::new("a.example", &options(Resource::AgentsMd)).unwrap();
        let site = |url: &str| {
            if url.ends_with("/b") { Reply::failure(failure) } else { Reply::to(302, "/b") }
        };
        Client::new().run(&mut discovery, |_| 0, site);
        let attempt = discovery.attempts().next().unwrap();
        assert_eq!(
            (attempt.rejection(), attempt.freshness().ask_again_at),
            (Some(rejection), NOW + 3600)
        );
    }
}

#[test]
fn times_near_the_maximum_do_not_overflow() {
    for now in [0, 1, u64::MAX - 1, u64::MAX] {
        let mut client = Client { now, ..Client::new() };
        let (_, freshness) =
            run(&mut client, &options(Resource::AgentsMd), &Reply::body(MD).with("Expires", "0"));
        assert_eq!(freshness.fresh_until, now.saturating_add(3600));
    }
}

#[test]
fn fresh_documents_are_not_requested() {
    let (options, reply) =
        (options(Resource::AgentsJson), Reply::body(JSON).with("Cache-Control", "max-age=600"));
    let mut client = Client::new();
    run(&mut client, &options, &reply);
    client.now += 599;
    let (discovery, _) = run(&mut client, &options, &Reply::status(500));
    assert_eq!(client.asked.len(), 1);
    let attempt = discovery.documents().next().unwrap();
    assert_eq!((attempt.source(), attempt.freshness().fresh_until), (Source::Store, NOW + 600));
    client.now += 1;
    let (discovery, _) = run(&mut client, &options, &Reply::status(500));
    assert_eq!(client.asked.len(), 2);
    // A stale response is not used.
    assert_eq!(discovery.documents().count(), 0);
}

#[test]
fn agents_md_is_requested_at_most_once_an_hour() {
    for reply in [
        Reply::body(MD).with("Cache-Control", "max-age=0"),
        Reply::body(MD).with("Cache-Control", "no-store"),
        Reply::status(404),
        Reply::status(500),
        Reply::to(302, "/elsewhere"),
        Reply::failure(Failure::Unreachable),
    ] {
        let mut client = Client::new();
        let site = |discovery: &mut Discovery, client: &mut Client| {
            client.run(
                discovery,
                |_| 0,
                |url| {
                    if url.ends_with("elsewhere") {
                        Reply::body(MD).with("Cache-Control", "no-cache")
                    } else {
                        reply.clone()
                    }
                },
            );
        };
        let options = options(Resource::AgentsMd);
        site(&mut Discovery::new("a.example", &options).unwrap(), &mut client);
        let asked = client.asked.clone();
        client.now = NOW + 3599;
        let mut again = Discovery::new("a.example", &options).unwrap();
        site(&mut again, &mut client);
        assert_eq!(client.asked, asked, "{reply:?}");
        if reply.body == MD {
            let found = again.documents().next().unwrap();
            assert_eq!(found.source(), Source::Store, "{reply:?}");
        }
        client.now = NOW + 3600;
        site(&mut Discovery::new("a.example", &options).unwrap(), &mut client);
        assert!(client.asked.len() > asked.len(), "{reply:?}");
    }
}

#[test]
fn a_document_that_must_not_be_stored_is_used_from_memory_until_its_minimum_has_passed() {
    for (resource, body, minimum) in
        [(Resource::AgentsJson, JSON, 60), (Resource::AgentsMd, MD, 3600)]
    {
        let (options, reply) = (
            options(resource),
            Reply::body(body).with("Cache-Control", "no-store").with("ETag", "\"1\""),
        );
        let mut client = Client::new();
        let (discovery, freshness) = run(&mut client, &options, &reply);
        assert!(!freshness.may_store && discovery.documents().count() == 1);
        client.now += minimum - 1;
        let (discovery, _) = run(&mut client, &options, &reply);
        let found = discovery.documents().next().unwrap();
        assert_eq!(found.source(), Source::Store);
        assert_eq!(client.asked.len(), 1);
        // A caller without memory asks again, or, where the specification forbids that, learns that it is too early.
        let mut other = Client::new();
        other.now = client.now;
        other.store.clone_from(&client.store);
        other.store.values_mut().next().unwrap().body = None;
        let (discovery, _) = run(&mut other, &options, &reply);
        let attempt = discovery.attempts().next().unwrap();
        if resource == Resource::AgentsMd {
            assert_eq!(attempt.rejection(), Some(Rejection::TooEarly));
            assert_eq!(discovery.ask_again_at(), Some(NOW + minimum));
        } else {
            assert_eq!(attempt.source(), Source::Network);
            assert_eq!(discovery.documents().count(), 1);
        }
        // After that time the body is not even confirmed by the server.
        client.now += 1;
        let (discovery, _) = run(&mut client, &options, &reply);
        assert_eq!(discovery.documents().next().unwrap().source(), Source::Network);
        let sent = client.headers.last().unwrap();
        assert!(!sent.iter().any(|(name, _)| name == "If-None-Match"), "{sent:?}");
    }
}

#[test]
fn validators_are_sent_and_304_keeps_the_document() {
    let options = options(Resource::AgentsJson);
    let mut client = Client::new();
    let first = Reply::body(JSON)
        .with("ETag", "W/\"a b\"")
        .with("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
        .with("Cache-Control", "max-age=100");
    run(&mut client, &options, &first);
    client.now += 100;
    let (discovery, freshness) = run(&mut client, &options, &Reply::status(304));
    let sent: Vec<_> =
        client.headers[1].iter().skip(2).map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(
        sent,
        ["If-None-Match: W/\"a b\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"]
    );
    assert_eq!(discovery.documents().next().unwrap().source(), Source::Revalidated);
    // Without new headers, the stored ones count again.
    assert_eq!(freshness.fresh_until, NOW + 200);
    client.now += 100;
    let (_, freshness) = run(
        &mut client,
        &options,
        &Reply::status(304).with("Cache-Control", "max-age=900").with("ETag", "\"new\""),
    );
    assert_eq!(freshness.fresh_until, NOW + 1100);
    let kept = &client.store["https://a.example/.well-known/agents.json"];
    assert_eq!((kept.etag.as_slice(), kept.body.as_deref()), (b"\"new\"".as_slice(), Some(JSON)));
}

#[test]
fn unsendable_validators_are_not_stored() {
    let long = "x".repeat(513);
    for etag in ["a\r\nCookie: b", "\u{1}", "\u{e9}", &long] {
        let mut client = Client::new();
        run(&mut client, &options(Resource::AgentsJson), &Reply::body(JSON).with("ETag", etag));
        assert_eq!(client.store["https://a.example/.well-known/agents.json"].etag, b"", "{etag:?}");
    }
}

#[test]
fn an_invalid_etag_is_never_sent() {
    let options = options(Resource::AgentsJson);
    for (etag, is_sent) in [
        ("\"1\"", true),
        ("W/\"1\"", true),
        ("\"\"", true),
        ("\"a,b*\"", true),
        ("*", false),
        (" * ", false),
        ("1", false),
        ("W/1", false),
        ("w/\"1\"", false),
        ("\"1", false),
        ("\"", false),
        ("W/\"", false),
        ("\"1\", \"2\"", false),
        ("\"1\"x", false),
        ("'1'", false),
    ] {
        let mut client = Client::new();
        let reply = Reply::body(JSON).with("ETag", etag);
        run(&mut client, &options, &reply);
        let key = "https://a.example/.well-known/agents.json";
        let kept = client.store.get_mut(key).unwrap();
        assert_eq!(!kept.etag.is_empty(), is_sent, "{etag}");
        // Also if a caller has stored it.
        kept.etag = etag.trim().into();
        client.now += 300;
        let (discovery, _) = run(&mut client, &options, &Reply::status(304));
        let sent = client.headers[1].iter().any(|(name, _)| name == "If-None-Match");
        assert_eq!(sent, is_sent, "{etag}");
        // A 304 to a request without a validator is an error.
        let rejection = discovery.attempts().next().unwrap().rejection();
        let expected = (!is_sent).then_some(Rejection::NotModifiedUnasked);
        assert_eq!(rejection, expected, "{etag}");
    }
    let mut client = Client::new();
    let twice = Reply::body(JSON).with("ETag", "\"1\"").with("etag", "\"2\"");
    run(&mut client, &options, &twice);
    assert!(client.store.values().all(|kept| kept.etag.is_empty()));
}

#[test]
fn a_304_that_names_another_representation_is_an_error() {
    let options = options(Resource::AgentsJson);
    for (stored, confirmed, is_error) in [
        ("\"a\"", "\"b\"", true),
        ("\"a\"", "\"a\"", false),
        ("W/\"a\"", "\"b\"", false),
        ("\"a\"", "W/\"b\"", false),
    ] {
        let mut client = Client::new();
        run(&mut client, &options, &Reply::body(JSON).with("ETag", stored));
        client.now += 300;
        let reply = Reply::status(304).with("ETag", confirmed);
        let (discovery, _) = run(&mut client, &options, &reply);
        let rejection = discovery.attempts().next().unwrap().rejection();
        let expected = is_error.then_some(Rejection::NotModifiedUnasked);
        assert_eq!(rejection, expected, "{stored} {confirmed}");
    }
}

#[test]
fn a_response_with_vary_star_is_never_reused() {
    for (resource, body, pause, vary) in [
        (Resource::AgentsJson, JSON, 60, "*"),
        (Resource::AgentsJson, JSON, 60, "Accept, *"),
        (Resource::AgentsMd, MD, 3600, " * ,User-Agent"),
    ] {
        let (options, must_wait) = (options(resource), resource == Resource::AgentsMd);
        let mut client = Client::new();
        let reply = Reply::body(body)
            .with("Cache-Control", "max-age=6000")
            .with("ETag", "\"1\"")
            .with("Vary", vary);
        let (discovery, freshness) = run(&mut client, &options, &reply);
        assert_eq!(discovery.documents().count(), 1);
        assert!(!freshness.may_store && !freshness.is_fresh(NOW));
        assert_eq!(freshness.ask_again_at, NOW + pause);
        // Also if a caller has stored the body.
        let kept = client.store.values_mut().next().unwrap();
        kept.body = Some(body.into());
        let (discovery, _) = run(&mut client, &options, &reply);
        let attempt = discovery.attempts().next().unwrap();
        let expected = must_wait.then_some(Rejection::TooEarly);
        assert_eq!(attempt.rejection(), expected, "{vary}");
        client.now += pause;
        let asked = client.asked.len();
        let (discovery, _) = run(&mut client, &options, &reply);
        assert_eq!(client.asked.len(), asked + 1, "{vary}");
        let found = discovery.documents().next().unwrap();
        assert_eq!(found.source(), Source::Network);
    }
    let reply = Reply::body(JSON).with("Vary", "Accept-Encoding, X-*");
    let (_, freshness) = run(&mut Client::new(), &options(Resource::AgentsJson), &reply);
    assert!(freshness.may_store && freshness.is_fresh(NOW));
}

#[test]
fn validators_are_sent_only_to_the_url_of_the_document() {
    let options = options(Resource::AgentsJson);
    let mut client = Client::new();
    let site = |url: &str| {
        if url.ends_with("/b") {
            Reply::body(JSON).with("ETag", "\"b\"")
        } else {
            Reply::to(302, "/b")
        }
    };
    client.run(&mut Discovery::new("a.example", &options).unwrap(), |_| 0, site);
    client.now += 300;
    client.run(&mut Discovery::new("a.example", &options).unwrap(), |_| 0, site);
    let counts: Vec<_> = client
        .asked
        .iter()
        .zip(&client.headers)
        .map(|(url, headers)| (url.ends_with("/b"), headers.len()))
        .collect();
    assert_eq!(counts, [(false, 2), (true, 2), (false, 2), (true, 3)]);
}

#[test]
fn a_corrupt_store_is_harmless() {
    let options = options(Resource::AgentsJson);
    let mut client = Client::new();
    run(&mut client, &options, &Reply::body(JSON));
    let kept = client.store["https://a.example/.well-known/agents.json"].clone();
    let with = |change: fn(&mut site::Kept)| {
        let mut kept = kept.clone();
        change(&mut kept);
        let mut client = Client::new();
        client.store.insert("https://a.example/.well-known/agents.json".into(), kept);
        let (discovery, _) = run(&mut client, &options, &Reply::status(304));
        (client.asked.len(), discovery.documents().count())
    };
    assert_eq!(with(|_| {}), (0, 1));
    // An entry of another site, with an invalid body, or from a clock that was set back is
    // requested again, and a 304 is an error.
    assert_eq!(with(|kept| kept.url = "https://b.example/".into()), (1, 0));
    assert_eq!(with(|kept| kept.body = Some("{".into())), (1, 0));
    assert_eq!(
        with(|kept| {
            (kept.freshness.received_at, kept.freshness.fresh_until) = (NOW + 9, u64::MAX);
            kept.etag = b"\"1\"".into();
        }),
        (1, 1)
    );
}

/// A stored answer is ignored if its URL is too long.
#[test]
fn answers_from_long_urls_are_requested_again() {
    let options = options(Resource::AgentsJson);
    for (length, asked) in [(URL_CAPACITY, 1), (URL_CAPACITY + 1, 2)] {
        let mut client = Client::new();
        run(&mut client, &options, &Reply::body(JSON));
        let kept = client.store.values_mut().next().unwrap();
        kept.url = format!("https://a.example/{}", "x".repeat(length - 18));
        run(&mut client, &options, &Reply::body(JSON));
        assert_eq!(client.asked.len(), asked, "{length}");
    }
}
