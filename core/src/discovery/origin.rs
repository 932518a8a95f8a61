//! The origin of a site, and how other URLs relate to it.

use core::fmt;

use heapless::String;

use crate::syntax::url::{HostKind, Relation, Url, relation};

/// Maximum length of an origin in bytes: scheme, a name of 253 bytes, a port.
pub const ORIGIN_CAPACITY: usize = 272;

/// Scheme, host and port of a site in normal form: lower case, without default port and trailing
/// dot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    text: String<ORIGIN_CAPACITY>,
}

/// Why a text is not a site.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum OriginError {
    /// Not a URL and not a host.
    Invalid,
    /// The scheme is neither `https` nor `http`.
    Scheme,
    /// It has user information, as in `https://example.com@evil.test`.
    UserInfo,
    /// The host has non-ASCII letters. Use its `xn--…` form; there is no IDNA mapping here.
    NonAscii,
    /// It is longer than [`ORIGIN_CAPACITY`].
    TooLong,
}

impl OriginError {
    /// The stable kebab-case code.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Scheme => "scheme",
            Self::UserInfo => "user-info",
            Self::NonAscii => "non-ascii",
            Self::TooLong => "too-long",
        }
    }

    /// What is wrong and what to do, in a sentence without a capital and a full stop.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Invalid => {
                "this is not a site; use a URL such as https://example.com, or a host name"
            }
            Self::Scheme => "the scheme is not supported; use https or http",
            Self::UserInfo => "the URL has user information (a part before @); remove it",
            Self::NonAscii => "the host has non-ASCII letters; give its ASCII form (xn--…)",
            Self::TooLong => "the host is too long",
        }
    }
}

impl fmt::Display for OriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl core::error::Error for OriginError {}

impl Origin {
    /// Parses the origin of a URL, ignoring its path, or a host, whose scheme becomes https.
    ///
    /// ```
    /// use agentsdisc_core::discovery::{Origin, OriginError};
    /// assert_eq!(Origin::parse("HTTPS://Example.com.:443/a?b")?.as_str(), "https://example.com");
    /// assert_eq!(Origin::parse("localhost:8080")?.as_str(), "https://localhost:8080");
    /// assert_eq!(Origin::parse("https://example.com@evil.test"), Err(OriginError::UserInfo));
    /// # Ok::<(), OriginError>(())
    /// ```
    ///
    /// # Errors
    /// [`OriginError`].
    pub fn parse(text: &str) -> Result<Self, OriginError> {
        let mut origin = Self::NONE;
        origin.read(text)?;
        Ok(origin)
    }

    /// An empty origin.
    pub(super) const NONE: Self = Self { text: String::new() };

    /// Sets the origin from a URL or a host.
    pub(super) fn read(&mut self, text: &str) -> Result<(), OriginError> {
        self.text.clear();
        if text.as_bytes().windows(3).any(|window| window == b"://") {
            return self.take(&Url::parse(text.as_bytes()).ok_or(OriginError::Invalid)?);
        }
        // The text is a host. A text that does not fit is too long for a host.
        let mut buffer = String::<{ 2 * ORIGIN_CAPACITY }>::new();
        let is_whole = buffer.push_str("https://").and_then(|()| buffer.push_str(text)).is_ok();
        if !is_whole {
            return Err(OriginError::TooLong);
        }
        self.take(&Url::parse(buffer.as_bytes()).ok_or(OriginError::Invalid)?)
    }

    fn take(&mut self, url: &Url<'_>) -> Result<(), OriginError> {
        if url.userinfo().is_some() {
            return Err(OriginError::UserInfo);
        }
        if url.port() == Some(0) {
            return Err(OriginError::Invalid);
        }
        if !url.host().is_ascii() {
            return Err(OriginError::NonAscii);
        }
        let (scheme, default) = match web_scheme(url) {
            Some(Scheme::Https) => ("https", 443),
            Some(Scheme::Http) => ("http", 80),
            None => return Err(OriginError::Scheme),
        };
        let text = &mut self.text;
        let pushed = text
            .push_str(scheme)
            .and_then(|()| text.push_str("://"))
            .and_then(|()| push_host(text, url));
        let pushed = pushed.and_then(|()| match url.port() {
            Some(port) if port != default => {
                text.push(':').and_then(|()| push_number(text, u32::from(port)))
            }
            _ => Ok(()),
        });
        // Clears a partial origin.
        pushed.map_err(|_| {
            self.text.clear();
            OriginError::TooLong
        })
    }

