"""What symbols are: the protocol of a domain, and what a symbolic run keeps beside its memory."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from automata.lang.core import Array, Collective, Expr
from automata.machine.numbers.values import Lanes, Numbers, Values
from automata.machine.state.memory import Cells
from automata.place import NOWHERE, UndecidedError
from automata.rewriting.partition import Partition
from automata.scalar import BOOL, I32, Scalar

Compared = tuple[str, Lanes, Lanes, Scalar]
"""A comparison: its operator, its operands and their type."""


class Degree(NamedTuple):
    """Bounds on the size of a rational function N/M: the degrees of N and M (`top`, `bottom`), and log2 of the sums of the
    absolute values of each's coefficients (`over`, `under`), which are fractions: 2^`halves` times at most `parts` numbers
    that the kernel divides by make them all whole."""

    top: float
    bottom: float
    over: float = 0.0
    under: float = 0.0
    halves: float = 0.0
    parts: float = 0.0

    def or_larger(self, *others: Degree) -> Degree:
        """A bound on all of them."""
        return Degree(*map(max, self, *others)) if others else self

    def plus(self, other: Degree) -> Degree:
        """A sum: (N1·M2 + N2·M1) / (M1·M2)."""
        one, two = self.over + other.under, other.over + self.under
        over = max(one, two) + math.log2(1 + 2.0 ** -abs(one - two))
        join = operator.add if self.bottom or other.bottom else max
        return Degree(max(self.top + other.bottom, other.top + self.bottom), self.bottom + other.bottom, over,
                      self.under + other.under, join(self.halves, other.halves), join(self.parts, other.parts))

    def times(self, other: Degree) -> Degree:
        return Degree(*(mine + its for mine, its in zip(self, other, strict=True)))

    def inverse(self) -> Degree:
        return Degree(self.bottom, max(self.top, 1.0), self.under, self.over, self.halves, self.parts)

    def shared(self, halves: float) -> Degree:
        """Divided by a number m/2^halves."""
        return self._replace(over=self.over + halves, parts=self.parts + 1)

    def chosen(self, count: float) -> Degree:
        """A choice among so many functions of this size, by one test after another."""
        return self._replace(top=self.top + count, over=self.over + 2 * count)

    def copies(self, count: int) -> Degree:
        """A sum of so many functions of this size."""
        more, join = max(count - 1, 0), count if self.bottom else 1
        over = self.over + more * self.under + math.log2(max(count, 1))
        return Degree(self.top + more * self.bottom, self.bottom * count, over, self.under * count, self.halves * join,
                      self.parts * join)


NOTHING = Degree(0.0, 0.0)
ATOM = Degree(1.0, 0.0)


class Domain(Protocol):
    """What symbols are. Values are arrays of `dtype`, or single elements that all lanes share; `kind`: the type in C."""

    dtype: np.dtype[np.void]
    exact: bool
    """Whether floats are computed exactly, so that constants of the source are not to be rounded on the way."""

    @property
    def rings_integers(self) -> bool:
        """Whether integers are computed modulo 2^k, so that a shift to the left is a product."""

    def parameter(self, name: str) -> Lanes:
        """A scalar parameter that nobody gave a value."""

    def lift(self, number: Lanes, kind: Scalar) -> Lanes:
        """Numbers as symbols."""

    def unary(self, op: str, arg: Lanes, kind: Scalar) -> Lanes:
        """`op arg`."""

    def binary(self, op: str, left: Lanes, right: Lanes, kind: Scalar) -> Lanes:
        """`left op right`; comparisons give a test."""

    def cast(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        """A C conversion."""

    def bits(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        """The same bits as another type."""

    def call(self, function: str, args: Sequence[Lanes], kinds: Sequence[Scalar], result: Scalar) -> Lanes:
        """A function of the device library."""

    def select(self, test: Lanes, then: Lanes, other: Lanes, compared: Compared | None, kind: Scalar) -> Lanes:
        """`test ? then : other`. `compared`: the comparison that the test is, where it is one."""

    def gather(self, array: str, index: Lanes, kind: Scalar) -> Lanes:
        """What an array that nobody writes holds at an index of data, which is of type `kind`."""

    def input(self, name: str, index: Numbers) -> Cells:
        """What a global array holds before anything runs."""

    def undefined(self, name: str, numbers: Numbers) -> Cells:
        """What a local or shared cell holds that nobody has set: like nothing else."""

    def update(self, op: str, cells: Cells, slots: Numbers, args: list[Cells], kind: Scalar) -> bool:
        """Carry out atomic updates all at once, if their order makes no difference to the result; whether it has."""

    def sums(self, kind: Scalar) -> bool:
        """Whether sums of a type are one, whatever their order."""

    def total(self, start: Lanes, terms: Sequence[tuple[bool, Lanes, Lanes | None]], rounds: int, count: int,
              kind: Scalar) -> Lanes | None:
        """`start` for each of `count` lanes and, over all rounds, the terms: values or products of two, for every lane of the
        first round, then the next, subtracted where not positive. None where that is not done."""

    def of_numbers(self) -> Degree:
        """The degree of whatever numbers have been lifted so far."""

    def degree(self, expr: Expr, parts: Sequence[Degree]) -> Degree:
        """The degree of an operation's value from those of its operands."""


