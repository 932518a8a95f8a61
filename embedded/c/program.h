/* The program, and the functions that its platform provides (host.c or board.c). */
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

/* Reads every document, decides, runs a discovery, and prints the results. */
void run(void);

/* Prints a text. */
void put(const char *text, size_t length);

/* Between these two calls, the stack depth is measured, if the platform supports it. */
void measure_begin(void);
void measure_end(const char *part);

#endif
