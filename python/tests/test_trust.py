"""The trust guarantees, each with the Python tests that verify it.

The core implements and tests most of them (`core/tests`); these tests use the functions and commands that agents and site
owners call. `PROMISES` maps each guarantee to its tests, and a test checks that these tests exist.
"""

import json
import re
from pathlib import Path

import agentsdisc
import pytest
from conftest import Run

PROMISES = {
    "an unreadable value never grants a right (fail closed)": [
        "test_trust.py::test_unreadable_values_grant_nothing",
        "test_policy.py::test_vector",
    ],
    "credentials are sent over https, or to a loopback address": [
        "test_trust.py::test_tricks_in_endpoints",
        "test_mcp.py::test_credentials_need_encryption",
    ],
    "hosts are compared by registrable domain, ignoring letter case": [
        "test_trust.py::test_tricks_in_endpoints"
    ],
    "URLs with user information are rejected": [
        "test_trust.py::test_tricks_in_endpoints",
        "test_discovery_trust.py::test_redirects_off_the_site_are_not_followed",
        "test_mcp_hostile.py::test_tricks_in_endpoints",
    ],
    "URLs with non-ASCII hosts are rejected": [
        "test_trust.py::test_tricks_in_endpoints"
    ],
    "a trailing dot does not make another host": [
        "test_trust.py::test_tricks_in_endpoints"
    ],
    "another port is the same host, and port 443 is not https": [
        "test_trust.py::test_tricks_in_endpoints"
    ],
    "IP addresses are recognized in every notation": [
        "test_trust.py::test_tricks_in_endpoints",
        "test_discovery_trust.py::test_addresses_that_are_not_public",
        "test_discovery_trust.py::test_this_machine_is_not_asked",
    ],
    "`//host` is another host": ["test_trust.py::test_tricks_in_endpoints"],
    "escaped slashes do not hide a host": ["test_trust.py::test_tricks_in_endpoints"],
    "redirects off the site are not followed": [
        "test_discovery_trust.py::test_redirects_within_the_site",
        "test_discovery_trust.py::test_redirects_off_the_site_are_not_followed",
        "test_mcp_hostile.py::test_redirects_to_other_hosts_are_not_followed",
        "test_serving.py::test_problems",
    ],
    "certificates are always checked": [
        "test_discovery_trust.py::test_certificates_are_checked",
        "test_discovery_trust.py::test_nothing_turns_the_checks_off",
        "test_trust.py::test_sessions_check_certificates_too",
    ],
    "a document counts for its own site only": [
        "test_trust.py::test_documents_speak_for_their_origin",
        "test_discovery_trust.py::test_documents_lead_nowhere_else",
        "test_mcp.py::test_endpoints_on_other_domains_are_refused",
        "test_mcp_hostile.py::test_an_sse_server_cannot_send_messages_elsewhere",
    ],
    "secrets are reported, and masked in the output": [
        "test_trust.py::test_secrets_are_reported_and_never_echoed",
        "test_mcp.py::test_the_token_goes_where_the_documents_say",
        "test_mcp.py::test_credentials_that_would_be_another_header_are_refused",
    ],
    "control characters are escaped in output for people": [
        "test_trust.py::test_control_characters_never_reach_a_terminal",
        "test_cli.py::test_inspect_shows_no_control_characters",
        "test_policy.py::test_cli_shows_no_control_characters",
        "test_discovery.py::test_control_characters_of_headers_are_escaped",
        "test_serving.py::test_headers_are_escaped",
        "test_mcp_hostile.py::test_control_characters_never_reach_a_terminal",
    ],
    "a body over the size limit is refused": [
        "test_discovery_trust.py::test_endless_bodies_end",
        "test_discovery_trust.py::test_the_limit_counts_decoded_bytes",
        "test_mcp_hostile.py::test_long_answers",
        "test_mcp_hostile.py::test_giant_lists_of_tools",
    ],
    "every request has a timeout": [
        "test_discovery_trust.py::test_slow_answers_end",
        "test_discovery_trust.py::test_connections_that_hang_end",
        "test_mcp_hostile.py::test_streams_without_an_end",
        "test_mcp_hostile.py::test_silence",
    ],
    "redirects in a loop end": [
        "test_discovery_trust.py::test_loops_and_long_chains_end"
    ],
    "the size limit counts decompressed bytes": [
        "test_discovery_trust.py::test_gzip_bombs_are_not_blown_up",
        "test_mcp_hostile.py::test_compressed_answers_are_refused",
    ],
    "the content decides, not its Content-Type": [
        "test_discovery.py::test_the_content_decides_not_its_type",
        "test_serving.py::test_problems",
    ],
    "HTML pages in place of documents are recognized": [
        "test_discovery.py::test_unusable_answers",
        "test_serving.py::test_html_pages_at_every_location",
    ],
    "private addresses are refused, also those of DNS answers": [
        "test_discovery_trust.py::test_names_of_private_addresses_are_not_asked",
        "test_discovery_trust.py::test_a_redirect_to_a_private_address_is_not_asked",
        "test_discovery_trust.py::test_the_address_that_was_looked_at_is_the_one_connected_to",
        "test_mcp_hostile.py::test_names_that_resolve_to_private_addresses",
    ],
}


