//! Why a client has no answer for a request.

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Failure {
    /// A timeout.
    Timeout = 0,
    /// The body is larger than [`Request::limit`](super::Request::limit).
    TooLarge = 1,
    /// The content coding is broken or not supported by the client.
    Encoding = 2,
    /// The caller refused to connect, for example to a private address.
    Refused = 3,
    /// The connection broke, a certificate is invalid, or the answer is not HTTP; also for unknown
    /// failures.
    Unreachable = 4,
    /// No connection was made: no network, unknown host, or connection refused. The server was not
    /// reached, so the request may be repeated soon.
    NotConnected = 5,
    /// Not sent, because robots.txt disallows it ([`Request::heeds_robots`](super::Request::heeds_robots)).
    Disallowed = 6,
}

impl Failure {
    /// Every failure.
    pub const ALL: &'static [Failure] = &[
        Self::Timeout,
        Self::TooLarge,
        Self::Encoding,
        Self::Refused,
        Self::Unreachable,
        Self::NotConnected,
        Self::Disallowed,
    ];
}
