//! The constants of discovery: resources, states, failures and rejections.

use core::ffi::c_char;

use agentsdisc_core::discovery::{
    Declared, Failure, Follow, Moved, Pointing, Rejection, Resource, RobotsRules, Source,
};

use crate::boundary::c_text;

/// Checks at compile time that the constants equal the core's values.
macro_rules! tied {
    ($($name:ident { $($constant:ident = $value:ident,)* })*) => {$(
        $(const _: () = assert!($constant == $name::$value as i32);)*
    )*};
}

/// agents.json of either vocabulary.
pub const AGD_RESOURCE_AGENTS_JSON: i32 = 0;
/// agents.txt of either vocabulary.
pub const AGD_RESOURCE_AGENTS_TXT: i32 = 1;
/// agents.md.
pub const AGD_RESOURCE_AGENTS_MD: i32 = 2;
/// agent.json of the Agent Web Protocol.
pub const AGD_RESOURCE_AWP: i32 = 3;
/// Manifest of the Agent Discovery Protocol.
pub const AGD_RESOURCE_ADP: i32 = 4;
/// robots.txt.
pub const AGD_RESOURCE_ROBOTS_TXT: i32 = 5;
/// The agents.json that an agents.txt names (`Agents-JSON`), if it is not at the well-known
/// location.
pub const AGD_RESOURCE_COMPANION: i32 = 6;
/// A capability detail of the Agent Discovery Protocol, requested by the caller.
pub const AGD_RESOURCE_DETAIL: i32 = 7;
/// The declaration of an agent's operator (`Agent-Declaration`), requested by the caller.
pub const AGD_RESOURCE_DECLARATION: i32 = 8;
/// An A2A agent card.
pub const AGD_RESOURCE_AGENT_CARD: i32 = 9;
/// An MCP server card.
pub const AGD_RESOURCE_MCP_SERVER_CARD: i32 = 10;
/// An AI Catalog.
pub const AGD_RESOURCE_AI_CATALOG: i32 = 11;
/// An index of agent skills.
pub const AGD_RESOURCE_AGENT_SKILLS: i32 = 12;
/// An API catalog (RFC 9727).
pub const AGD_RESOURCE_API_CATALOG: i32 = 13;
/// llms.txt.
pub const AGD_RESOURCE_LLMS_TXT: i32 = 14;
/// The home page, for its links. It is not a document.
pub const AGD_RESOURCE_HOME: i32 = 15;
/// A document to which the site points, at any URL.
pub const AGD_RESOURCE_LINKED: i32 = 16;

/// Documents to which the site points are requested if they are on the site.
pub const AGD_FOLLOW_SAME_SITE: i32 = 0;
/// Documents to which the site points are not requested. The home page is not requested either.
pub const AGD_FOLLOW_NOTHING: i32 = 1;
/// Documents to which the site points are requested on other sites as well; such documents do not
/// count as documents of the site.
pub const AGD_FOLLOW_ANY: i32 = 2;

/// Nothing points to it: the location is well-known, or the caller gave the URL.
pub const AGD_POINTING_NONE: i32 = 0;
/// A `Link` header of the home page points to it.
pub const AGD_POINTING_LINK_HEADER: i32 = 1;
/// A `<link>` element of the home page points to it.
pub const AGD_POINTING_LINK_ELEMENT: i32 = 2;
/// A line of robots.txt points to it (`Agentmap`).
pub const AGD_POINTING_ROBOTS_FIELD: i32 = 3;
/// An entry of a catalog points to it.
pub const AGD_POINTING_ENTRY: i32 = 4;
/// It is the server card below the URL of an MCP endpoint that a document declares.
pub const AGD_POINTING_ENDPOINT: i32 = 5;
/// It is the companion of an agents.txt (`Agents-JSON`).
pub const AGD_POINTING_COMPANION: i32 = 6;

