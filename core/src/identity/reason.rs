//! Why a signature is accepted or refused: the closed list, as a table.

use core::fmt;

macro_rules! reasons {
    ($($name:ident = $id:literal, $message:literal;)*) => {
        /// Why a signature is accepted or refused. A later version may add to the list, but changes no
        /// meaning.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Reason {
            $(#[doc = $message] $name,)*
        }

        impl Reason {
            /// Every reason, in the order of the documentation.
            pub const ALL: &'static [Reason] = &[$(Self::$name,)*];

            /// The stable kebab-case id.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }

            /// What it means, in a sentence.
            pub const fn message(self) -> &'static str {
                match self {
                    $(Self::$name => $message,)*
                }
            }
        }
    };
}

reasons! {
    Valid = "valid", "The signature is valid, and a key of the agent made it.";
    Unsigned = "unsigned", "The request has neither Signature nor Signature-Input.";
    SignatureMissing = "signature-missing", "The field Signature is absent, or has no signature with this label.";
    InputMissing = "signature-input-missing", "The field Signature-Input is absent.";
    MalformedRequest = "malformed-request", "The method or the URL of the request is not valid.";
    MalformedSignature = "malformed-signature", "The field Signature is not a dictionary of byte sequences.";
    MalformedInput = "malformed-signature-input", "The field Signature-Input is not a dictionary of lists of components.";
    MalformedAgent = "malformed-signature-agent", "The field Signature-Agent is neither a dictionary of URLs nor a URL.";
    MalformedField = "malformed-field", "A covered field has a character that no signature can cover, or is not the dictionary that the signature takes it for.";
    TooLarge = "too-large", "A field of the signature exceeds 16 KiB, the request has more than 256 fields, or the signature covers more than 32 components or has more than 32 parameters.";
    TooManySignatures = "too-many-signatures", "The request has more than four signatures of agents.";
    RepeatedLabel = "repeated-label", "A label or a member occurs twice, so it is not clear which one is meant.";
    RepeatedComponent = "repeated-component", "The signature covers a component twice.";
    RepeatedParameter = "repeated-parameter", "A parameter occurs twice.";
    OtherTag = "tag-not-web-bot-auth", "No signature has the tag web-bot-auth.";
    UnsupportedComponent = "unsupported-component", "The signature covers a component, or a form of one, that is not supported.";
    ComponentMissing = "component-missing", "The request lacks a component that the signature covers.";
    AuthorityNotCovered = "authority-not-covered", "The signature covers neither @authority nor @target-uri, so it would be valid for every site.";
    AgentMissing = "agent-missing", "The request does not say where the keys of the agent are.";
    AgentNotCovered = "agent-not-covered", "The signature does not cover Signature-Agent.";
    AgentAmbiguous = "agent-ambiguous", "The signature covers several members of Signature-Agent, and none has its label.";
    AgentNotHttps = "agent-not-https", "The URL in Signature-Agent is not an https URL.";
    AgentNotOrigin = "agent-not-an-origin", "The URL of a directory has more than scheme, host and port.";
    AgentType = "unsupported-agent-type", "The type of the member of Signature-Agent is not supported.";
    CreatedMissing = "created-missing", "The signature does not say when it was made.";
    ExpiresMissing = "expires-missing", "The signature does not say when it expires.";
    KeyIdMissing = "key-id-missing", "The signature does not name its key.";
    NotYetValid = "not-yet-valid", "The signature was made in the future.";
    Expired = "expired", "The signature has expired.";
    ExpiresBeforeCreated = "expires-before-created", "The signature expires before it was made.";
    LifetimeTooLong = "lifetime-too-long", "The signature is valid for longer than the site accepts.";
    UnknownAlgorithm = "unknown-algorithm", "The algorithm is unknown, not accepted, or not stated.";
    AlgorithmMismatch = "algorithm-mismatch", "The signature, the key and its type disagree about the algorithm.";
    UnknownKey = "unknown-key", "The agent has no key with this thumbprint.";
    KeyNotYetValid = "key-not-yet-valid", "The validity of the key begins later.";
    KeyExpired = "key-expired", "The validity of the key has ended.";
    KeyUnusable = "key-unusable", "The key is incomplete, or not meant for signatures.";
    KeyPrivate = "key-private", "The private part of the key is published, so everybody can sign with it.";
    KeyOfExamples = "key-of-examples", "The key is an example of a specification, whose private part is published.";
    TooManyKeys = "too-many-keys", "The directory has more than 100 keys.";
    DirectoryFailed = "directory-failed", "The directory of the agent's keys cannot be fetched.";
    DirectoryInvalid = "directory-invalid", "What was fetched is not a directory of keys.";
    WrongSignature = "wrong-signature", "The signature does not fit the request and the key.";
    ReplayUnknown = "replay-unknown", "The site remembers so many signatures that it cannot tell whether this one is new.";
    Replayed = "replayed", "The signature was used before.";
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
