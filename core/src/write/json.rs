//! The unified model as JSON (`docs/model.md`).
//!
//! The model has a fixed shape, so the writer is a fixed set of functions, one for each kind of object, that call one another and
//! never themselves. Each walks the views once and puts pieces into a [`Sink`]; nothing is stored but whether a comma is due.

use super::sink::Sink;
use crate::manifest::{
    Access, AgentPolicy, Audit, AuthType, Capability, CapabilityAuth, Choice, Dependency, Endpoint, Entity, Enumeration, Flow, Idempotency,
    List, Manifest, Metadata, Output, Parameter, Permissions, Plan, Pricing, Provenance, RateLimit, Raw, Recovery, RobotsGroup,
    SearchResult, Service, ServiceAuth, Session, Status,
};
use crate::scan;
use crate::syntax::text::{Escape, Text};

/// Writes a whole document in the unified model.
pub(crate) fn manifest<S: Sink>(manifest: &Manifest<'_>, sink: &mut S) {
    let mut writer = Writer { sink, comma: false };
    let w = &mut writer;
    w.open(b"{");
    w.name("format");
    w.plain(manifest.format().id());
    let head = manifest.head();
    w.optional("spec_version", head.spec_version);
    w.choice("kind", "kind_text", Some(head.kind));
    w.optional("generated_at", head.generated_at);
    w.texts("operates_on", manifest.operates_on());
    w.optional("companion", head.companion);
    w.object("provenance", manifest.provenance(), provenance);
    w.object("service", manifest.service().filter(says_something), service);
    w.object("auth", manifest.auth(), service_auth);
    w.objects("endpoints", manifest.endpoints(), endpoint);
    w.objects("capabilities", manifest.capabilities(), capability);
    access(w, &manifest.access());
    w.objects("agents", manifest.agents(), agent);
    permissions(w, &manifest.permissions());
    w.objects("flows", manifest.flows(), flow);
    w.objects("dependencies", manifest.dependencies(), dependency);
    w.objects("entities", manifest.entities(), entity);
    w.objects("errors", manifest.errors(), recovery);
    w.objects("hints", manifest.hints(), |w, hint| {
        w.optional("name", Some(hint.name));
        w.raw("value", Some(hint.value));
    });
    w.object("status", manifest.status(), status);
    w.metadata("features", manifest.features());
    w.object("pricing", manifest.pricing(), pricing);
    w.object("session", manifest.session(), session);
    w.object("audit", manifest.audit(), audit);
    w.objects("rate_limits", manifest.rate_limits(), rate_limit);
    w.number("cache_seconds", manifest.cache_seconds());
    robots(w, manifest);
    search(w, manifest);
    w.raw("request_example", manifest.request_example());
    w.raw("response_example", manifest.response_example());
    w.metadata("metadata", manifest.metadata());
    w.close(b"}");
}

fn provenance<S: Sink>(w: &mut Writer<'_, S>, provenance: &Provenance<'_>) {
    w.choice("source", "source_text", Some(provenance.source));
    w.optional("generated_by", provenance.generated_by);
    w.raw("confidence", provenance.confidence.map(Raw::Json));
    w.optional("last_verified", provenance.last_verified);
}

/// Whether there is anything to show of a service.
fn says_something(service: &Service<'_>) -> bool {
    let Service { name, url, domain, description, contact, privacy_policy, docs, metadata, source: _ } = service;
    [name, url, domain, description, privacy_policy, docs].iter().any(|text| text.is_some()) || !contact.is_empty() || !metadata.is_empty()
}

fn service<S: Sink>(w: &mut Writer<'_, S>, service: &Service<'_>) {
    w.optional("name", service.name);
    w.optional("url", service.url);
    w.optional("domain", service.domain);
    w.optional("description", service.description);
    w.texts("contact", service.contact);
    w.optional("privacy_policy", service.privacy_policy);
    w.optional("docs", service.docs);
    w.metadata("metadata", service.metadata);
}

