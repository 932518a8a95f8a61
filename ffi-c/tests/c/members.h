/*
 * The members of a document and of the structs of the unified model. Written by `cargo xtask model` from core/src/model/table.rs; change it there.
 *
 * The file that includes this one defines a type `output`, a function for each type of value (`text`, `choice`, …), which receives the name and
 * the value of a member, `source`, which receives the bytes of an object, `begin_object`, `end_object` and `end_unless_empty`, and the macro
 * OBJECTS, which defines the function for a list of structs. model.h is an example. C++ also defines DOCUMENT_TYPE, HEAD_OF, LIST_OF and OBJECT_OF.
 */

static inline void service_members(output *out, const agd_service *item) {
    text(out, "name", item->name);
    text(out, "url", item->url);
    text(out, "domain", item->domain);
    text(out, "description", item->description);
    texts(out, "contact", item->contact);
    text(out, "privacy_policy", item->privacy_policy);
    text(out, "docs", item->docs);
    text(out, "identifier", item->identifier);
    text(out, "version", item->version);
    text(out, "icon", item->icon);
    text(out, "provider", item->provider);
    text(out, "provider_url", item->provider_url);
    members(out, "metadata", item->metadata);
    source(out, item->source);
}

static inline void provenance_members(output *out, const agd_provenance *item) {
    choice(out, "source", item->source, agd_source_name);
    text(out, "generated_by", item->generated_by);
    value(out, "confidence", item->confidence);
    text(out, "last_verified", item->last_verified);
}

static inline void service_auth_members(output *out, const agd_service_auth *item) {
    choice(out, "type", item->type, agd_auth_name);
    text(out, "header", item->header);
    text(out, "prefix", item->prefix);
    text(out, "setup_url", item->setup_url);
    text(out, "authorization_url", item->authorization_url);
    text(out, "token_url", item->token_url);
    text(out, "refresh_url", item->refresh_url);
    text(out, "token_expiry", item->token_expiry);
    integer(out, "token_expiry_seconds", item->token_expiry_seconds);
    texts(out, "scopes", item->scopes);
    texts(out, "required_for", item->required_for);
    texts(out, "optional_for", item->optional_for);
    members(out, "metadata", item->metadata);
}

static inline void registration_members(output *out, const agd_registration *item) {
    text(out, "url", item->url);
    text(out, "claim_url", item->claim_url);
    text(out, "revocation_url", item->revocation_url);
    text(out, "guide_url", item->guide_url);
    texts(out, "identities", item->identities);
    texts(out, "assertions", item->assertions);
    texts(out, "anonymous_credentials", item->anonymous_credentials);
    texts(out, "credentials", item->credentials);
    members(out, "metadata", item->metadata);
}

static inline void security_scheme_members(output *out, const agd_security_scheme *item) {
    text(out, "name", item->name);
    choice(out, "type", item->type, agd_auth_name);
    text(out, "description", item->description);
    choice(out, "location", item->location, agd_location_name);
    text(out, "parameter", item->parameter);
    text(out, "http_scheme", item->http_scheme);
    text(out, "authorization_url", item->authorization_url);
    text(out, "token_url", item->token_url);
    text(out, "metadata_url", item->metadata_url);
    texts(out, "issuers", item->issuers);
    text(out, "registration_url", item->registration_url);
    texts(out, "challenge_methods", item->challenge_methods);
    texts(out, "bearer_methods", item->bearer_methods);
    texts(out, "scopes", item->scopes);
    members(out, "metadata", item->metadata);
    source(out, item->source);
}

OBJECTS(security_schemes, agd_security_schemes, agd_security_scheme, security_scheme_members)

