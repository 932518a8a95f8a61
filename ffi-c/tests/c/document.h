/*
 * The members of a document, in the order of the model's JSON form, but for the format. The file that includes this one defines what members.h
 * names, and `hints`.
 */
#include "members.h"

/* Reads an object by `read`, if there is one, and passes its members on. `end` is `end_object` or `end_unless_empty`. */
#define OBJECT(out, name, document, type, read, members_of, end)                                                                             \
    do {                                                                                                                                     \
        type item = AGD_INIT(type);                                                                                                          \
        if (read(document, &item) == AGD_SOME) {                                                                                             \
            output before = begin_object(out, name);                                                                                         \
            members_of(out, &item);                                                                                                          \
            end(out, name, before);                                                                                                          \
        }                                                                                                                                    \
    } while (0)

static inline void who_and_where(output *out, const agd_document *document, const agd_head *head) {
    text(out, "spec_version", head->spec_version);
    choice(out, "kind", head->kind, agd_kind_name);
    text(out, "generated_at", head->generated_at);
    texts(out, "operates_on", agd_document_operates_on(document));
    text(out, "companion", head->companion);
    OBJECT(out, "provenance", document, agd_provenance, agd_document_provenance, provenance_members, end_object);
    OBJECT(out, "service", document, agd_service, agd_document_service, service_members, end_unless_empty);
    OBJECT(out, "auth", document, agd_service_auth, agd_document_auth, service_auth_members, end_object);
    endpoints(out, "endpoints", agd_document_endpoints(document));
}

static inline void rules(output *out, const agd_document *document) {
    OBJECT(out, "access", document, agd_access, agd_document_access, access_members, end_unless_empty);
    agents(out, "agents", agd_document_agents(document));
    OBJECT(out, "permissions", document, agd_permissions, agd_document_permissions, permissions_members, end_unless_empty);
}

static inline void guidance(output *out, const agd_document *document) {
    flows(out, "flows", agd_document_flows(document));
    dependencies(out, "dependencies", agd_document_dependencies(document));
    entities(out, "entities", agd_document_entities(document));
    recoveries(out, "errors", agd_document_errors(document));
    hints(out, "hints", agd_document_hints(document));
}

static inline void operation(output *out, const agd_document *document) {
    OBJECT(out, "status", document, agd_service_status, agd_document_status, service_status_members, end_object);
    members(out, "features", agd_document_features(document));
    OBJECT(out, "pricing", document, agd_pricing, agd_document_pricing, pricing_members, end_object);
    OBJECT(out, "session", document, agd_session, agd_document_session, session_members, end_object);
    OBJECT(out, "audit", document, agd_audit, agd_document_audit, audit_members, end_object);
    rate_limits(out, "rate_limits", agd_document_rate_limits(document));
}

static inline void other_documents(output *out, const agd_document *document, const agd_head *head) {
    output before = begin_object(out, "robots");
    robots_groups(out, "groups", agd_document_robots_groups(document));
    texts(out, "sitemaps", agd_document_sitemaps(document));
    robots_preferences(out, "preferences", agd_document_preferences(document));
    texts(out, "agentmaps", agd_document_agentmaps(document));
    robots_fields(out, "fields", agd_document_robots_fields(document));
    end_unless_empty(out, "robots", before);
    before = begin_object(out, "search");
    text(out, "query", head->search_query);
    search_results(out, "results", agd_document_search_results(document));
    end_unless_empty(out, "search", before);
    value(out, "request_example", head->request_example);
    value(out, "response_example", head->response_example);
    members(out, "metadata", agd_document_metadata(document));
}

static inline void document_members(output *out, const agd_document *document) {
    agd_head head = AGD_INIT(agd_head);
    agd_document_head(document, &head);
    who_and_where(out, document, &head);
    capabilities(out, "capabilities", agd_document_capabilities(document));
    rules(out, document);
    guidance(out, document);
    operation(out, document);
    integer(out, "cache_seconds", head.cache_seconds);
    other_documents(out, document, &head);
}
