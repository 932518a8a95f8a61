//! The place of a request: its URL in a normal form, which rules and endpoints are compared with.
//!
//! Advice before you change this: the URL comes from an agent that may be misled, and the endpoints
//! come from strangers. A different spelling must never widen what is permitted. So URLs that
//! servers read in different ways are refused ([`Refused`]). Dot segments, including `%2e`, are
//! removed, as every client does. A path with an encoded slash or backslash, or with repeated
//! slashes, has a second reading ([`Place::turn_to_second_reading`]); explicit denials of the
//! second reading count as well.

use crate::format::Format;
use crate::scan;
use crate::sink::{Sink, SliceSink, copy};
use crate::syntax::pattern::{Pattern, next_octet, same_octets};
use crate::syntax::pieces::{Pieces, before};
use crate::syntax::text::Text;
use crate::syntax::url::{
    self, HostRelation, Layout, Server, Url, dots, has_blank_or_control, is_blank_or_control,
    move_down, relation_of, remove_dot_segments, resolve_against,
};

/// Size of the buffers for normalised URLs in bytes; longer URLs are refused.
pub(super) const BUFFER: usize = url::BUFFER;

/// Maximum length of an origin: a host has at most 253 characters.
const ORIGIN: usize = 320;

/// The URL is invalid or ambiguous.
#[derive(Debug)]
pub(super) struct Refused;

/// The origin of a URL as written, stored as bytes and offsets.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    text: [u8; ORIGIN],
    layout: Layout,
}

impl Origin {
    const NONE: Self = Self { text: [0; ORIGIN], layout: Layout::NONE };

    /// Sets the origin from `url`. Rejects URLs with user information and other schemes.
    fn take(&mut self, url: &Url<'_>) -> Result<(), Refused> {
        if url.has_userinfo() || !is_web(url) {
            return Err(Refused);
        }
        let layout = url.layout().of_origin();
        copy(self.text.get_mut(..layout.length()).ok_or(Refused)?, url.as_str().as_bytes());
        self.layout = layout;
        Ok(())
    }

    /// Sets the origin from a text, with `front` before it.
    fn decode(&mut self, front: &str, text: Text<'_>) -> Result<(), Refused> {
        let (mut length, mut slashes) = (0_usize, 0);
        for c in front.chars().chain(text.chars()) {
            slashes += u32::from(c == '/');
            // Text after the authority does not matter to the origin, but blanks are refused
            // everywhere.
            if slashes == 3 || matches!(c, '?' | '#') {
                break;
            }
            let mut utf8 = [0; 4];
            for &octet in c.encode_utf8(&mut utf8).as_bytes() {
                *self.text.get_mut(length).ok_or(Refused)? = octet;
                length = length.wrapping_add(1);
            }
        }
        let url = Url::parse(self.text.get(..length).unwrap_or_default()).ok_or(Refused)?;
        if url.has_userinfo() || !is_web(&url) || text.chars().any(is_blank_or_control) {
            return Err(Refused);
        }
        self.layout = url.layout().of_origin();
        Ok(())
    }

    fn server(&self) -> Server<'_> {
        Server::of(&self.text, &self.layout)
    }
}

/// The site of the documents.
#[derive(Clone, Debug)]
pub(super) struct Site {
    origin: Origin,
    /// Whether the caller or a document stated the site.
    pub(super) is_known: bool,
}

impl Site {
    pub(super) const NONE: Self = Self { origin: Origin::NONE, is_known: false };

    /// Sets the site from a URL.
    pub(super) fn take(&mut self, url: &[u8], is_known: bool) -> Result<(), Refused> {
        self.is_known = is_known;
        self.origin.take(&Url::parse(url).ok_or(Refused)?)
    }

    /// Sets the site from the URL or the domain that a document states.
    pub(super) fn read(&mut self, text: Text<'_>, is_domain: bool) -> Result<(), Refused> {
        // Only one format states domains; other formats may have escapes.
        if (is_domain && Format::Awp.is_built_in()) || text.is_escaped() {
            self.is_known = true;
            return self.origin.decode(if is_domain { "https://" } else { "" }, text);
        }
        self.take(text.raw(), true)
    }

