//! The interface between a format and the unified model.

use super::choice::{Choice, Kind};
use super::list::List;
use super::objects::{Hints, Metadata, Raw};
use crate::model;
use crate::syntax::text::Text;

macro_rules! reading {
    ($(
        #[doc = $doc:literal]
        $field:ident $(as $name:literal)? $(or $text:ident)? $(unless $empty:ident)?
        $(in $head:ident: $part:ty)? $(: $type:ty)?,
    )*) => {
        /// The head of a document: the members that occur once, as plain text.
        #[derive(Clone, Copy, Default, Debug)]
        #[non_exhaustive]
        pub struct Head<'a> {
            $($(#[doc = $doc] pub $field: $part,)?)*
        }

        /// A document of one format, read into the unified model. A format overrides the methods
        /// for members it has; the defaults return absent values.
        ///
        /// Each method is at worst linear in the size of the document.
        pub(crate) trait Reading<'a> {
            /// The head of the document: members that occur once, as plain text.
            fn head(&self) -> Head<'a> {
                Head::default()
            }

            /// Writes the URL, or the path of the site, to which the endpoints of capabilities are
            /// appended. `None` for formats that do not append them, and if it is not known.
            fn base<'b>(&self, buffer: &'b mut [u8]) -> Option<&'b str> {
                let _ = buffer;
                None
            }

            /// The default lifetime of a session in seconds, which applies if the document states
            /// none; `None` if the format has no sessions.
            fn usual_session(&self) -> Option<u32> {
                None
            }

            $($(
                #[doc = $doc]
                fn $field(&self) -> $type {
                    Default::default()
                }
            )?)*
        }
    };
}

crate::document! { reading 'a }
