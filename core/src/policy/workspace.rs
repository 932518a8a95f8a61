//! Buffers in which a decision normalises URLs.

use super::place::{BUFFER, Place, Site};
use crate::format::Format;
use crate::syntax::text::HAS_ESCAPES;

/// Buffers that only some formats need.
const fn only_with(is_built_in: bool) -> usize {
    if is_built_in { BUFFER } else { 0 }
}

/// Memory for a decision. [`decide`](super::decide) puts it on the stack;
/// [`decide_with`](super::decide_with) takes it from the caller, for example from static memory.
/// About 9 KB, or 5 KB without JSON formats.
///
/// Its previous content does not matter, and nothing refers to it afterwards, so one workspace
/// serves any number of decisions.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The site that the documents are of.
    pub(super) site: Site,
    /// The place of the request.
    pub(super) place: Place,
    pub(super) tools: Tools,
}

/// Buffers reused for every document.
#[derive(Clone, Debug)]
pub(super) struct Tools {
    /// The base URL of an Agent Discovery Protocol manifest, if it is escaped.
    pub(super) base: [u8; only_with(Format::Adp.is_built_in())],
    pub(super) scratch: Scratch,
}

/// Buffers reused for every text.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    /// A decoded text. The text formats have no escapes in URLs.
    pub(super) text: [u8; only_with(HAS_ESCAPES)],
    /// A resolved reference.
    pub(super) url: [u8; BUFFER],
}

impl Workspace {
    /// An empty workspace.
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

/// A source of a [`Workspace`].
pub(super) trait Lend {
    fn lend<T>(&mut self, work: impl FnOnce(&mut Workspace) -> T) -> T;
}

impl Lend for &mut Workspace {
    fn lend<T>(&mut self, work: impl FnOnce(&mut Workspace) -> T) -> T {
        work(self)
    }
}

/// Uses the stack.
pub(super) struct Stack;

impl Lend for Stack {
    fn lend<T>(&mut self, work: impl FnOnce(&mut Workspace) -> T) -> T {
        work(&mut Workspace::new())
    }
}
