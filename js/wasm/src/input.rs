//! Documents and arguments as the package writes them: numbers of four bytes, the lowest first, and
//! texts of their length and their bytes. The length `u32::MAX` is that of an absent text.

use agentsdisc_core::document::Hints;
use agentsdisc_core::{Document, Error, Format, Limits, ParseOptions};

/// Reads numbers and texts. Behind the end, numbers are `u32::MAX` and texts are absent.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn number(&mut self) -> u32 {
        match self.0.split_first_chunk() {
            Some((number, rest)) => {
                self.0 = rest;
                u32::from_le_bytes(*number)
            }
            None => u32::MAX,
        }
    }

    #[cfg(any(feature = "full", feature = "identity", feature = "readiness"))]
    pub(crate) fn truth(&mut self) -> bool {
        self.number() == 1
    }

    /// A number of eight bytes: seconds since 1970.
    #[cfg(any(feature = "full", feature = "identity"))]
    pub(crate) fn time(&mut self) -> u64 {
        let low = u64::from(self.number());
        u64::from(self.number()) << 32 | low
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.number();
        let (bytes, rest) = self.0.split_at_checked(length as usize)?;
        self.0 = rest;
        Some(bytes)
    }

    /// A text. The package writes UTF-8.
    pub(crate) fn text(&mut self) -> Option<&'a str> {
        core::str::from_utf8(self.bytes()?).ok()
    }

    pub(crate) fn limits(&mut self) -> Limits {
        let mut limit = |default| match self.number() {
            u32::MAX => default,
            limit => limit as usize,
        };
        let Limits { document, depth, line, robots } = Limits::DEFAULT;
        Limits {
            document: limit(document),
            depth: limit(depth),
            line: limit(line),
            robots: limit(robots),
        }
    }
}

/// A document with the options for parsing it: the number of its format or `u32::MAX`, four limits,
/// and the texts URL, media type and document.
pub(crate) struct Source<'a> {
    pub(crate) options: ParseOptions<'a>,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Source<'a> {
    pub(crate) fn read(input: &mut Input<'a>) -> Self {
        let number = input.number();
        let format = Format::ALL.iter().copied().find(|format| *format as u32 == number);
        let limits = input.limits();
        let hints = Hints { url: input.text(), content_type: input.text() };
        let options = ParseOptions { format, hints, limits };
        Self { options, bytes: input.bytes().unwrap_or_default() }
    }

    /// Parses the document; of the format `unknown`, it is not read. Without the other formats, it is
    /// a robots.txt.
    pub(crate) fn parse(&self) -> Result<Document<'a>, Error> {
        if cfg!(not(feature = "full")) {
            return Document::parse_as(self.bytes, Format::RobotsTxt, &self.options.limits);
        }
        match self.options.format {
            Some(Format::Unknown) => Ok(Document::unread(self.bytes)),
            _ => Document::parse_with(self.bytes, &self.options),
        }
    }
}
