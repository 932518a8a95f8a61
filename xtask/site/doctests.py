"""A Markdown extension: examples with `>>>` outside of a fenced block, as docstrings have them, become code instead of quotations."""

import re

from markdown import Extension
from markdown.preprocessors import Preprocessor


class Doctests(Preprocessor):
    """Puts fences around examples, which end at a blank line."""

    def run(self, lines):
        found, is_fenced, is_example = [], False, False
        for line in lines:
            if re.match(r"\s*(```|~~~)", line):
                is_fenced = not is_fenced
            elif not is_fenced and not is_example and line.startswith(">>> "):
                is_example = True
                found += ["", "```pycon"]
            elif is_example and not line.strip():
                is_example = False
                found.append("```")
            found.append(line)
        return [*found, "```"] if is_example else found


class DoctestsExtension(Extension):
    """The extension."""

    def extendMarkdown(self, md):
        # Before fenced blocks are read.
        md.preprocessors.register(Doctests(md), "doctests", 100)


def makeExtension(**options):
    return DoctestsExtension(**options)
