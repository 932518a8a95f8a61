//! A discovery without a network, with fixed responses.

use agentsdisc_core::discovery::{Discovery, Header, Response};

use crate::calls::discovery as calls;
use crate::digest::Digest;
use crate::terminal::{Terminal, line};

const NOW: u64 = 1_790_000_000;

const TXT: &str = "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\nAgents-JSON: https://a.example/data.json\n";
const JSON: &str = r#"{"specVersion": "1.0", "site": {"name": "A", "url": "https://a.example"}, "capabilities": []}"#;
const ROBOTS: &str = "User-agent: *\nDisallow: /admin/\n";

/// The response of the site: status, value of the only header, body.
fn answer(url: &str) -> (u16, Option<Header<'static>>, &'static str) {
    match url.strip_prefix("https://a.example/") {
        Some(".well-known/agents.txt") => (302, Some(Header::new("Location", "/moved.txt")), ""),
        Some("moved.txt") => (200, Some(Header::new("Cache-Control", "max-age=600")), TXT),
        Some("data.json") => (200, Some(Header::new("ETag", "\"1\"")), JSON),
        Some("robots.txt") => (200, None, ROBOTS),
        _ => (404, None, ""),
    }
}

pub(crate) fn print(terminal: &mut impl Terminal, discovery: &mut Discovery) {
    let mut digest = Digest::new();
    terminal.begin();
    if calls::begin(discovery, "a.example").is_err() {
        return;
    }
    while let Some(id) = calls::next(discovery) {
        let Some(request) = calls::request(discovery, id) else {
            continue;
        };
        digest.bytes(request.url.as_bytes());
        let (status, header, body) = answer(request.url);
        let response = Response {
            status,
            headers: header.as_slice(),
            body: body.as_bytes(),
            now: NOW,
            ..Response::default()
        };
        if let Ok(answer) = calls::respond(discovery, id, &response) {
            #[cfg(feature = "ids")]
            digest.bytes(calls::resource_id(&answer).as_bytes());
            #[cfg(not(feature = "ids"))]
            digest.number(Some(answer.resource as u32));
            digest.truth(Some(answer.document.is_some()));
            digest.bytes(&answer.freshness.fresh_until.to_le_bytes());
        }
    }
    terminal.end("discover");
    line(terminal, &["discovery: "], Some(digest.sum()));
    for rank in 0.. {
        let Some(attempt) = calls::document(discovery, rank) else {
            break;
        };
        line(terminal, &["  ", attempt.url()], None);
    }
}
