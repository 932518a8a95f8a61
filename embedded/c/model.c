/* Adds every value of a document to the digest, in the order of the unified model's JSON (embedded/rust/src/model.rs). */
#include "digest.h"

/* Defines a function that adds a list of objects: `function(sum, list)`; `body` adds `item`. */
#define OBJECTS(function, list_type, item_type, body)                                                                                        \
    static void function(digest *sum, list_type list) {                                                                                      \
        item_type item = AGD_INIT(item_type);                                                                                                \
        while (list_type##_next(&list, &item) == AGD_SOME)                                                                                   \
            body add_end_of_list(sum);                                                                                                       \
    }

OBJECTS(rate_limits, agd_rate_limits, agd_rate_limit, {
    add_number(sum, item.requests);
    add_choice(sum, item.window, agd_window_name);
    add_members(sum, item.metadata);
})

OBJECTS(outputs, agd_outputs, agd_output, {
    add_text(sum, item.name);
    add_value(sum, item.type);
})

static void values(digest *sum, agd_values list) {
    agd_value value;
    while (agd_values_next(&list, &value) == AGD_SOME)
        add_value(sum, value);
    add_end_of_list(sum);
}

OBJECTS(parameters, agd_parameters, agd_parameter, {
    add_text(sum, item.name);
    add_choice(sum, item.location, agd_location_name);
    add_text(sum, item.type);
    add_truth(sum, item.required);
    add_text(sum, item.description);
    add_value(sum, item.default_value);
    add_value(sum, item.example);
    add_value(sum, item.min);
    add_value(sum, item.max);
    add_value(sum, item.items);
    values(sum, item.options);
    add_members(sum, item.metadata);
})

static void capability_auth(digest *sum, const agd_capability *item) {
    add_choice(sum, item->auth_type, agd_auth_name);
    if (item->auth_type.value == AGD_UNSAID)
        return;
    add_text(sum, item->auth_token_url);
    add_text(sum, item->auth_docs_url);
    add_texts(sum, item->auth_scopes);
    add_members(sum, item->auth_metadata);
}

static void idempotency(digest *sum, const agd_capability *item) {
    if (item->has_idempotency != AGD_TRUE) {
        add_absent(sum);
        return;
    }
    add_truth(sum, item->idempotency_supported);
    add_text(sum, item->idempotency_key_field);
    add_text(sum, item->idempotency_window);
    add_members(sum, item->idempotency_metadata);
}

OBJECTS(capabilities, agd_capabilities, agd_capability, {
    add_text(sum, item.id);
    add_text(sum, item.description);
    add_text(sum, item.endpoint);
    add_text(sum, item.method);
    add_choice(sum, item.protocol, agd_protocol_name);
    add_text(sum, item.via);
    add_text(sum, item.operation);
    add_text(sum, item.detail_url);
    add_text(sum, item.openapi);
    capability_auth(sum, &item);
    add_truth(sum, item.auth_required);
    add_truth(sum, item.requires_session);
    add_truth(sum, item.human_handoff);
    rate_limits(sum, item.rate_limits);
    parameters(sum, item.parameters);
    outputs(sum, item.outputs);
    add_choice(sum, item.sensitivity, agd_sensitivity_name);
    add_truth(sum, item.requires_confirmation);
    add_truth(sum, item.reversible);
    add_choice(sum, item.execution, agd_execution_name);
    add_text(sum, item.poll_url);
    idempotency(sum, &item);
    add_members(sum, item.metadata);
})

OBJECTS(endpoints, agd_endpoints, agd_endpoint, {
    add_choice(sum, item.protocol, agd_protocol_name);
    add_text(sum, item.url);
    add_text(sum, item.version);
    add_choice(sum, item.transport, agd_transport_name);
    add_choice(sum, item.auth, agd_auth_name);
    add_members(sum, item.extra);
})

OBJECTS(agents, agd_agents, agd_agent, {
    add_text(sum, item.name);
    rate_limits(sum, item.rate_limits);
    if (item.grant == AGD_CAPABILITIES_ALL)
        add_absent(sum);
    else
        add_texts(sum, item.capabilities);
    add_text(sum, item.declaration);
    add_members(sum, item.metadata);
})

OBJECTS(flows, agd_flows, agd_flow, {
    add_text(sum, item.name);
    add_text(sum, item.description);
    add_texts(sum, item.steps);
    add_members(sum, item.metadata);
})

OBJECTS(dependencies, agd_dependencies, agd_dependency, {
    add_text(sum, item.capability);
    add_texts(sum, item.required);
})

OBJECTS(entities, agd_entities, agd_entity, {
    add_text(sum, item.name);
    outputs(sum, item.fields);
    add_members(sum, item.metadata);
})

OBJECTS(recoveries, agd_recoveries, agd_recovery, {
    add_text(sum, item.code);
    add_text(sum, item.recovery);
    add_members(sum, item.metadata);
})

OBJECTS(plans, agd_plans, agd_plan, {
    add_text(sum, item.name);
    add_text(sum, item.price);
    add_text(sum, item.limits);
    add_members(sum, item.metadata);
})

OBJECTS(robots_rules, agd_robots_rules, agd_robots_rule, {
    add_truth(sum, item.allow);
    add_text(sum, item.pattern);
})

OBJECTS(robots_groups, agd_robots_groups, agd_robots_group, {
    add_texts(sum, item.agents);
    robots_rules(sum, item.rules);
    add_text(sum, item.crawl_delay);
})

OBJECTS(search_results, agd_search_results, agd_search_result, {
    add_text(sum, item.service_name);
    add_text(sum, item.service_url);
    add_text(sum, item.service_domain);
    add_text(sum, item.service_description);
    add_texts(sum, item.service_contact);
    add_text(sum, item.service_privacy_policy);
    add_text(sum, item.service_docs);
    add_members(sum, item.service_metadata);
    capabilities(sum, item.capabilities);
})

static void add_head(digest *sum, const agd_document *document, const agd_head *head) {
    add_text(sum, head->spec_version);
    add_choice(sum, head->kind, agd_kind_name);
    add_text(sum, head->generated_at);
    add_texts(sum, agd_document_operates_on(document));
    add_text(sum, head->companion);
    agd_provenance provenance = AGD_INIT(agd_provenance);
    if (agd_document_provenance(document, &provenance) != AGD_SOME) {
        add_absent(sum);
        return;
    }
    add_choice(sum, provenance.source, agd_source_name);
    add_text(sum, provenance.generated_by);
    add_value(sum, provenance.confidence);
    add_text(sum, provenance.last_verified);
}

static void add_service(digest *sum, const agd_document *document) {
    agd_service service = AGD_INIT(agd_service);
    if (agd_document_service(document, &service) != AGD_SOME) {
        add_absent(sum);
        return;
    }
    add_text(sum, service.name);
    add_text(sum, service.url);
    add_text(sum, service.domain);
    add_text(sum, service.description);
    add_texts(sum, service.contact);
    add_text(sum, service.privacy_policy);
    add_text(sum, service.docs);
    add_members(sum, service.metadata);
}

static void add_auth(digest *sum, const agd_document *document) {
    agd_service_auth auth = AGD_INIT(agd_service_auth);
    if (agd_document_auth(document, &auth) != AGD_SOME) {
        add_absent(sum);
        return;
    }
    add_choice(sum, auth.type, agd_auth_name);
    add_text(sum, auth.header);
    add_text(sum, auth.prefix);
    add_text(sum, auth.setup_url);
    add_text(sum, auth.authorization_url);
    add_text(sum, auth.token_url);
    add_text(sum, auth.refresh_url);
    add_text(sum, auth.token_expiry);
    add_number(sum, auth.token_expiry_seconds);
    add_texts(sum, auth.scopes);
    add_texts(sum, auth.required_for);
    add_texts(sum, auth.optional_for);
    add_members(sum, auth.metadata);
}

static void what_agents_may_do(digest *sum, const agd_document *document) {
    capabilities(sum, agd_document_capabilities(document));
    agd_access access = AGD_INIT(agd_access);
    agd_document_access(document, &access);
    add_texts(sum, access.allow);
    add_texts(sum, access.disallow);
    add_members(sum, access.metadata);
    agents(sum, agd_document_agents(document));
    agd_permissions permissions = AGD_INIT(agd_permissions);
    agd_document_permissions(document, &permissions);
    add_texts(sum, permissions.can);
    add_texts(sum, permissions.cannot);
    add_texts(sum, permissions.behavior);
}

static void how_it_works(digest *sum, const agd_document *document) {
    flows(sum, agd_document_flows(document));
    dependencies(sum, agd_document_dependencies(document));
    entities(sum, agd_document_entities(document));
    recoveries(sum, agd_document_errors(document));
    add_members(sum, agd_document_hints(document));
    agd_service_status status = AGD_INIT(agd_service_status);
    if (agd_document_status(document, &status) == AGD_SOME) {
        add_truth(sum, status.operational);
        add_texts(sum, status.degraded);
        add_text(sum, status.url);
        add_members(sum, status.metadata);
    }
    add_members(sum, agd_document_features(document));
    agd_pricing pricing = AGD_INIT(agd_pricing);
    if (agd_document_pricing(document, &pricing) == AGD_SOME) {
        add_choice(sum, pricing.type, agd_pricing_name);
        plans(sum, pricing.plans);
        add_text(sum, pricing.plans_url);
        add_members(sum, pricing.metadata);
    }
    agd_session session = AGD_INIT(agd_session);
    if (agd_document_session(document, &session) == AGD_SOME) {
        add_number(sum, session.ttl_seconds);
        add_text(sum, session.create);
        add_text(sum, session.close);
        add_members(sum, session.metadata);
    }
    agd_audit audit = AGD_INIT(agd_audit);
    if (agd_document_audit(document, &audit) == AGD_SOME) {
        add_truth(sum, audit.enabled);
        add_text(sum, audit.endpoint);
        add_members(sum, audit.metadata);
    }
}

void add_model(digest *sum, const agd_document *document) {
    agd_head head = AGD_INIT(agd_head);
    agd_document_head(document, &head);
    add_head(sum, document, &head);
    add_service(sum, document);
    add_auth(sum, document);
    endpoints(sum, agd_document_endpoints(document));
    what_agents_may_do(sum, document);
    how_it_works(sum, document);
    rate_limits(sum, agd_document_rate_limits(document));
    add_number(sum, head.cache_seconds);
    robots_groups(sum, agd_document_robots_groups(document));
    add_texts(sum, agd_document_sitemaps(document));
    add_text(sum, head.search_query);
    search_results(sum, agd_document_search_results(document));
    add_value(sum, head.request_example);
    add_value(sum, head.response_example);
    add_members(sum, agd_document_metadata(document));
}
