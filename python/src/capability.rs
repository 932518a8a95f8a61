//! Where capabilities stand: the list of a document, made as far as somebody has looked, and those of search results.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use agentsdisc_core::manifest::{self, List, Mark};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};

use crate::base::{Keep, Place, Shared, Show};
use crate::views::{Capability, representation, same};

/// How to come back to a capability in constant time.
#[derive(Clone, Copy)]
pub(crate) enum CapabilityPath {
    /// In the list of the document.
    Document(Mark),
    /// In the list of a search result.
    Search(Mark, Mark),
}

/// Reads a capability again and takes something from it.
pub(crate) fn read_again<R>(
    base: &Shared,
    path: CapabilityPath,
    take: impl FnOnce(manifest::Capability<'_>) -> PyResult<R>,
) -> PyResult<R> {
    let document = base.document();
    let model = match path {
        CapabilityPath::Document(mark) => document.manifest().capabilities().resume(mark).next(),
        CapabilityPath::Search(result, mark) => document
            .manifest()
            .search_results()
            .resume(result)
            .next()
            .and_then(|result| result.capabilities.resume(mark).next()),
    };
    // It was there when the path was noted, in bytes that do not change.
    take(model.unwrap_or_default())
}

/// The capabilities of a document: an immutable sequence whose items are made when they are first asked for.
#[pyclass(frozen, sequence, module = "agentsdisc")]
pub(crate) struct Capabilities {
    base: Shared,
    made: Mutex<Made>,
}

/// INVARIANT: `items` are the first capabilities, and `next` stands behind the last of them; it is absent before the first.
struct Made {
    items: Vec<Py<Capability>>,
    next: Option<Mark>,
    all: bool,
}

impl Capabilities {
    pub(crate) fn new(base: Shared) -> Self {
        Self {
            base,
            made: Mutex::new(Made {
                items: Vec::new(),
                next: None,
                all: false,
            }),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Made> {
        // No code that holds the lock can fail halfway.
        self.made
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The item at `index`, if there are that many. No Python code runs while the lock is held: it could want the lock as well.
    fn item(&self, py: Python<'_>, index: usize) -> PyResult<Option<Py<Capability>>> {
        loop {
            let (count, next) = {
                let made = self.lock();
                if let Some(item) = made.items.get(index) {
                    return Ok(Some(item.clone_ref(py)));
                }
                if made.all {
                    return Ok(None);
                }
                (made.items.len(), made.next)
            };
            let whole = self.base.document().manifest().capabilities();
            let mut list = next.map_or(whole, |next| whole.resume(next));
            let here = list.mark();
            let item = match list.next() {
                Some(model) => Some(Py::new(
                    py,
                    Capability::make(&model, py, &self.base, CapabilityPath::Document(here))?,
                )?),
                None => None,
            };
            let mut made = self.lock();
            // Another thread may have been quicker; then its item counts.
            if made.items.len() == count {
                match item {
                    // Every item moves the list on: one that did not would be found for ever.
                    Some(item) if list.mark() != here => {
                        made.items.push(item);
                        made.next = Some(list.mark());
                    }
                    _ => made.all = true,
                }
            }
        }
    }

    fn everything(&self, py: Python<'_>) -> PyResult<Vec<Py<Capability>>> {
        self.item(py, usize::MAX)?;
        Ok(self
            .lock()
            .items
            .iter()
            .map(|item| item.clone_ref(py))
            .collect())
    }

    fn tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.everything(py)?)
    }
}

#[pymethods]
impl Capabilities {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.item(py, usize::MAX)?;
        Ok(self.lock().items.len())
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.item(py, 0)?.is_some())
    }

    fn __getitem__(&self, py: Python<'_>, index: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if index.is_instance_of::<PySlice>() {
            return Ok(self.tuple(py)?.as_any().get_item(index)?.unbind());
        }
        let out_of_range = || PyIndexError::new_err("capability index out of range");
        let index: isize = index.extract().map_err(|error: PyErr| {
            match error.is_instance_of::<PyOverflowError>(py) {
                true => out_of_range(),
                false => error,
            }
        })?;
        let at = if index < 0 {
            index.checked_add_unsigned(self.__len__(py)?).unwrap_or(-1)
        } else {
            index
        };
        let found = match usize::try_from(at) {
            Ok(at) => self.item(py, at)?,
            Err(_) => None,
        };
        found.map(Py::into_any).ok_or_else(out_of_range)
    }

    fn __iter__(slf: Bound<'_, Self>) -> CapabilitiesIterator {
        CapabilitiesIterator {
            list: slf.unbind(),
            at: AtomicUsize::new(0),
        }
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut items = self.everything(py)?;
        items.reverse();
        Ok(PyTuple::new(py, items)?.try_iter()?.into_any())
    }

    fn __contains__(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.tuple(py)?.as_any().contains(value)
    }

    /// The index of the first capability that equals `value`.
    #[pyo3(signature = (value, start=0, stop=isize::MAX, /), text_signature = "(self, value, start=0, stop=9223372036854775807, /)")]
    fn index(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        start: isize,
        stop: isize,
    ) -> PyResult<usize> {
        self.tuple(py)?
            .call_method1("index", (value, start, stop))?
            .extract()
    }

    /// How many capabilities equal `value`.
    #[pyo3(signature = (value, /))]
    fn count(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.tuple(py)?.call_method1("count", (value,))?.extract()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.tuple(py)?.repr()?.to_string())
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let theirs = match other.cast::<Self>() {
            Ok(other) => other.get().tuple(py)?,
            Err(_) => match other.cast::<PyTuple>() {
                Ok(tuple) => tuple.clone(),
                Err(_) => return Ok(py.NotImplemented()),
            },
        };
        self.tuple(py)?.eq(theirs)?.into_py_any(py)
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'_, PyAny>) -> Bound<'py, Self> {
        slf
    }
}

