//! The part of a URL that rules are matched against.

use crate::scan;
use crate::sink::{Sink, SliceSink};
use crate::syntax::pattern::{Pattern, is_plain};
use crate::syntax::pieces::before;
use crate::syntax::url::{BUFFER, remove_dot_segments};

/// The path and the query of a URL or of a path.
#[derive(Clone, Copy)]
pub(super) struct Target<'t> {
    rest: &'t [u8],
    /// True if the URL has no path before its query or `;`, so a slash is assumed before `rest`.
    after_slash: bool,
}

impl<'t> Target<'t> {
    /// Removes scheme, authority and fragment in the same way as the widely used open-source
    /// parser. Text that begins with `/` is a path; text that begins with `//` is an authority. In
    /// text without a scheme, the part before the first `/` is also an authority.
    pub(super) fn of(url_or_path: &'t [u8]) -> Self {
        let whole = url_or_path.strip_prefix(b"//").unwrap_or(url_or_path);
        let end = scan::memchr(b'#', whole).unwrap_or(whole.len());
        let whole = whole.get(..end).unwrap_or_default();
        let start_of_path =
            |octets: &[u8]| octets.iter().position(|octet| matches!(octet, b'/' | b'?' | b';'));
        // A scheme contains no slash, question mark or semicolon, so the first of these belongs to
        // `://`.
        let after_scheme = match start_of_path(whole).and_then(|at| whole.split_at_checked(at)) {
            Some(([.., b':'], [b'/', b'/', rest @ ..])) => rest,
            _ => whole,
        };
        match start_of_path(after_scheme).and_then(|at| after_scheme.get(at..)) {
            None => Self { rest: b"/", after_slash: false },
            Some(rest) => Self { rest, after_slash: !rest.starts_with(b"/") },
        }
    }

    /// True if the path may have dot segments: if a dot, also an encoded one, begins a segment.
    fn may_have_dots(self) -> bool {
        let path = before(self.rest, b'?');
        scan::find(path, b"/.").is_some() || scan::find(path, b"/%2").is_some()
    }

    /// True if the target is robots.txt itself.
    pub(super) fn is_robots_file(self) -> bool {
        !self.after_slash && self.rest == b"/robots.txt"
    }

    /// The first eight bytes of the path as a number, the first byte in the lowest bits, and a mask of
    /// those bytes that only a star or an equal byte of a pattern matches. A path that ends has zeros.
    pub(super) fn first_bytes(self) -> (u64, u64) {
        let slash: &[u8] = if self.after_slash { b"/" } else { b"" };
        let (mut bytes, mut known) = (0, u64::MAX);
        for (&octet, shift) in slash.iter().chain(self.rest).zip((0..64).step_by(8)) {
            if !is_plain(octet) {
                known = !(u64::MAX << shift);
                break;
            }
            bytes |= u64::from(octet) << shift;
        }
        (bytes, known)
    }

    #[inline]
    pub(super) fn is_matched_by(self, pattern: Pattern<'_>) -> bool {
        if self.after_slash {
            pattern.matches_after_slash(self.rest)
        } else {
            pattern.matches(self.rest)
        }
    }
}

/// Passes the target in a URL or a path to `answer`, without dot segments: every client removes
/// them, also `%2e`. `None` if a path with dot segments is longer than 2,048 bytes.
#[inline]
pub(super) fn with_target<T>(
    url_or_path: &[u8],
    answer: impl FnOnce(Target<'_>) -> T,
) -> Option<T> {
    let target = Target::of(url_or_path);
    match target.may_have_dots() {
        false => Some(answer(target)),
        true => without_dots(target, answer),
    }
}

// A separate function, so that the buffer is on the stack only if it is needed.
#[inline(never)]
fn without_dots<T>(target: Target<'_>, answer: impl FnOnce(Target<'_>) -> T) -> Option<T> {
    let mut buffer = [0; BUFFER];
    let mut sink = SliceSink::new(&mut buffer);
    if target.after_slash {
        sink.put(b"/");
    }
    let path = before(target.rest, b'?');
    sink.put(path);
    let end = sink.length();
    sink.put(target.rest.get(path.len()..)?);
    let length = sink.length();
    let whole = buffer.get_mut(..length)?;
    let length = remove_dot_segments(whole, 0, end, true);
    Some(answer(Target { rest: whole.get(..length)?, after_slash: false }))
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    #[test]
    fn paths_of_urls() {
        for (url, path) in [
            ("", "/"),
            ("https://a.test", "/"),
            ("https://a.test/", "/"),
            ("https://a.test/b", "/b"),
            ("https://a.test/b?c=http://d/e#f", "/b?c=http://d/e"),
            ("https://a.test?b", "/?b"),
            ("https://a.test;b", "/;b"),
            ("https://a.test#/b", "/"),
            ("a.test", "/"),
            ("a.test/b", "/b"),
            ("//a.test/b", "/b"),
            ("//a.test", "/"),
            ("/", "/"),
            ("/a#b", "/a"),
            ("/a?b#c?d", "/a?b"),
            ("/a//b", "/a//b"),
            ("/x?u=https://a.test/b", "/x?u=https://a.test/b"),
            ("#", "/"),
            ("?a", "/?a"),
            ("mailto:a/b", "/b"),
            ("/a://b", "/a://b"),
        ] {
            let target = Target::of(url.as_bytes());
            let found = std::format!(
                "{}{}",
                if target.after_slash { "/" } else { "" },
                std::str::from_utf8(target.rest).unwrap()
            );
            assert_eq!(found, path, "{url}");
            assert_eq!(robotstxt::get_path_params_query(url), path, "{url}");
        }
    }

    #[test]
    fn a_query_without_path_has_a_slash() {
        let target = Target::of(b"https://a.test?b=c");
        for pattern in ["/", "/?b", "*", "*b", "*/?b", "**/?b*c$", "/*c$", "/?*=", "*?b=c$"] {
            assert!(target.is_matched_by(Pattern::new(pattern.as_bytes())), "{pattern}");
        }
        for pattern in ["/$", "?b", "/b", "*/b", "*/$", "$", ""] {
            assert!(!target.is_matched_by(Pattern::new(pattern.as_bytes())), "{pattern}");
        }
    }
}
