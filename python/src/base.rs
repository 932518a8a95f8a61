//! Shared parts of all views: the bytes of the document, and values that are kept without a borrow.
//!
//! A Python object cannot borrow from another one, so a view keeps byte offsets ([`Place`] and the
//! types made of it) beside a shared [`Base`]. [`Keep`] creates them from the core's types, once;
//! [`Show`] creates Python objects from them on every access. Views refer to the base and never to
//! each other, so there are no reference cycles.

use std::any::TypeId;
use std::sync::{Arc, OnceLock};

use agentsdisc_core::manifest::{
    Capability, Choice, Enumeration, Hints, IMPLIED, List, Member, Raw,
};
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::text::{Escape, Text};
use agentsdisc_core::{Document, Limits, Outline, Span};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use self_cell::self_cell;

use crate::secrets::Keys;
use crate::value;

/// The capabilities of a document.
type Capabilities<'b> = List<'b, Capability<'b>>;

self_cell! {
    /// A list beside the bytes that it borrows.
    struct Found {
        owner: PyBackedBytes,
        #[not_covariant]
        dependent: Capabilities,
    }
}

/// A document's bytes and the result of parsing them.
pub(crate) struct Base {
    pub(crate) bytes: PyBackedBytes,
    pub(crate) outline: Outline,
    /// The arguments of parsing: unpickling parses the document again.
    pub(crate) limits: Limits,
    /// The words of private keys in the document, found when they are needed.
    keys: OnceLock<Keys>,
    /// Found when they are needed, and once: that may need a scan of the whole document.
    capabilities: OnceLock<Found>,
}

pub(crate) type Shared = Arc<Base>;

impl Base {
    pub(crate) const fn new(bytes: PyBackedBytes, outline: Outline, limits: Limits) -> Self {
        Self { bytes, outline, limits, keys: OnceLock::new(), capabilities: OnceLock::new() }
    }

    /// Calls `read` with the capabilities of the document.
    pub(crate) fn with_capabilities<T>(
        &self,
        py: Python<'_>,
        read: impl for<'b> FnOnce(Capabilities<'b>) -> T,
    ) -> T {
        let found = self.capabilities.get_or_init(|| {
            Found::new(self.bytes.clone_ref(py), |bytes| {
                Document::attach(bytes, self.outline).manifest().capabilities()
            })
        });
        found.with_dependent(|_, list| read(*list))
    }

    /// Returns a text about the document without secrets.
    pub(crate) fn masked(&self, text: &str) -> String {
        self.keys.get_or_init(|| Keys::of(&self.bytes)).masked(text)
    }

    /// Returns the document, from its bytes and the stored offsets. Does not parse again.
    pub(crate) fn document(&self) -> Document<'_> {
        Document::attach(&self.bytes, self.outline)
    }

    fn place(&self, text: Text<'_>) -> Place {
        let span = Span::of(text.raw(), &self.bytes);
        if span.is_empty() && !text.raw().is_empty() {
            let implied = IMPLIED.iter().position(|name| text == **name);
            return Place {
                start: NOT_WRITTEN,
                end: implied.map_or(NOT_WRITTEN, |index| index as u32),
                escape: text.escape(),
            };
        }
        Place { start: span.start, end: span.end, escape: text.escape() }
    }

    fn raw(&self, raw: Raw<'_>) -> RawPlace {
        match raw {
            Raw::Json(value) => RawPlace::Json(Span::of(value.raw(), &self.bytes)),
            Raw::Text(text) => RawPlace::Text(self.place(text)),
        }
    }
}

/// Creates the value that a view keeps of a part of the model.
pub(crate) trait Keep {
    type Kept: Show;
    /// Whether reading the value is expensive and the value is seldom used. It is then read on
    /// first use, if the object can be read again.
    const LATER: bool = false;
    fn keep(self, py: Python<'_>, base: &Shared) -> PyResult<Self::Kept>;
}

/// Creates a Python object from the value that a view keeps.
pub(crate) trait Show {
    fn show(&self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>>;
}

/// An object of the model with a Python class of its own.
pub(crate) trait View {
    fn view(self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>>;
}

/// A value that is created on first use.
///
/// Not `PyOnceLock`, which releases the GIL on every first use: that costs more than creating the
/// value. Two threads may create the value; the first one is kept. Nothing blocks, because the lock
/// covers only the move of the value.
pub(crate) struct Once<T>(OnceLock<T>);

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Once<T> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    pub(crate) fn made(part: T) -> Self {
        Self(part.into())
    }

