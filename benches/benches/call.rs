//! Planning a call for an agents.txt of 5 KB: the decision, and the request that it allows.

use std::hint::black_box;

use agentsdisc_core::Document;
use agentsdisc_core::call::{Call, Options};
use agentsdisc_core::policy::{Request, Robots, Workspace, decide};
use criterion::{Criterion, criterion_group, criterion_main};

/// An agents.txt with 16 capabilities of two parameters.
fn document() -> String {
    let block = |n: u32| {
        format!(
            "\nCapability: product-search-{n}\n  Endpoint: https://mugs.example/api/search/{n}\n  Method: GET\n  Protocol: REST\n  Auth: none\n  \
             Rate-Limit: 60/minute\n  Description: Search the product catalog, part {n}\n  Param: q (query, string, required) - Search query\n  \
             Param: limit (query, integer) - Max results\n"
        )
    };
    let blocks: String = (0..16).map(block).collect();
    format!(
        "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n{blocks}\nAllow: /api/*\nDisallow: /admin/*\nAgent: *\n"
    )
}

fn bench(criterion: &mut Criterion) {
    let text = document();
    let parsed = Document::parse(text.as_bytes());
    assert!(parsed.is_ok(), "the document is valid");
    let documents: Vec<_> = parsed.into_iter().collect();
    let arguments = br#"{"q": "blue mug", "limit": 10}"#;
    let mut buffer = [0; 1024];
    for id in ["product-search-0", "product-search-15"] {
        let request = Request::capability("Bot", id);
        let decision = decide(&documents[..], Robots::NotAsked, &request);
        criterion.bench_function(&format!("decide/{id}"), |bencher| {
            bencher.iter(|| black_box(decide(&documents[..], Robots::NotAsked, &request).allowed));
        });
        criterion.bench_function(&format!("plan/{id}"), |bencher| {
            bencher.iter(|| {
                let options = Options::default();
                let plan = Call::new().plan(&decision, black_box(arguments), &options, &mut buffer);
                black_box(plan.is_ok())
            });
        });
        let mut workspace = Workspace::new();
        criterion.bench_function(&format!("plan with a workspace/{id}"), |bencher| {
            bencher.iter(|| {
                let (mut call, options) = (Call::new(), Options::default());
                let given = black_box(arguments);
                let plan = call.plan_with(&decision, given, &options, &mut workspace, &mut buffer);
                black_box(plan.is_ok())
            });
        });
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
