//! Where written text goes.

/// Takes written bytes, piece by piece.
///
/// Every `FnMut(&[u8])` is a sink.
pub trait Sink {
    /// Takes the next piece.
    fn put(&mut self, bytes: &[u8]);
}

impl<F: FnMut(&[u8])> Sink for F {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self(bytes);
    }
}

/// Puts a number in decimal.
pub(crate) fn put_number(mut number: u64, sink: &mut (impl Sink + ?Sized)) {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    loop {
        first = first.saturating_sub(1);
        if let Some(digit) = digits.get_mut(first) {
            *digit = b'0' + (number % 10) as u8;
        }
        number /= 10;
        if number == 0 {
            break;
        }
    }
    sink.put(digits.get(first..).unwrap_or_default());
}

/// A sink that fills a slice and counts what would have been needed.
#[derive(Debug)]
pub struct SliceSink<'b> {
    buffer: &'b mut [u8],
    length: usize,
}

impl<'b> SliceSink<'b> {
    /// A sink at the start of `buffer`.
    pub fn new(buffer: &'b mut [u8]) -> Self {
        Self { buffer, length: 0 }
    }

    /// Bytes put so far, whether or not they had room.
    pub const fn length(&self) -> usize {
        self.length
    }

    /// Whether everything had room.
    pub const fn is_whole(&self) -> bool {
        self.length <= self.buffer.len()
    }
}

impl Sink for SliceSink<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        let free = self.buffer.get_mut(self.length..);
        if let Some(place) = free.and_then(|free| free.get_mut(..bytes.len())) {
            copy(place, bytes);
        }
        self.length = self.length.saturating_add(bytes.len());
    }
}

/// Copies bytes to a slice of the same length. `copy_from_slice` compares the lengths first, and keeps a panic where the optimiser does not see
/// that they are equal, as it may not when it is asked for the smallest code.
pub(crate) fn copy(to: &mut [u8], from: &[u8]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}
