//! Where a request goes: a URL brought into the form in which rules and endpoints are compared with it.
//!
//! To whom changes this: the URL comes from an agent that may have been led astray, the endpoints come from strangers. A spelling must not
//! widen what is permitted. So what servers read in different ways is refused ([`Refused`]); dot segments, `%2e` among them, are removed as
//! every client removes them; and where a path has an encoded slash or backslash, or slashes in a row, there is a second reading
//! ([`Place::second_reading`]), of which every explicit denial counts as well.

use crate::syntax::pattern::{Pattern, decode, same_octets};
use crate::syntax::url::{self, HostRelation, Server, Url, relation_of};

/// Bytes of the buffers in which URLs are brought into form; longer URLs are refused.
pub(super) const BUFFER: usize = url::BUFFER;

/// The URL is none, or two readers could read it in two ways.
pub(super) struct Refused;

/// The site that the documents are of.
#[derive(Clone, Copy)]
pub(super) struct Site<'u> {
    /// Its origin: a URL without path, as it is written, and what matters of it.
    pub(super) origin: &'u str,
    pub(super) server: Server<'u>,
    /// Whether that was said, by the caller or a document.
    pub(super) known: bool,
}

impl<'u> Site<'u> {
    /// The origin of a URL.
    pub(super) fn of(url: &Url<'u>, known: bool) -> Option<Self> {
        if url.userinfo().is_some() || !is_web(url) {
            return None;
        }
        let end = crate::span::Span::of(url.authority().as_bytes(), url.as_str().as_bytes()).end as usize;
        Some(Self { origin: url.as_str().get(..end)?, server: url.server(), known })
    }

    pub(super) fn relation(&self, place: &Place<'_>) -> HostRelation {
        relation_of(&self.server, &place.server)
    }
}

/// Origin, path and query of a request.
pub(super) struct Place<'u> {
    /// Where it is.
    pub(super) server: Server<'u>,
    /// `FRONT`, the path without dot segments, and the query.
    whole: &'u mut [u8],
    /// Whether a server may read the path in a second way.
    ambiguous: bool,
}

/// What stands before the path, so that a path that begins with two slashes is not taken for a host.
const FRONT: &[u8] = b"a://a";

impl<'u> Place<'u> {
    /// Reads a URL, or a path of the site that begins with one slash. Linear.
    pub(super) fn of(text: &'u str, site: &Site<'u>, buffer: &'u mut [u8; BUFFER]) -> Result<Self, Refused> {
        let bytes = text.as_bytes();
        if bytes.len() > BUFFER - FRONT.len() - 1 || text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(Refused);
        }
        let (server, rest) = match bytes {
            [b'/', b'/', ..] => return Err(Refused),
            [b'/', ..] => (site.server, bytes),
            _ => {
                let url = Url::parse(bytes).ok_or(Refused)?;
                let Site { origin, server, .. } = Site::of(&url, true).ok_or(Refused)?;
                (server, bytes.get(origin.len()..).unwrap_or_default())
            }
        };
        Self::at(server, rest, buffer)
    }

    /// The place on a server that a path, a query and a fragment name.
    pub(super) fn at(server: Server<'u>, rest: &[u8], buffer: &'u mut [u8; BUFFER]) -> Result<Self, Refused> {
        if rest.len() > BUFFER - FRONT.len() - 1 {
            return Err(Refused);
        }
        let rest = rest.split(|&octet| octet == b'#').next().unwrap_or_default();
        let (path, query) = match memchr::memchr(b'?', rest).and_then(|at| rest.split_at_checked(at)) {
            Some(parts) => parts,
            None => (rest, &b""[..]),
        };
        let ambiguous = judge_path(path)?;
        let mut writer = Writer { buffer, length: 0 };
        writer.put(FRONT);
        writer.put_path(path);
        writer.put(query);
        let length = writer.length;
        Ok(Self { server, whole: buffer.get_mut(..length).ok_or(Refused)?, ambiguous })
    }

    /// Path and query, as rules are matched against them.
    pub(super) fn path(&self) -> &[u8] {
        self.whole.get(FRONT.len()..).unwrap_or_default()
    }

    /// The same in a form that a robots.txt is asked with.
    pub(super) const fn for_robots(&self) -> &[u8] {
        self.whole
    }

    /// Turns the path into what a server reads that decodes slashes, takes backslashes for them, and merges those in a row. Returns whether that
    /// is another path; nothing is changed where it is the same.
    pub(super) fn turn_to_second_reading(&mut self) -> bool {
        if !self.ambiguous {
            return false;
        }
        self.ambiguous = false;
        let end = FRONT.len().saturating_add(split_query(self.path()).0.len());
        // What is written never reaches what is still to be read.
        let (mut read, mut write) = (FRONT.len(), FRONT.len());
        let mut after_slash = false;
        while let Some((slash, octet, tail)) = self.whole.get(read..end).and_then(next_octet) {
            read = end.saturating_sub(tail.len());
            if !(slash && after_slash)
                && let Some(place) = self.whole.get_mut(write)
            {
                *place = if slash { b'/' } else { octet };
                write = write.saturating_add(1);
            }
            after_slash = slash;
        }
        while let Some(&octet) = self.whole.get(read) {
            if let Some(place) = self.whole.get_mut(write) {
                *place = octet;
            }
            (read, write) = (read.saturating_add(1), write.saturating_add(1));
        }
        let whole = core::mem::take(&mut self.whole);
        self.whole = whole.get_mut(..write).unwrap_or_default();
        true
    }

    /// Whether a rule's pattern matches.
    pub(super) fn is_matched_by(&self, pattern: Pattern<'_>) -> bool {
        pattern.matches(self.path())
    }

    /// Whether this is where an endpoint is: the same origin and path, whatever percent-encoding they are written in, and where the endpoint
    /// has a query, that query, with nothing added that would change its parameters. A name in braces stands for a segment, or a part of one.
    pub(super) fn is_at(&self, endpoint: &Url<'_>) -> bool {
        let (path, query) = split_query(self.path());
        let endpoint_path = if endpoint.path().is_empty() { &b"/"[..] } else { endpoint.path().as_bytes() };
        endpoint.userinfo().is_none()
            && endpoint.server().is_same_as(&self.server)
            && is_same_path(endpoint_path, path)
            && endpoint.query().is_none_or(|fixed| has_query(fixed.as_bytes(), query.unwrap_or_default()))
    }
}

