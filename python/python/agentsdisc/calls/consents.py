"""Asks a person about the steps of a call."""

import math
from collections.abc import Mapping
from typing import Any, Literal

import anyio

from .. import Decision
from .._consent import Confirm, Question, ask
from .reasons import strictness, unconfirmed


class Consents:
    """What a person has agreed to for one call."""

    def __init__(
        self, confirm: Confirm | Literal[True] | None, deadline: anyio.CancelScope
    ) -> None:
        self._confirm, self._deadline = confirm, deadline
        self._ahead: set[str] = set()

    async def ask(self, question: Question, name: str, is_call: bool) -> bool:
        """Asks, unless the answer is known. `confirm=True` confirms only the call itself, not the actions before it. The deadline is extended by the time of the question."""
        if name in self._ahead:
            self._ahead.discard(name)
            return True
        if self._confirm is True and is_call:
            return True
        if not callable(self._confirm):
            raise unconfirmed(name, question)
        begun, left = anyio.current_time(), self._deadline.deadline
        self._deadline.deadline = math.inf
        try:
            await ask(self._confirm, question, name)
        finally:
            self._deadline.deadline = left + anyio.current_time() - begun
        return True

    async def ask_ahead(
        self, question: Question, name: str, is_call: bool = False
    ) -> None:
        """Asks about a later step, if the site requires confirmation. The answer is valid for one run of that step."""
        if question.confirmation != "not-stated":
            await self.ask(question, name, is_call)
            self._ahead.add(name)

    def check(self, decision: Decision, name: str) -> None:
        """Raises ConfirmationRefused if a person would have to be asked about an action before the call, and there is no way to ask."""
        if decision.confirmation != "not-stated" and not callable(self._confirm):
            raise unconfirmed(name, decision)

    def stricter(self, decision: Decision, capability: str, is_call: bool) -> Confirm:
        """Returns a function that asks again if the decision about a tool is stricter than the one that the person was asked about."""

        async def consent(
            tool: Question, name: str, arguments: Mapping[str, Any]
        ) -> bool:
            if strictness(tool) <= strictness(decision):
                return True
            return await self.ask(tool, capability, is_call)

        return consent