    /// The relation of a server to the site.
    pub(super) fn relation(&self, server: &Server<'_>) -> HostRelation {
        relation_of(self.origin.server().host, server.host)
    }

    /// Whether a server is the local machine, at another port than the site. Another program
    /// listens there, perhaps of another user.
    pub(super) fn is_other_port(&self, server: &Server<'_>) -> bool {
        server.is_loopback() && server.effective_port() != self.origin.server().effective_port()
    }

    /// Resolves a reference in a document of the site into a buffer.
    pub(super) fn resolve<'b>(&self, reference: &[u8], buffer: &'b mut [u8]) -> Option<&'b [u8]> {
        resolve_against(&self.origin.text, &self.origin.layout, reference, buffer).ok()
    }
}

/// Origin, path and query of a request.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The origin; unused if the place is on the site.
    origin: Origin,
    pub(super) is_on_site: bool,
    /// `FRONT`, the path without dot segments, and the query.
    whole: [u8; BUFFER],
    length: usize,
    /// Whether the path has a second reading.
    is_ambiguous: bool,
}

/// Precedes the path, so that a path that begins with two slashes is not taken for a host.
const FRONT: &[u8] = b"a://a";

impl Place {
    pub(super) const NONE: Self = Self {
        origin: Origin::NONE,
        is_on_site: false,
        whole: [0; BUFFER],
        length: 0,
        is_ambiguous: false,
    };

    /// Sets the place from a URL, or from a path of the site that begins with one slash. Linear.
    pub(super) fn read(&mut self, text: &str, site: &Site) -> Result<(), Refused> {
        match text.as_bytes() {
            [b'/', b'/', ..] => Err(Refused),
            path @ [b'/', ..] if !has_blank_or_control(path) => {
                self.is_on_site = true;
                self.put(path)
            }
            url => self.take(&Url::parse(url).ok_or(Refused)?, site),
        }
    }

    /// Sets the place from a URL.
    pub(super) fn take(&mut self, url: &Url<'_>, site: &Site) -> Result<(), Refused> {
        self.origin.take(url)?;
        self.is_on_site = self.origin.server().is_same_as(&site.origin.server());
        self.put(url.as_str().as_bytes().get(self.origin.layout.length()..).unwrap_or_default())
    }

    /// Sets path and query; drops the fragment.
    fn put(&mut self, rest: &[u8]) -> Result<(), Refused> {
        let rest = before(rest, b'#');
        let path = before(rest, b'?');
        self.is_ambiguous = judge_path(path)?;
        let mut sink = SliceSink::new(&mut self.whole);
        // A URL without a path has the path `/`.
        sink.put(if path.is_empty() { b"a://a/" } else { FRONT });
        sink.put(rest);
        let length = sink.length();
        let end = FRONT.len().wrapping_add(path.len().max(1));
        self.length = remove_dot_segments(
            self.whole.get_mut(..length).ok_or(Refused)?,
            FRONT.len(),
            end,
            true,
        );
        Ok(())
    }

    /// Path and query, in the form that rules are matched with.
    pub(super) fn path(&self) -> &[u8] {
        self.whole.get(FRONT.len()..self.length).unwrap_or_default()
    }

    /// The same as a URL for a robots.txt.
    pub(super) fn for_robots(&self) -> &[u8] {
        self.whole.get(..self.length).unwrap_or_default()
    }

    /// Changes the path to the second reading: slashes and backslashes are decoded, and repeated
    /// ones merged. Returns whether the path changed.
    pub(super) fn turn_to_second_reading(&mut self) -> bool {
        if !self.is_ambiguous {
            return false;
        }
        self.is_ambiguous = false;
        let end = FRONT.len().wrapping_add(before(self.path(), b'?').len());
        let Some(whole) = self.whole.get_mut(..self.length) else {
            return false;
        };
        // The write position never passes the read position.
        let (mut read, mut write) = (FRONT.len(), FRONT.len());
        let mut after_slash = false;
        while read < end {
            let from = read;
            let is_slash = matches!(next_octet(whole, &mut read), Some(b'/' | b'\\'));
            let mut to = read;
            if is_slash {
                to = from.wrapping_add(usize::from(!after_slash));
                if let Some(first) = whole.get_mut(from) {
                    *first = b'/';
                }
            }
            write = move_down(whole, from..to, write);
            after_slash = is_slash;
        }
        self.length = move_down(whole, end..whole.len(), write);
        true
    }

