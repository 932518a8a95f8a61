"""What scanners will probably say of a site: their documented rules, as data, over the answers of the site.

`scanners.json` has the rules. A check of a scanner is a list of steps, `{STATUS: CONDITION, "because": TEXT}`; the first whose condition holds decides, and
`pass` is the text if none does. A condition is an object, all members of which must hold; the empty one always does:

- `status`: `"200"`, or a class such as `"4xx"`; `type`: one of these media types; `html`: an HTML page
- `header`, with `matches` a regular expression that its value must match
- `text`: a regular expression that the body matches, in any letter case, `^` and `$` at lines; `least` times (1), or with `even` an even number of times
- `json`: the pointer of a value that is not empty; `*` stands for every item of a list, which has one; the empty pointer is the object itself. `matches`: a
  regular expression for texts; `has`: an item of a list; `at_origin`: it is a URL of the site; `in_header`: the JSON is the base64 in this header
- `shorter`, `longer`: than this number of characters; `links`: more than this part, in percent, of its links that were requested answer
- `here`: the id of a check of the report, the status of which is one of `is`
- `not`, `all`, `any`: other conditions

`at` says which answer they mean: the first path with status 200, else the first. `@sitemaps` are those that robots.txt names, `@402` is any answer with this
status. What cannot be known (an answer that is not there, headers of a folder without a file of headers) is neither true nor false; a step that could have
decided otherwise then makes the result `unknown`.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urljoin, urlsplit

from .. import RobotsTxt
from .._visible import beginning
from .report import Check, Prediction, Report
from .survey import Answer, Probe

Condition = Mapping[str, Any]

_HOPS = 5
_MOST = 500_000
"""The number of bytes of a body that are searched."""
_LINK = re.compile(r"\]\(([^()\s]{1,500})\)")
_HTML = re.compile(
    rb"\s*(?:<!--.{0,1000}?-->\s*)?<(?:!doctype\s+html|html)\b", re.I | re.S
)


@cache
def rules() -> dict[str, Any]:
    """Returns the content of `scanners.json`."""
    text = (files(__package__) / "scanners.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@dataclass(frozen=True, slots=True)
class Result:
    """What one check of a scanner will probably say."""

    scanner: str
    id: str
    """The name of the check in the scanner."""
    check: str
    """The check of the report that looks at the same."""
    status: str
    message: str


def requests(
    origin: str, answers: Sequence[Answer], agent: str | None = None
) -> list[Probe]:
    """Returns what the scanners request of a site, but what was answered, and what its robots.txt disallows for `agent`.

    Well-known locations are requested whatever robots.txt says, as by the other checks.
    """
    asked = {(a.probe.url, "markdown" in a.probe.accept) for a in answers}
    may = _allowed(origin, answers, agent)
    found: dict[Probe, None] = {}
    for scanner in rules()["scanners"].values():
        for check in scanner["checks"]:
            for where in _places(check):
                path, accept = _place(where)
                is_open = (origin + path, bool(accept)) not in asked
                if path[0] != "/" or not is_open:
                    continue
                if path.startswith("/.well-known/") or may(path):
                    found[Probe(origin + path, "GET", accept or "*/*", None)] = None
    return list(found)


def _allowed(
    origin: str, answers: Sequence[Answer], agent: str | None
) -> Callable[[str], bool]:
    if agent is None:
        return lambda _: True
    robots = Site(answers, origin, {}).get(f"{origin}/robots.txt")
    if robots is None or robots.status is None or robots.status >= 500:
        return lambda _: False
    stated = RobotsTxt(robots.body if robots.status == 200 else b"")
    return lambda path: stated.allowed(agent, path)


def _places(value: Any) -> Iterator[Any]:
    """Yields every place that the conditions in a part of the rules name."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield from part.get("at", ())
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


def _place(where: str | dict[str, str]) -> tuple[str, str]:
    return (where, "") if isinstance(where, str) else (where["path"], where["accept"])


