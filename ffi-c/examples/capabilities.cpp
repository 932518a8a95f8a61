// Reads one document and prints what agents can do with the service, in C++17.
//
//     c++ -std=c++17 capabilities.cpp $(pkg-config --cflags --libs agentsdisc) && ./a.out agents.json
#include <agentsdisc.hpp>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

using agentsdisc::text;

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
    // The document borrows these bytes, so they stay until the end.
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};

    auto parsed = agentsdisc::parse(bytes);
    if (!parsed) {
        const agd_error &error = parsed.error();
        std::cerr << argv[1] << ':' << error.line << ':' << error.column << ": " << error.message << '\n';
        return 1;
    }
    if (auto service = parsed->service())
        std::cout << text(service->name).to<std::string>() << '\n';
    for (const agd_capability &capability : parsed->capabilities()) {
        std::cout << "- " << text(capability.id).to<std::string>() << '\n';
        if (text endpoint = capability.endpoint)
            std::cout << "    at " << endpoint.to<std::string>() << '\n';
        for (const agd_parameter &parameter : capability.parameters)
            std::cout << (parameter.required == AGD_TRUE ? "    needs " : "    takes ") << text(parameter.name).to<std::string>() << '\n';
    }
    return 0;
}
