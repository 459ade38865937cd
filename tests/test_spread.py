"""Launches spread over the sizes: what differs behind a number that a kernel mentions is found, and told at small sizes."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from test_generic import read

from automata.budget import Budget
from automata.proof.known.concrete import Requirements
from automata.proof.known.context import prepare
from equivalence.compare import compare
from equivalence.pairing import pair_up
from equivalence.result import EquivReport, EquivVerdict
from equivalence.spread import around, numbers_in, smaller, spread
from spmd.pipeline import forget

MAP = """// spmd: block=64 grid=blocks x[n] y[n] require n > 0, n <= 1000000, blocks > 0, blocks <= 100
__global__ void k(const float *x, float *y, int n, int blocks) {{
  for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {} }}
"""
ROWS = """// spmd: block=64 grid=rows x[rows*cols] y[rows*cols] require rows > 0, rows < 999, cols > 0, cols < 999, cols % 4 == 0
__global__ void k(const float *x, float *y, int rows, int cols) {{
  for (int j = threadIdx.x; j < cols; j += 64) {} }}
"""
COPY = "y[i] = x[i];"
CELL = "blockIdx.x * cols + j"


def compared(tmp_path: Path, a: str, b: str) -> EquivReport:
    forget()
    for side, text in zip("ab", (a, b), strict=True):
        (tmp_path / f"{side}.cu").write_text(text)
    (one, launch_a, _), (two, launch_b, _) = (read(tmp_path / f"{side}.cu", None) for side in "ab")
    return compare(pair_up(one, two, launch_a, launch_b, {}, ()), "real", Budget.of(30))


SLIPS = {
    "behind a thousand": (MAP.format(COPY), MAP.format("y[i] = i < 1000 ? x[i] : 0;"), {"n": 1001}),
    "one cell far out": (MAP.format(COPY), MAP.format("if (i != 1500) y[i] = x[i];"), {"n": 1501}),
    "one size alone": (MAP.format(COPY), MAP.format("y[i] = n == 777 ? 0 : x[i];"), {"n": 777}),
    "behind a product": (MAP.format(COPY), MAP.format("y[i] = i < 12 * 90 ? x[i] : 0;"), {"n": 1081}),
    "many rows and many columns": (
        ROWS.format(f"y[{CELL}] = x[{CELL}];"), ROWS.format(f"y[{CELL}] = blockIdx.x + j < 40 ? x[{CELL}] : 0;"), {}),
}


@pytest.mark.parametrize("what", SLIPS)
def test_found(what: str, tmp_path: Path) -> None:
    a, b, least = SLIPS[what]
    report = compared(tmp_path, a, b)
    assert report.verdict is EquivVerdict.DIFFERENT, report.reason
    assert report.counterexample is not None
    assert least.items() <= report.counterexample.sizes.items(), "no smaller size shows it"


def test_launches_meet_what_is_required(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(ROWS.format(f"if (j != 300) y[{CELL}] = x[{CELL}];"))
    kernel, launch, _ = read(tmp_path / "a.cu", None)
    context = prepare(kernel, launch)
    found = list(islice(spread([context]), 200))
    assert len(found) == len({tuple(sorted(sizes.items())) for sizes in found}) > 50
    assert all(Requirements([context]).hold(sizes) for sizes in found)
    assert found == list(islice(spread([context]), 200)), "the same each time"
    assert {300, 304} & {sizes["cols"] for sizes in found}


def test_numbers_of_a_kernel(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(MAP.format("if (i != 1500) y[i] = x[i] + 5000.0f;"))
    kernel, _, _ = read(tmp_path / "a.cu", None)
    assert {64, 1500} <= set(numbers_in(kernel))
    assert {63, 64, 65, 128, 1499, 1501} <= set(around(numbers_in(kernel)))


def test_sizes_become_less(tmp_path: Path) -> None:
    """As long as what is looked for stays."""
    (tmp_path / "a.cu").write_text(MAP.format(COPY))
    kernel, launch, _ = read(tmp_path / "a.cu", None)
    context = prepare(kernel, launch)
    known = {"n": 3000, "blocks": 7, "gridDim.x": 7}
    for tried, take in smaller([context], known, 40):
        if tried["n"] >= 1234:
            known = tried
            take()
    assert known == {"n": 1234, "blocks": 1, "gridDim.x": 1}
