//! A piece of work that is timed: one library, from the bytes of a document to an answer.

/// One library doing one kind of work.
pub struct Task {
    /// The library and the way it is used.
    pub name: &'static str,
    /// Does it, and returns a number made from everything that was read, so that nothing can be left out.
    /// `None` where the library refuses the document.
    pub run: Work,
}

type Work = Box<dyn FnMut(&[u8]) -> Option<u64>>;

impl Task {
    /// A task.
    pub fn new(name: &'static str, run: impl FnMut(&[u8]) -> Option<u64> + 'static) -> Self {
        Self {
            name,
            run: Box::new(run),
        }
    }
}

/// What is done with each text that was read: its length and its first byte are looked at. The same in every task.
#[inline(always)]
pub fn touch(text: &[u8]) -> u64 {
    text.len() as u64 + u64::from(text.first().copied().unwrap_or_default())
}
