//! What a text is: by the structure of its Markdown, or by the keys of its lines.
//!
//! The lines vote first, for that costs little. On the way they show whether there could be Markdown that decides, and only then is it read
//! as such. So a clean agents.txt or robots.txt is known after its first lines.
//!
//! A build that does not read agents.md has no reader of Markdown for parsing: there, the headings of its lines are enough to name what is not
//! built in ([`headings`]). [`detect`](super::detect) always reads the Markdown.
//!
//! A reader of a format in lines can count while it reads, so that the lines are not gone over twice: [`guess`] says which format the first of them
//! speak for, [`Count::known`] and [`Count::line`] take every line, and [`Count::settles`] says whether the guess was right.

use super::{BRACKETS, Detection, Evidence, Hints, LLMS, MARKDOWN};
use crate::Limits;
use crate::format::Format;
use crate::format::agents_md::{FrontMatter, SectionKind, front_matter, section_kind};
use crate::scan;
use crate::syntax::fold::blanks_len;
use crate::syntax::line::{self, Content, Line, Lines, Names, Singly, Sweep, Whole};
use crate::syntax::markdown::{Blocks, Kind};
use crate::syntax::text::{Text, trim};
use crate::syntax::yaml;

/// How many field lines vote.
pub(crate) const VOTERS: u32 = 64;

/// How many lines are looked at for them: prose has none.
const LINES: u32 = 512;

/// How many lines, and line ends, are looked at for a guess.
const GUESSED: u32 = 16;

/// How many bytes are read as Markdown.
pub(crate) const MARKDOWN_BYTES: usize = 64 << 10;

/// The letters with which no key begins that votes, nor a section that is known, as a set of their low five bits. An indented line that begins with
/// one of them is passed as a field that does not vote.
pub(crate) const SILENT: u32 = !letters(b"abcdfmosu");

const fn letters(text: &[u8]) -> u32 {
    let mut set = 0;
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        set |= 1 << (*first & 31);
        rest = tail;
    }
    set
}

