/*
 * agentsdisc: reads agents.txt, agents.json and related formats, by which web sites tell AI agents what they may do.
 *
 * Made by cbindgen from ffi-c/src; change it there, then run `cargo xtask header`. The guide is docs/c.md.
 *
 *     agd_document document = AGD_DOCUMENT_INIT;
 *     if (agd_parse(data, length, NULL, &document, NULL) == AGD_OK) {
 *         agd_capabilities list = agd_document_capabilities(&document);
 *         agd_capability capability = AGD_INIT(agd_capability);
 *         while (agd_capabilities_next(&list, &capability) == AGD_SOME)
 *             printf("%.*s\n", (int)capability.id.len, capability.id.ptr);
 *     }
 *
 * Every function follows these rules, unless it says otherwise:
 *
 * - Ownership. You allocate every struct; the library allocates nothing, keeps no state between calls, and has nothing to free.
 * - Lifetime. Everything read from a document points into the bytes that you gave to agd_parse. Do not move, change or free them while
 *   you use the document, or anything read from it. The agd_document itself may go out of scope before what was read from it.
 * - Memory. The output of a call must not overlap its input: a buffer must not hold the text that is decoded or resolved into it.
 * - Growth. A struct whose first member is `size` may get members at its end in a later version. Initialise it with AGD_INIT.
 * - Absence. Absent text has `ptr` NULL; an absent enumeration, truth value or number is AGD_UNSAID; an absent list is empty.
 * - Text. It has no NUL at its end, and may be escaped: check `flags`, or use agd_text_decode and agd_text_eq_str.
 * - Enumerations are int32_t with named constants. Later versions may return constants that this header does not have.
 * - Misuse that can be detected returns AGD_ERROR_NULL, _ARGUMENT, _UNINITIALISED or _STRUCT_SIZE. Compare with AGD_SOME or AGD_OK: a
 *   loop `while (agd_..._next(...))` never ends on misuse.
 * - Threads. There is no shared state. Many threads may read one document. Only one thread at a time may walk a list, or use a
 *   discovery.
 * - Cost. No heap, no recursion on input; time at worst linear in the document. The stack is bounded: 8 KB, or what the function states (on
 *   x86-64; docs/embedded.md has the sizes for small systems).
 */


#ifndef AGENTSDISC_H
#define AGENTSDISC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AGD_STRINGIFY_(text) #text
#define AGD_STRINGIFY(text) AGD_STRINGIFY_(text)

/** The version of this header, such as "0.1.0". */
#define AGD_VERSION AGD_STRINGIFY(AGD_VERSION_MAJOR) "." AGD_STRINGIFY(AGD_VERSION_MINOR) "." AGD_STRINGIFY(AGD_VERSION_PATCH)

/** The version of this header as a number that compares. */
#define AGD_VERSION_NUMBER (AGD_VERSION_MAJOR * 1000000 + AGD_VERSION_MINOR * 1000 + AGD_VERSION_PATCH)

/** The size of the state of a list, in words. */
#define AGD_LIST_WORDS (4 + 24 / sizeof(void *))

/** Initialises a struct whose first member is `size`: `agd_capability capability = AGD_INIT(agd_capability);` */
#ifdef __cplusplus
#define AGD_INIT(type) (agd_initialised<type>())
template <typename Type> constexpr Type agd_initialised() noexcept {
    Type value{};
    value.size = sizeof(Type);
    return value;
}
#else
#define AGD_INIT(type) {.size = sizeof(type)}
#endif

/** Initialises an agd_document, an agd_robots or an agd_discovery: functions recognise it as not parsed yet. */
#ifdef __cplusplus
#define AGD_DOCUMENT_INIT {}
#define AGD_ROBOTS_INIT {}
#define AGD_DISCOVERY_INIT {}
#else
#define AGD_DOCUMENT_INIT {{0}}
#define AGD_ROBOTS_INIT {{0}}
#define AGD_DISCOVERY_INIT {{0}}
#endif


/// How many arguments a call may have.
#define AGD_ARGUMENTS_MAX 64

/// The rate limit is for everything that the agent does there.
#define AGD_SCOPE_AGENT 1

/// The rate limit is for the one capability.
#define AGD_SCOPE_CAPABILITY 2

/// The rate limit is for everybody, on the whole service.
#define AGD_SCOPE_SERVICE 3

/// The rate limit is what the robots.txt wishes.
#define AGD_SCOPE_ROBOTS 4

/// Words of agents.md: what agents can do.
#define AGD_WORDS_CAN 1

/// Words of agents.md: what they cannot.
#define AGD_WORDS_CANNOT 2

/// Words of agents.md: how they should behave.
#define AGD_WORDS_BEHAVIOR 3

/// Words of the state of a list of limits that apply.
#define AGD_APPLIED_WORDS 96

/// Words of the state of a list of words.
#define AGD_ADVICE_WORDS 32

/// Of an agent: only the capabilities that are listed may be used; with an empty list, none.
#define AGD_CAPABILITIES_LISTED 0

/// Of an agent: all capabilities may be used.
#define AGD_CAPABILITIES_ALL 1

/// A section starts: a heading of level 2.
#define AGD_ENTRY_SECTION 1

/// A heading of another level. One of level 1 ends the section before it.
#define AGD_ENTRY_HEADING 2

/// A list item, empty ones included.
#define AGD_ENTRY_ITEM 3

/// A paragraph that is not the text of an item.
#define AGD_ENTRY_PARAGRAPH 4

/// The lines of code.
#define AGD_ENTRY_CODE 5

/// `Can`: what agents may do.
#define AGD_SECTION_CAN 0

/// `Cannot`: what they must not do.
#define AGD_SECTION_CANNOT 1

/// `MCP`: the gateway.
#define AGD_SECTION_MCP 2

/// `Behavior`: rules of conduct.
#define AGD_SECTION_BEHAVIOR 3

/// `Contact`.
#define AGD_SECTION_CONTACT 4

/// A section of any other name.
#define AGD_SECTION_OTHER 5

/// Words of the state of a walk.
#define AGD_AGENTS_MD_WORDS 128

/// Words of the state of a loss.
#define AGD_LOSS_WORDS 24

/// Where a rule or limit stands, instead of the index of a document: in the robots.txt of the request.
#define AGD_FROM_ROBOTS -2

/// No document says anything about authentication.
#define AGD_NEED_NOT_STATED 0

/// No authentication is needed.
#define AGD_NEED_NONE 1

/// Authentication is possible.
#define AGD_NEED_OPTIONAL 2

/// Authentication is needed.
#define AGD_NEED_REQUIRED 3

/// Credentials may be sent there.
#define AGD_CREDENTIALS_ALLOWED 1

/// They may not: the connection is not encrypted.
#define AGD_CREDENTIALS_INSECURE 2

/// They may not: the host has non-ASCII letters.
#define AGD_CREDENTIALS_NON_ASCII_HOST 3

/// They may not: the host belongs to another registrable domain.
#define AGD_CREDENTIALS_OTHER_DOMAIN 4

/// They may not: it is not known where the request goes, or whose the documents are.
#define AGD_CREDENTIALS_UNKNOWN_HOST 5

/// No document says that a person is to be asked.
#define AGD_CONFIRMATION_NOT_STATED 0

/// A person should be asked.
#define AGD_CONFIRMATION_SHOULD 1

/// A person must be asked.
#define AGD_CONFIRMATION_MUST 2

/// Words of the state of a decision.
#define AGD_DECISION_WORDS 192

/// Words of the state of a detection.
#define AGD_DETECTION_WORDS 8

/// Words of the state of a diagnostic.
#define AGD_DIAGNOSTIC_WORDS 20

/// Words of the state of a list of diagnostics.
#define AGD_DIAGNOSTICS_WORDS 128

/// agents.json of either vocabulary.
#define AGD_RESOURCE_AGENTS_JSON 0

/// agents.txt of either vocabulary.
#define AGD_RESOURCE_AGENTS_TXT 1

/// agents.md.
#define AGD_RESOURCE_AGENTS_MD 2

/// agent.json of the Agent Web Protocol.
#define AGD_RESOURCE_AWP 3

/// Manifest of the Agent Discovery Protocol.
#define AGD_RESOURCE_ADP 4

/// robots.txt.
#define AGD_RESOURCE_ROBOTS_TXT 5

/// The agents.json that an agents.txt names (`Agents-JSON`), where that is not the well-known one.
#define AGD_RESOURCE_COMPANION 6

/// A capability detail of the Agent Discovery Protocol, requested by the caller.
#define AGD_RESOURCE_DETAIL 7

/// The declaration of an agent's operator (`Agent-Declaration`), requested by the caller.
#define AGD_RESOURCE_DECLARATION 8

/// There.
#define AGD_MOVED_NO 0

/// At another path of the origin.
#define AGD_MOVED_SAME_ORIGIN 1

/// `http` became `https`, or `www.` was added or dropped.
#define AGD_MOVED_CANONICAL 2

/// On another host or port of the site (its registrable domain; without the feature `psl` its host and what is below).
#define AGD_MOVED_SAME_SITE 3

/// On another site: only robots.txt may be there, and what the caller approved.
#define AGD_MOVED_OTHER_SITE 4

/// From the network.
#define AGD_ANSWER_FROM_NETWORK 0

/// From what the caller had stored, without asking.
#define AGD_ANSWER_FROM_STORE 1

/// From what the caller had stored, and the server said that it counts still.
#define AGD_ANSWER_FROM_REVALIDATED 2

/// Nobody has asked, or no answer came yet.
#define AGD_ROBOTS_RULES_UNKNOWN 0

/// Those of the document that was found.
#define AGD_ROBOTS_RULES_DOCUMENT 1

/// None: the server says that there is no robots.txt, or that it is not for us (4xx).
#define AGD_ROBOTS_RULES_ALLOW_ALL 2

/// Everything is forbidden: the server failed, cannot be reached, or never comes to an end.
#define AGD_ROBOTS_RULES_DISALLOW_ALL 3

/// It took too long.
#define AGD_FAILURE_TIMEOUT 0

/// The body is larger than the limit of the request.
#define AGD_FAILURE_TOO_LARGE 1

/// The content coding is one that the client cannot decode, or broken.
#define AGD_FAILURE_ENCODING 2

/// The caller does not connect there, as to a private address.
#define AGD_FAILURE_REFUSED 3

/// A connection that breaks, a certificate that does not hold, an answer that is not HTTP; also for an unknown cause.
#define AGD_FAILURE_UNREACHABLE 4

/// No connection: there is no network, no such host, or nothing listens. No request was sent, and it may be tried again soon.
#define AGD_FAILURE_NOT_CONNECTED 5

/// Its `Operates-On` names the platform.
#define AGD_DECLARED_NAMED 0

/// It names others, or none.
#define AGD_DECLARED_NOT_NAMED 1

/// The document is not a declaration of an agent.
#define AGD_DECLARED_NOT_AN_AGENT 2

/// Why an attempt gave nothing: it gave a document, or is not at its end.
#define AGD_REJECTION_NONE 0

/// 404.
#define AGD_REJECTION_NOT_FOUND 1

/// 410.
#define AGD_REJECTION_GONE 2

/// 401, 403, 407 or 451.
#define AGD_REJECTION_ACCESS_DENIED 3

/// 429.
#define AGD_REJECTION_RATE_LIMITED 4

/// Another 4xx.
#define AGD_REJECTION_CLIENT_ERROR 5

/// 5xx.
#define AGD_REJECTION_SERVER_ERROR 6

/// Another status that brings no document, such as 204.
#define AGD_REJECTION_UNEXPECTED_STATUS 7

/// 304 where nothing was stored.
#define AGD_REJECTION_NOT_MODIFIED_UNASKED 8

/// An HTML page, as of a site that says 200 for everything.
#define AGD_REJECTION_HTML 9

/// The format cannot be detected.
#define AGD_REJECTION_NOT_RECOGNISED 10

/// A document of another kind than belongs there.
#define AGD_REJECTION_OTHER_FORMAT 11

/// A document that cannot be read; the member error_kind says why.
#define AGD_REJECTION_UNREADABLE 12

/// More octets than the limit.
#define AGD_REJECTION_TOO_LARGE 13

/// It took too long.
#define AGD_REJECTION_TIMEOUT 14

/// A content coding that the client cannot decode, or one that is broken.
#define AGD_REJECTION_ENCODING 15

/// The caller does not connect there.
#define AGD_REJECTION_ADDRESS_REFUSED 16

/// No connection, or a broken one.
#define AGD_REJECTION_UNREACHABLE 17

/// A redirect without a target; or it, or the document, names something that is not a web address.
#define AGD_REJECTION_INVALID_URL 18

/// A redirect, or the URL in a document, that leaves the registrable domain.
#define AGD_REJECTION_OFF_SITE 19

/// A redirect, or the URL in a document, that leads from https to http.
#define AGD_REJECTION_DOWNGRADE 20

/// A redirect to where this attempt has been.
#define AGD_REJECTION_REDIRECT_LOOP 21

/// More than five redirects.
#define AGD_REJECTION_TOO_MANY_REDIRECTS 22

/// A URL longer than 512 octets.
#define AGD_REJECTION_URL_TOO_LONG 23

/// Not requested, because it was requested a short while ago.
#define AGD_REJECTION_TOO_EARLY 24

/// What was found or not: its next request was not handed out yet.
#define AGD_ATTEMPT_WAITING 0

/// Its request was handed out, and not answered yet.
#define AGD_ATTEMPT_OPEN 1

/// It gave a document.
#define AGD_ATTEMPT_FOUND 2

/// It gave nothing.
#define AGD_ATTEMPT_REJECTED 3

/// Words of the state of a discovery.
#define AGD_DISCOVERY_WORDS 2560

/// Headers that agd_discovery_headers writes at most.
#define AGD_DISCOVERY_HEADERS 4

/// Words of the state of a document.
#define AGD_DOCUMENT_WORDS 96

/// Stands for any enumeration, truth value or number about which the document says nothing.
#define AGD_UNSAID -1

/// A truth value: false.
#define AGD_FALSE 0

/// A truth value: true.
#define AGD_TRUE 1

/// Whose declaration a document is. A text that is none of its names.
#define AGD_KIND_UNKNOWN 0

/// A site's, of what agents may do there.
#define AGD_KIND_PLATFORM 1

/// An agent operator's, of what its agent does elsewhere.
#define AGD_KIND_AGENT 2

/// How a capability or an endpoint is spoken to. A text that is none of its names.
#define AGD_PROTOCOL_UNKNOWN 0

/// Plain HTTP requests.
#define AGD_PROTOCOL_REST 1

/// Model Context Protocol.
#define AGD_PROTOCOL_MCP 2

/// Agent-to-Agent.
#define AGD_PROTOCOL_A2A 3

/// GraphQL.
#define AGD_PROTOCOL_GRAPHQL 4

/// WebSocket.
#define AGD_PROTOCOL_WEBSOCKET 5

/// Agent Communication Protocol.
#define AGD_PROTOCOL_ACP 6

/// Agent Payments Protocol.
#define AGD_PROTOCOL_AP2 7

/// HTTP 402 payments.
#define AGD_PROTOCOL_X402 8

/// Skyfire payments.
#define AGD_PROTOCOL_SKYFIRE 9

/// An OpenAPI description.
#define AGD_PROTOCOL_OPENAPI 10

/// A generic payment hand-off.
#define AGD_PROTOCOL_PAYMENT 11

/// How a caller authenticates. A text that is none of its names.
#define AGD_AUTH_UNKNOWN 0

/// Not at all.
#define AGD_AUTH_NONE 1

/// A key in a header.
#define AGD_AUTH_API_KEY 2

/// A bearer token.
#define AGD_AUTH_BEARER_TOKEN 3

/// OAuth 2.
#define AGD_AUTH_OAUTH2 4

/// A signature with a shared key.
#define AGD_AUTH_HMAC 5

/// Where a parameter is sent. A text that is none of its names.
#define AGD_LOCATION_UNKNOWN 0

/// In the query string.
#define AGD_LOCATION_QUERY 1

/// In the path.
#define AGD_LOCATION_PATH 2

/// In a header.
#define AGD_LOCATION_HEADER 3

/// In the body.
#define AGD_LOCATION_BODY 4

/// The time over which requests are counted. A text that is none of its names.
#define AGD_WINDOW_UNKNOWN 0

/// One second.
#define AGD_WINDOW_SECOND 1

/// One minute.
#define AGD_WINDOW_MINUTE 2

/// One hour.
#define AGD_WINDOW_HOUR 3

/// One day.
#define AGD_WINDOW_DAY 4

/// How an MCP endpoint is connected to. A text that is none of its names.
#define AGD_TRANSPORT_UNKNOWN 0

/// Streamable HTTP.
#define AGD_TRANSPORT_STREAMABLE_HTTP 1

/// Server-sent events.
#define AGD_TRANSPORT_SSE 2

/// HTTP, not said which way.
#define AGD_TRANSPORT_HTTP 3

/// Standard input and output.
#define AGD_TRANSPORT_STDIO 4

/// What an action may break. A text that is none of its names.
#define AGD_SENSITIVITY_UNKNOWN 0

/// Nothing special.
#define AGD_SENSITIVITY_STANDARD 1

/// It modifies or deletes data.
#define AGD_SENSITIVITY_DESTRUCTIVE 2

/// It cannot be undone.
#define AGD_SENSITIVITY_IRREVERSIBLE 3

/// Whether the answer of an action is its result. A text that is none of its names.
#define AGD_EXECUTION_UNKNOWN 0

/// It is.
#define AGD_EXECUTION_SYNC 1

/// The result is fetched later.
#define AGD_EXECUTION_ASYNC 2

/// What a service costs. A text that is none of its names.
#define AGD_PRICING_UNKNOWN 0

/// Nothing.
#define AGD_PRICING_FREE 1

/// Nothing at first.
#define AGD_PRICING_FREEMIUM 2

