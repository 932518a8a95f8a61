//! Decisions: the questions go to the core, and what it answers comes back as its JSON. `agentsdisc._policy` makes objects of that.

use agentsdisc_core::format::robots_txt::RobotsTxt as CoreRobotsTxt;
use agentsdisc_core::policy::{Approved, Decision, HeaderError, Request, Robots, decide};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::base::Shared;
use crate::document::Document;
use crate::input::unlocked;
use crate::robots::RobotsTxt;

/// A request and what it is decided over, kept apart from Python.
struct Asked {
    documents: Vec<Shared>,
    robots: Option<Shared>,
    is_reachable: bool,
    agent: String,
    target: String,
    is_capability: bool,
    method: Option<String>,
    origin: Option<String>,
    approved: Vec<String>,
}

impl Asked {
    /// Decides, and has a look at the decision; other threads run meanwhile if the documents are large.
    fn answer<T: Send>(&self, py: Python<'_>, absent: bool, look: impl FnOnce(&Decision<'_>) -> T + Send) -> T {
        let bytes = self.documents.iter().map(|base| base.bytes.len()).sum();
        unlocked(py, bytes, || {
            let documents: Vec<_> = self.documents.iter().map(|base| base.document()).collect();
            let approved: Vec<&str> = self.approved.iter().map(String::as_str).collect();
            let mut request = match self.is_capability {
                true => Request::capability(&self.agent, &self.target),
                false => Request::url(&self.agent, &self.target),
            };
            request.method = self.method.as_deref();
            request.origin = self.origin.as_deref();
            request.approved = Approved::List(&approved);
            let robots = match &self.robots {
                Some(base) => Robots::Found(base.document().robots_txt().unwrap_or(CoreRobotsTxt::ALLOW_ALL)),
                None if !self.is_reachable => Robots::Unreachable,
                None if absent => Robots::Absent,
                None => Robots::NotAsked,
            };
            look(&decide(&documents[..], robots, &request))
        })
    }
}

/// Reads the arguments that every question has.
#[allow(clippy::too_many_arguments)]
fn asked(
    documents: Vec<PyRef<'_, Document>>,
    agent: String,
    url: Option<String>,
    capability: Option<String>,
    method: Option<String>,
    robots: Option<PyRef<'_, RobotsTxt>>,
    state: Option<&str>,
    origin: Option<String>,
    approved: Vec<String>,
) -> PyResult<Asked> {
    let (target, is_capability) = match (url, capability) {
        (Some(url), None) => (url, false),
        (None, Some(id)) => (id, true),
        _ => return Err(PyValueError::new_err("ask either for a url or for a capability")),
    };
    if !matches!(state, None | Some("absent" | "unreachable")) {
        return Err(PyValueError::new_err("robots must be a RobotsTxt, \"absent\", \"unreachable\" or None"));
    }
    Ok(Asked {
        documents: documents.iter().map(|document| document.base().clone()).collect(),
        robots: robots.map(|robots| robots.base().clone()),
        is_reachable: state != Some("unreachable"),
        agent,
        target,
        is_capability,
        method,
        origin,
        approved,
    })
}

/// A decision as the core's JSON.
#[pyfunction]
#[pyo3(name = "_decide", signature = (documents, agent, url, capability, method, robots, state, origin, approved, /))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn decide_json<'py>(
    py: Python<'py>,
    documents: Vec<PyRef<'py, Document>>,
    agent: String,
    url: Option<String>,
    capability: Option<String>,
    method: Option<String>,
    robots: Option<PyRef<'py, RobotsTxt>>,
    state: Option<&str>,
    origin: Option<String>,
    approved: Vec<String>,
) -> PyResult<Bound<'py, PyString>> {
    let asked = asked(documents, agent, url, capability, method, robots, state, origin, approved)?;
    let text = asked.answer(py, state == Some("absent"), |decision| {
        // Four numbers are enough for each name in `dependencies`, which has three bytes at least.
        let awp = asked.documents.iter().filter(|base| base.document().awp().is_some());
        let mut scratch = vec![0; awp.map(|base| base.bytes.len() * 2).max().unwrap_or(0)];
        let mut text = Vec::new();
        decision.put_json(&mut scratch, &mut |piece: &[u8]| text.extend_from_slice(piece));
        text
    });
    PyString::from_bytes(py, &text)
}

/// The header that carries a token, as `Name: value`; None where no authentication is needed.
#[pyfunction]
#[pyo3(name = "_auth_header", signature = (token, documents, agent, url, capability, method, robots, state, origin, approved, /))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn auth_header<'py>(
    py: Python<'py>,
    token: &str,
    documents: Vec<PyRef<'py, Document>>,
    agent: String,
    url: Option<String>,
    capability: Option<String>,
    method: Option<String>,
    robots: Option<PyRef<'py, RobotsTxt>>,
    state: Option<&str>,
    origin: Option<String>,
    approved: Vec<String>,
) -> PyResult<Option<String>> {
    let asked = asked(documents, agent, url, capability, method, robots, state, origin, approved)?;
    let made = asked.answer(py, state == Some("absent"), |decision| {
        let mut text = Vec::new();
        decision.put_auth_header(token, &mut |piece: &[u8]| text.extend_from_slice(piece)).map(|()| text)
    });
    match made {
        // A header is of visible ASCII.
        Ok(text) => Ok(Some(String::from_utf8_lossy(&text).into_owned())),
        Err(HeaderError::NotNeeded) => Ok(None),
        Err(error) => Err(PyValueError::new_err(error.to_string())),
    }
}

/// Every reason of a decision: a list of (id, whether it allows, section of the specification, message).
#[pyfunction]
pub(crate) fn reasons() -> Vec<(&'static str, bool, &'static str, &'static str)> {
    let row = |reason: &agentsdisc_core::policy::Reason| (reason.as_str(), reason.is_allowed(), reason.section(), reason.message());
    agentsdisc_core::policy::Reason::ALL.iter().map(row).collect()
}
