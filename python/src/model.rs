//! The unified model as dicts and lists, straight from the core's types: `Document.to_dict`.
//!
//! The members of each object stand in one table, in the order of `docs/model.md`; the names are made once for the whole process.
//! What is absent is left out, and so is an empty list. A test compares the result with the JSON text for every conformance vector.

use agentsdisc_core::Document;
use agentsdisc_core::manifest::{self, AuthType, Choice, List, Manifest, Member, Raw};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::text::Text;
use pyo3::IntoPyObjectExt;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::base::{Interned, canonical, string};
use crate::document::format_name;
use crate::value;

/// Something that a member of a dict can be made of.
trait Put {
    fn put(self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()>;
}

/// An element of a list, or the value of a member.
trait Item {
    fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
}

impl Item for Text<'_> {
    #[inline]
    fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(string(py, *self).into_any())
    }
}

impl Item for Value<'_> {
    fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        value::decode(py, self.raw())
    }
}

impl Item for Raw<'_> {
    fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Raw::Json(value) => value.item(py),
            Raw::Text(text) => text.item(py),
        }
    }
}

macro_rules! plain {
    ($($kind:ty)*) => {$(
        impl Item for $kind {
            fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.into_bound_py_any(py)
            }
        }
    )*};
}

plain! { bool u32 }

impl<T: Item> Put for T {
    #[inline]
    fn put(self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()> {
        dict.set_item(name, self.item(dict.py())?)
    }
}

impl<T: Item> Put for Option<T> {
    #[inline]
    fn put(self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()> {
        match self {
            Some(part) => part.put(dict, name),
            None => Ok(()),
        }
    }
}

/// The list of what there is to list.
fn listed<'py, T: Item>(list: List<'_, T>, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
    let items = PyList::empty(py);
    for item in list {
        items.append(item.item(py)?)?;
    }
    Ok(items)
}

impl<T: Item> Put for List<'_, T> {
    #[inline]
    fn put(self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()> {
        let items = listed(self, dict.py())?;
        if items.is_empty() { Ok(()) } else { dict.set_item(name, items) }
    }
}

/// Members by name. Of a name that is written twice, the last value counts.
struct Members<'a>(List<'a, Member<'a>>);

impl Put for Members<'_> {
    #[inline]
    fn put(self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()> {
        let mut members = self.0.peekable();
        if members.peek().is_none() {
            return Ok(());
        }
        let py = dict.py();
        let inner = PyDict::new(py);
        for member in members {
            inner.set_item(string(py, member.name), member.value.item(py)?)?;
        }
        dict.set_item(name, inner)
    }
}

/// What is there even where it is empty.
struct EvenEmpty<'a>(Option<List<'a, Text<'a>>>);

impl Put for EvenEmpty<'_> {
    fn put(self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()> {
        match self.0 {
            Some(list) => dict.set_item(name, listed(list, dict.py())?),
            None => Ok(()),
        }
    }
}

/// An object that is left out where nothing stands in it.
struct UnlessEmpty<T>(T);

impl<T: Item> Put for UnlessEmpty<T> {
    fn put(self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()> {
        let part = self.0.item(dict.py())?;
        if part.is_truthy()? { dict.set_item(name, part) } else { Ok(()) }
    }
}

/// A choice or none.
trait Picked<'a> {
    type Of: Interned;
    fn picked(self) -> Option<Choice<'a, Self::Of>>;
}

impl<'a, E: Interned> Picked<'a> for Choice<'a, E> {
    type Of = E;
    fn picked(self) -> Option<Self> {
        Some(self)
    }
}

impl<'a, E: Interned> Picked<'a> for Option<Choice<'a, E>> {
    type Of = E;
    fn picked(self) -> Self {
        self
    }
}

/// The canonical name and, where it differs, the text as written under a second name.
fn put_choice<'a>(
    picked: impl Picked<'a>,
    dict: &Bound<'_, PyDict>,
    name: &Bound<'_, PyString>,
    text_name: &Bound<'_, PyString>,
) -> PyResult<()> {
    let Some(choice) = picked.picked() else { return Ok(()) };
    dict.set_item(name, canonical(dict.py(), choice.value))?;
    choice.differing_text().put(dict, text_name)
}

/// A table of members: the name, for a choice a second one, and the value, taken from the object that is called `$self`.
macro_rules! members {
    ($dict:ident: $($name:literal $(or $text:literal)? = $value:expr,)*) => {
        $(members!(@one $dict $name $($text)? = $value);)*
    };
    (@one $dict:ident $name:literal = $value:expr) => { $value.put($dict, intern!($dict.py(), $name))? };
    (@one $dict:ident $name:literal $text:literal = $value:expr) => {
        put_choice($value, $dict, intern!($dict.py(), $name), intern!($dict.py(), $text))?
    };
}

