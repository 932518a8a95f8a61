//! The unified model of one document.

use super::Document;
use crate::format::Format;
use crate::format::adp::{Adp, AdpCapability, AdpSearch};
use crate::format::agents_json::AgentsJson;
use crate::format::agents_json_01::AgentsJson01;
use crate::format::agents_md::AgentsMd;
use crate::format::agents_txt::AgentsTxt;
use crate::format::agents_txt_01::AgentsTxt01;
use crate::format::awp::Awp;
use crate::format::robots_txt::RobotsTxt;
use crate::model::{
    Access, AgentPolicy, Audit, Capability, Dependency, Endpoint, Entity, Flow, Head, Hint, List,
    Member, MemberValue, MemberVisitor, Metadata, Name, Object, Permissions, Pricing, Provenance,
    RateLimit, Raw, Reading, Recovery, Robots, RobotsField, RobotsGroup, RobotsPreference, Search,
    SearchResult, Service, ServiceAuth, Session, Status, Visitor, name,
};
use crate::syntax::outline::Outline;
use crate::syntax::text::Text;

/// A document in the unified model: the same methods for every format.
///
/// `Manifest` is `Copy`. It holds the typed view of the document, so keep it for several accesses
/// instead of creating it again. Each accessor reads from the document, in at most one pass. Lists
/// are iterators that can be copied and walked again.
#[derive(Clone, Copy, Debug)]
pub struct Manifest<'a> {
    document: Document<'a>,
    view: View<'a>,
}

