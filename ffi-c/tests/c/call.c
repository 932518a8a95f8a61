/* Calls: a plan, its poll and its outcome; refusals; the rules for buffers. The vectors test the plans themselves. */
#include "agentsdisc.h"
#include "common.h"

static const char AWP[] = "{\"awp_version\":\"0.2\",\"domain\":\"air.example\",\"intent\":\"x\",\"actions\":["
                          "{\"id\":\"make\",\"auth_required\":false,\"endpoint\":\"/m\",\"method\":\"POST\",\"inputs\":{\"name\":{\"type\":\"string\","
                          "\"required\":true}},\"outputs\":{\"file\":\"url\",\"pages\":\"integer\"},\"execution_model\":\"async\","
                          "\"poll_endpoint\":\"/jobs/{job_id}\"}]}";

static agd_document document;
static agd_workspace workspace;

static const char CARD[] = "{\"name\":\"Mugs\",\"description\":\"d\",\"version\":\"1\",\"supportedInterfaces\":[{\"url\":\"https://air.example/a2a\","
                           "\"protocolBinding\":\"JSONRPC\",\"protocolVersion\":\"1.0\",\"tenant\":\"west\"}],\"capabilities\":{},"
                           "\"skills\":[{\"id\":\"order\",\"name\":\"Order\",\"description\":\"d\",\"tags\":[]}]}";

static agd_decision decided(const char *capability) {
    agd_request request = AGD_INIT(agd_request);
    request.agent = agd_text_from("Bot/1.0");
    request.capability = agd_text_from(capability);
    agd_decision decision = AGD_INIT(agd_decision);
    CHECK(agd_decide(&document, 1, &request, &decision) == AGD_SOME);
    return decision;
}

static agd_call_answer answered(int32_t status, const char *body) {
    agd_call_answer answer = AGD_INIT(agd_call_answer);
    answer.status = status;
    answer.body = agd_text_from(body);
    answer.now = 1790000000;
    return answer;
}

/* Plans, polls with and without a workspace, and reads the outputs. */
static void a_call_to_its_end(void) {
    char buffer[512];
    size_t needed = 0;
    agd_decision decision = decided("make");
    agd_call call = agd_call_begin();
    agd_call_step step = AGD_INIT(agd_call_step);
    agd_text arguments = agd_text_from("{\"name\": \"map\"}");
    CHECK(agd_call_plan(&call, &decision, arguments, NULL, buffer, sizeof buffer, &needed, &step, NULL) == AGD_OK);
    CHECK(step.step == AGD_STEP_HTTP && step.asynchronous == AGD_TRUE && step.document == 0 && needed <= sizeof buffer);
    CHECK(strcmp(step.method, "POST") == 0 && strcmp(step.url, "https://air.example/m") == 0);
    CHECK(strcmp(step.body, "{\"name\":\"map\"}") == 0 && step.body_length == strlen(step.body));
    agd_header header = {NULL, NULL};
    size_t count = 0;
    while (agd_headers_next(&step.headers, &header) == AGD_SOME)
        count += strcmp(header.name, "Content-Type") == 0 && strcmp(header.value, "application/json") == 0;
    CHECK(count == 1);

    agd_call_answer answer = answered(202, "{\"job_id\": 7}");
    agd_call_result next = AGD_INIT(agd_call_result);
    CHECK(agd_call_next(&call, &decision, &answer, NULL, 0, &needed, &next, NULL) == AGD_ERROR_BUFFER_TOO_SMALL);
    CHECK(next.next == AGD_NEXT_NONE);
    CHECK(agd_call_next(&call, &decision, &answer, buffer, needed, &needed, &next, NULL) == AGD_OK);
    CHECK(next.next == AGD_NEXT_POLL && strcmp(next.url, "https://air.example/jobs/7") == 0);
    CHECK(next.credential == AGD_TRUE);
    answer = answered(429, "");
    CHECK(agd_call_next(&call, &decision, &answer, buffer, sizeof buffer, NULL, &next, NULL) == AGD_OK);
    CHECK(next.next == AGD_NEXT_POLL && next.url == NULL && next.credential == AGD_TRUE);
    memset(&workspace, 0xA5, sizeof workspace);
    answer = answered(200, "{\"status\": \"completed\", \"file\": \"https:\\/\\/air.example/f\"}");
    CHECK(agd_call_next_with(&call, &decision, &answer, &workspace, buffer, sizeof buffer, NULL, &next, NULL) == AGD_OK);
    CHECK(next.next == AGD_NEXT_DONE && next.failure == AGD_CALL_FAILURE_UNKNOWN && next.url == NULL);
    agd_outcome outcome = AGD_INIT(agd_outcome);
    CHECK(agd_outcomes_next(&next.outputs, &outcome) == AGD_SOME && agd_text_eq_str(outcome.name, "file"));
    CHECK(outcome.typed == AGD_TRUE && agd_text_eq_str(outcome.value.text, "https://air.example/f"));
    CHECK(agd_outcomes_next(&next.outputs, &outcome) == AGD_SOME && agd_text_eq_str(outcome.name, "pages"));
    CHECK(outcome.typed == AGD_FALSE && outcome.value.kind == AGD_VALUE_ABSENT);
    CHECK(agd_outcomes_next(&next.outputs, &outcome) == AGD_NONE);
}

