//! The checks, their levels and weights; level and score of a site.

/// What a check found. A greater value counts if a check finds several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub enum Status {
    /// The check does not concern the site.
    #[default]
    NotApplicable,
    /// It could not be decided. Never counts as a failure.
    Unknown,
    /// It holds.
    Pass,
    /// It holds, but a recommendation is not followed, or a mistake is likely.
    Warn,
    /// It does not hold.
    Fail,
}

impl Status {
    /// `pass`, `warn`, `fail`, `not-applicable` or `unknown`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotApplicable => "not-applicable",
            Self::Unknown => "unknown",
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// What a site has or does, which decides whether checks concern it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Topic {
    /// Every site.
    Site = 0,
    /// An API.
    Api = 1,
    /// Authentication by OAuth.
    Auth = 2,
    /// An MCP server.
    Mcp = 3,
    /// An agent that answers others.
    Agent = 4,
    /// A shop, or calls that cost money.
    Shop = 5,
    /// Bots that the site sends to others.
    Bots = 6,
}

impl Topic {
    /// All but [`Topic::Site`].
    pub const ALL: [Topic; 6] =
        [Self::Api, Self::Auth, Self::Mcp, Self::Agent, Self::Shop, Self::Bots];

    /// The name, such as `api`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Site => "site",
            Self::Api => "api",
            Self::Auth => "auth",
            Self::Mcp => "mcp",
            Self::Agent => "agent",
            Self::Shop => "shop",
            Self::Bots => "bots",
        }
    }
}

/// A set of topics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Topics(u8);

impl Topics {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Adds a topic.
    #[must_use]
    pub const fn with(self, topic: Topic) -> Self {
        Self(self.0 | Self::bit(topic))
    }

    /// Whether it contains a topic.
    pub const fn contains(self, topic: Topic) -> bool {
        self.0 & Self::bit(topic) != 0
    }

    const fn bit(topic: Topic) -> u8 {
        1_u8.wrapping_shl(topic as u32)
    }
}

/// The weight of a check: what a specification requires, what it recommends, what only scanners and
/// habit ask for.
const MUST: u8 = 3;
const SHOULD: u8 = 2;
const HABIT: u8 = 1;

macro_rules! checks {
    ($($name:ident = $id:literal $level:literal $weight:ident $topic:ident $about:literal,)*) => {
        /// A check.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Check {
            $(#[doc = $about] $name,)*
        }

        impl Check {
            /// All checks, in the order of reports.
            pub const ALL: &'static [Check] = &[$(Self::$name,)*];

            /// The stable id, such as `robots-txt`.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }

            /// What it looks at, in a sentence.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$name => $about,)* }
            }

            /// The level that a failure prevents.
            pub const fn level(self) -> u8 {
                match self { $(Self::$name => $level,)* }
            }

            /// Its part of the score.
            pub const fn weight(self) -> u8 {
                match self { $(Self::$name => $weight,)* }
            }

            /// The sites that it concerns.
            pub const fn topic(self) -> Topic {
                match self { $(Self::$name => Topic::$topic,)* }
            }
        }
    };
}

checks! {
    Reachable = "reachable" 1 MUST Site "The home page answers programs.",
    Honest404 = "honest-404" 1 MUST Site "Paths that do not exist answer 404.",
    Redirects = "redirects" 1 SHOULD Site "Redirects are short, stay on the site and end.",
    RobotsTxt = "robots-txt" 2 MUST Site "robots.txt can be read.",
    AiRules = "ai-rules" 2 SHOULD Site "robots.txt does not forbid the documents that the site has for agents.",
    ContentSignals = "content-signals" 2 SHOULD Site "Content-Signal reaches the crawlers that it is meant for, without contradiction.",
    ContentUsage = "content-usage" 2 SHOULD Site "Content-Usage can be read, and agrees with Content-Signal.",
    Licence = "licence" 2 HABIT Site "Licences that robots.txt names exist.",
    Sitemap = "sitemap" 3 SHOULD Site "The sitemap is one, and its pages answer.",
    LinkHeaders = "link-headers" 4 SHOULD Site "Links to documents for agents, in headers and HTML, lead to them.",
    LlmsTxt = "llms-txt" 3 SHOULD Site "llms.txt follows its specification, and its links answer.",
    MarkdownNegotiation = "markdown-negotiation" 3 HABIT Site "The home page is Markdown for those who ask for it, and HTML for browsers.",
    Vary = "vary" 3 SHOULD Site "Caches are told that the answer depends on Accept.",
    PageMarkdown = "page-markdown" 3 HABIT Site "The Markdown copy of the home page exists.",
    ContentInHtml = "content-in-html" 3 HABIT Site "Pages have their text without scripts.",
    PageBasics = "page-basics" 3 HABIT Site "The home page has a title, a language and a heading.",
    AuthGate = "auth-gate" 3 HABIT Site "Pages that llms.txt names need no login.",
    ApiCatalog = "api-catalog" 4 MUST Api "The API catalog follows RFC 9727, and what it names answers.",
    Openapi = "openapi" 4 SHOULD Api "The OpenAPI description follows its specification.",
    OauthServer = "oauth-server" 4 MUST Auth "The metadata of the authorization server follows RFC 8414.",
    OauthResource = "oauth-resource" 4 MUST Auth "The metadata of the protected resource follows RFC 9728.",
    AuthMd = "auth-md" 4 HABIT Auth "auth.md has the metadata that it needs.",
    McpCard = "mcp-card" 4 SHOULD Mcp "The MCP server card follows its specification.",
    McpServer = "mcp-server" 5 MUST Mcp "The MCP server answers as its card says.",
    A2aCard = "a2a-card" 4 MUST Agent "The agent card follows its version of A2A.",
    AiCatalog = "ai-catalog" 4 SHOULD Site "The AI catalog follows its specification, its copies agree, and its entries answer.",
    SkillsIndex = "skills-index" 4 MUST Site "The index of skills follows its specification, and the digests fit.",
    AgentsDocuments = "agents-documents" 4 MUST Site "agents.txt, agents.json, agents.md, agent.json and ADP manifests follow their specifications.",
    ServedAs = "served-as" 4 SHOULD Site "Documents have the media types and headers that their specifications ask for.",
    Webmcp = "webmcp" 5 HABIT Site "The home page offers tools to browsers.",
    WebBotAuth = "web-bot-auth" 4 MUST Bots "The directory of signature keys follows its specification.",
    DnsAid = "dns-aid" 4 HABIT Agent "DNS names the agents of the site.",
    Ucp = "ucp" 4 MUST Shop "The UCP profile follows its specification.",
    Acp = "acp" 4 MUST Shop "The ACP document follows its specification.",
    X402 = "x402" 4 MUST Shop "The x402 resources follow their specification.",
    Mpp = "mpp" 4 HABIT Shop "The OpenAPI description states how calls are paid.",
    Ap2 = "ap2" 4 HABIT Shop "The agent card declares AP2.",
}

