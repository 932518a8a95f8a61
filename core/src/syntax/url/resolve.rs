//! Resolving a reference against a base (RFC 3986 section 5).

use core::ops::Range;

use super::{BUFFER, Layout, Parts, Url, find, has_blank_or_control};
use crate::scan;
use crate::sink::{Sink, SliceSink};
use crate::syntax::pattern::next_octet;
use crate::syntax::pieces::before;
use crate::syntax::text::Text;

/// The reason why a reference was not resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResolveError {
    /// The reference is invalid or ambiguous: it contains a blank, a control character, a backslash
    /// in its authority or path (browsers read it as a slash) or invalid UTF-8, is longer than
    /// [`BUFFER`] bytes if it is escaped, or resolves to a path that reads as an authority.
    Invalid,
    /// The buffer is too small.
    BufferTooSmall {
        /// A sufficient size in bytes. The result may be shorter: dot segments are removed in the
        /// buffer.
        needed: usize,
    },
}

/// Resolves `reference` against `base` (RFC 3986 section 5.2, strict: a reference with a scheme is
/// always absolute) and writes the absolute URL into `buffer`. Normalizes only dot segments (`%2e`
/// stays as it is). Check the result with [`Url::parse`]. Takes linear time.
///
/// # Errors
/// [`ResolveError`].
///
/// ```
/// use agentsdisc_core::syntax::{text::Text, url::{resolve, ResolveError, Url}};
/// let base = Url::parse(b"https://example.com/a/b?c").unwrap();
/// let mut buffer = [0; 64];
/// assert_eq!(resolve(&base, Text::plain(b"../d"), &mut buffer), Ok("https://example.com/d"));
/// assert_eq!(resolve(&base, Text::plain(b"/d"), &mut [0; 8]), Err(ResolveError::BufferTooSmall { needed: 21 }));
/// ```
pub fn resolve<'b>(
    base: &Url<'_>,
    reference: Text<'_>,
    buffer: &'b mut [u8],
) -> Result<&'b str, ResolveError> {
    if reference.is_escaped() {
        return resolve_escaped(base, reference, buffer);
    }
    let text = scan::text(reference.raw()).ok_or(ResolveError::Invalid)?;
    resolve_str(base, text, buffer)
}

fn resolve_escaped<'b>(
    base: &Url<'_>,
    reference: Text<'_>,
    buffer: &'b mut [u8],
) -> Result<&'b str, ResolveError> {
    let mut decoded = [0; BUFFER];
    let text = reference.decode(&mut decoded).map_err(|_| ResolveError::Invalid)?;
    resolve_str(base, text, buffer)
}

pub(crate) fn resolve_str<'b>(
    base: &Url<'_>,
    reference: &str,
    buffer: &'b mut [u8],
) -> Result<&'b str, ResolveError> {
    let resolved =
        resolve_against(base.text.as_bytes(), &base.layout, reference.as_bytes(), buffer)?;
    // Only whole ASCII segments were removed, so the text is still UTF-8.
    scan::text(resolved).ok_or(ResolveError::Invalid)
}

