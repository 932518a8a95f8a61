//! Compares three designs of JSON views, on agents.json and ADP manifests.
//!
//! - **a, again**: the library's design. The text is validated once; views walk it again at each
//! access. Nothing is stored.
//! - **b, index**: the validating pass writes eight bytes for each token (its start; its end, or
//! the entry after the container) into the caller's buffer; views go from entry to entry and read
//! no bytes in between.
//! - **c, fused**: one pass validates and fills typed structs, which a visitor receives when they
//! are complete: the parameters of a capability before the capability. If a list is repeated (the
//! last one counts, but the first one is already delivered), it gives up and design a is used.
//!
//! b and c share their typed reading ([`draft`], [`adp`]), which is generic over the source of
//! values, so their difference is that of the machinery. Both keep unknown members, as a does. The
//! code is an experiment: it does not handle all unusual shapes that the library reads.
//!
//! `cargo run --release -p agentsdisc-benches --bin views [-- --quick | --thorough]`

mod reader;
mod reading;

use std::time::Duration;

use agentsdisc_benches::harness::{Effort, measure};
use agentsdisc_benches::{Task, Toucher, agents_json, inputs, touch, walk};
use agentsdisc_core::manifest::Choice;
use agentsdisc_core::syntax::json::Tokenizer;
use agentsdisc_core::{Document, Format, ParseOptions};
use agentsdisc_generator::Kind;
use reader::{Entry, Fused, Indexed, build};
use reading::{All, Nine, Visitor, adp, draft};

fn parse(bytes: &[u8], format: Format) -> Option<Document<'_>> {
    Document::parse_with(
        bytes,
        &ParseOptions {
            format: Some(format),
            ..ParseOptions::default()
        },
    )
    .ok()
}

fn all_again(bytes: &[u8], format: Format) -> Option<u64> {
    let mut toucher = Toucher::default();
    walk::manifest(&parse(bytes, format)?.manifest(), &mut toucher);
    Some(toucher.0)
}

fn nine_again(bytes: &[u8], format: Format) -> Option<u64> {
    let document = parse(bytes, format)?;
    let service = document.manifest().service().unwrap_or_default();
    let c = document
        .manifest()
        .capabilities()
        .next()
        .unwrap_or_default();
    let nine = Nine {
        texts: [
            service.name,
            service.url,
            service.description,
            c.id,
            c.endpoint,
            c.method,
            c.description,
        ],
        protocol: c.protocol,
        auth: c.auth.map(|auth| auth.kind),
        filled: true,
    };
    Some(nine.sum())
}

fn one_again(bytes: &[u8], format: Format) -> Option<u64> {
    Some(touch(
        parse(bytes, format)?.manifest().service()?.name?.raw(),
    ))
}

/// c: the whole pass. UTF-8 is validated before, as in `Document::parse`.
fn fused<'a>(bytes: &'a [u8], format: Format, visitor: &mut impl Visitor<'a>) -> Option<()> {
    simdutf8::basic::from_utf8(bytes).ok()?;
    let mut reader = Fused {
        bytes,
        tokens: Tokenizer::new(bytes),
        failed: false,
    };
    let top = reader.next()?;
    if format == Format::Adp {
        adp(&mut reader, top, visitor)
    } else {
        draft(&mut reader, top, visitor)
    }
    (!reader.failed && reader.tokens.next_token().ok()?.is_none()).then_some(())
}

fn indexed<'i>(bytes: &'i [u8], index: &'i mut [Entry]) -> Option<Indexed<'i>> {
    simdutf8::basic::from_utf8(bytes).ok()?;
    let length = build(bytes, index)?;
    Some(Indexed {
        bytes,
        index: index.get(..length)?,
        failed: false,
    })
}

fn nine_indexed(reader: Indexed<'_>, format: Format) -> u64 {
    let (service, id) = if format == Format::Adp {
        (Some(0), "name")
    } else {
        (reader.get(0, "site"), "id")
    };
    let url = if format == Format::Adp {
        "base_url"
    } else {
        "url"
    };
    let capability = reader.get(0, "capabilities").map(|list| list + 1);
    let of_service = |name| service.and_then(|service| reader.get_text(service, name));
    let of_first = |name| capability.and_then(|capability| reader.get_text(capability, name));
    let auth = capability.and_then(|capability| reader.get(capability, "auth"));
    let nine = Nine {
        texts: [
            of_service("name"),
            of_service(url),
            of_service("description"),
            of_first(id),
            of_first("endpoint"),
            of_first("method"),
            of_first("description"),
        ],
        protocol: of_first("protocol").map(Choice::read),
        auth: auth
            .and_then(|auth| reader.get_text(auth, "type"))
            .map(Choice::read),
        filled: true,
    };
    nine.sum()
}

