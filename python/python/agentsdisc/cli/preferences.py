"""The AI preferences of a robots.txt, for people."""

from .. import Preference


def stated(preferences: tuple[Preference, ...]) -> list[str]:
    """Returns one line for each preference: the purpose, whether it is allowed, for which paths and agents, and where that is written."""
    return [_line(each) for each in preferences]


def _line(stated: Preference) -> str:
    known = stated.purpose != "unknown"
    purpose = stated.purpose if known else repr(stated.purpose_text)
    paths = f"paths {stated.path}" if stated.path else "all paths"
    names = [name for name in stated.agents if name != "*"]
    if not stated.agents:
        agents = "all agents"
    elif len(names) == len(stated.agents):
        agents = f"agents {', '.join(names)}"
    else:
        agents = "agents without a group of their own"
        agents = f"{', '.join(names)} and {agents}" if names else agents
    written = f"{stated.source} {stated.purpose_text}={stated.preference_text}"
    return f"{purpose}: {stated.preference}; {paths}; {agents} (line {stated.line}: {written})"
