//! The one pass over all lines: where everything stands, and a visitor told of the blocks on the way.

use super::block::{Told, Unheard};
use super::field_in_comment;
use super::keys::{self, Field, Open, Role};
use crate::document::Outline;
use crate::document::detect::Count;
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::limits::Limits;
use crate::manifest::Visitor;
use crate::span::Span;
use crate::syntax::line::{Content, Line, Sweep, Whole};

// Places in the outline. Those of single fields are the numbers of the fields themselves, and so are those of the stretches of `Operates-On`,
// `Allow`, `Disallow`, `Capability` and `Agent`.
pub(super) const METADATA: usize = 14;
const ALIASES: [(usize, Field, u32); 5] = [
    (15, Field::SiteDescription, USED_DESCRIPTION),
    (16, Field::SiteContact, USED_CONTACT),
    (17, Field::SitePrivacyPolicy, USED_PRIVACY_POLICY),
    (18, Field::SpecVersion, USED_SPEC_VERSION),
    (19, Field::GeneratedAt, USED_GENERATED),
];

// Flags of the outline: which block is open where the stretch of metadata starts (two bits), and which aliases are read.
pub(super) const METADATA_OPEN: u32 = 3;
pub(super) const USED_DESCRIPTION: u32 = 1 << 2;
pub(super) const USED_CONTACT: u32 = 1 << 3;
pub(super) const USED_PRIVACY_POLICY: u32 = 1 << 4;
pub(super) const USED_SPEC_VERSION: u32 = 1 << 5;
pub(super) const USED_GENERATED: u32 = 1 << 6;

/// Who is told of the blocks.
pub(super) trait Listener<'a> {
    /// Takes those of the next lines, all of a block of this kind, that need not be read as others are.
    ///
    /// # Errors
    /// [`ErrorKind::LineTooLong`].
    fn take(
        &mut self,
        lines: &mut Sweep<'a, Whole>,
        open: Open,
        limits: &Limits,
        count: &mut Count,
    ) -> Result<(), Error>;
    /// A field of the open block.
    fn field(&mut self, line: &Line<'a>, role: Role, value: &'a [u8]);
    /// A block opens: its first line names it so.
    fn open(&mut self, kind: Open, start: usize, name: &'a [u8]);
    /// The open block ends.
    fn close(&mut self, end: usize);
}

/// Finds where everything in a document stands. `body` is the part of `bytes` behind a byte order mark. `count` is shown every line.
///
/// # Errors
/// [`ErrorKind::LineTooLong`]. That the bytes are UTF-8 and within [`Limits::document`] is for the caller to see to.
pub(crate) fn parse(
    bytes: &[u8],
    body: Span,
    limits: &Limits,
    count: &mut Count,
) -> Result<Outline, Error> {
    pass(bytes, body, limits, count, &mut Unheard)
}

/// The same, while a visitor is told of every block.
///
/// # Errors
/// As [`parse`]. The visitor may have been told something before.
pub(crate) fn read<'a>(
    bytes: &'a [u8],
    body: Span,
    limits: &Limits,
    count: &mut Count,
    visitor: &mut impl Visitor<'a>,
) -> Result<Outline, Error> {
    pass(bytes, body, limits, count, &mut Told::new(bytes, visitor))
}

fn pass<'a>(
    bytes: &'a [u8],
    body: Span,
    limits: &Limits,
    count: &mut Count,
    listener: &mut impl Listener<'a>,
) -> Result<Outline, Error> {
    let mut outline = Outline::new(Format::AgentsTxt, body);
    let text = bytes.get(..body.end as usize).unwrap_or_default();
    let mut open = Open::None;
    let mut lines = Sweep::<Whole>::starting_at(text, body.start as usize);
    loop {
        if open != Open::None {
            listener.take(&mut lines, open, limits, count)?;
        }
        let Some(line) = lines.next() else { break };
        within_limit(line.start, line.end, limits)?;
        let known = match line.content {
            Content::Field { key, .. } => keys::find(key),
            _ => None,
        };
        match (known, line.content) {
            (Some(known), Content::Field { key, value }) => count.known(known.vote(), key, value),
            _ => count.line(&line, text),
        }
        match line.content {
            Content::Field { value, .. } => match keys::role(known, line.indent, open) {
                role @ (Role::Block(_) | Role::BlockMetadata) => listener.field(&line, role, value),
                Role::Document(field @ (Field::Allow | Field::Disallow | Field::OperatesOn)) => {
                    outline.extend(field as usize, line.start, line.end);
                }
                Role::Document(field) => {
                    outline.set(field as usize, Span::of(value, bytes));
                }
                Role::Opens(kind) => {
                    close(&mut outline, open, line.start);
                    if open != Open::None {
                        listener.close(line.start);
                    }
                    open = kind;
                    outline.extend(opening(kind), line.start, line.end);
                    listener.open(kind, line.start, value);
                }
                Role::DocumentMetadata => note_metadata(&mut outline, open, line),
                Role::Alias(field) => {
                    note_metadata(&mut outline, open, line);
                    outline.set(alias_place(field), Span::of(value, bytes));
                }
            },
            Content::Comment(comment) => {
                if let Some((field, _, value)) = field_in_comment(comment) {
                    outline.set(alias_place(field), Span::of(value, bytes));
                }
            }
            Content::Blank | Content::Malformed(_) => {}
        }
    }
    close(&mut outline, open, text.len());
    if open != Open::None {
        listener.close(text.len());
    }
    for &(place, field, used) in &ALIASES {
        if outline.field(bytes, field as usize).is_none()
            && let Some(&span) = outline.fields.get(place).filter(|span| span.end != 0)
        {
            outline.set(field as usize, span);
            outline.flags |= used;
        }
    }
    Ok(outline)
}

pub(super) fn within_limit(start: usize, end: usize, limits: &Limits) -> Result<(), Error> {
    if end.wrapping_sub(start) > limits.line {
        Err(Error::new(ErrorKind::LineTooLong, start))
    } else {
        Ok(())
    }
}

fn note_metadata(outline: &mut Outline, open: Open, line: Line<'_>) {
    if outline.extend(METADATA, line.start, line.end) {
        outline.flags |= open as u32;
    }
}

/// Where the stretch of the blocks of a kind is noted.
const fn opening(kind: Open) -> usize {
    match kind {
        Open::Agent => Field::Agent as usize,
        _ => Field::Capability as usize,
    }
}

/// Stretches what is noted for the blocks of a kind to the end of the one that is open.
fn close(outline: &mut Outline, open: Open, end: usize) {
    if open != Open::None
        && let Some(stretch) = outline.fields.get_mut(opening(open))
    {
        stretch.end = end as u32;
    }
}

/// Where the value under another name is noted.
const fn alias_place(field: Field) -> usize {
    match field {
        Field::Description => 15,
        Field::Contact => 16,
        Field::PrivacyPolicy => 17,
        Field::SpecVersion => 18,
        _ => 19,
    }
}

/// The field that counts as another name of it: an alias, or a header field in a comment. Absent where it is not read so in this document.
pub(crate) fn alias_of(field: Field, outline: &Outline) -> Option<Field> {
    let place = alias_place(field);
    ALIASES
        .iter()
        .find(|(at, _, used)| *at == place && outline.flags & used != 0)
        .map(|(_, target, _)| *target)
}

/// Whether this is the value that counts of those that stand in comments.
pub(crate) fn is_used_comment(field: Field, value: Span, outline: &Outline) -> bool {
    alias_of(field, outline).is_some() && outline.fields.get(field as usize) == Some(&value)
}
