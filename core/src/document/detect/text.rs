//! Detects the format of a text from the keys of its first lines, or from its Markdown.
//!
//! Each key that only one format has is a sign of that format, once, however often it occurs. The
//! format with the most signs wins; a tie is unknown. Reading stops when the first lines are clear
//! ([`Count::is_settled`]), so only a few lines of most robots.txt and Markdown documents are read.
//! The same lines show whether the document could be Markdown; only then are its blocks read
//! ([`markdown_format`]). Text after [`BEGINNING`] is not read.

mod keys;

use super::members::vocabulary_signs;
use super::{Detection, Evidence, Hints, is_foreign, letters};
use crate::Limits;
use crate::format::agents_md::{FrontMatter, SectionKind, front_matter, section_kind};
use crate::format::agents_txt_01::{read_truth, split_flow};
use crate::format::robots_txt;
use crate::format::{Format, agents_txt, agents_txt_01};
use crate::rules::signs::signs;
use crate::scan;
use crate::syntax::line::{Content, Letters, Singly, Sweep};
use crate::syntax::markdown::{Blocks, Kind, may_hold_link};
use crate::syntax::text::{Text, trim};
use crate::syntax::yaml;
use keys::{Vote, find};

signs! {
    SIGNS of u64:
    SPEC_VERSION = 0 "field Spec-Version",
    SITE_URL = 1 "field Site-URL",
    CAPABILITY = 2 "field Capability",
    DECLARATION_TYPE = 3 "field Declaration-Type",
    OPERATES_ON = 4 "field Operates-On",
    SITE = 5 "field Site",
    URL = 6 "field URL",
    FLOW = 7 "field Flow",
    SESSION_TTL = 8 "field Session-TTL",
    AUDIT = 9 "field Audit",
    ALLOW_NAME = 10 "field Allow with a name",
    USER_AGENT = 11 "field User-agent",
    ALLOW = 12 "field Allow after User-agent",
    DISALLOW = 13 "field Disallow after User-agent",
    SITEMAP = 14 "field Sitemap after User-agent",
    CRAWL_DELAY = 15 "field Crawl-delay after User-agent",
    CONTACT = 16 "field Contact",
    EXPIRES = 17 "field Expires",
    ENCRYPTION = 18 "field Encryption",
    ACKNOWLEDGMENTS = 19 "field Acknowledgments",
    PREFERRED_LANGUAGES = 20 "field Preferred-Languages",
    CANONICAL = 21 "field Canonical",
    POLICY = 22 "field Policy",
    HIRING = 23 "field Hiring",
    PROTOCOLS = 24 "field Protocols",
    AUTHORIZATION = 25 "field Authorization",
    MCP = 26 "field MCP",
    SKILLS = 27 "field Skills",
    A2A = 28 "field A2A",
    UCP = 29 "field UCP",
    WEBMCP = 30 "field WebMCP",
    STANDARD = 31 "a comment with the standard agents-txt.com",
    OTHER_VOCABULARY = 32 "a mark of another vocabulary",
    BRACKETS = 33 "sections in brackets",
    MARKDOWN = 34 "front matter or known sections",
    LLMS = 35 "a title, a quote and lists of links",
    DIALECT = 36 "the header or the standard of another agents.txt",
    PREFERENCE = 37 "field Content-Signal, Content-Usage or Agentmap",
    AUTH = 38 "a title auth.md, or words of agent registration",
}

const DRAFT: u64 = SPEC_VERSION | SITE_URL | CAPABILITY | DECLARATION_TYPE | OPERATES_ON;
const LEGACY: u64 = SITE | URL | FLOW | SESSION_TTL | AUDIT | ALLOW_NAME;
const ROBOTS: u64 = USER_AGENT | ALLOW | DISALLOW | SITEMAP | CRAWL_DELAY | PREFERENCE;
const SECURITY: u64 = CONTACT
    | EXPIRES
    | ENCRYPTION
    | ACKNOWLEDGMENTS
    | PREFERRED_LANGUAGES
    | CANONICAL
    | POLICY
    | HIRING;
