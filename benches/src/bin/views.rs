//! How should views of JSON be read? Three designs side by side, on agents.json and on manifests of the Agent Discovery Protocol.
//!
//! - **a, again**: what the library does. The text is validated once; views walk it again when they are asked. Nothing is stored.
//! - **b, index**: the validating pass writes eight bytes for each token (where it begins; where it ends, or which entry follows the
//!   container) into a buffer that the caller lends; views go from entry to entry and look at no byte between.
//! - **c, fused**: one pass validates and fills typed structs as it goes, which a visitor gets when they are complete: the parameters of a
//!   capability before the capability. Where a list is written twice (the last one would count, but the first one is delivered already), it
//!   gives up, and a is asked.
//!
//! b and c share their typed reading ([`draft`], [`adp`]), which is generic over where values come from; so the difference between them is that of
//! the machinery. Both keep unknown members, as a does. The code is for the experiment: it does not catch every odd shape that the library reads.
//!
//! `cargo run --release -p agentsdisc-benches --bin views [-- --quick | --thorough]`

use std::time::Duration;

use agentsdisc_benches::harness::{Effort, measure};
use agentsdisc_benches::{Task, Toucher, agents_json, inputs, touch, walk};
use agentsdisc_core::manifest::{AuthType, Choice, Enumeration, Location, Protocol, Window};
use agentsdisc_core::syntax::json::{Token, TokenKind, Tokenizer};
use agentsdisc_core::syntax::text::Text;
use agentsdisc_core::{Document, Format, ParseOptions};
use agentsdisc_generator::Kind;

/// Where values come from. Each value must be taken exactly once, by `text`, `number`, `members`, `elements` or `skip`.
trait Reader<'a>: Sized {
    type Value: Copy;
    fn kind(&self, value: Self::Value) -> TokenKind;
    /// A string; the raw text of anything else that is no container.
    fn text(&mut self, value: Self::Value) -> Option<Text<'a>>;
    fn members(&mut self, value: Self::Value, take: impl FnMut(&mut Self, Text<'a>, Self::Value));
    fn elements(&mut self, value: Self::Value, take: impl FnMut(&mut Self, Self::Value));
    /// The bytes of a value.
    fn skip(&mut self, value: Self::Value) -> &'a [u8];
    /// Nothing that was delivered can be trusted: a list came twice.
    fn give_up(&mut self);
}

/// c: straight from the tokens.
struct Fused<'a> {
    bytes: &'a [u8],
    tokens: Tokenizer<'a>,
    failed: bool,
}

impl<'a> Fused<'a> {
    #[inline(always)]
    fn next(&mut self) -> Option<Token<'a>> {
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
                return self.bytes.get(value.span.start as usize..token.span.end as usize).unwrap_or_default();
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

/// An entry of the index: where a token begins; behind a container the number of the entry that follows it, behind anything else
/// where it ends, the highest bit saying that a string is escaped.
#[derive(Clone, Copy, Default)]
struct Entry {
    start: u32,
    link: u32,
}

const ESCAPED: u32 = 1 << 31;

/// Validates and fills the index; how many entries it has, or nothing where the text is no JSON or the index too small.
fn build(bytes: &[u8], index: &mut [Entry]) -> Option<usize> {
    let mut tokens = Tokenizer::new(bytes);
    let mut length = 0_usize;
    // The entry of the container that is open; its link is, as long as it is open, that of the one around it.
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
                let link = if container { open } else { token.span.end | if escaped { ESCAPED } else { 0 } };
                if container {
                    open = length as u32;
                }
                *index.get_mut(length)? = Entry { start: token.span.start, link };
                length += 1;
            }
        }
    }
    Some(length)
}

/// b: from the index.
#[derive(Clone, Copy)]
struct Indexed<'i> {
    bytes: &'i [u8],
    index: &'i [Entry],
    failed: bool,
}

impl<'i> Indexed<'i> {
    #[inline(always)]
    fn entry(&self, at: usize) -> Entry {
        self.index.get(at).copied().unwrap_or_default()
    }

    #[inline(always)]
    fn first(&self, at: usize) -> u8 {
        self.bytes.get(self.entry(at).start as usize).copied().unwrap_or_default()
    }

