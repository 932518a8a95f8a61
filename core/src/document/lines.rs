//! One pass over a document in lines: detection, validation, the outline, and a visitor told on the way.
//!
//! Which format it is shows only when its lines have voted, so one is guessed from the first of them, and the votes are counted while it is read. Where
//! they do not settle on it, or something is amiss, the plain way is taken; the guess is never an answer. On firmware there is only the plain way.

use super::detect::{self, Count};
use super::{Outline, ParseOptions, text_start};
use crate::error::Error;
use crate::format::{Format, agents_md, agents_txt, agents_txt_01, built_in};
use crate::limits::Limits;
use crate::manifest::Visitor;
use crate::scan;
use crate::span::Span;

/// Parses a document whose format is not known; `None` where the plain way must be taken.
#[inline]
pub(super) fn parse(bytes: &[u8], options: &ParseOptions<'_>) -> Option<Outline> {
    let (format, body) = guess(bytes, options)?;
    if format == Format::AgentsMd {
        return agents_md(bytes, body, &options.limits);
    }
    let limits = &options.limits;
    settle(format, bytes, body, options, |count| {
        built_in!(match format => {
            AgentsTxt => agents_txt::reading::parse(bytes, body, limits, count).ok(),
            AgentsTxt01 => agents_txt_01::parse(bytes, body, limits, count).ok(),
            _ => None,
        })
    })
}

/// The same, while a visitor is told; where the plain way must be taken, nothing of it counts.
#[inline]
pub(super) fn read<'a>(
    bytes: &'a [u8],
    options: &ParseOptions<'_>,
    visitor: &mut impl Visitor<'a>,
) -> Option<Outline> {
    let (format, body) = guess(bytes, options)?;
    if format == Format::AgentsMd {
        // It has no lists that a visitor is told.
        return agents_md(bytes, body, &options.limits);
    }
    let limits = &options.limits;
    let outline = settle(format, bytes, body, options, |count| {
        read_as(format, bytes, body, limits, count, visitor)?.ok()
    });
    if outline.is_none() {
        visitor.restart();
    }
    outline
}

/// Reads a document of a format whose reader tells a visitor on the way; `None` for others. That the bytes are UTF-8 is for the caller to see to.
#[inline]
pub(super) fn read_as<'a>(
    format: Format,
    bytes: &'a [u8],
    body: Span,
    limits: &Limits,
    count: &mut Count,
    visitor: &mut impl Visitor<'a>,
) -> Option<Result<Outline, Error>> {
    built_in!(match format => {
        AgentsTxt => Some(agents_txt::reading::read(bytes, body, limits, count, visitor)),
        AgentsTxt01 => Some(agents_txt_01::read(bytes, body, limits, count, visitor)),
        _ => None,
    })
}

/// The format that the first lines speak for, and where the text stands behind a byte order mark.
#[inline]
fn guess(bytes: &[u8], options: &ParseOptions<'_>) -> Option<(Format, Span)> {
    let is_asked_for = options.format.is_some_and(|format| format.is_read());
    // Detection looks at no more than is read of a robots.txt.
    if is_asked_for || bytes.len() > options.limits.document_limit().min(options.limits.robots) {
        return None;
    }
    let start = text_start(bytes);
    let text = bytes.get(start..)?;
    if let [b'{' | b'<', ..] = text {
        return None;
    }
    let format = detect::guess(text)?;
    Some((format, Span::new(start as u32, bytes.len() as u32)))
}

/// An agents.md: all of it is read before it shows that it is one.
fn agents_md(bytes: &[u8], body: Span, limits: &Limits) -> Option<Outline> {
    if !Format::AgentsMd.is_built_in()
        || bytes.len() > detect::MARKDOWN_BYTES
        || !scan::is_utf8(bytes)
    {
        return None;
    }
    agents_md::reading::guessed(bytes, body, limits)
}

/// What `read` finds, where the bytes are UTF-8 and the votes that it counts are for the format.
#[inline]
fn settle(
    format: Format,
    bytes: &[u8],
    body: Span,
    options: &ParseOptions<'_>,
    read: impl FnOnce(&mut Count) -> Option<Outline>,
) -> Option<Outline> {
    if !scan::is_utf8(bytes) {
        return None;
    }
    let mut count = Count::new(body.slice(bytes));
    let outline = read(&mut count)?;
    count.settles(format, &options.hints).then_some(outline)
}
