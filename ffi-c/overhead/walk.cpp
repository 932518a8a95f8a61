// Reads every value of documents through the C++ header: see walk.rs.
#include <agentsdisc.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

std::uint64_t sum;

inline void read(agentsdisc::text text) { sum = sum * 3 + (text ? text.raw().size() : 7); }

inline void truth(std::int32_t truth) { sum += truth == AGD_UNSAID ? 2 : static_cast<std::uint64_t>(truth); }

inline void number(std::int64_t number) { sum += number == AGD_UNSAID ? 5 : static_cast<std::uint64_t>(number); }

inline void texts(const agd_texts &list) {
    for (const agd_text &text : list)
        read(text);
}

inline void members(const agd_members &list) {
    for (const agd_member &member : list) {
        read(member.name);
        read(member.value.text);
    }
}

inline void limits(const agd_rate_limits &list) {
    for (const agd_rate_limit &limit : list) {
        sum += limit.requests;
        read(limit.window.text);
        members(limit.metadata);
    }
}

inline void outputs(const agd_outputs &list) {
    for (const agd_output &output : list) {
        read(output.name);
        read(output.type.text);
    }
}

inline void parameters(const agd_parameters &list) {
    for (const agd_parameter &parameter : list) {
        read(parameter.name);
        read(parameter.location.text);
        read(parameter.type);
        truth(parameter.required);
        read(parameter.description);
        read(parameter.default_value.text);
        read(parameter.example.text);
        read(parameter.min.text);
        read(parameter.max.text);
        read(parameter.items.text);
        for (const agd_value &option : parameter.options)
            read(option.text);
        members(parameter.metadata);
        read(parameter.source);
    }
}

void capabilities(const agd_capabilities &list) {
    for (const agd_capability &capability : list) {
        read(capability.id);
        read(capability.description);
        read(capability.endpoint);
        read(capability.method);
        read(capability.protocol.text);
        read(capability.via);
        read(capability.operation);
        read(capability.detail_url);
        read(capability.openapi);
        if (capability.auth_type.value != AGD_UNSAID) {
            read(capability.auth_type.text);
            read(capability.auth_token_url);
            read(capability.auth_docs_url);
            texts(capability.auth_scopes);
            members(capability.auth_metadata);
            read(capability.auth_source);
        }
        truth(capability.auth_required);
        truth(capability.requires_session);
        truth(capability.human_handoff);
        limits(capability.rate_limits);
        parameters(capability.parameters);
        outputs(capability.outputs);
        read(capability.sensitivity.text);
        truth(capability.requires_confirmation);
        truth(capability.reversible);
        read(capability.execution.text);
        read(capability.poll_url);
        if (capability.has_idempotency == AGD_TRUE) {
            truth(capability.idempotency_supported);
            read(capability.idempotency_key_field);
            read(capability.idempotency_window);
            members(capability.idempotency_metadata);
        }
        members(capability.metadata);
        read(capability.source);
    }
}

void service(const agentsdisc::document &document) {
    if (const auto service = document.service()) {
        read(service->name);
        read(service->url);
        read(service->domain);
        read(service->description);
        texts(service->contact);
        read(service->privacy_policy);
        read(service->docs);
        members(service->metadata);
        read(service->source);
    }
    if (const auto auth = document.auth()) {
        read(auth->type.text);
        read(auth->header);
        read(auth->prefix);
        read(auth->setup_url);
        read(auth->authorization_url);
        read(auth->token_url);
        read(auth->refresh_url);
        read(auth->token_expiry);
        number(auth->token_expiry_seconds);
        texts(auth->scopes);
        texts(auth->required_for);
        texts(auth->optional_for);
        members(auth->metadata);
    }
}

void business(const agentsdisc::document &document) {
    if (const auto status = document.status()) {
        truth(status->operational);
        texts(status->degraded);
        read(status->url);
        members(status->metadata);
    }
    if (const auto pricing = document.pricing()) {
        read(pricing->type.text);
        for (const agd_plan &plan : pricing->plans) {
            read(plan.name);
            read(plan.price);
            read(plan.limits);
            members(plan.metadata);
        }
        read(pricing->plans_url);
        members(pricing->metadata);
    }
    if (const auto session = document.session()) {
        number(session->ttl_seconds);
        read(session->create);
        read(session->close);
        members(session->metadata);
    }
    if (const auto audit = document.audit()) {
        truth(audit->enabled);
        read(audit->endpoint);
        members(audit->metadata);
    }
}

