//! All tokens of a JSON text, read in all possible ways, for the tests and the fuzz target.
#![allow(unreachable_pub, clippy::panic)]

use agentsdisc_core::Error;
use agentsdisc_core::syntax::json::{Token, TokenKind, Tokenizer};

/// A token's kind, span, text, and whether it has escapes.
pub type Seen = (TokenKind, u32, u32, Option<(String, bool)>);
pub type Tokens = (Vec<Seen>, Option<Error>);

fn seen(token: Token<'_>) -> Seen {
    (
        token.kind,
        token.span.start,
        token.span.end,
        token.text().map(|text| (text.to_string(), text.is_escaped())),
    )
}

/// Returns all tokens: `asked` tokens one by one, the rest with a callback.
fn tokens_after(text: &[u8], depth: usize, asked: usize) -> Tokens {
    let mut tokens = Tokenizer::with_depth(text, depth);
    let mut found = Vec::new();
    for _ in 0..asked {
        match tokens.next_token() {
            Ok(None) => return (found, None),
            Ok(Some(token)) => found.push(seen(token)),
            Err(error) => {
                assert_eq!(tokens.next_token().err(), Some(error), "the same error again");
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

/// Returns all tokens, and checks that all ways to read them agree.
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
