//! Compares the JSON tokenizer and the views with serde_json: both accept the same texts and read
//! the same values.

use agentsdisc_core::ErrorKind;
use agentsdisc_core::scan::{Backend, force};
use agentsdisc_core::syntax::json::{Kind, Token, TokenKind, Tokenizer, Value};

/// Below serde_json's own limit, so that both sides reject for the same reasons.
const DEPTH: usize = 64;

fn number(text: &str) -> Option<serde_json::Value> {
    serde_json::from_str(text).ok()
}

/// Converts views to serde_json's type; `None` if a number is beyond a double.
fn rebuild(value: Value<'_>) -> Option<serde_json::Value> {
    Some(match value.kind() {
        Kind::Null => serde_json::Value::Null,
        Kind::Bool => value.as_bool()?.into(),
        Kind::Number => number(value.as_number()?.as_str())?,
        Kind::String => value.as_text()?.to_string().into(),
        Kind::Array => value.elements().map(rebuild).collect::<Option<Vec<_>>>()?.into(),
        Kind::Object => value
            .members()
            .map(|m| Some((m.name.to_string(), rebuild(m.value)?)))
            .collect::<Option<serde_json::Map<_, _>>>()?
            .into(),
    })
}

/// Converts tokens to serde_json's type.
fn from_tokens<'a>(tokens: &mut Tokenizer<'a>, token: Token<'a>) -> Option<serde_json::Value> {
    let mut next =
        || tokens.next_token().expect("the text was accepted").expect("the text goes on");
    Some(match token.kind {
        TokenKind::Null => serde_json::Value::Null,
        TokenKind::True => true.into(),
        TokenKind::False => false.into(),
        TokenKind::Number => number(token.number()?.as_str())?,
        TokenKind::String => token.text()?.to_string().into(),
        TokenKind::ArrayStart => {
            let mut items = Vec::new();
            loop {
                let token =
                    tokens.next_token().expect("the text was accepted").expect("the text goes on");
                if token.kind == TokenKind::ArrayEnd {
                    break items.into();
                }
                items.push(from_tokens(tokens, token)?);
            }
        }
        TokenKind::ObjectStart => {
            let mut members = serde_json::Map::new();
            loop {
                let name =
                    tokens.next_token().expect("the text was accepted").expect("the text goes on");
                if name.kind == TokenKind::ObjectEnd {
                    break members.into();
                }
                let token =
                    tokens.next_token().expect("the text was accepted").expect("the text goes on");
                members.insert(name.text()?.to_string(), from_tokens(tokens, token)?);
            }
        }
        TokenKind::ObjectEnd | TokenKind::ArrayEnd | TokenKind::Name => {
            panic!("{:?} begins no value", next().kind)
        }
    })
}

/// Returns all tokens, and the result at the end.
fn tokens(bytes: &[u8]) -> (Vec<(TokenKind, u32, u32)>, Option<agentsdisc_core::Error>) {
    let mut tokens = Tokenizer::with_depth(bytes, DEPTH);
    let mut found = Vec::new();
    loop {
        match tokens.next_token() {
            Ok(Some(token)) => {
                assert!(found.last().is_none_or(|&(_, _, end)| end <= token.span.start));
                found.push((token.kind, token.span.start, token.span.end));
            }
            Ok(None) => return (found, None),
            Err(error) => {
                assert_eq!(tokens.next_token().err(), Some(error), "the error stays");
                return (found, Some(error));
            }
        }
    }
}

/// Reads one input.
pub fn run(bytes: &[u8]) {
    // All back ends return the same tokens, and the same error at the same offset, for any bytes.
    force(Some(Backend::Scalar));
    let plain = tokens(bytes);
    for &backend in Backend::ALL {
        if force(Some(backend)) {
            assert_eq!(tokens(bytes), plain, "{backend:?}");
        }
    }
    force(None);
    if std::str::from_utf8(bytes).is_err() {
        assert!(Value::parse(bytes).is_err());
        return;
    }
    let ours = Value::parse(bytes);
    let theirs = serde_json::from_slice::<serde_json::Value>(bytes);
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => {
            let views = rebuild(ours).expect("every number is a double");
            assert_eq!(views, theirs);
            let mut tokens = Tokenizer::with_depth(bytes, DEPTH);
            let first = tokens.next_token().expect("accepted").expect("a value");
            assert_eq!(from_tokens(&mut tokens, first), Some(theirs));
            assert!(tokens.next_token().expect("accepted").is_none());
        }
        (Err(_), Err(_)) => {}
        (Ok(_), Err(error)) => {
            // The grammar permits half a surrogate pair and numbers beyond a double; serde_json
            // does not.
            let why = error.to_string();
            assert!(
                why.contains("surrogate")
                    || why.contains("out of range")
                    || why.contains("hex escape"),
                "{why}"
            );
        }
        (Err(error), Ok(_)) => assert_eq!(error.kind, ErrorKind::TooDeep, "{error}"),
    }
}
