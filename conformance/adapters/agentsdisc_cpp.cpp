// The adapter of this project's C++ headers. It also reads the requests with them.
//
//     c++ -std=c++17 -Iinclude conformance/adapters/agentsdisc_cpp.cpp -lagentsdisc

#include "agentsdisc.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using agentsdisc::text;

namespace {

/// What the kit does not send, or the library does not do.
[[noreturn]] void fail(const char *what) { throw std::runtime_error(what); }

/// The members of an object by their names; of other values, none.
agd_value member(const agd_value &object, const char *name) {
    for (const agd_member &found : agentsdisc::members(object))
        if (text(found.name) == name)
            return found.value;
    return agd_value{};
}

/// The decoded text of a member; absent if it is no string.
std::optional<std::string> string(const agd_value &object, const char *name) {
    const agd_value found = member(object, name);
    return found.kind == AGD_VALUE_STRING ? std::optional(text(found.text).to<std::string>()) : std::nullopt;
}

std::size_t number(const agd_value &object, const char *name) {
    const agd_value found = member(object, name);
    return found.kind == AGD_VALUE_NUMBER ? static_cast<std::size_t>(agentsdisc::to_u64(found).value_or(0)) : 0;
}

std::string from_base64(std::string_view digits) {
    static constexpr std::string_view ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (char digit : digits.substr(0, digits.find('='))) {
        const std::size_t value = ALPHABET.find(digit);
        if (value == ALPHABET.npos)
            fail("a document is no base64");
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(static_cast<unsigned char>(bits >> count & 0xFF));
        }
    }
    return bytes;
}

