/*
 * The adapter of this project's C library. It also reads the requests with it.
 *
 *     cc -std=c11 -Iinclude conformance/adapters/agentsdisc_c.c -lagentsdisc
 */
#include "agentsdisc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is allocated for a request, and freed after it: each block begins with the address of the one before. */
static void **blocks = NULL;

static void *allocate(size_t size) {
    void **block = malloc(sizeof(void *) + size);
    if (block == NULL)
        exit(EXIT_FAILURE);
    *block = blocks;
    blocks = block;
    return block + 1;
}

static void free_all(void) {
    while (blocks != NULL) {
        void **before = *blocks;
        free(blocks);
        blocks = before;
    }
}

/* Ends the program because of something that the kit does not send. */
static void need(bool condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "agentsdisc_c: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

static agd_value member(agd_value object, const char *name) {
    agd_json_members members;
    agd_member found;
    if (agd_value_members(&object, &members) == AGD_OK)
        while (agd_json_members_next(&members, &found) == AGD_SOME)
            if (agd_text_eq_str(found.name, name))
                return found.value;
    return (agd_value){AGD_VALUE_ABSENT, {NULL, 0, 0}};
}

/* The decoded text of a string; absent if the value is none. */
static agd_text string(agd_value value) {
    agd_text text = {NULL, 0, 0};
    size_t length = 0;
    if (value.kind != AGD_VALUE_STRING)
        return text;
    need(agd_text_decode(value.text, NULL, 0, &length) == AGD_ERROR_BUFFER_TOO_SMALL, "a text has no length");
    char *decoded = allocate(length + 1);
    need(agd_text_decode(value.text, decoded, length + 1, NULL) == AGD_OK, "a text cannot be decoded");
    text.ptr = decoded;
    text.len = length;
    return text;
}

static agd_text member_text(agd_value object, const char *name) { return string(member(object, name)); }

static size_t member_number(agd_value object, const char *name) {
    agd_value value = member(object, name);
    uint64_t number = 0;
    return value.kind == AGD_VALUE_NUMBER && AGD_IS_OK(agd_value_u64(&value, &number)) ? (size_t)number : 0;
}

static agd_text from_base64(agd_text text) {
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *bytes = allocate(text.len + 1);
    agd_text decoded = {bytes, 0, 0};
    uint32_t bits = 0;
    int count = 0;
    for (size_t i = 0; i < text.len && text.ptr[i] != '='; i++) {
        const char *digit = memchr(DIGITS, text.ptr[i], 64);
        need(digit != NULL, "a document is no base64");
        bits = bits << 6 | (uint32_t)(digit - DIGITS);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes[decoded.len++] = (char)(unsigned char)(bits >> count & 0xFF);
        }
    }
    return decoded;
}

static agd_text from_file(const char *path) {
    FILE *file = fopen(path, "rb");
    need(file != NULL, "a document cannot be opened");
    need(fseek(file, 0, SEEK_END) == 0, "a document has no end");
    long size = ftell(file);
    need(size >= 0 && fseek(file, 0, SEEK_SET) == 0, "a document has no size");
    char *bytes = allocate((size_t)size + 1);
    agd_text text = {bytes, fread(bytes, 1, (size_t)size, file), 0};
    fclose(file);
    return text;
}

/* The bytes of the document of a request, or of one of its documents. */
static agd_text document_of(agd_value request) {
    agd_text path = member_text(request, "path");
    return path.ptr != NULL ? from_file(path.ptr) : from_base64(member_text(request, "document"));
}

static agd_options options_of(agd_value request) {
    agd_options options = AGD_INIT(agd_options);
    agd_value given = member(request, "options"), limits = member(given, "limits");
    agd_text format = member_text(given, "format");
    if (format.ptr == NULL)
        format = member_text(request, "format");
    if (format.ptr != NULL)
        options.format = agd_format_from_id(format);
    options.url = member_text(given, "url");
    options.content_type = member_text(given, "content_type");
    options.max_document = member_number(limits, "document");
    options.max_depth = (uint32_t)member_number(limits, "depth");
    options.max_line = member_number(limits, "line");
    options.max_robots = member_number(limits, "robots");
    return options;
}

static agd_status parse(agd_value request, agd_document *document, agd_error *error) {
    agd_text bytes = document_of(request);
    agd_options options = options_of(request);
    if (agd_text_eq_str(member_text(request, "format"), "unknown"))
        return agd_unread(bytes.ptr, bytes.len, document);
    return agd_parse(bytes.ptr, bytes.len, &options, document, error);
}

