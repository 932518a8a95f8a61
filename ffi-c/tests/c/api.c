/* Tests each part of the API with known documents. */
#include "agentsdisc.h"
#include "common.h"

static const char JSON[] = "{\"specVersion\": \"1.0\", \"site\": {\"name\": \"Mug \\\"Shop\\\"\", \"url\": \"https:\\/\\/mugs.example\"},\n"
                           " \"capabilities\": [{\"id\": \"search\", \"endpoint\": \"https://mugs.example/s\", \"protocol\": \"REST\",\n"
                           "   \"parameters\": [{\"name\": \"q\", \"in\": \"query\", \"type\": \"string\", \"required\": true}],\n"
                           "   \"rateLimit\": {\"requests\": 60, \"window\": \"minute\"}, \"auth\": {\"type\": \"api_key\"},\n"
                           "   \"colours\": [\"red\", {\"deep\": 6.0e1}, false, null]},\n"
                           "  {\"id\": \"buy\", \"endpoint\": \"https://mugs.example/b\", \"protocol\": \"TELEPATHY\"}],\n"
                           " \"agents\": {\"*\": {}, \"nobody\": {\"capabilities\": []}, \"one\": {\"capabilities\": [\"search\"]}}}";

static const char TEXT[] = "Spec-Version: 1.0\nSite-Name: Mug Shop\nSite-URL: https://mugs.example\n\n"
                           "Capability: search\n  Endpoint: https://mugs.example/s\n  Protocol: REST\n  Rate-Limit: 60/minute\n\n"
                           "Allow: /a\nDisallow: /b\nDisallow: /c\n";

static void versions(void) {
    CHECK(strcmp(agd_version(), AGD_VERSION) == 0);
    CHECK(agd_version_number() == AGD_VERSION_NUMBER);
}

static void statuses(void) {
    for (agd_status status = -64; status < 64; status++) {
        CHECK(agd_status_message(status) != NULL && agd_status_message(status)[0] != '\0');
        CHECK(agd_status_name(status) != NULL && agd_status_name(status)[0] != '\0');
    }
    CHECK(strcmp(agd_status_name(AGD_ERROR_INVALID_JSON), "invalid-json") == 0);
    CHECK(strcmp(agd_status_name(12345), "unknown") == 0);
}

static void formats(void) {
    CHECK(strcmp(agd_format_id(AGD_FORMAT_AGENTS_TXT), "agents-txt") == 0);
    CHECK(strcmp(agd_format_id(999), "unknown") == 0);
    CHECK(agd_format_from_id(agd_text_from("agents-json")) == AGD_FORMAT_AGENTS_JSON);
    CHECK(agd_format_from_id(agd_text_from("no such format")) == AGD_UNSAID);
    CHECK(agd_format_from_id(agd_text_from(NULL)) == AGD_UNSAID);
    CHECK(agd_format_is_read(AGD_FORMAT_AGENTS_JSON) == AGD_TRUE);
    CHECK(agd_format_is_read(AGD_FORMAT_HTML) == AGD_FALSE);
    CHECK(agd_format_is_read(-7) == AGD_FALSE);
    for (int32_t format = -1; format < 64; format++)
        CHECK(agd_format_is_built_in(format) == agd_format_is_read(format));
}

