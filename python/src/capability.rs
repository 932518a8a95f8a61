//! The list of the capabilities of a document, whose items are created on use.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use agentsdisc_core::manifest::{self as model, List, Mark};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyString, PyTuple};

use crate::base::{Shared, Show};
use crate::views::Capability;

/// The capabilities of a document: an immutable sequence whose items are created on first use.
///
/// An id is an index, too: `capabilities["order_mug"]` is the first capability with that id; KeyError if there is none.
#[pyclass(frozen, sequence, module = "agentsdisc")]
pub(crate) struct Capabilities {
    base: Shared,
    made: Mutex<Made>,
}

/// INVARIANT: `items` holds the capabilities that were read, from the first on. `next` is the
/// position after the last of them; None before the first is read. `all` is true when none is left.
struct Made {
    items: Vec<Py<Capability>>,
    next: Option<Mark>,
    all: bool,
}

impl Show for Py<Capabilities> {
    fn show(&self, py: Python<'_>, _: &Shared) -> PyResult<Py<PyAny>> {
        Ok(self.clone_ref(py).into_any())
    }
}

impl Capabilities {
    pub(crate) fn new(base: Shared) -> Self {
        Self { base, made: Mutex::new(Made { items: Vec::new(), next: None, all: false }) }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Made> {
        // The code that holds the lock cannot fail halfway.
        self.made.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Returns the item at `index`, if it exists. Runs no Python code while it holds the lock: such
    /// code could wait for the same lock.
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
            let read = |whole: List<'_, model::Capability<'_>>| {
                let mut list = next.map_or(whole, |next| whole.resume(next));
                let here = list.mark();
                let item = list.next();
                let make = |item| Py::new(py, Capability::make(&item, py, &self.base, Some(here))?);
                (item.map(make).transpose(), here, list.mark())
            };
            let (item, here, after) = self.base.with_capabilities(py, read);
            let item = item?;
            let mut made = self.lock();
            // Another thread may have created the item first; that one is kept.
            if made.items.len() == count {
                match item {
                    // Every item advances the list; otherwise this loop would not end.
                    Some(item) if after != here => {
                        made.items.push(item);
                        made.next = Some(after);
                    }
                    _ => made.all = true,
                }
            }
        }
    }

    /// Returns the first capability with an id. Raises `KeyError` if there is none.
    fn named(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let mut at = 0;
        while let Some(item) = self.item(py, at)? {
            if item.bind(py).getattr("id")?.eq(id)? {
                return Ok(item.into_any());
            }
            at += 1;
        }
        Err(PyKeyError::new_err(id.clone().unbind()))
    }

    fn everything(&self, py: Python<'_>) -> PyResult<Vec<Py<Capability>>> {
        self.item(py, usize::MAX)?;
        Ok(self.lock().items.iter().map(|item| item.clone_ref(py)).collect())
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
        if index.is_instance_of::<PyString>() {
            return self.named(py, index);
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
        CapabilitiesIterator { list: slf.unbind(), at: AtomicUsize::new(0) }
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut items = self.everything(py)?;
        items.reverse();
        Ok(PyTuple::new(py, items)?.try_iter()?.into_any())
    }

    fn __contains__(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.tuple(py)?.as_any().contains(value)
    }

    /// Returns the index of the first capability that equals `value`.
    #[pyo3(signature = (value, start=0, stop=isize::MAX, /), text_signature = "(self, value, start=0, stop=9223372036854775807, /)")]
    fn index(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        start: isize,
        stop: isize,
    ) -> PyResult<usize> {
        self.tuple(py)?.call_method1("index", (value, start, stop))?.extract()
    }

    /// Returns the number of capabilities that equal `value`.
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

/// Iterates over the capabilities of a document.
#[pyclass(frozen, module = "agentsdisc._agentsdisc", name = "_CapabilitiesIterator")]
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
        self.list.get().item(py, self.at.fetch_add(1, Ordering::Relaxed))
    }
}
