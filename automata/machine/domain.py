"""What symbols are: the protocol of a domain, and what a symbolic run keeps beside its memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from automata.lang.core import Array, Collective, Expr
from automata.machine.memory import Cells
from automata.machine.partition import Partition
from automata.machine.values import Lanes, Numbers, Values
from automata.place import NOWHERE, UndecidedError
from automata.scalar import BOOL, I32, Scalar

Compared = tuple[str, Lanes, Lanes, Scalar]
"""A comparison: its operator, its operands and their type."""

Degree = tuple[float, float]
"""Of a rational function: bounds on the degrees of its numerator and its denominator."""

CONSTANT: Degree = (0.0, 0.0)


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

    def gather(self, array: str, index: Lanes) -> Lanes:
        """What an array that nobody writes holds at an index of data."""

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

    def degree(self, expr: Expr, parts: Sequence[Degree]) -> Degree:
        """The degree of an operation's value from those of its operands."""


@dataclass
class Data:
    """What a symbolic run needs beside a kernel: the names that hold data, and what they hold.

    `settled`: global arrays that hold their input all through the launch; `before`: what an array holds before it, if not
    its input. `degrees`: of what locals and arrays hold, as far as the run has come; `most`: the largest sum of both
    parts so far; `widest`: the most cells that an index of data meant. `tables`: names of constant tables that say what
    they hold; `decides_indices`: whether data decide an index; `keeps_rows`: whether one is taken to stay inside its dimension.
    """

    domain: Domain
    partition: Partition
    settled: frozenset[str]
    before: Callable[[str, Numbers], Cells | None] = lambda name, index: None
    shared: frozenset[str] = frozenset()
    degrees: dict[str, Degree] = field(default_factory=dict)
    most: float = 1.0
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
        old = CONSTANT if whole else self.degrees.get(name, CONSTANT)
        self.degrees[name] = max(old[0], degree[0]), max(old[1], degree[1])
        self.most = max(self.most, degree[0] + degree[1])

    def degree(self, name: str) -> Degree:
        return self.degrees.get(name, (1.0, 0.0))


def dtype_of(data: Data | None, values: Values, array: Array) -> npt.DTypeLike:
    """How the cells of an array are kept."""
    if data is not None and array.name in data.partition.arrays:
        return data.domain.dtype
    return values.dtype(array.element)


def combined(data: Data, stmt: Collective, groups: Numbers, values: Cells) -> Cells:
    """A reduction or vote of data within each group of lanes, in the order of lanes, given to all of the group."""
    function, kind, domain = _COMBINE.get(stmt.op), stmt.args[0].type, data.domain
    if function is None:
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
        total[more] = domain.binary(function, total[more], values[order[starts[more] + step]], kind)
    top, bottom = data.degree(stmt.result)
    data.note(stmt.result, (top * float(sizes.max()), bottom * float(sizes.max())), whole=False)
    found = np.empty(values.size, values.dtype)
    found[order] = np.repeat(total, sizes)
    return domain.cast(found, BOOL, I32) if stmt.op in _VOTES and stmt.op != "count" else found


_VOTES = frozenset({"all", "any", "and", "or", "count"})
_COMBINE = {"all": "&&", "and": "&&", "any": "||", "or": "||", "count": "+", "reduce_add": "+", "reduce_and": "&",
            "reduce_or": "|", "reduce_xor": "^"}
_UPDATES = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}


def updated_data(domain: Domain, op: str, old: Cells, args: list[Cells], kind: Scalar) -> Cells:
    """What cells hold after an atomic update."""
    if op in _UPDATES:
        return domain.binary(_UPDATES[op], old, args[0], kind)
    if op == "exch":
        return args[0]
    if op in ("min", "max"):
        one, two = (args[0], old) if op == "min" else (old, args[0])
        return domain.select(domain.binary("<", one, two, kind), args[0], old, ("<", one, two, kind), kind)
    if op == "cas":
        return domain.select(domain.binary("==", old, args[0], kind), args[1], old, None, kind)
    raise UndecidedError(f"an atomic {op} of data", NOWHERE)