    /// `https://host` or `https://host:port`.
    pub fn as_str(&self) -> &str {
        self.text.as_str()
    }

    /// The same as a URL.
    pub(super) fn url(&self) -> Option<Url<'_>> {
        Url::parse(self.text.as_bytes())
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn push_host<const N: usize>(
    text: &mut String<N>,
    url: &Url<'_>,
) -> Result<(), heapless::CapacityError> {
    // Normalises the spelling of an address to the address that a client connects to.
    if let HostKind::Ipv4(address) = url.host_kind() {
        for (place, octet) in address.octets().into_iter().enumerate() {
            if place > 0 {
                text.push('.')?;
            }
            push_number(text, u32::from(octet))?;
        }
        return Ok(());
    }
    let host = url.host();
    let name = host.strip_suffix('.').unwrap_or(host);
    for letter in name.chars() {
        text.push(letter.to_ascii_lowercase())?;
    }
    Ok(())
}

/// Writes a number with 32-bit arithmetic, because 64-bit division is a library function on small
/// machines.
fn push_number<const N: usize>(
    text: &mut String<N>,
    number: u32,
) -> Result<(), heapless::CapacityError> {
    let (mut digits, mut rest) = ([0; 10], number);
    for digit in digits.iter_mut().rev() {
        (*digit, rest) = (rest % 10, rest / 10);
    }
    let leading = digits.iter().take_while(|digit| **digit == 0).count().min(9);
    digits
        .iter()
        .skip(leading)
        .try_for_each(|digit| text.push(char::from_digit(*digit, 10).unwrap_or('0')))
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    Https,
    Http,
}

/// The scheme of a URL that may be requested.
pub(super) fn web_scheme(url: &Url<'_>) -> Option<Scheme> {
    if url.scheme().eq_ignore_ascii_case("https") {
        Some(Scheme::Https)
    } else if url.scheme().eq_ignore_ascii_case("http") {
        Some(Scheme::Http)
    } else {
        None
    }
}

/// How far a document is from the first URL, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
#[repr(u8)]
pub enum Moved {
    /// The same URL.
    #[default]
    No = 0,
    /// Another path of the origin.
    SameOrigin = 1,
    /// `http` became `https`, or `www.` was added or dropped.
    Canonical = 2,
    /// Another host or port of the site (its registrable domain; without the feature `psl` its host
    /// and subdomains).
    SameSite = 3,
    /// Another site: only for robots.txt, and for approved URLs.
    OtherSite = 4,
}

impl Moved {
    /// `no`, `same-origin`, `canonical`, `same-site` or `other-site`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::SameOrigin => "same-origin",
            Self::Canonical => "canonical",
            Self::SameSite => "same-site",
            Self::OtherSite => "other-site",
        }
    }
}

/// The distance of `target` from `from`.
pub(super) fn moved(from: &Url<'_>, target: &Url<'_>) -> Moved {
    let same_host = from.is_same_host(target);
    let (port, target_port) = (from.effective_port(), target.effective_port());
    let same_port = port == target_port;
    let same_scheme = web_scheme(from) == web_scheme(target);
    let upgraded = port == Some(80) && target_port == Some(443) && target.is_secure();
    let www = !same_host && is_www_pair(from.host(), target.host());
    if same_host && same_port && same_scheme {
        return Moved::SameOrigin;
    }
    let related = same_host || {
        let found = relation(from.host(), target.host());
        // If the Public Suffix List has verified the relation, it counts. Otherwise, nothing is
        // known about parent domains, and `www.` is accepted.
        found.relation != Relation::Other || (www && !found.verified)
    };
    if !related {
        Moved::OtherSite
    } else if (same_host || www) && ((same_port && same_scheme) || upgraded) {
        Moved::Canonical
    } else if is_name(from) {
        Moved::SameSite
    } else {
        // Another port of an address or of the local machine may belong to another program.
        Moved::OtherSite
    }
}

