//! The order in which AWP actions must run (section 11): prerequisites, and cycles.
//!
//! Implementation notes: every name in `dependencies`, key or value, is a node in a scratch buffer
//! from the caller. Nodes are sorted by name. Among nodes with the same name, values come before
//! keys, and keys have the order of the document. The last node of a name represents all of them, so
//! a binary search finds a name. The requirements of repeated keys are read together: after those
//! of one key come those of the key before it, whose node stands before its own. The walk is
//! depth-first without a stack: each active node stores its parent and the offset of its next
//! requirement.
//!
//! INVARIANT: each node is entered once, and each of its requirements is read once. Each
//! requirement needs one binary search, so the total is O(n log n).

use core::fmt;
use core::ops::ControlFlow;

use super::{Awp, Top};
use crate::diagnostic::{Code, Diagnostic, write_quoted};
use crate::error::{Capacity, Error, ErrorKind};
use crate::rules::json::Check;
use crate::rules::json::reading::Texts;
use crate::rules::names::{compare, heap_sort};
use crate::scan;
use crate::span::Span;
use crate::syntax::json::view::Object;
use crate::syntax::json::{Kind, Value, next_element, next_member};
use crate::syntax::text::Text;

/// The size of a node in the scratch buffer, in `u32` numbers.
const WORDS: usize = 4;

/// The span of the name (two numbers), the state, and the link. The link of an active node is its
/// parent. The link of a finished node is the node that finished next.
type Node = [u32; WORDS];

// States of nodes. A number greater than `READ` is the offset of the next requirement of an active
// node; the offset of a requirement is always greater.
const LEAF: u32 = 0;
const KEY: u32 = 1;
const DONE: u32 = 2;
/// The node is active, and all its requirements were read.
const READ: u32 = 3;

const END: u32 = u32::MAX;

/// Actions in the order in which they run; see [`Awp::prerequisites`].
#[derive(Clone, Debug)]
pub struct Actions<'a, 's> {
    nodes: &'s [Node],
    bytes: &'a [u8],
    next: u32,
}

impl<'a> Iterator for Actions<'a, '_> {
    type Item = Text<'a>;

    fn next(&mut self) -> Option<Text<'a>> {
        let &[start, end, _, link] = self.nodes.get(self.next as usize)?;
        self.next = link;
        let raw = Span::new(start, end).slice(self.bytes);
        Some(if scan::memchr(b'\\', raw).is_some() { Text::json(raw) } else { Text::plain(raw) })
    }
}

/// Why the prerequisites have no order.
#[derive(Clone, Debug)]
pub enum PrerequisiteError<'a, 's> {
    /// Actions require each other: each action requires the next, and the last action requires the
    /// first.
    Cycle(Actions<'a, 's>),
    /// Some values in `dependencies` are unreadable, so other actions may be required as well.
    /// Contains the prerequisites that are readable, in order.
    Unreadable(Actions<'a, 's>),
    /// The scratch buffer is too small.
    CapacityExceeded {
        /// The length that is sufficient, in `u32` numbers.
        needed: usize,
    },
}

impl PrerequisiteError<'_, '_> {
    /// Returns the error as an [`Error`]. `None` for a cycle and for unreadable dependencies:
    /// [`Error`] has no kind for them.
    pub const fn as_error(&self) -> Option<Error> {
        match self {
            Self::Cycle(_) | Self::Unreadable(_) => None,
            Self::CapacityExceeded { .. } => {
                Some(Error::new(ErrorKind::CapacityExceeded(Capacity::Actions), 0))
            }
        }
    }
}

impl fmt::Display for PrerequisiteError<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cycle(actions) => {
                f.write_str("actions require one another:")?;
                actions.clone().try_for_each(|action| {
                    f.write_str(" ")?;
                    write_quoted(f, action)
                })
            }
            Self::Unreadable(_) => f.write_str(
                "the dependencies cannot be read; each action needs an array of action ids",
            ),
            Self::CapacityExceeded { needed } => {
                write!(f, "the scratch buffer is too small; it needs {needed} numbers")
            }
        }
    }
}

impl core::error::Error for PrerequisiteError<'_, '_> {}

