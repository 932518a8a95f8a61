//! The typed reading that b and c share: the structs, the visitors, and the members of both
//! formats.

use agentsdisc_benches::touch;
use agentsdisc_core::manifest::{AuthType, Choice, Enumeration, Location, Protocol, Window};
use agentsdisc_core::syntax::json::TokenKind;
use agentsdisc_core::syntax::text::Text;

use super::reader::Reader;

/// The structs. Lists are delivered separately.
#[derive(Default)]
pub(super) struct Site<'a> {
    pub(super) texts: [Option<Text<'a>>; 5],
}

#[derive(Default)]
pub(super) struct Capability<'a> {
    pub(super) id: Option<Text<'a>>,
    pub(super) description: Option<Text<'a>>,
    pub(super) endpoint: Option<Text<'a>>,
    pub(super) method: Option<Text<'a>>,
    pub(super) openapi: Option<Text<'a>>,
    pub(super) detail_url: Option<Text<'a>>,
    pub(super) protocol: Option<Choice<'a, Protocol>>,
    pub(super) auth: Option<Choice<'a, AuthType>>,
    pub(super) token_url: Option<Text<'a>>,
    pub(super) docs_url: Option<Text<'a>>,
    pub(super) rate: Option<(u64, Choice<'a, Window>)>,
}

#[derive(Default)]
pub(super) struct Parameter<'a> {
    pub(super) name: Option<Text<'a>>,
    pub(super) location: Option<Choice<'a, Location>>,
    pub(super) kind: Option<Text<'a>>,
    pub(super) description: Option<Text<'a>>,
    pub(super) required: Option<bool>,
    pub(super) values: [Option<&'a [u8]>; 3],
}

#[derive(Default)]
pub(super) struct Policy<'a> {
    pub(super) name: Option<Text<'a>>,
    pub(super) declaration: Option<Text<'a>>,
    pub(super) rate: Option<(u64, Choice<'a, Window>)>,
}

/// Receives the structs.
pub(super) trait Visitor<'a> {
    fn text(&mut self, text: Text<'a>);
    fn member(&mut self, name: Text<'a>, raw: &'a [u8]);
    fn site(&mut self, site: &Site<'a>);
    fn parameter(&mut self, parameter: &Parameter<'a>);
    fn capability(&mut self, capability: &Capability<'a>);
    fn policy(&mut self, policy: &Policy<'a>);
}

/// Reads everything.
#[derive(Default)]
pub(super) struct All(pub(super) u64);

impl All {
    #[inline(always)]
    pub(super) fn texts<const N: usize>(&mut self, texts: [Option<Text<'_>>; N]) {
        for text in texts.into_iter().flatten() {
            self.0 = self.0.wrapping_add(touch(text.raw()));
        }
    }

    #[inline(always)]
    pub(super) fn choice<E: Enumeration>(&mut self, choice: Option<Choice<'_, E>>) {
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
        self.texts([
            c.id,
            c.description,
            c.endpoint,
            c.method,
            c.openapi,
            c.detail_url,
            c.token_url,
            c.docs_url,
        ]);
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
pub(super) struct Nine<'a> {
    pub(super) texts: [Option<Text<'a>>; 7],
    pub(super) protocol: Option<Choice<'a, Protocol>>,
    pub(super) auth: Option<Choice<'a, AuthType>>,
    pub(super) filled: bool,
}

impl Nine<'_> {
    pub(super) fn sum(&self) -> u64 {
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
            (*a, *b, *c, *d) = (
                capability.id,
                capability.endpoint,
                capability.method,
                capability.description,
            );
            (self.protocol, self.auth) = (capability.protocol, capability.auth);
        }
    }
    fn policy(&mut self, _: &Policy<'a>) {}
}

pub(super) fn rate<'a, R: Reader<'a>>(
    reader: &mut R,
    value: R::Value,
    visitor: &mut impl Visitor<'a>,
) -> Option<(u64, Choice<'a, Window>)> {
    let (mut requests, mut window) = (None, None);
    reader.members(value, |reader, name, value| match name.raw() {
        b"requests" => {
            requests = reader
                .text(value)
                .and_then(|text| text.as_str()?.parse().ok())
        }
        b"window" => window = reader.text(value).map(Choice::read),
        _ => visitor.member(name, reader.skip(value)),
    });
    Some((requests?, window?))
}

pub(super) fn texts<'a, R: Reader<'a>>(
    reader: &mut R,
    value: R::Value,
    visitor: &mut impl Visitor<'a>,
) {
    reader.elements(value, |reader, value| {
        if let Some(text) = reader.text(value) {
            visitor.text(text);
        }
    });
}

/// Reads an agents.json of the Internet-Draft.
pub(super) fn draft<'a, R: Reader<'a>>(
    reader: &mut R,
    top: R::Value,
    visitor: &mut impl Visitor<'a>,
) {
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
            b"capabilities" => {
                reader.elements(value, |reader, value| capability(reader, value, visitor))
            }
            b"access" => reader.members(value, |reader, name, value| match name.raw() {
                b"allow" | b"disallow" => texts(reader, value, visitor),
                _ => visitor.member(name, reader.skip(value)),
            }),
            b"agents" => reader.members(value, |reader, name, value| {
                let mut policy = Policy {
                    name: Some(name),
                    ..Policy::default()
                };
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

pub(super) fn capability<'a, R: Reader<'a>>(
    reader: &mut R,
    value: R::Value,
    visitor: &mut impl Visitor<'a>,
) {
    let mut c = Capability::default();
    let mut listed = false;
    reader.members(value, |reader, name, value| match name.raw() {
        b"id" => c.id = reader.text(value),
        b"description" => c.description = reader.text(value),
        b"endpoint" => c.endpoint = reader.text(value),
        b"method" => c.method = reader.text(value),
        b"openapi" => c.openapi = reader.text(value),
        b"protocol" => c.protocol = reader.text(value).map(Choice::read),
        b"auth" if reader.kind(value) == TokenKind::String => {
            c.auth = reader.text(value).map(Choice::read)
        }
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

pub(super) fn parameter<'a, R: Reader<'a>>(
    reader: &mut R,
    value: R::Value,
    visitor: &mut impl Visitor<'a>,
) {
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
pub(super) fn adp<'a, R: Reader<'a>>(
    reader: &mut R,
    top: R::Value,
    visitor: &mut impl Visitor<'a>,
) {
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
                        visitor.text(Text::plain(
                            Choice::<AuthType>::read(text).as_str().as_bytes(),
                        ));
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
