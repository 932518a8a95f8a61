//! Enumerations of the unified model: one canonical value for all formats, together with the
//! written text.

use core::fmt;

use crate::syntax::text::Text;

/// A set of named values. Names are compared without letter case.
pub trait Enumeration: Copy + PartialEq + fmt::Debug + 'static {
    /// All names with their values. The first name of a value is its canonical name.
    const NAMES: &'static [(&'static str, Self)];
    /// The value of a text that is not a name.
    const UNKNOWN: Self;

    /// Returns the canonical name; `unknown` for a text that is not a name.
    fn as_str(self) -> &'static str {
        Self::NAMES.iter().find(|(_, value)| *value == self).map_or("unknown", |(name, _)| name)
    }

    /// Returns the value of `text`.
    fn of(text: Text<'_>) -> Self {
        // Most names are written in the same letter case as here, and comparing bytes is faster.
        if !text.is_escaped()
            && let Some((_, value)) =
                Self::NAMES.iter().find(|(name, _)| name.as_bytes() == text.raw())
        {
            return *value;
        }
        Self::NAMES
            .iter()
            .find(|(name, _)| text.eq_ignore_case(name))
            .map_or(Self::UNKNOWN, |(_, value)| *value)
    }
}

/// The value of an enumeration in a document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Choice<'a, E> {
    /// The canonical value.
    pub value: E,
    /// The text as written; absent if the value is a default or follows from other fields.
    pub text: Option<Text<'a>>,
}

impl<'a, E: Enumeration> Choice<'a, E> {
    /// Reads a value from `text`.
    pub fn read(text: Text<'a>) -> Self {
        Self { value: E::of(text), text: Some(text) }
    }

    /// Creates a value that is not written in the document.
    pub const fn implied(value: E) -> Self {
        Self { value, text: None }
    }

    /// Creates the value of a field that is present but cannot be read.
    pub const fn unreadable() -> Self {
        Self { value: E::UNKNOWN, text: None }
    }

    /// Returns the canonical name.
    pub fn as_str(&self) -> &'static str {
        self.value.as_str()
    }

    /// Returns the text as written if it differs from the canonical name.
    pub fn differing_text(&self) -> Option<Text<'a>> {
        self.text.filter(|text| *text != self.as_str())
    }
}

impl<E: Enumeration> fmt::Debug for Choice<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.value)?;
        if let Some(text) = self.differing_text() { write!(f, "({text:?})") } else { Ok(()) }
    }
}

/// A document without a kind is the declaration of a platform.
impl Default for Choice<'_, Kind> {
    fn default() -> Self {
        Self::implied(Kind::Platform)
    }
}

macro_rules! enumerations {
    ($($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $value:ident = $first:literal $(| $other:literal)*,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum $name {
            /// A text that is not a name of the enumeration.
            Unknown = 0,
            $($(#[$doc])* $value,)*
        }

        impl Enumeration for $name {
            const NAMES: &'static [(&'static str, Self)] = &[$(($first, Self::$value), $(($other, Self::$value),)*)*];
            const UNKNOWN: Self = Self::Unknown;
        }
    )*};
}

enumerations! {
    /// The party whose declaration a document is.
    Kind {
        /// A site, which declares what agents may do there.
        Platform = "platform",
        /// An agent operator, which declares what its agent does on other sites.
        Agent = "agent",
    }
    /// The protocol of a capability or an endpoint.
    Protocol {
        /// Plain HTTP requests.
        Rest = "rest",
        /// Model Context Protocol.
        Mcp = "mcp",
        /// Agent-to-Agent.
        A2a = "a2a",
        /// GraphQL.
        GraphQl = "graphql",
        /// WebSocket.
        WebSocket = "websocket",
        /// Agent Communication Protocol.
        Acp = "acp",
        /// Agent Payments Protocol.
        Ap2 = "ap2",
        /// HTTP 402 payments.
        X402 = "x402",
        /// Skyfire payments.
        Skyfire = "skyfire",
        /// An OpenAPI description.
        OpenApi = "openapi",
        /// A generic payment hand-off.
        Payment = "payment",
    }
    /// How a caller authenticates.
    AuthType {
        /// No authentication.
        None = "none",
        /// A key in a header.
        ApiKey = "api-key" | "api_key",
        /// A bearer token.
        BearerToken = "bearer-token" | "bearer" | "bearer_token",
        /// OAuth 2.
        OAuth2 = "oauth2",
        /// A signature with a shared key.
        Hmac = "hmac",
    }
    /// Where a parameter is sent.
    Location {
        /// In the query string.
        Query = "query",
        /// In the path.
        Path = "path",
        /// In a header.
        Header = "header",
        /// In the body.
        Body = "body",
    }
    /// The time window of a rate limit.
    Window {
        /// One second.
        Second = "second",
        /// One minute.
        Minute = "minute",
        /// One hour.
        Hour = "hour",
        /// One day.
        Day = "day",
    }
    /// The transport of an MCP endpoint, or the protocol binding of an A2A interface.
    Transport {
        /// Streamable HTTP.
        StreamableHttp = "streamable-http",
        /// Server-sent events.
        Sse = "sse",
        /// HTTP, without further detail.
        Http = "http",
        /// Standard input and output.
        Stdio = "stdio",
        /// JSON-RPC 2.0 over HTTP (A2A).
        JsonRpc = "jsonrpc",
        /// gRPC (A2A).
        Grpc = "grpc",
        /// REST (A2A).
        HttpJson = "http+json",
    }
    /// How dangerous an action is.
    Sensitivity {
        /// No special consequences.
        Standard = "standard",
        /// Modifies or deletes data.
        Destructive = "destructive",
        /// Cannot be undone.
        Irreversible = "irreversible",
    }
    /// How an action returns its result.
    Execution {
        /// In the response.
        Sync = "sync",
        /// Later; the caller polls for it.
        Async = "async",
    }
    /// What a service costs.
    PricingType {
        /// Free.
        Free = "free",
        /// A free offer, and paid ones beyond it.
        Freemium = "freemium",
        /// Paid.
        Paid = "paid",
    }
    /// Who published a document.
    Source {
        /// The site itself.
        Native = "native",
        /// Another party, about the site.
        Synthetic = "synthetic",
    }
    /// What content is used for (AI preferences).
    Purpose {
        /// The training of AI models that generate content.
        TrainAi = "train-ai" | "ai-train" | "ai-training",
        /// Search that directs people to the content.
        Search = "search",
        /// Input of an AI model that answers a request, such as retrieval and grounding.
        AiInput = "ai-input",
    }
    /// Whether a site prefers that its content is used for a purpose. A stricter value is greater.
    Stance {
        /// No statement, or a statement with another value.
        NotStated = "not-stated",
        /// The use is allowed.
        Allow = "allow",
        /// The use is not allowed.
        Disallow = "disallow",
    }
    /// The field that states a preference.
    Vocabulary {
        /// `Content-Signal`.
        ContentSignal = "content-signal",
        /// `Content-Usage`.
        ContentUsage = "content-usage",
    }
}

impl Window {
    /// Returns the length in seconds; `None` for an unknown window.
    pub const fn seconds(self) -> Option<u32> {
        match self {
            Self::Unknown => None,
            Self::Second => Some(1),
            Self::Minute => Some(60),
            Self::Hour => Some(3600),
            Self::Day => Some(86_400),
        }
    }
}
