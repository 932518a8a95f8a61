//! Decisions: passes requests to the core, and returns its decision as JSON. `agentsdisc._policy`
//! creates objects from that.

use agentsdisc_core::Document as CoreDocument;
use agentsdisc_core::format::robots_txt::RobotsTxt as CoreRobotsTxt;
use agentsdisc_core::policy::{
    Approved, Decision, HeaderError, Offers, Request, Robots, Workspace, decide,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::base::Shared;
use crate::document::Document;
use crate::input::unlocked;
use crate::robots::RobotsTxt;

/// A text of a request. Unpaired surrogates become a character that is in no URL and no name, so
/// that the decision never allows a text that a client sends differently.
struct Words(String);

impl<'a, 'py> FromPyObject<'a, 'py> for Words {
    type Error = PyErr;

    fn extract(value: pyo3::Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let text = value.cast::<PyString>()?;
        Ok(Self(match text.to_str() {
            Ok(text) => text.to_owned(),
            Err(_) => text.to_string_lossy().replace(char::REPLACEMENT_CHARACTER, "\0"),
        }))
    }
}

/// A request as `agentsdisc._policy` passes it: a tuple of all fields, in this order.
#[derive(FromPyObject)]
pub(crate) struct Question<'py>(
    Vec<PyRef<'py, Document>>,
    /// The agent.
    Words,
    /// The URL, or the capability.
    Option<Words>,
    Option<Words>,
    /// The method.
    Option<Words>,
    Option<PyRef<'py, RobotsTxt>>,
    /// The state of a robots.txt that was not read: `absent`, `unreachable`.
    Option<Words>,
    /// The origin.
    Option<Words>,
    /// Approved endpoints.
    Vec<Words>,
    /// The purpose, and the `Content-Usage` header.
    Option<Words>,
    Option<Words>,
);

/// The state of robots.txt.
enum Known {
    Rules(Shared),
    Not(Robots<'static>),
}

/// A request and its documents, independent of Python.
pub(crate) struct Asked {
    documents: Vec<Shared>,
    robots: Known,
    agent: String,
    target: String,
    is_capability: bool,
    method: Option<String>,
    origin: Option<String>,
    approved: Vec<String>,
    purpose: Option<String>,
    content_usage: Option<String>,
}

impl Asked {
    pub(crate) fn new(question: Question<'_>) -> PyResult<Self> {
        let Question(
            documents,
            agent,
            url,
            capability,
            method,
            robots,
            state,
            origin,
            approved,
            purpose,
            content_usage,
        ) = question;
        let (target, is_capability) = match (url, capability) {
            (Some(url), None) => (url.0, false),
            (None, Some(id)) => (id.0, true),
            _ => {
                return Err(PyValueError::new_err("give either url or capability"));
            }
        };
        let robots = match (robots, state.as_ref().map(|state| state.0.as_str())) {
            (_, Some(state)) if !matches!(state, "absent" | "unreachable") => {
                return Err(PyValueError::new_err(
                    "robots must be a RobotsTxt, \"absent\", \"unreachable\" or None",
                ));
            }
            (Some(robots), _) => Known::Rules(robots.base().clone()),
            (None, Some("unreachable")) => Known::Not(Robots::Unreachable),
            (None, Some(_)) => Known::Not(Robots::Absent),
            (None, None) => Known::Not(Robots::NotAsked),
        };
        let documents = documents.iter().map(|document| document.base().clone()).collect();
        let [method, origin, purpose, content_usage] =
            [method, origin, purpose, content_usage].map(|text| text.map(|text| text.0));
        if let Some(purpose) = &purpose {
            check_purpose(purpose.as_bytes())?;
        }
        let approved = approved.into_iter().map(|url| url.0).collect();
        Ok(Self {
            documents,
            robots,
            agent: agent.0,
            target,
            is_capability,
            method,
            origin,
            approved,
            purpose,
            content_usage,
        })
    }

    /// Decides, and calls a function with the decision; releases the GIL if the documents are
    /// large.
    pub(crate) fn answer<T: Send>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&Decision<'_>) -> T + Send,
    ) -> T {
        self.asking(py, |documents, robots, request| look(&decide(documents, robots, request)))
    }

