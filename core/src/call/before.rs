//! The actions that have to run before a call.

use super::arguments::can_feed;
use super::plan::{FirstAt, Planner};
use super::{First, Plan, Problem, Refusal, Step};
use crate::format::adp::resolve::has_placeholder;
use crate::format::awp::PrerequisiteError;
use crate::message::Message;
use crate::model::{Capability, Parameter};
use crate::policy::{Chosen, Workspace};
use crate::syntax::template::placeholders;
use crate::syntax::text::Text;

/// The size of the scratch memory for `dependencies`: four numbers for each of 128 names.
const NAMES: usize = 512;

impl<'v, 'a: 'v> Planner<'_, 'v, 'a> {
    /// The first action that has to run before the called one and has no answer yet.
    pub(super) fn action(&self) -> Result<Option<Text<'a>>, Refusal<'v>> {
        self.actions(|actions| actions.next())
    }

    /// Calls `take` with the actions that have to run before the called one and have no answer yet.
    fn actions(
        &self,
        take: impl FnOnce(&mut dyn Iterator<Item = Text<'a>>) -> Option<Text<'a>>,
    ) -> Result<Option<Text<'a>>, Refusal<'v>> {
        let mut scratch = [0; NAMES];
        let is_done = |action: &Text<'a>| {
            let mut done = self.options.done.iter();
            done.any(|done| *action == *done.action)
        };
        let problem = match self.decision.prerequisites(&mut scratch) {
            None => return Ok(None),
            Some(Ok(actions)) => return Ok(take(&mut actions.filter(|action| !is_done(action)))),
            Some(Err(PrerequisiteError::Cycle(mut actions))) => {
                let refusal = Refusal::of(Problem::PrerequisiteCycle);
                return Err(match actions.next() {
                    Some(action) => refusal.about(action),
                    None => refusal,
                });
            }
            Some(Err(PrerequisiteError::Unreadable(_))) => Problem::UnreadablePrerequisites,
            Some(Err(PrerequisiteError::CapacityExceeded { .. })) => Problem::TooManyPrerequisites,
        };
        Err(Refusal::of(problem))
    }

    /// Plans an action that has to run first. Refuses the call if an argument or the credential is
    /// missing, so that nothing is sent for a call that cannot succeed. A token or a confirmation
    /// that the call needs comes before the action.
    pub(super) fn before<'b>(
        &self,
        action: Text<'a>,
        mut plan: Plan<'a, 'b>,
        (message, placed): (&Message<'v, 'a>, Result<(), Refusal<'v>>),
        chosen: &Chosen<'a, Capability<'a>>,
        workspace: &mut Workspace,
        buffer: &'b mut [u8],
    ) -> Result<Plan<'a, 'b>, Refusal<'v>> {
        match placed {
            Err(refusal) if refusal.problem == Problem::MissingArgument => {
                self.check_missing(message, chosen, refusal)?;
            }
            other => other?,
        }
        let first = self.first(&mut plan, chosen, workspace, buffer)?;
        let question = self.confirmed(Step::First(First::Action { action }));
        plan.step = match first {
            Some(FirstAt::Token) => Step::First(First::Token(*self.decision.auth())),
            _ => question,
        };
        Ok(plan)
    }

    /// Refuses the call if an argument is missing that no action before the call can supply.
    fn check_missing(
        &self,
        message: &Message<'v, 'a>,
        chosen: &Chosen<'a, Capability<'a>>,
        refusal: Refusal<'v>,
    ) -> Result<(), Refusal<'v>> {
        let about = |name: Text<'a>| refusal.about(name).with_rule(Some(chosen.rule(name)));
        let parameters = chosen.entry.parameters;
        let is_missing = |name: Text<'a>| !name.is_empty() && !message.has(name);
        let in_url = placeholders(message.operation.endpoint);
        let mut open = in_url.filter(|name| is_missing(*name)).filter(|name| {
            let mut parameters = parameters;
            !parameters.any(|parameter| parameter.name == Some(*name))
        });
        if let Some(name) = open.next() {
            return Err(about(name));
        }
        for parameter in parameters {
            let is_needed = parameter.required == Some(true)
                || message.operation.has_segment(&parameter)
                || parameter
                    .name
                    .is_some_and(|name| has_placeholder(message.operation.endpoint, name));
            if let Some(name) = parameter.name.filter(|name| is_needed && is_missing(*name))
                && !self.is_fed(chosen, &parameter)?
            {
                return Err(about(name));
            }
        }
        Ok(())
    }

    /// Whether an action that has to run first can supply an input.
    fn is_fed(
        &self,
        chosen: &Chosen<'a, Capability<'a>>,
        parameter: &Parameter<'a>,
    ) -> Result<bool, Refusal<'v>> {
        let mut is_fed = false;
        self.actions(|actions| {
            for action in actions {
                is_fed = is_fed || can_feed(chosen, action, parameter);
            }
            None
        })?;
        Ok(is_fed)
    }
}
