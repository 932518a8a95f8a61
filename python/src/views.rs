//! The objects of the unified model as Python classes, each from one table: attribute, field of the core's type, what is kept of it.
//!
//! A table makes: a class with a getter for every line, `repr`, equality by attributes, and [`View`] for the core's type. An attribute of a
//! table's last part, `later`, is read from the document again when it is first asked for, and then kept: that is for
//! what is costly and not always wanted.

use agentsdisc_core::manifest;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::base::{
    Chosen, Keep, Members, Once, Place, RawPlace, Shared, Show, Texts, View, Written,
};
use crate::capability::{CapabilityPath, read_again};

/// `Name(attribute=value, …)`, absent attributes left out.
pub(crate) fn representation(
    py: Python<'_>,
    name: &str,
    parts: &[(&str, Py<PyAny>)],
) -> PyResult<String> {
    let mut shown = Vec::with_capacity(parts.len());
    for (attribute, part) in parts {
        let part = part.bind(py);
        // None, (), {} and no text: whatever an absent part looks like.
        if part.is_none() || (part.len().is_ok_and(|length| length == 0)) {
            continue;
        }
        shown.push(format!(
            "{}={}",
            attribute.trim_start_matches("r#"),
            part.repr()?
        ));
    }
    Ok(format!("{name}({})", shown.join(", ")))
}

