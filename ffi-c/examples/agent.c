/*
 * An agent over libcurl: discovers the documents of a site, lists its capabilities, and decides from all
 * documents and the robots.txt whether the agent may request a URL or call a capability. With --call it
 * also calls the capability with the arguments, a JSON object, and polls until the result is there.
 *
 *     cc agent.c $(pkg-config --cflags --libs agentsdisc libcurl) -o agent
 *     ./agent [--allow-private] [--approve URL] [--call ARGUMENTS] [--confirmed] SITE NAME URL|CAPABILITY
 *
 * An endpoint on another domain needs the user's approval (--approve), some calls a person's confirmation
 * (--confirmed). The environment variable AGENT_TOKEN has the credential for the service, if there is one.
 * Exits with 0 if the request is allowed and the call succeeded, 1 if not, 2 on errors.
 */
#define _POSIX_C_SOURCE 200809L
#include <agentsdisc.h>
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Maximum numbers of response headers, and of documents (more than a discovery requests). */
enum { HEADERS = 64, DOCUMENTS = 40 };

/* The maximum bytes of an answer to a call, and the longest wait in seconds. */
enum { ANSWER = 1 << 20, WAIT = 60 };

/* The result of send_request on success; otherwise AGD_FAILURE_*. */
enum { ANSWERED = -1 };

/* A response while it is received: owned header lines and body. */
struct reply {
    char *body;
    size_t length, limit;
    bool cuts, too_large, refused, allow_private;
    char *lines[HEADERS];
    agd_http_header headers[HEADERS];
    size_t header_count;
};

/* Exits with an error. */
static void stop(const char *where, const char *why) {
    fprintf(stderr, "%s: %s\n", where, why);
    exit(2);
}

/* Allocates memory, or exits. */
static void *had(void *memory) {
    if (memory == NULL)
        stop("agent", "out of memory");
    return memory;
}

static char *copy_of(const char *text, size_t length) {
    char *copy = had(malloc(length + 1));
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void drop_headers(struct reply *reply) {
    while (reply->header_count > 0)
        free(reply->lines[--reply->header_count]);
}

static size_t take_header(char *line, size_t unit, size_t length, void *context) {
    struct reply *reply = context;
    length *= unit;
    const char *colon = memchr(line, ':', length);
    if (length > 5 && memcmp(line, "HTTP/", 5) == 0) {
        /* Discard the headers of an interim response (1xx). */
        drop_headers(reply);
    } else if (colon != NULL && reply->header_count < HEADERS) {
        char *copy = copy_of(line, length);
        size_t name = (size_t)(colon - line), end = length;
        while (end > name + 1 && (copy[end - 1] == '\r' || copy[end - 1] == '\n'))
            end--;
        reply->lines[reply->header_count] = copy;
        reply->headers[reply->header_count++] = (agd_http_header){{copy, name, 0}, {copy + name + 1, end - name - 1, 0}};
    }
    return length;
}

/* libcurl decodes the body in small pieces, so the limit applies to the decoded body. */
static size_t take_body(char *data, size_t unit, size_t length, void *context) {
    struct reply *reply = context;
    length *= unit;
    size_t room = reply->limit - reply->length, taken = length < room ? length : room;
    reply->body = had(realloc(reply->body, reply->length + taken + 1));
    memcpy(reply->body + reply->length, data, taken);
    reply->length += taken;
    reply->too_large = taken < length;
    return taken;
}

static bool is_public_v4(uint32_t ip) {
    static const struct {
        uint32_t net;
        int bits;
    } SPECIAL[] = {{0x00000000, 8},  {0x0A000000, 8},  {0x64400000, 10}, {0x7F000000, 8},  {0xA9FE0000, 16}, {0xAC100000, 12},
                   {0xC0000000, 24}, {0xC0000200, 24}, {0xC0A80000, 16}, {0xC6120000, 15}, {0xC6336400, 24}, {0xCB007100, 24},
                   {0xE0000000, 3}};
    for (size_t i = 0; i < sizeof SPECIAL / sizeof *SPECIAL; i++)
        if ((ip ^ SPECIAL[i].net) >> (32 - SPECIAL[i].bits) == 0)
            return false;
    return true;
}

static bool is_public(const struct sockaddr *address) {
    if (address->sa_family == AF_INET)
        return is_public_v4(ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr));
    if (address->sa_family != AF_INET6)
        return false;
    const unsigned char *ip = ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr;
    static const unsigned char MAPPED[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    if (memcmp(ip, MAPPED, sizeof MAPPED) == 0)
        return is_public_v4((uint32_t)ip[12] << 24 | (uint32_t)ip[13] << 16 | (uint32_t)ip[14] << 8 | ip[15]);
    /* 2000::/3 without documentation, 6to4 and Teredo, which embed other addresses. */
    bool documentation = ip[0] == 0x20 && ip[1] == 0x01 && ip[2] == 0x0D && ip[3] == 0xB8;
    bool teredo = ip[0] == 0x20 && ip[1] == 0x01 && ip[2] == 0 && ip[3] == 0;
    return ip[0] >> 5 == 1 && !documentation && !teredo && !(ip[0] == 0x20 && ip[1] == 0x02);
}

/* libcurl connects to exactly this address, so a second DNS lookup cannot return another one. */
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    struct reply *reply = context;
    (void)purpose;
    if (!reply->allow_private && !is_public(&address->addr)) {
        reply->refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype, address->protocol);
}

