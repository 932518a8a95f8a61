/*
 * Walks a folder, reads every file, and counts the diagnostics of discovery documents. For a file that cannot be
 * read, or is not a discovery document, it prints a line and continues.
 *
 *     cc folder.c $(pkg-config --cflags --libs agentsdisc) && ./a.out FOLDER
 */
#define _POSIX_C_SOURCE 200809L
#include <agentsdisc.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* One byte more than the default limit, so that the library reports larger files as too large. */
static char data[(1 << 20) + 1];

static void examine(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return;
    }
    size_t length = fread(data, 1, sizeof data, file);
    if (ferror(file)) {
        perror(path);
        fclose(file);
        return;
    }
    fclose(file);

    agd_document document = AGD_DOCUMENT_INIT;
    agd_options options = AGD_INIT(agd_options);
    options.url = agd_text_from(path);
    agd_error error;
    if (agd_parse(data, length, &options, &document, &error) != AGD_OK) {
        printf("%s:%u:%u: %s\n", path, (unsigned)error.line, (unsigned)error.column, error.message);
        return;
    }
    agd_counts counts;
    if (agd_check_count(&document, NULL, &counts) == AGD_OK)
        printf("%s: %s, %zu errors, %zu warnings\n", path, agd_format_id(agd_document_format(&document)), counts.errors, counts.warnings);
}

static void walk(const char *folder) {
    DIR *entries = opendir(folder);
    if (entries == NULL) {
        perror(folder);
        return;
    }
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char path[4096];
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        int written = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (written < 0 || (size_t)written >= sizeof path)
            fprintf(stderr, "%s/%s: the path is too long\n", folder, entry->d_name);
        else if (lstat(path, &info) != 0)
            perror(path);
        else if (S_ISDIR(info.st_mode))
            walk(path);
        else if (S_ISREG(info.st_mode))
            examine(path);
    }
    closedir(entries);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    walk(argv[1]);
    return 0;
}
