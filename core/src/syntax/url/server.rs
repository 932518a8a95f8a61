//! Where a URL leads: what is left of it when only that matters.

use super::Url;
use super::host::{self, HostKind};

/// Scheme, host and port of a [`Url`], half as large.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Server<'a> {
    pub(super) scheme: &'a str,
    pub(super) host: &'a str,
    pub(super) kind: HostKind,
    pub(super) port: Option<u16>,
}

impl<'a> Server<'a> {
    /// The host as written.
    pub(crate) const fn host(&self) -> &'a str {
        self.host
    }

    /// See [`Url::effective_port`].
    pub(super) fn effective_port(&self) -> Option<u16> {
        const DEFAULTS: [(&str, u16); 5] = [("https", 443), ("http", 80), ("wss", 443), ("ws", 80), ("ftp", 21)];
        self.port.or_else(|| DEFAULTS.iter().find(|(scheme, _)| self.scheme.eq_ignore_ascii_case(scheme)).map(|(_, port)| *port))
    }

    /// See [`Url::is_secure`].
    pub(crate) const fn is_secure(&self) -> bool {
        self.scheme.eq_ignore_ascii_case("https") || self.scheme.eq_ignore_ascii_case("wss")
    }

    /// See [`Url::is_loopback`].
    pub(crate) fn is_loopback(&self) -> bool {
        self.kind.is_loopback(self.host)
    }

    /// Whether the origins are the same; see [`Url::is_same_origin`].
    pub(crate) fn is_same_as(&self, other: &Server<'_>) -> bool {
        self.scheme.eq_ignore_ascii_case(other.scheme) && self.is_same_host(other) && self.effective_port() == other.effective_port()
    }

    /// Whether the hosts are the same, whatever scheme and port are.
    pub(super) fn is_same_host(&self, other: &Server<'_>) -> bool {
        host::is_same(self.host, self.kind, other.host, other.kind)
    }
}

impl<'a> Url<'a> {
    /// Where it leads.
    pub(crate) const fn server(&self) -> Server<'a> {
        Server { scheme: self.scheme, host: self.host, kind: self.kind, port: self.port }
    }
}
