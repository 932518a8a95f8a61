//! The document: the unified model's top level as attributes, made when they are first asked for.

// PyO3's own code for `__eq__`, which a macro here makes it write, calls an unsafe function in an unsafe function; nothing here is unsafe.
#![allow(unsafe_op_in_unsafe_fn)]

use std::sync::Arc;

use agentsdisc_core::manifest::{Hint, Object, Robots, Search};
use agentsdisc_core::{ConvertOptions, Format, Hints, Limits as CoreLimits, Manifest};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString, PyTuple};

use crate::base::{Base, Keep, Once, Shared, Show, Written, tuple};
use crate::capability::Capabilities;
use crate::convert;
use crate::diagnostic::{self, Diagnostic};
use crate::input::{self, unlocked};
use crate::{awp, model, requests};

/// A parsed document: the unified model over every format.
///
/// It never changes, and everything read from it stays valid as long as it is held. Single parts are None, and lists empty, where the document says nothing.
#[pyclass(frozen, module = "agentsdisc", weakref)]
pub(crate) struct Document {
    base: Shared,
    parts: Parts,
}

/// What is kept of a part, shown.
fn shown<T: Keep>(part: T, py: Python<'_>, base: &Shared) -> PyResult<Py<PyAny>> {
    part.keep(py, base)?.show(py, base)
}

/// An object, shown; None where it has no members.
fn shown_unless_empty<'a, T: Object<'a> + Keep>(
    object: T,
    py: Python<'_>,
    base: &Shared,
) -> PyResult<Py<PyAny>> {
    shown(Some(object).filter(|object| !object.is_empty()), py, base)
}

type Read = fn(Manifest<'_>, Python<'_>, &Shared) -> PyResult<Py<PyAny>>;