def predict(
    report: Report,
    answers: Iterable[Answer],
    origin: str,
    profile: str | None = None,
    canonical: str = "",
) -> Report:
    """Returns the report with what each scanner will probably say.

    `origin` is that of the URLs of the answers, `canonical` the one that the documents name, if it is another one; `profile` is `content`,
    `api`, `shop` or None for all checks.
    """
    results = list(outlook(report, answers, origin, profile, canonical))
    return replace(
        report,
        checks=tuple(
            replace(
                check,
                predicted={
                    name: _joined([one for one in results if _is(one, name, check)])
                    for name in rules()["scanners"]
                    if any(_is(one, name, check) for one in results)
                },
            )
            for check in report.checks
        ),
    )


def _is(result: Result, scanner: str, check: Check) -> bool:
    return result.scanner == scanner and result.check == check.id


_WORST = ("fail", "warn", "pass", "unknown", "not-applicable")


def _joined(results: list[Result]) -> Prediction:
    """Joins the results of several checks of a scanner that look at the same: the worst one that was decided counts."""
    if len(results) == 1:
        return Prediction(results[0].status, f"{results[0].id}: {results[0].message}")
    results = sorted(results, key=lambda one: _WORST.index(one.status))
    said = [f"{one.id} ({one.status}): {one.message}" for one in results]
    return Prediction(results[0].status, "; ".join(said))


def outlook(
    report: Report,
    answers: Iterable[Answer],
    origin: str,
    profile: str | None = None,
    canonical: str = "",
) -> Iterator[Result]:
    """Yields what each check of each scanner will probably say. The arguments are those of `predict`."""
    here = {check.id: check.status for check in report.checks}
    site = Site(answers, origin, here, canonical)
    for name, scanner in rules()["scanners"].items():
        for check in scanner["checks"]:
            if profile is not None and profile not in check.get("profiles", [profile]):
                continue
            verified = site.here.get(check["check"])
            if verified is not None:
                status, message = _decide(site, check)
                message += _difference(check, status, verified)
                yield Result(name, check["id"], check["check"], status, message)


def _decide(site: "Site", check: Mapping[str, Any]) -> tuple[str, str]:
    at = check.get("at", ())
    open: list[tuple[str, str]] = []
    found = ("pass", check["pass"])
    for step in check["steps"]:
        (status,) = step.keys() - {"because"}
        holds = _holds(site, step[status], at)
        if holds:
            found = (status, step["because"])
            break
        if holds is None:
            open.append((status, step["because"]))
    other = [because for status, because in open if status != found[0]]
    if other:
        return "unknown", f"not checked; possible is: {other[0]}"
    return found


def _difference(check: Mapping[str, Any], status: str, here: str) -> str:
    for each in check.get("differs", ()):
        if status in each["scanner"] and here in each["here"]:
            return f". The result here differs: {each['because']} ({each['section']})"
    return ""


class Site:
    """The answers of a site by what was requested."""

    def __init__(
        self,
        answers: Iterable[Answer],
        origin: str,
        here: Mapping[str, str],
        canonical: str = "",
    ) -> None:
        self.origin = origin
        self.canonical = canonical or origin
        self.here = here
        self._by_url: dict[str, list[Answer]] = {}
        for answer in answers:
            if answer.probe.method == "GET" and answer.status is not None:
                url = answer.probe.url.partition("#")[0]
                self._by_url.setdefault(url, []).append(answer)

    def get(self, url: str, accept: str = "") -> Answer | None:
        """Returns the answer behind the redirects of a URL; None if it is not known."""
        for _ in range(_HOPS + 1):
            answer = self._asked(url, accept)
            if answer is None or answer.status not in {301, 302, 303, 307, 308}:
                return answer
            target = header(answer, "location")
            if not target:
                return answer
            try:
                url = urljoin(url, target).partition("#")[0]
            except ValueError:
                return answer
        return answer

    def _asked(self, url: str, accept: str) -> Answer | None:
        if url.startswith(f"{self.canonical}/"):
            url = self.origin + url.removeprefix(self.canonical)
        known = self._by_url.get(url, [])
        if accept:
            known = [a for a in known if a.probe.accept == accept]
        else:
            known = [a for a in known if "markdown" not in a.probe.accept] or [
                a
                for a in known
                if a.probe.accept in {"text/markdown", ""} and url[-3:] == ".md"
            ]
        return known[0] if known else None

    def choose(self, at: Sequence[Any]) -> Answer | None:
        """Returns the first answer with status 200, or the first one; None if an answer is missing that could be it."""
        first, is_open = None, False
        for where in at:
            path, accept = _place(where)
            if path == "@402":
                return self._paid()
            for url in self._named() if path == "@sitemaps" else [self.origin + path]:
                answer = self.get(url, accept)
                if answer is None:
                    is_open = True
                elif answer.status == 200:
                    return answer
                else:
                    first = first or answer
        return None if is_open else first

    def _paid(self) -> Answer | None:
        every = [answer for several in self._by_url.values() for answer in several]
        paid = [answer for answer in every if answer.status == 402]
        return next(iter(paid or every), None)

    def _named(self) -> list[str]:
        robots = self.get(f"{self.origin}/robots.txt")
        if robots is None or robots.status != 200:
            return []
        return [str(url) for url in RobotsTxt(robots.body).sitemaps[:20]]


