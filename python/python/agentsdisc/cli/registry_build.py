"""`agentsdisc registry build`: fills a registry."""

import argparse
import sys
import time
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._visible import beginning
from .identity import is_same
from .ingest import Interrupted, Interrupts, jobs, table_options
from .inputs import known_size, require
from .keys import keys_of
from .reading import Unreadable, standard_input
from .signing import identity_of, identity_options
from .terminal import visible

if TYPE_CHECKING:
    from ..registry import Store
    from ..registry.build import Counts
    from ..registry.domains import Asked

_DESCRIPTION = """\
Fills a registry with the services that documents describe. Existing entries stay, unless a document with the same URL replaces them. Unchanged
documents are not parsed again.

A source is
  a table that `agentsdisc ingest --check` wrote (.parquet, .arrow, .feather, .jsonl, .ndjson)
  or anything that `ingest` reads: folders, WARC, tables with the documents, JSON Lines, single documents.
A service is a domain: the host from which its documents were fetched. A document without a URL does not count.
"""

_EPILOG = """\
Each few thousand documents are one transaction: readers never see a part of it. If the build is interrupted or killed, or the disk
is full, the same command goes on after the last one.

exit codes:
  0    everything was read, and every domain asked
  1    a damaged part of an input was not read, or a line of --domains is no domain
  2    an input cannot be read, the store cannot be written, or the arguments are invalid
  130  interrupted (143: terminated)
"""
_MOST_DOMAINS = 64 << 20
# Maximum number of lines without a domain to print.
_NAMED = 10