static inline void reference_members(output *out, const agd_reference *item) {
    text(out, "relation", item->relation);
    text(out, "identifier", item->identifier);
    text(out, "title", item->title);
    text(out, "url", item->url);
    text(out, "description", item->description);
    text(out, "section", item->section);
    truth(out, "optional", item->optional);
    text(out, "media_type", item->media_type);
    text(out, "version", item->version);
    text(out, "updated_at", item->updated_at);
    texts(out, "tags", item->tags);
    text(out, "anchor", item->anchor);
    value(out, "data", item->data);
    value(out, "trust", item->trust);
    members(out, "metadata", item->metadata);
    source(out, item->source);
}

OBJECTS(references, agd_references, agd_reference, reference_members)

static inline void extension_members(output *out, const agd_extension *item) {
    text(out, "uri", item->uri);
    text(out, "description", item->description);
    truth(out, "required", item->required);
    value(out, "params", item->params);
    members(out, "metadata", item->metadata);
}

OBJECTS(extensions, agd_extensions, agd_extension, extension_members)

static inline void signature_members(output *out, const agd_signature *item) {
    text(out, "protected_header", item->protected_header);
    text(out, "signature", item->signature);
    value(out, "header", item->header);
    members(out, "metadata", item->metadata);
}

OBJECTS(signatures, agd_signatures, agd_signature, signature_members)

static inline void key_members(output *out, const agd_key *item) {
    text(out, "id", item->id);
    text(out, "type", item->type);
    text(out, "curve", item->curve);
    text(out, "public_key", item->public_key);
    text(out, "algorithm", item->algorithm);
    text(out, "usage", item->usage);
    value(out, "not_before", item->not_before);
    value(out, "expires", item->expires);
    members(out, "metadata", item->metadata);
    source(out, item->source);
}

OBJECTS(keys, agd_keys, agd_key, key_members)

static inline void rate_limit_members(output *out, const agd_rate_limit *item) {
    integer(out, "requests", item->requests);
    choice(out, "window", item->window, agd_window_name);
    members(out, "metadata", item->metadata);
}

OBJECTS(rate_limits, agd_rate_limits, agd_rate_limit, rate_limit_members)

static inline void parameter_members(output *out, const agd_parameter *item) {
    text(out, "name", item->name);
    choice(out, "location", item->location, agd_location_name);
    text(out, "type", item->type);
    truth(out, "required", item->required);
    truth(out, "secret", item->secret);
    text(out, "description", item->description);
    value(out, "default", item->default_value);
    value(out, "example", item->example);
    value(out, "min", item->min);
    value(out, "max", item->max);
    value(out, "items", item->items);
    values(out, "options", item->options);
    members(out, "metadata", item->metadata);
    source(out, item->source);
}

OBJECTS(parameters, agd_parameters, agd_parameter, parameter_members)

static inline void endpoint_members(output *out, const agd_endpoint *item) {
    text(out, "name", item->name);
    choice(out, "protocol", item->protocol, agd_protocol_name);
    text(out, "url", item->url);
    text(out, "version", item->version);
    choice(out, "transport", item->transport, agd_transport_name);
    choice(out, "auth", item->auth, agd_auth_name);
    parameters(out, "parameters", item->parameters);
    members(out, "extra", item->extra);
}

OBJECTS(endpoints, agd_endpoints, agd_endpoint, endpoint_members)

static inline void output_members(output *out, const agd_output *item) {
    text(out, "name", item->name);
    value(out, "type", item->type);
}

OBJECTS(outputs, agd_outputs, agd_output, output_members)