def header(answer: Answer, name: str) -> str | None:
    """Returns the values of a header, joined by commas; None without one."""
    wanted = name.lower().encode()
    values = [value for key, value in answer.headers if key.lower() == wanted]
    return b", ".join(values).decode("latin-1") if values else None


def text_of(answer: Answer) -> str:
    """Returns the beginning of the body as text."""
    return answer.body[:_MOST].decode("utf-8", "replace").removeprefix("\ufeff")


def _holds(site: Site, condition: Condition, at: Sequence[Any]) -> bool | None:
    """Whether a condition holds; None if that is not known."""
    at = condition.get("at", at)
    truths: list[bool | None] = []
    answer: Answer | None = None
    if condition.keys() & _OF_ANSWER:
        answer = site.choose(at)
        if answer is None:
            return None
    for name, value in condition.items():
        match name:
            case "not":
                inside = _holds(site, value, at)
                truths.append(None if inside is None else not inside)
            case "all":
                truths.append(_every([_holds(site, each, at) for each in value]))
            case "any":
                inner = [_holds(site, each, at) for each in value]
                truths.append(_some(inner))
            case "here":
                status = site.here.get(value)
                is_known = status is not None and status != "unknown"
                truths.append(status in condition["is"] if is_known else None)
            case _ if name in _OF_ANSWER and answer is not None:
                truths.append(_of_answer(site, answer, name, value, condition))
    return _every(truths)


def _every(truths: Sequence[bool | None]) -> bool | None:
    if False in truths:
        return False
    return None if None in truths else True


def _some(truths: Sequence[bool | None]) -> bool | None:
    if True in truths:
        return True
    return None if None in truths else False


_OF_ANSWER = frozenset(
    {"status", "type", "html", "header", "text", "json", "shorter", "longer", "links"}
)


def _of_answer(
    site: Site, answer: Answer, name: str, value: Any, condition: Condition
) -> bool | None:
    match name:
        case "status":
            status = str(answer.status)
            return bool(status == value) or (
                value[1:] == "xx" and status[0] == value[0]
            )
        case "header":
            found = None if answer.hides_headers else header(answer, value)
            if found is None:
                return None if answer.hides_headers else False
            pattern = condition.get("matches", "")
            return re.search(pattern, found[:65536], re.IGNORECASE) is not None
        case "type":
            if answer.hides_headers:
                return None
            kind = (header(answer, "content-type") or "").partition(";")[0]
            return kind.strip().lower() in value
        case "json" if "in_header" in condition:
            encoded = header(answer, condition["in_header"]) or ""
            try:
                data = base64.b64decode(encoded, validate=True)
            except binascii.Error:
                return False
            return _in_json(site, data, value, condition)
    if answer.status != 200:
        return False
    match name:
        case "html":
            return _HTML.match(answer.body) is not None
        case "text":
            pattern = re.compile(value, re.IGNORECASE | re.MULTILINE)
            text = text_of(answer)
            is_cut = answer.is_cut or len(answer.body) > _MOST
            if "even" in condition:
                return None if is_cut else len(pattern.findall(text)) % 2 == 0
            least = condition.get("least", 1)
            number = sum(
                1 for _, _ in zip(range(least), pattern.finditer(text), strict=False)
            )
            return None if number < least and is_cut else number >= least
        case "json":
            if answer.is_cut:
                return None
            return _in_json(site, answer.body, value, condition)
        case "longer":
            return len(answer.body.decode("utf-8", "replace")) > value or (
                None if answer.is_cut else False
            )
        case "shorter":
            is_short = len(answer.body.decode("utf-8", "replace")) < value
            return (None if answer.is_cut else True) if is_short else False
        case _:
            return _links(site, answer, value)


