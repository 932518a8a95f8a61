//! Path patterns of robots.txt (RFC 9309 section 2.2.3). Access rules of other formats use them as
//! well.
//!
//! A pattern matches from the start of a path. `*` matches any bytes; `$` at the end matches the
//! end of the path.
//!
//! # Implementation
//!
//! Patterns and paths are untrusted, so matching takes linear time in both, for any number of `*`.
//! Such a glob needs no backtracking: the pieces between the stars are found one after another,
//! each as far left as possible; only the last one may have to match at the end. Finding one piece
//! must be linear as well: `search` uses Crochemore's algorithm with constant memory. If neither
//! side contains a percent sign or a non-ASCII byte, bytes are compared directly (`Octets`).
//! Otherwise both sides are read as `Symbols`, which differ in length, so the search uses cursors
//! instead of indices. (`memchr::memmem` is faster on long pieces, but contains panics that the
//! linker cannot remove.)
//!
//! # Example
//!
//! `/a/*b/*.php$` and the path `/a/xb/y/b/c.php`. Two stars and the anchor make three pieces:
//!
//! | piece | where it may be | found at |
//! | --- | --- | --- |
//! | `/a/` | at the start | 0 to 3 |
//! | `b/` | anywhere from 3 on | 4 to 6, the leftmost; the one at 8 is not tried |
//! | `.php` | at the end, not before 6 | 11 to 15 |
//!
//! The choice of the leftmost `b/` is never wrong: a later one leaves less of the path to the
//! pieces that follow, and the star takes whatever is between. So no choice is taken back, and the
//! time is linear. Without the `$`, the last piece is found like the others, at its leftmost place.

use super::pieces::Pieces;
use crate::scan;

/// A pattern of a rule.
///
/// Percent-encoding is normalized on both sides (RFC 9309 section 2.2.2). An encoded unreserved
/// character (`%41`) equals the character itself. Other bytes equal their encoding, in upper or
/// lower case, if a URL cannot contain them unencoded (non-ASCII bytes, blanks, `<>"{}|\^` and the
/// like). `%2F` differs from `/`. `%2A` and `%24` are literal `*` and `$`. An incomplete encoding
/// at the end of the pattern or before a star (`/%2`) also matches the beginning of an encoding.
/// The empty pattern matches nothing.
///
/// ```
/// use agentsdisc_core::syntax::pattern::Pattern;
/// assert!(Pattern::new(b"/a/*.php$").matches(b"/a/b/c.php"));
/// assert!(!Pattern::new(b"/a/*.php$").matches(b"/a/b.php?c"));
/// assert!(Pattern::new("/é".as_bytes()).matches(b"/%c3%A9t%C3%A9"));
/// assert!(!Pattern::new(b"/a%2Fb").matches(b"/a/b"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern<'a> {
    /// The pattern without its final `$`.
    body: &'a [u8],
    anchored: bool,
}

impl<'a> Pattern<'a> {
    /// Creates a pattern from text without blanks at its ends.
    pub const fn new(raw: &'a [u8]) -> Self {
        match raw {
            [body @ .., b'$'] => Self { body, anchored: true },
            body => Self { body, anchored: false },
        }
    }

    /// Matches `body` and then the end of the path. A `$` at the end of `body` is literal.
    pub(crate) const fn anchored(body: &'a [u8]) -> Self {
        Self { body, anchored: true }
    }

    /// True for an empty pattern, which matches nothing.
    pub const fn is_empty(&self) -> bool {
        self.body.is_empty() && !self.anchored
    }

    /// The bytes that each path begins with that the pattern matches, as a number, the first byte in
    /// the lowest bits: up to eight, before the first star, zero or byte that is not plain.
    pub(crate) fn first_bytes(&self) -> u64 {
        let plain =
            self.body.iter().take_while(|&&octet| octet != b'*' && octet != 0 && is_plain(octet));
        plain
            .zip((0..64).step_by(8))
            .fold(0, |key, (&octet, shift)| key | u64::from(octet) << shift)
    }

