"""What the site adds to the pages in docs/: navigation by pattern, files of the repository as pages, references, files for agents."""

import os
import posixpath
import re
import shutil
import sys
from pathlib import Path
from urllib.parse import urljoin

from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
HERE = Path(__file__).parent
SOURCES = "https://github.com/agentsdisc/agentsdisc/blob/main/"
PUBLISHED = "https://agentsdisc.github.io/agentsdisc/"
"""Where the site is, with which pages link to its parts that are not in docs/."""
log = get_plugin_logger("site")

INCLUDED = {
    "project/changelog.md": "CHANGELOG.md",
    "project/contributing.md": "CONTRIBUTING.md",
    "project/security.md": ".github/SECURITY.md",
    "project/conformance.md": "conformance/README.md",
}
"""Pages of the site that are files outside of docs/."""

PARTS = {
    "playground": "playground/index.html",
    "reference/javascript": "reference/javascript/index.html",
    "reference/rust": "reference/rust/agentsdisc_core/index.html",
    "reference/c": "reference/c/index.html",
}
"""Folders that other programs build, and their first pages. `cargo xtask site` names the folder that has them; the check only needs their names."""

MODULES = [
    "agentsdisc",
    "agentsdisc.calls",
    "agentsdisc.discovery",
    "agentsdisc.identity",
    "agentsdisc.mcp",
    "agentsdisc.readiness",
    "agentsdisc.registry",
    "agentsdisc.serving",
    "agentsdisc.verify",
    "agentsdisc.ray",
    "agentsdisc.scrapy",
    "agentsdisc.spark",
]
"""The public modules of the Python package."""


def on_config(config):
    config.nav = expanded(config.nav)
    sys.path.append(str(HERE))
    config.markdown_extensions.append("doctests")
    return config


def expanded(entry):
    """Replaces patterns in the navigation by the pages that match them; the index of a folder comes first."""
    if isinstance(entry, dict):
        return {title: expanded(below) for title, below in entry.items()}
    if not isinstance(entry, list):
        return entry
    found = []
    for each in entry:
        if each == "reference/python/*.md":
            found += [f"reference/python/{module}.md" for module in MODULES]
        elif isinstance(each, str) and "*" in each:
            pages = sorted(
                DOCS.glob(each), key=lambda page: (page.name != "index.md", page.name)
            )
            found += [page.relative_to(DOCS).as_posix() for page in pages]
        else:
            found.append(expanded(each))
    return found


def on_files(files, config):
    def add(uri, **source):
        files.append(File.generated(config, uri, **source))

    for uri, path in INCLUDED.items():
        add(uri, content=(ROOT / path).read_text(encoding="utf-8"))
    for module in MODULES:
        options = "    options:\n      show_root_heading: false\n"
        text = f"# {module}\n\n::: {module}\n{options}"
        add(f"reference/python/{module}.md", content=text)
    add("site.css", abs_src_path=str(HERE / "site.css"))
    add(
        "robots.txt",
        content=f"User-agent: *\nAllow: /\n\nSitemap: {config.site_url}sitemap.xml\n",
    )
    parts = os.environ.get("AGENTSDISC_SITE_PARTS")
    for folder, first in PARTS.items():
        if parts is None:
            add(
                first, content="<!doctype html><title>Built by cargo xtask site</title>"
            )
            continue
        if not Path(parts, first).is_file():
            log.warning(f"{first} is missing in {parts}")
        for path in sorted(Path(parts, folder).rglob("*")):
            if path.is_file():
                uri = path.relative_to(parts).as_posix()
                # A licence in Markdown is no page.
                uri = re.sub(r"\.md$", ".txt", uri)
                if uri == PARTS["reference/c"]:
                    add(uri, content=from_guide(path.read_text(encoding="utf-8")))
                else:
                    add(uri, abs_src_path=str(path))
    if parts is not None:
        # rustdoc links to it, but writes none for a single crate.
        to = "agentsdisc_core/index.html"
        text = f'<!doctype html><title>Rust</title><meta http-equiv="refresh" content="0; url={to}">'
        add("reference/rust/index.html", content=text)
    return files


def from_guide(text):
    """Returns the first page of the C reference, which is docs/c.md, with the links of the site."""

    def link(found):
        place = target(found[0], "docs/c.md", PARTS["reference/c"])
        return re.sub(r"(?<!:)(?:/index)?\.md(?=#|$)", "/", place, count=1)

    return re.sub(r'(?<=href=")(?:\.\./[^"]*|[\w./-]+\.md(?:#[^"]*)?)(?=")', link, text)


LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
FENCE = re.compile(r"^ *(```|~~~)")


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    source = INCLUDED.get(uri, f"docs/{uri}")
    is_code, lines = False, []
    for line in markdown.split("\n"):
        if FENCE.match(line):
            is_code = not is_code
            # The name of an example, which the tests read, would make it no fence.
            line = re.sub(r"^( *```\w+) .*", r"\1", line)
        elif not is_code:
            line = LINK.sub(lambda found: target(found[1], source, uri), line)
        lines.append(line)
    return "\n".join(lines)


def target(link, source, uri):
    """Returns the link of a page as the site has it: pages stay pages, everything else in the repository is a link to its source."""
    here = posixpath.dirname(uri)
    if link.startswith(PUBLISHED):
        place = link.removeprefix(PUBLISHED)
        path, hash, fragment = place.partition("#")
        path = PARTS.get(path.rstrip("/"), path)
        return posixpath.relpath(path, here or ".") + hash + fragment
    if link.startswith("#") or re.match(r"[a-z]+:", link):
        return link
    path, hash, fragment = link.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    pages = {path: page for page, path in INCLUDED.items()}
    if path in pages:
        path = f"docs/{pages[path]}"
    elif not path.startswith("docs/"):
        if not (ROOT / path).exists():
            log.warning(f"{source} links to {link}, which is not in the repository")
        return SOURCES + path + hash + fragment
    return posixpath.relpath(path.removeprefix("docs/"), here or ".") + hash + fragment


def on_post_page(output, page, config):
    # The dialog of the theme has no name.
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"', 1)


def on_post_build(config):
    """Writes what agents read: every page as Markdown beside it, and the list of them."""
    site = Path(config.site_dir)
    entries = []
    for page in sorted(DOCS.rglob("*.md")):
        place = page.relative_to(DOCS)
        folder = site / (
            place.parent if place.name == "index.md" else place.with_suffix("")
        )
        shutil.copy(page, folder / "index.md")
        if place.match("diagnostics/*.md"):
            continue  # diagnostics.md lists them
        text = page.read_text(encoding="utf-8")
        title = re.search(r"^# (.+)$", text, re.MULTILINE)[1]
        name = folder.relative_to(site).as_posix()
        where = urljoin(
            config.site_url, "index.md" if name == "." else f"{name}/index.md"
        )
        entries.append(f"- [{title}]({where})\n")
    head = (
        f"# {config.site_name}\n\n> {config.site_description}\n\n## Documentation\n\n"
    )
    (site / "llms.txt").write_text(head + "".join(entries), encoding="utf-8")
