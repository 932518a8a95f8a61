//! URLs and headers of the Agent Discovery Protocol: the URL of a detail, the header with the key,
//! and the search of a registry.

use agentsdisc_core::format::adp::{
    Adp, AdpCapability, Argument, ArgumentValue, Header, RequestError, search_url,
};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Format, Limits, ParseOptions};

pub(crate) fn parse(text: &str, format: Format) -> Document<'_> {
    let limits = Limits { document: 1 << 26, ..Limits::DEFAULT };
    Document::parse_with(
        text.as_bytes(),
        &ParseOptions { format: Some(format), limits, ..ParseOptions::default() },
    )
    .unwrap()
}

pub(crate) fn manifest(text: &str) -> Adp<'_> {
    parse(text, Format::Adp).adp().unwrap()
}

pub(crate) fn detail(text: &str) -> AdpCapability<'_> {
    parse(text, Format::AdpCapability).adp_capability().unwrap()
}

fn header(auth: &str, token: &str) -> Result<Option<(String, String)>, String> {
    let text = format!(r#"{{"base_url": "https://api.example.com"{auth}}}"#);
    let mut buffer = [0; 256];
    let header =
        manifest(&text).auth_header(token, &mut buffer).map_err(|error| format!("{error:?}"))?;
    Ok(header.map(|Header { name, value }| (name.to_string(), value.to_string())))
}

#[test]
fn the_token_header_follows_the_manifest() {
    let some = |name: &str, value: &str| Ok(Some((name.to_string(), value.to_string())));
    for (auth, expected) in [
        (r#", "auth": {"type": "api_key"}"#, some("Authorization", "Bearer k1")),
        (r#", "auth": {"type": "oauth2"}"#, some("Authorization", "Bearer k1")),
        (r#", "auth": {"type": "api_key", "header": "X-Api-Key"}"#, some("X-Api-Key", "k1")),
        (
            r#", "auth": {"type": "api_key", "header": "authorization"}"#,
            some("authorization", "Bearer k1"),
        ),
        (
            r#", "auth": {"type": "api_key", "header": "X-Api-Key", "prefix": "Key"}"#,
            some("X-Api-Key", "Key k1"),
        ),
        (r#", "auth": {"type": "api_key", "prefix": "Token "}"#, some("Authorization", "Token k1")),
        (r#", "auth": {"type": "api_key", "prefix": ""}"#, some("Authorization", "k1")),
        (
            r#", "auth": {"type": "api_key", "header": "", "prefix": null}"#,
            some("Authorization", "Bearer k1"),
        ),
        (r#", "auth": {"header": "X\u002dKey", "type": "other"}"#, some("X-Key", "k1")),
        (r#", "auth": 7"#, some("Authorization", "Bearer k1")),
        ("", some("Authorization", "Bearer k1")),
        (r#", "auth": {"type": "none", "header": "X-Api-Key"}"#, Ok(None)),
    ] {
        assert_eq!(header(auth, "k1"), expected, "{auth}");
    }
}

#[test]
fn a_header_cannot_be_injected() {
    for token in ["", "a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0", "é", "a\tb", "\u{7f}"] {
        assert_eq!(header("", token), Err("InvalidToken".to_string()), "{token:?}");
    }
    for auth in [
        r#", "auth": {"header": "X-Key: 1\r\nX-Evil"}"#,
        r#", "auth": {"header": "X Key"}"#,
        r#", "auth": {"header": "content-type"}"#,
        r#", "auth": {"header": "Host"}"#,
        r#", "auth": {"header": "ACCEPT"}"#,
        r#", "auth": {"header": "User-Agent"}"#,
        r#", "auth": {"header": "Transfer\u002dEncoding"}"#,
        r#", "auth": {"header": "X-Key:"}"#,
        r#", "auth": {"header": "Clé"}"#,
        r#", "auth": {"prefix": "Bearer x\r\nX-Evil: 1"}"#,
        r#", "auth": {"prefix": "Bear\u000aer"}"#,
    ] {
        assert_eq!(header(auth, "k1"), Err("InvalidAuthHeader".to_string()), "{auth}");
    }
    let manifest = manifest(r#"{"auth": {"type": "api_key"}}"#);
    // The size counts the line with its end.
    let Err(RequestError::BufferTooSmall { needed }) = manifest.auth_header("k1", &mut []) else {
        panic!("no room")
    };
    assert!(manifest.auth_header("k1", &mut vec![0; needed]).is_ok());
    assert!(manifest.auth_header("k1", &mut vec![0; needed - 1]).is_err());
}

fn resolved(base: &str, reference: &str) -> (Result<String, String>, Result<String, String>) {
    let text = format!(r#"{{"base_url": "{base}"}}"#);
    let manifest = manifest(&text);
    let string = |result: Result<&str, RequestError<'_>>| {
        result.map(str::to_string).map_err(|error| format!("{error:?}"))
    };
    let (mut first, mut second) = ([0; 256], [0; 256]);
    let reference = Text::plain(reference.as_bytes());
    (
        string(manifest.resolve_detail_url(reference, &mut first)),
        string(manifest.resolve_detail_url_rfc3986(reference, &mut second)),
    )
}

#[test]
fn detail_urls_are_resolved() {
    for (base, reference, appended, rfc3986) in [
        ("https://a.example", "/x", "https://a.example/x", "https://a.example/x"),
        ("https://a.example/", "/x", "https://a.example/x", "https://a.example/x"),
        ("https://a.example/v1", "/x?y#z", "https://a.example/v1/x?y#z", "https://a.example/x?y#z"),
        ("https://a.example/v1//", "/x", "https://a.example/v1/x", "https://a.example/x"),
        ("https://a.example/v1?q#f", "/x", "https://a.example/v1/x", "https://a.example/x"),
        ("https://a.example/v1", "x", "https://a.example/v1/x", "https://a.example/x"),
        ("https://a.example/v1/", "x", "https://a.example/v1/x", "https://a.example/v1/x"),
        (
            "https://a.example/v1/b",
            "../x?y/../z",
            "https://a.example/v1/x?y/../z",
            "https://a.example/x?y/../z",
        ),
        ("https://a.example", "x/", "https://a.example/x/", "https://a.example/x/"),
        ("https://a.example/v1", "#x", "https://a.example/v1#x", "https://a.example/v1#x"),
        ("https://a.example/v1", "?x", "https://a.example/v1?x", "https://a.example/v1?x"),
        (
            "https://a.example/v1",
            "https://b.example/x",
            "https://b.example/x",
            "https://b.example/x",
        ),
        ("https://a.example/v1", "//b.example/x", "https://b.example/x", "https://b.example/x"),
        ("https://a.example/v1", "/", "https://a.example/v1/", "https://a.example/"),
        // A reference that begins with the base path is not appended to it.
        ("https://a.example/v1", "/v1/x", "https://a.example/v1/x", "https://a.example/v1/x"),
        (
            "https://a.example/api/v1/",
            "/api/v1",
            "https://a.example/api/v1",
            "https://a.example/api/v1",
        ),
        (
            "https://a.example/api/v1",
            "api/v1/x",
            "https://a.example/api/v1/x",
            "https://a.example/api/api/v1/x",
        ),
        (
            "https://a.example/api/v1",
            "api/x",
            "https://a.example/api/v1/api/x",
            "https://a.example/api/api/x",
        ),
        ("https://a.example/v1", "/v1?y", "https://a.example/v1?y", "https://a.example/v1?y"),
        ("https://a.example/v1", "/v10/x", "https://a.example/v1/v10/x", "https://a.example/v10/x"),
        ("https://a.example/v1", "/V1/x", "https://a.example/v1/V1/x", "https://a.example/V1/x"),
        (
            "https://a.example/api/v1",
            "/api/x",
            "https://a.example/api/v1/api/x",
            "https://a.example/api/x",
        ),
    ] {
        assert_eq!(
            resolved(base, reference),
            (Ok(appended.to_string()), Ok(rfc3986.to_string())),
            "{base} {reference}"
        );
    }
    for (base, reference, error) in [
        ("https://{store}.example.com", "/x", "Placeholder(\"store\")"),
        ("https://a.example/{v}", "/x", "Placeholder(\"v\")"),
        ("https://a.example", "/{x}", "Placeholder(\"x\")"),
        ("a.example", "/x", "InvalidBaseUrl"),
        ("ftp://a.example", "/x", "InvalidBaseUrl"),
        ("https://a.example", "/x y", "InvalidReference"),
        ("https://a.example", "ftp://a.example/x", "InvalidReference"),
        ("https://a.example", "FILE:///etc/passwd", "InvalidReference"),
        ("https://a.example", "data:,x", "InvalidReference"),
        ("https://a.example", "/\\\\evil.test", "InvalidReference"),
        ("https://a.example", "\\\\\\\\evil.test", "InvalidReference"),
    ] {
        let error = Err(error.to_string());
        assert_eq!(resolved(base, reference), (error.clone(), error), "{base} {reference}");
    }
    assert!(manifest("{}").resolve_detail_url(Text::plain(b"/x"), &mut [0; 64]).is_err());
    let manifest = manifest(r#"{"base_url": "https:\/\/a.example\/v1"}"#);
    let (reference, mut buffer) = (Text::json(br"\/x"), [0; 22]);
    assert_eq!(
        manifest.resolve_detail_url(reference, &mut [0; 21]),
        Err(RequestError::BufferTooSmall { needed: 22 })
    );
    assert_eq!(manifest.resolve_detail_url(reference, &mut buffer), Ok("https://a.example/v1/x"));
}

#[test]
fn searches_are_form_encoded() {
    let mut buffer = [0; 128];
    for (registry, words, expected) in [
        (
            "https://r.example",
            "send+email & more/ü",
            "https://r.example/api/discover?q=send%2Bemail+%26+more%2F%C3%BC",
        ),
        (
            "https://r.example/base/?x",
            "a_b-c.d*~",
            "https://r.example/base/api/discover?q=a_b-c.d*%7E",
        ),
        ("http://localhost:8080", "", "http://localhost:8080/api/discover?q="),
    ] {
        assert_eq!(search_url(registry, words, &mut buffer), Ok(expected));
        assert_eq!(
            search_url(registry, words, &mut []),
            Err(RequestError::BufferTooSmall { needed: expected.len() })
        );
    }
    assert_eq!(search_url("r.example", "x", &mut buffer), Err(RequestError::InvalidBaseUrl));
}

#[test]
fn placeholders_are_filled_by_arguments() {
    let filled = |base: &str, reference: &str, value: &str| {
        let text = format!(r#"{{"base_url": "{base}"}}"#);
        let arguments = [
            Argument { name: "shop", value: ArgumentValue::Text(value) },
            Argument { name: "other", value: ArgumentValue::Text("unused") },
        ];
        let (reference, mut buffer) = (Text::plain(reference.as_bytes()), [0; 256]);
        manifest(&text)
            .resolve_filled(reference, &arguments, false, &mut buffer)
            .map(str::to_string)
            .map_err(|error| format!("{error:?}"))
    };
    for (base, reference, value, expected) in [
        ("https://{shop}.a.example", "/x", "mugs", "https://mugs.a.example/x"),
        ("https://{shop}", "/x", "mugs.example", "https://mugs.example/x"),
        ("https://a.example/{shop}", "/x", "a b/c", "https://a.example/a%20b%2Fc/x"),
        ("https://a.example", "/{shop}/x", "é?", "https://a.example/%C3%A9%3F/x"),
        ("https://a.example", "//{shop}/x", "b.test", "https://b.test/x"),
        ("https://{shop}.a.example/v1", "/v1/{shop}", "m", "https://m.a.example/v1/m"),
    ] {
        assert_eq!(filled(base, reference, value), Ok(expected.to_string()), "{base} {reference}");
    }
    // In the host, a value is a name.
    for value in [
        "",
        "evil.test/",
        "evil.test#",
        "a@evil.test",
        "a:1",
        "a b",
        ".a",
        "a.",
        "a..b",
        "-a",
        "é",
        "%2e",
    ] {
        assert_eq!(
            filled("https://{shop}.a.example", "/x", value),
            Err("InvalidArgument(0)".to_string()),
            "{value}"
        );
    }
    for value in ["", ".", ".."] {
        assert_eq!(
            filled("https://a.example/{shop}/", "/x", value),
            Err("InvalidArgument(0)".to_string())
        );
    }
    assert_eq!(
        filled("https://{store}.a.example", "/x", "m"),
        Err("Placeholder(\"store\")".to_string())
    );
}