fn service_auth<S: Sink>(w: &mut Writer<'_, S>, auth: &ServiceAuth<'_>) {
    w.choice("type", "type_text", Some(auth.kind));
    w.optional("header", auth.header);
    w.optional("prefix", auth.prefix);
    w.optional("setup_url", auth.setup_url);
    w.optional("authorization_url", auth.authorization_url);
    w.optional("token_url", auth.token_url);
    w.optional("refresh_url", auth.refresh_url);
    w.optional("token_expiry", auth.token_expiry);
    w.number("token_expiry_seconds", auth.token_expiry_seconds());
    w.texts("scopes", auth.scopes);
    w.texts("required_for", auth.required_for);
    w.texts("optional_for", auth.optional_for);
    w.metadata("metadata", auth.metadata);
}

fn endpoint<S: Sink>(w: &mut Writer<'_, S>, endpoint: &Endpoint<'_>) {
    w.choice("protocol", "protocol_text", Some(endpoint.protocol));
    w.optional("url", endpoint.url);
    w.optional("version", endpoint.version);
    w.choice("transport", "transport_text", endpoint.transport);
    w.choice("auth", "auth_text", endpoint.auth);
    w.metadata("extra", endpoint.extra);
}

fn capability<S: Sink>(w: &mut Writer<'_, S>, capability: &Capability<'_>) {
    w.optional("id", capability.id);
    w.optional("description", capability.description);
    w.optional("endpoint", capability.endpoint);
    w.optional("method", capability.method);
    w.choice("protocol", "protocol_text", capability.protocol);
    w.optional("via", capability.via);
    w.optional("operation", capability.operation);
    w.optional("detail_url", capability.detail_url);
    w.optional("openapi", capability.openapi);
    w.object("auth", capability.auth, capability_auth);
    w.truth("auth_required", capability.auth_required);
    w.truth("requires_session", capability.requires_session);
    w.truth("human_handoff", capability.human_handoff);
    w.objects("rate_limits", capability.rate_limits, rate_limit);
    w.objects("parameters", capability.parameters, parameter);
    w.objects("outputs", capability.outputs, output);
    w.choice("sensitivity", "sensitivity_text", capability.sensitivity);
    w.truth("requires_confirmation", capability.requires_confirmation);
    w.truth("reversible", capability.reversible);
    w.choice("execution", "execution_text", capability.execution);
    w.optional("poll_url", capability.poll_url);
    w.object("idempotency", capability.idempotency, idempotency);
    w.metadata("metadata", capability.metadata);
}

fn capability_auth<S: Sink>(w: &mut Writer<'_, S>, auth: &CapabilityAuth<'_>) {
    // That nothing is written about it means none, and defaults are not shown.
    let default = auth.kind == Choice::implied(AuthType::None);
    w.choice("type", "type_text", Some(auth.kind).filter(|_| !default));
    w.optional("token_url", auth.token_url);
    w.optional("docs_url", auth.docs_url);
    w.texts("scopes", auth.scopes);
    w.metadata("metadata", auth.metadata);
}

fn rate_limit<S: Sink>(w: &mut Writer<'_, S>, limit: &RateLimit<'_>) {
    w.number("requests", Some(limit.requests));
    w.choice("window", "window_text", Some(limit.window));
    w.metadata("metadata", limit.metadata);
}

fn parameter<S: Sink>(w: &mut Writer<'_, S>, parameter: &Parameter<'_>) {
    w.optional("name", parameter.name);
    w.choice("location", "location_text", parameter.location);
    w.optional("type", parameter.kind);
    w.truth("required", parameter.required);
    w.optional("description", parameter.description);
    w.raw("default", parameter.default);
    w.raw("example", parameter.example);
    w.raw("min", parameter.min);
    w.raw("max", parameter.max);
    w.raw("items", parameter.items);
    w.list("options", parameter.options, |w, option| w.raw_value(*option));
    w.metadata("metadata", parameter.metadata);
}

fn output<S: Sink>(w: &mut Writer<'_, S>, output: &Output<'_>) {
    w.optional("name", Some(output.name));
    w.raw("type", Some(output.kind));
}