/* Adds a header to a list. */
static struct curl_slist *with_header(struct curl_slist *list, agd_text name, agd_text value) {
    char line[4096];
    int written = snprintf(line, sizeof line, "%.*s: %.*s", (int)name.len, name.ptr, (int)value.len, value.ptr);
    if (written < 0 || (size_t)written >= sizeof line)
        stop("agent", "a header is too long");
    return had(curl_slist_append(list, line));
}

/* A request. The list of headers is freed when it has been sent. */
struct outgoing {
    const char *method, *url, *body;
    size_t body_length;
    struct curl_slist *headers;
};

/* Sends a request. Returns ANSWERED, or AGD_FAILURE_* if there is no response. */
static int32_t send_request(struct outgoing outgoing, struct reply *reply, long *status) {
    CURL *curl = had(curl_easy_init());
    /*
     * No redirects: the library handles them. No proxy: it would hide the address from open_socket. libcurl
     * verifies certificates by default.
     */
    curl_easy_setopt(curl, CURLOPT_URL, outgoing.url);
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    if (outgoing.body != NULL) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)outgoing.body_length);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, outgoing.body);
    }
    if (strcmp(outgoing.method, "HEAD") == 0)
        curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    else
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, outgoing.method);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, outgoing.headers);
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 5L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, 20L);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, reply);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, reply);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, reply);
    CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
    curl_easy_cleanup(curl);
    curl_slist_free_all(outgoing.headers);
    if (code == CURLE_OK || (code == CURLE_WRITE_ERROR && reply->too_large && reply->cuts))
        return ANSWERED;
    return reply->refused                        ? AGD_FAILURE_REFUSED
           : reply->too_large                    ? AGD_FAILURE_TOO_LARGE
           : code == CURLE_OPERATION_TIMEDOUT    ? AGD_FAILURE_TIMEOUT
           : code == CURLE_BAD_CONTENT_ENCODING  ? AGD_FAILURE_ENCODING
           : code == CURLE_COULDNT_RESOLVE_HOST  ? AGD_FAILURE_NOT_CONNECTED
           : code == CURLE_COULDNT_CONNECT       ? AGD_FAILURE_NOT_CONNECTED
                                                 : AGD_FAILURE_UNREACHABLE;
}

/* Sends a request of the discovery. */
static int32_t fetch(const agd_discovery *discovery, const agd_discovery_request *request, agd_text name, struct reply *reply, long *status) {
    agd_http_header headers[AGD_DISCOVERY_HEADERS];
    size_t count = 0;
    char *url = copy_of(request->url.ptr, request->url.len);
    agd_status made = agd_discovery_headers(discovery, request->id, name, NULL, headers, &count);
    if (made != AGD_OK)
        stop(url, agd_status_message(made));
    struct outgoing outgoing = {.method = "GET", .url = url};
    for (size_t i = 0; i < count; i++)
        outgoing.headers = with_header(outgoing.headers, headers[i].name, headers[i].value);
    int32_t failure = send_request(outgoing, reply, status);
    free(url);
    return failure;
}

/* Prints a text, replacing control characters, which a terminal would interpret. */
static void print(const char *before, agd_text text) {
    char plain[1024];
    size_t length;
    fputs(before, stdout);
    if (text.ptr == NULL)
        return;
    if (agd_text_decode(text, plain, sizeof plain, &length) != AGD_OK) {
        printf("(%zu bytes)", length);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)plain[i];
        /* U+0080 to U+009F, two bytes each. A NUL follows the last byte. */
        bool is_c1 = byte == 0xC2 && (unsigned char)plain[i + 1] < 0xA0;
        putchar(byte < 0x20 || byte == 0x7F || is_c1 ? '?' : byte);
        i += is_c1;
    }
}

