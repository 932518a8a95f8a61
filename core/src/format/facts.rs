//! What is told about a format to programs and pages outside of the core: the Python package, the
//! documentation, the commands of this repository.

use super::Format;
use super::about::{Takes, fact};
use crate::diagnostic::{Severity, Spec};
use crate::kind::registry;

/// What is known about a format, for programs that list formats, serve documents, search for them or
/// describe them.
///
/// [`Format::facts`] returns it. A program that does not call it contains none of these texts.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Facts {
    /// What the format is, such as `robots.txt, RFC 9309`.
    pub title: &'static str,
    /// The Cargo feature of this format alone, such as `agents-txt-draft`; `None` if it is only
    /// recognized. [`Format::feature`] returns the feature of its family.
    pub feature: Option<&'static str>,
    /// The well-known paths of its documents, in the order in which they are requested. Empty if
    /// there are none, or if another format with the same paths states them.
    pub locations: &'static [&'static str],
    /// Whether its documents state rules or services of their site, and are requested whatever
    /// robots.txt says.
    pub is_manifest: bool,
    /// Whether documents can be converted to it.
    pub is_target: bool,
    /// How long a document without Cache-Control is used, in seconds.
    pub lifetime: u32,
    /// The media types that only its documents have, the registered one first. Empty if it has none.
    pub media_types: &'static [&'static str],
    /// The relations of links to its documents, the usual one first. Empty if there is none.
    pub relations: &'static [&'static str],
    /// How its documents are published.
    pub published: Published,
}

/// How the documents of a format are published, by its specification and in practice.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Published {
    /// What a document is called, such as `agents.txt`. Empty if the format is only recognized.
    pub document: &'static str,
    /// The specification with the versions that are read, in Markdown.
    pub specification: &'static str,
    /// The specification as diagnostics cite it.
    pub spec: Spec,
    /// Whether its well-known paths are of different proposals or versions. Otherwise the first is
    /// the one of the specification, and the others are fallbacks.
    pub has_rival_locations: bool,
    /// Where else sites have such documents: paths, and names of files in any folder.
    pub also_at: &'static [&'static str],
    /// Other media types by which catalogs know it; empty if there are none.
    pub other_media_types: &'static [&'static str],
    /// How a server must send its documents; `None` if they have no location of their own.
    pub serving: Option<Serving>,
    /// Its place among the documents of a service in a registry: the lowest number describes the
    /// service best. `None` if a registry does not read it.
    pub registry: Option<u8>,
    /// Whether a document only adds to others, and makes no service alone.
    pub is_supporting: bool,
}

impl Published {
    /// What is said about formats that are only recognized. Other formats begin with it.
    pub(crate) const NOTHING: Self = Self {
        document: "",
        specification: "",
        spec: Spec::Ruling,
        has_rival_locations: false,
        also_at: &[],
        other_media_types: &[],
        serving: None,
        registry: None,
        is_supporting: false,
    };
}

/// How a server must send the documents of a format, by its specification.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Serving {
    /// The valid media types; the first one is recommended.
    pub types: &'static [&'static str],
    /// Whether the specification requires one of them.
    pub is_type_required: bool,
    /// Whether it requires `charset=utf-8`.
    pub needs_charset: bool,
    /// How serious it is if Cache-Control is absent; `None` if the specification does not mention
    /// it.
    pub cache: Option<Severity>,
    /// How serious it is if CORS headers are absent; `None` if the specification does not mention
    /// them.
    pub cors: Option<Severity>,
    /// The methods that Access-Control-Allow-Methods must name; none if the specification does not
    /// mention it.
    pub methods: &'static [&'static str],
    /// The sections of the specification on the location, Content-Type, Cache-Control and CORS;
    /// empty if there is none.
    pub sections: [&'static str; 4],
}

impl Serving {
    /// JSON, and no requirements.
    pub(crate) const JSON: Self = Self {
        types: &["application/json"],
        is_type_required: false,
        needs_charset: false,
        cache: None,
        cors: None,
        methods: &[],
        sections: [""; 4],
    };
    /// Markdown, and no requirements.
    pub(crate) const MARKDOWN: Self =
        Self { types: &["text/markdown", "text/plain"], ..Self::JSON };
}

impl Format {
    /// Returns what is known about the format. The same in every build.
    pub const fn facts(self) -> Facts {
        let (title, feature) = registry!(line; self);
        let (lifetime, ..) = fact!(self => keeping);
        Facts {
            title,
            feature,
            locations: fact!(self => locations),
            is_manifest: !fact!(self => heeds_robots) && fact!(self => is_of_site),
            is_target: !matches!(fact!(self => takes), Takes::Nothing),
            lifetime,
            media_types: fact!(self => media_types),
            relations: fact!(self => relations),
            published: fact!(self => published),
        }
    }
}

/// The line of a format in the registry: what it is, and its own feature.
macro_rules! line {
    (
        [$format:expr]
        $($(#[doc = $doc:literal])* $name:ident = $number:literal $id:literal $medium:ident
            $(: $feature:literal of $family:literal, $($module:ident)::+ as $view:ident)?;)*
    ) => {
        match $format {
            $(Format::$name => const {
                #[allow(unused_mut, unused_assignments, reason = "some formats have no feature")]
                let mut feature = None;
                $(feature = Some($feature);)?
                (first_sentence(&[$($doc),*]), feature)
            },)*
        }
    };
}
use line;

/// The first line of a comment, without its blanks and its full stop.
const fn first_sentence(lines: &[&'static str]) -> &'static str {
    let [first, ..] = lines else { return "" };
    let text = first.trim_ascii();
    match text.split_at_checked(text.len().saturating_sub(1)) {
        Some((text, stop)) if matches!(stop.as_bytes(), b".") => text,
        _ => text,
    }
}
