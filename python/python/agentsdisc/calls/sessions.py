"""Keeps the sessions of agents.json 0.1 between the calls of a site."""

import hashlib
import json
import time
from collections.abc import Mapping
from typing import Any

from .._conduct import is_value
from ..discovery import Site

_MOST = 100


class Sessions:
    """The open sessions of a site, by endpoint, agent and credentials. Without a site, sessions are not kept."""

    def __init__(self, kept: dict[bytes, tuple[str, float]]) -> None:
        self._kept = kept

    @classmethod
    def of(cls, where: Any) -> "Sessions":
        """Returns the sessions of a discovered site. They end with its connections."""
        connections = where._connections if isinstance(where, Site) else None
        return cls({} if connections is None else connections.sessions)

    def kept(self, url: str, agent: str, sent: Mapping[str, str]) -> str | None:
        """Returns the token of a session that was opened with the same credentials and has not ended."""
        token, ends = self._kept.get(_key(url, agent, sent), (None, 0.0))
        return token if time.monotonic() < ends else None

    def keep(
        self,
        url: str,
        agent: str,
        sent: Mapping[str, str],
        token: str,
        seconds: float,
    ) -> None:
        """Keeps a session until it ends."""
        while len(self._kept) >= _MOST:
            self._kept.pop(next(iter(self._kept)), None)
        self._kept[_key(url, agent, sent)] = (token, time.monotonic() + seconds)

    def drop(self, token: str | None) -> None:
        """Discards a session that the server does not accept."""
        for key, (own, _) in list(self._kept.items()):
            if own == token:
                self._kept.pop(key, None)


def _key(url: str, agent: str, sent: Mapping[str, str]) -> bytes:
    """Returns the key of a session: a hash, because it is made of credentials."""
    text = json.dumps([url, agent, sorted(sent.items())])
    return hashlib.sha256(text.encode()).digest()


def opened(body: bytes, seconds: float) -> tuple[str | None, float]:
    """Returns the token of an answer, and its lifetime in seconds: at most the one that the document states."""
    try:
        members = json.loads(body)
    except (ValueError, RecursionError):
        return None, seconds
    members = members if isinstance(members, dict) else {}
    inner = members.get("data")
    if "session_token" not in members and isinstance(inner, dict):
        members = inner
    token, own = members.get("session_token"), members.get("expires_in")
    if isinstance(own, int | float) and not isinstance(own, bool) and own >= 0:
        # Not float(own): an integer can be too large.
        seconds = float(min(seconds, own))
    return (token if is_value(token) else None), seconds
