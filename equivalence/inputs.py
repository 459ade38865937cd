"""Made-up inputs that tell kernels apart: no two neighbours alike, both signs, special values, ends of types."""

from __future__ import annotations

import math

import numpy as np

from automata.machine.numbers.values import Numbers
from automata.machine.state.fill import Fill, Reals, drawn_from, scrambled


def distinct(seed: int) -> Fill:
    """Small numbers, no two neighbouring cells alike, none zero."""
    def fill(name: str, index: Numbers) -> Reals:
        start = sum(map(ord, name)) * 13 + seed * 101
        return ((start + index * (2 * seed + 1)) % 8191 + 1).astype(np.float64)

    return fill


def near(name: str, index: Numbers) -> Reals:
    """Numbers between -2 and 2, hardly any two alike: exponentials of them stay finite."""
    found: Reals = (scrambled(name, index, "near") % np.uint64(39_989)).astype(np.float64) / 10_000.0 - 2.0
    return found


def positive(name: str, index: Numbers) -> Reals:
    return np.abs(near(name, index))


def negative(name: str, index: Numbers) -> Reals:
    return -np.abs(near(name, index))


extremes = drawn_from((2.0**31 - 1, -(2.0**31), 2.0**31, 2.0**32 - 1, 2.0**15, 255.0, 128.0, 2.0**30, -1.0, 1.0), "extremes")
signs = drawn_from((-7.0, -1.0, -0.0, 0.0, 1.0, 3.0, 5.0), "signs")
specials = drawn_from((math.nan, math.inf, -math.inf, -0.0, 0.0, 1e30, -1e30, 1e-30, 0.1, 3.0, 16777216.0), "specials")
