//! Where a URL leads: what is left of it when only that matters.

use super::host::{self, HostKind};
use super::{Layout, Url};

/// Schemes with their ports: two that are secure, two more for the web, and another.
const SCHEMES: [(&[u8], u16); 5] = [
    (b"https", 443),
    (b"wss", 443),
    (b"http", 80),
    (b"ws", 80),
    (b"ftp", 21),
];

/// Scheme, host and port of a [`Url`], as they are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Server<'a> {
    scheme: &'a [u8],
    pub(crate) host: &'a [u8],
    port: Option<u16>,
}

impl<'a> Server<'a> {
    /// Where a URL with this text and layout leads.
    pub(crate) fn of(text: &'a [u8], layout: &Layout) -> Self {
        let part =
            |start: u32, end: u32| text.get(start as usize..end as usize).unwrap_or_default();
        let (scheme, host) = (
            part(0, layout.parts.scheme),
            part(layout.host.0, layout.host.1),
        );
        Self {
            scheme,
            host,
            port: layout.port,
        }
    }

    /// See [`Url::effective_port`].
    pub(crate) fn effective_port(&self) -> Option<u16> {
        self.port
            .or_else(|| SCHEMES.get(self.scheme_number()).map(|(_, port)| *port))
    }

    /// The place of the scheme among those that are known.
    fn scheme_number(&self) -> usize {
        SCHEMES
            .iter()
            .take_while(|(scheme, _)| !self.scheme.eq_ignore_ascii_case(scheme))
            .count()
    }

    /// Whether a client would fetch it: http, https, ws or wss.
    pub(crate) fn is_web(&self) -> bool {
        self.scheme_number() < 4
    }

    /// See [`Url::is_secure`].
    pub(crate) fn is_secure(&self) -> bool {
        self.scheme_number() < 2
    }

    /// See [`Url::host_kind`].
    pub(super) fn kind(&self) -> HostKind {
        // That of a URL is one.
        host::kind(self.host).unwrap_or(HostKind::Domain)
    }

    /// Whether the host is in ASCII.
    pub(crate) fn is_ascii(&self) -> bool {
        self.host.is_ascii()
    }

    /// See [`Url::is_loopback`].
    pub(crate) fn is_loopback(&self) -> bool {
        host::is_loopback(self.host)
    }

    /// Whether the origins are the same; see [`Url::is_same_origin`].
    pub(crate) fn is_same_as(&self, other: &Server<'_>) -> bool {
        self.scheme.eq_ignore_ascii_case(other.scheme)
            && self.is_same_host(other)
            && self.effective_port() == other.effective_port()
    }

    /// Whether the hosts are the same, whatever scheme and port are.
    pub(super) fn is_same_host(&self, other: &Server<'_>) -> bool {
        host::is_same(self.host, other.host)
    }
}

impl<'a> Url<'a> {
    /// Where it leads.
    pub(crate) fn server(&self) -> Server<'a> {
        Server::of(self.text.as_bytes(), &self.layout)
    }
}
