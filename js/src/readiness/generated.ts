// Written by js/cli.py; change it there.

/** The topics that a site of a profile must have, and those that are not checked. */
export const PROFILES: { readonly [profile: string]: readonly [readonly string[], readonly string[]] } = {
  "content": [
    [],
    [
      "api",
      "auth",
      "mcp",
      "agent",
      "shop",
      "bots"
    ]
  ],
  "api": [
    [
      "api"
    ],
    [
      "shop"
    ]
  ],
  "shop": [
    [
      "shop"
    ],
    []
  ]
};

/** The media type of each location of a document. */
export const TYPES: { readonly [path: string]: string } = {
  "/.well-known/agents.txt": "text/plain; charset=utf-8",
  "/agents.txt": "text/plain; charset=utf-8",
  "/.well-known/agents.json": "application/json; charset=utf-8",
  "/.well-known/agents.md": "text/markdown; charset=utf-8",
  "/agents.md": "text/markdown; charset=utf-8",
  "/agent.json": "application/json",
  "/.well-known/agent.json": "application/json",
  "/.well-known/agent": "application/json",
  "/robots.txt": "text/plain; charset=utf-8",
  "/llms.txt": "text/plain; charset=utf-8",
  "/.well-known/agent-card.json": "application/json",
  "/.well-known/mcp/server-card.json": "application/json",
  "/.well-known/mcp.json": "application/json",
  "/.well-known/ard.json": "application/json",
  "/.well-known/ai-catalog.json": "application/json",
  "/.well-known/agent-skills/index.json": "application/json",
  "/.well-known/skills/index.json": "application/json",
  "/.well-known/api-catalog": "application/linkset+json",
  "/openapi.json": "application/json",
  "/.well-known/ucp": "application/json",
  "/.well-known/http-message-signatures-directory": "application/http-message-signatures-directory+json",
  "/.well-known/oauth-protected-resource": "application/json",
  "/.well-known/x402": "application/json",
  "/.well-known/x402.json": "application/json",
  "/.well-known/oauth-authorization-server": "application/json",
  "/.well-known/openid-configuration": "application/json",
  "/auth.md": "text/markdown; charset=utf-8",
  "/.well-known/acp.json": "application/json"
};
