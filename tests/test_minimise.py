"""Inputs made few: what is left shows the difference, and no cell of it can be left out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from automata.machine.numbers.values import Numbers
from automata.machine.state.fill import Fill, Reals
from equivalence.minimise import minimised

SIZES = {"x": 1000, "y": 300}


def ramp(name: str, index: Numbers) -> Reals:
    return index.astype(np.float64) + 1


def held(fill: Fill, name: str, *cells: int) -> list[float]:
    return [float(value) for value in fill(name, np.array(cells, np.int64))]


CASES: dict[str, tuple[Callable[[Fill], bool], dict[str, list[int]]]] = {
    "one": (lambda fill: held(fill, "x", 617)[0] != 0, {"x": [617], "y": []}),
    "two far apart": (lambda fill: all(held(fill, "x", 3, 998)), {"x": [3, 998], "y": []}),
    "two arrays": (lambda fill: all(held(fill, "x", 500)) and all(held(fill, "y", 299)), {"x": [500], "y": [299]}),
    "none": (lambda fill: True, {"x": [], "y": []}),
}


@pytest.mark.parametrize("name", CASES)
def test_few_cells_are_left(name: str) -> None:
    differs, wanted = CASES[name]
    found = minimised(ramp, SIZES, differs, 500)
    assert found is not None and differs(found)
    assert {array: cells.tolist() for array, cells in found.kept.items()} == wanted


def test_values_are_kept_where_ones_do_not_do() -> None:
    found = minimised(ramp, SIZES, lambda fill: held(fill, "x", 41)[0] > 40, 500)
    assert found is not None and held(found, "x", 41) == [42.0] and held(found, "y", 1) == [0.0]


def test_runs_are_bounded() -> None:
    runs = []

    def differs(fill: Fill) -> bool:
        runs.append(fill)
        return all(held(fill, "x", *range(0, 1000, 7)))
    found = minimised(ramp, SIZES, differs, 20)
    assert found is not None and all(held(found, "x", *range(0, 1000, 7))) and len(runs) <= 21


def test_scalars_and_other_arrays_stay_as_they_are() -> None:
    found = minimised(ramp, SIZES, lambda fill: True, 10)
    assert found is not None and held(found, "scale", 4) == [5.0]
