/*
 * The unified model as JSON, written by a walk over every struct and list of the C API. Compared with what the library writes itself, it shows
 * that no member is lost or mixed up on the way to C. Compare it as a JSON value: it is not minified.
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

static inline void end_object(output *out, const char *name, output before) {
    (void)name;
    (void)before;
    close_with(out, "}");
}

/* Ends an object. It is left out if it has no members. */
static inline void end_unless_empty(output *out, const char *name, output before) {
    if (out->comma) {
        end_object(out, name, before);
    } else {
        out->length = before.length;
        out->comma = before.comma;
    }
}

/* JSON has no place for the bytes of an object. */
static inline void source(output *out, agd_text bytes) {
    (void)out;
    CHECK(bytes.ptr != NULL || bytes.len == 0);
}

/* A function that writes a list of objects: `function(out, name, list)`, where `write` writes the members of an item. */
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

static inline void hints(output *out, const char *name, agd_members list) {
    agd_member item;
    int open = 0;
    while (agd_members_next(&list, &item) == AGD_SOME) {
        if (!open) {
            named(out, name);
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

#include "members.h"

/* The whole model. */
static inline void model(output *out, const agd_document *document) {
    int32_t format = agd_document_format(document);
    open_with(out, "{");
    text(out, "format", agd_text_from(agd_format_id(format)));
    document_members(out, document);
    close_with(out, "}");
}

#endif
