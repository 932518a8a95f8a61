//! The core's tables of the model, as data.

/// An object of the model.
pub(crate) struct Object {
    /// Its name in Rust.
    pub(crate) name: &'static str,
    /// Its description.
    pub(crate) about: String,
    /// Its members, in order.
    pub(crate) members: Vec<Member>,
    /// The description of its bytes, if it keeps them.
    pub(crate) origin: Option<&'static str>,
}

/// A member of an object.
#[derive(Clone)]
pub(crate) struct Member {
    /// The name of its field in Rust.
    pub(crate) field: &'static str,
    /// Its name in all other languages.
    pub(crate) name: &'static str,
    /// The name of the member with the text as written, for an enumeration.
    pub(crate) text: Option<&'static str>,
    /// Its type.
    pub(crate) kind: Kind,
    /// Whether it is optional.
    pub(crate) optional: bool,
    /// Its description.
    pub(crate) doc: String,
    /// The default value, which JSON omits.
    pub(crate) implied: Option<&'static str>,
    /// Whether it is a field of `Head`, for a member of a whole document.
    pub(crate) in_head: bool,
    /// Whether JSON omits the object if it has no members, although it is optional.
    pub(crate) unless_empty: bool,
}

/// The type of a member.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Text,
    Texts,
    Bool,
    Number,
    /// A value in the form of the document.
    Raw,
    Raws,
    /// A JSON number as it was written.
    Value,
    Metadata,
    /// A value of this enumeration.
    Choice(&'static str),
    Object(&'static str),
    Objects(&'static str),
}

/// Returns all objects, in the order of the table.
pub(crate) fn objects() -> Vec<Object> {
    macro_rules! objects {
        ($(
            $(#[doc = $about:literal])*
            $object:ident $(: $default:ident)? {
                $(
                    $(#[doc = $doc:literal])*
                    $field:ident $(as $name:literal)? $(or $text:ident)?: $type:ty $(= $implied:expr)?,
                )*
            } $(from $origin:literal)?,
        )*) => {
            vec![$(Object {
                name: stringify!($object),
                about: sentence(&[$($about),*]),
                members: vec![$({
                    let (kind, optional) = kind(stringify!($type));
                    Member {
                        field: stringify!($field),
                        name: [$($name,)? stringify!($field)].first().copied().unwrap_or_default(),
                        text: [$(stringify!($text))?].first().copied(),
                        kind,
                        optional,
                        doc: sentence(&[$($doc),*]),
                        implied: [$(stringify!($implied))?].first().copied(),
                        in_head: false,
                        unless_empty: false,
                    }
                }),*],
                origin: [$($origin)?].first().copied(),
            }),*]
        };
    }
    agentsdisc_core::model! { objects 'static }
}

/// Returns the members of a whole document, in the order of the table.
pub(crate) fn document() -> Vec<Member> {
    macro_rules! members {
        ($(
            #[doc = $doc:literal]
            $field:ident $(as $name:literal)? $(or $text:ident)? $(unless $empty:ident)?
            $(in $head:ident: $part:ty)? $(: $type:ty)?,
        )*) => {
            vec![$({
                let (kind, optional) = kind(concat!($(stringify!($part))? $(stringify!($type))?));
                Member {
                    field: stringify!($field),
                    name: [$($name,)? stringify!($field)].first().copied().unwrap_or_default(),
                    text: [$(stringify!($text))?].first().copied(),
                    kind,
                    optional,
                    doc: sentence(&[$doc]),
                    implied: None,
                    in_head: !str::is_empty(concat!($(stringify!($head))?)),
                    unless_empty: !str::is_empty(concat!($(stringify!($empty))?)),
                }
            }),*]
        };
    }
    agentsdisc_core::document! { members 'static }
}

/// Joins lines of documentation.
fn sentence(lines: &[&str]) -> String {
    lines.concat().trim().to_owned()
}

/// Parses a type of the table. Returns whether it is optional, too.
fn kind(written: &str) -> (Kind, bool) {
    // The compiler may write spaces between tokens. The program is short-lived, so the text is
    // never freed.
    let written: &'static str = written.replace(' ', "").leak();
    let inside = |text: &'static str, outer: &str| -> Option<&'static str> {
        let inner = text.strip_prefix(outer)?.strip_prefix('<')?.strip_suffix('>')?;
        Some(inner.trim_start_matches("'static").trim_start_matches(',').trim())
    };
    let plain = |text: &'static str| text.trim_end_matches("<'static>");
    let (text, optional) = match inside(written, "Option") {
        Some(inner) => (inner, true),
        None => (written, false),
    };
    let kind = match plain(text) {
        "Text" => Kind::Text,
        "bool" => Kind::Bool,
        "u32" => Kind::Number,
        "Raw" => Kind::Raw,
        "Value" => Kind::Value,
        "Metadata" => Kind::Metadata,
        "Hints" => Kind::Objects("Hint"),
        other => match (inside(text, "Choice"), inside(text, "List").map(plain)) {
            (Some(enumeration), _) => Kind::Choice(enumeration),
            (_, Some("Text")) => Kind::Texts,
            (_, Some("Raw")) => Kind::Raws,
            (_, Some(object)) => Kind::Objects(object.trim_start_matches("model::")),
            _ => Kind::Object(other.trim_start_matches("model::")),
        },
    };
    (kind, optional)
}
