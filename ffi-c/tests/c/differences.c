/* Two documents of one site compared: what is told, when it ends, and misuse. */
#include "agentsdisc.h"
#include "common.h"

static const char TEXT[] = "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n\n"
                           "Capability: search\n  Endpoint: https://mugs.example/s\n  Method: GET\n  Protocol: REST\n";

static const char JSON[] = "{\"specVersion\":\"1.0\",\"site\":{\"name\":\"Cu\\u0070s\",\"url\":\"https://mugs.example\"},\"capabilities\":"
                           "[{\"id\":\"search\",\"endpoint\":\"https://mugs.example/t\",\"protocol\":\"REST\"},{\"id\":\"order\"}]}";

/* What a callback was told. */
struct told {
    size_t number;
    size_t wanted;
    agd_difference items[8];
};

static bool on_difference(void *user, const agd_difference *difference) {
    struct told *told = user;
    CHECK(difference->size == sizeof *difference && difference->field.len > 0 && told->number < 8);
    told->items[told->number++] = *difference;
    return told->number < told->wanted;
}

static bool stands(const char *document, size_t start, size_t end, const char *part) {
    return end - start == strlen(part) && strncmp(document + start, part, end - start) == 0;
}

static void fields(void) {
    agd_document text = parsed(TEXT, AGD_FORMAT_AGENTS_TXT), json = parsed(JSON, AGD_FORMAT_AGENTS_JSON);
    struct told told = {.wanted = 8};
    int32_t complete = 7;
    CHECK(agd_differences(&text, &json, &complete, on_difference, &told) == AGD_OK && complete == AGD_TRUE);
    CHECK(told.number == 3);
    agd_difference name = told.items[0], endpoint = told.items[1], order = told.items[2];
    CHECK(agd_text_eq_str(name.field, "service.name") && name.subject.len == 0 && name.item.len == 0);
    CHECK(name.in_first == AGD_TRUE && stands(TEXT, name.first_start, name.first_end, "Mugs"));
    CHECK(name.in_second == AGD_TRUE && stands(JSON, name.second_start, name.second_end, "Cu\\u0070s"));
    CHECK(agd_text_eq_str(endpoint.field, "capabilities.endpoint") && agd_text_eq_str(endpoint.subject, "search"));
    CHECK(stands(TEXT, endpoint.first_start, endpoint.first_end, "https://mugs.example/s"));
    CHECK(agd_text_eq_str(order.field, "capabilities") && agd_text_eq_str(order.subject, "order"));
    CHECK(order.in_first == AGD_FALSE && order.first_start == 0 && order.first_end == 0);
    CHECK(order.in_second == AGD_TRUE && stands(JSON, order.second_start, order.second_end, "order"));
    /* The other way round, the places change sides. */
    struct told back = {.wanted = 8};
    CHECK(agd_differences(&json, &text, NULL, on_difference, &back) == AGD_OK && back.number == 3);
    CHECK(back.items[0].second_start == name.first_start && back.items[2].in_second == AGD_FALSE);
}

static void until_it_is_enough(void) {
    agd_document text = parsed(TEXT, AGD_FORMAT_AGENTS_TXT), json = parsed(JSON, AGD_FORMAT_AGENTS_JSON);
    struct told told = {.wanted = 1};
    int32_t complete = 7;
    CHECK(agd_differences(&text, &json, &complete, on_difference, &told) == AGD_OK);
    CHECK(told.number == 1 && complete == AGD_TRUE);
    struct told none = {.wanted = 8};
    CHECK(agd_differences(&text, &text, NULL, on_difference, &none) == AGD_OK && none.number == 0);
    CHECK(agd_differences(&text, &json, &complete, NULL, NULL) == AGD_OK && complete == AGD_TRUE);
}

/* So large, and in so different an order, that comparing everything would take too long. */
static void what_is_left_out_is_said(void) {
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
    struct told told = {.wanted = 8};
    int32_t complete = 7;
    CHECK(agd_differences(NULL, &text, &complete, on_difference, &told) == AGD_ERROR_NULL);
    CHECK(agd_differences(&text, NULL, &complete, on_difference, &told) == AGD_ERROR_NULL);
    CHECK(agd_differences(&never, &text, &complete, on_difference, &told) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_differences(&text, &never, &complete, on_difference, &told) == AGD_ERROR_UNINITIALISED);
    char memory[2 * sizeof complete];
    int32_t *odd = (int32_t *)(void *)(memory + 1);
    if ((uintptr_t)odd % sizeof *odd == 0)
        odd = (int32_t *)(void *)(memory + 2);
    CHECK(agd_differences(&text, &text, odd, on_difference, &told) == AGD_ERROR_ARGUMENT);
    CHECK(told.number == 0 && complete == 7);
}

int main(void) {
    fields();
    until_it_is_enough();
    if (getenv("AGENTSDISC_SLOW") == NULL) /* Where a checker makes minutes of seconds, the others do. */
        what_is_left_out_is_said();
    misuse();
    return result("differences");
}
