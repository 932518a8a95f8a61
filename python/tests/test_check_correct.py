"""Sites that are correct, for every kind of host, from their files and from servers: none may be accused."""

from pathlib import Path

import pytest
from agentsdisc._facts import FACTS
from agentsdisc.readiness import Report, check_site
from agentsdisc.readiness.recipes import recipes
from test_check import HOSTS, SITE, build, checked, ready, write

ROOT = Path(__file__).parents[2]
PAGE = (
    "<!doctype html><html lang=en><head><title>Mugs</title></head>"
    "<body><h1>Mugs</h1><p>Mugs of clay, in many colours and sizes.</p></body></html>"
)
TWIN = PAGE.replace(
    "</head>", "<link rel=alternate type=text/markdown href=/index.md></head>"
)
LOC = f"<loc>{SITE}/</loc>"

CONTENTS: dict[str, dict[str, str]] = {
    "one page": {"index.html": PAGE},
    "everything allowed": {"index.html": PAGE, "robots.txt": ""},
    "everything forbidden but the documents": {
        "index.html": PAGE,
        "robots.txt": "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /llms.txt\nAllow: /.well-known/\n",
        "llms.txt": "# Mugs\n\n> Sells mugs.\n",
    },
    "documentation": {
        "index.html": TWIN,
        "index.md": "# Mugs\n\nMugs of clay, in many colours and sizes.\n",
        "robots.txt": "\ufeffUser-agent: *\r\nContent-Signal: search=yes, ai-train=no\r\nAllow: /\r\n\r\n"
        f"User-agent: GPTBot\r\nContent-Signal: search=yes, ai-train=no\r\nAllow: /\r\n\r\nSitemap: {SITE}/sitemap_index.xml\r\n",
        "sitemap_index.xml": f'<?xml version="1.0"?><sitemapindex><sitemap><loc>{SITE}/pages.xml</loc></sitemap></sitemapindex>',
        "pages.xml": f"<urlset><url>{LOC}<lastmod>2026-11-01</lastmod></url></urlset>",
        "llms.txt": f"# Mugs\n\n> Sells mugs.\n\n## Docs\n\n- [Home]({SITE}/index.md): all of them\n",
    },
}
"""What sites have, and nothing is wrong with it."""

MARKS = {
    **HOSTS,
    "_redirects": "/old /index.html 301\n",
    "wrangler.toml": 'name = "mugs"\n',
    "nginx.conf": "server {}\n",
    "Caddyfile": "mugs.example\n",
    ".nojekyll": "",
    "astro.config.mjs": "export default {}\n",
    "nuxt.config.ts": "export default {}\n",
    "manage.py": "",
    "package.json": '{"dependencies": {"express": "5", "hono": "4"}}',
    "requirements.txt": "fastapi\n",
}
"""A file of each kind of host."""


def accused(report: Report) -> list[tuple[str, str]]:
    return [(c.id, c.message) for c in report.checks if c.status == "fail"]


@pytest.mark.parametrize("name", MARKS)
def test_no_folder_of_a_host_is_accused(tmp_path: Path, name: str) -> None:
    for number, files in enumerate(CONTENTS.values()):
        folder = write(tmp_path / str(number), files | {name: MARKS[name]})
        assert accused(check_site(folder, canonical_origin=SITE)) == []
    folder = write(build(tmp_path / "all"), {name: MARKS[name]})
    # Without its own headers, a host sends the API catalog as bytes.
    report = check_site(folder, canonical_origin=SITE)
    known = name in HOSTS
    assert {id for id, _ in accused(report)} <= (set() if known else {"served-as"})


def test_the_set_is_large_enough() -> None:
    assert len(MARKS) * (len(CONTENTS) + 1) >= 50
    kinds = recipes()["hosts"]
    files = {file for about in kinds.values() for file in about["files"]}
    assert {*MARKS} & files, "each kind of host with a file of its own is tried"


VALID = [
    file
    for format in ("robots-txt", "llms-txt", "a2a-agent-card", "ai-catalog", "awp")
    for file in sorted((ROOT / "conformance/valid" / format).iterdir())
]


@pytest.mark.parametrize(
    "file", VALID, ids=lambda file: f"{file.parent.name}/{file.name}"
)
def test_no_valid_document_is_accused(tmp_path: Path, file: Path) -> None:
    (location, *_) = FACTS[file.parent.name].locations
    place = tmp_path / location.lstrip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(file.read_bytes())
    (tmp_path / "index.html").write_text(PAGE)
    report = check_site(tmp_path)
    # What it names is not there: only the document is.
    found = [(id, said) for id, said in accused(report) if "status 404" not in said]
    assert found == []


@pytest.mark.parametrize("host", recipes()["hosts"])
def test_no_server_is_accused(host: str) -> None:
    headers = recipes()["hosts"][host]["headers"]
    sent = {
        name: pattern.strip("^").replace("\\", "").split("|")[0].strip("()") or "1"
        for name, pattern in headers.items()
    }
    with ready(sent) as server:
        report = checked(server)
    assert accused(report) == []
    assert report.level == 4
