//! Signatures of requests, for the entry `agentsdisc/identity`: the rules of the core, without the
//! cryptography.

use alloc::vec;
use alloc::vec::Vec;

use agentsdisc_core::identity::{
    Algorithm, CardKeys, Claim, Header, Message, Options, Reason, Signing, card_keys, find_key,
    lifetime,
};
use agentsdisc_core::{Document, Format, Limits};

use crate::input::Input;
use crate::json::Json;

/// A request: its method, its URL and its fields.
struct Request<'a> {
    method: &'a [u8],
    url: &'a [u8],
    fields: Vec<Header<'a>>,
}

impl<'a> Request<'a> {
    fn read(input: &mut Input<'a>) -> Self {
        let mut next = || input.bytes().unwrap_or_default();
        let (method, url) = (next(), next());
        let count = input.number();
        let mut field = || Some(Header { name: input.bytes()?, value: input.bytes()? });
        Self { method, url, fields: (0..count).map_while(|_| field()).collect() }
    }

    fn message(&self) -> Message<'_> {
        Message::new(self.method, self.url, &self.fields)
    }
}

/// Reads a signature with the tag `web-bot-auth`: null if there is no further one, why it is refused,
/// or what it claims with its base and the octets of the signature behind it.
pub(crate) fn claim(mut input: Input<'_>, json: &mut Json) {
    let request = Request::read(&mut input);
    let index = input.number() as usize;
    let (now, skew, longest) = (input.time(), input.time(), input.truth().then(|| input.time()));
    let mut base = Json::default();
    let read = Claim::read(&request.message(), index, &Options { now, skew, longest })
        .map(|read| read.and_then(|claim| claim.put_base(&mut base).map(|()| claim)));
    let claim = match read {
        Some(Ok(claim)) => claim,
        other => {
            json.or_null(other.and_then(Result::err), |json, reason| refused(reason, json));
            return joined(json, &[]);
        }
    };
    let mut buffer = [0; 16 << 10];
    let signature = claim.signature(&mut buffer).unwrap_or_default();
    json.object(|json| {
        json.name("key_id").octets(claim.key_id);
        json.name("algorithm").or_null(claim.algorithm, |json, own| json.word(own.as_str()));
        json.name("created").number(claim.created);
        json.name("expires").number(claim.expires);
        json.name("nonce").or_null(claim.nonce, Json::octets);
        json.name("agent").or_null(claim.agent, |json, agent| {
            let (mut url, mut identifier) = (Json::default(), Json::default());
            agent.put_url(&mut url);
            agent.put_identifier(&mut identifier);
            json.object(|json| {
                json.name("url").octets(&url.bytes);
                json.name("identifier").octets(&identifier.bytes);
                json.name("kind").word(agent.kind.as_str());
            });
        });
        json.name("signature").number(signature.len() as u64);
    });
    joined(json, &[signature, &base.bytes]);
}

fn refused(reason: Reason, json: &mut Json) {
    json.object(|json| json.name("refused").word(reason.as_str()));
}

/// Puts octets behind JSON, and the length of the JSON behind all.
fn joined(json: &mut Json, parts: &[&[u8]]) {
    let length = json.bytes.len() as u32;
    parts.iter().for_each(|part| json.bytes.extend_from_slice(part));
    json.bytes.extend_from_slice(&length.to_le_bytes());
}

/// Finds a key of a directory: why there is none, or its algorithm, whether it is an example of a
/// specification, and its members.
pub(crate) fn key(mut input: Input<'_>, json: &mut Json) {
    let mut next = || input.bytes().unwrap_or_default();
    let (directory, key_id, algorithm) = (next(), next(), Algorithm::named(next()));
    let now = input.time();
    let parsed = Document::parse_as(directory, Format::SignatureDirectory, &Limits::DEFAULT);
    let keys = parsed.ok().and_then(|document| document.signature_directory());
    let found = match &keys {
        Some(keys) => find_key(keys, key_id, algorithm, now),
        None => Err(Reason::DirectoryInvalid),
    };
    match found {
        Err(reason) => refused(reason, json),
        Ok(key) => json.object(|json| {
            json.name("algorithm").word(key.algorithm.as_str());
            json.name("is_example").truth(key.is_example);
            json.name("jwk").object(|json| {
                for (name, value) in key.members() {
                    if let Some(value) = value {
                        json.name(name).text(value);
                    }
                }
            });
        }),
    }
}

