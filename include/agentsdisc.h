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


/// The maximum number of arguments of a call.
#define AGD_ARGUMENTS_MAX 64

/// The rate limit is for everything that the agent does there.
#define AGD_SCOPE_AGENT 1

/// The rate limit is for the one capability.
#define AGD_SCOPE_CAPABILITY 2

/// The rate limit applies to all agents, for the whole service.
#define AGD_SCOPE_SERVICE 3

/// The rate limit is the `Crawl-delay` of the robots.txt.
#define AGD_SCOPE_ROBOTS 4

/// Prose of agents.md: what agents can do.
#define AGD_WORDS_CAN 1

/// Prose of agents.md: what agents cannot do.
#define AGD_WORDS_CANNOT 2

/// Prose of agents.md: how agents should behave.
#define AGD_WORDS_BEHAVIOR 3

/// Size of agd_applied_limits in 64-bit words.
#define AGD_APPLIED_WORDS 96

/// Size of agd_advice in 64-bit words.
#define AGD_ADVICE_WORDS 32

/// The agent may use only the listed capabilities; none if the list is empty.
#define AGD_CAPABILITIES_LISTED 0

/// The agent may use all capabilities.
#define AGD_CAPABILITIES_ALL 1

/// A section starts: a heading of level 2.
#define AGD_ENTRY_SECTION 1

/// A heading of another level. One of level 1 ends the section before it.
#define AGD_ENTRY_HEADING 2

/// A list item, empty ones included.
#define AGD_ENTRY_ITEM 3

/// A paragraph that is not the text of an item.
#define AGD_ENTRY_PARAGRAPH 4

/// A code block.
#define AGD_ENTRY_CODE 5

/// `Can`: what agents may do.
#define AGD_SECTION_CAN 0

/// `Cannot`: what agents must not do.
#define AGD_SECTION_CANNOT 1

/// `MCP`: the gateway.
#define AGD_SECTION_MCP 2

/// `Behavior`: rules of conduct.
#define AGD_SECTION_BEHAVIOR 3

/// `Contact`.
#define AGD_SECTION_CONTACT 4

/// A section of any other name.
#define AGD_SECTION_OTHER 5

/// Size of agd_agents_md in 64-bit words.
#define AGD_AGENTS_MD_WORDS 128

/// Size of agd_loss_state in 64-bit words.
#define AGD_LOSS_WORDS 24

/// Used instead of a document index: the rule or limit is in the robots.txt of the request.
#define AGD_FROM_ROBOTS -2

/// No document mentions authentication.
#define AGD_NEED_NOT_STATED 0

/// No authentication is needed.
#define AGD_NEED_NONE 1

/// Authentication is optional.
#define AGD_NEED_OPTIONAL 2

/// Authentication is required.
#define AGD_NEED_REQUIRED 3

/// Credentials may be sent.
#define AGD_CREDENTIALS_ALLOWED 1

/// Do not send credentials: the connection is not encrypted.
#define AGD_CREDENTIALS_INSECURE 2

/// Do not send credentials: the host has non-ASCII letters.
#define AGD_CREDENTIALS_NON_ASCII_HOST 3

/// Do not send credentials: the host belongs to another registrable domain.
#define AGD_CREDENTIALS_OTHER_DOMAIN 4

/// Do not send credentials: the host of the request, or the site of the documents, is unknown.
#define AGD_CREDENTIALS_UNKNOWN_HOST 5

/// No document requires a confirmation by a person.
#define AGD_CONFIRMATION_NOT_STATED 0

/// A person should confirm.
#define AGD_CONFIRMATION_SHOULD 1

/// A person must confirm.
#define AGD_CONFIRMATION_MUST 2

/// Size of agd_decision_state in 64-bit words.
#define AGD_DECISION_WORDS 192

/// Size of agd_detection_state in 64-bit words.
#define AGD_DETECTION_WORDS 8

/// Size of agd_diagnostic_state in 64-bit words.
#define AGD_DIAGNOSTIC_WORDS 20

/// Size of agd_diagnostics in 64-bit words.
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

/// The agents.json that an agents.txt names (`Agents-JSON`), if it is not at the well-known
/// location.
#define AGD_RESOURCE_COMPANION 6

/// A capability detail of the Agent Discovery Protocol, requested by the caller.
#define AGD_RESOURCE_DETAIL 7

/// The declaration of an agent's operator (`Agent-Declaration`), requested by the caller.
#define AGD_RESOURCE_DECLARATION 8

/// Not redirected.
#define AGD_MOVED_NO 0

/// Redirected to another path of the same origin.
#define AGD_MOVED_SAME_ORIGIN 1

/// Redirected from `http` to `https`, or with `www.` added or dropped.
#define AGD_MOVED_CANONICAL 2

/// Redirected to another host or port of the site (its registrable domain; without the feature
/// `psl`, its host and subdomains).
#define AGD_MOVED_SAME_SITE 3

/// Redirected to another site: only for robots.txt and URLs that the caller approved.
#define AGD_MOVED_OTHER_SITE 4

/// The answer came from the network.
#define AGD_ANSWER_FROM_NETWORK 0

/// The answer came from the caller's store, without a request.
#define AGD_ANSWER_FROM_STORE 1

/// The answer came from the caller's store, revalidated by the server (304).
#define AGD_ANSWER_FROM_REVALIDATED 2

/// Not requested, or not answered yet.
#define AGD_ROBOTS_RULES_UNKNOWN 0

/// The rules of the robots.txt that was found.
#define AGD_ROBOTS_RULES_DOCUMENT 1

/// Everything is allowed: there is no robots.txt, or the server refuses access to it (4xx).
#define AGD_ROBOTS_RULES_ALLOW_ALL 2

/// Everything is disallowed: the server failed, is unreachable, or redirects too often.
#define AGD_ROBOTS_RULES_DISALLOW_ALL 3

/// A timeout.
#define AGD_FAILURE_TIMEOUT 0

/// The body is larger than the limit of the request.
#define AGD_FAILURE_TOO_LARGE 1

/// The content coding is broken or not supported by the client.
#define AGD_FAILURE_ENCODING 2

/// The caller refused to connect, for example to a private address.
#define AGD_FAILURE_REFUSED 3

/// The connection broke, the certificate is invalid, or the response is not HTTP. Also for unknown
/// causes.
#define AGD_FAILURE_UNREACHABLE 4

/// No connection: no network, unknown host, or connection refused. No request was sent; a retry
/// soon is fine.
#define AGD_FAILURE_NOT_CONNECTED 5

/// The declaration's `Operates-On` names the platform.
#define AGD_DECLARED_NAMED 0

/// The declaration's `Operates-On` names other platforms, or none.
#define AGD_DECLARED_NOT_NAMED 1

/// The document is not a declaration of an agent.
#define AGD_DECLARED_NOT_AN_AGENT 2

/// No rejection: the attempt found a document, or is not finished.
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

/// Another status without a document, such as 204.
#define AGD_REJECTION_UNEXPECTED_STATUS 7

/// 304 without a stored answer.
#define AGD_REJECTION_NOT_MODIFIED_UNASKED 8

/// An HTML page, for example from a site that answers everything with 200.
#define AGD_REJECTION_HTML 9

/// The format cannot be detected.
#define AGD_REJECTION_NOT_RECOGNISED 10

/// A document of another kind than belongs there.
#define AGD_REJECTION_OTHER_FORMAT 11

/// A document that cannot be read; the member error_kind gives the reason.
#define AGD_REJECTION_UNREADABLE 12

/// The body is larger than the limit.
#define AGD_REJECTION_TOO_LARGE 13

/// A timeout.
#define AGD_REJECTION_TIMEOUT 14

/// A content coding that is broken or not supported by the client.
#define AGD_REJECTION_ENCODING 15

/// The caller refused to connect.
#define AGD_REJECTION_ADDRESS_REFUSED 16

/// No connection, or a broken one.
#define AGD_REJECTION_UNREACHABLE 17

/// A redirect without a target, or a redirect or document with an invalid URL.
#define AGD_REJECTION_INVALID_URL 18

/// A redirect or a URL in a document that leaves the registrable domain.
#define AGD_REJECTION_OFF_SITE 19

/// A redirect or a URL in a document that leads from https to http.
#define AGD_REJECTION_DOWNGRADE 20

/// A redirect to a URL that this attempt already requested.
#define AGD_REJECTION_REDIRECT_LOOP 21

/// More than five redirects.
#define AGD_REJECTION_TOO_MANY_REDIRECTS 22

/// A URL longer than 512 bytes.
#define AGD_REJECTION_URL_TOO_LONG 23

/// Not requested, because the last request was too recent.
#define AGD_REJECTION_TOO_EARLY 24

/// The next request of the attempt was not returned yet.
#define AGD_ATTEMPT_WAITING 0

/// The request of the attempt is in flight.
#define AGD_ATTEMPT_OPEN 1

/// The attempt found a document.
#define AGD_ATTEMPT_FOUND 2

/// The attempt found nothing usable.
#define AGD_ATTEMPT_REJECTED 3

/// Size of agd_discovery in 64-bit words.
#define AGD_DISCOVERY_WORDS 2560

/// Maximum number of headers that agd_discovery_headers writes.
#define AGD_DISCOVERY_HEADERS 4

/// Size of agd_document in 64-bit words.
#define AGD_DOCUMENT_WORDS 96

/// An absent enumeration, truth value or number.
#define AGD_UNSAID -1

/// A truth value: false.
#define AGD_FALSE 0

/// A truth value: true.
#define AGD_TRUE 1

/// Kind of declaration: another text than the names below.
#define AGD_KIND_UNKNOWN 0

/// A site declares what agents may do.
#define AGD_KIND_PLATFORM 1

/// An agent's operator declares what the agent does on other sites.
#define AGD_KIND_AGENT 2

/// Protocol of a capability or an endpoint: another text than the names below.
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

/// Kind of authentication: another text than the names below.
#define AGD_AUTH_UNKNOWN 0

/// No authentication.
#define AGD_AUTH_NONE 1

/// A key in a header.
#define AGD_AUTH_API_KEY 2

/// A bearer token.
#define AGD_AUTH_BEARER_TOKEN 3

/// OAuth 2.
#define AGD_AUTH_OAUTH2 4

/// A signature with a shared key.
#define AGD_AUTH_HMAC 5

/// Location of a parameter in the request: another text than the names below.
#define AGD_LOCATION_UNKNOWN 0

/// In the query string.
#define AGD_LOCATION_QUERY 1

/// In the path.
#define AGD_LOCATION_PATH 2

/// In a header.
#define AGD_LOCATION_HEADER 3

/// In the body.
#define AGD_LOCATION_BODY 4

/// Time window of a rate limit: another text than the names below.
#define AGD_WINDOW_UNKNOWN 0

/// One second.
#define AGD_WINDOW_SECOND 1

/// One minute.
#define AGD_WINDOW_MINUTE 2

/// One hour.
#define AGD_WINDOW_HOUR 3

/// One day.
#define AGD_WINDOW_DAY 4

/// Transport of an MCP endpoint: another text than the names below.
#define AGD_TRANSPORT_UNKNOWN 0

/// Streamable HTTP.
#define AGD_TRANSPORT_STREAMABLE_HTTP 1

/// Server-sent events.
#define AGD_TRANSPORT_SSE 2

/// HTTP, without saying which transport.
#define AGD_TRANSPORT_HTTP 3

/// Standard input and output.
#define AGD_TRANSPORT_STDIO 4

/// Sensitivity of an action: another text than the names below.
#define AGD_SENSITIVITY_UNKNOWN 0

/// No special risk.
#define AGD_SENSITIVITY_STANDARD 1

/// It modifies or deletes data.
#define AGD_SENSITIVITY_DESTRUCTIVE 2

/// It cannot be undone.
#define AGD_SENSITIVITY_IRREVERSIBLE 3

/// How an action returns its result: another text than the names below.
#define AGD_EXECUTION_UNKNOWN 0

/// The response has the result.
#define AGD_EXECUTION_SYNC 1

/// The result is fetched later.
#define AGD_EXECUTION_ASYNC 2

/// Pricing model of a service: another text than the names below.
#define AGD_PRICING_UNKNOWN 0

/// Free of charge.
#define AGD_PRICING_FREE 1

/// Free of charge up to a limit.
#define AGD_PRICING_FREEMIUM 2

/// Paid.
#define AGD_PRICING_PAID 3

/// Origin of a document: another text than the names below.
#define AGD_SOURCE_UNKNOWN 0

/// The site itself.
#define AGD_SOURCE_NATIVE 1

/// A third party.
#define AGD_SOURCE_SYNTHETIC 2

/// The format is unknown.
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

/// The robots.txt is in `robots`.
#define AGD_ROBOTS_FOUND 1

/// There is no robots.txt (a 4xx status): everything is allowed.
#define AGD_ROBOTS_ABSENT 2

/// The robots.txt is unreachable (a 5xx status, no connection): nothing is allowed.
#define AGD_ROBOTS_UNREACHABLE 3

/// A reason that is newer than this list. agd_reason_message and docs/policy.md explain each
/// reason.
#define AGD_REASON_UNKNOWN 0

/// Allowed: an `Allow` rule matches.
#define AGD_REASON_ALLOWED 1

/// Allowed: there are only `Disallow` rules, and none of them matches.
#define AGD_REASON_NOT_DISALLOWED 2

/// Allowed: the URL is the endpoint of a declared capability.
#define AGD_REASON_CAPABILITY_ENDPOINT 3

/// Allowed: the policy for the agent grants the capability.
#define AGD_REASON_CAPABILITY_GRANTED 4

/// Allowed: no policy applies to the agent, so every capability is open.
#define AGD_REASON_NO_AGENT_BLOCK 5

/// Allowed: the capability is declared, in a format without policies for agents.
#define AGD_REASON_CAPABILITY_DECLARED 6

/// Allowed: the URL is the endpoint of another protocol, such as MCP.
#define AGD_REASON_PROTOCOL_ENDPOINT 7

/// Allowed: the endpoint is on another registrable domain, and the caller has approved it.
#define AGD_REASON_APPROVED_ENDPOINT 8

/// Allowed: the URL is the well-known location of a discovery document.
#define AGD_REASON_DISCOVERY_DOCUMENT 9

/// Allowed: a rule of the robots.txt allows it, and no document covers it.
#define AGD_REASON_ROBOTS_ALLOWED 10

/// Allowed: there are only restrictions in prose, which the agent must respect.
#define AGD_REASON_PROSE_ONLY 11

/// Allowed: no document covers the request.
#define AGD_REASON_NOT_STATED 12

/// Denied: a `Disallow` rule matches.
#define AGD_REASON_DISALLOWED 13

/// Denied: there are `Allow` rules, and none of them matches.
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

/// Denied: the robots.txt is unreachable.
#define AGD_REASON_ROBOTS_UNREACHABLE 21

/// Denied: the service is not operational.
#define AGD_REASON_NOT_OPERATIONAL 22

/// Denied: a rate limit allows no request.
#define AGD_REASON_NO_REQUESTS 23

/// Denied: the endpoint is on another registrable domain, and the caller has not approved it.
#define AGD_REASON_CROSS_ORIGIN_ENDPOINT 24

/// Denied: the URL is on another origin than that of the documents.
#define AGD_REASON_OTHER_ORIGIN 25

/// Denied: credentials would be sent over an unencrypted connection.
#define AGD_REASON_INSECURE_ENDPOINT 26

/// Denied: credentials would be sent to a host that cannot be verified.
#define AGD_REASON_UNVERIFIED_HOST 27

/// Denied: the capability is called through a protocol that is not declared.
#define AGD_REASON_UNKNOWN_PROTOCOL 28

/// Denied: the endpoint of the capability is not a URL that can be called safely.
#define AGD_REASON_INVALID_ENDPOINT 29

/// Denied: the URL or the origin is invalid or ambiguous.
#define AGD_REASON_INVALID_URL 30

