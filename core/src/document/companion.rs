//! Whether two documents of one site say the same: an agents.txt and the agents.json beside it, field by field.
//!
//! To whom changes this: both documents come from strangers. What stands in one order in both is compared in one walk. What does not is looked
//! for from the start of the list again, which is quadratic, so that is paid for ([`BUDGET`]); where the budget is used up, the rest is left out, and
//! said to be.

use super::Document;
use crate::format::Format;
use crate::manifest::{
    AgentPolicy, AuthType, Capability, Choice, Enumeration, List, Location, Parameter, Protocol,
    RateLimit,
};
use crate::span::Span;
use crate::syntax::text::Text;

/// Bytes that are walked at most to find what stands elsewhere in the other document.
const BUDGET: usize = 1 << 26;

/// One thing that two documents do not say alike.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Difference<'a> {
    /// Which member of the unified model (`docs/model.md`), such as `capabilities.endpoint`.
    pub field: &'static str,
    /// The id of the capability, or the name of the agent, that it belongs to; empty for the others.
    pub subject: Text<'a>,
    /// The item of a list, or the name of the parameter; empty for the others.
    pub item: Text<'a>,
    /// Where it stands in the first document; `None` where that does not say it.
    pub first: Option<Span>,
    /// Where it stands in the second document; `None` where that does not say it.
    pub second: Option<Span>,
}