    /// The specificity of a match: the length of the pattern in bytes, with exactly those bytes
    /// percent-encoded that must be (RFC 9309 section 2.2.2). Different spellings of one pattern
    /// are equally specific. `*` and `$` count. Takes linear time.
    ///
    /// ```
    /// use agentsdisc_core::syntax::pattern::Pattern;
    /// assert_eq!(Pattern::new(b"/a/*$").specificity(), 5);
    /// assert_eq!(Pattern::new("/é".as_bytes()).specificity(), Pattern::new(b"/%c3%a9").specificity());
    /// ```
    pub fn specificity(&self) -> usize {
        let anchor = usize::from(self.anchored);
        if self.body.iter().all(|&byte| stands_for_itself(byte)) {
            return self.body.len().saturating_add(anchor);
        }
        let mut length = anchor;
        let (mut at, mut next) = (0_usize, 0_usize);
        loop {
            let symbol = Symbols::next(self.body, &mut next);
            if symbol == Symbol::END {
                return length;
            }
            // `%2A` and `%24` have only this spelling in a pattern, so their length is 3.
            let encoded = symbol.is_encoded()
                || (next.wrapping_sub(at) == 3 && matches!(symbol, Symbol::STAR | Symbol::DOLLAR));
            length = length.wrapping_add(if encoded { 3 } else { 1 });
            at = next;
        }
    }

    /// True if the pattern matches `path`: the path and query of a URL without its fragment,
    /// starting with `/`. Takes linear time in both lengths and constant memory.
    pub fn matches(&self, path: &[u8]) -> bool {
        // Most patterns differ from the path within the first bytes, and most matching patterns are
        // plain prefixes.
        let mut octets = path.iter();
        let mut index = 0usize;
        for &expected in self.body {
            if expected == b'*' || !is_plain(expected) {
                return self.matches_from(path, index);
            }
            match octets.next() {
                Some(&octet) if octet == expected => index = index.wrapping_add(1),
                Some(&octet) if is_plain(octet) => return false,
                Some(_) => return self.matches_from(path, index),
                None => return false,
            }
        }
        if self.anchored { octets.next().is_none() } else { !self.is_empty() }
    }

    /// True if the pattern matches a slash followed by `rest`, as for a URL with an empty path.
    pub(crate) fn matches_after_slash(&self, rest: &[u8]) -> bool {
        let mut tail = self.body;
        while let [b'*', after @ ..] = tail {
            tail = after;
        }
        // A star matches the slash, or the text after the stars begins with it.
        if tail.len() < self.body.len() && self.matches(rest) {
            return true;
        }
        match tail {
            [b'/'] if !self.anchored => true,
            [b'/', tail @ ..] => Self { body: tail, anchored: self.anchored }.matches(rest),
            _ => false,
        }
    }

    /// Returns what [`matches`](Self::matches) returns, if the first `index` bytes of both are equal
    /// and plain.
    #[inline(never)]
    fn matches_from(&self, path: &[u8], index: usize) -> bool {
        let (pattern, path) =
            (self.body.get(index..).unwrap_or_default(), path.get(index..).unwrap_or_default());
        // If both sides are plain, symbols give the same result, but slower.
        match (are_plain(pattern), are_plain(path)) {
            (true, true) => glob::<Octets>(pattern, self.anchored, path),
            // Not required for the result, but most non-ASCII patterns are compared with ASCII
            // paths.
            (false, true) if has_non_ascii(pattern) => false,
            _ => glob::<Symbols>(pattern, self.anchored, path),
        }
    }
}

/// True if two pieces of a path are equal after percent-encoding is normalized as in a [`Pattern`].
/// Stars are not wildcards here. Takes linear time.
pub(crate) fn same_octets(a: &[u8], b: &[u8]) -> bool {
    a == b || Symbols::strip_prefix(a, b, false).is_some_and(<[u8]>::is_empty)
}

/// The byte at `at`, decoded if it is encoded. Moves `at` behind it.
pub(crate) fn next_octet(octets: &[u8], at: &mut usize) -> Option<u8> {
    match Symbols::next(octets, at) {
        Symbol::END => None,
        Symbol(octet) => Some(octet as u8),
    }
}

/// Reads bytes as symbols and finds pieces of a pattern in a path.
trait Units {
    /// The symbol that starts at `at`; moves `at` behind it. [`Symbol::END`] at the end.
    fn next(octets: &[u8], at: &mut usize) -> Symbol;

    /// The symbol that ends at `at`; moves `at` before it. [`Symbol::END`] at the start.
    fn previous(octets: &[u8], at: &mut usize) -> Symbol;

    /// The rest of `path` after `piece` at its start. If the piece is open, anything may follow.
    fn strip_prefix<'p>(piece: &[u8], path: &'p [u8], is_open: bool) -> Option<&'p [u8]> {
        let mut run = Run::at(0);
        if run.go_on::<Self>(piece, path, is_open)? { path.get(run.path_at..) } else { None }
    }

    /// True if `path` ends with `piece`.
    fn is_suffix(piece: &[u8], path: &[u8]) -> bool {
        let (mut piece_at, mut path_at) = (piece.len(), path.len());
        loop {
            let expected = Self::previous(piece, &mut piece_at);
            if expected == Symbol::END {
                return true;
            }
            if expected != Self::previous(path, &mut path_at) {
                return false;
            }
        }
    }

    /// The rest of `path` after the first occurrence of `piece`.
    fn find<'p>(piece: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
        path.get(search::<Self>(piece, path)?..)
    }
}

