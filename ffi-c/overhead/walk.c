/* Reads every value of documents through the C library: see walk.rs. */
#include <agentsdisc.h>
#include <stdio.h>
#include <stdlib.h>

/* One of each struct, which the library fills repeatedly. */
struct items {
    agd_capability capability;
    agd_parameter parameter;
    agd_output output;
    agd_rate_limit limit;
};

#define ITEMS {AGD_INIT(agd_capability), AGD_INIT(agd_parameter), AGD_INIT(agd_output), AGD_INIT(agd_rate_limit)}

struct body {
    char *data;
    size_t length;
};

static uint64_t sum;

static inline void text(agd_text text) {
    sum = sum * 3 + (text.ptr == NULL ? 7 : text.len);
}

static inline void truth(int32_t truth) {
    sum += truth == AGD_UNSAID ? 2 : (uint64_t)truth;
}

static inline void number(int64_t number) {
    sum += number == AGD_UNSAID ? 5 : (uint64_t)number;
}

static inline void texts(agd_texts *list) {
    agd_text item;
    while (agd_texts_next(list, &item) == AGD_SOME)
        text(item);
}

static inline void members(agd_members *list) {
    agd_member member;
    while (agd_members_next(list, &member) == AGD_SOME) {
        text(member.name);
        text(member.value.text);
    }
}

static inline void limits(struct items *items, agd_rate_limits *list) {
    agd_rate_limit *limit = &items->limit;
    while (agd_rate_limits_next(list, limit) == AGD_SOME) {
        sum += limit->requests;
        text(limit->window.text);
        members(&limit->metadata);
    }
}

static inline void outputs(struct items *items, agd_outputs *list) {
    agd_output *output = &items->output;
    while (agd_outputs_next(list, output) == AGD_SOME) {
        text(output->name);
        text(output->type.text);
    }
}

static inline void parameters(struct items *items, agd_parameters *list) {
    agd_parameter *parameter = &items->parameter;
    while (agd_parameters_next(list, parameter) == AGD_SOME) {
        text(parameter->name);
        text(parameter->location.text);
        text(parameter->type);
        truth(parameter->required);
        text(parameter->description);
        text(parameter->default_value.text);
        text(parameter->example.text);
        text(parameter->min.text);
        text(parameter->max.text);
        text(parameter->items.text);
        agd_value option;
        while (agd_values_next(&parameter->options, &option) == AGD_SOME)
            text(option.text);
        members(&parameter->metadata);
        text(parameter->source);
    }
}

static void capabilities(struct items *items, agd_capabilities *list) {
    agd_capability *capability = &items->capability;
    while (agd_capabilities_next(list, capability) == AGD_SOME) {
        text(capability->id);
        text(capability->description);
        text(capability->endpoint);
        text(capability->method);
        text(capability->protocol.text);
        text(capability->via);
        text(capability->operation);
        text(capability->detail_url);
        text(capability->openapi);
        if (capability->auth_type.value != AGD_UNSAID) {
            text(capability->auth_type.text);
            text(capability->auth_token_url);
            text(capability->auth_docs_url);
            texts(&capability->auth_scopes);
            members(&capability->auth_metadata);
            text(capability->auth_source);
        }
        truth(capability->auth_required);
        truth(capability->requires_session);
        truth(capability->human_handoff);
        limits(items, &capability->rate_limits);
        parameters(items, &capability->parameters);
        outputs(items, &capability->outputs);
        text(capability->sensitivity.text);
        truth(capability->requires_confirmation);
        truth(capability->reversible);
        text(capability->execution.text);
        text(capability->poll_url);
        if (capability->has_idempotency == AGD_TRUE) {
            truth(capability->idempotency_supported);
            text(capability->idempotency_key_field);
            text(capability->idempotency_window);
            members(&capability->idempotency_metadata);
        }
        members(&capability->metadata);
        text(capability->source);
    }
}

