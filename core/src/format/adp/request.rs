//! Requests of the Agent Discovery Protocol: resolves the URL of a capability's detail, and builds
//! the authentication header and the HTTP request (method, URL, headers, body) of a call. Nothing
//! here uses the network; the caller sends the request.
//!
//! Implementation notes: a request is written to the caller's buffer in one pass. Bytes that do not
//! fit are counted, so that the required size is exact. Arguments can only become data: the URL
//! percent-encodes everything except unreserved characters, headers accept only visible ASCII and
//! spaces, and no argument can be a dot segment of the path. A token is sent only to the host of
//! the manifest's base_url and hosts that belong to it, over a secure connection, unless the caller
//! permits more.

use core::fmt;

use super::{Adp, AdpCapability, AuthObject, ParameterObject, objects, placeholders};
use crate::diagnostic::write_quoted;
use crate::format::check::method::{is_token, is_visible};
use crate::manifest::{Enumeration, Location};
use crate::scan;
use crate::sink::{Sink, SliceSink};
use crate::syntax::json::Value;
use crate::syntax::text::Text;
use crate::syntax::url::{self, Relation, ResolveError, Url, relation, resolve, resolve_str};
use crate::write::json_string;

/// Why a URL, a header or a request cannot be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RequestError<'a> {
    /// The buffer is too small.
    BufferTooSmall {
        /// A sufficient size, in bytes.
        needed: usize,
    },
    /// The base URL is absent or not an http(s) URL; or a token is given, and the host has
    /// non-ASCII characters or the URL has user information.
    InvalidBaseUrl,
    /// A URL contains a placeholder in braces that no argument replaces.
    Placeholder,
    /// The reference is invalid or ambiguous, leads to a scheme other than http(s), has user
    /// information, or has escapes and is longer than [`url::BUFFER`] when decoded.
    InvalidReference,
    /// The detail lacks this member.
    MissingMember(&'static str),
    /// The method is not a valid HTTP method.
    InvalidMethod,
    /// The name of the header that carries the token, or its prefix, is not valid in an HTTP
    /// request.
    InvalidAuthHeader,
    /// The token is empty, or contains a character that a header cannot contain, such as a line
    /// end.
    InvalidToken,
    /// A required parameter, or one in the path, has no argument.
    MissingArgument(Text<'a>),
    /// The argument with this index has no parameter.
    UnknownArgument(usize),
    /// The argument with this index has the same name as an earlier one; for headers, in any letter
    /// case.
    RepeatedArgument(usize),
    /// The argument with this index cannot be sent: its path parameter is not in the endpoint, or
    /// the location of its parameter is unknown.
    UnplacedArgument(usize),
    /// The argument with this index has a value that its location does not allow: an empty value or
    /// a dot segment in the path, a line end in a header.
    InvalidArgument(usize),
    /// The endpoint is on a host that may not belong to the owner of the base URL, so it must not
    /// receive the token.
    CrossOrigin,
    /// The endpoint does not use https, so it must not receive the token.
    Insecure,
}

impl RequestError<'_> {
    /// Returns the stable kebab-case name.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::BufferTooSmall { .. } => "buffer-too-small",
            Self::InvalidBaseUrl => "invalid-base-url",
            Self::Placeholder => "placeholder",
            Self::InvalidReference => "invalid-reference",
            Self::MissingMember(_) => "missing-member",
            Self::InvalidMethod => "invalid-method",
            Self::InvalidAuthHeader => "invalid-auth-header",
            Self::InvalidToken => "invalid-token",
            Self::MissingArgument(_) => "missing-argument",
            Self::UnknownArgument(_) => "unknown-argument",
            Self::RepeatedArgument(_) => "repeated-argument",
            Self::UnplacedArgument(_) => "unplaced-argument",
            Self::InvalidArgument(_) => "invalid-argument",
            Self::CrossOrigin => "cross-origin",
            Self::Insecure => "insecure",
        }
    }

    /// Returns the problem, and its solution if there is one, without a capital and a full stop.
    pub const fn message(&self) -> &'static str {
        match self {
            Self::BufferTooSmall { .. } => "the buffer is too small",
            Self::InvalidBaseUrl => {
                "the manifest's base_url is not an http(s) URL with an ASCII host and without user information; use one such as https://example.com/api"
            }
            Self::Placeholder => "the URL contains a placeholder that no argument replaces",
            Self::InvalidReference => "the URL or path is invalid or ambiguous",
            Self::MissingMember(_) => {
                "the detail of the capability lacks a member that the request needs"
            }
            Self::InvalidMethod => "the method of the capability is not a valid HTTP method",
            Self::InvalidAuthHeader => {
                "the manifest's header or prefix for the token is not valid in an HTTP request"
            }
            Self::InvalidToken => {
                "the token is empty or contains a character that an HTTP header cannot contain"
            }
            Self::MissingArgument(_) => "a required argument is missing",
            Self::UnknownArgument(_) => "an argument has a name that no parameter has",
            Self::RepeatedArgument(_) => "two arguments have the same name",
            Self::UnplacedArgument(_) => {
                "an argument cannot be sent, because its path parameter is not in the endpoint or the location of its parameter is unknown"
            }
            Self::InvalidArgument(_) => "an argument has a value that its location does not allow",
            Self::CrossOrigin => {
                "the endpoint is on another host than the service, so it must not receive the token; allow other hosts if you trust it"
            }
            Self::Insecure => "the endpoint does not use https, so it must not receive the token",
        }
    }
}