@dataclass
class Data:
    """What a symbolic run needs beside a kernel: the names that hold data, and what they hold.

    `settled`: global arrays that hold their input all through the launch; `before`: what an array holds before it, if not
    its input. `degrees`: of what locals and arrays hold, as far as the run has come; `largest`: a bound
    on all so far; `widest`: the most cells that an index of data meant. `tables`: names of constant tables that say what
    they hold; `decides_indices`: whether data decide an index; `keeps_rows`: whether one is taken to stay inside its dimension.
    """

    domain: Domain
    partition: Partition
    settled: frozenset[str]
    before: Callable[[str, Numbers], Cells | None] = lambda name, index: None
    shared: frozenset[str] = frozenset()
    degrees: dict[str, Degree] = field(default_factory=dict)
    largest: Degree = ATOM
    widest: float = 0.0
    tables: dict[str, str] = field(default_factory=dict)
    decides_indices: bool = False
    keeps_rows: bool = False

    def holds(self, name: str) -> bool:
        return name in self.partition.locals or name in self.partition.arrays

    def initial(self, array: Array, index: Numbers) -> Cells:
        """What a global array holds before the launch."""
        found = self.before(array.name, index)
        return self.domain.input(array.name, index) if found is None else found

    def begin_batch(self) -> None:
        """Other blocks run now: only global arrays still hold what was computed."""
        self.degrees = {name: degree for name, degree in self.degrees.items()
                        if name in self.partition.arrays and name not in self.shared}

    def note(self, name: str, degree: Degree, *, whole: bool) -> None:
        """A local (all of it: `whole`) or a cell of an array takes a value of that degree."""
        old = None if whole else self.degrees.get(name)
        self.degrees[name] = degree if old is None else degree.or_larger(old)
        if any(map(operator.gt, degree, self.largest)):
            self.largest = self.largest.or_larger(degree)

    def degree(self, name: str) -> Degree:
        return self.degrees.get(name, ATOM)


def dtype_of(data: Data | None, values: Values, array: Array) -> npt.DTypeLike:
    """How the cells of an array are kept."""
    if data is not None and array.name in data.partition.arrays:
        return data.domain.dtype
    return values.dtype(array.element)


def combined(data: Data, stmt: Collective, groups: Numbers, values: Cells) -> Cells:
    """A reduction or vote of data within each group of lanes, in the order of lanes, given to all of the group."""
    function, kind, domain = _COMBINE.get(stmt.op), stmt.args[0].type, data.domain
    extreme = _EXTREMES.get(stmt.op, "")
    if function is None and not extreme:
        raise UndecidedError(f"a {stmt.op} of data among lanes", stmt.place)
    if stmt.op in _VOTES:
        values, kind = domain.cast(values, kind, BOOL), BOOL
    if stmt.op == "count":
        values, kind = domain.cast(values, BOOL, I32), I32
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    sizes = np.diff(np.append(starts, groups.size))
    total = values[order[starts]]
    for step in range(1, int(sizes.max())):
        more = sizes > step
        one, two = total[more], values[order[starts[more] + step]]
        total[more] = domain.binary(function, one, two, kind) if function else updated_data(domain, extreme, one, [two], kind)
    most = float(sizes.max())
    made = Degree(*(part * most for part in data.degree(stmt.result)))
    data.note(stmt.result, made.chosen(most) if extreme else made, whole=False)
    found = np.empty(values.size, values.dtype)
    found[order] = np.repeat(total, sizes)
    return domain.cast(found, BOOL, I32) if stmt.op in _VOTES and stmt.op != "count" else found


_VOTES = frozenset({"all", "any", "and", "or", "count"})
_COMBINE = {"all": "&&", "and": "&&", "any": "||", "or": "||", "count": "+", "reduce_add": "+", "reduce_and": "&",
            "reduce_or": "|", "reduce_xor": "^"}
_EXTREMES = {"reduce_min": "min", "reduce_max": "max"}
_UPDATES = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}


def updated_data(domain: Domain, op: str, old: Cells, args: list[Cells], kind: Scalar) -> Cells:
    """What cells hold after an atomic update."""
    if op in _UPDATES:
        return domain.binary(_UPDATES[op], old, args[0], kind)
    if op == "load":
        return old
    if op == "exch":
        return args[0]
    if op in ("min", "max"):
        one, two = (args[0], old) if op == "min" else (old, args[0])
        return domain.select(domain.binary("<", one, two, kind), args[0], old, ("<", one, two, kind), kind)
    if op == "cas":
        return domain.select(domain.binary("==", old, args[0], kind), args[1], old, None, kind)
    raise UndecidedError(f"an atomic {op} of data", NOWHERE)
