"""Whether a run left what is defined over the reals: an operation gave NaN though none went in, or an infinity of finite numbers.

Quotients by zero, roots and logarithms of what they are not defined for, and overflow are seen so, also where what follows from
them is finite again. In double precision, so that little overflows that would not over the reals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from automata.machine.numbers.values import Lanes
from automata.scalar import Scalar
from equivalence.wide import Wide


class Watched(Wide):
    """Doubles; `has_left`: whether an operation so far left what is defined, in any lane."""

    def __init__(self) -> None:
        self.has_left = False

    def unary(self, op: str, arg: Lanes, kind: Scalar) -> Lanes:
        return self._seen(super().unary(op, arg, kind), kind, arg)

    def binary(self, op: str, left: Lanes, right: Lanes, kind: Scalar) -> Lanes:
        return self._seen(super().binary(op, left, right, kind), kind, left, right)

    def cast(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        if source.is_float and not target.is_float:
            self._note(~np.isfinite(arg))
        return self._seen(super().cast(arg, source, target), target, *([arg] if source.is_float else []))

    def call(self, function: str, args: Sequence[Lanes], kinds: Sequence[Scalar], result: Scalar) -> Lanes:
        floats = [arg for arg, kind in zip(args, kinds, strict=True) if kind.is_float]
        return self._seen(super().call(function, args, kinds, result), result, *floats)

    def _seen(self, found: Lanes, kind: Scalar, *operands: Lanes) -> Lanes:
        """A result, of which it is noted where it is less of a number than its operands."""
        if kind.is_float and found.dtype.kind == "f" and not np.isfinite(found).all():
            were_numbers = _all([~np.isnan(operand) for operand in operands])
            were_finite = _all([np.isfinite(operand) for operand in operands])
            self._note(np.isnan(found) & were_numbers | np.isinf(found) & were_finite)
        return found

    def _note(self, where: Any) -> None:
        self.has_left = self.has_left or bool(np.any(where))


def _all(tests: list[Any]) -> Any:
    found: Any = np.bool_(True)
    for test in tests:
        found = found & test
    return found
