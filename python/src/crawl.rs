//! Reads archives for `agentsdisc ingest`, without holding the GIL.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use agentsdisc_crawl::{Batch, Options, Reader, Source};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

/// How long a wait may delay a signal.
const TURN: Duration = Duration::from_millis(50);

/// The responses in an archive, as an iterator of batches: tuples with sources, urls, bodies (None if there is an error), sizes, errors by number (a
/// kind and a message), the numbers of recovered and of lost items, dates by number, the records that were passed over by reason, and the bytes of
/// the archive.
#[pyclass(module = "agentsdisc._agentsdisc", name = "_Archive")]
pub(crate) struct Archive {
    name: String,
    /// `None` after the end. The mutex is never waited for: it makes the class usable by all threads.
    reader: Mutex<Option<Reader>>,
}

#[pymethods]
impl Archive {
    /// `source` is the path of a regular file, bytes, or an object with a method `read`. `threads`: 0 for one per processor. `batch`: the items and the
    /// bytes at which a batch is full.
    #[new]
    fn new(
        name: String,
        source: &Bound<'_, PyAny>,
        limit: usize,
        all_records: bool,
        threads: usize,
        batch: (usize, usize),
    ) -> PyResult<Self> {
        let (batch_items, batch_bytes) = batch;
        let source = if let Ok(data) = source.cast::<PyBytes>() {
            Source::bytes(data.as_bytes())
        } else if source.hasattr("read")? {
            Source::stream(Stream(source.clone().unbind()))
        } else if let Ok(path) = source.extract::<PathBuf>() {
            Source::file(std::fs::File::open(path)?)?
        } else {
            return Err(PyTypeError::new_err("an archive is a path, bytes or a file"));
        };
        let mut options = Options {
            name: name.clone(),
            limit,
            all_records,
            batch_items,
            batch_bytes,
            ..Options::default()
        };
        if threads > 0 {
            options.threads = threads;
        }
        Ok(Self { name, reader: Mutex::new(Some(Reader::new(source, options))) })
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

fn made<'py>(py: Python<'py>, name: &str, batch: Batch) -> PyResult<Bound<'py, PyTuple>> {
    let count = batch.items.len();
    let (mut sources, mut urls) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let (mut bodies, mut sizes) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let (problems, dates) = (PyDict::new(py), PyDict::new(py));
    let (mut recovered, mut lost) = (Vec::new(), Vec::new());
    for (at, item) in batch.items.into_iter().enumerate() {
        sources.push(format!("{name}{}", item.place));
        urls.push(item.url);
        sizes.push(item.size);
        if item.is_recovered {
            recovered.push(at);
        }
        if item.is_lost {
            lost.push(at);
        }
        if let Some(date) = item.fetched {
            dates.set_item(at, date)?;
        }
        if let Some(problem) = item.problem {
            problems.set_item(at, (problem.kind, problem.why))?;
            bodies.push(None);
        } else {
            bodies.push(Some(PyBytes::new(py, &item.body)));
        }
    }
    let passed = PyDict::new(py);
    for (why, records) in batch.passed {
        passed.set_item(why, records)?;
    }
    let lists = (
        PyList::new(py, sources)?,
        PyList::new(py, urls)?,
        PyList::new(py, bodies)?,
        PyList::new(py, sizes)?,
    );
    (lists.0, lists.1, lists.2, lists.3, problems, recovered, lost, dates, passed, batch.consumed)
        .into_pyobject(py)
}

/// A file of Python.
struct Stream(Py<PyAny>);

impl Read for Stream {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
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
        })
    }
}
