//! The relation between the host of an endpoint and the host of the document that names it.

use super::host;
#[cfg(feature = "psl")]
use super::suffix::registrable_domain;
use crate::scan;

/// The relation of two hosts, the closest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Relation {
    /// The same host. Case, a trailing dot and the spelling of an address are ignored.
    SameHost,
    /// The endpoint's host is a subdomain of the document's host.
    Subdomain,
    /// Both have the same registrable domain.
    SameRegistrableDomain,
    /// No known relation.
    Other,
}

impl Relation {
    /// `same-host`, `subdomain`, `same-registrable-domain` or `other`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SameHost => "same-host",
            Self::Subdomain => "subdomain",
            Self::SameRegistrableDomain => "same-registrable-domain",
            Self::Other => "other",
        }
    }
}

/// A relation, and whether it is certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct HostRelation {
    /// The relation of the hosts.
    pub relation: Relation,
    /// False if the Public Suffix List would be needed but was left out (feature `psl`, on by default), and if
    /// a host contains non-ASCII letters, which are compared as they are.
    pub verified: bool,
}

/// Returns the relation of `endpoint_host` to `document_host`, both as returned by
/// [`Url::host`](super::Url::host).
///
/// IP addresses and localhost match only themselves, and so do public suffixes (`github.io` and its
/// subdomains have different owners). Without the feature `psl` a subdomain is
/// [`Relation::Subdomain`], unverified. Two other names are [`Relation::Other`], unverified if
/// their last two labels are equal; if those differ, so do the registrable domains. An invalid host
/// has no relation. Takes linear time.
///
/// ```
/// use agentsdisc_core::syntax::url::{relation, Relation};
/// assert_eq!(relation("Example.com", "example.com.").relation, Relation::SameHost);
/// assert_eq!(relation("example.com", "mcp.example.com").relation, Relation::Subdomain);
/// assert_eq!(relation("example.com", "example.com.evil.test").relation, Relation::Other);
/// assert_eq!(relation("1.2.3.4", "5.2.3.4").relation, Relation::Other);
/// ```
pub fn relation(document_host: &str, endpoint_host: &str) -> HostRelation {
    if !host::is_host(document_host.as_bytes()) || !host::is_host(endpoint_host.as_bytes()) {
        return answer(Relation::Other, true);
    }
    relation_of(document_host.as_bytes(), endpoint_host.as_bytes())
}

const fn answer(relation: Relation, verified: bool) -> HostRelation {
    HostRelation { relation, verified }
}

/// Like [`relation`], for the hosts of parsed URLs, which are valid.
pub(crate) fn relation_of(document_host: &[u8], endpoint_host: &[u8]) -> HostRelation {
    let ascii = document_host.is_ascii() && endpoint_host.is_ascii();
    if host::is_same(document_host, endpoint_host) {
        return answer(Relation::SameHost, ascii);
    }
    if host::is_alone(document_host) || host::is_alone(endpoint_host) {
        return answer(Relation::Other, true);
    }
    let (document, endpoint) = (host::without_dot(document_host), host::without_dot(endpoint_host));
    let subdomain = is_below(endpoint, document);
    if !ascii || !cfg!(feature = "psl") {
        if subdomain {
            return answer(Relation::Subdomain, false);
        }
        // A registrable domain has at least two labels.
        let apart =
            ascii && last_two_labels(document).is_none_or(|last| !is_at_end(endpoint, last));
        return answer(Relation::Other, apart);
    }
    if !has_same_registrable_domain(document, endpoint) {
        return answer(Relation::Other, true);
    }
    answer(if subdomain { Relation::Subdomain } else { Relation::SameRegistrableDomain }, true)
}

/// True if `name` ends in a dot and `parent`. A parent of one label is a top-level domain or a name
/// of a local network, which does not own the names below it.
fn is_below(name: &[u8], parent: &[u8]) -> bool {
    let Some((front, back)) =
        name.len().checked_sub(parent.len()).and_then(|at| name.split_at_checked(at))
    else {
        return false;
    };
    scan::memchr(b'.', parent).is_some()
        && front.ends_with(b".")
        && back.eq_ignore_ascii_case(parent)
}

/// The last two labels of a name, with the dot between them; `None` if it has only one.
fn last_two_labels(name: &[u8]) -> Option<&[u8]> {
    let last = scan::memrchr(b'.', name)?;
    let start = scan::memrchr(b'.', name.get(..last)?).map_or(0, |dot| dot.wrapping_add(1));
    name.get(start..)
}