/// The typed views of the formats that are built in, selected by Cargo features.
macro_rules! views {
    ($($feature:literal: $($format:ident),+;)*) => {
        /// The typed view of a document's format.
        // One variant is larger than the others, and without a heap it cannot be boxed.
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone, Copy, Debug)]
        enum View<'a> {
            $($(#[cfg(feature = $feature)] $format($format<'a>),)+)*
            Empty(Empty<'a>),
        }

        impl<'a> View<'a> {
            #[inline(never)] // Keeps its buffers off the stack of its callers.
            fn of(document: &Document<'a>) -> Self {
                let (bytes, outline) = (document.bytes(), document.outline());
                match outline.format() {
                    $($(#[cfg(feature = $feature)] Format::$format => Self::$format($format::attach(bytes, outline)),)+)*
                    _ => Self::Empty(Empty::attach(bytes, outline)),
                }
            }

            fn reading(&self) -> &dyn Reading<'a> {
                match self {
                    $($(#[cfg(feature = $feature)] Self::$format(view) => view,)+)*
                    Self::Empty(view) => view,
                }
            }
        }
    };
}

views! {
    "agents-txt-draft": AgentsTxt;
    "agents-txt-01": AgentsTxt01;
    "agents-json-draft": AgentsJson;
    "agents-json-01": AgentsJson01;
    "agents-md": AgentsMd;
    "awp": Awp;
    "adp": Adp, AdpCapability, AdpSearch;
    "robots-txt": RobotsTxt;
}

/// Calls a closure with the typed view, which is created once.
#[inline(never)] // Keeps its buffers off the stack of its callers.
pub(crate) fn with_reading<'a, T>(
    document: &Document<'a>,
    ask: impl FnOnce(&dyn Reading<'a>) -> T,
) -> T {
    ask(View::of(document).reading())
}

/// A document without content.
#[derive(Clone, Copy, Debug)]
struct Empty<'a>(core::marker::PhantomData<&'a [u8]>);

impl<'a> Empty<'a> {
    fn attach(_: &'a [u8], _: &Outline) -> Self {
        Self(core::marker::PhantomData)
    }
}

impl<'a> Reading<'a> for Empty<'a> {}

impl<'a> Manifest<'a> {
    pub(crate) fn new(document: Document<'a>) -> Self {
        Self {
            view: View::of(&document),
            document,
        }
    }

    /// The document.
    pub const fn document(&self) -> &Document<'a> {
        &self.document
    }

    /// The format of the document.
    pub const fn format(&self) -> Format {
        self.document.format()
    }

    /// The head of the document: members that occur once, as plain text.
    pub fn head(&self) -> Head<'a> {
        self.view.reading().head()
    }

    /// The platforms that an agent operates on.
    pub fn operates_on(&self) -> List<'a, Text<'a>> {
        self.view.reading().operates_on()
    }

    /// Where the document comes from.
    pub fn provenance(&self) -> Option<Provenance<'a>> {
        self.view.reading().provenance()
    }

    /// The service that the document describes.
    pub fn service(&self) -> Option<Service<'a>> {
        self.view.reading().service()
    }

    /// Authentication for the whole service.
    pub fn auth(&self) -> Option<ServiceAuth<'a>> {
        self.view.reading().auth()
    }

    /// Endpoints of other protocols.
    pub fn endpoints(&self) -> List<'a, Endpoint<'a>> {
        self.view.reading().endpoints()
    }

    /// The capabilities.
    pub fn capabilities(&self) -> List<'a, Capability<'a>> {
        self.view.reading().capabilities()
    }

    /// The paths that agents may access.
    pub fn access(&self) -> Access<'a> {
        self.view.reading().access()
    }

    /// The policies for single agents.
    pub fn agents(&self) -> List<'a, AgentPolicy<'a>> {
        self.view.reading().agents()
    }

    /// The permissions in prose.
    pub fn permissions(&self) -> Permissions<'a> {
        self.view.reading().permissions()
    }

    /// The suggested sequences of capabilities.
    pub fn flows(&self) -> List<'a, Flow<'a>> {
        self.view.reading().flows()
    }

    /// The capabilities that others require.
    pub fn dependencies(&self) -> List<'a, Dependency<'a>> {
        self.view.reading().dependencies()
    }

    /// The named types.
    pub fn entities(&self) -> List<'a, Entity<'a>> {
        self.view.reading().entities()
    }

    /// How to recover from errors.
    pub fn errors(&self) -> List<'a, Recovery<'a>> {
        self.view.reading().errors()
    }

    /// The hints for planning.
    pub fn hints(&self) -> Metadata<'a> {
        self.view.reading().hints()
    }

    /// Whether the service is operational.
    pub fn status(&self) -> Option<Status<'a>> {
        self.view.reading().status()
    }

    /// The feature flags.
    pub fn features(&self) -> Metadata<'a> {
        self.view.reading().features()
    }

    /// The prices.
    pub fn pricing(&self) -> Option<Pricing<'a>> {
        self.view.reading().pricing()
    }

    /// How sessions work.
    pub fn session(&self) -> Option<Session<'a>> {
        self.view.reading().session()
    }

    /// Whether the actions of agents are recorded.
    pub fn audit(&self) -> Option<Audit<'a>> {
        self.view.reading().audit()
    }

    /// The rate limits of the whole document.
    pub fn rate_limits(&self) -> List<'a, RateLimit<'a>> {
        self.view.reading().rate_limits()
    }

    /// How long responses may be cached, in seconds.
    pub fn cache_seconds(&self) -> Option<u32> {
        self.view.reading().cache_seconds()
    }

    /// The groups of a robots.txt.
    pub fn robots(&self) -> List<'a, RobotsGroup<'a>> {
        self.view.reading().robots()
    }

    /// The sitemaps of a robots.txt.
    pub fn sitemaps(&self) -> List<'a, Text<'a>> {
        self.view.reading().sitemaps()
    }

    /// The AI preferences of a robots.txt.
    pub fn preferences(&self) -> List<'a, RobotsPreference<'a>> {
        self.view.reading().preferences()
    }

    /// The AI catalogs of a robots.txt, as written.
    pub fn agentmaps(&self) -> List<'a, Text<'a>> {
        self.view.reading().agentmaps()
    }

    /// The fields of a robots.txt that have no meaning here.
    pub fn robots_fields(&self) -> List<'a, RobotsField<'a>> {
        self.view.reading().robots_fields()
    }

    /// The query of a search.
    pub fn search_query(&self) -> Option<Text<'a>> {
        self.view.reading().search_query()
    }

    /// The results of a search.
    pub fn search_results(&self) -> List<'a, SearchResult<'a>> {
        self.view.reading().search_results()
    }

    /// An example request.
    pub fn request_example(&self) -> Option<Raw<'a>> {
        self.view.reading().request_example()
    }

    /// An example response.
    pub fn response_example(&self) -> Option<Raw<'a>> {
        self.view.reading().response_example()
    }

    /// Unknown top-level members, and those that could not be read.
    pub fn metadata(&self) -> List<'a, Member<'a>> {
        self.view.reading().metadata()
    }
}

