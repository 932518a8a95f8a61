//! The verdict about a request, with the keys and the cryptography of the caller.

use super::claim::{Claim, Options};
use super::key::{PublicKey, find_key};
use super::message::Message;
use super::reason::Reason;
use crate::format::signature_directory::SignatureDirectory;
use crate::sink::SliceSink;

/// What a site adds to the rules: its keys, and its cryptography.
pub trait Site<'k> {
    /// The keys among which the one of a signature must be. If they are those of an agent, they must come
    /// from `url`, which is that of [`Claim::agent`]; otherwise an agent could sign as another one.
    fn keys(&mut self, claim: &Claim<'_>, url: &[u8]) -> Result<SignatureDirectory<'k>, Reason>;

    /// Whether a key made a signature of the bytes `base`.
    fn fits(&mut self, key: &PublicKey<'k>, base: &[u8], signature: &[u8]) -> bool;

    /// Whether a key is accepted whose private part is in a specification.
    fn accepts_examples(&self) -> bool {
        false
    }
}

/// Whether an agent signed a request, and which.
#[derive(Clone, Copy, Debug)]
pub struct Verdict<'a> {
    /// [`Reason::Valid`], or why the signature is refused.
    pub reason: Reason,
    /// The signature, unless it breaks a rule. It proves something only if the reason is `Valid`.
    pub claim: Option<Claim<'a>>,
}

/// The bytes that a claim takes in the memory for a verdict.
fn size_of(claim: &Claim<'_>) -> usize {
    let mut size = 0_usize;
    let mut count = |part: &[u8]| size = size.saturating_add(part.len());
    if let Some(agent) = claim.agent {
        agent.put_url(&mut count);
    }
    let _ = claim.put_base(&mut count);
    size.saturating_add(claim.signature_len())
}

/// Verifies the signatures of a request, at most four: the first valid one counts, else the reason is
/// that of the first one.
///
/// `memory` holds the URL of the keys, the signed bytes and the signature; if it is too small, the error
/// is the number of bytes that are enough.
pub fn verify<'a, 'k>(
    message: &Message<'a>,
    options: &Options,
    memory: &mut [u8],
    site: &mut impl Site<'k>,
) -> Result<Verdict<'a>, usize> {
    let read = || (0..).map_while(|index| Claim::read(message, index, options));
    let needed = read().flatten().map(|claim| size_of(&claim)).max().unwrap_or(0);
    if needed > memory.len() {
        return Err(needed);
    }
    let mut first = None;
    for read in read() {
        let verdict = match read {
            Err(reason) => Verdict { reason, claim: None },
            Ok(claim) => {
                let reason = match reason_of(&claim, options, memory, site) {
                    Ok(()) => Reason::Valid,
                    // Only the cryptography makes a signature valid.
                    Err(Reason::Valid) => Reason::DirectoryFailed,
                    Err(reason) => reason,
                };
                Verdict { reason, claim: Some(claim) }
            }
        };
        if verdict.reason == Reason::Valid {
            return Ok(verdict);
        }
        first = first.or(Some(verdict));
    }
    Ok(first.unwrap_or(Verdict { reason: Reason::Unsigned, claim: None }))
}

/// Why a claim is refused.
fn reason_of<'k>(
    claim: &Claim<'_>,
    options: &Options,
    memory: &mut [u8],
    site: &mut impl Site<'k>,
) -> Result<(), Reason> {
    let (url, memory) = filled(memory, |sink| {
        if let Some(agent) = claim.agent {
            agent.put_url(sink);
        }
        Ok(())
    })?;
    let directory = site.keys(claim, url)?;
    let key = find_key(&directory, claim.key_id, claim.algorithm, options.now)?;
    if key.is_example && !site.accepts_examples() {
        return Err(Reason::KeyOfExamples);
    }
    let (base, memory) = filled(memory, |sink| claim.put_base(sink))?;
    let signature = claim.signature(memory).ok_or(Reason::TooLarge)?;
    if site.fits(&key, base, signature) { Ok(()) } else { Err(Reason::WrongSignature) }
}

/// Writes to the start of a buffer. Returns what was written, and the rest of the buffer.
fn filled(
    buffer: &mut [u8],
    write: impl FnOnce(&mut SliceSink<'_>) -> Result<(), Reason>,
) -> Result<(&[u8], &mut [u8]), Reason> {
    let mut sink = SliceSink::new(buffer);
    write(&mut sink)?;
    let length = sink.length();
    let (front, back) = buffer.split_at_mut_checked(length).ok_or(Reason::TooLarge)?;
    Ok((front, back))
}
