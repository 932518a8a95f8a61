//! Finds real keys, tokens and passwords in text: [`mask`] hides them, and the checks report them.
//!
//! `Secrets` is the only search. It reads a text once, from left to right. It compares words of
//! token characters with the table `SHAPES`, and looks for marks: `-----BEGIN` (private keys), `@`
//! (passwords in URLs), `Bearer` and `Basic`. A text with escapes is decoded into a small buffer,
//! part by part, and searched there. A word with Markdown escapes (`sk\_live\_`) is searched
//! without its backslashes, in texts of all formats.
//!
//! Time is linear. A key may begin inside the text after the prefix of another one, so `Memory` holds
//! what a search has read ahead; no search reads a text once for each key in it.
//!
//! Placeholders are not reported: words such as `YOUR_API_KEY` and `xxxx`, a word before `...` or
//! `<`, one repeated character, and the examples in vendors' documentation.
//!
//! To add a kind of key, add a line to `SHAPES` (`shapes.rs`) and a vector below `conformance/`.

mod keys;
mod memory;
mod shapes;

use core::ops::Range;

use crate::scan;
use crate::syntax::base64;
use crate::syntax::text::Text;
pub(crate) use keys::is_key_word;
pub use keys::key_words;
use memory::Memory;
use shapes::{SHAPES, Shape, beginning_with, with_stem_to};

/// The message of the check. It never repeats the credential.
pub(crate) const MESSAGE: &str =
    "a value looks like a real credential; revoke it, and describe only how to get one";

/// The length of the shortest word that can have a shape.
const SHORTEST: usize = 20;

/// The minimum length of each part of a JSON Web Token.
const TOKEN_PART: usize = 10;

/// The payload of the example token on jwt.io.
const EXAMPLE_PAYLOAD: &[u8] = b"eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l";

/// Words that show that a key is a placeholder. In lower case.
const PLACEHOLDERS: &[&[u8]] =
    &[b"your", b"example", b"xxx", b"placeholder", b"redacted", b"changeme", b"dummy"];

/// The maximum length of a user and a password before an `@`, in bytes.
const LONGEST_USER: usize = 256;

/// Writes `text` with each credential replaced by its first four characters and `…`; a password is
/// replaced completely. `put` receives the output in pieces.
///
/// Use it for all output that people read. Linear.
///
/// ```
/// use agentsdisc_core::format::credentials::mask;
/// let mut masked = String::new();
/// mask("key AKIAR5WM3TQZ8NVC2KXB, https://user:w8t3r@e.test/", |piece| masked.push_str(piece));
/// assert_eq!(masked, "key AKIA…, https://user:…@e.test/");
/// ```
pub fn mask(text: &str, mut put: impl FnMut(&str)) {
    let mut done = 0;
    for hidden in hidden(text) {
        put(text.get(done..hidden.start).unwrap_or_default());
        put("…");
        done = hidden.end;
    }
    put(text.get(done..).unwrap_or_default());
}

/// Returns the byte ranges of `text` that [`mask`] replaces by `…`, in their order. Linear.
///
/// ```
/// use agentsdisc_core::format::credentials::hidden;
/// let hidden: Vec<_> = hidden("key AKIAR5WM3TQZ8NVC2KXB").collect();
/// assert_eq!(hidden, [8..24]);
/// ```
pub fn hidden(text: &str) -> impl Iterator<Item = Range<usize>> {
    Secrets::new(text.as_bytes()).map(|found| found.start.saturating_add(found.shown)..found.end)
}

/// Whether `text` contains a word with the shape of a well-known credential that is not an obvious
/// placeholder.
pub(crate) fn holds_credential(text: Text<'_>) -> bool {
    if is_hidden(text) { is_in_decoded(text) } else { is_in(text.raw()) }
}

/// Whether the escapes of a text can hide a credential. Others, such as folded lines and doubled
/// quotation marks, cannot.
fn is_hidden(text: Text<'_>) -> bool {
    text.is_escaped() && scan::memchr2(b'\\', b'&', text.raw()).is_some()
}

/// Whether bytes without escapes contain a credential.
pub(crate) fn is_in(bytes: &[u8]) -> bool {
    Secrets::new(bytes).next().is_some()
}

/// Which texts of a document may contain a credential. The document is searched once as a whole, so
/// that its texts need not be searched one by one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Suspects {
    None,
    /// Those whose escapes can hide one.
    Hidden,
    All,
}