/// Whether a client would fetch it: http, https, ws or wss.
pub(super) fn is_web(url: &Url<'_>) -> bool {
    ["https", "http", "wss", "ws"].iter().any(|scheme| url.scheme().eq_ignore_ascii_case(scheme))
}

fn split_query(path: &[u8]) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(b'?', path).and_then(|at| Some((path.get(..at)?, path.get(at.checked_add(1)?..)?))) {
        Some((path, query)) => (path, Some(query)),
        None => (path, None),
    }
}

/// Refuses paths that servers read in ways that cannot be foreseen, and says whether there is a second reading of the others.
fn judge_path(path: &[u8]) -> Result<bool, Refused> {
    if memchr::memchr(b'\\', path).is_some() {
        return Err(Refused);
    }
    let mut encoded = false;
    let mut rest = path;
    while let Some(at) = memchr::memchr(b'%', rest) {
        rest = rest.get(at..).unwrap_or_default();
        match decode(rest) {
            // Something would be encoded twice, or end a path in the middle.
            Some(0) => return Err(Refused),
            Some(b'%') if rest.get(3..5).is_some_and(is_hex) => return Err(Refused),
            Some(b'/' | b'\\') => encoded = true,
            _ => {}
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    for segment in path.split(|&octet| octet == b'/') {
        // Some servers drop what stands behind a semicolon, and then find a dot segment.
        if let Some(at) = memchr::memchr(b';', segment)
            && dots(segment.get(..at).unwrap_or_default()).is_some()
        {
            return Err(Refused);
        }
    }
    if encoded && hides_dots(path) {
        return Err(Refused);
    }
    let doubled = path.windows(2).any(|pair| pair == b"//");
    Ok(encoded || doubled)
}

/// Whether there would be further dot segments if encoded slashes were slashes.
fn hides_dots(path: &[u8]) -> bool {
    let (mut rest, mut segment) = (path, path);
    // Whether an encoded slash stands at an end of the segment.
    let mut hidden = false;
    loop {
        let (slash, tail) = match next_octet(rest) {
            Some((false, _, tail)) => {
                rest = tail;
                continue;
            }
            Some((true, octet, tail)) => (Some(octet), tail),
            None => (None, &b""[..]),
        };
        let ends_hidden = slash.is_some_and(|octet| octet == b'%');
        let text = segment.get(..segment.len().saturating_sub(rest.len())).unwrap_or_default();
        let text = text.split(|&octet| octet == b';').next().unwrap_or_default();
        if (hidden || ends_hidden) && dots(text).is_some() {
            return true;
        }
        if slash.is_none() {
            return false;
        }
        hidden = ends_hidden;
        (rest, segment) = (tail, tail);
    }
}

/// The first octet, whether it is a slash (as it stands, encoded, or as an encoded backslash), and what follows. Of an encoding that is no
/// slash, the percent sign is the first octet.
fn next_octet(rest: &[u8]) -> Option<(bool, u8, &[u8])> {
    let (&octet, tail) = rest.split_first()?;
    match octet {
        b'/' => Some((true, octet, tail)),
        b'%' if matches!(decode(rest), Some(b'/' | b'\\')) => Some((true, octet, rest.get(3..).unwrap_or_default())),
        _ => Some((false, octet, tail)),
    }
}

fn is_hex(digits: &[u8]) -> bool {
    digits.iter().all(u8::is_ascii_hexdigit)
}

/// How many dots a dot segment has, encoded ones too; `None` where it is none.
fn dots(mut segment: &[u8]) -> Option<usize> {
    let mut count = 0_usize;
    while let Some((&first, tail)) = segment.split_first() {
        segment = match first {
            b'.' => tail,
            _ if decode(segment) == Some(b'.') => segment.get(3..).unwrap_or_default(),
            _ => return None,
        };
        count = count.saturating_add(1);
    }
    (1..=2).contains(&count).then_some(count)
}

/// Writes into a buffer as far as it goes, and counts on.
struct Writer<'b> {
    buffer: &'b mut [u8; BUFFER],
    length: usize,
}

impl Writer<'_> {
    fn put(&mut self, bytes: &[u8]) {
        let end = self.length.saturating_add(bytes.len());
        if let Some(place) = self.buffer.get_mut(self.length..end) {
            place.iter_mut().zip(bytes).for_each(|(place, octet)| *place = *octet);
        }
        self.length = end;
    }

    /// Puts a path without its dot segments (RFC 3986 section 5.2.4); an empty one is a slash.
    fn put_path(&mut self, path: &[u8]) {
        let start = self.length;
        let mut segments = path.strip_prefix(b"/").unwrap_or(path).split(|&octet| octet == b'/').peekable();
        while let Some(segment) = segments.next() {
            match dots(segment) {
                None => {
                    self.put(b"/");
                    self.put(segment);
                    continue;
                }
                Some(1) => {}
                Some(_) => {
                    let written = self.buffer.get(start..self.length).unwrap_or_default();
                    self.length = start.saturating_add(memchr::memrchr(b'/', written).unwrap_or(0));
                }
            }
            if segments.peek().is_none() {
                self.put(b"/");
            }
        }
    }
}

