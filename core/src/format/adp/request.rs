//! The HTTP request that calls a capability: method, URL, headers and body. Nothing here uses the
//! network; the caller sends the request.
//!
//! Implementation notes: a request is written to the caller's buffer in one pass. Bytes that do not
//! fit are counted, so that the required size is exact. Arguments can only become data: the URL
//! percent-encodes everything except unreserved characters, a placeholder in the host takes only a
//! name, headers accept only visible ASCII and spaces, and no argument can be a dot segment of the
//! path. A token is sent only to the host of the manifest's base_url and hosts that belong to it,
//! over a secure connection, unless the caller permits more.

use super::body::{self, Boundary};
use super::encode::{cut, put_char, put_encoded, text};
use super::example::{Encoding, Media, constants};
use super::resolve::{Fill, fill, has_placeholder, is_segment, resolver};
use super::token::{is_related, may_hold_token, put_auth};
use super::{
    Adp, AdpCapability, ParameterObject, Piece, RequestError, filled, objects, pieces, placeholders,
};
use crate::format::check::method::{can_be_set, is_token, is_visible};
use crate::model::{Enumeration, Location};
use crate::sink::{Sink, SliceSink};
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
    /// A JSON value. In a JSON body it is written as it is; elsewhere, the content of a string, or
    /// the JSON text of any other value.
    Json(Value<'v>),
}

impl<'v> ArgumentValue<'v> {
    /// Returns the characters of the value outside a JSON body.
    pub(super) fn text(&self) -> Text<'v> {
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

/// Returns the index and the value of the argument with this name.
pub(super) fn argument<'v>(
    arguments: &[Argument<'v>],
    name: Text<'_>,
) -> Option<(usize, Text<'v>)> {
    let index = arguments
        .iter()
        .position(|argument| name == argument.name)?;
    Some((index, arguments.get(index)?.value.text()))
}

/// Options for a request.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct RequestOptions<'o> {
    /// The key or token for the service. Default: none, and no authentication header.
    pub token: Option<&'o str>,
    /// Whether the token may go to an endpoint on any host. Default: false; the token goes only to
    /// the host of base_url, its subdomains, and, with the feature `psl`, hosts on the same
    /// registrable domain.
    pub trust_endpoint: bool,
    /// Whether an endpoint that begins with `/` replaces the path of base_url, as RFC 3986 says.
    /// Default: false; it is appended, unless it begins with that path.
    pub rfc3986: bool,
    /// Whether to send the headers that [`Adp::constant_headers`] returns. Default: false.
    pub constant_headers: bool,
}