/// True if `name` is `end`, or ends in a dot and `end`.
fn is_at_end(name: &[u8], end: &[u8]) -> bool {
    name.eq_ignore_ascii_case(end) || is_below(name, end)
}

/// True if both ASCII names have the same registrable domain.
fn has_same_registrable_domain(a: &[u8], b: &[u8]) -> bool {
    match (registrable_domain(a), registrable_domain(b)) {
        (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
        _ => false,
    }
}

/// True if the registrable domain of a host and the dot before it are in its last `length` bytes.
/// False without the feature `psl`.
pub(crate) fn ends_with_domain(host: &[u8], length: usize) -> bool {
    let name = host::without_dot(host);
    let dot = host.len().saturating_sub(name.len());
    !host::is_alone(host)
        && registrable_domain(name).is_some_and(|domain| domain.len().saturating_add(dot) < length)
}

#[cfg(not(feature = "psl"))]
const fn registrable_domain(_: &[u8]) -> Option<&[u8]> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_only_match_themselves() {
        for (a, b) in [
            ("localhost", "a.localhost"),
            ("a.localhost", "localhost"),
            ("192.168.1.10", "10.168.1.10"),
            ("1.10", "192.168.1.10"),
            ("[::1]", "[::2]"),
            ("127.0.0.1", "localhost"),
            ("", ""),
            ("a b", "a b"),
            ("exa%6dple.com", "example.com"),
        ] {
            assert_eq!(
                relation(a, b),
                HostRelation { relation: Relation::Other, verified: true },
                "{a} {b}"
            );
        }
        for (a, b) in [
            ("localhost", "LOCALHOST."),
            ("127.0.0.1", "0x7f.1"),
            ("[::1]", "[0:0::1]"),
            ("a.b", "A.B."),
        ] {
            assert_eq!(
                relation(a, b),
                HostRelation { relation: Relation::SameHost, verified: true },
                "{a} {b}"
            );
        }
    }

    #[test]
    fn names_beyond_ascii_are_never_verified() {
        assert_eq!(
            relation("bücher.example", "bücher.example"),
            HostRelation { relation: Relation::SameHost, verified: false }
        );
        assert_eq!(
            relation("bücher.example", "a.bücher.example"),
            HostRelation { relation: Relation::Subdomain, verified: false }
        );
        assert_eq!(
            relation("bücher.example", "xn--bcher-kva.example"),
            HostRelation { relation: Relation::Other, verified: false }
        );
        assert_eq!(
            relation("xn--bcher-kva.example", "XN--BCHER-KVA.example"),
            HostRelation { relation: Relation::SameHost, verified: true }
        );
    }

    #[cfg(not(feature = "psl"))]
    #[test]
    fn without_the_list_only_subdomains_relate() {
        assert_eq!(
            relation("example.com", "a.EXAMPLE.com."),
            HostRelation { relation: Relation::Subdomain, verified: false }
        );
        for (a, b, verified) in [
            ("www.example.com", "example.com", false),
            ("a.example.com", "b.EXAMPLE.com.", false),
            ("a.co.uk", "b.co.uk", false),
            ("com", "example.com", true),
            ("example.com", "com", true),
            ("example.com", "badexample.com", true),
            ("a.example.com", "a.example.org", true),
        ] {
            assert_eq!(
                relation(a, b),
                HostRelation { relation: Relation::Other, verified },
                "{a} {b}"
            );
        }
    }

    #[cfg(feature = "psl")]
    #[test]
    fn the_list_knows_who_owns_what() {
        use Relation::{Other, SameRegistrableDomain, Subdomain};
        for (a, b, relation_expected) in [
            ("example.com", "a.EXAMPLE.com.", Subdomain),
            ("WWW.Example.com", "mcp.example.COM", SameRegistrableDomain),
            ("a.b.example.co.uk", "example.co.uk", SameRegistrableDomain),
            ("example.co.uk", "other.co.uk", Other),
            ("co.uk", "evil.co.uk", Other),
            ("com", "evil.com", Other),
            ("github.io", "evil.github.io", Other),
            ("a.github.io", "b.github.io", Other),
            ("a.github.io", "x.a.github.io", Subdomain),
            ("example.com", "example.com.evil.test", Other),
            ("example.com", "notexample.com", Other),
            ("a.xn--55qx5d.cn", "b.xn--55qx5d.cn", Other),
            ("intranet", "a.intranet", Other),
        ] {
            assert_eq!(
                relation(a, b),
                HostRelation { relation: relation_expected, verified: true },
                "{a} {b}"
            );
        }
    }
}
