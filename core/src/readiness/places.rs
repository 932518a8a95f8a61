//! The well-known locations of documents.

use crate::discovery::Resource;
use crate::format::{Format, fact};

/// A well-known location.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The path.
    pub path: &'static str,
    /// What belongs there.
    pub resource: Resource,
    /// Whether the specification names this location; others are fallbacks, and compared with it.
    pub is_main: bool,
}

/// The location of agent cards in earlier versions of A2A, which is also the fallback of AWP.
pub const OLD_CARD: Place =
    Place { path: "/.well-known/agent.json", resource: Resource::AgentCard, is_main: false };

/// The number of locations.
const COUNT: usize = {
    let (mut count, mut rest) = (0, Resource::ALL);
    while let [resource, others @ ..] = rest {
        count += locations(*resource).len();
        rest = others;
    }
    count
};

/// All locations but the home page. The one of two resources is that of AWP, behind the current location
/// of agent cards.
pub const PLACES: [Place; COUNT] = {
    let mut places = [OLD_CARD; COUNT];
    let (mut left, mut rest) = (places.as_mut_slice(), Resource::ALL);
    while let [resource, others @ ..] = rest {
        let (mut number, mut paths) = (0, locations(*resource));
        while let [path, more @ ..] = paths {
            #[allow(clippy::mem_replace_with_default, reason = "`take` is not const")]
            let all = core::mem::replace(&mut left, &mut []);
            let Some((place, next)) = all.split_first_mut() else { break };
            let is_shared = number > 0 && matches!(resource, Resource::AgentCard);
            let resource = if is_shared { Resource::Awp } else { *resource };
            *place = Place { path, resource, is_main: number == 0 || are_rivals(resource) };
            (number, paths, left) = (number + 1, more, next);
        }
        rest = others;
    }
    places
};

/// The locations of a resource; of AWP only the first, because the other one is also that of agent cards.
const fn locations(resource: Resource) -> &'static [&'static str] {
    match (resource, resource.locations()) {
        (Resource::Home, _) => &[],
        (Resource::Awp, [first, ..]) => core::slice::from_ref(first),
        (_, all) => all,
    }
}

/// Whether the locations of a resource are of different proposals or versions, so that none is a
/// fallback.
const fn are_rivals(resource: Resource) -> bool {
    let mut rest = Format::ALL;
    while let [format, others @ ..] = rest {
        let published = fact!(*format => published);
        if published.has_rival_locations && resource.accepts(*format) {
            return true;
        }
        rest = others;
    }
    false
}