/// Whether the host is a domain name other than a name of the local machine.
fn is_name(url: &Url<'_>) -> bool {
    url.host_kind() == HostKind::Domain && !url.is_loopback()
}

/// Whether one name is the other one with `www.` before it.
pub(super) fn is_www_pair(a: &str, b: &str) -> bool {
    let (a, b) = (a.strip_suffix('.').unwrap_or(a), b.strip_suffix('.').unwrap_or(b));
    let (www, name) = if a.len() < b.len() { (b, a) } else { (a, b) };
    match www.as_bytes().split_at_checked(4) {
        Some((front, back)) => {
            front.eq_ignore_ascii_case(b"www.") && back.eq_ignore_ascii_case(name.as_bytes())
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(text: &str) -> Result<std::string::String, OriginError> {
        Origin::parse(text).map(|origin| origin.as_str().into())
    }

    extern crate std;

    #[test]
    fn one_spelling() {
        for (text, expected) in [
            ("example.com", "https://example.com"),
            ("HTTP://EXAMPLE.com:80/", "http://example.com"),
            ("http://example.com:443/", "http://example.com:443"),
            ("https://example.com:08443?x#y", "https://example.com:8443"),
            ("http://0x7f.1:65535", "http://127.0.0.1:65535"),
            ("https://[2001:DB8::1]:8", "https://[2001:db8::1]:8"),
        ] {
            assert_eq!(origin(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_site() {
        for (text, expected) in [
            ("", OriginError::Invalid),
            ("mailto:a", OriginError::Invalid),
            ("https://", OriginError::Invalid),
            ("https://a b", OriginError::Invalid),
            ("https://example.com:0", OriginError::Invalid),
            ("localhost:00", OriginError::Invalid),
            ("ftp://example.com", OriginError::Scheme),
            ("file:///etc/passwd", OriginError::Invalid),
            ("a@b.example", OriginError::UserInfo),
            ("https://bücher.example", OriginError::NonAscii),
        ] {
            assert_eq!(origin(text), Err(expected), "{text}");
        }
        let long = "a".repeat(300);
        assert_eq!(origin(&long), Err(OriginError::TooLong));
        assert_eq!(origin(&"a".repeat(3000)), Err(OriginError::TooLong));
        assert_eq!(origin(&std::format!("https://{long}")), Err(OriginError::TooLong));
    }

    #[test]
    fn how_urls_lie() {
        use Moved::{Canonical, OtherSite, SameOrigin, SameSite};
        for (from, target, expected) in [
            ("https://example.com/a", "https://EXAMPLE.com.:443/b", SameOrigin),
            ("http://example.com/", "https://example.com/", Canonical),
            ("http://example.com/", "https://www.example.com/", Canonical),
            ("https://www.example.com/", "https://example.com/", Canonical),
            ("https://example.com/", "https://example.com:8443/", SameSite),
            ("https://example.com/", "https://www.example.com:8443/", SameSite),
            ("https://example.com/", "https://a.example.com/", SameSite),
            ("https://example.com/", "https://example.org/", OtherSite),
            ("https://example.com/", "https://example.com.evil.test/", OtherSite),
            ("https://example.com/", "https://evilexample.com/", OtherSite),
            ("https://example.com/", "https://wwwxexample.com/", OtherSite),
            ("https://example.com/", "https://1.2.3.4/", OtherSite),
            ("http://1.2.3.4/", "https://1.2.3.4/", Canonical),
            ("http://1.2.3.4/", "http://1.2.3.5/", OtherSite),
            ("http://1.2.3.4/", "http://1.2.3.4:81/", OtherSite),
            ("http://localhost:1/", "http://localhost:2/", OtherSite),
            ("http://localhost/", "http://www.localhost/", OtherSite),
            ("http://localhost:1/", "http://LOCALHOST.:1/", SameOrigin),
            ("http://[::1]/", "http://[0:0::1]/", SameOrigin),
        ] {
            let url = |text: &'static str| Url::parse(text.as_bytes()).unwrap();
            assert_eq!(moved(&url(from), &url(target)), expected, "{from} {target}");
        }
    }
}
