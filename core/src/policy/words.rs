//! Lists of texts over all documents.

use crate::document::Document;
use crate::model::List;
use crate::syntax::text::Text;

use super::Documents;

/// Texts, each with the index of its document.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    documents: Documents<'a>,
    /// The number of lists that were started: two for each document.
    begun: usize,
    list: List<'a, Text<'a>>,
    of: fn(&Document<'a>) -> Lists<'a>,
}

/// The two lists of a document.
pub(super) type Lists<'a> = [List<'a, Text<'a>>; 2];

impl<'a> Words<'a> {
    pub(super) fn new(documents: Documents<'a>, of: fn(&Document<'a>) -> Lists<'a>) -> Self {
        Self { documents, begun: 0, list: List::empty(), of }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, Text<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(text) = self.list.next() {
                return Some((self.begun.saturating_sub(1) / 2, text));
            }
            let (index, document) = self.documents.next_from(self.begun / 2)?;
            self.begun = self.begun.max(index.saturating_mul(2));
            let [items, prose] = (self.of)(document);
            self.list = if self.begun.is_multiple_of(2) { items } else { prose };
            self.begun = self.begun.saturating_add(1);
        }
    }
}