/// Whether a path is the one of an endpoint, in which names in braces stand for something.
fn is_same_path(endpoint: &[u8], path: &[u8]) -> bool {
    let (mut expected, mut found) = (endpoint.split(|&octet| octet == b'/'), path.split(|&octet| octet == b'/'));
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
            // What stands there for a name is no path of its own.
            filled.is_some_and(|value| !value.is_empty() && !has_slash(value)) && memchr::memchr(b'{', after).is_none()
        }
    }
}

fn has_slash(mut text: &[u8]) -> bool {
    while let Some((slash, _, tail)) = next_octet(text) {
        if slash {
            return true;
        }
        text = tail;
    }
    false
}

/// What stands before and behind the first name in braces.
fn placeholder(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let open = memchr::memchr(b'{', text)?;
    let inside = text.get(open.checked_add(1)?..)?;
    let close = memchr::memchr(b'}', inside).filter(|&close| close > 0)?;
    Some((text.get(..open)?, inside.get(close.checked_add(1)?..)?))
}

/// Whether a query begins with the parameters of an endpoint, and gives none of them again.
fn has_query(fixed: &[u8], query: &[u8]) -> bool {
    let is_end = |octet: &u8| matches!(octet, b'&' | b';');
    if fixed.is_empty() {
        return true;
    }
    let mut found = query.split(is_end);
    let begins = fixed.split(is_end).all(|expected| {
        let ((name, value), (found_name, found_value)) = (pair(expected), found.next().map_or((&b""[..], &b""[..]), pair));
        let free = value.starts_with(b"={") && value.ends_with(b"}");
        same_octets(name, found_name) && (same_octets(value, found_value) || (free && found_value.starts_with(b"=")))
    });
    begins && found.all(|added| fixed.split(is_end).all(|expected| !same_octets(pair(expected).0, pair(added).0)))
}

/// The name of a parameter, and its value with the sign before it.
fn pair(parameter: &[u8]) -> (&[u8], &[u8]) {
    let at = memchr::memchr(b'=', parameter).unwrap_or(parameter.len());
    parameter.split_at_checked(at).unwrap_or((parameter, b""))
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::{String, ToString};

    fn path_of(url: &'static str) -> Option<String> {
        let site = Site::of(&Url::parse(b"https://example.com").unwrap(), true).unwrap();
        let mut buffer = [0; BUFFER];
        let place = Place::of(url, &site, &mut buffer).ok()?;
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
        let site = Site::of(&Url::parse(b"https://example.com").unwrap(), true).unwrap();
        for (url, second) in [
            ("/a", None),
            ("/a/b?c//d%2fe", None),
            ("//a", None),
            ("https://example.com//a", Some("/a")),
            ("/a%2Fb", Some("/a/b")),
            ("/a%5cb", Some("/a/b")),
            ("/a/%2f/b?%2f", Some("/a/b?%2f")),
        ] {
            let mut buffer = [0; BUFFER];
            let mut place = Place::of(url, &site, &mut buffer).ok();
            let turned = place.as_mut().is_some_and(Place::turn_to_second_reading);
            let found = place.as_ref().filter(|_| turned).map(|place| std::str::from_utf8(place.path()).unwrap());
            assert_eq!(found, second, "{url}");
            assert!(!place.is_some_and(|mut place| place.turn_to_second_reading()), "{url}");
        }
    }

    #[test]
    fn endpoints_cover_their_own_urls_alone() {
        let site = Site::of(&Url::parse(b"https://example.com").unwrap(), true).unwrap();
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
            let mut buffer = [0; BUFFER];
            let Ok(place) = Place::of(url, &site, &mut buffer) else { panic!("{url}") };
            assert_eq!(place.is_at(&Url::parse(endpoint.as_bytes()).unwrap()), expected, "{endpoint} {url}");
        }
    }
}
