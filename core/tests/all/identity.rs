//! Signatures of requests: the examples of the specifications, and the verdicts of the vectors as far as
//! they need no cryptography.

use agentsdisc_core::identity::{
    AgentKind, Algorithm, Claim, Header, Message, Options, Reason, Signing, find_key, put_base,
};
use agentsdisc_core::{Document, Format, Limits};
use serde_json::Value;

use crate::common::vectors;

/// The octets of a text of HTTP.
fn octets(value: &Value) -> Vec<u8> {
    value.as_str().unwrap().chars().map(|c| u8::try_from(c).unwrap()).collect()
}

/// Names and values: a list of pairs or an object.
fn fields(value: &Value) -> Vec<(Vec<u8>, Vec<u8>)> {
    match value {
        Value::Array(pairs) => {
            pairs.iter().map(|pair| (octets(&pair[0]), octets(&pair[1]))).collect()
        }
        Value::Object(members) => {
            let pairs = members.iter();
            pairs.map(|(name, value)| (name.clone().into_bytes(), octets(value))).collect()
        }
        _ => Vec::new(),
    }
}

fn headers(fields: &[(Vec<u8>, Vec<u8>)]) -> Vec<Header<'_>> {
    fields.iter().map(|(name, value)| Header { name, value }).collect()
}

