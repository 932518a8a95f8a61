//! The pass over all lines. It records the offsets of all fields and reports the blocks to a
//! visitor.

use super::block::OpenBlock;
use super::field_in_comment;
use super::keys::{self, Above, Entry, Field, Open, Role};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::limits::Limits;
use crate::model::Visitor;
use crate::span::Span;
use crate::syntax::line::{Content, Line, Sweep, Whole};
use crate::syntax::outline::Outline;

// Indexes of the outline. Fields with one value, and the ranges of `Operates-On`, `Allow`,
// `Disallow`, `Capability` and `Agent`, have the numbers of [`Field`].
pub(super) const METADATA: usize = 14;
const ALIASES: [(usize, Field, u32); 5] = [
    (15, Field::SiteDescription, USED_DESCRIPTION),
    (16, Field::SiteContact, USED_CONTACT),
    (17, Field::SitePrivacyPolicy, USED_PRIVACY_POLICY),
    (18, Field::SpecVersion, USED_SPEC_VERSION),
    (19, Field::GeneratedAt, USED_GENERATED),
];

// Flags of the outline: the aliases that are read.
pub(super) const USED_DESCRIPTION: u32 = 1 << 2;
pub(super) const USED_CONTACT: u32 = 1 << 3;
pub(super) const USED_PRIVACY_POLICY: u32 = 1 << 4;
pub(super) const USED_SPEC_VERSION: u32 = 1 << 5;
pub(super) const USED_GENERATED: u32 = 1 << 6;
/// The flags of aliases that would otherwise be metadata.
pub(super) const USED: u32 = USED_DESCRIPTION | USED_CONTACT | USED_PRIVACY_POLICY;
/// Set if a list of capabilities is not below an `Agent` line.
pub(super) const NAMELESS: u32 = 1 << 7;
/// The first of the two bits with the kind of the block that is open at the first `Allow`
/// (`ALLOW_OPEN`), and at the start of the metadata (`METADATA_OPEN`).
pub(super) const ALLOW_OPEN: u32 = 8;
pub(super) const METADATA_OPEN: u32 = 0;

/// The visitor for callers without one.
pub(crate) struct NoVisitor;

impl Visitor<'_> for NoVisitor {}

/// Finds the offsets of all fields of a document. `body` is the part of `bytes` after a byte order
/// mark.
///
/// # Errors
/// [`ErrorKind::LineTooLong`]. The caller has checked that the bytes are UTF-8 and within
/// [`Limits::document`].
pub(crate) fn parse(bytes: &[u8], body: Span, limits: &Limits) -> Result<Outline, Error> {
    pass(bytes, body, limits, None::<&mut NoVisitor>)
}

/// The same as [`parse`]; `visitor` receives the parameters and blocks.
///
/// # Errors
/// The same as for [`parse`]. The visitor may have received items before the error.
pub(crate) fn read<'a>(
    bytes: &'a [u8],
    body: Span,
    limits: &Limits,
    visitor: &mut impl Visitor<'a>,
) -> Result<Outline, Error> {
    pass(bytes, body, limits, Some(visitor))
}

fn pass<'a>(
    bytes: &'a [u8],
    body: Span,
    limits: &Limits,
    visitor: Option<&mut impl Visitor<'a>>,
) -> Result<Outline, Error> {
    let mut outline = Outline::new(Format::AgentsTxt, body);
    let text = bytes.get(..body.end as usize).unwrap_or_default();
    let mut above = Above::of(Open::None);
    let mut block = visitor.map(|visitor| OpenBlock::new(bytes, visitor));
    let mut lines = Sweep::<Whole>::starting_at(text, body.start as usize);
    loop {
        let open = above.open;
        if open != Open::None {
            match &mut block {
                Some(block) => block.take_params(&mut lines, limits)?,
                // The first letter of most lines of a block shows that nothing needs to be
                // recorded.
                None => {
                    while let Some((start, end)) = lines.pass_indented(keys::BLOCK_INITIALS) {
                        within_limit(start, end, limits)?;
                    }
                }
            }
        }
        let Some(line) = lines.next() else { break };
        within_limit(line.start, line.end, limits)?;
        if let Content::Comment(comment) = line.content
            && let Some((field, _, value)) = field_in_comment(comment)
        {
            outline.set(alias_place(field), Span::of(value, bytes));
        }
        let Some(entry) = Entry::of(line.content) else {
            continue;
        };
        let value = entry.value;
        if keys::is_nameless_policy(entry.known, line.indent, open) {
            outline.flags |= NAMELESS;
        }
        let role = above.take(&entry, line.indent);
        if let (Some(block), Role::Block(_) | Role::BlockMetadata | Role::DocumentMetadata) =
            (&mut block, role)
        {
            block.field(&line, role, &entry);
        }
        match role {
            Role::Block(_) | Role::BlockMetadata => {}
            Role::Document(field @ (Field::Allow | Field::Disallow | Field::OperatesOn)) => {
                if outline.extend(field as usize, line.start, line.end)
                    && matches!(field, Field::Allow)
                {
                    outline.flags |= (open as u32) << ALLOW_OPEN;
                }
            }
            Role::Document(field) => {
                outline.set(field as usize, Span::of(value, bytes));
            }
            Role::Opens(kind) => {
                close(&mut outline, open, line.start);
                if let Some(block) = &mut block {
                    block.close(line.start);
                    block.open(kind, line.start, value);
                }
                outline.extend(opening(kind), line.start, line.end);
            }
            Role::DocumentMetadata => note_metadata(&mut outline, open, line),
            Role::Alias(field) => {
                note_metadata(&mut outline, open, line);
                outline.set(alias_place(field), Span::of(value, bytes));
            }
        }
    }
    close(&mut outline, above.open, text.len());
    if let Some(block) = &mut block {
        block.close(text.len());
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

#[inline]
pub(crate) fn within_limit(start: usize, end: usize, limits: &Limits) -> Result<(), Error> {
    if end.wrapping_sub(start) > limits.line {
        Err(Error::new(ErrorKind::LineTooLong, start))
    } else {
        Ok(())
    }
}

fn note_metadata(outline: &mut Outline, open: Open, line: Line<'_>) {
    if outline.extend(METADATA, line.start, line.end) {
        outline.flags |= (open as u32) << METADATA_OPEN;
    }
}

/// The index of the range of blocks of a kind.
const fn opening(kind: Open) -> usize {
    match kind {
        Open::Agent => Field::Agent as usize,
        _ => Field::Capability as usize,
    }
}

/// Extends the range of blocks of the open kind to the end of the open block.
fn close(outline: &mut Outline, open: Open, end: usize) {
    if open != Open::None
        && let Some(stretch) = outline.fields.get_mut(opening(open))
    {
        stretch.end = end as u32;
    }
}

/// The index of the value of an alias.
const fn alias_place(field: Field) -> usize {
    match field {
        Field::Description => 15,
        Field::Contact => 16,
        Field::PrivacyPolicy => 17,
        Field::SpecVersion => 18,
        _ => 19,
    }
}

/// Returns the field for which `field` is an alias, including a header field in a comment. `None`
/// if this document does not use the alias.
pub(crate) fn alias_of(field: Field, outline: &Outline) -> Option<Field> {
    let place = alias_place(field);
    ALIASES
        .iter()
        .find(|(at, _, used)| *at == place && outline.flags & used != 0)
        .map(|(_, target, _)| *target)
}

/// True if the value of this field in a comment is the one that counts.
pub(crate) fn is_used_comment(field: Field, value: Span, outline: &Outline) -> bool {
    alias_of(field, outline).is_some() && outline.fields.get(field as usize) == Some(&value)
}
