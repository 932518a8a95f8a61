//! HTTP methods, and what else stands in the head of a request.

use crate::diagnostic::Severity;
use crate::syntax::text::Text;

/// What is wrong with a method: what is no token is none (RFC 9110 section 9.1), and one that no client knows is very likely a mistake.
pub(crate) fn judge(method: Text<'_>) -> Option<(Severity, &'static str)> {
    const METHODS: [&str; 10] = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ];
    if !is_token(method.chars()) {
        Some((
            Severity::Error,
            "{} is no HTTP method; write one, such as GET",
        ))
    } else if !METHODS.iter().any(|known| method.eq_ignore_case(known)) {
        Some((
            Severity::Warning,
            "{} is no method that HTTP clients know; write one that they do, such as GET",
        ))
    } else {
        None
    }
}

/// Whether these characters are an HTTP token (RFC 9110 section 5.6.2). No characters at all are not asked about.
pub(crate) fn is_token(mut chars: impl Iterator<Item = char>) -> bool {
    chars.all(|c| u8::try_from(c).is_ok_and(is_token_octet))
}

/// Whether all of a text may stand in the value of a header.
pub(crate) fn is_visible(text: Text<'_>) -> bool {
    text.chars().all(|c| matches!(c, ' '..='~'))
}

/// Whether an octet may stand in a token (RFC 9110 section 5.6.2).
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
