"""Reports of `agentsdisc check` for tests of their outputs: of a folder, of a site, and one full of text that must stay text."""

from dataclasses import replace

from agentsdisc.readiness import Check, Evidence, Prediction, Report, Score

FOLDER = Report(
    rules="2026.11",
    target="dist",
    level=2,
    level_name="Stated",
    score=Score(14.5, 20, 73),
    checks=(
        Check("reachable", "unknown", "a folder answers no requests"),
        Check(
            "robots-txt",
            "pass",
            "robots.txt is readable, and has 2 groups",
            (Evidence(file="robots.txt", line=1),),
        ),
        Check(
            "content-signals",
            "warn",
            "the group of GPTBot has no Content-Signal, so the one of * does not apply to it",
            (
                Evidence(file="robots.txt", line=4, text="User-agent: GPTBot"),
                Evidence(file="robots.txt", line=2, text="Content-Signal: search=yes"),
            ),
            "In robots.txt, line 5: Content-Signal: search=yes",
            {"isitagentready": Prediction("pass", "a Content-Signal line is enough")},
        ),
        Check(
            "skills-index",
            "fail",
            "the digest of the skill search is not that of its file",
            (
                Evidence(
                    file=".well-known/agent-skills/index.json",
                    line=7,
                    text='"digest": "sha256:00"',
                ),
                Evidence(file=".well-known/agent-skills/search/SKILL.md"),
            ),
            "agentsdisc check --fix dist",
            {
                "isitagentready": Prediction("pass", "the member digest is enough"),
                "agent-ready-dev": Prediction("unknown", "no rule is documented"),
            },
        ),
        Check(
            "link-headers",
            "fail",
            "_headers sends no Link for /",
            (Evidence(file="_headers", line=1, text="/*"),),
            "/\n  Link: </.well-known/api-catalog>; rel=api-catalog",
        ),
        Check("acp", "not-applicable", "the site is no shop"),
    ),
)

SITE = replace(
    FOLDER,
    target="https://mugs.example/",
    level=4,
    level_name="Discoverable",
    score=Score(19, 20, 95),
    checks=(
        *FOLDER.checks[:2],
        Check(
            "redirects",
            "fail",
            "the redirects of /llms.txt are a circle",
            (
                Evidence(
                    url="https://mugs.example/llms.txt",
                    status=302,
                    header="Location: /llms.txt",
                ),
            ),
            "Serve the file at /llms.txt with status 200.",
        ),
    ),
)

HOSTILE_TEXTS = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "\"'><svg/onload=alert(1)>",
    "]]></failure><failure>",
    "| --- | `code` [link](https://evil.example) ![image](https://evil.example/x.png)",
    "@octocat fixes #1, see https://evil.example and www.evil.example",
    "x\r\n::error file=a::injected %0A::set-output\n::stop-commands::x",
    "safe\u202egnihton\u0000\u001b[31m\ufffe\ud800",
    "</details></table>\n\n# Heading\n<!-- agentsdisc check -->",
    "javascript:alert(1)",
    "the token ghp_" + "q7Zt4WxN2LpD5rKc8VbM1sHgY3uJ6eTfQ9oA",
)


def hostile(text: str) -> Report:
    """A report in which everything that a site chooses is the text."""
    place = Evidence(f"https://a.example/{text}", None, None, 200, f"X: {text}", text)
    file = Evidence(file=text, line=1, text=text)
    return Report(
        rules="2026.11",
        target=text,
        level=1,
        level_name="Reachable",
        score=Score(1, 6, 17),
        checks=tuple(
            Check(
                f"check-{number}",
                status,
                text,
                (place, file, Evidence(url=text)),
                text,
                {"isitagentready": Prediction("fail", text)},
            )
            for number, status in enumerate(
                ("fail", "warn", "unknown", "pass", "not-applicable")
            )
        ),
    )
