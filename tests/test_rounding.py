"""Rounding on arrays: once, from the exact result, to nearest or in a direction; against rationals."""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_calls import floats_of, integers_of, is_same, odd, run

from automata.arithmetic import binary
from automata.machine.numbers.rounding import DTYPES, narrow
from automata.scalar import BF16, F16, F32, F64, I32, I64, U32, U64, Scalar

SLICE = settings(max_examples=80, derandomize=True)

def neighbour(value: float, kind: Scalar, up: bool) -> float:
    """The next value of a float type."""
    if kind == F64:
        return math.nextafter(value, math.inf if up else -math.inf)
    bits = struct.unpack("<i", struct.pack("<f", value))[0]
    if value == 0:
        return math.copysign(2.0**-149, 1 if up else -1)
    found: float = struct.unpack("<f", struct.pack("<i", bits + 1 if up == (value > 0) else bits - 1))[0]
    return found


def directed(exact: Fraction, kind: Scalar, mode: str) -> float:
    """A rational other than 0 rounded to float or double."""
    value = kind.nearest(exact)
    if mode == "rn":
        return value
    up = mode == "ru" or (mode == "rz" and exact < 0)
    passed = (value > 0) != up if math.isinf(value) else Fraction(value) < exact if up else Fraction(value) > exact
    return neighbour(value, kind, up) if passed else value


def finite(kind: Scalar) -> st.SearchStrategy[float]:
    if kind == BF16:
        return finite(F32).map(kind.round).filter(math.isfinite)
    wide = st.floats(allow_nan=False, allow_infinity=False, width=16 if kind == F16 else 32 if kind == F32 else 64)
    near = st.builds(lambda digits, by: kind.round(math.ldexp(digits, by)), st.integers(-2**54, 2**54), st.integers(-70, -40))
    return wide | near.filter(math.isfinite)


@st.composite
def sums_of_products(draw: st.DrawFn, kind: Scalar) -> tuple[float, float, float]:
    """x, y, z with z often close to -x·y, or to half a unit of it, where one rounding differs from two."""
    x, y, z = (draw(finite(kind)) for _ in range(3))
    product = kind.nearest(Fraction(x) * Fraction(y))
    how = draw(st.integers(0, 2))
    if how == 1:
        z = -product
    elif how == 2:
        z = kind.nearest(Fraction(product) * Fraction(2) ** draw(st.integers(-110, 60))) if math.isfinite(product) else z
    return x, y, z if math.isfinite(z) else 0.0


@pytest.mark.sliced(3)
@pytest.mark.parametrize("kind", [F16, BF16, F32, F64], ids=str)
def test_fma_rounds_once(kind: Scalar) -> None:
    @SLICE
    @given(st.lists(sums_of_products(kind), min_size=1, max_size=20))
    def law(rows: list[tuple[float, float, float]]) -> None:
        wanted = []
        for x, y, z in rows:
            exact = Fraction(x) * Fraction(y) + Fraction(z)
            wanted.append(kind.nearest(exact) if exact else x * y + z if x * y == 0 else 0.0)
        assert not odd("fma", rows, wanted, kind, kind, kind, kind)

    law()


@pytest.mark.parametrize("kind", [F16, BF16, F32, F64], ids=str)
def test_fma_of_special_values(kind: Scalar) -> None:
    rows = list(itertools.product(floats_of(kind), repeat=3))
    rows = rows[::7] + [row for row in rows if not all(map(math.isfinite, row))][::11]
    wanted = []
    for x, y, z in rows:
        if not (math.isfinite(x) and math.isfinite(y)):
            wanted.append(x * y + z)
        elif not math.isfinite(z):
            wanted.append(z)
        else:
            exact = Fraction(x) * Fraction(y) + Fraction(z)
            zero = math.copysign(1, x) * math.copysign(1, y) * 0.0 + z if x * y == 0 and (x == 0 or y == 0) else 0.0
            wanted.append(kind.nearest(exact) if exact else zero)
    assert not odd("fma", rows, wanted, kind, kind, kind, kind)


OPERATIONS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y}
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


@pytest.mark.sliced(4)
@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize("kind", [F32, F64], ids=str)
def test_directed_arithmetic_rounds_the_exact_result(kind: Scalar, op: str) -> None:
    letter = "f" if kind == F32 else "d"

    @SLICE
    @given(st.lists(sums_of_products(kind), min_size=1, max_size=10))
    def law(rows: list[tuple[float, float, float]]) -> None:
        extremes = [value for value in floats_of(kind) if math.isfinite(value)]
        pairs = [(x, z) for x, _, z in rows] + [(y, extremes[at % len(extremes)]) for at, (_, y, _) in enumerate(rows)]
        pairs = [(x, y) for x, y in pairs if y and OPERATIONS[op](Fraction(x), Fraction(y))]
        for mode in ("rz", "ru", "rd"):
            wanted = [directed(OPERATIONS[op](Fraction(x), Fraction(y)), kind, mode) for x, y in pairs]
            assert not odd(f"__{letter}{op}_{mode}", pairs, wanted, kind, kind, kind)

    law()