    /// The entry behind a value.
    #[inline(always)]
    fn behind(&self, at: usize) -> usize {
        if matches!(self.first(at), b'{' | b'[') { self.entry(at).link as usize } else { at + 1 }
    }

    /// The member with a name, the last of several.
    fn get(&self, at: usize, name: &str) -> Option<usize> {
        let mut found = None;
        { *self }.members(at, |_, text, value| {
            if text == *name {
                found = Some(value);
            }
        });
        found
    }

    fn get_text(&self, at: usize, name: &str) -> Option<Text<'i>> {
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
                let inside = self.bytes.get(start + 1..end.wrapping_sub(1)).unwrap_or_default();
                Some(if link & ESCAPED != 0 { Text::json(inside) } else { Text::plain(inside) })
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
            // The bracket stands before the next token, or before the end; where exactly does not matter to who only touches the value.
            b'{' | b'[' => self.index.get(link as usize).map_or(self.bytes.len(), |next| next.start as usize),
            _ => (link & !ESCAPED) as usize,
        };
        self.bytes.get(start as usize..end).unwrap_or_default()
    }

    fn give_up(&mut self) {}
}

/// The structs that are filled. Lists are delivered apart.
#[derive(Default)]
struct Site<'a> {
    texts: [Option<Text<'a>>; 5],
}

#[derive(Default)]
struct Capability<'a> {
    id: Option<Text<'a>>,
    description: Option<Text<'a>>,
    endpoint: Option<Text<'a>>,
    method: Option<Text<'a>>,
    openapi: Option<Text<'a>>,
    detail_url: Option<Text<'a>>,
    protocol: Option<Choice<'a, Protocol>>,
    auth: Option<Choice<'a, AuthType>>,
    token_url: Option<Text<'a>>,
    docs_url: Option<Text<'a>>,
    rate: Option<(u64, Choice<'a, Window>)>,
}

#[derive(Default)]
struct Parameter<'a> {
    name: Option<Text<'a>>,
    location: Option<Choice<'a, Location>>,
    kind: Option<Text<'a>>,
    description: Option<Text<'a>>,
    required: Option<bool>,
    values: [Option<&'a [u8]>; 3],
}

#[derive(Default)]
struct Policy<'a> {
    name: Option<Text<'a>>,
    declaration: Option<Text<'a>>,
    rate: Option<(u64, Choice<'a, Window>)>,
}

