//! All tokens of a JSON text, taken in every way there is: for the tests, and for the fuzz target.
#![allow(unreachable_pub, clippy::panic)]

use agentsdisc_core::Error;
use agentsdisc_core::syntax::json::{Token, TokenKind, Tokenizer};

/// A token's kind, place, text, and whether it says that it holds escapes.
pub type Seen = (TokenKind, u32, u32, Option<(String, bool)>);
pub type Tokens = (Vec<Seen>, Option<Error>);

fn seen(token: Token<'_>) -> Seen {
    (
        token.kind,
        token.span.start,
        token.span.end,
        token
            .text()
            .map(|text| (text.to_string(), text.is_escaped())),
    )
}

/// Every token: the first `asked` of them asked for, the rest given to a function.
fn tokens_after(text: &[u8], depth: usize, asked: usize) -> Tokens {
    let mut tokens = Tokenizer::with_depth(text, depth);
    let mut found = Vec::new();
    for _ in 0..asked {
        match tokens.next_token() {
            Ok(None) => return (found, None),
            Ok(Some(token)) => found.push(seen(token)),
            Err(error) => {
                assert_eq!(
                    tokens.next_token().err(),
                    Some(error),
                    "the same error again"
                );
                assert_eq!(
                    tokens.for_each(|token| panic!("{token:?} behind an error")),
                    Err(error)
                );
                return (found, Some(error));
            }
        }
    }
    let error = tokens.for_each(|token| found.push(seen(token))).err();
    assert_eq!(
        tokens.next_token().map(|token| token.is_none()),
        error.map_or(Ok(true), Err),
        "nothing follows the end"
    );
    (found, error)
}

/// Every token, however it is asked for.
pub fn tokens(text: &[u8], depth: usize) -> Tokens {
    let all = tokens_after(text, depth, usize::MAX);
    for asked in [0, 1, 2, all.0.len() / 2, all.0.len()] {
        assert_eq!(
            tokens_after(text, depth, asked),
            all,
            "{asked} asked for: {:?}",
            String::from_utf8_lossy(text)
        );
    }
    all
}
