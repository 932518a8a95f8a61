"""Runs an adapter over the cases."""

import base64
import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from adapter import Adapter, Broken
from cases import LEVELS, TASKS, Case
from comparing import difference

PASS, FAIL, BROKEN, SKIP = "pass", "fail", "broken", "skip"
"""The result of a case: as expected; not so; no usable answer; not claimed or left out by the adapter."""


class Result(NamedTuple):
    """What came of a case."""

    case: Case
    result: str
    message: str
    """What differs, why there is no answer, or why the case was left out; empty for a pass."""
    seconds: float


class Claims(NamedTuple):
    """What an adapter claims to do."""

    name: str
    version: str
    tasks: frozenset[str]
    formats: frozenset[str] | None
    """The formats; None for all of them."""
    is_whole: bool
    """Whether `parse` gives the whole model."""

    @classmethod
    def of(cls, said: dict[str, Any]) -> "Claims":
        """Reads the answer to `hello`."""
        formats = said.get("formats")
        if formats is not None and not isinstance(formats, list):
            raise Broken("`formats` in the answer to `hello` is no list")
        tasks = frozenset(map(str, said["tasks"]))
        if unknown := tasks - set(TASKS):
            raise Broken(f"unknown tasks: {', '.join(sorted(unknown))}")
        return cls(
            str(said.get("name", "unnamed")),
            str(said.get("version", "")),
            tasks,
            None if formats is None else frozenset(map(str, formats)),
            said.get("model") == "whole",
        )

    def cover(self, case: Case) -> bool:
        """Whether the adapter claims the task and the format of a case."""
        if case.task not in self.tasks:
            return False
        return self.formats is None or case.format in self.formats


def run(
    adapter: Adapter, claims: Claims, cases: Iterable[Case], *, by_path: bool
) -> Iterator[Result]:
    """Asks the adapter each case that it claims."""
    for case in cases:
        if claims.cover(case):
            yield _run_one(adapter, claims, case, by_path)


def _run_one(adapter: Adapter, claims: Claims, case: Case, by_path: bool) -> Result:
    request = {"id": case.id, "task": case.task, **case.ask}
    if case.path is not None:
        if by_path:
            request["path"] = str(case.path)
        else:
            request["document"] = base64.b64encode(case.path.read_bytes()).decode()
    begin = time.perf_counter()
    try:
        said = adapter.ask(request)
    except Broken as broken:
        return Result(case, BROKEN, str(broken), time.perf_counter() - begin)
    seconds = time.perf_counter() - begin
    if "skip" in said:
        return Result(case, SKIP, str(said["skip"])[:200], seconds)
    if "error" in said:
        return Result(case, BROKEN, str(said["error"])[:200], seconds)
    try:
        wrong = difference(case, said.get("result"), claims.is_whole)
    except RecursionError:
        wrong = "the result is nested too deeply"
    return Result(case, FAIL if wrong else PASS, (wrong or "")[:1000], seconds)


class Count(NamedTuple):
    """The results of the cases of one task and level."""

    passed: int
    failed: int
    skipped: int

    @property
    def asked(self) -> int:
        """The cases that were not left out."""
        return self.passed + self.failed


def count(results: Iterable[Result]) -> Count:
    """Counts results; a case without a usable answer counts as failed."""
    all_of = [result.result for result in results]
    return Count(
        all_of.count(PASS),
        all_of.count(FAIL) + all_of.count(BROKEN),
        all_of.count(SKIP),
    )


def by_task(results: list[Result]) -> dict[tuple[str, str], Count]:
    """The counts of each task and level that occurs, in the order of `TASKS` and `LEVELS`."""
    found = {}
    for task in TASKS:
        for level in LEVELS:
            some = [r for r in results if (r.case.task, r.case.level) == (task, level)]
            if some:
                found[task, level] = count(some)
    return found


def failures(results: list[Result], level: str = "must") -> int:
    """How many cases of a level failed: rulings of this project never count against others."""
    return count(r for r in results if r.case.level == level).failed
