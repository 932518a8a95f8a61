//! A signature of a request, with every rule that needs no key.

use super::agent::Agent;
use super::component::Component;
use super::key::Algorithm;
use super::message::{Lines, Message};
use super::reason::Reason;
use super::signing::{COMPONENTS, put_base_of};
use crate::sink::{Sink, SliceSink};
use crate::syntax::base64;
use crate::syntax::structured_field::{Member, items, pairs, plain_string, unsigned};

/// How many signatures of agents a request may have.
const SIGNATURES: usize = 4;
/// How many parameters a signature may have.
const PARAMETERS: usize = 32;

/// What a site accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The time, in seconds since 1970.
    pub now: u64,
    /// By how many seconds the clock of an agent may be ahead.
    pub skew: u64,
    /// For how many seconds a signature may be valid; any number if `None`.
    pub longest: Option<u64>,
}

impl Options {
    /// By how many seconds the clock of an agent may be ahead, unless a site says otherwise.
    pub const SKEW: u64 = 10;

    /// The options for a time.
    pub const fn at(now: u64) -> Self {
        Self { now, skew: Self::SKEW, longest: None }
    }
}

/// A signature that keeps to the rules of Web Bot Auth. It proves nothing until it is verified with a
/// key of the agent.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    message: Message<'a>,
    input: Member<'a>,
    /// The signature in base64.
    encoded: &'a [u8],
    /// The thumbprint of the key.
    pub key_id: &'a [u8],
    /// The algorithm, if the signature names it.
    pub algorithm: Option<Algorithm>,
    /// When the signature was made, in seconds since 1970.
    pub created: u64,
    /// When it expires.
    pub expires: u64,
    /// The nonce, if there is one without escapes.
    pub nonce: Option<&'a [u8]>,
    /// Where the keys of the agent are, if the request says it.
    pub agent: Option<Agent<'a>>,
}

impl<'a> Claim<'a> {
    /// Reads a signature of a request with the tag `web-bot-auth`. Returns `None` if there is no signature
    /// with this index, or if the index is 4 or more. Index 0 always returns a claim or a reason.
    pub fn read(
        message: &Message<'a>,
        index: usize,
        options: &Options,
    ) -> Option<Result<Self, Reason>> {
        if index >= SIGNATURES {
            return None;
        }
        match find(message, index) {
            Ok(Some(input)) => Some(Self::of(message, input, options)),
            Ok(None) if index == 0 => Some(Err(Reason::OtherTag)),
            Ok(None) => None,
            Err(reason) => Some(Err(reason)),
        }
    }

    fn of(message: &Message<'a>, input: Member<'a>, options: &Options) -> Result<Self, Reason> {
        let encoded = signature_of(&message.lines("signature")?, input.key)?;
        let parameters = Parameters::read(input.parameters)?;
        let key_id = parameters.key_id.ok_or(Reason::KeyIdMissing)?;
        let created = parameters.created.ok_or(Reason::CreatedMissing)?;
        let expires = parameters.expires.ok_or(Reason::ExpiresMissing)?;
        let algorithm = match parameters.algorithm {
            Some(name) => Some(Algorithm::named(name).ok_or(Reason::UnknownAlgorithm)?),
            None => None,
        };
        let covered = || items(input.value).into_iter().flatten();
        for (index, (item, parameters)) in covered().enumerate() {
            if index >= COMPONENTS {
                return Err(Reason::TooLarge);
            }
            Component::read(item, parameters)?;
        }
        let components = covered().filter_map(|(item, own)| Component::read(item, own).ok());
        let has_authority =
            |component: Component<'_>| matches!(component.name, b"@authority" | b"@target-uri");
        if !components.clone().any(has_authority) {
            return Err(Reason::AuthorityNotCovered);
        }
        let agent = Agent::of(&message.lines("signature-agent")?, input.key, components)?;
        // Everything that is covered is there, and can be covered.
        put_base_of(message, &input, &mut |_: &[u8]| {})?;
        if expires <= created {
            return Err(Reason::ExpiresBeforeCreated);
        }
        if created > options.now.saturating_add(options.skew) {
            return Err(Reason::NotYetValid);
        }
        if expires <= options.now {
            return Err(Reason::Expired);
        }
        if options.longest.is_some_and(|longest| expires.saturating_sub(created) > longest) {
            return Err(Reason::LifetimeTooLong);
        }
        let nonce = parameters.nonce;
        let message = *message;
        Ok(Self { message, input, encoded, key_id, algorithm, created, expires, nonce, agent })
    }

