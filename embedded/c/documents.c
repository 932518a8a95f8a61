/* The documents: conformance vectors, embedded at compile time from the repository. The same documents as in
   embedded/rust/src/documents.rs. */
#include "program.h"

#define DOCUMENTS(each)                                                                                                                      \
    each(full, "agents-txt/examples/full")                                                                                                   \
    each(minimal, "agents-txt/examples/minimal")                                                                                             \
    each(full_01, "agents-txt-0.1/examples/full")                                                                                            \
    each(flow_01, "agents-txt-0.1/examples/flow")                                                                                            \
    each(every_member, "agents-json/examples/every-member")                                                                                  \
    each(minimal_json, "agents-json/examples/minimal")                                                                                       \
    each(full_json_01, "agents-json-0.1/examples/full")                                                                                      \
    each(techmart, "agents-md/examples/techmart")                                                                                            \
    each(format_b, "agents-md/examples/format-b")                                                                                            \
    each(blog, "agents-md/examples/blog")                                                                                                    \
    each(flights, "awp/examples/flights")                                                                                                    \
    each(fragments, "awp/examples/fragments")                                                                                                \
    each(synthetic, "awp/examples/synthetic")                                                                                                \
    each(mailforge, "adp/examples/mailforge")                                                                                                \
    each(all_members, "adp-capability/examples/all-members")                                                                                 \
    each(two, "adp-search/examples/two")                                                                                                     \
    each(rfc_simple, "robots-txt/examples/rfc-simple")                                                                                       \
    each(rfc_encoding, "robots-txt/examples/rfc-encoding")

#define INCLUDE(symbol, name)                                                                                                                \
    extern const char vector_##symbol[], vector_##symbol##_end[];                                                                            \
    __asm__(".pushsection .rodata.vectors, \"a\"\n"                                                                                          \
            "vector_" #symbol ":\n"                                                                                                          \
            ".incbin \"conformance/" name ".in\"\n"                                                                                          \
            "vector_" #symbol "_end:\n"                                                                                                      \
            ".popsection");
DOCUMENTS(INCLUDE)

#define ENTRY(symbol, name) {name, vector_##symbol, vector_##symbol##_end},
const vector VECTORS[] = {DOCUMENTS(ENTRY)};
const size_t VECTOR_COUNT = sizeof VECTORS / sizeof VECTORS[0];
