//! The MCP gateway of an agents.md, from its front matter or from a section.

use super::piece::{Piece, slot};
use super::{McpField, Slot, SlotState, mcp_field};
use crate::model::{Choice, Endpoint, List, Metadata, Protocol};
use crate::rules::near::{is_about_auth as is_line_about_auth, is_nothing};
use crate::syntax::yaml::{Entries, Scalar, Value};

/// The endpoint, the transport and the authentication of the gateway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gateway {
    pub(super) endpoint: Slot,
    pub(super) transport: Slot,
    pub(super) auth: Slot,
}

impl Gateway {
    /// No values.
    pub(super) const NONE: Self =
        Self { endpoint: Slot::ABSENT, transport: Slot::ABSENT, auth: Slot::ABSENT };

    /// Reads the entries of a part of `bytes`. If a key is repeated, its last entry counts. Returns
    /// true if an entry is kept as metadata, because it is unknown or invalid.
    pub(super) fn read(&mut self, piece: Piece<'_>, bytes: &[u8], depth: usize) -> bool {
        let mut stays = false;
        for (key, value) in Entries::of(piece.events(depth), false) {
            stays |= self.read_entry(key, value, bytes);
        }
        stays
    }

    /// Reads one entry. Returns the same as [`read`](Self::read).
    pub(super) fn read_entry(&mut self, key: Scalar<'_>, value: Value<'_>, bytes: &[u8]) -> bool {
        let place = match mcp_field(key.text) {
            Some((_, McpField::Endpoint)) => &mut self.endpoint,
            Some((_, McpField::Transport)) => &mut self.transport,
            Some((_, McpField::Auth)) => &mut self.auth,
            None => {
                self.note_unread_auth(is_about_auth(key, value));
                return true;
            }
        };
        *place = slot(value, bytes, false);
        place.state() == SlotState::Unreadable
    }

    /// Sets the authentication to unreadable if `is_mentioned` and no value was read.
    /// `is_mentioned` is true if some text about the gateway mentions authentication.
    pub(super) fn note_unread_auth(&mut self, is_mentioned: bool) {
        if is_mentioned && self.auth.state() == SlotState::Absent {
            self.auth = Slot::UNREADABLE;
        }
    }

    /// Returns the gateway in the unified model. Its texts are in `bytes`.
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

/// True if an entry that is not read is about authentication. The key can be a whole line.
pub(super) fn is_about_auth(key: Scalar<'_>, value: Value<'_>) -> bool {
    let is_none = matches!(value, Value::Scalar(scalar) if is_nothing(scalar.text.raw()));
    mentions_auth(key.text.raw()) && !is_none
        // A merge key, which adds the entries of another mapping.
        || key.text == "<<"
}

/// True if a line is about authentication: one of the words of its key, or its first word if the
/// line has no colon, means authentication. The key or line has at most three words.
pub(super) fn mentions_auth(source: &[u8]) -> bool {
    source.split(|byte| matches!(byte, b'\n' | b'\r')).any(|line| {
        let mut parts = line.trim_ascii().splitn(2, |byte| *byte == b':');
        let (key, value) = (parts.next().unwrap_or_default(), parts.next());
        is_line_about_auth(key, value)
    })
}
