"""Signatures of requests."""

import base64
import os
import time
from typing import NamedTuple

from .._agentsdisc import _to_sign
from .._arguments import may_be, must_be
from .directory import named
from .keys import Key
from .verifying import Headers, as_bytes, fields_of

_NOT_COVERED = frozenset(
    b"host connection keep-alive te trailer transfer-encoding upgrade content-length"
    b" accept-encoding signature signature-input signature-agent".split()
)
"""Fields that a signature does not cover: those of the connection, those that servers in between may change, and those of signatures."""


class Identity(NamedTuple):
    """Who signs requests: a key, and where it is published."""

    key: Key
    """The key."""
    directory: str | None = None
    """The origin whose directory has the key, such as `https://agent.example`, or the https URL of a key set."""

    def sign(self, method: str, url: str, headers: Headers = ()) -> dict[str, str]:
        """Returns the headers that sign a request: `agentsdisc.identity.sign` with this key and directory."""
        return sign(self.key, method, url, headers, directory=self.directory)


def checked(identity: "tuple[Key, str | None] | None") -> Identity | None:
    """Returns an identity. Raises TypeError or ValueError if it is none."""
    if identity is None:
        return None
    must_be(
        tuple, identity, "identity", "an Identity: a key and the URL of its directory"
    )
    made = Identity(*identity)
    must_be(Key, made.key, "identity.key")
    may_be(str, made.directory, "identity.directory")
    if made.directory is not None:
        named(made.directory)
    return made


def sign(
    key: Key,
    method: str,
    url: str,
    headers: Headers = (),
    *,
    directory: str | None = None,
    now: float | None = None,
    expires: float = 60,
) -> dict[str, str]:
    """Returns the headers that sign a request: Signature-Input, Signature and, with a directory, Signature-Agent.

    The signature covers authority, method, path and query of the `url`, so it fits no other request, and a nonce, so every signature is another one.

    - `headers`: more fields of the request that the signature is to cover. Give those that arrive unchanged, such as Content-Digest; those of the
      connection are left out.
    - `directory`: where the key is published: an origin such as `https://agent.example`, or the https URL of a key set. Sites that do not know the
      key need it.
    - `now`: the time in seconds since 1970; default: the clock. `expires`: for how many seconds the signature is valid.

    Raises ValueError if the request cannot be signed, such as for a URL with user information.
    """
    must_be(Key, key, "key")
    may_be(str, directory, "directory")
    if not expires >= 1:
        raise ValueError(f"expires must be 1 s or more, not {expires}")
    try:
        fields = fields_of(headers)
    except (TypeError, ValueError):
        raise TypeError("headers are pairs of names and values") from None
    fields = [pair for pair in fields if pair[0].lower() not in _NOT_COVERED]
    covered = dict.fromkeys(name.lower().decode("latin-1") for name, _ in fields)
    created = int(time.time() if now is None else now)
    agent = None if directory is None else named(directory)
    given, said, base = _to_sign(
        (as_bytes(method), as_bytes(url), fields),
        list(covered),
        key.thumbprint,
        (created, created + int(expires)),
        base64.b64encode(os.urandom(64)).decode(),
        agent,
    )
    signature = base64.b64encode(key._sign(base)).decode()
    made = {"Signature-Input": given, "Signature": f"sig1=:{signature}:"}
    return made if said is None else {"Signature-Agent": said, **made}
