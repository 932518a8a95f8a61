//! Decides whether to request the companion that an agents.txt names, and at which URL.

use super::attempt::{self, URL_CAPACITY};
use super::pointer::Pointing;
use super::rejection::Rejection;
use super::resource::Resource;
use super::{Discovery, State};
use crate::document::Document;
use crate::span::Span;
use crate::syntax::url::Url;

impl Discovery {
    /// Adds an attempt at the companion that an agents.txt names, or records why its URL is
    /// rejected. The default companion is requested only on the origin of the site or of the
    /// document.
    pub(super) fn try_companion(&mut self, index: usize, document: &Document<'_>) {
        let Some(attempt) =
            self.places.get(index).filter(|attempt| attempt.resource == Resource::AgentsTxt)
        else {
            return;
        };
        if !self.options.resources.contains(Resource::Companion) {
            return;
        }
        let Some(companion) = document.companion_url() else {
            return;
        };
        let mut buffer = [0; URL_CAPACITY];
        let own = Url::parse(attempt.url().as_bytes());
        let resolved = own
            .ok_or(Rejection::InvalidUrl)
            .and_then(|own| attempt::resolved(&own, companion.base, &mut buffer));
        let (mut first, path) = (resolved.unwrap_or_default(), companion.path);
        let refused = match resolved {
            Ok(url) if url.len().saturating_add(path.len()) > URL_CAPACITY => {
                Some(Rejection::UrlTooLong)
            }
            Ok(url) => attempt.admit(&self.origin, url).err(),
            Err(rejection) => Some(rejection),
        };
        if companion.is_default() {
            let url = Url::parse(first.as_bytes());
            let is_own = [self.origin.url(), own]
                .into_iter()
                .flatten()
                .any(|own| url.is_some_and(|url| url.is_same_origin(&own)));
            if !is_own || refused.is_some() {
                return;
            }
            first = first.strip_suffix('/').unwrap_or(first);
        }
        let text = (!companion.is_default()).then_some(companion.base.raw());
        let span = text.map_or(Span::default(), |text| document.span_of(text));
        let pointer = (Pointing::Companion, &b"Agents-JSON"[..], span);
        if refused.is_none()
            && let Some(known) = self.known(first, path)
        {
            self.point_again(known, index, pointer);
            return;
        }
        // There is at most one agents.txt, and room for its companion.
        let Some(companion) = self.next_place() else {
            return;
        };
        companion.begin(Resource::Companion, &[first, path]);
        let (pointing, relation, span) = pointer;
        companion.pointer.set(pointing, index, relation, span);
        if let Some(rejection) = refused {
            companion.state = State::Rejected(rejection);
        }
    }
}
