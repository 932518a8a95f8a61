/* Discovery without a network: requests, responses, the store, misuse. */
#include "agentsdisc.h"
#include "common.h"

enum { NOW = 1790000000 };

static const char TXT[] = "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n"
                          "Agents-JSON: https://a.example/data.json\n";
static const char JSON[] = "{\"specVersion\": \"1.0\", \"site\": {\"name\": \"A\"}, \"capabilities\": []}";
static const char ADP[] = "{\"spec_version\": \"1.0\", \"name\": \"A\", \"base_url\": \"https://a.example/api\", \"auth\": {\"type\": \"none\"},"
                          " \"capabilities\": [{\"name\": \"get_a\", \"detail_url\": \"/a.json\"}]}";
static const char DETAIL[] = "{\"name\": \"get_a\", \"endpoint\": \"/a\", \"method\": \"GET\", \"parameters\": []}";

static agd_discovery begun(uint32_t resources) {
    agd_discovery discovery = AGD_DISCOVERY_INIT;
    agd_discovery_options options = AGD_INIT(agd_discovery_options);
    options.resources = resources;
    CHECK(agd_discovery_begin(&discovery, agd_text_from("https://A.example/x?y"), &options) == AGD_OK);
    CHECK(agd_text_eq_str(agd_discovery_origin(&discovery), "https://a.example"));
    return discovery;
}

/* Answers a request with a status, a body and one header. */
static agd_discovery_answer answered(agd_discovery *discovery, int32_t id, int status, const char *body, const char *name, const char *value,
                                     const agd_stored *stored) {
    agd_http_header header = {agd_text_from(name), agd_text_from(value)};
    agd_discovery_response response = AGD_INIT(agd_discovery_response);
    response.status = status;
    response.headers = &header;
    response.header_count = name == NULL ? 0 : 1;
    response.body = agd_text_from(body);
    response.stored = stored;
    response.now = NOW;
    agd_discovery_answer answer = AGD_INIT(agd_discovery_answer);
    CHECK(agd_discovery_respond(discovery, id, &response, &answer) == AGD_OK);
    return answer;
}

static bool is(agd_text text, const char *expected) {
    return agd_text_eq_str(text, expected);
}

