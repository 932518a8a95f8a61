//! Discovery with servers that send arbitrary replies: it ends, stays on the site, and keeps
//! replies within the bounds of their kinds.

use agentsdisc_core::discovery::{Discovery, Failure, Options, Resource, Response, State, Stored};
use agentsdisc_core::syntax::url::Url;

use crate::replies::replies;

const NOW: u64 = 1_790_000_000;
/// The number of attempts times the maximum of requests for each: one and five redirects.
const MOST: usize = 40 * 6;

fn is_on_site(url: &str) -> bool {
    let url = Url::parse(url.as_bytes()).expect("what is asked is a URL");
    let host = url.host().to_ascii_lowercase();
    let host = host.strip_suffix('.').unwrap_or(&host);
    url.scheme().eq_ignore_ascii_case("https")
        && url.userinfo().is_none()
        && (host == "a.example" || host.ends_with(".a.example"))
}

/// Reads one input.
pub fn run(bytes: &[u8]) {
    let replies = replies(bytes);
    let mut discovery = Discovery::new("https://a.example", &Options::default()).expect("a site");
    let mut asked = 0;
    while let Some(id) = discovery.next_request() {
        asked += 1;
        assert!(asked <= MOST);
        let request = discovery.request(id).expect("it was handed out");
        assert!(
            request.url.is_ascii()
                && (request.resource == Resource::RobotsTxt || is_on_site(request.url)),
            "{}",
            request.url
        );
        let reply = &replies[asked % replies.len()];
        let before = &replies[(asked / 2) % replies.len()];
        let url = request.url.to_owned();
        let (etag, last_modified) =
            (before.body, before.headers.first().map_or(&b""[..], |header| header.value));
        let stored = Stored {
            url: &url,
            rejection: None,
            body: Some(before.body),
            freshness: Default::default(),
            etag,
            last_modified,
            link: last_modified,
        };
        for header in request.headers("Fuzz/1", Some(&stored)) {
            assert!(header.value.iter().all(|byte| matches!(byte, b' '..=b'~')));
        }
        let answer = match reply.status {
            None => discovery.fail(id, Failure::Timeout, NOW).expect("it is open"),
            Some(status) => {
                let response = Response {
                    status,
                    headers: &reply.headers,
                    body: reply.body,
                    stored: Some(&stored),
                    now: NOW,
                    ..Response::default()
                };
                discovery.respond(id, &response).expect("it is open")
            }
        };
        let is_page = answer.resource == Resource::Home;
        assert_eq!(answer.state == State::Found && !is_page, answer.document.is_some());
        if answer.state != State::Waiting {
            let keeping = answer.resource.keeping();
            let freshness = answer.freshness;
            assert!(freshness.fresh_until <= freshness.ask_again_at);
            assert!(freshness.fresh_until >= NOW + u64::from(keeping.minimum));
            assert!(freshness.ask_again_at <= NOW + u64::from(keeping.maximum));
        }
    }
    assert!(discovery.is_done());
    assert!(discovery.documents().all(|attempt| is_on_site(attempt.url())));
}
