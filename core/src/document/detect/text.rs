//! Detects the format of a text from the keys of its first lines, or from its Markdown.
//!
//! Each line with a key that only one format has is a vote for that format. Counting stops when the
//! first lines are clear ([`Count::is_settled`]), so for a well-written document it reads only a
//! few lines. The same lines show if the document could be Markdown; only then its blocks are read
//! ([`markdown_format`]). Text after [`BEGINNING`] is not read.

use super::{BRACKETS, Detection, Evidence, Hints, LLMS, MARKDOWN};
use crate::Limits;
use crate::format::Format;
use crate::format::agents_md::{FrontMatter, SectionKind, front_matter, section_kind};
use crate::format::robots_txt::{self, line::Key};
use crate::syntax::line::{Content, Names, Singly, Sweep};
use crate::syntax::markdown::{Blocks, Kind};
use crate::syntax::text::{Text, trim};
use crate::syntax::yaml;

/// The maximum number of bytes to read.
pub(super) const BEGINNING: usize = 64 << 10;

/// The maximum number of lines to read.
const LINES: u32 = 512;

/// The maximum number of fields that vote.
const FIELDS: u32 = 64;

/// The minimum number of fields and lines of prose to read.
const FIRST: u32 = 4;

/// Detects the format of a text without its byte order mark.
pub(crate) fn text_format(text: &[u8], hints: &Hints<'_>) -> Detection {
    let text = text.get(..BEGINNING).unwrap_or(text);
    let mut lines = Sweep::<Singly>::starting_at(text, 0);
    let mut count = Count {
        // Front matter is Markdown.
        markdown: text.starts_with(b"---"),
        ..Count::default()
    };
    let expects_markdown = hints.path_ends_with("/agents.md") || hints.path_ends_with("/llms.txt");
    count.lines(&mut lines, !expects_markdown);
    let votes = winner(&count.evidence, 2).map_or(0, |(_, votes)| votes);
    if count.markdown || expects_markdown || (count.is_cut() && votes == 0) {
        if let Some(found) = markdown_format(text, hints, votes) {
            return Detection {
                evidence: Evidence {
                    bits: count.evidence.bits | found.evidence.bits,
                    ..count.evidence
                },
                ..found
            };
        }
        // It only looked like Markdown; the other lines can still vote.
        count.lines(&mut lines, false);
    }
    let (format, by_hint) = count.format(hints);
    Detection {
        format,
        evidence: count.evidence,
        by_hint,
    }
}

/// The format with at least `least` votes and twice those of the second, and its votes.
fn winner(evidence: &Evidence, least: u32) -> Option<(Format, u32)> {
    let votes = [
        (evidence.agents_txt, Format::AgentsTxt),
        (evidence.agents_txt_01, Format::AgentsTxt01),
        (evidence.robots_txt, Format::RobotsTxt),
    ];
    let (mut best, mut second, mut format) = (0, 0, Format::Unknown);
    for (count, voted) in votes {
        if count > best {
            (best, second, format) = (count, best, voted);
        } else {
            second = second.max(count);
        }
    }
    (best >= least && best >= second.saturating_mul(2) && best > second).then_some((format, best))
}

/// The votes and signs of the lines.
#[derive(Default)]
struct Count {
    evidence: Evidence,
    /// True if a line looks like Markdown that could decide.
    markdown: bool,
    /// True if the next line is in a code fence.
    fenced: bool,
    user_agent: bool,
    site_name: bool,
    /// The number of lines, and of fields and lines of prose.
    lines: u32,
    fields: u32,
    prose: u32,
}

impl Count {
    /// Counts the lines up to the limits. With `stops`, only until they are
    /// [settled](Self::is_settled).
    #[inline(never)] // Keeps its buffers off the stack of its callers.
    fn lines(&mut self, lines: &mut Sweep<'_, Singly>, stops: bool) {
        loop {
            if self.is_cut() || (stops && self.is_settled()) {
                return;
            }
            let Some(line) = lines.next() else { return };
            self.lines += 1;
            match line.content {
                Content::Blank => {}
                Content::Comment(comment) => self.comment(comment),
                Content::Malformed(text) => self.prose(text),
                Content::Field { key, value } => self.field(key, value),
            }
        }
    }

    /// True if a limit is reached.
    fn is_cut(&self) -> bool {
        self.lines >= LINES || self.fields >= FIELDS
    }

    /// True if the first lines are sufficient: all votes are for one format and no line looks like
    /// Markdown, or the reverse.
    fn is_settled(&self) -> bool {
        if self.fields + self.prose < FIRST {
            return false;
        }
        let Evidence {
            agents_txt,
            agents_txt_01,
            robots_txt,
            bits,
        } = self.evidence;
        let votes = agents_txt + agents_txt_01 + robots_txt;
        if self.markdown {
            votes == 0
        } else {
            votes >= 2 && bits == 0 && [agents_txt, agents_txt_01, robots_txt].contains(&votes)
        }
    }