std::string bytes_of(const agd_value &request) {
    const auto path = string(request, "path");
    if (!path)
        return from_base64(string(request, "document").value());
    std::ifstream file(*path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

text borrowed(const std::optional<std::string> &from) { return from ? text(*from) : text(); }

/// The document of a request with its options, at addresses that do not change.
class Input {
public:
    explicit Input(const agd_value &request)
        : bytes(bytes_of(request)), given_(member(request, "options")), url_(string(given_, "url")),
          content_type_(string(given_, "content_type")), format_(string(request, "format")) {
        if (const auto format = string(given_, "format"))
            format_ = format;
    }
    Input(const Input &) = delete;
    Input &operator=(const Input &) = delete;

    /// The options; without the format for `detect` and the rules of a robots.txt.
    agd_options options(bool with_format = true) const {
        const agd_value limits = member(given_, "limits");
        agd_options options = agentsdisc::options();
        if (with_format && format_)
            options.format = agentsdisc::format_from_id(*format_);
        options.url = borrowed(url_).c();
        options.content_type = borrowed(content_type_).c();
        options.max_document = number(limits, "document");
        options.max_depth = static_cast<std::uint32_t>(number(limits, "depth"));
        options.max_line = number(limits, "line");
        options.max_robots = number(limits, "robots");
        return options;
    }
    agentsdisc::result<agentsdisc::document, agd_error> parse() const {
        agentsdisc::document unread;
        if (format_ == "unknown" && AGD_IS_OK(unread.unread(bytes)))
            return unread;
        const agd_options chosen = options();
        return agentsdisc::parse(bytes, &chosen);
    }
    agentsdisc::robots robots() const {
        const agd_options chosen = options(false);
        return agentsdisc::robots::parse(bytes, &chosen);
    }

    const std::string bytes;

private:
    agd_value given_;
    std::optional<std::string> url_, content_type_, format_;
};

/// A string of JSON; for names that need no escapes.
std::string quoted(std::string_view name) { return '"' + std::string(name) + '"'; }

/// The line of a rule, which is 0 if none decides.
std::string line(std::uint32_t number) { return number == 0 ? "null" : std::to_string(number); }

std::string detect(const agd_value &request) {
    const Input input(request);
    const agd_options options = input.options(false);
    return "{\"format\":" + quoted(agentsdisc::format_id(agentsdisc::detect(input.bytes, &options))) + "}";
}

std::string parse(const agd_value &request) {
    const Input input(request);
    const auto parsed = input.parse();
    if (!parsed) {
        const agd_error &error = parsed.error();
        return "{\"error\":{\"kind\":" + quoted(agentsdisc::status_name(error.kind)) + ",\"offset\":" + std::to_string(error.offset) +
               ",\"line\":" + std::to_string(error.line) + ",\"column\":" + std::to_string(error.column) + "}}";
    }
    std::size_t length = 0;
    (void)parsed->write_json(nullptr, 0, &length);
    std::string json(length + 1, '\0');
    if (AGD_FAILED(parsed->write_json(json.data(), json.size())))
        fail("the model cannot be written");
    json.pop_back();
    return "{\"model\":" + json + "}";
}

std::string check(const agd_value &request) {
    const Input input(request);
    const auto parsed = input.parse();
    const auto origin = string(member(request, "options"), "origin");
    agd_check_options options = AGD_INIT(agd_check_options);
    options.origin = borrowed(origin).c();
    std::string found;
    const agd_status status = parsed->check(
        [&found](const agd_diagnostic &diagnostic) {
            found += std::string(found.empty() ? "" : ",") + "{\"code\":" + quoted(text(diagnostic.code).raw()) +
                     ",\"severity\":" + quoted(agentsdisc::severity_name(diagnostic.severity)) + ",\"line\":" + std::to_string(diagnostic.line) +
                     ",\"column\":" + std::to_string(diagnostic.column) + "}";
        },
        &options);
    if (AGD_FAILED(status))
        fail("a document to check was refused");
    return "{\"diagnostics\":[" + found + "]}";
}

std::string robots(const agd_value &request) {
    const Input input(request);
    const auto decision = input.robots().decide(string(request, "agent").value(), string(request, "url").value());
    return std::string("{\"allowed\":") + (decision.allowed == AGD_TRUE ? "true" : "false") + ",\"line\":" + line(decision.rule_line) + "}";
}

std::string preferences(const agd_value &request) {
    const Input input(request);
    const auto stance =
        input.robots().preference(string(request, "agent").value(), string(request, "url").value(), string(request, "purpose").value());
    return "{\"preference\":" + quoted(agentsdisc::stance_name(stance.preference)) + ",\"line\":" + line(stance.line) + "}";
}

/// The documents of a request, at addresses that do not change.
struct Documents {
    explicit Documents(const agd_value &request) {
        for (const agd_value &part : agentsdisc::elements(member(request, "documents"))) {
            inputs.push_back(std::make_unique<Input>(part));
            const auto parsed = inputs.back()->parse();
            if (!parsed)
                fail("a document was refused");
            all.push_back(*parsed);
        }
    }
    std::vector<std::unique_ptr<Input>> inputs;
    std::vector<agentsdisc::document> all;
};

/// What a question or a call asks, with the texts that the request borrows.
class Question {
public:
    explicit Question(const agd_value &question) {
        for (const auto &[name, field] : {std::pair{"agent", &asked.agent}, {"url", &asked.url}, {"capability", &asked.capability},
                                          {"method", &asked.method}, {"origin", &asked.origin}, {"purpose", &asked.purpose},
                                          {"content_usage", &asked.content_usage}})
            *field = borrowed(texts_[name] = string(question, name)).c();
        if (!texts_["agent"])
            asked.agent = text("Bot").c();
        for (const agd_value &url : agentsdisc::elements(member(question, "approved")))
            approved_ += text(url.text).to<std::string>() + "\n";
        asked.approved = text(approved_).c();
    }
    Question(const Question &) = delete;
    Question &operator=(const Question &) = delete;

    agd_request asked = AGD_INIT(agd_request);

private:
    std::map<std::string, std::optional<std::string>> texts_;
    std::string approved_;
};

std::string policy(const agd_value &request) {
    Documents documents(request);
    Question question(member(request, "question"));
    const agd_value stated = member(request, "robots");
    agentsdisc::robots rules;
    if (stated.kind == AGD_VALUE_OBJECT) {
        documents.inputs.push_back(std::make_unique<Input>(stated));
        rules = documents.inputs.back()->robots();
        question.asked.robots = &rules.c();
        question.asked.robots_state = AGD_ROBOTS_FOUND;
    } else if (stated.kind == AGD_VALUE_STRING) {
        question.asked.robots_state = text(stated.text) == "absent" ? AGD_ROBOTS_ABSENT : AGD_ROBOTS_UNREACHABLE;
    }
    const auto decision = agentsdisc::decide(documents.all, question.asked);
    if (!decision)
        fail("there is no decision");
    std::vector<std::uint32_t> scratch(4096);
    const auto json = agentsdisc::json<std::string>(*decision, scratch.data(), scratch.size());
    return json ? *json : (fail("the decision cannot be written"), "");
}

/// A text as a string of JSON.
std::string escaped(text from) {
    static constexpr std::string_view HEX = "0123456789abcdef";
    std::string json = "\"";
    for (const char c : from.to<std::string>()) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < ' ' || c == '"' || c == '\\')
            json += std::string("\\u00") + HEX[byte >> 4] + HEX[byte & 15];
        else
            json += c;
    }
    return json + '"';
}

