"""Measures the registry: how fast it answers, how fast it is filled, and how well it finds.

    python bench_registry.py speed [--services 100000] [--store FILE] [--http] [--workers 2]
    python bench_registry.py build CRAWL…
    python bench_registry.py quality FOLDER [QUERIES…]

`speed` fills a store with generated services of ten capabilities each, the same for each run, unless FILE is there already. Then 50 clients search: in
threads of this process. With `--http`, they do so over HTTP at a server of the same store, which is started with `--workers` processes; with `--url`, at
one that runs already with `--rate 0`. The share of the answers that the server had kept is printed, too. Each client waits between its searches, so that all together ask
`--rate` searches a second; with `--rate 0` they do not wait, and the time is mostly that of waiting for each other.

`build` reads crawls into an empty store, and says the documents per second and the peak of memory.

`quality` reads the ADP manifests in FOLDER/HOST/manifest.json, and documents of other formats in KIND/NAME (`--others`), and measures MRR and nDCG@10 beside a search that, as ADP's registry does, wants every
word of the query somewhere in a capability or its service (ILIKE). The queries are those in QUERIES (default: registry_queries.tsv and
registry_queries_new.tsv beside this file; nothing of the search was chosen with the second), and paraphrases that are generated from descriptions.
"""

import argparse
import math
import random
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from agentsdisc.registry import (
    CapabilityEntry,
    Query,
    ServiceEntry,
    Source,
    Store,
    Verdict,
    open_store,
)
from agentsdisc.registry.build import build
from agentsdisc.registry.words import STOP_WORDS

CLIENTS = 50
VERBS = [
    "create",
    "get",
    "list",
    "update",
    "delete",
    "search",
    "send",
    "cancel",
    "find",
    "add",
    "remove",
    "export",
    "import",
    "schedule",
    "track",
    "verify",
    "convert",
    "translate",
    "summarize",
    "upload",
    "download",
    "refund",
    "charge",
    "book",
    "approve",
    "archive",
]
NOUNS = [
    "invoice",
    "email",
    "payment",
    "order",
    "customer",
    "contact",
    "ticket",
    "message",
    "file",
    "image",
    "report",
    "product",
    "shipment",
    "booking",
    "calendar",
    "event",
    "user",
    "account",
    "address",
    "video",
    "document",
    "subscription",
    "price",
    "stock",
    "flight",
    "hotel",
    "room",
    "weather",
    "map",
    "route",
    "parcel",
    "recipe",
    "song",
    "playlist",
    "lead",
    "campaign",
    "survey",
    "contract",
    "signature",
    "backup",
    "domain",
    "certificate",
    "database",
    "query",
    "log",
    "metric",
    "alert",
    "dashboard",
    "employee",
    "payroll",
    "vacancy",
    "candidate",
    "course",
    "lesson",
    "grade",
    "patient",
    "appointment",
    "prescription",
    "claim",
]
KINDS = [
    "bulk",
    "recurring",
    "draft",
    "overdue",
    "public",
    "private",
    "shared",
    "archived",
    "recent",
    "external",
    "internal",
    "scheduled",
    "failed",
    "partial",
    "weekly",
    "monthly",
    "regional",
    "premium",
]
VERDICTS: tuple[Verdict, ...] = ("clean", "clean", "clean", "warnings", "errors")


