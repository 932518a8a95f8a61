//! The values of a call: the arguments of the caller, then the outputs of earlier answers for
//! inputs without an argument.

use super::types::{Types, expression, read_text};
use super::{Done, Problem, Refusal};
use crate::document::with_reading;
use crate::format::adp::resolve::{Fill, fill, keeps_domain};
use crate::format::adp::{ArgumentValue, RequestError};
use crate::message::{ARGUMENTS, Message};
use crate::model::{Capability, List, Output, Parameter};
use crate::policy::Chosen;
use crate::syntax::json::{Kind, Value};
use crate::syntax::text::Text;
use crate::syntax::type_expr::TypeExpr;
use crate::syntax::url::Url;

/// The largest number of earlier answers, and of outputs of an action, that are searched.
const DONE: usize = 16;
const OUTPUTS: usize = 64;

/// The name and the value of an argument.
type Given<'v> = (Text<'v>, Value<'v>);

/// The arguments of a call, without those that are `null`.
pub(super) struct Arguments<'v>(heapless::Vec<Given<'v>, ARGUMENTS>);

impl<'v> Arguments<'v> {
    /// No arguments. [`read`](Self::read) adds them in place, because the list is large.
    pub(super) const fn none() -> Self {
        Self(heapless::Vec::new())
    }

    /// Reads a JSON object.
    pub(super) fn read(&mut self, bytes: &'v [u8]) -> Result<(), Refusal<'v>> {
        let object = Value::parse(bytes).map_err(|_| Refusal::of(Problem::InvalidArguments))?;
        if object.kind() != Kind::Object {
            return Err(Refusal::of(Problem::InvalidArguments));
        }
        for member in object.members().filter(|member| !member.value.is_null()) {
            self.0
                .push((member.name, member.value))
                .map_err(|_| Refusal::of(Problem::TooManyArguments).about(member.name))?;
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Fills the placeholders in the host of a base URL. Returns the URL, and whether its
    /// registrable domain is the one that the document states.
    pub(super) fn fill_host<'b, 'a: 'v>(
        &self,
        base: Text<'a>,
        buffer: &'b mut [u8],
    ) -> Result<(&'b str, bool), Refusal<'v>> {
        let value_of = |name: Text<'a>| {
            let index = self.0.iter().position(|(own, _)| *own == name)?;
            let (_, value) = self.0.get(index)?;
            Some((index, ArgumentValue::Json(*value).text()))
        };
        let filled = fill(base, value_of, Fill::Host, buffer).map_err(|error| {
            let name = match error {
                RequestError::Placeholder(name) => Some(name),
                error => index_of(error).and_then(|index| self.0.get(index)).map(|(name, _)| *name),
            };
            Refusal { argument: name, ..refusal(error) }
        })?;
        filled
            .and_then(|filled| {
                let url = Url::parse(filled.as_bytes())?;
                Some((filled, keeps_domain(base, &url)))
            })
            .ok_or(Refusal::of(Problem::InvalidEndpoint))
    }

    /// Converts strings to the declared types, as [`read_text`] does.
    pub(super) fn read_texts<'a>(&mut self, parameters: List<'a, Parameter<'a>>) {
        for parameter in parameters {
            for (name, value) in &mut self.0 {
                if parameter.name == Some(*name)
                    && let Some(read) = read_text(parameter.kind, *value)
                {
                    *value = read;
                }
            }
        }
    }

    /// For each input without an argument, adds the output of an earlier action that has the same
    /// name and type. If several actions have one, the latest answer counts.
    pub(super) fn add_outputs<'a: 'v>(
        &mut self,
        chosen: &Chosen<'a, Capability<'a>>,
        done: &'v [Done<'v>],
        types: &Types<'a>,
    ) {
        for done in done.iter().rev().take(DONE) {
            let Ok(answer) = Value::parse(done.body) else {
                continue;
            };
            let outputs = outputs_of(chosen, done.action);
            for parameter in chosen.entry.parameters {
                if let Some(name) = parameter.name
                    && !self.0.iter().any(|(own, _)| *own == name)
                    && let Some(value) = fed(&parameter, outputs, answer)
                    && types.check(&parameter, value).is_ok()
                    && self.0.push((name, value)).is_err()
                {
                    return;
                }
            }
        }
    }

