//! Finds words that forbid, and paragraphs that are used like headings.

use crate::syntax::text::{Chars, Text, starts_with};

/// Words that forbid, sorted, in the form that [`Folded`] returns, without apostrophes.
const FORBIDDING: [&str; 46] = [
    ":no_entry:",
    ":no_entry_sign:",
    ":x:",
    "avoid",
    "banned",
    "blocked",
    "can not",
    "cannot",
    "cant",
    "denied",
    "deny",
    "disallow",
    "disallowed",
    "do not",
    "dont",
    "donts",
    "except",
    "excluding",
    "forbid",
    "forbidden",
    "forbids",
    "human only",
    "humans only",
    "may not",
    "must not",
    "mustnt",
    "never",
    "no go",
    "not allowed",
    "not permitted",
    "off limits",
    "prohibited",
    "prohibition",
    "prohibitions",
    "prohibits",
    "refuse",
    "refused",
    "restricted",
    "restriction",
    "restrictions",
    "shall not",
    "should not",
    "unable",
    "unauthorised",
    "unauthorized",
    "wont",
];

/// The number of words that forbid and begin with a smaller character, for each ASCII character.
#[allow(clippy::indexing_slicing)] // Runs only when the program is compiled.
const FIRST: [u8; 129] = {
    let mut first = [0; 129];
    let (mut c, mut number) = (0, 0);
    while c < first.len() {
        while number < FORBIDDING.len() && (FORBIDDING[number].as_bytes()[0] as usize) < c {
            number += 1;
        }
        first[c] = number as u8;
        c += 1;
    }
    first
};

/// Returns the words that forbid and begin with this character.
fn forbidding(first: char) -> &'static [&'static str] {
    let number = |c: usize| FIRST.get(c).map(|number| usize::from(*number));
    let first = first as usize;
    match (number(first), number(first + 1)) {
        (Some(start), Some(end)) => FORBIDDING.get(start..end).unwrap_or_default(),
        _ => &[],
    }
}

/// How clearly a text forbids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Force {
    None,
    /// By `no` or `not`, which can be a part of the name of a site, or by symbols without words.
    Weak,
    Strong,
}

/// Returns how clearly a text forbids, by its words and symbols.
pub(super) fn force(text: Text<'_>) -> Force {
    let mut rest = Folded::new(text.chars());
    let mut found = Force::None;
    // `No key required` forbids nothing.
    let mut is_excused = false;
    let (mut has_words, mut has_picture) = (false, false);
    let mut last = [' '; 2];
    while let Some(c) = rest.next() {
        let is_word = is_of_word(c);
        let begins_word = is_word && !is_of_word(last[1]);
        if begins_word || c == ':' {
            let is = |words: &str| {
                let mut wanted = words.chars();
                wanted.next() == Some(c) && rest.behind_words(wanted).is_some()
            };
            // A line of robots.txt, `Disallow: …`, which is read elsewhere.
            let is_rule = c == 'd' && is_field(rest, "isallow");
            if !is_rule && forbidding(c).iter().any(|words| is(words)) {
                return Force::Strong;
            }
            if begins_word {
                is_excused = ["required", "needed", "necessary"].into_iter().any(is);
                let is_no =
                    is("no") && !matches!({ rest }.nth(1), Some('-' | '.' | '/' | '#' | '_'));
                if is_no || is("not") {
                    found = Force::Weak;
                }
            }
        }
        let is_negated = c == 't' && last == ['n', '\''] && ends_word(rest);
        if is_negated || !c.is_ascii() && forbids_as_symbol(c) {
            return Force::Strong;
        }
        has_words |= is_word;
        has_picture |= !c.is_ascii() && !is_word && !is_neutral(c);
        last = [last[1], c];
    }
    match found {
        _ if has_picture && !has_words => Force::Weak,
        Force::Weak if is_excused => Force::None,
        found => found,
    }
}

/// True if `rest` is the rest of the name of a field, a colon and a value.
fn is_field(rest: Folded<'_>, name: &str) -> bool {
    rest.behind_words(name.chars())
        .is_some_and(|mut rest| rest.next() == Some(':') && rest.any(|c| c != ' '))
}

/// True if a text contains words that forbid, or consists of symbols only.
pub(super) fn forbids(text: Text<'_>) -> bool {
    force(text) > Force::None
}

/// True if the text of an item forbids the whole item. `Search (not drafts)` forbids only a part.
pub(super) fn forbids_inside(text: Text<'_>, force: Force) -> bool {
    let start = first_word(text);
    match force {
        Force::Strong => true,
        Force::Weak => {
            ["no", "not"].iter().any(|words| start.behind_words(words.chars()).is_some())
        }
        Force::None => false,
    }
}

