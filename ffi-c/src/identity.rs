//! Requests that an agent signs and a site checks (Web Bot Auth, RFC 9421). The cryptography is the
//! caller's.

use core::ffi::{c_char, c_void};
use core::mem::size_of;
use core::ptr;

use agentsdisc_core::format::signature_directory::SignatureDirectory;
use agentsdisc_core::identity::{
    AgentKind, Algorithm, CardKeys, Claim, Header, Message, Options, PublicKey, Reason, Signing,
    Site, Verdict, card_keys, verify,
};
use agentsdisc_core::syntax::text::Text;

use crate::boundary::{
    Buffer, bytes, c_text, checked, ended, growing, options, put, room, write_out,
};
use crate::document::{agd_document, document_of};
use crate::enumerations::is_true;
use crate::http_header::agd_http_header;
use crate::output_buffer::OutputBuffer;
use crate::status::{
    AGD_ERROR_BUFFER_TOO_SMALL, AGD_ERROR_CAPACITY_EXCEEDED, AGD_ERROR_NULL, AGD_ERROR_REFUSED,
    AGD_ERROR_WRONG_FORMAT, AGD_NONE, AGD_OK, AGD_SOME, agd_status,
};
use crate::text::agd_text;
use crate::verdict::{AGD_VERDICT_UNKNOWN, verdict_number};

/// The algorithm is not stated, or newer than this list.
pub const AGD_ALGORITHM_UNKNOWN: i32 = 0;
/// Ed25519. A public key is the member `x`, a signature has 64 bytes.
pub const AGD_ALGORITHM_ED25519: i32 = 1;
/// ECDSA on the curve P-256 with SHA-256. A signature is r and s, 32 bytes each.
pub const AGD_ALGORITHM_ECDSA_P256: i32 = 2;
/// ECDSA on the curve P-384 with SHA-384. A signature is r and s, 48 bytes each.
pub const AGD_ALGORITHM_ECDSA_P384: i32 = 3;
/// RSASSA-PSS with SHA-512 and a salt of 64 bytes.
pub const AGD_ALGORITHM_RSA_PSS: i32 = 4;
/// RSASSA-PKCS1-v1_5 with SHA-256.
pub const AGD_ALGORITHM_RSA_V15: i32 = 5;

/// The request does not name an agent.
pub const AGD_AGENT_NONE: i32 = 0;
/// The URL is that of a directory of keys.
pub const AGD_AGENT_DIRECTORY: i32 = 1;
/// The URL has the keys.
pub const AGD_AGENT_JWKS_URI: i32 = 2;
/// The URL has a card, a Client ID Metadata Document, with the keys or their URL: agd_card_keys.
pub const AGD_AGENT_CIMD: i32 = 3;

/// The maximum number of fields that a signature covers in addition.
pub const AGD_SIGNED_FIELDS_MAX: usize = 26;

/// A request that is signed, or is to be. Initialise it with AGD_INIT. It borrows the texts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_http_request {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The method, such as `GET`.
    pub method: agd_text,
    /// The whole URL. At a site, its authority is the name of the site, never what the field Host
    /// says: otherwise a signature for another site would be valid.
    pub url: agd_text,
    /// The fields in their order; NULL if there are none. A request with more than 256 is refused.
    pub headers: *const agd_http_header,
    /// Number of elements.
    pub header_count: usize,
}

/// How an agent signs a request. Initialise it with AGD_INIT. It borrows the texts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_signing {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The label of the signature; absent for `sig1`.
    pub label: agd_text,
    /// The thumbprint of the key (RFC 7638) in base64url.
    pub key_id: agd_text,
    /// Where the key is published: an origin with a directory, or the https URL of a set of keys;
    /// absent if the sites know the key.
    pub agent: agd_text,
    /// A text that no other signature has, in base64; absent for none.
    pub nonce: agd_text,
    /// When the signature is made, in seconds since 1970.
    pub created: u64,
    /// When it expires.
    pub expires: u64,
    /// The names of `field_count` fields that the signature also covers, in lower case, at most
    /// AGD_SIGNED_FIELDS_MAX; may be NULL if there are none. The request must have them.
    pub fields: *const agd_text,
    /// Number of elements.
    pub field_count: usize,
}

