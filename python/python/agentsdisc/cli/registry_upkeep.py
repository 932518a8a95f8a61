"""`agentsdisc registry remove`, `prune`, `export`, `import` and `migrate`: maintain a registry."""

import argparse
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from .reading import Unreadable
from .registry_build import needs, shown, store_option
from .terminal import visible

if TYPE_CHECKING:
    from ..registry import Store

_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_AGE = re.compile(r"([0-9]{1,5})([hdw])")
_CODES = """\
exit codes:
  0  done
  1  {}
  2  the store or the file cannot be read or written, or the arguments are invalid
"""


def register(subcommands: Any) -> None:
    """Adds the commands to the command line."""

    def command(
        name: str, about: str, work: "Callable[[Store, Any], int]", finding: str = ""
    ) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = subcommands.add_parser(
            name,
            help=about,
            description=f"{about[0].upper()}{about[1:]}.",
            epilog=_CODES.format(finding or "is not used"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        store_option(added)
        added.set_defaults(run=run, work=work, migrates=name == "migrate")
        return added

    one = command(
        "remove",
        "remove services, with their documents",
        _remove,
        "a domain is not in the registry",
    )
    one.add_argument("domains", metavar="DOMAIN", nargs="+")
    one = command(
        "prune",
        "remove the documents that were not fetched for a time, and services without any other",
        _prune,
    )
    one.add_argument(
        "--older-than",
        metavar="AGE",
        type=_age,
        required=True,
        help="hours, days or weeks, such as 12h, 90d or 8w",
    )
    one = command(
        "export",
        "write all services into a file that every version and kind of store can import",
        _export,
    )
    one.add_argument("file", metavar="FILE", help="the file, such as registry.jsonl.gz")
    one = command(
        "import",
        "add the services of an exported file, in place of those with the same domains",
        _import,
    )
    one.add_argument("file", metavar="FILE")
    command(
        "migrate",
        "convert the tables of an earlier version, in one transaction",
        _migrate,
    )


def _age(text: str) -> timedelta:
    found = _AGE.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError("give hours, days or weeks, such as 90d")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


def run(options: argparse.Namespace) -> int:
    """Runs one of the commands, and returns the exit code."""
    try:
        from ..registry import StoreError, open_store
        from ..registry.upkeep import ImportFailed
    except ImportError as problem:
        raise needs(problem) from None
    try:
        is_new = options.work is _import
        store = open_store(options.store, create=is_new, migrates=options.migrates)
        try:
            code: int = options.work(store, options)
        finally:
            store.close()
    except StoreError as problem:
        raise Unreadable(visible(str(problem))) from None
    except ImportFailed as problem:
        raise Unreadable(visible(f"{options.file}: {problem}")) from None
    except OSError as problem:
        raise Unreadable.of(problem, options.file) from None
    except ImportError as problem:
        raise needs(problem) from None
    return code


def _remove(store: "Store", options: argparse.Namespace) -> int:
    from ..registry.hosts import as_domain
    from ..registry.upkeep import remove
    from . import FINDINGS, OK

    domains = {*map(as_domain, options.domains)}
    missing = remove(store, sorted(domains))
    for domain in missing:
        _say(f"not in the registry: {domain}")
    _say(f"removed: {len(domains) - len(missing):,} services")
    return FINDINGS if missing else OK


def _prune(store: "Store", options: argparse.Namespace) -> int:
    from ..registry.upkeep import prune
    from . import OK

    try:
        before = datetime.now(UTC) - options.older_than
    except OverflowError:
        raise Unreadable("--older-than: this is before all times") from None
    pruned = prune(store, before)
    _say(f"removed: {pruned.documents:,} documents, {pruned.services:,} services")
    return OK


def _export(store: "Store", options: argparse.Namespace) -> int:
    from ..registry.upkeep import export
    from . import OK

    _say(f"written: {options.file} ({export(store, options.file):,} services)")
    return OK


def _import(store: "Store", options: argparse.Namespace) -> int:
    from ..registry.upkeep import import_
    from . import OK

    count = import_(store, options.file)
    store.tidy()
    _say(f"imported: {count:,} services into {shown(options.store)}")
    return OK


def _migrate(store: "Store", options: argparse.Namespace) -> int:
    from . import OK

    services, capabilities = store.counts()
    _say(f"up to date: {services:,} services, {capabilities:,} capabilities")
    return OK


def _say(text: str) -> None:
    print(visible(text), file=sys.stderr)
