//! What holds for the use of a capability, and the Internet-Draft cannot say.
//!
//! A capability of which one of these holds is left out, unless the caller asks for it all the same ([`ConvertOptions::loosen`]): written without it,
//! agents would take it for one that they may simply call. It is what `policy` refuses, or asks a person for.
//!
//! [`ConvertOptions::loosen`]: crate::ConvertOptions::loosen

use super::adapt::Source;
use crate::format::Format;
use crate::manifest::{Capability, Reading, Sensitivity};

impl<'a> Source<'a, '_> {
    /// Whether a restriction holds for a capability that the draft cannot say.
    pub(super) fn is_guarded(&self, capability: &Capability<'a>) -> bool {
        needs_a_person(capability, self.format)
            || { capability.rate_limits }.nth(1).is_some()
            || (self.is_down && self.has_capabilities)
            || self.is_via_nothing(capability)
            || self.is_nowhere(capability.endpoint)
    }
}

/// Whether a person is asked before it, or it may break something; also where that cannot be read.
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

/// Whether the document says that the service does not work, or something about that which cannot be read.
pub(super) fn is_down<'a>(reading: &dyn Reading<'a>, format: Format) -> bool {
    if format != Format::Awp {
        return false;
    }
    match reading.status() {
        Some(status) => !status
            .operational
            .unwrap_or_else(|| !has(status.metadata, "operational")),
        None => has(reading.metadata(), "agent_status"),
    }
}

/// Whether a member is there that could not be read: only then it is among the metadata. (In a `metadata` object of the document's own, names mean
/// nothing; one of this name guards all the same.)
fn has<'a>(mut metadata: crate::manifest::Metadata<'a>, name: &str) -> bool {
    metadata.any(|one| one.name == *name)
}