static void list_capabilities(const agd_document *document) {
    agd_capabilities list = agd_document_capabilities(document);
    agd_capability capability = AGD_INIT(agd_capability);
    while (agd_capabilities_next(&list, &capability) == AGD_SOME) {
        print("  - ", capability.id);
        print(" at ", capability.endpoint);
        puts("");
    }
}

/* Prints a decision and its conditions. */
static void tell(const agd_decision *decision, const char *what) {
    printf("%s %s: %s", decision->allowed == AGD_TRUE ? "allowed:" : "not allowed:", what, agd_reason_name(decision->reason));
    if (decision->rule_line != 0)
        printf(" (line %u of %s)", (unsigned)decision->rule_line, decision->rule_document == AGD_FROM_ROBOTS ? "robots.txt" : "a document");
    puts("");
    if (decision->auth_need == AGD_NEED_REQUIRED)
        printf("  authentication: %s%s\n", agd_auth_name(decision->auth_type.value),
               decision->credentials == AGD_CREDENTIALS_ALLOWED ? "" : " (do not send credentials there)");
    agd_applied_limits limits = agd_decision_limits(decision);
    agd_applied_limit limit = AGD_INIT(agd_applied_limit);
    while (agd_applied_limits_next(&limits, &limit) == AGD_SOME)
        if (limit.milliseconds != AGD_UNSAID)
            printf("  at most %lld in %lld ms\n", (long long)limit.requests, (long long)limit.milliseconds);
}

/* The headers of a step or, for a poll, only name and credential. */
static struct curl_slist *headers_of(agd_call_step step, agd_text name, const char *token, bool polls) {
    struct curl_slist *list = with_header(NULL, agd_text_from("User-Agent"), name);
    agd_header header = {NULL, NULL};
    while (!polls && agd_headers_next(&step.headers, &header) == AGD_SOME)
        list = with_header(list, agd_text_from(header.name), agd_text_from(header.value));
    if (step.carries == AGD_CARRIES_CREDENTIAL && token != NULL) {
        if (step.credential_header.ptr == NULL)
            stop("call", "the document does not name the header of the credential");
        char value[2048];
        const char *blank = step.credential_prefix.len == 0 ? "" : " ";
        int written = snprintf(value, sizeof value, "%.*s%s%s", (int)step.credential_prefix.len, step.credential_prefix.ptr, blank, token);
        if (written < 0 || (size_t)written >= sizeof value)
            stop("agent", "the token is too long");
        list = with_header(list, step.credential_header, agd_text_from(value));
    }
    return list;
}

/* Prints why there is no request, or no result. Returns the exit code. */
static int tell_refusal(agd_status status, const agd_refusal *refusal) {
    if (status != AGD_ERROR_CALL_REFUSED)
        stop("call", agd_status_message(status));
    printf("refused: %s", agd_problem_name(refusal->problem));
    print(" ", refusal->argument);
    puts("");
    return 1;
}

static void print_outputs(agd_outcomes outputs) {
    agd_outcome outcome = AGD_INIT(agd_outcome);
    while (agd_outcomes_next(&outputs, &outcome) == AGD_SOME) {
        print("  ", outcome.name);
        print(": ", outcome.value.text);
        puts(outcome.typed == AGD_TRUE ? "" : " (not of the declared type)");
    }
}

/* The end of a call: prints it and returns the exit code. */
static int tell_end(const agd_call_result *next) {
    switch (next->next) {
    case AGD_NEXT_DONE:
        puts("done");
        print_outputs(next->outputs);
        return 0;
    case AGD_NEXT_RECOVER:
        print("recover: ", next->code);
        print(": ", next->text);
        puts("");
        return 1;
    case AGD_NEXT_FAILED:
        printf("failed: %s\n", agd_call_failure_name(next->failure));
        return 1;
    case AGD_NEXT_RETRY:
    case AGD_NEXT_POLL:
        printf("come back in %lld seconds\n", (long long)next->seconds);
        return 1;
    default:
        puts("a new credential or session is needed");
        return 1;
    }
}

