"""Directories of keys: fetched from the URL that an agent names, kept for a time, bounded in every respect."""

import json
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from .._agentsdisc import _card_keys, _lifetime
from .._arguments import may_be, several
from .._extras import HTTP, needing

if TYPE_CHECKING:
    from ..discovery import Timeouts

_MEDIA = {
    "application/http-message-signatures-directory+json",
    "application/jwk-set+json",
    "application/json",
}
_WELL_KNOWN = "/.well-known/http-message-signatures-directory"
_MOST_BYTES = 64 << 10
_PAUSE = 60.0
"""How many seconds lie between two requests for one directory, whatever requests it is asked for."""
_STALE = 86_400.0
"""For how many seconds a directory that cannot be fetched any more stays in use."""


@dataclass(slots=True)
class _Entry:
    """What is known of one URL."""

    body: bytes | None = None
    fetched: float = -math.inf
    fresh_until: float = -math.inf
    tried: float = -math.inf
    why: str = "directory-failed"
    lock: threading.Lock = field(default_factory=threading.Lock)


class Place(NamedTuple):
    """Where the keys of an agent are."""

    url: str
    is_card: bool
    """Whether the URL has a card (`type=cimd`), which has the keys or their URL."""


class Directory:
    """The keys of all agents: fetches the directory that a request names, and keeps it. Threads and tasks can share it.

    - `known`: directories that need not be fetched, from an origin such as `https://agent.example` or the URL of a key set to the JWK Set. Only you
      change them.
    - `allow`: the hosts that may be asked, such as `["agent.example"]`; default: all public ones. `only_known=True` asks none.
    - `allow_private`: URLs whose host may be at a private or loopback address, such as `["https://localhost:8443"]`.
    - `timeouts`: default: five seconds for a directory.
    - `size`: how many directories are kept; those that were not used for the longest time are dropped first.
    - `concurrency`: how many are fetched at a time. A request that needs one more is refused (`directory-failed`).
    - `examples`: accept the keys that specifications publish with their private parts; for tests only.

    Requests go through the client of `discover`: to public addresses, without redirects and cookies, with checked certificates. At most 64 KiB are
    read. A directory is fresh for its `max-age`, from a minute to a day; a key that it lacks is looked for again at most once a minute.
    """

    def __init__(
        self,
        *,
        known: Mapping[str, Mapping[str, Any]] | None = None,
        allow: Iterable[str] | None = None,
        only_known: bool = False,
        allow_private: Iterable[str] = (),
        timeouts: "Timeouts | None" = None,
        size: int = 1000,
        concurrency: int = 16,
        examples: bool = False,
    ) -> None:
        may_be(Mapping, known, "known")
        self._known = {
            place(url): json.dumps(dict(keys)).encode()
            for url, keys in (known or {}).items()
        }
        self._allow = None if allow is None else frozenset(several(allow, "allow"))
        self._only_known = only_known
        self._private = several(allow_private, "allow_private")
        self._timeouts = timeouts
        self._size, self.examples = size, examples
        self._entries: OrderedDict[Place, _Entry] = OrderedDict()
        self._lock = threading.Lock()
        self._turns = threading.BoundedSemaphore(concurrency)
        self._clock: Callable[[], float] = time.monotonic

    def kept(self, place: Place) -> bytes | str | None:
        """Returns the directory at a place if no request is needed; a reason if there is none and a request would not help now; otherwise None."""
        if place.url in self._known:
            return self._known[place.url]
        if self._only_known or not self._is_allowed(place.url):
            return "directory-failed"
        now = self._clock()
        with self._lock:
            entry = self._entries.get(place)
            if entry is None:
                return None
            self._entries.move_to_end(place)
            return self._usable(entry, now)

    def _is_allowed(self, url: str) -> bool:
        return self._allow is None or urlsplit(url).hostname in self._allow

    def _usable(self, entry: _Entry, now: float) -> bytes | str | None:
        """Returns what an entry is good for without a request."""
        if entry.body is not None and now < entry.fresh_until:
            return entry.body
        if now < entry.tried + _PAUSE:
            is_useful = entry.body is not None and now < entry.fresh_until + _STALE
            return entry.body if is_useful else entry.why
        return None

    def may_be_newer(self, place: Place) -> bool:
        """Whether a key that the kept directory lacks may be in a newer one, and it may be asked for."""
        with self._lock:
            entry = self._entries.get(place)
            return entry is not None and self._clock() >= entry.tried + _PAUSE

    def load(self, place: Place, *, is_newer: bool = False) -> bytes | str:
        """Fetches the directory at a place, unless another thread just did. Returns its bytes, or why there are none."""
        with self._lock:
            entry = self._entries.setdefault(place, _Entry())
            self._entries.move_to_end(place)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)
        with entry.lock:
            with self._lock:
                now = self._clock()
                is_tried = now < entry.tried + _PAUSE
                found = self._usable(entry, now)
            if found is not None and (is_tried or not is_newer):
                return found
            if not self._turns.acquire(blocking=False):
                return "directory-failed"
            try:
                came = self._keys_at(place)
            finally:
                self._turns.release()
            return self._stored(entry, came)

    def _stored(self, entry: _Entry, came: tuple[bytes, float] | str) -> bytes | str:
        """Keeps what came. An answer that is no directory does not drop an older directory."""
        with self._lock:
            now = self._clock()
            entry.tried = now
            if isinstance(came, str):
                entry.why = came
                found = self._usable(entry, now)
                return came if found is None else found
            entry.body, entry.fetched, entry.fresh_until = came[0], now, now + came[1]
            return entry.body

    def _keys_at(self, place: Place) -> tuple[bytes, float] | str:
        """Returns a directory and for how many seconds it is fresh, or why there is none. A card leads to it in one more step."""
        if not place.is_card:
            return self._fetched(place.url, _is_directory_type, _is_directory)
        came = self._fetched(place.url, _is_card_type, bool)
        if isinstance(came, str):
            return came
        reason, keys, url = _card_keys(came[0], place.url.encode())
        if url is None:
            return reason or (
                (keys or b"", came[1]) if _is_directory(keys) else "directory-invalid"
            )
        if url in self._known:
            return self._known[url], came[1]
        if not self._is_allowed(url):
            return "directory-failed"
        found = self._fetched(url, _is_directory_type, _is_directory)
        return found if isinstance(found, str) else (found[0], min(came[1], found[1]))

    def _fetched(
        self,
        url: str,
        is_type: Callable[[str], bool],
        is_valid: Callable[[bytes], bool],
    ) -> tuple[bytes, float] | str:
        """Returns what is at a URL and for how many seconds it is fresh, or why there is nothing."""
        with needing("directories need httpx", *HTTP):
            from ..discovery.fetch import Failed, client_name, fetch
            from ..discovery.transport import GuardedTransport
            from ..discovery.waiting import wait_for
        from ..discovery import Timeouts

        timeouts = self._timeouts or Timeouts(connect=3.0, read=5.0, request=5.0)
        headers = [
            (b"Accept", b"application/http-message-signatures-directory+json"),
            (b"User-Agent", client_name(None).encode()),
        ]

        async def ask() -> tuple[bytes, float] | str:
            async with GuardedTransport(
                private=self._private, any_port=False, connections=1, reuse=False
            ) as transport:
                reply = await fetch(
                    transport,
                    url,
                    headers,
                    limit=_MOST_BYTES,
                    cuts=False,
                    timeouts=timeouts,
                )
            sent = [(name.lower(), value) for name, value in reply.headers]
            media = dict(sent).get(b"content-type", b"").split(b";")[0].strip().lower()
            if reply.status != 200:
                return "directory-failed"
            if not is_type(media.decode("latin-1")) or not is_valid(reply.body):
                return "directory-invalid"
            lines = [value for name, value in sent if name == b"cache-control"]
            return reply.body, float(_lifetime(lines))

        try:
            return wait_for(ask)
        except Failed:
            return "directory-failed"


def _is_directory_type(media: str) -> bool:
    return media in _MEDIA


def _is_card_type(media: str) -> bool:
    return media == "application/json" or media.endswith("+json")


def _is_directory(body: bytes | None) -> bool:
    from .. import ParseError, parse

    if body is None:
        return False
    try:
        return bool(parse(body, format="signature-directory"))
    except ParseError:
        return False


def place(url: str) -> str:
    """Returns the URL that has the keys, for an origin or the URL of a key set. Raises ValueError if it is not an https URL."""
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname or parts.username is not None:
        raise ValueError(f"{url!r} is not an https URL")
    authority = parts.netloc.lower().removesuffix(":443")
    if parts.path in {"", "/", _WELL_KNOWN} and not parts.query and not parts.fragment:
        return f"https://{authority}{_WELL_KNOWN}"
    if parts.fragment:
        raise ValueError(f"{url!r} has a fragment")
    query = f"?{parts.query}" if parts.query else ""
    return f"https://{authority}{parts.path}{query}"


def named(url: str) -> str:
    """Returns what Signature-Agent says for a directory: its origin if it is at the well-known place, otherwise its URL."""
    return place(url).removesuffix(_WELL_KNOWN)
