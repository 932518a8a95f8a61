//! The memory in which URLs are brought into form.

use super::place::{BUFFER, Place, Site};
use crate::format::Format;
use crate::syntax::text::HAS_ESCAPES;

/// What is needed only by formats that may be left out.
const fn only_with(is_built_in: bool) -> usize {
    if is_built_in { BUFFER } else { 0 }
}

/// Memory that a decision is made in: what [`decide`](super::decide) takes from the stack, [`decide_with`](super::decide_with) takes from the
/// caller, who may have it in static memory. About 9 KB, and 5 KB where no JSON format is built in.
///
/// What it holds before does not matter, and nothing in it is used afterwards: one is enough for any number of decisions, one after the other.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The site that the documents are of.
    pub(super) site: Site,
    /// Where the request goes.
    pub(super) place: Place,
    pub(super) tools: Tools,
}

/// What is used again for every document.
#[derive(Clone, Debug)]
pub(super) struct Tools {
    /// The base URL of a manifest of the Agent Discovery Protocol, where it is escaped.
    pub(super) base: [u8; only_with(Format::Adp.is_built_in())],
    pub(super) scratch: Scratch,
}

/// What is used again for every text.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    /// A text without its escapes. The text formats have none where URLs stand.
    pub(super) text: [u8; only_with(HAS_ESCAPES)],
    /// A reference that is resolved.
    pub(super) url: [u8; BUFFER],
}

impl Workspace {
    /// Memory of the right size.
    pub const fn new() -> Self {
        let tools = Tools {
            base: [0; only_with(Format::Adp.is_built_in())],
            scratch: Scratch {
                text: [0; only_with(HAS_ESCAPES)],
                url: [0; BUFFER],
            },
        };
        Self {
            site: Site::NONE,
            place: Place::NONE,
            tools,
        }
    }
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

/// Who lends a [`Workspace`].
pub(super) trait Lend {
    fn lend<T>(&mut self, work: impl FnOnce(&mut Workspace) -> T) -> T;
}

impl Lend for &mut Workspace {
    fn lend<T>(&mut self, work: impl FnOnce(&mut Workspace) -> T) -> T {
        work(self)
    }
}

/// The stack does.
pub(super) struct Stack;

impl Lend for Stack {
    fn lend<T>(&mut self, work: impl FnOnce(&mut Workspace) -> T) -> T {
        work(&mut Workspace::new())
    }
}