impl<'a> Awp<'a> {
    /// Returns the actions that must run before `action`, in an order in which they can run. Each
    /// action occurs once, after all actions that it requires. Otherwise they have the order of
    /// their declaration. Empty if nothing is required. Names that are not actions are included;
    /// the check reports them.
    ///
    /// `scratch` needs four numbers for each name in `dependencies`, keys and values alike. Its
    /// initial content does not matter. O(n log n) in the size of `dependencies`.
    ///
    /// # Errors
    /// [`PrerequisiteError`]: the actions of a cycle, dependencies that cannot be read, or the
    /// length that `scratch` needs.
    ///
    /// ```
    /// use agentsdisc_core::{Document, Format, ParseOptions};
    /// let text = br#"{"awp_version": "0.2", "dependencies": {"check_in": ["book", "pay"], "book": "search", "pay": ["book"]}}"#;
    /// let options = ParseOptions { format: Some(Format::Awp), ..ParseOptions::default() };
    /// let awp = Document::parse_with(text, &options)?.awp().unwrap();
    /// let mut scratch = [0; 64];
    /// assert!(awp.prerequisites("check_in", &mut scratch).unwrap().eq(["search", "book", "pay"]));
    /// # Ok::<(), agentsdisc_core::Error>(())
    /// ```
    pub fn prerequisites<'s>(
        &self,
        action: &str,
        scratch: &'s mut [u32],
    ) -> Result<Actions<'a, 's>, PrerequisiteError<'a, 's>> {
        self.prerequisites_of(Text::plain(action.as_bytes()), scratch)
    }

    /// Whether some prerequisites are unreadable: `dependencies` is not an object, or one of its
    /// values is neither a name nor a list of names. Linear.
    pub(crate) fn has_unreadable_dependencies(&self) -> bool {
        const DEPENDENCIES: u32 = Top::dependencies;
        match self.top.dependencies {
            Some(Object(object)) => !object.members().all(|member| is_read(member.value)),
            None => self.top.seen.is_ill_typed(DEPENDENCIES),
        }
    }

    /// Like [`prerequisites`](Self::prerequisites), for an id as [`Text`].
    pub(crate) fn prerequisites_of<'s>(
        &self,
        action: Text<'_>,
        scratch: &'s mut [u32],
    ) -> Result<Actions<'a, 's>, PrerequisiteError<'a, 's>> {
        let required = self.readable_prerequisites(action, scratch)?;
        if self.has_unreadable_dependencies() {
            return Err(PrerequisiteError::Unreadable(required));
        }
        Ok(required)
    }

    fn readable_prerequisites<'s>(
        &self,
        action: Text<'_>,
        scratch: &'s mut [u32],
    ) -> Result<Actions<'a, 's>, PrerequisiteError<'a, 's>> {
        let Some(Object(object)) = self.top.dependencies else {
            return Ok(Actions { nodes: &[], bytes: b"", next: END });
        };
        let mut graph = Graph::build(object, object.raw(), scratch)
            .map_err(|needed| PrerequisiteError::CapacityExceeded { needed })?;
        let mut next = END;
        if let Some(root) = graph.find(action) {
            match graph.walk(root, |_, _| ControlFlow::Break(())) {
                Ok(first) => next = first,
                Err(cycle) => {
                    let next = graph.forward(cycle);
                    return Err(PrerequisiteError::Cycle(Actions {
                        nodes: graph.nodes,
                        bytes: graph.bytes,
                        next,
                    }));
                }
            }
        }
        Ok(Actions { nodes: graph.nodes, bytes: graph.bytes, next })
    }
}

/// Whether the requirements of an action are readable: a list of names, one name, or `null`.
pub(super) fn is_read(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Array => value.elements().all(is_name),
        kind => kind == Kind::Null || is_name(value),
    }
}

/// Whether a value can be the id of an action.
pub(super) fn is_name(value: Value<'_>) -> bool {
    value.as_text().is_some_and(|name| !name.is_blank())
}

/// Reports every cycle that a depth-first walk finds, at the first of its names in the document.
/// Two cycles are reported separately if each has a requirement that the other does not have.
pub(super) fn check_cycles<'a>(object: Option<Object<'a>>, check: &mut Check<'_, '_, 'a>) {
    let Some(Object(object)) = object else { return };
    check.with_scratch(|check, scratch| {
        let Ok(mut graph) = Graph::build(object, check.bytes, scratch) else {
            return check.not_checked();
        };
        let mut previous = None;
        for member in object.members() {
            let Some(root) = graph.find(member.name) else { continue };
            if check.report.is_full() || graph.state(root) != KEY {
                continue;
            }
            let _ = graph.walk(root, |graph, cycle| {
                if previous.replace(cycle) != Some(cycle) {
                    report_cycle(graph, cycle, check);
                }
                ControlFlow::Continue(())
            });
        }
    });
}