/// The number of checks.
pub const CHECKS: usize = Check::ALL.len();

/// The names of the levels, from 0.
pub const LEVELS: [&str; 6] =
    ["Not reachable", "Reachable", "Stated", "Readable", "Discoverable", "Operable"];

/// The status of each check, and what follows from all of them.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    statuses: [Status; CHECKS],
}

impl Default for Tally {
    fn default() -> Self {
        Self { statuses: [Status::NotApplicable; CHECKS] }
    }
}

/// The part of what applies to a site that holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// The weights of the checks that passed, twice; a warning counts once.
    pub halves: u32,
    /// The weights of the checks that concern the site and were decided.
    pub applicable: u32,
}

impl Score {
    /// The part that holds, in percent. 0 if nothing was decided.
    pub const fn percent(self) -> u32 {
        let all = self.applicable.saturating_mul(2);
        match self.halves.saturating_mul(100).saturating_add(self.applicable).checked_div(all) {
            Some(percent) => percent,
            None => 0,
        }
    }
}

impl Tally {
    /// Adds a finding of a check.
    pub fn add(&mut self, check: Check, status: Status) {
        if let Some(known) = self.statuses.get_mut(check as usize) {
            *known = status.max(*known);
        }
    }

    /// The status of a check: its most serious finding.
    pub fn status(&self, check: Check) -> Status {
        self.statuses.get(check as usize).copied().unwrap_or_default()
    }

    fn some(&self, checks: impl Iterator<Item = Check>) -> bool {
        let mut checks = checks;
        checks.any(|check| matches!(self.status(check), Status::Pass | Status::Warn))
    }

    /// The level, 0 to 5: the highest one up to which no check fails, and for which there is
    /// evidence. [`LEVELS`] has the names.
    ///
    /// Level 3 needs a sitemap or an llms.txt, levels 4 and 5 at least one check of theirs that
    /// holds: a site that publishes nothing is not discoverable.
    pub fn level(&self) -> u8 {
        let of = |level| Check::ALL.iter().copied().filter(move |check| check.level() == level);
        let fails = |level| of(level).any(|check| self.status(check) == Status::Fail);
        let mut level = 0;
        for next in 1..=5 {
            let is_shown = match next {
                1 => self.some([Check::Reachable, Check::Honest404].into_iter()),
                3 => self.some([Check::Sitemap, Check::LlmsTxt].into_iter()),
                4 | 5 => self.some(of(next)),
                _ => true,
            };
            if fails(next) || !is_shown {
                break;
            }
            level = next;
        }
        level
    }

    /// The score. Checks that do not concern the site, or that could not be decided, do not count.
    pub fn score(&self) -> Score {
        Check::ALL.iter().fold(Score::default(), |score, check| {
            let weight = u32::from(check.weight());
            let halves = match self.status(*check) {
                Status::NotApplicable | Status::Unknown => return score,
                Status::Pass => weight.saturating_mul(2),
                Status::Warn => weight,
                Status::Fail => 0,
            };
            Score {
                halves: score.halves.saturating_add(halves),
                applicable: score.applicable.saturating_add(weight),
            }
        })
    }
}
