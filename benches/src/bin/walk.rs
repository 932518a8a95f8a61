//! Measures how many documents per second one core parses and reads completely: the reference for
//! batches in `python/bench_batch.py`.
//!
//! `cargo run --release -p agentsdisc-benches --bin walk -- FOLDER…` prints a line for each folder
//! of documents: name, documents per second, bytes per second. It reads all values of the unified
//! model by walking its lists, and keeps none. The figures are those of the fastest of many rounds.

use std::path::Path;
use std::time::{Duration, Instant};

use agentsdisc_benches::{Toucher, walk};
use agentsdisc_core::Document;

fn main() -> std::io::Result<()> {
    for folder in std::env::args().skip(1) {
        let mut documents = Vec::new();
        for entry in std::fs::read_dir(&folder)? {
            documents.push(std::fs::read(entry?.path())?);
        }
        let size: usize = documents.iter().map(Vec::len).sum();
        let best = best(&documents).as_secs_f64();
        let name =
            Path::new(&folder).file_name().unwrap_or_default().to_string_lossy().into_owned();
        println!("{name}\t{:.0}\t{:.0}", documents.len() as f64 / best, size as f64 / best);
    }
    Ok(())
}

/// Returns the shortest time in which all documents were read.
fn best(documents: &[Vec<u8>]) -> Duration {
    let (mut best, begun) = (Duration::MAX, Instant::now());
    while begun.elapsed() < Duration::from_secs(1) {
        let started = Instant::now();
        let mut toucher = Toucher::default();
        for bytes in documents {
            if let Ok(document) = Document::parse(std::hint::black_box(bytes)) {
                walk::manifest(&document.manifest(), &mut toucher);
            }
        }
        std::hint::black_box(toucher.0);
        best = best.min(started.elapsed());
    }
    best
}