/// What an agent sends and signs. Initialise it with AGD_INIT. It borrows your buffer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_signed {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The value of the field Signature-Input.
    pub input: agd_text,
    /// The value of the field Signature-Agent; absent without an agent.
    pub agent: agd_text,
    /// The bytes to sign: the signature base.
    pub base: agd_text,
    /// Why the request cannot be signed, after AGD_ERROR_REFUSED: AGD_VERDICT_*.
    pub reason: i32,
    /// Reserved; zero.
    pub reserved: i32,
}

/// The public key with which a signature is verified. It borrows the directory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_public_key {
    /// Size of the struct in bytes.
    pub size: usize,
    /// The algorithm of the signature: AGD_ALGORITHM_*.
    pub algorithm: i32,
    /// Reserved; zero.
    pub reserved: i32,
    /// The key as a JSON Web Key: a JSON object.
    pub jwk: agd_text,
    /// Its member `x` (Ed25519, ECDSA). Decode members with agd_key_octets; absent ones are absent.
    pub x: agd_text,
    /// Its member `y` (ECDSA).
    pub y: agd_text,
    /// Its member `n` (RSA).
    pub n: agd_text,
    /// Its member `e` (RSA).
    pub e: agd_text,
}

/// Returns the parsed directory of keys (AGD_FORMAT_SIGNATURE_DIRECTORY) of an agent, or NULL if it
/// cannot be fetched. `url` is the URL of the keys, and `kind` what it has: AGD_AGENT_DIRECTORY,
/// _JWKS_URI or _CIMD; `key_id` is the thumbprint of the key. `user` is that of the site.
///
/// Return only keys that come from `url`, over https and without redirects: the keys decide who has
/// signed. The directory and its bytes must stay until agd_verify returns. The callback must return:
/// no exception and no longjmp through the library.
pub type agd_keys_callback = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        url: agd_text,
        kind: i32,
        key_id: agd_text,
    ) -> *const agd_document,
>;

/// Returns whether a key made a signature of the bytes `base`; `user` is that of the site. False is
/// the answer to every doubt, such as a key that is too short. The callback must return: no exception
/// and no longjmp through the library.
pub type agd_fits_callback = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        key: *const agd_public_key,
        base: agd_text,
        signature: agd_text,
    ) -> bool,
>;

/// What a site accepts. Initialise it with AGD_INIT. Set `now`, `fits`, and `keys` or `find`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_verifier {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// The time, in seconds since 1970.
    pub now: u64,
    /// For how many seconds a signature may be valid; 0 for any number.
    pub longest: u64,
    /// By how many seconds the clock of an agent may be ahead; 0 for the default, 10; AGD_UNSAID for
    /// none.
    pub skew: i64,
    /// The keys that are accepted, whatever agent a request names: a parsed
    /// AGD_FORMAT_SIGNATURE_DIRECTORY. NULL to ask `find`.
    pub keys: *const agd_document,
    /// Finds the keys of the agent that a request names. Used only if `keys` is NULL.
    pub find: agd_keys_callback,
    /// The cryptography.
    pub fits: agd_fits_callback,
    /// Passed to the callbacks.
    pub user: *mut c_void,
    /// AGD_TRUE to accept, from `find`, the keys that specifications publish with their private parts.
    pub examples: i32,
    /// Reserved; zero.
    pub reserved: i32,
}