    fn comment(&mut self, comment: &[u8]) {
        if let [b'#', name @ ..] = comment {
            self.markdown |= matches!(name, [b' ' | b'\t', ..]) && is_known(trim_closing(name));
        }
    }

    fn prose(&mut self, text: &[u8]) {
        self.prose += 1;
        match text {
            [b'[', .., b']'] => self.evidence.bits |= BRACKETS,
            [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..] => self.fenced = !self.fenced,
            [b'-' | b'*' | b'+', b' ', b'[', ..] => self.markdown = true,
            // The name of a section; the next line may underline it.
            _ => self.markdown |= is_known(text),
        }
    }

    #[inline(never)] // Keeps its buffers off the stack of its callers.
    fn field(&mut self, key: &[u8], value: &[u8]) {
        self.fields += 1;
        match key {
            [b'[', ..] if value.ends_with(b"]") => self.evidence.bits |= BRACKETS,
            [b'-' | b'*' | b'+', b' ', b'[', ..] => self.markdown = true,
            [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..] => self.fenced = !self.fenced,
            _ => {}
        }
        if self.fenced {
            return;
        }
        let evidence = &mut self.evidence;
        match vote(key) {
            Some(Vote::AgentsTxt) => evidence.agents_txt += 1,
            Some(Vote::SiteName) => self.site_name = true,
            Some(Vote::AgentsTxt01) => evidence.agents_txt_01 += 1,
            // After a User-agent line it is a rule, although one that matches nothing.
            Some(Vote::Allow) if !self.user_agent && !is_path(value) => {
                evidence.agents_txt_01 += 1;
            }
            Some(Vote::UserAgent) => {
                self.user_agent = true;
                evidence.robots_txt += 1;
            }
            Some(Vote::Allow | Vote::Robots) if self.user_agent => evidence.robots_txt += 1,
            Some(Vote::Allow | Vote::Robots) => {}
            None => self.markdown |= value.is_empty() && is_known(key),
        }
    }

    /// The format with the most votes, and true if a hint was needed.
    fn format(&self, hints: &Hints<'_>) -> (Format, bool) {
        // Sections in brackets together with a site name are another dialect.
        if self.evidence.bits & BRACKETS != 0 && self.site_name {
            return (Format::Unknown, false);
        }
        if let Some((format, _)) = winner(&self.evidence, 2) {
            return (format, false);
        }
        // One vote instead of two: the URL decides.
        let expected: &[Format] = if hints.path_ends_with("/agents.txt") {
            &[Format::AgentsTxt, Format::AgentsTxt01]
        } else if hints.path_ends_with("/robots.txt") {
            &[Format::RobotsTxt]
        } else {
            &[]
        };
        match winner(&self.evidence, 1) {
            Some((format, _)) if expected.contains(&format) => (format, true),
            _ => (Format::Unknown, false),
        }
    }
}

/// The meaning of a key for the detection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Vote {
    AgentsTxt,
    AgentsTxt01,
    UserAgent,
    Robots,
    Allow,
    SiteName,
}

/// The keys of both agents.txt formats that vote. Those of robots.txt also vote
/// ([`robots_txt::line::NAMES`]).
const KEYS: [(&str, Vote); 11] = [
    ("Spec-Version", Vote::AgentsTxt),
    ("Site-URL", Vote::AgentsTxt),
    ("Capability", Vote::AgentsTxt),
    ("Declaration-Type", Vote::AgentsTxt),
    ("Operates-On", Vote::AgentsTxt),
    ("Site-Name", Vote::SiteName),
    ("site", Vote::AgentsTxt01),
    ("url", Vote::AgentsTxt01),
    ("flow", Vote::AgentsTxt01),
    ("session-ttl", Vote::AgentsTxt01),
    ("audit", Vote::AgentsTxt01),
];

const VOTES: usize = KEYS.len() + robots_txt::line::NAMES.len();

static NAMES: Names<Vote, VOTES, 128> = Names::of(&votes());

