"""Prints what the native library answers to the conformance vectors, one line of JSON for each."""

import base64
import json
import sys
from pathlib import Path

import agentsdisc
from agentsdisc import _agentsdisc

ROOT = Path(__file__).parents[2]
TARGETS = ("agents-txt", "agents-json", "agents-txt-0.1", "agents-json-0.1", "agents-md", "llms-txt", "awp", "adp", "adp-capability", "robots-txt", "json", "nothing")


def fields(each, names):
    """Returns attributes as a dict."""
    return {name: getattr(each, name) for name in names.split()}


def written(run, others):
    """Returns a converted or fixed document, or the error."""
    names = "reason severity line column offset end message path" if others == "losses" else "fix line message"
    try:
        made = run()
    except agentsdisc.ConvertError as error:
        losses = getattr(error, "losses", ())
        return {"error": str(error), "losses": [fields(each, names) for each in losses] if others == "losses" else []}
    return {"bytes": base64.b64encode(bytes(made)).decode(), others: [fields(each, names) for each in getattr(made, others)]}


def document(path, expected):
    """Returns everything about one document."""
    options = expected.get("options", {})
    data = path.read_bytes()
    hints = {"url": options.get("url"), "content_type": options.get("content_type")}
    answer = {"path": str(path), "detect": agentsdisc.detect_evidence(data, **hints)}
    links = agentsdisc.links(data)
    answer["links"] = [fields(each, "url label kind line column offset end") for each in links]
    try:
        parsed = agentsdisc.parse(data, format=options.get("format"), limits=agentsdisc.Limits(**options.get("limits", {})), **hints)
    except agentsdisc.ParseError as error:
        return answer | {"error": fields(error, "kind offset line column format") | {"message": str(error)}}
    answer |= {"format": parsed.format, "json": parsed.to_json()}
    found = parsed.check(options.get("origin"))
    answer["check"] = [fields(each, "code severity line column offset end message spec section") for each in found]
    answer["convert"] = {
        target: [written(lambda: parsed.convert(target, loosen=loosen, pretty=not loosen), "losses") for loosen in (False, True)]
        for target in TARGETS
    }
    answer["fix"] = written(parsed.fix, "changes")
    answer["defaults"] = {
        "companion_url": parsed.companion_url(),
        "needs_companion": parsed.needs_companion(),
        "session_seconds": parsed.session_seconds(),
        "server_url": parsed.server_url(),
        "is_audited": parsed.is_audited(),
    }
    if parsed.format == "robots-txt":
        rules = agentsdisc.RobotsTxt.of(parsed)
        names = "purpose purpose_text preference preference_text path agents source line span"
        answer["preferences"] = [fields(each, names) for each in rules.preferences]
        answer["crawl_delay"] = rules.crawl_delay("GPTBot")
    return answer


def decisions(expected):
    """Returns the core's answers to the questions of a vector."""
    documents = []
    for part in expected["documents"]:
        text = json.dumps(part["json"], ensure_ascii=False, separators=(",", ":")) if "json" in part else "".join(line + "\n" for line in part["lines"])
        documents.append(agentsdisc.parse(text, format=part.get("format")))
    robots = expected.get("robots")
    if isinstance(robots, dict):
        robots = agentsdisc.RobotsTxt("".join(line + "\n" for line in robots["lines"]))
    for question in expected["questions"]:
        asked = {name: value for name, value in question.items() if name != "expect"}
        decision = agentsdisc.decide(documents, robots=robots, **asked)
        yield _agentsdisc._decide(decision._asked)


def main():
    """Prints the answers."""
    if sys.argv[1] == "documents":
        for path in sorted((ROOT / "conformance").rglob("*.in"), key=str):
            print(json.dumps(document(path, json.loads(path.with_suffix(".json").read_bytes()))))
    if sys.argv[1] == "decisions":
        for path in sorted((ROOT / "conformance/policy").rglob("*.json"), key=str):
            print(json.dumps([str(path), *decisions(json.loads(path.read_bytes()))]))


main()
