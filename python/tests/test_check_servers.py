"""`check_site` against real nginx, Caddy and Apache, each with a site that is ready, and with a fallback to one page for everything.

Only with `cargo xtask test --long`; `.ci/run` installs the servers.
"""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from agentsdisc.readiness import Report, check_site
from conftest import LONG_ONLY
from test_check import SITE, build

pytestmark = LONG_ONLY

TYPES = "text/html html; text/plain txt; text/markdown md; application/json json; application/xml xml;"

NGINX = """\
daemon off; pid {work}/nginx.pid; error_log {work}/error.log;
events {{}}
http {{
  access_log off; charset utf-8; charset_types text/plain text/markdown application/json;
  client_body_temp_path {work}/a; proxy_temp_path {work}/b; fastcgi_temp_path {work}/c; uwsgi_temp_path {work}/d; scgi_temp_path {work}/e;
  types {{ {types} }}
  server {{
    listen 127.0.0.1:{port}; root {root};
    location / {{ try_files $uri $uri.html $uri/ {fallback}; }}
    location /.well-known/ {{
      add_header Access-Control-Allow-Origin *; add_header Access-Control-Allow-Methods "GET, OPTIONS"; add_header Cache-Control max-age=300;
      try_files $uri {fallback};
    }}
    location = /.well-known/api-catalog {{
      default_type application/linkset+json; types {{}}
      add_header Link '</.well-known/api-catalog>; rel="api-catalog"';
    }}
  }}
}}
"""

CADDY = """\
{{
  admin off
  auto_https off
  storage file_system {work}
}}
http://127.0.0.1:{port} {{
  root * {root}
  header /.well-known/* Access-Control-Allow-Origin *
  header /.well-known/* Access-Control-Allow-Methods "GET, OPTIONS"
  header /.well-known/* Cache-Control max-age=300
  header /.well-known/api-catalog Content-Type application/linkset+json
  header /.well-known/api-catalog Link `</.well-known/api-catalog>; rel="api-catalog"`
  {fallback}
  file_server
}}
"""

APACHE = """\
ServerRoot {work}
ServerName localhost
Listen 127.0.0.1:{port}
PidFile {work}/apache.pid
ErrorLog {work}/error.log
{modules}
TypesConfig {work}/types
DocumentRoot {root}
AddCharset utf-8 .txt .json .md .html
DirectoryIndex index.html
<Directory {root}>
  Require all granted
  AllowOverride All
  Options +MultiViews
</Directory>
"""

HTACCESS = """\
{fallback}
<Files "api-catalog">
  ForceType application/linkset+json
  Header set Link "</.well-known/api-catalog>; rel=\\"api-catalog\\""
</Files>
Header set Access-Control-Allow-Origin "*"
Header set Access-Control-Allow-Methods "GET, OPTIONS"
Header set Cache-Control "max-age=300"
"""

MODULES = ("mpm_event", "authz_core", "mime", "dir", "headers", "negotiation")


def nginx(root: Path, work: Path, port: int, fallback: bool) -> list[str]:
    then = "/index.html" if fallback else "=404"
    text = NGINX.format(work=work, root=root, port=port, types=TYPES, fallback=then)
    (work / "nginx.conf").write_text(text)
    return ["nginx", "-c", str(work / "nginx.conf"), "-p", str(work)]


def caddy(root: Path, work: Path, port: int, fallback: bool) -> list[str]:
    then = f"try_files {{path}} {{path}}.html{' /index.html' if fallback else ''}"
    text = CADDY.format(work=work, root=root, port=port, fallback=then)
    (work / "Caddyfile").write_text(text)
    return [
        "caddy",
        "run",
        "--config",
        str(work / "Caddyfile"),
        "--adapter",
        "caddyfile",
    ]


def apache(root: Path, work: Path, port: int, fallback: bool) -> list[str]:
    loads = "\n".join(
        f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so"
        for name in MODULES
    )
    text = APACHE.format(work=work, root=root, port=port, modules=loads)
    (work / "apache.conf").write_text(text)
    (work / "types").write_text(TYPES.replace("; ", "\n").rstrip(";"))
    then = "FallbackResource /index.html" if fallback else ""
    (root / ".htaccess").write_text(HTACCESS.format(fallback=then))
    return ["apache2", "-f", str(work / "apache.conf"), "-X"]


SERVERS = {"nginx": nginx, "caddy": caddy, "apache2": apache}


@contextmanager
def running(name: str, folder: Path, fallback: bool) -> Iterator[tuple[str, Path]]:
    """Runs a server with the site that is ready; yields its URL and the folder of the site."""
    if shutil.which(name) is None:
        pytest.skip(f"needs {name}")
    root, work = folder / "site", folder / "work"
    work.mkdir(parents=True)
    build(root)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = SERVERS[name](root, work, port, fallback)
    # The servers do not run as root, but read the folder.
    for place in (folder, *folder.parents):
        if place.stat().st_mode & 0o005 != 0o005 and os.geteuid() == 0:
            place.chmod(place.stat().st_mode | 0o005)
    environment = {**os.environ, "HOME": str(work), "XDG_DATA_HOME": str(work)}
    with (work / "output").open("wb") as output:
        process = subprocess.Popen(
            command, env=environment, stdout=output, stderr=output
        )
        try:
            for _ in range(200):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None, (work / "output").read_text()
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}", root
        finally:
            process.terminate()
            process.wait(10)


def bad(report: Report) -> list[tuple[str, str, object]]:
    found = (c for c in report.checks if c.status in {"fail", "warn"})
    return [(check.id, check.message, check.evidence) for check in found]


@pytest.mark.parametrize("name", SERVERS)
def test_a_site_that_is_ready_is_not_accused(name: str, tmp_path: Path) -> None:
    with running(name, tmp_path, fallback=False) as (url, _):
        report = check_site(url, canonical_origin=SITE, allow_private=True)
    assert bad(report) == []
    assert report.level == 4


@pytest.mark.parametrize("name", SERVERS)
def test_a_fallback_for_everything_is_a_soft_404(name: str, tmp_path: Path) -> None:
    with running(name, tmp_path, fallback=True) as (url, _):
        report = check_site(url, canonical_origin=SITE, allow_private=True)
    assert [id for id, *_ in bad(report)] == ["honest-404"]


def test_the_folder_of_apache_says_the_same_as_the_server(tmp_path: Path) -> None:
    with running("apache2", tmp_path, fallback=False) as (url, root):
        online = check_site(url, canonical_origin=SITE, allow_private=True)
        offline = check_site(root)
    decided = {c.id: c.status for c in offline.checks if c.status != "unknown"}
    said = {c.id: c.status for c in online.checks if c.id in decided}
    assert said == decided
