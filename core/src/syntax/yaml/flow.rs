//! Flow collections on one line: the steps of the tokenizer between `[` or `{` and the closing
//! bracket.
//!
//! The same steps run twice: first to check that the collection ends on its line, then to return
//! the events.

use super::Event;
use super::events::{Events, FLOW_MAPPING, FLOW_PAIR, FLOW_SEQUENCE, KEY_LIMIT, State, is_blank};
use super::scalar::{Scalar, Stop, plain_on_line, quoted, starts_plain};
use crate::syntax::fold::{blanks_len, line_end};

impl<'a> Events<'a> {
    /// The next event of a flow collection. `None` if the text is not supported.
    pub(super) fn flow(&mut self) -> Option<Event<'a>> {
        // Each iteration consumes a byte or returns.
        loop {
            self.at += blanks_len(self.rest());
            let first = *self.rest().first()?;
            match self.state {
                State::FlowAfter => match first {
                    b',' | b']' if self.frame() == FLOW_PAIR => return Some(self.close_flow()),
                    b',' => {
                        self.at += 1;
                        self.state = State::FlowItem;
                    }
                    _ => return self.flow_end(first),
                },
                State::FlowItem if matches!(first, b']' | b'}') => return self.flow_end(first),
                State::FlowItem if self.frame() != FLOW_SEQUENCE => return self.flow_key(),
                State::FlowItem if self.is_pair() => {
                    self.node = self.at;
                    return self.push(FLOW_PAIR).then_some(Event::Mapping);
                }
                State::FlowColon => match first {
                    b':' => {
                        self.at += 1;
                        self.state = State::FlowValue;
                    }
                    b',' | b'}' | b']' => return self.flow_absent(),
                    _ => return None,
                },
                State::FlowValue if matches!(first, b',' | b'}' | b']') => {
                    return self.flow_absent();
                }
                _ => return self.flow_value(first),
            }
        }
    }

    fn flow_end(&mut self, bracket: u8) -> Option<Event<'a>> {
        match (bracket, self.frame()) {
            (b'}', FLOW_MAPPING) | (b']', FLOW_SEQUENCE) => {}
            _ => return None,
        }
        self.at += 1;
        Some(self.close_flow())
    }

    fn close_flow(&mut self) -> Event<'a> {
        self.pop();
        self.after_flow();
        Event::End
    }

    /// True if the next item of a flow sequence is a pair without braces: `key: value`, `? key`.
    fn is_pair(&self) -> bool {
        let rest = self.rest();
        let length = match rest {
            // A `?` without a key after it is not supported.
            [b'?', tail @ ..] => {
                let key = tail.get(blanks_len(tail));
                return is_blank(tail) && !matches!(key, Some(b',' | b']' | b'}'));
            }
            [b'"' | b'\'', ..] => {
                let Some((_, end)) = quoted(self.text, self.at, None) else {
                    return false;
                };
                let length = end - self.at;
                let tail = rest.get(length..).unwrap_or_default();
                if tail.get(blanks_len(tail)) != Some(&b':') {
                    return false;
                }
                length
            }
            _ => match plain_on_line(rest, true) {
                (length @ 1.., Stop::Colon) => length,
                _ => return false,
            },
        };
        length <= KEY_LIMIT
    }

    /// Reads a key, which may follow a `?`. After a `?`, the key may be absent.
    fn flow_key(&mut self) -> Option<Event<'a>> {
        let mut is_explicit = false;
        if let [b'?', tail @ ..] = self.rest()
            && is_blank(tail)
        {
            self.at += 1 + blanks_len(tail);
            is_explicit = true;
        }
        let key = match self.rest() {
            [b',' | b'}' | b']', ..] if is_explicit => Scalar::absent(self.rest()),
            _ => self.flow_scalar()?,
        };
        self.state = State::FlowColon;
        Some(Event::Key(key))
    }

    fn flow_absent(&mut self) -> Option<Event<'a>> {
        self.state = State::FlowAfter;
        Some(Event::Scalar(Scalar::absent(self.rest())))
    }

    fn flow_value(&mut self, first: u8) -> Option<Event<'a>> {
        let (frame, event) = match first {
            b'[' => (FLOW_SEQUENCE, Event::Sequence),
            b'{' => (FLOW_MAPPING, Event::Mapping),
            _ => {
                let scalar = self.flow_scalar()?;
                self.state = State::FlowAfter;
                return Some(Event::Scalar(scalar));
            }
        };
        if !self.push(frame) {
            return None;
        }
        self.node = self.at;
        self.at += 1;
        self.state = State::FlowItem;
        Some(event)
    }

    fn flow_scalar(&mut self) -> Option<Scalar<'a>> {
        let rest = self.rest();
        match rest {
            [b'"' | b'\'', ..] => {
                let (scalar, end) = quoted(self.text, self.at, None)?;
                self.at = end;
                Some(scalar)
            }
            // Scalars that start like this are rare and not supported.
            [b'?' | b':', ..] => None,
            _ if starts_plain(rest, true) => {
                let (length, stop) = plain_on_line(rest, true);
                if matches!(stop, Stop::Comment | Stop::LineEnd) {
                    return None;
                }
                self.at += length;
                Some(Scalar::plain(rest.get(..length)?, false))
            }
            _ => None,
        }
    }
}

/// The end of the flow collection at `at`, possibly after anchors and tags; `at` if no flow
/// collection starts there. A collection that is not closed ends at the end of the text.
pub(super) fn end_of_flow(text: &[u8], at: usize) -> usize {
    let mut start = at;
    while let Some([b'&' | b'!', ..]) = text.get(start..) {
        let property = text.get(start..).unwrap_or_default();
        start += property.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        start += blanks_len(text.get(start..).unwrap_or_default());
    }
    if !matches!(text.get(start), Some(b'[' | b'{')) {
        return at;
    }
    let mut at = start;
    let mut open = 0_usize;
    // True where a scalar can start: there, a quote opens a quoted scalar. Elsewhere it is part of
    // a word.
    let mut starts = true;
    let mut blank = false;
    while let Some(&byte) = text.get(at) {
        at += 1;
        let was_blank = core::mem::replace(&mut blank, byte.is_ascii_whitespace());
        match byte {
            b'[' | b'{' => (open, starts) = (open + 1, true),
            b']' | b'}' => {
                (open, starts) = (open - 1, false);
                if open == 0 {
                    return at;
                }
            }
            b',' | b':' => starts = true,
            b'"' | b'\'' if starts => {
                at = quote_end(text, at, byte);
                starts = false;
            }
            b'#' if was_blank => (_, at) = line_end(text, at),
            _ => starts &= blank,
        }
    }
    text.len()
}

/// The offset after the quote that closes a scalar, or the end of the text.
fn quote_end(text: &[u8], mut at: usize, quote: u8) -> usize {
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte == b'\\' && quote == b'"' {
            at += 1;
        } else if byte == quote {
            break;
        }
    }
    at.min(text.len())
}
