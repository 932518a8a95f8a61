//! Discovery with servers that send arbitrary replies: it ends, and it stays on the site.
use crate::common::site;

use std::collections::HashMap;

use agentsdisc_core::discovery::{Discovery, Failure, Options, Rejection, Resource};
use agentsdisc_core::syntax::url::Url;
use proptest::prelude::*;
use site::{ADP, AWP, Client, HTML, JSON, MD, NOW, ROBOTS, Reply, TXT};

/// The number of attempts times the maximum of requests for each: one and five redirects.
const MOST: usize = 34 * 6;

fn target() -> impl Strategy<Value = String> {
    let host = prop::sample::select(vec![
        "a.example",
        "www.a.example",
        "x.a.example",
        "A.EXAMPLE.",
        "b.example",
        "a.example.evil.test",
        "a.example@evil.test",
        "127.0.0.1",
        "0x7f.1",
        "[::1]",
        "localhost",
        "a.example:8443",
        "example",
        "evil.test\\@a.example",
        "",
    ]);
    let scheme = prop::sample::select(vec![
        "https://",
        "http://",
        "//",
        "ftp://",
        "https:\\\\",
        "",
        "/",
        "?",
        "../",
    ]);
    prop_oneof![
        (scheme, host, "[a-c/.?#@:%\\\\]{0,6}")
            .prop_map(|(scheme, host, path)| format!("{scheme}{host}{path}")),
        ".{0,12}",
        "[/a-d]{1,3}"
    ]
}

fn body() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![TXT, JSON, MD, AWP, ADP, ROBOTS, HTML, "", "{", "null"])
        .prop_map(str::to_owned);
    prop_oneof![4 => known, 2 => target().prop_map(|url| format!("{TXT}Agents-JSON: {url}\n")), 1 => ".{0,40}"]
}

fn reply() -> impl Strategy<Value = Reply> {
    let status =
        prop_oneof![Just(200_u16), Just(302), Just(308), Just(304), Just(404), any::<u16>()];
    let value = prop_oneof![
        Just("max-age=99999999999999".to_owned()),
        Just("no-store".to_owned()),
        "[ -~]{0,30}",
        ".{0,20}"
    ];
    let name = prop::sample::select(vec![
        "Cache-Control",
        "Expires",
        "Age",
        "Retry-After",
        "ETag",
        "Last-Modified",
        "Date",
        "Content-Type",
        "X",
    ]);
    let headers = prop::collection::vec((name, value), 0..4);
    let failure = prop::option::weighted(
        0.1,
        prop::sample::select(vec![
            Failure::Timeout,
            Failure::TooLarge,
            Failure::Refused,
            Failure::Unreachable,
            Failure::NotConnected,
        ]),
    );
    (
        status,
        prop::option::of(target()),
        headers,
        body(),
        prop::option::weighted(0.05, target()),
        failure,
    )
        .prop_map(|(status, location, headers, body, final_url, failure)| {
            let mut reply = Reply { status, body, final_url, failure, headers: Vec::new() };
            for (name, value) in headers {
                reply = reply.with(name, &value);
            }
            location.iter().fold(reply, |reply, location| reply.with("Location", location))
        })
}

fn is_on_site(url: &str) -> bool {
    let url = Url::parse(url.as_bytes()).unwrap();
    let host = url.host().to_ascii_lowercase();
    let host = host.strip_suffix('.').unwrap_or(&host).to_owned();
    url.scheme().eq_ignore_ascii_case("https")
        && url.userinfo().is_none()
        && (host == "a.example" || host.ends_with(".a.example"))
}

proptest! {
    #![proptest_config(crate::common::cases(400))]

    #[test]
    fn discovery_ends_and_stays_on_the_site(replies in prop::collection::vec(reply(), 1..24), picks in prop::collection::vec(any::<usize>(), 1..8)) {
        let mut client = Client::new();
        // The same store for several runs: entries from such a site must not lead away either.
        for round in 0..3_u64 {
            client.now = NOW + round * 3000;
            let mut discovery = Discovery::new("https://a.example", &Options::default()).unwrap();
            let mut urls = HashMap::new();
            let before = client.asked.len();
            let mut turn = 0_usize;
            let pick = |_| { turn = turn.wrapping_add(1); picks[turn % picks.len()] };
            // A reply depends only on the URL, so redirect loops occur.
            let site = |url: &str| replies[url.bytes().fold(7_usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into())) % replies.len()].clone();
            client.run(&mut discovery, pick, site);
            prop_assert!(client.asked.len() - before <= MOST);
            for attempt in discovery.attempts() {
                *urls.entry(attempt.key().to_owned()).or_insert(0) += 1;
                let robots = attempt.resource() == Resource::RobotsTxt;
                prop_assert!(attempt.rejection().is_some() || robots || is_on_site(attempt.url()), "{attempt:?}");
                let freshness = attempt.freshness();
                prop_assert!(freshness.ask_again_at <= client.now + 31 * 86_400);
                prop_assert!(freshness.fresh_until <= freshness.ask_again_at);
                let may_be_unasked = matches!(attempt.rejection(), Some(Rejection::AddressRefused | Rejection::Unreachable));
                let is_asked = !may_be_unasked || attempt.redirects() > 0;
                if attempt.resource() == Resource::AgentsMd && freshness.received_at > 0 && is_asked {
                    prop_assert!(freshness.ask_again_at >= freshness.received_at + 3600);
                }
            }
            prop_assert!(urls.values().all(|count| *count == 1), "an attempt twice: {urls:?}");
        }
        // Except for robots.txt, no URL off the site is requested.
        let mut client = Client::new();
        let resources = Options::default().resources.without(Resource::RobotsTxt);
        let mut discovery = Discovery::new("https://a.example", &Options { resources, ..Options::default() }).unwrap();
        client.run(&mut discovery, |_| 0, |url| replies[url.len() % replies.len()].clone());
        for url in &client.asked {
            prop_assert!(is_on_site(url), "{url}");
        }
    }

    #[test]
    fn any_text_is_accepted_or_rejected_as_a_site(text in ".{0,40}") {
        if let Ok(mut discovery) = Discovery::new(&text, &Options::default()) {
            let origin = discovery.origin().as_str().to_owned();
            let id = discovery.next_request().unwrap();
            prop_assert!(discovery.request(id).unwrap().url.starts_with(&origin));
            prop_assert!(Url::parse(origin.as_bytes()).is_some());
        }
    }
}
