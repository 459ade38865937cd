"""Running sums by a block in pieces, with what pieces before have added up, for all sizes; and twins that differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

ROWS = """// spmd: block=16 grid=(rows+15)/16 x[rows*n] y[rows*n] require rows > 0, rows <= 2000, n >= 0, n <= 2000
__global__ void k(const int *x, int *y, int rows, int n) {{
  int r = blockIdx.x * 16 + threadIdx.x; if (r >= rows) return; int s = 0; {0} }}
"""
BLOCK = """// spmd: block=32 grid=rows x[rows*n] y[rows*n] require rows > 0, rows <= 2000, n >= 0, n <= 2000
__global__ void k(const int *x, int *y, int rows, int n) {{
  __shared__ int s[32]; int t = threadIdx.x, r = blockIdx.x, carry = 0; {0} }}
"""
SERIAL = "for (int j = 0; j < n; j++) { s += x[r * n + j]; y[r * n + j] = s; }"
PIECES = ("for (int first = 0; first < n; first += 32) { int j = first + t; s[t] = j < n ? x[r * n + j] : 0; __syncthreads(); "
          "for (int d = 1; d < 32; d *= 2) { int before = t >= d ? s[t - d] : 0; __syncthreads(); s[t] += before; "
          "__syncthreads(); } if (j < n) y[r * n + j] = carry + s[t]; carry += s[31]; __syncthreads(); }")


def shown(tmp_path: Path, one: str, two: str) -> str | None:
    found = generic(tmp_path, (ROWS.format(one), BLOCK.format(two)))
    return None if found is None or found.kind is None else found.kind.value


ONES_BEHIND = PIECES.replace("x[r * n + j] : 0", "x[r * n + j] : 1")
"""They get into no element, for the last piece hands nothing on."""


@pytest.mark.sliced(2)
@pytest.mark.parametrize("two", [PIECES, ONES_BEHIND])
def test_equal(two: str, tmp_path: Path) -> None:
    assert shown(tmp_path, SERIAL, two) == "int"


BAD = {
    "the carry of the last but one": PIECES.replace("s[31]", "s[30]"),
    "no carry": PIECES.replace("carry + s[t]", "s[t]"),
    "a level left out": PIECES.replace("d < 32", "d < 16"),
    "exclusive": PIECES.replace("carry + s[t]", "carry + s[t] - x[r * n + j]"),
    "the first piece's carry alone": PIECES.replace("carry += s[31]", "carry = s[31]"),
    "one lane looks one too far": PIECES.replace("s[t - d] : 0", "s[t == 19 ? t - d + 1 : t - d] : 0"),
}


@pytest.mark.sliced(3)
@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    assert shown(tmp_path, SERIAL, BAD[what]) is None
