//! The digest of all values: FNV-1a over decoded values, each followed by a mark, so that different
//! sequences of values have different inputs.
//!
//! The C firmware computes the same digest (`embedded/c/digest.c`).

use agentsdisc_core::syntax::text::Text;

use crate::calls;

/// Marks the end of a text. No mark occurs in UTF-8.
const END: u8 = 0xfe;
/// Marks an absent value.
const ABSENT: u8 = 0xff;
/// Marks the end of a list or an object.
const END_OF_LIST: u8 = 0xfd;

/// A digest of values.
#[derive(Clone, Copy)]
pub(crate) struct Digest(u32);

impl Digest {
    pub(crate) const fn new() -> Self {
        Self(0x811c_9dc5)
    }

    pub(crate) const fn sum(self) -> u32 {
        self.0
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.byte(*byte));
        self.byte(END);
    }

    /// Adds an absent value.
    pub(crate) fn absent(&mut self) {
        self.byte(ABSENT);
    }

    pub(crate) fn text(&mut self, text: Option<Text<'_>>) {
        match text {
            None => self.absent(),
            Some(text) if !text.is_escaped() => self.bytes(text.raw()),
            Some(text) => {
                let mut chars = text.chars();
                while let Some(character) = calls::next_char(&mut chars) {
                    character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| self.byte(byte));
                }
                self.byte(END);
            }
        }
    }

    pub(crate) fn truth(&mut self, truth: Option<bool>) {
        self.byte(truth.map_or(ABSENT, u8::from));
    }

    pub(crate) fn number(&mut self, number: Option<u32>) {
        match number {
            None => self.absent(),
            Some(number) => self.bytes(&number.to_le_bytes()),
        }
    }

    /// Adds the number of a value instead of its id, which is not linked.
    #[cfg(not(feature = "ids"))]
    pub(crate) fn instead_of_id(&mut self, number: u32) -> &'static str {
        self.number(Some(number));
        "-"
    }

    /// Marks the end of a list or an object.
    pub(crate) fn end_of_list(&mut self) {
        self.byte(END_OF_LIST);
    }
}
