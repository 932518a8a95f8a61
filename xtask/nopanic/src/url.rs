//! URLs, hosts and their relation; path patterns.

use agentsdisc_core::syntax::pattern::Pattern;
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::syntax::url::{HostKind, Url, relation, resolve};

use crate::{buffer, bytes, keep, show, text};

/// # Safety
/// `data` must point to the given number of bytes, `out` to the given number of writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_url_parse(
    data: *const u8,
    length: usize,
    out: *mut u8,
    size: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (raw, out) = unsafe { (bytes(data, length), buffer(out, size)) };
    keep((Url::parse(raw), Url::of(Text::plain(raw), &mut [])));
    keep(Url::of(Text::json(raw), out));
}

/// # Safety
/// `first` and `second` must point to URLs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_url(first: *const Url<'static>, second: *const Url<'static>) {
    // SAFETY: guaranteed by the caller.
    let (url, other) = unsafe { (*first, *second) };
    keep((
        url.as_str(),
        url.scheme(),
        url.authority(),
        url.userinfo(),
        url.host(),
        url.host_kind(),
    ));
    keep((url.port(), url.effective_port(), url.path(), url.query(), url.fragment()));
    keep((
        url.is_secure(),
        url.is_loopback(),
        url.is_same_origin(&other),
        url.is_same_host(&other),
    ));
    show(url);
}

/// # Safety
/// `base` must point to a URL, `data` to the given number of bytes, `out` to the given number of
/// writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_url_resolve(
    base: *const Url<'static>,
    data: *const u8,
    length: usize,
    out: *mut u8,
    size: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (base, raw, out) = unsafe { (*base, bytes(data, length), buffer(out, size)) };
    keep(resolve(&base, Text::plain(raw), out));
    keep(resolve(&base, Text::json(raw), out));
}

/// # Safety
/// `data` and `other` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_host(
    data: *const u8,
    length: usize,
    other: *const u8,
    other_length: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (host, other) = unsafe { (text(data, length), text(other, other_length)) };
    keep(HostKind::of(host));
    let found = relation(host, other);
    keep((found, found.relation.as_str()));
}

/// # Safety
/// `data` and `path` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_pattern(
    data: *const u8,
    length: usize,
    path: *const u8,
    path_length: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (raw, path) = unsafe { (bytes(data, length), bytes(path, path_length)) };
    let pattern = Pattern::new(raw);
    keep((pattern.is_empty(), pattern.specificity(), pattern.matches(path)));
}
