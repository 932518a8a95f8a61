//! The unified model of one document.

use super::list::List;
use super::model::{
    Access, AgentPolicy, Audit, Capability, Dependency, Endpoint, Entity, Flow, Head, Member, Metadata, Permissions, Pricing, Provenance,
    RateLimit, Raw, Recovery, RobotsGroup, SearchResult, Service, ServiceAuth, Session, Status,
};
use super::reading::Reading;
use crate::document::Document;
use crate::format::Format;
use crate::format::adp::{Adp, AdpCapability, AdpSearch};
use crate::format::agents_json::AgentsJson;
use crate::format::agents_json_01::AgentsJson01;
use crate::format::agents_md::AgentsMd;
use crate::format::agents_txt::AgentsTxt;
use crate::format::agents_txt_01::AgentsTxt01;
use crate::format::awp::Awp;
use crate::format::robots_txt::RobotsTxt;
use crate::syntax::text::Text;

/// A document in the unified model: the same questions for every format.
///
/// It is `Copy`; every accessor reads from the document when it is asked, and costs at worst one pass over it. Lists are iterators that can be
/// copied and walked again.
#[derive(Clone, Copy, Debug)]
pub struct Manifest<'a> {
    document: Document<'a>,
}

/// Reads with the view of the document's format.
macro_rules! reading {
    ($document:expr, $method:ident) => {{
        let (bytes, outline) = ($document.bytes(), $document.outline());
        match outline.format() {
            Format::AgentsTxt => Reading::$method(&AgentsTxt::attach(bytes, outline)),
            Format::AgentsJson => Reading::$method(&AgentsJson::attach(bytes, outline)),
            Format::AgentsTxt01 => Reading::$method(&AgentsTxt01::attach(bytes, outline)),
            Format::AgentsJson01 => Reading::$method(&AgentsJson01::attach(bytes, outline)),
            Format::AgentsMd => Reading::$method(&AgentsMd::attach(bytes, outline)),
            Format::Awp => Reading::$method(&Awp::attach(bytes, outline)),
            Format::Adp => Reading::$method(&Adp::attach(bytes, outline)),
            Format::AdpCapability => Reading::$method(&AdpCapability::attach(bytes, outline)),
            Format::AdpSearch => Reading::$method(&AdpSearch::attach(bytes, outline)),
            Format::RobotsTxt => Reading::$method(&RobotsTxt::attach(bytes, outline)),
            _ => Reading::$method(&Nothing),
        }
    }};
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
        reading!(self.document, head)
    }

    /// Platforms that an agent works on.
    pub fn operates_on(&self) -> List<'a, Text<'a>> {
        reading!(self.document, operates_on)
    }

    /// Where the document comes from.
    pub fn provenance(&self) -> Option<Provenance<'a>> {
        reading!(self.document, provenance)
    }

    /// The service it speaks for.
    pub fn service(&self) -> Option<Service<'a>> {
        reading!(self.document, service)
    }

    /// Authentication for the whole service.
    pub fn auth(&self) -> Option<ServiceAuth<'a>> {
        reading!(self.document, auth)
    }

    /// Endpoints of other protocols.
    pub fn endpoints(&self) -> List<'a, Endpoint<'a>> {
        reading!(self.document, endpoints)
    }

    /// What agents can do.
    pub fn capabilities(&self) -> List<'a, Capability<'a>> {
        reading!(self.document, capabilities)
    }

    /// Which paths they may reach.
    pub fn access(&self) -> Access<'a> {
        reading!(self.document, access)
    }

    /// What holds for single agents.
    pub fn agents(&self) -> List<'a, AgentPolicy<'a>> {
        reading!(self.document, agents)
    }

    /// Permissions in words.
    pub fn permissions(&self) -> Permissions<'a> {
        reading!(self.document, permissions)
    }

    /// Suggested sequences.
    pub fn flows(&self) -> List<'a, Flow<'a>> {
        reading!(self.document, flows)
    }

    /// What must come first.
    pub fn dependencies(&self) -> List<'a, Dependency<'a>> {
        reading!(self.document, dependencies)
    }

    /// Named types.
    pub fn entities(&self) -> List<'a, Entity<'a>> {
        reading!(self.document, entities)
    }

    /// What to do about errors.
    pub fn errors(&self) -> List<'a, Recovery<'a>> {
        reading!(self.document, errors)
    }

    /// Advice for planning.
    pub fn hints(&self) -> Metadata<'a> {
        reading!(self.document, hints)
    }

    /// Whether the service works.
    pub fn status(&self) -> Option<Status<'a>> {
        reading!(self.document, status)
    }

    /// Feature flags.
    pub fn features(&self) -> Metadata<'a> {
        reading!(self.document, features)
    }

    /// What it costs.
    pub fn pricing(&self) -> Option<Pricing<'a>> {
        reading!(self.document, pricing)
    }

    /// How sessions work.
    pub fn session(&self) -> Option<Session<'a>> {
        reading!(self.document, session)
    }

    /// Whether agents are recorded.
    pub fn audit(&self) -> Option<Audit<'a>> {
        reading!(self.document, audit)
    }

    /// Rate limits of the whole document.
    pub fn rate_limits(&self) -> List<'a, RateLimit<'a>> {
        reading!(self.document, rate_limits)
    }

    /// How long answers may be kept, in seconds.
    pub fn cache_seconds(&self) -> Option<u32> {
        reading!(self.document, cache_seconds)
    }

    /// Groups of robots.txt.
    pub fn robots(&self) -> List<'a, RobotsGroup<'a>> {
        reading!(self.document, robots)
    }

    /// Sitemaps of robots.txt.
    pub fn sitemaps(&self) -> List<'a, Text<'a>> {
        reading!(self.document, sitemaps)
    }

    /// What was searched for.
    pub fn search_query(&self) -> Option<Text<'a>> {
        reading!(self.document, search_query)
    }

    /// What was found.
    pub fn search_results(&self) -> List<'a, SearchResult<'a>> {
        reading!(self.document, search_results)
    }

    /// An example request.
    pub fn request_example(&self) -> Option<Raw<'a>> {
        reading!(self.document, request_example)
    }

    /// An example answer.
    pub fn response_example(&self) -> Option<Raw<'a>> {
        reading!(self.document, response_example)
    }

    /// Everything else, at the top level.
    pub fn metadata(&self) -> List<'a, Member<'a>> {
        reading!(self.document, metadata)
    }
}
