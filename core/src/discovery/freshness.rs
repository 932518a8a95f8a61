//! Determines how long an answer is fresh, and when to request it again (`docs/formats/locations.md`,
//! RFC 9111).

use super::lifetime::{Freshness, Keeping};
use super::resource::Resource;
use super::response::{Header, Response, find, lines, varies_always};
use crate::syntax::cache_control::{CacheControl, seconds};
use crate::syntax::http_date;

/// The result of an attempt, which determines its lifetime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// A document was received.
    Document,
    /// The document does not exist. This result is cached as well.
    Nothing,
    /// It is unknown whether the document exists.
    Failure,
}

/// The default lifetime of a missing document, in seconds.
const NOTHING: u32 = 300;
/// The minimum wait after a failure, in seconds.
const PAUSE: u32 = 60;

/// The freshness that the headers state for a kind of document. After a 304 without such headers,
/// the freshness of the stored answer (`stored`).
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
            let default = if ended == Ended::Document { keeping.default } else { NOTHING };
            (
                written(&control, headers, shared, now)
                    .unwrap_or(default)
                    .saturating_sub(age(headers)),
                true,
            )
        }
    };
    let minimum =
        if ended == Ended::Failure { keeping.minimum.max(PAUSE) } else { keeping.minimum };
    let end = now.saturating_add(u64::from(lifetime.min(keeping.maximum).max(minimum)));
    let ask_again_at = end.max(retry_after(response, &keeping));
    Freshness {
        received_at: now,
        lifetime,
        // An answer with `Vary: *` is never fresh.
        fresh_until: if varies { now } else { end },
        ask_again_at,
        may_store,
    }
}

/// The freshness after a transport failure, which has no headers.
pub(super) fn of_failure(resource: Resource, now: u64) -> Freshness {
    of(&Response { now, ..Response::default() }, None, Ended::Failure, resource, false)
}

/// The freshness if no request was sent, so that one is allowed immediately.
pub(super) const fn unasked(now: u64) -> Freshness {
    Freshness {
        received_at: now,
        lifetime: 0,
        fresh_until: now,
        ask_again_at: now,
        may_store: true,
    }
}

/// The freshness if no connection was made, for every kind of document.
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

/// The lifetime stated in headers.
fn written(control: &CacheControl, headers: &[Header<'_>], shared: bool, now: u64) -> Option<u32> {
    let stated = if shared {
        control.s_maxage.or(control.max_age)
    } else {
        control.max_age.or(control.s_maxage)
    };
    stated.or_else(|| {
        // An invalid date, such as 0, is in the past (RFC 9111 section 5.3).
        let expires = date(Some(find(headers, "expires")?), now, 0);
        Some(
            u32::try_from(expires.saturating_sub(date(find(headers, "date"), now, now)))
                .unwrap_or(u32::MAX),
        )
    })
}

/// The time in a header, or a default.
fn date(value: Option<&[u8]>, now: u64, otherwise: u64) -> u64 {
    value.and_then(|value| http_date::read(value, now)).unwrap_or(otherwise)
}

/// The seconds that the answer has spent in caches.
fn age(headers: &[Header<'_>]) -> u32 {
    find(headers, "age").and_then(seconds).unwrap_or(0)
}

/// The time until which the server asks clients to wait (RFC 9110 section 10.2.3); limited by the
/// maximum lifetime.
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
