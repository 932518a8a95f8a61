// Reads every value of documents through the C++ header: see walk.rs.
#include <agentsdisc.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

// The sum over what was read: lengths of texts, and numbers. Names of members are not counted.
using output = std::uint64_t;

inline void text(output *sum, const char *, agentsdisc::text text) {
    if (text)
        *sum = *sum * 3 + text.raw().size();
}

inline void source(output *sum, agentsdisc::text bytes) {
    if (!bytes.raw().empty())
        *sum = *sum * 3 + bytes.raw().size();
}

inline void choice(output *sum, const char *name, const agd_choice &choice, const char *(*)(std::int32_t)) { text(sum, name, choice.text); }

inline void truth(output *sum, const char *, std::int32_t truth) {
    if (truth != AGD_UNSAID)
        *sum += static_cast<std::uint64_t>(truth);
}

inline void integer(output *sum, const char *, std::int64_t number) {
    if (number != AGD_UNSAID)
        *sum += static_cast<std::uint64_t>(number);
}

inline void value(output *sum, const char *name, const agd_value &value) { text(sum, name, value.text); }

inline void texts(output *sum, const char *name, const agd_texts &list) {
    for (const agd_text &item : list)
        text(sum, name, item);
}

inline void granted(output *sum, const char *name, std::int32_t grant, const agd_texts &list) {
    if (grant == AGD_CAPABILITIES_LISTED)
        texts(sum, name, list);
}

inline void values(output *sum, const char *name, const agd_values &list) {
    for (const agd_value &item : list)
        value(sum, name, item);
}

inline void members(output *sum, const char *name, const agd_members &list) {
    for (const agd_member &member : list) {
        text(sum, name, member.name);
        value(sum, name, member.value);
    }
}

inline output begin_object(const output *sum, const char *) { return *sum; }

inline void end_object(const output *, const char *, output) {}

inline void end_unless_empty(const output *, const char *, output) {}

#define OBJECTS(function, list_type, item_type, members_of)                                                                                  \
    inline void function(output *sum, const char *, const list_type &list) {                                                                 \
        for (const item_type &item : list)                                                                                                   \
            members_of(sum, &item);                                                                                                          \
    }

#include "../tests/c/members.h"

// What document.h beside members.h does, through the members of the C++ class.
void walk(output *sum, const agentsdisc::document &document) {
    const auto object = [sum](const auto &found, const auto &members_of) {
        if (found)
            members_of(sum, &*found);
    };
    const agd_head head = document.head();
    text(sum, "spec_version", head.spec_version);
    choice(sum, "kind", head.kind, agd_kind_name);
    text(sum, "generated_at", head.generated_at);
    texts(sum, "operates_on", document.operates_on());
    text(sum, "companion", head.companion);
    object(document.provenance(), provenance_members);
    object(document.service(), service_members);
    object(document.auth(), service_auth_members);
    endpoints(sum, "endpoints", document.endpoints());
    capabilities(sum, "capabilities", document.capabilities());
    const agd_access access = document.access();
    access_members(sum, &access);
    agents(sum, "agents", document.agents());
    const agd_permissions permissions = document.permissions();
    permissions_members(sum, &permissions);
    flows(sum, "flows", document.flows());
    dependencies(sum, "dependencies", document.dependencies());
    entities(sum, "entities", document.entities());
    recoveries(sum, "errors", document.errors());
    members(sum, "hints", document.hints());
    object(document.status(), service_status_members);
    members(sum, "features", document.features());
    object(document.pricing(), pricing_members);
    object(document.session(), session_members);
    object(document.audit(), audit_members);
    rate_limits(sum, "rate_limits", document.rate_limits());
    integer(sum, "cache_seconds", head.cache_seconds);
    robots_groups(sum, "groups", document.robots_groups());
    texts(sum, "sitemaps", document.sitemaps());
    robots_preferences(sum, "preferences", document.preferences());
    texts(sum, "agentmaps", document.agentmaps());
    robots_fields(sum, "fields", document.robots_fields());
    text(sum, "query", head.search_query);
    search_results(sum, "results", document.search_results());
    value(sum, "request_example", head.request_example);
    value(sum, "response_example", head.response_example);
    members(sum, "metadata", document.metadata());
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
    output sum = 0;
    for (int i = 0; i < std::atoi(argv[2]); i++)
        for (std::size_t document = 0; document < count; document++)
            walk(&sum, documents[document]);
    std::printf("%zu documents, %llu\n", count, static_cast<unsigned long long>(sum));
    return 0;
}
