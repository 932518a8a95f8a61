//! The enumerations of the unified model: numbers with named constants, not C enumerations, so that
//! an unknown number is not undefined behaviour. `docs/model.md` has the table of their names in
//! documents.

use core::ffi::c_char;

use agentsdisc_core::manifest::{
    AuthType, Choice, Enumeration, Execution, Kind, Location, PricingType, Protocol, Purpose,
    Sensitivity, Source, Stance, Transport, Vocabulary, Window,
};

use crate::boundary::Carry;
use crate::status::{AGD_ERROR_ARGUMENT, agd_status};
use crate::text::agd_text;

/// An absent enumeration, truth value or number.
pub const AGD_UNSAID: i32 = -1;
/// A truth value: false.
pub const AGD_FALSE: i32 = 0;
/// A truth value: true.
pub const AGD_TRUE: i32 = 1;

/// A value of an enumeration, with its text in the document.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct agd_choice {
    /// A constant of the enumeration. Zero (AGD_*_UNKNOWN) if the text is not one of its names;
    /// AGD_UNSAID if the document does not state it.
    pub value: i32,
    /// The text as written; absent if the value is a default, or follows from other fields.
    pub text: agd_text,
}

/// An enumeration of the core that has C constants.
pub(crate) trait Numbered: Enumeration {
    /// The C number of a value.
    fn number(self) -> i32;
}

impl<E: Numbered> From<Choice<'static, E>> for agd_choice {
    fn from(choice: Choice<'static, E>) -> Self {
        Self { value: choice.value.number(), text: choice.text.into() }
    }
}

impl<E: Numbered> From<Option<Choice<'static, E>>> for agd_choice {
    fn from(choice: Option<Choice<'static, E>>) -> Self {
        choice.map_or(Self { value: AGD_UNSAID, text: agd_text::ABSENT }, Self::from)
    }
}

impl<E: Numbered> Carry<agd_choice> for Choice<'static, E> {
    #[inline(always)]
    unsafe fn carry(self, place: *mut agd_choice) {
        // SAFETY: the contract is the same.
        unsafe {
            (&raw mut (*place).value).write(self.value.number());
            self.text.carry(&raw mut (*place).text);
        }
    }
}

impl<E: Numbered> Carry<agd_choice> for Option<Choice<'static, E>> {
    #[inline(always)]
    unsafe fn carry(self, place: *mut agd_choice) {
        // SAFETY: the contract is the same.
        unsafe {
            match self {
                Some(choice) => choice.carry(place),
                None => {
                    (&raw mut (*place).value).write(AGD_UNSAID);
                    agd_text::clear(&raw mut (*place).text);
                }
            }
        }
    }
}

/// Converts a truth value that may be absent.
pub(crate) fn truth(value: Option<bool>) -> i32 {
    value.map_or(AGD_UNSAID, i32::from)
}

/// Reads a truth value from the caller.
pub(crate) fn is_true(value: i32) -> Result<bool, agd_status> {
    match value {
        AGD_FALSE => Ok(false),
        AGD_TRUE => Ok(true),
        _ => Err(AGD_ERROR_ARGUMENT),
    }
}

impl Carry<i32> for Option<bool> {
    #[inline(always)]
    unsafe fn carry(self, place: *mut i32) {
        // SAFETY: the contract is the same.
        unsafe { place.write(truth(self)) };
    }
}

/// Converts a number that may be absent.
pub(crate) fn number(value: Option<u32>) -> i64 {
    value.map_or(i64::from(AGD_UNSAID), i64::from)
}

/// Checks at compile time that the constants of an enumeration match the core's values.
macro_rules! numbered {
    ($($name:ident { $($constant:ident = $value:ident,)* })*) => {$(
        $(const _: () = assert!($constant == $name::$value as i32);)*

        impl Numbered for $name {
            fn number(self) -> i32 {
                self as i32
            }
        }
    )*};
}

/// Kind of declaration: unknown name.
pub const AGD_KIND_UNKNOWN: i32 = 0;
/// A site declares what agents may do.
pub const AGD_KIND_PLATFORM: i32 = 1;
/// An agent's operator declares what the agent does on other sites.
pub const AGD_KIND_AGENT: i32 = 2;