macro_rules! objects {
    ($($model:ident as $it:ident { $($name:literal $(or $text:literal)? = $value:expr,)* })*) => {$(
        impl Item for manifest::$model<'_> {
            fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let ($it, dict) = (self, &PyDict::new(py));
                members! { dict: $($name $(or $text)? = $value,)* }
                Ok(dict.clone().into_any())
            }
        }
    )*};
}

/// The model of a document.
pub(crate) fn dict<'py>(document: &Document<'_>, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
    let m: Manifest<'_> = document.manifest();
    let head = m.head();
    let dict = &PyDict::new(py);
    dict.set_item(intern!(py, "format"), format_name(py, document.format()))?;
    members! { dict:
        "spec_version" = head.spec_version,
        "kind" or "kind_text" = head.kind,
        "generated_at" = head.generated_at,
        "operates_on" = m.operates_on(),
        "companion" = head.companion,
        "provenance" = m.provenance(),
    }
    if let Some(service) = m.service() {
        UnlessEmpty(service).put(dict, intern!(py, "service"))?;
    }
    members! { dict:
        "auth" = m.auth(),
        "endpoints" = m.endpoints(),
        "capabilities" = m.capabilities(),
        "access" = UnlessEmpty(m.access()),
        "agents" = m.agents(),
        "permissions" = UnlessEmpty(m.permissions()),
        "flows" = m.flows(),
        "dependencies" = m.dependencies(),
        "entities" = m.entities(),
        "errors" = m.errors(),
        "hints" = m.hints().map(Hint).peekable(),
        "status" = m.status(),
        "features" = Members(m.features()),
        "pricing" = m.pricing(),
        "session" = m.session(),
        "audit" = m.audit(),
        "rate_limits" = m.rate_limits(),
        "cache_seconds" = m.cache_seconds(),
        "robots" = UnlessEmpty(Robots(m)),
        "search" = Search::of(m),
        "request_example" = m.request_example(),
        "response_example" = m.response_example(),
        "metadata" = Members(m.metadata()),
    }
    Ok(dict.clone())
}

/// A named value, as written.
struct Hint<'a>(Member<'a>);

impl Item for Hint<'_> {
    fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let dict = &PyDict::new(py);
        members! { dict: "name" = self.0.name, "value" = self.0.value, }
        Ok(dict.clone().into_any())
    }
}

impl<'a, I: Iterator<Item = Hint<'a>>> Put for std::iter::Peekable<I> {
    fn put(mut self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()> {
        if self.peek().is_none() {
            return Ok(());
        }
        let items = PyList::empty(dict.py());
        for hint in self {
            items.append(hint.item(dict.py())?)?;
        }
        dict.set_item(name, items)
    }
}

/// The rules of a robots.txt.
struct Robots<'a>(Manifest<'a>);

impl Item for Robots<'_> {
    fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let dict = &PyDict::new(py);
        members! { dict: "groups" = self.0.robots(), "sitemaps" = self.0.sitemaps(), }
        Ok(dict.clone().into_any())
    }
}

/// The answer of a registry search.
struct Search<'a>(Manifest<'a>);

impl<'a> Search<'a> {
    fn of(manifest: Manifest<'a>) -> Option<Self> {
        (manifest.search_query().is_some() || !manifest.search_results().is_empty()).then_some(Self(manifest))
    }
}

impl Item for Search<'_> {
    fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let dict = &PyDict::new(py);
        members! { dict: "query" = self.0.search_query(), "results" = self.0.search_results(), }
        Ok(dict.clone().into_any())
    }
}