    /// Whether the pattern of a rule matches.
    pub(super) fn is_matched_by(&self, pattern: Pattern<'_>) -> bool {
        pattern.matches(self.path())
    }

    /// The server of the place.
    pub(super) fn server<'p>(&'p self, site: &'p Site) -> Server<'p> {
        if self.is_on_site { site.origin.server() } else { self.origin.server() }
    }

    /// Whether the place matches an endpoint; false for text that is not a URL.
    pub(super) fn is_at_url(&self, url: &[u8], site: &Site) -> bool {
        Url::parse(url).is_some_and(|url| self.is_at(&url, site))
    }

    /// Whether the place matches an endpoint: the origin and the path are the same after
    /// percent-decoding, and the query begins with the query of the endpoint and repeats none of
    /// its parameters. A placeholder in the path matches a segment or a part of one.
    pub(super) fn is_at(&self, endpoint: &Url<'_>, site: &Site) -> bool {
        let (path, query) = split_query(self.path());
        let (fixed_path, fixed_query) = split_query(endpoint.path_and_query());
        !endpoint.has_userinfo()
            && endpoint.server().is_same_as(&self.server(site))
            && is_same_path(if fixed_path.is_empty() { b"/" } else { fixed_path }, path)
            && has_query(fixed_query, query)
    }
}

/// Whether the scheme is http, https, ws or wss.
pub(super) fn is_web(url: &Url<'_>) -> bool {
    url.server().is_web()
}

/// Splits a text at the question mark into path and query; the query may be empty.
fn split_query(path: &[u8]) -> (&[u8], &[u8]) {
    let mut pieces = Pieces::of(path, b'?');
    (pieces.next().unwrap_or_default(), pieces.rest())
}

/// Refuses paths that servers read in different ways. Returns whether the path has a second
/// reading.
fn judge_path(path: &[u8]) -> Result<bool, Refused> {
    // Most paths contain none of the special characters.
    let is_plain = |a, b| scan::memchr2(a, b, path).is_none();
    if is_plain(b'%', b';') && is_plain(b'\\', 0) {
        return Ok(scan::find(path, b"//").is_some());
    }
    let (mut at, mut start) = (0, 0);
    // Whether an encoded slash precedes the segment, and whether there is a second reading.
    let (mut hidden, mut is_ambiguous) = (false, false);
    loop {
        let end = at;
        let octet = next_octet(path, &mut at);
        let encoded = at.wrapping_sub(end) > 1;
        match octet {
            // Some servers end the path at NUL, and some decode `%25` twice.
            Some(0) => return Err(Refused),
            Some(b'%') if encoded && path.get(at..at.wrapping_add(2)).is_some_and(is_hex) => {
                return Err(Refused);
            }
            Some(b'\\') if !encoded => return Err(Refused),
            Some(b'/' | b'\\') | None => {
                // Some servers drop the text after a semicolon, and some decode encoded slashes;
                // both can create a dot segment.
                let segment = path.get(start..end).unwrap_or_default();
                let name = before(segment, b';');
                if dots(name, true) != 0 && (hidden || encoded || name.len() < segment.len()) {
                    return Err(Refused);
                }
                if octet.is_none() {
                    return Ok(is_ambiguous);
                }
                is_ambiguous |= encoded || path.get(at) == Some(&b'/');
                (hidden, start) = (encoded, at);
            }
            _ => {}
        }
    }
}

