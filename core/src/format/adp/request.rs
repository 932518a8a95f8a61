//! The HTTP request that calls a capability: method, URL, headers and body. Nothing here uses the
//! network; the caller sends the request.
//!
//! Implementation notes: a request is written to the caller's buffer in one pass. Bytes that do not
//! fit are counted, so the required size is exact. An argument cannot change the structure of a
//! request: the URL percent-encodes everything except unreserved characters, a placeholder in the
//! host takes only a name, headers accept only visible ASCII and spaces, and no argument can be a
//! dot segment of the path. A token is sent only to the host that the manifest was fetched from, or
//! without one to that of its base_url, and to hosts that belong to it, over a secure connection,
//! unless the caller permits more.

use super::encode::{cut, text};
use super::example::{Media, constants};
use super::message::{Ends, Message, Operation};
use super::resolve::{Fill, fill, keeps_domain, resolver};
use super::token::{is_of, is_related, may_hold_token, put_auth};
use super::{Adp, AdpCapability, RequestError, filled};
use crate::model::Reading;
use crate::sink::SliceSink;
use crate::syntax::json::Value;
use crate::syntax::text::Text;
use crate::syntax::url::{self, Url};

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
    pub(super) const fn of(lines: &'b str) -> Self {
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
pub(super) fn argument<'v>(
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
    /// Whether to send the headers that [`Adp::constant_headers`] returns. Default: false.
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

impl<'a> Adp<'a> {
    /// Builds the request that calls the capability of this detail with these arguments.
    ///
    /// The endpoint is resolved like a `detail_url`, and arguments replace the names in braces of
    /// base_url and endpoint. The `in` of a parameter decides where its argument goes. Without it,
    /// the argument goes into the path if the endpoint contains its name; otherwise into the query
    /// for GET, HEAD and DELETE, and into the body for other methods. An argument that is the JSON
    /// value `null` counts as absent, except in a JSON body. The body is a JSON object, a form, a
    /// multipart form, or the value of one argument, as the content type of the detail's example
    /// says. If a required parameter has no argument, its `default` is sent (at most 32 defaults).
    /// Linear in the size of the detail.
    ///
    /// # Errors
    /// [`RequestError`]; [`RequestError::BufferTooSmall`] has the exact size.
    pub fn request<'b>(
        &self,
        detail: &AdpCapability<'a>,
        arguments: &[Argument<'_>],
        options: &RequestOptions<'_>,
        buffer: &'b mut [u8],
    ) -> Result<Request<'b>, RequestError<'a>> {
        let (mut base_buffer, mut decoded, mut resolved) =
            ([0; url::BUFFER], [0; url::BUFFER], [0; url::BUFFER]);
        let base = self.base(arguments, &mut base_buffer)?;
        let given = arguments
            .iter()
            .map(|argument| (Text::plain(argument.name.as_bytes()), argument.value));
        let mut message = Message::open(self.operation(detail)?);
        message.fill(given, |_, _, _, _| true)?;
        let template = fill(
            message.operation.endpoint,
            |name| argument(arguments, name),
            Fill::Host,
            &mut decoded,
        )?
        .ok_or(RequestError::InvalidReference)?;
        let template = resolver(options.rfc3986)(&base, template, &mut resolved).map_err(
            |error| match error {
                RequestError::BufferTooSmall { .. } => RequestError::InvalidReference,
                other => other,
            },
        )?;
        let target = Url::parse(template.as_bytes())
            .filter(|url| url.is_http() && url.userinfo().is_none())
            .ok_or(RequestError::InvalidReference)?;

        let mut sink = SliceSink::new(buffer);
        let (method, url) = message.put_start(template, &mut sink);
        if let Some(token) = options.token
            && put_auth(self.auth_object(), token, &mut sink)?
        {
            if !may_hold_token(&base) {
                return Err(RequestError::InvalidBaseUrl);
            }
            if !may_hold_token(&target) {
                return Err(RequestError::InvalidReference);
            }
            // The same rule as that of a decision.
            let is_own = match options.origin {
                Some(origin) => is_of(origin, &target),
                None => keeps_domain(message.operation.base, &base) && is_related(&base, &target),
            };
            if !options.trust_endpoint && !is_own {
                return Err(RequestError::CrossOrigin);
            }
            if !target.is_secure() && !target.is_loopback() {
                return Err(RequestError::Insecure);
            }
        }
        let sent = options.constant_headers;
        let constants = sent.then(|| constants(self, detail)).into_iter().flatten();
        let headers = message.put_rest(constants, &mut sink)?;
        let (end, is_whole) = (sink.length(), sink.is_whole());
        if !is_whole {
            return Err(RequestError::BufferTooSmall { needed: end });
        }
        let ends = Ends { method, url, headers, end };
        Ok(Request::of(buffer, &ends, message.has_body()))
    }

    /// Returns the operation that a detail describes.
    pub(crate) fn operation(
        &self,
        detail: &AdpCapability<'a>,
    ) -> Result<Operation<'a>, RequestError<'a>> {
        let (carrier, _) = self.header_and_prefix();
        Ok(Operation {
            method: filled(detail.detail.method).ok_or(RequestError::MissingMember("method"))?,
            endpoint: filled(detail.detail.endpoint)
                .ok_or(RequestError::MissingMember("endpoint"))?,
            base: self.top.base_url.unwrap_or_default(),
            parameters: detail
                .capabilities()
                .next()
                .map(|capability| capability.parameters)
                .unwrap_or_default(),
            media: Media::of(detail),
            carrier,
            queries: &["GET", "HEAD", "DELETE"],
            sends_defaults: false,
            takes_any: false,
            is_client: false,
        })
    }

    /// Returns the headers of the example of a detail that have a constant value, such as
    /// `API-Version: 2024-08-13`. Skips headers of authentication, of the caller and of the body,
    /// headers with placeholders, and headers that are parameters. Reads the first 32 headers of
    /// the example.
    pub fn constant_headers(
        &self,
        detail: &AdpCapability<'a>,
    ) -> impl Iterator<Item = (Text<'a>, Text<'a>)> + use<'a> {
        constants(self, detail)
    }
}
