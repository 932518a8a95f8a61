//! How a manifest of the Agent Discovery Protocol says that callers authenticate: in one way, for the
//! whole service.

use super::adapt::Source;
use super::loss::{Part, Reason};
use super::out::{Name, Out, name};
use super::place;
use crate::diagnostic::Severity::{self, Info, Warning};
use crate::format::Format;
use crate::model::{
    AuthType, Capability, CapabilityAuth, Enumeration, List, Location, SecurityScheme, ServiceAuth,
};
use crate::syntax::text::Text;

const TYPE: Name = name("type", "", "type");
const HEADER: Name = name("header", "", "header");
const PREFIX: Name = name("prefix", "", "prefix");
const SETUP_URL: Name = name("setup_url", "", "setup_url");
const AUTHORIZATION_URL: Name = name("authorization_url", "", "authorization_url");
const TOKEN_URL: Name = name("token_url", "", "token_url");
const SCOPES: Name = name("scopes", "", "scopes");

/// How callers authenticate.
pub(super) struct Way<'a> {
    pub(super) kind: AuthType,
    /// The index of the only scheme of this kind.
    scheme: Option<u32>,
    header: Option<Text<'a>>,
    prefix: Option<Text<'a>>,
    setup_url: Option<Text<'a>>,
    authorization_url: Option<Text<'a>>,
    token_url: Option<Text<'a>>,
    scopes: List<'a, Text<'a>>,
    /// Whether it is known that the key is not sent in a header.
    is_elsewhere: bool,
}

impl<'a> Way<'a> {
    /// The strictest authentication that the capabilities need. `None` if the source states nothing.
    pub(super) fn of(source: &Source<'a, '_>) -> Option<Self> {
        let mut needed: Option<(AuthType, Option<Text<'a>>)> = None;
        let (mut has_own, mut is_any, mut is_stated) = (false, false, true);
        for one in source.reading.capabilities().filter(|one| source.omission(one).is_none()) {
            is_any = true;
            is_stated &= one.auth.is_some() || one.auth_required.is_some();
            let Some(auth) = needs(source, &one) else { continue };
            has_own |= one.auth.is_some();
            let (kind, token_url) = (auth.kind.value, auth.token_url);
            needed = Some(match needed {
                None => (kind, token_url),
                Some((same, url)) => (
                    if same == kind { same } else { AuthType::Unknown },
                    url.filter(|url| token_url == Some(*url)),
                ),
            });
        }
        let service = source.auth.filter(|own| own.kind.value != AuthType::None);
        let needed = needed.or(service.map(|own| (own.kind.value, own.token_url)));
        let schemes = source.reading.security_schemes();
        let Some((kind, token_url)) = needed else {
            let is_open = source.auth.is_some()
                || source.is_draft && !source.has_unread_auth
                || is_any && is_stated
                || source.format == Format::OpenApi && schemes.is_empty();
            return is_open.then(|| Self::new(AuthType::None));
        };
        let mut way = Self { token_url, ..Self::new(kind) };
        let service = service.filter(|own| own.kind.value == kind && !has_own);
        if let Some(own) = service {
            (way.header, way.prefix) = (own.header, own.prefix);
            (way.setup_url, way.authorization_url) = (own.setup_url, own.authorization_url);
            if kind == AuthType::OAuth2 {
                way.scopes = own.scopes;
            }
        }
        let is_described = !schemes.is_empty();
        let is_of_kind = |one: &SecurityScheme<'a>| one.kind.is_some_and(|own| own.value == kind);
        let mut same = schemes.zip(0..).filter(|(one, _)| is_of_kind(one));
        let only = same.next().filter(|_| same.next().is_none());
        way.scheme = only.map(|(_, index)| index);
        if let Some((scheme, _)) = only
            && service.is_none()
        {
            way.authorization_url = scheme.authorization_url;
            if scheme.location.is_some_and(|place| place.value == Location::Header) {
                way.header = scheme.parameter;
            }
        }
        match kind {
            AuthType::BearerToken => {
                way.header = way.header.or(Some(Text::plain(b"Authorization")));
                way.prefix = way.prefix.or(Some(Text::plain(b"Bearer")));
            }
            // A scheme says where the key is, and that it stands alone.
            AuthType::ApiKey if is_described => {
                way.is_elsewhere = way.header.is_none();
                way.prefix = way.header.and(way.prefix.or(Some(Text::EMPTY)));
            }
            _ => {}
        }
        Some(way)
    }

    const fn new(kind: AuthType) -> Self {
        Self {
            kind,
            scheme: None,
            header: None,
            prefix: None,
            setup_url: None,
            authorization_url: None,
            token_url: None,
            scopes: List::empty(),
            is_elsewhere: false,
        }
    }

    /// The name of the type in the protocol. Other names mean some authentication.
    const fn name(&self) -> &'static str {
        match self.kind {
            AuthType::None => "none",
            AuthType::OAuth2 => "oauth2",
            AuthType::Hmac => "hmac",
            AuthType::ApiKey | AuthType::BearerToken if !self.is_elsewhere => "api_key",
            _ => "unknown",
        }
    }
}

