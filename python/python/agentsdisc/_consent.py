"""The question to a person before a call."""

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ._errors import ConfirmationRefused
from ._policy import Decision
from ._visible import beginning, visible

if TYPE_CHECKING:
    from .calls.results import HttpRequest, Operation

_LONGEST = 500
"""How many characters of a text of the site or of a value the question shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Decision):
    """The decision about a call to which a person has to agree, and what that person needs to know. `str()` is the question in words.

    Everything that can be known before the call is checked before the person is asked: the decision, the arguments, the credentials and
    the rate limits.
    """

    site: str | None
    """The origin of the site; None if it is not known."""
    arguments: Mapping[str, Any]
    """The arguments that the caller gave."""
    request: "HttpRequest | Operation | None"
    """What will be sent, without credentials, with the arguments that earlier actions supplied. None if an earlier action decides that."""
    description: str | None
    """What the document says that the capability does."""

    @classmethod
    def about(
        cls,
        decision: Decision,
        *,
        site: str | None,
        arguments: Mapping[str, Any],
        request: "HttpRequest | Operation | None",
    ) -> "Question":
        """Makes the question about a decision."""
        known = {each.name: getattr(decision, each.name) for each in fields(Decision)}
        return cls(
            **known,
            site=site,
            arguments=dict(arguments),
            request=request,
            description=_description(decision),
        )

    def __str__(self) -> str:
        where = f" of {self.site}" if self.site else ""
        lines = [f"call {self.capability or 'a tool'}{where}"]
        if self.description:
            lines.append(f"the site says: {_short(self.description)}")
        if (request := self.request) is not None:
            shown = request.without_secrets()
            lines.append(f"sends: {_short(shown.words())}")
        if self.arguments:
            given = (
                f"{name} = {json.dumps(value, ensure_ascii=False)}"
                for name, value in self.arguments.items()
            )
            lines.append(f"arguments: {_short(', '.join(given))}")
        lines.append(f"a person {self.confirmation} be asked{self._effect()}")
        return "\n".join(map(visible, lines))

    def _effect(self) -> str:
        """Returns what the documents say about the effect, as the end of a sentence."""
        effects = (
            [] if self.sensitivity is None else [f"its effect: {self.sensitivity}"]
        )
        if self.reversible is not None:
            effects.append(f"it can{'' if self.reversible else 'not'} be undone")
        if self.handoff:
            effects.append("a person completes it")
        return "".join(f"; {each}" for each in effects)

    __hash__ = Decision.__hash__


def _short(text: str) -> str:
    return beginning(" ".join(text.split()), _LONGEST)


def _description(decision: Decision) -> str | None:
    """Returns the description of the capability of a decision, in the document of highest precedence that has one."""
    if decision.capability is None:
        return None
    for document in decision._asked[0]:
        for capability in document.capabilities:
            if capability.id == decision.capability and capability.description:
                said: str = capability.description
                return said
    return None


Confirm = Callable[[Question, str, Mapping[str, Any]], bool | Awaitable[bool]]
"""Asks a person. Receives the question, which is the decision with what the person needs to know, the capability or tool, and its arguments; returns
whether to call it."""


async def ask(confirm: Confirm | None, question: Question, name: str) -> None:
    """Asks a person for confirmation. Raises ConfirmationRefused unless the answer is True."""
    what = f"a person {question.confirmation} be asked before {name!r} is called"
    if confirm is None:
        raise ConfirmationRefused(
            f"{what}; give `confirm` a function that asks one", question
        )
    agreed = confirm(question, name, question.arguments)
    if inspect.isawaitable(agreed):
        agreed = await agreed
    if agreed is not True:
        raise ConfirmationRefused(f"{what}, and did not agree", question)
