//! Signatures of requests: reading, finding the key, and writing.

use agentsdisc_core::Document;
use agentsdisc_core::identity::{
    Algorithm, Claim, Header, Message, Options, Reason, Signing, find_key, put_base,
};

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
pub unsafe extern "C" fn nopanic_signing(signing: *const Signing<'static>) {
    // SAFETY: guaranteed by the caller.
    let signing = unsafe { *signing };
    signing.put_input(&mut |part: &[u8]| keep(part));
    signing.put_agent(&mut |part: &[u8]| keep(part));
}