impl fmt::Display for RequestError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())?;
        match self {
            Self::BufferTooSmall { needed } => write!(f, " ({needed} bytes are needed)"),
            Self::MissingMember(name) => write!(f, " ({name})"),
            Self::MissingArgument(name) => {
                f.write_str(": ")?;
                write_quoted(f, *name)
            }
            Self::UnknownArgument(index)
            | Self::RepeatedArgument(index)
            | Self::UnplacedArgument(index)
            | Self::InvalidArgument(index) => {
                write!(f, " (argument {index}, counted from 0)")
            }
            _ => Ok(()),
        }
    }
}

impl core::error::Error for RequestError<'_> {}

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
    /// A JSON value. In a body it is written as it is; elsewhere, the content of a string, or the
    /// JSON text of any other value.
    Json(Value<'v>),
}

impl<'v> ArgumentValue<'v> {
    /// Returns the characters of the value outside a body.
    fn text(&self) -> Text<'v> {
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
}

impl<'o> RequestOptions<'o> {
    /// Creates options with a token.
    pub const fn with_token(token: &'o str) -> Self {
        Self {
            token: Some(token),
            trust_endpoint: false,
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
    /// The headers: authentication, the content type of the body, and header parameters.
    pub headers: Headers<'b>,
    /// The body, a JSON object; absent if no argument belongs into it.
    pub body: Option<&'b str>,
}

impl<'a> Adp<'a> {
    /// Builds the header that carries `token` (section 3). Its name is the manifest's, or
    /// `Authorization` by default. The prefix is the manifest's; by default `Bearer` for
    /// `Authorization`, and none for other headers. One space follows a prefix. `None` if the
    /// service requires no authentication.
    ///
    /// # Errors
    /// [`RequestError::InvalidAuthHeader`], [`RequestError::InvalidToken`], [`RequestError::InvalidBaseUrl`] if the host of base_url must not
    /// receive a token, [`RequestError::BufferTooSmall`] with the exact size.
    pub fn auth_header<'b>(
        &self,
        token: &str,
        buffer: &'b mut [u8],
    ) -> Result<Option<Header<'b>>, RequestError<'a>> {
        let mut sink = SliceSink::new(buffer);
        if !put_auth(self.auth_object(), token, &mut sink)? {
            return Ok(None);
        }
        let mut base_buffer = [0; url::BUFFER];
        if self
            .base(&mut base_buffer)
            .is_ok_and(|base| !may_hold_token(&base))
        {
            return Err(RequestError::InvalidBaseUrl);
        }
        let (needed, is_whole) = (sink.length(), sink.is_whole());
        if !is_whole {
            return Err(RequestError::BufferTooSmall { needed });
        }
        Ok(Headers {
            lines: text(buffer, 0, needed),
        }
        .next())
    }

    /// Returns the name of the header that carries a token, and the prefix of the token, with the
    /// same defaults as [`auth_header`](Self::auth_header).
    pub fn header_and_prefix(&self) -> (Text<'a>, Text<'a>) {
        header_and_prefix(self.auth_object())
    }

    /// Resolves a `detail_url`, or the endpoint of a capability. An absolute URL is kept. A path
    /// that begins with `/` is appended to base_url, with one slash between, as clients of
    /// published manifests do. Any other reference is resolved by RFC 3986, also `//host/x`, which
    /// is on another host (the check reports it). Placeholders are never resolved.
    ///
    /// ```
    /// use agentsdisc_core::{Document, Format, ParseOptions, syntax::text::Text};
    /// let text = br#"{"spec_version": "1.0", "base_url": "https://example.com/v1/"}"#;
    /// let options = ParseOptions { format: Some(Format::Adp), ..ParseOptions::default() };
    /// let manifest = Document::parse_with(text, &options)?.adp().unwrap();
    /// let (path, mut buffer) = (Text::plain(b"/search.json"), [0; 64]);
    /// assert_eq!(manifest.resolve_detail_url(path, &mut buffer), Ok("https://example.com/v1/search.json"));
    /// assert_eq!(manifest.resolve_detail_url_rfc3986(path, &mut buffer), Ok("https://example.com/search.json"));
    /// # Ok::<(), agentsdisc_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`RequestError::InvalidBaseUrl`], [`RequestError::Placeholder`], [`RequestError::InvalidReference`],
    /// [`RequestError::BufferTooSmall`] with a size that is enough.
    pub fn resolve_detail_url<'b>(
        &self,
        detail_url: Text<'_>,
        buffer: &'b mut [u8],
    ) -> Result<&'b str, RequestError<'a>> {
        self.resolve_with(detail_url, buffer, append)
    }

