//! The parts of a decision that the plan of a call uses.

use super::capabilities::{Capabilities, accepts};
use super::case::Order;
use super::endpoint::{Base, endpoint_of};
use super::finding::is_explicit_denial;
use super::judge::{NO_HOST, Other, decide, decide_at, settle};
use super::robots::has_robots;
use super::{Credentials, Decision, Reason, Rule, Source, Target, Workspace};
use crate::document::{Document, with_reading};
use crate::format::adp::Adp;
use crate::model::{Capability, Endpoint, Enumeration, Protocol};
use crate::syntax::text::Text;
use crate::syntax::url::Url;

/// The entry of a document that the decision is about.
#[derive(Clone, Copy)]
pub(crate) struct Chosen<'a, T> {
    /// The index of the document.
    pub(crate) index: usize,
    pub(crate) document: &'a Document<'a>,
    pub(crate) entry: T,
}

/// How a capability is called.
fn way<'a>(capability: &Capability<'a>) -> [Option<Text<'a>>; 4] {
    [capability.method, capability.endpoint, capability.via, capability.detail_url]
}

impl<'a, T> Chosen<'a, T> {
    /// A rule with a text of this document.
    pub(crate) fn rule(&self, text: Text<'a>) -> Rule<'a> {
        Rule { text, span: self.document.span_of(text.raw()), source: Source::Document(self.index) }
    }
}

impl<'a> Decision<'a> {
    /// The requested capability.
    pub(crate) fn chosen(&self) -> Option<Chosen<'a, Capability<'a>>> {
        let (index, mark) = self.chosen?;
        let document = self.case.documents.get(index)?;
        let capabilities = with_reading(document, |reading| reading.capabilities());
        let entry = capabilities.resume(mark).next()?;
        Some(Chosen { index, document, entry })
    }

    /// Whether the id names several ways to call in the document of the requested capability: another
    /// capability has it and accepts the requested method, but has another method or endpoint.
    /// Linear in the document; with an index, only capabilities of the same hash are read.
    #[inline(never)] // Keeps the capabilities off the stack of its callers.
    pub(crate) fn is_ambiguous(&self, chosen: &Chosen<'a, Capability<'a>>) -> bool {
        let (case, own) = (&self.case, way(&chosen.entry));
        let method = case.request.method.map(|method| Text::plain(method.as_bytes()));
        let mut others = Capabilities::none();
        others.open(case.index, (chosen.index, chosen.document));
        while let Some(other) = others.next_used(&case.request.target, None) {
            let is_meant = accepts(chosen.document.format(), &other, method);
            if is_meant && way(&other) != own {
                return true;
            }
        }
        false
    }

    /// The endpoint of the protocol with this name.
    pub(crate) fn protocol(document: &Document<'a>, name: Text<'_>) -> Option<Endpoint<'a>> {
        endpoint_of(document, name)
    }

    /// The gateway of another protocol that has the requested URL.
    pub(crate) fn gateway(&self, workspace: &mut Workspace) -> Option<Chosen<'a, Endpoint<'a>>> {
        let Target::Url(url) = self.case.request.target else {
            return None;
        };
        let Workspace { site, place, tools } = workspace;
        settle(&self.case, site, &tools.base).ok()?;
        place.read(url, site).ok()?;
        let mut order = Order::default();
        while let Some((index, document)) = self.case.next_of_site(&mut order) {
            let base = Base::of(&self.case, document, site, &mut tools.base);
            for entry in with_reading(document, |reading| reading.endpoints()) {
                let is_known = entry.protocol.value != Protocol::UNKNOWN;
                if let Some(text) = entry.url
                    && is_known
                    && base.is_at(place, text, &mut tools.scratch)
                {
                    return Some(Chosen { index, document, entry });
                }
            }
        }
        None
    }

