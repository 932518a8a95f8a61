//! The registered protocols and their purposes (section 5.5).

use crate::model::Protocol;

/// The purpose of a protocol that an agent.json declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// Messages between agents: `a2a`, `acp`.
    Messaging,
    /// Calling tools: `mcp`.
    Tools,
    /// Payments and the identity of the payer: `ap2`, `x402`, `skyfire`, `payment`.
    Payment,
    /// A description of an API: `openapi`, `graphql`.
    Description,
}

impl Layer {
    /// Returns the layer of a protocol; `None` if the protocol is not registered.
    pub const fn of(protocol: Protocol) -> Option<Self> {
        match protocol {
            Protocol::A2a | Protocol::Acp => Some(Self::Messaging),
            Protocol::Mcp => Some(Self::Tools),
            Protocol::Ap2 | Protocol::X402 | Protocol::Skyfire | Protocol::Payment => {
                Some(Self::Payment)
            }
            Protocol::OpenApi | Protocol::GraphQl => Some(Self::Description),
            Protocol::Rest | Protocol::WebSocket | Protocol::Unknown => None,
        }
    }

    /// Returns `messaging`, `tools`, `payment` or `description`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Messaging => "messaging",
            Self::Tools => "tools",
            Self::Payment => "payment",
            Self::Description => "description",
        }
    }
}
