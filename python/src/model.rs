//! The unified model as dicts and lists, straight from the core's types: `Document.to_dict`.
//!
//! The members of each object stand in one table, in the order of `docs/model.md`; the names are made once for the whole process.
//! What is absent is left out, and so is an empty list. A test compares the result with the JSON text for every conformance vector.

use agentsdisc_core::manifest::{self, AuthType, Choice, List, Manifest, Member, Raw, Visitor};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Format, Limits, ParseOptions};
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

/// The list of what there is to list; `None` where there is nothing, as making a list costs more than looking.
fn listed<'py, T: Item>(
    mut list: List<'_, T>,
    py: Python<'py>,
) -> PyResult<Option<Bound<'py, PyList>>> {
    let Some(first) = list.next() else {
        return Ok(None);
    };
    let items = PyList::new(py, [first.item(py)?])?;
    for item in list {
        items.append(item.item(py)?)?;
    }
    Ok(Some(items))
}

impl<T: Item> Put for List<'_, T> {
    #[inline]
    fn put(self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()> {
        match listed(self, dict.py())? {
            Some(items) => dict.set_item(name, items),
            None => Ok(()),
        }
    }
}

/// A list that was made before.
struct Made<'l, 'py>(Option<&'l Bound<'py, PyList>>);

impl Put for Made<'_, '_> {
    fn put(self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()> {
        match self.0 {
            Some(items) => dict.set_item(name, items),
            None => Ok(()),
        }
    }
}

/// Members by name. Of a name that is written twice, the last value counts.
struct Members<'a>(List<'a, Member<'a>>);

impl Put for Members<'_> {
    #[inline]
    fn put(self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()> {
        let mut members = self.0;
        let Some(first) = members.next() else {
            return Ok(());
        };
        let py = dict.py();
        let inner = PyDict::new(py);
        for member in std::iter::once(first).chain(members) {
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
            Some(list) => {
                let py = dict.py();
                dict.set_item(name, listed(list, py)?.unwrap_or_else(|| PyList::empty(py)))
            }
            None => Ok(()),
        }
    }
}

/// An object that is left out where nothing stands in it.
struct UnlessEmpty<T>(T);

impl<T: Item> Put for UnlessEmpty<T> {
    fn put(self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()> {
        let part = self.0.item(dict.py())?;
        if part.is_truthy()? {
            dict.set_item(name, part)
        } else {
            Ok(())
        }
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
    let Some(choice) = picked.picked() else {
        return Ok(());
    };
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
pub(crate) fn dict<'py>(
    document: &Document<'_>,
    limits: Limits,
    py: Python<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let m: Manifest<'_> = document.manifest();
    let told = &Told::by(document, limits, py)?;
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
    }
    match told {
        Some(told) => Made(told.capabilities.as_ref()).put(dict, intern!(py, "capabilities"))?,
        None => m.capabilities().put(dict, intern!(py, "capabilities"))?,
    }
    members! { dict:
        "access" = UnlessEmpty(m.access()),
    }
    match told {
        Some(told) => Made(told.agents.as_ref()).put(dict, intern!(py, "agents"))?,
        None => m.agents().put(dict, intern!(py, "agents"))?,
    }
    members! { dict:
        "permissions" = UnlessEmpty(m.permissions()),
        "flows" = m.flows(),
        "dependencies" = m.dependencies(),
        "entities" = m.entities(),
        "errors" = m.errors(),
        "hints" = Hints(m.hints()),
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

impl Item for manifest::Capability<'_> {
    fn item<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capability(self, self.parameters, py)
    }
}

/// A capability, whose parameters may have been read before.
fn capability<'py>(
    it: &manifest::Capability<'_>,
    parameters: impl Put,
    py: Python<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let dict = &PyDict::new(py);
    members! { dict:
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
        "parameters" = parameters,
        "outputs" = it.outputs,
        "sensitivity" or "sensitivity_text" = it.sensitivity,
        "requires_confirmation" = it.requires_confirmation,
        "reversible" = it.reversible,
        "execution" or "execution_text" = it.execution,
        "poll_url" = it.poll_url,
        "idempotency" = it.idempotency,
        "metadata" = Members(it.metadata),
    }
    Ok(dict.clone().into_any())
}

/// What the core tells while it reads a whole document in one pass: that costs a fraction of walking the lists of a JSON document.
struct Told<'py> {
    py: Python<'py>,
    /// Of the capability that comes next.
    parameters: Option<Bound<'py, PyList>>,
    capabilities: Option<Bound<'py, PyList>>,
    agents: Option<Bound<'py, PyList>>,
    /// Memory ran out.
    failed: Option<PyErr>,
}

impl<'py> Told<'py> {
    const fn nothing(py: Python<'py>) -> Self {
        Self {
            py,
            parameters: None,
            capabilities: None,
            agents: None,
            failed: None,
        }
    }

    /// Reads a document again, where its format is read in one pass.
    fn by(document: &Document<'_>, limits: Limits, py: Python<'py>) -> PyResult<Option<Self>> {
        let format = document.format();
        if !matches!(
            format,
            Format::AgentsJson | Format::AgentsJson01 | Format::Awp | Format::Adp
        ) {
            return Ok(None);
        }
        let options = ParseOptions {
            format: Some(format),
            limits,
            ..ParseOptions::default()
        };
        let mut told = Self::nothing(py);
        let read = Document::read(document.bytes(), &options, &mut told);
        match told.failed {
            Some(error) => Err(error),
            None => Ok(read.is_ok().then_some(told)),
        }
    }

    fn note(
        &mut self,
        list: fn(&mut Self) -> &mut Option<Bound<'py, PyList>>,
        item: PyResult<Bound<'py, PyAny>>,
    ) {
        let noted = item.and_then(|item| match list(self) {
            Some(items) => items.append(item),
            none => {
                *none = Some(PyList::new(item.py(), [item])?);
                Ok(())
            }
        });
        if let Err(error) = noted {
            self.failed = Some(error);
        }
    }
}

impl<'a> Visitor<'a> for Told<'_> {
    fn restart(&mut self) {
        *self = Self::nothing(self.py);
    }

    fn parameter(&mut self, parameter: &manifest::Parameter<'a>) {
        self.note(|told| &mut told.parameters, parameter.item(self.py));
    }

    fn capability(&mut self, model: &manifest::Capability<'a>) {
        let parameters = self.parameters.take();
        self.note(
            |told| &mut told.capabilities,
            capability(model, Made(parameters.as_ref()), self.py),
        );
    }

    fn agent(&mut self, policy: &manifest::AgentPolicy<'a>) {
        self.note(|told| &mut told.agents, policy.item(self.py));
    }
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

struct Hints<'a>(List<'a, Member<'a>>);

impl Put for Hints<'_> {
    fn put(self, dict: &Bound<'_, PyDict>, name: &Bound<'_, PyString>) -> PyResult<()> {
        let py = dict.py();
        let hints = self
            .0
            .map(|hint| Hint(hint).item(py))
            .collect::<PyResult<Vec<_>>>()?;
        if hints.is_empty() {
            Ok(())
        } else {
            dict.set_item(name, hints)
        }
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
        (manifest.search_query().is_some() || !manifest.search_results().is_empty())
            .then_some(Self(manifest))
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
