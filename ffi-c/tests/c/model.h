/*
 * The unified model as JSON, written by a walk over every struct and list of the C API. Compared with what the library writes itself, it shows
 * that no member is lost or mixed up on the way to C. Order of members and minification are those of no one: compare as JSON values.
 */
#ifndef AGENTSDISC_TEST_MODEL_H
#define AGENTSDISC_TEST_MODEL_H

#include "agentsdisc.h"
#include "common.h"

/* Text that grows. */
typedef struct {
    char *data;
    size_t length;
    size_t capacity;
    int comma; /* whether a comma is due before the next name or element */
} output;

static inline void put(output *out, const char *data, size_t length) {
    if (out->length + length + 1 > out->capacity) {
        out->capacity = (out->length + length + 1) * 2;
        char *grown = realloc(out->data, out->capacity);
        if (grown == NULL)
            exit(EXIT_FAILURE);
        out->data = grown;
    }
    if (length != 0)
        memcpy(out->data + out->length, data, length);
    out->length += length;
    out->data[out->length] = '\0';
}

static inline void put_string(output *out, const char *string) { put(out, string, strlen(string)); }

static inline void separate(output *out) {
    if (out->comma)
        put(out, ",", 1);
    out->comma = 1;
}

static inline void open_with(output *out, const char *bracket) {
    put_string(out, bracket);
    out->comma = 0;
}

static inline void close_with(output *out, const char *bracket) {
    put_string(out, bracket);
    out->comma = 1;
}

static inline void named(output *out, const char *name) {
    separate(out);
    put(out, "\"", 1);
    put_string(out, name);
    put(out, "\":", 2);
}

static inline void quoted(output *out, agd_text text) {
    size_t length = 0;
    agd_status status = agd_text_decode(text, NULL, 0, &length);
    CHECK(status == AGD_ERROR_BUFFER_TOO_SMALL);
    char *decoded = malloc(length + 1);
    if (decoded == NULL)
        exit(EXIT_FAILURE);
    size_t again = 0;
    CHECK(agd_text_decode(text, decoded, length + 1, &again) == AGD_OK && again == length && decoded[length] == '\0');
    put(out, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        char escaped[8];
        unsigned char byte = (unsigned char)decoded[i];
        if (byte == '"' || byte == '\\' || byte < 0x20)
            put(out, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", byte));
        else
            put(out, &decoded[i], 1);
    }
    put(out, "\"", 1);
    free(decoded);
}

static inline void text(output *out, const char *name, agd_text value) {
    if (value.ptr != NULL) {
        named(out, name);
        quoted(out, value);
    }
}

static inline void choice(output *out, const char *name, agd_choice value, const char *(*name_of)(int32_t)) {
    if (value.value == AGD_UNSAID) {
        CHECK(value.text.ptr == NULL);
        return;
    }
    named(out, name);
    put(out, "\"", 1);
    put_string(out, name_of(value.value));
    put(out, "\"", 1);
    if (value.text.ptr != NULL && !agd_text_eq_str(value.text, name_of(value.value))) {
        char text_name[64];
        snprintf(text_name, sizeof text_name, "%s_text", name);
        text(out, text_name, value.text);
    }
}

static inline void truth(output *out, const char *name, int32_t value) {
    CHECK(value == AGD_TRUE || value == AGD_FALSE || value == AGD_UNSAID);
    if (value != AGD_UNSAID) {
        named(out, name);
        put_string(out, value == AGD_TRUE ? "true" : "false");
    }
}

static inline void integer(output *out, const char *name, int64_t value) {
    if (value != AGD_UNSAID) {
        char digits[32];
        named(out, name);
        put(out, digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)value));
    }
}

