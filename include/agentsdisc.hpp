// agentsdisc for C++17: texts that compare and decode, range-for over lists, results without
// exceptions. A header-only wrapper of agentsdisc.h.
//
//     if (auto parsed = agentsdisc::parse(bytes)) {
//         for (const agd_capability &capability : parsed->capabilities())
//             if (capability.protocol.value == AGD_PROTOCOL_REST) std::cout << agentsdisc::text(capability.id).raw() << '\n';
//     } else {
//         std::cerr << parsed.error().message << '\n';
//     }
//
// The rules of agentsdisc.h on ownership, lifetime and threads also apply here: everything borrows
// the parsed bytes. Only functions that return a string of the caller's type, `robots::compile` and
// `<<` of an escaped text may allocate and throw.
#ifndef AGENTSDISC_HPP
#define AGENTSDISC_HPP

#include "agentsdisc.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// The compiler warns if a result outlives what it borrows (clang, MSVC).
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define AGENTSDISC_LIFETIMEBOUND [[clang::lifetimebound]]
#elif __has_cpp_attribute(msvc::lifetimebound)
#define AGENTSDISC_LIFETIMEBOUND [[msvc::lifetimebound]]
#endif
#endif
#ifndef AGENTSDISC_LIFETIMEBOUND
#define AGENTSDISC_LIFETIMEBOUND
#endif

namespace agentsdisc {

/// A text of a document: an agd_text with comparison and decoding. Absent, escaped or plain.
class text {
public:
    /// The absent text.
    constexpr text() noexcept = default;
    /// Wraps a text of the C library.
    constexpr text(const agd_text &from) noexcept : text_(from) {}
    /// Borrows a string view.
    constexpr text(std::string_view from AGENTSDISC_LIFETIMEBOUND) noexcept : text_{from.data() ? from.data() : "", from.size(), 0} {}
    /// Borrows a string, such as a std::string.
    template <class String, std::enable_if_t<std::is_class_v<String> && !std::is_same_v<String, std::string_view> &&
                                                 !std::is_same_v<String, text> && std::is_convertible_v<const String &, std::string_view>,
                                             int> = 0>
    constexpr text(const String &from AGENTSDISC_LIFETIMEBOUND) noexcept : text(static_cast<std::string_view>(from)) {}
    /// Borrows a C string; absent if it is NULL.
    constexpr text(const char *from AGENTSDISC_LIFETIMEBOUND) noexcept : text(from != nullptr ? text(std::string_view(from)) : text()) {}

    /// Whether the text is present.
    constexpr bool has_value() const noexcept { return text_.ptr != nullptr; }
    constexpr explicit operator bool() const noexcept { return has_value(); }
    /// Whether the raw bytes are escaped.
    constexpr bool is_escaped() const noexcept { return (text_.flags & AGD_TEXT_ESCAPED) != 0; }
    /// The bytes of the document, possibly escaped; empty if the text is absent.
    constexpr std::string_view raw() const noexcept { return has_value() ? std::string_view(text_.ptr, text_.len) : std::string_view(); }
    /// The characters without decoding; absent if the text is absent or escaped.
    constexpr std::optional<std::string_view> plain() const noexcept {
        return has_value() && !is_escaped() ? std::optional<std::string_view>(raw()) : std::nullopt;
    }
    /// For use with the C library.
    constexpr const agd_text &c() const noexcept { return text_; }

    /// Length of the decoded text in bytes. Linear if the text is escaped.
    std::size_t decoded_size() const noexcept {
        if (!is_escaped())
            return raw().size();
        std::size_t length = 0;
        (void)agd_text_decode(text_, nullptr, 0, &length);
        return length;
    }
    /// Decodes into a buffer, NUL-terminated, like agd_text_decode.
    agd_status decode(char *buffer, std::size_t capacity, std::size_t *length = nullptr) const noexcept {
        return agd_text_decode(text_, buffer, capacity, length);
    }
    /// Returns the decoded text as a string, such as `name.to<std::string>()`. The only function
    /// here that may allocate; exceptions of the allocation propagate.
    template <class String> String to() const {
        String string(decoded_size() + 1, '\0');
        if (agd_text_decode(text_, string.data(), string.size(), nullptr) < 0)
            return String();
        string.resize(string.size() - 1);
        return string;
    }

    /// Whether the characters are the same, ignoring the letter case of ASCII. An absent text
    /// equals no text.
    bool equals_ignoring_case(text other) const noexcept { return agd_text_eq_ignore_case(text_, other.text_); }

