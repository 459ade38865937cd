"""Looking for a launch at which two kernels differ, smallest first, by running both.

Sizes come from small values that the requirements admit, or from a solver's model; inputs are made up,
no two cells alike. Only what both runs show is reported.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product

import numpy as np

from automata import arithmetic
from automata.arithmetic import Undefined, Value
from automata.lang.core import AXES, Array, Quantity, Space
from automata.lang.launch import read_size
from automata.logic import terms as T
from automata.logic.terms import Symbol, Term
from automata.machine.fill import Fill, Reals, as_cells, drawn_from
from automata.machine.memory import Cells, Initial, Paged
from automata.machine.outcome import Outcome, Setting, Triple, same_value
from automata.machine.run import Options
from automata.machine.values import Numbers
from automata.proof.analysis import Analysis
from automata.proof.context import Context, evaluate
from equivalence.result import Counterexample, Owner

SCALARS = (1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64, 65, 100, 127, 128, 129, 257, 513, 1000, 0, -1)
DIMENSIONS = (1, 2, 3, 4, 8, 32)
MAX_COMBINATIONS = 20_000
ROUNDING = 1e-3
LAUNCH_COST = 100
Assignment = dict[str, int]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much to try: threads of one launch, threads of all launches together. No clock: answers repeat."""

    threads: int
    work: int


