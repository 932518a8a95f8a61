/* Adds every value of a document to the digest: the name and the value of each member that is present (embedded/rust/src/model.rs). */
#include "digest.h"

/* The definitions that members.h requires. */
typedef digest output;

static void text(output *sum, const char *name, agd_text text) {
    if (text.ptr != NULL) {
        add_string(sum, name);
        add_text(sum, text);
    }
}

static void source(output *sum, agd_text bytes) {
    (void)sum;
    (void)bytes;
}

static void choice(output *sum, const char *name, agd_choice choice, const char *(*name_of)(int32_t)) {
    if (choice.value != AGD_UNSAID) {
        add_string(sum, name);
        add_string(sum, name_of(choice.value));
        add_text(sum, choice.text);
    }
}

static void truth(output *sum, const char *name, int32_t truth) {
    uint8_t byte = truth == AGD_TRUE;
    if (truth != AGD_UNSAID) {
        add_string(sum, name);
        add_bytes(sum, &byte, sizeof byte);
    }
}

static void integer(output *sum, const char *name, int64_t number) {
    if (number != AGD_UNSAID) {
        add_string(sum, name);
        add_number(sum, number);
    }
}

static void value(output *sum, const char *name, agd_value value) {
    if (value.kind != AGD_VALUE_ABSENT) {
        add_string(sum, name);
        add_value(sum, value);
    }
}

/* A function that adds a list, unless it is empty; `add` adds an item. */
#define LIST(function, list_type, item_type, init, add)                                                                                      \
    static void function(output *sum, const char *name, list_type list) {                                                                    \
        item_type item = init;                                                                                                               \
        agd_status status = list_type##_next(&list, &item);                                                                                  \
        if (status != AGD_SOME)                                                                                                              \
            return;                                                                                                                          \
        add_string(sum, name);                                                                                                               \
        for (; status == AGD_SOME; status = list_type##_next(&list, &item))                                                                  \
            add(sum, &item);                                                                                                                 \
        add_end_of_list(sum);                                                                                                                \
    }

static void text_item(output *sum, const agd_text *item) { add_text(sum, *item); }

static void value_item(output *sum, const agd_value *item) { add_value(sum, *item); }

static void member_item(output *sum, const agd_member *item) {
    add_text(sum, item->name);
    add_value(sum, item->value);
}

LIST(texts, agd_texts, agd_text, {0}, text_item)
LIST(values, agd_values, agd_value, {0}, value_item)
LIST(members, agd_members, agd_member, {0}, member_item)

static void hint_item(output *sum, const agd_member *item) {
    text(sum, "name", item->name);
    value(sum, "value", item->value);
    add_end_of_list(sum);
}

LIST(hints, agd_members, agd_member, {0}, hint_item)

static void granted(output *sum, const char *name, int32_t grant, agd_texts list) {
    if (grant == AGD_CAPABILITIES_LISTED) {
        /* The name is enough to show that there is a list. */
        add_string(sum, name);
        texts(sum, name, list);
    }
}

static output begin_object(output *sum, const char *name) {
    output before = *sum;
    add_string(sum, name);
    return before;
}

static void end_object(output *sum, const char *name, output before) {
    (void)name;
    (void)before;
    add_end_of_list(sum);
}

static void end_unless_empty(output *sum, const char *name, output before) {
    output begun = before;
    add_string(&begun, name);
    if (*sum == begun)
        *sum = before;
    else
        add_end_of_list(sum);
}

#define OBJECTS(function, list_type, item_type, members_of)                                                                                  \
    static void function##_item(output *sum, const item_type *item) {                                                                        \
        members_of(sum, item);                                                                                                               \
        add_end_of_list(sum);                                                                                                                \
    }                                                                                                                                        \
    LIST(function, list_type, item_type, AGD_INIT(item_type), function##_item)

#include "../../ffi-c/tests/c/members.h"

void add_model(digest *sum, const agd_document *document) { document_members(sum, document); }