/// Not redirected.
pub const AGD_MOVED_NO: i32 = 0;
/// Redirected to another path of the same origin.
pub const AGD_MOVED_SAME_ORIGIN: i32 = 1;
/// Redirected from `http` to `https`, or with `www.` added or dropped.
pub const AGD_MOVED_CANONICAL: i32 = 2;
/// Redirected to another host or port of the site (its registrable domain; without the feature
/// `psl`, its host and subdomains).
pub const AGD_MOVED_SAME_SITE: i32 = 3;
/// Redirected to another site: only for robots.txt and URLs that the caller approved.
pub const AGD_MOVED_OTHER_SITE: i32 = 4;

/// The answer came from the network.
pub const AGD_ANSWER_FROM_NETWORK: i32 = 0;
/// The answer came from the caller's store, without a request.
pub const AGD_ANSWER_FROM_STORE: i32 = 1;
/// The answer came from the caller's store, revalidated by the server (304).
pub const AGD_ANSWER_FROM_REVALIDATED: i32 = 2;

/// Not requested, or not answered yet.
pub const AGD_ROBOTS_RULES_UNKNOWN: i32 = 0;
/// The rules of the robots.txt that was found.
pub const AGD_ROBOTS_RULES_DOCUMENT: i32 = 1;
/// Everything is allowed: there is no robots.txt, or the server refuses access to it (4xx).
pub const AGD_ROBOTS_RULES_ALLOW_ALL: i32 = 2;
/// Everything is disallowed: the server failed, is unreachable, or redirects too often.
pub const AGD_ROBOTS_RULES_DISALLOW_ALL: i32 = 3;

/// A timeout.
pub const AGD_FAILURE_TIMEOUT: i32 = 0;
/// The body is larger than the limit of the request.
pub const AGD_FAILURE_TOO_LARGE: i32 = 1;
/// The content coding is broken or not supported by the client.
pub const AGD_FAILURE_ENCODING: i32 = 2;
/// The caller refused to connect, for example to a private address.
pub const AGD_FAILURE_REFUSED: i32 = 3;
/// The connection broke, the certificate is invalid, or the response is not HTTP. Also for unknown
/// causes.
pub const AGD_FAILURE_UNREACHABLE: i32 = 4;
/// No connection was made: no network, unknown host, or connection refused. No request was sent, so
/// it may be repeated soon.
pub const AGD_FAILURE_NOT_CONNECTED: i32 = 5;
/// Not sent, because robots.txt disallows it (the member heeds_robots of the request).
pub const AGD_FAILURE_DISALLOWED: i32 = 6;

/// The declaration's `Operates-On` names the platform.
pub const AGD_DECLARED_NAMED: i32 = 0;
/// The declaration's `Operates-On` names other platforms, or none.
pub const AGD_DECLARED_NOT_NAMED: i32 = 1;
/// The document is not a declaration of an agent.
pub const AGD_DECLARED_NOT_AN_AGENT: i32 = 2;

