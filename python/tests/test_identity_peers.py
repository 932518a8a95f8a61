"""Signatures that other libraries make and verify: http-message-signatures (Python) and web-bot-auth (JavaScript)."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from agentsdisc.identity import Key, sign, verify
from conftest import ROOT

URL = "https://shop.example/mugs?color=red"
AGENT = "https://agent.example"
KEY = Key.generate()
KEYS = {"keys": [KEY.public]}


class Request:
    """A request as http-message-signatures takes it."""

    def __init__(self, method: str, url: str, headers: dict[str, str]) -> None:
        self.method, self.url, self.headers = method, url, headers


def peer() -> tuple[Any, dict[str, Any]]:
    """The Python library, and what its signers and verifiers take."""
    library = pytest.importorskip("http_message_signatures")

    class Keys(library.HTTPSignatureKeyResolver):  # type: ignore[misc,name-defined]
        def resolve_private_key(self, key_id: str) -> Any:
            return KEY._private

        def resolve_public_key(self, key_id: str) -> Any:
            assert key_id == KEY.thumbprint
            return KEY._private.public_key()

    algorithm = library.algorithms.ED25519
    return library, {"signature_algorithm": algorithm, "key_resolver": Keys()}


@pytest.mark.parametrize("directory", [None, AGENT, "https://agent.example/keys.json"])
@pytest.mark.parametrize(
    "url",
    [
        URL,
        "https://shop.example",
        "https://Shop.example:443/a%20b/?",
        "https://shop.example:8443/x?a=1&a=2",
    ],
)
def test_http_message_signatures_verifies_ours(directory: str | None, url: str) -> None:
    library, options = peer()
    headers = {"Content-Digest": "sha-256=:AAAA:"}
    headers |= sign(KEY, "POST", url, headers, directory=directory)
    verifier = library.HTTPMessageVerifier(**options)
    results = verifier.verify(Request("POST", url, headers), expect_tag="web-bot-auth")
    assert [result.label for result in results] == ["sig1"]
    headers["Signature-Input"] = headers["Signature-Input"].replace(
        "expires=1", "expires=2"
    )
    with pytest.raises(library.InvalidSignature):
        verifier.verify(Request("POST", url, headers), expect_tag="web-bot-auth")


@pytest.mark.parametrize(
    "components",
    [
        ["@authority", '"signature-agent";key="pyhms"'],
        ["@target-uri", "signature-agent"],
        [
            "@method",
            "@authority",
            "@path",
            "@query",
            "@scheme",
            '"signature-agent";key="pyhms"',
        ],
        ["@authority", '"@query-param";name="color"', "signature-agent", "accept"],
    ],
)
def test_ours_verifies_http_message_signatures(components: list[str]) -> None:
    from datetime import UTC, datetime, timedelta

    library, options = peer()
    headers = {"Signature-Agent": f'pyhms="{AGENT}"', "Accept": "text/html,  */*"}
    request = Request("GET", URL, headers)
    now = datetime.now(UTC)
    library.HTTPMessageSigner(**options).sign(
        request,
        key_id=KEY.thumbprint,
        created=now,
        expires=now + timedelta(seconds=60),
        nonce="bm9uY2U=",
        tag="web-bot-auth",
        include_alg=True,
        covered_component_ids=components,
    )
    verdict = verify("GET", URL, headers, keys=KEYS)
    assert verdict.valid, verdict
    assert not verify("GET", URL.replace("shop", "evil"), headers, keys=KEYS).valid


SCRIPT = """
import { signatureHeaders, verify } from "web-bot-auth";
import { signerFromJWK, verifierFromJWK } from "web-bot-auth/crypto";
const { url, key, signed, created } = JSON.parse(process.argv[1]);
const made = [];
for (const agent of [undefined, '"https://agent.example"']) {
  const request = new Request(url, { headers: agent ? { "Signature-Agent": agent } : {} });
  const own = await signatureHeaders(request, await signerFromJWK(key), {
    created: new Date(created), expires: new Date(created + 60000) });
  made.push(agent ? { ...own, "Signature-Agent": agent } : own);
}
const { d, ...open } = key;
const verdicts = [];
for (const headers of signed) {
  try {
    await verify(new Request(url, { headers }), await verifierFromJWK(open));
    verdicts.push("valid");
  } catch (problem) {
    verdicts.push(String(problem));
  }
}
console.log(JSON.stringify({ made, verdicts }));
"""


def test_web_bot_auth_of_npm_in_both_directions() -> None:
    folder = Path(os.environ.get("AGENTSDISC_WEB_BOT_AUTH", ROOT / "js"))
    node = shutil.which("node")
    if node is None or not (folder / "node_modules/web-bot-auth").is_dir():
        pytest.skip("web-bot-auth is not installed: npm ci in js/")
    # It reads no members of Signature-Agent and none of the fields that newer drafts cover, so it gets a signature without.
    signed = [sign(KEY, "GET", URL), sign(KEY, "GET", URL)]
    signed[1] |= {"Signature": sign(KEY, "GET", URL)["Signature"]}
    given = {
        "url": URL,
        "key": KEY._written(),
        "signed": signed,
        "created": int(time.time() * 1000),
    }
    command = [node, "--input-type=module", "-e", SCRIPT, json.dumps(given)]
    ran = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["verdicts"][0] == "valid", found["verdicts"]
    assert found["verdicts"][1] != "valid"
    for headers in found["made"]:
        verdict = verify("GET", URL, headers, keys=KEYS)
        assert verdict.valid, verdict
        assert (verdict.directory is None) == ("Signature-Agent" not in headers)
        assert (
            verify("GET", "https://evil.example/", headers, keys=KEYS).reason
            == "wrong-signature"
        )