const AGENTS_TXT_COM: u64 =
    PROTOCOLS | AUTHORIZATION | MCP | SKILLS | A2A | UCP | WEBMCP | STANDARD;

/// The signs that [`Evidence`] counts for each format.
pub(super) const VOCABULARIES: &[(Format, u64)] = &[
    (Format::AgentsTxt, DRAFT),
    (Format::AgentsTxt01, LEGACY),
    (Format::RobotsTxt, ROBOTS),
    (Format::SecurityTxt, SECURITY),
    (Format::AgentsTxtCom, AGENTS_TXT_COM),
];

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
    let text = text.get(robots_txt::byte_order_marks(text)..).unwrap_or_default();
    let mut lines = Sweep::<Singly>::starting_at(text, 0);
    let mut count = Count {
        // Front matter is Markdown.
        markdown: text.starts_with(b"---"),
        ..Count::default()
    };
    let expects_markdown = hints.is_agents_md() || hints.is_llms_txt() || hints.is_auth_md();
    count.lines(&mut lines, !expects_markdown);
    let votes = count.winner().map_or(0, |(_, most)| most);
    let votes = if votes < 2 { 0 } else { votes };
    let looks_like_markdown = count.markdown || expects_markdown || count.is_cut() && votes == 0;
    if looks_like_markdown && !count.has(OTHER_VOCABULARY) {
        if let Some((format, sign, by_hint)) = markdown_format(text, hints, votes) {
            return Detection { format, evidence: count.evidence(sign), by_hint };
        }
        // It only looked like Markdown; the other lines can still count.
        count.lines(&mut lines, false);
    }
    let (format, by_hint) = count.format(hints);
    Detection { format, evidence: count.evidence(0), by_hint }
}

/// A set of hashed keys. Two keys can have the same hash, so the count can be too small.
#[derive(Clone, Copy, Default)]
struct Keys(u64);

impl Keys {
    fn of(key: &[u8]) -> Self {
        let hash = key.iter().fold(0_u32, |hash, octet| {
            hash.wrapping_mul(31).wrapping_add(u32::from(octet.to_ascii_lowercase()))
        });
        Self(1 << (hash.wrapping_mul(0x9E37_79B1) >> 26))
    }

    const fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// The signs of the lines.
#[derive(Default)]
struct Count {
    signs: u64,
    /// The keys without a sign: of the draft and of agents.txt 0.1.0, a bit each by their numbers,
    /// and of neither.
    draft: u32,
    legacy: u32,
    unknown: Keys,
    /// True if a line looks like Markdown, so that the Markdown blocks must be read.
    markdown: bool,
    /// True if the next line is in a code fence.
    fenced: bool,
    user_agent: bool,
    site_name: bool,
    /// True if a key that is not a sign belongs only to agents.txt 0.1.0, or only to the draft.
    legacy_only: bool,
    draft_only: bool,
    /// True if a field that is a sign of the draft has a value that fits the draft.
    is_draft: bool,
    /// True if the value of a crawler rule is not a path, as in other vocabularies.
    odd_rule: bool,
    /// The numbers of lines, of fields, and of lines of prose.
    lines: u32,
    fields: u32,
    prose: u32,
}

impl Count {
    fn has(&self, signs: u64) -> bool {
        self.signs & signs == signs
    }

    fn count(&self, signs: u64) -> u32 {
        (self.signs & signs).count_ones()
    }

    fn evidence(&self, sign: u64) -> Evidence {
        Evidence { lines: self.signs | sign, ..Evidence::default() }
    }

    /// Reads the lines up to the limits. With `stops`, only until they are
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

