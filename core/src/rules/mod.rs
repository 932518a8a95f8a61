//! What the formats share: the rules for values and names, the search for credentials, and how
//! diagnostics are reported.

pub(crate) mod agent_names;
pub mod credentials;
pub(crate) mod doubled;
pub(crate) mod email;
pub(crate) mod json;
pub(crate) mod lines;
pub(crate) mod link_kind;
pub(crate) mod media;
pub(crate) mod member;
pub(crate) mod method;
pub(crate) mod names;
pub(crate) mod near;
pub(crate) mod report;
pub(crate) mod signs;
pub(crate) mod thumbprint;
pub(crate) mod timestamp;
pub(crate) mod urls;
pub(crate) mod user_agent;
pub(crate) mod values;

use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::span::Span;
use crate::syntax::text::Text;

/// Options for the check of a document.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions<'o> {
    /// The origin from which the document was fetched, such as `https://example.com`. Default:
    /// unknown.
    pub origin: Option<&'o str>,
    /// The origin of the server that sent the document, if it is not `origin`, as with a preview.
    /// Default: `origin`. If it is on a loopback address, its own URLs are not reported as insecure or
    /// private, and documents are not compared with it.
    pub received_from: Option<&'o str>,
    /// The maximum number of diagnostics. If there are more, one `too-many-diagnostics` follows.
    /// Default: 1,000.
    pub max: usize,
}

impl Default for CheckOptions<'_> {
    fn default() -> Self {
        Self { origin: None, received_from: None, max: 1000 }
    }
}

/// The notation of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// Lines of keys and values.
    Text,
    /// JSON.
    Json,
}

/// Whether a name consists of words of lower-case letters and digits, with one `joint` between two
/// words.
pub(crate) fn is_joined(name: Text<'_>, joint: char) -> bool {
    let mut previous = joint;
    name.chars().all(|c| {
        let fits = matches!(c, 'a'..='z' | '0'..='9') || (c == joint && previous != joint);
        previous = c;
        fits
    }) && previous != joint
}

/// The messages for a field whose values under two names differ: at the name that does not count, and
/// at the one that does.
pub(crate) const DOES_NOT_COUNT: &str =
    "{} has another value than `{}`, which counts; keep one of the two";
pub(crate) const COUNTS: &str = "{} counts, but `{}` has another value; keep one of the two";

/// The message for a required field that is empty.
pub(crate) const REQUIRED_IS_EMPTY: &str = "{} is required, but it is empty; write a value";

/// Returns a diagnostic if a rate limit is invalid (with the message `wrong`) or zero. `requests`
/// is the number that was read, if any.
pub(crate) fn rate_limit<'a>(
    spec: Spec,
    section: &'static str,
    span: Span,
    requests: Option<u32>,
    wrong: &'static str,
) -> Option<Diagnostic<'a>> {
    match requests {
        None => Some(Diagnostic::new(Code::InvalidRateLimit, span, spec, section, wrong)),
        Some(0) => {
            let message = "the rate limit {} allows no requests; write a positive number";
            Some(
                Diagnostic::new(Code::InvalidRateLimit, span, spec, section, message)
                    .with_severity(Severity::Warning),
            )
        }
        Some(_) => None,
    }
}
