"""One side run on symbols: its kernels, one after another, at concrete launches, in one reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from automata.budget import Budget
from automata.lang.core import (
    Atomic,
    Binary,
    Collective,
    Declare,
    Expr,
    Kernel,
    Loop,
    Select,
    Space,
)
from automata.lang.effects import stored_arrays
from automata.lang.traverse import children, expressions, walk
from automata.limits import SYMBOL_THREADS
from automata.machine.numbers.ascending import ascending
from automata.machine.numbers.values import Numbers
from automata.machine.running.run import Options, Program
from automata.machine.state.memory import Dense
from automata.machine.state.outcome import Outcome, Setting
from automata.machine.symbols.domain import ATOM, Data, Degree
from automata.place import EndlessError, UndecidedError
from automata.rewriting.lower import lower
from automata.rewriting.partition import Partition
from automata.rewriting.predication import CannotPredicate, predicate
from automata.thread.build import build
from equivalence.chain import Held, held_after
from equivalence.domains.field import COUNTS, Value
from equivalence.domains.symbols import Symbols

WIDE = 1 << 12
MOST_STATEMENTS = 300
"""Statements that unrolling may make: enough for tiles in registers; what stays a loop goes in strips."""

FIRST = ((0, 0, 0),)


@dataclass(frozen=True)
class Part:
    """One kernel with its concrete launch. `known`: the sizes and integer arguments, by name, for loops and
    branches; `free`: the scalar parameters that have no value; `is_bounded`: whether accesses are known to stay
    inside their arrays, asked only where data decide an index; `doubted`: arrays of which a cell may be read before
    it is set."""

    kernel: Kernel
    setting: Setting
    known: dict[str, int]
    free: frozenset[str]
    is_bounded: Callable[[], bool] = lambda: True
    doubted: frozenset[str] = frozenset()

    @cached_property
    def lowered(self) -> Kernel:
        """The kernel with its short loops unrolled."""
        return lower(self.kernel, self.known, MOST_STATEMENTS)

    @property
    def is_long(self) -> bool:
        """Whether runs may well take long: loops stay, or there are many threads."""
        threads = self.setting.threads * self.setting.blocks
        return threads >= WIDE or any(isinstance(stmt, Loop) for stmt in walk(self.lowered.body))


class Refused(Exception):
    """The runs cannot be made."""


class Broken(Exception):
    """A kernel leaves an array, whatever the data: the run of `side` shows it."""

    def __init__(self, side: str, message: str) -> None:
        super().__init__(message)
        self.side, self.message = side, message


@dataclass
class Ran:
    """A symbolic run of one side, stage by stage. `held`: what its memory holds at the end; `largest`, `degrees`: as of
    `Data`, over all stages."""

    symbols: Symbols
    held: Held
    outcomes: list[Outcome] = field(default_factory=list)
    largest: Degree = ATOM
    degrees: dict[str, Degree] = field(default_factory=dict)
    keeps_rows: bool = False
    decides_indices: bool = False

    def indices(self, name: str) -> list[Numbers]:
        """The flat indices of an array that its buffers hold."""
        buffers = [outcome.buffers[name] for outcome in self.outcomes if name in outcome.buffers]
        return [np.arange(buffer.size) if isinstance(buffer, Dense) else buffer.touched()
                for buffer in buffers]

    def words(self, name: str, indices: Numbers) -> Value:
        """What an array holds at some indices, as words."""
        found = self.held(name, indices)
        assert found is not None
        return self.symbols.words(found)


@dataclass
class Sealed:
    """What a run in another process leaves: of each array that it writes the flat indices that its buffers hold, and the words
    there; what the bounds are made of."""

    cells: dict[str, tuple[list[Numbers], Numbers, Value]]
    counts: dict[str, Any]
    largest: Degree
    keeps_rows: bool
    decides_indices: bool

    def opened(self, symbols: Symbols) -> Ran:
        """The run, as if it had been made here with these symbols."""
        symbols.__dict__.update(self.counts)
        return Opened(symbols, symbols.input, largest=self.largest, keeps_rows=self.keeps_rows,
                      decides_indices=self.decides_indices, cells=self.cells)


@dataclass
class Opened(Ran):
    """A run that was made in another process."""

    cells: dict[str, tuple[list[Numbers], Numbers, Value]] = field(default_factory=dict)

    def indices(self, name: str) -> list[Numbers]:
        return self.cells[name][0] if name in self.cells else []

    def words(self, name: str, indices: Numbers) -> Value:
        if name not in self.cells:
            return super().words(name, indices)
        _, known, held = self.cells[name]
        if np.array_equal(known, indices):
            return held
        at = np.minimum(np.searchsorted(known, indices), max(known.size - 1, 0))
        inside = known[at] == indices if known.size else np.zeros(indices.size, np.bool_)
        found = held[at] if inside.all() else super().words(name, indices).copy()
        found[inside] = held[at[inside]]
        return found


def sealed(ran: Ran, parts: Sequence[Part]) -> Sealed:
    """A run, to be sent to another process."""
    cells = {}
    for name in sorted({name for part in parts for name in stored_arrays(part.kernel.body)}):
        indices = ran.indices(name)
        if indices:
            known = indices[0] if len(indices) == 1 else ascending(*indices)
            cells[name] = indices, known, ran.words(name, known)
    counts = {name: getattr(ran.symbols, name) for name in COUNTS}
    return Sealed(cells, counts, ran.largest, ran.keeps_rows, ran.decides_indices)


def run_symbolic(parts: Sequence[Part], symbols: Symbols, budget: Budget, *, is_probe: bool = False) -> Ran:
    """Run the kernels of one side on symbols. Refused with the reason where that cannot be done. `is_probe`: only the first
    block."""
    ran = Ran(symbols, symbols.input)
    written: frozenset[str] = frozenset()
    options = Options(shadow=False, budget=budget, blocks=FIRST if is_probe else None)
    for part in parts:
        _mind_memory(part, is_probe=is_probe)
        try:
            data, outcome = run_stage(part, ran, written, options)
        except CannotPredicate as error:
            raise Refused(f"{error.message} ({error.place})") from error
        except UndecidedError as error:
            raise Refused(f"{error.message} ({error.place})") from error
        except EndlessError as error:
            raise Refused(error.message) from error
        written |= stored_arrays(part.kernel.body)
        ran.outcomes.append(outcome)
        ran.held = held_after(outcome, ran.held)
        ran.largest = ran.largest.or_larger(data.largest)
        ran.degrees |= {name: degree for name, degree in data.degrees.items() if name in outcome.buffers}
        ran.keeps_rows |= data.keeps_rows
        ran.decides_indices |= data.decides_indices
    return ran


def _mind_memory(part: Part, *, is_probe: bool) -> None:
    """Refuse launches whose symbols no memory holds, before anything is asked for."""
    threads, blocks = part.setting.threads, 1 if is_probe else part.setting.blocks
    if not SYMBOL_THREADS.allows(threads * blocks):
        raise Refused(f"kernel '{part.kernel.name}' has {threads * blocks} threads; runs on symbols take up to "
                      f"{SYMBOL_THREADS.value}")
    for array in part.kernel.arrays:
        copies = {Space.SHARED: 1, Space.PRIVATE: threads}.get(array.space, 0)
        cells = prod(extent or 1 for extent in array.dims) * copies
        if not SYMBOL_THREADS.allows(cells):
            raise Refused(f"'{array.name}' has {cells} elements in a block, more than runs on symbols take "
                          f"({SYMBOL_THREADS.value})")


def run_stage(part: Part, ran: Ran, written: frozenset[str], options: Options) -> tuple[Data, Outcome]:
    """Run one kernel on what the ones before it left."""
    symbols = ran.symbols
    kernel, found = predicate(part.lowered, part.free, exact=symbols.exact)
    for name in sorted(part.doubted - found.arrays - _as_locals(kernel, found)):
        raise Refused(f"'{name}' may be read before it is written")
    own_writes = stored_arrays(kernel.body)
    settled = frozenset(array.name for array in kernel.arrays if array.space is Space.GLOBAL) - written - own_writes
    own = frozenset(array.name for array in kernel.arrays if array.space is not Space.GLOBAL)
    tables = {array.name: f"table of {array.element.name}: {array.content!r}" for array in kernel.arrays
              if array.content is not None}
    data = Data(symbols, found, settled, ran.held, own, dict(ran.degrees), largest=ran.largest, tables=tables)
    updates = any(isinstance(stmt, Atomic | Collective) for stmt in walk(kernel.body))
    program = Program(build(kernel), watch=False, data=data)
    if data.decides_indices and not part.is_bounded():
        raise Refused("data decide an index, and nothing proves that it stays inside its array")
    outcome = program.run(part.setting, options)
    if updates or data.decides_indices:
        symbols.key = symbols.key.or_larger(data.largest)
    if outcome.divergences:
        raise Refused(f"threads do not all reach the barrier at {outcome.divergences[0].barrier}")
    events = [*outcome.out_of_bounds, *outcome.undefined]
    if outcome.out_of_bounds and not _chooses(kernel, found):
        event = outcome.out_of_bounds[0]
        raise Broken(symbols.side, f"out-of-bounds: {event.what} of {event.array}[{event.index[0]}] ({event.place})")
    if events:
        raise Refused(f"{events[0].what} {events[0].array} ({events[0].place})")
    return data, outcome


def _chooses(kernel: Kernel, found: Partition) -> bool:
    """Whether data decide what is evaluated anywhere in a predicated kernel: then an access may be made for nothing."""
    def look(expr: Expr) -> bool:
        test = expr.test if isinstance(expr, Select) else expr if isinstance(expr, Binary) and expr.op in ("&&", "||") else None
        return (test is not None and found.is_data(test)) or any(map(look, children(expr)))

    return any(look(expr) for stmt in walk(kernel.body) for expr in expressions(stmt))


def _as_locals(kernel: Kernel, found: Partition) -> set[str]:
    """The private arrays whose elements have become locals, all of which hold data."""
    names: dict[str, bool] = {}
    for stmt in walk(kernel.body):
        if isinstance(stmt, Declare) and stmt.element_of:
            names[stmt.element_of] = names.get(stmt.element_of, True) and stmt.name in found.locals
    return {name for name, are_data in names.items() if are_data}
