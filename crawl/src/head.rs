//! The head of a WARC record (ISO 28500, section 4): versions 0.17 to 1.1, names in any case, folded lines.
//!
//! Rulings: the first value of a field counts. Two different values of Content-Length are none. A line that begins like a record ends the search:
//! this is no head.

use crate::bytes::{
    grouped, is_at, is_number, number, part, quoted, rest, shown, span, strip, text, unfolded,
};

/// The maximum size of a head in bytes.
pub(crate) const HEAD_SIZE: usize = 1 << 16;
/// The number of bytes in which a head is searched for at first.
pub(crate) const FIRST_SIZE: usize = 1 << 10;
/// The size of the version of a record, such as `WARC/1.0`.
pub(crate) const RECORD_SIZE: usize = 8;
pub(crate) const WARC: &[u8] = b"WARC/";
const LONGEST_LENGTH: usize = 30;

/// The types of records that hold no response of a server.
const KINDS: [&str; 7] =
    ["continuation", "conversion", "metadata", "request", "resource", "revisit", "warcinfo"];

/// The known fields.
const TYPE: usize = 0;
const URL: usize = 1;
const TRUNCATED: usize = 2;
const SEGMENT: usize = 3;
const LENGTH: usize = 4;
const DATE: usize = 5;
const DIGEST: usize = 6;
const NAMES: [&[u8]; 7] = [
    b"warc-type:",
    b"warc-target-uri:",
    b"warc-truncated:",
    b"warc-segment-number:",
    b"content-length:",
    b"warc-date:",
    b"warc-payload-digest:",
];

/// The parsed head of a record.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    /// Its size in bytes.
    pub(crate) size: usize,
    /// WARC-Type in lower case; `None` if it is missing.
    pub(crate) kind: Option<Vec<u8>>,
    /// Content-Length; `None` if it is missing, invalid or ambiguous.
    pub(crate) length: Option<u128>,
    /// The requested URL.
    pub(crate) url: Option<String>,
    /// When the response was captured.
    pub(crate) date: Option<String>,
    /// WARC-Payload-Digest.
    pub(crate) digest: Option<String>,
    said: Option<Vec<u8>>,
    again: Option<Vec<u8>>,
    cut: Vec<u8>,
    is_segment: bool,
}

/// The first values of the known fields, and the last further value of Content-Length.
#[derive(Default)]
struct Fields<'a> {
    values: [Option<&'a [u8]>; NAMES.len()],
    again: Option<&'a [u8]>,
    is_folded: bool,
    size: usize,
}

/// Whether a version, such as `WARC/1.0`, is at the start.
pub(crate) fn is_record(data: &[u8]) -> bool {
    matches!(data, [b'W', b'A', b'R', b'C', b'/', major, b'.', minor, ..]
        if major.is_ascii_digit() && minor.is_ascii_digit())
}

/// Where the first version is.
pub(crate) fn find_record(data: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(data, WARC).find(|at| is_record(rest(data, *at)))
}

fn fields(data: &[u8]) -> Option<Fields<'_>> {
    if !is_record(data) {
        return None;
    }
    let mut found = Fields::default();
    let mut at = RECORD_SIZE;
    at += span(rest(data, at), |byte| byte.is_ascii_digit());
    at += crate::bytes::line_end(rest(data, at), usize::MAX)?;
    loop {
        let line = rest(data, at);
        match line {
            [b'\n', ..] => found.size = at + 1,
            [b'\r', b'\n', ..] => found.size = at + 2,
            [] | [b'\r', ..] => return None,
            _ => {
                let end = memchr::memchr(b'\n', line)?;
                if line.starts_with(WARC) {
                    return None;
                }
                found.put(part(line, 0, end));
                at += end + 1;
                continue;
            }
        }
        return Some(found);
    }
}

impl<'a> Fields<'a> {
    fn put(&mut self, line: &'a [u8]) {
        match line.first() {
            Some(b' ' | b'\t') => self.is_folded = true,
            Some(b'W' | b'w' | b'C' | b'c') => {}
            _ => return,
        }
        let is = |name: &&[u8]| part(line, 0, name.len()).eq_ignore_ascii_case(name);
        let Some(which) = NAMES.iter().position(is) else { return };
        let value = rest(line, NAMES.get(which).map_or(0, |name| name.len()));
        match self.values.get_mut(which) {
            Some(first @ None) => *first = Some(value),
            Some(_) if which == LENGTH => self.again = Some(value),
            _ => {}
        }
    }

