// Calls of capabilities in C++17: a part of agentsdisc.hpp, which includes it.
//
//     agentsdisc::call call;
//     char buffer[4096];
//     if (auto step = call.plan(decision, R"({"q": "mug"})", buffer, sizeof buffer)) {
//         if (step->step == AGD_STEP_HTTP) ... // send step->method, step->url, step->headers, step->body
//     } else if (step.error().status == AGD_ERROR_CALL_REFUSED) {
//         std::cerr << step.error().refusal.message << '\n';
//     }
#ifndef AGENTSDISC_CALL_HPP
#define AGENTSDISC_CALL_HPP

#include "agentsdisc.hpp"

namespace agentsdisc {

/// Why there is no step or result.
struct call_error {
    /// AGD_ERROR_CALL_REFUSED, AGD_ERROR_BUFFER_TOO_SMALL, or a status for misuse.
    agd_status status = AGD_OK;
    /// Why the call is refused, after AGD_ERROR_CALL_REFUSED. It borrows what the decision borrows, the
    /// arguments and the texts of the options.
    agd_refusal refusal = AGD_INIT(agd_refusal);
    /// The required size of the buffer in bytes, after AGD_ERROR_BUFFER_TOO_SMALL.
    std::size_t needed = 0;
};

/// A call of a capability: plans the requests to send, and reads the answers. It sends nothing (see
/// agd_call_plan). It borrows nothing; a copy continues from the same state.
///
/// Pass a workspace on systems with a small stack.
class call {
public:
    call() noexcept : call_(agd_call_begin()) {}

    /// Plans the next step, like agd_call_plan. `arguments` is a JSON object; absent for no
    /// arguments. The step borrows the buffer and what the decision borrows.
    result<agd_call_step, call_error> plan(const agd_decision &decision, text arguments, char *buffer, std::size_t capacity,
                                           const agd_call_options *options = nullptr, agd_workspace *workspace = nullptr) noexcept {
        agd_call_step step = AGD_INIT(agd_call_step);
        call_error error;
        error.status = workspace == nullptr ? agd_call_plan(&call_, &decision, arguments.c(), options, buffer, capacity, &error.needed, &step,
                                                            &error.refusal)
                                            : agd_call_plan_with(&call_, &decision, arguments.c(), options, workspace, buffer, capacity,
                                                                 &error.needed, &step, &error.refusal);
        return either(step, error);
    }

    /// Reads the answer to a request or a poll, and returns what to do next, like agd_call_next.
    /// The result borrows the buffer, the body of the answer, and what the decision borrows; its
    /// outputs are a range.
    result<agd_call_result, call_error> next(const agd_decision &decision, const agd_call_answer &answer, char *buffer, std::size_t capacity,
                                             agd_workspace *workspace = nullptr) noexcept {
        agd_call_result read = AGD_INIT(agd_call_result);
        call_error error;
        error.status = workspace == nullptr
                           ? agd_call_next(&call_, &decision, &answer, buffer, capacity, &error.needed, &read, &error.refusal)
                           : agd_call_next_with(&call_, &decision, &answer, workspace, buffer, capacity, &error.needed, &read, &error.refusal);
        return either(read, error);
    }

    /// For use with the C library.
    const agd_call &c() const noexcept { return call_; }
    agd_call &c() noexcept { return call_; }

private:
    template <class T> static result<T, call_error> either(const T &value, const call_error &error) noexcept {
        return error.status == AGD_OK ? result<T, call_error>(value) : result<T, call_error>(error);
    }

    agd_call call_;
};

} // namespace agentsdisc

#endif
