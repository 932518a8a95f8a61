//! Path patterns of robots.txt (RFC 9309 section 2.2.3), which access rules of other formats borrow.
//!
//! A pattern matches from the start of a path; `*` stands for any octets, `$` at the end for the end of the path.
//!
//! # For the next programmer
//!
//! Patterns and paths come from strangers, so matching must be linear in both, however many `*` there are. A glob of
//! this kind needs no backtracking: the pieces between the stars are found one after another, each as far left as
//! possible, and only the last one may have to stand at the end. What must be linear then is finding one piece:
//! `search` is an algorithm of Crochemore's, in constant memory and linear time. Where neither side
//! has a percent sign or a non-ASCII octet, octets are compared as they are (`Octets`). Otherwise both sides are read
//! as `Symbols`, which have different lengths in octets, and so the search goes by cursors instead of indices.
//! (`memchr::memmem` is faster on long pieces, but leaves panics that the linker can reach.)

use super::pieces::Pieces;
use crate::scan;

/// A pattern as it stands in a rule.
///
/// Percent-encoding is normalised on both sides (RFC 9309 section 2.2.2): unreserved characters (`%41`) equal
/// themselves, other octets equal their encoding in either letter case where they cannot stand in a URL as they are
/// (non-ASCII, blanks, `<>"{}|\^` and the like), and `%2F` differs from `/`. `%2A` and `%24` mean `*` and `$` themselves.
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
    /// Without the `$` that anchors it.
    body: &'a [u8],
    anchored: bool,
}

impl<'a> Pattern<'a> {
    /// A pattern as written, without blanks around it.
    pub const fn new(raw: &'a [u8]) -> Self {
        match raw {
            [body @ .., b'$'] => Self {
                body,
                anchored: true,
            },
            body => Self {
                body,
                anchored: false,
            },
        }
    }

    /// `body` and the end of the path; a `$` at the end of `body` means itself.
    pub(crate) const fn anchored(body: &'a [u8]) -> Self {
        Self {
            body,
            anchored: true,
        }
    }

    /// Whether it is empty, and so matches nothing.
    pub const fn is_empty(&self) -> bool {
        self.body.is_empty() && !self.anchored
    }

    /// How specific a match by this pattern is: its length in octets, as it reads when everything is encoded that must
    /// be and nothing else (RFC 9309 section 2.2.2). Two spellings of one pattern are equally specific; `*` and `$`
    /// count. Linear.
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
            // `%2A` and `%24` have only this one spelling in a pattern, so it stays their length.
            let encoded = symbol.is_encoded()
                || (next.wrapping_sub(at) == 3 && matches!(symbol, Symbol::STAR | Symbol::DOLLAR));
            length = length.wrapping_add(if encoded { 3 } else { 1 });
            at = next;
        }
    }

    /// Whether it matches `path`: path and query of a URL, beginning with `/`, without fragment. Linear in the lengths of both, in constant memory.
    pub fn matches(&self, path: &[u8]) -> bool {
        // Most patterns that do not match differ within the first octets, and most that do are plain prefixes.
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
        if self.anchored {
            octets.next().is_none()
        } else {
            !self.is_empty()
        }
    }

    /// Whether it matches a slash followed by `rest`. A URL without path has a slash that stands nowhere.
    pub(crate) fn matches_after_slash(&self, rest: &[u8]) -> bool {
        let mut tail = self.body;
        while let [b'*', after @ ..] = tail {
            tail = after;
        }
        // A star takes the slash, or what follows the stars begins with it.
        if tail.len() < self.body.len() && self.matches(rest) {
            return true;
        }
        match tail {
            [b'/'] if !self.anchored => true,
            [b'/', tail @ ..] => Self {
                body: tail,
                anchored: self.anchored,
            }
            .matches(rest),
            _ => false,
        }
    }

    /// The same as [`matches`](Self::matches) where the first `index` octets of both are equal and plain.
    #[inline(never)]
    fn matches_from(&self, path: &[u8], index: usize) -> bool {
        let (pattern, path) = (
            self.body.get(index..).unwrap_or_default(),
            path.get(index..).unwrap_or_default(),
        );
        // Where both are plain, symbols would give the same answer, more slowly.
        match (are_plain(pattern), are_plain(path)) {
            (true, true) => glob::<Octets>(pattern, self.anchored, path),
            // Not needed for the answer, but patterns in other scripts mostly meet paths in ASCII.
            (false, true) if has_non_ascii(pattern) => false,
            _ => glob::<Symbols>(pattern, self.anchored, path),
        }
    }
}

