//! Compares the lines with a simple implementation on the standard library.

use agentsdisc_core::syntax::line::{Content, Indent, Lines};

/// Splits a text into lines byte by byte: LF, CRLF and a lone CR each end one.
fn plain(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut lines = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        let width = match &bytes[at..] {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => {
                at += 1;
                continue;
            }
        };
        lines.push((start, at));
        at += width;
        start = at;
    }
    if start < bytes.len() {
        lines.push((start, bytes.len()));
    }
    lines
}

fn trimmed(bytes: &[u8]) -> &[u8] {
    let from = bytes.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(bytes.len());
    let to =
        bytes.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(from, |last| last + 1);
    &bytes[from..to]
}

/// Reads one input.
pub fn run(bytes: &[u8]) {
    // Marks that are not ASCII count as blanks, which a property test of the core compares; here every text is read to its end.
    assert!(Lines::new(bytes).all(|line| line.end <= bytes.len()));
    let is_mark = |byte: u8| matches!(byte, 0xB | 0xC | 0x80..);
    let without: Vec<u8> =
        bytes.iter().map(|&byte| if is_mark(byte) { b'x' } else { byte }).collect();
    let bytes = &without[..];
    let expected = plain(bytes);
    let lines: Vec<_> = Lines::new(bytes).collect();
    assert_eq!(lines.iter().map(|line| (line.start, line.end)).collect::<Vec<_>>(), expected);
    for line in lines {
        let text = &bytes[line.start..line.end];
        let indent = match text {
            [b' ', b' ' | b'\t', ..] | [b'\t', ..] => Indent::Indented,
            [b' ', ..] => Indent::OneSpace,
            _ => Indent::None,
        };
        assert_eq!(line.indent, indent);
        let text = trimmed(text);
        let content = match (text, text.iter().position(|&byte| byte == b':')) {
            ([], _) => Content::Blank,
            ([b'#', comment @ ..], _) => Content::Comment(trimmed(comment)),
            (_, Some(0) | None) => Content::Malformed(text),
            (_, Some(colon)) => {
                Content::Field { key: trimmed(&text[..colon]), value: trimmed(&text[colon + 1..]) }
            }
        };
        assert_eq!(line.content, content);
    }
    // Iteration from any line on gives the same rest.
    if let Some(&(start, _)) = expected.get(expected.len() / 2) {
        assert!(
            Lines::starting_at(bytes, start)
                .map(|line| line.start)
                .eq(expected[expected.len() / 2..].iter().map(|line| line.0))
        );
    }
    let longest = expected.iter().map(|(start, end)| end - start).max().unwrap_or(0);
    assert!(Lines::new(bytes).validate(longest).is_ok());
    if longest > 0 {
        assert!(Lines::new(bytes).validate(longest - 1).is_err());
    }
}
