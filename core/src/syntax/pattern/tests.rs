extern crate std;
use super::*;
use proptest::prelude::*;
use std::vec::Vec;

/// A slow reference implementation: converts both sides to symbols, and tries every length for each
/// star.
fn oracle(pattern: &[u8], path: &[u8]) -> bool {
    #[derive(PartialEq)]
    enum Part {
        Any,
        End,
        One(u16),
        /// An encoding without its second digit, or without both.
        Begun(Vec<u16>),
    }
    fn units(mut octets: &[u8]) -> Vec<(bool, u16)> {
        let mut units = Vec::new();
        while let [first, rest @ ..] = octets {
            let text = |range: core::ops::Range<usize>| {
                octets.get(range).and_then(|digits| std::str::from_utf8(digits).ok())
            };
            let code = if *first == b'%'
                && octets.get(1..3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            {
                text(1..3).and_then(|digits| u8::from_str_radix(digits, 16).ok())
            } else {
                None
            };
            match code {
                Some(code) => {
                    let same = code.is_ascii_alphanumeric() || b"-._~*$".contains(&code);
                    units.push((false, if same { u16::from(code) } else { 256 + u16::from(code) }));
                    octets = &octets[3..];
                }
                None => {
                    let url =
                        first.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(first);
                    units.push((
                        true,
                        if url { u16::from(*first) } else { 256 + u16::from(*first) },
                    ));
                    octets = rest;
                }
            }
        }
        units
    }
    fn try_all(parts: &[Part], path: &[u16]) -> bool {
        match parts {
            [] => true,
            [Part::End, ..] => path.is_empty(),
            [Part::Any, rest @ ..] => (0..=path.len()).any(|skip| try_all(rest, &path[skip..])),
            [Part::One(unit), rest @ ..] => path.first() == Some(unit) && try_all(rest, &path[1..]),
            [Part::Begun(written), rest @ ..] => {
                let literal = path.strip_prefix(&written[..]);
                let encoded = path.split_first().filter(|(unit, _)| {
                    let octet = std::format!("%{:02X}", **unit & 0xFF);
                    let start = std::string::String::from_utf16(written).unwrap();
                    **unit >= 256 && octet.starts_with(&start.to_ascii_uppercase())
                });
                literal.is_some_and(|path| try_all(rest, path))
                    || encoded.is_some_and(|(_, path)| try_all(rest, path))
            }
        }
    }
    if pattern.is_empty() {
        return false;
    }
    let mut parts: Vec<Part> = Vec::new();
    let written = units(pattern);
    let mut i = 0;
    while let Some((raw, unit)) = written.get(i) {
        let rest = &written[i..];
        let length =
            rest.iter().position(|unit| *unit == (true, u16::from(b'*'))).unwrap_or(rest.len());
        let begun: Vec<u16> = rest[..length].iter().map(|(_, unit)| *unit).collect();
        let is_begun = match begun.as_slice() {
            [0x25] => true,
            [0x25, digit] => rest[1].0 && u8::try_from(*digit).is_ok_and(|d| d.is_ascii_hexdigit()),
            _ => false,
        };
        if is_begun && *raw {
            parts.push(Part::Begun(begun));
            i += length;
            continue;
        }
        let part = match (*raw, u8::try_from(*unit)) {
            (true, Ok(b'*')) => Part::Any,
            (true, Ok(b'$')) if i + 1 == written.len() => Part::End,
            _ => Part::One(*unit),
        };
        if part != Part::Any || parts.last() != Some(&Part::Any) {
            parts.push(part);
        }
        i += 1;
    }
    try_all(&parts, &units(path).into_iter().map(|(_, unit)| unit).collect::<Vec<_>>())
}

fn matches(pattern: &str, path: &str) -> bool {
    let found = Pattern::new(pattern.as_bytes()).matches(path.as_bytes());
    assert_eq!(found, oracle(pattern.as_bytes(), path.as_bytes()), "{pattern} {path}");
    found
}

#[test]
fn prefixes_stars_and_ends() {
    for (pattern, path) in [
        ("/", "/"),
        ("/", "/a"),
        ("/fish", "/fish.html"),
        ("/fish*", "/fishheads/yummy.html"),
        ("/*.php", "/folder/filename.php?parameters"),
        ("/*.php$", "/folder/filename.php"),
        ("/fish*.php", "/fishheads/catfish.php?id"),
        ("*", "/"),
        ("*$", "/x"),
        ("/*$", "/"),
        ("*/x", "/x"),
        ("/a$b", "/a$b/c"),
        ("/$$", "/$"),
        ("/a**b", "/ab"),
        ("/*a*b*", "/xaxbx"),
        ("/*ab$", "/abab"),
        ("/a*a$", "/aa"),
        ("$*", "$x"),
    ] {
        assert!(matches(pattern, path), "{pattern} {path}");
    }
    for (pattern, path) in [
        ("", "/"),
        ("/fish", "/Fish"),
        ("/fish/", "/fish"),
        ("/*.php$", "/a.php?b"),
        ("/*.php$", "/a.php5"),
        ("fish", "/fish"),
        ("$", "/"),
        ("/$", "/a"),
        ("/a*a$", "/a"),
        ("/*ab*ab", "/aab"),
        ("/a*b$", "/ac"),
        ("/a$b", "/a"),
    ] {
        assert!(!matches(pattern, path), "{pattern} {path}");
    }
}

#[test]
fn encoded_octets_are_compared_normalised() {
    for (pattern, path) in [
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        ("/baz", "/b%61z"),
        ("/a%2fb", "/a%2Fb/c"),
        ("/a b", "/a%20b"),
        ("/a%20b", "/a b"),
        ("/%7Ea", "/~a"),
        ("/*%41$", "/xA"),
        ("/*é*ü$", "/%C3%A9t%C3%A9/%c3%bc"),
        ("/a-%2A.html", "/a-*.html"),
        ("/a-%2A.html", "/a-%2a.html"),
        ("/a-%24", "/a-$"),
        ("/%", "/%zz"),
        ("/%4", "/%4"),
        ("/*%", "/a%"),
        ("/%zz*b", "/%zzab"),
        ("/%%41", "/%A"),
        ("/*%C3*%A9$", "/é"),
        ("/%", "/%2Fx"),
        ("/%", "/%20x"),
        ("/%", "/é"),
        ("/%c", "/é"),
        ("/%", "/%25"),
        ("/*%2", "/q%2Fx"),
        ("/*%2", "/q%%2F"),
        ("/*%%2", "/q%%%2F"),
        ("/*%b", "/%%62"),
        ("/%*x$", "/%2Fx"),
        ("/%2*/b", "/%20a/b"),
        ("/*%%2*x", "/%%%20x"),
    ] {
        assert!(matches(pattern, path), "{pattern} {path}");
    }
    assert!(Pattern::new(b"/%80").matches(b"/\x80"));
    for (pattern, path) in [
        ("/a%2Fb", "/a/b"),
        ("/a/b", "/a%2Fb"),
        ("/a-%2A.html", "/a-b.html"),
        ("/a-%24", "/a-"),
        ("/%25", "/%"),
        ("/*%C3%A9", "/ab"),
        ("/*é", "/ab"),
        ("/a%e9", "/a"),
        ("/%4", "/%41"),
        ("/%", "/a"),
        ("/%", "/%41"),
        ("/%2", "/é"),
        ("/%2$", "/%2F"),
        ("/%$", "/%20"),
        ("/*%2$", "/a%2F"),
        ("/%2F", "/%2"),
        ("/*1", "/%41"),
        ("/a?b", "/a%3Fb"),
        ("/é", "/e"),
        ("/%c3%a9", "/%c3%a8"),
    ] {
        assert!(!matches(pattern, path), "{pattern} {path}");
    }
    assert!(Pattern::new(b"/\xff*\x00").matches(b"/%FFa%00"));
}

#[test]
fn specificity_counts_octets() {
    for (pattern, length) in [
        ("", 0),
        ("/", 1),
        ("/a*$", 4),
        ("/é", 7),
        ("/%C3%A9", 7),
        ("/%41", 2),
        ("/%2f", 4),
        ("/%2A", 4),
        ("/%24", 4),
        ("/a b", 6),
        ("/%", 2),
        ("/*é", 8),
    ] {
        assert_eq!(Pattern::new(pattern.as_bytes()).specificity(), length, "{pattern}");
    }
}

/// Quadratic time would be 10^10 steps, too many for the limit. Linear time is far below the limit.
#[test]
fn hostile_patterns_take_linear_time() {
    const N: usize = 100_000;
    let within_limit = |pattern: &str, path: &str| {
        let start = std::time::Instant::now();
        let found = Pattern::new(std::hint::black_box(pattern.as_bytes())).matches(path.as_bytes());
        let taken = start.elapsed();
        assert!(
            taken < std::time::Duration::from_secs(5),
            "{} {taken:?}",
            pattern.chars().take(20).collect::<std::string::String>()
        );
        found
    };
    for (unit, tail, path_unit) in [
        ("*", "x", "a"),
        ("*a", "b", "a"),
        ("*a", "$", "a"),
        ("a", "*b", "a"),
        ("*aa", "b$", "a"),
        ("*%61", "b", "a"),
        ("%C3%A9", "*b", "é"),
        ("*é", "b", "%c3%A9"),
        ("*%61a", "%62", "%61"),
        ("*é", "$", "%c3%A9"),
        ("*aé", "*b", "aé"),
        ("*%", "b", "%2F"),
        ("*a%", "b", "a%2F"),
        ("*%2", "*b", "%2"),
    ] {
        let pattern = std::format!("/{}{tail}", unit.repeat(N));
        within_limit(&pattern, &std::format!("/{}", path_unit.repeat(N)));
    }
    // One long piece of many periods, in a path where it almost matches at every offset.
    for unit in ["a", "ab", "aé", "%61", "%%", "%2"] {
        let pattern = std::format!("/*{}b!", unit.repeat(N / 2));
        assert!(!within_limit(&pattern, &std::format!("/{}", unit.repeat(2 * N))));
        let pattern = std::format!("/*{}b{}", unit.repeat(N / 2), unit.repeat(N / 2));
        assert!(!within_limit(&pattern, &std::format!("/{}", unit.repeat(2 * N))));
        let pattern = std::format!("/*{}b%4", unit.repeat(N / 2));
        assert!(!within_limit(&pattern, &std::format!("/{}b%2F", unit.repeat(2 * N))));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn matches_what_the_oracle_matches(pattern in "[/ab*]{0,8}\\$?", path in "/[/ab]{0,16}") {
        prop_assert_eq!(Pattern::new(pattern.as_bytes()).matches(path.as_bytes()), oracle(pattern.as_bytes(), path.as_bytes()));
    }

    #[test]
    fn matches_encoded_what_the_oracle_matches(
        pattern in "/?(a|b|%61|%62|é|%C3|%a9|%2F|%2a|%24|%|6|1| |\\*|\\*|\\*){0,8}\\$?",
        path in "/(a|b|%61|%62|é|%c3|%A9|%2f|\\*|%2A|%24|%|6|1|%20){0,10}",
    ) {
        prop_assert_eq!(Pattern::new(pattern.as_bytes()).matches(path.as_bytes()), oracle(pattern.as_bytes(), path.as_bytes()));
    }

    #[test]
    fn matches_incomplete_encodings_as_the_oracle(
        pattern in "/?(a|%|%|%2|%2|%2F|%|2|c|\\*|\\*){0,8}\\$?",
        path in "/(a|%|%|%2|%2F|%20|é|2|c){0,12}",
    ) {
        prop_assert_eq!(Pattern::new(pattern.as_bytes()).matches(path.as_bytes()), oracle(pattern.as_bytes(), path.as_bytes()), "{} {}", pattern, path);
    }

    #[test]
    fn pieces_are_found_where_they_first_stand(piece in "(a|b|%61|é){1,9}", path in "(a|b|%61|é|%C3%A9){0,40}") {
        let symbols = |text: &str| -> Vec<(Symbol, usize)> {
            let mut at = 0;
            std::iter::from_fn(|| Some((Symbols::next(text.as_bytes(), &mut at), at)).filter(|(symbol, _)| *symbol != Symbol::END)).collect()
        };
        let (needle, hay) = (symbols(&piece), symbols(&path));
        let expected = hay.windows(needle.len()).find(|window| window.iter().zip(&needle).all(|(a, b)| a.0 == b.0)).map(|window| window[window.len() - 1].1);
        prop_assert_eq!(search::<Symbols>(piece.as_bytes(), path.as_bytes()), expected);
    }

    #[test]
    fn nothing_panics(pattern in proptest::collection::vec(any::<u8>(), 0..40), path in proptest::collection::vec(any::<u8>(), 0..40)) {
        Pattern::new(&pattern).matches(&path);
        let _ = Pattern::new(&pattern).specificity();
    }
}