static inline void capability_members(output *out, const agd_capability *item) {
    text(out, "id", item->id);
    text(out, "description", item->description);
    text(out, "endpoint", item->endpoint);
    text(out, "method", item->method);
    choice(out, "protocol", item->protocol, agd_protocol_name);
    text(out, "via", item->via);
    text(out, "operation", item->operation);
    text(out, "detail_url", item->detail_url);
    text(out, "openapi", item->openapi);
    if (item->auth_type.value != AGD_UNSAID) {
        output auth = begin_object(out, "auth");
        if (item->auth_type.value != AGD_AUTH_NONE || item->auth_type.text.ptr != NULL)
            choice(out, "type", item->auth_type, agd_auth_name);
        text(out, "token_url", item->auth_token_url);
        text(out, "docs_url", item->auth_docs_url);
        texts(out, "scopes", item->auth_scopes);
        members(out, "metadata", item->auth_metadata);
        source(out, item->auth_source);
        end_object(out, "auth", auth);
    }
    truth(out, "auth_required", item->auth_required);
    truth(out, "requires_session", item->requires_session);
    truth(out, "human_handoff", item->human_handoff);
    rate_limits(out, "rate_limits", item->rate_limits);
    parameters(out, "parameters", item->parameters);
    outputs(out, "outputs", item->outputs);
    choice(out, "sensitivity", item->sensitivity, agd_sensitivity_name);
    truth(out, "requires_confirmation", item->requires_confirmation);
    truth(out, "reversible", item->reversible);
    choice(out, "execution", item->execution, agd_execution_name);
    text(out, "poll_url", item->poll_url);
    if (item->has_idempotency == AGD_TRUE) {
        output idempotency = begin_object(out, "idempotency");
        truth(out, "supported", item->idempotency_supported);
        text(out, "key_field", item->idempotency_key_field);
        text(out, "window", item->idempotency_window);
        members(out, "metadata", item->idempotency_metadata);
        end_object(out, "idempotency", idempotency);
    }
    if (item->has_skill == AGD_TRUE) {
        output skill = begin_object(out, "skill");
        text(out, "title", item->skill_title);
        texts(out, "tags", item->skill_tags);
        texts(out, "examples", item->skill_examples);
        texts(out, "input_modes", item->skill_input_modes);
        texts(out, "output_modes", item->skill_output_modes);
        text(out, "artifact", item->skill_artifact);
        text(out, "digest", item->skill_digest);
        texts(out, "files", item->skill_files);
        end_object(out, "skill", skill);
    }
    members(out, "metadata", item->metadata);
    source(out, item->source);
}

OBJECTS(capabilities, agd_capabilities, agd_capability, capability_members)

static inline void access_members(output *out, const agd_access *item) {
    texts(out, "allow", item->allow);
    texts(out, "disallow", item->disallow);
    members(out, "metadata", item->metadata);
}

static inline void agent_members(output *out, const agd_agent *item) {
    text(out, "name", item->name);
    rate_limits(out, "rate_limits", item->rate_limits);
    granted(out, "capabilities", item->grant, item->capabilities);
    text(out, "declaration", item->declaration);
    members(out, "metadata", item->metadata);
    source(out, item->source);
}

OBJECTS(agents, agd_agents, agd_agent, agent_members)

static inline void permissions_members(output *out, const agd_permissions *item) {
    texts(out, "can", item->can);
    texts(out, "cannot", item->cannot);
    texts(out, "cannot_prose", item->cannot_prose);
    texts(out, "behavior", item->behavior);
}

static inline void flow_members(output *out, const agd_flow *item) {
    text(out, "name", item->name);
    text(out, "description", item->description);
    texts(out, "steps", item->steps);
    members(out, "metadata", item->metadata);
}

OBJECTS(flows, agd_flows, agd_flow, flow_members)

static inline void dependency_members(output *out, const agd_dependency *item) {
    text(out, "capability", item->capability);
    texts(out, "requires", item->required);
}

OBJECTS(dependencies, agd_dependencies, agd_dependency, dependency_members)

static inline void entity_members(output *out, const agd_entity *item) {
    text(out, "name", item->name);
    outputs(out, "fields", item->fields);
    members(out, "metadata", item->metadata);
}

OBJECTS(entities, agd_entities, agd_entity, entity_members)

static inline void recovery_members(output *out, const agd_recovery *item) {
    text(out, "code", item->code);
    text(out, "recovery", item->recovery);
    members(out, "metadata", item->metadata);
}

