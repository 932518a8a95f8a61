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

use super::example::{Media, constants};
use super::token::{is_of, is_related, may_hold_token, put_auth};
use super::{Message, Operation};
use crate::format::adp::resolve::{Fill, fill, keeps_domain, resolver};
use crate::format::adp::{
    Adp, AdpCapability, Argument, Ends, Request, RequestError, RequestOptions, argument, filled,
};
use crate::model::Reading;
use crate::sink::SliceSink;
use crate::syntax::text::Text;
use crate::syntax::url::{self, Url};

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
            && put_auth(self, token, &mut sink)?
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
            has_styles: false,
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
