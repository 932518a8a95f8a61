//! URLs: a borrowed view whose host is the one that a client connects to.
//!
//! Everything that decides about trust works on decoded characters and rejects what two parsers
//! could read differently: blanks, control characters and backslashes, percent signs in a host,
//! numbers that are not IPv4 addresses. Names are not mapped by IDNA: a non-ASCII host equals only
//! itself.
//!
//! ```
//! use agentsdisc_core::syntax::url::Url;
//! let url = Url::parse(b"https://example.com@evil.test:8443/a?b#c").unwrap();
//! assert_eq!((url.userinfo(), url.host(), url.effective_port()), (Some("example.com"), "evil.test", Some(8443)));
//! assert!(Url::parse(b"https://evil.test\\@example.com/").is_none());
//! ```

mod host;
mod relation;
mod resolve;
mod server;
#[cfg(feature = "psl")]
mod suffix;

pub use host::HostKind;
pub use relation::{HostRelation, Relation, relation};
pub(crate) use relation::{ends_with_domain, relation_of};
pub use resolve::{ResolveError, resolve};
pub(crate) use resolve::{dots, move_down, remove_dot_segments, resolve_against, resolve_str};
pub(crate) use server::Server;

use crate::scan;
use crate::syntax::grammar::number;
use crate::syntax::pieces::before;
use crate::syntax::text::Text;

/// The size of the buffer in which [`Url::of`] decodes an escaped URL, in bytes. A longer URL
/// counts as invalid.
pub const BUFFER: usize = 2048;

/// An absolute URL with an authority (RFC 3986 section 3).
///
/// Stricter than RFC 3986 in the host (no percent-encoding, no empty label, numbers only as an IPv4
/// address). More lenient in that non-ASCII characters are allowed everywhere but in the scheme and
/// the port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Url<'a> {
    text: &'a str,
    layout: Layout,
}

/// The layout of a URL as plain numbers, for callers that keep the text elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    parts: Parts,
    /// The range of the host.
    host: (u32, u32),
    port: Option<u16>,
}

impl Layout {
    /// An empty layout, used if there is no URL.
    pub(crate) const NONE: Self = Self {
        parts: Parts { scheme: 0, has_authority: false, path: 0, path_end: 0, query_end: 0 },
        host: (0, 0),
        port: None,
    };

    /// The layout without path, query and fragment.
    pub(crate) const fn of_origin(mut self) -> Self {
        self.parts.path_end = self.parts.path;
        self.parts.query_end = self.parts.path;
        self
    }

    /// The length of the URL without its fragment.
    pub(crate) const fn length(&self) -> usize {
        self.parts.query_end as usize
    }
}

