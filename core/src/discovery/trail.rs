//! The trail: further documents to which the documents of a site point.
//!
//! `Discovery::point` receives every pointer, and decides whether its URL is requested. A trail
//! always ends: at most [`MAX_LINKED`] documents are requested, each URL once; at most
//! [`MAX_POINTERS`] pointers of a document are examined; and catalogs are followed to a depth of
//! [`MAX_DEPTH`].

use heapless::String;

use super::attempt::{self, Attempt, State, URL_CAPACITY};
use super::link_header::Link;
use super::origin::{Moved, moved};
use super::page;
use super::pointer::{Follow, Pointing};
use super::rejection::Rejection;
use super::resource::Resource;
use super::response::Header;
use super::{Discovery, place};
use crate::document::Document;
use crate::format::about::{Below, Points};
use crate::format::{Format, fact, rows};
use crate::model::{List, Raw, Reference};
use crate::rules::media::essence;
use crate::span::Span;
use crate::syntax::pattern::same_octets;
use crate::syntax::text::Text;
use crate::syntax::url::{HostKind, Url};

/// The largest number of documents that are requested because others point to them.
pub const MAX_LINKED: usize = 16;

/// The largest depth to which catalogs in catalogs are followed.
pub const MAX_DEPTH: u8 = 2;

/// The largest number of pointers of one document or page that are examined.
const MAX_POINTERS: u16 = 512;

/// The number of slots for linked documents in this build.
pub(super) const PLACES: usize = if Resource::Linked.is_built_in() { MAX_LINKED } else { 0 };

/// What the relation of a link promises.
#[derive(Clone, Copy)]
enum Promise {
    /// A document of this format.
    Document(Format),
    /// An endpoint with a document of this format below it, or that document.
    Endpoint(Format, Below),
    /// A description of an API. On a home page, that of the site itself.
    Description,
}

impl Promise {
    /// The promise of the first known relation in a list.
    fn of(relations: &[u8]) -> Option<Self> {
        // An extension relation is a URL that ends with its name.
        relations
            .split(u8::is_ascii_whitespace)
            .filter_map(|relation| relation.rsplit(|byte| matches!(byte, b'/' | b'#')).next())
            .find_map(|relation| {
                let is = |known: &str| relation.eq_ignore_ascii_case(known.as_bytes());
                if is("service-desc") {
                    return Some(Self::Description);
                }
                let mut known = rows!(relations: &str).iter();
                let mut below = rows!(below: Below).iter();
                let document = known.find(|(_, known)| is(known));
                document.map(|(format, _)| Self::Document(*format)).or_else(|| {
                    let own = below.find(|(_, below)| below.relations.iter().any(|name| is(name)));
                    own.map(|(format, below)| Self::Endpoint(*format, *below))
                })
            })
    }
}

/// The format that only has documents of a media type.
fn typed(value: &[u8]) -> Option<Format> {
    let value = essence(value);
    let mut types = rows!(media_types: &str).iter();
    let known = types.find(|(_, known)| value.eq_ignore_ascii_case(known.as_bytes()));
    known.map(|(format, _)| *format)
}

/// Whether the documents of a format are catalogs.
fn is_catalog(format: Format) -> bool {
    fact!(format => points) == Points::Entries
}

/// The first URL of an attempt, and the well-known path of the kind of document that the link to it
/// promises, if the relation of the link is known.
pub(super) fn places(attempt: &Attempt) -> (&str, Option<&'static str>) {
    (attempt.key(), place_of(&attempt.pointer.relation))
}

/// The well-known path of the documents to which a relation, a media type or a field leads.
fn place_of(named: &str) -> Option<&'static str> {
    let format = match Promise::of(named.as_bytes()) {
        Some(Promise::Document(format) | Promise::Endpoint(format, _)) => format,
        Some(Promise::Description) => return None,
        None => match fact!(Format::RobotsTxt => points) {
            Points::Field(name, format) if named == name => format,
            _ => typed(named.as_bytes())?,
        },
    };
    fact!(format => locations).first().copied()
}