/// Who is told.
trait Visitor<'a> {
    fn text(&mut self, text: Text<'a>);
    fn member(&mut self, name: Text<'a>, raw: &'a [u8]);
    fn site(&mut self, site: &Site<'a>);
    fn parameter(&mut self, parameter: &Parameter<'a>);
    fn capability(&mut self, capability: &Capability<'a>);
    fn policy(&mut self, policy: &Policy<'a>);
}

/// Touches everything.
#[derive(Default)]
struct All(u64);

impl All {
    #[inline(always)]
    fn texts<const N: usize>(&mut self, texts: [Option<Text<'_>>; N]) {
        for text in texts.into_iter().flatten() {
            self.0 = self.0.wrapping_add(touch(text.raw()));
        }
    }

    #[inline(always)]
    fn choice<E: Enumeration>(&mut self, choice: Option<Choice<'_, E>>) {
        if let Some(choice) = choice {
            self.0 = self.0.wrapping_add(choice.as_str().len() as u64);
            self.texts([choice.text]);
        }
    }
}

impl<'a> Visitor<'a> for All {
    #[inline(always)]
    fn text(&mut self, text: Text<'a>) {
        self.texts([Some(text)]);
    }

    #[inline(always)]
    fn member(&mut self, name: Text<'a>, raw: &'a [u8]) {
        self.texts([Some(name)]);
        self.0 = self.0.wrapping_add(touch(raw));
    }

    fn site(&mut self, site: &Site<'a>) {
        self.texts(site.texts);
    }

    #[inline(always)]
    fn parameter(&mut self, p: &Parameter<'a>) {
        self.texts([p.name, p.kind, p.description]);
        self.choice(p.location);
        self.0 += p.required.map_or(0, u64::from);
        self.0 += p.values.iter().flatten().map(|raw| touch(raw)).sum::<u64>();
    }

    #[inline(always)]
    fn capability(&mut self, c: &Capability<'a>) {
        self.texts([c.id, c.description, c.endpoint, c.method, c.openapi, c.detail_url, c.token_url, c.docs_url]);
        self.choice(c.protocol);
        self.choice(c.auth);
        if let Some((requests, window)) = c.rate {
            self.0 += requests;
            self.choice(Some(window));
        }
    }

    #[inline(always)]
    fn policy(&mut self, policy: &Policy<'a>) {
        self.texts([policy.name, policy.declaration]);
        if let Some((requests, window)) = policy.rate {
            self.0 += requests;
            self.choice(Some(window));
        }
    }
}

/// Keeps nine fields: those of the service, and those of the first capability.
#[derive(Default)]
struct Nine<'a> {
    texts: [Option<Text<'a>>; 7],
    protocol: Option<Choice<'a, Protocol>>,
    auth: Option<Choice<'a, AuthType>>,
    filled: bool,
}

impl Nine<'_> {
    fn sum(&self) -> u64 {
        let mut all = All::default();
        all.texts(self.texts);
        all.choice(self.protocol);
        all.choice(self.auth);
        all.0
    }
}

impl<'a> Visitor<'a> for Nine<'a> {
    fn text(&mut self, _: Text<'a>) {}
    fn member(&mut self, _: Text<'a>, _: &'a [u8]) {}
    fn site(&mut self, site: &Site<'a>) {
        let ([name, url, description, ..], [a, b, c, ..]) = (site.texts, &mut self.texts);
        (*a, *b, *c) = (name, url, description);
    }
    fn parameter(&mut self, _: &Parameter<'a>) {}
    #[inline(always)]
    fn capability(&mut self, capability: &Capability<'a>) {
        if !std::mem::replace(&mut self.filled, true) {
            let [.., a, b, c, d] = &mut self.texts;
            (*a, *b, *c, *d) = (capability.id, capability.endpoint, capability.method, capability.description);
            (self.protocol, self.auth) = (capability.protocol, capability.auth);
        }
    }
    fn policy(&mut self, _: &Policy<'a>) {}
}

fn rate<'a, R: Reader<'a>>(reader: &mut R, value: R::Value, visitor: &mut impl Visitor<'a>) -> Option<(u64, Choice<'a, Window>)> {
    let (mut requests, mut window) = (None, None);
    reader.members(value, |reader, name, value| match name.raw() {
        b"requests" => requests = reader.text(value).and_then(|text| text.as_str()?.parse().ok()),
        b"window" => window = reader.text(value).map(Choice::read),
        _ => visitor.member(name, reader.skip(value)),
    });
    Some((requests?, window?))
}

fn texts<'a, R: Reader<'a>>(reader: &mut R, value: R::Value, visitor: &mut impl Visitor<'a>) {
    reader.elements(value, |reader, value| {
        if let Some(text) = reader.text(value) {
            visitor.text(text);
        }
    });
}

/// Reads an agents.json of the Internet-Draft.
fn draft<'a, R: Reader<'a>>(reader: &mut R, top: R::Value, visitor: &mut impl Visitor<'a>) {
    let mut lists = 0_u8;
    reader.members(top, |reader, name, value| {
        let list = match name.raw() {
            b"capabilities" => 1,
            b"agents" => 2,
            b"access" => 4,
            b"site" => 8,
            _ => 0,
        };
        if lists & list != 0 {
            reader.give_up();
        }
        lists |= list;
        match name.raw() {
            b"specVersion" | b"generatedAt" | b"declarationType" | b"agentsJson" => {
                if let Some(text) = reader.text(value) {
                    visitor.text(text);
                }
            }
            b"operatesOn" => texts(reader, value, visitor),
            b"site" => {
                let mut site = Site::default();
                reader.members(value, |reader, name, value| {
                    let [site_name, url, description, contact, privacy] = &mut site.texts;
                    match name.raw() {
                        b"name" => *site_name = reader.text(value),
                        b"url" => *url = reader.text(value),
                        b"description" => *description = reader.text(value),
                        b"contact" => *contact = reader.text(value),
                        b"privacyPolicy" => *privacy = reader.text(value),
                        _ => visitor.member(name, reader.skip(value)),
                    }
                });
                visitor.site(&site);
            }
            b"capabilities" => reader.elements(value, |reader, value| capability(reader, value, visitor)),
            b"access" => reader.members(value, |reader, name, value| match name.raw() {
                b"allow" | b"disallow" => texts(reader, value, visitor),
                _ => visitor.member(name, reader.skip(value)),
            }),
            b"agents" => reader.members(value, |reader, name, value| {
                let mut policy = Policy { name: Some(name), ..Policy::default() };
                reader.members(value, |reader, name, value| match name.raw() {
                    b"rateLimit" => policy.rate = rate(reader, value, visitor),
                    b"capabilities" => texts(reader, value, visitor),
                    b"agentDeclaration" => policy.declaration = reader.text(value),
                    _ => visitor.member(name, reader.skip(value)),
                });
                visitor.policy(&policy);
            }),
            _ => visitor.member(name, reader.skip(value)),
        }
    });
}

fn capability<'a, R: Reader<'a>>(reader: &mut R, value: R::Value, visitor: &mut impl Visitor<'a>) {
    let mut c = Capability::default();
    let mut listed = false;
    reader.members(value, |reader, name, value| match name.raw() {
        b"id" => c.id = reader.text(value),
        b"description" => c.description = reader.text(value),
        b"endpoint" => c.endpoint = reader.text(value),
        b"method" => c.method = reader.text(value),
        b"openapi" => c.openapi = reader.text(value),
        b"protocol" => c.protocol = reader.text(value).map(Choice::read),
        b"auth" if reader.kind(value) == TokenKind::String => c.auth = reader.text(value).map(Choice::read),
        b"auth" => reader.members(value, |reader, name, value| match name.raw() {
            b"type" => c.auth = reader.text(value).map(Choice::read),
            b"tokenEndpoint" => c.token_url = reader.text(value),
            b"docsUrl" => c.docs_url = reader.text(value),
            b"scopes" => texts(reader, value, visitor),
            _ => visitor.member(name, reader.skip(value)),
        }),
        b"rateLimit" => c.rate = rate(reader, value, visitor),
        b"parameters" | b"params" => {
            if std::mem::replace(&mut listed, true) {
                reader.give_up();
            }
            reader.elements(value, |reader, value| parameter(reader, value, visitor));
        }
        _ => visitor.member(name, reader.skip(value)),
    });
    visitor.capability(&c);
}

fn parameter<'a, R: Reader<'a>>(reader: &mut R, value: R::Value, visitor: &mut impl Visitor<'a>) {
    let mut p = Parameter::default();
    reader.members(value, |reader, name, value| {
        let [default, min, max] = &mut p.values;
        match name.raw() {
            b"name" => p.name = reader.text(value),
            b"in" | b"location" => p.location = reader.text(value).map(Choice::read),
            b"type" => p.kind = reader.text(value),
            b"description" => p.description = reader.text(value),
            b"required" => p.required = reader.text(value).map(|text| text.raw() == b"true"),
            b"default" => *default = Some(reader.skip(value)),
            b"min" => *min = Some(reader.skip(value)),
            b"max" => *max = Some(reader.skip(value)),
            _ => visitor.member(name, reader.skip(value)),
        }
    });
    visitor.parameter(&p);
}

/// Reads a manifest of the Agent Discovery Protocol.
fn adp<'a, R: Reader<'a>>(reader: &mut R, top: R::Value, visitor: &mut impl Visitor<'a>) {
    let mut site = Site::default();
    let mut listed = false;
    reader.members(top, |reader, name, value| {
        let [site_name, url, description, ..] = &mut site.texts;
        match name.raw() {
            b"spec_version" => {
                if let Some(text) = reader.text(value) {
                    visitor.text(text);
                }
            }
            b"name" => *site_name = reader.text(value),
            b"description" => *description = reader.text(value),
            b"base_url" => *url = reader.text(value),
            b"auth" => reader.members(value, |reader, name, value| match name.raw() {
                b"type" => {
                    if let Some(text) = reader.text(value) {
                        visitor.text(text);
                        visitor.text(Text::plain(Choice::<AuthType>::read(text).as_str().as_bytes()));
                    }
                }
                b"header" | b"prefix" | b"setup_url" | b"authorization_url" | b"token_url" => {
                    if let Some(text) = reader.text(value) {
                        visitor.text(text);
                    }
                }
                b"scopes" => texts(reader, value, visitor),
                _ => visitor.member(name, reader.skip(value)),
            }),
            b"capabilities" => {
                if std::mem::replace(&mut listed, true) {
                    reader.give_up();
                }
                reader.elements(value, |reader, value| {
                    let mut c = Capability::default();
                    reader.members(value, |reader, name, value| match name.raw() {
                        b"name" => c.id = reader.text(value),
                        b"description" => c.description = reader.text(value),
                        b"detail_url" => c.detail_url = reader.text(value),
                        b"endpoint" => c.endpoint = reader.text(value),
                        b"method" => c.method = reader.text(value),
                        _ => visitor.member(name, reader.skip(value)),
                    });
                    visitor.capability(&c);
                });
            }
            _ => visitor.member(name, reader.skip(value)),
        }
    });
    visitor.site(&site);
}

fn parse(bytes: &[u8], format: Format) -> Option<Document<'_>> {
    Document::parse_with(bytes, &ParseOptions { format: Some(format), ..ParseOptions::default() }).ok()
}

fn all_again(bytes: &[u8], format: Format) -> Option<u64> {
    let mut toucher = Toucher::default();
    walk::manifest(&parse(bytes, format)?.manifest(), &mut toucher);
    Some(toucher.0)
}

fn nine_again(bytes: &[u8], format: Format) -> Option<u64> {
    let document = parse(bytes, format)?;
    let service = document.manifest().service().unwrap_or_default();
    let c = document.manifest().capabilities().next().unwrap_or_default();
    let nine = Nine {
        texts: [service.name, service.url, service.description, c.id, c.endpoint, c.method, c.description],
        protocol: c.protocol,
        auth: c.auth.map(|auth| auth.kind),
        filled: true,
    };
    Some(nine.sum())
}

fn one_again(bytes: &[u8], format: Format) -> Option<u64> {
    Some(touch(parse(bytes, format)?.manifest().service()?.name?.raw()))
}

/// c: the whole pass. UTF-8 is checked before, as `Document::parse` does.
fn fused<'a>(bytes: &'a [u8], format: Format, visitor: &mut impl Visitor<'a>) -> Option<()> {
    simdutf8::basic::from_utf8(bytes).ok()?;
    let mut reader = Fused { bytes, tokens: Tokenizer::new(bytes), failed: false };
    let top = reader.next()?;
    if format == Format::Adp {
        adp(&mut reader, top, visitor)
    } else {
        draft(&mut reader, top, visitor)
    }
    (!reader.failed && reader.tokens.next_token().ok()?.is_none()).then_some(())
}

fn indexed<'i>(bytes: &'i [u8], index: &'i mut [Entry]) -> Option<Indexed<'i>> {
    simdutf8::basic::from_utf8(bytes).ok()?;
    let length = build(bytes, index)?;
    Some(Indexed { bytes, index: index.get(..length)?, failed: false })
}

fn nine_indexed(reader: Indexed<'_>, format: Format) -> u64 {
    let (service, id) = if format == Format::Adp { (Some(0), "name") } else { (reader.get(0, "site"), "id") };
    let url = if format == Format::Adp { "base_url" } else { "url" };
    let capability = reader.get(0, "capabilities").map(|list| list + 1);
    let of_service = |name| service.and_then(|service| reader.get_text(service, name));
    let of_first = |name| capability.and_then(|capability| reader.get_text(capability, name));
    let auth = capability.and_then(|capability| reader.get(capability, "auth"));
    let nine = Nine {
        texts: [
            of_service("name"),
            of_service(url),
            of_service("description"),
            of_first(id),
            of_first("endpoint"),
            of_first("method"),
            of_first("description"),
        ],
        protocol: of_first("protocol").map(Choice::read),
        auth: auth.and_then(|auth| reader.get_text(auth, "type")).map(Choice::read),
        filled: true,
    };
    nine.sum()
}

/// Room for the index of a document of a megabyte.
fn room() -> Vec<Entry> {
    vec![Entry::default(); 1 << 17]
}

fn all_tasks(format: Format) -> Vec<Task> {
    let mut index = room();
    let mut tasks = vec![
        Task::new("a, again", move |bytes| all_again(bytes, format)),
        Task::new("b, index", move |bytes| {
            let mut reader = indexed(bytes, &mut index)?;
            let mut all = All::default();
            if format == Format::Adp {
                adp(&mut reader, 0, &mut all)
            } else {
                draft(&mut reader, 0, &mut all)
            }
            (!reader.failed).then_some(all.0)
        }),
        Task::new("c, fused", move |bytes| {
            let mut all = All::default();
            fused(bytes, format, &mut all)?;
            Some(all.0)
        }),
        Task::new("only parsing (a)", move |bytes| parse(bytes, format).map(|document| document.outline().format() as u64)),
    ];
    if format == Format::AgentsJson {
        // Peers, so that the figures mean something.
        tasks.extend(
            agents_json::tasks()
                .into_iter()
                .filter(|task| matches!(task.name, "serde_json structs" | "simd-json structs" | "jiter by hand")),
        );
    }
    tasks
}

fn nine_tasks(format: Format) -> Vec<Task> {
    let mut index = room();
    vec![
        Task::new("a, again", move |bytes| nine_again(bytes, format)),
        Task::new("b, index", move |bytes| Some(nine_indexed(indexed(bytes, &mut index)?, format))),
        Task::new("c, fused", move |bytes| {
            let mut nine = Nine::default();
            fused(bytes, format, &mut nine)?;
            Some(nine.sum())
        }),
    ]
}

fn one_tasks(format: Format) -> Vec<Task> {
    let mut index = room();
    vec![
        Task::new("a, again", move |bytes| one_again(bytes, format)),
        Task::new("b, index", move |bytes| {
            let reader = indexed(bytes, &mut index)?;
            let service = if format == Format::Adp { Some(0) } else { reader.get(0, "site") };
            Some(touch(reader.get_text(service?, "name")?.raw()))
        }),
        Task::new("c, fused", move |bytes| {
            let mut nine = Nine::default();
            fused(bytes, format, &mut nine)?;
            nine.texts.first().copied().flatten().map(|text| touch(text.raw()))
        }),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = match arguments.first().map(String::as_str) {
        Some("--quick") => 15,
        Some("--thorough") => 401,
        _ => 101,
    };
    let effort = Effort { rounds, turn: Duration::from_millis(1) };
    let corpus = inputs::corpus();
    println!("MB/s, the best of {rounds} turns of 1 ms; in brackets how many times as fast a is.\n");
    for (format, kind, real) in [(Format::AgentsJson, Kind::AgentsJson, Vec::new()), (Format::Adp, Kind::Adp, corpus.adp)] {
        let mut inputs = inputs::generated(kind);
        inputs.extend(real);
        println!("{}", measure("bytes to every typed value", &inputs, all_tasks(format), effort).table());
        println!("{}", measure("bytes to nine values (service and first capability)", &inputs, nine_tasks(format), effort).table());
        println!("{}", measure("bytes to one value (the name)", &inputs, one_tasks(format), effort).table());
        println!("| index of b | entries | bytes | for each byte of text |\n| --- | ---: | ---: | ---: |");
        let mut index = room();
        for input in &inputs {
            let entries: usize = input.documents.iter().filter_map(|document| build(document, &mut index)).sum();
            let bytes = entries * size_of::<Entry>();
            println!("| {} | {entries} | {bytes} | {:.2} |", input.name, bytes as f64 / input.bytes() as f64);
        }
        println!();
    }
    println!(
        "State: a {} bytes (the outline), c {} bytes (the tokenizer).",
        size_of::<agentsdisc_core::Outline>(),
        size_of::<Tokenizer<'_>>()
    );
}
