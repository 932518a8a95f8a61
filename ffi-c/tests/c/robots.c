/* robots.txt: decisions and reasons, lists, positions, misuse. */
#include "agentsdisc.h"
#include "common.h"

static const char ROBOTS[] = "# rules\n"
                             "User-agent: FooBot\n"
                             "User-agent: BarBot\n"
                             "Crawl-delay: 1.5\n"
                             "Disallow: /private\n"
                             "Allow: /private/*.html$\n"
                             "\n"
                             "User-agent: *\n"
                             "Crawl-delay: soon\n"
                             "Disallow: /\n"
                             "\n"
                             "Sitemap: https://example.com/one.xml\n"
                             "Sitemap: https://example.com/two.xml\n";

static agd_robots robots_of(const char *text) {
    agd_robots robots = AGD_ROBOTS_INIT;
    CHECK(agd_robots_parse(text, strlen(text), NULL, &robots) == AGD_OK);
    return robots;
}

static bool may(const agd_robots *robots, const char *agent, const char *url) {
    return agd_robots_allowed(robots, agd_text_from(agent), agd_text_from(url));
}

static agd_robots_decision decided(const agd_robots *robots, const char *agent, const char *url) {
    agd_robots_decision decision = AGD_INIT(agd_robots_decision);
    CHECK(agd_robots_decide(robots, agd_text_from(agent), agd_text_from(url), &decision) == AGD_SOME);
    CHECK(decision.size == sizeof decision && decision.allowed == may(robots, agent, url));
    if (decision.reason == AGD_ROBOTS_REASON_RULE)
        CHECK(decision.rule_allow == decision.allowed && decision.rule_line > decision.group_line && decision.group_line > 0);
    else
        CHECK(decision.allowed == AGD_TRUE && decision.rule_allow == AGD_UNSAID && decision.rule_pattern.ptr == NULL &&
              decision.rule_line == 0 && decision.group_line == 0 && decision.rule_start == 0 && decision.rule_end == 0);
    return decision;
}

static void decisions(void) {
    agd_robots robots = robots_of(ROBOTS);
    agd_robots_decision decision = decided(&robots, "foobot/2.1 (+https://foo.example)", "https://example.com/private/x?y");
    CHECK(decision.allowed == AGD_FALSE && decision.reason == AGD_ROBOTS_REASON_RULE && decision.binding == AGD_ROBOTS_BINDING_NAMED);
    CHECK(agd_text_eq_str(decision.rule_pattern, "/private") && decision.rule_line == 5 && decision.group_line == 2);
    CHECK(memcmp(ROBOTS + decision.rule_start, "/private\n", 9) == 0 && decision.rule_end == decision.rule_start + 8);
    CHECK(decision.crawl_delay_ms == 1500);

    decision = decided(&robots, "BarBot", "/private/a.html");
    CHECK(decision.allowed == AGD_TRUE && agd_text_eq_str(decision.rule_pattern, "/private/*.html$") && decision.rule_line == 6);
    decision = decided(&robots, "BarBot", "/else");
    CHECK(decision.reason == AGD_ROBOTS_REASON_NO_RULE && decision.crawl_delay_ms == 1500);
    decision = decided(&robots, "Other", "https://example.com");
    CHECK(decision.allowed == AGD_FALSE && decision.binding == AGD_ROBOTS_BINDING_ANY && decision.crawl_delay_ms == AGD_UNSAID);
    decision = decided(&robots, "Other", "/robots.txt");
    CHECK(decision.reason == AGD_ROBOTS_REASON_ROBOTS_FILE && decision.binding == AGD_ROBOTS_BINDING_NONE);
    CHECK(!may(&robots, "", "") && !may(&robots, "Foo", "/"));

    robots = robots_of("User-agent: FooBot\nDisallow: /\n");
    CHECK(decided(&robots, "Other", "/x").reason == AGD_ROBOTS_REASON_NO_GROUP);
    robots = robots_of("");
    CHECK(decided(&robots, "Other", "/x").reason == AGD_ROBOTS_REASON_NO_GROUP);

    robots = agd_robots_allow_all();
    CHECK(may(&robots, "FooBot", "/x"));
    robots = agd_robots_disallow_all();
    CHECK(!may(&robots, "FooBot", "/x") && may(&robots, "FooBot", "/robots.txt"));

    CHECK(strcmp(agd_robots_reason_name(AGD_ROBOTS_REASON_NO_GROUP), "no-group") == 0);
    CHECK(strcmp(agd_robots_reason_name(4711), "unknown") == 0);
}

