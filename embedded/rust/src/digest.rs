//! The sum over what is read: FNV-1a over decoded values, each with an end mark, so that two different sequences of values do not
//! give the same bytes.
//!
//! The C firmware computes the same sum (`embedded/c/digest.c`).

use agentsdisc_core::syntax::text::Text;

use crate::calls;

/// Closes a text. None of the marks occurs in UTF-8.
const END: u8 = 0xfe;
/// Stands for what is absent.
const ABSENT: u8 = 0xff;
/// Closes a list or an object.
const END_OF_LIST: u8 = 0xfd;

/// A sum of what was read.
#[derive(Clone, Copy)]
pub(crate) struct Digest(u32);

impl Digest {
    pub(crate) const fn new() -> Self {
        Self(0x811c_9dc5)
    }

    pub(crate) const fn sum(self) -> u32 {
        self.0
    }

    fn octet(&mut self, octet: u8) {
        self.0 = (self.0 ^ u32::from(octet)).wrapping_mul(0x0100_0193);
    }

    pub(crate) fn octets(&mut self, octets: &[u8]) {
        octets.iter().for_each(|octet| self.octet(*octet));
        self.octet(END);
    }

    /// Notes that nothing is there.
    pub(crate) fn absent(&mut self) {
        self.octet(ABSENT);
    }

    pub(crate) fn text(&mut self, text: Option<Text<'_>>) {
        match text {
            None => self.absent(),
            Some(text) if !text.is_escaped() => self.octets(text.raw()),
            Some(text) => {
                let mut chars = text.chars();
                while let Some(character) = calls::next_char(&mut chars) {
                    character
                        .encode_utf8(&mut [0; 4])
                        .bytes()
                        .for_each(|octet| self.octet(octet));
                }
                self.octet(END);
            }
        }
    }

    pub(crate) fn truth(&mut self, truth: Option<bool>) {
        self.octet(truth.map_or(ABSENT, u8::from));
    }

    pub(crate) fn number(&mut self, number: Option<u32>) {
        match number {
            None => self.absent(),
            Some(number) => self.octets(&number.to_le_bytes()),
        }
    }

    /// Adds the number of a value whose id is not linked, and says nothing in its place.
    #[cfg(not(feature = "ids"))]
    pub(crate) fn instead_of_id(&mut self, number: u32) -> &'static str {
        self.number(Some(number));
        "-"
    }

    /// Closes a list or an object.
    pub(crate) fn end_of_list(&mut self) {
        self.octet(END_OF_LIST);
    }
}
