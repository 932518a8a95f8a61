//! The line that begins a record of ARC, of version 1 or 2: the URL, the address, the date, fields that the version defines, and the length.
//!
//! Rulings: blanks separate the fields, and writers put blanks into URLs and content types. So the first address with a date behind it counts: a
//! server chooses what follows them, and cannot change the URL. A URL with an unknown scheme and one of `http` in it is none, because it may be the
//! rest of damage before a record. The other fields of version 2 are not read: the response states its status, and the
//! checksum names no algorithm. A search after damage finds records of `http` and `https` only, which all documents have.

use crate::bytes::{find, is_number, part, rest, span, text};

/// The longest line that a search finds, in bytes.
pub(crate) const LONGEST: usize = 1 << 13;
/// The start of the line of the record that describes the file.
pub(crate) const VERSION: &[u8] = b"filedesc:";
/// The starts of the URLs that crawlers request, of which the end of a file may leave a part.
const KNOWN: [&[u8]; 5] = [b"http://", b"https://", b"dns:", b"ftp://", VERSION];
const HTTP: [&[u8]; 2] = [b"http://", b"https://"];
const LONGEST_ADDRESS: usize = 45;
const DATE: usize = 14;

/// The fields of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) url: &'a [u8],
    /// 14 digits.
    date: &'a [u8],
    /// The length as it is written.
    pub(crate) length: &'a [u8],
    /// The size of the line in bytes, with its end.
    pub(crate) size: usize,
}

impl<'a> Line<'a> {
    /// The line at the start of the bytes; `None` if it is none, or if it does not end in them.
    pub(crate) fn read(data: &'a [u8]) -> Option<Self> {
        let end = memchr::memchr(b'\n', data)?;
        let line = Self::of(part(data, 0, end))?;
        (is_url(line.url) && address(line.url).unwrap_or(0) == 0)
            .then_some(Self { size: end + 1, ..line })
    }

    /// The fields of a line without its end, whatever the URL is.
    fn of(line: &'a [u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        memchr::memchr_iter(b' ', line).find_map(|at| {
            let behind = rest(line, at + 1);
            let address = span(part(behind, 0, LONGEST_ADDRESS + 1), is_of_address);
            let date = part(behind, address + 1, address + 1 + DATE);
            let is_here = (1..=LONGEST_ADDRESS).contains(&address)
                && behind.get(address) == Some(&b' ')
                && behind.get(address + 1 + DATE) == Some(&b' ')
                && is_number(date);
            if !is_here {
                return None;
            }
            let others = rest(behind, address + DATE + 2);
            let last = memchr::memrchr(b' ', others)?;
            Some(Self { url: part(line, 0, at), date, length: rest(others, last + 1), size: 0 })
        })
    }

    /// The date as in WARC, as far as it is one.
    pub(crate) fn date(&self) -> String {
        let of = |from, to| text(part(self.date, from, to));
        let (year, month, day) = (of(0, 4), of(4, 6), of(6, 8));
        format!("{year}-{month}-{day}T{}:{}:{}Z", of(8, 10), of(10, 12), of(12, 14))
    }
}

/// Where the first line is that begins a record, behind other bytes or not.
pub(crate) fn find_line(data: &[u8]) -> Option<usize> {
    lines(data, 0, data.len()).find_map(|(begin, line)| {
        let found = Line::of(line).filter(|found| is_number(found.length))?;
        // Damage may have taken the line end before it.
        address(found.url).map(|at| begin + at)
    })
}

/// Where the URL begins that is requested with HTTP: at the start, unless it is part of another one, or other bytes precede it.
fn address(url: &[u8]) -> Option<usize> {
    if KNOWN.iter().any(|name| url.starts_with(name)) {
        return is_http(url).then_some(0);
    }
    let starts = HTTP.map(|name| find(url, name, 0, url.len()));
    starts.into_iter().flatten().min()
}

fn is_http(url: &[u8]) -> bool {
    HTTP.iter().any(|name| url.starts_with(name))
}

/// Where the line end is before the first line between two positions that begins a record.
pub(crate) fn find_inside(data: &[u8], from: usize, to: usize) -> Option<usize> {
    let is_start = |line: &[u8]| {
        Line::of(line).is_some_and(|found| is_http(found.url) && is_number(found.length))
    };
    lines(data, from, to)
        .find(|(begin, line)| *begin > from && is_at_start(data, *begin) && is_start(line))
        .map(|(begin, _)| begin - 1)
}

/// Whether a line may begin here that the input does not hold to its end.
pub(crate) fn is_begun(data: &[u8]) -> bool {
    let is_known = |name: &&[u8]| data.starts_with(name) || name.starts_with(data);
    !data.is_empty() && KNOWN.iter().any(is_known) && !data.contains(&b'\n')
}

/// The lines that end between two positions with a digit, and where they begin; of a longer one, the last bytes.
fn lines(data: &[u8], from: usize, to: usize) -> impl Iterator<Item = (usize, &[u8])> {
    let ends = memchr::memchr_iter(b'\n', part(data, from, to)).map(move |at| from + at);
    let mut next = from;
    ends.filter_map(move |end| {
        let begin = next.max(end.saturating_sub(LONGEST - 1));
        next = end + 1;
        let line = part(data, begin, end);
        let last = line.strip_suffix(b"\r").unwrap_or(line).last();
        last.is_some_and(u8::is_ascii_digit).then_some((begin, line))
    })
}

fn is_at_start(data: &[u8], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| data.get(before)) == Some(&b'\n')
}

fn is_of_address(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':' | b'-')
}

/// Whether this has a scheme.
fn is_url(data: &[u8]) -> bool {
    let is_of_scheme =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    data.first().is_some_and(u8::is_ascii_alphabetic)
        && data.get(span(data, is_of_scheme)) == Some(&b':')
}