class Search:
    """Runs two kernels side by side at concrete sizes."""

    def __init__(self, a: Analysis, b: Analysis, outputs: tuple[str, ...], *, bits: bool) -> None:
        """`bits`: any difference in bits counts; else floats must differ by more than rounding can explain."""
        self.bits, self.rounding = bits, ""
        self.a, self.b, self.outputs = a.context, b.context, outputs
        self.programs = a.program, b.program
        self.tried = 0

    def smallest(self, budget: Budget) -> Counterexample | None:
        """The first difference among small launches, in order of their number of threads."""
        candidates = sorted(islice(self._admitted(), MAX_COMBINATIONS), key=self._cost)
        left = budget.work
        for sizes in candidates:
            left -= self._threads(sizes) + LAUNCH_COST
            if left < 0 or self._threads(sizes) > budget.threads or self.a.is_late():
                break
            found = self.at(sizes)
            if found is not None:
                return found
        return None

    def at(self, sizes: Mapping[str, int]) -> Counterexample | None:
        """A difference at these sizes, if one shows with the inputs tried."""
        self.tried += 1
        for fill in (_distinct(1), _signs, _specials) if self.bits else (_distinct(1), _distinct(2), _signs):
            found = self._run(sizes, fill)
            if found is not None:
                return found
        return None

    def fits(self, sizes: Mapping[str, int], budget: Budget) -> bool:
        return self._is_admitted(sizes) and self._threads(sizes) <= budget.threads

    # -- sizes --------------------------------------------------------------------------------

    def _symbols(self) -> list[Term]:
        return list(dict.fromkeys([*self.a.symbols(), *self.b.symbols()]))

    def _admitted(self) -> Iterator[Assignment]:
        """Small assignments of the free symbols that meet every requirement."""
        derived = {**_derived(self.a), **_derived(self.b)}
        free = [term for term in self._symbols() if str(term) not in derived]
        choices = [DIMENSIONS if "Dim." in str(term) else SCALARS for term in free]
        for values in product(*choices):
            sizes = {str(term): value for term, value in zip(free, values, strict=True)}
            for _ in range(len(derived)):
                for name, term in derived.items():
                    value = value_of(term, sizes)
                    if value is not None:
                        sizes[name] = value
            if self._is_admitted(sizes):
                yield sizes

    def _is_admitted(self, sizes: Mapping[str, int]) -> bool:
        for context in (self.a, self.b):
            for term in context.symbols():
                low, high = (value_of(bound, sizes) for bound in context.ranges[str(term)])
                if str(term) not in sizes or low is None or high is None or not low <= sizes[str(term)] <= high:
                    return False
            if any(not value_of(term, sizes) for term in context.required):
                return False
        return True

    def _threads(self, sizes: Mapping[str, int]) -> int:
        return max(_count(_triple(context, Quantity.GRID_DIM, sizes)) * _count(_triple(context, Quantity.BLOCK_DIM, sizes))
                   for context in (self.a, self.b))

    def _cost(self, sizes: Mapping[str, int]) -> tuple[int, int]:
        return self._threads(sizes), sum(abs(value) for value in sizes.values())

    # -- runs ---------------------------------------------------------------------------------

    def _run(self, sizes: Mapping[str, int], fill: Fill) -> Counterexample | None:
        outcomes = [program.run(self._setting(context, sizes, fill))
                    for program, context in zip(self.programs, (self.a, self.b), strict=True)]
        if any(outcome.divergences or outcome.out_of_bounds or outcome.undefined for outcome in outcomes):
            return None
        for name in self.outputs:
            found = self._difference(name, outcomes, sizes, fill)
            if found is not None:
                return found
        return None

    def _setting(self, context: Context, sizes: Mapping[str, int], fill: Fill) -> Setting:
        scalars: dict[str, Value] = {}
        for param in context.kernel.params:
            value = value_of(context.values[param.name], sizes)
            scalars[param.name] = float(fill(param.name, np.zeros(1, np.int64))[0]) if value is None else value
            if param.type.is_float:
                scalars[param.name] = param.type.round(float(scalars[param.name]))
        extents: dict[str, int] = {name: size for name in context.launch.extents
                   if (size := value_of(_extent(context, name), sizes)) is not None}
        return Setting(_triple(context, Quantity.GRID_DIM, sizes), _triple(context, Quantity.BLOCK_DIM, sizes), scalars,
                       {}, self._initial(fill), extents)

    def _initial(self, fill: Fill) -> Initial:
        ranges = self.a.launch.ranges

        def initial(array: Array, index: Numbers) -> Cells:
            return as_cells(fill(array.name, index), array.element, ranges.get(array.name))

        return initial

    def _difference(self, name: str, outcomes: list[Outcome], sizes: Mapping[str, int], fill: Fill) -> Counterexample | None:
        first, second = (outcome.contents(name) if name in outcome.written else {} for outcome in outcomes)
        for cell in sorted(first.keys() | second.keys()):
            one, two = (self._value(outcome, name, cell, fill) for outcome in outcomes)
            if not same_value(one, two) and not self._is_rounding(name, cell, one, two):
                shown: dict[str, int | float] = {key.removeprefix("b.") if key.removeprefix("b.") not in sizes else key: value
                                                 for key, value in sizes.items()}
                owners = [self._owner(number, name, cell, sizes, fill) for number in range(2)]
                return Counterexample(shown, self._inputs(outcomes, fill), name, cell, one, two, owners[0], owners[1])
        return None

    def _value(self, outcome: Outcome, name: str, cell: int, fill: Fill) -> Value:
        """A cell after a run; where the kernel has no such array in global memory, it is as it was."""
        if name in outcome.buffers:
            return outcome.value(name, cell)
        array = next(array for context in (self.a, self.b) for array in context.kernel.arrays
                     if array.name == name and array.space is Space.GLOBAL)
        found: Value = self._initial(fill)(array, np.array([cell], np.int64))[0].item()
        return found

    def _owner(self, number: int, name: str, cell: int, sizes: Mapping[str, int], fill: Fill) -> Owner | None:
        """Who wrote a cell last on one side: seen by running it again."""
        setting = self._setting((self.a, self.b)[number], sizes, fill)
        touches = self.programs[number].run(setting, Options(watched=frozenset({(name, cell)}))).touches.get((name, cell), [])
        last = next((touch for touch in reversed(touches) if touch.is_write), None)
        return Owner(last.actor, last.place) if last is not None else None

    def _is_rounding(self, name: str, cell: int, one: Value, two: Value) -> bool:
        """Whether a difference may be an effect of float arithmetic alone, in a mode that allows that."""
        if self.bits or not (isinstance(one, float) and isinstance(two, float)):
            return False
        known = math.isfinite(one) and math.isfinite(two)
        far = known and abs(one - two) > ROUNDING * max(1.0, abs(one), abs(two))
        if not far:
            self.rounding = f"{name}[{cell}]"
        return not far

    def _inputs(self, outcomes: list[Outcome], fill: Fill) -> dict[str, dict[int, Value]]:
        """The first cells of every global array, as they were before the run."""
        initial = self._initial(fill)
        found: dict[str, dict[int, Value]] = {}
        for array in self.a.kernel.arrays:
            if array.space is Space.GLOBAL:
                touched = np.unique(np.concatenate([_reached(outcome, array.name) for outcome in outcomes]))[:8]
                found[array.name] = dict(zip(touched.tolist(), initial(array, touched).tolist(), strict=True))
        return found


