//! The check of duplicate names, and of references to capabilities.

use super::*;
use crate::diagnostic::{Code, Diagnostic, Spec};
use crate::rules::names::Names;

/// The result of the pass over all agent policies. It shows whether another pass is needed.
#[derive(Default)]
pub(super) struct Agents {
    /// The number of policies with a name.
    pub(super) named: usize,
    /// True if a policy refers to capabilities.
    pub(super) refer: bool,
}

impl<'a> Whole<'_, '_, '_, 'a, '_> {
    /// Reports duplicate ids, and references to capabilities that are not declared.
    pub(super) fn ids(&mut self, ids: &Names<'_, 'a>, reading: &dyn Reading<'a>, agents: &Agents) {
        for id in ids.repeated() {
            self.say(ID_TWICE, id);
        }
        if agents.refer && !ids.is_empty() {
            for agent in reading.agents() {
                for id in agent.capabilities.into_iter().flatten().filter(|id| !id.is_empty()) {
                    if self.check.report.is_full() {
                        return;
                    }
                    if !ids.contains(id) {
                        self.say(NO_REFERENCE, id);
                    }
                }
            }
        }
    }

    /// Reports several policies for the same agent.
    pub(super) fn agent_names(
        &mut self,
        reading: &dyn Reading<'a>,
        agents: &Agents,
        scratch: &mut [u32],
    ) {
        // A single policy has no duplicate. If `scratch` has no room even for one name, this is
        // reported below.
        if agents.named <= usize::from(scratch.len() >= 2) {
            return;
        }
        let agents = reading.agents().filter_map(|agent| agent.name);
        let Some(agents) =
            Names::sort(agents, self.check.bytes, self.check.notation, true, scratch)
        else {
            return self.not_checked();
        };
        for name in agents.repeated() {
            self.say(AGENT_TWICE, name);
        }
    }

    /// Reports duplicate names of parameters of a capability.
    pub(super) fn parameter_names(&mut self, reading: &dyn Reading<'a>, scratch: &mut [u32]) {
        for capability in reading.capabilities() {
            if self.check.report.is_full() {
                return;
            }
            let names = capability.parameters.filter_map(|parameter| parameter.name);
            let Some(names) =
                Names::sort(names, self.check.bytes, self.check.notation, false, scratch)
            else {
                return self.not_checked();
            };
            for name in names.repeated() {
                self.say(PARAMETER_TWICE, name);
            }
        }
    }

    pub(super) fn not_checked(&mut self) {
        self.left_out("duplicate names and references were not checked, because the scratch buffer is too small; provide two numbers for each name");
    }

    /// Reports that a part of the check was left out.
    pub(super) fn left_out(&mut self, message: &'static str) {
        let found = Diagnostic::new(Code::NotChecked, self.top, Spec::Ruling, "", message);
        self.check.report.add(found);
    }
}
