// Signed requests in C++.
#include "common.hpp"

#include <string>

using agentsdisc::text;

static constexpr std::string_view KEYS =
    R"({"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]})";
static constexpr std::string_view KEY_ID = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

static bool fits(void *, const agd_public_key *key, agd_text, agd_text signature) {
    std::uint8_t octets[32];
    CHECK(agentsdisc::key_octets(key->x, octets, sizeof octets) == 32u && !agentsdisc::key_octets(key->x, octets, 8));
    return text(signature) == "signed";
}

static void both_sides() {
    char buffer[1024], memory[2048];
    agd_http_request request = AGD_INIT(agd_http_request);
    request.method = text("GET").c();
    request.url = text("https://shop.example/mugs").c();
    agd_signing signing = AGD_INIT(agd_signing);
    signing.key_id = text(KEY_ID).c();
    signing.created = 1000;
    signing.expires = 1060;
    auto made = agentsdisc::sign_request(request, signing, buffer, sizeof buffer);
    CHECK(made && text(made->base).raw().substr(0, 28) == "\"@authority\": shop.example\n\"");
    CHECK(!agentsdisc::sign_request(request, signing, buffer, 3));
    const std::uint8_t signature[] = {'s', 'i', 'g', 'n', 'e', 'd'};
    auto field = agentsdisc::signature_field<std::string>(text(), signature, sizeof signature);
    CHECK(field && *field == "sig1=:c2lnbmVk:");
    const agd_http_header headers[] = {{text("Signature-Input").c(), made->input}, {text("Signature").c(), text(*field).c()}};
    request.headers = headers;
    request.header_count = 2;
    agd_options options = agentsdisc::options();
    options.format = AGD_FORMAT_SIGNATURE_DIRECTORY;
    auto keys = agentsdisc::parse(KEYS, &options);
    CHECK(keys);
    agd_verifier verifier = AGD_INIT(agd_verifier);
    verifier.now = 1030;
    verifier.keys = &keys->c();
    verifier.fits = fits;
    auto verdict = agentsdisc::verify_request(request, verifier, memory, sizeof memory);
    CHECK(verdict && verdict->reason == AGD_VERDICT_VALID && agentsdisc::verdict_name(verdict->reason) == "valid");
    CHECK(!agentsdisc::verify_request(request, verifier, memory, 3));
    verifier.now = 2000;
    verdict = agentsdisc::verify_request(request, verifier, memory, sizeof memory);
    CHECK(verdict && verdict->reason == AGD_VERDICT_EXPIRED && !agentsdisc::verdict_message(verdict->reason).empty());
    CHECK(agentsdisc::algorithm_name(AGD_ALGORITHM_ED25519) == "ed25519");
}

static void cards() {
    char buffer[256];
    text card = R"({"client_id":"https://agent.example/card","jwks_uri":"https://agent.example/keys"})";
    auto found = agentsdisc::card_keys(card, "https://agent.example/card", buffer, sizeof buffer);
    CHECK(found && found->url == "https://agent.example/keys" && !found->keys.has_value());
    CHECK(!agentsdisc::card_keys(card, "https://agent.example/other", buffer, sizeof buffer));
}

int main() {
    both_sides();
    cards();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
