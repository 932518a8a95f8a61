//! The arguments, the options and the parts of the HTTP request that calls a capability. The module
//! `message` builds it.

use super::encode::{cut, text};
use crate::syntax::json::Value;
use crate::syntax::text::Text;

/// A header of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header<'b> {
    /// Its name.
    pub name: &'b str,
    /// Its value.
    pub value: &'b str,
}

/// The headers of a request.
#[derive(Clone, Copy, Debug)]
pub struct Headers<'b> {
    // Lines of `name:value`. A name contains no colon, and neither part contains a line end.
    lines: &'b str,
}

impl<'b> Headers<'b> {
    pub(crate) const fn of(lines: &'b str) -> Self {
        Self { lines }
    }
}

impl<'b> Iterator for Headers<'b> {
    type Item = Header<'b>;

    fn next(&mut self) -> Option<Header<'b>> {
        let (line, rest) = cut(self.lines, b'\n')?;
        self.lines = rest;
        let (name, value) = cut(line, b':')?;
        Some(Header { name, value })
    }
}

/// The value of an argument.
#[derive(Clone, Copy, Debug)]
pub enum ArgumentValue<'v> {
    /// Text; a string in a JSON body.
    Text(&'v str),
    /// A JSON value. A JSON body contains it as written. Elsewhere, a string is sent as its
    /// content, any other value as its JSON text.
    Json(Value<'v>),
}

impl<'v> ArgumentValue<'v> {
    /// Whether this is the JSON value `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Json(value) if value.is_null())
    }

    /// Returns the text that is sent outside a JSON body.
    pub(crate) fn text(&self) -> Text<'v> {
        match self {
            Self::Text(text) => Text::plain(text.as_bytes()),
            Self::Json(value) => value.as_text().unwrap_or(Text::plain(value.raw())),
        }
    }
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub struct Argument<'v> {
    /// The name of its parameter.
    pub name: &'v str,
    /// Its value.
    pub value: ArgumentValue<'v>,
}

/// The offsets at which the parts of a written request end.
#[derive(Clone, Copy)]
pub(crate) struct Ends {
    pub(crate) method: usize,
    pub(crate) url: usize,
    pub(crate) headers: usize,
    pub(crate) end: usize,
}

impl<'b> Request<'b> {
    /// Returns the request that was written into a buffer.
    pub(crate) fn of(buffer: &'b [u8], ends: &Ends, has_body: bool) -> Self {
        let Ends { method, url, headers, end } = *ends;
        Self {
            method: text(buffer, 0, method),
            url: text(buffer, method, url),
            headers: Headers::of(text(buffer, url, headers)),
            body: has_body.then(|| text(buffer, headers, end)),
        }
    }
}

/// Returns the index and the value of the argument with this name.
pub(crate) fn argument<'v>(
    arguments: &[Argument<'v>],
    name: Text<'_>,
) -> Option<(usize, Text<'v>)> {
    let index =
        arguments.iter().position(|argument| name == argument.name && !argument.value.is_null())?;
    Some((index, arguments.get(index)?.value.text()))
}

/// Options for a request.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct RequestOptions<'o> {
    /// The key or token for the service. Default: none; then there is no authentication header.
    pub token: Option<&'o str>,
    /// The origin that the manifest was fetched from, such as `https://example.com`. Default:
    /// unknown; then the site is base_url, as for a decision without an origin. The token goes only
    /// to the site.
    pub origin: Option<&'o str>,
    /// Whether the token may go to an endpoint on any host. Default: false; the token goes only to
    /// the host of the origin, its subdomains, and, with the feature `psl`, hosts on the same
    /// registrable domain. Without an origin, the host of base_url takes its place. If then an
    /// argument is a part of the host of base_url, the registrable domain
    /// must be written behind it, as in `https://{shop}.example.com`, and `psl` is needed.
    pub trust_endpoint: bool,
    /// Whether an endpoint replaces the path of base_url, or its last segment, as RFC 3986 says.
    /// Default: false; the endpoint is appended to base_url, unless it begins with the path of
    /// base_url.
    pub rfc3986: bool,
    /// Whether to send the headers that [`Adp::constant_headers`](super::Adp::constant_headers) returns. Default: false.
    pub constant_headers: bool,
}

impl<'o> RequestOptions<'o> {
    /// Creates options with a token.
    pub const fn with_token(token: &'o str) -> Self {
        Self {
            token: Some(token),
            origin: None,
            trust_endpoint: false,
            rfc3986: false,
            constant_headers: false,
        }
    }
}

/// A request that calls a capability.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'b> {
    /// The method, in upper case.
    pub method: &'b str,
    /// The absolute URL, percent-encoded, without a fragment.
    pub url: &'b str,
    /// The headers: authentication, the content type of the body, header parameters, and constants
    /// of the example.
    pub headers: Headers<'b>,
    /// The body: a JSON object, unless the example of the detail has another content type. Absent
    /// if no argument is sent in the body.
    pub body: Option<&'b str>,
}
