//! What the search for words has read ahead in a text.

use super::shapes::Alphabet;
use super::{is_bearer_byte, last_placeholder};

/// The text after the prefix of a key, as far as the characters belong to an alphabet. All offsets
/// are in the whole text.
#[derive(Clone, Copy)]
pub(super) struct Body {
    start: usize,
    /// The end of the characters of the alphabet.
    whole: usize,
    /// The same without full stops at the end: these belong to the sentence.
    pub(super) end: usize,
    /// The offset after the last digit; 0 if there is none.
    pub(super) last_digit: usize,
    /// The offset after the first character of the last placeholder; 0 if there is none.
    pub(super) last_placeholder: usize,
}

impl Body {
    const NONE: Self = Self { start: 0, whole: 0, end: 0, last_digit: 0, last_placeholder: 0 };

    fn read(bytes: &[u8], start: usize, alphabet: Alphabet) -> Self {
        let rest = bytes.get(start..).unwrap_or_default();
        let length = rest.iter().take_while(|&&byte| alphabet.has(byte)).count();
        let text = rest.get(..length).unwrap_or_default();
        let dots = text.iter().rev().take_while(|byte| **byte == b'.').count();
        let kept = length.saturating_sub(dots);
        let text = text.get(..kept).unwrap_or_default();
        let behind =
            |at: Option<usize>| at.map_or(0, |at| start.saturating_add(at).wrapping_add(1));
        Self {
            start,
            whole: start.saturating_add(length),
            end: start.saturating_add(kept),
            last_digit: behind(text.iter().rposition(u8::is_ascii_digit)),
            last_placeholder: behind(last_placeholder(text)),
        }
    }
}

/// The last text that was read ahead of each kind. Later searches are inside or behind it.
#[derive(Clone)]
pub(super) struct Memory {
    /// The end of a run of token characters.
    run: usize,
    bodies: [Body; Alphabet::COUNT],
}

impl Memory {
    pub(super) const fn new() -> Self {
        Self { run: 0, bodies: [Body::NONE; Alphabet::COUNT] }
    }

    /// Returns the end of the run of token characters from `start`.
    pub(super) fn end_of_run(&mut self, bytes: &[u8], start: usize) -> usize {
        if start >= self.run {
            let rest = bytes.get(start..).unwrap_or_default();
            let length = rest.iter().take_while(|&&byte| is_bearer_byte(byte)).count();
            self.run = start.saturating_add(length);
        }
        self.run
    }

    /// Returns the text from `start` in an alphabet. A text inside a known one ends where that one
    /// ends.
    pub(super) fn body(&mut self, bytes: &[u8], start: usize, alphabet: Alphabet) -> Body {
        let Some(known) = self.bodies.get_mut(alphabet as usize) else {
            return Body::NONE;
        };
        if !(known.start..known.whole).contains(&start) {
            *known = Body::read(bytes, start, alphabet);
        }
        *known
    }
}
