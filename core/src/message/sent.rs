//! A value of a request with its location.

use super::example::Encoding;
use crate::format::adp::ArgumentValue;
use crate::model::Location;
use crate::syntax::text::Text;

/// A value of a request: an argument or a default.
#[derive(Clone, Copy)]
pub(super) struct Sent<'v> {
    pub(super) name: Text<'v>,
    pub(super) value: ArgumentValue<'v>,
    /// `None` until a parameter is found.
    pub(super) location: Option<Location>,
    /// Whether its parameter is a file.
    pub(super) is_file: bool,
    /// Whether its value replaces a segment `:name` of the path.
    pub(super) is_segment: bool,
    pub(super) is_default: bool,
}

impl<'v> Sent<'v> {
    pub(super) fn text(&self) -> Text<'v> {
        self.value.text()
    }

    /// Whether this is `null` in a location that takes only text; such an argument counts as
    /// absent.
    pub(super) fn is_absent(&self, encoding: Encoding) -> bool {
        let is_json = self.location == Some(Location::Body)
            && matches!(encoding, Encoding::Object | Encoding::Value);
        self.value.is_null() && !is_json
    }
}
