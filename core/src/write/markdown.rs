//! Lines of Markdown: titles, paragraphs and items of lists.

use super::carry;
use super::lines::{self, put_folded};
use super::loss::Reason;
use super::out::{Notation, Out};
use crate::diagnostic::Severity::{Info, Warning};
use crate::syntax::text::Text;

/// Writes bytes.
pub(super) fn put(out: &mut Out<'_, '_>, bytes: &[u8]) {
    if let Notation::Text(lines) = &mut out.notation {
        lines.sink.put(bytes);
    }
}

/// Writes a text that [`problem`] accepts.
pub(super) fn put_text(out: &mut Out<'_, '_>, text: Text<'_>) {
    if let Notation::Text(to) = &mut out.notation {
        lines::put_text(text, to.sink);
    }
}

/// Why a text cannot be a line: it would begin a block, or it contains one of `special`.
pub(super) fn problem(text: Text<'_>, special: &[char]) -> Option<Reason> {
    carry::part(text, special).or_else(|| is_block(text).then_some(Reason::Separator))
}

/// Why a text cannot be a line, if its white space is folded: it would begin a block.
pub(super) fn problem_of_prose(text: Text<'_>) -> Option<Reason> {
    if !carry::can_fold(text) {
        return problem(text, &[]);
    }
    is_block(text).then_some(Reason::Separator)
}

/// Whether a text would begin a block, or end a heading early.
fn is_block(text: Text<'_>) -> bool {
    let is_word = |c: char| c.is_alphabetic() || matches!(c, '/' | '(' | '"' | '\'' | '@');
    let mut shown = text.chars().filter(|c| !carry::is_blank(*c));
    let is_end = shown.clone().last().is_some_and(|c| matches!(c, '#' | '\\'));
    // A number begins a list only if a point or a bracket follows.
    is_end || !shown.find(|c| !c.is_ascii_digit()).is_some_and(is_word)
}

/// Writes a member as a line of its own, unless it has a problem. Returns whether it was written.
pub(super) fn member<'a>(
    out: &mut Out<'_, 'a>,
    name: &'static str,
    before: &[u8],
    text: Option<Text<'a>>,
    problem: fn(Text<'_>) -> Option<Reason>,
) -> bool {
    let Some(text) = text else { return false };
    if let Some(reason) = problem(text) {
        out.lose_text(name, Some(text), reason, Warning);
        return false;
    }
    if carry::can_fold(text) {
        out.lose_text(name, Some(text), Reason::Changed, Info);
    }
    line(out, before, text);
    true
}

/// Writes a line. Its white space is folded if a line cannot hold it.
pub(super) fn line(out: &mut Out<'_, '_>, before: &[u8], text: Text<'_>) {
    put(out, before);
    match &mut out.notation {
        Notation::Text(lines) if carry::can_fold(text) => put_folded(text, lines.sink),
        _ => put_text(out, text),
    }
    put(out, b"\n");
}

/// Begins an item of a list, after what precedes the first one.
pub(super) fn begin_item(out: &mut Out<'_, '_>, heading: &[u8], open: &mut bool) {
    if !core::mem::replace(open, true) {
        put(out, heading);
    }
    put(out, b"- ");
}
