/* Decisions: result and reason, limits, prose, headers, prerequisites, misuse. The vectors test the decisions themselves. */
#include "agentsdisc.h"
#include "common.h"

static const char TXT[] = "Spec-Version: 1.0\n"
                          "Site-Name: Mugs\n"
                          "Site-URL: https://mugs.example\n"
                          "Capability: search\n"
                          "  Endpoint: https://mugs.example/s\n"
                          "  Protocol: REST\n"
                          "  Rate-Limit: 2/second\n"
                          "Capability: order\n"
                          "  Endpoint: https://mugs.example/o\n"
                          "  Protocol: REST\n"
                          "  Method: POST\n"
                          "  Auth: bearer-token\n"
                          "  Auth-Endpoint: https://mugs.example/token\n"
                          "Capability: signed\n"
                          "  Endpoint: https://mugs.example/h\n"
                          "  Protocol: REST\n"
                          "  Auth: hmac\n"
                          "Disallow: /admin/*\n"
                          "Agent: *\n"
                          "  Rate-Limit: 60/minute\n"
                          "Agent: Named\n"
                          "  Capabilities: search\n";

static const char MD[] = "# Mugs\n\n## Can\n- Search\n\n## Cannot\n- Order without a human\n- Break mugs\n\n## Behavior\n- Be kind\n";

static const char AWP[] = "{\"awp_version\":\"0.2\",\"domain\":\"mugs.example\",\"intent\":\"x\",\"actions\":["
                          "{\"id\":\"pay\",\"auth_required\":false,\"endpoint\":\"/pay\",\"method\":\"POST\",\"sensitivity\":\"irreversible\","
                          "\"reversible\":false},{\"id\":\"look\",\"endpoint\":\"/look\",\"method\":\"GET\"},{\"id\":\"egg\"},{\"id\":\"hen\"}],"
                          "\"dependencies\":{\"pay\":[\"choose\",\"look\"],\"choose\":[\"look\"],\"egg\":\"hen\",\"hen\":\"egg\"}}";

static agd_document documents[3];

static agd_request asking(const char *agent, const char *url, const char *capability) {
    agd_request request = AGD_INIT(agd_request);
    request.agent = agd_text_from(agent);
    request.url = agd_text_from(url);
    request.capability = agd_text_from(capability);
    return request;
}

/* The workspace needs no initialisation. */
static agd_workspace workspace;

/* Decides with and without a workspace; both results must be equal. */
static agd_decision decided(const agd_request *request) {
    static char here[4096], there[4096];
    static uint32_t scratch[64];
    agd_decision decision = AGD_INIT(agd_decision), other = AGD_INIT(agd_decision);
    CHECK(agd_decide(documents, 3, request, &decision) == AGD_SOME);
    CHECK(decision.size == sizeof decision);
    memset(&workspace, 0xA5, sizeof workspace);
    CHECK(agd_decide_with(documents, 3, request, &workspace, &other) == AGD_SOME);
    CHECK(other.size == sizeof other && other.reason == decision.reason && other.rule_line == decision.rule_line);
    CHECK(agd_decision_json(&decision, scratch, 64, here, sizeof here, NULL) == AGD_OK);
    CHECK(agd_decision_json(&other, scratch, 64, there, sizeof there, NULL) == AGD_OK && strcmp(here, there) == 0);
    return decision;
}