/// No rejection: the attempt found a document, or is not finished.
pub const AGD_REJECTION_NONE: i32 = 0;
/// 404.
pub const AGD_REJECTION_NOT_FOUND: i32 = 1;
/// 410.
pub const AGD_REJECTION_GONE: i32 = 2;
/// 401, 403, 407 or 451.
pub const AGD_REJECTION_ACCESS_DENIED: i32 = 3;
/// 429.
pub const AGD_REJECTION_RATE_LIMITED: i32 = 4;
/// Another 4xx.
pub const AGD_REJECTION_CLIENT_ERROR: i32 = 5;
/// 5xx.
pub const AGD_REJECTION_SERVER_ERROR: i32 = 6;
/// Another status without a document, such as 204.
pub const AGD_REJECTION_UNEXPECTED_STATUS: i32 = 7;
/// 304 without a stored answer.
pub const AGD_REJECTION_NOT_MODIFIED_UNASKED: i32 = 8;
/// An HTML page, for example from a site that answers everything with 200.
pub const AGD_REJECTION_HTML: i32 = 9;
/// The format cannot be detected.
pub const AGD_REJECTION_NOT_RECOGNISED: i32 = 10;
/// A document of a kind that does not belong there.
pub const AGD_REJECTION_OTHER_FORMAT: i32 = 11;
/// A document that cannot be read; the member error_kind gives the reason.
pub const AGD_REJECTION_UNREADABLE: i32 = 12;
/// The body is larger than the limit.
pub const AGD_REJECTION_TOO_LARGE: i32 = 13;
/// A timeout.
pub const AGD_REJECTION_TIMEOUT: i32 = 14;
/// A content coding that is broken or not supported by the client.
pub const AGD_REJECTION_ENCODING: i32 = 15;
/// The caller refused to connect.
pub const AGD_REJECTION_ADDRESS_REFUSED: i32 = 16;
/// No connection, or a broken one.
pub const AGD_REJECTION_UNREACHABLE: i32 = 17;
/// A redirect without a target, or a redirect or document with an invalid URL.
pub const AGD_REJECTION_INVALID_URL: i32 = 18;
/// A redirect or a URL in a document that leaves the registrable domain.
pub const AGD_REJECTION_OFF_SITE: i32 = 19;
/// A redirect or a URL in a document that leads from https to http.
pub const AGD_REJECTION_DOWNGRADE: i32 = 20;
/// A redirect to a URL that this attempt already requested.
pub const AGD_REJECTION_REDIRECT_LOOP: i32 = 21;
/// More than five redirects.
pub const AGD_REJECTION_TOO_MANY_REDIRECTS: i32 = 22;
/// A URL longer than 512 bytes.
pub const AGD_REJECTION_URL_TOO_LONG: i32 = 23;
/// The document was not requested, because the last request was too recent.
pub const AGD_REJECTION_TOO_EARLY: i32 = 24;
/// The robots.txt of the site disallows the request, or cannot be fetched because of a server or
/// network error.
pub const AGD_REJECTION_ROBOTS_DISALLOWED: i32 = 25;

/// The next request of the attempt was not returned yet.
pub const AGD_ATTEMPT_WAITING: i32 = 0;
/// The request of the attempt is in flight.
pub const AGD_ATTEMPT_OPEN: i32 = 1;
/// The attempt found a document.
pub const AGD_ATTEMPT_FOUND: i32 = 2;
/// The attempt found nothing usable.
pub const AGD_ATTEMPT_REJECTED: i32 = 3;

