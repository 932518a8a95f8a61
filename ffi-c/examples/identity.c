/* Verifies the signature of a request (Web Bot Auth) with Ed25519 of OpenSSL:
 *
 *     identity KEYS.json METHOD URL < FIELDS
 *
 * KEYS.json is the directory of the agent, FIELDS has the header lines of the request. Prints the reason of the verdict; exit code 0 if
 * the signature is valid. The environment variable NOW replaces the clock, for tests. Link with -lcrypto. */
#include <agentsdisc.h>

#include <openssl/evp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HEADERS 64

static agd_text text(const char *start, size_t length) {
    agd_text made = {start, length, 0};
    return made;
}

/* The cryptography: the only part that the library leaves to you. */
static bool fits(void *user, const agd_public_key *key, agd_text base, agd_text signature) {
    (void)user;
    uint8_t octets[32];
    size_t length = 0;
    if (key->algorithm != AGD_ALGORITHM_ED25519 || signature.len != 64)
        return false;
    if (agd_key_octets(key->x, octets, sizeof octets, &length) != AGD_OK || length != sizeof octets)
        return false;
    EVP_PKEY *made = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, octets, length);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool is_valid = made != NULL && context != NULL && EVP_DigestVerifyInit(context, NULL, NULL, NULL, made) == 1 &&
                    EVP_DigestVerify(context, (const unsigned char *)signature.ptr, signature.len, (const unsigned char *)base.ptr, base.len) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(made);
    return is_valid;
}

/* Splits header lines, and returns their number; HEADERS + 1 if there are more. */
static size_t split(char *lines, agd_http_header *headers) {
    size_t count = 0;
    for (char *line = strtok(lines, "\r\n"); line != NULL; line = strtok(NULL, "\r\n")) {
        char *colon = strchr(line, ':');
        if (colon == NULL)
            continue;
        if (count == HEADERS)
            return HEADERS + 1;
        headers[count].name = text(line, (size_t)(colon - line));
        headers[count].value = text(colon + 1, strlen(colon + 1));
        count++;
    }
    return count;
}

int main(int argc, char **argv) {
    static char keys[64 << 10], lines[64 << 10], memory[32 << 10];
    agd_http_header headers[HEADERS];
    if (argc != 4) {
        fprintf(stderr, "usage: %s KEYS.json METHOD URL < FIELDS\n", argv[0]);
        return 2;
    }
    FILE *file = fopen(argv[1], "rb");
    if (file == NULL) {
        perror(argv[1]);
        return 2;
    }
    size_t length = fread(keys, 1, sizeof keys, file);
    fclose(file);
    lines[fread(lines, 1, sizeof lines - 1, stdin)] = '\0';

    agd_document directory = AGD_DOCUMENT_INIT;
    agd_status status = agd_parse_as(keys, length, AGD_FORMAT_SIGNATURE_DIRECTORY, NULL, &directory, NULL);
    if (status != AGD_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], agd_status_message(status));
        return 2;
    }
    agd_http_request request = AGD_INIT(agd_http_request);
    request.method = text(argv[2], strlen(argv[2]));
    request.url = text(argv[3], strlen(argv[3]));
    request.headers = headers;
    request.header_count = split(lines, headers);
    if (request.header_count > HEADERS) {
        fprintf(stderr, "more than %d fields\n", HEADERS);
        return 2;
    }
    const char *now = getenv("NOW");
    agd_verifier verifier = AGD_INIT(agd_verifier);
    verifier.now = now != NULL ? strtoull(now, NULL, 10) : (uint64_t)time(NULL);
    verifier.keys = &directory;
    verifier.fits = fits;
    agd_verdict verdict = AGD_INIT(agd_verdict);
    status = agd_verify(&request, &verifier, memory, sizeof memory, NULL, &verdict);
    if (status != AGD_OK) {
        fprintf(stderr, "%s\n", agd_status_message(status));
        return 2;
    }
    printf("%s: %s\n", agd_verdict_name(verdict.reason), agd_verdict_message(verdict.reason));
    return verdict.reason == AGD_VERDICT_VALID ? 0 : 1;
}