impl Suspects {
    pub(crate) fn of(document: &[u8]) -> Self {
        if is_in(document) {
            Self::All
        } else if scan::memchr2(b'\\', b'&', document).is_some() {
            Self::Hidden
        } else {
            Self::None
        }
    }

    /// Whether a text of the document contains a credential.
    pub(crate) fn has(self, text: Text<'_>) -> bool {
        match self {
            Self::None => false,
            Self::Hidden => is_hidden(text) && is_in_decoded(text),
            Self::All => holds_credential(text),
        }
    }
}

/// Whether a text may be a line of base64 from a private key in a PEM block.
pub(crate) fn is_key_material(text: &[u8]) -> bool {
    text.len() >= 40
        && text.iter().all(|&byte| is_bearer_byte(byte))
        && text.iter().any(u8::is_ascii_digit)
        && text.iter().any(u8::is_ascii_uppercase)
        && text.iter().any(u8::is_ascii_lowercase)
}

/// A credential: its byte range, and how many of its first characters may be shown.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    pub(crate) start: usize,
    pub(crate) end: usize,
    shown: usize,
}

/// How many characters of a key may be shown: enough to identify its kind.
const SHOWN: usize = 4;

/// The credentials in bytes without escapes, in order.
#[derive(Clone)]
pub(crate) struct Secrets<'t> {
    bytes: &'t [u8],
    /// The byte offset after the last credential.
    done: usize,
    /// The next result of each of [`SEARCHES`]; the outer `None` means not yet searched.
    found: [Option<Option<Found>>; SEARCHES.len()],
    memory: Memory,
}

/// Returns the first credential of a kind at or after an offset.
type Search = fn(&[u8], usize, &mut Memory) -> Option<Found>;

const SEARCHES: [Search; 4] = [next_word, next_escaped_word, next_block, next_password];

/// The index of `next_block`.
const BLOCK: usize = 2;

impl<'t> Secrets<'t> {
    pub(crate) const fn new(bytes: &'t [u8]) -> Self {
        Self { bytes, done: 0, found: [None; SEARCHES.len()], memory: Memory::new() }
    }
}

impl Iterator for Secrets<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        let mut first: Option<Found> = None;
        for (search, found) in SEARCHES.iter().zip(&mut self.found) {
            // A result that begins inside the last returned credential is out of date: search again
            // after that credential.
            let known = found.filter(|found| found.is_none_or(|found| found.start >= self.done));
            let next = known.unwrap_or_else(|| search(self.bytes, self.done, &mut self.memory));
            *found = Some(next);
            first = match (first, next) {
                (Some(first), Some(next)) if next.start >= first.start => Some(first),
                (first, next) => next.or(first),
            };
        }
        let mut first = first?;
        // A private key can begin at the end of another key: hide it with that key.
        if let Some(Some(block)) = self.found.get(BLOCK).copied().flatten()
            && block.start < first.end
        {
            first.end = first.end.max(block.end);
        }
        self.done = first.end;
        Some(first)
    }
}

// Words.

/// Returns the first word at or after `from` that has a shape or follows `Bearer`.
fn next_word(bytes: &[u8], from: usize, memory: &mut Memory) -> Option<Found> {
    let mut start = from;
    // In most windows, this only searches for the last byte that does not belong to a run.
    while let Some(window) = bytes.get(start..).and_then(|rest| rest.get(..SHORTEST)) {
        if let Some(at) = window.iter().rposition(|&byte| !is_bearer_byte(byte)) {
            start = start.saturating_add(at).saturating_add(1);
            continue;
        }
        let end = memory.end_of_run(bytes, start);
        if let Some(found) = in_run(bytes, start, end, memory) {
            return Some(found);
        }
        start = end;
    }
    None
}