impl<'a> Url<'a> {
    /// Parses an unescaped URL. Takes linear time.
    ///
    /// `None` if it is not UTF-8, is relative, lacks an authority or a host, or is invalid: a blank
    /// or a control character anywhere, a backslash in the authority, an invalid host or port, or port 0.
    /// `None` also for 4 GB or more.
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        let text = scan::text(bytes)?;
        if has_blank_or_control(bytes) || u32::try_from(bytes.len()).is_err() {
            return None;
        }
        let parts = Parts::split(bytes);
        if parts.scheme == 0 {
            return None;
        }
        let authority = parts.authority(bytes)?;
        if find(authority, b'\\').is_some() {
            return None;
        }
        // The last @ ends the user information: text before it is never part of the host.
        let userinfo = scan::memrchr(b'@', authority).map_or(0, |at| at.wrapping_add(1));
        let (host, port) = split_port(authority.get(userinfo..)?)?;
        let start = parts.authority_start().wrapping_add(userinfo);
        let end = start.wrapping_add(host.len());
        if !host::is_host(host) {
            return None;
        }
        Some(Self { text, layout: Layout { parts, host: (start as u32, end as u32), port } })
    }

    /// The layout of the URL.
    pub(crate) const fn layout(&self) -> Layout {
        self.layout
    }

    /// Parses a URL of a document. Decodes escaped text into `buffer`; [`BUFFER`] bytes are enough
    /// for every URL that clients accept. A URL that does not fit gives `None`, like any invalid
    /// URL.
    ///
    /// ```
    /// use agentsdisc_core::syntax::{text::Text, url};
    /// let mut buffer = [0; url::BUFFER];
    /// let url = url::Url::of(Text::json(br"https:\/\/example.com\/\u0061"), &mut buffer).unwrap();
    /// assert_eq!(url.as_str(), "https://example.com/a");
    /// ```
    pub fn of(text: Text<'a>, buffer: &'a mut [u8]) -> Option<Self> {
        if text.is_escaped() {
            Self::parse(text.decode(buffer).ok()?.as_bytes())
        } else {
            Self::parse(text.raw())
        }
    }

    /// The same with a buffer that is only created if necessary: most URLs are not escaped, and
    /// clearing a buffer takes time.
    pub(crate) fn lazily(text: Text<'a>, buffer: &'a mut Option<[u8; BUFFER]>) -> Option<Self> {
        if text.is_escaped() {
            Self::of(text, buffer.insert([0; BUFFER]))
        } else {
            Self::parse(text.raw())
        }
    }

    /// The whole URL as written.
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// The text between two offsets.
    fn part(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The scheme as written, without the colon.
    pub fn scheme(&self) -> &'a str {
        self.part(0, self.layout.parts.scheme as usize)
    }

    /// True if the scheme is http or https.
    pub(crate) fn is_http(&self) -> bool {
        self.scheme().eq_ignore_ascii_case("https") || self.scheme().eq_ignore_ascii_case("http")
    }

    /// User information, port and host as written.
    pub fn authority(&self) -> &'a str {
        self.part(self.layout.parts.authority_start(), self.layout.parts.path as usize)
    }

    /// Scheme and authority as written.
    pub(crate) fn origin(&self) -> &'a str {
        self.part(0, self.layout.parts.path as usize)
    }

    /// The text before the `@` of the authority, if there is an `@`. It does not affect the host; a
    /// URL that contains it is probably made to deceive.
    pub fn userinfo(&self) -> Option<&'a str> {
        if self.has_userinfo() {
            Some(self.part(
                self.layout.parts.authority_start(),
                (self.layout.host.0 as usize).saturating_sub(1),
            ))
        } else {
            None
        }
    }

    pub(crate) const fn has_userinfo(&self) -> bool {
        self.layout.host.0 as usize > self.layout.parts.authority_start()
    }

    /// The host as written: with its case, a trailing dot, the brackets of an IPv6 address and
    /// unusual spellings of an IPv4 address.
    pub fn host(&self) -> &'a str {
        self.part(self.layout.host.0 as usize, self.layout.host.1 as usize)
    }

    /// The kind of the host: a name, or an address in any spelling.
    pub fn host_kind(&self) -> HostKind {
        self.server().kind()
    }

    /// The port as written; absent if there is none or nothing follows the colon.
    pub const fn port(&self) -> Option<u16> {
        self.layout.port
    }

    /// The port that a client connects to; absent if none is written and the scheme is unknown.
    pub fn effective_port(&self) -> Option<u16> {
        self.server().effective_port()
    }

    /// The path as written, still percent-encoded; empty or beginning with `/`.
    pub fn path(&self) -> &'a str {
        self.part(self.layout.parts.path as usize, self.layout.parts.path_end as usize)
    }

    /// The path and the query.
    pub(crate) fn path_and_query(&self) -> &'a [u8] {
        let parts = &self.layout.parts;
        self.text.as_bytes().get(parts.path as usize..parts.query_end as usize).unwrap_or_default()
    }

    /// The query without the `?`; absent if there is no `?`.
    pub fn query(&self) -> Option<&'a str> {
        let (start, end) = self.layout.parts.query()?;
        Some(self.part(start, end))
    }

    /// The fragment without the `#`; absent if there is no `#`.
    pub fn fragment(&self) -> Option<&'a str> {
        self.text.get((self.layout.parts.query_end as usize).saturating_add(1)..)
    }

    /// True if the scheme is `https` or `wss`.
    pub fn is_secure(&self) -> bool {
        self.server().is_secure()
    }

    /// True if the host is the local machine: `localhost` and names below it, 127.0.0.0/8 in any
    /// spelling, `[::1]`.
    pub fn is_loopback(&self) -> bool {
        self.server().is_loopback()
    }

    /// True if scheme, host and port are the same (RFC 6454 section 5), including default ports.
    /// Ignores case and one trailing dot of a name. Different spellings of one address are the same
    /// host.
    ///
    /// ```
    /// use agentsdisc_core::syntax::url::Url;
    /// let url = |text: &'static str| Url::parse(text.as_bytes()).unwrap();
    /// assert!(url("https://Example.com./a").is_same_origin(&url("HTTPS://example.com:443/b")));
    /// assert!(!url("https://example.com").is_same_origin(&url("https://example.com:8443")));
    /// ```
    pub fn is_same_origin(&self, other: &Url<'_>) -> bool {
        self.server().is_same_as(&other.server())
    }

    /// True if the hosts are the same, independent of scheme and port.
    pub fn is_same_host(&self, other: &Url<'_>) -> bool {
        self.server().is_same_host(&other.server())
    }
}

