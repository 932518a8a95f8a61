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
    #[inline(always)]
    fn text(&self, step: Step) -> Text<'a> {
        let inside = self.slice(step.start + 1, step.end.wrapping_sub(1));
        if step.escaped { Text::json(inside) } else { Text::plain(inside) }
    }

    #[inline(always)]
    fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.bytes().get(start..end).unwrap_or_default()
    }

    /// The name of the next member of the innermost object; `None` at its end.
    #[inline(always)]
    pub(crate) fn name_of_member(&mut self) -> Result<Option<Text<'a>>, Unfused> {
        match self.step()? {
            Some(step) if step.kind == TokenKind::Name => Ok(Some(self.text(step))),
            _ => Ok(None),
        }
    }

    /// The value that follows a name. A container is offered to `child`, unless the field was there before.
    #[inline(always)]
    pub(crate) fn value_of_member(
        &mut self,
        field: u32,
        child: &mut impl FnMut(u32, &mut Self, Step) -> Taken,
        again: bool,
    ) -> Result<Value<'a>, Unfused> {
        let Some(step) = self.step()? else { return Err(Unfused::Irregular) };
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
    #[inline(always)]
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
    #[inline(always)]
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
