//! The block structure of Markdown: agreement with a CommonMark library, and cost.

// Clippy allows indexing in tests, but not in their helpers.
use crate::common::markdown_oracle as oracle;
use crate::common::time;

use agentsdisc_core::syntax::markdown::{Blocks, Kind};
use oracle::{PARTS, oracle, ours};
use proptest::prelude::*;

proptest! {
    #![proptest_config(crate::common::cases(10000))]

    #[test]
    fn blocks_equal_those_of_a_commonmark_library(parts in prop::collection::vec(prop::sample::select(PARTS), 0..12)) {
        let text = parts.concat();
        prop_assert_eq!(ours(&text), oracle(&text), "{:?}", text);
    }
}

#[test]
fn known_differences_of_headings_are_not_compared() {
    for text in ["    ```\n> 1.<!A```\n> ===", "> a\n> ==="] {
        assert_eq!(ours(text), oracle(text), "{text:?}");
    }
}

fn shape(text: &str) -> Vec<(Kind, u16, u16, String)> {
    Blocks::new(text.as_bytes(), 64)
        .map(|block| (block.kind, block.depth, block.quotes, block.text.to_string()))
        .collect()
}

#[test]
fn tabs_are_four_columns() {
    assert_eq!(shape("\tcode"), [(Kind::Code, 0, 0, "\tcode".into())]);
    assert_eq!(
        shape("- a\n\n\tb\n\n\t\tcode\n-\tc"),
        [
            (Kind::Item, 1, 0, "-".into()),
            (Kind::Paragraph, 1, 0, "a".into()),
            (Kind::Paragraph, 1, 0, "b".into()),
            (Kind::Code, 1, 0, "\t\tcode".into()),
            (Kind::Item, 1, 0, "-".into()),
            (Kind::Paragraph, 1, 0, "c".into()),
        ]
    );
    assert_eq!(shape(">\t\tcode").first().map(|block| block.0), Some(Kind::Code));
    assert_eq!(shape("#\ta\t#\t"), [(Kind::Heading(1), 0, 0, "a".into())]);
}

#[test]
fn multi_line_texts_fold() {
    assert_eq!(
        shape("> one\n> two\nthree\n\nSetext\n  heading\n===\n1. a  \n   b"),
        [
            (Kind::Paragraph, 0, 1, "one two three".into()),
            (Kind::Heading(1), 0, 0, "Setext heading".into()),
            (Kind::Item, 1, 0, "1.".into()),
            (Kind::Paragraph, 1, 0, "a b".into()),
        ]
    );
}

#[test]
fn link_reference_definitions_are_paragraphs() {
    assert_eq!(
        shape("[a]: https://example.com"),
        [(Kind::Paragraph, 0, 0, "[a]: https://example.com".into())]
    );
}

#[test]
fn code_and_html_keep_their_lines() {
    assert_eq!(
        shape("~~~ yaml\na: 1\n\nb: 2\n~~~\n"),
        [(Kind::Code, 0, 0, "a: 1\n\nb: 2\n".into())]
    );
    assert_eq!(shape("```"), [(Kind::Code, 0, 0, String::new())]);
    assert_eq!(
        shape("<!--\n# no heading\n\n- no item -->\nyes"),
        [
            (Kind::Html, 0, 0, "<!--\n# no heading\n\n- no item -->".into()),
            (Kind::Paragraph, 0, 0, "yes".into()),
        ]
    );
}

#[test]
fn depth_is_limited_and_reported() {
    let mut blocks = Blocks::new(b"> > > > a", 3);
    let paragraph = blocks.next().unwrap();
    assert_eq!((paragraph.quotes, paragraph.text.to_string()), (3, "> a".into()));
    assert_eq!(blocks.overflow(), Some(6));
    assert_eq!(blocks.next(), None);
    assert_eq!(
        Blocks::new(&b"+ ".repeat(10_000), 10_000).filter(|block| block.kind == Kind::Item).count(),
        256
    );
    assert!(std::mem::size_of::<Blocks<'_>>() <= 512);
}

/// The time of each of these is linear: 16 times the text takes less than 64 times as long.
#[test]
fn hostile_text_takes_linear_time() {
    let samples: [fn(usize) -> String; 15] = [
        |n| "# a\n".repeat(n),
        |n| "- ".repeat(n),
        |n| "+ ".repeat(n),
        |n| "> ".repeat(n) + "\n" + &"a\n".repeat(n),
        |n| "+ ".repeat(256) + "a\n" + &"\n".repeat(n),
        |n| "> ".repeat(256) + "a\n" + &"b\n".repeat(n),
        |n| "* ".repeat(n) + "a",
        |n| "a\n".repeat(n) + "===",
        |n| "<a b='".repeat(n),
        |n| "<a ".repeat(n),
        |n| "<script></".repeat(n),
        |n| "`".repeat(n) + "\n" + &"~~~\n".repeat(n),
        |n| "1. a\n 2. b\n".repeat(n),
        |n| "\t".repeat(n) + "a",
        |n| "# ".to_string() + &" #".repeat(n),
    ];
    let measure = |text: &str| {
        (0..3)
            .map(|_| {
                let start = time::processor_time();
                std::hint::black_box(shape(text));
                time::processor_time() - start
            })
            .min()
            .unwrap()
    };
    for (i, sample) in samples.iter().enumerate() {
        let (small, large) = (measure(&sample(4_000)), measure(&sample(64_000)));
        assert!(
            large < small * 64 + std::time::Duration::from_millis(20),
            "sample {i}: {small:?} then {large:?}"
        );
    }
}
