//! The two formats of archives. What differs between them is here, and everything else of the reader is the same.

use crate::arc::{self, Line};
use crate::bytes::{is_number, number, text};
use crate::head::{self, Head, LONGEST_LENGTH, RECORD_SIZE, WARC};

/// The format of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    #[default]
    Warc,
    Arc,
}

impl Form {
    /// The format of a file according to its name.
    pub(crate) fn of(name: &str) -> Self {
        let name = name.to_lowercase();
        let inner = name.rsplit_once('.').map_or("", |(inner, _)| inner);
        if [&name, inner].iter().any(|name| name.ends_with(".arc")) {
            Self::Arc
        } else {
            Self::Warc
        }
    }

    /// The format of the record at the start of the bytes; `None` if there is none.
    pub(crate) fn found(data: &[u8]) -> Option<Self> {
        if head::is_record(data) {
            return Some(Self::Warc);
        }
        Line::read(data).map(|_| Self::Arc)
    }

    /// What is not a record of it, for messages.
    pub(crate) const fn no_record(self) -> &'static str {
        match self {
            Self::Warc => "this is not a WARC record",
            Self::Arc => "this is not an ARC record",
        }
    }

    /// The field of the length, for messages.
    pub(crate) const fn length(self) -> &'static str {
        match self {
            Self::Warc => "content-length",
            Self::Arc => "archive-length",
        }
    }

    /// What follows each record.
    pub(crate) const fn ends(self) -> &'static [u8] {
        match self {
            Self::Warc => b"\r\n\r\n",
            Self::Arc => b"\n",
        }
    }

    /// The number of bytes that show the start of a record.
    pub(crate) const fn size(self) -> usize {
        match self {
            Self::Warc => RECORD_SIZE,
            Self::Arc => arc::LONGEST,
        }
    }

    /// The head at the start of the bytes; `None` if there is none, or if it does not end in them.
    pub(crate) fn head(self, data: &[u8]) -> Option<Head> {
        if self == Self::Warc {
            return Head::read(data);
        }
        let line = Line::read(crate::bytes::part(data, 0, head::HEAD_SIZE))?;
        // As in the conversions of ARC to WARC.
        let kind = if line.url.starts_with(arc::VERSION) { "warcinfo" } else { "response" };
        let is_clear = is_number(line.length) && line.length.len() <= LONGEST_LENGTH;
        Some(Head {
            form: self,
            size: line.size,
            kind: Some(kind.into()),
            length: is_clear.then(|| number(line.length)),
            url: Some(text(line.url).into_owned()),
            date: Some(line.date()),
            said: Some(line.length.to_vec()),
            ..Head::default()
        })
    }

    /// Whether a record begins here whose head may end behind these bytes.
    pub(crate) fn is_begun(self, data: &[u8]) -> bool {
        match self {
            Self::Warc => {
                head::is_record(data) || (data.len() < RECORD_SIZE && b"WARC/1.0".starts_with(data))
            }
            Self::Arc => arc::is_begun(data),
        }
    }

    /// Whether a record begins here, behind another one.
    pub(crate) fn is_next(self, data: &[u8]) -> bool {
        match self {
            Self::Warc => data.starts_with(WARC),
            Self::Arc => Line::read(data).is_some() || arc::is_begun(data),
        }
    }

    /// Where the first record is, for a search after damage.
    pub(crate) fn find(self, data: &[u8]) -> Option<usize> {
        match self {
            Self::Warc => head::find_record(data),
            Self::Arc => arc::find_line(data),
        }
    }

    /// Where the first record is that certainly begins between two positions: the line end before it.
    pub(crate) fn find_inside(self, data: &[u8], from: usize, to: usize) -> Option<usize> {
        match self {
            Self::Warc => head::find_start(data, from, to),
            Self::Arc => arc::find_inside(data, from, to),
        }
    }
}