static inline void value_of(output *out, agd_value value) {
    CHECK(value.kind >= AGD_VALUE_TEXT && value.kind <= AGD_VALUE_ARRAY);
    if (value.kind == AGD_VALUE_TEXT || value.kind == AGD_VALUE_STRING)
        quoted(out, value.text);
    else
        /* Line ends may stand between the parts of a value; a line of output is one vector. */
        for (size_t i = 0; i < value.text.len; i++)
            if (value.text.ptr[i] != '\n' && value.text.ptr[i] != '\r' && value.text.ptr[i] != '\t')
                put(out, &value.text.ptr[i], 1);
}

static inline void value(output *out, const char *name, agd_value item) {
    if (item.kind != AGD_VALUE_ABSENT) {
        named(out, name);
        value_of(out, item);
    }
}

static inline void texts(output *out, const char *name, agd_texts list) {
    agd_text item;
    agd_status status;
    int open = 0;
    while ((status = agd_texts_next(&list, &item)) == AGD_SOME) {
        if (!open) {
            named(out, name);
            open_with(out, "[");
            open = 1;
        }
        separate(out);
        quoted(out, item);
    }
    CHECK(status == AGD_NONE);
    if (open)
        close_with(out, "]");
}

static inline void members(output *out, const char *name, agd_members list) {
    agd_member item;
    agd_status status;
    int open = 0;
    while ((status = agd_members_next(&list, &item)) == AGD_SOME) {
        if (!open) {
            named(out, name);
            open_with(out, "{");
            open = 1;
        }
        separate(out);
        quoted(out, item.name);
        put(out, ":", 1);
        value_of(out, item.value);
    }
    CHECK(status == AGD_NONE);
    if (open)
        close_with(out, "}");
}