static void texts(void) {
    agd_document document = AGD_DOCUMENT_INIT;
    CHECK(agd_parse(JSON, strlen(JSON), NULL, &document, NULL) == AGD_OK);
    agd_service service = AGD_INIT(agd_service);
    CHECK(agd_document_service(&document, &service) == AGD_SOME);
    CHECK((service.name.flags & AGD_TEXT_ESCAPED) != 0);
    CHECK(agd_text_eq_str(service.name, "Mug \"Shop\""));
    CHECK(!agd_text_eq_str(service.name, "mug \"shop\""));
    CHECK(agd_text_eq_str_ignore_case(service.name, "mug \"shop\""));
    CHECK(agd_text_eq(service.name, service.name));
    CHECK(!agd_text_eq(service.name, service.url));
    CHECK(agd_text_eq_ignore_case(service.url, agd_text_from("HTTPS://mugs.example")));
    CHECK(service.description.ptr == NULL);

    char small[10], exact[11];
    size_t length = 0;
    CHECK(agd_text_decode(service.name, NULL, 0, &length) == AGD_ERROR_BUFFER_TOO_SMALL && length == 10);
    memset(small, 'x', sizeof small);
    CHECK(agd_text_decode(service.name, small, sizeof small, &length) == AGD_ERROR_BUFFER_TOO_SMALL && length == 10 && small[0] == '\0');
    CHECK(agd_text_decode(service.name, exact, sizeof exact, NULL) == AGD_OK && strcmp(exact, "Mug \"Shop\"") == 0);
    CHECK(agd_text_decode(service.description, exact, sizeof exact, &length) == AGD_NONE && length == 0 && exact[0] == '\0');

    CHECK(agd_text_decode((agd_text){"a\xff", 2, 0}, exact, sizeof exact, &length) == AGD_OK && strcmp(exact, "a\xef\xbf\xbd") == 0);

    size_t start = 0, end = 0;
    uint32_t line = 0, column = 0;
    CHECK(agd_document_span(&document, service.url, &start, &end) == AGD_OK);
    CHECK(end - start == service.url.len && JSON + start == service.url.ptr);
    CHECK(agd_document_span(&document, agd_text_from("elsewhere"), &start, &end) == AGD_ERROR_ARGUMENT);
    CHECK(agd_document_position(&document, 64, &line, &column) == AGD_OK && line == 1 && column == 65);
    CHECK(agd_document_position(&document, (size_t)-1, &line, NULL) == AGD_OK && line == 7);
}

static void capabilities(void) {
    agd_document document = AGD_DOCUMENT_INIT;
    CHECK(agd_parse(JSON, strlen(JSON), NULL, &document, NULL) == AGD_OK);
    agd_document copy = document;
    memset(&document, 0, sizeof document);

    agd_capabilities list = agd_document_capabilities(&copy);
    agd_capabilities again = list;
    agd_capability capability = AGD_INIT(agd_capability);
    CHECK(agd_capabilities_next(&list, &capability) == AGD_SOME);
    CHECK(agd_text_eq_str(capability.id, "search"));
    CHECK(capability.protocol.value == AGD_PROTOCOL_REST && agd_text_eq_str(capability.protocol.text, "REST"));
    CHECK(capability.auth_type.value == AGD_AUTH_API_KEY && strcmp(agd_auth_name(capability.auth_type.value), "api-key") == 0);
    CHECK(capability.requires_session == AGD_UNSAID && capability.execution.value == AGD_UNSAID && capability.poll_url.ptr == NULL);
    CHECK(capability.source.ptr != NULL && capability.source.ptr[0] == '{');

    agd_parameter parameter = AGD_INIT(agd_parameter);
    CHECK(agd_parameters_next(&capability.parameters, &parameter) == AGD_SOME);
    CHECK(agd_text_eq_str(parameter.name, "q") && parameter.location.value == AGD_LOCATION_QUERY && parameter.required == AGD_TRUE);
    CHECK(parameter.default_value.kind == AGD_VALUE_ABSENT);
    CHECK(agd_parameters_next(&capability.parameters, &parameter) == AGD_NONE);
    CHECK(agd_parameters_next(&capability.parameters, &parameter) == AGD_NONE);
    CHECK(agd_text_eq_str(parameter.name, "q"));

    agd_rate_limit limit = AGD_INIT(agd_rate_limit);
    CHECK(agd_rate_limits_next(&capability.rate_limits, &limit) == AGD_SOME);
    CHECK(limit.requests == 60 && limit.window.value == AGD_WINDOW_MINUTE && limit.window_seconds == 60);

    agd_member member;
    CHECK(agd_members_next(&capability.metadata, &member) == AGD_SOME && agd_text_eq_str(member.name, "colours"));
    CHECK(member.value.kind == AGD_VALUE_ARRAY);
    agd_json_elements elements;
    agd_value value;
    uint64_t number = 0;
    CHECK(agd_value_elements(&member.value, &elements) == AGD_OK);
    CHECK(agd_json_elements_next(&elements, &value) == AGD_SOME && value.kind == AGD_VALUE_STRING && agd_text_eq_str(value.text, "red"));
    /* A walk that fails to start does not continue with its previous state. */
    agd_json_elements none = elements;
    agd_value unread;
    CHECK(agd_value_elements(&value, &none) == AGD_ERROR_ARGUMENT);
    CHECK(agd_json_elements_next(&none, &unread) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_json_elements_next(&elements, &value) == AGD_SOME && value.kind == AGD_VALUE_OBJECT);
    agd_json_members members;
    CHECK(agd_value_members(&value, &members) == AGD_OK);
    CHECK(agd_json_members_next(&members, &member) == AGD_SOME && agd_text_eq_str(member.name, "deep"));
    CHECK(agd_value_u64(&member.value, &number) == AGD_SOME && number == 60);
    CHECK(agd_json_members_next(&members, &member) == AGD_NONE);
    CHECK(agd_json_elements_next(&elements, &value) == AGD_SOME && agd_value_bool(&value) == AGD_FALSE);
    CHECK(agd_value_u64(&value, &number) == AGD_ERROR_ARGUMENT);
    CHECK(agd_json_elements_next(&elements, &value) == AGD_SOME && value.kind == AGD_VALUE_NULL && agd_value_bool(&value) == AGD_UNSAID);
    CHECK(agd_json_elements_next(&elements, &value) == AGD_NONE);

    CHECK(agd_capabilities_next(&list, &capability) == AGD_SOME);
    CHECK(capability.protocol.value == AGD_PROTOCOL_UNKNOWN && agd_text_eq_str(capability.protocol.text, "TELEPATHY"));
    CHECK(capability.auth_type.value == AGD_UNSAID);
    CHECK(agd_parameters_next(&capability.parameters, &parameter) == AGD_NONE);
    CHECK(agd_capabilities_next(&list, &capability) == AGD_NONE);
    CHECK(agd_capabilities_next(&again, &capability) == AGD_SOME && agd_text_eq_str(capability.id, "search"));
}