/// The attributes: those that are made once and nearly always asked for, others that are made once (in a box that is only made with the first
/// of them, as making and clearing them all would cost more than parsing), those that are made whenever they are asked for (texts, which are cheap, and dicts,
/// which their owner may change), and the other methods.
macro_rules! document {
    (
        first { $($(#[doc = $first_doc:literal])* $first:ident = $first_read:expr;)* }
        once { $($(#[doc = $doc:literal])* $name:ident = $read:expr;)* }
        each { $($(#[doc = $each_doc:literal])* $each:ident = $each_read:expr;)* }
        methods { $($methods:tt)* }
    ) => {
        /// The attributes that have been asked for.
        struct Parts {
            capabilities: Once<Py<Capabilities>>,
            $($first: Once<Py<PyAny>>,)*
            others: Once<Box<Others>>,
        }

        /// Those that are not asked for in most documents.
        #[derive(Default)]
        struct Others {
            $($name: Once<Py<PyAny>>,)*
        }

        impl Parts {
            const fn new() -> Self {
                Self { capabilities: Once::new(), $($first: Once::new(),)* others: Once::new() }
            }
        }

        #[pymethods]
        impl Document {
            $(
                $(#[doc = $first_doc])*
                #[getter]
                fn $first(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    let read: Read = $first_read;
                    let part = self.parts.$first.get_or_make(|| read(self.base.document().manifest(), py, &self.base))?;
                    Ok(part.clone_ref(py))
                }
            )*

            $(
                $(#[doc = $doc])*
                #[getter]
                fn $name(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    let read: Read = $read;
                    let others = self.parts.others.get_or_make(|| Ok(Box::default()))?;
                    let part = others.$name.get_or_make(|| read(self.base.document().manifest(), py, &self.base))?;
                    Ok(part.clone_ref(py))
                }
            )*

            $(
                $(#[doc = $each_doc])*
                #[getter]
                fn $each(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    let read: Read = $each_read;
                    read(self.base.document().manifest(), py, &self.base)
                }
            )*

            $($methods)*

            fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
                let other = &other.get().base;
                let same = self.base.outline.format() == other.outline.format() && *self.base.bytes == *other.bytes;
                same.into_py_any(py)
            }
        }
    };
}

document! {
    first {
        /// The service it speaks for.
        service = |m, py, base| shown(m.service(), py, base);
    }
    once {
        /// Authentication for the whole service.
        auth = |m, py, base| shown(m.auth(), py, base);
        /// Where the document comes from.
        provenance = |m, py, base| shown(m.provenance(), py, base);
        /// Platforms that an agent works on.
        operates_on = |m, py, base| shown(m.operates_on(), py, base);
        /// Endpoints of other protocols.
        endpoints = |m, py, base| shown(m.endpoints(), py, base);
        /// Which paths agents may reach.
        access = |m, py, base| shown(m.access(), py, base);
        /// What holds for single agents.
        agents = |m, py, base| shown(m.agents(), py, base);
        /// What agents.md says in words.
        permissions = |m, py, base| shown(m.permissions(), py, base);
        /// Suggested sequences of capabilities.
        flows = |m, py, base| shown(m.flows(), py, base);
        /// What must be done before something else.
        dependencies = |m, py, base| shown(m.dependencies(), py, base);
        /// Named types.
        entities = |m, py, base| shown(m.entities(), py, base);
        /// What to do about errors.
        errors = |m, py, base| shown(m.errors(), py, base);
        /// Advice for planning.
        hints = |m, py, base| Ok(tuple(m.hints().map(Hint::from), py, base)?.into_any());
        /// Whether the service works now.
        status = |m, py, base| shown(m.status(), py, base);
        /// What the service costs.
        pricing = |m, py, base| shown(m.pricing(), py, base);
        /// How sessions work.
        session = |m, py, base| shown(m.session(), py, base);
        /// Whether what agents do is recorded.
        audit = |m, py, base| shown(m.audit(), py, base);
        /// Rate limits of the whole document.
        rate_limits = |m, py, base| shown(m.rate_limits(), py, base);
        /// The rules of a robots.txt.
        robots = |m, py, base| shown_unless_empty(Robots::of(&m), py, base);
        /// The answer of a registry search.
        search = |m, py, base| shown_unless_empty(Search::of(&m), py, base);
    }
    each {
        /// Version of the specification that the document follows, as written.
        spec_version = |m, py, base| shown(m.head().spec_version, py, base);
        /// Whose declaration it is: `platform`, `agent` or `unknown`.
        kind = |m, py, base| shown(m.head().kind, py, base);
        /// The text as written, where it differs from the canonical name.
        kind_text = |m, py, base| m.head().kind.keep(py, base)?.written_text(py, base);
        /// When it was made, as written.
        generated_at = |m, py, base| shown(m.head().generated_at, py, base);
        /// The companion document in the other notation.
        companion = |m, py, base| shown(m.head().companion, py, base);
        /// Feature flags, by name.
        features = |m, py, base| shown(m.features(), py, base);
        /// How long answers may be kept, in seconds.
        cache_seconds = |m, py, base| shown(m.cache_seconds(), py, base);
        /// An example request.
        request_example = |m, py, base| shown(m.request_example(), py, base);
        /// An example answer.
        response_example = |m, py, base| shown(m.response_example(), py, base);
        /// Everything else, by name.
        metadata = |m, py, base| shown(m.metadata(), py, base);
    }
    methods {
        /// The format: `agents-txt`, `agents-json`, `awp`, …
        #[getter]
        fn format(&self, py: Python<'_>) -> Py<PyString> {
            format_name(py, self.base.outline.format())
        }

        /// What agents can do: a sequence whose items are made when they are first asked for.
        #[getter]
        fn capabilities(&self, py: Python<'_>) -> PyResult<Py<Capabilities>> {
            let capabilities = || Py::new(py, Capabilities::new(self.base.clone()));
            self.parts.capabilities.get_or_make(capabilities).map(|list| list.clone_ref(py))
        }

        /// The bytes of the document, as they were given.
        #[getter]
        fn bytes(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            Ok(self.base.bytes.clone_ref(py).into_pyobject(py)?.into_any().unbind())
        }

        /// The unified model as a dict (`docs/model.md`).
        fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
            model::dict(&self.base.document(), self.base.limits, py)
        }

        /// The unified model as JSON text on one line.
        fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
            PyString::from_bytes(py, &self.json(py))
        }

        /// Checks the document against its specification.
        ///
        /// `origin` is where it was fetched from, such as `https://example.com`, if that is known. What is found comes sorted by offset.
        /// Raises ValueError where `origin` is no URL.
        #[pyo3(signature = (origin=None))]
        fn check(&self, py: Python<'_>, origin: Option<&Bound<'_, PyString>>) -> PyResult<Vec<Diagnostic>> {
            let origin = input::origin(origin)?;
            Ok(unlocked(py, self.base.bytes.len(), || diagnostic::check(&self.base.document(), origin.as_deref())))
        }

        /// Decides a request over this document and the site's robots.txt: `agentsdisc.decide` for one document.
        #[pyo3(signature = (*, agent, url=None, capability=None, method=None, robots=None, origin=None, approved=None))]
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
        ) -> PyResult<Bound<'py, PyAny>> {
            let py = slf.py();
            let arguments = PyDict::new(py);
            arguments.set_item("agent", agent)?;
            let others = [("url", url), ("capability", capability), ("method", method), ("robots", robots), ("origin", origin), ("approved", approved)];
            for (name, value) in others {
                if let Some(value) = value {
                    arguments.set_item(name, value)?;
                }
            }
            py.import("agentsdisc._policy")?.getattr("decide")?.call(([slf],), Some(&arguments))
        }

        /// The document in another format, as bytes whose attribute `losses` tells what did not carry over.
        ///
        /// `target` is `agents-txt` or `agents-json`, for a 0.1 document also `agents-txt-0.1` or `agents-json-0.1`, or `json` for the unified model.
        /// `origin` is where the document was fetched from; `pretty` lays JSON out in lines; `loosen` leaves restrictions of capabilities out that the target
        /// cannot say, where otherwise the capability is left out. Raises ConvertError where no such document is made of this one, or where it
        /// would allow agents more, ValueError where `origin` is no URL.
        #[pyo3(signature = (target, *, origin=None, pretty=true, loosen=false))]
        fn convert<'py>(
            &self,
            py: Python<'py>,
            target: &Bound<'py, PyString>,
            origin: Option<&Bound<'py, PyString>>,
            pretty: bool,
            loosen: bool,
        ) -> PyResult<Bound<'py, PyAny>> {
            let (target, origin) = (target.to_string_lossy(), input::origin(origin)?);
            convert::convert(py, &self.base.document(), &target, &ConvertOptions { origin: origin.as_deref(), pretty, loosen })
        }

        /// An agents.txt with everything put right that is mechanical, as bytes whose attribute `changes` tells what. Raises ConvertError for any other format.
        fn fix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            convert::fix(py, &self.base.document())
        }

        /// The request that calls the capability whose `detail` this is; this document is the manifest of its service (formats `adp-capability` and `adp`).
        ///
        /// `arguments` are values by the names of parameters: str, or anything else that `json.dumps` takes. An argument goes where its parameter's `in`
        /// says. `token` is the key or token; it goes to the host of `base_url` and what belongs to it, over https, unless `trust_endpoint` says that
        /// the endpoint may have it wherever it is. Nothing is sent. Raises RequestError where the documents or the arguments make no request.
        #[pyo3(signature = (detail, arguments=None, *, token=None, trust_endpoint=false))]
        fn request<'py>(
            &self,
            py: Python<'py>,
            detail: &Bound<'py, Self>,
            arguments: Option<&Bound<'py, PyMapping>>,
            token: Option<&Bound<'py, PyString>>,
            trust_endpoint: bool,
        ) -> PyResult<Bound<'py, PyAny>> {
            requests::request(py, self, detail.get(), arguments, token, trust_endpoint)
        }

        /// Where the detail of a capability of this ADP manifest is: an absolute URL. None where the capability names none.
        ///
        /// `capability` is one, or a reference as its `detail_url`. An absolute URL stands; a path that begins with `/` is appended to `base_url`,
        /// with `rfc3986` it replaces the path of that. Raises RequestError where the reference leads nowhere.
        #[pyo3(signature = (capability, *, rfc3986=false))]
        fn detail_url(&self, py: Python<'_>, capability: &Bound<'_, PyAny>, rfc3986: bool) -> PyResult<Option<String>> {
            requests::detail_url(py, self, capability, rfc3986)
        }

        /// The actions of an AWP document that must run before `action`, in an order in which they can run: each once, behind everything that it
        /// requires itself. Raises PrerequisiteError where actions require one another.
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
            Ok(format!("<Document {format}{name}, capabilities: {capabilities}, bytes: {bytes}>"))
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
    }
}

impl Document {
    /// Parses. `Arc` rather than a reference to the document: views must not keep the views of others alive.
    pub(crate) fn parse(
        py: Python<'_>,
        bytes: PyBackedBytes,
        format: Option<Format>,
        hints: Hints<'_>,
        limits: CoreLimits,
    ) -> PyResult<Self> {
        let outline = input::parse(py, &bytes, format, hints, limits)?;
        Ok(Self {
            base: Arc::new(Base {
                bytes,
                outline,
                limits,
            }),
            parts: Parts::new(),
        })
    }

    pub(crate) fn base(&self) -> &Shared {
        &self.base
    }

    fn json(&self, py: Python<'_>) -> Vec<u8> {
        unlocked(py, self.base.bytes.len(), || {
            let mut text = Vec::with_capacity(self.base.bytes.len());
            self.base
                .document()
                .put_json(&mut |piece: &[u8]| text.extend_from_slice(piece));
            text
        })
    }
}

/// The name of a format, made once for the whole process.
pub(crate) fn format_name(py: Python<'_>, format: Format) -> Py<PyString> {
    static NAMES: [PyOnceLock<Py<PyString>>; 64] = [const { PyOnceLock::new() }; 64];
    let make = || PyString::intern(py, format.id()).unbind();
    match Format::ALL
        .iter()
        .position(|known| *known == format)
        .and_then(|at| NAMES.get(at))
    {
        Some(name) => name.get_or_init(py, make).clone_ref(py),
        None => make(),
    }
}

/// The document of a pickle.
#[pyfunction]
#[pyo3(name = "_document")]
pub(crate) fn restore_document(
    py: Python<'_>,
    data: &Bound<'_, PyBytes>,
    format: &str,
    limits: (usize, usize, usize, usize),
) -> PyResult<Document> {
    let (document, depth, line, robots) = limits;
    let limits = CoreLimits {
        document,
        depth,
        line,
        robots,
    };
    Document::parse(
        py,
        data.clone().into(),
        Format::from_id(format),
        Hints::default(),
        limits,
    )
}
