/*
 * Prints whether an agent may fetch a URL, and why. Exits with 0 if it may, 1 if it may not, 2 on errors.
 *
 *     cc robots.c $(pkg-config --cflags --libs agentsdisc) && ./a.out robots.txt ExampleBot https://example.com/x
 */
#include <agentsdisc.h>

#include <stdio.h>

/* RFC 9309 requires reading at least 500 KiB, which is the default of the library. */
static char data[500 * 1024 + 1];

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s FILE AGENT URL\n", argv[0]);
        return 2;
    }
    /* An unreachable robots.txt disallows everything. */
    agd_robots robots = agd_robots_disallow_all();
    FILE *file = fopen(argv[1], "rb");
    if (file != NULL) {
        size_t length = fread(data, 1, sizeof data, file);
        if (ferror(file))
            perror(argv[1]);
        else if (AGD_FAILED(agd_robots_parse(data, length, NULL, &robots)))
            fputs("the robots.txt cannot be used\n", stderr);
        fclose(file);
    } else {
        perror(argv[1]);
    }

    agd_text agent = agd_text_from(argv[2]), url = agd_text_from(argv[3]);
    agd_robots_decision decision = AGD_INIT(agd_robots_decision);
    agd_status status = agd_robots_decide(&robots, agent, url, &decision);
    if (status != AGD_SOME) {
        fprintf(stderr, "%s\n", agd_status_message(status));
        return 2;
    }
    printf("%s: %s", decision.allowed == AGD_TRUE ? "allowed" : "disallowed", agd_robots_reason_name(decision.reason));
    if (decision.reason == AGD_ROBOTS_REASON_RULE) {
        printf(", line %u: ", (unsigned)decision.rule_line);
        /* Replace control characters, which a terminal would interpret. */
        for (size_t i = 0; i < decision.rule_pattern.len; i++) {
            unsigned char byte = (unsigned char)decision.rule_pattern.ptr[i];
            putchar(byte < 0x20 || byte >= 0x7f ? '?' : byte);
        }
    }
    puts("");
    if (decision.crawl_delay_ms != AGD_UNSAID)
        printf("at most one request in %.3f seconds\n", (double)decision.crawl_delay_ms / 1000);
    return decision.allowed == AGD_TRUE ? 0 : 1;
}