    /// Whether the characters are the same after decoding. An absent text equals no text, not even
    /// another absent one.
    friend bool operator==(text a, text b) noexcept {
        if (!a.is_escaped() && !b.is_escaped())
            return a.has_value() && b.has_value() && a.raw() == b.raw();
        return agd_text_eq(a.text_, b.text_);
    }
    friend bool operator!=(text a, text b) noexcept { return !(a == b); }
    friend bool operator==(text a, const char *b) noexcept { return b != nullptr && a == text(std::string_view(b)); }
    friend bool operator!=(text a, const char *b) noexcept { return !(a == b); }
    /// Writes the decoded text; nothing if it is absent.
    template <class Traits> friend std::basic_ostream<char, Traits> &operator<<(std::basic_ostream<char, Traits> &out, text from) {
        if (!from.is_escaped())
            return out << from.raw();
        return out << from.to<std::string>();
    }

private:
    agd_text text_{nullptr, 0, 0};
};

namespace detail {
/// Whether a list is known to be empty, so that iteration need not copy it; false if unknown.
template <class List> bool is_nothing(const List &) noexcept { return false; }
#ifdef AGD_NOTHING_
#define AGENTSDISC_NOTHING(List)                                                                                                             \
    inline bool is_nothing(const List &list) noexcept { return List##_is_nothing_(&list); }
AGENTSDISC_NOTHING(agd_texts)
AGENTSDISC_NOTHING(agd_values)
AGENTSDISC_NOTHING(agd_members)
AGENTSDISC_NOTHING(agd_rate_limits)
AGENTSDISC_NOTHING(agd_parameters)
AGENTSDISC_NOTHING(agd_outputs)
AGENTSDISC_NOTHING(agd_agents)
AGENTSDISC_NOTHING(agd_endpoints)
AGENTSDISC_NOTHING(agd_flows)
AGENTSDISC_NOTHING(agd_dependencies)
AGENTSDISC_NOTHING(agd_entities)
AGENTSDISC_NOTHING(agd_recoveries)
AGENTSDISC_NOTHING(agd_robots_groups)
AGENTSDISC_NOTHING(agd_robots_preferences)
AGENTSDISC_NOTHING(agd_robots_fields)
AGENTSDISC_NOTHING(agd_search_results)
AGENTSDISC_NOTHING(agd_security_schemes)
AGENTSDISC_NOTHING(agd_references)
AGENTSDISC_NOTHING(agd_extensions)
AGENTSDISC_NOTHING(agd_signatures)
AGENTSDISC_NOTHING(agd_keys)
#undef AGENTSDISC_NOTHING
#endif

/// The callback of the C library: passes each item to a sink. `user` points to a pointer to the
/// sink, because a function pointer cannot be converted to `void *`. Returns false only if the sink
/// returns the bool false.
template <class Sink, class Item> bool pass_until(void *user, const Item *item) noexcept {
    Sink &sink = **static_cast<Sink **>(user);
    if constexpr (std::is_same_v<decltype(sink(*item)), bool>) {
        return sink(*item);
    } else {
        sink(*item);
        return true;
    }
}
/// Like `pass_until`, for callbacks without a result.
template <class Sink, class Item> void pass(void *user, const Item *item) noexcept { (**static_cast<Sink **>(user))(*item); }
} // namespace detail

/// Iterates over a C list. A copy iterates independently.
template <class List, class Item, agd_status (*Next)(List *, Item *)> class list_iterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using pointer = const Item *;
    using reference = const Item &;

    /// The end of every list.
    struct sentinel {};

    explicit list_iterator(const List &list) noexcept {
        if (detail::is_nothing(list))
            return;
        list_ = list;
        if constexpr (has_size<Item>::value)
            item_.size = sizeof(Item);
        ++*this;
    }
    reference operator*() const noexcept { return item_; }
    pointer operator->() const noexcept { return &item_; }
    list_iterator &operator++() noexcept {
        status_ = Next(&list_, &item_);
        return *this;
    }
    void operator++(int) noexcept { ++*this; }
    /// AGD_SOME at an item, AGD_NONE at the end, negative if the list is uninitialised.
    agd_status status() const noexcept { return status_; }

    friend bool operator==(const list_iterator &it, sentinel) noexcept { return it.status_ != AGD_SOME; }
    friend bool operator!=(const list_iterator &it, sentinel) noexcept { return it.status_ == AGD_SOME; }

private:
    template <class T, class = void> struct has_size : std::false_type {};
    template <class T> struct has_size<T, std::void_t<decltype(T::size)>> : std::true_type {};

    // Uninitialised until there is an item; in unions, so that copying uninitialised members is
    // allowed.
    union {
        List list_;
    };
    union {
        Item item_;
    };
    agd_status status_ = AGD_NONE;
};

class document;
template <class T, class E> class result;
result<document, agd_error> parse(std::string_view bytes, const agd_options *options) noexcept;

/// The result of a call: a value or an error. `E` is agd_status or agd_error.
template <class T, class E> class result {
public:
    result(const T &value) noexcept : value_(value), ok_(true) {}
    result(const E &error) noexcept : error_(error), ok_(false) {}

    bool has_value() const noexcept { return ok_; }
    explicit operator bool() const noexcept { return ok_; }
    /// The value; after an error, an uninitialised value, whose functions return
    /// AGD_ERROR_UNINITIALISED.
    const T &operator*() const noexcept { return value_; }
    const T *operator->() const noexcept { return &value_; }
    /// The error, if there is no value.
    const E &error() const noexcept { return error_; }

private:
    friend result<document, agd_error> parse(std::string_view bytes, const agd_options *options) noexcept;
    result() noexcept = default;

    T value_{};
    E error_{};
    bool ok_ = false;
};

/// A robots.txt: which agent may fetch which URL. It can be copied, and borrows the parsed bytes.
///
///     agentsdisc::robots robots = agentsdisc::robots::parse(bytes);
///     if (robots.allowed("ExampleBot", "https://example.com/x")) ...
///
/// Text arguments must not be escaped: decode texts of a document first. Linear in the robots.txt.
class robots {
public:
    /// A robots.txt that was not parsed: it allows nothing.
    robots() noexcept = default;
    /// Parses like agd_robots_parse. With invalid options, the result is a robots.txt that was not
    /// parsed.
    static robots parse(std::string_view bytes AGENTSDISC_LIFETIMEBOUND, const agd_options *options = nullptr) noexcept {
        robots parsed;
        (void)agd_robots_parse(bytes.data(), bytes.size(), options, &parsed.robots_);
        return parsed;
    }
    /// The rules for an absent robots.txt, such as after a 4xx status: allow everything.
    static robots allow_all() noexcept { return robots(agd_robots_allow_all()); }
    /// The rules for an unreachable robots.txt, such as after a 5xx status: disallow everything.
    static robots disallow_all() noexcept { return robots(agd_robots_disallow_all()); }