OBJECTS(recoveries, agd_recoveries, agd_recovery, recovery_members)

static inline void service_status_members(output *out, const agd_service_status *item) {
    truth(out, "operational", item->operational);
    texts(out, "degraded", item->degraded);
    text(out, "url", item->url);
    members(out, "metadata", item->metadata);
}

static inline void plan_members(output *out, const agd_plan *item) {
    text(out, "name", item->name);
    text(out, "price", item->price);
    text(out, "limits", item->limits);
    members(out, "metadata", item->metadata);
}

OBJECTS(plans, agd_plans, agd_plan, plan_members)

static inline void pricing_members(output *out, const agd_pricing *item) {
    choice(out, "type", item->type, agd_pricing_name);
    plans(out, "plans", item->plans);
    text(out, "plans_url", item->plans_url);
    members(out, "metadata", item->metadata);
}

static inline void session_members(output *out, const agd_session *item) {
    integer(out, "ttl_seconds", item->ttl_seconds);
    text(out, "create", item->create);
    text(out, "delete", item->close);
    members(out, "metadata", item->metadata);
}

static inline void audit_members(output *out, const agd_audit *item) {
    truth(out, "enabled", item->enabled);
    text(out, "endpoint", item->endpoint);
    members(out, "metadata", item->metadata);
}

static inline void robots_rule_members(output *out, const agd_robots_rule *item) {
    truth(out, "allow", item->allow);
    text(out, "pattern", item->pattern);
}

OBJECTS(robots_rules, agd_robots_rules, agd_robots_rule, robots_rule_members)

static inline void robots_group_members(output *out, const agd_robots_group *item) {
    texts(out, "agents", item->agents);
    robots_rules(out, "rules", item->rules);
    text(out, "crawl_delay", item->crawl_delay);
}

OBJECTS(robots_groups, agd_robots_groups, agd_robots_group, robots_group_members)

static inline void robots_preference_members(output *out, const agd_robots_preference *item) {
    choice(out, "purpose", item->purpose, agd_purpose_name);
    choice(out, "preference", item->preference, agd_stance_name);
    text(out, "path", item->path);
    integer(out, "group", item->group);
    choice(out, "source", item->source, agd_vocabulary_name);
}

OBJECTS(robots_preferences, agd_robots_preferences, agd_robots_preference, robots_preference_members)

static inline void robots_field_members(output *out, const agd_robots_field *item) {
    text(out, "name", item->name);
    text(out, "value", item->value);
}

OBJECTS(robots_fields, agd_robots_fields, agd_robots_field, robots_field_members)

static inline void search_result_members(output *out, const agd_search_result *item) {
    output service = begin_object(out, "service");
    text(out, "name", item->service_name);
    text(out, "url", item->service_url);
    text(out, "domain", item->service_domain);
    text(out, "description", item->service_description);
    texts(out, "contact", item->service_contact);
    text(out, "privacy_policy", item->service_privacy_policy);
    text(out, "docs", item->service_docs);
    text(out, "identifier", item->service_identifier);
    text(out, "version", item->service_version);
    text(out, "icon", item->service_icon);
    text(out, "provider", item->service_provider);
    text(out, "provider_url", item->service_provider_url);
    members(out, "metadata", item->service_metadata);
    source(out, item->service_source);
    end_unless_empty(out, "service", service);
    capabilities(out, "capabilities", item->capabilities);
}

OBJECTS(search_results, agd_search_results, agd_search_result, search_result_members)

