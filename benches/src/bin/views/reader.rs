//! The source of values: the tokens themselves (c), or an index of them (b).

use agentsdisc_core::syntax::json::{Token, TokenKind, Tokenizer};
use agentsdisc_core::syntax::text::Text;

/// The source of values. Each value must be consumed exactly once, with `text`, `number`,
/// `members`, `elements` or `skip`.
pub(super) trait Reader<'a>: Sized {
    type Value: Copy;
    fn kind(&self, value: Self::Value) -> TokenKind;
    /// Returns a string, or the raw text of another scalar.
    fn text(&mut self, value: Self::Value) -> Option<Text<'a>>;
    fn members(&mut self, value: Self::Value, take: impl FnMut(&mut Self, Text<'a>, Self::Value));
    fn elements(&mut self, value: Self::Value, take: impl FnMut(&mut Self, Self::Value));
    /// Returns the bytes of a value.
    fn skip(&mut self, value: Self::Value) -> &'a [u8];
    /// Reports that delivered items are invalid, because a list was repeated.
    fn give_up(&mut self);
}

/// c: directly from the tokens.
pub(super) struct Fused<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) tokens: Tokenizer<'a>,
    pub(super) failed: bool,
}

impl<'a> Fused<'a> {
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        match self.tokens.next_token() {
            Ok(Some(token)) => Some(token),
            _ => {
                self.failed = true;
                None
            }
        }
    }
}

impl<'a> Reader<'a> for Fused<'a> {
    type Value = Token<'a>;

    #[inline(always)]
    fn kind(&self, value: Token<'a>) -> TokenKind {
        value.kind
    }

    #[inline(always)]
    fn text(&mut self, value: Token<'a>) -> Option<Text<'a>> {
        match value.kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                self.skip(value);
                None
            }
            TokenKind::String => value.text(),
            _ => Some(Text::plain(value.raw())),
        }
    }

    #[inline(always)]
    fn members(&mut self, value: Token<'a>, mut take: impl FnMut(&mut Self, Text<'a>, Token<'a>)) {
        if value.kind != TokenKind::ObjectStart {
            self.skip(value);
            return;
        }
        while let Some(name) = self.next() {
            let Some(text) = name.text() else { return };
            let Some(value) = self.next() else { return };
            take(self, text, value);
        }
    }

    #[inline(always)]
    fn elements(&mut self, value: Token<'a>, mut take: impl FnMut(&mut Self, Token<'a>)) {
        if value.kind != TokenKind::ArrayStart {
            self.skip(value);
            return;
        }
        while let Some(value) = self.next() {
            if value.kind == TokenKind::ArrayEnd {
                return;
            }
            take(self, value);
        }
    }

    fn skip(&mut self, value: Token<'a>) -> &'a [u8] {
        let mut depth = 0_usize;
        let mut token = value;
        loop {
            match token.kind {
                TokenKind::ObjectStart | TokenKind::ArrayStart => depth += 1,
                TokenKind::ObjectEnd | TokenKind::ArrayEnd => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return self
                    .bytes
                    .get(value.span.start as usize..token.span.end as usize)
                    .unwrap_or_default();
            }
            match self.next() {
                Some(next) => token = next,
                None => return b"",
            }
        }
    }

    fn give_up(&mut self) {
        self.failed = true;
    }
}

/// An entry of the index: the start of a token; then the index of the entry after a container, or
/// the end of another token, with the highest bit set for an escaped string.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    pub(super) start: u32,
    pub(super) link: u32,
}

const ESCAPED: u32 = 1 << 31;

/// Validates and fills the index. Returns the number of entries, or `None` if the text is invalid
/// JSON or the index is too small.
pub(super) fn build(bytes: &[u8], index: &mut [Entry]) -> Option<usize> {
    let mut tokens = Tokenizer::new(bytes);
    let mut length = 0_usize;
    // The entry of the open container. While it is open, its link is the container around it.
    let mut open = u32::MAX;
    while let Some(token) = tokens.next_token().ok()? {
        match token.kind {
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => {
                let entry = index.get_mut(open as usize)?;
                open = std::mem::replace(&mut entry.link, length as u32);
            }
            kind => {
                let container = matches!(kind, TokenKind::ObjectStart | TokenKind::ArrayStart);
                let escaped = token.text().is_some_and(Text::is_escaped);
                let link = if container {
                    open
                } else {
                    token.span.end | if escaped { ESCAPED } else { 0 }
                };
                if container {
                    open = length as u32;
                }
                *index.get_mut(length)? = Entry {
                    start: token.span.start,
                    link,
                };
                length += 1;
            }
        }
    }
    Some(length)
}

