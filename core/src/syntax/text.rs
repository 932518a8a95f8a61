//! Text of a document: a raw slice and its escape.
//!
//! Text is decoded on request, without a heap: [`Text`] compares, iterates over its characters and
//! decodes into a buffer. For unescaped text, [`Text::as_str`] returns the string directly.

use core::fmt;

use super::fold::{Fold, Folding};
use super::html::reference;
use super::markdown::{Around, Paragraphs};
use super::yaml::decode::Block;
use crate::kind::{Format, READS_JSON, READS_MARKDOWN};
use crate::scan;
use crate::sink::copy;

/// The escape of the raw bytes of a [`Text`].
///
/// Without the Cargo features `agents-md`, `llms-txt` and `oauth`, text of YAML and Markdown is not decoded:
/// its characters are the raw bytes. Without any JSON format either, the same applies to JSON, and
/// every text counts as plain. Documents of the remaining formats have no other text.
///
/// The numbers are those of the C library. They are odd for escaped text.
// A word, so a text of three words has no padding. Compilers copy padding byte by byte wherever a
// text is copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[repr(transparent)]
pub struct Escape(u32);

/// True if a built-in format can contain escaped text, or if calls are built in, because their
/// arguments are JSON.
pub(crate) const HAS_ESCAPES: bool = READS_JSON || READS_MARKDOWN || cfg!(feature = "call");

/// The escape that a [`Text`] stores. Empty if no built-in format has escapes, because texts are
/// copied everywhere.
type Kept = [Escape; HAS_ESCAPES as usize];

#[allow(non_upper_case_globals)] // Named as the variants of an enumeration, and matched as such.
impl Escape {
    /// The characters as they are.
    pub const Plain: Self = Self(0);
    /// The inside of a JSON string with backslash escapes.
    pub const Json: Self = Self(1);
    /// The inside of a YAML single-quoted scalar: `''` is a quote, line breaks fold.
    pub const YamlSingle: Self = Self(3);
    /// The inside of a YAML double-quoted scalar: backslash escapes, line breaks fold.
    pub const YamlDouble: Self = Self(5);
    /// A YAML plain scalar over several lines, which fold.
    pub const YamlPlain: Self = Self(7);
    /// A YAML literal block scalar with its header line.
    pub const YamlLiteral: Self = Self(9);
    /// A YAML folded block scalar with its header line.
    pub const YamlFolded: Self = Self(11);
    /// Markdown paragraphs over several lines: a line break is a space, a gap between paragraphs
    /// two line feeds.
    pub const Markdown: Self = Self(13);
    /// The same in block quotes, without the `>` before a line.
    pub const MarkdownQuote: Self = Self(15);

    /// The lowest byte of the escape of a list item. The other three bytes are the item's
    /// containers ([`Around`]).
    const ITEM: u8 = 17;

    /// The lowest byte of the escape of an operation that has no name. The next one is the number of
    /// its method.
    const OPERATION: u8 = 19;

    /// The destination of a Markdown link: a backslash before ASCII punctuation, and character
    /// references (CommonMark 2.4 and 2.5).
    pub(crate) const DESTINATION: Self = Self(21);

    /// The method and the path of an operation of OpenAPI, such as `GET /items`. The raw bytes are
    /// those of the path, the inside of a JSON string.
    pub(crate) const fn operation(method: u8) -> Self {
        Self(u32::from_le_bytes([Self::OPERATION, method, 0, 0]))
    }

