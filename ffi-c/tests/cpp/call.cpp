// Calls in C++.
#include "agentsdisc.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#define CHECK(condition)                                                                                                                     \
    do {                                                                                                                                     \
        if (!(condition)) {                                                                                                                  \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                             \
            return EXIT_FAILURE;                                                                                                             \
        }                                                                                                                                    \
    } while (0)

static agd_call_answer answered(std::int32_t status, std::string_view body) {
    agd_call_answer answer = AGD_INIT(agd_call_answer);
    answer.status = status;
    answer.body = agentsdisc::text(body).c();
    answer.now = 1790000000;
    return answer;
}

int main() {
    constexpr std::string_view bytes = R"({"awp_version": "0.2", "domain": "air.example", "intent": "x", "actions": [{"id": "make",
        "auth_required": false, "endpoint": "/m", "method": "POST", "inputs": {"name": {"type": "string", "required": true}},
        "outputs": {"file": "url", "pages": "integer"}, "execution_model": "async", "poll_endpoint": "/jobs/{job_id}"}]})";
    auto parsed = agentsdisc::parse(bytes);
    CHECK(parsed);
    agd_request request = AGD_INIT(agd_request);
    request.agent = agentsdisc::text("Bot/1.0").c();
    request.capability = agentsdisc::text("make").c();
    agd_decision decision = *parsed->decide(request);

    agentsdisc::call call;
    char buffer[512];
    auto step = call.plan(decision, "{}", buffer, sizeof buffer);
    CHECK(!step && step.error().status == AGD_ERROR_CALL_REFUSED && step->step == AGD_STEP_NONE);
    CHECK(step.error().refusal.problem == AGD_PROBLEM_MISSING_ARGUMENT && agentsdisc::text(step.error().refusal.argument) == "name");

    const std::string arguments = R"({"name": "map"})";
    step = call.plan(decision, arguments, nullptr, 0);
    CHECK(!step && step.error().status == AGD_ERROR_BUFFER_TOO_SMALL && step.error().needed <= sizeof buffer);
    static agd_workspace workspace;
    const agd_call_options options = AGD_INIT(agd_call_options);
    step = call.plan(decision, arguments, buffer, step.error().needed, &options, &workspace);
    CHECK(step && step->step == AGD_STEP_HTTP && step->asynchronous == AGD_TRUE);
    CHECK(step->url == std::string_view("https://air.example/m") && step->body == std::string_view(R"({"name":"map"})"));
    std::string headers;
    for (const agd_header &header : step->headers)
        headers += std::string(header.name) + ": " + header.value + "\n";
    CHECK(headers.find("Content-Type: application/json\n") != std::string::npos);

    auto next = call.next(decision, answered(202, R"({"job_id": 7})"), buffer, sizeof buffer);
    CHECK(next && next->next == AGD_NEXT_POLL && next->url == std::string_view("https://air.example/jobs/7"));
    const agd_call before = call.c();
    next = call.next(decision, answered(200, R"({"status": "failed"})"), buffer, sizeof buffer, &workspace);
    CHECK(next && next->next == AGD_NEXT_FAILED && next->failure == AGD_CALL_FAILURE_JOB);
    call.c() = before;
    next = call.next(decision, answered(200, R"({"file": "https://air.example/f", "pages": 3})"), buffer, sizeof buffer, &workspace);
    CHECK(next && next->next == AGD_NEXT_DONE);
    std::string outputs;
    for (const agd_outcome &outcome : next->outputs)
        outputs += agentsdisc::text(outcome.name).to<std::string>() + "=" + agentsdisc::text(outcome.value.text).to<std::string>() +
                   (outcome.typed == AGD_TRUE ? ";" : "?");
    CHECK(outputs == "file=https://air.example/f;pages=3;");
    return EXIT_SUCCESS;
}
