"""Numbers with more room: every float is computed in double precision, whatever its type says.

A difference between two kernels that vanishes here was an effect of rounding, not of what they compute.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from automata.machine.numbers.rounding import DTYPES
from automata.machine.numbers.values import Concrete, Lanes
from automata.scalar import F64, Scalar


class Wide(Concrete):
    """Integers as they are, floats as doubles."""

    def dtype(self, kind: Scalar) -> npt.DTypeLike:
        return np.float64 if kind.is_float else DTYPES[kind]

    def constant(self, value: int | float, kind: Scalar) -> Lanes:
        return super().constant(value, _wide(kind))

    def unary(self, op: str, arg: Lanes, kind: Scalar) -> Lanes:
        return super().unary(op, arg, _wide(kind))

    def binary(self, op: str, left: Lanes, right: Lanes, kind: Scalar) -> Lanes:
        return super().binary(op, left, right, _wide(kind))

    def cast(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        return super().cast(arg, _wide(source), _wide(target))

    def bits(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        narrow: Any = super().cast(arg, F64, source) if source.is_float else arg
        made = super().bits(narrow, source, target)
        return super().cast(made, target, F64) if target.is_float else made

    def call(self, function: str, args: Sequence[Lanes], kinds: Sequence[Scalar], result: Scalar) -> Lanes:
        return super().call(function, args, [_wide(kind) for kind in kinds], _wide(result))


def _wide(kind: Scalar) -> Scalar:
    return F64 if kind.is_float else kind
