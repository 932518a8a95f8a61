//! Discovery: the requests to a site, and what the answers mean.
//!
//! The package keeps the state of a discovery ([`kept`]).

use alloc::string::ToString;
use alloc::vec::Vec;

use agentsdisc_core::discovery::{
    Answer, AskError, Attempt, Discovery, Failure, Follow, Freshness, Header, Options, Rejection,
    RequestId, Resource, Resources, Response, RobotsRules, State, Stored, licenses,
};
use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Format, Limits};

use crate::input::Input;
use crate::json::Json;
use crate::kept;

/// Begins: the answer is the origin. False, with a message, for an invalid site.
pub(crate) fn begin(mut input: Input<'_>, json: &mut Json) -> bool {
    let site = input.text().unwrap_or_default();
    let follow = input.text().unwrap_or_default();
    let follow = Follow::ALL.iter().find(|choice| choice.as_str() == follow);
    let limits: Limits = input.limits();
    let mut wanted = Resources::DEFAULT;
    let count = input.number();
    if count != u32::MAX {
        wanted = (0..count).map_while(|_| input.text()).fold(Resources::NONE, |set, name| {
            match Resource::from_id(name) {
                _ if name == "all" => Resources::ALL,
                Some(resource) => set.with(resource),
                None => set,
            }
        });
    }
    let follow = follow.copied().unwrap_or(Follow::Nothing);
    match Discovery::new(site, &Options { resources: wanted, limits, shared: false, follow }) {
        Ok(core) => {
            json.word(core.origin().as_str());
            kept::put(&core, json);
            true
        }
        Err(problem) => {
            json.said(problem);
            false
        }
    }
}

/// A step: its number, the state, and the arguments of the step. The answer is that of the step, or
/// null.
pub(crate) fn step(mut input: Input<'_>, documents: &[Document<'_>], json: &mut Json) {
    let number = input.number();
    let Some(mut core) = kept::read::<Discovery>(&mut input) else {
        return;
    };
    match number {
        0 => next(&mut core, json),
        1 => headers(&core, &mut input, json),
        2 => {
            let (id, now) = (id(&mut input), input.time());
            let given = Kept::read(&mut input);
            let stored = given.as_ref().map(Kept::stored);
            let found = stored.as_ref().and_then(|stored| core.recall(id, stored, now).ok()?);
            json.or_null(found, |json, found| put_answer(&found, json));
        }
        3 => respond(&mut core, &mut input, json),
        4 => {
            let (id, now) = (id(&mut input), input.time());
            let why = failure(input.text().unwrap_or_default());
            let found = core.fail(id, why, now).ok();
            json.or_null(found, |json, found| put_answer(&found, json));
        }
        5 => {
            let attempt = core.attempt(id(&mut input));
            json.or_null(attempt, |json, attempt| put_attempt(&core, attempt, json));
        }
        6 => report(&core, json),
        7 => {
            let url = Text::plain(input.bytes().unwrap_or_default());
            let manifest = documents.first().and_then(Document::adp);
            let problem = match manifest.map(|view| core.ask_detail(&view, url, false)) {
                None => Some(Rejection::InvalidUrl.as_str()),
                Some(Ok(())) => None,
                Some(Err(AskError::Busy)) => Some("busy"),
                Some(Err(AskError::Rejected(rejection))) => Some(rejection.as_str()),
            };
            json.or_null(problem, Json::word);
        }
        _ => json.null(),
    }
    kept::put(core.as_ref(), json);
}

fn id(input: &mut Input<'_>) -> RequestId {
    RequestId(input.number() as u16)
}

fn next(core: &mut Discovery, json: &mut Json) {
    let id = core.next_request();
    let request = id.and_then(|id| core.request(id));
    json.or_null(request.zip(id), |json, (request, id)| {
        json.object(|json| {
            json.name("id").number(id.0);
            json.name("resource").word(request.resource.as_str());
            json.name("url").word(request.url);
            json.name("key").word(request.key);
            json.name("limit").number(request.limit as u64);
            json.name("cuts").truth(request.cuts);
            json.name("heeds_robots").truth(request.heeds_robots);
        });
    });
}

