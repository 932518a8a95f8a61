//! How long an answer keeps, and when the next may be asked for (section 13 of `docs/formats.md`, RFC 9111).

use super::cache_control::{CacheControl, seconds};
use super::http_date;
use super::resource::Resource;
use super::response::{Header, Response, find, lines, varies_always};

/// How long an answer counts. All times are seconds since 1970, by the clock of the caller.
///
/// Plain numbers, to be stored beside the body and given back as they are ([`Stored`](super::Stored)).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Freshness {
    /// When the answer came.
    pub received_at: u64,
    /// For how many seconds the answer was good when it came, before [`fresh_until`](Self::fresh_until) was kept within the bounds of its kind.
    pub lifetime: u32,
    /// Until when it is used without asking.
    pub fresh_until: u64,
    /// Until when it must not be asked for again, whatever came of it.
    pub ask_again_at: u64,
    /// Whether the body may be stored at all: `Cache-Control: no-store` and `Vary: *` forbid it.
    pub may_store: bool,
}

impl Freshness {
    /// Whether the answer is used as it is. Not at a time before it came: then the clock was set back, and nothing can be said.
    pub const fn is_fresh(&self, now: u64) -> bool {
        self.received_at <= now && now < self.fresh_until
    }

    /// Whether asking again is allowed. Always at a time before the answer came.
    pub const fn may_ask(&self, now: u64) -> bool {
        now < self.received_at || self.ask_again_at <= now
    }
}

/// What is said for a kind of document, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keeping {
    /// For how long a document keeps where no header says so.
    pub default: u32,
    /// For how long at least it is not asked for again, whatever the headers say.
    pub minimum: u32,
    /// For how long at most it keeps, whatever the headers say.
    pub maximum: u32,
}

/// How an attempt ended, as far as keeping goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// A document came.
    Document,
    /// There is none; that keeps for a while, too.
    Nothing,
    /// Nobody knows whether there is one.
    Failure,
}

/// For how long it keeps that there is nothing, where no header says so.
const NOTHING: u32 = 300;
/// How long to wait at least after a failure.
const PAUSE: u32 = 60;

/// What the headers of an answer say for its kind of document. After 304, where they say nothing, it is what was said when the document came (`stored`).
pub(super) fn of(
    response: &Response<'_, '_>,
    stored: Option<&Freshness>,
    ended: Ended,
    resource: Resource,
    shared: bool,
) -> Freshness {
    let (headers, now, keeping) = (response.headers, response.now, resource.keeping());
    let mut control = CacheControl::default();
    lines(headers, "cache-control").for_each(|line| control.add(line));
    let varies = varies_always(headers);
    let (lifetime, may_store) = match stored {
        _ if varies => (0, false),
        Some(stored)
            if find(headers, "cache-control").is_none() && find(headers, "expires").is_none() =>
        {
            (stored.lifetime, stored.may_store)
        }
        _ if control.no_store || control.no_cache || ended == Ended::Failure => {
            (0, !control.no_store)
        }
        _ => {
            let default = if ended == Ended::Document {
                keeping.default
            } else {
                NOTHING
            };
            (
                written(&control, headers, shared, now)
                    .unwrap_or(default)
                    .saturating_sub(age(headers)),
                true,
            )
        }
    };
    let minimum = if ended == Ended::Failure {
        keeping.minimum.max(PAUSE)
    } else {
        keeping.minimum
    };
    let end = now.saturating_add(u64::from(lifetime.min(keeping.maximum).max(minimum)));
    let ask_again_at = end.max(retry_after(response, &keeping));
    Freshness {
        received_at: now,
        lifetime,
        // What varies always is never fresh, not even until it may be asked for again.
        fresh_until: if varies { now } else { end },
        ask_again_at,
        may_store,
    }
}

/// The same for an answer without headers: a failure of transport.
pub(super) fn of_failure(resource: Resource, now: u64) -> Freshness {
    of(
        &Response {
            now,
            ..Response::default()
        },
        None,
        Ended::Failure,
        resource,
        false,
    )
}

/// Where nothing was asked: it may be at once.
pub(super) const fn unasked(now: u64) -> Freshness {
    Freshness {
        received_at: now,
        lifetime: 0,
        fresh_until: now,
        ask_again_at: now,
        may_store: true,
    }
}

/// The same for a server that nobody came through to, whatever it would have been asked for.
pub(super) const fn paused(now: u64) -> Freshness {
    let end = now.saturating_add(PAUSE as u64);
    Freshness {
        received_at: now,
        lifetime: 0,
        fresh_until: end,
        ask_again_at: end,
        may_store: true,
    }
}

/// The lifetime that headers state.
fn written(control: &CacheControl, headers: &[Header<'_>], shared: bool, now: u64) -> Option<u32> {
    let stated = if shared {
        control.s_maxage.or(control.max_age)
    } else {
        control.max_age.or(control.s_maxage)
    };
    stated.or_else(|| {
        // A date that is none, such as 0, has passed (RFC 9111 section 5.3).
        let expires = date(Some(find(headers, "expires")?), now, 0);
        Some(
            u32::try_from(expires.saturating_sub(date(find(headers, "date"), now, now)))
                .unwrap_or(u32::MAX),
        )
    })
}

/// The point in time that a header gives, or else another one.
fn date(value: Option<&[u8]>, now: u64, otherwise: u64) -> u64 {
    value
        .and_then(|value| http_date::read(value, now))
        .unwrap_or(otherwise)
}

/// For how long the answer lay in caches on its way.
fn age(headers: &[Header<'_>]) -> u32 {
    find(headers, "age").and_then(seconds).unwrap_or(0)
}

/// Until when the server asks to be left alone (RFC 9110 section 10.2.3); no longer than a document of this kind may keep.
fn retry_after(response: &Response<'_, '_>, keeping: &Keeping) -> u64 {
    let now = response.now;
    if !matches!(response.status, 429 | 503) {
        return now;
    }
    let Some(value) = find(response.headers, "retry-after") else {
        return now;
    };
    let until = match seconds(value) {
        Some(seconds) => now.saturating_add(u64::from(seconds)),
        None => date(Some(value), now, now),
    };
    until.min(now.saturating_add(u64::from(keeping.maximum)))
}