/// The authentication that a capability needs, if it needs some.
fn needs<'a>(source: &Source<'a, '_>, capability: &Capability<'a>) -> Option<CapabilityAuth<'a>> {
    source.auth_of(capability).filter(|auth| auth.kind.value != AuthType::None)
}

/// Writes the authentication of the service.
pub(super) fn of_service<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    way: Option<&Way<'a>>,
) {
    for (scheme, index) in source.reading.security_schemes().zip(0..) {
        let is_used = way.is_some_and(|way| way.scheme == Some(index));
        let (reason, severity) =
            if is_used { (Reason::Changed, Info) } else { (Reason::NoPlace, Warning) };
        let span = scheme.name.map_or(out.place, |name| out.span(name));
        out.lose(Part::item("security_schemes", index), reason, severity, span);
    }
    let Some(way) = way else { return };
    let place = match source.auth {
        Some(_) => place::of(out.bytes, source.format, &["auth"]),
        None => out.place,
    };
    out.object(Part::object("auth"), "auth", place, |out| {
        out.put(&TYPE, Text::plain(way.name().as_bytes()));
        out.text(&HEADER, way.header, Warning);
        out.text(&PREFIX, way.prefix, Warning);
        out.text(&SETUP_URL, way.setup_url, Warning);
        out.text(&AUTHORIZATION_URL, way.authorization_url, Warning);
        out.text(&TOKEN_URL, way.token_url, Warning);
        out.items(&SCOPES, way.scopes, false);
        if let Some(own) = &source.auth {
            unkept(out, own, way);
        }
    });
}

/// Reports what the manifest says otherwise of the authentication of the service.
fn unkept<'a>(out: &mut Out<'_, 'a>, own: &ServiceAuth<'a>, way: &Way<'a>) {
    let name = Text::plain(way.name().as_bytes());
    let is_text_kept = own.kind.differing_text().is_none_or(|text| text == name);
    if AuthType::of(name) != own.kind.value || !is_text_kept {
        let (reason, severity) = kept_kind(own.kind.value, Some(way));
        let span = own.kind.text.map_or(out.place, |text| out.span(text));
        out.lose(Part::object("type"), reason, severity, span);
    }
    for (member, own, written) in [
        ("header", own.header, way.header),
        ("prefix", own.prefix, way.prefix),
        ("setup_url", own.setup_url, way.setup_url),
        ("authorization_url", own.authorization_url, way.authorization_url),
        ("token_url", own.token_url, way.token_url),
        ("refresh_url", own.refresh_url, None),
        ("token_expiry", own.token_expiry, None),
    ] {
        out.lose_text(member, own.filter(|_| own != written), Reason::NoPlace, Warning);
    }
    out.no_place("scopes", !own.scopes.is_empty() && way.scopes.is_empty());
    // Every capability needs what the manifest states.
    out.no_place("required_for", !own.required_for.is_empty());
    out.no_place("optional_for", !own.optional_for.is_empty());
    out.lose_metadata("metadata", own.metadata);
}

/// How the manifest says that a caller needs authentication of this kind.
fn kept_kind(kind: AuthType, way: Option<&Way<'_>>) -> (Reason, Severity) {
    match way {
        Some(way) if way.kind == kind => (Reason::Changed, Info),
        _ => (Reason::NoPlace, Warning),
    }
}

/// Reports where the authentication of a capability is.
pub(super) fn of_entry<'a>(
    out: &mut Out<'_, 'a>,
    capability: &Capability<'a>,
    way: Option<&Way<'a>>,
) {
    let Some(auth) = capability.auth else { return };
    let place = out.span_of(auth.source);
    out.within(Part::object("auth"), place, |out| {
        let (reason, severity) = kept_kind(auth.kind.value, way);
        out.lose(Part::object("type"), reason, severity, place);
        let is_written = way.is_some_and(|way| way.token_url == auth.token_url);
        let (reason, severity) =
            if is_written { (Reason::Changed, Info) } else { (Reason::NoPlace, Warning) };
        out.lose_text("token_url", auth.token_url, reason, severity);
        if auth.kind.value != AuthType::OAuth2 {
            out.no_place("scopes", !auth.scopes.is_empty());
        } else if !auth.scopes.is_empty() {
            out.lose(Part::object("scopes"), Reason::Elsewhere, Info, place);
        }
        out.lose_text("docs_url", auth.docs_url, Reason::NoPlace, Warning);
        out.lose_metadata("metadata", auth.metadata);
    });
}
