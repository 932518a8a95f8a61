//! Finds the agents that the name of a policy refers to (Internet-Draft section 2.7).
//!
//! A name is the first word of a User-Agent, or `*`. Documents also contain several names in one
//! value, separated by commas or semicolons, names in quotes, and whole User-Agents. A word after
//! the first word, or in brackets, may be another agent or a description.

use crate::syntax::text::{Chars, Text};

/// What the name of a policy says about an agent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Named {
    /// The number of agents that it names, including `*`. If it is 0, the policy could be for any
    /// agent.
    pub(crate) agents: u32,
    /// It names all agents.
    pub(crate) any: bool,
    /// It names the agent.
    pub(crate) this: bool,
    /// Another word, which may be a name or a description, is the name of the agent.
    pub(crate) perhaps: bool,
}

impl Named {
    /// Reads the name of a policy for the agent with a product token. Versions and letter case are
    /// ignored. Linear.
    pub(crate) fn of(name: Text<'_>, product: Text<'_>) -> Self {
        let mut named = Self::default();
        let mut word = Word::new(product);
        let (mut is_first, mut in_brackets) = (true, false);
        for c in name.chars().chain([',']) {
            if is_part(c) {
                word.add(c);
                continue;
            }
            let word = core::mem::replace(&mut word, Word::new(product));
            if word.is_name() {
                named.agents = named.agents.saturating_add(u32::from(!in_brackets));
                named.any |= word.is_any && !in_brackets;
                // A word directly before `#` may be the whole name or only a part of it.
                let is_clear = is_first && !in_brackets && c != '#';
                if word.is_product() {
                    (named.this, named.perhaps) =
                        (named.this | is_clear, named.perhaps | !is_clear);
                }
                is_first = false;
            }
            match c {
                ',' | ';' => is_first = true,
                '(' => in_brackets = true,
                ')' => in_brackets = false,
                _ => {}
            }
        }
        named
    }
}

/// True if a character is part of a word. Quotes, brackets and invisible characters are not.
fn is_part(c: char) -> bool {
    match c {
        ',' | ';' | '#' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '"' | '\'' | '`' => false,
        '\u{2000}'..='\u{206f}' | '\u{3000}' | '\u{3164}' | '\u{feff}' | '\u{e0000}'.. => false,
        _ => c.is_ascii_graphic() || c >= '\u{c0}',
    }
}

/// A word, compared with a product token.
struct Word<'p> {
    /// The rest of the product token. `None` if the word differs from the product token.
    product: Option<Chars<'p>>,
    has_letter: bool,
    is_any: bool,
    /// The rest of the word is ignored: it is a version, or it follows `*`.
    is_over: bool,
}

impl<'p> Word<'p> {
    fn new(product: Text<'p>) -> Self {
        Self { product: Some(product.chars()), has_letter: false, is_any: false, is_over: false }
    }

    fn add(&mut self, c: char) {
        if self.is_over {
            return;
        }
        match c {
            '/' => self.is_over = true,
            '*' => (self.is_over, self.is_any) = (true, !self.has_letter),
            _ => {
                self.has_letter |= c.is_ascii_alphanumeric() || !c.is_ascii();
                let lower = |c: char| c.to_ascii_lowercase();
                self.product = self.product.take().and_then(|mut rest| {
                    (rest.next().map(lower) == Some(lower(c))).then_some(rest)
                });
            }
        }
    }

    const fn is_name(&self) -> bool {
        self.has_letter || self.is_any
    }

    fn is_product(&self) -> bool {
        self.has_letter && self.product.as_ref().is_some_and(|rest| rest.clone().next().is_none())
    }
}