/* The client of an A2A agent gets its tenant. */
static void a_client(void) {
    char buffer[512];
    agd_document card = AGD_DOCUMENT_INIT;
    agd_decision decision = AGD_INIT(agd_decision);
    agd_request request = AGD_INIT(agd_request);
    agd_call call = agd_call_begin();
    agd_call_step step = AGD_INIT(agd_call_step);
    request.agent = agd_text_from("Bot/1.0");
    request.capability = agd_text_from("order");
    CHECK(agd_parse(CARD, strlen(CARD), NULL, &card, NULL) == AGD_OK);
    CHECK(agd_decide(&card, 1, &request, &decision) == AGD_SOME);
    CHECK(agd_call_plan(&call, &decision, agd_text_from("{\"text\":\"a\"}"), NULL, buffer, sizeof buffer, NULL, &step, NULL) == AGD_OK);
    CHECK(step.step == AGD_STEP_CLIENT && strcmp(step.url, "https://air.example/a2a") == 0 && agd_text_eq_str(step.tenant, "west"));
}

static void refusals(void) {
    char buffer[512];
    agd_decision decision = decided("make");
    agd_call call = agd_call_begin();
    agd_call_step step = AGD_INIT(agd_call_step);
    agd_refusal refusal = AGD_INIT(agd_refusal);
    agd_status status = agd_call_plan_with(&call, &decision, agd_text_from("{}"), NULL, &workspace, buffer, sizeof buffer, NULL, &step, &refusal);
    CHECK(status == AGD_ERROR_CALL_REFUSED && refusal.problem == AGD_PROBLEM_MISSING_ARGUMENT && agd_text_eq_str(refusal.argument, "name"));
    CHECK(strcmp(agd_problem_name(refusal.problem), "missing-argument") == 0 && refusal.message[0] != '\0');
    CHECK(step.step == AGD_STEP_NONE && step.url == NULL);

    decision = decided("nothing");
    status = agd_call_plan(&call, &decision, agd_text_from("{}"), NULL, buffer, sizeof buffer, NULL, &step, &refusal);
    CHECK(status == AGD_ERROR_CALL_REFUSED && refusal.problem == AGD_PROBLEM_DENIED);
    CHECK(refusal.reason == AGD_REASON_UNKNOWN_CAPABILITY);
    CHECK(strcmp(agd_call_failure_name(AGD_CALL_FAILURE_JOB), "job") == 0);
}