/// Denied: the method is not a valid HTTP method.
#define AGD_REASON_INVALID_METHOD 31

/// A reason that is newer than this list.
#define AGD_ROBOTS_REASON_UNKNOWN 0

/// A rule decides.
#define AGD_ROBOTS_REASON_RULE 1

/// Allowed: no rule of the agent's groups matches.
#define AGD_ROBOTS_REASON_NO_RULE 2

/// Allowed: no group applies to the agent or to `*`.
#define AGD_ROBOTS_REASON_NO_GROUP 3

/// Allowed: the URL is the robots.txt itself.
#define AGD_ROBOTS_REASON_ROBOTS_FILE 4

/// No group applies to the agent.
#define AGD_ROBOTS_BINDING_NONE 0

/// The groups for `*` apply to the agent.
#define AGD_ROBOTS_BINDING_ANY 1

/// Groups that name the agent apply.
#define AGD_ROBOTS_BINDING_NAMED 2

/// Size of agd_robots in 64-bit words.
#define AGD_ROBOTS_WORDS 12

/// Information.
#define AGD_SEVERITY_INFO 1

/// Violates a SHOULD, or is very likely a mistake.
#define AGD_SEVERITY_WARNING 2

/// Violates a MUST, or a required field is missing.
#define AGD_SEVERITY_ERROR 3

/// Set in `flags` of a text if its bytes are escaped; read it with agd_text_decode and compare it
/// with agd_text_eq.
#define AGD_TEXT_ESCAPED 1

/// A name other than those below: an entity, or a name that the document does not define.
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

/// Size of agd_type_options in 64-bit words.
#define AGD_TYPE_WORDS 16

/// The request goes to the host of the documents.
#define AGD_RELATION_SAME_HOST 1

/// The request goes to a subdomain of that host.
#define AGD_RELATION_SUBDOMAIN 2

/// The request goes to another host of the same registrable domain.
#define AGD_RELATION_SAME_REGISTRABLE_DOMAIN 3

/// The request goes to another site.
#define AGD_RELATION_OTHER 4

/// The host is a name.
#define AGD_HOST_NAME 1

/// The host is an IPv4 address, in any notation.
#define AGD_HOST_IPV4 2

/// The host is an IPv6 address in brackets.
#define AGD_HOST_IPV6 3

/// There is no value.
#define AGD_VALUE_ABSENT 0

/// Text of a text format.
#define AGD_VALUE_TEXT 1

/// A JSON string; `text` is the part between the quotes.
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

/// Size of agd_workspace in 64-bit words.
#define AGD_WORKSPACE_WORDS 1280

/// The return value of functions: zero or more for success, negative for an error. One of the
/// constants below.
typedef int32_t agd_status;

/// A parsed document: offsets, and a pointer to the caller's bytes. You allocate it
/// (AGD_DOCUMENT_INIT), on the stack or anywhere; there is nothing to free, and it can be copied
/// and moved as plain memory.
///
/// Several threads may read one document at the same time.
typedef struct agd_document {
    /// Internal state.
    uint64_t state[AGD_DOCUMENT_WORDS];
} agd_document;

/// The memory of a list.
typedef const void *agd_list_state[AGD_LIST_WORDS];

/// A list of texts. It borrows the document's bytes. A copy iterates independently. Use a list from
/// one thread at a time.
typedef struct agd_texts {
    /// Internal state.
    agd_list_state state;
} agd_texts;

/// A list of named values. It borrows the document's bytes. A copy iterates independently. Use a
/// list from one thread at a time.
typedef struct agd_members {
    /// Internal state.
    agd_list_state state;
} agd_members;

/// Which paths agents may access. It borrows the document's bytes.
typedef struct agd_access {
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// What agents can do.
    struct agd_texts can;
    /// What agents cannot do.
    struct agd_texts cannot;
    /// How agents should behave.
    struct agd_texts behavior;
} agd_permissions;

/// A piece of text, always borrowed: do not free it. It points into the parsed bytes and is valid
/// as long as they are (or is static, if the function says so). It is not NUL-terminated.
///
/// Absent text has `ptr` NULL; empty text does not.
typedef struct agd_text {
    /// The first byte. UTF-8, except in a robots.txt, which may have other bytes. NULL if the text
    /// is absent.
    const char *ptr;
    /// Number of bytes.
    size_t len;
    /// AGD_TEXT_ESCAPED or 0; the other bits are internal. Set it to 0 in texts that you create.
    uint32_t flags;
} agd_text;

/// A value of an enumeration, with its text in the document.
typedef struct agd_choice {
    /// A constant of the enumeration. Zero (AGD_*_UNKNOWN) if the text is not one of its names;
    /// AGD_UNSAID if the document does not state it.
    int32_t value;
    /// The text as written; absent if the value is a default, or follows from other fields.
    struct agd_text text;
} agd_choice;

/// How a token is sent to a service of the Agent Discovery Protocol, with the defaults of the
/// specification. It borrows the document's bytes; default values are static.
typedef struct agd_adp_auth {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Authentication: AGD_AUTH_*. AGD_AUTH_UNKNOWN means authentication of an unknown kind, never
    /// none.
    struct agd_choice type;
    /// The header that carries the token; `Authorization` if the document names none.
    struct agd_text header;
    /// The text before the token, separated from it by a blank. If the document gives none:
    /// `Bearer` for `Authorization`, empty for any other header.
    struct agd_text prefix;
    /// Whether the document names the header: AGD_TRUE or AGD_FALSE.
    int32_t is_header_written;
    /// Whether the document gives the prefix: AGD_TRUE or AGD_FALSE.
    int32_t is_prefix_written;
} agd_adp_auth;

/// A request header in the caller's buffer.
typedef struct agd_header {
    /// The name, NUL-terminated.
    const char *name;
    /// The value, NUL-terminated. It may be a secret.
    const char *value;
} agd_header;

/// A value as written: text of a text format, or a JSON value.
typedef struct agd_value {
    /// AGD_VALUE_*.
    int32_t kind;
    /// The text, or the part between the quotes of a JSON string (compare and decode both as text),
    /// or the JSON text of any other value. Absent if the value is absent.
    struct agd_text text;
} agd_value;

/// An argument of a call.
typedef struct agd_argument {
    /// The name of the parameter, plain UTF-8.
    struct agd_text name;
    /// The value: AGD_VALUE_TEXT or AGD_VALUE_STRING with plain UTF-8, written as a string in a
    /// JSON body; or another JSON value, written unchanged in a body, and as its JSON text
    /// elsewhere.
    struct agd_value value;
} agd_argument;

/// Options of agd_adp_request. Initialise it with AGD_INIT.
typedef struct agd_adp_options {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The key or token, plain UTF-8. Absent: no authentication header is written.
    struct agd_text token;
    /// `argument_count` arguments, at most AGD_ARGUMENTS_MAX; may be NULL if there are none.
    const struct agd_argument *arguments;
    /// Number of elements.
    size_t argument_count;
    /// AGD_TRUE if the token may be sent to the endpoint on any host. Otherwise it is sent only to
    /// the host of `base_url` and to hosts of the same site.
    int32_t trust_endpoint;
    /// Reserved; zero.
    int32_t reserved;
} agd_adp_options;

/// The headers of a call. It borrows the buffer of the call. A copy iterates independently.
typedef struct agd_headers {
    /// Internal state.
    const void *state[4];
} agd_headers;

/// A request that calls a capability, in the caller's buffer. Initialise it with AGD_INIT.
typedef struct agd_adp_call {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The method in capitals, NUL-terminated. NULL if no request was built, like `url` and `body`.
    const char *method;
    /// The absolute URL, percent-encoded, without fragment, NUL-terminated.
    const char *url;
    /// The body, a JSON object, NUL-terminated; NULL if there is none.
    const char *body;
    /// Length of the body in bytes, without the NUL.
    size_t body_length;
    /// The headers: authentication (a secret), the type of the body, and parameters sent as
    /// headers.
    struct agd_headers headers;
    /// The name of the missing member or argument for AGD_ERROR_MISSING_MEMBER and
    /// AGD_ERROR_MISSING_ARGUMENT; otherwise absent.
    struct agd_text missing;
    /// The index of the invalid argument for the other errors about arguments; otherwise SIZE_MAX.
    size_t argument;
} agd_adp_call;

/// The rate limits that apply to a request. It borrows what the decision borrows. A copy iterates
/// independently.
typedef struct agd_applied_limits {
    /// Internal state.
    uint64_t state[AGD_APPLIED_WORDS];
} agd_applied_limits;

/// Internal state of a decision.
typedef struct agd_decision_state {
    /// Internal state.
    uint64_t state[AGD_DECISION_WORDS];
} agd_decision_state;

/// Whether a request is allowed, and its limits, authentication and other conditions. Initialise it
/// with AGD_INIT. It borrows the request's texts, the array of documents, and all their bytes; it
/// can be copied as plain memory.
typedef struct agd_decision {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Internal state.
    struct agd_decision_state state;
    /// Whether the request is allowed: AGD_TRUE or AGD_FALSE.
    int32_t allowed;
    /// The reason: AGD_REASON_*.
    int32_t reason;
    /// The deciding text as written: a pattern, the name of an agent's policy, the id or endpoint
    /// of a capability. Absent if no text decides.
    struct agd_text rule;
    /// The index of the document that contains the rule; AGD_FROM_ROBOTS for the robots.txt;
    /// AGD_UNSAID if there is no rule.
    int64_t rule_document;
    /// Byte offset of the rule, from 0; 0 if there is none.
    size_t rule_start;
    /// Byte offset after the rule.
    size_t rule_end;
    /// Line of the rule, from 1; 0 if there is none.
    uint32_t rule_line;
    /// Column of the rule in bytes, from 1; 0 if there is none.
    uint32_t rule_column;
    /// The kind of policy that applies to the agent: AGD_ROBOTS_BINDING_*.
    int32_t agent;
    /// Relation of the host of the request to that of the documents: AGD_RELATION_*; AGD_UNSAID if
    /// either is unknown.
    int32_t relation;
    /// Whether `relation` is certain: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    int32_t relation_verified;
    /// Whether credentials may be sent: AGD_CREDENTIALS_*.
    int32_t credentials;
    /// The id of the capability; absent for a URL that is not the endpoint of a capability.
    struct agd_text capability;
    /// The endpoint of the capability as written; absent for a URL, and if none is declared.
    struct agd_text endpoint;
    /// The declared method of the capability, as written.
    struct agd_text method;
    /// Whether authentication is required: AGD_NEED_*.
    int32_t auth_need;
    /// Reserved; zero.
    int32_t reserved;
    /// The kind of authentication: AGD_AUTH_*; AGD_UNSAID if none is needed.
    struct agd_choice auth_type;
    /// The index of the document that states the authentication; AGD_UNSAID if none does.
    int64_t auth_document;
    /// URL that issues a token.
    struct agd_text token_url;
    /// OAuth 2 authorization endpoint.
    struct agd_text authorization_url;
    /// URL that refreshes an expired token.
    struct agd_text refresh_url;
    /// URL where people get a key.
    struct agd_text setup_url;
    /// URL that describes how to authenticate.
    struct agd_text docs_url;
    /// OAuth 2 scopes.
    struct agd_texts scopes;
    /// The header that carries the token; absent if the format does not define it.
    struct agd_text header;
    /// The text before the token in the header; empty for the token alone; absent if `header` is
    /// absent.
    struct agd_text prefix;
    /// Whether a session must be open: AGD_TRUE or AGD_FALSE.
    int32_t session_required;
    /// Whether the document reports the action as degraded: AGD_TRUE or AGD_FALSE.
    int32_t degraded;
    /// Lifetime of a session in seconds, with the default of the format; AGD_UNSAID if no session
    /// is required.
    int64_t session_seconds;
    /// URL that opens the session, with the default of the format.
    struct agd_text session_create;
    /// URL that closes the session.
    struct agd_text session_delete;
    /// Whether a person must confirm: AGD_CONFIRMATION_*.
    int32_t confirmation;
    /// Whether a person completes the action: AGD_TRUE or AGD_FALSE.
    int32_t handoff;
    /// Whether the action can be undone: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    int32_t reversible;
    /// Reserved; zero.
    int32_t reserved2;
    /// The sensitivity of the action: AGD_SENSITIVITY_*; AGD_UNSAID if it is not stated.
    struct agd_choice sensitivity;
} agd_decision;

/// A rate limit that applies to a request.
typedef struct agd_applied_limit {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// What it applies to: AGD_SCOPE_*.
    int32_t scope;
    /// The time window: AGD_WINDOW_*; AGD_UNSAID if it has no name.
    int32_t window;
    /// The index of the document; AGD_FROM_ROBOTS for the robots.txt.
    int64_t document;
    /// The number of requests. Zero allows none.
    int64_t requests;
    /// Length of the time window in milliseconds; AGD_UNSAID if it cannot be read.
    int64_t milliseconds;
    /// The id of the capability; absent for other scopes.
    struct agd_text capability;
} agd_applied_limit;

/// Memory for making a decision, 10 KB that is otherwise taken from the stack. You allocate it, for
/// example in static memory; it needs no initialisation. Only the call uses it, so one workspace is
/// enough for any number of successive decisions.
///
/// One thread at a time may use it.
typedef struct agd_workspace {
    /// Internal state.
    uint64_t state[AGD_WORKSPACE_WORDS];
} agd_workspace;

/// Prose of agents.md documents. It borrows what the decision borrows. A copy iterates
/// independently.
typedef struct agd_words {
    /// Internal state.
    uint64_t state[AGD_ADVICE_WORDS];
} agd_words;

/// A list of policies for agents. It borrows the document's bytes. A copy iterates independently.
/// Use a list from one thread at a time.
typedef struct agd_agents {
    /// Internal state.
    agd_list_state state;
} agd_agents;

/// A list of rate limits. It borrows the document's bytes. A copy iterates independently. Use a
/// list from one thread at a time.
typedef struct agd_rate_limits {
    /// Internal state.
    agd_list_state state;
} agd_rate_limits;

/// The policy for one agent. It borrows the document's bytes.
typedef struct agd_agent {
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// The bytes it is read from: a JSON value, or a block with its first line.
    struct agd_text source;
} agd_agent;

/// A walk over the body of an agents.md. It borrows the document's bytes. A copy iterates
/// independently. Use a walk from one thread at a time.
typedef struct agd_agents_md {
    /// Internal state.
    uint64_t state[AGD_AGENTS_MD_WORDS];
} agd_agents_md;

/// An entry in the body of an agents.md. It borrows the document's bytes.
typedef struct agd_entry {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The kind: AGD_ENTRY_*.
    int32_t kind;
    /// The section that contains the entry, or that it starts: AGD_SECTION_*; AGD_UNSAID before the
    /// first section and after a later heading of level 1.
    int32_t section;
    /// The level of a heading; the nesting depth of an item, from 1; otherwise 0.
    uint32_t level;
    /// Reserved; zero.
    uint32_t reserved;
    /// The name of the section, or the text of the heading, item, paragraph or code.
    struct agd_text text;
    /// The marker of an item, such as `-` or `1.`; otherwise absent.
    struct agd_text marker;
} agd_entry;

/// Feature flags of an AWP document (section 6). An absent flag means that the feature is not
/// offered; AGD_UNSAID distinguishes it from false.
typedef struct agd_awp_features {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// `streaming`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    int32_t streaming;
    /// `batch_actions`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    int32_t batch_actions;
    /// `webhooks`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    int32_t webhooks;
    /// `idempotency`: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
    int32_t idempotency;
    /// `pagination` as written: `cursor`, `offset`, `page` or `none`; absent if the document does
    /// not give it.
    struct agd_text pagination;
} agd_awp_features;

/// A list of capabilities. It borrows the document's bytes. A copy iterates independently. Use a
/// list from one thread at a time.
typedef struct agd_capabilities {
    /// Internal state.
    agd_list_state state;
} agd_capabilities;

