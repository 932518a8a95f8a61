//! Writes JSON on one line to a sink. The unified model, decisions and plans are written with it.

use crate::model::{Choice, Enumeration, Metadata, Raw};
use crate::scan;
use crate::sink::{Sink, put_number};
use crate::syntax::json::{Value, write_string};
use crate::syntax::text::Text;

/// A name with a comma before it, its quotes and its colon, as one piece for the sink. The writer
/// skips the comma before the first member.
macro_rules! key {
    ($name:literal) => {
        concat!(",\"", $name, "\":")
    };
}

pub(crate) use key;

/// Writes JSON text without the white space outside its strings.
pub(crate) fn minified<S: Sink>(raw: &[u8], sink: &mut S) {
    Writer::new(sink, false).minified(raw);
}

/// Writes JSON to a sink.
///
/// INVARIANT: `comma` is true if the next name or element of the innermost container needs a comma
/// before it.
pub(crate) struct Writer<'s, S> {
    sink: &'s mut S,
    comma: bool,
    /// Whether texts may contain bytes that are not UTF-8.
    lossy: bool,
}

impl<'s, S: Sink> Writer<'s, S> {
    /// A writer at the start of a value. `lossy` states whether texts may contain bytes that are
    /// not UTF-8.
    pub(crate) fn new(sink: &'s mut S, lossy: bool) -> Self {
        Self { sink, comma: false, lossy }
    }

    /// Writes a comma if one is needed.
    #[inline]
    pub(crate) fn separate(&mut self) {
        if self.comma {
            self.sink.put(b",");
        }
        self.comma = true;
    }

    /// Opens a container after a name.
    #[inline]
    pub(crate) fn open(&mut self, bracket: &[u8]) {
        self.sink.put(bracket);
        self.comma = false;
    }

    #[inline]
    pub(crate) fn close(&mut self, bracket: &[u8]) {
        self.sink.put(bracket);
        self.comma = true;
    }

    /// Writes a name that [`key!`] has made.
    #[inline]
    pub(crate) fn name(&mut self, name: &'static str) {
        let piece = name.as_bytes();
        self.sink.put(if self.comma { piece } else { piece.get(1..).unwrap_or_default() });
        self.comma = true;
    }

    /// Writes the name of a member that comes from a document.
    pub(crate) fn member(&mut self, name: Text<'_>) {
        self.separate();
        self.string(name);
        self.sink.put(b":");
    }

    /// Writes a value of a document after a name.
    pub(crate) fn value(&mut self, value: Value<'_>) {
        self.minified(value.raw());
    }

    /// Writes a string that needs no escaping.
    pub(crate) fn plain(&mut self, text: &str) {
        self.sink.put(b"\"");
        self.sink.put(text.as_bytes());
        self.sink.put(b"\"");
    }

    #[inline]
    pub(crate) fn optional(&mut self, name: &'static str, text: Option<Text<'_>>) {
        if let Some(text) = text {
            self.name(name);
            self.string(text);
        }
    }

    /// Writes a member whose value is a string that needs no escaping.
    pub(crate) fn word(&mut self, name: &'static str, word: &'static str) {
        self.name(name);
        self.plain(word);
    }

    pub(crate) fn choice<E: Enumeration>(
        &mut self,
        name: &'static str,
        text_name: &'static str,
        choice: Option<Choice<'_, E>>,
    ) {
        if let Some(choice) = choice {
            self.word(name, choice.as_str());
            self.optional(text_name, choice.differing_text());
        }
    }

    pub(crate) fn truth(&mut self, name: &'static str, value: Option<bool>) {
        if let Some(value) = value {
            self.name(name);
            self.sink.put(if value { b"true" } else { b"false" });
        }
    }

    pub(crate) fn number(&mut self, name: &'static str, value: Option<impl Into<u64>>) {
        if let Some(value) = value {
            self.name(name);
            put_number(value.into(), self.sink);
        }
    }

    pub(crate) fn raw(&mut self, name: &'static str, value: Option<Raw<'_>>) {
        if let Some(value) = value {
            self.name(name);
            self.put_raw(value);
        }
    }

    /// Writes a raw value as an element.
    pub(crate) fn raw_value(&mut self, value: Raw<'_>) {
        self.separate();
        self.put_raw(value);
    }

    fn put_raw(&mut self, value: Raw<'_>) {
        match value {
            Raw::Json(value) => self.minified(value.raw()),
            Raw::Text(text) => self.string(text),
        }
    }

    /// Writes JSON text without the white space outside its strings, so that the output stays on
    /// one line.
    fn minified(&mut self, raw: &[u8]) {
        let (mut from, mut at) = (0, 0);
        while let Some(&byte) = raw.get(at) {
            match byte {
                b'"' => at = (scan::string_end(raw, at + 1).0 + 1).min(raw.len()),
                b' ' | b'\t' | b'\n' | b'\r' => {
                    self.sink.put(raw.get(from..at).unwrap_or_default());
                    at = scan::blanks_end(raw, at);
                    from = at;
                }
                _ => at += 1,
            }
        }
        self.sink.put(raw.get(from..).unwrap_or_default());
    }

    /// Writes a text as an element.
    pub(crate) fn text(&mut self, text: Text<'_>) {
        self.separate();
        self.string(text);
    }

    #[inline]
    pub(crate) fn object<T>(
        &mut self,
        name: &'static str,
        value: Option<T>,
        members: impl FnOnce(&mut Self, &T),
    ) {
        if let Some(value) = value {
            self.name(name);
            self.braces(|w| members(w, &value));
        }
    }

    /// Writes an object, after a name or as an element.
    #[inline]
    pub(crate) fn braces(&mut self, members: impl FnOnce(&mut Self)) {
        self.open(b"{");
        members(self);
        self.close(b"}");
    }

    #[inline]
    pub(crate) fn objects<T>(
        &mut self,
        name: &'static str,
        list: impl IntoIterator<Item = T>,
        members: impl Fn(&mut Self, &T),
    ) {
        self.list(name, list, |w, item| {
            w.separate();
            w.braces(|w| members(w, item));
        });
    }

    pub(crate) fn texts<'t>(
        &mut self,
        name: &'static str,
        list: impl IntoIterator<Item = Text<'t>>,
    ) {
        self.list(name, list, |w, text| w.text(*text));
    }

    /// Writes a list; nothing if it is empty.
    #[inline]
    pub(crate) fn list<T>(
        &mut self,
        name: &'static str,
        list: impl IntoIterator<Item = T>,
        element: impl Fn(&mut Self, &T),
    ) {
        let mut open = false;
        for item in list {
            if !open {
                self.name(name);
                self.open(b"[");
                open = true;
            }
            element(self, &item);
        }
        if open {
            self.close(b"]");
        }
    }

    pub(crate) fn metadata(&mut self, name: &'static str, members: Metadata<'_>) {
        let mut open = false;
        for member in members {
            if !open {
                self.name(name);
                self.open(b"{");
                open = true;
            }
            self.member(member.name);
            self.put_raw(member.value);
        }
        if open {
            self.close(b"}");
        }
    }

    /// Writes a string with its quotes.
    #[inline]
    pub(crate) fn string(&mut self, text: Text<'_>) {
        write_string(text, self.lossy, self.sink);
    }
}