/// Returns the first run of token characters at or after `from` that contains a credential once its
/// backslashes are removed. Markdown escapes punctuation with backslashes.
fn next_escaped_word(bytes: &[u8], from: usize, _: &mut Memory) -> Option<Found> {
    /// The maximum length of such a run.
    const LONGEST: usize = 512;
    let mut from = from;
    loop {
        let at = from.saturating_add(scan::memchr(b'\\', bytes.get(from..)?)?);
        let escaped = bytes.get(at.saturating_add(1));
        if !escaped.is_some_and(|&byte| byte.is_ascii_punctuation() && is_bearer_byte(byte)) {
            // Without an escape, `next_word` finds it.
            from = at.saturating_add(1);
            continue;
        }
        let before = bytes.get(from..at)?.iter().rev().take(LONGEST);
        let start = at.saturating_sub(before.take_while(|byte| is_bearer_byte(**byte)).count());
        let (mut word, mut length, mut end) = ([0; LONGEST], 0_usize, start);
        while let Some(place) = word.get_mut(length) {
            let (byte, read) = match bytes.get(end..) {
                Some([b'\\', byte, ..]) if byte.is_ascii_punctuation() => (*byte, 2),
                Some([byte, ..]) => (*byte, 1),
                _ => break,
            };
            if !is_bearer_byte(byte) {
                break;
            }
            *place = byte;
            length = length.saturating_add(1);
            end = end.saturating_add(read);
        }
        if next_word(word.get(..length)?, 0, &mut Memory::new()).is_some() {
            return Some(Found { start, end, shown: SHOWN });
        }
        from = end.max(at.saturating_add(1));
    }
}

/// Returns the first credential in the run of token characters from `start` to `end`.
fn in_run(bytes: &[u8], start: usize, end: usize, memory: &mut Memory) -> Option<Found> {
    let run = bytes.get(start..end)?;
    let behind = bytes.get(end..)?;
    if follows(bytes.get(..start)?, *b"bearer")
        && run.iter().any(u8::is_ascii_digit)
        && !is_placeholder(run, behind)
    {
        return Some(Found { start, end, shown: 0 });
    }
    if follows(bytes.get(..start)?, *b"basic") && is_basic(run) {
        return Some(Found { start, end, shown: 0 });
    }
    if is_aws_secret(bytes.get(..start)?, run) && !is_placeholder(run, behind) {
        return Some(Found { start, end, shown: 0 });
    }
    if let Some(length) = bot_token(bytes.get(..start)?, run)
        && !is_placeholder(run.get(..length)?, run.get(length..)?)
    {
        return Some(Found { start, end: start.saturating_add(length), shown: 0 });
    }
    in_words(bytes, start, end, memory)
}

/// Returns the first key with a shape between `start` and `end`, in a run of token characters.
fn in_words(bytes: &[u8], start: usize, end: usize, memory: &mut Memory) -> Option<Found> {
    let key_at = |start: usize, length: usize| {
        Some(Found { start, end: start.saturating_add(length), shown: SHOWN })
    };
    let mut at = start;
    loop {
        match word_at(bytes, at, memory) {
            Word::Key(length) => return key_at(at, length),
            Word::NoKey(length) => at = at.saturating_add(length),
        }
        // A key is at the start of a word, after a `-` or `_` in a word, or directly after other
        // letters.
        let rest = bytes.get(at..end)?;
        let word = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric());
        let length = word.count();
        if let Some(inside) = glued(rest, length) {
            let inside = at.saturating_add(inside);
            if let Word::Key(length) = word_at(bytes, inside, memory) {
                return key_at(inside, length);
            }
        }
        if length >= rest.len() {
            return None;
        }
        at = at.saturating_add(length).saturating_add(1);
    }
}

/// Returns the offset of the prefix of a key within the first `length` bytes of `rest`, which are
/// letters and digits. Only searches for prefixes that do not occur in ordinary words.
fn glued(rest: &[u8], length: usize) -> Option<usize> {
    /// The minimum length of a prefix that may stand within a word.
    const DISTINCT: usize = 4;
    /// The minimum length of the rest of a key whose prefix has only letters and digits.
    const LEAST: usize = 16;
    let word = rest.get(..length)?;
    if rest.get(length..)?.starts_with(b".eyJ") {
        return scan::find(word, b"eyJ");
    }
    let place = |shape: &Shape| {
        if shape.prefix.len() < DISTINCT {
            return None;
        }
        if shape.stem == shape.prefix.len() {
            return (length > shape.least).then(|| scan::find(word, shape.prefix))?;
        }
        let at = length.checked_sub(shape.stem)?;
        rest.get(at..)?.starts_with(shape.prefix).then_some(at)
    };
    if length > LEAST {
        SHAPES.iter().find_map(place)
    } else {
        with_stem_to(*word.last()?).find_map(place)
    }
}

