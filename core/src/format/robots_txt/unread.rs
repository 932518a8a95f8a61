//! Finds the restrictions that a reader of robots.txt would read in a document of another format.
//!
//! A `Disallow` line is a restriction in any document. But a format without access rules keeps the
//! line as metadata or prose, and an unrecognized document is not read at all. Decisions use this
//! module so that the line still has an effect. The Internet-Draft reads such a line, but only if
//! its value is a pattern.

use super::line::{Field, Key, Line, Lines, trim};
use super::{Binding, Walk};
use crate::model::List;
use crate::model::list::{Cursor, states};
use crate::rules::near::names_disallow;
use crate::rules::user_agent::{AgentName, UserAgent};
use crate::rules::values::is_separator;
use crate::scan;
use crate::syntax::line::{is_break, is_mark, strip};
use crate::syntax::text::{Text, next_utf8};

/// How the lines of a document are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The format has no `Disallow` lines, or the document is not recognized.
    Other = 0,
    /// The Internet-Draft, which reads patterns in fields that have exactly this name.
    Draft = 1,
    /// Markdown, in which code blocks contain only examples.
    Markdown = 2,
    /// The Internet-Draft, if the caller keeps every value of such a field.
    Kept = 3,
    /// A robots.txt that is read as a document, in which only patterns restrict.
    Robots = 4,
}

states!(Kind: Other, Draft, Markdown, Kept, Robots);

states! {
    /// The state of a walk over the lines.
    struct Above {
        kind: Kind,
        /// The last field is a `Disallow` without a value.
        is_list: bool,
        /// The character of the fence that began the open code block, or 0 outside of code.
        fence: u32[7],
    }
}

impl Above {
    const fn new(kind: Kind) -> Self {
        Self { kind, is_list: false, fence: 0 }
    }

    /// A line as its author means it; one of a robots.txt stays as RFC 9309 reads it. In the draft,
    /// which has the field, every name that resembles `Disallow` is one.
    fn as_meant<'a>(self, line: Line<'a>) -> Line<'a> {
        if self.kind == Kind::Robots {
            return line;
        }
        let mut line = as_meant(line);
        let is_draft = matches!(self.kind, Kind::Draft | Kind::Kept);
        if is_draft
            && line.key == Key::Unknown
            && let Some(colon) = scan::memchr(b':', line.text)
            && let Some(name) = line.text.get(..colon)
            && names_disallow(Text::plain(name))
        {
            line.key = Key::Disallow;
        }
        line
    }

    /// Whether a line is in a code block, or begins or ends one.
    fn is_code(&mut self, line: &Line<'_>) -> bool {
        if self.kind != Kind::Markdown {
            return false;
        }
        let fence = match trim(line.text) {
            [mark @ (b'`' | b'~'), second, third, ..] if [second, third] == [mark; 2] => *mark,
            _ => 0,
        };
        let (fence, open) = (u32::from(fence), self.fence);
        if open == 0 || open == fence {
            self.fence ^= fence;
        }
        open != 0 || fence != 0
    }

    /// Returns the restriction in a line, if the format of the document does not read it.
    fn unread<'a>(&mut self, line: &Line<'a>) -> Option<&'a [u8]> {
        let is_item = core::mem::take(&mut self.is_list);
        match line.key {
            Key::Disallow if line.value.is_empty() => self.is_list = true,
            Key::Disallow => {
                let kind = self.kind;
                let is = |one: Kind| kind == one;
                let is_named = || {
                    Field::of(strip(line.text)).is_some_and(|field| {
                        !field.without_colon && strip(field.name).eq_ignore_ascii_case(b"disallow")
                    })
                };
                let value = Text::plain(line.value);
                let is_read = (is(Kind::Kept) || is_pattern(value))
                    && (is(Kind::Robots)
                        || (is(Kind::Kept) || is(Kind::Draft) && is_plain(value)) && is_named());
                return Some(line.value).filter(|_| !is_read);
            }
            Key::Unknown | Key::Malformed if is_item => {
                let item = item(line.text)?;
                self.is_list = true;
                return Some(item);
            }
            _ => {}
        }
        None
    }
}

