"""Arrays that one side of a pair alone has, and writes: memory to work in, which decides nothing unless it is asked for."""

from __future__ import annotations

from typing import Any

import pytest

HEAD = ("__global__ void k(const float *x, float *y{}, int n) {{\n    int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (t < n) {{ ")
PLAIN = HEAD.format("") + "y[t] = 2 * x[t]; }\n}\n"
KEPT = HEAD.format(", float *kept") + "kept[t] = x[t]; y[t] = 2 * kept[t]; }\n}\n"
TOLD = HEAD.format(", float *told") + "y[t] = 2 * x[t]; told[t] = x[t]; }\n}\n"
LAUNCHES = {"all sizes": ("--block", "64"), "a launch": ("--block", "64", "--grid", "2", "--arg", "n=100")}


@pytest.mark.parametrize("launch", LAUNCHES)
@pytest.mark.parametrize(("one", "two", "name"), [(PLAIN, KEPT, "kept"), (KEPT, PLAIN, "kept"), (PLAIN, TOLD, "told")])
def test_what_one_side_works_in(one: str, two: str, name: str, launch: str, compared: Any) -> None:
    found = compared(one, two, *LAUNCHES[launch])
    assert found["verdict"] == "equal" and set(found["outputs"]) == {"y"}, found
    assert any(text.startswith(f"scratch, not compared: {name} (") for text in found["assumptions"]), found["assumptions"]
    asked = compared(one, two, *LAUNCHES[launch], "--output", name)
    assert asked["verdict"] == "different" and set(asked["outputs"]) == {name}, asked


@pytest.mark.parametrize("launch", LAUNCHES)
def test_the_other_output_still_decides(launch: str, compared: Any) -> None:
    wrong = KEPT.replace("y[t] = 2 * kept[t]", "y[t] = 3 * kept[t]")
    assert compared(PLAIN, wrong, *LAUNCHES[launch])["counterexample"]["array"] == "y"


@pytest.mark.parametrize("launch", LAUNCHES)
def test_what_both_have_is_compared(launch: str, compared: Any) -> None:
    """The second has the array, and does not write it."""
    silent = HEAD.format(", float *told") + "y[t] = 2 * x[t]; }\n}\n"
    found = compared(TOLD, silent, *LAUNCHES[launch])
    assert found["verdict"] == "different" and found["counterexample"]["array"] == "told", found


def test_in_place_is_no_scratch(compared: Any) -> None:
    """Nothing that the one writes is the other's: y is left by the first, x by the second."""
    inside = "__global__ void k(float *x, int n) { int t = blockIdx.x * blockDim.x + threadIdx.x; if (t < n) x[t] = 2 * x[t]; }\n"
    found = compared(PLAIN, inside, *LAUNCHES["all sizes"])
    assert found["verdict"] == "different", found


def test_where_nothing_is_shared_all_is_compared(compared: Any) -> None:
    names = HEAD.format(", float *z").replace("*y", "*v") + "v[t] = x[t]; z[t] = 2 * x[t]; }\n}\n"
    found = compared(PLAIN, names, *LAUNCHES["all sizes"])
    assert found["verdict"] == "different" and not any("scratch" in text for text in found["assumptions"]), found
