"""Checks every link in a built site: `links.py FOLDER [PART ...]`. A part is a page that only the whole site has, so its anchors are not looked at."""

import html
import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

SITE = os.environ.get("AGENTSDISC_SITE_URL", "https://agentsdisc.github.io/agentsdisc/")
TAG = re.compile(r"<(?!/)[a-zA-Z][^<>]*>")
LINK = re.compile(r"""\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
ANCHOR = re.compile(r"""\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
UNSEEN = re.compile(r"<!--.*?-->|(<script\b[^>]*>).*?</script>", re.DOTALL)


def read(page: Path) -> tuple[set[str], set[str]]:
    """Returns the links and the anchors of a page."""
    text = UNSEEN.sub(r"\1", page.read_text(encoding="utf-8", errors="replace"))
    links, anchors = set(), set()
    for tag in TAG.findall(text):
        links |= {html.unescape(a or b) for a, b in LINK.findall(tag)}
        anchors |= {html.unescape(a or b) for a, b in ANCHOR.findall(tag)}
    return links, anchors


def broken(site: Path, parts: set[str]) -> tuple[int, list[str]]:
    """Returns how many links were looked at, and those that lead nowhere."""
    pages = {
        page.relative_to(site).as_posix(): read(page)
        for page in sorted(site.rglob("*.html"))
    }
    number, wrong = 0, []
    for path, (links, _) in pages.items():
        for link in sorted(links):
            url = urljoin(urljoin(SITE, path), link)
            if not url.startswith(urljoin(SITE, "/")):
                continue
            number += 1
            if not url.startswith(SITE):
                wrong.append(f"{path}: {link}")
                continue
            place = urlsplit(url.removeprefix(SITE))
            target, fragment = unquote(place.path), place.fragment
            if target == "" or target.endswith("/"):
                target += "index.html"
            # rustdoc names scripts with the implementations of other crates.
            if not (site / target).is_file() and "/trait.impl/" not in target:
                wrong.append(f"{path}: {link}")
            elif fragment and target in pages and target not in parts:
                # As browsers do: as it is written, then decoded. A range of lines of source is selected by a script.
                is_known = {fragment, unquote(fragment)} & pages[target][1]
                if not is_known and not re.fullmatch(r"\d+(-\d+)?", fragment):
                    wrong.append(f"{path}: {link}")
    return number, wrong


if __name__ == "__main__":
    number, wrong = broken(Path(sys.argv[1]), set(sys.argv[2:]))
    print(*wrong[:100], sep="\n")
    if wrong:
        sys.exit(f"{len(wrong):,} of {number:,} links lead nowhere")
    print(f"{number:,} links lead somewhere")