tied! {
    Resource {
        AGD_RESOURCE_AGENTS_JSON = AgentsJson,
        AGD_RESOURCE_AGENTS_TXT = AgentsTxt,
        AGD_RESOURCE_AGENTS_MD = AgentsMd,
        AGD_RESOURCE_AWP = Awp,
        AGD_RESOURCE_ADP = Adp,
        AGD_RESOURCE_ROBOTS_TXT = RobotsTxt,
        AGD_RESOURCE_COMPANION = Companion,
        AGD_RESOURCE_DETAIL = Detail,
        AGD_RESOURCE_DECLARATION = Declaration,
        AGD_RESOURCE_AGENT_CARD = AgentCard,
        AGD_RESOURCE_MCP_SERVER_CARD = McpServerCard,
        AGD_RESOURCE_AI_CATALOG = AiCatalog,
        AGD_RESOURCE_AGENT_SKILLS = AgentSkills,
        AGD_RESOURCE_API_CATALOG = ApiCatalog,
        AGD_RESOURCE_LLMS_TXT = LlmsTxt,
        AGD_RESOURCE_HOME = Home,
        AGD_RESOURCE_LINKED = Linked,
    }
    Follow {
        AGD_FOLLOW_SAME_SITE = SameSite,
        AGD_FOLLOW_NOTHING = Nothing,
        AGD_FOLLOW_ANY = Any,
    }
    Pointing {
        AGD_POINTING_NONE = None,
        AGD_POINTING_LINK_HEADER = LinkHeader,
        AGD_POINTING_LINK_ELEMENT = LinkElement,
        AGD_POINTING_ROBOTS_FIELD = RobotsField,
        AGD_POINTING_ENTRY = Entry,
        AGD_POINTING_ENDPOINT = Endpoint,
        AGD_POINTING_COMPANION = Companion,
    }
    Moved {
        AGD_MOVED_NO = No,
        AGD_MOVED_SAME_ORIGIN = SameOrigin,
        AGD_MOVED_CANONICAL = Canonical,
        AGD_MOVED_SAME_SITE = SameSite,
        AGD_MOVED_OTHER_SITE = OtherSite,
    }
    Source {
        AGD_ANSWER_FROM_NETWORK = Network,
        AGD_ANSWER_FROM_STORE = Store,
        AGD_ANSWER_FROM_REVALIDATED = Revalidated,
    }
    RobotsRules {
        AGD_ROBOTS_RULES_UNKNOWN = Unknown,
        AGD_ROBOTS_RULES_DOCUMENT = Document,
        AGD_ROBOTS_RULES_ALLOW_ALL = AllowAll,
        AGD_ROBOTS_RULES_DISALLOW_ALL = DisallowAll,
    }
    Failure {
        AGD_FAILURE_TIMEOUT = Timeout,
        AGD_FAILURE_TOO_LARGE = TooLarge,
        AGD_FAILURE_ENCODING = Encoding,
        AGD_FAILURE_REFUSED = Refused,
        AGD_FAILURE_UNREACHABLE = Unreachable,
        AGD_FAILURE_NOT_CONNECTED = NotConnected,
        AGD_FAILURE_DISALLOWED = Disallowed,
    }
    Declared {
        AGD_DECLARED_NAMED = Named,
        AGD_DECLARED_NOT_NAMED = NotNamed,
        AGD_DECLARED_NOT_AN_AGENT = NotAnAgent,
    }
    Rejection {
        AGD_REJECTION_NOT_FOUND = NotFound,
        AGD_REJECTION_GONE = Gone,
        AGD_REJECTION_ACCESS_DENIED = AccessDenied,
        AGD_REJECTION_RATE_LIMITED = RateLimited,
        AGD_REJECTION_CLIENT_ERROR = ClientError,
        AGD_REJECTION_SERVER_ERROR = ServerError,
        AGD_REJECTION_UNEXPECTED_STATUS = UnexpectedStatus,
        AGD_REJECTION_NOT_MODIFIED_UNASKED = NotModifiedUnasked,
        AGD_REJECTION_HTML = Html,
        AGD_REJECTION_NOT_RECOGNISED = NotRecognised,
        AGD_REJECTION_OTHER_FORMAT = OtherFormat,
        AGD_REJECTION_UNREADABLE = Unreadable,
        AGD_REJECTION_TOO_LARGE = TooLarge,
        AGD_REJECTION_TIMEOUT = Timeout,
        AGD_REJECTION_ENCODING = Encoding,
        AGD_REJECTION_ADDRESS_REFUSED = AddressRefused,
        AGD_REJECTION_UNREACHABLE = Unreachable,
        AGD_REJECTION_INVALID_URL = InvalidUrl,
        AGD_REJECTION_OFF_SITE = OffSite,
        AGD_REJECTION_DOWNGRADE = Downgrade,
        AGD_REJECTION_REDIRECT_LOOP = RedirectLoop,
        AGD_REJECTION_TOO_MANY_REDIRECTS = TooManyRedirects,
        AGD_REJECTION_URL_TOO_LONG = UrlTooLong,
        AGD_REJECTION_TOO_EARLY = TooEarly,
        AGD_REJECTION_ROBOTS_DISALLOWED = RobotsDisallowed,
    }
}