static void a_whole_site(void) {
    agd_discovery discovery = begun(0);
    agd_discovery_request request = AGD_INIT(agd_discovery_request);
    int asked = 0;
    while (agd_discovery_next(&discovery, &request) == AGD_SOME) {
        asked++;
        CHECK(request.url.len > 18 && memcmp(request.url.ptr, "https://a.example/", 18) == 0);
        CHECK(request.cuts == (request.resource == AGD_RESOURCE_ROBOTS_TXT) && request.limit > 500 * 1024);
        agd_discovery_answer answer;
        if (is(request.url, "https://a.example/.well-known/agents.txt")) {
            answer = answered(&discovery, request.id, 302, NULL, "Location", "/moved.txt", NULL);
            CHECK(answer.state == AGD_ATTEMPT_WAITING && answer.format == AGD_FORMAT_UNKNOWN);
        } else if (is(request.url, "https://a.example/moved.txt")) {
            CHECK(is(request.key, "https://a.example/.well-known/agents.txt"));
            answer = answered(&discovery, request.id, 200, TXT, "cache-control", "max-age=600", NULL);
            CHECK(answer.state == AGD_ATTEMPT_FOUND && answer.format == AGD_FORMAT_AGENTS_TXT);
            CHECK(answer.freshness.fresh_until == NOW + 600 && answer.freshness.may_store == AGD_TRUE);
            agd_service service = AGD_INIT(agd_service);
            CHECK(agd_document_service(&answer.document, &service) == AGD_SOME && is(service.name, "A"));
        } else if (is(request.url, "https://a.example/data.json")) {
            CHECK(request.resource == AGD_RESOURCE_COMPANION);
            answer = answered(&discovery, request.id, 200, JSON, "ETag", "\"1\"", NULL);
            CHECK(is(answer.etag, "\"1\"") && answer.last_modified.len == 0);
        } else if (is(request.url, "https://a.example/agent.json")) {
            answer = answered(&discovery, request.id, 302, NULL, "Location", "https://a.example@evil.test/", NULL);
            CHECK(answer.rejection == AGD_REJECTION_INVALID_URL);
        } else if (is(request.url, "https://a.example/.well-known/agents.json")) {
            answer = answered(&discovery, request.id, 200, "{", NULL, NULL, NULL);
            CHECK(answer.rejection == AGD_REJECTION_UNREADABLE);
        } else if (request.resource == AGD_RESOURCE_ROBOTS_TXT) {
            CHECK(agd_discovery_robots(&discovery) == AGD_ROBOTS_RULES_UNKNOWN);
            CHECK(agd_discovery_fail(&discovery, request.id, AGD_FAILURE_TIMEOUT, NOW, NULL) == AGD_OK);
            CHECK(agd_discovery_robots(&discovery) == AGD_ROBOTS_RULES_DISALLOW_ALL);
        } else {
            answer = answered(&discovery, request.id, 404, NULL, NULL, NULL, NULL);
            CHECK(answer.rejection == AGD_REJECTION_NOT_FOUND);
        }
    }
    CHECK(agd_discovery_is_done(&discovery) == AGD_TRUE && asked == 9);
    CHECK(agd_discovery_is_trail_cut(&discovery) == AGD_FALSE && agd_discovery_is_trail_cut(NULL) == AGD_FALSE);

    agd_attempt attempt = AGD_INIT(agd_attempt);
    CHECK(agd_discovery_document(&discovery, 0, &attempt) == AGD_SOME && attempt.resource == AGD_RESOURCE_COMPANION);
    CHECK(agd_discovery_document(&discovery, 1, &attempt) == AGD_SOME && is(attempt.url, "https://a.example/moved.txt"));
    CHECK(attempt.redirects == 1 && attempt.moved == AGD_MOVED_SAME_ORIGIN && attempt.status == 200);
    CHECK(agd_discovery_document(&discovery, 2, &attempt) == AGD_NONE);
    CHECK(agd_discovery_attempt(&discovery, 0, &attempt) == AGD_SOME && attempt.error_kind == AGD_ERROR_INVALID_JSON);
    CHECK(attempt.error_offset == 1);
    size_t count = 0;
    size_t disallowed = 0;
    for (; agd_discovery_attempt(&discovery, count, &attempt) == AGD_SOME; count++) {
        if (attempt.rejection == AGD_REJECTION_ROBOTS_DISALLOWED) {
            CHECK(attempt.status == 0);
            disallowed++;
        }
    }
    /* If robots.txt cannot be fetched, the locations to which it applies are not requested. */
    CHECK(count == 12 && disallowed == 4);
    CHECK(agd_discovery_ask_again_at(&discovery) == NOW + 60);
}