static void detect(agd_value request) {
    agd_detection detection = AGD_INIT(agd_detection);
    agd_text bytes = document_of(request);
    agd_options options = options_of(request);
    options.format = AGD_FORMAT_UNKNOWN;
    need(agd_detect(bytes.ptr, bytes.len, &options, &detection) == AGD_SOME, "detection failed");
    printf("{\"format\":\"%s\"}", agd_format_id(detection.format));
}

static void print_model(agd_value request) {
    agd_document document = AGD_DOCUMENT_INIT;
    agd_error error;
    if (parse(request, &document, &error) != AGD_OK) {
        printf("{\"error\":{\"kind\":\"%s\",\"offset\":%zu,\"line\":%u,\"column\":%u}}", agd_status_name(error.kind), error.offset,
               (unsigned)error.line, (unsigned)error.column);
        return;
    }
    size_t length = 0;
    need(agd_write_json(&document, NULL, 0, &length) == AGD_ERROR_BUFFER_TOO_SMALL, "the model has no length");
    char *json = allocate(length + 1);
    need(agd_write_json(&document, json, length + 1, NULL) == AGD_OK, "the model cannot be written");
    printf("{\"model\":%s}", json);
}

static bool print_diagnostic(void *user, const agd_diagnostic *diagnostic) {
    int *count = user;
    printf("%s{\"code\":\"%.*s\",\"severity\":\"%s\",\"line\":%u,\"column\":%u}", (*count)++ > 0 ? "," : "", (int)diagnostic->code.len,
           diagnostic->code.ptr, agd_severity_name(diagnostic->severity), (unsigned)diagnostic->line, (unsigned)diagnostic->column);
    return true;
}

static void check(agd_value request) {
    agd_document document = AGD_DOCUMENT_INIT;
    agd_check_options options = AGD_INIT(agd_check_options);
    int count = 0;
    options.origin = member_text(member(request, "options"), "origin");
    need(parse(request, &document, NULL) == AGD_OK, "a document to check was refused");
    printf("{\"diagnostics\":[");
    need(agd_check(&document, &options, print_diagnostic, &count) == AGD_OK, "the check failed");
    printf("]}");
}

static agd_robots robots_of(agd_value request) {
    agd_robots robots = AGD_ROBOTS_INIT;
    agd_text bytes = document_of(request);
    agd_options options = options_of(request);
    options.format = AGD_FORMAT_UNKNOWN;
    need(agd_robots_parse(bytes.ptr, bytes.len, &options, &robots) == AGD_OK, "a robots.txt was refused");
    return robots;
}

/* The line of a rule, which is 0 if none decides, and the end of the result. */
static void print_line(uint32_t line) {
    if (line == 0)
        printf("\"line\":null}");
    else
        printf("\"line\":%u}", (unsigned)line);
}

static void ask_robots(agd_value request) {
    agd_robots robots = robots_of(request);
    agd_robots_decision decision = AGD_INIT(agd_robots_decision);
    agd_text agent = member_text(request, "agent"), url = member_text(request, "url");
    need(agd_robots_decide(&robots, agent, url, &decision) == AGD_SOME, "there is no decision");
    printf("{\"allowed\":%s,", decision.allowed == AGD_TRUE ? "true" : "false");
    print_line(decision.rule_line);
}

static void preferences(agd_value request) {
    agd_robots robots = robots_of(request);
    agd_robots_stance stance = AGD_INIT(agd_robots_stance);
    agd_text agent = member_text(request, "agent"), url = member_text(request, "url");
    need(AGD_IS_OK(agd_robots_prefers(&robots, agent, url, member_text(request, "purpose"), &stance)), "there is no preference");
    printf("{\"preference\":\"%s\",", agd_stance_name(stance.preference));
    print_line(stance.line);
}

/* The elements of a list as one text, with a line end after each. */
static agd_text joined(agd_value list) {
    agd_json_elements elements;
    agd_value item;
    char *text = allocate(list.text.len + 1);
    size_t length = 0;
    if (agd_value_elements(&list, &elements) != AGD_OK)
        return (agd_text){NULL, 0, 0};
    while (agd_json_elements_next(&elements, &item) == AGD_SOME) {
        agd_text part = string(item);
        memcpy(text + length, part.ptr, part.len);
        length += part.len;
        text[length++] = '\n';
    }
    return (agd_text){text, length, 0};
}

