//! Why a signed request is accepted or refused: the C numbers of the core's reasons.

use core::ffi::c_char;

use agentsdisc_core::identity::Reason;

use crate::boundary::{c_text, reasons};

/// A reason that is newer than this list. docs/reasons.md explains each reason.
pub const AGD_VERDICT_UNKNOWN: i32 = 0;
/// The signature is valid, and a key of the agent made it.
pub const AGD_VERDICT_VALID: i32 = 1;
/// The request has neither Signature nor Signature-Input.
pub const AGD_VERDICT_UNSIGNED: i32 = 2;
/// The field Signature is absent, or has no signature with this label.
pub const AGD_VERDICT_SIGNATURE_MISSING: i32 = 3;
/// The field Signature-Input is absent.
pub const AGD_VERDICT_SIGNATURE_INPUT_MISSING: i32 = 4;
/// The method or the URL of the request is not valid.
pub const AGD_VERDICT_MALFORMED_REQUEST: i32 = 5;
/// The field Signature is not a dictionary of byte sequences.
pub const AGD_VERDICT_MALFORMED_SIGNATURE: i32 = 6;
/// The field Signature-Input is not a dictionary of lists of components.
pub const AGD_VERDICT_MALFORMED_SIGNATURE_INPUT: i32 = 7;
/// The field Signature-Agent is neither a dictionary of URLs nor a URL.
pub const AGD_VERDICT_MALFORMED_SIGNATURE_AGENT: i32 = 8;
/// A covered field has a character that no signature can cover, or is not the dictionary that the
/// signature takes it for.
pub const AGD_VERDICT_MALFORMED_FIELD: i32 = 9;
/// A field of the signature exceeds 16 KiB, the request has more than 256 fields, or the signature
/// covers more than 32 components or has more than 32 parameters.
pub const AGD_VERDICT_TOO_LARGE: i32 = 10;
/// The request has more than four signatures of agents.
pub const AGD_VERDICT_TOO_MANY_SIGNATURES: i32 = 11;
/// A label or a member occurs twice, so it is not clear which one is meant.
pub const AGD_VERDICT_REPEATED_LABEL: i32 = 12;
/// The signature covers a component twice.
pub const AGD_VERDICT_REPEATED_COMPONENT: i32 = 13;
/// A parameter occurs twice.
pub const AGD_VERDICT_REPEATED_PARAMETER: i32 = 14;
/// No signature has the tag web-bot-auth.
pub const AGD_VERDICT_TAG_NOT_WEB_BOT_AUTH: i32 = 15;
/// The signature covers a component, or a form of one, that is not supported.
pub const AGD_VERDICT_UNSUPPORTED_COMPONENT: i32 = 16;
/// The request lacks a component that the signature covers.
pub const AGD_VERDICT_COMPONENT_MISSING: i32 = 17;
/// The signature covers neither @authority nor @target-uri, so it would be valid for every site.
pub const AGD_VERDICT_AUTHORITY_NOT_COVERED: i32 = 18;
/// The request does not say where the keys of the agent are.
pub const AGD_VERDICT_AGENT_MISSING: i32 = 19;
/// The signature does not cover Signature-Agent.
pub const AGD_VERDICT_AGENT_NOT_COVERED: i32 = 20;
/// The signature covers several members of Signature-Agent, and none has its label.
pub const AGD_VERDICT_AGENT_AMBIGUOUS: i32 = 21;
/// The URL in Signature-Agent is not an https URL.
pub const AGD_VERDICT_AGENT_NOT_HTTPS: i32 = 22;
/// The URL of a directory has more than scheme, host and port.
pub const AGD_VERDICT_AGENT_NOT_AN_ORIGIN: i32 = 23;
/// The type of the member of Signature-Agent is not supported.
pub const AGD_VERDICT_UNSUPPORTED_AGENT_TYPE: i32 = 24;
/// The signature does not say when it was made.
pub const AGD_VERDICT_CREATED_MISSING: i32 = 25;
/// The signature does not say when it expires.
pub const AGD_VERDICT_EXPIRES_MISSING: i32 = 26;
/// The signature does not name its key.
pub const AGD_VERDICT_KEY_ID_MISSING: i32 = 27;
/// The signature was made in the future.
pub const AGD_VERDICT_NOT_YET_VALID: i32 = 28;
/// The signature has expired.
pub const AGD_VERDICT_EXPIRED: i32 = 29;
/// The signature expires before it was made.
pub const AGD_VERDICT_EXPIRES_BEFORE_CREATED: i32 = 30;
/// The signature is valid for longer than the site accepts.
pub const AGD_VERDICT_LIFETIME_TOO_LONG: i32 = 31;
/// The algorithm is unknown, not accepted, or not stated.
pub const AGD_VERDICT_UNKNOWN_ALGORITHM: i32 = 32;
/// The signature, the key and its type disagree about the algorithm.
pub const AGD_VERDICT_ALGORITHM_MISMATCH: i32 = 33;
/// The agent has no key with this thumbprint.
pub const AGD_VERDICT_UNKNOWN_KEY: i32 = 34;
/// The validity of the key begins later.
pub const AGD_VERDICT_KEY_NOT_YET_VALID: i32 = 35;
/// The validity of the key has ended.
pub const AGD_VERDICT_KEY_EXPIRED: i32 = 36;
/// The key is incomplete, or not meant for signatures.
pub const AGD_VERDICT_KEY_UNUSABLE: i32 = 37;
/// The private part of the key is published, so everybody can sign with it.
pub const AGD_VERDICT_KEY_PRIVATE: i32 = 38;
/// The key is an example of a specification, whose private part is published.
pub const AGD_VERDICT_KEY_OF_EXAMPLES: i32 = 39;
/// The directory has more than 100 keys.
pub const AGD_VERDICT_TOO_MANY_KEYS: i32 = 40;
/// The directory of the agent's keys cannot be fetched.
pub const AGD_VERDICT_DIRECTORY_FAILED: i32 = 41;
/// What was fetched is not a directory of keys.
pub const AGD_VERDICT_DIRECTORY_INVALID: i32 = 42;
/// The signature does not fit the request and the key.
pub const AGD_VERDICT_WRONG_SIGNATURE: i32 = 43;
/// The site remembers so many signatures that it cannot tell whether this one is new.
pub const AGD_VERDICT_REPLAY_UNKNOWN: i32 = 44;
/// The signature was used before.
pub const AGD_VERDICT_REPLAYED: i32 = 45;

