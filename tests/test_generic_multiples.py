"""Sizes that are required to be multiples of a number, written so; and twins that differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

FRAME = """// spmd: block=32 grid=rows x[rows*cols] y[rows*cols] require rows > 0, rows <= 2000, {what}, cols <= 2000
__global__ void k(const float *x, float *y, int rows, int cols) {{ int t = threadIdx.x, b = blockIdx.x; {body} }}
"""
WHOLE = "for (int j = t; j < cols; j += 32) y[b * cols + j] = x[b * cols + j] * 2;"
FOURS = "for (int q = t; q < cols / 4; q += 32) for (int u = 0; u < 4; u++) " \
        "y[b * cols + 4 * q + u] = x[b * cols + 4 * q + u] * 2;"


def shown(tmp_path: Path, one: str, two: str, what: str) -> bool:
    texts = FRAME.format(what=what, body=one), FRAME.format(what=what, body=two)
    found = generic(tmp_path, texts, in_multiples=True)
    return found is not None and found.kind is not None


def test_equal(tmp_path: Path) -> None:
    assert shown(tmp_path, WHOLE, FOURS, "cols > 0, cols % 4 == 0")


BAD = {
    "a multiple of less": (WHOLE, FOURS, "cols > 0, cols % 2 == 0"),
    "one more than a multiple": (WHOLE, FOURS, "cols > 0, cols % 4 == 1"),
    "of another size": (WHOLE, FOURS, "cols > 0, rows % 4 == 0"),
    "one four too few": (WHOLE, FOURS.replace("cols / 4", "cols / 4 - 1"), "cols > 0, cols % 4 == 0"),
    "three of four": (WHOLE, FOURS.replace("u < 4", "u < 3"), "cols > 0, cols % 4 == 0"),
    "the neighbour": (WHOLE, FOURS.replace("+ u] * 2", "+ (u ^ 1)] * 2"), "cols > 0, cols % 4 == 0"),
    "cut at eights": (WHOLE, FOURS.replace("cols / 4", "cols / 8 * 2"), "cols > 0, cols % 4 == 0"),
}


@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    assert not shown(tmp_path, *BAD[what])
