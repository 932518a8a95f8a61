/* Links of any bytes: labels, kinds, positions, misuse. */
#include "agentsdisc.h"
#include "common.h"

static const char TEXT[] = "# Mugs\n\n- [API](https://mugs.example/openapi.json)\n- MCP: https://mugs.example/mcp.\n";
static const char JSON[] = "{\"docs\":\"https:\\/\\/mugs.example\\/x\"}";

static void of_text(void) {
    agd_links links;
    agd_link link = AGD_INIT(agd_link);
    CHECK(agd_links_open(TEXT, sizeof TEXT - 1, &links) == AGD_OK);
    CHECK(agd_links_next(&links, &link) == AGD_SOME && link.size == sizeof link && link.kind == AGD_LINK_OPENAPI);
    CHECK(agd_text_eq_str(link.url, "https://mugs.example/openapi.json") && agd_text_eq_str(link.label, "API"));
    CHECK(link.end - link.start == link.url.len && link.url.ptr == TEXT + link.start && link.reserved == 0);
    agd_links copy = links;
    CHECK(agd_links_next(&links, &link) == AGD_SOME && link.kind == AGD_LINK_MCP_ENDPOINT);
    CHECK(agd_text_eq_str(link.url, "https://mugs.example/mcp") && agd_text_eq_str(link.label, "MCP"));
    CHECK(agd_links_next(&links, &link) == AGD_NONE && link.kind == AGD_LINK_MCP_ENDPOINT);
    CHECK(agd_links_next(&copy, &link) == AGD_SOME && link.kind == AGD_LINK_MCP_ENDPOINT);
}

static void of_json(void) {
    agd_links links;
    agd_link link = AGD_INIT(agd_link);
    CHECK(agd_links_open(JSON, sizeof JSON - 1, &links) == AGD_OK);
    CHECK(agd_links_next(&links, &link) == AGD_SOME && link.kind == AGD_LINK_DOCS);
    CHECK(agd_text_eq_str(link.url, "https://mugs.example/x") && agd_text_eq_str(link.label, "docs"));
    CHECK(agd_links_next(&links, &link) == AGD_NONE);
}

static void misuse(void) {
    agd_links links = {{0}};
    agd_link link = AGD_INIT(agd_link), small = {.size = 8};
    CHECK(agd_links_next(&links, &link) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_links_open(NULL, 0, &links) == AGD_OK && agd_links_next(&links, &link) == AGD_NONE);
    CHECK(agd_links_open(NULL, 1, &links) == AGD_ERROR_NULL && agd_links_next(&links, &link) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_links_open(TEXT, sizeof TEXT - 1, NULL) == AGD_ERROR_NULL);
    CHECK(agd_links_open(TEXT, sizeof TEXT - 1, &links) == AGD_OK);
    CHECK(agd_links_next(NULL, &link) == AGD_ERROR_NULL && agd_links_next(&links, NULL) == AGD_ERROR_NULL);
    CHECK(agd_links_next(&links, &small) == AGD_ERROR_STRUCT_SIZE);
    /* Misuse loses no link. */
    CHECK(agd_links_next(&links, &link) == AGD_SOME && link.kind == AGD_LINK_OPENAPI);
}

int main(void) {
    of_text();
    of_json();
    misuse();
    return result("links");
}