/// Whether a run is a secret key of Amazon Web Services. Only the name before it shows that.
fn is_aws_secret(before: &[u8], run: &[u8]) -> bool {
    const LENGTH: usize = 40;
    if run.len() != LENGTH || !is_key_material(run) {
        return false;
    }
    let signs = before.iter().rev().take(LENGTH);
    let signs = signs.take_while(|byte| matches!(byte, b' ' | b'\t' | b'=' | b':' | b'"' | b'\''));
    let name = before.get(..before.len().saturating_sub(signs.count()));
    let has_name = |end: &[u8]| {
        let start = name.unwrap_or_default().len().checked_sub(end.len());
        start
            .and_then(|start| name.unwrap_or_default().get(start..))
            .is_some_and(|last| last.eq_ignore_ascii_case(end))
    };
    has_name(b"secret_access_key") || has_name(b"SecretAccessKey")
}

/// Returns the length of the secret part of a Telegram bot token at the start of a run: 35
/// characters after the number of the bot and a colon.
fn bot_token(before: &[u8], run: &[u8]) -> Option<usize> {
    const LENGTH: usize = 35;
    let number = before.strip_suffix(b":")?;
    let digits = number.iter().rev().take(12).take_while(|byte| byte.is_ascii_digit());
    let length = run.iter().take_while(|byte| is_word_byte(**byte)).count();
    let is_token = (8..=11).contains(&digits.count()) && length == LENGTH && run.starts_with(b"AA");
    is_token.then_some(length)
}

/// The classification of the start of a run, with the number of bytes that were read.
enum Word {
    Key(usize),
    NoKey(usize),
}

impl Word {
    const fn of(length: usize, is_key: bool) -> Self {
        if is_key { Self::Key(length) } else { Self::NoKey(length) }
    }
}

/// Classifies the text from `at`.
fn word_at(bytes: &[u8], at: usize, memory: &mut Memory) -> Word {
    let rest = bytes.get(at..).unwrap_or_default();
    let Some(&first) = rest.first() else {
        return Word::NoKey(0);
    };
    if rest.starts_with(b"eyJ") {
        return web_token(rest);
    }
    let mut shapes = beginning_with(first);
    let Some(shape) = shapes.find(|shape| rest.starts_with(shape.prefix)) else {
        return Word::NoKey(0);
    };
    let start = at.saturating_add(shape.prefix.len());
    let body = memory.body(bytes, start, shape.alphabet);
    let length = body.end.saturating_sub(start);
    let (text, after) =
        bytes.get(start..).and_then(|rest| rest.split_at_checked(length)).unwrap_or_default();
    let is_whole = !after.first().is_some_and(|&byte| is_word_byte(byte));
    let is_long_enough = if shape.exact {
        length == shape.least && is_whole
    } else {
        length >= shape.least && (is_whole || length >= shape.least.saturating_mul(2))
    };
    let is_key = is_long_enough
        && (!shape.digit || body.last_digit > start)
        && !(body.last_placeholder > start || is_cut(after) || repeats(text));
    // If the word is too short, a key can still begin inside it.
    let read = if is_long_enough { length } else { 0 };
    Word::of(shape.prefix.len().saturating_add(read), is_key)
}

/// Classifies a JSON Web Token (RFC 7519): two parts that are JSON objects in base64, and a
/// signature.
fn web_token(rest: &[u8]) -> Word {
    let part = |text: &[u8]| text.iter().take_while(|&&byte| is_word_byte(byte)).count();
    let behind_dot = |at: usize| rest.get(at..).and_then(|rest| rest.strip_prefix(b"."));
    let head = part(rest);
    let no_key = Word::NoKey(head);
    let Some(payload) = behind_dot(head).filter(|payload| payload.starts_with(b"eyJ")) else {
        return no_key;
    };
    let length = part(payload);
    let end = head.saturating_add(1).saturating_add(length);
    let Some(signature) = behind_dot(end) else {
        return no_key;
    };
    let signed = part(signature);
    let (signature, after) = signature.split_at_checked(signed).unwrap_or_default();
    let is_key = [head, length, signed].iter().all(|&length| length >= TOKEN_PART)
        && !payload.starts_with(EXAMPLE_PAYLOAD)
        && !is_placeholder(signature, after);
    Word::of(end.saturating_add(1).saturating_add(signed), is_key)
}

