//! Receivers of written bytes.

/// Receives written bytes in pieces.
///
/// Every `FnMut(&[u8])` is a sink.
pub trait Sink {
    /// Receives the next piece.
    fn put(&mut self, bytes: &[u8]);
}

impl<F: FnMut(&[u8])> Sink for F {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self(bytes);
    }
}

/// Writes a number in decimal.
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

/// A sink that fills a buffer and counts all bytes, including those that do not fit.
#[derive(Debug)]
pub struct SliceSink<'b> {
    buffer: &'b mut [u8],
    length: usize,
}

impl<'b> SliceSink<'b> {
    /// Creates a sink that writes from the start of `buffer`.
    pub fn new(buffer: &'b mut [u8]) -> Self {
        Self { buffer, length: 0 }
    }

    /// Returns the number of bytes received, including those that did not fit.
    pub const fn length(&self) -> usize {
        self.length
    }

    /// Whether all bytes fit into the buffer.
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

/// Copies bytes to a slice of the same length. Unlike `copy_from_slice`, it has no length check
/// that may panic and that the optimiser does not always remove.
pub(crate) fn copy(to: &mut [u8], from: &[u8]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}
