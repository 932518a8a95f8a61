//! The question: who asks, for what, and what is known of the robots.txt.

use crate::format::robots_txt::RobotsTxt;

/// Who asks, and for what.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'q> {
    /// The agent: its product token, or a User-Agent whose first token that is (`Claude` of `Claude/1.0 (+https://…)`). Letter case is ignored.
    pub agent: &'q str,
    /// What is asked for.
    pub target: Target<'q>,
    /// The HTTP method. `None` is GET for a URL, and its own for a capability.
    pub method: Option<&'q str>,
    /// The origin of the documents, or the URL that one of them was fetched from. Where it is absent, what the documents say of themselves is
    /// believed, and where they say nothing, that the URL is theirs.
    pub origin: Option<&'q str>,
    /// Endpoints on other domains that the user has approved, as absolute URLs. They count where origin and path are the same.
    pub approved: Approved<'q>,
}

/// Endpoints that the user has approved.
#[derive(Clone, Copy, Debug)]
pub enum Approved<'q> {
    /// One by one.
    List(&'q [&'q str]),
    /// In one text, with blanks or line ends between them.
    Text(&'q str),
}

impl<'q> Approved<'q> {
    const NONE: Self = Self::List(&[]);

    /// Whether any of them is as wanted.
    pub(super) fn any(self, mut is_wanted: impl FnMut(&[u8]) -> bool) -> bool {
        match self {
            Self::List(list) => list.iter().any(|url| is_wanted(url.as_bytes())),
            Self::Text(text) => {
                let mut rest = text.as_bytes();
                while !rest.is_empty() {
                    let end = rest
                        .iter()
                        .position(u8::is_ascii_whitespace)
                        .unwrap_or(rest.len());
                    if rest.get(..end).is_some_and(&mut is_wanted) {
                        return true;
                    }
                    rest = rest.get(end.wrapping_add(1)..).unwrap_or_default();
                }
                false
            }
        }
    }
}

impl<'q> Request<'q> {
    /// May `agent` fetch `url`, with GET? An absolute URL, or a path of the site that begins with one slash.
    pub const fn url(agent: &'q str, url: &'q str) -> Self {
        Self {
            agent,
            target: Target::Url(url),
            method: None,
            origin: None,
            approved: Approved::NONE,
        }
    }

    /// May `agent` use the capability with this id (name, in formats that call it so)?
    pub const fn capability(agent: &'q str, id: &'q str) -> Self {
        Self {
            agent,
            target: Target::Capability(id),
            method: None,
            origin: None,
            approved: Approved::NONE,
        }
    }

    /// The same with another method.
    #[must_use]
    pub const fn with_method(mut self, method: &'q str) -> Self {
        self.method = Some(method);
        self
    }

    /// The same with the origin of the documents.
    #[must_use]
    pub const fn with_origin(mut self, origin: &'q str) -> Self {
        self.origin = Some(origin);
        self
    }

    /// The same with endpoints that the user has approved.
    #[must_use]
    pub const fn with_approved(mut self, approved: &'q [&'q str]) -> Self {
        self.approved = Approved::List(approved);
        self
    }
}

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target<'q> {
    /// A URL, or a path of the site.
    Url(&'q str),
    /// A capability, by its id; letter case counts.
    Capability(&'q str),
}

/// The robots.txt of the origin that the request goes to.
#[derive(Clone, Copy, Debug, Default)]
pub enum Robots<'a> {
    /// It was not asked for: it has no say.
    #[default]
    NotAsked,
    /// It is this one. Without the Cargo feature `robots-txt` it cannot be read, and counts as unreachable.
    Found(RobotsTxt<'a>),
    /// There is none (a 4xx status): everything is allowed (RFC 9309 section 2.3.1.3).
    Absent,
    /// It could not be had (a 5xx status, no connection): nothing is allowed (section 2.3.1.4).
    Unreachable,
}

impl Robots<'_> {
    /// What the status of an answer without a usable body means. Absent for 2xx and 3xx, where there is something to read or to follow.
    ///
    /// ```
    /// use agentsdisc_core::policy::Robots;
    /// assert!(matches!(Robots::of_status(404), Some(Robots::Absent)));
    /// assert!(matches!(Robots::of_status(503), Some(Robots::Unreachable)));
    /// assert!(Robots::of_status(200).is_none());
    /// ```
    pub const fn of_status(status: u16) -> Option<Self> {
        match status {
            200..=399 => None,
            400..=499 => Some(Self::Absent),
            _ => Some(Self::Unreachable),
        }
    }
}