    /// Whether an agent may fetch a URL or path; false for misuse.
    bool allowed(text agent, text url) const noexcept { return agd_robots_allowed(&robots_, agent.c(), url.c()); }
    /// Whether an agent may fetch a URL or path, and why. On misuse: not allowed, with
    /// AGD_ROBOTS_REASON_UNKNOWN.
    agd_robots_decision decide(text agent, text url) const noexcept {
        agd_robots_decision decision = AGD_INIT(agd_robots_decision);
        decision.rule_allow = AGD_UNSAID;
        decision.crawl_delay_ms = AGD_UNSAID;
        (void)agd_robots_decide(&robots_, agent.c(), url.c(), &decision);
        return decision;
    }
    /// The `Crawl-delay` for an agent; absent if there is none or it is not a number.
    std::optional<std::chrono::milliseconds> crawl_delay(text agent) const noexcept {
        agd_robots_delay delay = AGD_INIT(agd_robots_delay);
        if (agd_robots_crawl_delay(&robots_, agent.c(), &delay) != AGD_SOME || delay.milliseconds == AGD_UNSAID)
            return std::nullopt;
        return std::chrono::milliseconds(delay.milliseconds);
    }
    /// Whether the robots.txt is longer than the part that is read.
    bool is_cut() const noexcept { return agd_robots_is_cut(&robots_) == AGD_TRUE; }
    agd_robots_groups groups() const noexcept { return agd_robots_group_list(&robots_); }
    agd_texts sitemaps() const noexcept { return agd_robots_sitemaps(&robots_); }
    /// Whether the content at a URL may be used for a purpose, such as `train-ai`.
    agd_robots_stance preference(text agent, text url, text purpose) const noexcept {
        agd_robots_stance stance = AGD_INIT(agd_robots_stance);
        (void)agd_robots_prefers(&robots_, agent.c(), url.c(), purpose.c(), &stance);
        return stance;
    }
    agd_robots_preferences preferences() const noexcept { return agd_robots_preference_list(&robots_); }
    /// Reads the rules for an agent once, for many decisions about it. Allocates 24 bytes a rule.
    class compiled_robots compile(text agent) const;
    /// For use with the C library.
    const agd_robots &c() const noexcept { return robots_; }

private:
    friend class document;
    explicit robots(const agd_robots &from) noexcept : robots_(from) {}

    agd_robots robots_ = AGD_ROBOTS_INIT;
};

/// The rules of a robots.txt for one agent, and their memory. It borrows the bytes of the robots.txt,
/// and can be moved.
class compiled_robots {
public:
    /// Rules that were not compiled: they allow nothing.
    compiled_robots() noexcept = default;
    compiled_robots(compiled_robots &&from) noexcept : buffer_(std::move(from.buffer_)), rules_(std::exchange(from.rules_, NOTHING)) {}
    compiled_robots &operator=(compiled_robots &&from) noexcept {
        buffer_ = std::move(from.buffer_);
        rules_ = std::exchange(from.rules_, NOTHING);
        return *this;
    }

    /// Whether the agent may fetch a URL or path; false for misuse.
    bool allowed(text url) const noexcept { return agd_robots_compiled_allowed(&rules_, url.c()); }
    /// Whether the agent may fetch a URL or path, and why. On misuse: not allowed, with
    /// AGD_ROBOTS_REASON_UNKNOWN.
    agd_robots_decision decide(text url) const noexcept {
        agd_robots_decision decision = AGD_INIT(agd_robots_decision);
        decision.rule_allow = AGD_UNSAID;
        decision.crawl_delay_ms = AGD_UNSAID;
        (void)agd_robots_compiled_decide(&rules_, url.c(), &decision);
        return decision;
    }

private:
    friend class robots;
    static constexpr agd_robots_compiled NOTHING = AGD_ROBOTS_COMPILED_INIT;

    std::vector<agd_robots_compiled_rule> buffer_;
    agd_robots_compiled rules_ = NOTHING;
};

inline compiled_robots robots::compile(text agent) const {
    compiled_robots made;
    std::size_t needed = 0;
    // Misuse compiles nothing, which allows nothing.
    if (agd_robots_compile(&robots_, agent.c(), nullptr, 0, &made.rules_, &needed) == AGD_ERROR_BUFFER_TOO_SMALL) {
        made.buffer_.resize(needed);
        (void)agd_robots_compile(&robots_, agent.c(), made.buffer_.data(), needed, &made.rules_, nullptr);
    }
    return made;
}

/// Why there is no decision.
struct decision_error {
    /// A status for misuse, such as AGD_ERROR_UNINITIALISED.
    agd_status status = AGD_OK;
    /// The index of the document that was not parsed; absent if it is something else.
    std::optional<std::size_t> document;
};

/// A parsed document. It can be copied, and borrows the parsed bytes.
class document {
public:
    /// A document that was not parsed: its lists are empty, its parts absent.
    document() noexcept = default;
    /// Wraps a document of the C library, such as the document in an answer of a discovery.
    explicit document(const agd_document &from) noexcept : document_(from) {}

