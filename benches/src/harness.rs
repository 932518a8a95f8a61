//! Running lists of tasks: through criterion, and quickly for a table.

use std::fmt::Write;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};

use crate::Task;
use crate::inputs::Input;

/// Whether a task reads every document of an input. A peer that panics does not.
fn reads(task: &mut Task, input: &Input) -> bool {
    let all = || input.documents.iter().all(|document| (task.run)(document).is_some());
    catch_unwind(AssertUnwindSafe(all)).unwrap_or(false)
}

fn pass(task: &mut Task, input: &Input) {
    for document in &input.documents {
        black_box((task.run)(black_box(document)));
    }
}

/// Every task on every input, as a criterion group for each input.
pub fn criterion(criterion: &mut Criterion, inputs: &[Input], mut tasks: Vec<Task>) {
    for input in inputs {
        let mut group = criterion.benchmark_group(&input.name);
        group.throughput(Throughput::Bytes(input.bytes() as u64));
        group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).sample_size(20);
        for task in &mut tasks {
            if reads(task, input) {
                group.bench_function(task.name, |bencher| bencher.iter(|| pass(task, input)));
            }
        }
        group.finish();
    }
}

/// How a table is measured.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How often each task has its turn.
    pub rounds: usize,
    /// How long a turn is. Shorter than a time slice of the scheduler, so that some turns are not interrupted.
    pub turn: Duration,
}

/// Megabytes (10^6 bytes) per second of every task, the best of its turns; `None` where it cannot read the input.
/// The tasks take turns, so that whatever else the machine does falls on all of them; what it does only ever makes a turn slower, so the best one
/// says most.
pub fn speeds(input: &Input, tasks: &mut [Task], effort: Effort) -> Vec<Option<f64>> {
    let able: Vec<bool> = tasks.iter_mut().map(|task| reads(task, input)).collect();
    let mut best: Vec<Option<f64>> = vec![None; tasks.len()];
    for _ in 0..effort.rounds {
        for ((task, best), _) in tasks.iter_mut().zip(&mut best).zip(&able).filter(|(_, able)| **able) {
            pass(task, input);
            let start = Instant::now();
            let mut passes = 0_u32;
            while passes == 0 || start.elapsed() < effort.turn {
                pass(task, input);
                passes += 1;
            }
            let speed = input.bytes() as f64 * f64::from(passes) / start.elapsed().as_secs_f64() / 1e6;
            *best = Some(best.map_or(speed, |best| best.max(speed)));
        }
    }
    best
}

/// A Markdown table: a row for each task, a column for each input, in MB/s, and beside each peer how many times as fast ours is.
/// Ours is the first task.
pub fn table(title: &str, inputs: &[Input], mut tasks: Vec<Task>, effort: Effort) -> String {
    let mut text = format!("### {title}\n\n|");
    let mut rule = String::from("\n| --- |");
    let columns: Vec<_> = inputs.iter().map(|input| speeds(input, &mut tasks, effort)).collect();
    for input in inputs {
        let _ = write!(text, " | {}", input.name);
        rule.push_str(" ---: |");
    }
    text.push_str(" |");
    text.push_str(&rule);
    for (number, task) in tasks.iter().enumerate() {
        let _ = write!(text, "\n| {}", task.name);
        for column in &columns {
            let ours = column.first().copied().flatten();
            match (column.get(number).copied().flatten(), ours) {
                (Some(speed), Some(ours)) if number > 0 => {
                    let _ = write!(text, " | {speed:.0} ({:.2} ×)", ours / speed);
                }
                (Some(speed), _) => {
                    let _ = write!(text, " | **{speed:.0}**");
                }
                (None, _) => text.push_str(" | –"),
            }
        }
        text.push_str(" |");
    }
    text.push('\n');
    text
}