/// NUL-terminated texts for the values of the core.
macro_rules! named {
    ($number:expr, $type:ident, $function:ident, $($value:ident)*) => {
        match $number {
            $(number if number == $type::$value as i32 => c_text!($type::$value.$function()),)*
            _ => c"unknown".as_ptr(),
        }
    };
}

macro_rules! of_rejection {
    ($number:expr, $function:ident) => {
        named!(
            $number, Rejection, $function, NotFound Gone AccessDenied RateLimited ClientError ServerError UnexpectedStatus NotModifiedUnasked Html NotRecognised OtherFormat Unreadable TooLarge Timeout Encoding AddressRefused Unreachable InvalidUrl OffSite Downgrade RedirectLoop TooManyRedirects UrlTooLong TooEarly RobotsDisallowed
        )
    };
}

/// Returns the stable code of a rejection (AGD_REJECTION_*), such as `not-found`, NUL-terminated;
/// `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_rejection_code(rejection: i32) -> *const c_char {
    of_rejection!(rejection, as_str)
}

/// Returns what a rejection means, in English: a sentence without a capital and a full stop,
/// NUL-terminated; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_rejection_message(rejection: i32) -> *const c_char {
    of_rejection!(rejection, message)
}

/// Returns the stable id of a resource (AGD_RESOURCE_*), such as `agents-json`, NUL-terminated;
/// `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_resource_id(resource: i32) -> *const c_char {
    named!(resource, Resource, as_str, AgentsJson AgentsTxt AgentsMd Awp Adp RobotsTxt Companion Detail Declaration AgentCard McpServerCard AiCatalog AgentSkills ApiCatalog LlmsTxt Home Linked)
}

/// Returns the stable id of how a document is pointed to (AGD_POINTING_*), such as `link-header`,
/// NUL-terminated; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
#[unsafe(no_mangle)]
pub extern "C" fn agd_pointing_id(pointing: i32) -> *const c_char {
    named!(pointing, Pointing, as_str, None LinkHeader LinkElement RobotsField Entry Endpoint Companion)
}

/// Converts a choice of what to follow from C.
pub(crate) fn follow_of(number: i32) -> Option<Follow> {
    Follow::ALL.iter().copied().find(|follow| *follow as i32 == number)
}

/// Converts a failure from C.
pub(crate) fn failure_of(number: i32) -> Option<Failure> {
    Failure::ALL.iter().copied().find(|failure| *failure as i32 == number)
}

/// Converts a rejection from C.
pub(crate) fn rejection_of(number: i32) -> Option<Rejection> {
    Rejection::ALL.iter().copied().find(|rejection| *rejection as i32 == number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ffi::CStr;

    #[test]
    fn everything_has_its_name() {
        // SAFETY: the functions return static NUL-terminated text.
        let text = |pointer| unsafe { CStr::from_ptr(pointer) }.to_str().unwrap();
        for rejection in Rejection::ALL {
            assert_eq!(text(agd_rejection_code(*rejection as i32)), rejection.as_str());
            assert_eq!(text(agd_rejection_message(*rejection as i32)), rejection.message());
            assert_eq!(rejection_of(*rejection as i32), Some(*rejection));
        }
        for resource in Resource::ALL {
            assert_eq!(text(agd_resource_id(*resource as i32)), resource.as_str());
        }
        assert_eq!(text(agd_pointing_id(AGD_POINTING_ENTRY)), Pointing::Entry.as_str());
        for follow in Follow::ALL {
            assert_eq!(follow_of(*follow as i32), Some(*follow));
        }
        let no_site = agentsdisc_core::discovery::OriginError::Invalid.message();
        assert_eq!(text(crate::agd_status_message(crate::AGD_ERROR_SITE)), no_site);
        assert_eq!(
            [
                text(agd_rejection_code(0)),
                text(agd_rejection_message(-1)),
                text(agd_resource_id(99))
            ],
            ["unknown"; 3]
        );
    }
}