/// Goes through the capabilities of a document.
#[pyclass(
    frozen,
    module = "agentsdisc._agentsdisc",
    name = "_CapabilitiesIterator"
)]
pub(crate) struct CapabilitiesIterator {
    list: Py<Capabilities>,
    at: AtomicUsize,
}

#[pymethods]
impl CapabilitiesIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<Capability>>> {
        self.list
            .get()
            .item(py, self.at.fetch_add(1, Ordering::Relaxed))
    }
}

/// A named value, as written.
#[pyclass(frozen, module = "agentsdisc")]
pub(crate) struct Hint {
    base: Shared,
    name: Place,
    value: crate::base::RawPlace,
}

impl Hint {
    pub(crate) fn all(py: Python<'_>, base: &Shared) -> PyResult<Py<PyTuple>> {
        let document = base.document();
        let hints = document.manifest().hints().map(|member| {
            Py::new(
                py,
                Self {
                    base: base.clone(),
                    name: member.name.keep(py, base)?,
                    value: member.value.keep(py, base)?,
                },
            )
        });
        Ok(PyTuple::new(py, hints.collect::<PyResult<Vec<_>>>()?)?.unbind())
    }
}

/// One result of a registry search.
#[pyclass(frozen, module = "agentsdisc", get_all)]
pub(crate) struct SearchResult {
    /// The service that was found.
    service: Py<PyAny>,
    /// Those of its capabilities that match.
    capabilities: Py<PyTuple>,
}

/// The answer of a registry search.
#[pyclass(frozen, module = "agentsdisc", get_all)]
pub(crate) struct Search {
    /// What was searched for.
    query: Py<PyAny>,
    /// What was found.
    results: Py<PyTuple>,
}

/// The rules of a robots.txt.
#[pyclass(frozen, module = "agentsdisc", get_all)]
pub(crate) struct Robots {
    /// Its groups, in order.
    groups: Py<PyTuple>,
    /// URLs of sitemaps.
    sitemaps: Py<PyAny>,
}

