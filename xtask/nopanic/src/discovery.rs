//! Discovery: origins, requests, responses, the store, and results.

use agentsdisc_core::discovery::{
    Answer, Attempt, Declared, Discovery, Failure, Follow, Freshness, Header, Moved, Options,
    Origin, Rejection, RequestId, Resource, Resources, Response, Source, State, Stored,
};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Limits};

use crate::{buffer, bytes, keep, show, text};

/// # Safety
/// `data` must point to the given number of bytes, `discovery` to an optional discovery that is not
/// aliased, `document` to a document, `limits` to limits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_discovery_new(
    data: *const u8,
    length: usize,
    discovery: *mut Option<Discovery>,
    document: *const Document<'static>,
    limits: *const Limits,
    resource: Resource,
    shared: bool,
) {
    // SAFETY: guaranteed by the caller.
    let (given, place, document, limits) =
        unsafe { (text(data, length), &mut *discovery, *document, *limits) };
    let resources =
        if shared { Resources::ALL.without(resource) } else { Resources::NONE.with(resource) };
    keep((resources.contains(resource), Resources::default()));
    let follow = if shared { Follow::Any } else { Follow::SameSite };
    keep(follow.as_str());
    if let Some(again) = place {
        keep(again.begin(given, &Options::default()).is_ok());
        *again = Discovery::idle();
    }
    match Discovery::new(given, &Options { resources, limits, shared, follow }) {
        Ok(new) => *place = Some(new),
        Err(error) => {
            keep((error.as_str(), error.message()));
            show(error);
        }
    }
    if let Ok(origin) = Origin::parse(given) {
        keep((origin.as_str(), Declared::of(&document.manifest(), &origin).as_str()));
        show(origin);
    }
    keep((
        Resource::from_id(given),
        resource.as_str(),
        resource.locations(),
        resource.keeping(),
        resource.is_well_known(),
        resource.is_built_in(),
    ));
    keep(resource.accepts(document.format()));
    keep(
        Rejection::from_code(given)
            .map(|rejection| (rejection.as_str(), rejection.message(), rejection.asks_fallback())),
    );
}

/// # Safety
/// `discovery` must point to a discovery that is not aliased, `data` and `value` to the given
/// number of bytes, `names` to the given number of headers, `freshness` to a freshness.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_discovery_step(
    discovery: *mut Discovery,
    data: *const u8,
    length: usize,
    value: *const u8,
    value_length: usize,
    names: *const Header<'static>,
    headers: usize,
    status: u16,
    freshness: *const Freshness,
    rejection: u8,
    now: u64,
) {
    // SAFETY: guaranteed by the caller.
    let (discovery, body, value) =
        unsafe { (&mut *discovery, bytes(data, length), bytes(value, value_length)) };
    // SAFETY: guaranteed by the caller.
    let (headers, freshness) = unsafe { (core::slice::from_raw_parts(names, headers), *freshness) };
    let rejection = Rejection::ALL.get(usize::from(rejection)).copied();
    let url = core::str::from_utf8(value).unwrap_or_default();
    keep((freshness.is_fresh(now), freshness.may_ask(now)));
    let stored = Stored {
        url,
        rejection,
        body: Some(body),
        freshness,
        etag: value,
        last_modified: value,
        link: value,
    };
    let Some(id) = discovery.next_request() else {
        return;
    };
    if let Some(request) = discovery.request(id) {
        keep((request.url, request.key, request.limit, request.cuts, request.heeds_robots));
        request.headers(url, Some(&stored)).for_each(keep);
        keep(Header::new(url, url));
    }
    match discovery.recall(id, &stored, now) {
        Ok(given) => given.iter().for_each(answer),
        Err(error) => show(error),
    }
    let response =
        Response { status, headers, body, final_url: Some(url), stored: Some(&stored), now };
    match discovery.respond(id, &response) {
        Ok(given) => answer(&given),
        Err(error) => show(error),
    }
    match discovery.fail(RequestId(status), Failure::Timeout, now) {
        Ok(given) => answer(&given),
        Err(error) => show(error),
    }
}

fn answer(answer: &Answer<'_>) {
    keep((
        answer.resource,
        answer.state,
        answer.document,
        answer.freshness,
        answer.etag,
        answer.last_modified,
    ));
}

/// # Safety
/// `discovery` must point to a discovery that is not aliased, `manifest` to a document, `data` and
/// `out` to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_discovery_ask(
    discovery: *mut Discovery,
    manifest: *const Document<'static>,
    data: *const u8,
    length: usize,
    approved: bool,
    out: *mut u8,
    size: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (discovery, manifest, given, out) =
        unsafe { (&mut *discovery, *manifest, bytes(data, length), buffer(out, size)) };
    if let Some(manifest) = manifest.adp()
        && let Err(error) = discovery.ask_detail(&manifest, Text::json(given), approved)
    {
        show(error);
    }
    keep(discovery.ask_declaration(Text::plain(given)));
    keep(out);
}

/// # Safety
/// `discovery` must point to a discovery.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_discovery_outcome(
    discovery: *const Discovery,
    id: u16,
    moved: Moved,
    source: Source,
) {
    // SAFETY: guaranteed by the caller.
    let discovery = unsafe { &*discovery };
    discovery.attempts().for_each(attempt);
    for found in discovery.attempts() {
        keep((discovery.is_own(found), discovery.pointer(found)));
        keep(discovery.pointer(found).map(|pointer| {
            (pointer.pointing.as_str(), pointer.relation, pointer.span, pointer.source.url())
        }));
    }
    discovery.documents().for_each(attempt);
    discovery.attempt(RequestId(id)).into_iter().for_each(attempt);
    keep((
        (discovery.is_done(), discovery.is_trail_cut()),
        discovery.robots().as_str(),
        discovery.ask_again_at(),
        discovery.origin().as_str(),
    ));
    keep((moved.as_str(), source.as_str()));
}

fn attempt(attempt: &Attempt) {
    keep((
        attempt.resource(),
        attempt.key(),
        attempt.url(),
        attempt.state() == State::Open,
        attempt.status(),
        attempt.redirects(),
    ));
    keep((
        attempt.moved(),
        attempt.source(),
        attempt.format(),
        attempt.is_synthetic(),
        attempt.error(),
        attempt.freshness(),
    ));
    attempt.rejection().into_iter().for_each(show);
}