/// Where a link leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    Nowhere,
    Document,
    Catalog,
    /// To an endpoint; its description has this suffix.
    Endpoint(&'static str),
}

impl Lead {
    /// Determines where a link leads. `is_home` states that the link is on a home page, where
    /// `service-desc` refers to the site itself.
    fn of(link: &Link<'_>, is_home: bool) -> Self {
        let path = link.target.split(|byte| matches!(byte, b'?' | b'#')).next();
        let path = path.unwrap_or_default();
        let is = |text: &[u8], known: &str| text.eq_ignore_ascii_case(known.as_bytes());
        let ends = |end: &str| {
            let start = path.len().checked_sub(end.len());
            let is_end =
                start.and_then(|start| path.get(start..)).is_some_and(|path| is(path, end));
            is_end || end.strip_prefix('/').is_some_and(|end| is(path, end))
        };
        let said = link.media_type.unwrap_or_default();
        let promise = Promise::of(link.relation.unwrap_or_default());
        let is_other =
            ["html", "yaml"].iter().any(|part| contains(said, part) || contains(path, part));
        match (typed(said), promise) {
            (Some(format), _) if is_catalog(format) => Self::Catalog,
            (Some(_), _) => Self::Document,
            (None, Some(Promise::Document(format))) if is_catalog(format) => Self::Catalog,
            _ if rows!(endings: &str).iter().any(|(_, end)| ends(end)) => Self::Document,
            (None, Some(Promise::Endpoint(_, below))) => {
                if ends(".json") {
                    Self::Document
                } else {
                    Self::Endpoint(below.suffix)
                }
            }
            (None, Some(Promise::Description)) if !is_home => Self::Nowhere,
            // Links to pages are not followed, and YAML is not read.
            (None, Some(_)) if !is_other => Self::Document,
            _ => Self::Nowhere,
        }
    }
}

/// Whether a link of a home page leads to a document for agents, of which the link says what it is.
#[cfg(feature = "readiness")]
pub(crate) fn leads_to_document(link: &Link<'_>) -> bool {
    matches!(Lead::of(link, true), Lead::Document | Lead::Catalog)
}

/// The text that describes the target of a link: its relation, or its media type if only that is
/// known.
fn named<'a>(relation: Option<&'a [u8]>, media_type: Option<&'a [u8]>) -> &'a [u8] {
    let typed = media_type.filter(|value| self::typed(value).is_some());
    let is_known = relation.is_some_and(|names| Promise::of(names).is_some());
    let said = if is_known { relation } else { typed.or(relation) };
    said.or(media_type).unwrap_or_default()
}

/// Whether a text contains `part`, in any letter case.
fn contains(text: &[u8], part: &str) -> bool {
    text.windows(part.len().max(1)).any(|text| text.eq_ignore_ascii_case(part.as_bytes()))
}

/// A pointer in a document or a header.
struct Found<'a> {
    /// The URL, possibly relative.
    target: Text<'a>,
    /// The suffix that is appended to its path.
    suffix: &'static str,
    pointing: Pointing,
    relation: &'a [u8],
    span: Span,
    /// The number of catalogs on the way to the target.
    depth: u8,
}