/// Whether all attributes are equal.
pub(crate) fn same(
    py: Python<'_>,
    ours: &[(&str, Py<PyAny>)],
    theirs: &[(&str, Py<PyAny>)],
) -> PyResult<bool> {
    for ((_, a), (_, b)) in ours.iter().zip(theirs) {
        if !a.bind(py).eq(b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

macro_rules! view {
    (
        $(#[doc = $doc:literal])*
        $view:ident {
            $($(#[doc = $about:literal])* $name:ident $(or $text:ident)? = $field:ident: $kept:ty,)*
        }
        $(later $path:ident by $again:ident {
            $($(#[doc = $labout:literal])* $lname:ident = $lfield:ident: $lkept:ty,)*
        })?
    ) => {
        $(#[doc = $doc])*
        #[pyclass(frozen, module = "agentsdisc")]
        pub(crate) struct $view {
            base: Shared,
            $($field: $kept,)*
            $(path: $path, $($lfield: Once<$lkept>,)*)?
        }

        impl $view {
            pub(crate) fn make(model: &manifest::$view<'_>, py: Python<'_>, base: &Shared $(, path: $path)?) -> PyResult<Self> {
                Ok(Self {
                    base: base.clone(),
                    $($field: view!(@field model $field).keep(py, base)?,)*
                    $(path: <$path>::from(path), $($lfield: Once::new(),)*)?
                })
            }

            /// Every attribute in the order of the table.
            fn parts(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, Py<PyAny>)>> {
                Ok(vec![
                    $(
                        (stringify!($name), self.$field.show(py, &self.base)?),
                        $((stringify!($text), self.$field.written_text(py, &self.base)?),)?
                    )*
                    $($((stringify!($lname), self.$lname(py)?),)*)?
                ])
            }
        }

        #[pymethods]
        impl $view {
            $(
                $(#[doc = $about])*
                #[getter]
                fn $name(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.$field.show(py, &self.base)
                }

                $(
                    /// The text as written, where it differs from the canonical name.
                    #[getter]
                    fn $text(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                        self.$field.written_text(py, &self.base)
                    }
                )?
            )*

            $($(
                $(#[doc = $labout])*
                #[getter]
                fn $lname(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    let again = || $again(&self.base, self.path, |model| model.$lfield.keep(py, &self.base));
                    self.$lfield.get_or_make(again)?.show(py, &self.base)
                }
            )*)?

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                representation(py, stringify!($view), &self.parts(py)?)
            }

            fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
                same(py, &self.parts(py)?, &other.get().parts(py)?)?.into_py_any(py)
            }

            fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
                slf
            }

            fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'_, PyAny>) -> Bound<'py, Self> {
                slf
            }
        }
    };
    // Not a field but a method of the core's type.
    (@field $model:ident token_expiry_seconds) => { $model.token_expiry_seconds() };
    (@field $model:ident $field:ident) => { $model.$field };
}

macro_rules! viewed {
    ($($view:ident)*) => {$(
        impl View for manifest::$view<'_> {
            fn view(self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>> {
                Ok(Py::new(py, $view::make(&self, py, base)?)?.into_any())
            }
        }
    )*};
}

viewed! {
    Service Provenance ServiceAuth Endpoint CapabilityAuth RateLimit Parameter Output Idempotency Access AgentPolicy Permissions Flow
    Dependency Entity Recovery Status Pricing Plan Session Audit RobotsGroup RobotsRule
}

macro_rules! single {
    ($($view:ident)*) => {$(
        impl Keep for manifest::$view<'_> {
            type Kept = Py<PyAny>;
            fn keep(self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>> {
                self.view(py, base)
            }
        }
    )*};
}

single! { Service Provenance ServiceAuth CapabilityAuth Idempotency Access Permissions Status Pricing Session Audit }

view! {
    /// The service or site that a document speaks for.
    Service {
        /// Name for people.
        name = name: Option<Place>,
        /// Canonical URL.
        url = url: Option<Place>,
        /// Domain, where that is what a format names it by.
        domain = domain: Option<Place>,
        /// What it does.
        description = description: Option<Place>,
        /// Email addresses, URLs or other ways to reach the operator.
        contact = contact: Texts,
        /// URL of the privacy policy.
        privacy_policy = privacy_policy: Option<Place>,
        /// URL of the documentation.
        docs = docs: Option<Place>,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// Where a document comes from.
    Provenance {
        /// Whether the site itself published it: `native`, `synthetic` or `unknown`.
        source or source_text = source: Chosen,
        /// The tool that made a synthetic document.
        generated_by = generated_by: Option<Place>,
        /// From 0 to 1, as written.
        confidence = confidence: Option<RawPlace>,
        /// When it was last compared with the site.
        last_verified = last_verified: Option<Place>,
    }
}

view! {
    /// Authentication for the whole service.
    ServiceAuth {
        /// The kind: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (which is some, not none).
        r#type or type_text = kind: Chosen,
        /// Request header that carries the key.
        header = header: Option<Place>,
        /// What stands before the key in the header.
        prefix = prefix: Option<Place>,
        /// Where people get a key.
        setup_url = setup_url: Option<Place>,
        /// OAuth 2 authorization endpoint.
        authorization_url = authorization_url: Option<Place>,
        /// OAuth 2 token endpoint.
        token_url = token_url: Option<Place>,
        /// Where an expired token is refreshed.
        refresh_url = refresh_url: Option<Place>,
        /// Life of a token, as written (`24h`).
        token_expiry = token_expiry: Option<Place>,
        /// The same in seconds.
        token_expiry_seconds = token_expiry_seconds: Option<u32>,
        /// OAuth 2 scopes.
        scopes = scopes: Texts,
        /// Actions that need authentication.
        required_for = required_for: Texts,
        /// Actions for which it is optional.
        optional_for = optional_for: Texts,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// An endpoint of another protocol that the site speaks.
    Endpoint {
        /// Which protocol: `mcp`, `a2a`, `x402`, …
        protocol or protocol_text = protocol: Chosen,
        /// Where.
        url = url: Option<Place>,
        /// Version of the protocol.
        version = version: Option<Place>,
        /// How it is connected to: `streamable-http`, `sse`, `http`, `stdio` or `unknown`.
        transport or transport_text = transport: Option<Chosen>,
        /// How a caller proves who it is.
        auth or auth_text = auth: Option<Chosen>,
        /// Members that only this protocol has, by name.
        extra = extra: Members,
    }
}

view! {
    /// Authentication for one capability.
    CapabilityAuth {
        /// The kind: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (which is some, not none).
        r#type or type_text = kind: Chosen,
        /// Where a token is obtained.
        token_url = token_url: Option<Place>,
        /// Where the way to authenticate is described.
        docs_url = docs_url: Option<Place>,
        /// OAuth 2 scopes.
        scopes = scopes: Texts,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// A number of requests in a time.
    RateLimit {
        /// How many.
        requests = requests: u32,
        /// In which time: `second`, `minute`, `hour`, `day` or `unknown`.
        window or window_text = window: Chosen,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// A parameter of a capability.
    Parameter {
        /// Its name.
        name = name: Option<Place>,
        /// Where it is sent: `query`, `path`, `header`, `body` or `unknown`.
        location or location_text = location: Option<Chosen>,
        /// Its type, as written.
        r#type = kind: Option<Place>,
        /// Whether it must be given; None where that is not said (and then it need not).
        required = required: Option<bool>,
        /// What it means.
        description = description: Option<Place>,
        /// The value it has when it is not given.
        default = default: Option<RawPlace>,
        /// An example value.
        example = example: Option<RawPlace>,
        /// The least value.
        min = min: Option<RawPlace>,
        /// The greatest value.
        max = max: Option<RawPlace>,
        /// The type of the items of an array.
        items = items: Option<RawPlace>,
        /// The values it may have.
        options = options: Py<PyTuple>,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// A named result of a capability, or a field of an entity.
    Output {
        /// Its name.
        name = name: Place,
        /// Its type as written: a type expression, or an object.
        r#type = kind: RawPlace,
    }
}

view! {
    /// What protects a repeated call.
    Idempotency {
        /// Whether keys are supported.
        supported = supported: Option<bool>,
        /// The field that carries the key.
        key_field = key_field: Option<Place>,
        /// How long a key counts, as written (`24h`).
        window = window: Option<Place>,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// Something an agent can do.
    Capability {
        /// Its id or name.
        id = id: Option<Place>,
        /// What it does.
        description = description: Option<Place>,
        /// URL or path to call.
        endpoint = endpoint: Option<Place>,
        /// HTTP method as written. None means GET in the Internet-Draft's formats.
        method = method: Option<Place>,
        /// The protocol spoken there: `rest`, `mcp`, `a2a`, `graphql`, `websocket`, … or `unknown`.
        protocol or protocol_text = protocol: Option<Chosen>,
        /// The entry of `endpoints` it is called through.
        via = via: Option<Place>,
        /// The name it has there.
        operation = operation: Option<Place>,
        /// Where its details are.
        detail_url = detail_url: Option<Place>,
        /// URL of an OpenAPI description.
        openapi = openapi: Option<Place>,
        /// Whether authentication is required, where that is said apart.
        auth_required = auth_required: Option<bool>,
        /// Whether a session must be opened first.
        requires_session = requires_session: Option<bool>,
        /// Whether it ends with a person taking over.
        human_handoff = human_handoff: Option<bool>,
        /// What it may break: `standard`, `destructive`, `irreversible` or `unknown`.
        sensitivity or sensitivity_text = sensitivity: Option<Chosen>,
        /// Whether a person should be asked first.
        requires_confirmation = requires_confirmation: Option<bool>,
        /// Whether it can be undone.
        reversible = reversible: Option<bool>,
        /// Whether the answer is the result: `sync`, `async` or `unknown`.
        execution or execution_text = execution: Option<Chosen>,
        /// Where an asynchronous result is asked for.
        poll_url = poll_url: Option<Place>,
        // Not later: it is nearly always asked for, and the capability would have to be read again for it.
        /// Authentication; None where the document says nothing about it, which means none.
        auth = auth: Option<Py<PyAny>>,
    }
    later CapabilityPath by read_again {
        /// Rate limits.
        rate_limits = rate_limits: Py<PyTuple>,
        /// Parameters.
        parameters = parameters: Py<PyTuple>,
        /// Results.
        outputs = outputs: Py<PyTuple>,
        /// What protects a repeated call.
        idempotency = idempotency: Option<Py<PyAny>>,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// Which paths agents may reach.
    Access {
        /// Patterns of paths that are allowed.
        allow = allow: Texts,
        /// Patterns of paths that are not.
        disallow = disallow: Texts,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// What holds for one agent.
    AgentPolicy {
        /// Its product token, or `*` for every agent without a policy of its own.
        name = name: Option<Place>,
        /// Rate limits.
        rate_limits = rate_limits: Py<PyTuple>,
        /// Capabilities it may use. None: all of them. An empty tuple: none of them.
        capabilities = capabilities: Option<Texts>,
        /// URL of the operator's own declaration.
        declaration = declaration: Option<Place>,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// What agents.md says in words.
    Permissions {
        /// What agents can do.
        can = can: Texts,
        /// What they cannot.
        cannot = cannot: Texts,
        /// How they should behave.
        behavior = behavior: Texts,
    }
}

view! {
    /// A suggested sequence of capabilities.
    Flow {
        /// Its name.
        name = name: Option<Place>,
        /// What it is for.
        description = description: Option<Place>,
        /// Capabilities in order.
        steps = steps: Texts,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// What must be done before something else.
    Dependency {
        /// The dependent capability.
        capability = capability: Place,
        /// What it requires.
        requires = requires: Texts,
    }
}

view! {
    /// A named type.
    Entity {
        /// Its name.
        name = name: Place,
        /// Its fields.
        fields = fields: Py<PyTuple>,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// What to do about an error.
    Recovery {
        /// The error's code.
        code = code: Place,
        /// What to do.
        recovery = recovery: Option<Place>,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// Whether the service works now.
    Status {
        /// Whether it does.
        operational = operational: Option<bool>,
        /// Capabilities that are impaired.
        degraded = degraded: Texts,
        /// Where to ask.
        url = url: Option<Place>,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// What the service costs.
    Pricing {
        /// The model: `free`, `freemium`, `paid` or `unknown`.
        r#type or type_text = kind: Option<Chosen>,
        /// The plans.
        plans = plans: Py<PyTuple>,
        /// Where the prices are.
        plans_url = plans_url: Option<Place>,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// A plan of a service.
    Plan {
        /// Its name.
        name = name: Option<Place>,
        /// Its price, as written.
        price = price: Option<Place>,
        /// What it includes, as written.
        limits = limits: Option<Place>,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// How sessions work.
    Session {
        /// Life of a session in seconds.
        ttl_seconds = ttl_seconds: Option<u32>,
        /// Where a session is opened.
        create = create: Option<Place>,
        /// Where it is closed.
        delete = delete: Option<Place>,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// Whether what agents do is recorded.
    Audit {
        /// Whether it is.
        enabled = enabled: Option<bool>,
        /// Where the record can be read.
        endpoint = endpoint: Option<Place>,
        /// Everything else, by name.
        metadata = metadata: Members,
    }
}

view! {
    /// A group of robots.txt rules.
    RobotsGroup {
        /// Product tokens it holds for.
        agents = agents: Texts,
        /// Its rules, in order.
        rules = rules: Py<PyTuple>,
        /// Seconds between requests, as written.
        crawl_delay = crawl_delay: Option<Place>,
    }
}

view! {
    /// A rule of robots.txt.
    RobotsRule {
        /// Whether it allows.
        allow = allow: bool,
        /// The pattern of paths.
        pattern = pattern: Place,
    }
}
