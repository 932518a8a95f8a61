//! See `agentsdisc_benches::model` for what each task does.

use agentsdisc_benches::{harness, inputs, model};
use agentsdisc_generator::Kind;
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let mut inputs = inputs::generated(Kind::AgentsJson);
    inputs.extend(inputs::corpus().agents_json);
    harness::criterion(criterion, &inputs, model::tasks());
}

criterion_group!(benches, bench);
criterion_main!(benches);
