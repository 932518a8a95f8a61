//! The components of a message that a signature covers, and their values (RFC 9421 section 2).

use super::message::{Message, is_plain};
use super::reason::Reason;
use crate::rules::method::is_token_octet;
use crate::sink::{Sink, put_number};
use crate::syntax::structured_field::{pairs, plain_string, put_value};
use crate::syntax::url::Url;

/// A component as a signature names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Component<'a> {
    pub(super) name: &'a [u8],
    /// `;key`: the member of the field, which is a dictionary.
    pub(super) key: Option<&'a [u8]>,
    /// `;name`: the parameter of the query.
    parameter: Option<&'a [u8]>,
    /// `;req`: it is in the request of the answer that is signed.
    of_request: bool,
}

impl<'a> Component<'a> {
    /// Reads an item of Signature-Input and its parameters.
    pub(super) fn read(item: &'a [u8], parameters: &'a [u8]) -> Result<Self, Reason> {
        let name = plain_string(item).filter(|name| is_name(name)).ok_or(Reason::MalformedInput)?;
        let mut component = Self { name, key: None, parameter: None, of_request: false };
        for (parameter, value) in pairs(parameters) {
            let text = || plain_string(value).ok_or(Reason::MalformedInput);
            let is_repeated = match parameter {
                b"key" => component.key.replace(text()?).is_some(),
                b"name" => component.parameter.replace(text()?).is_some(),
                b"req" if matches!(value, b"" | b"?1") => {
                    core::mem::replace(&mut component.of_request, true)
                }
                _ => return Err(Reason::UnsupportedComponent),
            };
            if is_repeated {
                return Err(Reason::RepeatedParameter);
            }
        }
        let is_query = name == b"@query-param";
        let is_derived = name.starts_with(b"@");
        if component.parameter.is_some() != is_query || is_derived && component.key.is_some() {
            return Err(Reason::UnsupportedComponent);
        }
        Ok(component)
    }

    /// A component without parameters.
    pub(super) fn named(name: &'a [u8]) -> Result<Self, Reason> {
        let is_query = name == b"@query-param";
        let name = Some(name).filter(|name| is_name(name) && !is_query);
        let name = name.ok_or(Reason::MalformedInput)?;
        Ok(Self { name, key: None, parameter: None, of_request: false })
    }

    /// Writes the value.
    pub(super) fn put(
        &self,
        message: &Message<'a>,
        sink: &mut (impl Sink + ?Sized),
    ) -> Result<(), Reason> {
        if self.of_request && message.answer.is_none() {
            return Err(Reason::UnsupportedComponent);
        }
        if !self.name.starts_with(b"@") {
            return self.put_field(message, sink);
        }
        // What follows is only in requests.
        if self.of_request != message.answer.is_some() {
            return Err(Reason::UnsupportedComponent);
        }
        let url = url_of(message)?;
        match self.name {
            b"@method" => sink.put(message.method),
            b"@authority" => put_authority(&url, sink),
            b"@scheme" => put_lowercase(url.scheme(), sink),
            b"@target-uri" => {
                put_lowercase(url.scheme(), sink);
                sink.put(b"://");
                put_authority(&url, sink);
                put_path(&url, sink);
                if let Some(query) = url.query() {
                    sink.put(b"?");
                    sink.put(query.as_bytes());
                }
            }
            b"@path" => put_path(&url, sink),
            b"@query" => {
                sink.put(b"?");
                sink.put(url.query().unwrap_or_default().as_bytes());
            }
            b"@query-param" => return put_parameter(&url, self.parameter, sink),
            _ => return Err(Reason::UnsupportedComponent),
        }
        Ok(())
    }

    fn put_field(
        &self,
        message: &Message<'a>,
        sink: &mut (impl Sink + ?Sized),
    ) -> Result<(), Reason> {
        let lines = message.field(self.name, self.of_request);
        if lines.is_absent() {
            return Err(Reason::ComponentMissing);
        }
        if let Some(key) = self.key {
            let member = lines.member(key, Reason::MalformedField)?;
            let member = member.ok_or(Reason::ComponentMissing)?;
            put_value(member.value, member.parameters, sink);
            return Ok(());
        }
        for (index, line) in lines.values().enumerate() {
            if !is_plain(line) {
                return Err(Reason::MalformedField);
            }
            sink.put(if index == 0 { b"" } else { b", " });
            sink.put(line);
        }
        Ok(())
    }
}

