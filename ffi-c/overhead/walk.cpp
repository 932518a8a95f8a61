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

inline void hints(output *sum, const char *name, const agd_members &list) { members(sum, name, list); }

// The document is read through the members of the C++ class.
template <class Part> const Part *there(const std::optional<Part> &part) { return part ? &*part : nullptr; }
template <class Part> const Part *there(const Part &part) { return &part; }

#define DOCUMENT_TYPE const agentsdisc::document &
#define HEAD_OF(document, head) head = document.head()
#define LIST_OF(document, name) document.name()
#define OBJECT_OF(sum, document, type, name, members_of, end)                                                                                \
    do {                                                                                                                                     \
        const auto part = document.name();                                                                                                   \
        if (const type *item = there(part))                                                                                                  \
            members_of(sum, item);                                                                                                           \
    } while (0)

#include "../tests/c/members.h"

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
            document_members(&sum, documents[document]);
    std::printf("%zu documents, %llu\n", count, static_cast<unsigned long long>(sum));
    return 0;
}
