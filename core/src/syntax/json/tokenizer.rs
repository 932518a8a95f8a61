//! The validating pull tokenizer.
//!
//! # How the machine is built
//!
//! One function, [`Core::step`], takes one token from the text and checks everything RFC 8259 asks for on the way. What may
//! come next is the state [`Expect`]; whether the innermost container is an object is one bit per level. Names carry their colon
//! with them, commas are taken before the token they precede, so that a caller sees values only. Both [`Tokenizer::next_token`] and
//! the parse pass ([`validate`]) are loops over `step`.
//!
//! Where tokens begin is asked of a [`Locate`]: [`Words`] looks when it is asked, [`Masks`] has looked at a KiB at once. The masks are right
//! for JSON; where the text is none, the first token that cannot be is the place of the error in both, because masks are taken in order:
//! whatever is wrong behind it was not used yet. Two things the masks do not show are looked at in the bytes: what follows a number or
//! word ([`Core::ended`]), and strings with a backslash or control character in them ([`Core::escaped_string`]).
//!
//! INVARIANT: `position` only grows, and never past the length. `step` either moves it, or ends.
//!
//! UTF-8 is not checked here: whoever makes a `Tokenizer` says that the text is UTF-8, or accepts that strings may hold anything.

use crate::error::{Error, ErrorKind, JsonError};
use crate::limits::Limits;
use crate::scan;
use crate::scan::block::{BATCH, Carry, JsonMasks};
use crate::span::Span;
use crate::syntax::text::{Text, hex4};

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
    bytes: &'a [u8],
    escaped: bool,
}

impl<'a> Token<'a> {
    /// The content of a name or string.
    pub fn text(&self) -> Option<Text<'a>> {
        match self.kind {
            TokenKind::Name | TokenKind::String => {
                let inside = self.bytes.get(1..self.bytes.len().wrapping_sub(1)).unwrap_or_default();
                Some(if self.escaped { Text::json(inside) } else { Text::plain(inside) })
            }
            _ => None,
        }
    }

    /// The number.
    pub fn number(&self) -> Option<Number<'a>> {
        (self.kind == TokenKind::Number).then(|| Number::new(self.bytes))
    }

    /// The bytes of the token, quotes included.
    pub const fn raw(&self) -> &'a [u8] {
        self.bytes
    }
}

/// What may stand next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expect {
    Value,
    /// In an array that has just been opened.
    ValueOrEnd,
    /// In an object that has just been opened.
    NameOrEnd,
    CommaOrEnd,
    /// After the whole value.
    Nothing,
}

/// A step's result: kind, start, end, whether a string holds a backslash.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) escaped: bool,
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
        Self { machine, failed: None }
    }

    /// The next token; `None` at the end of the text.
    ///
    /// # Errors
    /// The first thing that is not JSON, and where. The same error again when asked again.
    #[inline]
    pub fn next_token(&mut self) -> Result<Option<Token<'a>>, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        machine!(self, core => match core.step() {
            Ok(None) => Ok(None),
            Ok(Some(Step { kind, start, end, escaped })) => Ok(Some(Token {
                kind,
                span: Span::new(start as u32, end as u32),
                bytes: core.bytes.get(start..end).unwrap_or_default(),
                escaped,
            })),
            Err(error) => {
                self.failed = Some(error);
                Err(error)
            }
        })
    }

    /// How many containers are open.
    pub fn depth(&self) -> usize {
        match &self.machine {
            Machine::Words(core) => usize::from(core.depth),
            Machine::Masks(core) => usize::from(core.depth),
        }
    }

    /// The offset behind the last token.
    pub fn position(&self) -> usize {
        match &self.machine {
            Machine::Words(core) => core.position,
            Machine::Masks(core) => core.position,
        }
    }
}

/// How tokens are found in the text.
pub(crate) trait Locate: Copy {
    /// From an offset on.
    fn at(start: usize) -> Self;
    /// Where the next token begins, `from` being the offset behind the last one; the length, or more, where there is none.
    fn next(&mut self, bytes: &[u8], from: usize) -> usize;
    /// The offset behind the string that opens at `open`, where nothing in it needs a closer look.
    fn plain_string(&mut self, bytes: &[u8], open: usize) -> Option<usize>;
}

/// Finds tokens a word at a time, where they are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words;

impl Locate for Words {
    fn at(_: usize) -> Self {
        Self
    }

    #[inline(always)]
    fn next(&mut self, bytes: &[u8], from: usize) -> usize {
        scan::blanks_end(bytes, from)
    }

    #[inline(always)]
    fn plain_string(&mut self, bytes: &[u8], open: usize) -> Option<usize> {
        let stop = scan::string_stop(bytes, open + 1);
        (bytes.get(stop) == Some(&b'"')).then_some(stop + 1)
    }
}