/// Whether two pieces of a path are the same, percent-encoding normalised on both sides as in a [`Pattern`]; stars are no wildcards here. Linear.
pub(crate) fn same_octets(a: &[u8], b: &[u8]) -> bool {
    a == b || Symbols::strip_prefix(a, b).is_some_and(<[u8]>::is_empty)
}

/// The octet that stands at `at`, as it is or encoded; `at` is moved behind it.
pub(crate) fn next_octet(octets: &[u8], at: &mut usize) -> Option<u8> {
    match Symbols::next(octets, at) {
        Symbol::END => None,
        Symbol(octet) => Some(octet as u8),
    }
}

/// How octets are read as symbols, and pieces of a pattern found in a path.
trait Units {
    /// The symbol that begins at `at`, which is moved behind it; [`Symbol::END`] where nothing is left.
    fn next(octets: &[u8], at: &mut usize) -> Symbol;

    /// The symbol that ends at `at`, which is moved before it; [`Symbol::END`] at the start.
    fn previous(octets: &[u8], at: &mut usize) -> Symbol;

    /// What is left of `path` after `piece` at its start.
    fn strip_prefix<'p>(piece: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
        let mut run = Run::at(0);
        if run.go_on::<Self>(piece, path)? {
            path.get(run.path_at..)
        } else {
            None
        }
    }

    /// Whether `piece` stands at the end of `path`.
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

    /// What is left of `path` after the first place where `piece` stands.
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
            (true, _) => U::strip_prefix(piece, path).filter(|left| !is_last || left.is_empty()),
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

/// Every octet means itself.
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

    fn strip_prefix<'p>(piece: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
        path.strip_prefix(piece)
    }

    fn is_suffix(piece: &[u8], path: &[u8]) -> bool {
        path.ends_with(piece)
    }

    fn find<'p>(piece: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
        // Most pieces are not in the path, and their first octet often is not either.
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

/// Octets that may be percent-encoded.
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

/// One unit of comparison: an octet, and whether it counts as percent-encoded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Symbol(u16);

impl Symbol {
    const STAR: Self = Self(b'*' as u16);
    const DOLLAR: Self = Self(b'$' as u16);
    const ENCODED: u16 = 0x100;
    /// Where there is none.
    const END: Self = Self(0x200);

    /// An octet as it stands, or the one that its encoding means; and how many octets that takes.
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
}

/// Whether an octet may stand in a URL as it is (RFC 3986 section 2: unreserved or reserved).
const fn stands_for_itself(octet: u8) -> bool {
    octet.is_ascii_graphic()
        && !matches!(
            octet,
            b'%' | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}'
        )
}

/// A set of octets of ASCII, a bit for each.
struct Set([u32; 4]);

/// What may stand in a URL as it is, and a percent sign that begins no encoding.
static AS_THEY_STAND: Set = Set::of(false);
/// What means the same where it is encoded.
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
        Self([
            bits as u32,
            (bits >> 32) as u32,
            (bits >> 64) as u32,
            (bits >> 96) as u32,
        ])
    }

    fn has(&self, octet: u8) -> bool {
        self.0
            .get(usize::from(octet >> 5))
            .is_some_and(|bits| bits >> (octet & 31) & 1 != 0)
    }
}

/// Whether an octet is neither the beginning of an encoding nor equal to one of a non-ASCII octet. Where both sides
/// have only such octets, none is compared with an encoding.
const fn is_plain(octet: u8) -> bool {
    octet < 0x80 && octet != b'%'
}

fn are_plain(octets: &[u8]) -> bool {
    // Without leaving early, so that it is done many octets at a time.
    octets
        .iter()
        .fold(true, |plain, &octet| plain & is_plain(octet))
}

/// Whether an octet of a pattern is not ASCII, as it stands or encoded.
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

