//! Reading typed views and validating in one pass.
//!
//! The machine of the tokenizer hands out tokens; a view's table says which of them are its fields; a container that holds views itself is
//! given to its reader while the tokens are there, so that nothing is walked twice. What is read is the same as from the validated text;
//! only one thing cannot be done in one pass: a container that is given again has been delivered already, though the last one counts.
//! Then the reading ends as [`Unfused::Irregular`], and whoever asked takes the plain way.

use super::locate::Locate;
use super::machine::{Core, Step};
use super::tokenizer::TokenKind;
use super::value::Value;
use super::view::{Read, Seen, put};
use crate::error::Error;
use crate::syntax::text::Text;

/// Why a fused reading ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unfused {
    /// The text is no JSON, or over a limit.
    Invalid(Error),
    /// It is something that one pass cannot read.
    Irregular,
}

impl From<Error> for Unfused {
    fn from(error: Error) -> Self {
        Self::Invalid(error)
    }
}

/// Whether a container was taken, to its closing bracket.
pub(crate) type Taken = Result<bool, Unfused>;

impl<'a, L: Locate> Core<'a, L> {
    /// The text of a string token.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn text(&self, step: Step) -> Text<'a> {
        let inside = self.slice(step.start + 1, step.end.wrapping_sub(1));
        if step.escaped { Text::json(inside) } else { Text::plain(inside) }
    }

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.bytes().get(start..end).unwrap_or_default()
    }

    /// The name of the next member of the innermost object; `None` at its end.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) fn name_of_member(&mut self) -> Result<Option<Text<'a>>, Unfused> {
        Ok(self.step_to_member()?.map(|step| self.text(step)))
    }

    /// Gives the name and the first token of every member of the object that was just opened to `read`, which takes the whole value.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) fn members(&mut self, mut read: impl FnMut(&mut Self, Text<'a>, Step) -> Result<(), Unfused>) -> Taken {
        while let Some(name) = self.name_of_member()? {
            let step = self.step_to_value()?;
            read(self, name, step)?;
        }
        Ok(true)
    }

    /// The value that begins with a step, to its end.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) fn value_from(&mut self, step: Step) -> Result<Value<'a>, Unfused> {
        self.offered(step, 0, &mut |_, _, _| Ok(false), false)
    }

    /// Reads the value that follows a name into its field. A container is offered to `child`, unless the field reads objects itself.
    // Each kind of value goes straight into its place: merged first, it would go through memory, piece by piece in and as a whole out, for which
    // the CPU has to wait.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) fn field_of_member<T: Read<'a>>(
        &mut self,
        slot: &mut Option<T>,
        seen: &mut Seen,
        field: u32,
        child: &mut impl FnMut(u32, &mut Self, Step) -> Taken,
    ) -> Result<(), Unfused> {
        let step = self.step_to_value()?;
        let again = seen.has(field);
        if step.kind == TokenKind::String {
            let value = Value::string(self.slice(step.start, step.end), step.escaped);
            put(slot, value, T::read(value), seen, field);
        } else if T::FUSED && step.kind == TokenKind::ObjectStart && !again {
            let read = T::read_object(self, step.start)?;
            put(slot, self.value_since(step.start), read, seen, field);
        } else {
            let value = self.offered(step, field, child, again)?;
            put(slot, value, T::read(value), seen, field);
        }
        Ok(())
    }

    /// The value that follows a name. A container is offered to `child`, unless the field was there before.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) fn value_of_member(
        &mut self,
        field: u32,
        child: &mut impl FnMut(u32, &mut Self, Step) -> Taken,
        again: bool,
    ) -> Result<Value<'a>, Unfused> {
        let step = self.step_to_value()?;
        self.offered(step, field, child, again)
    }

    #[cfg_attr(not(target_os = "none"), inline(always))]
    fn offered(
        &mut self,
        step: Step,
        field: u32,
        child: &mut impl FnMut(u32, &mut Self, Step) -> Taken,
        again: bool,
    ) -> Result<Value<'a>, Unfused> {
        match step.kind {
            TokenKind::String => Ok(Value::string(self.slice(step.start, step.end), step.escaped)),
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                if again {
                    return Err(Unfused::Irregular);
                }
                if !child(field, self, step)? {
                    self.finish()?;
                }
                Ok(self.value_since(step.start))
            }
            _ if again => Err(Unfused::Irregular),
            _ => Ok(Value::trusted(self.slice(step.start, step.end))),
        }
    }

    /// What was read since `start`, which is the bracket of a container that was just closed.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) fn value_since(&self, start: usize) -> Value<'a> {
        Value::trusted(self.slice(start, self.position()))
    }

    /// Passes over the rest of the container that was just opened.
    #[inline(never)]
    pub(crate) fn finish(&mut self) -> Result<(), Unfused> {
        let outside = self.depth().saturating_sub(1);
        while self.depth() > outside && self.step()?.is_some() {}
        Ok(())
    }

    /// Gives every object of the array that was just opened to `read`, which takes it to its closing brace; passes over what is no object.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) fn objects(&mut self, mut read: impl FnMut(&mut Self, usize) -> Result<(), Unfused>) -> Taken {
        while let Some(step) = self.step()? {
            match step.kind {
                TokenKind::ArrayEnd => return Ok(true),
                TokenKind::ObjectStart => read(self, step.start)?,
                TokenKind::ArrayStart => self.finish()?,
                _ => {}
            }
        }
        Err(Unfused::Irregular)
    }
}