    /// Like [`resolve_detail_url`](Self::resolve_detail_url), but by RFC 3986 alone: a path that
    /// begins with `/` replaces the path of base_url. The result differs only if base_url has a
    /// path.
    ///
    /// # Errors
    /// As [`resolve_detail_url`](Self::resolve_detail_url).
    pub fn resolve_detail_url_rfc3986<'b>(
        &self,
        detail_url: Text<'_>,
        buffer: &'b mut [u8],
    ) -> Result<&'b str, RequestError<'a>> {
        self.resolve_with(detail_url, buffer, |base, reference, buffer| {
            resolve(base, Text::plain(reference.as_bytes()), buffer).map_err(from_resolve)
        })
    }

    fn resolve_with<'b>(
        &self,
        reference: Text<'_>,
        buffer: &'b mut [u8],
        how: fn(&Url<'_>, &str, &'b mut [u8]) -> Result<&'b str, RequestError<'a>>,
    ) -> Result<&'b str, RequestError<'a>> {
        let mut base_buffer = [0; url::BUFFER];
        let base = self.base(&mut base_buffer)?;
        if placeholders(reference).next().is_some() {
            return Err(RequestError::Placeholder);
        }
        let mut decoded = [0; url::BUFFER];
        let resolved = how(
            &base,
            reference
                .decode(&mut decoded)
                .map_err(|_| RequestError::InvalidReference)?,
            buffer,
        )?;
        // A manifest must not lead a client to a local file.
        Url::parse(resolved.as_bytes())
            .filter(Url::is_http)
            .map(|_| resolved)
            .ok_or(RequestError::InvalidReference)
    }

    /// Returns the base URL.
    fn base<'u>(&self, buffer: &'u mut [u8]) -> Result<Url<'u>, RequestError<'a>> {
        let base = self.top.base_url.ok_or(RequestError::InvalidBaseUrl)?;
        if placeholders(base).next().is_some() {
            return Err(RequestError::Placeholder);
        }
        let text = base
            .decode(buffer)
            .map_err(|_| RequestError::InvalidBaseUrl)?;
        Url::parse(text.as_bytes())
            .filter(Url::is_http)
            .ok_or(RequestError::InvalidBaseUrl)
    }

    /// Builds the request that calls the capability of this detail with these arguments.
    ///
    /// The endpoint is resolved like a `detail_url`, and the values of path parameters replace
    /// their names in braces. The `in` of a parameter decides where its argument goes. Without it,
    /// the argument goes into the path if the endpoint contains its name; otherwise into the query
    /// for GET, HEAD and DELETE, and into a JSON object in the body for other methods. Linear in
    /// the size of the detail for each argument.
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
        let method = filled(detail.detail.method).ok_or(RequestError::MissingMember("method"))?;
        let endpoint =
            filled(detail.detail.endpoint).ok_or(RequestError::MissingMember("endpoint"))?;
        if !is_token(method.chars()) {
            return Err(RequestError::InvalidMethod);
        }
        let call = Call {
            detail,
            endpoint,
            method,
            arguments,
        };
        call.check()?;

        let (mut base_buffer, mut decoded, mut resolved) =
            ([0; url::BUFFER], [0; url::BUFFER], [0; url::BUFFER]);
        let base = self.base(&mut base_buffer)?;
        let template = endpoint
            .decode(&mut decoded)
            .map_err(|_| RequestError::InvalidReference)?;
        let template = append(&base, template, &mut resolved).map_err(|error| match error {
            RequestError::BufferTooSmall { .. } => RequestError::InvalidReference,
            other => other,
        })?;
        let target =
            Url::parse(template.as_bytes()).filter(|url| url.is_http() && url.userinfo().is_none());
        let in_host = || {
            template
                .as_bytes()
                .split(|&byte| byte == b'/')
                .nth(2)
                .is_some_and(|host| host.contains(&b'{'))
        };
        let target = match target {
            Some(target) => target,
            None if in_host() => return Err(RequestError::Placeholder),
            None => return Err(RequestError::InvalidReference),
        };

        let mut sink = SliceSink::new(buffer);
        method
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
        if has_body {
            sink.put(b"Content-Type:application/json\n");
        }
        call.put_headers(self.auth_object(), &mut sink)?;
        let headers_end = sink.length();
        if has_body {
            call.put_body(&mut sink);
        }
        let (needed, is_whole) = (sink.length(), sink.is_whole());
        if !is_whole {
            return Err(RequestError::BufferTooSmall { needed });
        }
        Ok(Request {
            method: text(buffer, 0, method_end),
            url: text(buffer, method_end, url_end),
            headers: Headers {
                lines: text(buffer, url_end, headers_end),
            },
            body: has_body.then(|| text(buffer, headers_end, needed)),
        })
    }
}