/// How Markdown is looked at that may decide, against so many votes for another format.
pub(crate) type LookAtMarkdown =
    fn(body: &[u8], hints: &Hints<'_>, votes: u32) -> Option<Detection>;

/// What parsing needs.
pub(crate) const FOR_PARSING: LookAtMarkdown = if Format::AgentsMd.is_built_in() {
    markdown_format
} else {
    headings
};

/// The format of a text: `body` is a document, or its beginning, without byte order mark.
pub(crate) fn text_format(
    body: &[u8],
    hints: &Hints<'_>,
    look_at_markdown: LookAtMarkdown,
) -> Detection {
    let mut count = Count::new(body);
    count.lines(body);
    let Count {
        evidence,
        site_name,
        ..
    } = count;
    let by_keys = winner(&evidence, 2);
    if count.markdown || expects_markdown(hints) || (count.cut && by_keys.is_none()) {
        let votes = by_keys.map_or(0, |(_, votes)| votes);
        if let Some(found) = look_at_markdown(body, hints, votes) {
            return Detection {
                evidence: Evidence {
                    bits: evidence.bits | found.evidence.bits,
                    ..evidence
                },
                ..found
            };
        }
    }
    if evidence.bits & BRACKETS != 0 && site_name {
        return Detection {
            format: Format::Unknown,
            evidence,
            by_hint: false,
        };
    }
    if let Some((format, _)) = by_keys {
        return Detection {
            format,
            evidence,
            by_hint: false,
        };
    }
    // One vote where two are needed: the place where it was found decides.
    let expected: &[Format] = if hints.path_ends_with("/agents.txt") {
        &[Format::AgentsTxt, Format::AgentsTxt01]
    } else if hints.path_ends_with("/robots.txt") {
        &[Format::RobotsTxt]
    } else {
        &[]
    };
    let format = winner(&evidence, 1)
        .map(|(format, _)| format)
        .filter(|format| expected.contains(format))
        .unwrap_or(Format::Unknown);
    Detection {
        format,
        evidence,
        by_hint: format != Format::Unknown,
    }
}

/// Whether a document is found where Markdown is expected.
fn expects_markdown(hints: &Hints<'_>) -> bool {
    hints.path_ends_with("/agents.md") || hints.path_ends_with("/llms.txt")
}

/// The format that the first lines speak for, where a reader of it can count the votes of the others: a key that only one format has, behind nothing
/// but comments and empty lines. Looks at a few lines.
///
/// Front matter, or prose behind a comment that may be a heading, speaks for an agents.md.
pub(crate) fn guess(text: &[u8]) -> Option<Format> {
    if text.starts_with(b"---") {
        return Some(Format::AgentsMd);
    }
    let (mut rest, mut titled) = (text, false);
    for _ in 0..GUESSED {
        let line = rest.get(blanks_len(rest)..)?;
        match line {
            [] => break,
            [b'\n' | b'\r', below @ ..] => rest = below,
            [b'#', ..] => {
                titled = true;
                rest = line.get(scan::line_end(line)..)?;
            }
            _ => {
                // Without a colon it is prose, which is no key.
                let key = line::trim_end(line.get(..scan::key_end(line))?);
                return match vote(key) {
                    Vote::AgentsTxt | Vote::SiteName => Some(Format::AgentsTxt),
                    Vote::AgentsTxt01 => Some(Format::AgentsTxt01),
                    Vote::Nothing => titled.then_some(Format::AgentsMd),
                    _ => None,
                };
            }
        }
    }
    None
}

/// The format with at least so many votes, and twice those of the runner-up.
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

/// What the lines show.
pub(crate) struct Count {
    evidence: Evidence,
    /// Whether some line looks like Markdown that could decide.
    markdown: bool,
    /// Whether not all lines were looked at.
    cut: bool,
    fenced: bool,
    user_agent: bool,
    site_name: bool,
    /// How many field lines may still vote, and how many lines are still looked at. Nothing counts once one of them is used up.
    voters: u32,
    left: u32,
}

impl Count {
    /// For a reader who [takes the lines](Self::line) of a document itself, or to [take them all](Self::lines).
    pub(crate) fn new(body: &[u8]) -> Self {
        // What could be front matter is Markdown from the start.
        let markdown = body.starts_with(b"---");
        let evidence = Evidence::default();
        Self {
            evidence,
            markdown,
            cut: false,
            fenced: false,
            user_agent: false,
            site_name: false,
            voters: VOTERS,
            left: LINES,
        }
    }

    /// For a reader who knows the format: nothing is counted.
    pub(crate) fn closed() -> Self {
        Self {
            left: 0,
            ..Self::new(b"")
        }
    }

    /// Whether lines still count.
    #[inline]
    pub(crate) const fn is_open(&self) -> bool {
        self.left != 0 && self.voters != 0
    }

    fn lines(&mut self, body: &[u8]) {
        let mut lines = Sweep::<Whole>::starting_at(body, 0);
        loop {
            if self.voters == 0 || self.left == 0 {
                self.cut = true;
                return;
            }
            self.left -= 1;
            if lines.pass_indented(SILENT).is_some() {
                self.voters -= 1;
                continue;
            }
            // What is frequent, and can be nothing else, is passed without a look at all of it.
            if lines.pass_key(b"disallow") {
                self.voters -= 1;
                self.evidence.robots_txt += u32::from(self.user_agent && !self.fenced);
                continue;
            }
            if let Some(has_colon) = lines.pass_item() {
                self.voters -= u32::from(has_colon);
                continue;
            }
            let Some(Line { content, .. }) = lines.next_untrimmed() else {
                return;
            };
            self.content(content);
        }
    }

    fn content(&mut self, content: Content<'_>) {
        match content {
            Content::Blank => {}
            Content::Comment([b'#', name @ ..]) => {
                self.markdown |= matches!(name, [b' ' | b'\t', ..]) && is_known(trim_closing(name))
            }
            Content::Comment(_) => {}
            Content::Malformed(text) => self.malformed(text),
            Content::Field { key, value } => {
                self.voters -= 1;
                self.field(key, value);
            }
        }
    }

    fn malformed(&mut self, text: &[u8]) {
        match text {
            [b'[', .., b']'] => self.evidence.bits |= BRACKETS,
            [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..] => self.fenced = !self.fenced,
            [b'-' | b'*' | b'+', b' ', b'[', ..] => self.markdown = true,
            // The name of a section, which the next line may underline.
            _ => self.markdown |= is_known(text),
        }
    }

    /// A field, of which the value is not trimmed.
    fn field(&mut self, key: &[u8], value: &[u8]) {
        if let [first @ (b'[' | b'-' | b'*' | b'+' | b'`' | b'~'), rest @ ..] = key {
            match (first, rest) {
                (b'[', _) if line::trim(value).ends_with(b"]") => self.evidence.bits |= BRACKETS,
                (b'-' | b'*' | b'+', [b' ', b'[', ..]) => self.markdown = true,
                (b'`', [b'`', b'`', ..]) | (b'~', [b'~', b'~', ..]) => self.fenced = !self.fenced,
                _ => {}
            }
        }
        self.cast(vote(key), key, || line::trim(value));
    }

    /// A field votes. Its value is seldom asked for.
    #[inline]
    fn cast<'v>(&mut self, vote: Vote, key: &[u8], value: impl Fn() -> &'v [u8]) {
        if self.fenced {
            return;
        }
        let evidence = &mut self.evidence;
        match vote {
            Vote::AgentsTxt => evidence.agents_txt += 1,
            Vote::SiteName => self.site_name = true,
            Vote::AgentsTxt01 => evidence.agents_txt_01 += 1,
            // Behind a User-agent line it is a rule, if one that matches nothing.
            Vote::Allow if !self.user_agent && !is_path(value()) => evidence.agents_txt_01 += 1,
            Vote::UserAgent => {
                self.user_agent = true;
                evidence.robots_txt += 1;
            }
            Vote::Allow | Vote::Robots if self.user_agent => evidence.robots_txt += 1,
            Vote::Nothing => self.markdown |= value().is_empty() && is_known(key),
            _ => {}
        }
    }

    /// Counts a line of a document that is being read: a field whose key is in the reader's own table, and so what it votes for
    /// ([`votes_of`]). The value is trimmed.
    #[inline]
    pub(crate) fn known(&mut self, vote: Vote, key: &[u8], value: &[u8]) {
        if self.is_open() {
            self.left -= 1;
            self.voters -= 1;
            self.cast(vote, key, || value);
        }
    }

    /// Counts any other line of the document `body`.
    #[inline]
    pub(crate) fn line(&mut self, line: &Line<'_>, body: &[u8]) {
        if self.is_open() {
            self.left -= 1;
            if !matches!(line.content, Content::Blank) {
                self.other(line.start, body);
            }
        }
    }

    /// Reads the line once more, which is seldom: so the reader need not keep it at hand for this.
    #[inline(never)]
    fn other(&mut self, start: usize, body: &[u8]) {
        let mut lines = Sweep::<Singly>::starting_at(body, start);
        // Passed, so that it counts as a field, though it need not be one.
        if lines.pass_indented(SILENT).is_some() {
            self.voters -= 1;
        } else if let Some(line) = lines.next_untrimmed() {
            self.content(line.content);
        }
    }

    /// Counts a line that was passed as one of those that begin with a [`SILENT`] letter.
    #[inline]
    pub(crate) fn silent(&mut self) {
        if self.is_open() {
            self.left -= 1;
            self.voters -= 1;
        }
    }

    /// Whether the lines that were counted show that the document is of this format, by its content alone: what [`text_format`] would find.
    pub(crate) fn settles(&self, format: Format, hints: &Hints<'_>) -> bool {
        let dialect = self.evidence.bits & BRACKETS != 0 && self.site_name;
        let by_keys = winner(&self.evidence, 2).map(|(format, _)| format);
        by_keys == Some(format) && !self.markdown && !dialect && !expects_markdown(hints)
    }
}

