//! The body of a request, and how the example of the detail determines it.

use super::*;

const POST: &str = r#""method": "POST", "endpoint": "/x""#;

/// A detail with parameters and an example.
fn with_example(parameters: &str, example: &str) -> String {
    format!(r#"{{{POST}, "parameters": [{parameters}], "request_example": {example}}}"#)
}

/// The content type and the body of a request.
fn sent(detail: &str, arguments: &[Argument<'_>]) -> Result<String, String> {
    let wire = call(detail, arguments)?;
    let start = "POST https://api.example.com/v1/x|Content-Type: ";
    Ok(wire.strip_prefix(start).unwrap_or(&wire).to_string())
}

#[test]
fn the_body_has_the_type_of_the_example() {
    let parameters = r#"{"name": "a b"}, {"name": "c", "type": "array"}"#;
    let arguments = [text("a b", "1 &=~*\n"), json("c", r#"[1, "x"]"#)];
    let object = r#"{"a b":"1 &=~*\n","c":[1, "x"]}"#;
    for (example, expected) in [
        (r#"{}"#, format!("application/json||{object}")),
        (r#""text""#, format!("application/json||{object}")),
        (
            r#"{"headers": {"content-TYPE": "application/vnd.api+json; v=1"}}"#,
            format!("application/vnd.api+json; v=1||{object}"),
        ),
        (
            r#"{"headers": {"Content-Type": "Application/X-WWW-Form-Urlencoded; charset=utf-8"}}"#,
            "application/x-www-form-urlencoded||a+b=1+%26%3D%7E*%0A&c=%5B1%2C+%22x%22%5D"
                .to_string(),
        ),
        (
            r#"{"headers": {"Content-Type": "text/csv"}, "body": {"a": 1}}"#,
            format!("text/csv||{object}"),
        ),
        // What no header can contain is not sent.
        (
            r#"{"headers": {"Content-Type": "text/plain\r\nX-Evil: 1"}}"#,
            format!("application/json||{object}"),
        ),
        (
            r#"{"headers": {"Content-Type": "text/a", "content-type": "application/json"}}"#,
            format!("application/json||{object}"),
        ),
    ] {
        assert_eq!(sent(&with_example(parameters, example), &arguments), Ok(expected), "{example}");
    }
    // A body of one value.
    let plain = with_example(parameters, r#"{"headers": {"Content-Type": "text/plain"}}"#);
    assert_eq!(sent(&plain, &arguments), Err("UnplacedArgument(1)".to_string()));
    assert_eq!(sent(&plain, &arguments[..1]), Ok("text/plain||1 &=~*\n".to_string()));
    let list = with_example(
        parameters,
        r#"{"headers": {"Content-Type": "application/json-patch+json"}, "body": [{}]}"#,
    );
    assert_eq!(
        sent(&list, &arguments[1..]),
        Ok(r#"application/json-patch+json||[1, "x"]"#.to_string())
    );
    assert_eq!(sent(&list, &arguments), Err("UnplacedArgument(1)".to_string()));
    // Without a body there is no type.
    assert_eq!(call(&plain, &[]).unwrap(), "POST https://api.example.com/v1/x");
}

#[test]
fn the_boundary_of_a_multipart_body_is_in_no_value() {
    let detail = with_example(
        r#"{"name": "a\"\r\nb", "in": "body"}, {"name": "c", "type": "File"}"#,
        r#"{"headers": {"Content-Type": "multipart/form-data"}}"#,
    );
    let both = [text("a\"\r\nb", "1"), text("c", "line\r\nline")];
    let boundary = "agentsdisc-0000000000000000";
    assert_eq!(
        sent(&detail, &both).unwrap(),
        format!(
            "multipart/form-data; boundary={boundary}||--{boundary}\r\nContent-Disposition: form-data; name=\"a%22%0D%0Ab\"\r\n\r\n1\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"c\"; filename=\"c\"\r\n\r\nline\r\nline\r\n--{boundary}--\r\n"
        )
    );
    for (value, number) in [
        ("agentsdisc-0000000000000000", "0000000000000001"),
        ("aagentsdisc-agentsdisc-00000000000000410", "0000000000000042"),
        ("agentsdisc-000000000000004agentsdisc-0000000000000007", "0000000000000008"),
        ("agentsdisc-12", "0000000000000000"),
    ] {
        let wire = sent(&detail, &[text("c", value)]).unwrap();
        assert!(
            wire.starts_with(&format!("multipart/form-data; boundary=agentsdisc-{number}||")),
            "{value} {wire}"
        );
    }
    let last = text("c", "agentsdisc-9999999999999999");
    assert_eq!(sent(&detail, &[last]), Err("InvalidArgument(0)".to_string()));
}

#[test]
fn defaults_of_required_parameters_are_sent() {
    let detail = r#"{"method": "POST", "endpoint": "/{version}/x", "parameters": [
        {"name": "version", "default": "v 2"}, {"name": "lang", "required": true, "in": "query", "default": "en"},
        {"name": "X-Mode", "required": true, "in": "header", "default": "fast"}, {"name": "size", "required": true, "default": 10},
        {"name": "color", "default": "red"}, {"name": "q", "required": true, "default": null}]}"#;
    assert_eq!(call(detail, &[]), Err("MissingArgument(\"q\")".to_string()));
    assert_eq!(
        call(detail, &[text("q", "a")]).unwrap(),
        "POST https://api.example.com/v1/v%202/x?lang=en|Content-Type: application/json|X-Mode: fast||{\"q\":\"a\",\"size\":10}"
    );
    let all = [
        text("q", "a"),
        text("version", "v3"),
        text("lang", "de"),
        text("X-Mode", "slow"),
        json("size", "1"),
    ];
    assert_eq!(
        call(detail, &all).unwrap(),
        "POST https://api.example.com/v1/v3/x?lang=de|Content-Type: application/json|X-Mode: slow||{\"q\":\"a\",\"size\":1}"
    );
    // The last one of a name counts, and a default that cannot be sent is none.
    for parameters in [
        r#"{"name": "a", "required": true, "default": 1}, {"name": "a", "required": true}"#,
        r#"{"name": "a", "required": true, "in": "header", "default": "x\ny"}"#,
        r#"{"name": "a", "required": true, "in": "cookie", "default": "x"}"#,
    ] {
        assert_eq!(
            call(&with_example(parameters, "{}"), &[]),
            Err("MissingArgument(\"a\")".to_string()),
            "{parameters}"
        );
    }
    let twice = r#"{"name": "a", "required": true, "default": 1}, {"name": "a", "required": true, "default": 2}"#;
    assert_eq!(sent(&with_example(twice, "{}"), &[]).unwrap(), r#"application/json||{"a":2}"#);
    // Header names ignore letter case.
    let headers =
        r#"{"name": "X-A"}, {"name": "x-a", "required": true, "in": "header", "default": "1"}"#;
    assert_eq!(
        call(&with_example(headers, "{}"), &[text("X-A", "2")]),
        Err("MissingArgument(\"x-a\")".to_string())
    );
    let many = (0..40)
        .map(|n| format!(r#"{{"name": "p{n}", "required": true, "default": {n}}}"#))
        .collect::<Vec<_>>()
        .join(",");
    assert_eq!(call(&with_example(&many, "{}"), &[]), Err("MissingArgument(\"p32\")".to_string()));
}

#[test]
fn constant_headers_are_offered() {
    let manifest_text =
        r#"{"base_url": "https://a.example", "auth": {"type": "api_key", "header": "X-Mine"}}"#;
    let detail_text = r#"{"method": "GET", "endpoint": "/x", "parameters": [{"name": "x-lang", "in": "header"}], "request_example": {"headers": {
        "API-Version": "2024-08-13", "Accept": "application/json", "X-Lang": "en", "X-Mine": "k", "Authorization": "Bearer {token}",
        "X-Api-Key": "abc", "Content-Type": "text/plain", "Host": "a.example", "X-Shop": "{shop}", "X-Note": "YOUR_NOTE", "X-Line": "a\nb",
        "User-Agent": "Me/1.0", "X Bad": "1", "X-Number": 1, "X-Twice": "1", "x-twice": "2", "X-Account": "7"}}}"#;
    let (owner, own) = (manifest(manifest_text), detail(detail_text));
    let offered = owner
        .constant_headers(&own)
        .map(|(name, value)| format!("{}={}", name.as_str().unwrap(), value.as_str().unwrap()))
        .collect::<Vec<_>>();
    let expected = ["API-Version=2024-08-13", "Accept=application/json", "x-twice=2"];
    assert_eq!(offered, expected);
    let mut options = RequestOptions::default();
    assert_eq!(
        request(manifest_text, detail_text, &[], &options).unwrap(),
        "GET https://a.example/x"
    );
    options.constant_headers = true;
    assert_eq!(
        request(manifest_text, detail_text, &[text("x-lang", "de")], &options).unwrap(),
        "GET https://a.example/x|x-lang: de|API-Version: 2024-08-13|Accept: application/json|x-twice: 2"
    );
}

#[test]
fn null_is_absent_where_only_text_can_stand() {
    let get = r#"{"method": "GET", "endpoint": "/x", "parameters": [{"name": "n"}, {"name": "m"}, {"name": "r", "required": true, "default": 5}, {"name": "h", "in": "header"}]}"#;
    assert_eq!(
        call(
            get,
            &[json("n", "null"), json("m", "\"null\""), json("r", "null"), json("h", "null")]
        )
        .unwrap(),
        "GET https://api.example.com/v1/x?m=null&r=5"
    );
    let needed = get.replace(r#", "default": 5"#, "");
    assert_eq!(call(&needed, &[json("r", "null")]), Err("MissingArgument(\"r\")".to_string()));
    let body = r#"{"method": "POST", "endpoint": "/x", "parameters": [{"name": "n"}], "request_example": {"headers": {"Content-Type": "TYPE"}}}"#;
    let form = body.replace("TYPE", "application/x-www-form-urlencoded");
    assert_eq!(call(&form, &[json("n", "null")]).unwrap(), "POST https://api.example.com/v1/x");
    let object = body.replace("TYPE", "application/json");
    assert!(call(&object, &[json("n", "null")]).unwrap().ends_with(r#"{"n":null}"#));
    let path = r#"{"method": "GET", "endpoint": "/x/{id}", "parameters": [{"name": "id"}]}"#;
    assert_eq!(call(path, &[json("id", "null")]), Err("MissingArgument(\"id\")".to_string()));
    // The index of an error is that of the caller.
    assert_eq!(
        call(get, &[json("n", "null"), json("unknown", "1")]),
        Err("UnknownArgument(1)".to_string())
    );
}
