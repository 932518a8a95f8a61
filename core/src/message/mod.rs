//! The request that calls an operation of any format: which arguments it needs, the location of
//! each argument, and how arguments are written there.
//!
//! Implementation notes: one pass over the parameters finds the location of each argument. Then
//! arguments and defaults are one short list of values with locations, and each writer takes the
//! values of its location.

mod body;
mod example;
mod request;
mod sent;
mod token;

use crate::format::adp::encode::{cut, put_char, put_encoded};
use crate::format::adp::resolve::{has_placeholder, has_segment, is_segment};
use crate::format::adp::{ArgumentValue, RequestError};
use crate::model::{List, Location, Parameter, Raw};
use crate::rules::method::{can_be_argument, is_technical, is_token, is_value};
use crate::rules::values::place_of;
use crate::scan;
use crate::sink::{Sink, SliceSink};
use crate::syntax::json::{Kind, Value};
use crate::syntax::template::{Piece, pieces, placeholders};
use crate::syntax::text::Text;
use crate::syntax::url;
use body::Boundary;
use example::Encoding;
pub(crate) use example::{Media, constants};
use sent::{Lists, Sent};

/// The maximum number of arguments of a request (`ARGUMENTS`), and of defaults that are sent with
/// them (`DEFAULTS`).
pub(crate) const ARGUMENTS: usize = 64;
const DEFAULTS: usize = 32;

/// What a document says about the request that calls a capability.
#[derive(Clone, Copy)]
pub(crate) struct Operation<'a> {
    pub(crate) method: Text<'a>,
    /// The endpoint as written, with its placeholders.
    pub(crate) endpoint: Text<'a>,
    /// The base URL, whose placeholders are arguments as well; empty for most formats.
    pub(crate) base: Text<'a>,
    pub(crate) parameters: List<'a, Parameter<'a>>,
    pub(crate) media: Media<'a>,
    /// The header that carries credentials.
    pub(crate) carrier: Text<'a>,
    /// The methods that send arguments without a location in the query. Other methods send them in
    /// the body.
    pub(crate) queries: &'static [&'static str],
    /// Whether the defaults of optional parameters are sent as well.
    pub(crate) sends_defaults: bool,
    /// Whether arguments without a parameter are sent as well.
    pub(crate) takes_any: bool,
    /// Whether a client of another protocol makes the call. It receives all arguments in one
    /// object.
    pub(crate) is_client: bool,
    /// Whether its parameters have styles, by which lists are written, as in OpenAPI.
    pub(crate) has_styles: bool,
}

impl<'a> Operation<'a> {
    /// Returns an operation of another protocol. If the document lists no parameters, it accepts
    /// any argument, because only that protocol has the schema of the arguments.
    pub(crate) fn of_client(parameters: List<'a, Parameter<'a>>) -> Self {
        Self {
            method: Text::plain(b"POST"),
            endpoint: Text::EMPTY,
            base: Text::EMPTY,
            parameters,
            media: Media::JSON,
            carrier: Text::EMPTY,
            queries: &[],
            sends_defaults: false,
            takes_any: parameters.is_empty(),
            is_client: true,
            has_styles: false,
        }
    }

    /// Whether the document says that a parameter is in the path, and the path has the segment
    /// `:name` for it.
    pub(crate) fn has_segment(&self, parameter: &Parameter<'_>) -> bool {
        !self.is_client
            && is_path(parameter)
            && parameter.name.is_some_and(|name| has_segment(self.endpoint, name))
    }
}

/// Whether the document says that a parameter is in the path.
fn is_path(parameter: &Parameter<'_>) -> bool {
    let written = parameter.location.and_then(|location| location.text);
    written.is_some_and(|text| place_of(text) == Location::Path)
}

/// An operation with the values of its call.
pub(crate) struct Message<'c, 'a> {
    pub(crate) operation: Operation<'a>,
    /// The arguments in their order, then the defaults.
    sent: heapless::Vec<Sent<'c>, { ARGUMENTS + DEFAULTS }>,
}