static void the_store(void) {
    agd_stored stored = AGD_INIT(agd_stored);
    stored.url = agd_text_from("https://a.example/.well-known/agents.json");
    stored.body = agd_text_from(JSON);
    stored.etag = agd_text_from("\"1\"");
    stored.freshness = (agd_freshness){NOW, NOW + 100, NOW + 100, 100, AGD_TRUE};

    agd_discovery discovery = begun(1u << AGD_RESOURCE_AGENTS_JSON);
    agd_discovery_request request = AGD_INIT(agd_discovery_request);
    agd_discovery_answer answer = AGD_INIT(agd_discovery_answer);
    CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME);
    CHECK(agd_discovery_recall(&discovery, request.id, &stored, NOW + 100, &answer) == AGD_NONE);
    agd_http_header headers[AGD_DISCOVERY_HEADERS];
    size_t count = 99;
    agd_text name = agd_text_from("Bot/1.0");
    CHECK(agd_discovery_headers(&discovery, request.id, name, &stored, headers, &count) == AGD_OK && count == 3);
    CHECK(is(headers[0].name, "User-Agent") && is(headers[0].value, "Bot/1.0"));
    CHECK(is(headers[1].name, "Accept") && is(headers[2].name, "If-None-Match") && is(headers[2].value, "\"1\""));
    CHECK(agd_discovery_headers(&discovery, request.id, agd_text_from("Bot\r\nX: y"), NULL, headers, &count) == AGD_OK && count == 2);
    CHECK(headers[0].value.len > 10 && memcmp(headers[0].value.ptr, "agentsdisc", 10) == 0);
    answer = answered(&discovery, request.id, 304, NULL, NULL, NULL, &stored);
    CHECK(answer.state == AGD_ATTEMPT_FOUND && is(answer.etag, "\"1\"") && answer.freshness.fresh_until == NOW + 100);
    agd_attempt attempt = AGD_INIT(agd_attempt);
    CHECK(agd_discovery_attempt(&discovery, 0, &attempt) == AGD_SOME && attempt.source == AGD_ANSWER_FROM_REVALIDATED);

    /* An ETag that is not one entity tag is never sent back, and a 304 to a request without validators is an error. */
    static const char *const ODD_TAGS[] = {"*", "1", "w/\"1\"", "\"1\", \"2\"", "\"1"};
    for (size_t i = 0; i < sizeof ODD_TAGS / sizeof *ODD_TAGS; i++) {
        agd_stored odd = stored;
        odd.etag = agd_text_from(ODD_TAGS[i]);
        discovery = begun(1u << AGD_RESOURCE_AGENTS_JSON);
        CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME);
        CHECK(agd_discovery_headers(&discovery, request.id, name, &odd, headers, &count) == AGD_OK && count == 2);
        answer = answered(&discovery, request.id, 304, NULL, NULL, NULL, &odd);
        CHECK(answer.rejection == AGD_REJECTION_NOT_MODIFIED_UNASKED);
        discovery = begun(1u << AGD_RESOURCE_AGENTS_JSON);
        CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME);
        answer = answered(&discovery, request.id, 200, JSON, "ETag", ODD_TAGS[i], NULL);
        CHECK(answer.state == AGD_ATTEMPT_FOUND && answer.etag.len == 0);
    }

    /* A response with `Vary: *` must not be stored and is not fresh. */
    discovery = begun(1u << AGD_RESOURCE_AGENTS_JSON);
    CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME);
    answer = answered(&discovery, request.id, 200, JSON, "Vary", "Accept, *", NULL);
    CHECK(answer.freshness.may_store == AGD_FALSE && answer.freshness.fresh_until == NOW && answer.freshness.ask_again_at == NOW + 60);

    /* A document that must not be stored answers from memory until it may be requested again, and is not sent back. */
    static const char MD[] = "# A\n\n## Can\n- Read\n";
    discovery = begun(1u << AGD_RESOURCE_AGENTS_MD);
    CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME);
    answer = answered(&discovery, request.id, 200, MD, "Cache-Control", "no-store", NULL);
    CHECK(answer.freshness.may_store == AGD_FALSE && answer.freshness.fresh_until == NOW + 3600);
    agd_stored memory = AGD_INIT(agd_stored);
    memory.url = request.url;
    memory.body = agd_text_from(MD);
    memory.etag = agd_text_from("\"1\"");
    memory.freshness = answer.freshness;
    for (uint64_t later = 3599; later <= 3600; later++) {
        agd_discovery again = begun(1u << AGD_RESOURCE_AGENTS_MD);
        CHECK(agd_discovery_next(&again, &request) == AGD_SOME);
        CHECK(agd_discovery_recall(&again, request.id, &memory, NOW + later, &answer) == (later < 3600 ? AGD_SOME : AGD_NONE));
        if (later < 3600)
            CHECK(answer.state == AGD_ATTEMPT_FOUND && answer.format == AGD_FORMAT_AGENTS_MD);
        else
            CHECK(agd_discovery_headers(&again, request.id, name, &memory, headers, &count) == AGD_OK && count == 2);
    }

    /* Port 0 is invalid. */
    discovery = begun(1u << AGD_RESOURCE_AGENTS_JSON);
    CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME);
    answer = answered(&discovery, request.id, 302, NULL, "Location", "https://a.example:0/b", NULL);
    CHECK(answer.rejection == AGD_REJECTION_INVALID_URL);

    discovery = begun(1u << AGD_RESOURCE_AGENTS_JSON);
    CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME);
    CHECK(agd_discovery_recall(&discovery, request.id, &stored, NOW + 99, &answer) == AGD_SOME);
    CHECK(answer.state == AGD_ATTEMPT_FOUND && answer.format == AGD_FORMAT_AGENTS_JSON);
    CHECK(agd_discovery_next(&discovery, &request) == AGD_NONE && agd_discovery_is_done(&discovery) == AGD_TRUE);
}