    /// The method of an [`operation`](Self::operation); `None` for other escapes.
    fn method(self) -> Option<&'static str> {
        match self.0.to_le_bytes() {
            [Self::OPERATION, method, 0, 0] if Format::OpenApi.is_built_in() => {
                Self::METHODS.get(usize::from(method)).copied()
            }
            _ => None,
        }
    }

    /// The methods of operations, by their numbers.
    pub(crate) const METHODS: [&'static str; 9] =
        ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY"];

    /// All escapes without containers, in the order of their numbers.
    pub const ALL: [Self; 9] = [
        Self::Plain,
        Self::Json,
        Self::YamlSingle,
        Self::YamlDouble,
        Self::YamlPlain,
        Self::YamlLiteral,
        Self::YamlFolded,
        Self::Markdown,
        Self::MarkdownQuote,
    ];

    /// The paragraphs of a Markdown list item, without the lists, quotes and code between them.
    pub(crate) const fn markdown_item(around: Around) -> Self {
        let Around { outside, quotes, inside } = around;
        Self(u32::from_le_bytes([Self::ITEM, inside, quotes, outside]))
    }

    /// The containers of [`markdown_item`](Self::markdown_item); absent for other escapes.
    const fn around(self) -> Option<Around> {
        match self.0.to_le_bytes() {
            [Self::ITEM, inside, quotes, outside] => Some(Around { outside, quotes, inside }),
            _ => None,
        }
    }

    /// The number.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The escape with this number.
    pub fn from_number(number: u32) -> Option<Self> {
        let escape = Self(number);
        let is_other =
            escape.around().is_some() || escape.method().is_some() || escape == Self::DESTINATION;
        (Self::ALL.contains(&escape) || is_other).then_some(escape)
    }
}

/// A piece of text in a document.
///
/// Two texts are equal if their decoded characters are equal. Bytes that are not UTF-8, which only
/// robots.txt can contain, equal only the same bytes.
///
/// ```
/// use agentsdisc_core::syntax::text::Text;
/// let url = Text::json(br"https:\/\/example.com");
/// assert_eq!(url, "https://example.com");
/// assert_eq!(url.as_str(), None); // it is escaped,
/// let mut buffer = [0; 32];
/// assert_eq!(url.decode(&mut buffer), Ok("https://example.com"));
/// ```
#[derive(Clone, Copy)]
pub struct Text<'a> {
    raw: &'a [u8],
    escape: Kept,
}

/// The buffer is too small for a decoded text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferTooSmall {
    /// A sufficient number of bytes.
    pub needed: usize,
}

impl<'a> Text<'a> {
    /// The empty text.
    pub const EMPTY: Self = Self::plain(b"");

    /// Unescaped text. Invalid UTF-8 is decoded as U+FFFD.
    pub const fn plain(raw: &'a [u8]) -> Self {
        Self::escaped(raw, Escape::Plain)
    }

    /// The inside of a JSON string.
    pub const fn json(raw: &'a [u8]) -> Self {
        Self::escaped(raw, Escape::Json)
    }

    /// Text with the given escape.
    pub const fn escaped(raw: &'a [u8], escape: Escape) -> Self {
        Self { raw, escape: [escape; HAS_ESCAPES as usize] }
    }

    /// The raw bytes of the document, still escaped.
    pub const fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// The escape of the raw bytes.
    pub const fn escape(self) -> Escape {
        match self.escape.as_slice() {
            [escape, ..] => *escape,
            [] => Escape::Plain,
        }
    }

    /// True if the raw bytes must be decoded.
    // Inlined everywhere, because only then the linker can remove the decoders.
    #[inline(always)]
    pub const fn is_escaped(self) -> bool {
        HAS_ESCAPES && !matches!(self.escape(), Escape::Plain)
    }

