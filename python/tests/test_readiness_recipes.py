"""What is written for each host: complete, found for the right host, and working in the servers that are installed."""

import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from agentsdisc.readiness import Check, Evidence
from agentsdisc.readiness.hosts import host_of
from agentsdisc.readiness.recipes import (
    Server,
    host_of_folder,
    host_of_headers,
    recipe,
    recipes,
    server,
    types,
    with_recipes,
)
from reports import SITE

HOSTS = list(recipes()["hosts"])
NEEDS = list(recipes()["needs"])
CATALOG = "/.well-known/api-catalog"


def test_every_host_has_a_text_for_every_need() -> None:
    assert len(HOSTS) == 14
    for id in HOSTS:
        assert list(server(id).recipes) == [
            "headers",
            "link",
            "negotiation",
            "not-found",
        ]
        for need in NEEDS:
            text = recipe(server(id), need, CATALOG)
            assert text.strip() and "%PATH%" not in text and "%TYPE%" not in text
            assert "%LINK" not in text and "%NAME%" not in text, (id, need)


@pytest.mark.parametrize(
    ("names", "host"),
    [
        (["netlify.toml"], "netlify"),
        (["_headers"], "netlify"),
        (["vercel.json"], "vercel"),
        (["wrangler.toml", "_headers"], "cloudflare"),
        ([".htaccess"], "apache"),
        (["Caddyfile"], "caddy"),
        (["nginx.conf"], "nginx"),
        (["astro.config.mjs"], "astro"),
        (["manage.py"], "django"),
        (["index.html"], None),
    ],
)
def test_a_folder_names_its_host(
    tmp_path: Path, names: list[str], host: str | None
) -> None:
    for name in names:
        (tmp_path / name).touch()
    found = host_of_folder(tmp_path)
    assert (found and found.id) == host
    (tmp_path / "dist").mkdir()
    if "_headers" not in names:
        found = host_of_folder(tmp_path / "dist")
        assert (found and found.id) == host


@pytest.mark.parametrize(
    ("name", "text", "host"),
    [
        ("package.json", '{"dependencies": {"express": "^5"}}', "express"),
        ("package.json", '{"dependencies": {"@hono/node-server": "1"}}', None),
        ("package.json", '{"dependencies": {"hono": "4"}}', "hono"),
        ("package.json", '{"description": "express hono"}', None),
        ("package.json", "[" * 100_000, None),
        ("requirements.txt", "fastapi==0.120\n", "fastapi"),
        ("pyproject.toml", 'dependencies = ["Django>=5"]', "django"),
        ("requirements.txt", "django-stubs\n", None),
    ],
)
def test_packages_name_a_host(
    tmp_path: Path, name: str, text: str, host: str | None
) -> None:
    (tmp_path / name).write_text(text)
    found = host_of_folder(tmp_path)
    assert (found and found.id) == host


@pytest.mark.parametrize(
    ("headers", "host"),
    [
        ([("Server", "nginx/1.22.1")], "nginx"),
        ([("server", "Apache")], "apache"),
        ([("Server", "Caddy")], "caddy"),
        ([("Server", "cloudflare"), ("CF-Ray", "x")], "cloudflare"),
        ([("Server", "Netlify"), ("X-NF-Request-Id", "1")], "netlify"),
        ([("x-vercel-id", "fra1")], "vercel"),
        ([("Server", "GitHub.com")], "github-pages"),
        ([("Server", "AmazonS3")], "s3"),
        ([("X-Powered-By", "Express")], "express"),
        ([("Server", "my-nginx")], None),
        ([], None),
    ],
)
def test_headers_name_a_host(headers: list[tuple[str, str]], host: str | None) -> None:
    found = host_of_headers(headers)
    assert (found and found.id) == host


def failed(id: str, *evidence: Evidence) -> Any:
    return replace(
        SITE, target="dist", checks=(Check(id, "fail", "x", evidence, "do it"),)
    )


