// Decisions in C++.
#include "agentsdisc.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#define CHECK(condition)                                                                                                                     \
    do {                                                                                                                                     \
        if (!(condition)) {                                                                                                                  \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                             \
            return EXIT_FAILURE;                                                                                                             \
        }                                                                                                                                    \
    } while (0)

int main() {
    constexpr std::string_view bytes = "Spec-Version: 1.0\nSite-Name: x\nSite-URL: https://x.example\nCapability: search\n"
                                       "  Endpoint: https://x.example/s\n  Protocol: REST\n  Rate-Limit: 60/minute\nDisallow: /admin/*\n";
    auto parsed = agentsdisc::parse(bytes);
    CHECK(parsed);
    agd_request request = AGD_INIT(agd_request);
    request.agent = agentsdisc::text("Bot/1.0").c();
    auto refused = parsed->decide(request); // neither URL nor capability
    CHECK(!refused && refused.error().status == AGD_ERROR_NULL && !refused.error().document && refused->allowed == AGD_FALSE);
    request.url = agentsdisc::text("https://x.example/admin/x").c();
    agd_decision decision = *parsed->decide(request);
    CHECK(decision.allowed == AGD_FALSE && decision.reason == AGD_REASON_DISALLOWED && decision.rule_line == 8);

    request.url = agd_text{};
    request.capability = agentsdisc::text("search").c();
    decision = *agentsdisc::decide(&parsed->c(), 1, request);
    CHECK(decision.allowed == AGD_TRUE);
    static agd_workspace workspace;
    decision = *agentsdisc::decide(&parsed->c(), 1, request, &workspace);
    CHECK(decision.allowed == AGD_TRUE && agentsdisc::text(decision.endpoint) == "https://x.example/s");
    int count = 0;
    for (const agd_applied_limit &limit : agd_decision_limits(&decision)) {
        CHECK(limit.scope == AGD_SCOPE_CAPABILITY && limit.requests == 60 && limit.milliseconds == 60000);
        count++;
    }
    CHECK(count == 1);

    std::vector<agentsdisc::document> site(3, *parsed);
    auto made = agentsdisc::decide(site, request);
    CHECK(made && made->allowed == AGD_TRUE && agentsdisc::advisory_limit(*made)->requests == 60);
    CHECK(agentsdisc::json<std::string>(*made, nullptr, 0)->find("\"search\"") != std::string::npos);
    site[2] = agentsdisc::document();
    made = agentsdisc::decide(site, request, &workspace);
    CHECK(!made && made.error().status == AGD_ERROR_UNINITIALISED && made.error().document == std::size_t{2});
    agd_document plain[1] = {parsed->c()};
    CHECK(agentsdisc::decide(plain, request)->allowed == AGD_TRUE);
    CHECK(agentsdisc::decide(std::vector<agentsdisc::document>(), request)->allowed == AGD_FALSE);

    agentsdisc::offers offers(plain, 1, request);
    CHECK(offers.status() == AGD_OK && offers.schema<std::string>()->empty());
    auto offer = offers.next(workspace);
    CHECK(offer && agentsdisc::text(offer->capability.id) == "search" && offer->decision.allowed == AGD_TRUE && offer->document == 0);
    CHECK(offers.schema<std::string>()->find("\"type\"") != std::string::npos);
    CHECK(!offers.next(workspace));
    CHECK(agentsdisc::offers(nullptr, 1, request).status() == AGD_ERROR_NULL);
    return EXIT_SUCCESS;
}
