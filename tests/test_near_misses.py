"""Pairs that come close: expressions of one pool that agree on most of a table of data, and differ on the rest.

The judge is NumPy: each expression is drawn as a text and, beside it, as what it is on every row of the table, bit for bit. Of
all pairs of the pool those are asked about that agree on the most rows without agreeing on all, and some that agree on all.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from equivalence.domains.symbols import Symbols

Column = npt.NDArray[Any]
Drawn = tuple[str, Column]
"""An expression, and its value on each row."""

ROWS, POOL, NEAR, SAME = 1200, 90, 5, 2
ENDS = (-(2**31), 1 - 2**31, -129, -128, -1, 0, 1, 2, 3, 127, 128, 255, 32768, 65535, 2**31 - 1)
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1e30, 1e-45, float("inf"), float("-inf"), float("nan"))
NARROW = {"signed char": np.int8, "unsigned char": np.uint8, "short": np.int16, "unsigned short": np.uint16}
TESTS = {"<": np.less, "<=": np.less_equal, "==": np.equal, "!=": np.not_equal, ">": np.greater, ">=": np.greater_equal}
RING = {"+": np.add, "-": np.subtract, "*": np.multiply}
BITS = {"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor}


class Pool:
    """Expressions of three elements, of `int` or of `float`."""

    def __init__(self, seed: int, kind: str) -> None:
        self.draw, self.kind = random.Random(seed), kind
        self.leaves = [(name, elements(np.random.default_rng((seed, at)), kind)) for at, name in enumerate("abc")]

    def value(self, depth: int) -> Drawn:
        if depth == 0:
            return self.draw.choice([*self.leaves, *self.leaves, self.number()])
        one = self.value(depth - 1)
        two = self.value(self.draw.randrange(depth))
        with np.errstate(all="ignore"):
            return self.whole(one, two) if self.kind == "int" else self.real(one, two)

    def number(self) -> Drawn:
        if self.kind == "int":
            number = self.draw.choice((0, 1, 2, -1, 7, 255, -128))
            return f"({number})", np.full(ROWS, number, np.int32)
        real = self.draw.choice((0.0, -0.0, 1.0, 2.0, -1.0, 0.5))
        return f"({real}f)", np.full(ROWS, real, np.float32)

    def chosen(self, one: Drawn, two: Drawn, *, unsigned: bool = False) -> Drawn:
        """A choice by a comparison, as often as not of what is compared."""
        op, word = self.draw.choice(list(TESTS)), "(unsigned)" if unsigned else ""
        sides = [column.view(np.uint32) if unsigned else column for _, column in (one, two)]
        then, other = self.draw.choice([(one, two), (two, one), (one, self.value(0)), (self.value(0), two)])
        return (f"({word}{one[0]} {op} {word}{two[0]} ? {then[0]} : {other[0]})", np.where(TESTS[op](*sides), then[1], other[1]))

    def whole(self, one: Drawn, two: Drawn) -> Drawn:
        (text, left), (second, right) = one, two
        shift = self.draw.choice((1, 3, 8, 24, 31))
        match self.draw.randrange(11):
            case 0 | 1 | 2:
                op = self.draw.choice(list(RING))
                return f"(int)((unsigned){text} {op} (unsigned){second})", RING[op](left, right)
            case 3:
                return self.chosen(one, two)
            case 4:
                return self.chosen(one, two, unsigned=True)
            case 5:
                name = self.draw.choice(("min", "max"))
                return f"{name}({text}, {second})", (np.minimum if name == "min" else np.maximum)(left, right)
            case 6:
                name = self.draw.choice(list(NARROW))
                return f"(int)({name}){text}", left.astype(NARROW[name]).astype(np.int32)
            case 7:
                return f"({text} >> {shift})", left >> np.int32(shift)
            case 8:
                return f"(int)((unsigned){text} >> {shift})", (left.view(np.uint32) >> np.uint32(shift)).view(np.int32)
            case 9:
                op = self.draw.choice(list(BITS))
                return f"({text} {op} {second})", BITS[op](left, right)
        wide = left.astype(np.int64) + right
        return f"(int)(((long long){text} + {second}) >> {shift})", (wide >> shift).astype(np.int32)

    def real(self, one: Drawn, two: Drawn) -> Drawn:
        (text, left), (second, right) = one, two
        match self.draw.randrange(7):
            case 0 | 1 | 2:
                op = self.draw.choice(list(RING))
                return f"({text} {op} {second})", RING[op](left, right)
            case 3 | 4:
                return self.chosen(one, two)
            case 5:
                return f"(-{text})", -left
        op = self.draw.choice(list(TESTS))
        return f"(!({text} {op} {second}) ? 1.0f : 0.0f)", np.where(TESTS[op](left, right), 0, 1).astype(np.float32)

    def pairs(self) -> Iterator[tuple[str, str, bool]]:
        """Two expressions, and whether they agree on all rows."""
        drawn = [self.value(self.draw.choice((1, 2, 2))) for _ in range(POOL)]
        found = [value for value in drawn if len(np.unique(value[1])) > 6]
        shares = [(float(same(one, two).mean()), first, second) for (first, one), (second, two) in combinations(found, 2)
                  if first != second]
        near = sorted((each for each in shares if 0.25 < each[0] < 1), reverse=True)[:3 * NEAR]
        alike = [each for each in shares if each[0] == 1]
        for share, first, second in self.draw.sample(near, min(NEAR, len(near))) + self.draw.sample(alike, min(SAME, len(alike))):
            yield first, second, share == 1


def elements(table: np.random.Generator, kind: str) -> Column:
    """One element on each row: small ones, the ends of types, and any."""
    share = table.random(ROWS)
    if kind == "float":
        return np.where(share < 0.8, table.choice(SPECIAL, ROWS), table.uniform(-3, 3, ROWS)).astype(np.float32)
    small, whole = table.integers(-4, 5, ROWS), table.integers(-(2**31), 2**31, ROWS)
    return np.where(share < 0.4, table.choice(ENDS, ROWS), np.where(share < 0.7, small, whole)).astype(np.int32)


def same(one: Column, two: Column) -> npt.NDArray[np.bool_]:
    """Where two columns have the same bits, or are no numbers both."""
    found: npt.NDArray[np.bool_] = (one.view(np.uint32) == two.view(np.uint32)) | ((one != one) & (two != two))
    return found


def kernel(kind: str, value: str) -> str:
    return (f"__global__ void k(const {kind} *x, const {kind} *w, const {kind} *z, {kind} *y, int n) {{\n"
            f"    int t = blockIdx.x * blockDim.x + threadIdx.x;\n    if (t < n) {{ {kind} a = x[t], b = w[t], c = z[t]; "
            f"y[t] = {value}; }}\n}}\n")


def called_equal(pool: Pool, compared: Any, *launch: str) -> list[bool]:
    """Of each pair that is called equal, bit for bit or as integers, whether it agrees on all rows."""
    asked = [(agrees, compared(kernel(pool.kind, one), kernel(pool.kind, two), "--block", "32", "--mode", "int", *launch))
             for one, two, agrees in pool.pairs()]
    return [agrees for agrees, found in asked if found["verdict"] == "equal"]


@pytest.mark.drawn(8)
def test_never_equal_at_a_launch(seed: int, compared: Any) -> None:
    assert all(called_equal(Pool(seed, "float" if seed % 2 else "int"), compared, "--grid", "2", "--arg", "n=50"))


@pytest.mark.drawn(4)
def test_never_equal_for_all_sizes(seed: int, compared: Any) -> None:
    pool = Pool(seed, "float" if seed % 2 else "int")
    assert all(called_equal(pool, compared, "--require", "n < 10000", "--timeout", "5"))


def test_a_conversion_that_is_forgotten_is_seen(compared: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Symbols, "cast", lambda domain, arg, source, target: arg)
    found = [called_equal(Pool(seed, "int"), compared, "--grid", "2", "--arg", "n=50") for seed in range(0, 8, 2)]
    assert not all(map(all, found)) and any(map(any, found))
