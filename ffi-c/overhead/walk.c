/* Reads every value of documents through the C library: see walk.rs. */
#include <agentsdisc.h>
#include <stdio.h>
#include <stdlib.h>

struct body {
    char *data;
    size_t length;
};

/* The sum over what was read: lengths of texts, and numbers. Names of members are not counted. */
typedef uint64_t output;

static inline void text(output *sum, const char *name, agd_text text) {
    (void)name;
    if (text.ptr != NULL)
        *sum = *sum * 3 + text.len;
}

static inline void source(output *sum, agd_text bytes) {
    if (bytes.len != 0)
        *sum = *sum * 3 + bytes.len;
}

static inline void choice(output *sum, const char *name, agd_choice choice, const char *(*name_of)(int32_t)) {
    (void)name_of;
    text(sum, name, choice.text);
}

static inline void truth(output *sum, const char *name, int32_t truth) {
    (void)name;
    if (truth != AGD_UNSAID)
        *sum += (uint64_t)truth;
}

static inline void integer(output *sum, const char *name, int64_t number) {
    (void)name;
    if (number != AGD_UNSAID)
        *sum += (uint64_t)number;
}

static inline void value(output *sum, const char *name, agd_value value) { text(sum, name, value.text); }

static inline void texts(output *sum, const char *name, agd_texts list) {
    agd_text item;
    while (agd_texts_next(&list, &item) == AGD_SOME)
        text(sum, name, item);
}

static inline void granted(output *sum, const char *name, int32_t grant, agd_texts list) {
    if (grant == AGD_CAPABILITIES_LISTED)
        texts(sum, name, list);
}

static inline void values(output *sum, const char *name, agd_values list) {
    agd_value item;
    while (agd_values_next(&list, &item) == AGD_SOME)
        value(sum, name, item);
}

static inline void members(output *sum, const char *name, agd_members list) {
    agd_member item;
    while (agd_members_next(&list, &item) == AGD_SOME) {
        text(sum, name, item.name);
        value(sum, name, item.value);
    }
}

static inline void hints(output *sum, const char *name, agd_members list) { members(sum, name, list); }

static inline output begin_object(const output *sum, const char *name) {
    (void)name;
    return *sum;
}

static inline void end_object(const output *sum, const char *name, output before) {
    (void)sum;
    (void)name;
    (void)before;
}

/* In Rust, the bytes of an object without members (`{}`) are not counted. The measured documents have none. */
static inline void end_unless_empty(const output *sum, const char *name, output before) { end_object(sum, name, before); }

/* There is one of each struct, which the library fills again and again. */
#define OBJECTS(function, list_type, item_type, members_of)                                                                                  \
    static inline void function(output *sum, const char *name, list_type list) {                                                             \
        static item_type item = AGD_INIT(item_type);                                                                                         \
        (void)name;                                                                                                                          \
        while (list_type##_next(&list, &item) == AGD_SOME)                                                                                   \
            members_of(sum, &item);                                                                                                          \
    }

#include "../tests/c/members.h"

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    int parses = atoi(argv[1]), walks = atoi(argv[2]), files = argc - 3;
    agd_document *documents = calloc((size_t)files + 1, sizeof *documents);
    struct body *bodies = calloc((size_t)files + 1, sizeof *bodies);
    if (documents == NULL || bodies == NULL)
        return 2;
    for (int i = 0; i < files; i++) {
        FILE *file = fopen(argv[i + 3], "rb");
        if (file == NULL)
            return 2;
        fseek(file, 0, SEEK_END);
        bodies[i].length = (size_t)ftell(file);
        rewind(file);
        bodies[i].data = malloc(bodies[i].length + 1);
        if (bodies[i].data == NULL || fread(bodies[i].data, 1, bodies[i].length, file) != bodies[i].length)
            return 2;
        fclose(file);
    }
    size_t count = 0;
    for (int time = 0; time < parses; time++) {
        count = 0;
        for (int i = 0; i < files; i++)
            count += agd_parse(bodies[i].data, bodies[i].length, NULL, &documents[count], NULL) == AGD_OK;
    }
    output sum = 0;
    for (int time = 0; time < walks; time++)
        for (size_t document = 0; document < count; document++)
            document_members(&sum, &documents[document]);
    printf("%zu documents, %llu\n", count, (unsigned long long)sum);
    return 0;
}
