//! Limits of reading.

/// Limits of reading. A document that exceeds a limit is an error that names the limit; nothing is
/// cut silently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of a document. Default 1 MiB. Values above 4 GiB − 1 count as 4 GiB − 1. (A robots.txt
    /// is cut at [`Limits::robots`] instead, as RFC 9309 section 2.5 requires.)
    pub document: usize,
    /// Nesting of JSON, YAML and Markdown. Default 64. Values above [`Limits::MAX_DEPTH`] count as
    /// that.
    pub depth: usize,
    /// Bytes of one line in the text formats, without its line end. Default 64 KiB.
    pub line: usize,
    /// Bytes of a robots.txt that are read. Default 500 KiB (RFC 9309 2.5).
    pub robots: usize,
}

impl Limits {
    /// The largest possible nesting limit.
    pub const MAX_DEPTH: usize = 256;

    /// The defaults.
    pub const DEFAULT: Self =
        Self { document: 1 << 20, depth: 64, line: 64 << 10, robots: 500 << 10 };

    /// The effective document limit.
    pub const fn document_limit(&self) -> usize {
        if self.document < u32::MAX as usize { self.document } else { u32::MAX as usize }
    }

    /// The effective nesting limit.
    pub const fn depth_limit(&self) -> usize {
        if self.depth < Self::MAX_DEPTH { self.depth } else { Self::MAX_DEPTH }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