/// Whether the characters of a key, or the text after it, show that it is a placeholder.
fn is_placeholder(body: &[u8], behind: &[u8]) -> bool {
    is_cut(behind) || repeats(body) || last_placeholder(body).is_some()
}

/// Whether the text after a key shows that the key is only a beginning or a template.
fn is_cut(behind: &[u8]) -> bool {
    behind.starts_with(b"...")
        || behind.starts_with("…".as_bytes())
        || matches!(behind, [b'<' | b'{' | b'*', ..])
}

/// Whether all characters are the same.
fn repeats(body: &[u8]) -> bool {
    body.first().is_some_and(|first| body.iter().all(|byte| byte == first))
}

/// Returns the offset of the last word of [`PLACEHOLDERS`].
fn last_placeholder(body: &[u8]) -> Option<usize> {
    // Not `windows`, which panics for an empty word: small builds would contain that panic.
    (0..body.len()).rev().find(|&at| {
        let rest = body.get(at..).unwrap_or_default();
        let is_first =
            |byte: &u8| matches!(byte | 0x20, b'y' | b'e' | b'x' | b'p' | b'r' | b'c' | b'd');
        rest.first().is_some_and(is_first)
            && PLACEHOLDERS.iter().any(|word| {
                rest.get(..word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word))
            })
    })
}

/// Whether the user and the password of Basic authentication (RFC 7617) are real.
fn is_basic(run: &[u8]) -> bool {
    /// The example of the RFC.
    const EXAMPLE: &[u8] = b"Aladdin:open sesame";
    let mut decoded = [0; LONGEST_USER];
    let Some(pair) = from_base64(run, &mut decoded) else {
        return false;
    };
    let colon = pair.iter().position(|&byte| byte == b':');
    let parts = colon.and_then(|colon| pair.split_at_checked(colon));
    parts.is_some_and(|(user, password)| {
        let password = password.get(1..).unwrap_or_default();
        let is_text = pair.iter().all(|byte| (b' '..=b'~').contains(byte));
        is_text && pair != EXAMPLE && is_password(user, password)
    })
}

/// Decodes base64 with its padding. `None` if the text is not base64, or if the buffer is too
/// small.
fn from_base64<'b>(text: &[u8], buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let length = base64::decode_padded(text, buffer)?;
    buffer.get(..length)
}

/// Whether `before` ends with a word and blanks. The blanks may include the start of a folded line.
fn follows<const N: usize>(before: &[u8], word: [u8; N]) -> bool {
    let blanks = before
        .iter()
        .rev()
        .take(LONGEST_USER)
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'>'))
        .count();
    let words = before.get(..before.len().saturating_sub(blanks)).unwrap_or_default();
    blanks > 0 && words.last_chunk::<N>().is_some_and(|last| last.eq_ignore_ascii_case(&word))
}

const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Whether a byte belongs to a run: it can be in a word or in a token after `Bearer`.
fn is_bearer_byte(byte: u8) -> bool {
    static BYTES: [bool; 256] = bearer_bytes();
    BYTES.get(usize::from(byte)).copied().unwrap_or_default()
}

#[allow(clippy::indexing_slicing)] // Runs only at compile time.
const fn bearer_bytes() -> [bool; 256] {
    let mut bytes = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        bytes[byte as usize] =
            is_word_byte(byte) || matches!(byte, b'.' | b'+' | b'/' | b'=' | b'~');
        byte += 1_u8;
    }
    bytes
}

// Private keys.

/// Returns the first private key at or after `from`: a PEM block (RFC 7468) up to its last line, or
/// to the end of the text if it has no last line.
fn next_block(bytes: &[u8], from: usize, _: &mut Memory) -> Option<Found> {
    const BEGIN: &[u8] = b"-----BEGIN ";
    const END: &[u8] = b"-----END ";
    let mut start = from;
    loop {
        start = start.saturating_add(scan::find(bytes.get(start..)?, BEGIN)?);
        let label = start.saturating_add(BEGIN.len());
        let rest = bytes.get(label..)?;
        let length = rest
            .iter()
            .take(40)
            .take_while(|byte| byte.is_ascii_uppercase() || **byte == b' ')
            .count();
        let (name, rest) = rest.split_at_checked(length)?;
        let is_private = name.ends_with(b"PRIVATE KEY") || name.ends_with(b"PRIVATE KEY BLOCK");
        let Some(content) = rest.strip_prefix(b"-----").filter(|_| is_private) else {
            start = label;
            continue;
        };
        let body = content.trim_ascii_start();
        if is_placeholder(b"ab", body) || body.starts_with(END) {
            start = label;
            continue;
        }
        let end = match scan::find(content, END) {
            Some(at) => {
                let rest = content.get(at.saturating_add(END.len())..)?;
                let last = scan::find(rest, b"-----").map_or(rest.len(), |at| at.saturating_add(5));
                bytes.len().saturating_sub(rest.len()).saturating_add(last)
            }
            None => bytes.len(),
        };
        return Some(Found { start, end, shown: SHOWN });
    }
}