impl<'a> Document<'a> {
    /// Compares the document with another one of the same site, field by field: an agents.txt with the agents.json beside it (Internet-Draft
    /// 3.2; also of agents.txt 0.1.0, where less is compared, since the two say less in common). Tells `sink` what they do not say alike, and
    /// returns whether everything was compared.
    ///
    /// Everything that both notations can say is compared, with defaults and without letter case where that does not matter; not the order of
    /// lists, nor when the documents were made. Linear where both have their capabilities in one order; otherwise 64 MiB are walked at most,
    /// and the rest is left out.
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
    pub fn differences(&self, other: &Self, mut sink: impl FnMut(Difference<'a>)) -> bool {
        compare(self, other, &mut sink)
    }
}

/// Tells `sink` everything that both notations can say and these two documents do not say alike. Defaults count as said, letter case of
/// enumerations and methods does not matter, nor does the order of lists. Times of making and comments are not compared.
///
/// Returns whether everything was compared: not so where the documents are large and in different order.
fn compare<'a>(
    first: &Document<'a>,
    second: &Document<'a>,
    sink: &mut dyn FnMut(Difference<'a>),
) -> bool {
    let bytes = [first.bytes(), second.bytes()];
    let mut work = Work {
        bytes,
        budget: BUDGET,
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
        work.texts("operates_on", a.operates_on(), b.operates_on());
    }
    let (x, y) = (
        a.service().unwrap_or_default(),
        b.service().unwrap_or_default(),
    );
    work.text("service.name", x.name, y.name);
    if x.url.is_some() && y.url.is_some() || full {
        work.text("service.url", x.url, y.url);
    }
    work.text("service.description", x.description, y.description);
    work.texts("service.contact", x.contact, y.contact);
    if full {
        work.text("service.privacy_policy", x.privacy_policy, y.privacy_policy);
    }
    let one = if full {
        Work::capability
    } else {
        |_: &mut Work<'_, 'a>, _: &Capability<'a>, _: &Capability<'a>| {}
    };
    work.pairs(
        "capabilities",
        a.capabilities(),
        b.capabilities(),
        Capability::called,
        one,
    );
    if full {
        work.texts("access.allow", a.access().allow, b.access().allow);
        work.texts("access.disallow", a.access().disallow, b.access().disallow);
        work.pairs(
            "agents",
            a.agents(),
            b.agents(),
            AgentPolicy::called,
            Work::agent,
        );
    } else {
        work.limits("rate_limits", a.rate_limits(), b.rate_limits(), [&[], &[]]);
    }
    work.is_complete
}

/// Two documents that are being compared.
struct Work<'s, 'a> {
    bytes: [&'a [u8]; 2],
    budget: usize,
    is_complete: bool,
    subject: Text<'a>,
    item: Text<'a>,
    sink: &'s mut dyn FnMut(Difference<'a>),
}

impl<'a> Work<'_, 'a> {
    /// Passes a difference on; the parts are where it stands in each document.
    fn report(&mut self, field: &'static str, parts: [Option<&'a [u8]>; 2]) {
        let [first, second] = parts;
        let [one, two] = self.bytes;
        let (first, second) = (
            first.map(|part| Span::of(part, one)),
            second.map(|part| Span::of(part, two)),
        );
        (self.sink)(Difference {
            field,
            subject: self.subject,
            item: self.item,
            first,
            second,
        });
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

    /// Reports the items that only one of two lists has.
    fn texts(&mut self, field: &'static str, a: List<'a, Text<'a>>, b: List<'a, Text<'a>>) {
        let outer = self.item;
        for (turned, here, there) in [(false, a, b), (true, b, a)] {
            let mut at = there;
            for item in here {
                if let Some(None) = self.find(there, &mut at, |other| *other == item) {
                    self.item = item;
                    let part = Some(item.raw());
                    self.report(field, if turned { [None, part] } else { [part, None] });
                }
            }
        }
        self.item = outer;
    }

    /// Compares what has one name in both lists, and reports what only one of them has.
    fn pairs<T: Copy>(
        &mut self,
        field: &'static str,
        a: List<'a, T>,
        b: List<'a, T>,
        name: fn(&T) -> Named<'a>,
        one: fn(&mut Self, &T, &T),
    ) {
        let outer = (self.subject, self.item);
        let same = |x: Named<'a>, y: Named<'a>| {
            if x.ignore_case {
                x.name.eq_text_ignore_case(y.name)
            } else {
                x.name == y.name
            }
        };
        for (turned, here, there) in [(false, a, b), (true, b, a)] {
            let mut at = there;
            for item in here {
                let known = name(&item);
                let found = self.find(there, &mut at, |other| same(name(other), known));
                if known.is_item {
                    self.item = known.name
                } else {
                    self.subject = known.name
                }
                match found {
                    None => {}
                    Some(Some(other)) if !turned => one(self, &item, &other),
                    Some(Some(_)) => {}
                    Some(None) => {
                        let part = Some(known.name.raw());
                        self.report(field, if turned { [None, part] } else { [part, None] });
                    }
                }
            }
        }
        (self.subject, self.item) = outer;
    }

    /// Looks for an item: the next one at `at`, else from the start of the list; `None` where the budget is used up.
    fn find<T: Copy>(
        &mut self,
        list: List<'a, T>,
        at: &mut List<'a, T>,
        is: impl Fn(&T) -> bool,
    ) -> Option<Option<T>> {
        if let Some(next) = at.next().filter(&is) {
            return Some(Some(next));
        }
        let Some(left) = self.budget.checked_sub(list.bytes().len().max(1)) else {
            self.is_complete = false;
            return None;
        };
        self.budget = left;
        let mut walking = list;
        let found = walking.find(is);
        *at = walking;
        Some(found)
    }

    fn capability(&mut self, a: &Capability<'a>, b: &Capability<'a>) {
        let sources = [a.source, b.source];
        self.text("capabilities.description", a.description, b.description);
        self.text("capabilities.endpoint", a.endpoint, b.endpoint);
        let get = Text::plain(b"GET");
        if !a
            .method
            .unwrap_or(get)
            .eq_text_ignore_case(b.method.unwrap_or(get))
        {
            self.report(
                "capabilities.method",
                [a.method.map(Text::raw), b.method.map(Text::raw)],
            );
        }
        self.choice::<Protocol>("capabilities.protocol", a.protocol, b.protocol);
        self.text("capabilities.openapi", a.openapi, b.openapi);
        let kind = |capability: &Capability<'a>| {
            Some(
                capability
                    .auth
                    .map_or(Choice::implied(AuthType::None), |auth| auth.kind),
            )
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
        );
        self.limits(
            "capabilities.rate_limits",
            a.rate_limits,
            b.rate_limits,
            sources,
        );
        self.pairs(
            "capabilities.parameters",
            a.parameters,
            b.parameters,
            Parameter::called,
            Self::parameter,
        );
    }

    fn parameter(&mut self, a: &Parameter<'a>, b: &Parameter<'a>) {
        self.choice::<Location>("capabilities.parameters.location", a.location, b.location);
        self.text("capabilities.parameters.type", a.kind, b.kind);
        if a.required.unwrap_or(false) != b.required.unwrap_or(false) {
            self.report(
                "capabilities.parameters.required",
                [Some(a.source), Some(b.source)],
            );
        }
        self.text(
            "capabilities.parameters.description",
            a.description,
            b.description,
        );
    }

    fn agent(&mut self, a: &AgentPolicy<'a>, b: &AgentPolicy<'a>) {
        let sources = [a.source, b.source];
        self.limits("agents.rate_limits", a.rate_limits, b.rate_limits, sources);
        match (a.capabilities, b.capabilities) {
            (Some(x), Some(y)) => self.texts("agents.capabilities", x, y),
            (None, None) => {}
            (x, y) => self.report(
                "agents.capabilities",
                [x.map(|_| a.source), y.map(|_| b.source)],
            ),
        }
        self.text("agents.declaration", a.declaration, b.declaration);
    }

    /// Compares rate limits one by one; they stand at `sources`.
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

/// By which name something is found again.
#[derive(Clone, Copy)]
struct Named<'a> {
    name: Text<'a>,
    ignore_case: bool,
    /// Whether it is within what the subject names.
    is_item: bool,
}

impl<'a> Capability<'a> {
    fn called(&self) -> Named<'a> {
        Named {
            name: self.id.unwrap_or_default(),
            ignore_case: false,
            is_item: false,
        }
    }
}

impl<'a> AgentPolicy<'a> {
    fn called(&self) -> Named<'a> {
        Named {
            name: self.name.unwrap_or_default(),
            ignore_case: true,
            is_item: false,
        }
    }
}

impl<'a> Parameter<'a> {
    fn called(&self) -> Named<'a> {
        Named {
            name: self.name.unwrap_or_default(),
            ignore_case: false,
            is_item: true,
        }
    }
}
