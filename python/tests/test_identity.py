"""Signed requests: the vectors, keys, what a site accepts, and what the two sides of this package agree on."""

import copy
import json
import os
import pickle
import shlex
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import agentsdisc
import pytest
from agentsdisc import _agentsdisc
from agentsdisc import identity as web_bot_auth
from agentsdisc.cli import main
from agentsdisc.identity import (
    Directory,
    Identity,
    Key,
    Replays,
    Verdict,
    reasons,
    sign,
    thumbprint,
    verify,
)
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

FOLDER = Path(__file__).resolve().parents[2] / "conformance/identity"
EXAMPLES = json.loads((FOLDER / "examples.json").read_text())
VERDICTS = json.loads((FOLDER / "verdicts.json").read_text())
URL = "https://shop.example/mugs?color=red&size=2"
AGENT = "https://agent.example"
WELL_KNOWN = "/.well-known/http-message-signatures-directory"
KEY = Key.generate()
KEYS = {"keys": [KEY.public]}


def verdict_of(case: dict) -> Verdict:
    return verify(
        case["method"],
        case["url"],
        [tuple(pair) for pair in case["headers"]],
        keys=case.get("keys", VERDICTS["keys"]),
        now=case["now"],
        longest=case.get("longest"),
    )


@pytest.mark.parametrize("case", VERDICTS["cases"], ids=lambda case: case["name"])
def test_vectors(case: dict) -> None:
    verdict = verdict_of(case)
    assert verdict.reason == case["reason"]
    assert verdict.valid == bool(verdict) == (case["reason"] == "valid")
    assert (verdict.identity is not None) == verdict.valid


def test_there_are_enough_negatives_and_each_reason_is_in_use() -> None:
    found = {case["reason"] for case in VERDICTS["cases"]}
    assert sum(case["reason"] != "valid" for case in VERDICTS["cases"]) >= 100
    # The others need a directory or a memory; they have tests below.
    assert set(reasons()) - found == {
        "agent-missing",
        "unsupported-agent-type",
        "key-of-examples",
        "directory-failed",
        "replayed",
        "replay-unknown",
    }


@pytest.mark.parametrize("vector", EXAMPLES["vectors"], ids=lambda each: each["name"])
def test_examples_of_the_specifications(vector: dict) -> None:
    def pairs(headers: dict) -> list[tuple[bytes, bytes]]:
        return [(name.encode(), value.encode()) for name, value in headers.items()]

    answer = pairs(vector["answer"]) if "answer" in vector else None
    request = (
        vector["method"].encode(),
        vector["url"].encode(),
        pairs(vector["headers"]),
    )
    base = _agentsdisc._signature_base(request, vector["label"].encode(), answer)
    assert base.decode() == vector["base"]
    if "now" in vector:
        found = verify(
            vector["method"],
            vector["url"],
            vector["headers"],
            keys=EXAMPLES["keys"],
            now=vector["now"],
        )
        assert found.valid, found
    # Also those that are no requests of agents have the signature of their bytes.
    import base64

    sent = vector.get("answer", vector["headers"])["Signature"]
    signature = base64.b64decode(sent.partition("=")[2].strip(":"))
    kind = "RSA" if vector["algorithm"].startswith("rsa") else "OKP"
    key = next(key for key in EXAMPLES["keys"]["keys"] if key["kty"] == kind)
    members = tuple((n, key[n]) for n in ("kty", "crv", "x", "n", "e") if n in key)
    from agentsdisc.identity.keys import fits

    assert fits(members, vector["algorithm"], signature, base) == "valid"
    assert fits(members, vector["algorithm"], signature, base + b" ") != "valid"


@pytest.mark.parametrize(
    "example", EXAMPLES["thumbprints"], ids=lambda each: each["name"]
)
def test_thumbprints(example: dict) -> None:
    assert thumbprint(example["jwk"]) == example["thumbprint"]


def test_signing_is_as_in_the_specification() -> None:
    private = EXAMPLES["private"][0]
    raw = web_bot_auth.keys._bytes(private["d"])
    key = Key(ed25519.Ed25519PrivateKey.from_private_bytes(raw))
    assert key.thumbprint == "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"
    vector = next(
        each for each in EXAMPLES["vectors"] if each["name"].startswith("ed25519")
    )
    import base64

    signature = base64.b64encode(key._sign(vector["base"].encode())).decode()
    assert f":{signature}:" in vector["headers"]["Signature"]


