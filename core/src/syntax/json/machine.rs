//! The JSON grammar: consumes one token after the other and checks all rules of RFC 8259.
//!
//! # Design
//!
//! [`Machine::step`] consumes one token of the text. The state [`Expect`] says what is allowed
//! next; [`State`] holds one bit for each open container, which is set for objects. A name is
//! consumed together with its colon, and a comma before the token it precedes, so that a caller
//! receives values only.
//!
//! A [`Locate`] finds the tokens. Two things that its masks do not show are checked in the bytes:
//! what follows a number or word, and strings with a backslash or control character (`scalar.rs`).
//!
//! A [`Core`] stores the state between two steps. A loop over all tokens works on a copy;
//! everything that receives a reference to the copy is inlined, so that it stays in registers.
//!
//! INVARIANT: `position` only grows, and never past the length. `step` either advances it or ends.

use crate::error::{Error, ErrorKind, JsonError};
use crate::limits::Limits;

use super::locate::Locate;
use super::scalar::{escaped_string, json, literal, number, unexpected};
use super::tokenizer::TokenKind;

/// What is allowed next.
// As large as `State::depth` beside it: the state is copied often, and a gap in it would be copied
// byte by byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
enum Expect {
    /// At the start of the text, or after a name.
    Value,
    /// After the opening bracket of an array.
    ValueOrEnd,
    /// After the opening brace of an object.
    NameOrEnd,
    /// After a value in an object.
    MemberOrEnd,
    /// After a value in an array.
    ElementOrEnd,
    /// After the top-level value.
    Nothing,
    /// After an error: nothing.
    Failed,
}

/// The result of a step: kind, start, end, and whether a string contains a backslash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) escaped: bool,
}

/// The bits of the containers outside the innermost 64; 64 bits in each word.
type Outer = [u64; Limits::MAX_DEPTH / 64];

/// The state that changes with every token.
#[derive(Clone, Copy, Debug)]
struct State<P> {
    position: usize,
    place: P,
    /// One bit for each of the innermost open containers, set for objects; the lowest bit is the
    /// innermost container.
    objects: u64,
    /// The number of open containers.
    depth: u32,
    expect: Expect,
}

/// A position in JSON text, from which a machine can continue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core<'a, L: Locate> {
    bytes: &'a [u8],
    locate: L,
    outer: Outer,
    max_depth: u32,
    state: State<L::Place>,
    /// Whether a container occurred again whose items were already reported.
    pub(crate) repeats: bool,
}

impl<'a, L: Locate> Core<'a, L> {
    pub(crate) fn at(bytes: &'a [u8], start: usize, depth: usize) -> Self {
        let (locate, place) = L::at(start);
        Self {
            bytes,
            locate,
            outer: [0; Limits::MAX_DEPTH / 64],
            max_depth: depth.min(Limits::MAX_DEPTH) as u32,
            state: State { position: start, place, objects: 0, depth: 0, expect: Expect::Value },
            repeats: false,
        }
    }

    /// Returns the text.
    #[inline(always)]
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the offset after the last token.
    #[inline(always)]
    pub(crate) const fn position(&self) -> usize {
        self.state.position
    }

    /// Returns the number of open containers.
    #[inline(always)]
    pub(crate) const fn depth(&self) -> u32 {
        self.state.depth
    }

    #[inline(always)]
    fn machine(&mut self) -> Machine<'_, 'a, L> {
        Machine {
            bytes: self.bytes,
            locate: &mut self.locate,
            outer: &mut self.outer,
            max_depth: self.max_depth,
            state: &mut self.state,
        }
    }

