//! The capabilities of a document: finds the requested ones, and the methods that they accept.

use super::Target;
use super::endpoint::Spot;
use crate::document::Document;
use crate::document::with_reading;
use crate::format::awp;
use crate::format::{Format, READS_JSON, agents_txt, agents_txt_01, built_in};
use crate::model::{Capability, Choice, List, Mark, Metadata, Offer, Protocol};
#[cfg(feature = "awp")]
use crate::rules::json::reading::has_kept;
use crate::syntax::json::view::Table;
use crate::syntax::text::Text;

/// The capabilities of a document. Text formats read only the fields that are needed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offers<'a> {
    format: Format,
    capabilities: List<'a, Capability<'a>>,
    /// The position of the last capability that was read.
    pub(super) at: Mark,
}

impl<'a> Offers<'a> {
    pub(super) fn none() -> Self {
        Self { format: Format::Unknown, capabilities: List::empty(), at: Mark::default() }
    }

    /// Starts a document.
    pub(super) fn open(&mut self, document: &Document<'a>) {
        self.format = document.format();
        self.capabilities = with_reading(document, |reading| reading.capabilities());
    }

    /// Reads the next capability that has the requested id or an endpoint at the spot; returns
    /// whether there is one. `poll_url` of the offer is absent unless it is at the spot.
    pub(super) fn next_used(
        &mut self,
        asked: &Target<'_>,
        mut spot: Option<&mut Spot<'_, 'a>>,
        offer: &mut Offer<'a>,
    ) -> bool {
        let format = self.format;
        if HAS_WHOLE && !matches!(format, Format::AgentsTxt | Format::AgentsTxt01) {
            let (mut is_polled, mut is_used) = (false, false);
            let mut at = Mark::default();
            let mut capabilities = self.capabilities;
            let found = core::iter::from_fn(|| {
                at = capabilities.mark();
                capabilities.next()
            })
            .find(|capability| {
                is_used = self::is_used(
                    asked,
                    &mut spot,
                    &capability.id,
                    (&capability.endpoint, &protocol_entry(capability, format)),
                );
                is_polled = spot.as_mut().is_some_and(|spot| spot.is_at(&capability.poll_url));
                is_used || is_polled
            });
            (self.capabilities, self.at) = (capabilities, at);
            if let Some(capability) = &found {
                take_whole(offer, capability, format);
                offer.poll_url = offer.poll_url.filter(|_| is_polled);
                offer.is_only_polled = !is_used;
            }
            return found.is_some();
        }
        loop {
            self.at = self.capabilities.mark();
            if !self.next_narrow(offer) {
                return false;
            }
            if is_used(asked, &mut spot, &offer.id, (&offer.endpoint, &via_of(offer))) {
                return true;
            }
        }
    }

    /// Reads the next capability of a text format.
    #[inline(never)] // Keeps its buffers off the stack of its callers.
    fn next_narrow(&mut self, offer: &mut Offer<'a>) -> bool {
        let Some(cursor) = self.capabilities.cursor_mut() else {
            return false;
        };
        built_in!(match self.format => {
            AgentsTxt => agents_txt::next_offer(cursor, offer),
            AgentsTxt01 => agents_txt_01::next_offer(cursor, offer),
            _ => false,
        })
    }
}

/// Whether a capability has the requested id, or its endpoint is at the spot.
fn is_used(
    asked: &Target<'_>,
    spot: &mut Option<&mut Spot<'_, '_>>,
    id: &Option<Text<'_>>,
    (endpoint, via): (&Option<Text<'_>>, &Option<Text<'_>>),
) -> bool {
    names(asked, id) || spot.as_mut().is_some_and(|spot| spot.is_of(endpoint, via))
}

/// The protocol by which a capability is called. A tool of an MCP server card has the URL of its
/// server instead.
fn protocol_entry<'a>(capability: &Capability<'a>, format: Format) -> Option<Text<'a>> {
    capability.via.filter(|_| format != Format::McpServerCard)
}

/// Whether an id is the requested one.
pub(super) fn names(asked: &Target<'_>, id: &Option<Text<'_>>) -> bool {
    match asked {
        Target::Capability(asked) => id.is_some_and(|id| id == **asked),
        Target::Url(_) => false,
    }
}

/// Whether any enabled format reads all fields of a capability.
pub(super) const HAS_WHOLE: bool = READS_JSON || Format::AgentsMd.is_built_in();

/// Copies the fields of a capability that a decision needs. An unreadable sensitivity counts as the
/// most severe.
fn take_whole<'a>(offer: &mut Offer<'a>, capability: &Capability<'a>, format: Format) {
    offer.take(capability);
    // A skill without its own requirements has the requirements of the card.
    if format == Format::A2aAgentCard && { capability.auth }
        .is_some_and(|auth| auth.source.is_empty())
    {
        offer.auth_kind = None;
    }
    offer.via = protocol_entry(capability, format);
    if format == Format::Awp
        && offer.sensitivity.is_none()
        && is_unreadable::<awp::Action<'_>>(&capability.metadata, "sensitivity")
    {
        offer.sensitivity = Some(Choice::unreadable());
    }
}

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

/// The protocol of a capability; only some formats state it.
pub(super) const fn via_of<'a>(capability: &Offer<'a>) -> Option<Text<'a>> {
    if HAS_VIA { capability.via } else { None }
}

/// Whether a capability accepts a method; `None` is any.
pub(super) fn accepts(capability: &Offer<'_>, method: Option<Text<'_>>) -> bool {
    let Some(method) = method else { return true };
    match capability.method {
        Some(own) => {
            own.eq_text_ignore_case(method)
                || (own.eq_ignore_case("GET") && method.eq_ignore_case("HEAD"))
        }
        None => takes_any_method(capability) || is_get(method),
    }
}

/// Whether a method is GET, or HEAD, which is equivalent.
pub(super) fn is_get(method: Text<'_>) -> bool {
    method.eq_ignore_case("GET") || method.eq_ignore_case("HEAD")
}

/// Whether the protocol, not the document, determines the method of a capability.
pub(super) const fn takes_any_method(capability: &Offer<'_>) -> bool {
    capability.method.is_none()
        && (via_of(capability).is_some()
            || !matches!(capability.protocol, None | Some(Protocol::Rest | Protocol::Unknown)))
}
