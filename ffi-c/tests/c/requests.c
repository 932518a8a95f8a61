/* Requests from documents: calls of ADP capabilities, URLs, hosts, type expressions. */
#include "agentsdisc.h"
#include "common.h"

static const char MANIFEST[] = "{\"spec_version\": \"1.0\", \"name\": \"A\", \"base_url\": \"https://a.example/v1\", "
                               "\"auth\": {\"type\": \"api_key\", \"header\": \"X-Key\"}, \"capabilities\": []}";
static const char DETAIL[] =
    "{\"name\": \"send\", \"endpoint\": \"/box/{box}/mail\", \"method\": \"post\", \"parameters\": ["
    "{\"name\": \"box\", \"in\": \"path\", \"type\": \"string\", \"required\": true}, "
    "{\"name\": \"X-Trace\", \"in\": \"header\", \"type\": \"string\"}, "
    "{\"name\": \"text\", \"type\": \"string\", \"required\": true}, {\"name\": \"to\", \"type\": \"array\"}]}";

static agd_argument argument(const char *name, int32_t kind, const char *value) {
    return (agd_argument){agd_text_from(name), {kind, agd_text_from(value)}};
}

static void a_call(void) {
    agd_document manifest = parsed(MANIFEST, AGD_FORMAT_ADP), detail = parsed(DETAIL, AGD_FORMAT_ADP_CAPABILITY);
    agd_argument arguments[] = {argument("box", AGD_VALUE_TEXT, "a b/c"), argument("X-Trace", AGD_VALUE_TEXT, "7:8"),
                                argument("text", AGD_VALUE_STRING, "hi \"you\""), argument("to", AGD_VALUE_ARRAY, "[1, \"b\"]")};
    agd_adp_options options = AGD_INIT(agd_adp_options);
    options.token = agd_text_from("secret");
    options.arguments = arguments;
    options.argument_count = 4;
    agd_adp_call call = AGD_INIT(agd_adp_call);
    size_t needed = 0, again = 0;
    CHECK(agd_adp_request(&manifest, &detail, &options, NULL, 0, &needed, &call) == AGD_ERROR_BUFFER_TOO_SMALL);
    CHECK(needed > 100 && needed < 1000 && call.method == NULL);
    char *buffer = malloc(needed);
    CHECK(agd_adp_request(&manifest, &detail, &options, buffer, needed - 1, &again, &call) == AGD_ERROR_BUFFER_TOO_SMALL && again == needed);
    CHECK(agd_adp_request(&manifest, &detail, &options, buffer, needed, &again, &call) == AGD_OK && again == needed);
    CHECK(strcmp(call.method, "POST") == 0 && strcmp(call.url, "https://a.example/v1/box/a%20b%2Fc/mail") == 0);
    CHECK(strcmp(call.body, "{\"text\":\"hi \\\"you\\\"\",\"to\":[1, \"b\"]}") == 0 && call.body_length == strlen(call.body));
    CHECK(call.argument == SIZE_MAX && call.missing.ptr == NULL);
    agd_headers list = call.headers;
    agd_header header = {NULL, NULL};
    int keys = 0, types = 0, traces = 0;
    while (agd_headers_next(&list, &header) == AGD_SOME) {
        keys += strcmp(header.name, "X-Key") == 0 && strcmp(header.value, "secret") == 0;
        types += strcmp(header.name, "Content-Type") == 0 && strcmp(header.value, "application/json") == 0;
        traces += strcmp(header.name, "X-Trace") == 0 && strcmp(header.value, "7:8") == 0;
    }
    CHECK(keys == 1 && types == 1 && traces == 1 && agd_headers_next(&list, &header) == AGD_NONE);
    free(buffer);
}

