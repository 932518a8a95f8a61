//! The tables of the unified model as columns (`docs/model.md`): one for each kind of object, a line for each member.
//!
//! A member that is an enumeration makes two columns, as the model has two members for it. Where the model has an object of names that
//! are the document's own, or a value of any type, the column is JSON text.

use agentsdisc_core::manifest::{self, AuthType, Choice, List};
use agentsdisc_core::syntax::text::Text;
use arrow_array::types::{Float64Type, Int64Type};

use super::blank::Blanks;
use super::chosen::Chosen;
use super::column::{
    Choices, Column, Failure, Finished, Json, Number, Numbers, Put, Tasks, Texts, Truths, double,
};
use super::nested::{Lists, objects};

/// A whole number. The model's are unsigned and of 32 bits, but not every engine has such.
pub(super) type Integers = Numbers<Int64Type>;

objects! {
    /// Where a document comes from.
    ProvenanceColumns of manifest::Provenance<'a> as it {
        source "source": Choices = it.source,
        generated_by "generated_by": Texts = it.generated_by,
        confidence "confidence": Numbers<Float64Type> = it.confidence.and_then(double),
        last_verified "last_verified": Texts = it.last_verified,
    }
    /// The service a document speaks for.
    ServiceColumns of manifest::Service<'a> as it {
        title "name": Texts = it.name,
        url "url": Texts = it.url,
        domain "domain": Texts = it.domain,
        description "description": Texts = it.description,
        contact "contact": Lists<Texts> = it.contact,
        privacy_policy "privacy_policy": Texts = it.privacy_policy,
        docs "docs": Texts = it.docs,
        metadata "metadata": Json = it.metadata,
    }
    /// Authentication for the whole service.
    ServiceAuthColumns of manifest::ServiceAuth<'a> as it {
        kind "type": Choices = it.kind,
        header "header": Texts = it.header,
        prefix "prefix": Texts = it.prefix,
        setup_url "setup_url": Texts = it.setup_url,
        authorization_url "authorization_url": Texts = it.authorization_url,
        token_url "token_url": Texts = it.token_url,
        refresh_url "refresh_url": Texts = it.refresh_url,
        token_expiry "token_expiry": Texts = it.token_expiry,
        token_expiry_seconds "token_expiry_seconds": Integers = it.token_expiry_seconds().map(Number),
        scopes "scopes": Lists<Texts> = it.scopes,
        required_for "required_for": Lists<Texts> = it.required_for,
        optional_for "optional_for": Lists<Texts> = it.optional_for,
        metadata "metadata": Json = it.metadata,
    }
    /// Endpoints of other protocols.
    EndpointColumns of manifest::Endpoint<'a> as it {
        protocol "protocol": Choices = it.protocol,
        url "url": Texts = it.url,
        version "version": Texts = it.version,
        transport "transport": Choices = it.transport,
        auth "auth": Choices = it.auth,
        extra "extra": Json = it.extra,
    }
    /// What agents can do.
    CapabilityColumns of manifest::Capability<'a> as it {
        id "id": Texts = it.id,
        description "description": Texts = it.description,
        endpoint "endpoint": Texts = it.endpoint,
        method "method": Texts = it.method,
        protocol "protocol": Choices = it.protocol,
        via "via": Texts = it.via,
        operation "operation": Texts = it.operation,
        detail_url "detail_url": Texts = it.detail_url,
        openapi "openapi": Texts = it.openapi,
        auth "auth": CapabilityAuthColumns = it.auth,
        auth_required "auth_required": Truths = it.auth_required,
        requires_session "requires_session": Truths = it.requires_session,
        human_handoff "human_handoff": Truths = it.human_handoff,
        rate_limits "rate_limits": Lists<RateLimitColumns> = it.rate_limits,
        parameters "parameters": Lists<ParameterColumns> = it.parameters,
        outputs "outputs": Lists<OutputColumns> = it.outputs,
        sensitivity "sensitivity": Choices = it.sensitivity,
        requires_confirmation "requires_confirmation": Truths = it.requires_confirmation,
        reversible "reversible": Truths = it.reversible,
        execution "execution": Choices = it.execution,
        poll_url "poll_url": Texts = it.poll_url,
        idempotency "idempotency": IdempotencyColumns = it.idempotency,
        metadata "metadata": Json = it.metadata,
    }
    /// Authentication for one capability.
    CapabilityAuthColumns of manifest::CapabilityAuth<'a> as it {
        // That nothing is written about it means none, and defaults are not shown.
        kind "type": Choices = Some(it.kind).filter(|kind| *kind != Choice::implied(AuthType::None)),
        token_url "token_url": Texts = it.token_url,
        docs_url "docs_url": Texts = it.docs_url,
        scopes "scopes": Lists<Texts> = it.scopes,
        metadata "metadata": Json = it.metadata,
    }
    /// Numbers of requests in a time.
    RateLimitColumns of manifest::RateLimit<'a> as it {
        requests "requests": Integers = Number(it.requests),
        window "window": Choices = it.window,
        metadata "metadata": Json = it.metadata,
    }
    /// Parameters of a capability.
    ParameterColumns of manifest::Parameter<'a> as it {
        title "name": Texts = it.name,
        location "location": Choices = it.location,
        kind "type": Texts = it.kind,
        required "required": Truths = it.required,
        description "description": Texts = it.description,
        default "default": Json = it.default,
        example "example": Json = it.example,
        min "min": Json = it.min,
        max "max": Json = it.max,
        element "items": Json = it.items,
        options "options": Lists<Json> = it.options,
        metadata "metadata": Json = it.metadata,
    }
    /// Named results, and fields of entities.
    OutputColumns of manifest::Output<'a> as it {
        title "name": Texts = it.name,
        kind "type": Json = it.kind,
    }
    /// What protects a repeated call.
    IdempotencyColumns of manifest::Idempotency<'a> as it {
        supported "supported": Truths = it.supported,
        key_field "key_field": Texts = it.key_field,
        window "window": Texts = it.window,
        metadata "metadata": Json = it.metadata,
    }
    /// Which paths agents may reach.
    AccessColumns of manifest::Access<'a> as it {
        allow "allow": Lists<Texts> = it.allow,
        disallow "disallow": Lists<Texts> = it.disallow,
        metadata "metadata": Json = it.metadata,
    }
    /// What holds for single agents.
    AgentColumns of manifest::AgentPolicy<'a> as it {
        title "name": Texts = it.name,
        rate_limits "rate_limits": Lists<RateLimitColumns> = it.rate_limits,
        capabilities "capabilities": Granted = it.capabilities,
        declaration "declaration": Texts = it.declaration,
        metadata "metadata": Json = it.metadata,
    }
    /// What agents.md says in words.
    PermissionsColumns of manifest::Permissions<'a> as it {
        can "can": Lists<Texts> = it.can,
        cannot "cannot": Lists<Texts> = it.cannot,
        behavior "behavior": Lists<Texts> = it.behavior,
    }
    /// Suggested sequences.
    FlowColumns of manifest::Flow<'a> as it {
        title "name": Texts = it.name,
        description "description": Texts = it.description,
        steps "steps": Lists<Texts> = it.steps,
        metadata "metadata": Json = it.metadata,
    }
    /// What must come first.
    DependencyColumns of manifest::Dependency<'a> as it {
        capability "capability": Texts = it.capability,
        requires "requires": Lists<Texts> = it.requires,
    }
    /// Named types.
    EntityColumns of manifest::Entity<'a> as it {
        title "name": Texts = it.name,
        fields "fields": Lists<OutputColumns> = it.fields,
        metadata "metadata": Json = it.metadata,
    }
    /// What to do about errors.
    RecoveryColumns of manifest::Recovery<'a> as it {
        code "code": Texts = it.code,
        recovery "recovery": Texts = it.recovery,
        metadata "metadata": Json = it.metadata,
    }
    /// Advice for planning.
    HintColumns of manifest::Member<'a> as it {
        title "name": Texts = it.name,
        value "value": Json = it.value,
    }
    /// Whether the service works.
    StatusColumns of manifest::Status<'a> as it {
        operational "operational": Truths = it.operational,
        degraded "degraded": Lists<Texts> = it.degraded,
        url "url": Texts = it.url,
        metadata "metadata": Json = it.metadata,
    }
    /// What the service costs.
    PricingColumns of manifest::Pricing<'a> as it {
        kind "type": Choices = it.kind,
        plans "plans": Lists<PlanColumns> = it.plans,
        plans_url "plans_url": Texts = it.plans_url,
        metadata "metadata": Json = it.metadata,
    }
    /// Plans of a service.
    PlanColumns of manifest::Plan<'a> as it {
        title "name": Texts = it.name,
        price "price": Texts = it.price,
        limits "limits": Texts = it.limits,
        metadata "metadata": Json = it.metadata,
    }
    /// How sessions work.
    SessionColumns of manifest::Session<'a> as it {
        ttl_seconds "ttl_seconds": Integers = it.ttl_seconds.map(Number),
        create "create": Texts = it.create,
        delete "delete": Texts = it.delete,
        metadata "metadata": Json = it.metadata,
    }
    /// Whether what agents do is recorded.
    AuditColumns of manifest::Audit<'a> as it {
        enabled "enabled": Truths = it.enabled,
        endpoint "endpoint": Texts = it.endpoint,
        metadata "metadata": Json = it.metadata,
    }
    /// The rules of a robots.txt.
    RobotsColumns of manifest::Manifest<'a> as it {
        groups "groups": Lists<RobotsGroupColumns> = it.robots(),
        sitemaps "sitemaps": Lists<Texts> = it.sitemaps(),
    }
    /// Groups of them.
    RobotsGroupColumns of manifest::RobotsGroup<'a> as it {
        agents "agents": Lists<Texts> = it.agents,
        rules "rules": Lists<RobotsRuleColumns> = it.rules,
        crawl_delay "crawl_delay": Texts = it.crawl_delay,
    }
    /// Single rules.
    RobotsRuleColumns of manifest::RobotsRule<'a> as it {
        allow "allow": Truths = it.allow,
        pattern "pattern": Texts = it.pattern,
    }
    /// The answer of a registry search.
    SearchColumns of manifest::Manifest<'a> as it {
        query "query": Texts = it.search_query(),
        results "results": Lists<SearchResultColumns> = it.search_results(),
    }
    /// What was found.
    SearchResultColumns of manifest::SearchResult<'a> as it {
        service "service": ServiceColumns = Some(it.service).filter(service_says_something),
        capabilities "capabilities": Lists<CapabilityColumns> = it.capabilities,
    }
}

