"""What all endpoints share: the store with a bounded number of threads, and a cache of answers."""

import hashlib
import json
import logging
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from ..._visible import visible, without_secrets
from ..store import Store, StoreError
from .metrics import Metrics
from .problems import Problem
from .settings import Settings

T = TypeVar("T")

log = logging.getLogger("agentsdisc.registry")

_CHANGES = 2
"""Number of threads that change the store, or wait to do so."""
_MOST_BYTES = 2 << 20
"""Maximum size of the results of an answer in bytes. Our own client reads answers of up to 4 MiB."""
RETRY_AFTER = 5
"""After how many seconds a client should ask again when the store does not answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The content of an answer with the status 200."""

    body: bytes
    media_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def tag(self) -> str:
        """Its entity tag."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:24]}"'


def fitting(listed: Sequence[Any]) -> list[Any]:
    """Returns as many of the first results as fit an answer that clients accept; at least one."""
    sizes = accumulate(len(json.dumps(each)) for each in listed)
    return [
        each
        for number, (each, size) in enumerate(zip(listed, sizes, strict=True))
        if not number or size <= _MOST_BYTES
    ]


def as_json(
    values: Any, *, media_type: str = "application/json", **headers: str
) -> Answer:
    """Returns plain values as an answer, without the secrets that documents publish by accident."""
    body = json.dumps(without_secrets(values), separators=(",", ":")).encode()
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(body, media_type, named)


def time_text(moment: datetime | None) -> str | None:
    """Returns a time in the form of answers."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")


class Kept:
    """A cache of answers by request, each with the state of the index that it is from, in bounded memory."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._used = 0
        self._answers: OrderedDict[str, tuple[int, Answer, str]] = OrderedDict()

    def get(self, key: str) -> tuple[int, Answer, str] | None:
        """Returns an answer with the generation that it is from, and its tag."""
        found = self._answers.get(key)
        if found is not None:
            self._answers.move_to_end(key)
        return found

    def put(self, key: str, generation: int, answer: Answer, tag: str) -> None:
        """Keeps an answer. Removes the least recently used answers if the memory is full."""
        old = self._answers.pop(key, None)
        if old is not None:
            self._used -= _size(key, old[1])
        size = _size(key, answer)
        if size > self._size // 16:
            return
        self._answers[key] = (generation, answer, tag)
        self._used += size
        while self._used > self._size:
            oldest, (_, gone, _) = self._answers.popitem(last=False)
            self._used -= _size(oldest, gone)


def _size(key: str, answer: Answer) -> int:
    # What Python needs for the objects of one entry.
    return len(answer.body) + 2 * len(key) + 600


class Registry:
    """The store, the settings, and everything else that endpoints share."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.metrics = Metrics(
            os.getpid() if settings.workers > 1 else None, settings.metrics
        )
        self.kept = Kept(settings.answers)
        self._threads = anyio.CapacityLimiter(settings.threads)
        self._changes = anyio.CapacityLimiter(_CHANGES)
        self.error_page: Callable[[Problem], Response | None] | None = None
        """Creates the page of a problem for a browser."""
        self._generation = 0
        self._asked = float("-inf")

    async def ask(self, call: Callable[[Store], T]) -> T:
        """Asks the store in a thread. Raises the problem `unavailable` if it does not answer."""
        return await self._run(call, self._threads)

    async def change(self, call: Callable[[Store], T]) -> T:
        """Changes the store in a thread, but not in one of the threads for searches, which must not wait for writers."""
        return await self._run(call, self._changes)

    async def _run(
        self, call: Callable[[Store], T], limiter: anyio.CapacityLimiter
    ) -> T:
        try:
            return await anyio.to_thread.run_sync(call, self.store, limiter=limiter)
        except StoreError as error:
            self.metrics.event("store_errors")
            log.error("the store does not answer: %s", visible(str(error)))
            raise unavailable() from error

    async def generation(self) -> int:
        """Returns the number of the state of the index, at most `check_every` seconds old."""
        now = time.monotonic()
        if now - self._asked >= self.settings.check_every:
            self._generation = await self.ask(lambda store: store.generation())
            self._asked = now
        return self._generation

    def changed(self) -> None:
        """Notes that this process changed the index."""
        self._asked = float("-inf")

    async def answer(
        self,
        request: Request,
        make: Callable[[Store], Answer],
        *,
        key: str | None = None,
        max_age: int = 60,
    ) -> Response:
        """Answers a request from the store, or with the previous answer if the index has not changed since."""
        # The URL as it was sent: an escaped ? or # belongs to the path.
        key = key or f"{_sent(request, 'raw_path')}?{_sent(request, 'query_string')}"
        kept = self.kept.get(key)
        generation = await self.generation()
        if kept is None or kept[0] != generation:
            answer = await self.ask(make)
            kept = (generation, answer, answer.tag)
            self.kept.put(key, *kept)
        else:
            self.metrics.event("kept_answers")
        return response(request, kept[1], kept[2], max_age)


def _sent(request: Request, part: str) -> str:
    return str((request.scope.get(part) or b"").decode("latin-1"))


def unavailable() -> Problem:
    """Returns the problem of a store that does not answer."""
    return Problem(
        "unavailable",
        "the index does not answer now; ask again later",
        headers={"Retry-After": str(RETRY_AFTER)},
    )


def response(request: Request, answer: Answer, tag: str, max_age: int = 60) -> Response:
    """Returns an answer, or 304 if the client has it already."""
    headers = {
        "ETag": tag,
        "Cache-Control": f"public, max-age={max_age}",
        **dict(answer.headers),
    }
    if request.method in {"GET", "HEAD"} and _has(request.headers, tag):
        return Response(status_code=304, headers=headers)
    return Response(answer.body, media_type=answer.media_type, headers=headers)


def _has(headers: Mapping[str, str], tag: str) -> bool:
    given = headers.get("if-none-match")
    if given is None:
        return False
    tags = {each.strip().removeprefix("W/") for each in given.split(",")}
    return "*" in tags or tag in tags
