//! What the package asks about the formats, and about the kinds of documents that discovery
//! requests. `_facts.py` names the members.

use agentsdisc_core::Format;
use agentsdisc_core::discovery::{Resource, Resources};
use agentsdisc_core::format::Serving;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Returns what is known about each format.
#[pyfunction]
pub(crate) fn _facts(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    Format::ALL.iter().map(|format| of_format(py, *format)).collect()
}

fn of_format(py: Python<'_>, format: Format) -> PyResult<Bound<'_, PyDict>> {
    let facts = format.facts();
    let published = facts.published;
    let dict = PyDict::new(py);
    dict.set_item("name", format.id())?;
    dict.set_item("title", facts.title)?;
    dict.set_item("is_read", format.is_read())?;
    dict.set_item("is_json", format.is_json())?;
    dict.set_item("is_manifest", facts.is_manifest)?;
    dict.set_item("is_target", facts.is_target)?;
    dict.set_item("has_rival_locations", published.has_rival_locations)?;
    dict.set_item("also_at", PyTuple::new(py, published.also_at)?)?;
    let media_types = facts.media_types.iter().chain(published.other_media_types);
    dict.set_item("media_types", PyTuple::new(py, media_types.collect::<Vec<_>>())?)?;
    dict.set_item("registry", published.registry)?;
    dict.set_item("is_supporting", published.is_supporting)?;
    let serving = published.serving.map(|serving| {
        let rule = rule(py, &serving)?;
        rule.set_item("advice", facts.lifetime)?;
        rule.set_item("spec", published.spec.as_str())?;
        Ok::<_, PyErr>(rule)
    });
    dict.set_item("serving", serving.transpose()?)?;
    Ok(dict)
}

fn rule<'py>(py: Python<'py>, serving: &Serving) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("types", PyTuple::new(py, serving.types)?)?;
    dict.set_item("must", serving.is_type_required)?;
    dict.set_item("charset", serving.needs_charset)?;
    dict.set_item("cache", serving.cache.map(|severity| severity.as_str()))?;
    dict.set_item("cors", serving.cors.map(|severity| severity.as_str()))?;
    dict.set_item("methods", PyTuple::new(py, serving.methods)?)?;
    dict.set_item("sections", PyTuple::new(py, serving.sections)?)?;
    Ok(dict)
}

/// Returns the kinds of documents that discovery requests at well-known locations, and the
/// companion, as (name, locations, formats, whether it is requested by default).
#[pyfunction]
#[expect(clippy::type_complexity, reason = "a row, whose members `_facts.py` names")]
pub(crate) fn _resources(
    py: Python<'_>,
) -> PyResult<Vec<(&'static str, Bound<'_, PyTuple>, Bound<'_, PyTuple>, bool)>> {
    let named = Resource::ALL.iter().filter(|resource| Resources::ALL.contains(**resource));
    let row = |resource: &Resource| {
        let formats = Format::ALL.iter().filter(|format| resource.accepts(**format));
        let formats: Vec<_> = formats.map(|format| format.id()).collect();
        Ok((
            resource.as_str(),
            PyTuple::new(py, resource.locations())?,
            PyTuple::new(py, formats)?,
            Resources::DEFAULT.contains(*resource),
        ))
    };
    named.map(row).collect()
}
