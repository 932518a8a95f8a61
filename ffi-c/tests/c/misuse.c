/* Detectable misuse returns an error and is never undefined: NULL, zeroed state, wrong sizes and numbers, small buffers. */
#include "agentsdisc.h"
#include "common.h"

static const char TEXT[] = "Spec-Version: 1.0\nSite-Name: Mug Shop\nSite-URL: https://mugs.example\nCapability: search\n";

static agd_document small(void) {
    agd_document document = AGD_DOCUMENT_INIT;
    CHECK(agd_parse(TEXT, strlen(TEXT), NULL, &document, NULL) == AGD_OK);
    return document;
}

static void null_bytes(void) {
    agd_document document = AGD_DOCUMENT_INIT;
    agd_error error;
    agd_value value;
    agd_detection detection = AGD_INIT(agd_detection);
    CHECK(agd_parse(NULL, 0, NULL, &document, &error) == AGD_ERROR_UNKNOWN_FORMAT && error.kind == AGD_ERROR_UNKNOWN_FORMAT);
    CHECK(agd_parse(NULL, 7, NULL, &document, &error) == AGD_ERROR_NULL && error.kind == AGD_ERROR_NULL && error.line == 0);
    CHECK(error.message != NULL);
    CHECK(agd_parse(TEXT, SIZE_MAX, NULL, &document, &error) == AGD_ERROR_ARGUMENT);
    CHECK(agd_parse(TEXT, strlen(TEXT), NULL, NULL, &error) == AGD_ERROR_NULL);
    CHECK(agd_parse(TEXT, strlen(TEXT), NULL, NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_detect(NULL, 7, NULL, &detection) == AGD_ERROR_NULL);
    CHECK(agd_detect(TEXT, 7, NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_json_parse(NULL, 7, &value, NULL) == AGD_ERROR_NULL);
    CHECK(agd_json_parse("1", 1, NULL, NULL) == AGD_ERROR_NULL);
}

static void failed_parse_leaves_no_document(void) {
    agd_document document = small();
    agd_head head = AGD_INIT(agd_head);
    CHECK(agd_parse("{", 1, NULL, &document, NULL) == AGD_ERROR_INVALID_JSON);
    CHECK(agd_document_head(&document, &head) == AGD_ERROR_UNINITIALISED);
}

static void options_with_wrong_numbers(void) {
    agd_document document = AGD_DOCUMENT_INIT;
    agd_options options = AGD_INIT(agd_options);
    options.format = 12345;
    CHECK(agd_parse(TEXT, strlen(TEXT), &options, &document, NULL) == AGD_ERROR_ARGUMENT);
    options.format = -1;
    CHECK(agd_parse(TEXT, strlen(TEXT), &options, &document, NULL) == AGD_ERROR_ARGUMENT);
    options.format = AGD_FORMAT_UNKNOWN;
    options.url = agd_text_from("\xff");
    CHECK(agd_parse(TEXT, strlen(TEXT), &options, &document, NULL) == AGD_ERROR_ARGUMENT);
    options.url = (agd_text){NULL, 5, 0};
    CHECK(agd_parse(TEXT, strlen(TEXT), &options, &document, NULL) == AGD_ERROR_NULL);
    options.url = (agd_text){"x", 1, 0xffffffff};
    CHECK(agd_parse(TEXT, strlen(TEXT), &options, &document, NULL) == AGD_ERROR_ARGUMENT);
    options.size = 0;
    CHECK(agd_parse(TEXT, strlen(TEXT), &options, &document, NULL) == AGD_ERROR_STRUCT_SIZE);
}

static void a_known_format(void) {
    static const char CARD[] = "{\"name\": \"x\"}";
    agd_document document = small();
    agd_error error;
    agd_options options = AGD_INIT(agd_options);
    CHECK(agd_parse_as(TEXT, strlen(TEXT), AGD_FORMAT_AGENTS_TXT, NULL, &document, &error) == AGD_OK && error.kind == AGD_OK);
    CHECK(agd_document_format(&document) == AGD_FORMAT_AGENTS_TXT);
    CHECK(agd_parse_as(CARD, strlen(CARD), AGD_FORMAT_A2A_AGENT_CARD, &options, &document, NULL) == AGD_OK);
    CHECK(agd_document_format(&document) == AGD_FORMAT_A2A_AGENT_CARD);
    options.format = AGD_FORMAT_AWP;
    CHECK(agd_parse_as(CARD, strlen(CARD), AGD_FORMAT_A2A_AGENT_CARD, &options, &document, NULL) == AGD_ERROR_ARGUMENT);
    CHECK(agd_document_format(&document) == AGD_FORMAT_UNKNOWN);
    CHECK(agd_parse_as(CARD, strlen(CARD), AGD_FORMAT_AWP, &options, &document, NULL) == AGD_OK);
    CHECK(agd_parse_as("[", 1, AGD_FORMAT_AWP, NULL, &document, &error) == AGD_ERROR_INVALID_JSON && error.kind == AGD_ERROR_INVALID_JSON);
    CHECK(agd_parse_as(TEXT, strlen(TEXT), AGD_FORMAT_UNKNOWN, NULL, &document, NULL) < 0);
    CHECK(agd_parse_as(TEXT, strlen(TEXT), AGD_FORMAT_HTML, NULL, &document, NULL) == AGD_ERROR_UNKNOWN_FORMAT);
    CHECK(agd_parse_as(TEXT, strlen(TEXT), 4711, NULL, &document, NULL) == AGD_ERROR_ARGUMENT);
    CHECK(agd_parse_as(NULL, 7, AGD_FORMAT_AWP, NULL, &document, NULL) == AGD_ERROR_NULL);
    CHECK(agd_parse_as(TEXT, strlen(TEXT), AGD_FORMAT_AGENTS_TXT, NULL, NULL, &error) == AGD_ERROR_NULL && error.kind == AGD_ERROR_NULL);
}

/* One test fits every status, and a decision names the document that was not parsed. */
static void success_and_failure(void) {
    static agd_document documents[3] = {AGD_DOCUMENT_INIT};
    documents[0] = small();
    documents[2] = small();
    agd_request request = AGD_INIT(agd_request);
    request.agent = agd_text_from("Bot");
    request.url = agd_text_from("/x");
    agd_decision decision = AGD_INIT(agd_decision);
    agd_status status = agd_decide(documents, 3, &request, &decision);
    CHECK(status == AGD_ERROR_UNINITIALISED && AGD_FAILED(status) && !AGD_IS_OK(status) && decision.unparsed == 1);
    documents[1] = small();
    agd_robots robots = AGD_ROBOTS_INIT;
    request.robots = &robots;
    CHECK(agd_decide(documents, 3, &request, &decision) == AGD_ERROR_UNINITIALISED && decision.unparsed == AGD_UNSAID);
    request.robots = NULL;
    status = agd_decide(documents, 3, &request, &decision);
    CHECK(AGD_IS_OK(status) && !AGD_FAILED(status) && decision.unparsed == AGD_UNSAID && decision.reason != 0);
    CHECK(AGD_IS_OK(AGD_OK) && AGD_IS_OK(AGD_NONE) && AGD_IS_OK(AGD_SOME) && AGD_FAILED(AGD_ERROR_NULL));
}

static void zeroed_state(void) {
    agd_document document = AGD_DOCUMENT_INIT;
    agd_head head = AGD_INIT(agd_head);
    agd_service service = AGD_INIT(agd_service);
    agd_capability capability = AGD_INIT(agd_capability);
    agd_parameter parameter = AGD_INIT(agd_parameter);
    agd_detection detection = AGD_INIT(agd_detection);
    agd_diagnostic diagnostic;
    agd_json_members members;
    agd_member member;
    agd_counts counts;
    agd_text text;
    size_t length = 7;
    memset(&diagnostic, 0, sizeof diagnostic);
    memset(&members, 0, sizeof members);
    CHECK(agd_document_format(&document) == AGD_FORMAT_UNKNOWN);
    CHECK(agd_document_head(&document, &head) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_document_service(&document, &service) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_write_json(&document, NULL, 0, &length) == AGD_ERROR_UNINITIALISED && length == 7);
    CHECK(agd_check(&document, NULL, NULL, NULL) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_check_count(&document, NULL, &counts) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_document_span(&document, agd_text_from("x"), NULL, NULL) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_document_position(&document, 0, NULL, NULL) == AGD_ERROR_UNINITIALISED);
    agd_capabilities list = agd_document_capabilities(&document);
    CHECK(agd_capabilities_next(&list, &capability) == AGD_ERROR_UNINITIALISED);
    list = agd_document_capabilities(NULL);
    CHECK(agd_capabilities_next(&list, &capability) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_parameters_next(&capability.parameters, &parameter) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_detection_sign(&detection, 0, &text) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_diagnostic_message(&diagnostic, NULL, 0, NULL) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_json_members_next(&members, &member) == AGD_ERROR_UNINITIALISED);
}

static void list_types_are_distinguished(void) {
    agd_document document = small();
    agd_capabilities capabilities = agd_document_capabilities(&document);
    agd_agents agents;
    agd_agent agent = AGD_INIT(agd_agent);
    memcpy(&agents, &capabilities, sizeof agents);
    CHECK(agd_agents_next(&agents, &agent) == AGD_ERROR_UNINITIALISED);
}

static void empty_lists(void) {
    agd_document document = small();
    agd_capabilities list = agd_document_capabilities(&document);
    agd_capability capability = AGD_INIT(agd_capability);
    CHECK(agd_capabilities_next(&list, &capability) == AGD_SOME);
    agd_parameter parameter = AGD_INIT(agd_parameter);
    agd_text text;
    CHECK(agd_parameters_next(&capability.parameters, NULL) == AGD_ERROR_NULL);
    CHECK(agd_texts_next(&capability.auth_scopes, NULL) == AGD_ERROR_NULL);
    parameter.size = 1;
    CHECK(agd_parameters_next(&capability.parameters, &parameter) == AGD_ERROR_STRUCT_SIZE);
    parameter.size = sizeof parameter;
    CHECK(agd_parameters_next(&capability.parameters, &parameter) == AGD_NONE);
    CHECK(agd_texts_next(&capability.auth_scopes, &text) == AGD_NONE);
    /* An empty list of one type is not a list of another type. */
    agd_outputs outputs;
    agd_output output = AGD_INIT(agd_output);
    memcpy(&outputs, &capability.parameters, sizeof outputs);
    CHECK(agd_outputs_next(&outputs, &output) == AGD_ERROR_UNINITIALISED);
}

/* Capabilities of agents.txt 0.1.0 have only a name. */
static void capabilities_with_only_a_name(void) {
    static const char names[] = "# agents.txt\nSite: Mugs\nURL: https://mugs.example\nAllow: search\nAllow: checkout\n";
    agd_options options = AGD_INIT(agd_options);
    options.format = AGD_FORMAT_AGENTS_TXT_01;
    agd_document document = AGD_DOCUMENT_INIT;
    CHECK(agd_parse(names, strlen(names), &options, &document, NULL) == AGD_OK);
    agd_capabilities list = agd_document_capabilities(&document);
    agd_capability capability = AGD_INIT(agd_capability);
    CHECK(agd_capabilities_next(&list, NULL) == AGD_ERROR_NULL);
    capability.size = 8;
    CHECK(agd_capabilities_next(&list, &capability) == AGD_ERROR_STRUCT_SIZE);
    memset(&capability, 0x5a, sizeof capability);
    capability.size = sizeof capability;
    agd_agents agents;
    agd_agent agent = AGD_INIT(agd_agent);
    memcpy(&agents, &list, sizeof agents);
    CHECK(agd_agents_next(&agents, &agent) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_capabilities_next(&list, &capability) == AGD_SOME && agd_text_eq_str(capability.id, "search"));
    CHECK(capability.description.ptr == NULL && capability.auth_type.value == AGD_UNSAID && capability.requires_session == AGD_UNSAID);
    CHECK(capability.has_idempotency == AGD_FALSE && capability.idempotency_supported == AGD_UNSAID && capability.poll_url.ptr == NULL);
    agd_text text;
    agd_parameter parameter = AGD_INIT(agd_parameter);
    CHECK(agd_texts_next(&capability.auth_scopes, &text) == AGD_NONE);
    CHECK(agd_parameters_next(&capability.parameters, &parameter) == AGD_NONE);
    CHECK(agd_capabilities_next(&list, &capability) == AGD_SOME && agd_text_eq_str(capability.source, "checkout"));
    CHECK(capability.requires_session == AGD_TRUE);
    CHECK(agd_capabilities_next(&list, &capability) == AGD_NONE && agd_text_eq_str(capability.id, "checkout"));
    /* A document without capabilities. */
    CHECK(agd_parse(names, 45, &options, &document, NULL) == AGD_OK);
    list = agd_document_capabilities(&document);
    CHECK(agd_capabilities_next(&list, &capability) == AGD_NONE);
}

static void null_outputs(void) {
    agd_document document = small();
    agd_capabilities list = agd_document_capabilities(&document);
    agd_capability capability = AGD_INIT(agd_capability);
    agd_value value = {AGD_VALUE_OBJECT, {"{}", 2, 0}};
    CHECK(agd_document_head(&document, NULL) == AGD_ERROR_NULL);
    CHECK(agd_document_head(NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_document_service(&document, NULL) == AGD_ERROR_NULL);
    CHECK(agd_document_format(NULL) == AGD_FORMAT_UNKNOWN);
    CHECK(agd_capabilities_next(NULL, &capability) == AGD_ERROR_NULL);
    CHECK(agd_capabilities_next(&list, NULL) == AGD_ERROR_NULL);
    CHECK(agd_capabilities_next(&list, &capability) == AGD_SOME); /* misuse did not advance the list */
    CHECK(agd_check_count(&document, NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_write_json(&document, NULL, 7, NULL) == AGD_ERROR_NULL);
    CHECK(agd_write_json(NULL, NULL, 0, NULL) == AGD_ERROR_NULL);
    CHECK(agd_write_json(&document, NULL, 0, NULL) == AGD_ERROR_BUFFER_TOO_SMALL);
    CHECK(agd_detection_sign(NULL, 0, NULL) == AGD_ERROR_NULL);
    CHECK(agd_diagnostic_message(NULL, NULL, 0, NULL) == AGD_ERROR_NULL);
    CHECK(agd_value_members(&value, NULL) == AGD_ERROR_NULL);
    agd_agents_md walk;
    agd_entry entry = AGD_INIT(agd_entry);
    memset(&walk, 0x5a, sizeof walk);
    CHECK(agd_agents_md_walk(&document, &walk) == AGD_ERROR_WRONG_FORMAT);
    CHECK(agd_agents_md_next(&walk, &entry) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_value_members(NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_value_bool(NULL) == AGD_UNSAID);
    CHECK(agd_value_u64(&value, NULL) == AGD_ERROR_NULL);
    CHECK(agd_document_span(&document, agd_text_from(NULL), NULL, NULL) == AGD_ERROR_ARGUMENT);
}

static void misaligned(void) {
    agd_document document = small();
    char memory[sizeof(agd_head) + 1];
    memset(memory, 0, sizeof memory);
    agd_head *head = (agd_head *)(void *)(memory + 1);
    if ((uintptr_t)head % sizeof(void *) == 0)
        head = (agd_head *)(void *)memory;
    if ((uintptr_t)head % sizeof(void *) != 0)
        CHECK(agd_document_head(&document, head) == AGD_ERROR_ARGUMENT);
    agd_error *error = (agd_error *)(void *)head;
    if ((uintptr_t)error % sizeof(void *) != 0) {
        CHECK(agd_parse(TEXT, strlen(TEXT), NULL, &document, error) == AGD_ERROR_ARGUMENT);
        CHECK(agd_document_format(&document) == AGD_FORMAT_UNKNOWN);
    }
}

static void struct_sizes(void) {
    agd_document document = small();
    agd_head head;
    memset(&head, 0x55, sizeof head);
    head.size = 0;
    CHECK(agd_document_head(&document, &head) == AGD_ERROR_STRUCT_SIZE);
    head.size = sizeof head - 1;
    CHECK(agd_document_head(&document, &head) == AGD_ERROR_STRUCT_SIZE);

    /* A caller with more members than the library: those are unchanged. */
    struct {
        agd_head head;
        uint64_t newer;
    } later;
    memset(&later, 0, sizeof later);
    later.head.size = sizeof later;
    later.newer = 42;
    CHECK(agd_document_head(&document, &later.head) == AGD_SOME);
    CHECK(later.head.size == sizeof later && later.newer == 42 && agd_text_eq_str(later.head.spec_version, "1.0"));
}

static void values_with_invalid_json(void) {
    agd_value broken = {AGD_VALUE_OBJECT, {"{\"a\": ", 6, 0}};
    agd_value null = {AGD_VALUE_OBJECT, {NULL, 6, 0}};
    agd_value wrong = {4711, {"{}", 2, 0}};
    agd_json_members members;
    CHECK(agd_value_members(&broken, &members) == AGD_ERROR_INVALID_JSON);
    CHECK(agd_value_members(&null, &members) == AGD_ERROR_NULL);
    CHECK(agd_value_members(&wrong, &members) == AGD_ERROR_ARGUMENT);
}

static void invalid_texts(void) {
    agd_text null = {NULL, 3, 0}, strange = {"abc", 3, 0xff01}, absent = {NULL, 0, 0};
    char buffer[8];
    CHECK(!agd_text_eq(null, null) && !agd_text_eq(strange, strange) && !agd_text_eq(absent, absent));
    CHECK(!agd_text_eq_str(absent, "") && !agd_text_eq_str(agd_text_from("x"), NULL));
    CHECK(agd_text_decode(null, buffer, sizeof buffer, NULL) == AGD_ERROR_NULL);
    CHECK(agd_text_decode(strange, buffer, sizeof buffer, NULL) == AGD_ERROR_ARGUMENT);
    CHECK(agd_text_decode(agd_text_from("x"), NULL, 3, NULL) == AGD_ERROR_NULL);
}

int main(void) {
    null_bytes();
    failed_parse_leaves_no_document();
    options_with_wrong_numbers();
    a_known_format();
    success_and_failure();
    zeroed_state();
    list_types_are_distinguished();
    empty_lists();
    capabilities_with_only_a_name();
    null_outputs();
    misaligned();
    struct_sizes();
    values_with_invalid_json();
    invalid_texts();
    return result("misuse");
}