    /// True if the first lines are sufficient: two signs of robots.txt, none of another format, and
    /// no line like Markdown; or a line like Markdown and no sign. Never true for agents.txt: its
    /// keys are common words, and a later line can have the mark of another vocabulary.
    fn is_settled(&self) -> bool {
        if self.fields + self.prose < FIRST {
            return false;
        }
        const OTHERS: u64 = DRAFT | LEGACY | OTHER_VOCABULARY | BRACKETS | STANDARD | DIALECT;
        if self.markdown {
            self.signs & (DRAFT | LEGACY | ROBOTS) == 0
        } else {
            self.signs & OTHERS == 0 && self.count(ROBOTS) >= 2 && !self.odd_rule
        }
    }

    fn comment(&mut self, comment: &[u8]) {
        if let [b'#', name @ ..] = comment {
            self.markdown |= matches!(name, [b' ' | b'\t', ..]) && is_known(trim_closing(name));
        } else if scan::find(comment, b"ADP/1.").is_some() {
            self.signs |= OTHER_VOCABULARY;
        } else {
            self.markdown |= is_auth_title(trim(comment));
            self.signs |= standard_in(comment);
        }
    }

    /// Records the header of another vocabulary, such as `ADP/1.0`, in the first line.
    fn header(&mut self, line: &[u8]) {
        if self.fields + self.prose == 0 && is_header(line) {
            self.signs |= DIALECT;
        }
    }

    fn prose(&mut self, text: &[u8]) {
        self.header(text);
        self.prose += 1;
        match text {
            [b'[', .., b']'] => self.signs |= BRACKETS,
            [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..] => self.fenced = !self.fenced,
            [b'-' | b'*' | b'+', b' ', b'[', ..] => self.markdown = true,
            // The line may be the name of a section, which the next line underlines.
            _ => self.markdown |= is_known(text),
        }
    }

    #[inline(never)] // Keeps its buffers off the stack of its callers.
    fn field(&mut self, key: &[u8], value: &[u8]) {
        self.header(key);
        self.fields += 1;
        match key {
            [b'a'..=b'z' | b'A'..=b'Z', ..] => {}
            [b'[', ..] if value.ends_with(b"]") => self.signs |= BRACKETS,
            [b'-' | b'*' | b'+', b' ', b'[', ..] => self.markdown = true,
            [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..] => self.fenced = !self.fenced,
            _ => {}
        }
        if self.fenced {
            return;
        }
        let letters = Letters::of(key).unwrap_or(Letters::NONE);
        let draft = agents_txt::keys::number(letters);
        let signs = match find(letters, key) {
            Some(Vote::Sign(FLOW)) if split_flow(value).0.len() == value.len() => 0,
            Some(Vote::Sign(AUDIT)) if read_truth(value).is_none() => 0,
            Some(Vote::Sign(sign)) => sign,
            // After a User-agent line, such an `Allow` is a rule that matches nothing.
            Some(Vote::Rule(ALLOW)) if !self.user_agent && is_name(value) => ALLOW_NAME,
            Some(Vote::Rule(rule)) if self.user_agent => {
                self.odd_rule |= rule & (ALLOW | DISALLOW) != 0 && !is_path(value);
                rule
            }
            Some(Vote::Rule(_)) => return,
            Some(Vote::SiteName) => {
                self.site_name = true;
                0
            }
            None if value.starts_with(b"ADP/1.") || draft.is_none() && is_foreign(key) => {
                OTHER_VOCABULARY
            }
            None => {
                self.markdown |= value.is_empty() && is_known(key);
                standard(key, value)
            }
        };
        self.is_draft |= match signs {
            SPEC_VERSION => value.starts_with(b"1."),
            SITE_URL | OPERATES_ON => scan::find(value, b"://").is_some(),
            CAPABILITY => !value.is_empty() && !value.contains(&b' '),
            DECLARATION_TYPE => {
                value.eq_ignore_ascii_case(b"platform") || value.eq_ignore_ascii_case(b"agent")
            }
            _ => false,
        };
        self.user_agent |= signs == USER_AGENT;
        self.signs |= signs;
        if signs & (DRAFT | LEGACY | ROBOTS) == 0 {
            use agents_txt_01::Field::{self, AgentsJson, AuditEndpoint, FlowDescription};
            let legacy = Field::of_packed(letters);
            self.legacy_only |=
                matches!(legacy, Some((_, AgentsJson | AuditEndpoint | FlowDescription)));
            self.draft_only |= draft.is_some() && legacy.is_none();
            let bit = |number: usize| 1_u32.wrapping_shl(number as u32);
            self.draft |= draft.map_or(0, bit);
            self.legacy |= legacy.map_or(0, |(number, _)| bit(number));
            if signs == 0 && draft.is_none() && legacy.is_none() {
                self.unknown.0 |= Keys::of(key).0;
            }
        }
    }

