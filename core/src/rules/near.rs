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
    let name = Letters::of(name.chars().take_while(|c| *c != '='))?;
    known
        .filter_map(|known| Some((name.distance(&Letters::of(known.chars())?)?, known)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// True if a line with this key is about authentication: one of the words of its key, or the first
/// word if there is no value, means authentication. The key or line has at most three words.
pub(crate) fn is_about_auth(key: &[u8], value: Option<&[u8]>) -> bool {
    let mut words = key.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let is_short = words.clone().nth(3).is_none();
    let is_named = match value {
        Some(_) => words.any(names_auth) || !key.is_ascii() && names_auth(key),
        None => words.next().is_some_and(names_auth),
    };
    is_short && is_named && !key.starts_with(b"#") && !value.is_some_and(is_nothing)
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
    !is_author && (begins || meant(Text::plain(word), ["auth"].into_iter()).is_some())
}

/// True for the name of a member that means authentication, even if it is misspelled: `authType`,
/// `requires_auth`, `Security`. False for `author` and `authentic`.
pub(crate) fn names_auth_member(name: Text<'_>) -> bool {
    const NAMES: [&str; 6] = [
        "auth",
        "authentication",
        "security",
        "securityScheme",
        "securitySchemes",
        "securityRequirements",
    ];
    let raw = name.raw();
    let holds_auth = (0..raw.len()).any(|at| {
        let rest = raw.get(at..).unwrap_or_default();
        let is_other = starts_with(rest, b"author")
            && !matches!(rest.get(6..8), Some([b'i' | b'I', b'z' | b'Z' | b's' | b'S']))
            || starts_with(rest, b"authentic") && !starts_with(rest, b"authenticat");
        starts_with(rest, b"auth") && !is_other
    });
    holds_auth || meant(name, NAMES.into_iter()).is_some()
}

/// True for the name of a member that means the list of the capabilities that an agent may use.
pub(crate) fn names_capabilities(name: Text<'_>) -> bool {
    const PART: &[u8] = b"capabilit";
    let mut parts = name.raw().windows(PART.len());
    parts.any(|part| part.eq_ignore_ascii_case(PART))
        || meant(name, ["capabilities"].into_iter()).is_some()
}

/// The maximum number of letters of a name. All known names are shorter.
const LONGEST: usize = 24;

/// The letters and digits of a name, in lower case, without separators and invisible marks.
struct Letters(heapless::Vec<u8, LONGEST>);

impl Letters {
    /// Returns `None` for names that are too long, or that have other characters.
    fn of(name: impl Iterator<Item = char>) -> Option<Self> {
        let mut letters = heapless::Vec::new();
        for c in name.filter(|c| !matches!(c, '-' | '_' | ' ' | '.') && !is_mark(*c)) {
            let letter = u8::try_from(c).ok().filter(u8::is_ascii_alphanumeric)?;
            letters.push(letter.to_ascii_lowercase()).ok()?;
        }
        Some(Self(letters))
    }

    /// Returns the number of wrong letters; `None` if there are too many, so that another name is
    /// meant.
    fn distance(&self, known: &Self) -> Option<usize> {
        let (name, known) = (self.0.as_slice(), known.0.as_slice());
        let is_alias =
            |(alias, meant): &(&str, &str)| alias.as_bytes() == name && meant.as_bytes() == known;
        if ALIASES.iter().any(is_alias) {
            return Some(1);
        }
        if name.len() >= 4 && is_swapped(name, known) {
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
    use super::*;

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
        ] {
            assert_eq!(meant_by(name), Some(known), "{name}");
        }
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
