//! Writes JSON, indented for people or on one line.
//!
//! A container under a name of the target is not written before its first element, so that no empty
//! container is written.
//!
//! INVARIANT: between two calls, `comma` is true if the innermost written container has an element,
//! `depth` is the number of open containers including those not yet written, and `waiting` holds
//! the innermost containers that are not yet written.

use super::writer::minified;
use crate::model::Raw;
use crate::sink::{Sink, put_number};
use crate::syntax::json::write_string;
use crate::syntax::text::Text;

/// Writes JSON to a sink: with an indentation of two spaces for each level, or without any white
/// space between tokens.
pub(super) struct Layout<'w> {
    sink: &'w mut dyn Sink,
    pretty: bool,
    comma: bool,
    depth: u32,
    waiting: heapless::Vec<(&'static str, &'static [u8]), 4>,
}

impl<'w> Layout<'w> {
    pub(super) fn new(sink: &'w mut dyn Sink, pretty: bool) -> Self {
        Self { sink, pretty, comma: false, depth: 0, waiting: heapless::Vec::new() }
    }

    /// Copies a whole document.
    pub(super) fn copy(&mut self, bytes: &[u8]) {
        self.sink.put(bytes);
    }

    /// The number of open containers.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Opens a container as a member. It is written together with its first element.
    pub(super) fn open_member(&mut self, name: &'static str, bracket: &'static [u8]) {
        if self.waiting.is_full() {
            self.write_waiting();
        }
        // This cannot fail, because there is room.
        let _ = self.waiting.push((name, bracket));
        self.depth = self.depth.saturating_add(1);
    }

    /// Writes the open containers that are not yet written.
    fn write_waiting(&mut self) {
        let waiting = core::mem::take(&mut self.waiting);
        self.depth = self.depth.saturating_sub(waiting.len() as u32);
        for (name, bracket) in &waiting {
            self.comma();
            self.named(Text::plain(name.as_bytes()));
            self.open(bracket);
        }
    }

    fn separate(&mut self) {
        if !self.waiting.is_empty() {
            self.write_waiting();
        }
        self.comma();
    }

    /// Writes the comma and the line break before a name or an element.
    fn comma(&mut self) {
        if self.comma {
            self.sink.put(b",");
        }
        self.comma = true;
        self.line();
    }

    fn line(&mut self) {
        if self.pretty && self.depth > 0 {
            self.sink.put(b"\n");
            for _ in 0..self.depth {
                self.sink.put(b"  ");
            }
        }
    }

    /// Opens a container after a name, or at the start of the document.
    pub(super) fn open(&mut self, bracket: &[u8]) {
        self.sink.put(bracket);
        self.comma = false;
        self.depth = self.depth.saturating_add(1);
    }

    pub(super) fn close(&mut self, bracket: &[u8]) {
        if self.waiting.pop().is_some() {
            self.depth = self.depth.saturating_sub(1);
            return;
        }
        self.depth = self.depth.saturating_sub(1);
        if self.comma && self.depth > 0 {
            self.line();
        } else if self.comma && self.pretty {
            self.sink.put(b"\n");
        }
        self.sink.put(bracket);
        self.comma = true;
    }

    /// Ends the document.
    pub(super) fn finish(&mut self) {
        self.close(b"}");
        if self.pretty {
            self.sink.put(b"\n");
        }
    }

    /// Opens a container as the next element.
    pub(super) fn element(&mut self, bracket: &[u8]) {
        self.separate();
        self.open(bracket);
    }

    /// Writes a name that the target defines.
    pub(super) fn name(&mut self, name: &'static str) {
        self.own_name(Text::plain(name.as_bytes()));
    }

    /// Writes a name that comes from the document.
    pub(super) fn own_name(&mut self, name: Text<'_>) {
        self.separate();
        self.named(name);
    }

    fn named(&mut self, name: Text<'_>) {
        self.string(name);
        self.sink.put(if self.pretty { b": " } else { b":" });
    }

    fn string(&mut self, text: Text<'_>) {
        write_string(text, true, &mut |piece: &[u8]| self.sink.put(piece));
    }

    /// Writes a string after a name.
    pub(super) fn text(&mut self, text: Text<'_>) {
        self.string(text);
    }

    /// Writes a string as an element.
    pub(super) fn text_element(&mut self, text: Text<'_>) {
        self.separate();
        self.string(text);
    }

    pub(super) fn truth(&mut self, value: bool) {
        self.sink.put(if value { b"true" } else { b"false" });
    }

    pub(super) fn number(&mut self, number: u32) {
        put_number(number.into(), self.sink);
    }

    /// Writes a raw value on one line, as an element.
    pub(super) fn raw_element(&mut self, raw: Raw<'_>) {
        self.separate();
        self.raw(raw);
    }

    /// Writes a raw value on one line.
    pub(super) fn raw(&mut self, raw: Raw<'_>) {
        match raw {
            Raw::Json(value) => minified(value.raw(), &mut |piece: &[u8]| self.sink.put(piece)),
            Raw::Text(text) => self.string(text),
        }
    }
}

/// The nesting depth of the containers in a validated JSON value; 0 for a value that is not a
/// container.
pub(super) fn nesting(raw: &[u8]) -> u32 {
    let (mut depth, mut deepest, mut at) = (0_u32, 0, 0);
    while let Some(&byte) = raw.get(at) {
        at = at.wrapping_add(1);
        match byte {
            b'"' => at = crate::scan::string_end(raw, at).0.wrapping_add(1),
            b'{' | b'[' => {
                depth = depth.saturating_add(1);
                deepest = depth.max(deepest);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    #[test]
    fn nesting_does_not_count_what_stands_in_strings() {
        for (raw, depth) in
            [("5", 0), (r#""[[\"[""#, 0), ("[]", 1), (r#"{"a[": [1, {}], "b": {}}"#, 3)]
        {
            assert_eq!(nesting(raw.as_bytes()), depth, "{raw}");
        }
    }

    fn laid_out(pretty: bool) -> std::string::String {
        let mut text = Vec::new();
        let mut sink = |piece: &[u8]| text.extend_from_slice(piece);
        let mut json = Layout::new(&mut sink, pretty);
        json.open(b"{");
        json.name("a");
        json.number(10);
        json.name("b");
        json.open(b"[");
        json.text_element(Text::plain(b"x\n"));
        json.element(b"{");
        json.close(b"}");
        json.close(b"]");
        json.open_member("c", b"{");
        json.open_member("d", b"[");
        json.close(b"]");
        json.close(b"}");
        json.open_member("e", b"{");
        json.open_member("f", b"[");
        json.text_element(Text::EMPTY);
        json.close(b"]");
        json.close(b"}");
        json.finish();
        std::string::String::from_utf8(text).unwrap()
    }

    #[test]
    fn with_and_without_line_breaks() {
        assert_eq!(
            laid_out(true),
            "{\n  \"a\": 10,\n  \"b\": [\n    \"x\\n\",\n    {}\n  ],\n  \"e\": {\n    \"f\": [\n      \"\"\n    ]\n  }\n}\n"
        );
        assert_eq!(laid_out(false), r#"{"a":10,"b":["x\n",{}],"e":{"f":[""]}}"#);
    }
}