/// Finds tokens in the masks of blocks of 64 bytes, made a batch at a time.
///
/// INVARIANT: `tokens` holds the tokens of the current block that were not yet taken, `base` is where that block begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks {
    blocks: [JsonMasks; BATCH],
    carry: Carry,
    /// How many of the blocks are filled, and which one is next.
    filled: u8,
    next: u8,
    base: usize,
    tokens: u64,
    trouble: u64,
}

impl Masks {
    /// Goes to the next block; `false` at the end of the text.
    #[inline(always)]
    fn advance(&mut self, bytes: &[u8]) -> bool {
        self.base = self.base.wrapping_add(64);
        if self.next == self.filled && !self.refill(bytes) {
            return false;
        }
        if let Some(block) = self.blocks.get(usize::from(self.next)) {
            self.tokens = block.tokens;
            self.trouble = block.trouble;
        }
        self.next += 1;
        true
    }

    #[inline(never)]
    fn refill(&mut self, bytes: &[u8]) -> bool {
        self.next = 0;
        self.filled = bytes.get(self.base..).map_or(0, |rest| scan::json_masks(rest, &mut self.carry, &mut self.blocks)) as u8;
        self.filled > 0
    }
}

impl Locate for Masks {
    fn at(start: usize) -> Self {
        let blocks = [JsonMasks::default(); BATCH];
        Self { blocks, carry: Carry::default(), filled: 0, next: 0, base: start.wrapping_sub(64), tokens: 0, trouble: 0 }
    }

    #[inline(always)]
    fn next(&mut self, bytes: &[u8], _: usize) -> usize {
        while self.tokens == 0 {
            if !self.advance(bytes) {
                return bytes.len();
            }
        }
        let at = self.base.wrapping_add(self.tokens.trailing_zeros() as usize);
        self.tokens &= self.tokens.wrapping_sub(1);
        at
    }

    #[inline(always)]
    fn plain_string(&mut self, bytes: &[u8], open: usize) -> Option<usize> {
        // Trouble before the opening quote is that of other strings, and so is that behind the closing one.
        let mut trouble = self.trouble & (u64::MAX << (open.wrapping_sub(self.base) & 63));
        let mut seen = 0;
        while self.tokens == 0 {
            seen |= trouble;
            if !self.advance(bytes) {
                return None;
            }
            trouble = self.trouble;
        }
        let place = self.tokens.trailing_zeros();
        self.tokens &= self.tokens.wrapping_sub(1);
        seen |= trouble & (1_u64 << place).wrapping_sub(1);
        (seen == 0).then(|| self.base.wrapping_add(place as usize) + 1)
    }
}

/// The machine itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core<'a, L> {
    bytes: &'a [u8],
    position: usize,
    depth: u16,
    max_depth: u16,
    expect: Expect,
    /// One bit per level: whether that container is an object.
    objects: [u64; Limits::MAX_DEPTH / 64],
    locate: L,
}

impl<'a, L: Locate> Core<'a, L> {
    pub(crate) fn at(bytes: &'a [u8], start: usize, depth: usize) -> Self {
        Self {
            bytes,
            position: start,
            depth: 0,
            max_depth: depth.min(Limits::MAX_DEPTH) as u16,
            expect: Expect::Value,
            objects: [0; Limits::MAX_DEPTH / 64],
            locate: L::at(start),
        }
    }

    /// The text.
    #[inline(always)]
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The offset behind the last token.
    #[inline(always)]
    pub(crate) const fn position(&self) -> usize {
        self.position
    }

    /// How many containers are open.
    #[inline(always)]
    pub(crate) const fn depth(&self) -> u16 {
        self.depth
    }

    #[inline(always)]
    fn in_object(&self) -> bool {
        let level = usize::from(self.depth.wrapping_sub(1));
        self.objects.get(level / 64).is_some_and(|word| word >> (level % 64) & 1 == 1)
    }

    #[inline(always)]
    pub(crate) fn step(&mut self) -> Result<Option<Step>, Error> {
        let mut at = self.locate.next(self.bytes, self.position);
        let mut byte = self.bytes.get(at).copied();
        let mut wants_name = false;
        match self.expect {
            Expect::Value => {}
            Expect::ValueOrEnd => {
                if byte == Some(b']') {
                    return self.close(at);
                }
            }
            Expect::NameOrEnd => {
                if byte == Some(b'}') {
                    return self.close(at);
                }
                wants_name = true;
            }
            Expect::CommaOrEnd => {
                wants_name = self.in_object();
                match byte {
                    Some(b',') => {
                        at = self.locate.next(self.bytes, at + 1);
                        byte = self.bytes.get(at).copied();
                    }
                    Some(b'}') if wants_name => return self.close(at),
                    Some(b']') if !wants_name => return self.close(at),
                    _ => return Err(self.unexpected(at, JsonError::ExpectedCommaOrEnd)),
                }
            }
            Expect::Nothing => {
                return if byte.is_none() { Ok(None) } else { Err(json(JsonError::TrailingText, at)) };
            }
        }
        if wants_name { self.name(at, byte) } else { self.value(at, byte) }.map(Some)
    }

