"""Maxima that a loop finds by comparisons, against trees: the bound of an error does not double with each comparison."""

from __future__ import annotations

from typing import Any

import pytest

from automata.lang.core import Binary, Select, Var
from automata.machine.symbols.domain import ATOM, NOTHING, Degree
from automata.scalar import BOOL, F32
from equivalence.domains.degrees import degree

HEAD = "__global__ void k(const float *x, float *y) {\n    int t = threadIdx.x; const float *row = x + blockIdx.x * N;\n"
LOOP = HEAD + ("    float m = row[0];\n    for (int j = 1; j < N; j++) { float v = row[j]; STEP }\n"
               "    if (t == 0) y[blockIdx.x] = m;\n}\n")
TREE = HEAD + ("    __shared__ float s[N]; s[t] = row[t]; __syncthreads();\n"
               "    for (int h = N / 2; h > 0; h >>= 1) { if (t < h) s[t] = EXTREME(s[t], s[t + h]); __syncthreads(); }\n"
               "    if (t == 0) y[blockIdx.x] = s[0];\n}\n")
HOLDS = {
    "a larger one": ("if (v > m) m = v;", "fmaxf"),
    "one as large": ("if (v >= m) m = v;", "fmaxf"),
    "one that is not less": ("if (!(v < m)) m = v;", "fmaxf"),
    "a choice": ("m = m > v ? m : v;", "fmaxf"),
    "a smaller one": ("if (v < m) m = v;", "fminf"),
    "a choice of the smaller": ("m = v <= m ? v : m;", "fminf"),
}
FAILS = {
    "the smallest": ("if (v < m) m = v;", "fmaxf"),
    "the last but one": ("if (j < N - 1 && v > m) m = v;", "fmaxf"),
    "compared with the first": ("if (v > row[0]) m = v;", "fmaxf"),
    "the larger of the distance": ("if (v > m) m = v - m;", "fmaxf"),
    "every second": ("if (j % 2 == 0 && v > m) m = v;", "fmaxf"),
}


def compared_at(compared: Any, columns: int, step: str, extreme: str) -> dict[str, Any]:
    sides = (text.replace("STEP", step).replace("EXTREME", extreme).replace("N", str(columns)) for text in (LOOP, TREE))
    found: dict[str, Any] = compared(*sides, "--block", columns, "--grid", "2")
    return found


@pytest.mark.parametrize("name", HOLDS)
def test_a_loop_and_a_tree(name: str, compared: Any) -> None:
    found = compared_at(compared, 64, *HOLDS[name])
    assert (found["verdict"], found["class"], found["assurance"]) == ("equal", "real-exp-max", "probabilistic"), found


def test_many_columns(compared: Any) -> None:
    found = compared_at(compared, 512, *HOLDS["a larger one"])
    assert (found["verdict"], found["class"]) == ("equal", "real-exp-max"), found


@pytest.mark.parametrize("name", FAILS)
def test_never_equal(name: str, compared: Any) -> None:
    assert compared_at(compared, 8, *FAILS[name])["verdict"] == "different"


def test_a_bound_on_choices() -> None:
    """A choice is at most the test times what is chosen from, or a maximum of what is compared: never less than either."""
    number, large = Degree(0.0, 0.0), Degree(9.0, 0.0, 3.0)
    test = degree(Binary("<", Var("a", F32), Var("b", F32), BOOL), [large, ATOM], number, understood=True)
    assert test.top == 1 and test.over >= 1
    chosen = Select(Var("t", BOOL), Var("a", F32), Var("b", F32), F32)
    assert degree(chosen, [test, ATOM, ATOM], number, understood=True, compared=NOTHING).top >= 2
    assert degree(chosen, [test, ATOM, ATOM], number, understood=True, compared=large).top >= 9
    assert degree(chosen, [test, large, ATOM], number, understood=True, compared=NOTHING).top >= 10
    assert degree(Binary("==", Var("a", BOOL), Var("b", BOOL), BOOL), [large, large], number, understood=True).top >= 18
