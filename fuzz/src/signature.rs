//! Signatures of requests: for any fields, a claim or a reason is found, the signed bytes have one line for each component, and what an agent
//! writes is read again.
//!
//! The input is a reply as for `discovery`: its headers are those of the request, its body is the directory of keys. The first line is the
//! path of the request.

use agentsdisc_core::format::Format;
use agentsdisc_core::identity::{
    Algorithm, Claim, Header, Message, Options, Reason, Signing, find_key, put_base,
};
use agentsdisc_core::{Document, Limits};

use crate::replies::replies;

const NOW: u64 = 1_735_689_610;

/// Reads one input.
pub fn run(bytes: &[u8]) {
    let Some(request) = replies(bytes).into_iter().next() else { return };
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let url = [b"https://shop.example/", bytes.get(..end).unwrap_or_default()].concat();
    let headers: Vec<Header<'_>> =
        request.headers.iter().map(|own| Header { name: own.name, value: own.value }).collect();
    let message = Message::new(b"GET", &url, &headers);
    let options = Options::at(NOW);
    let mut count = 0;
    while let Some(read) = Claim::read(&message, count, &options) {
        count += 1;
        let Ok(claim) = read else { continue };
        assert!(claim.created <= NOW + options.skew && claim.expires > NOW);
        let (mut base, mut same) = (Vec::new(), Vec::new());
        claim.put_base(&mut |part: &[u8]| base.extend_from_slice(part)).expect("it was read");
        put_base(&message, claim.label(), &mut |part: &[u8]| same.extend_from_slice(part))
            .expect("it was read");
        assert_eq!(base, same);
        assert!(base.split(|byte| *byte == b'\n').all(|line| line.starts_with(b"\"")));
        // The buffer holds any signature of a request of this size.
        let mut buffer = vec![0; bytes.len()];
        assert!(claim.signature(&mut buffer).is_some());
        let parsed = Document::parse_as(request.body, Format::SignatureDirectory, &Limits::DEFAULT);
        if let Some(keys) = parsed.ok().and_then(|document| document.signature_directory())
            && let Ok(key) = find_key(&keys, claim.key_id, claim.algorithm, NOW)
        {
            assert!(claim.algorithm.is_none_or(|named| named == key.algorithm));
        }
    }
    assert!((1..=4).contains(&count));
    assert!(Claim::read(&message, count, &options).is_none());
    if let Some(text) = request.body.split(|byte| *byte == b'\n').next() {
        written(text, &url);
    }
}

/// What an agent writes is what a site reads.
fn written(text: &[u8], url: &[u8]) {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let Some(key_id) = std::str::from_utf8(text).ok().filter(|_| text.iter().all(is_plain)) else {
        return;
    };
    let signing = Signing {
        label: "sig1",
        fields: &[],
        created: NOW,
        expires: NOW + 60,
        key_id,
        algorithm: Some(Algorithm::Ed25519),
        nonce: Some(key_id),
        agent: Some("https://agent.example"),
    };
    let (mut input, mut agent) = (Vec::new(), Vec::new());
    signing.put_input(&mut |part: &[u8]| input.extend_from_slice(part));
    signing.put_agent(&mut |part: &[u8]| agent.extend_from_slice(part));
    let headers = [
        Header { name: b"Signature-Input", value: &input },
        Header { name: b"Signature-Agent", value: &agent },
        Header { name: b"Signature", value: b"sig1=:AAAA:" },
    ];
    let message = Message::new(b"GET", url, &headers);
    match Claim::read(&message, 0, &Options::at(NOW)) {
        Some(Ok(claim)) => {
            assert_eq!((claim.key_id, claim.nonce), (text, Some(text)));
            assert_eq!((claim.created, claim.expires), (NOW, NOW + 60));
        }
        // The path may be none, and everything may be too long.
        Some(Err(Reason::MalformedRequest | Reason::TooLarge)) => {}
        other => panic!("{other:?}"),
    }
}