/// Whether an agent has signed a request. Initialise it with AGD_INIT. The members behind `reason` say
/// what the request claims, and prove nothing unless the reason is AGD_VERDICT_VALID. It borrows the
/// request and your buffer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_verdict {
    /// Size of the struct in bytes, set by AGD_INIT.
    pub size: usize,
    /// AGD_VERDICT_VALID, or why the signature is refused: AGD_VERDICT_*.
    pub reason: i32,
    /// What the URL of the agent has: AGD_AGENT_*.
    pub kind: i32,
    /// Who signed, in the one form that all spellings have: the URL of the keys without a query;
    /// absent without an agent. With `keys` of the verifier, only `key_id` says who signed.
    pub agent: agd_text,
    /// The thumbprint of the key that the signature names.
    pub key_id: agd_text,
    /// The nonce; absent if there is none without escapes.
    pub nonce: agd_text,
    /// The signed bytes. A site that accepts each signature once remembers them, with `key_id`, until
    /// `expires`.
    pub base: agd_text,
    /// When the signature was made, in seconds since 1970.
    pub created: u64,
    /// When it expires.
    pub expires: u64,
}

growing! { agd_http_request, agd_signing, agd_signed, agd_public_key, agd_verifier, agd_verdict, }

const NO_REQUEST: agd_http_request = agd_http_request {
    size: size_of::<agd_http_request>(),
    method: agd_text::ABSENT,
    url: agd_text::ABSENT,
    headers: ptr::null(),
    header_count: 0,
};

const NO_SIGNING: agd_signing = agd_signing {
    size: size_of::<agd_signing>(),
    label: agd_text::ABSENT,
    key_id: agd_text::ABSENT,
    agent: agd_text::ABSENT,
    nonce: agd_text::ABSENT,
    created: 0,
    expires: 0,
    fields: ptr::null(),
    field_count: 0,
};

const NO_VERIFIER: agd_verifier = agd_verifier {
    size: size_of::<agd_verifier>(),
    now: 0,
    longest: 0,
    skew: 0,
    keys: ptr::null(),
    find: None,
    fits: None,
    user: ptr::null_mut(),
    examples: 0,
    reserved: 0,
};

const NOT_SIGNED: agd_signed = agd_signed {
    size: size_of::<agd_signed>(),
    input: agd_text::ABSENT,
    agent: agd_text::ABSENT,
    base: agd_text::ABSENT,
    reason: AGD_VERDICT_UNKNOWN,
    reserved: 0,
};

const NO_VERDICT: agd_verdict = agd_verdict {
    size: size_of::<agd_verdict>(),
    reason: AGD_VERDICT_UNKNOWN,
    kind: AGD_AGENT_NONE,
    agent: agd_text::ABSENT,
    key_id: agd_text::ABSENT,
    nonce: agd_text::ABSENT,
    base: agd_text::ABSENT,
    created: 0,
    expires: 0,
};

/// One more than a request may have, so that the core refuses it.
const HEADERS: usize = 257;
const NO_HEADER: Header<'static> = Header { name: b"", value: b"" };

/// Reads a request; its headers into `headers`.
///
/// # Safety
/// The request is readable, with the headers that it counts.
unsafe fn message_of<'h>(
    request: *const agd_http_request,
    headers: &'h mut [Header<'static>; HEADERS],
) -> Result<Message<'h>, agd_status> {
    // SAFETY: the contract is the same.
    let given = unsafe { options(checked(request)?, NO_REQUEST)? };
    if given.header_count != 0 {
        checked(given.headers)?;
    }
    let count = given.header_count.min(HEADERS);
    for (index, place) in headers.iter_mut().take(count).enumerate() {
        // SAFETY: the index is below the count of an array that is readable by the contract.
        *place = unsafe {
            let header = given.headers.add(index).read();
            Header { name: header.name.raw()?, value: header.value.raw()? }
        };
    }
    // SAFETY: the contract is the same.
    let (method, url) = unsafe { (given.method.raw()?, given.url.raw()?) };
    Ok(Message::new(method, url, headers.get(..count).unwrap_or_default()))
}

/// A text of bytes that C keeps.
fn plain(bytes: &[u8]) -> agd_text {
    agd_text::of(Text::plain(bytes))
}