    /// Parses into this object like agd_parse, replacing its document. Borrows the bytes. On
    /// failure the object is a document that was not parsed.
    agd_status parse(std::string_view bytes, const agd_options *options = nullptr, agd_error *error = nullptr) noexcept {
        return agd_parse(bytes.data(), bytes.size(), options, &document_, error);
    }

    /// Parses a document of a known format into this object, like agd_parse_as.
    agd_status parse_as(std::string_view bytes, std::int32_t format, const agd_options *options = nullptr,
                        agd_error *error = nullptr) noexcept {
        return agd_parse_as(bytes.data(), bytes.size(), format, options, &document_, error);
    }

    /// Makes this object an unread document, like agd_unread. Borrows the bytes.
    agd_status unread(std::string_view bytes) noexcept { return agd_unread(bytes.data(), bytes.size(), &document_); }

    /// The format: AGD_FORMAT_*.
    std::int32_t format() const noexcept { return agd_document_format(&document_); }
    /// For use with the C library.
    const agd_document &c() const noexcept { return document_; }

    agd_head head() const noexcept {
        agd_head none = AGD_INIT(agd_head);
        none.kind.value = AGD_UNSAID;
        none.cache_seconds = AGD_UNSAID;
        return part<agd_head, agd_document_head>().value_or(none);
    }

    // The members of the document: generated by `cargo xtask model`.
    /// The platforms that an agent operates on.
    agd_texts operates_on() const noexcept { return agd_document_operates_on(&document_); }
    /// Where the document comes from.
    std::optional<agd_provenance> provenance() const noexcept { return part<agd_provenance, agd_document_provenance>(); }
    /// The service or site that the document describes.
    std::optional<agd_service> service() const noexcept { return part<agd_service, agd_document_service>(); }
    /// Authentication for the whole service.
    std::optional<agd_service_auth> auth() const noexcept { return part<agd_service_auth, agd_document_auth>(); }
    /// The named ways to authenticate.
    agd_security_schemes security_schemes() const noexcept { return agd_document_security_schemes(&document_); }
    /// How an agent registers itself.
    std::optional<agd_registration> registration() const noexcept { return part<agd_registration, agd_document_registration>(); }
    /// Endpoints of other protocols.
    agd_endpoints endpoints() const noexcept { return agd_document_endpoints(&document_); }
    /// Documents and pages that the document refers to.
    agd_references references() const noexcept { return agd_document_references(&document_); }
    /// Media types of the input that capabilities accept if they state none.
    agd_texts input_modes() const noexcept { return agd_document_input_modes(&document_); }
    /// Media types of the output that capabilities produce if they state none.
    agd_texts output_modes() const noexcept { return agd_document_output_modes(&document_); }
    /// The capabilities.
    agd_capabilities capabilities() const noexcept { return agd_document_capabilities(&document_); }
    /// The paths that agents may access.
    agd_access access() const noexcept { return part_or_empty<agd_access, agd_document_access>(); }
    /// The policies for single agents.
    agd_agents agents() const noexcept { return agd_document_agents(&document_); }
    /// The permissions in prose (agents.md).
    agd_permissions permissions() const noexcept { return part_or_empty<agd_permissions, agd_document_permissions>(); }
    /// The suggested sequences of capabilities.
    agd_flows flows() const noexcept { return agd_document_flows(&document_); }
    /// The capabilities that others require first.
    agd_dependencies dependencies() const noexcept { return agd_document_dependencies(&document_); }
    /// The named types.
    agd_entities entities() const noexcept { return agd_document_entities(&document_); }
    /// How to recover from errors.
    agd_recoveries errors() const noexcept { return agd_document_errors(&document_); }
    /// The hints for planning.
    agd_members hints() const noexcept { return agd_document_hints(&document_); }
    /// Whether the service works now.
    std::optional<agd_service_status> status() const noexcept { return part<agd_service_status, agd_document_status>(); }
    /// The feature flags.
    agd_members features() const noexcept { return agd_document_features(&document_); }
    /// The protocol extensions that the service supports.
    agd_extensions extensions() const noexcept { return agd_document_extensions(&document_); }
    /// The signatures over the document, not verified.
    agd_signatures signatures() const noexcept { return agd_document_signatures(&document_); }
    /// The public keys with which signatures by the owner are verified.
    agd_keys keys() const noexcept { return agd_document_keys(&document_); }
    /// What the service costs.
    std::optional<agd_pricing> pricing() const noexcept { return part<agd_pricing, agd_document_pricing>(); }
    /// How sessions work.
    std::optional<agd_session> session() const noexcept { return part<agd_session, agd_document_session>(); }
    /// Whether the actions of agents are recorded.
    std::optional<agd_audit> audit() const noexcept { return part<agd_audit, agd_document_audit>(); }
    /// The rate limits of the whole document.
    agd_rate_limits rate_limits() const noexcept { return agd_document_rate_limits(&document_); }
    /// The rules of a robots.txt: its groups, in order.
    agd_robots_groups robots_groups() const noexcept { return agd_document_robots_groups(&document_); }
    /// The rules of a robots.txt: URLs of sitemaps.
    agd_texts sitemaps() const noexcept { return agd_document_sitemaps(&document_); }
    /// The rules of a robots.txt: what the content may be used for, in order.
    agd_robots_preferences preferences() const noexcept { return agd_document_preferences(&document_); }
    /// The rules of a robots.txt: URLs of AI catalogs (`Agentmap`).
    agd_texts agentmaps() const noexcept { return agd_document_agentmaps(&document_); }
    /// The rules of a robots.txt: URLs of licences of Really Simple Licensing (`License`).
    agd_texts robots_licenses() const noexcept { return agd_document_robots_licenses(&document_); }
    /// The rules of a robots.txt: other fields, in order.
    agd_robots_fields robots_fields() const noexcept { return agd_document_robots_fields(&document_); }
    /// The response of a registry search: the results, in order.
    agd_search_results search_results() const noexcept { return agd_document_search_results(&document_); }
    /// Unknown members, and members that could not be read.
    agd_members metadata() const noexcept { return agd_document_metadata(&document_); }
    // End of the generated methods.

