//! Path patterns of robots.txt (RFC 9309 section 2.2.3), which access rules of other formats borrow.
//!
//! A pattern matches from the start of a path; `*` stands for any octets, `$` at the end for the end of the path.
//!
//! # For the next programmer
//!
//! Patterns and paths come from strangers, so matching must be linear in both, however many `*` there are. A glob of
//! this kind needs no backtracking: the pieces between the stars are found one after another, each as far left as
//! possible, and only the last one may have to stand at the end. What must be linear then is finding one piece:
//! `search` is the two-way algorithm of Crochemore and Perrin, in constant memory and linear time. Where neither side
//! has a percent sign or a non-ASCII octet, octets are compared as they are (`Octets`). Otherwise both sides are read
//! as `Symbols`, which have different lengths in octets, and so the search goes by cursors instead of indices.
//! (`memchr::memmem` is faster on long pieces, but leaves panics that the linker can reach.)

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
            [body @ .., b'$'] => Self { body, anchored: true },
            body => Self { body, anchored: false },
        }
    }

    /// `body` and the end of the path; a `$` at the end of `body` means itself.
    pub(crate) const fn anchored(body: &'a [u8]) -> Self {
        Self { body, anchored: true }
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
        let mut at = 0;
        while let Some((symbol, next)) = Symbols::forward(self.body, at) {
            // `%2A` and `%24` have only this one spelling in a pattern, so it stays their length.
            let encoded = symbol.is_encoded() || (next.saturating_sub(at) == 3 && matches!(symbol, Symbol::STAR | Symbol::DOLLAR));
            length = length.saturating_add(if encoded { 3 } else { 1 });
            at = next;
        }
        length
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
        if self.anchored { octets.next().is_none() } else { !self.is_empty() }
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
            [b'/', tail @ ..] => Self { body: tail, anchored: self.anchored }.matches(rest),
            _ => false,
        }
    }

    /// The same as [`matches`](Self::matches) where the first `index` octets of both are equal and plain.
    #[inline(never)]
    fn matches_from(&self, path: &[u8], index: usize) -> bool {
        let (pattern, path) = (self.body.get(index..).unwrap_or_default(), path.get(index..).unwrap_or_default());
        // Where both are plain, symbols would give the same answer: on firmware, small code is worth more than time.
        if cfg!(target_os = "none") {
            return glob::<Symbols>(pattern, self.anchored, path);
        }
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

/// How octets are read as symbols, and pieces of a pattern found in a path.
trait Units {
    /// The symbol that begins at `at`, and where it ends; nothing at the end.
    fn forward(octets: &[u8], at: usize) -> Option<(Symbol, usize)>;

    /// The symbol that ends at `at`, and where it begins; nothing at the start.
    fn backward(octets: &[u8], at: usize) -> Option<(Symbol, usize)>;

    /// What is left of `path` after `piece` at its start.
    fn strip_prefix<'p>(piece: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
        let (mut piece_at, mut path_at) = (0, 0);
        while let Some((expected, piece_next)) = Self::forward(piece, piece_at) {
            let (symbol, path_next) = Self::forward(path, path_at)?;
            if symbol != expected {
                return None;
            }
            (piece_at, path_at) = (piece_next, path_next);
        }
        path.get(path_at..)
    }

    /// Whether `piece` stands at the end of `path`.
    fn is_suffix(piece: &[u8], path: &[u8]) -> bool {
        let (mut piece_at, mut path_at) = (piece.len(), path.len());
        while let Some((expected, piece_next)) = Self::backward(piece, piece_at) {
            match Self::backward(path, path_at) {
                Some((symbol, path_next)) if symbol == expected => (piece_at, path_at) = (piece_next, path_next),
                _ => return false,
            }
        }
        true
    }

    /// What is left of `path` after the first place where `piece`, which is not empty, stands.
    fn find<'p>(piece: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
        path.get(search::<Self>(piece, path)?..)
    }
}

/// Matches the pieces of `pattern` between its stars.
fn glob<U: Units>(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
    let Some(star) = scan::memchr(b'*', pattern) else {
        return U::strip_prefix(pattern, path).is_some_and(|rest| !anchored || rest.is_empty());
    };
    let Some((first, mut pattern)) = pattern.split_at_checked(star) else { return false };
    let Some(mut path) = U::strip_prefix(first, path) else { return false };
    // `pattern` begins with a star.
    while let [b'*', tail @ ..] = pattern {
        let end = scan::memchr(b'*', tail).unwrap_or(tail.len());
        let Some((piece, rest)) = tail.split_at_checked(end) else { return false };
        if rest.is_empty() && anchored {
            return U::is_suffix(piece, path);
        }
        if !piece.is_empty() {
            match U::find(piece, path) {
                Some(left) => path = left,
                None => return false,
            }
        }
        pattern = rest;
    }
    true
}