/// Builds the URL of a registry search (section 6). `words` are form-encoded.
///
/// ```
/// # use agentsdisc_core::format::adp::search_url;
/// let mut buffer = [0; 64];
/// assert_eq!(search_url("https://example.com/", "send an e-mail", &mut buffer), Ok("https://example.com/api/discover?q=send+an+e-mail"));
/// ```
///
/// # Errors
/// [`RequestError::InvalidBaseUrl`], [`RequestError::BufferTooSmall`] with the exact size.
pub fn search_url<'b>(
    registry: &str,
    words: &str,
    buffer: &'b mut [u8],
) -> Result<&'b str, RequestError<'static>> {
    let registry = Url::parse(registry.as_bytes())
        .filter(Url::is_http)
        .ok_or(RequestError::InvalidBaseUrl)?;
    let mut sink = SliceSink::new(buffer);
    put_origin_and_path(&registry, &mut sink);
    sink.put(b"/api/discover?q=");
    for c in words.chars() {
        match c {
            ' ' => sink.put(b"+"),
            // The form encoding escapes the tilde, but not the asterisk.
            '~' => sink.put(b"%7E"),
            '*' => sink.put(b"*"),
            c => put_encoded(c, &mut sink),
        }
    }
    let (needed, is_whole) = (sink.length(), sink.is_whole());
    if is_whole {
        Ok(text(buffer, 0, needed))
    } else {
        Err(RequestError::BufferTooSmall { needed })
    }
}

