"""What lanes read from each other, seen in digits of their numbers that are fine enough; and values that all lanes share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from test_generic import generic

from automata.logic.arith import Encoder
from automata.logic.poly import Poly
from equivalence.generic.finer import Finer, _differs_along, _is_affine
from equivalence.generic.integers import Integers

FRAME = """// spmd: block=64 grid=rows x[rows*256] y[rows*64] require rows >= 1, rows <= 2000, n >= 1, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {{
  __shared__ float s[256]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * 256; {body} }}
"""
MEET, OUT = "__syncthreads();", "y[b * 64 + t] ="
EACH = "for (int j = 0; j < n; j++)"
TRANSPOSED = "(t % 8) * 8 + t / 8"
TWO = f"s[t] = in[t]; s[t + 64] = in[t + 64]; {MEET} {OUT} s[{{at}}];"
FOUR = f"for (int q = 0; q < 4; q++) s[t % 8 * 32 + t / 8 + 8 * q] = in[t % 8 * 32 + t / 8 + 8 * q]; {MEET} {OUT} s[{{at}}];"
ROUND = f"float a = 0; {EACH} {{{{ s[t] = in[t] * j; {MEET} a += s[{{at}}]; {MEET} }}}} {OUT} a;"
SHARED = "float a = 0; for (int k = t % 32; k < n; k += 32) a += in[k] * in[k]; " \
         "for (int d = 16; d > 0; d >>= 1) a += __shfl_xor_sync(0xffffffffu, a, d); {rest}"


def body(text: str) -> str:
    return FRAME.format(body=text)


GOOD = {
    "rows for columns": (body(f"s[t] = in[t]; {MEET} {OUT} s[{TRANSPOSED}];"), body(f"{OUT} in[{TRANSPOSED}];")),
    "bits the other way round": (
        body(f"s[t] = in[t]; {MEET} {OUT} s[t ^ 21];"), body(f"{OUT} in[t ^ 21];")),
    "which of two stores, by a digit": (
        body(TWO.format(at="t / 32 * 64 + t % 32 * 2 % 64")), body(f"{OUT} in[t / 32 * 64 + t % 32 * 2 % 64];")),
    "which of four stores, by two digits": (
        body(FOUR.format(at="t * 4")), body(f"{OUT} in[t * 4];")),
    "in each round": (body(ROUND.format(at=TRANSPOSED)), body(f"float a = 0; {EACH} a += in[{TRANSPOSED}] * j; {OUT} a;")),
    "a sum that all lanes have": (
        body(SHARED.format(rest=f"{OUT} in[t] / (a + 1.0f);")),
        body(f"float a = 0; {EACH} a += in[j] * in[j]; {OUT} in[t] / (a + 1.0f);")),
}


@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, GOOD[what])
    assert shown is not None
    assert shown.kind is not None, shown.reason


BAD = {
    "one lane reads another": (
        body(f"s[t] = in[t]; {MEET} {OUT} s[t == 37 ? 0 : {TRANSPOSED}];"), body(f"{OUT} in[{TRANSPOSED}];")),
    "one half reads another": (
        body(f"s[t] = in[t]; {MEET} {OUT} s[t < 32 ? {TRANSPOSED} : t];"), body(f"{OUT} in[{TRANSPOSED}];")),
    "a digit too many": (body(f"s[t] = in[t]; {MEET} {OUT} s[(t % 8) * 8 + (t / 8) % 4];"), body(f"{OUT} in[{TRANSPOSED}];")),
    "another bit": (body(f"s[t] = in[t]; {MEET} {OUT} s[t ^ 21];"), body(f"{OUT} in[t ^ 20];")),
    "the other one of two stores": (
        body(TWO.format(at="(1 - t / 32) * 64 + t % 32 * 2 % 64")), body(f"{OUT} in[t / 32 * 64 + t % 32 * 2 % 64];")),
    "the last of four stores is another": (
        body(FOUR.format(at="t == 63 ? 248 : t * 4")), body(f"{OUT} in[t * 4];")),
    "one of four stores is left out": (
        body(FOUR.format(at="t * 4").replace("q < 4", "q < 3")), body(f"{OUT} in[t * 4];")),
    "in each round another": (
        body(ROUND.format(at=TRANSPOSED)), body(f"float a = 0; {EACH} a += in[(t % 8) * 8 + (t / 8 ^ 1)] * j; {OUT} a;")),
    "a sum that is short of one exchange": (
        body(SHARED.replace("d = 16", "d = 8").format(rest=f"{OUT} in[t] / (a + 1.0f);")),
        body(f"float a = 0; {EACH} a += in[j] * in[j]; {OUT} in[t] / (a + 1.0f);")),
    "a sum that all lanes but one have": (
        body(SHARED.format(rest=f"if (t == 5) a = a * 2; {OUT} in[t] / (a + 1.0f);")),
        body(f"float a = 0; {EACH} a += in[j] * in[j]; {OUT} in[t] / (a + 1.0f);")),
    "a sum times the lane": (
        body(SHARED.format(rest=f"{OUT} in[t] / (a * t + 1.0f);")),
        body(f"float a = 0; {EACH} a += in[j] * in[j]; {OUT} in[t] / (a + 1.0f);")),
}


@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, BAD[what])
    assert shown is None or shown.kind is None, shown.proof


def test_digits_that_decide() -> None:
    """An axis decides where what is there is another along it; else a digit has to be a sum of products of the others."""
    lanes = np.arange(64)
    assert [_differs_along(lanes // 8 % 2, (8, 2, 4), axis) for axis in range(3)] == [False, True, False]
    assert _is_affine(lanes % 8 * 8 + lanes // 8, (8, 8), (False, False))
    assert _is_affine(lanes ^ 21, (2,) * 6, (False,) * 6)
    assert not _is_affine(lanes ^ 21, (8, 8), (False, False))
    assert _is_affine(lanes ^ 21, (8, 8), (True, True))
    assert not _is_affine(lanes // 4, (8, 8), (False, False))
    assert not _is_affine(np.where(lanes == 63, 0, lanes), (8, 8), (False, False))


def test_positions_are_taken_apart() -> None:
    """A number in coarse digits is the same number in finer ones."""
    fine = Finer((2, 4, 8), (2, 1), ())
    position = fine.taken_apart((Poly.number(5), Poly.number(7)), Integers(Encoder(), []))
    assert [part.constant for part in position] == [1, 2, 7]
