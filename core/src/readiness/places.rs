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

/// The number of locations: all but the home page, and [`OLD_CARD`], which stands there once.
const COUNT: usize = {
    let (mut count, mut rest) = (0, Resource::ALL);
    while let [resource, others @ ..] = rest {
        count += locations(*resource).len();
        rest = others;
    }
    count
};

/// All locations. A location of two resources stands at the first one.
pub const PLACES: [Place; COUNT] = {
    let mut places = [OLD_CARD; COUNT];
    let (mut left, mut rest) = (places.as_mut_slice(), Resource::ALL);
    while let [resource, others @ ..] = rest {
        let (mut number, mut paths) = (0, locations(*resource));
        while let [path, more @ ..] = paths {
            let all = core::mem::replace(&mut left, &mut []);
            let Some((place, next)) = all.split_first_mut() else { break };
            let is_main = number == 0 || are_rivals(*resource);
            *place = Place { path, resource: *resource, is_main };
            (number, paths, left) = (number + 1, more, next);
        }
        rest = others;
    }
    places
};

/// The locations of a resource, but the home page. An agent card is looked for at its current
/// location, because AWP has the other one.
const fn locations(resource: Resource) -> &'static [&'static str] {
    match (resource, resource.locations()) {
        (Resource::Home, _) => &[],
        (Resource::AgentCard, [first, ..]) => core::slice::from_ref(first),
        (_, all) => all,
    }
}

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
