//! The check of an llms.txt: one pass over its blocks.

use super::LlmsTxt;
use super::entry::{Entry, Place};
use super::list::name_of;
use crate::diagnostic::{Code, Diagnostic, Severity, Spec};
use crate::limits::Limits;
use crate::rules::lines::prose;
use crate::rules::report::Report;
use crate::rules::urls::{Secure, judge};
use crate::span::Span;
use crate::syntax::fold::line_end;
use crate::syntax::markdown::{Block, Blocks, Kind, Target, may_hold_link};
use crate::syntax::text::{Text, trim};

/// The section of the specification that contains all rules.
const FORMAT: &str = "Format";

/// The name of the section whose links agents can skip.
const OPTIONAL: &str = "Optional";

/// Checks a document.
pub(crate) fn check<'a>(document: &LlmsTxt<'a>, report: &mut Report<'_, 'a>) {
    let bytes = document.bytes;
    prose(bytes, report);
    let mut check = Check {
        bytes,
        report,
        title: false,
        below: Below::Nothing,
        section: None,
        optional: false,
        is_full: is_full_text(document.body),
        is_full_reported: false,
    };
    let start = Span::of(document.body, bytes).start;
    if start > 3 {
        let message = "llms.txt has no front matter, so this is skipped; begin with the line `# Name`, and describe the site in a block quote below it";
        check.add(Code::MisplacedPart, Span::new(start.min(3), start), message);
    }
    check.blocks(document.body);
}

/// What the document has between the title and the current block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Nothing,
    Summary,
    Details,
}

/// The open section.
#[derive(Clone, Copy)]
struct Section<'a> {
    name: Text<'a>,
    span: Span,
    is_optional: bool,
    has_links: bool,
    /// True if an item without a link was reported.
    reported: bool,
}

struct Check<'c, 's, 'a> {
    bytes: &'a [u8],
    report: &'c mut Report<'s, 'a>,
    title: bool,
    below: Below,
    section: Option<Section<'a>>,
    /// True after a section Optional.
    optional: bool,
    /// True if the document is a full text, such as llms-full.txt: at least a third of its sections
    /// have text, not only lists. It is no mistake there that sections have no links, that links
    /// stand in sentences, and that each page has a title.
    is_full: bool,
    /// True if a section without links was reported in a full text.
    is_full_reported: bool,
}

/// The minimum number of sections with text in a full text.
const FULL: usize = 3;

/// Whether at least a third of the sections have text that is in no list.
fn is_full_text(body: &[u8]) -> bool {
    let (mut sections, mut with_text, mut is_counted, mut title) = (0_usize, 0_usize, true, false);
    for block in Blocks::new(body, Limits::MAX_DEPTH) {
        match block.kind {
            // The text below the title describes the site.
            Kind::Heading(1) if !core::mem::replace(&mut title, true) => {}
            Kind::Heading(1 | 2) if block.depth == 0 && block.quotes == 0 => {
                sections = sections.saturating_add(1);
                is_counted = false;
            }
            Kind::Heading(_) | Kind::Item | Kind::Html => {}
            _ if block.depth == 0 && !core::mem::replace(&mut is_counted, true) => {
                with_text = with_text.saturating_add(1);
            }
            _ => {}
        }
    }
    with_text >= FULL && with_text.saturating_mul(3) >= sections
}

impl<'a> Check<'_, '_, 'a> {
    fn add(&mut self, code: Code, span: Span, message: &'static str) {
        self.report.add(Diagnostic::new(code, span, Spec::LlmsTxt, FORMAT, message));
    }

    fn about(&mut self, code: Code, severity: Severity, text: &'a [u8], message: &'static str) {
        let span = Span::of(text, self.bytes);
        let diagnostic = Diagnostic::new(code, span, Spec::LlmsTxt, FORMAT, message);
        self.report.add(diagnostic.with_severity(severity).about(Text::plain(text)));
    }

    /// The severity of what is a mistake except in a full text.
    const fn severity(&self) -> Severity {
        if self.is_full { Severity::Info } else { Severity::Warning }
    }

