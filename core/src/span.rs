//! Where something stands in the bytes of a document.

/// A half-open range of byte offsets into the original document, BOM included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// A span from `start` to `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Where `part` stands in `whole`, of which it must be a slice; an empty span at 0 where it is not.
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
        Self {
            start: offset as u32,
            end: (offset + part.len()) as u32,
        }
    }

    /// The bytes of `whole` that this span covers; empty where it reaches outside.
    pub fn slice<'a>(&self, whole: &'a [u8]) -> &'a [u8] {
        whole
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    /// Number of bytes.
    pub const fn len(&self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span covers nothing.
    pub const fn is_empty(&self) -> bool {
        self.end <= self.start
    }
}

/// Line and column of an offset, both from 1; the column counts bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Position {
    /// Line, from 1. LF, CRLF and a lone CR each end a line.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// Finds lines and columns of offsets that are asked in ascending order, in one pass over the document.
///
/// Asking for an offset before the last one starts again from the top: right, but not linear.
#[derive(Clone, Copy, Debug)]
pub struct PositionCursor<'a> {
    bytes: &'a [u8],
    offset: usize,
    line: u32,
    line_start: usize,
}

impl<'a> PositionCursor<'a> {
    /// A cursor at the start of `bytes`.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            offset: 0,
            line: 1,
            line_start: 0,
        }
    }

    /// Position of `offset`. One past the end is the position where the next byte would stand.
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
        Position {
            line: self.line,
            column: (offset - self.line_start.min(offset)) as u32 + 1,
        }
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