static void details_and_declarations(void) {
    agd_discovery discovery = begun(1u << AGD_RESOURCE_ADP);
    agd_discovery_request request = AGD_INIT(agd_discovery_request);
    CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME);
    agd_discovery_answer manifest = answered(&discovery, request.id, 200, ADP, NULL, NULL, NULL);
    int32_t rejection = 99;
    CHECK(agd_discovery_ask_detail(&discovery, &manifest.document, agd_text_from("https://b.example/a"), 7, &rejection) == AGD_ERROR_ARGUMENT);
    CHECK(agd_discovery_ask_detail(&discovery, &manifest.document, agd_text_from("https://b.example/a"), AGD_FALSE, &rejection) == AGD_NONE);
    CHECK(rejection == AGD_REJECTION_OFF_SITE);
    CHECK(agd_discovery_ask_detail(&discovery, &manifest.document, agd_text_from("/a.json"), AGD_FALSE, NULL) == AGD_SOME);
    CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME && is(request.url, "https://a.example/api/a.json"));
    agd_discovery_answer detail = answered(&discovery, request.id, 200, DETAIL, NULL, NULL, NULL);
    CHECK(detail.format == AGD_FORMAT_ADP_CAPABILITY);
    CHECK(agd_discovery_ask_detail(&discovery, &detail.document, agd_text_from("/a"), AGD_FALSE, NULL) == AGD_ERROR_WRONG_FORMAT);

    CHECK(agd_discovery_ask_declaration(&discovery, agd_text_from("ftp://bot.test/"), &rejection) == AGD_NONE);
    CHECK(rejection == AGD_REJECTION_INVALID_URL);
    CHECK(agd_discovery_ask_declaration(&discovery, agd_text_from("https://bot.test/agents.txt"), NULL) == AGD_SOME);
    CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME && request.resource == AGD_RESOURCE_DECLARATION);
    static const char BOT[] = "Spec-Version: 1.0\nDeclaration-Type: agent\nSite-Name: Bot\nSite-URL: https://bot.test\n"
                              "Operates-On: https://www.a.example\n";
    agd_discovery_answer declaration = answered(&discovery, request.id, 200, BOT, NULL, NULL, NULL);
    CHECK(agd_discovery_declared(&discovery, &declaration.document) == AGD_DECLARED_NAMED);
    CHECK(agd_discovery_declared(&discovery, &manifest.document) == AGD_DECLARED_NOT_AN_AGENT);
    for (int i = 0; i < 9; i++) {
        agd_status expected = i < 4 ? AGD_SOME : AGD_NONE;
        CHECK(agd_discovery_ask_declaration(&discovery, agd_text_from("https://bot.test/agents.txt"), &rejection) == expected);
        CHECK(rejection == AGD_REJECTION_NONE);
    }
}