/// Writes the fields Signature-Input and Signature-Agent and the bytes to sign. Sign the bytes, write
/// the field Signature with agd_signature_field, and send the request with the fields.
///
/// The signature covers authority, method, path and query, so it is worth nothing for another request.
///
/// `request`, `signing` and `signed` must not be NULL, and must be initialised (AGD_INIT). `buffer` has
/// room for `capacity` bytes; it may be NULL if `capacity` is 0, to query the size. `needed`, if not
/// NULL, receives the number of bytes that the buffer must have.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_REFUSED if the request cannot be signed, and
/// `signed` has the reason; AGD_ERROR_CAPACITY_EXCEEDED for too many fields; or another negative status
/// for misuse. Thread-safe if the buffer is not shared; linear in the request for each covered field;
/// about 10 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_sign(
    request: *const agd_http_request,
    signing: *const agd_signing,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    signed: *mut agd_signed,
) -> agd_status {
    // SAFETY: the caller promises a readable request and signing, a buffer in sole use, and writable
    // outputs.
    ended(unsafe { sign(request, signing, (buffer, capacity), needed, signed) })
}

/// # Safety
/// That of `agd_sign`.
unsafe fn sign(
    request: *const agd_http_request,
    given: *const agd_signing,
    (start, capacity): (*mut c_char, usize),
    needed: *mut usize,
    signed: *mut agd_signed,
) -> Result<agd_status, agd_status> {
    let mut headers = [NO_HEADER; HEADERS];
    let mut fields = [""; AGD_SIGNED_FIELDS_MAX];
    // SAFETY: the contract is the same.
    let (message, given, room, mut buffer) = unsafe {
        (
            message_of(request, &mut headers)?,
            options(checked(given)?, NO_SIGNING)?,
            room(signed)?,
            Buffer::new(start, capacity)?,
        )
    };
    if given.field_count != 0 {
        checked(given.fields)?;
    }
    let fields = fields.get_mut(..given.field_count).ok_or(AGD_ERROR_CAPACITY_EXCEEDED)?;
    for (index, field) in fields.iter_mut().enumerate() {
        // SAFETY: the index is below the count of an array that is readable by the contract.
        *field = unsafe { given.fields.add(index).read().string()?.ok_or(AGD_ERROR_NULL)? };
    }
    // SAFETY: the contract is the same.
    let signing = unsafe {
        Signing {
            label: given.label.string()?.unwrap_or("sig1"),
            fields,
            created: given.created,
            expires: given.expires,
            key_id: given.key_id.string()?.ok_or(AGD_ERROR_NULL)?,
            algorithm: None,
            nonce: given.nonce.string()?,
            agent: given.agent.string()?,
        }
    };
    let mut made = NOT_SIGNED;
    if let Err(reason) = signing.put_base(&message, &mut |_: &[u8]| {}) {
        made.reason = verdict_number(reason);
        // SAFETY: the contract is the same.
        unsafe {
            write_out(needed, 0)?;
            put(signed, room, made);
        }
        return Err(AGD_ERROR_REFUSED);
    }
    signing.put_input(&mut buffer);
    let input = buffer.length();
    if signing.agent.is_some() {
        signing.put_agent(&mut buffer);
    }
    let agent = buffer.length();
    // It was written before, so it does not fail.
    let _ = signing.put_base(&message, &mut buffer);
    let size = buffer.length();
    let is_whole = size <= capacity;
    if is_whole {
        // SAFETY: the texts are in the buffer.
        let part = |from: usize, to: usize| unsafe {
            agd_text { ptr: start.add(from), len: to - from, flags: 0 }
        };
        made.input = part(0, input);
        made.base = part(agent, size);
        if signing.agent.is_some() {
            made.agent = part(input, agent);
        }
    }
    // SAFETY: the contract is the same.
    unsafe {
        write_out(needed, size)?;
        put(signed, room, made);
    }
    if is_whole { Ok(AGD_OK) } else { Err(AGD_ERROR_BUFFER_TOO_SMALL) }
}

