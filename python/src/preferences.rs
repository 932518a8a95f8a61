//! What a robots.txt says about the use of content: its statements, and the answer for a URL.

use std::borrow::Cow;

use agentsdisc_core::format::robots_txt;
use agentsdisc_core::manifest::Enumeration;
use agentsdisc_core::syntax::text::Text;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::base::string;
use crate::pickled::by_attributes;
use crate::secrets::masked;

/// Returns the names of the agents in the group of a statement; empty before the first group.
pub(crate) fn agents_of(
    py: Python<'_>,
    statement: &robots_txt::Preference<'_>,
) -> PyResult<Py<PyTuple>> {
    let agents = statement.group.into_iter().flat_map(|group| group.agents());
    let names: Vec<_> = agents.map(|agent| string(py, agent.name)).collect();
    Ok(PyTuple::new(py, names)?.unbind())
}

/// What a line of a robots.txt says about one purpose.
#[pyclass(frozen, module = "agentsdisc", get_all)]
pub(crate) struct Preference {
    /// The purpose: `train-ai`, `search`, `ai-input` or `unknown`.
    purpose: Cow<'static, str>,
    /// The purpose as written, such as `ai-train`.
    purpose_text: Py<PyString>,
    /// Whether that use is allowed: `allow`, `disallow` or `not-stated`.
    preference: Cow<'static, str>,
    /// That value as written.
    preference_text: Py<PyString>,
    /// The pattern of paths, as written; None for all paths.
    path: Option<Py<PyString>>,
    /// The names of the agents in the group, as written; empty before the first group, for every agent.
    agents: Py<PyTuple>,
    /// The field: `content-signal` or `content-usage`.
    source: Cow<'static, str>,
    /// The line, from 1.
    line: u32,
    /// Byte offsets of the start and the end of name and value.
    span: (u32, u32),
}

/// The attributes of a [`Preference`].
pub(crate) type PreferenceState = (
    String,
    Py<PyString>,
    String,
    Py<PyString>,
    Option<Py<PyString>>,
    Py<PyTuple>,
    String,
    u32,
    (u32, u32),
);

impl Preference {
    pub(crate) fn new(
        py: Python<'_>,
        statement: &robots_txt::Preference<'_>,
        agents: Py<PyTuple>,
    ) -> Self {
        let written = |text: Text<'_>| string(py, text).unbind();
        Self {
            purpose: statement.purpose.as_str().into(),
            purpose_text: written(statement.purpose.text.unwrap_or_default()),
            preference: statement.preference.as_str().into(),
            preference_text: written(statement.preference.text.unwrap_or_default()),
            path: (!statement.path.is_empty()).then(|| written(statement.path)),
            agents,
            source: statement.source.as_str().into(),
            line: statement.line,
            span: (statement.span.start, statement.span.end),
        }
    }

    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (
            &self.purpose,
            &self.purpose_text,
            &self.preference,
            &self.preference_text,
            self.path.as_ref(),
            &self.agents,
            &self.source,
            self.line,
            self.span,
        )
            .into_pyobject(py)
    }

    /// Creates the value from the attributes in a pickle.
    pub(crate) fn restored(state: PreferenceState) -> Self {
        let (purpose, purpose_text, preference, preference_text, path, agents, source, line, span) =
            state;
        Self {
            purpose: purpose.into(),
            purpose_text,
            preference: preference.into(),
            preference_text,
            path,
            agents,
            source: source.into(),
            line,
            span,
        }
    }
}

by_attributes! {
    Preference
    fn __repr__(&self, py: Python<'_>) -> String {
        let purpose = match &*self.purpose {
            "unknown" => self.purpose_text.bind(py).to_string_lossy(),
            known => known.into(),
        };
        masked(&format!(
            "<Preference line {}: {} {purpose}>",
            self.line, self.preference
        ), None)
    }
}

/// Whether the content at a URL may be used for a purpose.
#[pyclass(frozen, module = "agentsdisc", get_all)]
pub(crate) struct PreferenceAnswer {
    /// Whether the use is allowed: `allow`, `disallow` or `not-stated`.
    pub(crate) preference: Cow<'static, str>,
    /// The statement that decides; None if none does, or if the header decides.
    pub(crate) statement: Option<Py<Preference>>,
    /// Whether the agent may fetch the URL. If not, the robots.txt states nothing about it.
    pub(crate) crawlable: bool,
    /// Whether the Content-Usage header decides.
    pub(crate) by_header: bool,
}

impl PreferenceAnswer {
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (&self.preference, self.statement.as_ref(), self.crawlable, self.by_header)
            .into_pyobject(py)
    }

    /// Creates the value from the attributes in a pickle.
    pub(crate) fn restored(
        (preference, statement, crawlable, by_header): (String, Option<Py<Preference>>, bool, bool),
    ) -> Self {
        Self { preference: preference.into(), statement, crawlable, by_header }
    }
}

by_attributes! {
    PreferenceAnswer
    fn __repr__(&self) -> String {
        match &self.statement {
            Some(statement) => format!(
                "<PreferenceAnswer {}, line {}>",
                self.preference,
                statement.get().line
            ),
            None if self.by_header => format!("<PreferenceAnswer {}, header>", self.preference),
            None => format!("<PreferenceAnswer {}>", self.preference),
        }
    }
}
