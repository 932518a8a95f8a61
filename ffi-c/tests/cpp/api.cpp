// The C++ header: texts, ranges, results.
#include "common.hpp"

#include <sstream>
#include <string>
#if __cplusplus >= 202002L
#include <ranges>
#include <utility>
#endif

using agentsdisc::text;

static constexpr std::string_view JSON = R"({"specVersion": "1.0", "site": {"name": "Mug \"Shop\"", "url": "https:\/\/mugs.example"},
    "capabilities": [{"id": "search", "endpoint": "https://mugs.example/s", "protocol": "REST",
        "parameters": [{"name": "q", "in": "query"}, {"name": "page", "in": "query"}], "more": {"a": 1, "b": [true]}},
        {"id": "buy"}], "access": {"disallow": ["/private"]}})";

static void texts() {
    auto parsed = agentsdisc::parse(JSON);
    CHECK(parsed.has_value());
    auto service = parsed->service();
    CHECK(service.has_value());
    text name = service->name;
    CHECK(name && name.is_escaped() && !name.plain());
    CHECK(name == "Mug \"Shop\"" && name != "Mug" && name == std::string_view("Mug \"Shop\""));
    CHECK(name.raw() == "Mug \\\"Shop\\\"");
    CHECK(name.to<std::string>() == "Mug \"Shop\"" && name.decoded_size() == 10);
    CHECK(name.equals_ignoring_case(std::string_view("MUG \"SHOP\"")));
    CHECK(text(service->url) == "https://mugs.example");
    text absent = service->description;
    CHECK(!absent && absent != absent && absent != "" && absent.to<std::string>().empty() && absent.raw().empty());
    text version = parsed->head().spec_version;
    CHECK(version.plain() == std::string_view("1.0"));
    char buffer[16];
    CHECK(name.decode(buffer, sizeof buffer) == AGD_OK && std::string_view(buffer) == "Mug \"Shop\"");
}

static void ranges() {
    auto parsed = agentsdisc::parse(JSON);
    std::string walked;
    for (const agd_capability &capability : parsed->capabilities()) {
        walked += text(capability.id).to<std::string>() + ":";
        for (const agd_parameter &parameter : capability.parameters)
            walked += text(parameter.name).to<std::string>() + ",";
        for (const agd_member &member : capability.metadata) {
            agd_json_members members;
            CHECK(agd_value_members(&member.value, &members) == AGD_OK);
            for (const agd_member &inner : members)
                walked += text(inner.name).to<std::string>() + "=" + std::string(text(inner.value.text).raw()) + ";";
        }
    }
    CHECK(walked == "search:q,page,a=1;b=[true];buy:");
    for (const agd_text &pattern : parsed->access().disallow)
        CHECK(text(pattern) == "/private");
    agentsdisc::document never;
    for (const agd_agent &agent : never.agents()) {
        (void)agent;
        CHECK(false);
    }
    CHECK(begin(never.agents()).status() == AGD_ERROR_UNINITIALISED);
    CHECK(never.head().kind.value == AGD_UNSAID && never.head().cache_seconds == AGD_UNSAID);
}

static void results() {
    auto parsed = agentsdisc::parse("{\"specVersion\": nope}");
    CHECK(!parsed && parsed.error().kind == AGD_ERROR_INVALID_JSON && parsed.error().line == 1);
    CHECK(parsed->format() == AGD_FORMAT_UNKNOWN && !parsed->service());
    agd_options options = agentsdisc::options();
    options.format = AGD_FORMAT_AGENTS_JSON;
    auto forced = agentsdisc::parse("{}", &options);
    CHECK(forced && forced->format() == AGD_FORMAT_AGENTS_JSON);
    CHECK(agentsdisc::detect(JSON) == AGD_FORMAT_AGENTS_JSON);
    agentsdisc::document document;
    agd_error error{};
    CHECK(document.parse("{\"specVersion\": nope}", nullptr, &error) == AGD_ERROR_INVALID_JSON && error.line == 1);
    CHECK(document.format() == AGD_FORMAT_UNKNOWN);
    CHECK(document.parse(JSON) == AGD_OK && document.format() == AGD_FORMAT_AGENTS_JSON && document.service());
    CHECK(document.parse("{}", &options) == AGD_OK && !document.service());
    std::size_t length = 0;
    CHECK(forced->write_json(nullptr, 0, &length) == AGD_ERROR_BUFFER_TOO_SMALL && length > 0);
    int reported = 0;
    CHECK(forced->check([&](const agd_diagnostic &diagnostic) {
        CHECK(diagnostic.severity >= AGD_SEVERITY_INFO);
        reported++;
    }) == AGD_OK);
    agd_diagnostic items[64];
    std::size_t found = 0;
    CHECK(forced->check_sorted(items, 64, &found) == AGD_OK && found == static_cast<std::size_t>(reported));
    agd_counts counts = forced->check_count();
    CHECK(counts.errors + counts.warnings + counts.infos == found);
    int stopped = 0;
    CHECK(forced->check([&](const agd_diagnostic &) { return ++stopped < 1; }) == AGD_OK);
    CHECK(stopped == (reported > 0 ? 1 : 0));
}

