//! The MCP gateway of an agents.md, from its front matter or from a section.

use super::read::slot;
use super::{McpField, Slot, SlotState, mcp_field};
use crate::model::{Choice, Endpoint, List, Metadata, Protocol};
use crate::syntax::yaml::{self, Scalar, Value};

/// The endpoint, the transport and the authentication of the gateway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gateway {
    pub(super) endpoint: Slot,
    pub(super) transport: Slot,
    pub(super) auth: Slot,
}

impl Gateway {
    /// No values.
    pub(super) const NONE: Self = Self {
        endpoint: Slot::ABSENT,
        transport: Slot::ABSENT,
        auth: Slot::ABSENT,
    };

    /// Reads the entries of `text`, a part of `bytes`; the last one of each key counts. Returns
    /// true if an entry may be kept as metadata, because it is unknown or invalid.
    pub(super) fn read(&mut self, text: &[u8], bytes: &[u8], depth: usize) -> bool {
        let mut stays = false;
        for (key, value) in yaml::entries(text, depth) {
            stays |= self.read_entry(key, value, bytes);
        }
        stays
    }

    /// Reads one entry, with the same result.
    pub(super) fn read_entry(&mut self, key: Scalar<'_>, value: Value<'_>, bytes: &[u8]) -> bool {
        let place = match mcp_field(key.text) {
            Some((_, McpField::Endpoint)) => &mut self.endpoint,
            Some((_, McpField::Transport)) => &mut self.transport,
            Some((_, McpField::Auth)) => &mut self.auth,
            None => return true,
        };
        *place = slot(value, bytes, false);
        place.state() == SlotState::Unreadable
    }

    /// The gateway in the unified model. Its texts are in `bytes`.
    pub(super) fn endpoint<'a>(&self, bytes: &'a [u8], extra: Metadata<'a>) -> Endpoint<'a> {
        Endpoint {
            name: None,
            protocol: Choice::implied(Protocol::Mcp),
            url: self.endpoint.text(bytes),
            version: None,
            transport: match self.transport.state() {
                SlotState::Absent => None,
                SlotState::Text => self.transport.text(bytes).map(Choice::read),
                SlotState::Unreadable => Some(Choice::unreadable()),
            },
            auth: match self.auth.state() {
                SlotState::Absent => None,
                SlotState::Text => self.auth.text(bytes).map(Choice::read),
                SlotState::Unreadable => Some(Choice::unreadable()),
            },
            parameters: List::empty(),
            extra,
        }
    }
}
