//! Parses the body of an answer, or determines why it is rejected.

use super::rejection::Rejection;
use super::resource::{Resource, Resources};
use crate::document::{Document, Hints, ParseOptions, detect};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::limits::Limits;
use crate::syntax::text::starts_with;

/// Why a body is not accepted as a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refused {
    pub(crate) rejection: Rejection,
    pub(crate) format: Format,
    pub(crate) error: Option<Error>,
}

impl Refused {
    const fn new(rejection: Rejection, format: Format) -> Self {
        Self { rejection, format, error: None }
    }
}

/// Parses a body as the requested kind of document, or as the other kind in `wanted` that can be at
/// the same location. If the format cannot be detected with `url` as a hint, it is detected again
/// with `place`, the well-known path of the kind of document that a link promises. Returns `None`
/// for the home page, which is not a document.
pub(crate) fn read<'r>(
    resource: Resource,
    wanted: Resources,
    (url, place): (&str, Option<&str>),
    content_type: Option<&str>,
    body: &'r [u8],
    limits: &Limits,
) -> Result<Option<Document<'r>>, Refused> {
    let hints = Hints { url: Some(url), content_type };
    let format = match resource {
        Resource::Home => return Ok(None),
        // Any body counts as rules (RFC 9309 section 2.3.1.1).
        Resource::RobotsTxt => Some(Format::RobotsTxt),
        // The URL came from a manifest, so the body is a detail unless it is clearly another
        // format.
        Resource::Detail => match detect(body, hints).format {
            Format::Unknown | Format::AdpCapability => Some(Format::AdpCapability),
            Format::Html => return Err(Refused::new(Rejection::Html, Format::Html)),
            other => return Err(Refused::new(Rejection::OtherFormat, other)),
        },
        _ => None,
    };
    let mut options = ParseOptions { format, hints, limits: *limits };
    let mut parsed = Document::parse_with(body, &options);
    if place.is_some() && matches!(&parsed, Err(error) if error.kind == ErrorKind::UnknownFormat) {
        options.hints.url = place;
        parsed = Document::parse_with(body, &options);
    }
    match &parsed {
        Ok(document) if resource.of(document.format(), wanted).is_some() => Ok(Some(*document)),
        Ok(document) => Err(Refused::new(Rejection::OtherFormat, document.format())),
        Err(error) => Err(why(*error, content_type)),
    }
}

fn why(error: Error, content_type: Option<&str>) -> Refused {
    let is_page = || content_type.is_some_and(|value| starts_with(value.as_bytes(), b"text/html"));
    match error.kind {
        ErrorKind::NotADiscoveryDocument(Format::Html) => {
            Refused::new(Rejection::Html, Format::Html)
        }
        ErrorKind::NotADiscoveryDocument(format) => Refused::new(Rejection::OtherFormat, format),
        ErrorKind::NotBuiltIn(format) => {
            Refused { error: Some(error), ..Refused::new(Rejection::Unreadable, format) }
        }
        // This is a fragment of a page without the usual signs of HTML.
        ErrorKind::UnknownFormat | ErrorKind::WrongFormat if is_page() => {
            Refused::new(Rejection::Html, Format::Html)
        }
        ErrorKind::UnknownFormat | ErrorKind::WrongFormat => {
            Refused::new(Rejection::NotRecognised, Format::Unknown)
        }
        ErrorKind::TooLarge => {
            Refused { error: Some(error), ..Refused::new(Rejection::TooLarge, Format::Unknown) }
        }
        _ => Refused { error: Some(error), ..Refused::new(Rejection::Unreadable, Format::Unknown) },
    }
}
