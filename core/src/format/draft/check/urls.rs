//! The check of the companion's URL, and the comparison of a document's rules with its endpoints.

use super::*;
use crate::rules::urls::{Secure, judge_read};
use crate::syntax::pattern::Pattern;
use crate::syntax::url;

impl<'a> Whole<'_, '_, '_, 'a, '_> {
    /// Reports the URL of a companion document that is not on the site, or not at its well-known
    /// path.
    pub(super) fn companion(&mut self, text: Text<'a>) {
        let mut buffer = None;
        let url = Url::lazily(text, &mut buffer);
        if let Some(finding) = judge_read(url.as_ref(), Secure::Http) {
            self.check.finding(finding, text, "3.2");
        }
        let Some(url) = url else { return };
        let is_on_site = self.site.as_ref().is_none_or(|site| site.is_same_host(&url));
        if url.path() != "/.well-known/agents.json" || !is_on_site {
            self.say(ELSEWHERE, text);
        }
    }

    /// Reports an endpoint on the site or the origin of the document that the rules of the document
    /// disallow. The longest match decides; `Allow` wins a tie.
    pub(super) fn own_rules(&mut self, endpoint: Text<'a>, url: &Url<'_>) {
        let access = self.access;
        if access.disallow.is_empty() || self.budget == 0 {
            return;
        }
        if ![&self.site, &self.origin].into_iter().flatten().any(|own| own.is_same_origin(url)) {
            return;
        }
        let path = path_and_query(url);
        // Reading a list reads all lines of its range, so the budget pays for both ranges.
        self.budget = self
            .budget
            .saturating_sub(access.disallow.bytes().len())
            .saturating_sub(access.allow.bytes().len());
        let Some(disallowed) = self.longest_match(access.disallow, path) else {
            return;
        };
        let Some(allowed) = self.longest_match(access.allow, path) else {
            return;
        };
        if disallowed > allowed {
            self.say(DISALLOWED, endpoint);
        }
    }

    /// Returns the specificity of the most specific matching pattern; 0 if none matches. `None` if
    /// the budget is used up, which is reported once.
    fn longest_match(
        &mut self,
        patterns: impl Iterator<Item = Text<'a>>,
        path: &[u8],
    ) -> Option<usize> {
        let mut longest = 0;
        let mut buffer = None;
        for text in patterns {
            let cost = text.raw().len().saturating_add(path.len());
            self.budget = self.budget.saturating_sub(cost);
            if self.budget == 0 {
                self.left_out("not every endpoint was compared with every access rule, because there are too many");
                return None;
            }
            let raw = match self.check.notation {
                Notation::Json if text.is_escaped() => text
                    .decode(buffer.get_or_insert([0; url::BUFFER]))
                    .unwrap_or_default()
                    .as_bytes(),
                // A pattern longer than any URL matches nothing.
                Notation::Json if text.raw().len() > url::BUFFER => b"",
                _ => text.raw(),
            };
            let pattern = Pattern::new(raw);
            if pattern.matches(path) {
                longest = longest.max(pattern.specificity());
            }
        }
        Some(longest)
    }
}

/// Returns the text that patterns are matched against: path and query, at least `/`.
fn path_and_query<'u>(url: &Url<'u>) -> &'u [u8] {
    let whole = url.as_str().as_bytes();
    if url.path().is_empty() {
        return b"/";
    }
    let start = Span::of(url.path().as_bytes(), whole).start as usize;
    let fragment = url.fragment().map_or(0, |fragment| fragment.len().saturating_add(1));
    whole.get(start..whole.len().saturating_sub(fragment)).unwrap_or_default()
}