    /// The label of the signature.
    pub const fn label(&self) -> &'a [u8] {
        self.input.key
    }

    /// Writes the bytes that are signed.
    pub fn put_base(&self, sink: &mut (impl Sink + ?Sized)) -> Result<(), Reason> {
        put_base_of(&self.message, &self.input, sink)
    }

    /// Writes the bytes that are signed to a buffer; `None` if they do not fit.
    pub fn base<'b>(&self, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
        let mut sink = SliceSink::new(buffer);
        self.put_base(&mut sink).ok()?;
        let length = sink.length();
        buffer.get(..length)
    }

    /// The length of the decoded signature.
    pub(super) fn signature_len(&self) -> usize {
        base64::decode_padded(self.encoded, &mut []).unwrap_or(0)
    }

    /// Decodes the signature; `None` if the buffer is too small. That of RSA with 4096 bits has 512
    /// bytes.
    pub fn signature<'b>(&self, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
        let length = base64::decode_padded(self.encoded, buffer)?;
        buffer.get(..length)
    }
}

/// Finds a signature with the tag `web-bot-auth`.
fn find<'a>(message: &Message<'a>, index: usize) -> Result<Option<Member<'a>>, Reason> {
    let inputs = message.lines("signature-input")?;
    match (inputs.is_absent(), message.lines("signature")?.is_absent()) {
        (true, true) => return Err(Reason::Unsigned),
        (true, false) => return Err(Reason::InputMissing),
        (false, true) => return Err(Reason::SignatureMissing),
        (false, false) => {}
    }
    super::component::url_of(message)?;
    let (mut found, mut count, mut are_lists) = (None, 0_usize, true);
    let is_dictionary = inputs.members(|member| {
        are_lists &= items(member.value).is_some();
        let mut tags = pairs(member.parameters).filter(|(name, _)| *name == b"tag");
        if tags.any(|(_, value)| plain_string(value) == Some(b"web-bot-auth")) {
            if count == index {
                found = Some(member);
            }
            count = count.saturating_add(1);
        }
    });
    if !is_dictionary || !are_lists {
        return Err(Reason::MalformedInput);
    }
    if count > SIGNATURES {
        return Err(Reason::TooManySignatures);
    }
    match found {
        // Finds a label that occurs twice.
        Some(input) => inputs.member(input.key, Reason::MalformedInput),
        None => Ok(None),
    }
}

/// The signature with a label, in base64.
fn signature_of<'a>(lines: &Lines<'a>, label: &[u8]) -> Result<&'a [u8], Reason> {
    let member = lines.member(label, Reason::MalformedSignature)?;
    let value = member.ok_or(Reason::SignatureMissing)?.value;
    let encoded = value.strip_prefix(b":").and_then(|value| value.strip_suffix(b":"));
    encoded
        .filter(|encoded| base64::decode_padded(encoded, &mut []).is_some_and(|length| length > 0))
        .ok_or(Reason::MalformedSignature)
}

/// The parameters of a signature (RFC 9421 section 2.3).
#[derive(Default)]
struct Parameters<'a> {
    key_id: Option<&'a [u8]>,
    algorithm: Option<&'a [u8]>,
    nonce: Option<&'a [u8]>,
    created: Option<u64>,
    expires: Option<u64>,
}

impl<'a> Parameters<'a> {
    fn read(text: &'a [u8]) -> Result<Self, Reason> {
        let mut parameters = Self::default();
        for (index, (name, value)) in pairs(text).enumerate() {
            if index >= PARAMETERS {
                return Err(Reason::TooLarge);
            }
            if pairs(text).take(index).any(|(earlier, _)| earlier == name) {
                return Err(Reason::RepeatedParameter);
            }
            let number = || unsigned(value).ok_or(Reason::MalformedInput).map(Some);
            let string = || plain_string(value).ok_or(Reason::MalformedInput).map(Some);
            match name {
                b"keyid" => parameters.key_id = string()?,
                b"alg" => parameters.algorithm = string()?,
                b"nonce" => parameters.nonce = plain_string(value),
                b"created" => parameters.created = number()?,
                b"expires" => parameters.expires = number()?,
                _ => {}
            }
        }
        Ok(parameters)
    }
}
