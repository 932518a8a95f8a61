//! The table of the C types that hold library state, with the state and the tag of each.
//!
//! Tags are never reused, so that memory written by another version of the library is recognized.

use core::mem::{MaybeUninit, align_of, size_of};

use agentsdisc_core::Detection;
use agentsdisc_core::format::agents_md::Walk;
use agentsdisc_core::format::robots_txt::{Compiled, RobotsTxt};
use agentsdisc_core::manifest as model;
use agentsdisc_core::manifest::List;
use agentsdisc_core::syntax::json;
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::syntax::type_expr;

use crate::adp_request::HeaderLines;
use crate::boundary::{AGD_LIST_WORDS, Carry, Holder, NO_STATE, Tagged, hold, hold_in};
use crate::list::Items;
use crate::*;

/// The common bits of all tags.
const TAGS: usize = 0x26D0_0000;

/// Declares the types that hold state, and checks at compile time that each has room for it.
macro_rules! holders {
    ($($name:ident = $tag:literal: $state:ty,)*) => {$(
        const _: () = assert!(size_of::<Tagged<$state>>() <= size_of::<$name>());
        const _: () = assert!(align_of::<Tagged<$state>>() <= align_of::<$name>());
        // SAFETY: size and alignment are compared above; no two types have the same tag; the types
        // are arrays of bytes, integers or pointers, for which all bits are valid.
        unsafe impl Holder for $name {
            type State = $state;
            const TAG: usize = TAGS | $tag;
        }
    )*};
}

/// Declares the C lists: name, tag number, item of the core, C struct.
macro_rules! lists {
    ($($name:ident = $tag:literal: $item:ty => $out:ty,)*) => {
        holders! { $($name = $tag: List<'static, $item>,)* }

        $(
            impl Items for $name {
                type Item = $item;
                type Out = $out;
                const UNINITIALISED: Self = Self { state: NO_STATE };
            }

            impl From<List<'static, $item>> for $name {
                #[inline(always)]
                fn from(list: List<'static, $item>) -> Self {
                    // Two branches, so that an empty list copies no state.
                    if list.is_nothing() {
                        let mut state = [MaybeUninit::uninit(); AGD_LIST_WORDS];
                        state[0] = MaybeUninit::new(core::ptr::without_provenance(Self::EMPTY));
                        Self { state }
                    } else {
                        hold(Self { state: [MaybeUninit::uninit(); AGD_LIST_WORDS] }, list)
                    }
                }
            }

            impl Carry<$name> for List<'static, $item> {
                #[inline(always)]
                unsafe fn carry(self, place: *mut $name) {
                    // SAFETY: the contract is the same; a holder begins with its tag.
                    unsafe {
                        if self.is_nothing() {
                            place.cast::<usize>().write($name::EMPTY);
                        } else {
                            hold_in(place, self);
                        }
                    }
                }
            }
        )*

        /// Does not compile if two lists have the same tag.
        #[repr(usize)]
        #[allow(dead_code)]
        enum Lists { $($name = $tag,)* }
    };
}

lists! {
    agd_texts = 1: Text<'static> => agd_text,
    agd_values = 2: model::Raw<'static> => agd_value,
    agd_members = 3: model::Member<'static> => agd_member,
    agd_rate_limits = 4: model::RateLimit<'static> => agd_rate_limit,
    agd_parameters = 5: model::Parameter<'static> => agd_parameter,
    agd_outputs = 6: model::Output<'static> => agd_output,
    agd_capabilities = 7: model::Capability<'static> => agd_capability,
    agd_agents = 8: model::AgentPolicy<'static> => agd_agent,
    agd_endpoints = 9: model::Endpoint<'static> => agd_endpoint,
    agd_flows = 10: model::Flow<'static> => agd_flow,
    agd_dependencies = 11: model::Dependency<'static> => agd_dependency,
    agd_entities = 12: model::Entity<'static> => agd_entity,
    agd_recoveries = 13: model::Recovery<'static> => agd_recovery,
    agd_plans = 14: model::Plan<'static> => agd_plan,
    agd_robots_groups = 15: model::RobotsGroup<'static> => agd_robots_group,
    agd_robots_rules = 16: model::RobotsRule<'static> => agd_robots_rule,
    agd_search_results = 17: model::SearchResult<'static> => agd_search_result,
    agd_robots_preferences = 18: model::RobotsPreference<'static> => agd_robots_preference,
    agd_robots_fields = 19: model::RobotsField<'static> => agd_robots_field,
    agd_security_schemes = 20: model::SecurityScheme<'static> => agd_security_scheme,
    agd_references = 21: model::Reference<'static> => agd_reference,
    agd_extensions = 22: model::Extension<'static> => agd_extension,
    agd_signatures = 23: model::Signature<'static> => agd_signature,
    agd_keys = 24: model::Key<'static> => agd_key,
}

// Numbers from 32 on; lists have smaller numbers.
holders! {
    agd_document = 32: model::Manifest<'static>,
    agd_detection_state = 33: Detection,
    agd_json_members = 35: json::Members<'static>,
    agd_json_elements = 36: json::Elements<'static>,
    agd_robots = 37: RobotsTxt<'static>,
    agd_robots_compiled = 65: Compiled<'static, 'static>,
    agd_type_options = 60: type_expr::Options<'static>,
    agd_agents_md = 61: Walk<'static>,
    agd_headers = 62: HeaderLines,
    agd_links = 64: agentsdisc_core::document::Links<'static>,
}

#[cfg(feature = "check")]
holders! {
    agd_diagnostic_state = 34: agentsdisc_core::Diagnostic<'static>,
    agd_diagnostics = 63: crate::diagnostics_list::Listing,
}

#[cfg(feature = "policy")]
holders! {
    agd_decision_state = 38: agentsdisc_core::policy::Decision<'static>,
    agd_applied_limits = 39: agentsdisc_core::policy::RateLimits<'static>,
    agd_words = 40: agentsdisc_core::policy::Words<'static>,
    agd_offers = 43: agentsdisc_core::policy::Offers<'static>,
}

#[cfg(feature = "call")]
holders! {
    agd_call = 41: agentsdisc_core::call::Call,
    agd_outcomes = 42: agentsdisc_core::call::Outputs<'static, 'static>,
}

#[cfg(feature = "write")]
holders! {
    agd_loss_state = 48: agentsdisc_core::write::Loss<'static>,
}

#[cfg(feature = "discovery")]
holders! {
    agd_discovery = 49: agentsdisc_core::discovery::Discovery,
}
