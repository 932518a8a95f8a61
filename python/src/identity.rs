//! Signatures of requests, for `agentsdisc.identity`: the rules of the core, without the cryptography.

use agentsdisc_core::identity::{
    Algorithm, CardKeys, Claim, Header, Message, Options, Reason, Signing, card_keys, find_key,
    lifetime, put_base,
};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::write::Sink;
use agentsdisc_core::{Document, Format, Limits};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

/// The fields of a request.
type Fields = Vec<(PyBackedBytes, PyBackedBytes)>;
/// The method, the URL and the fields of a request.
type Request = (PyBackedBytes, PyBackedBytes, Fields);

fn headers(fields: &Fields) -> Vec<Header<'_>> {
    fields.iter().map(|(name, value)| Header { name, value }).collect()
}

/// The bytes that a function writes.
fn written(write: impl FnOnce(&mut dyn Sink)) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut |part: &[u8]| bytes.extend_from_slice(part));
    bytes
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A signature of a request that is to be verified.
#[pyclass(frozen, get_all, module = "agentsdisc._agentsdisc")]
pub(crate) struct _Claim {
    label: String,
    key_id: String,
    algorithm: Option<&'static str>,
    created: u64,
    expires: u64,
    nonce: Option<String>,
    /// The URL that has the keys.
    url: Option<String>,
    /// The one spelling of that URL, by which an agent is known.
    identifier: Option<String>,
    /// `directory`, `jwks_uri`, `cimd` or `other`.
    kind: Option<&'static str>,
    base: Py<PyBytes>,
    signature: Py<PyBytes>,
}

/// Reads a signature with the tag `web-bot-auth`. Returns why it is refused, or the claim; None if
/// there is no further one.
#[pyfunction]
#[pyo3(signature = (request, index, now, skew, longest))]
pub(crate) fn _claim(
    py: Python<'_>,
    request: Request,
    index: usize,
    now: u64,
    skew: u64,
    longest: Option<u64>,
) -> Option<(Option<&'static str>, Option<_Claim>)> {
    let (method, url, fields) = request;
    let headers = headers(&fields);
    let message = Message::new(&method, &url, &headers);
    let claim = match Claim::read(&message, index, &Options { now, skew, longest }) {
        Some(Err(reason)) => return Some((Some(reason.as_str()), None)),
        Some(Ok(claim)) => claim,
        None => return None,
    };
    let mut base = Vec::new();
    if let Err(reason) = claim.put_base(&mut |part: &[u8]| base.extend_from_slice(part)) {
        return Some((Some(reason.as_str()), None));
    }
    let mut buffer = [0; 16 << 10];
    let signature = claim.signature(&mut buffer).unwrap_or_default();
    let agent = claim.agent;
    let claim = _Claim {
        label: text(claim.label()),
        key_id: text(claim.key_id),
        algorithm: claim.algorithm.map(|algorithm| algorithm.as_str()),
        created: claim.created,
        expires: claim.expires,
        nonce: claim.nonce.map(text),
        url: agent.map(|agent| text(&written(|sink| agent.put_url(sink)))),
        identifier: agent.map(|agent| text(&written(|sink| agent.put_identifier(sink)))),
        kind: agent.map(|agent| agent.kind.as_str()),
        base: PyBytes::new(py, &base).unbind(),
        signature: PyBytes::new(py, signature).unbind(),
    };
    Some((None, Some(claim)))
}

/// The members of a public key.
type Members = Vec<(&'static str, String)>;

/// Finds a key of a directory. Returns why there is none, or its algorithm, whether it is an example of
/// a specification, and its members.
#[pyfunction]
#[pyo3(signature = (directory, key_id, algorithm, now))]
pub(crate) fn _find_key(
    directory: &[u8],
    key_id: &[u8],
    algorithm: Option<&str>,
    now: u64,
) -> (Option<&'static str>, Option<(&'static str, bool, Members)>) {
    let algorithm = algorithm.and_then(|name| Algorithm::named(name.as_bytes()));
    let parsed = Document::parse_as(directory, Format::SignatureDirectory, &Limits::DEFAULT);
    let Some(keys) = parsed.ok().and_then(|document| document.signature_directory()) else {
        return (Some(Reason::DirectoryInvalid.as_str()), None);
    };
    match find_key(&keys, key_id, algorithm, now) {
        Err(reason) => (Some(reason.as_str()), None),
        Ok(key) => {
            let members = key.members().into_iter();
            let member = |(name, value): (&'static str, Option<Text<'_>>)| {
                value.map(|value| (name, value.chars().collect()))
            };
            let members = members.filter_map(member).collect();
            (None, Some((key.algorithm.as_str(), key.is_example, members)))
        }
    }
}