/// Money.
#define AGD_PRICING_PAID 3

/// Who wrote a document. A text that is none of its names.
#define AGD_SOURCE_UNKNOWN 0

/// The site itself.
#define AGD_SOURCE_NATIVE 1

/// Somebody else, about the site.
#define AGD_SOURCE_SYNTHETIC 2

/// Nothing says what it is.
#define AGD_FORMAT_UNKNOWN 0

/// agents.txt of the Internet-Draft draft-car-agents-txt-wellknown.
#define AGD_FORMAT_AGENTS_TXT 1

/// agents.json of the same Internet-Draft.
#define AGD_FORMAT_AGENTS_JSON 2

/// agents.txt 0.1.0.
#define AGD_FORMAT_AGENTS_TXT_01 3

/// agents.json 0.1, the companion of agents.txt 0.1.0.
#define AGD_FORMAT_AGENTS_JSON_01 4

/// agents.md 1.0.0-draft.
#define AGD_FORMAT_AGENTS_MD 5

/// agent.json of the Agent Web Protocol 0.2.
#define AGD_FORMAT_AWP 6

/// Manifest of the Agent Discovery Protocol 1.0.
#define AGD_FORMAT_ADP 7

/// Capability detail of the Agent Discovery Protocol.
#define AGD_FORMAT_ADP_CAPABILITY 8

/// Registry search response of the Agent Discovery Protocol.
#define AGD_FORMAT_ADP_SEARCH 9

/// robots.txt, RFC 9309.
#define AGD_FORMAT_ROBOTS_TXT 10

/// An A2A agent card.
#define AGD_FORMAT_A2A_AGENT_CARD 32

/// An MCP server card.
#define AGD_FORMAT_MCP_SERVER_CARD 33

/// An AID record.
#define AGD_FORMAT_AID 34

/// A plugin manifest with `name_for_model`.
#define AGD_FORMAT_AI_PLUGIN 35

/// The agents.json of another vocabulary, with `agentsJson`.
#define AGD_FORMAT_WILDCARD_AGENTS_JSON 36

/// llms.txt.
#define AGD_FORMAT_LLMS_TXT 37

/// agent-permissions.json.
#define AGD_FORMAT_AGENT_PERMISSIONS 38

/// An OpenAPI or Swagger description.
#define AGD_FORMAT_OPENAPI 39

/// An HTML page.
#define AGD_FORMAT_HTML 40

/// The robots.txt was not requested: it is ignored.
#define AGD_ROBOTS_NOT_ASKED 0

/// The robots.txt is the one that is given.
#define AGD_ROBOTS_FOUND 1

/// There is no robots.txt (a 4xx status): everything is allowed.
#define AGD_ROBOTS_ABSENT 2

/// The robots.txt could not be had (a 5xx status, no connection): nothing is allowed.
#define AGD_ROBOTS_UNREACHABLE 3

/// Why a request is allowed or not, for a reason that is newer than this list. What each means is agd_reason_message and docs/policy.md.
#define AGD_REASON_UNKNOWN 0

/// Allowed: an `Allow` rule matches.
#define AGD_REASON_ALLOWED 1

/// Allowed: there are only `Disallow` rules, and none matches.
#define AGD_REASON_NOT_DISALLOWED 2

/// Allowed: the URL is the endpoint of a declared capability.
#define AGD_REASON_CAPABILITY_ENDPOINT 3

/// Allowed: the policy for the agent grants the capability.
#define AGD_REASON_CAPABILITY_GRANTED 4

/// Allowed: no policy is for the agent, so every capability is open.
#define AGD_REASON_NO_AGENT_BLOCK 5

/// Allowed: the capability is declared, in a format without policies for agents.
#define AGD_REASON_CAPABILITY_DECLARED 6

/// Allowed: the URL is the endpoint of another protocol, such as MCP.
#define AGD_REASON_PROTOCOL_ENDPOINT 7

/// Allowed: the endpoint is on another registrable domain, and approved.
#define AGD_REASON_APPROVED_ENDPOINT 8

/// Allowed: the URL is a place where agents look for documents.
#define AGD_REASON_DISCOVERY_DOCUMENT 9

/// Allowed: a rule of the robots.txt allows it, and no other document states anything about it.
#define AGD_REASON_ROBOTS_ALLOWED 10

/// Allowed: nothing but restrictions in words is there, which the agent must heed.
#define AGD_REASON_PROSE_ONLY 11

/// Allowed: no document states anything about the request.
#define AGD_REASON_NOT_STATED 12

/// Denied: a `Disallow` rule matches.
#define AGD_REASON_DISALLOWED 13

/// Denied: there are `Allow` rules, and none matches.
#define AGD_REASON_NOT_LISTED 14

/// Denied: there are no access rules, and this is not an endpoint of a capability.
#define AGD_REASON_NO_ACCESS_RULES 15

/// Denied: the policy for the agent does not list the capability.
#define AGD_REASON_CAPABILITY_NOT_GRANTED 16

/// Denied: no document declares the capability.
#define AGD_REASON_UNKNOWN_CAPABILITY 17

/// Denied: the capability is declared for another method.
#define AGD_REASON_METHOD_NOT_DECLARED 18

/// Denied: rules or policies cannot be read.
#define AGD_REASON_UNREADABLE 19

/// Denied: a rule of the robots.txt disallows it.
#define AGD_REASON_ROBOTS_DISALLOWED 20

/// Denied: the robots.txt could not be had.
#define AGD_REASON_ROBOTS_UNREACHABLE 21

/// Denied: the service does not work at present.
#define AGD_REASON_NOT_OPERATIONAL 22

/// Denied: a rate limit allows no request.
#define AGD_REASON_NO_REQUESTS 23

/// Denied: the endpoint is on another registrable domain, and not approved.
#define AGD_REASON_CROSS_ORIGIN_ENDPOINT 24

/// Denied: the URL is on another origin than that of the documents.
#define AGD_REASON_OTHER_ORIGIN 25

/// Denied: credentials would go over an open connection.
#define AGD_REASON_INSECURE_ENDPOINT 26

/// Denied: credentials would go to a host that cannot be verified.
#define AGD_REASON_UNVERIFIED_HOST 27

/// Denied: the capability is called through a protocol that is not declared.
#define AGD_REASON_UNKNOWN_PROTOCOL 28

/// Denied: the endpoint of the capability is not a URL that can be called safely.
#define AGD_REASON_INVALID_ENDPOINT 29

/// Denied: the URL or the origin is none, or could be read in two ways.
#define AGD_REASON_INVALID_URL 30

/// Denied: the method is none.
#define AGD_REASON_INVALID_METHOD 31

/// Why an agent may fetch something or may not, for a reason that is newer than this list.
#define AGD_ROBOTS_REASON_UNKNOWN 0

/// A rule says so.
#define AGD_ROBOTS_REASON_RULE 1

/// It may: no rule of the agent's groups matches.
#define AGD_ROBOTS_REASON_NO_RULE 2

/// It may: no group is for the agent, nor for `*`.
#define AGD_ROBOTS_REASON_NO_GROUP 3

/// It may: it is the robots.txt itself, which everyone may fetch.
#define AGD_ROBOTS_REASON_ROBOTS_FILE 4

/// No group binds the agent.
#define AGD_ROBOTS_BINDING_NONE 0

/// The groups for `*` bind the agent.
#define AGD_ROBOTS_BINDING_ANY 1

/// Groups that name the agent bind it.
#define AGD_ROBOTS_BINDING_NAMED 2

/// Words of the state of a robots.txt.
#define AGD_ROBOTS_WORDS 12

/// Worth knowing.
#define AGD_SEVERITY_INFO 1

/// Breaks a SHOULD, or very likely a mistake.
#define AGD_SEVERITY_WARNING 2

/// Breaks a MUST, or a required field is missing.
#define AGD_SEVERITY_ERROR 3

/// In `flags` of a text: the bytes are escaped, and reading them as they are would be wrong; use agd_text_decode and agd_text_eq.
#define AGD_TEXT_ESCAPED 1

/// Any other name than those below: that of an entity, or one that the document does not explain.
#define AGD_TYPE_NAMED 0

/// `string`
#define AGD_TYPE_STRING 1

/// `integer`
#define AGD_TYPE_INTEGER 2

/// `float`
#define AGD_TYPE_FLOAT 3

/// `boolean`
#define AGD_TYPE_BOOLEAN 4

/// `ISO8601`: a date, or a date and time.
#define AGD_TYPE_DATE_TIME 5

/// `url`
#define AGD_TYPE_URL 6

/// `enum` or `enum[a, b]`
#define AGD_TYPE_ENUM 7

/// `array` or `array[T]`
#define AGD_TYPE_ARRAY 8

/// `object` or `object[E]`
#define AGD_TYPE_OBJECT 9

/// Words of the state of a list of values.
#define AGD_TYPE_WORDS 16

/// The request goes to the host of the documents.
#define AGD_RELATION_SAME_HOST 1

/// It goes to a host below that.
#define AGD_RELATION_SUBDOMAIN 2

/// It goes to a host below the same registrable domain.
#define AGD_RELATION_SAME_REGISTRABLE_DOMAIN 3

/// It goes elsewhere.
#define AGD_RELATION_OTHER 4

/// The host is a name.
#define AGD_HOST_NAME 1

/// The host is an IPv4 address, in whichever spelling.
#define AGD_HOST_IPV4 2

/// The host is an IPv6 address, in its brackets.
#define AGD_HOST_IPV6 3

/// There is no value.
#define AGD_VALUE_ABSENT 0

/// Text of a text document.
#define AGD_VALUE_TEXT 1

/// A JSON string; `text` is what stands between its quotes.
#define AGD_VALUE_STRING 2

/// A JSON number, as written.
#define AGD_VALUE_NUMBER 3

/// JSON `true` or `false`.
#define AGD_VALUE_BOOL 4

/// JSON `null`.
#define AGD_VALUE_NULL 5

/// A JSON object, as written.
#define AGD_VALUE_OBJECT 6

/// A JSON array, as written.
#define AGD_VALUE_ARRAY 7

/// Major version of this header.
#define AGD_VERSION_MAJOR 0

/// Minor version of this header.
#define AGD_VERSION_MINOR 1

/// Patch version of this header.
#define AGD_VERSION_PATCH 0

/// Words of a workspace.
#define AGD_WORKSPACE_WORDS 1280

/// What a function returns: zero or more for success, less for an error. One of the constants below.
typedef int32_t agd_status;

/// A parsed document: plain offsets, and where the caller's bytes are. You allocate it (AGD_DOCUMENT_INIT), on the stack or anywhere; there is
/// nothing to free, and it can be copied and moved as plain memory.
///
/// Many threads may read one document at the same time.
typedef struct agd_document {
    /// The library's.
    uint64_t state[AGD_DOCUMENT_WORDS];
} agd_document;

/// The memory of a list.
typedef const void *agd_list_state[AGD_LIST_WORDS];

/// A list of texts. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
typedef struct agd_texts {
    /// The library's.
    agd_list_state state;
} agd_texts;

/// A list of named values. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
typedef struct agd_members {
    /// The library's.
    agd_list_state state;
} agd_members;

