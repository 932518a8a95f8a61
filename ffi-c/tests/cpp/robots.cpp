// robots.txt in C++.
#include "common.hpp"

#include <string>

using agentsdisc::robots;
using agentsdisc::text;

static constexpr std::string_view ROBOTS = "User-agent: FooBot\nCrawl-delay: 2\nDisallow: /private\nAllow: /private/but-this\n"
                                           "User-agent: *\nDisallow: /\nSitemap: https://example.com/map.xml\n";

static void decisions() {
    robots rules = robots::parse(ROBOTS);
    std::string agent = "FooBot/1.0";
    CHECK(rules.allowed(agent, "https://example.com/") && !rules.allowed("FooBot", std::string_view("/private/x")));
    CHECK(!rules.allowed("Other", "/") && rules.allowed("Other", "/robots.txt"));
    agd_robots_decision decision = rules.decide(agent, "/private/but-this/too");
    CHECK(decision.allowed == AGD_TRUE && decision.reason == AGD_ROBOTS_REASON_RULE && decision.rule_line == 4);
    CHECK(text(decision.rule_pattern) == "/private/but-this" && decision.crawl_delay_ms == 2000);
    CHECK(rules.crawl_delay(agent) == std::chrono::seconds(2) && !rules.crawl_delay("Other"));
    CHECK(!rules.is_cut());
    CHECK(robots::allow_all().allowed("Other", "/") && !robots::disallow_all().allowed("Other", "/"));
}

static void compiled() {
    robots rules = robots::parse(ROBOTS);
    agentsdisc::compiled_robots made = rules.compile("FooBot/1.0"), other = rules.compile("Other");
    CHECK(made.allowed("/x") && !made.allowed("/private/x") && made.allowed("/private/but-this") && !other.allowed("/x"));
    agentsdisc::compiled_robots moved = std::move(made);
    agd_robots_decision decision = moved.decide("/private/but-this/too");
    CHECK(decision.rule_line == 4 && text(decision.rule_pattern) == "/private/but-this" && decision.crawl_delay_ms == 2000);
    CHECK(!agentsdisc::compiled_robots().allowed("/x") && !robots().compile("FooBot").allowed("/x"));
    CHECK(agentsdisc::position_of(rules, decision.rule_start)->line == 4 && agentsdisc::span_of(rules, decision.rule_pattern));
}

static void ranges() {
    std::string walked;
    robots rules = robots::parse(ROBOTS);
    for (const agd_robots_group &group : rules.groups()) {
        for (const agd_text &agent : group.agents)
            walked += text(agent).to<std::string>() + ":";
        for (const agd_robots_rule &rule : group.rules)
            walked += (rule.allow == AGD_TRUE ? "+" : "-") + text(rule.pattern).to<std::string>() + ";";
    }
    CHECK(walked == "FooBot:-/private;+/private/but-this;*:-/;");
    for (const agd_text &sitemap : rules.sitemaps())
        CHECK(text(sitemap) == "https://example.com/map.xml");
}

static void robots_from_a_document() {
    agd_options options = agentsdisc::options();
    options.format = AGD_FORMAT_ROBOTS_TXT;
    auto parsed = agentsdisc::parse(ROBOTS, &options);
    CHECK(parsed && parsed->robots() && !parsed->robots()->allowed("Other", "/"));
    auto other = agentsdisc::parse(R"({"specVersion": "1.0", "site": {"name": "A"}, "capabilities": []})");
    CHECK(other && !other->robots());
}

static void misuse() {
    robots never;
    CHECK(!never.allowed("Bot", "/") && never.decide("Bot", "/").allowed == AGD_FALSE && !never.crawl_delay("Bot"));
    CHECK(!robots::parse(ROBOTS).allowed("FooBot", text()));
    // A JSON text may be escaped: decode it first.
    robots rules = robots::parse("User-agent: *\nDisallow: /\nAllow: /open\n");
    const agd_text escaped{"https:\\/\\/example.com\\/open", 26, AGD_TEXT_ESCAPED};
    CHECK(!rules.allowed("Bot", escaped));
}

int main() {
    decisions();
    compiled();
    ranges();
    robots_from_a_document();
    misuse();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