def services(count: int) -> Iterator[tuple[ServiceEntry, list[CapabilityEntry]]]:
    """Yields generated services, the same ones in each run."""
    chance = random.Random(1)
    brands = [
        "".join(
            chance.choice(("ba", "ko", "ri", "tu", "ve", "lo", "zen", "qi"))
            for _ in range(4)
        )
        for _ in range(count)
    ]
    fetched = datetime.now(UTC).replace(microsecond=0)
    for number, brand in enumerate(brands):
        domain = f"{brand}{number}.example"
        url = f"https://{domain}/.well-known/agents.json"
        topics = chance.sample(NOUNS, 3)
        source = Source(
            url=url,
            format=chance.choice(("agents-json", "adp", "agents-txt")),
            digest=f"{number:064x}",
            fetched=fetched - timedelta(days=chance.choice((0, 1, 5, 60))),
            verdict=chance.choice(VERDICTS),
        )
        service = ServiceEntry(
            domain=domain,
            name=brand.title(),
            description=f"Everything about {topics[0]}s, {topics[1]}s and {topics[2]}s for {chance.choice(KINDS)} use.",
            category=topics[0],
            tags=tuple(topics),
            auth=chance.choice(("none", "api-key", "oauth2")),
            sources=(source,),
        )
        entries = []
        for at in range(10):
            verb, noun = (
                chance.choice(VERBS),
                chance.choice((*topics, chance.choice(NOUNS))),
            )
            kind, other = chance.choice(KINDS), chance.choice(NOUNS)
            entries.append(
                CapabilityEntry(
                    domain=domain,
                    name=f"{verb}_{kind}_{noun}" if at % 2 else f"{verb}_{noun}",
                    description=f"{verb.title()} a {kind} {noun} of the account, by {other} and date; case {number % 997}.",
                    parameters=(f"{noun}_id", "limit", f"{other}_date"),
                    method="POST",
                    endpoint=f"https://{domain}/api/{noun}",
                    source=url,
                )
            )
        yield service, entries


def fill(store: Store, count: int) -> None:
    """Fills a store with generated services."""
    started = time.perf_counter()
    made = services(count)
    for _ in range(0, count, 5_000):
        with store.write() as writer:
            for _, (service, entries) in zip(range(5_000), made, strict=False):
                writer.put(service, entries, ())
    seconds = time.perf_counter() - started
    print(
        f"filled in {seconds:.0f} s: {store.counts()[1] / seconds:,.0f} capabilities/s"
    )


def queries(seed: int) -> Iterator[Query]:
    """Yields searches: words that hundreds of thousands of capabilities have, rare ones, names, prefixes, sentences, filters."""
    chance = random.Random(seed)
    while True:
        verb, noun, kind = map(chance.choice, (VERBS, NOUNS, KINDS))
        text = chance.choice(
            (
                verb,
                noun,
                f"{verb} {noun}",
                f"{verb} {kind} {noun}",
                f"{verb}_{noun}",
                f"please {verb} the {noun} for me",
                f"{noun} case {chance.randrange(997)}",
                f"{verb} {noun[:4]}",
                f"{noun} {chance.choice(NOUNS)} {chance.choice(NOUNS)} {verb}",
                f"{verb} a xylophone {noun}",
                f"{noun} of the account by date",
            )
        )
        if chance.random() < 0.2:
            yield Query(text=text, auth=("none",), format=("adp",))
        else:
            yield Query(text=text, offset=chance.choice((0, 0, 0, 0, 10)))