impl<'a> Manifest<'a> {
    /// Calls a visitor with each item, by walking the lists.
    /// [`Document::read`](crate::Document::read) reports the same items in one pass.
    pub fn visit(&self, visitor: &mut impl Visitor<'a>) {
        for capability in self.capabilities() {
            capability
                .parameters
                .for_each(|parameter| visitor.parameter(&parameter));
            visitor.capability(&capability);
        }
        self.agents().for_each(|policy| visitor.agent(&policy));
    }
}

/// The whole model of a document.
impl<'a> Object<'a> for Manifest<'a> {
    fn members<V: MemberVisitor<'a>>(&self, v: &mut V) -> Result<(), V::Error> {
        let head = self.head();
        v.word(name!("format"), self.format().id())?;
        head.spec_version.visit(name!("spec_version"), v)?;
        head.kind.visit(name!("kind"), v)?;
        head.generated_at.visit(name!("generated_at"), v)?;
        self.operates_on().visit(name!("operates_on"), v)?;
        head.companion.visit(name!("companion"), v)?;
        self.provenance().visit(name!("provenance"), v)?;
        self.service()
            .unwrap_or_default()
            .visit(name!("service"), v)?;
        self.auth().visit(name!("auth"), v)?;
        self.endpoints().visit(name!("endpoints"), v)?;
        self.capabilities().visit(name!("capabilities"), v)?;
        self.access().visit(name!("access"), v)?;
        self.agents().visit(name!("agents"), v)?;
        self.permissions().visit(name!("permissions"), v)?;
        self.flows().visit(name!("flows"), v)?;
        self.dependencies().visit(name!("dependencies"), v)?;
        self.entities().visit(name!("entities"), v)?;
        self.errors().visit(name!("errors"), v)?;
        v.objects(name!("hints"), self.hints().map(Hint::from))?;
        self.status().visit(name!("status"), v)?;
        self.features().visit(name!("features"), v)?;
        self.pricing().visit(name!("pricing"), v)?;
        self.session().visit(name!("session"), v)?;
        self.audit().visit(name!("audit"), v)?;
        self.rate_limits().visit(name!("rate_limits"), v)?;
        self.cache_seconds().visit(name!("cache_seconds"), v)?;
        Robots::of(self).visit(name!("robots"), v)?;
        Search::of(self).visit(name!("search"), v)?;
        self.request_example().visit(name!("request_example"), v)?;
        self.response_example()
            .visit(name!("response_example"), v)?;
        self.metadata().visit(name!("metadata"), v)
    }
}

impl<'a> Robots<'a> {
    /// Returns the parts of a robots.txt.
    pub fn of(manifest: &Manifest<'a>) -> Self {
        Self {
            groups: manifest.robots(),
            sitemaps: manifest.sitemaps(),
            preferences: manifest.preferences(),
            agentmaps: manifest.agentmaps(),
            fields: manifest.robots_fields(),
        }
    }
}

impl<'a> Search<'a> {
    /// Returns the query and results of a document.
    pub fn of(manifest: &Manifest<'a>) -> Self {
        Self {
            query: manifest.search_query(),
            results: manifest.search_results(),
        }
    }
}