impl Discovery {
    /// Follows the links of the home page.
    pub(super) fn follow_page(&mut self, index: usize, body: &[u8], headers: &[Header<'_>]) {
        self.pointers = 0;
        let url = self.url_of(index);
        page::links(&url, headers, body, &mut |written| {
            let link = &written.link;
            let suffix = match Lead::of(link, true) {
                Lead::Nowhere => return true,
                Lead::Endpoint(suffix) => suffix,
                Lead::Document | Lead::Catalog => "",
            };
            let found = Found {
                target: Text::plain(link.target),
                suffix,
                pointing: written.pointing,
                relation: named(link.relation, link.media_type),
                span: written.span,
                depth: 0,
            };
            self.point(index, written.base.as_bytes(), &found)
        });
    }

    /// Follows the pointers of a document.
    pub(super) fn follow_document(&mut self, index: usize, document: &Document<'_>) {
        if self.options.follow == Follow::Nothing {
            return;
        }
        self.pointers = 0;
        let manifest = document.manifest();
        let attempt = place(&mut self.places, index);
        let (resource, depth) = (attempt.resource, attempt.pointer.depth);
        let span = |text: Text<'_>| Span::of(text.raw(), document.bytes());
        match fact!(document.format() => points) {
            // Pointers in details and declarations are not pointers of the site.
            _ if matches!(resource, Resource::Detail | Resource::Declaration) => {}
            Points::Field(name, _) => {
                for target in manifest.agentmaps() {
                    let found = Found {
                        target,
                        suffix: "",
                        pointing: Pointing::RobotsField,
                        relation: name.as_bytes(),
                        span: span(target),
                        depth: 0,
                    };
                    if !self.point(index, b"", &found) {
                        return;
                    }
                }
            }
            Points::Entries if depth <= MAX_DEPTH => self.follow_entries(index, document, depth),
            Points::Nowhere => {}
            Points::Entries | Points::Endpoints => {
                let endpoints = manifest.endpoints();
                let endpoints = endpoints.map(|endpoint| (endpoint.protocol.value, endpoint.url));
                let capabilities = manifest.capabilities();
                let capabilities =
                    capabilities.filter_map(|own| Some((own.protocol?.value, own.endpoint)));
                for (protocol, url) in endpoints.chain(capabilities) {
                    let mut below = rows!(below: Below).iter();
                    let below = below.find(|(_, below)| below.protocol == protocol);
                    let (Some((_, below)), Some(target)) = (below, url) else { continue };
                    let found = Found {
                        target,
                        suffix: below.suffix,
                        pointing: Pointing::Endpoint,
                        relation: below.relations.first().map_or(b"", |name| name.as_bytes()),
                        span: span(target),
                        depth,
                    };
                    if !self.point(index, b"", &found) {
                        return;
                    }
                }
                let described =
                    Format::OpenApi.is_built_in() && self.options.follow != Follow::Nothing;
                let capabilities = manifest.capabilities().filter(|_| described);
                for target in capabilities.filter_map(|capability| capability.openapi) {
                    let found = Found {
                        target,
                        suffix: "",
                        pointing: Pointing::Endpoint,
                        relation: b"service-desc",
                        span: span(target),
                        depth,
                    };
                    if !self.point(index, b"", &found) {
                        return;
                    }
                }
            }
        }
    }

    /// Follows the entries of a catalog, and of the catalogs that it contains.
    fn follow_entries(&mut self, index: usize, catalog: &Document<'_>, depth: u8) {
        let mut first = catalog.manifest().references();
        let (mut inner, mut innermost) = (List::empty(), List::empty());
        loop {
            let (entry, level) = if let Some(entry) = innermost.next() {
                (entry, 3)
            } else if let Some(entry) = inner.next() {
                (entry, 2)
            } else if let Some(entry) = first.next() {
                (entry, 1)
            } else {
                return;
            };
            if !self.follow_entry(index, catalog, &entry, depth.saturating_add(level)) {
                return;
            }
            let is_catalog = entry.media_type.is_some_and(|kind| {
                let mut own = fact!(Format::AiCatalog => media_types).iter();
                own.any(|own| kind.eq_ignore_case(own))
            });
            let is_near = level < 3 && depth.saturating_add(level) <= MAX_DEPTH;
            let Some(Raw::Json(text)) = entry.inline.filter(|_| is_catalog && is_near) else {
                continue;
            };
            let contained = Document::parse_as(text.raw(), Format::AiCatalog, &self.options.limits);
            let Ok(contained) = &contained else { continue };
            let entries = contained.manifest().references();
            *(if level == 1 { &mut inner } else { &mut innermost }) = entries;
        }
    }

    /// Follows an entry of a catalog. Returns false once no more entries can be followed.
    fn follow_entry(
        &mut self,
        index: usize,
        catalog: &Document<'_>,
        entry: &Reference<'_>,
        depth: u8,
    ) -> bool {
        let Some(target) = entry.url else { return true };
        let mut buffer = [0; URL_CAPACITY];
        let Ok(url) = target.decode(&mut buffer) else {
            return true;
        };
        let (relation, media_type) =
            (entry.relation.map(Text::raw), entry.media_type.map(Text::raw));
        let link = Link { target: url.as_bytes(), relation, media_type, is_elsewhere: false };
        let suffix = match Lead::of(&link, false) {
            Lead::Nowhere => return true,
            Lead::Catalog if depth > MAX_DEPTH => return true,
            Lead::Endpoint(suffix) => suffix,
            Lead::Document | Lead::Catalog => "",
        };
        let found = Found {
            target: Text::plain(url.as_bytes()),
            suffix,
            pointing: Pointing::Entry,
            relation: named(relation, media_type),
            span: Span::of(target.raw(), catalog.bytes()),
            depth,
        };
        self.point(index, b"", &found)
    }

    /// Adds an attempt at the URL of a pointer in the document of an attempt, or records why the
    /// URL is rejected. `base` is the base URL of the pointer; if empty, the URL of the document is
    /// the base. Returns false once no more pointers can be followed.
    fn point(&mut self, index: usize, base: &[u8], found: &Found<'_>) -> bool {
        self.pointers = self.pointers.saturating_add(1);
        if self.options.follow == Follow::Nothing {
            return false;
        }
        if self.pointers > MAX_POINTERS {
            self.is_cut = true;
            return false;
        }
        let source = self.url_of(index);
        let (mut decoded, mut buffer) = ([0; URL_CAPACITY], [0; URL_CAPACITY]);
        let base = if base.is_empty() { source.as_bytes() } else { base };
        let resolved =
            found.target.decode(&mut decoded).map_err(|_| Rejection::UrlTooLong).and_then(
                |target| {
                    let base = Url::parse(base).ok_or(Rejection::InvalidUrl)?;
                    attempt::resolved(&base, Text::plain(target.as_bytes()), &mut buffer)
                },
            );
        let (mut url, mut refused) = match resolved {
            Ok(url) => (url, None),
            Err(rejection) => ("", Some(rejection)),
        };
        if !found.suffix.is_empty() {
            // The suffix belongs to the path.
            url = url.split(['?', '{']).next().unwrap_or_default();
            url = url.strip_suffix('/').unwrap_or(url);
        }
        if url.len().saturating_add(found.suffix.len()) > URL_CAPACITY {
            refused = Some(Rejection::UrlTooLong);
        }
        let mut approved = false;
        if refused.is_none() {
            match self.admits(&source, url) {
                Ok(other) => approved = other,
                Err(rejection) => refused = Some(rejection),
            }
        }
        if refused.is_none()
            && let Some(known) = self.known(url, found.suffix)
        {
            self.point_again(known, index, (found.pointing, found.relation, found.span));
            return true;
        }
        if self.begun().iter().any(|attempt| attempt.is_unasked() && attempt.key() == url) {
            return true;
        }
        let Some(room) = self.linked_place(refused.is_some()) else {
            // There is no free slot. A rejected URL would not have been requested, so nothing is
            // missed.
            self.is_cut |= refused.is_none();
            return refused.is_some();
        };
        let attempt = place(&mut self.places, room);
        attempt.begin(Resource::Linked, &[url, found.suffix]);
        attempt.approved = approved;
        attempt.pointer.set(found.pointing, index, found.relation, found.span);
        attempt.pointer.depth = found.depth;
        if let Some(rejection) = refused {
            attempt.state = State::Rejected(rejection);
        }
        true
    }

    /// A copy of the URL of an attempt.
    fn url_of(&self, index: usize) -> String<URL_CAPACITY> {
        let url = self.begun().get(index).map_or("", Attempt::url);
        String::try_from(url).unwrap_or_default()
    }

    /// Checks whether a document at `source` may lead to `url`. Returns whether `url` is on another
    /// site.
    fn admits(&self, source: &str, url: &str) -> Result<bool, Rejection> {
        let parsed = |text| Url::parse(text).ok_or(Rejection::InvalidUrl);
        let (source, target) = (parsed(source.as_bytes())?, parsed(url.as_bytes())?);
        let origin = parsed(self.origin.as_str().as_bytes())?;
        let is_other = moved(&origin, &target) == Moved::OtherSite;
        if is_other && self.options.follow != Follow::Any {
            attempt::admit(&origin, &source, &target, Resource::Linked)?;
            return Err(Rejection::OffSite);
        }
        let site = if is_other { &target } else { &origin };
        attempt::admit(site, &source, &target, Resource::Linked)?;
        // Another site must have a domain name. Documents must not lead to IP addresses or to the
        // local machine.
        if is_other && (target.host_kind() != HostKind::Domain || target.is_loopback()) {
            return Err(Rejection::AddressRefused);
        }
        Ok(is_other)
    }

    /// The index of the attempt that has requested, or will request, `url` with `suffix` after its
    /// path.
    pub(super) fn known(&self, url: &str, suffix: &str) -> Option<usize> {
        let target = Url::parse(url.as_bytes())?;
        let is_target = |text: &str| {
            Url::parse(text.as_bytes()).is_some_and(|url| {
                let front = url.path().strip_suffix(suffix);
                let is_same_path = |front: &str| {
                    same_octets(
                        without_root(target.path()).as_bytes(),
                        without_root(front).as_bytes(),
                    )
                };
                front.is_some_and(is_same_path)
                    && url.is_same_origin(&target)
                    && url.query() == target.query()
            })
        };
        let is_known = |attempt: &Attempt| {
            !attempt.is_unasked() && (is_target(attempt.key()) || is_target(attempt.url()))
        };
        self.begun().iter().position(is_known)
    }

    /// Records a further pointer to the URL of an attempt, if it is the first pointer to a
    /// well-known location, or the first pointer of the site instead of one from another site.
    pub(super) fn point_again(
        &mut self,
        known: usize,
        source: usize,
        (pointing, relation, span): (Pointing, &[u8], Span),
    ) {
        let is_own = |index: usize| {
            let attempt = self.begun().get(index);
            attempt.is_some_and(|attempt| self.is_own(attempt))
        };
        let replaces =
            self.begun().get(known).is_some_and(|attempt| match attempt.pointer.pointing {
                Pointing::None => attempt.location.is_some(),
                _ => attempt.location.is_none() && !is_own(known) && is_own(source),
            });
        if replaces && known != source {
            let attempt = place(&mut self.places, known);
            // The entries of a catalog at this URL were followed with this depth.
            let depth = attempt.pointer.depth;
            attempt.pointer.set(pointing, source, relation, span);
            attempt.pointer.depth = depth;
        }
    }

    /// The index of a slot for a further document. A rejected document gives up its slot to one
    /// that is not rejected.
    fn linked_place(&mut self, is_refused: bool) -> Option<usize> {
        let linked = |attempt: &&Attempt| attempt.resource == Resource::Linked;
        if PLACES.saturating_sub(self.begun().iter().filter(linked).count()) > 0 {
            let index = self.begun;
            return self.next_place().map(|_| index);
        }
        self.begun().iter().position(|attempt| !is_refused && attempt.is_unasked())
    }
}

/// The path of a URL, empty for the root.
fn without_root(path: &str) -> &str {
    if path == "/" { "" } else { path }
}