def test_a_failed_check_names_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "_headers").write_text(
        f"/*\n  X: y\n\n{CATALOG}\n  Content-Type: text/plain\n"
    )
    wrong = Evidence(file=CATALOG[1:], header="Content-Type: text/plain")
    host = host_of_folder(tmp_path)
    (check,) = with_recipes(failed("served-as", wrong), host, tmp_path).checks
    assert check.evidence[-1] == Evidence(file="_headers", line=4, text="what to edit")
    assert check.fix is not None
    assert check.fix.startswith("do it\n\nNetlify, in _headers, line 4:\n")
    assert "Content-Type: application/linkset+json" in check.fix
    (check,) = with_recipes(failed("link-headers"), host, tmp_path).checks
    assert check.evidence[-1].line == 6
    # Other mistakes in the document are not mended by headers.
    other = Evidence(file=CATALOG[1:], text="the linkset is empty")
    (check,) = with_recipes(failed("api-catalog", other), host, tmp_path).checks
    assert check.fix == "do it"
    passed = replace(SITE, checks=(Check("served-as", "pass", "x", (wrong,)),))
    assert with_recipes(passed, host, tmp_path) == passed


@pytest.mark.parametrize("id", HOSTS)
def test_texts_are_valid_in_their_language(id: str) -> None:
    host = server(id)
    for need in NEEDS:
        text = recipe(host, need, CATALOG)
        if host.edit == "vercel.json":
            assert json.loads(text)
        if id in {"fastapi", "django"} and need != "not-found":
            compile(text, id, "exec")
        if host.file == "_headers" and need in {"headers", "link"}:
            assert text.startswith("/")


def test_the_texts_for_files_are_read_back(tmp_path: Path) -> None:
    """The recipe for a file that a check of a folder reads has the effect there."""
    for id, name in (
        ("netlify", "_headers"),
        ("vercel", "vercel.json"),
        ("apache", ".htaccess"),
    ):
        folder = tmp_path / id
        folder.mkdir()
        (folder / name).write_text(recipe(server(id), "headers", CATALOG))
        sent = {key.lower(): value for key, value in host_of(folder).headers(CATALOG)}
        if id != "apache":  # A condition, which is not decided.
            assert sent["content-type"] == types()[CATALOG]
            assert sent["access-control-allow-origin"] == "*"


SITE_FILES = {
    "index.html": "<!doctype html><title>Mugs</title>",
    "index.md": "# Mugs\n",
    ".well-known/api-catalog": '{"linkset": []}',
}


@contextmanager
def running(command: list[str], port: int, folder: Path | None = None) -> Iterator[str]:
    """Starts a server, and ends it."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder
    )
    try:
        for _ in range(200):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port


def written(host: Server, *needs: str) -> str:
    return "\n".join(recipe(host, need, CATALOG) for need in needs)


@pytest.fixture
def pages() -> Iterator[Path]:
    """A folder with a site. Servers that begin as root read it as another user, who may not enter pytest's folders."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for path, text in SITE_FILES.items():
            file = folder / "site" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        yield folder


def has_effect(origin: str) -> None:
    with httpx.Client(base_url=origin) as client:
        catalog = client.get(CATALOG)
        assert catalog.status_code == 200
        assert catalog.headers["content-type"] == types()[CATALOG]
        assert catalog.headers["access-control-allow-origin"] == "*"
        assert catalog.headers["cache-control"] == "max-age=300"
        browser = client.get("/", headers={"Accept": "text/html,*/*;q=0.8"})
        assert browser.headers["content-type"].startswith("text/html")
        agent = client.get("/", headers={"Accept": "text/markdown"})
        assert agent.text == SITE_FILES["index.md"]
        assert (
            agent.headers["content-type"].replace(" ", "").lower()
            == "text/markdown;charset=utf-8"
        )
        for answer in (browser, agent):
            assert "accept" in answer.headers["vary"].lower().split(", ")
        assert 'rel="api-catalog"' in browser.headers["link"]
        assert client.get("/.well-known/none").status_code == 404
        page = client.get("/some/page")
        assert (page.status_code, page.text) == (200, SITE_FILES["index.html"])


def test_nginx(pages: Path) -> None:
    if shutil.which("nginx") is None:
        pytest.skip("needs nginx")
    host, port = server("nginx"), free_port()
    beside, _, inside = written(host, "negotiation").partition(
        "# in the server block\n"
    )
    # One location has both headers of the home page.
    link = next(line for line in host.recipes["link"] if "add_header" in line)
    link = link.replace(
        "%LINK_QUOTED%", '</.well-known/api-catalog>; rel="api-catalog"'
    )
    inside = inside.replace("    add_header Vary", f"{link}\n    add_header Vary")
    config = f"""
daemon off; pid {pages}/pid; error_log stderr; events {{}}
http {{
    types {{ text/html html; application/json json; text/plain txt; }}
    access_log off;
    {" ".join(f"{kind}_temp_path {pages}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))}
    {beside}
    server {{
        listen 127.0.0.1:{port}; root {pages}/site;
        {inside}
        {written(host, "headers", "not-found")}
        location / {{ try_files $uri /index.html; }}
    }}
}}
"""
    (pages / "nginx.conf").write_text(config)
    command = [
        "nginx",
        "-c",
        str(pages / "nginx.conf"),
        "-p",
        str(pages),
        "-e",
        "stderr",
    ]
    with running(command, port) as origin:
        has_effect(origin)