/// Like [`resolve`], for a reference in UTF-8, and a base that is given by its text and its layout.
pub(crate) fn resolve_against<'b>(
    base: &[u8],
    layout: &Layout,
    text: &[u8],
    buffer: &'b mut [u8],
) -> Result<&'b [u8], ResolveError> {
    let parts = Parts::split(text);
    if has_blank_or_control(text)
        || u32::try_from(text.len()).is_err()
        || text.get(..parts.path_end as usize).is_some_and(|start| find(start, b'\\').is_some())
    {
        return Err(ResolveError::Invalid);
    }
    // The reference replaces the part of the same kind as its own first part, and everything after
    // it. A scheme always replaces the whole base.
    let base_parts = &layout.parts;
    let path = base_parts.path as usize;
    let is_absolute = parts.scheme != 0 || parts.has_authority;
    let is_empty = parts.path == parts.path_end;
    let mut slash = &b""[..];
    let kept = if parts.scheme != 0 {
        0
    } else if parts.has_authority {
        base_parts.after_scheme()
    } else if !is_empty {
        let directory =
            base.get(path..base_parts.path_end as usize).and_then(|path| scan::memrchr(b'/', path));
        match directory {
            _ if text.starts_with(b"/") => path,
            Some(last) => path.wrapping_add(last).wrapping_add(1),
            // A base without a path has the path `/`.
            None => {
                slash = b"/";
                path
            }
        }
    } else if parts.path_end < parts.query_end {
        base_parts.path_end as usize
    } else {
        base_parts.query_end as usize
    };
    let mut out = SliceSink::new(buffer);
    out.put(base.get(..kept).unwrap_or_default());
    out.put(slash);
    let front = out.length();
    out.put(text);
    let needed = out.length();
    let Some(result) = buffer.get_mut(..needed) else {
        return Err(ResolveError::BufferTooSmall { needed });
    };

    let mut length = needed;
    // An empty reference keeps the path of the base.
    if is_absolute || !is_empty {
        let in_reference = |place: u32| front.wrapping_add(place as usize);
        let start = if is_absolute { in_reference(parts.path) } else { path };
        length = remove_dot_segments(result, start, in_reference(parts.path_end), false);
        let reads_as_authority =
            || result.get(start..length).is_some_and(|path| path.starts_with(b"//"));
        if parts.scheme != 0 && !parts.has_authority && reads_as_authority() {
            return Err(ResolveError::Invalid);
        }
    }
    Ok(result.get(..length).unwrap_or_default())
}

/// Removes the dot segments (RFC 3986 5.2.4) of the path from `start` to `end`, moves the text
/// after it, and returns the remaining length. If `encoded`, `%2e` is a dot as well.
///
/// INVARIANT: `write <= read`. Every byte is written and removed at most once, so this takes linear
/// time.
pub(crate) fn remove_dot_segments(
    text: &mut [u8],
    start: usize,
    end: usize,
    encoded: bool,
) -> usize {
    let (mut read, mut write) = (start, start);
    while let Some(path @ [first, ..]) = text.get(read..end) {
        // A segment with the slash before it; only the first segment can lack the slash.
        let segment = path.strip_prefix(b"/").unwrap_or(path);
        let has_slash = *first == b'/';
        let segment = before(segment, b'/');
        let next = read.wrapping_add(usize::from(has_slash)).wrapping_add(segment.len());
        let dots = dots(segment, encoded);
        if dots == 0 {
            write = move_down(text, read..next, write);
            read = next;
            continue;
        }
        read = next;
        if !has_slash {
            // Without a slash before it, the slash after it is removed.
            read = next.wrapping_add(1).min(end);
            continue;
        }
        if dots == 2 {
            // The start of the last segment that was written, including its slash.
            let parent = text
                .get(start..write)
                .and_then(|written| scan::memrchr(b'/', written))
                .unwrap_or(0);
            write = start.wrapping_add(parent);
        }
        if read == end
            && let Some(place) = text.get_mut(write)
        {
            *place = b'/';
            write = write.wrapping_add(1);
        }
    }
    move_down(text, end..text.len(), write)
}

/// The number of dots of a dot segment; 0 for any other segment.
pub(crate) fn dots(segment: &[u8], encoded: bool) -> usize {
    let (mut count, mut at) = (0_usize, 0_usize);
    while let Some(octet) = next_octet(segment, &mut at) {
        count = count.wrapping_add(1);
        if octet != b'.' || count > 2 || (at != count && !encoded) {
            return 0;
        }
    }
    count
}

