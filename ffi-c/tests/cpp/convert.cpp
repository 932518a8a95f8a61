// Conversion and fixes in C++.
#include "common.hpp"

#include <cstring>
#include <string>

int main() {
    const std::string json = R"({"specVersion":"1.0","site":{"name":"Mugs","url":"https://mugs.example"},"x":5})";
    auto parsed = agentsdisc::parse(json);
    CHECK(static_cast<bool>(parsed));
    char buffer[256];
    std::size_t length = 0;
    std::string paths;
    auto note = [&paths](const agd_loss &loss) {
        char path[64];
        if (agd_loss_path(&loss, path, sizeof path, nullptr) == AGD_OK)
            paths += path;
    };
    CHECK(parsed->convert(AGD_FORMAT_AGENTS_TXT, buffer, sizeof buffer, &length, note) == AGD_OK);
    CHECK(std::strcmp(buffer, "Spec-Version: 1.0\n\nSite-Name: Mugs\nSite-URL: https://mugs.example\n") == 0);
    CHECK(length == std::strlen(buffer) && paths == "metadata.x");

    const std::string text = "spec-version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n";
    auto second = agentsdisc::parse(text);
    CHECK(static_cast<bool>(second));
    int changes = 0;
    CHECK(second->fix(buffer, sizeof buffer, nullptr, [&changes](const agd_change &) { changes++; }) == AGD_OK);
    CHECK(changes == 1 && std::strncmp(buffer, "Spec-Version", 12) == 0);

    std::string fields;
    bool complete = false;
    CHECK(parsed->differences(*second, [&fields](const agd_difference &difference) { fields += agentsdisc::text(difference.field).to<std::string>(); },
                              &complete) == AGD_OK);
    CHECK(fields.empty() && complete);
    auto other = agentsdisc::parse("Spec-Version: 1.0\nSite-Name: Cups\nSite-URL: https://cups.example\n");
    CHECK(static_cast<bool>(other));
    int reported = 0;
    auto once = [&](const agd_difference &difference) {
        fields = agentsdisc::text(difference.field).to<std::string>();
        return ++reported < 1;
    };
    CHECK(parsed->differences(*other, once) == AGD_OK && reported == 1 && fields == "service.name");
    return failures == 0 ? 0 : 1;
}
