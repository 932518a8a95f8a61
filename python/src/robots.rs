//! `RobotsTxt`: decides which agents may fetch which URLs, and by which line.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::sync::Arc;

use agentsdisc_core::Document as CoreDocument;
use agentsdisc_core::format::robots_txt::{self, Binding, CompiledRule, Verdict};
use agentsdisc_core::manifest::Enumeration;
use agentsdisc_core::{Format, Hints, Limits as CoreLimits};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::base::{Base, Keep, Once, Shared, Show, string};
use crate::document::Document;
use crate::input::{self, Limits, unlocked};
use crate::pickled::by_attributes;
use crate::policy::check_purpose;
use crate::preferences::{Preference, PreferenceAnswer, agents_of};
use crate::secrets::masked;

/// A robots.txt (RFC 9309), in any encoding.
///
/// `data` is bytes (borrowed), bytearray, memoryview (copied) or str. Parsing never fails; only the
/// first `limits.robots` bytes are read.
#[pyclass(frozen, module = "agentsdisc", weakref)]
pub(crate) struct RobotsTxt {
    base: Shared,
    groups: Once<Py<PyTuple>>,
    sitemaps: Once<Py<PyAny>>,
    preferences: Once<Py<PyTuple>>,
}

/// An agent or a URL: text, or raw bytes as a server receives them.
fn octets<'a>(value: &'a Bound<'_, PyAny>, what: &str) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(text) = value.cast::<PyString>() {
        if let Ok(plain) = text.to_str() {
            return Ok(Cow::Borrowed(plain.as_bytes()));
        }
        // Unpaired surrogates: no pattern contains their replacement.
        return Ok(Cow::Owned(text.to_string_lossy().into_owned().into_bytes()));
    }
    match value.cast::<PyBytes>() {
        Ok(bytes) => Ok(Cow::Borrowed(bytes.as_bytes())),
        Err(_) => Err(PyTypeError::new_err(format!(
            "{what} must be str or bytes, not {}",
            value.get_type().fully_qualified_name()?
        ))),
    }
}

impl RobotsTxt {
    fn parse(py: Python<'_>, bytes: PyBackedBytes, limits: CoreLimits) -> PyResult<Self> {
        let outline = input::parse(py, &bytes, Some(Format::RobotsTxt), Hints::default(), limits)?;
        Ok(Self::new(Arc::new(Base::new(bytes, outline, limits))))
    }

    const fn new(base: Shared) -> Self {
        Self { base, groups: Once::new(), sitemaps: Once::new(), preferences: Once::new() }
    }

    pub(crate) const fn base(&self) -> &Shared {
        &self.base
    }

    /// Calls the core; releases the GIL if the document is large.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(robots_txt::RobotsTxt<'_>) -> T + Send,
    ) -> T {
        let base = &self.base;
        unlocked(py, base.bytes.len(), || {
            let robots = base.document().robots_txt();
            question(robots.unwrap_or(robots_txt::RobotsTxt::ALLOW_ALL))
        })
    }
}

