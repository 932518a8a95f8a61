//! The core's check whether a site is ready, for the client in `agentsdisc.readiness`, and how a
//! document must be served, for `agentsdisc.serving`.

use agentsdisc_core::discovery::Header;
use agentsdisc_core::readiness::{
    self, Answer, Check, Finding, LEVELS, Probe, Site, Tally, Topic, Topics, served,
};
use agentsdisc_core::span::PositionCursor;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};

use crate::input::unlocked;

type Lines = Vec<(PyBackedBytes, PyBackedBytes)>;
/// `url`, `method`, `accept`, `status`, `failure`, `headers`, `hides_headers`, `body`, `is_cut`.
type AnswerTuple =
    (PyBackedStr, PyBackedStr, PyBackedStr, u16, PyBackedStr, Lines, bool, PyBackedBytes, bool);
type Pairs = Vec<(&'static str, &'static str)>;
/// `url`, `method`, `accept`, `origin`, `headers`, `content`.
type ProbeTuple = (String, &'static str, &'static str, Option<&'static str>, Pairs, &'static str);
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
/// `url`, `line`, `column`, `offset`, `end`.
type SpotTuple = (String, u32, u32, u32, u32);
/// `code`, `severity`, `url`, `message`, `spec`, `section`, `header`, `spot`.
type RemarkTuple = (
    &'static str,
    &'static str,
    String,
    String,
    &'static str,
    &'static str,
    Option<String>,
    Option<SpotTuple>,
);
/// `probes`, `remarks`, `documents`: of each its resource, the number of its answer, its format.
type ServeTuple = (Vec<ProbeTuple>, Vec<RemarkTuple>, Vec<(&'static str, usize, &'static str)>);

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

fn asked(probe: &Probe<'_>) -> ProbeTuple {
    let headers = probe.headers.to_vec();
    (probe.url.to_owned(), probe.method, probe.accept, probe.origin, headers, probe.content)
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

/// The answers as the core takes them.
fn given<'a>(answers: &'a [AnswerTuple], lines: &'a [Vec<Header<'a>>]) -> Vec<Answer<'a>> {
    let both = answers.iter().zip(lines);
    both.map(|(answer, headers)| {
        let (url, method, accept, status, failure, _, hides_headers, body, is_cut) = answer;
        let (status, hides_headers, is_cut) = (*status, *hides_headers, *is_cut);
        Answer { url, method, accept, status, failure, headers, hides_headers, body, is_cut }
    })
    .collect()
}

/// Walks over all checks: returns the requests that are missing, and what the answers mean.
#[pyfunction]
#[pyo3(signature = (origin, canonical, agent, nonce, *, is_folder, calls, expected, ignored, answers))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn _survey(
    py: Python<'_>,
    origin: PyBackedStr,
    canonical: PyBackedStr,
    agent: PyBackedStr,
    nonce: PyBackedStr,
    is_folder: bool,
    calls: bool,
    expected: Vec<PyBackedStr>,
    ignored: Vec<PyBackedStr>,
    answers: Vec<AnswerTuple>,
) -> PyResult<SurveyTuple> {
    let (expected, ignored) = (topics(&expected)?, topics(&ignored)?);
    let lines: Vec<_> = answers.iter().map(|answer| headers(&answer.5)).collect();
    let given = given(&answers, &lines);
    let site = Site {
        canonical: &canonical,
        nonce: &nonce,
        is_folder,
        calls,
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
                probes.push(asked(probe));
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

/// Walks over all locations of documents: returns the requests that are missing, what is wrong, and
/// the documents that are there. `found` has the URLs of the documents that discovery has found:
/// the one that was requested, and the one where the document is.
#[pyfunction]
#[pyo3(signature = (origin, name, nonce, *, agent, found, answers))]
pub(crate) fn _serve(
    py: Python<'_>,
    origin: PyBackedStr,
    name: PyBackedStr,
    nonce: PyBackedStr,
    agent: PyBackedStr,
    found: Vec<(PyBackedStr, PyBackedStr)>,
    answers: Vec<AnswerTuple>,
) -> ServeTuple {
    let lines: Vec<_> = answers.iter().map(|answer| headers(&answer.5)).collect();
    let given = given(&answers, &lines);
    let found: Vec<_> = found.iter().map(|(key, url)| (&**key, &**url)).collect();
    let site = Site { nonce: &nonce, ..Site::new(&origin, &name) };
    let size = given.iter().map(|answer| answer.body.len()).sum();
    let (mut probes, mut remarks, mut documents) = (Vec::new(), Vec::new(), Vec::new());
    unlocked(py, size, || {
        readiness::serve(
            &site,
            (&agent, &found),
            &given,
            &mut |probe| {
                probes.push(asked(probe));
            },
            &mut |served| remarks.push(remark(served, &given)),
            &mut |placed| {
                let resource = placed.place.resource.as_str();
                documents.push((resource, placed.answer, placed.format.id()));
            },
        );
    });
    (probes, remarks, documents)
}

fn remark(served: &readiness::Served<'_>, answers: &[Answer<'_>]) -> RemarkTuple {
    let remark = &served.remark;
    let spot = served.at.and_then(|(number, span)| {
        let answer = answers.get(number)?;
        let at = PositionCursor::new(answer.body).at(span.start as usize);
        Some((answer.url.to_owned(), at.line, at.column, span.start, span.end))
    });
    (
        remark.code.as_str(),
        remark.severity.as_str(),
        served.url.to_owned(),
        remark.message.to_string(),
        remark.spec.as_str(),
        remark.section,
        remark.header.map(line),
        spot,
    )
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
