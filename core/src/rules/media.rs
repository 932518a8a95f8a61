//! Media types.

use super::method::is_token;
use crate::syntax::text::Text;

/// Whether a text is a media type (RFC 9110 section 8.3.1), such as `text/html; charset=utf-8`. Its
/// parameters are not checked.
pub(crate) fn is_media_type(text: Text<'_>) -> bool {
    let is_end = |c: &char| matches!(c, ';' | ' ' | '\t');
    let is_part = |chars: &mut dyn Iterator<Item = char>| {
        let mut chars = chars.peekable();
        chars.peek().is_some() && is_token(chars)
    };
    let mut parts = text.chars();
    let kind = is_part(&mut parts.by_ref().take_while(|c| *c != '/'));
    let subtype = is_part(&mut parts.take_while(|c| !is_end(c)));
    let mut behind = parts.skip_while(|c| !is_end(c));
    let behind = behind.find(|c| !matches!(c, ' ' | '\t'));
    kind && subtype && matches!(behind, None | Some(';'))
}

/// The type in the value of a `Content-Type` header or a `type` parameter, without its parameters.
#[cfg_attr(not(feature = "discovery"), allow(dead_code))]
pub(crate) fn essence(value: &[u8]) -> &[u8] {
    value.split(|octet| *octet == b';').next().unwrap_or_default().trim_ascii()
}

/// Whether a media type is JSON, such as `application/problem+json`.
pub(crate) fn is_json(text: Text<'_>) -> bool {
    let mut rest = text.chars();
    let kind = || text.chars().take_while(|c| !matches!(c, ';' | ' ' | '\t'));
    let ends = |end: &str| {
        let skipped = kind().count().checked_sub(end.len());
        skipped.is_some_and(|skipped| {
            kind().skip(skipped).map(|c| c.to_ascii_lowercase()).eq(end.chars())
        })
    };
    rest.any(|c| c == '/') && (ends("+json") || kind().count() == 16 && ends("application/json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_media_type_has_two_names() {
        for (text, expected) in [
            ("text/html", true),
            ("application/vnd.oai.openapi+json;version=3.1", true),
            ("text/markdown; profile=\"urn:x\"", true),
            ("text/html ; charset=utf-8", true),
            ("", false),
            ("json", false),
            ("/json", false),
            ("text/", false),
            ("text/ html", false),
            ("text/html json", false),
            ("text/html/x", false),
            ("te xt/html", false),
            ("MCP Server", false),
        ] {
            assert_eq!(is_media_type(Text::plain(text.as_bytes())), expected, "{text}");
        }
    }
}
