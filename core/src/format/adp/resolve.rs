//! The URLs of a manifest: resolves references with `base_url`, and fills placeholders.

use super::encode::{put_char, put_encoded, put_form, text};
use super::{Adp, Argument, RequestError, argument};
use crate::rules::urls::{has_scheme, is_rooted};
use crate::sink::{Sink, SliceSink};
use crate::syntax::pieces::before;
use crate::syntax::template::{Piece, pieces, placeholders};
use crate::syntax::text::Text;
use crate::syntax::url::{
    self, ResolveError, Url, ends_with_domain, remove_dot_segments, resolve_str,
};

impl<'a> Adp<'a> {
    /// Resolves a `detail_url`, or the endpoint of a capability. An absolute URL is kept. A path is
    /// appended to base_url, with one slash between, as clients of published manifests do. A path
    /// that begins with the path of base_url replaces it instead. Any other reference (`?x`, `#x`,
    /// `//host/x`) is resolved by RFC 3986. `//host/x` is on another host; the check reports it.
    /// Placeholders are not resolved; see [`resolve_filled`](Self::resolve_filled).
    ///
    /// ```
    /// use agentsdisc_core::{Document, Format, ParseOptions, syntax::text::Text};
    /// let text = br#"{"spec_version": "1.0", "base_url": "https://example.com/v1/"}"#;
    /// let options = ParseOptions { format: Some(Format::Adp), ..ParseOptions::default() };
    /// let manifest = Document::parse_with(text, &options)?.adp().unwrap();
    /// let (path, mut buffer) = (Text::plain(b"/search.json"), [0; 64]);
    /// assert_eq!(manifest.resolve_detail_url(path, &mut buffer), Ok("https://example.com/v1/search.json"));
    /// assert_eq!(manifest.resolve_detail_url_rfc3986(path, &mut buffer), Ok("https://example.com/search.json"));
    /// let whole = Text::plain(b"/v1/search.json");
    /// assert_eq!(manifest.resolve_detail_url(whole, &mut buffer), Ok("https://example.com/v1/search.json"));
    /// # Ok::<(), agentsdisc_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`RequestError::InvalidBaseUrl`], [`RequestError::Placeholder`],
    /// [`RequestError::InvalidReference`], [`RequestError::BufferTooSmall`] with a size that is
    /// enough.
    pub fn resolve_detail_url<'b>(
        &self,
        detail_url: Text<'a>,
        buffer: &'b mut [u8],
    ) -> Result<&'b str, RequestError<'a>> {
        self.resolve_filled(detail_url, &[], false, buffer)
    }

    /// Like [`resolve_detail_url`](Self::resolve_detail_url), but by RFC 3986 alone: a path that
    /// begins with `/` replaces the path of base_url. The result differs only if base_url has a
    /// path.
    ///
    /// # Errors
    /// As [`resolve_detail_url`](Self::resolve_detail_url).
    pub fn resolve_detail_url_rfc3986<'b>(
        &self,
        detail_url: Text<'a>,
        buffer: &'b mut [u8],
    ) -> Result<&'b str, RequestError<'a>> {
        self.resolve_filled(detail_url, &[], true, buffer)
    }

    /// Like [`resolve_detail_url`](Self::resolve_detail_url), or by RFC 3986 alone, with arguments
    /// for the placeholders in braces of base_url and of the reference. Other arguments are
    /// ignored. A value in the host must be a name of letters, digits, hyphens and dots. A value
    /// elsewhere is percent-encoded.
    ///
    /// ```
    /// use agentsdisc_core::format::adp::{Argument, ArgumentValue};
    /// use agentsdisc_core::{Document, Format, ParseOptions, syntax::text::Text};
    /// let text = br#"{"spec_version": "1.0", "base_url": "https://{shop}.example.com"}"#;
    /// let options = ParseOptions { format: Some(Format::Adp), ..ParseOptions::default() };
    /// let manifest = Document::parse_with(text, &options)?.adp().unwrap();
    /// let (shop, mut buffer) = (Argument { name: "shop", value: ArgumentValue::Text("mugs") }, [0; 64]);
    /// let url = manifest.resolve_filled(Text::plain(b"/search.json"), &[shop], false, &mut buffer);
    /// assert_eq!(url, Ok("https://mugs.example.com/search.json"));
    /// # Ok::<(), agentsdisc_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`resolve_detail_url`](Self::resolve_detail_url), and [`RequestError::InvalidArgument`].
    pub fn resolve_filled<'b>(
        &self,
        reference: Text<'a>,
        arguments: &[Argument<'_>],
        rfc3986: bool,
        buffer: &'b mut [u8],
    ) -> Result<&'b str, RequestError<'a>> {
        let (mut base_buffer, mut filled) = ([0; url::BUFFER], [0; url::BUFFER]);
        let base = self.base(arguments, &mut base_buffer)?;
        let reference =
            fill(reference, |name| argument(arguments, name), Fill::Everywhere, &mut filled)?
                .ok_or(RequestError::InvalidReference)?;
        let resolved = resolver(rfc3986)(&base, reference, buffer)?;
        // A manifest must not lead a client to a local file.
        Url::parse(resolved.as_bytes())
            .filter(Url::is_http)
            .map(|_| resolved)
            .ok_or(RequestError::InvalidReference)
    }

    /// Returns the base URL with the arguments for its placeholders.
    pub(crate) fn base<'u>(
        &self,
        arguments: &[Argument<'_>],
        buffer: &'u mut [u8],
    ) -> Result<Url<'u>, RequestError<'a>> {
        let base = self.top.base_url.ok_or(RequestError::InvalidBaseUrl)?;
        fill(base, |name| argument(arguments, name), Fill::Everywhere, buffer)?
            .and_then(|text| Url::parse(text.as_bytes()))
            .filter(Url::is_http)
            .ok_or(RequestError::InvalidBaseUrl)
    }
}

