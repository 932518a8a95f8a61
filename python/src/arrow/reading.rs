//! Reads many documents on several threads, without Python, into one record batch.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::SchemaRef;

use super::column::{Failure, Tasks};
use super::rows::{Plan, Rows};

/// A body per row, and a URL per row or none.
pub(super) struct Work<'w> {
    pub(super) bodies: Vec<Option<&'w [u8]>>,
    pub(super) urls: Vec<Option<&'w [u8]>>,
}

/// The number of bytes for which another thread pays off.
const PORTION: usize = 128 << 10;
/// The number of bytes between two calls of `go_on`.
const STEP: usize = 4 << 20;
/// A portion is divided by this number. Its first part determines the capacity that is reserved for
/// the other parts.
const SAMPLE: usize = 16;
/// The cost of an empty document, in bytes.
const PER_DOCUMENT: usize = 256;

/// Reads all documents, in order, on at most `threads` threads, including this one. Calls `go_on`
/// regularly, on this thread, and stops if it returns false.
pub(super) fn read(
    work: &Work<'_>,
    plan: &Plan,
    schema: &SchemaRef,
    threads: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<RecordBatch, Failure> {
    let stop = AtomicBool::new(false);
    let whole = total(&work.bodies);
    let mut portions = portions(&work.bodies, whole, threads);
    let first = portions.pop().unwrap_or(0..0);
    // Reads a portion. `expected` is the cost of all documents that its table will hold.
    let part = |range: Range<usize>, expected: Option<usize>, go_on: &mut dyn FnMut() -> bool| {
        let mut rows = Rows::new(&plan.chosen);
        let bodies = work.bodies.get(range.clone()).unwrap_or_default();
        let own = total(bodies);
        let (mut size, mut step, mut sample) = (0, STEP, own / SAMPLE);
        for (row, body) in range.zip(bodies) {
            let url =
                work.urls.get(row).copied().flatten().and_then(|url| std::str::from_utf8(url).ok());
            rows.add(*body, url, plan.limits);
            size += cost(*body);
            if size >= sample {
                sample = usize::MAX;
                rows.make_room((expected.unwrap_or(own) / size).saturating_sub(1));
            }
            if size >= step {
                step = size + STEP;
                if stop.load(Ordering::Relaxed) || !go_on() {
                    stop.store(true, Ordering::Relaxed);
                    return Err(Failure::Interrupted);
                }
            }
        }
        Ok(rows)
    };
    let rows = if portions.is_empty() {
        part(first, None, go_on)?
    } else {
        // The portions are in reverse order, so the last one is the first. The others are appended
        // to its table.
        let parts = thread::scope(|scope| {
            let part = &part;
            let started: Vec<_> = portions
                .iter()
                .map(|range| {
                    thread::Builder::new()
                        .spawn_scoped(scope, move || part(range.clone(), None, &mut || true))
                        .map_err(|_| range)
                })
                .collect();
            let mut parts = vec![part(first, Some(whole), go_on)];
            for thread in started.into_iter().rev() {
                parts.push(match thread {
                    Ok(thread) => thread
                        .join()
                        .unwrap_or_else(|_| Err(Failure::Arrow("a thread has failed".to_owned()))),
                    // The part of a thread that could not be started is not lost.
                    Err(range) => part(range.clone(), None, go_on),
                });
            }
            parts
        });
        let mut parts = parts.into_iter();
        let mut rows = parts.next().unwrap_or_else(|| Ok(Rows::new(&plan.chosen)))?;
        rows.take_up(parts.collect::<Result<_, _>>()?, |tasks| share(tasks, threads));
        rows
    };
    let (done, rows) = rows.finish()?;
    batch(schema, done.arrays, rows)
}

/// Runs the tasks on at most this many threads, including this one: each takes the next task.
fn share(tasks: Tasks<'_>, threads: usize) {
    let tasks = Mutex::new(tasks.into_iter());
    let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(task) = next() {
            task();
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If a thread cannot be started, the others run its tasks.
            drop(thread::Builder::new().spawn_scoped(scope, work));
        }
        work();
    });
}

fn batch(schema: &SchemaRef, arrays: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch, Failure> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(schema.clone(), arrays, &options)?)
}

fn cost(body: Option<&[u8]>) -> usize {
    PER_DOCUMENT + body.map_or(0, <[u8]>::len)
}

fn total(bodies: &[Option<&[u8]>]) -> usize {
    bodies.iter().map(|body| cost(*body)).sum()
}

/// Ranges of rows with about equal numbers of bytes, the last range first.
fn portions(bodies: &[Option<&[u8]>], total: usize, threads: usize) -> Vec<Range<usize>> {
    let count = threads.min(total / PORTION).max(1);
    let (mut portions, mut start, mut size) = (Vec::with_capacity(count), 0, 0);
    for (row, body) in bodies.iter().enumerate() {
        size += cost(*body);
        if size >= total / count && portions.len() + 1 < count {
            portions.push(start..row + 1);
            (start, size) = (row + 1, 0);
        }
    }
    portions.push(start..bodies.len());
    portions.reverse();
    portions
}

/// Returns the schema with the copied columns before its own.
pub(super) fn behind(kept: &[arrow_schema::FieldRef], schema: &SchemaRef) -> SchemaRef {
    let fields: Vec<_> = kept.iter().chain(schema.fields()).cloned().collect();
    Arc::new(arrow_schema::Schema::new_with_metadata(fields, schema.metadata().clone()))
}
