//! Writes lines of text: groups separated by empty lines, and blocks with indented fields.

use super::carry::is_blank;
use crate::sink::Sink;
use crate::syntax::text::{Escape, Text};

/// Lines of text.
pub(super) struct Lines<'w> {
    pub(super) sink: &'w mut dyn Sink,
    /// Whether any line was written.
    begun: bool,
    /// Whether an empty line must precede the next line.
    gap: bool,
    /// Whether a block is open, whose fields are indented.
    pub(super) indented: bool,
}

impl<'w> Lines<'w> {
    pub(super) fn new(sink: &'w mut dyn Sink) -> Self {
        Self { sink, begun: false, gap: false, indented: false }
    }

    /// Starts a group of lines without indentation.
    pub(super) fn group(&mut self) {
        self.gap = self.begun;
        self.indented = false;
    }

    /// Writes the start of a line, up to the colon.
    pub(super) fn start(&mut self, key: Text<'_>) {
        if core::mem::take(&mut self.gap) {
            self.sink.put(b"\n");
        }
        self.begun = true;
        if self.indented {
            self.sink.put(b"  ");
        }
        put_text(key, self.sink);
        self.sink.put(b":");
    }
}

/// Writes the characters of a text on one line. Each run of white space becomes one blank; white
/// space at the ends is dropped.
pub(super) fn put_folded(text: Text<'_>, sink: &mut dyn Sink) {
    let (mut begun, mut gap) = (false, false);
    for c in text.chars() {
        if is_blank(c) {
            gap = begun;
            continue;
        }
        if core::mem::take(&mut gap) {
            sink.put(b" ");
        }
        begun = true;
        sink.put(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// Writes the characters of a text.
pub(super) fn put_text(text: Text<'_>, sink: &mut dyn Sink) {
    if text.escape() == Escape::Plain {
        return sink.put(text.raw());
    }
    for c in text.chars() {
        sink.put(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
}
