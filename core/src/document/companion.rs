//! Compares two documents of one site field by field: an agents.txt and its agents.json.
//!
//! Both documents are untrusted, so no list may be searched once for every item of another. Items
//! in the same order in both documents are compared in one pass. The other items are put into a
//! hash table of their names, as many as there are [`Slot`]s at a time, and one pass over the other
//! list finds them. A list that needs more than a few such passes exhausts the budget; the rest is
//! left out, and the result shows that.

use super::Document;
use crate::format::Format;
use crate::model::{
    AgentPolicy, AuthType, Capability, Choice, Enumeration, List, Location, Mark, Parameter,
    Protocol, RateLimit,
};
use crate::span::Span;
use crate::syntax::text::Text;

/// The maximum number of passes over each document to find items that have another position in the
/// other document.
const WALKS: usize = 3;

/// Additional bytes that may be read, so that small documents are always compared completely.
const FLOOR: usize = 1 << 16;

/// The number of slots of [`Document::differences`] on the stack.
const SLOTS: usize = 256;

/// Memory for one item of a list, for [`Document::differences_with`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Slot {
    /// The hash of the name.
    hash: u32,
    here: Mark,
    /// The item with this name in the other list.
    there: Option<Mark>,
    /// The slot after this one in its bucket of the hash table. Slots are counted from 1; 0 is
    /// none.
    next: u32,
    /// The first slot of the bucket whose index is that of this slot. Unrelated to the item in this
    /// slot.
    first: u32,
}

/// A difference between two documents.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Difference<'a> {
    /// The member of the unified model (`docs/model.md`), such as `capabilities.endpoint`.
    pub field: &'static str,
    /// The id of the capability or the name of the agent that contains it; empty for other members.
    pub subject: Text<'a>,
    /// The list item or the name of the parameter; empty for other members.
    pub item: Text<'a>,
    /// Its range in the first document; `None` if that document does not contain it.
    pub first: Option<Span>,
    /// Its range in the second document; `None` if that document does not contain it.
    pub second: Option<Span>,
}

