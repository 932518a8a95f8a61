//! See `agentsdisc_benches::agents_json` for what each task does.

use agentsdisc_benches::{agents_json, harness, inputs};
use agentsdisc_generator::Kind;
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let mut inputs = inputs::generated(Kind::AgentsJson);
    inputs.extend(inputs::corpus().agents_json);
    harness::criterion(criterion, &inputs, agents_json::tasks());
}

criterion_group!(benches, bench);
criterion_main!(benches);
