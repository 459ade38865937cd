"""Numbers as another device might round them: what a device may compute in its own way is a little off.

For runs that ask whether something seen hangs on rounding. Functions of the library are off by much more than their
documented error, products that a sum may take in unrounded by more than their rounding, and quotients and roots of OpenCL by
more than the few units in the last place that it allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from automata.lang.exactness import manner_of_call, manner_of_quotient
from automata.machine.numbers.rounding import exact_product
from automata.machine.numbers.values import Concrete, Lanes
from automata.scalar import BF16, F16, F32, F64, Scalar

Direction = Literal["up", "down", "apart"]
DIRECTIONS: tuple[Direction, ...] = ("up", "down", "apart")
OF_A_FUNCTION, NEAR_ZERO = 2.0**-8, 2.0**-10
LAST_PLACES = {F16: 2.0**-8, BF16: 2.0**-5, F32: 2.0**-20}
"""Several units in the last place, relative to a number."""
DOUBLE = 2.0**-49


class Nudged(Concrete):
    """`direction`: all upwards, all downwards, or each value by its bits."""

    def __init__(self, dialect: str, direction: Direction) -> None:
        self.dialect, self.direction = dialect, direction

    def binary(self, op: str, left: Lanes, right: Lanes, kind: Scalar) -> Lanes:
        found = super().binary(op, left, right, kind)
        if kind.is_float and op == "*":
            one, two = np.broadcast_arrays(np.atleast_1d(left).astype(np.float64), np.atleast_1d(right).astype(np.float64))
            nearest, rest = exact_product(one, two)
            is_off = ((nearest != found) | (rest != 0)).reshape(np.shape(found))
            return np.where(is_off, self.moved(found, kind, LAST_PLACES.get(kind, DOUBLE), 0.0), found)[()]
        if op == "/" and manner_of_quotient(kind, self.dialect):
            return self.moved(found, kind, LAST_PLACES.get(kind, DOUBLE), 0.0)
        return found

    def call(self, function: str, args: Sequence[Lanes], kinds: Sequence[Scalar], result: Scalar) -> Lanes:
        found = super().call(function, args, kinds, result)
        if not result.is_float or manner_of_call(function, result, self.dialect) != "rounded":
            return found
        return self.moved(found, result, OF_A_FUNCTION, NEAR_ZERO)

    def moved(self, value: Lanes, kind: Scalar, part: float, least: float) -> Lanes:
        """Values that are off by a part of themselves and a little more."""
        wide = np.asarray(value, np.float64)
        sign = np.where(self.upwards(wide), 1.0, -1.0)
        return self.cast((wide + sign * (np.abs(wide) * part + least))[()], F64, kind)

    def upwards(self, value: Lanes) -> Lanes:
        match self.direction:
            case "up":
                return np.ones(value.shape, np.bool_)
            case "down":
                return np.zeros(value.shape, np.bool_)
        bits = np.ascontiguousarray(value).view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return ((bits >> np.uint64(63)) == 1).reshape(value.shape)