/// The text of a value as JSON.
std::string raw(const agd_value &value) {
    const std::string written(text(value.text).raw());
    return value.kind == AGD_VALUE_STRING ? '"' + written + '"' : written;
}

/// Text as it is, any other value as JSON.
std::string sent(const agd_value &value, const char *absent) {
    if (value.kind == AGD_VALUE_ABSENT || value.kind == AGD_VALUE_NULL)
        return absent;
    return value.kind == AGD_VALUE_STRING ? text(value.text).to<std::string>() : raw(value);
}

/// An object of JSON; absent members are left out.
class Object {
public:
    Object &json(const char *name, const std::string &value) {
        members_ += (members_.empty() ? "" : ",") + quoted(name) + ':' + value;
        return *this;
    }
    Object &put(const char *name, const agd_text &value) { return value.ptr == nullptr ? *this : json(name, escaped(value)); }
    Object &put(const char *name, const char *value) { return value == nullptr ? *this : json(name, escaped(text(value))); }
    Object &count(const char *name, std::int64_t value) { return value == AGD_UNSAID ? *this : json(name, std::to_string(value)); }
    Object &flag(const char *name, std::int32_t value) {
        return value == AGD_UNSAID ? *this : json(name, value == AGD_TRUE ? "true" : "false");
    }
    /// A list, which is left out if it is empty.
    Object &list(const char *name, const std::vector<std::string> &items) {
        std::string all;
        for (const std::string &item : items)
            all += (all.empty() ? "" : ",") + item;
        return items.empty() ? *this : json(name, '[' + all + ']');
    }
    std::string written() const { return '{' + members_ + '}'; }

private:
    std::string members_;
};

constexpr const char *NEEDS[] = {"not-stated", "none", "optional", "required"};

std::string auth_of(const agd_call_step &step) {
    std::vector<std::string> scopes;
    for (const agd_text &scope : step.scopes)
        scopes.push_back(escaped(scope));
    return Object()
        .put("need", NEEDS[step.credential_need])
        .put("type", agd_auth_name(step.credential_type.value))
        .put("token_url", step.token_url)
        .put("authorization_url", step.authorization_url)
        .put("refresh_url", step.refresh_url)
        .put("setup_url", step.setup_url)
        .put("docs_url", step.docs_url)
        .put("header", step.credential_header)
        .list("scopes", scopes)
        .written();
}

std::string credential_of(const agd_call_step &step) {
    return Object()
        .put("for", step.carries == AGD_CARRIES_SESSION ? "session" : "service")
        .put("need", NEEDS[step.credential_need])
        .put("type", agd_auth_name(step.credential_type.value))
        .put("header", step.credential_header)
        .put("prefix", step.credential_prefix)
        .written();
}

std::string human_of(const agd_call_step &step) {
    constexpr const char *CONFIRMATIONS[] = {"not-stated", "should", "must"};
    return Object()
        .put("confirmation", CONFIRMATIONS[step.confirmation])
        .flag("handoff", step.handoff == AGD_TRUE ? AGD_TRUE : AGD_UNSAID)
        .flag("reversible", step.reversible)
        .put("sensitivity", step.sensitivity.value < 0 ? nullptr : agd_sensitivity_name(step.sensitivity.value))
        .written();
}

