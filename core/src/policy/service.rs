//! The authentication and the status that a document states for its whole service.

use super::Case;
use super::auth::Auth;
#[cfg(feature = "awp")]
use super::auth::{Places, auth_of};
use super::budget::Budget;
#[cfg(feature = "awp")]
use super::capabilities::is_unreadable;
use crate::document::Document;
#[cfg(feature = "awp")]
use crate::document::with_reading;
use crate::format::Format;
use crate::format::about::{Authenticates, fact};
#[cfg(feature = "awp")]
use crate::format::awp::{self, AuthObject, StatusObject};
#[cfg(feature = "awp")]
use crate::model::{AuthType, Choice, List};
#[cfg(feature = "awp")]
use crate::rules::json::reading::has_kept;
use crate::syntax::text::Text;

/// The formats that state authentication for the whole service are those of the features below.
const _: () = {
    let (mut has_service, mut rest) = (false, Format::ALL);
    while let [format, others @ ..] = rest {
        let states = fact!(*format => authenticates);
        has_service |= format.is_built_in()
            && matches!(states, Authenticates::Service | Authenticates::Unless);
        rest = others;
    }
    assert!(
        has_service
            == cfg!(any(
                feature = "adp",
                feature = "a2a",
                feature = "mcp-card",
                feature = "openapi"
            ))
    );
};

/// The authentication for the whole service that a document states, read once. Disabled formats
/// take no space.
// One variant is larger than the others, and there is no heap to box it.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy)]
pub(super) enum Service<'a> {
    /// Each capability states its own, or nothing is stated.
    Nothing(core::marker::PhantomData<&'a [u8]>),
    /// A member of an agents.json outside of its capabilities seems to state the authentication of
    /// those that state none.
    Unread,
    /// What the document with this index states is not read.
    Unknown(usize),
    /// One statement covers every capability.
    #[cfg(any(feature = "adp", feature = "a2a", feature = "mcp-card", feature = "openapi"))]
    Whole(Auth<'a>),
    /// The authentication of an Agent Web Protocol document, which applies to the actions that need
    /// it.
    #[cfg(feature = "awp")]
    Actions(Actions<'a>),
}

/// The authentication that an Agent Web Protocol document states.
#[cfg(feature = "awp")]
#[derive(Clone, Copy)]
pub(super) struct Actions<'a> {
    pub(super) kind: Choice<'a, AuthType>,
    pub(super) places: Places<'a>,
    /// Whether the document states any authentication.
    pub(super) is_stated: bool,
    /// The actions that require authentication, and those for which it is optional.
    required_for: List<'a, Text<'a>>,
    optional_for: List<'a, Text<'a>>,
    /// Whether the first list has items.
    pub(super) lists_actions: bool,
    /// Whether the statement cannot be read.
    is_unreadable: bool,
    status: Condition<'a>,
}

impl<'a> Service<'a> {
    /// The authentication of the service that a document describes; for a detail, as stated in its
    /// manifest.
    pub(super) fn of(case: &Case<'a>, (index, document): (usize, &Document<'a>)) -> Self {
        let _ = case;
        match fact!(document.format() => authenticates) {
            Authenticates::Capabilities => match document.agents_json() {
                Some(document) if document.has_common_auth() => Self::Unread,
                _ => Self::Nothing(core::marker::PhantomData),
            },
            #[cfg(any(
                feature = "adp",
                feature = "a2a",
                feature = "mcp-card",
                feature = "openapi"
            ))]
            Authenticates::Service | Authenticates::Unless => {
                Self::Whole(Auth::of_service(document, index))
            }
            #[cfg(feature = "adp")]
            Authenticates::Manifest => case
                .manifest
                .and_then(|index| Some((index, case.documents.get(index)?)))
                .map_or(Self::Nothing(core::marker::PhantomData), |(index, manifest)| {
                    Self::Whole(Auth::of_service(manifest, index))
                }),
            #[cfg(feature = "awp")]
            Authenticates::Actions => Self::Actions(Actions::of(document)),
            _ => Self::Unknown(index),
        }
    }

    /// Merges the requirement for the whole service, which applies to each capability.
    pub(super) fn tighten(&self, auth: &mut Auth<'a>) {
        match self {
            #[cfg(any(
                feature = "adp",
                feature = "a2a",
                feature = "mcp-card",
                feature = "openapi"
            ))]
            Self::Whole(whole) => auth.tighten(whole),
            Self::Unknown(index) => auth.tighten_unread(*index),
            _ => _ = auth,
        }
    }

    /// The URLs that refresh a token and report the status.
    pub(super) const fn urls(&self) -> (Option<Text<'a>>, Option<Text<'a>>) {
        match self {
            #[cfg(feature = "awp")]
            Self::Actions(actions) => (actions.places.refresh_url, actions.status.url),
            _ => (None, None),
        }
    }

    /// Whether the service is down.
    pub(super) const fn is_down(&self) -> bool {
        match self {
            #[cfg(feature = "awp")]
            Self::Actions(actions) => actions.status.is_down,
            _ => false,
        }
    }

    /// Whether an action is degraded.
    pub(super) fn is_degraded(&self, id: Text<'_>, budget: &mut Budget) -> bool {
        match self {
            #[cfg(feature = "awp")]
            Self::Actions(actions) => budget.contains(&actions.status.degraded, id).unwrap_or(true),
            _ => {
                let _ = (id, budget);
                false
            }
        }
    }

    /// Which list names an action.
    pub(super) fn listed(&self, id: Text<'_>, budget: &mut Budget) -> Listed {
        match self {
            #[cfg(feature = "awp")]
            Self::Actions(actions) => actions.listed(id, budget),
            _ => {
                let _ = (id, budget);
                Listed::No
            }
        }
    }
}