    /// The document as a robots.txt; absent if it has another format.
    std::optional<agentsdisc::robots> robots() const noexcept {
        agentsdisc::robots found;
        return agd_document_robots(&document_, &found.robots_) == AGD_SOME ? std::optional<agentsdisc::robots>(found) : std::nullopt;
    }

    /// Lifetime of a session, with the default of the format; absent if there are no sessions.
    std::optional<std::chrono::seconds> session_seconds() const noexcept {
        std::int64_t seconds = agd_document_session_seconds(&document_);
        return seconds == AGD_UNSAID ? std::nullopt : std::optional<std::chrono::seconds>(seconds);
    }
    /// The feature flags of an agent.json of AWP.
    std::optional<agd_awp_features> awp_features() const noexcept { return part<agd_awp_features, agd_awp_feature_flags>(); }
    /// How a token is sent to the service of an ADP manifest, with the defaults of the
    /// specification.
    std::optional<agd_adp_auth> adp_auth() const noexcept { return part<agd_adp_auth, agd_adp_auth_of>(); }

    /// Checks the document and calls `sink(const agd_diagnostic &)` for each diagnostic. If the
    /// sink returns a bool, false stops. It must not throw.
    template <class Sink> agd_status check(Sink &&sink, const agd_check_options *options = nullptr) const noexcept {
        using Plain = std::remove_reference_t<Sink>;
        Plain *where = std::addressof(sink);
        return agd_check(&document_, options, detail::pass_until<Plain, agd_diagnostic>, &where);
    }

    /// Decides a request from this document alone, like agd_decide. The decision borrows this
    /// object and the texts of the request.
    result<agd_decision, decision_error> decide(const agd_request &request) const noexcept AGENTSDISC_LIFETIMEBOUND;

    /// Checks the document and fills an array with the diagnostics in document order, like
    /// agd_check_sorted.
    agd_status check_sorted(agd_diagnostic *items, std::size_t capacity, std::size_t *found = nullptr,
                            const agd_check_options *options = nullptr) const noexcept {
        return agd_check_sorted(&document_, options, items, sizeof(agd_diagnostic), capacity, found);
    }
    /// Checks the document and returns the number of diagnostics by severity; zero if the document
    /// was not parsed.
    agd_counts check_count(const agd_check_options *options = nullptr) const noexcept {
        agd_counts counts{};
        (void)agd_check_count(&document_, options, &counts);
        return counts;
    }

    /// Writes the unified model as JSON, like agd_write_json.
    agd_status write_json(char *buffer, std::size_t capacity, std::size_t *length = nullptr) const noexcept {
        return agd_write_json(&document_, buffer, capacity, length);
    }

    /// Converts to another format and calls `sink(const agd_loss &)` for each loss, like
    /// agd_convert. The sink must not throw.
    template <class Sink>
    agd_status convert(std::int32_t target, char *buffer, std::size_t capacity, std::size_t *length, Sink &&sink,
                       const agd_convert_options *options = nullptr) const noexcept {
        using Plain = std::remove_reference_t<Sink>;
        Plain *where = std::addressof(sink);
        return agd_convert(&document_, target, options, buffer, capacity, length, detail::pass<Plain, agd_loss>, &where);
    }

    /// Applies automatic fixes to an agents.txt and calls `sink(const agd_change &)` for each, like
    /// agd_fix. The sink must not throw.
    template <class Sink> agd_status fix(char *buffer, std::size_t capacity, std::size_t *length, Sink &&sink) const noexcept {
        using Plain = std::remove_reference_t<Sink>;
        Plain *where = std::addressof(sink);
        return agd_fix(&document_, buffer, capacity, length, detail::pass<Plain, agd_change>, &where);
    }

    /// Compares with the other document of the site and calls `sink(const agd_difference &)` for
    /// each difference, like agd_differences. If the sink returns a bool, false stops. It must not
    /// throw. `is_complete` receives whether everything was compared.
    template <class Sink> agd_status differences(const document &other, Sink &&sink, bool *is_complete = nullptr) const noexcept {
        using Plain = std::remove_reference_t<Sink>;
        Plain *where = std::addressof(sink);
        std::int32_t complete = AGD_FALSE;
        agd_status status = agd_differences(&document_, &other.document_, &complete, detail::pass_until<Plain, agd_difference>, &where);
        if (is_complete != nullptr)
            *is_complete = complete == AGD_TRUE;
        return status;
    }