static void misuse(void) {
    agd_discovery discovery = AGD_DISCOVERY_INIT;
    agd_discovery_request request = AGD_INIT(agd_discovery_request);
    agd_discovery_answer answer = AGD_INIT(agd_discovery_answer);
    agd_discovery_response response = AGD_INIT(agd_discovery_response);
    agd_attempt attempt = AGD_INIT(agd_attempt);
    agd_text site = agd_text_from("https://a.example");
    CHECK(agd_discovery_next(&discovery, &request) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_discovery_respond(&discovery, 1, &response, &answer) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_discovery_attempt(&discovery, 0, &attempt) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_discovery_is_done(&discovery) == AGD_FALSE && agd_discovery_ask_again_at(&discovery) == 0);
    CHECK(agd_discovery_origin(&discovery).ptr == NULL && agd_discovery_origin(NULL).ptr == NULL);
    CHECK(agd_discovery_begin(NULL, site, NULL) == AGD_ERROR_NULL);
    static const char *const NO_SITES[] = {"", "a b", "ftp://a.example", "https://a@b.example", "https://a.example:0", "https://b\303\274cher.example"};
    for (size_t i = 0; i < sizeof NO_SITES / sizeof *NO_SITES; i++)
        CHECK(agd_discovery_begin(&discovery, agd_text_from(NO_SITES[i]), NULL) == AGD_ERROR_SITE);
    CHECK(agd_discovery_begin(&discovery, agd_text_from(NULL), NULL) == AGD_ERROR_NULL);
    CHECK(agd_discovery_next(&discovery, &request) == AGD_ERROR_UNINITIALISED);
    agd_discovery_options options = AGD_INIT(agd_discovery_options);
    options.resources = 1u << 31;
    CHECK(agd_discovery_begin(&discovery, site, &options) == AGD_ERROR_ARGUMENT);
    options.resources = 0;
    options.shared = 7;
    CHECK(agd_discovery_begin(&discovery, site, &options) == AGD_ERROR_ARGUMENT);

    CHECK(agd_discovery_begin(&discovery, site, NULL) == AGD_OK);
    /* Texts inside the discovery would be overwritten before they are read. */
    CHECK(agd_discovery_begin(&discovery, agd_discovery_origin(&discovery), NULL) == AGD_ERROR_ARGUMENT);
    CHECK(agd_discovery_next(&discovery, &request) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_discovery_begin(&discovery, site, NULL) == AGD_OK);
    agd_discovery_request unsized_request = {0};
    CHECK(agd_discovery_next(&discovery, NULL) == AGD_ERROR_NULL);
    CHECK(agd_discovery_next(&discovery, &unsized_request) == AGD_ERROR_STRUCT_SIZE);
    CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME);
    CHECK(agd_discovery_respond(&discovery, request.id + 1, &response, &answer) == AGD_ERROR_ARGUMENT);
    CHECK(agd_discovery_respond(&discovery, -1, &response, &answer) == AGD_ERROR_ARGUMENT);
    CHECK(agd_discovery_respond(&discovery, request.id, NULL, &answer) == AGD_ERROR_NULL);
    response.header_count = 3;
    CHECK(agd_discovery_respond(&discovery, request.id, &response, &answer) == AGD_ERROR_NULL);
    response.header_count = 0;
    CHECK(agd_discovery_fail(&discovery, request.id, 77, NOW, NULL) == AGD_ERROR_ARGUMENT);
    CHECK(agd_discovery_recall(&discovery, request.id, NULL, NOW, &answer) == AGD_ERROR_NULL);
    agd_stored stored = AGD_INIT(agd_stored);
    stored.rejection = 1000;
    CHECK(agd_discovery_recall(&discovery, request.id, &stored, NOW, &answer) == AGD_ERROR_ARGUMENT);
    response.status = -5;
    CHECK(agd_discovery_respond(&discovery, request.id, &response, &answer) == AGD_OK);
    CHECK(answer.rejection == AGD_REJECTION_UNEXPECTED_STATUS);
    CHECK(agd_discovery_respond(&discovery, request.id, &response, NULL) == AGD_ERROR_ARGUMENT);
    CHECK(agd_discovery_declared(&discovery, NULL) == AGD_ERROR_NULL);
    CHECK(strcmp(agd_rejection_code(AGD_REJECTION_OFF_SITE), "off-site") == 0 && agd_rejection_message(1000) != NULL);
    CHECK(strcmp(agd_resource_id(AGD_RESOURCE_AGENTS_MD), "agents-md") == 0);
}

/* A copy is an independent discovery. */
static void copies(void) {
    agd_discovery one = begun(0), two;
    agd_discovery_request request = AGD_INIT(agd_discovery_request);
    CHECK(agd_discovery_next(&one, &request) == AGD_SOME);
    memcpy(&two, &one, sizeof two);
    answered(&one, request.id, 404, NULL, NULL, NULL, NULL);
    agd_attempt attempt = AGD_INIT(agd_attempt);
    CHECK(agd_discovery_attempt(&one, 0, &attempt) == AGD_SOME && attempt.state == AGD_ATTEMPT_REJECTED);
    CHECK(agd_discovery_attempt(&two, 0, &attempt) == AGD_SOME && attempt.state == AGD_ATTEMPT_OPEN);
    answered(&two, request.id, 200, JSON, NULL, NULL, NULL);
    CHECK(agd_discovery_document(&two, 0, &attempt) == AGD_SOME && agd_discovery_document(&one, 0, &attempt) == AGD_NONE);
}

