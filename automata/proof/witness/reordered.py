"""Order that shows: one launch run under several schedules, and an output that differs.

Input: a compiled kernel that updates memory atomically (or sees which lanes are active), and launches of it. A difference
between two runs of one launch on the same data, in which nothing races, is a demonstration that the order of threads decides an
output: a confirmed `atomic-order`. So is one between two runs whose threads read other numbers off the clock, or off a register
that says where they run: of such a register all read one number, of the clock each later reading a larger one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from automata.lang.core import Atomic, Collective, Havoc
from automata.lang.exactness import PLACE, TIMES
from automata.machine.running.run import Options, Program
from automata.machine.state.outcome import Outcome, Setting, same_value
from automata.machine.state.rules import RACE
from automata.machine.state.schedule import CANONICAL, REVERSED, Schedule
from automata.place import EndlessError, InputError, UndecidedError
from automata.proof.witness.caution import Caution
from automata.thread.automaton import Action, Automaton
from automata.verdict import Exactness, Finding, Spot, Status

QUICK: tuple[Schedule, ...] = (REVERSED,)
"""Schedules whose runs take little time: all threads take each step together."""
SLOW: tuple[Schedule, ...] = (Schedule("threads", 1), Schedule("sequential"))


def order_that_shows(caution: Caution, settings: Iterable[Setting], options: Options, *, is_race_free: bool,
                     schedules: Sequence[Schedule] = (*QUICK, *SLOW)) -> Finding | None:
    """An output that differs from one schedule to another; None if none was seen. `is_race_free`: nothing races, so fences order
    what they may order. `schedules`: which are held against the canonical one; those whose runs take little time first, at all
    launches."""
    program = caution.program
    updates = [stmt for stmt in _statements(program.automaton)
               if (isinstance(stmt, Atomic) and stmt.op != "load") or (isinstance(stmt, Collective) and stmt.op == "activemask")]
    places = [stmt for stmt in _statements(program.automaton) if isinstance(stmt, Havoc) and stmt.what in (PLACE, *TIMES)]
    if not updates and not places:
        return None
    quick, slow = ([each for each in schedules if (each in QUICK) == is_quick] for is_quick in (True, False))
    groups = [group for group in (quick, slow) if group] or [[]]
    for group, setting in product(groups, tuple(settings)):
        run = partial(_run, program, setting, is_race_free=is_race_free)
        first = run(options, CANONICAL)
        for schedule in group if first is not None and updates else ():
            other = run(options, schedule)
            cell = _difference(first, other) if first is not None and other is not None else ""
            if cell:
                why = "the sum depends on rounding order" if any(
                    isinstance(stmt, Atomic) and stmt.args[0].type.is_float for stmt in updates) else "the order of updates shows"
                spots = tuple(dict.fromkeys(Spot(stmt.place, "updates") for stmt in updates))
                found = Finding("atomic-order", Status.CONFIRMED, f"{cell} as threads come in another order: {why}", spots, None,
                                Exactness.CIDI)
                return None if caution.doubt(found, lambda other: True) else found
        if places and first is not None and group is groups[0] and (moved := _elsewhere(run, options, places)):
            return moved
    return None


def _elsewhere(run: Callable[[Options, Schedule], Outcome | None], options: Options, places: Iterable[Havoc]) -> Finding | None:
    """An output that differs where the launch runs elsewhere on the device, or later."""
    one, other = (run(replace(options, elsewhere=where), CANONICAL) for where in (1, 2))
    cell = _difference(one, other) if one is not None and other is not None else ""
    spots = tuple(dict.fromkeys(Spot(stmt.place, "reads it") for stmt in places))
    why = "as the launch runs elsewhere on the device, or later: what says so shows"
    return Finding("atomic-order", Status.CONFIRMED, f"{cell} {why}", spots, None, Exactness.CIDI) if cell else None


def _statements(automaton: Automaton) -> list[object]:
    return [data["transition"].stmt for *_, data in automaton.graph.edges(data=True) if isinstance(data["transition"], Action)]


def _run(program: Program, setting: Setting, options: Options, schedule: Schedule, *, is_race_free: bool) -> Outcome | None:
    """A run in which nothing else is wrong."""
    try:
        outcome = program.run(setting, replace(options, schedule=schedule))
    except (EndlessError, InputError, UndecidedError):
        return None
    races = outcome.unexplained or any(
        conflict.rule == RACE and not (conflict.perhaps_ordered and is_race_free) for conflict in outcome.conflicts)
    events = (outcome.divergences, outcome.out_of_bounds, outcome.undefined, outcome.uninitialised, outcome.failed)
    return None if races or any(events) else outcome


def _difference(first: Outcome, other: Outcome) -> str:
    """The first cell of global memory that the runs leave with different values, and these."""
    for name in first.written:
        mine, yours = first.contents(name), other.contents(name)
        for index in sorted(mine.keys() | yours.keys()):
            if index not in mine or index not in yours:
                return f"{name}[{index}] is written or not"
            if not same_value(mine[index], yours[index]):
                return f"{name}[{index}] is {mine[index]} or {yours[index]}"
    return ""