/// Writes the value of the field Signature, NUL-terminated.
///
/// `label` is that of the signing, absent for `sig1`. `signature` has `signature_length` bytes, and must
/// not be NULL. Buffer and `length` work as in agd_text_decode. Returns AGD_OK,
/// AGD_ERROR_BUFFER_TOO_SMALL, or another negative status for misuse. Thread-safe if the buffer is not
/// shared; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_signature_field(
    label: agd_text,
    signature: *const u8,
    signature_length: usize,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises readable texts, a buffer in sole use, and a length that is NULL or
    // writable.
    ended(unsafe {
        Buffer::new(buffer, capacity).and_then(|mut buffer| {
            let label = label.string()?.unwrap_or("sig1");
            let signature = bytes(checked(signature)?, signature_length)?;
            Signing::put_signature(label, signature, &mut buffer);
            buffer.finish(length)
        })
    })
}

/// Decodes a member of a public key: base64url.
///
/// `octets` has room for `capacity` bytes. `length`, if not NULL, receives the number of bytes. Returns
/// AGD_OK; AGD_NONE if the member is absent or no base64url; AGD_ERROR_BUFFER_TOO_SMALL; or another
/// negative status for misuse. Thread-safe; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_key_octets(
    member: agd_text,
    octets: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> agd_status {
    // SAFETY: the caller promises a readable text, a buffer in sole use, and a length that is NULL or
    // writable.
    ended(unsafe {
        OutputBuffer::new(octets.cast(), capacity).and_then(|buffer| {
            let Some(member) = member.get()? else {
                return Ok(AGD_NONE);
            };
            let Some(size) = PublicKey::octets(member, buffer.bytes()) else {
                return Ok(AGD_NONE);
            };
            write_out(length, size)?;
            if size <= capacity { Ok(AGD_OK) } else { Err(AGD_ERROR_BUFFER_TOO_SMALL) }
        })
    })
}

/// The keys and the cryptography of C.
struct OfC<'r>(&'r agd_verifier);

impl Site<'static> for OfC<'_> {
    fn keys(
        &mut self,
        claim: &Claim<'_>,
        url: &[u8],
    ) -> Result<SignatureDirectory<'static>, Reason> {
        let mut document = self.0.keys;
        if document.is_null() {
            let agent = claim.agent.ok_or(Reason::AgentMissing)?;
            let (find, kind) = (self.0.find.ok_or(Reason::DirectoryFailed)?, kind_of(agent.kind));
            if kind == AGD_AGENT_NONE {
                return Err(Reason::AgentType);
            }
            // SAFETY: the caller of `agd_verify` promises that the callback can be called.
            document = unsafe { find(self.0.user, plain(url), kind, plain(claim.key_id)) };
        }
        if document.is_null() {
            return Err(Reason::DirectoryFailed);
        }
        // SAFETY: the caller promises a readable document.
        let document = unsafe { document_of(document) }.map_err(|_| Reason::DirectoryInvalid)?;
        document.signature_directory().ok_or(Reason::DirectoryInvalid)
    }

    fn fits(&mut self, key: &PublicKey<'static>, base: &[u8], signature: &[u8]) -> bool {
        let member = |name: &str| {
            let found = key.members().into_iter().find(|(own, _)| *own == name);
            found.and_then(|(_, value)| value).into()
        };
        let key = agd_public_key {
            size: size_of::<agd_public_key>(),
            algorithm: algorithm_number(key.algorithm),
            reserved: 0,
            jwk: plain(key.jwk()),
            x: member("x"),
            y: member("y"),
            n: member("n"),
            e: member("e"),
        };
        // SAFETY: the caller of `agd_verify` promises that the callback can be called.
        self.0.fits.is_some_and(|fits| unsafe {
            fits(self.0.user, &raw const key, plain(base), plain(signature))
        })
    }

    fn accepts_examples(&self) -> bool {
        !self.0.keys.is_null() || self.0.examples == 1
    }
}

