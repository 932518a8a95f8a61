// simdjson as a peer: a full walk and typed reading by On-Demand, and its DOM.
//
// Every function keeps its parser for the next call, and returns a number made from all that was read, or UINT64_MAX where simdjson refuses
// the text. What is looked at is what `touch` looks at in Rust. simdjson reads up to SIMDJSON_PADDING bytes behind the text: where these would
// be in the next page, the text is copied first, as its documentation advises.

#include <simdjson.h>

#include <cstdint>
#include <string_view>

using namespace simdjson;

namespace {

constexpr uint64_t refused = UINT64_MAX;

uint64_t touch(std::string_view text) { return text.size() + (text.empty() ? 0 : uint8_t(text[0])); }

padded_string_view padded(const char *text, size_t length) {
    if ((reinterpret_cast<uintptr_t>(text + length - 1) & 4095) + SIMDJSON_PADDING >= 4096) {
        static padded_string copy;
        copy = padded_string(text, length);
        return copy;
    }
    return padded_string_view(text, length, length + SIMDJSON_PADDING);
}

// The value of a result; throws where there is none.
template <typename Result> auto got(Result &&result) { return std::forward<Result>(result).value(); }

// --- a full walk ---

template <bool Convert> uint64_t walk(ondemand::value value);

template <bool Convert> uint64_t walk(ondemand::object object) {
    uint64_t sum = 2;
    for (auto member : object) {
        if constexpr (Convert) {
            sum += touch(got(member.unescaped_key()));
        } else {
            ondemand::raw_json_string name = got(member.key());
            sum += uint8_t(name.raw()[0]);
        }
        sum += walk<Convert>(got(member.value()));
    }
    return sum;
}

template <bool Convert> uint64_t walk(ondemand::array array) {
    uint64_t sum = 2;
    for (auto item : array) {
        sum += walk<Convert>(got(item));
    }
    return sum;
}

template <bool Convert> uint64_t walk(ondemand::value value) {
    switch (got(value.type())) {
    case ondemand::json_type::object:
        return walk<Convert>(got(value.get_object()));
    case ondemand::json_type::array:
        return walk<Convert>(got(value.get_array()));
    case ondemand::json_type::string:
        if constexpr (Convert) {
            return touch(got(value.get_string()));
        } else {
            return uint8_t(got(value.get_raw_json_string()).raw()[0]);
        }
    case ondemand::json_type::number:
        if constexpr (Convert) {
            return uint64_t(got(value.get_double()));
        } else {
            return touch(value.raw_json_token());
        }
    case ondemand::json_type::boolean:
        return got(value.get_bool());
    default:
        return got(value.is_null());
    }
}

template <bool Convert> uint64_t walk_document(const char *text, size_t length) {
    static ondemand::parser parser;
    try {
        ondemand::document document = parser.iterate(padded(text, length));
        return walk<Convert>(got(document.get_value()));
    } catch (const simdjson_error &) {
        return refused;
    }
}

// --- agents.json of the Internet-Draft, every value ---

uint64_t text(ondemand::value value) {
    std::string_view content;
    return value.get_string().get(content) ? 0 : touch(content);
}

template <typename Each> uint64_t items(ondemand::value value, Each each) {
    ondemand::array array;
    if (value.get_array().get(array)) {
        return 0;
    }
    uint64_t sum = 0;
    for (auto item : array) {
        sum += each(got(item));
    }
    return sum;
}

template <typename Each> uint64_t members(ondemand::value value, Each each) {
    ondemand::object object;
    if (value.get_object().get(object)) {
        return 0;
    }
    uint64_t sum = 0;
    for (auto member : object) {
        std::string_view name = got(member.unescaped_key());
        sum += each(name, got(member.value()));
    }
    return sum;
}

uint64_t rate(ondemand::value value) {
    return members(value, [](std::string_view name, ondemand::value value) -> uint64_t {
        if (name == "requests") return uint64_t(got(value.get_int64()));
        if (name == "window") return text(value);
        return 0;
    });
}

uint64_t parameter(ondemand::value value) {
    return members(value, [](std::string_view name, ondemand::value value) -> uint64_t {
        if (name == "name" || name == "in" || name == "location" || name == "type" || name == "description") return text(value);
        if (name == "required") return got(value.get_bool());
        if (name == "min" || name == "max") return uint64_t(got(value.get_double()));
        if (name == "default") return touch(value.raw_json_token());
        return 0;
    });
}

uint64_t capability(ondemand::value value) {
    return members(value, [](std::string_view name, ondemand::value value) -> uint64_t {
        if (name == "id" || name == "description" || name == "endpoint" || name == "method" || name == "protocol" || name == "openapi")
            return text(value);
        if (name == "auth") {
            if (got(value.type()) == ondemand::json_type::string) return text(value);
            return members(value, [](std::string_view name, ondemand::value value) -> uint64_t {
                if (name == "type" || name == "tokenEndpoint" || name == "docsUrl") return text(value);
                if (name == "scopes") return items(value, text);
                return 0;
            });
        }
        if (name == "rateLimit") return rate(value);
        if (name == "parameters" || name == "params") return items(value, parameter);
        return 0;
    });
}

uint64_t site(ondemand::value value) {
    return members(value, [](std::string_view name, ondemand::value value) -> uint64_t {
        if (name == "name" || name == "url" || name == "description" || name == "contact" || name == "privacyPolicy") return text(value);
        return 0;
    });
}

uint64_t agents(ondemand::value value) {
    return members(value, [](std::string_view name, ondemand::value value) -> uint64_t {
        return touch(name) + members(value, [](std::string_view name, ondemand::value value) -> uint64_t {
                   if (name == "rateLimit") return rate(value);
                   if (name == "capabilities") return items(value, text);
                   if (name == "agentDeclaration") return text(value);
                   return 0;
               });
    });
}

uint64_t manifest(ondemand::value value) {
    return members(value, [](std::string_view name, ondemand::value value) -> uint64_t {
        if (name == "specVersion" || name == "generatedAt" || name == "declarationType" || name == "agentsJson") return text(value);
        if (name == "operatesOn") return items(value, text);
        if (name == "site") return site(value);
        if (name == "capabilities") return items(value, capability);
        if (name == "access")
            return members(value, [](std::string_view name, ondemand::value value) -> uint64_t {
                return name == "allow" || name == "disallow" ? items(value, text) : 0;
            });
        if (name == "agents") return agents(value);
        return 0;
    });
}

} // namespace

