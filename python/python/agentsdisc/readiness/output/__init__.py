"""The outputs of a report: one function for each, from the report to text.

Everything in a report may be from the checked site. Each output masks secrets and escapes for its own syntax.
"""

from collections.abc import Callable

from ..report import Report
from .badge import badge
from .github import github
from .junit import junit
from .markdown import markdown
from .page import page
from .sarif import sarif

__all__ = ["OUTPUTS", "badge", "github", "junit", "markdown", "page", "sarif"]

OUTPUTS: dict[str, Callable[[Report, Report | None], str]] = {
    "sarif": lambda report, _: sarif(report),
    "junit": lambda report, _: junit(report),
    "github": lambda report, _: github(report),
    "html": page,
    "markdown": markdown,
    "badge": lambda report, _: badge(report),
}
"""The outputs by the names of `--output-format`. The second argument is the report of an earlier run, which only those for people compare."""
