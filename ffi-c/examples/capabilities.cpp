// Reads one document and prints its capabilities, in C++17.
//
//     c++ -std=c++17 capabilities.cpp $(pkg-config --cflags --libs agentsdisc) && ./a.out agents.json
#include <agentsdisc.hpp>

#include <fstream>
#include <iostream>
#include <string>

using agentsdisc::text;

// Decodes a text and replaces control characters, which a terminal would interpret.
static std::string shown(text from) {
    std::string printable;
    for (const char letter : from.to<std::string>()) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte >= 0x80 && byte < 0xA0 && !printable.empty() && printable.back() == '\xC2')
            printable.back() = '?'; // U+0080 to U+009F, two bytes each
        else
            printable += byte < 0x20 || byte == 0x7F ? '?' : letter;
    }
    return printable;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        std::cerr << "usage: " << argv[0] << " FILE\n";
        return 2;
    }
    std::ifstream file(argv[1], std::ios::binary);
    if (!file) {
        std::cerr << argv[1] << ": cannot be opened\n";
        return 2;
    }
    // One byte more than the default limit, so that the library reports larger files as too large.
    std::string bytes((1 << 20) + 1, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (file.bad()) {
        std::cerr << argv[1] << ": cannot be read\n";
        return 2;
    }
    bytes.resize(static_cast<std::size_t>(file.gcount()));

    // The document borrows the bytes, which stay valid until the end.
    auto parsed = agentsdisc::parse(bytes);
    if (!parsed) {
        const agd_error &error = parsed.error();
        std::cerr << argv[1] << ':' << error.line << ':' << error.column << ": " << error.message << '\n';
        return 1;
    }
    if (auto service = parsed->service())
        std::cout << shown(service->name) << '\n';
    for (const agd_capability &capability : parsed->capabilities()) {
        std::cout << "- " << shown(capability.id) << '\n';
        if (text endpoint = capability.endpoint)
            std::cout << "    at " << shown(endpoint) << '\n';
        for (const agd_parameter &parameter : capability.parameters)
            std::cout << (parameter.required == AGD_TRUE ? "    needs " : "    takes ") << shown(parameter.name) << '\n';
    }
    return 0;
}
