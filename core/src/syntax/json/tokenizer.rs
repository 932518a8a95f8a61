//! The validating pull tokenizer.
//!
//! UTF-8 is not checked here: whoever makes a `Tokenizer` says that the text is UTF-8, or accepts that strings may hold anything.

use crate::error::Error;
use crate::limits::Limits;
use crate::scan;
use crate::span::Span;
use crate::syntax::text::Text;

use super::locate::{Locate, Masks, Words};
use super::machine::{Core, Sink, Step};
use super::value::Number;

/// What a token is.
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
    /// The name of a member, with the colon behind it.
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
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands, quotes included.
    pub span: Span,
    /// The whole text.
    text: &'a [u8],
    escaped: bool,
}

impl<'a> Token<'a> {
    #[inline]
    fn new(
        text: &'a [u8],
        Step {
            kind,
            start,
            end,
            escaped,
        }: Step,
    ) -> Self {
        Self {
            kind,
            span: Span::new(start as u32, end as u32),
            text,
            escaped,
        }
    }

    /// The content of a name or string.
    pub fn text(&self) -> Option<Text<'a>> {
        match self.kind {
            TokenKind::Name | TokenKind::String => {
                let inside = slice(
                    self.text,
                    self.span.start as usize + 1,
                    (self.span.end as usize).wrapping_sub(1),
                );
                Some(if self.escaped {
                    Text::json(inside)
                } else {
                    Text::plain(inside)
                })
            }
            _ => None,
        }
    }

    /// The number.
    pub fn number(&self) -> Option<Number<'a>> {
        (self.kind == TokenKind::Number).then(|| Number::new(self.raw()))
    }

    /// The bytes of the token, quotes included.
    pub fn raw(&self) -> &'a [u8] {
        slice(self.text, self.span.start as usize, self.span.end as usize)
    }
}

/// A part of the text. That it is one is known, but not to the compiler: what it would do otherwise stays out of the way.
#[inline]
fn slice(text: &[u8], start: usize, end: usize) -> &[u8] {
    #[cold]
    fn nothing<'a>() -> &'a [u8] {
        &[]
    }
    text.get(start..end).unwrap_or_else(nothing)
}

/// Takes JSON text apart, token by token, and checks all of RFC 8259.
///
/// It holds a position, one bit per open container and the masks of one KiB of text, needs no heap, and borrows every token from the text.
/// Duplicate names are allowed, as the grammar allows them. After an error it gives that error again.
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

/// The machine with one of the ways to find tokens.
// One is much larger, and there is no heap to put its masks on.
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
    /// A tokenizer at the start of `bytes`, with the default nesting limit of 64.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::with_depth(bytes, Limits::DEFAULT.depth)
    }

    /// A tokenizer that allows `depth` nested containers (at most [`Limits::MAX_DEPTH`]).
    pub fn with_depth(bytes: &'a [u8], depth: usize) -> Self {
        Self::at(bytes, 0, depth)
    }

    /// A tokenizer from an offset on; spans count from the start of `bytes`.
    pub(crate) fn at(bytes: &'a [u8], start: usize, depth: usize) -> Self {
        let machine = match scan::backend() {
            scan::Backend::Scalar => Machine::Words(Core::at(bytes, start, depth)),
            _ => Machine::Masks(Core::at(bytes, start, depth)),
        };
        Self {
            machine,
            failed: None,
        }
    }

    /// The next token; `None` at the end of the text.
    ///
    /// # Errors
    /// The first thing that is not JSON, and where. The same error again when asked again.
    #[inline]
    pub fn next_token(&mut self) -> Result<Option<Token<'a>>, Error> {
        machine!(self, core => match core.step() {
            Ok(None) => Ok(None),
            Ok(Some(step)) => Ok(Some(Token::new(core.bytes(), step))),
            Err(error) => Err(*self.failed.get_or_insert(error)),
        })
    }

    /// Gives `each` every token from here to the end of the text: faster than asking for one after the other.
    ///
    /// ```
    /// use agentsdisc_core::syntax::json::Tokenizer;
    /// let mut numbers = 0;
    /// Tokenizer::new(b"[1, [2, 3]]").for_each(|token| numbers += usize::from(token.number().is_some())).unwrap();
    /// assert_eq!(numbers, 3);
    /// ```
    ///
    /// # Errors
    /// The first thing that is not JSON, and where; `each` was given what stands before it. The same error again when asked again.
    #[inline]
    pub fn for_each(&mut self, each: impl FnMut(Token<'a>)) -> Result<(), Error> {
        machine!(self, core => {
            let text = core.bytes();
            core.run(&mut Each { text, each }).map_err(|error| *self.failed.get_or_insert(error))
        })
    }

    /// How many containers are open.
    pub fn depth(&self) -> usize {
        match &self.machine {
            Machine::Words(core) => core.depth() as usize,
            Machine::Masks(core) => core.depth() as usize,
        }
    }

    /// The offset behind the last token.
    pub fn position(&self) -> usize {
        match &self.machine {
            Machine::Words(core) => core.position(),
            Machine::Masks(core) => core.position(),
        }
    }
}

/// Checks the whole text, and tells `top` about every member of a top-level object: its name with quotes, its value, and whether that is a
/// string without escapes.
/// Returns the kind of the top-level value.
///
/// # Errors
/// The first thing that is not JSON, and where.
pub(crate) fn validate(
    bytes: &[u8],
    start: usize,
    depth: usize,
    top: impl FnMut(Span, Span, bool),
) -> Result<TokenKind, Error> {
    match scan::backend() {
        scan::Backend::Scalar => walk(Core::<Words>::at(bytes, start, depth), top),
        _ => walk(Core::<Masks>::at(bytes, start, depth), top),
    }
}

#[inline]
fn walk<L: Locate>(
    mut tokens: Core<'_, L>,
    top: impl FnMut(Span, Span, bool),
) -> Result<TokenKind, Error> {
    let mut members = TopMembers {
        first: None,
        name: Span::default(),
        value_start: 0,
        top,
    };
    tokens.run(&mut members)?;
    Ok(members.first.unwrap_or(TokenKind::Null))
}

/// Finds the members of the top-level object.
struct TopMembers<F> {
    first: Option<TokenKind>,
    name: Span,
    value_start: usize,
    top: F,
}

impl<F: FnMut(Span, Span, bool)> Sink for TopMembers<F> {
    #[inline]
    fn token(&mut self, step: Step, depth: u32) {
        let kind = *self.first.get_or_insert(step.kind);
        match step.kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart if depth == 2 => {
                self.value_start = step.start
            }
            _ if depth != 1 || kind != TokenKind::ObjectStart => {}
            TokenKind::Name => self.name = span(step),
            // The top level itself, which is no member.
            TokenKind::ObjectStart | TokenKind::ArrayStart => {}
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => (self.top)(
                self.name,
                Span::new(self.value_start as u32, step.end as u32),
                false,
            ),
            _ => (self.top)(
                self.name,
                span(step),
                step.kind == TokenKind::String && !step.escaped,
            ),
        }
    }
}

/// Makes tokens.
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

const fn span(step: Step) -> Span {
    Span::new(step.start as u32, step.end as u32)
}
