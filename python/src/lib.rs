//! The extension module `agentsdisc._agentsdisc` of the Python package `agentsdisc`.
//!
//! The core interprets the documents; this crate keeps the bytes of a document with the offsets
//! that parsing returns, and creates Python objects on access. All objects are immutable, and safe
//! without the GIL.

#[cfg(target_os = "linux")]
mod allocator;
mod arrow;
mod awp;
mod base;
mod call;
mod capability;
mod companion;
mod convert;
mod crawl;
mod diagnostic;
mod discovery;
mod document;
mod facts;
mod identity;
mod input;
mod links;
mod model;
mod pickled;
mod policy;
mod preferences;
mod readiness;
mod records;
mod requests;
mod robots;
mod secrets;
mod value;
mod views;
mod zstd;

use agentsdisc_core::Hints;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use document::{Document, format_name};

/// Parses a document.
///
/// `data` is bytes (borrowed), bytearray, memoryview (copied) or str. The format is detected from
/// the content, and from `url` (a URL or path) and `content_type` if the content is ambiguous;
/// `format` skips detection; `unknown` gives a document that is not read. Raises ParseError if the
/// document cannot be read.
#[pyfunction]
#[pyo3(signature = (data, *, url=None, format=None, content_type=None, limits=None))]
fn parse(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    url: Option<&Bound<'_, PyString>>,
    format: Option<&Bound<'_, PyString>>,
    content_type: Option<&Bound<'_, PyString>>,
    limits: Option<&Bound<'_, input::Limits>>,
) -> PyResult<Document> {
    let bytes = input::document_bytes(data)?;
    let limits = input::Limits::core(limits.map(Bound::get));
    let (url, content_type) = (input::words(url), input::words(content_type));
    Document::parse(
        py,
        bytes,
        input::format(format)?,
        Hints { url: url.as_deref(), content_type: content_type.as_deref() },
        limits,
    )
}

/// Returns the format of a document: `agents-txt`, `awp`, `html`, …, or `unknown`. Never raises
/// because of the data.
#[pyfunction]
#[pyo3(signature = (data, *, url=None, content_type=None))]
fn detect(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    url: Option<&Bound<'_, PyString>>,
    content_type: Option<&Bound<'_, PyString>>,
) -> PyResult<Py<PyString>> {
    Ok(format_name(py, detection(py, data, url, content_type)?.format))
}

/// Returns the format of a document with the evidence: a dict with `format`, `signs` (descriptions
/// of the evidence), `by_hint` (whether `url` or `content_type` was needed) and `fields` (the number
/// of signs of each format that has any).
#[pyfunction]
#[pyo3(signature = (data, *, url=None, content_type=None))]
fn detect_evidence<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    url: Option<&Bound<'py, PyString>>,
    content_type: Option<&Bound<'py, PyString>>,
) -> PyResult<Bound<'py, PyDict>> {
    let found = detection(py, data, url, content_type)?;
    let evidence = found.evidence;
    let fields = PyDict::new(py);
    for (format, count) in evidence.counts() {
        fields.set_item(format_name(py, format), count)?;
    }
    let dict = PyDict::new(py);
    dict.set_item("format", format_name(py, found.format))?;
    dict.set_item("signs", evidence.signs().collect::<Vec<_>>())?;
    dict.set_item("by_hint", found.by_hint)?;
    dict.set_item("fields", fields)?;
    Ok(dict)
}

fn detection(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    url: Option<&Bound<'_, PyString>>,
    content_type: Option<&Bound<'_, PyString>>,
) -> PyResult<agentsdisc_core::Detection> {
    let bytes = input::document_bytes(data)?;
    let slice: &[u8] = &bytes;
    let (url, content_type) = (input::words(url), input::words(content_type));
    let hints = Hints { url: url.as_deref(), content_type: content_type.as_deref() };
    Ok(input::unlocked(py, slice.len(), || agentsdisc_core::detect(slice, hints)))
}