static void agents_distinguish_all_from_none(void) {
    agd_document document = AGD_DOCUMENT_INIT;
    CHECK(agd_parse(JSON, strlen(JSON), NULL, &document, NULL) == AGD_OK);
    agd_agents list = agd_document_agents(&document);
    agd_agent agent = AGD_INIT(agd_agent);
    agd_text id;
    CHECK(agd_agents_next(&list, &agent) == AGD_SOME && agd_text_eq_str(agent.name, "*") && agent.grant == AGD_CAPABILITIES_ALL);
    CHECK(agd_texts_next(&agent.capabilities, &id) == AGD_NONE);
    CHECK(agd_agents_next(&list, &agent) == AGD_SOME && agd_text_eq_str(agent.name, "nobody") && agent.grant == AGD_CAPABILITIES_LISTED);
    CHECK(agd_texts_next(&agent.capabilities, &id) == AGD_NONE);
    CHECK(agd_agents_next(&list, &agent) == AGD_SOME && agd_text_eq_str(agent.name, "one") && agent.grant == AGD_CAPABILITIES_LISTED);
    CHECK(agd_texts_next(&agent.capabilities, &id) == AGD_SOME && agd_text_eq_str(id, "search"));
    CHECK(agd_agents_next(&list, &agent) == AGD_NONE);
}