/// Copies bytes down to an offset and returns their end.
pub(crate) fn move_down(text: &mut [u8], from: Range<usize>, mut to: usize) -> usize {
    if from.start == to {
        return from.end;
    }
    for at in from {
        if let Some(&octet) = text.get(at)
            && let Some(place) = text.get_mut(to)
        {
            *place = octet;
            to = to.wrapping_add(1);
        }
    }
    to
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use iri_string::types::{UriAbsoluteStr, UriReferenceStr};
    use proptest::prelude::*;
    use std::string::{String, ToString};

    fn resolved(base: &str, reference: &str) -> Result<String, ResolveError> {
        let mut buffer = [0; 1024];
        resolve(
            &Url::parse(base.as_bytes()).expect(base),
            Text::plain(reference.as_bytes()),
            &mut buffer,
        )
        .map(ToString::to_string)
    }

    /// RFC 3986 5.4.1 and 5.4.2.
    #[test]
    fn examples_of_the_rfc() {
        for (reference, expected) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"),
            ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"),
            ("http:g", "http:g"),
        ] {
            assert_eq!(
                resolved("http://a/b/c/d;p?q", reference).as_deref(),
                Ok(expected),
                "{reference}"
            );
        }
    }

    #[test]
    fn what_two_readers_could_read_in_two_ways_is_refused() {
        for reference in [
            "\\\\evil.test/x",
            "/\\evil.test",
            "//evil.test\\@a/",
            "a b",
            "\ta",
            "a\u{0}",
            "x:/.//evil.test",
            "x:/a/..//evil.test",
        ] {
            assert_eq!(
                resolved("https://a/b", reference),
                Err(ResolveError::Invalid),
                "{reference}"
            );
        }
        assert_eq!(resolved("https://a", "b").as_deref(), Ok("https://a/b"));
        assert_eq!(resolved("https://a?q#f", "#g").as_deref(), Ok("https://a?q#g"));
        assert_eq!(resolved("https://a/b", "//evil.test/x").as_deref(), Ok("https://evil.test/x"));
        assert_eq!(resolved("https://a/b/", "é?ü").as_deref(), Ok("https://a/b/é?ü"));
        assert_eq!(resolved("https://a/b", "/x?y\\z").as_deref(), Ok("https://a/x?y\\z"));
    }

    #[test]
    fn escaped_references_are_decoded() {
        let base = Url::parse(b"https://a/b").unwrap();
        let mut buffer = [0; 64];
        assert_eq!(
            resolve(&base, Text::json(br"\/\/evil.test\/"), &mut buffer),
            Ok("https://evil.test/")
        );
        assert_eq!(
            resolve(&base, Text::json(br"\\\\evil.test"), &mut buffer),
            Err(ResolveError::Invalid)
        );
    }

    #[test]
    fn a_buffer_of_the_needed_size_is_enough() {
        let base = Url::parse(b"https://a/b/c").unwrap();
        for reference in ["", "x", "../../x?y#z", "//h/./a", "mailto:a@b"] {
            let Err(ResolveError::BufferTooSmall { needed }) =
                resolve(&base, Text::plain(reference.as_bytes()), &mut [])
            else {
                panic!()
            };
            let mut buffer = std::vec![0; needed];
            assert!(resolve(&base, Text::plain(reference.as_bytes()), &mut buffer).is_ok());
            assert!(
                resolve(&base, Text::plain(reference.as_bytes()), &mut buffer[..needed - 1])
                    .is_err()
            );
        }
    }

    fn reference() -> impl Strategy<Value = String> {
        let segment = "(\\.|\\.\\.|[ab]{0,2}|\\.a|%41)";
        // No %2e here: the oracle takes it for a dot.
        let path = std::format!("/?{segment}(/{segment}){{0,6}}/?");
        proptest::string::string_regex(&std::format!(
            "((x:)?(//h?)?)?{path}(\\?[a/.]{{0,3}})?(#[a/.]{{0,3}})?"
        ))
        .expect("a regular expression")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn resolves_as_iri_string_does(base in "http://h(/(\\.|\\.\\.|[ab]{1,2})){0,4}/?(\\?[a/]{0,2})?", reference in reference()) {
            let Ok(valid) = UriReferenceStr::new(&reference) else { return Ok(()) };
            let oracle = valid.resolve_against(UriAbsoluteStr::new(&base).expect("a base"));
            if oracle.ensure_rfc3986_normalizable().is_err() {
                prop_assert_eq!(resolved(&base, &reference), Err(ResolveError::Invalid));
            } else {
                prop_assert_eq!(resolved(&base, &reference), Ok(oracle.to_string()));
            }
        }

        #[test]
        fn nothing_panics(base in "[a-z/:.@\\[\\]#?%0-9 \\\\é]{0,24}", reference in "[a-z/:.@\\[\\]#?%0-9 \\\\é]{0,24}", size in 0usize..64) {
            if let Some(base) = Url::parse(base.as_bytes()) {
                let _ = resolve(&base, Text::plain(reference.as_bytes()), &mut std::vec![0; size]);
            }
            if let Some(base) = Url::parse(std::format!("https://{base}").as_bytes()) {
                let _ = resolve(&base, Text::json(reference.as_bytes()), &mut std::vec![0; size]);
            }
        }
    }
}
