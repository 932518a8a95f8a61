//! The verdict about a signed request, with everything but the cryptography; and what an agent writes.

use std::hint::black_box;

use agentsdisc_core::format::signature_directory::SignatureDirectory;
use agentsdisc_core::identity::{
    Claim, Header, Message, Options, PublicKey, Reason, Signing, Site, verify,
};
use agentsdisc_core::{Document, Format, Limits};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const URL: &[u8] = b"https://shop.example/mugs?color=red&size=2";
const KEY_ID: &str = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
const KEYS: &[u8] =
    br#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;

/// A site that parses its keys for each request, as a site does that keeps the bytes of directories.
struct Shop;

impl Site<'static> for Shop {
    fn keys(&mut self, _: &Claim<'_>, url: &[u8]) -> Result<SignatureDirectory<'static>, Reason> {
        black_box(url);
        let document = Document::parse_as(KEYS, Format::SignatureDirectory, &Limits::DEFAULT);
        let document = document.map_err(|_| Reason::DirectoryInvalid)?;
        document.signature_directory().ok_or(Reason::DirectoryInvalid)
    }

    fn fits(&mut self, key: &PublicKey<'static>, base: &[u8], signature: &[u8]) -> bool {
        black_box((key, base, signature));
        true
    }
}

fn written(write: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut |part| bytes.extend_from_slice(part));
    bytes
}

fn bench(criterion: &mut Criterion) {
    let signing = Signing {
        label: "sig1",
        fields: &["content-digest"],
        created: 1_735_689_600,
        expires: 1_735_689_660,
        key_id: KEY_ID,
        algorithm: None,
        nonce: Some(
            "n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==",
        ),
        agent: Some("https://agent.example"),
    };
    let input = written(|mut sink| signing.put_input(&mut sink));
    let agent = written(|mut sink| signing.put_agent(&mut sink));
    let signature = written(|mut sink| Signing::put_signature("sig1", &[7; 64], &mut sink));
    let headers = [
        Header::new("Host", "shop.example"),
        Header::new("User-Agent", "ShopBot/1.0 (+https://agent.example)"),
        Header::new("Accept", "application/json"),
        Header::new("Content-Digest", "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"),
        Header { name: b"Signature-Agent", value: &agent },
        Header { name: b"Signature-Input", value: &input },
        Header { name: b"Signature", value: &signature },
    ];
    let message = Message::new(b"POST", URL, &headers);
    let options = Options::at(1_735_689_601);
    let mut memory = [0; 2048];
    let verdict = verify(&message, &options, &mut memory, &mut Shop);
    assert!(verdict.is_ok_and(|verdict| verdict.reason == Reason::Valid), "the request is valid");
    let mut group = criterion.benchmark_group("identity");
    group.throughput(Throughput::Elements(1));
    group.bench_function("verdict", |bencher| {
        bencher.iter(|| {
            let verdict = verify(black_box(&message), &options, &mut memory, &mut Shop);
            black_box(verdict.is_ok())
        });
    });
    group.bench_function("fields and bytes to sign", |bencher| {
        bencher.iter(|| {
            let mut sum = 0;
            let mut count = |part: &[u8]| sum += black_box(part).len();
            signing.put_input(&mut count);
            signing.put_agent(&mut count);
            let is_made = signing.put_base(black_box(&message), &mut count).is_ok();
            black_box((sum, is_made))
        });
    });
}

criterion_group!(benches, bench);
criterion_main!(benches);