fn idempotency<S: Sink>(w: &mut Writer<'_, S>, idempotency: &Idempotency<'_>) {
    w.truth("supported", idempotency.supported);
    w.optional("key_field", idempotency.key_field);
    w.optional("window", idempotency.window);
    w.metadata("metadata", idempotency.metadata);
}

fn access<S: Sink>(w: &mut Writer<'_, S>, access: &Access<'_>) {
    if access.allow.is_empty() && access.disallow.is_empty() && access.metadata.is_empty() {
        return;
    }
    w.object("access", Some(*access), |w, access| {
        w.texts("allow", access.allow);
        w.texts("disallow", access.disallow);
        w.metadata("metadata", access.metadata);
    });
}

fn agent<S: Sink>(w: &mut Writer<'_, S>, agent: &AgentPolicy<'_>) {
    w.optional("name", agent.name);
    w.objects("rate_limits", agent.rate_limits, rate_limit);
    if let Some(ids) = agent.capabilities {
        w.name("capabilities");
        w.open(b"[");
        for id in ids {
            w.text(id);
        }
        w.close(b"]");
    }
    w.optional("declaration", agent.declaration);
    w.metadata("metadata", agent.metadata);
}

fn permissions<S: Sink>(w: &mut Writer<'_, S>, permissions: &Permissions<'_>) {
    if permissions.can.is_empty() && permissions.cannot.is_empty() && permissions.behavior.is_empty() {
        return;
    }
    w.object("permissions", Some(*permissions), |w, permissions| {
        w.texts("can", permissions.can);
        w.texts("cannot", permissions.cannot);
        w.texts("behavior", permissions.behavior);
    });
}

fn flow<S: Sink>(w: &mut Writer<'_, S>, flow: &Flow<'_>) {
    w.optional("name", flow.name);
    w.optional("description", flow.description);
    w.texts("steps", flow.steps);
    w.metadata("metadata", flow.metadata);
}

fn dependency<S: Sink>(w: &mut Writer<'_, S>, dependency: &Dependency<'_>) {
    w.optional("capability", Some(dependency.capability));
    w.texts("requires", dependency.requires);
}

fn entity<S: Sink>(w: &mut Writer<'_, S>, entity: &Entity<'_>) {
    w.optional("name", Some(entity.name));
    w.objects("fields", entity.fields, output);
    w.metadata("metadata", entity.metadata);
}

fn recovery<S: Sink>(w: &mut Writer<'_, S>, recovery: &Recovery<'_>) {
    w.optional("code", Some(recovery.code));
    w.optional("recovery", recovery.recovery);
    w.metadata("metadata", recovery.metadata);
}

fn status<S: Sink>(w: &mut Writer<'_, S>, status: &Status<'_>) {
    w.truth("operational", status.operational);
    w.texts("degraded", status.degraded);
    w.optional("url", status.url);
    w.metadata("metadata", status.metadata);
}

fn pricing<S: Sink>(w: &mut Writer<'_, S>, pricing: &Pricing<'_>) {
    w.choice("type", "type_text", pricing.kind);
    w.objects("plans", pricing.plans, plan);
    w.optional("plans_url", pricing.plans_url);
    w.metadata("metadata", pricing.metadata);
}

fn plan<S: Sink>(w: &mut Writer<'_, S>, plan: &Plan<'_>) {
    w.optional("name", plan.name);
    w.optional("price", plan.price);
    w.optional("limits", plan.limits);
    w.metadata("metadata", plan.metadata);
}

fn session<S: Sink>(w: &mut Writer<'_, S>, session: &Session<'_>) {
    w.number("ttl_seconds", session.ttl_seconds);
    w.optional("create", session.create);
    w.optional("delete", session.delete);
    w.metadata("metadata", session.metadata);
}

fn audit<S: Sink>(w: &mut Writer<'_, S>, audit: &Audit<'_>) {
    w.truth("enabled", audit.enabled);
    w.optional("endpoint", audit.endpoint);
    w.metadata("metadata", audit.metadata);
}