def _reached(outcome: Outcome, name: str) -> Numbers:
    """Some indices of an array that a run reached: those written, or the start of what was read."""
    if name in outcome.written:
        return np.array(sorted(outcome.contents(name)), np.int64)
    buffer = outcome.buffers.get(name)
    if isinstance(buffer, Paged):
        return buffer.indices(np.arange(min(8, buffer.cells.size)))
    return np.arange(min(8, buffer.cells.size) if buffer else 0)


def _count(size: Triple) -> int:
    return size[0] * size[1] * size[2]


def _triple(context: Context, quantity: Quantity, sizes: Mapping[str, int]) -> Triple:
    x, y, z = (value_of(context.size(quantity, axis), sizes) or 1 for axis in AXES)
    return x, y, z


def _extent(context: Context, name: str) -> Term:
    return evaluate(read_size(context.launch.extents[name], context.kernel, f"extent of {name}"), context.values)


def _derived(context: Context) -> dict[str, Term]:
    """Symbols that a requirement `symbol == expression` fixes."""
    found: dict[str, Term] = {}
    for term in context.required:
        if term.op == "==" and term.args[0].op == "cast" and term.args[0].args[0].op == "sym":
            found.setdefault(str(term.args[0].args[0]), term.args[1])
    return found


def value_of(term: Term, sizes: Mapping[str, int]) -> int | None:
    """The concrete value of an integer term over launch symbols; None when something is not known."""
    values: dict[int, int | None] = {}
    for node in T.subterms(term):
        values[node.serial] = _node(node, [values[arg.serial] for arg in node.args], sizes)
    return values[term.serial]


def _node(node: Term, args: list[int | None], sizes: Mapping[str, int]) -> int | None:
    if node.op == "const":
        value = T.constant_value(node)
        return None if value is None or node.type.is_float else int(value)
    if node.op == "sym":
        assert isinstance(node.data, Symbol)
        return sizes.get(node.data.name)
    if node.op == "ite":
        return args[1] if args[0] else args[2]
    known = [arg for arg in args if arg is not None]
    if len(known) < len(args) or node.op in ("read", "call", "undef"):
        return None
    try:
        if node.op == "cast":
            return int(arithmetic.cast(known[0], node.args[0].type, node.type))
        if len(known) == 1:
            return int(arithmetic.unary("-" if node.op == "neg" else node.op, known[0], node.args[0].type))
        return int(arithmetic.binary(node.op, known[0], known[1], node.args[0].type))
    except Undefined:
        return None


def _distinct(seed: int) -> Fill:
    """Small numbers, no two neighbouring cells alike, none zero."""
    def fill(name: str, index: Numbers) -> Reals:
        start = sum(map(ord, name)) * 13 + seed * 101
        return ((start + index * (2 * seed + 1)) % 8191 + 1).astype(np.float64)

    return fill


_signs = drawn_from((-7.0, -1.0, -0.0, 0.0, 1.0, 3.0, 5.0), "signs")
_specials = drawn_from((math.nan, math.inf, -math.inf, -0.0, 0.0, 1e30, -1e30, 1e-30, 0.1, 3.0, 16777216.0), "specials")