    /// The text, if it is unescaped and UTF-8 (as in every document but robots.txt).
    pub fn as_str(self) -> Option<&'a str> {
        if self.is_escaped() { None } else { scan::text(self.raw) }
    }

    /// True if the text has no characters.
    pub fn is_empty(self) -> bool {
        self.raw.is_empty() || (self.is_escaped() && self.chars().next().is_none())
    }

    /// True if the text has no characters but white space.
    pub(crate) fn is_blank(self) -> bool {
        self.chars().all(char::is_whitespace)
    }

    /// The paragraphs of a Markdown list item, as raw bytes. Any other text is returned as a whole.
    pub(crate) fn paragraphs(self) -> impl Iterator<Item = &'a [u8]> {
        let (mut whole, mut parts) = (Some(self.raw), None);
        if READS_MARKDOWN && let Some(around) = self.escape().around() {
            (whole, parts) = (None, Some(Paragraphs::new(self.raw, around)));
        }
        core::iter::from_fn(move || whole.take().or_else(|| parts.as_mut()?.next()))
    }

    /// The decoded characters. A lone surrogate escape is decoded as U+FFFD.
    pub fn chars(self) -> Chars<'a> {
        Chars { decoder: Decoder::new(self) }
    }

    /// Decodes into `buffer` and returns the filled part, or the required buffer size.
    ///
    /// # Errors
    /// [`BufferTooSmall`] with the length of the decoded text.
    pub fn decode(self, buffer: &mut [u8]) -> Result<&str, BufferTooSmall> {
        let mut length = 0;
        for c in self.chars() {
            let mut utf8 = [0; 4];
            let piece = c.encode_utf8(&mut utf8).as_bytes();
            if let Some(place) = buffer.get_mut(length..length + piece.len()) {
                copy(place, piece);
            }
            length += piece.len();
        }
        buffer
            .get(..length)
            .and_then(|text| scan::text(text))
            .ok_or(BufferTooSmall { needed: length })
    }

    /// The length of the decoded text in bytes. Takes constant time for unescaped UTF-8, otherwise
    /// linear time.
    pub fn decoded_len(self) -> usize {
        match self.as_str() {
            Some(text) => text.len(),
            None => self.chars().map(char::len_utf8).sum(),
        }
    }

    /// True if the characters equal those of `other`, ignoring ASCII case.
    #[inline]
    pub fn eq_ignore_case(self, other: &str) -> bool {
        if !self.is_escaped() {
            // Most compared names differ in length.
            return self.raw.len() == other.len()
                && self.raw.eq_ignore_ascii_case(other.as_bytes());
        }
        self.decoded_eq_ignore_case(other)
    }

    fn decoded_eq_ignore_case(self, other: &str) -> bool {
        self.chars()
            .map(|c| c.to_ascii_lowercase())
            .eq(other.chars().map(|c| c.to_ascii_lowercase()))
    }

    /// Whether two texts are equal, ignoring the case of ASCII letters. Escapes are decoded.
    pub fn eq_text_ignore_case(self, other: Text<'_>) -> bool {
        if !self.is_escaped() && !other.is_escaped() {
            return self.raw.eq_ignore_ascii_case(other.raw);
        }
        self.chars()
            .map(|c| c.to_ascii_lowercase())
            .eq(other.chars().map(|c| c.to_ascii_lowercase()))
    }

    /// True if the characters begin with `prefix`, ignoring ASCII case.
    pub fn starts_with_ignore_case(self, prefix: &str) -> bool {
        if !self.is_escaped() {
            return starts_with(self.raw, prefix.as_bytes());
        }
        let mut chars = self.chars();
        prefix.chars().all(|p| chars.next().is_some_and(|c| c.eq_ignore_ascii_case(&p)))
    }

    /// The text without blanks (space, tab, CR, LF) at both ends, if it is plain. An escaped text
    /// is returned unchanged.
    #[must_use]
    pub fn trim(self) -> Self {
        if self.is_escaped() { self } else { Self { raw: trim(self.raw), escape: self.escape } }
    }
}

/// `bytes` without space, tab, CR and LF at both ends.
pub fn trim(mut bytes: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\r' | b'\n', rest @ ..] = bytes {
        bytes = rest;
    }
    while let [rest @ .., b' ' | b'\t' | b'\r' | b'\n'] = bytes {
        bytes = rest;
    }
    bytes
}

impl Default for Text<'_> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        if self.is_escaped() {
            self.chars().eq(other.chars())
        } else {
            self.raw == other.as_bytes()
        }
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        if !self.is_escaped() && !other.is_escaped() {
            return self.raw == other.raw;
        }
        self.chars().eq(other.chars())
    }
}

impl Eq for Text<'_> {}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => f.write_str(text),
            None => self.chars().try_for_each(|c| fmt::Write::write_char(f, c)),
        }
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        self.chars().flat_map(char::escape_debug).try_for_each(|c| fmt::Write::write_char(f, c))?;
        f.write_str("\"")
    }
}

/// The decoded characters of a [`Text`].
#[derive(Clone, Copy, Debug)]
pub struct Chars<'a> {
    decoder: Decoder<'a>,
}

