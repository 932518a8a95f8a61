//! Reading a whole document in one pass, for those who want everything.

use super::model::{AgentPolicy, Capability, Parameter};
use super::view::Manifest;

/// Is told what a document holds while it is read; see [`Document::read`](crate::Document::read).
///
/// What is told is told in the order in which it ends: the parameters of a capability before the capability. What a document has once is
/// not told; it is had from the [`Manifest`] afterwards, at no cost worth mentioning.
pub trait Visitor<'a> {
    /// What was told so far does not count: the reading begins again.
    fn restart(&mut self) {}
    /// A parameter of the capability that is told next.
    fn parameter(&mut self, parameter: &Parameter<'a>) {
        let _ = parameter;
    }
    /// A capability. Its parameters have been told.
    fn capability(&mut self, capability: &Capability<'a>) {
        let _ = capability;
    }
    /// A policy for an agent.
    fn agent(&mut self, policy: &AgentPolicy<'a>) {
        let _ = policy;
    }
}

impl<'a> Manifest<'a> {
    /// Tells a visitor everything, by walking the lists: the plain way, and what the one pass is compared with.
    pub fn visit(&self, visitor: &mut impl Visitor<'a>) {
        for capability in self.capabilities() {
            capability.parameters.for_each(|parameter| visitor.parameter(&parameter));
            visitor.capability(&capability);
        }
        self.agents().for_each(|policy| visitor.agent(&policy));
    }
}
