//! The unified model as JSON (`docs/model.md`), on one line.
//!
//! The model is nested to a fixed depth, and no object contains an object of its own type, so
//! visiting nested objects does not recurse without a bound. The writer only stores whether the
//! next member needs a comma.

use core::convert::Infallible;

use super::writer::Writer;
use crate::document::Document;
use crate::document::Manifest;
use crate::format::Format;
use crate::model::{Choice, Enumeration, List, MemberVisitor, Metadata, Name, Object, Raw};
use crate::sink::{Sink, SliceSink};
use crate::syntax::text::{BufferTooSmall, Text};

impl Document<'_> {
    /// Writes the unified model as JSON (`docs/model.md`) into `buffer`, and returns its length.
    ///
    /// # Errors The required length, if the buffer is too small.
    pub fn write_json(&self, buffer: &mut [u8]) -> Result<usize, BufferTooSmall> {
        let mut sink = SliceSink::new(buffer);
        self.put_json(&mut sink);
        if sink.is_whole() {
            Ok(sink.length())
        } else {
            Err(BufferTooSmall { needed: sink.length() })
        }
    }

    /// The length of the unified model as JSON. Costs as much as writing it.
    pub fn json_len(&self) -> usize {
        let mut length = 0;
        self.put_json(&mut |piece: &[u8]| length += piece.len());
        length
    }

    /// Writes the unified model as JSON to a sink, in pieces.
    pub fn put_json(&self, sink: &mut impl Sink) {
        let mut writer = Writer::new(sink, self.format() == Format::RobotsTxt);
        put_object(&mut writer, &Manifest::new(*self));
    }
}

fn put_object<'a, S: Sink>(w: &mut Writer<'_, S>, object: &impl Object<'a>) {
    w.braces(|w| {
        let Ok(()) = object.members(w);
    });
}

type Done = Result<(), Infallible>;

impl<'a, S: Sink> MemberVisitor<'a> for Writer<'_, S> {
    type Error = Infallible;

    fn word(&mut self, name: &'static Name, word: &'static str) -> Done {
        Writer::word(self, name.key(), word);
        Ok(())
    }

    #[inline]
    fn text(&mut self, name: &'static Name, text: Text<'a>) -> Done {
        self.optional(name.key(), Some(text));
        Ok(())
    }

    fn texts(&mut self, name: &'static Name, list: List<'a, Text<'a>>) -> Done {
        Writer::texts(self, name.key(), list);
        Ok(())
    }

    fn granted(&mut self, name: &'static Name, list: List<'a, Text<'a>>) -> Done {
        self.name(name.key());
        self.open(b"[");
        for text in list {
            Writer::text(self, text);
        }
        self.close(b"]");
        Ok(())
    }

    #[inline]
    fn choice<E: Enumeration>(&mut self, name: &'static Name, choice: Choice<'a, E>) -> Done {
        Writer::choice(self, name.key(), name.text_key(), Some(choice));
        Ok(())
    }

    #[inline]
    fn truth(&mut self, name: &'static Name, value: bool) -> Done {
        Writer::truth(self, name.key(), Some(value));
        Ok(())
    }

    #[inline]
    fn number(&mut self, name: &'static Name, number: u32) -> Done {
        Writer::number(self, name.key(), Some(number));
        Ok(())
    }

    #[inline]
    fn raw(&mut self, name: &'static Name, value: Raw<'a>) -> Done {
        Writer::raw(self, name.key(), Some(value));
        Ok(())
    }

    fn raws(&mut self, name: &'static Name, list: List<'a, Raw<'a>>) -> Done {
        self.list(name.key(), list, |w, value| w.raw_value(*value));
        Ok(())
    }

    fn metadata(&mut self, name: &'static Name, members: Metadata<'a>) -> Done {
        Writer::metadata(self, name.key(), members);
        Ok(())
    }

    fn object<T: Object<'a>>(&mut self, name: &'static Name, object: &T) -> Done {
        self.name(name.key());
        put_object(self, object);
        Ok(())
    }

    fn objects<T: Object<'a>>(
        &mut self,
        name: &'static Name,
        list: impl Iterator<Item = T> + Clone,
    ) -> Done {
        self.list(name.key(), list, |w, item| {
            w.separate();
            put_object(w, item);
        });
        Ok(())
    }
}
