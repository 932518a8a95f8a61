//! Decisions about a path of the site, and about the first capability of the document.

use agentsdisc_core::Document;
use agentsdisc_core::policy::{Decision, Request, Workspace};

use crate::calls;
use crate::digest::Digest;
use crate::store::Store;
use crate::terminal::{Terminal, line};

const AGENT: &str = "ExampleBot/1.0";
const PATH: &str = "/admin/users";

/// Maximum length of the id of a capability, in bytes.
const ID: usize = 64;

pub(crate) fn print(terminal: &mut impl Terminal, document: Document<'_>, store: &mut Store) {
    let workspace = &mut store.workspace;
    let documents = [document];
    let request = Request::url(AGENT, PATH);
    let mut decision = Decision::open();
    terminal.begin();
    calls::policy::decide(&mut decision, &documents, &request, workspace);
    terminal.end("decide");
    show(terminal, "path", &decision, workspace);

    let mut id = [0; ID];
    let first = calls::next(&mut calls::capabilities(&document.manifest()))
        .and_then(|capability| capability.id);
    if let Some(Ok(id)) = first.map(|text| calls::decode(text, &mut id)) {
        let request = Request::capability(AGENT, id);
        terminal.begin();
        calls::policy::decide(&mut decision, &documents, &request, workspace);
        terminal.end("decide");
        show(terminal, "capability", &decision, workspace);
        #[cfg(feature = "call")]
        crate::call::print(terminal, &decision, workspace, &mut store.request);
    }
}

fn show(
    terminal: &mut impl Terminal,
    asked: &str,
    decision: &Decision<'_>,
    workspace: &mut Workspace,
) {
    let mut digest = Digest::new();
    digest.text(decision.rule.map(|rule| rule.text));
    digest.text(decision.capability);
    digest.text(decision.endpoint);
    digest.text(decision.method);
    digest.truth(Some(decision.session_required));
    digest.truth(Some(decision.degraded));
    terminal.begin();
    let mut limits = calls::policy::rate_limits(decision);
    while let Some(limit) = calls::policy::next_limit(&mut limits, workspace) {
        digest.number(Some(limit.requests));
    }
    terminal.end("limits");
    #[cfg(feature = "ids")]
    let reason = calls::policy::reason_id(decision);
    #[cfg(not(feature = "ids"))]
    let reason = digest.instead_of_id(decision.reason as u32);
    let allowed = if decision.allowed { "allowed" } else { "denied" };
    line(terminal, &["  ", asked, ": ", allowed, ", ", reason, ", "], Some(digest.sum()));
}