objects! {
    Provenance as it {
        "source" or "source_text" = it.source,
        "generated_by" = it.generated_by,
        "confidence" = it.confidence,
        "last_verified" = it.last_verified,
    }
    Service as it {
        "name" = it.name,
        "url" = it.url,
        "domain" = it.domain,
        "description" = it.description,
        "contact" = it.contact,
        "privacy_policy" = it.privacy_policy,
        "docs" = it.docs,
        "metadata" = Members(it.metadata),
    }
    ServiceAuth as it {
        "type" or "type_text" = it.kind,
        "header" = it.header,
        "prefix" = it.prefix,
        "setup_url" = it.setup_url,
        "authorization_url" = it.authorization_url,
        "token_url" = it.token_url,
        "refresh_url" = it.refresh_url,
        "token_expiry" = it.token_expiry,
        "token_expiry_seconds" = it.token_expiry_seconds(),
        "scopes" = it.scopes,
        "required_for" = it.required_for,
        "optional_for" = it.optional_for,
        "metadata" = Members(it.metadata),
    }
    Endpoint as it {
        "protocol" or "protocol_text" = it.protocol,
        "url" = it.url,
        "version" = it.version,
        "transport" or "transport_text" = it.transport,
        "auth" or "auth_text" = it.auth,
        "extra" = Members(it.extra),
    }
    Capability as it {
        "id" = it.id,
        "description" = it.description,
        "endpoint" = it.endpoint,
        "method" = it.method,
        "protocol" or "protocol_text" = it.protocol,
        "via" = it.via,
        "operation" = it.operation,
        "detail_url" = it.detail_url,
        "openapi" = it.openapi,
        "auth" = it.auth,
        "auth_required" = it.auth_required,
        "requires_session" = it.requires_session,
        "human_handoff" = it.human_handoff,
        "rate_limits" = it.rate_limits,
        "parameters" = it.parameters,
        "outputs" = it.outputs,
        "sensitivity" or "sensitivity_text" = it.sensitivity,
        "requires_confirmation" = it.requires_confirmation,
        "reversible" = it.reversible,
        "execution" or "execution_text" = it.execution,
        "poll_url" = it.poll_url,
        "idempotency" = it.idempotency,
        "metadata" = Members(it.metadata),
    }
    CapabilityAuth as it {
        // That nothing is written about it means none, and defaults are not shown.
        "type" or "type_text" = Some(it.kind).filter(|kind| *kind != Choice::implied(AuthType::None)),
        "token_url" = it.token_url,
        "docs_url" = it.docs_url,
        "scopes" = it.scopes,
        "metadata" = Members(it.metadata),
    }
    RateLimit as it {
        "requests" = it.requests,
        "window" or "window_text" = it.window,
        "metadata" = Members(it.metadata),
    }
    Parameter as it {
        "name" = it.name,
        "location" or "location_text" = it.location,
        "type" = it.kind,
        "required" = it.required,
        "description" = it.description,
        "default" = it.default,
        "example" = it.example,
        "min" = it.min,
        "max" = it.max,
        "items" = it.items,
        "options" = it.options,
        "metadata" = Members(it.metadata),
    }
    Output as it {
        "name" = it.name,
        "type" = it.kind,
    }
    Idempotency as it {
        "supported" = it.supported,
        "key_field" = it.key_field,
        "window" = it.window,
        "metadata" = Members(it.metadata),
    }
    Access as it {
        "allow" = it.allow,
        "disallow" = it.disallow,
        "metadata" = Members(it.metadata),
    }
    AgentPolicy as it {
        "name" = it.name,
        "rate_limits" = it.rate_limits,
        "capabilities" = EvenEmpty(it.capabilities),
        "declaration" = it.declaration,
        "metadata" = Members(it.metadata),
    }
    Permissions as it {
        "can" = it.can,
        "cannot" = it.cannot,
        "behavior" = it.behavior,
    }
    Flow as it {
        "name" = it.name,
        "description" = it.description,
        "steps" = it.steps,
        "metadata" = Members(it.metadata),
    }
    Dependency as it {
        "capability" = it.capability,
        "requires" = it.requires,
    }
    Entity as it {
        "name" = it.name,
        "fields" = it.fields,
        "metadata" = Members(it.metadata),
    }
    Recovery as it {
        "code" = it.code,
        "recovery" = it.recovery,
        "metadata" = Members(it.metadata),
    }
    Status as it {
        "operational" = it.operational,
        "degraded" = it.degraded,
        "url" = it.url,
        "metadata" = Members(it.metadata),
    }
    Pricing as it {
        "type" or "type_text" = it.kind,
        "plans" = it.plans,
        "plans_url" = it.plans_url,
        "metadata" = Members(it.metadata),
    }
    Plan as it {
        "name" = it.name,
        "price" = it.price,
        "limits" = it.limits,
        "metadata" = Members(it.metadata),
    }
    Session as it {
        "ttl_seconds" = it.ttl_seconds,
        "create" = it.create,
        "delete" = it.delete,
        "metadata" = Members(it.metadata),
    }
    Audit as it {
        "enabled" = it.enabled,
        "endpoint" = it.endpoint,
        "metadata" = Members(it.metadata),
    }
    RobotsGroup as it {
        "agents" = it.agents,
        "rules" = it.rules,
        "crawl_delay" = it.crawl_delay,
    }
    RobotsRule as it {
        "allow" = it.allow,
        "pattern" = it.pattern,
    }
    SearchResult as it {
        "service" = UnlessEmpty(it.service),
        "capabilities" = it.capabilities,
    }
}