/// What a key speaks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vote {
    AgentsTxt,
    AgentsTxt01,
    UserAgent,
    Robots,
    Allow,
    SiteName,
    Nothing,
}

/// The keys that vote.
const VOTES: [(&str, Vote); 18] = [
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
    ("Allow", Vote::Allow),
    ("user-agent", Vote::UserAgent),
    ("useragent", Vote::UserAgent),
    ("user agent", Vote::UserAgent),
    ("Disallow", Vote::Robots),
    ("crawl-delay", Vote::Robots),
    ("sitemap", Vote::Robots),
];

static NAMES: Names<Vote, { VOTES.len() }, 64> = Names::of(&VOTES);

/// What the keys of a reader's own table vote for, in its order. For constants.
#[allow(clippy::indexing_slicing)] // Only when the program is compiled.
pub(crate) const fn votes_of<T, const N: usize>(table: &[(&str, T); N]) -> [Vote; N] {
    let mut votes = [Vote::Nothing; N];
    let mut i = 0;
    while i < N {
        let mut j = 0;
        while j < VOTES.len() {
            if table[i]
                .0
                .as_bytes()
                .eq_ignore_ascii_case(VOTES[j].0.as_bytes())
            {
                votes[i] = VOTES[j].1;
            }
            j += 1;
        }
        i += 1;
    }
    votes
}

