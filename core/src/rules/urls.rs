//! Checks of URLs.

use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::model::Protocol;
use crate::span::Span;
use crate::syntax::text::Text;
use crate::syntax::url::{HostKind, HostRelation, Relation, Url, is_blank_or_control, relation};

/// The scheme that a URL must have.
#[derive(Clone, Copy)]
pub(crate) enum Secure {
    /// Any scheme.
    NotAsked,
    /// https or http: for pages that people read.
    Web,
    /// https.
    Http,
    /// https; also wss if the protocol may run over WebSocket.
    Endpoint(Protocol),
}

/// Which references are allowed in a public document, in addition to absolute URLs with a host.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    /// No others.
    No,
    /// URIs without a host. A relative reference is a warning.
    Uris,
    /// Relative references.
    Relative,
}

/// A problem with a URL.
#[derive(Clone, Copy)]
pub(crate) struct Finding {
    pub(crate) code: Code,
    pub(crate) severity: Severity,
    pub(crate) message: &'static str,
    /// Whether the text is not a URL, or has a scheme that is not allowed.
    is_none: bool,
}

impl Finding {
    const fn new(code: Code, message: &'static str) -> Self {
        Self { code, severity: code.severity(), message, is_none: false }
    }

    const fn none(message: &'static str) -> Self {
        Self { is_none: true, ..Self::new(Code::InvalidUrl, message) }
    }
}

/// Whether a text is an absolute URL with a host.
pub(crate) fn is_url(text: Text<'_>) -> bool {
    Url::lazily(text, &mut None).is_some()
}

/// Whether two hosts certainly have different owners. Without the Public Suffix List, this is true
/// only if their last two labels differ, because names on one registrable domain share these
/// labels. All other cases are undecided and return false.
pub(crate) fn is_elsewhere(host: &str, other: &str) -> bool {
    let HostRelation { relation, verified } = relation(host, other);
    let differ =
        || last_labels(host).zip(last_labels(other)).any(|(a, b)| !a.eq_ignore_ascii_case(b));
    relation == Relation::Other && (verified || differ())
}

fn last_labels(host: &str) -> impl Iterator<Item = &[u8]> {
    let host = host.as_bytes();
    host.strip_suffix(b".")
        .unwrap_or(host)
        .rsplit(|&byte| byte == b'.')
        .chain(core::iter::once(&b""[..]))
        .take(2)
}

/// The message for absolute URLs that the policy rejects.
pub(crate) const AMBIGUOUS: &str =
    "{} contains a user, a password or a backslash, so agents reject it; remove that part";

/// Whether a URL has user information, or a backslash in its path.
pub(crate) fn is_refused(url: &Url<'_>) -> bool {
    url.has_userinfo() || url.path().bytes().any(|octet| octet == b'\\')
}

