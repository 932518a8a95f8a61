//! From one format to another.

use super::adapt::Source;
use super::loss::Loss;
use super::out::Out;
use super::sink::{Sink, SliceSink};
use super::{draft, flat};
use crate::document::Document;
use crate::format::Format;
use crate::manifest::{Reading, with_reading};
use crate::span::Span;

/// How a document is converted.
#[derive(Clone, Copy, Debug)]
pub struct ConvertOptions<'o> {
    /// The origin of the document, `https://example.com`: the site's URL where the document gives none, and what paths are resolved against.
    pub origin: Option<&'o str>,
    /// Whether JSON is laid out in lines, by two spaces for each level; else it stands on one line. True by default.
    pub pretty: bool,
    /// Whether what restricts the use of a capability may be left out where the target cannot say it: the confirmation of a person, what it
    /// may break, all rate limits but the strictest one. False by default: then the capability is left out. Access patterns, policies of
    /// agents and authentication are never left out.
    pub loosen: bool,
}

impl Default for ConvertOptions<'_> {
    fn default() -> Self {
        Self {
            origin: None,
            pretty: true,
            loosen: false,
        }
    }
}

/// Why nothing was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ConvertError {
    /// Documents of this format are not made of such a document.
    Unsupported,
    /// The target cannot say something without which agents would be allowed more. The losses of severity `Error` tell what.
    Refused,
    /// The buffer is too small.
    BufferTooSmall {
        /// The length of the whole.
        needed: usize,
    },
}

impl core::fmt::Display for ConvertError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Unsupported => {
                f.write_str("documents of this format are not made of such a document")
            }
            Self::Refused => f.write_str(
                "without what is lost, agents would be allowed more than the document allows",
            ),
            Self::BufferTooSmall { needed } => {
                write!(f, "the buffer is too small; {needed} bytes are needed")
            }
        }
    }
}

impl core::error::Error for ConvertError {}

impl Format {
    /// Whether documents of this format can be made of documents of format `source`.
    ///
    /// agents.txt and agents.json of the Internet-Draft are made of every format that is read, but a registry's answer, which speaks of many sites;
    /// those of 0.1 of one another.
    pub const fn is_made_of(self, source: Self) -> bool {
        match self {
            Self::AgentsTxt | Self::AgentsJson => {
                source.is_read() && !matches!(source, Self::AdpSearch)
            }
            Self::AgentsTxt01 | Self::AgentsJson01 => {
                matches!(source, Self::AgentsTxt01 | Self::AgentsJson01)
            }
            _ => false,
        }
    }
}

impl<'a> Document<'a> {
    /// Puts the document into a sink as one of another format (or of its own, laid out anew), and returns the length.
    ///
    /// Everything that the target cannot say, or says in another place, is told to `on_loss` before anything is put: every member of the
    /// unified model either reads back equal from what is written, or one of the losses names it or what it stands in. Comments are not of the model, nor
    /// are values that a specification supplies by default.
    ///
    /// What is written never allows more than the document: unreadable authentication stays some authentication, an unreadable list of an
    /// agent's capabilities stays empty, and an access pattern that cannot be written refuses the conversion.
    ///
    /// The unified JSON, which loses nothing, is [`put_json`](Self::put_json). Linear in the document, which is walked twice.
    ///
    /// # Errors
    /// [`ConvertError::Unsupported`], and [`ConvertError::Refused`]; then nothing was put.
    ///
    /// ```
    /// use agentsdisc_core::{ConvertOptions, Document, Format};
    /// let document = Document::parse(b"Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nDisallow: /admin/*\n")?;
    /// let options = ConvertOptions { pretty: false, ..ConvertOptions::default() };
    /// let mut buffer = [0; 256];
    /// let length = document.write_converted(Format::AgentsJson, &options, &mut buffer, |loss| panic!("{loss}")).unwrap();
    /// assert_eq!(
    ///     core::str::from_utf8(&buffer[..length]),
    ///     Ok(r#"{"specVersion":"1.0","site":{"name":"Mugs","url":"https://mugs.example"},"access":{"disallow":["/admin/*"]}}"#)
    /// );
    /// # Ok::<(), agentsdisc_core::Error>(())
    /// ```
    pub fn convert(
        &self,
        target: Format,
        options: &ConvertOptions<'_>,
        sink: &mut impl Sink,
        mut on_loss: impl FnMut(Loss<'a>),
    ) -> Result<usize, ConvertError> {
        if !target.is_made_of(self.format()) {
            return Err(ConvertError::Unsupported);
        }
        with_reading(self, |reading| {
            let mut length = 0_usize;
            let mut count = |piece: &[u8]| length = length.saturating_add(piece.len());
            if run(self, reading, target, options, &mut count, &mut on_loss) {
                return Err(ConvertError::Refused);
            }
            run(self, reading, target, options, sink, &mut |_| {});
            Ok(length)
        })
    }

    /// The same into a buffer. What is lost is told also where the buffer is too small.
    ///
    /// # Errors
    /// Those of [`convert`](Self::convert), and [`ConvertError::BufferTooSmall`] with the length that is needed.
    pub fn write_converted(
        &self,
        target: Format,
        options: &ConvertOptions<'_>,
        buffer: &mut [u8],
        on_loss: impl FnMut(Loss<'a>),
    ) -> Result<usize, ConvertError> {
        let mut sink = SliceSink::new(buffer);
        self.convert(target, options, &mut sink, on_loss)?;
        if sink.is_whole() {
            Ok(sink.length())
        } else {
            Err(ConvertError::BufferTooSmall {
                needed: sink.length(),
            })
        }
    }
}

/// Writes once; whether the conversion is refused.
fn run<'a>(
    document: &Document<'a>,
    reading: &dyn Reading<'a>,
    target: Format,
    options: &ConvertOptions<'_>,
    sink: &mut dyn Sink,
    told: &mut dyn FnMut(Loss<'a>),
) -> bool {
    let mut out = Out::new(
        sink,
        target.is_json(),
        options.pretty,
        document.bytes(),
        told,
    );
    if matches!(target, Format::AgentsTxt01 | Format::AgentsJson01) {
        flat::write(&mut out, reading, document.format());
    } else {
        let own = document
            .agents_json()
            .and_then(|json| json.top.metadata)
            .map_or(Span::default(), |own| document.span_of(own.0.raw()));
        let source = Source::new(
            reading,
            document.format(),
            options.loosen,
            options.origin,
            own,
        );
        draft::write(&mut out, &source);
    }
    out.refused
}