/// A function that resolves a reference into a buffer.
pub(crate) type Resolver =
    for<'b> fn(&Url<'_>, &str, &'b mut [u8]) -> Result<&'b str, RequestError<'static>>;

/// Returns the function that resolves by RFC 3986 alone, or as clients of published manifests do.
pub(crate) fn resolver(rfc3986: bool) -> Resolver {
    if rfc3986 {
        |base, reference, buffer| resolve_str(base, reference, buffer).map_err(from_resolve)
    } else {
        append
    }
}

/// Resolves a reference. A path is appended to the base with one slash between. If it begins with
/// the path of the base, it replaces that path.
pub(crate) fn append<'b>(
    base: &Url<'_>,
    reference: &str,
    buffer: &'b mut [u8],
) -> Result<&'b str, RequestError<'static>> {
    append_to(base, reference, false, buffer)
}

/// Like [`append`]; if `is_always` is true, also appends a path that begins with the path of the
/// base.
pub(crate) fn append_to<'b>(
    base: &Url<'_>,
    reference: &str,
    is_always: bool,
    buffer: &'b mut [u8],
) -> Result<&'b str, RequestError<'static>> {
    let refused = |c: char| url::is_blank_or_control(c) || c == '\\';
    if !is_path(Text::plain(reference.as_bytes())) {
        return resolve_str(base, reference, buffer).map_err(from_resolve);
    }
    if reference.chars().any(refused) {
        return Err(RequestError::InvalidReference);
    }
    let mut sink = SliceSink::new(buffer);
    put_origin(base, &mut sink);
    let start = sink.length();
    if is_always || !has_base_path(base, Text::plain(reference.as_bytes())) {
        sink.put(trimmed_path(base));
    }
    let is_relative = !reference.starts_with('/');
    if is_relative {
        sink.put(b"/");
    }
    let path = before(before(reference.as_bytes(), b'#'), b'?');
    let end = sink.length().saturating_add(path.len());
    sink.put(reference.as_bytes());
    let (mut length, is_whole) = (sink.length(), sink.is_whole());
    if is_relative && let Some(url) = buffer.get_mut(..length) {
        length = remove_dot_segments(url, start, end, false);
    }
    whole(&length, is_whole, buffer)
}