    /// The supported format with the most signs, and their number; `None` after a tie.
    fn winner(&self) -> Option<(Format, u32)> {
        let is_ours = self.count(OTHER_VOCABULARY | STANDARD | DIALECT) == 0;
        let (mut best, mut most) = (None, 0);
        for (format, signs, is_possible) in [
            (Format::AgentsTxt, DRAFT, is_ours),
            (Format::AgentsTxt01, LEGACY, is_ours),
            (Format::RobotsTxt, ROBOTS, !self.has(OTHER_VOCABULARY)),
        ] {
            let count = if is_possible { self.count(signs) } else { 0 };
            if count > most {
                (best, most) = (Some(format), count);
            } else if count == most {
                best = None;
            }
        }
        Some((best?, most))
    }

    /// The format with the most signs, and true if a hint was needed.
    fn format(&self, hints: &Hints<'_>) -> (Format, bool) {
        let unknown = (Format::Unknown, false);
        // Sections in brackets together with a site name are another dialect.
        if self.has(BRACKETS) && self.site_name {
            return unknown;
        }
        let com = self.count(AGENTS_TXT_COM);
        if com >= 2 && (self.has(STANDARD) || com >= 3 && com > self.unknown.count()) {
            return (Format::AgentsTxtCom, false);
        }
        let winner = self.winner();
        let most = winner.map_or(0, |(_, most)| most);
        let has_security = self.has(CONTACT | EXPIRES)
            || self.has(CONTACT | PREFERRED_LANGUAGES) && self.count(SECURITY) >= 3;
        if has_security && self.count(SECURITY) > most {
            return (Format::SecurityTxt, false);
        }
        let Some((format, count)) = winner else {
            let is_security = self.has(CONTACT) && hints.path_ends_with("/security.txt");
            return if is_security && self.count(DRAFT | LEGACY | ROBOTS) == 0 {
                (Format::SecurityTxt, true)
            } else {
                unknown
            };
        };
        let others = self.unknown.count() + self.count((SECURITY | AGENTS_TXT_COM) & !CONTACT);
        // At the format's own path, one sign is enough. The signs of agents.txt 0.1.0 are common
        // words, so two are not enough: most keys must belong to it, unless all required keys are
        // present, and one key must be only its own, unless no key belongs to another format.
        let is_legacy = self.legacy_only || self.count(LEGACY & !(SITE | URL)) > 0;
        let has_required = self.has(SITE | URL | ALLOW_NAME);
        let (is_enough, is_enough_there) = match format {
            Format::AgentsTxt => (
                count >= 2,
                hints.path_ends_with("/agents.txt")
                    && self.is_draft
                    && count + self.draft.count_ones() > others,
            ),
            Format::AgentsTxt01 => (
                count >= 2
                    && (has_required || count + self.legacy.count_ones() > others)
                    && (is_legacy || others == 0 && !self.draft_only),
                false,
            ),
            _ => (count >= 2, hints.path_ends_with("/robots.txt")),
        };
        if is_enough || is_enough_there { (format, !is_enough) } else { unknown }
    }
}

/// True if the value of an `Allow` is a path, as in robots.txt; otherwise it is the name of a
/// capability.
fn is_path(value: &[u8]) -> bool {
    value.is_empty() || matches!(value, [b'/' | b'*', ..])
}

/// True if the value of an `Allow` can name a capability: no path, and no methods of HTTP.
fn is_name(value: &[u8]) -> bool {
    let is_method = |octet: &u8| octet.is_ascii_uppercase() || b", ".contains(octet);
    !is_path(value) && !value.iter().all(is_method)
}

/// True if the first line is the name of a vocabulary with its version: `ADP/1.0`.
fn is_header(line: &[u8]) -> bool {
    let Some((name, [b'/', first, ..])) =
        line.iter().position(|octet| *octet == b'/').and_then(|at| line.split_at_checked(at))
    else {
        return false;
    };
    let is_word = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_' | b'.');
    first.is_ascii_digit()
        && matches!(name, [b'a'..=b'z' | b'A'..=b'Z', rest @ ..] if rest.iter().all(is_word))
}

/// The sign of a field, or of a comment like a field, that names a standard or a schema.
fn standard(key: &[u8], value: &[u8]) -> u64 {
    // All of these words begin with this letter.
    if letters(key).next() != Some(b's') {
        return 0;
    }
    let is = |name: &[u8]| letters(key).eq(name.iter().copied());
    let is_schema = is(b"schema") || is(b"spec") || is(b"specification");
    if !(is(b"standard") && !value.is_empty() || is_schema && scan::find(value, b"://").is_some()) {
        return 0;
    }
    match vocabulary_signs(value) {
        crate::rules::signs::AGENTS_TXT_COM => STANDARD,
        0 => 0,
        _ => DIALECT,
    }
}

/// The sign of a comment with the URL of a standard, alone or after a word such as `Standard:`.
fn standard_in(comment: &[u8]) -> u64 {
    let has = |part| scan::find(comment, part).is_some();
    if has(b"agents-txt.com") && (has(b"tandard") || !comment.contains(&b' ')) {
        return STANDARD;
    }
    let colon = comment.iter().position(|octet| *octet == b':');
    match colon.and_then(|at| comment.split_at_checked(at)) {
        Some((key, [b':', value @ ..])) if has(b"://") => standard(key, trim(value)),
        _ => 0,
    }
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

/// The signs of agents.md.
#[derive(Clone, Copy, Default)]
struct Sections {
    /// The kinds of its sections, one bit each.
    kinds: u8,
    /// True if its front matter has a gateway.
    gateway: bool,
    /// True if there are sections of other kinds.
    has_others: bool,
}

impl Sections {
    /// The weight of the signs, and true if one of them occurs only in agents.md. Without such a
    /// sign, a section of another kind shows that the document is not an agents.md.
    fn signs(self) -> (u32, bool) {
        use SectionKind::{Behavior, Can, Cannot, Contact, Mcp};
        let has = |kind: SectionKind| u32::from(self.kinds >> kind as u8 & 1 != 0);
        let own = has(Can) + has(Cannot) + u32::from(self.gateway);
        let shared = has(Mcp) * 2 + has(Behavior) + has(Contact);
        (own * 2 + shared, own > 0)
    }
}

/// True if a line of a section is a key of the gateway, `endpoint` or `auth`, also in a list, in
/// bold letters or in quotes.
fn has_gateway_key(text: &[u8]) -> bool {
    text.split(|octet| matches!(octet, b'\n' | b'\r')).any(|line| {
        let marks = |octet: &u8| !b"-*_\"'` \t".contains(octet);
        let key = line.iter().position(marks).and_then(|at| line.get(at..));
        let behind = key.and_then(|key| {
            let endpoint = key.split_at_checked(8);
            match endpoint.filter(|(name, _)| name.eq_ignore_ascii_case(b"endpoint")) {
                Some((_, behind)) => Some(behind),
                None => key.strip_prefix(b"auth"),
            }
        });
        behind.is_some_and(|behind| behind.iter().find(|&octet| marks(octet)) == Some(&b':'))
    })
}

/// True if a title names the format auth.md.
fn is_auth_title(title: &[u8]) -> bool {
    let begins = title.split_at_checked(7).is_some_and(|(name, behind)| {
        name.eq_ignore_ascii_case(b"auth.md")
            && !behind.first().is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'/')
    });
    begins || title.ends_with(b"(auth.md)")
}

/// True if a text has a word of the registration of agents, as few other texts about authentication.
fn speaks_of_registration(text: &[u8]) -> bool {
    let words: [&[u8]; 4] =
        [b"agent_auth", b"oauth-protected-resource", b"register_uri", b"identity_endpoint"];
    words.iter().any(|word| scan::find(text, word).is_some())
}

/// The format if Markdown decides, its sign, and true if a hint was needed: front matter, or a
/// title and known sections. `votes` are the signs of another format.
fn markdown_format(text: &[u8], hints: &Hints<'_>, votes: u32) -> Option<(Format, u64, bool)> {
    let (front, yaml, start) = front_matter(text);
    let (mut title, mut quote, mut links) = (false, false, false);
    let mut is_auth = false;
    let mut sections = Sections::default();
    let (mut item, mut section) = (false, SectionKind::Other);
    // Signs of an llms.txt: any heading and any link; and a quote right below the title.
    let (mut heading, mut link, mut summary, mut below_title) = (false, false, false, false);
    // Comments of another format can look like headings; then its votes decide.
    let is_enough = |signs: u32| signs >= 2 && signs > votes;
    let mut blocks = Blocks::new(text.get(start..).unwrap_or_default(), Limits::MAX_DEPTH);
    loop {
        if links && section != SectionKind::Mcp {
            blocks.pass_plain_items();
        }
        let Some(block) = blocks.next() else { break };
        let top = block.depth == 0 && block.quotes == 0;
        let is_title = top && block.kind == Kind::Heading(1);
        summary |= core::mem::replace(&mut below_title, is_title) && block.quotes > 0;
        heading |= top && matches!(block.kind, Kind::Heading(_));
        match block.kind {
            Kind::Heading(1) if top => {
                is_auth |= !title && is_auth_title(block.text.raw());
                title = true;
            }
            Kind::Heading(2) if top => {
                section = section_kind(block.text);
                sections.has_others |= section == SectionKind::Other;
                if section != SectionKind::Mcp {
                    sections.kinds |= 1 << section as u8;
                }
            }
            Kind::Paragraph if may_hold_link(block.text.raw()) => {
                links |= item && (summary || block.text.raw().starts_with(b"["));
                link = true;
            }
            _ => {}
        }
        // Other files also have an MCP section, but without these keys.
        if section == SectionKind::Mcp && has_gateway_key(block.text.raw()) {
            sections.kinds |= 1 << section as u8;
        }
        // More sections cannot change the result.
        let (signs, is_own) = sections.signs();
        if is_own && is_enough(signs) {
            return Some((Format::AgentsMd, MARKDOWN, false));
        }
        quote |= title && block.quotes > 0;
        item = block.kind == Kind::Item;
    }
    sections.gateway = front == FrontMatter::Closed
        && yaml::entries(yaml.slice(text), Limits::MAX_DEPTH)
            .any(|(key, _)| key.text.eq_ignore_case("mcp"));
    let (signs, is_own) = sections.signs();
    let is_other = sections.has_others || hints.is_for_coding_agents();
    if is_enough(signs) && (is_own || !is_other) {
        return Some((Format::AgentsMd, MARKDOWN, false));
    }
    if votes > 0 {
        return None;
    }
    if is_auth || title && hints.is_auth_md() && speaks_of_registration(text) {
        return Some((Format::AuthMd, AUTH, !is_auth));
    }
    if hints.is_agents_md() && (signs > 0 || title) {
        return Some((Format::AgentsMd, MARKDOWN, true));
    }
    let is_clear = title && links && quote;
    if is_clear || heading && link && hints.is_llms_txt() {
        return Some((Format::LlmsTxt, LLMS, !is_clear));
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
