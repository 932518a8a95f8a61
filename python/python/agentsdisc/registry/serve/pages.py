"""Pages for people: rendered by the server, without scripts."""

from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ..._visible import visible
from ..entries import Results
from ..store import Store
from .problems import KINDS, Problem
from .requests import query
from .state import Answer, Registry

POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
_STYLE = """:root{color-scheme:light dark;--ink:#1f2328;--paper:#fbfaf7;--soft:#666;--line:#ddd;--accent:#0b6060}
@media(prefers-color-scheme:dark){:root{--ink:#e8e6e1;--paper:#15181b;--soft:#a5a8ab;--line:#33383d;--accent:#6cc5c0}}
body{margin:0 auto;max-width:44rem;padding:2rem 1rem;font:1rem/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
a{color:var(--accent)}h1{font:600 1.8rem/1.2 Georgia,serif}article{border-top:1px solid var(--line);padding:1rem 0}h2{font-size:1.1rem;margin:0}
form{display:flex;gap:.5rem;flex-wrap:wrap}label{width:100%}input{flex:1;min-width:12rem}input,button{font:inherit;padding:.5rem .7rem}
.soft{color:var(--soft)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}.skip:not(:focus){position:absolute;left:-99rem}"""


def _text(value: str | None, most: int = 400) -> str:
    text = visible(value or "")
    return escape(text if len(text) <= most else text[:most] + "…")


def _page(title: str, content: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{_text(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f'<body><a class="skip" href="#main">Skip to the content</a><main id="main">{content}</main></body></html>'
    )


def routes(registry: Registry) -> list[Route]:
    """Returns the routes of the pages."""

    async def search(request: Request) -> Response:
        asked = query(request)

        def make(store: Store) -> Answer:
            results = store.search(asked) if asked.text.strip() else None
            return search_page(registry, asked.text, results)

        return await registry.answer(request, make)

    registry.error_page = lambda problem: error_page(problem, registry)
    return [Route("/", search, methods=["GET"])]


def search_page(registry: Registry, text: str, results: Results | None) -> Answer:
    """Returns the page with the search form, and what was found."""
    name = registry.settings.name
    parts = [
        f'<h1>{_text(name)}</h1><form role="search" action="/"><label for="q">What should be done?</label>'
        f'<input id="q" name="q" type="search" maxlength="1000" value="{_text(text, 1000)}"><button>Search</button></form>'
    ]
    if results is not None and not results.hits:
        parts.append("<p>Nothing was found. Try other or fewer words.</p>")
    for hit in results.hits if results is not None else ():
        service = hit.service
        names = ", ".join(_text(entry.name, 80) for entry in hit.capabilities)
        parts.append(
            f"<article><h2>{_text(service.name or service.domain, 120)}</h2>"
            f'<p class="soft">{_text(service.domain, 253)} · {escape(", ".join(service.formats))}</p>'
            f"<p>{_text(service.description)}</p>"
            + (f"<p>Can do: {names}</p>" if names else "")
            + "</article>"
        )
    body = _page(name, "".join(parts)).encode()
    headers = (("Content-Security-Policy", POLICY),)
    return Answer(body, "text/html", headers)


def error_page(problem: Problem, registry: Registry) -> HTMLResponse:
    """Returns a problem as a page."""
    title = KINDS[problem.kind].title
    content = f'<h1>{escape(title)}</h1><p>{escape(problem.detail)}</p><p><a href="/">Search</a></p>'
    headers = {"Content-Security-Policy": POLICY}
    return HTMLResponse(_page(title, content), problem.status, headers)
