"""Reads the vectors as cases: one question to an implementation, with the expected answer.

The id of a case is the path of its vector and, after `#`, its task or the number of its question. It
never changes: a vector is corrected or withdrawn, but its name is not used again.
"""

import base64
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

TASKS = (
    "detect",
    "parse",
    "check",
    "robots",
    "preferences",
    "policy",
    "call",
    "canonical",
    "signed-card",
    "signature-base",
    "signed-request",
)
LEVELS = ("must", "should", "ruling")

_OURS = ("docs/", "policy.md", "calls.md", "identity.md")
"""The documents of this project: what only they state is a ruling."""

_NO_VECTORS = ("accepted.json", "lists.json")


class Case(NamedTuple):
    """One question, and the answer that the vector expects."""

    id: str
    task: str
    """What is asked: one of `TASKS`."""
    format: str | None
    """The format of the document; None for a question about several documents."""
    level: str
    """`must` or `should` of a specification, or `ruling`: only this project states it."""
    section: str
    """The section that states the rule."""
    about: str
    """The rule, in one sentence."""
    ask: dict[str, Any]
    """The members of the request, except the id and the task."""
    expect: Any
    """The expected answer; its shape depends on the task."""
    path: Path | None
    """The file of the document; None if the request holds the documents."""


def cases(root: Path, begins: Sequence[str] = ()) -> Iterator[Case]:
    """Yields the cases below the folder of the kit whose ids begin so, in the order of their paths; all without `begins`."""
    paths = [*root.glob("*/*/*.json"), *root.glob("identity/*.json")]
    for path in sorted(paths):
        folder = path.relative_to(root).parts[0]
        if folder in ("valid", "kit", "adapters") or path.name in _NO_VECTORS:
            continue
        name = path.relative_to(root).with_suffix("").as_posix()
        if begins and not any(
            name.startswith(begin) or begin.startswith(f"{name}#") for begin in begins
        ):
            continue
        # If a name occurs twice, the last value counts.
        vector = json.loads(path.read_text(encoding="utf-8"))
        if folder == "policy":
            found = _policy(name, vector)
        elif folder == "call":
            found = _calls(name, vector)
        elif folder == "canonical":
            found = _canonical(name, vector)
        elif folder == "signed-card":
            found = _signed_card(name, vector)
        elif folder == "identity":
            found = _signatures(name, vector)
        else:
            found = _document(name, vector, path.with_suffix(".in"))
        yield from (
            one for one in found if not begins or one.id.startswith(tuple(begins))
        )


def level_of(vector: dict[str, Any]) -> str:
    """`level` of the vector; without it, a rule that only this project states is a ruling."""
    if level := vector.get("level"):
        return str(level)
    return "ruling" if vector["spec"].startswith(_OURS) else "must"


def _document(name: str, vector: dict[str, Any], path: Path) -> Iterator[Case]:
    options = vector.get("options", {})
    level, section, about = level_of(vector), vector["spec"], vector["about"]
    model, error = vector.get("model"), vector.get("error")
    folder = name.split("/")[0]
    format_of = options.get("format") or vector.get("detect") or folder
    is_valid = all(
        item["severity"] != "error" for item in vector.get("diagnostics", [])
    )

    def case(task: str, level: str, expect: Any, number: str = "", **ask: Any) -> Case:
        return Case(
            f"{name}#{task}{number}",
            task,
            format_of,
            level,
            section,
            about,
            {"options": options, **_requirement(vector), **ask},
            expect,
            path,
        )

    if "detect" in vector:
        # Detection is no matter of any specification.
        yield case("detect", "ruling", {"format": vector["detect"]})
    if error is not None:
        yield case("parse", level, {"error": error})
    elif model is not None:
        # That a document with errors is read all the same is a ruling.
        yield case("parse", level if is_valid else "ruling", {"model": model})
    if "diagnostics" in vector:
        found = vector["diagnostics"]
        is_weak = level == "must" and is_valid and bool(found)
        yield case("check", "should" if is_weak else level, {"diagnostics": found})
    for number, decision in enumerate(vector.get("decisions", []), 1):
        asked = {name: decision[name] for name in ("agent", "url")}
        said = {"allowed": decision["allowed"], "line": decision.get("line")}
        yield case(
            "robots", _level_for(asked["agent"], level), said, f"-{number}", **asked
        )
    for number, stated in enumerate(vector.get("preferences", []), 1):
        asked = {name: stated[name] for name in ("agent", "url", "purpose")}
        said = {"preference": stated["preference"], "line": stated.get("line")}
        yield case("preferences", level, said, f"-{number}", **asked)