impl<'o> RequestOptions<'o> {
    /// Creates options with a token.
    pub const fn with_token(token: &'o str) -> Self {
        Self {
            token: Some(token),
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
    /// The body: a JSON object, unless the example of the detail has another content type. Absent if
    /// no argument belongs into it.
    pub body: Option<&'b str>,
}

impl<'a> Adp<'a> {
    /// Builds the request that calls the capability of this detail with these arguments.
    ///
    /// The endpoint is resolved like a `detail_url`, and arguments replace the names in braces of
    /// base_url and endpoint. The `in` of a parameter decides where its argument goes. Without it,
    /// the argument goes into the path if the endpoint contains its name; otherwise into the query
    /// for GET, HEAD and DELETE, and into the body for other methods. The body is a JSON object, a
    /// form, a multipart form, or the value of one argument, as the content type of the detail's
    /// example says. The `default` of a required parameter replaces a missing argument (of the
    /// first 32). Linear in the size of the detail for each argument.
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
        let call = Call::of(self, detail, arguments)?;
        let template = fill(call.endpoint, arguments, Fill::Host, &mut decoded)?
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
        call.method
            .chars()
            .for_each(|c| put_char(c.to_ascii_uppercase(), &mut sink));
        let method_end = sink.length();
        call.put_url(template, &mut sink);
        let url_end = sink.length();
        if let Some(token) = options.token
            && put_auth(self.auth_object(), token, &mut sink)?
        {
            if !may_hold_token(&base) {
                return Err(RequestError::InvalidBaseUrl);
            }
            if !may_hold_token(&target) {
                return Err(RequestError::InvalidReference);
            }
            if !options.trust_endpoint && !is_related(&base, &target) {
                return Err(RequestError::CrossOrigin);
            }
            if !target.is_secure() && !target.is_loopback() {
                return Err(RequestError::Insecure);
            }
        }
        let has_body = call.at(Location::Body).next().is_some();
        let boundary = call.boundary()?;
        if has_body {
            body::put_type(&call.media, boundary, &mut sink);
        }
        call.put_headers(options.constant_headers, &mut sink);
        let headers_end = sink.length();
        if has_body {
            body::put(&call.media, boundary, call.at(Location::Body), &mut sink);
        }
        let (needed, is_whole) = (sink.length(), sink.is_whole());
        if !is_whole {
            return Err(RequestError::BufferTooSmall { needed });
        }
        Ok(Request {
            method: text(buffer, 0, method_end),
            url: text(buffer, method_end, url_end),
            headers: Headers::of(text(buffer, url_end, headers_end)),
            body: has_body.then(|| text(buffer, headers_end, needed)),
        })
    }

    /// Returns the headers that the example of a detail gives with a constant value, such as
    /// `API-Version: 2024-08-13`: not those of authentication, of the caller or of the body, no
    /// placeholders, no parameters. Reads the first 32 headers of the example.
    pub fn constant_headers(
        &self,
        detail: &AdpCapability<'a>,
    ) -> impl Iterator<Item = (Text<'a>, Text<'a>)> + use<'a> {
        constants(self, detail)
    }
}

/// A value of a request: an argument or a default.
#[derive(Clone, Copy)]
pub(super) struct Sent<'v> {
    pub(super) name: Text<'v>,
    pub(super) value: ArgumentValue<'v>,
    location: Location,
    /// Whether its parameter is a file.
    pub(super) is_file: bool,
}

impl<'v> Sent<'v> {
    pub(super) fn text(&self) -> Text<'v> {
        self.value.text()
    }
}

/// The largest number of defaults that are sent.
const DEFAULTS: usize = 32;

/// A capability and the arguments of its call.
struct Call<'c, 'a> {
    manifest: &'c Adp<'a>,
    detail: &'c AdpCapability<'a>,
    endpoint: Text<'a>,
    method: Text<'a>,
    media: Media<'a>,
    arguments: &'c [Argument<'c>],
    /// The defaults of required parameters without an argument.
    defaults: heapless::Vec<Sent<'a>, DEFAULTS>,
}

