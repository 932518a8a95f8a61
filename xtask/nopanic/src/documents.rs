//! Documents: detecting, parsing, checking, writing.

use agentsdisc_core::document::{Document, Hints, Links, Outline, ParseOptions, Slot, detect};
use agentsdisc_core::format::credentials;
use agentsdisc_core::manifest::{AgentPolicy, Capability, Parameter, Visitor};
use agentsdisc_core::write::{Sink, SliceSink};
use agentsdisc_core::{CheckOptions, Diagnostic, Format, Limits};

use crate::{buffer, bytes, keep, show, text};

/// # Safety
/// `data`, `url` and `content_type` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_detect(
    data: *const u8,
    length: usize,
    url: *const u8,
    url_length: usize,
    content_type: *const u8,
    content_type_length: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (document, url, content_type) = unsafe {
        (bytes(data, length), text(url, url_length), text(content_type, content_type_length))
    };
    let detection = detect(document, Hints { url: Some(url), content_type: Some(content_type) });
    keep((detection.format, detection.by_hint, detection.evidence));
    detection.evidence.signs().for_each(keep);
    detection.evidence.counts().for_each(keep);
    keep(detection.evidence.count_of(detection.format));
    show(detection.evidence);
}

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_links(data: *const u8, length: usize) {
    // SAFETY: guaranteed by the caller.
    Links::new(unsafe { bytes(data, length) }).for_each(|link| {
        keep(link);
        keep(link.kind.as_str());
    });
}

/// # Safety
/// `data`, `url` and `content_type` must point to the given number of bytes; `limits` to limits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_parse(
    data: *const u8,
    length: usize,
    format: usize,
    url: *const u8,
    url_length: usize,
    content_type: *const u8,
    content_type_length: usize,
    limits: *const Limits,
) {
    // SAFETY: guaranteed by the caller.
    let (bytes, url, content_type) = unsafe {
        (bytes(data, length), text(url, url_length), text(content_type, content_type_length))
    };
    keep(Document::parse(bytes));
    let hints = Hints { url: Some(url), content_type: Some(content_type) };
    // SAFETY: guaranteed by the caller.
    let limits = unsafe { *limits };
    let options = ParseOptions { format: Format::ALL.get(format).copied(), hints, limits };
    keep(Document::parse_with(bytes, &options));
    if let Some(format) = options.format {
        keep(Document::parse_as(bytes, format, &limits));
        keep(Document::unread(bytes));
    }
    keep(Document::read(bytes, &options, &mut Received));
}

struct Received;

impl<'a> Visitor<'a> for Received {
    fn restart(&mut self) {
        keep(());
    }

    fn parameter(&mut self, parameter: &Parameter<'a>) {
        keep(*parameter);
    }

    fn capability(&mut self, capability: &Capability<'a>) {
        keep(*capability);
    }

    fn agent(&mut self, policy: &AgentPolicy<'a>) {
        keep(*policy);
    }
}

/// In this and the following entry points, a document is any outline with any bytes; they need not
/// match.
///
/// # Safety
/// `data` must point to the given number of bytes, `outline` to an outline.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_document(
    data: *const u8,
    length: usize,
    outline: *const Outline,
    offset: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (bytes, outline) = unsafe { (bytes(data, length), *outline) };
    keep(outline.format());
    let document = Document::attach(bytes, outline);
    keep((
        document.bytes(),
        document.format(),
        document.position(offset),
        document.span_of(document.bytes()),
    ));
    keep((document.outline(), document.manifest()));
    document.manifest().visit(&mut Received);
    if let Some(url) = document.companion_url() {
        show(url);
        keep(url.is_default());
    }
    keep((document.session_seconds(), document.is_audited()));
    document.links().for_each(keep);
    keep(document.needs_companion());
}

/// # Safety
/// `document` must point to a document, `origin` to the given number of bytes, `scratch` to the
/// given number of numbers, not aliased.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_check(
    document: *const Document<'static>,
    origin: *const u8,
    length: usize,
    max: usize,
    scratch: *mut u32,
    numbers: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (document, origin) = unsafe { (*document, text(origin, length)) };
    // SAFETY: guaranteed by the caller.
    let scratch = unsafe { core::slice::from_raw_parts_mut(scratch, numbers) };
    let on_diagnostic = |diagnostic: Diagnostic<'_>| show(diagnostic);
    document.check(&CheckOptions { origin: Some(origin), max }, on_diagnostic);
    document.check(&CheckOptions::default(), on_diagnostic);
    document.check_with(&CheckOptions::default(), scratch, on_diagnostic);
}

/// # Safety
/// `first` and `second` must point to documents, `slots` to `count` slots, not aliased.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_differences(
    first: *const Document<'static>,
    second: *const Document<'static>,
    slots: *mut Slot,
    count: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (first, second) = unsafe { (*first, *second) };
    // SAFETY: guaranteed by the caller.
    let slots = unsafe { core::slice::from_raw_parts_mut(slots, count) };
    keep(first.differences(&second, keep));
    keep(first.differences_with(&second, slots, keep));
}

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_mask(data: *const u8, length: usize) {
    // SAFETY: guaranteed by the caller.
    let masked = unsafe { text(data, length) };
    credentials::mask(masked, |piece| keep(piece));
    credentials::hidden(masked).for_each(|range| keep(range));
}

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_key_words(data: *const u8, length: usize) {
    // SAFETY: guaranteed by the caller.
    let document = unsafe { text(data, length) };
    credentials::key_words(document.as_bytes(), |word| keep(word));
}

/// # Safety
/// `document` must point to a document, `out` to the given number of writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_write(
    document: *const Document<'static>,
    out: *mut u8,
    size: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (document, out) = unsafe { (*document, buffer(out, size)) };
    keep((document.write_json(out), document.json_len()));
    document.put_json(&mut |piece: &[u8]| keep(piece));
}

/// # Safety
/// `data` must point to the given number of bytes, `out` to the given number of writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_sink(data: *const u8, length: usize, out: *mut u8, size: usize) {
    // SAFETY: guaranteed by the caller.
    let (piece, out) = unsafe { (bytes(data, length), buffer(out, size)) };
    let mut sink = SliceSink::new(out);
    sink.put(piece);
    keep(&mut sink);
    sink.put(piece);
    keep((sink.length(), sink.is_whole()));
}
