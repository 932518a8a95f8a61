//! Expands Zstandard for `agentsdisc ingest`, with the methods of Python's decoders of bzip2 and xz. Python has one only since version 3.14.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer};

/// The largest window, which bounds the memory to 128 MiB.
const WINDOW_LOG: u32 = 27;
/// The bytes that show how large the head of a frame is.
const FIRST: usize = 5;

/// The content of one frame.
#[pyclass(module = "agentsdisc._agentsdisc", name = "_Zstd")]
pub(crate) struct Zstd {
    context: DCtx<'static>,
    given: Vec<u8>,
    /// How many of the given bytes are used.
    at: usize,
    /// How many bytes the decoder wants next: the rest of a block. More would lose the blocks before damage.
    wanted: usize,
    /// Whether the last call has filled the output.
    is_full: bool,
}

#[pymethods]
impl Zstd {
    #[new]
    fn new() -> PyResult<Self> {
        let mut context = DCtx::try_create().ok_or_else(|| failed("no memory"))?;
        let window = DParameter::WindowLogMax(WINDOW_LOG);
        context.set_parameter(window).map_err(|code| failed(zstd_safe::get_error_name(code)))?;
        Ok(Self { context, given: Vec::new(), at: 0, wanted: FIRST, is_full: false })
    }

    /// Whether the frame is over.
    #[getter]
    fn eof(&self) -> bool {
        self.wanted == 0
    }

    /// Whether there is nothing left to expand.
    #[getter]
    fn needs_input(&self) -> bool {
        !self.is_full && self.at == self.given.len()
    }

    /// The bytes behind the frame.
    #[getter]
    fn unused_data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.given.get(self.at..).unwrap_or_default())
    }

    /// Returns up to `size` of the next bytes.
    fn decompress<'py>(
        &mut self,
        py: Python<'py>,
        data: &[u8],
        size: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.given.drain(..self.at);
        self.given.extend_from_slice(data);
        self.at = 0;
        let mut room = vec![0; size];
        let mut made = 0;
        while made == 0 && self.wanted > 0 && (self.is_full || self.at < self.given.len()) {
            let end = self.given.len().min(self.at.saturating_add(self.wanted));
            let given = self.given.get(self.at..end).unwrap_or_default();
            let mut input = InBuffer { src: given, pos: 0 };
            let mut output = OutBuffer::around(room.as_mut_slice());
            self.wanted = self
                .context
                .decompress_stream(&mut output, &mut input)
                .map_err(|code| failed(&zstd_safe::get_error_name(code).to_lowercase()))?;
            made = output.pos();
            self.at += input.pos();
            self.is_full = made == size;
        }
        Ok(PyBytes::new(py, room.get(..made).unwrap_or_default()))
    }
}

fn failed(why: &str) -> PyErr {
    PyValueError::new_err(format!("zstd: {why}"))
}