std::string json_of(const agd_call_step &step) {
    constexpr const char *NAMES[] = {"", "http", "client", "document", "action", "token", "session", "confirmation"};
    Object json;
    json.put("step", NAMES[step.step]).put("method", step.method).put("url", step.url).put("body", step.body);
    if (step.step == AGD_STEP_HTTP) {
        std::vector<std::string> headers;
        for (const agd_header &header : step.headers)
            headers.push_back(Object().put("name", header.name).put("value", header.value).written());
        json.list("headers", headers);
    }
    json.put("protocol", step.step == AGD_STEP_CLIENT ? agd_protocol_name(step.protocol.value) : nullptr)
        .put("transport", step.transport.value < 0 ? nullptr : agd_transport_name(step.transport.value))
        .put("version", step.version)
        .put("operation", step.operation)
        .put("tenant", step.tenant)
        .put("openapi", step.openapi)
        .put("action", step.action)
        .count("ttl_seconds", step.session_seconds)
        .json("human", human_of(step))
        .flag("repeatable", step.repeatable)
        .flag("async", step.asynchronous == AGD_TRUE ? AGD_TRUE : AGD_UNSAID)
        .count("document", step.document);
    if (step.arguments.ptr != nullptr)
        json.json("arguments", std::string(text(step.arguments).raw()));
    if (step.step == AGD_STEP_TOKEN)
        json.json("auth", auth_of(step));
    if (step.carries != AGD_CARRIES_NOTHING)
        json.json("credential", credential_of(step));
    if (step.key_field.ptr != nullptr)
        json.json("idempotency",
                  Object().put("field", step.key_field).count("window_seconds", step.key_seconds).flag("sent", step.key_sent).written());
    return json.written();
}

std::string json_of(const agd_refusal &refusal) {
    constexpr const char *CREDENTIALS[] = {"", "allowed", "insecure", "non-ascii-host", "other-domain", "unknown-host"};
    Object json;
    json.put("refused", agd_problem_name(refusal.problem))
        .put("message", refusal.message)
        .put("reason", refusal.reason == AGD_UNSAID ? nullptr : agd_reason_name(refusal.reason))
        .put("credentials", refusal.credentials == AGD_UNSAID ? nullptr : CREDENTIALS[refusal.credentials])
        .put("argument", refusal.argument)
        .put("expected", refusal.expected);
    if (refusal.rule.ptr != nullptr)
        json.json("rule", Object()
                              .put("text", refusal.rule)
                              .count("document", refusal.rule_document)
                              .count("line", refusal.rule_line)
                              .count("column", refusal.rule_column)
                              .json("start", std::to_string(refusal.rule_start))
                              .json("end", std::to_string(refusal.rule_end))
                              .written());
    return json.written();
}

std::string json_of(const agd_call_result &result) {
    constexpr const char *NAMES[] = {"", "done", "retry", "poll", "refresh", "token", "session", "recover", "failed"};
    std::vector<std::string> outputs;
    for (const agd_outcome &output : result.outputs) {
        Object item;
        item.put("name", output.name).put("type", output.type).flag("typed", output.typed);
        if (output.value.kind != AGD_VALUE_ABSENT)
            item.json("value", raw(output.value));
        outputs.push_back(item.written());
    }
    return Object()
        .put("next", NAMES[result.next])
        .count("seconds", result.seconds)
        .put("url", result.url)
        .list("outputs", outputs)
        .put("failure", result.failure == 0 ? nullptr : agd_call_failure_name(result.failure))
        .put("code", result.code)
        .put("text", result.text)
        .put("endpoint", result.endpoint)
        .put("action", result.action)
        .flag("retries", result.next == AGD_NEXT_RECOVER ? result.retries : AGD_UNSAID)
        .flag("credential", result.next == AGD_NEXT_POLL ? result.credential : AGD_UNSAID)
        .written();
}

/// A step or a result, or why there is none.
template <class T> std::string json_of(const agentsdisc::result<T, agentsdisc::call_error> &found) {
    if (found)
        return json_of(*found);
    if (found.error().status != AGD_ERROR_CALL_REFUSED)
        fail("a call cannot be planned, or an answer not be read");
    return json_of(found.error().refusal);
}

