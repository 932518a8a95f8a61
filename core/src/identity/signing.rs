//! What a signature covers, as bytes, and the fields that an agent writes.

use super::agent::AgentKind;
use super::component::Component;
use super::key::Algorithm;
use super::message::Message;
use super::reason::Reason;
use crate::sink::{Sink, put_number};
use crate::syntax::base64;
use crate::syntax::structured_field::{Member, items, put_parameters, put_value};

/// How many components a signature may cover.
pub(super) const COMPONENTS: usize = 32;
/// What stands in front of the components and parameters in a signature base.
const PARAMETERS: &[u8] = b"\"@signature-params\": ";
/// What every signature of an agent covers.
const DERIVED: &[&str] = &["@authority", "@method", "@path", "@query"];

/// What an agent signs. Besides `fields`, the signature covers authority, method, path and query, so it
/// is worth nothing for another request.
#[derive(Clone, Copy, Debug)]
pub struct Signing<'a> {
    /// The label of the signature, and of the member of Signature-Agent: a key of a dictionary.
    pub label: &'a str,
    /// The names of the fields that the signature also covers, in lower case.
    pub fields: &'a [&'a str],
    /// When the signature is made, in seconds since 1970.
    pub created: u64,
    /// When it expires.
    pub expires: u64,
    /// The thumbprint of the key.
    pub key_id: &'a str,
    /// The algorithm, if the signature names it.
    pub algorithm: Option<Algorithm>,
    /// A text that no other signature has, in base64.
    pub nonce: Option<&'a str>,
    /// Where the keys are: an origin, or the URL of a set of keys.
    pub agent: Option<&'a str>,
}

impl Signing<'_> {
    /// Writes the value of Signature-Input.
    pub fn put_input(&self, sink: &mut (impl Sink + ?Sized)) {
        put_all(&[self.label, "="], sink);
        self.put_parameters(sink);
    }

    /// Writes the value of Signature, for a label and the bytes of a signature.
    pub fn put_signature(label: &str, signature: &[u8], sink: &mut (impl Sink + ?Sized)) {
        put_all(&[label, "=:"], sink);
        base64::put(signature, sink);
        sink.put(b":");
    }

    /// The names of the covered fields.
    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        DERIVED.iter().chain(self.fields).copied()
    }

    /// Writes the components and the parameters.
    fn put_parameters(&self, sink: &mut (impl Sink + ?Sized)) {
        for (index, name) in self.names().enumerate() {
            put_all(&[if index == 0 { "(\"" } else { " \"" }, name, "\""], sink);
        }
        if self.agent.is_some() {
            put_all(&[" \"signature-agent\";key=\"", self.label, "\""], sink);
        }
        sink.put(b");created=");
        put_number(self.created, sink);
        sink.put(b";expires=");
        put_number(self.expires, sink);
        let algorithm = self.algorithm.map(Algorithm::as_str);
        let texts = [("keyid", Some(self.key_id)), ("alg", algorithm), ("nonce", self.nonce)];
        for (name, value) in texts {
            if let Some(value) = value {
                put_all(&[";", name, "=\"", value, "\""], sink);
            }
        }
        sink.put(b";tag=\"web-bot-auth\"");
    }

    /// Writes the value of Signature-Agent, for an agent.
    pub fn put_agent(&self, sink: &mut (impl Sink + ?Sized)) {
        put_all(&[self.label, "="], sink);
        self.put_url(sink);
    }

    /// Writes the member of Signature-Agent.
    fn put_url(&self, sink: &mut (impl Sink + ?Sized)) {
        let url = self.agent.unwrap_or_default();
        put_all(&["\"", url, "\""], sink);
        if AgentKind::of(url) == AgentKind::JwksUri {
            sink.put(b";type=jwks_uri");
        }
    }

    /// Writes the signature base: the bytes to sign. The request need not have the fields of the signature
    /// yet; it must have `fields`.
    ///
    /// What has no place in the fields of a signature is refused: a label that is no key of a dictionary,
    /// quotes and other characters than those of ASCII in texts, names that are not in lower case.
    pub fn put_base(
        &self,
        message: &Message<'_>,
        sink: &mut (impl Sink + ?Sized),
    ) -> Result<(), Reason> {
        let texts = [Some(self.key_id), self.nonce, self.agent];
        if !is_key(self.label.as_bytes()) || !texts.iter().flatten().all(|text| is_text(text)) {
            return Err(Reason::MalformedInput);
        }
        if self.names().count() >= COMPONENTS {
            return Err(Reason::TooLarge);
        }
        for (index, name) in self.names().enumerate() {
            if self.names().take(index).any(|earlier| earlier == name) {
                return Err(Reason::RepeatedComponent);
            }
            put_all(&["\"", name, "\": "], sink);
            Component::named(name.as_bytes())?.put(message, sink)?;
            sink.put(b"\n");
        }
        if self.agent.is_some() {
            put_all(&["\"signature-agent\";key=\"", self.label, "\": "], sink);
            self.put_url(sink);
            sink.put(b"\n");
        }
        sink.put(PARAMETERS);
        self.put_parameters(sink);
        Ok(())
    }
}

/// Whether a text is the key of a dictionary (RFC 9651 section 3.2).
fn is_key(text: &[u8]) -> bool {
    let is_start = |octet: &u8| octet.is_ascii_lowercase() || *octet == b'*';
    let is_part = |octet: &u8| is_start(octet) || octet.is_ascii_digit() || b"_-.".contains(octet);
    text.first().is_some_and(is_start) && text.iter().all(is_part)
}

/// Whether a text is a string without escapes (RFC 9651 section 3.3.3).
fn is_text(text: &str) -> bool {
    text.bytes().all(|octet| matches!(octet, b' '..=b'~') && !b"\"\\".contains(&octet))
}

fn put_all(texts: &[&str], sink: &mut (impl Sink + ?Sized)) {
    texts.iter().for_each(|text| sink.put(text.as_bytes()));
}

/// Writes the signature base of the signature with a label (RFC 9421 section 2.5): the bytes that are
/// signed. The message must have the field Signature-Input.
pub fn put_base(
    message: &Message<'_>,
    label: &[u8],
    sink: &mut (impl Sink + ?Sized),
) -> Result<(), Reason> {
    let lines = message.lines("signature-input")?;
    if lines.is_absent() {
        return Err(Reason::InputMissing);
    }
    let member = lines.member(label, Reason::MalformedInput)?.ok_or(Reason::InputMissing)?;
    put_base_of(message, &member, sink)
}

/// Writes the signature base for a member of Signature-Input.
pub(super) fn put_base_of<'a>(
    message: &Message<'a>,
    input: &Member<'a>,
    sink: &mut (impl Sink + ?Sized),
) -> Result<(), Reason> {
    let covered = || items(input.value).into_iter().flatten();
    for (index, (item, parameters)) in covered().enumerate() {
        let component = Component::read(item, parameters)?;
        let is_same = |(item, parameters)| Component::read(item, parameters) == Ok(component);
        if index >= COMPONENTS {
            return Err(Reason::TooLarge);
        }
        if covered().take(index).any(is_same) {
            return Err(Reason::RepeatedComponent);
        }
        sink.put(item);
        put_parameters(parameters, sink);
        sink.put(b": ");
        component.put(message, sink)?;
        sink.put(b"\n");
    }
    sink.put(PARAMETERS);
    put_value(input.value, input.parameters, sink);
    Ok(())
}
