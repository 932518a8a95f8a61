// The adapter of robots-parser.

import { documentOf, load, serve, versionOf } from "./lines.mjs";

const parse = load("robots-parser");
const ORIGIN = "https://example.com";

function robots(request) {
    const url = new URL(request.url, ORIGIN).href;
    const rules = parse(`${new URL(url).origin}/robots.txt`, documentOf(request).toString());
    return { allowed: rules.isAllowed(url, request.agent) ?? true };
}

await serve("robots-parser", versionOf("robots-parser"), { robots }, ["robots-txt"]);
