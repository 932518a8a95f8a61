//! What is asked of URLs.

use crate::diagnostic::{Code, Severity};
use crate::manifest::Protocol;
use crate::syntax::text::Text;
use crate::syntax::url::{HostRelation, Relation, Url, relation};

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
}

impl Finding {
    const fn new(code: Code, message: &'static str) -> Self {
        Self { code, severity: code.severity(), message }
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
    let differ = || last_labels(host).zip(last_labels(other)).any(|(a, b)| !a.eq_ignore_ascii_case(b));
    relation == Relation::Other && (verified || differ())
}

fn last_labels(host: &str) -> impl Iterator<Item = &[u8]> {
    let host = host.as_bytes();
    host.strip_suffix(b".").unwrap_or(host).rsplit(|&byte| byte == b'.').chain(core::iter::once(&b""[..])).take(2)
}

/// What is wrong with a URL that must be absolute, and as secure as is asked.
pub(crate) fn judge(text: Text<'_>, secure: Secure) -> Option<Finding> {
    judge_read(Url::lazily(text, &mut None).as_ref(), secure)
}

/// The same of one that was read, where it could be.
pub(crate) fn judge_read(url: Option<&Url<'_>>, secure: Secure) -> Option<Finding> {
    match url {
        Some(url) => judge_url(url, secure),
        None => Some(Finding::new(Code::InvalidUrl, "{} is no absolute URL with a host; write one, such as https://example.com/path")),
    }
}

/// The same of a URL that is one.
pub(crate) fn judge_url(url: &Url<'_>, secure: Secure) -> Option<Finding> {
    let is = |scheme: &str| url.scheme().eq_ignore_ascii_case(scheme);
    let (web_sockets, insecure) = match secure {
        Secure::NotAsked => return None,
        Secure::Http => (false, "{} is not secure; use https"),
        Secure::Endpoint(Protocol::WebSocket) => (true, "{} is not secure; use wss or https"),
        // Where the protocol is missing or not known, it may well be one over WebSocket.
        Secure::Endpoint(protocol) => (protocol == Protocol::Unknown, "{} is not secure; use https"),
    };
    if is("https") || (web_sockets && is("wss")) {
        return None;
    }
    if is("http") || (web_sockets && is("ws")) {
        let severity = if url.is_loopback() { Severity::Info } else { Severity::Error };
        return Some(Finding { severity, ..Finding::new(Code::InsecureUrl, insecure) });
    }
    let message = if web_sockets {
        "{} has a scheme that is not wss or https; use one of them"
    } else {
        "{} has a scheme that is not https; use that"
    };
    Some(Finding::new(Code::InvalidUrl, message))
}