/// Returns the diagnostic for an endpoint on another domain. The policy denies such an endpoint
/// unless the caller approves it. The severity is info, because most such endpoints are intended.
pub(crate) fn elsewhere(endpoint: Text<'_>, span: Span) -> Diagnostic<'_> {
    let message =
        "{} is on another domain than the site, so agents call it only if their user approves it";
    Diagnostic::new(Code::CrossOriginEndpoint, span, Spec::Ruling, "", message)
        .with_severity(Severity::Info)
        .about(endpoint)
}

/// Whether a reference is a path from the root of the site.
pub(crate) fn is_rooted(reference: Text<'_>) -> bool {
    let mut chars = reference.chars();
    chars.next() == Some('/') && chars.next() != Some('/')
}

/// Whether parsers can read a reference, such as a path, in different ways: it contains blanks,
/// control characters, or a backslash before the query.
pub(crate) fn is_ambiguous(reference: Text<'_>) -> bool {
    let mut before_query = true;
    reference.chars().any(|c| {
        before_query &= !matches!(c, '?' | '#');
        is_blank_or_control(c) || (c == '\\' && before_query)
    })
}

/// Returns the problem with a URL that must be absolute and have the required scheme.
pub(crate) fn judge(text: Text<'_>, secure: Secure) -> Option<Finding> {
    judge_read(Url::lazily(text, &mut None).as_ref(), secure)
}

/// Like [`judge`], for a URL that is already parsed; `None` if parsing failed.
pub(crate) fn judge_read(url: Option<&Url<'_>>, secure: Secure) -> Option<Finding> {
    match url {
        Some(url) => judge_url(url, secure),
        None => Some(Finding::none(
            "{} is not an absolute URL with a host; write one such as https://example.com/path",
        )),
    }
}

/// Like [`judge`], for the URL of a public document. Also reports private addresses.
pub(crate) fn judge_public(text: Text<'_>, secure: Secure, others: Others) -> Option<Finding> {
    let mut buffer = None;
    if let Some(url) = Url::lazily(text, &mut buffer) {
        return private(&url).or_else(|| judge_url(&url, secure));
    }
    let is_web = text.starts_with_ignore_case("http:") || text.starts_with_ignore_case("https:");
    if others == Others::No || is_web {
        return judge_read(None, secure);
    }
    if is_ambiguous(text) {
        let message = "{} contains a space, a control character or a backslash, so clients reject it; percent-encode it";
        return Some(Finding::new(Code::InvalidUrl, message));
    }
    match (others, has_scheme(text)) {
        (Others::Uris, false) => {
            let message = "{} is relative, so it depends on where the document is read; write an absolute URL";
            Some(Finding { severity: Severity::Warning, ..Finding::new(Code::InvalidUrl, message) })
        }
        (Others::Relative, true) => judge_read(None, secure),
        _ => None,
    }
}

/// Returns a finding if a URL in a public document is on a private or local network.
pub(crate) fn judge_private(text: Text<'_>) -> Option<Finding> {
    private(&Url::lazily(text, &mut None)?)
}

fn private(url: &Url<'_>) -> Option<Finding> {
    let message = "{} is on a private or local network, which nobody else can reach, and clients refuse it; write a public URL";
    is_private(url).then_some(Finding::new(Code::PrivateAddress, message))
}

/// Whether a reference begins with the scheme of a URI.
pub(crate) fn has_scheme(text: Text<'_>) -> bool {
    let mut chars = text.chars();
    let is_in_scheme = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.find(|c| !is_in_scheme(c)) == Some(':')
}

/// Whether the host of a URL is on a private or local network, or is a reserved address or name
/// that nobody can reach.
fn is_private(url: &Url<'_>) -> bool {
    match url.host_kind() {
        HostKind::Ipv4(ip) => is_private_v4(ip.octets()),
        HostKind::Ipv6(ip) => match ip.segments() {
            // Addresses that contain an IPv4 address: IPv4-mapped, IPv4-compatible, NAT64 and 6to4.
            [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
            | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
            | [0x2002, high, low, ..] => {
                let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
                is_private_v4([a, b, c, d])
            }
            [0x64, 0xff9b, 1, ..]
            | [0x100, 0, 0, 0, ..]
            | [0x2001, 2, 0, ..]
            | [0x2001, 0xdb8, ..]
            | [0x3fff, 0..=0xfff, ..]
            | [0xfc00..=0xfdff | 0xfe80..=0xffff, ..] => true,
            _ => false,
        },
        HostKind::Domain => {
            let host = url.host().as_bytes();
            let host = host.strip_suffix(b".").unwrap_or(host);
            let mut labels = host.rsplit(|octet| *octet == b'.');
            let is_one = |label: Option<&[u8]>, names: &[&str]| {
                let mut names = names.iter();
                label.is_some_and(|label| {
                    names.any(|name| label.eq_ignore_ascii_case(name.as_bytes()))
                })
            };
            let (last, before) = (labels.next(), labels.next());
            is_one(last, &NETWORKS) || is_one(last, &["arpa"]) && is_one(before, &["home"])
        }
    }
}

/// The last labels of names in private networks (RFC 6761, RFC 6762 appendix G).
const NETWORKS: [&str; 9] =
    ["localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "lan", "home"];

/// Whether an address is not on the public internet (RFC 6890): it is on a private, local or shared
/// network, for documentation or benchmarks, multicast, or reserved.
const fn is_private_v4(octets: [u8; 4]) -> bool {
    matches!(
        octets,
        [0 | 10 | 127 | 224..=255, ..]
            | [100, 64..=127, ..]
            | [169, 254, ..]
            | [172, 16..=31, ..]
            | [192, 168, ..]
            | [192, 0, 0 | 2, _]
            | [198, 18 | 19, ..]
            | [198, 51, 100, _]
            | [203, 0, 113, _]
    )
}

/// Like [`judge`], for an endpoint, which may also be a path of the site. `neither` is the message
/// for a text that is neither.
pub(crate) fn judge_endpoint(
    endpoint: Text<'_>,
    secure: Secure,
    neither: &'static str,
) -> Option<Finding> {
    if is_rooted(endpoint) {
        let message = "{} contains a space, a control character or a backslash, so agents reject it; percent-encode it";
        return is_ambiguous(endpoint).then_some(Finding::new(Code::InvalidUrl, message));
    }
    let finding = judge(endpoint, secure)?;
    Some(if finding.is_none { Finding { message: neither, ..finding } } else { finding })
}

/// Like [`judge`], for a parsed URL. Rejects user information, because a public document must not
/// contain it.
pub(crate) fn judge_url(url: &Url<'_>, secure: Secure) -> Option<Finding> {
    if is_refused(url) {
        return Some(Finding::new(Code::InvalidUrl, AMBIGUOUS));
    }
    let is = |scheme: &str| url.scheme().eq_ignore_ascii_case(scheme);
    let (web_sockets, insecure) = match secure {
        Secure::NotAsked => return None,
        Secure::Web if is("https") || is("http") => return None,
        Secure::Web => {
            return Some(Finding {
                severity: Severity::Warning,
                ..Finding::none("{} has a scheme other than https; use https")
            });
        }
        Secure::Http => (false, "{} is not secure; use https"),
        Secure::Endpoint(Protocol::WebSocket) => (true, "{} is not secure; use wss or https"),
        // A protocol that is absent or unknown may use WebSocket.
        Secure::Endpoint(protocol) => {
            (protocol == Protocol::Unknown, "{} is not secure; use https")
        }
    };
    if is("https") || (web_sockets && is("wss")) {
        let message = "the host of {} has non-ASCII characters, so agents do not send it credentials; write it in Punycode, as in the DNS";
        let unverified =
            Finding { severity: Severity::Warning, ..Finding::new(Code::InvalidUrl, message) };
        return Some(unverified).filter(|_| !url.host().is_ascii());
    }
    if is("http") || (web_sockets && is("ws")) {
        let severity = if url.is_loopback() { Severity::Info } else { Severity::Error };
        return Some(Finding { severity, ..Finding::new(Code::InsecureUrl, insecure) });
    }
    let message = if web_sockets {
        "{} has a scheme other than wss and https; use one of them"
    } else {
        "{} has a scheme other than https; use https"
    };
    Some(Finding::none(message))
}
