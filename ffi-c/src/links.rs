//! Links: the URLs in the bytes of a document, whatever its format.

use core::ffi::c_char;
use core::mem::{MaybeUninit, size_of};

use agentsdisc_core::document::{LinkKind, Links};

use crate::boundary::{bytes, checked, ended, give, growing, held_mut, hold};
use crate::status::{AGD_OK, agd_status};
use crate::text::agd_text;

/// None of the other kinds, or a kind that is newer than this list.
pub const AGD_LINK_OTHER: i32 = 0;
/// An endpoint of the Model Context Protocol, or the card of its server.
pub const AGD_LINK_MCP_ENDPOINT: i32 = 1;
/// An OpenAPI or Swagger description.
pub const AGD_LINK_OPENAPI: i32 = 2;
/// An A2A agent card.
pub const AGD_LINK_AGENT_CARD: i32 = 3;
/// An llms.txt or llms-full.txt.
pub const AGD_LINK_LLMS_TXT: i32 = 4;
/// An AI catalog.
pub const AGD_LINK_AI_CATALOG: i32 = 5;
/// Documentation.
pub const AGD_LINK_DOCS: i32 = 6;
/// A way to reach people.
pub const AGD_LINK_CONTACT: i32 = 7;
/// Payment.
pub const AGD_LINK_PAYMENT: i32 = 8;
/// A licence, such as one of Really Simple Licensing.
pub const AGD_LINK_LICENSE: i32 = 9;

/// Size of agd_links in 64-bit words.
pub const AGD_LINKS_WORDS: usize = 8;

/// The links of a document. You allocate it, on the stack or anywhere; there is nothing to free. It
/// borrows the bytes. A copy iterates independently. Use it from one thread at a time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_links {
    /// Internal state.
    pub state: [MaybeUninit<u64>; AGD_LINKS_WORDS],
}

/// A URL in a document. It borrows the bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_link {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The URL as written. In JSON, it may be escaped.
    pub url: agd_text,
    /// The name beside it: the key of the member, the text of a Markdown link, the relation of an
    /// HTML link, or the text before it on its line or in its string. Empty if there is none.
    pub label: agd_text,
    /// Byte offset of the URL, from 0.
    pub start: usize,
    /// Byte offset after the URL.
    pub end: usize,
    /// The probable kind of the target, judged from URL and label: AGD_LINK_*.
    pub kind: i32,
    /// Reserved; zero.
    pub reserved: u32,
}

growing! { agd_link, }

/// Finds the http and https URLs in the bytes of any document, known or not. A link states where
/// something is; it never allows or denies a request.
///
/// `data` may be NULL if `length` is 0. The bytes are not copied: they must stay unchanged and in
/// place while `links`, or anything read from it, is used. `links` must not be NULL. Returns AGD_OK,
/// or a negative status for misuse. Thread-safe; linear in the blanks at the start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_links_open(
    data: *const c_char,
    length: usize,
    links: *mut agd_links,
) -> agd_status {
    // SAFETY: the caller promises readable bytes that stay, and a writable output.
    ended(unsafe {
        checked(links).and_then(|_| {
            let empty = agd_links { state: [MaybeUninit::new(0); AGD_LINKS_WORDS] };
            let found = bytes(data.cast(), length).map(Links::new);
            links.write(found.map_or(empty, |found| hold(empty, found)));
            found.map(|_| AGD_OK)
        })
    })
}

/// Returns the next link, in the order of the bytes.
///
/// Neither pointer may be NULL; `link` must be initialised (AGD_INIT). Returns AGD_SOME, AGD_NONE at
/// the end (`link` is unchanged), or a negative status for misuse. Not thread-safe on one
/// `agd_links`; linear in the bytes skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_links_next(links: *mut agd_links, link: *mut agd_link) -> agd_status {
    // SAFETY: the caller promises links in sole use and a writable output; `give` validates it
    // before a link is taken.
    ended(unsafe {
        give(link, None::<agd_link>).and_then(|_| {
            let found = held_mut(links)?.next();
            let found = found.map(|found| agd_link {
                size: size_of::<agd_link>(),
                url: found.url.into(),
                label: found.label.into(),
                start: found.span.start as usize,
                end: found.span.end as usize,
                kind: number_of(found.kind),
                reserved: 0,
            });
            give(link, found)
        })
    })
}

const fn number_of(kind: LinkKind) -> i32 {
    match kind {
        LinkKind::McpEndpoint => AGD_LINK_MCP_ENDPOINT,
        LinkKind::OpenApi => AGD_LINK_OPENAPI,
        LinkKind::AgentCard => AGD_LINK_AGENT_CARD,
        LinkKind::LlmsTxt => AGD_LINK_LLMS_TXT,
        LinkKind::AiCatalog => AGD_LINK_AI_CATALOG,
        LinkKind::Docs => AGD_LINK_DOCS,
        LinkKind::Contact => AGD_LINK_CONTACT,
        LinkKind::Payment => AGD_LINK_PAYMENT,
        LinkKind::License => AGD_LINK_LICENSE,
        _ => AGD_LINK_OTHER,
    }
}