static void answers(void) {
    agd_request request = asking("Bot/1.0 (+https://bot.example)", "https://mugs.example/admin/x", NULL);
    agd_decision decision = decided(&request);
    CHECK(decision.allowed == AGD_FALSE && decision.reason == AGD_REASON_DISALLOWED && decision.agent == AGD_ROBOTS_BINDING_ANY);
    CHECK(agd_text_eq_str(decision.rule, "/admin/*") && decision.rule_document == 0 && decision.rule_line == 18 && decision.rule_column == 11);
    CHECK(memcmp(TXT + decision.rule_start, "/admin/*\n", 9) == 0 && decision.rule_end == decision.rule_start + 8);
    CHECK(decision.relation == AGD_RELATION_SAME_HOST && decision.relation_verified == AGD_TRUE);
    CHECK(decision.credentials == AGD_CREDENTIALS_ALLOWED && decision.session_required == AGD_FALSE && decision.session_seconds == AGD_UNSAID);
    CHECK(decision.auth_need == AGD_NEED_NOT_STATED && decision.auth_type.value == AGD_UNSAID && decision.auth_document == AGD_UNSAID);
    CHECK(strcmp(agd_reason_name(decision.reason), "disallowed") == 0);
    CHECK(strstr(agd_reason_message(decision.reason), "Disallow") != NULL);

    request = asking("named", NULL, "order");
    decision = decided(&request);
    CHECK(decision.reason == AGD_REASON_CAPABILITY_NOT_GRANTED && decision.agent == AGD_ROBOTS_BINDING_NAMED && decision.rule_line == 21);

    request = asking("Bot", NULL, "pay");
    decision = decided(&request);
    /* The first document decides. */
    CHECK(decision.allowed == AGD_TRUE && decision.reason == AGD_REASON_NOT_DISALLOWED && decision.rule.ptr == NULL);
    CHECK(decision.rule_document == AGD_UNSAID && decision.rule_line == 0);
    CHECK(agd_text_eq_str(decision.capability, "pay") && agd_text_eq_str(decision.endpoint, "/pay") && agd_text_eq_str(decision.method, "POST"));
    CHECK(decision.confirmation == AGD_CONFIRMATION_MUST && decision.sensitivity.value == AGD_SENSITIVITY_IRREVERSIBLE);
    CHECK(decision.reversible == AGD_FALSE && decision.handoff == AGD_FALSE && decision.degraded == AGD_FALSE);

    request = asking("Bot", "https://other.example/", NULL);
    request.origin = agd_text_from("https://mugs.example/.well-known/agents.txt");
    CHECK(decided(&request).reason == AGD_REASON_OTHER_ORIGIN);
    request.url = agd_text_from("https://mugs.example@other.example/");
    CHECK(decided(&request).reason == AGD_REASON_INVALID_URL);
    request.url = agd_text_from("/x");
    request.method = agd_text_from("");
    CHECK(decided(&request).reason == AGD_REASON_INVALID_METHOD);
}

static void robots(void) {
    const char rules[] = "User-agent: *\nDisallow: /s\nCrawl-delay: 3\n";
    agd_robots robots = AGD_ROBOTS_INIT;
    CHECK(agd_robots_parse(rules, strlen(rules), NULL, &robots) == AGD_OK);
    agd_request request = asking("Bot", NULL, "search");
    CHECK(decided(&request).reason == AGD_REASON_CAPABILITY_GRANTED);
    request.robots = &robots;
    agd_decision decision = decided(&request);
    CHECK(decision.reason == AGD_REASON_ROBOTS_DISALLOWED && decision.rule_document == AGD_FROM_ROBOTS && decision.rule_line == 2);
    agd_applied_limit limit = AGD_INIT(agd_applied_limit);
    CHECK(agd_decision_advisory_limit(&decision, &limit) == AGD_SOME && limit.scope == AGD_SCOPE_ROBOTS);
    CHECK(limit.requests == 1 && limit.milliseconds == 3000 && limit.window == AGD_UNSAID && limit.document == AGD_FROM_ROBOTS);
    request.robots_state = AGD_ROBOTS_FOUND;
    CHECK(decided(&request).reason == AGD_REASON_ROBOTS_DISALLOWED);
    request.robots_state = AGD_ROBOTS_ABSENT;
    CHECK(decided(&request).reason == AGD_REASON_CAPABILITY_GRANTED);
    request.robots_state = AGD_ROBOTS_UNREACHABLE;
    CHECK(decided(&request).reason == AGD_REASON_ROBOTS_UNREACHABLE);
}

