//! Converts JSON text to Python objects: raw values of documents, and the unified model.
//!
//! The core has validated or written the text, so this code checks only what prevents harm. The
//! core's limit bounds the nesting, and so the recursion.

use agentsdisc_core::syntax::text::Text;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyList, PyString, PyType};

use crate::base::string;

/// More than the nesting of any document with the model around it.
const DEPTH: u16 = 300;

/// Converts JSON text to dict, list, str, int, float, bool or None.
pub(crate) fn decode<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    Decoder { py, rest: text }.value(DEPTH)
}

fn malformed() -> PyErr {
    PyValueError::new_err("agentsdisc: the JSON text of a value is malformed (please report this)")
}

struct Decoder<'py, 't> {
    py: Python<'py>,
    rest: &'t [u8],
}

impl<'py, 't> Decoder<'py, 't> {
    fn blanks(&mut self) {
        while let [b' ' | b'\t' | b'\n' | b'\r', tail @ ..] = self.rest {
            self.rest = tail;
        }
    }

    /// Skips blanks, and takes the next byte if it equals this one.
    fn take(&mut self, wanted: u8) -> bool {
        self.blanks();
        match self.rest.split_first() {
            Some((&byte, tail)) if byte == wanted => {
                self.rest = tail;
                true
            }
            _ => false,
        }
    }

    fn value(&mut self, depth: u16) -> PyResult<Bound<'py, PyAny>> {
        let depth = depth.checked_sub(1).ok_or_else(malformed)?;
        self.blanks();
        match self.rest.first() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Ok(self.string()?.into_any()),
            _ => self.scalar(),
        }
    }

    fn object(&mut self, depth: u16) -> PyResult<Bound<'py, PyAny>> {
        let dict = PyDict::new(self.py);
        self.take(b'{');
        if self.take(b'}') {
            return Ok(dict.into_any());
        }
        loop {
            self.blanks();
            let name = self.string()?;
            if !self.take(b':') {
                return Err(malformed());
            }
            dict.set_item(name, self.value(depth)?)?;
            if !self.take(b',') {
                return if self.take(b'}') { Ok(dict.into_any()) } else { Err(malformed()) };
            }
        }
    }

    fn array(&mut self, depth: u16) -> PyResult<Bound<'py, PyAny>> {
        let list = PyList::empty(self.py);
        self.take(b'[');
        if self.take(b']') {
            return Ok(list.into_any());
        }
        loop {
            list.append(self.value(depth)?)?;
            if !self.take(b',') {
                return if self.take(b']') { Ok(list.into_any()) } else { Err(malformed()) };
            }
        }
    }

    fn string(&mut self) -> PyResult<Bound<'py, PyString>> {
        let Some((b'"', inside)) = self.rest.split_first() else {
            return Err(malformed());
        };
        let (mut end, mut escaped) = (0, false);
        loop {
            let ahead = inside.get(end..).unwrap_or_default();
            let Some(next) = memchr::memchr2(b'"', b'\\', ahead) else {
                return Err(malformed());
            };
            end += next;
            if inside.get(end) == Some(&b'"') {
                break;
            }
            escaped = true;
            end += 2;
        }
        let (raw, tail) = inside.split_at_checked(end).ok_or_else(malformed)?;
        self.rest = tail.get(1..).unwrap_or_default();
        Ok(string(self.py, if escaped { Text::json(raw) } else { Text::plain(raw) }))
    }

    /// A number or one of the three words.
    fn scalar(&mut self) -> PyResult<Bound<'py, PyAny>> {
        let end = self
            .rest
            .iter()
            .position(|byte| b",]} \t\n\r".contains(byte))
            .unwrap_or(self.rest.len());
        let (word, tail) = self.rest.split_at_checked(end).ok_or_else(malformed)?;
        self.rest = tail;
        let py = self.py;
        match word {
            b"null" => return Ok(py.None().into_bound(py)),
            b"true" => return Ok(PyBool::new(py, true).to_owned().into_any()),
            b"false" => return Ok(PyBool::new(py, false).to_owned().into_any()),
            _ => {}
        }
        let digits = std::str::from_utf8(word).map_err(|_| malformed())?;
        if !word.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
            if let Ok(number) = digits.parse::<i64>() {
                return Ok(number.into_pyobject(py)?.into_any());
            }
            // Python refuses to parse integers with many digits (4,300 by default): those become
            // floats, because accessors must not fail.
            static INT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
            if let Ok(number) = INT.import(py, "builtins", "int")?.call1((digits,)) {
                return Ok(number);
            }
        }
        let number = digits.parse::<f64>().map_err(|_| malformed())?;
        // An infinite number cannot be written as JSON again, so a too large one stays a text.
        Ok(match number.is_finite() {
            true => PyFloat::new(py, number).into_any(),
            false => PyString::new(py, digits).into_any(),
        })
    }
}