@pytest.mark.parametrize("kind", [F32, F64], ids=str)
@pytest.mark.parametrize("mode", ["rz", "ru", "rd"])
def test_directed_reciprocals_are_quotients_of_one(kind: Scalar, mode: str) -> None:
    letter, values = "f" if kind == F32 else "d", [*floats_of(kind), 3.0, 7.0, 1e-30, -49.0]
    wanted = [directed(1 / Fraction(x), kind, mode) if math.isfinite(x) and x else binary("/", 1.0, x, kind) for x in values]
    assert not odd(f"__{letter}rcp_{mode}", [(x,) for x in values], wanted, kind, kind)


@pytest.mark.parametrize("kind", [F32, F64], ids=str)
def test_directed_arithmetic_on_all_pairs_of_special_values(kind: Scalar) -> None:
    letter, pairs = "f" if kind == F32 else "d", list(itertools.product(floats_of(kind), repeat=2))
    for op, mode in itertools.product(OPERATIONS, ("rz", "ru", "rd")):
        wanted = []
        for x, y in pairs:
            plain = binary(SIGNS[op], x, y, kind)
            usual = math.isfinite(x) and math.isfinite(y) and not (op == "div" and y == 0)
            exact = OPERATIONS[op](Fraction(x), Fraction(y)) if usual else Fraction(0)
            positive = math.copysign(1, x) > 0 and math.copysign(1, y) == (1 if op == "add" else -1)
            cancels = op in ("add", "sub") and usual and mode == "rd" and not positive
            wanted.append(directed(exact, kind, mode) if exact else -0.0 if cancels else plain)
        assert not odd(f"__{letter}{op}_{mode}", pairs, wanted, kind, kind, kind)


@SLICE
@given(st.lists(sums_of_products(F32), min_size=1, max_size=20))
def test_directed_fma_rounds_the_exact_result(rows: list[tuple[float, float, float]]) -> None:
    for mode in ("rz", "ru", "rd"):
        wanted = []
        for x, y, z in rows:
            exact = Fraction(x) * Fraction(y) + Fraction(z)
            signs = math.copysign(1, x) * math.copysign(1, y), math.copysign(1, z)
            nothing = -0.0 if (min(signs) if mode == "rd" else max(signs)) < 0 else 0.0
            wanted.append(directed(exact, F32, mode) if exact else nothing)
        assert not odd(f"__fmaf_{mode}", rows, wanted, F32, F32, F32, F32)


@pytest.mark.parametrize("kind", [F16, BF16, F32], ids=str)
def test_doubles_are_narrowed_once(kind: Scalar) -> None:
    @SLICE
    @given(st.lists(finite(F64) | finite(kind).map(lambda value: math.nextafter(value, 1)), min_size=1, max_size=20))
    def law(values: list[float]) -> None:
        with np.errstate(all="ignore"):
            found = narrow(np.array(values), kind)
        assert found.dtype == DTYPES[kind]
        for value, one in zip(values, found.tolist(), strict=True):
            assert is_same(one, kind.round(value)), value

    law()


@SLICE
@given(st.lists(finite(F64) | finite(F32), min_size=1, max_size=20))
def test_double2float_rounds_in_a_direction(values: list[float]) -> None:
    values = [value for value in values if value]
    for mode in ("rz", "ru", "rd"):
        wanted = [directed(Fraction(value), F32, mode) for value in values]
        assert not odd(f"double2float_{mode}", [[value] for value in values], wanted, F32, F64)


# -- conversions --------------------------------------------------------------------------------------

WORDS = {"int": I32, "uint": U32, "ll": I64, "ull": U64}
TO_WHOLE: dict[str, Callable[[float], int]] = {"rn": round, "rz": math.trunc, "ru": math.ceil, "rd": math.floor}


def saturated(value: float, to_whole: Callable[[float], int], source: Scalar, target: Scalar) -> int:
    if not math.isfinite(value):
        none = 0 if target.bits == 32 and source == F32 else target.low if target.signed else target.high // 2 + 1
        return none if value != value else target.high if value > 0 else target.low
    return min(max(to_whole(value), target.low), target.high)


@pytest.mark.parametrize("word", WORDS)
def test_floats_become_integers_and_saturate(word: str) -> None:
    target = WORDS[word]
    for source, kind in (("float", F32), ("double", F64)):
        ends = [float(end) + by for other in WORDS.values() for end in (other.low, other.high) for by in (-1.5, 0, 0.5)]
        values = [kind.round(value) for value in [*floats_of(kind), *ends, 0.7, -0.7, 123456.5, 2.0**40 + 0.5]]
        for mode, to_whole in TO_WHOLE.items():
            found = run(f"{source}2{word}_{mode}", [[value] for value in values], target, kind)
            assert found == [saturated(value, to_whole, kind, target) for value in values], mode


@pytest.mark.parametrize("word", WORDS)
def test_integers_become_floats(word: str) -> None:
    source = WORDS[word]
    values = [value for value in integers_of(source, 300) if value]
    values += [value for shift in range(20, source.bits - 1) for value in ((1 << shift) + 1, (1 << shift) - 1)]
    for target, kind in (("float", F32), ("double", F64)):
        for mode in ("rn", "rz", "ru", "rd"):
            wanted = [directed(Fraction(value), kind, mode) for value in values]
            assert not odd(f"{word}2{target}_{mode}", [[value] for value in values], wanted, kind, source)
            assert not odd(f"{word}2{target}_{mode}", [[0]], [0.0], kind, source)
