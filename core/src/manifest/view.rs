//! The unified model of one document.

use super::list::List;
use super::model::{
    Access, AgentPolicy, Audit, Capability, Dependency, Endpoint, Entity, Flow, Head, Member, Metadata, Permissions, Pricing, Provenance,
    RateLimit, Raw, Recovery, RobotsGroup, SearchResult, Service, ServiceAuth, Session, Status,
};
use super::reading::Reading;
use crate::document::Document;
use crate::format::adp::{Adp, AdpCapability, AdpSearch};
use crate::format::agents_json::AgentsJson;
use crate::format::agents_json_01::AgentsJson01;
use crate::format::agents_md::AgentsMd;
use crate::format::agents_txt::AgentsTxt;
use crate::format::agents_txt_01::AgentsTxt01;
use crate::format::awp::Awp;
use crate::format::robots_txt::RobotsTxt;
use crate::format::{Format, built_in};
use crate::syntax::text::Text;

/// A document in the unified model: the same questions for every format.
///
/// It is `Copy`; every accessor reads from the document when it is asked, and costs at worst one pass over it. Lists are iterators that can be
/// copied and walked again.
#[derive(Clone, Copy, Debug)]
pub struct Manifest<'a> {
    document: Document<'a>,
}

/// Reads with the view of the document's format, made once for many questions.
pub(crate) fn with_reading<'a, T>(document: &Document<'a>, ask: impl FnOnce(&dyn Reading<'a>) -> T) -> T {
    let (bytes, outline) = (document.bytes(), document.outline());
    built_in!(match outline.format() => {
        AgentsTxt => ask(&AgentsTxt::attach(bytes, outline)),
        AgentsJson => ask(&AgentsJson::attach(bytes, outline)),
        AgentsTxt01 => ask(&AgentsTxt01::attach(bytes, outline)),
        AgentsJson01 => ask(&AgentsJson01::attach(bytes, outline)),
        AgentsMd => ask(&AgentsMd::attach(bytes, outline)),
        Awp => ask(&Awp::attach(bytes, outline)),
        Adp => ask(&Adp::attach(bytes, outline)),
        AdpCapability => ask(&AdpCapability::attach(bytes, outline)),
        AdpSearch => ask(&AdpSearch::attach(bytes, outline)),
        RobotsTxt => ask(&RobotsTxt::attach(bytes, outline)),
        _ => ask(&Nothing),
    })
}

/// A document that says nothing.
struct Nothing;
impl Reading<'_> for Nothing {}

impl<'a> Manifest<'a> {
    pub(crate) const fn new(document: Document<'a>) -> Self {
        Self { document }
    }

    /// The document itself.
    pub const fn document(&self) -> &Document<'a> {
        &self.document
    }

    /// The format of the document.
    pub const fn format(&self) -> Format {
        self.document.format()
    }

    /// What is there once.
    pub fn head(&self) -> Head<'a> {
        with_reading(&self.document, |reading| reading.head())
    }

    /// Platforms that an agent works on.
    pub fn operates_on(&self) -> List<'a, Text<'a>> {
        with_reading(&self.document, |reading| reading.operates_on())
    }

    /// Where the document comes from.
    pub fn provenance(&self) -> Option<Provenance<'a>> {
        with_reading(&self.document, |reading| reading.provenance())
    }

    /// The service it speaks for.
    pub fn service(&self) -> Option<Service<'a>> {
        with_reading(&self.document, |reading| reading.service())
    }

    /// Authentication for the whole service.
    pub fn auth(&self) -> Option<ServiceAuth<'a>> {
        with_reading(&self.document, |reading| reading.auth())
    }

    /// Endpoints of other protocols.
    pub fn endpoints(&self) -> List<'a, Endpoint<'a>> {
        with_reading(&self.document, |reading| reading.endpoints())
    }

    /// What agents can do.
    pub fn capabilities(&self) -> List<'a, Capability<'a>> {
        with_reading(&self.document, |reading| reading.capabilities())
    }

    /// Which paths they may reach.
    pub fn access(&self) -> Access<'a> {
        with_reading(&self.document, |reading| reading.access())
    }

    /// What holds for single agents.
    pub fn agents(&self) -> List<'a, AgentPolicy<'a>> {
        with_reading(&self.document, |reading| reading.agents())
    }

    /// Permissions in words.
    pub fn permissions(&self) -> Permissions<'a> {
        with_reading(&self.document, |reading| reading.permissions())
    }

    /// Suggested sequences.
    pub fn flows(&self) -> List<'a, Flow<'a>> {
        with_reading(&self.document, |reading| reading.flows())
    }

    /// What must come first.
    pub fn dependencies(&self) -> List<'a, Dependency<'a>> {
        with_reading(&self.document, |reading| reading.dependencies())
    }

    /// Named types.
    pub fn entities(&self) -> List<'a, Entity<'a>> {
        with_reading(&self.document, |reading| reading.entities())
    }

    /// What to do about errors.
    pub fn errors(&self) -> List<'a, Recovery<'a>> {
        with_reading(&self.document, |reading| reading.errors())
    }

    /// Advice for planning.
    pub fn hints(&self) -> Metadata<'a> {
        with_reading(&self.document, |reading| reading.hints())
    }

    /// Whether the service works.
    pub fn status(&self) -> Option<Status<'a>> {
        with_reading(&self.document, |reading| reading.status())
    }

    /// Feature flags.
    pub fn features(&self) -> Metadata<'a> {
        with_reading(&self.document, |reading| reading.features())
    }

    /// What it costs.
    pub fn pricing(&self) -> Option<Pricing<'a>> {
        with_reading(&self.document, |reading| reading.pricing())
    }

    /// How sessions work.
    pub fn session(&self) -> Option<Session<'a>> {
        with_reading(&self.document, |reading| reading.session())
    }

    /// Whether agents are recorded.
    pub fn audit(&self) -> Option<Audit<'a>> {
        with_reading(&self.document, |reading| reading.audit())
    }

    /// Rate limits of the whole document.
    pub fn rate_limits(&self) -> List<'a, RateLimit<'a>> {
        with_reading(&self.document, |reading| reading.rate_limits())
    }

    /// How long answers may be kept, in seconds.
    pub fn cache_seconds(&self) -> Option<u32> {
        with_reading(&self.document, |reading| reading.cache_seconds())
    }

    /// Groups of robots.txt.
    pub fn robots(&self) -> List<'a, RobotsGroup<'a>> {
        with_reading(&self.document, |reading| reading.robots())
    }

    /// Sitemaps of robots.txt.
    pub fn sitemaps(&self) -> List<'a, Text<'a>> {
        with_reading(&self.document, |reading| reading.sitemaps())
    }

    /// What was searched for.
    pub fn search_query(&self) -> Option<Text<'a>> {
        with_reading(&self.document, |reading| reading.search_query())
    }

    /// What was found.
    pub fn search_results(&self) -> List<'a, SearchResult<'a>> {
        with_reading(&self.document, |reading| reading.search_results())
    }

    /// An example request.
    pub fn request_example(&self) -> Option<Raw<'a>> {
        with_reading(&self.document, |reading| reading.request_example())
    }

    /// An example answer.
    pub fn response_example(&self) -> Option<Raw<'a>> {
        with_reading(&self.document, |reading| reading.response_example())
    }

    /// Everything else, at the top level.
    pub fn metadata(&self) -> List<'a, Member<'a>> {
        with_reading(&self.document, |reading| reading.metadata())
    }
}
