#include "digest.h"

enum { END_OF_LIST = 0xfd, END = 0xfe, ABSENT = 0xff };

/* Size of the longest escaped text of the documents. */
static char decoded[1024];

static void add(digest *sum, uint8_t byte) { *sum = (*sum ^ byte) * 0x01000193u; }

void add_absent(digest *sum) { add(sum, ABSENT); }

void add_end_of_list(digest *sum) { add(sum, END_OF_LIST); }

void add_bytes(digest *sum, const void *bytes, size_t length) {
    for (size_t i = 0; i < length; i++)
        add(sum, ((const uint8_t *)bytes)[i]);
    add(sum, END);
}

void add_string(digest *sum, const char *string) {
    size_t length = 0;
    while (string[length] != '\0')
        length++;
    add_bytes(sum, string, length);
}

void add_text(digest *sum, agd_text text) {
    size_t length = 0;
    if (text.ptr == NULL)
        add_absent(sum);
    else if ((text.flags & AGD_TEXT_ESCAPED) == 0)
        add_bytes(sum, text.ptr, text.len);
    else if (agd_text_decode(text, decoded, sizeof decoded, &length) == AGD_OK)
        add_bytes(sum, decoded, length);
}

void add_truth(digest *sum, int32_t truth) { add(sum, truth == AGD_UNSAID ? ABSENT : truth == AGD_TRUE); }

void add_number(digest *sum, int64_t number) {
    uint32_t value = (uint32_t)number;
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    if (number == AGD_UNSAID)
        add_absent(sum);
    else
        add_bytes(sum, bytes, sizeof bytes);
}

void add_choice(digest *sum, agd_choice choice, const char *(*name_of)(int32_t)) {
    if (choice.value == AGD_UNSAID) {
        add_absent(sum);
        return;
    }
    add_string(sum, name_of(choice.value));
    add_text(sum, choice.text);
}

void add_value(digest *sum, agd_value value) {
    if (value.kind == AGD_VALUE_ABSENT)
        add_absent(sum);
    else if (value.kind == AGD_VALUE_TEXT || value.kind == AGD_VALUE_STRING)
        add_text(sum, value.text);
    else
        add_bytes(sum, value.text.ptr, value.text.len);
}

void add_texts(digest *sum, agd_texts list) {
    agd_text text;
    while (agd_texts_next(&list, &text) == AGD_SOME)
        add_text(sum, text);
    add_end_of_list(sum);
}

void add_members(digest *sum, agd_members list) {
    agd_member member;
    while (agd_members_next(&list, &member) == AGD_SOME) {
        add_text(sum, member.name);
        add_value(sum, member.value);
    }
    add_end_of_list(sum);
}
