//! Byte ranges in a document, and their lines and columns.

/// A half-open range of byte offsets in the original document, including a byte order mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates a span from `start` to `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Returns the span of `part` within `whole`. `part` must be a slice of `whole`; otherwise the
    /// span is empty, at offset 0.
    ///
    /// ```
    /// use agentsdisc_core::span::Span;
    /// let whole = b"Site-Name: x";
    /// assert_eq!(Span::of(&whole[11..], whole), Span::new(11, 12));
    /// ```
    pub fn of(part: &[u8], whole: &[u8]) -> Self {
        let offset = (part.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
        if offset > whole.len() || part.len() > whole.len() - offset {
            return Self::default();
        }
        Self { start: offset as u32, end: (offset + part.len()) as u32 }
    }

    /// Returns the bytes of `whole` in this span; empty if the span reaches beyond `whole`.
    pub fn slice<'a>(&self, whole: &'a [u8]) -> &'a [u8] {
        whole.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// Returns the number of bytes.
    pub const fn len(&self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span covers no bytes.
    pub const fn is_empty(&self) -> bool {
        self.end <= self.start
    }
}

/// Line and column of a byte offset, both counted from 1. The column counts bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Position {
    /// Line, from 1. LF, CRLF and a lone CR each end a line.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// Converts ascending byte offsets to lines and columns in one pass over the document.
///
/// An offset before the previous one restarts at the beginning: correct, but not linear.
#[derive(Clone, Copy, Debug)]
pub struct PositionCursor<'a> {
    bytes: &'a [u8],
    offset: usize,
    line: u32,
    line_start: usize,
}

impl<'a> PositionCursor<'a> {
    /// Creates a cursor at the start of `bytes`.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0, line: 1, line_start: 0 }
    }

    /// Returns the position of `offset`. The offset after the last byte has the position that
    /// another byte there would have.
    pub fn at(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.bytes.len());
        if offset < self.offset {
            *self = Self::new(self.bytes);
        }
        let between = self.bytes.get(self.offset..offset).unwrap_or_default();
        for (i, &byte) in between.iter().enumerate() {
            let at = self.offset + i;
            let ends_line = match byte {
                b'\n' => true,
                b'\r' => self.bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                self.line = self.line.saturating_add(1);
                self.line_start = at + 1;
            }
        }
        self.offset = offset;
        Position { line: self.line, column: (offset - self.line_start.min(offset)) as u32 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_counts_once() {
        let text = b"a\nb\r\nc\rd";
        let mut cursor = PositionCursor::new(text);
        let lines: [u32; 9] = core::array::from_fn(|i| cursor.at(i).line);
        assert_eq!(lines, [1, 1, 2, 2, 2, 3, 3, 4, 4]);
        assert_eq!(cursor.at(8), Position { line: 4, column: 2 });
        assert_eq!(cursor.at(2), Position { line: 2, column: 1 });
    }

    #[test]
    fn a_foreign_slice_has_no_span() {
        assert_eq!(Span::of(b"zzz", b"abc"), Span::default());
    }
}
