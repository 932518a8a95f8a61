//! The sections of the body.

use super::{Check, Seen};
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::format::agents_md::section::{
    Section, forbids, html_that_forbids, is_hidden, is_title, named_section, reads_prohibitions,
    section_kind,
};
use crate::format::agents_md::walk::{Entry, Item};
use crate::format::agents_md::{McpSource, SectionKind, behavior};
use crate::span::Span;
use crate::syntax::text::Text;

impl<'a, S: FnMut(Diagnostic<'a>)> Check<'a, '_, S> {
    pub(super) fn body(&mut self) {
        let mut sections = Seen::default();
        let mut walk = self.document.walk();
        while let Some(entry) = walk.next() {
            // The MCP section is checked as a whole, at its start.
            let is_read = walk.section() == Some(SectionKind::Mcp)
                && self.document.outline.mcp == Some(McpSource::Section);
            match entry {
                Entry::Section(section) => {
                    self.credential(section.name);
                    self.section(section, &mut sections);
                    continue;
                }
                _ if is_read => continue,
                Entry::Heading(_, text)
                | Entry::Paragraph(text)
                | Entry::Item(Item { text, .. }) => self.credential(text),
                Entry::Code(lines) => self.credential(Text::plain(lines)),
                Entry::Html(_) => {}
            }
            match entry {
                Entry::Heading(level, text) => self.other_level(level, text, walk.section()),
                Entry::Paragraph(text) => self.no_heading(text, walk.section()),
                Entry::Code(lines)
                    if walk.section() == Some(SectionKind::Cannot)
                        && !lines.trim_ascii().is_empty() =>
                {
                    self.in_cannot(lines);
                }
                Entry::Html(lines)
                    if walk.section() == Some(SectionKind::Cannot) && !is_hidden(lines) =>
                {
                    self.in_cannot(lines);
                }
                Entry::Html(lines) => self.in_html(lines),
                Entry::Item(item) if item.text.raw().is_empty() && walk.section().is_some() => {
                    self.about(
                        Code::EmptyValue,
                        item.marker,
                        "2",
                        "the list item {} has no text of its own",
                    );
                }
                Entry::Item(item) if walk.section() == Some(SectionKind::Behavior) => {
                    self.rate(item.text)
                }
                Entry::Item(item) if walk.section() != Some(SectionKind::Cannot) => {
                    self.no_heading(item.text, walk.section());
                }
                _ => {}
            }
        }
    }

    /// Reports a heading of another level or in a list or quote with the name of a section. The title
    /// may have any name that does not forbid.
    fn other_level(&mut self, level: u8, text: Text<'a>, section: Option<SectionKind>) {
        let kind = section_kind(text).0;
        if kind == SectionKind::Cannot {
            let template = "the heading {} is read as the section Cannot up to the next `#` or `##`; write it at the start of a line, with `##`, outside of lists and quotes";
            return self.about(Code::NonstandardField, text, "2", template);
        }
        let is_title = level == 1
            && self
                .document
                .title()
                .is_some_and(|title| core::ptr::eq(title.raw(), text.raw()));
        if named_section(text) == SectionKind::Cannot {
            if !reads_prohibitions(section) {
                self.other_name(text);
            }
        } else if !is_title && kind != SectionKind::Other {
            let template =
                "the heading {} starts no section; write it with `##`, as the specification does";
            self.about(Code::UnreadSection, text, "2", template);
        }
    }

    /// Reports a paragraph that stands for the heading of a section.
    fn no_heading(&mut self, text: Text<'a>, section: Option<SectionKind>) {
        let is_meant = match section_kind(text).0 {
            SectionKind::Other => is_title(text) && forbids(text) && !reads_prohibitions(section),
            SectionKind::Cannot => section != Some(SectionKind::Cannot),
            _ => true,
        };
        if is_meant {
            let template = "the paragraph {} starts no section; write it as a heading with `##`, outside of quotes";
            self.about(Code::UnreadSection, text, "2", template);
        }
    }

    /// Reports code or HTML in the section Cannot.
    fn in_cannot(&mut self, lines: &'a [u8]) {
        self.put(Diagnostic::new(
            Code::UnreadSection,
            Span::of(lines, self.document.bytes),
            Spec::AgentsMd,
            "2",
            "code and HTML in the section Cannot are not read; write what they say as list items",
        ));
    }

    /// Reports HTML that seems to forbid something.
    fn in_html(&mut self, lines: &'a [u8]) {
        if let Some(line) = html_that_forbids(lines) {
            let template = "HTML is not read, and {} seems to forbid something; write a section `## Cannot` with list items";
            self.about(Code::UnreadSection, Text::plain(line), "2", template);
        }
    }

    /// Reports the name of a section that is almost a known one, or forbids.
    fn other_name(&mut self, name: Text<'a>) {
        let kind = named_section(name);
        let template = match kind {
            SectionKind::Other => return,
            SectionKind::Can => "the section {} is not read; the specification names it `Can`",
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
    }

    fn rate(&mut self, text: Text<'a>) {
        if behavior::rate(text).is_some_and(|rate| rate.requests == 0) {
            let diagnostic = Diagnostic::new(
                Code::InvalidRateLimit,
                self.span(text),
                Spec::AgentsMd,
                "3",
                "the rate in {} is zero",
            );
            self.put(diagnostic.with_severity(Severity::Warning).about(text));
        }
    }

    fn section(&mut self, section: Section<'a>, seen: &mut Seen) {
        let (kind, exact) = section_kind(section.name);
        if section.name.is_empty() {
            self.about(Code::EmptyValue, section.name, "3", "a section has no name");
        }
        if kind == SectionKind::Other {
            return self.other_name(section.name);
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
        let has_text = || {
            section.entries().any(|entry| match entry {
                Entry::Item(Item { text, .. }) | Entry::Paragraph(text) => !text.raw().is_empty(),
                _ => false,
            })
        };
        if kind != SectionKind::Mcp && !has_text() {
            self.about(
                Code::EmptyValue,
                section.name,
                "3",
                "the section {} has no items; text in code and HTML does not count",
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
                // If there are two, the endpoint can be in either one.
                if !again {
                    self.missing_endpoint(self.span(section.name));
                }
                self.mcp_section(section);
            }
        }
    }
}
