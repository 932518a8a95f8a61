/* Conversion and fixes: output, losses and refusals. */
#include "agentsdisc.h"
#include "common.h"

static const char TEXT[] = "Spec-Version: 1.0\n\nSite-Name: Mug Shop\nSite-URL: https://mugs.example\n\n"
                           "Capability: search\n  Endpoint: https://mugs.example/s\n  Protocol: REST\n\nDisallow: /admin/*\n";

static const char JSON[] = "{\"specVersion\":\"1.0\",\"site\":{\"name\":\"Mug Shop\",\"url\":\"https://mugs.example\"},\"capabilities\":"
                           "[{\"id\":\"search\",\"endpoint\":\"https://mugs.example/s\",\"protocol\":\"REST\"}],"
                           "\"access\":{\"disallow\":[\"/admin/*\"]}}";

/* What the callback received. */
struct received {
    int number;
    int errors;
    uint32_t line;
    char path[128];
    char message[256];
    agd_loss last;
};

static void on_loss(void *user, const agd_loss *loss) {
    struct received *received = user;
    received->number++;
    received->errors += loss->severity == AGD_SEVERITY_ERROR;
    received->line = loss->line;
    CHECK(loss->size == sizeof *loss && loss->start <= loss->end);
    CHECK(agd_loss_path(loss, received->path, sizeof received->path, NULL) == AGD_OK);
    CHECK(agd_loss_message(loss, received->message, sizeof received->message, NULL) == AGD_OK);
    received->last = *loss;
}

static void on_change(void *user, const agd_change *change) {
    (*(int *)user)++;
    CHECK(change->size == sizeof *change && change->line == 2 && change->start < change->end);
    CHECK(agd_text_eq_str(change->fix, "indentation") && change->about.len > 0);
}

static void conversion_in_both_directions(void) {
    agd_document text = parsed(TEXT, AGD_FORMAT_AGENTS_TXT), json = parsed(JSON, AGD_FORMAT_AGENTS_JSON);
    agd_convert_options compact = AGD_INIT(agd_convert_options);
    compact.compact = 1;
    struct received received = {0};
    char buffer[512];
    size_t length = 0;
    CHECK(agd_convert(&text, AGD_FORMAT_AGENTS_JSON, &compact, NULL, 0, &length, NULL, NULL) == AGD_ERROR_BUFFER_TOO_SMALL);
    CHECK(length == strlen(JSON));
    CHECK(agd_convert(&text, AGD_FORMAT_AGENTS_JSON, &compact, buffer, length, NULL, NULL, NULL) == AGD_ERROR_BUFFER_TOO_SMALL && buffer[0] == '\0');
    CHECK(agd_convert(&text, AGD_FORMAT_AGENTS_JSON, &compact, buffer, length + 1, NULL, on_loss, &received) == AGD_OK);
    CHECK(strcmp(buffer, JSON) == 0 && received.number == 0);
    CHECK(agd_convert(&json, AGD_FORMAT_AGENTS_TXT, NULL, buffer, sizeof buffer, &length, on_loss, &received) == AGD_OK);
    CHECK(strcmp(buffer, TEXT) == 0 && length == strlen(TEXT) && received.number == 0);
}

static void losses(void) {
    const char *source = "{\"specVersion\":\"1.0\",\n \"x\": 5}";
    agd_document document = parsed(source, AGD_FORMAT_AGENTS_JSON);
    struct received received = {0};
    char buffer[64];
    size_t length = 0;
    CHECK(agd_convert(&document, AGD_FORMAT_AGENTS_TXT, NULL, buffer, sizeof buffer, NULL, on_loss, &received) == AGD_OK);
    CHECK(strcmp(buffer, "Spec-Version: 1.0\n") == 0);
    CHECK(received.number == 1 && received.errors == 0 && received.line == 2 && strcmp(received.path, "metadata.x") == 0);
    CHECK(agd_text_eq_str(received.last.reason, "not-text") && source[received.last.start] == 'x');
    CHECK(strncmp(received.message, "`metadata.x`: ", 14) == 0);
    /* A copy of a loss is valid. */
    CHECK(agd_loss_path(&received.last, NULL, 0, &length) == AGD_ERROR_BUFFER_TOO_SMALL && length == 10);
    CHECK(agd_loss_path(&received.last, buffer, 10, NULL) == AGD_ERROR_BUFFER_TOO_SMALL && buffer[0] == '\0');
    agd_loss none = AGD_INIT(agd_loss);
    CHECK(agd_loss_path(&none, buffer, sizeof buffer, NULL) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_loss_message(NULL, buffer, sizeof buffer, NULL) == AGD_ERROR_NULL);
}

