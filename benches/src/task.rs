//! A timed task: one library, from the bytes of a document to a result.

/// One library and one kind of work.
pub struct Task {
    /// The library and how it is used.
    pub name: &'static str,
    /// Runs the task, and returns a number computed from everything that was read, so that the
    /// compiler cannot remove any work.
    /// `None` if the library rejects the document.
    pub run: Work,
}

type Work = Box<dyn FnMut(&[u8]) -> Option<u64>>;

impl Task {
    /// Creates a task.
    pub fn new(name: &'static str, run: impl FnMut(&[u8]) -> Option<u64> + 'static) -> Self {
        Self { name, run: Box::new(run) }
    }
}

/// Uses a text that was read: its length and its first byte. The same in all tasks.
#[inline(always)]
pub fn touch(text: &[u8]) -> u64 {
    text.len() as u64 + u64::from(text.first().copied().unwrap_or_default())
}
