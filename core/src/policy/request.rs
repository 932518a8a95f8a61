//! The request: agent, URL or capability, and robots.txt.

use crate::format::robots_txt::RobotsTxt;
use crate::syntax::text::Text;

/// An agent and what it requests.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'q> {
    /// The agent: its name, or its User-Agent (`Claude` in `Claude/1.0 (+https://…)`, `MugBot` in
    /// `Mozilla/5.0 (compatible; MugBot/1.0)`). Letter case is ignored. An invalid one is denied.
    pub agent: &'q str,
    /// The URL or capability.
    pub target: Target<'q>,
    /// The HTTP method. `None` means GET for a URL, and the declared method for a capability.
    pub method: Option<&'q str>,
    /// The origin of the documents, or the URL that one of them was fetched from. If absent, the
    /// site that the documents state is used, otherwise the origin of the requested URL.
    pub origin: Option<&'q str>,
    /// Endpoints on other domains that the user has approved, as absolute URLs. Origin and path
    /// must match.
    pub approved: Approved<'q>,
    /// What the agent uses the content for: the name of a [`Purpose`](crate::manifest::Purpose),
    /// such as `train-ai`, or another label. If present, the request is denied if the site prefers
    /// that its content is not used for this purpose.
    pub purpose: Option<&'q str>,
    /// The value of the `Content-Usage` header of the answer, if there is an answer already. Join
    /// several lines with commas. The stricter one of the header and the robots.txt decides
    /// (aipref-vocab section 5.1).
    pub content_usage: Option<&'q str>,
}

/// Endpoints that the user has approved.
#[derive(Clone, Copy, Debug)]
pub enum Approved<'q> {
    /// A list.
    List(&'q [&'q str]),
    /// One text: URLs separated by blanks or line ends.
    Text(&'q str),
}

impl<'q> Approved<'q> {
    const NONE: Self = Self::List(&[]);

    /// Whether any endpoint satisfies `is_wanted`.
    pub(super) fn any(self, mut is_wanted: impl FnMut(&[u8]) -> bool) -> bool {
        match self {
            Self::List(list) => list.iter().any(|url| is_wanted(url.as_bytes())),
            Self::Text(text) => {
                let mut rest = text.as_bytes();
                while !rest.is_empty() {
                    let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
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
    /// A GET request of `agent` for `url`: an absolute URL, or a path of the site that begins with
    /// one slash.
    pub const fn url(agent: &'q str, url: &'q str) -> Self {
        Self {
            agent,
            target: Target::Url(url),
            method: None,
            origin: None,
            approved: Approved::NONE,
            purpose: None,
            content_usage: None,
        }
    }

    /// A request of `agent` for the capability with this id; in formats without ids, its name.
    pub const fn capability(agent: &'q str, id: &'q str) -> Self {
        Self {
            agent,
            target: Target::Capability(id),
            method: None,
            origin: None,
            approved: Approved::NONE,
            purpose: None,
            content_usage: None,
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

    /// The same with the purpose that the content is used for.
    #[must_use]
    pub const fn with_purpose(mut self, purpose: &'q str) -> Self {
        self.purpose = Some(purpose);
        self
    }

    /// The same with the `Content-Usage` header of the answer.
    #[must_use]
    pub const fn with_content_usage(mut self, content_usage: &'q str) -> Self {
        self.content_usage = Some(content_usage);
        self
    }

    /// The same with endpoints that the user has approved.
    #[must_use]
    pub const fn with_approved(mut self, approved: &'q [&'q str]) -> Self {
        self.approved = Approved::List(approved);
        self
    }
}

/// What is requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target<'q> {
    /// A URL, or a path of the site.
    Url(&'q str),
    /// A capability, by its id; letter case matters.
    Capability(&'q str),
    /// A capability, by its id as a document writes it, possibly with escapes.
    Id(Text<'q>),
}

impl<'q> Target<'q> {
    /// The id of the requested capability.
    pub(super) fn id(&self) -> Option<Text<'q>> {
        match self {
            Self::Url(_) => None,
            Self::Capability(id) => Some(Text::plain(id.as_bytes())),
            Self::Id(id) => Some(*id),
        }
    }
}

/// The robots.txt of the origin that the request goes to.
#[derive(Clone, Copy, Debug, Default)]
pub enum Robots<'a> {
    /// Not requested: robots.txt has no effect.
    #[default]
    NotAsked,
    /// The parsed robots.txt. Without the Cargo feature `robots-txt` it counts as unreachable.
    Found(RobotsTxt<'a>),
    /// It does not exist (a 4xx status): everything is allowed (RFC 9309 section 2.3.1.3).
    Absent,
    /// It could not be fetched (a 5xx status, no connection): nothing is allowed (section 2.3.1.4).
    Unreachable,
}

impl Robots<'_> {
    /// The meaning of a status without a usable body. Absent for 2xx and 3xx, which have a body or
    /// a redirect.
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