    /// The manifest of the Agent Discovery Protocol.
    pub(crate) fn manifest(&self) -> Option<Adp<'a>> {
        self.case.documents.get(self.case.manifest?)?.adp()
    }

    /// The same decision with `base`, the base URL of the manifest with its placeholders filled;
    /// `None` if it is too long. `keeps_domain` states whether it is on the registrable domain that
    /// the manifest states; otherwise, the site is unknown unless the request has an origin. Until
    /// [`Workspace::unfill`], the workspace resolves references with this base URL.
    pub(crate) fn with_base(
        &self,
        (base, keeps_domain): (&str, bool),
        workspace: &mut Workspace,
    ) -> Option<Self> {
        if !workspace.tools.base.fill(base, keeps_domain) {
            return None;
        }
        let mut other = *self;
        other.reset();
        decide(&mut other, workspace);
        Some(other)
    }

    /// The absolute URL of an endpoint in a document; `None` if it is invalid, or a path of an
    /// unknown site.
    pub(crate) fn resolve<'w>(
        &self,
        document: &Document<'a>,
        endpoint: Text<'w>,
        workspace: &'w mut Workspace,
    ) -> Option<Url<'w>> {
        let Workspace { site, tools, .. } = workspace;
        settle(&self.case, site, &tools.base).ok()?;
        Base::of(&self.case, document, site, &mut tools.base)
            .resolve(endpoint, &mut tools.scratch)
            .filter(|url| url.host() != NO_HOST)
    }

    /// Whether a query after the endpoint could change the decision. It cannot without a robots.txt
    /// and without rules that may match a query.
    pub(crate) fn asks_query(&self) -> bool {
        self.survey.asks_query || has_robots(&self.case)
    }

    /// The explicit denial of another URL of the call, for the same agent; absent if the site does
    /// not deny it. A URL that is merely not listed is not denied, because the call itself is
    /// allowed.
    pub(crate) fn denial(
        &self,
        url: &str,
        method: Text<'a>,
        workspace: &mut Workspace,
    ) -> Option<(Reason, Option<Rule<'a>>)> {
        self.denied(url, method, false, workspace)
    }

    /// The explicit denial of the endpoint with its arguments. If the site is unknown, the documents
    /// apply to the endpoint nevertheless.
    pub(crate) fn denial_of_own(
        &self,
        url: &str,
        method: Text<'a>,
        workspace: &mut Workspace,
    ) -> Option<(Reason, Option<Rule<'a>>)> {
        self.denied(url, method, true, workspace)
    }

    fn denied(
        &self,
        url: &str,
        method: Text<'a>,
        is_own: bool,
        workspace: &mut Workspace,
    ) -> Option<(Reason, Option<Rule<'a>>)> {
        let other = self.also(url, method, is_own, workspace);
        is_explicit_denial(other.reason).then_some((other.reason, other.rule))
    }

    /// Whether credentials may be sent to another URL of the call. The error is the explicit denial
    /// of that URL.
    pub(crate) fn credentials_at(
        &self,
        url: &str,
        method: Text<'a>,
        workspace: &mut Workspace,
    ) -> Result<Credentials, (Reason, Option<Rule<'a>>)> {
        let other = self.also(url, method, false, workspace);
        // These denials are only about the credential; a request without it is allowed.
        let is_about_credentials =
            matches!(other.reason, Reason::InsecureEndpoint | Reason::UnverifiedHost);
        if is_explicit_denial(other.reason) && !is_about_credentials {
            return Err((other.reason, other.rule));
        }
        Ok(other.credentials)
    }

    /// Whether a path is invalid or ambiguous.
    pub(crate) fn refuses_path(path: &str, workspace: &mut Workspace) -> bool {
        let Workspace { site, place, .. } = workspace;
        place.read(path, site).is_err()
    }

    /// The decision for another URL of the call.
    fn also(&self, url: &str, method: Text<'a>, is_own: bool, workspace: &mut Workspace) -> Self {
        let mut other = *self;
        other.reset();
        other.case.request.target = Target::Url("");
        let at = Other { url, method, is_own };
        decide_at(&mut other, Some(at), workspace);
        other
    }

    /// The reason not to read a document that describes the call from a URL; `None` if the URL is
    /// on the site or approved. The access rules of the site do not apply, because they are for the
    /// requests of agents.
    pub(crate) fn unread_from(&self, url: &str, workspace: &mut Workspace) -> Option<Reason> {
        let other = self.also(url, Text::plain(b"GET"), false, workspace);
        if other.reason == Reason::InvalidUrl {
            return Some(other.reason);
        }
        let is_own = workspace.place.is_on_site || other.credentials == Credentials::Allowed;
        (!is_own).then_some(Reason::OtherOrigin)
    }
}
