//! See `agentsdisc_benches::json` for what each task does.

use agentsdisc_benches::{harness, inputs, json};
use agentsdisc_generator::Kind;
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let mut inputs = inputs::generated(Kind::AgentsJson);
    inputs.extend(inputs::corpus().json);
    harness::criterion(criterion, &inputs, json::tasks());
}

criterion_group!(benches, bench);
criterion_main!(benches);
