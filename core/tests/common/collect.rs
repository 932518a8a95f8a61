//! A visitor that collects what it receives.
#![allow(unreachable_pub)]

use agentsdisc_core::manifest::{AgentPolicy, Capability, Parameter, Visitor};

/// The received items: parameters with their capability, and agents. They are compared separately,
/// because the order of the two kinds may differ.
#[derive(Default, Debug, PartialEq)]
pub struct Collected {
    pub capabilities: Vec<String>,
    pub agents: Vec<String>,
}

impl<'a> Visitor<'a> for Collected {
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
