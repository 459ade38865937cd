"""Looking for a launch at which two kernels differ, smallest first, by running both.

Sizes come from small values that the requirements admit, or from a solver's model; inputs are made up,
no two cells alike. Only what both runs show is reported.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product

from automata import arithmetic
from automata.arithmetic import Undefined, Value
from automata.lang.core import AXES, Array, Quantity, Space
from automata.lang.launch import read_size, within
from automata.logic import terms as T
from automata.logic.terms import Symbol, Term
from automata.machine.memory import Initial, same_bits
from automata.machine.run import Outcome, Setting, Triple
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
            found = self._difference(name, outcomes[0], outcomes[1], sizes, fill)
            if found is not None:
                return found
        return None

    def _setting(self, context: Context, sizes: Mapping[str, int], fill: Fill) -> Setting:
        scalars: dict[str, Value] = {}
        for param in context.kernel.params:
            value = value_of(context.values[param.name], sizes)
            scalars[param.name] = fill(param.name, 0) if value is None else value
            if param.type.is_float:
                scalars[param.name] = param.type.round(float(scalars[param.name]))
        extents: dict[str, int] = {name: size for name in context.launch.extents
                   if (size := value_of(_extent(context, name), sizes)) is not None}
        return Setting(_triple(context, Quantity.GRID_DIM, sizes), _triple(context, Quantity.BLOCK_DIM, sizes), scalars,
                       self._initial(fill), extents)

    def _initial(self, fill: Fill) -> Initial:
        launch = self.a.launch
        arrays: dict[str, Array] = {array.name: array for context in (self.a, self.b) for array in context.kernel.arrays}

        def initial(name: str, index: int) -> Value:
            element = arrays[name].element
            value = within(launch, name, fill(name, index))
            if element.is_float:
                return element.round(value)
            return element.wrap(int(value) if math.isfinite(value) else 0)

        return initial

    def _difference(self, name: str, a: Outcome, b: Outcome, sizes: Mapping[str, int], fill: Fill) -> Counterexample | None:
        initial = self._initial(fill)
        first, second = a.memory.contents(name), b.memory.contents(name)
        for cell in sorted(first.keys() | second.keys()):
            one, two = (contents.get(cell, initial(name, cell)) for contents in (first, second))
            if not same_bits(one, two) and not self._is_rounding(name, cell, one, two):
                inputs = self._inputs(a, b, fill)
                shown: dict[str, int | float] = {key.removeprefix("b.") if key.removeprefix("b.") not in sizes else key: value
                                                 for key, value in sizes.items()}
                return Counterexample(shown, inputs, name, cell, one, two, _owner(a, name, cell), _owner(b, name, cell))
        return None

    def _is_rounding(self, name: str, cell: int, one: Value, two: Value) -> bool:
        """Whether a difference may be an effect of float arithmetic alone, in a mode that allows that."""
        if self.bits or not (isinstance(one, float) and isinstance(two, float)):
            return False
        known = math.isfinite(one) and math.isfinite(two)
        far = known and abs(one - two) > ROUNDING * max(1.0, abs(one), abs(two))
        if not far:
            self.rounding = f"{name}[{cell}]"
        return not far

    def _inputs(self, a: Outcome, b: Outcome, fill: Fill) -> dict[str, dict[int, Value]]:
        """The first cells of every global array, as they were before the run."""
        initial = self._initial(fill)
        found: dict[str, dict[int, Value]] = {}
        arrays = [array for array in self.a.kernel.arrays if array.space is Space.GLOBAL]
        for array in arrays:
            touched = sorted(a.memory.contents(array.name).keys() | b.memory.contents(array.name).keys())
            found[array.name] = {index: initial(array.name, index) for index in touched[:8]}
        return found


def _owner(outcome: Outcome, name: str, cell: int) -> Owner | None:
    found = outcome.memory.owners.get((name, -1, cell))
    return Owner(*found) if found else None


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


Fill = Callable[[str, int], float]


def _distinct(seed: int) -> Fill:
    """Small numbers, no two neighbouring cells alike, none zero."""
    def fill(name: str, index: int) -> float:
        start = sum(map(ord, name)) * 13 + seed * 101
        return float((start + index * (2 * seed + 1)) % 8191 + 1)

    return fill


def _signs(name: str, index: int) -> float:
    """Numbers of both signs, zeros of both signs among them."""
    return random.Random(f"{name}{index}").choice((-7.0, -1.0, -0.0, 0.0, 1.0, 3.0, 5.0))


def _specials(name: str, index: int) -> float:
    """What tells apart floats that behave alike otherwise: NaN, infinities, zeros, far magnitudes."""
    pool = (math.nan, math.inf, -math.inf, -0.0, 0.0, 1e30, -1e30, 1e-30, 0.1, 3.0, 16777216.0)
    return random.Random(f"{index}{name}").choice(pool)
