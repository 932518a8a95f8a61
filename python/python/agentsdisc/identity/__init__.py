"""Requests that an agent signs and a site checks (Web Bot Auth, RFC 9421).

The core reads and writes the fields, and knows the rules; the cryptography is that of the package cryptography, which is imported when it is needed
(`pip install 'agentsdisc[identity]'`).
"""

from .directory import Directory
from .keys import Key, thumbprint
from .middleware import Admission, AsgiGate, Gate, WsgiGate
from .replays import Replays
from .signing import Identity, sign
from .verifying import MESSAGES as _MESSAGES
from .verifying import Verdict, averify, verify

__all__ = [
    "Admission",
    "AsgiGate",
    "Directory",
    "Gate",
    "Identity",
    "Key",
    "Replays",
    "Verdict",
    "WsgiGate",
    "averify",
    "reasons",
    "sign",
    "thumbprint",
    "verify",
]


def __dir__() -> list[str]:
    """Returns the public names."""
    return sorted(__all__)


def reasons() -> dict[str, str]:
    """Returns every reason of a verdict, and what it means."""
    return dict(_MESSAGES)
