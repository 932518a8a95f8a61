//! Enumerations of the unified model: one canonical value over all formats, with the written text beside it.

use core::fmt;

use crate::syntax::text::Text;

/// A set of named values. Names compare without letter case.
pub trait Enumeration: Copy + PartialEq + fmt::Debug + 'static {
    /// Every name and what it means; the first name of a value is its canonical one.
    const NAMES: &'static [(&'static str, Self)];
    /// What a text outside the enumeration reads as.
    const UNKNOWN: Self;

    /// The canonical name; `unknown` for a text outside the enumeration.
    fn as_str(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(_, value)| *value == self)
            .map_or("unknown", |(name, _)| name)
    }

    /// What `text` means.
    fn of(text: Text<'_>) -> Self {
        // Nearly always a name is written as it is here, and comparing bytes costs less than comparing letters.
        if !text.is_escaped()
            && let Some((_, value)) = Self::NAMES
                .iter()
                .find(|(name, _)| name.as_bytes() == text.raw())
        {
            return *value;
        }
        Self::NAMES
            .iter()
            .find(|(name, _)| text.eq_ignore_case(name))
            .map_or(Self::UNKNOWN, |(_, value)| *value)
    }
}

/// A value of an enumeration as a document gives it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Choice<'a, E> {
    /// What it means.
    pub value: E,
    /// The text as written; absent where the value is a default, or follows from other fields.
    pub text: Option<Text<'a>>,
}

impl<'a, E: Enumeration> Choice<'a, E> {
    /// What `text` says.
    pub fn read(text: Text<'a>) -> Self {
        Self {
            value: E::of(text),
            text: Some(text),
        }
    }

    /// A value that is nowhere written.
    pub const fn implied(value: E) -> Self {
        Self { value, text: None }
    }

    /// The value of a field that is there but cannot be read.
    pub const fn unreadable() -> Self {
        Self {
            value: E::UNKNOWN,
            text: None,
        }
    }

    /// The canonical name.
    pub fn as_str(&self) -> &'static str {
        self.value.as_str()
    }

    /// The text as written, where it differs from the canonical name.
    pub fn differing_text(&self) -> Option<Text<'a>> {
        self.text.filter(|text| *text != self.as_str())
    }
}

impl<E: Enumeration> fmt::Debug for Choice<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.value)?;
        if let Some(text) = self.differing_text() {
            write!(f, "({text:?})")
        } else {
            Ok(())
        }
    }
}

macro_rules! enumerations {
    ($($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $value:ident = $first:literal $(| $other:literal)*,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum $name {
            /// A text outside the enumeration.
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
    /// Whose declaration a document is.
    Kind {
        /// A site's, of what agents may do there.
        Platform = "platform",
        /// An agent operator's, of what its agent does elsewhere.
        Agent = "agent",
    }
    /// How a capability or an endpoint is spoken to.
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
    /// How a caller proves who it is.
    AuthType {
        /// Not at all.
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
    /// The time over which requests are counted.
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
    /// How an MCP endpoint is connected to.
    Transport {
        /// Streamable HTTP.
        StreamableHttp = "streamable-http",
        /// Server-sent events.
        Sse = "sse",
        /// HTTP, not said which way.
        Http = "http",
        /// Standard input and output.
        Stdio = "stdio",
    }
    /// What an action may break.
    Sensitivity {
        /// Nothing special.
        Standard = "standard",
        /// It modifies or deletes data.
        Destructive = "destructive",
        /// It cannot be undone.
        Irreversible = "irreversible",
    }
    /// Whether the answer of an action is its result.
    Execution {
        /// It is.
        Sync = "sync",
        /// The result is asked for later.
        Async = "async",
    }
    /// What a service costs.
    PricingType {
        /// Nothing.
        Free = "free",
        /// Nothing at first.
        Freemium = "freemium",
        /// Money.
        Paid = "paid",
    }
    /// Who wrote a document.
    Source {
        /// The site itself.
        Native = "native",
        /// Somebody else, about the site.
        Synthetic = "synthetic",
    }
}

impl Window {
    /// Its length in seconds; absent where it is unknown.
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
