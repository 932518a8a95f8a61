//! HTTP methods, and the names and values of headers.

use crate::diagnostic::Severity;
use crate::syntax::text::Text;

/// Returns the severity and the message for a wrong method. A method that is not a token is an
/// error (RFC 9110 section 9.1). An unknown method is a warning, because it is probably a mistake.
pub(crate) fn judge(method: Text<'_>) -> Option<(Severity, &'static str)> {
    const METHODS: [&str; 10] =
        ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "QUERY"];
    if !is_token(method.chars()) {
        Some((Severity::Error, "{} is not a valid HTTP method; write one such as GET"))
    } else if !METHODS.iter().any(|known| method.eq_ignore_case(known)) {
        Some((Severity::Warning, "{} is not a known HTTP method; write one such as GET"))
    } else {
        None
    }
}

/// Whether all characters are allowed in an HTTP token (RFC 9110 section 5.6.2). Also true for an
/// empty text.
pub(crate) fn is_token(mut chars: impl Iterator<Item = char>) -> bool {
    chars.all(|c| u8::try_from(c).is_ok_and(is_token_octet))
}

/// Whether a text contains only characters that a header value allows: visible ASCII and spaces.
pub(crate) fn is_visible(text: Text<'_>) -> bool {
    text.chars().all(|c| matches!(c, ' '..='~'))
}

/// Whether a byte is allowed in a token (RFC 9110 section 5.6.2).
pub(crate) const fn is_token_octet(octet: u8) -> bool {
    octet.is_ascii_graphic()
        && !matches!(
            octet,
            b'"' | b'('
                | b')'
                | b','
                | b'/'
                | b':'
                | b';'
                | b'<'
                | b'='
                | b'>'
                | b'?'
                | b'@'
                | b'['
                | b'\\'
                | b']'
                | b'{'
                | b'}'
        )
}

/// Headers that clients set themselves.
const RESERVED: [&str; 12] = [
    "Host",
    "Content-Length",
    "Content-Type",
    "Transfer-Encoding",
    "Connection",
    "Keep-Alive",
    "Proxy-Connection",
    "Proxy-Authorization",
    "TE",
    "Trailer",
    "Upgrade",
    "Expect",
];

/// Headers with another meaning, in which servers do not look for a key.
const DESCRIPTIVE: [&str; 32] = [
    "Accept",
    "Age",
    "Allow",
    "Alt-Svc",
    "Cache-Control",
    "Cookie",
    "Cookie2",
    "Date",
    "DNT",
    "ETag",
    "Expires",
    "Forwarded",
    "From",
    "Last-Modified",
    "Link",
    "Location",
    "Max-Forwards",
    "Origin",
    "Pragma",
    "Prefer",
    "Priority",
    "Range",
    "Referer",
    "Retry-After",
    "Server",
    "Set-Cookie",
    "Set-Cookie2",
    "User-Agent",
    "Vary",
    "Via",
    "Warning",
    "WWW-Authenticate",
];

/// The prefixes of the names of other such headers.
const DESCRIPTIVE_STARTS: [&str; 7] =
    ["Accept-", "Access-Control-", "Content-", "If-", "Proxy-", "Sec-", "X-Forwarded-"];

/// Headers that identify the caller.
const IDENTITY: [&str; 4] = ["User-Agent", "Cookie", "Set-Cookie", "Origin"];

fn is_in(list: &[&str], name: Text<'_>) -> bool {
    list.iter().any(|one| name.eq_ignore_case(one))
}

/// Whether a parameter can be sent in a header with this name: the name is valid, and clients do
/// not set the header themselves.
pub(crate) fn can_be_set(name: Text<'_>) -> bool {
    can_be_sent(name) && !name.eq_ignore_case("Authorization")
}

/// Whether an argument of a call can be sent in a header with this name. Headers that identify the
/// caller are excluded, because a document must not change the identity.
pub(crate) fn can_be_argument(name: Text<'_>) -> bool {
    can_be_set(name) && !is_in(&IDENTITY, name)
}

/// Whether a text can be sent as the value of a header: it has only visible characters and spaces,
/// and no space at either end, because clients and servers remove or reject these.
pub(crate) fn is_value(text: Text<'_>) -> bool {
    let (first, last) = (text.chars().next(), text.chars().last());
    is_visible(text) && first != Some(' ') && last != Some(' ')
}

/// Whether a method is only for proxies and debugging. A call must not use it.
pub(crate) fn is_technical(method: Text<'_>) -> bool {
    is_in(&["TRACE", "CONNECT"], method)
}

/// Whether a header can carry a key.
pub(crate) fn can_carry_key(name: Text<'_>) -> bool {
    let is_descriptive = is_in(&DESCRIPTIVE, name)
        || DESCRIPTIVE_STARTS.iter().any(|start| name.starts_with_ignore_case(start));
    can_be_sent(name) && !is_descriptive
}

fn can_be_sent(name: Text<'_>) -> bool {
    !name.is_empty() && is_token(name.chars()) && !is_in(&RESERVED, name)
}