    pub(crate) fn get_or_make(&self, make: impl FnOnce() -> PyResult<T>) -> PyResult<&T> {
        if let Some(part) = self.0.get() {
            return Ok(part);
        }
        let made = make()?;
        Ok(self.0.get_or_init(|| made))
    }
}

/// Converts a text to a Python string. Bytes that are not UTF-8 (possible only in a robots.txt)
/// become U+FFFD.
pub(crate) fn string<'py>(py: Python<'py>, text: Text<'_>) -> Bound<'py, PyString> {
    if !text.is_escaped()
        && let Ok(string) = PyString::from_bytes(py, text.raw())
    {
        return string;
    }
    PyString::new(py, &text.chars().collect::<String>())
}

/// A text as byte offsets.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    start: u32,
    end: u32,
    escape: Escape,
}

/// The start of a text that the document does not contain; the end is its index in [`IMPLIED`].
const NOT_WRITTEN: u32 = u32::MAX;

impl Place {
    fn text(self, base: &Base) -> Text<'_> {
        if self.start == NOT_WRITTEN {
            let name = IMPLIED.get(self.end as usize).copied().unwrap_or_default();
            return Text::plain(name.as_bytes());
        }
        Text::escaped(Span::new(self.start, self.end).slice(&base.bytes), self.escape)
    }
}

impl Keep for Text<'_> {
    type Kept = Place;
    #[inline]
    fn keep(self, _: Python<'_>, base: &Shared) -> PyResult<Place> {
        Ok(base.place(self))
    }
}

impl Show for Place {
    #[inline]
    fn show(&self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>> {
        Ok(string(py, self.text(base)).into_any().unbind())
    }
}

/// A raw value as byte offsets.
#[derive(Clone, Copy)]
pub(crate) enum RawPlace {
    Json(Span),
    Text(Place),
}

impl Keep for Raw<'_> {
    type Kept = RawPlace;
    fn keep(self, _: Python<'_>, base: &Shared) -> PyResult<RawPlace> {
        Ok(base.raw(self))
    }
}

impl Keep for Value<'_> {
    type Kept = RawPlace;
    fn keep(self, _: Python<'_>, base: &Shared) -> PyResult<RawPlace> {
        Ok(base.raw(Raw::Json(self)))
    }
}

