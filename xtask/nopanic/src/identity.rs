//! Signatures of requests: reading, finding the key, and writing.

use agentsdisc_core::Document;
use agentsdisc_core::format::signature_directory::SignatureDirectory;
use agentsdisc_core::identity::{
    Algorithm, CardKeys, Claim, Header, Message, Options, PublicKey, Reason, Signing, Site,
    card_keys, find_key, lifetime, put_base, verify,
};
use agentsdisc_core::syntax::text::Text;

use crate::{buffer, bytes, keep, show};

/// # Safety
/// The pointers must point to what they say: `url` to the given number of bytes, `headers` to the given
/// number of fields, `keys` to a document with any outline, `out` to writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_identity(
    url: *const u8,
    length: usize,
    headers: *const Header<'static>,
    count: usize,
    keys: *const Document<'static>,
    options: *const Options,
    index: usize,
    out: *mut u8,
    size: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (url, options, keys) = unsafe { (bytes(url, length), *options, *keys) };
    // SAFETY: guaranteed by the caller.
    let headers = unsafe { core::slice::from_raw_parts(headers, count) };
    // SAFETY: guaranteed by the caller.
    let out = unsafe { buffer(out, size) };
    let answer = (index > 4).then_some(headers);
    let message = Message { answer, ..Message::new(url, url, headers) };
    keep(put_base(&message, url, &mut |part: &[u8]| keep(part)));
    keep(Options::at(options.now));
    let claim = match Claim::read(&message, index, &options) {
        Some(Ok(claim)) => claim,
        Some(Err(reason)) => return show(reason),
        None => return keep(Reason::ALL),
    };
    keep(claim.put_base(&mut |part: &[u8]| keep(part)));
    keep((claim.label(), claim.base(out).is_some()));
    keep(claim.signature(out));
    if let Some(agent) = claim.agent {
        keep((agent.as_str(), agent.kind.as_str()));
        agent.put_url(&mut |part: &[u8]| keep(part));
        agent.put_identifier(&mut |part: &[u8]| keep(part));
    }
    let Some(directory) = keys.signature_directory() else {
        return;
    };
    directory.keys().for_each(|key| keep(key.thumbprint()));
    match find_key(&directory, claim.key_id, Algorithm::named(url), options.now) {
        Ok(key) => keep((key.algorithm.as_str(), key.jwk(), key.members())),
        Err(reason) => keep((reason.as_str(), reason.message())),
    }
}

/// # Safety
/// `signing` must point to what is signed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_signing(
    signing: *const Signing<'static>,
    message: *const Message<'static>,
) {
    // SAFETY: guaranteed by the caller.
    let (signing, message) = unsafe { (*signing, *message) };
    keep(signing.put_base(&message, &mut |part: &[u8]| keep(part)));
    Signing::put_signature(signing.label, message.url, &mut |part: &[u8]| keep(part));
    signing.put_input(&mut |part: &[u8]| keep(part));
    signing.put_agent(&mut |part: &[u8]| keep(part));
}

/// Keys and cryptography that the linker cannot foresee.
struct Any(Option<SignatureDirectory<'static>>, bool);

impl Site<'static> for Any {
    fn keys(
        &mut self,
        claim: &Claim<'_>,
        url: &[u8],
    ) -> Result<SignatureDirectory<'static>, Reason> {
        keep((claim.key_id, url));
        self.0.ok_or(Reason::DirectoryFailed)
    }

    fn fits(&mut self, key: &PublicKey<'static>, base: &[u8], signature: &[u8]) -> bool {
        keep((key.algorithm.as_str(), base, signature));
        self.1
    }
}

/// # Safety
/// `card` must point to the given number of bytes, `message`, `options` and `keys` to what they say, `out`
/// to writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nopanic_verify(
    card: *const u8,
    length: usize,
    message: *const Message<'static>,
    options: *const Options,
    keys: *const Document<'static>,
    out: *mut u8,
    size: usize,
) {
    // SAFETY: guaranteed by the caller.
    let (card, message, options, keys) =
        unsafe { (bytes(card, length), *message, *options, *keys) };
    // SAFETY: guaranteed by the caller.
    let out = unsafe { buffer(out, size) };
    let mut site = Any(keys.signature_directory(), size > 9);
    match verify(&message, &options, out, &mut site) {
        Ok(verdict) => keep((verdict.reason.as_str(), verdict.claim.is_some())),
        Err(needed) => keep(needed),
    }
    keep(PublicKey::octets(Text::plain(card), out));
    keep(lifetime(card.split(|octet| *octet == b'\n')));
    match card_keys(card, message.url, out) {
        Ok(CardKeys::Here(keys)) => keep(keys),
        Ok(CardKeys::At(agent)) => agent.put_url(&mut |part: &[u8]| keep(part)),
        Err(reason) => keep(reason.as_str()),
    }
}