impl Search {
    /// The search of a document, if it is the answer of one.
    pub(crate) fn of(py: Python<'_>, base: &Shared) -> PyResult<Option<Py<Self>>> {
        let manifest = base.document().manifest();
        let (query, mut list) = (manifest.search_query(), manifest.search_results());
        if query.is_none() && list.is_empty() {
            return Ok(None);
        }
        let mut results = Vec::new();
        loop {
            let mark = list.mark();
            let Some(result) = list.next() else { break };
            let capabilities =
                PyTuple::new(py, found(py, base, mark, result.capabilities)?)?.unbind();
            results.push(Py::new(
                py,
                SearchResult {
                    service: result.service.keep(py, base)?,
                    capabilities,
                },
            )?);
        }
        let query = query.keep(py, base)?.show(py, base)?;
        Py::new(
            py,
            Self {
                query,
                results: PyTuple::new(py, results)?.unbind(),
            },
        )
        .map(Some)
    }
}

/// The capabilities of a search result.
fn found(
    py: Python<'_>,
    base: &Shared,
    result: Mark,
    mut list: List<'_, manifest::Capability<'_>>,
) -> PyResult<Vec<Py<Capability>>> {
    let mut items = Vec::new();
    loop {
        let mark = list.mark();
        let Some(model) = list.next() else {
            return Ok(items);
        };
        items.push(Py::new(
            py,
            Capability::make(&model, py, base, CapabilityPath::Search(result, mark))?,
        )?);
    }
}

impl Robots {
    /// The rules of a document, if it has any.
    pub(crate) fn of(py: Python<'_>, base: &Shared) -> PyResult<Option<Py<Self>>> {
        let manifest = base.document().manifest();
        let (groups, sitemaps) = (manifest.robots(), manifest.sitemaps());
        if groups.is_empty() && sitemaps.is_empty() {
            return Ok(None);
        }
        Py::new(
            py,
            Self {
                groups: groups.keep(py, base)?,
                sitemaps: sitemaps.keep(py, base)?.show(py, base)?,
            },
        )
        .map(Some)
    }
}

#[pymethods]
impl Hint {
    /// What it is about.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.name.show(py, &self.base)
    }

    /// The advice.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.value.show(py, &self.base)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        representation(py, "Hint", &self.parts(py)?)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let Ok(other) = other.cast::<Self>() else {
            return Ok(py.NotImplemented());
        };
        equal(py, &self.parts(py)?, &other.get().parts(py)?)
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'_, PyAny>) -> Bound<'py, Self> {
        slf
    }
}

impl Hint {
    fn parts(&self, py: Python<'_>) -> PyResult<[(&'static str, Py<PyAny>); 2]> {
        Ok([("name", self.name(py)?), ("value", self.value(py)?)])
    }
}

fn equal(
    py: Python<'_>,
    ours: &[(&str, Py<PyAny>)],
    theirs: &[(&str, Py<PyAny>)],
) -> PyResult<Py<PyAny>> {
    same(py, ours, theirs)?.into_py_any(py)
}

macro_rules! pair {
    ($name:ident: $first:ident, $second:ident) => {
        impl $name {
            fn parts(&self, py: Python<'_>) -> [(&'static str, Py<PyAny>); 2] {
                let (first, second) = (self.$first.clone_ref(py), self.$second.clone_ref(py));
                [
                    (stringify!($first), first.into_any()),
                    (stringify!($second), second.into_any()),
                ]
            }
        }

        #[pymethods]
        impl $name {
            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                representation(py, stringify!($name), &self.parts(py))
            }

            fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let Ok(other) = other.cast::<Self>() else {
                    return Ok(py.NotImplemented());
                };
                equal(py, &self.parts(py), &other.get().parts(py))
            }

            fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
                slf
            }

            fn __deepcopy__<'py>(
                slf: Bound<'py, Self>,
                _memo: &Bound<'_, PyAny>,
            ) -> Bound<'py, Self> {
                slf
            }
        }
    };
}

pair! { SearchResult: service, capabilities }
pair! { Search: query, results }
pair! { Robots: groups, sitemaps }
