/* The digest of all values: FNV-1a over decoded values, each followed by a mark. The Rust program computes the same digest
   (embedded/rust/src/digest.rs). */
#ifndef EMBEDDED_DIGEST_H
#define EMBEDDED_DIGEST_H

#include "agentsdisc.h"

typedef uint32_t digest;

static const digest DIGEST_INIT = 0x811c9dc5;

void add_absent(digest *sum);
void add_end_of_list(digest *sum);
void add_bytes(digest *sum, const void *bytes, size_t length);
void add_string(digest *sum, const char *string);
void add_text(digest *sum, agd_text text);
void add_truth(digest *sum, int32_t truth);
void add_number(digest *sum, int64_t number);
void add_choice(digest *sum, agd_choice choice, const char *(*name_of)(int32_t));
void add_value(digest *sum, agd_value value);
void add_texts(digest *sum, agd_texts list);
void add_members(digest *sum, agd_members list);

/* Adds the whole model of a document. */
void add_model(digest *sum, const agd_document *document);

#endif
