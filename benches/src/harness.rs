//! Runs lists of tasks: with criterion, or quickly for a table.

use std::fmt::Write;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};

use crate::Task;
use crate::inputs::Input;

/// Returns true if a task reads all documents of an input; false also if a peer panics.
fn reads(task: &mut Task, input: &Input) -> bool {
    let all = || input.documents.iter().all(|document| (task.run)(document).is_some());
    catch_unwind(AssertUnwindSafe(all)).unwrap_or(false)
}

fn pass(task: &mut Task, input: &Input) {
    for document in &input.documents {
        black_box((task.run)(black_box(document)));
    }
}

/// Runs all tasks on all inputs, with one criterion group for each input.
pub fn criterion(criterion: &mut Criterion, inputs: &[Input], mut tasks: Vec<Task>) {
    for input in inputs {
        let mut group = criterion.benchmark_group(&input.name);
        group.throughput(Throughput::Bytes(input.bytes() as u64));
        group
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1))
            .sample_size(20);
        for task in &mut tasks {
            if reads(task, input) {
                group.bench_function(task.name, |bencher| bencher.iter(|| pass(task, input)));
            }
        }
        group.finish();
    }
}

/// The effort of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of turns of each task.
    pub rounds: usize,
    /// The length of a turn. Shorter than a time slice of the scheduler, so that some turns are not
    /// interrupted.
    pub turn: Duration,
}

/// Returns the megabytes (10^6 bytes) per second of each task in its best turn; `None` if it cannot
/// read the input. The tasks take turns, so that other load affects all of them. Load can only make
/// a turn slower, so the best turn is the most reliable.
pub fn speeds(input: &Input, tasks: &mut [Task], effort: Effort) -> Vec<Option<f64>> {
    let able: Vec<bool> = tasks.iter_mut().map(|task| reads(task, input)).collect();
    let mut best: Vec<Option<f64>> = vec![None; tasks.len()];
    for _ in 0..effort.rounds {
        for ((task, best), _) in
            tasks.iter_mut().zip(&mut best).zip(&able).filter(|(_, able)| **able)
        {
            pass(task, input);
            let start = Instant::now();
            let mut passes = 0_u32;
            while passes == 0 || start.elapsed() < effort.turn {
                pass(task, input);
                passes += 1;
            }
            let speed =
                input.bytes() as f64 * f64::from(passes) / start.elapsed().as_secs_f64() / 1e6;
            *best = Some(best.map_or(speed, |best| best.max(speed)));
        }
    }
    best
}

/// The measurements of one kind of work: a row for each task, a column for each input. The first
/// task is this library's.
pub struct Measured {
    /// The name of the work.
    pub title: &'static str,
    /// The names of the inputs.
    pub inputs: Vec<String>,
    /// The tasks, with megabytes per second for each input; `None` if the task cannot read it.
    pub tasks: Vec<(&'static str, Vec<Option<f64>>)>,
}

/// Measures all tasks on all inputs.
pub fn measure(
    title: &'static str,
    inputs: &[Input],
    mut tasks: Vec<Task>,
    effort: Effort,
) -> Measured {
    let columns: Vec<_> = inputs.iter().map(|input| speeds(input, &mut tasks, effort)).collect();
    let row = |number: usize| {
        columns.iter().map(|column| column.get(number).copied().flatten()).collect()
    };
    Measured {
        title,
        inputs: inputs.iter().map(|input| input.name.clone()).collect(),
        tasks: tasks.iter().enumerate().map(|(number, task)| (task.name, row(number))).collect(),
    }
}

impl Measured {
    /// Returns the ratio of this library's speed to a peer's, for each input that both read.
    fn ratios<'m>(&'m self, peer: &'m [Option<f64>]) -> impl Iterator<Item = (&'m str, f64)> {
        let ours = self.tasks.first().map_or(&[] as &[_], |(_, speeds)| speeds.as_slice());
        let pairs = ours.iter().zip(peer).zip(&self.inputs);
        pairs.filter_map(|((ours, peer), input)| Some((input.as_str(), (*ours)? / (*peer)?)))
    }

    /// Returns a Markdown table in MB/s, with this library's ratio beside the figures of all other
    /// rows.
    pub fn table(&self) -> String {
        let mut text = format!("### {}\n\n|", self.title);
        let mut rule = String::from("\n| --- |");
        for input in &self.inputs {
            let _ = write!(text, " | {input}");
            rule.push_str(" ---: |");
        }
        text.push_str(" |");
        text.push_str(&rule);
        for (number, (name, speeds)) in self.tasks.iter().enumerate() {
            let _ = write!(text, "\n| {name}");
            let mut ratios = self.ratios(speeds).map(|(_, ratio)| ratio);
            for speed in speeds {
                match speed {
                    Some(speed) if number == 0 => {
                        let _ = write!(text, " | **{speed:.0}**");
                    }
                    Some(speed) => {
                        let _ = write!(
                            text,
                            " | {speed:.0} ({:.2} ×)",
                            ratios.next().unwrap_or(f64::NAN)
                        );
                    }
                    None => text.push_str(" | –"),
                }
            }
            text.push_str(" |");
        }
        text.push('\n');
        text
    }

    /// Lists the peers that are faster than this library on some input, with the lowest ratio.
    /// Other rows of this library are not peers.
    pub fn losses(&self) -> Vec<String> {
        let peers = self.tasks.iter().filter(|(name, _)| !name.starts_with("agentsdisc"));
        peers
            .filter_map(|(name, speeds)| {
                let slower: Vec<_> =
                    self.ratios(speeds).filter(|(_, ratio)| *ratio < 0.995).collect();
                let (input, least) = slower.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1))?;
                let all = speeds.iter().flatten().count();
                Some(format!(
                    "| {} | {name} | {} of {all} | {least:.2} | {input} |",
                    self.title,
                    slower.len()
                ))
            })
            .collect()
    }
}
