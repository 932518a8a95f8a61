//! Why a call is not planned.

use core::fmt;

use crate::diagnostic::write_quoted;
use crate::policy::{Credentials, Reason, Rule};
use crate::syntax::text::Text;

macro_rules! problems {
    ($($(#[doc = $doc:literal])* $name:ident $(($payload:ty))? $({ $(#[doc = $field_doc:literal])* $field:ident: $type:ty })? = $id:literal $message:literal,)*) => {
        /// The problem with a call.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum Problem {
            $($(#[doc = $doc])* $name $(($payload))? $({ $(#[doc = $field_doc])* $field: $type })?,)*
        }

        impl Problem {
            /// The name and the message of every problem, in the order of the variants.
            pub const NAMES: &'static [(&'static str, &'static str)] = &[$(($id, $message),)*];

            /// The stable kebab-case name.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(problems!(@pattern $name $(($payload))? $({ $field })?) => $id,)*
                }
            }

            /// What is wrong and what to do, without a capital and a full stop.
            pub const fn message(self) -> &'static str {
                match self {
                    $(problems!(@pattern $name $(($payload))? $({ $field })?) => $message,)*
                }
            }
        }
    };
    (@pattern $name:ident) => { Self::$name };
    (@pattern $name:ident ($payload:ty)) => { Self::$name(_) };
    (@pattern $name:ident { $field:ident }) => { Self::$name { .. } };
}

problems! {
    /// The buffer is too small.
    BufferTooSmall {
        /// A size that is enough, in bytes.
        needed: usize
    } = "buffer-too-small" "the buffer is too small",
    /// The decision denies the capability, or the URL with its arguments, for this reason.
    Denied(Reason) = "denied" "the site does not allow the call",
    /// The decision is neither for a capability nor for the gateway of a protocol.
    NoCapability = "no-capability" "the decision is not about a capability; decide about one, or about the URL of an MCP gateway",
    /// Several capabilities of the document have the id and accept the method, but are called in
    /// different ways.
    AmbiguousId = "ambiguous-id" "several capabilities of the document have this id and are called in different ways, so none is called; each needs an id of its own",
    /// The document names no endpoint.
    NoEndpoint = "no-endpoint" "the document names no endpoint for the capability",
    /// The endpoint is not a URL that agents can call.
    InvalidEndpoint = "invalid-endpoint" "the endpoint is not a URL that agents can call",
    /// The method is not an HTTP method.
    InvalidMethod = "invalid-method" "the method of the capability is not a valid HTTP method",
    /// The arguments are not a JSON object.
    InvalidArguments = "invalid-arguments" "the arguments are not a JSON object",
    /// There are too many arguments.
    TooManyArguments = "too-many-arguments" "there are more than 64 arguments; give fewer",
    /// A required argument is missing.
    MissingArgument = "missing-argument" "a required argument is missing",
    /// The capability declares no parameter with the name of the argument.
    UnknownArgument = "unknown-argument" "the capability has no parameter with the name of the argument",
    /// Two arguments have the same name.
    RepeatedArgument = "repeated-argument" "two arguments have the same name; for headers, in any letter case",
    /// The document does not say how to send the argument.
    UnplacedArgument = "unplaced-argument" "the document does not say where the argument goes, or the path of the endpoint does not contain its name",
    /// The argument does not have the declared type of its parameter.
    WrongType = "wrong-type" "the argument does not have the declared type",
    /// The argument is not one of the options of its parameter.
    NotAnOption = "not-an-option" "the argument is none of the declared options",
    /// The argument is below the minimum or above the maximum of its parameter.
    OutOfRange = "out-of-range" "the argument is below the declared minimum, or above the maximum",
    /// The value of the argument is not valid in the path, the header or the host where it is sent.
    InvalidValue = "invalid-value" "the argument cannot be sent in its place: a path needs a value that is more than dots, a header only visible ASCII characters and blanks, a host only letters, digits and hyphens",
    /// A placeholder of the URL has no value.
    Placeholder = "placeholder" "the URL has a placeholder without an argument",
    /// The call needs a credential that must not be sent to the endpoint.
    UnsafeCredential(Credentials) = "unsafe-credential" "the call needs a credential that must not be sent to the endpoint; approve the endpoint if you trust it",
    /// Actions require each other.
    PrerequisiteCycle = "prerequisite-cycle" "the actions that have to run first require each other",
    /// The actions that have to run first cannot be read.
    UnreadablePrerequisites = "unreadable-prerequisites" "the actions that have to run first cannot be read",
    /// The document has too many dependencies to find the actions that have to run first.
    TooManyPrerequisites = "too-many-prerequisites" "more than 128 names are in the dependencies of the document",
    /// The call needs more steps than allowed.
    TooManySteps = "too-many-steps" "the call needs too many steps, so it is stopped",
}

/// Why a call is not planned.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Refusal<'v> {
    /// The problem.
    pub problem: Problem,
    /// The name of the argument, placeholder or action that the problem is about.
    pub argument: Option<Text<'v>>,
    /// The text of a document that the refusal is based on: the rule that denies, the name of the
    /// parameter, or the endpoint.
    pub rule: Option<Rule<'v>>,
    /// The declared type of the argument, as written.
    pub expected: Option<Text<'v>>,
}

impl<'v> Refusal<'v> {
    pub(super) const fn of(problem: Problem) -> Self {
        Self { problem, argument: None, rule: None, expected: None }
    }

    pub(super) const fn about(mut self, argument: Text<'v>) -> Self {
        self.argument = Some(argument);
        self
    }

    pub(super) const fn with_rule(mut self, rule: Option<Rule<'v>>) -> Self {
        self.rule = rule;
        self
    }
}

impl fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problem {
            Problem::Denied(reason) => return f.write_str(reason.message()),
            problem => f.write_str(problem.message())?,
        }
        if let Problem::BufferTooSmall { needed } = self.problem {
            write!(f, " ({needed} bytes are needed)")?;
        }
        if let Some(name) = self.argument {
            f.write_str(": ")?;
            write_quoted(f, name)?;
        }
        if let Some(expected) = self.expected {
            f.write_str(" is of the type ")?;
            write_quoted(f, expected)?;
        }
        Ok(())
    }
}

impl core::error::Error for Refusal<'_> {}