/// Matches the pieces of `pattern` between its stars.
fn glob<U: Units>(pattern: &[u8], anchored: bool, mut path: &[u8]) -> bool {
    let mut pieces = Pieces::of(pattern, b'*');
    let mut is_first = true;
    while let Some(piece) = pieces.next() {
        let is_last = anchored && pieces.is_done();
        let left = match (is_first, is_last) {
            (true, _) => {
                U::strip_prefix(piece, path, !is_last).filter(|left| !is_last || left.is_empty())
            }
            (_, true) => return U::is_suffix(piece, path),
            _ => U::find(piece, path),
        };
        match left {
            Some(left) => path = left,
            None => return false,
        }
        is_first = false;
    }
    true
}

/// Bytes that are compared directly.
struct Octets;

impl Units for Octets {
    fn next(octets: &[u8], at: &mut usize) -> Symbol {
        let Some(&octet) = octets.get(*at) else {
            return Symbol::END;
        };
        *at = at.wrapping_add(1);
        Symbol(u16::from(octet))
    }

    fn previous(octets: &[u8], at: &mut usize) -> Symbol {
        let before = at.wrapping_sub(1);
        let Some(&octet) = octets.get(before) else {
            return Symbol::END;
        };
        *at = before;
        Symbol(u16::from(octet))
    }

    fn strip_prefix<'p>(piece: &[u8], path: &'p [u8], _: bool) -> Option<&'p [u8]> {
        path.strip_prefix(piece)
    }

    fn is_suffix(piece: &[u8], path: &[u8]) -> bool {
        path.ends_with(piece)
    }

    fn find<'p>(piece: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
        // Most pieces do not occur in the path, and often their first byte does not either.
        let Some(&first) = piece.first() else {
            return Some(path);
        };
        let path = path.get(scan::memchr(first, path)?..)?;
        match path.strip_prefix(piece) {
            Some(rest) => Some(rest),
            None if piece.len() > path.len() => None,
            None => path.get(search::<Self>(piece, path)?..),
        }
    }
}

/// Bytes that may be percent-encoded.
struct Symbols;

impl Units for Symbols {
    fn next(octets: &[u8], at: &mut usize) -> Symbol {
        let rest = octets.get(*at..).unwrap_or_default();
        let Some(&first) = rest.first() else {
            return Symbol::END;
        };
        let (symbol, length) = Symbol::of(first, decode(rest));
        *at = at.wrapping_add(length);
        symbol
    }

    fn previous(octets: &[u8], at: &mut usize) -> Symbol {
        let Some(&last) = octets.get(at.wrapping_sub(1)) else {
            return Symbol::END;
        };
        let encoding = octets.get(at.wrapping_sub(3)..).and_then(decode);
        let (symbol, length) = Symbol::of(last, encoding);
        *at = at.wrapping_sub(length);
        symbol
    }
}

/// A unit of comparison: a byte, and a bit that is set if it counts as percent-encoded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Symbol(u16);

impl Symbol {
    const STAR: Self = Self(b'*' as u16);
    const DOLLAR: Self = Self(b'$' as u16);
    /// A percent sign that begins no encoding.
    const PERCENT: Self = Self(b'%' as u16);
    const ENCODED: u16 = 0x100;
    /// The end of the text.
    const END: Self = Self(0x200);

    /// The first byte, decoded if it is encoded, and the number of bytes read.
    fn of(octet: u8, encoding: Option<u8>) -> (Self, usize) {
        let (set, octet, length) = match encoding {
            Some(octet) => (&SAME_ENCODED, octet, 3),
            None => (&AS_THEY_STAND, octet, 1),
        };
        let encoded = if set.has(octet) { 0 } else { Self::ENCODED };
        (Self(u16::from(octet) | encoded), length)
    }

    const fn is_encoded(self) -> bool {
        self.0 & Self::ENCODED != 0
    }

    /// True if the symbol is encoded, and its encoding begins with `start`, which is an incomplete
    /// encoding.
    fn begins_with(self, start: &[u8]) -> bool {
        let digit = char::from_digit(u32::from(self.0 >> 4 & 0xF), 16);
        self.is_encoded()
            && match *start {
                [_, first] => digit == Some(char::from(first.to_ascii_lowercase())),
                _ => true,
            }
    }
}