def test_caddy(pages: Path) -> None:
    if shutil.which("caddy") is None:
        pytest.skip("needs caddy")
    host, port = server("caddy"), free_port()
    config = f"""
{{
    admin off
    auto_https off
}}
http://127.0.0.1:{port} {{
    root * {pages}/site
    {written(host, "headers", "link", "negotiation", "not-found")}
}}
"""
    (pages / "Caddyfile").write_text(config)
    command = [
        "caddy",
        "run",
        "--adapter",
        "caddyfile",
        "--config",
        str(pages / "Caddyfile"),
    ]
    with running(command, port) as origin:
        has_effect(origin)


def test_apache(pages: Path) -> None:
    modules = Path("/usr/lib/apache2/modules")
    if shutil.which("apache2") is None or not modules.is_dir():
        pytest.skip("needs Apache")
    host, port = server("apache"), free_port()
    names = ("mpm_event", "authz_core", "mime", "dir", "headers", "rewrite")
    loaded = "\n".join(
        f"LoadModule {name}_module {modules}/mod_{name}.so" for name in names
    )
    rules = written(host, "headers", "link", "negotiation", "not-found")
    fallback = "RewriteCond %{REQUEST_FILENAME} !-f\nRewriteCond %{REQUEST_FILENAME} !-d\nRewriteRule . /index.html [L]"
    (pages / "site/.htaccess").write_text(f"{rules}\n{fallback}\n")
    config = f"""
ServerRoot {pages}
ServerName localhost
Listen 127.0.0.1:{port}
PidFile {pages}/pid
ErrorLog {pages}/log
{loaded}
TypesConfig /dev/null
AddType text/html .html
DirectoryIndex index.html
User daemon
Group daemon
DocumentRoot {pages}/site
<Directory {pages}/site>
    AllowOverride All
    Require all granted
</Directory>
"""
    (pages / "apache.conf").write_text(config)
    command = ["apache2", "-f", str(pages / "apache.conf"), "-DFOREGROUND"]
    with running(command, port) as origin:
        has_effect(origin)


_PROGRAM = """
import {{ createRequire }} from "node:module";
import {{ createServer }} from "node:http";
const require = createRequire({root});
{body}
"""

_EXPRESS = """
const express = require("express");
const app = express();
{recipes}
app.use(express.static("public"));
{last}
app.use((request, response) => response.sendFile("index.html", {{ root: "public" }}));
app.listen({port}, "127.0.0.1");
"""

_HONO = """
const {{ Hono }} = require("hono");
const {{ accepts }} = require("hono/accepts");
const app = new Hono(), document = '{{"linkset": []}}', markdown = "# Mugs\\n";
{recipes}
app.get("/", (c) => c.html(page));
{last}
app.get("*", (c) => c.html(page));
const page = "<!doctype html><title>Mugs</title>";
createServer(async (request, response) => {{
  const answer = await app.fetch(new Request(`http://localhost${{request.url}}`, {{ headers: request.headers }}));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}}).listen({port}, "127.0.0.1");
"""


@pytest.mark.parametrize(("id", "body"), [("express", _EXPRESS), ("hono", _HONO)])
def test_servers_in_javascript(pages: Path, root: Path, id: str, body: str) -> None:
    node, package = shutil.which("node"), root / "js/package.json"
    if node is None or not (package.parent / "node_modules" / id).is_dir():
        pytest.skip(f"needs node and {id} in js/node_modules")
    host, port = server(id), free_port()
    (pages / "site").rename(pages / "public")
    texts = written(host, "headers", "link", "negotiation")
    last = recipe(host, "not-found", CATALOG)
    program = body.format(recipes=texts, last=last, port=port)
    file = pages / "server.mjs"
    file.write_text(_PROGRAM.format(root=json.dumps(str(package)), body=program))
    with running([node, "--", str(file)], port, pages) as origin:
        has_effect(origin)
