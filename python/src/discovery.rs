//! `_Discovery`: the core's state machine of discovery, for the client in `agentsdisc.discovery`.
//! The core makes all decisions.

use std::sync::{Mutex, MutexGuard, PoisonError};

use agentsdisc_core::Limits as CoreLimits;
use agentsdisc_core::discovery::{
    Answer, AskError, Attempt, Declared, Discovery as Core, Failure, Follow, Freshness, Header,
    Options, Rejection, RequestId, Resource, Resources, Response, RobotsRules, State, Stored,
    USER_AGENT, licenses,
};
use agentsdisc_core::format::robots_txt::RobotsTxt;
use agentsdisc_core::syntax::text::Text;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::document::Document;
use crate::input::Limits;

/// `received_at`, `lifetime`, `fresh_until`, `ask_again_at`, `may_store`.
type FreshnessTuple = (u64, u32, u64, u64, bool);
/// `url`, `rejection`, `body`, `freshness`, `etag`, `last_modified`, `link`.
type StoredTuple = (
    PyBackedStr,
    Option<PyBackedStr>,
    Option<PyBackedBytes>,
    FreshnessTuple,
    PyBackedBytes,
    PyBackedBytes,
    PyBackedBytes,
);
/// `state`, `rejection`, `format`, `freshness`, `etag`, `last_modified`.
type AnswerTuple<'py> = (
    &'static str,
    Option<&'static str>,
    Option<&'static str>,
    FreshnessTuple,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
);

/// Returns the licences to which a home page links, in the `Link` header or in its head: absolute URLs,
/// each once.
#[pyfunction]
#[pyo3(name = "_licenses", signature = (url, link, page, /))]
pub(crate) fn page_licenses(url: &str, link: &[u8], page: &[u8]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    licenses(url, &[Header { name: b"link", value: link }], page, &mut |url| {
        if !found.iter().any(|known| known == url) {
            found.push(url.to_owned());
        }
    });
    found
}

fn to_tuple(freshness: &Freshness) -> FreshnessTuple {
    let Freshness { received_at, lifetime, fresh_until, ask_again_at, may_store } = *freshness;
    (received_at, lifetime, fresh_until, ask_again_at, may_store)
}

fn borrowed(
    (url, rejection, body, freshness, etag, last_modified, link): &StoredTuple,
) -> Stored<'_> {
    let (received_at, lifetime, fresh_until, ask_again_at, may_store) = *freshness;
    Stored {
        url,
        // A newer version may have stored a code that this version does not know. It counts as a
        // failure.
        rejection: rejection
            .as_ref()
            .map(|code| Rejection::from_code(code).unwrap_or(Rejection::UnexpectedStatus)),
        body: body.as_deref(),
        freshness: Freshness { received_at, lifetime, fresh_until, ask_again_at, may_store },
        etag,
        last_modified,
        link,
    }
}

fn state(state: State) -> (&'static str, Option<&'static str>) {
    match state {
        State::Waiting => ("waiting", None),
        State::Open => ("open", None),
        State::Found => ("found", None),
        State::Rejected(rejection) => ("rejected", Some(rejection.as_str())),
    }
}

fn answer<'py>(py: Python<'py>, answer: &Answer<'_>) -> AnswerTuple<'py> {
    let (state, rejection) = state(answer.state);
    let format = answer.document.map(|document| document.format().id());
    let bytes = |value| PyBytes::new(py, value);
    (
        state,
        rejection,
        format,
        to_tuple(&answer.freshness),
        bytes(answer.etag),
        bytes(answer.last_modified),
    )
}

fn failure(name: &str) -> PyResult<Failure> {
    Ok(match name {
        "timeout" => Failure::Timeout,
        "too-large" => Failure::TooLarge,
        "encoding" => Failure::Encoding,
        "refused" => Failure::Refused,
        "unreachable" => Failure::Unreachable,
        "not-connected" => Failure::NotConnected,
        "disallowed" => Failure::Disallowed,
        _ => {
            return Err(PyValueError::new_err(format!("{name:?} is not a kind of failure")));
        }
    })
}

fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the next requests to a site, and takes the responses.
#[pyclass(frozen, module = "agentsdisc", name = "_Discovery")]
pub(crate) struct Discovery {
    core: Mutex<Core>,
}

impl Discovery {
    fn core(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn asked(result: Result<(), AskError>) -> Option<&'static str> {
        match result {
            Ok(()) => None,
            Err(AskError::Busy) => Some("busy"),
            Err(AskError::Rejected(rejection)) => Some(rejection.as_str()),
        }
    }
}