def test_every_promise_names_existing_tests() -> None:
    for promise, tests in PROMISES.items():
        for test in tests:
            file, _, name = test.partition("::")
            source = (Path(__file__).parent / file).read_text(encoding="utf-8")
            assert re.search(rf"^def {name}\(", source, re.MULTILINE), (promise, test)


# Endpoints, and whether each may be called with credentials.
ENDPOINTS = [
    ("https://shop.example/mcp", True),
    ("HTTPS://SHOP.Example/mcp", True),
    ("https://shop.example./mcp", True),
    ("https://shop.example:8443/mcp", True),
    ("https://api.SHOP.example/mcp", True),
    ("http://shop.example/mcp", False),
    ("http://shop.example:443/mcp", False),
    ("https://evil.test/mcp", False),
    ("https://EVIL.TEST/mcp", False),
    ("https://evil.test./mcp", False),
    ("https://shop.example.evil.test/mcp", False),
    ("https://evil-shop.example/mcp", False),
    ("https://example/mcp", False),
    ("https://shop.example@evil.test/mcp", False),
    ("https://shop.example:x@evil.test/mcp", False),
    ("https://evil.test\\@shop.example/mcp", False),
    ("https://evil.test#@shop.example/mcp", False),
    ("https://evil.test?@shop.example/mcp", False),
    ("//evil.test/mcp", False),
    ("\\\\evil.test\\mcp", False),
    ("https:evil.test/mcp", False),
    ("https:/evil.test/mcp", False),
    ("https:///evil.test/mcp", False),
    ("https:\\/\\/evil.test/mcp", False),
    ("https://shop.example%2eevil.test/mcp", False),
    ("https://shop.example%00.evil.test/mcp", False),
    ("https://shöp.example/mcp", False),
    ("https://xn--shp-tna.example/mcp", False),
    ("https://shop.example\u3002evil.test/mcp", False),
    ("https://127.0.0.1/mcp", False),
    ("https://0x7f.1/mcp", False),
    ("https://0177.0.0.1/mcp", False),
    ("https://2130706433/mcp", False),
    ("https://[::1]/mcp", False),
    ("https://[::ffff:127.0.0.1]/mcp", False),
    ("https://[fe80::1%25eth0]/mcp", False),
    ("javascript:alert(1)", False),
    ("file:///etc/passwd", False),
]


def documents(endpoint: str) -> list[agentsdisc.Document]:
    """Returns documents with that endpoint, one for each format that has endpoints."""
    auth = {"type": "bearer-token", "tokenEndpoint": "https://shop.example/t"}
    capability = {"id": "mcp", "endpoint": endpoint, "protocol": "MCP", "auth": auth}
    draft = {
        "specVersion": "1.0",
        "site": {"name": "A", "url": "https://shop.example"},
        "capabilities": [capability],
    }
    protocols = {"mcp": {"version": "1.0", "endpoint": endpoint}}
    actions = [
        {"id": "mcp", "via": "mcp", "auth_required": True, "inputs": {}, "outputs": {}}
    ]
    awp = {
        "awp_version": "0.2",
        "domain": "shop.example",
        "intent": "x",
        "protocols": protocols,
        "actions": actions,
    }
    plain = json.dumps(draft, ensure_ascii=False)
    return [
        agentsdisc.parse(plain),
        # PHP escapes slashes.
        agentsdisc.parse(plain.replace("/", "\\/")),
        agentsdisc.parse(
            plain.replace(
                json.dumps(endpoint, ensure_ascii=False),
                '"' + "".join(f"\\u{ord(c):04x}" for c in endpoint) + '"',
            )
        ),
        agentsdisc.parse(
            "Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://shop.example\nCapability: mcp\n"
            f"  Endpoint: {endpoint}\n  Protocol: MCP\n  Auth: bearer-token\n  Auth-Endpoint: https://shop.example/t\n"
        ),
        agentsdisc.parse(json.dumps(awp)),
    ]


@pytest.mark.parametrize(("endpoint", "trusted"), ENDPOINTS)
def test_tricks_in_endpoints(endpoint: str, trusted: bool) -> None:
    for document in documents(endpoint):
        decision = document.decide(
            agent="Bot",
            capability="mcp",
            origin="https://shop.example",
            robots="absent",
        )
        assert decision.allowed is trusted, (document, decision)
        assert (decision.credentials == "allowed") is trusted, (document, decision)
        if not trusted:
            with pytest.raises(ValueError, match="credentials"):
                decision.auth_header("TOKEN")