/// The capabilities that an agent may use: no list (all of them) is not the same as a list without elements (none).
pub(super) struct Granted(Lists<Texts>);

impl Column for Granted {
    fn new(of: &Chosen, name: &'static str) -> Self {
        Self(Lists::new(of, name))
    }

    fn is_on(&self) -> bool {
        self.0.is_on()
    }

    fn truncate(&mut self, rows: usize) {
        self.0.truncate(rows);
    }

    fn make_room(&mut self, times: usize) {
        self.0.make_room(times);
    }

    fn take_up<'c>(&'c mut self, rows: usize, others: Vec<(usize, Self)>, tasks: &mut Tasks<'c>) {
        self.0.take_up(
            rows,
            others
                .into_iter()
                .map(|(count, other)| (count, other.0))
                .collect(),
            tasks,
        );
    }

    fn finish(self, rows: usize, blanks: &mut Blanks, into: &mut Finished) -> Result<(), Failure> {
        self.0.finish(rows, blanks, into)
    }
}

impl<'a> Put<List<'a, Text<'a>>> for Granted {
    fn put(&mut self, row: usize, list: List<'a, Text<'a>>) {
        self.0.even_empty(row, list);
    }
}

/// Whether there is anything to show of a service.
pub(super) fn service_says_something(it: &manifest::Service<'_>) -> bool {
    let texts = [
        it.name,
        it.url,
        it.domain,
        it.description,
        it.privacy_policy,
        it.docs,
    ];
    texts.iter().any(Option::is_some) || !it.contact.is_empty() || !it.metadata.is_empty()
}

