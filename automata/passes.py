"""The table of passes: what goes into each, what comes out, and what of it a question has made.

A pass is a function that stands in the table and is marked with its name there. Those that are pure are *kept*: asked again about
the same things (the same objects, equal numbers), they give what they made the first time. So within one question no artefact is
made twice, whoever asks for it: the proofs, a run, a replay or the other strategy. The pipeline forgets what is kept with each
kernel or pair. How often each was made and asked for again, the time that it took itself and what it came to, is counted;
`--explain-passes` prints that, and `docs/architecture.md` prints the table.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ParamSpec, TypeVar


@dataclass(frozen=True, slots=True)
class Pass:
    """`takes`, `gives`: artefacts, as people call them. `where`: module and the function that is called. `is_kept`: whether it is
    pure and its results are kept."""

    name: str
    takes: str
    gives: str
    where: str
    is_kept: bool = False


TABLE = (
    Pass("find", "text of a file", "its kernels, typed trees", "automata.lang.read:find_kernels"),
    Pass("elaborate", "typed tree", "Core", "automata.lang.elaborate.kernel:elaborate"),
    Pass("prepare", "Core, launch", "what is known of sizes and arguments", "automata.proof.known.context:prepare"),
    Pass("lower", "Core, what is known", "lowered Core", "automata.rewriting.lower:lower", is_kept=True),
    Pass("build", "lowered Core", "thread automaton", "automata.thread.build:build", is_kept=True),
    Pass("follow", "thread automaton", "what each address and test depends on", "automata.thread.flow:flow", is_kept=True),
    Pass("collect", "thread automaton", "footprint: accesses, barriers, guards", "automata.proof.symbolic.loops:footprint"),
    Pass("wraps", "footprint", "how each term is read, and what is assumed", "automata.proof.obligations.wraps:decide_wraps"),
    Pass("convergence", "footprint", "whether all threads meet at barriers",
         "automata.proof.obligations.convergence:check_convergence"),
    Pass("interference", "footprint", "accesses that conflict", "automata.proof.obligations.interference:check_interference"),
    Pass("bounds", "footprint", "accesses outside arrays", "automata.proof.obligations.bounds:check_bounds"),
    Pass("initialised", "footprint", "reads before any write", "automata.proof.obligations.initialised:check_initialised"),
    Pass("order", "footprint, automaton", "outputs on which order shows", "automata.proof.obligations.order:check_order"),
    Pass("claims", "footprint", "assertions that may fail", "automata.proof.obligations.claims:check_claims"),
    Pass("alignment", "footprint", "wide accesses at no multiple of their width",
         "automata.proof.obligations.alignment:check_alignment"),
    Pass("divisors", "footprint, accesses that conflict", "where it is assumed that a divisor is not zero",
         "automata.proof.obligations.divisors:divisors_that_may_be_zero"),
    Pass("decide", "formulas", "an answer of the solvers", "automata.logic.ladder:decide"),
    Pass("conclude", "evidence", "report on one kernel", "automata.proof.evidence:conclude"),
    Pass("sum up", "evidence", "report on a pair", "equivalence.evidence:conclude"),
    Pass("compile", "thread automaton", "code of the machine", "automata.machine.running.code:compile_automaton", is_kept=True),
    Pass("run", "code, launch", "outcome of a run on numbers", "automata.machine.running.run:Program.noted"),
    Pass("amplify", "Core, launch", "a run that speaks of all data", "automata.proof.runs.amplify:amplify"),
    Pass("partition", "Core", "which names hold data", "automata.rewriting.partition:partition", is_kept=True),
    Pass("predicate", "Core", "Core whose branches on data are values, and what is data in it",
         "automata.rewriting.predication:predicate", is_kept=True),
    Pass("symbols", "both sides, predicated", "a class of equality for each output", "equivalence.at_launch:compare_at_launch"),
    Pass("generic", "a generic block of both sides", "a class of equality for each output, for all sizes",
         "equivalence.generic.compare:show_all"),
)
"""In the order in which a kernel meets them."""

BY_NAME = {row.name: row for row in TABLE}


@dataclass
class Line:
    """What one pass has done. `again`: times that what was kept was given; `own`: nanoseconds, without those of passes inside;
    `notes`: what came out, and how often."""

    made: int = 0
    again: int = 0
    own: int = 0
    notes: Counter[str] = field(default_factory=Counter)


class _Work:
    """What a question has made. `held`: by pass and arguments; `running`: nanoseconds that passes inside of those took that are
    under way; `is_noting`: whether it is noted what results come to."""

    def __init__(self) -> None:
        self.held: dict[tuple[object, ...], tuple[object, tuple[object, ...]]] = {}
        self.lines: dict[str, Line] = {}
        self.running: list[int] = []
        self.is_noting = False


_WORK = _Work()
P = ParamSpec("P")
R = TypeVar("R")


def forget() -> None:
    """Drop all artefacts (between kernels and pairs); what was counted stays."""
    _WORK.held.clear()


def start(*, is_noting: bool = False) -> None:
    """Count from here on, and note what results come to if someone will read it."""
    _WORK.lines.clear()
    _WORK.is_noting = is_noting


def passing(name: str, note: Callable[[Any], str] | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark the function that a row of the table names. `note`: what its result comes to, in a few words."""
    row = BY_NAME[name]

    def marked(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            key = None
            if row.is_kept:
                given = (*args, *(kwargs[each] for each in sorted(kwargs)))
                key = name, function.__qualname__, *map(_key, given), *sorted(kwargs)
                if key in _WORK.held:
                    line(name).again += 1
                    return _WORK.held[key][0]  # type: ignore[return-value]
            found = _timed(name, lambda: function(*args, **kwargs))
            if note is not None and _WORK.is_noting:
                line(name).notes[note(found)] += 1
            if key is not None:
                _WORK.held[key] = found, given
            return found
        return run
    return marked


def line(name: str) -> Line:
    return _WORK.lines.setdefault(name, Line())


def _timed(name: str, make: Callable[[], R]) -> R:
    began = time.perf_counter_ns()
    _WORK.running.append(0)
    try:
        return make()
    finally:
        spent, inside = time.perf_counter_ns() - began, _WORK.running.pop()
        if _WORK.running:
            _WORK.running[-1] += spent
        row = line(name)
        row.made, row.own = row.made + 1, row.own + spent - inside


def _key(value: object) -> object:
    """What tells arguments apart: numbers, texts and sets by what they are, an object without state by its type, any other by
    itself."""
    if isinstance(value, bool | int | float | str | bytes | None):
        return type(value), value
    if isinstance(value, frozenset):
        return value
    if isinstance(value, Mapping):
        return tuple(sorted((each, _key(held)) for each, held in value.items()))
    if isinstance(value, tuple):
        return tuple(map(_key, value))
    if not getattr(value, "__dict__", True) and not callable(value):
        return type(value)
    return id(value)


def told() -> list[tuple[Pass, Line]]:
    """What each pass did that was needed since `start`, in the order of the table."""
    return [(row, _WORK.lines[row.name]) for row in TABLE if row.name in _WORK.lines]


def markdown() -> str:
    """The table for people who read the house: `docs/architecture.md` holds it."""
    out = ["| pass | takes | gives | where | kept |", "| --- | --- | --- | --- | --- |"]
    for row in TABLE:
        out.append(f"| {row.name} | {row.takes} | {row.gives} | `{row.where}` | {'yes' if row.is_kept else ''} |")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    print(markdown(), end="")