enum { MOST = 64, SCRATCH = 4096, ROOM = 1 << 20 };

/* Reads the documents of a request; they stay valid until the next request with documents. */
static agd_document *documents_of(agd_value request, size_t *count) {
    static agd_document documents[MOST];
    agd_value list = member(request, "documents"), item;
    agd_json_elements elements;
    need(agd_value_elements(&list, &elements) == AGD_OK, "there is no list of documents");
    for (*count = 0; agd_json_elements_next(&elements, &item) == AGD_SOME; ++*count) {
        need(*count < MOST, "there are too many documents");
        documents[*count] = (agd_document)AGD_DOCUMENT_INIT;
        need(parse(item, &documents[*count], NULL) == AGD_OK, "a document was refused");
    }
    return documents;
}

/* What a question or a call asks. */
static agd_request asked_by(agd_value question) {
    agd_request asked = AGD_INIT(agd_request);
    asked.agent = member_text(question, "agent");
    if (asked.agent.ptr == NULL)
        asked.agent = (agd_text){"Bot", 3, 0};
    asked.url = member_text(question, "url");
    asked.capability = member_text(question, "capability");
    asked.method = member_text(question, "method");
    asked.origin = member_text(question, "origin");
    asked.purpose = member_text(question, "purpose");
    asked.content_usage = member_text(question, "content_usage");
    asked.approved = joined(member(question, "approved"));
    return asked;
}

static void policy(agd_value request) {
    static uint32_t scratch[SCRATCH];
    agd_value stated = member(request, "robots");
    size_t count = 0, length = 0;
    agd_document *documents = documents_of(request, &count);
    agd_request asked = asked_by(member(request, "question"));
    agd_robots robots;
    if (stated.kind == AGD_VALUE_OBJECT) {
        robots = robots_of(stated);
        asked.robots = &robots;
        asked.robots_state = AGD_ROBOTS_FOUND;
    } else if (stated.kind == AGD_VALUE_STRING) {
        asked.robots_state = agd_text_eq_str(stated.text, "absent") ? AGD_ROBOTS_ABSENT : AGD_ROBOTS_UNREACHABLE;
    }
    agd_decision decision = AGD_INIT(agd_decision);
    need(agd_decide(documents, count, &asked, &decision) == AGD_SOME, "there is no decision");
    agd_status status = agd_decision_json(&decision, scratch, SCRATCH, NULL, 0, &length);
    need(status == AGD_ERROR_BUFFER_TOO_SMALL, "the decision has no length");
    char *json = allocate(length + 1);
    need(agd_decision_json(&decision, scratch, SCRATCH, json, length + 1, NULL) == AGD_OK, "the decision cannot be written");
    fputs(json, stdout);
}

/* A text of the library as a string of JSON. */
static void print_text(agd_text text) {
    text = string((agd_value){AGD_VALUE_STRING, text});
    putchar('"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        if (byte < ' ' || byte == '"' || byte == '\\')
            printf("\\u%04x", byte);
        else
            putchar(byte);
    }
    putchar('"');
}

static agd_text plain(const char *text) { return (agd_text){text, text == NULL ? 0 : strlen(text), 0}; }

/* A member of JSON after another one; nothing if it is absent. */
static void put_text(const char *name, agd_text text) {
    if (text.ptr != NULL) {
        printf(",\"%s\":", name);
        print_text(text);
    }
}

static void put_string(const char *name, const char *text) { put_text(name, plain(text)); }

static void put_number(const char *name, int64_t number) {
    if (number != AGD_UNSAID)
        printf(",\"%s\":%lld", name, (long long)number);
}

static void put_bool(const char *name, int32_t value) {
    if (value != AGD_UNSAID)
        printf(",\"%s\":%s", name, value == AGD_TRUE ? "true" : "false");
}

/* The text of a value as JSON. */
static agd_text raw(agd_value value) {
    agd_text text = {value.text.ptr, value.text.len, 0};
    if (value.kind == AGD_VALUE_STRING) {
        /* With its quotes. */
        text.ptr--;
        text.len += 2;
    }
    return text;
}