/// The octet that the three octets at the front encode. A percent sign is never part of another encoding, so three octets that look like
/// one are one, wherever reading began.
pub(crate) fn decode(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = *text else {
        return None;
    };
    let digit = |octet: u8| char::from(octet).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// How far a piece is the same as what stands in a path.
#[derive(Clone, Copy)]
struct Run {
    /// How many symbols are the same.
    count: usize,
    piece_at: usize,
    path_at: usize,
}

impl Run {
    /// Nothing yet, from a place in the path on.
    const fn at(path_at: usize) -> Self {
        Self {
            count: 0,
            piece_at: 0,
            path_at,
        }
    }

    /// Goes on as far as the symbols are the same. Whether that is all of the piece; `None` where the path ends before it.
    fn go_on<U: Units + ?Sized>(&mut self, piece: &[u8], path: &[u8]) -> Option<bool> {
        loop {
            let (mut piece_next, mut path_next) = (self.piece_at, self.path_at);
            let expected = U::next(piece, &mut piece_next);
            if expected == Symbol::END {
                return Some(true);
            }
            let symbol = U::next(path, &mut path_next);
            if symbol != expected {
                return if symbol == Symbol::END {
                    None
                } else {
                    Some(false)
                };
            }
            *self = Self {
                count: self.count.wrapping_add(1),
                piece_at: piece_next,
                path_at: path_next,
            };
        }
    }
}

/// Moves on by `count` symbols.
fn advance<U: Units + ?Sized>(octets: &[u8], at: &mut usize, count: usize) {
    for _ in 0..count {
        U::next(octets, at);
    }
}

/// The maximal suffix of a part of a path, in the order of symbols, and the period of that suffix. The numbers are symbols since the start of the
/// part; beside them stands where that is in octets, for walking there would cost.
#[derive(Clone, Copy)]
struct Suffix {
    /// Where it begins.
    left: usize,
    left_at: usize,
    /// Where the last of its periods begins, or what may turn out to be a greater suffix.
    right: usize,
    right_at: usize,
    /// How many symbols behind these are known to be the same, and where they end.
    offset: usize,
    low: usize,
    high: usize,
    period: usize,
}

impl Suffix {
    /// That of the one symbol at a place.
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

    /// Becomes that of a longer part, up to the symbol with the number `last`.
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
                // What begins at `right` is greater: start again from there.
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

/// Where the first occurrence of `piece` in `path` ends, both read as symbols.
///
/// String matching on ordered alphabets (Crochemore 1992): where a piece stops to match, the maximal suffix of what was read of the path, together
/// with the symbol that stopped it, says how far the next place can be. Nothing of the piece is looked at before. Where the part that was read is a
/// repetition, what is known of it is kept, so cursors go back no further than they then go forward, and the time is linear.
fn search<U: Units + ?Sized>(piece: &[u8], path: &[u8]) -> Option<usize> {
    let (mut start, mut run) = (0, Run::at(0));
    let mut suffix = Suffix::at::<U>(path, 0);
    loop {
        if run.go_on::<U>(piece, path)? {
            return Some(run.path_at);
        }
        if run.count == 0 {
            // Not even the first symbol is the same, as nearly everywhere.
            start = suffix.right_at;
            (run, suffix) = (Run::at(start), Suffix::at::<U>(path, start));
            continue;
        }
        suffix.extend::<U>(path, run.count);
        let Suffix {
            left,
            right,
            period,
            ..
        } = suffix;
        let mut next = start;
        advance::<U>(path, &mut next, period);
        if left <= period && is_same::<U>(path, start, next, left) {
            // All of it is a repetition, and goes on as one after a shift by the period.
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
            let shift = left
                .max(right.min(run.count.wrapping_sub(left)))
                .wrapping_add(1);
            advance::<U>(path, &mut start, shift);
            run = Run::at(start);
        }
        suffix = Suffix::at::<U>(path, start);
    }
}

/// Whether as many symbols of a path are the same at two places.
fn is_same<U: Units + ?Sized>(path: &[u8], mut a: usize, mut b: usize, count: usize) -> bool {
    (0..count).all(|_| U::next(path, &mut a) == U::next(path, &mut b))
}

#[cfg(test)]
mod tests;