reasons! {
    AGD_VERDICT_UNKNOWN, verdict_number;
    AGD_VERDICT_VALID = Valid,
    AGD_VERDICT_UNSIGNED = Unsigned,
    AGD_VERDICT_SIGNATURE_MISSING = SignatureMissing,
    AGD_VERDICT_SIGNATURE_INPUT_MISSING = InputMissing,
    AGD_VERDICT_MALFORMED_REQUEST = MalformedRequest,
    AGD_VERDICT_MALFORMED_SIGNATURE = MalformedSignature,
    AGD_VERDICT_MALFORMED_SIGNATURE_INPUT = MalformedInput,
    AGD_VERDICT_MALFORMED_SIGNATURE_AGENT = MalformedAgent,
    AGD_VERDICT_MALFORMED_FIELD = MalformedField,
    AGD_VERDICT_TOO_LARGE = TooLarge,
    AGD_VERDICT_TOO_MANY_SIGNATURES = TooManySignatures,
    AGD_VERDICT_REPEATED_LABEL = RepeatedLabel,
    AGD_VERDICT_REPEATED_COMPONENT = RepeatedComponent,
    AGD_VERDICT_REPEATED_PARAMETER = RepeatedParameter,
    AGD_VERDICT_TAG_NOT_WEB_BOT_AUTH = OtherTag,
    AGD_VERDICT_UNSUPPORTED_COMPONENT = UnsupportedComponent,
    AGD_VERDICT_COMPONENT_MISSING = ComponentMissing,
    AGD_VERDICT_AUTHORITY_NOT_COVERED = AuthorityNotCovered,
    AGD_VERDICT_AGENT_MISSING = AgentMissing,
    AGD_VERDICT_AGENT_NOT_COVERED = AgentNotCovered,
    AGD_VERDICT_AGENT_AMBIGUOUS = AgentAmbiguous,
    AGD_VERDICT_AGENT_NOT_HTTPS = AgentNotHttps,
    AGD_VERDICT_AGENT_NOT_AN_ORIGIN = AgentNotOrigin,
    AGD_VERDICT_UNSUPPORTED_AGENT_TYPE = AgentType,
    AGD_VERDICT_CREATED_MISSING = CreatedMissing,
    AGD_VERDICT_EXPIRES_MISSING = ExpiresMissing,
    AGD_VERDICT_KEY_ID_MISSING = KeyIdMissing,
    AGD_VERDICT_NOT_YET_VALID = NotYetValid,
    AGD_VERDICT_EXPIRED = Expired,
    AGD_VERDICT_EXPIRES_BEFORE_CREATED = ExpiresBeforeCreated,
    AGD_VERDICT_LIFETIME_TOO_LONG = LifetimeTooLong,
    AGD_VERDICT_UNKNOWN_ALGORITHM = UnknownAlgorithm,
    AGD_VERDICT_ALGORITHM_MISMATCH = AlgorithmMismatch,
    AGD_VERDICT_UNKNOWN_KEY = UnknownKey,
    AGD_VERDICT_KEY_NOT_YET_VALID = KeyNotYetValid,
    AGD_VERDICT_KEY_EXPIRED = KeyExpired,
    AGD_VERDICT_KEY_UNUSABLE = KeyUnusable,
    AGD_VERDICT_KEY_PRIVATE = KeyPrivate,
    AGD_VERDICT_KEY_OF_EXAMPLES = KeyOfExamples,
    AGD_VERDICT_TOO_MANY_KEYS = TooManyKeys,
    AGD_VERDICT_DIRECTORY_FAILED = DirectoryFailed,
    AGD_VERDICT_DIRECTORY_INVALID = DirectoryInvalid,
    AGD_VERDICT_WRONG_SIGNATURE = WrongSignature,
    AGD_VERDICT_REPLAY_UNKNOWN = ReplayUnknown,
    AGD_VERDICT_REPLAYED = Replayed,
}

/// Returns the name of the reason of a verdict (AGD_VERDICT_*), NUL-terminated, such as `expired`;
/// `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_verdict_name(reason: i32) -> *const c_char {
    name_of(reason)
}

/// Returns what the reason of a verdict (AGD_VERDICT_*) means, in English: a sentence,
/// NUL-terminated.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_verdict_message(reason: i32) -> *const c_char {
    message_of(reason)
}
