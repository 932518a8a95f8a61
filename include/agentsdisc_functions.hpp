// Functions of the C library beside the classes, in C++17: a part of agentsdisc.hpp, which includes
// it. What a C function writes into a buffer is returned as a string of the caller's type:
//
//     if (auto url = agentsdisc::resolve_url<std::string>(base, reference)) std::cout << *url << '\n';
#ifndef AGENTSDISC_FUNCTIONS_HPP
#define AGENTSDISC_FUNCTIONS_HPP

#include "agentsdisc.hpp"

namespace agentsdisc {

namespace detail {
/// The text that `write(buffer, capacity, length)` writes, NUL-terminated, or its status. It is called
/// once to measure. May throw what the allocation throws.
template <class String, class Write> result<String, agd_status> written(Write write) {
    std::size_t length = 0;
    agd_status status = write(nullptr, std::size_t{0}, &length);
    if (AGD_FAILED(status) && status != AGD_ERROR_BUFFER_TOO_SMALL)
        return result<String, agd_status>(status);
    String string(length + 1, '\0');
    status = write(string.data(), string.size(), &length);
    if (AGD_FAILED(status))
        return result<String, agd_status>(status);
    string.resize(length);
    return result<String, agd_status>(string);
}
} // namespace detail

/// What an agent can call by the documents of one site, and the decision about each capability, like
/// agd_offers_start. Borrows the documents, the texts of the request and the scratch memory, which may
/// be empty; it is then slower.
///
///     agentsdisc::offers offers(documents, count, request);
///     while (auto offer = offers.next(workspace)) use(offer->capability, offer->decision);
class offers {
public:
    /// A capability, the decision about it, and the index of the document that declares it.
    struct offer {
        agd_capability capability = AGD_INIT(agd_capability);
        agd_decision decision = AGD_INIT(agd_decision);
        std::size_t document = 0;
    };
    offers(const agd_document *documents AGENTSDISC_LIFETIMEBOUND, std::size_t count, const agd_request &request AGENTSDISC_LIFETIMEBOUND,
           std::uint32_t *scratch = nullptr, std::size_t scratch_length = 0) noexcept
        : status_(agd_offers_start(documents, count, &request, scratch, scratch_length, &offers_)) {}
    /// AGD_OK, or why there are no offers.
    agd_status status() const noexcept { return status_; }
    /// The next capability; absent at the end, and on misuse.
    std::optional<offer> next(agd_workspace &workspace) noexcept {
        offer found;
        if (agd_offers_next(&offers_, &workspace, &found.capability, &found.decision, &found.document) != AGD_SOME)
            return std::nullopt;
        return found;
    }
    /// The JSON Schema of the arguments of the last capability, like agd_offers_schema.
    template <class String> result<String, agd_status> schema() const {
        return detail::written<String>([&](char *buffer, std::size_t capacity, std::size_t *length) {
            return agd_offers_schema(&offers_, buffer, capacity, length);
        });
    }

private:
    agd_offers offers_{};
    agd_status status_;
};

/// The version of the library, such as "0.1.0", and as a number that compares.
inline std::string_view version() noexcept { return agd_version(); }
inline std::uint32_t version_number() noexcept { return agd_version_number(); }

// Names and messages of numbers; static. Those of a number that is not known say so.
#define AGENTSDISC_NAME(name)                                                                                                                \
    inline std::string_view name(std::int32_t number) noexcept { return agd_##name(number); }
AGENTSDISC_NAME(status_name)
AGENTSDISC_NAME(status_message)
AGENTSDISC_NAME(severity_name)
AGENTSDISC_NAME(reason_name)
AGENTSDISC_NAME(reason_message)
AGENTSDISC_NAME(robots_reason_name)
AGENTSDISC_NAME(rejection_code)
AGENTSDISC_NAME(rejection_message)
AGENTSDISC_NAME(resource_id)
AGENTSDISC_NAME(pointing_id)
AGENTSDISC_NAME(problem_name)
AGENTSDISC_NAME(call_failure_name)
AGENTSDISC_NAME(format_id)
AGENTSDISC_NAME(kind_name)
AGENTSDISC_NAME(protocol_name)
AGENTSDISC_NAME(auth_name)
AGENTSDISC_NAME(location_name)
AGENTSDISC_NAME(window_name)
AGENTSDISC_NAME(transport_name)
AGENTSDISC_NAME(sensitivity_name)
AGENTSDISC_NAME(execution_name)
AGENTSDISC_NAME(pricing_name)
AGENTSDISC_NAME(source_name)
AGENTSDISC_NAME(purpose_name)
AGENTSDISC_NAME(stance_name)
AGENTSDISC_NAME(vocabulary_name)
AGENTSDISC_NAME(type_name)
AGENTSDISC_NAME(verdict_name)
AGENTSDISC_NAME(verdict_message)
AGENTSDISC_NAME(algorithm_name)
#undef AGENTSDISC_NAME

/// The format with an id: AGD_FORMAT_*, AGD_FORMAT_UNKNOWN if there is none.
inline std::int32_t format_from_id(text id) noexcept { return agd_format_from_id(id.c()); }
/// Whether the library reads a format, and whether this build does.
inline bool format_is_read(std::int32_t format) noexcept { return agd_format_is_read(format) == AGD_TRUE; }
inline bool format_is_built_in(std::int32_t format) noexcept { return agd_format_is_built_in(format) == AGD_TRUE; }
/// A sign by which a format was detected; absent after the last one.
inline text sign(const agd_detection &detection AGENTSDISC_LIFETIMEBOUND, std::size_t index) noexcept {
    agd_text sign{};
    return agd_detection_sign(&detection, index, &sign) == AGD_SOME ? text(sign) : text();
}

/// The fields Signature-Input and Signature-Agent of a request, and the bytes to sign, like agd_sign. The
/// texts borrow the buffer. On AGD_ERROR_REFUSED, agd_sign says why.
inline result<agd_signed, agd_status> sign_request(const agd_http_request &request, const agd_signing &signing, char *buffer,
                                                   std::size_t capacity, std::size_t *needed = nullptr) noexcept {
    agd_signed made = AGD_INIT(agd_signed);
    agd_status status = agd_sign(&request, &signing, buffer, capacity, needed, &made);
    return status == AGD_OK ? result<agd_signed, agd_status>(made) : result<agd_signed, agd_status>(status);
}

/// The value of the field Signature, like agd_signature_field.
template <class String> result<String, agd_status> signature_field(text label, const std::uint8_t *signature, std::size_t signature_length) {
    return detail::written<String>([&](char *buffer, std::size_t capacity, std::size_t *length) {
        return agd_signature_field(label.c(), signature, signature_length, buffer, capacity, length);
    });
}

/// Whether an agent has signed a request, like agd_verify. The verdict borrows the request and the buffer.
inline result<agd_verdict, agd_status> verify_request(const agd_http_request &request, const agd_verifier &verifier, char *buffer,
                                                      std::size_t capacity, std::size_t *needed = nullptr) noexcept {
    agd_verdict made = AGD_INIT(agd_verdict);
    agd_status status = agd_verify(&request, &verifier, buffer, capacity, needed, &made);
    return status == AGD_OK ? result<agd_verdict, agd_status>(made) : result<agd_verdict, agd_status>(status);
}

/// Where a card has its keys, like agd_card_keys: one of the texts is absent.
struct keys_of_card {
    text keys;
    text url;
};
inline std::optional<keys_of_card> card_keys(text card, text url, char *buffer, std::size_t capacity) noexcept {
    agd_text keys{}, place{};
    if (agd_card_keys(card.c(), url.c(), buffer, capacity, &keys, &place) != AGD_SOME)
        return std::nullopt;
    return keys_of_card{text(keys), text(place)};
}

/// The number of bytes of a member of a public key, like agd_key_octets; absent if it is no base64url, or
/// does not fit.
inline std::optional<std::size_t> key_octets(text member, std::uint8_t *octets, std::size_t capacity) noexcept {
    std::size_t length = 0;
    if (agd_key_octets(member.c(), octets, capacity, &length) != AGD_OK)
        return std::nullopt;
    return length;
}

/// The http and https URLs of any document, known or not: a range of agd_link. Borrows the bytes.
inline agd_links links(std::string_view bytes AGENTSDISC_LIFETIMEBOUND) noexcept {
    agd_links links{};
    // On misuse the range is empty.
    return AGD_FAILED(agd_links_open(bytes.data(), bytes.size(), &links)) ? agd_links{} : links;
}

/// Resolves a reference against a base, like agd_url_resolve.
template <class String> result<String, agd_status> resolve_url(text base, text reference) {
    return detail::written<String>([&](char *buffer, std::size_t capacity, std::size_t *length) {
        return agd_url_resolve(base.c(), reference.c(), buffer, capacity, length);
    });
}

/// The relation of two hosts: AGD_RELATION_*, and whether it is certain.
struct host_relation_result {
    std::int32_t relation;
    bool is_verified;
};
inline host_relation_result host_relation(text document_host, text endpoint_host) noexcept {
    std::int32_t verified = AGD_FALSE;
    std::int32_t relation = agd_host_relation(document_host.c(), endpoint_host.c(), &verified);
    return {relation, verified == AGD_TRUE};
}

/// Parses any JSON, like agd_json_parse. Borrows the bytes.
inline result<agd_value, agd_error> parse_json(std::string_view json AGENTSDISC_LIFETIMEBOUND) noexcept {
    agd_value value{};
    agd_error error{};
    return agd_json_parse(json.data(), json.size(), &value, &error) == AGD_OK ? result<agd_value, agd_error>(value)
                                                                             : result<agd_value, agd_error>(error);
}
/// The members of an object, and the elements of an array: ranges, empty for other values.
inline agd_json_members members(const agd_value &value) noexcept {
    agd_json_members list{};
    return AGD_FAILED(agd_value_members(&value, &list)) ? agd_json_members{} : list;
}
inline agd_json_elements elements(const agd_value &value) noexcept {
    agd_json_elements list{};
    return AGD_FAILED(agd_value_elements(&value, &list)) ? agd_json_elements{} : list;
}
/// A whole number, and a truth value; absent for other values.
inline std::optional<std::uint64_t> to_u64(const agd_value &value) noexcept {
    std::uint64_t number = 0;
    return agd_value_u64(&value, &number) == AGD_SOME ? std::optional<std::uint64_t>(number) : std::nullopt;
}
inline std::optional<bool> to_bool(const agd_value &value) noexcept {
    std::int32_t truth = agd_value_bool(&value);
    return truth == AGD_TRUE || truth == AGD_FALSE ? std::optional<bool>(truth == AGD_TRUE) : std::nullopt;
}

/// Byte offsets, from 0: of the start, and after the end.
struct span {
    std::size_t start, end;
};
/// A line, from 1, and a column in bytes, from 1.
struct position {
    std::uint32_t line, column;
};
/// Where a text is in its document or robots.txt; absent if it is not part of it.
inline std::optional<span> span_of(const document &document, text part) noexcept {
    span found{0, 0};
    return agd_document_span(&document.c(), part.c(), &found.start, &found.end) == AGD_OK ? std::optional<span>(found) : std::nullopt;
}
inline std::optional<span> span_of(const robots &robots, text part) noexcept {
    span found{0, 0};
    return agd_robots_span(&robots.c(), part.c(), &found.start, &found.end) == AGD_OK ? std::optional<span>(found) : std::nullopt;
}
/// The line and the column of a byte offset. Linear in the offset.
inline std::optional<position> position_of(const document &document, std::size_t offset) noexcept {
    position found{0, 0};
    return agd_document_position(&document.c(), offset, &found.line, &found.column) == AGD_OK ? std::optional<position>(found) : std::nullopt;
}
inline std::optional<position> position_of(const robots &robots, std::size_t offset) noexcept {
    position found{0, 0};
    return agd_robots_position(&robots.c(), offset, &found.line, &found.column) == AGD_OK ? std::optional<position>(found) : std::nullopt;
}

/// The URL of the companion document, with the default of the format; AGD_NONE if there is none.
template <class String> result<String, agd_status> companion_url(const document &document) {
    return detail::written<String>([&](char *buffer, std::size_t capacity, std::size_t *length) {
        return agd_document_companion_url(&document.c(), buffer, capacity, length);
    });
}
/// Whether the site must serve the companion, and whether actions are recorded, with the defaults of
/// the format: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
inline std::int32_t needs_companion(const document &document) noexcept { return agd_document_needs_companion(&document.c()); }
inline std::int32_t is_audited(const document &document) noexcept { return agd_document_is_audited(&document.c()); }

/// The message of a diagnostic or a loss, and the path of the member that is lost.
template <class String> result<String, agd_status> message(const agd_diagnostic &diagnostic) {
    return detail::written<String>([&](char *buffer, std::size_t capacity, std::size_t *length) {
        return agd_diagnostic_message(&diagnostic, buffer, capacity, length);
    });
}
template <class String> result<String, agd_status> message(const agd_loss &loss) {
    return detail::written<String>(
        [&](char *buffer, std::size_t capacity, std::size_t *length) { return agd_loss_message(&loss, buffer, capacity, length); });
}
template <class String> result<String, agd_status> path(const agd_loss &loss) {
    return detail::written<String>(
        [&](char *buffer, std::size_t capacity, std::size_t *length) { return agd_loss_path(&loss, buffer, capacity, length); });
}

/// The limits of a decision: a range of agd_applied_limit.
inline agd_applied_limits limits(const agd_decision &decision AGENTSDISC_LIFETIMEBOUND) noexcept { return agd_decision_limits(&decision); }
/// The next of them, with a workspace of the caller, for systems with a small stack.
inline std::optional<agd_applied_limit> next_limit(agd_applied_limits &list, agd_workspace &workspace) noexcept {
    agd_applied_limit limit = AGD_INIT(agd_applied_limit);
    return agd_applied_limits_next_with(&list, &workspace, &limit) == AGD_SOME ? std::optional<agd_applied_limit>(limit) : std::nullopt;
}
/// The strictest limit; absent if there is none.
inline std::optional<agd_applied_limit> advisory_limit(const agd_decision &decision) noexcept {
    agd_applied_limit limit = AGD_INIT(agd_applied_limit);
    return agd_decision_advisory_limit(&decision, &limit) == AGD_SOME ? std::optional<agd_applied_limit>(limit) : std::nullopt;
}
inline std::optional<agd_applied_limit> advisory_limit(const agd_decision &decision, agd_workspace &workspace) noexcept {
    agd_applied_limit limit = AGD_INIT(agd_applied_limit);
    return agd_decision_advisory_limit_with(&decision, &workspace, &limit) == AGD_SOME ? std::optional<agd_applied_limit>(limit) : std::nullopt;
}
/// The prose of an agents.md: a range of `word`; `which` is AGD_WORDS_*.
inline agd_words words(const agd_decision &decision AGENTSDISC_LIFETIMEBOUND, std::int32_t which) noexcept {
    return agd_decision_words(&decision, which);
}
/// The value of the header that carries a token, or why there is none.
template <class String> result<String, agd_status> auth_header(const agd_decision &decision, text token) {
    return detail::written<String>([&](char *buffer, std::size_t capacity, std::size_t *length) {
        return agd_decision_auth_header(&decision, token.c(), buffer, capacity, length);
    });
}
/// The decision as JSON. `scratch` as in agd_decision_json.
template <class String> result<String, agd_status> json(const agd_decision &decision, std::uint32_t *scratch, std::size_t scratch_length) {
    return detail::written<String>([&](char *buffer, std::size_t capacity, std::size_t *length) {
        return agd_decision_json(&decision, scratch, scratch_length, buffer, capacity, length);
    });
}
/// Writes the ids of the actions that must run before, in order, and returns their number, like
/// agd_decision_prerequisites.
inline result<std::size_t, agd_status> prerequisites(const agd_decision &decision, std::uint32_t *scratch, std::size_t scratch_length,
                                                     agd_text *items, std::size_t capacity) noexcept {
    std::size_t found = 0;
    agd_status status = agd_decision_prerequisites(&decision, scratch, scratch_length, items, capacity, &found);
    return AGD_FAILED(status) ? result<std::size_t, agd_status>(status) : result<std::size_t, agd_status>(found);
}
/// Whether that list may be incomplete: AGD_TRUE, AGD_FALSE or AGD_UNSAID.
inline std::int32_t prerequisites_unknown(const agd_decision &decision) noexcept { return agd_decision_prerequisites_unknown(&decision); }
/// The same for an action of an agent.json of AWP, like agd_awp_prerequisites.
inline result<std::size_t, agd_status> prerequisites(const document &document, text action, std::uint32_t *scratch,
                                                     std::size_t scratch_length, agd_text *items, std::size_t capacity) noexcept {
    std::size_t found = 0;
    agd_status status = agd_awp_prerequisites(&document.c(), action.c(), scratch, scratch_length, items, capacity, &found);
    return AGD_FAILED(status) ? result<std::size_t, agd_status>(status) : result<std::size_t, agd_status>(found);
}

/// The URL of a capability's detail in a manifest of ADP; by RFC 3986 alone; and with values for its
/// placeholders.
template <class String> result<String, agd_status> adp_detail_url(const document &manifest, text reference) {
    return detail::written<String>([&](char *buffer, std::size_t capacity, std::size_t *length) {
        return agd_adp_detail_url(&manifest.c(), reference.c(), buffer, capacity, length);
    });
}
template <class String> result<String, agd_status> adp_detail_url_rfc3986(const document &manifest, text reference) {
    return detail::written<String>([&](char *buffer, std::size_t capacity, std::size_t *length) {
        return agd_adp_detail_url_rfc3986(&manifest.c(), reference.c(), buffer, capacity, length);
    });
}
template <class String>
result<String, agd_status> adp_resolve(const document &manifest, text reference, const agd_adp_options *options = nullptr) {
    return detail::written<String>([&](char *buffer, std::size_t capacity, std::size_t *length) {
        return agd_adp_resolve(&manifest.c(), reference.c(), options, buffer, capacity, length);
    });
}
/// The URL of a search in a registry of ADP.
template <class String> result<String, agd_status> adp_search_url(text registry, text words) {
    return detail::written<String>([&](char *buffer, std::size_t capacity, std::size_t *length) {
        return agd_adp_search_url(registry.c(), words.c(), buffer, capacity, length);
    });
}
/// The header that carries a token to a service of ADP, in a buffer, like agd_adp_auth_header.
inline result<agd_header, agd_status> adp_auth_header(const document &manifest, text token, char *buffer, std::size_t capacity,
                                                      std::size_t *needed = nullptr) noexcept {
    agd_header header{};
    agd_status status = agd_adp_auth_header(&manifest.c(), token.c(), buffer, capacity, needed, &header);
    return AGD_FAILED(status) ? result<agd_header, agd_status>(status) : result<agd_header, agd_status>(header);
}
/// The request that calls a capability of ADP, in a buffer, like agd_adp_request.
inline result<agd_adp_call, agd_status> adp_request(const document &manifest, const document &capability, const agd_adp_options &options,
                                                    char *buffer, std::size_t capacity, std::size_t *needed = nullptr) noexcept {
    agd_adp_call call = AGD_INIT(agd_adp_call);
    agd_status status = agd_adp_request(&manifest.c(), &capability.c(), &options, buffer, capacity, needed, &call);
    return AGD_FAILED(status) ? result<agd_adp_call, agd_status>(status) : result<agd_adp_call, agd_status>(call);
}

} // namespace agentsdisc

#endif