impl<'a> Document<'a> {
    /// Compares the document with another one of the same site, field by field: an agents.txt with
    /// its agents.json (Internet-Draft 3.2). An agents.txt 0.1.0 can be compared as well; it has
    /// fewer members in common with its agents.json. Calls `sink` with each difference. Returns
    /// true if everything was compared.
    ///
    /// Compares all members that both notations have, with defaults applied and without case where
    /// case does not matter. Ignores the order of lists and the creation times. Takes linear time.
    /// In each list, compares all items that have the same order in both documents, and some
    /// hundred items in different order; the rest is left out.
    /// [`differences_with`](Self::differences_with) compares more.
    ///
    /// ```
    /// use agentsdisc_core::Document;
    /// let text = Document::parse(b"Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n")?;
    /// let json = Document::parse(br#"{"specVersion":"1.0","site":{"name":"Cups","url":"https://mugs.example"}}"#)?;
    /// let mut fields = Vec::new();
    /// assert!(text.differences(&json, |found| fields.push(found.field)));
    /// assert_eq!(fields, ["service.name"]);
    /// # Ok::<(), agentsdisc_core::Error>(())
    /// ```
    #[must_use]
    pub fn differences(&self, other: &Self, sink: impl FnMut(Difference<'a>)) -> bool {
        self.differences_with(other, &mut [Slot::default(); SLOTS], sink)
    }

    /// Like [`differences`](Self::differences), with slots from the caller, whose content is
    /// ignored. Takes linear time.
    ///
    /// Twice as many slots as the longest list has items are always enough. Each byte of the
    /// documents is read a few times at most, for any number of slots.
    #[must_use]
    pub fn differences_with(
        &self,
        other: &Self,
        slots: &mut [Slot],
        mut sink: impl FnMut(Difference<'a>),
    ) -> bool {
        compare(self, other, slots, &mut sink)
    }
}

/// Calls `sink` with each difference in the members that both notations have. Applies defaults, and
/// ignores the case of enumerations and methods, the order of lists, creation times and comments.
///
/// Returns true if everything was compared. False if the documents are large and in different
/// order.
fn compare<'a>(
    first: &Document<'a>,
    second: &Document<'a>,
    slots: &mut [Slot],
    sink: &mut dyn FnMut(Difference<'a>),
) -> bool {
    let bytes = [first.bytes(), second.bytes()];
    let mut work = Work {
        bytes,
        budget: WALKS
            .saturating_mul(first.bytes().len().saturating_add(second.bytes().len()))
            .saturating_add(FLOOR),
        is_complete: true,
        subject: Text::EMPTY,
        item: Text::EMPTY,
        sink,
    };
    let is_draft = |document: &Document<'_>| {
        matches!(document.format(), Format::AgentsTxt | Format::AgentsJson)
    };
    let full = is_draft(first) && is_draft(second);
    let (a, b) = (first.manifest(), second.manifest());
    if full {
        work.choice("kind", Some(a.head().kind), Some(b.head().kind));
        work.texts("operates_on", a.operates_on(), b.operates_on(), slots);
    }
    let (x, y) = (a.service().unwrap_or_default(), b.service().unwrap_or_default());
    work.text("service.name", x.name, y.name);
    if x.url.is_some() && y.url.is_some() || full {
        work.text("service.url", x.url, y.url);
    }
    work.text("service.description", x.description, y.description);
    work.texts("service.contact", x.contact, y.contact, slots);
    if full {
        work.text("service.privacy_policy", x.privacy_policy, y.privacy_policy);
    }
    let one: Compare<Work<'_, 'a>, Capability<'a>> =
        if full { Work::capability } else { |_, _, _, _| {} };
    work.pairs("capabilities", a.capabilities(), b.capabilities(), Capability::called, one, slots);
    if full {
        work.texts("access.allow", a.access().allow, b.access().allow, slots);
        work.texts("access.disallow", a.access().disallow, b.access().disallow, slots);
        work.pairs("agents", a.agents(), b.agents(), AgentPolicy::called, Work::agent, slots);
    } else {
        work.limits("rate_limits", a.rate_limits(), b.rate_limits(), [&[], &[]]);
        work.defaults([first, second]);
    }
    work.is_complete
}

/// The two documents of a comparison.
struct Work<'s, 'a> {
    bytes: [&'a [u8]; 2],
    budget: usize,
    is_complete: bool,
    subject: Text<'a>,
    item: Text<'a>,
    sink: &'s mut dyn FnMut(Difference<'a>),
}

impl<'a> Work<'_, 'a> {
    /// Reports a difference; the parts are its ranges in each document.
    fn report(&mut self, field: &'static str, parts: [Option<&'a [u8]>; 2]) {
        let [first, second] = parts;
        let [one, two] = self.bytes;
        let (first, second) =
            (first.map(|part| Span::of(part, one)), second.map(|part| Span::of(part, two)));
        (self.sink)(Difference { field, subject: self.subject, item: self.item, first, second });
    }

    fn text(&mut self, field: &'static str, a: Option<Text<'a>>, b: Option<Text<'a>>) {
        if a != b {
            self.report(field, [a.map(Text::raw), b.map(Text::raw)]);
        }
    }

    fn choice<E: Enumeration>(
        &mut self,
        field: &'static str,
        a: Option<Choice<'a, E>>,
        b: Option<Choice<'a, E>>,
    ) {
        let same = match (a, b) {
            (Some(a), Some(b)) if a.value == E::UNKNOWN && b.value == E::UNKNOWN => {
                a.text == b.text
            }
            (a, b) => a.map(|a| a.value) == b.map(|b| b.value),
        };
        if !same {
            let raw = |choice: Choice<'a, E>| choice.text.map(Text::raw);
            self.report(field, [a.and_then(raw), b.and_then(raw)]);
        }
    }

    /// Reports the items that only one of the lists contains.
    fn texts(
        &mut self,
        field: &'static str,
        a: List<'a, Text<'a>>,
        b: List<'a, Text<'a>>,
        slots: &mut [Slot],
    ) {
        let name = |text: &Text<'a>| Named { name: *text, ignore_case: false, is_item: true };
        self.pairs(field, a, b, name, |_, _, _, _| {}, slots);
    }

    /// Compares the items with the same name in both lists, and reports those that only one
    /// contains.
    fn pairs<T: Copy>(
        &mut self,
        field: &'static str,
        a: List<'a, T>,
        b: List<'a, T>,
        name: fn(&T) -> Named<'a>,
        one: Compare<Self, T>,
        slots: &mut [Slot],
    ) {
        let outer = (self.subject, self.item);
        let (mut x, mut y) = (a, b);
        loop {
            let (mut next_x, mut next_y) = (x, y);
            let (Some(left), Some(right)) = (next_x.next(), next_y.next()) else {
                break;
            };
            if !name(&left).is_that(name(&right)) {
                break;
            }
            self.enter(name(&left));
            one(self, &left, &right, slots);
            (x, y) = (next_x, next_y);
        }
        let search = Search { field, name };
        self.search(&search, x, b, Some(one), slots);
        self.search(&search, y, a, None, slots);
        (self.subject, self.item) = outer;
    }

    /// Makes an item the one about which differences are reported.
    fn enter(&mut self, named: Named<'a>) {
        if named.is_item {
            self.item = named.name;
        } else {
            self.subject = named.name;
        }
    }

    /// Looks up each item of `here` in `there`, and reports items without a match. With `one`,
    /// `here` is the list of the first document, and `one` compares the pairs. Without it, `here`
    /// is the list of the second document.
    fn search<T: Copy>(
        &mut self,
        search: &Search<'a, T>,
        mut here: List<'a, T>,
        there: List<'a, T>,
        one: Option<Compare<Self, T>>,
        slots: &mut [Slot],
    ) {
        // Lists within the items need slots as well.
        let (own, inner) = slots
            .split_at_mut_checked(slots.len().saturating_sub(slots.len() / 4))
            .unwrap_or_default();
        while !here.is_empty() {
            let start = here;
            let mut count = 0_usize;
            for slot in own.iter_mut() {
                let mark = here.mark();
                let Some(item) = here.next() else { break };
                *slot = Slot { hash: (search.name)(&item).hash(), here: mark, ..Slot::default() };
                count = count.saturating_add(1);
            }
            let found = own.get_mut(..count).unwrap_or_default();
            if found.is_empty() || !self.find(search, start, there, found) {
                self.is_complete = false;
                return;
            }
            for slot in found {
                let Some(item) = start.resume(slot.here).next() else {
                    continue;
                };
                let named = (search.name)(&item);
                self.enter(named);
                match (slot.there, one) {
                    (Some(mark), Some(one)) => {
                        if let Some(other) = there.resume(mark).next() {
                            one(self, &item, &other, inner);
                        }
                    }
                    (Some(_), None) => {}
                    (None, Some(_)) => self.report(search.field, [Some(named.name.raw()), None]),
                    (None, None) => self.report(search.field, [None, Some(named.name.raw())]),
                }
            }
        }
    }

    /// Stores in each slot the first item in `there` with the same name. Returns false if the
    /// budget is exhausted.
    fn find<T: Copy>(
        &mut self,
        search: &Search<'a, T>,
        here: List<'a, T>,
        there: List<'a, T>,
        slots: &mut [Slot],
    ) -> bool {
        link(slots);
        let (mut walking, mut missing) = (there, slots.len());
        let mut left = self.budget.checked_sub(there.bytes().len().max(1));
        while missing > 0 && left.is_some() {
            let mark = walking.mark();
            let Some(other) = walking.next() else { break };
            let named = (search.name)(&other);
            let hash = named.hash();
            let mut at =
                bucket(hash, slots.len()).and_then(|at| slots.get(at)).map_or(0, |slot| slot.first);
            while let Some(slot) = number(at).and_then(|at| slots.get_mut(at)) {
                at = slot.next;
                // Many names can be in one bucket.
                let is_open = slot.hash == hash && slot.there.is_none();
                let cost = if is_open { named.name.raw().len() } else { 1 };
                left = left.and_then(|left| left.checked_sub(cost));
                if left.is_none() {
                    break;
                }
                if is_open
                    && let Some(item) = here.resume(slot.here).next()
                    && (search.name)(&item).is_that(named)
                {
                    slot.there = Some(mark);
                    missing = missing.saturating_sub(1);
                }
            }
        }
        self.budget = left.unwrap_or_default();
        left.is_some()
    }

    /// Compares sessions and the audit of the older formats, with the defaults of each. An
    /// agents.json need not have a session that the agents.txt does not state.
    fn defaults(&mut self, documents: [&Document<'a>; 2]) {
        let written = documents.map(|one| match (one.agents_txt_01(), one.agents_json_01()) {
            (Some(text), _) => text.session_and_audit(),
            (_, Some(json)) => json.session_and_audit(),
            _ => [None, None],
        });
        let [[session_a, audit_a], [session_b, audit_b]] = written;
        let differ = match documents.map(Document::session_seconds) {
            [Some(a), Some(b)] => a != b,
            [a, b] => a.and(session_a).or(b.and(session_b)).is_some(),
        };
        if differ {
            self.report("session.ttl_seconds", [session_a, session_b]);
        }
        let [a, b] = documents.map(Document::is_audited);
        if a != b {
            self.report("audit.enabled", [audit_a, audit_b]);
        }
    }

    fn capability(&mut self, a: &Capability<'a>, b: &Capability<'a>, slots: &mut [Slot]) {
        let sources = [a.source, b.source];
        self.text("capabilities.description", a.description, b.description);
        self.text("capabilities.endpoint", a.endpoint, b.endpoint);
        let get = Text::plain(b"GET");
        if !a.method.unwrap_or(get).eq_text_ignore_case(b.method.unwrap_or(get)) {
            self.report("capabilities.method", [a.method.map(Text::raw), b.method.map(Text::raw)]);
        }
        self.choice::<Protocol>("capabilities.protocol", a.protocol, b.protocol);
        self.text("capabilities.openapi", a.openapi, b.openapi);
        let kind = |capability: &Capability<'a>| {
            Some(capability.auth.map_or(Choice::implied(AuthType::None), |auth| auth.kind))
        };
        self.choice("capabilities.auth.type", kind(a), kind(b));
        let (x, y) = (a.auth, b.auth);
        self.text(
            "capabilities.auth.token_url",
            x.and_then(|auth| auth.token_url),
            y.and_then(|auth| auth.token_url),
        );
        self.text(
            "capabilities.auth.docs_url",
            x.and_then(|auth| auth.docs_url),
            y.and_then(|auth| auth.docs_url),
        );
        let none = List::empty();
        self.texts(
            "capabilities.auth.scopes",
            x.map_or(none, |auth| auth.scopes),
            y.map_or(none, |auth| auth.scopes),
            slots,
        );
        self.limits("capabilities.rate_limits", a.rate_limits, b.rate_limits, sources);
        self.pairs(
            "capabilities.parameters",
            a.parameters,
            b.parameters,
            Parameter::called,
            Self::parameter,
            slots,
        );
    }

    fn parameter(&mut self, a: &Parameter<'a>, b: &Parameter<'a>, _: &mut [Slot]) {
        self.choice::<Location>("capabilities.parameters.location", a.location, b.location);
        self.text("capabilities.parameters.type", a.kind, b.kind);
        if a.required.unwrap_or(false) != b.required.unwrap_or(false) {
            self.report("capabilities.parameters.required", [Some(a.source), Some(b.source)]);
        }
        self.text("capabilities.parameters.description", a.description, b.description);
    }

    fn agent(&mut self, a: &AgentPolicy<'a>, b: &AgentPolicy<'a>, slots: &mut [Slot]) {
        let sources = [a.source, b.source];
        self.limits("agents.rate_limits", a.rate_limits, b.rate_limits, sources);
        match (a.capabilities, b.capabilities) {
            (Some(x), Some(y)) => self.texts("agents.capabilities", x, y, slots),
            (None, None) => {}
            (x, y) => {
                self.report("agents.capabilities", [x.map(|_| a.source), y.map(|_| b.source)])
            }
        }
        self.text("agents.declaration", a.declaration, b.declaration);
    }

    /// Compares rate limits one by one; `sources` has their ranges.
    fn limits(
        &mut self,
        field: &'static str,
        mut a: List<'a, RateLimit<'a>>,
        mut b: List<'a, RateLimit<'a>>,
        sources: [&'a [u8]; 2],
    ) {
        let same = |x: &RateLimit<'a>, y: &RateLimit<'a>| {
            let unknown = x.window.value.seconds().is_none();
            x.requests == y.requests
                && x.window.value == y.window.value
                && (!unknown || x.window.text == y.window.text)
        };
        let [one, two] = sources;
        loop {
            let (x, y) = (a.next(), b.next());
            match (&x, &y) {
                (None, None) => return,
                (Some(x), Some(y)) if same(x, y) => {}
                _ => return self.report(field, [x.map(|_| one), y.map(|_| two)]),
            }
        }
    }
}

