//! Checks shared by the line-based formats.

use crate::diagnostic::{Code, Diagnostic, Spec};
use crate::rules::credentials::{MESSAGE, Secrets, is_in};
use crate::rules::report::Report;
use crate::span::Span;
pub(crate) use crate::syntax::line::comment_in;
use crate::syntax::line::{Content, Line, is_mark, strip};
use crate::syntax::text::Text;

/// Reports all control characters except tab and line ends.
pub(crate) fn control_characters(bytes: &[u8], report: &mut Report<'_, '_>) {
    for span in controls(bytes) {
        report.add(Diagnostic::new(Code::ControlCharacter, span, Spec::Ruling, "", CONTROL));
        if report.is_full() {
            return;
        }
    }
}

/// Reports what no text for people may have: control characters, and credentials.
pub(crate) fn prose<'a>(bytes: &'a [u8], report: &mut Report<'_, 'a>) {
    control_characters(bytes, report);
    for secret in Secrets::new(bytes) {
        let span = Span::new(secret.start as u32, secret.end as u32);
        report.add(Diagnostic::new(Code::CredentialInDocument, span, Spec::Ruling, "", MESSAGE));
    }
}

/// Reports a mark that is not ASCII beside a key or value. It is read as a blank, but other readers
/// take it for text.
pub(crate) fn marks_around<'a>(line: &Line<'_>, bytes: &'a [u8], report: &mut Report<'_, 'a>) {
    let raw = bytes.get(line.start..line.end).unwrap_or_default();
    if raw.is_ascii() {
        return;
    }
    let (key, value) = match line.content {
        Content::Field { key, value } => (key, value),
        _ => (strip(raw), &b""[..]),
    };
    // The text before the key, after it, and after the value.
    let mut parts = [raw; 3];
    let place = |part: &[u8]| {
        let start = (Span::of(part, bytes).start as usize).saturating_sub(line.start);
        (start, start.saturating_add(part.len()))
    };
    let (key, value) = (place(key), place(value));
    let colon = raw.get(key.1..).and_then(|rest| rest.iter().position(|octet| *octet == b':'));
    let colon = key.1.saturating_add(colon.unwrap_or(0));
    let is_text = value.0 >= value.1 || is_free_text(line);
    // Around a text for people, such marks do no harm; an empty value is reported itself.
    let ends = match is_text {
        true => [(0, key.0), (key.1, colon), (0, 0)],
        false => [(0, key.0), (key.1, value.0), (value.1, raw.len())],
    };
    for (part, (start, end)) in parts.iter_mut().zip(ends) {
        *part = raw.get(start..end).unwrap_or_default();
    }
    let marked = parts.into_iter().find(|part| !part.is_ascii());
    if let Some(part) =
        marked.filter(|part| Text::plain(part).chars().any(|c| is_mark(c) && !c.is_control()))
    {
        report.add(Diagnostic::new(
            Code::ControlCharacter,
            Span::of(part, bytes),
            Spec::Ruling,
            "",
            MARK,
        ));
    }
}

/// Whether the value of a field is a text for people.
fn is_free_text(line: &Line<'_>) -> bool {
    const ENDS: [&[u8]; 4] = [b"description", b"name", b"site", b"param"];
    let Content::Field { key, .. } = line.content else {
        return false;
    };
    ENDS.iter().any(|end| {
        let last = key.len().checked_sub(end.len()).and_then(|at| key.get(at..));
        last.is_some_and(|last| last.eq_ignore_ascii_case(end))
    })
}

/// The message for marks that are not ASCII, beside a key or value or in a pattern.
pub(crate) const MARK: &str = "this has a blank or an invisible mark that is not ASCII, which other readers take for text; replace it by a space, or remove it";

/// The message for [`controls`].
pub(crate) const CONTROL: &str = "this is a control character; remove it";

/// Returns the spans of all control characters except tab and line ends.
pub(crate) fn controls(bytes: &[u8]) -> impl Iterator<Item = Span> {
    let bytes = if may_hold_controls(bytes) { bytes } else { &[] };
    let mut previous = 0;
    bytes.iter().zip(1_u32..).filter_map(move |(&byte, end)| {
        // C1 controls are two bytes in UTF-8: C2, then 80 to 9F.
        let length = match byte {
            b'\t' | b'\n' | b'\r' => 0,
            0..0x20 | 0x7F => 1,
            0x80..0xA0 if previous == 0xC2 => 2,
            _ => 0,
        };
        previous = byte;
        (length > 0).then(|| Span::new(end.saturating_sub(length), end))
    })
}

/// Whether `bytes` may contain a control character other than tab and line ends. Can be true
/// without one, because it tests only the first byte of C1 controls. The loop has no branches, so
/// the compiler vectorizes it.
fn may_hold_controls(bytes: &[u8]) -> bool {
    let is_one = |byte: u8| {
        (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r')
            | (byte == 0x7F)
            | (byte == 0xC2)
    };
    bytes.chunks(64).any(|chunk| chunk.iter().fold(false, |any, &byte| any | is_one(byte)))
}

/// Returns the span of a credential in a line: the whole value if it contains one, otherwise the
/// credential itself in a key, a comment or a malformed line.
pub(crate) fn credential_in(line: &Line<'_>, bytes: &[u8]) -> Option<Span> {
    if let Content::Field { value, .. } = line.content
        && is_in(value)
    {
        return Some(Span::of(value, bytes));
    }
    let found = Secrets::new(bytes.get(line.start..line.end)?).next()?;
    let at = |offset: usize| line.start.saturating_add(offset) as u32;
    Some(Span::new(at(found.start), at(found.end)))
}

/// The message for [`comment_in`].
pub(crate) const COMMENT: &str = "{} is read as part of the value, because this format has no inline comments; move it to a line of its own";

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_comment_has_a_blank_before_it(value in "[a# \\t]{0,9}") {
            let value = value.as_bytes();
            let plain = value.windows(2).position(|pair| matches!(pair, [b' ' | b'\t', b'#'])).map(|at| &value[at + 1..]);
            proptest::prop_assert_eq!(comment_in(value), plain);
        }
    }
}