/// True if a URL may contain the byte unencoded (RFC 3986 section 2: unreserved or reserved).
const fn stands_for_itself(octet: u8) -> bool {
    octet.is_ascii_graphic()
        && !matches!(octet, b'%' | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}')
}

/// A set of ASCII bytes, one bit each.
struct Set([u32; 4]);

/// The bytes that a URL may contain unencoded, and a percent sign that does not start an encoding.
static AS_THEY_STAND: Set = Set::of(false);
/// The bytes whose encoding has the same meaning.
static SAME_ENCODED: Set = Set::of(true);

impl Set {
    const fn of(encoded: bool) -> Self {
        let (mut bits, mut octet) = (0_u128, 0_u8);
        while octet < 0x80 {
            let same = octet.is_ascii_alphanumeric()
                || matches!(octet, b'-' | b'.' | b'_' | b'~' | b'*' | b'$');
            if same || (!encoded && (stands_for_itself(octet) || octet == b'%')) {
                bits |= 1 << octet;
            }
            octet += 1;
        }
        Self([bits as u32, (bits >> 32) as u32, (bits >> 64) as u32, (bits >> 96) as u32])
    }

    fn has(&self, octet: u8) -> bool {
        self.0.get(usize::from(octet >> 5)).is_some_and(|bits| bits >> (octet & 31) & 1 != 0)
    }
}

/// True if a byte neither starts an encoding nor is a non-ASCII byte, which equals its encoding. If
/// both sides consist of such bytes, they are compared without decoding.
pub(crate) const fn is_plain(octet: u8) -> bool {
    octet < 0x80 && octet != b'%'
}

fn are_plain(octets: &[u8]) -> bool {
    // Does not stop early, so the compiler can vectorize it.
    octets.iter().fold(true, |plain, &octet| plain & is_plain(octet))
}

/// True if a byte of a pattern is not ASCII, unencoded or encoded.
fn has_non_ascii(mut pattern: &[u8]) -> bool {
    if !pattern.is_ascii() {
        return true;
    }
    while let Some(at) = scan::memchr(b'%', pattern) {
        let encoding = pattern.get(at..).unwrap_or_default();
        if decode(encoding).is_some_and(|octet| !octet.is_ascii()) {
            return true;
        }
        pattern = encoding.get(1..).unwrap_or_default();
    }
    false
}

