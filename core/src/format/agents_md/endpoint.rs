//! Scheme and host of an endpoint, as far as the check of an agents.md needs them.
//!
//! It moves to `syntax::url`, which knows addresses and registrable domains; until then hosts of which neither is
//! a subdomain of the other are told apart by their last two labels only.

/// Longest host that is read: DNS allows 253 characters.
const HOST_LIMIT: usize = 256;

/// Scheme and host of an absolute http or https URL.
#[derive(Clone, Copy)]
pub(super) struct Url {
    pub(super) secure: bool,
    /// In lower case, without port, user and trailing dot.
    host: [u8; HOST_LIMIT],
    length: usize,
}

/// How the host of an endpoint relates to that of the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Same,
    Subdomain,
    /// The last two labels are the same: without the Public Suffix List that says nothing.
    Undecided,
    Other,
}

impl Url {
    /// `None` where it is no absolute http or https URL, or its host is empty, not ASCII or too long.
    pub(super) fn read(mut chars: impl Iterator<Item = char> + Clone) -> Option<Self> {
        let secure = skip_scheme(&mut chars)?;
        let mut url = Self { secure, host: [0; HOST_LIMIT], length: 0 };
        let mut port = false;
        let mut bracket = false;
        for c in chars {
            match c {
                '/' | '?' | '#' => break,
                // What stood before was a user, however much it looks like a host.
                '@' => (url.length, port, bracket) = (0, false, false),
                ':' if !bracket => port = true,
                _ if port => {}
                // A browser takes a backslash for a slash, others take it for part of a user.
                _ if !c.is_ascii_graphic() || c == '\\' || c == '%' => return None,
                _ => {
                    bracket = (bracket || c == '[') && c != ']';
                    *url.host.get_mut(url.length)? = c.to_ascii_lowercase() as u8;
                    url.length += 1;
                }
            }
        }
        if let [.., b'.'] = url.host() {
            url.length -= 1;
        }
        (url.length > 0).then_some(url)
    }

    fn host(&self) -> &[u8] {
        self.host.get(..self.length).unwrap_or_default()
    }

    /// Whether the host is this machine.
    pub(super) fn is_local(&self) -> bool {
        let host = self.host();
        host == b"localhost" || host.ends_with(b".localhost") || host == b"[::1]" || (host.starts_with(b"127.") && is_address(host))
    }

    /// How this host relates to that of `origin`.
    pub(super) fn relation(&self, origin: &Self) -> Relation {
        let (host, origin) = (self.host(), origin.host());
        if host == origin {
            return Relation::Same;
        }
        if is_address(host) || is_address(origin) {
            return Relation::Other;
        }
        if host.strip_suffix(origin).is_some_and(|rest| rest.ends_with(b".")) {
            return Relation::Subdomain;
        }
        if last_two(host).is_some() && last_two(host) == last_two(origin) { Relation::Undecided } else { Relation::Other }
    }

    /// Whether the path of the URL that `chars` are is `path`.
    pub(super) fn is_at(&self, mut chars: impl Iterator<Item = char> + Clone, path: &str) -> bool {
        if skip_scheme(&mut chars).is_none() {
            return false;
        }
        let found = chars.skip_while(|c| !matches!(c, '/' | '?' | '#')).take_while(|c| !matches!(c, '?' | '#'));
        found.eq(path.chars())
    }
}

/// Passes `http://` or `https://`; whether it was the latter.
fn skip_scheme(chars: &mut (impl Iterator<Item = char> + Clone)) -> Option<bool> {
    for (scheme, secure) in [("https://", true), ("http://", false)] {
        let mut rest = chars.clone();
        if scheme.chars().all(|expected| rest.next().is_some_and(|c| c.eq_ignore_ascii_case(&expected))) {
            *chars = rest;
            return Some(secure);
        }
    }
    None
}

/// Whether a host is an IP address: in brackets, or its last label is a number.
fn is_address(host: &[u8]) -> bool {
    let last = host.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    host.starts_with(b"[") || last.first().is_some_and(u8::is_ascii_digit)
}

fn last_two(host: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut labels = host.rsplit(|&byte| byte == b'.');
    Some((labels.next()?, labels.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(endpoint: &str, origin: &str) -> Option<Relation> {
        Some(Url::read(endpoint.chars())?.relation(&Url::read(origin.chars())?))
    }

    #[test]
    fn hosts_are_compared() {
        let origin = "https://shop.example.com/x";
        assert_eq!(relation("https://SHOP.example.com.:8443/mcp", origin), Some(Relation::Same));
        assert_eq!(relation("https://api.shop.example.com", origin), Some(Relation::Subdomain));
        assert_eq!(relation("https://example.com/mcp", origin), Some(Relation::Undecided));
        assert_eq!(relation("https://evilshop.example.com/mcp", origin), Some(Relation::Undecided));
        assert_eq!(relation("https://shop.example.com@evil.test/mcp", origin), Some(Relation::Other));
        assert_eq!(relation("https://10.0.0.1/", "https://1.10.0.1"), Some(Relation::Other));
        for none in ["//shop.example.com/", "https:///x", "ftp://a", "https://ex\u{e4}mple.com", "https://a\\@b", "mcp"] {
            assert_eq!(relation(none, origin), None, "{none}");
        }
        assert!(Url::read("http://127.0.0.1:8080/".chars()).is_some_and(|url| url.is_local() && !url.secure));
        assert!(Url::read("http://127.example.com/".chars()).is_some_and(|url| !url.is_local()));
    }
}