impl<'c, 'a> Call<'c, 'a> {
    /// Checks that parameters and arguments agree.
    fn of(
        manifest: &'c Adp<'a>,
        detail: &'c AdpCapability<'a>,
        arguments: &'c [Argument<'c>],
    ) -> Result<Self, RequestError<'a>> {
        let method = filled(detail.detail.method).ok_or(RequestError::MissingMember("method"))?;
        let endpoint =
            filled(detail.detail.endpoint).ok_or(RequestError::MissingMember("endpoint"))?;
        if !is_token(method.chars()) {
            return Err(RequestError::InvalidMethod);
        }
        // Every parameter is looked up in the endpoint.
        if endpoint.decoded_len() > url::BUFFER {
            return Err(RequestError::InvalidReference);
        }
        let mut call = Self {
            manifest,
            detail,
            endpoint,
            method,
            media: Media::of(detail),
            arguments,
            defaults: heapless::Vec::new(),
        };
        call.check_arguments()?;
        call.add_defaults();
        call.check_required()?;
        Ok(call)
    }

    fn parameters(&self) -> impl Iterator<Item = ParameterObject<'a>> + use<'a> {
        objects(self.detail.detail.parameters, |cursor| {
            cursor.next_object().map(ParameterObject::read)
        })
    }

    fn check_arguments(&self) -> Result<(), RequestError<'a>> {
        let mut has_value = false;
        for (index, argument) in self.arguments.iter().enumerate() {
            let mut before = self.arguments.iter().take(index);
            let location = self.location(argument.name).map(|(location, _)| location);
            // Header names ignore letter case, and two headers of one name are ambiguous.
            let is_header = |other: &Argument<'_>| {
                location == Some(Location::Header)
                    && self.location(other.name).map(|(location, _)| location)
                        == Some(Location::Header)
            };
            if before.any(|other| {
                other.name == argument.name
                    || other.name.eq_ignore_ascii_case(argument.name) && is_header(other)
            }) {
                return Err(RequestError::RepeatedArgument(index));
            }
            let name = Text::plain(argument.name.as_bytes());
            let location = location.ok_or(RequestError::UnknownArgument(index))?;
            let is_second = location == Location::Body
                && core::mem::replace(&mut has_value, true)
                && self.media.is_single();
            if location == Location::Unknown || is_second {
                return Err(RequestError::UnplacedArgument(index));
            }
            if !self.fits(name, argument.value.text(), location) {
                return Err(RequestError::InvalidArgument(index));
            }
        }
        Ok(())
    }

    /// Whether a value can be sent at a location.
    fn fits(&self, name: Text<'_>, value: Text<'_>, location: Location) -> bool {
        match location {
            Location::Unknown => false,
            Location::Path => is_segment(value),
            Location::Header => {
                let (carrier, _) = self.manifest.header_and_prefix();
                can_be_set(name) && !carrier.eq_text_ignore_case(name) && is_visible(value)
            }
            Location::Query | Location::Body => true,
        }
    }

    /// Collects the defaults of required parameters without an argument. Of several parameters with
    /// one name, the last one counts.
    fn add_defaults(&mut self) {
        for parameter in self.parameters() {
            let Some(name) = parameter.name else { continue };
            self.defaults.retain(|sent| sent.name != name);
            let is_required = parameter.required == Some(true)
                || placeholders(self.endpoint).any(|placeholder| placeholder == name);
            let Some(value) = parameter.default.filter(|_| is_required) else {
                continue;
            };
            let sent = Sent {
                name,
                value: ArgumentValue::Json(value),
                location: self.location_in(&parameter, name),
                is_file: is_file(&parameter),
            };
            if argument(self.arguments, name).is_none()
                && self.fits(name, sent.text(), sent.location)
            {
                // Without room the argument is missing.
                let _ = self.defaults.push(sent);
            }
        }
    }

    fn check_required(&self) -> Result<(), RequestError<'a>> {
        let is_missing = |name: &Text<'a>| {
            !name.is_empty()
                && argument(self.arguments, *name).is_none()
                && !self.defaults.iter().any(|sent| sent.name == *name)
        };
        let required = self
            .parameters()
            .filter(|parameter| parameter.required == Some(true))
            .filter_map(|parameter| parameter.name);
        required
            .chain(placeholders(self.endpoint))
            .find(is_missing)
            .map_or(Ok(()), |name| Err(RequestError::MissingArgument(name)))
    }

    /// Returns the location of an argument, and whether it is a file: [`Location::Unknown`] if it
    /// cannot be sent, `None` if it has no parameter.
    fn location(&self, name: &str) -> Option<(Location, bool)> {
        let parameter = self
            .parameters()
            .filter(|parameter| parameter.name.is_some_and(|own| own == *name))
            .last();
        match parameter {
            Some(parameter) => Some((
                self.location_in(&parameter, Text::plain(name.as_bytes())),
                is_file(&parameter),
            )),
            None => self
                .is_in_url(Text::plain(name.as_bytes()))
                .then_some((Location::Path, false)),
        }
    }

    /// Whether a name stands in braces in the endpoint or in base_url.
    fn is_in_url(&self, name: Text<'_>) -> bool {
        let base = self.manifest.top.base_url.unwrap_or_default();
        has_placeholder(self.endpoint, name) || has_placeholder(base, name)
    }

    /// Returns the location of a parameter.
    fn location_in(&self, parameter: &ParameterObject<'a>, name: Text<'_>) -> Location {
        match filled(parameter.place()).map(place_of) {
            // A name in the URL takes precedence over `in`.
            _ if self.is_in_url(name) => Location::Path,
            Some(Location::Path) => Location::Unknown,
            Some(location) => location,
            None if ["GET", "HEAD", "DELETE"]
                .iter()
                .any(|method| self.method.eq_ignore_case(method)) =>
            {
                Location::Query
            }
            None => Location::Body,
        }
    }

    /// The values that are sent at a location: arguments first.
    fn at(&self, location: Location) -> impl Iterator<Item = Sent<'_>> {
        let given = self.arguments.iter().filter_map(move |argument| {
            let (own, is_file) = self.location(argument.name)?;
            (own == location).then_some(Sent {
                name: Text::plain(argument.name.as_bytes()),
                value: argument.value,
                location,
                is_file,
            })
        });
        let defaults = self.defaults.iter().copied();
        given.chain(defaults.filter(move |sent| sent.location == location))
    }

    /// Returns the value for a name in braces.
    fn value(&self, name: Text<'_>) -> Option<Text<'_>> {
        let default = || self.defaults.iter().find(|sent| sent.name == name);
        match argument(self.arguments, name) {
            Some((_, value)) => Some(value),
            None => default().map(Sent::text),
        }
    }

    /// Returns a boundary for the parts of the body.
    fn boundary(&self) -> Result<Boundary, RequestError<'a>> {
        if !matches!(self.media.encoding, Encoding::Multipart) {
            return Ok(Boundary::FIRST);
        }
        let values = self.at(Location::Body).map(|sent| sent.text());
        Boundary::of(values).ok_or(RequestError::InvalidArgument(0))
    }

    /// Writes the endpoint with its arguments, and the query.
    fn put_url(&self, template: &str, sink: &mut impl Sink) {
        let template = cut(template, b'#').map_or(template, |(before, _)| before);
        let mut query = cut(template, b'?').map(|(_, query)| query.is_empty());
        for piece in pieces(Text::plain(template.as_bytes())) {
            match piece {
                Piece::Char(c)
                    if c.is_ascii_graphic()
                        && !matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}') =>
                {
                    put_char(c, sink);
                }
                Piece::Char(c) => put_encoded(c, sink),
                Piece::Name(name) => {
                    let value = self.value(name).unwrap_or_default();
                    value.chars().for_each(|c| put_encoded(c, sink));
                }
            }
        }
        for sent in self.at(Location::Query) {
            sink.put(match query.replace(false) {
                None => b"?",
                Some(true) => b"",
                Some(false) => b"&",
            });
            sent.name.chars().for_each(|c| put_encoded(c, sink));
            sink.put(b"=");
            sent.text().chars().for_each(|c| put_encoded(c, sink));
        }
    }

    fn put_headers(&self, with_constants: bool, sink: &mut impl Sink) {
        let mut put = |name: Text<'_>, value: Text<'_>| {
            name.chars().for_each(|c| put_char(c, sink));
            sink.put(b":");
            value.chars().for_each(|c| put_char(c, sink));
            sink.put(b"\n");
        };
        for sent in self.at(Location::Header) {
            put(sent.name, sent.text());
        }
        if with_constants {
            constants(self.manifest, self.detail).for_each(|(name, value)| put(name, value));
        }
    }
}

/// Whether a parameter is a file, as far as its type says.
fn is_file(parameter: &ParameterObject<'_>) -> bool {
    let is = |name| parameter.kind.is_some_and(|kind| kind.eq_ignore_case(name));
    is("file") || is("binary")
}

impl<'a> ParameterObject<'a> {
    /// Returns `in`, otherwise `location`.
    pub(super) fn place(&self) -> Option<Text<'a>> {
        self.location.or(self.other_location)
    }
}

/// Returns the location that a text names. The `formData` of Swagger is the body.
pub(super) fn place_of(text: Text<'_>) -> Location {
    if text.eq_ignore_case("formData") {
        Location::Body
    } else {
        Location::of(text)
    }
}
