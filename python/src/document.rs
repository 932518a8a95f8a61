//! The document: the top level of the unified model as attributes, which are created on first use.

// PyO3's code for `__eq__`, which a macro here expands to, calls an unsafe function in an unsafe
// function; this file contains no unsafe code of its own.
#![allow(unsafe_op_in_unsafe_fn)]

use std::sync::Arc;

use agentsdisc_core::format::adp::RequestOptions;
use agentsdisc_core::manifest as model;
use agentsdisc_core::manifest::{Choice, Hints, Kind, List, Metadata, Object, Raw};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{
    ConvertOptions, Format, Hints as FormatHints, Limits as CoreLimits, Synthetic,
};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString, PyTuple};

use crate::base::{Base, Keep, Once, Shared, Show, Written};
use crate::capability::Capabilities;
use crate::convert;
use crate::diagnostic::{self, Diagnostic};
use crate::input::{self, unlocked};
use crate::links::{self, Link};
use crate::{awp, requests};

/// A parsed document: the unified model of any format.
///
/// It is immutable, and everything read from it stays valid. Single values are None, and lists are
/// empty, if the document does not contain them.
#[pyclass(frozen, module = "agentsdisc", weakref)]
pub(crate) struct Document {
    base: Shared,
    /// In a box that is created on first use: creating and clearing all members would cost more
    /// than parsing.
    members: Once<Box<Members>>,
}

/// Returns the value of a member: a field of the head, or the result of a method.
macro_rules! value_of {
    ($manifest:ident $field:ident $in_head:ident) => {
        $manifest.head().$field
    };
    ($manifest:ident $field:ident) => {
        $manifest.$field()
    };
}

/// The type of the kept value of a member.
macro_rules! kept_type {
    (capabilities $type:ty) => { Py<Capabilities> };
    ($field:ident $type:ty) => { <$type as Keep>::Kept };
}

/// Creates the kept value of a member. Capabilities are read one by one. An object without members
/// counts as absent if the JSON of the model omits it.
macro_rules! keep {
    ($base:ident $py:ident unless $empty:ident $field:ident $($in_head:ident)?) => {{
        let manifest = $base.document().manifest();
        let value = value_of!(manifest $field $($in_head)?);
        value.filter(|object| !object.$empty()).keep($py, $base)
    }};
    ($base:ident $py:ident capabilities) => {
        Py::new($py, Capabilities::new($base.clone()))
    };
    ($base:ident $py:ident $field:ident $($in_head:ident)?) => {{
        let manifest = $base.document().manifest();
        value_of!(manifest $field $($in_head)?).keep($py, $base)
    }};
}

