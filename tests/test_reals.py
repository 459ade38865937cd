"""Runs without rounding: what they compute, against fractions and mpmath; and what they say of pairs."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equivalence import reals

FLOATS = "const float *x, const float *y, float *out, int n"
FRACTIONS = st.fractions(max_denominator=1000)
EXTENDED = st.one_of(FRACTIONS, st.sampled_from([math.inf, -math.inf, math.nan]))
OPERATIONS = {reals.add: operator.add, reals.subtract: operator.sub, reals.multiply: operator.mul}


@given(FRACTIONS, FRACTIONS, st.sampled_from(list(OPERATIONS)))
def test_fractions_stay_exact(one: Fraction, two: Fraction, function: Any) -> None:
    assert function(one, two) == OPERATIONS[function](one, two)
    if two:
        assert reals.divide(one, two) == one / two
    assert reals.order(one, two) == (one > two) - (one < two) and reals.are_apart(one, two) == (one != two)


@given(EXTENDED, EXTENDED)
def test_what_is_no_number_follows_ieee(one: Any, two: Any) -> None:
    """As doubles do, but that zero has no sign."""
    wide = [float(one), float(two)]
    for function, plain in OPERATIONS.items():
        found, wanted = float(function(one, two)), plain(*wide)
        assert math.isnan(found) == math.isnan(wanted)
        assert math.isinf(found) == math.isinf(wanted) and (not math.isinf(found) or found == wanted)
    divided = reals.divide(one, two)
    if two == 0:
        assert reals.is_beyond(divided) and math.isnan(divided) == (one == 0 or one != one)
    elif not math.isnan(wide[0]) and not math.isnan(wide[1]):
        assert float(divided) == pytest.approx(wide[0] / wide[1], nan_ok=True)
    way = reals.order(one, two)
    assert way == (None if any(map(math.isnan, wide)) else (wide[0] > wide[1]) - (wide[0] < wide[1]))


@pytest.mark.parametrize("name", sorted(set(reals.FUNCTIONS) - {"fma", "mad", "mix"}))
def test_functions(name: str) -> None:
    plain: dict[str, Any] = {
        "rsqrt": lambda x: 1 / mpmath.sqrt(x), "fabs": abs, "fmax": max, "fmin": min, "divide": operator.truediv,
        "recip": lambda x: 1 / x, "fdim": lambda x, y: max(x - y, 0), "pow": mpmath.power, "powr": mpmath.power,
        "exp2": lambda x: mpmath.power(2, x), "exp10": lambda x: mpmath.power(10, x), "log2": lambda x: mpmath.log(x, 2),
        "rint": mpmath.nint, "nearbyint": mpmath.nint, "trunc": int,
        "round": lambda x: math.floor(x + mpmath.mpf(0.5)) if x > 0 else x}
    wanted = plain.get(name) or getattr(mpmath, name)
    count = 2 if name in ("fmax", "fmin", "divide", "fdim", "pow", "powr") else 1
    with mpmath.workprec(300):
        for value in (Fraction(1, 3), Fraction(7, 8), Fraction(1), Fraction(0)):
            if value == 0 and name in ("rsqrt", "recip", "log", "log2", "log10"):
                assert reals.is_beyond(reals.FUNCTIONS[name](value))
                continue
            args = [value, Fraction(5, 7)][:count]
            found = reals.wide(reals.FUNCTIONS[name](*args))
            assert abs(found - wanted(*(mpmath.mpf(arg.numerator) / arg.denominator for arg in args))) < mpmath.mpf(2) ** -250


def test_roots_of_squares_are_exact() -> None:
    assert reals.FUNCTIONS["sqrt"](Fraction(9, 4)) == Fraction(3, 2)
    assert isinstance(reals.FUNCTIONS["exp"](Fraction(0)), Fraction)
    root = reals.FUNCTIONS["sqrt"](Fraction(2))
    assert not reals.are_apart(reals.multiply(root, root), Fraction(2))
    with pytest.raises(reals.Unsettled):
        reals.order(reals.multiply(root, root), Fraction(2))


def kernel(body: str) -> str:
    return f"// spmd: block=4 grid=1 n=4\n__global__ void k({FLOATS}) {{ int i = threadIdx.x; {body} }}\n"


@pytest.mark.parametrize(("one", "two"), [
    ("out[i] = (sqrtf(x[i] * x[i]) + 1e20f) - 1e20f;", "out[i] = fabsf(x[i]);"),
    ("float a = fabsf(x[i]) + 0.1f; out[i] = (logf(expf(a)) - a) * 1e16f;", "out[i] = 0;"),
    ("float a = fabsf(x[i]) + 1; out[i] = (sqrtf(a) * sqrtf(a) < a) ? 5 : 7;", "out[i] = 7;"),
    ("float a = fabsf(x[i]) + 1; out[i] = (1 / (1 / a) == a) ? 5 : 7;", "out[i] = 5;"),
    ("float a = fabsf(x[i]) + 2; float gap = sqrtf(a) * sqrtf(a) - a; out[i] = gap == 0 ? 1 : 2;", "out[i] = 1;"),
    ("float s = sinf(x[i]), c = cosf(x[i]); s = s * s + c * c; out[i] = floorf(s) + ceilf(s) + (int)s;", "out[i] = 3;"),
    ("float s = sinf(x[i]), c = cosf(x[i]); out[i] = sqrtf(1 - s * s - c * c);", "out[i] = 0;"),
    ("float a = fabsf(x[i]) + 2; out[i] = acosf(sqrtf(a) * sqrtf(a) / a);", "out[i] = 0;"),
    ("out[i] = x[i] * (1.0f / 3) + y[i] * (1.0f - 1.0f / 3);", "out[i] = (x[i] + y[i] + y[i]) / 3.0f;"),
    ("float s = 0; for (int j = 0; j < 10; j++) s += 0.1f; out[i] = x[i] * s;", "out[i] = x[i] * (10 * 0.1f);"),
])
def test_what_rounding_alone_tells_apart_is_no_difference(compared: Any, one: str, two: str) -> None:
    assert compared(kernel(one), kernel(two))["verdict"] in ("unknown", "equal")


@pytest.mark.parametrize(("one", "two", "values"), [
    ("out[i] = x[i] / 3.0f;", "out[i] = x[i] * 0.3333333f;", ("1/3", "0.333333313")),
    ("out[i] = x[i] + 1.0f;", "out[i] = x[i] + 1.0001f;", None),
    ("out[i] = expf(x[i]) * 1.0001f;", "out[i] = expf(x[i]);", None),
    ("float a = x[i]; a -= (int)a; out[i] = a;", "out[i] = x[i] - floorf(x[i] + 0.00001f);", None),
])
def test_differences_as_small_as_rounding_are_differences(compared: Any, one: str, two: str,
                                                                 values: tuple[str, str] | None) -> None:
    record = compared(kernel(one), kernel(two))
    assert record["verdict"] == "different"
    found = record["counterexample"]["reals"]
    assert found["a"] != found["b"] and (values is None or tuple(found.values()) == values)
