//! Pickles plain values, such as diagnostics and decisions, without their document.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::convert::{Change, Loss};
use crate::diagnostic::Diagnostic;
use crate::links::Link;
use crate::preferences::{Preference, PreferenceAnswer};
use crate::robots::{DecidingRule, RobotsDecision};

/// The result of `__reduce__`: `restored`, and its arguments.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, Bound<'py, PyTuple>));

/// Pickles a value of this class with these attributes.
pub(crate) fn reduced<'py>(
    class: &'static str,
    attributes: Bound<'py, PyTuple>,
) -> PyResult<Reduced<'py>> {
    Ok((
        attributes.py().import("agentsdisc._agentsdisc")?.getattr("_restored")?,
        (class, attributes),
    ))
}

/// Declares the methods of a class that equals, hashes and pickles by its `attributes`; the methods
/// after its name are its own.
macro_rules! by_attributes {
    ($class:ident $($own:tt)*) => {
        #[pymethods]
        impl $class {
            $($own)*

            fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let Ok(other) = other.cast::<Self>() else {
                    return Ok(py.NotImplemented());
                };
                self.attributes(py)?
                    .eq(other.get().attributes(py)?)?
                    .into_py_any(py)
            }

            fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
                self.attributes(py)?.hash()
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<$crate::pickled::Reduced<'py>> {
                $crate::pickled::reduced(stringify!($class), self.attributes(py)?)
            }
        }
    };
}
pub(crate) use by_attributes;

/// Creates an object of the class with this name from its attributes.
#[pyfunction]
#[pyo3(name = "_restored", signature = (class, attributes, /))]
pub(crate) fn restored<'py>(
    py: Python<'py>,
    class: &str,
    attributes: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match class {
        "Change" => Bound::new(py, Change::restored(attributes.extract()?))?.into_any(),
        "DecidingRule" => Bound::new(py, DecidingRule::restored(attributes.extract()?))?.into_any(),
        "Diagnostic" => Bound::new(py, Diagnostic::restored(attributes.extract()?))?.into_any(),
        "Link" => Bound::new(py, Link::restored(attributes.extract()?))?.into_any(),
        "Loss" => Bound::new(py, Loss::restored(attributes.extract()?))?.into_any(),
        "Preference" => Bound::new(py, Preference::restored(attributes.extract()?))?.into_any(),
        "PreferenceAnswer" => {
            Bound::new(py, PreferenceAnswer::restored(attributes.extract()?))?.into_any()
        }
        "RobotsDecision" => {
            Bound::new(py, RobotsDecision::restored(attributes.extract()?))?.into_any()
        }
        _ => {
            return Err(PyValueError::new_err(format!(
                "{} is not a class of these pickles",
                PyString::new(py, class).repr()?
            )));
        }
    })
}