    /// Walks the body of an agents.md; absent if the document has another format.
    std::optional<agd_agents_md> agents_md() const noexcept {
        agd_agents_md walk{};
        return agd_agents_md_walk(&document_, &walk) == AGD_OK ? std::optional<agd_agents_md>(walk) : std::nullopt;
    }
    /// Lists the diagnostics in document order through a window, like agd_diagnostics_begin. On
    /// misuse the list is empty.
    template <std::size_t Capacity>
    agd_diagnostics diagnostics(agd_diagnostic (&window)[Capacity], const agd_check_options *options = nullptr) const noexcept {
        agd_diagnostics list{};
        (void)agd_diagnostics_begin(&list, &document_, options, window, sizeof(agd_diagnostic), Capacity);
        return list;
    }

private:
    template <class Part, agd_status (*Read)(const agd_document *, Part *)> std::optional<Part> part() const noexcept {
        Part value = AGD_INIT(Part);
        return Read(&document_, &value) == AGD_SOME ? std::optional<Part>(value) : std::nullopt;
    }
    template <class Part, agd_status (*Read)(const agd_document *, Part *)> Part part_or_empty() const noexcept {
        return part<Part, Read>().value_or(AGD_INIT(Part));
    }

    agd_document document_ = AGD_DOCUMENT_INIT;
};

/// Parses a document like agd_parse. Borrows the bytes. Use the document in the result, or
/// document::parse to parse into your own object: copying a document copies 1024 bytes.
inline result<document, agd_error> parse(std::string_view bytes AGENTSDISC_LIFETIMEBOUND, const agd_options *options = nullptr) noexcept {
    result<document, agd_error> parsed;
    parsed.ok_ = parsed.value_.parse(bytes, options, &parsed.error_) == AGD_OK;
    return parsed;
}

// Documents in an array or a vector are an array of the C library.
static_assert(sizeof(document) == sizeof(agd_document) && std::is_standard_layout_v<document>, "a document is its only member");

/// Decides a request from an array of documents of one site, like agd_decide, with a workspace of the
/// caller if it is not NULL, for systems with a small stack. The decision borrows the array and the
/// texts of the request. The error names the document that was not parsed.
inline result<agd_decision, decision_error> decide(const agd_document *documents AGENTSDISC_LIFETIMEBOUND, std::size_t count,
                                                   const agd_request &request, agd_workspace *workspace = nullptr) noexcept {
    agd_decision decision = AGD_INIT(agd_decision);
    agd_status status = workspace == nullptr ? agd_decide(documents, count, &request, &decision)
                                             : agd_decide_with(documents, count, &request, workspace, &decision);
    if (AGD_IS_OK(status))
        return result<agd_decision, decision_error>(decision);
    decision_error error;
    error.status = status;
    if (status == AGD_ERROR_UNINITIALISED && decision.unparsed >= 0)
        error.document = static_cast<std::size_t>(decision.unparsed);
    return result<agd_decision, decision_error>(error);
}
/// Decides from a std::vector, a std::array or an array of `document` or agd_document. The decision
/// borrows it.
template <class Documents, class Item = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<const Documents &>()))>>>
result<agd_decision, decision_error> decide(const Documents &documents AGENTSDISC_LIFETIMEBOUND, const agd_request &request,
                                            agd_workspace *workspace = nullptr) noexcept {
    static_assert(std::is_same_v<Item, document> || std::is_same_v<Item, agd_document>, "documents, in one piece of memory");
    if constexpr (std::is_same_v<Item, document>) {
        const document *first = std::data(documents);
        return decide(first == nullptr ? nullptr : &first->c(), std::size(documents), request, workspace);
    } else {
        return decide(std::data(documents), std::size(documents), request, workspace);
    }
}
inline result<agd_decision, decision_error> document::decide(const agd_request &request) const noexcept {
    return agentsdisc::decide(&document_, 1, request);
}

/// A discovery: the requests to a site and their results. It sends nothing (see
/// agd_discovery_begin). About 40 KB. It cannot be copied or moved, because texts read from it
/// point into it.
///
///     static agentsdisc::discovery site;
///     if (site.start("https://example.com") == AGD_OK)
///         while (auto request = site.next())
///             site.respond(*request, send(*request));
class discovery {
public:
    discovery() noexcept = default;
    discovery(const discovery &) = delete;
    discovery &operator=(const discovery &) = delete;

