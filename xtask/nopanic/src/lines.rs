//! Lines of `key: value` text.

use agentsdisc_core::syntax::line::Lines;

use crate::{bytes, keep};

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_lines(
    data: *const u8,
    length: usize,
    position: usize,
    limit: usize,
) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { bytes(data, length) };
    let mut lines = Lines::starting_at(text, position);
    keep(lines.validate(limit));
    while let Some(line) = lines.next() {
        keep((line, lines.position()));
    }
    Lines::new(text).for_each(keep);
}