/// Protocol of a capability or an endpoint: unknown name.
pub const AGD_PROTOCOL_UNKNOWN: i32 = 0;
/// Plain HTTP requests.
pub const AGD_PROTOCOL_REST: i32 = 1;
/// Model Context Protocol.
pub const AGD_PROTOCOL_MCP: i32 = 2;
/// Agent-to-Agent.
pub const AGD_PROTOCOL_A2A: i32 = 3;
/// GraphQL.
pub const AGD_PROTOCOL_GRAPHQL: i32 = 4;
/// WebSocket.
pub const AGD_PROTOCOL_WEBSOCKET: i32 = 5;
/// Agent Communication Protocol.
pub const AGD_PROTOCOL_ACP: i32 = 6;
/// Agent Payments Protocol.
pub const AGD_PROTOCOL_AP2: i32 = 7;
/// HTTP 402 payments.
pub const AGD_PROTOCOL_X402: i32 = 8;
/// Skyfire payments.
pub const AGD_PROTOCOL_SKYFIRE: i32 = 9;
/// An OpenAPI description.
pub const AGD_PROTOCOL_OPENAPI: i32 = 10;
/// A generic payment hand-off.
pub const AGD_PROTOCOL_PAYMENT: i32 = 11;

/// Kind of authentication: unknown name.
pub const AGD_AUTH_UNKNOWN: i32 = 0;
/// No authentication.
pub const AGD_AUTH_NONE: i32 = 1;
/// A key in a header.
pub const AGD_AUTH_API_KEY: i32 = 2;
/// A bearer token.
pub const AGD_AUTH_BEARER_TOKEN: i32 = 3;
/// OAuth 2.
pub const AGD_AUTH_OAUTH2: i32 = 4;
/// A signature with a shared key.
pub const AGD_AUTH_HMAC: i32 = 5;

/// Location of a parameter in the request: unknown name.
pub const AGD_LOCATION_UNKNOWN: i32 = 0;
/// In the query string.
pub const AGD_LOCATION_QUERY: i32 = 1;
/// In the path.
pub const AGD_LOCATION_PATH: i32 = 2;
/// In a header.
pub const AGD_LOCATION_HEADER: i32 = 3;
/// In the body.
pub const AGD_LOCATION_BODY: i32 = 4;

/// Time window of a rate limit: unknown name.
pub const AGD_WINDOW_UNKNOWN: i32 = 0;
/// One second.
pub const AGD_WINDOW_SECOND: i32 = 1;
/// One minute.
pub const AGD_WINDOW_MINUTE: i32 = 2;
/// One hour.
pub const AGD_WINDOW_HOUR: i32 = 3;
/// One day.
pub const AGD_WINDOW_DAY: i32 = 4;

/// Transport of an MCP endpoint: unknown name.
pub const AGD_TRANSPORT_UNKNOWN: i32 = 0;
/// Streamable HTTP.
pub const AGD_TRANSPORT_STREAMABLE_HTTP: i32 = 1;
/// Server-sent events.
pub const AGD_TRANSPORT_SSE: i32 = 2;
/// HTTP, without saying which transport.
pub const AGD_TRANSPORT_HTTP: i32 = 3;
/// Standard input and output.
pub const AGD_TRANSPORT_STDIO: i32 = 4;
/// JSON-RPC 2.0 over HTTP (A2A).
pub const AGD_TRANSPORT_JSONRPC: i32 = 5;
/// gRPC (A2A).
pub const AGD_TRANSPORT_GRPC: i32 = 6;
/// REST (A2A).
pub const AGD_TRANSPORT_HTTP_JSON: i32 = 7;

/// Sensitivity of an action: unknown name.
pub const AGD_SENSITIVITY_UNKNOWN: i32 = 0;
/// No special risk.
pub const AGD_SENSITIVITY_STANDARD: i32 = 1;
/// It modifies or deletes data.
pub const AGD_SENSITIVITY_DESTRUCTIVE: i32 = 2;
/// It cannot be undone.
pub const AGD_SENSITIVITY_IRREVERSIBLE: i32 = 3;

/// How an action returns its result: unknown name.
pub const AGD_EXECUTION_UNKNOWN: i32 = 0;
/// The response has the result.
pub const AGD_EXECUTION_SYNC: i32 = 1;
/// The result is fetched later.
pub const AGD_EXECUTION_ASYNC: i32 = 2;