impl<'a> Chars<'a> {
    /// The raw bytes of the remaining characters of plain and JSON text, and of destinations; empty
    /// for other YAML and Markdown.
    pub(crate) fn rest(&self) -> &'a [u8] {
        match self.decoder {
            Decoder::Plain(rest) | Decoder::Json(rest) | Decoder::Destination(rest) => rest,
            Decoder::Fold(_) | Decoder::Block(_) | Decoder::Item(..) | Decoder::Operation(..) => {
                &[]
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Decoder<'a> {
    Plain(&'a [u8]),
    Json(&'a [u8]),
    Fold(Fold<'a>),
    Block(Block<'a>),
    Destination(&'a [u8]),
    /// The method and the blank behind it, then the path.
    Operation(&'static [u8], bool, &'a [u8]),
    /// The current paragraph, and the next ones.
    Item(Fold<'a>, Paragraphs<'a>),
}

impl<'a> Decoder<'a> {
    fn new(text: Text<'a>) -> Self {
        match text.escape() {
            Escape::Plain => Self::Plain(text.raw),
            _ if !HAS_ESCAPES => Self::Plain(text.raw),
            Escape::Json => Self::Json(text.raw),
            escape if escape.method().is_some() => {
                let method = escape.method().unwrap_or_default();
                Self::Operation(method.as_bytes(), true, text.raw)
            }
            // Only formats of Markdown contain such text, and its decoders are larger than the
            // reader of agents.txt.
            _ if !READS_MARKDOWN => Self::Plain(text.raw),
            Escape::YamlSingle => Self::Fold(Fold::new(text.raw, Folding::YamlSingle)),
            Escape::YamlDouble => Self::Fold(Fold::new(text.raw, Folding::YamlDouble)),
            Escape::YamlPlain => Self::Fold(Fold::new(text.raw, Folding::YamlPlain)),
            Escape::YamlLiteral => Self::Block(Block::new(text.raw, false)),
            Escape::YamlFolded => Self::Block(Block::new(text.raw, true)),
            Escape::Markdown => Self::Fold(Fold::new(text.raw, Folding::Markdown)),
            Escape::MarkdownQuote => Self::Fold(Fold::new(text.raw, Folding::MarkdownQuote)),
            Escape::DESTINATION => Self::Destination(text.raw),
            escape => {
                let mut parts = Paragraphs::new(text.raw, escape.around().unwrap_or_default());
                let first = parts.next().unwrap_or_default();
                Self::Item(Fold::new(first, parts.folding()), parts)
            }
        }
    }
}

impl Iterator for Chars<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        match &mut self.decoder {
            Decoder::Plain(rest) => next_utf8(rest),
            Decoder::Json(rest) if HAS_ESCAPES => next_json(rest),
            Decoder::Operation(method, has_blank, path) if Format::OpenApi.is_built_in() => {
                next_utf8(method)
                    .or_else(|| core::mem::take(has_blank).then_some(' '))
                    .or_else(|| next_json(path))
            }
            Decoder::Fold(fold) if READS_MARKDOWN => fold.next(),
            Decoder::Block(block) if READS_MARKDOWN => block.next(),
            Decoder::Destination(rest) if READS_MARKDOWN => next_of_destination(rest),
            Decoder::Item(fold, parts) if READS_MARKDOWN => fold.next().or_else(|| {
                *fold = Fold::after_gap(parts.next()?, parts.folding());
                fold.next()
            }),
            Decoder::Json(_)
            | Decoder::Fold(_)
            | Decoder::Block(_)
            | Decoder::Destination(_)
            | Decoder::Operation(..)
            | Decoder::Item(..) => None,
        }
    }
}

/// True if `text` begins with `start`, ignoring ASCII case.
#[inline]
pub(crate) fn starts_with(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
}

/// Takes one character from the start of UTF-8 text. Each invalid byte gives U+FFFD.
pub(crate) fn next_utf8(rest: &mut &[u8]) -> Option<char> {
    let (first, tail) = rest.split_first()?;
    if first.is_ascii() {
        *rest = tail;
        return Some(char::from(*first));
    }
    let (c, behind) = scan::character(rest).unwrap_or((char::REPLACEMENT_CHARACTER, tail));
    *rest = behind;
    Some(c)
}

/// Takes one character from the start of the destination of a Markdown link.
fn next_of_destination(rest: &mut &[u8]) -> Option<char> {
    if let [b'\\', mark, tail @ ..] = *rest
        && mark.is_ascii_punctuation()
    {
        *rest = tail;
        return Some(char::from(*mark));
    }
    if rest.starts_with(b"&")
        && let Some((char, tail)) = reference(rest)
        && rest.get(..rest.len().saturating_sub(tail.len())).is_some_and(|it| it.ends_with(b";"))
    {
        *rest = tail;
        return Some(char);
    }
    next_utf8(rest)
}

/// Takes one character from the start of the inside of a JSON string.
#[inline(always)]
fn next_json(rest: &mut &[u8]) -> Option<char> {
    match rest {
        [b'\\', tail @ ..] => {
            *rest = tail;
            Some(next_json_escape(rest))
        }
        _ => next_utf8(rest),
    }
}

/// Decodes the text after a backslash in a JSON string.
fn next_json_escape(rest: &mut &[u8]) -> char {
    let Some((&kind, tail)) = rest.split_first() else {
        return char::REPLACEMENT_CHARACTER;
    };
    *rest = tail;
    match kind {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => next_json_unicode(rest),
        other => char::from(other),
    }
}

fn next_json_unicode(rest: &mut &[u8]) -> char {
    let Some(unit) = hex(rest, 4) else {
        return char::REPLACEMENT_CHARACTER;
    };
    *rest = rest.get(4..).unwrap_or_default();
    if (0xD800..0xDC00).contains(&unit)
        && let [b'\\', b'u', low @ ..] = *rest
        && let Some(low_unit @ 0xDC00..0xE000) = hex(low, 4)
    {
        *rest = low.get(4..).unwrap_or_default();
        let scalar = 0x10000 + ((unit - 0xD800) << 10) + (low_unit - 0xDC00);
        return char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The value of this many hexadecimal digits at the start. At most eight.
#[inline]
pub(crate) fn hex(bytes: &[u8], digits: usize) -> Option<u32> {
    bytes
        .get(..digits)?
        .iter()
        .try_fold(0, |value, &digit| Some(value << 4 | char::from(digit).to_digit(16)?))
}

/// The length of the byte order mark at the start of a text; 0 if there is none. One or two bytes
/// of a cut mark also count, unless they begin another character.
pub(crate) fn byte_order_mark(bytes: &[u8]) -> usize {
    match bytes {
        [0xEF, 0xBB, 0xBF, ..] => 3,
        [0xEF, 0xBB, next, ..] if next & 0xC0 != 0x80 => 2,
        [0xEF, 0xBB] => 2,
        [0xEF, next, ..] if next & 0xC0 != 0x80 => 1,
        [0xEF] => 1,
        _ => 0,
    }
}

/// Checks that `bytes` are valid UTF-8.
///
/// # Errors
/// [`ErrorKind::InvalidUtf8`](crate::ErrorKind::InvalidUtf8) at the first invalid byte.
pub(crate) fn validate_utf8(bytes: &[u8]) -> Result<(), crate::Error> {
    // The fast check runs first. If it fails, the slow one finds the offset.
    if scan::is_utf8(bytes) {
        return Ok(());
    }
    match scan::valid_up_to(bytes) {
        end if end == bytes.len() => Ok(()),
        end => Err(crate::Error::new(crate::ErrorKind::InvalidUtf8, end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_escapes_decode() {
        let text = Text::json(br#"a\u00e9\ud83d\ude00\ud800x\n\/\""#);
        assert!(text.chars().eq("aé😀\u{fffd}x\n/\"".chars()));
        assert_eq!(text, "aé😀\u{fffd}x\n/\"");
    }

    #[test]
    fn two_lone_surrogates_stay_two() {
        assert_eq!(Text::json(br"\ud800\ud800"), "\u{fffd}\u{fffd}");
        assert_eq!(Text::json(br"\udc00\ud800\u0041"), "\u{fffd}\u{fffd}A");
    }

    #[test]
    fn a_short_buffer_says_what_it_needs() {
        let mut small = [0; 3];
        assert_eq!(
            Text::plain("grüße".as_bytes()).decode(&mut small),
            Err(BufferTooSmall { needed: 7 })
        );
        let mut enough = [0; 7];
        assert_eq!(Text::plain("grüße".as_bytes()).decode(&mut enough), Ok("grüße"));
    }

    #[test]
    fn bytes_that_are_no_utf8_are_replaced_one_by_one() {
        assert!(Text::plain(b"a\xff\xe2\x82b").chars().eq("a\u{fffd}\u{fffd}\u{fffd}b".chars()));
    }
}
