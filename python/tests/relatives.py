"""Correct and faulty documents of the formats that state no rules, and of robots.txt, for the tests of serving."""

import json
from typing import Any

from server import Page

CARD = {
    "name": "Mugs",
    "description": "Sells mugs",
    "version": "1.0.0",
    "supportedInterfaces": [
        {
            "url": "https://shop.example/a2a",
            "protocolBinding": "JSONRPC",
            "protocolVersion": "1.0",
        }
    ],
    "capabilities": {},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [{"id": "s", "name": "S", "description": "d", "tags": ["t"]}],
}
HEADERS = {
    "Cache-Control": "max-age=3600",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET",
}
RELATIVES: dict[str, tuple[Any, str, str]] = {
    # path: document, Content-Type, part that its check finds when it is removed
    "/.well-known/agent-card.json": (CARD, "application/json", "version"),
    "/.well-known/agent.json": (CARD, "application/json", "version"),
    "/.well-known/mcp/server-card.json": (
        {
            "name": "example.shop/mugs",
            "description": "Sells mugs",
            "version": "1.0.0",
            "remotes": [{"type": "streamable-http", "url": "https://shop.example/mcp"}],
        },
        "application/mcp-server-card+json",
        "version",
    ),
    "/.well-known/mcp.json": (
        {
            "name": "example.shop/mugs",
            "description": "Sells mugs",
            "version": "1.0.0",
            "remotes": [{"type": "streamable-http", "url": "https://shop.example/mcp"}],
        },
        "application/json",
        "version",
    ),
    "/.well-known/ai-catalog.json": (
        {
            "specVersion": "1.0",
            "host": {"displayName": "Mugs"},
            "entries": [
                {
                    "identifier": "urn:air:shop.example:mugs",
                    "displayName": "Mugs",
                    "type": "text/html",
                    "url": "https://shop.example/about",
                }
            ],
        },
        "application/ai-catalog+json",
        "displayName",
    ),
    "/.well-known/agent-skills/index.json": (
        {
            "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
            "skills": [
                {
                    "name": "mugs",
                    "type": "skill-md",
                    "description": "Choose a mug",
                    "url": "/mugs/SKILL.md",
                    "digest": "sha256:" + "1f" * 32,
                }
            ],
        },
        "application/json",
        "$schema",
    ),
    "/.well-known/skills/index.json": (
        {
            "skills": [
                {"name": "mugs", "description": "Choose a mug", "files": ["SKILL.md"]}
            ]
        },
        "application/json",
        "mugs",
    ),
    "/.well-known/api-catalog": (
        {
            "linkset": [
                {
                    "anchor": "https://shop.example/api",
                    "service-doc": [{"href": "https://shop.example/docs"}],
                }
            ]
        },
        "application/linkset+json",
        "anchor",
    ),
    "/llms.txt": ("# Mugs\n\n- [About](/about)\n", "text/markdown", "About"),
    "/robots.txt": ("User-agent: *\nDisallow: /admin\n", "text/plain", "User-agent"),
}
RELATIVES["/.well-known/ard.json"] = RELATIVES["/.well-known/ai-catalog.json"]
"""A document at each location of the formats that state no rules, and of robots.txt."""


def relative(path: str, *, faulty: bool = False) -> Page:
    document, media_type, part = RELATIVES[path]
    text = document if isinstance(document, str) else json.dumps(document)
    if faulty:
        text = text.replace(part, "Xyz" if part == "User-agent" else "")
    return Page(text, headers={**HEADERS, "Content-Type": media_type})