static void limits(void) {
    agd_request request = asking("Bot", NULL, "search");
    agd_decision decision = decided(&request);
    agd_applied_limits list = agd_decision_limits(&decision);
    agd_applied_limit limit = AGD_INIT(agd_applied_limit);
    CHECK(agd_applied_limits_next(&list, &limit) == AGD_SOME && limit.scope == AGD_SCOPE_AGENT && limit.requests == 60);
    CHECK(limit.window == AGD_WINDOW_MINUTE && limit.milliseconds == 60000 && limit.document == 0 && limit.capability.ptr == NULL);
    CHECK(agd_applied_limits_next(&list, &limit) == AGD_SOME && limit.scope == AGD_SCOPE_CAPABILITY && limit.requests == 2);
    CHECK(agd_text_eq_str(limit.capability, "search"));
    CHECK(agd_applied_limits_next(&list, &limit) == AGD_NONE && agd_applied_limits_next(&list, &limit) == AGD_NONE);
    CHECK(agd_decision_advisory_limit(&decision, &limit) == AGD_SOME && limit.requests == 60);
    list = agd_decision_limits(&decision);
    CHECK(agd_applied_limits_next_with(&list, &workspace, &limit) == AGD_SOME && limit.requests == 60);
    CHECK(agd_applied_limits_next_with(&list, &workspace, &limit) == AGD_SOME && limit.requests == 2);
    CHECK(agd_applied_limits_next_with(&list, &workspace, &limit) == AGD_NONE && limit.requests == 2);
    CHECK(agd_decision_advisory_limit_with(&decision, &workspace, &limit) == AGD_SOME && limit.requests == 60);
}

static void words(void) {
    agd_request request = asking("Bot", "/x", NULL);
    agd_decision decision = decided(&request);
    agd_words list = agd_decision_words(&decision, AGD_WORDS_CANNOT);
    agd_text text;
    size_t document = 9;
    CHECK(agd_words_next(&list, &text, &document) == AGD_SOME && agd_text_eq_str(text, "Order without a human") && document == 1);
    CHECK(agd_words_next(&list, &text, NULL) == AGD_SOME && agd_text_eq_str(text, "Break mugs"));
    CHECK(agd_words_next(&list, &text, NULL) == AGD_NONE);
    list = agd_decision_words(&decision, AGD_WORDS_CAN);
    CHECK(agd_words_next(&list, &text, NULL) == AGD_SOME && agd_text_eq_str(text, "Search"));
    list = agd_decision_words(&decision, AGD_WORDS_BEHAVIOR);
    CHECK(agd_words_next(&list, &text, NULL) == AGD_SOME && agd_text_eq_str(text, "Be kind"));
    list = agd_decision_words(&decision, 4711);
    CHECK(agd_words_next(&list, &text, NULL) == AGD_ERROR_UNINITIALISED);
}

static void headers(void) {
    char buffer[64];
    size_t length = 0;
    agd_request request = asking("Bot", NULL, "order");
    agd_decision decision = decided(&request);
    CHECK(decision.auth_need == AGD_NEED_REQUIRED && decision.auth_type.value == AGD_AUTH_BEARER_TOKEN && decision.auth_document == 0);
    CHECK(agd_text_eq_str(decision.token_url, "https://mugs.example/token") && agd_text_eq_str(decision.header, "Authorization"));
    CHECK(agd_decision_auth_header(&decision, agd_text_from("secret"), buffer, sizeof buffer, &length) == AGD_SOME);
    CHECK(strcmp(buffer, "Authorization: Bearer secret") == 0 && length == strlen(buffer));
    CHECK(agd_decision_auth_header(&decision, agd_text_from("secret"), NULL, 0, &length) == AGD_ERROR_BUFFER_TOO_SMALL && length == 28);
    CHECK(agd_decision_auth_header(&decision, agd_text_from("secret"), buffer, 28, &length) == AGD_ERROR_BUFFER_TOO_SMALL && buffer[0] == '\0');
    CHECK(agd_decision_auth_header(&decision, agd_text_from("a\nb"), buffer, sizeof buffer, NULL) == AGD_ERROR_TOKEN);
    CHECK(agd_decision_auth_header(&decision, agd_text_from(NULL), buffer, sizeof buffer, NULL) == AGD_ERROR_NULL);
    request = asking("Bot", NULL, "signed");
    decision = decided(&request);
    CHECK(decision.header.ptr == NULL && decision.prefix.ptr == NULL);
    CHECK(agd_decision_auth_header(&decision, agd_text_from("secret"), buffer, sizeof buffer, NULL) == AGD_ERROR_UNSPECIFIED);
    request = asking("Bot", NULL, "search");
    decision = decided(&request);
    CHECK(agd_decision_auth_header(&decision, agd_text_from("secret"), buffer, sizeof buffer, NULL) == AGD_NONE);
    request = asking("Named", NULL, "order");
    decision = decided(&request);
    CHECK(agd_decision_auth_header(&decision, agd_text_from("secret"), buffer, sizeof buffer, NULL) == AGD_ERROR_WITHHELD);
    CHECK(strcmp(agd_status_name(AGD_ERROR_WITHHELD), "withheld") == 0 && strcmp(agd_status_name(AGD_ERROR_UNSPECIFIED), "unspecified") == 0);
}

