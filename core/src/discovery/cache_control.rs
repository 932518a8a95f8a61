//! The grammar of `Cache-Control` (RFC 9111 section 5.2).

use crate::scan;
use crate::syntax::fold::behind_blanks;

/// The directives that count for one who keeps documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct CacheControl {
    /// Seconds. Of several, the least; 0 where one is no number (section 4.2.1).
    pub(super) max_age: Option<u32>,
    /// The same for caches that many share.
    pub(super) s_maxage: Option<u32>,
    pub(super) no_store: bool,
    pub(super) no_cache: bool,
    pub(super) must_revalidate: bool,
}

impl CacheControl {
    /// Takes the directives of one header line. What is none is skipped up to the next comma.
    pub(super) fn add(&mut self, line: &[u8]) {
        let mut rest = line;
        loop {
            let behind = self.directive(rest);
            // What follows a directive, or is none, ends at a comma.
            match scan::memchr(b',', behind).and_then(|at| behind.split_at_checked(at)) {
                Some((_, [_, next @ ..])) => rest = next,
                _ => return,
            }
        }
    }

    /// Takes `name`, `name=value` or `name="value"` at the front, and returns what follows.
    fn directive<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        let Some((name, mut rest)) = token(text) else {
            return text;
        };
        let mut value = None;
        if let [b'=', tail @ ..] = behind_blanks(rest)
            && let Some((found, behind)) = quoted(tail).or_else(|| token(tail))
        {
            (value, rest) = (Some(found), behind);
        }
        self.take(name, value);
        rest
    }

    fn take(&mut self, name: &[u8], value: Option<&[u8]>) {
        match NAMES
            .iter()
            .position(|known| name.eq_ignore_ascii_case(known))
        {
            Some(0) => self.max_age = least(self.max_age, value),
            Some(1) => self.s_maxage = least(self.s_maxage, value),
            Some(2) => self.no_store = true,
            // With a list of fields, no-cache speaks of these alone; it is heeded as if it spoke of all.
            Some(3) => self.no_cache = true,
            Some(_) => self.must_revalidate = true,
            None => {}
        }
    }
}

const NAMES: [&[u8]; 5] = [
    b"max-age",
    b"s-maxage",
    b"no-store",
    b"no-cache",
    b"must-revalidate",
];

fn least(known: Option<u32>, value: Option<&[u8]>) -> Option<u32> {
    let read = value.and_then(seconds).unwrap_or(0);
    Some(known.map_or(read, |known| known.min(read)))
}

/// Seconds as a number (RFC 9111 section 1.2.2); more than 31 bits saturate there. `None` where it is no number.
pub(super) fn seconds(text: &[u8]) -> Option<u32> {
    const MOST: u32 = 1 << 31;
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |number: u32, digit: &u8| {
        number
            .saturating_mul(10)
            .saturating_add(u32::from(digit.wrapping_sub(b'0')))
            .min(MOST)
    };
    Some(text.iter().fold(0, digit))
}