    fn blocks(&mut self, body: &'a [u8]) {
        let mut is_item = false;
        for block in Blocks::new(body, Limits::MAX_DEPTH) {
            if self.report.is_full() {
                return;
            }
            let is_first = core::mem::replace(&mut is_item, block.kind == Kind::Item);
            let is_top = block.depth == 0 && block.quotes == 0;
            match block.kind {
                Kind::Heading(level) if is_top => self.heading(level, &block),
                Kind::Paragraph | Kind::Heading(_) if is_first && block.depth > 0 => {
                    self.order(&block);
                    self.item(&block);
                }
                Kind::Item => self.order(&block),
                _ => {
                    self.order(&block);
                    if block.kind == Kind::Paragraph && is_top {
                        self.lines(block.text.raw());
                    }
                }
            }
        }
        self.leave();
        if !self.title {
            let message = "the title is missing; begin with the line `# Name`, with the name of the project or site";
            self.add(Code::MissingRequiredField, Span::default(), message);
        }
    }

    /// Checks the position of a block that is not a heading.
    fn order(&mut self, block: &Block<'a>) {
        if self.section.is_some() || block.kind == Kind::Html {
            return;
        }
        if !self.title {
            // Reported once for all blocks before the title.
            if self.below == Below::Nothing {
                self.below = Below::Details;
                let message = "this stands before the title; move it below the line `# Name`";
                self.add(Code::MisplacedPart, Span::of(block.text.raw(), self.bytes), message);
            }
            return;
        }
        let is_quote = block.quotes > 0 && block.depth == 0;
        if is_quote && self.below == Below::Details {
            let message =
                "the summary stands directly below the title; move this block quote there";
            self.add(Code::MisplacedPart, Span::of(block.text.raw(), self.bytes), message);
        }
        self.below = match (is_quote, self.below) {
            (true, Below::Nothing | Below::Summary) => Below::Summary,
            _ => Below::Details,
        };
    }

    fn heading(&mut self, level: u8, block: &Block<'a>) {
        let raw = block.text.raw();
        let name = trim(raw);
        match level {
            1 if self.title => {
                let message =
                    "{} is a second title and is read as a section; write `## ` before its name";
                self.about(Code::SeveralTitles, self.severity(), name, message);
            }
            1 => {
                self.title = true;
                self.below = Below::Nothing;
                if Text::plain(name).is_blank() {
                    let message =
                        "the title is empty; write the name of the project or site behind `# `";
                    let span = Span::of(raw, self.bytes);
                    let found =
                        Diagnostic::new(Code::EmptyValue, span, Spec::LlmsTxt, FORMAT, message);
                    self.report.add(found.with_severity(Severity::Error));
                }
                return;
            }
            2 => {}
            _ => {
                let message = "{} is a heading of a lower level than sections have; write `## ` before its name, or make it a paragraph";
                self.about(Code::MisplacedPart, Severity::Info, name, message);
                return;
            }
        }
        self.leave();
        if Text::plain(name).is_blank() {
            let message = "the name of the section is empty; write it behind `## `";
            self.add(Code::EmptyValue, Span::of(raw, self.bytes), message);
        }
        let text = Text::plain(name_of(name));
        let is_optional = text.eq_ignore_case(OPTIONAL);
        if is_optional && self.optional {
            let message = "{} is repeated; the links of all of them can be left out";
            self.about(Code::DuplicateSection, Severity::Warning, name, message);
        }
        self.optional |= is_optional;
        if !is_optional && text.starts_with_ignore_case(OPTIONAL) {
            let message =
                "{} is not named `Optional`, so its links count as required; write `## Optional`";
            self.about(Code::UnreadSection, Severity::Info, name, message);
        }
        self.section = Some(Section {
            name: text,
            span: Span::of(raw, self.bytes),
            is_optional,
            has_links: false,
            reported: false,
        });
    }

    /// Ends the section.
    fn leave(&mut self) {
        let Some(section) = self.section.take() else {
            return;
        };
        if section.has_links || self.is_full && core::mem::replace(&mut self.is_full_reported, true)
        {
            return;
        }
        let message = if self.is_full {
            "the section {} has no links, but text, as in an llms-full.txt; an llms.txt lists its pages as `- [name](url): notes`"
        } else if section.is_optional {
            "the section {} has no links, so nothing can be left out; list them as `- [name](url): notes`, or remove it"
        } else {
            "the section {} has no links; list them as `- [name](url): notes`, or move its text between the title and the first section"
        };
        let found = Diagnostic::new(
            Code::SectionWithoutLinks,
            section.span,
            Spec::LlmsTxt,
            FORMAT,
            message,
        );
        self.report.add(found.with_severity(self.severity()).about(section.name));
    }