/* Text as it is, any other value as JSON. */
static agd_text sent(agd_value value) {
    if (value.kind == AGD_VALUE_ABSENT || value.kind == AGD_VALUE_NULL)
        return (agd_text){NULL, 0, 0};
    return value.kind == AGD_VALUE_STRING ? string(value) : raw(value);
}

static const char *const NEEDS[] = {"not-stated", "none", "optional", "required"};

static void print_credential(const agd_call_step *step) {
    if (step->carries == AGD_CARRIES_NOTHING)
        return;
    printf(",\"credential\":{\"for\":\"%s\"", step->carries == AGD_CARRIES_SESSION ? "session" : "service");
    put_string("need", NEEDS[step->credential_need]);
    put_string("type", agd_auth_name(step->credential_type.value));
    put_text("header", step->credential_header);
    put_text("prefix", step->credential_prefix);
    putchar('}');
}

static void print_auth(const agd_call_step *step) {
    agd_texts scopes = step->scopes;
    agd_text scope;
    size_t count = 0;
    printf(",\"auth\":{\"need\":\"%s\"", NEEDS[step->credential_need]);
    put_string("type", agd_auth_name(step->credential_type.value));
    put_text("token_url", step->token_url);
    put_text("authorization_url", step->authorization_url);
    put_text("refresh_url", step->refresh_url);
    put_text("setup_url", step->setup_url);
    put_text("docs_url", step->docs_url);
    put_text("header", step->credential_header);
    for (; agd_texts_next(&scopes, &scope) == AGD_SOME; count++) {
        fputs(count == 0 ? ",\"scopes\":[" : ",", stdout);
        print_text(scope);
    }
    fputs(count == 0 ? "}" : "]}", stdout);
}

static void print_headers(agd_headers headers) {
    agd_header header;
    size_t count = 0;
    for (; agd_headers_next(&headers, &header) == AGD_SOME; count++) {
        fputs(count == 0 ? ",\"headers\":[{\"name\":" : ",{\"name\":", stdout);
        print_text(plain(header.name));
        put_string("value", header.value);
        putchar('}');
    }
    if (count > 0)
        putchar(']');
}

static void print_step(const agd_call_step *step) {
    static const char *const NAMES[] = {"", "http", "client", "document", "action", "token", "session", "confirmation"};
    static const char *const CONFIRMATIONS[] = {"not-stated", "should", "must"};
    printf("{\"step\":\"%s\"", NAMES[step->step]);
    put_string("method", step->method);
    put_string("url", step->url);
    if (step->step == AGD_STEP_HTTP)
        print_headers(step->headers);
    put_string("body", step->body);
    if (step->step == AGD_STEP_CLIENT)
        put_string("protocol", agd_protocol_name(step->protocol.value));
    if (step->transport.value >= 0)
        put_string("transport", agd_transport_name(step->transport.value));
    put_text("version", step->version);
    put_text("operation", step->operation);
    put_text("tenant", step->tenant);
    put_text("openapi", step->openapi);
    if (step->arguments.ptr != NULL)
        printf(",\"arguments\":%.*s", (int)step->arguments.len, step->arguments.ptr);
    put_text("action", step->action);
    put_number("ttl_seconds", step->session_seconds);
    if (step->step == AGD_STEP_TOKEN)
        print_auth(step);
    print_credential(step);
    printf(",\"human\":{\"confirmation\":\"%s\"", CONFIRMATIONS[step->confirmation]);
    if (step->handoff == AGD_TRUE)
        put_bool("handoff", AGD_TRUE);
    put_bool("reversible", step->reversible);
    if (step->sensitivity.value >= 0)
        put_string("sensitivity", agd_sensitivity_name(step->sensitivity.value));
    putchar('}');
    if (step->key_field.ptr != NULL) {
        printf(",\"idempotency\":{\"sent\":%s", step->key_sent == AGD_TRUE ? "true" : "false");
        put_text("field", step->key_field);
        put_number("window_seconds", step->key_seconds);
        putchar('}');
    }
    put_bool("repeatable", step->repeatable);
    if (step->asynchronous == AGD_TRUE)
        put_bool("async", AGD_TRUE);
    put_number("document", step->document);
    putchar('}');
}

