"""The pages of docs/ refer to each other and are referred to by what exists, and each format has its page."""

import importlib.util
import json
import re
import types
from collections.abc import Iterator
from pathlib import Path

import agentsdisc
import pytest
from conftest import ROOT
from test_docs import BLOCK, PAGES

LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
FENCED = re.compile(r"^(```|~~~).*?^\1$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
OTHERS = [
    ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "conformance/README.md")
]


def anchors(text: str) -> set[str]:
    """Returns the anchors of the headings of a page, as GitHub makes them, and those written as HTML."""
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in re.findall(r"^#+ (.+)$", FENCED.sub("", text), re.MULTILINE):
        name = re.sub(r"\]\([^)]*\)", "", heading).lower()
        name = re.sub(r"[^\w\- ]", "", name).strip().replace(" ", "-")
        number = 0
        while (name if not number else f"{name}-{number}") in found:
            number += 1
        found.add(f"{name}-{number}" if number else name)
    return found


def broken(page: Path, text: str) -> Iterator[str]:
    """Yields the links of a page to files or headings that do not exist."""
    for path, anchor in LINK.findall(CODE.sub("", FENCED.sub("", text))):
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            yield f"{page.name}: {path}"
        elif anchor and target.suffix == ".md":
            there = text if target == page else target.read_text(encoding="utf-8")
            if anchor not in anchors(there):
                yield f"{page.name}: {path}#{anchor}"


def test_every_link_leads_somewhere() -> None:
    wrong = [
        link
        for page in [*PAGES, *OTHERS]
        for link in broken(page, page.read_text(encoding="utf-8"))
    ]
    assert not wrong


@pytest.mark.parametrize(
    "link", ["[a](no.md)", "[a](model.md#no-such-heading)", "[a](#nowhere)"]
)
def test_a_broken_link_is_found(link: str) -> None:
    page = ROOT / "docs/policy.md"
    assert len(list(broken(page, f"# Page\n\n{link}\n"))) == 1


def named(text: str) -> set[str]:
    """Returns the pages of docs/ that a text names."""
    return set(re.findall(r"(?<![\w/.-])docs/[\w./-]+\.md\b", text))


def test_every_page_that_the_code_names_exists() -> None:
    folders = ("core", "ffi-c/src", "python/python", "python/src", "js/src", "xtask")
    endings = {".rs", ".py", ".pyi", ".ts", ".toml"}
    checked = 0
    for folder in folders:
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in endings and "target" not in file.parts:
                for page in named(file.read_text(encoding="utf-8")):
                    checked += 1
                    assert (ROOT / page).exists(), f"{file}: {page}"
    assert checked > 30


def test_every_page_that_a_vector_cites_exists() -> None:
    cited = set()
    for vector in (ROOT / "conformance").glob("*/*/*.json"):
        content = json.loads(vector.read_text(encoding="utf-8"))
        if isinstance(content, dict):
            cited |= named(content.get("spec", ""))
    assert len(cited) > 20
    for page in cited:
        assert (ROOT / page).exists(), page


def test_every_format_has_a_page_with_an_example() -> None:
    folder = ROOT / "docs/formats"
    index = (folder / "index.md").read_text(encoding="utf-8")
    read = {name for name, is_read, _ in agentsdisc.formats() if is_read}
    assert len(read) > 20
    for name in read:
        text = (folder / f"{name}.md").read_text(encoding="utf-8")
        (example,) = [block for block in BLOCK.finditer(text) if block["url"]]
        document = agentsdisc.parse(example["body"], url=example["url"])
        assert document.format == name
        assert f"({name}.md)" in index, name
    others = {"index", "detection", "locations"}
    assert {page.stem for page in folder.glob("*.md")} == read | others


def script(name: str) -> types.ModuleType:
    """Returns a program of the site."""
    path = ROOT / f"xtask/site/{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("link", "is_broken"),
    [
        ("b/", False),
        ("b/#there", False),
        ("https://elsewhere.example/", False),
        ("c/", True),
        ("b/#nowhere", True),
        ("../../out.html", True),
    ],
)
def test_a_broken_link_of_the_site_is_found(
    link: str, is_broken: bool, tmp_path: Path
) -> None:
    links = script("links")
    (tmp_path / "b").mkdir()
    (tmp_path / "b/index.html").write_text('<h1 id="there">B</h1>')
    (tmp_path / "index.html").write_text(
        f'<a class=x href="{link}">a</a><!-- <a href="no">a</a> -->'
    )
    _, wrong = links.broken(tmp_path, set())
    assert wrong == (["index.html: " + link] if is_broken else [])


def test_words_by_hand_are_counted() -> None:
    words = script("words").words
    text = "# Two words\n\n| a | b |\n| --- | --- |\n\n```sh\nno words\n```\n\n<!-- no -->\n"
    generated = "<!-- Generated by `x`. -->\n\n| no |\n\n<!-- End of the list. -->\n"
    assert words(text) == words(text + generated) == 4
    assert words(f"<!-- Written by `x`. -->\n\n{text}") == 0


MEASURED = re.compile(
    r"\d ?(?:ms|µs|%|MB/s|documents/s|nDCG)(?![\w%])|\d MB\b(?! /)|\bMRR\b|times (?:as (?:fast|long|much)|the speed)"
    r"|\b(?:half|third|quarter|tenth) (?:of the (?:time|flash|memory)|less|more|faster|slower)\b|\d KB of stack"
)
"""What was measured. A limit is none: it is what the code says."""
COMMAND = re.compile(
    r"`(?:AGENTSDISC_\w+=\S+ )?(?:cargo (?:xtask|test|bench) [^`]+|(?:python )?python/[a-z_]+\.py[^`]*|js/test/[a-z.]+)`"
)
NOT_MEASURED = {
    "16 MB each",  # a batch, in crawling.md
    "8 MB each",  # what a thread unpacks ahead
    "two row groups of 24 MB",
    "some tens of megabytes",
}
"""Sizes that are set, not measured."""


def unproved(text: str) -> Iterator[str]:
    """Yields the measured figures in sections that name no command to measure again. Written pages name it in their first lines."""
    words = script("words")
    if not words.words(text) and text:
        return
    text = FENCED.sub("", words.GENERATED.sub("", text))
    for section in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        for each in NOT_MEASURED:
            section = section.replace(each, "")
        found = MEASURED.search(section)
        if found and not COMMAND.search(section):
            yield f"{section.splitlines()[0]}: {found[0]}"


def test_every_measured_figure_has_the_command_that_checks_it() -> None:
    pages = [*PAGES, *OTHERS, ROOT / "js/README.md", ROOT / "core/README.md"]
    wrong = [
        f"{page.name}, {figure}"
        for page in pages
        for figure in unproved(page.read_text(encoding="utf-8"))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("# A\n\n## B\n\nIt takes 5 ms.\n", True),
        ("# A\n\n## B\n\nIt is twice as fast: 1.8 times as fast.\n", True),
        ("# A\n\n`cargo xtask bench` measures.\n\n## B\n\nIt takes 5 ms.\n", True),
        ("# A\n\n## B\n\nIt takes 5 ms (`cargo xtask bench`).\n", False),
        ("# A\n\n## B\n\nA document has at most 64 KB.\n", False),
    ],
)
def test_a_figure_without_its_command_is_found(text: str, is_wrong: bool) -> None:
    assert bool(list(unproved(text))) == is_wrong
