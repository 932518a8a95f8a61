//! What the other modules ask about a format. Each folder says it once, in the constant `FORMAT` of
//! its typed view; the registry ([`registry`](crate::kind::registry)) connects the constant to the
//! format.

use crate::error::{Error, ErrorKind};
use crate::format::facts::Published;
use crate::format::robots_txt::unread;
use crate::kind::Format;
use crate::limits::Limits;
use crate::model::Protocol;
use crate::rules::link_kind::LinkKind;
use crate::rules::report::Report;
use crate::rules::signs::{self, Mark, Members, Rule, Sign, Signs};
use crate::span::Span;
use crate::syntax::json::Wants;
use crate::syntax::json::lookup::Lookup;
use crate::syntax::outline::Outline;

/// Everything that other modules ask about a format. The constants are only read when the program is
/// compiled ([`fact`], [`built_in`](crate::format::built_in)), so a build contains only the parts
/// that it uses, of the formats that it reads.
#[derive(Clone, Copy)]
pub(crate) struct About {
    /// Parses a document of a text format.
    pub(crate) parse: fn(&[u8], Span, &Limits) -> Result<Outline, Error>,
    /// The table of the top-level members of a JSON format.
    pub(crate) top: fn() -> Option<Lookup>,
    /// The top-level lists of a JSON format that is read in one pass.
    pub(crate) lists: Option<Wants>,
    /// The signs that only documents of this JSON format have.
    pub(crate) signs: &'static [Sign],
    /// The members that are such signs. [`signs`](crate::rules::signs) has those of several formats.
    pub(crate) marks: &'static [Mark],
    /// Parts of the URLs of its schemas and of its specification, each with the sign that such a
    /// URL is, or 0.
    pub(crate) schemas: &'static [(&'static [u8], Signs)],
    /// The signs that are reported as evidence for the format.
    pub(crate) counted: Signs,
    /// The signs that a JSON document needs. One of several rules is enough; without any, no
    /// document is detected.
    pub(crate) rules: &'static [Rule],
    /// Rules for documents whose path has an ending.
    pub(crate) placed: &'static [(&'static str, Rule)],
    /// Whether a document that has the signs for a rule can be of this format. False if it shows
    /// another vocabulary.
    pub(crate) is_possible: fn(&Members) -> bool,
    /// The members at the beginning of a JSON document that show the format before it is detected.
    pub(crate) openings: &'static [Opening],
    /// How its lines are read for restrictions that it does not have.
    pub(crate) lines: unread::Kind,
    /// Whether a document describes one capability.
    pub(crate) is_of_capability: bool,
    /// Reports what is invalid in a document, or valid but harmful.
    pub(crate) check: Check,
    /// Whether the check reports a byte order mark itself.
    pub(crate) reports_mark: bool,
    /// The place of its documents in the order of precedence of decisions; the lowest number comes
    /// first.
    pub(crate) rank: u8,
    /// Whether decisions about a site use its documents.
    pub(crate) is_of_site: bool,
    /// Whether its documents state the URL of the site that they describe.
    pub(crate) states_site: bool,
    /// Where its documents state the authentication of a call.
    pub(crate) authenticates: Authenticates,
    /// Whether its capabilities without a protocol are called by HTTP.
    pub(crate) calls_by_http: bool,
    /// Whether its documents can declare endpoints of other protocols.
    pub(crate) has_protocols: bool,
    /// What its documents say that other formats can say, too.
    pub(crate) says: Says,
    /// Which documents can be converted to it.
    pub(crate) takes: Takes,
    /// The well-known paths of its documents, in the order in which discovery requests them. Empty
    /// if there are none, or if another format with the same paths states them.
    pub(crate) locations: &'static [&'static str],
    /// The value of `Accept` in requests for its documents.
    pub(crate) accept: &'static str,
    /// Whether the rules of robots.txt apply to requests for its documents. Documents that state
    /// rules themselves are requested in any case.
    pub(crate) heeds_robots: bool,
    /// Whether links can lead to its documents, wherever they are.
    pub(crate) is_linked: bool,
    /// Whether its well-known paths are requested unless the caller chooses others. If not, they
    /// are requested if another document points to them.
    pub(crate) is_asked_for: bool,
    /// How long its documents are kept, in seconds: by default, at least, and at most.
    pub(crate) keeping: (u32, u32, u32),
    /// The relations of links to its documents.
    pub(crate) relations: &'static [&'static str],
    /// The media types that only its documents have, the registered one first.
    pub(crate) media_types: &'static [&'static str],
    /// The endings of paths at which links find its documents, whatever their relation.
    pub(crate) endings: &'static [&'static str],
    /// How a URL or its label shows that a link leads to its documents. Nothing if none does.
    pub(crate) shown: &'static [Shown],
    /// How endpoints lead to its documents. Nothing if none do.
    pub(crate) below: &'static [Below],
    /// Which pointers in its documents lead to further documents.
    pub(crate) points: Points,
    /// How its documents are published.
    pub(crate) published: Published,
}