#[pymethods]
impl RobotsTxt {
    #[new]
    #[pyo3(signature = (data, *, limits=None))]
    fn read(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Self> {
        Self::parse(py, input::document_bytes(data)?, Limits::core(limits.map(Bound::get)))
    }

    /// Returns the rules of a document of the format `robots-txt`.
    #[staticmethod]
    #[pyo3(signature = (document, /))]
    fn of(document: &Bound<'_, Document>) -> PyResult<Self> {
        let base = document.get().base();
        match base.outline.format() {
            Format::RobotsTxt => Ok(Self::new(base.clone())),
            other => Err(PyValueError::new_err(format!(
                "the document has the format {}, not robots-txt",
                other.id()
            ))),
        }
    }

    /// Whether `agent` may fetch `url`: `decide(…).allowed`.
    fn allowed(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let (agent, url) = (octets(agent, "agent")?, octets(url, "url")?);
        Ok(self.ask(py, |robots| robots.allowed(&agent, &url)))
    }

    /// Decides whether `agent` may fetch `url`.
    ///
    /// `agent` is a name or a User-Agent; `url` is a URL, of which
    /// only path and query matter, or a path. All groups that name the agent apply; those for `*`
    /// apply only if no group names it. The longest matching pattern decides; Allow wins a tie.
    fn decide(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
    ) -> PyResult<RobotsDecision> {
        let (agent, url) = (octets(agent, "agent")?, octets(url, "url")?);
        let base = &self.base;
        let verdict: Verdict<'_> = unlocked(py, base.bytes.len(), || {
            let robots = base.document().robots_txt().unwrap_or(robots_txt::RobotsTxt::ALLOW_ALL);
            robots.decide(&agent, &url)
        });
        RobotsDecision::of(py, &verdict)
    }

    /// Reads the rules for `agent`, a name or a User-Agent, for decisions about many URLs: each then takes
    /// a fraction of the time.
    fn compile(slf: &Bound<'_, Self>, agent: &Bound<'_, PyAny>) -> PyResult<CompiledRobots> {
        let agent = octets(agent, "agent")?.into_owned();
        let rules = slf.get().ask(slf.py(), |robots| {
            let mut rules = Vec::new();
            // Twice: first, the buffer is empty.
            while let Err(needed) = robots.compile(&agent, &mut rules) {
                if needed == NonZeroUsize::MAX {
                    return None;
                }
                rules = vec![CompiledRule::default(); needed.get()];
            }
            Some(rules)
        });
        let rules =
            rules.ok_or_else(|| PyValueError::new_err("the robots.txt has 1 GiB or more"))?;
        Ok(CompiledRobots { robots: slf.clone().unbind(), agent, rules })
    }

    /// Returns the seconds to wait between two requests of `agent`, from the Crawl-delay that
    /// applies; None if it is absent or not a number.
    fn crawl_delay(&self, py: Python<'_>, agent: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        let agent = octets(agent, "agent")?;
        let delay = self
            .ask(py, |robots| robots.crawl_delay(&agent).and_then(|delay| delay.milliseconds()));
        Ok(delay.map(|milliseconds| milliseconds as f64 / 1000.0))
    }

    /// Returns whether the content at `url` may be used for `purpose`, by the Content-Usage and
    /// Content-Signal lines for `agent`.
    ///
    /// `agent` and `url` are those of `decide`. `purpose` is `train-ai`, `search` or `ai-input`, a
    /// name in another vocabulary (`ai-train`), or another label as written. `content_usage` is the
    /// Content-Usage header of the answer; the stricter one of header and robots.txt counts.
    #[pyo3(signature = (agent, url, purpose, *, content_usage=None))]
    fn preference(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        purpose: &Bound<'_, PyAny>,
        content_usage: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PreferenceAnswer> {
        let (agent, url) = (octets(agent, "agent")?, octets(url, "url")?);
        let purpose = octets(purpose, "purpose")?;
        check_purpose(&purpose)?;
        let header = content_usage.map(|header| octets(header, "content_usage"));
        let header = header.transpose()?.unwrap_or_default();
        let base = &self.base;
        let (preferred, by_header) = unlocked(py, base.bytes.len(), || {
            let robots = base.document().robots_txt().unwrap_or(robots_txt::RobotsTxt::ALLOW_ALL);
            robots.preference_with(&agent, &url, &purpose, &header)
        });
        let statement = preferred.statement.map(|statement| {
            Py::new(py, Preference::new(py, &statement, agents_of(py, &statement)?))
        });
        Ok(PreferenceAnswer {
            preference: preferred.stance.as_str().into(),
            statement: statement.transpose()?,
            crawlable: preferred.crawlable,
            by_header,
        })
    }

    /// What the content may be used for: one item for each purpose of a Content-Usage or
    /// Content-Signal line, in the order of the document.
    #[getter]
    fn preferences(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let list = || {
            let document = self.base.document();
            let robots = document.robots_txt().unwrap_or(robots_txt::RobotsTxt::ALLOW_ALL);
            // All statements of a group share the tuple with the names of its agents.
            let mut last: Option<(u32, Py<PyTuple>)> = None;
            let items = robots.preferences().map(|item| {
                let line = item.group.map_or(0, |group| group.line());
                let agents = match &last {
                    Some((own, agents)) if *own == line => agents.clone_ref(py),
                    _ => agents_of(py, &item)?,
                };
                last = Some((line, agents.clone_ref(py)));
                Py::new(py, Preference::new(py, &item, agents))
            });
            let items = items.collect::<PyResult<Vec<_>>>()?;
            Ok(PyTuple::new(py, items)?.unbind())
        };
        Ok(self.preferences.get_or_make(list)?.clone_ref(py))
    }

    /// URLs of AI catalogs (Agentmap), as written.
    #[getter]
    fn agentmaps(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.base.document().manifest().agentmaps().keep(py, &self.base)?.show(py, &self.base)
    }

    /// URLs of licences (License), as written.
    #[getter]
    fn licenses(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.base.document().manifest().licenses().keep(py, &self.base)?.show(py, &self.base)
    }

    /// Other fields, in the order of the document.
    #[getter]
    fn fields(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        self.base.document().manifest().robots_fields().keep(py, &self.base)
    }

    /// The groups, in the order of the document.
    #[getter]
    fn groups(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let groups = self
            .groups
            .get_or_make(|| self.base.document().manifest().robots().keep(py, &self.base))?;
        Ok(groups.clone_ref(py))
    }

    /// URLs of sitemaps, as written.
    #[getter]
    fn sitemaps(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let list = || {
            self.base.document().manifest().sitemaps().keep(py, &self.base)?.show(py, &self.base)
        };
        Ok(self.sitemaps.get_or_make(list)?.clone_ref(py))
    }

    /// Whether the document is longer than the part that is read.
    #[getter]
    fn is_cut(&self) -> bool {
        self.base.document().robots_txt().is_some_and(|robots| robots.is_cut())
    }

    /// The bytes of the document, as passed to the constructor.
    #[getter]
    fn bytes(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.base.bytes.clone_ref(py).into_pyobject(py)?.into_any().unbind())
    }

    fn __repr__(&self) -> String {
        let document = self.base.document();
        let (groups, sitemaps) =
            (document.manifest().robots().count(), document.manifest().sitemaps().count());
        format!(
            "<RobotsTxt groups: {groups}, sitemaps: {sitemaps}, bytes: {}>",
            self.base.bytes.len()
        )
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let Ok(other) = other.cast::<Self>() else {
            return Ok(py.NotImplemented());
        };
        let other = &other.get().base;
        (*self.base.bytes == *other.bytes && self.base.outline == other.outline).into_py_any(py)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.bytes(py)?.bind(py).hash()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let CoreLimits { document, depth, line, robots } = self.base.limits;
        let state = (self.bytes(py)?, (document, depth, line, robots)).into_pyobject(py)?;
        Ok((py.import("agentsdisc._agentsdisc")?.getattr("_robots")?, state))
    }
}