/// The bucket of a hash, in a table with as many buckets as slots.
fn bucket(hash: u32, slots: usize) -> Option<usize> {
    (hash as usize).checked_rem(slots)
}

/// The index of a slot that is counted from 1.
fn number(slot: u32) -> Option<usize> {
    (slot as usize).checked_sub(1)
}

/// Puts each slot into the bucket of its hash; within a bucket, they keep their order.
fn link(slots: &mut [Slot]) {
    let count = slots.len();
    for at in (0..count).rev() {
        let Some(home) = slots.get(at).and_then(|slot| bucket(slot.hash, count)) else {
            continue;
        };
        let next = slots
            .get_mut(home)
            .map_or(0, |home| core::mem::replace(&mut home.first, (at as u32).saturating_add(1)));
        if let Some(slot) = slots.get_mut(at) {
            slot.next = next;
        }
    }
}

/// Compares two items with the same name.
type Compare<W, T> = fn(&mut W, &T, &T, &mut [Slot]);

/// The search for items in two lists.
struct Search<'a, T> {
    field: &'static str,
    name: fn(&T) -> Named<'a>,
}

/// The name by which an item is found.
#[derive(Clone, Copy)]
struct Named<'a> {
    name: Text<'a>,
    ignore_case: bool,
    /// True if the item is within the subject.
    is_item: bool,
}

impl<'a> Named<'a> {
    fn is_that(self, other: Self) -> bool {
        if self.ignore_case {
            self.name.eq_text_ignore_case(other.name)
        } else {
            self.name == other.name
        }
    }

    /// FNV-1a over the characters, ignoring case. Equal names have equal hashes.
    fn hash(self) -> u32 {
        self.name.chars().fold(0x811C_9DC5, |hash, c| {
            (hash ^ u32::from(c.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
        })
    }
}

impl<'a> Capability<'a> {
    fn called(&self) -> Named<'a> {
        Named { name: self.id.unwrap_or_default(), ignore_case: false, is_item: false }
    }
}

impl<'a> AgentPolicy<'a> {
    fn called(&self) -> Named<'a> {
        Named { name: self.name.unwrap_or_default(), ignore_case: true, is_item: false }
    }
}

impl<'a> Parameter<'a> {
    fn called(&self) -> Named<'a> {
        Named { name: self.name.unwrap_or_default(), ignore_case: false, is_item: true }
    }
}
