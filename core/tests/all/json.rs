//! Compares the JSON tokenizer with serde_json, and checks the exact offsets of its errors.
use agentsdisc_core::ErrorKind;
use agentsdisc_core::syntax::json::{Kind, Token, TokenKind, Tokenizer, Value};
use proptest::prelude::*;

/// Converts a value of the library to serde_json's type.
fn rebuild(value: Value<'_>) -> serde_json::Value {
    match value.kind() {
        Kind::Null => serde_json::Value::Null,
        Kind::Bool => value.as_bool().unwrap().into(),
        Kind::Number => serde_json::from_str(value.as_number().unwrap().as_str()).unwrap(),
        Kind::String => value.as_text().unwrap().to_string().into(),
        Kind::Array => value.elements().map(rebuild).collect(),
        Kind::Object => value
            .members()
            .map(|m| (m.name.to_string(), rebuild(m.value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
    }
}

/// Converts tokens to a value; `token` is its first.
fn rebuild_tokens<'a>(tokens: &mut Tokenizer<'a>, token: Token<'a>) -> serde_json::Value {
    match token.kind {
        TokenKind::Null => serde_json::Value::Null,
        TokenKind::True => true.into(),
        TokenKind::False => false.into(),
        TokenKind::Number => serde_json::from_str(token.number().unwrap().as_str()).unwrap(),
        TokenKind::String => token.text().unwrap().to_string().into(),
        TokenKind::ArrayStart => {
            let mut items = Vec::new();
            loop {
                let token = tokens.next_token().unwrap().unwrap();
                if token.kind == TokenKind::ArrayEnd {
                    return items.into();
                }
                items.push(rebuild_tokens(tokens, token));
            }
        }
        TokenKind::ObjectStart => {
            let mut map = serde_json::Map::new();
            loop {
                let name = tokens.next_token().unwrap().unwrap();
                if name.kind == TokenKind::ObjectEnd {
                    return map.into();
                }
                assert_eq!(name.kind, TokenKind::Name);
                let token = tokens.next_token().unwrap().unwrap();
                map.insert(name.text().unwrap().to_string(), rebuild_tokens(tokens, token));
            }
        }
        other => panic!("{other:?} begins no value"),
    }
}

fn compare(text: &[u8]) {
    let theirs = serde_json::from_slice::<serde_json::Value>(text);
    let ours = Value::parse(text);
    match (&ours, &theirs) {
        (Ok(ours), Ok(theirs)) => {
            assert_eq!(rebuild(*ours), *theirs);
            let mut tokens = Tokenizer::new(text);
            let first = tokens.next_token().unwrap().unwrap();
            let again = rebuild_tokens(&mut tokens, first);
            assert!(tokens.next_token().unwrap().is_none());
            assert_eq!(again, *theirs);
        }
        (Err(_), Err(_)) => {}
        (Ok(_), Err(error)) => {
            // serde_json rejects lone surrogates and numbers beyond a double, which the grammar
            // permits.
            let why = error.to_string();
            assert!(
                why.contains("surrogate")
                    || why.contains("out of range")
                    || why.contains("hex escape"),
                "{why}: {}",
                String::from_utf8_lossy(text)
            );
        }
        (Err(error), Ok(_)) => panic!("{error}: {}", String::from_utf8_lossy(text)),
    }
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        (-1e6..1e6f64).prop_map(Into::into),
        "[a-z\"\\\\/\n\u{e9}\u{1f600} ]{0,20}".prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            proptest::collection::vec(("[a-z\\\\\"]{0,9}", inner), 0..6).prop_map(|members| {
                members.into_iter().collect::<serde_json::Map<_, _>>().into()
            }),
        ]
    })
}

