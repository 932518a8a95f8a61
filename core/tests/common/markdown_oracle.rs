//! Compares the block structure of Markdown with a CommonMark library, for the property tests and
//! the fuzz target.
#![allow(unreachable_pub, dead_code)]

use agentsdisc_core::Span;
use agentsdisc_core::syntax::markdown::{Block, Blocks, Kind};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Heading(u8, u16, String),
    Paragraph(u16, String),
    Item(u16),
    Break,
}

/// Returns the text of a heading up to its last line with more than quote markers: after unclosed
/// markup, the library counts the marker before the underline as text.
fn without_markers(text: &str) -> String {
    let mut text = text;
    while let Some((before, line)) = text.rsplit_once('\n')
        && line.trim_matches(['>', ' ', '\t', '\r']).is_empty()
    {
        text = before.trim_end();
    }
    text.to_string()
}

pub fn ours(text: &str) -> Vec<Part> {
    let source =
        |block: Block<'_>| Span::of(block.text.raw(), text.as_bytes()).slice(text.as_bytes());
    Blocks::new(text.as_bytes(), 256)
        .filter_map(|block| {
            let raw = String::from_utf8_lossy(source(block)).into_owned();
            assert_eq!(block.text.decoded_len(), block.text.to_string().len());
            match block.kind {
                Kind::Heading(level) => {
                    Some(Part::Heading(level, block.depth, without_markers(&raw)))
                }
                Kind::Paragraph => Some(Part::Paragraph(block.depth, raw)),
                Kind::Item => Some(Part::Item(block.depth)),
                Kind::Break => Some(Part::Break),
                Kind::Code | Kind::Html => None,
            }
        })
        .collect()
}

/// Returns the parts that pulldown-cmark finds. Texts are the source of the inline content.
pub fn oracle(text: &str) -> Vec<Part> {
    use pulldown_cmark::{Event, Parser, Tag, TagEnd};
    let mut parts = Vec::new();
    let mut depth = 0;
    let mut heading = None;
    let mut in_code = false;
    let mut run: Option<(usize, usize)> = None;
    fn flush(
        run: &mut Option<(usize, usize)>,
        heading: Option<u8>,
        depth: u16,
        text: &str,
        parts: &mut Vec<Part>,
    ) {
        let content = run
            .take()
            .map(|(start, end)| text[start..end].trim_matches([' ', '\t', '\n', '\r']).to_string());
        match (heading, content) {
            (Some(level), content) => parts.push(Part::Heading(
                level,
                depth,
                without_markers(&content.unwrap_or_default()),
            )),
            (None, Some(content)) => parts.push(Part::Paragraph(depth, content)),
            (None, None) => {}
        }
    }
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                flush(&mut run, None, depth, text, &mut parts);
                heading = Some(level as u8);
            }
            Event::End(TagEnd::Heading(_)) => {
                flush(&mut run, heading.take(), depth, text, &mut parts)
            }
            Event::Start(Tag::Item) => {
                flush(&mut run, None, depth, text, &mut parts);
                depth += 1;
                parts.push(Part::Item(depth));
            }
            Event::End(TagEnd::Item) => {
                flush(&mut run, None, depth, text, &mut parts);
                depth -= 1;
            }
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock) => {
                flush(&mut run, None, depth, text, &mut parts);
                in_code = true;
            }
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock) => in_code = false,
            Event::Start(Tag::Paragraph | Tag::List(_) | Tag::BlockQuote(_)) => {
                flush(&mut run, None, depth, text, &mut parts)
            }
            Event::End(TagEnd::Paragraph | TagEnd::List(_) | TagEnd::BlockQuote(_)) => {
                flush(&mut run, None, depth, text, &mut parts)
            }
            Event::Rule => {
                flush(&mut run, None, depth, text, &mut parts);
                parts.push(Part::Break);
            }
            _ if in_code => {}
            _ => {
                let (start, end) = run.unwrap_or((range.start, range.end));
                run = Some((start.min(range.start), end.max(range.end)));
            }
        }
    }
    parts
}

/// Pieces of texts with a difficult structure. No tabs: the library counts some of them as fewer
/// than the four columns of CommonMark 2.2.
pub const PARTS: &[&str] = &[
    "word",
    "a",
    "\n",
    "\n",
    "\n",
    "\n",
    "\n\n",
    " ",
    "  ",
    "   ",
    "    ",
    "# ",
    "## ",
    "###### x ##",
    "#",
    "===",
    "---",
    "- ",
    "- ",
    "* ",
    "+ ",
    "-",
    "1. ",
    "2) ",
    "10. ",
    "1.",
    "> ",
    ">",
    "> > ",
    "```\n",
    "~~~\n",
    "```",
    "***",
    "_ _ _",
    "<div>",
    "<!-- ",
    "-->",
    "<b>\n",
    "</p>\n",
    "<pre>",
    "</pre>",
    "<?",
    "?>",
    "<!A",
    ">",
    "<a b='c' d>\n",
    "- a\n  - b\n",
    "1. x\n   y\n",
    "é",
    "\r\n",
    "  - ",
    "    - ",
];