    /// Calls a function with the documents, the robots.txt and the request; releases the GIL if the
    /// documents are large.
    fn asking<T: Send>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&[CoreDocument<'_>], Robots<'_>, &Request<'_>) -> T + Send,
    ) -> T {
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
            request.purpose = self.purpose.as_deref();
            request.content_usage = self.content_usage.as_deref();
            let robots = match &self.robots {
                Known::Rules(base) => {
                    Robots::Found(base.document().robots_txt().unwrap_or(CoreRobotsTxt::ALLOW_ALL))
                }
                Known::Not(robots) => *robots,
            };
            look(&documents, robots, &request)
        })
    }

    /// Memory for the prerequisites of any action.
    fn scratch(&self) -> Vec<u32> {
        // Four numbers suffice for each name in `dependencies`, which has at least three bytes.
        let awp = self.documents.iter().filter(|base| base.document().awp().is_some());
        vec![0; awp.map(|base| base.bytes.len() * 2).max().unwrap_or(0)]
    }
}

/// Returns all capabilities of documents, with the decision about each, as the core's JSON. The URL
/// of the question does not matter.
#[pyfunction]
#[pyo3(name = "_offers", signature = (question, /))]
pub(crate) fn offers_json<'py>(
    py: Python<'py>,
    question: Question<'py>,
) -> PyResult<Bound<'py, PyString>> {
    let asked = Asked::new(question)?;
    let text = asked.asking(py, |documents, robots, request| {
        let mut text = Vec::new();
        let count = documents.iter().map(|document| document.manifest().capabilities().count());
        let mut memory = vec![0; count.sum::<usize>() * Offers::SCRATCH];
        Offers::new(documents, robots, request, &mut memory).put_json(
            &mut Workspace::new(),
            &mut asked.scratch(),
            &mut |piece: &[u8]| text.extend_from_slice(piece),
        );
        text
    });
    PyString::from_bytes(py, &text)
}

/// Returns a decision as the core's JSON.
#[pyfunction]
#[pyo3(name = "_decide", signature = (question, /))]
pub(crate) fn decide_json<'py>(
    py: Python<'py>,
    question: Question<'py>,
) -> PyResult<Bound<'py, PyString>> {
    let asked = Asked::new(question)?;
    let text = asked.answer(py, |decision| {
        let mut text = Vec::new();
        decision.put_json(&mut asked.scratch(), &mut |piece: &[u8]| text.extend_from_slice(piece));
        text
    });
    PyString::from_bytes(py, &text)
}

/// Returns the name under which the requests of an agent are counted for its rate limits.
#[pyfunction]
#[pyo3(name = "_agent_name", signature = (agent, /))]
pub(crate) fn agent_name(agent: &str) -> &str {
    agentsdisc_core::policy::agent_name(agent)
}

/// Returns the header that carries a token, as `Name: value`; None if no authentication is needed.
#[pyfunction]
#[pyo3(name = "_auth_header", signature = (token, question, /))]
pub(crate) fn auth_header(
    py: Python<'_>,
    token: &str,
    question: Question<'_>,
) -> PyResult<Option<String>> {
    let made = Asked::new(question)?.answer(py, |decision| {
        let mut text = Vec::new();
        decision
            .put_auth_header(token, &mut |piece: &[u8]| text.extend_from_slice(piece))
            .map(|()| text)
    });
    match made {
        // A header consists of visible ASCII.
        Ok(text) => Ok(Some(String::from_utf8_lossy(&text).into_owned())),
        Err(HeaderError::NotNeeded) => Ok(None),
        Err(error) => Err(PyValueError::new_err(error.to_string())),
    }
}

/// Returns every reason of a decision: a list of (id, whether it allows, section of the
/// specification, message).
#[pyfunction]
pub(crate) fn reasons() -> Vec<(&'static str, bool, &'static str, &'static str)> {
    let row = |reason: &agentsdisc_core::policy::Reason| {
        (reason.as_str(), reason.is_allowed(), reason.section(), reason.message())
    };
    agentsdisc_core::policy::Reason::ALL.iter().map(row).collect()
}

/// Rejects a purpose without a name, which would be a question about nothing.
pub(crate) fn check_purpose(purpose: &[u8]) -> PyResult<()> {
    if purpose.trim_ascii().is_empty() {
        return Err(PyValueError::new_err(
            "purpose is empty; use train-ai, search, ai-input or another label",
        ));
    }
    Ok(())
}
