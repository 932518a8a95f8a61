"""The vectors of calls: what is planned, and what answers mean."""

import json
from pathlib import Path
from typing import Any

import pytest
from agentsdisc import Decision, decide
from agentsdisc._agentsdisc import _Call
from conftest import ROOT
from test_policy import document_of, holds

VECTORS = sorted((ROOT / "conformance/call").rglob("*.json"))
NOW = 1_790_000_000


def text(value: Any) -> bytes:
    """An argument or a body: text as it is, any other value as JSON."""
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def settings(options: dict[str, Any]) -> tuple[Any, ...] | None:
    """The options of a plan; None if Python does not offer one of them."""
    if "constant_headers" in options or options.get("confirmed") == "should":
        return None
    return (
        bool(options.get("credential")),
        bool(options.get("session")),
        options.get("confirmed") == "must",
        [(done["action"], text(done["body"])) for done in options.get("done", [])],
        options.get("idempotency_key"),
        options.get("operation"),
        bool(options.get("undeclared")),
        bool(options.get("from_text")),
    )


def decision_of(case: dict[str, Any], call: dict[str, Any]) -> Decision:
    documents = [document_of(document) for document in case["documents"]]
    names = ("capability", "url", "method", "origin", "approved")
    asked = {name: call[name] for name in names if name in call}
    return decide(documents, agent=call.get("agent", "Bot"), **asked)


def test_there_are_vectors() -> None:
    assert len(VECTORS) > 12


@pytest.mark.parametrize(
    "path", VECTORS, ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_vector(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    ran = 0
    for call in case["calls"]:
        options = settings(call.get("options", {}))
        if options is None:
            continue
        asked = decision_of(case, call)._asked
        progress = _Call()
        planned = json.loads(
            progress.plan(asked, text(call.get("arguments", {})), options)
        )
        assert holds(call["expect"], planned), (call, planned)
        for answer in call.get("answers", []):
            headers = list(answer.get("headers", {}).items())
            body = text(answer["body"]) if "body" in answer else b""
            said = json.loads(
                progress.next(asked, answer["status"], headers, body, NOW)
            )
            assert holds(answer["expect"], said), (answer, said)
        ran += 1
    assert ran > 0