static void text_documents(void) {
    agd_document document = AGD_DOCUMENT_INIT;
    agd_options options = AGD_INIT(agd_options);
    options.url = agd_text_from("https://mugs.example/.well-known/agents.txt");
    CHECK(agd_parse(TEXT, strlen(TEXT), &options, &document, NULL) == AGD_OK);
    CHECK(agd_document_format(&document) == AGD_FORMAT_AGENTS_TXT);
    agd_head head = AGD_INIT(agd_head);
    CHECK(agd_document_head(&document, &head) == AGD_SOME);
    CHECK(agd_text_eq_str(head.spec_version, "1.0") && head.kind.value == AGD_KIND_PLATFORM && head.kind.text.ptr == NULL);
    CHECK(head.cache_seconds == AGD_UNSAID && head.request_example.kind == AGD_VALUE_ABSENT);
    agd_access access = AGD_INIT(agd_access);
    agd_text path;
    CHECK(agd_document_access(&document, &access) == AGD_SOME);
    CHECK(agd_texts_next(&access.disallow, &path) == AGD_SOME && agd_text_eq_str(path, "/b"));
    CHECK(agd_texts_next(&access.disallow, &path) == AGD_SOME && agd_text_eq_str(path, "/c"));
    CHECK(agd_texts_next(&access.disallow, &path) == AGD_NONE);
    agd_pricing pricing = AGD_INIT(agd_pricing);
    CHECK(agd_document_pricing(&document, &pricing) == AGD_NONE);
}

static void errors(void) {
    agd_document document = AGD_DOCUMENT_INIT;
    agd_error error;
    agd_options options = AGD_INIT(agd_options);
    const char broken[] = "{\"specVersion\": \"1.0\",\n \"site\": ?}";
    CHECK(agd_parse(broken, strlen(broken), NULL, &document, &error) == AGD_ERROR_INVALID_JSON);
    CHECK(error.kind == AGD_ERROR_INVALID_JSON && error.line == 2 && error.offset == strlen("{\"specVersion\": \"1.0\",\n \"site\": "));
    CHECK(strlen(error.message) > 0);
    CHECK(agd_document_format(&document) == AGD_FORMAT_UNKNOWN);
    const char html[] = "<!doctype html><title>404</title>";
    CHECK(agd_parse(html, strlen(html), NULL, &document, &error) == AGD_ERROR_NOT_A_DISCOVERY_DOCUMENT && error.format == AGD_FORMAT_HTML);
    CHECK(agd_parse("", 0, NULL, &document, &error) == AGD_ERROR_UNKNOWN_FORMAT && error.line == 1 && error.column == 1);
    options.max_document = 10;
    CHECK(agd_parse(TEXT, strlen(TEXT), &options, &document, &error) == AGD_ERROR_TOO_LARGE && error.offset == 10);
    options.max_document = 0;
    options.max_line = 10;
    CHECK(agd_parse(TEXT, strlen(TEXT), &options, &document, &error) == AGD_ERROR_LINE_TOO_LONG);
    options.max_line = 0;
    options.format = AGD_FORMAT_AGENTS_JSON;
    CHECK(agd_parse("[]", 2, &options, &document, &error) == AGD_ERROR_WRONG_FORMAT);
    CHECK(agd_parse("{}", 2, &options, &document, &error) == AGD_OK && error.kind == AGD_OK && error.line == 0);
    agd_value value;
    CHECK(agd_json_parse("[1, 2", 5, &value, &error) == AGD_ERROR_INVALID_JSON && error.offset == 5);
    CHECK(agd_json_parse("{}", 2, &value, &error) == AGD_OK && error.kind == AGD_OK && value.kind == AGD_VALUE_OBJECT);
    CHECK(agd_json_parse("?", 1, &value, &error) == AGD_ERROR_INVALID_JSON && value.kind == AGD_VALUE_OBJECT);
    CHECK(agd_json_parse(" true ", 6, &value, NULL) == AGD_OK && value.kind == AGD_VALUE_BOOL && agd_value_bool(&value) == AGD_TRUE);
}

static void detection(void) {
    agd_detection detection = AGD_INIT(agd_detection);
    agd_text sign;
    CHECK(agd_detect(JSON, strlen(JSON), NULL, &detection) == AGD_SOME);
    CHECK(detection.format == AGD_FORMAT_AGENTS_JSON && detection.by_hint == AGD_FALSE);
    CHECK(agd_detection_sign(&detection, 0, &sign) == AGD_SOME && sign.len > 0);
    CHECK(agd_detection_sign(&detection, 64, &sign) == AGD_NONE);
    CHECK(agd_detect(TEXT, strlen(TEXT), NULL, &detection) == AGD_SOME);
    CHECK(detection.format == AGD_FORMAT_AGENTS_TXT && detection.agents_txt_votes >= 2);
    CHECK(agd_detect(NULL, 0, NULL, &detection) == AGD_SOME && detection.format == AGD_FORMAT_UNKNOWN);
}

