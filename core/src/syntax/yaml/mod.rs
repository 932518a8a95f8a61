//! A bounded subset of YAML 1.2 for front matter.
//!
//! Supported are block mappings and sequences; plain, single- and double-quoted scalars, also over
//! several lines; literal and folded block scalars; flow sequences and mappings on one line;
//! comments; one `---` before and one `...` after the document. **All supported YAML has the
//! meaning that YAML 1.2.2 defines.** Everything else is reported as [`Unsupported`] in place of
//! the value or of the whole entry, and reading continues after it: anchors, aliases, tags,
//! directives, complex keys, flow collections over several lines (to their closing bracket), tabs
//! as indentation, a second document, and invalid YAML. One form is accepted that YAML rejects:
//! `{a:[]}`, without a blank after the colon of a plain key.
//!
//! [`Events`] is the tokenizer. [`entries`] returns the entries of a mapping.
//!
//! ```
//! use agentsdisc_core::syntax::yaml::{entries, Resolved, Value};
//! let text = b"version: 1.0\nmcp:\n  endpoint: https://example.com/mcp # here\n";
//! let mut top = entries(text, 64);
//! let Some((version, Value::Scalar(number))) = top.next() else { panic!() };
//! assert_eq!(version.text, "version");
//! assert_eq!((number.text.as_str(), number.resolve()), (Some("1.0"), Resolved::Float));
//! let Some((_, Value::Mapping(mcp))) = top.next() else { panic!() };
//! let Some((_, Value::Scalar(endpoint))) = entries(mcp, 64).next() else { panic!() };
//! assert_eq!(endpoint.text, "https://example.com/mcp");
//! ```

pub(crate) mod decode;
mod entries;
mod events;
mod flow;
mod scalar;

pub(crate) use entries::whole_entries;
pub use entries::{Entries, Value, entries};
pub use events::Events;
pub use scalar::{Resolved, Scalar, Style};

/// An event. [`End`](Self::End) closes mappings and sequences. In a mapping, each
/// [`Key`](Self::Key) is followed by its value: a scalar, a collection or
/// [`Unsupported`](Self::Unsupported).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A mapping starts.
    Mapping,
    /// A sequence starts.
    Sequence,
    /// The innermost mapping or sequence ends.
    End,
    /// A key of a mapping.
    Key(Scalar<'a>),
    /// A scalar that is not a key. A missing value is an empty plain scalar.
    Scalar(Scalar<'a>),
    /// Unsupported YAML. It replaces one value, or one entry in place of a key.
    Unsupported(Unsupported<'a>),
}

/// A part that is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported<'a> {
    /// The part, from its start to the end of its line.
    pub raw: &'a [u8],
    /// The whole part, with the lines that are skipped with it: more indented lines below it, and a
    /// flow collection up to its closing bracket, or to the end of the text without one.
    pub whole: &'a [u8],
    /// The reason.
    pub reason: Reason,
}

/// The reason why a part is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// `&name`.
    Anchor,
    /// `*name`.
    Alias,
    /// `!tag`.
    Tag,
    /// A line that starts with `%`.
    Directive,
    /// A second document.
    Documents,
    /// A tab where indentation is measured.
    Tab,
    /// A key that is not a scalar on one line of at most 1024 bytes.
    Key,
    /// A flow collection that does not end on its line, or contains other nodes than scalars, pairs
    /// with a scalar as key, and flow collections.
    Flow,
    /// Nested deeper than the limit, or indented by more than 125 columns at once.
    Depth,
    /// Invalid YAML.
    Malformed,
}

impl Reason {
    /// The reason as a noun phrase.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Anchor => "an anchor",
            Self::Alias => "an alias",
            Self::Tag => "a tag",
            Self::Directive => "a directive",
            Self::Documents => "a second document",
            Self::Tab => "a tab in the indentation",
            Self::Key => "a key that is not a scalar on one line",
            Self::Flow => "a flow collection that is not simple or not on one line",
            Self::Depth => "nesting deeper than the limit",
            Self::Malformed => "a line that is not valid YAML",
        }
    }
}
