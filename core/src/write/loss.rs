//! Losses: what a conversion cannot express in the target.

use core::fmt;

use crate::diagnostic::Severity;
use crate::span::Span;
use crate::syntax::text::Text;

macro_rules! reasons {
    ($($name:ident $text:literal $about:literal,)*) => {
        /// Why something is lost. A reason has the same meaning for every target.
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

            /// The meaning, as a sentence about the member.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$name => $about,)* }
            }
        }
    };
}

// Alphabetical. Columns: variant, name, meaning.
reasons! {
    BlankEdge "blank-edge" "It begins or ends with white space, which the target would trim.",
    Changed "changed" "It is written in another member or form, because the target expresses it differently.",
    ControlCharacter "control-character" "It contains a control character, which is not valid in a line of text.",
    Elsewhere "elsewhere" "It is in the other document of the Agent Discovery Protocol: the detail of the capability, or the manifest.",
    Empty "empty" "It is empty, which the target cannot distinguish from absent.",
    Guarded "guarded" "The target cannot express a restriction on it, so it is left out entirely.",
    LineBreak "line-break" "It contains a line break, after which the target would read another field.",
    NameTaken "name-taken" "The target uses this name for something else.",
    NoPlace "no-place" "The target has no member for it.",
    NotAField "not-a-field" "It is a line without a name or a colon, so the target has no name for it.",
    NotText "not-text" "It is a JSON value other than a string, and the target supports only text.",
    NotUtf8 "not-utf8" "It is not UTF-8.",
    OneField "one-field" "One of Content-Signal and Content-Usage states it; the other cannot, or states something else.",
    OnlyOne "only-one" "The target has room for one value, and another one was written.",
    Separator "separator" "It contains a character that the target uses as a separator.",
    TooDeep "too-deep" "It would exceed the nesting limit of readers.",
    TooLong "too-long" "It would exceed the line length limit of readers.",
    Unnamed "unnamed" "It has no name, which the target requires.",
    Unreadable "unreadable" "It restricts agents, but cannot be read.",
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One step of a path in the unified model: a name, and an index in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Part {
    /// The name in the unified model; empty for unused steps.
    pub name: &'static str,
    /// The index from 0, in a list.
    pub index: Option<u32>,
}

impl Part {
    /// An object, or a list as a whole.
    pub(super) const fn object(name: &'static str) -> Self {
        Self { name, index: None }
    }

    /// An item of a list.
    pub(super) const fn item(name: &'static str, index: u32) -> Self {
        Self { name, index: Some(index) }
    }
}

/// A member of the unified model: `capabilities[2].parameters[0].default`, `metadata.X-Note`.
///
/// [`fmt::Display`] writes this form. A name from the document is shortened to 80 characters, and
/// its control characters are escaped.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Path<'a> {
    /// Names of the model, outermost first; unused steps are empty.
    pub parts: [Part; 3],
    /// The name of a member of a `metadata`, `hints` or `features` object in the document.
    pub name: Option<Text<'a>>,
}

impl<'a> Path<'a> {
    /// The path to a part of this one. (No path of the model is deeper than three steps.)
    pub(super) fn then(mut self, part: Part) -> Self {
        if let Some(free) = self.parts.iter_mut().find(|part| part.name.is_empty()) {
            *free = part;
        }
        self
    }

    /// The path to a member whose name comes from the document.
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

/// Something that the target cannot express, or expresses in another form.
///
/// It covers everything below its path. The severity is `Info` if the lost member does not affect
/// agents, `Warning` if it does, and `Error` if agents would be allowed more without it. After an
/// `Error`, nothing is written.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Loss<'a> {
    /// The member of the unified model.
    pub path: Path<'a>,
    /// The reason.
    pub reason: Reason,
    /// The severity.
    pub severity: Severity,
    /// The position in the source; an empty span at the start if it has none.
    pub span: Span,
}

/// A sentence for people: the path in quotes, and the reason.
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
            Reason::ALL.windows(2).all(|pair| matches!(pair, [a, b] if a.as_str() < b.as_str()))
        );
    }

    #[test]
    fn a_path_reads_from_the_outside_in() {
        let path = Path::default()
            .then(Part::item("capabilities", 2))
            .then(Part::object("auth"))
            .then(Part::item("scopes", 0));
        assert_eq!(path.to_string(), "capabilities[2].auth.scopes[0]");
        let path = Path::default().then(Part::object("metadata")).named(Text::plain(b"a\x1bb"));
        assert_eq!(path.to_string(), "metadata.a\\u{1b}b");
    }
}