macro_rules! members {
    ($(
        #[doc = $doc:literal]
        $field:ident $(as $name:literal)? $(or $text:ident)? $(unless $empty:ident)?
        $(in $head:ident: $part:ty)? $(: $type:ty)?,
    )*) => {
        /// The members that were used.
        #[derive(Default)]
        struct Members {
            $($field: Once<kept_type!($field $($part)? $($type)?)>,)*
        }

        impl Members {
            $(
                fn $field(&self, py: Python<'_>, base: &Shared) -> PyResult<&kept_type!($field $($part)? $($type)?)> {
                    self.$field.get_or_make(|| keep!(base py $(unless $empty)? $field $($head)?))
                }
            )*
        }

        #[pymethods]
        impl Document {
            $(
                #[doc = $doc]
                #[getter]
                $(#[pyo3(name = $name)])?
                fn $field(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.members()?.$field(py, &self.base)?.show(py, &self.base)
                }

                $(
                    /// The text as written, if it differs from the canonical name.
                    #[getter]
                    fn $text(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                        self.members()?.$field(py, &self.base)?.written_text(py, &self.base)
                    }
                )?
            )*

        /// The format: `agents-txt`, `agents-json`, `awp`, …
        #[getter]
        fn format(&self, py: Python<'_>) -> Py<PyString> {
            format_name(py, self.base.outline.format())
        }

        /// Returns the URL of the companion, with the default of the format: in agents.txt 0.1.0
        /// `/.well-known/agents.json` below the URL of the site. None if there is neither.
        fn companion_url(&self) -> Option<String> {
            self.base.document().companion_url().map(|url| url.to_string())
        }

        /// Returns the URL of the first server of an OpenAPI description, with the defaults of its
        /// variables. It may be a path of the site that has the description: `/` without a server. None for
        /// other documents, and if the URL is not known.
        fn server_url(&self) -> Option<String> {
            let mut buffer = [0; 2048];
            self.base.document().openapi()?.base(&mut buffer).map(str::to_owned)
        }

        /// Returns whether the site must serve an agents.json 0.1 beside this document: an agents.txt 0.1.0
        /// with `cart.add`, `checkout` and the like, or with `Audit: true`.
        fn needs_companion(&self) -> bool {
            self.base.document().needs_companion()
        }

        /// Returns the lifetime of a session in seconds, with the default of the format: 1800 in agents.txt
        /// 0.1.0, 3600 in agents.json 0.1. None if the document or its format has no sessions.
        fn session_seconds(&self) -> Option<u32> {
            self.base.document().session_seconds()
        }

        /// Returns whether the actions of agents are recorded, with the default of agents.txt 0.1.0 and
        /// agents.json 0.1: false. None for other formats, and if the value cannot be read.
        fn is_audited(&self) -> Option<bool> {
            self.base.document().is_audited()
        }

        /// The bytes of the document.
        #[getter]
        fn bytes(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            Ok(self.base.bytes.clone_ref(py).into_pyobject(py)?.into_any().unbind())
        }

        /// Returns the unified model as a dict (`docs/model.md`).
        fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
            crate::model::dict(&self.base.document(), self.base.limits, py)
        }

        /// Returns the unified model as JSON text on one line.
        fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
            PyString::from_bytes(py, &self.json(py))
        }

        /// Checks the document against its specification; returns diagnostics sorted by offset.
        ///
        /// `origin` is the origin it was fetched from, such as `https://example.com`, if known.
        /// `received_from` is the origin of the server that sent it, if that is another one, as with
        /// a preview. Raises ValueError if one of them is not a valid URL.
        #[pyo3(signature = (origin=None, *, received_from=None))]
        fn check(&self, py: Python<'_>, origin: Option<&Bound<'_, PyString>>, received_from: Option<&Bound<'_, PyString>>) -> PyResult<Vec<Diagnostic>> {
            let (origin, sender) = (input::origin(origin)?, input::origin(received_from)?);
            Ok(unlocked(py, self.base.bytes.len(), || diagnostic::check(&self.base.document(), origin.as_deref(), sender.as_deref())))
        }

        /// Returns the http and https URLs of the document: `agentsdisc.links` of its bytes.
        fn links(&self, py: Python<'_>) -> Vec<Link> {
            unlocked(py, self.base.bytes.len(), || links::of(&self.base.bytes))
        }

        /// Decides a request by this document and the site's robots.txt: `agentsdisc.decide` for
        /// one document.
        #[pyo3(signature = (*, agent, url=None, capability=None, method=None, robots=None, origin=None, approved=None, purpose=None, content_usage=None))]
        #[allow(clippy::too_many_arguments)]
        fn decide<'py>(
            slf: Bound<'py, Self>,
            agent: Bound<'py, PyAny>,
            url: Option<Bound<'py, PyAny>>,
            capability: Option<Bound<'py, PyAny>>,
            method: Option<Bound<'py, PyAny>>,
            robots: Option<Bound<'py, PyAny>>,
            origin: Option<Bound<'py, PyAny>>,
            approved: Option<Bound<'py, PyAny>>,
            purpose: Option<Bound<'py, PyAny>>,
            content_usage: Option<Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let py = slf.py();
            let arguments = PyDict::new(py);
            arguments.set_item("agent", agent)?;
            let others = [("url", url), ("capability", capability), ("method", method), ("robots", robots), ("origin", origin), ("approved", approved), ("purpose", purpose), ("content_usage", content_usage)];
            for (name, value) in others {
                if let Some(value) = value {
                    arguments.set_item(name, value)?;
                }
            }
            py.import("agentsdisc._policy")?.getattr("decide")?.call(([slf],), Some(&arguments))
        }

        /// Returns the document in another format, as bytes with the attribute `losses`.
        ///
        /// `target` is `agents-txt`, `agents-json`, `agents-md`, `llms-txt`, `awp`, `adp` or
        /// `adp-capability` (the detail of `capability`, or of the only one), for a 0.1 document also
        /// `agents-txt-0.1` or `agents-json-0.1`, for a robots.txt `robots-txt` (its AI preferences in
        /// both fields), or `json` for the unified model. `origin` is the origin that the
        /// document was fetched from; `pretty` indents JSON; `loosen` drops restrictions that the target
        /// cannot express, instead of omitting their capabilities or raising ConvertError. Raises
        /// ConvertError if the document cannot be converted to this format, or if the result would
        /// allow agents more; ValueError if `origin` is not a valid URL.
        /// An agent.json with `generated_by` and `last_verified` says that another party than the
        /// owner of the site publishes it (Agent Web Protocol section 14).
        #[pyo3(signature = (target, *, origin=None, pretty=true, loosen=false, generated_by=None, last_verified=None, capability=None))]
        #[allow(clippy::too_many_arguments)]
        fn convert<'py>(
            &self,
            py: Python<'py>,
            target: &Bound<'py, PyString>,
            origin: Option<&Bound<'py, PyString>>,
            pretty: bool,
            loosen: bool,
            generated_by: Option<String>,
            last_verified: Option<String>,
            capability: Option<&Bound<'py, PyString>>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let (target, origin) = (target.to_string_lossy(), input::origin(origin)?);
            let made = generated_by.as_deref().zip(last_verified.as_deref());
            let synthetic = made.map(|(generated_by, last_verified)| Synthetic { generated_by, last_verified });
            let capability = capability.map(|id| id.to_string_lossy());
            let options = ConvertOptions { origin: origin.as_deref(), pretty, loosen, synthetic, capability: capability.as_deref() };
            convert::convert(py, &self.base.document(), &target, &options)
        }

        /// Returns an agents.txt with automatic fixes applied, as bytes with the attribute
        /// `changes`. Raises ConvertError for other formats.
        fn fix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            convert::fix(py, &self.base.document())
        }

        /// Returns the request that calls the capability with this `detail`; this document is the
        /// manifest of its service (formats `adp-capability` and `adp`).
        ///
        /// `arguments` maps parameter names to values: str, or any type that `json.dumps` accepts.
        /// The `in` of a parameter determines where its argument is sent. Arguments also replace
        /// names in braces in the URL. `token` is the key or token; it is sent only over https to
        /// the host of `origin`, from which the manifest was fetched, and related hosts, unless
        /// `trust_endpoint` permits it for any endpoint. Without `origin`, the host of `base_url`
        /// counts, as in `decide`. `rfc3986` lets an endpoint that begins with `/` replace the path of
        /// `base_url`. `constant_headers` also sends the headers that the method `constant_headers`
        /// returns. This method sends nothing. Raises RequestError if the documents or arguments
        /// make no valid request.
        #[pyo3(signature = (detail, arguments=None, *, token=None, origin=None, trust_endpoint=false, rfc3986=false, constant_headers=false))]
        #[allow(clippy::too_many_arguments)] // Python's are named.
        fn request<'py>(
            &self,
            py: Python<'py>,
            detail: &Bound<'py, Self>,
            arguments: Option<&Bound<'py, PyMapping>>,
            token: Option<&Bound<'py, PyString>>,
            origin: Option<&Bound<'py, PyString>>,
            trust_endpoint: bool,
            rfc3986: bool,
            constant_headers: bool,
        ) -> PyResult<Bound<'py, PyAny>> {
            let mut options = RequestOptions::default();
            (options.trust_endpoint, options.rfc3986) = (trust_endpoint, rfc3986);
            options.constant_headers = constant_headers;
            requests::request(py, self, detail.get(), arguments, (token, origin), options)
        }

        /// Returns the headers with a constant value in the example of `detail`, such as the
        /// version of an API. Omits the headers of authentication, of parameters and of the body.
        fn constant_headers<'py>(&self, py: Python<'py>, detail: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
            requests::constant_headers(py, self, detail.get())
        }

        /// Returns the absolute URL of the detail of a capability of this ADP manifest. None if the
        /// capability has no detail.
        ///
        /// `capability` is a capability, or a reference such as its `detail_url`. An absolute URL
        /// is returned as it is. A path is appended to `base_url`; a path that already begins with
        /// the path of `base_url` replaces that path, and with `rfc3986` every path does.
        /// `arguments` maps names in braces to their values. Raises RequestError if the reference
        /// cannot be resolved.
        #[pyo3(signature = (capability, *, rfc3986=false, arguments=None))]
        fn detail_url(
            &self,
            py: Python<'_>,
            capability: &Bound<'_, PyAny>,
            rfc3986: bool,
            arguments: Option<&Bound<'_, PyMapping>>,
        ) -> PyResult<Option<String>> {
            requests::detail_url(py, self, capability, rfc3986, arguments)
        }

        /// Returns the actions of an AWP document that must run before `action`, in an executable
        /// order: each once, after its own prerequisites. Raises PrerequisiteError if actions
        /// require each other, or if `dependencies` cannot be read.
        fn prerequisites(&self, py: Python<'_>, action: &str) -> PyResult<Py<PyTuple>> {
            awp::prerequisites(py, self, action)
        }

        fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
            let manifest = self.base.document().manifest();
            let name = match manifest.service().and_then(|service| service.name) {
                Some(name) => format!(" of {}", crate::base::string(py, name).repr()?),
                None => String::new(),
            };
            let capabilities = manifest.capabilities().count();
            let (format, bytes) = (manifest.format().id(), self.base.bytes.len());
            let shown = format!("<Document {format}{name}, capabilities: {capabilities}, bytes: {bytes}>");
            Ok(self.base.masked(&shown))
        }

        fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
            self.bytes(py)?.bind(py).hash()
        }

        fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
            slf
        }

        fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'_, PyAny>) -> Bound<'py, Self> {
            slf
        }

        fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
            let CoreLimits { document, depth, line, robots } = self.base.limits;
            let format = self.base.outline.format().id();
            let state = (self.bytes(py)?, format, (document, depth, line, robots)).into_pyobject(py)?;
            Ok((py.import("agentsdisc._agentsdisc")?.getattr("_document")?, state))
        }

            fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
                let other = &other.get().base;
                let same = self.base.outline.format() == other.outline.format() && *self.base.bytes == *other.bytes;
                same.into_py_any(py)
            }
        }
    };
}

