"""Many tests of one value against numbers, and values of which a stronger reading knows more than a weaker one: beside twins."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

FRAME = """// spmd: block=64 grid=(n+63)/64 x[n] y[n] require n >= 1, n <= 100000
__global__ void k(const {kind} *x, {kind} *y, int n) {{
  __shared__ {kind} s[64]; int t = threadIdx.x, first = blockIdx.x * 64, i = first + t; {kind} a = 0; {body} }}
"""
SERIAL = "if (i < n) { for (int j = 0; j <= t; j++) a += x[first + j]; y[i] = a; }"
STEPS = ("s[t] = i < n ? x[i] : 0; __syncthreads(); for (int d = 1; d < 64; d *= 2) "
         "{ a = t >= d ? s[t - d] : 0; __syncthreads(); s[t] += a; __syncthreads(); } if (i < n) y[i] = s[t];")
BEFORE = "if (i < n) { for (int j = 0; j < t; j++) a += x[first + j]; y[i] = a; }"
EACH = "if (i < n) y[i] = {};"
GOOD = {
    "a running sum by steps": (SERIAL, STEPS, "int", "int"),
    "a running sum by steps, over the reals": (SERIAL, STEPS, "float", "real"),
    "without the element itself": (BEFORE, STEPS.replace("y[i] = s[t]", "y[i] = s[t] - x[i]"), "int", "int"),
    "all of a block, of which one is sure": (
        "if (t == 0) { for (int j = first; j < first + 64 && j < n; j++) a += x[j]; y[first] = a; }",
        "s[t] = i < n ? x[i] : 0; __syncthreads(); for (int d = 32; d > 0; d /= 2) "
        "{ if (t < d) s[t] += s[t + d]; __syncthreads(); } if (t == 0) y[first] = s[0];", "float", "real"),
    "a negative number is none": (EACH.format("x[i] > 0 ? x[i] : 0"), EACH.format("x[i] * (float)(x[i] > 0)"), "float", "real"),
}
BAD = {
    "the element itself as well": (BEFORE, STEPS, "int"),
    "a step fewer": (SERIAL, STEPS.replace("d < 64", "d < 32"), "int"),
    "a step of one fewer": (SERIAL, STEPS.replace("int d = 1", "int d = 2"), "int"),
    "filled up with one": (SERIAL, STEPS.replace(": 0; __syncthreads(); for", ": 1; __syncthreads(); for")
                           .replace("y[i] = s[t]", "y[i] = i + 1 < n ? s[t] : s[t] + 1"), "int"),
    "the last one is not read": (SERIAL, STEPS.replace("i < n ? x", "i + 1 < n ? x"), "int"),
    "one of the middle is not read": (SERIAL, STEPS.replace("i < n ? x", "i < n && i % 64 != 37 ? x"), "int"),
    "the other sign": (EACH.format("x[i] > 0 ? x[i] : 0"), EACH.format("x[i] * (float)(x[i] < 0)"), "float"),
    "none of both": (EACH.format("x[i] > 0 ? x[i] : 1"), EACH.format("x[i] * (float)(x[i] > 0)"), "float"),
}


@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    one, two, kind, strongest = GOOD[what]
    shown = generic(tmp_path, (FRAME.format(body=one, kind=kind), FRAME.format(body=two, kind=kind)))
    assert shown is not None
    assert shown.kind is not None, shown.reason
    assert shown.kind.value == strongest


@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    one, two, kind = BAD[what]
    shown = generic(tmp_path, (FRAME.format(body=one, kind=kind), FRAME.format(body=two, kind=kind)))
    assert shown is None or shown.kind is None, shown.proof