/* The documents to which the home page points, and the recorded pointers. */
static void the_trail(void) {
    static const char PAGE[] = "<!doctype html><link rel=\"agent-card\" href=\"/card.json\">";
    for (int32_t follow = AGD_FOLLOW_SAME_SITE; follow <= AGD_FOLLOW_ANY; follow++) {
        agd_discovery discovery = AGD_DISCOVERY_INIT;
        agd_discovery_options options = AGD_INIT(agd_discovery_options);
        options.resources = 1u << AGD_RESOURCE_HOME | 1u << AGD_RESOURCE_ROBOTS_TXT;
        options.follow = follow;
        CHECK(agd_discovery_begin(&discovery, agd_text_from("a.example"), &options) == AGD_OK);
        agd_discovery_request request = AGD_INIT(agd_discovery_request);
        agd_discovery_answer answer = AGD_INIT(agd_discovery_answer);
        CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME && request.heeds_robots == AGD_FALSE);
        answered(&discovery, request.id, 200, "User-agent: *\nDisallow: /card.json\n", NULL, NULL, NULL);
        if (follow == AGD_FOLLOW_NOTHING) {
            CHECK(agd_discovery_next(&discovery, &request) == AGD_NONE);
            continue;
        }
        CHECK(agd_discovery_next(&discovery, &request) == AGD_SOME && request.resource == AGD_RESOURCE_HOME);
        CHECK(request.heeds_robots == AGD_TRUE && request.cuts == AGD_TRUE && request.limit == 64 * 1024);
        answer = answered(&discovery, request.id, 200, PAGE, "Link", "<https://b.example/c.json>; rel=\"ai-catalog\"", NULL);
        CHECK(answer.state == AGD_ATTEMPT_PAGE && answer.format == AGD_FORMAT_UNKNOWN && answer.attempt == 1 && answer.own == AGD_FALSE);

        agd_attempt attempt = AGD_INIT(agd_attempt);
        CHECK(agd_discovery_attempt(&discovery, 1, &attempt) == AGD_SOME && attempt.own == AGD_TRUE && attempt.state == AGD_ATTEMPT_PAGE);
        CHECK(attempt.pointing == AGD_POINTING_NONE && attempt.source_url.ptr == NULL && attempt.relation.ptr == NULL);
        CHECK(agd_discovery_attempt(&discovery, 2, &attempt) == AGD_SOME && is(attempt.key, "https://b.example/c.json"));
        CHECK(attempt.pointing == AGD_POINTING_LINK_HEADER && is(attempt.relation, "ai-catalog"));
        CHECK(is(attempt.source_url, "https://a.example/") && attempt.pointer_end == 0 && attempt.own == AGD_FALSE);
        CHECK(attempt.rejection == (follow == AGD_FOLLOW_ANY ? AGD_REJECTION_NONE : AGD_REJECTION_OFF_SITE));
        CHECK(agd_discovery_attempt(&discovery, 3, &attempt) == AGD_SOME && is(attempt.key, "https://a.example/card.json"));
        CHECK(attempt.pointing == AGD_POINTING_LINK_ELEMENT && attempt.own == AGD_TRUE);
        CHECK(attempt.pointer_end - attempt.pointer_start == 10 && memcmp(PAGE + attempt.pointer_start, "/card.json", 10) == 0);

        while (agd_discovery_next(&discovery, &request) == AGD_SOME) {
            CHECK(request.resource == AGD_RESOURCE_LINKED);
            CHECK(request.heeds_robots == (is(request.url, "https://a.example/card.json") ? AGD_TRUE : AGD_FALSE));
            if (request.heeds_robots == AGD_TRUE) {
                CHECK(agd_discovery_fail(&discovery, request.id, AGD_FAILURE_DISALLOWED, NOW, &answer) == AGD_OK);
                CHECK(answer.rejection == AGD_REJECTION_ROBOTS_DISALLOWED && answer.freshness.ask_again_at == NOW);
            } else {
                answered(&discovery, request.id, 200, "{\"specVersion\": \"1.0\", \"entries\": []}", NULL, NULL, NULL);
            }
        }
        /* A document of another site does not count as a document of this site. */
        CHECK(agd_discovery_document(&discovery, 0, &attempt) == AGD_NONE);
        CHECK(strcmp(agd_pointing_id(AGD_POINTING_LINK_HEADER), "link-header") == 0);
    }
    agd_discovery discovery = AGD_DISCOVERY_INIT;
    agd_discovery_options options = AGD_INIT(agd_discovery_options);
    options.follow = 3;
    CHECK(agd_discovery_begin(&discovery, agd_text_from("a.example"), &options) == AGD_ERROR_ARGUMENT);
}

int main(void) {
    a_whole_site();
    the_trail();
    the_store();
    details_and_declarations();
    misuse();
    copies();
    return result("discovery");
}