/// Reports a cycle with the names of all its actions. If it is long, only with the last ones and
/// the first.
fn report_cycle<'a>(graph: &Graph<'_, 'a>, cycle: Cycle, check: &mut Check<'_, '_, 'a>) {
    const NAMED: usize = 6;
    let span = |at: u32| {
        let [start, end, ..] = graph.node(at);
        Span::new(start, end)
    };
    // The links of active nodes lead from the last action to the first.
    let mut nodes = heapless::Vec::<u32, NAMED>::new();
    let mut current = cycle.last;
    while current != cycle.first && nodes.push(current).is_ok() {
        current = graph.node(current)[3];
    }
    let is_whole = current == cycle.first && !nodes.is_full();
    let start = is_whole.then_some(&cycle.first);
    let names = start.into_iter().chain(nodes.iter().rev());
    let names = names.chain([&cycle.first]).map(|&at| span(at));
    let Some(at) = names.clone().min_by_key(|span| span.start) else {
        return;
    };
    let message = if is_whole {
        "{} requires itself ({}), so none of these actions can ever run; remove one of the dependencies"
    } else {
        "{} requires itself (… → {}), so none of these actions can ever run; remove one of the dependencies"
    };
    let diagnostic = Diagnostic::new(
        Code::DependencyCycle,
        Span::new(at.start.saturating_sub(1), at.end.saturating_add(1)),
        check.spec,
        "11",
        message,
    )
    .about(graph.name(cycle.first))
    .naming(graph.bytes, names);
    check.report.add(diagnostic);
}

/// A requirement that closes a cycle: `last` requires `first`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cycle {
    last: u32,
    first: u32,
}

struct Graph<'s, 'a> {
    nodes: &'s mut [Node],
    bytes: &'a [u8],
}

