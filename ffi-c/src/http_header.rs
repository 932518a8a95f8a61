//! A header of a request or a response, as the caller gives it.

use crate::boundary::fixed;
use crate::text::agd_text;

/// A header of a request or a response. It borrows name and value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_http_header {
    /// The name, in any letter case.
    pub name: agd_text,
    /// The value, bytes as received.
    pub value: agd_text,
}

fixed! { agd_http_header, }