/// Pricing model of a service: unknown name.
pub const AGD_PRICING_UNKNOWN: i32 = 0;
/// Free of charge.
pub const AGD_PRICING_FREE: i32 = 1;
/// Free at first.
pub const AGD_PRICING_FREEMIUM: i32 = 2;
/// Paid.
pub const AGD_PRICING_PAID: i32 = 3;

/// Origin of a document: unknown name.
pub const AGD_SOURCE_UNKNOWN: i32 = 0;
/// The site itself.
pub const AGD_SOURCE_NATIVE: i32 = 1;
/// A third party.
pub const AGD_SOURCE_SYNTHETIC: i32 = 2;

/// What content is used for: another label.
pub const AGD_PURPOSE_UNKNOWN: i32 = 0;
/// The training of AI models that generate content.
pub const AGD_PURPOSE_TRAIN_AI: i32 = 1;
/// Search that directs people to the content.
pub const AGD_PURPOSE_SEARCH: i32 = 2;
/// Input of an AI model that answers a request.
pub const AGD_PURPOSE_AI_INPUT: i32 = 3;

/// Whether a site prefers that its content is used: not used.
pub const AGD_STANCE_UNKNOWN: i32 = 0;
/// Nothing is stated.
pub const AGD_STANCE_NOT_STATED: i32 = 1;
/// The use is allowed.
pub const AGD_STANCE_ALLOW: i32 = 2;
/// The use is not allowed.
pub const AGD_STANCE_DISALLOW: i32 = 3;

/// The field that states a preference: not used.
pub const AGD_VOCABULARY_UNKNOWN: i32 = 0;
/// `Content-Signal`.
pub const AGD_VOCABULARY_CONTENT_SIGNAL: i32 = 1;
/// `Content-Usage`.
pub const AGD_VOCABULARY_CONTENT_USAGE: i32 = 2;

numbered! {
    Kind {
        AGD_KIND_UNKNOWN = Unknown,
        AGD_KIND_PLATFORM = Platform,
        AGD_KIND_AGENT = Agent,
    }
    Protocol {
        AGD_PROTOCOL_UNKNOWN = Unknown,
        AGD_PROTOCOL_REST = Rest,
        AGD_PROTOCOL_MCP = Mcp,
        AGD_PROTOCOL_A2A = A2a,
        AGD_PROTOCOL_GRAPHQL = GraphQl,
        AGD_PROTOCOL_WEBSOCKET = WebSocket,
        AGD_PROTOCOL_ACP = Acp,
        AGD_PROTOCOL_AP2 = Ap2,
        AGD_PROTOCOL_X402 = X402,
        AGD_PROTOCOL_SKYFIRE = Skyfire,
        AGD_PROTOCOL_OPENAPI = OpenApi,
        AGD_PROTOCOL_PAYMENT = Payment,
    }
    AuthType {
        AGD_AUTH_UNKNOWN = Unknown,
        AGD_AUTH_NONE = None,
        AGD_AUTH_API_KEY = ApiKey,
        AGD_AUTH_BEARER_TOKEN = BearerToken,
        AGD_AUTH_OAUTH2 = OAuth2,
        AGD_AUTH_HMAC = Hmac,
    }
    Location {
        AGD_LOCATION_UNKNOWN = Unknown,
        AGD_LOCATION_QUERY = Query,
        AGD_LOCATION_PATH = Path,
        AGD_LOCATION_HEADER = Header,
        AGD_LOCATION_BODY = Body,
    }
    Window {
        AGD_WINDOW_UNKNOWN = Unknown,
        AGD_WINDOW_SECOND = Second,
        AGD_WINDOW_MINUTE = Minute,
        AGD_WINDOW_HOUR = Hour,
        AGD_WINDOW_DAY = Day,
    }
    Transport {
        AGD_TRANSPORT_UNKNOWN = Unknown,
        AGD_TRANSPORT_STREAMABLE_HTTP = StreamableHttp,
        AGD_TRANSPORT_SSE = Sse,
        AGD_TRANSPORT_HTTP = Http,
        AGD_TRANSPORT_STDIO = Stdio,
        AGD_TRANSPORT_JSONRPC = JsonRpc,
        AGD_TRANSPORT_GRPC = Grpc,
        AGD_TRANSPORT_HTTP_JSON = HttpJson,
    }
    Sensitivity {
        AGD_SENSITIVITY_UNKNOWN = Unknown,
        AGD_SENSITIVITY_STANDARD = Standard,
        AGD_SENSITIVITY_DESTRUCTIVE = Destructive,
        AGD_SENSITIVITY_IRREVERSIBLE = Irreversible,
    }
    Execution {
        AGD_EXECUTION_UNKNOWN = Unknown,
        AGD_EXECUTION_SYNC = Sync,
        AGD_EXECUTION_ASYNC = Async,
    }
    PricingType {
        AGD_PRICING_UNKNOWN = Unknown,
        AGD_PRICING_FREE = Free,
        AGD_PRICING_FREEMIUM = Freemium,
        AGD_PRICING_PAID = Paid,
    }
    Source {
        AGD_SOURCE_UNKNOWN = Unknown,
        AGD_SOURCE_NATIVE = Native,
        AGD_SOURCE_SYNTHETIC = Synthetic,
    }
    Purpose {
        AGD_PURPOSE_UNKNOWN = Unknown,
        AGD_PURPOSE_TRAIN_AI = TrainAi,
        AGD_PURPOSE_SEARCH = Search,
        AGD_PURPOSE_AI_INPUT = AiInput,
    }
    Stance {
        AGD_STANCE_UNKNOWN = Unknown,
        AGD_STANCE_NOT_STATED = NotStated,
        AGD_STANCE_ALLOW = Allow,
        AGD_STANCE_DISALLOW = Disallow,
    }
    Vocabulary {
        AGD_VOCABULARY_UNKNOWN = Unknown,
        AGD_VOCABULARY_CONTENT_SIGNAL = ContentSignal,
        AGD_VOCABULARY_CONTENT_USAGE = ContentUsage,
    }
}

