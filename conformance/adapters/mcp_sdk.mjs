// The adapter of @modelcontextprotocol/sdk: metadata for OAuth, which its client reads.

import { documentOf, load, serve, versionOf } from "./lines.mjs";

const { OAuthMetadataSchema, OAuthProtectedResourceMetadataSchema } = load("@modelcontextprotocol/sdk/shared/auth.js");

function parse(request) {
    const text = documentOf(request).toString();
    // The protocol requires these members, which the RFCs do not require.
    const isResource = text.includes('"resource"');
    const needed = isResource ? ["authorization_servers"] : ["authorization_endpoint", "token_endpoint"];
    if (!needed.every((name) => text.includes(`"${name}"`))) return undefined;
    try {
        const document = JSON.parse(text);
        if (isResource) {
            const { resource_name: name } = OAuthProtectedResourceMetadataSchema.parse(document);
            return { model: { service: { name: name ?? null } } };
        }
        OAuthMetadataSchema.parse(document);
    } catch {
        return { error: {} };
    }
    return { model: {} };
}

const formats = ["oauth-protected-resource", "oauth-authorization-server"];
await serve("@modelcontextprotocol/sdk", versionOf("@modelcontextprotocol/sdk"), { parse }, formats);