impl<'c, 'a: 'c> Message<'c, 'a> {
    /// Returns an operation without values. [`fill`](Self::fill) adds them in place, because the
    /// list of values is too large to move.
    pub(crate) const fn open(operation: Operation<'a>) -> Self {
        Self { operation, sent: heapless::Vec::new() }
    }

    /// Adds arguments, and checks that parameters and arguments agree. Calls `look` for each
    /// parameter that has an argument, with the index, the value and the location of the argument.
    /// If several parameters have the same name, the last one counts. Also calls `look` for each
    /// default, without an index; a default is sent only if `look` returns true.
    pub(crate) fn fill(
        &mut self,
        arguments: impl Iterator<Item = (Text<'c>, ArgumentValue<'c>)>,
        look: impl FnMut(Option<usize>, &Parameter<'a>, ArgumentValue<'_>, Location) -> bool,
    ) -> Result<(), RequestError<'a>> {
        let method = self.operation.method;
        if method.is_empty() || !is_token(method.chars()) || is_technical(method) {
            return Err(RequestError::InvalidMethod);
        }
        // Every parameter is looked up in the endpoint.
        if self.operation.endpoint.decoded_len() > url::BUFFER {
            return Err(RequestError::InvalidReference);
        }
        for (name, value) in arguments {
            let given = Sent {
                name,
                value,
                location: None,
                is_file: false,
                is_segment: false,
                is_default: false,
                list: None,
            };
            if self.sent.len() >= ARGUMENTS || self.sent.push(given).is_err() {
                return Err(RequestError::TooManyArguments);
            }
        }
        let missing = self.place(self.operation.parameters, look);
        self.check()?;
        let encoding = self.operation.media.encoding;
        self.sent.retain(|sent| !sent.is_absent(encoding));
        self.check_required(missing)
    }

    /// Finds the location of each argument, and collects the defaults. Returns the name of the
    /// first required parameter without a value.
    fn place(
        &mut self,
        parameters: List<'a, Parameter<'a>>,
        mut look: impl FnMut(Option<usize>, &Parameter<'a>, ArgumentValue<'_>, Location) -> bool,
    ) -> Option<Text<'a>> {
        let mut missing: Option<Text<'a>> = None;
        for parameter in parameters {
            let Some(name) = parameter.name else { continue };
            let location = self.location_of(&parameter, name);
            let is_file = is_file(&parameter);
            let is_segment = self.operation.has_segment(&parameter);
            let mut is_given = false;
            for (index, sent) in self.sent.iter_mut().enumerate() {
                if !sent.is_default && sent.name == name {
                    (sent.location, sent.is_file) = (Some(location), is_file);
                    sent.is_segment = is_segment;
                    if self.operation.has_styles {
                        sent.set_list(&parameter);
                    }
                    look(Some(index), &parameter, sent.value, location);
                    is_given = !sent.is_absent(self.operation.media.encoding);
                }
            }
            if is_given {
                continue;
            }
            self.sent.retain(|sent| !sent.is_default || sent.name != name);
            if let Some(Raw::Json(value)) = parameter.default
                && look(None, &parameter, ArgumentValue::Json(value), location)
            {
                let mut added = Sent {
                    name,
                    value: ArgumentValue::Json(value),
                    location: Some(location),
                    is_file,
                    is_segment,
                    is_default: true,
                    list: None,
                };
                if self.operation.has_styles {
                    added.set_list(&parameter);
                }
                self.add_default(&parameter, added, added.location.unwrap_or(location));
            }
            let is_required = parameter.required == Some(true) && !name.is_empty();
            if (is_required || is_segment) && missing.is_none() && !self.has(name) {
                missing = Some(name);
            }
        }
        let in_url = |name| {
            has_placeholder(self.operation.endpoint, name)
                || has_placeholder(self.operation.base, name)
        };
        let usual = self.usual_location();
        for sent in &mut self.sent {
            if sent.location.is_none() && in_url(sent.name) {
                sent.location = Some(Location::Path);
            } else if self.operation.takes_any {
                sent.location = sent.location.or(Some(usual));
            }
        }
        missing
    }

    /// Returns the location of an argument whose parameter states none.
    fn usual_location(&self) -> Location {
        let Operation { queries, method, .. } = &self.operation;
        if queries.iter().any(|own| method.eq_ignore_case(own)) {
            Location::Query
        } else {
            Location::Body
        }
    }

    /// Returns the location of a parameter.
    fn location_of(&self, parameter: &Parameter<'_>, name: Text<'_>) -> Location {
        let operation = &self.operation;
        if operation.is_client {
            return Location::Body;
        }
        let written = parameter.location.and_then(|location| location.text);
        match written.filter(|text| !text.is_empty()).map(place_of) {
            // A placeholder in the URL takes precedence over the written location.
            _ if has_placeholder(operation.endpoint, name)
                || has_placeholder(operation.base, name) =>
            {
                Location::Path
            }
            Some(Location::Path) if operation.has_segment(parameter) => Location::Path,
            Some(Location::Path) => Location::Unknown,
            Some(location) => location,
            None => self.usual_location(),
        }
    }

    /// Adds the default of a parameter without an argument. If the list is full, the default is not
    /// added, and a required argument is reported as missing.
    fn add_default(&mut self, parameter: &Parameter<'a>, added: Sent<'a>, location: Location) {
        let name = added.name;
        let is_needed = parameter.required == Some(true)
            || self.operation.sends_defaults
            || added.is_segment
            || has_placeholder(self.operation.endpoint, name);
        let is_in_header = location == Location::Header
            && self.sent.iter().any(|sent| {
                sent.name.eq_text_ignore_case(name)
                    && (!sent.is_default || sent.location == Some(Location::Header))
            });
        let has_room = self.sent.iter().filter(|sent| sent.is_default).count() < DEFAULTS;
        if has_room && is_needed && !is_in_header && self.fits(name, added.text(), location) {
            let _ = self.sent.push(added);
        }
    }

    /// Checks the arguments in their order.
    fn check(&self) -> Result<(), RequestError<'a>> {
        let mut has_value = false;
        let given = self.sent.iter().filter(|sent| !sent.is_default);
        for (index, sent) in given.enumerate() {
            // Header names ignore letter case, and two headers with the same name are ambiguous.
            let is_header = |sent: &Sent<'_>| sent.location == Some(Location::Header);
            let is_again = |other: &Sent<'_>| {
                other.name == sent.name
                    || other.name.eq_text_ignore_case(sent.name)
                        && is_header(other)
                        && is_header(sent)
            };
            if self.sent.iter().take(index).any(is_again) {
                return Err(RequestError::RepeatedArgument(index));
            }
            let location = sent.location.ok_or(RequestError::UnknownArgument(index))?;
            let is_second = location == Location::Body
                && core::mem::replace(&mut has_value, true)
                && self.operation.media.is_single();
            if location == Location::Unknown || is_second {
                return Err(RequestError::UnplacedArgument(index));
            }
            let is_plain =
                |item: Value<'_>| !matches!(item.kind(), Kind::Array | Kind::Object | Kind::Null);
            let is_list = sent.list.is_none() || sent.items().all(is_plain);
            if !is_list || !self.fits(sent.name, sent.text(), location) {
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
                can_be_argument(name)
                    && !self.operation.carrier.eq_text_ignore_case(name)
                    && is_value(value)
            }
            Location::Query | Location::Body => true,
        }
    }

    /// Returns the value of the argument with this name. Defaults are not arguments.
    pub(crate) fn argument(&self, name: Text<'_>) -> Option<Text<'c>> {
        let mut given = self.sent.iter().filter(|sent| !sent.is_default);
        given.find(|sent| sent.name == name).map(Sent::text)
    }

    /// Adds a value, and removes other values with its name. Without a location, the value goes
    /// where the method sends arguments. Returns false if the list is full.
    pub(crate) fn add(
        &mut self,
        name: Text<'c>,
        value: ArgumentValue<'c>,
        location: Option<Location>,
    ) -> bool {
        self.sent.retain(|sent| sent.name != name);
        let added = Sent {
            name,
            value,
            location: location.or(Some(self.usual_location())),
            is_file: false,
            is_segment: false,
            is_default: false,
            list: None,
        };
        self.sent.push(added).is_ok()
    }

    /// Returns the first placeholder of the base URL without a value.
    pub(crate) fn open_placeholder(&self) -> Option<Text<'a>> {
        placeholders(self.operation.base).find(|name| !self.has(*name))
    }

    /// Returns the name of the argument that makes the URL invalid: the first path argument whose
    /// value alone makes a path that `is_refused`, otherwise the longest argument in the URL.
    pub(crate) fn at_fault(
        &self,
        buffer: &mut [u8],
        mut is_refused: impl FnMut(&str) -> bool,
    ) -> Option<Text<'c>> {
        let mut is_refused = |sent: &Sent<'_>| {
            let mut sink = SliceSink::new(buffer);
            sink.put(b"/");
            sent.text().chars().for_each(|c| put_encoded(c, &mut sink));
            let length = sink.length();
            let path = buffer.get(..length).and_then(scan::text);
            path.is_none_or(&mut is_refused)
        };
        let length = |sent: &Sent<'_>| sent.text().decoded_len();
        let found = self.at(Location::Path).find(&mut is_refused);
        found
            .or_else(|| {
                let in_url = self.at(Location::Path).chain(self.at(Location::Query));
                in_url.max_by_key(length)
            })
            .map(|sent| sent.name)
    }

    /// Whether a value replaces a segment `:name`.
    pub(crate) fn fills_segments(&self) -> bool {
        self.sent.iter().any(|sent| sent.is_segment)
    }

    /// Writes all values as a JSON object.
    pub(crate) fn put_object(&self, sink: &mut impl Sink) {
        if self.sent.is_empty() {
            return sink.put(b"{}");
        }
        body::put(&Media::JSON, Boundary::FIRST, self.sent.iter().copied(), sink);
    }

    /// Whether a name has a value.
    pub(crate) fn has(&self, name: Text<'_>) -> bool {
        let encoding = self.operation.media.encoding;
        self.sent.iter().any(|sent| sent.name == name && !sent.is_absent(encoding))
    }

    /// Returns an error if a required parameter or a placeholder has no value. `missing` is a
    /// required parameter that had no value when it was read; a later parameter with its name can
    /// have added a default.
    fn check_required(&self, missing: Option<Text<'a>>) -> Result<(), RequestError<'a>> {
        let required = |parameter: Parameter<'a>| {
            let is_needed =
                parameter.required == Some(true) || self.operation.has_segment(&parameter);
            let name =
                parameter.name.filter(|name| is_needed && !name.is_empty() && !self.has(*name))?;
            Some(match self.location_of(&parameter, name) {
                Location::Unknown if is_path(&parameter) => RequestError::UnplacedParameter(name),
                _ => RequestError::MissingArgument(name),
            })
        };
        let missing = missing.and_then(|_| {
            let mut parameters = self.operation.parameters;
            parameters.find_map(required)
        });
        missing
            .or_else(|| {
                let mut names = placeholders(self.operation.endpoint);
                let name = names.find(|name| !self.has(*name));
                name.map(RequestError::MissingArgument)
            })
            .map_or(Ok(()), Err)
    }

    /// Returns the values that are sent in a location: arguments, then defaults.
    fn at(&self, location: Location) -> impl Iterator<Item = Sent<'c>> {
        let sent = self.sent.iter().copied();
        sent.filter(move |sent| sent.location == Some(location))
    }

    /// Whether the request has a body.
    pub(crate) fn has_body(&self) -> bool {
        self.at(Location::Body).next().is_some()
    }

    /// Writes the method in capitals, and the URL: the template with the values of its
    /// placeholders, and the query. Returns the offsets at which the method and the URL end.
    /// `template` is absolute, and its host has no placeholders.
    pub(crate) fn put_start(&self, template: &str, sink: &mut SliceSink<'_>) -> (usize, usize) {
        self.operation.method.chars().for_each(|c| put_char(c.to_ascii_uppercase(), sink));
        let method = sink.length();
        self.put_url(template, sink);
        (method, sink.length())
    }

    /// Writes the headers and the body. Returns the offset at which the headers end.
    pub(crate) fn put_rest<'h>(
        &self,
        constants: impl Iterator<Item = (Text<'h>, Text<'h>)>,
        sink: &mut SliceSink<'_>,
    ) -> Result<usize, RequestError<'a>> {
        let (has_body, media) = (self.has_body(), &self.operation.media);
        let boundary = self.boundary()?;
        if has_body {
            body::put_type(media, boundary, sink);
        }
        let given = self.at(Location::Header).map(|sent| (sent.name, sent.text()));
        given.for_each(|header| put_header(header, sink));
        constants.for_each(|header| put_header(header, sink));
        let headers = sink.length();
        if has_body {
            body::put(media, boundary, self.at(Location::Body), sink);
        }
        Ok(headers)
    }

    /// Finds the first segment `:name` of a template that has a value. Returns the text before it,
    /// the value, and the text behind it.
    fn segment<'t>(&self, template: &'t str) -> Option<(&'t str, Text<'c>, &'t str)> {
        let path = cut(template, b'?').map_or(template, |(path, _)| path);
        let mut start = 0;
        while let Some(at) = scan::find(path.as_bytes().get(start..)?, b"/:") {
            start = start.wrapping_add(at).wrapping_add(1);
            let (before, segment) = template.split_at_checked(start)?;
            let end = scan::memchr2(b'/', b'?', segment.as_bytes()).unwrap_or(segment.len());
            let (segment, behind) = segment.split_at_checked(end)?;
            let name = Text::plain(segment.as_bytes().get(1..)?);
            let mut sent = self.sent.iter();
            if let Some(sent) = sent.find(|sent| sent.is_segment && sent.name == name) {
                return Some((before, sent.text(), behind));
            }
        }
        None
    }

    /// Returns the value for a name in braces; empty if there is none.
    fn value(&self, name: Text<'_>) -> Text<'c> {
        let sent = self.sent.iter().find(|sent| sent.name == name);
        sent.map(Sent::text).unwrap_or_default()
    }

    /// Returns a boundary for the parts of the body.
    fn boundary(&self) -> Result<Boundary, RequestError<'a>> {
        if !matches!(self.operation.media.encoding, Encoding::Multipart) {
            return Ok(Boundary::FIRST);
        }
        let values = self.at(Location::Body).map(|sent| sent.text());
        Boundary::of(values).ok_or(RequestError::InvalidArgument(0))
    }

    /// Writes the URL of a template.
    pub(crate) fn put_url(&self, template: &str, sink: &mut impl Sink) {
        let template = cut(template, b'#').map_or(template, |(before, _)| before);
        let mut query = cut(template, b'?').map(|(_, query)| query.is_empty());
        let mut rest = template;
        while let Some((before, value, behind)) = self.segment(rest) {
            self.put_template(before, sink);
            value.chars().for_each(|c| put_encoded(c, sink));
            rest = behind;
        }
        self.put_template(rest, sink);
        for sent in self.at(Location::Query) {
            let Some(list) = sent.list else {
                put_name(sent.name, &mut query, sink);
                sent.text().chars().for_each(|c| put_encoded(c, sink));
                continue;
            };
            for (index, item) in sent.items().enumerate() {
                match list {
                    Lists::Joined(between) if index > 0 => sink.put(between.as_bytes()),
                    _ => put_name(sent.name, &mut query, sink),
                }
                let text = ArgumentValue::Json(item).text();
                text.chars().for_each(|c| put_encoded(c, sink));
            }
        }
    }

    /// Writes a part of a template with the values of its placeholders.
    fn put_template(&self, template: &str, sink: &mut impl Sink) {
        for piece in pieces(Text::plain(template.as_bytes())) {
            match piece {
                Piece::Char(c)
                    if c.is_ascii_graphic()
                        && !matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}') =>
                {
                    put_char(c, sink);
                }
                Piece::Char(c) => put_encoded(c, sink),
                Piece::Name(name) => self.value(name).chars().for_each(|c| put_encoded(c, sink)),
            }
        }
    }
}

/// Begins a value in a query. `query` is `None` before the question mark, and says afterwards whether
/// the query is still empty.
fn put_name(name: Text<'_>, query: &mut Option<bool>, sink: &mut impl Sink) {
    sink.put(match query.replace(false) {
        None => b"?",
        Some(true) => b"",
        Some(false) => b"&",
    });
    name.chars().for_each(|c| put_encoded(c, sink));
    sink.put(b"=");
}

/// Writes a header line.
fn put_header((name, value): (Text<'_>, Text<'_>), sink: &mut impl Sink) {
    name.chars().for_each(|c| put_char(c, sink));
    sink.put(b":");
    value.chars().for_each(|c| put_char(c, sink));
    sink.put(b"\n");
}

/// Whether the type of a parameter says that it is a file.
fn is_file(parameter: &Parameter<'_>) -> bool {
    let is = |name| parameter.kind.is_some_and(|kind| kind.eq_ignore_case(name));
    is("file") || is("binary")
}