typedef struct {
    size_t diagnosed_count;
    size_t errors;
} seen;

static bool first_only(void *user, const agd_diagnostic *diagnostic) {
    seen *so_far = user;
    char small[4], message[512];
    size_t length = 0;
    so_far->diagnosed_count++;
    so_far->errors += diagnostic->severity == AGD_SEVERITY_ERROR;
    CHECK(agd_diagnostic_message(diagnostic, small, sizeof small, &length) == AGD_ERROR_BUFFER_TOO_SMALL && length > 4 && small[0] == '\0');
    CHECK(agd_diagnostic_message(diagnostic, message, sizeof message, &length) == AGD_OK && strlen(message) == length);
    return false;
}

static void diagnostics(void) {
    const char poor[] = "Spec-Version: 1.0\nSite-Name: x\nCapability: a\nCapability: a\n";
    agd_document document = AGD_DOCUMENT_INIT;
    CHECK(agd_parse(poor, strlen(poor), NULL, &document, NULL) == AGD_OK);
    agd_counts counts;
    CHECK(agd_check_count(&document, NULL, &counts) == AGD_OK && counts.errors >= 2);
    seen so_far = {0, 0};
    CHECK(agd_check(&document, NULL, first_only, &so_far) == AGD_OK && so_far.diagnosed_count == 1);
    CHECK(agd_check(&document, NULL, NULL, NULL) == AGD_OK);
    agd_check_options options = AGD_INIT(agd_check_options);
    options.max = 1;
    agd_counts few;
    CHECK(agd_check_count(&document, &options, &few) == AGD_OK && few.errors + few.warnings + few.infos <= 2);
}

static void diagnostics_in_order(void) {
    const char poor[] = "Spec-Version: 1.0\nCapability: a\nCapability: a\n  Protocol: X\n  Rate-Limit: 0/minute\nCapability: a\nColour: red\n";
    agd_document document = AGD_DOCUMENT_INIT;
    CHECK(agd_parse(poor, strlen(poor), NULL, &document, NULL) == AGD_OK);
    agd_counts counts;
    size_t found = 0;
    CHECK(agd_check_count(&document, NULL, &counts) == AGD_OK);
    CHECK(agd_check_sorted(&document, NULL, NULL, 0, 0, &found) == AGD_ERROR_BUFFER_TOO_SMALL);
    CHECK(found == counts.errors + counts.warnings + counts.infos && found > 5 && found < 64);

    agd_diagnostic all[64];
    memset(all, 0x55, sizeof all);
    CHECK(agd_check_sorted(&document, NULL, all, sizeof *all, 64, &found) == AGD_OK);
    agd_counts again = {0, 0, 0};
    for (size_t i = 0; i < found; i++) {
        char message[512];
        uint32_t line = 0, column = 0;
        CHECK(all[i].size == sizeof *all && all[i].reserved == 0);
        CHECK(i == 0 || all[i - 1].start <= all[i].start);
        CHECK(agd_document_position(&document, all[i].start, &line, &column) == AGD_OK);
        CHECK(all[i].line == line && all[i].column == column);
        CHECK(agd_diagnostic_message(&all[i], message, sizeof message, NULL) == AGD_OK && message[0] != '\0');
        *(all[i].severity == AGD_SEVERITY_ERROR ? &again.errors : all[i].severity == AGD_SEVERITY_WARNING ? &again.warnings : &again.infos) += 1;
    }
    CHECK(again.errors == counts.errors && again.warnings == counts.warnings && again.infos == counts.infos);

    /* A smaller array keeps the first diagnostics in order. */
    for (size_t room = 1; room < found; room++) {
        agd_diagnostic few[64];
        size_t same = 0;
        memset(few, 0x55, sizeof few);
        CHECK(agd_check_sorted(&document, NULL, few, sizeof *few, room, &same) == AGD_ERROR_BUFFER_TOO_SMALL && same == found);
        for (size_t i = 0; i < room; i++)
            CHECK(few[i].start == all[i].start && agd_text_eq(few[i].code, all[i].code) && few[i].severity == all[i].severity);
        CHECK(few[room].size != sizeof *few); /* no element after the capacity */
    }

    /* A program with more members than the library. */
    struct {
        agd_diagnostic diagnostic;
        uint64_t newer;
    } later[64];
    memset(later, 0, sizeof later);
    CHECK(agd_check_sorted(&document, NULL, &later[0].diagnostic, sizeof *later, 64, NULL) == AGD_OK);
    for (size_t i = 0; i < found; i++)
        CHECK(later[i].diagnostic.start == all[i].start && later[i].diagnostic.size == sizeof *later && later[i].newer == 0);

    CHECK(agd_check_sorted(&document, NULL, NULL, sizeof *all, 1, &found) == AGD_ERROR_NULL);
    CHECK(agd_check_sorted(&document, NULL, all, 8, 1, &found) == AGD_ERROR_STRUCT_SIZE);
    CHECK(agd_check_sorted(&document, NULL, all, sizeof *all + 1, 1, &found) == AGD_ERROR_ARGUMENT);
    CHECK(agd_check_sorted(&document, NULL, all, sizeof *all, SIZE_MAX / 2, &found) == AGD_ERROR_ARGUMENT);
    CHECK(agd_check_sorted(NULL, NULL, all, sizeof *all, 64, &found) == AGD_ERROR_NULL);
}

