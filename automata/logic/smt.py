"""The one door to the solvers: formulas go in, an `Answer` comes back, never a bool.

`Sat` carries a model, `Unsat` is a proof, `Unknown` says why. Every call has a limit: one of resources,
chosen to take about the time asked for, so that answers repeat on a slower or busier machine; the clock stands
behind it with some patience.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from automata.budget import METER, UNLIMITED, Budget
from automata.logic.atom import Atom
from automata.logic.nodes import Nodes, Translator
from automata.logic.poly import Formula
from automata.logic.pysmt_terms import Terms
from automata.logic.views import Application


@dataclass(frozen=True, slots=True)
class Sat:
    """Satisfiable: the values of the atoms (integers) and propositions (0 or 1)."""

    model: Mapping[Atom, int]


@dataclass(frozen=True, slots=True)
class Unsat:
    """No assignment exists; `rung` names how that was shown."""

    rung: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    reason: str


MILLISECOND = 10**6
STEPS_A_MILLISECOND = 4000
QUERY, NODE, STEP = 5_000_000, 20_000, MILLISECOND // STEPS_A_MILLISECOND
"""Nanoseconds of work: of a query, of each part of its formulas, of a step of z3."""
CVC5_STEPS_A_MILLISECOND = 300
PATIENCE, PATIENT = 6, 500
"""How often the time that is meant a query may take by the clock, and milliseconds that any may: steps are what limits it, and on
a busy machine a few of them take long."""
LEAST = 50
"""Milliseconds that a query may take at the very end."""
Answer = Sat | Unsat | Unknown
Solver = Literal["z3", "cvc5"]


class _Room:
    """What all queries of one kernel share: nodes, the terms that z3 and pySMT made of them, and what was translated.

    Most formulas of a query stood in one before. No kernel's queries see what another's left behind: not even a context of z3
    that waits for the collector of garbage, since steps and models of z3 depend on the memory that a process holds.
    """

    def __init__(self) -> None:
        self.nodes = Nodes()
        self.translators: dict[int, Translator] = {}
        self.z3: Any = None

    def translator(self, applications: Mapping[Atom, Application]) -> Translator:
        """The one for some atoms that are applications, or for none."""
        key = id(applications) if applications else 0
        if key not in self.translators:
            self.translators[key] = Translator(applications or {}, self.nodes)  # none: also if some come later
        return self.translators[key]

    def terms(self) -> Any:
        """Those of z3."""
        if self.z3 is None:
            from automata.logic.z3_terms import Terms

            self.z3 = Terms()
        return self.z3

    @cached_property
    def of_pysmt(self) -> Terms:
        return Terms()

    def close(self) -> None:
        """Give up the context of z3 at once."""
        if self.z3 is not None:
            self.z3.close()


@dataclass
class _Shared:
    """What this process keeps: the room of the kernel, the seconds spent deciding, and when queries have to end."""

    room: _Room | None = None
    seconds: float = 0.0
    queries: int = 0
    budget: Budget = UNLIMITED


_SHARED = _Shared()


def _room() -> _Room:
    if _SHARED.room is None:
        _SHARED.room = _Room()
    return _SHARED.room


def reset() -> None:
    """Forget all that was translated (between kernels)."""
    if _SHARED.room is not None:
        _SHARED.room.close()
    _SHARED.room = None


def until(budget: Budget) -> None:
    """No query from here on outlives the time of a budget by much."""
    _SHARED.budget = budget


def _milliseconds(limit: int) -> int:
    """The wall time of a query."""
    left = _SHARED.budget.seconds
    most = max(limit * PATIENCE, PATIENT)
    return most if left is None else min(most, max(LEAST, int(1000 * left)))


def spent() -> tuple[float, int]:
    """Seconds spent in `solve` by this process so far, and the number of calls."""
    return _SHARED.seconds, _SHARED.queries


def solve(formulas: Iterable[Formula], applications: Mapping[Atom, Application], *, milliseconds: int,
          solver: Solver = "z3", is_linear: bool = False) -> Answer:
    """Decide the conjunction of some formulas with one solver, within a time limit. `is_linear`: there are no products, and z3
    leaves out what it does first where there may be."""
    began = time.monotonic()
    try:
        return _solve(formulas, applications, milliseconds, solver, is_linear)
    finally:
        _SHARED.seconds += time.monotonic() - began
        _SHARED.queries += 1


def _solve(formulas: Iterable[Formula], applications: Mapping[Atom, Application], milliseconds: int,
           solver: Solver, is_linear: bool) -> Answer:
    formulas, translator = list(formulas), _room().translator(applications)
    known = translator.parts
    query = _query(solver, milliseconds, is_linear=is_linear)
    try:
        query.claim(map(translator.formula, formulas))
        before = query.steps()
        try:
            holds = query.holds()
        finally:
            work = QUERY + NODE * (translator.parts - known + len(formulas))
            METER.done += work + STEP * max(0, query.steps() - before)
        if holds is None:
            METER.done += 0 if solver == "z3" else milliseconds * MILLISECOND
            return Unknown(f"{solver} gave no answer in {milliseconds / 1000:g} s")
        return Sat(query.model(translator.reached(formulas))) if holds else Unsat(solver)
    finally:
        query.close()


def _query(solver: Solver, milliseconds: int, *, is_linear: bool) -> Any:
    limit = _milliseconds(milliseconds)
    if solver == "z3":
        from automata.logic.z3_terms import Query

        return Query(_room().terms(), milliseconds * STEPS_A_MILLISECOND, limit, is_linear=is_linear)
    from automata.logic.pysmt_terms import Cvc5Query

    return Cvc5Query(_room().of_pysmt, milliseconds * CVC5_STEPS_A_MILLISECOND, limit)


def to_smtlib(formulas: Iterable[Formula], applications: Mapping[Atom, Application]) -> str:
    """The conjunction as an SMT-LIB 2 script (logic ALL)."""
    translator = Translator(applications, _room().nodes, is_for_people=True)
    return _room().of_pysmt.script(list(map(translator.formula, formulas)))