/// Returns every format: a list of (name, whether documents of it are read, whether it is JSON).
#[pyfunction]
fn formats() -> Vec<(&'static str, bool, bool)> {
    agentsdisc_core::Format::ALL
        .iter()
        .map(|format| (format.id(), format.is_read(), format.is_json()))
        .collect()
}

/// Returns every diagnostic code: a list of (code, usual severity).
#[pyfunction]
fn codes() -> Vec<(&'static str, &'static str)> {
    agentsdisc_core::Code::ALL
        .iter()
        .map(|code| (code.as_str(), code.severity().as_str()))
        .collect()
}

/// What is known about a code: severity, what it points at, meaning, why it matters, and an example
/// (format, wrong document, right document).
type Explained = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Option<(&'static str, &'static str, &'static str)>,
);

/// Returns what is known about a diagnostic code; None if there is no such code.
#[pyfunction]
fn _explained(code: &str) -> Option<Explained> {
    let code = agentsdisc_core::Code::ALL.iter().find(|known| known.as_str() == code)?;
    let example = code.example().map(|example| (example.format, example.wrong, example.right));
    Some((code.severity().as_str(), code.points_at(), code.about(), code.why(), example))
}

/// Returns how the host of an endpoint relates to that of a document: `same-host`, `subdomain`,
/// `same-registrable-domain` or `other`. A public suffix is related to itself only.
#[pyfunction]
fn host_relation(document_host: &str, endpoint_host: &str) -> &'static str {
    let found = agentsdisc_core::syntax::url::relation(document_host, endpoint_host);
    found.relation.as_str()
}

/// Reads agents.txt, agents.json and related documents.
#[pymodule(gil_used = false)]
mod _agentsdisc {
    #[pymodule_export]
    use super::{
        _explained,
        arrow::{
            Batch, BatchReader, Schema, batch_json_lines, batch_of, batch_schema, fitting_rows,
            parse_batch, parse_stream,
        },
        awp::{PrerequisiteError, TypeExprError, parse_type},
        call::Progress,
        capability::Capabilities,
        codes,
        companion::differences,
        convert::{Change, ConvertError, Loss},
        crawl::Archive,
        detect, detect_evidence,
        diagnostic::Diagnostic,
        discovery::{Discovery, page_licenses},
        document::{Document, restore_document},
        facts::{_facts, _resources},
        formats, host_relation,
        identity::{
            _Claim, _card_keys, _claim, _find_key, _identity_reasons, _lifetime, _signature_base,
            _thumbprints, _to_sign,
        },
        input::{Limits, ParseError, restore_limits},
        links::{Link, links},
        parse,
        pickled::restored,
        policy::{agent_name, auth_header, decide_json, offers_json, reasons},
        preferences::{Preference, PreferenceAnswer},
        readiness::{_checks, _serve, _serving_codes, _survey},
        records::json_lines,
        requests::{RequestError, adp_search_url},
        robots::{CompiledRobots, DecidingRule, RobotsDecision, RobotsTxt, restore_robots},
        secrets::{_key_words, _whole, Keys, masked},
        views::{
            Access, AgentPolicy, Audit, Capability, CapabilityAuth, Dependency, Endpoint, Entity,
            Extension, Flow, Hint, Idempotency, Key, Output, Parameter, Permissions, Plan, Pricing,
            Provenance, RateLimit, Recovery, Reference, Registration, Robots, RobotsField,
            RobotsGroup, RobotsPreference, RobotsRule, Search, SearchResult, SecurityScheme,
            Service, ServiceAuth, Session, Signature, Skill, Status,
        },
        zstd::Zstd,
    };

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    const _RULES: &str = agentsdisc_core::readiness::RULES;
    #[pymodule_export]
    const _BUDGET: usize = agentsdisc_core::readiness::BUDGET;
    #[pymodule_export]
    const _ASKING_ORIGIN: &str = agentsdisc_core::readiness::ASKING_ORIGIN;
}
