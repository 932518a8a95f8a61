//! Where a URL leads: what is left of it when only that matters.

use super::host::{self, HostKind};
use super::{Layout, Url};

/// Scheme, host and port of a [`Url`], as they are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Server<'a> {
    pub(super) scheme: &'a [u8],
    pub(crate) host: &'a [u8],
    pub(super) kind: HostKind,
    pub(super) port: Option<u16>,
}

impl<'a> Server<'a> {
    /// Where a URL with this text and layout leads.
    pub(crate) fn of(text: &'a [u8], layout: &Layout) -> Self {
        let part = |start: u32, end: u32| text.get(start as usize..end as usize).unwrap_or_default();
        let (scheme, host) = (part(0, layout.parts.scheme), part(layout.host.0, layout.host.1));
        Self { scheme, host, kind: layout.kind, port: layout.port }
    }

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
        Server::of(self.text.as_bytes(), &self.layout)
    }
}