def _in_json(
    site: Site, data: bytes, pointer: str, condition: Condition
) -> bool | None:
    try:
        values: list[Any] = [json.loads(data)]
    except (ValueError, RecursionError):
        return False
    if not isinstance(values[0], dict):
        return False
    for name in pointer.split("/")[1:]:
        found: list[Any] = []
        for value in values:
            if name == "*":
                if not isinstance(value, list) or not value:
                    return False
                found += value
            elif isinstance(value, dict) and name in value:
                found.append(value[name])
            else:
                return False
        values = found
    return all(_fits(site, value, condition) for value in values)


def _fits(site: Site, value: Any, condition: Condition) -> bool:
    if value in (None, "", [], {}):
        return False
    if "matches" in condition:
        return isinstance(value, str) and bool(re.search(condition["matches"], value))
    if "has" in condition:
        return isinstance(value, list) and condition["has"] in value
    if "at_origin" in condition:
        return isinstance(value, str) and _origin(value) == _origin(site.canonical)
    return True


def _origin(url: str) -> tuple[str, str | None, int | None] | None:
    try:
        parts = urlsplit(url)
        usual = {"http": 80, "https": 443}.get(parts.scheme)
        return parts.scheme, parts.hostname, parts.port or usual
    except ValueError:
        return None


def _links(site: Site, answer: Answer, percent: float) -> bool | None:
    known = []
    for target in _LINK.findall(text_of(answer))[:10_000]:
        try:
            found = site.get(urljoin(answer.probe.url, target).partition("#")[0])
        except ValueError:
            continue
        if found is not None:
            known.append(found.status == 200)
    return sum(known) * 100 > percent * len(known) if known else None


def outcome(report: Report, scanner: str) -> str:
    """Returns in a sentence what a scanner will probably say of the whole site, from the column of a report."""
    about = rules()["scanners"].get(scanner)
    if about is None:
        return ""
    optional = {each["check"] for each in about["checks"] if each.get("optional")}
    said = {
        c.id: c.predicted[scanner].status
        for c in report.checks
        if scanner in c.predicted
    }
    counted = [status for id, status in said.items() if id not in optional]
    passed, failed = counted.count("pass"), counted.count("fail")
    open = counted.count("unknown")
    more = f", {open} not checked" if open else ""
    if about["score"] == "percent":
        # Half a point is rounded up, as programs in JavaScript do it.
        points = (200 * passed + passed + failed) // (2 * (passed + failed) or 1)
        return f"probably {points} points ({passed} of {passed + failed}{more}), {_level(about['levels'], said)}"
    return (
        f"probably {passed} of {len(counted) - counted.count('not-applicable')}{more}"
    )


def _level(levels: Sequence[Mapping[str, Any]], said: Mapping[str, str]) -> str:
    """Returns the level in words: the rule is not published, and what could not be checked leaves a range."""
    low, high = (
        sum(1 for _ in _reached(levels, said, counts))
        for counts in ({"pass"}, {"pass", "unknown"})
    )
    names = [f"{number} ({levels[number]['name']})" for number in sorted({low, high})]
    return f"probably level {' to '.join(names)}"


def _reached(
    levels: Sequence[Mapping[str, Any]], said: Mapping[str, str], counts: set[str]
) -> Iterator[Mapping[str, Any]]:
    for level in levels[1:]:
        if not _has(level, said, counts):
            return
        yield level


def _has(
    needs: str | Mapping[str, Any], said: Mapping[str, str], counts: set[str]
) -> bool:
    if isinstance(needs, str):
        return said.get(needs) in counts
    found = sum(_has(each, said, counts) for each in needs["of"])
    return found >= int(needs["least"])


def title(scanner: str) -> str:
    """Returns the name of a scanner for people."""
    about = rules()["scanners"].get(scanner)
    return about["title"] if about else beginning(scanner, 100)