/* Plans a call, sends its request, and polls until the result is there. Returns the exit code. */
static int call_capability(const agd_decision *decision, agd_text name, const char *arguments, bool confirmed, bool allow_private) {
    static char texts[65536], place[4096], poll_url[4096];
    const char *token = getenv("AGENT_TOKEN");
    agd_call call = agd_call_begin();
    agd_call_options options = AGD_INIT(agd_call_options);
    options.has_credential = token != NULL ? AGD_TRUE : AGD_FALSE;
    options.confirmed = confirmed ? AGD_CONFIRMATION_MUST : AGD_CONFIRMATION_NOT_STATED;
    agd_call_step step = AGD_INIT(agd_call_step);
    agd_refusal refusal = AGD_INIT(agd_refusal);
    agd_status status = agd_call_plan(&call, decision, agd_text_from(arguments), &options, texts, sizeof texts, NULL, &step, &refusal);
    if (status != AGD_OK)
        return tell_refusal(status, &refusal);
    if (step.step != AGD_STEP_HTTP) {
        /* This example sends HTTP requests only. See AGD_STEP_*. */
        printf("first: step %d\n", (int)step.step);
        return 1;
    }
    for (bool polls = false;;) {
        struct reply reply = {.limit = ANSWER, .allow_private = allow_private};
        struct outgoing outgoing = {step.method, step.url, step.body, step.body_length, headers_of(step, name, token, polls)};
        if (polls)
            outgoing = (struct outgoing){"GET", poll_url, NULL, 0, outgoing.headers};
        long code = 0;
        printf("%s %s\n", outgoing.method, outgoing.url);
        if (send_request(outgoing, &reply, &code) != ANSWERED)
            stop(outgoing.url, "there is no answer, or it is too large");
        agd_call_answer answer = AGD_INIT(agd_call_answer);
        answer.status = (int32_t)code;
        answer.headers = reply.headers;
        answer.header_count = reply.header_count;
        answer.body = (agd_text){reply.body, reply.length, 0};
        answer.now = (uint64_t)time(NULL);
        agd_call_result next = AGD_INIT(agd_call_result);
        status = agd_call_next(&call, decision, &answer, place, sizeof place, NULL, &next, &refusal);
        polls = polls || next.next == AGD_NEXT_POLL;
        if (next.next == AGD_NEXT_POLL && next.url != NULL)
            memcpy(poll_url, next.url, strlen(next.url) + 1);
        if (next.next == AGD_NEXT_POLL && !next.credential)
            token = NULL;
        bool again = (next.next == AGD_NEXT_POLL || next.next == AGD_NEXT_RETRY) && next.seconds <= WAIT;
        /* What a result borrows is freed below, so print it first. */
        int end = status != AGD_OK ? tell_refusal(status, &refusal) : again ? 0 : tell_end(&next);
        drop_headers(&reply);
        free(reply.body);
        if (!again)
            return end;
        sleep((unsigned)next.seconds);
    }
}

