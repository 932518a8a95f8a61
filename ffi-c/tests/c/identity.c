/* Signed requests: signing, verifying with callbacks, cards, misuse. The cryptography here is a sum; that of the example is real. */
#include "agentsdisc.h"
#include "common.h"

#include <stdint.h>

static const char KEYS[] = "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}]}";
/* RFC 8037, appendix A.3. */
static const char KEY_ID[] = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

static agd_text text(const char *chars) {
    agd_text made = {chars, strlen(chars), 0};
    return made;
}

/* 64 bytes that depend on all of the text. */
static void sum(agd_text base, uint8_t *signature) {
    memset(signature, 1, 64);
    for (size_t at = 0; at < base.len; at++) {
        uint8_t *place = &signature[at % 64];
        *place = (uint8_t)(*place * 31 + (uint8_t)base.ptr[at]);
    }
}

static agd_document directory;
static int found;

static bool fits(void *user, const agd_public_key *key, agd_text base, agd_text signature) {
    uint8_t octets[32], expected[64];
    size_t length = 0;
    CHECK(user == &found && key->algorithm == AGD_ALGORITHM_ED25519 && key->y.ptr == NULL);
    CHECK(agd_key_octets(key->x, octets, sizeof octets, &length) == AGD_OK && length == 32 && octets[0] == 0xd7);
    CHECK(agd_key_octets(key->x, octets, 31, &length) == AGD_ERROR_BUFFER_TOO_SMALL && length == 32);
    CHECK(agd_key_octets(key->y, octets, sizeof octets, NULL) == AGD_NONE);
    sum(base, expected);
    return signature.len == sizeof expected && memcmp(signature.ptr, expected, sizeof expected) == 0;
}

static const agd_document *find(void *user, agd_text url, int32_t kind, agd_text key_id) {
    CHECK(user == &found && kind == AGD_AGENT_DIRECTORY && agd_text_eq_str(key_id, KEY_ID));
    CHECK(agd_text_eq_str(url, "https://agent.example/.well-known/http-message-signatures-directory"));
    found++;
    return &directory;
}

static int32_t ask(const char *url, const agd_http_header *headers, size_t count, uint64_t now, agd_verdict *verdict) {
    static char buffer[2048];
    agd_http_request request = AGD_INIT(agd_http_request);
    request.method = text("GET");
    request.url = text(url);
    request.headers = headers;
    request.header_count = count;
    agd_verifier verifier = AGD_INIT(agd_verifier);
    verifier.now = now;
    verifier.find = find;
    verifier.fits = fits;
    verifier.user = &found;
    size_t needed = 0;
    agd_status status = agd_verify(&request, &verifier, NULL, 0, &needed, verdict);
    if (status == AGD_ERROR_BUFFER_TOO_SMALL) {
        CHECK(needed > 100 && agd_verify(&request, &verifier, buffer, needed - 1, NULL, verdict) == AGD_ERROR_BUFFER_TOO_SMALL);
        status = agd_verify(&request, &verifier, buffer, needed, NULL, verdict);
    }
    CHECK(status == AGD_OK);
    return verdict->reason;
}