fn robots<S: Sink>(w: &mut Writer<'_, S>, manifest: &Manifest<'_>) {
    let (groups, sitemaps) = (manifest.robots(), manifest.sitemaps());
    if groups.is_empty() && sitemaps.is_empty() {
        return;
    }
    w.name("robots");
    w.open(b"{");
    w.objects("groups", groups, |w, group: &RobotsGroup<'_>| {
        w.texts("agents", group.agents);
        w.objects("rules", group.rules, |w, rule| {
            w.truth("allow", Some(rule.allow));
            w.optional("pattern", Some(rule.pattern));
        });
        w.optional("crawl_delay", group.crawl_delay);
    });
    w.texts("sitemaps", sitemaps);
    w.close(b"}");
}

fn search<S: Sink>(w: &mut Writer<'_, S>, manifest: &Manifest<'_>) {
    let (query, results) = (manifest.search_query(), manifest.search_results());
    if query.is_none() && results.is_empty() {
        return;
    }
    w.name("search");
    w.open(b"{");
    w.optional("query", query);
    w.objects("results", results, |w, result: &SearchResult<'_>| {
        w.object("service", Some(result.service), service);
        w.objects("capabilities", result.capabilities, capability);
    });
    w.close(b"}");
}

/// Puts JSON into a sink.
///
/// INVARIANT: `comma` says whether the next name or element of the innermost container needs a comma before it.
struct Writer<'s, S> {
    sink: &'s mut S,
    comma: bool,
}