/// A list of parameters. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
typedef struct agd_parameters {
    /// Internal state.
    agd_list_state state;
} agd_parameters;

/// A list of results, or of fields. It borrows the document's bytes. A copy iterates independently.
/// Use a list from one thread at a time.
typedef struct agd_outputs {
    /// Internal state.
    agd_list_state state;
} agd_outputs;

/// Something an agent can do. It borrows the document's bytes.
typedef struct agd_capability {
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// The entry of the document's endpoints through which it is called.
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
    /// The bytes that the auth is read from: a JSON value; empty in the text formats.
    struct agd_text auth_source;
    /// Whether authentication is required, where the document says so separately (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
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
    /// Whether there is idempotency: AGD_TRUE or AGD_FALSE.
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
    /// The bytes it is read from: a JSON object, or a block with its first line.
    struct agd_text source;
} agd_capability;

/// A number of requests in a time window. It borrows the document's bytes.
typedef struct agd_rate_limit {
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Its name.
    struct agd_text name;
    /// Its type as written: a type expression, or an object.
    struct agd_value type;
} agd_output;

/// Options of agd_convert. Initialise it with AGD_INIT: members left at zero have their defaults.
typedef struct agd_convert_options {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The origin of the document, such as `https://example.com`: used as the site's URL if the
    /// document gives none, and to resolve paths. Absent if unknown. UTF-8, not escaped.
    struct agd_text origin;
    /// Not zero: write JSON on one line. Zero: write lines, indented by two spaces per level.
    int32_t compact;
    /// What to do with a capability whose restrictions the target cannot express (confirmation by a
    /// person, sensitivity, all rate limits but the strictest). Not zero: drop the restrictions.
    /// Zero: drop the capability.
    int32_t loosen;
} agd_convert_options;

/// The state from which path and message of a loss are written.
typedef struct agd_loss_state {
    /// Internal state.
    uint64_t state[AGD_LOSS_WORDS];
} agd_loss_state;

/// A loss: something that a conversion did not keep unchanged. Passed to the callback, which may
/// copy it (`size` bytes). It borrows the document's bytes.
typedef struct agd_loss {
    /// Size of the struct in bytes, set by the library.
    size_t size;
    /// The reason: a stable kebab-case name such as `no-place`. Static text, not NUL-terminated.
    struct agd_text reason;
    /// The severity. AGD_SEVERITY_INFO: nothing that agents act on is lost. AGD_SEVERITY_WARNING:
    /// something that agents act on is lost. AGD_SEVERITY_ERROR: the result would allow agents
    /// more, so nothing is written.
    int32_t severity;
    /// Reserved; zero.
    uint32_t reserved;
    /// Byte offset of its start in the document, from 0; 0 if it has no place of its own.
    size_t start;
    /// Byte offset after its end.
    size_t end;
    /// Line of `start`, from 1.
    uint32_t line;
    /// Column of `start` in bytes, from 1.
    uint32_t column;
    /// Read it with agd_loss_path and agd_loss_message.
    struct agd_loss_state path;
} agd_loss;

/// Receives each loss; `user` is what agd_convert was given. `loss` is valid only during the call.
/// The callback must return: no exception and no longjmp through the library.
typedef void (*agd_loss_callback)(void *user, const struct agd_loss *loss);

/// A fix that was applied. Passed to the callback, which may copy it (`size` bytes). It borrows
/// nothing.
typedef struct agd_change {
    /// Size of the struct in bytes, set by the library.
    size_t size;
    /// The fix: a stable kebab-case name such as `indentation`. Static text, not NUL-terminated.
    struct agd_text fix;
    /// A sentence that describes the fix. Static text.
    struct agd_text about;
    /// Byte offset of the original line, from 0.
    size_t start;
    /// Byte offset after the original line.
    size_t end;
    /// Line number, from 1.
    uint32_t line;
    /// Reserved; zero.
    uint32_t reserved;
} agd_change;

/// Receives each change; `user` is what agd_fix was given. `change` is valid only during the call.
/// The callback must return: no exception and no longjmp through the library.
typedef void (*agd_change_callback)(void *user, const struct agd_change *change);

/// Options of parsing and detection. Initialise it with AGD_INIT: members left at zero have their
/// defaults.
typedef struct agd_options {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The format (AGD_FORMAT_*), if it is known; parsing then never fails because of missing
    /// fields. AGD_FORMAT_UNKNOWN, or a format that is recognised but not read
    /// (agd_format_is_read): detect the format.
    int32_t format;
    /// Maximum nesting of JSON, YAML and Markdown. 0: the default, 64. Values above 256 are treated
    /// as 256.
    uint32_t max_depth;
    /// Maximum size of a document in bytes. 0: the default, 1 MiB. Greater values than 4 GiB - 1
    /// are treated as that.
    size_t max_document;
    /// Maximum length of a line in the text formats, in bytes without the line end. 0: the default,
    /// 64 KiB.
    size_t max_line;
    /// Number of bytes read of a robots.txt; the rest is ignored, as RFC 9309 specifies. 0: the
    /// default, 500 KiB.
    size_t max_robots;
    /// The URL that the document was fetched from, or only its path; absent if unknown. UTF-8, not
    /// escaped.
    struct agd_text url;
    /// The Content-Type of the response; absent if unknown. UTF-8, not escaped.
    struct agd_text content_type;
} agd_options;

/// The evidence of a detection.
typedef struct agd_detection_state {
    /// Internal state.
    uint64_t state[AGD_DETECTION_WORDS];
} agd_detection_state;

/// A detected format and its evidence. It borrows nothing and can be copied.
typedef struct agd_detection {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The format: AGD_FORMAT_*. AGD_FORMAT_UNKNOWN is a normal result.
    int32_t format;
    /// Whether a hint decided: AGD_TRUE or AGD_FALSE.
    int32_t by_hint;
    /// Number of field lines specific to agents.txt of the Internet-Draft.
    uint32_t agents_txt_votes;
    /// Number of field lines specific to agents.txt 0.1.0.
    uint32_t agents_txt_01_votes;
    /// Number of field lines of robots.txt.
    uint32_t robots_txt_votes;
    /// Reserved; zero.
    uint32_t reserved;
    /// The signs found; read them with agd_detection_sign.
    struct agd_detection_state evidence;
} agd_detection;

/// Options of a check. Initialise it with AGD_INIT: members left at zero have their defaults.
typedef struct agd_check_options {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The origin that the document was fetched from, such as `https://example.com`; absent if
    /// unknown. UTF-8, not escaped.
    struct agd_text origin;
    /// Maximum number of diagnostics, followed by one `too-many-diagnostics`. 0: the default, 1000.
    size_t max;
    /// Scratch memory for comparing names: `scratch_length` numbers, not necessarily initialised,
    /// that nothing else uses during the check. NULL: 256 numbers on the stack. The check needs two
    /// numbers for each name in the largest set of names that must be unique or are referred to
    /// (four for each id in the dependencies of an AWP document). With less, it skips that part and
    /// reports one `not-checked`. One number per byte of the document is always enough.
    uint32_t *scratch;
    /// Number of elements at `scratch`.
    size_t scratch_length;
} agd_check_options;

/// The state from which the message of a diagnostic is written.
typedef struct agd_diagnostic_state {
    /// Internal state.
    uint64_t state[AGD_DIAGNOSTIC_WORDS];
} agd_diagnostic_state;

/// A diagnostic of the check. Passed to the callback, which may copy it (`size` bytes). It borrows
/// the document's bytes.
typedef struct agd_diagnostic {
    /// Size of the struct in bytes, set by the library.
    size_t size;
    /// The code: a stable kebab-case name such as `duplicate-id`. Static text, not NUL-terminated.
    struct agd_text code;
    /// The severity: AGD_SEVERITY_*. A greater number is more severe.
    int32_t severity;
    /// Reserved; zero.
    uint32_t reserved;
    /// Byte offset of the start of the text concerned, from 0.
    size_t start;
    /// Byte offset after the end of the text concerned.
    size_t end;
    /// Line of `start`, from 1.
    uint32_t line;
    /// Column of `start` in bytes, from 1.
    uint32_t column;
    /// Short name of the specification. Static text.
    struct agd_text spec;
    /// Section of the specification, such as `2.5`; empty if none applies. Static text.
    struct agd_text section;
    /// Read it with agd_diagnostic_message.
    struct agd_diagnostic_state message;
} agd_diagnostic;

/// Receives each diagnostic; `user` is what agd_check was given. Returns true to continue, false to
/// stop.
///
/// `diagnostic` is valid only during the call. The callback must return: no exception and no
/// longjmp through the library.
typedef bool (*agd_diagnostic_callback)(void *user, const struct agd_diagnostic *diagnostic);

/// Number of diagnostics by severity.
typedef struct agd_counts {
    /// Diagnostics with AGD_SEVERITY_ERROR.
    size_t errors;
    /// Diagnostics with AGD_SEVERITY_WARNING.
    size_t warnings;
    /// Diagnostics with AGD_SEVERITY_INFO.
    size_t infos;
} agd_counts;

/// A list of diagnostics. It borrows the document's bytes, the window, and the memory that the
/// options point to. Iterate only one copy: copies share the window.
typedef struct agd_diagnostics {
    /// Internal state.
    uint64_t state[AGD_DIAGNOSTICS_WORDS];
} agd_diagnostics;

/// A difference between two documents of a site. Passed to the callback, which may copy it (`size`
/// bytes). It borrows the bytes of both documents.
typedef struct agd_difference {
    /// Size of the struct in bytes, set by the library.
    size_t size;
    /// The member of the unified model, such as `capabilities.endpoint`. Static text, not
    /// NUL-terminated.
    struct agd_text field;
    /// The id of the capability or the name of the agent that the member belongs to; empty for
    /// other members.
    struct agd_text subject;
    /// The item of a list or the name of the parameter; empty for other members.
    struct agd_text item;
    /// AGD_TRUE if the first document states it; AGD_FALSE otherwise: `first_start` and `first_end`
    /// are then 0.
    int32_t in_first;
    /// The same for the second document.
    int32_t in_second;
    /// Byte offset of its start in the first document, from 0; agd_document_position returns the
    /// line.
    size_t first_start;
    /// Byte offset after its end in that document.
    size_t first_end;
    /// Byte offset of its start in the second document, from 0.
    size_t second_start;
    /// Byte offset after its end in that document.
    size_t second_end;
} agd_difference;

/// Receives each difference; `user` is what agd_differences was given. Returns true to continue,
/// false to stop.
///
/// `difference` is valid only during the call. The callback must return: no exception and no
/// longjmp through the library.
typedef bool (*agd_difference_callback)(void *user, const struct agd_difference *difference);

/// The state of a discovery: the requests to a site and their results, about 20 KB. You allocate it
/// (AGD_DISCOVERY_INIT); there is nothing to free. It borrows nothing, and can be copied and moved
/// as plain memory; texts read from it point into it.
///
/// One thread at a time may use it.
typedef struct agd_discovery {
    /// Internal state.
    uint64_t state[AGD_DISCOVERY_WORDS];
} agd_discovery;

/// Options of agd_discovery_begin. Initialise it with AGD_INIT: members left at zero have their
/// defaults.
typedef struct agd_discovery_options {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Resources to request: the sum of `1 << AGD_RESOURCE_*`. 0: the default, everything but
    /// details and declarations.
    uint32_t resources;
    /// Whether the caller's store is shared by several users, so that `s-maxage` takes precedence
    /// over `max-age`: AGD_TRUE or AGD_FALSE.
    int32_t shared;
    /// Maximum nesting, see agd_options.
    uint32_t max_depth;
    /// Reserved; zero.
    uint32_t reserved;
    /// Maximum size of a document in bytes, see agd_options.
    size_t max_document;
    /// Maximum length of a line in bytes, see agd_options.
    size_t max_line;
    /// Number of bytes read of a robots.txt, see agd_options.
    size_t max_robots;
} agd_discovery_options;

/// A GET request to send now. Do not follow redirects, and send no cookies and no credentials. It
/// points into the discovery.
typedef struct agd_discovery_request {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Its id; pass it with the response.
    int32_t id;
    /// The resource: AGD_RESOURCE_*.
    int32_t resource;
    /// The absolute URL, in ASCII, without user information and fragment. Not NUL-terminated.
    struct agd_text url;
    /// The URL to use as the key of the store: the first URL of the attempt, before any redirect.
    struct agd_text key;
    /// Maximum size of the decoded body in bytes.
    size_t limit;
    /// Whether to truncate a body over the limit (robots.txt): AGD_TRUE or AGD_FALSE. Otherwise
    /// report AGD_FAILURE_TOO_LARGE.
    int32_t cuts;
    /// Reserved; zero.
    int32_t reserved;
} agd_discovery_request;

/// Freshness of an answer. All times are seconds since 1970, by the caller's clock. Store it with
/// the body, and pass it back unchanged.
typedef struct agd_freshness {
    /// When the answer was received; 0 if there was none.
    uint64_t received_at;
    /// Until when it is used without a request.
    uint64_t fresh_until;
    /// Until when it must not be requested again, whatever the result.
    uint64_t ask_again_at;
    /// Freshness lifetime of the answer in seconds, from `received_at`.
    uint32_t lifetime;
    /// Whether the body may be stored: AGD_TRUE or AGD_FALSE.
    int32_t may_store;
} agd_freshness;

/// The stored result of an earlier attempt, under the key of its request.
typedef struct agd_stored {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The last URL, after redirects.
    struct agd_text url;
    /// The rejection: AGD_REJECTION_*; AGD_REJECTION_NONE if a document was found.
    int32_t rejection;
    /// Reserved; zero.
    int32_t reserved;
    /// The document; absent if there was none, or if it was not stored.
    struct agd_text body;
    /// Its freshness.
    struct agd_freshness freshness;
    /// The value of `ETag`; absent if there was none.
    struct agd_text etag;
    /// The value of `Last-Modified`; absent if there was none.
    struct agd_text last_modified;
} agd_stored;

/// A header of a request or a response. It borrows name and value.
typedef struct agd_http_header {
    /// The name, in any letter case.
    struct agd_text name;
    /// The value, bytes as received.
    struct agd_text value;
} agd_http_header;

/// The result of a response. It borrows the body; the validators borrow the headers (after 304, the
/// stored ones).
typedef struct agd_discovery_answer {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The state of the attempt: AGD_ATTEMPT_*; AGD_ATTEMPT_WAITING after a redirect that is
    /// followed.
    int32_t state;
    /// Why no document was found: AGD_REJECTION_*.
    int32_t rejection;
    /// The resource: AGD_RESOURCE_*.
    int32_t resource;
    /// The format of the document: AGD_FORMAT_*; AGD_FORMAT_UNKNOWN if there is none.
    int32_t format;
    /// The document; uninitialised if there is none.
    struct agd_document document;
    /// Its freshness; all zero after a redirect that is followed.
    struct agd_freshness freshness;
    /// The value of `ETag` to store; empty if there is none that can be sent back.
    struct agd_text etag;
    /// The value of `Last-Modified` to store; empty if there is none that can be sent back.
    struct agd_text last_modified;
} agd_discovery_answer;

/// A response of a server.
typedef struct agd_discovery_response {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The status code.
    int32_t status;
    /// Reserved; zero.
    int32_t reserved;
    /// The headers in their order; NULL if there are none.
    const struct agd_http_header *headers;
    /// Number of elements.
    size_t header_count;
    /// The body without its content codings; absent or empty if there is none.
    struct agd_text body;
    /// The final URL, if the client followed redirects itself nevertheless; otherwise absent.
    struct agd_text final_url;
    /// The result stored under the key of the request, needed after 304; NULL if there is none.
    const struct agd_stored *stored;
    /// When the response was received, in seconds since 1970.
    uint64_t now;
} agd_discovery_response;