    fn value(&self, which: usize) -> Option<&'a [u8]> {
        self.values.get(which).copied().flatten().map(strip)
    }
}

impl Head {
    /// The head at the start of the bytes; `None` if there is none, or if it does not end in them.
    pub(crate) fn read(data: &[u8]) -> Option<Self> {
        let data = part(data, 0, HEAD_SIZE);
        let found = fields(data)?;
        if !found.is_folded {
            return Some(Self::of(&found, found.size));
        }
        // A URL and a number contain no spaces, so those of a fold do not belong to them.
        let whole = unfolded(part(data, 0, found.size), b"");
        let again = fields(&whole);
        Some(Self::of(again.as_ref().unwrap_or(&found), found.size))
    }

    fn of(found: &Fields<'_>, size: usize) -> Self {
        let said = found.value(LENGTH);
        let again = found.again.map(strip);
        let is_clear = again.is_none() || again == said;
        let length = said
            .filter(|said| is_clear && is_number(said) && said.len() <= LONGEST_LENGTH)
            .map(number);
        let url = found.value(URL).map(text).and_then(|url| {
            // Some writers enclose the URL in angle brackets, as in WARC 1.0.
            let url = match url.strip_prefix('<') {
                Some(inner) => inner.strip_suffix('>').unwrap_or(inner),
                None => &url,
            };
            (!url.is_empty()).then(|| url.to_owned())
        });
        Self {
            size,
            kind: found.value(TYPE).map(<[u8]>::to_ascii_lowercase),
            length,
            url,
            date: found.value(DATE).map(shown),
            digest: found.value(DIGEST).filter(|digest| !digest.is_empty()).map(shown),
            said: said.map(<[u8]>::to_vec),
            again: again.map(<[u8]>::to_vec),
            cut: found.value(TRUNCATED).unwrap_or_default().to_vec(),
            is_segment: found.value(SEGMENT).is_some(),
        }
    }

    /// Whether the record is a response of a server.
    pub(crate) fn is_answer(&self) -> bool {
        self.kind.as_deref() == Some(b"response")
    }

    /// The content's length, as far as positions go.
    pub(crate) fn bytes(&self) -> Option<u64> {
        self.length.map(|length| u64::try_from(length).unwrap_or(u64::MAX >> 1).min(u64::MAX >> 1))
    }

    /// What the record is, if it is passed over.
    pub(crate) fn passed(&self) -> &'static str {
        if self.is_answer() {
            return "response from another URL";
        }
        let kind = self.kind.as_deref().unwrap_or_default();
        let known = KINDS.iter().find(|known| known.as_bytes() == kind);
        known.copied().unwrap_or("record of another type")
    }

    /// Why there is no length.
    pub(crate) fn why_no_length(&self) -> String {
        let length = shown(self.said.as_deref().unwrap_or_default());
        if let Some(again) = &self.again {
            let again = shown(again);
            return format!(
                "content-length is there twice, as {} and {}",
                quoted(&length),
                quoted(&again)
            );
        }
        if length.is_empty() {
            return "content-length is missing".to_owned();
        }
        format!("content-length is {}, which is not a number of bytes", quoted(&length))
    }

    /// Why the record holds only a part of the response.
    pub(crate) fn why_partial(&self) -> Option<String> {
        if !self.cut.is_empty() {
            return Some(format!("the crawler has cut it: {}", shown(&self.cut)));
        }
        self.is_segment.then(|| "the record is a segment of the answer".to_owned())
    }
}

/// Whether a record begins at `at`, which is the line feed before it: behind a blank line, with a field.
pub(crate) fn is_start(data: &[u8], at: usize, end: usize) -> bool {
    let before = part(data, 0, at);
    if !(before.ends_with(b"\n") || before.ends_with(b"\n\r")) || !is_at(data, at, b"\nWARC/") {
        return false;
    }
    let record = part(data, at + 1 + WARC.len(), end);
    let [major, b'.', version @ ..] = record else { return false };
    let minor = span(part(version, 0, 9), |byte| byte.is_ascii_digit());
    if !major.is_ascii_digit() || minor == 0 {
        return false;
    }
    let line = rest(version, minor);
    let Some(first) = crate::bytes::line_end(line, 9) else { return false };
    let field = rest(line, first);
    let name = span(part(field, 0, 31), |byte| byte.is_ascii_alphabetic() || byte == b'-');
    (1..=30).contains(&name) && field.get(name) == Some(&b':')
}

/// The message about bytes that follow.
pub(crate) fn only(said: &str, passed: u64) -> String {
    format!("{said} only {} bytes follow", grouped(passed))
}
