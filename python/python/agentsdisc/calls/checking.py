"""Checks the arguments of `call` before anything is requested; the errors name the argument."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .. import Document
from .._arguments import may_be, must_be, several
from .._conduct import check_headers
from .._limits import Limiter
from .._verified import results_in
from ..discovery import Site, Timeouts

if TYPE_CHECKING:
    from . import Options

_TRANSPORTS = {None, "streamable-http", "sse"}


def check_options(options: "Options", known: Collection[str]) -> None:
    """Raises TypeError or ValueError for an invalid or unknown option, such as a misspelt `confirm`. Converts `approve` and `done` to lists."""
    for name in options:
        if name not in known:
            raise TypeError(f"there is no option {name!r}; there are: {_list(known)}")
    must_be(str, options.get("agent"), "agent")
    options["approve"] = _texts(options.get("approve", ()), "approve")
    options["done"] = _texts(options.get("done", ()), "done")
    options["verified"] = results_in(options.get("verified", ()))
    may_be(Timeouts, options.get("timeouts"), "timeouts")
    may_be(Limiter, options.get("limiter"), "limiter")
    if (identity := options.get("identity")) is not None:
        from ..identity.signing import checked

        options["identity"] = checked(identity)
    for name in ("origin", "endpoint", "idempotency_key"):
        may_be(str, options.get(name), name)
    for name in ("headers", "before", "discovery"):
        may_be(Mapping, options.get(name), name)
    for action, given in (options.get("before") or {}).items():
        must_be(Mapping, given, f"before[{action!r}]")
    check_headers(options.get("headers"))
    credentials, confirm = options.get("credentials"), options.get("confirm")
    if not isinstance(credentials, str):
        may_be(Callable, credentials, "credentials", "a str or a function")  # type: ignore[arg-type]
    if not isinstance(confirm, bool):
        may_be(Callable, confirm, "confirm", "a function or True")  # type: ignore[arg-type]
    for name in ("notice", "progress"):
        may_be(Callable, options.get(name), name, "a function")  # type: ignore[arg-type]
    key = options.get("idempotency_key")
    if key is not None and not key.strip():
        raise ValueError("idempotency_key must not be empty")
    if options.get("transport") not in _TRANSPORTS:
        raise ValueError("transport is 'streamable-http' or 'sse'")
    most = options.get("max_response", 1)
    must_be(int, most, "max_response")
    if most < 1:
        raise ValueError(f"max_response must be 1 byte or more, not {most}")


def _texts(values: Iterable[str], name: str) -> list[str]:
    """Returns a list, because an iterator can be read only once."""
    texts = several(values, name)
    for at, text in enumerate(texts):
        must_be(str, text, f"{name}[{at}]")
    return texts


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def checked_where(where: Any) -> "str | Site | tuple[Document, ...]":
    """Returns the site or the documents. Raises TypeError if they are something else."""
    if isinstance(where, str | Site):
        return where
    if isinstance(where, Document):
        return (where,)
    must_be(Iterable, where, "where", "a URL, a Site or documents")
    documents = tuple(where)
    for at, document in enumerate(documents):
        must_be(Document, document, f"where[{at}]")
    return documents