/// Returns the canonical name of an AGD_KIND_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_kind_name(value: i32) -> *const c_char {
    match value {
        AGD_KIND_PLATFORM => c"platform",
        AGD_KIND_AGENT => c"agent",
        _ => c"unknown",
    }
    .as_ptr()
}

/// Returns the canonical name of an AGD_PROTOCOL_* constant, NUL-terminated; `unknown` for any
/// other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_protocol_name(value: i32) -> *const c_char {
    match value {
        AGD_PROTOCOL_REST => c"rest",
        AGD_PROTOCOL_MCP => c"mcp",
        AGD_PROTOCOL_A2A => c"a2a",
        AGD_PROTOCOL_GRAPHQL => c"graphql",
        AGD_PROTOCOL_WEBSOCKET => c"websocket",
        AGD_PROTOCOL_ACP => c"acp",
        AGD_PROTOCOL_AP2 => c"ap2",
        AGD_PROTOCOL_X402 => c"x402",
        AGD_PROTOCOL_SKYFIRE => c"skyfire",
        AGD_PROTOCOL_OPENAPI => c"openapi",
        AGD_PROTOCOL_PAYMENT => c"payment",
        _ => c"unknown",
    }
    .as_ptr()
}

/// Returns the canonical name of an AGD_AUTH_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_auth_name(value: i32) -> *const c_char {
    match value {
        AGD_AUTH_NONE => c"none",
        AGD_AUTH_API_KEY => c"api-key",
        AGD_AUTH_BEARER_TOKEN => c"bearer-token",
        AGD_AUTH_OAUTH2 => c"oauth2",
        AGD_AUTH_HMAC => c"hmac",
        _ => c"unknown",
    }
    .as_ptr()
}

/// Returns the canonical name of an AGD_LOCATION_* constant, NUL-terminated; `unknown` for any
/// other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_location_name(value: i32) -> *const c_char {
    match value {
        AGD_LOCATION_QUERY => c"query",
        AGD_LOCATION_PATH => c"path",
        AGD_LOCATION_HEADER => c"header",
        AGD_LOCATION_BODY => c"body",
        _ => c"unknown",
    }
    .as_ptr()
}

/// Returns the canonical name of an AGD_WINDOW_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_window_name(value: i32) -> *const c_char {
    match value {
        AGD_WINDOW_SECOND => c"second",
        AGD_WINDOW_MINUTE => c"minute",
        AGD_WINDOW_HOUR => c"hour",
        AGD_WINDOW_DAY => c"day",
        _ => c"unknown",
    }
    .as_ptr()
}

