//! The grammars of values: rate limits, parameters, durations.

use crate::manifest::{Choice, List, RateLimit};
use crate::syntax::text::Text;

/// A rate limit `N/window` in a text that may be escaped.
pub(crate) fn rate_limit(text: Text<'_>) -> Option<RateLimit<'_>> {
    if !text.is_escaped() {
        return crate::format::agents_txt::grammar::rate_limit(crate::syntax::text::trim(text.raw()));
    }
    let mut buffer = [0; 48];
    let plain = crate::format::agents_txt::grammar::rate_limit(text.decode(&mut buffer).ok()?.as_bytes())?;
    Some(RateLimit { requests: plain.requests, window: Choice::implied(plain.window.value), metadata: List::empty() })
}

/// `24h`
pub(crate) fn duration_seconds(_text: Text<'_>) -> Option<u32> {
    None
}
