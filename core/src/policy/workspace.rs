//! Buffers in which a decision normalises URLs.

use super::place::{BUFFER, Place, Site};
use crate::format::Format;
use crate::syntax::text::HAS_ESCAPES;

/// The size of a buffer that only some formats need.
const fn only_with(is_built_in: bool) -> usize {
    if is_built_in { BUFFER } else { 0 }
}

/// Whether any enabled format appends paths to a base URL.
const HAS_BASE: bool = Format::Adp.is_built_in() || Format::OpenApi.is_built_in();

/// Memory for a decision. [`decide`](super::decide) puts it on the stack;
/// [`decide_with`](super::decide_with) takes it from the caller, for example from static memory.
/// About 9 KB, or 5 KB without JSON formats.
///
/// Its previous content does not matter, and decisions do not borrow from it, so one workspace
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
    /// The base URL of an Agent Discovery Protocol manifest, if it has escapes or is filled in, or of
    /// the server of an OpenAPI description.
    pub(super) base: BaseText,
    pub(super) scratch: Scratch,
}

/// The text of a base URL.
#[derive(Clone, Debug)]
pub(super) struct BaseText {
    pub(super) text: [u8; only_with(HAS_BASE)],
    /// The length of a base URL that replaces the one of the manifest; 0 for none.
    filled: usize,
    /// Whether that URL is on the registrable domain that the manifest states.
    pub(super) keeps_domain: bool,
}

impl BaseText {
    /// The base URL that replaces the one of the manifest.
    pub(super) fn filled(&self) -> Option<&[u8]> {
        self.text.get(..self.filled).filter(|text| !text.is_empty())
    }

    /// Replaces the base URL of the manifest; an empty text removes the replacement. Returns false
    /// if the text does not fit into the buffer.
    #[cfg(feature = "call")]
    pub(super) fn fill(&mut self, text: &str, keeps_domain: bool) -> bool {
        (self.filled, self.keeps_domain) = (0, keeps_domain);
        let Some(place) = self.text.get_mut(..text.len()) else {
            return false;
        };
        crate::sink::copy(place, text.as_bytes());
        self.filled = text.len();
        true
    }
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
            base: BaseText { text: [0; only_with(HAS_BASE)], filled: 0, keeps_domain: true },
            scratch: Scratch { text: [0; only_with(HAS_ESCAPES)], url: [0; BUFFER] },
        };
        Self { site: Site::NONE, place: Place::NONE, tools }
    }
}

#[cfg(feature = "call")]
impl Workspace {
    /// Removes the base URL that was filled in.
    pub(crate) fn unfill(&mut self) {
        self.tools.base.fill("", true);
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
