//! Flow collections on one line: the steps of the tokenizer between `[` or `{` and the closing
//! bracket.
//!
//! The same steps run twice: first to check that the collection ends on its line, then to return
//! the events.

use super::Event;
use super::events::{Events, FLOW_MAPPING, FLOW_SEQUENCE, State};
use super::scalar::{Scalar, Stop, plain_on_line, quoted, starts_plain};
use crate::syntax::fold::blanks_len;

impl<'a> Events<'a> {
    /// The next event of a flow collection. `None` if the text is not supported.
    pub(super) fn flow(&mut self) -> Option<Event<'a>> {
        // Each iteration consumes a byte or returns.
        loop {
            self.at += blanks_len(self.rest());
            let first = *self.rest().first()?;
            match self.state {
                State::FlowAfter => match first {
                    b',' => {
                        self.at += 1;
                        self.state = State::FlowItem;
                    }
                    _ => return self.flow_end(first),
                },
                State::FlowItem if matches!(first, b']' | b'}') => return self.flow_end(first),
                State::FlowItem if self.frame() == FLOW_MAPPING => {
                    let scalar = self.flow_scalar()?;
                    self.state = State::FlowColon;
                    return Some(Event::Key(scalar));
                }
                State::FlowColon => match first {
                    b':' => {
                        self.at += 1;
                        self.state = State::FlowValue;
                    }
                    b',' | b'}' => return self.flow_absent(),
                    _ => return None,
                },
                State::FlowValue if matches!(first, b',' | b'}') => return self.flow_absent(),
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
        self.pop();
        self.after_flow();
        Some(Event::End)
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
            // Keys that are marked or start with a colon are rare and not supported.
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