const fn is_token(byte: u8) -> bool {
    matches!(byte, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~')
        || byte.is_ascii_alphanumeric()
}

/// The token behind blanks, and what follows it.
fn token(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = behind_blanks(text);
    let length = text.iter().take_while(|byte| is_token(**byte)).count();
    text.split_at_checked(length).filter(|_| length > 0)
}

/// What stands behind blanks between double quotes, up to the first escape: no value that is read has one. And what follows.
fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let [b'"', inside @ ..] = behind_blanks(text) else {
        return None;
    };
    let mut rest = inside;
    let mut escaped = None;
    loop {
        match rest {
            [b'"', behind @ ..] => {
                let end = inside.len().saturating_sub(escaped.unwrap_or(rest.len()));
                return Some((inside.get(..end)?, behind));
            }
            [b'\\', _, tail @ ..] => {
                escaped.get_or_insert(rest.len());
                rest = tail;
            }
            [b'\\'] | [] => return None,
            [_, tail @ ..] => rest = tail,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> CacheControl {
        let mut found = CacheControl::default();
        lines.iter().for_each(|line| found.add(line.as_bytes()));
        found
    }

    #[test]
    fn directives() {
        let all = CacheControl {
            max_age: Some(60),
            s_maxage: Some(5),
            no_store: true,
            no_cache: true,
            must_revalidate: true,
        };
        assert_eq!(
            read(&[
                "public, max-age=60,s-maxage = \"5\" ,, NO-STORE, no-cache=\"set-cookie, x\", must-revalidate"
            ]),
            all
        );
        assert_eq!(
            read(&["max-age=60", "no-store"]),
            CacheControl {
                max_age: Some(60),
                no_store: true,
                ..CacheControl::default()
            }
        );
        assert_eq!(
            read(&["", " , ,", "max-ages=3", "xmax-age=3"]),
            CacheControl::default()
        );
    }

    #[test]
    fn odd_values_read_as_the_shortest_time() {
        for line in [
            "max-age",
            "max-age=",
            "max-age=-1",
            "max-age=1.5",
            "max-age=\"",
            "max-age=60, max-age=x",
            "max-age=9,max-age=0",
        ] {
            assert_eq!(read(&[line]).max_age, Some(0), "{line}");
        }
        assert_eq!(
            read(&["max-age=99999999999999999999999"]).max_age,
            Some(1 << 31)
        );
        assert_eq!(read(&["max-age=7 days"]).max_age, Some(7));
    }

    #[test]
    fn quotes_hide_what_stands_in_them() {
        assert_eq!(
            read(&["x=\"a, no-store\\\", no-cache\", max-age=4"]),
            CacheControl {
                max_age: Some(4),
                ..CacheControl::default()
            }
        );
        // A quote that never ends hides nothing: the narrow reading.
        assert!(read(&["x=\"a, no-store"]).no_store);
        assert!(read(&["@@@, no-store"]).no_store);
    }

    /// The same by a grammar.
    fn by_grammar(line: &[u8]) -> CacheControl {
        use nom::branch::alt;
        use nom::bytes::complete::{tag, take, take_till, take_while, take_while1};
        use nom::combinator::opt;
        use nom::multi::fold_many0;
        use nom::sequence::{delimited, preceded};
        use nom::{IResult, Parser};

        fn blanks(input: &[u8]) -> IResult<&[u8], &[u8], ()> {
            take_while(|byte| matches!(byte, b' ' | b'\t')).parse(input)
        }
        fn token(input: &[u8]) -> IResult<&[u8], &[u8], ()> {
            take_while1(is_token).parse(input)
        }
        fn quoted(input: &[u8]) -> IResult<&[u8], &[u8], ()> {
            let plain = || take_while(|byte| !matches!(byte, b'"' | b'\\'));
            let escaped = (tag("\\"), take(1_usize), plain());
            delimited(
                tag("\""),
                (plain(), fold_many0(escaped, || (), |(), _| ())).map(|(start, ())| start),
                tag("\""),
            )
            .parse(input)
        }
        let (mut found, mut rest) = (CacheControl::default(), line);
        loop {
            let equals = delimited(blanks, tag("="), blanks);
            if let Ok((behind, (name, value))) =
                preceded(blanks, (token, opt(preceded(equals, alt((quoted, token)))))).parse(rest)
            {
                found.take(name, value);
                rest = behind;
            }
            let (behind, _) = take_till::<_, _, ()>(|byte| byte == b',')
                .parse(rest)
                .unwrap();
            let [_, next @ ..] = behind else { return found };
            rest = next;
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(4000))]

        #[test]
        fn reads_as_the_grammar_does(line in "((max-age|no-store|s-maxage|[nm]|)[ \t]?[=@]?[ \t]?[\"\\\\]?[0-9,a\\\\\" ]{0,4}[\"\\\\]?[, ]?){0,4}") {
            let mut found = CacheControl::default();
            found.add(line.as_bytes());
            proptest::prop_assert_eq!(found, by_grammar(line.as_bytes()));
        }
    }
}
