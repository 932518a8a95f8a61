/* Functions for single formats: flags, prerequisites, authentication with defaults, URLs. */
#include "agentsdisc.h"
#include "common.h"

static void awp_flags(void) {
    agd_document document = parsed("{\"awp_version\": \"0.2\", \"capabilities\": {\"streaming\": true, \"webhooks\": false, "
                                   "\"pagination\": \"cursor\", \"batch_actions\": 7}}",
                                   AGD_FORMAT_AWP);
    agd_awp_features features = AGD_INIT(agd_awp_features);
    CHECK(agd_awp_feature_flags(&document, &features) == AGD_SOME);
    CHECK(features.streaming == AGD_TRUE && features.webhooks == AGD_FALSE && features.idempotency == AGD_UNSAID);
    CHECK(features.batch_actions == AGD_UNSAID && agd_text_eq_str(features.pagination, "cursor"));
    document = parsed("{\"awp_version\": \"0.2\"}", AGD_FORMAT_AWP);
    CHECK(agd_awp_feature_flags(&document, &features) == AGD_NONE);
    document = parsed("{}", AGD_FORMAT_ADP);
    CHECK(agd_awp_feature_flags(&document, &features) == AGD_ERROR_WRONG_FORMAT);
    CHECK(agd_awp_feature_flags(NULL, &features) == AGD_ERROR_NULL && agd_awp_feature_flags(&document, NULL) < 0);
}

static void awp_order(void) {
    agd_document document = parsed("{\"awp_version\": \"0.2\", \"dependencies\": {\"check_in\": [\"book\", \"pay\"], \"book\": \"search\", "
                                   "\"pay\": [\"book\"], \"egg\": [\"hen\"], \"hen\": [\"egg\"]}}",
                                   AGD_FORMAT_AWP);
    uint32_t scratch[64];
    agd_text items[8], action = agd_text_from("check_in");
    size_t found = 0;
    CHECK(agd_awp_prerequisites(&document, action, scratch, 64, items, 8, &found) == AGD_OK && found == 3);
    CHECK(agd_text_eq_str(items[0], "search") && agd_text_eq_str(items[1], "book") && agd_text_eq_str(items[2], "pay"));
    CHECK(agd_awp_prerequisites(&document, action, scratch, 64, items, 2, &found) == AGD_ERROR_BUFFER_TOO_SMALL && found == 3);
    CHECK(agd_awp_prerequisites(&document, action, scratch, 64, NULL, 0, &found) == AGD_ERROR_BUFFER_TOO_SMALL && found == 3);
    CHECK(agd_awp_prerequisites(&document, agd_text_from("egg"), scratch, 64, items, 8, &found) == AGD_ERROR_CYCLE && found == 2);
    CHECK(agd_awp_prerequisites(&document, agd_text_from("none"), scratch, 64, items, 8, &found) == AGD_OK && found == 0);
    CHECK(agd_awp_prerequisites(&document, action, scratch, 4, items, 8, &found) == AGD_ERROR_CAPACITY_EXCEEDED && found <= 64 && found > 4);
    CHECK(agd_awp_prerequisites(&document, action, scratch, found, items, 8, &found) == AGD_OK && found == 3);
    CHECK(agd_awp_prerequisites(&document, action, NULL, 0, items, 8, &found) == AGD_ERROR_CAPACITY_EXCEEDED);
    CHECK(agd_awp_prerequisites(&document, action, NULL, 64, items, 8, &found) == AGD_ERROR_NULL);
    CHECK(agd_awp_prerequisites(&document, action, scratch, SIZE_MAX, items, 8, &found) == AGD_ERROR_ARGUMENT);
    CHECK(agd_awp_prerequisites(&document, action, scratch, 64, NULL, 8, &found) == AGD_ERROR_NULL);
    CHECK(agd_awp_prerequisites(&document, agd_text_from(NULL), scratch, 64, items, 8, &found) == AGD_ERROR_NULL);
    document = parsed("{\"awp_version\": \"0.2\", \"dependencies\": {\"check_in\": [\"book\", 7]}}", AGD_FORMAT_AWP);
    CHECK(agd_awp_prerequisites(&document, action, scratch, 64, items, 8, &found) == AGD_ERROR_UNREADABLE && found == 1);
    CHECK(agd_text_eq_str(items[0], "book") && strcmp(agd_status_name(AGD_ERROR_UNREADABLE), "unreadable") == 0);
    document = parsed("{}", AGD_FORMAT_ADP);
    CHECK(agd_awp_prerequisites(&document, action, scratch, 64, items, 8, &found) == AGD_ERROR_WRONG_FORMAT);
}

