//! Markdown.

use agentsdisc_core::syntax::markdown::Blocks;

use crate::{bytes, keep};

/// # Safety
/// `data` must point to the given number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_markdown(data: *const u8, length: usize, depth: usize) {
    // SAFETY: guaranteed by the caller.
    let mut blocks = Blocks::new(unsafe { bytes(data, length) }, depth);
    while let Some(block) = blocks.next() {
        keep((block, blocks.next_line()));
    }
    keep(blocks.overflow());
}