/// Every octet means itself.
struct Octets;

impl Units for Octets {
    fn forward(octets: &[u8], at: usize) -> Option<(Symbol, usize)> {
        Some((Symbol(u16::from(*octets.get(at)?)), at.saturating_add(1)))
    }

    fn backward(octets: &[u8], at: usize) -> Option<(Symbol, usize)> {
        let before = at.checked_sub(1)?;
        Some((Symbol(u16::from(*octets.get(before)?)), before))
    }

    fn strip_prefix<'p>(piece: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
        path.strip_prefix(piece)
    }

    fn is_suffix(piece: &[u8], path: &[u8]) -> bool {
        path.ends_with(piece)
    }

    fn find<'p>(piece: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
        // Most pieces are not in the path, and their first octet often is not either.
        let path = path.get(scan::memchr(*piece.first()?, path)?..)?;
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
    fn forward(octets: &[u8], at: usize) -> Option<(Symbol, usize)> {
        let rest = octets.get(at..)?;
        let first = *rest.first()?;
        if first == b'%'
            && let Some(octet) = decode(rest)
        {
            return Some((Symbol::encoded(octet), at.saturating_add(3)));
        }
        Some((Symbol::literal(first), at.saturating_add(1)))
    }

    fn backward(octets: &[u8], at: usize) -> Option<(Symbol, usize)> {
        let before = octets.get(..at)?;
        let last = *before.last()?;
        if let Some(start) = at.checked_sub(3)
            && let Some(octet) = before.get(start..).and_then(decode)
        {
            return Some((Symbol::encoded(octet), start));
        }
        Some((Symbol::literal(last), at.saturating_sub(1)))
    }
}

/// One unit of comparison: an octet, and whether it counts as percent-encoded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Symbol(u16);

impl Symbol {
    const STAR: Self = Self(b'*' as u16);
    const DOLLAR: Self = Self(b'$' as u16);
    const ENCODED: u16 = 0x100;

    /// An octet as it stands.
    fn literal(octet: u8) -> Self {
        if stands_for_itself(octet) || octet == b'%' { Self(u16::from(octet)) } else { Self(u16::from(octet) | Self::ENCODED) }
    }

    /// An octet that is percent-encoded.
    fn encoded(octet: u8) -> Self {
        match octet {
            b'-' | b'.' | b'_' | b'~' | b'*' | b'$' => Self(u16::from(octet)),
            _ if octet.is_ascii_alphanumeric() => Self(u16::from(octet)),
            _ => Self(u16::from(octet) | Self::ENCODED),
        }
    }

    const fn is_encoded(self) -> bool {
        self.0 & Self::ENCODED != 0
    }
}

/// Whether an octet may stand in a URL as it is (RFC 3986 section 2: unreserved or reserved).
const fn stands_for_itself(octet: u8) -> bool {
    octet.is_ascii_graphic() && !matches!(octet, b'%' | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}')
}

/// Whether an octet is neither the beginning of an encoding nor equal to one of a non-ASCII octet. Where both sides
/// have only such octets, none is compared with an encoding.
const fn is_plain(octet: u8) -> bool {
    octet < 0x80 && octet != b'%'
}