/// A capability and the arguments of its call.
struct Call<'c, 'a, 'v> {
    detail: &'c AdpCapability<'a>,
    endpoint: Text<'a>,
    method: Text<'a>,
    arguments: &'c [Argument<'v>],
}

impl<'c, 'a, 'v> Call<'c, 'a, 'v> {
    fn parameters(&self) -> impl Iterator<Item = ParameterObject<'a>> {
        objects(self.detail.detail.parameters, |cursor| {
            cursor.next_object().map(ParameterObject::read)
        })
    }

    fn argument(&self, name: &str) -> Option<&'c Argument<'v>> {
        self.arguments.iter().find(|argument| argument.name == name)
    }

    fn has_argument(&self, name: Text<'_>) -> bool {
        self.arguments.iter().any(|argument| name == argument.name)
    }

    /// Checks that parameters and arguments agree.
    fn check(&self) -> Result<(), RequestError<'a>> {
        for (index, argument) in self.arguments.iter().enumerate() {
            let mut before = self.arguments.iter().take(index);
            let location = self.location(argument);
            // Header names ignore letter case, and two headers of one name are ambiguous.
            let is_header = |other| {
                location == Some(Location::Header) && self.location(other) == Some(Location::Header)
            };
            if before.any(|other| {
                other.name == argument.name
                    || other.name.eq_ignore_ascii_case(argument.name) && is_header(other)
            }) {
                return Err(RequestError::RepeatedArgument(index));
            }
            let value = argument.value.text();
            let fits = match location {
                None => return Err(RequestError::UnknownArgument(index)),
                Some(Location::Unknown) => return Err(RequestError::UnplacedArgument(index)),
                // A value of dots alone would be a dot segment and change the path.
                Some(Location::Path) => value.chars().any(|c| c != '.'),
                Some(Location::Header) => {
                    is_name(Text::plain(argument.name.as_bytes()))
                        && !is_reserved(argument.name)
                        && is_visible(value)
                }
                Some(_) => true,
            };
            if !fits {
                return Err(RequestError::InvalidArgument(index));
            }
        }
        let required = self
            .parameters()
            .filter(|parameter| parameter.required == Some(true))
            .filter_map(|parameter| parameter.name);
        let missing = required
            .chain(placeholders(self.endpoint))
            .find(|name| !name.is_empty() && !self.has_argument(*name));
        missing.map_or(Ok(()), |name| Err(RequestError::MissingArgument(name)))
    }

    /// Returns the location of an argument: [`Location::Unknown`] if it cannot be sent, `None` if
    /// it has no parameter.
    fn location(&self, argument: &Argument<'_>) -> Option<Location> {
        let in_path = placeholders(self.endpoint).any(|name| name == argument.name);
        let Some(parameter) = self
            .parameters()
            .filter(|parameter| parameter.name.is_some_and(|name| name == argument.name))
            .last()
        else {
            return in_path.then_some(Location::Path);
        };
        Some(
            match parameter
                .location
                .filter(|location| !location.is_empty())
                .map(Location::of)
            {
                Some(Location::Path) if !in_path => Location::Unknown,
                // A name in the path of the endpoint takes precedence over `in`.
                Some(_) | None if in_path => Location::Path,
                Some(location) => location,
                None if ["GET", "HEAD", "DELETE"]
                    .iter()
                    .any(|method| self.method.eq_ignore_case(method)) =>
                {
                    Location::Query
                }
                None => Location::Body,
            },
        )
    }

    fn at(&self, location: Location) -> impl Iterator<Item = &'c Argument<'v>> {
        self.arguments
            .iter()
            .filter(move |argument| self.location(argument) == Some(location))
    }

    /// Writes the endpoint with its arguments, and the query.
    fn put_url(&self, template: &str, sink: &mut impl Sink) {
        let mut rest = cut(template, b'#').map_or(template, |(before, _)| before);
        let mut query = cut(rest, b'?').map(|(_, query)| query.is_empty());
        while let Some(c) = rest.chars().next() {
            let after = rest.get(c.len_utf8()..).unwrap_or_default();
            if c == '{'
                && let Some((name, behind)) = cut(after, b'}')
                && let Some(argument) = self.argument(name)
            {
                argument
                    .value
                    .text()
                    .chars()
                    .for_each(|c| put_encoded(c, sink));
                rest = behind;
                continue;
            }
            if c.is_ascii_graphic()
                && !matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}')
            {
                put_char(c, sink);
            } else {
                put_encoded(c, sink);
            }
            rest = after;
        }
        for argument in self.at(Location::Query) {
            sink.put(match query.replace(false) {
                None => b"?",
                Some(true) => b"",
                Some(false) => b"&",
            });
            argument.name.chars().for_each(|c| put_encoded(c, sink));
            sink.put(b"=");
            argument
                .value
                .text()
                .chars()
                .for_each(|c| put_encoded(c, sink));
        }
    }

    fn put_headers(
        &self,
        auth: Option<AuthObject<'_>>,
        sink: &mut impl Sink,
    ) -> Result<(), RequestError<'a>> {
        for (index, argument) in self.arguments.iter().enumerate() {
            if self.location(argument) != Some(Location::Header) {
                continue;
            }
            if auth
                .and_then(|auth| auth.header)
                .is_some_and(|header| header.eq_ignore_case(argument.name))
            {
                return Err(RequestError::InvalidArgument(index));
            }
            sink.put(argument.name.as_bytes());
            sink.put(b":");
            argument
                .value
                .text()
                .chars()
                .for_each(|c| put_char(c, sink));
            sink.put(b"\n");
        }
        Ok(())
    }

    fn put_body(&self, sink: &mut impl Sink) {
        for (count, argument) in self.at(Location::Body).enumerate() {
            sink.put(if count == 0 { b"{" } else { b"," });
            json_string(Text::plain(argument.name.as_bytes()), sink);
            sink.put(b":");
            match argument.value {
                ArgumentValue::Text(text) => json_string(Text::plain(text.as_bytes()), sink),
                ArgumentValue::Json(value) => sink.put(value.raw()),
            }
        }
        sink.put(b"}");
    }
}