#[inline]
fn vote(key: &[u8]) -> Vote {
    // A host's index takes NUL for the blank of `user agent`, the fifth octet.
    NAMES
        .find(key)
        .copied()
        .filter(|vote| *vote != Vote::UserAgent || key.get(4) != Some(&0))
        .unwrap_or(Vote::Nothing)
}

/// Whether the value of an `Allow` is a path, as in robots.txt, or the name of a capability.
fn is_path(value: &[u8]) -> bool {
    value.is_empty() || matches!(value, [b'/' | b'*', ..])
}

/// Whether a heading would open a section that agents.md knows.
fn is_known(name: &[u8]) -> bool {
    // With these letters the known names begin; most lines do not.
    matches!(name, [b'B' | b'b' | b'C' | b'c' | b'M' | b'm', ..])
        && section_kind(Text::plain(name)) != SectionKind::Other
}

/// A heading without its blanks and its closing `#`s.
fn trim_closing(mut name: &[u8]) -> &[u8] {
    while let [rest @ .., b'#' | b' ' | b'\t'] = name {
        name = rest;
    }
    trim(name)
}

/// What the headings of lines alone show.
fn headings(body: &[u8], hints: &Hints<'_>, votes: u32) -> Option<Detection> {
    let (mut title, mut kinds) = (false, 0_u8);
    for line in Lines::new(body.get(..MARKDOWN_BYTES).unwrap_or(body)) {
        match line.content {
            Content::Comment([b'#', name @ ..]) => {
                kinds |= 1 << section_kind(Text::plain(trim_closing(name))) as u8
            }
            Content::Comment(_) => title = true,
            _ => {}
        }
    }
    let signs = signs_of(kinds, false);
    let by_hint = hints.path_ends_with("/agents.md") && (signs > 0 || title);
    ((signs >= 2 && signs > votes) || (votes == 0 && by_hint))
        .then(|| found(Format::AgentsMd, MARKDOWN, signs < 2))
}

/// Whether sections of these kinds make an agents.md of a document that could be one, against at most so many votes for another format.
pub(crate) fn is_agents_md(kinds: u8, votes: u32) -> bool {
    let signs = signs_of(kinds, false);
    signs >= 2 && signs > votes
}

/// Whether a line has a key that speaks for a format; some of those that do not count everywhere are among them.
pub(crate) fn votes(line: &[u8]) -> bool {
    let line = trim(line);
    let is_silent = line
        .first()
        .is_none_or(|first| SILENT >> (first & 31) & 1 != 0);
    match scan::memchr(b':', line).filter(|_| !is_silent) {
        Some(colon) => vote(line::trim(line.get(..colon).unwrap_or_default())) != Vote::Nothing,
        None => false,
    }
}

/// What speaks for an agents.md: the kinds of its sections, one bit each, and whether its front matter names a gateway.
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

/// Whether Markdown decides: front matter, or a title and sections that are known, against so many `votes` for another format.
pub(crate) fn markdown_format(body: &[u8], hints: &Hints<'_>, votes: u32) -> Option<Detection> {
    let body = body.get(..MARKDOWN_BYTES).unwrap_or(body);
    let (front, yaml, start) = front_matter(body);
    let (mut title, mut quote, mut links, mut kinds) = (false, false, false, 0_u8);
    let mut item = false;
    // The comments of another format can look like headings: then its lines have more to say.
    let decided = |signs: u32| signs >= 2 && signs > votes;
    for block in Blocks::new(body.get(start..).unwrap_or_default(), Limits::MAX_DEPTH) {
        let top = block.depth == 0 && block.quotes == 0;
        match block.kind {
            Kind::Heading(1) if top => title = true,
            Kind::Heading(2) if top => {
                kinds |= 1 << section_kind(block.text) as u8;
                // More sections can only say the same.
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
        && yaml::entries(yaml.slice(body), Limits::MAX_DEPTH)
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