fn headers(core: &Discovery, input: &mut Input<'_>, json: &mut Json) {
    let id = id(input);
    let user_agent = input.text().unwrap_or_default();
    let given = Kept::read(input);
    let stored = given.as_ref().map(Kept::stored);
    json.list(|json| {
        if let Some(request) = core.request(id) {
            for header in request.headers(user_agent, stored.as_ref()) {
                json.list(|json| {
                    json.text(Text::plain(header.name));
                    json.text(Text::plain(header.value));
                });
            }
        }
    });
}

fn respond(core: &mut Discovery, input: &mut Input<'_>, json: &mut Json) {
    let (id, now, status) = (id(input), input.time(), input.number() as u16);
    let count = input.number();
    let mut next = || Some(Header { name: input.bytes()?, value: input.bytes()? });
    let headers: Vec<_> = (0..count).map_while(|_| next()).collect();
    let body = input.bytes().unwrap_or_default();
    let final_url = input.text();
    let given = Kept::read(input);
    let stored = given.as_ref().map(Kept::stored);
    let response =
        Response { status, headers: &headers, body, final_url, stored: stored.as_ref(), now };
    let found = core.respond(id, &response).ok();
    json.or_null(found, |json, found| put_answer(&found, json));
}

fn failure(name: &str) -> Failure {
    match name {
        "timeout" => Failure::Timeout,
        "too-large" => Failure::TooLarge,
        "encoding" => Failure::Encoding,
        "refused" => Failure::Refused,
        "not-connected" => Failure::NotConnected,
        "disallowed" => Failure::Disallowed,
        _ => Failure::Unreachable,
    }
}

/// A stored answer.
struct Kept<'a> {
    url: &'a str,
    rejection: Option<&'a str>,
    body: Option<&'a [u8]>,
    freshness: Freshness,
    etag: &'a [u8],
    last_modified: &'a [u8],
    link: &'a [u8],
}

impl<'a> Kept<'a> {
    /// Reads the URL and the rest; nothing if the URL is absent.
    fn read(input: &mut Input<'a>) -> Option<Self> {
        let url = input.text()?;
        let (rejection, body) = (input.text(), input.bytes());
        let freshness = Freshness {
            received_at: input.time(),
            lifetime: input.number(),
            fresh_until: input.time(),
            ask_again_at: input.time(),
            may_store: input.truth(),
        };
        let mut bytes = || input.bytes().unwrap_or_default();
        let (etag, last_modified, link) = (bytes(), bytes(), bytes());
        Some(Self { url, rejection, body, freshness, etag, last_modified, link })
    }

    fn stored(&self) -> Stored<'_> {
        Stored {
            url: self.url,
            // A newer version may have stored a code that this version does not know. It counts as a
            // failure.
            rejection: self
                .rejection
                .map(|code| Rejection::from_code(code).unwrap_or(Rejection::UnexpectedStatus)),
            body: self.body,
            freshness: self.freshness,
            etag: self.etag,
            last_modified: self.last_modified,
            link: self.link,
        }
    }
}

fn put_answer(found: &Answer<'_>, json: &mut Json) {
    let (state, rejection) = match found.state {
        State::Waiting => ("waiting", None),
        State::Open => ("open", None),
        State::Found => ("found", None),
        State::Rejected(rejection) => ("rejected", Some(rejection.as_str())),
    };
    json.object(|json| {
        json.name("state").word(state);
        json.name("rejection").or_null(rejection, Json::word);
        let format = found.document.map(|document| document.format().id());
        json.name("format").or_null(format, Json::word);
        put_freshness(json.name("freshness"), &found.freshness);
        json.name("etag").text(Text::plain(found.etag));
        json.name("last_modified").text(Text::plain(found.last_modified));
    });
}

