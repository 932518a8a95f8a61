//! A limit on the work for the lists of a document.
//!
//! Advice before you change this: only the size of a document limits the number of its capabilities
//! and of the names in its lists, and in a hostile document every capability applies. So the code
//! of a decision must not walk one list for every item of another without charging the [`Budget`].
//! Once the budget is exhausted, the restrictive reading applies.

use crate::document::Document;
use crate::model::List;
use crate::syntax::text::Text;

/// The number of list bytes that may be walked for a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget(pub(super) usize);

impl Budget {
    pub(super) fn of(document: &Document<'_>) -> Self {
        Self(document.bytes().len().saturating_mul(32))
    }

    /// Whether a list contains a text; `None` if the budget is exhausted.
    pub(super) fn contains<'a>(
        &mut self,
        list: &List<'a, Text<'a>>,
        text: Text<'_>,
    ) -> Option<bool> {
        self.0 = self.0.checked_sub(list.bytes().len())?;
        Some(item_of(list, text).is_some())
    }
}

/// The first item of a list that equals a text.
#[inline(never)] // Keeps its buffers off the stack of its callers.
pub(super) fn item_of<'a>(list: &List<'a, Text<'a>>, text: Text<'_>) -> Option<Text<'a>> {
    let mut list = *list;
    list.find(|item| *item == text)
}