#[pymethods]
impl Discovery {
    #[new]
    #[pyo3(signature = (site, *, resources=None, follow=None, limits=None))]
    fn new(
        site: &str,
        resources: Option<Vec<PyBackedStr>>,
        follow: Option<&str>,
        limits: Option<&Bound<'_, Limits>>,
    ) -> PyResult<Self> {
        let named = follow.unwrap_or(Follow::Nothing.as_str());
        let follow = Follow::ALL.iter().find(|choice| choice.as_str() == named);
        let follow = *follow.ok_or_else(|| {
            PyValueError::new_err(format!(
                "follow is \"same-site\", \"any\" or None, not {named:?}"
            ))
        })?;
        let wanted = resources.map_or(Ok(Resources::DEFAULT), |names| {
            names.iter().try_fold(Resources::NONE, |set, name| match Resource::from_id(name) {
                _ if **name == *"all" => Ok(Resources::ALL),
                Some(resource) => Ok(set.with(resource)),
                None => Err(PyValueError::new_err(format!(
                    "{:?} is not a resource of discovery",
                    &**name
                ))),
            })
        })?;
        let limits: CoreLimits = Limits::core(limits.map(Bound::get));
        let core = Core::new(site, &Options { resources: wanted, limits, shared: false, follow })
            .map_err(refused)?;
        Ok(Self { core: Mutex::new(core) })
    }

    /// The default User-Agent.
    #[classattr]
    const USER_AGENT: &'static str = USER_AGENT;

    /// Scheme, host and port of the site.
    #[getter]
    fn origin(&self) -> String {
        self.core().origin().as_str().to_owned()
    }

    /// Whether every attempt has ended.
    #[getter]
    fn is_done(&self) -> bool {
        self.core().is_done()
    }

    /// Returns the next request: (id, resource, url, key, limit, cuts, heeds_robots).
    #[allow(clippy::type_complexity)]
    fn next(&self) -> Option<(u16, &'static str, String, String, usize, bool, bool)> {
        let mut core = self.core();
        let id = core.next_request()?;
        let request = core.request(id)?;
        Some((
            id.0,
            request.resource.as_str(),
            request.url.to_owned(),
            request.key.to_owned(),
            request.limit,
            request.cuts,
            request.heeds_robots,
        ))
    }