def test_a_signed_request_is_valid() -> None:
    headers = {"Content-Digest": "sha-256=:AAAA:", "Host": "ignored"}
    made = sign(KEY, "POST", URL, headers, directory=AGENT)
    assert list(made) == ["Signature-Agent", "Signature-Input", "Signature"]
    assert made["Signature-Agent"] == 'sig1="https://agent.example"'
    assert '"content-digest"' in made["Signature-Input"]
    assert '"host"' not in made["Signature-Input"]
    sent = headers | made
    verdict = verify("POST", URL, sent, keys=KEYS)
    assert verdict.valid and verdict.reason == "valid"
    assert verdict.key_id == verdict.identity == KEY.thumbprint
    assert verdict.directory == AGENT + WELL_KNOWN
    assert verdict.message.startswith("The signature is valid")
    assert (
        verify("POST", URL, sent | {"Content-Digest": "x"}, keys=KEYS).reason
        == "wrong-signature"
    )
    assert sign(KEY, "POST", URL)["Signature"] != sign(KEY, "POST", URL)["Signature"]


@pytest.mark.parametrize(
    "private",
    [
        ed25519.Ed25519PrivateKey.generate(),
        ec.generate_private_key(ec.SECP256R1()),
        ec.generate_private_key(ec.SECP384R1()),
        rsa.generate_private_key(65537, 2048),
    ],
    ids=lambda key: type(key).__name__,
)
def test_keys_of_every_type_are_stored_and_sign(
    private: object, tmp_path: Path
) -> None:
    key, path = Key(private), tmp_path / "key.json"
    key.save(path)
    loaded = Key.load(path)
    assert loaded.public == key.public and loaded.algorithm == key.algorithm
    assert not set(loaded.public) & set("dpqk")
    made = sign(loaded, "GET", URL, directory=AGENT)
    assert verify("GET", URL, made, keys={"keys": [key.public]}).valid
    changed = {
        **made,
        "Signature": made["Signature"].replace(
            made["Signature"][20], "A" if made["Signature"][20] != "A" else "B", 1
        ),
    }
    assert not verify("GET", URL, changed, keys={"keys": [key.public]}).valid
    pem = private.private_bytes(  # type: ignore[attr-defined]
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(pem)
    assert Key.load(path).thumbprint == key.thumbprint


def test_keys_stay_secret(tmp_path: Path) -> None:
    path = tmp_path / "key.json"
    path.write_text("old")
    path.chmod(0o666)
    old = os.umask(0)
    try:
        KEY.save(path)
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["key.json"]
    secret = json.loads(path.read_text())["d"]
    assert secret not in repr(KEY) + str(vars(type(KEY))) + str(KEY.public)
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="secret"):
            copied(KEY)
    assert repr(KEY) == f"<Key ed25519 {KEY.thumbprint}>"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        '{"kty":"OKP","crv":"Ed25519","x":"AAAA"}',
        "-----BEGIN",
        "{" * 100,
        '{"kty":"OKP","crv":"Ed25519","d":"secretsecret"}',
        '{"kty":"RSA","n":"AQAB","e":"AQAB","d":"AQAB"}',
        "x" * 70000,
    ],
)
def test_a_file_without_a_key(text: str, tmp_path: Path) -> None:
    path = tmp_path / "key.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="key") as raised:
        Key.load(path)
    assert "secretsecret" not in str(raised.value)
    assert raised.value.__context__ is None


def test_what_a_request_contains_never_raises() -> None:
    strange = [
        "",
        "\0",
        "\ud800",
        "é",
        "☃",
        "a" * 100_000,
        "\r\n",
        "(" * 5000,
        "sig1=" * 5000,
        "=;:,()",
    ]
    made = sign(KEY, "GET", URL, directory=AGENT)
    for text in strange:
        for name in made:
            for value in (text, made[name] + text, text + made[name]):
                found = verify("GET", URL, made | {name: value}, keys=KEYS)
                assert found.reason in reasons()
                assert not found.valid or value.strip(" \t") == made[name]
        assert verify(text, URL, made, keys=KEYS).valid is False
        assert verify("GET", text, made, keys=KEYS).valid is False
        assert (
            verify("GET", "https://shop.example/" + text, made, keys=KEYS).valid
            is False
        )
        assert verify("GET", URL, {text: text}, keys=KEYS).reason == "unsigned"
    for headers in (None, 5, "x", [("a",)], [("a", "b", "c")], [(1, 2)], {"a": None}):
        assert verify("GET", URL, headers, keys=KEYS).reason == "malformed-request"  # type: ignore[arg-type]
    assert verify(
        b"GET",
        URL.encode(),
        [(n.encode(), v.encode()) for n, v in made.items()],
        keys=KEYS,
    ).valid
    many = [("x", "y")] * 300 + list(made.items())
    assert verify("GET", URL, many, keys=KEYS).reason == "too-large"


