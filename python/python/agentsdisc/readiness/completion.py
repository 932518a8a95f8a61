"""Completes a report with what follows from the answers, but is not verified: what scanners will probably say, and what to write for the host."""

from collections.abc import Sequence
from pathlib import Path

from .prediction import predict
from .recipes import host_of_folder, host_of_headers, with_recipes
from .report import Report
from .survey import Answer, Subject, report


def completed(
    subject: Subject, answers: Sequence[Answer], folder: Path | None = None
) -> Report:
    """Makes the report of the answers of a site or a folder."""
    verified = report(subject, answers)
    origin, profile = subject.origin, subject.measure.profile
    # A folder does not show how its server negotiates.
    shown = [a for a in answers if folder is None or "markdown" not in a.probe.accept]
    predicted = predict(verified, shown, origin, profile, subject.canonical)
    if folder is not None:
        return with_recipes(predicted, host_of_folder(folder), folder)
    sent = (answer.headers for answer in answers if answer.status is not None)
    host = host_of_headers(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in next(sent, ())
    )
    return with_recipes(predicted, host, None)
