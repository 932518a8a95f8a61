//! What a conversion could not carry over.

use core::fmt;

use crate::diagnostic::Severity;
use crate::span::Span;
use crate::syntax::text::Text;

macro_rules! reasons {
    ($($name:ident $text:literal $about:literal,)*) => {
        /// Why something did not carry over. The list is closed; one reason means one thing for every target.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Reason { $(#[doc = $about] $name,)* }

        impl Reason {
            /// Every reason, in alphabetical order of their names.
            pub const ALL: &'static [Reason] = &[$(Reason::$name,)*];

            /// The stable kebab-case name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// What it means, as a sentence about the member.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$name => $about,)* }
            }
        }
    };
}

// Alphabetical. Columns: variant, name, meaning.
reasons! {
    BlankEdge "blank-edge" "It begins or ends with white space, which the target would take away.",
    Changed "changed" "It is carried over in another member or another form, because the target says it differently.",
    ControlCharacter "control-character" "It holds a control character, which has no place in a line of text.",
    Empty "empty" "It is empty, which cannot be told from absent there.",
    Guarded "guarded" "The target cannot say a restriction that holds for this, so it is left out as a whole.",
    LineBreak "line-break" "It holds a line break, behind which the target would read another field.",
    NameTaken "name-taken" "The target reads something else under this name.",
    NoPlace "no-place" "The target has no member for it.",
    NotText "not-text" "It is a JSON value other than a string, and the target holds nothing but text.",
    NotUtf8 "not-utf8" "It is not UTF-8.",
    OnlyOne "only-one" "The target holds one value, and another one was carried over.",
    Separator "separator" "It holds a character by which the target would split it.",
    TooDeep "too-deep" "It would be nested deeper than readers go.",
    TooLong "too-long" "It would make a longer line than readers take.",
    Unnamed "unnamed" "It has no name, by which the target tells it from others.",
    Unreadable "unreadable" "It restricts what agents may do, but could not be read.",
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A list or object of the unified model on the way to a member: its name, and the number of the item.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Part {
    /// The name in the unified model; empty where the path has no such part.
    pub name: &'static str,
    /// The number of the item, from 0, where it is a list.
    pub index: Option<u32>,
}

impl Part {
    /// An object, or a list as a whole.
    pub(super) const fn object(name: &'static str) -> Self {
        Self { name, index: None }
    }

    /// An item of a list.
    pub(super) const fn item(name: &'static str, index: u32) -> Self {
        Self {
            name,
            index: Some(index),
        }
    }
}

/// Which member of the unified model something is: `capabilities[2].parameters[0].default`, `metadata.X-Note`.
///
/// [`fmt::Display`] writes it so. A name of the document's own is shortened to 80 characters, and its control characters are escaped.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Path<'a> {
    /// The names of the model, from the outside in; unused ones are empty.
    pub parts: [Part; 3],
    /// The member of a `metadata`, `hints` or `features` object that the path leads to: its name in the document.
    pub name: Option<Text<'a>>,
}

impl<'a> Path<'a> {
    /// The path to a part of what this one leads to. (No path of the model is deeper than three.)
    pub(super) fn then(mut self, part: Part) -> Self {
        if let Some(free) = self.parts.iter_mut().find(|part| part.name.is_empty()) {
            *free = part;
        }
        self
    }

    /// The path to a member with a name of the document's own.
    pub(super) const fn named(mut self, name: Text<'a>) -> Self {
        self.name = Some(name);
        self
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut dot = "";
        for part in self.parts.iter().filter(|part| !part.name.is_empty()) {
            write!(f, "{dot}{}", part.name)?;
            if let Some(index) = part.index {
                write!(f, "[{index}]")?;
            }
            dot = ".";
        }
        let Some(name) = self.name else { return Ok(()) };
        f.write_str(dot)?;
        for (count, c) in name.chars().enumerate() {
            if count == 80 {
                return f.write_str("…");
            }
            if c.is_control() {
                write!(f, "\\u{{{:x}}}", u32::from(c))?
            } else {
                fmt::Write::write_char(f, c)?
            }
        }
        Ok(())
    }
}

/// One thing that did not carry over as it is.
///
/// It says so of everything below its path. Its severity tells how bad that is: `Info`, nothing that agents act on is lost; `Warning`,
/// something is; `Error`, without it agents would be allowed more than the document allows, so nothing is written at all.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Loss<'a> {
    /// Which member of the unified model.
    pub path: Path<'a>,
    /// Why.
    pub reason: Reason,
    /// How bad it is.
    pub severity: Severity,
    /// Where it stands in the source; empty, and at its start, where it stands nowhere by itself.
    pub span: Span,
}

/// A sentence for people: the path in quotes, and what the reason means.
impl fmt::Display for Loss<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.path, self.reason.about())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn reasons_are_sorted() {
        assert!(
            Reason::ALL
                .windows(2)
                .all(|pair| matches!(pair, [a, b] if a.as_str() < b.as_str()))
        );
    }

    #[test]
    fn a_path_reads_from_the_outside_in() {
        let path = Path::default()
            .then(Part::item("capabilities", 2))
            .then(Part::object("auth"))
            .then(Part::item("scopes", 0));
        assert_eq!(path.to_string(), "capabilities[2].auth.scopes[0]");
        let path = Path::default()
            .then(Part::object("metadata"))
            .named(Text::plain(b"a\x1bb"));
        assert_eq!(path.to_string(), "metadata.a\\u{1b}b");
    }
}
