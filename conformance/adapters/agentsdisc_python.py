"""The adapter of this project's Python package."""

import json
from typing import Any

import agentsdisc
from agentsdisc._agentsdisc import _Call, _signature_base
from lines import document_of, serve

NOW = 1_790_000_000
"""When the answers of a call arrive."""


def parsed(request: dict[str, Any]) -> agentsdisc.Document:
    """Parses the document of a request."""
    options = request.get("options", {})
    return agentsdisc.parse(
        document_of(request),
        format=options.get("format") or request.get("format"),
        url=options.get("url"),
        content_type=options.get("content_type"),
        limits=agentsdisc.Limits(**options.get("limits", {})),
    )


def detect(request: dict[str, Any]) -> dict[str, Any]:
    """The format that is detected."""
    options = request["options"]
    hints = {name: options.get(name) for name in ("url", "content_type")}
    return {"format": agentsdisc.detect(document_of(request), **hints)}


def parse(request: dict[str, Any]) -> dict[str, Any]:
    """The model of the document, or its error."""
    try:
        return {"model": json.loads(parsed(request).to_json())}
    except agentsdisc.ParseError as error:
        names = ("kind", "offset", "line", "column")
        return {"error": {name: getattr(error, name) for name in names}}


def check(request: dict[str, Any]) -> dict[str, Any]:
    """The findings."""
    found = parsed(request).check(request["options"].get("origin"))
    names = ("code", "severity", "line", "column")
    return {"diagnostics": [{name: getattr(d, name) for name in names} for d in found]}


def robots_of(request: dict[str, Any]) -> agentsdisc.RobotsTxt:
    """The robots.txt of a request."""
    limits = agentsdisc.Limits(**request.get("options", {}).get("limits", {}))
    return agentsdisc.RobotsTxt(document_of(request), limits=limits)


def robots(request: dict[str, Any]) -> dict[str, Any]:
    """Whether an agent may request a URL, and the line that decides."""
    decision = robots_of(request).decide(request["agent"], request["url"])
    line = decision.rule.line if decision.rule else None
    return {"allowed": decision.allowed, "line": line}


def preferences(request: dict[str, Any]) -> dict[str, Any]:
    """What is preferred for a use of the content of a URL, and the line that states it."""
    asked = (request["agent"], request["url"], request["purpose"])
    answer = robots_of(request).preference(*asked)
    line = answer.statement.line if answer.statement else None
    return {"preference": answer.preference, "line": line}


def policy(request: dict[str, Any]) -> dict[str, Any]:
    """A decision about the documents of a site."""
    stated = request["robots"]
    if isinstance(stated, dict):
        stated = robots_of(stated)
    documents = [parsed(document) for document in request["documents"]]
    return agentsdisc.decide(documents, robots=stated, **request["question"]).to_dict()


def text(value: Any) -> bytes:
    """An argument or a body: text as it is, any other value as JSON."""
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def call(request: dict[str, Any]) -> dict[str, Any] | None:
    """What is planned for a call, and what its answers mean; None if Python lacks an option."""
    asked = request["call"]
    options = asked.get("options", {})
    if "constant_headers" in options or options.get("confirmed") == "should":
        return None
    settings = (
        bool(options.get("credential")),
        bool(options.get("session")),
        options.get("confirmed") == "must",
        [(done["action"], text(done["body"])) for done in options.get("done", [])],
        options.get("idempotency_key"),
        options.get("operation"),
        bool(options.get("undeclared")),
        bool(options.get("from_text")),
    )
    documents = [parsed(document) for document in request["documents"]]
    names = ("capability", "url", "method", "origin", "approved")
    about = {name: asked[name] for name in names if name in asked}
    decision = agentsdisc.decide(documents, agent=asked.get("agent", "Bot"), **about)
    progress = _Call()
    arguments = text(asked.get("arguments", {}))
    plan = json.loads(progress.plan(decision._asked, arguments, settings))
    following = [
        json.loads(
            progress.next(
                decision._asked,
                answer["status"],
                list(answer.get("headers", {}).items()),
                text(answer["body"]) if "body" in answer else b"",
                NOW,
            )
        )
        for answer in request["answers"]
    ]
    return {"plan": plan, "next": following}


def canonical(request: dict[str, Any]) -> dict[str, Any]:
    """The bytes that a signature of a card covers."""
    from agentsdisc import verify

    return {"text": verify.payload(document_of(request)).decode()}


def signed_card(request: dict[str, Any]) -> dict[str, Any]:
    """Whether a signature of a card is valid."""
    from agentsdisc import verify

    card = document_of(request)
    return {"valid": verify.verify_card(card, request["keys"]).verified}


def signature_base(request: dict[str, Any]) -> dict[str, Any]:
    """The bytes that a signature of a request or of its answer covers."""
    from agentsdisc.identity.verifying import as_bytes

    def octets(pairs: list[list[str]]) -> list[tuple[bytes, bytes]]:
        return [(as_bytes(name), as_bytes(value)) for name, value in pairs]

    asked = (
        as_bytes(request["method"]),
        as_bytes(request["url"]),
        octets(request["headers"]),
    )
    answer = octets(request["answer"]) if "answer" in request else None
    base = _signature_base(asked, as_bytes(request["label"]), answer)
    return {"base": base.decode("latin-1")}


def signed_request(request: dict[str, Any]) -> dict[str, Any]:
    """The verdict about the signature of a request."""
    from agentsdisc.identity import verify

    verdict = verify(
        request["method"],
        request["url"],
        [tuple(pair) for pair in request["headers"]],
        keys=request["keys"],
        now=request["now"],
        longest=request.get("longest"),
    )
    return {"valid": verdict.valid, "reason": verdict.reason}


serve(
    "agentsdisc (Python)",
    "agentsdisc",
    {
        "detect": detect,
        "parse": parse,
        "check": check,
        "robots": robots,
        "preferences": preferences,
        "policy": policy,
        "call": call,
        "canonical": canonical,
        "signed-card": signed_card,
        "signature-base": signature_base,
        "signed-request": signed_request,
    },
    model="whole",
)
