//! The unified model (`docs/model.md`) as maps.
//!
//! This is the model's JSON form written down a second time, apart from [`write`](crate::write), so that each is the other's test.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::document::Document;
use crate::manifest::{
    Access, AgentPolicy, Audit, AuthType, Capability, CapabilityAuth, Choice, Dependency, Endpoint,
    Entity, Enumeration, Execution, Flow, Head, Idempotency, Kind, List, Location, Manifest,
    Member, Metadata, Output, Parameter, Permissions, Plan, Pricing, PricingType, Protocol,
    Provenance, RateLimit, Recovery, RobotsGroup, RobotsRule, SearchResult, Sensitivity, Service,
    ServiceAuth, Session, Source, Status, Transport, Window,
};
use crate::syntax::text::Text;

/// The unified model.
impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.manifest().serialize(serializer)
    }
}

/// As the canonical name. In the object that it stands in, the text as written follows where it differs.
impl<E: Enumeration> Serialize for Choice<'_, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

macro_rules! enumerations {
    ($($name:ident)*) => {$(
        /// As the canonical name.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )*};
}

enumerations! { AuthType Execution Kind Location PricingType Protocol Sensitivity Source Transport Window }

/// The members of an object, put one after the other; what is absent is left out.
struct Members<M>(M);

impl<M: SerializeMap> Members<M> {
    fn put(&mut self, name: &'static str, value: impl Serialize) -> Result<(), M::Error> {
        self.0.serialize_entry(name, &value)
    }

    fn some(&mut self, name: &'static str, value: Option<impl Serialize>) -> Result<(), M::Error> {
        value.map_or(Ok(()), |value| self.put(name, value))
    }

    /// The names are those of the value and of the text as written.
    fn choice<E: Enumeration>(
        &mut self,
        names: [&'static str; 2],
        choice: Option<Choice<'_, E>>,
    ) -> Result<(), M::Error> {
        let [name, text_name] = names;
        self.some(name, choice)?;
        self.some(text_name, choice.and_then(|choice| choice.differing_text()))
    }

    /// A list, or metadata; nothing where it is empty.
    fn list<'a, T>(&mut self, name: &'static str, list: List<'a, T>) -> Result<(), M::Error>
    where
        List<'a, T>: Serialize,
    {
        if list.is_empty() {
            Ok(())
        } else {
            self.put(name, list)
        }
    }
}

/// Says which members an object has, in their order.
macro_rules! objects {
    ($($(#[$about:meta])* $type:ty: |$value:ident, $object:ident| $members:block)*) => {$(
        $(#[$about])*
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                let mut $object = Members(serializer.serialize_map(None)?);
                $members
                $object.0.end()
            }
        }
    )*};
}

objects! {
    /// The unified model.
    Manifest<'_>: |manifest, o| {
        let head = manifest.head();
        o.put("format", manifest.format().id())?;
        o.some("spec_version", head.spec_version)?;
        o.choice(["kind", "kind_text"], Some(head.kind))?;
        o.some("generated_at", head.generated_at)?;
        o.list("operates_on", manifest.operates_on())?;
        o.some("companion", head.companion)?;
        o.some("provenance", manifest.provenance())?;
        o.some("service", manifest.service().filter(|service| !is_silent(service)))?;
        o.some("auth", manifest.auth())?;
        o.list("endpoints", manifest.endpoints())?;
        o.list("capabilities", manifest.capabilities())?;
        let access = manifest.access();
        if !(access.allow.is_empty() && access.disallow.is_empty() && access.metadata.is_empty()) {
            o.put("access", access)?;
        }
        o.list("agents", manifest.agents())?;
        let permissions = manifest.permissions();
        if ![permissions.can, permissions.cannot, permissions.behavior].iter().all(List::is_empty) {
            o.put("permissions", permissions)?;
        }
        o.list("flows", manifest.flows())?;
        o.list("dependencies", manifest.dependencies())?;
        o.list("entities", manifest.entities())?;
        o.list("errors", manifest.errors())?;
        let hints = manifest.hints();
        if !hints.is_empty() {
            o.put("hints", Hints(hints))?;
        }
        o.some("status", manifest.status())?;
        o.list("features", manifest.features())?;
        o.some("pricing", manifest.pricing())?;
        o.some("session", manifest.session())?;
        o.some("audit", manifest.audit())?;
        o.list("rate_limits", manifest.rate_limits())?;
        o.some("cache_seconds", manifest.cache_seconds())?;
        let robots = Robots { groups: manifest.robots(), sitemaps: manifest.sitemaps() };
        if !(robots.groups.is_empty() && robots.sitemaps.is_empty()) {
            o.put("robots", robots)?;
        }
        let search = Search { query: manifest.search_query(), results: manifest.search_results() };
        if search.query.is_some() || !search.results.is_empty() {
            o.put("search", search)?;
        }
        o.some("request_example", manifest.request_example())?;
        o.some("response_example", manifest.response_example())?;
        o.list("metadata", manifest.metadata())?;
    }

    /// The members that a [`Manifest`] has of it.
    Head<'_>: |head, o| {
        o.some("spec_version", head.spec_version)?;
        o.choice(["kind", "kind_text"], Some(head.kind))?;
        o.some("generated_at", head.generated_at)?;
        o.some("companion", head.companion)?;
    }

    Provenance<'_>: |provenance, o| {
        o.choice(["source", "source_text"], Some(provenance.source))?;
        o.some("generated_by", provenance.generated_by)?;
        o.some("confidence", provenance.confidence)?;
        o.some("last_verified", provenance.last_verified)?;
    }

    Service<'_>: |service, o| {
        o.some("name", service.name)?;
        o.some("url", service.url)?;
        o.some("domain", service.domain)?;
        o.some("description", service.description)?;
        o.list("contact", service.contact)?;
        o.some("privacy_policy", service.privacy_policy)?;
        o.some("docs", service.docs)?;
        o.list("metadata", service.metadata)?;
    }

    ServiceAuth<'_>: |auth, o| {
        o.choice(["type", "type_text"], Some(auth.kind))?;
        o.some("header", auth.header)?;
        o.some("prefix", auth.prefix)?;
        o.some("setup_url", auth.setup_url)?;
        o.some("authorization_url", auth.authorization_url)?;
        o.some("token_url", auth.token_url)?;
        o.some("refresh_url", auth.refresh_url)?;
        o.some("token_expiry", auth.token_expiry)?;
        o.some("token_expiry_seconds", auth.token_expiry_seconds())?;
        o.list("scopes", auth.scopes)?;
        o.list("required_for", auth.required_for)?;
        o.list("optional_for", auth.optional_for)?;
        o.list("metadata", auth.metadata)?;
    }

    Endpoint<'_>: |endpoint, o| {
        o.choice(["protocol", "protocol_text"], Some(endpoint.protocol))?;
        o.some("url", endpoint.url)?;
        o.some("version", endpoint.version)?;
        o.choice(["transport", "transport_text"], endpoint.transport)?;
        o.choice(["auth", "auth_text"], endpoint.auth)?;
        o.list("extra", endpoint.extra)?;
    }

    Capability<'_>: |capability, o| {
        o.some("id", capability.id)?;
        o.some("description", capability.description)?;
        o.some("endpoint", capability.endpoint)?;
        o.some("method", capability.method)?;
        o.choice(["protocol", "protocol_text"], capability.protocol)?;
        o.some("via", capability.via)?;
        o.some("operation", capability.operation)?;
        o.some("detail_url", capability.detail_url)?;
        o.some("openapi", capability.openapi)?;
        o.some("auth", capability.auth)?;
        o.some("auth_required", capability.auth_required)?;
        o.some("requires_session", capability.requires_session)?;
        o.some("human_handoff", capability.human_handoff)?;
        o.list("rate_limits", capability.rate_limits)?;
        o.list("parameters", capability.parameters)?;
        o.list("outputs", capability.outputs)?;
        o.choice(["sensitivity", "sensitivity_text"], capability.sensitivity)?;
        o.some("requires_confirmation", capability.requires_confirmation)?;
        o.some("reversible", capability.reversible)?;
        o.choice(["execution", "execution_text"], capability.execution)?;
        o.some("poll_url", capability.poll_url)?;
        o.some("idempotency", capability.idempotency)?;
        o.list("metadata", capability.metadata)?;
    }

    CapabilityAuth<'_>: |auth, o| {
        // That nothing is written about the kind means none, and defaults are not shown.
        o.choice(["type", "type_text"], (auth.kind != Choice::implied(AuthType::None)).then_some(auth.kind))?;
        o.some("token_url", auth.token_url)?;
        o.some("docs_url", auth.docs_url)?;
        o.list("scopes", auth.scopes)?;
        o.list("metadata", auth.metadata)?;
    }

    RateLimit<'_>: |limit, o| {
        o.put("requests", limit.requests)?;
        o.choice(["window", "window_text"], Some(limit.window))?;
        o.list("metadata", limit.metadata)?;
    }

    Parameter<'_>: |parameter, o| {
        o.some("name", parameter.name)?;
        o.choice(["location", "location_text"], parameter.location)?;
        o.some("type", parameter.kind)?;
        o.some("required", parameter.required)?;
        o.some("description", parameter.description)?;
        o.some("default", parameter.default)?;
        o.some("example", parameter.example)?;
        o.some("min", parameter.min)?;
        o.some("max", parameter.max)?;
        o.some("items", parameter.items)?;
        o.list("options", parameter.options)?;
        o.list("metadata", parameter.metadata)?;
    }

    Output<'_>: |output, o| {
        o.put("name", output.name)?;
        o.put("type", output.kind)?;
    }

    Idempotency<'_>: |idempotency, o| {
        o.some("supported", idempotency.supported)?;
        o.some("key_field", idempotency.key_field)?;
        o.some("window", idempotency.window)?;
        o.list("metadata", idempotency.metadata)?;
    }

    Access<'_>: |access, o| {
        o.list("allow", access.allow)?;
        o.list("disallow", access.disallow)?;
        o.list("metadata", access.metadata)?;
    }

    AgentPolicy<'_>: |agent, o| {
        o.some("name", agent.name)?;
        o.list("rate_limits", agent.rate_limits)?;
        // Here an empty list is written: it grants nothing, where an absent one grants everything.
        o.some("capabilities", agent.capabilities)?;
        o.some("declaration", agent.declaration)?;
        o.list("metadata", agent.metadata)?;
    }

    Permissions<'_>: |permissions, o| {
        o.list("can", permissions.can)?;
        o.list("cannot", permissions.cannot)?;
        o.list("behavior", permissions.behavior)?;
    }

    Flow<'_>: |flow, o| {
        o.some("name", flow.name)?;
        o.some("description", flow.description)?;
        o.list("steps", flow.steps)?;
        o.list("metadata", flow.metadata)?;
    }

    Dependency<'_>: |dependency, o| {
        o.put("capability", dependency.capability)?;
        o.list("requires", dependency.requires)?;
    }

    Entity<'_>: |entity, o| {
        o.put("name", entity.name)?;
        o.list("fields", entity.fields)?;
        o.list("metadata", entity.metadata)?;
    }

    Recovery<'_>: |recovery, o| {
        o.put("code", recovery.code)?;
        o.some("recovery", recovery.recovery)?;
        o.list("metadata", recovery.metadata)?;
    }

    Status<'_>: |status, o| {
        o.some("operational", status.operational)?;
        o.list("degraded", status.degraded)?;
        o.some("url", status.url)?;
        o.list("metadata", status.metadata)?;
    }

    Pricing<'_>: |pricing, o| {
        o.choice(["type", "type_text"], pricing.kind)?;
        o.list("plans", pricing.plans)?;
        o.some("plans_url", pricing.plans_url)?;
        o.list("metadata", pricing.metadata)?;
    }

    Plan<'_>: |plan, o| {
        o.some("name", plan.name)?;
        o.some("price", plan.price)?;
        o.some("limits", plan.limits)?;
        o.list("metadata", plan.metadata)?;
    }

    Session<'_>: |session, o| {
        o.some("ttl_seconds", session.ttl_seconds)?;
        o.some("create", session.create)?;
        o.some("delete", session.delete)?;
        o.list("metadata", session.metadata)?;
    }

    Audit<'_>: |audit, o| {
        o.some("enabled", audit.enabled)?;
        o.some("endpoint", audit.endpoint)?;
        o.list("metadata", audit.metadata)?;
    }

    RobotsGroup<'_>: |group, o| {
        o.list("agents", group.agents)?;
        o.list("rules", group.rules)?;
        o.some("crawl_delay", group.crawl_delay)?;
    }

    RobotsRule<'_>: |rule, o| {
        o.put("allow", rule.allow)?;
        o.put("pattern", rule.pattern)?;
    }

    SearchResult<'_>: |result, o| {
        o.some("service", Some(result.service).filter(|service| !is_silent(service)))?;
        o.list("capabilities", result.capabilities)?;
    }

    Robots<'_>: |robots, o| {
        o.list("groups", robots.groups)?;
        o.list("sitemaps", robots.sitemaps)?;
    }

    Search<'_>: |search, o| {
        o.some("query", search.query)?;
        o.list("results", search.results)?;
    }

    Hint<'_>: |hint, o| {
        o.put("name", hint.0.name)?;
        o.put("value", hint.0.value)?;
    }
}

/// Whether there is nothing to show of a service.
fn is_silent(service: &Service<'_>) -> bool {
    let Service {
        name,
        url,
        domain,
        description,
        contact,
        privacy_policy,
        docs,
        metadata,
        source: _,
    } = service;
    [name, url, domain, description, privacy_policy, docs]
        .iter()
        .all(|text| text.is_none())
        && contact.is_empty()
        && metadata.is_empty()
}

struct Robots<'a> {
    groups: List<'a, RobotsGroup<'a>>,
    sitemaps: List<'a, Text<'a>>,
}

struct Search<'a> {
    query: Option<Text<'a>>,
    results: List<'a, SearchResult<'a>>,
}

struct Hint<'a>(Member<'a>);

/// Metadata whose order counts: a sequence of names and values.
struct Hints<'a>(Metadata<'a>);

impl Serialize for Hints<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.map(Hint))
    }
}
