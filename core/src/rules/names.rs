//! Sorted names: finds duplicates and resolves references in O(n log n) without a heap.
//!
//! The names are sorted as spans: pairs of byte offsets in a scratch buffer from the caller. Equal
//! names keep the order of the document, because their offsets break ties. The sort is a heap sort,
//! or an insertion sort for few names. It sorts in place, does not recurse, and has no slow inputs.

use core::cmp::Ordering;

use super::Notation;
use crate::span::Span;
use crate::syntax::text::Text;

/// Sorted names. Empty names are left out.
pub(crate) struct Names<'n, 'a> {
    places: &'n [[u32; 2]],
    bytes: &'a [u8],
    notation: Notation,
    ignore_case: bool,
}

/// Names in the order of the document, before they are sorted.
pub(crate) struct Gathered<'n, 'a> {
    places: &'n mut [[u32; 2]],
    /// The number of names. It exceeds the length of `places` if the scratch buffer is too small.
    count: usize,
    bytes: &'a [u8],
}

impl<'n, 'a> Gathered<'n, 'a> {
    /// Creates an empty set. `scratch` is the buffer for the spans of names in the document
    /// `bytes`.
    pub(crate) fn new(bytes: &'a [u8], scratch: &'n mut [u32]) -> Self {
        Self { places: scratch.as_chunks_mut().0, count: 0, bytes }
    }

    /// Adds a name, which must be a slice of the document. Ignores empty names.
    pub(crate) fn add(&mut self, name: Text<'a>) {
        if name.is_empty() {
            return;
        }
        let span = Span::of(name.raw(), self.bytes);
        if let Some(place) = self.places.get_mut(self.count) {
            *place = [span.start, span.end];
        }
        self.count = self.count.saturating_add(1);
    }

    /// Returns the names, and leaves an empty set without a buffer.
    pub(crate) fn take(&mut self) -> Self {
        Self {
            places: core::mem::take(&mut self.places),
            count: core::mem::take(&mut self.count),
            bytes: self.bytes,
        }
    }

    /// Sorts the names. `None` if the scratch buffer is too small.
    pub(crate) fn sort(self, notation: Notation, ignore_case: bool) -> Option<Names<'n, 'a>> {
        let places = self.places.get_mut(..self.count)?;
        let order = Order { bytes: self.bytes, notation, ignore_case };
        heap_sort(places, |a, b| order.compare(order.name(a), order.name(b)).then(a.cmp(&b)));
        Some(Names { places, bytes: self.bytes, notation, ignore_case })
    }
}

impl<'n, 'a> Names<'n, 'a> {
    /// Sorts `names`, which must be slices of the document `bytes`. `None` if `scratch` is too
    /// small.
    pub(crate) fn sort(
        names: impl Iterator<Item = Text<'a>>,
        bytes: &'a [u8],
        notation: Notation,
        ignore_case: bool,
        scratch: &'n mut [u32],
    ) -> Option<Self> {
        let mut gathered = Gathered::new(bytes, scratch);
        names.for_each(|name| gathered.add(name));
        gathered.sort(notation, ignore_case)
    }

    fn order(&self) -> Order<'a> {
        Order { bytes: self.bytes, notation: self.notation, ignore_case: self.ignore_case }
    }

    /// Whether there are no names.
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns each name that has an equal name before it in the document.
    pub(crate) fn repeated(&self) -> impl Iterator<Item = Text<'a>> {
        let order = self.order();
        self.places.windows(2).filter_map(move |pair| match pair {
            &[a, b] if order.compare(order.name(a), order.name(b)).is_eq() => Some(order.name(b)),
            _ => None,
        })
    }

    /// Whether `name` is in the set.
    pub(crate) fn contains(&self, name: Text<'_>) -> bool {
        let order = self.order();
        self.places.binary_search_by(|&place| order.compare(order.name(place), name)).is_ok()
    }
}

/// How names are compared.
#[derive(Clone, Copy)]
struct Order<'a> {
    bytes: &'a [u8],
    notation: Notation,
    ignore_case: bool,
}

impl<'a> Order<'a> {
    fn name(self, [start, end]: [u32; 2]) -> Text<'a> {
        let raw = Span::new(start, end).slice(self.bytes);
        match self.notation {
            Notation::Text => Text::plain(raw),
            Notation::Json => Text::json(raw),
        }
    }

    fn compare(self, a: Text<'_>, b: Text<'_>) -> Ordering {
        match (self.notation, self.ignore_case) {
            (Notation::Text, false) => a.raw().cmp(b.raw()),
            (Notation::Text, true) => {
                let lower = |byte: &u8| byte.to_ascii_lowercase();
                a.raw().iter().map(lower).cmp(b.raw().iter().map(lower))
            }
            (Notation::Json, false) => compare(a, b),
            (Notation::Json, true) => {
                let lower = |c: char| c.to_ascii_lowercase();
                a.chars().map(lower).cmp(b.chars().map(lower))
            }
        }
    }
}