/// Returns a text from its first word on.
fn first_word(text: Text<'_>) -> Folded<'_> {
    let mut start = Folded::new(text.chars());
    while { start }.next().is_some_and(|c| !is_of_word(c)) {
        start.next();
    }
    start
}

/// True if a text of this force consists only of words that forbid, or only of symbols.
fn only_forbids(text: Text<'_>, force: Force) -> bool {
    let start = first_word(text);
    let ends = |words: &&str| {
        start.behind_words(words.chars()).is_some_and(|mut rest| !rest.any(is_of_word))
    };
    match { start }.find(|c| *c != '\'') {
        Some(first) => forbidding(first).iter().chain(&["no", "not"]).any(ends),
        None => { start }.next().is_none() && force > Force::None,
    }
}

/// True if a paragraph can be meant as a heading: it is not a whole sentence, or a sentence in
/// bold, or a sentence that refers to what follows (`below`, `following`). A table, which
/// CommonMark reads as a paragraph, counts, too.
pub(super) fn is_title(text: Text<'_>) -> bool {
    let raw = text.raw();
    let is_bold = matches!(raw, [b'*', b'*', .., b'*', b'*'] | [b'_', b'_', .., b'_', b'_']);
    if is_bold || matches!(raw, [b'|' | b'#', ..]) || !ends_sentence(text) {
        return true;
    }
    let mut rest = Folded::new(text.chars());
    let mut last = ' ';
    while let Some(c) = rest.next() {
        let word = match c {
            'b' => "elow",
            _ => "ollowing",
        };
        let begins = !is_of_word(last) && matches!(c, 'b' | 'f');
        if begins && rest.behind_words(word.chars()).is_some() {
            return true;
        }
        last = c;
    }
    false
}

/// True if the first paragraph of an item announces what is forbidden: it consists only of words
/// that forbid, or it forbids something and ends with a colon.
pub(super) fn announces(text: Text<'_>, force: Force) -> bool {
    only_forbids(text, force) || force > Force::None && last_mark(text) == Some(':')
}

fn ends_sentence(text: Text<'_>) -> bool {
    matches!(last_mark(text), Some('.' | '?' | '。'))
}

/// Returns the last character that is not a blank, an underscore, a quotation mark or a bracket.
fn last_mark(text: Text<'_>) -> Option<char> {
    Folded::new(text.chars())
        .filter(|c| !matches!(c, ' ' | '\n' | ')' | ']' | '"' | '\'' | '_' | '»' | '\u{201D}'))
        .last()
}

/// True for HTML that is not shown as text: comments, scripts, styles and text areas.
pub(super) fn is_hidden(html: &[u8]) -> bool {
    let tags = ["<!", "<?", "<script", "<style", "<textarea"];
    tags.iter().any(|tag| starts_with(html, tag.as_bytes()))
}

/// Returns the first line of HTML with words that forbid. `no` and `not` count only in headings.
pub(super) fn html_that_forbids(html: &[u8]) -> Option<&[u8]> {
    if is_hidden(html) {
        return None;
    }
    let mut lines = html.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.find(|line| {
        let is_heading = matches!(line.trim_ascii_start(), [b'<', b'h' | b'H', ..]);
        let least = if is_heading { Force::Weak } else { Force::Strong };
        force(Text::plain(line)) >= least
    })
}

/// The characters of a text as a person reads them, in lower case. Emphasis, tags and invisible
/// characters are removed, and character references are decoded. A run of blanks becomes one space.
/// Apostrophes, and letters that look like ASCII letters, become ASCII.
#[derive(Clone, Copy)]
pub(super) struct Folded<'a> {
    rest: Chars<'a>,
    is_behind_blank: bool,
}

/// The maximum length of a character reference that is decoded, in characters. Known references are
/// shorter.
const LONGEST_REFERENCE: usize = 12;

/// The maximum length of a tag that is removed, in characters. Most tags are shorter.
const LONGEST_TAG: usize = 128;

impl<'a> Folded<'a> {
    pub(super) const fn new(rest: Chars<'a>) -> Self {
        Self { rest, is_behind_blank: false }
    }