extern "C" {

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

// Its version, and the instructions that On-Demand and the DOM run with.
const char *agentsdisc_simdjson_version(void) {
    static std::string text = TEXT(SIMDJSON_VERSION) ", On-Demand for " + builtin_implementation()->name() + ", DOM for " +
                              get_active_implementation()->name();
    return text.c_str();
}

uint64_t agentsdisc_simdjson_walk(const char *text, size_t length) { return walk_document<false>(text, length); }

uint64_t agentsdisc_simdjson_walk_converted(const char *text, size_t length) { return walk_document<true>(text, length); }

uint64_t agentsdisc_simdjson_dom(const char *text, size_t length) {
    static dom::parser parser;
    dom::element element;
    padded_string_view view = padded(text, length);
    return parser.parse(view.data(), view.length(), false).get(element) ? refused : uint64_t(element.type());
}

// The DOM by the implementation for any CPU.
uint64_t agentsdisc_simdjson_dom_fallback(const char *text, size_t length) {
    static dom::parser parser;
    static bool ready = false;
    if (!ready) {
        // A parser keeps the implementation that was active when it was first used.
        auto best = get_active_implementation().operator->();
        for (auto implementation : get_available_implementations()) {
            if (implementation->name() == "fallback") get_active_implementation() = implementation;
        }
        ready = !parser.parse("[]", 2, true).error();
        get_active_implementation() = best;
    }
    dom::element element;
    padded_string_view view = padded(text, length);
    return parser.parse(view.data(), view.length(), false).get(element) ? refused : uint64_t(element.type());
}

uint64_t agentsdisc_simdjson_agents_json(const char *text, size_t length) {
    static ondemand::parser parser;
    try {
        ondemand::document document = parser.iterate(padded(text, length));
        return manifest(got(document.get_value()));
    } catch (const simdjson_error &) {
        return refused;
    }
}

}
