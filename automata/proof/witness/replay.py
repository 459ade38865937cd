"""A witness run for real: only what replays is called confirmed.

Input: a solver's model of one or two threads. The launch's sizes, scalars and initial memory are taken
from it, the blocks of its threads are run on the machine (a legal prefix of the launch), and what the
machine sees becomes the finding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from automata.arithmetic import Value
from automata.budget import UNLIMITED, Budget
from automata.lang.core import AXES, Array, Const, Kernel, Quantity, Space
from automata.limits import REPLAY_ROUNDS, REPLAY_THREADS, given_up
from automata.logic.arith import Encoder
from automata.logic.atom import Atom
from automata.logic.terms import Term, constant_value, symbol_of
from automata.logic.views import ANY, View, atom_of
from automata.machine.numbers.values import Numbers
from automata.machine.running.run import Options, Program
from automata.machine.state.fill import Fill, as_cells, constant, drawn_from
from automata.machine.state.memory import Cells, Initial
from automata.machine.state.outcome import Conflict, Divergence, Event, Outcome, Setting, Triple
from automata.machine.state.schedule import CANONICAL, Schedule
from automata.machine.state.watch import FEW_LOOKS
from automata.place import EndlessError, Place
from automata.proof.known.concrete import is_admitted
from automata.proof.known.context import FIRST, SECOND, Context, expressions
from automata.proof.witness.filling import Filling
from automata.proof.witness.setting import filled
from automata.verdict import Actor

SPARSE = (*[0.0] * 40, 1.0)
FAR, MOST_NAMED = 1e6, 12
"""Of the numbers that a kernel names, those nearer than that, and not more, are put into data."""
ZERO = np.zeros(1, np.int64)


@dataclass(frozen=True, slots=True)
class Stage:
    """A concrete launch taken from a model, with the blocks to run and the threads it speaks of (flat block, flat thread)."""

    setting: Setting
    blocks: tuple[Triple, ...]
    threads: tuple[tuple[int, int], ...] = ()

    def schedules(self) -> Iterator[Schedule]:
        """All threads together; and those of the model ahead of all others, in either order."""
        yield CANONICAL
        if self.threads:
            yield Schedule("ahead", first=self.threads)
        if len(self.threads) > 1:
            yield Schedule("ahead", first=self.threads[::-1])

    def sizes(self, context: Context) -> dict[str, int]:
        """The free sizes and integer parameters of the question, with their values here."""
        sizes = {f"{quantity.value}.{axis}": size
                 for quantity, triple in ((Quantity.BLOCK_DIM, self.setting.block), (Quantity.GRID_DIM, self.setting.grid))
                 for axis, size in zip(AXES, triple, strict=True)}
        names = [symbol_of(term).own for term in context.symbols()]
        return {name: sizes[name] if name in sizes else int(self.setting.scalars[name]) for name in names}


def stages(context: Context, encoder: Encoder, model: Mapping[Atom, int], blocks: tuple[str, ...]) -> Iterator[Stage]:
    """Launches that realise a model; `blocks`: the views' block names. Data vary from stage to stage.

    None if the model does not meet the requirements: where it takes an operation for an unknown function.
    """

    def number(term: Term, view: View = ANY) -> int:
        fixed = constant_value(term)
        if fixed is not None:
            return int(fixed)
        low = constant_value(context.range_of(term)[0])
        return model.get(atom_of(term, view), int(low or 0))

    def triple(quantity: Quantity, view: View = ANY) -> Triple:
        x, y, z = (number(context.size(quantity, axis), view) for axis in AXES)
        return x, y, z

    if not is_admitted((context,), {str(term): number(term) for term in context.symbols()}):
        return
    where = tuple(dict.fromkeys(triple(Quantity.BLOCK, View(block=block)) for block in blocks))
    threads: list[tuple[int, int]] = []
    grid, shape = triple(Quantity.GRID_DIM), triple(Quantity.BLOCK_DIM)
    for block in blocks:
        for name in (FIRST, SECOND):
            view = View(name, block)
            if any(atom_of(term, view) in model for term in context.coordinates(Quantity.THREAD)):
                pair = _flat(triple(Quantity.BLOCK, view), grid), _flat(triple(Quantity.THREAD, view), shape)
                threads += [pair] if pair not in threads else []
    kept = filled(context, {str(term): number(term) for term in context.symbols()})
    if context.facts is not None and kept is None:
        return
    known = _contents(context, encoder, model)
    extents = {name: size for name, size in context.launch.extents.items() if isinstance(size, int)}
    for fill in _fillings(context.kernel):
        scalars = _scalars(context, fill, number)
        initial = _initial(context, known, fill, kept)
        setting = Setting(grid, shape, scalars, {}, initial, extents, kept.meets if kept else None, kept.lengths if kept else {})
        yield Stage(setting, where, tuple(threads))


def _scalars(context: Context, fill: Fill, number: Callable[[Term], int]) -> dict[str, Value]:
    """The scalar parameters: integers from the model, floats as stated or filled."""
    found: dict[str, Value] = {}
    for param in context.kernel.params:
        term = context.values[param.name]
        fixed = constant_value(term)
        if param.type.is_int:
            found[param.name] = number(term)
        else:
            found[param.name] = float(fill(param.name, ZERO)[0]) if fixed is None else float(fixed)
    return found


def _flat(at: Triple, size: Triple) -> int:
    return at[0] + size[0] * (at[1] + size[1] * at[2])


def _fillings(kernel: Kernel) -> Iterator[Fill]:
    """Ways to fill float data and whatever the model leaves open; numbers that the kernel names are the likeliest to matter."""
    yield constant(1.0)
    named = sorted({float(expr.value) for expr in expressions(kernel) if isinstance(expr, Const) and abs(expr.value) < FAR})
    if named:
        yield drawn_from((*named[:MOST_NAMED], named[0] - 1, named[-1] + 1), "named")
    yield constant(-1.0)
    for pool in ((0.0, -0.0), (0.0, 1.0), (math.nan, 0.0)):
        yield drawn_from(pool)
    for seed in range(4):
        yield drawn_from(tuple(map(float, range(-4, 5))), str(seed))
        yield drawn_from(SPARSE, str(seed))


def _contents(context: Context, encoder: Encoder, model: Mapping[Atom, int]) -> dict[tuple[str, int], int]:
    """Integer contents of global arrays that the model speaks of, by flat index."""
    found: dict[tuple[str, int], int] = {}
    for name, application in encoder.applications.items():
        if not application.function.array or name not in model:
            continue
        array = context.kernel.array(application.function.array)
        atoms = {atom for arg in application.args for atom in arg.atoms()}
        if array.space is Space.GLOBAL and array.element.is_int and atoms <= model.keys():
            index = application.args[0].value(model) if application.args else 0
            found.setdefault((array.name, index), model[name])
    return found


def _initial(context: Context, known: Mapping[tuple[str, int], int], fill: Fill, kept: Filling | None) -> Initial:
    """What the model says of a cell, else what the filling makes up; and as is required of it."""
    said: dict[str, dict[int, int]] = {}
    for (name, index), value in known.items():
        said.setdefault(name, {})[index] = value

    def initial(array: Array, index: Numbers) -> Cells:
        values = fill(array.name, index)
        for at, value in said.get(array.name, {}).items():
            values[index == at] = value
        values = kept.values(array.name, index, values, said.get(array.name, {})) if kept else values
        return as_cells(values, array.element, context.launch.ranges.get(array.name))

    return initial


def run_stage(program: Program, stage: Stage, schedule: Schedule, poison: int = 0, budget: Budget = UNLIMITED, *,
              apart: bool = False, begun: bool = False, absent: int = 0) -> Outcome | None:
    """Run a stage's blocks, all blocks of the launch where they wait for each other; None when they are too large to run here, or
    do not end (in time). `apart`: what locals hold that nobody set differs from thread to thread; `begun`: of a run that is given
    up in a loop, what was seen by then; `absent`: what is added to what lanes get that are not there."""
    blocks = None if program.has_grid_barriers else stage.blocks
    if not REPLAY_THREADS.allows(stage.setting.threads * (stage.setting.blocks if blocks is None else len(blocks))):
        return None
    try:
        return program.run(stage.setting, Options(schedule, blocks=blocks, poison=poison, apart=apart,
                                                  max_rounds=REPLAY_ROUNDS.value, budget=budget, looks=FEW_LOOKS, begun=begun,
                                                  absent=absent))
    except EndlessError as error:
        given_up(error, REPLAY_ROUNDS, REPLAY_ROUNDS)
        return None


def find_conflict(outcome: Outcome, array: str, want_same_value: bool, places: frozenset[Place] = frozenset()) -> Conflict | None:
    """A conflict on an array: of differing values unless only equal ones are expected; of threads whose run has a meaning; at
    these places if there is one."""
    found = [conflict for conflict in outcome.conflicts if conflict.array == array and conflict.rule == "race"
             and is_meaningful(outcome, conflict.first.actor, conflict.second.actor)]
    def odd(conflict: Conflict) -> tuple[bool, bool]:
        return conflict.perhaps_ordered, {conflict.first.place, conflict.second.place} != places

    for conflict in sorted(found, key=odd):
        if not conflict.same_value:
            return conflict
    return found[0] if found and want_same_value else None


def find_divergence(outcome: Outcome) -> Divergence | None:
    """One of threads whose run has a meaning up to there: that a lane's own mask leaves it out ends that meaning itself."""
    return next((item for item in outcome.divergences if _is_defined(outcome, item.waiting, item.absent) and (
        item.is_nameless or is_meaningful(outcome, item.waiting, item.absent))), None)


def is_meaningful(outcome: Outcome, *actors: Actor) -> bool:
    """Whether what these threads do does not hang on a read outside an array, on an operation without a value, or on an exchange
    of lanes that leaves them out."""
    return _is_defined(outcome, *actors) and not any(item.is_nameless and item.waiting in actors for item in outcome.divergences)


def _is_defined(outcome: Outcome, *actors: Actor) -> bool:
    events = [*outcome.undefined, *(event for event in outcome.out_of_bounds if not event.what.startswith("write"))]
    return not any(event.actor in actors for event in events)


def find_event(events: list[Event], line: int, array: str = "") -> Event | None:
    """The first event at a source line (0: anywhere), of an array if one is named."""
    for event in events:
        if (not line or event.place.line == line) and (not array or event.array == array):
            return event
    return None
