//! Writes the examples of an operation of OpenAPI into a detail of the Agent Discovery Protocol.
//!
//! The request is put together from the examples that the description states. It is left out if a
//! required argument has none.

use super::adapt::{Adapted, Source};
use super::out::{Name, Notation, Out, name};
use crate::format::Format;
use crate::format::adp::encode::{put_char, put_encoded};
use crate::format::adp::resolve::is_segment;
use crate::format::openapi::OpenApi;
use crate::model::{Capability, Location, Parameter, Raw};
use crate::sink::{Sink, SliceSink};
use crate::syntax::template::{Piece, pieces, placeholders};
use crate::syntax::text::Text;
use crate::syntax::url;

const METHOD: Name = name("method", "", "method");
const URL: Name = name("url", "", "url");
const REQUEST_BODY: Name = name("request_example", "", "body");
const RESPONSE_BODY: Name = name("response_example", "", "body");
const STATUS: Name = name("status", "", "status");

/// Writes the example of the request and that of the response.
pub(super) fn write<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    adapted: &Adapted<'a>,
    description: &OpenApi<'a>,
) {
    let one = &adapted.capability;
    let examples = description.examples(one.source);
    request(out, source, adapted, examples.body.map(Raw::Json));
    if let Some((status, body)) = examples.response {
        if let Notation::Json(layout) = &mut out.notation {
            layout.open_member("response_example", b"{");
        }
        out.number(&STATUS, status, &[]);
        out.raw(&RESPONSE_BODY, body.map(Raw::Json));
        if let Notation::Json(layout) = &mut out.notation {
            layout.close(b"}");
        }
    }
}

/// The arguments of the example that are sent at this place.
fn arguments<'a>(
    source: &Source<'a, '_>,
    one: &Capability<'a>,
    place: Location,
) -> impl Iterator<Item = (Text<'a>, Raw<'a>)> {
    let sent = one.parameters.filter(move |own| is_at(own, place));
    sent.filter(|own| source.fits(one, own, Format::Adp))
        .filter_map(|own| Some((own.name?, example(&own)?)))
}

fn is_at(parameter: &Parameter<'_>, place: Location) -> bool {
    parameter.location.is_some_and(|own| own.value == place)
}

/// The value of a parameter in the example.
fn example<'a>(parameter: &Parameter<'a>) -> Option<Raw<'a>> {
    parameter.example.filter(|raw| !matches!(raw, Raw::Json(value) if value.is_null()))
}

/// The text of a value outside of a JSON body.
fn text_of(raw: Raw<'_>) -> Text<'_> {
    match raw {
        Raw::Text(text) => text,
        Raw::Json(value) => value.as_text().unwrap_or(Text::plain(value.raw())),
    }
}

#[inline(never)] // Its buffer is gone before the next one is needed.
fn request<'a>(
    out: &mut Out<'_, 'a>,
    source: &Source<'a, '_>,
    adapted: &Adapted<'a>,
    body: Option<Raw<'a>>,
) {
    let one = &adapted.capability;
    let is_missing = |own: Parameter<'a>| {
        let is_in_body = body.is_some() && is_at(&own, Location::Body);
        own.required == Some(true) && example(&own).is_none() && !is_in_body
    };
    let mut buffer = [0; url::BUFFER];
    let length = put_url(source, adapted, &mut buffer);
    let (Some(length), Some(method)) = (length, one.method) else { return };
    if { one.parameters }.any(is_missing) {
        return;
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.name("request_example");
        layout.open(b"{");
    }
    out.put(&METHOD, method);
    out.put(&URL, Text::plain(buffer.get(..length).unwrap_or_default()));
    if let Notation::Json(layout) = &mut out.notation {
        layout.open_member("headers", b"{");
        for (name, value) in arguments(source, one, Location::Header) {
            layout.own_name(name);
            layout.text(text_of(value));
        }
        layout.close(b"}");
    }
    if body.is_some() {
        out.raw(&REQUEST_BODY, body);
    } else if let Notation::Json(layout) = &mut out.notation {
        layout.open_member("body", b"{");
        for (name, value) in arguments(source, one, Location::Body) {
            layout.own_name(name);
            layout.raw(value);
        }
        layout.close(b"}");
    }
    if let Notation::Json(layout) = &mut out.notation {
        layout.close(b"}");
    }
}

/// The largest number of placeholders in the path of an example: each is searched for among all
/// parameters.
const PLACEHOLDERS: usize = 16;

/// Writes the endpoint with the examples of its placeholders and of the query, and returns the
/// length. `None` if a placeholder has no example, if there are too many, or if the URL is too long.
fn put_url<'a>(source: &Source<'a, '_>, adapted: &Adapted<'a>, buffer: &mut [u8]) -> Option<usize> {
    let (one, endpoint) = (&adapted.capability, Text::plain(adapted.endpoint()?.as_bytes()));
    if placeholders(endpoint).nth(PLACEHOLDERS).is_some() {
        return None;
    }
    let mut sink = SliceSink::new(buffer);
    for piece in pieces(endpoint) {
        match piece {
            Piece::Char(c) => put_char(c, &mut sink),
            Piece::Name(name) => {
                let mut own = arguments(source, one, Location::Path);
                let (_, value) = own.find(|(own, _)| *own == name)?;
                let value = Some(text_of(value)).filter(|value| is_segment(*value))?;
                value.chars().for_each(|c| put_encoded(c, &mut sink));
            }
        }
    }
    let mut mark: &[u8] = b"?";
    for (name, value) in arguments(source, one, Location::Query) {
        sink.put(core::mem::replace(&mut mark, b"&"));
        name.chars().for_each(|c| put_encoded(c, &mut sink));
        sink.put(b"=");
        text_of(value).chars().for_each(|c| put_encoded(c, &mut sink));
    }
    sink.is_whole().then(|| sink.length())
}