#ifndef DOCUMENT_TYPE
#define DOCUMENT_TYPE const agd_document *
#define HEAD_OF(document, head) (void)(agd_document_head(document, &head) == AGD_SOME)
#define LIST_OF(document, name) agd_document_##name(document)
/* Reads an object of a document, if there is one, and passes its members on. `end` is `end_object` or `end_unless_empty`. */
#define OBJECT_OF(out, document, type, name, members_of, end)                                                                                \
    do {                                                                                                                                     \
        type item = AGD_INIT(type);                                                                                                          \
        if (agd_document_##name(document, &item) == AGD_SOME) {                                                                              \
            output before = begin_object(out, #name);                                                                                        \
            members_of(out, &item);                                                                                                          \
            end(out, #name, before);                                                                                                         \
        }                                                                                                                                    \
    } while (0)
#endif

/* The members of a document, in the order of the model's JSON form, but for the format. */
static inline void document_members(output *out, DOCUMENT_TYPE document) {
    agd_head head = AGD_INIT(agd_head);
    HEAD_OF(document, head);
    text(out, "spec_version", head.spec_version);
    choice(out, "kind", head.kind, agd_kind_name);
    text(out, "generated_at", head.generated_at);
    texts(out, "operates_on", LIST_OF(document, operates_on));
    text(out, "companion", head.companion);
    OBJECT_OF(out, document, agd_provenance, provenance, provenance_members, end_object);
    OBJECT_OF(out, document, agd_service, service, service_members, end_unless_empty);
    OBJECT_OF(out, document, agd_service_auth, auth, service_auth_members, end_object);
    security_schemes(out, "security_schemes", LIST_OF(document, security_schemes));
    OBJECT_OF(out, document, agd_registration, registration, registration_members, end_object);
    endpoints(out, "endpoints", LIST_OF(document, endpoints));
    references(out, "references", LIST_OF(document, references));
    texts(out, "input_modes", LIST_OF(document, input_modes));
    texts(out, "output_modes", LIST_OF(document, output_modes));
    capabilities(out, "capabilities", LIST_OF(document, capabilities));
    OBJECT_OF(out, document, agd_access, access, access_members, end_unless_empty);
    agents(out, "agents", LIST_OF(document, agents));
    OBJECT_OF(out, document, agd_permissions, permissions, permissions_members, end_unless_empty);
    flows(out, "flows", LIST_OF(document, flows));
    dependencies(out, "dependencies", LIST_OF(document, dependencies));
    entities(out, "entities", LIST_OF(document, entities));
    recoveries(out, "errors", LIST_OF(document, errors));
    hints(out, "hints", LIST_OF(document, hints));
    OBJECT_OF(out, document, agd_service_status, status, service_status_members, end_object);
    members(out, "features", LIST_OF(document, features));
    extensions(out, "extensions", LIST_OF(document, extensions));
    signatures(out, "signatures", LIST_OF(document, signatures));
    keys(out, "keys", LIST_OF(document, keys));
    OBJECT_OF(out, document, agd_pricing, pricing, pricing_members, end_object);
    OBJECT_OF(out, document, agd_session, session, session_members, end_object);
    OBJECT_OF(out, document, agd_audit, audit, audit_members, end_object);
    rate_limits(out, "rate_limits", LIST_OF(document, rate_limits));
    integer(out, "cache_seconds", head.cache_seconds);
    output robots = begin_object(out, "robots");
    robots_groups(out, "groups", LIST_OF(document, robots_groups));
    texts(out, "sitemaps", LIST_OF(document, sitemaps));
    robots_preferences(out, "preferences", LIST_OF(document, preferences));
    texts(out, "agentmaps", LIST_OF(document, agentmaps));
    texts(out, "licenses", LIST_OF(document, robots_licenses));
    robots_fields(out, "fields", LIST_OF(document, robots_fields));
    end_unless_empty(out, "robots", robots);
    output search = begin_object(out, "search");
    text(out, "query", head.search_query);
    search_results(out, "results", LIST_OF(document, search_results));
    end_unless_empty(out, "search", search);
    value(out, "request_example", head.request_example);
    value(out, "response_example", head.response_example);
    members(out, "metadata", LIST_OF(document, metadata));
}