static void both_sides(void) {
    char buffer[1024], field[256];
    agd_http_header headers[4] = {{text("Content-Digest"), text("sha-256=:AAAA:")}};
    agd_http_request request = AGD_INIT(agd_http_request);
    request.method = text("GET");
    request.url = text("https://shop.example/mugs?color=red");
    request.headers = headers;
    request.header_count = 1;
    agd_text covered = text("content-digest");
    agd_signing signing = AGD_INIT(agd_signing);
    signing.key_id = text(KEY_ID);
    signing.agent = text("https://agent.example");
    signing.created = 1000;
    signing.expires = 1060;
    signing.fields = &covered;
    signing.field_count = 1;
    agd_signed made = AGD_INIT(agd_signed);
    size_t needed = 0;
    CHECK(agd_sign(&request, &signing, NULL, 0, &needed, &made) == AGD_ERROR_BUFFER_TOO_SMALL && made.base.ptr == NULL);
    CHECK(agd_sign(&request, &signing, buffer, needed, NULL, &made) == AGD_OK);
    CHECK(agd_text_eq_str(made.agent, "sig1=\"https://agent.example\""));
    uint8_t signature[64];
    sum(made.base, signature);
    size_t length = 0;
    agd_text none = {NULL, 0, 0};
    CHECK(agd_signature_field(none, signature, sizeof signature, field, sizeof field, &length) == AGD_OK);
    CHECK(length == 6 + 88 + 1 && strncmp(field, "sig1=:", 6) == 0 && field[length - 1] == ':');
    headers[1].name = text("Signature-Input");
    headers[1].value = made.input;
    headers[2].name = text("Signature-Agent");
    headers[2].value = made.agent;
    headers[3].name = text("Signature");
    headers[3].value = text(field);

    agd_verdict verdict = AGD_INIT(agd_verdict);
    CHECK(ask("https://shop.example/mugs?color=red", headers, 4, 1030, &verdict) == AGD_VERDICT_VALID && found > 0);
    CHECK(agd_text_eq_str(verdict.key_id, KEY_ID) && verdict.created == 1000 && verdict.expires == 1060);
    CHECK(agd_text_eq_str(verdict.agent, "https://agent.example/.well-known/http-message-signatures-directory"));
    CHECK(verdict.base.len == made.base.len && memcmp(verdict.base.ptr, made.base.ptr, made.base.len) == 0);
    /* The same request elsewhere, at another time, with less. */
    CHECK(ask("https://other.example/mugs?color=red", headers, 4, 1030, &verdict) == AGD_VERDICT_WRONG_SIGNATURE);
    CHECK(ask("https://shop.example/mugs?color=blue", headers, 4, 1030, &verdict) == AGD_VERDICT_WRONG_SIGNATURE);
    CHECK(ask("https://shop.example/mugs?color=red", headers, 4, 1060, &verdict) == AGD_VERDICT_EXPIRED);
    CHECK(ask("https://shop.example/mugs?color=red", headers, 4, 900, &verdict) == AGD_VERDICT_NOT_YET_VALID);
    CHECK(ask("https://shop.example/mugs?color=red", headers, 3, 1030, &verdict) == AGD_VERDICT_SIGNATURE_MISSING);
    CHECK(ask("https://shop.example/mugs?color=red", headers + 1, 3, 1030, &verdict) == AGD_VERDICT_COMPONENT_MISSING);
    CHECK(ask("https://shop.example/mugs", NULL, 0, 1030, &verdict) == AGD_VERDICT_UNSIGNED && verdict.base.ptr == NULL);
    headers[0].value = text("sha-256=:BBBB:");
    CHECK(ask("https://shop.example/mugs?color=red", headers, 4, 1030, &verdict) == AGD_VERDICT_WRONG_SIGNATURE);

    /* What cannot be signed. */
    signing.key_id = text("a\"b");
    CHECK(agd_sign(&request, &signing, buffer, sizeof buffer, NULL, &made) == AGD_ERROR_REFUSED);
    CHECK(made.reason == AGD_VERDICT_MALFORMED_SIGNATURE_INPUT && made.base.ptr == NULL);
    signing.key_id = text(KEY_ID);
    covered = text("absent");
    CHECK(agd_sign(&request, &signing, buffer, sizeof buffer, NULL, &made) == AGD_ERROR_REFUSED);
    CHECK(made.reason == AGD_VERDICT_COMPONENT_MISSING);
    request.url = text("ftp://shop.example/");
    signing.field_count = 0;
    CHECK(agd_sign(&request, &signing, buffer, sizeof buffer, NULL, &made) == AGD_ERROR_REFUSED);
    CHECK(made.reason == AGD_VERDICT_MALFORMED_REQUEST);
}

