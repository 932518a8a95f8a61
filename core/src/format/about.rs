//! What the other modules ask about a format. Each folder says it once, in the constant `FORMAT` of
//! its typed view; the registry ([`registry`](crate::kind::registry)) connects the constant to the
//! format.

use crate::error::{Error, ErrorKind};
use crate::format::facts::Published;
use crate::limits::Limits;
use crate::rules::report::Report;
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
    /// How long its documents are kept, in seconds: by default, at least, and at most.
    pub(crate) keeping: (u32, u32, u32),
    /// How its documents are published.
    pub(crate) published: Published,
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

/// Which documents can be converted to a format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// None.
    Nothing,
    /// Those that say anything about their site.
    Rules,
    /// Those that can declare services.
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
        check: |_, _, _, _, _| {},
        reports_mark: false,
        rank: 8,
        is_of_site: true,
        states_site: true,
        calls_by_http: false,
        has_protocols: false,
        says: Says::Services,
        takes: Takes::Nothing,
        locations: &[],
        accept: JSON,
        heeds_robots: true,
        is_linked: true,
        keeping: (HOUR, 0, MONTH),
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
            $(: $feature:literal of $family:literal, $($module:ident)::+)?;)*
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
            $(: $feature:literal of $family:literal, $($module:ident)::+)?;)*
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
