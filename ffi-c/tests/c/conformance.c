/*
 * Runs the conformance vectors.
 *
 *     conformance FOLDER                    calls everything for every document of the folder, for sanitizers and valgrind
 *     conformance FOLDER LIST               processes the lines of LIST and prints a line for each, which the Rust test compares
 *     conformance FOLDER --decisions LIST   answers the questions of LIST (path, agent, URL): prints each with `allowed` or
 *                                           `disallowed` and the line of the deciding rule
 *
 * A line of LIST has tab-separated fields, `-` if absent: path in FOLDER, forced format, URL, content type, origin, and the
 * limits of document, depth and line. A line of output has: path; detected format; then either `error`, kind, offset, line,
 * column, message, or `model`, the model as the library writes it, the model as walked here, and the diagnostics as a JSON
 * array.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <sys/stat.h>

#include "model.h"

enum { PATH, FORMAT, URL, CONTENT_TYPE, ORIGIN, DOCUMENT, DEPTH, LINE, FIELDS };

/* Converts a field to a text; absent for `-`. */
static agd_text argument(const char *field) { return strcmp(field, "-") == 0 ? agd_text_from(NULL) : agd_text_from(field); }

static size_t limit(const char *field) { return strcmp(field, "-") == 0 ? 0 : (size_t)strtoull(field, NULL, 10); }

static bool tell(void *user, const agd_diagnostic *diagnostic) {
    output *out = user;
    char message[1024];
    size_t length = 0;
    CHECK(diagnostic->size == sizeof *diagnostic);
    CHECK(agd_diagnostic_message(diagnostic, message, sizeof message, &length) == AGD_OK);
    CHECK(length > 0 && strlen(message) == length);
    separate(out);
    open_with(out, "{");
    text(out, "code", diagnostic->code);
    text(out, "severity", agd_text_from(agd_severity_name(diagnostic->severity)));
    integer(out, "start", (int64_t)diagnostic->start);
    integer(out, "end", (int64_t)diagnostic->end);
    integer(out, "line", diagnostic->line);
    integer(out, "column", diagnostic->column);
    text(out, "spec", diagnostic->spec);
    text(out, "section", diagnostic->section);
    text(out, "message", agd_text_from(message));
    close_with(out, "}");
    return true;
}

/* Calls everything for one document, and writes the line of output after its path. */
static void examine(const char *data, size_t length, const agd_options *options, agd_text origin, output *out) {
    agd_detection detection = AGD_INIT(agd_detection);
    CHECK(agd_detect(data, length, options, &detection) == AGD_SOME);
    agd_text sign;
    for (size_t i = 0; agd_detection_sign(&detection, i, &sign) == AGD_SOME; i++)
        CHECK(sign.ptr != NULL && sign.len > 0);
    put_string(out, "\t");
    put_string(out, agd_format_id(detection.format));

    agd_document document = AGD_DOCUMENT_INIT;
    agd_error error;
    agd_status status = agd_parse(data, length, options, &document, &error);
    if (status != AGD_OK) {
        char numbers[128];
        CHECK(status == error.kind);
        snprintf(numbers, sizeof numbers, "\t%zu\t%u\t%u\t", error.offset, (unsigned)error.line, (unsigned)error.column);
        put_string(out, "\terror\t");
        put_string(out, agd_status_name(error.kind));
        put_string(out, numbers);
        put_string(out, error.message);
        CHECK(agd_write_json(&document, NULL, 0, NULL) == AGD_ERROR_UNINITIALISED);
        return;
    }
    put_string(out, "\tmodel\t");
    size_t needed = 0;
    CHECK(agd_write_json(&document, NULL, 0, &needed) == AGD_ERROR_BUFFER_TOO_SMALL);
    char *json = malloc(needed + 1);
    if (json == NULL)
        exit(EXIT_FAILURE);
    CHECK(agd_write_json(&document, json, needed, NULL) == AGD_ERROR_BUFFER_TOO_SMALL && json[0] == '\0');
    CHECK(agd_write_json(&document, json, needed + 1, &needed) == AGD_OK && strlen(json) == needed);
    put(out, json, needed);
    free(json);
    put_string(out, "\t");
    model(out, &document);

    put_string(out, "\t");
    agd_check_options check = AGD_INIT(agd_check_options);
    check.origin = origin;
    open_with(out, "[");
    CHECK(agd_check(&document, &check, tell, out) == AGD_OK);
    close_with(out, "]");
    agd_counts counts;
    CHECK(agd_check_count(&document, &check, &counts) == AGD_OK);
}

