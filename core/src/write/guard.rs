//! Restrictions of a capability that the Internet-Draft cannot express.
//!
//! A capability with such a restriction is left out, unless the caller sets
//! [`ConvertOptions::loosen`]: without the restriction, agents would call it freely. `policy`
//! denies requests in these cases, or requires a person to confirm.
//!
//! [`ConvertOptions::loosen`]: crate::ConvertOptions::loosen

use super::adapt::{Source, is_empty};
use crate::format::Format;
use crate::model::{Capability, Reading, Sensitivity};

impl<'a> Source<'a, '_> {
    /// Whether a capability has a restriction that the draft cannot express.
    pub(super) fn is_guarded(&self, capability: &Capability<'a>) -> bool {
        { capability.rate_limits }.nth(1).is_some() || self.is_restricted(capability)
    }

    /// The same without its rate limits.
    pub(super) fn is_restricted(&self, capability: &Capability<'a>) -> bool {
        needs_a_person(capability, self.format)
            || capability.requires_session == Some(true)
            || capability.human_handoff == Some(true)
            || self.is_down
            || self.is_via_nothing(capability)
            || self.is_nowhere(capability.endpoint)
            || (!self.is_draft && capability.endpoint.as_ref().is_some_and(is_empty))
    }
}

/// Whether a person must confirm, the action may be destructive or irreversible, or its sensitivity
/// cannot be read.
fn needs_a_person(capability: &Capability<'_>, format: Format) -> bool {
    capability.requires_confirmation == Some(true)
        || capability.reversible == Some(false)
        || capability
            .sensitivity
            .is_some_and(|sensitivity| sensitivity.value != Sensitivity::Standard)
        || (format == Format::Awp
            && capability.sensitivity.is_none()
            && has(capability.metadata, "sensitivity"))
}

/// Whether the document states that the service is down, or its status cannot be read.
pub(super) fn is_down<'a>(reading: &dyn Reading<'a>, format: Format) -> bool {
    if format != Format::Awp {
        return false;
    }
    match reading.status() {
        Some(status) => !status.operational.unwrap_or_else(|| !has(status.metadata, "operational")),
        None => has(reading.metadata(), "agent_status"),
    }
}

/// Whether the metadata has a member with this name. A known name is in the metadata only if its
/// value is unreadable. (Names in the `metadata` object of a document have no meaning, but such a
/// member restricts the capability as well.)
fn has<'a>(mut metadata: crate::model::Metadata<'a>, name: &str) -> bool {
    metadata.any(|one| one.name == *name)
}
