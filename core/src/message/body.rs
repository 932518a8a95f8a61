//! The body of a request.

use super::example::{Encoding, Media};
use super::sent::Sent;
use crate::format::adp::ArgumentValue;
use crate::format::adp::encode::{put_char, put_form};
use crate::sink::Sink;
use crate::syntax::json::write_string;
use crate::syntax::text::Text;

/// A separator between the parts of a multipart body that occurs in none of them. It is a prefix
/// and a number; the number is larger than each number that follows this prefix in a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Boundary(u64);

impl Boundary {
    pub(super) const FIRST: Self = Self(0);
    /// The first letter occurs only once, so the search never goes back after a mismatch.
    const PREFIX: &'static [u8] = b"agentsdisc-";
    const DIGITS: usize = 16;

    /// Returns a boundary for values, in one pass over them. `None` if a value contains the largest
    /// number.
    pub(super) fn of<'v>(values: impl Iterator<Item = Text<'v>>) -> Option<Self> {
        let mut next = 0_u64;
        for value in values {
            let (mut matched, mut number) = (0_usize, 0_u64);
            for c in value.chars() {
                let digit = c.to_digit(10).filter(|_| matched >= Self::PREFIX.len());
                if let Some(digit) = digit {
                    number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
                    matched = matched.wrapping_add(1);
                } else if Self::PREFIX.get(matched).is_some_and(|&own| char::from(own) == c) {
                    matched = matched.wrapping_add(1);
                } else {
                    matched = usize::from(c == 'a');
                }
                if matched == Self::PREFIX.len() {
                    number = 0;
                } else if matched == Self::PREFIX.len().wrapping_add(Self::DIGITS) {
                    (next, matched) = (next.max(number.saturating_add(1)), 0);
                }
            }
        }
        (next < 10_u64.pow(Self::DIGITS as u32)).then_some(Self(next))
    }

    pub(super) fn put(self, sink: &mut impl Sink) {
        sink.put(Self::PREFIX);
        let mut unit = 10_u64.pow(Self::DIGITS as u32 - 1);
        while unit > 0 {
            sink.put(&[b'0'.wrapping_add((self.0 / unit % 10) as u8)]);
            unit /= 10;
        }
    }
}

/// Writes the header with the media type of a body.
pub(super) fn put_type(media: &Media<'_>, boundary: Boundary, sink: &mut impl Sink) {
    sink.put(b"Content-Type:");
    match media.encoding {
        Encoding::Form => sink.put(b"application/x-www-form-urlencoded"),
        Encoding::Multipart => {
            sink.put(b"multipart/form-data; boundary=");
            boundary.put(sink);
        }
        _ => media.name.chars().for_each(|c| put_char(c, sink)),
    }
    sink.put(b"\n");
}

/// Writes a body of these values.
pub(super) fn put<'v>(
    media: &Media<'_>,
    boundary: Boundary,
    values: impl Iterator<Item = Sent<'v>>,
    sink: &mut impl Sink,
) {
    let mut count = 0_usize;
    for sent in values {
        let is_first = count == 0;
        count = count.saturating_add(1);
        match media.encoding {
            Encoding::Object => {
                sink.put(if is_first { b"{" } else { b"," });
                write_string(sent.name, true, sink);
                sink.put(b":");
                put_json(sent.value, sink);
            }
            Encoding::Form => {
                sink.put(if is_first { b"" } else { b"&" });
                sent.name.chars().for_each(|c| put_form(c, sink));
                sink.put(b"=");
                sent.text().chars().for_each(|c| put_form(c, sink));
            }
            Encoding::Multipart => put_part(&sent, boundary, sink),
            Encoding::Value if is_first => put_json(sent.value, sink),
            Encoding::Text if is_first => sent.text().chars().for_each(|c| put_char(c, sink)),
            Encoding::Value | Encoding::Text => {}
        }
    }
    match media.encoding {
        Encoding::Object => sink.put(b"}"),
        Encoding::Multipart => {
            sink.put(b"--");
            boundary.put(sink);
            sink.put(b"--\r\n");
        }
        _ => {}
    }
}

fn put_json(value: ArgumentValue<'_>, sink: &mut impl Sink) {
    match value {
        ArgumentValue::Text(text) => write_string(Text::plain(text.as_bytes()), true, sink),
        ArgumentValue::Json(value) => sink.put(value.raw()),
    }
}

fn put_part(sent: &Sent<'_>, boundary: Boundary, sink: &mut impl Sink) {
    sink.put(b"--");
    boundary.put(sink);
    sink.put(b"\r\nContent-Disposition: form-data; name=\"");
    put_part_name(sent.name, sink);
    if sent.is_file {
        sink.put(b"\"; filename=\"");
        put_part_name(sent.name, sink);
    }
    sink.put(b"\"\r\n\r\n");
    sent.text().chars().for_each(|c| put_char(c, sink));
    sink.put(b"\r\n");
}

/// Writes the name of a part, with the escapes that browsers use.
fn put_part_name(name: Text<'_>, sink: &mut impl Sink) {
    for c in name.chars() {
        match c {
            '"' => sink.put(b"%22"),
            '\r' => sink.put(b"%0D"),
            '\n' => sink.put(b"%0A"),
            c => put_char(c, sink),
        }
    }
}