#[cfg(feature = "awp")]
impl<'a> Actions<'a> {
    fn of(document: &Document<'a>) -> Self {
        let mut actions = Self {
            kind: Choice::unreadable(),
            places: Places::default(),
            is_stated: false,
            required_for: List::empty(),
            optional_for: List::empty(),
            lists_actions: false,
            is_unreadable: false,
            status: status_of(document),
        };
        let Some(auth) = &auth_of(document) else {
            return actions;
        };
        (actions.kind, actions.places, actions.is_stated) = (auth.kind, Places::of(auth), true);
        (actions.required_for, actions.optional_for) = (auth.required_for, auth.optional_for);
        actions.lists_actions = !auth.required_for.is_empty();
        let nothing_read =
            auth.kind.text.is_none() && auth.kind.value != AuthType::None && !actions.lists_actions;
        actions.is_unreadable = (nothing_read && !has_kept::<AuthObject<'_>>(&auth.metadata, None))
            || has_kept::<AuthObject<'_>>(&auth.metadata, Some("required_for"));
        actions
    }

    /// Which list names an action.
    fn listed(&self, id: Text<'_>, budget: &mut Budget) -> Listed {
        if !self.is_stated {
            return Listed::No;
        }
        if self.is_unreadable {
            return Listed::Required;
        }
        match (budget.contains(&self.required_for, id), budget.contains(&self.optional_for, id)) {
            (Some(true) | None, _) => Listed::Required,
            (_, Some(true)) => Listed::Optional,
            _ => Listed::No,
        }
    }
}

/// The condition of a service, as an Agent Web Protocol document states it.
#[cfg(feature = "awp")]
#[derive(Clone, Copy)]
struct Condition<'a> {
    /// The degraded actions.
    degraded: List<'a, Text<'a>>,
    /// Whether the service is down; true if the statement cannot be read.
    is_down: bool,
    /// The URL that reports the status.
    url: Option<Text<'a>>,
}

#[cfg(feature = "awp")]
fn status_of<'a>(document: &Document<'a>) -> Condition<'a> {
    let Some(status) = with_reading(document, |reading| reading.status()) else {
        // Not the metadata: finding out whether lists are in it reads all actions.
        let is_down = |awp: awp::Awp<'_>| awp.top.seen.is_ill_typed(awp::Top::agent_status);
        return Condition {
            degraded: List::empty(),
            is_down: document.awp().is_some_and(is_down),
            url: None,
        };
    };
    let is_down = match status.operational {
        Some(operational) => !operational,
        None => is_unreadable::<StatusObject<'_>>(&status.metadata, "operational"),
    };
    Condition { degraded: status.degraded, is_down, url: status.url }
}

/// Which list of an Agent Web Protocol document names an action.
#[cfg_attr(not(feature = "awp"), allow(dead_code))]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Listed {
    /// Neither.
    No,
    /// `optional_for`.
    Optional,
    /// `required_for`, or the list cannot be read.
    Required,
}