/* Processes a line of the list. */
static void run_line(const char *folder, char *line) {
    char *fields[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
        fields[i] = line;
        line += strcspn(line, "\t\n");
        if (*line != '\0')
            *line++ = '\0';
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, fields[PATH]);
    size_t length;
    char *data = read_file(path, &length);
    agd_options options = AGD_INIT(agd_options);
    if (strcmp(fields[FORMAT], "-") != 0)
        options.format = agd_format_from_id(agd_text_from(fields[FORMAT]));
    CHECK(options.format >= 0);
    options.url = argument(fields[URL]);
    options.content_type = argument(fields[CONTENT_TYPE]);
    options.max_document = limit(fields[DOCUMENT]);
    options.max_depth = (uint32_t)limit(fields[DEPTH]);
    options.max_line = limit(fields[LINE]);
    output out = {0};
    put_string(&out, fields[PATH]);
    examine(data, length, &options, argument(fields[ORIGIN]), &out);
    puts(out.data);
    free(out.data);
    free(data);
}

/* Answers a question about a robots.txt. An absolute path is not relative to the folder. */
static void decide_line(const char *folder, char *line) {
    char *fields[3];
    for (int i = 0; i < 3; i++) {
        fields[i] = line;
        line += strcspn(line, "\t\n");
        if (*line != '\0')
            *line++ = '\0';
    }
    char path[4096];
    snprintf(path, sizeof path, "%s%s%s", fields[0][0] == '/' ? "" : folder, fields[0][0] == '/' ? "" : "/", fields[0]);
    size_t length;
    char *data = read_file(path, &length);
    agd_robots robots = AGD_ROBOTS_INIT;
    CHECK(agd_robots_parse(data, length, NULL, &robots) == AGD_OK);
    agd_robots_decision decision = AGD_INIT(agd_robots_decision);
    agd_text agent = agd_text_from(fields[1]), url = agd_text_from(fields[2]);
    CHECK(agd_robots_decide(&robots, agent, url, &decision) == AGD_SOME);
    CHECK(agd_robots_allowed(&robots, agent, url) == (decision.allowed == AGD_TRUE));
    printf("%s\t%s\t%s\t%s\t", fields[0], fields[1], fields[2], decision.allowed == AGD_TRUE ? "allowed" : "disallowed");
    if (decision.rule_line == 0)
        puts("-");
    else
        printf("%u\n", (unsigned)decision.rule_line);
    free(data);
}

/* Reads every document under a folder, and the first half of each. Returns their number. */
static int run_folder(const char *folder) {
    int count = 0;
    DIR *entries = opendir(folder);
    if (entries == NULL) {
        perror(folder);
        exit(EXIT_FAILURE);
    }
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        size_t end = strlen(path);
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            count += run_folder(path);
        } else if (end > 3 && strcmp(path + end - 3, ".in") == 0) {
            size_t length;
            char *data = read_file(path, &length);
            agd_options options = AGD_INIT(agd_options);
            output out = {0};
            examine(data, length, &options, agd_text_from("https://example.com"), &out);
            char *half = malloc(length / 2 + 1);
            if (half == NULL)
                exit(EXIT_FAILURE);
            if (length / 2 != 0)
                memcpy(half, data, length / 2);
            examine(half, length / 2, NULL, agd_text_from(NULL), &out);
            free(half);
            free(out.data);
            free(data);
            count++;
        }
    }
    closedir(entries);
    return count;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [[--decisions] LIST]\n", argv[0]);
        return 2;
    }
    if (argc == 2) {
        CHECK(run_folder(argv[1]) > 100);
        return result("conformance");
    }
    bool decisions = strcmp(argv[2], "--decisions") == 0 && argc > 3;
    const char *file = decisions ? argv[3] : argv[2];
    FILE *list = fopen(file, "r");
    if (list == NULL) {
        perror(file);
        return 2;
    }
    char line[8192];
    while (fgets(line, sizeof line, list) != NULL)
        (decisions ? decide_line : run_line)(argv[1], line);
    fclose(list);
    return result("conformance");
}