impl<S: Sink> Writer<'_, S> {
    /// A comma where one is due.
    #[inline]
    fn separate(&mut self) {
        if self.comma {
            self.sink.put(b",");
        }
        self.comma = true;
    }

    /// Opens a container behind a name.
    #[inline]
    fn open(&mut self, bracket: &[u8]) {
        self.sink.put(bracket);
        self.comma = false;
    }

    #[inline]
    fn close(&mut self, bracket: &[u8]) {
        self.sink.put(bracket);
        self.comma = true;
    }

    /// A name of the model, which needs no escaping.
    #[inline]
    fn name(&mut self, name: &str) {
        self.separate();
        self.sink.put(b"\"");
        self.sink.put(name.as_bytes());
        self.sink.put(b"\":");
    }

    /// A string that needs no escaping.
    fn plain(&mut self, text: &str) {
        self.sink.put(b"\"");
        self.sink.put(text.as_bytes());
        self.sink.put(b"\"");
    }

    #[inline]
    fn optional(&mut self, name: &str, text: Option<Text<'_>>) {
        if let Some(text) = text {
            self.name(name);
            self.string(text);
        }
    }

    fn choice<E: Enumeration>(&mut self, name: &str, text_name: &str, choice: Option<Choice<'_, E>>) {
        if let Some(choice) = choice {
            self.name(name);
            self.plain(choice.as_str());
            self.optional(text_name, choice.differing_text());
        }
    }

    fn truth(&mut self, name: &str, value: Option<bool>) {
        if let Some(value) = value {
            self.name(name);
            self.sink.put(if value { b"true" } else { b"false" });
        }
    }

    fn number(&mut self, name: &str, value: Option<u32>) {
        let Some(mut value) = value else { return };
        self.name(name);
        let mut digits = [b'0'; 10];
        let mut first = digits.len();
        loop {
            first = first.saturating_sub(1);
            if let Some(digit) = digits.get_mut(first) {
                *digit = b'0' + (value % 10) as u8;
            }
            value /= 10;
            if value == 0 {
                break;
            }
        }
        self.sink.put(digits.get(first..).unwrap_or_default());
    }

    fn raw(&mut self, name: &str, value: Option<Raw<'_>>) {
        if let Some(value) = value {
            self.name(name);
            self.put_raw(value);
        }
    }

    /// A raw value as an element.
    fn raw_value(&mut self, value: Raw<'_>) {
        self.separate();
        self.put_raw(value);
    }

    fn put_raw(&mut self, value: Raw<'_>) {
        match value {
            Raw::Json(value) => self.minified(value.raw()),
            Raw::Text(text) => self.string(text),
        }
    }

    /// JSON text without the white space outside its strings, so that the whole stays on one line.
    fn minified(&mut self, raw: &[u8]) {
        let (mut from, mut at) = (0, 0);
        while let Some(&byte) = raw.get(at) {
            match byte {
                b'"' => at = (scan::string_end(raw, at + 1).0 + 1).min(raw.len()),
                b' ' | b'\t' | b'\n' | b'\r' => {
                    self.sink.put(raw.get(from..at).unwrap_or_default());
                    at = scan::blanks_end(raw, at);
                    from = at;
                }
                _ => at += 1,
            }
        }
        self.sink.put(raw.get(from..).unwrap_or_default());
    }

    /// A text as an element.
    fn text(&mut self, text: Text<'_>) {
        self.separate();
        self.string(text);
    }

    #[inline]
    fn object<T>(&mut self, name: &str, value: Option<T>, members: fn(&mut Self, &T)) {
        if let Some(value) = value {
            self.name(name);
            self.open(b"{");
            members(self, &value);
            self.close(b"}");
        }
    }

    #[inline]
    fn objects<T>(&mut self, name: &str, list: List<'_, T>, members: fn(&mut Self, &T)) {
        self.list_with(name, list, |w, item| {
            w.separate();
            w.open(b"{");
            members(w, item);
            w.close(b"}");
        });
    }

    fn texts(&mut self, name: &str, list: List<'_, Text<'_>>) {
        self.list_with(name, list, |w, text| w.text(*text));
    }

    fn list<T>(&mut self, name: &str, list: List<'_, T>, element: fn(&mut Self, &T)) {
        self.list_with(name, list, element);
    }

    /// A list; nothing where it is empty.
    #[inline]
    fn list_with<T>(&mut self, name: &str, list: List<'_, T>, element: impl Fn(&mut Self, &T)) {
        let mut open = false;
        for item in list {
            if !open {
                self.name(name);
                self.open(b"[");
                open = true;
            }
            element(self, &item);
        }
        if open {
            self.close(b"]");
        }
    }

    fn metadata(&mut self, name: &str, members: Metadata<'_>) {
        let mut open = false;
        for member in members {
            if !open {
                self.name(name);
                self.open(b"{");
                open = true;
            }
            self.separate();
            self.string(member.name);
            self.sink.put(b":");
            self.put_raw(member.value);
        }
        if open {
            self.close(b"}");
        }
    }

    /// A string with its quotes.
    #[inline]
    fn string(&mut self, text: Text<'_>) {
        self.sink.put(b"\"");
        match text.escape() {
            // What needs no escaping goes as it is.
            Escape::Plain if scan::string_stop(text.raw(), 0) == text.raw().len() && text.as_str().is_some() => self.sink.put(text.raw()),
            // A JSON string stays as it is written, but for surrogates, which may be alone.
            Escape::Json if !text.raw().windows(2).any(|pair| pair == b"\\u") => self.sink.put(text.raw()),
            _ => self.characters(text),
        }
        self.sink.put(b"\"");
    }

    #[inline(never)]
    fn characters(&mut self, text: Text<'_>) {
        for c in text.chars() {
            match c {
                '"' => self.sink.put(b"\\\""),
                '\\' => self.sink.put(b"\\\\"),
                '\n' => self.sink.put(b"\\n"),
                '\r' => self.sink.put(b"\\r"),
                '\t' => self.sink.put(b"\\t"),
                '\0'..='\u{1f}' => {
                    let hex = |digit: u32| char::from_digit(digit & 15, 16).map_or(b'0', |c| c as u8);
                    self.sink.put(&[b'\\', b'u', b'0', b'0', hex(u32::from(c) >> 4), hex(u32::from(c))]);
                }
                _ => self.sink.put(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }
}