fn put_freshness(json: &mut Json, freshness: &Freshness) {
    json.object(|json| {
        json.name("received_at").number(freshness.received_at);
        json.name("lifetime").number(freshness.lifetime);
        json.name("fresh_until").number(freshness.fresh_until);
        json.name("ask_again_at").number(freshness.ask_again_at);
        json.name("may_store").truth(freshness.may_store);
    });
}

fn put_attempt(core: &Discovery, attempt: &Attempt, json: &mut Json) {
    json.object(|json| {
        json.name("resource").word(attempt.resource().as_str());
        json.name("key").word(attempt.key());
        json.name("url").word(attempt.url());
        let rejection = attempt.rejection();
        json.name("rejection").or_null(rejection, |json, each| json.word(each.as_str()));
        json.name("message").or_null(rejection, |json, each| json.word(each.message()));
        let status = Some(attempt.status()).filter(|status| *status > 0);
        json.name("status").or_null(status, Json::number);
        json.name("redirects").number(attempt.redirects() as u64);
        json.name("moved").word(attempt.moved().as_str());
        json.name("source").word(attempt.source().as_str());
        json.name("format").word(attempt.format().id());
        json.name("synthetic").truth(attempt.is_synthetic());
        let error = attempt.error().map(|error| error.to_string());
        json.name("error").or_null(error, |json, error| json.word(&error));
        put_freshness(json.name("freshness"), attempt.freshness());
        json.name("own").truth(core.is_own(attempt));
        json.name("pointer").or_null(core.pointer(attempt), |json, pointer| {
            json.object(|json| {
                json.name("url").word(pointer.source.url());
                json.name("how").word(pointer.pointing.as_str());
                json.name("relation").word(pointer.relation);
                json.name("offset").or_null(pointer.span, |json, span| json.number(span.start));
                json.name("end").or_null(pointer.span, |json, span| json.number(span.end));
            });
        });
    });
}

/// Everything about the discovery as a whole.
fn report(core: &Discovery, json: &mut Json) {
    json.object(|json| {
        json.name("origin").word(core.origin().as_str());
        json.name("attempts").list(|json| {
            core.attempts().for_each(|attempt| put_attempt(core, attempt, json));
        });
        json.name("documents").list(|json| {
            for attempt in core.documents() {
                json.list(|json| {
                    json.word(attempt.resource().as_str());
                    json.word(attempt.key());
                });
            }
        });
        let rules = core.robots();
        json.name("robots").word(rules.as_str());
        let text = match rules {
            RobotsRules::AllowAll => Some(RobotsTxt::ALLOW_ALL),
            RobotsRules::DisallowAll => Some(RobotsTxt::DISALLOW_ALL),
            RobotsRules::Unknown | RobotsRules::Document => None,
        };
        json.name("robots_text").or_null(text, |json, text| json.text(Text::plain(text.bytes())));
        json.name("trail_is_cut").truth(core.is_trail_cut());
        json.name("ask_again_at").or_null(core.ask_again_at(), Json::number);
    });
}

/// The licences of a site: those of its robots.txt, then those to which its home page links. The
/// arguments are the URL, the `Link` header and the content of that page.
pub(crate) fn all_licenses(robots: &Document<'_>, mut input: Input<'_>, json: &mut Json) {
    let url = input.text().unwrap_or_default();
    let (link, page) = (input.bytes().unwrap_or_default(), input.bytes().unwrap_or_default());
    let header = Header { name: b"link", value: link };
    json.list(|json| {
        robots.manifest().licenses().for_each(|license| json.text(license));
        licenses(url, &[header], page, &mut |url| json.word(url));
    });
}

/// The User-Agent that discovery sends by default, and the kinds of documents that state rules of the
/// site.
pub(crate) fn facts(json: &mut Json) {
    json.object(|json| {
        json.name("user_agent").word(agentsdisc_core::discovery::USER_AGENT);
        json.name("manifests").list(|json| {
            for resource in Resource::ALL {
                let mut formats = Format::ALL.iter().filter(|format| resource.accepts(**format));
                if formats.any(|format| format.facts().is_manifest) {
                    json.word(resource.as_str());
                }
            }
        });
    });
}
