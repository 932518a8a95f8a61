//! See `agentsdisc_benches::agents_txt` for what each task does.

use agentsdisc_benches::{agents_txt, harness, inputs};
use agentsdisc_generator::Kind;
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let mut inputs = inputs::generated(Kind::AgentsTxt);
    inputs.extend(inputs::corpus().agents_txt);
    harness::criterion(criterion, &inputs, agents_txt::tasks());
}

criterion_group!(benches, bench);
criterion_main!(benches);
