//! The core's check whether a site is ready, for the client in `agentsdisc.readiness`, and how a
//! document must be served, for `agentsdisc.serving`.

use agentsdisc_core::Format;
use agentsdisc_core::discovery::Header;
use agentsdisc_core::readiness::{
    self, Answer, Check, Finding, LEVELS, OLD_CARD, Probe, Site, Tally, Topic, Topics, served,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};

use crate::input::unlocked;

type Lines = Vec<(PyBackedBytes, PyBackedBytes)>;
/// `url`, `method`, `accept`, `status`, `failure`, `headers`, `hides_headers`, `body`, `is_cut`.
type AnswerTuple =
    (PyBackedStr, PyBackedStr, PyBackedStr, u16, PyBackedStr, Lines, bool, PyBackedBytes, bool);
/// `url`, `method`, `accept`, `origin`.
type ProbeTuple = (String, &'static str, &'static str, Option<&'static str>);
/// `check`, `status`, `message`, `fix`, `answer`, `header`, `line`.
type FindingTuple = (
    &'static str,
    &'static str,
    String,
    Option<String>,
    Option<usize>,
    Option<String>,
    Option<u32>,
);
/// `probes`, `findings`, `statuses`, `level`, `level_name`, `halves`, `applicable`, `percent`.
type SurveyTuple = (
    Vec<ProbeTuple>,
    Vec<FindingTuple>,
    Vec<(&'static str, &'static str)>,
    u8,
    &'static str,
    u32,
    u32,
    u32,
);
/// `code`, `severity`, `message`, `spec`, `section`, `header`.
type RemarkTuple = (&'static str, &'static str, String, &'static str, &'static str, Option<String>);

fn headers(lines: &Lines) -> Vec<Header<'_>> {
    lines.iter().map(|(name, value)| Header { name, value }).collect()
}

/// A header as one line, with the name as it is usually written.
fn line(header: Header<'_>) -> String {
    let name = String::from_utf8_lossy(header.name);
    let words = name.split('-').map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + rest
    });
    let value: String = header.value.iter().map(|octet| char::from(*octet)).collect();
    format!("{}: {value}", words.collect::<Vec<_>>().join("-"))
}

fn topics(names: &[PyBackedStr]) -> PyResult<Topics> {
    names.iter().try_fold(Topics::NONE, |set, name| {
        let known = Topic::ALL.into_iter().find(|topic| topic.as_str() == &**name);
        let topic = known.ok_or_else(|| {
            PyValueError::new_err(format!("{:?} is not a topic of a check", &**name))
        })?;
        Ok(set.with(topic))
    })
}

fn finding(found: &Finding<'_>) -> FindingTuple {
    (
        found.check.id(),
        found.status.as_str(),
        found.message.to_string(),
        (!found.fix.is_empty()).then(|| found.fix.to_string()),
        found.evidence.answer,
        found.evidence.header.map(line),
        (found.evidence.line > 0).then_some(found.evidence.line),
    )
}

/// Walks over all checks: returns the requests that are missing, and what the answers mean.
#[pyfunction]
#[pyo3(signature = (origin, canonical, agent, nonce, *, is_folder, expected, ignored, answers))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn _survey(
    py: Python<'_>,
    origin: PyBackedStr,
    canonical: PyBackedStr,
    agent: PyBackedStr,
    nonce: PyBackedStr,
    is_folder: bool,
    expected: Vec<PyBackedStr>,
    ignored: Vec<PyBackedStr>,
    answers: Vec<AnswerTuple>,
) -> PyResult<SurveyTuple> {
    let (expected, ignored) = (topics(&expected)?, topics(&ignored)?);
    let lines: Vec<_> = answers.iter().map(|answer| headers(&answer.5)).collect();
    let given: Vec<_> = answers
        .iter()
        .zip(&lines)
        .map(|(answer, headers)| {
            let (url, method, accept, status, failure, _, hides_headers, body, is_cut) = answer;
            let (status, hides_headers, is_cut) = (*status, *hides_headers, *is_cut);
            Answer { url, method, accept, status, failure, headers, hides_headers, body, is_cut }
        })
        .collect();
    let site = Site {
        canonical: &canonical,
        nonce: &nonce,
        is_folder,
        expected,
        ignored,
        ..Site::new(&origin, &agent)
    };
    let size = given.iter().map(|answer| answer.body.len()).sum();
    let (mut probes, mut findings, mut tally) = (Vec::new(), Vec::new(), Tally::default());
    unlocked(py, size, || {
        readiness::survey(
            &site,
            &given,
            &mut |probe: &Probe<'_>| {
                probes.push((probe.url.to_owned(), probe.method, probe.accept, probe.origin));
            },
            &mut |found: &Finding<'_>| {
                tally.add(found.check, found.status);
                findings.push(finding(found));
            },
        );
    });
    let (level, score) = (tally.level(), tally.score());
    let name = LEVELS.get(usize::from(level)).copied().unwrap_or_default();
    let statuses = Check::ALL.iter().map(|check| (check.id(), tally.status(*check).as_str()));
    let statuses = statuses.collect();
    let (halves, applicable) = (score.halves, score.applicable);
    Ok((probes, findings, statuses, level, name, halves, applicable, score.percent()))
}

/// Returns what is wrong with how a document of a format is sent.
#[pyfunction]
pub(crate) fn _served(format: &str, url: &str, lines: Lines) -> Vec<RemarkTuple> {
    let headers = headers(&lines);
    let answer = Answer { url, status: 200, headers: &headers, ..Answer::default() };
    let mut found = Vec::new();
    served::check(
        Format::from_id(format).unwrap_or(Format::Unknown),
        url,
        &answer,
        &mut |remark| {
            found.push((
                remark.code.as_str(),
                remark.severity.as_str(),
                remark.message.to_string(),
                remark.spec.as_str(),
                remark.section,
                remark.header.map(line),
            ));
        },
    );
    found
}

/// Returns every code of a problem with how documents are served: (code, usual severity, meaning).
#[pyfunction]
pub(crate) fn _serving_codes() -> Vec<(&'static str, &'static str, &'static str)> {
    served::ServingCode::ALL
        .iter()
        .map(|code| (code.as_str(), code.severity().as_str(), code.about()))
        .collect()
}

/// Returns every check: (id, meaning, level, weight, topic).
#[pyfunction]
pub(crate) fn _checks() -> Vec<(&'static str, &'static str, u8, u8, &'static str)> {
    Check::ALL
        .iter()
        .map(|check| {
            (check.id(), check.about(), check.level(), check.weight(), check.topic().as_str())
        })
        .collect()
}

/// Returns every well-known location, (path, resource, whether the specification names it), and the
/// old location of agent cards last.
#[pyfunction]
pub(crate) fn _places() -> Vec<(&'static str, &'static str, bool)> {
    let all = readiness::PLACES.iter().chain([&OLD_CARD]);
    all.map(|place| (place.path, place.resource.as_str(), place.is_main)).collect()
}