/// Returns the value in a line below a `Disallow` without a value: an item of a list, or an
/// indented path or name. A field is not such a value.
fn item(line: &[u8]) -> Option<&[u8]> {
    let text = trim(line);
    let item = text.strip_prefix(b"-").map(trim);
    let is_below = item.is_some() || matches!(line, [b' ' | b'\t', ..]);
    let item = item.unwrap_or(text);
    // The first colon of a URL is that of its scheme.
    let colon = item.iter().position(|octet| *octet == b':');
    let behind = colon.and_then(|at| item.get(at..)).unwrap_or_default();
    let is_field = !is_path(item) && !behind.is_empty() && !behind.starts_with(b"://");
    Some(item).filter(|item| is_below && !is_field && !item.is_empty())
}

/// Whether a value is a path, and not a name.
pub(crate) fn is_path(value: &[u8]) -> bool {
    matches!(value, [b'/' | b'*', ..])
}

/// Whether a value is exactly one pattern: not a name, not several values, without a comment and
/// without a second line.
pub(crate) fn is_pattern(value: Text<'_>) -> bool {
    let mut chars = value.chars().skip_while(char::is_ascii_whitespace);
    let Some(mut before @ ('/' | '*')) = chars.next() else {
        return false;
    };
    chars.all(|c| {
        let is_other = match core::mem::replace(&mut before, c) {
            ' ' | '\t' => c == '/',
            '\r' | '\n' => !c.is_ascii_whitespace(),
            separator => is_separator(separator) && matches!(c, ' ' | '\t' | '/'),
        };
        !is_other && c != '#'
    })
}

/// Whether a value has no blanks or marks that are not ASCII, and ends with neither a separator nor
/// a quotation mark. Other values may mean the text between such characters.
pub(crate) fn is_plain(value: Text<'_>) -> bool {
    let is_end = |c: char| is_separator(c) || is_quote(c);
    if !value.is_escaped() && value.raw().is_ascii() {
        // Without decoding: most patterns are ASCII.
        let mut chars = value.raw().iter().rev().map(|octet| char::from(*octet));
        return !chars.clone().any(is_mark)
            && !chars.find(|c| !c.is_whitespace()).is_some_and(is_end);
    }
    let last = value.chars().filter(|c| !c.is_whitespace()).last();
    !value.chars().any(is_mark) && !last.is_some_and(is_end)
}

/// Whether a character is a quotation mark or an angle bracket, in any script.
pub(crate) const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '<' | '>' | '\u{ab}' | '\u{b4}' | '\u{bb}')
        || matches!(c, '\u{2018}'..='\u{201f}' | '\u{2039}' | '\u{203a}' | '\u{27e8}' | '\u{27e9}')
        || matches!(c, '\u{3008}'..='\u{300f}' | '\u{ff02}' | '\u{ff07}' | '\u{ff1c}' | '\u{ff1e}')
}