def test_wrong_calls_raise() -> None:
    made = sign(KEY, "GET", URL)
    for keys in (None, "x", [KEY.public], {"keys": object()}):
        with pytest.raises(TypeError):
            verify("GET", URL, made, keys=keys)  # type: ignore[arg-type]
    for url in (
        "",
        "/mugs",
        "ftp://a.example/",
        "https://u:p@a.example/",
        "https://bücher.example/",
    ):
        with pytest.raises(ValueError, match="URL"):
            sign(KEY, "GET", url)
    for directory in (
        "http://agent.example",
        "agent.example",
        "https://",
        "https://a@b.example",
        'https://a"b.example',
    ):
        with pytest.raises(ValueError):
            sign(KEY, "GET", URL, directory=directory)
    for expires in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="expires"):
            sign(KEY, "GET", URL, expires=expires)


def test_no_key_of_one_agent_speaks_for_another() -> None:
    other = Key.generate()
    known = Directory(
        known={AGENT: KEYS, "https://other.example": {"keys": [other.public]}},
        only_known=True,
    )
    made = sign(KEY, "GET", URL, directory=AGENT)
    verdict = verify("GET", URL, made, keys=known)
    assert verdict.identity == verdict.directory == AGENT + WELL_KNOWN
    false = sign(other, "GET", URL, directory=AGENT)
    assert verify("GET", URL, false, keys=known).reason == "unknown-key"
    assert (
        verify("GET", URL, sign(KEY, "GET", URL), keys=known).reason == "agent-missing"
    )
    gone = sign(KEY, "GET", URL, directory="https://gone.example")
    assert verify("GET", URL, gone, keys=known).reason == "directory-failed"
    placed = Directory(known={"https://agent.example/keys?v=1": KEYS}, only_known=True)
    made = sign(KEY, "GET", URL, directory="https://AGENT.example:443/keys?v=1")
    assert (
        verify("GET", URL, made, keys=placed).identity == "https://agent.example/keys"
    )


def test_published_private_keys_prove_nothing() -> None:
    vector = EXAMPLES["vectors"][0]
    for examples, reason in ((False, "key-of-examples"), (True, "valid")):
        keys = Directory(
            known={"https://signature-agent.test": EXAMPLES["keys"]}, examples=examples
        )
        found = verify(
            vector["method"],
            vector["url"],
            vector["headers"],
            keys=keys,
            now=vector["now"],
        )
        assert found.reason == reason


def test_an_agent_of_an_unknown_type_is_refused() -> None:
    case = next(
        each
        for each in VERDICTS["cases"]
        if each["name"].startswith("an agent of another type")
    )
    found = verify(
        case["method"],
        case["url"],
        [(name, value.replace("cimd", "other")) for name, value in case["headers"]],
        keys=Directory(),
        now=case["now"],
    )
    assert found.reason == "unsupported-agent-type"


def test_a_signature_is_used_once() -> None:
    replays = Replays()
    made = sign(KEY, "GET", URL)

    def again(**options: object) -> str:
        return verify("GET", URL, made, keys=KEYS, replays=replays, **options).reason  # type: ignore[arg-type]

    assert [again(), again(), again()] == ["valid", "replayed", "replayed"]
    # A request that is not valid takes no room and makes no other one a replay.
    fresh = sign(KEY, "GET", URL)
    assert (
        verify("PUT", URL, fresh, keys=KEYS, replays=replays).reason
        == "wrong-signature"
    )
    assert verify("GET", URL, fresh, keys=KEYS, replays=replays).valid


