"""Made-up contents of memory, repeatable: a cell's value follows from a seed, the array's name and the index alone."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from automata.machine.numbers.rounding import DTYPES, narrow
from automata.machine.numbers.values import Numbers
from automata.machine.state.memory import Cells
from automata.scalar import BF16, BOOL, Scalar

Reals = npt.NDArray[np.float64]
Fill = Callable[[str, Numbers], Reals]


def constant(value: float) -> Fill:
    """The same number everywhere."""
    return lambda name, index: np.full(index.size, value)


def scrambled(name: str, index: Numbers, seed: str = "") -> npt.NDArray[np.uint64]:
    """Well-mixed 64-bit numbers (splitmix64, Steele, Lea and Flood, OOPSLA 2014)."""
    with np.errstate(over="ignore"):
        start = np.uint64(zlib.crc32(f"{seed}/{name}".encode()))
        state = index.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + (start << np.uint64(20)) + start
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return state ^ (state >> np.uint64(31))


def drawn_from(pool: Sequence[float], seed: str = "") -> Fill:
    """Each cell drawn from a few numbers."""
    numbers = np.array(pool, np.float64)
    return lambda name, index: numbers[(scrambled(name, index, seed) % np.uint64(numbers.size)).astype(np.int64)]


def of_many_sizes(seed: str = "") -> Fill:
    """Numbers with all their digits, of either sign, of sizes between 2^-6 and 2^6: a sum of a few shows how it was rounded."""
    def fill(name: str, index: Numbers) -> Reals:
        mixed = scrambled(name, index, seed)
        digits = 1 + (mixed >> np.uint64(12)).astype(np.float64) / 2.0**52
        sizes = (mixed % np.uint64(13)).astype(np.int64) - 6
        signs = np.where((mixed >> np.uint64(8)) & np.uint64(1), -1.0, 1.0)
        return np.asarray(np.ldexp(signs * digits, sizes))
    return fill


def as_cells(values: Reals, element: Scalar, bounds: tuple[int, int] | None = None) -> Cells:
    """Numbers as contents of an array: rounded or wrapped into its type, moved into [low, high) where that is stated."""
    if bounds is not None:
        low, high = bounds
        whole = np.where(np.isfinite(values), values, 0.0).astype(np.int64)
        values = (low + (whole - low) % max(1, high - low)).astype(np.float64)
    with np.errstate(all="ignore"):
        if element == BF16:
            return np.asarray(narrow(values, BF16))
        if element.is_float:
            return values.astype(DTYPES[element])
        whole = np.where(np.isfinite(values), values, 0.0).astype(np.int64)
        return (whole != 0) if element == BOOL else whole.astype(DTYPES[element])
