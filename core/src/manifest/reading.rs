//! What a format gives to the unified model.

use super::list::List;
use super::model::{
    Access, AgentPolicy, Audit, Capability, Dependency, Endpoint, Entity, Flow, Head, Member,
    Metadata, Permissions, Pricing, Provenance, RateLimit, Raw, Recovery, RobotsGroup,
    SearchResult, Service, ServiceAuth, Session, Status,
};
use crate::syntax::text::Text;

/// A document of one format, read into the unified model. A format overrides what it can say; the rest is absent.
///
/// Every method is at worst linear in the document.
pub(crate) trait Reading<'a> {
    /// What is there once.
    fn head(&self) -> Head<'a> {
        Head::default()
    }
    /// Platforms that an agent works on.
    fn operates_on(&self) -> List<'a, Text<'a>> {
        List::empty()
    }
    /// Where the document comes from.
    fn provenance(&self) -> Option<Provenance<'a>> {
        None
    }
    /// The service it speaks for.
    fn service(&self) -> Option<Service<'a>> {
        None
    }
    /// Authentication for the whole service.
    fn auth(&self) -> Option<ServiceAuth<'a>> {
        None
    }
    /// Endpoints of other protocols.
    fn endpoints(&self) -> List<'a, Endpoint<'a>> {
        List::empty()
    }
    /// What agents can do.
    fn capabilities(&self) -> List<'a, Capability<'a>> {
        List::empty()
    }
    /// Which paths they may reach.
    fn access(&self) -> Access<'a> {
        Access::default()
    }
    /// What holds for single agents.
    fn agents(&self) -> List<'a, AgentPolicy<'a>> {
        List::empty()
    }
    /// Permissions in words.
    fn permissions(&self) -> Permissions<'a> {
        Permissions::default()
    }
    /// Suggested sequences.
    fn flows(&self) -> List<'a, Flow<'a>> {
        List::empty()
    }
    /// What must come first.
    fn dependencies(&self) -> List<'a, Dependency<'a>> {
        List::empty()
    }
    /// Named types.
    fn entities(&self) -> List<'a, Entity<'a>> {
        List::empty()
    }
    /// What to do about errors.
    fn errors(&self) -> List<'a, Recovery<'a>> {
        List::empty()
    }
    /// Advice for planning.
    fn hints(&self) -> Metadata<'a> {
        List::empty()
    }
    /// Whether the service works.
    fn status(&self) -> Option<Status<'a>> {
        None
    }
    /// Feature flags.
    fn features(&self) -> Metadata<'a> {
        List::empty()
    }
    /// What it costs.
    fn pricing(&self) -> Option<Pricing<'a>> {
        None
    }
    /// How sessions work.
    fn session(&self) -> Option<Session<'a>> {
        None
    }
    /// Whether agents are recorded.
    fn audit(&self) -> Option<Audit<'a>> {
        None
    }
    /// Rate limits of the whole document.
    fn rate_limits(&self) -> List<'a, RateLimit<'a>> {
        List::empty()
    }
    /// How long answers may be kept, in seconds.
    fn cache_seconds(&self) -> Option<u32> {
        None
    }
    /// Groups of robots.txt.
    fn robots(&self) -> List<'a, RobotsGroup<'a>> {
        List::empty()
    }
    /// Sitemaps of robots.txt.
    fn sitemaps(&self) -> List<'a, Text<'a>> {
        List::empty()
    }
    /// What was searched for.
    fn search_query(&self) -> Option<Text<'a>> {
        None
    }
    /// What was found.
    fn search_results(&self) -> List<'a, SearchResult<'a>> {
        List::empty()
    }
    /// An example request.
    fn request_example(&self) -> Option<Raw<'a>> {
        None
    }
    /// An example answer.
    fn response_example(&self) -> Option<Raw<'a>> {
        None
    }
    /// Everything else, at the top level.
    fn metadata(&self) -> List<'a, Member<'a>> {
        List::empty()
    }
}