/* Compiled rules decide as the robots.txt does. */
static void compiled(void) {
    agd_robots robots = robots_of(ROBOTS);
    agd_robots_compiled rules = AGD_ROBOTS_COMPILED_INIT;
    agd_robots_compiled_rule buffer[8];
    const char *agents[] = {"FooBot", "barbot/1.0", "Other", "Mozilla/5.0 (compatible; BarBot/1.0; FooBot)"};
    const char *urls[] = {"/", "https://a.test/private/x", "/private/a.html", "/robots.txt", "", "/a/../private/x", "/%70rivate/"};
    size_t needed = 0, i, j;
    for (i = 0; i < sizeof agents / sizeof *agents; i++) {
        agd_text agent = agd_text_from(agents[i]);
        CHECK(agd_robots_compile(&robots, agent, NULL, 0, &rules, &needed) == AGD_ERROR_BUFFER_TOO_SMALL && needed > 2 && needed <= 8);
        CHECK(!agd_robots_compiled_allowed(&rules, agd_text_from("/robots.txt")));
        CHECK(agd_robots_compile(&robots, agent, buffer, needed - 1, &rules, NULL) == AGD_ERROR_BUFFER_TOO_SMALL);
        CHECK(agd_robots_compile(&robots, agent, buffer, needed, &rules, &needed) == AGD_OK);
        for (j = 0; j < sizeof urls / sizeof *urls; j++) {
            agd_robots_decision by_rules = AGD_INIT(agd_robots_decision), by_scan = AGD_INIT(agd_robots_decision);
            CHECK(agd_robots_compiled_decide(&rules, agd_text_from(urls[j]), &by_rules) == AGD_SOME);
            CHECK(agd_robots_decide(&robots, agent, agd_text_from(urls[j]), &by_scan) == AGD_SOME);
            CHECK(by_rules.allowed == by_scan.allowed && by_rules.reason == by_scan.reason && by_rules.binding == by_scan.binding);
            CHECK(by_rules.rule_allow == by_scan.rule_allow && by_rules.rule_pattern.ptr == by_scan.rule_pattern.ptr);
            CHECK(by_rules.rule_line == by_scan.rule_line && by_rules.group_line == by_scan.group_line);
            CHECK(by_rules.crawl_delay_ms == by_scan.crawl_delay_ms);
            CHECK(agd_robots_compiled_allowed(&rules, agd_text_from(urls[j])) == (by_scan.allowed == AGD_TRUE));
        }
    }
    CHECK(agd_robots_compile(NULL, agd_text_from("a"), buffer, 8, &rules, NULL) == AGD_ERROR_NULL);
    CHECK(!agd_robots_compiled_allowed(&rules, agd_text_from("/")));
    CHECK(agd_robots_compile(&robots, agd_text_from("a"), NULL, 8, &rules, NULL) == AGD_ERROR_NULL);
    CHECK(agd_robots_compile(&robots, agd_text_from("a"), buffer, SIZE_MAX, &rules, NULL) == AGD_ERROR_ARGUMENT);
    CHECK(agd_robots_compile(&robots, agd_text_from("a"), buffer, 8, NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_robots_compile(&robots, agd_text_from(NULL), buffer, 8, &rules, NULL) == AGD_ERROR_NULL);
    CHECK(!agd_robots_compiled_allowed(NULL, agd_text_from("/")));
    CHECK(agd_robots_compile(&robots, agd_text_from(""), buffer, 8, &rules, &needed) == AGD_OK && needed == 0);
    CHECK(!agd_robots_compiled_allowed(&rules, agd_text_from("/")));
}

static void delays(void) {
    agd_robots robots = robots_of(ROBOTS);
    agd_robots_delay delay = AGD_INIT(agd_robots_delay);
    CHECK(agd_robots_crawl_delay(&robots, agd_text_from("BarBot"), &delay) == AGD_SOME);
    CHECK(delay.milliseconds == 1500 && agd_text_eq_str(delay.text, "1.5") && delay.line == 4);
    CHECK(memcmp(ROBOTS + delay.start, "1.5", 3) == 0 && delay.end == delay.start + 3);
    CHECK(agd_robots_crawl_delay(&robots, agd_text_from("Other"), &delay) == AGD_SOME);
    CHECK(delay.milliseconds == AGD_UNSAID && agd_text_eq_str(delay.text, "soon"));
    robots = robots_of("User-agent: *\nDisallow: /\n");
    CHECK(agd_robots_crawl_delay(&robots, agd_text_from("Other"), &delay) == AGD_NONE);
    /* More milliseconds than INT64_MAX. */
    robots = robots_of("User-agent: *\nCrawl-delay: 18446744073709551\n");
    CHECK(agd_robots_crawl_delay(&robots, agd_text_from("Other"), &delay) == AGD_SOME && delay.milliseconds == INT64_MAX);
    robots = robots_of("User-agent: *\nCrawl-delay: 18446744073709552\n");
    CHECK(agd_robots_crawl_delay(&robots, agd_text_from("Other"), &delay) == AGD_SOME && delay.milliseconds == AGD_UNSAID);
}

static void lists(void) {
    agd_robots robots = robots_of(ROBOTS);
    agd_texts sitemaps = agd_robots_sitemaps(&robots);
    agd_text text;
    size_t start = 0, end = 0;
    uint32_t line = 0, column = 0;
    CHECK(agd_texts_next(&sitemaps, &text) == AGD_SOME && agd_text_eq_str(text, "https://example.com/one.xml"));
    CHECK(agd_texts_next(&sitemaps, &text) == AGD_SOME && agd_text_eq_str(text, "https://example.com/two.xml"));
    CHECK(agd_texts_next(&sitemaps, &text) == AGD_NONE);
    CHECK(agd_robots_span(&robots, text, &start, &end) == AGD_OK && end == strlen(ROBOTS) - 1);
    CHECK(agd_robots_position(&robots, start, &line, &column) == AGD_OK && line == 13 && column == 10);

    agd_robots_groups groups = agd_robots_group_list(&robots);
    agd_robots_group group = AGD_INIT(agd_robots_group);
    agd_robots_rule rule = AGD_INIT(agd_robots_rule);
    CHECK(agd_robots_groups_next(&groups, &group) == AGD_SOME && agd_text_eq_str(group.crawl_delay, "1.5"));
    CHECK(agd_texts_next(&group.agents, &text) == AGD_SOME && agd_text_eq_str(text, "FooBot"));
    CHECK(agd_texts_next(&group.agents, &text) == AGD_SOME && agd_text_eq_str(text, "BarBot"));
    CHECK(agd_texts_next(&group.agents, &text) == AGD_NONE);
    CHECK(agd_robots_rules_next(&group.rules, &rule) == AGD_SOME && rule.allow == AGD_FALSE && agd_text_eq_str(rule.pattern, "/private"));
    CHECK(agd_robots_rules_next(&group.rules, &rule) == AGD_SOME && rule.allow == AGD_TRUE);
    CHECK(agd_robots_rules_next(&group.rules, &rule) == AGD_NONE);
    CHECK(agd_robots_groups_next(&groups, &group) == AGD_SOME && agd_robots_groups_next(&groups, &group) == AGD_NONE);
}

static void preferences_of_a_group(void) {
    const char *written = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /x\nContent-Usage: /open train-ai=n;a=1, other=y\n";
    agd_robots robots = robots_of(written);
    agd_robots_stance stance = AGD_INIT(agd_robots_stance);
    agd_text agent = agd_text_from("Bot");
    CHECK(agd_robots_prefers(&robots, agent, agd_text_from("/open/a"), agd_text_from("train-ai"), &stance) == AGD_SOME);
    CHECK(stance.preference == AGD_STANCE_DISALLOW && stance.crawlable == AGD_TRUE && stance.line == 4);
    CHECK(stance.source == AGD_VOCABULARY_CONTENT_USAGE && agd_text_eq_str(stance.path, "/open") && agd_text_eq_str(stance.text, "train-ai=n;a=1"));
    CHECK(memcmp(written + stance.start, "train-ai=n;a=1", stance.end - stance.start) == 0);
    CHECK(agd_robots_prefers(&robots, agent, agd_text_from("/"), agd_text_from("search"), &stance) == AGD_SOME);
    CHECK(stance.preference == AGD_STANCE_ALLOW && stance.line == 2 && stance.path.ptr == NULL);
    CHECK(agd_robots_prefers(&robots, agent, agd_text_from("/x"), agd_text_from("search"), &stance) == AGD_SOME);
    CHECK(stance.preference == AGD_STANCE_NOT_STATED && stance.crawlable == AGD_FALSE && stance.line == 0 && stance.source == AGD_UNSAID);
    CHECK(agd_robots_prefers(NULL, agent, agent, agent, &stance) == AGD_ERROR_NULL);

    agd_robots_preferences list = agd_robots_preference_list(&robots);
    agd_robots_preference item = AGD_INIT(agd_robots_preference);
    CHECK(agd_robots_preferences_next(&list, &item) == AGD_SOME && item.purpose.value == AGD_PURPOSE_SEARCH && item.group == 0);
    CHECK(agd_robots_preferences_next(&list, &item) == AGD_SOME && item.purpose.value == AGD_PURPOSE_TRAIN_AI);
    CHECK(agd_text_eq_str(item.purpose.text, "ai-train") && item.preference.value == AGD_STANCE_DISALLOW);
    CHECK(agd_robots_preferences_next(&list, &item) == AGD_SOME && item.source.value == AGD_VOCABULARY_CONTENT_USAGE);
    CHECK(agd_robots_preferences_next(&list, &item) == AGD_SOME && item.purpose.value == AGD_PURPOSE_UNKNOWN);
    CHECK(agd_robots_preferences_next(&list, &item) == AGD_NONE);
}

static void limits(void) {
    const char text[] = "User-agent: *\nDisallow: /a\nDisallow: /b\n";
    agd_options options = AGD_INIT(agd_options);
    agd_robots robots = AGD_ROBOTS_INIT;
    CHECK(agd_robots_parse(text, strlen(text), &options, &robots) == AGD_OK && agd_robots_is_cut(&robots) == AGD_FALSE);
    CHECK(!may(&robots, "Bot", "/b"));
    options.max_robots = 30; /* in the middle of the last line, which is then ignored */
    options.format = AGD_FORMAT_ROBOTS_TXT;
    CHECK(agd_robots_parse(text, strlen(text), &options, &robots) == AGD_OK && agd_robots_is_cut(&robots) == AGD_TRUE);
    CHECK(!may(&robots, "Bot", "/a") && may(&robots, "Bot", "/b"));
    options.max_robots = 0;
    options.max_line = 13;
    CHECK(agd_robots_parse(text, strlen(text), &options, &robots) == AGD_OK && !may(&robots, "Bot", "/b"));
    options.format = AGD_FORMAT_AWP;
    CHECK(agd_robots_parse(text, strlen(text), &options, &robots) == AGD_ERROR_ARGUMENT);
    CHECK(agd_robots_is_cut(&robots) == AGD_UNSAID && !may(&robots, "Bot", "/x"));
}

static void robots_from_a_document(void) {
    agd_document document = AGD_DOCUMENT_INIT;
    agd_robots robots = AGD_ROBOTS_INIT;
    agd_options options = AGD_INIT(agd_options);
    options.format = AGD_FORMAT_ROBOTS_TXT;
    CHECK(agd_parse(ROBOTS, strlen(ROBOTS), &options, &document, NULL) == AGD_OK);
    CHECK(agd_document_robots(&document, &robots) == AGD_SOME);
    CHECK(!may(&robots, "FooBot", "/private") && may(&robots, "FooBot", "/"));
    CHECK(agd_parse("{\"specVersion\": \"1.0\", \"site\": {\"name\": \"A\"}, \"capabilities\": []}", 65, NULL, &document, NULL) == AGD_OK);
    CHECK(agd_document_robots(&document, &robots) == AGD_NONE);
    CHECK(!may(&robots, "FooBot", "/"));
}

static void bytes_that_are_not_utf8(void) {
    agd_robots robots = robots_of("User-agent: *\nDisallow: /\xff\n");
    CHECK(!may(&robots, "Bot", "/\xff") && may(&robots, "\xff", "/\xfe"));
}

static void misuse(void) {
    agd_robots never = AGD_ROBOTS_INIT, robots = robots_of(ROBOTS);
    agd_document document = AGD_DOCUMENT_INIT;
    agd_robots_decision decision = AGD_INIT(agd_robots_decision);
    agd_robots_delay delay = AGD_INIT(agd_robots_delay);
    agd_robots_group group = AGD_INIT(agd_robots_group);
    agd_text bot = agd_text_from("Bot"), path = agd_text_from("/x"), absent = agd_text_from(NULL), text;
    agd_text escaped = {"https:\\/\\/example.com\\/x", 23, AGD_TEXT_ESCAPED}, null = {NULL, 3, 0};
    CHECK(agd_robots_parse(NULL, 7, NULL, &robots) == AGD_ERROR_NULL && agd_robots_is_cut(&robots) == AGD_UNSAID);
    CHECK(agd_robots_parse(NULL, 0, NULL, &robots) == AGD_OK && may(&robots, "Bot", "/"));
    CHECK(agd_robots_parse(ROBOTS, strlen(ROBOTS), NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_robots_parse(ROBOTS, SIZE_MAX, NULL, &robots) == AGD_ERROR_ARGUMENT);
    robots = robots_of(ROBOTS);
    CHECK(agd_robots_decide(NULL, bot, path, &decision) == AGD_ERROR_NULL);
    CHECK(agd_robots_decide(&never, bot, path, &decision) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_robots_decide(&robots, absent, path, &decision) == AGD_ERROR_NULL);
    CHECK(agd_robots_decide(&robots, bot, null, &decision) == AGD_ERROR_NULL);
    CHECK(agd_robots_decide(&robots, bot, escaped, &decision) == AGD_ERROR_ARGUMENT);
    CHECK(agd_robots_decide(&robots, bot, path, NULL) == AGD_ERROR_NULL);
    decision.size = 0;
    CHECK(agd_robots_decide(&robots, bot, path, &decision) == AGD_ERROR_STRUCT_SIZE);
    CHECK(!agd_robots_allowed(NULL, bot, path) && !agd_robots_allowed(&never, bot, path));
    CHECK(!agd_robots_allowed(&robots, agd_text_from("FooBot"), absent) && !agd_robots_allowed(&robots, absent, path));
    CHECK(agd_robots_crawl_delay(&never, bot, &delay) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_robots_crawl_delay(&robots, bot, NULL) == AGD_ERROR_NULL);
    CHECK(agd_document_robots(&document, &robots) == AGD_ERROR_UNINITIALISED && agd_robots_is_cut(&robots) == AGD_UNSAID);
    CHECK(agd_document_robots(NULL, &robots) == AGD_ERROR_NULL);
    CHECK(agd_document_robots(&document, NULL) == AGD_ERROR_NULL);
    CHECK(agd_robots_is_cut(NULL) == AGD_UNSAID);
    CHECK(agd_robots_span(&never, path, NULL, NULL) == AGD_ERROR_UNINITIALISED);
    CHECK(agd_robots_position(NULL, 0, NULL, NULL) == AGD_ERROR_NULL);
    agd_robots_groups groups = agd_robots_group_list(&never);
    CHECK(agd_robots_groups_next(&groups, &group) == AGD_ERROR_UNINITIALISED);
    agd_robots_preferences preferences = agd_robots_preference_list(NULL);
    agd_robots_preference preference = AGD_INIT(agd_robots_preference);
    CHECK(agd_robots_preferences_next(&preferences, &preference) == AGD_ERROR_UNINITIALISED);
    agd_texts sitemaps = agd_robots_sitemaps(NULL);
    CHECK(agd_texts_next(&sitemaps, &text) == AGD_ERROR_UNINITIALISED);
}

int main(void) {
    decisions();
    compiled();
    delays();
    lists();
    preferences_of_a_group();
    limits();
    robots_from_a_document();
    bytes_that_are_not_utf8();
    misuse();
    return result("robots");
}
