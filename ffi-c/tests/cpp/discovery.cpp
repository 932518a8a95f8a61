// Discovery in C++, and functions for single formats.
#include "agentsdisc.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#define CHECK(condition)                                                                                                                     \
    do {                                                                                                                                     \
        if (!(condition)) {                                                                                                                  \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                             \
            return EXIT_FAILURE;                                                                                                             \
        }                                                                                                                                    \
    } while (0)

namespace {

constexpr std::uint64_t now = 1790000000;

int a_site() {
    static agentsdisc::discovery site;
    CHECK(!site.next() && !site.is_done() && !site.is_trail_cut() && site.robots() == AGD_ROBOTS_RULES_UNKNOWN && !site.ask_again_at());
    CHECK(site.start("not a site") == AGD_ERROR_SITE && site.start("https://A.example/x") == AGD_OK);
    CHECK(site.origin() == "https://a.example");
    int asked = 0;
    while (auto request = site.next()) {
        asked++;
        agd_http_header headers[AGD_DISCOVERY_HEADERS];
        CHECK(site.headers(*request, "Bot/1.0", headers) > 0 && agentsdisc::text(headers[0].value).has_value());
        agd_stored stored = AGD_INIT(agd_stored);
        CHECK(!site.recall(*request, stored, now));
        if (request->resource == AGD_RESOURCE_ROBOTS_TXT) {
            auto failed = site.fail(*request, AGD_FAILURE_TIMEOUT, now);
            CHECK(failed && failed->state == AGD_ATTEMPT_REJECTED && !site.fail(*request, AGD_FAILURE_TIMEOUT, now));
            continue;
        }
        agd_discovery_response response = AGD_INIT(agd_discovery_response);
        response.now = now;
        response.status = 404;
        if (agentsdisc::text(request->url) == "https://a.example/.well-known/agents.txt") {
            response.status = 200;
            response.body = agentsdisc::text("Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\n").c();
        }
        auto answer = site.respond(*request, response);
        CHECK(answer && (answer->state == AGD_ATTEMPT_FOUND) == (response.status == 200));
        if (answer->state == AGD_ATTEMPT_FOUND)
            CHECK(agentsdisc::text(agentsdisc::document(answer->document).service()->name) == "A");
    }
    CHECK(asked > 5 && site.is_done() && site.robots() == AGD_ROBOTS_RULES_DISALLOW_ALL && site.ask_again_at());
    int attempts = 0, documents = 0;
    for (const agd_attempt &attempt : site.attempts())
        attempts += attempt.state != AGD_ATTEMPT_OPEN;
    for (const agd_attempt &attempt : site.documents())
        documents += attempt.format == AGD_FORMAT_AGENTS_TXT;
    // The rules of robots.txt apply to four locations, and robots.txt cannot be fetched.
    CHECK(attempts == asked + 4 && documents == 1);
    CHECK(site.ask_detail(agentsdisc::document(), "/x", false) < 0 && site.declared(agentsdisc::document()) < 0);
    return EXIT_SUCCESS;
}

int single_formats() {
    auto url = agentsdisc::parse_url("https://a.example/x");
    CHECK(url && agentsdisc::text(url->host) == "a.example" && !agentsdisc::parse_url("/x"));
    auto type = agentsdisc::parse_type("enum[a, b]");
    int options = 0;
    CHECK(type && !agentsdisc::parse_type("array["));
    for (const agd_text &option : type->options)
        options += agentsdisc::text(option).raw().size() == 1;
    CHECK(options == 2);

    agd_options markdown = agentsdisc::options();
    markdown.format = AGD_FORMAT_AGENTS_MD;
    auto parsed = agentsdisc::parse("# A\n\n## Cannot\n\n- buy\n- sell\n", &markdown);
    CHECK(parsed && parsed->agents_md());
    int items = 0;
    auto body = *parsed->agents_md();
    for (const agd_entry &entry : body)
        items += entry.kind == AGD_ENTRY_ITEM && entry.section == AGD_SECTION_CANNOT;
    agd_request request = AGD_INIT(agd_request);
    request.url = agentsdisc::text("/x").c();
    agd_decision decision = *parsed->decide(request);
    for (const agentsdisc::word &word : agd_decision_words(&decision, AGD_WORDS_CANNOT))
        items += word.document == 0 && (agentsdisc::text(word.text) == "buy" || agentsdisc::text(word.text) == "sell");
    CHECK(items == 4);

    agd_options text = agentsdisc::options();
    text.format = AGD_FORMAT_AGENTS_TXT;
    auto careless = agentsdisc::parse("Capability: a\nCapability: a\n", &text);
    agd_diagnostic window[1];
    std::size_t count = 0;
    for (const agd_diagnostic &diagnostic : careless->diagnostics(window))
        count += diagnostic.line > 0;
    agd_counts counts = careless->check_count();
    CHECK(count == counts.errors + counts.warnings + counts.infos && count > 1);
    return EXIT_SUCCESS;
}

} // namespace

int main() { return a_site() == EXIT_SUCCESS && single_formats() == EXIT_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE; }