impl<'s, 'a> Graph<'s, 'a> {
    /// Sorts the names of `dependencies`, which is a value in `bytes`. If the scratch buffer is too
    /// small, the error is the length that it needs.
    fn build(object: Value<'a>, bytes: &'a [u8], scratch: &'s mut [u32]) -> Result<Self, usize> {
        let (nodes, _) = scratch.as_chunks_mut::<WORDS>();
        let mut count = 0_usize;
        let mut add = |name: Text<'_>, state: u32| {
            if !name.is_empty() {
                let Span { start, end } = Span::of(name.raw(), bytes);
                if let Some(node) = nodes.get_mut(count) {
                    *node = [start, end, state, END];
                }
                count = count.saturating_add(1);
            }
        };
        for member in object.members() {
            add(member.name, KEY);
            if matches!(member.value.kind(), Kind::Array | Kind::String) {
                Texts::of(member.value).for_each(|name| add(name, LEAF));
            }
        }
        let nodes = nodes.get_mut(..count).ok_or(count.saturating_mul(WORDS))?;
        let name = |node: Node| name_of(node, bytes);
        heap_sort(nodes, |a, b| {
            compare(name(a), name(b)).then_with(|| (a[2], a[0]).cmp(&(b[2], b[0])))
        });
        Ok(Self { nodes, bytes })
    }

    /// Returns the node that represents a name.
    fn find(&self, name: Text<'_>) -> Option<u32> {
        let behind =
            self.nodes.partition_point(|&node| compare(name_of(node, self.bytes), name).is_le());
        let last = behind.checked_sub(1)?;
        compare(name_of(*self.nodes.get(last)?, self.bytes), name).is_eq().then_some(last as u32)
    }

    fn node(&self, at: u32) -> Node {
        self.nodes.get(at as usize).copied().unwrap_or([0, 0, DONE, END])
    }

    fn name(&self, at: u32) -> Text<'a> {
        name_of(self.node(at), self.bytes)
    }

    fn state(&self, at: u32) -> u32 {
        self.node(at)[2]
    }

    fn set(&mut self, at: u32, state: u32, link: u32) {
        if let Some([_, _, old_state, old_link]) = self.nodes.get_mut(at as usize) {
            (*old_state, *old_link) = (state, link);
        }
    }

    /// Walks everything that `root` requires, links the nodes in the order in which they must run,
    /// and returns the first one. Skips nodes that are already finished. At each requirement that
    /// closes a cycle, `on_cycle` decides whether to skip it or to end the walk.
    fn walk(
        &mut self,
        root: u32,
        mut on_cycle: impl FnMut(&Self, Cycle) -> ControlFlow<()>,
    ) -> Result<u32, Cycle> {
        let (mut first, mut last) = (END, END);
        let mut current = END;
        // The node to enter from the current one.
        let mut next = Some(root);
        loop {
            if let Some(entered) = next {
                let state = match self.state(entered) {
                    KEY => {
                        self.or_earlier(self.requirements(entered), entered, self.node(entered)[0])
                    }
                    _ => READ,
                };
                self.set(entered, state, current);
                current = entered;
            }
            let [.., state, parent] = self.node(current);
            if state != READ {
                let (requirement, following) = self.requirement(state);
                let key = self.key_around(current, state);
                self.set(current, self.or_earlier(following, current, key), parent);
                next = requirement.and_then(|name| self.find(name));
                if let Some(found) = next {
                    match self.state(found) {
                        LEAF | KEY => {}
                        DONE => next = None,
                        _ => {
                            let cycle = Cycle { last: current, first: found };
                            if on_cycle(self, cycle).is_break() {
                                return Err(cycle);
                            }
                            next = None;
                        }
                    }
                }
                continue;
            }
            next = None;
            self.set(current, DONE, END);
            if current == root {
                return Ok(first);
            }
            // The links of finished nodes form the returned order.
            if last == END {
                first = current
            } else {
                self.set(last, DONE, current)
            }
            last = current;
            current = parent;
        }
    }

    /// Returns the offset of the next requirement of an action whose last key was read: that of the
    /// nearest key of the same name that begins before an offset. Otherwise `state`.
    fn or_earlier(&self, mut state: u32, at: u32, mut before: u32) -> u32 {
        while state == READ
            && let Some(key) = self.key_before(at, before)
        {
            (state, before) = (self.requirements(key), self.node(key)[0]);
        }
        state
    }

    /// Returns where the key of an action begins that has the requirement at an offset.
    fn key_around(&self, at: u32, offset: u32) -> u32 {
        let [last, ..] = self.node(at);
        let key = if offset > last { None } else { self.key_before(at, offset) };
        key.map_or(last, |key| self.node(key)[0])
    }

    /// Returns the nearest key of the same name as a node that begins before an offset and stands
    /// before the node.
    fn key_before(&self, at: u32, offset: u32) -> Option<u32> {
        let (others, name) = (self.nodes.get(..at as usize)?, self.name(at));
        let order = |&node: &Node| compare(name_of(node, self.bytes), name);
        let place = |node: &Node| order(node).then_with(|| (node[2], node[0]).cmp(&(KEY, offset)));
        let key = others.partition_point(|node| place(node).is_lt()).checked_sub(1)?;
        let is_key = |node: &&Node| node[2] == KEY && order(node).is_eq();
        others.get(key).filter(is_key).map(|_| key as u32)
    }

    /// Returns the offset of the first requirement of a key.
    fn requirements(&self, at: u32) -> u32 {
        let mut position = self.node(at)[0].saturating_sub(1);
        let Some(member) = next_member(self.bytes, &mut position) else {
            return READ;
        };
        let start = Span::of(member.value.raw(), self.bytes).start;
        match member.value.kind() {
            Kind::Array => start.saturating_add(1),
            Kind::String => start,
            _ => READ,
        }
    }

    /// Returns the requirement at an offset, if it is a name, and the offset of the next one.
    fn requirement(&self, offset: u32) -> (Option<Text<'a>>, u32) {
        let mut position = offset;
        let Some(value) = next_element(self.bytes, &mut position) else {
            return (None, READ);
        };
        // A name outside of an array follows neither a bracket nor a comma.
        let byte_before = |offset: u32| self.bytes.get(offset.wrapping_sub(1) as usize);
        let more = matches!(byte_before(offset), Some(b'[' | b','))
            && byte_before(position) == Some(&b',');
        (value.as_text(), if more { position } else { READ })
    }

    /// Reverses the links of a cycle, so they lead from an action to its requirement. Returns the
    /// first node.
    fn forward(&mut self, cycle: Cycle) -> u32 {
        let (mut current, mut behind) = (cycle.last, END);
        loop {
            let [.., state, parent] = self.node(current);
            self.set(current, state, behind);
            if current == cycle.first || parent == END {
                return current;
            }
            behind = current;
            current = parent;
        }
    }
}

fn name_of([start, end, ..]: Node, bytes: &[u8]) -> Text<'_> {
    Text::json(Span::new(start, end).slice(bytes))
}
