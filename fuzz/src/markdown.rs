//! Compares the block structure of Markdown with a CommonMark library: headings, items, paragraphs
//! and breaks.

use agentsdisc_core::syntax::markdown::{Blocks, Kind};

use crate::pieces;

#[path = "../../core/tests/common/markdown_oracle.rs"]
mod markdown_oracle;

/// For any bytes: all texts are slices of the document, blocks are in order, and the depth is
/// limited.
fn blocks(bytes: &[u8], depth: usize) {
    let range = bytes.as_ptr_range();
    let mut last = range.start;
    let mut blocks = Blocks::new(bytes, depth);
    for block in blocks.by_ref() {
        let text = block.text.raw();
        if !text.is_empty() {
            assert!(
                last <= text.as_ptr() && text.as_ptr_range().end <= range.end,
                "out of order, or outside"
            );
            last = text.as_ptr();
        }
        assert!(usize::from(block.depth + block.quotes) <= depth);
        assert!(block.kind != Kind::Item || block.depth > 0);
        assert!(
            matches!(block.kind, Kind::Heading(1..=6)) || !matches!(block.kind, Kind::Heading(_))
        );
        assert_eq!(block.text.decoded_len(), block.text.to_string().len());
    }
    assert!(blocks.overflow().is_none_or(|at| at <= bytes.len()));
}

/// Removes constructs that the library reads differently from CommonMark:
/// - It counts some tabs as fewer than the four columns of section 2.2, and lines of other control
/// characters as blank.
/// - A lone CR does not end a line where HTML ends at a blank one (section 2.1 says it does).
/// - Inline content, which the comparison uses, begins after a backslash.
/// - A link reference definition is not a paragraph; in this library it is one, as documented.
fn tame(text: &str) -> String {
    let mut chars = text.chars().peekable();
    let mut tame = String::new();
    while let Some(char) = chars.next() {
        match char {
            '\r' if chars.peek() != Some(&'\n') => {}
            '\n' | '\r' => tame.push(char),
            '\t' => tame.push(' '),
            '[' => tame.push('('),
            '\\' => tame.push('/'),
            _ if char.is_control() => {}
            _ => tame.push(char),
        }
    }
    tame
}

fn compare(text: &str) {
    let mut blocks = Blocks::new(text.as_bytes(), 256);
    blocks.by_ref().for_each(drop);
    if blocks.overflow().is_some() {
        // The library has its own limit.
        return;
    }
    // Each of these tags ends what any of them starts (section 4.6); in the library, each ends only
    // its own.
    let lower = text.to_ascii_lowercase();
    let raw_tags = ["pre", "script", "style", "textarea"]
        .iter()
        .filter(|name| lower.split('<').any(|tag| tag.trim_start_matches('/').starts_with(*name)));
    if raw_tags.count() > 1 {
        return;
    }
    assert_eq!(markdown_oracle::ours(text), markdown_oracle::oracle(text), "{text:?}");
}

/// Reads one input.
pub fn run(bytes: &[u8]) {
    for depth in [1, 3, 256] {
        blocks(bytes, depth);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        compare(&tame(text));
    }
    compare(&pieces::text(bytes, markdown_oracle::PARTS));
}
