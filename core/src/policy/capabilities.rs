//! The capabilities of a document: finds those that a request uses, and the methods that they accept.

use super::Target;
use super::endpoint::Spot;
use super::finding::At;
use super::index::Index;
use crate::document::with_reading;
use crate::format::awp;
use crate::format::{Format, READS_JSON};
use crate::model::{Capability, Choice, List, Mark, Metadata, Protocol, Sensitivity};
#[cfg(feature = "awp")]
use crate::rules::json::reading::has_kept;
use crate::syntax::json::view::Table;
use crate::syntax::text::Text;

/// The capabilities of a document that a request uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capabilities<'a> {
    format: Format,
    list: List<'a, Capability<'a>>,
    /// The position of the last capability that was read.
    pub(super) at: Mark,
    /// The index, the entry in it that is looked at next, and the index of the document.
    index: Index<'a>,
    from: usize,
    document: usize,
    /// Whether its URL to poll is at the spot, and whether only that URL is.
    pub(super) is_polled: bool,
    pub(super) is_only_polled: bool,
}

impl<'a> Capabilities<'a> {
    pub(super) fn none() -> Self {
        Self {
            format: Format::Unknown,
            list: List::empty(),
            at: Mark::default(),
            index: Index::NONE,
            from: 0,
            document: 0,
            is_polled: false,
            is_only_polled: false,
        }
    }

    /// Starts a document.
    pub(super) fn open(&mut self, index: Index<'a>, (number, document): At<'a>) {
        (self.index, self.from, self.document) = (index, 0, number);
        self.format = document.format();
        self.list = with_reading(document, |reading| reading.capabilities());
    }

    /// Returns the next capability that has the requested id, or an endpoint or a URL to poll at the
    /// spot.
    // A single local variable is returned, so that the capability, which is large, is not copied.
    pub(super) fn next_used(
        &mut self,
        asked: &Target<'_>,
        mut spot: Option<&mut Spot<'_, 'a>>,
    ) -> Option<Capability<'a>> {
        loop {
            if self.index.is_there() {
                let Self { index, from, document, .. } = self;
                self.list =
                    self.list.resume(index.next(from, *document, asked.id(), spot.as_deref())?);
            }
            self.at = self.list.mark();
            let found = self.list.next();
            if found.as_ref().is_none_or(|one| self.is_used(one, asked, spot.as_deref_mut())) {
                return found;
            }
        }
    }

    fn is_used(
        &mut self,
        capability: &Capability<'a>,
        asked: &Target<'_>,
        spot: Option<&mut Spot<'_, 'a>>,
    ) -> bool {
        let is_named = names(asked, &capability.id);
        let mut is_used = is_named;
        self.is_polled = false;
        if let Some(spot) = spot {
            let via = via_of(self.format, capability);
            is_used = is_named || spot.is_of(&capability.endpoint, &via);
            self.is_polled = HAS_WHOLE && spot.is_at(&capability.poll_url);
        }
        self.is_only_polled = !is_used;
        is_used || self.is_polled
    }
}

/// Whether an id is the requested one.
pub(super) fn names(asked: &Target<'_>, id: &Option<Text<'_>>) -> bool {
    id.is_some_and(|id| asked.id() == Some(id))
}

/// Whether any enabled format reads all fields of a capability.
pub(super) const HAS_WHOLE: bool = READS_JSON || Format::AgentsMd.is_built_in();

/// Whether a member of an Agent Web Protocol object is present but unreadable. Unreadable members
/// are kept in the metadata.
#[cfg(feature = "awp")]
pub(super) fn is_unreadable<V: Table>(metadata: &Metadata<'_>, name: &str) -> bool {
    has_kept::<V>(metadata, Some(name))
}

/// Always false, because the format is disabled.
#[cfg(not(feature = "awp"))]
fn is_unreadable<V: Table>(_: &Metadata<'_>, _: &str) -> bool {
    false
}

/// Whether any enabled format states the protocol of a capability.
pub(super) const HAS_VIA: bool = Format::Awp.is_built_in() || Format::A2aAgentCard.is_built_in();

/// The protocol by which a capability is called; only some formats state it. A tool of an MCP server
/// card has the URL of its server instead.
pub(super) const fn via_of<'a>(format: Format, capability: &Capability<'a>) -> Option<Text<'a>> {
    if HAS_VIA && !matches!(format, Format::McpServerCard) { capability.via } else { None }
}

/// Whether a capability accepts a method; `None` is any.
pub(super) fn accepts(
    format: Format,
    capability: &Capability<'_>,
    method: Option<Text<'_>>,
) -> bool {
    let Some(method) = method else { return true };
    match capability.method {
        Some(own) => {
            own.eq_text_ignore_case(method)
                || (own.eq_ignore_case("GET") && method.eq_ignore_case("HEAD"))
        }
        None => takes_any_method(format, capability) || is_get(method),
    }
}

/// Whether a method is GET, or HEAD, which is equivalent.
pub(super) fn is_get(method: Text<'_>) -> bool {
    method.eq_ignore_case("GET") || method.eq_ignore_case("HEAD")
}

/// Whether the protocol, not the document, determines the method of a capability.
pub(super) fn takes_any_method(format: Format, capability: &Capability<'_>) -> bool {
    let protocol = capability.protocol.map(|protocol| protocol.value);
    capability.method.is_none()
        && (via_of(format, capability).is_some()
            || !matches!(protocol, None | Some(Protocol::Rest | Protocol::Unknown)))
}

/// How severe the consequences of a capability may be. An unreadable value counts as the most severe
/// one.
pub(super) fn sensitivity_of<'a>(
    format: Format,
    capability: &Capability<'a>,
) -> Option<Choice<'a, Sensitivity>> {
    let is_unread = || {
        format == Format::Awp
            && is_unreadable::<awp::Action<'_>>(&capability.metadata, "sensitivity")
    };
    capability.sensitivity.or_else(|| is_unread().then(Choice::unreadable))
}
