//! How long answers are fresh, as plain values.

/// How long an answer is fresh. All times are in seconds since 1970, by the clock of the caller.
///
/// Store these values beside the body, and pass them back unchanged ([`Stored`](super::Stored)).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Freshness {
    /// When the answer was received.
    pub received_at: u64,
    /// The lifetime that the headers state, or the default, in seconds. The limits of the kind of
    /// document apply only to [`fresh_until`](Self::fresh_until).
    pub lifetime: u32,
    /// The time until which the answer may be used without a request.
    pub fresh_until: u64,
    /// The time before which the document must not be requested again, also after a rejection.
    pub ask_again_at: u64,
    /// Whether the body may be stored: `Cache-Control: no-store` and `Vary: *` forbid it. If it
    /// must not be stored, keep the body in memory until [`fresh_until`](Self::fresh_until). An
    /// agents.md must not be requested again before that time; without its body, the result is
    /// [`TooEarly`](super::Rejection::TooEarly). Other documents are requested again.
    pub may_store: bool,
}

impl Freshness {
    /// Whether the answer may be used without a request. False if `now` is before it was received,
    /// because then the clock was set back.
    pub const fn is_fresh(&self, now: u64) -> bool {
        self.received_at <= now && now < self.fresh_until
    }

    /// Whether a new request is allowed. True if `now` is before the answer was received.
    pub const fn may_ask(&self, now: u64) -> bool {
        now < self.received_at || self.ask_again_at <= now
    }
}

/// The lifetimes of a kind of document, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keeping {
    /// The default lifetime, if no header states one.
    pub default: u32,
    /// The minimum time between two requests; headers cannot shorten it.
    pub minimum: u32,
    /// The maximum lifetime; headers cannot extend it.
    pub maximum: u32,
}
