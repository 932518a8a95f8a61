/*
 * The members of the structs of the unified model. Written by `cargo xtask model` from core/src/model/table.rs; change it there.
 *
 * The file that includes this one defines a type `output`, a function for each type of value (`text`, `choice`, …), which receives the name and
 * the value of a member, `source`, which receives the bytes of an object, `begin_object`, `end_object` and `end_unless_empty`, and the macro
 * OBJECTS, which defines the function for a list of structs. model.h is an example.
 */

static inline void service_members(output *out, const agd_service *item) {
    text(out, "name", item->name);
    text(out, "url", item->url);
    text(out, "domain", item->domain);
    text(out, "description", item->description);
    texts(out, "contact", item->contact);
    text(out, "privacy_policy", item->privacy_policy);
    text(out, "docs", item->docs);
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

static inline void endpoint_members(output *out, const agd_endpoint *item) {
    choice(out, "protocol", item->protocol, agd_protocol_name);
    text(out, "url", item->url);
    text(out, "version", item->version);
    choice(out, "transport", item->transport, agd_transport_name);
    choice(out, "auth", item->auth, agd_auth_name);
    members(out, "extra", item->extra);
}

OBJECTS(endpoints, agd_endpoints, agd_endpoint, endpoint_members)

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
    members(out, "metadata", item->service_metadata);
    source(out, item->service_source);
    end_unless_empty(out, "service", service);
    capabilities(out, "capabilities", item->capabilities);
}

OBJECTS(search_results, agd_search_results, agd_search_result, search_result_members)
