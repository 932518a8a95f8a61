//! The check of the sections of the body.

use super::{Check, Seen};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::format::agents_md::section::{Section, is_lead, named_section, section_kind};
use crate::format::agents_md::walk::{Entry, Item, Walk};
use crate::format::agents_md::words::{
    forbids, forbids_inside, force, html_that_forbids, is_hidden,
};
use crate::format::agents_md::{McpSource, SectionKind, behavior};
use crate::span::Span;
use crate::syntax::text::Text;

impl<'a, S: FnMut(Diagnostic<'a>)> Check<'a, '_, S> {
    pub(super) fn body(&mut self) {
        let mut sections = Seen::default();
        let mut walk = self.document.walk();
        loop {
            let was_forbidden = walk.place().forbids;
            let Some(entry) = walk.next() else { break };
            let turns = walk.place().forbids && !was_forbidden;
            // The MCP section is checked as a whole, at its start.
            let is_read = walk.section() == Some(SectionKind::Mcp)
                && self.document.outline.mcp == Some(McpSource::Section);
            match entry {
                Entry::Section(section) => {
                    self.credential(section.name);
                    self.section(section, &walk, &mut sections);
                    continue;
                }
                _ if is_read => continue,
                Entry::Heading(_, text)
                | Entry::Paragraph(text)
                | Entry::Item(Item { text, .. }) => self.credential(text),
                Entry::Code(lines) => self.credential(Text::plain(lines)),
                Entry::Html(_) => {}
            }
            let section = walk.place().section;
            let loses_code = matches!(section, Some(SectionKind::Cannot | SectionKind::Behavior));
            match entry {
                Entry::Heading(level, text) => self.other_level(level, text, &walk),
                Entry::Paragraph(text) | Entry::Item(Item { text, .. }) if turns => self.lead(text),
                Entry::Paragraph(text) => self.no_heading(text, section, false),
                Entry::Code(lines) if loses_code && !lines.trim_ascii().is_empty() => {
                    self.lost_code(lines);
                }
                Entry::Html(lines) if loses_code && !is_hidden(lines) => self.lost_code(lines),
                Entry::Html(lines) => self.in_html(lines),
                Entry::Item(item) if item.text.raw().is_empty() && section.is_some() => {
                    self.about(
                        Code::EmptyValue,
                        item.marker,
                        "2",
                        "the list item {} has no text of its own",
                    );
                }
                Entry::Item(item) => {
                    if section == Some(SectionKind::Behavior) {
                        self.rate(item.text);
                    }
                    self.item_that_forbids(item.text, &walk);
                }
                _ => {}
            }
        }
    }

    /// Reports an item that seems to forbid the items below it.
    fn item_that_forbids(&mut self, text: Text<'a>, walk: &Walk<'a>) {
        let section = walk.place().section;
        let is_permitted = matches!(section, Some(SectionKind::Can | SectionKind::Behavior));
        if is_permitted && walk.has_inner_item() && forbids_inside(text, force(text)) {
            return self.lead(text);
        }
        self.no_heading(text, section, true);
    }

    /// Reports a text that seems to forbid what follows.
    fn lead(&mut self, text: Text<'a>) {
        let template = "{} seems to forbid what follows, but is not read as a heading; write a section `## Cannot` with list items";
        self.about(Code::UnreadSection, text, "2", template);
    }

    /// Reports a heading that has the name of a section but opens none, because it has another
    /// level or is in a list or quote. The title may have any name that does not forbid something.
    fn other_level(&mut self, level: u8, text: Text<'a>, walk: &Walk<'a>) {
        let kind = section_kind(text).0;
        if kind == SectionKind::Cannot {
            let template = "the heading {} is read as the section Cannot up to the next `#` or `##`; write it at the start of a line, with `##`, outside of lists and quotes";
            return self.about(Code::NonstandardField, text, "2", template);
        }
        let is_title = level == 1
            && self.document.title().is_some_and(|title| core::ptr::eq(title.raw(), text.raw()));
        let section = walk.place().section;
        if named_section(text, level) == SectionKind::Cannot {
            if section != Some(SectionKind::Cannot) {
                self.other_name(text, level);
            }
        } else if !is_title && kind != SectionKind::Other {
            let template =
                "the heading {} starts no section; write it with `##`, as the specification does";
            self.about(Code::UnreadSection, text, "2", template);
        } else if walk.section() == Some(SectionKind::Can) && has_texts(*walk, 6, false) {
            let template = "the heading {} starts no section, and the items below it count as those of Can; write `## Cannot` above what is forbidden";
            self.unread_name(text, template);
        }
    }

    /// Reports a paragraph or an item that seems to be meant as the heading of a section.
    fn no_heading(&mut self, text: Text<'a>, section: Option<SectionKind>, is_item: bool) {
        let kind = section_kind(text).0;
        if section != Some(SectionKind::Cannot) && is_lead(text, is_item) {
            self.lead(text);
        } else if !matches!(kind, SectionKind::Other | SectionKind::Cannot) {
            let template = "the paragraph {} starts no section; write it as a heading with `##`, outside of quotes";
            self.about(Code::UnreadSection, text, "2", template);
        } else if section == Some(SectionKind::Can) && !is_item && forbids(text) {
            let template = "{} seems to forbid something, but is not read; write a section `## Cannot` with list items";
            self.about(Code::UnreadSection, text, "2", template);
        }
    }