/// Compares the decoded characters of two texts. Up to the first backslash, this is the order of
/// their bytes.
pub(crate) fn compare(a: Text<'_>, b: Text<'_>) -> Ordering {
    let (a_raw, b_raw) = (a.raw(), b.raw());
    let same = a_raw.iter().zip(b_raw).take_while(|(x, y)| x == y && **x != b'\\').count();
    let (a_rest, b_rest) =
        (a_raw.get(same..).unwrap_or_default(), b_raw.get(same..).unwrap_or_default());
    if a_rest.first() == Some(&b'\\') || b_rest.first() == Some(&b'\\') {
        return Text::escaped(a_rest, a.escape())
            .chars()
            .cmp(Text::escaped(b_rest, b.escape()).chars());
    }
    a_rest.cmp(b_rest)
}

pub(crate) fn heap_sort<T: Copy>(items: &mut [T], compare: impl Fn(T, T) -> Ordering) {
    if items.len() <= FEW {
        return insertion_sort(items, compare);
    }
    let mut start = items.len() / 2;
    let mut end = items.len();
    while end > 1 {
        if start > 0 {
            // First build the heap from its last parent up,
            start = start.wrapping_sub(1);
        } else {
            // then repeatedly move its greatest item behind the end.
            end = end.wrapping_sub(1);
            swap(items, 0, end);
        }
        let mut parent = start;
        loop {
            let left = parent.saturating_mul(2).saturating_add(1);
            let Some(&left_item) = items.get(left).filter(|_| left < end) else {
                break;
            };
            let right = left.saturating_add(1);
            let (child, item) = match items.get(right).filter(|_| right < end) {
                Some(&right_item) if compare(left_item, right_item).is_lt() => (right, right_item),
                _ => (left, left_item),
            };
            if !items.get(parent).is_some_and(|&parent| compare(parent, item).is_lt()) {
                break;
            }
            swap(items, parent, child);
            parent = child;
        }
    }
}

/// The maximum number of items for which an insertion sort is faster.
const FEW: usize = 16;

fn insertion_sort<T: Copy>(items: &mut [T], compare: impl Fn(T, T) -> Ordering) {
    for end in 1..items.len() {
        for at in (1..=end).rev() {
            let before = at.saturating_sub(1);
            match (items.get(before), items.get(at)) {
                (Some(&a), Some(&b)) if compare(a, b).is_gt() => swap(items, before, at),
                _ => break,
            }
        }
    }
}

fn swap<T: Copy>(items: &mut [T], a: usize, b: usize) {
    if let (Some(&first), Some(&second)) = (items.get(a), items.get(b)) {
        if let Some(place) = items.get_mut(a) {
            *place = second;
        }
        if let Some(place) = items.get_mut(b) {
            *place = first;
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_like_std(mut items in proptest::collection::vec(any::<u8>(), 0..70)) {
            let mut expected = items.clone();
            expected.sort();
            heap_sort(&mut items, |a, b| a.cmp(&b));
            prop_assert_eq!(items, expected);
        }
    }

    #[test]
    fn escapes_do_not_matter_to_the_order() {
        let texts = [
            r"",
            r"\\",
            r"\u005c",
            r"a",
            r"\u0061",
            r"ab",
            r"a\u0062",
            r"a\\",
            r"é",
            r"\u00e9",
            r"e\\\u00e9",
            r"\ud83d\ude00",
        ];
        for a in texts {
            for b in texts {
                let json = |text: &'static str| Text::json(text.as_bytes());
                assert_eq!(
                    compare(json(a), json(b)),
                    json(a).chars().cmp(json(b).chars()),
                    "{a} {b}"
                );
                assert_eq!(
                    compare(Text::plain(a.as_bytes()), json(b)),
                    a.chars().cmp(json(b).chars()),
                    "{a} {b}"
                );
            }
        }
    }

    #[test]
    fn later_ones_are_the_repeated_ones() {
        let bytes = b"b a B a c";
        let names = || [0, 2, 4, 6, 8].into_iter().map(|at| Text::plain(&bytes[at..at + 1]));
        let mut scratch = [0; 10];
        let repeated = |ignore_case, scratch: &mut [u32]| {
            let names = Names::sort(names(), bytes, Notation::Text, ignore_case, scratch).unwrap();
            let mut starts = heapless::Vec::<u32, 8>::new();
            names
                .repeated()
                .for_each(|name| starts.push(Span::of(name.raw(), bytes).start).unwrap());
            assert!(names.contains(Text::plain(b"c")) && !names.contains(Text::plain(b"d")));
            starts
        };
        assert_eq!(repeated(false, &mut scratch), [6]);
        assert_eq!(repeated(true, &mut scratch), [6, 4]);
        assert!(Names::sort(names(), bytes, Notation::Text, true, &mut [0; 9]).is_none());
    }

    #[test]
    fn many_equal_names_take_no_longer_than_others() {
        // Builds without optimisation are slower, so they sort a tenth of the names.
        const N: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
        let bytes = std::vec![b'a'; N];
        let mut scratch = std::vec![0; 2 * N];
        let started = std::time::Instant::now();
        let names = Names::sort(
            bytes.chunks(1).map(Text::plain),
            &bytes,
            Notation::Text,
            true,
            &mut scratch,
        )
        .unwrap();
        assert_eq!(names.repeated().count(), N - 1);
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
