/* Shared by the C tests: a check that prints its position, a parser for valid documents, and a file reader. */
#ifndef AGENTSDISC_TEST_COMMON_H
#define AGENTSDISC_TEST_COMMON_H

#include "agentsdisc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                                                                                     \
    do {                                                                                                                                     \
        if (!(condition)) {                                                                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                                  \
            failures++;                                                                                                                      \
        }                                                                                                                                    \
    } while (0)

/* The exit code of a test. */
static inline int result(const char *name) {
    if (failures != 0)
        fprintf(stderr, "%s: %d checks failed\n", name, failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Parses a valid document of a format. */
static inline agd_document parsed(const char *text, int32_t format) {
    agd_document document = AGD_DOCUMENT_INIT;
    agd_options options = AGD_INIT(agd_options);
    options.format = format;
    CHECK(agd_parse(text, strlen(text), &options, &document, NULL) == AGD_OK);
    return document;
}

/* Reads a file into memory of exactly its size, so that a sanitizer detects reads after its end. The caller frees it. */
static inline char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    char *data = NULL;
    size_t used = 0;
    char piece[4096];
    for (;;) {
        size_t got = fread(piece, 1, sizeof piece, file);
        if (got == 0)
            break;
        char *grown = realloc(data, used + got);
        if (grown == NULL)
            exit(EXIT_FAILURE);
        data = grown;
        memcpy(data + used, piece, got);
        used += got;
    }
    fclose(file);
    *length = used;
    return data;
}

#endif