/// A line as its author means it: without marks around its value, and with the key of a
/// `Disallow` or a `User-agent` that marks hide, also behind a mark that breaks the line.
fn as_meant(mut line: Line<'_>) -> Line<'_> {
    line.value = strip(line.value);
    let has_marks = || line.text.iter().any(|octet| matches!(octet, 0xb | 0xc | 0x80..));
    if matches!(line.key, Key::Disallow | Key::UserAgent) || !has_marks() {
        return line;
    }
    // Marks around a field are blanks, also for an `Allow`, as the formats read them.
    if let Some(field) = Field::of(strip(line.text))
        && field.key == Key::Allow
    {
        (line.key, line.value) = (field.key, strip(field.value));
    }
    let found = hidden_at(line.text).or_else(|| {
        let mut rest = line.text;
        core::iter::from_fn(|| next_utf8(&mut rest).map(|c| (c, rest)))
            .filter(|(c, _)| is_break(*c))
            .find_map(|(_, rest)| hidden_at(rest).filter(|(key, _)| *key == Key::Disallow))
    });
    if let Some((key, value)) = found {
        (line.key, line.value) = (key, strip(value));
    }
    line
}

/// Whether marks hide the key of a `Disallow` or a `User-agent` from a reader of robots.txt.
pub(crate) fn hides_key(text: &[u8]) -> bool {
    let key = Field::of(text).map(|field| field.key);
    let is_hidden = matches!(key, Some(Key::Unknown | Key::Malformed));
    is_hidden && !text.is_ascii() && hidden_at(text).is_some()
}

/// The `Disallow` or `User-agent` at the start of a text, and the text after it. Ignores marks in
/// and around the name. Takes constant time, because it is called behind every break of a line.
fn hidden_at(text: &[u8]) -> Option<(Key, &[u8])> {
    let mut name = heapless::Vec::<u8, 16>::new();
    let mut rest = text;
    for _ in 0..48 {
        match next_utf8(&mut rest)? {
            ':' | '\u{ff1a}' => break,
            c if is_mark(c) || matches!(c, ' ' | '\t') => {
                if !name.is_empty() && is_path(rest) {
                    break;
                }
            }
            c => name.push(u8::try_from(c).ok().filter(u8::is_ascii)?).ok()?,
        }
    }
    let key = Key::of(&name);
    matches!(key, Key::Disallow | Key::UserAgent).then_some((key, rest))
}

fn lines(bytes: &[u8]) -> Lines<'_> {
    Lines::new(bytes, 1, usize::MAX)
}

/// Returns the values of the unread `Disallow` lines of a document, for all agents. Linear.
pub(crate) fn restrictions(bytes: &[u8], kind: Kind) -> List<'_, Text<'_>> {
    List::new(bytes, Above::new(kind), next_restriction)
}

fn next_restriction<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    let mut rest = lines(cursor.bytes.get(cursor.position as usize..)?);
    let mut above: Above = cursor.state();
    let found = rest.find_map(|line| {
        let line = above.as_meant(line);
        match above.is_code(&line) {
            true => None,
            false => above.unread(&line),
        }
    });
    cursor.set(above);
    cursor.position = cursor.bytes.len().saturating_sub(rest.rest().len()) as u32;
    found.map(Text::plain)
}

/// Returns the unread `Disallow` line that decides for an agent. `specificity` returns the
/// specificity of a value that matches the request; its first argument is true for `Allow`. As in
/// robots.txt, the longest match decides and `Allow` wins a tie. Lines above the first `User-agent`
/// apply to every agent. Linear.
pub(crate) fn deciding<'a>(
    bytes: &'a [u8],
    kind: Kind,
    agent: UserAgent<'_>,
    mut specificity: impl FnMut(bool, &[u8]) -> Option<usize>,
) -> Option<Text<'a>> {
    agent.names().zip(0..).find_map(|(name, index)| {
        let (found, binding) = deciding_for(bytes, kind, name, &mut specificity);
        found.filter(|_| index == 0 || binding == Binding::Named)
    })
}

fn deciding_for<'a>(
    bytes: &'a [u8],
    kind: Kind,
    agent: AgentName<'_>,
    mut specificity: impl FnMut(bool, &[u8]) -> Option<usize>,
) -> (Option<Text<'a>>, Binding) {
    let mut walk = Walk::new(agent);
    let mut above = Above::new(kind);
    let (mut best, mut longest, mut allowed) = (None, 0, 0);
    for line in lines(bytes) {
        let line = above.as_meant(line);
        if above.is_code(&line) {
            continue;
        }
        let restriction = above.unread(&line);
        let is_allow = match line.key {
            Key::UserAgent => {
                walk.user_agent(line);
                continue;
            }
            Key::Allow => true,
            Key::Disallow => false,
            _ if restriction.is_some() => false,
            _ => continue,
        };
        let is_above = walk.group.1 == 0;
        if walk.rule() == Binding::None && !is_above {
            continue;
        }
        if is_allow {
            allowed = allowed.max(specificity(true, line.value).unwrap_or_default());
        } else if let Some(value) = restriction
            && let Some(specificity) = specificity(false, value)
            && (best.is_none() || specificity > longest)
        {
            (best, longest) = (Some(Text::plain(value)), specificity);
        }
    }
    (best.filter(|_| longest > allowed), walk.binding())
}
