//! Calls: passes arguments and answers to the core, and returns its plans as JSON.
//! `agentsdisc.calls` creates objects from the JSON, and sends the requests.

use std::sync::{Mutex, PoisonError};

use agentsdisc_core::call::{Answer, Call, Done, Header, Options, Problem};
use agentsdisc_core::policy::Confirmation;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::policy::{Asked, Question};

/// The options of a plan as `agentsdisc.calls` passes them: a tuple of all fields, in this order.
#[derive(FromPyObject)]
pub(crate) struct Settings(
    /// Whether the caller has a credential, and whether a session is open.
    bool,
    bool,
    /// Whether a person has confirmed the call.
    bool,
    /// The answers of actions that ran before: id and body.
    Vec<(String, Vec<u8>)>,
    /// The idempotency key, and the operation.
    Option<String>,
    Option<String>,
    /// Whether undeclared arguments may be sent, and whether strings are read as the declared type.
    bool,
    bool,
);

/// The progress of one call.
#[pyclass(frozen, name = "_Call", module = "agentsdisc._agentsdisc")]
pub(crate) struct Progress(Mutex<Call>);

#[pymethods]
impl Progress {
    #[new]
    fn new() -> Self {
        Self(Mutex::new(Call::new()))
    }

    /// Returns the next step, or why there is none, as the core's JSON.
    #[pyo3(signature = (question, arguments, settings, /))]
    fn plan<'py>(
        &self,
        py: Python<'py>,
        question: Question<'py>,
        arguments: &[u8],
        settings: Settings,
    ) -> PyResult<Bound<'py, PyString>> {
        let Settings(credential, session, confirmed, done, key, operation, undeclared, from_text) =
            settings;
        let done: Vec<Done<'_>> = done.iter().map(|(action, body)| Done { action, body }).collect();
        let mut options = Options::default();
        options.has_credential = credential;
        options.has_session = session;
        if confirmed {
            options.confirmed = Confirmation::Must;
        }
        options.done = &done;
        options.idempotency_key = key.as_deref();
        options.operation = operation.as_deref();
        options.undeclared = undeclared;
        options.from_text = from_text;
        let text = Asked::new(question)?.answer(py, |decision| {
            let mut text = Vec::new();
            let mut put = |piece: &[u8]| text.extend_from_slice(piece);
            self.with_buffer(|call, buffer| {
                match call.plan(decision, arguments, &options, buffer) {
                    Ok(plan) => plan.put_json(&mut put),
                    Err(refusal) => match refusal.problem {
                        Problem::BufferTooSmall { needed } => return Err(needed),
                        _ => refusal.put_json(decision, &mut put),
                    },
                }
                Ok(())
            });
            text
        });
        PyString::from_bytes(py, &text)
    }

    /// Returns what an answer means, as the core's JSON.
    #[pyo3(signature = (question, status, headers, body, now, /))]
    fn next<'py>(
        &self,
        py: Python<'py>,
        question: Question<'py>,
        status: u16,
        headers: Vec<(String, String)>,
        body: &[u8],
        now: u64,
    ) -> PyResult<Bound<'py, PyString>> {
        let headers: Vec<Header<'_>> =
            headers.iter().map(|(name, value)| Header { name, value }).collect();
        let text = Asked::new(question)?.answer(py, |decision| {
            let answer = Answer { status, headers: &headers, body, now };
            let mut text = Vec::new();
            let mut put = |piece: &[u8]| text.extend_from_slice(piece);
            self.with_buffer(|call, buffer| {
                match call.next(decision, &answer, buffer) {
                    Ok(next) => next.put_json(&mut put),
                    Err(refusal) => match refusal.problem {
                        Problem::BufferTooSmall { needed } => return Err(needed),
                        _ => refusal.put_json(decision, &mut put),
                    },
                }
                Ok(())
            });
            text
        });
        PyString::from_bytes(py, &text)
    }
}

impl Progress {
    /// Runs a step with a small buffer. If the step needs a larger one, restores the call and runs
    /// the step again.
    fn with_buffer(&self, mut step: impl FnMut(&mut Call, &mut [u8]) -> Result<(), usize>) {
        let mut call = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = *call;
        if let Err(needed) = step(&mut call, &mut [0; 4096]) {
            *call = before;
            // The size that the core asks for is enough.
            let _ = step(&mut call, &mut vec![0; needed]);
        }
    }
}