def measured(
    clients: list[Callable[[Query], object]], rate: float, seconds: float
) -> list[float]:
    """Lets clients search for a time, and returns how long each search took, in seconds."""
    times: list[float] = []
    pause = len(clients) / rate if rate else 0.0
    begin = time.perf_counter() + 1.0
    end = begin + seconds

    def work(number: int, search: Callable[[Query], object]) -> None:
        chance = random.Random(number)
        asked = queries(number)
        at = begin + chance.random() * pause
        while at < end:
            time.sleep(max(0.0, at - time.perf_counter()))
            started = time.perf_counter() if not pause else max(at, begin)
            search(next(asked))
            times.append(time.perf_counter() - started)
            # As arrivals that do not wait for answers: a late answer counts from when it should have begun.
            at = at + chance.expovariate(1 / pause) if pause else time.perf_counter()

    threads = [
        threading.Thread(target=work, args=(number, search))
        for number, search in enumerate(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(times)


def speed(options: argparse.Namespace) -> None:
    """Measures searches."""
    with tempfile.TemporaryDirectory() as folder:
        where = options.store or str(Path(folder) / "registry.db")
        store = open_store(where)
        if store.counts()[0] == 0:
            fill(store, options.services)
            store.tidy()
        print("services, capabilities:", store.counts())
        if options.http:
            with served(where, options.workers) as url:
                measure(options, [over_http(url) for _ in range(CLIENTS)], url)
        elif options.url:
            clients = [over_http(options.url) for _ in range(CLIENTS)]
            measure(options, clients, options.url)
        else:
            measure(options, [store.search] * CLIENTS, None)
        store.close()


def measure(
    options: argparse.Namespace,
    clients: list[Callable[[Query], object]],
    url: str | None,
) -> None:
    """Measures one client, then all together."""
    asked = queries(0)
    where = "over HTTP" if url else "in the process"
    shown(
        f"one client, {where}",
        sorted(taken(clients[0], next(asked)) for _ in range(500)),
    )
    for rate in options.rate:
        before = kept_answers(url)
        times = measured(clients, rate, options.seconds)
        load = f"{rate:g} searches/s" if rate else "as fast as they can"
        kept = (kept_answers(url) - before) / max(1, len(times))
        shown(
            f"{CLIENTS} clients, {load}, {len(times) / options.seconds:.0f}/s answered, {kept:.0%} kept answers",
            times,
        )


def taken(search: Callable[[Query], object], query: Query) -> float:
    """Returns how long a search takes."""
    started = time.perf_counter()
    search(query)
    return time.perf_counter() - started


def kept_answers(url: str | None) -> int:
    """Returns how many answers a server has kept and given again, in all of its processes."""
    if url is None:
        return 0
    import httpx

    # The metrics of all processes are in one answer.
    found = re.findall(
        r"^agentsdisc_registry_kept_answers_total\S* (\d+)",
        httpx.get(f"{url}/metrics").text,
        re.MULTILINE,
    )
    return sum(map(int, found))


@contextmanager
def served(where: str, workers: int) -> Iterator[str]:
    """Starts a server of a store, and gives its URL."""
    command = (sys.executable, "-m", "agentsdisc", "registry", "serve", "--port", "0")
    options = ("--store", where, "--rate", "0", "--workers", str(workers))
    with subprocess.Popen(
        [*command, *options, "--submissions", "off"], stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stderr is not None
            url = server.stderr.readline().split()[1]
            end = time.monotonic() + 60
            while time.monotonic() < end and not answers(url):
                time.sleep(0.2)
            yield url
        finally:
            server.terminate()


def answers(url: str) -> bool:
    """Whether a server answers."""
    import httpx

    try:
        return httpx.get(f"{url}/healthz").status_code == 200
    except httpx.TransportError:
        return False


def over_http(url: str) -> Callable[[Query], object]:
    """Returns a client of a registry at this URL."""
    import httpx

    client = httpx.Client(base_url=url, timeout=30)

    def search(query: Query) -> object:
        values = {
            "q": query.text,
            "limit": str(query.limit),
            "offset": str(query.offset),
        }
        for name in ("auth", "format"):
            if chosen := getattr(query, name):
                values[name] = chosen[0]
        answer = client.get("/api/discover", params=values)
        answer.raise_for_status()
        return answer.content

    return search


def shown(what: str, times: list[float]) -> None:
    """Prints percentiles."""
    at = [
        times[min(len(times) - 1, int(len(times) * p))] * 1000
        for p in (0.5, 0.95, 0.99)
    ]
    print(
        f"{what}: p50 {at[0]:.1f} ms, p95 {at[1]:.1f} ms, p99 {at[2]:.1f} ms, longest {times[-1] * 1000:.0f} ms"
    )


def built(options: argparse.Namespace) -> None:
    """Measures the build."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "registry.db"
        store = open_store(str(path))
        for run in ("first", "again"):
            started, busy = time.perf_counter(), time.process_time()
            counts = build(store, options.crawls)
            seconds, busy = time.perf_counter() - started, time.process_time() - busy
            useful = counts.new + counts.changed + counts.same
            print(
                f"{run}: {counts.documents:,} documents in {seconds:.1f} s ({busy:.1f} s of processors), {counts.documents / seconds:,.0f}/s; "
                f"{useful:,} of services; {store.counts()[1]:,} capabilities"
            )
        store.close()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"peak of memory {peak:.0f} MB, file {path.stat().st_size / 1e6:.0f} MB")


# Quality.

Answers = frozenset[tuple[str, str]]
_REST = re.compile(r"[^a-z0-9]+")


def read_queries(path: Path) -> list[tuple[str, Answers]]:
    """Reads queries: text, a tab, and the answers as `domain name`, separated by `|`."""
    found = []
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            text, _, answers = line.partition("\t")
            pairs = (answer.split() for answer in answers.split("|"))
            found.append((text, frozenset((domain, name) for domain, name in pairs)))
    return found


def paraphrases(
    entries: list[tuple[CapabilityEntry, str]],
) -> list[tuple[str, Answers]]:
    """Makes queries from names and descriptions: three telling words in another order, some in the singular or plural, and the name of the service.

    Half of them have the words of a request before them.
    """
    chance = random.Random(3)
    begins = ("I want to", "please", "how can I", "can you", "", "", "", "")
    found = []
    for entry, name in chance.sample(entries, min(400, len(entries))):
        text = f"{entry.name.replace('_', ' ')} {entry.description or ''}".lower()
        telling = [
            word
            for word in dict.fromkeys(_REST.split(text))
            if len(word) > 2 and word not in STOP_WORDS
        ]
        if len(telling) < 4:
            continue
        some = [
            _other_number(word) if chance.random() < 0.3 else word
            for word in chance.sample(telling, 3)
        ]
        query = f"{chance.choice(begins)} {' '.join(some)} {name}".strip()
        found.append((query, frozenset({(entry.domain, entry.name)})))
    return found


def _other_number(word: str) -> str:
    """Returns a word in the plural, or in the singular if it is in the plural."""
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word + "s"


def ilike(texts: dict[tuple[str, str], str], query: str) -> list[tuple[str, str]]:
    """Returns the capabilities whose texts have all words of a query: those with the words in their names first."""
    asked = query.lower().split()
    hits = [pair for pair, text in texts.items() if all(word in text for word in asked)]
    return sorted(hits, key=lambda p: (-sum(word in p[1] for word in asked), p))


def ranked(store: Store, query: str) -> list[tuple[str, str]]:
    """Returns the capabilities that the registry finds, in the order of the page: the best one of each service, then their others."""
    hits = store.search(Query(text=query, limit=10)).hits
    first = [
        (h.service.domain, h.capabilities[0].name if h.capabilities else "-")
        for h in hits
    ]
    rest = [(h.service.domain, c.name) for h in hits for c in h.capabilities[1:]]
    return [*first, *rest]


def scores(found: list[tuple[str, str]], answers: Answers) -> tuple[float, float]:
    """Returns the reciprocal rank of the first answer, and nDCG@10."""
    places = [at for at, pair in enumerate(found[:10]) if pair in answers]
    gain = sum(1 / math.log2(at + 2) for at in places)
    best = sum(1 / math.log2(at + 2) for at in range(min(10, len(answers))))
    return (1 / (places[0] + 1) if places else 0.0), gain / best


PLACES = {
    "agent-card": ".well-known/agent-card.json",
    "agent-json": "agent.json",
    "agent-skills": ".well-known/agent-skills/index.json",
    "agents-json": ".well-known/agents.json",
    "agents-md": "agents.md",
    "agents-txt": "agents.txt",
    "ai-catalog": ".well-known/ai-catalog.json",
    "api-catalog": ".well-known/api-catalog",
    "llms-txt": "llms.txt",
    "mcp-json": ".well-known/mcp.json",
    "mcp-server-card": ".well-known/mcp/server-card.json",
}
"""Where sites publish the documents in the folders of `--others`."""


def manifests(folder: str) -> Iterator[tuple[Path, str]]:
    """Yields ADP's manifests, and where their sites publish them."""
    for manifest in sorted(Path(folder).glob("*/manifest.json")):
        host = manifest.parent.name.partition("_")[0]
        if "." in host:
            yield manifest, f"{host}/.well-known/agent.json"


def others(folder: str | None) -> Iterator[tuple[Path, str]]:
    """Yields documents KIND/NAME, and where the site NAME publishes those of this kind."""
    for kind, place in PLACES.items() if folder else ():
        for document in sorted(Path(folder or "").glob(f"{kind}/*")):
            name = re.sub(r"[^a-z0-9.-]", "-", document.stem.partition("~")[0].lower())
            yield document, f"{name}.example/{place}"


def quality(options: argparse.Namespace) -> None:
    """Measures how well the registry finds, beside all-words ILIKE."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "registry.db"))
        mirror = Path(folder) / "mirror"
        for document, place in (*manifests(options.folder), *others(options.others)):
            if not (mirror / place).exists():
                (mirror / place).parent.mkdir(parents=True, exist_ok=True)
                (mirror / place).write_bytes(document.read_bytes())
        build(store, [str(mirror)])
        print("services, capabilities:", store.counts())
        asked_of: Any = store
        if options.semantic is not None:
            from agentsdisc.registry.semantic import Model, SemanticStore

            asked_of = SemanticStore(store, Model(options.semantic))
            busy = time.process_time()
            asked_of.refresh()
            busy = (time.process_time() - busy) / sum(store.counts()) * 1e3
            print(f"{busy:.1f} ms of a processor for each capability")
        texts: dict[tuple[str, str], str] = {}
        entries: dict[str, list[tuple[CapabilityEntry, str]]] = {}
        after = None
        while hits := store.list(Query(limit=100), after=after).hits:
            for hit in hits:
                after, service = hit.service.domain, hit.service
                formats = {source.url: source.format for source in service.sources}
                about = f"{service.name} {service.description} {after}"
                if not service.capabilities:
                    texts[after, "-"] = about.lower()
                for entry in store.capabilities(after, limit=1 << 20):
                    pair = (after, entry.name)
                    texts[pair] = f"{entry.name} {entry.description} {about}".lower()
                    kind = "ADP" if formats[entry.source] == "adp" else "other formats"
                    brand = [*(service.name or "").split(), after.partition(".")[0]][0]
                    entries.setdefault(kind, []).append((entry, brand))
        sets: dict[str, list[tuple[str, Answers]]] = {}
        for path in options.queries:
            for query in read_queries(path):
                is_other = any(domain.endswith(".example") for domain, _ in query[1])
                kind = "other formats" if is_other else "ADP"
                if kind in entries:
                    sets.setdefault(f"{path.stem}, {kind}", []).append(query)
        for kind, some in entries.items():
            sets[f"generated, {kind} ({len(some):,} capabilities)"] = paraphrases(some)
        for name, asked in sets.items():
            unknown = [a for _, answers in asked for a in answers if a not in texts]
            if unknown:
                print("answers that are not there:", *unknown, sep="\n  ")
            for way, search in (
                ("registry", lambda text: ranked(asked_of, text)),
                ("ILIKE", lambda text: ilike(texts, text)),
            ):
                busy = time.process_time()
                pairs = [(text, answers, search(text)) for text, answers in asked]
                busy = (time.process_time() - busy) / len(pairs) * 1e3
                got = [scores(found, answers) for _, answers, found in pairs]
                mrr, ndcg = (sum(one[k] for one in got) / len(got) for k in (0, 1))
                print(
                    f"{name}, {len(got)} queries, {way}: MRR {mrr:.3f}, nDCG@10 {ndcg:.3f}, {busy:.1f} ms a query"
                )
                if options.missed and way == "registry":
                    for text, answers, found in pairs:
                        if not answers & {*found[:1]}:
                            print(
                                "  ", text, "->", found[:3], "not", sorted(answers)[:2]
                            )
        store.close()


def main() -> None:
    """Runs a measurement."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(required=True)
    one = kinds.add_parser("speed")
    one.add_argument("--services", type=int, default=100_000)
    one.add_argument("--store")
    one.add_argument("--http", action="store_true")
    one.add_argument("--workers", type=int, default=1)
    one.add_argument("--url")
    one.add_argument("--rate", type=float, nargs="+", default=[50, 100, 200, 0])
    one.add_argument("--seconds", type=float, default=10)
    one.set_defaults(run=speed)
    one = kinds.add_parser("build")
    one.add_argument("crawls", nargs="+")
    one.set_defaults(run=built)
    one = kinds.add_parser("quality")
    one.add_argument("folder")
    one.add_argument(
        "queries",
        nargs="*",
        type=Path,
        default=[
            Path(__file__).parent / name
            for name in ("registry_queries.tsv", "registry_queries_new.tsv")
        ],
    )
    one.add_argument("--others", metavar="FOLDER")
    one.add_argument("--missed", action="store_true")
    one.add_argument("--semantic", metavar="FOLDER", help="rank by meaning, too")
    one.set_defaults(run=quality)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