/* Header names ignore letter case. */
static void equal_header_names(void) {
    agd_document manifest = parsed("{\"spec_version\":\"1.0\",\"base_url\":\"https://m.example\",\"auth\":{\"type\":\"api_key\",\"header\":\"X-Key\"}}", AGD_FORMAT_ADP);
    agd_document detail = parsed("{\"name\":\"find\",\"endpoint\":\"/x\",\"method\":\"GET\",\"parameters\":[{\"name\":\"x-key\",\"in\":\"header\"},"
                                 "{\"name\":\"X-A\",\"in\":\"header\"},{\"name\":\"x-a\",\"in\":\"header\"}]}",
                                 AGD_FORMAT_ADP_CAPABILITY);
    agd_argument arguments[2] = {argument("X-A", AGD_VALUE_TEXT, "1"), argument("x-a", AGD_VALUE_TEXT, "2")};
    agd_adp_options options = AGD_INIT(agd_adp_options);
    agd_adp_call call = AGD_INIT(agd_adp_call);
    char buffer[256];
    options.arguments = arguments;
    options.argument_count = 2;
    CHECK(agd_adp_request(&manifest, &detail, &options, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_REPEATED_ARGUMENT && call.argument == 1);
    arguments[1] = argument("x-key", AGD_VALUE_TEXT, "2");
    CHECK(agd_adp_request(&manifest, &detail, &options, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_INVALID_ARGUMENT && call.argument == 1);
    CHECK(strcmp(agd_status_name(AGD_ERROR_HEADER), "invalid-auth-header") == 0);
}

static void an_impossible_call(void) {
    agd_document manifest = parsed(MANIFEST, AGD_FORMAT_ADP), detail = parsed(DETAIL, AGD_FORMAT_ADP_CAPABILITY);
    agd_argument arguments[AGD_ARGUMENTS_MAX + 1] = {argument("box", AGD_VALUE_TEXT, "x"), argument("other", AGD_VALUE_TEXT, "y")};
    for (size_t i = 2; i <= AGD_ARGUMENTS_MAX; i++)
        arguments[i] = arguments[0];
    agd_adp_options options = AGD_INIT(agd_adp_options);
    agd_adp_call call = AGD_INIT(agd_adp_call);
    char buffer[512];
    options.arguments = arguments;
    CHECK(agd_adp_request(&manifest, &detail, NULL, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_MISSING_ARGUMENT);
    CHECK(agd_text_eq_str(call.missing, "box") && call.method == NULL);
    options.argument_count = 2;
    CHECK(agd_adp_request(&manifest, &detail, &options, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_UNKNOWN_ARGUMENT && call.argument == 1);
    arguments[1] = arguments[0];
    CHECK(agd_adp_request(&manifest, &detail, &options, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_REPEATED_ARGUMENT);
    arguments[1] = argument("text", AGD_VALUE_NUMBER, "1 2");
    CHECK(agd_adp_request(&manifest, &detail, &options, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_ARGUMENT);
    arguments[1] = argument("text", AGD_VALUE_TEXT, NULL);
    CHECK(agd_adp_request(&manifest, &detail, &options, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_NULL);
    options.argument_count = AGD_ARGUMENTS_MAX + 1;
    CHECK(agd_adp_request(&manifest, &detail, &options, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_CAPACITY_EXCEEDED);
    options.arguments = NULL;
    CHECK(agd_adp_request(&manifest, &detail, &options, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_NULL);
    CHECK(agd_adp_request(&detail, &detail, NULL, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_WRONG_FORMAT);
    CHECK(agd_adp_request(&manifest, &manifest, NULL, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_WRONG_FORMAT);
    CHECK(agd_adp_request(&manifest, &detail, NULL, NULL, 7, NULL, &call) == AGD_ERROR_NULL);
    CHECK(agd_adp_request(&manifest, &detail, NULL, buffer, sizeof buffer, NULL, NULL) == AGD_ERROR_NULL);
    CHECK(agd_adp_request(NULL, &detail, NULL, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_NULL);
    agd_adp_call unset;
    memset(&unset, 0, sizeof unset);
    CHECK(agd_adp_request(&manifest, &detail, NULL, buffer, sizeof buffer, NULL, &unset) == AGD_ERROR_STRUCT_SIZE);
    agd_headers list;
    agd_header header;
    memset(&list, 0, sizeof list);
    CHECK(agd_headers_next(&list, &header) == AGD_ERROR_UNINITIALISED && agd_headers_next(NULL, &header) == AGD_ERROR_NULL);

    agd_document elsewhere = parsed("{\"name\": \"x\", \"endpoint\": \"https://evil.test/x\", \"method\": \"GET\"}", AGD_FORMAT_ADP_CAPABILITY);
    agd_adp_options with_token = AGD_INIT(agd_adp_options);
    with_token.token = agd_text_from("secret");
    CHECK(agd_adp_request(&manifest, &elsewhere, &with_token, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_WITHHELD);
    agd_document own = parsed("{\"name\": \"x\", \"endpoint\": \"/x\", \"method\": \"GET\"}", AGD_FORMAT_ADP_CAPABILITY);
    CHECK(agd_adp_request(&manifest, &own, &with_token, buffer, sizeof buffer, NULL, &call) == AGD_OK);
    with_token.origin = agd_text_from("https://a.example:8443/page");
    CHECK(agd_adp_request(&manifest, &own, &with_token, buffer, sizeof buffer, NULL, &call) == AGD_OK);
    with_token.origin = agd_text_from("https://evil.test");
    CHECK(agd_adp_request(&manifest, &own, &with_token, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_WITHHELD);
    with_token.origin = agd_text_from("");
    CHECK(agd_adp_request(&manifest, &own, &with_token, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_WITHHELD);
    with_token.trust_endpoint = AGD_TRUE;
    CHECK(agd_adp_request(&manifest, &elsewhere, &with_token, buffer, sizeof buffer, NULL, &call) == AGD_OK && call.body == NULL);
    agd_document bare = parsed("{\"name\": \"x\", \"endpoint\": \"/x\"}", AGD_FORMAT_ADP_CAPABILITY);
    CHECK(agd_adp_request(&manifest, &bare, NULL, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_MISSING_MEMBER);
    CHECK(agd_text_eq_str(call.missing, "method"));
    bare = parsed("{\"name\": \"x\", \"endpoint\": \"/x\", \"method\": \"G T\"}", AGD_FORMAT_ADP_CAPABILITY);
    CHECK(agd_adp_request(&manifest, &bare, NULL, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_METHOD);
}

static void both_ways_to_resolve_a_detail_url(void) {
    agd_document manifest = parsed(MANIFEST, AGD_FORMAT_ADP);
    char buffer[64];
    CHECK(agd_adp_detail_url(&manifest, agd_text_from("/x"), buffer, sizeof buffer, NULL) == AGD_OK);
    CHECK(strcmp(buffer, "https://a.example/v1/x") == 0);
    CHECK(agd_adp_detail_url_rfc3986(&manifest, agd_text_from("/x"), buffer, sizeof buffer, NULL) == AGD_OK);
    CHECK(strcmp(buffer, "https://a.example/x") == 0);
    CHECK(agd_adp_detail_url_rfc3986(NULL, agd_text_from("/x"), buffer, sizeof buffer, NULL) == AGD_ERROR_NULL);
}

/* What the example of a detail says, placeholders of the base URL, defaults, and RFC 3986. */
static void options_of_a_call(void) {
    agd_document manifest = parsed("{\"spec_version\": \"1.0\", \"base_url\": \"https://{shop}.example/v1\", \"auth\": {\"type\": \"none\"}}", AGD_FORMAT_ADP);
    agd_document detail = parsed("{\"name\": \"x\", \"endpoint\": \"/v1/x\", \"method\": \"POST\", \"parameters\": [{\"name\": \"a\", \"required\": true, "
                                 "\"default\": \"b c\"}], \"request_example\": {\"headers\": {\"API-Version\": \"3\", "
                                 "\"Content-Type\": \"application/x-www-form-urlencoded\"}}}",
                                 AGD_FORMAT_ADP_CAPABILITY);
    agd_argument shop = argument("shop", AGD_VALUE_TEXT, "mugs");
    agd_adp_options options = AGD_INIT(agd_adp_options);
    agd_adp_call call = AGD_INIT(agd_adp_call);
    char buffer[256];
    CHECK(agd_adp_request(&manifest, &detail, &options, buffer, sizeof buffer, NULL, &call) == AGD_ERROR_PLACEHOLDER);
    CHECK(agd_text_eq_str(call.missing, "shop"));
    options.arguments = &shop;
    options.argument_count = 1;
    options.constant_headers = AGD_TRUE;
    CHECK(agd_adp_request(&manifest, &detail, &options, buffer, sizeof buffer, NULL, &call) == AGD_OK);
    CHECK(strcmp(call.url, "https://mugs.example/v1/x") == 0 && strcmp(call.body, "a=b+c") == 0);
    agd_header header;
    CHECK(agd_headers_next(&call.headers, &header) == AGD_SOME && strcmp(header.value, "application/x-www-form-urlencoded") == 0);
    CHECK(agd_headers_next(&call.headers, &header) == AGD_SOME && strcmp(header.name, "API-Version") == 0 && strcmp(header.value, "3") == 0);

    char url[64];
    CHECK(agd_adp_resolve(&manifest, agd_text_from("/y"), &options, url, sizeof url, NULL) == AGD_OK);
    CHECK(strcmp(url, "https://mugs.example/v1/y") == 0);
    options.rfc3986 = AGD_TRUE;
    CHECK(agd_adp_resolve(&manifest, agd_text_from("/y"), &options, url, sizeof url, NULL) == AGD_OK);
    CHECK(strcmp(url, "https://mugs.example/y") == 0);
    CHECK(agd_adp_resolve(&manifest, agd_text_from("/y"), NULL, url, sizeof url, NULL) == AGD_ERROR_PLACEHOLDER);
    shop = argument("shop", AGD_VALUE_TEXT, "evil.test/");
    CHECK(agd_adp_resolve(&manifest, agd_text_from("/y"), &options, url, sizeof url, NULL) == AGD_ERROR_INVALID_ARGUMENT);
    options.argument_count = AGD_ARGUMENTS_MAX + 1;
    CHECK(agd_adp_resolve(&manifest, agd_text_from("/y"), &options, url, sizeof url, NULL) == AGD_ERROR_CAPACITY_EXCEEDED);
    CHECK(agd_adp_resolve(NULL, agd_text_from("/y"), NULL, url, sizeof url, NULL) == AGD_ERROR_NULL);
}

static void urls(void) {
    agd_url url = AGD_INIT(agd_url);
    CHECK(agd_url_parse(agd_text_from("HTTPS://a@b.example:8443/p?q#f"), &url) == AGD_SOME);
    CHECK(agd_text_eq_str(url.scheme, "HTTPS") && agd_text_eq_str(url.userinfo, "a") && agd_text_eq_str(url.host, "b.example"));
    CHECK(agd_text_eq_str(url.path, "/p") && agd_text_eq_str(url.query, "q") && agd_text_eq_str(url.fragment, "f"));
    CHECK(url.port == 8443 && url.effective_port == 8443 && url.host_kind == AGD_HOST_NAME && url.is_secure == AGD_TRUE);
    CHECK(agd_url_parse(agd_text_from("http://0x7f.1"), &url) == AGD_SOME && url.host_kind == AGD_HOST_IPV4 && url.is_loopback == AGD_TRUE);
    CHECK(url.port == AGD_UNSAID && url.effective_port == 80 && url.userinfo.ptr == NULL && url.query.ptr == NULL && url.is_secure == AGD_FALSE);
    CHECK(agd_url_parse(agd_text_from("x://[::1]/"), &url) == AGD_SOME && url.host_kind == AGD_HOST_IPV6 && url.effective_port == AGD_UNSAID);
    CHECK(agd_url_parse(agd_text_from("/relative"), &url) == AGD_ERROR_REFERENCE && agd_url_parse(agd_text_from(NULL), &url) == AGD_ERROR_NULL);
    CHECK(agd_url_parse(agd_text_from("\xff"), &url) == AGD_ERROR_ARGUMENT && agd_url_parse(agd_text_from("x://y"), NULL) == AGD_ERROR_NULL);

    char buffer[32];
    size_t length = 0;
    agd_text base = agd_text_from("https://a.example/b/c");
    CHECK(agd_url_resolve(base, agd_text_from("../d"), buffer, sizeof buffer, &length) == AGD_OK && strcmp(buffer, "https://a.example/d") == 0);
    CHECK(length == strlen(buffer));
    CHECK(agd_url_resolve(base, agd_text_from("/d"), buffer, 8, &length) == AGD_ERROR_BUFFER_TOO_SMALL && buffer[0] == '\0' && length >= 19);
    CHECK(agd_url_resolve(base, agd_text_from("a b"), buffer, sizeof buffer, NULL) == AGD_ERROR_REFERENCE);
    CHECK(agd_url_resolve(agd_text_from("b"), agd_text_from("c"), buffer, sizeof buffer, NULL) == AGD_ERROR_BASE_URL);
    CHECK(agd_url_resolve(base, agd_text_from("/d"), NULL, 1, NULL) == AGD_ERROR_NULL);
}

static void hosts(void) {
    int32_t verified = 7;
    agd_text here = agd_text_from("www.Example.com");
    CHECK(agd_host_relation(here, agd_text_from("www.example.com."), &verified) == AGD_RELATION_SAME_HOST && verified == AGD_TRUE);
    CHECK(agd_host_relation(here, agd_text_from("a.www.example.com"), NULL) == AGD_RELATION_SUBDOMAIN);
    CHECK(agd_host_relation(here, agd_text_from("mcp.example.com"), &verified) == AGD_RELATION_SAME_REGISTRABLE_DOMAIN && verified == AGD_TRUE);
    CHECK(agd_host_relation(agd_text_from("a.github.io"), agd_text_from("b.github.io"), &verified) == AGD_RELATION_OTHER);
    CHECK(agd_host_relation(here, agd_text_from(""), NULL) == AGD_RELATION_OTHER && agd_host_relation(here, agd_text_from(NULL), NULL) < 0);
    CHECK(agd_host_relation(agd_text_from(NULL), here, NULL) == AGD_ERROR_NULL && agd_host_relation(agd_text_from("\xff"), here, NULL) < 0);
}

static void types(void) {
    agd_type type = AGD_INIT(agd_type), items = AGD_INIT(agd_type);
    CHECK(agd_type_parse(agd_text_from(" array[object[flight]] "), &type) == AGD_SOME && type.kind == AGD_TYPE_ARRAY);
    CHECK(agd_text_eq_str(type.text, "array[object[flight]]") && type.innermost_kind == AGD_TYPE_OBJECT && type.entity.ptr == NULL);
    CHECK(agd_type_parse(type.items, &items) == AGD_SOME && items.kind == AGD_TYPE_OBJECT && agd_text_eq_str(items.entity, "flight"));
    CHECK(agd_type_parse(agd_text_from("enum[economy, , first]"), &type) == AGD_SOME && type.kind == AGD_TYPE_ENUM);
    agd_text option;
    CHECK(agd_type_options_next(&type.options, &option) == AGD_SOME && agd_text_eq_str(option, "economy"));
    CHECK(agd_type_options_next(&type.options, NULL) == AGD_ERROR_NULL);
    CHECK(agd_type_options_next(&type.options, &option) == AGD_SOME && agd_text_eq_str(option, "first"));
    CHECK(agd_type_options_next(&type.options, &option) == AGD_NONE);
    CHECK(strcmp(agd_type_name(AGD_TYPE_DATE_TIME), "date-time") == 0 && strcmp(agd_type_name(AGD_TYPE_NAMED), "named") == 0);
    CHECK(strcmp(agd_type_name(-1), "unknown") == 0 && strcmp(agd_type_name(10), "unknown") == 0);
    CHECK(agd_type_parse(agd_text_from("airport_code"), &type) == AGD_SOME && type.kind == AGD_TYPE_NAMED && type.items.ptr == NULL);
    CHECK(agd_type_parse(agd_text_from("iso8601"), &type) == AGD_SOME && type.kind == AGD_TYPE_DATE_TIME);
    CHECK(agd_type_parse(agd_text_from("array["), &type) == AGD_ERROR_TYPE && agd_type_parse(agd_text_from(NULL), &type) == AGD_ERROR_NULL);
    CHECK(agd_type_parse(agd_text_from("url"), NULL) == AGD_ERROR_NULL);
    agd_type_options unset;
    memset(&unset, 0, sizeof unset);
    CHECK(agd_type_options_next(&unset, &option) == AGD_ERROR_UNINITIALISED);
}

int main(void) {
    a_call();
    equal_header_names();
    an_impossible_call();
    both_ways_to_resolve_a_detail_url();
    options_of_a_call();
    urls();
    hosts();
    types();
    return result("requests");
}
