"""`agentsdisc formats`: lists the formats that are read or only recognized."""

import argparse
from typing import Any

from .. import formats

_ABOUT = {
    "agents-txt": "agents.txt of the Internet-Draft draft-car-agents-txt-wellknown",
    "agents-json": "agents.json of the same Internet-Draft",
    "agents-txt-0.1": "agents.txt 0.1.0",
    "agents-json-0.1": "agents.json 0.1, the companion of agents.txt 0.1.0",
    "agents-md": "agents.md 1.0.0-draft",
    "awp": "agent.json of the Agent Web Protocol 0.2",
    "adp": "manifest of the Agent Discovery Protocol 1.0",
    "adp-capability": "capability detail of the Agent Discovery Protocol",
    "adp-search": "registry search response of the Agent Discovery Protocol",
    "robots-txt": "robots.txt, RFC 9309",
    "a2a-agent-card": "A2A agent card",
    "mcp-server-card": "MCP server card, in its dialects",
    "aid": "AID record",
    "ai-plugin": "plugin manifest with name_for_model",
    "wildcard-agents-json": "agents.json of another vocabulary, with agentsJson",
    "llms-txt": "llms.txt",
    "agent-permissions": "agent-permissions.json",
    "openapi": "OpenAPI or Swagger description",
    "html": "HTML page",
    "ai-catalog": "AI Catalog",
    "agent-skills": "index of agent skills",
    "api-catalog": "API catalog, RFC 9727",
    "ucp-profile": "profile of the Universal Commerce Protocol",
    "signature-directory": "directory of keys for HTTP message signatures (Web Bot Auth)",
    "security-txt": "security.txt, RFC 9116",
    "oauth-protected-resource": "metadata of an OAuth protected resource, RFC 9728",
    "x402": "payment requirements or resources of x402",
    "webmcp": "list of WebMCP tools",
    "rsl": "Really Simple Licensing (RSL)",
    "agents-txt-com": "agents.txt or agents.json of the agents-txt.com standard",
    "w2a": "manifest of the w2a vocabulary",
}


def register(commands: Any) -> None:
    """Adds the command to the command line."""
    command: argparse.ArgumentParser = commands.add_parser(
        "formats",
        help="list the formats that are read or recognized",
        description="Lists the formats. Formats that are read can be parsed; formats that are recognized are only detected.",
    )
    command.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    """Prints the list."""
    for name, is_read, _is_json in formats():
        if name != "unknown":
            state = "read" if is_read else "recognized"
            print(f"{name:26}{state:12}{_ABOUT.get(name, '')}".rstrip())
    return 0
