//! Operations on documents that describe actions: their order, their types, and the requests that
//! call them.

use agentsdisc_core::Document;
use agentsdisc_core::format::adp::{Argument, ArgumentValue, RequestOptions, search_url};
use agentsdisc_core::format::awp::Layer;
use agentsdisc_core::manifest::Protocol;
use agentsdisc_core::syntax::json::Value;
use agentsdisc_core::syntax::text::{Escape, Text};
use agentsdisc_core::syntax::type_expr::TypeExpr;

use crate::{buffer, bytes, keep, show, text};

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_type_expr(data: *const u8, length: usize, escaped: bool) {
    // SAFETY: guaranteed by the caller.
    let raw = unsafe { bytes(data, length) };
    match TypeExpr::parse(Text::escaped(raw, if escaped { Escape::Json } else { Escape::Plain })) {
        Err(error) => {
            keep(error.message());
            show(error);
        }
        Ok(expression) => {
            keep((
                expression.text(),
                expression.kind(),
                expression.items(),
                expression.innermost(),
                expression.entity(),
            ));
            expression.options().for_each(keep);
        }
    }
}

/// # Safety
/// `document` must point to a document, `action` to the given number of bytes, `scratch` to the
/// given number of numbers, not aliased.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_prerequisites(
    document: *const Document<'static>,
    action: *const u8,
    length: usize,
    scratch: *mut u32,
    numbers: usize,
    protocol: Protocol,
) {
    // SAFETY: guaranteed by the caller.
    let (document, action) = unsafe { (*document, text(action, length)) };
    // SAFETY: guaranteed by the caller.
    let scratch = unsafe { core::slice::from_raw_parts_mut(scratch, numbers) };
    let Some(view) = document.awp() else { return };
    match view.prerequisites(action, scratch) {
        Ok(actions) => actions.for_each(keep),
        Err(error) => {
            keep(error.as_error());
            show(error);
        }
    }
    keep(Layer::of(protocol).map(Layer::as_str));
}

/// # Safety
/// `manifest` and `detail` must point to documents, `data` to the given number of bytes, `out` to
/// the given number of bytes, not aliased.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_requests(
    manifest: *const Document<'static>,
    detail: *const Document<'static>,
    data: *const u8,
    length: usize,
    out: *mut u8,
    size: usize,
    trust_endpoint: bool,
) {
    // SAFETY: guaranteed by the caller.
    let (manifest, detail, given, out) =
        unsafe { (*manifest, *detail, text(data, length), buffer(out, size)) };
    match search_url(given, given, out) {
        Ok(url) => keep(url),
        Err(error) => keep(error.message()),
    }
    let (Some(manifest), Some(detail)) = (manifest.adp(), detail.adp_capability()) else {
        return;
    };
    keep(manifest.auth_header(given, out));
    keep(manifest.resolve_detail_url(Text::json(given.as_bytes()), out));
    keep(manifest.resolve_detail_url_rfc3986(Text::plain(given.as_bytes()), out));
    let arguments = [
        Argument { name: given, value: ArgumentValue::Text(given) },
        Argument {
            name: given,
            value: ArgumentValue::Json(Value::parse(given.as_bytes()).unwrap_or(Value::NULL)),
        },
    ];
    let mut options = RequestOptions::with_token(given);
    options.trust_endpoint = trust_endpoint;
    (options.rfc3986, options.constant_headers) = (!trust_endpoint, trust_endpoint);
    keep(manifest.resolve_filled(Text::json(given.as_bytes()), &arguments, trust_endpoint, out));
    manifest.constant_headers(&detail).for_each(keep);
    for arguments in [arguments.as_slice(), arguments.split_at_checked(1).unwrap_or_default().0] {
        match manifest.request(&detail, arguments, &options, out) {
            Ok(request) => {
                keep((request.method, request.url, request.body));
                request.headers.for_each(keep);
            }
            Err(error) => show(error),
        }
    }
}
