//! The names and messages of codes, and what is known of each format.

use agentsdisc_core::call::{Failure, Problem};
use agentsdisc_core::discovery::{
    Declared, Follow, Moved, OriginError, Rejection, Resource, Source,
};
use agentsdisc_core::format::awp::Layer;
use agentsdisc_core::manifest::Name;
use agentsdisc_core::policy::Reason;
use agentsdisc_core::write::{Fix, Reason as Lost};
use agentsdisc_core::{Code, ErrorKind, Format, Severity, Span};

use crate::{bytes, keep, show};

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_format(data: *const u8, length: usize) {
    // SAFETY: guaranteed by the caller.
    let id = unsafe { bytes(data, length) };
    if let Some(format) = core::str::from_utf8(id).ok().and_then(Format::from_id) {
        keep((format.id(), format.is_json(), format.is_read_in_one_pass(), format.feature()));
        keep(format.facts());
        show(format);
    }
}

/// # Safety
/// `name` must point to a name, `kind` to the kind of an error, `more` to these values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_names(
    which: usize,
    name: *const Name,
    kind: *const ErrorKind,
    more: *const (Severity, Span, Layer),
) {
    // SAFETY: guaranteed by the caller.
    let (name, kind, (severity, span, layer)) = unsafe { (&*name, &*kind, *more) };
    keep((name.as_str(), name.text_name(), name.index(), span.len()));
    keep((kind.as_str(), kind.message(), severity.as_str(), layer.as_str()));
    if let Some(code) = Code::ALL.get(which) {
        keep((code.as_str(), code.severity(), code.group(), code.points_at(), code.about()));
        keep((code.why(), code.example()));
        show(*code);
    }
    if let Some(reason) = Reason::ALL.get(which) {
        keep((reason.as_str(), reason.is_allowed(), reason.section(), reason.message()));
        show(*reason);
    }
    if let Some(reason) = Lost::ALL.get(which) {
        keep((reason.as_str(), reason.about()));
    }
    if let Some(fix) = Fix::ALL.get(which) {
        keep((fix.as_str(), fix.about()));
    }
    if let Some(rejection) = Rejection::ALL.get(which) {
        keep((rejection.as_str(), rejection.message()));
        show(*rejection);
    }
}

/// Values that have no list.
type Values = (Failure, Problem, Declared, Follow, Moved, OriginError, Resource, Source);

/// # Safety
/// `values` must point to values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_values(values: *const Values) {
    // SAFETY: guaranteed by the caller.
    let (failure, problem, declared, follow, moved, error, resource, source) = unsafe { *values };
    keep((failure.as_str(), problem.as_str(), problem.message(), declared.as_str()));
    keep((follow.as_str(), moved.as_str(), error.as_str(), error.message()));
    keep((resource.as_str(), source.as_str()));
    show(error);
}