int main(int argc, char **argv) {
    bool allow_private = false, confirmed = false;
    const char *approved = "", *arguments = NULL;
    const char *program = argv[0];
    for (; argc > 1 && strncmp(argv[1], "--", 2) == 0; argc--, argv++) {
        if (strcmp(argv[1], "--allow-private") == 0)
            allow_private = true;
        else if (strcmp(argv[1], "--approve") == 0 && argc > 2)
            approved = argv[2], argc--, argv++;
        else if (strcmp(argv[1], "--call") == 0 && argc > 2)
            arguments = argv[2], argc--, argv++;
        else if (strcmp(argv[1], "--confirmed") == 0)
            confirmed = true;
        else
            break;
    }
    if (argc != 4) {
        fprintf(stderr, "usage: %s [--allow-private] [--approve URL] [--call ARGUMENTS] [--confirmed] SITE NAME URL|CAPABILITY\n", program);
        return 2;
    }
    agd_text name = agd_text_from(argv[2]);
    static agd_discovery discovery = AGD_DISCOVERY_INIT;
    agd_status begun = agd_discovery_begin(&discovery, agd_text_from(argv[1]), NULL);
    if (begun != AGD_OK)
        stop(argv[1], agd_status_message(begun));
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        stop("agent", "libcurl cannot be initialised");

    /* Documents borrow their bodies, which are kept until the end. A key is valid until its request is answered, so copy it. */
    static agd_document documents[DOCUMENTS];
    static char *bodies[DOCUMENTS], *keys[DOCUMENTS];
    size_t found = 0;
    agd_robots robots = AGD_ROBOTS_INIT;
    agd_discovery_request request = AGD_INIT(agd_discovery_request);
    while (agd_discovery_next(&discovery, &request) == AGD_SOME) {
        struct reply reply = {.limit = request.limit, .cuts = request.cuts == AGD_TRUE, .allow_private = allow_private};
        char *key = copy_of(request.key.ptr, request.key.len);
        long status = 0;
        bool disallowed = request.heeds_robots == AGD_TRUE && !agd_robots_allowed(&robots, name, request.url);
        int32_t failure = disallowed ? AGD_FAILURE_DISALLOWED : fetch(&discovery, &request, name, &reply, &status);
        uint64_t now = (uint64_t)time(NULL);
        agd_discovery_answer answer = AGD_INIT(agd_discovery_answer);
        agd_status taken;
        if (failure == ANSWERED) {
            agd_discovery_response response = AGD_INIT(agd_discovery_response);
            response.status = (int32_t)status;
            response.headers = reply.headers;
            response.header_count = reply.header_count;
            response.body = (agd_text){reply.body, reply.length, 0};
            response.now = now;
            taken = agd_discovery_respond(&discovery, request.id, &response, &answer);
        } else {
            taken = agd_discovery_fail(&discovery, request.id, failure, now, &answer);
        }
        if (taken != AGD_OK)
            stop(key, agd_status_message(taken));
        drop_headers(&reply);
        if (answer.state == AGD_ATTEMPT_FOUND && found < DOCUMENTS) {
            if (answer.resource == AGD_RESOURCE_ROBOTS_TXT && AGD_FAILED(agd_document_robots(&answer.document, &robots)))
                stop(key, "the robots.txt cannot be used");
            documents[found] = answer.document;
            bodies[found] = reply.body;
            keys[found++] = key;
        } else {
            free(reply.body);
            free(key);
        }
    }

    /* Decide from the documents about the site, in order of rank. */
    static agd_document site[DOCUMENTS];
    size_t count = 0;
    agd_attempt attempt = AGD_INIT(agd_attempt);
    for (size_t rank = 0; agd_discovery_document(&discovery, rank, &attempt) == AGD_SOME; rank++) {
        print("", attempt.url);
        printf(": %s\n", agd_format_id(attempt.format));
        if (attempt.pointing != AGD_POINTING_NONE) {
            print("  to which ", attempt.source_url);
            printf(" points (%s)\n", agd_pointing_id(attempt.pointing));
        }
        for (size_t i = 0; i < found; i++)
            if (agd_text_eq_str(attempt.key, keys[i])) {
                list_capabilities(&documents[i]);
                site[count++] = documents[i];
            }
    }
    for (size_t i = 0; agd_discovery_attempt(&discovery, i, &attempt) == AGD_SOME; i++)
        if (attempt.rejection != AGD_REJECTION_NONE) {
            print("", attempt.key);
            printf(": %s\n", agd_rejection_code(attempt.rejection));
        }

    bool is_url = argv[3][0] == '/' || strstr(argv[3], "://") != NULL;
    agd_request question = AGD_INIT(agd_request);
    question.agent = name;
    question.origin = agd_discovery_origin(&discovery);
    question.approved = agd_text_from(approved);
    *(is_url ? &question.url : &question.capability) = agd_text_from(argv[3]);
    switch (agd_discovery_robots(&discovery)) {
    case AGD_ROBOTS_RULES_DOCUMENT:
        question.robots = &robots;
        question.robots_state = AGD_ROBOTS_FOUND;
        break;
    case AGD_ROBOTS_RULES_ALLOW_ALL:
        question.robots_state = AGD_ROBOTS_ABSENT;
        break;
    default:
        question.robots_state = AGD_ROBOTS_UNREACHABLE;
    }
    agd_decision decision = AGD_INIT(agd_decision);
    agd_status decided = agd_decide(site, count, &question, &decision);
    if (decided < 0)
        stop(argv[3], agd_status_message(decided));
    tell(&decision, argv[3]);
    int code = decision.allowed == AGD_TRUE ? 0 : 1;
    if (code == 0 && arguments != NULL)
        code = call_capability(&decision, name, arguments, confirmed, allow_private);

    for (size_t i = 0; i < found; i++) {
        free(bodies[i]);
        free(keys[i]);
    }
    curl_global_cleanup();
    return code;
}