def test_the_memory_of_signatures_is_bounded_and_fails_closed() -> None:
    replays = Replays(size=3, per_agent=2)
    assert [replays.take("a", bytes([n]), 100, 0) for n in range(3)] == [
        "valid",
        "valid",
        "replay-unknown",
    ]
    assert [replays.take("b", bytes([n]), 100, 2) for n in range(2)] == [
        "valid",
        "replay-unknown",
    ]
    assert replays.take("a", b"\0", 100, 99) == "replayed"
    assert replays.take("a", b"\7", 200, 100) == "valid"
    assert len(replays._seen) == len(replays._order) == 1 and replays._counts == {
        "a": 1
    }
    for n in range(1000):
        replays.take("c", n.to_bytes(2), 1000 + n, 999 + 2 * n)
    assert len(replays._seen) <= 3 and sum(replays._counts.values()) == len(
        replays._seen
    )


def test_of_many_threads_one_uses_a_signature() -> None:
    replays, made = Replays(), sign(KEY, "GET", URL)
    ready = threading.Barrier(8)

    def use(_: int) -> bool:
        ready.wait()
        return verify("GET", URL, made, keys=KEYS, replays=replays).valid

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(use, range(8))) == 1


def test_the_cryptography_is_imported_when_it_is_needed() -> None:
    code = "import sys, agentsdisc.identity; assert 'cryptography' not in sys.modules and 'httpx' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = (
        "import sys; sys.modules['cryptography'] = None\n"
        "from agentsdisc import identity\n"
        "for call in (identity.Key.generate, lambda: identity.verify('GET', 'x', {}, keys={'keys': []})):\n"
        "    try: call()\n"
        "    except ImportError as problem: assert 'agentsdisc[identity]' in str(problem), problem\n"
        "    else: raise AssertionError\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_identity_is_a_key_and_a_directory() -> None:
    from agentsdisc.identity.signing import checked

    assert checked((KEY, AGENT)) == Identity(KEY, AGENT)
    assert checked(None) is None
    assert verify("GET", URL, Identity(KEY, AGENT).sign("GET", URL), keys=KEYS).valid
    for wrong, error in (
        (KEY, TypeError),
        (("x", AGENT), TypeError),
        ((KEY, 5), TypeError),
        ((KEY, "http://a.example"), ValueError),
    ):
        with pytest.raises(error):
            checked(wrong)  # type: ignore[arg-type]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, other = str(tmp_path / "key.json"), str(tmp_path / "other.json")
    assert main(["identity", "new", path]) == main(["identity", "new", other]) == 0
    printed = capsys.readouterr().out.split()
    assert printed == [Key.load(path).thumbprint, Key.load(other).thumbprint]
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600
    before = Path(path).read_bytes()
    assert main(["identity", "new", path]) == 2
    assert main(["identity", "new", str(tmp_path / "no/key")]) == 2
    assert Path(path).read_bytes() == before
    assert main(["identity", "directory", path, other]) == 0
    text = capsys.readouterr().out
    assert [key["kid"] for key in json.loads(text)["keys"]] == printed
    assert '"d"' not in text
    assert not list(agentsdisc.parse(text, format="signature-directory").check())
    assert main(["identity", "directory", path, "-o", str(tmp_path / "out")]) == 0
    assert (
        main(["identity", "sign", path, URL, "--directory", AGENT, "--method", "PUT"])
        == 0
    )
    words = shlex.split(capsys.readouterr().out)
    assert words[:3] == ["curl", "-X", "PUT"] and words[-1] == URL
    headers = dict(word.split(": ", 1) for word in words[4:-1:2])
    assert verify("PUT", URL, headers, keys={"keys": [Key.load(path).public]}).valid


@pytest.mark.parametrize(
    "words",
    [
        ["sign", "KEY", "/mugs"],
        ["sign", "KEY", URL, "--directory", "http://agent.example"],
        ["sign", "KEY", URL, "--method", "GET /"],
        ["sign", "no-such-file", URL],
        ["directory", "no-such-file"],
        ["directory", "NOT"],
    ],
)
def test_the_command_refuses(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    KEY.save(tmp_path / "KEY")
    (tmp_path / "NOT").write_text("{}")
    words = [str(tmp_path / word) if word in {"KEY", "NOT"} else word for word in words]
    assert main(["identity", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1
