"""Numbers without rounding: every float is a real number (`reals`), kept by its number in a pool.

What two kernels compute here differs as their functions over the reals do, not by rounding: a difference in floats that
vanishes here is none of what they compute, and one that stays is one, however small. Not taken (`Uncovered`): bits of floats,
updates and reductions of floats among threads, functions that `reals` does not have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from automata.lang.core import Atomic, Collective, Kernel
from automata.lang.exactness import FUSED, ROUNDED
from automata.lang.traverse import walk
from automata.machine.numbers.rounding import DTYPES
from automata.machine.numbers.values import Concrete, Lanes
from automata.machine.state.memory import Cells
from automata.scalar import BOOL, Scalar, nan_as
from equivalence import reals
from equivalence.domains.functions import OPERATORS, stem
from equivalence.reals import Number, Uncovered

_ARITHMETIC: dict[str, Callable[[Number, Number], Number]] = {
    "+": reals.add, "-": reals.subtract, "*": reals.multiply, "/": reals.divide}
_CLASSES: dict[str, Callable[[Number], bool]] = {
    "isnan": lambda number: reals.is_beyond(number) and math.isnan(number),
    "isinf": lambda number: reals.is_beyond(number) and math.isinf(number),
    "isfinite": lambda number: not reals.is_beyond(number)}
_ORDERS: dict[str, tuple[int, ...]] = {"<": (-1,), "<=": (-1, 0), "==": (0,), "!=": (-1, 1)}


class Pool:
    """Numbers that both sides share; the one numbered 0 is zero."""

    def __init__(self) -> None:
        self.numbers: list[Number] = []
        self.known: dict[Any, int] = {}
        self.memo: dict[tuple[Any, ...], Any] = {}
        self.number(Fraction(0))

    def number(self, value: Number) -> int:
        """Where a number stands; all NaN are one."""
        key = "nan" if isinstance(value, float) and math.isnan(value) else (isinstance(value, Fraction), value)
        at = self.known.setdefault(key, len(self.numbers))
        if at == len(self.numbers):
            self.numbers.append(value)
        return at


class Precise(Concrete):
    """Integers as they are, floats by their numbers in a pool."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    def dtype(self, kind: Scalar) -> npt.DTypeLike:
        return np.int64 if kind.is_float else DTYPES[kind]

    def cells(self, content: Any, kind: Scalar) -> Cells:
        if not kind.is_float:
            return super().cells(content, kind)
        plain = np.asarray(content).astype(np.float64)
        return self.each(("float",), lambda value: self.pool.number(reals.settled(float(value))), plain)

    def constant(self, value: int | float, kind: Scalar) -> Lanes:
        plain = super().constant(value, kind)
        return self.cells(plain, kind) if kind.is_float else plain

    def each(self, tag: tuple[Any, ...], function: Callable[..., Any], *operands: Lanes,
             dtype: npt.DTypeLike = np.int64) -> Lanes:
        """A function, once for each combination of operands."""
        memo, flat = self.pool.memo, [np.asarray(operand) for operand in operands]
        columns = [column.reshape(-1).tolist() for column in np.broadcast_arrays(*flat)]
        made = []
        for values in zip(*columns, strict=True):
            key = (*tag, *values)
            if key not in memo:
                memo[key] = function(*values)
            made.append(memo[key])
        found: Any = np.array(made, dtype)
        single: Lanes = found if any(operand.ndim for operand in flat) else found[0]
        return single

    def of_numbers(self, tag: tuple[Any, ...], function: Callable[..., Number], *operands: Lanes) -> Lanes:
        """A function of numbers that gives one."""
        held = self.pool.numbers
        return self.each(tag, lambda *ats: self.pool.number(function(*(held[at] for at in ats))), *operands)

    def unary(self, op: str, arg: Lanes, kind: Scalar) -> Lanes:
        if not kind.is_float:
            return super().unary(op, arg, kind)
        if op == "!":
            return self.binary("==", arg, np.int64(0), kind)  # type: ignore[arg-type]
        return self.of_numbers(("-",), reals.negative, arg)

    def binary(self, op: str, left: Lanes, right: Lanes, kind: Scalar) -> Lanes:
        if not kind.is_float:
            return super().binary(op, left, right, kind)
        held = self.pool.numbers
        if op in _ORDERS:
            def holds(one: int, two: int) -> bool:
                way = _same(held[one]) if one == two else reals.order(held[one], held[two])
                return way in _ORDERS[op] if way is not None else op == "!="
            return self.each(("test", op), holds, left, right, dtype=np.bool_)
        if op not in _ARITHMETIC:
            raise Uncovered
        return self.of_numbers((op,), _ARITHMETIC[op], left, right)

    def cast(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        if source.is_float and target == BOOL:
            return self.binary("!=", arg, np.int64(0), source)  # type: ignore[arg-type]
        if source.is_float and target.is_float:
            return arg
        if target.is_float:
            return self.each(("whole",), lambda value: self.pool.number(Fraction(int(value))), arg)
        if source.is_float:
            def truncated(at: int) -> int:
                return _truncated(self.pool.numbers[at], source, target)

            return self.each(("truncated", source.name, target.name), truncated, arg, dtype=DTYPES[target])
        return super().cast(arg, source, target)

    def bits(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        if source.is_float or target.is_float:
            raise Uncovered
        return super().bits(arg, source, target)

    def call(self, function: str, args: Sequence[Lanes], kinds: Sequence[Scalar], result: Scalar) -> Lanes:
        if not result.is_float and not any(kind.is_float for kind in kinds):
            return super().call(function, args, kinds, result)
        name, rounded = stem(function), ROUNDED.match(function)
        if name in _CLASSES and not result.is_float:
            return self.each((name,), lambda at: _CLASSES[name](self.pool.numbers[at]), args[0], dtype=DTYPES[result])
        if name == "saturated":
            return self.cast(args[0], kinds[0], result)
        known = "fma" if FUSED.match(function) else name
        row = _ARITHMETIC[OPERATORS[rounded.group(1)]] if rounded else reals.FUNCTIONS.get(known)
        if row is None or not result.is_float or not all(kind.is_float for kind in kinds):
            raise Uncovered
        return self.of_numbers((name,), row, *args)


def covers(kernel: Kernel) -> bool:
    """Whether floats stay with their threads and in loads and stores: updates of memory know nothing of pools."""
    for stmt in walk(kernel.body):
        if isinstance(stmt, Atomic) and kernel.array(stmt.array).element.is_float:
            return False
        if isinstance(stmt, Collective) and stmt.args[0].type.is_float and not stmt.op.startswith("shfl"):
            return False
    return True


def _same(number: Number) -> int | None:
    return None if reals.is_beyond(number) and math.isnan(number) else 0


def _truncated(number: Number, source: Scalar, target: Scalar) -> int:
    """As GPUs do: NaN gives `nan_as`, what lies outside the nearest end."""
    if reals.is_beyond(number):
        return nan_as(source, target) if math.isnan(number) else target.high if number > 0 else target.low
    return max(target.low, min(target.high, reals.truncated(number)))
