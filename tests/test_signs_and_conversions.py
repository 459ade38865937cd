"""Signs of floats and conversions that change nothing: equal to the bit, and what looks like them is not."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path

import pytest
from conftest import Run

from automata import arithmetic
from automata.scalar import SCALARS, Scalar, is_as_direct

KERNEL = """__global__ void k(float *o, const float *p, const float *q, int *c, const int *a, short *s, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {{ {} }}
}}
"""
EQUAL = [
    ("o[i] = p[i] - (-q[i]);", "o[i] = p[i] + q[i];"), ("o[i] = p[i] + (-q[i]);", "o[i] = p[i] - q[i];"),
    ("o[i] = -(-p[i]);", "o[i] = p[i];"), ("c[i] = (int)(double)a[i];", "c[i] = a[i];"),
    ("o[i] = (float)(double)p[i];", "o[i] = p[i];"), ("o[i] = (float)(double)a[i];", "o[i] = a[i];"),
    ("c[i] = (int)(float)s[i];", "c[i] = s[i];"), ("s[i] = (short)(double)a[i];", "s[i] = (short)a[i];"),
]
OTHER = [
    ("c[i] = (int)(float)a[i];", "c[i] = a[i];"), ("o[i] = (float)(double)(float)a[i] + 1;", "o[i] = (float)((double)a[i] + 1);"),
    ("o[i] = -p[i] - q[i];", "o[i] = q[i] - p[i];"), ("o[i] = -(p[i] - q[i]);", "o[i] = q[i] - p[i];"),
    ("s[i] = (short)(double)(unsigned)a[i];", "s[i] = (short)a[i];"), ("o[i] = p[i] + 0.0f;", "o[i] = p[i];"),
]


@pytest.mark.parametrize(("one", "two", "is_equal"), [(*pair, True) for pair in EQUAL] + [(*pair, False) for pair in OTHER])
def test_to_the_bit(one: str, two: str, is_equal: bool, run: Run, tmp_path: Path) -> None:
    for name, text in (("a.cu", one), ("b.cu", two)):
        (tmp_path / name).write_text(KERNEL.format(text))
    flags = "--mode", "bitwise", "--block", "64", "--format", "jsonl"
    record = run("equiv", tmp_path / "a.cu", tmp_path / "b.cu", *flags).records[0]
    assert (record["verdict"] == "equal") == is_equal


def values_of(kind: Scalar) -> list[float]:
    if not kind.is_float:
        return [kind.low, kind.high, 0, 1, kind.high // 3, kind.high - 1, kind.low // 7]
    numbers = [0.0, -0.0, 1.5, 1 / 3, 65519.0, 65520.0, 3e38, 1e-45, 1e-39, 5e-324, 2.0**31, -2.0**63, math.inf]
    return [kind.round(number) for number in numbers]


def test_a_conversion_that_is_left_out_changes_nothing() -> None:
    found = 0
    for first, between, last in product(SCALARS, repeat=3):
        if is_as_direct(first, between, last):
            found += 1
            for value in values_of(first):
                long = arithmetic.cast(arithmetic.cast(value, first, between), between, last)
                short = arithmetic.cast(value, first, last)
                assert (long, math.copysign(1, long)) == (short, math.copysign(1, short)), (first, between, last, value)
    assert found > 200
