//! The restrictions that a reader of robots.txt sees in a document of another format.
//!
//! A `Disallow` line restricts, whatever the document is. A format without access rules keeps it as
//! metadata or prose, and an unrecognised document is not read at all; decisions use this module so
//! that the line is not lost.

use super::line::{Field, Key, Line, Lines};
use super::{Binding, Walk};
use crate::model::List;
use crate::model::list::Cursor;
use crate::syntax::text::Text;

/// Whether a `Disallow` line is unread: it has a value, and the format of the document does not read
/// it. The Internet-Draft reads fields that have exactly this name.
fn is_unread(line: &Line<'_>, is_draft: bool) -> bool {
    let is_read = || {
        Field::of(line.text).is_some_and(|field| {
            !field.without_colon && field.name.eq_ignore_ascii_case(b"disallow")
        })
    };
    line.key == Key::Disallow && !line.value.is_empty() && !(is_draft && is_read())
}

fn lines(bytes: &[u8]) -> Lines<'_> {
    Lines::new(bytes, 1, usize::MAX)
}

/// The values of the unread `Disallow` lines of a document, for every agent. Linear.
pub(crate) fn restrictions(bytes: &[u8], is_draft: bool) -> List<'_, Text<'_>> {
    List::new(bytes, u32::from(is_draft), next_restriction)
}

fn next_restriction<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    let mut rest = lines(cursor.bytes.get(cursor.position as usize..)?);
    let found = rest.find(|line| is_unread(line, cursor.mode != 0));
    cursor.position = cursor.bytes.len().saturating_sub(rest.rest().len()) as u32;
    found.map(|line| Text::plain(line.value))
}

/// The unread `Disallow` line that decides for an agent. `specificity` returns the specificity of a
/// value that matches the request; its first argument is true for `Allow`. As in robots.txt, the
/// longest match decides and `Allow` wins a tie. Lines above the first `User-agent` are for every
/// agent. Linear.
pub(crate) fn deciding<'a>(
    bytes: &'a [u8],
    is_draft: bool,
    agent: &[u8],
    mut specificity: impl FnMut(bool, &[u8]) -> Option<usize>,
) -> Option<Text<'a>> {
    let mut walk = Walk::new(agent);
    let (mut best, mut longest, mut allowed) = (None, 0, 0);
    for line in lines(bytes) {
        let is_allow = match line.key {
            Key::UserAgent => {
                walk.user_agent(line);
                continue;
            }
            Key::Allow => true,
            Key::Disallow => false,
            _ => continue,
        };
        let is_above = walk.group.1 == 0;
        if walk.rule() == Binding::None && !is_above {
            continue;
        }
        if is_allow {
            allowed = allowed.max(specificity(true, line.value).unwrap_or_default());
        } else if is_unread(&line, is_draft)
            && let Some(specificity) = specificity(false, line.value)
            && (best.is_none() || specificity > longest)
        {
            (best, longest) = (Some(Text::plain(line.value)), specificity);
        }
    }
    best.filter(|_| longest > allowed)
}
