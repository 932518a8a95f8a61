/* Comparison of two documents of one site: differences, early end, misuse. */
#include "agentsdisc.h"
#include "common.h"

static const char TEXT[] = "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n\n"
                           "Capability: search\n  Endpoint: https://mugs.example/s\n  Method: GET\n  Protocol: REST\n";

static const char JSON[] = "{\"specVersion\":\"1.0\",\"site\":{\"name\":\"Cu\\u0070s\",\"url\":\"https://mugs.example\"},\"capabilities\":"
                           "[{\"id\":\"search\",\"endpoint\":\"https://mugs.example/t\",\"protocol\":\"REST\"},{\"id\":\"order\"}]}";

/* What the callback received. */
struct received {
    size_t number;
    size_t wanted;
    agd_difference items[8];
};

static bool on_difference(void *user, const agd_difference *difference) {
    struct received *received = user;
    CHECK(difference->size == sizeof *difference && difference->field.len > 0 && received->number < 8);
    received->items[received->number++] = *difference;
    return received->number < received->wanted;
}

static bool stands(const char *document, size_t start, size_t end, const char *part) {
    return end - start == strlen(part) && strncmp(document + start, part, end - start) == 0;
}

static void fields(void) {
    agd_document text = parsed(TEXT, AGD_FORMAT_AGENTS_TXT), json = parsed(JSON, AGD_FORMAT_AGENTS_JSON);
    struct received received = {.wanted = 8};
    int32_t complete = 7;
    CHECK(agd_differences(&text, &json, &complete, on_difference, &received) == AGD_OK && complete == AGD_TRUE);
    CHECK(received.number == 3);
    agd_difference name = received.items[0], endpoint = received.items[1], order = received.items[2];
    CHECK(agd_text_eq_str(name.field, "service.name") && name.subject.len == 0 && name.item.len == 0);
    CHECK(name.in_first == AGD_TRUE && stands(TEXT, name.first_start, name.first_end, "Mugs"));
    CHECK(name.in_second == AGD_TRUE && stands(JSON, name.second_start, name.second_end, "Cu\\u0070s"));
    CHECK(agd_text_eq_str(endpoint.field, "capabilities.endpoint") && agd_text_eq_str(endpoint.subject, "search"));
    CHECK(stands(TEXT, endpoint.first_start, endpoint.first_end, "https://mugs.example/s"));
    CHECK(agd_text_eq_str(order.field, "capabilities") && agd_text_eq_str(order.subject, "order"));
    CHECK(order.in_first == AGD_FALSE && order.first_start == 0 && order.first_end == 0);
    CHECK(order.in_second == AGD_TRUE && stands(JSON, order.second_start, order.second_end, "order"));
    /* With swapped documents, the positions are swapped. */
    struct received back = {.wanted = 8};
    CHECK(agd_differences(&json, &text, NULL, on_difference, &back) == AGD_OK && back.number == 3);
    CHECK(back.items[0].second_start == name.first_start && back.items[2].in_second == AGD_FALSE);
}

static void the_callback_can_stop(void) {
    agd_document text = parsed(TEXT, AGD_FORMAT_AGENTS_TXT), json = parsed(JSON, AGD_FORMAT_AGENTS_JSON);
    struct received received = {.wanted = 1};
    int32_t complete = 7;
    CHECK(agd_differences(&text, &json, &complete, on_difference, &received) == AGD_OK);
    CHECK(received.number == 1 && complete == AGD_TRUE);
    struct received none = {.wanted = 8};
    CHECK(agd_differences(&text, &text, NULL, on_difference, &none) == AGD_OK && none.number == 0);
    CHECK(agd_differences(&text, &json, &complete, NULL, NULL) == AGD_OK && complete == AGD_TRUE);
}

/* Large documents in different order: comparing everything would take too long. */
static void an_incomplete_comparison_is_reported(void) {
    enum { COUNT = 6000, ROOM = COUNT * 20 + 64 };
    static char up[ROOM], down[ROOM];
    size_t a = 0, b = 0;
    for (int i = 0; i < COUNT; i++) {
        a += (size_t)snprintf(up + a, ROOM - a, "Capability: c%d\n", i);
        b += (size_t)snprintf(down + b, ROOM - b, "Capability: c%d\n", COUNT - i);
    }
    agd_document first = parsed(up, AGD_FORMAT_AGENTS_TXT), second = parsed(down, AGD_FORMAT_AGENTS_TXT);
    int32_t complete = 7;
    CHECK(agd_differences(&first, &second, &complete, NULL, NULL) == AGD_OK && complete == AGD_FALSE);
}

static void misuse(void) {
    agd_document text = parsed(TEXT, AGD_FORMAT_AGENTS_TXT), never = AGD_DOCUMENT_INIT;
    struct received received = {.wanted = 8};
    int32_t complete = 7;
    CHECK(agd_differences(NULL, &text, &complete, on_difference, &received) == AGD_ERROR_NULL);
    CHECK(agd_differences(&text, NULL, &complete, on_difference, &received) == AGD_ERROR_NULL);
    CHECK(agd_differences(&never, &text, &complete, on_difference, &received) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_differences(&text, &never, &complete, on_difference, &received) == AGD_ERROR_UNINITIALISED);
    char memory[2 * sizeof complete];
    int32_t *odd = (int32_t *)(void *)(memory + 1);
    if ((uintptr_t)odd % sizeof *odd == 0)
        odd = (int32_t *)(void *)(memory + 2);
    CHECK(agd_differences(&text, &text, odd, on_difference, &received) == AGD_ERROR_ARGUMENT);
    CHECK(received.number == 0 && complete == 7);
}

int main(void) {
    fields();
    the_callback_can_stop();
    if (getenv("AGENTSDISC_SLOW") == NULL) /* Too slow under valgrind; the other steps run it. */
        an_incomplete_comparison_is_reported();
    misuse();
    return result("differences");
}