    /// Reports code or HTML in a section with restrictions.
    fn lost_code(&mut self, lines: &'a [u8]) {
        self.put(Diagnostic::new(
            Code::UnreadSection,
            Span::of(lines, self.document.bytes),
            Spec::AgentsMd,
            "2",
            "code and HTML in the sections Cannot and Behavior are not read; write what they say as list items",
        ));
    }

    /// Reports HTML that seems to forbid something.
    fn in_html(&mut self, lines: &'a [u8]) {
        if let Some(line) = html_that_forbids(lines) {
            let template = "HTML is not read, and {} seems to forbid something; write a section `## Cannot` with list items";
            self.about(Code::UnreadSection, Text::plain(line), "2", template);
        }
    }

    /// Reports the name of a section that is almost a known name, or that seems to forbid
    /// something. Returns false if it is neither.
    fn other_name(&mut self, name: Text<'a>, level: u8) -> bool {
        let kind = named_section(name, level);
        let template = match kind {
            SectionKind::Other => return false,
            SectionKind::Can => {
                "the section {} is not read; write `Can` above what is allowed, and `Cannot` above what is forbidden"
            }
            SectionKind::Cannot => {
                "{} seems to forbid something, but is not read; write a section `## Cannot` with list items"
            }
            SectionKind::Mcp => "the section {} is not read; the specification names it `MCP`",
            SectionKind::Behavior => {
                "the section {} is not read; the specification names it `Behavior`"
            }
            SectionKind::Contact => {
                "the section {} is not read; the specification names it `Contact`"
            }
        };
        let severity = match kind {
            SectionKind::Cannot => Severity::Warning,
            _ => Severity::Info,
        };
        let span = self.span(name);
        let diagnostic = Diagnostic::new(Code::UnreadSection, span, Spec::AgentsMd, "3", template);
        self.put(diagnostic.with_severity(severity).about(name));
        true
    }

    /// Reports a name that the specification does not define for a section, with items below it.
    fn unread_name(&mut self, name: Text<'a>, template: &'static str) {
        let span = self.span(name);
        let diagnostic = Diagnostic::new(Code::UnreadSection, span, Spec::AgentsMd, "2", template);
        self.put(diagnostic.with_severity(Severity::Info).about(name));
    }

    fn rate(&mut self, text: Text<'a>) {
        if behavior::rate(text).is_some_and(|rate| rate.requests == 0) {
            let diagnostic = Diagnostic::new(
                Code::InvalidRateLimit,
                self.span(text),
                Spec::AgentsMd,
                "3",
                "the rate in {} is zero; write a positive number",
            );
            self.put(diagnostic.with_severity(Severity::Warning).about(text));
        }
    }

    fn section(&mut self, section: Section<'a>, walk: &Walk<'a>, seen: &mut Seen) {
        let (kind, exact) = section_kind(section.name);
        if section.name.is_empty() {
            self.about(Code::EmptyValue, section.name, "3", "a section has no name");
        }
        if kind != SectionKind::Cannot && forbids(section.name) || kind == SectionKind::Other {
            if !self.other_name(section.name, 2) && has_texts(*walk, 1, false) {
                let template =
                    "the specification does not define the section {}, so its items are not read";
                self.unread_name(section.name, template);
            }
            return;
        }
        let again = seen.again(kind as u8);
        if again {
            self.about(
                Code::DuplicateSection,
                section.name,
                "3",
                "the section {} is repeated; the items of both count",
            );
        }
        if !exact {
            let diagnostic = Diagnostic::new(
                Code::NonstandardField,
                self.span(section.name),
                Spec::AgentsMd,
                "3",
                "the section {} is read, but the specification uses another name",
            );
            self.put(diagnostic.with_severity(Severity::Info).about(section.name));
        }
        let has_text = || has_texts(*walk, 1, kind != SectionKind::Can);
        if kind != SectionKind::Mcp && !has_text() {
            self.about(
                Code::EmptyValue,
                section.name,
                "3",
                "the section {} has no items; text in code and HTML does not count, and in Can no paragraph",
            );
        }
        if kind == SectionKind::Mcp {
            if self.document.outline.mcp == Some(McpSource::FrontMatter) {
                self.about(
                    Code::ShadowedSection,
                    section.name,
                    "3",
                    "the section {} is ignored, because the front matter has `mcp`",
                );
            } else {
                // If there are two MCP sections, either one can have the endpoint.
                if !again {
                    self.missing_endpoint(self.span(section.name));
                }
                self.mcp_section(section);
            }
        }
    }
}

/// True if an item with a text follows before the next section, and before the next heading up to
/// `last_level`. If `with_paragraphs`, a paragraph counts, too.
fn has_texts<'a>(walk: Walk<'a>, last_level: u8, with_paragraphs: bool) -> bool {
    let is_below = |entry: &Entry<'a>| match entry {
        Entry::Section(_) => false,
        Entry::Heading(level, _) => *level > last_level,
        _ => true,
    };
    walk.take_while(is_below).any(|entry| match entry {
        Entry::Item(Item { text, .. }) => !text.raw().is_empty(),
        Entry::Paragraph(text) => with_paragraphs && !text.raw().is_empty(),
        _ => false,
    })
}