/// Verifies the signatures of a request: the rules, the key, and by a callback the cryptography. Every
/// doubt is a verdict that is not valid. Of several signatures, at most four, the first valid one
/// counts.
///
/// The library remembers no signatures: a site that accepts each one once compares `base` and `key_id`
/// of the verdict with those that it has accepted.
///
/// `request`, `verifier` and `verdict` must not be NULL, and must be initialised (AGD_INIT). `buffer`
/// has room for `capacity` bytes, and holds the signed bytes; it may be NULL if `capacity` is 0, to query
/// the size. `needed`, if not NULL, receives the number of bytes that the buffer must have.
///
/// Returns AGD_OK, also for a signature that is not valid; AGD_ERROR_BUFFER_TOO_SMALL;
/// AGD_ERROR_WRONG_FORMAT if `keys` has another format; or another negative status for misuse.
/// Thread-safe if callbacks and buffer are; linear in the request for each covered field, and in the
/// directory; about 12 KB of stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_verify(
    request: *const agd_http_request,
    verifier: *const agd_verifier,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    verdict: *mut agd_verdict,
) -> agd_status {
    // SAFETY: the caller promises a readable request and verifier, callbacks that can be called, a
    // buffer in sole use, and writable outputs.
    ended(unsafe { judge(request, verifier, (buffer, capacity), needed, verdict) })
}

/// # Safety
/// That of `agd_verify`.
unsafe fn judge(
    request: *const agd_http_request,
    given: *const agd_verifier,
    (start, capacity): (*mut c_char, usize),
    needed: *mut usize,
    verdict: *mut agd_verdict,
) -> Result<agd_status, agd_status> {
    let mut headers = [NO_HEADER; HEADERS];
    // SAFETY: the contract is the same.
    let (message, given, room, buffer) = unsafe {
        (
            message_of(request, &mut headers)?,
            options(checked(given)?, NO_VERIFIER)?,
            room(verdict)?,
            OutputBuffer::new(start, capacity)?.bytes(),
        )
    };
    if given.fits.is_none() || given.keys.is_null() && given.find.is_none() {
        return Err(AGD_ERROR_NULL);
    }
    if !given.keys.is_null() {
        // SAFETY: the contract is the same.
        let document = unsafe { document_of(given.keys)? };
        document.signature_directory().ok_or(AGD_ERROR_WRONG_FORMAT)?;
    }
    is_true(given.examples)?;
    let usual = Options::at(given.now);
    let how = Options {
        longest: (given.longest != 0).then_some(given.longest),
        skew: if given.skew == 0 { usual.skew } else { u64::try_from(given.skew).unwrap_or(0) },
        ..usual
    };
    let made = match verify(&message, &how, buffer, &mut OfC(&given)) {
        Ok(made) => made,
        Err(size) => {
            // SAFETY: the contract is the same.
            unsafe { write_out(needed, size)? };
            return Err(AGD_ERROR_BUFFER_TOO_SMALL);
        }
    };
    // SAFETY: the contract is the same; the core has released the buffer.
    unsafe {
        let (filled, size) = verdict_of(&made, Buffer::new(start, capacity)?, start);
        write_out(needed, size)?;
        put(verdict, room, filled);
    }
    Ok(AGD_OK)
}

/// The C form of a verdict, and the number of bytes that it takes in the buffer.
///
/// # Safety
/// The buffer begins at `start`, and has room for what the core wrote to it.
unsafe fn verdict_of(
    made: &Verdict<'_>,
    mut buffer: Buffer,
    start: *mut c_char,
) -> (agd_verdict, usize) {
    let mut filled = agd_verdict { reason: verdict_number(made.reason), ..NO_VERDICT };
    let Some(claim) = made.claim else {
        return (filled, 0);
    };
    if let Some(agent) = claim.agent {
        agent.put_identifier(&mut buffer);
        filled.kind = kind_of(agent.kind);
        filled.agent = agd_text { ptr: start, len: buffer.length(), flags: 0 };
    }
    let from = buffer.length();
    // The claim was read, so its base can be written.
    let _ = claim.put_base(&mut buffer);
    // SAFETY: the base is in the buffer.
    let base = unsafe { start.add(from) };
    filled.base = agd_text { ptr: base, len: buffer.length() - from, flags: 0 };
    filled.key_id = plain(claim.key_id);
    filled.nonce = claim.nonce.map_or(agd_text::ABSENT, plain);
    (filled.created, filled.expires) = (claim.created, claim.expires);
    (filled, buffer.length())
}