    /// Returns the next token; `None` at the end of the text. After an error, returns another
    /// error: callers must keep the first.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> Result<Option<Step>, Error> {
        let step = self.machine().step();
        if step.is_err() {
            self.state.expect = Expect::Failed;
        }
        step
    }

    /// Returns the name of the next member; `None` after the brace that closes the object. The
    /// position must be in an object, where one of the two follows.
    #[inline(always)]
    pub(crate) fn step_to_member(&mut self) -> Result<Option<Step>, Error> {
        let step = self.machine().next_name();
        if step.is_err() {
            self.state.expect = Expect::Failed;
        }
        step
    }

    /// Returns the first token of the value after a name. The position must be after a name.
    #[inline(always)]
    pub(crate) fn step_to_value(&mut self) -> Result<Step, Error> {
        let step = self.machine().next_value();
        if step.is_err() {
            self.state.expect = Expect::Failed;
        }
        step
    }

    /// Runs `take` on a copy of the state and stores the result. No other reference to the copy
    /// exists, so it stays in registers. (After an error, callers do not continue.)
    #[inline(always)]
    pub(crate) fn in_registers<T, E>(
        &mut self,
        take: impl FnOnce(&mut Machine<'_, 'a, L>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut state = self.state;
        let taken = take(&mut Machine {
            bytes: self.bytes,
            locate: &mut self.locate,
            outer: &mut self.outer,
            max_depth: self.max_depth,
            state: &mut state,
        });
        self.state = state;
        taken
    }

    /// Passes every token up to the end of the text to `sink`.
    #[inline(always)]
    pub(crate) fn run(&mut self, sink: &mut impl Sink) -> Result<(), Error> {
        // No other reference to this copy exists, so it stays in registers.
        let mut state = self.state;
        let ended = Machine {
            bytes: self.bytes,
            locate: &mut self.locate,
            outer: &mut self.outer,
            max_depth: self.max_depth,
            state: &mut state,
        }
        .run(sink);
        self.state = state;
        // The text ended, or is invalid.
        self.state.position = self.bytes.len();
        self.state.expect = if ended.is_ok() { Expect::Nothing } else { Expect::Failed };
        ended
    }
}

/// Receives every token.
pub(crate) trait Sink {
    /// Called with a token and the number of open containers after it. The kind is a constant at
    /// every call.
    fn token(&mut self, step: Step, depth: u32);
}

/// The machine during a run.
pub(crate) struct Machine<'m, 'a, L: Locate> {
    bytes: &'a [u8],
    locate: &'m mut L,
    outer: &'m mut Outer,
    max_depth: u32,
    state: &'m mut State<L::Place>,
}

impl<L: Locate> Machine<'_, '_, L> {
    /// Returns the offset of the next token and its first byte; the byte is 0, which begins no
    /// token, at the end of the text.
    #[inline(always)]
    fn next(&mut self, from: usize) -> (usize, u8) {
        let at = self.locate.next(&mut self.state.place, self.bytes, from);
        (at, self.bytes.get(at).copied().unwrap_or_default())
    }

    /// Returns the number of open containers.
    #[inline(always)]
    pub(crate) const fn depth(&self) -> u32 {
        self.state.depth
    }

    #[inline(always)]
    pub(crate) fn step(&mut self) -> Result<Option<Step>, Error> {
        let (at, byte) = self.next(self.state.position);
        match self.state.expect {
            Expect::Value => self.value(at, byte),
            Expect::MemberOrEnd => match byte {
                b',' => {
                    let (at, byte) = self.next(at + 1);
                    self.name(at, byte)
                }
                b'}' => Ok(self.close(at, TokenKind::ObjectEnd)),
                _ => Err(unexpected(self.bytes, at, JsonError::ExpectedCommaOrEnd)),
            },
            Expect::NameOrEnd if byte == b'}' => Ok(self.close(at, TokenKind::ObjectEnd)),
            Expect::NameOrEnd => self.name(at, byte),
            Expect::ElementOrEnd => match byte {
                b',' => {
                    let (at, byte) = self.next(at + 1);
                    self.value(at, byte)
                }
                b']' => Ok(self.close(at, TokenKind::ArrayEnd)),
                _ => Err(unexpected(self.bytes, at, JsonError::ExpectedCommaOrEnd)),
            },
            Expect::ValueOrEnd if byte == b']' => Ok(self.close(at, TokenKind::ArrayEnd)),
            Expect::ValueOrEnd => self.value(at, byte),
            Expect::Nothing if at >= self.bytes.len() => return Ok(None),
            Expect::Nothing => Err(json(JsonError::TrailingText, at)),
            Expect::Failed => Err(json(JsonError::ExpectedValue, self.state.position)),
        }
        .map(Some)
    }