static void cards(void) {
    static const char HERE[] = "{\"client_id\":\"https:\\/\\/agent.example\\/card\",\"jwks\":{\"keys\":[]}}";
    static const char AT[] = "{\"client_id\":\"https://agent.example/card\",\"jwks_uri\":\"https:\\/\\/agent.example/keys\"}";
    char buffer[256];
    agd_text keys, place;
    agd_text url = text("https://agent.example/card");
    CHECK(agd_card_keys(text(HERE), url, buffer, sizeof buffer, &keys, &place) == AGD_SOME);
    CHECK(agd_text_eq_str(keys, "{\"keys\":[]}") && place.ptr == NULL);
    CHECK(agd_card_keys(text(AT), url, buffer, sizeof buffer, &keys, &place) == AGD_SOME);
    CHECK(agd_text_eq_str(place, "https://agent.example/keys") && keys.ptr == NULL);
    CHECK(agd_card_keys(text(AT), text("https://agent.example/other"), buffer, sizeof buffer, &keys, &place) == AGD_NONE);
    CHECK(agd_card_keys(text("{}"), url, buffer, sizeof buffer, &keys, &place) == AGD_NONE);
    CHECK(agd_card_keys(text(AT), url, buffer, 5, &keys, &place) == AGD_ERROR_BUFFER_TOO_SMALL);
    CHECK(agd_card_keys(text(AT), url, buffer, sizeof buffer, NULL, &place) == AGD_ERROR_NULL);
}

static void misuse(void) {
    char buffer[256];
    agd_http_request request = AGD_INIT(agd_http_request);
    agd_signing signing = AGD_INIT(agd_signing);
    agd_signed made = AGD_INIT(agd_signed);
    agd_verifier verifier = AGD_INIT(agd_verifier);
    agd_verdict verdict = AGD_INIT(agd_verdict);
    CHECK(agd_sign(NULL, &signing, buffer, sizeof buffer, NULL, &made) == AGD_ERROR_NULL);
    CHECK(agd_sign(&request, NULL, buffer, sizeof buffer, NULL, &made) == AGD_ERROR_NULL);
    CHECK(agd_sign(&request, &signing, buffer, sizeof buffer, NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_sign(&request, &signing, buffer, sizeof buffer, NULL, &made) == AGD_ERROR_NULL);
    signing.key_id = text(KEY_ID);
    signing.field_count = AGD_SIGNED_FIELDS_MAX + 1;
    CHECK(agd_sign(&request, &signing, buffer, sizeof buffer, NULL, &made) == AGD_ERROR_NULL);
    request.header_count = 1;
    CHECK(agd_verify(&request, &verifier, buffer, sizeof buffer, NULL, &verdict) == AGD_ERROR_NULL);
    request.header_count = 0;
    CHECK(agd_verify(&request, &verifier, buffer, sizeof buffer, NULL, &verdict) == AGD_ERROR_NULL);
    verifier.fits = fits;
    CHECK(agd_verify(&request, &verifier, buffer, sizeof buffer, NULL, &verdict) == AGD_ERROR_NULL);
    agd_document other = parsed("User-agent: *\n", AGD_FORMAT_ROBOTS_TXT);
    verifier.keys = &other;
    CHECK(agd_verify(&request, &verifier, buffer, sizeof buffer, NULL, &verdict) == AGD_ERROR_WRONG_FORMAT);
    verifier.keys = &directory;
    CHECK(agd_verify(&request, &verifier, buffer, sizeof buffer, NULL, &verdict) == AGD_OK && verdict.reason == AGD_VERDICT_UNSIGNED);
    CHECK(strcmp(agd_verdict_name(verdict.reason), "unsigned") == 0 && strcmp(agd_verdict_name(0), "unknown") == 0);
    CHECK(strlen(agd_verdict_message(verdict.reason)) > 10 && strlen(agd_verdict_message(-1)) > 10);
    CHECK(strcmp(agd_algorithm_name(AGD_ALGORITHM_RSA_V15), "rsa-v1_5-sha256") == 0 && strcmp(agd_algorithm_name(9), "unknown") == 0);
    agd_verdict small = {.size = 8};
    CHECK(agd_verify(&request, &verifier, buffer, sizeof buffer, NULL, &small) == AGD_ERROR_STRUCT_SIZE);
    CHECK(agd_signature_field(text("sig1"), NULL, 3, buffer, sizeof buffer, NULL) == AGD_ERROR_NULL);
}

int main(void) {
    directory = parsed(KEYS, AGD_FORMAT_SIGNATURE_DIRECTORY);
    both_sides();
    cards();
    misuse();
    return result("identity");
}
