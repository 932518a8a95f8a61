/* Walks outside the unified model: the body of an agents.md, and lists of diagnostics. */
#include "agentsdisc.h"
#include "common.h"

static void a_body_in_document_order(void) {
    agd_document document = parsed("# Shop\n\nWe sell mugs.\n\n## Can\n\n- search\n  1. by colour\n\n## Hours\n\n### Monday\n\n```\n9-17\n```\n",
                                   AGD_FORMAT_AGENTS_MD);
    static const struct {
        int32_t kind, section;
        uint32_t level;
        const char *text, *marker;
    } EXPECTED[] = {{AGD_ENTRY_HEADING, AGD_UNSAID, 1, "Shop", NULL},
                    {AGD_ENTRY_PARAGRAPH, AGD_UNSAID, 0, "We sell mugs.", NULL},
                    {AGD_ENTRY_SECTION, AGD_SECTION_CAN, 2, "Can", NULL},
                    {AGD_ENTRY_ITEM, AGD_SECTION_CAN, 1, "search", "-"},
                    {AGD_ENTRY_ITEM, AGD_SECTION_CAN, 2, "by colour", "1."},
                    {AGD_ENTRY_SECTION, AGD_SECTION_OTHER, 2, "Hours", NULL},
                    {AGD_ENTRY_HEADING, AGD_SECTION_OTHER, 3, "Monday", NULL},
                    {AGD_ENTRY_CODE, AGD_SECTION_OTHER, 0, "9-17\n", NULL}};
    agd_agents_md walk;
    agd_entry entry = AGD_INIT(agd_entry);
    CHECK(agd_agents_md_walk(&document, &walk) == AGD_OK);
    CHECK(agd_agents_md_next(&walk, NULL) == AGD_ERROR_NULL);
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; i++) {
        CHECK(agd_agents_md_next(&walk, &entry) == AGD_SOME);
        CHECK(entry.kind == EXPECTED[i].kind && entry.section == EXPECTED[i].section && entry.level == EXPECTED[i].level);
        CHECK(agd_text_eq_str(entry.text, EXPECTED[i].text));
        CHECK(EXPECTED[i].marker == NULL ? entry.marker.ptr == NULL : agd_text_eq_str(entry.marker, EXPECTED[i].marker));
    }
    CHECK(agd_agents_md_next(&walk, &entry) == AGD_NONE);

    memset(&walk, 0, sizeof walk);
    CHECK(agd_agents_md_next(&walk, &entry) == AGD_ERROR_UNINITIALISED && agd_agents_md_next(NULL, &entry) == AGD_ERROR_NULL);
    CHECK(agd_agents_md_walk(NULL, &walk) == AGD_ERROR_NULL && agd_agents_md_walk(&document, NULL) == AGD_ERROR_NULL);
    document = parsed("{}", AGD_FORMAT_ADP);
    CHECK(agd_agents_md_walk(&document, &walk) == AGD_ERROR_WRONG_FORMAT);
}

enum { MANY = 200 };

static void a_list_equals_the_sorted_array(void) {
    agd_document document = parsed("Spec-Version: 9\nCapability: a\nCapability: a\n  Protocol: X\n  Endpoint: ftp://x\nBlub\nCapability: a\n: x\n",
                                   AGD_FORMAT_AGENTS_TXT);
    static agd_diagnostic sorted[MANY], window[MANY];
    size_t found = 0;
    CHECK(agd_check_sorted(&document, NULL, sorted, sizeof *sorted, MANY, &found) == AGD_OK && found > 6);
    for (size_t capacity = 1; capacity < found + 3; capacity++) {
        agd_diagnostics list;
        agd_diagnostic diagnostic = AGD_INIT(agd_diagnostic);
        CHECK(agd_diagnostics_begin(&list, &document, NULL, window, sizeof *window, capacity) == AGD_OK);
        for (size_t i = 0; i < found; i++) {
            char one[512], other[512];
            CHECK(agd_diagnostics_next(&list, &diagnostic) == AGD_SOME);
            CHECK(diagnostic.start == sorted[i].start && diagnostic.line == sorted[i].line && diagnostic.column == sorted[i].column);
            CHECK(agd_diagnostic_message(&diagnostic, one, sizeof one, NULL) == AGD_OK);
            CHECK(agd_diagnostic_message(&sorted[i], other, sizeof other, NULL) == AGD_OK && strcmp(one, other) == 0);
        }
        CHECK(agd_diagnostics_next(&list, &diagnostic) == AGD_NONE && agd_diagnostics_next(&list, &diagnostic) == AGD_NONE);
    }
}

static void misuse_of_a_list(void) {
    agd_document document = parsed("Capability: a\n", AGD_FORMAT_AGENTS_TXT), none = AGD_DOCUMENT_INIT;
    agd_diagnostics list;
    agd_diagnostic window[2], diagnostic = AGD_INIT(agd_diagnostic);
    memset(&list, 0, sizeof list);
    CHECK(agd_diagnostics_next(&list, &diagnostic) == AGD_ERROR_UNINITIALISED && agd_diagnostics_next(NULL, &diagnostic) == AGD_ERROR_NULL);
    CHECK(agd_diagnostics_begin(NULL, &document, NULL, window, sizeof *window, 2) == AGD_ERROR_NULL);
    CHECK(agd_diagnostics_begin(&list, NULL, NULL, window, sizeof *window, 2) == AGD_ERROR_NULL);
    CHECK(agd_diagnostics_begin(&list, &none, NULL, window, sizeof *window, 2) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_diagnostics_begin(&list, &document, NULL, NULL, sizeof *window, 2) == AGD_ERROR_NULL);
    CHECK(agd_diagnostics_begin(&list, &document, NULL, window, sizeof *window, 0) == AGD_ERROR_ARGUMENT);
    CHECK(agd_diagnostics_begin(&list, &document, NULL, window, 8, 2) == AGD_ERROR_STRUCT_SIZE);
    CHECK(agd_diagnostics_begin(&list, &document, NULL, window, sizeof *window, SIZE_MAX) == AGD_ERROR_ARGUMENT);
    CHECK(agd_diagnostics_next(&list, &diagnostic) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_diagnostics_begin(&list, &document, NULL, window, sizeof *window, 2) == AGD_OK);
    CHECK(agd_diagnostics_next(&list, NULL) == AGD_ERROR_NULL);
    diagnostic.size = 0;
    CHECK(agd_diagnostics_next(&list, &diagnostic) == AGD_ERROR_STRUCT_SIZE);
}

int main(void) {
    a_body_in_document_order();
    a_list_equals_the_sorted_array();
    misuse_of_a_list();
    return result("walks");
}
