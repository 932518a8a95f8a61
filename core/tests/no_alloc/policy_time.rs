//! The time of a decision per byte is not greater for large documents than for small ones, within a
//! generous factor; and a decision does not allocate.

use agentsdisc_core::policy::{Request, Robots, decide};
use agentsdisc_core::{Document, Format, Limits, ParseOptions};

use crate::counting::allocations;
use crate::time;

fn ask(document: Document<'_>) -> u64 {
    let documents = [document];
    let before = allocations();
    let mut sum = 0;
    for request in [
        Request::url("bot", "https://e.test/x?a=b"),
        Request::url("bot", "https://e.test/x").with_method("POST"),
        Request::capability("bot", "c"),
        Request::url("bot", "https://m.e.test/x"),
    ] {
        let decision = decide(&documents, Robots::NotAsked, &request.with_origin("https://e.test"));
        sum += u64::from(decision.allowed)
            + decision.rate_limits().map(|limit| u64::from(limit.requests)).sum::<u64>();
        decision.put_json(&mut [0; 256], &mut |piece: &[u8]| sum += piece.len() as u64);
    }
    assert_eq!(allocations(), before, "a decision allocates");
    sum
}

fn seconds(bytes: &[u8], format: Format, times: usize) -> f64 {
    let limits = Limits { document: usize::MAX, line: usize::MAX, ..Limits::DEFAULT };
    let document = Document::parse_with(
        bytes,
        &ParseOptions { format: Some(format), limits, ..ParseOptions::default() },
    )
    .unwrap();
    let start = time::processor_time();
    for _ in 0..times {
        std::hint::black_box(ask(document));
    }
    (time::processor_time() - start).as_secs_f64()
}

/// Measures a document of a head, many items and an end, and again with different items.
fn linear(name: &str, format: Format, make: impl Fn(usize) -> String) {
    let (small, large) = (8 << 10, 512 << 10);
    let (small, large) = (make(small), make(large));
    let times = large.len() / small.len();
    let (mut few, mut many) = (f64::MAX, f64::MAX);
    for _ in 0..5 {
        few = few.min(seconds(small.as_bytes(), format, times));
        many = many.min(seconds(large.as_bytes(), format, 1));
        if many < few * 4.0 {
            return;
        }
    }
    panic!(
        "{name}: {many} s for one document of {} bytes, {few} s for the same in small ones",
        large.len()
    );
}

fn items(size: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0.. {
        if text.len() > size {
            break;
        }
        if number > 0 {
            text += separator;
        }
        text += &item(number);
    }
    text
}

#[test]
fn capabilities_of_one_endpoint() {
    linear("one endpoint", Format::AgentsTxt, |size| {
        let capability = |n: usize| {
            format!(
                "Capability: c{n}\n  Endpoint: https://e.test/x\n  Protocol: REST\n  Rate-Limit: {}/hour\n",
                n + 9
            )
        };
        format!(
            "{}Agent: bot\n  Capabilities: {}\n",
            items(size / 2, "", capability),
            items(size / 2, ",", |n| format!("c{}", n / 2))
        )
    });
}

#[test]
fn capabilities_of_one_id() {
    linear("one id", Format::AgentsJson, |size| {
        let capability = |n: usize| {
            format!(
                "{{\"id\":\"c\",\"endpoint\":\"https://e.test/x\",\"rateLimit\":\"{}/day\",\"auth\":{{\"scopes\":[1,2]}}}}",
                n + 1
            )
        };
        format!(
            "{{\"site\":{{\"x\":[{}]}},\"capabilities\":[{}]}}",
            items(size / 2, ",", |n| n.to_string()),
            items(size / 2, ",", capability)
        )
    });
}

