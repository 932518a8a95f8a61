/*
 * Writes the unified model as JSON by walking every struct and list of the C API. The comparison with the library's own
 * JSON shows that the C API loses and confuses no member. Member order and whitespace differ: compare as JSON values.
 */
#ifndef AGENTSDISC_TEST_MODEL_H
#define AGENTSDISC_TEST_MODEL_H

#include "agentsdisc.h"
#include "common.h"

/* A growing text. */
typedef struct {
    char *data;
    size_t length;
    size_t capacity;
    int comma; /* whether a comma is due before the next name or element */
} output;

static inline void put(output *out, const char *data, size_t length) {
    if (out->length + length + 1 > out->capacity) {
        out->capacity = (out->length + length + 1) * 2;
        char *grown = realloc(out->data, out->capacity);
        if (grown == NULL)
            exit(EXIT_FAILURE);
        out->data = grown;
    }
    if (length != 0)
        memcpy(out->data + out->length, data, length);
    out->length += length;
    out->data[out->length] = '\0';
}

static inline void put_string(output *out, const char *string) { put(out, string, strlen(string)); }

static inline void separate(output *out) {
    if (out->comma)
        put(out, ",", 1);
    out->comma = 1;
}

static inline void open_with(output *out, const char *bracket) {
    put_string(out, bracket);
    out->comma = 0;
}

static inline void close_with(output *out, const char *bracket) {
    put_string(out, bracket);
    out->comma = 1;
}

static inline void named(output *out, const char *name) {
    separate(out);
    put(out, "\"", 1);
    put_string(out, name);
    put(out, "\":", 2);
}

static inline void quoted(output *out, agd_text text) {
    size_t length = 0;
    agd_status status = agd_text_decode(text, NULL, 0, &length);
    CHECK(status == AGD_ERROR_BUFFER_TOO_SMALL);
    char *decoded = malloc(length + 1);
    if (decoded == NULL)
        exit(EXIT_FAILURE);
    size_t again = 0;
    CHECK(agd_text_decode(text, decoded, length + 1, &again) == AGD_OK && again == length && decoded[length] == '\0');
    put(out, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        char escaped[8];
        unsigned char byte = (unsigned char)decoded[i];
        if (byte == '"' || byte == '\\' || byte < 0x20)
            put(out, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", byte));
        else
            put(out, &decoded[i], 1);
    }
    put(out, "\"", 1);
    free(decoded);
}

static inline void text(output *out, const char *name, agd_text value) {
    if (value.ptr != NULL) {
        named(out, name);
        quoted(out, value);
    }
}

static inline void choice(output *out, const char *name, agd_choice value, const char *(*name_of)(int32_t)) {
    if (value.value == AGD_UNSAID) {
        CHECK(value.text.ptr == NULL);
        return;
    }
    named(out, name);
    put(out, "\"", 1);
    put_string(out, name_of(value.value));
    put(out, "\"", 1);
    if (value.text.ptr != NULL && !agd_text_eq_str(value.text, name_of(value.value))) {
        char text_name[64];
        snprintf(text_name, sizeof text_name, "%s_text", name);
        text(out, text_name, value.text);
    }
}

static inline void truth(output *out, const char *name, int32_t value) {
    CHECK(value == AGD_TRUE || value == AGD_FALSE || value == AGD_UNSAID);
    if (value != AGD_UNSAID) {
        named(out, name);
        put_string(out, value == AGD_TRUE ? "true" : "false");
    }
}

static inline void integer(output *out, const char *name, int64_t value) {
    if (value != AGD_UNSAID) {
        char digits[32];
        named(out, name);
        put(out, digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)value));
    }
}

static inline void value_of(output *out, agd_value value) {
    CHECK(value.kind >= AGD_VALUE_TEXT && value.kind <= AGD_VALUE_ARRAY);
    if (value.kind == AGD_VALUE_TEXT || value.kind == AGD_VALUE_STRING)
        quoted(out, value.text);
    else
        /* Remove line ends inside a value, because each vector is one line of output. */
        for (size_t i = 0; i < value.text.len; i++)
            if (value.text.ptr[i] != '\n' && value.text.ptr[i] != '\r' && value.text.ptr[i] != '\t')
                put(out, &value.text.ptr[i], 1);
}

static inline void value(output *out, const char *name, agd_value item) {
    if (item.kind != AGD_VALUE_ABSENT) {
        named(out, name);
        value_of(out, item);
    }
}

static inline void texts(output *out, const char *name, agd_texts list) {
    agd_text item;
    agd_status status;
    int open = 0;
    while ((status = agd_texts_next(&list, &item)) == AGD_SOME) {
        if (!open) {
            named(out, name);
            open_with(out, "[");
            open = 1;
        }
        separate(out);
        quoted(out, item);
    }
    CHECK(status == AGD_NONE);
    if (open)
        close_with(out, "]");
}

static inline void members(output *out, const char *name, agd_members list) {
    agd_member item;
    agd_status status;
    int open = 0;
    while ((status = agd_members_next(&list, &item)) == AGD_SOME) {
        if (!open) {
            named(out, name);
            open_with(out, "{");
            open = 1;
        }
        separate(out);
        quoted(out, item.name);
        put(out, ":", 1);
        value_of(out, item.value);
    }
    CHECK(status == AGD_NONE);
    if (open)
        close_with(out, "}");
}

/* Begins an object, and returns the length of the output before it. */
static inline output begin_object(output *out, const char *name) {
    output before = *out;
    named(out, name);
    open_with(out, "{");
    return before;
}

/* Ends an object; removes an object without members. */
static inline void end_unless_empty(output *out, output before) {
    if (out->comma) {
        close_with(out, "}");
    } else {
        out->length = before.length;
        out->comma = before.comma;
    }
}