static void print_refusal(const agd_refusal *refusal) {
    static const char *const CREDENTIALS[] = {"", "allowed", "insecure", "non-ascii-host", "other-domain", "unknown-host"};
    printf("{\"refused\":\"%s\"", agd_problem_name(refusal->problem));
    put_string("message", refusal->message);
    if (refusal->reason != AGD_UNSAID)
        put_string("reason", agd_reason_name(refusal->reason));
    if (refusal->credentials != AGD_UNSAID)
        put_string("credentials", CREDENTIALS[refusal->credentials]);
    put_text("argument", refusal->argument);
    put_text("expected", refusal->expected);
    if (refusal->rule.ptr != NULL) {
        printf(",\"rule\":{\"start\":%zu,\"end\":%zu", refusal->rule_start, refusal->rule_end);
        put_text("text", refusal->rule);
        put_number("document", refusal->rule_document);
        put_number("line", refusal->rule_line);
        put_number("column", refusal->rule_column);
        putchar('}');
    }
    putchar('}');
}

static void print_result(const agd_call_result *result) {
    static const char *const NAMES[] = {"", "done", "retry", "poll", "refresh", "token", "session", "recover", "failed"};
    agd_outcomes outputs = result->outputs;
    agd_outcome output = AGD_INIT(agd_outcome);
    size_t count = 0;
    printf("{\"next\":\"%s\"", NAMES[result->next]);
    put_number("seconds", result->seconds);
    put_string("url", result->url);
    for (; agd_outcomes_next(&outputs, &output) == AGD_SOME; count++) {
        fputs(count == 0 ? ",\"outputs\":[{\"name\":" : ",{\"name\":", stdout);
        print_text(output.name);
        put_text("type", output.type);
        if (output.value.kind != AGD_VALUE_ABSENT) {
            agd_text value = raw(output.value);
            printf(",\"value\":%.*s", (int)value.len, value.ptr);
        }
        put_bool("typed", output.typed);
        putchar('}');
    }
    if (count > 0)
        putchar(']');
    if (result->failure != 0)
        put_string("failure", agd_call_failure_name(result->failure));
    put_text("code", result->code);
    put_text("text", result->text);
    put_text("endpoint", result->endpoint);
    put_text("action", result->action);
    if (result->next == AGD_NEXT_RECOVER)
        put_bool("retries", result->retries);
    if (result->next == AGD_NEXT_POLL)
        put_bool("credential", result->credential);
    putchar('}');
}

static int32_t is_true(agd_value object, const char *name) {
    agd_value value = member(object, name);
    return value.kind == AGD_VALUE_BOOL && agd_text_eq_str(value.text, "true") ? AGD_TRUE : AGD_FALSE;
}

/* The options of a call. They borrow `done`, which has room for the actions that were called before. */
static agd_call_options call_options(agd_value given, agd_done *done) {
    agd_call_options options = AGD_INIT(agd_call_options);
    agd_value list = member(given, "done"), item;
    agd_text confirmed = member_text(given, "confirmed");
    agd_json_elements elements;
    options.has_credential = is_true(given, "credential");
    options.has_session = is_true(given, "session");
    options.undeclared = is_true(given, "undeclared");
    options.from_text = is_true(given, "from_text");
    options.constant_headers = is_true(given, "constant_headers");
    options.idempotency_key = member_text(given, "idempotency_key");
    options.operation = member_text(given, "operation");
    if (agd_text_eq_str(confirmed, "must"))
        options.confirmed = AGD_CONFIRMATION_MUST;
    else if (agd_text_eq_str(confirmed, "should"))
        options.confirmed = AGD_CONFIRMATION_SHOULD;
    options.done = done;
    if (agd_value_elements(&list, &elements) == AGD_OK)
        while (agd_json_elements_next(&elements, &item) == AGD_SOME) {
            need(options.done_count < AGD_DONE_MAX, "there are too many actions");
            done[options.done_count++] = (agd_done){member_text(item, "action"), raw(member(item, "body"))};
        }
    return options;
}

