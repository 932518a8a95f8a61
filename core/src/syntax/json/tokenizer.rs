//! The validating pull tokenizer.
//!
//! Does not check UTF-8: the creator of a `Tokenizer` guarantees that the text is UTF-8, or accepts
//! strings with any bytes.

use crate::error::Error;
use crate::limits::Limits;
use crate::scan;
use crate::span::Span;
use crate::syntax::text::Text;

use super::locate::{Locate, Masks, Words};
use super::machine::{Core, Sink, Step};
use super::record::{Holds, Slot};
use super::value::Number;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// `{`
    ObjectStart,
    /// `}`
    ObjectEnd,
    /// `[`
    ArrayStart,
    /// `]`
    ArrayEnd,
    /// The name of a member, with the colon after it.
    Name,
    /// A string value.
    String,
    /// A number.
    Number,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
}

/// A token, borrowed from the text.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    /// The kind.
    pub kind: TokenKind,
    /// The position in the text, including quotes.
    pub span: Span,
    /// The whole text.
    text: &'a [u8],
    escaped: bool,
}

impl<'a> Token<'a> {
    #[inline]
    fn new(text: &'a [u8], Step { kind, start, end, escaped }: Step) -> Self {
        Self { kind, span: Span::new(start as u32, end as u32), text, escaped }
    }

    /// Returns the content of a name or string.
    pub fn text(&self) -> Option<Text<'a>> {
        match self.kind {
            TokenKind::Name | TokenKind::String => {
                let inside = slice(
                    self.text,
                    self.span.start as usize + 1,
                    (self.span.end as usize).wrapping_sub(1),
                );
                Some(if self.escaped { Text::json(inside) } else { Text::plain(inside) })
            }
            _ => None,
        }
    }

    /// Returns the number, for a number token.
    pub fn number(&self) -> Option<Number<'a>> {
        (self.kind == TokenKind::Number).then(|| Number::new(self.raw()))
    }

    /// Returns the bytes of the token, including quotes.
    pub fn raw(&self) -> &'a [u8] {
        slice(self.text, self.span.start as usize, self.span.end as usize)
    }
}

/// Returns a part of the text. The span is always within the text, which the compiler does not
/// know; the code for other spans is kept out of line.
#[inline]
fn slice(text: &[u8], start: usize, end: usize) -> &[u8] {
    #[cold]
    fn nothing<'a>() -> &'a [u8] {
        &[]
    }
    text.get(start..end).unwrap_or_else(nothing)
}

/// Splits JSON text into tokens, and checks all rules of RFC 8259.
///
/// Contains a position, one bit for each open container, and the masks of 1 KiB of text. Needs no
/// heap, and borrows every token from the text. Allows duplicate names, as the grammar does. After
/// an error, returns that error again.
///
/// ```
/// use agentsdisc_core::syntax::json::{TokenKind, Tokenizer};
/// let mut tokens = Tokenizer::new(br#"{"id": "a\/b", "n": 1e3}"#);
/// let kinds: [_; 6] = core::array::from_fn(|_| tokens.next_token().unwrap().unwrap().kind);
/// use TokenKind::*;
/// assert_eq!(kinds, [ObjectStart, Name, String, Name, Number, ObjectEnd]);
/// assert!(tokens.next_token().unwrap().is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tokenizer<'a> {
    machine: Machine<'a>,
    failed: Option<Error>,
}