def _level_for(agent: str, level: str) -> str:
    """That an agent may be named by its User-Agent, not only by a product token (RFC 9309), is a ruling."""
    return level if re.fullmatch(r"[A-Za-z_-]+", agent) else "ruling"


def _policy(name: str, vector: dict[str, Any]) -> Iterator[Case]:
    shared = {
        "documents": _documents(vector["documents"]),
        "robots": _robots(vector.get("robots")),
    }
    for number, question in enumerate(vector["questions"], 1):
        asked = {key: value for key, value in question.items() if key != "expect"}
        ask, expect = shared | {"question": asked}, question["expect"]
        yield _about_documents(name, vector, "policy", number, ask, expect)


def _calls(name: str, vector: dict[str, Any]) -> Iterator[Case]:
    shared = {"documents": _documents(vector["documents"])}
    for number, call in enumerate(vector["calls"], 1):
        asked = {
            key: value
            for key, value in call.items()
            if key not in ("expect", "answers")
        }
        answers = [
            {key: value for key, value in answer.items() if key != "expect"}
            for answer in call.get("answers", [])
        ]
        expect = {
            "plan": call["expect"],
            "next": [answer["expect"] for answer in call.get("answers", [])],
        }
        ask = shared | {"call": asked, "answers": answers}
        yield _about_documents(name, vector, "call", number, ask, expect)


def _canonical(name: str, vector: dict[str, Any]) -> Iterator[Case]:
    text = base64.b64encode(vector["document"].encode()).decode()
    ask = {"document": text, "form": vector["form"]}
    yield _about_documents(name, vector, "canonical", 1, ask, vector["expect"])


def _signed_card(name: str, vector: dict[str, Any]) -> Iterator[Case]:
    text = base64.b64encode(vector["document"].encode()).decode()
    ask = {"document": text, "keys": vector["keys"]}
    yield _about_documents(name, vector, "signed-card", 1, ask, vector["expect"])


def _signatures(name: str, vectors: dict[str, Any]) -> Iterator[Case]:
    """Signed requests: the signature bases of the examples, and the verdicts."""
    for vector in vectors.get("vectors", ()):
        ask = _request(vector) | {"label": vector["label"]}
        if "answer" in vector:
            ask["answer"] = list(map(list, vector["answer"].items()))
        yield _signature(name, vector, "signature-base", ask, {"base": vector["base"]})
        if "now" in vector:
            ask = _request(vector) | {"keys": vectors["keys"], "now": vector["now"]}
            said = {"valid": True, "reason": "valid"}
            yield _signature(name, vector, "signed-request", ask, said)
    for vector in vectors.get("cases", ()):
        ask = _request(vector) | {"keys": vector.get("keys", vectors["keys"])}
        ask |= {key: vector[key] for key in ("now", "longest") if key in vector}
        reason = vector["reason"]
        said = {"valid": reason == "valid", "reason": reason}
        yield _signature(name, vector, "signed-request", ask, said)


def _request(vector: dict[str, Any]) -> dict[str, Any]:
    headers = vector["headers"]
    pairs = list(map(list, headers.items())) if isinstance(headers, dict) else headers
    return {"method": vector["method"], "url": vector["url"], "headers": pairs}


def _signature(
    name: str, vector: dict[str, Any], task: str, ask: dict[str, Any], expect: Any
) -> Case:
    """A case whose id ends in the name of its vector."""
    number = re.sub(r"[^a-z0-9]+", "-", vector["name"].lower())
    case = _about_documents(name, vector, task, 0, ask, expect)
    return case._replace(id=f"{name}#{task}-{number}", format="signature-directory")


def _about_documents(
    name: str,
    vector: dict[str, Any],
    task: str,
    number: int,
    ask: dict[str, Any],
    expect: Any,
) -> Case:
    return Case(
        f"{name}#{number}",
        task,
        vector.get("format"),
        level_of(vector),
        vector["spec"],
        vector.get("about") or vector["name"],
        {**ask, **_requirement(vector)},
        expect,
        None,
    )


def _requirement(vector: dict[str, Any]) -> dict[str, Any]:
    """What an implementation without a certain feature leaves out."""
    return {"requires": vector["requires"]} if "requires" in vector else {}


def _documents(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The documents as text: their format, if it is forced, and the base64 of their bytes."""
    return [{"format": part.get("format"), "document": _base64(part)} for part in parts]


def _robots(robots: Any) -> Any:
    return {"document": _base64(robots)} if isinstance(robots, dict) else robots


def _base64(part: dict[str, Any]) -> str:
    if "json" in part:
        data = json.dumps(part["json"], ensure_ascii=False).encode()
    else:
        data = "".join(f"{line}\n" for line in part["lines"]).encode()
    return base64.b64encode(data).decode()