def store_option(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Adds the option that names the store."""
    command.add_argument(
        "--store",
        metavar="STORE",
        required=required,
        help="the registry: a file, such as registry.db, or a PostgreSQL database, such as postgresql://host/name",
    )


def register(subcommands: Any) -> None:
    """Adds the command to the command line."""
    from . import limit_options
    from .discover import http_options

    command: argparse.ArgumentParser = subcommands.add_parser(
        "build",
        help="fill a registry from crawls, folders or domains",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = command.add_argument
    add("sources", metavar="SOURCE", nargs="*", help="crawls, tables, folders")
    store_option(command)
    add(
        "--domains",
        metavar="FILE",
        help="ask the domains in this file (- for standard input), one on each line, for their documents, each at most once an hour; --timeout counts for each domain",
    )
    add(
        "--concurrency",
        metavar="N",
        type=jobs,
        default=8,
        help="how many domains to ask at once (default: 8)",
    )
    add(
        "--keys",
        metavar="FILE",
        help="a JWK Set of keys that you trust: agent cards that they signed are verified, and come before others",
    )
    identity_options(add)
    table_options(add)
    limit_options(command)
    http_options(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Fills the registry, and returns the exit code."""
    from . import FINDINGS, OK

    if not options.sources and options.domains is None:
        raise Unreadable("name a source, or a file of domains with --domains")
    if "-" in options.sources and options.domains == "-":
        raise Unreadable("-: standard input can be read only once; name it once")
    require(options.sources)
    domains, invalid = domains_of(options)
    keys = keys_of(options)
    is_new, is_useless = not Path(options.store).exists(), False
    try:
        from ..registry import StoreError, open_store
        from .progress import Progress, amount, lost, passed, rate
    except ImportError as problem:
        raise needs(problem) from None
    try:
        store = open_store(options.store)
        try:
            with Interrupts(patient=True) as interrupts:
                counts = built(store, options, keys, interrupts, Progress)
                asked = None
                if options.domains is not None and not interrupts.code:
                    asked = ask(store, domains, options, keys, interrupts)
            entries = store.counts()
        except (StoreError, Unreadable):
            is_useless = is_new and is_empty(store)
            raise
        finally:
            store.close()
            if is_useless:
                remove(options.store)
    except StoreError as problem:
        raise Unreadable(visible(str(problem))) from None
    except ImportError as problem:
        raise needs(problem) from None
    if counts is not None:
        state, found = counts
        print(
            f"{found.documents:,} documents, {amount(found.bytes)} in {state.seconds:.2f} s: "
            f"{rate(found.documents, found.bytes, state.seconds)}",
            f"{found.new:,} new, {found.changed:,} changed, {found.same:,} unchanged, "
            f"{found.others:,} that describe no service, {found.unreadable:,} unreadable",
            sep="\n",
            file=sys.stderr,
        )
        if found.older:
            print(
                f"older: {found.older:,} captures of archives, of which a newer one is in the registry",
                file=sys.stderr,
            )
        if found.gone:
            print(
                f"gone: {found.gone:,} documents, for which an archive has a later answer 404 or 410",
                file=sys.stderr,
            )
        if found.passed:
            print(visible(passed(found.passed)), file=sys.stderr)
        if found.lost:
            print(lost(found.lost, found.losses), file=sys.stderr)
        if found.cut:
            print(
                f"too long: {found.cut:,} texts of documents, such as names and URLs, are cut or left out",
                file=sys.stderr,
            )
    if asked is not None:
        asked.invalid += len(invalid)
        print(
            f"{asked.sites:,} domains asked, {asked.found:,} with documents, {asked.removed:,} removed, "
            f"{asked.skipped:,} asked within the last hour, {asked.invalid:,} invalid",
            file=sys.stderr,
        )
        for number, line in invalid[:_NAMED]:
            said = f"{options.domains}:{number}: is no domain: {beginning(line, 100)}"
            print(f"  {visible(said)}", file=sys.stderr)
    services, capabilities = entries
    print(
        f"written: {visible(shown(options.store))} ({services:,} services, {capabilities:,} capabilities)",
        file=sys.stderr,
    )
    if interrupts.code:
        raise Interrupted(
            interrupts.code, "interrupted; the same command goes on from here"
        )
    is_whole = not (counts and counts[1].lost) and not (asked and asked.invalid)
    return OK if is_whole else FINDINGS


def is_empty(store: "Store") -> bool:
    """Whether a store has no entries; False if it does not answer."""
    from ..registry import StoreError

    try:
        return store.counts() == (0, 0)
    except StoreError:
        return False


def remove(store: str) -> None:
    """Removes the file of a store that a failed build has made. A PostgreSQL store stays."""
    for end in ("", "-wal", "-shm"):
        with suppress(OSError):
            Path(f"{store}{end}").unlink()


def needs(problem: ImportError) -> Unreadable:
    """Returns the error for a package that is not installed."""
    if isinstance(problem, ModuleNotFoundError):
        package = (problem.name or "").partition(".")[0]
        return Unreadable(
            f"`registry build` needs the package {package}: pip install 'agentsdisc[registry]'"
        )
    return Unreadable(str(problem))


def shown(store: str) -> str:
    """Returns the name of a store without the user and the password in its URL."""
    scheme, separator, rest = store.partition("://")
    if not separator:
        return store
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


def domains_of(
    options: argparse.Namespace,
) -> tuple[dict[str, str], list[tuple[int, str]]]:
    """Returns the domains in the file of the options, each with the site to request, and the lines without a domain, with their numbers."""
    if options.domains is None:
        return {}, []
    from ..registry.domains import domains_in

    try:
        if options.domains == "-":
            data = standard_input().read(_MOST_DOMAINS)
        else:
            with Path(options.domains).open("rb") as file:
                data = file.read(_MOST_DOMAINS)
    except OSError as problem:
        raise Unreadable.of(problem, options.domains) from None
    return domains_in(data.decode("utf-8", "replace"))


class State:
    """The state of a build, for the progress bar."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.size = 0
        self._started = time.perf_counter()

    @property
    def seconds(self) -> float:
        """How long the build has run."""
        return time.perf_counter() - self._started

    def take(self, counts: "Counts") -> int:
        """Takes over the counts of the build; returns how many bytes are new."""
        self.counts[("new", "ok")] = counts.new
        self.counts[("changed", "ok")] = counts.changed
        self.counts[("unchanged", "ok")] = counts.same
        self.counts[("no service", "ok")] = counts.others
        self.counts[("", "unreadable")] = counts.unreadable
        more, self.size = counts.bytes - self.size, counts.bytes
        return more


def built(
    store: "Store",
    options: argparse.Namespace,
    keys: dict[str, Any] | None,
    interrupts: Interrupts,
    progress_kind: Any,
) -> "tuple[State, Counts] | None":
    """Reads the sources; None without any."""
    from ..registry.build import build
    from . import limits

    if not options.sources:
        return None
    state = State()

    def skip(path: str) -> bool:
        return any(is_same(path, options.store + end) for end in ("", "-wal", "-shm"))

    measure = partial(known_size, options.sources, skip)
    with progress_kind(measure, 0) as progress:
        counts = build(
            store,
            options.sources,
            limits=limits(options),
            workers=options.jobs,
            body=options.body_column,
            url=options.url_column,
            keys=keys,
            skip=skip,
            progress=lambda counts: progress.update(state, state.take(counts)),
            stopped=lambda: interrupts.code != 0,
        )
    return state, counts


def ask(
    store: "Store",
    domains: dict[str, str],
    options: argparse.Namespace,
    keys: dict[str, Any] | None,
    interrupts: Interrupts,
) -> "Asked":
    """Asks the domains."""
    from ..discovery import Timeouts
    from ..registry import domains as asking
    from . import limits

    timeouts = Timeouts()
    if options.timeout is not None:
        timeouts = Timeouts(total=options.timeout)

    def progress(asked: "Asked") -> None:
        if sys.stderr.isatty():
            line = f"{asked.sites:,} of {len(domains):,} domains, {asked.found:,} with documents"
            print(f"\r{line}", end="", file=sys.stderr, flush=True)

    asked = asking.ask(
        store,
        domains,
        concurrency=options.concurrency,
        keys=keys,
        progress=progress,
        stopped=lambda: interrupts.code != 0,
        user_agent=options.user_agent,
        timeouts=timeouts,
        limits=limits(options),
        allow_private=options.allow_private,
        cache=not options.no_cache,
        details=True,
        identity=identity_of(options),
    )
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return asked
