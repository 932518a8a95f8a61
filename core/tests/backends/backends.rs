//! All back ends return the same tokens, the same errors at the same offsets and the same views as
//! the scalar one.

use agentsdisc_core::scan::{Backend, force};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::{Format, Limits, ParseOptions};
use proptest::prelude::*;

use crate::one_at_a_time;
use crate::received::{model, received};
use crate::tokens::tokens;

fn available() -> impl Iterator<Item = Backend> {
    Backend::ALL.iter().copied().filter(|backend| backend.is_available())
}

/// Without this test, the comparisons could pass because there is only one back end.
#[test]
fn the_targets_back_end_is_available() {
    let expected = match std::env::consts::ARCH {
        _ if cfg!(agentsdisc_scalar) => None,
        "x86_64" => Some(Backend::Sse2),
        "aarch64" if cfg!(target_feature = "neon") => Some(Backend::Neon),
        _ => None,
    };
    let found: Vec<Backend> = available().collect();
    assert!(found.contains(&Backend::Scalar));
    assert_eq!(found.len() > 1, expected.is_some(), "{found:?}");
    assert!(expected.is_none_or(|backend| found.contains(&backend)), "{found:?}");
}

fn options(format: Format) -> ParseOptions<'static> {
    ParseOptions { format: Some(format), ..ParseOptions::default() }
}

fn compare(text: &[u8]) {
    force(Some(Backend::Scalar));
    let json = options(Format::AgentsJson);
    let (plain, plain_model) = (tokens(text, 256), model(text, &json));
    for backend in available() {
        assert!(force(Some(backend)));
        assert_eq!(tokens(text, 256), plain, "{backend:?}: {:?}", String::from_utf8_lossy(text));
        assert_eq!(
            model(text, &json),
            plain_model,
            "{backend:?}: {:?}",
            String::from_utf8_lossy(text)
        );
    }
    force(None);
}

/// Constructs that the border of a block may split, valid and invalid.
const CONSTRUCTS: &[&str] = &[
    r#""abc""#,
    r#""a\"b""#,
    r#""\\""#,
    r#""\\\\\\\"\\""#,
    r#""\u00e9\ud83d\ude00""#,
    r#""grüße""#,
    "-12.5e+10",
    "true",
    "false",
    "null",
    r#"{"a":[1,{"b":"]}"}],"c":{}}"#,
    "[ ]",
    "{ }",
    "\"a\tb\"",
    "\"a\\qb\"",
    "\"\\u12g4\"",
    "\"open",
    "tru",
    "truex",
    "01",
    "1.",
    "1@",
    "\\\"a\"",
    "1\\\"a\"",
    "\u{1a}",
    "\u{c}",
    "[1,]",
    "{\"a\" 1}",
    "{\"a\"x:1}",
    "[1}",
    "\"a\"\"b\"",
    "12\"a\"",
    "]",
];

#[test]
fn every_construct_is_read_at_every_offset() {
    let _lock = one_at_a_time();
    for construct in CONSTRUCTS {
        for offset in 0..64 {
            let blanks = " ".repeat(offset);
            compare(format!("{blanks}{construct}").as_bytes());
            compare(format!("[{blanks}{construct} , \"x\"]").as_bytes());
            compare(
                format!("{{\"capabilities\":[{{\"description\":\"{}\",\"id\":{construct}}},{{\"id\":\"b\"}}]}}", "y".repeat(offset))
                    .as_bytes(),
            );
        }
    }
}

/// Open containers are tracked over more levels than a word has bits.
#[test]
fn every_level_needs_its_own_bracket() {
    let _lock = one_at_a_time();
    for depth in [1, 2, 63, 64, 65, 127, 128, 129, 192, 255, 256] {
        for pattern in [0b1, 0b0, 0b10, 0b1101_0010_u64] {
            let object = |level: usize| pattern >> (level % 8) & 1 == 1;
            let open: String =
                (0..depth).map(|level| if object(level) { "{\"a\":" } else { "[" }).collect();
            let close: Vec<u8> =
                (0..depth).rev().map(|level| if object(level) { b'}' } else { b']' }).collect();
            let text = [open.as_bytes(), b"1", &close].concat();
            compare_tokens(&text, true);
            for wrong in [0, 1, depth / 2, depth - 1] {
                let mut text = text.clone();
                let place = open.len() + 1 + wrong.min(depth - 1);
                text[place] = if text[place] == b'}' { b']' } else { b'}' };
                compare_tokens(&text, false);
            }
        }
    }
}