/// b: from the index.
#[derive(Clone, Copy)]
pub(super) struct Indexed<'i> {
    pub(super) bytes: &'i [u8],
    pub(super) index: &'i [Entry],
    pub(super) failed: bool,
}

impl<'i> Indexed<'i> {
    #[inline(always)]
    pub(super) fn entry(&self, at: usize) -> Entry {
        self.index.get(at).copied().unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn first(&self, at: usize) -> u8 {
        self.bytes
            .get(self.entry(at).start as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Returns the entry after a value.
    #[inline(always)]
    pub(super) fn behind(&self, at: usize) -> usize {
        if matches!(self.first(at), b'{' | b'[') {
            self.entry(at).link as usize
        } else {
            at + 1
        }
    }

    /// Returns the member with a name, the last one if it is repeated.
    pub(super) fn get(&self, at: usize, name: &str) -> Option<usize> {
        let mut found = None;
        { *self }.members(at, |_, text, value| {
            if text == *name {
                found = Some(value);
            }
        });
        found
    }

    pub(super) fn get_text(&self, at: usize, name: &str) -> Option<Text<'i>> {
        { *self }.text(self.get(at, name)?)
    }
}

impl<'i> Reader<'i> for Indexed<'i> {
    type Value = usize;

    #[inline(always)]
    fn kind(&self, value: usize) -> TokenKind {
        match self.first(value) {
            b'{' => TokenKind::ObjectStart,
            b'[' => TokenKind::ArrayStart,
            b'"' => TokenKind::String,
            b't' => TokenKind::True,
            b'f' => TokenKind::False,
            b'n' => TokenKind::Null,
            _ => TokenKind::Number,
        }
    }

    #[inline(always)]
    fn text(&mut self, value: usize) -> Option<Text<'i>> {
        let Entry { start, link } = self.entry(value);
        let (start, end) = (start as usize, (link & !ESCAPED) as usize);
        match self.first(value) {
            b'"' => {
                let inside = self
                    .bytes
                    .get(start + 1..end.wrapping_sub(1))
                    .unwrap_or_default();
                Some(if link & ESCAPED != 0 {
                    Text::json(inside)
                } else {
                    Text::plain(inside)
                })
            }
            b'{' | b'[' => None,
            _ => self.bytes.get(start..end).map(Text::plain),
        }
    }

    #[inline(always)]
    fn members(&mut self, value: usize, mut take: impl FnMut(&mut Self, Text<'i>, usize)) {
        if self.first(value) != b'{' {
            return;
        }
        let end = self.entry(value).link as usize;
        let mut at = value + 1;
        while at < end {
            let Some(name) = self.text(at) else { return };
            take(self, name, at + 1);
            at = self.behind(at + 1);
        }
    }

    #[inline(always)]
    fn elements(&mut self, value: usize, mut take: impl FnMut(&mut Self, usize)) {
        if self.first(value) != b'[' {
            return;
        }
        let end = self.entry(value).link as usize;
        let mut at = value + 1;
        while at < end {
            take(self, at);
            at = self.behind(at);
        }
    }

    fn skip(&mut self, value: usize) -> &'i [u8] {
        let Entry { start, link } = self.entry(value);
        let end = match self.first(value) {
            // The bracket is before the next token, or before the end; the exact position does not
            // matter for reading the value.
            b'{' | b'[' => self
                .index
                .get(link as usize)
                .map_or(self.bytes.len(), |next| next.start as usize),
            _ => (link & !ESCAPED) as usize,
        };
        self.bytes.get(start as usize..end).unwrap_or_default()
    }

    fn give_up(&mut self) {}
}
