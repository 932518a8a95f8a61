// Shared by the C++ tests: a check that prints its position.
#ifndef AGENTSDISC_TEST_COMMON_HPP
#define AGENTSDISC_TEST_COMMON_HPP

#include "agentsdisc.hpp"

#include <cstdio>
#include <cstdlib>

static int failures = 0;

#define CHECK(condition)                                                                                                                     \
    do {                                                                                                                                     \
        if (!(condition)) {                                                                                                                  \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                             \
            failures++;                                                                                                                      \
        }                                                                                                                                    \
    } while (0)

#endif
