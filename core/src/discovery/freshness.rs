//! How long an answer keeps, and when the next may be asked for (section 13 of `docs/formats.md`, RFC 9111).

use super::cache_control::{CacheControl, seconds};
use super::http_date;
use super::response::{Header, find, lines};
use crate::syntax::line::trim;

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
    /// Whether the body may be stored at all: `Cache-Control: no-store` forbids it.
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

/// What the headers of an answer say for its kind of document.
pub(super) fn of(headers: &[Header<'_>], status: u16, ended: Ended, keeping: &Keeping, shared: bool, now: u64) -> Freshness {
    let mut control = CacheControl::default();
    lines(headers, "cache-control").for_each(|line| control.add(line));
    let default = match ended {
        Ended::Document => keeping.default,
        Ended::Nothing => NOTHING,
        Ended::Failure => 0,
    };
    let lifetime = if control.no_store || control.no_cache || ended == Ended::Failure {
        0
    } else {
        written(&control, headers, shared, now).unwrap_or(default).saturating_sub(age(headers))
    };
    bounded(lifetime, !control.no_store, ended, keeping, now).delayed(retry_after(headers, status, keeping, now))
}

/// The same for an answer without headers: a failure of transport.
pub(super) fn of_failure(keeping: &Keeping, now: u64) -> Freshness {
    of(&[], 0, Ended::Failure, keeping, false, now)
}

/// Where nothing was asked: it may be at once.
pub(super) const fn unasked(now: u64) -> Freshness {
    Freshness { received_at: now, lifetime: 0, fresh_until: now, ask_again_at: now, may_store: true }
}

/// The same for a server that nobody came through to, whatever it would have been asked for.
pub(super) const fn paused(now: u64) -> Freshness {
    let end = now.saturating_add(PAUSE as u64);
    Freshness { received_at: now, lifetime: 0, fresh_until: end, ask_again_at: end, may_store: true }
}

/// After 304: what its headers say, and where they say nothing, what was said when the document came.
pub(super) fn revalidated(headers: &[Header<'_>], stored: &Freshness, keeping: &Keeping, shared: bool, now: u64) -> Freshness {
    if find(headers, "cache-control").is_some() || find(headers, "expires").is_some() {
        return of(headers, 304, Ended::Document, keeping, shared, now);
    }
    bounded(stored.lifetime, stored.may_store, Ended::Document, keeping, now)
}

fn bounded(lifetime: u32, may_store: bool, ended: Ended, keeping: &Keeping, now: u64) -> Freshness {
    let minimum = if ended == Ended::Failure { keeping.minimum.max(PAUSE) } else { keeping.minimum };
    let seconds = lifetime.min(keeping.maximum).max(minimum);
    let end = now.saturating_add(u64::from(seconds));
    Freshness { received_at: now, lifetime, fresh_until: end, ask_again_at: end, may_store }
}

impl Freshness {
    const fn delayed(mut self, until: u64) -> Self {
        if until > self.ask_again_at {
            self.ask_again_at = until;
        }
        self
    }
}

/// The lifetime that headers state.
fn written(control: &CacheControl, headers: &[Header<'_>], shared: bool, now: u64) -> Option<u32> {
    let stated = if shared { control.s_maxage.or(control.max_age) } else { control.max_age.or(control.s_maxage) };
    stated.or_else(|| {
        // A date that is none, such as 0, has passed (RFC 9111 section 5.3).
        let expires = http_date::read(find(headers, "expires")?, now).unwrap_or(0);
        let date = find(headers, "date").and_then(|date| http_date::read(date, now)).unwrap_or(now);
        Some(u32::try_from(expires.saturating_sub(date)).unwrap_or(u32::MAX))
    })
}

/// For how long the answer lay in caches on its way.
fn age(headers: &[Header<'_>]) -> u32 {
    find(headers, "age").and_then(|age| seconds(trim(age))).unwrap_or(0)
}

/// Until when the server asks to be left alone (RFC 9110 section 10.2.3); no longer than a document of this kind may keep.
fn retry_after(headers: &[Header<'_>], status: u16, keeping: &Keeping, now: u64) -> u64 {
    if !matches!(status, 429 | 503) {
        return now;
    }
    let Some(value) = find(headers, "retry-after").map(trim) else { return now };
    let until = match seconds(value) {
        Some(seconds) => now.saturating_add(u64::from(seconds)),
        None => http_date::read(value, now).unwrap_or(now),
    };
    until.min(now.saturating_add(u64::from(keeping.maximum)))
}
