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

void texts(const agd_texts &list) {
    for (const agd_text &text : list)
        read(text);
}

void members(const agd_members &list) {
    for (const agd_member &member : list) {
        read(member.name);
        read(member.value.text);
    }
}

void limits(const agd_rate_limits &list) {
    for (const agd_rate_limit &limit : list) {
        sum += static_cast<std::uint64_t>(limit.requests);
        read(limit.window.text);
    }
}

void outputs(const agd_outputs &list) {
    for (const agd_output &output : list) {
        read(output.name);
        read(output.type.text);
    }
}

void parameters(const agd_parameters &list) {
    for (const agd_parameter &parameter : list) {
        read(parameter.name);
        read(parameter.location.text);
        read(parameter.type);
        truth(parameter.required);
        read(parameter.description);
        read(parameter.default_value.text);
        for (const agd_value &option : parameter.options)
            read(option.text);
    }
}

void capabilities(const agentsdisc::document &document) {
    for (const agd_capability &capability : document.capabilities()) {
        read(capability.id);
        read(capability.description);
        read(capability.endpoint);
        read(capability.method);
        read(capability.protocol.text);
        read(capability.detail_url);
        read(capability.auth_type.text);
        read(capability.auth_token_url);
        texts(capability.auth_scopes);
        truth(capability.auth_required);
        truth(capability.requires_session);
        truth(capability.human_handoff);
        limits(capability.rate_limits);
        parameters(capability.parameters);
        outputs(capability.outputs);
        read(capability.sensitivity.text);
        truth(capability.requires_confirmation);
        read(capability.execution.text);
        members(capability.metadata);
    }
}

void walk(const agentsdisc::document &document) {
    const agd_head head = document.head();
    read(head.spec_version);
    read(head.generated_at);
    if (const auto service = document.service()) {
        read(service->name);
        read(service->url);
        read(service->description);
        texts(service->contact);
        read(service->docs);
    }
    if (const auto auth = document.auth()) {
        read(auth->type.text);
        read(auth->header);
        read(auth->token_url);
        texts(auth->scopes);
    }
    for (const agd_endpoint &endpoint : document.endpoints()) {
        read(endpoint.protocol.text);
        read(endpoint.url);
        members(endpoint.extra);
    }
    capabilities(document);
    const agd_access access = document.access();
    texts(access.allow);
    texts(access.disallow);
    for (const agd_agent &agent : document.agents()) {
        read(agent.name);
        limits(agent.rate_limits);
        texts(agent.capabilities);
    }
    const agd_permissions permissions = document.permissions();
    texts(permissions.can);
    texts(permissions.cannot);
    texts(permissions.behavior);
    for (const agd_flow &flow : document.flows()) {
        read(flow.name);
        texts(flow.steps);
    }
    for (const agd_dependency &dependency : document.dependencies()) {
        read(dependency.capability);
        texts(dependency.required);
    }
    for (const agd_entity &entity : document.entities()) {
        read(entity.name);
        outputs(entity.fields);
    }
    for (const agd_recovery &recovery : document.errors()) {
        read(recovery.code);
        read(recovery.recovery);
    }
    members(document.hints());
    members(document.features());
    limits(document.rate_limits());
    texts(document.sitemaps());
    members(document.metadata());
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    std::vector<std::string> bodies;
    for (int i = 2; i < argc; i++) {
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
    std::vector<agentsdisc::document> documents;
    for (const std::string &body : bodies)
        if (const auto parsed = agentsdisc::parse(body))
            documents.push_back(*parsed);
    for (int i = 0; i < std::atoi(argv[1]); i++)
        for (const agentsdisc::document &document : documents)
            walk(document);
    std::printf("%zu documents, %llu\n", documents.size(), static_cast<unsigned long long>(sum));
    return 0;
}