/// Whether this is the name of a component: a field in lower case, or a derived component.
fn is_name(name: &[u8]) -> bool {
    let name = name.strip_prefix(b"@").unwrap_or(name);
    let is_part = |octet: &u8| is_token_octet(*octet) && !octet.is_ascii_uppercase();
    !name.is_empty() && name.iter().all(is_part)
}

/// The URL of the request, if method and URL are valid.
pub(super) fn url_of<'a>(message: &Message<'a>) -> Result<Url<'a>, Reason> {
    let url = Url::parse(message.url)
        .filter(|url| url.is_http() && !url.has_userinfo() && message.url.is_ascii());
    url.filter(|_| !message.method.is_empty() && message.method.iter().copied().all(is_token_octet))
        .ok_or(Reason::MalformedRequest)
}

fn put_lowercase(text: &str, sink: &mut (impl Sink + ?Sized)) {
    for octet in text.bytes() {
        sink.put(&[octet.to_ascii_lowercase()]);
    }
}

/// Writes host and port: the host in lower case, and no port that the scheme implies.
pub(super) fn put_authority(url: &Url<'_>, sink: &mut (impl Sink + ?Sized)) {
    put_lowercase(url.host(), sink);
    let default = if url.is_secure() { 443 } else { 80 };
    if let Some(port) = url.port().filter(|port| *port != default) {
        sink.put(b":");
        put_number(u64::from(port), sink);
    }
}

fn put_path(url: &Url<'_>, sink: &mut (impl Sink + ?Sized)) {
    sink.put(if url.path().is_empty() { b"/" } else { url.path().as_bytes() });
}

/// Writes a parameter of the query, which must occur once (RFC 9421 section 2.2.8).
fn put_parameter(
    url: &Url<'_>,
    name: Option<&[u8]>,
    sink: &mut (impl Sink + ?Sized),
) -> Result<(), Reason> {
    let name = name.unwrap_or_default();
    let parts = url.query().unwrap_or_default().as_bytes().split(|octet| *octet == b'&');
    let mut found = None;
    for part in parts.filter(|part| !part.is_empty()) {
        let mut halves = part.splitn(2, |octet| *octet == b'=');
        let (given, value) = (halves.next().unwrap_or_default(), halves.next().unwrap_or_default());
        if is_encoded_as(given, name) && found.replace(value).is_some() {
            return Err(Reason::RepeatedComponent);
        }
    }
    encoded(found.ok_or(Reason::ComponentMissing)?, |octet| sink.put(&[octet]));
    Ok(())
}

/// Whether a name of the query is the given one in its encoded form.
fn is_encoded_as(given: &[u8], name: &[u8]) -> bool {
    let (mut rest, mut is_same) = (name, true);
    encoded(given, |octet| match rest.split_first() {
        Some((first, others)) if *first == octet => rest = others,
        _ => is_same = false,
    });
    is_same && rest.is_empty()
}

/// Decodes text of a form, and passes the octets of its percent-encoded form.
fn encoded(mut text: &[u8], mut each: impl FnMut(u8)) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |octet: u8| char::from(octet).to_digit(16).map(|digit| digit as u8);
    while let Some((first, others)) = text.split_first() {
        text = others;
        let mut octet = if *first == b'+' { b' ' } else { *first };
        if let (b'%', [high, low, rest @ ..]) = (*first, others)
            && let (Some(high), Some(low)) = (digit(*high), digit(*low))
        {
            octet = (high << 4) | low;
            text = rest;
        }
        if octet.is_ascii_alphanumeric() || b"*-._".contains(&octet) {
            each(octet);
        } else {
            let hex = |digit: u8| HEX.get(usize::from(digit & 15)).copied().unwrap_or_default();
            each(b'%');
            each(hex(octet >> 4));
            each(hex(octet));
        }
    }
}
