/* Reads documents of every format, decides, runs a discovery, and prints each result as a digest of all values: the same
   lines as the Rust program prints (embedded/rust). */
#include "program.h"
#include "digest.h"

static const char AGENT[] = "ExampleBot/1.0";

enum { NOW = 1790000000, ROOM = 6 * 1024, ID = 64, REQUEST = 1024 };

static size_t length_of(const char *string) {
    size_t length = 0;
    while (string[length] != '\0')
        length++;
    return length;
}

static void print(const char *string) { put(string, length_of(string)); }

static void print_number(uint32_t number) {
    char digits[9];
    for (int i = 0; i < 8; i++)
        digits[i] = "0123456789abcdef"[(number >> (28 - 4 * i)) & 15];
    digits[8] = '\n';
    put(digits, sizeof digits);
}

static void print_named(const char *name, uint32_t number) {
    print(name);
    print_number(number);
}

/* Static, because they do not fit on a small stack. */
static agd_workspace workspace;
static agd_decision decision;

static void show(const char *asked) {
    digest sum = DIGEST_INIT;
    add_text(&sum, decision.rule);
    add_text(&sum, decision.capability);
    add_text(&sum, decision.endpoint);
    add_text(&sum, decision.method);
    add_truth(&sum, decision.session_required);
    add_truth(&sum, decision.degraded);
    measure_begin();
    agd_applied_limits limits = agd_decision_limits(&decision);
    agd_applied_limit limit = AGD_INIT(agd_applied_limit);
    while (agd_applied_limits_next_with(&limits, &workspace, &limit) == AGD_SOME)
        add_number(&sum, limit.requests);
    measure_end("limits");
    print("  ");
    print(asked);
    print(decision.allowed == AGD_TRUE ? ": allowed, " : ": denied, ");
    print(agd_reason_name(decision.reason));
    print_named(", ", sum);
}

static void decide(const agd_document *document, const char *asked, const agd_request *request) {
    /* Instead of AGD_INIT, which would put all zeros of a static variable into flash. */
    decision.size = sizeof decision;
    measure_begin();
    agd_status status = agd_decide_with(document, 1, request, &workspace, &decision);
    measure_end("decide");
    if (status == AGD_SOME)
        show(asked);
}

static void print_call(void) {
    static char buffer[REQUEST];
    agd_call_options options = AGD_INIT(agd_call_options);
    options.has_credential = options.has_session = options.undeclared = AGD_TRUE;
    options.confirmed = AGD_CONFIRMATION_MUST;
    agd_call call = agd_call_begin();
    agd_call_step step = AGD_INIT(agd_call_step);
    agd_text arguments = agd_text_from("{\"q\": \"a mug\", \"limit\": 3}");
    digest sum = DIGEST_INIT;
    measure_begin();
    agd_status status = agd_call_plan_with(&call, &decision, arguments, &options, &workspace, buffer, sizeof buffer, NULL, &step, NULL);
    measure_end("call");
    add_truth(&sum, status == AGD_OK);
    if (step.step == AGD_STEP_HTTP) {
        add_string(&sum, step.method);
        add_string(&sum, step.url);
        add_bytes(&sum, step.body, step.body_length);
    } else if (step.step == AGD_STEP_CLIENT) {
        add_string(&sum, step.url);
        add_text(&sum, step.arguments);
    } else if (status == AGD_OK) {
        add_absent(&sum);
    }
    agd_call_answer answer = AGD_INIT(agd_call_answer);
    answer.status = 200;
    answer.body = agd_text_from("{\"id\": 7}");
    answer.now = NOW;
    agd_call_result next = AGD_INIT(agd_call_result);
    measure_begin();
    status = agd_call_next_with(&call, &decision, &answer, &workspace, buffer, sizeof buffer, NULL, &next, NULL);
    measure_end("call");
    add_truth(&sum, status == AGD_OK ? next.next == AGD_NEXT_DONE : AGD_UNSAID);
    print_named("  call: ", sum);
}

static void print_decisions(const agd_document *document) {
    agd_request request = AGD_INIT(agd_request);
    request.agent = agd_text_from(AGENT);
    request.url = agd_text_from("/admin/users");
    decide(document, "path", &request);

    agd_capabilities list = agd_document_capabilities(document);
    agd_capability first = AGD_INIT(agd_capability);
    char id[ID + 1];
    if (agd_capabilities_next(&list, &first) == AGD_SOME && first.id.ptr != NULL && agd_text_decode(first.id, id, sizeof id, NULL) == AGD_OK) {
        request.url = agd_text_from(NULL);
        request.capability = agd_text_from(id);
        decide(document, "capability", &request);
        print_call();
    }
}

static void count_loss(void *user, const agd_loss *loss) {
    (void)loss;
    ++*(uint32_t *)user;
}

static uint32_t sum_of(const char *buffer, agd_status status, size_t length) {
    digest sum = DIGEST_INIT;
    add_bytes(&sum, buffer, status == AGD_OK ? length : 0);
    return sum;
}