/* Defines a function that writes a list of objects: `function(out, name, list)`, where `write` writes the members of an item. */
#define OBJECTS(function, list_type, item_type, write)                                                                                       \
    static inline void function(output *out, const char *name, list_type list) {                                                             \
        item_type item = AGD_INIT(item_type);                                                                                                \
        agd_status status;                                                                                                                   \
        int open = 0;                                                                                                                        \
        while ((status = list_type##_next(&list, &item)) == AGD_SOME) {                                                                      \
            CHECK(item.size == sizeof item);                                                                                                 \
            if (!open) {                                                                                                                     \
                named(out, name);                                                                                                            \
                open_with(out, "[");                                                                                                         \
                open = 1;                                                                                                                    \
            }                                                                                                                                \
            separate(out);                                                                                                                   \
            open_with(out, "{");                                                                                                             \
            write(out, &item);                                                                                                               \
            close_with(out, "}");                                                                                                            \
        }                                                                                                                                    \
        CHECK(status == AGD_NONE);                                                                                                           \
        if (open)                                                                                                                            \
            close_with(out, "]");                                                                                                            \
    }

/* Writes an optional object: `read` fills it, and `write` writes its members. */
#define OBJECT(out, name, document, type, read, write)                                                                                       \
    do {                                                                                                                                     \
        type item = AGD_INIT(type);                                                                                                          \
        if (read(document, &item) == AGD_SOME) {                                                                                             \
            named(out, name);                                                                                                                \
            open_with(out, "{");                                                                                                             \
            write(out, &item);                                                                                                               \
            close_with(out, "}");                                                                                                            \
        }                                                                                                                                    \
    } while (0)

static inline void values(output *out, const char *name, agd_values list) {
    agd_value item;
    int open = 0;
    while (agd_values_next(&list, &item) == AGD_SOME) {
        if (!open) {
            named(out, name);
            open_with(out, "[");
            open = 1;
        }
        separate(out);
        value_of(out, item);
    }
    if (open)
        close_with(out, "]");
}

static inline void granted(output *out, const char *name, int32_t grant, agd_texts list) {
    agd_text id;
    if (grant == AGD_CAPABILITIES_ALL) {
        CHECK(agd_texts_next(&list, &id) == AGD_NONE);
        return;
    }
    named(out, name);
    open_with(out, "[");
    while (agd_texts_next(&list, &id) == AGD_SOME) {
        separate(out);
        quoted(out, id);
    }
    close_with(out, "]");
}

#include "members.h"

static inline void hints(output *out, agd_members list) {
    agd_member item;
    int open = 0;
    while (agd_members_next(&list, &item) == AGD_SOME) {
        if (!open) {
            named(out, "hints");
            open_with(out, "[");
            open = 1;
        }
        separate(out);
        open_with(out, "{");
        text(out, "name", item.name);
        value(out, "value", item.value);
        close_with(out, "}");
    }
    if (open)
        close_with(out, "]");
}

static inline void once(output *out, const agd_document *document) {
    OBJECT(out, "provenance", document, agd_provenance, agd_document_provenance, provenance_members);
    OBJECT(out, "service", document, agd_service, agd_document_service, service_members);
    OBJECT(out, "auth", document, agd_service_auth, agd_document_auth, service_auth_members);
    OBJECT(out, "access", document, agd_access, agd_document_access, access_members);
    OBJECT(out, "permissions", document, agd_permissions, agd_document_permissions, permissions_members);
    OBJECT(out, "status", document, agd_service_status, agd_document_status, service_status_members);
    OBJECT(out, "pricing", document, agd_pricing, agd_document_pricing, pricing_members);
    OBJECT(out, "session", document, agd_session, agd_document_session, session_members);
    OBJECT(out, "audit", document, agd_audit, agd_document_audit, audit_members);
}

/* Writes the whole model. `access`, `permissions`, `robots` and `search` are written even if they are empty. */
static inline void model(output *out, const agd_document *document) {
    agd_head head = AGD_INIT(agd_head);
    CHECK(agd_document_head(document, &head) == AGD_SOME);
    CHECK(head.format == agd_document_format(document));
    open_with(out, "{");
    named(out, "format");
    put(out, "\"", 1);
    put_string(out, agd_format_id(head.format));
    put(out, "\"", 1);
    text(out, "spec_version", head.spec_version);
    choice(out, "kind", head.kind, agd_kind_name);
    text(out, "generated_at", head.generated_at);
    texts(out, "operates_on", agd_document_operates_on(document));
    text(out, "companion", head.companion);
    once(out, document);
    endpoints(out, "endpoints", agd_document_endpoints(document));
    capabilities(out, "capabilities", agd_document_capabilities(document));
    agents(out, "agents", agd_document_agents(document));
    flows(out, "flows", agd_document_flows(document));
    dependencies(out, "dependencies", agd_document_dependencies(document));
    entities(out, "entities", agd_document_entities(document));
    recoveries(out, "errors", agd_document_errors(document));
    hints(out, agd_document_hints(document));
    members(out, "features", agd_document_features(document));
    rate_limits(out, "rate_limits", agd_document_rate_limits(document));
    integer(out, "cache_seconds", head.cache_seconds);
    named(out, "robots");
    open_with(out, "{");
    robots_groups(out, "groups", agd_document_robots_groups(document));
    texts(out, "sitemaps", agd_document_sitemaps(document));
    close_with(out, "}");
    named(out, "search");
    open_with(out, "{");
    text(out, "query", head.search_query);
    search_results(out, "results", agd_document_search_results(document));
    close_with(out, "}");
    value(out, "request_example", head.request_example);
    value(out, "response_example", head.response_example);
    members(out, "metadata", agd_document_metadata(document));
    close_with(out, "}");
}

#endif
