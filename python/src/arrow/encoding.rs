//! Texts that are not UTF-8, from a robots.txt in any encoding. Invalid bytes become U+FFFD.

use agentsdisc_core::syntax::text::Text;
use arrow_array::StringArray;
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};

use super::column::Failure;

/// The number of texts that are validated together.
const MANY: usize = 64;

/// Returns an array of texts of which some are not UTF-8.
pub(super) fn repaired(
    offsets: &OffsetBuffer<i32>,
    data: &Buffer,
    nulls: Option<NullBuffer>,
) -> Result<StringArray, Failure> {
    let (mut text, mut ends) = (Vec::with_capacity(data.len()), Vec::with_capacity(offsets.len()));
    ends.push(0);
    // A single such document causes this call for a whole batch; nearly all other texts are ASCII.
    for first in (0..offsets.len()).step_by(MANY) {
        let borders = offsets.get(first..offsets.len().min(first + MANY + 1)).unwrap_or_default();
        let all = piece(data, borders.first(), borders.last());
        if all.is_ascii() {
            text.extend_from_slice(all);
            let end = i32::try_from(text.len()).map_err(|_| Failure::TooMuch)?;
            let behind = borders.last().copied().unwrap_or_default();
            ends.extend(borders.iter().skip(1).map(|border| end - (behind - border)));
            continue;
        }
        for (start, end) in borders.iter().zip(borders.iter().skip(1)) {
            let raw = piece(data, Some(start), Some(end));
            match std::str::from_utf8(raw) {
                Ok(_) => text.extend_from_slice(raw),
                Err(_) => decoded(Text::plain(raw), &mut text),
            }
            ends.push(i32::try_from(text.len()).map_err(|_| Failure::TooMuch)?);
        }
    }
    Ok(StringArray::try_new(
        OffsetBuffer::new(ScalarBuffer::from(ends)),
        Buffer::from_vec(text),
        nulls,
    )?)
}

/// Returns the bytes between two offsets.
fn piece<'d>(data: &'d [u8], start: Option<&i32>, end: Option<&i32>) -> &'d [u8] {
    start
        .zip(end)
        .and_then(|(start, end)| data.get(*start as usize..*end as usize))
        .unwrap_or_default()
}

/// Appends the characters of a text one by one.
pub(super) fn decoded(text: Text<'_>, to: &mut Vec<u8>) {
    text.chars().for_each(|c| to.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()));
}