static void preferences(void) {
    const char *source = "User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: /a search=y\n";
    agd_document document = parsed(source, AGD_FORMAT_ROBOTS_TXT);
    struct received received = {0};
    char buffer[128];
    CHECK(agd_convert(&document, AGD_FORMAT_ROBOTS_TXT, NULL, buffer, sizeof buffer, NULL, on_loss, &received) == AGD_OK);
    CHECK(strncmp(buffer, source, strlen(source)) == 0 && strcmp(buffer + strlen(source), "Content-Usage: train-ai=n\n") == 0);
    CHECK(received.number == 2 && received.errors == 0 && strcmp(received.path, "robots.preferences") == 0);
    CHECK(agd_convert(&document, AGD_FORMAT_AGENTS_MD, NULL, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_ERROR_UNSUPPORTED);
}

static void refusals(void) {
    agd_document document = parsed("{\"access\":{\"disallow\":[\"/a\\nAllow: /*\"]}}", AGD_FORMAT_AGENTS_JSON);
    struct received received = {0};
    char buffer[64] = "x";
    size_t length = 7;
    CHECK(agd_convert(&document, AGD_FORMAT_AGENTS_TXT, NULL, buffer, sizeof buffer, &length, on_loss, &received) == AGD_ERROR_REFUSED);
    CHECK(received.errors == 1 && length == 0 && buffer[0] == '\0');
    CHECK(strcmp(received.path, "access.disallow[0]") == 0 && agd_text_eq_str(received.last.reason, "line-break"));
    CHECK(agd_convert(&document, AGD_FORMAT_ADP_SEARCH, NULL, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_ERROR_UNSUPPORTED);
    CHECK(agd_convert(&document, 999, NULL, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_ERROR_ARGUMENT);
    CHECK(agd_convert(&document, AGD_FORMAT_AGENTS_TXT, NULL, NULL, 1, NULL, NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_convert(NULL, AGD_FORMAT_AGENTS_TXT, NULL, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_ERROR_NULL);
    agd_document never = AGD_DOCUMENT_INIT;
    CHECK(agd_convert(&never, AGD_FORMAT_AGENTS_TXT, NULL, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_ERROR_UNINITIALISED);
    agd_convert_options unsized_options;
    memset(&unsized_options, 0, sizeof unsized_options);
    CHECK(agd_convert(&document, AGD_FORMAT_AGENTS_TXT, &unsized_options, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_ERROR_STRUCT_SIZE);
}

static void options(void) {
    agd_document document = parsed("{\"awp_version\":\"0.2\",\"actions\":[{\"id\":\"a\",\"endpoint\":\"/a\",\"sensitivity\":\"destructive\"}]}", AGD_FORMAT_AWP);
    agd_convert_options loose = AGD_INIT(agd_convert_options);
    loose.origin = agd_text_from("https://a.example");
    char buffer[256];
    CHECK(agd_convert(&document, AGD_FORMAT_AGENTS_TXT, &loose, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_OK);
    CHECK(strcmp(buffer, "Spec-Version: 1.0\n\nSite-URL: https://a.example\n") == 0);
    loose.loosen = 1;
    CHECK(agd_convert(&document, AGD_FORMAT_AGENTS_TXT, &loose, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_OK);
    CHECK(strstr(buffer, "Capability: a\n  Endpoint: https://a.example/a\n") != NULL);
}

static void details(void) {
    agd_document document = parsed("Site-URL: https://a.example\n\nCapability: get-a\n\nCapability: b\n", AGD_FORMAT_AGENTS_TXT);
    agd_convert_options one = AGD_INIT(agd_convert_options);
    one.compact = 1;
    char buffer[256];
    CHECK(agd_convert(&document, AGD_FORMAT_ADP, &one, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_OK);
    CHECK(strstr(buffer, "{\"name\":\"get_a\",\"detail_url\":\"/capabilities/get_a.json\"}") != NULL);
    CHECK(agd_convert(&document, AGD_FORMAT_ADP_CAPABILITY, &one, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_ERROR_ARGUMENT);
    one.capability = agd_text_from("c");
    CHECK(agd_convert(&document, AGD_FORMAT_ADP_CAPABILITY, &one, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_ERROR_ARGUMENT && buffer[0] == '\0');
    one.capability = agd_text_from("get-a");
    CHECK(agd_convert(&document, AGD_FORMAT_ADP_CAPABILITY, &one, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_OK);
    CHECK(strcmp(buffer, "{\"name\":\"get_a\",\"method\":\"GET\"}") == 0);
}

static void fixes(void) {
    agd_document document = parsed("Capability: a\nEndpoint: https://a.example/a\n", AGD_FORMAT_AGENTS_TXT);
    char buffer[64];
    size_t length = 0;
    int changes = 0;
    CHECK(agd_fix(&document, NULL, 0, &length, NULL, NULL) == AGD_ERROR_BUFFER_TOO_SMALL && length == 46);
    CHECK(agd_fix(&document, buffer, 46, NULL, NULL, NULL) == AGD_ERROR_BUFFER_TOO_SMALL && buffer[0] == '\0');
    CHECK(agd_fix(&document, buffer, 47, NULL, on_change, &changes) == AGD_OK && changes == 1);
    CHECK(strcmp(buffer, "Capability: a\n  Endpoint: https://a.example/a\n") == 0);
    agd_document fixed = parsed(buffer, AGD_FORMAT_AGENTS_TXT);
    char again[64];
    CHECK(agd_fix(&fixed, again, sizeof again, NULL, on_change, &changes) == AGD_OK && changes == 1 && strcmp(again, buffer) == 0);
    agd_document json = parsed(JSON, AGD_FORMAT_AGENTS_JSON);
    CHECK(agd_fix(&json, buffer, sizeof buffer, &length, NULL, NULL) == AGD_ERROR_UNSUPPORTED && buffer[0] == '\0');
    CHECK(agd_fix(NULL, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_ERROR_NULL);
}

int main(void) {
    conversion_in_both_directions();
    losses();
    preferences();
    refusals();
    options();
    details();
    fixes();
    return result("convert");
}