/// Creates the robots.txt from a pickle.
#[pyfunction]
#[pyo3(name = "_robots")]
pub(crate) fn restore_robots(
    py: Python<'_>,
    data: &Bound<'_, PyBytes>,
    limits: (usize, usize, usize, usize),
) -> PyResult<RobotsTxt> {
    let (document, depth, line, robots) = limits;
    RobotsTxt::parse(py, data.clone().into(), CoreLimits { document, depth, line, robots })
}

/// The rules of a robots.txt for one agent, made by `RobotsTxt.compile`.
#[pyclass(frozen, module = "agentsdisc", weakref)]
pub(crate) struct CompiledRobots {
    robots: Py<RobotsTxt>,
    agent: Vec<u8>,
    rules: Vec<CompiledRule>,
}

impl CompiledRobots {
    /// The GIL is kept: a decision takes less time than to release it.
    fn verdict<'d>(&self, document: &'d CoreDocument<'_>, url: &[u8]) -> Verdict<'d> {
        let robots = document.robots_txt().unwrap_or(robots_txt::RobotsTxt::ALLOW_ALL);
        robots.with_compiled(&self.rules).decide(url)
    }
}

#[pymethods]
impl CompiledRobots {
    /// Whether the agent may fetch `url`: `decide(…).allowed`.
    fn allowed(&self, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        let document = self.robots.get().base.document();
        Ok(self.verdict(&document, &octets(url, "url")?).allowed)
    }

