//! Nothing allocates: a counting allocator watches all vectors with all formats, accessors, the
//! check and the writers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod call;
#[path = "../common/counting.rs"]
#[allow(unsafe_code, reason = "an allocator")]
mod counting;
mod policy_time;
#[path = "../common/time.rs"]
#[allow(unsafe_code, reason = "a clock of libc")]
mod time;
#[path = "../common/vectors.rs"]
mod vectors;
#[path = "../common/walk.rs"]
mod walk;

use std::fs;

use agentsdisc_core::discovery::{Discovery, Header, Options, Response};
use agentsdisc_core::manifest::Raw;
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{
    CheckOptions, ConvertOptions, Document, Format, Hints, ParseOptions, detect,
};
use counting::allocations;

/// Runs code that must not allocate.
fn counted(what: &dyn std::fmt::Display, work: impl FnOnce()) {
    let before = allocations();
    work();
    let after = allocations();
    assert_eq!(after - before, 0, "allocations: {what}");
}

/// Decodes and compares all texts, and reads all numbers in all types.
struct Deep {
    buffer: [u8; 1 << 17],
}

impl walk::Visitor for Deep {
    fn text(&mut self, text: Text<'_>) {
        let length = text.decode(&mut self.buffer).map_or(0, str::len);
        assert!(length == text.decoded_len() || length == 0);
        assert!(text.chars().eq(text.chars()));
        assert!(text.chars().count() <= text.raw().len().max(length));
    }

    fn raw(&mut self, raw: Raw<'_>) {
        match raw {
            Raw::Text(text) => self.text(text),
            Raw::Json(value) => {
                let _ = (
                    value.as_bool(),
                    value.is_null(),
                    value.elements().count(),
                    value.get("no-such-member").is_none(),
                );
                for member in value.members() {
                    self.text(member.name);
                }
                if let Some(number) = value.as_number() {
                    let _ = (number.as_u64(), number.as_i64(), number.as_str());
                }
            }
        }
    }

    fn number(&mut self, _: u64) {}
}

fn everything(bytes: &[u8], options: &ParseOptions<'_>, deep: &mut Deep, buffer: &mut [u8]) {
    let _ = detect(bytes, options.hints);
    match Document::parse_with(bytes, options) {
        Ok(document) => {
            walk::manifest(&document.manifest(), deep);
            let _ = document.write_json(buffer);
            document.check(
                &CheckOptions { origin: Some("https://example.com"), ..CheckOptions::default() },
                |diagnostic| {
                    let _ = (
                        diagnostic.code.as_str(),
                        document.position(diagnostic.span.start as usize),
                    );
                },
            );
            for target in [
                Format::AgentsTxt,
                Format::AgentsJson,
                Format::AgentsTxt01,
                Format::AgentsJson01,
                Format::Adp,
                Format::AdpCapability,
            ] {
                let _ =
                    document.write_converted(target, &ConvertOptions::default(), buffer, |loss| {
                        walk::Visitor::text(deep, loss.path.name.unwrap_or_default())
                    });
            }
            let _ = document.write_fixed(buffer, |change| assert!(!change.fix.as_str().is_empty()));
            let again = Document::attach(bytes, *document.outline());
            assert_eq!(again.format(), document.format());
            assert!(document.differences(&again, |_| panic!("a document differs from itself")));
        }
        Err(error) => {
            let _ = (error.position(bytes), error.kind.as_str());
        }
    }
}

#[test]
fn no_vector_causes_an_allocation() {
    let paths = vectors::inputs();
    let mut deep = Box::new(Deep { buffer: [0; 1 << 17] });
    let mut buffer = vec![0; 1 << 20];
    for path in &paths {
        let bytes = fs::read(path).unwrap();
        counted(&path.display(), || {
            everything(&bytes, &ParseOptions::default(), &mut deep, &mut buffer);
            let hints = Hints {
                url: Some("https://example.com/.well-known/agents.json"),
                content_type: Some("application/json"),
            };
            everything(
                &bytes,
                &ParseOptions { hints, ..ParseOptions::default() },
                &mut deep,
                &mut buffer,
            );
            for &format in Format::ALL {
                everything(
                    &bytes,
                    &ParseOptions { format: Some(format), ..ParseOptions::default() },
                    &mut deep,
                    &mut buffer,
                );
            }
        });
    }
}

#[test]
fn discovery_does_not_allocate() {
    let text = b"Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\nAgents-JSON: https://a.example/companion.json\n";
    let headers = [
        Header::new("Location", "/elsewhere"),
        Header::new("Cache-Control", "max-age=\"5\""),
        Header::new("ETag", "\"1\""),
    ];
    let mut statuses = [404, 500, 304, 403].into_iter().cycle();
    counted(&"discovery", || {
        let mut discovery = Discovery::new("https://a.example", &Options::default()).unwrap();
        let mut asked = 0;
        while let Some(id) = discovery.next_request() {
            let request = discovery.request(id).unwrap();
            assert!(
                request.headers("Bot/1.0", None).count() == 2
                    && request.url.starts_with("https://a.example/")
            );
            let status = match request.url.rsplit('/').next().unwrap() {
                "agents.txt" => 302,
                "elsewhere" => 200,
                _ => statuses.next().unwrap(),
            };
            let answer = discovery.respond(
                id,
                &Response { status, headers: &headers, body: text, now: 9, ..Response::default() },
            );
            assert!(answer.is_ok());
            asked += 1;
        }
        assert!(asked >= 8 && discovery.documents().count() > 0 && discovery.is_done());
    });
}

#[test]
fn the_allocator_counts_allocations() {
    let before = allocations();
    drop(std::hint::black_box(Box::new(7)));
    assert_eq!(allocations() - before, 1);
}