#[test]
fn actions_in_lists() {
    linear("lists", Format::Awp, |size| {
        let action = |n: usize| {
            format!(
                "{{\"id\":\"c{n}\",\"endpoint\":\"/x\",\"method\":\"GET\",\"rate_limit\":\"{}/day\"}}",
                n + 1
            )
        };
        let list = |front: &str| items(size / 4, ",", |n| format!("\"{front}{n}\""));
        format!(
            "{{\"auth\":{{\"type\":\"oauth2\",\"required_for\":[{}]}},\"agent_status\":{{\"degraded_actions\":[{}]}},\"actions\":[{}]}}",
            list("a"),
            list("b"),
            items(size / 2, ",", action)
        )
    });
}

#[test]
fn actions_through_protocols() {
    linear("protocols", Format::Awp, |size| {
        let protocol = |n: usize| format!("\"p{n}\":{{\"endpoint\":\"https://m.e.test/x\"}}");
        let action = |n: usize| {
            format!("{{\"id\":\"c\",\"via\":\"p{n}\",\"rate_limit\":\"{}/day\"}}", n + 1)
        };
        format!(
            "{{\"protocols\":{{{}}},\"actions\":[{}]}}",
            items(size / 2, ",", protocol),
            items(size / 2, ",", action)
        )
    });
}

#[test]
fn entries_under_a_large_service() {
    linear("entries", Format::Adp, |size| {
        let entry = |n: usize| {
            format!("{{\"name\":\"c\",\"n\":{n},\"endpoint\":\"/x\",\"method\":\"GET\"}}")
        };
        let auth = items(size / 2, ",", |n| format!("\"x{n}\":1"));
        format!(
            "{{\"base_url\":\"https://e.test\",\"auth\":{{{auth}}},\"capabilities\":[{}]}}",
            items(size / 2, ",", entry)
        )
    });
}

#[test]
fn rules_and_policies() {
    linear("rules", Format::AgentsTxt, |size| {
        format!(
            "Site-URL: https://e.test\n{}{}",
            items(size / 2, "", |n| format!("Disallow: /*{n}*x?a\nAllow: /x*{n}\n")),
            items(size / 2, "", |n| format!("Agent: bot\n  Rate-Limit: {}/hour\n", n + 1))
        )
    });
}

#[test]
fn a_decision_fits_a_small_stack() {
    let text = "{\"awp_version\":\"0.2\",\"domain\":\"e\\u002etest\",\"intent\":\"x\",\"protocols\":{\"p\":{\"endpoint\":\"\\/m\"}},\"actions\":[\
        {\"id\":\"a\",\"via\":\"p\",\"rate_limit\":\"1\\/day\"},{\"id\":\"b\",\"endpoint\":\"\\/b\\/{id}\",\"method\":\"GET\",\"rate_limit\":\"1\\/hour\"}]}";
    let rules = "{\"specVersion\":\"1.0\",\"site\":{\"url\":\"https:\\/\\/e.test\"},\"access\":{\"disallow\":[\"\\/c*\"]},\"capabilities\":[]}";
    let size = std::env::var("STACK").map_or(64, |size| size.parse().unwrap()) << 10;
    let work = move || {
        let of = |format, text: &'static str| {
            Document::parse_with(
                text.as_bytes(),
                &ParseOptions { format: Some(format), ..ParseOptions::default() },
            )
            .unwrap()
        };
        let documents = [of(Format::Awp, text), of(Format::AgentsJson, rules)];
        let requests = [
            Request::url("bot", "https://e.test/x/..//b/7?q"),
            Request::url("bot", "/m").with_method("POST"),
            Request::capability("bot", "a").with_origin("https://e.test/x"),
            Request::capability("bot", "b"),
        ];
        let mut length = 0;
        for request in requests {
            decide(&documents, Robots::Unreachable, &request)
                .put_json(&mut [0; 64], &mut |piece: &[u8]| length += piece.len());
        }
        length
    };
    assert!(
        std::thread::Builder::new().stack_size(size).spawn(work).unwrap().join().unwrap() > 100
    );
}
