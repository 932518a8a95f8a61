//! Reads typed views during validation.
//!
//! A container that holds more than fields is read while its tokens are validated, so that nothing
//! is walked twice. The result is the same as from the validated text, except for a list that
//! occurs twice, or under two names: one of them counts, but the items of the first one were already
//! reported. Then the tokens are marked ([`Core::repeats`]), and the caller discards the reported
//! items.

use super::locate::Locate;
use super::machine::{Core, Step};
use super::record::{Holds, Record};
use super::tokenizer::TokenKind;
use super::value::Value;
use super::view::View;
use crate::error::Error;
use crate::syntax::text::Text;

impl Step {
    /// Whether this is the opening bracket of a container.
    #[inline]
    pub(crate) const fn opens(&self) -> bool {
        matches!(self.kind, TokenKind::ObjectStart | TokenKind::ArrayStart)
    }

    /// Returns the kind of the last token of the value that begins with this one.
    #[inline]
    const fn closing(&self) -> TokenKind {
        match self.kind {
            TokenKind::ObjectStart => TokenKind::ObjectEnd,
            TokenKind::ArrayStart => TokenKind::ArrayEnd,
            kind => kind,
        }
    }
}

impl<'a, L: Locate> Core<'a, L> {
    /// Returns the text of a string token.
    #[inline]
    pub(crate) fn text(&self, step: Step) -> Text<'a> {
        let inside = self.slice(step.start + 1, step.end.wrapping_sub(1));
        if step.escaped { Text::json(inside) } else { Text::plain(inside) }
    }

    #[inline]
    fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.bytes().get(start..end).unwrap_or_default()
    }

    /// Reads the value that begins with a token to its end.
    #[inline]
    pub(crate) fn value_from(&mut self, step: Step) -> Result<Value<'a>, Error> {
        if step.kind == TokenKind::String {
            return Ok(Value::string(self.slice(step.start, step.end), step.escaped));
        }
        if step.opens() {
            self.finish()?;
        }
        Ok(Value::trusted(self.slice(step.start, self.position())))
    }

    /// Skips the rest of the container that was just opened, and returns what it holds.
    #[inline(never)]
    pub(crate) fn finish(&mut self) -> Result<Holds, Error> {
        let inside = self.depth();
        self.in_registers(|machine| {
            let mut holds = Holds::TEXTS_OR_OBJECTS;
            while machine.depth() >= inside
                && let Some(step) = machine.step()?
            {
                if machine.depth() == inside {
                    holds.add(step.kind);
                }
            }
            Ok(holds)
        })
    }

    /// Calls `each` with the views in the container that was just opened: of the objects in an
    /// array, or of the members of an object with their names. A member that is not an object has
    /// no fields, and `null` is absent. Returns what the container holds.
    #[inline]
    pub(crate) fn views<V: View<'a>>(
        &mut self,
        opened: Step,
        record: &mut Record,
        mut each: impl FnMut(Option<Text<'a>>, &V),
    ) -> Result<Holds, Error> {
        if opened.kind == TokenKind::ArrayStart {
            return self.objects(|tokens, step| {
                record.open(step.start).read_all(tokens, V::NAMES)?;
                each(None, &V::of_fields(tokens.bytes(), record.fields()));
                Ok(())
            });
        }
        let mut holds = Holds::TEXTS_OR_OBJECTS;
        while let Some(name) = self.step_to_member()? {
            let name = self.text(name);
            let step = self.step_to_value()?;
            holds.add(step.closing());
            if step.kind == TokenKind::ObjectStart {
                record.open(step.start).read_all(self, V::NAMES)?;
                each(Some(name), &V::of_fields(self.bytes(), record.fields()));
                continue;
            }
            let value = self.value_from(step)?;
            if !value.is_null() {
                each(Some(name), &V::of_value(value));
            }
        }
        Ok(holds)
    }

    /// Calls `read` with the brace of every object in the array that was just opened; `read`
    /// consumes the object, including its closing brace. Skips every other value. Returns what the
    /// array holds.
    #[inline]
    pub(crate) fn objects(
        &mut self,
        mut read: impl FnMut(&mut Self, Step) -> Result<(), Error>,
    ) -> Result<Holds, Error> {
        let mut holds = Holds::TEXTS_OR_OBJECTS;
        while let Some(step) = self.step()?
            && step.kind != TokenKind::ArrayEnd
        {
            holds.add(step.closing());
            match step.kind {
                TokenKind::ObjectStart => read(self, step)?,
                TokenKind::ArrayStart => _ = self.finish()?,
                _ => {}
            }
        }
        Ok(holds)
    }
}