/// The machine with one of the two ways to find tokens.
// One variant is much larger, and there is no heap for its masks.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug)]
enum Machine<'a> {
    Words(Core<'a, Words>),
    Masks(Core<'a, Masks>),
}

macro_rules! machine {
    ($tokenizer:expr, $core:ident => $result:expr) => {
        match &mut $tokenizer.machine {
            Machine::Words($core) => $result,
            Machine::Masks($core) => $result,
        }
    };
}

impl<'a> Tokenizer<'a> {
    /// Creates a tokenizer at the start of `bytes`, with the default nesting limit of 64.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::with_depth(bytes, Limits::DEFAULT.depth)
    }

    /// Creates a tokenizer that allows `depth` nested containers (at most [`Limits::MAX_DEPTH`]).
    pub fn with_depth(bytes: &'a [u8], depth: usize) -> Self {
        Self::at(bytes, 0, depth)
    }

    /// Creates a tokenizer at a byte offset; spans count from the start of `bytes`.
    pub(crate) fn at(bytes: &'a [u8], start: usize, depth: usize) -> Self {
        let machine = match scan::backend() {
            scan::Backend::Scalar => Machine::Words(Core::at(bytes, start, depth)),
            _ => Machine::Masks(Core::at(bytes, start, depth)),
        };
        Self { machine, failed: None }
    }

    /// Returns the next token; `None` at the end of the text.
    ///
    /// # Errors
    /// The first violation of the JSON grammar, with its byte offset. Later calls return the same
    /// error.
    #[inline]
    pub fn next_token(&mut self) -> Result<Option<Token<'a>>, Error> {
        machine!(self, core => match core.step() {
            Ok(None) => Ok(None),
            Ok(Some(step)) => Ok(Some(Token::new(core.bytes(), step))),
            Err(error) => Err(*self.failed.get_or_insert(error)),
        })
    }

    /// Calls `each` with every token from here to the end of the text. Faster than repeated calls
    /// of `next_token`.
    ///
    /// ```
    /// use agentsdisc_core::syntax::json::Tokenizer;
    /// let mut numbers = 0;
    /// Tokenizer::new(b"[1, [2, 3]]").for_each(|token| numbers += usize::from(token.number().is_some())).unwrap();
    /// assert_eq!(numbers, 3);
    /// ```
    ///
    /// # Errors
    /// The first violation of the JSON grammar, with its byte offset; `each` received the tokens
    /// before it. Later calls return the same error.
    #[inline]
    pub fn for_each(&mut self, each: impl FnMut(Token<'a>)) -> Result<(), Error> {
        machine!(self, core => {
            let text = core.bytes();
            core.run(&mut Each { text, each }).map_err(|error| *self.failed.get_or_insert(error))
        })
    }

    /// Returns the number of open containers.
    pub fn depth(&self) -> usize {
        match &self.machine {
            Machine::Words(core) => core.depth() as usize,
            Machine::Masks(core) => core.depth() as usize,
        }
    }

    /// Returns the offset after the last token.
    pub fn position(&self) -> usize {
        match &self.machine {
            Machine::Words(core) => core.position(),
            Machine::Masks(core) => core.position(),
        }
    }
}

/// Validates the whole text, and calls `top` with every member of a top-level object: its name with
/// quotes, and its value. Returns the kind of the top-level value.
///
/// # Errors
/// The first violation of the JSON grammar, with its byte offset.
pub(crate) fn validate(
    bytes: &[u8],
    start: usize,
    depth: usize,
    top: impl FnMut(Slot, Slot),
) -> Result<TokenKind, Error> {
    match scan::backend() {
        scan::Backend::Scalar => walk(Core::<Words>::at(bytes, start, depth), top),
        _ => walk(Core::<Masks>::at(bytes, start, depth), top),
    }
}

#[inline]
fn walk<L: Locate>(
    mut tokens: Core<'_, L>,
    top: impl FnMut(Slot, Slot),
) -> Result<TokenKind, Error> {
    let mut members = TopMembers { first: None, name: Slot::EMPTY, container: Slot::EMPTY, top };
    tokens.run(&mut members)?;
    Ok(members.first.unwrap_or(TokenKind::Null))
}

/// Finds the members of the top-level object.
struct TopMembers<F> {
    first: Option<TokenKind>,
    /// The last name, with its quotes.
    name: Slot,
    /// The last member's value, if it is a container.
    container: Slot,
    top: F,
}

impl<F: FnMut(Slot, Slot)> Sink for TopMembers<F> {
    // A call for each token would move the state of the machine out of its registers.
    #[inline(always)]
    fn token(&mut self, step: Step, depth: u32) {
        if depth <= 2 {
            self.token_near_top(step, depth);
        }
    }
}

impl<F: FnMut(Slot, Slot)> TopMembers<F> {
    /// Receives a token of the top level or of a container in it.
    #[inline(never)]
    fn token_near_top(&mut self, step: Step, depth: u32) {
        match (depth, step.kind) {
            (0 | 1, _) => self.token_outside(step, depth),
            (_, TokenKind::ObjectStart | TokenKind::ArrayStart) => {
                self.container = Slot { holds: Holds::TEXTS_OR_OBJECTS, ..Slot::of(step) };
            }
            (_, kind) => self.container.holds.add(kind),
        }
    }

    /// Receives a token of the top level: the first one, a name, or the last one of a value.
    #[inline]
    fn token_outside(&mut self, step: Step, depth: u32) {
        let first = *self.first.get_or_insert(step.kind);
        if depth == 0 || first != TokenKind::ObjectStart {
            return;
        }
        match step.kind {
            TokenKind::Name => self.name = Slot::of(step),
            TokenKind::ObjectStart | TokenKind::ArrayStart => {}
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => {
                self.container.end = step.end as u32;
                (self.top)(self.name, self.container);
            }
            _ => (self.top)(self.name, Slot::of(step)),
        }
    }
}

/// Converts steps to tokens.
struct Each<'a, F> {
    text: &'a [u8],
    each: F,
}

impl<'a, F: FnMut(Token<'a>)> Sink for Each<'a, F> {
    #[inline]
    fn token(&mut self, step: Step, _: u32) {
        (self.each)(Token::new(self.text, step));
    }
}