agentsdisc_core::document! { members 'static }

impl Document {
    /// Parses a document. Views share its bytes through an `Arc`. A reference to this Python object
    /// would also keep its members alive.
    pub(crate) fn parse(
        py: Python<'_>,
        bytes: PyBackedBytes,
        format: Option<Format>,
        hints: FormatHints<'_>,
        limits: CoreLimits,
    ) -> PyResult<Self> {
        let outline = input::parse(py, &bytes, format, hints, limits)?;
        Ok(Self { base: Arc::new(Base::new(bytes, outline, limits)), members: Once::new() })
    }

    fn members(&self) -> PyResult<&Members> {
        self.members.get_or_make(|| Ok(Box::default())).map(AsRef::as_ref)
    }

    pub(crate) fn base(&self) -> &Shared {
        &self.base
    }

    fn json(&self, py: Python<'_>) -> Vec<u8> {
        unlocked(py, self.base.bytes.len(), || {
            let mut text = Vec::with_capacity(self.base.bytes.len());
            self.base.document().put_json(&mut |piece: &[u8]| text.extend_from_slice(piece));
            text
        })
    }
}

/// Returns the name of a format, created once per process.
pub(crate) fn format_name(py: Python<'_>, format: Format) -> Py<PyString> {
    static NAMES: [PyOnceLock<Py<PyString>>; 64] = [const { PyOnceLock::new() }; 64];
    let make = || PyString::intern(py, format.id()).unbind();
    match Format::ALL.iter().position(|known| *known == format).and_then(|at| NAMES.get(at)) {
        Some(name) => name.get_or_init(py, make).clone_ref(py),
        None => make(),
    }
}

/// Creates the document from a pickle.
#[pyfunction]
#[pyo3(name = "_document")]
pub(crate) fn restore_document(
    py: Python<'_>,
    data: &Bound<'_, PyBytes>,
    format: &str,
    limits: (usize, usize, usize, usize),
) -> PyResult<Document> {
    let (document, depth, line, robots) = limits;
    let limits = CoreLimits { document, depth, line, robots };
    Document::parse(
        py,
        data.clone().into(),
        Format::from_id(format),
        FormatHints::default(),
        limits,
    )
}