/// Whether a reference is a path, with or without a slash at its start.
pub(super) fn is_path(reference: Text<'_>) -> bool {
    match reference.chars().next() {
        Some('/') => is_rooted(reference),
        Some('?' | '#') | None => false,
        Some(_) => !has_scheme(reference),
    }
}

/// Whether a path begins with the path of the base URL.
pub(super) fn has_base_path(base: &Url<'_>, path: Text<'_>) -> bool {
    let base = trimmed_path(base);
    let base = match path.chars().next() {
        Some('/') => base,
        _ => base.strip_prefix(b"/").unwrap_or_default(),
    };
    let (base, mut chars) = (Text::plain(base), path.chars());
    !base.is_empty()
        && base.chars().all(|c| chars.next() == Some(c))
        && matches!(chars.next(), None | Some('/' | '?' | '#'))
}

/// Returns the path of a URL without trailing slashes.
fn trimmed_path<'u>(url: &Url<'u>) -> &'u [u8] {
    let mut path = url.path().as_bytes();
    while let [before @ .., b'/'] = path {
        path = before;
    }
    path
}

fn put_origin(url: &Url<'_>, sink: &mut impl Sink) {
    sink.put(url.scheme().as_bytes());
    sink.put(b"://");
    sink.put(url.authority().as_bytes());
}

/// Returns the text that was written into the buffer, or an error if it does not fit.
fn whole<'b>(
    &needed: &usize,
    is_whole: bool,
    buffer: &'b [u8],
) -> Result<&'b str, RequestError<'static>> {
    if is_whole {
        Ok(text(buffer, 0, needed))
    } else {
        Err(RequestError::BufferTooSmall { needed })
    }
}

const fn from_resolve(error: ResolveError) -> RequestError<'static> {
    match error {
        ResolveError::Invalid => RequestError::InvalidReference,
        ResolveError::BufferTooSmall { needed } => RequestError::BufferTooSmall { needed },
    }
}

/// Which placeholders [`fill`] replaces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fill {
    Everywhere,
    /// Those in the host. The others stay as written, in braces.
    Host,
}

/// A part of a URL or reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Before the first slash. It may be a scheme.
    Start,
    /// Behind the first slash, if a second slash would begin a host.
    Slash,
    Host,
    Port,
    Rest,
}

impl Part {
    /// Returns the part that follows a character.
    fn after(self, c: char, before: Option<char>) -> Self {
        match (self, c) {
            (Self::Start, '/') if matches!(before, None | Some(':')) => Self::Slash,
            (Self::Slash, '/') => Self::Host,
            (Self::Host, ':') => Self::Port,
            (Self::Slash, _) | (Self::Start | Self::Host | Self::Port, '/' | '?' | '#') => {
                Self::Rest
            }
            _ => self,
        }
    }
}

/// Returns the pieces of a URL or reference, each with the part that contains it.
fn parts(template: Text<'_>) -> impl Iterator<Item = (Part, Piece<'_>)> {
    let (mut part, mut before) = (Part::Start, None);
    pieces(template).map(move |piece| {
        let (c, last) = match piece {
            Piece::Char(c) => (c, c),
            // A slash before a name belongs to a path.
            Piece::Name(_) => ('{', '}'),
        };
        part = part.after(c, before);
        before = Some(last);
        (part, piece)
    })
}