    /// The error at a place where something else was expected: the end of the text has an error of its own.
    #[cold]
    fn unexpected(&self, at: usize, why: JsonError) -> Error {
        json(if at >= self.bytes.len() { JsonError::UnexpectedEnd } else { why }, at.min(self.bytes.len()))
    }

    #[inline(always)]
    fn close(&mut self, at: usize) -> Result<Option<Step>, Error> {
        let kind = if self.in_object() { TokenKind::ObjectEnd } else { TokenKind::ArrayEnd };
        self.depth = self.depth.saturating_sub(1);
        self.position = at + 1;
        self.expect = if self.depth == 0 { Expect::Nothing } else { Expect::CommaOrEnd };
        Ok(Some(Step { kind, start: at, end: at + 1, escaped: false }))
    }

    #[inline(always)]
    fn name(&mut self, at: usize, byte: Option<u8>) -> Result<Step, Error> {
        if byte != Some(b'"') {
            return Err(self.unexpected(at, JsonError::ExpectedName));
        }
        let (end, escaped) = self.string(at)?;
        let colon = self.locate.next(self.bytes, end);
        if self.bytes.get(colon) != Some(&b':') {
            return Err(self.unexpected(colon, JsonError::ExpectedColon));
        }
        self.position = colon + 1;
        self.expect = Expect::Value;
        Ok(Step { kind: TokenKind::Name, start: at, end, escaped })
    }

    #[inline(always)]
    fn value(&mut self, at: usize, byte: Option<u8>) -> Result<Step, Error> {
        let (kind, end, escaped) = match byte {
            Some(b'"') => {
                let (end, escaped) = self.string(at)?;
                (TokenKind::String, end, escaped)
            }
            Some(b'{') => return self.open(at, true),
            Some(b'[') => return self.open(at, false),
            Some(b'-' | b'0'..=b'9') => (TokenKind::Number, self.number(at)?, false),
            Some(b't') => (TokenKind::True, self.literal(at, b"true")?, false),
            Some(b'f') => (TokenKind::False, self.literal(at, b"false")?, false),
            Some(b'n') => (TokenKind::Null, self.literal(at, b"null")?, false),
            _ => return Err(self.unexpected(at, JsonError::ExpectedValue)),
        };
        self.position = end;
        self.expect = if self.depth == 0 { Expect::Nothing } else { Expect::CommaOrEnd };
        Ok(Step { kind, start: at, end, escaped })
    }

    #[inline(always)]
    fn open(&mut self, at: usize, object: bool) -> Result<Step, Error> {
        if self.depth >= self.max_depth {
            return Err(Error::new(ErrorKind::TooDeep, at));
        }
        let level = usize::from(self.depth);
        if let Some(word) = self.objects.get_mut(level / 64) {
            *word = *word & !(1 << (level % 64)) | u64::from(object) << (level % 64);
        }
        self.depth += 1;
        self.position = at + 1;
        let (kind, expect) = if object { (TokenKind::ObjectStart, Expect::NameOrEnd) } else { (TokenKind::ArrayStart, Expect::ValueOrEnd) };
        self.expect = expect;
        Ok(Step { kind, start: at, end: at + 1, escaped: false })
    }

    /// The end of the string that opens at `at` (behind its closing quote), and whether it holds a backslash.
    #[inline(always)]
    fn string(&mut self, at: usize) -> Result<(usize, bool), Error> {
        match self.locate.plain_string(self.bytes, at) {
            Some(end) => Ok((end, false)),
            None => self.escaped_string(at + 1),
        }
    }

    /// A string whose inside begins at `at`, and that has something to look at. (The masks have its closing quote taken already, or it
    /// has none.)
    #[inline(never)]
    fn escaped_string(&self, at: usize) -> Result<(usize, bool), Error> {
        let mut at = scan::string_stop(self.bytes, at);
        loop {
            match self.bytes.get(at) {
                Some(b'"') => return Ok((at + 1, true)),
                Some(b'\\') => at = self.escape(at)?,
                Some(_) => return Err(json(JsonError::ControlCharacter, at)),
                None => return Err(json(JsonError::UnexpectedEnd, self.bytes.len())),
            }
            at = scan::string_stop(self.bytes, at);
        }
    }