/// Returns the thumbprint of each key of a directory; None for a key without one. A document that is no
/// directory has no keys.
#[pyfunction]
pub(crate) fn _thumbprints(py: Python<'_>, directory: &[u8]) -> Vec<Option<Py<PyBytes>>> {
    let parsed = Document::parse_as(directory, Format::SignatureDirectory, &Limits::DEFAULT);
    let keys = parsed.ok().and_then(|document| document.signature_directory());
    let keys = keys.into_iter().flat_map(|directory| directory.keys());
    keys.map(|key| key.thumbprint().map(|digest| PyBytes::new(py, &digest).unbind())).collect()
}

/// Returns the values of Signature-Input and Signature-Agent, and the bytes to sign; or why a request
/// cannot be signed.
#[pyfunction]
#[pyo3(signature = (request, covered, key_id, times, nonce, agent))]
pub(crate) fn _to_sign(
    py: Python<'_>,
    request: Request,
    covered: Vec<String>,
    key_id: &str,
    times: (u64, u64),
    nonce: &str,
    agent: Option<&str>,
) -> Result<(String, Option<String>, Py<PyBytes>), PyErr> {
    let (method, url, fields) = request;
    let covered: Vec<&str> = covered.iter().map(String::as_str).collect();
    let signing = Signing {
        label: "sig1",
        fields: &covered,
        created: times.0,
        expires: times.1,
        key_id,
        algorithm: None,
        nonce: Some(nonce),
        agent,
    };
    let headers = headers(&fields);
    let message = Message::new(&method, &url, &headers);
    let base = bytes_of(py, |sink| signing.put_base(&message, sink))?;
    let input = text(&written(|sink| signing.put_input(sink)));
    Ok((input, agent.map(|_| text(&written(|sink| signing.put_agent(sink)))), base))
}

/// Returns the signature base of the signature with a label; of the answer, if there is one.
#[pyfunction]
#[pyo3(signature = (request, label, answer=None))]
pub(crate) fn _signature_base(
    py: Python<'_>,
    request: Request,
    label: &[u8],
    answer: Option<Fields>,
) -> PyResult<Py<PyBytes>> {
    let (method, url, fields) = request;
    let (headers, answer) = (headers(&fields), answer.as_ref().map(self::headers));
    let message = Message { answer: answer.as_deref(), ..Message::new(&method, &url, &headers) };
    bytes_of(py, |sink| put_base(&message, label, sink))
}

fn bytes_of(
    py: Python<'_>,
    write: impl FnOnce(&mut dyn Sink) -> Result<(), Reason>,
) -> PyResult<Py<PyBytes>> {
    let mut result = Ok(());
    let bytes = written(|sink| result = write(sink));
    result.map_err(|reason| pyo3::exceptions::PyValueError::new_err(reason.message()))?;
    Ok(PyBytes::new(py, &bytes).unbind())
}

/// Finds the keys in a card that was fetched from a URL. Returns why there are none, the octets of a set
/// of keys, or the URL that has them.
#[pyfunction]
pub(crate) fn _card_keys(
    py: Python<'_>,
    card: &[u8],
    url: &[u8],
) -> (Option<&'static str>, Option<Py<PyBytes>>, Option<String>) {
    let mut buffer = vec![0; card.len()];
    match card_keys(card, url, &mut buffer) {
        Err(reason) => (Some(reason.as_str()), None, None),
        Ok(CardKeys::Here(keys)) => (None, Some(PyBytes::new(py, keys).unbind()), None),
        Ok(CardKeys::At(agent)) => (None, None, Some(text(&written(|sink| agent.put_url(sink))))),
    }
}

/// Returns for how many seconds keys may be kept, by the lines of Cache-Control.
#[pyfunction]
pub(crate) fn _lifetime(lines: Vec<PyBackedBytes>) -> u32 {
    lifetime(lines.iter().map(|line| &line[..]))
}

/// Returns every reason with its meaning.
#[pyfunction]
pub(crate) fn _identity_reasons() -> Vec<(&'static str, &'static str)> {
    let reasons = Reason::ALL.iter();
    reasons.map(|reason| (reason.as_str(), reason.message())).collect()
}
