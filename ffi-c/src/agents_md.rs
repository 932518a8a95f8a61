//! The body of an agents.md in document order, including parts that the unified model does not
//! have.

use core::mem::{MaybeUninit, size_of};

use agentsdisc_core::format::agents_md::{Entry, SectionKind};
use agentsdisc_core::syntax::text::Text;

use crate::boundary::{clear, ended, growing, held_mut, hold_in, put, room};
use crate::document::{agd_document, document_of};
use crate::enumerations::AGD_UNSAID;
use crate::status::{AGD_ERROR_WRONG_FORMAT, AGD_NONE, AGD_OK, AGD_SOME, agd_status};
use crate::text::agd_text;

/// A section starts: a heading of level 2.
pub const AGD_ENTRY_SECTION: i32 = 1;
/// A heading of another level. A heading of level 1 ends the section before it.
pub const AGD_ENTRY_HEADING: i32 = 2;
/// A list item, which may be empty.
pub const AGD_ENTRY_ITEM: i32 = 3;
/// A paragraph that is not the text of an item.
pub const AGD_ENTRY_PARAGRAPH: i32 = 4;
/// A code block.
pub const AGD_ENTRY_CODE: i32 = 5;
/// HTML.
pub const AGD_ENTRY_HTML: i32 = 6;

/// `Can`: what agents may do.
pub const AGD_SECTION_CAN: i32 = 0;
/// `Cannot`: what agents must not do.
pub const AGD_SECTION_CANNOT: i32 = 1;
/// `MCP`: the gateway.
pub const AGD_SECTION_MCP: i32 = 2;
/// `Behavior`: rules of conduct.
pub const AGD_SECTION_BEHAVIOR: i32 = 3;
/// `Contact`.
pub const AGD_SECTION_CONTACT: i32 = 4;
/// A section of any other name.
pub const AGD_SECTION_OTHER: i32 = 5;

/// Size of agd_agents_md in 64-bit words.
pub const AGD_AGENTS_MD_WORDS: usize = 128;

/// A walk over the body of an agents.md. It borrows the document's bytes. A copy iterates
/// independently. Use a walk from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_agents_md {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_AGENTS_MD_WORDS],
}

/// An entry in the body of an agents.md. It borrows the document's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_entry {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The kind: AGD_ENTRY_*.
    pub kind: i32,
    /// The section that contains the entry, or that it starts: AGD_SECTION_*; AGD_UNSAID before the
    /// first section and after a later heading of level 1.
    pub section: i32,
    /// The level of a heading; the nesting depth of an item, from 1; otherwise 0.
    pub level: u32,
    /// Reserved; zero.
    pub reserved: u32,
    /// The name of the section, or the text of the heading, item, paragraph, code or HTML.
    pub text: agd_text,
    /// The marker of an item, such as `-` or `1.`; otherwise absent.
    pub marker: agd_text,
}

growing! { agd_entry, }

const fn number(kind: SectionKind) -> i32 {
    match kind {
        SectionKind::Can => AGD_SECTION_CAN,
        SectionKind::Cannot => AGD_SECTION_CANNOT,
        SectionKind::Mcp => AGD_SECTION_MCP,
        SectionKind::Behavior => AGD_SECTION_BEHAVIOR,
        SectionKind::Contact => AGD_SECTION_CONTACT,
        SectionKind::Other => AGD_SECTION_OTHER,
    }
}

/// Converts an entry and the section that contains it.
fn entry(entry: Entry<'static>, section: Option<SectionKind>) -> agd_entry {
    let of = |kind, level: u32, text: Text<'static>, marker: agd_text| agd_entry {
        size: size_of::<agd_entry>(),
        kind,
        section: section.map_or(AGD_UNSAID, number),
        level,
        reserved: 0,
        text: text.into(),
        marker,
    };
    match entry {
        Entry::Section(section) => of(AGD_ENTRY_SECTION, 2, section.name, agd_text::ABSENT),
        Entry::Heading(level, text) => {
            of(AGD_ENTRY_HEADING, u32::from(level), text, agd_text::ABSENT)
        }
        Entry::Item(item) => {
            of(AGD_ENTRY_ITEM, u32::from(item.depth), item.text, item.marker.into())
        }
        Entry::Paragraph(text) => of(AGD_ENTRY_PARAGRAPH, 0, text, agd_text::ABSENT),
        Entry::Code(lines) => of(AGD_ENTRY_CODE, 0, Text::plain(lines), agd_text::ABSENT),
        Entry::Html(lines) => of(AGD_ENTRY_HTML, 0, Text::plain(lines), agd_text::ABSENT),
    }
}

/// Starts a walk over the body of an agents.md in document order: sections, headings, items,
/// paragraphs, code, HTML. Permissions, rules of conduct, contacts and the MCP gateway
/// are also in the unified model.
///
/// Neither pointer may be NULL; `walk` needs no initialisation and borrows the document's bytes.
/// Returns AGD_OK; AGD_ERROR_WRONG_FORMAT if the document is not an agents.md; or another negative
/// status for misuse. On failure the walk is uninitialised. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_agents_md_walk(
    document: *const agd_document,
    walk: *mut agd_agents_md,
) -> agd_status {
    // SAFETY: the caller promises a readable document and a writable output, which is checked.
    ended(unsafe {
        clear(walk).and_then(|()| {
            let document = document_of(document)?;
            hold_in(walk, document.agents_md().ok_or(AGD_ERROR_WRONG_FORMAT)?.walk());
            Ok(AGD_OK)
        })
    })
}

/// Returns the next entry of a walk.
///
/// Neither pointer may be NULL; `found` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`found` is unchanged), or a negative status for
/// misuse. Not thread-safe on one walk; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_agents_md_next(
    walk: *mut agd_agents_md,
    found: *mut agd_entry,
) -> agd_status {
    // SAFETY: the caller promises a walk in sole use and a writable output, which is checked before
    // the walk advances.
    ended(unsafe {
        held_mut(walk).and_then(|walk| {
            let room = room(found)?;
            let Some(next) = walk.next() else {
                return Ok(AGD_NONE);
            };
            put(found, room, entry(next, walk.section()));
            Ok(AGD_SOME)
        })
    })
}
