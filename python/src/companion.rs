//! Compares two documents of one site.

use agentsdisc_core::Span;
use agentsdisc_core::document::Slot;
use agentsdisc_core::span::PositionCursor;
use pyo3::prelude::*;

use crate::document::Document;

/// Byte offsets of start and end; line and column.
type Place = (u32, u32, u32, u32);

type Difference = (&'static str, String, String, Option<Place>, Option<Place>);

/// The differences, and whether every field was compared.
#[pyfunction]
#[pyo3(name = "_differences")]
pub(crate) fn differences(
    py: Python<'_>,
    first: &Bound<'_, Document>,
    second: &Bound<'_, Document>,
) -> (Vec<Difference>, bool) {
    let (first, second) = (first.get().base(), second.get().base());
    py.detach(|| {
        let mut found = Vec::new();
        // Enough for lists whose items take eight bytes or more.
        let length = first.bytes.len().max(second.bytes.len());
        let mut slots = vec![Slot::default(); 256.max(length / 4)];
        let is_complete =
            first.document().differences_with(&second.document(), &mut slots, |difference| {
                found.push((
                    difference.field,
                    difference.subject.to_string(),
                    difference.item.to_string(),
                    difference.first,
                    difference.second,
                ));
            });
        let ones = places(&first.bytes, found.iter().map(|&(.., one, _)| one));
        let twos = places(&second.bytes, found.iter().map(|&(.., two)| two));
        let joined = found.into_iter().zip(ones).zip(twos);
        (
            joined
                .map(|(((field, subject, item, ..), one), two)| (field, subject, item, one, two))
                .collect(),
            is_complete,
        )
    })
}

/// Returns the positions of spans, in one pass over the document.
fn places(bytes: &[u8], spans: impl Iterator<Item = Option<Span>>) -> Vec<Option<Place>> {
    let spans: Vec<_> = spans.collect();
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|&index| spans.get(index).copied().flatten().map(|span| span.start));
    let mut cursor = PositionCursor::new(bytes);
    let mut places = vec![None; spans.len()];
    for index in order {
        if let (Some(Some(span)), Some(place)) = (spans.get(index), places.get_mut(index)) {
            let position = cursor.at(span.start as usize);
            *place = Some((span.start, span.end, position.line, position.column));
        }
    }
    places
}