    /// See [`Core::step_to_member`].
    #[inline(always)]
    pub(crate) fn next_name(&mut self) -> Result<Option<Step>, Error> {
        match self.member_start()? {
            Some((at, byte)) => self.name(at, byte).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the offset of the next member and its first byte; `None` after the brace that closes
    /// the object.
    #[inline(always)]
    pub(crate) fn member_start(&mut self) -> Result<Option<(usize, u8)>, Error> {
        if self.state.expect == Expect::MemberOrEnd {
            return self.member_start_after_value();
        }
        let (at, byte) = self.next(self.state.position);
        if byte == b'}' {
            self.close(at, TokenKind::ObjectEnd);
            return Ok(None);
        }
        Ok(Some((at, byte)))
    }

    /// Like [`Self::member_start`], at a position after a value of the object.
    #[inline(always)]
    pub(crate) fn member_start_after_value(&mut self) -> Result<Option<(usize, u8)>, Error> {
        let (at, byte) = self.next(self.state.position);
        if byte == b',' {
            return Ok(Some(self.next(at + 1)));
        }
        if byte != b'}' {
            return Err(unexpected(self.bytes, at, JsonError::ExpectedCommaOrEnd));
        }
        self.close(at, TokenKind::ObjectEnd);
        Ok(None)
    }

    /// Returns the offset after the last token.
    #[inline(always)]
    pub(crate) const fn position(&self) -> usize {
        self.state.position
    }

    /// See [`Core::step_to_value`].
    #[inline(always)]
    pub(crate) fn next_value(&mut self) -> Result<Step, Error> {
        let (at, byte) = self.next(self.state.position);
        // Most values are strings. The CPU predicts a branch better than an indirect jump.
        let (kind, end, escaped) = match byte {
            b'"' => {
                let (end, escaped) = self.string(at)?;
                (TokenKind::String, end, escaped)
            }
            b'{' | b'[' => return self.open(at, byte == b'{'),
            _ => self.number_or_word(at, byte)?,
        };
        self.state.position = end;
        self.state.expect = Expect::MemberOrEnd;
        Ok(Step { kind, start: at, end, escaped })
    }

    /// Consumes the name that begins at `at`, and its colon.
    #[inline(always)]
    pub(crate) fn name(&mut self, at: usize, byte: u8) -> Result<Step, Error> {
        let (end, escaped, position) = self.name_and_colon(at, byte)?;
        self.state.position = position;
        self.state.expect = Expect::Value;
        Ok(Step { kind: TokenKind::Name, start: at, end, escaped })
    }

    #[inline(always)]
    fn value(&mut self, at: usize, byte: u8) -> Result<Step, Error> {
        let (kind, end, escaped) = match byte {
            b'"' => {
                let (end, escaped) = self.string(at)?;
                (TokenKind::String, end, escaped)
            }
            b'{' | b'[' => return self.open(at, byte == b'{'),
            _ => self.number_or_word(at, byte)?,
        };
        self.state.position = end;
        self.state.expect = self.behind_value();
        Ok(Step { kind, start: at, end, escaped })
    }

    /// Opens the container whose bracket is at `at`.
    #[inline(always)]
    fn open(&mut self, at: usize, is_object: bool) -> Result<Step, Error> {
        self.push(at, is_object)?;
        self.state.position = at + 1;
        let (kind, expect) = if is_object {
            (TokenKind::ObjectStart, Expect::NameOrEnd)
        } else {
            (TokenKind::ArrayStart, Expect::ValueOrEnd)
        };
        self.state.expect = expect;
        Ok(Step { kind, start: at, end: at + 1, escaped: false })
    }

    /// Returns the kind and the end of the number or word that begins at `at`. Neither has escapes.
    #[inline(always)]
    fn number_or_word(&self, at: usize, byte: u8) -> Result<(TokenKind, usize, bool), Error> {
        let (kind, end) = match byte {
            b'-' | b'0'..=b'9' => (TokenKind::Number, number(self.bytes, at)?),
            b't' => (TokenKind::True, literal(self.bytes, at, b"true")?),
            b'f' => (TokenKind::False, literal(self.bytes, at, b"false")?),
            b'n' => (TokenKind::Null, literal(self.bytes, at, b"null")?),
            _ => return Err(unexpected(self.bytes, at, JsonError::ExpectedValue)),
        };
        Ok((kind, end, false))
    }

    #[inline(always)]
    fn close(&mut self, at: usize, kind: TokenKind) -> Step {
        self.pop();
        self.state.position = at + 1;
        self.state.expect = self.behind_value();
        Step { kind, start: at, end: at + 1, escaped: false }
    }

    /// Returns what is allowed after a value here.
    #[inline(always)]
    fn behind_value(&self) -> Expect {
        if self.state.depth == 0 {
            Expect::Nothing
        } else if self.in_object() {
            Expect::MemberOrEnd
        } else {
            Expect::ElementOrEnd
        }
    }

    /// Runs all steps up to the end. Unlike in `step`, the position in the code stands for what is
    /// allowed next, instead of a variable: the CPU predicts the next token separately at each
    /// position. Does not update the stored position and expectation.
    #[inline(always)]
    fn run(&mut self, sink: &mut impl Sink) -> Result<(), Error> {
        // Runs up to the first position after a value.
        while !matches!(
            self.state.expect,
            Expect::MemberOrEnd | Expect::ElementOrEnd | Expect::Nothing
        ) {
            if let Some(step) = self.step()? {
                sink.token(step, self.state.depth);
            }
        }
        let mut position = self.state.position;
        loop {
            let (mut at, mut byte) = self.next(position);
            // After a value.
            if self.in_object() {
                if byte != b',' {
                    if byte != b'}' {
                        return Err(unexpected(self.bytes, at, JsonError::ExpectedCommaOrEnd));
                    }
                    position = self.end(sink, TokenKind::ObjectEnd, at);
                    continue;
                }
                (at, byte) = self.next(at + 1);
                (at, byte) = self.member(sink, at, byte)?;
            } else {
                if self.state.depth == 0 {
                    return if at >= self.bytes.len() {
                        Ok(())
                    } else {
                        Err(json(JsonError::TrailingText, at))
                    };
                }
                if byte != b',' {
                    if byte != b']' {
                        return Err(unexpected(self.bytes, at, JsonError::ExpectedCommaOrEnd));
                    }
                    position = self.end(sink, TokenKind::ArrayEnd, at);
                    continue;
                }
                (at, byte) = self.next(at + 1);
            }
            // A value.
            position = loop {
                match byte {
                    b'"' => {
                        let (end, escaped) = self.string(at)?;
                        break self.emit(sink, TokenKind::String, at, end, escaped);
                    }
                    b'{' => {
                        self.push(at, true)?;
                        self.emit(sink, TokenKind::ObjectStart, at, at + 1, false);
                        (at, byte) = self.next(at + 1);
                        if byte == b'}' {
                            break self.end(sink, TokenKind::ObjectEnd, at);
                        }
                        (at, byte) = self.member(sink, at, byte)?;
                    }
                    b'[' => {
                        self.push(at, false)?;
                        self.emit(sink, TokenKind::ArrayStart, at, at + 1, false);
                        (at, byte) = self.next(at + 1);
                        if byte == b']' {
                            break self.end(sink, TokenKind::ArrayEnd, at);
                        }
                    }
                    b'-' | b'0'..=b'9' => {
                        let end = number(self.bytes, at)?;
                        break self.emit(sink, TokenKind::Number, at, end, false);
                    }
                    b't' => {
                        let end = literal(self.bytes, at, b"true")?;
                        break self.emit(sink, TokenKind::True, at, end, false);
                    }
                    b'f' => {
                        let end = literal(self.bytes, at, b"false")?;
                        break self.emit(sink, TokenKind::False, at, end, false);
                    }
                    b'n' => {
                        let end = literal(self.bytes, at, b"null")?;
                        break self.emit(sink, TokenKind::Null, at, end, false);
                    }
                    _ => return Err(unexpected(self.bytes, at, JsonError::ExpectedValue)),
                }
            };
        }
    }

    #[inline(always)]
    fn end(&mut self, sink: &mut impl Sink, kind: TokenKind, at: usize) -> usize {
        self.pop();
        self.emit(sink, kind, at, at + 1, false)
    }

    #[inline(always)]
    fn emit(
        &self,
        sink: &mut impl Sink,
        kind: TokenKind,
        start: usize,
        end: usize,
        escaped: bool,
    ) -> usize {
        sink.token(Step { kind, start, end, escaped }, self.state.depth);
        end
    }

    /// Consumes the name that begins at `at`, and its colon. Returns the offset of the value.
    #[inline(always)]
    fn member(&mut self, sink: &mut impl Sink, at: usize, byte: u8) -> Result<(usize, u8), Error> {
        let (end, escaped, position) = self.name_and_colon(at, byte)?;
        self.emit(sink, TokenKind::Name, at, end, escaped);
        Ok(self.next(position))
    }

    /// Returns the end of the name that begins at `at`, whether it contains a backslash, and the
    /// end of the colon.
    #[inline(always)]
    fn name_and_colon(&mut self, at: usize, byte: u8) -> Result<(usize, bool, usize), Error> {
        if byte != b'"' {
            return Err(unexpected(self.bytes, at, JsonError::ExpectedName));
        }
        let (end, escaped) = self.string(at)?;
        let (colon, byte) = self.next(end);
        if byte != b':' {
            return Err(unexpected(self.bytes, colon, JsonError::ExpectedColon));
        }
        Ok((end, escaped, colon + 1))
    }

    /// Returns the end of the string that opens at `at` (after its closing quote), and whether it
    /// contains a backslash.
    #[inline(always)]
    fn string(&mut self, at: usize) -> Result<(usize, bool), Error> {
        match self.locate.plain_string(&mut self.state.place, self.bytes, at) {
            Some(end) => Ok((end, false)),
            None => escaped_string(self.bytes, at + 1),
        }
    }

    /// Whether the innermost container is an object.
    #[inline(always)]
    const fn in_object(&self) -> bool {
        self.state.objects & 1 == 1
    }

    /// Opens a container.
    #[inline(always)]
    fn push(&mut self, at: usize, object: bool) -> Result<(), Error> {
        let nesting = &mut *self.state;
        if nesting.depth >= self.max_depth {
            return Err(too_deep(at));
        }
        if nesting.depth & 63 == 0 {
            keep(self.outer, nesting.depth, nesting.objects);
        }
        nesting.objects = nesting.objects << 1 | u64::from(object);
        nesting.depth += 1;
        Ok(())
    }

    /// Closes the innermost container.
    #[inline(always)]
    fn pop(&mut self) {
        let nesting = &mut *self.state;
        nesting.depth = nesting.depth.wrapping_sub(1);
        nesting.objects >>= 1;
        if nesting.depth & 63 == 0 {
            nesting.objects = fetched(self.outer, nesting.depth);
        }
    }
}

/// Stores the bits of the open containers, before another 64 are opened.
#[cold]
fn keep(outer: &mut Outer, depth: u32, objects: u64) {
    if let Some(word) = outer.get_mut(depth as usize / 64) {
        *word = objects;
    }
}

/// Restores the stored bits.
#[cold]
fn fetched(outer: &Outer, depth: u32) -> u64 {
    outer.get(depth as usize / 64).copied().unwrap_or_default()
}

#[cold]
const fn too_deep(at: usize) -> Error {
    Error::new(ErrorKind::TooDeep, at)
}