/// Whether all clients agree on the host of a URL, so that a token reaches no other host.
fn may_hold_token(url: &Url<'_>) -> bool {
    url.userinfo().is_none() && url.host().is_ascii()
}

/// Whether an endpoint belongs to the owner of the base URL. On a loopback host, another port is
/// another owner.
fn is_related(base: &Url<'_>, target: &Url<'_>) -> bool {
    relation(base.host(), target.host()).relation != Relation::Other
        && (!target.is_loopback() || base.effective_port() == target.effective_port())
}

/// Writes the header that carries a token. Returns false if the service requires no authentication.
fn put_auth<'a>(
    auth: Option<AuthObject<'_>>,
    token: &str,
    sink: &mut impl Sink,
) -> Result<bool, RequestError<'a>> {
    if auth
        .and_then(|auth| auth.kind)
        .is_some_and(|kind| kind.eq_ignore_case("none"))
    {
        return Ok(false);
    }
    let (header, prefix) = header_and_prefix(auth);
    // Clients set these headers themselves, so they cannot carry a token. `Authorization` can.
    let is_own = RESERVED.iter().any(|name| header.eq_ignore_case(name))
        && !header.eq_ignore_case("Authorization");
    if is_own || !is_name(header) || !is_visible(prefix) {
        return Err(RequestError::InvalidAuthHeader);
    }
    let token = Text::plain(token.as_bytes());
    if token.is_empty() || !is_visible(token) {
        return Err(RequestError::InvalidToken);
    }
    header.chars().for_each(|c| put_char(c, sink));
    sink.put(b":");
    // If the manifest's prefix ends with a blank, no other one is added.
    prefix.trim().chars().for_each(|c| put_char(c, sink));
    if !prefix.trim().is_empty() {
        sink.put(b" ");
    }
    token.chars().for_each(|c| put_char(c, sink));
    sink.put(b"\n");
    Ok(true)
}