/// Finds the keys in a card that was fetched from the URL of an AGD_AGENT_CIMD.
///
/// `url` is the URL that agd_keys_callback was given; a card counts only for the URL that it names. If
/// the keys are in the card, `keys` receives them: bytes of the card, to be parsed as
/// AGD_FORMAT_SIGNATURE_DIRECTORY. If they have a URL, `url_of_keys` receives it, in `buffer`, which needs
/// as many bytes as the card; fetch it like the card. The other text is then absent.
///
/// `card`, `keys` and `url_of_keys` must not be NULL. Returns AGD_SOME; AGD_NONE if the card is not valid
/// or has no keys; AGD_ERROR_BUFFER_TOO_SMALL if the buffer is smaller than the card; or another negative
/// status for misuse. Thread-safe if the buffer is not shared; linear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn agd_card_keys(
    card: agd_text,
    url: agd_text,
    buffer: *mut c_char,
    capacity: usize,
    keys: *mut agd_text,
    url_of_keys: *mut agd_text,
) -> agd_status {
    // SAFETY: the caller promises readable texts, a buffer in sole use, and writable outputs.
    ended(unsafe {
        OutputBuffer::new(buffer, capacity).and_then(|space| {
            checked(keys)?;
            checked(url_of_keys)?;
            let (card, url) = (card.raw()?, url.raw()?);
            if card.is_empty() {
                return Err(AGD_ERROR_NULL);
            }
            if capacity < card.len() {
                return Err(AGD_ERROR_BUFFER_TOO_SMALL);
            }
            let (mut here, mut at) = (agd_text::ABSENT, agd_text::ABSENT);
            match card_keys(card, url, space.bytes()) {
                Ok(CardKeys::Here(found)) => here = plain(found),
                Ok(CardKeys::At(agent)) => at = plain(agent.as_str().as_bytes()),
                Err(_) => return Ok(AGD_NONE),
            }
            keys.write(here);
            url_of_keys.write(at);
            Ok(AGD_SOME)
        })
    })
}

fn kind_of(kind: AgentKind) -> i32 {
    match kind {
        AgentKind::Directory => AGD_AGENT_DIRECTORY,
        AgentKind::JwksUri => AGD_AGENT_JWKS_URI,
        AgentKind::Cimd => AGD_AGENT_CIMD,
        _ => AGD_AGENT_NONE,
    }
}

/// Defines number and name of each algorithm.
macro_rules! algorithms {
    ($($constant:ident = $algorithm:ident,)*) => {
        fn algorithm_number(algorithm: Algorithm) -> i32 {
            match algorithm {
                $(Algorithm::$algorithm => $constant,)*
                _ => AGD_ALGORITHM_UNKNOWN,
            }
        }

        fn algorithm_name(number: i32) -> *const c_char {
            match number {
                $($constant => c_text!(Algorithm::$algorithm.as_str()),)*
                _ => c"unknown".as_ptr(),
            }
        }
    };
}

algorithms! {
    AGD_ALGORITHM_ED25519 = Ed25519,
    AGD_ALGORITHM_ECDSA_P256 = EcdsaP256,
    AGD_ALGORITHM_ECDSA_P384 = EcdsaP384,
    AGD_ALGORITHM_RSA_PSS = RsaPss,
    AGD_ALGORITHM_RSA_V15 = RsaV15,
}

/// Returns the name of an algorithm (AGD_ALGORITHM_*) in the registry of RFC 9421, NUL-terminated,
/// such as `ed25519`; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_algorithm_name(algorithm: i32) -> *const c_char {
    algorithm_name(algorithm)
}
