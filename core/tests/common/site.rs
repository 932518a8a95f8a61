//! A test site, which is a function from URLs to replies, and a client that runs a discovery
//! against it.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;

use agentsdisc_core::discovery::{
    Discovery, Failure, Freshness, Header, Options, Rejection, Resource, Response, State, Stored,
    USER_AGENT,
};

/// The time of all requests.
pub const NOW: u64 = 1_790_000_000;

pub const TXT: &str = "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n";
pub const TXT_01: &str = "Site: A\nURL: https://a.example\nAllow: search\nSession-TTL: 60s\n";
pub const JSON: &str = r#"{"specVersion": "1.0", "site": {"name": "A", "url": "https://a.example"}, "capabilities": []}"#;
pub const JSON_01: &str = r#"{"schema_version": "0.1", "site": {"name": "A"}, "capabilities": [{"name": "a", "endpoint": "/a", "method": "GET"}]}"#;
pub const MD: &str = "---\nversion: 1.0\n---\n# A\n\n## Can\n\n- Read\n\n## Cannot\n\n- Write\n";
pub const AWP: &str =
    r#"{"awp_version": "0.2", "domain": "a.example", "intent": "x", "actions": []}"#;
pub const SYNTHETIC: &str = r#"{"awp_version": "0.2", "domain": "a.example", "intent": "x", "actions": [], "source": "synthetic"}"#;
pub const ADP: &str = r#"{"spec_version": "1.0", "name": "A", "base_url": "https://a.example/api", "auth": {"type": "none"},
    "capabilities": [{"name": "get_a", "detail_url": "/a.json"}]}"#;
pub const DETAIL: &str =
    r#"{"name": "get_a", "endpoint": "/a", "method": "GET", "parameters": []}"#;
pub const ROBOTS: &str = "User-agent: *\nDisallow: /x\n";
pub const HTML: &str = "<!doctype html><title>Not here</title>";
pub const CARD: &str = r#"{"v": "aid1", "u": "https://a.example/mcp"}"#;

/// A reply of the site.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
    pub final_url: Option<String>,
    pub failure: Option<Failure>,
}

impl Reply {
    pub fn status(status: u16) -> Self {
        Self { status, ..Self::default() }
    }

    pub fn body(body: &str) -> Self {
        Self { status: 200, body: body.into(), ..Self::default() }
    }

    pub fn to(status: u16, location: &str) -> Self {
        Self::status(status).with("Location", location)
    }

    pub fn failure(failure: Failure) -> Self {
        Self { failure: Some(failure), ..Self::default() }
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }
}

/// An entry of the client's store.
#[derive(Clone, Debug)]
pub struct Kept {
    pub url: String,
    pub rejection: Option<Rejection>,
    pub body: Option<String>,
    pub freshness: Freshness,
    pub etag: Vec<u8>,
    pub last_modified: Vec<u8>,
    pub link: Vec<u8>,
}

impl Kept {
    pub fn stored(&self) -> Stored<'_> {
        Stored {
            url: &self.url,
            rejection: self.rejection,
            body: self.body.as_deref().map(str::as_bytes),
            freshness: self.freshness,
            etag: &self.etag,
            last_modified: &self.last_modified,
            link: &self.link,
        }
    }
}

/// A client with a store and a log of its requests.
#[derive(Debug, Default)]
pub struct Client {
    pub store: BTreeMap<String, Kept>,
    pub asked: Vec<String>,
    pub headers: Vec<Vec<(String, String)>>,
    pub now: u64,
}

impl Client {
    pub fn new() -> Self {
        Self { now: NOW, ..Self::default() }
    }