impl core::fmt::Display for Url<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text)
    }
}

/// The offsets of the five parts of a reference (RFC 3986 appendix B). Splitting never fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parts {
    /// The end of the scheme, at its colon; 0 if there is none.
    scheme: u32,
    has_authority: bool,
    /// The start of the path, which is the end of the authority, if any.
    path: u32,
    /// The end of the path. The query, if any, follows after a question mark.
    path_end: u32,
    /// The end of the query. The fragment, if any, follows after a number sign.
    query_end: u32,
}

impl Parts {
    fn split(text: &[u8]) -> Self {
        let rest = before(text, b'#');
        let query_end = rest.len();
        let rest = before(rest, b'?');
        let path_end = rest.len();
        let scheme = before(rest, b':');
        let scheme = if scheme.len() < path_end && is_scheme(scheme) { scheme.len() } else { 0 };
        let start = after(scheme);
        let (has_authority, path) = match rest.get(start..) {
            Some([b'/', b'/', rest @ ..]) => {
                (true, start.wrapping_add(2).wrapping_add(before(rest, b'/').len()))
            }
            _ => (false, start),
        };
        Self {
            scheme: scheme as u32,
            has_authority,
            path: path as u32,
            path_end: path_end as u32,
            query_end: query_end as u32,
        }
    }

    /// The start of the authority or of the path.
    const fn after_scheme(&self) -> usize {
        after(self.scheme as usize)
    }

    /// The start of the authority, if any.
    const fn authority_start(&self) -> usize {
        self.after_scheme().wrapping_add(2)
    }

    fn authority<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        if self.has_authority { text.get(self.authority_start()..self.path as usize) } else { None }
    }

    /// The range of the query, without its question mark.
    fn query(&self) -> Option<(usize, usize)> {
        (self.path_end < self.query_end)
            .then_some(((self.path_end as usize).wrapping_add(1), self.query_end as usize))
    }
}

/// The start of the text after a scheme of this length.
const fn after(scheme: usize) -> usize {
    if scheme == 0 { 0 } else { scheme.wrapping_add(1) }
}

// The compiler cannot exclude panics in the searches of `str`. This one has none.
fn find(text: &[u8], octet: u8) -> Option<usize> {
    scan::memchr(octet, text)
}