/// Returns the canonical name of an AGD_TRANSPORT_* constant, NUL-terminated; `unknown` for any
/// other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_transport_name(value: i32) -> *const c_char {
    match value {
        AGD_TRANSPORT_STREAMABLE_HTTP => c"streamable-http",
        AGD_TRANSPORT_SSE => c"sse",
        AGD_TRANSPORT_HTTP => c"http",
        AGD_TRANSPORT_STDIO => c"stdio",
        AGD_TRANSPORT_JSONRPC => c"jsonrpc",
        AGD_TRANSPORT_GRPC => c"grpc",
        AGD_TRANSPORT_HTTP_JSON => c"http+json",
        _ => c"unknown",
    }
    .as_ptr()
}

/// Returns the canonical name of an AGD_SENSITIVITY_* constant, NUL-terminated; `unknown` for any
/// other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_sensitivity_name(value: i32) -> *const c_char {
    match value {
        AGD_SENSITIVITY_STANDARD => c"standard",
        AGD_SENSITIVITY_DESTRUCTIVE => c"destructive",
        AGD_SENSITIVITY_IRREVERSIBLE => c"irreversible",
        _ => c"unknown",
    }
    .as_ptr()
}

/// Returns the canonical name of an AGD_EXECUTION_* constant, NUL-terminated; `unknown` for any
/// other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_execution_name(value: i32) -> *const c_char {
    match value {
        AGD_EXECUTION_SYNC => c"sync",
        AGD_EXECUTION_ASYNC => c"async",
        _ => c"unknown",
    }
    .as_ptr()
}

/// Returns the canonical name of an AGD_PRICING_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_pricing_name(value: i32) -> *const c_char {
    match value {
        AGD_PRICING_FREE => c"free",
        AGD_PRICING_FREEMIUM => c"freemium",
        AGD_PRICING_PAID => c"paid",
        _ => c"unknown",
    }
    .as_ptr()
}

/// Returns the canonical name of an AGD_SOURCE_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_source_name(value: i32) -> *const c_char {
    match value {
        AGD_SOURCE_NATIVE => c"native",
        AGD_SOURCE_SYNTHETIC => c"synthetic",
        _ => c"unknown",
    }
    .as_ptr()
}

/// Returns the canonical name of an AGD_PURPOSE_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_purpose_name(value: i32) -> *const c_char {
    match value {
        AGD_PURPOSE_TRAIN_AI => c"train-ai",
        AGD_PURPOSE_SEARCH => c"search",
        AGD_PURPOSE_AI_INPUT => c"ai-input",
        _ => c"unknown",
    }
    .as_ptr()
}

/// Returns the canonical name of an AGD_STANCE_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_stance_name(value: i32) -> *const c_char {
    match value {
        AGD_STANCE_NOT_STATED => c"not-stated",
        AGD_STANCE_ALLOW => c"allow",
        AGD_STANCE_DISALLOW => c"disallow",
        _ => c"unknown",
    }
    .as_ptr()
}

/// Returns the canonical name of an AGD_VOCABULARY_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_vocabulary_name(value: i32) -> *const c_char {
    match value {
        AGD_VOCABULARY_CONTENT_SIGNAL => c"content-signal",
        AGD_VOCABULARY_CONTENT_USAGE => c"content-usage",
        _ => c"unknown",
    }
    .as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ffi::CStr;

    fn agree<E: Numbered>(name: extern "C" fn(i32) -> *const c_char) {
        let c = |number| {
            // SAFETY: the function returns static NUL-terminated text.
            unsafe { CStr::from_ptr(name(number)) }.to_str().unwrap()
        };
        let mut greatest = 0;
        for (_, value) in E::NAMES {
            assert_eq!(c(value.number()), value.as_str());
            greatest = greatest.max(value.number());
        }
        assert_eq!((c(0), c(-1), c(greatest + 1)), ("unknown", "unknown", "unknown"));
    }

    #[test]
    fn names_are_those_of_the_core() {
        agree::<Kind>(agd_kind_name);
        agree::<Protocol>(agd_protocol_name);
        agree::<AuthType>(agd_auth_name);
        agree::<Location>(agd_location_name);
        agree::<Window>(agd_window_name);
        agree::<Transport>(agd_transport_name);
        agree::<Sensitivity>(agd_sensitivity_name);
        agree::<Execution>(agd_execution_name);
        agree::<PricingType>(agd_pricing_name);
        agree::<Source>(agd_source_name);
        agree::<Purpose>(agd_purpose_name);
        agree::<Stance>(agd_stance_name);
        agree::<Vocabulary>(agd_vocabulary_name);
    }
}
