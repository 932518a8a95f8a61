//! Calls of the Agent Discovery Protocol: the request for a capability and its arguments.

mod body;

use super::adp::{detail, manifest, parse};
use agentsdisc_core::format::adp::{Argument, ArgumentValue, Header, RequestError, RequestOptions};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::{CheckOptions, Code, Format};
use proptest::prelude::*;

const MANIFEST: &str = r#"{"base_url": "https://api.example.com/v1", "auth": {"type": "api_key"}}"#;

fn text<'v>(name: &'v str, value: &'v str) -> Argument<'v> {
    Argument { name, value: ArgumentValue::Text(value) }
}

fn json<'v>(name: &'v str, value: &'v str) -> Argument<'v> {
    Argument { name, value: ArgumentValue::Json(Value::parse(value.as_bytes()).unwrap()) }
}

/// Returns the request as one text, similar to HTTP/1.1.
fn request(
    manifest_text: &str,
    detail_text: &str,
    arguments: &[Argument<'_>],
    options: &RequestOptions<'_>,
) -> Result<String, String> {
    let (manifest, detail) = (manifest(manifest_text), detail(detail_text));
    let needed = match manifest.request(&detail, arguments, options, &mut []) {
        Err(RequestError::BufferTooSmall { needed }) => needed,
        Err(error) => return Err(format!("{error:?}")),
        Ok(_) => panic!("nothing fits into nothing"),
    };
    assert!(
        manifest.request(&detail, arguments, options, &mut vec![0; needed - 1]).is_err(),
        "the size is exact"
    );
    let mut buffer = vec![0; needed];
    let request = manifest.request(&detail, arguments, options, &mut buffer).unwrap();
    let mut wire = format!("{} {}", request.method, request.url);
    request.headers.for_each(|Header { name, value }| wire += &format!("|{name}: {value}"));
    if let Some(body) = request.body {
        wire += &format!("||{body}");
    }
    Ok(wire)
}

fn call(detail: &str, arguments: &[Argument<'_>]) -> Result<String, String> {
    request(MANIFEST, detail, arguments, &RequestOptions::default())
}

#[test]
fn arguments_go_to_their_locations() {
    let get = r#"{"method": "get", "endpoint": "/plants/{id}/parts", "parameters": [
        {"name": "id", "required": true}, {"name": "q", "in": "query"}, {"name": "page"}, {"name": "X-Trace", "in": "header"}]}"#;
    let arguments =
        [text("page", "2"), text("id", "a b/ü?#"), text("q", "x&y=1+2 ~*"), text("X-Trace", "t 1")];
    assert_eq!(
        call(get, &arguments).unwrap(),
        "GET https://api.example.com/v1/plants/a%20b%2F%C3%BC%3F%23/parts?page=2&q=x%26y%3D1%2B2%20~%2A|X-Trace: t 1"
    );
    let post = r#"{"method": "POST", "endpoint": "https://api.example.com/mail?v=1#top", "parameters": [
        {"name": "to"}, {"name": "tags"}, {"name": "dry\"run"}, {"name": "lang", "location": "query"}]}"#;
    let arguments = [
        text("to", "a\n\"b\"@\u{1}"),
        json("tags", r#"["x", {"y": null}]"#),
        json("dry\"run", "true"),
        json("lang", r#""d\u0065""#),
    ];
    assert_eq!(
        request(MANIFEST, post, &arguments, &RequestOptions::with_token("k1")).unwrap(),
        "POST https://api.example.com/mail?v=1&lang=de|Authorization: Bearer k1|Content-Type: application/json||\
         {\"to\":\"a\\n\\\"b\\\"@\\u0001\",\"tags\":[\"x\", {\"y\": null}],\"dry\\\"run\":true}"
    );
    for (method, expected) in [
        ("DELETE", "?n=1"),
        ("HEAD", "?n=1"),
        ("PUT", "|Content-Type: application/json||{\"n\":1}"),
    ] {
        let detail = format!(
            r#"{{"method": "{method}", "endpoint": "/x", "parameters": [{{"name": "n"}}]}}"#
        );
        assert_eq!(
            call(&detail, &[json("n", "1")]).unwrap(),
            format!("{method} https://api.example.com/v1/x{expected}")
        );
    }
    assert_eq!(
        call(r#"{"method": "POST", "endpoint": "x?"}"#, &[]).unwrap(),
        "POST https://api.example.com/v1/x?"
    );
    // A name in braces is a parameter even if it is not declared, and a fragment is never sent.
    assert_eq!(
        call(r#"{"method": "GET", "endpoint": "/{a}/ü|#{a}"}"#, &[text("a", "1")]).unwrap(),
        "GET https://api.example.com/v1/1/%C3%BC%7C"
    );
}

#[test]
fn invalid_arguments_have_distinct_errors() {
    let detail = r#"{"method": "POST", "endpoint": "/x/{id}", "parameters": [{"name": "id", "required": true}, {"name": "to", "required": true},
        {"name": "lost", "in": "path"}, {"name": "odd", "in": "cookie"}, {"name": "X-H", "in": "header"}, {"name": "Host", "in": "header"}]}"#;
    let (id, to) = (text("id", "1"), text("to", "2"));
    for (arguments, error) in [
        (vec![], "MissingArgument(\"id\")"),
        (vec![id], "MissingArgument(\"to\")"),
        (vec![id, to, text("more", "3")], "UnknownArgument(2)"),
        (vec![id, to, to], "RepeatedArgument(2)"),
        (vec![text("lost", "1"), id, to], "UnplacedArgument(0)"),
        (vec![id, to, text("odd", "1")], "UnplacedArgument(2)"),
        (vec![text("id", ""), to], "InvalidArgument(0)"),
        (vec![text("id", ".."), to], "InvalidArgument(0)"),
        (vec![json("id", r#""\u002e""#), to], "InvalidArgument(0)"),
        (vec![id, to, text("X-H", "a\r\nb: c")], "InvalidArgument(2)"),
        (vec![id, to, text("Host", "evil.test")], "InvalidArgument(2)"),
    ] {
        assert_eq!(call(detail, &arguments), Err(error.to_string()));
    }
    assert_eq!(
        call(r#"{"method": "GET", "endpoint": "/{a}/{b}"}"#, &[text("a", "1")]),
        Err("MissingArgument(\"b\")".to_string())
    );
    for (detail, error) in [
        ("{}", "MissingMember(\"method\")"),
        (r#"{"method": "GET", "endpoint": ""}"#, "MissingMember(\"endpoint\")"),
        (r#"{"method": "GET /\r\nX: y", "endpoint": "/x"}"#, "InvalidMethod"),
        (r#"{"method": "GET", "endpoint": "https://{host}/x"}"#, "MissingArgument(\"host\")"),
        (r#"{"method": "GET", "endpoint": "ftp://h/x"}"#, "InvalidReference"),
        (
            r#"{"method": "GET", "endpoint": "https://api.example.com@evil.test/x"}"#,
            "InvalidReference",
        ),
        (r#"{"method": "GET", "endpoint": "/a b"}"#, "InvalidReference"),
    ] {
        assert_eq!(call(detail, &[]), Err(error.to_string()), "{detail}");
    }
    let host = r#"{"method": "GET", "endpoint": "https://{host}/x"}"#;
    assert_eq!(call(host, &[text("host", "evil.test")]).unwrap(), "GET https://evil.test/x");
    assert_eq!(call(host, &[text("host", "evil.test/y")]), Err("InvalidArgument(0)".to_string()));
    let base = r#"{"base_url": "https://{store}.example.com"}"#;
    assert_eq!(
        request(base, r#"{"method": "GET", "endpoint": "/x"}"#, &[], &RequestOptions::default()),
        Err("Placeholder(\"store\")".to_string())
    );
}

#[test]
fn an_argument_does_not_choose_who_gets_a_token() {
    let call = |base: &str, value: &str, options: &RequestOptions<'_>| {
        request(
            &format!(r#"{{"base_url": "https://{base}", "auth": {{"type": "api_key"}}}}"#),
            r#"{"method": "GET", "endpoint": "/x"}"#,
            &[text("shop", value)],
            options,
        )
    };
    let token = RequestOptions::with_token("k1");
    let mut trusted = token;
    trusted.trust_endpoint = true;
    for (base, value) in [
        ("{shop}", "evil.test"),
        ("{shop}.co.uk", "evil"),
        ("{shop}example.com", "evil"),
        ("example.{shop}", "evil.test"),
        ("{shop}.0.0.1", "127"),
        ("a.{shop}/example.com", "evil.test"),
    ] {
        let made = call(base, value, &token);
        assert_eq!(made, Err("CrossOrigin".to_string()), "{base}");
        assert!(call(base, value, &RequestOptions::default()).is_ok());
        assert!(call(base, value, &trusted).is_ok(), "{base}");
    }
    for base in ["{shop}.example.com", "a{shop}.eu.example.com:8443"] {
        let made = call(base, "b", &token);
        // Without the list, the registrable domain is not known.
        assert_eq!(made.is_ok(), cfg!(feature = "psl"), "{base} {made:?}");
    }
    let port = call("example.com:{shop}", "8443", &RequestOptions::default());
    assert_eq!(port, Err("InvalidBaseUrl".to_string()));
}

#[test]
fn a_token_stays_with_the_service() {
    let token = RequestOptions::with_token("k1");
    let to = |endpoint: &str, options: &RequestOptions<'_>| {
        request(
            MANIFEST,
            &format!(r#"{{"method": "GET", "endpoint": "{endpoint}"}}"#),
            &[],
            options,
        )
    };
    for endpoint in [
        "https://evil.test/x",
        "//evil.test/x",
        "https:\\/\\/evil.test",
        "https://api.example.com.evil.test/",
        "https://1.2.3.4/",
    ] {
        assert_eq!(to(endpoint, &token), Err("CrossOrigin".to_string()), "{endpoint}");
        assert!(!to(endpoint, &RequestOptions::default()).unwrap().contains('|'), "{endpoint}");
        let mut trusted = token;
        trusted.trust_endpoint = true;
        assert!(
            to(endpoint, &trusted).unwrap().ends_with("|Authorization: Bearer k1"),
            "{endpoint}"
        );
    }
    assert!(
        to("https://eu.api.example.com/x", &token).unwrap().ends_with("|Authorization: Bearer k1")
    );
    assert_eq!(to("http://api.example.com/x", &token), Err("Insecure".to_string()));
    assert_eq!(
        to("http://api.example.com/x", &RequestOptions::default()).unwrap(),
        "GET http://api.example.com/x"
    );
    // Not even if the caller permits other hosts.
    let mut trusted = token;
    trusted.trust_endpoint = true;
    for base in [
        "https://b\u{fc}cher.example",
        "https://example.com@evil.test",
        "https://u:p@example.com/api",
    ] {
        let manifest = format!(r#"{{"base_url": "{base}", "auth": {{"type": "api_key"}}}}"#);
        for endpoint in ["/x", "https://example.com/x", "https://evil.test/x"] {
            let detail = format!(r#"{{"method": "GET", "endpoint": "{endpoint}"}}"#);
            for options in [&token, &trusted] {
                let made = request(&manifest, &detail, &[], options);
                assert!(
                    matches!(
                        made.as_ref().map_err(String::as_str),
                        Err("InvalidBaseUrl" | "InvalidReference")
                    ),
                    "{base} {endpoint} {made:?}"
                );
            }
        }
        let mut buffer = [0; 64];
        let text = format!(r#"{{"base_url": "{base}", "auth": {{"type": "api_key"}}}}"#);
        assert_eq!(
            parse(&text, Format::Adp).adp().unwrap().auth_header("k1", &mut buffer),
            Err(RequestError::InvalidBaseUrl),
            "{base}"
        );
    }
    // Another port of the local machine is another program; so it is with a token.
    let local = r#"{"base_url": "http://127.0.0.1:8000", "auth": {"type": "api_key"}}"#;
    let other = r#"{"method": "GET", "endpoint": "http://127.0.0.1:9000/x"}"#;
    assert_eq!(request(local, other, &[], &token), Err("CrossOrigin".to_string()));
    assert!(request(local, other, &[], &trusted).unwrap().contains('|'));
    assert!(
        request(local, r#"{"method": "GET", "endpoint": "/x"}"#, &[], &token)
            .unwrap()
            .contains('|')
    );
    assert_eq!(to("/x", &RequestOptions::with_token("a\nb")), Err("InvalidToken".to_string()));
    let own =
        r#"{"base_url": "https://a.example", "auth": {"type": "api_key", "header": "X-Key"}}"#;
    let clash =
        r#"{"method": "GET", "endpoint": "/x", "parameters": [{"name": "x-key", "in": "header"}]}"#;
    assert_eq!(
        request(own, clash, &[text("x-key", "1")], &token),
        Err("InvalidArgument(0)".to_string())
    );
    // Also without a token, and in any spelling in the manifest.
    let escaped =
        r#"{"base_url": "https://a.example", "auth": {"type": "api_key", "header": "X\u002dKey"}}"#;
    assert_eq!(
        request(escaped, clash, &[text("x-key", "1")], &RequestOptions::default()),
        Err("InvalidArgument(0)".to_string())
    );
    let open = r#"{"base_url": "https://a.example", "auth": {"type": "none"}}"#;
    assert_eq!(
        request(open, r#"{"method": "GET", "endpoint": "/x"}"#, &[], &token).unwrap(),
        "GET https://a.example/x"
    );
}

#[test]
fn header_names_are_unique() {
    let parameters = |place: &str| {
        format!(
            r#"{{"method": "GET", "endpoint": "/x", "parameters": [{{"name": "X-A", "in": "header"}}, {{"name": "x-a", "in": "{place}"}}]}}"#
        )
    };
    let (base, both) =
        (r#"{"base_url": "https://a.example"}"#, [text("X-A", "1"), text("x-a", "2")]);
    let made = |place: &str| request(base, &parameters(place), &both, &RequestOptions::default());
    assert_eq!(made("header"), Err("RepeatedArgument(1)".to_string()));
    // In other locations they are two names.
    assert_eq!(made("query").unwrap(), "GET https://a.example/x?x-a=2|X-A: 1");
    let again = [text("X-A", "1"), text("X-A", "2")];
    assert_eq!(
        request(base, &parameters("query"), &again, &RequestOptions::default()),
        Err("RepeatedArgument(1)".to_string())
    );
}

#[test]
fn large_details_are_checked_completely() {
    let parameters = (0..5_000)
        .map(|n| format!("{{\"name\":\"p{}\",\"in\":\"path\"}}", n % 4_000))
        .collect::<Vec<_>>()
        .join(",");
    let endpoint = (0..5_000).map(|n| format!("/{{q{n}}}")).collect::<String>();
    let text = format!(
        r#"{{"name":"x","method":"GET","endpoint":"{endpoint}","parameters":[{parameters}]}}"#
    );
    let mut found = [0; 3];
    let options = CheckOptions { max: usize::MAX, ..CheckOptions::default() };
    parse(&text, Format::AdpCapability).check_with(
        &options,
        &mut vec![0; text.len()],
        |diagnostic| match diagnostic.code {
            Code::DuplicateId => found[0] += 1,
            Code::UnknownReference => found[1] += 1,
            Code::NotChecked => found[2] += 1,
            _ => {}
        },
    );
    assert_eq!(found, [1_000, 5_001, 0]);
    // Too long for a URL.
    assert_eq!(call(&text, &[]), Err("InvalidReference".to_string()));
}

#[test]
fn placeholders_of_the_base_url_are_arguments() {
    let base =
        r#"{"base_url": "https://{shop}.example.com/{version}", "auth": {"type": "api_key"}}"#;
    let detail = r#"{"method": "GET", "endpoint": "/x/{id}", "parameters": [{"name": "version", "default": "v1"}]}"#;
    let arguments = [text("shop", "mugs"), text("version", "2/3"), text("id", "7")];
    let options = RequestOptions::with_token("k1");
    // Without the list of registrable domains, nobody knows whose host an argument makes.
    let expected = if cfg!(feature = "psl") {
        Ok("GET https://mugs.example.com/2%2F3/x/7|Authorization: Bearer k1".to_string())
    } else {
        Err("CrossOrigin".to_string())
    };
    assert_eq!(request(base, detail, &arguments, &options), expected);
    assert_eq!(
        request(base, detail, &arguments, &RequestOptions::default()),
        Ok("GET https://mugs.example.com/2%2F3/x/7".to_string())
    );
    assert_eq!(
        request(base, detail, &arguments[1..], &options),
        Err("Placeholder(\"shop\")".to_string())
    );
    let hostile = [text("shop", "evil.test/"), arguments[1], arguments[2]];
    assert_eq!(request(base, detail, &hostile, &options), Err("InvalidArgument(0)".to_string()));
}

#[test]
fn a_token_follows_the_rule_of_a_decision() {
    let base = |url: &str| format!(r#"{{"base_url": "{url}", "auth": {{"type": "api_key"}}}}"#);
    let detail = r#"{"method": "GET", "endpoint": "/x"}"#;
    for (url, origin, is_sent) in [
        ("https://a.example", Some("https://a.example"), true),
        ("https://a.example", Some("https://A.EXAMPLE.:8443/page"), true),
        ("https://api.a.example", Some("https://a.example"), true),
        ("https://a.example", None, true),
        ("https://a.example", Some("https://evil.test"), false),
        ("https://a.example", Some("https://a.example.evil.test"), false),
        ("https://a.example", Some("https://u@a.example"), false),
        ("https://a.example", Some("https://a.example:0"), false),
        ("https://a.example", Some("a.example"), false),
        ("https://a.example", Some(""), false),
        ("http://127.0.0.1:80", Some("http://127.0.0.1"), true),
        ("http://127.0.0.1:81", Some("http://127.0.0.1"), false),
        ("http://localhost:81", Some("http://localhost:82"), false),
    ] {
        let mut options = RequestOptions::with_token("k1");
        options.origin = origin;
        let made = request(&base(url), detail, &[], &options);
        let sent = format!("GET {url}/x|Authorization: Bearer k1");
        let expected = if is_sent { Ok(sent.clone()) } else { Err("CrossOrigin".to_string()) };
        assert_eq!(made, expected, "{url} {origin:?}");
        options.trust_endpoint = true;
        assert_eq!(request(&base(url), detail, &[], &options), Ok(sent));
    }
}

#[test]
fn no_request_goes_to_port_0() {
    let detail = r#"{"method": "GET", "endpoint": "/x"}"#;
    for port in ["0", "00", "000000"] {
        let base = format!(r#"{{"base_url": "https://a.example:{port}"}}"#);
        assert_eq!(
            request(&base, detail, &[], &RequestOptions::default()),
            Err("InvalidBaseUrl".to_string())
        );
        let detail = format!(r#"{{"method": "GET", "endpoint": "https://a.example:{port}/x"}}"#);
        assert_eq!(call(&detail, &[]), Err("InvalidReference".to_string()));
    }
}

#[test]
fn the_base_path_is_not_repeated() {
    let to = |endpoint: &str, rfc3986: bool| {
        let mut options = RequestOptions::default();
        options.rfc3986 = rfc3986;
        let detail = format!(r#"{{"method": "GET", "endpoint": "{endpoint}"}}"#);
        request(MANIFEST, &detail, &[], &options).unwrap()
    };
    for (endpoint, appended, by_rfc) in [
        ("/x", "/v1/x", "/x"),
        ("/v1/x", "/v1/x", "/v1/x"),
        ("\\/v1\\/x", "/v1/x", "/v1/x"),
        ("/v1", "/v1", "/v1"),
        ("/v10", "/v1/v10", "/v10"),
        ("x", "/v1/x", "/x"),
        ("v1/x", "/v1/x", "/v1/x"),
    ] {
        let start = "GET https://api.example.com";
        assert_eq!(to(endpoint, false), format!("{start}{appended}"));
        assert_eq!(to(endpoint, true), format!("{start}{by_rfc}"));
    }
}

proptest! {
    /// For any arguments, the request has the expected lines, and an argument of the path is a
    /// single segment.
    #[test]
    fn arguments_are_never_syntax(id in "\\PC{0,12}|[./%\\\\?#\r\n:@]{0,6}", q in any::<String>(), body in any::<String>(), head in any::<String>()) {
        let detail = r#"{"method": "POST", "endpoint": "/a/{id}/b", "parameters": [{"name": "q", "in": "query"}, {"name": "body"}, {"name": "X-H", "in": "header"}]}"#;
        let arguments = [text("id", &id), text("q", &q), text("body", &body), text("X-H", &head)];
        match request(MANIFEST, detail, &arguments, &RequestOptions::with_token("k1")) {
            Err(error) => prop_assert!(error == "InvalidArgument(0)" || error == "InvalidArgument(3)"),
            Ok(_) => {
                let (manifest, detail) = (manifest(MANIFEST), self::detail(detail));
                let mut buffer = vec![0; 1 << 16];
                let request = manifest.request(&detail, &arguments, &RequestOptions::with_token("k1"), &mut buffer).unwrap();
                let url = agentsdisc_core::syntax::url::Url::parse(request.url.as_bytes()).unwrap();
                prop_assert_eq!(url.host(), "api.example.com");
                let segments = url.path().split('/').collect::<Vec<_>>();
                prop_assert_eq!((segments.len(), segments[1], segments[2], segments[4]), (5, "v1", "a", "b"));
                prop_assert!(url.fragment().is_none() && !matches!(segments[3], "" | "." | ".."));
                prop_assert_eq!(url.query().unwrap().matches(['&', '=']).count(), 1);
                prop_assert!(request.headers.map(|header| header.name).eq(["Authorization", "Content-Type", "X-H"]));
                let sent: serde_json::Value = serde_json::from_str(request.body.unwrap()).unwrap();
                prop_assert_eq!(sent, serde_json::json!({"body": body}));
            }
        }
    }
}
