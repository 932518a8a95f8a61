//! Where a URL leads: what is left of it when only that matters.

use super::Url;
use super::host::{self, HostKind};

/// Scheme, host and port of a [`Url`], as they are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Server<'a> {
    pub(crate) scheme: &'a [u8],
    pub(crate) host: &'a [u8],
    pub(crate) kind: HostKind,
    pub(crate) port: Option<u16>,
}

impl Server<'_> {
    /// See [`Url::effective_port`].
    pub(super) fn effective_port(&self) -> Option<u16> {
        const DEFAULTS: [(&[u8], u16); 5] = [(b"https", 443), (b"http", 80), (b"wss", 443), (b"ws", 80), (b"ftp", 21)];
        self.port.or_else(|| DEFAULTS.iter().find(|(scheme, _)| self.scheme.eq_ignore_ascii_case(scheme)).map(|(_, port)| *port))
    }

    /// See [`Url::is_secure`].
    pub(crate) const fn is_secure(&self) -> bool {
        self.scheme.eq_ignore_ascii_case(b"https") || self.scheme.eq_ignore_ascii_case(b"wss")
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
    pub(crate) fn server(&self) -> Server<'a> {
        Server { scheme: self.scheme().as_bytes(), host: self.host().as_bytes(), kind: self.kind, port: self.port }
    }
}