    /// Starts again, like agd_discovery_begin.
    agd_status start(text site, const agd_discovery_options *options = nullptr) noexcept {
        return agd_discovery_begin(&discovery_, site.c(), options);
    }
    /// Returns the next request to send; absent if there is none at present.
    std::optional<agd_discovery_request> next() noexcept {
        agd_discovery_request request = AGD_INIT(agd_discovery_request);
        return agd_discovery_next(&discovery_, &request) == AGD_SOME ? std::optional<agd_discovery_request>(request) : std::nullopt;
    }
    /// Writes the headers of a request and returns their number; 0 for misuse.
    std::size_t headers(const agd_discovery_request &request, text user_agent, agd_http_header (&headers)[AGD_DISCOVERY_HEADERS],
                        const agd_stored *stored = nullptr) const noexcept {
        std::size_t count = 0;
        return agd_discovery_headers(&discovery_, request.id, user_agent.c(), stored, headers, &count) == AGD_OK ? count : 0;
    }
    /// Answers a request from the stored result, if it is usable.
    std::optional<agd_discovery_answer> recall(const agd_discovery_request &request, const agd_stored &stored, std::uint64_t now) noexcept {
        agd_discovery_answer answer = AGD_INIT(agd_discovery_answer);
        bool counts = agd_discovery_recall(&discovery_, request.id, &stored, now, &answer) == AGD_SOME;
        return counts ? std::optional<agd_discovery_answer>(answer) : std::nullopt;
    }
    /// Answers a request with a response of the server.
    result<agd_discovery_answer, agd_status> respond(const agd_discovery_request &request, const agd_discovery_response &response) noexcept {
        agd_discovery_answer answer = AGD_INIT(agd_discovery_answer);
        agd_status status = agd_discovery_respond(&discovery_, request.id, &response, &answer);
        return status < 0 ? result<agd_discovery_answer, agd_status>(status) : result<agd_discovery_answer, agd_status>(answer);
    }
    /// Answers a request that failed without a response: AGD_FAILURE_*.
    result<agd_discovery_answer, agd_status> fail(const agd_discovery_request &request, std::int32_t failure, std::uint64_t now) noexcept {
        agd_discovery_answer answer = AGD_INIT(agd_discovery_answer);
        agd_status status = agd_discovery_fail(&discovery_, request.id, failure, now, &answer);
        return status < 0 ? result<agd_discovery_answer, agd_status>(status) : result<agd_discovery_answer, agd_status>(answer);
    }
    /// Queues a request for a detail of an ADP manifest, like agd_discovery_ask_detail.
    agd_status ask_detail(const document &manifest, text detail_url, bool approved, std::int32_t *rejection = nullptr) noexcept {
        return agd_discovery_ask_detail(&discovery_, &manifest.c(), detail_url.c(), approved ? AGD_TRUE : AGD_FALSE, rejection);
    }
    /// Queues a request for the declaration of an agent's operator, like
    /// agd_discovery_ask_declaration.
    agd_status ask_declaration(text url, std::int32_t *rejection = nullptr) noexcept {
        return agd_discovery_ask_declaration(&discovery_, url.c(), rejection);
    }
    /// Whether a declaration names this site: AGD_DECLARED_*, or a negative status.
    std::int32_t declared(const document &declaration) const noexcept { return agd_discovery_declared(&discovery_, &declaration.c()); }

    /// Whether all attempts are finished.
    bool is_done() const noexcept { return agd_discovery_is_done(&discovery_) == AGD_TRUE; }
    /// Whether some pointers in documents were not followed because of a limit.
    bool is_trail_cut() const noexcept { return agd_discovery_is_trail_cut(&discovery_) == AGD_TRUE; }
    /// Which robots.txt rules apply: AGD_ROBOTS_RULES_*.
    std::int32_t robots() const noexcept { return agd_discovery_robots(&discovery_); }
    /// The earliest time for the next request, in seconds since 1970; absent before the first
    /// answer.
    std::optional<std::uint64_t> ask_again_at() const noexcept {
        std::uint64_t at = agd_discovery_ask_again_at(&discovery_);
        return at == 0 ? std::nullopt : std::optional<std::uint64_t>(at);
    }
    /// Scheme, host and port of the site.
    text origin() const noexcept { return agd_discovery_origin(&discovery_); }

    /// A range of attempts.
    template <agd_status (*Get)(const agd_discovery *, std::size_t, agd_attempt *)> class attempts_range {
    public:
        struct sentinel {};
        class iterator {
        public:
            using iterator_category = std::input_iterator_tag;
            using value_type = agd_attempt;
            using difference_type = std::ptrdiff_t;
            using pointer = const agd_attempt *;
            using reference = const agd_attempt &;

            explicit iterator(const agd_discovery *of) noexcept : of_(of) { read(); }
            reference operator*() const noexcept { return attempt_; }
            pointer operator->() const noexcept { return &attempt_; }
            iterator &operator++() noexcept {
                ++index_;
                read();
                return *this;
            }
            void operator++(int) noexcept { ++*this; }
            friend bool operator==(const iterator &it, sentinel) noexcept { return it.status_ != AGD_SOME; }
            friend bool operator!=(const iterator &it, sentinel) noexcept { return it.status_ == AGD_SOME; }

        private:
            void read() noexcept { status_ = Get(of_, index_, &attempt_); }

            const agd_discovery *of_;
            std::size_t index_ = 0;
            agd_attempt attempt_ = AGD_INIT(agd_attempt);
            agd_status status_ = AGD_NONE;
        };

        explicit attempts_range(const agd_discovery *of) noexcept : of_(of) {}
        iterator begin() const noexcept { return iterator(of_); }
        sentinel end() const noexcept { return {}; }

    private:
        const agd_discovery *of_;
    };

    /// All attempts, in the order in which they were created.
    attempts_range<agd_discovery_attempt> attempts() const noexcept { return attempts_range<agd_discovery_attempt>(&discovery_); }
    /// The attempts that found a document about the site, by rank.
    attempts_range<agd_discovery_document> documents() const noexcept { return attempts_range<agd_discovery_document>(&discovery_); }

    /// For use with the C library.
    const agd_discovery &c() const noexcept { return discovery_; }
    agd_discovery &c() noexcept { return discovery_; }

private:
    agd_discovery discovery_ = AGD_DISCOVERY_INIT;
};

