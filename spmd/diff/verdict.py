"""What a pair's answers come to, and which of that fails a gate.

A pair's verdict is the worst of its checks and comparisons, in the order of the exit status, with one exception: where only the
old kernel was refuted and the new one is proved, nothing can be compared and nothing has to be; the change *fixed* it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from spmd.diff.outcome import ACCEPTED, FIXED, Outcome, Part
from spmd.exit_status import ExitStatus, exit_status
from spmd.records.alerts import is_accepted

SAME, DELETED, IDLE = "same", "deleted", "passed by"
GATES = ("refuted", "different", "nondeterministic", "invalid", "unsupported", "unknown")
"""What `--fail-on` may name; a fault of the tool always fails."""
_WORST = ("fault", "refuted", "different", "nondeterministic", "invalid", "unsupported", "unknown")


def verdict_of(outcome: Outcome) -> str:
    """The one word for a pair."""
    pair = outcome.pair
    if pair.new is None:
        return DELETED
    if pair.is_same:
        return SAME
    if pair.new.is_idle:
        return IDLE
    checks, comparisons = outcome.deciding("check"), outcome.deciding("equiv")
    found = [*checks, *comparisons, *([outcome.failure[0]] if outcome.failure else [])]
    if pair.new.name is None:
        found.append(pair.new.verdict)
    if pair.old is not None and not pair.old.core and not pair.old.is_idle:
        found.append(pair.old.verdict)
    if is_fixed(outcome):
        found = [each for each in found if each != "nondeterministic"] or [FIXED]
        return FIXED if set(found) <= {"proved", "equal", FIXED} else _worst(found)
    return _worst(found)


def is_let_through(outcome: Outcome) -> bool:
    """Whether all that its answers leave to act on is allowed in the source, and nothing but its answers decides."""
    pair = outcome.pair
    records = [part.record for part in outcome.parts if part.kind != "before"]
    are_read = pair.new is not None and bool(pair.new.core) and (pair.old is None or bool(pair.old.core))
    return bool(records) and are_read and outcome.failure is None and all(map(is_accepted, records))


def is_of_the_old(part: Part) -> bool:
    """Whether an answer tells defects of the old kernel alone."""
    return part.kind == "before" or (part.record["verdict"] == "nondeterministic" and part.record.get("side") == "a")


def is_fixed(outcome: Outcome) -> bool:
    """Whether only the old kernel is refuted."""
    sides = [part.record.get("side") for part in outcome.parts if part.kind == "equiv"
             and part.record["verdict"] == "nondeterministic"]
    return bool(sides) and set(sides) == {"a"} and set(outcome.verdicts("check")) == {"proved"}


def _worst(found: Iterable[str]) -> str:
    words = list(found)
    if bad := next((word for word in _WORST if word in words), None):
        return bad
    if ACCEPTED in words:
        return ACCEPTED
    return "equal" if "equal" in words else "proved" if "proved" in words else "unknown"


def status_of(verdicts: Iterable[str], fail_on: Collection[str]) -> ExitStatus:
    """The exit status of a gate that looks at some verdicts alone."""
    heard = {*fail_on, "fault"}
    return exit_status(verdict for verdict in verdicts if verdict in heard)
