//! Reading a whole document in one pass, for those who want everything.

use super::model::{AgentPolicy, Capability, Parameter};
use super::view::Manifest;
use crate::format::{Format, adp, agents_json, agents_json_01, awp};

/// Is told what a document holds while it is read; see [`Document::read`](crate::Document::read).
///
/// What is told is told in the order in which it ends: the parameters of a capability before the capability. Parts of the unified model that a
/// document has once are not told; they are had from the [`Manifest`] afterwards.
///
/// A visitor that needs only what a format has of its own takes [`part`](Self::part), which costs about half: nothing is then turned into
/// the unified model, and even what a document has once is told.
///
/// ```
/// use agentsdisc_core::format::agents_json;
/// use agentsdisc_core::manifest::{Part, Visitor};
/// use agentsdisc_core::{Document, ParseOptions};
///
/// #[derive(Default)]
/// struct Scopes(usize);
///
/// impl<'a> Visitor<'a> for Scopes {
///     fn restart(&mut self) {
///         *self = Self::default();
///     }
///     fn part(&mut self, part: Part<'_, 'a>) {
///         if let Part::AgentsJson(agents_json::Part::Text(agents_json::TextOf::Scopes, _)) = part {
///             self.0 += 1;
///         }
///     }
/// }
///
/// let text = br#"{"specVersion": "1.0", "capabilities": [{"id": "order", "auth": {"type": "oauth2", "scopes": ["buy", "read"]}}]}"#;
/// let mut scopes = Scopes::default();
/// Document::read(text, &ParseOptions::default(), &mut scopes)?;
/// assert_eq!(scopes.0, 2);
/// # Ok::<(), agentsdisc_core::Error>(())
/// ```
pub trait Visitor<'a> {
    /// What was told so far does not count: the reading begins again.
    fn restart(&mut self) {}
    /// A part of a document of a JSON format, in the terms of that format. Unless it is written anew, it turns the part into the unified model and
    /// calls the methods below, which are not called otherwise.
    #[inline]
    fn part(&mut self, part: Part<'_, 'a>)
    where
        Self: Sized,
    {
        part.unify(self);
    }
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

/// A part of a document in the terms of its format.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Part<'v, 'a> {
    /// Of an agents.json of the Internet-Draft.
    AgentsJson(agents_json::Part<'v, 'a>),
    /// Of an agents.json 0.1.
    AgentsJson01(agents_json_01::Part<'v, 'a>),
    /// Of an agent.json of the Agent Web Protocol.
    Awp(awp::Part<'v, 'a>),
    /// Of a manifest of the Agent Discovery Protocol.
    Adp(adp::Part<'v, 'a>),
}

impl<'a> Part<'_, 'a> {
    /// Turns it into the unified model, and tells a visitor what it is there.
    #[inline]
    pub fn unify(self, visitor: &mut impl Visitor<'a>) {
        match self {
            Self::AgentsJson(part) => part.unify(visitor),
            Self::AgentsJson01(part) => part.unify(visitor),
            Self::Awp(part) => part.unify(visitor),
            Self::Adp(part) => part.unify(visitor),
        }
    }
}

impl<'a> Manifest<'a> {
    /// Tells a visitor everything, by walking the lists: the plain way, and what the one pass is compared with.
    pub fn visit(&self, visitor: &mut impl Visitor<'a>) {
        let document = self.document();
        let (bytes, outline) = (document.bytes(), document.outline());
        match document.format() {
            Format::AgentsJson => agents_json::AgentsJson::attach(bytes, outline).tell(visitor),
            Format::AgentsJson01 => {
                agents_json_01::AgentsJson01::attach(bytes, outline).tell(visitor)
            }
            Format::Awp => awp::Awp::attach(bytes, outline).tell(visitor),
            Format::Adp => adp::Adp::attach(bytes, outline).tell(visitor),
            _ => {
                for capability in self.capabilities() {
                    capability
                        .parameters
                        .for_each(|parameter| visitor.parameter(&parameter));
                    visitor.capability(&capability);
                }
                self.agents().for_each(|policy| visitor.agent(&policy));
            }
        }
    }
}
