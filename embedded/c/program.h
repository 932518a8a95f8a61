/* The program, and what it needs of the world that it runs in: host.c or board.c. */
#ifndef EMBEDDED_PROGRAM_H
#define EMBEDDED_PROGRAM_H

#include <stddef.h>

/* A conformance vector. */
typedef struct {
    const char *name;
    const char *start;
    const char *end;
} vector;

extern const vector VECTORS[];
extern const size_t VECTOR_COUNT;

/* Reads every document, decides, discovers, and prints what came of it. */
void run(void);

/* Prints. */
void put(const char *text, size_t length);

/* Between these two, the depth of the stack is measured, where that can be. */
void measure_begin(void);
void measure_end(const char *part);

#endif