/// Returns the header that carries a token, and the prefix of the token, as written or by default.
fn header_and_prefix(auth: Option<AuthObject<'_>>) -> (Text<'_>, Text<'_>) {
    let standard = Text::plain(b"Authorization");
    let header = filled(auth.and_then(|auth| auth.header)).unwrap_or(standard);
    let default = if header.eq_text_ignore_case(standard) {
        Text::plain(b"Bearer")
    } else {
        Text::EMPTY
    };
    (header, auth.and_then(|auth| auth.prefix).unwrap_or(default))
}

/// Resolves a reference. A path that begins with one slash is appended to the base.
pub(crate) fn append<'b>(
    base: &Url<'_>,
    reference: &str,
    buffer: &'b mut [u8],
) -> Result<&'b str, RequestError<'static>> {
    let refused = |c: char| url::is_blank_or_control(c) || c == '\\';
    if !matches!(reference.as_bytes(), [b'/'] | [b'/', b'\0'..=b'.' | b'0'.., ..]) {
        return resolve_str(base, reference, buffer).map_err(from_resolve);
    }
    if reference.chars().any(refused) {
        return Err(RequestError::InvalidReference);
    }
    let mut sink = SliceSink::new(buffer);
    put_origin_and_path(base, &mut sink);
    sink.put(reference.as_bytes());
    let (needed, is_whole) = (sink.length(), sink.is_whole());
    if is_whole {
        Ok(text(buffer, 0, needed))
    } else {
        Err(RequestError::BufferTooSmall { needed })
    }
}

/// Writes a URL up to its path, without trailing slashes.
fn put_origin_and_path(url: &Url<'_>, sink: &mut impl Sink) {
    sink.put(url.scheme().as_bytes());
    sink.put(b"://");
    sink.put(url.authority().as_bytes());
    let mut path = url.path().as_bytes();
    while let [before @ .., b'/'] = path {
        path = before;
    }
    sink.put(path);
}

const fn from_resolve(error: ResolveError) -> RequestError<'static> {
    match error {
        ResolveError::Invalid => RequestError::InvalidReference,
        ResolveError::BufferTooSmall { needed } => RequestError::BufferTooSmall { needed },
    }
}

fn filled(text: Option<Text<'_>>) -> Option<Text<'_>> {
    text.filter(|text| !text.is_empty())
}

fn is_name(name: Text<'_>) -> bool {
    !name.is_empty() && is_token(name.chars())
}

/// Headers that clients set themselves.
const RESERVED: [&str; 8] = [
    "Authorization",
    "Host",
    "Content-Length",
    "Content-Type",
    "Transfer-Encoding",
    "Connection",
    "Upgrade",
    "Proxy-Authorization",
];

fn is_reserved(name: &str) -> bool {
    RESERVED
        .iter()
        .any(|reserved| name.eq_ignore_ascii_case(reserved))
}

fn put_char(c: char, sink: &mut impl Sink) {
    sink.put(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Writes a character, percent-encoded unless it is unreserved (RFC 3986 section 2.3).
fn put_encoded(c: char, sink: &mut impl Sink) {
    if c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~') {
        return put_char(c, sink);
    }
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or(b'0');
        sink.put(&[b'%', digit(byte >> 4), digit(byte & 15)]);
    }
}

/// Returns the text before and after the first occurrence of an ASCII byte. (Unlike the searches of
/// `str`, this never panics as far as the compiler can see.)
fn cut(text: &str, at: u8) -> Option<(&str, &str)> {
    let place = scan::memchr(at, text.as_bytes())?;
    Some((text.get(..place)?, text.get(place.checked_add(1)?..)?))
}

fn text(buffer: &[u8], start: usize, end: usize) -> &str {
    crate::scan::text(buffer.get(start..end).unwrap_or_default()).unwrap_or_default()
}
