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

static void policy(agd_value request) {
    enum { MOST = 64, SCRATCH = 4096 };
    static agd_document documents[MOST];
    static uint32_t scratch[SCRATCH];
    agd_value list = member(request, "documents"), item, stated = member(request, "robots"), question = member(request, "question");
    agd_json_elements elements;
    size_t count = 0, length = 0;
    need(agd_value_elements(&list, &elements) == AGD_OK, "there is no list of documents");
    for (; agd_json_elements_next(&elements, &item) == AGD_SOME; count++) {
        documents[count] = (agd_document)AGD_DOCUMENT_INIT;
        need(count < MOST && parse(item, &documents[count], NULL) == AGD_OK, "a document was refused");
    }
    agd_request asked = AGD_INIT(agd_request);
    agd_robots robots;
    if (stated.kind == AGD_VALUE_OBJECT) {
        robots = robots_of(stated);
        asked.robots = &robots;
        asked.robots_state = AGD_ROBOTS_FOUND;
    } else if (stated.kind == AGD_VALUE_STRING) {
        asked.robots_state = agd_text_eq_str(stated.text, "absent") ? AGD_ROBOTS_ABSENT : AGD_ROBOTS_UNREACHABLE;
    }
    asked.agent = member_text(question, "agent");
    asked.url = member_text(question, "url");
    asked.capability = member_text(question, "capability");
    asked.method = member_text(question, "method");
    asked.origin = member_text(question, "origin");
    asked.purpose = member_text(question, "purpose");
    asked.content_usage = member_text(question, "content_usage");
    asked.approved = joined(member(question, "approved"));
    agd_decision decision = AGD_INIT(agd_decision);
    need(agd_decide(documents, count, &asked, &decision) == AGD_SOME, "there is no decision");
    agd_status status = agd_decision_json(&decision, scratch, SCRATCH, NULL, 0, &length);
    need(status == AGD_ERROR_BUFFER_TOO_SMALL, "the decision has no length");
    char *json = allocate(length + 1);
    need(agd_decision_json(&decision, scratch, SCRATCH, json, length + 1, NULL) == AGD_OK, "the decision cannot be written");
    fputs(json, stdout);
}

static void hello(agd_value request) {
    (void)request;
    printf("{\"name\":\"agentsdisc (C)\",\"version\":\"%s\",\"model\":\"whole\","
           "\"tasks\":[\"detect\",\"parse\",\"check\",\"robots\",\"preferences\",\"policy\"]}",
           agd_version());
}

static const struct {
    const char *task;
    void (*answer)(agd_value request);
} TASKS[] = {{"hello", hello},       {"detect", detect},           {"parse", print_model}, {"check", check},
             {"robots", ask_robots}, {"preferences", preferences}, {"policy", policy}};

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