/// An attempt to get one document from one location, with all its redirects. It points into the
/// discovery.
typedef struct agd_attempt {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The resource: AGD_RESOURCE_*.
    int32_t resource;
    /// The state: AGD_ATTEMPT_*.
    int32_t state;
    /// Why no document was found: AGD_REJECTION_*.
    int32_t rejection;
    /// The HTTP status of the last response; 0 if there was none.
    int32_t status;
    /// Number of redirects followed.
    int32_t redirects;
    /// How far the redirects led: AGD_MOVED_*.
    int32_t moved;
    /// The source of the answer: AGD_ANSWER_FROM_*.
    int32_t source;
    /// The format of the response body: AGD_FORMAT_*.
    int32_t format;
    /// Whether the document states that somebody other than the site made it: AGD_TRUE or
    /// AGD_FALSE.
    int32_t synthetic;
    /// Why the document could not be read: AGD_ERROR_*; AGD_OK if it could.
    agd_status error_kind;
    /// Byte offset of that error, from 0.
    size_t error_offset;
    /// The first URL of the request.
    struct agd_text key;
    /// The last URL, after redirects.
    struct agd_text url;
    /// Its freshness; all zero before there is an answer.
    struct agd_freshness freshness;
} agd_attempt;

/// Why a document could not be read, and where. Filled by the library; it needs no initialisation.
typedef struct agd_error {
    /// The error: AGD_ERROR_*; AGD_OK if there is none.
    agd_status kind;
    /// For AGD_ERROR_NOT_A_DISCOVERY_DOCUMENT and AGD_ERROR_NOT_BUILT_IN, the format of the
    /// document (AGD_FORMAT_*); otherwise AGD_FORMAT_UNKNOWN, also for JSON if no JSON format is
    /// built in.
    int32_t format;
    /// Byte offset of the error, from 0; the limit for AGD_ERROR_TOO_LARGE.
    size_t offset;
    /// Line, from 1; 0 if the error does not concern the document. LF, CRLF and a lone CR each end
    /// a line.
    uint32_t line;
    /// Column in bytes, from 1; 0 if the error does not concern the document.
    uint32_t column;
    /// What is wrong and what to do: an English sentence, NUL-terminated, static, never NULL.
    const char *message;
    /// Reserved; zero.
    size_t reserved[4];
} agd_error;

/// Members that a document has once: version, kind, dates. It borrows the document's bytes.
typedef struct agd_head {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The format: AGD_FORMAT_*.
    int32_t format;
    /// Reserved; zero.
    int32_t reserved;
    /// Version of the specification that the document follows, as written.
    struct agd_text spec_version;
    /// What the document declares: AGD_KIND_*; AGD_KIND_PLATFORM by default.
    struct agd_choice kind;
    /// When the document was generated, as written.
    struct agd_text generated_at;
    /// URL of the companion document in the other notation.
    struct agd_text companion;
    /// How long responses may be cached, in seconds; AGD_UNSAID if it is not stated.
    int64_t cache_seconds;
    /// The query of a registry search.
    struct agd_text search_query;
    /// An example request.
    struct agd_value request_example;
    /// An example response.
    struct agd_value response_example;
} agd_head;

/// A list of flows. It borrows the document's bytes. A copy iterates independently. Use a list from
/// one thread at a time.
typedef struct agd_flows {
    /// Internal state.
    agd_list_state state;
} agd_flows;