    /// Checks the text of a list item.
    fn item(&mut self, block: &Block<'a>) {
        let Some(entry) = Entry::of(block.text, Place::Item, self.bytes) else {
            if let Some(section) = &mut self.section
                && block.depth == 1
                && !core::mem::replace(&mut section.reported, true)
            {
                let message = "this item has no link; write `- [name](url): notes`";
                self.add(Code::EntryWithoutLink, Span::of(block.text.raw(), self.bytes), message);
            }
            return;
        };
        self.entry(&entry, block.text.raw(), Place::Item);
    }

    /// Checks the lines of a paragraph.
    fn lines(&mut self, mut rest: &'a [u8]) {
        while may_hold_link(rest) {
            let (end, next) = line_end(rest, 0);
            let line = rest.get(..end).unwrap_or_default();
            if let Some(entry) = Entry::of(Text::plain(line), Place::Line, self.bytes) {
                self.entry(&entry, line, Place::Line);
            }
            rest = rest.get(next..).unwrap_or_default();
        }
    }

    fn entry(&mut self, entry: &Entry<'a>, raw: &'a [u8], place: Place) {
        match &mut self.section {
            Some(section) => section.has_links = true,
            None if self.title => {
                let message = "this link is in no section; write a line `## Name` above the list";
                let found = Diagnostic::new(
                    Code::MisplacedPart,
                    Span::of(raw, self.bytes),
                    Spec::LlmsTxt,
                    FORMAT,
                    message,
                );
                self.report.add(found.with_severity(Severity::Info));
            }
            None => {}
        }
        let link = raw.get(entry.link.start..entry.link.end).unwrap_or(raw);
        let Some(url) = entry.url else {
            let message = match entry.link.target {
                Target::Url(_) => "{} has no URL; write it in the parentheses: `[name](url)`",
                Target::Definition(_) => {
                    "{} has no definition in the last 4 KiB of the document, so it has no URL; write `[name](url)`"
                }
            };
            return self.about(Code::LinkWithoutUrl, Severity::Warning, link, message);
        };
        self.url(url);
        let is_inline = entry.link.label.is_some() && matches!(entry.link.target, Target::Url(_));
        if place == Place::Line || !is_inline || entry.link.start > 0 {
            let message = "{} is not written as a list item that begins with a link, as readers expect; write `- [name](url): notes`";
            return self.about(Code::NonstandardLink, self.severity(), link, message);
        }
        if entry.title.is_none() {
            let message = "the link has no name; write it in the brackets: `[name](url)`";
            self.add(Code::EmptyValue, Span::of(link, self.bytes), message);
        }
        let notes = trim(entry.behind);
        if !notes.is_empty() && !entry.behind.starts_with(b":") {
            let message =
                "a colon stands between a link and the notes about it; write `[name](url): notes`";
            let found = Diagnostic::new(
                Code::NonstandardLink,
                Span::of(notes, self.bytes),
                Spec::LlmsTxt,
                FORMAT,
                message,
            );
            self.report.add(found.with_severity(Severity::Info));
        }
    }

    fn url(&mut self, url: Text<'a>) {
        let raw = url.raw();
        // A scheme consists of letters, digits and a few marks before a colon.
        let is_part = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let length = url.chars().take_while(is_part).count();
        let has_scheme = length > 0 && url.chars().nth(length) == Some(':');
        let is = |scheme: &&str| scheme.len() == length && url.starts_with_ignore_case(scheme);
        if !has_scheme {
            let message = "{} is relative, so it leads nowhere in a copy of this document; write the whole URL";
            self.about(Code::RelativeUrl, Severity::Info, raw, message);
        } else if ["https", "http"].iter().any(is) {
            if let Some(finding) = judge(url, Secure::NotAsked) {
                self.about(finding.code, finding.severity, raw, finding.message);
            }
        } else if ["javascript", "vbscript", "data", "file", "blob", "ftp"].iter().any(is) {
            let message = "{} has a scheme that agents do not follow; write an https URL";
            self.about(Code::InvalidUrl, Severity::Warning, raw, message);
        }
    }
}