/// Whether the pattern of a rule may match the path of a request. No path has dot segments, begins
/// with two slashes, or contains NUL, a fragment or doubly encoded characters.
pub(super) fn may_match(pattern: &[u8]) -> bool {
    let (mut path, is_whole) = match pattern {
        [front @ .., b'$'] => (before(front, b'?'), front.len() == before(front, b'?').len()),
        _ => (before(pattern, b'?'), false),
    };
    while let [front @ .., b'*'] = path {
        path = front;
    }
    let mut segments = Pieces::of(path, b'/');
    let mut has_dots = false;
    while let Some(segment) = segments.next() {
        let count = dots(before(segment, b';'), true);
        // A pattern that ends with `/.` matches names that begin with a dot.
        has_dots |= count > usize::from(segments.is_done() && !is_whole);
    }
    let is_control = |octet: &u8| octet.is_ascii_control();
    !has_dots
        && pattern.len() <= BUFFER
        && !path.starts_with(b"//")
        && !pattern.iter().any(is_control)
        && scan::memchr(b'#', pattern).is_none()
        && judge_path(path).is_ok()
}

fn is_hex(digits: &[u8]) -> bool {
    digits.iter().all(u8::is_ascii_hexdigit)
}

/// Whether a path matches the path of an endpoint with placeholders.
fn is_same_path(endpoint: &[u8], path: &[u8]) -> bool {
    let (mut expected, mut found) = (Pieces::of(endpoint, b'/'), Pieces::of(path, b'/'));
    loop {
        match (expected.next(), found.next()) {
            (None, None) => return true,
            (Some(expected), Some(found)) if is_same_segment(expected, found) => {}
            _ => return false,
        }
    }
}

fn is_same_segment(expected: &[u8], found: &[u8]) -> bool {
    match placeholder(expected) {
        None => same_octets(expected, found),
        Some((before, after)) => {
            let filled = found.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
            // The value of a placeholder must not contain a slash.
            filled.is_some_and(|value| !value.is_empty() && !has_slash(value))
                && scan::memchr(b'{', after).is_none()
        }
    }
}

fn has_slash(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(octet) = next_octet(text, &mut at) {
        if matches!(octet, b'/' | b'\\') {
            return true;
        }
    }
    false
}

/// The text before and after the first placeholder.
fn placeholder(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let front = before(text, b'{');
    let braces = text.get(front.len()..)?;
    let name = before(braces, b'}');
    let behind = braces.get(name.len().wrapping_add(1)..)?;
    // A name needs at least one character.
    if name.len() > 1 { Some((front, behind)) } else { None }
}

/// Whether a query begins with the parameters of an endpoint, and repeats none of them.
fn has_query(fixed: &[u8], query: &[u8]) -> bool {
    const ENDS: (u8, u8) = (b'&', b';');
    if fixed.is_empty() {
        return true;
    }
    let mut expected = Pieces::of_two(fixed, ENDS);
    for found in Pieces::of_two(query, ENDS) {
        let fits = match expected.next() {
            Some(expected) => same_octets(expected, found) || is_filled(expected, found),
            None => !Pieces::of_two(fixed, ENDS).any(|expected| is_named(expected, found)),
        };
        if !fits {
            return false;
        }
    }
    // A query may leave out trailing separators.
    expected.all(<[u8]>::is_empty)
}

/// Whether two parameters have the same name.
fn is_named(expected: &[u8], found: &[u8]) -> bool {
    same_octets(before(expected, b'='), before(found, b'='))
}