static void prerequisites(void) {
    uint32_t scratch[64];
    agd_text items[4];
    size_t found = 0;
    agd_request request = asking("Bot", NULL, "pay");
    agd_decision decision = decided(&request);
    CHECK(agd_decision_prerequisites(&decision, scratch, 64, items, 4, &found) == AGD_OK && found == 2);
    CHECK(agd_text_eq_str(items[0], "look") && agd_text_eq_str(items[1], "choose"));
    CHECK(agd_decision_prerequisites(&decision, scratch, 64, items, 1, &found) == AGD_ERROR_BUFFER_TOO_SMALL && found == 2);
    CHECK(agd_decision_prerequisites(&decision, scratch, 4, items, 4, &found) == AGD_ERROR_CAPACITY_EXCEEDED && found > 4);
    CHECK(agd_decision_prerequisites_unknown(&decision) == AGD_FALSE && agd_decision_prerequisites_unknown(NULL) == AGD_UNSAID);
    static const char unreadable[] = "{\"awp_version\":\"0.2\",\"domain\":\"a.example\",\"intent\":\"x\",\"actions\":[{\"id\":\"pay\"}],\"dependencies\":5}";
    agd_document other = AGD_DOCUMENT_INIT;
    CHECK(agd_parse(unreadable, sizeof unreadable - 1, NULL, &other, NULL) == AGD_OK);
    CHECK(agd_decide(&other, 1, &request, &decision) == AGD_SOME && agd_decision_prerequisites_unknown(&decision) == AGD_TRUE);
    CHECK(agd_decision_prerequisites(&decision, scratch, 64, items, 4, &found) == AGD_ERROR_UNREADABLE && found == 0);
    request = asking("Bot", NULL, "egg");
    decision = decided(&request);
    CHECK(agd_decision_prerequisites(&decision, scratch, 64, items, 4, &found) == AGD_ERROR_CYCLE && found == 2);
    request = asking("Bot", NULL, "search");
    decision = decided(&request);
    CHECK(agd_decision_prerequisites(&decision, scratch, 64, items, 4, &found) == AGD_NONE && found == 0);
}

/* Decides about the action of an agent.json whose refresh endpoint and other members are given. */
static agd_decision of_service(const char *refresh, const char *members) {
    static char source[1024];
    snprintf(source, sizeof source,
             "{\"awp_version\":\"0.2\",\"domain\":\"mugs.example\",\"intent\":\"x\",\"actions\":[{\"id\":\"a\",\"auth_required\":true,"
             "\"endpoint\":\"/a\",\"method\":\"POST\"}],\"auth\":{\"type\":\"oauth2\",\"required_for\":[\"a\"]%s}%s}",
             refresh, members);
    static agd_document document;
    document = (agd_document)AGD_DOCUMENT_INIT;
    agd_decision decision = AGD_INIT(agd_decision);
    agd_request request = asking("Bot", NULL, "a");
    CHECK(agd_parse(source, strlen(source), NULL, &document, NULL) == AGD_OK);
    CHECK(agd_decide(&document, 1, &request, &decision) == AGD_SOME && decision.allowed == AGD_TRUE);
    return decision;
}

