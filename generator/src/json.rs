//! A JSON tree, and its two layouts.

use std::fmt::Write;

/// The layout of JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Indented by two spaces, one member on each line.
    Pretty,
    /// Without white space.
    Minified,
}

/// A JSON value.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Json {
    Null,
    Bool(bool),
    /// As written.
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<bool> for Json {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<usize> for Json {
    fn from(number: usize) -> Self {
        Self::Number(number.to_string())
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}

/// An object under construction.
#[derive(Clone, Default, Debug)]
pub struct Object(Vec<(String, Json)>);

impl Object {
    /// Creates an empty object.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a member.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Json>) -> Self {
        self.0.push((name.into(), value.into()));
        self
    }

    /// Adds a member if there is a value.
    #[must_use]
    pub fn maybe(self, name: &str, value: Option<impl Into<Json>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Self::Object(object.0)
    }
}

impl Json {
    /// Returns the text.
    pub fn write(&self, layout: Layout) -> String {
        let mut text = String::new();
        self.put(layout, 0, &mut text);
        if layout == Layout::Pretty {
            text.push('\n');
        }
        text
    }

    /// Returns the length of the text as an item of a list at some depth, with its comma.
    pub(crate) fn length(&self, layout: Layout, depth: usize) -> usize {
        let mut text = String::new();
        self.put(layout, depth, &mut text);
        text.len() + 1 + if layout == Layout::Pretty { 1 + 2 * depth } else { 0 }
    }

    fn put(&self, layout: Layout, depth: usize, text: &mut String) {
        match self {
            Self::Null => text.push_str("null"),
            Self::Bool(true) => text.push_str("true"),
            Self::Bool(false) => text.push_str("false"),
            Self::Number(number) => text.push_str(number),
            Self::String(string) => put_string(string, text),
            Self::Array(items) if items.is_empty() => text.push_str("[]"),
            Self::Object(members) if members.is_empty() => text.push_str("{}"),
            Self::Array(items) => {
                text.push('[');
                for (number, item) in items.iter().enumerate() {
                    separate(number, layout, depth + 1, text);
                    item.put(layout, depth + 1, text);
                }
                end(layout, depth, text);
                text.push(']');
            }
            Self::Object(members) => {
                text.push('{');
                for (number, (name, value)) in members.iter().enumerate() {
                    separate(number, layout, depth + 1, text);
                    put_string(name, text);
                    text.push_str(if layout == Layout::Pretty { ": " } else { ":" });
                    value.put(layout, depth + 1, text);
                }
                end(layout, depth, text);
                text.push('}');
            }
        }
    }

    /// Returns the number of values in this one, including itself.
    pub fn count(&self) -> usize {
        1 + match self {
            Self::Array(items) => items.iter().map(Self::count).sum::<usize>(),
            Self::Object(members) => members.iter().map(|(_, value)| value.count()).sum(),
            _ => 0,
        }
    }

    /// Returns the value with an index, in the order of the text; this one has the index 0.
    pub fn nth_mut(&mut self, number: usize) -> Option<&mut Self> {
        if number == 0 {
            return Some(self);
        }
        let mut left = number - 1;
        let children: Vec<&mut Self> = match self {
            Self::Array(items) => items.iter_mut().collect(),
            Self::Object(members) => members.iter_mut().map(|(_, value)| value).collect(),
            _ => return None,
        };
        for child in children {
            let count = child.count();
            if left < count {
                return child.nth_mut(left);
            }
            left -= count;
        }
        None
    }
}

fn separate(number: usize, layout: Layout, depth: usize, text: &mut String) {
    if number > 0 {
        text.push(',');
    }
    end(layout, depth, text);
}

fn end(layout: Layout, depth: usize, text: &mut String) {
    if layout == Layout::Pretty {
        text.push('\n');
        text.extend(std::iter::repeat_n("  ", depth));
    }
}

fn put_string(string: &str, text: &mut String) {
    text.push('"');
    for c in string.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            c if c < ' ' => {
                let _ = write!(text, "\\u{:04x}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text.push('"');
}
