//! The head of a WARC record (ISO 28500, section 4): versions 0.17 to 1.1, names in any case, folded lines.
//!
//! Rulings: the first value of a field counts. Two different values of Content-Length are none. A line that begins like a record ends the search:
//! this is no head.

use crate::bytes::{
    grouped, is_at, is_number, number, part, quoted, rest, shown, span, strip, text, unfolded,
};
use crate::form::Form;
use crate::{Place, Revisit};

/// The maximum size of a head in bytes.
pub(crate) const HEAD_SIZE: usize = 1 << 16;
/// The number of bytes in which a head is searched for at first.
pub(crate) const FIRST_SIZE: usize = 1 << 10;
/// The size of the version of a record, such as `WARC/1.0`.
pub(crate) const RECORD_SIZE: usize = 8;
pub(crate) const WARC: &[u8] = b"WARC/";
/// What precedes a record, in the search for one.
const LINE: &[u8] = b"\nWARC/";
/// The longest length that counts as a number, in digits.
pub(crate) const LONGEST_LENGTH: usize = 30;
const REVISIT: &[u8] = b"revisit";

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
const OF_URL: usize = 7;
const OF_DATE: usize = 8;
const NAMES: [&[u8]; 9] = [
    b"warc-type:",
    b"warc-target-uri:",
    b"warc-truncated:",
    b"warc-segment-number:",
    b"content-length:",
    b"warc-date:",
    b"warc-payload-digest:",
    b"warc-refers-to-target-uri:",
    b"warc-refers-to-date:",
];
/// A longer name of an algorithm or a longer digest is none: rows would repeat it.
const LONGEST_ALGORITHM: usize = 20;
const LONGEST_DIGEST: usize = 128;
/// The maximum size of each URL of a revisit in bytes.
const LONGEST_REVISIT: usize = 2048;

/// The parsed head of a record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub(crate) form: Form,
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
    /// Of a revisit: WARC-Refers-To-Target-URI and WARC-Refers-To-Date.
    pub(crate) refers: Option<(String, Option<String>)>,
    /// Content-Length as it is written, and a further value of it.
    pub(crate) said: Option<Vec<u8>>,
    pub(crate) again: Option<Vec<u8>>,
    /// WARC-Truncated.
    pub(crate) cut: Vec<u8>,
    pub(crate) is_segment: bool,
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
        let kind = found.value(TYPE).map(<[u8]>::to_ascii_lowercase);
        let url = found.value(URL).and_then(bare);
        let refers = (kind.as_deref() == Some(REVISIT)).then(|| {
            let of_url = found.value(OF_URL).and_then(bare).or_else(|| url.clone());
            let of_date = found.value(OF_DATE).filter(|date| !date.is_empty());
            (of_url.unwrap_or_default(), of_date.map(shown))
        });
        Self {
            form: Form::Warc,
            size,
            kind,
            length,
            url,
            date: found.value(DATE).map(shown),
            digest: found.value(DIGEST).filter(|digest| is_digest(digest)).map(shown),
            refers,
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

    /// The record as a revisit of an earlier one; `None` if it does not identify that.
    pub(crate) fn revisit(&self, place: Place) -> Option<Revisit> {
        let (url, (of_url, of_date)) = (self.url.clone()?, self.refers.clone()?);
        let (digest, fetched) = (self.digest.clone(), self.date.clone());
        let is_short = url.len().max(of_url.len()) <= LONGEST_REVISIT;
        let is_known = is_short && (digest.is_some() || of_date.is_some());
        is_known.then_some(Revisit { place, url, fetched, digest, of_url, of_date })
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
        let name = self.form.length();
        if length.is_empty() {
            return format!("{name} is missing");
        }
        format!("{name} is {}, which is not a number of bytes", quoted(&length))
    }

    /// Why the record holds only a part of the response.
    pub(crate) fn why_partial(&self) -> Option<String> {
        if !self.cut.is_empty() {
            return Some(format!("the crawler has cut it: {}", shown(&self.cut)));
        }
        self.is_segment.then(|| "the record is a segment of the answer".to_owned())
    }
}

/// A URL. Some writers enclose it in angle brackets, as in WARC 1.0.
fn bare(url: &[u8]) -> Option<String> {
    let url = text(url);
    let url = match url.strip_prefix('<') {
        Some(inner) => inner.strip_suffix('>').unwrap_or(inner),
        None => &url,
    };
    (!url.is_empty()).then(|| url.to_owned())
}

/// Whether this is a digest with its algorithm, such as `sha1:…`.
fn is_digest(digest: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let Some(colon) = memchr::memchr(b':', digest) else { return false };
    let (algorithm, value) = (part(digest, 0, colon), rest(digest, colon + 1));
    (1..=LONGEST_ALGORITHM).contains(&algorithm.len())
        && (1..=LONGEST_DIGEST).contains(&value.len())
        && algorithm.iter().all(is_word)
        && value.iter().all(|byte| is_word(byte) || matches!(byte, b'+' | b'/' | b'='))
}

/// Where the first record begins between two positions: the line feed before it.
pub(crate) fn find_start(data: &[u8], from: usize, to: usize) -> Option<usize> {
    let found = memchr::memmem::find_iter(part(data, from, to), LINE);
    found.map(|found| found + from).find(|found| is_start(data, *found, to))
}

/// Whether a record begins at `at`, which is the line feed before it: behind a blank line, with a field.
fn is_start(data: &[u8], at: usize, end: usize) -> bool {
    let before = part(data, 0, at);
    if !(before.ends_with(b"\n") || before.ends_with(b"\n\r")) || !is_at(data, at, LINE) {
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
