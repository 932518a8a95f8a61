//! Reading a whole document in one pass, for callers that need all items.

use super::objects::{AgentPolicy, Capability, Parameter};

/// Receives the items of a document while it is read; see
/// [`Document::read`](crate::Document::read).
///
/// Items are reported when they end, so the parameters of a capability precede the capability.
/// Members that occur once in a document are not reported; read them from the
/// [`Manifest`](crate::Manifest) afterwards.
///
/// ```
/// use agentsdisc_core::manifest::{Capability, Parameter, Visitor};
/// use agentsdisc_core::{Document, ParseOptions};
///
/// #[derive(Default)]
/// struct Count {
///     capabilities: usize,
///     parameters: usize,
/// }
///
/// impl<'a> Visitor<'a> for Count {
///     fn restart(&mut self) {
///         *self = Self::default();
///     }
///     fn parameter(&mut self, _: &Parameter<'a>) {
///         self.parameters += 1;
///     }
///     fn capability(&mut self, _: &Capability<'a>) {
///         self.capabilities += 1;
///     }
/// }
///
/// let text = br#"{"specVersion": "1.0", "capabilities": [{"id": "order", "endpoint": "/order", "parameters": [{"name": "mug"}, {"name": "count"}]}]}"#;
/// let mut count = Count::default();
/// Document::read(text, &ParseOptions::default(), &mut count)?;
/// assert_eq!((count.capabilities, count.parameters), (1, 2));
/// # Ok::<(), agentsdisc_core::Error>(())
/// ```
pub trait Visitor<'a> {
    /// Called when reading starts again: discard all items received so far.
    fn restart(&mut self) {}
    /// Receives a parameter of the next capability.
    fn parameter(&mut self, parameter: &Parameter<'a>) {
        let _ = parameter;
    }
    /// Receives a capability, after its parameters.
    fn capability(&mut self, capability: &Capability<'a>) {
        let _ = capability;
    }
    /// Receives a policy for an agent.
    fn agent(&mut self, policy: &AgentPolicy<'a>) {
        let _ = policy;
    }
}