/* Reads an answer to a call, and prints what comes next. */
static void read_answer(agd_call *call, const agd_decision *decision, agd_value given) {
    enum { MOST_HEADERS = 256 };
    static agd_http_header headers[MOST_HEADERS];
    agd_value fields = member(given, "headers");
    agd_json_members members;
    agd_member field;
    agd_call_answer answer = AGD_INIT(agd_call_answer);
    agd_call_result result = AGD_INIT(agd_call_result);
    agd_refusal refusal = AGD_INIT(agd_refusal);
    answer.status = (int32_t)member_number(given, "status");
    answer.headers = headers;
    if (agd_value_members(&fields, &members) == AGD_OK)
        while (agd_json_members_next(&members, &field) == AGD_SOME) {
            need(answer.header_count < MOST_HEADERS, "there are too many headers");
            headers[answer.header_count++] = (agd_http_header){string((agd_value){AGD_VALUE_STRING, field.name}), string(field.value)};
        }
    answer.body = sent(member(given, "body"));
    answer.now = 1790000000;
    agd_status status = agd_call_next(call, decision, &answer, allocate(ROOM), ROOM, NULL, &result, &refusal);
    if (status == AGD_ERROR_CALL_REFUSED) {
        print_refusal(&refusal);
    } else {
        need(status == AGD_OK, "an answer cannot be read");
        print_result(&result);
    }
}

static void plan_call(agd_value request) {
    agd_value asked = member(request, "call"), answers = member(request, "answers"), item;
    size_t count = 0;
    agd_document *documents = documents_of(request, &count);
    agd_request question = asked_by(asked);
    agd_decision decision = AGD_INIT(agd_decision);
    need(agd_decide(documents, count, &question, &decision) == AGD_SOME, "there is no decision");
    static agd_done done[AGD_DONE_MAX];
    agd_call_options options = call_options(member(asked, "options"), done);
    agd_text arguments = sent(member(asked, "arguments"));
    if (arguments.ptr == NULL)
        arguments = plain("{}");
    agd_call call = agd_call_begin();
    agd_call_step step = AGD_INIT(agd_call_step);
    agd_refusal refusal = AGD_INIT(agd_refusal);
    agd_status status = agd_call_plan(&call, &decision, arguments, &options, allocate(ROOM), ROOM, NULL, &step, &refusal);
    printf("{\"plan\":");
    if (status == AGD_ERROR_CALL_REFUSED) {
        print_refusal(&refusal);
    } else {
        need(status == AGD_OK, "a call cannot be planned");
        print_step(&step);
    }
    printf(",\"next\":[");
    agd_json_elements elements;
    const char *between = "";
    if (agd_value_elements(&answers, &elements) == AGD_OK)
        for (; agd_json_elements_next(&elements, &item) == AGD_SOME; between = ",") {
            fputs(between, stdout);
            read_answer(&call, &decision, item);
        }
    printf("]}");
}

static void hello(agd_value request) {
    (void)request;
    printf("{\"name\":\"agentsdisc (C)\",\"version\":\"%s\",\"model\":\"whole\","
           "\"tasks\":[\"detect\",\"parse\",\"check\",\"robots\",\"preferences\",\"policy\",\"call\"]}",
           agd_version());
}

static const struct {
    const char *task;
    void (*answer)(agd_value request);
} TASKS[] = {{"hello", hello},       {"detect", detect},           {"parse", print_model}, {"check", check},
             {"robots", ask_robots}, {"preferences", preferences}, {"policy", policy},
             {"call", plan_call}};

static void answer(agd_value request) {
    agd_text task = member_text(request, "task");
    size_t i = 0, count = sizeof TASKS / sizeof TASKS[0];
    while (i < count && !agd_text_eq_str(task, TASKS[i].task))
        i++;
    /* The id stands as it came, with its escapes. */
    agd_text id = member(request, "id").text;
    printf("{\"id\":\"%.*s\",", (int)id.len, id.ptr);
    if (i == count) {
        printf("\"skip\":\"not offered\"");
    } else {
        printf("\"result\":");
        TASKS[i].answer(request);
    }
    puts("}");
    fflush(stdout);
}

/* Reads a line without its end; NULL at the end of the input. The next call overwrites it. */
static char *read_line(size_t *length) {
    static char *line = NULL;
    static size_t capacity = 0;
    int byte;
    for (*length = 0; (byte = getchar()) != EOF && byte != '\n'; line[(*length)++] = (char)byte) {
        if (*length == capacity) {
            capacity = capacity == 0 ? 4096 : capacity * 2;
            line = realloc(line, capacity);
            need(line != NULL, "there is no memory");
        }
    }
    return byte == EOF ? NULL : line;
}

int main(void) {
    size_t length = 0;
    for (char *line; (line = read_line(&length)) != NULL; free_all()) {
        agd_value request;
        need(agd_json_parse(line, length, &request, NULL) == AGD_OK, "a request is no JSON");
        answer(request);
    }
    return EXIT_SUCCESS;
}