static void adp_auth(void) {
    agd_document document = parsed("{\"auth\": {\"type\": \"api_key\"}}", AGD_FORMAT_ADP);
    agd_adp_auth auth = AGD_INIT(agd_adp_auth);
    CHECK(agd_adp_auth_of(&document, &auth) == AGD_SOME && auth.type.value == AGD_AUTH_API_KEY);
    CHECK(agd_text_eq_str(auth.header, "Authorization") && auth.is_header_written == AGD_FALSE);
    CHECK(agd_text_eq_str(auth.prefix, "Bearer") && auth.is_prefix_written == AGD_FALSE);

    agd_header header = {NULL, NULL};
    char buffer[64], exact[35];
    size_t needed = 0;
    CHECK(agd_adp_auth_header(&document, agd_text_from("0123456789abc"), NULL, 0, &needed, &header) == AGD_ERROR_BUFFER_TOO_SMALL);
    CHECK(needed == sizeof exact && header.name == NULL);
    CHECK(agd_adp_auth_header(&document, agd_text_from("0123456789abc"), exact, needed - 1, &needed, &header) == AGD_ERROR_BUFFER_TOO_SMALL);
    CHECK(agd_adp_auth_header(&document, agd_text_from("0123456789abc"), exact, needed, &needed, &header) == AGD_SOME);
    CHECK(strcmp(header.name, "Authorization") == 0 && strcmp(header.value, "Bearer 0123456789abc") == 0 && needed == sizeof exact);
    CHECK(agd_adp_auth_header(&document, agd_text_from("a\nb"), buffer, sizeof buffer, NULL, &header) == AGD_ERROR_TOKEN);
    CHECK(agd_adp_auth_header(&document, agd_text_from(NULL), buffer, sizeof buffer, NULL, &header) == AGD_ERROR_NULL);
    CHECK(agd_adp_auth_header(&document, agd_text_from("x"), buffer, sizeof buffer, NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_adp_auth_header(&document, agd_text_from("x"), NULL, 7, NULL, &header) == AGD_ERROR_NULL);

    document = parsed("{\"auth\": {\"type\": \"api_key\", \"header\": \"X-Api-Key\"}}", AGD_FORMAT_ADP);
    CHECK(agd_adp_auth_of(&document, &auth) == AGD_SOME && auth.is_header_written == AGD_TRUE && agd_text_eq_str(auth.prefix, ""));
    CHECK(agd_adp_auth_header(&document, agd_text_from("x"), buffer, sizeof buffer, NULL, &header) == AGD_SOME);
    CHECK(strcmp(header.name, "X-Api-Key") == 0 && strcmp(header.value, "x") == 0);
    document = parsed("{\"auth\": {\"type\": \"api_key\", \"header\": \"X: y\"}}", AGD_FORMAT_ADP);
    CHECK(agd_adp_auth_header(&document, agd_text_from("x"), buffer, sizeof buffer, NULL, &header) == AGD_ERROR_HEADER);
    document = parsed("{\"auth\": {\"type\": \"none\"}}", AGD_FORMAT_ADP);
    CHECK(agd_adp_auth_header(&document, agd_text_from("x"), buffer, sizeof buffer, NULL, &header) == AGD_NONE);
    document = parsed("{}", AGD_FORMAT_ADP);
    CHECK(agd_adp_auth_of(&document, &auth) == AGD_NONE);
    document = parsed("{}", AGD_FORMAT_AWP);
    CHECK(agd_adp_auth_of(&document, &auth) == AGD_ERROR_WRONG_FORMAT);
}

static void adp_urls(void) {
    agd_document document = parsed("{\"base_url\": \"https:\\/\\/example.com/v1/\", \"capabilities\": [{\"detail_url\": \"\\/search.json\"}]}",
                                   AGD_FORMAT_ADP);
    agd_capabilities list = agd_document_capabilities(&document);
    agd_capability capability = AGD_INIT(agd_capability);
    char url[64], exact[35];
    size_t length = 0;
    CHECK(agd_capabilities_next(&list, &capability) == AGD_SOME && (capability.detail_url.flags & AGD_TEXT_ESCAPED) != 0);
    CHECK(agd_adp_detail_url(&document, capability.detail_url, url, sizeof url, &length) == AGD_OK);
    CHECK(strcmp(url, "https://example.com/v1/search.json") == 0 && length == 34);
    CHECK(agd_adp_detail_url(&document, capability.detail_url, exact, sizeof exact, &length) == AGD_OK);
    CHECK(agd_adp_detail_url(&document, capability.detail_url, exact, sizeof exact - 1, &length) == AGD_ERROR_BUFFER_TOO_SMALL);
    CHECK(exact[0] == '\0' && length >= 34);
    CHECK(agd_adp_detail_url(&document, capability.detail_url, NULL, 0, &length) == AGD_ERROR_BUFFER_TOO_SMALL && length >= 34);
    CHECK(agd_adp_detail_url(&document, agd_text_from("https://x.example/{id}"), url, sizeof url, NULL) == AGD_ERROR_PLACEHOLDER);
    CHECK(agd_adp_detail_url(&document, agd_text_from("ftp://x.example/"), url, sizeof url, NULL) == AGD_ERROR_REFERENCE && url[0] == '\0');
    CHECK(agd_adp_detail_url(&document, agd_text_from(NULL), url, sizeof url, NULL) == AGD_ERROR_NULL);
    document = parsed("{}", AGD_FORMAT_ADP);
    CHECK(agd_adp_detail_url(&document, agd_text_from("/x"), url, sizeof url, NULL) == AGD_ERROR_BASE_URL);

    CHECK(agd_adp_search_url(agd_text_from("https://example.com/"), agd_text_from("send an e-mail"), url, sizeof url, &length) == AGD_OK);
    CHECK(strcmp(url, "https://example.com/api/discover?q=send+an+e-mail") == 0 && length == strlen(url));
    CHECK(agd_adp_search_url(agd_text_from("x"), agd_text_from("y"), url, sizeof url, NULL) == AGD_ERROR_BASE_URL);
    CHECK(agd_adp_search_url(agd_text_from("https://example.com/"), agd_text_from("\xff"), url, sizeof url, NULL) == AGD_ERROR_ARGUMENT);
    CHECK(agd_adp_search_url(agd_text_from("https://example.com/"), agd_text_from("y"), NULL, 9, NULL) == AGD_ERROR_NULL);
}

static void sessions(void) {
    agd_document document = parsed("Site: x\n", AGD_FORMAT_AGENTS_TXT_01);
    CHECK(agd_document_session_seconds(&document) == 1800);
    document = parsed("Site: x\nSession-TTL: 60s\n", AGD_FORMAT_AGENTS_TXT_01);
    CHECK(agd_document_session_seconds(&document) == 60);
    document = parsed("{\"session\": {\"create\": \"/s\"}}", AGD_FORMAT_AGENTS_JSON_01);
    CHECK(agd_document_session_seconds(&document) == 3600);
    document = parsed("{\"session\": {\"ttl_seconds\": 90}}", AGD_FORMAT_AGENTS_JSON_01);
    CHECK(agd_document_session_seconds(&document) == 90);
    document = parsed("{}", AGD_FORMAT_AGENTS_JSON_01);
    CHECK(agd_document_session_seconds(&document) == AGD_UNSAID);
    CHECK(agd_document_session_seconds(NULL) == AGD_UNSAID);
}

static void defaults(void) {
    char url[64], small[8];
    size_t length = 0;
    agd_document document = parsed("Site: x\nURL: https://example.com/shop/\nAllow: checkout\n", AGD_FORMAT_AGENTS_TXT_01);
    CHECK(agd_document_companion_url(&document, url, sizeof url, &length) == AGD_SOME);
    CHECK(strcmp(url, "https://example.com/shop/.well-known/agents.json") == 0 && length == strlen(url));
    CHECK(agd_document_companion_url(&document, small, sizeof small, &length) == AGD_ERROR_BUFFER_TOO_SMALL);
    CHECK(small[0] == '\0' && length == strlen(url));
    CHECK(agd_document_needs_companion(&document) == AGD_TRUE && agd_document_is_audited(&document) == AGD_FALSE);
    document = parsed("Site: x\nAgents-JSON: /data.json\nAudit: yes\n", AGD_FORMAT_AGENTS_TXT_01);
    CHECK(agd_document_companion_url(&document, url, sizeof url, NULL) == AGD_SOME && strcmp(url, "/data.json") == 0);
    CHECK(agd_document_needs_companion(&document) == AGD_FALSE && agd_document_is_audited(&document) == AGD_UNSAID);
    document = parsed("{\"audit\": {\"enabled\": true}}", AGD_FORMAT_AGENTS_JSON_01);
    CHECK(agd_document_companion_url(&document, url, sizeof url, NULL) == AGD_NONE);
    CHECK(agd_document_needs_companion(&document) == AGD_FALSE && agd_document_is_audited(&document) == AGD_TRUE);
    CHECK(agd_document_companion_url(NULL, url, sizeof url, NULL) == AGD_ERROR_NULL);
    CHECK(agd_document_needs_companion(NULL) == AGD_UNSAID && agd_document_is_audited(NULL) == AGD_UNSAID);
}

int main(void) {
    awp_flags();
    awp_order();
    adp_auth();
    adp_urls();
    sessions();
    defaults();
    return result("formats");
}