fn compare_tokens(text: &[u8], valid: bool) {
    force(Some(Backend::Scalar));
    let plain = tokens(text, 256);
    assert_eq!(plain.1.is_none(), valid, "{:?}", String::from_utf8_lossy(text));
    for backend in available() {
        assert!(force(Some(backend)));
        assert_eq!(tokens(text, 256), plain, "{backend:?}: {:?}", String::from_utf8_lossy(text));
    }
    force(None);
}

#[test]
fn every_line_is_read_at_every_offset() {
    let _lock = one_at_a_time();
    let block = "Capability: a\n  Endpoint: https://a.example\r\n  Param: q (query, string) - w\r\tParam : r\n  odd\n # x: y\n:\n\nAgent:*\n  Rate-Limit:1/day";
    for offset in 0..64 {
        for length in [0, 40, 900, 1000] {
            let text = format!(
                "#{}\n{block}\nAllow: /{}\n{block}",
                "-".repeat(offset),
                ":".repeat(length)
            );
            for limit in [80, 4096] {
                let options = ParseOptions {
                    limits: Limits { line: limit, ..Limits::default() },
                    ..options(Format::AgentsTxt)
                };
                let said =
                    || (received(text.as_bytes(), &options), model(text.as_bytes(), &options));
                force(Some(Backend::Scalar));
                let plain = said();
                assert_eq!(
                    (plain.0.is_err(), plain.1.is_err()),
                    (limit < length, limit < length),
                    "{plain:?}"
                );
                for backend in available() {
                    assert!(force(Some(backend)));
                    assert_eq!(said(), plain, "{backend:?}: {text:?}");
                }
            }
        }
    }
    force(None);
}

#[test]
fn state_is_kept_between_batches() {
    let _lock = one_at_a_time();
    for length in 1000..1050 {
        compare(
            format!("[\"{}\\\"x\", 1, \"{}\"]", "a".repeat(length), "\\\\".repeat(600)).as_bytes(),
        );
        compare(format!("[{}1, \"{}", " ".repeat(length), "b".repeat(1030)).as_bytes());
        compare(format!("[{}\u{1}", "12,".repeat(length)).as_bytes());
    }
}

#[test]
fn containers_end_at_the_same_offset_in_every_back_end() {
    let _lock = one_at_a_time();
    for depth in 1..30 {
        let inner = format!("{}\"]}}\\\"[\"{}", "[{\"a\":".repeat(depth), "}]".repeat(depth));
        let text = format!("{{\"x\":{inner},\"y\":2}}");
        for backend in available() {
            force(Some(backend));
            let value =
                Value::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(value.get("x").unwrap().raw(), inner.as_bytes(), "{backend:?}");
            assert_eq!(value.get("y").unwrap().raw(), b"2", "{backend:?}");
        }
        force(None);
    }
}

proptest! {
    #[test]
    fn any_text_of_json_bytes_is_read_alike(text in proptest::collection::vec(prop::sample::select(br#"{}[]":,\ tfn0123e.-xu"#.to_vec()), 0..300)) {
        let _lock = one_at_a_time();
        compare(&text);
    }

    #[test]
    fn any_text_with_a_valid_beginning_is_read_alike(text in "\\{(\"[a-z\\\\\"]{0,70}\":(\"[^\"\\\\]{0,90}\"|[0-9]{1,70}|\\[\\]|[ \n]{0,70}true),[ \n]{0,5}){0,6}[}\" a]{0,3}") {
        let _lock = one_at_a_time();
        compare(text.as_bytes());
    }
}
