//! Finds the restrictions that a reader of robots.txt would read in a document of another format.
//!
//! A `Disallow` line is a restriction in any document. But a format without access rules keeps the
//! line as metadata or prose, and an unrecognized document is not read at all. Decisions use this
//! module so that the line still has an effect. The Internet-Draft reads such a line, but only if
//! its value is a pattern.

use super::line::{Field, Key, Line, Lines, trim};
use super::{Binding, Walk};
use crate::format::Format;
use crate::format::user_agent::{AgentName, UserAgent};
use crate::format::values::is_separator;
use crate::model::List;
use crate::model::list::Cursor;
use crate::syntax::text::Text;

/// How the lines of a document are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
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

impl Kind {
    /// Returns the kind of the documents of a format.
    pub(crate) const fn of(format: Format) -> Self {
        match format {
            Format::AgentsTxt => Self::Draft,
            Format::AgentsMd | Format::LlmsTxt => Self::Markdown,
            Format::RobotsTxt => Self::Robots,
            _ => Self::Other,
        }
    }
}

/// The state of a walk over the lines: the kind of the document in the first three bits, and flags
/// for the lines above the current one.
#[derive(Clone, Copy)]
struct Above(u32);

impl Above {
    const KIND: u32 = 7;
    /// The last field is a `Disallow` without a value.
    const LIST: u32 = 1 << 3;
    /// A code block is open that begins with backticks (`TICKS`) or with tildes (`TILDES`).
    const TICKS: u32 = 1 << 4;
    const TILDES: u32 = 1 << 5;

    /// Whether a line is in a code block, or begins or ends one.
    fn is_code(&mut self, line: &Line<'_>) -> bool {
        if self.0 & Self::KIND != Kind::Markdown as u32 {
            return false;
        }
        let fence = match trim(line.text) {
            [b'`', b'`', b'`', ..] => Self::TICKS,
            [b'~', b'~', b'~', ..] => Self::TILDES,
            _ => 0,
        };
        let open = self.0 & (Self::TICKS | Self::TILDES);
        if open == 0 || open == fence {
            self.0 ^= fence;
        }
        open != 0 || fence != 0
    }

    /// Returns the restriction in a line, if the format of the document does not read it.
    fn unread<'a>(&mut self, line: &Line<'a>) -> Option<&'a [u8]> {
        let is_item = self.0 & Self::LIST != 0;
        self.0 &= !Self::LIST;
        match line.key {
            Key::Disallow if line.value.is_empty() => self.0 |= Self::LIST,
            Key::Disallow => {
                let kind = self.0 & Self::KIND;
                let is = |one: Kind| kind == one as u32;
                let is_named = || {
                    Field::of(line.text).is_some_and(|field| {
                        !field.without_colon && field.name.eq_ignore_ascii_case(b"disallow")
                    })
                };
                let is_read = (is(Kind::Kept) || is_pattern(Text::plain(line.value)))
                    && (is(Kind::Robots) || (is(Kind::Kept) || is(Kind::Draft)) && is_named());
                return Some(line.value).filter(|_| !is_read);
            }
            Key::Unknown | Key::Malformed if is_item => {
                let item = item(line.text)?;
                self.0 |= Self::LIST;
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
    let is_field = !is_path(item) && item.contains(&b':') && !item.windows(3).any(|w| w == b"://");
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

fn lines(bytes: &[u8]) -> Lines<'_> {
    Lines::new(bytes, 1, usize::MAX)
}

/// Returns the values of the unread `Disallow` lines of a document, for all agents. Linear.
pub(crate) fn restrictions(bytes: &[u8], kind: Kind) -> List<'_, Text<'_>> {
    List::new(bytes, kind as u32, next_restriction)
}

fn next_restriction<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    let mut rest = lines(cursor.bytes.get(cursor.position as usize..)?);
    let mut above = Above(cursor.mode);
    let found = rest.find_map(|line| match above.is_code(&line) {
        true => None,
        false => above.unread(&line),
    });
    cursor.mode = above.0;
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
    let mut above = Above(kind as u32);
    let (mut best, mut longest, mut allowed) = (None, 0, 0);
    for line in lines(bytes) {
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