static void refreshing(void) {
    agd_decision decision = of_service(",\"refresh_endpoint\":\"/refresh\"", "");
    CHECK(agd_text_eq_str(decision.refresh_url, "/refresh"));
    CHECK(decision.refresh_relation == AGD_RELATION_SAME_HOST && decision.refresh_relation_verified == AGD_TRUE);
    decision = of_service(",\"refresh_endpoint\":\"https://login.mugs.example/refresh\"", "");
    CHECK(decision.refresh_relation == AGD_RELATION_SUBDOMAIN && decision.refresh_relation_verified == AGD_TRUE);
    decision = of_service(",\"refresh_endpoint\":\"https://other.example/refresh\"", "");
    CHECK(agd_text_eq_str(decision.refresh_url, "https://other.example/refresh"));
    CHECK(decision.refresh_relation == AGD_RELATION_OTHER && decision.refresh_relation_verified != AGD_UNSAID);
    decision = of_service("", "");
    CHECK(decision.refresh_url.ptr == NULL && decision.refresh_relation == AGD_UNSAID && decision.refresh_relation_verified == AGD_UNSAID);
}

static void third_parties(void) {
    agd_decision decision = of_service("", ",\"source\":\"synthetic\",\"generated_by\":\"x\",\"confidence\":0.87");
    CHECK(decision.synthetic == AGD_TRUE && decision.confidence.kind == AGD_VALUE_NUMBER && agd_text_eq_str(decision.confidence.text, "0.87"));
    decision = of_service("", ",\"source\":\"synthetic\",\"generated_by\":\"x\"");
    CHECK(decision.synthetic == AGD_TRUE && decision.confidence.kind == AGD_VALUE_ABSENT && decision.confidence.text.ptr == NULL);
    /* In a native document, the confidence is ignored. */
    decision = of_service("", ",\"source\":\"native\",\"confidence\":0.87");
    CHECK(decision.synthetic == AGD_FALSE && decision.confidence.kind == AGD_VALUE_ABSENT);
}

static void details(void) {
    static const char MANIFEST[] = "{\"spec_version\":\"1.0\",\"name\":\"S\",\"description\":\"d\",\"base_url\":\"https://mugs.example\",\"auth\":{\"type\":\"none\"},"
                                   "\"capabilities\":[{\"name\":\"a\",\"description\":\"d\",\"detail_url\":\"/a.json\"}]}";
    static const char DETAIL[] = "{\"name\":\"a\",\"description\":\"d\",\"endpoint\":\"/a\",\"method\":\"GET\",\"parameters\":[],"
                                 "\"request_example\":{},\"response_example\":{}}";
    agd_document own[2] = {AGD_DOCUMENT_INIT, AGD_DOCUMENT_INIT};
    agd_decision decision = AGD_INIT(agd_decision);
    agd_request request = asking("Bot", NULL, "a");
    CHECK(agd_parse(MANIFEST, strlen(MANIFEST), NULL, &own[0], NULL) == AGD_OK);
    CHECK(agd_parse(DETAIL, strlen(DETAIL), NULL, &own[1], NULL) == AGD_OK);
    CHECK(agd_decide(own, 1, &request, &decision) == AGD_SOME && decision.allowed == AGD_TRUE && decision.detail_unknown == AGD_TRUE);
    CHECK(agd_decide(own, 2, &request, &decision) == AGD_SOME && decision.detail_unknown == AGD_FALSE && agd_text_eq_str(decision.endpoint, "/a"));
}

static void json(void) {
    char buffer[4096];
    uint32_t scratch[64];
    size_t length = 0;
    agd_request request = asking("Bot", NULL, "pay");
    agd_decision decision = decided(&request);
    CHECK(agd_decision_json(&decision, scratch, 64, NULL, 0, &length) == AGD_ERROR_BUFFER_TOO_SMALL && length > 100);
    CHECK(agd_decision_json(&decision, scratch, 64, buffer, sizeof buffer, &length) == AGD_OK && strlen(buffer) == length);
    CHECK(strncmp(buffer, "{\"allowed\":true,\"reason\":\"not-disallowed\"", 40) == 0);
    CHECK(strstr(buffer, "\"prerequisites\":[\"look\",\"choose\"]") != NULL);
    CHECK(agd_decision_json(&decision, NULL, 0, buffer, sizeof buffer, NULL) == AGD_OK);
    CHECK(strstr(buffer, "\"prerequisites_unknown\":true") != NULL);
}

