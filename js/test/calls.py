"""Answers what the Python package answers to calls and tools, for the tests of the package.

`plans`: dry runs of all calls of the vectors, the core's plans of them, and the tools of their documents. `calls ORIGIN`: the calls that standard input names, of
the site at ORIGIN. `agent` and `tools-server KIND`: serve an agent of the A2A SDK
or a server of the MCP SDK, print its address, and at the end what was called. `bank SECONDS`: servers of OAuth 2. `hostile FOLDER`: writes descriptions.
`authorize`: calls with the clients of OAuth 2 that standard input describes, line by line.
"""

import json
import sys
from pathlib import Path

import agentsdisc
from agentsdisc import _agentsdisc, calls

ROOT = Path(__file__).parents[2]
STYLES = ("openai", "anthropic", "mcp")


def documents_of(vector):
    """Returns the documents of a vector."""
    for part in vector["documents"]:
        text = json.dumps(part["json"], ensure_ascii=False, separators=(",", ":")) if "json" in part else "".join(line + "\n" for line in part["lines"])
        yield agentsdisc.parse(text, format=part.get("format"))


def number(text):
    """Returns a number as JavaScript has it: without a fraction, it is whole."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def failed(error):
    """Returns an error."""
    more = {name: value for name in ("problem", "argument", "failure", "status") if (value := getattr(error, name, None)) is not None}
    return {"error": type(error).__name__, "message": str(error), **more}


def planned(documents, call):
    """Returns the answer to a dry run."""
    options = call.get("options", {})
    given = call.get("arguments", {})
    if not isinstance(given, dict) or "capability" not in call or {"operation", "session", "constant_headers"} & options.keys():
        return None
    done = [each["action"] for each in options.get("done", ())]
    names = ("undeclared", "from_text", "idempotency_key")
    more = {name: options[name] for name in names if options.get(name)}
    try:
        plan = calls.call(
            documents,
            call["capability"],
            given,
            agent=call.get("agent", "Bot"),
            credentials="t" if options.get("credential") else None,
            origin=call.get("origin"),
            approve=call.get("approved", ()),
            done=done,
            dry_run=True,
            **more,
        )
    except calls.ClientNeeded as error:
        return {"error": "ClientNeeded"} | {"operation": error.operation.url}
    except calls.CallError as error:
        return failed(error)
    except ValueError:
        return {"error": "TypeError"}
    return {"text": str(plan), "first": plan.first, "detail": plan.detail, "credential": plan.credential}


def core(documents, call):
    """Returns the plans and results of the core, as its JSON."""
    options = call.get("options", {})
    given = call.get("arguments", {})
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, separators=(",", ":"))
    asked = {name: call[name] for name in ("capability", "url", "method", "origin") if name in call}
    decision = agentsdisc.decide(documents, agent=call.get("agent", "Bot"), approved=call.get("approved", ()), **asked)
    progress = _agentsdisc._Call()
    body = lambda each: (each if isinstance(each, str) else json.dumps(each, ensure_ascii=False, separators=(",", ":"))).encode()
    settings = (
        bool(options.get("credential")),
        bool(options.get("session")),
        options.get("confirmed") == "must",
        [(each["action"], body(each["body"])) for each in options.get("done", ())],
        options.get("idempotency_key"),
        options.get("operation"),
        bool(options.get("undeclared")),
        bool(options.get("from_text")),
    )
    found = [progress.plan(decision._asked, text.encode(), settings)]
    for answer in call.get("answers", ()):
        headers = [*answer.get("headers", {}).items()]
        said = body(answer["body"]) if "body" in answer else b""
        found.append(progress.next(decision._asked, answer["status"], headers, said, 1_790_000_000))
    return found


def tools_of(documents):
    """Returns the tools in each style, and what is denied."""
    made = [agentsdisc.tools(documents, agent="Bot", style=style) for style in STYLES]
    strict = {name: tool.strict for name, tool in made[0].by_name.items()}
    return {"tools": [list(each) for each in made], "denied": [each.id for each in made[0].denied], "strict": strict}


def called(origin, cases):
    """Calls a site, and returns the answers."""
    site = agentsdisc.discover(origin, allow_private=True, cache=False)
    for case in cases:
        options = dict(case.get("options", {}))
        asked = []
        if (confirm := options.pop("asks", None)) is not None:
            options["confirm"] = lambda question, name, given, says=confirm: asked.append(str(question)) or says
        if (tokens := options.pop("tokens", None)) is not None:
            options["credentials"] = lambda decision, left=iter(tokens): next(left, None)
        steps = []
        try:
            answer = site.call(case["capability"], case.get("arguments"), agent="Bot/1.0", limiter=calls.Limiter(), **options)
            found = {
                "status": answer.status,
                "data": answer.data,
                "outputs": [[each.name, each.type, each.value, each.typed] for each in answer.outputs],
            }
            steps = answer.steps
        except calls.CallError as error:
            found, steps = failed(error) | {"job": error.job}, error.steps
        except ValueError:
            found = {"error": "TypeError"}
        shown = [[each.kind, each.capability, each.request.method, each.request.url, each.status] for each in steps]
        print(json.dumps({**found, "steps": shown, "asked": asked}), flush=True)


def authorized(case):
    """Calls with a client of OAuth 2, for which a person agrees in a browser at once."""

    def open_url(url):
        threading.Thread(target=httpx.get, args=(url,), kwargs={"follow_redirects": True}).start()

    oauth = calls.OAuth2(open_url=open_url, **case["options"])
    options = {"agent": "Bot/1.0", "origin": case["origin"], "allow_private": True, "credentials": oauth}
    for _ in range(case.get("count", 1)):
        try:
            yield {"status": calls.call(agentsdisc.parse(case["document"]), "look", {}, limiter=calls.Limiter(), **options).status}
        except calls.CallError as error:
            yield failed(error)


if sys.argv[1] == "authorize":
    import threading

    import httpx

    for line in sys.stdin:
        print(json.dumps([*authorized(json.loads(line))]), flush=True)
elif sys.argv[1] == "plans":
    for path in sorted((ROOT / "conformance/call").rglob("*.json"), key=str):
        vector = json.loads(path.read_bytes(), parse_float=number)
        documents = list(documents_of(vector))
        rows = [[planned(documents, call), core(documents, call)] for call in vector["calls"]]
        print(json.dumps([str(path), rows, tools_of(documents)]))
elif sys.argv[1] == "tools":
    for path in sorted((ROOT / "conformance").rglob("*.in"), key=str):
        try:
            document = agentsdisc.parse(path.read_bytes(), format=json.loads(path.with_suffix(".json").read_bytes()).get("options", {}).get("format"))
        except agentsdisc.ParseError:
            continue
        print(json.dumps([str(path), tools_of([document])]))
elif sys.argv[1] == "bank":
    sys.path.insert(0, str(ROOT / "python/tests"))
    from asgi import app_serving
    from authorization import CLIENT, SECRET, world
    from starlette.applications import Starlette
    from starlette.routing import Route
    from test_calls_oauth import Bank

    bank = Bank()
    bank.lasts = int(sys.argv[2])
    app = Starlette(routes=[Route("/token", bank.token, methods=["POST"]), Route("/api", bank.api)])
    with app_serving(app) as port, world() as shop:
        bank.origin = f"http://127.0.0.1:{port}"
        refresh = shop.issuer._issued(CLIENT, ["read"], f"{shop.api}/api").refresh_token
        print(json.dumps({"bank": bank.origin, "api": shop.api, "issuer": shop.issuer.url, "mcp": shop.mcp, "refresh": refresh, "client": CLIENT, "secret": SECRET}), flush=True)
        sys.stdin.read()
        print(json.dumps(bank.grants), flush=True)
elif sys.argv[1] == "hostile":
    sys.path.insert(0, str(ROOT / "python/tests"))
    from test_calls_openapi import _hostile

    operation = {"get": {"operationId": "other"}}
    for kind, members in _hostile().items():
        text = json.dumps({"openapi": "3.1.0", "info": {"title": "M", "version": "1"}, "paths": {"/a": operation}, **members})
        Path(sys.argv[2], kind).write_text(text)
elif sys.argv[1] == "agent":
    sys.path.insert(0, str(ROOT / "python/tests"))
    from a2a_server import a2a_app
    from asgi import app_serving

    with app_serving(a2a_app()) as port:
        print(f"http://127.0.0.1:{port}", flush=True)
        sys.stdin.read()
elif sys.argv[1] == "tools-server":
    sys.path.insert(0, str(ROOT / "python/tests"))
    from mcp_server import mcp_serving

    with mcp_serving(sys.argv[2], asks=True) as shop:
        print(shop.url, flush=True)
        sys.stdin.read()
        print(json.dumps(shop.called), flush=True)
else:
    called(sys.argv[2], json.load(sys.stdin))