    /// Runs the discovery to its end. `pick` selects the next of the open requests.
    pub fn run(
        &mut self,
        discovery: &mut Discovery,
        mut pick: impl FnMut(usize) -> usize,
        site: impl Fn(&str) -> Reply,
    ) {
        let mut open = Vec::new();
        loop {
            while let Some(id) = discovery.next_request() {
                open.push(id);
            }
            if open.is_empty() {
                break;
            }
            let id = open.remove(pick(open.len()) % open.len());
            let request = discovery.request(id).unwrap();
            let (key, url) = (request.key.to_owned(), request.url.to_owned());
            let kept = self.store.get(&key).cloned();
            let stored = kept.as_ref().map(Kept::stored);
            let headers = request.headers(USER_AGENT, stored.as_ref());
            let headers = headers
                .map(|h| {
                    (
                        String::from_utf8_lossy(h.name).into(),
                        String::from_utf8_lossy(h.value).into(),
                    )
                })
                .collect();
            if let Some(stored) = &stored
                && let Some(_) = discovery.recall(id, stored, self.now).unwrap()
            {
                continue;
            }
            self.asked.push(url.clone());
            self.headers.push(headers);
            let reply = site(&url);
            let headers: Vec<_> =
                reply.headers.iter().map(|(name, value)| Header::new(name, value)).collect();
            let answer = match reply.failure {
                Some(failure) => discovery.fail(id, failure, self.now).unwrap(),
                None => {
                    let response = Response {
                        status: reply.status,
                        headers: &headers,
                        body: reply.body.as_bytes(),
                        final_url: reply.final_url.as_deref(),
                        stored: stored.as_ref(),
                        now: self.now,
                    };
                    discovery.respond(id, &response).unwrap()
                }
            };
            let (rejection, body) = match answer.state {
                State::Waiting => continue,
                State::Rejected(rejection) => (Some(rejection), None),
                _ => {
                    let keeps = answer.freshness.may_store || answer.freshness.is_fresh(self.now);
                    let document =
                        answer.document.map(|d| String::from_utf8_lossy(d.bytes()).into_owned());
                    let is_page = answer.resource == Resource::Home && reply.status != 304;
                    let page = is_page.then(|| reply.body.clone());
                    (None, document.or(page).filter(|_| keeps))
                }
            };
            let url = discovery.attempt(id).unwrap().url().to_owned();
            let links = reply.headers.iter();
            let links = links.filter(|(name, _)| name.eq_ignore_ascii_case("link"));
            let links: Vec<_> = links.map(|(_, value)| value.as_str()).collect();
            let kept = Kept {
                link: links.join(", ").into(),
                url,
                rejection,
                body,
                freshness: answer.freshness,
                etag: answer.etag.into(),
                last_modified: answer.last_modified.into(),
            };
            self.store.insert(key, kept);
        }
        assert!(discovery.is_done());
    }
}

/// Runs a discovery against a site, with requests in order.
pub fn discover(origin: &str, site: impl Fn(&str) -> Reply) -> (Discovery, Client) {
    let mut discovery = Discovery::new(origin, &Options::default()).unwrap();
    let mut client = Client::new();
    client.run(&mut discovery, |_| 0, site);
    (discovery, client)
}

/// A site at `https://a.example` that has these documents and nothing else.
pub fn pages<'p>(pages: &'p [(&'p str, Reply)]) -> impl Fn(&str) -> Reply + 'p {
    move |url| {
        let found = pages
            .iter()
            .find(|(path, _)| url == *path || url.strip_prefix("https://a.example") == Some(*path));
        found.map_or(Reply::status(404), |(_, reply)| reply.clone())
    }
}

/// Returns each attempt as `path code`, ordered by path.
pub fn attempts(discovery: &Discovery) -> Vec<String> {
    let origin = discovery.origin().as_str().to_owned();
    let mut list: Vec<String> = discovery
        .attempts()
        .map(|attempt| {
            let path = attempt.key().strip_prefix(&origin).unwrap_or(attempt.key());
            format!("{path} {}", attempt.rejection().map_or("found", Rejection::as_str))
        })
        .collect();
    list.sort();
    list
}
