//! Text, spans, errors, diagnostics, limits, formats.

use agentsdisc_core::diagnostic::Spec;
use agentsdisc_core::error::{Capacity, JsonError};
use agentsdisc_core::span::PositionCursor;
use agentsdisc_core::syntax::text::{Escape, Text, trim};
use agentsdisc_core::{Code, Diagnostic, Error, ErrorKind, Format, Limits, Severity, Span};

use crate::{buffer, bytes, keep, show};

/// # Safety
/// `data` and `other` must point to the given number of bytes, `out` to the given number of
/// writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_text(
    data: *const u8,
    length: usize,
    other: *const u8,
    other_length: usize,
    out: *mut u8,
    size: usize,
    how: u32,
) {
    // SAFETY: guaranteed by the caller.
    let (raw, other, out) =
        unsafe { (bytes(data, length), bytes(other, other_length), buffer(out, size)) };
    // 17 is the escape of a list item's paragraphs. The other bytes are the item's containers.
    let escape = Escape::from_number(how).or(Escape::from_number(how & !0xFF | 17));
    let escape = escape.unwrap_or_default();
    keep((Text::plain(raw).as_str(), Text::json(raw).is_empty(), Text::default()));
    let text = Text::escaped(raw, escape);
    keep((
        text.raw(),
        text.escape(),
        text.is_escaped(),
        text.as_str(),
        text.is_empty(),
        text.decoded_len(),
    ));
    text.chars().for_each(keep);
    keep(text.decode(out));
    if let Ok(plain) = core::str::from_utf8(other) {
        keep((
            text == *plain,
            text == plain,
            text.eq_ignore_case(plain),
            text.starts_with_ignore_case(plain),
        ));
    }
    let second = Text::json(other);
    keep((text == second, text.eq_text_ignore_case(second), text.trim(), trim(raw)));
    show(text);
}

/// # Safety
/// `data` and `part` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_span(
    data: *const u8,
    length: usize,
    part: *const u8,
    part_length: usize,
    start: u32,
    end: u32,
    offset: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (whole, part) = unsafe { (bytes(data, length), bytes(part, part_length)) };
    let span = Span::new(start, end);
    keep((span.len(), span.is_empty(), span.slice(whole), Span::of(part, whole)));
    let mut cursor = PositionCursor::new(whole);
    keep((cursor.at(offset), cursor.at(start as usize)));
}

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_error(data: *const u8, length: usize, which: u8, offset: usize) {
    // SAFETY: guaranteed by the caller.
    let document = unsafe { bytes(data, length) };
    let kind = match which {
        0 => ErrorKind::InvalidUtf8,
        1 => ErrorKind::InvalidJson(JsonError::UnexpectedEnd),
        2 => ErrorKind::InvalidJson(JsonError::BadEscape),
        3 => ErrorKind::TooLarge,
        4 => ErrorKind::TooDeep,
        5 => ErrorKind::LineTooLong,
        6 => ErrorKind::NotADiscoveryDocument(Format::Html),
        7 => ErrorKind::NotADiscoveryDocument(Format::OpenApi),
        8 => ErrorKind::UnknownFormat,
        9 => ErrorKind::WrongFormat,
        10 => ErrorKind::CapacityExceeded(Capacity::Actions),
        11 => ErrorKind::NotBuiltIn(Format::AgentsMd),
        12 => ErrorKind::NotBuiltIn(Format::Unknown),
        _ => ErrorKind::CapacityExceeded(Capacity::Buffer),
    };
    keep((kind.as_str(), kind.message(), kind.format()));
    let error = Error::new(kind, offset);
    keep(error.position(document));
    show(error);
}

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_diagnostic(
    data: *const u8,
    length: usize,
    which: usize,
    start: u32,
    end: u32,
) {
    // SAFETY: guaranteed by the caller.
    let subject = unsafe { bytes(data, length) };
    let Some(&code) = Code::ALL.get(which) else {
        return;
    };
    keep((code.as_str(), code.severity(), code.points_at(), code.about()));
    show(code);
    let severity = if end == 0 { Severity::Info } else { code.severity() };
    keep(severity.as_str());
    show(severity);
    let spec = if start == 0 { Spec::Rfc8259 } else { Spec::InternetDraft };
    keep(spec.as_str());
    let template = if length == 0 { "without a subject" } else { "before {} after" };
    let diagnostic = Diagnostic::new(code, Span::new(start, end), spec, "2.5", template)
        .with_severity(severity)
        .about(Text::json(subject));
    show(diagnostic);
}

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_format(
    data: *const u8,
    length: usize,
    document: usize,
    depth: usize,
) {
    // SAFETY: guaranteed by the caller.
    let id = unsafe { bytes(data, length) };
    if let Some(format) = core::str::from_utf8(id).ok().and_then(Format::from_id) {
        keep((
            format.id(),
            format.is_read(),
            format.is_json(),
            format.is_built_in(),
            format.is_read_in_one_pass(),
            format.feature(),
        ));
        show(format);
    }
    let limits = Limits { document, depth, ..Limits::default() };
    keep((limits.document_limit(), limits.depth_limit()));
}
