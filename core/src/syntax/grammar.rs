//! The grammars of values: rate limits, parameters, durations.

use crate::manifest::{Choice, Enumeration, Window};
use crate::syntax::text::Text;

/// `N/window`
pub(crate) fn rate_limit(text: Text<'_>) -> Option<(u32, Choice<'_, Window>)> {
    let raw = text.raw();
    let slash = raw.iter().position(|&b| b == b'/')?;
    let head = crate::syntax::text::trim(raw.get(..slash)?);
    let head = crate::syntax::text::trim(head.strip_suffix(b"\\").unwrap_or(head));
    let requests = core::str::from_utf8(head).ok().filter(|d| d.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()?;
    let window = Choice::read(Text::escaped(crate::syntax::text::trim(raw.get(slash + 1..)?), text.escape()));
    (window.value != Window::UNKNOWN).then_some((requests, window))
}

/// `24h`
pub(crate) fn duration_seconds(_text: Text<'_>) -> Option<u32> {
    None
}