#[allow(clippy::indexing_slicing)] // Runs only when the program is compiled.
const fn votes() -> [(&'static str, Vote); VOTES] {
    let mut votes = [("", Vote::Robots); VOTES];
    let mut i = 0;
    while i < VOTES {
        votes[i] = if i < KEYS.len() {
            KEYS[i]
        } else {
            let (name, key) = robots_txt::line::NAMES[i - KEYS.len()];
            let vote = match key {
                Key::UserAgent => Vote::UserAgent,
                Key::Allow => Vote::Allow,
                _ => Vote::Robots,
            };
            (name, vote)
        };
        i += 1;
    }
    votes
}

#[inline]
fn vote(key: &[u8]) -> Option<Vote> {
    // The lookup treats NUL as the blank of `user agent`, the fifth byte.
    NAMES
        .find(key)
        .copied()
        .filter(|vote| *vote != Vote::UserAgent || key.get(4) != Some(&0))
}

/// True if the value of an `Allow` is a path, as in robots.txt; otherwise it is the name of a
/// capability.
fn is_path(value: &[u8]) -> bool {
    value.is_empty() || matches!(value, [b'/' | b'*', ..])
}

/// True if a heading opens a section that agents.md defines.
fn is_known(name: &[u8]) -> bool {
    // The known names begin with these letters, or with a symbol; most lines do not.
    let may_begin = |first: &u8| {
        !first.is_ascii_alphabetic() || matches!(first.to_ascii_lowercase(), b'b' | b'c' | b'm')
    };
    name.first().is_some_and(may_begin) && section_kind(Text::plain(name)) != SectionKind::Other
}

/// A heading without blanks at its ends and without closing `#`s.
fn trim_closing(mut name: &[u8]) -> &[u8] {
    while let [rest @ .., b'#' | b' ' | b'\t'] = name {
        name = rest;
    }
    trim(name)
}

/// The weight of the evidence for agents.md: the kinds of its sections, one bit each, and true if
/// its front matter has a gateway.
fn signs_of(kinds: u8, gateway: bool) -> u32 {
    let has = |kinds_of: &[SectionKind]| {
        kinds_of
            .iter()
            .filter(|&&kind| kinds >> kind as u8 & 1 != 0)
            .count() as u32
    };
    let strong =
        has(&[SectionKind::Can, SectionKind::Cannot, SectionKind::Mcp]) + u32::from(gateway);
    strong * 2 + has(&[SectionKind::Behavior, SectionKind::Contact])
}

fn found(format: Format, bits: u64, by_hint: bool) -> Detection {
    Detection {
        format,
        evidence: Evidence {
            bits,
            ..Evidence::default()
        },
        by_hint,
    }
}

/// The format if Markdown decides: front matter, or a title and known sections. `votes` are the
/// votes for another format.
fn markdown_format(text: &[u8], hints: &Hints<'_>, votes: u32) -> Option<Detection> {
    let (front, yaml, start) = front_matter(text);
    let (mut title, mut quote, mut links, mut kinds) = (false, false, false, 0_u8);
    let mut item = false;
    // Comments of another format can look like headings; then its votes decide.
    let decided = |signs: u32| signs >= 2 && signs > votes;
    for block in Blocks::new(text.get(start..).unwrap_or_default(), Limits::MAX_DEPTH) {
        let top = block.depth == 0 && block.quotes == 0;
        match block.kind {
            Kind::Heading(1) if top => title = true,
            Kind::Heading(2) if top => {
                kinds |= 1 << section_kind(block.text) as u8;
                // More sections cannot change the result.
                if decided(signs_of(kinds, false)) {
                    return Some(found(Format::AgentsMd, MARKDOWN, false));
                }
            }
            Kind::Paragraph => links |= item && block.text.raw().starts_with(b"["),
            _ => {}
        }
        quote |= title && block.quotes > 0;
        item = block.kind == Kind::Item;
    }
    let gateway = front == FrontMatter::Closed
        && yaml::entries(yaml.slice(text), Limits::MAX_DEPTH)
            .any(|(key, _)| key.text.eq_ignore_case("mcp"));
    let signs = signs_of(kinds, gateway);
    if decided(signs) {
        return Some(found(Format::AgentsMd, MARKDOWN, false));
    }
    if votes > 0 {
        return None;
    }
    if hints.path_ends_with("/agents.md") && (signs > 0 || title) {
        return Some(found(Format::AgentsMd, MARKDOWN, true));
    }
    if title && links && (quote || hints.path_ends_with("/llms.txt")) {
        return Some(found(Format::LlmsTxt, LLMS, !quote));
    }
    None
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::String;

    fn format(text: &str) -> Format {
        text_format(text.as_bytes(), &Hints::default()).format
    }

    #[test]
    fn nul_is_not_a_blank_in_a_key() {
        assert_eq!(format("user agent: *\nDisallow: /x\n"), Format::RobotsTxt);
        assert_eq!(format("user\0agent: *\nDisallow: /x\n"), Format::Unknown);
    }

    #[test]
    fn nothing_behind_the_beginning_is_looked_at() {
        let fields = "Site-URL: https://a.example\nCapability: x\n";
        for (before, lines) in [("a: b\n", 62), ("\n", 510), ("# a\n", 510)] {
            let text = |lines: usize| before.repeat(lines) + fields;
            assert_eq!(format(&text(lines)), Format::AgentsTxt, "{before}");
            assert_eq!(format(&text(lines + 1)), Format::Unknown, "{before}");
        }
        let long = |length: usize| String::from("# ") + &"x".repeat(length) + "\n" + fields;
        assert_eq!(format(&long(BEGINNING - 100)), Format::AgentsTxt);
        assert_eq!(format(&long(BEGINNING)), Format::Unknown);
    }

    #[test]
    fn what_only_looks_like_markdown_leaves_the_votes_to_the_lines_below() {
        let text = "```\n## Can\n```\na\nb\nc\nd\nSite-URL: https://a.example\nCapability: x\n";
        assert_eq!(format(text), Format::AgentsTxt);
    }
}
