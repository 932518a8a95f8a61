//! Reads archives for `agentsdisc ingest`, without holding the GIL.

use std::collections::HashSet;
use std::io::{self, Read};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agentsdisc_crawl::{Batch, Options, Reader, Revisit, Source};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PySet, PyTuple};

/// How long a wait may delay a signal.
const TURN: Duration = Duration::from_millis(50);

/// The responses in an archive, as an iterator of batches: the fields of `Documents` in their order, with tuples for captures and revisits.
#[pyclass(module = "agentsdisc._agentsdisc", name = "_Archive")]
pub(crate) struct Archive {
    name: String,
    /// `None` after the end. The mutex is never waited for: it makes the class usable by all threads.
    reader: Mutex<Option<Reader>>,
}

#[pymethods]
impl Archive {
    /// `source` is bytes or a file. `prefix`: bytes that were taken from the file, which is then read as a stream. `section`: the start and the size of the
    /// part of the file that is the archive. `only`: the URLs to read, or else the known locations and their revisits. `batch`: the items and the bytes at
    /// which a batch is full.
    #[new]
    #[expect(clippy::too_many_arguments, reason = "one caller, which names them")]
    fn new(
        name: String,
        source: &Bound<'_, PyAny>,
        prefix: Option<Vec<u8>>,
        section: Option<(u64, u64)>,
        limit: usize,
        all_records: bool,
        only: Option<HashSet<String>>,
        revisits: bool,
        threads: usize,
        batch: (usize, usize),
    ) -> PyResult<Self> {
        let (batch_items, batch_bytes) = batch;
        let options = Options {
            name: name.clone(),
            limit,
            all_records,
            only: only.map(Arc::new),
            revisits,
            threads,
            batch_items,
            batch_bytes,
            ..Options::default()
        };
        let reader = Reader::new(source_of(source, prefix, section)?, options);
        Ok(Self { name, reader: Mutex::new(Some(reader)) })
    }

    fn __iter__(own: PyRef<'_, Self>) -> PyRef<'_, Self> {
        own
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        loop {
            let Ok(Some(reader)) = self.reader.get_mut() else { return Ok(None) };
            match py.detach(|| reader.next_batch_within(TURN)) {
                Ok(Some(batch)) => return made(py, &self.name, batch).map(Some),
                Ok(None) => self.close(py),
                Err(_) => py.check_signals()?,
            }
        }
    }

    /// Ends reading, and waits for the threads.
    fn close(&mut self, py: Python<'_>) {
        // A thread may wait for the GIL.
        if let Ok(reader) = self.reader.get_mut() {
            let reader = reader.take();
            py.detach(move || drop(reader));
        }
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        if matches!(self.reader.get_mut(), Ok(Some(_))) {
            Python::attach(|py| self.close(py));
        }
    }
}

fn source_of(
    source: &Bound<'_, PyAny>,
    prefix: Option<Vec<u8>>,
    section: Option<(u64, u64)>,
) -> PyResult<Source> {
    if let Ok(data) = source.cast::<PyBytes>() {
        return Ok(Source::bytes(data.as_bytes()));
    }
    // A file of the system is read without the GIL, and may be left while it waits.
    if let Some(file) = file_of(source, prefix.is_some())? {
        return Ok(match (prefix, section) {
            (Some(prefix), _) => Source::stream(io::Cursor::new(prefix).chain(file)),
            (None, Some((start, size))) => Source::section(file, start, size),
            (None, None) => Source::file(file)?,
        });
    }
    let stream = Stream(source.clone().unbind());
    Ok(Source::stream(io::Cursor::new(prefix.unwrap_or_default()).chain(stream)))
}

#[cfg(unix)]
fn file_of(source: &Bound<'_, PyAny>, _: bool) -> PyResult<Option<std::fs::File>> {
    let Ok(number) = source.call_method0("fileno").and_then(|number| number.extract()) else {
        return Ok(None);
    };
    // SAFETY: the object is alive and has this descriptor, which is only copied.
    #[allow(unsafe_code)]
    let file = unsafe { std::os::fd::BorrowedFd::borrow_raw(number) };
    Ok(Some(file.try_clone_to_owned()?.into()))
}

#[cfg(not(unix))]
fn file_of(source: &Bound<'_, PyAny>, is_begun: bool) -> PyResult<Option<std::fs::File>> {
    let name = source.getattr("name").and_then(|name| name.extract::<std::path::PathBuf>());
    let Some(name) = name.ok().filter(|_| !is_begun) else { return Ok(None) };
    Ok(Some(std::fs::File::open(name)?))
}

fn made<'py>(py: Python<'py>, name: &str, batch: Batch) -> PyResult<Bound<'py, PyTuple>> {
    let count = batch.items.len();
    let (mut sources, mut urls) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let (mut bodies, mut sizes) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let (problems, dates, captures) = (PyDict::new(py), PyDict::new(py), PyDict::new(py));
    let (recovered, lost) = (PySet::empty(py)?, PySet::empty(py)?);
    let mut held = 0;
    for (at, item) in batch.items.into_iter().enumerate() {
        sources.push(format!("{name}{}", item.place));
        urls.push(item.url);
        sizes.push(item.size);
        if item.is_recovered {
            recovered.add(at)?;
        }
        if item.is_lost {
            lost.add(at)?;
        } else {
            captures.set_item(at, (item.http_status, item.digest, item.record_type))?;
        }
        if let Some(date) = item.fetched {
            dates.set_item(at, date)?;
        }
        if let Some(problem) = item.problem {
            problems.set_item(at, (problem.kind, problem.why))?;
            bodies.push(None);
        } else {
            held += item.body.len();
            bodies.push(Some(PyBytes::new(py, &item.body)));
        }
    }
    let passed = PyDict::new(py);
    for (why, records) in batch.passed {
        passed.set_item(why, records)?;
    }
    let revisits = PyList::empty(py);
    for Revisit { place, url, fetched, digest, of_url, of_date } in batch.revisits {
        revisits.append((format!("{name}{place}"), url, fetched, digest, of_url, of_date))?;
    }
    let fields = [
        PyList::new(py, sources)?.into_any(),
        PyList::new(py, urls)?.into_any(),
        PyList::new(py, bodies)?.into_any(),
        PyList::new(py, sizes)?.into_any(),
        problems.into_any(),
        recovered.into_any(),
        lost.into_any(),
        dates.into_any(),
        captures.into_any(),
        revisits.into_any(),
        passed.into_any(),
        held.into_pyobject(py)?.into_any(),
        batch.consumed.into_pyobject(py)?.into_any(),
    ];
    PyTuple::new(py, fields)
}

/// A file of Python.
struct Stream(Py<PyAny>);

impl Read for Stream {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = |py: Python<'_>| {
            let file = self.0.bind(py);
            let mut read = || -> PyResult<usize> {
                let data = file.call_method1("read", (room.len(),))?;
                let data = data.cast::<PyBytes>()?.as_bytes();
                room.iter_mut().zip(data).for_each(|(to, byte)| *to = *byte);
                Ok(data.len())
            };
            read().map_err(|problem| {
                let value = problem.value(py);
                let why = value.getattr("strerror").and_then(|why| why.extract::<String>());
                io::Error::other(why.unwrap_or_else(|_| value.to_string()))
            })
        };
        // No thread may wait for an interpreter that has ended.
        Python::try_attach(read).unwrap_or(Ok(0))
    }
}