fn read(name: &str) -> Value {
    let path = vectors::root().join("identity").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The verdict without cryptography, of the first signature that could be valid.
fn reason_of(message: &Message<'_>, keys: &[u8], options: &Options) -> Reason {
    let document = Document::parse_as(keys, Format::SignatureDirectory, &Limits::DEFAULT).unwrap();
    let directory = document.signature_directory().unwrap();
    let mut first = None;
    for index in 0.. {
        let reason = match Claim::read(message, index, options) {
            None => break,
            Some(Err(reason)) => reason,
            Some(Ok(claim)) => {
                let key = find_key(&directory, claim.key_id, claim.algorithm, options.now);
                key.map_or_else(|reason| reason, |_| Reason::Valid)
            }
        };
        if reason == Reason::Valid {
            return reason;
        }
        first = first.or(Some(reason));
    }
    first.unwrap()
}

#[test]
fn requests_get_the_verdicts_of_the_vectors() {
    let file = read("verdicts.json");
    for case in file["cases"].as_array().unwrap() {
        let (fields, method, url) =
            (fields(&case["headers"]), octets(&case["method"]), octets(&case["url"]));
        let headers = headers(&fields);
        let keys = case.get("keys").unwrap_or(&file["keys"]).to_string();
        let options = Options {
            longest: case["longest"].as_u64(),
            ..Options::at(case["now"].as_u64().unwrap())
        };
        let message = Message::new(&method, &url, &headers);
        let expected = match case["reason"].as_str().unwrap() {
            "wrong-signature" => "valid",
            other => other,
        };
        let reason = reason_of(&message, keys.as_bytes(), &options);
        assert_eq!(reason.as_str(), expected, "{}", case["name"]);
    }
}

#[test]
fn signature_bases_are_those_of_the_examples() {
    let file = read("examples.json");
    for example in file["vectors"].as_array().unwrap() {
        let (own, answer) = (fields(&example["headers"]), fields(&example["answer"]));
        let (own, answer) = (headers(&own), headers(&answer));
        let (method, url) = (octets(&example["method"]), octets(&example["url"]));
        let message = Message {
            answer: (!answer.is_empty()).then_some(&answer[..]),
            ..Message::new(&method, &url, &own)
        };
        let mut base = Vec::new();
        let label = octets(&example["label"]);
        put_base(&message, &label, &mut |bytes: &[u8]| base.extend_from_slice(bytes)).unwrap();
        assert_eq!(String::from_utf8(base).unwrap(), example["base"], "{}", example["name"]);
    }
}

#[test]
fn keys_have_the_thumbprints_of_the_examples() {
    for example in read("examples.json")["thumbprints"].as_array().unwrap() {
        let keys = serde_json::json!({ "keys": [example["jwk"]] }).to_string();
        let document =
            Document::parse_as(keys.as_bytes(), Format::SignatureDirectory, &Limits::DEFAULT)
                .unwrap();
        let directory = document.signature_directory().unwrap();
        let id = octets(&example["thumbprint"]);
        let found = find_key(&directory, &id, None, 0).unwrap();
        let is_rsa = example["jwk"]["kty"] == "RSA";
        let algorithm = if is_rsa { Algorithm::RsaV15 } else { Algorithm::Ed25519 };
        assert_eq!(found.algorithm, algorithm);
    }
}

#[test]
fn every_octet_of_a_signed_request_can_be_changed_or_left_out() {
    // Nothing panics, and no change of a covered octet leaves the signed bytes as they are.
    let file = read("verdicts.json");
    let case = &file["cases"][0];
    let fields = fields(&case["headers"]);
    let (method, url) = (octets(&case["method"]), octets(&case["url"]));
    let options = Options::at(case["now"].as_u64().unwrap());
    let base_of = |fields: &[(Vec<u8>, Vec<u8>)]| {
        let headers = headers(fields);
        let message = Message::new(&method, &url, &headers);
        let claim = Claim::read(&message, 0, &options)?.ok()?;
        let mut base = vec![0; 4096];
        let mut signature = vec![0; 512];
        Some((claim.base(&mut base)?.to_vec(), claim.signature(&mut signature)?.to_vec()))
    };
    let original = base_of(&fields).unwrap();
    for (at, (_, value)) in fields.iter().enumerate() {
        for index in 0..value.len() {
            for octet in [None, Some(b' '), Some(b'"'), Some(b';'), Some(b'A'), Some(0), Some(255)]
            {
                let mut changed = fields.clone();
                let value = &mut changed[at].1;
                match octet {
                    Some(octet) => value[index] = octet,
                    None => drop(value.remove(index)),
                }
                if let Some(found) = base_of(&changed) {
                    let is_same = changed[at].1 == fields[at].1;
                    assert_eq!(found == original, is_same, "{at} {index} {octet:?}");
                }
            }
        }
    }
}

#[test]
fn what_an_agent_writes_is_what_a_site_reads() {
    for (agent, kind, url, identifier) in [
        (
            "https://Agent.example:443/",
            AgentKind::Directory,
            "https://agent.example/.well-known/http-message-signatures-directory",
            "https://agent.example/.well-known/http-message-signatures-directory",
        ),
        (
            "https://agent.example/keys?v=1",
            AgentKind::JwksUri,
            "https://agent.example/keys?v=1",
            "https://agent.example/keys",
        ),
    ] {
        let signing = Signing {
            label: "sig1",
            fields: &["content-digest"],
            created: 100,
            expires: 160,
            key_id: "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",
            algorithm: None,
            nonce: Some("bm9uY2U="),
            agent: Some(agent),
        };
        let (mut input, mut value) = (Vec::new(), Vec::new());
        signing.put_input(&mut |bytes: &[u8]| input.extend_from_slice(bytes));
        signing.put_agent(&mut |bytes: &[u8]| value.extend_from_slice(bytes));
        let headers = [
            Header { name: b"content-digest", value: b"sha-256=:AAAA:" },
            Header { name: b"signature-input", value: &input },
            Header { name: b"signature-agent", value: &value },
            Header { name: b"signature", value: b"sig1=:AAAA:" },
        ];
        let message = Message::new(b"POST", b"https://shop.example/a", &headers);
        let claim = Claim::read(&message, 0, &Options::at(100)).unwrap().unwrap();
        assert_eq!((claim.created, claim.expires), (100, 160));
        assert_eq!(claim.nonce, Some(&b"bm9uY2U="[..]));
        let found = claim.agent.unwrap();
        assert_eq!(found.kind, kind);
        let (mut place, mut id) = (Vec::new(), Vec::new());
        found.put_url(&mut |bytes: &[u8]| place.extend_from_slice(bytes));
        found.put_identifier(&mut |bytes: &[u8]| id.extend_from_slice(bytes));
        assert_eq!(String::from_utf8(place).unwrap(), url);
        assert_eq!(String::from_utf8(id).unwrap(), identifier);
    }
}
