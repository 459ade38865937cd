"""Exit statuses, as the interface fixes them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class ExitStatus(IntEnum):
    """What the process says to a script."""

    OK = 0
    REFUTED = 1
    INVALID = 2
    UNKNOWN = 3
    UNSUPPORTED = 4
    FAULT = 5


_BY_VERDICT = {
    "proved": ExitStatus.OK, "equal": ExitStatus.OK, "refuted": ExitStatus.REFUTED, "different": ExitStatus.REFUTED,
    "nondeterministic": ExitStatus.REFUTED, "invalid": ExitStatus.INVALID, "unknown": ExitStatus.UNKNOWN,
    "unsupported": ExitStatus.UNSUPPORTED, "fault": ExitStatus.FAULT,
}
_WORST = (ExitStatus.FAULT, ExitStatus.REFUTED, ExitStatus.INVALID, ExitStatus.UNSUPPORTED, ExitStatus.UNKNOWN)


def exit_status(verdicts: Iterable[str]) -> ExitStatus:
    """The worst status among some verdicts, in the order fault, refuted, invalid, unsupported, unknown."""
    found = {_BY_VERDICT[verdict] for verdict in verdicts}
    return next((status for status in _WORST if status in found), ExitStatus.OK)