/// Which paths agents may access. It borrows the document's bytes.
typedef struct agd_access {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Patterns of allowed paths.
    struct agd_texts allow;
    /// Patterns of disallowed paths.
    struct agd_texts disallow;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_access;

/// Permissions in words (agents.md). It borrows the document's bytes.
typedef struct agd_permissions {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// What agents can do.
    struct agd_texts can;
    /// What agents cannot do.
    struct agd_texts cannot;
    /// How agents should behave.
    struct agd_texts behavior;
} agd_permissions;

/// A piece of text, always borrowed: do not free it. It points into the bytes that were parsed and lives as long as they do (or is static,
/// where a function says so). It has no NUL at its end.
///
/// Absent text has `ptr` NULL; empty text has not.
typedef struct agd_text {
    /// The first byte, UTF-8 (only in a robots.txt other bytes may occur). NULL where the text is absent.
    const char *ptr;
    /// Number of bytes.
    size_t len;
    /// AGD_TEXT_ESCAPED or 0; the other bits are the library's. Texts that you make have 0.
    uint32_t flags;
} agd_text;

/// A value of an enumeration as a document gives it.
typedef struct agd_choice {
    /// What it means: a constant of the enumeration. Zero (AGD_*_UNKNOWN) where the text is none of its names; AGD_UNSAID where the document
    /// says nothing about it.
    int32_t value;
    /// The text as written; absent where the value is a default, or follows from other fields.
    struct agd_text text;
} agd_choice;

/// How a token is sent to a service of the Agent Discovery Protocol, with the defaults of the specification. It borrows the document's bytes;
/// defaults are static.
typedef struct agd_adp_auth {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Authentication: AGD_AUTH_*. AGD_AUTH_UNKNOWN is authentication of an unknown kind, never none.
    struct agd_choice type;
    /// The header that carries the token: `Authorization` where none is written.
    struct agd_text header;
    /// What stands before the token, and a blank between: `Bearer` where none is written for `Authorization`; empty for any other header.
    struct agd_text prefix;
    /// Whether the header is written: AGD_TRUE or AGD_FALSE.
    int32_t is_header_written;
    /// Whether the prefix is written: AGD_TRUE or AGD_FALSE.
    int32_t is_prefix_written;
} agd_adp_auth;

/// A header of a request, in a buffer of yours.
typedef struct agd_header {
    /// Its name, with a NUL at its end.
    const char *name;
    /// Its value, with a NUL at its end. It holds a secret.
    const char *value;
} agd_header;

/// A value as it was written: text of a text document, or a JSON value.
typedef struct agd_value {
    /// AGD_VALUE_*.
    int32_t kind;
    /// The text, or what stands between the quotes of a JSON string (both to be compared and decoded as text), or the JSON text of any other
    /// value. Absent where the value is.
    struct agd_text text;
} agd_value;

/// An argument of a call.
typedef struct agd_argument {
    /// The name of its parameter: plain UTF-8.
    struct agd_text name;
    /// Its value: AGD_VALUE_TEXT or AGD_VALUE_STRING with plain UTF-8, which in a JSON body is a string; or another JSON value, which in a body
    /// stands as it is, and elsewhere as its JSON text.
    struct agd_value value;
} agd_argument;

/// What a call is made with. Initialise it with AGD_INIT.
typedef struct agd_adp_options {
    /// Size of this struct as you know it: set by AGD_INIT.
    size_t size;
    /// The key or token, plain UTF-8; absent: no header is made for it.
    struct agd_text token;
    /// `argument_count` arguments, at most AGD_ARGUMENTS_MAX; may be NULL where there are none.
    const struct agd_argument *arguments;
    /// How many there are.
    size_t argument_count;
    /// AGD_TRUE where the token may go to the endpoint on whatever host it is. Otherwise it goes to the host of `base_url` and to what belongs to
    /// it.
    int32_t trust_endpoint;
    /// For later; zero.
    int32_t reserved;
} agd_adp_options;

/// The headers of a call. It borrows the buffer that the call is in. A copy walks on its own.
typedef struct agd_headers {
    /// The library's.
    const void *state[4];
} agd_headers;

/// A request that calls a capability, in a buffer of yours. Initialise it with AGD_INIT.
typedef struct agd_adp_call {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// The method, in capitals, with a NUL at its end. NULL where no request was made, like `url` and `body`.
    const char *method;
    /// The absolute URL, percent-encoded, without fragment, with a NUL at its end.
    const char *url;
    /// The body, a JSON object, with a NUL at its end; NULL where there is none.
    const char *body;
    /// Length of the body, without the NUL.
    size_t body_length;
    /// The headers: authentication, which is a secret, the type of the body, and those that are parameters.
    struct agd_headers headers;
    /// With AGD_ERROR_MISSING_MEMBER and AGD_ERROR_MISSING_ARGUMENT the name of what is missing; else absent.
    struct agd_text missing;
    /// With the other errors about arguments the index of the argument; else SIZE_MAX.
    size_t argument;
} agd_adp_call;

/// The rate limits that apply to a request. It borrows what the decision borrows. A copy walks on its own.
typedef struct agd_applied_limits {
    /// The library's.
    uint64_t state[AGD_APPLIED_WORDS];
} agd_applied_limits;

/// What the library keeps of a decision.
typedef struct agd_decision_state {
    /// The library's.
    uint64_t state[AGD_DECISION_WORDS];
} agd_decision_state;

/// Whether a request is allowed, and what else there is to know before it is made. Initialise it with AGD_INIT. It borrows the request's texts,
/// the array of documents and the bytes of everything; it can be copied as plain memory.
typedef struct agd_decision {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// The library's.
    struct agd_decision_state state;
    /// Whether it is allowed: AGD_TRUE or AGD_FALSE.
    int32_t allowed;
    /// Why: AGD_REASON_*.
    int32_t reason;
    /// What decides, as written: a pattern, the name of an agent's policy, the id or endpoint of a capability. Absent where nothing written does.
    struct agd_text rule;
    /// The index of the document it stands in; AGD_FROM_ROBOTS for the robots.txt; AGD_UNSAID where there is none.
    int64_t rule_document;
    /// Offset in bytes, from 0, of the rule; 0 where there is none.
    size_t rule_start;
    /// Offset behind the rule.
    size_t rule_end;
    /// Line of the rule, from 1; 0 where there is none.
    uint32_t rule_line;
    /// Column of the rule in bytes, from 1; 0 where there is none.
    uint32_t rule_column;
    /// Which policy holds for the agent: AGD_ROBOTS_BINDING_*.
    int32_t agent;
    /// How the host of the request relates to that of the documents: AGD_RELATION_*; AGD_UNSAID where either is not known.
    int32_t relation;
    /// Whether that is all that can be said: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    int32_t relation_verified;
    /// Whether credentials may be sent there: AGD_CREDENTIALS_*.
    int32_t credentials;
    /// The id of the capability that is used; absent for a URL that is not an endpoint of one.
    struct agd_text capability;
    /// Where it is called, as written; absent for a URL, and where none is declared.
    struct agd_text endpoint;
    /// The method it is declared with, as written.
    struct agd_text method;
    /// Whether authentication is needed: AGD_NEED_*.
    int32_t auth_need;
    /// For later; zero.
    int32_t reserved;
    /// The kind of authentication: AGD_AUTH_*; AGD_UNSAID where none is needed.
    struct agd_choice auth_type;
    /// The index of the document that says so; AGD_UNSAID where none does.
    int64_t auth_document;
    /// Where a token is obtained.
    struct agd_text token_url;
    /// OAuth 2 authorization endpoint.
    struct agd_text authorization_url;
    /// Where an expired token is refreshed.
    struct agd_text refresh_url;
    /// Where people get a key.
    struct agd_text setup_url;
    /// Where the way to authenticate is described.
    struct agd_text docs_url;
    /// OAuth 2 scopes.
    struct agd_texts scopes;
    /// The header that carries the token; absent where the format does not say.
    struct agd_text header;
    /// What stands before the token in it; empty for the token alone, absent where `header` is.
    struct agd_text prefix;
    /// Whether a session must be open: AGD_TRUE or AGD_FALSE.
    int32_t session_required;
    /// Whether the action is impaired at present: AGD_TRUE or AGD_FALSE.
    int32_t degraded;
    /// How long a session lives, in seconds, with the default of the format; AGD_UNSAID where none is needed.
    int64_t session_seconds;
    /// Where it is opened, with the default of the format.
    struct agd_text session_create;
    /// Where it is closed.
    struct agd_text session_delete;
    /// Whether a person is to be asked: AGD_CONFIRMATION_*.
    int32_t confirmation;
    /// Whether it ends with a person taking over: AGD_TRUE or AGD_FALSE.
    int32_t handoff;
    /// Whether it can be undone: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    int32_t reversible;
    /// For later; zero.
    int32_t reserved2;
    /// What it may break: AGD_SENSITIVITY_*; AGD_UNSAID where that is not said.
    struct agd_choice sensitivity;
} agd_decision;

/// A rate limit that applies to a request.
typedef struct agd_applied_limit {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// What it is for: AGD_SCOPE_*.
    int32_t scope;
    /// The window, where it has a name: AGD_WINDOW_*; AGD_UNSAID where it has none.
    int32_t window;
    /// The index of the document; AGD_FROM_ROBOTS for the robots.txt.
    int64_t document;
    /// How many requests. Zero allows none.
    int64_t requests;
    /// In how many milliseconds; AGD_UNSAID where the window cannot be read.
    int64_t milliseconds;
    /// The id of the capability; absent for other scopes.
    struct agd_text capability;
} agd_applied_limit;

/// Memory that a decision is made in, 10 KB: what is otherwise taken from the stack. You allocate it, in static memory for example, and need not
/// initialise it; nothing in it is used after the call, so one is enough for any number of decisions, one after the other.
///
/// One thread at a time may use it.
typedef struct agd_workspace {
    /// The library's.
    uint64_t state[AGD_WORKSPACE_WORDS];
} agd_workspace;

/// What agents.md documents say in words. It borrows what the decision borrows. A copy walks on its own.
typedef struct agd_words {
    /// The library's.
    uint64_t state[AGD_ADVICE_WORDS];
} agd_words;

/// A list of policies for agents. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread
/// at a time.
typedef struct agd_agents {
    /// The library's.
    agd_list_state state;
} agd_agents;

/// A list of rate limits. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a
/// time.
typedef struct agd_rate_limits {
    /// The library's.
    agd_list_state state;
} agd_rate_limits;

/// The policy for one agent. It borrows the document's bytes.
typedef struct agd_agent {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Product token of the agent, or `*` for every agent without a policy of its own.
    struct agd_text name;
    /// Rate limits.
    struct agd_rate_limits rate_limits;
    /// AGD_CAPABILITIES_ALL or AGD_CAPABILITIES_LISTED: whether an empty list of capabilities means all or none.
    int32_t grant;
    /// Capabilities that the agent may use. Absent: all. An empty list: none, also where the list could not be read.
    struct agd_texts capabilities;
    /// URL of the operator's own declaration.
    struct agd_text declaration;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
    /// The bytes of the object: a JSON value, or a block with its first line.
    struct agd_text source;
} agd_agent;

/// A walk over the body of an agents.md. It borrows the document's bytes. A copy walks on its own; one that is walked is used by one thread at a
/// time.
typedef struct agd_agents_md {
    /// The library's.
    uint64_t state[AGD_AGENTS_MD_WORDS];
} agd_agents_md;

/// One thing in the body of an agents.md. It borrows the document's bytes.
typedef struct agd_entry {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// What it is: AGD_ENTRY_*.
    int32_t kind;
    /// The section it stands in, or that it starts: AGD_SECTION_*; AGD_UNSAID before the first one, and behind a later heading of level 1.
    int32_t section;
    /// Of a heading its level; of an item 1 where it stands in no other item, 2 in one, and so on; else 0.
    uint32_t level;
    /// For later; zero.
    uint32_t reserved;
    /// The name of the section, or the text of heading, item, paragraph or code.
    struct agd_text text;
    /// Of an item its marker, such as `-` or `1.`; else absent.
    struct agd_text marker;
} agd_entry;

/// Feature flags of an AWP document (section 6). A flag that is absent counts as not offered, and is distinct from false here.
typedef struct agd_awp_features {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// `streaming`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    int32_t streaming;
    /// `batch_actions`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    int32_t batch_actions;
    /// `webhooks`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    int32_t webhooks;
    /// `idempotency`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    int32_t idempotency;
    /// `pagination` as written: `cursor`, `offset`, `page` or `none`; absent where it is not.
    struct agd_text pagination;
} agd_awp_features;

/// A list of capabilities. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a
/// time.
typedef struct agd_capabilities {
    /// The library's.
    agd_list_state state;
} agd_capabilities;

/// A list of parameters. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
typedef struct agd_parameters {
    /// The library's.
    agd_list_state state;
} agd_parameters;

/// A list of results, or of fields. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread
/// at a time.
typedef struct agd_outputs {
    /// The library's.
    agd_list_state state;
} agd_outputs;

/// Something an agent can do. It borrows the document's bytes.
typedef struct agd_capability {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Its id or name.
    struct agd_text id;
    /// What it does.
    struct agd_text description;
    /// URL or path to call.
    struct agd_text endpoint;
    /// HTTP method as written. Absent means GET in the Internet-Draft's formats.
    struct agd_text method;
    /// The protocol of the endpoint: `rest`, `mcp`, `a2a`, `graphql`, `websocket`, … or `unknown` (AGD_PROTOCOL_*, or AGD_UNSAID).
    struct agd_choice protocol;
    /// The protocol in the document's endpoints that is used to call it.
    struct agd_text via;
    /// Its name at that endpoint.
    struct agd_text operation;
    /// URL of its details.
    struct agd_text detail_url;
    /// URL of an OpenAPI description.
    struct agd_text openapi;
    /// Authentication; absent where the document does not mention it, which means none. The kind: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (some authentication, never none) (AGD_AUTH_*).
    struct agd_choice auth_type;
    /// URL that issues a token.
    struct agd_text auth_token_url;
    /// URL of the description of how to authenticate.
    struct agd_text auth_docs_url;
    /// OAuth 2 scopes.
    struct agd_texts auth_scopes;
    /// Unknown members, and members that could not be read.
    struct agd_members auth_metadata;
    /// The bytes of the auth object: a JSON value; empty in the text formats.
    struct agd_text auth_source;
    /// Whether authentication is required, if the document states it separately (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    int32_t auth_required;
    /// Whether a session must be opened first (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    int32_t requires_session;
    /// Whether a person takes over at the end (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    int32_t human_handoff;
    /// Rate limits.
    struct agd_rate_limits rate_limits;
    /// Parameters.
    struct agd_parameters parameters;
    /// Results.
    struct agd_outputs outputs;
    /// How dangerous it is: `standard`, `destructive`, `irreversible` or `unknown` (AGD_SENSITIVITY_*, or AGD_UNSAID).
    struct agd_choice sensitivity;
    /// Whether a person should confirm the call (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    int32_t requires_confirmation;
    /// Whether it can be undone (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    int32_t reversible;
    /// How the result is returned: `sync` (in the response), `async` (later) or `unknown` (AGD_EXECUTION_*, or AGD_UNSAID).
    struct agd_choice execution;
    /// URL to poll for an asynchronous result.
    struct agd_text poll_url;
    /// Whether idempotency is present: AGD_TRUE or AGD_FALSE.
    int32_t has_idempotency;
    /// How repeated calls are recognised. Whether keys are supported (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    int32_t idempotency_supported;
    /// The field that carries the key.
    struct agd_text idempotency_key_field;
    /// How long a key is remembered, as written, for example `24h`.
    struct agd_text idempotency_window;
    /// Unknown members, and members that could not be read.
    struct agd_members idempotency_metadata;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
    /// The bytes of the object: a JSON object, or a block with its first line.
    struct agd_text source;
} agd_capability;

/// A number of requests in a time window. It borrows the document's bytes.
typedef struct agd_rate_limit {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// The number of requests. Zero is kept as zero.
    uint32_t requests;
    /// Length of the time window in seconds; 0 if it is unknown.
    uint32_t window_seconds;
    /// The time window: `second`, `minute`, `hour`, `day` or `unknown` (AGD_WINDOW_*).
    struct agd_choice window;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_rate_limit;

/// A named result of a capability, or a field of an entity. It borrows the document's bytes.
typedef struct agd_output {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Its name.
    struct agd_text name;
    /// Its type as written: a type expression, or an object.
    struct agd_value type;
} agd_output;

/// How a document is converted. Initialise it with AGD_INIT: everything left at zero has its default.
typedef struct agd_convert_options {
    /// Size of this struct as you know it: set by AGD_INIT.
    size_t size;
    /// The origin of the document, such as `https://example.com`: the site's URL where the document gives none, and what paths are resolved
    /// against. Absent where it is not known. UTF-8, not escaped.
    struct agd_text origin;
    /// Not zero: JSON is written on one line. Zero: in lines, by two spaces for each level.
    int32_t compact;
    /// Not zero: what restricts the use of a capability may be left out where the target cannot say it (a person's confirmation, what it may
    /// break, all rate limits but the strictest). Zero: then the capability is left out.
    int32_t loosen;
} agd_convert_options;

/// What path and message of a loss are made from.
typedef struct agd_loss_state {
    /// The library's.
    uint64_t state[AGD_LOSS_WORDS];
} agd_loss_state;

/// One thing that did not carry over as it is. The callback gets it; it may be copied (`size` bytes of it), and borrows the document's bytes.
typedef struct agd_loss {
    /// Size of this struct as the library knows it.
    size_t size;
    /// Why: a stable kebab-case name such as `no-place`. Static text, without a NUL behind it.
    struct agd_text reason;
    /// How bad it is: AGD_SEVERITY_INFO, nothing that agents act on is lost; AGD_SEVERITY_WARNING, something is; AGD_SEVERITY_ERROR, without it
    /// agents would be allowed more, so nothing is written.
    int32_t severity;
    /// For later; zero.
    uint32_t reserved;
    /// Offset in bytes, from 0, of the first byte of it in the document; 0 where it stands nowhere by itself.
    size_t start;
    /// Offset behind its last byte.
    size_t end;
    /// Line of `start`, from 1.
    uint32_t line;
    /// Column of `start` in bytes, from 1.
    uint32_t column;
    /// For agd_loss_path and agd_loss_message.
    struct agd_loss_state path;
} agd_loss;

/// Receives each loss; `user` is what agd_convert was given. `loss` lives during the call only. The callback must return: no exception and no
/// longjmp through the library.
typedef void (*agd_loss_callback)(void *user, const struct agd_loss *loss);

/// One thing that was put right. The callback gets it; it may be copied (`size` bytes of it), and borrows nothing.
typedef struct agd_change {
    /// Size of this struct as the library knows it.
    size_t size;
    /// What: a stable kebab-case name such as `indentation`. Static text, without a NUL behind it.
    struct agd_text fix;
    /// What that is, as a sentence. Static text.
    struct agd_text about;
    /// Offset in bytes, from 0, of the line as it was.
    size_t start;
    /// Offset behind it.
    size_t end;
    /// Its number, from 1.
    uint32_t line;
    /// For later; zero.
    uint32_t reserved;
} agd_change;

/// Receives each change; `user` is what agd_fix was given. `change` lives during the call only. The callback must return: no exception and no
/// longjmp through the library.
typedef void (*agd_change_callback)(void *user, const struct agd_change *change);

/// How a document is parsed or detected. Initialise it with AGD_INIT: everything left at zero has its default.
typedef struct agd_options {
    /// Size of this struct as you know it: set by AGD_INIT.
    size_t size;
    /// The format (AGD_FORMAT_*), where it is known; then parsing never fails for absent fields. AGD_FORMAT_UNKNOWN, and a format that is only
    /// recognised (agd_format_is_read): it is detected.
    int32_t format;
    /// Nesting of JSON, YAML and Markdown that is read. 0: the default, 64. Values above 256 count as that.
    uint32_t max_depth;
    /// Bytes of a document that is read. 0: the default, 1 MiB. Values above 4 GiB - 1 count as that.
    size_t max_document;
    /// Bytes of a line in the text formats, its end not counted. 0: the default, 64 KiB.
    size_t max_line;
    /// Bytes of a robots.txt that are read; the rest is passed over, as RFC 9309 asks. 0: the default, 500 KiB.
    size_t max_robots;
    /// The URL that the document was fetched from, or its path alone; absent where it is not known. UTF-8, not escaped.
    struct agd_text url;
    /// The Content-Type it was served with; absent where it is not known. UTF-8, not escaped.
    struct agd_text content_type;
} agd_options;

/// The evidence of a detection.
typedef struct agd_detection_state {
    /// The library's.
    uint64_t state[AGD_DETECTION_WORDS];
} agd_detection_state;

/// A detected format and why. It borrows nothing, and can be copied.
typedef struct agd_detection {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// What it is: AGD_FORMAT_*. AGD_FORMAT_UNKNOWN is a good answer.
    int32_t format;
    /// Whether a hint was needed: AGD_TRUE or AGD_FALSE.
    int32_t by_hint;
    /// Field lines that only agents.txt of the Internet-Draft has.
    uint32_t agents_txt_votes;
    /// Field lines that only agents.txt 0.1.0 has.
    uint32_t agents_txt_01_votes;
    /// Field lines of robots.txt.
    uint32_t robots_txt_votes;
    /// For later; zero.
    uint32_t reserved;
    /// The signs that were found, for agd_detection_sign.
    struct agd_detection_state evidence;
} agd_detection;

/// What a document is checked against. Initialise it with AGD_INIT: everything left at zero has its default.
typedef struct agd_check_options {
    /// Size of this struct as you know it: set by AGD_INIT.
    size_t size;
    /// The origin that the document was fetched from, such as `https://example.com`; absent where it is not known. UTF-8, not escaped.
    struct agd_text origin;
    /// How many diagnostics are reported at most; then one `too-many-diagnostics`. 0: the default, 1000.
    size_t max;
    /// Memory of yours in which names are compared while the check runs: `scratch_length` numbers, whatever they are, used by nobody else
    /// meanwhile. NULL: 256 numbers on the stack. Needed are two for each name in the largest set of names that must differ or are referred to
    /// (four for each id in the dependencies of an AWP document); where there is less, that part of the check is left out, and one
    /// `not-checked` says so. As many numbers as the document has bytes are always enough.
    uint32_t *scratch;
    /// How many numbers there are at `scratch`.
    size_t scratch_length;
} agd_check_options;

/// What the message of a diagnostic is made from.
typedef struct agd_diagnostic_state {
    /// The library's.
    uint64_t state[AGD_DIAGNOSTIC_WORDS];
} agd_diagnostic_state;

/// One thing that the check found. The callback gets it; it may be copied (`size` bytes of it), and borrows the document's bytes.
typedef struct agd_diagnostic {
    /// Size of this struct as the library knows it.
    size_t size;
    /// What it is about: a stable kebab-case name such as `duplicate-id`. Static text, without a NUL behind it.
    struct agd_text code;
    /// How much it matters here: AGD_SEVERITY_*, which compare as numbers.
    int32_t severity;
    /// For later; zero.
    uint32_t reserved;
    /// Offset in bytes, from 0, of the first byte that it concerns.
    size_t start;
    /// Offset after the last byte that it concerns.
    size_t end;
    /// Line of `start`, from 1.
    uint32_t line;
    /// Column of `start` in bytes, from 1.
    uint32_t column;
    /// A short name of the specification it comes from. Static text.
    struct agd_text spec;
    /// The section of that specification, such as `2.5`; empty where there is none to name. Static text.
    struct agd_text section;
    /// For agd_diagnostic_message.
    struct agd_diagnostic_state message;
} agd_diagnostic;

/// Receives each diagnostic; `user` is what agd_check was given. Returns true to continue, false to stop.
///
/// `diagnostic` lives during the call only. The callback must return: no exception and no longjmp through the library.
typedef bool (*agd_diagnostic_callback)(void *user, const struct agd_diagnostic *diagnostic);

/// How many diagnostics a check found.
typedef struct agd_counts {
    /// Those of AGD_SEVERITY_ERROR.
    size_t errors;
    /// Those of AGD_SEVERITY_WARNING.
    size_t warnings;
    /// Those of AGD_SEVERITY_INFO.
    size_t infos;
} agd_counts;

/// A list of diagnostics. It borrows the document's bytes, and the window and what the options name. Only one copy may walk, as they share the
/// window.
typedef struct agd_diagnostics {
    /// The library's.
    uint64_t state[AGD_DIAGNOSTICS_WORDS];
} agd_diagnostics;

/// One thing that two documents of a site do not say alike. The callback gets it; it may be copied (`size` bytes of it), and borrows the bytes of both
/// documents.
typedef struct agd_difference {
    /// Size of this struct as the library knows it.
    size_t size;
    /// Which member of the unified model, such as `capabilities.endpoint`. Static text, without a NUL behind it.
    struct agd_text field;
    /// The id of the capability, or the name of the agent, that it belongs to; empty for the others.
    struct agd_text subject;
    /// The item of a list, or the name of the parameter; empty for the others.
    struct agd_text item;
    /// AGD_TRUE where the first document says it somewhere, AGD_FALSE where it does not: then `first_start` and `first_end` are 0.
    int32_t in_first;
    /// The same of the second document.
    int32_t in_second;
    /// Offset in bytes, from 0, of the first byte of it in the first document; agd_document_position returns the line.
    size_t first_start;
    /// Offset behind its last byte there.
    size_t first_end;
    /// Offset in bytes, from 0, of the first byte of it in the second document.
    size_t second_start;
    /// Offset behind its last byte there.
    size_t second_end;
} agd_difference;

/// Receives each difference; `user` is what agd_differences was given. Returns true to continue, false to stop.
///
/// `difference` lives during the call only. The callback must return: no exception and no longjmp through the library.
typedef bool (*agd_difference_callback)(void *user, const struct agd_difference *difference);

/// What is asked of a site, and what came of it: about 20 KB. You allocate it (AGD_DISCOVERY_INIT); there is nothing to free. It borrows nothing, and
/// can be copied and moved as plain memory; texts that were read from it point into it.
///
/// One thread at a time may use it.
typedef struct agd_discovery {
    /// The library's.
    uint64_t state[AGD_DISCOVERY_WORDS];
} agd_discovery;

/// What is looked for, and how. Initialise it with AGD_INIT: everything left at zero has its default.
typedef struct agd_discovery_options {
    /// Size of this struct as you know it: set by AGD_INIT.
    size_t size;
    /// What is looked for: the sum of `1 << AGD_RESOURCE_*`. 0: the default, everything but details and declarations.
    uint32_t resources;
    /// Whether what you store is shared by several users, so that `s-maxage` goes before `max-age`: AGD_TRUE or AGD_FALSE.
    int32_t shared;
    /// Nesting that is read, see agd_options.
    uint32_t max_depth;
    /// For later; zero.
    uint32_t reserved;
    /// Bytes of a document that is read, see agd_options.
    size_t max_document;
    /// Bytes of a line in the text formats, see agd_options.
    size_t max_line;
    /// Bytes of a robots.txt that are read, see agd_options.
    size_t max_robots;
} agd_discovery_options;

/// A GET request that is to be sent now. Do not follow redirects, and send no cookies and no credentials. It points into the discovery.
typedef struct agd_discovery_request {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Its number, for the answer.
    int32_t id;
    /// What is looked for: AGD_RESOURCE_*.
    int32_t resource;
    /// Where: an absolute URL of ASCII characters, without user information and fragment. It has no NUL at its end.
    struct agd_text url;
    /// The URL under which what comes of the attempt is stored: where it began, before any redirect.
    struct agd_text key;
    /// How many bytes of the decoded body are read at most.
    size_t limit;
    /// Whether a body over the limit is cut there (robots.txt): AGD_TRUE or AGD_FALSE. Otherwise it is AGD_FAILURE_TOO_LARGE.
    int32_t cuts;
    /// For later; zero.
    int32_t reserved;
} agd_discovery_request;

/// How long an answer counts. All times are seconds since 1970, by your clock. Store it beside the body, and give it back as it is.
typedef struct agd_freshness {
    /// When the answer came. 0 where there was none.
    uint64_t received_at;
    /// Until when it is used without asking.
    uint64_t fresh_until;
    /// Until when it must not be requested again, whatever the result.
    uint64_t ask_again_at;
    /// For how many seconds the answer was good when it came.
    uint32_t lifetime;
    /// Whether the body may be stored at all: AGD_TRUE or AGD_FALSE.
    int32_t may_store;
} agd_freshness;

/// What came of an earlier attempt, as you stored it under the key of its request.
typedef struct agd_stored {
    /// Size of this struct as you know it: set by AGD_INIT.
    size_t size;
    /// Where the answer came from in the end.
    struct agd_text url;
    /// Why nothing usable came: AGD_REJECTION_*; AGD_REJECTION_NONE where a document came.
    int32_t rejection;
    /// For later; zero.
    int32_t reserved;
    /// The document; absent where none came, or where it could not be stored.
    struct agd_text body;
    /// How long it counts.
    struct agd_freshness freshness;
    /// The value of `ETag`, absent where there was none.
    struct agd_text etag;
    /// The value of `Last-Modified`, absent where there was none.
    struct agd_text last_modified;
} agd_stored;

/// A header of a request or a response. It borrows name and value.
typedef struct agd_http_header {
    /// The name, in any letter case.
    struct agd_text name;
    /// The value, octets as they came.
    struct agd_text value;
} agd_http_header;

/// What came of an answer. It borrows the body, and the validators the headers (after 304, the stored ones).
typedef struct agd_discovery_answer {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Where the attempt stands now: AGD_ATTEMPT_*; AGD_ATTEMPT_WAITING after a redirect that is followed.
    int32_t state;
    /// Why it gave nothing: AGD_REJECTION_*.
    int32_t rejection;
    /// What is looked for: AGD_RESOURCE_*.
    int32_t resource;
    /// The format of the document: AGD_FORMAT_*; AGD_FORMAT_UNKNOWN where there is none.
    int32_t format;
    /// The document; uninitialised where there is none.
    struct agd_document document;
    /// How long this counts. All zero after a redirect that is followed.
    struct agd_freshness freshness;
    /// What to store as the value of `ETag`; empty where there is none that could be sent back.
    struct agd_text etag;
    /// What to store as the value of `Last-Modified`; empty where there is none that could be sent back.
    struct agd_text last_modified;
} agd_discovery_answer;

/// An answer of a server.
typedef struct agd_discovery_response {
    /// Size of this struct as you know it: set by AGD_INIT.
    size_t size;
    /// The status code.
    int32_t status;
    /// For later; zero.
    int32_t reserved;
    /// The headers in their order; NULL where there are none.
    const struct agd_http_header *headers;
    /// How many there are.
    size_t header_count;
    /// The body without its content codings; absent or empty where there is none.
    struct agd_text body;
    /// Where the answer came from, where your client has followed redirects by itself all the same; absent otherwise.
    struct agd_text final_url;
    /// What you have stored under the key of the request: needed after 304. NULL where there is nothing.
    const struct agd_stored *stored;
    /// When the answer came, in seconds since 1970.
    uint64_t now;
} agd_discovery_response;

/// An attempt to get one document from one location, with all its redirects. It points into the discovery.
typedef struct agd_attempt {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// What is looked for: AGD_RESOURCE_*.
    int32_t resource;
    /// Where it stands: AGD_ATTEMPT_*.
    int32_t state;
    /// Why it gave nothing: AGD_REJECTION_*.
    int32_t rejection;
    /// The status of the last answer; 0 where there was none.
    int32_t status;
    /// How many redirects were followed.
    int32_t redirects;
    /// How far they led: AGD_MOVED_*.
    int32_t moved;
    /// Where the answer came from: AGD_ANSWER_FROM_*.
    int32_t source;
    /// The format of what came: AGD_FORMAT_*.
    int32_t format;
    /// Whether the document says that the site itself did not make it: AGD_TRUE or AGD_FALSE.
    int32_t synthetic;
    /// Why the document could not be read: AGD_ERROR_*; AGD_OK where nothing is wrong.
    agd_status error_kind;
    /// Offset in bytes, from 0, of the place that shows it.
    size_t error_offset;
    /// The first URL of the request.
    struct agd_text key;
    /// The last URL, after redirects.
    struct agd_text url;
    /// How long this counts. All zero before there is an answer.
    struct agd_freshness freshness;
} agd_attempt;

/// Why a document could not be read, and where. Filled by the library; it needs no initialisation.
typedef struct agd_error {
    /// What is wrong: AGD_ERROR_*; AGD_OK where nothing is.
    agd_status kind;
    /// For AGD_ERROR_NOT_A_DISCOVERY_DOCUMENT and AGD_ERROR_NOT_BUILT_IN what the document is (AGD_FORMAT_*), else AGD_FORMAT_UNKNOWN; that also
    /// for JSON where no format of JSON is built in.
    int32_t format;
    /// Offset in bytes, from 0, of the place that shows it; for AGD_ERROR_TOO_LARGE the limit.
    size_t offset;
    /// Line, from 1; 0 if the error does not concern the document. LF, CRLF and a lone CR each end a line.
    uint32_t line;
    /// Column in bytes, from 1; 0 if the error does not concern the document.
    uint32_t column;
    /// What is wrong and what to do, in English: one sentence, with a NUL, never NULL. It is static.
    const char *message;
    /// For later; zero.
    size_t reserved[4];
} agd_error;

/// What a document has once: its version, kind and dates. It borrows the document's bytes.
typedef struct agd_head {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// The format: AGD_FORMAT_*.
    int32_t format;
    /// For later; zero.
    int32_t reserved;
    /// Version of the specification that the document follows, as written.
    struct agd_text spec_version;
    /// Whose declaration it is: AGD_KIND_*; a platform's where nothing else is said.
    struct agd_choice kind;
    /// When it was made, as written.
    struct agd_text generated_at;
    /// The companion document in the other notation.
    struct agd_text companion;
    /// How long answers may be kept, in seconds; AGD_UNSAID where that is not said.
    int64_t cache_seconds;
    /// What a registry was asked for.
    struct agd_text search_query;
    /// An example request.
    struct agd_value request_example;
    /// An example answer.
    struct agd_value response_example;
} agd_head;

/// A list of flows. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
typedef struct agd_flows {
    /// The library's.
    agd_list_state state;
} agd_flows;

/// A suggested sequence of capabilities. It borrows the document's bytes.
typedef struct agd_flow {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Its name.
    struct agd_text name;
    /// What it is for.
    struct agd_text description;
    /// Capabilities in order.
    struct agd_texts steps;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_flow;

/// A list of dependencies. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a
/// time.
typedef struct agd_dependencies {
    /// The library's.
    agd_list_state state;
} agd_dependencies;

/// What a capability requires. It borrows the document's bytes.
typedef struct agd_dependency {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// The dependent capability.
    struct agd_text capability;
    /// The capabilities that must come first.
    struct agd_texts required;
} agd_dependency;

/// A list of entities. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
typedef struct agd_entities {
    /// The library's.
    agd_list_state state;
} agd_entities;

/// A named type. It borrows the document's bytes.
typedef struct agd_entity {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Its name.
    struct agd_text name;
    /// Its fields.
    struct agd_outputs fields;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_entity;

/// A list of ways to recover from errors. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one
/// thread at a time.
typedef struct agd_recoveries {
    /// The library's.
    agd_list_state state;
} agd_recoveries;

/// How to recover from an error. It borrows the document's bytes.
typedef struct agd_recovery {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Code of the error.
    struct agd_text code;
    /// What to do.
    struct agd_text recovery;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_recovery;

/// A list of plans. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
typedef struct agd_plans {
    /// The library's.
    agd_list_state state;
} agd_plans;

/// A plan of a service. It borrows the document's bytes.
typedef struct agd_plan {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Its name.
    struct agd_text name;
    /// Its price, as written.
    struct agd_text price;
    /// What it includes, as written.
    struct agd_text limits;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_plan;

/// Whether the service works now. It borrows the document's bytes.
typedef struct agd_service_status {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Whether it is operational (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    int32_t operational;
    /// Capabilities that are impaired.
    struct agd_texts degraded;
    /// URL of the current status.
    struct agd_text url;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_service_status;

/// What the service costs. It borrows the document's bytes.
typedef struct agd_pricing {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// The pricing model: `free`, `freemium`, `paid` or `unknown` (AGD_PRICING_*, or AGD_UNSAID).
    struct agd_choice type;
    /// The plans.
    struct agd_plans plans;
    /// URL of the prices.
    struct agd_text plans_url;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_pricing;

/// How sessions work. It borrows the document's bytes.
typedef struct agd_session {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Lifetime of a session in seconds, if the document states it (AGD_UNSAID if absent).
    int64_t ttl_seconds;
    /// URL that opens a session.
    struct agd_text create;
    /// URL that closes a session.
    struct agd_text close;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_session;

/// Whether the actions of agents are recorded. It borrows the document's bytes.
typedef struct agd_audit {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Whether they are recorded (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    int32_t enabled;
    /// URL of the record.
    struct agd_text endpoint;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_audit;

/// A list of values. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
typedef struct agd_values {
    /// The library's.
    agd_list_state state;
} agd_values;

/// A parameter of a capability. It borrows the document's bytes.
typedef struct agd_parameter {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Its name.
    struct agd_text name;
    /// Where it is sent: `query`, `path`, `header`, `body` or `unknown` (AGD_LOCATION_*, or AGD_UNSAID).
    struct agd_choice location;
    /// Its type, as written.
    struct agd_text type;
    /// Whether it is required. Absent: no (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    int32_t required;
    /// What it means.
    struct agd_text description;
    /// The default value.
    struct agd_value default_value;
    /// An example value.
    struct agd_value example;
    /// The minimum value.
    struct agd_value min;
    /// The maximum value.
    struct agd_value max;
    /// The type of the items of an array.
    struct agd_value items;
    /// The allowed values.
    struct agd_values options;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
    /// The bytes of the object: a JSON object, or the value of a Param line.
    struct agd_text source;
} agd_parameter;

/// A robots.txt. You allocate it (AGD_ROBOTS_INIT), on the stack or anywhere; there is nothing to free, and it can be copied and moved as plain
/// memory. It borrows the bytes it was made from.
///
/// Many threads may use one at the same time.
typedef struct agd_robots {
    /// The library's.
    uint64_t state[AGD_ROBOTS_WORDS];
} agd_robots;

/// Who asks, and for what. Initialise it with AGD_INIT. Its texts are plain UTF-8; the decision borrows them.
typedef struct agd_request {
    /// Size of this struct as you know it: set by AGD_INIT.
    size_t size;
    /// The agent: its product token, or a User-Agent whose first token that is. Absent: an agent that no rule names.
    struct agd_text agent;
    /// The requested URL, or a path of the site that begins with one slash. Either this or `capability` must be there.
    struct agd_text url;
    /// The id of the requested capability.
    struct agd_text capability;
    /// The HTTP method; absent: GET for a URL, and its own for a capability.
    struct agd_text method;
    /// The origin of the documents, or the URL of one of them; absent: what they say of themselves.
    struct agd_text origin;
    /// Endpoints on other domains that the user has approved: absolute URLs with blanks or line ends between them.
    struct agd_text approved;
    /// The robots.txt where `robots_state` is AGD_ROBOTS_FOUND, else NULL.
    const struct agd_robots *robots;
    /// What is known of the robots.txt: AGD_ROBOTS_NOT_ASKED and so on. Zero counts as AGD_ROBOTS_FOUND where `robots` is not NULL.
    int32_t robots_state;
    /// For later; zero.
    int32_t reserved;
} agd_request;

/// A list of groups. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
typedef struct agd_robots_groups {
    /// The library's.
    agd_list_state state;
} agd_robots_groups;

/// A list of rules. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
typedef struct agd_robots_rules {
    /// The library's.
    agd_list_state state;
} agd_robots_rules;

/// A group of robots.txt rules. It borrows the document's bytes.
typedef struct agd_robots_group {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Product tokens that the group applies to.
    struct agd_texts agents;
    /// Its rules, in order.
    struct agd_robots_rules rules;
    /// Seconds between requests, as written.
    struct agd_text crawl_delay;
} agd_robots_group;

/// A rule of robots.txt. It borrows the document's bytes.
typedef struct agd_robots_rule {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Whether it is an allow rule (AGD_TRUE or AGD_FALSE).
    int32_t allow;
    /// The pattern of paths.
    struct agd_text pattern;
} agd_robots_rule;

/// A list of results of a search. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread
/// at a time.
typedef struct agd_search_results {
    /// The library's.
    agd_list_state state;
} agd_search_results;

/// One result of a registry search. It borrows the document's bytes.
typedef struct agd_search_result {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Name for people.
    struct agd_text service_name;
    /// Canonical URL.
    struct agd_text service_url;
    /// Domain, in formats that name the service by its domain.
    struct agd_text service_domain;
    /// What the service does.
    struct agd_text service_description;
    /// Email addresses, URLs or other ways to reach the operator.
    struct agd_texts service_contact;
    /// URL of the privacy policy.
    struct agd_text service_privacy_policy;
    /// URL of the documentation.
    struct agd_text service_docs;
    /// Unknown members, and members that could not be read.
    struct agd_members service_metadata;
    /// The bytes of the service object: a JSON object; empty in the text formats.
    struct agd_text service_source;
    /// The capabilities of the service that match.
    struct agd_capabilities capabilities;
} agd_search_result;

/// Whether an agent may fetch something, and why. It borrows the bytes of the robots.txt.
typedef struct agd_robots_decision {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Whether it may: AGD_TRUE or AGD_FALSE.
    int32_t allowed;
    /// Why: AGD_ROBOTS_REASON_*.
    int32_t reason;
    /// Which groups bind the agent: AGD_ROBOTS_BINDING_*; none for the robots.txt itself.
    int32_t binding;
    /// Whether the deciding rule allows: AGD_TRUE or AGD_FALSE; AGD_UNSAID where no rule decides.
    int32_t rule_allow;
    /// The pattern of the deciding rule as written; absent where no rule decides.
    struct agd_text rule_pattern;
    /// Offset in bytes, from 0, of that pattern; 0 where no rule decides.
    size_t rule_start;
    /// Offset behind that pattern; 0 where no rule decides.
    size_t rule_end;
    /// Line of the deciding rule, from 1; 0 where no rule decides.
    uint32_t rule_line;
    /// Line of the first `User-agent` of the group that the deciding rule is in, from 1; 0 where no rule decides.
    uint32_t group_line;
    /// Milliseconds to wait between two requests of the agent, as in agd_robots_delay; AGD_UNSAID where no Crawl-delay binds it, too.
    int64_t crawl_delay_ms;
} agd_robots_decision;

/// How long an agent is asked to wait between two requests. It borrows the bytes of the robots.txt.
typedef struct agd_robots_delay {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Milliseconds; AGD_UNSAID if the value is not a number, or 2^64 milliseconds and more. Decimals after the third are dropped; what has no
    /// room else is INT64_MAX.
    int64_t milliseconds;
    /// Seconds, as written.
    struct agd_text text;
    /// Offset in bytes, from 0, of the text.
    size_t start;
    /// Offset behind the text.
    size_t end;
    /// Its line, from 1.
    uint32_t line;
    /// For later; zero.
    uint32_t reserved;
} agd_robots_delay;

/// A list of endpoints. It borrows the document's bytes. A copy walks on its own; a list that is walked is used by one thread at a time.
typedef struct agd_endpoints {
    /// The library's.
    agd_list_state state;
} agd_endpoints;

/// An endpoint of another protocol that the site supports. It borrows the document's bytes.
typedef struct agd_endpoint {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// The protocol: `mcp`, `a2a`, `x402`, … or `unknown` (AGD_PROTOCOL_*).
    struct agd_choice protocol;
    /// URL of the endpoint.
    struct agd_text url;
    /// Version of the protocol.
    struct agd_text version;
    /// The transport: `streamable-http`, `sse`, `http`, `stdio` or `unknown` (AGD_TRANSPORT_*, or AGD_UNSAID).
    struct agd_choice transport;
    /// How a caller authenticates: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (AGD_AUTH_*, or AGD_UNSAID).
    struct agd_choice auth;
    /// Members that only this protocol has.
    struct agd_members extra;
} agd_endpoint;

/// The service or site that a document describes. It borrows the document's bytes.
typedef struct agd_service {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Name for people.
    struct agd_text name;
    /// Canonical URL.
    struct agd_text url;
    /// Domain, in formats that name the service by its domain.
    struct agd_text domain;
    /// What the service does.
    struct agd_text description;
    /// Email addresses, URLs or other ways to reach the operator.
    struct agd_texts contact;
    /// URL of the privacy policy.
    struct agd_text privacy_policy;
    /// URL of the documentation.
    struct agd_text docs;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
    /// The bytes of the object: a JSON object; empty in the text formats.
    struct agd_text source;
} agd_service;

/// Where a document comes from (Agent Web Protocol section 14). It borrows the document's bytes.
typedef struct agd_provenance {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// Who published the document: `native` (the site itself), `synthetic` or `unknown` (AGD_SOURCE_*).
    struct agd_choice source;
    /// The tool that made a synthetic document.
    struct agd_text generated_by;
    /// Confidence from 0 to 1, as written.
    struct agd_value confidence;
    /// When the document was last compared with the site.
    struct agd_text last_verified;
} agd_provenance;

/// Authentication for the whole service. It borrows the document's bytes.
typedef struct agd_service_auth {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// The kind: `none`, `api-key`, `bearer-token`, `oauth2`, `hmac` or `unknown` (some authentication, never none) (AGD_AUTH_*).
    struct agd_choice type;
    /// Request header that carries the key.
    struct agd_text header;
    /// Text before the key in the header.
    struct agd_text prefix;
    /// URL where people get a key.
    struct agd_text setup_url;
    /// OAuth 2 authorization endpoint.
    struct agd_text authorization_url;
    /// OAuth 2 token endpoint.
    struct agd_text token_url;
    /// URL that refreshes an expired token.
    struct agd_text refresh_url;
    /// Lifetime of a token, as written, for example `24h`.
    struct agd_text token_expiry;
    /// Lifetime of a token in seconds; absent if `token_expiry` is not a duration (AGD_UNSAID if absent).
    int64_t token_expiry_seconds;
    /// OAuth 2 scopes.
    struct agd_texts scopes;
    /// Actions that need authentication.
    struct agd_texts required_for;
    /// Actions for which authentication is optional.
    struct agd_texts optional_for;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_service_auth;

/// The values of an `enum[a, b]`. It borrows the bytes of the expression. A copy walks on its own; a list that is walked is used by one thread at
/// a time.
typedef struct agd_type_options {
    /// The library's.
    uint64_t state[AGD_TYPE_WORDS];
} agd_type_options;

/// A type expression. It borrows the bytes it was read from.
typedef struct agd_type {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// What it stands for: AGD_TYPE_*.
    int32_t kind;
    /// What the innermost type stands for, where arrays hold arrays; that of the items of an array; `kind` where it is no array.
    int32_t innermost_kind;
    /// The whole expression, without blanks at its ends.
    struct agd_text text;
    /// Of an array: the type of its items, to be read with agd_type_parse; absent where it is not given, and for all else.
    struct agd_text items;
    /// Of an object: the entity; absent where it is not given, and for all else.
    struct agd_text entity;
    /// The whole innermost type; the whole expression where it is no array.
    struct agd_text innermost;
    /// Of an enumeration: its values.
    struct agd_type_options options;
} agd_type;

/// The parts of a URL, as written. It borrows the text that was read.
typedef struct agd_url {
    /// Size of this struct as you know it: set by AGD_INIT, kept by the library.
    size_t size;
    /// The scheme, without the colon.
    struct agd_text scheme;
    /// What stands before the `@`; absent where there is none. It says nothing about the host, and is most likely there to deceive.
    struct agd_text userinfo;
    /// The host that a client would talk to.
    struct agd_text host;
    /// The path, still percent-encoded; empty or beginning with `/`.
    struct agd_text path;
    /// The query without the `?`; absent where there is none.
    struct agd_text query;
    /// The fragment without the `#`; absent where there is none.
    struct agd_text fragment;
    /// What the host is: AGD_HOST_*.
    int32_t host_kind;
    /// The port that is written; AGD_UNSAID where none is.
    int32_t port;
    /// The port that a client connects to; AGD_UNSAID where none is written and the scheme is not known.
    int32_t effective_port;
    /// Whether the scheme is `https` or `wss`: AGD_TRUE or AGD_FALSE.
    int32_t is_secure;
    /// Whether the host is this very machine (localhost, 127.0.0.0/8 in any spelling, `[::1]`): AGD_TRUE or AGD_FALSE.
    int32_t is_loopback;
    /// For later; zero.
    int32_t reserved;
} agd_url;

/// A named value as it was written.
typedef struct agd_member {
    /// The name as written.
    struct agd_text name;
    /// The value.
    struct agd_value value;
} agd_member;

/// The members of a JSON object. They borrow the bytes of the object. A copy walks on its own; used by one thread at a time.
typedef struct agd_json_members {
    /// The library's.
    agd_list_state state;
} agd_json_members;

/// The elements of a JSON array. They borrow the bytes of the array. A copy walks on its own; used by one thread at a time.
typedef struct agd_json_elements {
    /// The library's.
    agd_list_state state;
} agd_json_elements;

/// It is done.
#define AGD_OK 0

/// There is none, or no further one. The output is as it was.
#define AGD_NONE 0

/// There is one, and the output was filled.
#define AGD_SOME 1

/// The document is not UTF-8.
#define AGD_ERROR_INVALID_UTF8 -1

/// The document is not JSON where JSON is required.
#define AGD_ERROR_INVALID_JSON -2

/// The document is larger than the limit.
#define AGD_ERROR_TOO_LARGE -3

/// The document nests deeper than the limit.
#define AGD_ERROR_TOO_DEEP -4

/// A line is longer than the limit.
#define AGD_ERROR_LINE_TOO_LONG -5

/// The document is of a known kind that the library does not read, such as an HTML page.
#define AGD_ERROR_NOT_A_DISCOVERY_DOCUMENT -6

/// The format cannot be detected.
#define AGD_ERROR_UNKNOWN_FORMAT -7

/// The document cannot be of the format that was forced.
#define AGD_ERROR_WRONG_FORMAT -8

/// A bounded buffer was too small.
#define AGD_ERROR_CAPACITY_EXCEEDED -9

/// The document is of a format that this library was built without.
#define AGD_ERROR_NOT_BUILT_IN -10

/// The document could not be read for a reason that is newer than this list.
#define AGD_ERROR_OTHER -31

/// Misuse: a pointer that must not be NULL is NULL.
#define AGD_ERROR_NULL -32

/// Misuse: an argument has no meaning, such as a number that is none of the named constants, or a misaligned pointer.
#define AGD_ERROR_ARGUMENT -33

/// Misuse: a document that was not parsed, or a list that was not obtained from the library.
#define AGD_ERROR_UNINITIALISED -34

/// Misuse: the member `size` of a struct was not set, see AGD_INIT.
#define AGD_ERROR_STRUCT_SIZE -35

/// The buffer is too small; the required length was returned.
#define AGD_ERROR_BUFFER_TOO_SMALL -36

/// The actions require one another, so that there is no order in which they can run.
#define AGD_ERROR_CYCLE -37

/// The base URL is missing or no URL of http(s).
#define AGD_ERROR_BASE_URL -38

/// The URL has a placeholder, in braces, that nothing fills.
#define AGD_ERROR_PLACEHOLDER -39

/// The URL or path is none, or could be read in two ways.
#define AGD_ERROR_REFERENCE -40

/// The header that carries the token cannot stand in a request.
#define AGD_ERROR_HEADER -41

/// The token is empty, or has a character that cannot stand in a header.
#define AGD_ERROR_TOKEN -42

/// Credentials must not be sent to where the request goes, or the request is not allowed.
#define AGD_ERROR_WITHHELD -43

/// The format does not say which header carries the token.
#define AGD_ERROR_UNSPECIFIED -44

/// No document of that format is made of this one, or this one is none that is put right.
#define AGD_ERROR_UNSUPPORTED -50

/// The target cannot say something without which agents would be allowed more than the document allows; nothing was written.
#define AGD_ERROR_REFUSED -51

/// The text names no site that can be asked: give a URL of http(s) without user information, or a host, in ASCII.
#define AGD_ERROR_SITE -45

/// The method is not a valid HTTP method.
#define AGD_ERROR_METHOD -61

/// The document lacks a member that is needed.
#define AGD_ERROR_MISSING_MEMBER -62

/// A required argument is missing.
#define AGD_ERROR_MISSING_ARGUMENT -63

/// There is no parameter for an argument.
#define AGD_ERROR_UNKNOWN_ARGUMENT -64

/// An argument is given twice.
#define AGD_ERROR_REPEATED_ARGUMENT -65

/// An argument is left over: the request has no place for its parameter.
#define AGD_ERROR_UNPLACED_ARGUMENT -66

/// An argument has a value that cannot stand where it belongs.
#define AGD_ERROR_INVALID_ARGUMENT -67

/// The text is not a type expression.
#define AGD_ERROR_TYPE -68

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// Which paths agents may reach. Always there; its lists may be empty.
///
/// Neither pointer may be NULL; `access` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, or a negative
/// status for misuse. Thread-safe; at worst linear in the document.
agd_status agd_document_access(const struct agd_document *document,
                               struct agd_access *access);

/// Permissions in words. Always there; its lists may be empty.
///
/// Neither pointer may be NULL; `permissions` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, or a
/// negative status for misuse. Thread-safe; at worst linear in the document.
agd_status agd_document_permissions(const struct agd_document *document,
                                    struct agd_permissions *permissions);

/// How a token is sent to the service of an ADP manifest (section 3). agd_document_auth has the same as it is written.
///
/// Neither pointer may be NULL; `auth` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME; AGD_NONE where the
/// manifest says nothing about authentication; AGD_ERROR_WRONG_FORMAT if the document is not an ADP manifest; or a negative status for misuse.
/// Thread-safe; linear in `auth`.
agd_status agd_adp_auth_of(const struct agd_document *document,
                           struct agd_adp_auth *auth);

/// The header that carries a token to the service of an ADP manifest (section 3), ready to be sent.
///
/// `document` and `header` must not be NULL; `token` is plain UTF-8. `buffer` is memory of yours for `capacity` bytes, which no other thread uses
/// meanwhile: name and value are put there, each with a NUL behind it; it may be NULL where `capacity` is 0, to ask for the size. `needed`, where
/// it is not NULL, gets the number of bytes that the buffer must have. The buffer then holds a secret: it is yours to wipe.
///
/// Returns AGD_SOME; AGD_NONE where the service wants no authentication; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_HEADER where the header of the
/// manifest cannot stand in a request; AGD_ERROR_TOKEN where the token cannot; AGD_ERROR_WRONG_FORMAT if the document is not an ADP manifest; or
/// another negative status for misuse. Thread-safe, where the buffer is; linear.
agd_status agd_adp_auth_header(const struct agd_document *document,
                               struct agd_text token,
                               char *buffer,
                               size_t capacity,
                               size_t *needed,
                               struct agd_header *header);

/// Where a `detail_url` of an ADP manifest, or the endpoint of a capability, is: an absolute URL. One that is absolute stands; a path that begins
/// with `/` is appended to `base_url`, as consumers of published manifests do; any other reference is resolved by RFC 3986.
///
/// `document` must not be NULL; `reference` may be escaped, and must not be absent. The buffer is filled as by agd_text_decode, and `length` is set likewise; where the
/// buffer is too small, it is a length that is enough.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL where the manifest has no base URL of http(s); AGD_ERROR_PLACEHOLDER where the
/// reference has a place in braces; AGD_ERROR_REFERENCE where it is none, or could be read in two ways; AGD_ERROR_WRONG_FORMAT where the document
/// is not an ADP manifest; or another negative status for misuse. Thread-safe, where the buffer is; linear.
agd_status agd_adp_detail_url(const struct agd_document *document,
                              struct agd_text reference,
                              char *buffer,
                              size_t capacity,
                              size_t *length);

/// The same by RFC 3986 alone: a path that begins with `/` replaces the path of `base_url`. It differs only where that has one.
///
/// Arguments and answers are those of agd_adp_detail_url; `document` must not be NULL. Thread-safe, where the buffer is; linear.
agd_status agd_adp_detail_url_rfc3986(const struct agd_document *document,
                                      struct agd_text reference,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *length);

/// The URL that searches an ADP registry for services (section 6).
///
/// `registry` is its URL and `words` are what is looked for, both plain UTF-8; neither may be absent. The buffer is filled as by agd_text_decode, and `length` set
/// likewise.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL if the registry is not a URL of http(s); or another negative status for misuse.
/// Thread-safe, where the buffer is; linear.
agd_status agd_adp_search_url(struct agd_text registry,
                              struct agd_text words,
                              char *buffer,
                              size_t capacity,
                              size_t *length);

/// The request that calls a capability: method, URL, headers and body. Nothing is sent.
///
/// The endpoint is resolved as by agd_adp_detail_url, and the arguments of the path stand in it for their names in braces. An argument goes where
/// its parameter's `in` says; without that into the path where it has a place there, with GET, HEAD and DELETE into the query, else into a JSON
/// object as the body.
///
/// `manifest` and `detail` are documents of AGD_FORMAT_ADP and AGD_FORMAT_ADP_CAPABILITY; they and `call` must not be NULL, and `call` must be
/// initialised (AGD_INIT). `options` may be NULL: no token, no arguments. `buffer` is memory of yours for `capacity` bytes, in which everything of
/// the call is put, each part with a NUL behind it; it may be NULL where `capacity` is 0, to ask for the size. `needed`, where it is not NULL, gets
/// the number of bytes that the buffer must have. The buffer then holds the token: it is yours to wipe.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL, AGD_ERROR_PLACEHOLDER, AGD_ERROR_REFERENCE, AGD_ERROR_METHOD,
/// AGD_ERROR_MISSING_MEMBER, AGD_ERROR_HEADER and AGD_ERROR_TOKEN where the documents or the token make no request; AGD_ERROR_MISSING_ARGUMENT,
/// AGD_ERROR_UNKNOWN_ARGUMENT, AGD_ERROR_REPEATED_ARGUMENT, AGD_ERROR_UNPLACED_ARGUMENT, AGD_ERROR_INVALID_ARGUMENT, which `call` describes;
/// AGD_ERROR_CAPACITY_EXCEEDED for too many arguments; AGD_ERROR_WITHHELD where the endpoint must not get the token, being on another host or not
/// https; AGD_ERROR_WRONG_FORMAT where a document is of another format; or another negative status for misuse. Thread-safe, where the buffer is;
/// linear in the detail for each argument; about 12 KB of stack.
agd_status agd_adp_request(const struct agd_document *manifest,
                           const struct agd_document *detail,
                           const struct agd_adp_options *options,
                           char *buffer,
                           size_t capacity,
                           size_t *needed,
                           struct agd_adp_call *call);

/// The next header of a call.
///
/// Neither pointer may be NULL; `header` borrows the buffer of the call. Returns AGD_SOME, at the end AGD_NONE (and `header` stays as it is), or a
/// negative status for misuse. Not thread-safe on one list; linear in the header.
agd_status agd_headers_next(struct agd_headers *list,
                            struct agd_header *header);

/// All rate limits that apply to a request, of every document and of the robots.txt. All of them are to be kept.
///
/// Never fails: where `decision` is NULL or was not made, the list answers AGD_ERROR_UNINITIALISED. It borrows what the decision borrows.
/// Thread-safe; constant time.
struct agd_applied_limits agd_decision_limits(const struct agd_decision *decision);

/// The next limit of a list.
///
/// Neither pointer may be NULL; `limit` must be initialised (AGD_INIT) and then borrows what the decision borrows. Returns AGD_SOME, at the end
/// AGD_NONE (and `limit` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed over; about 20 KB of
/// stack.
agd_status agd_applied_limits_next(struct agd_applied_limits *list,
                                   struct agd_applied_limit *limit);

/// The same as agd_applied_limits_next in memory of yours, for systems whose stack is small.
///
/// No pointer may be NULL; `workspace` needs no initialisation, and is not needed afterwards. Everything else is as agd_applied_limits_next says. Not
/// thread-safe on one list or workspace; linear in what is passed over.
agd_status agd_applied_limits_next_with(struct agd_applied_limits *list,
                                        struct agd_workspace *workspace,
                                        struct agd_applied_limit *limit);

/// The strictest of the rate limits that apply, as the advisory minimum.
///
/// Neither pointer may be NULL; `limit` must be initialised (AGD_INIT) and then borrows what the decision borrows. Returns AGD_SOME; AGD_NONE where
/// no limit applies (and `limit` stays as it is); or a negative status for misuse. Thread-safe; linear in the documents; about 21 KB of stack.
agd_status agd_decision_advisory_limit(const struct agd_decision *decision,
                                       struct agd_applied_limit *limit);

/// The same as agd_decision_advisory_limit in memory of yours, for systems whose stack is small.
///
/// No pointer may be NULL; `workspace` needs no initialisation, and is not needed afterwards. Everything else is as agd_decision_advisory_limit says.
/// Thread-safe, where the workspace is; linear in the documents.
agd_status agd_decision_advisory_limit_with(const struct agd_decision *decision,
                                            struct agd_workspace *workspace,
                                            struct agd_applied_limit *limit);

/// What the agents.md documents say in words, which no decision is made of: an agent must read and heed it. `which` is AGD_WORDS_CAN,
/// AGD_WORDS_CANNOT or AGD_WORDS_BEHAVIOR.
///
/// Never fails: where `decision` is NULL or was not made, or `which` is none of these, the list answers AGD_ERROR_UNINITIALISED. It borrows what
/// the decision borrows. Thread-safe; constant time.
struct agd_words agd_decision_words(const struct agd_decision *decision,
                                    int32_t which);

/// The next text of a list of words, and the index of its document.
///
/// `list` and `text` must not be NULL; `document` may be. `text` borrows the document's bytes. Returns AGD_SOME, at the end AGD_NONE (and both stay as they are), or a negative status
/// for misuse. Not thread-safe on one list; linear in what is passed over.
agd_status agd_words_next(struct agd_words *list,
                          struct agd_text *text,
                          size_t *document);

/// The next policy of a list.
///
/// Neither pointer may be NULL; `agent` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `agent` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
agd_status agd_agents_next(struct agd_agents *list,
                           struct agd_agent *agent);

/// What holds for single agents.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_agents agd_document_agents(const struct agd_document *document);

/// Walks the body of an agents.md from top to bottom: sections, headings, items, paragraphs, code. What stands in HTML is left out. Permissions,
/// rules of conduct, contacts and the gateway are also in the unified model.
///
/// Neither pointer may be NULL; `walk` needs no initialisation, and then borrows the document's bytes. Returns AGD_OK; AGD_ERROR_WRONG_FORMAT where
/// the document is not an agents.md; or another negative status for misuse; where it fails, the walk is left uninitialised. Thread-safe; constant time.
agd_status agd_agents_md_walk(const struct agd_document *document,
                              struct agd_agents_md *walk);

/// The next entry of a walk.
///
/// Neither pointer may be NULL; `found` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the end AGD_NONE
/// (and `found` stays as it is), or a negative status for misuse. Not thread-safe on one walk; linear in what is passed over.
agd_status agd_agents_md_next(struct agd_agents_md *walk,
                              struct agd_entry *found);

/// The feature flags of an AWP document. agd_document_features has them as they are written, with those of no name.
///
/// Neither pointer may be NULL; `features` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME; AGD_NONE where
/// the document gives none; AGD_ERROR_WRONG_FORMAT if it is not an agent.json; or a negative status for misuse. Thread-safe; linear in the
/// flags.
agd_status agd_awp_feature_flags(const struct agd_document *document,
                                 struct agd_awp_features *features);

/// The actions that must run before an action of an AWP document (section 11), in an order in which they can run: each once, behind everything
/// that it requires itself. None where nothing is required. That the names are those of actions is for the check to say.
///
/// `document` must not be NULL; `action` is plain UTF-8. `scratch` is memory of yours for `scratch_length` numbers (NULL where that is 0), whatever they are: four for
/// each name in `dependencies`, keys and values alike. `items` is memory for `capacity` texts, which borrow the document's bytes; it may be NULL
/// where `capacity` is 0. Nobody else uses either meanwhile. `found`, where it is not NULL, gets the number of actions.
///
/// Returns AGD_OK; AGD_ERROR_CYCLE where there is no such order, and then the actions are those that require one another, each the next one, and
/// the last one the first; AGD_ERROR_BUFFER_TOO_SMALL where there are more actions than there is room for, and then the first ones are given;
/// AGD_ERROR_CAPACITY_EXCEEDED where there is too little scratch memory, and then `found` gets how many numbers are needed;
/// AGD_ERROR_WRONG_FORMAT if the document is not an agent.json; or another negative status for misuse. Thread-safe, where the memory is;
/// n log n in `dependencies`.
agd_status agd_awp_prerequisites(const struct agd_document *document,
                                 struct agd_text action,
                                 uint32_t *scratch,
                                 size_t scratch_length,
                                 struct agd_text *items,
                                 size_t capacity,
                                 size_t *found);

/// The next capability of a list.
///
/// Neither pointer may be NULL; `capability` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at
/// the end AGD_NONE (and `capability` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is
/// passed over.
agd_status agd_capabilities_next(struct agd_capabilities *list,
                                 struct agd_capability *capability);

/// The next rate limit of a list.
///
/// Neither pointer may be NULL; `limit` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `limit` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
agd_status agd_rate_limits_next(struct agd_rate_limits *list,
                                struct agd_rate_limit *limit);

/// The next result of a list.
///
/// Neither pointer may be NULL; `output` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `output` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
agd_status agd_outputs_next(struct agd_outputs *list,
                            struct agd_output *output);

/// What agents can do.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_capabilities agd_document_capabilities(const struct agd_document *document);

/// Rate limits of the whole document.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_rate_limits agd_document_rate_limits(const struct agd_document *document);

/// Converts a document into another format (or its own, laid out anew), with a NUL at its end, and calls `callback` for what does not carry over: every
/// member of the unified model reads back equal from what is written, or is told. What is written never allows agents more than the document.
///
/// `target` is AGD_FORMAT_AGENTS_TXT or AGD_FORMAT_AGENTS_JSON for every format that is read but AGD_FORMAT_ADP_SEARCH, AGD_FORMAT_AGENTS_TXT_01
/// or AGD_FORMAT_AGENTS_JSON_01 for those two. (agd_write_json writes the unified model, which loses nothing.)
///
/// `document` must not be NULL; `options` may be, for the defaults; `callback` may be, and is then not called. `user` is passed on. `buffer` may be
/// NULL where `capacity` is 0, to ask for the length: give no callback then, for every call tells. `length`, where it is not NULL, gets the length
/// without the NUL, whether or not there was room; 0 where nothing is written.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL where text and NUL have no room, and then the buffer holds the empty string;
/// AGD_ERROR_UNSUPPORTED where no such document is made of this one; AGD_ERROR_REFUSED where the target cannot say something without which
/// agents would be allowed more (the losses of AGD_SEVERITY_ERROR tell what); another negative status is misuse. Thread-safe as far as the callback is; linear
/// in the document, but for lines of losses that come out of order; about 23 KB of stack.
agd_status agd_convert(const struct agd_document *document,
                       int32_t target,
                       const struct agd_convert_options *options,
                       char *buffer,
                       size_t capacity,
                       size_t *length,
                       agd_loss_callback callback,
                       void *user);

/// Writes the path of a loss in the unified model, such as `capabilities[0].parameters[1].default`, as UTF-8 with a NUL behind it. Control
/// characters in names of the document's own are escaped, and such names shortened to 80 characters.
///
/// `loss` must not be NULL and must come from agd_convert, while its document's bytes are as they were. Buffer and length are those of
/// agd_diagnostic_message, and so is what is returned. 1024 bytes are always enough. Thread-safe; linear in the path.
agd_status agd_loss_path(const struct agd_loss *loss,
                         char *buffer,
                         size_t capacity,
                         size_t *length);

/// Writes a sentence about a loss for people, its path included. NULL, buffer and answers are as with agd_loss_path.
///
/// Thread-safe; linear in the sentence.
agd_status agd_loss_message(const struct agd_loss *loss, char *buffer, size_t capacity, size_t *length);

/// Writes an agents.txt (of the Internet-Draft, or 0.1.0) with everything put right that is mechanical, with a NUL at its end, and tells `callback`
/// what: indentation, letter case and names of fields, arrows, units, blanks, line ends. What the document means stays the same; comments, empty
/// lines and unknown fields stay as they are.
///
/// `document` must not be NULL; `callback` may be, and is then not called. `user` is passed on. Buffer and length are those of agd_convert.
///
/// Returns AGD_OK, also where nothing changes; AGD_ERROR_BUFFER_TOO_SMALL where text and NUL have no room, and then the buffer holds the empty
/// string; AGD_ERROR_UNSUPPORTED if the document is not an agents.txt; another negative status is misuse. Thread-safe as far as the callback
/// is; linear in the document.
agd_status agd_fix(const struct agd_document *document,
                   char *buffer,
                   size_t capacity,
                   size_t *length,
                   agd_change_callback callback,
                   void *user);

/// The header that carries a token, ready to be sent: `Name: value`, without a line end, with a NUL at its end.
///
/// It is made only where the request is allowed and credentials may be sent there, and where the format says which header it is. `decision` must
/// not be NULL. `token` is plain UTF-8. The buffer is filled as by agd_text_decode, and `length` is set likewise; it then holds a secret, which is yours to wipe.
///
/// Returns AGD_SOME; AGD_NONE where no authentication is needed; AGD_ERROR_WITHHELD where credentials must not be sent; AGD_ERROR_UNSPECIFIED where
/// the format does not say which header; AGD_ERROR_HEADER, AGD_ERROR_TOKEN where header or token cannot stand in a request;
/// AGD_ERROR_BUFFER_TOO_SMALL; or another negative status for misuse. Thread-safe, where the buffer is; linear.
agd_status agd_decision_auth_header(const struct agd_decision *decision,
                                    struct agd_text token,
                                    char *buffer,
                                    size_t capacity,
                                    size_t *length);

/// What must run before the action of an AWP document that a decision is about, in order: what agd_awp_prerequisites gives, with the same
/// memory and the same answers.
///
/// `decision` must not be NULL; the texts borrow the document's bytes. Returns AGD_NONE, with `found` 0, where nothing is required or no AWP document declares the action; otherwise what agd_awp_prerequisites
/// returns. Thread-safe, where the memory is; n log n in `dependencies`.
agd_status agd_decision_prerequisites(const struct agd_decision *decision,
                                      uint32_t *scratch,
                                      size_t scratch_length,
                                      struct agd_text *items,
                                      size_t capacity,
                                      size_t *found);

/// Whether the AWP document that declares the action has `dependencies` that cannot be read, so that more may have to run before it than
/// agd_decision_prerequisites gives: AGD_TRUE or AGD_FALSE; AGD_UNSAID where `decision` is NULL or was not made.
///
/// Thread-safe; linear in `dependencies`.
int32_t agd_decision_prerequisites_unknown(const struct agd_decision *decision);

/// Writes a decision as JSON (docs/policy.md), on one line, with a NUL at its end.
///
/// `decision` must not be NULL. `scratch` is memory of yours for `scratch_length` numbers (NULL where that is 0): four for each name in the `dependencies` of an AWP
/// document; with fewer, `prerequisites` is left out, and said to be. The buffer is filled as by agd_write_json, and `length` is set likewise.
///
/// Returns AGD_OK, or AGD_ERROR_BUFFER_TOO_SMALL, or another negative status for misuse. Thread-safe, where the memory is; linear in the
/// documents; about 22 KB of stack.
agd_status agd_decision_json(const struct agd_decision *decision,
                             uint32_t *scratch,
                             size_t scratch_length,
                             char *buffer,
                             size_t capacity,
                             size_t *length);

/// Tells what a document is, without parsing it.
///
/// `data` may be NULL where `length` is 0; the bytes are only read during the call. Of `options`, which may be NULL, the hints (`url`,
/// `content_type`) count, a forced format does not. `detection` must not be NULL and must be initialised (AGD_INIT).
///
/// Returns AGD_SOME; AGD_FORMAT_UNKNOWN is not an error. A negative status is misuse. Thread-safe; linear in a JSON document, and constant in any
/// other, of which only the beginning is read.
agd_status agd_detect(const char *data,
                      size_t length,
                      const struct agd_options *options,
                      struct agd_detection *detection);

/// One of the signs by which a document was told, in English words.
///
/// Ask with `index` 0, 1, 2, … until AGD_NONE. Neither pointer may be NULL; `sign` is static text. Returns AGD_SOME, AGD_NONE, or a negative
/// status for misuse. Thread-safe; constant time.
agd_status agd_detection_sign(const struct agd_detection *detection,
                              size_t index,
                              struct agd_text *sign);

/// Checks a document against its specification and calls `callback` for each diagnostic, in no particular order;
/// agd_check_sorted puts it in order.
///
/// `document` must not be NULL; `options` may be, for the defaults; `callback` may be, and is then not called. `user` is passed on.
/// Returns AGD_OK, whatever was found; a negative status is misuse. Thread-safe as far as the callback is; n log n in the document, and the
/// lines of diagnostics that come out of order are counted anew; about 18 KB of stack.
agd_status agd_check(const struct agd_document *document,
                     const struct agd_check_options *options,
                     agd_diagnostic_callback callback,
                     void *user);

/// Checks a document and fills an array of yours with what is found, in the order of the document (by offset, then by code).
///
/// `document` must not be NULL; `options` may be, for the defaults. `items` is memory for `capacity` diagnostics, which need no initialisation;
/// it may be NULL where `capacity` is 0, to ask how many there are. `item_size` is `sizeof *items`. The diagnostics borrow the document's bytes.
/// `found`, where it is not NULL, gets the number of all that was found, whether or not there was room; for misuse it stays as it is. With the
/// default options, 1001 have room for every document.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL where more was found than there is room for: then the array is filled with the first in order;
/// or another negative status for misuse, and then nothing is filled. Thread-safe, where array and scratch memory are; n log n in the document
/// and in what is found; about 18 KB of stack.
agd_status agd_check_sorted(const struct agd_document *document,
                            const struct agd_check_options *options,
                            struct agd_diagnostic *items,
                            size_t item_size,
                            size_t capacity,
                            size_t *found);

/// Checks a document and counts what is found.
///
/// Neither `document` nor `counts` may be NULL; `options` may be. Returns AGD_OK, whatever was found; a negative status is misuse. Thread-safe;
/// n log n in the document; about 18 KB of stack.
agd_status agd_check_count(const struct agd_document *document,
                           const struct agd_check_options *options,
                           struct agd_counts *counts);

/// Writes the message of a diagnostic into `buffer`, as UTF-8 with a NUL behind it. Credentials are never repeated in it, and control
/// characters are escaped.
///
/// `diagnostic` must not be NULL and must come from agd_check, agd_check_sorted or a list, while its document's bytes are as they were. `buffer` may be NULL where
/// `capacity` is 0, to ask for the length. `length`, where it is not NULL, gets the length without the NUL, whether or not there was room.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL where message and NUL have no room: then the buffer holds the empty string. 512 bytes are
/// enough for most. Thread-safe; linear in the message.
agd_status agd_diagnostic_message(const struct agd_diagnostic *diagnostic,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *length);

/// Checks a document and makes a list of what is found, in the order of the document (by offset, then by code).
///
/// `window` is memory of yours for `capacity` diagnostics, at least one, which need no initialisation; `item_size` is `sizeof *window`. The list
/// gives any number of diagnostics, but each time that the window is used up, the document is checked again: with a window for all of them, once.
/// `document` must not be NULL; `options` may be, for the defaults. `list` must not be NULL, and needs no initialisation. The document's bytes, the
/// window, and the origin and scratch memory of the options must stay, and nobody else may use window and scratch memory, until the walk ends.
///
/// Returns AGD_OK; or a negative status for misuse, and then the list answers AGD_ERROR_UNINITIALISED, unless it is NULL. Thread-safe, where the
/// memory is; n log n in the document; about 20 KB of stack.
agd_status agd_diagnostics_begin(struct agd_diagnostics *list,
                                 const struct agd_document *document,
                                 const struct agd_check_options *options,
                                 struct agd_diagnostic *window,
                                 size_t item_size,
                                 size_t capacity);

/// The next diagnostic of a list.
///
/// Neither pointer may be NULL; `diagnostic` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the end
/// AGD_NONE (and `diagnostic` stays as it is), or a negative status for misuse. Not thread-safe on one list; constant time, but n log n in the
/// document, and about 19 KB of stack, where the window is used up.
agd_status agd_diagnostics_next(struct agd_diagnostics *list,
                                struct agd_diagnostic *diagnostic);

/// Compares two documents of one site, field by field: an agents.txt with the agents.json beside it (also of agents.txt 0.1.0, where less is compared,
/// since the two say less in common), and tells `callback` what they do not say alike. Defaults count as said; neither the order of lists matters, nor
/// letter case where it means nothing, nor when the documents were made.
///
/// Neither document may be NULL; `callback` may be, and is then not called. `user` is passed on. `complete`, where it is not NULL, gets AGD_TRUE where
/// everything was compared, and AGD_FALSE where the documents are so large, and in so different an order, that the rest was left out.
///
/// Returns AGD_OK, or a negative status for misuse. Thread-safe as far as the callback is; linear in the documents; about 24 KB of
/// stack. Of each list, everything that stands in the same order in both documents is compared, and some hundred items that do not.
agd_status agd_differences(const struct agd_document *first,
                           const struct agd_document *second,
                           int32_t *complete,
                           agd_difference_callback callback,
                           void *user);

/// Begins with a site: a URL, whose path does not matter, or a host, which means https.
///
/// `discovery` must not be NULL; it is left uninitialised where this fails. `site` is not needed afterwards, and must not point into the discovery,
/// as what agd_discovery_origin gives does. `options` may be NULL for the defaults. Returns AGD_OK; AGD_ERROR_SITE where `site` names none (user
/// information, non-ASCII letters, another scheme than http and https); or another negative status for misuse. Not thread-safe on one discovery; constant time.
agd_status agd_discovery_begin(struct agd_discovery *discovery,
                               struct agd_text site,
                               const struct agd_discovery_options *options);

/// Hands out the next request.
///
/// Neither pointer may be NULL; `request` must be initialised (AGD_INIT), and its texts point into the discovery: they are good until the request is
/// answered. Returns AGD_SOME; AGD_NONE where there is none now (answers to open ones may lead to more); or a negative status for misuse.
/// Not thread-safe on one discovery; constant time.
agd_status agd_discovery_next(struct agd_discovery *discovery,
                              struct agd_discovery_request *request);

/// The headers to send with an open request: `User-Agent`, `Accept`, and `If-None-Match` and `If-Modified-Since`
/// where you have stored a body that came from the very URL of the request.
///
/// `user_agent` is who is asking; absent, or where it cannot stand in a header, the library's own name. `stored` may be NULL. `headers` has room for
/// AGD_DISCOVERY_HEADERS of them; they borrow from `user_agent` and `stored`, or are static. `count` gets how many there are. `discovery`, `headers` and
/// `count` must not be NULL. Returns AGD_OK; AGD_ERROR_ARGUMENT where no such request is open; or another negative status for misuse. Thread-safe
/// while no other thread changes the discovery; linear in the texts that are given.
agd_status agd_discovery_headers(const struct agd_discovery *discovery,
                                 int32_t id,
                                 struct agd_text user_agent,
                                 const struct agd_stored *stored,
                                 struct agd_http_header *headers,
                                 size_t *count);

/// Answers an open request from what you have stored under its key, where that counts: a document that is fresh, and whatever must not be asked for
/// again yet. `now` is in seconds since 1970.
///
/// No pointer may be NULL; `answer` must be initialised (AGD_INIT), and then borrows the texts of `stored`, the body among them. Returns AGD_SOME where the request is answered; AGD_NONE where it is to be
/// sent (and `answer` stays as it is); AGD_ERROR_ARGUMENT where no such request is open; or another negative status for misuse. Not
/// thread-safe on one discovery; linear in the body.
agd_status agd_discovery_recall(struct agd_discovery *discovery,
                                int32_t id,
                                const struct agd_stored *stored,
                                uint64_t now,
                                struct agd_discovery_answer *answer);

/// Takes an answer of the network.
///
/// `discovery` and `response` must not be NULL; `answer` may be, otherwise it must be initialised (AGD_INIT). It borrows the
/// body, and its validators the headers; after 304, all that of what was stored. Nothing else is needed afterwards. Returns AGD_OK;
/// AGD_ERROR_ARGUMENT where no such request is open; or another negative status for misuse. Of more than 256 headers, the first 256 count. Not
/// thread-safe on one discovery; linear in body and headers; about 14 KB of stack.
agd_status agd_discovery_respond(struct agd_discovery *discovery,
                                 int32_t id,
                                 const struct agd_discovery_response *response,
                                 struct agd_discovery_answer *answer);

/// Takes notice that no answer came: `failure` is AGD_FAILURE_*, `now` in seconds since 1970.
///
/// `discovery` must not be NULL; `answer` may be, otherwise it must be initialised (AGD_INIT), and borrows nothing. Returns AGD_OK; AGD_ERROR_ARGUMENT where no such request is open;
/// or another negative status for misuse. Not thread-safe on one discovery; constant time.
agd_status agd_discovery_fail(struct agd_discovery *discovery,
                              int32_t id,
                              int32_t failure,
                              uint64_t now,
                              struct agd_discovery_answer *answer);

/// Asks for the detail of a capability that a manifest of the Agent Discovery Protocol names: its request comes next. `detail_url` is as the manifest has it. It must be
/// on the site, unless you approve of where it is (`approved` is AGD_TRUE, else AGD_FALSE).
///
/// `discovery` and `document` must not be NULL; `rejection` may be. Document and URL are not needed afterwards. Returns AGD_SOME where it is asked for; AGD_NONE where not, and `rejection` gets why (AGD_REJECTION_*, or
/// AGD_REJECTION_NONE where four are on their way already); AGD_ERROR_WRONG_FORMAT if the document is not a manifest; or another negative status for misuse.
/// Not thread-safe on one discovery; linear in the URL.
agd_status agd_discovery_ask_detail(struct agd_discovery *discovery,
                                    const struct agd_document *document,
                                    struct agd_text detail_url,
                                    int32_t approved,
                                    int32_t *rejection);

/// Asks for the declaration of an agent's operator: its request comes next. `url` is what a document has as `Agent-Declaration`. It lies on another site; asking
/// approves of that.
///
/// `discovery` must not be NULL; `rejection` may be. The URL is not needed afterwards. Returns as agd_discovery_ask_detail does. Not thread-safe on one discovery; linear in the
/// URL.
agd_status agd_discovery_ask_declaration(struct agd_discovery *discovery,
                                         struct agd_text url,
                                         int32_t *rejection);

/// Whether the declaration of an operator names this site: AGD_DECLARED_*, or a negative status for misuse.
///
/// Neither pointer may be NULL. Thread-safe while no other thread changes the discovery; linear in the document.
int32_t agd_discovery_declared(const struct agd_discovery *discovery, const struct agd_document *declaration);

/// An attempt by its place, in the order in which they came up, also one that is not at its end.
///
/// Neither pointer may be NULL; `attempt` must be initialised (AGD_INIT), and its texts point into the discovery: they are good until that is
/// used for more requests. Returns AGD_SOME; AGD_NONE where there are not as many (and `attempt` stays as it is); or a negative status for misuse.
/// Thread-safe while no other thread changes the discovery; constant time.
agd_status agd_discovery_attempt(const struct agd_discovery *discovery,
                                 size_t index,
                                 struct agd_attempt *attempt);

/// An attempt that gave a document about the site, by its rank: native before synthetic, JSON before text, well-known before root. robots.txt,
/// details and declarations are not among them.
///
/// Pointers, texts and answers are as with agd_discovery_attempt: neither may be NULL, and the texts point into the discovery. Thread-safe
/// while no other thread changes the discovery; constant time.
agd_status agd_discovery_document(const struct agd_discovery *discovery,
                                  size_t rank,
                                  struct agd_attempt *attempt);

/// Whether every attempt is at its end: AGD_TRUE or AGD_FALSE; AGD_FALSE for misuse (NULL), too. Thread-safe while no other thread
/// changes the discovery; constant time.
int32_t agd_discovery_is_done(const struct agd_discovery *discovery);

/// Which rules of robots.txt bind: AGD_ROBOTS_RULES_*. The document is that of the answer; the others are agd_robots_allow_all and
/// agd_robots_disallow_all. AGD_ROBOTS_RULES_UNKNOWN for misuse (NULL), too. Thread-safe while no other thread changes the discovery; constant time.
int32_t agd_discovery_robots(const struct agd_discovery *discovery);

/// When something of the site may be asked again at the earliest, in seconds since 1970; 0 before the first answer, and for misuse
/// (NULL). Thread-safe while no other thread changes the discovery; constant time.
uint64_t agd_discovery_ask_again_at(const struct agd_discovery *discovery);

/// Scheme, host and port of the site. The text points into the discovery; absent for misuse (NULL). Thread-safe while no other thread
/// changes the discovery; constant time.
struct agd_text agd_discovery_origin(const struct agd_discovery *discovery);

/// The stable code of a rejection (AGD_REJECTION_*), such as `not-found`, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_rejection_code(int32_t rejection);

/// What a rejection means, in English: a sentence without a capital and a full stop, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_rejection_message(int32_t rejection);

/// The stable id of what is asked for (AGD_RESOURCE_*), such as `agents-json`, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_resource_id(int32_t resource);

/// Parses a document: settles its format, checks everything that could make reading fail, and notes where everything stands. After it, reading
/// cannot fail.
///
/// `data` may be NULL where `length` is 0. The bytes are not copied: they must stay where and as they are while the document, or anything read
/// from it, is used. `options` may be NULL for the defaults. `document` must not be NULL; where parsing fails it is left uninitialised, and
/// every function that gets it says so. `error` may be NULL, and needs no initialisation.
///
/// Returns AGD_OK or why not, which `error` gets as its kind. Thread-safe; linear in the document; no heap, bounded stack.
agd_status agd_parse(const char *data,
                     size_t length,
                     const struct agd_options *options,
                     struct agd_document *document,
                     struct agd_error *error);

/// The format of a document: AGD_FORMAT_*; AGD_FORMAT_UNKNOWN where it is NULL or was not parsed.
///
/// Thread-safe; constant time.
int32_t agd_document_format(const struct agd_document *document);

/// What is there once. Always there; its members may be absent.
///
/// Neither pointer may be NULL; `head` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, or a negative
/// status for misuse. Thread-safe; at worst linear in the document.
agd_status agd_document_head(const struct agd_document *document,
                             struct agd_head *head);

/// Where a text that was read from a document stands in it: offsets in bytes, from 0, of its first byte and behind its last.
///
/// `document` must not be NULL; `start` and `end` may be. Returns AGD_OK, or AGD_ERROR_ARGUMENT where the text is not part of the document.
/// Thread-safe; constant time.
agd_status agd_document_span(const struct agd_document *document,
                             struct agd_text part,
                             size_t *start,
                             size_t *end);

/// Line and column of an offset in a document, both from 1; the column counts bytes. LF, CRLF and a lone CR each end a line. An offset behind
/// the end counts as the end.
///
/// `document` must not be NULL; `line` and `column` may be. Returns AGD_OK, or a negative status for misuse. Thread-safe; linear in the
/// offset.
agd_status agd_document_position(const struct agd_document *document,
                                 size_t offset,
                                 uint32_t *line,
                                 uint32_t *column);

/// The canonical name of an AGD_KIND_* constant, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_kind_name(int32_t value);

/// The canonical name of an AGD_PROTOCOL_* constant, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_protocol_name(int32_t value);

/// The canonical name of an AGD_AUTH_* constant, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_auth_name(int32_t value);

/// The canonical name of an AGD_LOCATION_* constant, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_location_name(int32_t value);

/// The canonical name of an AGD_WINDOW_* constant, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_window_name(int32_t value);

/// The canonical name of an AGD_TRANSPORT_* constant, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_transport_name(int32_t value);

/// The canonical name of an AGD_SENSITIVITY_* constant, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_sensitivity_name(int32_t value);

/// The canonical name of an AGD_EXECUTION_* constant, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_execution_name(int32_t value);

/// The canonical name of an AGD_PRICING_* constant, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_pricing_name(int32_t value);

/// The canonical name of an AGD_SOURCE_* constant, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_source_name(int32_t value);

/// The stable id of a format (AGD_FORMAT_*), such as `agents-txt`, with a NUL; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_format_id(int32_t format);

/// The format with an id: AGD_FORMAT_*, or AGD_UNSAID where there is no such id (or `id` is absent).
///
/// Thread-safe; constant time.
int32_t agd_format_from_id(struct agd_text id);

/// Whether documents of a format (AGD_FORMAT_*) are read, not only recognised: AGD_TRUE or AGD_FALSE; AGD_FALSE for any other number.
///
/// Thread-safe; constant time.
int32_t agd_format_is_read(int32_t format);

/// Whether documents of a format (AGD_FORMAT_*) are read by this library, which may have been built without some: AGD_TRUE or AGD_FALSE; AGD_FALSE
/// for any other number.
///
/// Thread-safe; constant time.
int32_t agd_format_is_built_in(int32_t format);

/// Writes a document in the unified model as JSON, on one line, with a NUL at its end.
///
/// `document` must not be NULL. `buffer` may be NULL where `capacity` is 0, to ask for the length. `length`, where it is not NULL, gets the
/// length without the NUL, whether or not there was room; a capacity of length + 1 is enough.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL where text and NUL have no room: then the buffer holds the empty string, never a part of the
/// text. Thread-safe; linear in the document.
agd_status agd_write_json(const struct agd_document *document,
                          char *buffer,
                          size_t capacity,
                          size_t *length);

/// The next flow of a list.
///
/// Neither pointer may be NULL; `flow` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the end
/// AGD_NONE (and `flow` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed over.
agd_status agd_flows_next(struct agd_flows *list,
                          struct agd_flow *flow);

/// The next dependency of a list.
///
/// Neither pointer may be NULL; `dependency` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at
/// the end AGD_NONE (and `dependency` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is
/// passed over.
agd_status agd_dependencies_next(struct agd_dependencies *list,
                                 struct agd_dependency *dependency);

/// The next entity of a list.
///
/// Neither pointer may be NULL; `entity` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `entity` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
agd_status agd_entities_next(struct agd_entities *list,
                             struct agd_entity *entity);

/// The next way to recover of a list.
///
/// Neither pointer may be NULL; `recovery` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `recovery` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
agd_status agd_recoveries_next(struct agd_recoveries *list,
                               struct agd_recovery *recovery);

/// The next plan of a list.
///
/// Neither pointer may be NULL; `plan` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the end
/// AGD_NONE (and `plan` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed over.
agd_status agd_plans_next(struct agd_plans *list,
                          struct agd_plan *plan);

/// Platforms that an agent works on.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_texts agd_document_operates_on(const struct agd_document *document);

/// Suggested sequences of capabilities.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_flows agd_document_flows(const struct agd_document *document);

/// What must come first.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_dependencies agd_document_dependencies(const struct agd_document *document);

/// Named types.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_entities agd_document_entities(const struct agd_document *document);

/// What to do about errors.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_recoveries agd_document_errors(const struct agd_document *document);

/// Advice for planning.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_members agd_document_hints(const struct agd_document *document);

/// Feature flags.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_members agd_document_features(const struct agd_document *document);

/// Everything else, at the top level.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_members agd_document_metadata(const struct agd_document *document);

/// Whether the service works.
///
/// Neither pointer may be NULL; `status` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME; AGD_NONE
/// where the document says nothing about it (and `status` stays as it is); or a negative status for misuse. Thread-safe; at worst linear
/// in the document.
agd_status agd_document_status(const struct agd_document *document,
                               struct agd_service_status *status);

/// What the service costs.
///
/// Neither pointer may be NULL; `pricing` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME;
/// AGD_NONE where the document says nothing about it (and `pricing` stays as it is); or a negative status for misuse. Thread-safe; at
/// worst linear in the document.
agd_status agd_document_pricing(const struct agd_document *document,
                                struct agd_pricing *pricing);

/// How sessions work.
///
/// Neither pointer may be NULL; `session` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME;
/// AGD_NONE where the document says nothing about it (and `session` stays as it is); or a negative status for misuse. Thread-safe; at
/// worst linear in the document.
agd_status agd_document_session(const struct agd_document *document,
                                struct agd_session *session);

/// How long a session lasts, in seconds, with the default of the format where nothing is written: 1800 in agents.txt 0.1.0, 3600 in agents.json
/// 0.1. AGD_UNSAID where the document has no sessions, or its format knows none, and where it is NULL or was not parsed.
///
/// agd_document_session has what is written. Thread-safe; at worst linear in the document.
int64_t agd_document_session_seconds(const struct agd_document *document);

/// Whether what agents do is recorded.
///
/// Neither pointer may be NULL; `audit` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME; AGD_NONE
/// where the document says nothing about it (and `audit` stays as it is); or a negative status for misuse. Thread-safe; at worst linear
/// in the document.
agd_status agd_document_audit(const struct agd_document *document,
                              struct agd_audit *audit);

/// The next parameter of a list.
///
/// Neither pointer may be NULL; `parameter` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at
/// the end AGD_NONE (and `parameter` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is
/// passed over.
agd_status agd_parameters_next(struct agd_parameters *list,
                               struct agd_parameter *parameter);

/// Decides a request over the documents of one site and its robots.txt (docs/policy.md): whether it is allowed, why, which line says so, and
/// what else is to be known before it is made.
///
/// `documents` is an array of `count` documents; it may be NULL where `count` is 0. Array, request's texts, robots.txt and all bytes must stay
/// where and as they are while the decision, or anything made from it, is used; the struct of the request itself need not. Neither `request`
/// nor `decision` may be NULL, and `decision` must be initialised (AGD_INIT).
///
/// Returns AGD_SOME; or a negative status for misuse: AGD_ERROR_NULL where neither URL nor capability is asked for, AGD_ERROR_ARGUMENT where both
/// are, AGD_ERROR_UNINITIALISED where a document was not parsed. Then `decision` stays as it is, and with AGD_INIT it allows nothing.
/// Thread-safe; linear in the documents; about 21 KB of stack, most of which agd_decide_with takes from you.
agd_status agd_decide(const struct agd_document *documents,
                      size_t count,
                      const struct agd_request *request,
                      struct agd_decision *decision);

/// The same as agd_decide in memory of yours, for systems whose stack is small.
///
/// `workspace` must not be NULL, needs no initialisation, and is not needed afterwards. Everything else, ownership among it, is as agd_decide says.
/// Thread-safe, where the workspace is; linear in the documents.
agd_status agd_decide_with(const struct agd_document *documents,
                           size_t count,
                           const struct agd_request *request,
                           struct agd_workspace *workspace,
                           struct agd_decision *decision);

/// The name of a reason (AGD_REASON_*) with a NUL, such as `not-listed`; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_reason_name(int32_t reason);

/// What a reason (AGD_REASON_*) means, in English: a sentence with a NUL.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_reason_message(int32_t reason);

/// The next group of a list.
///
/// Neither pointer may be NULL; `group` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `group` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
agd_status agd_robots_groups_next(struct agd_robots_groups *list,
                                  struct agd_robots_group *group);

/// The next rule of a list.
///
/// Neither pointer may be NULL; `rule` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the end
/// AGD_NONE (and `rule` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed over.
agd_status agd_robots_rules_next(struct agd_robots_rules *list,
                                 struct agd_robots_rule *rule);

/// The next result of a list.
///
/// Neither pointer may be NULL; `result` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `result` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
agd_status agd_search_results_next(struct agd_search_results *list,
                                   struct agd_search_result *result);

/// Groups of a robots.txt.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_robots_groups agd_document_robots_groups(const struct agd_document *document);

/// Sitemaps of a robots.txt.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_texts agd_document_sitemaps(const struct agd_document *document);

/// What a registry search found.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_search_results agd_document_search_results(const struct agd_document *document);

/// Reads a robots.txt. It cannot fail: lines that are not rules are skipped. Where the server answers with no robots.txt, use
/// agd_robots_allow_all or agd_robots_disallow_all.
///
/// `data` may be NULL where `length` is 0. The bytes are not copied: they must stay where and as they are while the robots.txt, or anything read
/// from it, is used. `options` may be NULL for the defaults; of them, `max_robots` and `max_line` count, and `format` must be
/// AGD_FORMAT_UNKNOWN or AGD_FORMAT_ROBOTS_TXT. `robots` must not be NULL.
///
/// Returns AGD_OK, or a negative status for misuse, which leaves `robots` uninitialised. Thread-safe; constant time: the rules are read when
/// they are asked for.
agd_status agd_robots_parse(const char *data,
                            size_t length,
                            const struct agd_options *options,
                            struct agd_robots *robots);

/// The robots.txt that a parsed document is.
///
/// Neither pointer may be NULL. `robots` borrows the document's bytes, not the document. Returns AGD_SOME; AGD_NONE where the document is none,
/// and then `robots` is left uninitialised; or a negative status for misuse. Thread-safe; constant time.
agd_status agd_document_robots(const struct agd_document *document,
                               struct agd_robots *robots);

/// What counts where there is no robots.txt, as after a 4xx status (RFC 9309 section 2.3.1.3): every agent may fetch everything.
///
/// It borrows nothing. Thread-safe; constant time.
struct agd_robots agd_robots_allow_all(void);

/// What counts where the robots.txt cannot be had, as after a 5xx status (RFC 9309 section 2.3.1.4): no agent may fetch anything else.
///
/// It borrows nothing. Thread-safe; constant time.
struct agd_robots agd_robots_disallow_all(void);

/// Whether `agent` may fetch `url`: agd_robots_decide in short.
///
/// False also for misuse, so that nothing is fetched by mistake; agd_robots_decide distinguishes the two. Thread-safe; linear in the robots.txt,
/// in one pass.
bool agd_robots_allowed(const struct agd_robots *robots,
                        struct agd_text agent,
                        struct agd_text url);

/// Whether `agent` may fetch `url`, and why (RFC 9309 sections 2.2.1 to 2.2.3).
///
/// `agent` is the product token, or a User-Agent that begins with it: its first letters, `-` and `_` count, in either letter case. All groups
/// that name it count, and those for `*` only where there is none. The longest pattern that matches decides, `Allow` among equally long ones.
/// Of `url`, path and query are matched, whatever its origin is: that it is the origin of the robots.txt is yours to see to.
///
/// `robots` and `decision` must not be NULL; `decision` must be initialised (AGD_INIT) and then borrows the bytes of the robots.txt. Neither
/// text may be absent or escaped: one of a document goes through agd_text_decode first. Both are borrowed during the call.
///
/// Returns AGD_SOME, or a negative status for misuse; AGD_ERROR_ARGUMENT for a text that is escaped. Thread-safe; linear in the robots.txt, in
/// two passes. Each rule of the agent may take time linear in the URL besides, so bound the length of URLs that strangers give.
agd_status agd_robots_decide(const struct agd_robots *robots,
                             struct agd_text agent,
                             struct agd_text url,
                             struct agd_robots_decision *decision);

/// The `Crawl-delay` for an agent: the first one that binds it, of the groups that name it; of the groups for `*` only where none does. An
/// extension that RFC 9309 does not define.
///
/// `robots` and `delay` must not be NULL; `delay` must be initialised (AGD_INIT) and then borrows the bytes of the robots.txt; `agent` as in
/// agd_robots_decide. Returns AGD_SOME; AGD_NONE where there is none; or a negative status for misuse. Thread-safe; linear in the robots.txt.
agd_status agd_robots_crawl_delay(const struct agd_robots *robots,
                                  struct agd_text agent,
                                  struct agd_robots_delay *delay);

/// The groups of a robots.txt, in its order. Groups of one agent are not merged.
///
/// Never fails: where `robots` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the bytes of the robots.txt.
/// Thread-safe; constant time.
struct agd_robots_groups agd_robots_group_list(const struct agd_robots *robots);

/// The `Sitemap` lines of a robots.txt, as written; they belong to no group.
///
/// Never fails: where `robots` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the bytes of the robots.txt.
/// Thread-safe; constant time.
struct agd_texts agd_robots_sitemaps(const struct agd_robots *robots);

/// Whether the bytes given are more than are read of them (`max_robots` of the options): AGD_TRUE or AGD_FALSE; AGD_UNSAID where `robots` is NULL
/// or was not parsed.
///
/// Thread-safe; constant time.
int32_t agd_robots_is_cut(const struct agd_robots *robots);

/// Where a text that was read from a robots.txt stands in it: offsets in bytes, from 0, of its first byte and behind its last.
///
/// `robots` must not be NULL; `start` and `end` may be. Returns AGD_OK, or AGD_ERROR_ARGUMENT where the text is not part of the robots.txt.
/// Thread-safe; constant time.
agd_status agd_robots_span(const struct agd_robots *robots,
                           struct agd_text part,
                           size_t *start,
                           size_t *end);

/// Line and column of an offset in a robots.txt: as agd_document_position returns them for a document.
///
/// `robots` must not be NULL; `line` and `column` may be. Returns AGD_OK, or a negative status for misuse. Thread-safe; linear in the offset.
agd_status agd_robots_position(const struct agd_robots *robots,
                               size_t offset,
                               uint32_t *line,
                               uint32_t *column);

/// The name of a reason (AGD_ROBOTS_REASON_*) with a NUL: `rule`, `no-rule`, `no-group`, `robots-file`; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_robots_reason_name(int32_t reason);

/// The next endpoint of a list.
///
/// Neither pointer may be NULL; `endpoint` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME, at the
/// end AGD_NONE (and `endpoint` stays as it is), or a negative status for misuse. Not thread-safe on one list; linear in what is passed
/// over.
agd_status agd_endpoints_next(struct agd_endpoints *list,
                              struct agd_endpoint *endpoint);

/// The service it speaks for.
///
/// Neither pointer may be NULL; `service` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME;
/// AGD_NONE where the document says nothing about it (and `service` stays as it is); or a negative status for misuse. Thread-safe; at
/// worst linear in the document.
agd_status agd_document_service(const struct agd_document *document,
                                struct agd_service *service);

/// Where the document comes from.
///
/// Neither pointer may be NULL; `provenance` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME;
/// AGD_NONE where the document says nothing about it (and `provenance` stays as it is); or a negative status for misuse. Thread-safe; at
/// worst linear in the document.
agd_status agd_document_provenance(const struct agd_document *document,
                                   struct agd_provenance *provenance);

/// Authentication for the whole service.
///
/// Neither pointer may be NULL; `auth` must be initialised (AGD_INIT) and then borrows the document's bytes. Returns AGD_SOME; AGD_NONE
/// where the document says nothing about it (and `auth` stays as it is); or a negative status for misuse. Thread-safe; at worst linear in
/// the document.
agd_status agd_document_auth(const struct agd_document *document,
                             struct agd_service_auth *auth);

/// Endpoints of other protocols.
///
/// Never fails: where `document` is NULL or was not parsed, the list answers AGD_ERROR_UNINITIALISED. It borrows the document's bytes,
/// not the document. Thread-safe; at worst linear in the document.
struct agd_endpoints agd_document_endpoints(const struct agd_document *document);

/// The name of a severity (AGD_SEVERITY_*) with a NUL: `info`, `warning`, `error`; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_severity_name(int32_t severity);

/// What a status means, in English: one sentence without a capital and a full stop, with a NUL.
///
/// Never NULL, also for a number that is not a status. Static: do not free it. Thread-safe; constant time.
const char *agd_status_message(agd_status status);

/// The stable kebab-case name of a status, such as `invalid-json`, with a NUL; `unknown` for a number that is not a status.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_status_name(agd_status status);

/// A string of C as a text. NULL gives the absent text.
///
/// The text borrows `string` (up to its NUL), which must stay as it is while the text is used. Thread-safe; linear.
struct agd_text agd_text_from(const char *string);

/// Whether two texts have the same characters, however they are escaped. An absent text equals none, not even an absent one.
///
/// Thread-safe; linear, without decoding into memory.
bool agd_text_eq(struct agd_text a,
                 struct agd_text b);

/// The same as agd_text_eq with the letter case of ASCII ignored.
///
/// Thread-safe; linear, without decoding into memory.
bool agd_text_eq_ignore_case(struct agd_text a, struct agd_text b);

/// Whether a text has the characters of a string of C, which is borrowed during the call. False where either is absent (NULL).
///
/// Thread-safe; linear, without decoding into memory.
bool agd_text_eq_str(struct agd_text text,
                     const char *string);

/// The same as agd_text_eq_str with the letter case of ASCII ignored. The string is borrowed during the call. False where either is
/// absent (NULL).
///
/// Thread-safe; linear, without decoding into memory.
bool agd_text_eq_str_ignore_case(struct agd_text text,
                                 const char *string);

/// Decodes a text into `buffer`, as UTF-8 with a NUL behind it; half a surrogate pair, and bytes that are not UTF-8, read as U+FFFD. The text itself may hold a NUL
/// where a document escapes one, so go by the length.
///
/// `buffer` may be NULL where `capacity` is 0, to ask for the length. `length`, where it is not NULL, gets the length without the NUL,
/// whether or not there was room; a capacity of length + 1 is enough.
///
/// Returns AGD_OK; AGD_NONE (the same number) for an absent text, with the empty string; AGD_ERROR_BUFFER_TOO_SMALL where text and
/// NUL have no room: then the buffer holds the empty string. Thread-safe; linear.
agd_status agd_text_decode(struct agd_text text,
                           char *buffer,
                           size_t capacity,
                           size_t *length);

/// The next text of a list.
///
/// Neither pointer may be NULL. `text` borrows the document's bytes. Returns AGD_SOME, at the end AGD_NONE (and `text` stays as it is), or a
/// negative status for misuse. Not thread-safe on one list; linear in what is passed over.
agd_status agd_texts_next(struct agd_texts *list,
                          struct agd_text *text);

/// The name of a kind of type (AGD_TYPE_*), such as `date-time`, with a NUL; `named` for AGD_TYPE_NAMED, `unknown` for a number that is none.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_type_name(int32_t kind);

/// Reads a type expression of AWP (section 8), such as the `type` of a parameter or of a field. The case of the letters in the names does not
/// matter.
///
/// `text` may be escaped as JSON, and must not be absent; `found` must not be NULL, must be initialised (AGD_INIT), and then borrows the text.
/// Returns AGD_SOME; AGD_ERROR_TYPE where the text is not a type expression, and then `found` stays as it is; or another negative status for misuse.
/// Thread-safe; linear, times 32 at worst.
agd_status agd_type_parse(struct agd_text text,
                          struct agd_type *found);

/// The next value of an enumeration, empty ones left out.
///
/// Neither pointer may be NULL; `text` borrows the bytes of the expression. Returns AGD_SOME, at the end AGD_NONE, or a negative status for misuse.
/// Not thread-safe on one list; linear in what is passed over.
agd_status agd_type_options_next(struct agd_type_options *list,
                                 struct agd_text *text);

/// Reads an absolute URL with a host (RFC 3986 section 3). What two readers could read in two ways is none: blanks, control characters,
/// backslashes, percent signs in the host.
///
/// `text` is plain UTF-8, which `url` then borrows; neither it nor `url` may be NULL, and `url` must be initialised (AGD_INIT). Returns AGD_SOME;
/// AGD_ERROR_REFERENCE if the text is not such a URL, and then `url` stays as it is; or another negative status for misuse. Thread-safe; linear.
agd_status agd_url_parse(struct agd_text text,
                         struct agd_url *url);

/// How the host of an endpoint relates to the host whose document names it. IP addresses, localhost and public suffixes only match themselves.
/// The Public Suffix List is asked for registrable domains, where the library is built with it (feature `psl`, as by default).
///
/// Both hosts are plain UTF-8, as agd_url has them, and must not be absent. `verified`, where it is not NULL, gets AGD_TRUE where that is all
/// that can be said, and AGD_FALSE where a host has non-ASCII letters, or the list would be needed and is not there.
///
/// Returns AGD_RELATION_*: AGD_RELATION_OTHER if either is not a host; a negative status for misuse. Thread-safe; linear.
int32_t agd_host_relation(struct agd_text document_host,
                          struct agd_text endpoint_host,
                          int32_t *verified);

/// Resolves a reference against a base URL (RFC 3986 section 5.2). Nothing but dot segments is normalised.
///
/// `base` is plain UTF-8; `reference` may be escaped. Neither may be absent. The buffer is filled as by agd_text_decode, and `length` set
/// likewise; where the buffer is too small, it is a length that is enough.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL if the base is not a URL; AGD_ERROR_REFERENCE where the reference is none, or
/// could be read in two ways; or another negative status for misuse. Thread-safe, where the buffer is; linear.
agd_status agd_url_resolve(struct agd_text base,
                           struct agd_text reference,
                           char *buffer,
                           size_t capacity,
                           size_t *length);

/// The next value of a list.
///
/// Neither pointer may be NULL. `value` borrows the document's bytes. Returns AGD_SOME, at the end AGD_NONE (and `value` stays as it is), or a negative status for misuse.
/// Not thread-safe on one list; linear in what is passed over.
agd_status agd_values_next(struct agd_values *list,
                           struct agd_value *value);

/// The next named value of a list. A name may occur more than once.
///
/// Neither pointer may be NULL. `member` borrows the document's bytes. Returns AGD_SOME, at the end AGD_NONE (and `member` stays as it is), or a negative status for misuse.
/// Not thread-safe on one list; linear in what is passed over.
agd_status agd_members_next(struct agd_members *list,
                            struct agd_member *member);

/// Reads a JSON text (RFC 8259) that nests at most 64 deep.
///
/// `json` may be NULL where `length` is 0; its bytes must stay as they are while `value`, or anything read from it, is used. `value` must not
/// be NULL; `error` may be, and needs no initialisation. Returns AGD_OK or why the text could not be read, which `error` gets as its kind, with the place;
/// then `value` stays as it is. Thread-safe; linear.
agd_status agd_json_parse(const char *json,
                          size_t length,
                          struct agd_value *value,
                          struct agd_error *error);

/// Walks the members of a JSON object, such as a value in metadata or the `source` of a capability.
///
/// Neither pointer may be NULL; `members` needs no initialisation, and then borrows the bytes of the object. Returns AGD_OK, AGD_ERROR_ARGUMENT where
/// the value is not an object, or why its text could not be read; where it fails, `members` is left uninitialised. Thread-safe; linear, because the text
/// is validated.
agd_status agd_value_members(const struct agd_value *value,
                             struct agd_json_members *members);

/// Walks the elements of a JSON array.
///
/// Neither pointer may be NULL; `elements` needs no initialisation, and then borrows the bytes of the array. Returns AGD_OK, AGD_ERROR_ARGUMENT where
/// the value is not an array, or why its text could not be read; where it fails, `elements` is left uninitialised. Thread-safe; linear, because the text
/// is validated.
agd_status agd_value_elements(const struct agd_value *value,
                              struct agd_json_elements *elements);

/// The next member of a JSON object, in the order of the text, duplicates included.
///
/// Neither pointer may be NULL. `member` borrows the bytes of the object. Returns AGD_SOME, at the end AGD_NONE (and `member` stays as it is), or a negative status for
/// misuse. Not thread-safe on one walk; linear in what is passed over.
agd_status agd_json_members_next(struct agd_json_members *members,
                                 struct agd_member *member);

/// The next element of a JSON array.
///
/// Neither pointer may be NULL. `value` borrows the bytes of the array. Returns AGD_SOME, at the end AGD_NONE (and `value` stays as it is), or a negative status for
/// misuse. Not thread-safe on one walk; linear in what is passed over.
agd_status agd_json_elements_next(struct agd_json_elements *elements,
                                  struct agd_value *value);

/// The number in a value, where it is a whole one from 0 to 2^64 - 1, written in any way (60, 6.0e1).
///
/// Neither pointer may be NULL. Returns AGD_SOME; AGD_NONE where the value is another number; AGD_ERROR_ARGUMENT if it is not a JSON number.
/// Thread-safe; linear in the length of the number.
agd_status agd_value_u64(const struct agd_value *value,
                         uint64_t *number);

/// The truth value in a value: AGD_TRUE or AGD_FALSE; AGD_UNSAID where it is none, or NULL.
///
/// Thread-safe; constant time.
int32_t agd_value_bool(const struct agd_value *value);

/// The version of the library that is running, such as `0.1.0`, with a NUL. That of the header is AGD_VERSION.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_version(void);

/// The version of the library that is running as a number that compares: major * 1000000 + minor * 1000 + patch. That of the header is
/// AGD_VERSION_NUMBER.
///
/// Thread-safe; constant time.
uint32_t agd_version_number(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* AGENTSDISC_H */