proptest! {
    #[test]
    fn values_equal_those_of_serde_json(value in json()) {
        compare(serde_json::to_string(&value).unwrap().as_bytes());
        compare(serde_json::to_string_pretty(&value).unwrap().as_bytes());
    }

    #[test]
    fn damaged_text_is_rejected_like_by_serde_json(value in json(), at in any::<prop::sample::Index>(), byte in prop::sample::select(br#"{}[]":,\u0dnt1-+.eE x"#.to_vec())) {
        let mut text = serde_json::to_vec(&value).unwrap();
        let at = at.index(text.len());
        text[at] = byte;
        compare(&text);
        text.truncate(at);
        compare(&text);
    }

    #[test]
    fn any_bytes_give_a_result(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        compare(&bytes);
    }
}

fn error_at(text: &str) -> (&'static str, usize) {
    let error = Value::parse(text.as_bytes()).unwrap_err();
    (error.kind.as_str(), error.offset)
}

#[test]
fn errors_have_the_first_offset_that_no_document_continues() {
    for (text, offset) in [
        ("", 0),
        ("  ", 2),
        ("{", 1),
        ("[1,", 3),
        ("[1 2]", 3),
        ("[1,]", 3),
        ("{,}", 1),
        ("{\"a\"}", 4),
        ("{\"a\" 1}", 5),
        ("{\"a\":}", 5),
        ("{\"a\":1,}", 7),
        ("{\"a\":1]", 6),
        ("[1}", 2),
        ("01", 1),
        ("1.}", 2),
        ("1.", 2),
        ("-x", 1),
        ("+1", 0),
        ("1e+", 3),
        ("1ex", 2),
        ("tru}", 3),
        ("truex", 4),
        ("tru", 3),
        ("\"a\nb\"", 2),
        ("\"a\\qb\"", 2),
        ("\"\\u12\"", 1),
        ("\"\\u12", 5),
        ("\"\\", 2),
        ("\"abc", 4),
        ("{} x", 3),
        ("'a'", 0),
        ("[\"\\ud800\\n\",\u{1}]", 12),
    ] {
        assert_eq!(error_at(text), ("invalid-json", offset), "{text:?}");
    }
    assert_eq!(Value::parse(b"\"\xff\"").unwrap_err().kind, ErrorKind::InvalidUtf8);
}

#[test]
fn nesting_is_bounded_by_the_limit() {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert!(Value::parse(deep(64).as_bytes()).is_ok());
    assert_eq!(error_at(&deep(65)), ("too-deep", 64));
    assert_eq!(error_at(&deep(100_000)), ("too-deep", 64));
    let text = deep(256);
    let mut tokens = Tokenizer::with_depth(text.as_bytes(), 1000);
    while let Some(token) = tokens.next_token().unwrap() {
        assert!(token.span.end <= 512);
    }
    let text = deep(257);
    let mut tokens = Tokenizer::with_depth(text.as_bytes(), 1000);
    let error = loop {
        if let Err(error) = tokens.next_token() {
            break error;
        }
    };
    assert_eq!((error.kind, error.offset), (ErrorKind::TooDeep, 256));
    assert_eq!(tokens.next_token().unwrap_err(), error);
}

#[test]
fn a_tokenizer_has_a_bounded_size() {
    assert!(size_of::<Tokenizer<'_>>() <= 512);
}

#[test]
fn integers_are_integers_in_any_notation() {
    let number = |text: &str| Value::parse(text.as_bytes()).unwrap().as_number().unwrap().as_i64();
    for (text, value) in [
        ("0", Some(0)),
        ("-0", Some(0)),
        ("60.0", Some(60)),
        ("6e1", Some(60)),
        ("600e-1", Some(60)),
        ("0.06E+3", Some(60)),
        ("0.6", None),
        ("605e-1", None),
        ("9223372036854775807", Some(i64::MAX)),
        ("-9223372036854775808", Some(i64::MIN)),
        ("9223372036854775808", None),
        ("1e400", None),
        ("0e400", Some(0)),
        ("1e-400", None),
        ("0e-99999999999999999999", Some(0)),
        ("1e99999999999999999999", None),
    ] {
        assert_eq!(number(text), value, "{text}");
    }
}

/// Reads the files of JSONTestSuite, if `AGENTSDISC_JSON_TEST_SUITE` names its folder: `y_` must be
/// accepted, `n_` must be rejected, `i_` may be either.
#[test]
fn files_of_the_test_suite_are_read_or_rejected() {
    let Some(folder) = std::env::var_os("AGENTSDISC_JSON_TEST_SUITE") else {
        eprintln!("skipped: AGENTSDISC_JSON_TEST_SUITE names no folder of JSONTestSuite");
        return;
    };
    let folder = std::path::PathBuf::from(folder);
    let parsing = folder.join("test_parsing");
    let folder = if parsing.is_dir() { parsing } else { folder };
    let (mut count, mut failures) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let expected = match name.as_bytes() {
            [b'y', b'_', ..] => Some(true),
            [b'n', b'_', ..] => Some(false),
            [b'i', b'_', ..] => None,
            _ => continue,
        };
        count += 1;
        let read = Value::parse(&std::fs::read(path).unwrap()).is_ok();
        if expected.is_some_and(|expected| expected != read) {
            failures.push(name);
        }
    }
    println!("{count} files");
    assert!(count > 0, "no files whose names begin with y_, n_ or i_");
    assert!(failures.is_empty(), "{failures:#?}");
}
