"""The adapter of `http-message-signatures`, which verifies any HTTP message signature (RFC 9421)."""

import base64
import contextlib
import datetime
import hashlib
import json
from types import SimpleNamespace
from typing import Any

import http_message_signatures as library
from http_message_signatures import algorithms, signatures
from jwt import PyJWK
from jwt.exceptions import InvalidKeyError, PyJWKError
from lines import serve

ALGORITHMS = {
    "OKP": algorithms.ED25519,
    "RSA": algorithms.RSA_PSS_SHA512,
    "EC": algorithms.ECDSA_P256_SHA256,
}


class Clock(datetime.datetime):
    """The library has no parameter for the time: this is its clock."""

    seconds = 0

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:
        """Returns the time of the case."""
        return datetime.datetime.fromtimestamp(cls.seconds, tz)


signatures.datetime = SimpleNamespace(
    datetime=Clock, timedelta=datetime.timedelta, timezone=datetime.timezone
)


class Fields(list[list[str]]):
    """Header fields in order, of which a name may occur on several lines."""

    def items(self) -> list[tuple[str, str]]:
        """Returns the names and values."""
        return [(name, value) for name, value in self]


class Request:
    """A request as the library takes it."""

    def __init__(self, asked: dict[str, Any]) -> None:
        """Takes the request of a case."""
        self.method, self.url = asked["method"], asked["url"]
        self.headers = Fields(asked["headers"])


class Keys(library.HTTPSignatureKeyResolver):  # type: ignore[misc]
    """The keys of a case, by their thumbprints."""

    def __init__(self, keys: list[dict[str, Any]]) -> None:
        """Takes the keys of one type."""
        self.keys = {}
        for key in keys:
            # A key that cannot be read is unknown.
            with contextlib.suppress(PyJWKError, InvalidKeyError, KeyError):
                self.keys[thumbprint(key)] = PyJWK(key).key

    def resolve_public_key(self, key_id: str) -> Any:
        """Returns the key with this thumbprint."""
        return self.keys[key_id]


def thumbprint(key: dict[str, Any]) -> str:
    """The thumbprint of a key (RFC 7638)."""
    names = {"OKP": "crv kty x", "RSA": "e kty n", "EC": "crv kty x y"}[key["kty"]]
    members = {name: key[name] for name in names.split()}
    text = json.dumps(members, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()


def signed_request(request: dict[str, Any]) -> dict[str, Any] | None:
    """Whether a request has a valid signature of an agent."""
    if request.get("requires"):
        return None  # The library knows no profile of signatures.
    Clock.seconds = request["now"]
    listed = request["keys"].get("keys")
    keys = [key for key in listed or () if isinstance(key, dict)]
    for kind, algorithm in ALGORITHMS.items():
        resolver = Keys([key for key in keys if key.get("kty") == kind])
        verifier = library.HTTPMessageVerifier(
            signature_algorithm=algorithm, key_resolver=resolver
        )
        try:
            found = verifier.verify(Request(request), expect_tag="web-bot-auth")
        except library.HTTPMessageSignaturesException:
            continue
        if found:
            return {"valid": True}
    return {"valid": False}


serve(
    "http-message-signatures (Python)",
    "http-message-signatures",
    {"signed-request": signed_request},
    ["signature-directory"],
)