/// A text of the prose of an agents.md, and the index of its document.
struct word {
    agd_text text;
    std::size_t document;
};

namespace detail {
inline agd_status next_word(agd_words *list, word *word) noexcept { return agd_words_next(list, &word->text, &word->document); }
} // namespace detail

/// Parses a URL like agd_url_parse. Absent if the text is not an absolute URL.
inline std::optional<agd_url> parse_url(text from) noexcept {
    agd_url url = AGD_INIT(agd_url);
    return agd_url_parse(from.c(), &url) == AGD_SOME ? std::optional<agd_url>(url) : std::nullopt;
}

/// Parses a type expression of AWP like agd_type_parse. Absent if the text is not a type
/// expression.
inline std::optional<agd_type> parse_type(text from) noexcept {
    agd_type type = AGD_INIT(agd_type);
    return agd_type_parse(from.c(), &type) == AGD_SOME ? std::optional<agd_type>(type) : std::nullopt;
}

/// The default options.
inline agd_options options() noexcept { return AGD_INIT(agd_options); }

/// Detects the format of a document: AGD_FORMAT_*.
inline std::int32_t detect(std::string_view bytes, const agd_options *options = nullptr) noexcept {
    agd_detection detection = AGD_INIT(agd_detection);
    return agd_detect(bytes.data(), bytes.size(), options, &detection) < 0 ? AGD_FORMAT_UNKNOWN : detection.format;
}

} // namespace agentsdisc

// Range-for over every list, also in structs: `for (const agd_parameter &parameter :
// capability.parameters)`. The functions are in the global namespace, where argument-dependent
// lookup finds them for the C types. In C++20 every list is an input_range, which also needs
// overloads for non-const lists.
#define AGENTSDISC_RANGE_BY(List, Item, Next)                                                                                                \
    inline ::agentsdisc::list_iterator<List, Item, Next> begin(const List &list) noexcept {                                                  \
        return ::agentsdisc::list_iterator<List, Item, Next>(list);                                                                          \
    }                                                                                                                                        \
    inline ::agentsdisc::list_iterator<List, Item, Next> begin(List &list) noexcept {                                                        \
        return ::agentsdisc::list_iterator<List, Item, Next>(list);                                                                          \
    }                                                                                                                                        \
    inline ::agentsdisc::list_iterator<List, Item, Next>::sentinel end(const List &) noexcept { return {}; }                                 \
    inline ::agentsdisc::list_iterator<List, Item, Next>::sentinel end(List &) noexcept { return {}; }
#define AGENTSDISC_RANGE(List, Item) AGENTSDISC_RANGE_BY(List, Item, List##_next)

AGENTSDISC_RANGE(agd_texts, agd_text)
AGENTSDISC_RANGE(agd_values, agd_value)
AGENTSDISC_RANGE(agd_members, agd_member)
AGENTSDISC_RANGE(agd_rate_limits, agd_rate_limit)
AGENTSDISC_RANGE(agd_applied_limits, agd_applied_limit)
AGENTSDISC_RANGE(agd_parameters, agd_parameter)
AGENTSDISC_RANGE(agd_outputs, agd_output)
AGENTSDISC_RANGE(agd_capabilities, agd_capability)
AGENTSDISC_RANGE(agd_agents, agd_agent)
AGENTSDISC_RANGE(agd_endpoints, agd_endpoint)
AGENTSDISC_RANGE(agd_flows, agd_flow)
AGENTSDISC_RANGE(agd_dependencies, agd_dependency)
AGENTSDISC_RANGE(agd_entities, agd_entity)
AGENTSDISC_RANGE(agd_recoveries, agd_recovery)
AGENTSDISC_RANGE(agd_plans, agd_plan)
AGENTSDISC_RANGE(agd_robots_groups, agd_robots_group)
AGENTSDISC_RANGE(agd_robots_preferences, agd_robots_preference)
AGENTSDISC_RANGE(agd_robots_fields, agd_robots_field)
AGENTSDISC_RANGE(agd_robots_rules, agd_robots_rule)
AGENTSDISC_RANGE(agd_search_results, agd_search_result)
AGENTSDISC_RANGE(agd_security_schemes, agd_security_scheme)
AGENTSDISC_RANGE(agd_references, agd_reference)
AGENTSDISC_RANGE(agd_extensions, agd_extension)
AGENTSDISC_RANGE(agd_signatures, agd_signature)
AGENTSDISC_RANGE(agd_keys, agd_key)
AGENTSDISC_RANGE(agd_json_members, agd_member)
AGENTSDISC_RANGE(agd_json_elements, agd_value)
AGENTSDISC_RANGE(agd_headers, agd_header)
AGENTSDISC_RANGE(agd_outcomes, agd_outcome)
AGENTSDISC_RANGE(agd_type_options, agd_text)
AGENTSDISC_RANGE(agd_diagnostics, agd_diagnostic)
AGENTSDISC_RANGE(agd_links, agd_link)
AGENTSDISC_RANGE_BY(agd_words, ::agentsdisc::word, ::agentsdisc::detail::next_word)
AGENTSDISC_RANGE_BY(agd_agents_md, agd_entry, agd_agents_md_next)

#undef AGENTSDISC_RANGE
#undef AGENTSDISC_RANGE_BY

#include "agentsdisc_call.hpp"
#include "agentsdisc_functions.hpp"

#endif
