//! What is asked of URLs.

use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::manifest::Protocol;
use crate::span::Span;
use crate::syntax::text::Text;
use crate::syntax::url::{HostRelation, Relation, Url, is_blank_or_control, relation};

/// What is asked of a URL besides being one.
#[derive(Clone, Copy)]
pub(crate) enum Secure {
    /// Nothing.
    NotAsked,
    /// https.
    Http,
    /// https, or wss where WebSocket may be spoken.
    Endpoint(Protocol),
}

/// What is wrong with a URL.
#[derive(Clone, Copy)]
pub(crate) struct Finding {
    pub(crate) code: Code,
    pub(crate) severity: Severity,
    pub(crate) message: &'static str,
    /// Whether it is no URL, or none of a scheme that is asked for.
    is_none: bool,
}

impl Finding {
    const fn new(code: Code, message: &'static str) -> Self {
        Self {
            code,
            severity: code.severity(),
            message,
            is_none: false,
        }
    }

    const fn none(message: &'static str) -> Self {
        Self {
            is_none: true,
            ..Self::new(Code::InvalidUrl, message)
        }
    }
}

/// Whether a text is an absolute URL with a host.
pub(crate) fn is_url(text: Text<'_>) -> bool {
    Url::lazily(text, &mut None).is_some()
}

/// Whether a host surely belongs to somebody else. Without the Public Suffix List two hosts whose last two labels differ do, for no two
/// names below one registrable domain differ in them; of others nothing is said.
pub(crate) fn is_elsewhere(host: &str, other: &str) -> bool {
    let HostRelation { relation, verified } = relation(host, other);
    let differ = || {
        last_labels(host)
            .zip(last_labels(other))
            .any(|(a, b)| !a.eq_ignore_ascii_case(b))
    };
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

/// A URL that policy refuses, though it has every part that it needs.
pub(crate) const AMBIGUOUS: &str =
    "{} has a user, a password or a backslash in it, which agents refuse; remove that";

/// Whether a URL has user information, or a backslash in its path.
pub(crate) fn is_refused(url: &Url<'_>) -> bool {
    url.has_userinfo() || url.path().bytes().any(|octet| octet == b'\\')
}

/// What is said of an endpoint that policy refuses unless the caller has approved it. Most are meant.
pub(crate) fn elsewhere(endpoint: Text<'_>, span: Span) -> Diagnostic<'_> {
    let message = "{} is on another domain than the site, so that agents call it only where their user approves";
    Diagnostic::new(Code::CrossOriginEndpoint, span, Spec::Ruling, "", message)
        .with_severity(Severity::Info)
        .about(endpoint)
}

/// Whether a reference is a path of the site, from its root.
pub(crate) fn is_rooted(reference: Text<'_>) -> bool {
    let mut chars = reference.chars();
    chars.next() == Some('/') && chars.next() != Some('/')
}

/// Whether a reference, such as a path of the site, has what two readers could read in two ways: blanks, control characters, or a backslash
/// before the query.
pub(crate) fn is_ambiguous(reference: Text<'_>) -> bool {
    let mut before_query = true;
    reference.chars().any(|c| {
        before_query &= !matches!(c, '?' | '#');
        is_blank_or_control(c) || (c == '\\' && before_query)
    })
}

/// What is wrong with a URL that must be absolute, and as secure as is asked.
pub(crate) fn judge(text: Text<'_>, secure: Secure) -> Option<Finding> {
    judge_read(Url::lazily(text, &mut None).as_ref(), secure)
}

/// The same of one that was read, where it could be.
pub(crate) fn judge_read(url: Option<&Url<'_>>, secure: Secure) -> Option<Finding> {
    match url {
        Some(url) => judge_url(url, secure),
        None => Some(Finding::none(
            "{} is no absolute URL with a host; write one, such as https://example.com/path",
        )),
    }
}

/// The same of an endpoint, which may be a path of the site. `neither` is what is said of one that is neither.
pub(crate) fn judge_endpoint(
    endpoint: Text<'_>,
    secure: Secure,
    neither: &'static str,
) -> Option<Finding> {
    if is_rooted(endpoint) {
        let message = "{} has a blank, a control character or a backslash in it, which agents refuse; encode it";
        return is_ambiguous(endpoint).then_some(Finding::new(Code::InvalidUrl, message));
    }
    let finding = judge(endpoint, secure)?;
    Some(if finding.is_none {
        Finding {
            message: neither,
            ..finding
        }
    } else {
        finding
    })
}

/// The same of a URL that is one. User information is nobody's business in a document that everybody reads.
pub(crate) fn judge_url(url: &Url<'_>, secure: Secure) -> Option<Finding> {
    if is_refused(url) {
        return Some(Finding::new(Code::InvalidUrl, AMBIGUOUS));
    }
    let is = |scheme: &str| url.scheme().eq_ignore_ascii_case(scheme);
    let (web_sockets, insecure) = match secure {
        Secure::NotAsked => return None,
        Secure::Http => (false, "{} is not secure; use https"),
        Secure::Endpoint(Protocol::WebSocket) => (true, "{} is not secure; use wss or https"),
        // Where the protocol is missing or not known, it may well be one over WebSocket.
        Secure::Endpoint(protocol) => {
            (protocol == Protocol::Unknown, "{} is not secure; use https")
        }
    };
    if is("https") || (web_sockets && is("wss")) {
        let message = "the host of {} is not ASCII, so that agents send it no credentials; write it as it stands in the DNS";
        let unverified = Finding {
            severity: Severity::Warning,
            ..Finding::new(Code::InvalidUrl, message)
        };
        return Some(unverified).filter(|_| !url.host().is_ascii());
    }
    if is("http") || (web_sockets && is("ws")) {
        let severity = if url.is_loopback() {
            Severity::Info
        } else {
            Severity::Error
        };
        return Some(Finding {
            severity,
            ..Finding::new(Code::InsecureUrl, insecure)
        });
    }
    let message = if web_sockets {
        "{} has a scheme that is not wss or https; use one of them"
    } else {
        "{} has a scheme that is not https; use that"
    };
    Some(Finding::none(message))
}
