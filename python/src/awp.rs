//! Features of agent.json of the Agent Web Protocol beyond the unified model: the order of actions,
//! and type expressions.

use agentsdisc_core::format::awp::PrerequisiteError as CoreError;
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::syntax::type_expr::{TypeError, TypeExpr};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::base::string;
use crate::document::Document;
use crate::input::unlocked;

pyo3::create_exception!(
    agentsdisc,
    PrerequisiteError,
    PyValueError,
    "Actions require each other, so that no order is possible, or the dependencies cannot be read.\n\nThe attribute cycle is a tuple of actions: each requires the next one, and the last one the first. It is empty if the dependencies cannot be read; the attribute readable then has the prerequisites that can be."
);

pyo3::create_exception!(
    agentsdisc,
    TypeExprError,
    PyValueError,
    "A text is not a valid type expression.\n\nThe attribute kind is a stable name: 'empty', 'unbalanced', 'malformed' or 'too-deep'."
);

/// The prerequisites in order, or why there is no order: the cycle or what can be read, whether it is
/// a cycle, and the message.
type Order<'a> = Result<Vec<Text<'a>>, (Vec<Text<'a>>, bool, String)>;

/// Implements `Document.prerequisites`.
pub(crate) fn prerequisites(
    py: Python<'_>,
    document: &Document,
    action: &str,
) -> PyResult<Py<PyTuple>> {
    let document = document.base().document();
    let awp = document.awp().ok_or_else(|| {
        PyValueError::new_err(format!("the document has the format {}, not awp", document.format()))
    })?;
    let order: Order<'_> = unlocked(py, document.bytes().len(), || {
        let mut scratch = Vec::new();
        loop {
            let needed = match awp.prerequisites(action, &mut scratch) {
                Ok(actions) => return Ok(actions.collect()),
                Err(
                    ref
                    error @ (CoreError::Cycle(ref actions) | CoreError::Unreadable(ref actions)),
                ) => {
                    let is_cycle = matches!(error, CoreError::Cycle(_));
                    return Err((actions.clone().collect(), is_cycle, error.to_string()));
                }
                Err(CoreError::CapacityExceeded { needed }) => needed,
            };
            scratch.resize(needed, 0);
        }
    });
    let tuple = |actions: Vec<Text<'_>>| {
        PyTuple::new(py, actions.into_iter().map(|action| string(py, action)).collect::<Vec<_>>())
    };
    let (actions, is_cycle, message) = match order {
        Ok(actions) => return Ok(tuple(actions)?.unbind()),
        Err(error) => error,
    };
    let (cycle, readable) = if is_cycle { (actions, Vec::new()) } else { (Vec::new(), actions) };
    let raised = PrerequisiteError::new_err(message);
    raised.value(py).setattr("cycle", tuple(cycle)?)?;
    raised.value(py).setattr("readable", tuple(readable)?)?;
    Err(raised)
}

/// Parses a type expression of the Agent Web Protocol (section 8), such as the `type` of a
/// parameter: `array[object[flight]]`.
///
/// Ignores the letter case of type names. Raises TypeExprError if the text is not a valid type
/// expression.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn parse_type<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let whole =
        TypeExpr::parse(Text::plain(text.as_bytes())).map_err(|error| refused(py, error))?;
    // From the outermost type inwards; the core limits the depth to 32.
    let mut chain = vec![whole];
    while let Some(items) = chain.last().and_then(TypeExpr::items) {
        chain.push(items);
    }
    let class = py.import("agentsdisc._formats")?.getattr("TypeExpr")?;
    let mut inner = py.None().into_bound(py);
    while let Some(expression) = chain.pop() {
        let options = PyTuple::new(
            py,
            expression.options().map(|option| string(py, option)).collect::<Vec<_>>(),
        )?;
        let entity = expression.entity().map(|entity| string(py, entity));
        inner = class.call1((
            expression.kind().as_str(),
            string(py, expression.text()),
            inner,
            entity,
            options,
        ))?;
    }
    Ok(inner)
}

fn refused(py: Python<'_>, error: TypeError) -> PyErr {
    let raised = TypeExprError::new_err(error.message());
    match raised.value(py).setattr("kind", error.as_str()) {
        Ok(()) => raised,
        Err(failed) => failed,
    }
}
