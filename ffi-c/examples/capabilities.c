/*
 * Reads one document and prints its capabilities.
 *
 *     cc capabilities.c $(pkg-config --cflags --libs agentsdisc) && ./a.out agents.json
 */
#include <agentsdisc.h>

#include <stdbool.h>
#include <stdio.h>

/* One byte more than the default limit, so that the library reports larger files as too large. */
static char data[(1 << 20) + 1];

/* Prints a decoded text, replacing control characters, which a terminal would interpret. */
static void print(const char *label, agd_text text) {
    char buffer[256];
    size_t length;
    if (text.ptr == NULL)
        return;
    fputs(label, stdout);
    if (agd_text_decode(text, buffer, sizeof buffer, &length) != AGD_OK) {
        printf("(%zu bytes)\n", length);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)buffer[i];
        /* U+0080 to U+009F, two bytes each. A NUL follows the last byte. */
        bool is_c1 = byte == 0xC2 && (unsigned char)buffer[i + 1] < 0xA0;
        putchar(byte < 0x20 || byte == 0x7F || is_c1 ? '?' : byte);
        i += is_c1;
    }
    puts("");
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    FILE *file = fopen(argv[1], "rb");
    if (file == NULL) {
        perror(argv[1]);
        return 2;
    }
    size_t length = fread(data, 1, sizeof data, file);
    if (ferror(file)) {
        perror(argv[1]);
        fclose(file);
        return 2;
    }
    fclose(file);

    /* The document borrows the bytes, which stay valid until the end. */
    agd_document document = AGD_DOCUMENT_INIT;
    agd_error error;
    if (agd_parse(data, length, NULL, &document, &error) != AGD_OK) {
        fprintf(stderr, "%s:%u:%u: %s\n", argv[1], (unsigned)error.line, (unsigned)error.column, error.message);
        return 1;
    }

    agd_service service = AGD_INIT(agd_service);
    if (agd_document_service(&document, &service) == AGD_SOME)
        print("", service.name);
    agd_capabilities capabilities = agd_document_capabilities(&document);
    agd_capability capability = AGD_INIT(agd_capability);
    agd_parameter parameter = AGD_INIT(agd_parameter);
    agd_rate_limit limit = AGD_INIT(agd_rate_limit);
    while (agd_capabilities_next(&capabilities, &capability) == AGD_SOME) {
        print("- ", capability.id);
        print("    at ", capability.endpoint);
        if (capability.auth_type.value != AGD_UNSAID)
            printf("    authentication: %s\n", agd_auth_name(capability.auth_type.value));
        while (agd_parameters_next(&capability.parameters, &parameter) == AGD_SOME)
            print(parameter.required == AGD_TRUE ? "    needs " : "    takes ", parameter.name);
        while (agd_rate_limits_next(&capability.rate_limits, &limit) == AGD_SOME)
            printf("    at most %u requests a %s\n", (unsigned)limit.requests, agd_window_name(limit.window.value));
    }
    return 0;
}
