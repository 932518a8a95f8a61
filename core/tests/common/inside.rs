//! Views stay inside of the document.

use agentsdisc_core::manifest::IMPLIED;

/// Fails if a view is neither a part of a document nor a text that the core implies.
pub(crate) fn assert_inside(document: &[u8], part: &[u8]) {
    let range = document.as_ptr_range();
    assert!(
        part.is_empty()
            || range.start <= part.as_ptr() && part.as_ptr_range().end <= range.end
            || IMPLIED.iter().any(|text| text.as_bytes() == part),
        "a view outside of the document: {}",
        String::from_utf8_lossy(part)
    );
}