/// A member at the beginning of a JSON document.
#[derive(Clone, Copy)]
pub(crate) struct Opening {
    pub(crate) name: &'static [u8],
    /// Whether no other format has it. Otherwise the members behind it decide.
    pub(crate) is_sure: bool,
}

impl Opening {
    /// A member that only this format has.
    pub(crate) const fn sure(name: &'static [u8]) -> Self {
        Self { name, is_sure: true }
    }

    /// A member that other formats have, too.
    pub(crate) const fn likely(name: &'static [u8]) -> Self {
        Self { name, is_sure: false }
    }
}

/// How a URL or its label shows what a link leads to.
#[derive(Clone, Copy)]
pub(crate) struct Shown {
    pub(crate) kind: LinkKind,
    /// The last segments of such URLs.
    pub(crate) files: &'static [&'static str],
    /// The last segments of such URLs below `/.well-known/`.
    pub(crate) well_known_files: &'static [&'static str],
    /// The words of such labels. A blank matches any separator, or nothing.
    pub(crate) words: &'static [&'static str],
}

/// How an endpoint leads to a document that describes it.
#[derive(Clone, Copy)]
pub(crate) struct Below {
    /// The protocol of the endpoint.
    pub(crate) protocol: Protocol,
    /// What is appended to the path of the endpoint.
    pub(crate) suffix: &'static str,
    /// The relations of links to such an endpoint or to its document. Pointers to endpoints in
    /// documents are named by the first one.
    pub(crate) relations: &'static [&'static str],
}

/// Which pointers in a document lead to further documents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Points {
    /// None.
    Nowhere,
    /// The endpoints of its services and capabilities, for their descriptions.
    Endpoints,
    /// The entries of a catalog, and of the catalogs in it.
    Entries,
    /// The values of a field with this name, which lead to documents of this format.
    Field(&'static str, Format),
}

/// What the documents of a format say that other formats can say, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// Nothing about their own site: they refer to others, or describe a server.
    Nothing,
    /// Rules, but no services.
    Rules,
    /// Rules or services.
    Services,
}

/// Where a document states the authentication of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Authenticates {
    /// The library does not read it, so that every call may need some authentication.
    Unread,
    /// At each capability and endpoint. Where nothing is stated, nothing is known.
    Capabilities,
    /// For the whole service, in the view of the unified model
    /// ([`ServiceAuth`](crate::model::ServiceAuth)), and perhaps more at each capability.
    Service,
    /// For the whole service, unless a capability states its own instead.
    Unless,
    /// In the manifest that refers to the document.
    Manifest,
    /// For the service, with lists of the actions to which it applies.
    Actions,
}

/// Which documents can be converted to a format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// None.
    Nothing,
    /// Those that say anything about their site.
    Rules,
    /// Those that can declare services. A document of the format itself is copied, because it has more
    /// than the model can express.
    Services,
    /// Those of version 0.1 of agents.txt and agents.json.
    Version01,
    /// Those of the same format.
    Own,
}

/// The value of `Accept` for JSON without a media type of its own.
pub(crate) const JSON: &str = "application/json, */*;q=0.1";
/// The value of `Accept` for plain text.
pub(crate) const TEXT: &str = "text/plain, */*;q=0.1";
/// The value of `Accept` for Markdown.
pub(crate) const MARKDOWN: &str = "text/markdown, text/plain;q=0.9, */*;q=0.1";

/// An hour in seconds.
pub(crate) const HOUR: u32 = 3600;
/// A day in seconds.
pub(crate) const DAY: u32 = 24 * HOUR;
/// The maximum lifetime, so that a mistake in a header does not last for years.
pub(crate) const MONTH: u32 = 30 * DAY;

/// A check. Receives the document, the origin that it was fetched from, and a buffer in which names
/// are sorted.
pub(crate) type Check =
    for<'a> fn(&'a [u8], &Outline, Option<&str>, &mut [u32], &mut Report<'_, 'a>);

impl About {
    /// What is said about formats that are only recognized. Other formats begin with it.
    pub(crate) const NOTHING: Self = Self {
        parse: |_, _, _| Err(Error::new(ErrorKind::UnknownFormat, 0)),
        top: || None,
        lists: None,
        signs: &[],
        marks: &[],
        schemas: &[],
        counted: 0,
        rules: &[],
        placed: &[],
        is_possible: |members| !members.any(signs::FOREIGN),
        openings: &[],
        lines: unread::Kind::Other,
        is_of_capability: false,
        check: |_, _, _, _, _| {},
        reports_mark: false,
        rank: 8,
        is_of_site: true,
        states_site: true,
        authenticates: Authenticates::Unread,
        calls_by_http: false,
        has_protocols: false,
        says: Says::Services,
        takes: Takes::Nothing,
        locations: &[],
        accept: JSON,
        heeds_robots: true,
        is_linked: true,
        is_asked_for: true,
        keeping: (HOUR, 0, MONTH),
        relations: &[],
        media_types: &[],
        endings: &[],
        shown: &[],
        below: &[],
        points: Points::Endpoints,
        published: Published::NOTHING,
    };
}