static void functions() {
    auto parsed = agentsdisc::parse(R"({"specVersion": "1.0", "site": {"name": "A\u0042 \"c\""}, "capabilities": [{"id": "x"}]})");
    std::ostringstream out;
    out << text(parsed->service()->name) << '|' << text() << '|' << text("plain");
    CHECK(out.str() == "AB \"c\"||plain");
    std::string urls;
    for (const agd_link &link : agentsdisc::links("See https://a.example/x and <https://b.example/>."))
        urls += text(link.url).to<std::string>() + ";";
    CHECK(urls == "https://a.example/x;https://b.example/;");
    CHECK(*agentsdisc::resolve_url<std::string>("https://a.example/b/c", "../d") == "https://a.example/d");
    CHECK(agentsdisc::resolve_url<std::string>("nothing", "../d").error() == AGD_ERROR_BASE_URL);
    CHECK(agentsdisc::host_relation("a.co.uk", "b.a.co.uk").relation == AGD_RELATION_SUBDOMAIN);
    CHECK(agentsdisc::status_name(AGD_ERROR_NULL) == "null" && agentsdisc::format_id(AGD_FORMAT_AWP) == "awp");
    CHECK(agentsdisc::format_from_id("awp") == AGD_FORMAT_AWP && agentsdisc::format_is_built_in(AGD_FORMAT_AWP));
    CHECK(agentsdisc::version() == AGD_VERSION && agentsdisc::version_number() == AGD_VERSION_NUMBER);
    auto json = agentsdisc::parse_json(R"({"a": [1, true], "b": 7})");
    std::uint64_t sum = 0;
    for (const agd_member &member : agentsdisc::members(*json)) {
        sum += agentsdisc::to_u64(member.value).value_or(0);
        for (const agd_value &value : agentsdisc::elements(member.value))
            sum += agentsdisc::to_u64(value).value_or(0) + (agentsdisc::to_bool(value) == true ? 100 : 0);
    }
    CHECK(json && sum == 108 && agentsdisc::parse_json("{").error().kind == AGD_ERROR_INVALID_JSON);
    std::string messages;
    CHECK(parsed->check([&](const agd_diagnostic &diagnostic) { messages += *agentsdisc::message<std::string>(diagnostic); }) == AGD_OK);
    CHECK(!messages.empty() && agentsdisc::position_of(*parsed, 0)->line == 1);
    agentsdisc::document known;
    CHECK(known.parse_as("{}", AGD_FORMAT_AWP) == AGD_OK && known.format() == AGD_FORMAT_AWP);
}

static int diagnosed = 0;

static void count(const agd_diagnostic &) { diagnosed++; }

/// A sink is any callable, including functions and const objects.
static void sinks() {
    agd_options options = agentsdisc::options();
    options.format = AGD_FORMAT_AGENTS_JSON;
    auto parsed = agentsdisc::parse("{}", &options);
    const agd_counts counts = parsed->check_count();
    const int expected = static_cast<int>(counts.errors + counts.warnings + counts.infos);
    CHECK(expected > 0);
    CHECK(parsed->check(count) == AGD_OK && diagnosed == expected);
    const auto once_more = [](const agd_diagnostic &diagnostic) { return count(diagnostic); };
    CHECK(parsed->check(once_more) == AGD_OK && diagnosed == 2 * expected);
}

#if __cplusplus >= 202002L
// In C++20, algorithms and views accept lists.
static_assert(std::ranges::input_range<agd_capabilities> && std::ranges::input_range<const agd_capabilities>);
static_assert(std::ranges::input_range<agd_words> && std::ranges::input_range<agd_agents_md>);
static_assert(std::ranges::input_range<decltype(std::declval<agentsdisc::discovery>().attempts())>);
#endif

int main() {
    texts();
    ranges();
    results();
    sinks();
    functions();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