impl Show for RawPlace {
    fn show(&self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>> {
        match self {
            Self::Json(span) => Ok(value::decode(py, span.slice(&base.bytes))?.unbind()),
            Self::Text(place) => place.show(py, base),
        }
    }
}

macro_rules! plain {
    ($($kind:ty)*) => {$(
        impl Keep for $kind {
            type Kept = $kind;
            #[inline]
            fn keep(self, _: Python<'_>, _: &Shared) -> PyResult<$kind> {
                Ok(self)
            }
        }

        impl Show for $kind {
            fn show(&self, py: Python<'_>, _: &Shared) -> PyResult<Py<PyAny>> {
                self.into_py_any(py)
            }
        }
    )*};
}

plain! { bool u32 }

impl<T: Keep> Keep for Option<T> {
    type Kept = Option<T::Kept>;
    #[inline]
    fn keep(self, py: Python<'_>, base: &Shared) -> PyResult<Self::Kept> {
        match self {
            Some(part) => part.keep(py, base).map(Some),
            None => Ok(None),
        }
    }
}

impl<T: Show> Show for Option<T> {
    #[inline]
    fn show(&self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>> {
        match self {
            Some(part) => part.show(py, base),
            None => Ok(py.None()),
        }
    }
}

/// A list of texts: kept as offsets, converted to a tuple on first use.
pub(crate) struct Texts {
    places: Box<[Place]>,
    shown: Once<Py<PyTuple>>,
}

impl Keep for List<'_, Text<'_>> {
    type Kept = Texts;
    fn keep(self, _: Python<'_>, base: &Shared) -> PyResult<Texts> {
        Ok(Texts { places: self.map(|text| base.place(text)).collect(), shown: Once::new() })
    }
}

impl Show for Texts {
    fn show(&self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>> {
        let tuple = self.shown.get_or_make(|| {
            PyTuple::new(
                py,
                self.places.iter().map(|place| string(py, place.text(base))).collect::<Vec<_>>(),
            )
            .map(Bound::unbind)
        })?;
        Ok(tuple.clone_ref(py).into_any())
    }
}

/// Members by name, as a new dict on each access, so that callers can modify it.
pub(crate) struct Members(Box<[(Place, RawPlace)]>);

impl Keep for List<'_, Member<'_>> {
    type Kept = Members;
    const LATER: bool = true;
    fn keep(self, _: Python<'_>, base: &Shared) -> PyResult<Members> {
        Ok(Members(self.map(|member| (base.place(member.name), base.raw(member.value))).collect()))
    }
}

/// A dict of members. A name that occurs more than once has the list of its values.
pub(crate) fn dict_of<'py>(
    py: Python<'py>,
    members: impl Iterator<Item = PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (dict, repeated) = (PyDict::new(py), PyDict::new(py));
    for member in members {
        let (name, value) = member?;
        let Some(first) = dict.get_item(&name)? else {
            dict.set_item(name, value)?;
            continue;
        };
        if let Some(values) = repeated.get_item(&name)? {
            values.cast_into::<PyList>()?.append(value)?;
            continue;
        }
        let values = PyList::new(py, [first, value])?;
        repeated.set_item(&name, &values)?;
        dict.set_item(name, values)?;
    }
    Ok(dict)
}

impl Show for Members {
    fn show(&self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>> {
        let members = self.0.iter().map(|(name, value)| {
            let name = name.show(py, base)?.into_bound(py);
            Ok((name, value.show(py, base)?.into_bound(py)))
        });
        Ok(dict_of(py, members)?.into_any().unbind())
    }
}

/// A value of an enumeration: its canonical name, and the text as written.
pub(crate) struct Chosen {
    name: Py<PyString>,
    written: Option<Place>,
}

impl Show for Chosen {
    #[inline]
    fn show(&self, py: Python<'_>, _: &Shared) -> PyResult<Py<PyAny>> {
        Ok(self.name.clone_ref(py).into_any())
    }
}

/// An enumeration with the text as written, if that differs from the canonical name.
pub(crate) trait Written {
    fn written_text(&self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>>;
}

impl Written for Chosen {
    fn written_text(&self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>> {
        self.written.show(py, base)
    }
}

impl Written for Option<Chosen> {
    fn written_text(&self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>> {
        match self {
            Some(chosen) => chosen.written_text(py, base),
            None => Ok(py.None()),
        }
    }
}

/// The names of one enumeration, each created once per process; the last one is `unknown`.
type Names = [PyOnceLock<Py<PyString>>; 16];

macro_rules! interned {
    ($($name:ident)*) => {
        /// Returns the cache for the names of `E`; None if `E` is not in the list below.
        fn names<E: Enumeration>() -> Option<&'static Names> {
            $(if TypeId::of::<E>() == TypeId::of::<agentsdisc_core::manifest::$name>() {
                static NAMES: Names = [const { PyOnceLock::new() }; 16];
                return Some(&NAMES);
            })*
            None
        }
    };
}

interned! { AuthType Execution Kind Location PricingType Protocol Purpose Sensitivity Source Stance Transport Vocabulary Window }

/// Returns the canonical name of a value.
pub(crate) fn canonical<E: Enumeration>(py: Python<'_>, value: E) -> Bound<'_, PyString> {
    let make = || PyString::intern(py, value.as_str()).unbind();
    let Some(names) = names::<E>() else {
        return make().into_bound(py);
    };
    let [.., last] = names;
    let index = E::NAMES.iter().position(|(_, known)| *known == value);
    let name = index.and_then(|index| names.get(index)).unwrap_or(last);
    name.get_or_init(py, make).bind(py).clone()
}

impl<E: Enumeration> Keep for Choice<'_, E> {
    type Kept = Chosen;
    fn keep(self, py: Python<'_>, base: &Shared) -> PyResult<Chosen> {
        Ok(Chosen {
            name: canonical(py, self.value).unbind(),
            written: self.differing_text().keep(py, base)?,
        })
    }
}

/// A list of objects: a tuple of their views.
impl<T: View> Keep for List<'_, T> {
    type Kept = Py<PyTuple>;
    const LATER: bool = true;
    fn keep(self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyTuple>> {
        tuple(self, py, base)
    }
}

impl Keep for Hints<'_> {
    type Kept = Py<PyTuple>;
    fn keep(self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyTuple>> {
        tuple(self, py, base)
    }
}

/// Returns a tuple of the views of objects.
pub(crate) fn tuple<T: View>(
    items: impl Iterator<Item = T>,
    py: Python<'_>,
    base: &Shared,
) -> PyResult<Py<PyTuple>> {
    let items = items.map(|item| item.view(py, base)).collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, items)?.unbind())
}

impl Show for Py<PyTuple> {
    fn show(&self, py: Python<'_>, _: &Shared) -> PyResult<Py<PyAny>> {
        Ok(self.clone_ref(py).into_any())
    }
}

impl Show for Py<PyAny> {
    fn show(&self, py: Python<'_>, _: &Shared) -> PyResult<Py<PyAny>> {
        Ok(self.clone_ref(py))
    }
}

impl Keep for List<'_, Raw<'_>> {
    type Kept = Py<PyTuple>;
    fn keep(self, py: Python<'_>, base: &Shared) -> PyResult<Py<PyTuple>> {
        let items = self.map(|raw| base.raw(raw).show(py, base)).collect::<PyResult<Vec<_>>>()?;
        Ok(PyTuple::new(py, items)?.unbind())
    }
}