    /// Puts the values into the message, and checks each one against its parameter.
    pub(super) fn place<'a: 'v, T>(
        &self,
        message: &mut Message<'v, 'a>,
        types: &Types<'a>,
        chosen: &Chosen<'a, T>,
    ) -> Result<(), Refusal<'v>> {
        let mut faults = [None; ARGUMENTS];
        let mut kinds = [None; ARGUMENTS];
        let look =
            |index: Option<usize>, parameter: &Parameter<'a>, value: ArgumentValue<'_>, at| {
                let ArgumentValue::Json(value) = value else {
                    return true;
                };
                let found = types.check_at(parameter, value, at).err();
                if let Some(index) = index
                    && let (Some(fault), Some(kind)) = (faults.get_mut(index), kinds.get_mut(index))
                {
                    (*fault, *kind) = (found, Some((parameter.kind, parameter.name)));
                }
                found.is_none()
            };
        let given = self.0.iter().map(|(name, value)| (*name, ArgumentValue::Json(*value)));
        let placed = message.fill(given, look);
        let rule = |name: Option<Text<'a>>| name.map(|name| chosen.rule(name));
        let fault = faults.iter().position(Option::is_some);
        let is_missing = matches!(
            placed,
            Err(RequestError::MissingArgument(_) | RequestError::UnplacedParameter(_))
        );
        if let Some(index) = fault.filter(|_| placed.is_ok() || is_missing)
            && let (Some(Some(problem)), Some((name, _))) = (faults.get(index), self.0.get(index))
        {
            let (kind, parameter) = kinds.get(index).copied().flatten().unwrap_or_default();
            let mut refusal = Refusal::of(*problem).about(*name).with_rule(rule(parameter));
            refusal.expected = kind;
            return Err(refusal);
        }
        placed.map_err(|error| {
            let refusal = refusal(error);
            let index = index_of(error);
            match index.and_then(|index| self.0.get(index)) {
                Some((name, _)) => {
                    let parameter = index.and_then(|index| kinds.get(index).copied().flatten());
                    let parameter = parameter.and_then(|(_, name)| name);
                    refusal.about(*name).with_rule(rule(parameter))
                }
                None => match error {
                    RequestError::MissingArgument(name)
                    | RequestError::UnplacedParameter(name)
                    | RequestError::Placeholder(name) => {
                        refusal.about(name).with_rule(rule(Some(name)))
                    }
                    _ => refusal,
                },
            }
        })
    }
}

/// Whether an action has an output with the name and the type of an input.
pub(super) fn can_feed<'a>(
    chosen: &Chosen<'a, Capability<'a>>,
    action: Text<'_>,
    parameter: &Parameter<'_>,
) -> bool {
    let is_own = |capability: &Capability<'_>| capability.id.is_some_and(|id| id == action);
    with_reading(chosen.document, |reading| reading.capabilities())
        .find(is_own)
        .is_some_and(|capability| feeds(parameter, capability.outputs))
}

/// The outputs of an action of the same document.
fn outputs_of<'a>(chosen: &Chosen<'a, Capability<'a>>, action: &str) -> List<'a, Output<'a>> {
    with_reading(chosen.document, |reading| reading.capabilities())
        .find(|capability| capability.id.is_some_and(|id| id == *action))
        .map(|capability| capability.outputs)
        .unwrap_or_default()
}

/// The value in an answer for an input, if the action declares an output with the same name and
/// type.
fn fed<'v>(
    parameter: &Parameter<'_>,
    outputs: List<'_, Output<'_>>,
    answer: Value<'v>,
) -> Option<Value<'v>> {
    let name = parameter.name.filter(|_| feeds(parameter, outputs))?;
    let member = answer.members().filter(|member| member.name == name).last()?;
    (!member.value.is_null()).then_some(member.value)
}

/// Whether an output has the name and the type of an input.
fn feeds(parameter: &Parameter<'_>, outputs: List<'_, Output<'_>>) -> bool {
    let same = || {
        let name = parameter.name?;
        let output = outputs.take(OUTPUTS).find(|output| output.name == name)?;
        let (own, other) = (parameter.kind?, expression(output.kind)?);
        let (own, other) = (TypeExpr::parse(own).ok()?, TypeExpr::parse(other).ok()?);
        Some(own.text().eq_text_ignore_case(other.text()))
    };
    same() == Some(true)
}

/// Converts the error of a request that cannot be built.
pub(super) fn refusal<'v>(error: RequestError<'v>) -> Refusal<'v> {
    let problem = match error {
        RequestError::BufferTooSmall { needed } => Problem::BufferTooSmall { needed },
        RequestError::Placeholder(_) => Problem::Placeholder,
        RequestError::MissingMember("endpoint") => Problem::NoEndpoint,
        RequestError::MissingMember(_) | RequestError::InvalidMethod => Problem::InvalidMethod,
        RequestError::MissingArgument(_) => Problem::MissingArgument,
        RequestError::UnknownArgument(_) => Problem::UnknownArgument,
        RequestError::TooManyArguments => Problem::TooManyArguments,
        RequestError::RepeatedArgument(_) => Problem::RepeatedArgument,
        RequestError::UnplacedArgument(_) | RequestError::UnplacedParameter(_) => {
            Problem::UnplacedArgument
        }
        RequestError::InvalidArgument(_) => Problem::InvalidValue,
        _ => Problem::InvalidEndpoint,
    };
    Refusal::of(problem)
}

/// The index of the argument that an error is about.
const fn index_of(error: RequestError<'_>) -> Option<usize> {
    match error {
        RequestError::UnknownArgument(index)
        | RequestError::RepeatedArgument(index)
        | RequestError::UnplacedArgument(index)
        | RequestError::InvalidArgument(index) => Some(index),
        _ => None,
    }
}