/// Whether arguments cannot change the registrable domain of a URL, so its host always belongs to
/// the same owner. `filled` is the template with its arguments.
pub(crate) fn keeps_domain(template: Text<'_>, filled: &Url<'_>) -> bool {
    // The length in bytes of the text behind the last name in the host.
    let mut fixed = None;
    for (_, piece) in parts(template).filter(|(part, _)| *part == Part::Host) {
        fixed = match piece {
            Piece::Name(_) => Some(0),
            Piece::Char(c) => fixed.map(|length: usize| length.saturating_add(c.len_utf8())),
        };
    }
    fixed.is_none_or(|length| ends_with_domain(filled.host().as_bytes(), length))
}

/// Decodes a URL or reference into `buffer`, with arguments in place of its placeholders. `None` if
/// it does not fit, or if a placeholder is in the port.
pub(crate) fn fill<'a, 'b, 'v>(
    template: Text<'a>,
    value_of: impl Fn(Text<'a>) -> Option<(usize, Text<'v>)>,
    which: Fill,
    buffer: &'b mut [u8],
) -> Result<Option<&'b str>, RequestError<'a>> {
    let mut sink = SliceSink::new(buffer);
    for (part, piece) in parts(template) {
        let name = match piece {
            Piece::Char(c) => {
                put_char(c, &mut sink);
                continue;
            }
            Piece::Name(_) if part == Part::Port => return Ok(None),
            Piece::Name(name) => name,
        };
        if which == Fill::Host && part != Part::Host {
            sink.put(b"{");
            name.chars().for_each(|c| put_char(c, &mut sink));
            sink.put(b"}");
            continue;
        }
        let (index, value) = value_of(name).ok_or(RequestError::Placeholder(name))?;
        let fits = match part {
            Part::Host => is_host_part(value),
            _ => is_segment(value),
        };
        if !fits {
            return Err(RequestError::InvalidArgument(index));
        }
        value.chars().for_each(|c| put_encoded(c, &mut sink));
    }
    let (length, is_whole) = (sink.length(), sink.is_whole());
    Ok(is_whole.then(|| text(buffer, 0, length)))
}

/// Whether a value can be inserted in the path. An empty value cannot; neither can a value that
/// consists only of dots, which would be a dot segment.
pub(crate) fn is_segment(value: Text<'_>) -> bool {
    value.chars().any(|c| c != '.')
}

/// Whether a value can be inserted in a host: names of letters, digits and hyphens, separated by
/// dots.
fn is_host_part(value: Text<'_>) -> bool {
    let mut previous = '.';
    let fits = value.chars().all(|c| {
        let fits = c.is_ascii_alphanumeric() || (matches!(c, '-' | '.') && previous != '.');
        previous = c;
        fits
    });
    fits && previous.is_ascii_alphanumeric()
}

/// Whether a URL has a placeholder with this name.
pub(crate) fn has_placeholder(template: Text<'_>, name: Text<'_>) -> bool {
    placeholders(template).any(|placeholder| placeholder == name)
}

/// Whether the path of a URL has the segment `:name`.
pub(crate) fn has_segment(template: Text<'_>, name: Text<'_>) -> bool {
    // The rest of the name that must follow. `None` outside of a segment that begins with the name.
    let (mut rest, mut before) = (None, None);
    for c in template.chars().chain(['#']) {
        let is_end = matches!(c, '/' | '?' | '#');
        rest = match rest {
            None if before == Some('/') && c == ':' => Some(name.chars()),
            None => None,
            Some(mut rest) => match rest.next() {
                None if is_end => return !name.is_empty(),
                next => (next == Some(c)).then_some(rest),
            },
        };
        if matches!(c, '?' | '#') {
            break;
        }
        before = Some(c);
    }
    false
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
    let registry =
        Url::parse(registry.as_bytes()).filter(Url::is_http).ok_or(RequestError::InvalidBaseUrl)?;
    let mut sink = SliceSink::new(buffer);
    put_origin(&registry, &mut sink);
    sink.put(trimmed_path(&registry));
    sink.put(b"/api/discover?q=");
    words.chars().for_each(|c| put_form(c, &mut sink));
    whole(&sink.length(), sink.is_whole(), buffer)
}
