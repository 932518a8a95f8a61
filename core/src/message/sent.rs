//! A value of a request with its location.

use super::example::Encoding;
use crate::format::adp::ArgumentValue;
use crate::model::{Location, Parameter, Raw};
use crate::syntax::json::{Kind, Value};
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
    /// How its list is written in a query; `None` if it is a single value, or JSON.
    pub(super) list: Option<Lists>,
}

/// How the items of a list are written in a query (OpenAPI 4.8.12.2, styles of parameters).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lists {
    /// Each with the name of its parameter.
    Repeated,
    /// As one value, with this text between two of them.
    Joined(&'static str),
}

impl Lists {
    /// Returns how a parameter writes lists; `None` if its style is not one of lists.
    pub(super) fn of(parameter: &Parameter<'_>) -> Option<Self> {
        let member = |name: &str| {
            let found = { parameter.metadata }.filter(|member| member.name == *name).last()?;
            match found.value {
                Raw::Json(value) => Some(value),
                Raw::Text(_) => None,
            }
        };
        let style = member("style");
        let is = |name: &str| style.and_then(Value::as_text).is_some_and(|style| style == *name);
        let (is_form, explode) = (style.is_none() || is("form"), member("explode"));
        let between = match is_form {
            true => ",",
            false if is("spaceDelimited") => "%20",
            false if is("pipeDelimited") => "%7C",
            false => return None,
        };
        let is_repeated = match explode {
            Some(explode) => explode.as_bool()?,
            None => is_form,
        };
        Some(if is_repeated { Self::Repeated } else { Self::Joined(between) })
    }
}

impl<'v> Sent<'v> {
    pub(super) fn text(&self) -> Text<'v> {
        self.value.text()
    }

    /// Returns the kind of a value that is JSON.
    pub(super) fn kind(&self) -> Option<Kind> {
        match self.value {
            ArgumentValue::Json(value) => Some(value.kind()),
            _ => None,
        }
    }

    /// Returns the items of a list.
    pub(super) fn items(&self) -> impl Iterator<Item = Value<'v>> {
        match self.value {
            ArgumentValue::Json(value) => value.elements(),
            _ => Value::ABSENT.elements(),
        }
    }

    /// Sets how a list is written at a location. A list or an object that has no known form there has
    /// no place.
    pub(super) fn set_list(&mut self, parameter: &Parameter<'_>) {
        if self.location == Some(Location::Body) {
            return;
        }
        self.list = match self.kind() {
            Some(Kind::Array) if self.location == Some(Location::Query) => Lists::of(parameter),
            Some(Kind::Array | Kind::Object) => None,
            _ => return,
        };
        if self.list.is_none() {
            self.location = Some(Location::Unknown);
        }
    }

    /// Whether this is `null` in a location that takes only text; such an argument counts as
    /// absent.
    pub(super) fn is_absent(&self, encoding: Encoding) -> bool {
        let is_json = self.location == Some(Location::Body)
            && matches!(encoding, Encoding::Object | Encoding::Value);
        self.value.is_null() && !is_json
    }
}
