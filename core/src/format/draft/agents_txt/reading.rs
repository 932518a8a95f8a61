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

// Indexes of the outline. Fields of the document with one value, and the ranges of `Operates-On`,
// `Allow`, `Disallow` and `Capability`, have the numbers of [`Field`].
/// The range of the `Agent` blocks.
pub(super) const AGENTS: usize = Field::Capability as usize + 1;
pub(super) const METADATA: usize = 14;
/// The fields that are also read under another name, or in a comment: the alias, and its field. The
/// index gives the place of an alias in the outline, and its flag.
const ALIASES: [(Field, Field); 5] = [
    (Field::Description, Field::SiteDescription),
    (Field::Contact, Field::SiteContact),
    (Field::PrivacyPolicy, Field::SitePrivacyPolicy),
    (Field::SpecVersion, Field::SpecVersion),
    (Field::GeneratedAt, Field::GeneratedAt),
];

// Flags of the outline: the aliases that are read.
/// The flags of aliases that would otherwise be metadata.
pub(super) const USED: u32 = 7 << FIRST_USED;
const FIRST_USED: usize = 2;
/// Set if a list of capabilities is not below an `Agent` line.
pub(super) const NAMELESS: u32 = 1 << 7;
/// The first of the two bits with the kind of the block that is open at the first `Allow`
/// (`ALLOW_OPEN`), and at the start of the metadata (`METADATA_OPEN`).
pub(super) const ALLOW_OPEN: u32 = 8;
pub(super) const METADATA_OPEN: u32 = 0;
/// Set if a line that seems to state the authentication is outside of the blocks of capabilities.
pub(super) const HAS_AUTH: u32 = 1 << 10;
/// Set if such a line follows a block of a capability.
const AUTH_FOLLOWS: u32 = 1 << 11;
/// Set if a line that is not read seems to be an `Allow`.
pub(super) const UNREAD_ALLOW: u32 = 1 << 12;

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

/// The same as [`parse`]; `visitor` receives the parameters and blocks. `None` if a capability was
/// reported before the authentication that it needs; the visitor must then discard all items.
///
/// # Errors
/// The same as for [`parse`]. The visitor may have received items before the error.
pub(crate) fn read<'a>(
    bytes: &'a [u8],
    body: Span,
    limits: &Limits,
    visitor: &mut impl Visitor<'a>,
) -> Result<Option<Outline>, Error> {
    let outline = pass(bytes, body, limits, Some(visitor))?;
    Ok((outline.flags & AUTH_FOLLOWS == 0).then_some(outline))
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
                // The first letter of most lines of a capability shows that nothing needs to be
                // recorded.
                None if open == Open::Capability => {
                    while let Some((start, end)) = lines.pass_indented(keys::BLOCK_INITIALS) {
                        within_limit(start, end, limits)?;
                    }
                }
                None => {}
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
        let is_unread = matches!(role, Role::DocumentMetadata | Role::BlockMetadata);
        if is_unread && open != Open::Capability && entry.is_about_auth() {
            let follows = outline.fields.get(Field::Capability as usize).map_or(0, |span| span.end);
            outline.flags |= if follows == 0 { HAS_AUTH } else { HAS_AUTH | AUTH_FOLLOWS };
        }
        // The indented lines of a capability are its own.
        let is_own = role == Role::BlockMetadata && open == Open::Capability;
        if is_unread && !is_own && entry.is_unread_allow() {
            outline.flags |= UNREAD_ALLOW;
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
                    block.open(kind, line.start, value, outline.flags);
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
    use_aliases(&mut outline);
    Ok(outline)
}

/// Takes the values of aliases for fields that are absent.
fn use_aliases(outline: &mut Outline) {
    let is_there = |span: &Span| span.end != 0;
    for (&(_, field), index) in ALIASES.iter().zip(0_usize..) {
        if !outline.fields.get(field as usize).is_some_and(is_there)
            && let Some(&span) =
                outline.fields.get(METADATA + 1 + index).filter(|span| is_there(span))
        {
            outline.set(field as usize, span);
            outline.flags |= 1 << (FIRST_USED + index);
        }
    }
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
        Open::Agent => AGENTS,
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

/// The index of an alias; behind the last one for another field.
fn alias_index(field: Field) -> usize {
    ALIASES.iter().take_while(|(alias, _)| *alias != field).count()
}

/// The index of the value of an alias in the outline.
fn alias_place(field: Field) -> usize {
    METADATA.saturating_add(1).saturating_add(alias_index(field))
}

/// Returns the field for which `field` is an alias, including a header field in a comment. `None`
/// if this document does not use the alias.
pub(crate) fn alias_of(field: Field, outline: &Outline) -> Option<Field> {
    own_name(field).filter(|_| is_used(field, outline.flags))
}

/// Returns the field for which `field` is an alias.
pub(crate) fn own_name(field: Field) -> Option<Field> {
    ALIASES.get(alias_index(field)).map(|(_, target)| *target)
}

/// True if an alias is read, by the flags of the outline.
pub(super) fn is_used(field: Field, flags: u32) -> bool {
    flags >> (FIRST_USED + alias_index(field)) & 1 == 1
}

/// True if the value of this field in a comment is the one that counts.
pub(crate) fn is_used_comment(field: Field, value: Span, outline: &Outline) -> bool {
    alias_of(field, outline).is_some() && outline.fields.get(field as usize) == Some(&value)
}