    /// The offset behind the escape at `at`.
    fn escape(&self, at: usize) -> Result<usize, Error> {
        match self.bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
            Some(b'u') => {
                let digits = self.bytes.get(at + 2..).unwrap_or_default();
                if hex4(digits).is_some() {
                    Ok(at + 6)
                } else if digits.len() < 4 && digits.iter().all(u8::is_ascii_hexdigit) {
                    Err(json(JsonError::UnexpectedEnd, self.bytes.len()))
                } else {
                    Err(json(JsonError::BadEscape, at))
                }
            }
            Some(_) => Err(json(JsonError::BadEscape, at)),
            None => Err(json(JsonError::UnexpectedEnd, self.bytes.len())),
        }
    }

    #[inline(always)]
    fn literal(&self, at: usize, word: &[u8]) -> Result<usize, Error> {
        let end = at + word.len();
        if self.bytes.get(at..end) == Some(word) { self.ended(end, JsonError::ExpectedCommaOrEnd) } else { Err(self.bad_literal(at, word)) }
    }

    #[cold]
    fn bad_literal(&self, at: usize, word: &[u8]) -> Error {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let same = rest.iter().zip(word).take_while(|(a, b)| a == b).count();
        self.unexpected(at + same, JsonError::BadLiteral)
    }

    /// The end of the number at `at`.
    #[inline]
    fn number(&self, at: usize) -> Result<usize, Error> {
        let mut end = at;
        if self.bytes.get(end) == Some(&b'-') {
            end += 1;
        }
        end = match self.bytes.get(end) {
            Some(b'0') => end + 1,
            Some(b'1'..=b'9') => self.digits(end),
            _ => return Err(self.unexpected(end, JsonError::BadNumber)),
        };
        if self.bytes.get(end) == Some(&b'.') {
            end = self.some_digits(end + 1)?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(end) {
            end += 1;
            if let Some(b'+' | b'-') = self.bytes.get(end) {
                end += 1;
            }
            end = self.some_digits(end)?;
        }
        self.ended(end, JsonError::BadNumber)
    }

    /// Whether a number or word ends where it should: what cannot follow it is refused here, for the masks show no token there.
    #[inline(always)]
    fn ended(&self, end: usize, why: JsonError) -> Result<usize, Error> {
        match self.bytes.get(end) {
            None | Some(b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' | b'"' | b':' | b'{' | b'[') => Ok(end),
            Some(_) => Err(json(why, end)),
        }
    }

    #[inline(always)]
    fn digits(&self, mut at: usize) -> usize {
        while let Some(b'0'..=b'9') = self.bytes.get(at) {
            at += 1;
        }
        at
    }

    fn some_digits(&self, at: usize) -> Result<usize, Error> {
        let end = self.digits(at);
        if end == at { Err(self.unexpected(at, JsonError::BadNumber)) } else { Ok(end) }
    }
}

#[cold]
const fn json(why: JsonError, at: usize) -> Error {
    Error::new(ErrorKind::InvalidJson(why), at)
}

/// Checks the whole text, and tells `top` about every member of a top-level object: its name with quotes, and its value.
/// Returns the kind of the top-level value.
///
/// # Errors
/// The first thing that is not JSON, and where.
pub(crate) fn validate(bytes: &[u8], start: usize, depth: usize, top: impl FnMut(Span, Span)) -> Result<TokenKind, Error> {
    match scan::backend() {
        scan::Backend::Scalar => walk(Core::<Words>::at(bytes, start, depth), top),
        _ => walk(Core::<Masks>::at(bytes, start, depth), top),
    }
}

#[inline(always)]
fn walk<L: Locate>(mut tokens: Core<'_, L>, mut top: impl FnMut(Span, Span)) -> Result<TokenKind, Error> {
    let mut first = None;
    let mut name = Span::default();
    let mut value_start = 0;
    loop {
        let before = tokens.depth;
        let Some(step) = tokens.step()? else { break };
        let kind = *first.get_or_insert(step.kind);
        if tokens.depth > 1 && before > 1 {
            continue;
        }
        match step.kind {
            TokenKind::Name => name = Span::new(step.start as u32, step.end as u32),
            TokenKind::ObjectStart | TokenKind::ArrayStart => value_start = step.start,
            // A container closed back to the top level; or the top level itself, which is no member.
            TokenKind::ObjectEnd | TokenKind::ArrayEnd if tokens.depth == 0 => {}
            TokenKind::ObjectEnd | TokenKind::ArrayEnd if kind == TokenKind::ObjectStart => {
                top(name, Span::new(value_start as u32, step.end as u32));
            }
            _ if tokens.depth == 1 && kind == TokenKind::ObjectStart => top(name, Span::new(step.start as u32, step.end as u32)),
            _ => {}
        }
    }
    Ok(first.unwrap_or(TokenKind::Null))
}