fn are_plain(octets: &[u8]) -> bool {
    // Without leaving early, so that it is done many octets at a time.
    octets.iter().fold(true, |plain, &octet| plain & is_plain(octet))
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
    let [b'%', high, low, ..] = *text else { return None };
    let digit = |octet: u8| char::from(octet).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// The place `count` symbols after `at`; nothing where there are fewer.
fn advance<U: Units + ?Sized>(octets: &[u8], mut at: usize, count: usize) -> Option<usize> {
    for _ in 0..count {
        at = U::forward(octets, at)?.1;
    }
    Some(at)
}

/// A place in a piece: symbols before it, and octets before it.
#[derive(Clone, Copy)]
struct Place {
    index: usize,
    at: usize,
}

/// Where the first occurrence of `piece` in `path` ends, both read as symbols. `piece` is not empty.
///
/// Two-way string matching (Crochemore, Perrin 1991): the piece is cut at its critical place; the right part is
/// compared forwards, the left one backwards, and what was learnt says how far to go on. Cursors only move forwards
/// over the path but for the left part, which is never compared twice; so the time is linear. Shifts are counted in
/// symbols; places that are needed again are kept in octets, as walking to them would cost.
fn search<U: Units + ?Sized>(piece: &[u8], path: &[u8]) -> Option<usize> {
    let (cut, period) = critical_place::<U>(piece);
    let count = core::iter::successors(U::forward(piece, 0), |&(_, at)| U::forward(piece, at)).count();
    let periodic = advance::<U>(piece, 0, period).is_some_and(|at| begins_with_first::<U>(piece, cut, at));
    let long_shift = cut.index.max(count.saturating_sub(cut.index)).saturating_add(1);
    // In a periodic piece, what follows its first period is known to match after a shift by the period.
    let overlap = count.saturating_sub(period);
    let overlap_at = if periodic { advance::<U>(piece, 0, overlap)? } else { 0 };

    // Where the critical place of the piece lies in the path.
    let mut middle = advance::<U>(path, 0, cut.index)?;
    // How many symbols at the start of the piece are known to match, and where they end in the path.
    let (mut known, mut known_end) = (0usize, 0usize);
    loop {
        let (mut index, mut piece_at, mut path_at) =
            if known > cut.index { (known, overlap_at, known_end) } else { (cut.index, cut.at, middle) };
        let mut mismatch = false;
        while let Some((expected, piece_next)) = U::forward(piece, piece_at) {
            let (symbol, path_next) = U::forward(path, path_at)?;
            if symbol != expected {
                mismatch = true;
                break;
            }
            (index, piece_at, path_at) = (index.saturating_add(1), piece_next, path_next);
        }
        if mismatch {
            middle = advance::<U>(path, middle, index.saturating_sub(cut.index).saturating_add(1))?;
            known = 0;
            continue;
        }
        if left_part_matches::<U>(piece, cut, path, middle, known) {
            return Some(path_at);
        }
        middle = advance::<U>(path, middle, if periodic { period } else { long_shift })?;
        (known, known_end) = if periodic { (overlap, path_at) } else { (0, 0) };
    }
}

/// Whether the symbols of `piece` before `cut`, but for the first `known`, stand before `middle` in the path.
fn left_part_matches<U: Units + ?Sized>(piece: &[u8], cut: Place, path: &[u8], middle: usize, known: usize) -> bool {
    let (mut piece_at, mut path_at) = (cut.at, middle);
    for _ in known..cut.index {
        match (U::backward(piece, piece_at), U::backward(path, path_at)) {
            (Some((expected, piece_next)), Some((symbol, path_next))) if symbol == expected => {
                (piece_at, path_at) = (piece_next, path_next);
            }
            _ => return false,
        }
    }
    true
}

/// Whether the first symbols of `piece`, up to `cut`, stand at `at` in it too.
fn begins_with_first<U: Units + ?Sized>(piece: &[u8], cut: Place, mut at: usize) -> bool {
    let mut first_at = 0;
    while first_at < cut.at {
        match (U::forward(piece, first_at), U::forward(piece, at)) {
            (Some((a, first_next)), Some((b, next))) if a == b => (first_at, at) = (first_next, next),
            _ => return false,
        }
    }
    true
}

/// The critical place of `piece`, and the period of what follows it: the later one of its maximal suffixes in the order
/// of symbols and in the reverse order.
fn critical_place<U: Units + ?Sized>(piece: &[u8]) -> (Place, usize) {
    let (up, down) = (maximal_suffix::<U>(piece, false), maximal_suffix::<U>(piece, true));
    if up.0.index > down.0.index { up } else { down }
}

/// The maximal suffix of `piece` and its period.
fn maximal_suffix<U: Units + ?Sized>(piece: &[u8], reverse: bool) -> (Place, usize) {
    let mut left = Place { index: 0, at: 0 };
    let mut period = 1usize;
    let mut offset = 0usize;
    let Some((_, second)) = U::forward(piece, 0) else { return (left, period) };
    let mut right = Place { index: 1, at: second };
    // `offset` symbols after `left` and `right`.
    let (mut left_at, mut right_at) = (left.at, right.at);
    while let (Some((a, left_next)), Some((b, right_next))) = (U::forward(piece, left_at), U::forward(piece, right_at)) {
        let after = right.index.saturating_add(offset).saturating_add(1);
        if a == b {
            offset = offset.saturating_add(1);
            (left_at, right_at) = (left_next, right_next);
            if offset == period {
                right = Place { index: after, at: right_next };
                (offset, left_at) = (0, left.at);
            }
        } else if (b < a) != reverse {
            // The suffix goes on with a longer period.
            right = Place { index: after, at: right_next };
            period = right.index.saturating_sub(left.index);
            (offset, left_at, right_at) = (0, left.at, right.at);
        } else {
            // What begins at `right` is greater: start again from there.
            left = right;
            let Some((_, next)) = U::forward(piece, left.at) else { break };
            right = Place { index: left.index.saturating_add(1), at: next };
            (period, offset) = (1, 0);
            (left_at, right_at) = (left.at, right.at);
        }
    }
    (left, period)
}

#[cfg(test)]
mod tests;
