// The adapter of this project's C++ headers. It also reads the requests with them.
//
//     c++ -std=c++17 -Iinclude conformance/adapters/agentsdisc_cpp.cpp -lagentsdisc

#include "agentsdisc.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
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

std::string policy(const agd_value &request) {
    std::vector<std::unique_ptr<Input>> inputs;
    std::vector<agentsdisc::document> documents;
    for (const agd_value &part : agentsdisc::elements(member(request, "documents"))) {
        inputs.push_back(std::make_unique<Input>(part));
        const auto parsed = inputs.back()->parse();
        if (!parsed)
            fail("a document was refused");
        documents.push_back(*parsed);
    }
    agd_request asked = AGD_INIT(agd_request);
    const agd_value stated = member(request, "robots"), question = member(request, "question");
    agentsdisc::robots rules;
    if (stated.kind == AGD_VALUE_OBJECT) {
        inputs.push_back(std::make_unique<Input>(stated));
        rules = inputs.back()->robots();
        asked.robots = &rules.c();
        asked.robots_state = AGD_ROBOTS_FOUND;
    } else if (stated.kind == AGD_VALUE_STRING) {
        asked.robots_state = text(stated.text) == "absent" ? AGD_ROBOTS_ABSENT : AGD_ROBOTS_UNREACHABLE;
    }
    std::map<std::string, std::optional<std::string>> texts;
    for (const auto &[name, field] : {std::pair{"agent", &asked.agent}, {"url", &asked.url}, {"capability", &asked.capability},
                                      {"method", &asked.method}, {"origin", &asked.origin}, {"purpose", &asked.purpose},
                                      {"content_usage", &asked.content_usage}})
        *field = borrowed(texts[name] = string(question, name)).c();
    std::string approved;
    for (const agd_value &url : agentsdisc::elements(member(question, "approved")))
        approved += text(url.text).to<std::string>() + "\n";
    asked.approved = text(approved).c();
    const auto decision = agentsdisc::decide(documents, asked);
    if (!decision)
        fail("there is no decision");
    std::vector<std::uint32_t> scratch(4096);
    const auto json = agentsdisc::json<std::string>(*decision, scratch.data(), scratch.size());
    return json ? *json : (fail("the decision cannot be written"), "");
}

std::string hello(const agd_value &) {
    return "{\"name\":\"agentsdisc (C++)\",\"version\":" + quoted(agentsdisc::version()) +
           ",\"model\":\"whole\",\"tasks\":[\"detect\",\"parse\",\"check\",\"robots\",\"preferences\",\"policy\"]}";
}

} // namespace

int main() {
    const std::map<std::string_view, std::string (*)(const agd_value &)> tasks = {
        {"hello", hello},   {"detect", detect},           {"parse", parse},  {"check", check},
        {"robots", robots}, {"preferences", preferences}, {"policy", policy}};
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
