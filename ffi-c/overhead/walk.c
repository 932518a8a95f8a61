/* Reads every value of documents through the C library: see walk.rs. */
#include <agentsdisc.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t sum;

static inline void text(agd_text text) {
    sum = sum * 3 + (text.ptr == NULL ? 7 : text.len);
}

static inline void truth(int32_t truth) {
    sum += truth == AGD_UNSAID ? 2 : (uint64_t)truth;
}

static void texts(agd_texts list) {
    agd_text item;
    while (agd_texts_next(&list, &item) == AGD_SOME)
        text(item);
}

static void members(agd_members list) {
    agd_member member;
    while (agd_members_next(&list, &member) == AGD_SOME) {
        text(member.name);
        text(member.value.text);
    }
}

static void limits(agd_rate_limits list) {
    agd_rate_limit limit = AGD_INIT(agd_rate_limit);
    while (agd_rate_limits_next(&list, &limit) == AGD_SOME) {
        sum += limit.requests;
        text(limit.window.text);
    }
}

static void outputs(agd_outputs list) {
    agd_output output = AGD_INIT(agd_output);
    while (agd_outputs_next(&list, &output) == AGD_SOME) {
        text(output.name);
        text(output.type.text);
    }
}

static void parameters(agd_parameters list) {
    agd_parameter parameter = AGD_INIT(agd_parameter);
    while (agd_parameters_next(&list, &parameter) == AGD_SOME) {
        text(parameter.name);
        text(parameter.location.text);
        text(parameter.type);
        truth(parameter.required);
        text(parameter.description);
        text(parameter.default_value.text);
        agd_value option;
        while (agd_values_next(&parameter.options, &option) == AGD_SOME)
            text(option.text);
    }
}

static void capabilities(const agd_document *document) {
    agd_capabilities list = agd_document_capabilities(document);
    agd_capability capability = AGD_INIT(agd_capability);
    while (agd_capabilities_next(&list, &capability) == AGD_SOME) {
        text(capability.id);
        text(capability.description);
        text(capability.endpoint);
        text(capability.method);
        text(capability.protocol.text);
        text(capability.detail_url);
        text(capability.auth_type.text);
        text(capability.auth_token_url);
        texts(capability.auth_scopes);
        truth(capability.auth_required);
        truth(capability.requires_session);
        truth(capability.human_handoff);
        limits(capability.rate_limits);
        parameters(capability.parameters);
        outputs(capability.outputs);
        text(capability.sensitivity.text);
        truth(capability.requires_confirmation);
        text(capability.execution.text);
        members(capability.metadata);
    }
}

static void once(const agd_document *document) {
    agd_head head = AGD_INIT(agd_head);
    agd_service service = AGD_INIT(agd_service);
    agd_service_auth auth = AGD_INIT(agd_service_auth);
    agd_document_head(document, &head);
    text(head.spec_version);
    text(head.generated_at);
    if (agd_document_service(document, &service) == AGD_SOME) {
        text(service.name);
        text(service.url);
        text(service.description);
        texts(service.contact);
        text(service.docs);
    }
    if (agd_document_auth(document, &auth) == AGD_SOME) {
        text(auth.type.text);
        text(auth.header);
        text(auth.token_url);
        texts(auth.scopes);
    }
}

static void rules(const agd_document *document) {
    agd_access access = AGD_INIT(agd_access);
    agd_document_access(document, &access);
    texts(access.allow);
    texts(access.disallow);
    agd_agents agents = agd_document_agents(document);
    agd_agent agent = AGD_INIT(agd_agent);
    while (agd_agents_next(&agents, &agent) == AGD_SOME) {
        text(agent.name);
        limits(agent.rate_limits);
        texts(agent.capabilities);
    }
    agd_permissions permissions = AGD_INIT(agd_permissions);
    agd_document_permissions(document, &permissions);
    texts(permissions.can);
    texts(permissions.cannot);
    texts(permissions.behavior);
}

static void walk(const agd_document *document) {
    once(document);
    agd_endpoints endpoints = agd_document_endpoints(document);
    agd_endpoint endpoint = AGD_INIT(agd_endpoint);
    while (agd_endpoints_next(&endpoints, &endpoint) == AGD_SOME) {
        text(endpoint.protocol.text);
        text(endpoint.url);
        members(endpoint.extra);
    }
    capabilities(document);
    rules(document);
    agd_flows flows = agd_document_flows(document);
    agd_flow flow = AGD_INIT(agd_flow);
    while (agd_flows_next(&flows, &flow) == AGD_SOME) {
        text(flow.name);
        texts(flow.steps);
    }
    agd_dependencies dependencies = agd_document_dependencies(document);
    agd_dependency dependency = AGD_INIT(agd_dependency);
    while (agd_dependencies_next(&dependencies, &dependency) == AGD_SOME) {
        text(dependency.capability);
        texts(dependency.required);
    }
    agd_entities entities = agd_document_entities(document);
    agd_entity entity = AGD_INIT(agd_entity);
    while (agd_entities_next(&entities, &entity) == AGD_SOME) {
        text(entity.name);
        outputs(entity.fields);
    }
    agd_recoveries recoveries = agd_document_errors(document);
    agd_recovery recovery = AGD_INIT(agd_recovery);
    while (agd_recoveries_next(&recoveries, &recovery) == AGD_SOME) {
        text(recovery.code);
        text(recovery.recovery);
    }
    members(agd_document_hints(document));
    members(agd_document_features(document));
    limits(agd_document_rate_limits(document));
    texts(agd_document_sitemaps(document));
    members(agd_document_metadata(document));
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    int times = atoi(argv[1]);
    agd_document *documents = calloc((size_t)argc, sizeof *documents);
    size_t count = 0;
    for (int i = 2; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL || documents == NULL)
            return 2;
        fseek(file, 0, SEEK_END);
        size_t length = (size_t)ftell(file);
        rewind(file);
        char *body = malloc(length + 1);
        if (body == NULL || fread(body, 1, length, file) != length)
            return 2;
        fclose(file);
        count += agd_parse(body, length, NULL, &documents[count], NULL) == AGD_OK;
    }
    for (int i = 0; i < times; i++)
        for (size_t document = 0; document < count; document++)
            walk(&documents[document]);
    printf("%zu documents, %llu\n", count, (unsigned long long)sum);
    return 0;
}