/// The octets of the thumbprint of each key of a directory; null for a key without one. A document that
/// is no directory has no keys.
pub(crate) fn thumbprints(mut input: Input<'_>, json: &mut Json) {
    let directory = input.bytes().unwrap_or_default();
    let parsed = Document::parse_as(directory, Format::SignatureDirectory, &Limits::DEFAULT);
    let keys = parsed.ok().and_then(|document| document.signature_directory());
    json.list(|json| {
        for key in keys.iter().flat_map(|directory| directory.keys()) {
            json.or_null(key.thumbprint(), |json, digest| {
                json.list(|json| digest.iter().for_each(|octet| json.number(*octet)));
            });
        }
    });
}

/// The values of Signature-Input and Signature-Agent and the bytes to sign; or why a request cannot be
/// signed.
pub(crate) fn to_sign(mut input: Input<'_>, json: &mut Json) {
    let request = Request::read(&mut input);
    let count = input.number();
    let covered: Vec<&str> = (0..count).map_while(|_| input.text()).collect();
    let key_id = input.text().unwrap_or_default();
    let (created, expires) = (input.time(), input.time());
    let (nonce, agent) = (input.text(), input.text());
    let signing = Signing {
        label: "sig1",
        fields: &covered,
        created,
        expires,
        key_id,
        algorithm: None,
        nonce,
        agent,
    };
    let (mut given, mut said, mut base) = (Json::default(), Json::default(), Json::default());
    signing.put_input(&mut given);
    signing.put_agent(&mut said);
    if let Err(reason) = signing.put_base(&request.message(), &mut base) {
        json.object(|json| json.name("refused").word(reason.message()));
        return joined(json, &[]);
    }
    json.object(|json| {
        json.name("input").octets(&given.bytes);
        json.name("agent").or_null(agent, |json, _| json.octets(&said.bytes));
    });
    joined(json, &[&base.bytes]);
}

/// The keys in a card that was fetched from a URL: why there are none, the octets of a set of keys behind
/// the JSON, or the URL that has them.
pub(crate) fn card(mut input: Input<'_>, json: &mut Json) {
    let mut next = || input.bytes().unwrap_or_default();
    let (card, url) = (next(), next());
    let mut buffer = vec![0; card.len()];
    match card_keys(card, url, &mut buffer) {
        Err(reason) => {
            refused(reason, json);
            joined(json, &[]);
        }
        Ok(CardKeys::Here(keys)) => {
            json.object(|_| {});
            joined(json, &[keys]);
        }
        Ok(CardKeys::At(agent)) => {
            let mut place = Json::default();
            agent.put_url(&mut place);
            json.object(|json| {
                json.name("url").octets(&place.bytes);
            });
            joined(json, &[]);
        }
    }
}

/// For how many seconds keys may be kept, by the lines of Cache-Control.
pub(crate) fn kept(mut input: Input<'_>, json: &mut Json) {
    json.number(lifetime(core::iter::from_fn(|| input.bytes())));
}

/// Every reason with its meaning.
pub(crate) fn reasons(json: &mut Json) {
    json.object(|json| {
        for reason in Reason::ALL {
            json.name(reason.as_str()).word(reason.message());
        }
    });
}

impl Json {
    /// Writes octets as a text in which each octet is a character.
    fn octets(&mut self, octets: &[u8]) {
        let mut text = Self::default();
        for octet in octets {
            text.put(char::from(*octet).encode_utf8(&mut [0; 4]));
        }
        self.word(core::str::from_utf8(&text.bytes).unwrap_or_default());
    }
}