/// The byte that the first three bytes encode. A percent sign is never part of another encoding, so
/// this holds from any offset.
pub(crate) fn decode(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = *text else {
        return None;
    };
    let digit = |octet: u8| char::from(octet).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// The text, if it is an encoding without its second digit, or without both.
fn incomplete(text: &[u8]) -> Option<&[u8]> {
    let is_incomplete = match *text {
        [b'%'] => true,
        [b'%', digit] => digit.is_ascii_hexdigit(),
        _ => false,
    };
    is_incomplete.then_some(text)
}

/// How far a piece matches at a position in a path.
#[derive(Clone, Copy)]
struct Run {
    /// The number of equal symbols.
    count: usize,
    piece_at: usize,
    path_at: usize,
}

impl Run {
    /// An empty match at a position in the path.
    const fn at(path_at: usize) -> Self {
        Self { count: 0, piece_at: 0, path_at }
    }

    /// Extends the match while the symbols are equal. Returns true if the whole piece matches;
    /// `None` if the path ends first. An incomplete encoding at the end of an open piece is one
    /// symbol, so that a search only has to compare equal symbols again.
    fn go_on<U: Units + ?Sized>(
        &mut self,
        piece: &[u8],
        path: &[u8],
        is_open: bool,
    ) -> Option<bool> {
        loop {
            let (mut piece_next, mut path_next) = (self.piece_at, self.path_at);
            let expected = U::next(piece, &mut piece_next);
            if expected == Symbol::END {
                return Some(true);
            }
            let symbol = U::next(path, &mut path_next);
            if is_open
                && symbol != Symbol::END
                && let Some(start) = incomplete(piece.get(self.piece_at..).unwrap_or_default())
            {
                let end = match *start {
                    _ if symbol.begins_with(start) => Some(path_next),
                    _ if symbol != Symbol::PERCENT => None,
                    // The path has the same characters, of which the second may be encoded.
                    [_, digit] => (U::next(path, &mut path_next) == Symbol(u16::from(digit)))
                        .then_some(path_next),
                    _ => Some(path_next),
                };
                self.path_at = end.unwrap_or(self.path_at);
                return Some(end.is_some());
            }
            if symbol != expected {
                return if symbol == Symbol::END { None } else { Some(false) };
            }
            *self = Self {
                count: self.count.wrapping_add(1),
                piece_at: piece_next,
                path_at: path_next,
            };
        }
    }
}

/// Moves forward by `count` symbols.
fn advance<U: Units + ?Sized>(octets: &[u8], at: &mut usize, count: usize) {
    for _ in 0..count {
        U::next(octets, at);
    }
}

/// The maximal suffix of a part of a path in the order of symbols, and the period of that suffix.
/// Positions count symbols from the start of the part. Each also has its byte offset, because
/// finding it again would take time.
#[derive(Clone, Copy)]
struct Suffix {
    /// The start of the suffix.
    left: usize,
    left_at: usize,
    /// The start of its last period, or of a candidate for a greater suffix.
    right: usize,
    right_at: usize,
    /// The number of symbols after `left` and `right` that are known to be equal. `low` and `high`
    /// are the byte offsets of the two symbols to compare next.
    offset: usize,
    low: usize,
    high: usize,
    period: usize,
}

impl Suffix {
    /// The maximal suffix of the one symbol at a position.
    fn at<U: Units + ?Sized>(path: &[u8], at: usize) -> Self {
        let mut next = at;
        U::next(path, &mut next);
        Self {
            left: 0,
            left_at: at,
            right: 1,
            right_at: next,
            offset: 0,
            low: at,
            high: next,
            period: 1,
        }
    }

    /// Extends the part up to the symbol number `last`.
    fn extend<U: Units + ?Sized>(&mut self, path: &[u8], last: usize) {
        while self.right.wrapping_add(self.offset) <= last {
            let (mut low, mut high) = (self.low, self.high);
            let (a, b) = (U::next(path, &mut low), U::next(path, &mut high));
            self.offset = self.offset.wrapping_add(1);
            if a == b && self.offset < self.period {
                (self.low, self.high) = (low, high);
                continue;
            }
            if a < b {
                // The suffix that begins at `right` is greater: restart from there.
                (self.left, self.left_at, self.offset) = (self.right, self.right_at, 1);
                high = self.right_at;
                U::next(path, &mut high);
            }
            self.right = self.right.wrapping_add(self.offset);
            self.right_at = high;
            if a != b {
                self.period = self.right.wrapping_sub(self.left);
            }
            (self.offset, self.low, self.high) = (0, self.left_at, high);
        }
    }
}

/// The end of the first occurrence of `piece` in `path`, both read as symbols.
///
/// String matching on ordered alphabets (Crochemore 1992). When a piece stops matching, the maximal
/// suffix of the part read, together with the symbol that stopped it, gives the next possible
/// position. The piece is not preprocessed. If the part is a repetition, its known prefix is kept,
/// so cursors never move back further than they then move forward, and the time is linear.
fn search<U: Units + ?Sized>(piece: &[u8], path: &[u8]) -> Option<usize> {
    let (mut start, mut run) = (0, Run::at(0));
    let mut suffix = Suffix::at::<U>(path, 0);
    loop {
        if run.go_on::<U>(piece, path, true)? {
            return Some(run.path_at);
        }
        if run.count == 0 {
            // Usually even the first symbol differs.
            start = suffix.right_at;
            (run, suffix) = (Run::at(start), Suffix::at::<U>(path, start));
            continue;
        }
        suffix.extend::<U>(path, run.count);
        let Suffix { left, right, period, .. } = suffix;
        let mut next = start;
        advance::<U>(path, &mut next, period);
        if left <= period && is_same::<U>(path, start, next, left) {
            // The part is a repetition and stays one after a shift by its period.
            start = next;
            match run.count.checked_sub(period) {
                Some(count) => {
                    run.count = count;
                    for _ in 0..period {
                        U::previous(piece, &mut run.piece_at);
                    }
                }
                None => run = Run::at(start),
            }
            if right.wrapping_sub(left) > period {
                suffix.right = right.wrapping_sub(period);
                advance::<U>(path, &mut suffix.left_at, period);
                advance::<U>(path, &mut suffix.low, period);
                continue;
            }
        } else {
            let shift = left.max(right.min(run.count.wrapping_sub(left))).wrapping_add(1);
            advance::<U>(path, &mut start, shift);
            run = Run::at(start);
        }
        suffix = Suffix::at::<U>(path, start);
    }
}

/// True if `count` symbols are equal at two positions of a path.
fn is_same<U: Units + ?Sized>(path: &[u8], mut a: usize, mut b: usize, count: usize) -> bool {
    (0..count).all(|_| U::next(path, &mut a) == U::next(path, &mut b))
}

#[cfg(test)]
mod tests;