def test_unreadable_values_grant_nothing() -> None:
    head = (
        '{"specVersion": "1.0", "site": {"name": "A", "url": "https://shop.example"}, '
    )
    search = (
        '{"id": "search", "endpoint": "https://shop.example/s", "protocol": "REST"%s}'
    )
    one = head + '"capabilities": [%s], "agents": {"Bot": {"capabilities": %s}}}'
    for written in ('"search"', "5", "{}", "true", '[["search"]]'):
        document = agentsdisc.parse(one % (search % "", written))
        decision = document.decide(agent="Bot", capability="search", robots="absent")
        assert not decision.allowed, (written, decision)
    for written in (
        '"auth": 5',
        '"auth": {"type": 5}',
        '"auth": {"type": "magic"}',
        '"auth": []',
    ):
        document = agentsdisc.parse(
            head + f'"capabilities": [{search % (", " + written)}]}}'
        )
        decision = document.decide(agent="Bot", capability="search", robots="absent")
        assert decision.auth.need == "required", (written, decision)
    for written in ('"/s"', '["/s", 5]', "5", "{}"):
        text = (
            head
            + f'"capabilities": [{search % ""}], "access": {{"disallow": {written}}}}}'
        )
        decision = agentsdisc.parse(text).decide(agent="Bot", url="/s", robots="absent")
        assert not decision.allowed, (written, decision)


def test_documents_speak_for_their_origin() -> None:
    """The origin given by the caller overrides the origin in the document."""
    for document in documents("https://shop.example/mcp"):
        elsewhere = document.decide(
            agent="Bot", capability="mcp", origin="https://evil.test", robots="absent"
        )
        assert (elsewhere.allowed, elsewhere.credentials) == (False, "other-domain")
        url = document.decide(
            agent="Bot",
            url="https://other.example/x",
            origin="https://shop.example",
            robots="absent",
        )
        assert (url.allowed, url.reason) == (False, "other-origin")


def test_sessions_check_certificates_too() -> None:
    """Sessions use the transport of discovery, whose certificate check cannot be disabled."""
    package = Path(agentsdisc.__file__).parent
    for path in [*(package / "mcp").glob("*.py"), *(package / "serving").glob("*.py")]:
        assert not re.search(
            r"verify\s*=|CERT_NONE|check_hostname", path.read_text(encoding="utf-8")
        )


SECRETS = [
    "sk_live_abcdefghijklmnop" + "qrstuvwx123456",
    "AKIA" + "IOSFODNN7QRSTUVW",
    "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_secrets_are_reported_and_never_echoed(
    run: Run, tmp_path: Path, secret: str
) -> None:
    (tmp_path / "agents.txt").write_text(
        f"Spec-Version: 1.0\nSite-Name: A\nSite-URL: https://a.example\nX-Key: {secret}\nX-Key: {secret}\nAllow: /\n"
    )
    (tmp_path / "agents.json").write_text(
        '{"specVersion": "1.0", "site": {"name": "A", "url": "https://a.example"}, '
        f'"oops": 5, "note": "{secret}", "note": "{secret}", "capabilities": [], "access": {{"allow": ["/"]}}}}'
    )
    (tmp_path / "agents.md").write_text(f"# A\n\n## Can\n\n- Use the key {secret}\n")
    for form in ("text", "json", "sarif", "github"):
        done = run(
            "lint",
            "agents.txt",
            "agents.json",
            "agents.md",
            "--output-format",
            form,
            check=1,
        )
        # Text has equal findings once.
        least = 3 if form == "text" else 5
        assert done.stdout.count("credential-in-document") >= least, form
        assert secret not in done.stdout + done.stderr, form


def test_control_characters_never_reach_a_terminal(run: Run, tmp_path: Path) -> None:
    bad = "a\x1b[2J\x07\x9b31m\u202eb"
    (tmp_path / "agents.txt").write_text(
        f"Spec-Version: {bad}\nSite-Name: {bad}\nSite-URL: {bad}\n{bad}: {bad}\nCapability: {bad}\n  Endpoint: {bad}\n"
        f"  Protocol: {bad}\nDisallow: /{bad}\nAgent: {bad}\n  Capabilities: {bad}\n",
        encoding="utf-8",
    )
    (tmp_path / "agents.md").write_text(
        f"# {bad}\n\n## Can\n\n- {bad}\n\n## Cannot\n\n- {bad}\n", encoding="utf-8"
    )
    for arguments in (
        ["lint", "agents.txt", "agents.md"],
        ["lint", "agents.txt", "--output-format", "github"],
        ["inspect", "agents.txt"],
        ["inspect", "agents.md"],
        ["decide", "agents.txt", "agents.md", "--agent", "Bot", "--url", "/x"],
        ["decide", "agents.txt", "--agent", "Bot", "--capability", bad],
        ["convert", "agents.txt", "--to", "agents-json", "-o", "out.json"],
    ):
        done = run(*arguments)
        for line in (done.stdout + done.stderr).split("\n"):
            assert line.isprintable() or line == "", (arguments, line)