static void scratch_for_many_names(void) {
    static char many[16384];
    static uint32_t scratch[1024];
    size_t used = (size_t)snprintf(many, sizeof many, "Spec-Version: 1.0\nSite-Name: x\nSite-URL: https://x.example\n");
    for (int i = 0; i < 300; i++)
        used += (size_t)snprintf(many + used, sizeof many - used, "Capability: c%d\nEndpoint: /c\n", i % 299);
    agd_document document = AGD_DOCUMENT_INIT;
    CHECK(agd_parse(many, used, NULL, &document, NULL) == AGD_OK);
    static agd_diagnostic items[1001];
    const char *code[] = {"not-checked", "duplicate-id"};
    agd_check_options options = AGD_INIT(agd_check_options);
    options.max = 1000;
    for (int lent = 0; lent < 2; lent++) {
        size_t found = 0, with_code = 0, other = 0;
        CHECK(agd_check_sorted(&document, &options, items, sizeof *items, 1001, &found) == AGD_OK);
        for (size_t i = 0; i < found; i++) {
            with_code += agd_text_eq_str(items[i].code, code[lent]);
            other += agd_text_eq_str(items[i].code, code[1 - lent]);
        }
        CHECK(with_code > 0 && other == 0);
        options.scratch = scratch;
        options.scratch_length = 1024;
    }
    agd_counts counts;
    options.scratch = NULL;
    CHECK(agd_check_count(&document, &options, &counts) == AGD_ERROR_NULL);
    options.scratch = scratch;
    options.scratch_length = SIZE_MAX;
    CHECK(agd_check_count(&document, &options, &counts) == AGD_ERROR_ARGUMENT);
    /* A program compiled with the first version, without scratch memory. */
    options.size = offsetof(agd_check_options, scratch);
    CHECK(agd_check_count(&document, &options, &counts) == AGD_OK);
    options.size -= 1;
    CHECK(agd_check_count(&document, &options, &counts) == AGD_ERROR_STRUCT_SIZE);
}

int main(void) {
    versions();
    statuses();
    formats();
    texts();
    capabilities();
    agents_distinguish_all_from_none();
    text_documents();
    errors();
    detection();
    diagnostics();
    diagnostics_in_order();
    scratch_for_many_names();
    return result("api");
}