fn is_scheme(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphabetic)
        && text.iter().all(|&b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// True if any character is white space or a control character.
pub(crate) fn has_blank_or_control(text: &[u8]) -> bool {
    // Without a branch, the loop is vectorized. In ASCII, blanks and control characters are the
    // characters that are not visible.
    let is_visible = text.iter().fold(true, |all, byte| all & byte.is_ascii_graphic());
    !is_visible && scan::text(text).is_none_or(|text| text.chars().any(is_blank_or_control))
}

/// True if a character is white space or a control character. The same result as the methods of
/// `char`, but without their tables.
pub(crate) const fn is_blank_or_control(c: char) -> bool {
    matches!(c, '\0'..=' ' | '\u{7f}'..='\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// The host and the port of an authority without its user information. The colons of an IPv6
/// address are in brackets.
fn split_port(text: &[u8]) -> Option<(&[u8], Option<u16>)> {
    let Some((host, [_, port @ ..])) =
        scan::memrchr(b':', text).and_then(|at| text.split_at_checked(at))
    else {
        return Some((text, None));
    };
    if find(port, b']').is_some() {
        return Some((text, None));
    }
    let port = if port.is_empty() {
        None
    } else {
        // No connection goes to port 0 (RFC 6335 section 6), and some clients take it for the
        // default port, which is another server.
        Some(u16::try_from(number(port)?).ok().filter(|port| *port != 0)?)
    };
    Some((host, port))
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::net::{Ipv4Addr, Ipv6Addr};

    fn url(text: &str) -> Url<'_> {
        Url::parse(text.as_bytes()).expect(text)
    }

    #[test]
    fn blanks_and_control_characters_are_those_of_unicode() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_blank_or_control(c), c.is_control() || c.is_whitespace(), "{c:?}");
        }
    }

    #[test]
    fn pieces() {
        let full = url("WSS://user:pw@Host.Example:08080/a/b;c?d=e?f#g#h");
        assert_eq!(
            (full.scheme(), full.userinfo(), full.host()),
            ("WSS", Some("user:pw"), "Host.Example")
        );
        assert_eq!(
            (full.port(), full.path(), full.query(), full.fragment()),
            (Some(8080), "/a/b;c", Some("d=e?f"), Some("g#h"))
        );
        assert!(full.is_secure());
        let bare = url("http://h");
        assert_eq!(
            (bare.path(), bare.query(), bare.fragment(), bare.userinfo(), bare.port()),
            ("", None, None, None, None)
        );
        assert!(!bare.is_secure());
        assert_eq!(url("http://h?q").query(), Some("q"));
        assert_eq!(url("http://h#f").fragment(), Some("f"));
        assert_eq!((url("http://h:/").host(), url("http://h:/").port()), ("h", None));
        assert_eq!(url("ws://h").effective_port(), Some(80));
        assert_eq!(url("mcp://h").effective_port(), None);
    }

    #[test]
    fn what_is_not_valid() {
        for text in [
            "",
            "x",
            "/a",
            "//h/a",
            "https:",
            "https:/h",
            "https://",
            "https:///a",
            "https://:80/",
            "https://a@/",
            "1s://h",
            "mailto:a@b",
            "https://a b/",
            "https://a/b c",
            " https://a",
            "https://a\t",
            "https://a\n",
            "https://a/\u{0}",
            "https://a/\u{7f}",
            "https://a\u{a0}/",
            "https://a/\u{2003}",
            "https:\\\\a",
            "https://a\\b",
            "https://evil.test\\@example.com/",
            "https://a:65536",
            "https://a:+1",
            "https://a:1a",
            "https://a:b:1",
            "https://ex%61mple.com",
            "https://{store}.example.com",
            "https://a..b",
            "https://.a",
            "https://a..",
            "https://.",
            "https://[::1",
            "https://::1",
            "https://[::1]x",
            "https://[::1%25eth0]",
            "https://[v1.x]",
            "https://a<b",
            "https://a|b",
            "https://1.2.3.4.5",
            "https://256.1.1.1",
            "https://1.2.3.0x1g.09",
            "https://0x100000000",
            "https://a.b.09",
            "https://[1.2.3.4]",
            "https://[1:2:3:4:5:6:7:8:9]",
            "https://[1::2::3]",
            "https://[:::1]",
            "https://[12345::]",
            "https://[::1.2.3]",
            "https://[::01.2.3.4]",
        ] {
            assert!(Url::parse(text.as_bytes()).is_none(), "{text:?}");
        }
        assert!(Url::parse(b"https://a/\xff").is_none());
    }

    #[test]
    fn userinfo_never_is_the_host() {
        assert_eq!(url("https://example.com@evil.test").host(), "evil.test");
        assert_eq!(url("https://a@b@evil.test").host(), "evil.test");
        assert_eq!(url("https://example.com:443@evil.test/").host(), "evil.test");
        assert_eq!(url("https://evil.test/@example.com").host(), "evil.test");
        assert_eq!(url("https://evil.test?@example.com").host(), "evil.test");
        assert_eq!(url("https://evil.test#@example.com").host(), "evil.test");
        // A / ends the authority even where it seems to be a password.
        assert_eq!(url("https://evil.test:443/:pw@example.com").host(), "evil.test");
    }

    #[test]
    fn addresses_in_every_spelling() {
        for text in [
            "127.0.0.1",
            "127.1",
            "0x7f.1",
            "0X7F.0.0.1",
            "2130706433",
            "0177.0.0.1",
            "0x7f000001",
            "017700000001",
            "127.0.1",
            "127.0.0.1.",
            "127.255.255.255",
        ] {
            let mut bytes = [0; 64];
            let mut length = 0;
            for (place, byte) in bytes.iter_mut().zip(b"http://".iter().chain(text.as_bytes())) {
                *place = *byte;
                length += 1;
            }
            let url = Url::parse(&bytes[..length]).expect(text);
            assert!(
                matches!(url.host_kind(), HostKind::Ipv4(address) if address.octets()[0] == 127),
                "{text}"
            );
            assert!(url.is_loopback(), "{text}");
        }
        assert_eq!(
            url("http://192.168.0x1").host_kind(),
            HostKind::Ipv4(Ipv4Addr::new(192, 168, 0, 1))
        );
        assert_eq!(url("http://0x").host_kind(), HostKind::Ipv4(Ipv4Addr::new(0, 0, 0, 0)));
        assert_eq!(url("http://1.2.com").host_kind(), HostKind::Domain);
        assert_eq!(url("http://1e3").host_kind(), HostKind::Domain);
        assert_eq!(
            url("http://[2001:DB8::1:0]:8").host_kind(),
            HostKind::Ipv6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 1, 0))
        );
        assert_eq!(url("http://[::]").host_kind(), HostKind::Ipv6(Ipv6Addr::UNSPECIFIED));
        assert_eq!(
            url("http://[1:2:3:4:5:6:7::]").host_kind(),
            HostKind::Ipv6(Ipv6Addr::new(1, 2, 3, 4, 5, 6, 7, 0))
        );
        assert_eq!(
            url("http://[::ffff:1.2.3.4]").host_kind(),
            HostKind::Ipv6(Ipv4Addr::new(1, 2, 3, 4).to_ipv6_mapped())
        );
    }

    #[test]
    fn this_machine() {
        for text in [
            "http://localhost",
            "http://LOCALHOST.:1",
            "http://a.localhost",
            "http://[::1]",
            "http://[0:0:0:0:0:0:0:1]",
            "http://[::ffff:127.0.0.1]",
        ] {
            assert!(url(text).is_loopback(), "{text}");
        }
        for text in [
            "http://localhost.com",
            "http://notlocalhost",
            "http://128.0.0.1",
            "http://[::2]",
            "http://[7f00::1]",
            "http://[::7f00:1]",
            "http://[::ffff:8000:1]",
            "http://127.0.0.1.example",
            "http://localhost@h",
        ] {
            assert!(!url(text).is_loopback(), "{text}");
        }
    }

    #[test]
    fn origins() {
        assert!(url("https://a").is_same_origin(&url("https://A.:443/x")));
        assert!(url("http://[::1]").is_same_origin(&url("http://[0::1]:80")));
        assert!(url("http://127.1").is_same_origin(&url("http://0x7f000001")));
        assert!(url("https://u@a").is_same_origin(&url("https://a")));
        assert!(!url("https://a").is_same_origin(&url("http://a")));
        assert!(!url("https://a").is_same_origin(&url("wss://a")));
        assert!(!url("https://a").is_same_origin(&url("https://b")));
        assert!(
            !url("https://bücher.example").is_same_origin(&url("https://xn--bcher-kva.example"))
        );
    }

    #[test]
    fn an_escaped_url_must_fit() {
        let mut buffer = [0; 12];
        assert!(Url::of(Text::json(br"https:\/\/ab.c"), &mut buffer).is_some());
        assert!(Url::of(Text::json(br"https:\/\/ab.cd"), &mut buffer).is_none());
        assert!(Url::of(Text::json(br"https://a\u0000"), &mut [0; 64]).is_none());
        assert!(Url::of(Text::json(br"https://a\\b"), &mut [0; 64]).is_none());
    }
}