static void print_written(const agd_document *document) {
    /* One byte more than in Rust, for the NUL. */
    static char buffer[ROOM + 1];
    size_t length = 0;
    measure_begin();
    agd_status status = agd_write_json(document, buffer, sizeof buffer, &length);
    measure_end("json");
    print_named("  unified JSON: ", sum_of(buffer, status, length));
    uint32_t losses = 0;
    measure_begin();
    status = agd_convert(document, AGD_FORMAT_AGENTS_JSON, NULL, buffer, sizeof buffer, &length, count_loss, &losses);
    measure_end("convert");
    print_named("  agents.json of it: ", sum_of(buffer, status, length));
    print_named("  losses: ", losses);
}

static void read_vector(const vector *vector) {
    print(vector->name);
    print("\n");
    agd_options options = AGD_INIT(agd_options);
    /* Only the location identifies a robots.txt. */
    if (vector->name[0] == 'r')
        options.url = agd_text_from("https://a.example/robots.txt");
    agd_document document = AGD_DOCUMENT_INIT;
    measure_begin();
    agd_status status = agd_parse(vector->start, (size_t)(vector->end - vector->start), &options, &document, NULL);
    measure_end("parse");
    if (status != AGD_OK) {
        print("  cannot be read\n");
        return;
    }
    digest sum = DIGEST_INIT;
    measure_begin();
    add_model(&sum, &document);
    measure_end("read");
    print("  ");
    print(agd_format_id(agd_document_format(&document)));
    print_named(", values: ", sum);
    agd_counts counts;
    measure_begin();
    bool checked = AGD_IS_OK(agd_check_count(&document, NULL, &counts));
    measure_end("check");
    print_named("  diagnostics: ", checked ? (uint32_t)(counts.errors + counts.warnings + counts.infos) : UINT32_MAX);
    print_written(&document);
    print_decisions(&document);
}

/* The responses of the site. */
typedef struct {
    const char *path;
    int32_t status;
    const char *header;
    const char *value;
    const char *body;
} page;

static const page PAGES[] = {
    {"/.well-known/agents.txt", 302, "Location", "/moved.txt", NULL},
    {"/moved.txt", 200, "Cache-Control", "max-age=600",
     "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\nAgents-JSON: https://a.example/data.json\n"},
    {"/data.json", 200, "ETag", "\"1\"",
     "{\"specVersion\": \"1.0\", \"site\": {\"name\": \"A\", \"url\": \"https://a.example\"}, \"capabilities\": []}"},
    {"/robots.txt", 200, NULL, NULL, "User-agent: *\nDisallow: /admin/\n"},
};

static void answer(agd_text url, agd_http_header *header, agd_discovery_response *response) {
    static const char SITE[] = "https://a.example";
    size_t site = sizeof SITE - 1;
    response->status = 404;
    for (size_t i = 0; i < sizeof PAGES / sizeof PAGES[0]; i++) {
        agd_text path = {url.ptr + site, url.len - site, 0};
        if (!agd_text_eq_str(path, PAGES[i].path))
            continue;
        response->status = PAGES[i].status;
        response->body = agd_text_from(PAGES[i].body);
        *header = (agd_http_header){agd_text_from(PAGES[i].header), agd_text_from(PAGES[i].value)};
        response->headers = header;
        response->header_count = PAGES[i].header != NULL;
    }
}

static void print_discovery(void) {
    static agd_discovery discovery = AGD_DISCOVERY_INIT;
    digest sum = DIGEST_INIT;
    measure_begin();
    /* The formats of this firmware, as in the program in Rust. */
    agd_discovery_options options = AGD_INIT(agd_discovery_options);
    options.resources = 1u << AGD_RESOURCE_AGENTS_JSON | 1u << AGD_RESOURCE_AGENTS_TXT | 1u << AGD_RESOURCE_AGENTS_MD |
                        1u << AGD_RESOURCE_AWP | 1u << AGD_RESOURCE_ADP | 1u << AGD_RESOURCE_ROBOTS_TXT | 1u << AGD_RESOURCE_COMPANION;
    if (AGD_FAILED(agd_discovery_begin(&discovery, agd_text_from("a.example"), &options)))
        print("no discovery");
    agd_discovery_request request = AGD_INIT(agd_discovery_request);
    while (agd_discovery_next(&discovery, &request) == AGD_SOME) {
        add_text(&sum, request.url);
        agd_http_header header;
        agd_discovery_response response = AGD_INIT(agd_discovery_response);
        response.now = NOW;
        answer(request.url, &header, &response);
        agd_discovery_answer got = AGD_INIT(agd_discovery_answer);
        if (agd_discovery_respond(&discovery, request.id, &response, &got) == AGD_OK) {
            add_string(&sum, agd_resource_id(got.resource));
            add_truth(&sum, got.format != AGD_FORMAT_UNKNOWN);
            uint8_t until[8];
            for (int i = 0; i < 8; i++)
                until[i] = (uint8_t)(got.freshness.fresh_until >> (8 * i));
            add_bytes(&sum, until, sizeof until);
        }
    }
    measure_end("discover");
    print_named("discovery: ", sum);
    agd_attempt attempt = AGD_INIT(agd_attempt);
    for (size_t rank = 0; agd_discovery_document(&discovery, rank, &attempt) == AGD_SOME; rank++) {
        print("  ");
        put(attempt.url.ptr, attempt.url.len);
        print("\n");
    }
}

void run(void) {
    for (size_t i = 0; i < VECTOR_COUNT; i++)
        read_vector(&VECTORS[i]);
    print_discovery();
}
