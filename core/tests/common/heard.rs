//! A visitor that keeps what it is told.
#![allow(unreachable_pub)]

use agentsdisc_core::manifest::{AgentPolicy, Capability, Parameter, Visitor};

/// What was told: parameters with their capability, and agents. Which of both kinds comes first is told as it stands in the document.
#[derive(Default, Debug, PartialEq)]
pub struct Heard {
    pub capabilities: Vec<String>,
    pub agents: Vec<String>,
}

impl<'a> Visitor<'a> for Heard {
    fn restart(&mut self) {
        *self = Self::default();
    }
    fn parameter(&mut self, parameter: &Parameter<'a>) {
        self.capabilities.push(format!("{parameter:?}"));
    }
    fn capability(&mut self, capability: &Capability<'a>) {
        self.capabilities.push(format!("{capability:?}"));
    }
    fn agent(&mut self, policy: &AgentPolicy<'a>) {
        self.agents.push(format!("{policy:?}"));
    }
}
