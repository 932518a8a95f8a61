//! Runs the vectors of `conformance/identity/` through the C ABI.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(unsafe_code, reason = "calls the C ABI")]
#![cfg(feature = "identity")]

use std::ffi::{CStr, c_void};
use std::mem::{size_of, zeroed};
use std::ptr::null_mut;

use agentsdisc as agd;
use serde_json::Value;

fn file(name: &str) -> Value {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/identity");
    serde_json::from_slice(&std::fs::read(folder.join(name)).unwrap()).unwrap()
}

fn text(bytes: &[u8]) -> agd::agd_text {
    agd::agd_text { ptr: bytes.as_ptr().cast(), len: bytes.len(), flags: 0 }
}

fn read(text: agd::agd_text) -> Option<String> {
    // SAFETY: the library returned the text, and its bytes are still valid.
    let bytes = (!text.ptr.is_null())
        .then(|| unsafe { std::slice::from_raw_parts(text.ptr.cast::<u8>(), text.len) });
    bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

/// The octets of a text of HTTP.
fn octets(value: &Value) -> Vec<u8> {
    value.as_str().unwrap().chars().map(|c| u8::try_from(c).unwrap()).collect()
}

struct Request {
    method: Vec<u8>,
    url: Vec<u8>,
    fields: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Request {
    fn of(case: &Value) -> Self {
        let fields = match &case["headers"] {
            Value::Array(pairs) => {
                pairs.iter().map(|pair| (octets(&pair[0]), octets(&pair[1]))).collect()
            }
            Value::Object(members) => {
                members.iter().map(|(name, value)| (name.clone().into(), octets(value))).collect()
            }
            _ => Vec::new(),
        };
        Self { method: octets(&case["method"]), url: octets(&case["url"]), fields }
    }

    fn with<R>(&self, ask: impl FnOnce(&agd::agd_http_request) -> R) -> R {
        let header = |(name, value): &(Vec<u8>, Vec<u8>)| agd::agd_http_header {
            name: text(name),
            value: text(value),
        };
        let headers: Vec<_> = self.fields.iter().map(header).collect();
        ask(&agd::agd_http_request {
            size: size_of::<agd::agd_http_request>(),
            method: text(&self.method),
            url: text(&self.url),
            headers: headers.as_ptr(),
            header_count: headers.len(),
        })
    }
}

/// What the callbacks were asked.
#[derive(Default)]
struct Seen {
    answer: bool,
    base: Option<String>,
    algorithm: Option<String>,
    signature: usize,
    url: Option<String>,
    directory: Option<agd::agd_document>,
}

unsafe extern "C" fn fits(
    user: *mut c_void,
    key: *const agd::agd_public_key,
    base: agd::agd_text,
    signature: agd::agd_text,
) -> bool {
    // SAFETY: the library passes what the test gave it, and a key.
    let (seen, key) = unsafe { (&mut *user.cast::<Seen>(), &*key) };
    (seen.base, seen.signature) = (read(base), signature.len);
    // SAFETY: the name is static.
    let name = unsafe { CStr::from_ptr(agd::agd_algorithm_name(key.algorithm)) };
    seen.algorithm = Some(name.to_str().unwrap().to_owned());
    seen.answer
}

unsafe extern "C" fn find(
    user: *mut c_void,
    url: agd::agd_text,
    _: i32,
    _: agd::agd_text,
) -> *const agd::agd_document {
    // SAFETY: the library passes what the test gave it.
    let seen = unsafe { &mut *user.cast::<Seen>() };
    seen.url = read(url);
    seen.directory.as_ref().map_or(std::ptr::null(), |document| document)
}

/// Parses keys; the document borrows them.
fn parsed(keys: &str) -> Option<agd::agd_document> {
    // SAFETY: the structs are plain data, and the arguments are what they say.
    unsafe {
        let mut document: agd::agd_document = zeroed();
        let format = agd::AGD_FORMAT_SIGNATURE_DIRECTORY;
        let (data, length) = (keys.as_ptr().cast(), keys.len());
        let status = agd::agd_parse_as(
            data,
            length,
            format,
            std::ptr::null(),
            &raw mut document,
            null_mut(),
        );
        (status == agd::AGD_OK).then_some(document)
    }
}

/// The name of the reason, and the verdict.
fn verified(
    request: &Request,
    verifier: &agd::agd_verifier,
    buffer: &mut Vec<u8>,
) -> (String, agd::agd_verdict) {
    request.with(|request| {
        // SAFETY: the structs are plain data, and the arguments are what they say.
        unsafe {
            let mut verdict: agd::agd_verdict = zeroed();
            verdict.size = size_of::<agd::agd_verdict>();
            let mut needed = 0;
            buffer.clear();
            loop {
                let (start, size) = (buffer.as_mut_ptr().cast(), buffer.len());
                let (out, more) = (&raw mut verdict, &raw mut needed);
                match agd::agd_verify(request, verifier, start, size, more, out) {
                    agd::AGD_OK => break,
                    agd::AGD_ERROR_BUFFER_TOO_SMALL if needed > size => buffer.resize(needed, 0),
                    status => panic!("{status}"),
                }
            }
            let name = CStr::from_ptr(agd::agd_verdict_name(verdict.reason));
            (name.to_str().unwrap().to_owned(), verdict)
        }
    })
}

fn verifier(now: u64, seen: &mut Seen) -> agd::agd_verifier {
    // SAFETY: plain data, whose zeros are the defaults.
    let mut made: agd::agd_verifier = unsafe { zeroed() };
    made.size = size_of::<agd::agd_verifier>();
    made.fits = Some(fits);
    (made.now, made.user) = (now, std::ptr::from_mut(seen).cast());
    made
}

#[test]
fn requests_get_the_verdicts_of_the_vectors() {
    let (file, mut buffer) = (file("verdicts.json"), Vec::new());
    let cases = file["cases"].as_array().unwrap();
    for case in cases {
        let keys = case.get("keys").unwrap_or(&file["keys"]).to_string();
        let document = parsed(&keys);
        for answer in [true, false] {
            let mut seen = Seen { answer, directory: document, ..Seen::default() };
            let mut how = verifier(case["now"].as_u64().unwrap(), &mut seen);
            how.longest = case["longest"].as_u64().unwrap_or(0);
            how.keys = document.as_ref().unwrap();
            let (reason, verdict) = verified(&Request::of(case), &how, &mut buffer);
            let expected = match (case["reason"].as_str().unwrap(), answer) {
                ("wrong-signature" | "valid", true) => "valid",
                ("valid", false) => "wrong-signature",
                (other, _) => other,
            };
            assert_eq!(reason, expected, "{}", case["name"]);
            if reason == "valid" {
                assert_eq!(read(verdict.base), seen.base, "{}", case["name"]);
            }
        }
    }
    assert!(cases.len() > 100);
}

#[test]
fn the_examples_are_verified_with_keys_that_a_callback_finds() {
    let (file, mut buffer) = (file("examples.json"), Vec::new());
    let keys = file["keys"].to_string();
    let examples =
        file["vectors"].as_array().unwrap().iter().filter(|case| case.get("now").is_some());
    for case in examples {
        let mut seen = Seen { answer: true, directory: parsed(&keys), ..Seen::default() };
        let mut how = verifier(case["now"].as_u64().unwrap(), &mut seen);
        how.find = Some(find);
        let reason = |how: &agd::agd_verifier, buffer: &mut Vec<u8>| {
            verified(&Request::of(case), how, buffer).0
        };
        // The private parts of their keys are published.
        assert_eq!(reason(&how, &mut buffer), "key-of-examples");
        how.examples = agd::AGD_TRUE;
        let (found, verdict) = verified(&Request::of(case), &how, &mut buffer);
        assert_eq!(found, "valid", "{}", case["name"]);
        assert_eq!(read(verdict.base).as_deref(), case["base"].as_str());
        assert_eq!(verdict.kind, agd::AGD_AGENT_DIRECTORY);
        assert_eq!(read(verdict.agent), seen.url);
        assert_eq!(
            (&seen.base, &seen.algorithm),
            (&read(verdict.base), &case["algorithm"].as_str().map(Into::into))
        );
        assert_eq!(seen.signature, if case["algorithm"] == "ed25519" { 64 } else { 256 });
        seen.directory = None;
        assert_eq!(reason(&how, &mut buffer), "directory-failed");
    }
}
