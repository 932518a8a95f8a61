//! The unified model as dicts and lists, straight from the core's types: `Document.to_dict`.
//!
//! Absent members and empty lists are omitted. A test compares the result with the JSON text for
//! every conformance vector.

use agentsdisc_core::manifest::{
    AgentPolicy, Capability, Choice, Enumeration, List, MemberVisitor, Metadata, Name, Object,
    Parameter, Raw, Visitor,
};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Limits, ParseOptions};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};

use crate::base::{canonical, dict_of, string};
use crate::value;

/// The names of members as Python strings, each created once per process.
type Names = [PyOnceLock<Py<PyString>>; Name::COUNT];
static NAMES: Names = [const { PyOnceLock::new() }; Name::COUNT];
static TEXT_NAMES: Names = [const { PyOnceLock::new() }; Name::COUNT];

/// Returns the model of a document.
pub(crate) fn dict<'py>(
    document: &Document<'_>,
    limits: Limits,
    py: Python<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let manifest = document.manifest();
    match OnePass::of(document, limits, py)? {
        Some(read) => {
            object(&manifest, py, &[("capabilities", read.capabilities), ("agents", read.agents)])
        }
        None => object(&manifest, py, &[]),
    }
}

/// The name of a list that was created before, and the list; None if it is empty.
type Made<'py> = (&'static str, Option<Bound<'py, PyList>>);

/// Returns the dict of an object. `made` holds lists of it that were created before.
fn object<'a, 'py>(
    object: &impl Object<'a>,
    py: Python<'py>,
    made: &[Made<'py>],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    object.members(&mut Members { py, dict: &dict, made })?;
    Ok(dict)
}

/// Returns a list of all items. Returns None without items, because creating an empty list costs
/// more than this test.
fn list<'py, T>(
    mut items: impl Iterator<Item = T>,
    py: Python<'py>,
    item: impl Fn(T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyList>>> {
    let Some(first) = items.next() else {
        return Ok(None);
    };
    let list = PyList::new(py, [item(first)?])?;
    for next in items {
        list.append(item(next)?)?;
    }
    Ok(Some(list))
}

fn raw<'py>(value: Raw<'_>, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Raw::Json(value) => value::decode(py, value.raw()),
        Raw::Text(text) => Ok(string(py, text).into_any()),
    }
}

/// Puts the members of an object into a dict.
struct Members<'d, 'py> {
    py: Python<'py>,
    dict: &'d Bound<'py, PyDict>,
    made: &'d [Made<'py>],
}

impl<'py> Members<'_, 'py> {
    #[inline]
    fn put(&self, name: &Name, value: impl IntoPyObject<'py>) -> PyResult<()> {
        self.put_as(&NAMES, name.as_str(), name, value)
    }

    /// Stores a value under `string`, whose Python string is cached in `names`.
    #[inline]
    fn put_as(
        &self,
        names: &'static Names,
        string: &str,
        name: &Name,
        value: impl IntoPyObject<'py>,
    ) -> PyResult<()> {
        let make = || PyString::intern(self.py, string).unbind();
        match names.get(name.index()) {
            Some(name) => self.dict.set_item(name.get_or_init(self.py, make), value),
            None => self.dict.set_item(string, value),
        }
    }

    fn put_some(&self, name: &Name, list: Option<Bound<'py, PyList>>) -> PyResult<()> {
        list.map_or(Ok(()), |list| self.put(name, list))
    }

    fn texts(&self, list: List<'_, Text<'_>>) -> PyResult<Option<Bound<'py, PyList>>> {
        self::list(list, self.py, |text| Ok(string(self.py, text).into_any()))
    }
}

impl<'a> MemberVisitor<'a> for Members<'_, '_> {
    type Error = PyErr;

    fn word(&mut self, name: &'static Name, word: &'static str) -> PyResult<()> {
        self.put(name, PyString::intern(self.py, word))
    }

    #[inline]
    fn text(&mut self, name: &'static Name, text: Text<'a>) -> PyResult<()> {
        self.put(name, string(self.py, text))
    }

    fn texts(&mut self, name: &'static Name, list: List<'a, Text<'a>>) -> PyResult<()> {
        self.put_some(name, Members::texts(self, list)?)
    }

    fn granted(&mut self, name: &'static Name, list: List<'a, Text<'a>>) -> PyResult<()> {
        let list = Members::texts(self, list)?;
        self.put(name, list.unwrap_or_else(|| PyList::empty(self.py)))
    }

