//! Reading typed views and validating in one pass.
//!
//! The machine of the tokenizer hands out tokens. The members of an object are noted as offsets ([`record`](super::record)), from which its view is
//! made when it is complete; a container that holds more than fields is given to its reader while the tokens are there, so that nothing is
//! walked twice. What is read is the same as from the validated text; only one thing cannot be done in one pass: a container that is given
//! again has been told already, though the last one counts. Then the reading ends as [`Unfused::Irregular`], and whoever asked takes the
//! plain way.

use super::locate::Locate;
use super::machine::{Core, Step};
use super::record::Record;
use super::tokenizer::TokenKind;
use super::value::Value;
use super::view::View;
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

impl<'a, L: Locate> Core<'a, L> {
    /// The text of a string token.
    #[inline]
    pub(crate) fn text(&self, step: Step) -> Text<'a> {
        let inside = self.slice(step.start + 1, step.end.wrapping_sub(1));
        if step.escaped {
            Text::json(inside)
        } else {
            Text::plain(inside)
        }
    }

    #[inline]
    fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.bytes().get(start..end).unwrap_or_default()
    }

    /// The name of the next member of the innermost object; `None` at its end.
    #[inline]
    pub(crate) fn name_of_member(&mut self) -> Result<Option<Text<'a>>, Unfused> {
        Ok(self.step_to_member()?.map(|step| self.text(step)))
    }

    /// Gives the name and the first token of the value of every member of the object that was just opened to `read`, which takes the whole value.
    #[inline]
    pub(crate) fn members(
        &mut self,
        mut read: impl FnMut(&mut Self, Text<'a>, Step) -> Result<(), Unfused>,
    ) -> Result<(), Unfused> {
        while let Some(name) = self.name_of_member()? {
            let step = self.step_to_value()?;
            read(self, name, step)?;
        }
        Ok(())
    }

    /// The same with the whole value.
    #[inline]
    pub(crate) fn values(
        &mut self,
        mut tell: impl FnMut(Text<'a>, Value<'a>),
    ) -> Result<(), Unfused> {
        self.members(|tokens, name, step| {
            tell(name, tokens.value_from(step)?);
            Ok(())
        })
    }

    /// Gives `tell` the view of the value that begins with a step: what is no object reads as one without members, and `null` is absent.
    #[inline]
    pub(crate) fn view<V: View<'a>, const N: usize>(
        &mut self,
        record: &mut Record<N>,
        step: Step,
        tell: impl FnOnce(&V),
    ) -> Result<(), Unfused> {
        if step.kind == TokenKind::ObjectStart {
            record.open(step.start).read_all(self, V::NAMES)?;
            tell(&V::noted(self.bytes(), record));
            return Ok(());
        }
        let value = self.value_from(step)?;
        if !value.is_null() {
            tell(&V::of_value(value));
        }
        Ok(())
    }

    /// The value that begins with a step, to its end.
    #[inline]
    pub(crate) fn value_from(&mut self, step: Step) -> Result<Value<'a>, Unfused> {
        match step.kind {
            TokenKind::String => Ok(Value::string(
                self.slice(step.start, step.end),
                step.escaped,
            )),
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                self.finish()?;
                Ok(Value::trusted(self.slice(step.start, self.position())))
            }
            _ => Ok(Value::trusted(self.slice(step.start, step.end))),
        }
    }

    /// Passes over the rest of the container that was just opened.
    #[inline(never)]
    pub(crate) fn finish(&mut self) -> Result<(), Unfused> {
        let outside = self.depth().saturating_sub(1);
        while self.depth() > outside && self.step()?.is_some() {}
        Ok(())
    }

    /// Gives every string of the array that was just opened to `tell`; passes over what is none.
    #[inline]
    pub(crate) fn texts(&mut self, mut tell: impl FnMut(Text<'a>)) -> Result<(), Unfused> {
        while let Some(step) = self.step()? {
            match step.kind {
                TokenKind::ArrayEnd => return Ok(()),
                TokenKind::String => tell(self.text(step)),
                TokenKind::ObjectStart | TokenKind::ArrayStart => self.finish()?,
                _ => {}
            }
        }
        Err(Unfused::Irregular)
    }

    /// Gives the brace of every object of the array that was just opened to `read`, which takes it to its closing brace; passes over what is
    /// no object.
    #[inline]
    pub(crate) fn objects(
        &mut self,
        mut read: impl FnMut(&mut Self, Step) -> Result<(), Unfused>,
    ) -> Result<(), Unfused> {
        while let Some(step) = self.step()? {
            match step.kind {
                TokenKind::ArrayEnd => return Ok(()),
                TokenKind::ObjectStart => read(self, step)?,
                TokenKind::ArrayStart => self.finish()?,
                _ => {}
            }
        }
        Err(Unfused::Irregular)
    }
}
