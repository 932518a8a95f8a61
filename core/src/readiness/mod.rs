//! Is a site ready for agents? Without I/O: which requests to make, what the answers mean, what to do.
//!
//! [`survey`] is one walk over the checks. A check asks for the answers that it needs. What is not
//! there yet becomes a [`Probe`]; what is there becomes [`Finding`]s. So the caller repeats: survey,
//! send the probes, survey again with the answers, until there are no more probes or the budget is
//! spent. The findings of the last survey count. Nothing is kept between two calls, and a folder of
//! files answers probes as well as a server does.
//!
//! ```
//! use agentsdisc_core::readiness::{Answer, Check, Site, Status, Tally, survey};
//! let site = Site::new("https://mugs.example", "ExampleBot");
//! let robots = "User-agent: *\nDisallow: /private\n";
//! let mut answers = [Answer::default()];
//! let mut urls = Vec::new();
//! survey(&site, &[], &mut |probe| urls.push(probe.url.to_owned()), &mut |_| {});
//! assert_eq!(urls[0], "https://mugs.example/robots.txt");
//! answers[0] = Answer { url: &urls[0], status: 200, body: robots.as_bytes(), ..Answer::default() };
//! let mut tally = Tally::default();
//! survey(&site, &answers, &mut |_| {}, &mut |finding| tally.add(finding.check, finding.status));
//! assert_eq!(tally.status(Check::RobotsTxt), Status::Pass);
//! assert_eq!(tally.status(Check::Honest404), Status::Unknown);
//! ```
//!
//! # Rulings
//!
//! - **Unknown is no failure.** A refused request, a challenge, another host, a script, an exhausted
//!   budget: the finding is [`Status::Unknown`], and its message says why.
//! - **Absence costs nothing.** A check of a document that the site does not have is
//!   [`Status::NotApplicable`], unless the caller [expects](Site::expected) it.
//! - **Only the site itself is asked.** What it declares on other hosts is not requested. Redirects
//!   are followed on the host, and from http to https.
//! - **robots.txt** decides about pages and all other documents that state no rules themselves.

mod answers;
mod checks;
mod documents;
mod locations;
mod mcp;
mod message;
mod pages;
mod places;
mod robots;
pub mod served;

use crate::discovery::Header;
use crate::format::robots_txt::RobotsTxt;
pub use answers::Answer;
use answers::Context;
pub use checks::{CHECKS, Check, LEVELS, Score, Status, Tally, Topic, Topics};
pub use locations::{Placed, Served, serve};
pub use message::Message;
pub use places::{OLD_CARD, PLACES, Place};

/// The version of the rules. Results of different versions cannot be compared.
pub const RULES: &str = "2026-11-27";

/// The maximum number of requests to a site, which the caller keeps.
pub const BUDGET: usize = 60;

/// The origin of the page that asks for documents, for CORS.
pub const ASKING_ORIGIN: &str = "https://agent.example";

/// What is checked.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// Scheme, host and port that are requested, such as `http://localhost:8000`.
    pub origin: &'a str,
    /// The origin that the documents of the site name, if it is another one: links to it are
    /// requested at `origin`.
    pub canonical: &'a str,
    /// The name of the caller, by which robots.txt is read.
    pub agent: &'a str,
    /// A word that no path of the site has.
    pub nonce: &'a str,
    /// Whether the answers are files of a folder: there is no network, and no answer proves how the
    /// server behaves.
    pub is_folder: bool,
    /// Whether MCP servers on the host of the site are called: `server/discover`, by POST.
    pub calls: bool,
    /// What the site must have.
    pub expected: Topics,
    /// What is not checked.
    pub ignored: Topics,
}

impl<'a> Site<'a> {
    /// Creates a site with the usual options.
    pub const fn new(origin: &'a str, agent: &'a str) -> Self {
        let none = Topics::NONE;
        Self {
            origin,
            canonical: origin,
            agent,
            nonce: "agentsdisc-4f1d0c2b7a9e",
            is_folder: false,
            calls: false,
            expected: none,
            ignored: none,
        }
    }
}

/// A request to make.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'p> {
    /// The URL, on the host of the site.
    pub url: &'p str,
    /// `GET` or `HEAD`; `POST` only if the caller wants [calls](Site::calls).
    pub method: &'static str,
    /// The value of `Accept`.
    pub accept: &'static str,
    /// The value of `Origin`, for documents that programs in browsers read.
    pub origin: Option<&'static str>,
    /// More headers.
    pub headers: &'static [(&'static str, &'static str)],
    /// The body; empty for none.
    pub content: &'static str,
}

/// What a check found.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'f> {
    /// The check.
    pub check: Check,
    /// What this finding means for it.
    pub status: Status,
    /// What was found, in a sentence.
    pub message: Message<'f>,
    /// What to do; empty if there is nothing to do.
    pub fix: Message<'f>,
    /// What it is based on.
    pub evidence: Evidence<'f>,
}

/// What a finding is based on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence<'f> {
    /// The position of the answer among those that the caller passed.
    pub answer: Option<usize>,
    /// A header of it.
    pub header: Option<Header<'f>>,
    /// A line of its body, from 1; 0 if the finding concerns no line.
    pub line: u32,
}

/// Walks over all checks: passes the requests that are missing to `probe`, most important first, and
/// what the answers mean to `report`.
///
/// Takes time linear in the sizes of the bodies, for each of at most [`BUDGET`] answers.
pub fn survey<'a>(
    site: &Site<'a>,
    answers: &[Answer<'a>],
    probe: &mut dyn FnMut(&Probe<'_>),
    report: &mut dyn FnMut(&Finding<'_>),
) {
    let mut context = Context::new(site, answers, probe, report);
    robots::file(&mut context);
    pages::home(&mut context);
    documents::all(&mut context);
    pages::all(&mut context);
    robots::all(&mut context);
    context.end();
}

/// The rules of the robots.txt of a site.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rules<'a> {
    /// It was not answered yet.
    Unknown,
    /// The document, or what counts instead of one.
    Known(RobotsTxt<'a>),
}
