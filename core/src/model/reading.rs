//! The interface between a format and the unified model.

use super::list::List;
use super::objects::{
    Access, AgentPolicy, Audit, Capability, Dependency, Endpoint, Entity, Flow, Head, Member,
    Metadata, Permissions, Pricing, Provenance, RateLimit, Raw, Recovery, RobotsField, RobotsGroup,
    RobotsPreference, SearchResult, Service, ServiceAuth, Session, Status,
};
use crate::syntax::text::Text;

/// A document of one format, read into the unified model. A format overrides the methods for
/// members it has; the defaults return absent values.
///
/// Each method is at worst linear in the size of the document.
pub(crate) trait Reading<'a> {
    /// The head of the document: members that occur once, as plain text.
    fn head(&self) -> Head<'a> {
        Head::default()
    }
    /// The platforms that an agent operates on.
    fn operates_on(&self) -> List<'a, Text<'a>> {
        List::empty()
    }
    /// Where the document comes from.
    fn provenance(&self) -> Option<Provenance<'a>> {
        None
    }
    /// The service that the document describes.
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
    /// The capabilities.
    fn capabilities(&self) -> List<'a, Capability<'a>> {
        List::empty()
    }
    /// The paths that agents may access.
    fn access(&self) -> Access<'a> {
        Access::default()
    }
    /// The policies for single agents.
    fn agents(&self) -> List<'a, AgentPolicy<'a>> {
        List::empty()
    }
    /// The permissions in prose.
    fn permissions(&self) -> Permissions<'a> {
        Permissions::default()
    }
    /// The suggested sequences of capabilities.
    fn flows(&self) -> List<'a, Flow<'a>> {
        List::empty()
    }
    /// The capabilities that others require.
    fn dependencies(&self) -> List<'a, Dependency<'a>> {
        List::empty()
    }
    /// The named types.
    fn entities(&self) -> List<'a, Entity<'a>> {
        List::empty()
    }
    /// How to recover from errors.
    fn errors(&self) -> List<'a, Recovery<'a>> {
        List::empty()
    }
    /// The hints for planning.
    fn hints(&self) -> Metadata<'a> {
        List::empty()
    }
    /// Whether the service is operational.
    fn status(&self) -> Option<Status<'a>> {
        None
    }
    /// The feature flags.
    fn features(&self) -> Metadata<'a> {
        List::empty()
    }
    /// The prices.
    fn pricing(&self) -> Option<Pricing<'a>> {
        None
    }
    /// The lifetime of a session in seconds, if the document states none; `None` if the format has
    /// no sessions.
    fn usual_session(&self) -> Option<u32> {
        None
    }
    /// How sessions work.
    fn session(&self) -> Option<Session<'a>> {
        None
    }
    /// Whether the actions of agents are recorded.
    fn audit(&self) -> Option<Audit<'a>> {
        None
    }
    /// The rate limits of the whole document.
    fn rate_limits(&self) -> List<'a, RateLimit<'a>> {
        List::empty()
    }
    /// How long responses may be cached, in seconds.
    fn cache_seconds(&self) -> Option<u32> {
        None
    }
    /// The groups of a robots.txt.
    fn robots(&self) -> List<'a, RobotsGroup<'a>> {
        List::empty()
    }
    /// The sitemaps of a robots.txt.
    fn sitemaps(&self) -> List<'a, Text<'a>> {
        List::empty()
    }
    /// The AI preferences of a robots.txt.
    fn preferences(&self) -> List<'a, RobotsPreference<'a>> {
        List::empty()
    }
    /// The AI catalogs of a robots.txt.
    fn agentmaps(&self) -> List<'a, Text<'a>> {
        List::empty()
    }
    /// The other fields of a robots.txt.
    fn robots_fields(&self) -> List<'a, RobotsField<'a>> {
        List::empty()
    }
    /// The query of a search.
    fn search_query(&self) -> Option<Text<'a>> {
        None
    }
    /// The results of a search.
    fn search_results(&self) -> List<'a, SearchResult<'a>> {
        List::empty()
    }
    /// An example request.
    fn request_example(&self) -> Option<Raw<'a>> {
        None
    }
    /// An example response.
    fn response_example(&self) -> Option<Raw<'a>> {
        None
    }
    /// Unknown top-level members, and those that could not be read.
    fn metadata(&self) -> List<'a, Member<'a>> {
        List::empty()
    }
}