    /// Returns the characters that are not read yet, as written.
    pub(super) const fn rest(self) -> Chars<'a> {
        self.rest
    }

    /// Returns the text behind words, if it starts with them. A space in `words` matches blanks,
    /// hyphens and underscores.
    pub(super) fn behind_words(mut self, words: impl Iterator<Item = char>) -> Option<Self> {
        let mut last = '\0';
        for wanted in words {
            let is_passed = |c: &char| *c == '\'' || last == ' ' && is_between(*c);
            let c = self.find(|c| !is_passed(c))?;
            if c != wanted && !(wanted == ' ' && is_between(c)) {
                return None;
            }
            last = wanted;
        }
        ends_word(self).then_some(self)
    }

    /// Takes the rest of a tag behind its `<`. Returns false if it is not a tag.
    fn take_tag(&mut self) -> bool {
        let mut rest = self.rest;
        let is_tag = matches!({ rest }.next(), Some('a'..='z' | 'A'..='Z' | '/'))
            && rest.by_ref().take(LONGEST_TAG).find(|c| matches!(c, '<' | '>')) == Some('>');
        if is_tag {
            self.rest = rest;
        }
        is_tag
    }

    /// Takes the rest of a character reference behind its `&`. An unknown reference counts as a
    /// blank. `None` if it is not a reference.
    fn take_reference(&mut self) -> Option<char> {
        let mut rest = self.rest;
        let start = self.rest;
        let name = || start.take_while(|c| *c != ';');
        rest.by_ref()
            .take(LONGEST_REFERENCE)
            .find(|c| !c.is_ascii_alphanumeric() && *c != '#')
            .filter(|c| *c == ';')?;
        self.rest = rest;
        let mut digits = name();
        if digits.next() != Some('#') {
            let is = |known: &&str| name().eq(known.chars());
            let apostrophes = ["apos", "rsquo", "lsquo", "acute", "grave", "prime"];
            let is_apostrophe = apostrophes.iter().any(is);
            return Some(match is_apostrophe {
                true => '\'',
                false if ["shy", "zwj", "zwnj"].iter().any(is) => '\u{AD}',
                false => ' ',
            });
        }
        let is_hexadecimal = name().nth(1).is_some_and(|c| matches!(c, 'x' | 'X'));
        let radix = if is_hexadecimal { 16 } else { 10 };
        digits
            .skip(usize::from(is_hexadecimal))
            .try_fold(0_u32, |value, c| value.checked_mul(radix)?.checked_add(c.to_digit(radix)?))
            .and_then(char::from_u32)
    }
}

impl Iterator for Folded<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        loop {
            let c = match self.rest.next()? {
                // Most characters.
                c @ 'a'..='z' => {
                    self.is_behind_blank = false;
                    return Some(c);
                }
                '<' if self.take_tag() => continue,
                '&' => self.take_reference().unwrap_or('&'),
                c => c,
            };
            let Some(c) = plain(c) else { continue };
            if c != ' ' || !self.is_behind_blank {
                self.is_behind_blank = c == ' ';
                return Some(c);
            }
        }
    }
}

/// Returns a character in the form that [`Folded`] returns; `None` if it is not visible.
fn plain(c: char) -> Option<char> {
    Some(match c {
        '\n' => c,
        'A'..='Z' => c.to_ascii_lowercase(),
        '*' | '~' | '\\' => return None,
        '`' => '\'',
        _ if c.is_ascii() => match c.is_whitespace() {
            true => ' ',
            false => c,
        },
        // Soft hyphens, joiners, marks of direction and variation, combining accents.
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' => return None,
        '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{300}'..='\u{36F}' => return None,
        '\u{B4}' | '\u{2B9}'..='\u{2BC}' | '\u{2018}'..='\u{201B}' | '\u{2032}' => '\'',
        '\u{FF01}'..='\u{FF5E}' => return plain(char::from_u32(u32::from(c) - 0xFEE0)?),
        // Mathematical letters: alphabets of 26 capitals and 26 small letters.
        '\u{1D400}'..='\u{1D6A3}' => char::from(b'a' + ((u32::from(c) - 0x1D400) % 26) as u8),
        'а' | 'А' | 'α' | 'Α' => 'a',
        'с' | 'С' | 'ϲ' => 'c',
        'е' | 'Е' | 'Ε' => 'e',
        'һ' | 'Н' | 'Η' => 'h',
        'і' | 'І' | 'Ι' => 'i',
        'ո' | 'Ν' => 'n',
        'о' | 'О' | 'ο' | 'Ο' => 'o',
        'р' | 'Р' | 'Ρ' => 'p',
        'т' | 'Т' | 'τ' | 'Τ' => 't',
        'ν' | 'ѵ' => 'v',
        _ if c.is_whitespace() => ' ',
        _ => c,
    })
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '\''
}

/// True for characters between two words of one expression.
fn is_between(c: char) -> bool {
    matches!(c, ' ' | '-' | '_' | '\u{2010}'..='\u{2015}')
}

fn ends_word(mut rest: Folded<'_>) -> bool {
    rest.find(|c| *c != '\'').is_none_or(|c| !c.is_alphanumeric())
}

fn forbids_as_symbol(c: char) -> bool {
    matches!(
        c,
        '🚫' | '❌'
            | '⛔'
            | '🛑'
            | '❎'
            | '✖'
            | '✗'
            | '✘'
            | '⛌'
            | '🙅'
            | '🚷'
            | '🈲'
            | '\u{20E0}'
    )
}

/// True for symbols that do not mean a prohibition.
fn is_neutral(c: char) -> bool {
    matches!(c, '✅' | '✔' | '✓' | '☑' | '👍' | '🆗' | '\u{2010}'..='\u{2027}' | '\u{A0}'..='\u{BF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_forbid_are_found_by_their_first_character() {
        assert!(FORBIDDING.is_sorted());
        for words in FORBIDDING {
            assert!(forbidding(words.chars().next().unwrap()).contains(&words));
        }
        assert_eq!(forbidding('n'), ["never", "no go", "not allowed", "not permitted"]);
        assert!(forbidding('z').is_empty() && forbidding('é').is_empty());
    }
}