/// A suggested sequence of capabilities. It borrows the document's bytes.
typedef struct agd_flow {
    /// Size of the struct in bytes, set by AGD_INIT.
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

/// A list of dependencies. It borrows the document's bytes. A copy iterates independently. Use a
/// list from one thread at a time.
typedef struct agd_dependencies {
    /// Internal state.
    agd_list_state state;
} agd_dependencies;

/// What a capability requires. It borrows the document's bytes.
typedef struct agd_dependency {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The dependent capability.
    struct agd_text capability;
    /// The capabilities that must come first.
    struct agd_texts required;
} agd_dependency;

/// A list of entities. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
typedef struct agd_entities {
    /// Internal state.
    agd_list_state state;
} agd_entities;

/// A named type. It borrows the document's bytes.
typedef struct agd_entity {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Its name.
    struct agd_text name;
    /// Its fields.
    struct agd_outputs fields;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_entity;

/// A list of ways to recover from errors. It borrows the document's bytes. A copy iterates
/// independently. Use a list from one thread at a time.
typedef struct agd_recoveries {
    /// Internal state.
    agd_list_state state;
} agd_recoveries;

/// How to recover from an error. It borrows the document's bytes.
typedef struct agd_recovery {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Code of the error.
    struct agd_text code;
    /// What to do.
    struct agd_text recovery;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_recovery;

/// A list of plans. It borrows the document's bytes. A copy iterates independently. Use a list from
/// one thread at a time.
typedef struct agd_plans {
    /// Internal state.
    agd_list_state state;
} agd_plans;

/// A plan of a service. It borrows the document's bytes.
typedef struct agd_plan {
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Lifetime of a session in seconds, where it is written (AGD_UNSAID if absent).
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
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Whether they are recorded (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    int32_t enabled;
    /// URL of the record.
    struct agd_text endpoint;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
} agd_audit;

/// A list of values. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
typedef struct agd_values {
    /// Internal state.
    agd_list_state state;
} agd_values;

/// A parameter of a capability. It borrows the document's bytes.
typedef struct agd_parameter {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Its name.
    struct agd_text name;
    /// Where it is sent: `query`, `path`, `header`, `body` or `unknown` (AGD_LOCATION_*, or AGD_UNSAID).
    struct agd_choice location;
    /// Its type, as written.
    struct agd_text type;
    /// Whether it is required; where absent, it is not (AGD_TRUE, AGD_FALSE or AGD_UNSAID).
    int32_t required;
    /// What it means.
    struct agd_text description;
    /// The value that it has by default.
    struct agd_value default_value;
    /// An example value.
    struct agd_value example;
    /// The least value.
    struct agd_value min;
    /// The greatest value.
    struct agd_value max;
    /// The type of the items of an array.
    struct agd_value items;
    /// The values that it may have.
    struct agd_values options;
    /// Unknown members, and members that could not be read.
    struct agd_members metadata;
    /// The bytes it is read from: a JSON object, or the value of a Param line.
    struct agd_text source;
} agd_parameter;

/// A robots.txt. You allocate it (AGD_ROBOTS_INIT), on the stack or anywhere; there is nothing to
/// free, and it can be copied and moved as plain memory. It borrows the bytes it was made from.
///
/// Several threads may use one at the same time.
typedef struct agd_robots {
    /// Internal state.
    uint64_t state[AGD_ROBOTS_WORDS];
} agd_robots;

/// The request to decide. Initialise it with AGD_INIT. Its texts are plain UTF-8; the decision
/// borrows them.
typedef struct agd_request {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The agent: its product token, or a User-Agent that begins with it. Absent: an agent that no
    /// rule names.
    struct agd_text agent;
    /// The requested URL, or a path of the site that begins with one slash. Set either this or
    /// `capability`.
    struct agd_text url;
    /// The id of the requested capability.
    struct agd_text capability;
    /// The HTTP method. Absent: GET for a URL, the declared method for a capability.
    struct agd_text method;
    /// The origin of the documents, or the URL of one of them. Absent: the origin that the
    /// documents state.
    struct agd_text origin;
    /// Endpoints on other domains that the user has approved: absolute URLs with blanks or line
    /// ends between them.
    struct agd_text approved;
    /// The robots.txt if `robots_state` is AGD_ROBOTS_FOUND, otherwise NULL.
    const struct agd_robots *robots;
    /// The state of the robots.txt: AGD_ROBOTS_NOT_ASKED, _FOUND, _ABSENT or _UNREACHABLE. Zero
    /// means AGD_ROBOTS_FOUND if `robots` is not NULL.
    int32_t robots_state;
    /// Reserved; zero.
    int32_t reserved;
} agd_request;

/// A list of groups. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
typedef struct agd_robots_groups {
    /// Internal state.
    agd_list_state state;
} agd_robots_groups;

/// A list of rules. It borrows the document's bytes. A copy iterates independently. Use a list from
/// one thread at a time.
typedef struct agd_robots_rules {
    /// Internal state.
    agd_list_state state;
} agd_robots_rules;

/// A group of robots.txt rules. It borrows the document's bytes.
typedef struct agd_robots_group {
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Whether it allows (AGD_TRUE or AGD_FALSE).
    int32_t allow;
    /// The pattern of paths.
    struct agd_text pattern;
} agd_robots_rule;

/// A list of results of a search. It borrows the document's bytes. A copy iterates independently.
/// Use a list from one thread at a time.
typedef struct agd_search_results {
    /// Internal state.
    agd_list_state state;
} agd_search_results;

/// One result of a registry search. It borrows the document's bytes.
typedef struct agd_search_result {
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// The bytes that the service is read from: a JSON object; empty in the text formats.
    struct agd_text service_source;
    /// Those of its capabilities that match.
    struct agd_capabilities capabilities;
} agd_search_result;

/// Whether an agent may fetch a URL, and why. It borrows the bytes of the robots.txt.
typedef struct agd_robots_decision {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Whether the agent may fetch the URL: AGD_TRUE or AGD_FALSE.
    int32_t allowed;
    /// The reason: AGD_ROBOTS_REASON_*.
    int32_t reason;
    /// Which groups apply to the agent: AGD_ROBOTS_BINDING_*; AGD_ROBOTS_BINDING_NONE for the
    /// robots.txt itself.
    int32_t binding;
    /// Whether the deciding rule is an `Allow`: AGD_TRUE or AGD_FALSE; AGD_UNSAID if no rule
    /// decides.
    int32_t rule_allow;
    /// The pattern of the deciding rule as written; absent if no rule decides.
    struct agd_text rule_pattern;
    /// Byte offset of that pattern, from 0; 0 if no rule decides.
    size_t rule_start;
    /// Byte offset after that pattern; 0 if no rule decides.
    size_t rule_end;
    /// Line of the deciding rule, from 1; 0 if no rule decides.
    uint32_t rule_line;
    /// Line of the first `User-agent` of the deciding rule's group, from 1; 0 if no rule decides.
    uint32_t group_line;
    /// Milliseconds between two requests of the agent, as in agd_robots_delay; AGD_UNSAID also if
    /// no Crawl-delay applies.
    int64_t crawl_delay_ms;
} agd_robots_decision;

/// The `Crawl-delay` for an agent: the time between two requests. It borrows the bytes of the
/// robots.txt.
typedef struct agd_robots_delay {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// Milliseconds; AGD_UNSAID if the value is not a number, or at least 2^64 milliseconds.
    /// Decimals after the third are dropped; other values above INT64_MAX become INT64_MAX.
    int64_t milliseconds;
    /// Seconds, as written.
    struct agd_text text;
    /// Byte offset of the text, from 0.
    size_t start;
    /// Byte offset after the text.
    size_t end;
    /// Its line, from 1.
    uint32_t line;
    /// Reserved; zero.
    uint32_t reserved;
} agd_robots_delay;

/// A list of endpoints. It borrows the document's bytes. A copy iterates independently. Use a list
/// from one thread at a time.
typedef struct agd_endpoints {
    /// Internal state.
    agd_list_state state;
} agd_endpoints;

/// An endpoint of another protocol that the site supports. It borrows the document's bytes.
typedef struct agd_endpoint {
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// The bytes it is read from: a JSON object; empty in the text formats.
    struct agd_text source;
} agd_service;

/// Where a document comes from (Agent Web Protocol section 14). It borrows the document's bytes.
typedef struct agd_provenance {
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// Size of the struct in bytes, set by AGD_INIT.
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
    /// Lifetime of a token in seconds; absent where `token_expiry` is not a duration (AGD_UNSAID if absent).
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

/// The values of an `enum[a, b]`. It borrows the bytes of the expression. A copy iterates
/// independently. Use a list from one thread at a time.
typedef struct agd_type_options {
    /// Internal state.
    uint64_t state[AGD_TYPE_WORDS];
} agd_type_options;

/// A type expression. It borrows the bytes it was read from.
typedef struct agd_type {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The kind: AGD_TYPE_*.
    int32_t kind;
    /// The kind of the innermost type: the items of an array, through nested arrays; `kind` if this
    /// is not an array.
    int32_t innermost_kind;
    /// The whole expression, without blanks at its ends.
    struct agd_text text;
    /// The item type of an array, for agd_type_parse; absent if it is not given, and for other
    /// kinds.
    struct agd_text items;
    /// The entity of an object; absent if it is not given, and for other kinds.
    struct agd_text entity;
    /// The innermost type; the whole expression if this is not an array.
    struct agd_text innermost;
    /// The values of an enumeration.
    struct agd_type_options options;
} agd_type;

/// The parts of a URL, as written. It borrows the parsed text.
typedef struct agd_url {
    /// Size of the struct in bytes, set by AGD_INIT.
    size_t size;
    /// The scheme, without the colon.
    struct agd_text scheme;
    /// The user information before the `@`; absent if there is none. It is not part of the host,
    /// and is often meant to deceive.
    struct agd_text userinfo;
    /// The host that a client connects to.
    struct agd_text host;
    /// The path, still percent-encoded; empty or beginning with `/`.
    struct agd_text path;
    /// The query without the `?`; absent if there is none.
    struct agd_text query;
    /// The fragment without the `#`; absent if there is none.
    struct agd_text fragment;
    /// The kind of host: AGD_HOST_*.
    int32_t host_kind;
    /// The port as written; AGD_UNSAID if there is none.
    int32_t port;
    /// The port that a client connects to; AGD_UNSAID if none is written and the scheme is unknown.
    int32_t effective_port;
    /// Whether the scheme is `https` or `wss`: AGD_TRUE or AGD_FALSE.
    int32_t is_secure;
    /// Whether the host is the local machine (localhost, 127.0.0.0/8 in any spelling, `[::1]`):
    /// AGD_TRUE or AGD_FALSE.
    int32_t is_loopback;
    /// Reserved; zero.
    int32_t reserved;
} agd_url;

/// A named value as written.
typedef struct agd_member {
    /// The name as written.
    struct agd_text name;
    /// The value.
    struct agd_value value;
} agd_member;

/// The members of a JSON object. They borrow the bytes of the object. A copy iterates
/// independently. Use it from one thread at a time.
typedef struct agd_json_members {
    /// Internal state.
    agd_list_state state;
} agd_json_members;

/// The elements of a JSON array. They borrow the bytes of the array. A copy iterates independently.
/// Use it from one thread at a time.
typedef struct agd_json_elements {
    /// Internal state.
    agd_list_state state;
} agd_json_elements;

/// Success.
#define AGD_OK 0

/// Absent, or the end of a list. The output is unchanged.
#define AGD_NONE 0

/// Present; the output was filled.
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

/// The document does not have the forced format.
#define AGD_ERROR_WRONG_FORMAT -8

/// A bounded buffer was too small.
#define AGD_ERROR_CAPACITY_EXCEEDED -9

/// The document has a format that this build of the library leaves out.
#define AGD_ERROR_NOT_BUILT_IN -10

/// The document could not be read for a reason that is newer than this list.
#define AGD_ERROR_OTHER -31

/// Misuse: a pointer that must not be NULL is NULL.
#define AGD_ERROR_NULL -32

/// Misuse: an argument is invalid, such as a number that is not a named constant, or a misaligned
/// pointer.
#define AGD_ERROR_ARGUMENT -33

/// Misuse: a document that was not parsed, or a list that was not obtained from the library.
#define AGD_ERROR_UNINITIALISED -34

/// Misuse: the member `size` of a struct was not set, see AGD_INIT.
#define AGD_ERROR_STRUCT_SIZE -35

/// The buffer is too small; the required length was returned.
#define AGD_ERROR_BUFFER_TOO_SMALL -36

/// The actions require each other, so there is no order in which they can run.
#define AGD_ERROR_CYCLE -37

/// The base URL is missing or not an http(s) URL.
#define AGD_ERROR_BASE_URL -38

/// The URL has a placeholder in braces without a value.
#define AGD_ERROR_PLACEHOLDER -39

/// The URL or path is invalid or ambiguous.
#define AGD_ERROR_REFERENCE -40

/// The header that carries the token is not a valid header of a request.
#define AGD_ERROR_HEADER -41

/// The token is empty, or has a character that is not allowed in a header.
#define AGD_ERROR_TOKEN -42

/// Credentials must not be sent with this request, or the request is not allowed.
#define AGD_ERROR_WITHHELD -43

/// The format does not define which header carries the token.
#define AGD_ERROR_UNSPECIFIED -44

/// This document cannot be converted to that format, or this format cannot be fixed.
#define AGD_ERROR_UNSUPPORTED -50

/// The target cannot express a restriction of the document, and would allow agents more; nothing
/// was written.
#define AGD_ERROR_REFUSED -51

/// The text is not a valid site. Use an http(s) URL without user information, or a host, in ASCII.
#define AGD_ERROR_SITE -45

/// The method is not a valid HTTP method.
#define AGD_ERROR_METHOD -61

/// The document lacks a required member.
#define AGD_ERROR_MISSING_MEMBER -62

/// A required argument is missing.
#define AGD_ERROR_MISSING_ARGUMENT -63

/// An argument has no parameter.
#define AGD_ERROR_UNKNOWN_ARGUMENT -64

/// An argument is given twice.
#define AGD_ERROR_REPEATED_ARGUMENT -65

/// An argument cannot be sent: the request has no place for its parameter.
#define AGD_ERROR_UNPLACED_ARGUMENT -66

/// An argument has a value that is invalid for its location.
#define AGD_ERROR_INVALID_ARGUMENT -67

/// The text is not a type expression.
#define AGD_ERROR_TYPE -68

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// Returns the path access rules of a document. Always present; the lists may be empty.
///
/// Neither pointer may be NULL; `access` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, or a negative status for misuse. Thread-safe; at worst linear in the
/// document.
agd_status agd_document_access(const struct agd_document *document, struct agd_access *access);

/// Returns the permissions in prose (agents.md). Always present; the lists may be empty.
///
/// Neither pointer may be NULL; `permissions` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, or a negative status for misuse. Thread-safe; at worst
/// linear in the document.
agd_status agd_document_permissions(const struct agd_document *document, struct agd_permissions *permissions);

/// Returns how a token is sent to the service of an ADP manifest (section 3), with defaults
/// applied. agd_document_auth returns the same as written.
///
/// Neither pointer may be NULL; `auth` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the manifest does not mention authentication;
/// AGD_ERROR_WRONG_FORMAT if the document is not an ADP manifest; or a negative status for misuse.
/// Thread-safe; linear in `auth`.
agd_status agd_adp_auth_of(const struct agd_document *document, struct agd_adp_auth *auth);

/// Builds the header that carries a token to the service of an ADP manifest (section 3), ready to
/// send.
///
/// `document` and `header` must not be NULL; `token` is plain UTF-8. `buffer` has room for
/// `capacity` bytes and receives name and value, each NUL-terminated; it may be NULL if `capacity`
/// is 0, to query the size. `needed`, if not NULL, receives the number of bytes that the buffer
/// must have. The buffer is yours and then holds a secret: wipe it after use.
///
/// Returns AGD_SOME; AGD_NONE if the service needs no authentication; AGD_ERROR_BUFFER_TOO_SMALL;
/// AGD_ERROR_HEADER if the manifest's header is not valid in a request; AGD_ERROR_TOKEN if the
/// token is not valid in a header; AGD_ERROR_WRONG_FORMAT if the document is not an ADP manifest;
/// or another negative status for misuse. Thread-safe if the buffer is not shared; linear.
agd_status agd_adp_auth_header(const struct agd_document *document,
                               struct agd_text token,
                               char *buffer,
                               size_t capacity,
                               size_t *needed,
                               struct agd_header *header);

/// Resolves a `detail_url` of an ADP manifest, or the endpoint of a capability, to an absolute URL.
/// An absolute URL is used as it is; a path that begins with `/` is appended to `base_url`, as
/// consumers of published manifests do; any other reference is resolved by RFC 3986.
///
/// `document` must not be NULL; `reference` may be escaped, and must not be absent. Buffer and
/// `length` work as in agd_text_decode; if the buffer is too small, `length` receives a sufficient
/// length.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL if the manifest has no http(s)
/// base URL; AGD_ERROR_PLACEHOLDER if the reference has a placeholder in braces;
/// AGD_ERROR_REFERENCE if it is invalid or ambiguous; AGD_ERROR_WRONG_FORMAT if the document is not
/// an ADP manifest; or another negative status for misuse. Thread-safe if the buffer is not shared;
/// linear.
agd_status agd_adp_detail_url(const struct agd_document *document,
                              struct agd_text reference,
                              char *buffer,
                              size_t capacity,
                              size_t *length);

/// Resolves like agd_adp_detail_url, but by RFC 3986 alone: a path that begins with `/` replaces
/// the path of `base_url`. The results differ only if `base_url` has a path.
///
/// Arguments and return values are those of agd_adp_detail_url; `document` must not be NULL.
/// Thread-safe if the buffer is not shared; linear.
agd_status agd_adp_detail_url_rfc3986(const struct agd_document *document,
                                      struct agd_text reference,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *length);

/// Builds the URL that searches an ADP registry for services (section 6).
///
/// `registry` is the URL of the registry and `words` the search words, both plain UTF-8; neither
/// may be absent. Buffer and `length` work as in agd_text_decode; the URL borrows nothing.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL if the registry is not an http(s)
/// URL; or another negative status for misuse. Thread-safe if the buffer is not shared; linear.
agd_status agd_adp_search_url(struct agd_text registry,
                              struct agd_text words,
                              char *buffer,
                              size_t capacity,
                              size_t *length);

/// Builds the request that calls a capability: method, URL, headers and body. Sends nothing.
///
/// The endpoint is resolved as by agd_adp_detail_url, and path arguments replace their names in
/// braces. The `in` of its parameter says where an argument is sent; without `in`, an argument with
/// a placeholder is sent in the path, others in the query for GET, HEAD and DELETE, otherwise in a
/// JSON object as the body.
///
/// `manifest` and `detail` are documents of AGD_FORMAT_ADP and AGD_FORMAT_ADP_CAPABILITY; they and
/// `call` must not be NULL, and `call` must be initialised (AGD_INIT). `options` may be NULL: no
/// token, no arguments. `buffer` has room for `capacity` bytes and receives all parts of the call,
/// each NUL-terminated; it may be NULL if `capacity` is 0, to query the size. `needed`, if not
/// NULL, receives the number of bytes that the buffer must have. The buffer is yours and then holds
/// the token: wipe it after use.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL, AGD_ERROR_PLACEHOLDER,
/// AGD_ERROR_REFERENCE, AGD_ERROR_METHOD, AGD_ERROR_MISSING_MEMBER, AGD_ERROR_HEADER and
/// AGD_ERROR_TOKEN if documents or token do not make a valid request; AGD_ERROR_MISSING_ARGUMENT,
/// AGD_ERROR_UNKNOWN_ARGUMENT, AGD_ERROR_REPEATED_ARGUMENT, AGD_ERROR_UNPLACED_ARGUMENT or
/// AGD_ERROR_INVALID_ARGUMENT, with details in `call`; AGD_ERROR_CAPACITY_EXCEEDED for too many
/// arguments; AGD_ERROR_WITHHELD if the token must not be sent to the endpoint, because it is on
/// another host or not https; AGD_ERROR_WRONG_FORMAT if a document has another format; or another
/// negative status for misuse. Thread-safe if the buffer is not shared; linear in the detail for
/// each argument; about 12 KB of stack.
agd_status agd_adp_request(const struct agd_document *manifest,
                           const struct agd_document *detail,
                           const struct agd_adp_options *options,
                           char *buffer,
                           size_t capacity,
                           size_t *needed,
                           struct agd_adp_call *call);

/// Returns the next header of a call.
///
/// Neither pointer may be NULL; `header` borrows the buffer of the call. Returns AGD_SOME, AGD_NONE
/// at the end (`header` is unchanged), or a negative status for misuse. Not thread-safe on one
/// list; linear in the header.
agd_status agd_headers_next(struct agd_headers *list, struct agd_header *header);

/// Returns all rate limits that apply to a request, from every document and the robots.txt. Keep
/// all of them.
///
/// Never fails: if `decision` is NULL or was not made, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows what the decision borrows. Thread-safe; constant time.
struct agd_applied_limits agd_decision_limits(const struct agd_decision *decision);

/// Returns the next limit of a list.
///
/// Neither pointer may be NULL; `limit` must be initialised (AGD_INIT) and borrows what the
/// decision borrows. Returns AGD_SOME, AGD_NONE at the end (`limit` is unchanged), or a negative
/// status for misuse. Not thread-safe on one list; linear in the bytes skipped; about 20 KB of
/// stack.
agd_status agd_applied_limits_next(struct agd_applied_limits *list, struct agd_applied_limit *limit);

/// Does the same as agd_applied_limits_next with a workspace from the caller, for systems with a
/// small stack.
///
/// No pointer may be NULL; `workspace` needs no initialisation, and only the call uses it.
/// Otherwise as agd_applied_limits_next. Not thread-safe on one list or workspace; linear in the
/// bytes skipped.
agd_status agd_applied_limits_next_with(struct agd_applied_limits *list,
                                        struct agd_workspace *workspace,
                                        struct agd_applied_limit *limit);

/// Returns the strictest of the rate limits that apply, as the advisory minimum.
///
/// Neither pointer may be NULL; `limit` must be initialised (AGD_INIT) and borrows what the
/// decision borrows. Returns AGD_SOME; AGD_NONE if no limit applies (`limit` is unchanged); or a
/// negative status for misuse. Thread-safe; linear in the documents; about 21 KB of stack.
agd_status agd_decision_advisory_limit(const struct agd_decision *decision, struct agd_applied_limit *limit);

/// Does the same as agd_decision_advisory_limit with a workspace from the caller, for systems with
/// a small stack.
///
/// No pointer may be NULL; `workspace` needs no initialisation, and only the call uses it.
/// Otherwise as agd_decision_advisory_limit. Thread-safe if the workspace is not shared; linear in
/// the documents.
agd_status agd_decision_advisory_limit_with(const struct agd_decision *decision,
                                            struct agd_workspace *workspace,
                                            struct agd_applied_limit *limit);

/// Returns the prose of the agents.md documents. The decision does not interpret it; the agent must
/// read and respect it. `which` is AGD_WORDS_CAN, AGD_WORDS_CANNOT or AGD_WORDS_BEHAVIOR.
///
/// Never fails: if `decision` is NULL or was not made, or `which` is another number, iterating the
/// list returns AGD_ERROR_UNINITIALISED. It borrows what the decision borrows. Thread-safe;
/// constant time.
struct agd_words agd_decision_words(const struct agd_decision *decision, int32_t which);

/// Returns the next text of a list, and the index of its document.
///
/// `list` and `text` must not be NULL; `document` may be. `text` borrows the document's bytes.
/// Returns AGD_SOME, AGD_NONE at the end (both are unchanged), or a negative status for misuse. Not
/// thread-safe on one list; linear in the bytes skipped.
agd_status agd_words_next(struct agd_words *list, struct agd_text *text, size_t *document);

/// Returns the next policy of a list.
///
/// Neither pointer may be NULL; `agent` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`agent` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_agents_next(struct agd_agents *list, struct agd_agent *agent);

/// Policies for single agents.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_agents agd_document_agents(const struct agd_document *document);

/// Starts a walk over the body of an agents.md in document order: sections, headings, items,
/// paragraphs, code. HTML is skipped. Permissions, rules of conduct, contacts and the MCP gateway
/// are also in the unified model.
///
/// Neither pointer may be NULL; `walk` needs no initialisation and borrows the document's bytes.
/// Returns AGD_OK; AGD_ERROR_WRONG_FORMAT if the document is not an agents.md; or another negative
/// status for misuse. On failure the walk is uninitialised. Thread-safe; constant time.
agd_status agd_agents_md_walk(const struct agd_document *document, struct agd_agents_md *walk);

/// Returns the next entry of a walk.
///
/// Neither pointer may be NULL; `found` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`found` is unchanged), or a negative status for
/// misuse. Not thread-safe on one walk; linear in the bytes skipped.
agd_status agd_agents_md_next(struct agd_agents_md *walk, struct agd_entry *found);

/// Returns the feature flags of an AWP document. agd_document_features returns all flags as
/// written, including unknown ones.
///
/// Neither pointer may be NULL; `features` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME; AGD_NONE if the document has none; AGD_ERROR_WRONG_FORMAT if
/// it is not an agent.json; or a negative status for misuse. Thread-safe; linear in the flags.
agd_status agd_awp_feature_flags(const struct agd_document *document, struct agd_awp_features *features);

/// Returns the actions that must run before an action of an AWP document (section 11), in an order
/// in which they can run: each once, after everything that it requires. The list is empty if
/// nothing is required. agd_check reports names that are not actions; this function does not.
///
/// `document` must not be NULL; `action` is plain UTF-8. `scratch` is your memory for
/// `scratch_length` numbers (NULL if that is 0), not necessarily initialised: four for each name in
/// `dependencies`, keys and values alike. `items` has room for `capacity` texts, which borrow the
/// document's bytes; it may be NULL if `capacity` is 0. Nothing else may use `scratch` and `items`
/// during the call. `found`, if not NULL, receives the number of actions.
///
/// Returns AGD_OK; AGD_ERROR_CYCLE if there is no such order: the items are then the actions of the
/// cycle, each of which requires the next one, and the last one the first;
/// AGD_ERROR_BUFFER_TOO_SMALL if there are more actions than items, which then hold the first ones;
/// AGD_ERROR_CAPACITY_EXCEEDED if the scratch memory is too small: `found` then receives how many
/// numbers are needed; AGD_ERROR_WRONG_FORMAT if the document is not an agent.json; or another
/// negative status for misuse. Thread-safe if the memory is not shared; n log n in `dependencies`.
agd_status agd_awp_prerequisites(const struct agd_document *document,
                                 struct agd_text action,
                                 uint32_t *scratch,
                                 size_t scratch_length,
                                 struct agd_text *items,
                                 size_t capacity,
                                 size_t *found);

/// Returns the next capability of a list.
///
/// Neither pointer may be NULL; `capability` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`capability` is unchanged), or a
/// negative status for misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_capabilities_next(struct agd_capabilities *list, struct agd_capability *capability);

/// Returns the next rate limit of a list.
///
/// Neither pointer may be NULL; `limit` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`limit` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_rate_limits_next(struct agd_rate_limits *list, struct agd_rate_limit *limit);

/// Returns the next result of a list.
///
/// Neither pointer may be NULL; `output` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`output` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_outputs_next(struct agd_outputs *list, struct agd_output *output);

/// Returns the capabilities of a document.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_capabilities agd_document_capabilities(const struct agd_document *document);

/// Returns the rate limits of the whole document.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_rate_limits agd_document_rate_limits(const struct agd_document *document);

/// Converts a document into another format (or reformats it), NUL-terminated, and calls `callback`
/// for each loss: every member of the unified model either reads back equal from the result, or is
/// reported. The result never allows agents more than the document.
///
/// `target` is AGD_FORMAT_AGENTS_TXT or AGD_FORMAT_AGENTS_JSON for every format that is read but
/// AGD_FORMAT_ADP_SEARCH, AGD_FORMAT_AGENTS_TXT_01 or AGD_FORMAT_AGENTS_JSON_01 for those two.
/// (agd_write_json writes the unified model, which loses nothing.)
///
/// `document` must not be NULL; `options` may be NULL for the defaults; `callback` may be, and is
/// then not called. `user` is passed to the callback. `buffer` may be NULL if `capacity` is 0, to
/// query the length; pass no callback then, because every call reports the losses. `length`, if not
/// NULL, receives the length without the NUL, even if the buffer is too small; 0 if nothing is
/// written.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL if text and NUL do not fit: the buffer then holds the
/// empty string; AGD_ERROR_UNSUPPORTED if this conversion is not supported; AGD_ERROR_REFUSED if
/// the result would allow agents more than the document, because the target cannot express a
/// restriction (the losses with AGD_SEVERITY_ERROR say which); another negative status for misuse.
/// Thread-safe if the callback is; linear in the document, except for line numbers of losses that
/// come out of order; about 23 KB of stack.
agd_status agd_convert(const struct agd_document *document,
                       int32_t target,
                       const struct agd_convert_options *options,
                       char *buffer,
                       size_t capacity,
                       size_t *length,
                       agd_loss_callback callback,
                       void *user);

/// Writes the path of a loss in the unified model, such as `capabilities[0].parameters[1].default`,
/// as NUL-terminated UTF-8. Names from the document are shortened to 80 characters, and control
/// characters in them are escaped.
///
/// `loss` must not be NULL and must come from agd_convert; the document's bytes must stay
/// unchanged. Buffer, length and return values are those of agd_diagnostic_message. 1024 bytes are
/// always enough. Thread-safe; linear in the path.
agd_status agd_loss_path(const struct agd_loss *loss, char *buffer, size_t capacity, size_t *length);

/// Writes a human-readable sentence about a loss, including its path. Arguments (also NULL) and
/// return values are those of agd_loss_path.
///
/// Thread-safe; linear in the sentence.
agd_status agd_loss_message(const struct agd_loss *loss, char *buffer, size_t capacity, size_t *length);

/// Applies automatic fixes to an agents.txt (of the Internet-Draft, or 0.1.0), writes the result
/// NUL-terminated, and calls `callback` for each fix: indentation, letter case and names of fields,
/// arrows, units, blanks, line ends. The meaning of the document does not change; comments, empty
/// lines and unknown fields stay unchanged.
///
/// `document` must not be NULL; `callback` may be NULL, and is then not called. `user` is passed to
/// the callback. Buffer and length are those of agd_convert.
///
/// Returns AGD_OK, also if nothing changes; AGD_ERROR_BUFFER_TOO_SMALL if text and NUL do not fit:
/// the buffer then holds the empty string; AGD_ERROR_UNSUPPORTED if the document is not an
/// agents.txt; another negative status for misuse. Thread-safe if the callback is; linear in the
/// document.
agd_status agd_fix(const struct agd_document *document,
                   char *buffer,
                   size_t capacity,
                   size_t *length,
                   agd_change_callback callback,
                   void *user);

/// Builds the header that carries a token, ready to send: `Name: value` without a line end,
/// NUL-terminated.
///
/// Succeeds only if the request is allowed, credentials may be sent, and the format defines the
/// header. `decision` must not be NULL. `token` is plain UTF-8. Buffer and `length` work as in
/// agd_text_decode. The buffer is yours and then holds a secret: wipe it after use.
///
/// Returns AGD_SOME; AGD_NONE if no authentication is needed; AGD_ERROR_WITHHELD if credentials
/// must not be sent; AGD_ERROR_UNSPECIFIED if the format does not define the header;
/// AGD_ERROR_HEADER or AGD_ERROR_TOKEN if header or token is not valid in a request;
/// AGD_ERROR_BUFFER_TOO_SMALL; or another negative status for misuse. Thread-safe if the buffer is
/// not shared; linear.
agd_status agd_decision_auth_header(const struct agd_decision *decision,
                                    struct agd_text token,
                                    char *buffer,
                                    size_t capacity,
                                    size_t *length);

/// Returns the actions that must run before the AWP action of a decision, in order, like
/// agd_awp_prerequisites with the same memory.
///
/// `decision` must not be NULL; the texts borrow the document's bytes. Returns AGD_NONE with
/// `found` 0 if nothing is required or no AWP document declares the action; otherwise as
/// agd_awp_prerequisites. Thread-safe if the memory is not shared; n log n in `dependencies`.
agd_status agd_decision_prerequisites(const struct agd_decision *decision,
                                      uint32_t *scratch,
                                      size_t scratch_length,
                                      struct agd_text *items,
                                      size_t capacity,
                                      size_t *found);

/// Whether the AWP document that declares the action has `dependencies` that cannot be read, so
/// that agd_decision_prerequisites may be incomplete: AGD_TRUE or AGD_FALSE; AGD_UNSAID if
/// `decision` is NULL or was not made.
///
/// Thread-safe; linear in `dependencies`.
int32_t agd_decision_prerequisites_unknown(const struct agd_decision *decision);

/// Writes a decision as JSON (docs/policy.md), on one line, NUL-terminated.
///
/// `decision` must not be NULL. `scratch` is your memory for `scratch_length` numbers (NULL if that
/// is 0): four for each name in the `dependencies` of an AWP document; with fewer, `prerequisites`
/// is left out and the JSON says so. Buffer and `length` work as in agd_write_json.
///
/// Returns AGD_OK, or AGD_ERROR_BUFFER_TOO_SMALL, or another negative status for misuse.
/// Thread-safe if the memory is not shared; linear in the documents; about 22 KB of stack.
agd_status agd_decision_json(const struct agd_decision *decision,
                             uint32_t *scratch,
                             size_t scratch_length,
                             char *buffer,
                             size_t capacity,
                             size_t *length);

/// Detects the format of a document without parsing it.
///
/// `data` may be NULL if `length` is 0; the bytes are only read during the call. `options` may be
/// NULL; only its hints (`url`, `content_type`) are used, a forced format is ignored. `detection`
/// must not be NULL and must be initialised (AGD_INIT).
///
/// Returns AGD_SOME, also for AGD_FORMAT_UNKNOWN, or a negative status for misuse. Thread-safe;
/// linear in a JSON document; constant for other documents, of which only the beginning is read.
agd_status agd_detect(const char *data,
                      size_t length,
                      const struct agd_options *options,
                      struct agd_detection *detection);

/// Returns one of the signs by which the format was detected, in English.
///
/// Call with `index` 0, 1, 2, … until AGD_NONE. Neither pointer may be NULL; `sign` is static text.
/// Returns AGD_SOME, AGD_NONE, or a negative status for misuse. Thread-safe; constant time.
agd_status agd_detection_sign(const struct agd_detection *detection, size_t index, struct agd_text *sign);

/// Checks a document against its specification and calls `callback` for each diagnostic, in no
/// particular order; agd_check_sorted puts it in order.
///
/// `document` must not be NULL; `options` may be NULL for the defaults; `callback` may be NULL, and
/// is then not called. `user` is passed to the callback. Returns AGD_OK whether or not there are
/// diagnostics, or a negative status for misuse. Thread-safe if the callback is; n log n in the
/// document, plus recounting lines for diagnostics that come out of order; about 18 KB of stack.
agd_status agd_check(const struct agd_document *document,
                     const struct agd_check_options *options,
                     agd_diagnostic_callback callback,
                     void *user);

/// Checks a document and fills an array with the diagnostics, sorted by offset, then by code.
///
/// `document` must not be NULL; `options` may be, for the defaults. `items` has room for `capacity`
/// diagnostics, which need no initialisation; it may be NULL if `capacity` is 0, to query the
/// number. `item_size` is `sizeof *items`. The diagnostics borrow the document's bytes. `found`, if
/// not NULL, receives the number of all diagnostics, even if the array is too small; on misuse it
/// is unchanged. With the default options, 1001 elements are always enough.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL if there are more diagnostics than elements: the
/// array then holds the first ones in order; or another negative status for misuse, which writes
/// nothing. Thread-safe if array and scratch memory are not shared; n log n in the document and in
/// the diagnostics; about 18 KB of stack.
agd_status agd_check_sorted(const struct agd_document *document,
                            const struct agd_check_options *options,
                            struct agd_diagnostic *items,
                            size_t item_size,
                            size_t capacity,
                            size_t *found);

/// Checks a document and counts the diagnostics.
///
/// Neither `document` nor `counts` may be NULL; `options` may be. Returns AGD_OK whether or not
/// there are diagnostics, or a negative status for misuse. Thread-safe; n log n in the document;
/// about 18 KB of stack.
agd_status agd_check_count(const struct agd_document *document,
                           const struct agd_check_options *options,
                           struct agd_counts *counts);

/// Writes the message of a diagnostic into `buffer`, as NUL-terminated UTF-8. It never repeats
/// credentials, and escapes control characters.
///
/// `diagnostic` must not be NULL and must come from agd_check, agd_check_sorted or a list; the
/// document's bytes must stay unchanged. `buffer` may be NULL if `capacity` is 0, to query the
/// length. `length`, if not NULL, receives the length without the NUL, even if the buffer is too
/// small.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL if message and NUL do not fit: the buffer then holds
/// the empty string. 512 bytes are enough for most. Thread-safe; linear in the message.
agd_status agd_diagnostic_message(const struct agd_diagnostic *diagnostic,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *length);

/// Checks a document and starts a list of the diagnostics, sorted by offset, then by code.
///
/// `window` is your memory for `capacity` diagnostics, at least one, which need no initialisation;
/// `item_size` is `sizeof *window`. The list returns any number of diagnostics; each time the
/// window is used up, the document is checked again. `document` must not be NULL; `options` may be,
/// for the defaults. `list` must not be NULL, and needs no initialisation. The document's bytes,
/// the window, and the origin and scratch memory of the options must stay valid, and nothing else
/// may use window and scratch memory, until the iteration ends.
///
/// Returns AGD_OK, or a negative status for misuse: iterating the list then returns
/// AGD_ERROR_UNINITIALISED. Thread-safe if the memory is not shared; n log n in the document; about
/// 20 KB of stack.
agd_status agd_diagnostics_begin(struct agd_diagnostics *list,
                                 const struct agd_document *document,
                                 const struct agd_check_options *options,
                                 struct agd_diagnostic *window,
                                 size_t item_size,
                                 size_t capacity);

/// Returns the next diagnostic of a list.
///
/// Neither pointer may be NULL; `diagnostic` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`diagnostic` is unchanged), or a
/// negative status for misuse. Not thread-safe on one list; constant time; if the window is used
/// up, n log n in the document and about 19 KB of stack.
agd_status agd_diagnostics_next(struct agd_diagnostics *list, struct agd_diagnostic *diagnostic);

/// Compares two documents of one site field by field, an agents.txt with its companion agents.json,
/// and calls `callback` for each difference. Also compares agents.txt 0.1.0, which has fewer fields
/// in common with its companion. Absent fields have their defaults. The order of lists,
/// insignificant letter case and the dates of the documents are ignored.
///
/// Neither document may be NULL; `callback` may be NULL, and is then not called. `user` is passed
/// to the callback. `complete`, if not NULL, receives AGD_TRUE if everything was compared, and
/// AGD_FALSE if the documents are so large, and in so different an order, that the rest was left
/// out.
///
/// Returns AGD_OK, or a negative status for misuse. Thread-safe if the callback is; linear in the
/// documents; about 24 KB of stack. Of each list, all items that have the same order in both
/// documents are compared, and some hundred others.
agd_status agd_differences(const struct agd_document *first,
                           const struct agd_document *second,
                           int32_t *complete,
                           agd_difference_callback callback,
                           void *user);

/// Starts the discovery of a site. `site` is a URL, whose path is ignored, or a host, which means
/// https.
///
/// `discovery` must not be NULL; on failure it is uninitialised. `site` is borrowed during the
/// call, and must not point into the discovery, as the result of agd_discovery_origin does.
/// `options` may be NULL for the defaults. Returns AGD_OK; AGD_ERROR_SITE if `site` is invalid
/// (user information, non-ASCII letters, another scheme than http and https); or another negative
/// status for misuse. Not thread-safe on one discovery; constant time.
agd_status agd_discovery_begin(struct agd_discovery *discovery,
                               struct agd_text site,
                               const struct agd_discovery_options *options);

/// Returns the next request to send.
///
/// Neither pointer may be NULL; `request` must be initialised (AGD_INIT), and its texts point into
/// the discovery: they are valid until the request is answered. Returns AGD_SOME; AGD_NONE if there
/// is none now (answers to requests in flight may lead to more); or a negative status for misuse.
/// Not thread-safe on one discovery; constant time.
agd_status agd_discovery_next(struct agd_discovery *discovery, struct agd_discovery_request *request);

/// Writes the headers to send with a request in flight: `User-Agent`, `Accept`, and, if a body from
/// exactly this URL is stored, `If-None-Match` and `If-Modified-Since`.
///
/// `user_agent` is the User-Agent to send; if it is absent or not valid in a header, the library's
/// own name is sent. `stored` may be NULL. `headers` has room for AGD_DISCOVERY_HEADERS of them;
/// they borrow from `user_agent` and `stored`, or are static. `count` receives their number.
/// `discovery`, `headers` and `count` must not be NULL. Returns AGD_OK; AGD_ERROR_ARGUMENT if no
/// request with this id is in flight; or another negative status for misuse. Thread-safe while no
/// other thread changes the discovery; linear in the texts.
agd_status agd_discovery_headers(const struct agd_discovery *discovery,
                                 int32_t id,
                                 struct agd_text user_agent,
                                 const struct agd_stored *stored,
                                 struct agd_http_header *headers,
                                 size_t *count);

/// Answers a request in flight from the result stored under its key, if that is usable: a fresh
/// document, or any result that must not be requested again yet. `now` is in seconds since 1970.
///
/// No pointer may be NULL; `answer` must be initialised (AGD_INIT), and borrows the texts of
/// `stored`, including the body. Returns AGD_SOME if the request is answered; AGD_NONE if it must
/// be sent (`answer` is unchanged); AGD_ERROR_ARGUMENT if no request with this id is in flight; or
/// another negative status for misuse. Not thread-safe on one discovery; linear in the body.
agd_status agd_discovery_recall(struct agd_discovery *discovery,
                                int32_t id,
                                const struct agd_stored *stored,
                                uint64_t now,
                                struct agd_discovery_answer *answer);

/// Processes a response from the network.
///
/// `discovery` and `response` must not be NULL; `answer` may be, otherwise it must be initialised
/// (AGD_INIT). It borrows the body, and its validators the headers; after 304, those of the stored
/// result. Everything else is borrowed only during the call. Returns AGD_OK; AGD_ERROR_ARGUMENT if
/// no request with this id is in flight; or another negative status for misuse. Only the first 256
/// headers are used. Not thread-safe on one discovery; linear in body and headers; about 14 KB of
/// stack.
agd_status agd_discovery_respond(struct agd_discovery *discovery,
                                 int32_t id,
                                 const struct agd_discovery_response *response,
                                 struct agd_discovery_answer *answer);

/// Reports that a request failed without a response: `failure` is AGD_FAILURE_*, `now` in seconds
/// since 1970.
///
/// `discovery` must not be NULL; `answer` may be, otherwise it must be initialised (AGD_INIT), and
/// borrows nothing. Returns AGD_OK; AGD_ERROR_ARGUMENT if no request with this id is in flight; or
/// another negative status for misuse. Not thread-safe on one discovery; constant time.
agd_status agd_discovery_fail(struct agd_discovery *discovery,
                              int32_t id,
                              int32_t failure,
                              uint64_t now,
                              struct agd_discovery_answer *answer);

/// Queues a request for a capability detail of an Agent Discovery Protocol manifest;
/// agd_discovery_next returns it next. `detail_url` is the URL as written in the manifest. It must
/// be on the site, unless `approved` is AGD_TRUE (otherwise AGD_FALSE).
///
/// `discovery` and `document` must not be NULL; `rejection` may be. Document and URL are borrowed
/// during the call. Returns AGD_SOME if the request is queued; AGD_NONE otherwise, and `rejection`
/// receives the reason (AGD_REJECTION_*, or AGD_REJECTION_NONE if four are already in flight);
/// AGD_ERROR_WRONG_FORMAT if the document is not a manifest; or another negative status for misuse.
/// Not thread-safe on one discovery; linear in the URL.
agd_status agd_discovery_ask_detail(struct agd_discovery *discovery,
                                    const struct agd_document *document,
                                    struct agd_text detail_url,
                                    int32_t approved,
                                    int32_t *rejection);

/// Queues a request for the declaration of an agent's operator; agd_discovery_next returns it next.
/// `url` is the `Agent-Declaration` of a document. It may be on another site.
///
/// `discovery` must not be NULL; `rejection` may be. The URL is borrowed during the call. Returns
/// the same as agd_discovery_ask_detail. Not thread-safe on one discovery; linear in the URL.
agd_status agd_discovery_ask_declaration(struct agd_discovery *discovery, struct agd_text url, int32_t *rejection);

/// Whether the declaration of an operator names this site: AGD_DECLARED_*, or a negative status for
/// misuse.
///
/// Neither pointer may be NULL. Thread-safe while no other thread changes the discovery; linear in
/// the document.
int32_t agd_discovery_declared(const struct agd_discovery *discovery, const struct agd_document *declaration);

/// Returns an attempt by index, in the order in which attempts were created, including unfinished
/// ones.
///
/// Neither pointer may be NULL; `attempt` must be initialised (AGD_INIT), and its texts point into
/// the discovery: they are valid until the discovery handles another request. Returns AGD_SOME;
/// AGD_NONE if there are fewer attempts (`attempt` is unchanged); or a negative status for misuse.
/// Thread-safe while no other thread changes the discovery; constant time.
agd_status agd_discovery_attempt(const struct agd_discovery *discovery, size_t index, struct agd_attempt *attempt);

/// Returns an attempt that found a document about the site, by rank: native before synthetic, JSON
/// before text, well-known before root. Does not include robots.txt, details and declarations.
///
/// Arguments and return values are those of agd_discovery_attempt: neither may be NULL, and the
/// texts point into the discovery. Thread-safe while no other thread changes the discovery;
/// constant time.
agd_status agd_discovery_document(const struct agd_discovery *discovery, size_t rank, struct agd_attempt *attempt);

/// Whether all attempts are finished: AGD_TRUE or AGD_FALSE; AGD_FALSE also for misuse (NULL).
/// Thread-safe while no other thread changes the discovery; constant time.
int32_t agd_discovery_is_done(const struct agd_discovery *discovery);

/// Which robots.txt rules apply: AGD_ROBOTS_RULES_*. For AGD_ROBOTS_RULES_DOCUMENT, use the
/// document of the answer; for the others, use agd_robots_allow_all and agd_robots_disallow_all.
/// AGD_ROBOTS_RULES_UNKNOWN also for misuse (NULL). Thread-safe while no other thread changes the
/// discovery; constant time.
int32_t agd_discovery_robots(const struct agd_discovery *discovery);

/// The earliest time at which any document of the site may be requested again, in seconds since
/// 1970; 0 before the first answer and for misuse (NULL). Thread-safe while no other thread changes
/// the discovery; constant time.
uint64_t agd_discovery_ask_again_at(const struct agd_discovery *discovery);

/// Scheme, host and port of the site. The text points into the discovery; absent for misuse (NULL).
/// Thread-safe while no other thread changes the discovery; constant time.
struct agd_text agd_discovery_origin(const struct agd_discovery *discovery);

/// Returns the stable code of a rejection (AGD_REJECTION_*), such as `not-found`, NUL-terminated;
/// `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_rejection_code(int32_t rejection);

/// Returns what a rejection means, in English: a sentence without a capital and a full stop,
/// NUL-terminated; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_rejection_message(int32_t rejection);

/// Returns the stable id of a resource (AGD_RESOURCE_*), such as `agents-json`, NUL-terminated;
/// `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_resource_id(int32_t resource);

/// Parses a document: determines its format, validates it, and records where its parts are. Reading
/// from the document then cannot fail.
///
/// `data` may be NULL if `length` is 0. The bytes are not copied: they must stay unchanged and in
/// place while the document, or anything read from it, is used. `options` may be NULL for the
/// defaults. `document` must not be NULL; if parsing fails it is uninitialised, and functions
/// return AGD_ERROR_UNINITIALISED for it. `error` may be NULL and needs no initialisation.
///
/// Returns AGD_OK, or the error, which is also the kind in `error`. Thread-safe; linear in the
/// document; no heap, bounded stack.
agd_status agd_parse(const char *data,
                     size_t length,
                     const struct agd_options *options,
                     struct agd_document *document,
                     struct agd_error *error);

/// Returns the format of a document: AGD_FORMAT_*; AGD_FORMAT_UNKNOWN if it is NULL or was not
/// parsed.
///
/// Thread-safe; constant time.
int32_t agd_document_format(const struct agd_document *document);

/// Returns the members that a document has once. Always present; the members may be absent.
///
/// Neither pointer may be NULL; `head` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, or a negative status for misuse. Thread-safe; at worst linear in the
/// document.
agd_status agd_document_head(const struct agd_document *document, struct agd_head *head);

/// Returns where a text is in its document: the byte offsets of its start and after its end, from
/// 0.
///
/// `document` must not be NULL; `start` and `end` may be. Returns AGD_OK, or AGD_ERROR_ARGUMENT if
/// the text is not part of the document. Thread-safe; constant time.
agd_status agd_document_span(const struct agd_document *document, struct agd_text part, size_t *start, size_t *end);

/// Returns line and column of a byte offset in a document, both from 1; the column counts bytes.
/// LF, CRLF and a lone CR each end a line. An offset after the end is treated as the end.
///
/// `document` must not be NULL; `line` and `column` may be. Returns AGD_OK, or a negative status
/// for misuse. Thread-safe; linear in the offset.
agd_status agd_document_position(const struct agd_document *document, size_t offset, uint32_t *line, uint32_t *column);

/// Returns the canonical name of an AGD_KIND_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_kind_name(int32_t value);

/// Returns the canonical name of an AGD_PROTOCOL_* constant, NUL-terminated; `unknown` for any
/// other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_protocol_name(int32_t value);

/// Returns the canonical name of an AGD_AUTH_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_auth_name(int32_t value);

/// Returns the canonical name of an AGD_LOCATION_* constant, NUL-terminated; `unknown` for any
/// other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_location_name(int32_t value);

/// Returns the canonical name of an AGD_WINDOW_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_window_name(int32_t value);

/// Returns the canonical name of an AGD_TRANSPORT_* constant, NUL-terminated; `unknown` for any
/// other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_transport_name(int32_t value);

/// Returns the canonical name of an AGD_SENSITIVITY_* constant, NUL-terminated; `unknown` for any
/// other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_sensitivity_name(int32_t value);

/// Returns the canonical name of an AGD_EXECUTION_* constant, NUL-terminated; `unknown` for any
/// other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_execution_name(int32_t value);

/// Returns the canonical name of an AGD_PRICING_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_pricing_name(int32_t value);

/// Returns the canonical name of an AGD_SOURCE_* constant, NUL-terminated; `unknown` for any other
/// number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_source_name(int32_t value);

/// Returns the stable id of a format (AGD_FORMAT_*), such as `agents-txt`, NUL-terminated;
/// `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_format_id(int32_t format);

/// Returns the format with an id: AGD_FORMAT_*, or AGD_UNSAID if `id` is unknown or absent.
///
/// Thread-safe; constant time.
int32_t agd_format_from_id(struct agd_text id);

/// Whether the library reads documents of a format (AGD_FORMAT_*), rather than only recognising
/// them: AGD_TRUE or AGD_FALSE; AGD_FALSE for any other number.
///
/// Thread-safe; constant time.
int32_t agd_format_is_read(int32_t format);

/// Whether this build of the library, which may leave out formats, reads documents of a format
/// (AGD_FORMAT_*): AGD_TRUE or AGD_FALSE; AGD_FALSE for any other number.
///
/// Thread-safe; constant time.
int32_t agd_format_is_built_in(int32_t format);

/// Writes a document in the unified model as JSON, on one line, NUL-terminated.
///
/// `document` must not be NULL. `buffer` may be NULL if `capacity` is 0, to query the length.
/// `length`, if not NULL, receives the length without the NUL, even if the buffer is too small; a
/// capacity of length + 1 is enough.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL if text and NUL do not fit: the buffer then holds the
/// empty string, never a part of the text. Thread-safe; linear in the document.
agd_status agd_write_json(const struct agd_document *document, char *buffer, size_t capacity, size_t *length);

/// Returns the next flow of a list.
///
/// Neither pointer may be NULL; `flow` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`flow` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_flows_next(struct agd_flows *list, struct agd_flow *flow);

/// Returns the next dependency of a list.
///
/// Neither pointer may be NULL; `dependency` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`dependency` is unchanged), or a
/// negative status for misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_dependencies_next(struct agd_dependencies *list, struct agd_dependency *dependency);

/// Returns the next entity of a list.
///
/// Neither pointer may be NULL; `entity` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`entity` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_entities_next(struct agd_entities *list, struct agd_entity *entity);

/// Returns the next way to recover of a list.
///
/// Neither pointer may be NULL; `recovery` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`recovery` is unchanged), or a negative
/// status for misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_recoveries_next(struct agd_recoveries *list, struct agd_recovery *recovery);

/// Returns the next plan of a list.
///
/// Neither pointer may be NULL; `plan` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`plan` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_plans_next(struct agd_plans *list, struct agd_plan *plan);

/// Returns the platforms that an agent operates on.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_texts agd_document_operates_on(const struct agd_document *document);

/// Returns the suggested sequences of capabilities.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_flows agd_document_flows(const struct agd_document *document);

/// Returns the dependencies between capabilities.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_dependencies agd_document_dependencies(const struct agd_document *document);

/// Returns the named types.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_entities agd_document_entities(const struct agd_document *document);

/// Returns the ways to recover from errors.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_recoveries agd_document_errors(const struct agd_document *document);

/// Returns the hints for planning.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_members agd_document_hints(const struct agd_document *document);

/// Returns the feature flags.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_members agd_document_features(const struct agd_document *document);

/// Returns the remaining members of the top level.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_members agd_document_metadata(const struct agd_document *document);

/// Returns the status of the service.
///
/// Neither pointer may be NULL; `status` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`status` is unchanged); or
/// a negative status for misuse. Thread-safe; at worst linear in the document.
agd_status agd_document_status(const struct agd_document *document, struct agd_service_status *status);

/// Returns the pricing of the service.
///
/// Neither pointer may be NULL; `pricing` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`pricing` is unchanged); or
/// a negative status for misuse. Thread-safe; at worst linear in the document.
agd_status agd_document_pricing(const struct agd_document *document, struct agd_pricing *pricing);

/// Returns how sessions work.
///
/// Neither pointer may be NULL; `session` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`session` is unchanged); or
/// a negative status for misuse. Thread-safe; at worst linear in the document.
agd_status agd_document_session(const struct agd_document *document, struct agd_session *session);

/// Returns the lifetime of a session in seconds, with the default of the format if the document
/// gives none: 1800 in agents.txt 0.1.0, 3600 in agents.json 0.1. AGD_UNSAID if document or format
/// has no sessions, or if the document is NULL or was not parsed.
///
/// agd_document_session returns the value as written. Thread-safe; at worst linear in the document.
int64_t agd_document_session_seconds(const struct agd_document *document);

/// Returns whether the actions of agents are recorded.
///
/// Neither pointer may be NULL; `audit` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`audit` is unchanged); or a
/// negative status for misuse. Thread-safe; at worst linear in the document.
agd_status agd_document_audit(const struct agd_document *document, struct agd_audit *audit);

/// Returns the next parameter of a list.
///
/// Neither pointer may be NULL; `parameter` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`parameter` is unchanged), or a
/// negative status for misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_parameters_next(struct agd_parameters *list, struct agd_parameter *parameter);

/// Decides a request from the documents of one site and its robots.txt (docs/policy.md): whether it
/// is allowed, why, which line decides, and under which conditions.
///
/// `documents` is an array of `count` documents; it may be NULL if `count` is 0. The array, the
/// request's texts, the robots.txt and all bytes must stay unchanged and in place while the
/// decision, or anything read from it, is used. The struct `request` itself is only read during the
/// call. Neither `request` nor `decision` may be NULL, and `decision` must be initialised
/// (AGD_INIT).
///
/// Returns AGD_SOME, or a negative status for misuse: AGD_ERROR_NULL if neither URL nor capability
/// is given, AGD_ERROR_ARGUMENT if both are, AGD_ERROR_UNINITIALISED if a document was not parsed.
/// `decision` is then unchanged; after AGD_INIT it allows nothing. Thread-safe; linear in the
/// documents; about 21 KB of stack, most of which agd_decide_with moves to a workspace.
agd_status agd_decide(const struct agd_document *documents,
                      size_t count,
                      const struct agd_request *request,
                      struct agd_decision *decision);

/// Does the same as agd_decide with a workspace from the caller, for systems with a small stack.
///
/// `workspace` must not be NULL, needs no initialisation, and only the call uses it. Otherwise,
/// including what the decision borrows, as agd_decide. Thread-safe if the workspace is not shared;
/// linear in the documents.
agd_status agd_decide_with(const struct agd_document *documents,
                           size_t count,
                           const struct agd_request *request,
                           struct agd_workspace *workspace,
                           struct agd_decision *decision);

/// Returns the name of a reason (AGD_REASON_*), NUL-terminated, such as `not-listed`; `unknown` for
/// any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_reason_name(int32_t reason);

/// Returns what a reason (AGD_REASON_*) means, in English: a sentence, NUL-terminated.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_reason_message(int32_t reason);

/// Returns the next group of a list.
///
/// Neither pointer may be NULL; `group` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`group` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_robots_groups_next(struct agd_robots_groups *list, struct agd_robots_group *group);

/// Returns the next rule of a list.
///
/// Neither pointer may be NULL; `rule` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`rule` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_robots_rules_next(struct agd_robots_rules *list, struct agd_robots_rule *rule);

/// Returns the next result of a list.
///
/// Neither pointer may be NULL; `result` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME, AGD_NONE at the end (`result` is unchanged), or a negative status for
/// misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_search_results_next(struct agd_search_results *list, struct agd_search_result *result);

/// Returns the groups of a robots.txt.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_robots_groups agd_document_robots_groups(const struct agd_document *document);

/// Returns the sitemaps of a robots.txt.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_texts agd_document_sitemaps(const struct agd_document *document);

/// Returns the results of a registry search.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_search_results agd_document_search_results(const struct agd_document *document);

/// Reads a robots.txt. Its content cannot make this fail: lines that are not rules are skipped. If
/// there is no robots.txt, use agd_robots_allow_all or agd_robots_disallow_all.
///
/// `data` may be NULL if `length` is 0. The bytes are not copied: they must stay unchanged and in
/// place while the robots.txt, or anything read from it, is used. `options` may be NULL for the
/// defaults; only `max_robots` and `max_line` are used, and `format` must be AGD_FORMAT_UNKNOWN or
/// AGD_FORMAT_ROBOTS_TXT. `robots` must not be NULL.
///
/// Returns AGD_OK, or a negative status for misuse, which leaves `robots` uninitialised.
/// Thread-safe; constant time: rules are read on demand.
agd_status agd_robots_parse(const char *data,
                            size_t length,
                            const struct agd_options *options,
                            struct agd_robots *robots);

/// Returns a parsed document as a robots.txt.
///
/// Neither pointer may be NULL. `robots` borrows the document's bytes, not the document. Returns
/// AGD_SOME; AGD_NONE if the document is not a robots.txt: `robots` is then uninitialised; or a
/// negative status for misuse. Thread-safe; constant time.
agd_status agd_document_robots(const struct agd_document *document, struct agd_robots *robots);

/// Returns the rules for an absent robots.txt, such as after a 4xx status (RFC 9309 section
/// 2.3.1.3): every agent may fetch everything.
///
/// It borrows nothing. Thread-safe; constant time.
struct agd_robots agd_robots_allow_all(void);

/// Returns the rules for an unreachable robots.txt, such as after a 5xx status (RFC 9309 section
/// 2.3.1.4): no agent may fetch anything but the robots.txt.
///
/// It borrows nothing. Thread-safe; constant time.
struct agd_robots agd_robots_disallow_all(void);

/// Whether `agent` may fetch `url`; agd_robots_decide also returns why.
///
/// False also for misuse, such as NULL, so that nothing is fetched by mistake; agd_robots_decide
/// distinguishes the two. Thread-safe; linear in the robots.txt, in one pass.
bool agd_robots_allowed(const struct agd_robots *robots, struct agd_text agent, struct agd_text url);

/// Whether `agent` may fetch `url`, and why (RFC 9309 sections 2.2.1 to 2.2.3).
///
/// `agent` is the product token, or a User-Agent that begins with it: the leading letters, `-` and
/// `_`, ignoring letter case. All groups that name it apply; those for `*` only if there is none.
/// The longest matching pattern decides, and `Allow` wins a tie. Path and query of `url` are
/// matched, whatever its origin: make sure that it is the origin of the robots.txt.
///
/// `robots` and `decision` must not be NULL; `decision` must be initialised (AGD_INIT) and borrows
/// the bytes of the robots.txt. Neither text may be absent or escaped: decode a text from a
/// document with agd_text_decode first. Both are borrowed during the call.
///
/// Returns AGD_SOME, or a negative status for misuse; AGD_ERROR_ARGUMENT for an escaped text.
/// Thread-safe; linear in the robots.txt, in two passes. Each rule of the agent may also take time
/// linear in the URL, so limit the length of untrusted URLs.
agd_status agd_robots_decide(const struct agd_robots *robots,
                             struct agd_text agent,
                             struct agd_text url,
                             struct agd_robots_decision *decision);

/// Returns the `Crawl-delay` for an agent: the first one in the groups that name it, or in the
/// groups for `*` if none names it. RFC 9309 does not define this extension.
///
/// `robots` and `delay` must not be NULL; `delay` must be initialised (AGD_INIT) and borrows the
/// bytes of the robots.txt; `agent` as in agd_robots_decide. Returns AGD_SOME; AGD_NONE if there is
/// none; or a negative status for misuse. Thread-safe; linear in the robots.txt.
agd_status agd_robots_crawl_delay(const struct agd_robots *robots,
                                  struct agd_text agent,
                                  struct agd_robots_delay *delay);

/// Returns the groups of a robots.txt in order. Groups of one agent are not merged.
///
/// Never fails: if `robots` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the bytes of the robots.txt. Thread-safe; constant time.
struct agd_robots_groups agd_robots_group_list(const struct agd_robots *robots);

/// Returns the `Sitemap` lines of a robots.txt, as written; they belong to no group.
///
/// Never fails: if `robots` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the bytes of the robots.txt. Thread-safe; constant time.
struct agd_texts agd_robots_sitemaps(const struct agd_robots *robots);

/// Whether the robots.txt is longer than the part that is read (`max_robots` of the options):
/// AGD_TRUE or AGD_FALSE; AGD_UNSAID if `robots` is NULL or was not parsed.
///
/// Thread-safe; constant time.
int32_t agd_robots_is_cut(const struct agd_robots *robots);

/// Returns where a text is in its robots.txt: the byte offsets of its start and after its end, from
/// 0.
///
/// `robots` must not be NULL; `start` and `end` may be. Returns AGD_OK, or AGD_ERROR_ARGUMENT if
/// the text is not part of the robots.txt. Thread-safe; constant time.
agd_status agd_robots_span(const struct agd_robots *robots, struct agd_text part, size_t *start, size_t *end);

/// Returns line and column of a byte offset in a robots.txt, like agd_document_position for a
/// document.
///
/// `robots` must not be NULL; `line` and `column` may be. Returns AGD_OK, or a negative status for
/// misuse. Thread-safe; linear in the offset.
agd_status agd_robots_position(const struct agd_robots *robots, size_t offset, uint32_t *line, uint32_t *column);

/// Returns the name of a reason (AGD_ROBOTS_REASON_*), NUL-terminated: `rule`, `no-rule`,
/// `no-group`, `robots-file`; `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_robots_reason_name(int32_t reason);

/// Returns the next endpoint of a list.
///
/// Neither pointer may be NULL; `endpoint` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME, AGD_NONE at the end (`endpoint` is unchanged), or a negative
/// status for misuse. Not thread-safe on one list; linear in the bytes skipped.
agd_status agd_endpoints_next(struct agd_endpoints *list, struct agd_endpoint *endpoint);

/// Returns the service that the document describes.
///
/// Neither pointer may be NULL; `service` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`service` is unchanged); or
/// a negative status for misuse. Thread-safe; at worst linear in the document.
agd_status agd_document_service(const struct agd_document *document, struct agd_service *service);

/// Returns the provenance of the document.
///
/// Neither pointer may be NULL; `provenance` must be initialised (AGD_INIT) and borrows the
/// document's bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`provenance` is
/// unchanged); or a negative status for misuse. Thread-safe; at worst linear in the document.
agd_status agd_document_provenance(const struct agd_document *document, struct agd_provenance *provenance);

/// Returns the authentication for the whole service.
///
/// Neither pointer may be NULL; `auth` must be initialised (AGD_INIT) and borrows the document's
/// bytes. Returns AGD_SOME; AGD_NONE if the document does not state it (`auth` is unchanged); or a
/// negative status for misuse. Thread-safe; at worst linear in the document.
agd_status agd_document_auth(const struct agd_document *document, struct agd_service_auth *auth);

/// Returns the endpoints of other protocols.
///
/// Never fails: if `document` is NULL or was not parsed, iterating the list returns
/// AGD_ERROR_UNINITIALISED. It borrows the document's bytes, not the document. Thread-safe; at
/// worst linear in the document.
struct agd_endpoints agd_document_endpoints(const struct agd_document *document);

/// Returns the name of a severity (AGD_SEVERITY_*), NUL-terminated: `info`, `warning`, `error`;
/// `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_severity_name(int32_t severity);

/// Returns what a status means, in English: a sentence without a capital and a full stop,
/// NUL-terminated.
///
/// Never NULL, also for a number that is not a status. Static: do not free it. Thread-safe;
/// constant time.
const char *agd_status_message(agd_status status);

/// Returns the stable kebab-case name of a status, such as `invalid-json`, NUL-terminated;
/// `unknown` for a number that is not a status.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_status_name(agd_status status);

/// Converts a C string to a text. NULL becomes the absent text.
///
/// The text borrows `string` (up to its NUL), which must stay unchanged while the text is used.
/// Thread-safe; linear.
struct agd_text agd_text_from(const char *string);

/// Whether two texts have the same characters after decoding. An absent text equals no text, not
/// even another absent one.
///
/// Thread-safe; linear, without decoding into memory.
bool agd_text_eq(struct agd_text a, struct agd_text b);

/// Like agd_text_eq, ignoring the letter case of ASCII.
///
/// Thread-safe; linear, without decoding into memory.
bool agd_text_eq_ignore_case(struct agd_text a, struct agd_text b);

/// Whether a text has the characters of a C string, which is borrowed during the call. False if
/// either is absent (NULL).
///
/// Thread-safe; linear, without decoding into memory.
bool agd_text_eq_str(struct agd_text text, const char *string);

/// Like agd_text_eq_str, ignoring the letter case of ASCII. The string is borrowed during the call.
/// False if either is absent (NULL).
///
/// Thread-safe; linear, without decoding into memory.
bool agd_text_eq_str_ignore_case(struct agd_text text, const char *string);

/// Decodes a text into `buffer` as NUL-terminated UTF-8. Lone surrogates and invalid UTF-8 become
/// U+FFFD. The text itself may contain a NUL if the document escapes one, so use the length.
///
/// `buffer` may be NULL if `capacity` is 0, to query the length. `length`, if not NULL, receives
/// the length without the NUL, even if the buffer is too small; a capacity of length + 1 is enough.
///
/// Returns AGD_OK; AGD_NONE (the same number) for an absent text, with the empty string;
/// AGD_ERROR_BUFFER_TOO_SMALL if text and NUL do not fit: the buffer then holds the empty string.
/// Thread-safe; linear.
agd_status agd_text_decode(struct agd_text text, char *buffer, size_t capacity, size_t *length);

/// Returns the next text of a list.
///
/// Neither pointer may be NULL. `text` borrows the document's bytes. Returns AGD_SOME, AGD_NONE at
/// the end (`text` is unchanged), or a negative status for misuse. Not thread-safe on one list;
/// linear in the bytes skipped.
agd_status agd_texts_next(struct agd_texts *list, struct agd_text *text);

/// Returns the name of a kind of type (AGD_TYPE_*), such as `date-time`, NUL-terminated; `named`
/// for AGD_TYPE_NAMED, `unknown` for any other number.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_type_name(int32_t kind);

/// Reads a type expression of AWP (section 8), such as the `type` of a parameter or of a field. The
/// letter case of names is ignored.
///
/// `text` may be escaped as JSON, and must not be absent; `found` must not be NULL, must be
/// initialised (AGD_INIT) and borrows the text. Returns AGD_SOME; AGD_ERROR_TYPE if the text is not
/// a type expression (`found` is unchanged); or another negative status for misuse. Thread-safe;
/// linear in the text times the nesting, at most 32.
agd_status agd_type_parse(struct agd_text text, struct agd_type *found);

/// Returns the next value of an enumeration, skipping empty ones.
///
/// Neither pointer may be NULL; `text` borrows the bytes of the expression. Returns AGD_SOME,
/// AGD_NONE at the end, or a negative status for misuse. Not thread-safe on one list; linear in the
/// bytes skipped.
agd_status agd_type_options_next(struct agd_type_options *list, struct agd_text *text);

/// Reads an absolute URL with a host (RFC 3986 section 3). Ambiguous URLs are invalid: blanks,
/// control characters, backslashes, percent signs in the host.
///
/// `text` is plain UTF-8, which `url` then borrows; neither it nor `url` may be NULL, and `url`
/// must be initialised (AGD_INIT). Returns AGD_SOME; AGD_ERROR_REFERENCE if the text is not such a
/// URL (`url` is unchanged); or another negative status for misuse. Thread-safe; linear.
agd_status agd_url_parse(struct agd_text text, struct agd_url *url);

/// Returns the relation between the host of an endpoint and the host of the document that names it.
/// IP addresses, localhost and public suffixes match only themselves. Registrable domains need the
/// Public Suffix List (feature `psl`, on by default).
///
/// Both hosts are plain UTF-8, as in agd_url, and must not be absent. `verified`, if not NULL,
/// receives AGD_TRUE if the relation is certain, AGD_FALSE if a host has non-ASCII letters, or the
/// Public Suffix List is needed and not built in.
///
/// Returns AGD_RELATION_*: AGD_RELATION_OTHER if either is not a host; a negative status for
/// misuse. Thread-safe; linear.
int32_t agd_host_relation(struct agd_text document_host, struct agd_text endpoint_host, int32_t *verified);

/// Resolves a reference against a base URL (RFC 3986 section 5.2). Only dot segments are
/// normalised.
///
/// `base` is plain UTF-8; `reference` may be escaped. Neither may be absent. Buffer and `length`
/// work as in agd_text_decode (also NULL); if the buffer is too small, `length` receives a
/// sufficient length.
///
/// Returns AGD_OK; AGD_ERROR_BUFFER_TOO_SMALL; AGD_ERROR_BASE_URL if the base is not a URL;
/// AGD_ERROR_REFERENCE if the reference is invalid or ambiguous; or another negative status for
/// misuse. Thread-safe if the buffer is not shared; linear.
agd_status agd_url_resolve(struct agd_text base,
                           struct agd_text reference,
                           char *buffer,
                           size_t capacity,
                           size_t *length);

/// Returns the next value of a list.
///
/// Neither pointer may be NULL. `value` borrows the document's bytes. Returns AGD_SOME, AGD_NONE at
/// the end (`value` is unchanged), or a negative status for misuse. Not thread-safe on one list;
/// linear in the bytes skipped.
agd_status agd_values_next(struct agd_values *list, struct agd_value *value);

/// Returns the next named value of a list. A name may occur more than once.
///
/// Neither pointer may be NULL. `member` borrows the document's bytes. Returns AGD_SOME, AGD_NONE
/// at the end (`member` is unchanged), or a negative status for misuse. Not thread-safe on one
/// list; linear in the bytes skipped.
agd_status agd_members_next(struct agd_members *list, struct agd_member *member);

/// Reads a JSON text (RFC 8259) that nests at most 64 deep.
///
/// `json` may be NULL if `length` is 0; its bytes must stay unchanged while `value`, or anything
/// read from it, is used. `value` must not be NULL; `error` may be, and needs no initialisation.
/// Returns AGD_OK, or the error, which `error` receives with its position; `value` is then
/// unchanged. Thread-safe; linear.
agd_status agd_json_parse(const char *json, size_t length, struct agd_value *value, struct agd_error *error);

/// Starts a walk over the members of a JSON object, such as a value in metadata or the `source` of
/// a capability.
///
/// Neither pointer may be NULL; `members` needs no initialisation and borrows the bytes of the
/// object. Returns AGD_OK, AGD_ERROR_ARGUMENT if the value is not an object, or why its text could
/// not be read; on failure `members` is uninitialised. Thread-safe; linear, because the text is
/// validated.
agd_status agd_value_members(const struct agd_value *value, struct agd_json_members *members);

/// Starts a walk over the elements of a JSON array.
///
/// Neither pointer may be NULL; `elements` needs no initialisation and borrows the bytes of the
/// array. Returns AGD_OK, AGD_ERROR_ARGUMENT if the value is not an array, or why its text could
/// not be read; on failure `elements` is uninitialised. Thread-safe; linear, because the text is
/// validated.
agd_status agd_value_elements(const struct agd_value *value, struct agd_json_elements *elements);

/// Returns the next member of a JSON object, in the order of the text, including duplicates.
///
/// Neither pointer may be NULL. `member` borrows the bytes of the object. Returns AGD_SOME,
/// AGD_NONE at the end (`member` is unchanged), or a negative status for misuse. Not thread-safe on
/// one walk; linear in the bytes skipped.
agd_status agd_json_members_next(struct agd_json_members *members, struct agd_member *member);

/// Returns the next element of a JSON array.
///
/// Neither pointer may be NULL. `value` borrows the bytes of the array. Returns AGD_SOME, AGD_NONE
/// at the end (`value` is unchanged), or a negative status for misuse. Not thread-safe on one walk;
/// linear in the bytes skipped.
agd_status agd_json_elements_next(struct agd_json_elements *elements, struct agd_value *value);

/// Returns a whole number from 0 to 2^64 - 1, in any notation (60, 6.0e1).
///
/// Neither pointer may be NULL. Returns AGD_SOME; AGD_NONE for other numbers; AGD_ERROR_ARGUMENT if
/// it is not a JSON number. Thread-safe; linear in the length of the number.
agd_status agd_value_u64(const struct agd_value *value, uint64_t *number);

/// Returns a truth value: AGD_TRUE or AGD_FALSE; AGD_UNSAID for other values and NULL.
///
/// Thread-safe; constant time.
int32_t agd_value_bool(const struct agd_value *value);

/// Returns the version of the library at run time, such as `0.1.0`, NUL-terminated. AGD_VERSION is
/// that of the header.
///
/// Never NULL. Static: do not free it. Thread-safe; constant time.
const char *agd_version(void);

/// Returns the version of the library at run time as a number: major * 1000000 + minor * 1000 +
/// patch. AGD_VERSION_NUMBER is that of the header.
///
/// Thread-safe; constant time.
uint32_t agd_version_number(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* AGENTSDISC_H */