    fn choice<E: Enumeration>(
        &mut self,
        name: &'static Name,
        choice: Choice<'a, E>,
    ) -> PyResult<()> {
        self.put(name, canonical(self.py, choice.value))?;
        let Some(text) = choice.differing_text() else {
            return Ok(());
        };
        self.put_as(&TEXT_NAMES, name.text_name(), name, string(self.py, text))
    }

    fn truth(&mut self, name: &'static Name, value: bool) -> PyResult<()> {
        self.put(name, value)
    }

    fn number(&mut self, name: &'static Name, number: u32) -> PyResult<()> {
        self.put(name, number)
    }

    fn raw(&mut self, name: &'static Name, value: Raw<'a>) -> PyResult<()> {
        self.put(name, raw(value, self.py)?)
    }

    fn raws(&mut self, name: &'static Name, list: List<'a, Raw<'a>>) -> PyResult<()> {
        self.put_some(name, self::list(list, self.py, |value| raw(value, self.py))?)
    }

    /// Stores a dict. A name that occurs more than once has the list of its values.
    fn metadata(&mut self, name: &'static Name, mut members: Metadata<'a>) -> PyResult<()> {
        let Some(first) = members.next() else {
            return Ok(());
        };
        let members = std::iter::once(first).chain(members).map(|member| {
            let name = string(self.py, member.name).into_any();
            Ok((name, raw(member.value, self.py)?))
        });
        let dict = dict_of(self.py, members)?;
        self.put(name, dict)
    }

    fn object<T: Object<'a>>(&mut self, name: &'static Name, object: &T) -> PyResult<()> {
        self.put(name, self::object(object, self.py, &[])?)
    }

    fn objects<T: Object<'a>>(
        &mut self,
        name: &'static Name,
        list: impl Iterator<Item = T> + Clone,
    ) -> PyResult<()> {
        let made = self.made.iter().find(|(made, _)| *made == name.as_str());
        let list = match made {
            Some((_, made)) => made.clone(),
            None => self::list(list, self.py, |item| Ok(object(&item, self.py, &[])?.into_any()))?,
        };
        self.put_some(name, list)
    }
}

/// The lists that the core reads in one pass over a document. This costs a fraction of iterating over
/// each list.
struct OnePass<'py> {
    py: Python<'py>,
    /// The parameters of the next capability.
    parameters: Option<Bound<'py, PyList>>,
    capabilities: Option<Bound<'py, PyList>>,
    agents: Option<Bound<'py, PyList>>,
    /// The exception if an item could not be created, for example without memory.
    failed: Option<PyErr>,
}

impl<'py> OnePass<'py> {
    const fn new(py: Python<'py>) -> Self {
        Self { py, parameters: None, capabilities: None, agents: None, failed: None }
    }

    /// Parses a document again to receive its items. Returns None for formats that are not read in
    /// one pass.
    fn of(document: &Document<'_>, limits: Limits, py: Python<'py>) -> PyResult<Option<Self>> {
        let format = document.format();
        if !format.is_read_in_one_pass() {
            return Ok(None);
        }
        let options = ParseOptions { format: Some(format), limits, ..ParseOptions::default() };
        let mut read = Self::new(py);
        let done = Document::read(document.bytes(), &options, &mut read);
        match read.failed {
            Some(error) => Err(error),
            None => Ok(done.is_ok().then_some(read)),
        }
    }

    fn append(
        &mut self,
        list: fn(&mut Self) -> &mut Option<Bound<'py, PyList>>,
        item: PyResult<Bound<'py, PyDict>>,
    ) {
        let appended = item.and_then(|item| match list(self) {
            Some(items) => items.append(item),
            none => {
                *none = Some(PyList::new(item.py(), [item])?);
                Ok(())
            }
        });
        if let Err(error) = appended {
            self.failed = Some(error);
        }
    }
}

impl<'a> Visitor<'a> for OnePass<'_> {
    fn restart(&mut self) {
        *self = Self::new(self.py);
    }

    fn parameter(&mut self, parameter: &Parameter<'a>) {
        self.append(|read| &mut read.parameters, object(parameter, self.py, &[]));
    }

    fn capability(&mut self, capability: &Capability<'a>) {
        let made = [("parameters", self.parameters.take())];
        self.append(|read| &mut read.capabilities, object(capability, self.py, &made));
    }

    fn agent(&mut self, policy: &AgentPolicy<'a>) {
        self.append(|read| &mut read.agents, object(policy, self.py, &[]));
    }
}