/* Every pointer that must not be NULL, structs without their size, a zeroed call and decision, and invalid texts. */
static void misuse(void) {
    char buffer[512];
    agd_decision decision = decided("make"), empty;
    agd_call call = agd_call_begin(), zeroed;
    agd_call_step step = AGD_INIT(agd_call_step);
    agd_call_result next = AGD_INIT(agd_call_result);
    agd_call_answer answer = answered(200, "{}");
    agd_refusal refusal = AGD_INIT(agd_refusal);
    agd_text arguments = agd_text_from("{\"name\": \"map\"}"), null = {NULL, 3, 0};
    memset(&empty, 0, sizeof empty);
    memset(&zeroed, 0, sizeof zeroed);
    CHECK(agd_call_plan(NULL, &decision, arguments, NULL, buffer, sizeof buffer, NULL, &step, NULL) == AGD_ERROR_NULL);
    CHECK(agd_call_plan(&call, NULL, arguments, NULL, buffer, sizeof buffer, NULL, &step, NULL) == AGD_ERROR_NULL);
    CHECK(agd_call_plan(&call, &decision, arguments, NULL, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_call_plan(&call, &decision, arguments, NULL, NULL, sizeof buffer, NULL, &step, NULL) == AGD_ERROR_NULL);
    CHECK(agd_call_plan(&call, &decision, null, NULL, buffer, sizeof buffer, NULL, &step, NULL) == AGD_ERROR_NULL);
    CHECK(agd_call_plan(&zeroed, &decision, arguments, NULL, buffer, sizeof buffer, NULL, &step, NULL) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_call_plan(&call, &empty, arguments, NULL, buffer, sizeof buffer, NULL, &step, NULL) < 0);
    CHECK(agd_call_plan_with(&call, &decision, arguments, NULL, NULL, buffer, sizeof buffer, NULL, &step, NULL) == AGD_ERROR_NULL);
    step.size = 0;
    CHECK(agd_call_plan(&call, &decision, arguments, NULL, buffer, sizeof buffer, NULL, &step, NULL) == AGD_ERROR_STRUCT_SIZE);
    step.size = sizeof step;
    refusal.size = 1;
    CHECK(agd_call_plan(&call, &decision, agd_text_from("{}"), NULL, buffer, sizeof buffer, NULL, &step, &refusal) == AGD_ERROR_STRUCT_SIZE);
    refusal.size = sizeof refusal;
    agd_call_options options = AGD_INIT(agd_call_options);
    options.done_count = 1;
    CHECK(agd_call_plan(&call, &decision, arguments, &options, buffer, sizeof buffer, NULL, &step, NULL) == AGD_ERROR_NULL);
    options.done_count = AGD_DONE_MAX + 1;
    CHECK(agd_call_plan(&call, &decision, arguments, &options, buffer, sizeof buffer, NULL, &step, NULL) < 0);

    CHECK(agd_call_next(NULL, &decision, &answer, buffer, sizeof buffer, NULL, &next, NULL) == AGD_ERROR_NULL);
    CHECK(agd_call_next(&call, NULL, &answer, buffer, sizeof buffer, NULL, &next, NULL) == AGD_ERROR_NULL);
    CHECK(agd_call_next(&call, &decision, NULL, buffer, sizeof buffer, NULL, &next, NULL) == AGD_ERROR_NULL);
    CHECK(agd_call_next(&call, &decision, &answer, NULL, sizeof buffer, NULL, &next, NULL) == AGD_ERROR_NULL);
    CHECK(agd_call_next(&call, &decision, &answer, buffer, sizeof buffer, NULL, NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_call_next(&zeroed, &decision, &answer, buffer, sizeof buffer, NULL, &next, NULL) == AGD_ERROR_UNINITIALISED);
    answer.body = null;
    CHECK(agd_call_next(&call, &decision, &answer, buffer, sizeof buffer, NULL, &next, NULL) == AGD_ERROR_NULL);
    agd_outcome outcome = AGD_INIT(agd_outcome);
    CHECK(agd_outcomes_next(&next.outputs, &outcome) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_outcomes_next(NULL, &outcome) == AGD_ERROR_NULL);
}

int main(void) {
    document = parsed(AWP, AGD_FORMAT_AWP);
    a_call_to_its_end();
    a_client();
    refusals();
    misuse();
    return result("call");
}