impl AccessColumns {
    /// Puts the access rules where they say anything.
    pub(super) fn put_any(&mut self, row: usize, it: &manifest::Access<'_>) {
        let patterns = self.allow.put_any(row, it.allow) | self.disallow.put_any(row, it.disallow);
        self.metadata.put(row, it.metadata);
        if patterns || !it.metadata.is_empty() {
            self.objects.set(row);
        }
    }
}

impl PermissionsColumns {
    /// Puts the permissions where they say anything.
    pub(super) fn put_any(&mut self, row: usize, it: &manifest::Permissions<'_>) {
        if self.can.put_any(row, it.can)
            | self.cannot.put_any(row, it.cannot)
            | self.behavior.put_any(row, it.behavior)
        {
            self.objects.set(row);
        }
    }
}

impl RobotsColumns {
    /// Puts the rules where there are any.
    pub(super) fn put_any(&mut self, row: usize, it: &manifest::Manifest<'_>) {
        if self.groups.put_any(row, it.robots()) | self.sitemaps.put_any(row, it.sitemaps()) {
            self.objects.set(row);
        }
    }
}

impl SearchColumns {
    /// Puts the answer of a search where it is one.
    pub(super) fn put_any(&mut self, row: usize, it: &manifest::Manifest<'_>) {
        let query = it.search_query();
        self.query.put(row, query);
        if self.results.put_any(row, it.search_results()) | query.is_some() {
            self.objects.set(row);
        }
    }
}