static void service(const agd_document *document) {
    agd_service service = AGD_INIT(agd_service);
    if (agd_document_service(document, &service) == AGD_SOME) {
        text(service.name);
        text(service.url);
        text(service.domain);
        text(service.description);
        texts(&service.contact);
        text(service.privacy_policy);
        text(service.docs);
        members(&service.metadata);
        text(service.source);
    }
    agd_service_auth auth = AGD_INIT(agd_service_auth);
    if (agd_document_auth(document, &auth) == AGD_SOME) {
        text(auth.type.text);
        text(auth.header);
        text(auth.prefix);
        text(auth.setup_url);
        text(auth.authorization_url);
        text(auth.token_url);
        text(auth.refresh_url);
        text(auth.token_expiry);
        number(auth.token_expiry_seconds);
        texts(&auth.scopes);
        texts(&auth.required_for);
        texts(&auth.optional_for);
        members(&auth.metadata);
    }
}

static void business(const agd_document *document) {
    agd_service_status status = AGD_INIT(agd_service_status);
    if (agd_document_status(document, &status) == AGD_SOME) {
        truth(status.operational);
        texts(&status.degraded);
        text(status.url);
        members(&status.metadata);
    }
    agd_pricing pricing = AGD_INIT(agd_pricing);
    if (agd_document_pricing(document, &pricing) == AGD_SOME) {
        text(pricing.type.text);
        agd_plan plan = AGD_INIT(agd_plan);
        while (agd_plans_next(&pricing.plans, &plan) == AGD_SOME) {
            text(plan.name);
            text(plan.price);
            text(plan.limits);
            members(&plan.metadata);
        }
        text(pricing.plans_url);
        members(&pricing.metadata);
    }
    agd_session session = AGD_INIT(agd_session);
    if (agd_document_session(document, &session) == AGD_SOME) {
        number(session.ttl_seconds);
        text(session.create);
        text(session.close);
        members(&session.metadata);
    }
    agd_audit audit = AGD_INIT(agd_audit);
    if (agd_document_audit(document, &audit) == AGD_SOME) {
        truth(audit.enabled);
        text(audit.endpoint);
        members(&audit.metadata);
    }
}

static void once(const agd_document *document) {
    agd_head head = AGD_INIT(agd_head);
    agd_document_head(document, &head);
    text(head.spec_version);
    text(head.kind.text);
    text(head.generated_at);
    text(head.companion);
    number(head.cache_seconds);
    text(head.search_query);
    text(head.request_example.text);
    text(head.response_example.text);
    agd_provenance provenance = AGD_INIT(agd_provenance);
    if (agd_document_provenance(document, &provenance) == AGD_SOME) {
        text(provenance.source.text);
        text(provenance.generated_by);
        text(provenance.confidence.text);
        text(provenance.last_verified);
    }
    service(document);
    business(document);
}

static void rules(struct items *items, const agd_document *document) {
    agd_access access = AGD_INIT(agd_access);
    agd_document_access(document, &access);
    texts(&access.allow);
    texts(&access.disallow);
    members(&access.metadata);
    agd_agents agents = agd_document_agents(document);
    agd_agent agent = AGD_INIT(agd_agent);
    while (agd_agents_next(&agents, &agent) == AGD_SOME) {
        text(agent.name);
        truth(agent.grant);
        texts(&agent.capabilities);
        limits(items, &agent.rate_limits);
        text(agent.declaration);
        members(&agent.metadata);
        text(agent.source);
    }
    agd_permissions permissions = AGD_INIT(agd_permissions);
    agd_document_permissions(document, &permissions);
    texts(&permissions.can);
    texts(&permissions.cannot);
    texts(&permissions.behavior);
}

static void flows(const agd_document *document) {
    agd_flows flows = agd_document_flows(document);
    agd_flow flow = AGD_INIT(agd_flow);
    while (agd_flows_next(&flows, &flow) == AGD_SOME) {
        text(flow.name);
        text(flow.description);
        texts(&flow.steps);
        members(&flow.metadata);
    }
    agd_dependencies dependencies = agd_document_dependencies(document);
    agd_dependency dependency = AGD_INIT(agd_dependency);
    while (agd_dependencies_next(&dependencies, &dependency) == AGD_SOME) {
        text(dependency.capability);
        texts(&dependency.required);
    }
}