void once(const agentsdisc::document &document) {
    const agd_head head = document.head();
    read(head.spec_version);
    read(head.kind.text);
    read(head.generated_at);
    read(head.companion);
    number(head.cache_seconds);
    read(head.search_query);
    read(head.request_example.text);
    read(head.response_example.text);
    if (const auto provenance = document.provenance()) {
        read(provenance->source.text);
        read(provenance->generated_by);
        read(provenance->confidence.text);
        read(provenance->last_verified);
    }
    service(document);
    business(document);
}

void rules(const agentsdisc::document &document) {
    const agd_access access = document.access();
    texts(access.allow);
    texts(access.disallow);
    members(access.metadata);
    for (const agd_agent &agent : document.agents()) {
        read(agent.name);
        truth(agent.grant);
        texts(agent.capabilities);
        limits(agent.rate_limits);
        read(agent.declaration);
        members(agent.metadata);
        read(agent.source);
    }
    const agd_permissions permissions = document.permissions();
    texts(permissions.can);
    texts(permissions.cannot);
    texts(permissions.behavior);
}

void robots(const agentsdisc::document &document) {
    for (const agd_robots_group &group : document.robots_groups()) {
        texts(group.agents);
        for (const agd_robots_rule &rule : group.rules) {
            truth(rule.allow);
            read(rule.pattern);
        }
        read(group.crawl_delay);
    }
    texts(document.sitemaps());
}

void results(const agentsdisc::document &document) {
    for (const agd_search_result &result : document.search_results()) {
        read(result.service_name);
        read(result.service_url);
        read(result.service_domain);
        read(result.service_description);
        texts(result.service_contact);
        read(result.service_privacy_policy);
        read(result.service_docs);
        members(result.service_metadata);
        read(result.service_source);
        capabilities(result.capabilities);
    }
}

void walk(const agentsdisc::document &document) {
    once(document);
    texts(document.operates_on());
    for (const agd_endpoint &endpoint : document.endpoints()) {
        read(endpoint.protocol.text);
        read(endpoint.url);
        read(endpoint.version);
        read(endpoint.transport.text);
        read(endpoint.auth.text);
        members(endpoint.extra);
    }
    capabilities(document.capabilities());
    rules(document);
    for (const agd_flow &flow : document.flows()) {
        read(flow.name);
        read(flow.description);
        texts(flow.steps);
        members(flow.metadata);
    }
    for (const agd_dependency &dependency : document.dependencies()) {
        read(dependency.capability);
        texts(dependency.required);
    }
    for (const agd_entity &entity : document.entities()) {
        read(entity.name);
        outputs(entity.fields);
        members(entity.metadata);
    }
    for (const agd_recovery &recovery : document.errors()) {
        read(recovery.code);
        read(recovery.recovery);
        members(recovery.metadata);
    }
    members(document.hints());
    members(document.features());
    limits(document.rate_limits());
    robots(document);
    results(document);
    members(document.metadata());
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    std::vector<std::string> bodies;
    for (int i = 3; i < argc; i++) {
        std::FILE *file = std::fopen(argv[i], "rb");
        if (file == nullptr)
            return 2;
        std::fseek(file, 0, SEEK_END);
        std::string body(static_cast<std::size_t>(std::ftell(file)), '\0');
        std::rewind(file);
        bool is_whole = std::fread(body.data(), 1, body.size(), file) == body.size();
        std::fclose(file);
        if (!is_whole)
            return 2;
        bodies.push_back(std::move(body));
    }
    std::vector<agentsdisc::document> documents(bodies.size());
    std::size_t count = 0;
    for (int i = 0; i < std::atoi(argv[1]); i++) {
        count = 0;
        for (const std::string &body : bodies)
            if (documents[count].parse(body) == AGD_OK)
                count++;
    }
    for (int i = 0; i < std::atoi(argv[2]); i++)
        for (std::size_t document = 0; document < count; document++)
            walk(documents[document]);
    std::printf("%zu documents, %llu\n", count, static_cast<unsigned long long>(sum));
    return 0;
}
