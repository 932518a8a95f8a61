//! PyCapsules of the Arrow C data interface: input streams and arrays, and output schemas, arrays
//! and streams.
//!
//! This module only takes over input; `import` checks the arrays.

use std::any::Any;
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, Field, FieldRef, Schema};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use super::import::Incoming;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// Returns true if an object has the PyCapsule interface for arrays or streams.
pub(super) fn is_arrow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.hasattr("__arrow_c_array__")? || object.hasattr("__arrow_c_stream__")?)
}

/// Lets pyarrow validate its own objects: it compares the sizes of the buffers with the sizes that
/// the arrays need.
fn checked<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let module: String = object.get_type().getattr("__module__")?.extract()?;
    if !module.starts_with("pyarrow") {
        return Ok(object.clone());
    }
    let validation = object.py().import("agentsdisc._validated")?;
    validation.call_method1("validated", (object,))
}

/// The arrays of an object with the PyCapsule interface, in order.
pub(super) struct Source {
    from: From,
    field: FieldRef,
    /// Arrays that were taken.
    taken: usize,
}

enum From {
    Array(Option<FFI_ArrowArray>),
    Stream(FFI_ArrowArrayStream),
}

impl Source {
    /// Takes the arrays of an object. An object with both methods gives one array.
    pub(super) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let object = &checked(object)?;
        if object.hasattr("__arrow_c_array__")? {
            let capsules = object.call_method0("__arrow_c_array__")?;
            let capsules = capsules.cast_into::<PyTuple>()?;
            let schema = capsules.get_item(0)?.cast_into::<PyCapsule>()?;
            let array = capsules.get_item(1)?.cast_into::<PyCapsule>()?;
            let schema = schema.pointer_checked(Some(SCHEMA))?.cast();
            // SAFETY: a capsule of this name holds an ArrowSchema, and is held while it is read.
            let field = field_of(unsafe { schema.as_ref() }).map_err(super::arrow_error)?;
            let array = array.pointer_checked(Some(ARRAY))?.cast();
            // SAFETY: a capsule of this name holds an ArrowArray. It is moved out, which marks it as released in the capsule.
            let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
            if array.is_released() {
                return Err(PyValueError::new_err("the Arrow array was already taken"));
            }
            return Ok(Self { from: From::Array(Some(array)), field, taken: 0 });
        }
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let capsule = capsule.cast_into::<PyCapsule>()?;
        let stream = capsule.pointer_checked(Some(STREAM))?.cast();
        // SAFETY: a capsule of this name holds an ArrowArrayStream. It is moved out, which marks it as released in the capsule.
        let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
        let field = stream_field(&mut stream).map_err(super::arrow_error)?;
        Ok(Self { from: From::Stream(stream), field, taken: 0 })
    }

    /// The type of the arrays.
    pub(super) fn field(&self) -> &FieldRef {
        &self.field
    }
}

impl Iterator for Source {
    type Item = Result<Incoming, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let array = match &mut self.from {
            From::Array(array) => array.take().map(Ok),
            From::Stream(stream) => next_array(stream).transpose(),
        }?;
        let number = self.taken;
        self.taken += 1;
        Some(array.map(|array| Incoming::new(array, self.field.clone(), number)))
    }
}

/// Reads a schema. Returns an error if it is malformed.
fn field_of(schema: &FFI_ArrowSchema) -> Result<FieldRef, ArrowError> {
    if schema.release.is_none() {
        let why = "the Arrow schema was already taken";
        return Err(ArrowError::CDataInterface(why.to_owned()));
    }
    caught(|| Field::try_from(schema))?.map(Arc::new)
}

fn stream_field(stream: &mut FFI_ArrowArrayStream) -> Result<FieldRef, ArrowError> {
    let (Some(get_schema), Some(_)) = (stream.get_schema, stream.release) else {
        let why = "the Arrow stream was already taken";
        return Err(ArrowError::CDataInterface(why.to_owned()));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the stream is not released, and `schema` is there to be written.
    match unsafe { get_schema(stream, &mut schema) } {
        0 => field_of(&schema),
        code => Err(failed(stream, code)),
    }
}

/// Returns the next array of a stream; None at its end.
fn next_array(stream: &mut FFI_ArrowArrayStream) -> Result<Option<FFI_ArrowArray>, ArrowError> {
    let Some(get_next) = stream.get_next else {
        let why = "the Arrow stream has no function get_next";
        return Err(ArrowError::CDataInterface(why.to_owned()));
    };
    let mut array = FFI_ArrowArray::empty();
    // SAFETY: the stream is not released, and `array` is there to be written.
    match unsafe { get_next(stream, &mut array) } {
        0 => Ok(Some(array).filter(|array| !array.is_released())),
        code => Err(failed(stream, code)),
    }
}

/// Returns the last error of a stream.
fn failed(stream: &mut FFI_ArrowArrayStream, code: i32) -> ArrowError {
    // SAFETY: the stream is not released; its message is copied before the stream is used again.
    let message = stream.get_last_error.and_then(|last_error| unsafe {
        let message = last_error(stream);
        (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned())
    });
    ArrowError::CDataInterface(
        message.unwrap_or_else(|| format!("the Arrow stream failed with the code {code}")),
    )
}

/// Calls a function of arrow-rs that panics if an array or schema is malformed. Converts the panic
/// to an error.
pub(super) fn caught<T>(call: impl FnOnce() -> T) -> Result<T, ArrowError> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| {
        let why = message_of(panic.as_ref());
        ArrowError::CDataInterface(format!("the array is invalid or not supported: {why}"))
    })
}

fn message_of(panic: &(dyn Any + Send)) -> &str {
    match panic.downcast_ref::<String>() {
        Some(text) => text,
        None => panic.downcast_ref().copied().unwrap_or("unknown reason"),
    }
}

/// Returns a capsule with a schema.
pub(super) fn schema_capsule<'py>(
    py: Python<'py>,
    schema: &Schema,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(super::arrow_error)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Returns the capsules with the schema and the array of a record batch.
pub(super) fn batch_capsules<'py>(
    py: Python<'py>,
    batch: &RecordBatch,
) -> PyResult<Bound<'py, PyTuple>> {
    let schema = schema_capsule(py, batch.schema_ref())?;
    let array = FFI_ArrowArray::new(&StructArray::from(batch.clone()).to_data());
    PyTuple::new(py, [schema, PyCapsule::new_with_value(py, array, ARRAY)?])
}

/// Returns a capsule with a stream of record batches.
pub(super) fn stream_capsule<'py>(
    py: Python<'py>,
    batches: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(batches), STREAM)
}

/// Returns the record batch of an object with `__arrow_c_array__`, with every column validated.
pub(super) fn record_batch(object: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    let wrong = || PyTypeError::new_err("the argument must be an Arrow record batch");
    if !object.hasattr("__arrow_c_array__")? {
        return Err(wrong());
    }
    let mut source = Source::of(object)?;
    match source.next() {
        Some(array) => array.and_then(Incoming::into_batch).map_err(super::arrow_error),
        None => Err(wrong()),
    }
}