    /// Decides whether the agent may fetch `url`, as `RobotsTxt.decide`.
    fn decide(&self, py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<RobotsDecision> {
        let document = self.robots.get().base.document();
        RobotsDecision::of(py, &self.verdict(&document, &octets(url, "url")?))
    }

    fn __repr__(&self) -> String {
        format!("<CompiledRobots for {}>", masked(&String::from_utf8_lossy(&self.agent), None))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<PyBytes>,))> {
        let agent = PyBytes::new(py, &self.agent).unbind();
        Ok((self.robots.bind(py).getattr("compile")?, (agent,)))
    }
}

/// The decision whether an agent may fetch a URL.
#[pyclass(frozen, module = "agentsdisc", get_all)]
pub(crate) struct RobotsDecision {
    /// Whether the agent may fetch it.
    allowed: bool,
    /// The reason: `rule`, `no-rule` (no rule of the agent's groups matches), `no-group` (no group
    /// applies to the agent) or `robots-file` (always allowed).
    reason: Cow<'static, str>,
    /// The rule that decided; None unless the reason is `rule`.
    rule: Option<Py<DecidingRule>>,
    /// The groups that apply to the agent: `named` or `any` (`*`); None if no group applies.
    binding: Option<Cow<'static, str>>,
}

by_attributes! {
    RobotsDecision
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let allowed = if self.allowed {
            "allowed"
        } else {
            "not allowed"
        };
        match &self.rule {
            Some(rule) => Ok(format!(
                "<RobotsDecision {allowed}, {}>",
                rule.get().said(py)?
            )),
            None => Ok(format!("<RobotsDecision {allowed}, {}>", self.reason)),
        }
    }
}

impl RobotsDecision {
    fn of(py: Python<'_>, verdict: &Verdict<'_>) -> PyResult<Self> {
        let rule = verdict.rule.map(|rule| {
            let pattern = string(py, rule.pattern).unbind();
            Py::new(
                py,
                DecidingRule {
                    allow: rule.allow,
                    pattern,
                    line: rule.line,
                    span: (rule.span.start, rule.span.end),
                },
            )
        });
        let binding = match verdict.binding {
            Binding::None => None,
            Binding::Any => Some("any".into()),
            Binding::Named => Some("named".into()),
        };
        Ok(Self {
            allowed: verdict.allowed,
            reason: verdict.reason.as_str().into(),
            rule: rule.transpose()?,
            binding,
        })
    }

    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.allowed, &self.reason, self.rule.as_ref(), &self.binding).into_pyobject(py)
    }

    /// Creates the value from the attributes in a pickle.
    pub(crate) fn restored(
        (allowed, reason, rule, binding): (bool, String, Option<Py<DecidingRule>>, Option<String>),
    ) -> Self {
        Self { allowed, reason: reason.into(), rule, binding: binding.map(Cow::Owned) }
    }
}

/// The rule of a robots.txt that decides.
#[pyclass(frozen, module = "agentsdisc", get_all)]
pub(crate) struct DecidingRule {
    /// Whether the rule allows.
    allow: bool,
    /// The pattern of paths, as written.
    pattern: Py<PyString>,
    /// Its line, from 1.
    line: u32,
    /// Byte offsets of the start and the end of the pattern.
    span: (u32, u32),
}

impl DecidingRule {
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.allow, &self.pattern, self.line, self.span).into_pyobject(py)
    }

    /// Creates the value from the attributes in a pickle.
    pub(crate) fn restored(
        (allow, pattern, line, span): (bool, Py<PyString>, u32, (u32, u32)),
    ) -> Self {
        Self { allow, pattern, line, span }
    }

    fn said(&self, py: Python<'_>) -> PyResult<String> {
        let field = if self.allow { "Allow" } else { "Disallow" };
        Ok(masked(
            &format!("line {}: {field}: {}", self.line, self.pattern.bind(py).to_string_lossy()),
            None,
        ))
    }
}

by_attributes! {
    DecidingRule
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<DecidingRule {}>", self.said(py)?))
    }
}
