//! The server of a URL: the parts that decide where a request goes.

use super::host::{self, HostKind};
use super::{Layout, Url};

/// Schemes with their ports: two secure ones, two other web schemes, and others.
const SCHEMES: [(&[u8], u16); 5] =
    [(b"https", 443), (b"wss", 443), (b"http", 80), (b"ws", 80), (b"ftp", 21)];

/// The scheme, the host and the port of a [`Url`] as written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Server<'a> {
    scheme: &'a [u8],
    pub(crate) host: &'a [u8],
    port: Option<u16>,
}

impl<'a> Server<'a> {
    /// The server of a URL with this text and layout.
    pub(crate) fn of(text: &'a [u8], layout: &Layout) -> Self {
        let part =
            |start: u32, end: u32| text.get(start as usize..end as usize).unwrap_or_default();
        let (scheme, host) = (part(0, layout.parts.scheme), part(layout.host.0, layout.host.1));
        Self { scheme, host, port: layout.port }
    }

    /// See [`Url::effective_port`].
    pub(crate) fn effective_port(&self) -> Option<u16> {
        self.port.or_else(|| SCHEMES.get(self.scheme_number()).map(|(_, port)| *port))
    }

    /// The index of the scheme among the known ones.
    fn scheme_number(&self) -> usize {
        SCHEMES.iter().take_while(|(scheme, _)| !self.scheme.eq_ignore_ascii_case(scheme)).count()
    }

    /// True if a client would fetch it: http, https, ws or wss.
    pub(crate) fn is_web(&self) -> bool {
        self.scheme_number() < 4
    }

    /// See [`Url::is_secure`].
    pub(crate) fn is_secure(&self) -> bool {
        self.scheme_number() < 2
    }

    /// See [`Url::host_kind`].
    pub(super) fn kind(&self) -> HostKind {
        // The host of a parsed URL is valid.
        host::kind(self.host).unwrap_or(HostKind::Domain)
    }

    /// True if the host is ASCII.
    pub(crate) fn is_ascii(&self) -> bool {
        self.host.is_ascii()
    }

    /// See [`Url::is_loopback`].
    pub(crate) fn is_loopback(&self) -> bool {
        host::is_loopback(self.host)
    }

    /// True if the origins are the same; see [`Url::is_same_origin`].
    pub(crate) fn is_same_as(&self, other: &Server<'_>) -> bool {
        self.scheme.eq_ignore_ascii_case(other.scheme)
            && self.is_same_host(other)
            && self.effective_port() == other.effective_port()
    }

    /// True if the hosts are the same, independent of scheme and port.
    pub(super) fn is_same_host(&self, other: &Server<'_>) -> bool {
        host::is_same(self.host, other.host)
    }
}

impl<'a> Url<'a> {
    /// The server.
    pub(crate) fn server(&self) -> Server<'a> {
        Server::of(self.text.as_bytes(), &self.layout)
    }
}
