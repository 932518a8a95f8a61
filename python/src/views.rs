//! The objects of the unified model as Python classes, made from the core's table of the model.
//!
//! Each object becomes a class with a getter for every member, `repr`, equality by attributes, and
//! [`View`] for the core's type. If an object can be read again ([`Reread`]), expensive members
//! ([`Keep::LATER`]) are read from the document on first use, and then kept.

use agentsdisc_core::manifest as model;
use agentsdisc_core::manifest::{
    AuthType, Choice, Execution, List, Location, Mark, Metadata, PricingType, Protocol, Purpose,
    Raw, Sensitivity, Source, Stance, Transport, Vocabulary, Window,
};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::text::Text;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::base::{Base, Keep, Once, Shared, Show, View, Written};

/// Returns `Name(attribute=value, …)`, without absent attributes.
fn representation(
    py: Python<'_>,
    base: &Base,
    name: &str,
    parts: &[(&str, Py<PyAny>)],
) -> PyResult<String> {
    let mut shown = Vec::with_capacity(parts.len());
    for (attribute, part) in parts {
        let part = part.bind(py);
        // None, (), {} and the empty text.
        if part.is_none() || (part.len().is_ok_and(|length| length == 0)) {
            continue;
        }
        shown.push(format!("{attribute}={}", part.repr()?));
    }
    Ok(base.masked(&format!("{name}({})", shown.join(", "))))
}

/// Whether all attributes are equal.
fn same(
    py: Python<'_>,
    ours: &[(&str, Py<PyAny>)],
    theirs: &[(&str, Py<PyAny>)],
) -> PyResult<bool> {
    for ((_, a), (_, b)) in ours.iter().zip(theirs) {
        if !a.bind(py).eq(b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads an object of the model from its document again.
pub(crate) trait Reread {
    /// The core's type of the object.
    type Of<'b>;
    /// The position of the object.
    type Place: Copy + Default;
    /// Reads the object again and calls `then` with it, if the position is known.
    fn read_again<T>(
        py: Python<'_>,
        base: &Base,
        place: Self::Place,
        then: impl for<'b> FnOnce(Self::Of<'b>) -> T,
    ) -> Option<T>;
    /// Whether the position is known.
    fn can_read_again(place: Self::Place) -> bool;
}

impl Reread for Capability {
    type Of<'b> = model::Capability<'b>;
    /// The position in the list of the document. Capabilities of search results have none.
    type Place = Option<Mark>;
    fn read_again<T>(
        py: Python<'_>,
        base: &Base,
        place: Option<Mark>,
        then: impl for<'b> FnOnce(model::Capability<'b>) -> T,
    ) -> Option<T> {
        let place = place?;
        base.with_capabilities(py, |list| list.resume(place).next().map(then))
    }
    fn can_read_again(place: Option<Mark>) -> bool {
        place.is_some()
    }
}

macro_rules! reread {
    (Capability) => {};
    ($object:ident) => {
        impl Reread for $object {
            type Of<'b> = model::$object<'b>;
            type Place = ();
            fn read_again<T>(
                _: Python<'_>,
                _: &Base,
                (): (),
                _: impl for<'b> FnOnce(model::$object<'b>) -> T,
            ) -> Option<T> {
                None
            }
            fn can_read_again((): ()) -> bool {
                false
            }
        }
    };
}

macro_rules! name_of {
    ($field:ident $name:literal) => {
        $name
    };
    ($field:ident) => {
        stringify!($field)
    };
}

/// Returns the kept value of a member. Reads the value now if reading was deferred.
macro_rules! kept {
    ($self:ident $py:ident $object:ident $field:ident) => {
        $self.$field.get_or_make(|| {
            // The bytes do not change, so reading gives the same object.
            let keep = |object: model::$object<'_>| object.$field.keep($py, &$self.base);
            $object::read_again($py, &$self.base, $self.place, keep)
                .unwrap_or_else(|| Err(PyRuntimeError::new_err("the object cannot be read again")))
        })?
    };
}

macro_rules! views {
    ($(
        $(#[doc = $about:literal])*
        $object:ident $(: $default:ident)? {
            $(
                $(#[doc = $doc:literal])*
                $field:ident $(as $name:literal)? $(or $text:ident)?: $type:ty $(= $implied:expr)?,
            )*
        } $(from $origin:literal)?,
    )*) => {$(
        reread! { $object }

        $(#[doc = $about])*
        #[pyclass(frozen, module = "agentsdisc")]
        pub(crate) struct $object {
            base: Shared,
            place: <$object as Reread>::Place,
            $($field: Once<<$type as Keep>::Kept>,)*
        }

        impl $object {
            pub(crate) fn make(
                object: &model::$object<'_>,
                py: Python<'_>,
                base: &Shared,
                place: <$object as Reread>::Place,
            ) -> PyResult<Self> {
                let later = $object::can_read_again(place);
                Ok(Self {
                    base: base.clone(),
                    place,
                    $($field: if later && <$type as Keep>::LATER {
                        Once::new()
                    } else {
                        Once::made(object.$field.keep(py, base)?)
                    },)*
                })
            }

            /// Every attribute in the order of the table.
            fn parts(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, Py<PyAny>)>> {
                Ok(vec![$(
                    (name_of!($field $($name)?), self.$field(py)?),
                    $((stringify!($text), self.$text(py)?),)?
                )*])
            }
        }

        #[pymethods]
        impl $object {
            $(
                $(#[doc = $doc])*
                #[getter]
                $(#[pyo3(name = $name)])?
                fn $field(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    kept!(self py $object $field).show(py, &self.base)
                }

                $(
                    /// The text as written, if it differs from the canonical name.
                    #[getter]
                    fn $text(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                        kept!(self py $object $field).written_text(py, &self.base)
                    }
                )?
            )*

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                representation(py, &self.base, stringify!($object), &self.parts(py)?)
            }

            fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
                same(py, &self.parts(py)?, &other.get().parts(py)?)?.into_py_any(py)
            }

            fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
                slf
            }

            fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'_, PyAny>) -> Bound<'py, Self> {
                slf
            }
        }

        impl View for model::$object<'_> {
            fn view(self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>> {
                Ok(Py::new(py, $object::make(&self, py, base, Default::default())?)?.into_any())
            }
        }

        impl Keep for model::$object<'_> {
            type Kept = Py<PyAny>;
            fn keep(self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>> {
                self.view(py, base)
            }
        }
    )*};
}

agentsdisc_core::model! { views 'static }
