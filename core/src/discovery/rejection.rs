//! Why an attempt found nothing usable.

use core::fmt;

use super::failure::Failure;

macro_rules! rejections {
    ($($(#[$doc:meta])* $name:ident = $number:literal $code:literal $message:literal,)*) => {
        /// Why an attempt found no document. Every finished attempt without a document has exactly
        /// one code. The numbers are also used in C and do not change.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(u8)]
        pub enum Rejection {
            $($(#[$doc])* $name = $number,)*
        }

        impl Rejection {
            /// Every code.
            pub const ALL: &'static [Rejection] = &[$(Self::$name,)*];

            /// The stable kebab-case code.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// What happened, in a sentence without a capital and a full stop.
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)* }
            }
        }
    };
}

rejections! {
    /// 404.
    NotFound = 1 "not-found" "the server has no document at this URL",
    /// 410.
    Gone = 2 "gone" "the server has removed the document",
    /// 401, 403, 407 or 451.
    AccessDenied = 3 "access-denied" "the server refuses access",
    /// 429.
    RateLimited = 4 "rate-limited" "the server asks for fewer requests",
    /// Another 4xx.
    ClientError = 5 "client-error" "the server does not accept the request",
    /// 5xx.
    ServerError = 6 "server-error" "the server failed",
    /// Another status without a document, such as 204.
    UnexpectedStatus = 7 "unexpected-status" "the answer has a status without a document",
    /// 304 without a stored answer.
    NotModifiedUnasked = 8 "not-modified-unasked" "the server answers that nothing has changed, but no matching answer is stored",
    /// An HTML page, for example from a site that answers everything with 200.
    Html = 9 "html" "the server sent an HTML page instead of a document",
    /// The format of the document cannot be detected.
    NotRecognised = 10 "not-recognised" "the format of the document cannot be detected",
    /// A document of a kind that does not belong here.
    OtherFormat = 11 "other-format" "the document is of a kind that does not belong at this URL",
    /// A document that cannot be read; see [`Attempt::error`](super::Attempt::error).
    Unreadable = 12 "unreadable" "the document cannot be read",
    /// The body is larger than the limit.
    TooLarge = 13 "too-large" "the answer is larger than the limit",
    /// A timeout.
    Timeout = 14 "timeout" "the answer took too long",
    /// A content coding that is broken or not supported by the client.
    Encoding = 15 "encoding" "the content coding of the answer cannot be decoded",
    /// The caller refused to connect.
    AddressRefused = 16 "address-refused" "connections to this address are not allowed",
    /// No connection could be made, or it broke.
    Unreachable = 17 "unreachable" "the server cannot be reached",
    /// A redirect without a target, or a redirect or document with an invalid URL.
    InvalidUrl = 18 "invalid-url" "the URL is invalid or must not be requested",
    /// A redirect or a URL in a document that leaves the registrable domain.
    OffSite = 19 "off-site" "the URL is on another site",
    /// A redirect or a URL in a document that leads from https to http.
    Downgrade = 20 "downgrade" "the URL leads from https to http",
    /// A redirect to a URL that this attempt already requested.
    RedirectLoop = 21 "redirect-loop" "the redirects form a loop",
    /// More than five redirects.
    TooManyRedirects = 22 "too-many-redirects" "there are too many redirects",
    /// A URL longer than [`URL_CAPACITY`](super::URL_CAPACITY).
    UrlTooLong = 23 "url-too-long" "the URL is too long",
    /// The document was not requested, because the last request was too recent.
    TooEarly = 24 "too-early" "the last request was too recent; the document must not be requested again yet",
    /// The robots.txt of the site disallows the request, or cannot be fetched because of a server
    /// or network error, which disallows everything (RFC 9309 section 2.3.1.4).
    RobotsDisallowed = 25 "robots-disallowed" "the robots.txt of the site disallows the request, or cannot be fetched",
}

impl Rejection {
    /// The rejection with this code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rejection| rejection.as_str() == code)
    }

    /// Whether to request the next location. This is so only if there is certainly no usable
    /// document here; a refused, failed or unreadable answer may hide a document.
    pub const fn asks_fallback(self) -> bool {
        matches!(
            self,
            Self::NotFound | Self::Gone | Self::Html | Self::NotRecognised | Self::OtherFormat
        )
    }

    /// Whether it is certain that there is no usable document here.
    pub(super) const fn is_certain(self) -> bool {
        self.asks_fallback()
            || matches!(
                self,
                Self::Unreadable | Self::UnexpectedStatus | Self::AccessDenied | Self::ClientError
            )
    }

    /// The meaning of a status without a document.
    pub(super) const fn of_status(status: u16) -> Self {
        match status {
            404 => Self::NotFound,
            410 => Self::Gone,
            401 | 403 | 407 | 451 => Self::AccessDenied,
            429 => Self::RateLimited,
            400..=499 => Self::ClientError,
            500..=599 => Self::ServerError,
            _ => Self::UnexpectedStatus,
        }
    }

    pub(super) const fn of_failure(failure: Failure) -> Self {
        match failure {
            Failure::Timeout => Self::Timeout,
            Failure::TooLarge => Self::TooLarge,
            Failure::Encoding => Self::Encoding,
            Failure::Refused => Self::AddressRefused,
            Failure::Unreachable | Failure::NotConnected => Self::Unreachable,
            Failure::Disallowed => Self::RobotsDisallowed,
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}