// Passwords.

/// Returns the first password at or after `from` in the user information of a URL (RFC 3986 section
/// 3.2.1).
fn next_password(bytes: &[u8], from: usize, _: &mut Memory) -> Option<Found> {
    let mut start = from;
    loop {
        let at = start.saturating_add(scan::memchr(b'@', bytes.get(start..)?)?);
        let least = start.max(at.saturating_sub(LONGEST_USER));
        let user = bytes.get(least..at)?;
        let length = user.iter().rev().take_while(|&&byte| is_user_byte(byte)).count();
        let user_start = at.saturating_sub(length);
        let scheme = bytes.get(from..user_start)?;
        let user = bytes.get(user_start..at)?;
        // `//` without a scheme is enough: in a text format, `https:` may be read as a key, so the
        // value begins with the slashes.
        if (scheme.ends_with(b"//") || scheme.ends_with(br"\/\/"))
            && let Some(colon) = user.iter().position(|&byte| byte == b':')
            && let Some((name, [_, password @ ..])) = user.split_at_checked(colon)
            && is_password(name, password)
        {
            return Some(Found { start: at.saturating_sub(password.len()), end: at, shown: 0 });
        }
        start = at.saturating_add(1);
    }
}

/// Whether a byte is allowed in user information. `<` and `{` begin a placeholder.
const fn is_user_byte(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'/' | b'\\' | b'@' | b'"' | b'<' | b'>' | b'{' | b'}' | b'`' | b'?' | b'#'
        )
}

/// Whether a password is real: not a placeholder such as `password` or a variable.
fn is_password(user: &[u8], password: &[u8]) -> bool {
    let is_user =
        ["user", "username", "login"].iter().any(|name| user.eq_ignore_ascii_case(name.as_bytes()));
    let is_word = ["pass", "password", "passwd"]
        .iter()
        .any(|name| password.eq_ignore_ascii_case(name.as_bytes()));
    let is_variable = matches!(password, [b'$' | b'*' | b'%' | b'[' | b':', ..]);
    let is_example = is_user && is_word;
    !(password.is_empty() || is_example || is_variable || has_placeholder(password))
}

/// Whether a text that is declared as secret is a real secret: neither a placeholder nor a
/// template.
pub(crate) fn is_literal(secret: Text<'_>) -> bool {
    let raw = secret.raw();
    let is_template = raw.iter().any(|byte| matches!(byte, b'{' | b'<'));
    !is_template && is_password(b"", raw)
}

fn has_placeholder(password: &[u8]) -> bool {
    password.len() > 1 && is_placeholder(password, b"")
}

// Texts with escapes.

/// The number of bytes of a decoded text that are searched at once (`WINDOW`), and the number of
/// these that are searched again with the next part (`OVERLAP`).
const WINDOW: usize = 2048;
const OVERLAP: usize = 1024;

/// [`holds_credential`] for a text with escapes. Decodes the text part by part.
#[inline(never)] // Keeps its buffer off the stack of the caller.
fn is_in_decoded(text: Text<'_>) -> bool {
    let mut window = [0; WINDOW];
    let mut length = 0_usize;
    for c in text.chars() {
        if length.saturating_add(4) > WINDOW {
            if is_in(window.get(..length).unwrap_or_default()) {
                return true;
            }
            let kept = length.saturating_sub(OVERLAP);
            if let Some(filled) = window.get_mut(..length) {
                filled.copy_within(kept.., 0);
            }
            length = OVERLAP;
        }
        if let Some(rest) = window.get_mut(length..)
            && rest.len() >= 4
        {
            length = length.saturating_add(c.encode_utf8(rest).len());
        }
    }
    is_in(window.get(..length).unwrap_or_default())
}

#[cfg(test)]
mod tests;