/* A function that writes a list of objects: `function(out, name, list)`, where `body` writes the members of `item`. */
#define OBJECTS(function, list_type, item_type, body)                                                                                        \
    static inline void function(output *out, const char *name, list_type list) {                                                             \
        item_type item = AGD_INIT(item_type);                                                                                                \
        agd_status status;                                                                                                                   \
        int open = 0;                                                                                                                        \
        while ((status = list_type##_next(&list, &item)) == AGD_SOME) {                                                                      \
            CHECK(item.size == sizeof item);                                                                                                 \
            if (!open) {                                                                                                                     \
                named(out, name);                                                                                                            \
                open_with(out, "[");                                                                                                         \
                open = 1;                                                                                                                    \
            }                                                                                                                                \
            separate(out);                                                                                                                   \
            open_with(out, "{");                                                                                                             \
            body close_with(out, "}");                                                                                                       \
        }                                                                                                                                    \
        CHECK(status == AGD_NONE);                                                                                                           \
        if (open)                                                                                                                            \
            close_with(out, "]");                                                                                                            \
    }

static inline void values(output *out, const char *name, agd_values list) {
    agd_value item;
    int open = 0;
    while (agd_values_next(&list, &item) == AGD_SOME) {
        if (!open) {
            named(out, name);
            open_with(out, "[");
            open = 1;
        }
        separate(out);
        value_of(out, item);
    }
    if (open)
        close_with(out, "]");
}

OBJECTS(rate_limits, agd_rate_limits, agd_rate_limit, {
    integer(out, "requests", item.requests);
    choice(out, "window", item.window, agd_window_name);
    members(out, "metadata", item.metadata);
})

OBJECTS(outputs, agd_outputs, agd_output, {
    text(out, "name", item.name);
    value(out, "type", item.type);
})

OBJECTS(parameters, agd_parameters, agd_parameter, {
    text(out, "name", item.name);
    choice(out, "location", item.location, agd_location_name);
    text(out, "type", item.type);
    truth(out, "required", item.required);
    text(out, "description", item.description);
    value(out, "default", item.default_value);
    value(out, "example", item.example);
    value(out, "min", item.min);
    value(out, "max", item.max);
    value(out, "items", item.items);
    values(out, "options", item.options);
    members(out, "metadata", item.metadata);
})

static inline void capability_auth(output *out, const agd_capability *item) {
    if (item->auth_type.value == AGD_UNSAID)
        return;
    named(out, "auth");
    open_with(out, "{");
    /* That nothing is written about it means none, and defaults are not shown. */
    if (item->auth_type.value != AGD_AUTH_NONE || item->auth_type.text.ptr != NULL)
        choice(out, "type", item->auth_type, agd_auth_name);
    text(out, "token_url", item->auth_token_url);
    text(out, "docs_url", item->auth_docs_url);
    texts(out, "scopes", item->auth_scopes);
    members(out, "metadata", item->auth_metadata);
    close_with(out, "}");
}

static inline void idempotency(output *out, const agd_capability *item) {
    if (item->has_idempotency != AGD_TRUE)
        return;
    named(out, "idempotency");
    open_with(out, "{");
    truth(out, "supported", item->idempotency_supported);
    text(out, "key_field", item->idempotency_key_field);
    text(out, "window", item->idempotency_window);
    members(out, "metadata", item->idempotency_metadata);
    close_with(out, "}");
}

OBJECTS(capabilities, agd_capabilities, agd_capability, {
    text(out, "id", item.id);
    text(out, "description", item.description);
    text(out, "endpoint", item.endpoint);
    text(out, "method", item.method);
    choice(out, "protocol", item.protocol, agd_protocol_name);
    text(out, "via", item.via);
    text(out, "operation", item.operation);
    text(out, "detail_url", item.detail_url);
    text(out, "openapi", item.openapi);
    capability_auth(out, &item);
    truth(out, "auth_required", item.auth_required);
    truth(out, "requires_session", item.requires_session);
    truth(out, "human_handoff", item.human_handoff);
    rate_limits(out, "rate_limits", item.rate_limits);
    parameters(out, "parameters", item.parameters);
    outputs(out, "outputs", item.outputs);
    choice(out, "sensitivity", item.sensitivity, agd_sensitivity_name);
    truth(out, "requires_confirmation", item.requires_confirmation);
    truth(out, "reversible", item.reversible);
    choice(out, "execution", item.execution, agd_execution_name);
    text(out, "poll_url", item.poll_url);
    idempotency(out, &item);
    members(out, "metadata", item.metadata);
})

OBJECTS(endpoints, agd_endpoints, agd_endpoint, {
    choice(out, "protocol", item.protocol, agd_protocol_name);
    text(out, "url", item.url);
    text(out, "version", item.version);
    choice(out, "transport", item.transport, agd_transport_name);
    choice(out, "auth", item.auth, agd_auth_name);
    members(out, "extra", item.extra);
})

static inline void granted(output *out, const agd_agent *agent) {
    agd_texts list = agent->capabilities;
    agd_text id;
    if (agent->grant == AGD_CAPABILITIES_ALL) {
        CHECK(agd_texts_next(&list, &id) == AGD_NONE);
        return;
    }
    named(out, "capabilities");
    open_with(out, "[");
    while (agd_texts_next(&list, &id) == AGD_SOME) {
        separate(out);
        quoted(out, id);
    }
    close_with(out, "]");
}

OBJECTS(agents, agd_agents, agd_agent, {
    text(out, "name", item.name);
    rate_limits(out, "rate_limits", item.rate_limits);
    granted(out, &item);
    text(out, "declaration", item.declaration);
    members(out, "metadata", item.metadata);
})

OBJECTS(flows, agd_flows, agd_flow, {
    text(out, "name", item.name);
    text(out, "description", item.description);
    texts(out, "steps", item.steps);
    members(out, "metadata", item.metadata);
})

OBJECTS(dependencies, agd_dependencies, agd_dependency, {
    text(out, "capability", item.capability);
    texts(out, "requires", item.required);
})

OBJECTS(entities, agd_entities, agd_entity, {
    text(out, "name", item.name);
    outputs(out, "fields", item.fields);
    members(out, "metadata", item.metadata);
})

OBJECTS(recoveries, agd_recoveries, agd_recovery, {
    text(out, "code", item.code);
    text(out, "recovery", item.recovery);
    members(out, "metadata", item.metadata);
})

OBJECTS(plans, agd_plans, agd_plan, {
    text(out, "name", item.name);
    text(out, "price", item.price);
    text(out, "limits", item.limits);
    members(out, "metadata", item.metadata);
})

OBJECTS(robots_rules, agd_robots_rules, agd_robots_rule, {
    truth(out, "allow", item.allow);
    text(out, "pattern", item.pattern);
})

OBJECTS(robots_groups, agd_robots_groups, agd_robots_group, {
    texts(out, "agents", item.agents);
    robots_rules(out, "rules", item.rules);
    text(out, "crawl_delay", item.crawl_delay);
})

OBJECTS(search_results, agd_search_results, agd_search_result, {
    output before = *out;
    named(out, "service");
    open_with(out, "{");
    size_t opened = out->length;
    text(out, "name", item.service_name);
    text(out, "url", item.service_url);
    text(out, "domain", item.service_domain);
    text(out, "description", item.service_description);
    texts(out, "contact", item.service_contact);
    text(out, "privacy_policy", item.service_privacy_policy);
    text(out, "docs", item.service_docs);
    members(out, "metadata", item.service_metadata);
    if (out->length > opened) {
        close_with(out, "}");
    } else {
        out->length = before.length;
        out->comma = before.comma;
    }
    capabilities(out, "capabilities", item.capabilities);
})

static inline void hints(output *out, agd_members list) {
    agd_member item;
    int open = 0;
    while (agd_members_next(&list, &item) == AGD_SOME) {
        if (!open) {
            named(out, "hints");
            open_with(out, "[");
            open = 1;
        }
        separate(out);
        open_with(out, "{");
        text(out, "name", item.name);
        value(out, "value", item.value);
        close_with(out, "}");
    }
    if (open)
        close_with(out, "]");
}

static inline void once(output *out, const agd_document *document) {
    agd_provenance provenance = AGD_INIT(agd_provenance);
    if (agd_document_provenance(document, &provenance) == AGD_SOME) {
        named(out, "provenance");
        open_with(out, "{");
        choice(out, "source", provenance.source, agd_source_name);
        text(out, "generated_by", provenance.generated_by);
        value(out, "confidence", provenance.confidence);
        text(out, "last_verified", provenance.last_verified);
        close_with(out, "}");
    }
    agd_service service = AGD_INIT(agd_service);
    if (agd_document_service(document, &service) == AGD_SOME) {
        named(out, "service");
        open_with(out, "{");
        text(out, "name", service.name);
        text(out, "url", service.url);
        text(out, "domain", service.domain);
        text(out, "description", service.description);
        texts(out, "contact", service.contact);
        text(out, "privacy_policy", service.privacy_policy);
        text(out, "docs", service.docs);
        members(out, "metadata", service.metadata);
        close_with(out, "}");
    }
    agd_service_auth auth = AGD_INIT(agd_service_auth);
    if (agd_document_auth(document, &auth) == AGD_SOME) {
        named(out, "auth");
        open_with(out, "{");
        choice(out, "type", auth.type, agd_auth_name);
        text(out, "header", auth.header);
        text(out, "prefix", auth.prefix);
        text(out, "setup_url", auth.setup_url);
        text(out, "authorization_url", auth.authorization_url);
        text(out, "token_url", auth.token_url);
        text(out, "refresh_url", auth.refresh_url);
        text(out, "token_expiry", auth.token_expiry);
        integer(out, "token_expiry_seconds", auth.token_expiry_seconds);
        texts(out, "scopes", auth.scopes);
        texts(out, "required_for", auth.required_for);
        texts(out, "optional_for", auth.optional_for);
        members(out, "metadata", auth.metadata);
        close_with(out, "}");
    }
    agd_access access = AGD_INIT(agd_access);
    CHECK(agd_document_access(document, &access) == AGD_SOME);
    named(out, "access");
    open_with(out, "{");
    texts(out, "allow", access.allow);
    texts(out, "disallow", access.disallow);
    members(out, "metadata", access.metadata);
    close_with(out, "}");
    agd_permissions permissions = AGD_INIT(agd_permissions);
    CHECK(agd_document_permissions(document, &permissions) == AGD_SOME);
    named(out, "permissions");
    open_with(out, "{");
    texts(out, "can", permissions.can);
    texts(out, "cannot", permissions.cannot);
    texts(out, "behavior", permissions.behavior);
    close_with(out, "}");
    agd_service_status status = AGD_INIT(agd_service_status);
    if (agd_document_status(document, &status) == AGD_SOME) {
        named(out, "status");
        open_with(out, "{");
        truth(out, "operational", status.operational);
        texts(out, "degraded", status.degraded);
        text(out, "url", status.url);
        members(out, "metadata", status.metadata);
        close_with(out, "}");
    }
    agd_pricing pricing = AGD_INIT(agd_pricing);
    if (agd_document_pricing(document, &pricing) == AGD_SOME) {
        named(out, "pricing");
        open_with(out, "{");
        choice(out, "type", pricing.type, agd_pricing_name);
        plans(out, "plans", pricing.plans);
        text(out, "plans_url", pricing.plans_url);
        members(out, "metadata", pricing.metadata);
        close_with(out, "}");
    }
    agd_session session = AGD_INIT(agd_session);
    if (agd_document_session(document, &session) == AGD_SOME) {
        named(out, "session");
        open_with(out, "{");
        integer(out, "ttl_seconds", session.ttl_seconds);
        text(out, "create", session.create);
        text(out, "delete", session.close);
        members(out, "metadata", session.metadata);
        close_with(out, "}");
    }
    agd_audit audit = AGD_INIT(agd_audit);
    if (agd_document_audit(document, &audit) == AGD_SOME) {
        named(out, "audit");
        open_with(out, "{");
        truth(out, "enabled", audit.enabled);
        text(out, "endpoint", audit.endpoint);
        members(out, "metadata", audit.metadata);
        close_with(out, "}");
    }
}

/* The whole model. `access`, `permissions`, `robots` and `search` are there even where they are empty. */
static inline void model(output *out, const agd_document *document) {
    agd_head head = AGD_INIT(agd_head);
    CHECK(agd_document_head(document, &head) == AGD_SOME);
    CHECK(head.format == agd_document_format(document));
    open_with(out, "{");
    named(out, "format");
    put(out, "\"", 1);
    put_string(out, agd_format_id(head.format));
    put(out, "\"", 1);
    text(out, "spec_version", head.spec_version);
    choice(out, "kind", head.kind, agd_kind_name);
    text(out, "generated_at", head.generated_at);
    texts(out, "operates_on", agd_document_operates_on(document));
    text(out, "companion", head.companion);
    once(out, document);
    endpoints(out, "endpoints", agd_document_endpoints(document));
    capabilities(out, "capabilities", agd_document_capabilities(document));
    agents(out, "agents", agd_document_agents(document));
    flows(out, "flows", agd_document_flows(document));
    dependencies(out, "dependencies", agd_document_dependencies(document));
    entities(out, "entities", agd_document_entities(document));
    recoveries(out, "errors", agd_document_errors(document));
    hints(out, agd_document_hints(document));
    members(out, "features", agd_document_features(document));
    rate_limits(out, "rate_limits", agd_document_rate_limits(document));
    integer(out, "cache_seconds", head.cache_seconds);
    named(out, "robots");
    open_with(out, "{");
    robots_groups(out, "groups", agd_document_robots_groups(document));
    texts(out, "sitemaps", agd_document_sitemaps(document));
    close_with(out, "}");
    named(out, "search");
    open_with(out, "{");
    text(out, "query", head.search_query);
    search_results(out, "results", agd_document_search_results(document));
    close_with(out, "}");
    value(out, "request_example", head.request_example);
    value(out, "response_example", head.response_example);
    members(out, "metadata", agd_document_metadata(document));
    close_with(out, "}");
}

#endif