static void misuse(void) {
    agd_decision decision = AGD_INIT(agd_decision);
    agd_request request = asking("Bot", "/x", NULL);
    agd_document unparsed[2] = {AGD_DOCUMENT_INIT, AGD_DOCUMENT_INIT};
    agd_applied_limit limit = AGD_INIT(agd_applied_limit);
    agd_robots robots = AGD_ROBOTS_INIT;
    agd_text text;
    CHECK(agd_decide(NULL, 1, &request, &decision) == AGD_ERROR_NULL && decision.allowed == AGD_FALSE);
    CHECK(agd_decide(documents, 3, NULL, &decision) == AGD_ERROR_NULL);
    CHECK(agd_decide(documents, 3, &request, NULL) == AGD_ERROR_NULL);
    CHECK(agd_decide(unparsed, 2, &request, &decision) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_decide(NULL, 0, &request, &decision) == AGD_SOME && decision.reason == AGD_REASON_NOT_STATED);
    agd_decision unmade = AGD_INIT(agd_decision), unsized_decision = {0};
    CHECK(agd_decide(documents, 3, &request, &unsized_decision) == AGD_ERROR_STRUCT_SIZE);
    request.capability = agd_text_from("search");
    CHECK(agd_decide(documents, 3, &request, &decision) == AGD_ERROR_ARGUMENT);
    request.capability = request.url = agd_text_from(NULL);
    CHECK(agd_decide(documents, 3, &request, &decision) == AGD_ERROR_NULL);
    request = asking("Bot", "/x", NULL);
    request.robots_state = 99;
    CHECK(agd_decide(documents, 3, &request, &decision) == AGD_ERROR_ARGUMENT);
    request.robots_state = AGD_ROBOTS_FOUND;
    CHECK(agd_decide(documents, 3, &request, &decision) == AGD_ERROR_NULL);
    request.robots = &robots;
    CHECK(agd_decide(documents, 3, &request, &decision) == AGD_ERROR_UNINITIALISED);
    request = asking("Bot\xff", "/x", NULL);
    CHECK(agd_decide(documents, 3, &request, &decision) == AGD_ERROR_ARGUMENT);
    request.size = 0;
    CHECK(agd_decide(documents, 3, &request, &decision) == AGD_ERROR_STRUCT_SIZE);

    request = asking("Bot", "/admin/x", NULL);
    agd_decision in_workspace = AGD_INIT(agd_decision);
    CHECK(agd_decide_with(documents, 3, &request, NULL, &in_workspace) == AGD_ERROR_NULL && in_workspace.reason == AGD_REASON_UNKNOWN);
    CHECK(agd_decide_with(documents, 3, &request, (agd_workspace *)(void *)((char *)&workspace + 1), &in_workspace) == AGD_ERROR_ARGUMENT);
    CHECK(agd_decide_with(documents, 3, &request, &workspace, NULL) == AGD_ERROR_NULL);
    CHECK(agd_decision_advisory_limit_with(&unmade, &workspace, &limit) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_decision_advisory_limit_with(&decision, NULL, &limit) == AGD_ERROR_NULL);
    agd_applied_limits list = agd_decision_limits(&decision);
    CHECK(agd_applied_limits_next_with(&list, NULL, &limit) == AGD_ERROR_NULL);
    CHECK(agd_applied_limits_next_with(NULL, &workspace, &limit) == AGD_ERROR_NULL);
    list = agd_decision_limits(&unmade);
    CHECK(agd_applied_limits_next_with(&list, &workspace, &limit) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_applied_limits_next(&list, &limit) == AGD_ERROR_UNINITIALISED);
    list = agd_decision_limits(NULL);
    CHECK(agd_applied_limits_next(&list, &limit) == AGD_ERROR_UNINITIALISED && agd_applied_limits_next(NULL, &limit) == AGD_ERROR_NULL);
    agd_words words = agd_decision_words(&unmade, AGD_WORDS_CAN);
    CHECK(agd_words_next(&words, &text, NULL) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_decision_advisory_limit(&unmade, &limit) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_decision_json(&unmade, NULL, 0, NULL, 0, NULL) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_decision_json(NULL, NULL, 0, NULL, 0, NULL) == AGD_ERROR_NULL);
    CHECK(agd_decision_auth_header(&unmade, agd_text_from("x"), NULL, 0, NULL) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_decision_prerequisites(&unmade, NULL, 0, NULL, 0, NULL) == AGD_ERROR_UNINITIALISED);
    CHECK(strcmp(agd_reason_name(0), "unknown") == 0 && strcmp(agd_reason_name(INT32_MAX), "unknown") == 0);
}

