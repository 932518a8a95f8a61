//! Finds the name of a specification that an unknown name probably means.

use crate::syntax::line::is_mark;
use crate::syntax::text::{Text, starts_with};

/// Other names for fields, each with the name that it means. All names are in the form of
/// [`Letters`].
const ALIASES: &[(&str, &str)] = &[
    ("agentid", "agent"),
    ("agentname", "agent"),
    ("authentication", "auth"),
    ("authorization", "auth"),
    ("authmethod", "auth"),
    ("authscheme", "auth"),
    ("authscope", "scopes"),
    ("authscopes", "scopes"),
    ("authtokenurl", "authendpoint"),
    ("authtype", "auth"),
    ("authuri", "authendpoint"),
    ("authurl", "authendpoint"),
    ("ban", "disallow"),
    ("block", "disallow"),
    ("bot", "agent"),
    ("capability", "capabilities"),
    ("contactemail", "contact"),
    ("contactemail", "sitecontact"),
    ("deny", "disallow"),
    ("desc", "description"),
    ("disallowpath", "disallow"),
    ("email", "contact"),
    ("email", "sitecontact"),
    ("endpointuri", "endpoint"),
    ("endpointurl", "endpoint"),
    ("exclude", "disallow"),
    ("forbid", "disallow"),
    ("forbidden", "disallow"),
    ("homepage", "siteurl"),
    ("httpmethod", "method"),
    ("httpverb", "method"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("name", "sitename"),
    ("parameter", "param"),
    ("parameters", "params"),
    ("permit", "allow"),
    ("permitted", "allow"),
    ("prohibit", "disallow"),
    ("ratelimiting", "ratelimit"),
    ("requestmethod", "method"),
    ("restrict", "disallow"),
    ("scope", "scopes"),
    ("site", "sitename"),
    ("sitedesc", "sitedescription"),
    ("siteemail", "sitecontact"),
    ("sitename", "site"),
    ("swagger", "openapi"),
    ("tokenendpoint", "authendpoint"),
    ("tokenurl", "authendpoint"),
    ("tokenurl", "tokenendpoint"),
    ("throttle", "ratelimit"),
    ("ttl", "sessionttl"),
    ("url", "endpoint"),
    ("url", "siteurl"),
    ("verb", "method"),
    ("useragent", "agent"),
    ("version", "specversion"),
    ("website", "siteurl"),
];

/// Returns the known name that an unknown name probably means: the name has the same letters and
/// digits without separators, or is an alias, or has at most two wrong letters. Returns `None` for
/// names that begin with `x-` or `x_`, which are extensions.
pub(crate) fn meant(
    name: Text<'_>,
    known: impl Iterator<Item = &'static str>,
) -> Option<&'static str> {
    if name.starts_with_ignore_case("x-") || name.starts_with_ignore_case("x_") {
        return None;
    }
    // All known names are ASCII. Most are too far away, whatever the order of the letters.
    let (has, may_be_alias) = letters_of(name);
    let mut known = known
        .filter(|known| may_be_alias || has_most(letters_in(known.as_bytes()), has))
        .peekable();
    known.peek()?;
    let name = Letters::of(name.chars().take_while(|c| *c != '='))?;
    let has_aliases = may_be_alias && ALIASES.iter().any(|(alias, _)| name.0 == alias.as_bytes());
    known
        .filter_map(|known| {
            let known_letters = Letters::of(known.bytes().map(char::from))?;
            Some((name.distance(&known_letters, has_aliases)?, known))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// The letters of a name before `=`, and whether it may be an alias. A name with escapes may have any
/// letters.
fn letters_of(name: Text<'_>) -> (u32, bool) {
    #[allow(clippy::indexing_slicing)] // Runs only at compile time.
    const OF_ALIASES: [u32; ALIASES.len()] = {
        let (mut letters, mut rest, mut number) = ([0; ALIASES.len()], ALIASES, 0);
        while let [(alias, _), behind @ ..] = rest {
            letters[number] = letters_in(alias.as_bytes());
            (rest, number) = (behind, number + 1);
        }
        letters
    };
    if name.is_escaped() {
        return (u32::MAX, true);
    }
    let letters = letters_in(name.raw().split(|byte| *byte == b'=').next().unwrap_or_default());
    (letters, OF_ALIASES.contains(&letters))
}

/// True if a line with this key is about authentication: one of the words of its key, or the first
/// word if there is no value, means authentication. The key or line has at most three words.
pub(crate) fn is_about_auth(key: &[u8], value: Option<&[u8]>) -> bool {
    let mut words = words(key);
    if key.starts_with(b"#") || words.clone().nth(3).is_some() {
        return false;
    }
    let is_named = match value {
        Some(_) => words.any(names_auth) || !key.is_ascii() && names_auth(key),
        None => words.next().is_some_and(names_auth),
    };
    is_named && !value.is_some_and(is_nothing)
}

/// The words of a key.
fn words(key: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let mut rest = key;
    core::iter::from_fn(move || {
        let start = rest.iter().position(u8::is_ascii_alphanumeric)?;
        let word = rest.get(start..)?;
        let end = word.iter().position(|byte| !byte.is_ascii_alphanumeric());
        let (word, behind) = word.split_at_checked(end.unwrap_or(word.len()))?;
        rest = behind;
        Some(word)
    })
}

/// True for a value that says that there is no authentication. An empty value does not say so.
pub(crate) fn is_nothing(value: &[u8]) -> bool {
    let end = value.windows(2).position(|pair| pair == b" #");
    let word = value.get(..end.unwrap_or(value.len())).unwrap_or_default();
    ["none", "\"none\"", "'none'", "null", "~"]
        .iter()
        .any(|none| word.trim_ascii().eq_ignore_ascii_case(none.as_bytes()))
}

/// True for a word that means authentication, even if it is misspelled.
fn names_auth(word: &[u8]) -> bool {
    let is_author = starts_with(word, b"author") && !matches!(word.get(6), Some(b'i' | b'I'));
    let begins = [&b"auth"[..], b"oauth"].iter().any(|start| starts_with(word, start))
        || word.eq_ignore_ascii_case(b"aut");
    !is_author && (begins || is_near_auth(word))
}

/// True for a misspelled name of authentication.
fn is_near_auth(word: &[u8]) -> bool {
    let names = ["auth", "authentication", "authorization"];
    // Each name has the letters of the first one.
    has_most(letters_in(b"auth"), letters_in(word))
        && meant(Text::plain(word), names.into_iter()).is_some()
}

/// The names of members that mean authentication.
const AUTH_MEMBERS: [&str; 6] = [
    "auth",
    "authentication",
    "security",
    "securityScheme",
    "securitySchemes",
    "securityRequirements",
];

/// True for the name of a member that means authentication, even if it is misspelled: `authType`,
/// `requires_auth`, `Security`. False for `author` and `authentic`.
pub(crate) fn names_auth_member(name: Text<'_>) -> bool {
    let raw = name.raw();
    if !may_name_auth(name) {
        return false;
    }
    let holds_auth = (0..raw.len()).any(|at| {
        let rest = raw.get(at..).unwrap_or_default();
        let is_other = starts_with(rest, b"author")
            && !matches!(rest.get(6..8), Some([b'i' | b'I', b'z' | b'Z' | b's' | b'S']))
            || starts_with(rest, b"authentic") && !starts_with(rest, b"authenticat");
        starts_with(rest, b"auth") && !is_other
    });
    holds_auth || meant(name, AUTH_MEMBERS.into_iter()).is_some()
}

/// False for most names that [`names_auth_member`] rejects. A wrong letter takes at most one letter
/// away from a word, so a name with too few letters of each word is none of them.
fn may_name_auth(name: Text<'_>) -> bool {
    const AUTH: u32 = letters_in(b"auth");
    const AUTHENTICATION: u32 = letters_in(b"authentication");
    const SECURITY: u32 = letters_in(b"security");
    let has = letters_in(name.raw());
    let lacks = |word: u32| (word & !has).count_ones();
    let is_short = || name.raw().iter().filter(|byte| byte.is_ascii_alphanumeric()).count() <= 4;
    name.is_escaped()
        || lacks(AUTH) == 0
        || lacks(SECURITY) <= 2
        || lacks(AUTHENTICATION) <= 2
        || lacks(AUTH) == 1 && is_short()
}

/// Whether a word with these letters can be within two wrong letters of one with the wanted letters:
/// it lacks at most two of them.
const fn has_most(wanted: u32, has: u32) -> bool {
    let lacks = wanted & !has;
    // Each step takes away the lowest bit.
    let lacks = lacks & lacks.wrapping_sub(1);
    lacks & lacks.wrapping_sub(1) == 0
}

/// The letters of a word in any letter case, one bit each.
#[inline]
pub(crate) const fn letters_in(mut word: &[u8]) -> u32 {
    let mut letters = 0;
    while let [letter, rest @ ..] = word {
        letters |= (letter.is_ascii_alphabetic() as u32) << (*letter & 31);
        word = rest;
    }
    letters
}

/// True for the name of a member or field that means the list of the capabilities that an agent may use.
pub(crate) fn names_capabilities(name: Text<'_>) -> bool {
    const PART: &[u8] = b"capabilit";
    let mut parts = name.raw().windows(PART.len());
    parts.any(|part| part.eq_ignore_ascii_case(PART))
        || meant(name, ["capabilities"].into_iter()).is_some()
}

/// True for the name of a member or field that means `Disallow`, even if it is misspelled. Names that
/// begin with `x-` are extensions.
pub(crate) fn names_disallow(name: Text<'_>) -> bool {
    const PART: &[u8] = b"disallow";
    let (has, may_be_alias) = letters_of(name);
    if !may_be_alias && !has_most(letters_in(PART), has) {
        return false;
    }
    let is_extension = name.starts_with_ignore_case("x-") || name.starts_with_ignore_case("x_");
    let mut parts = name.raw().windows(PART.len());
    parts.any(|part| part.eq_ignore_ascii_case(PART)) && !is_extension
        || meant(name, ["disallow"].into_iter()).is_some()
}

/// True for the name of a member or field that means `Allow`, even if it is misspelled.
pub(crate) fn names_allow(name: Text<'_>) -> bool {
    meant(name, ["allow"].into_iter()).is_some()
}

/// The maximum number of letters of a name. All known names are shorter.
const LONGEST: usize = 24;

/// Whether a character separates the words of a name. Word processors write other dashes.
const fn is_separator(c: char) -> bool {
    matches!(c, '-' | '_' | ' ' | '.' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// The letters and digits of a name, in lower case, without separators and invisible marks.
struct Letters(heapless::Vec<u8, LONGEST>);

impl Letters {
    /// Returns `None` for names that are too long, or that have other characters.
    fn of(name: impl Iterator<Item = char>) -> Option<Self> {
        let mut letters = heapless::Vec::new();
        for c in name.filter(|c| !is_separator(*c) && !is_mark(*c)) {
            let letter = u8::try_from(c).ok().filter(u8::is_ascii_alphanumeric)?;
            letters.push(letter.to_ascii_lowercase()).ok()?;
        }
        Some(Self(letters))
    }

    /// Returns the number of wrong letters (1 for an alias, if the name `has_aliases`); `None` if there are too many, so that another name is
    /// meant.
    fn distance(&self, known: &Self, has_aliases: bool) -> Option<usize> {
        let (name, known) = (self.0.as_slice(), known.0.as_slice());
        let is_alias =
            |(alias, meant): &(&str, &str)| alias.as_bytes() == name && meant.as_bytes() == known;
        if has_aliases && ALIASES.iter().any(is_alias) {
            return Some(1);
        }
        if name.len() >= 4 && name.len() == known.len() && is_swapped(name, known) {
            return Some(1);
        }
        let most = match name.len().min(known.len()) {
            0..4 => 0,
            4 => 1,
            // Two wrong letters, one of them the first letter, usually make another word.
            _ if name.first() == known.first() => 2,
            _ => 1,
        };
        if name.len().abs_diff(known.len()) > most {
            return None;
        }
        Some(edits(name, known)).filter(|edits| *edits <= most)
    }
}

/// True if the names differ only by two adjacent letters in the wrong order.
fn is_swapped(name: &[u8], known: &[u8]) -> bool {
    let differs = |(one, other): (&u8, &u8)| one != other;
    let at = name.iter().zip(known).position(differs).unwrap_or_default();
    match (name.get(at..), known.get(at..)) {
        (Some([a, b, rest @ ..]), Some([c, d, others @ ..])) => (a, b, rest) == (d, c, others),
        _ => false,
    }
}

/// Returns the number of letters to insert, remove or replace (Levenshtein distance).
fn edits(name: &[u8], known: &[u8]) -> usize {
    let mut row = [0_usize; LONGEST + 1];
    for (cell, number) in row.iter_mut().zip(0..) {
        *cell = number;
    }
    for (letter, number) in name.iter().zip(0_usize..) {
        let (mut diagonal, mut left) = (number, number.saturating_add(1));
        for (cell, other) in row.iter_mut().skip(1).zip(known) {
            let replaced = diagonal.saturating_add(usize::from(letter != other));
            diagonal = *cell;
            left = replaced.min(left.min(*cell).saturating_add(1));
            *cell = left;
        }
    }
    row.get(known.len()).copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::format;
    use std::string::String;
    use std::vec::Vec;

    const KNOWN: [&str; 9] = [
        "Spec-Version",
        "Site-URL",
        "Site-Name",
        "Auth",
        "Allow",
        "Disallow",
        "Agent",
        "Endpoint",
        "rateLimit",
    ];

    fn meant_by(name: &'static str) -> Option<&'static str> {
        meant(Text::plain(name.as_bytes()), KNOWN.into_iter())
    }

    #[test]
    fn a_name_with_wrong_letters_means_the_nearest_one() {
        for (name, known) in [
            ("Dissallow", "Disallow"),
            ("Disalow", "Disallow"),
            ("Site_URL", "Site-URL"),
            ("site url", "Site-URL"),
            ("Site-URL=https", "Site-URL"),
            ("Authentication", "Auth"),
            ("auths", "Auth"),
            ("rate_limit", "rateLimit"),
            ("Rate-Limits", "rateLimit"),
            ("Agnet", "Agent"),
            ("User-Agent", "Agent"),
            ("Version", "Spec-Version"),
            ("Enpoint", "Endpoint"),
            ("Au\u{ad}th", "Auth"),
            ("Dis\u{200b}allow", "Disallow"),
            ("Site\u{2013}URL", "Site-URL"),
            ("User\u{2013}agent", "Agent"),
        ] {
            assert_eq!(meant_by(name), Some(known), "{name}");
        }
    }

    /// All texts that one wrong letter makes of a text.
    fn misspelled(text: &str) -> impl Iterator<Item = String> {
        (0..=text.len()).flat_map(move |at| {
            let (before, behind) = text.split_at(at);
            let rest = behind.get(1..).unwrap_or_default();
            [
                format!("{before}{rest}"),
                format!("{before}x{rest}"),
                format!("{before}x{behind}"),
                format!("{before}_{behind}"),
            ]
        })
    }

    #[test]
    fn a_misspelled_name_is_not_rejected_by_its_letters() {
        for name in AUTH_MEMBERS.into_iter().chain(ALIASES.iter().map(|(alias, _)| *alias)) {
            for text in misspelled(name).flat_map(|text| misspelled(&text).collect::<Vec<_>>()) {
                let text = Text::plain(text.as_bytes());
                let is_meant = meant(text, AUTH_MEMBERS.into_iter()).is_some();
                assert!(may_name_auth(text) || !is_meant, "{text}");
            }
        }
        assert!(!may_name_auth(Text::plain(b"endpoint")));
    }

    #[test]
    fn other_names_mean_themselves() {
        for name in [
            "",
            "=",
            "X-Auth",
            "x_allow",
            "Path",
            "Flow",
            "Event",
            "Sitemap",
            "Crawl-delay",
            "é",
            "Host",
            "Note",
            "Session-TTL",
            "Audit",
            "abcdefghijklmnopqrstuvwxyz",
        ] {
            assert_eq!(meant_by(name), None, "{name}");
        }
    }
}