/// Plans a call, and returns the JSON of the plan.
std::string plan(agentsdisc::call &call, const agd_decision &decision, const agd_value &asked, std::vector<char> &buffer) {
    const agd_value given = member(asked, "options");
    agd_call_options options = AGD_INIT(agd_call_options);
    for (const auto &[name, field] : {std::pair{"credential", &options.has_credential}, {"session", &options.has_session},
                                      {"undeclared", &options.undeclared}, {"from_text", &options.from_text},
                                      {"constant_headers", &options.constant_headers}})
        *field = raw(member(given, name)) == "true" ? AGD_TRUE : AGD_FALSE;
    const auto key = string(given, "idempotency_key"), operation = string(given, "operation"), confirmed = string(given, "confirmed");
    options.idempotency_key = borrowed(key).c();
    options.operation = borrowed(operation).c();
    options.confirmed = confirmed == "must"     ? AGD_CONFIRMATION_MUST
                        : confirmed == "should" ? AGD_CONFIRMATION_SHOULD
                                                : AGD_CONFIRMATION_NOT_STATED;
    std::vector<std::pair<std::string, std::string>> before;
    for (const agd_value &action : agentsdisc::elements(member(given, "done")))
        before.emplace_back(string(action, "action").value(), raw(member(action, "body")));
    std::vector<agd_done> done;
    for (const auto &[action, body] : before)
        done.push_back({text(action).c(), text(body).c()});
    options.done = done.data();
    options.done_count = done.size();
    const std::string arguments = sent(member(asked, "arguments"), "{}");
    return json_of(call.plan(decision, arguments, buffer.data(), buffer.size(), &options));
}

/// Reads an answer to a call, and returns the JSON of what comes next.
std::string next(agentsdisc::call &call, const agd_decision &decision, const agd_value &given, std::vector<char> &buffer) {
    std::vector<std::pair<std::string, std::string>> fields;
    for (const agd_member &field : agentsdisc::members(member(given, "headers")))
        fields.emplace_back(text(field.name).to<std::string>(), text(field.value.text).to<std::string>());
    std::vector<agd_http_header> headers;
    for (const auto &[name, value] : fields)
        headers.push_back({text(name).c(), text(value).c()});
    const std::string body = sent(member(given, "body"), "");
    agd_call_answer answer = AGD_INIT(agd_call_answer);
    answer.status = static_cast<std::int32_t>(number(given, "status"));
    answer.headers = headers.data();
    answer.header_count = headers.size();
    answer.body = text(body).c();
    answer.now = 1790000000;
    return json_of(call.next(decision, answer, buffer.data(), buffer.size()));
}

std::string plan_call(const agd_value &request) {
    const Documents documents(request);
    const agd_value asked = member(request, "call");
    const Question question(asked);
    const auto decision = agentsdisc::decide(documents.all, question.asked);
    if (!decision)
        fail("there is no decision");
    agentsdisc::call call;
    std::vector<char> buffer(1 << 20);
    const std::string planned = plan(call, *decision, asked, buffer);
    std::string following;
    for (const agd_value &answer : agentsdisc::elements(member(request, "answers")))
        following += (following.empty() ? "" : ",") + next(call, *decision, answer, buffer);
    return "{\"plan\":" + planned + ",\"next\":[" + following + "]}";
}

std::string hello(const agd_value &) {
    return "{\"name\":\"agentsdisc (C++)\",\"version\":" + quoted(agentsdisc::version()) +
           ",\"model\":\"whole\",\"tasks\":[\"detect\",\"parse\",\"check\",\"robots\",\"preferences\",\"policy\",\"call\"]}";
}

} // namespace

int main() {
    const std::map<std::string_view, std::string (*)(const agd_value &)> tasks = {
        {"hello", hello},   {"detect", detect},           {"parse", parse},  {"check", check},
        {"robots", robots}, {"preferences", preferences}, {"policy", policy},
        {"call", plan_call}};
    for (std::string line; std::getline(std::cin, line);) {
        const auto request = agentsdisc::parse_json(line);
        const auto task = tasks.find(string(*request, "task").value_or(""));
        std::string said = "\"skip\":\"not offered\"";
        if (task != tasks.end()) {
            try {
                said = "\"result\":" + task->second(*request);
            } catch (const std::exception &error) {
                said = "\"error\":" + quoted(error.what());
            }
        }
        // The id stands as it came, with its escapes.
        std::cout << "{\"id\":" << quoted(text(member(*request, "id").text).raw()) << ',' << said << '}' << std::endl;
    }
}