/* Everything that an agent can call: each id once, decided as agd_decide does. */
static void offers(void) {
    static uint32_t scratch[7 * AGD_OFFERS_SCRATCH];
    static const char *const ids[7] = {"search", "order", "signed", "pay", "look", "egg", "hen"};
    char schema[256];
    agd_request request = asking("Named", NULL, NULL);
    agd_capability capability = AGD_INIT(agd_capability);
    agd_decision decision = AGD_INIT(agd_decision);
    agd_offers list = {{0}};
    CHECK(agd_offers_next(&list, &workspace, &capability, &decision, NULL) == AGD_ERROR_UNINITIALISED);
    for (size_t length = 0; length <= 7 * AGD_OFFERS_SCRATCH; length += 7 * AGD_OFFERS_SCRATCH) {
        CHECK(agd_offers_start(documents, 3, &request, scratch, length, &list) == AGD_OK);
        CHECK(agd_offers_schema(&list, schema, sizeof schema, NULL) == AGD_OK && schema[0] == 0);
        for (size_t i = 0; i < 7; i++) {
            size_t document = 9;
            CHECK(agd_offers_next(&list, &workspace, &capability, &decision, &document) == AGD_SOME);
            CHECK(agd_text_eq_str(capability.id, ids[i]) && document == (i < 3 ? 0u : 2u));
            agd_request one = asking("Named", NULL, ids[i]);
            agd_decision own = decided(&one);
            CHECK(own.allowed == decision.allowed && own.reason == decision.reason && own.rule_line == decision.rule_line);
        }
        CHECK(agd_offers_schema(&list, schema, sizeof schema, NULL) == AGD_OK);
        CHECK(strncmp(schema, "{\"type\":\"object\"", 16) == 0);
        CHECK(agd_offers_schema(&list, schema, 4, NULL) == AGD_ERROR_BUFFER_TOO_SMALL && schema[0] == 0);
        CHECK(agd_offers_next(&list, &workspace, &capability, &decision, NULL) == AGD_NONE);
    }
    CHECK(agd_offers_start(documents, 3, NULL, NULL, 0, &list) == AGD_ERROR_NULL);
    CHECK(agd_offers_next(&list, &workspace, &capability, &decision, NULL) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_offers_start(documents, 3, &request, NULL, 8, &list) == AGD_ERROR_NULL);
    CHECK(agd_offers_start(documents, 3, &request, NULL, 0, NULL) == AGD_ERROR_NULL);
    CHECK(agd_offers_schema(NULL, NULL, 0, NULL) == AGD_ERROR_NULL);
}

int main(void) {
    CHECK(agd_parse(TXT, strlen(TXT), NULL, &documents[0], NULL) == AGD_OK);
    CHECK(agd_parse(MD, strlen(MD), NULL, &documents[1], NULL) == AGD_OK);
    CHECK(agd_parse(AWP, strlen(AWP), NULL, &documents[2], NULL) == AGD_OK);
    answers();
    robots();
    limits();
    words();
    headers();
    prerequisites();
    refreshing();
    third_parties();
    details();
    json();
    offers();
    misuse();
    return result("policy");
}