/// Asks the constant of a format for a fact: `fact!(format => rank)`. The answer does not depend on
/// the formats that are built in.
macro_rules! fact {
    ($format:expr => $fact:ident) => {
        $crate::kind::registry!($crate::format::about::fact_of; $format => $fact)
    };
}
pub(crate) use fact;

macro_rules! fact_of {
    (
        [$format:expr => $fact:ident]
        $($(#[$doc:meta])* $name:ident = $number:literal $id:literal $medium:ident
            $(: $feature:literal of $family:literal, $($module:ident)::+ as $view:ident)?;)*
    ) => {
        match $format {
            $($($crate::kind::Format::$name => const {
                $crate::format::$($module::)+$name::FORMAT.$fact
            },)?)*
            _ => const { $crate::format::about::About::NOTHING.$fact },
        }
    };
}
pub(crate) use fact_of;

/// Calls a function of the constant of a format: `built_in!(format => check(bytes, …))`. Of formats
/// that are not built in, it calls the function of [`About::NOTHING`].
macro_rules! built_in {
    (match $format:expr => { $($name:ident => $answer:expr,)* _ => $other:expr $(,)? }) => {
        match $format {
            $($crate::kind::Format::$name if const { $crate::kind::Format::$name.is_built_in() } => $answer,)*
            _ => $other,
        }
    };
    ($format:expr => $function:ident $arguments:tt) => {
        $crate::kind::registry!($crate::format::about::built_in_of; $format => $function $arguments)
    };
}
pub(crate) use built_in;

macro_rules! built_in_of {
    (
        [$format:expr => $function:ident $arguments:tt]
        $($(#[$doc:meta])* $name:ident = $number:literal $id:literal $medium:ident
            $(: $feature:literal of $family:literal, $($module:ident)::+ as $view:ident)?;)*
    ) => {
        match $format {
            $($($crate::kind::Format::$name if const { cfg!(feature = $feature) } => {
                (const { $crate::format::$($module::)+$name::FORMAT.$function }) $arguments
            })?)*
            _ => (const { $crate::format::about::About::NOTHING.$function }) $arguments,
        }
    };
}
pub(crate) use built_in_of;

/// Makes one table of what the constants of all formats list: `rows!(relations: &str)` is an array
/// of the formats, each with one of its relations.
macro_rules! rows {
    ($fact:ident: $row:ty) => {{
        const LISTS: &[($crate::kind::Format, &[$row])] =
        &$crate::kind::registry!($crate::format::about::lists_of; $fact);
        const ROWS: &[($crate::kind::Format, $row)] =
            &$crate::format::about::flat::<_, { $crate::format::about::count(LISTS) }>(LISTS);
        ROWS
    }};
}
pub(crate) use rows;

macro_rules! lists_of {
    (
        [$fact:ident]
        $($(#[$doc:meta])* $name:ident = $number:literal $id:literal $medium:ident
            $(: $feature:literal of $family:literal, $($module:ident)::+ as $view:ident)?;)*
    ) => {
        [$($((
            $crate::kind::Format::$name,
            $crate::format::$($module::)+$name::FORMAT.$fact,
        ),)?)*]
    };
}
pub(crate) use lists_of;

/// Returns the number of rows in all lists. Only for constants.
pub(crate) const fn count<T>(mut lists: &[(Format, &[T])]) -> usize {
    let mut count = 0;
    while let [(_, list), rest @ ..] = lists {
        count += list.len();
        lists = rest;
    }
    count
}

/// Makes one table of all lists, which must not all be empty. Only for constants.
#[allow(clippy::indexing_slicing)] // Only when the program is compiled.
pub(crate) const fn flat<T: Copy, const N: usize>(
    lists: &[(Format, &'static [T])],
) -> [(Format, T); N] {
    let mut full = 0;
    while lists[full].1.is_empty() {
        full += 1;
    }
    let mut rows = [(Format::Unknown, lists[full].1[0]); N];
    let (mut number, mut list) = (0, 0);
    while list < lists.len() {
        let (format, own) = lists[list];
        let mut at = 0;
        while at < own.len() {
            rows[number] = (format, own[at]);
            number += 1;
            at += 1;
        }
        list += 1;
    }
    rows
}