static void robots(const agd_document *document) {
    agd_robots_groups groups = agd_document_robots_groups(document);
    agd_robots_group group = AGD_INIT(agd_robots_group);
    agd_robots_rule rule = AGD_INIT(agd_robots_rule);
    while (agd_robots_groups_next(&groups, &group) == AGD_SOME) {
        texts(&group.agents);
        while (agd_robots_rules_next(&group.rules, &rule) == AGD_SOME) {
            truth(rule.allow);
            text(rule.pattern);
        }
        text(group.crawl_delay);
    }
    agd_texts sitemaps = agd_document_sitemaps(document);
    texts(&sitemaps);
}

static void results(struct items *items, const agd_document *document) {
    agd_search_results results = agd_document_search_results(document);
    agd_search_result result = AGD_INIT(agd_search_result);
    while (agd_search_results_next(&results, &result) == AGD_SOME) {
        text(result.service_name);
        text(result.service_url);
        text(result.service_domain);
        text(result.service_description);
        texts(&result.service_contact);
        text(result.service_privacy_policy);
        text(result.service_docs);
        members(&result.service_metadata);
        text(result.service_source);
        capabilities(items, &result.capabilities);
    }
}

static void walk(struct items *items, const agd_document *document) {
    once(document);
    agd_texts operates_on = agd_document_operates_on(document);
    texts(&operates_on);
    agd_endpoints endpoints = agd_document_endpoints(document);
    agd_endpoint endpoint = AGD_INIT(agd_endpoint);
    while (agd_endpoints_next(&endpoints, &endpoint) == AGD_SOME) {
        text(endpoint.protocol.text);
        text(endpoint.url);
        text(endpoint.version);
        text(endpoint.transport.text);
        text(endpoint.auth.text);
        members(&endpoint.extra);
    }
    agd_capabilities list = agd_document_capabilities(document);
    capabilities(items, &list);
    rules(items, document);
    flows(document);
    agd_entities entities = agd_document_entities(document);
    agd_entity entity = AGD_INIT(agd_entity);
    while (agd_entities_next(&entities, &entity) == AGD_SOME) {
        text(entity.name);
        outputs(items, &entity.fields);
        members(&entity.metadata);
    }
    agd_recoveries recoveries = agd_document_errors(document);
    agd_recovery recovery = AGD_INIT(agd_recovery);
    while (agd_recoveries_next(&recoveries, &recovery) == AGD_SOME) {
        text(recovery.code);
        text(recovery.recovery);
        members(&recovery.metadata);
    }
    agd_members hints = agd_document_hints(document), features = agd_document_features(document);
    members(&hints);
    members(&features);
    agd_rate_limits rate_limits = agd_document_rate_limits(document);
    limits(items, &rate_limits);
    robots(document);
    results(items, document);
    agd_members metadata = agd_document_metadata(document);
    members(&metadata);
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    int parses = atoi(argv[1]), walks = atoi(argv[2]), files = argc - 3;
    agd_document *documents = calloc((size_t)files + 1, sizeof *documents);
    struct body *bodies = calloc((size_t)files + 1, sizeof *bodies);
    if (documents == NULL || bodies == NULL)
        return 2;
    for (int i = 0; i < files; i++) {
        FILE *file = fopen(argv[i + 3], "rb");
        if (file == NULL)
            return 2;
        fseek(file, 0, SEEK_END);
        bodies[i].length = (size_t)ftell(file);
        rewind(file);
        bodies[i].data = malloc(bodies[i].length + 1);
        if (bodies[i].data == NULL || fread(bodies[i].data, 1, bodies[i].length, file) != bodies[i].length)
            return 2;
        fclose(file);
    }
    size_t count = 0;
    for (int time = 0; time < parses; time++) {
        count = 0;
        for (int i = 0; i < files; i++)
            count += agd_parse(bodies[i].data, bodies[i].length, NULL, &documents[count], NULL) == AGD_OK;
    }
    struct items items = ITEMS;
    for (int time = 0; time < walks; time++)
        for (size_t document = 0; document < count; document++)
            walk(&items, &documents[document]);
    printf("%zu documents, %llu\n", count, (unsigned long long)sum);
    return 0;
}