/// Whether a parameter has the name of an expected one whose value is a placeholder.
fn is_filled(expected: &[u8], found: &[u8]) -> bool {
    let value = expected.get(before(expected, b'=').len()..);
    matches!(value, Some([b'=', b'{', .., b'}']))
        && before(found, b'=').len() < found.len()
        && is_named(expected, found)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::{String, ToString};

    fn site() -> Site {
        let mut site = Site::NONE;
        site.take(b"https://example.com", true).unwrap();
        site
    }

    fn place_of(url: &str) -> Result<Place, Refused> {
        let mut place = Place::NONE;
        place.read(url, &site()).map(|()| place)
    }

    fn path_of(url: &str) -> Option<String> {
        let place = place_of(url).ok()?;
        Some(std::str::from_utf8(place.path()).unwrap().to_string())
    }

    #[test]
    fn dot_segments_are_removed_in_every_spelling() {
        for (url, path) in [
            ("https://example.com", "/"),
            ("https://example.com?q", "/?q"),
            ("https://example.com/a/../b", "/b"),
            ("https://example.com/a/%2e%2E/b", "/b"),
            ("https://example.com/a/.%2e/b?c/../d#e", "/b?c/../d"),
            ("https://example.com/../../b", "/b"),
            ("https://example.com/a/.", "/a/"),
            ("https://example.com/a/b/..", "/a/"),
            ("https://example.com/a//../b", "/a/b"),
            ("https://example.com//a", "//a"),
            ("/a/./b", "/a/b"),
            ("/...", "/..."),
            ("/a#b", "/a"),
        ] {
            assert_eq!(path_of(url).as_deref(), Some(path), "{url}");
        }
    }

    #[test]
    fn what_servers_read_in_different_ways_is_refused() {
        for url in [
            "",
            "a",
            "?a",
            "//example.com/a",
            "https:/a",
            "https://u@example.com/a",
            "https://example.com@evil.test/",
            "https://example.com\\@evil.test/",
            "https://example.com/a\\b",
            "/a\\..\\b",
            "ftp://example.com/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "/a b",
            "/a\tb",
            "/a%2f..%2fb",
            "/a%2F%2e%2e/b",
            "/a/..%2fb",
            "/a%5c..%5cb",
            "/a/..;x/b",
            "/a/..;/b",
            "/a/.;/b",
            "/a%00.html",
            "/%252e%252e/b",
            "/a%252fb",
            "/a/%2e%2e%2fb",
        ] {
            assert_eq!(path_of(url), None, "{url}");
        }
    }

    #[test]
    fn a_second_reading_has_plain_slashes() {
        for (url, second) in [
            ("/a", None),
            ("/a/b?c//d%2fe", None),
            ("//a", None),
            ("https://example.com//a", Some("/a")),
            ("/a%2Fb", Some("/a/b")),
            ("/a%5cb", Some("/a/b")),
            ("/a/%2f/b?%2f", Some("/a/b?%2f")),
        ] {
            let mut place = place_of(url).ok();
            let turned = place.as_mut().is_some_and(Place::turn_to_second_reading);
            let found = place
                .as_ref()
                .filter(|_| turned)
                .map(|place| std::str::from_utf8(place.path()).unwrap());
            assert_eq!(found, second, "{url}");
            assert!(!place.is_some_and(|mut place| place.turn_to_second_reading()), "{url}");
        }
    }

    #[test]
    fn endpoints_cover_their_own_urls_alone() {
        for (endpoint, url, expected) in [
            ("https://example.com/a", "https://example.com/a", true),
            ("https://example.com/a", "https://EXAMPLE.com:443/a?b=c#d", true),
            ("https://example.com", "https://example.com/", true),
            ("https://example.com/%61", "/a", true),
            ("https://example.com/a", "/a/", false),
            ("https://example.com/a", "/A", false),
            ("https://example.com/a", "/ab", false),
            ("https://example.com/a", "http://example.com/a", false),
            ("https://example.com/a", "https://example.com:8443/a", false),
            ("https://example.com/a/../b", "/b", false),
            ("https://example.com/i/{id}", "/i/7", true),
            ("https://example.com/i/{id}", "/i/", false),
            ("https://example.com/i/{id}", "/i/7/x", false),
            ("https://example.com/i/{id}", "/i/7%2fx", false),
            ("https://example.com/i/{id}.json", "/i/7.json", true),
            ("https://example.com/i/{id}.json", "/i/7.xml", false),
            ("https://example.com/i/{a}{b}", "/i/77", false),
            ("https://example.com/i?do=find", "/i?do=find&q=x", true),
            ("https://example.com/i?do=find", "/i?do=drop", false),
            ("https://example.com/i?do=find", "/i", false),
            ("https://example.com/i?do=find", "/i?do=find&do=drop", false),
            ("https://example.com/i?do=find", "/i?do=find&%64o=drop", false),
            ("https://example.com/i?do=find", "/i?do=find;do=drop", false),
            ("https://example.com/i?q={q}", "/i?q=x&r=y", true),
            ("https://example.com/i?q={q}", "/i?r=y", false),
        ] {
            let Ok(place) = place_of(url) else { panic!("{url}") };
            assert_eq!(
                place.is_at(&Url::parse(endpoint.as_bytes()).unwrap(), &site()),
                expected,
                "{endpoint} {url}"
            );
        }
    }
}