    /// Returns the headers of an open request.
    fn headers<'py>(
        &self,
        py: Python<'py>,
        id: u16,
        user_agent: &str,
        stored: Option<StoredTuple>,
    ) -> Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let core = self.core();
        let stored = stored.as_ref().map(borrowed);
        let Some(request) = core.request(RequestId(id)) else {
            return Vec::new();
        };
        let headers = request.headers(user_agent, stored.as_ref());
        headers
            .map(|header| (PyBytes::new(py, header.name), PyBytes::new(py, header.value)))
            .collect()
    }

    /// Answers a request from the store; returns None if it must be sent.
    fn recall<'py>(
        &self,
        py: Python<'py>,
        id: u16,
        stored: StoredTuple,
        now: u64,
    ) -> PyResult<Option<AnswerTuple<'py>>> {
        let given = self.core().recall(RequestId(id), &borrowed(&stored), now).map_err(refused)?;
        Ok(given.map(|given| answer(py, &given)))
    }

    /// Takes a response from the network.
    #[pyo3(signature = (id, status, headers, body, now, stored=None))]
    #[allow(clippy::too_many_arguments)]
    fn respond<'py>(
        &self,
        py: Python<'py>,
        id: u16,
        status: u16,
        headers: Vec<(PyBackedBytes, PyBackedBytes)>,
        body: PyBackedBytes,
        now: u64,
        stored: Option<StoredTuple>,
    ) -> PyResult<AnswerTuple<'py>> {
        let stored = stored.as_ref().map(borrowed);
        let headers: Vec<Header<'_>> =
            headers.iter().map(|(name, value)| Header { name, value }).collect();
        let response = Response {
            status,
            headers: &headers,
            body: &body,
            final_url: None,
            stored: stored.as_ref(),
            now,
        };
        let given = self.core().respond(RequestId(id), &response).map_err(refused)?;
        Ok(answer(py, &given))
    }

    /// Takes a failure without a response: `timeout`, `too-large`, `encoding`, `refused`,
    /// `unreachable`, `not-connected` or `disallowed`.
    fn fail<'py>(
        &self,
        py: Python<'py>,
        id: u16,
        why: &str,
        now: u64,
    ) -> PyResult<AnswerTuple<'py>> {
        let given = self.core().fail(RequestId(id), failure(why)?, now).map_err(refused)?;
        Ok(answer(py, &given))
    }

    /// Adds a request for a detail that a manifest names. Returns None, or why there is none: the
    /// code of a rejection, or `busy`.
    fn ask_detail(
        &self,
        manifest: &Bound<'_, Document>,
        detail_url: &str,
        approved: bool,
    ) -> Option<&'static str> {
        let document = manifest.get().base().document();
        let Some(view) = document.adp() else {
            return Some(Rejection::InvalidUrl.as_str());
        };
        Self::asked(self.core().ask_detail(&view, Text::plain(detail_url.as_bytes()), approved))
    }

    /// Adds a request for the declaration of an operator. Returns None, or why there is none: the
    /// code of a rejection, or `busy`.
    fn ask_declaration(&self, url: &str) -> Option<&'static str> {
        Self::asked(self.core().ask_declaration(Text::plain(url.as_bytes())))
    }

    /// Compares a declaration with this site: `named`, `not-named` or `not-an-agent`.
    fn declared(&self, declaration: &Bound<'_, Document>) -> &'static str {
        Declared::of(&declaration.get().base().document().manifest(), self.core().origin()).as_str()
    }

    /// Returns the attempt of an open request, as in `attempts`.
    fn attempt<'py>(&self, py: Python<'py>, id: u16) -> PyResult<Option<Bound<'py, PyDict>>> {
        let core = self.core();
        core.attempt(RequestId(id)).map(|attempt| to_dict(py, &core, attempt)).transpose()
    }

    /// Returns every attempt, in order.
    fn attempts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let core = self.core();
        let list = core
            .attempts()
            .map(|attempt| to_dict(py, &core, attempt))
            .collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, list)
    }

    /// Returns the documents about the site as (resource, key), in order of precedence.
    fn documents(&self) -> Vec<(&'static str, String)> {
        self.core()
            .documents()
            .map(|attempt| (attempt.resource().as_str(), attempt.key().to_owned()))
            .collect()
    }

    /// Returns the kind of the rules of robots.txt that apply, and a robots.txt with equal rules if
    /// there is no document.
    #[getter]
    fn robots<'py>(&self, py: Python<'py>) -> (&'static str, Option<Bound<'py, PyBytes>>) {
        let rules = self.core().robots();
        let text = match rules {
            RobotsRules::AllowAll => Some(RobotsTxt::ALLOW_ALL),
            RobotsRules::DisallowAll => Some(RobotsTxt::DISALLOW_ALL),
            RobotsRules::Unknown | RobotsRules::Document => None,
        };
        (rules.as_str(), text.map(|text| PyBytes::new(py, text.bytes())))
    }

    /// Whether the documents point to more documents than discovery follows.
    #[getter]
    fn trail_is_cut(&self) -> bool {
        self.core().is_trail_cut()
    }

    /// Returns when the first response may be requested again.
    #[getter]
    fn ask_again_at(&self) -> Option<u64> {
        self.core().ask_again_at()
    }
}

fn to_dict<'py>(py: Python<'py>, core: &Core, attempt: &Attempt) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let (_, rejection) = state(attempt.state());
    dict.set_item("resource", attempt.resource().as_str())?;
    dict.set_item("key", attempt.key())?;
    dict.set_item("url", attempt.url())?;
    dict.set_item("rejection", rejection)?;
    dict.set_item("message", attempt.rejection().map(Rejection::message))?;
    dict.set_item("status", Some(attempt.status()).filter(|status| *status > 0))?;
    dict.set_item("redirects", attempt.redirects())?;
    dict.set_item("moved", attempt.moved().as_str())?;
    dict.set_item("source", attempt.source().as_str())?;
    dict.set_item("format", attempt.format().id())?;
    dict.set_item("synthetic", attempt.is_synthetic())?;
    // Without line and column: the body that the offsets refer to is not available here.
    dict.set_item("error", attempt.error().map(|error| error.to_string()))?;
    dict.set_item("freshness", to_tuple(attempt.freshness()))?;
    dict.set_item("own", core.is_own(attempt))?;
    // (source, pointing, relation, span)
    let pointer = core.pointer(attempt).map(|pointer| {
        let span = pointer.span.map(|span| (span.start, span.end));
        let source = pointer.source.url();
        (source, pointer.pointing.as_str(), pointer.relation, span)
    });
    dict.set_item("pointer", pointer)?;
    Ok(dict)
}