/// Space for the index of a document of 1 MB.
fn room() -> Vec<Entry> {
    vec![Entry::default(); 1 << 17]
}

fn all_tasks(format: Format) -> Vec<Task> {
    let mut index = room();
    let mut tasks = vec![
        Task::new("a, again", move |bytes| all_again(bytes, format)),
        Task::new("b, index", move |bytes| {
            let mut reader = indexed(bytes, &mut index)?;
            let mut all = All::default();
            if format == Format::Adp {
                adp(&mut reader, 0, &mut all)
            } else {
                draft(&mut reader, 0, &mut all)
            }
            (!reader.failed).then_some(all.0)
        }),
        Task::new("c, fused", move |bytes| {
            let mut all = All::default();
            fused(bytes, format, &mut all)?;
            Some(all.0)
        }),
        Task::new("only parsing (a)", move |bytes| {
            parse(bytes, format).map(|document| document.outline().format() as u64)
        }),
    ];
    if format == Format::AgentsJson {
        // Peers, for comparison.
        tasks.extend(agents_json::tasks().into_iter().filter(|task| {
            matches!(
                task.name,
                "serde_json structs" | "simd-json structs" | "jiter by hand"
            )
        }));
    }
    tasks
}

fn nine_tasks(format: Format) -> Vec<Task> {
    let mut index = room();
    vec![
        Task::new("a, again", move |bytes| nine_again(bytes, format)),
        Task::new("b, index", move |bytes| {
            Some(nine_indexed(indexed(bytes, &mut index)?, format))
        }),
        Task::new("c, fused", move |bytes| {
            let mut nine = Nine::default();
            fused(bytes, format, &mut nine)?;
            Some(nine.sum())
        }),
    ]
}

fn one_tasks(format: Format) -> Vec<Task> {
    let mut index = room();
    vec![
        Task::new("a, again", move |bytes| one_again(bytes, format)),
        Task::new("b, index", move |bytes| {
            let reader = indexed(bytes, &mut index)?;
            let service = if format == Format::Adp {
                Some(0)
            } else {
                reader.get(0, "site")
            };
            Some(touch(reader.get_text(service?, "name")?.raw()))
        }),
        Task::new("c, fused", move |bytes| {
            let mut nine = Nine::default();
            fused(bytes, format, &mut nine)?;
            nine.texts
                .first()
                .copied()
                .flatten()
                .map(|text| touch(text.raw()))
        }),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = match arguments.first().map(String::as_str) {
        Some("--quick") => 15,
        Some("--thorough") => 401,
        _ => 101,
    };
    let effort = Effort {
        rounds,
        turn: Duration::from_millis(1),
    };
    let corpus = inputs::corpus();
    println!(
        "MB/s, the best of {rounds} turns of 1 ms; in brackets, the speed of a relative to the row.\n"
    );
    for (format, kind, real) in [
        (Format::AgentsJson, Kind::AgentsJson, Vec::new()),
        (Format::Adp, Kind::Adp, corpus.adp),
    ] {
        let mut inputs = inputs::generated(kind);
        inputs.extend(real);
        println!(
            "{}",
            measure(
                "bytes to every typed value",
                &inputs,
                all_tasks(format),
                effort
            )
            .table()
        );
        println!(
            "{}",
            measure(
                "bytes to nine values (service and first capability)",
                &inputs,
                nine_tasks(format),
                effort
            )
            .table()
        );
        println!(
            "{}",
            measure(
                "bytes to one value (the name)",
                &inputs,
                one_tasks(format),
                effort
            )
            .table()
        );
        println!(
            "| index of b | entries | bytes | for each byte of text |\n| --- | ---: | ---: | ---: |"
        );
        let mut index = room();
        for input in &inputs {
            let entries: usize = input
                .documents
                .iter()
                .filter_map(|document| build(document, &mut index))
                .sum();
            let bytes = entries * size_of::<Entry>();
            println!(
                "| {} | {entries} | {bytes} | {:.2} |",
                input.name,
                bytes as f64 / input.bytes() as f64
            );
        }
        println!();
    }
    println!(
        "State: a {} bytes (the outline), c {} bytes (the tokenizer).",
        size_of::<agentsdisc_core::Outline>(),
        size_of::<Tokenizer<'_>>()
    );
}
