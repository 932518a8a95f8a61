//! Writes llms.txt from the unified model: a title, a summary, a list of what the service offers,
//! and sections of links.
//!
//! The document never allows or denies a request, so every capability is named, whatever restricts
//! its calls: agents call it by another document.
//!
//! INVARIANT: every text that is written passed [`problem_of_prose`] or [`is_destination`], so that
//! it is read back as one line of text or as one URL.

use super::adapt::Source;
use super::carry::is_blank;
use super::loss::{Part, Reason};
use super::losses;
use super::markdown::{begin_item, line, member, problem_of_prose, put, put_text};
use super::out::Out;
use super::undeclared;
use crate::diagnostic::Severity::{Info, Warning};
use crate::rules::urls::is_url;
use crate::syntax::text::Text;

/// Writes a whole document.
pub(super) fn write<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let reading = source.reading;
    out.lose_text("spec_version", reading.head().spec_version, Reason::NoPlace, Info);
    service(out, source);
    capabilities(out, source);
    links(out, source);
    undeclared::document(out, source);
    undeclared::limits(out, source);
    losses::auth(out, source);
    losses::without_auth(out, source);
    losses::permissions(out, source);
    losses::each(out, "endpoints", reading.endpoints(), |one| one.url);
    undeclared::metadata(out, source);
}

/// Why a text cannot be a title or an item: it would begin a block, or contain a link.
fn problem(text: Text<'_>) -> Option<Reason> {
    problem_of_prose(text).or_else(|| holds_link(text).then_some(Reason::Separator))
}

/// Whether a text may contain a link: `](`, `][` or `://`.
fn holds_link(text: Text<'_>) -> bool {
    let (mut second, mut last) = (' ', ' ');
    text.chars().any(|c| {
        let found = matches!((second, last, c), (_, ']', '(' | '[') | (':', '/', '/'));
        (second, last) = (last, c);
        found
    })
}

fn service<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    const PLACED: &str = "name url domain description contact docs privacy_policy metadata";
    let service = source.reading.service().unwrap_or_default();
    out.within(Part::object("service"), out.span_of(service.source), |out| {
        if member(out, "name", b"# ", service.name, problem) {
            member(out, "description", b"\n> ", service.description, problem_of_prose);
        } else {
            // A quote that follows no title is not the summary.
            out.lose_text("description", service.description, Reason::NoPlace, Warning);
        }
        out.lose_text("url", service.url, Reason::NoPlace, Info);
        out.lose_text("domain", service.domain, Reason::NoPlace, Info);
        losses::each(out, "contact", service.contact, |text| Some(*text));
        losses::others(out, &service, PLACED);
        out.lose_metadata("metadata", service.metadata);
    });
}

/// Writes a line for each capability: its description, or else its id.
fn capabilities<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    let mut open = false;
    for (capability, index) in source.reading.capabilities().zip(0..) {
        let texts = [capability.description, capability.id];
        let text = texts.into_iter().flatten().find(|text| problem(*text).is_none());
        let reason = if text.is_some() { Reason::Changed } else { Reason::Unnamed };
        let (model, place) = (Part::item("capabilities", index), out.span_of(capability.source));
        out.lose(model, reason, Warning, place);
        if let Some(text) = text {
            begin_item(out, b"\n", &mut open);
            line(out, b"", text);
        }
    }
}

/// Writes the documentation, and the links that readers with little space can leave out.
fn links<'a>(out: &mut Out<'_, 'a>, source: &Source<'a, '_>) {
    const DOCS: &[u8] = b"\n## Docs\n\n";
    const OPTIONAL: &[u8] = b"\n## Optional\n\n";
    let service = source.reading.service().unwrap_or_default();
    let mut open = false;
    out.within(Part::object("service"), out.span_of(service.source), |out| {
        if let Some(url) = service.docs {
            let title = Text::plain(b"Documentation");
            link(out, (DOCS, &mut false), Part::object("docs"), title, url);
        }
        if let Some(url) = service.privacy_policy {
            let title = Text::plain(b"Privacy policy");
            link(out, (OPTIONAL, &mut open), Part::object("privacy_policy"), title, url);
        }
    });
    for (one, index) in source.reading.references().zip(0..) {
        let part = Part::item("references", index);
        let title = one.title.or(one.relation).filter(|title| problem(*title).is_none());
        match (title, one.url) {
            (Some(title), Some(url)) => link(out, (OPTIONAL, &mut open), part, title, url),
            _ => out.lose(part, Reason::NoPlace, Warning, out.span_of(one.source)),
        }
    }
}

/// Writes a link below a heading, which precedes the first link of its section.
fn link<'a>(
    out: &mut Out<'_, 'a>,
    (heading, open): (&[u8], &mut bool),
    part: Part,
    title: Text<'_>,
    url: Text<'a>,
) {
    if !is_destination(url) {
        return out.lose(part, Reason::Separator, Warning, out.span(url));
    }
    out.lose(part, Reason::Changed, Info, out.span(url));
    begin_item(out, heading, open);
    put(out, b"[");
    put_text(out, title);
    put(out, b"](");
    put_text(out, url);
    put(out, b")\n");
}

/// Whether a URL can be the destination of a link as it is.
fn is_destination(url: Text<'_>) -> bool {
    let is_special = |c: char| is_blank(c) || matches!(c, '(' | ')' | '<' | '>' | '\\' | ';');
    is_url(url) && !url.chars().any(is_special)
}
