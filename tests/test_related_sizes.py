"""Requirements that relate the launches of a pair: `gridDim.x == 2*b.gridDim.x`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

Write = Callable[..., Path]

HEAD = "__global__ void k(const float *x, float *y, int n) {\n    int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
ONE_EACH = HEAD + "    if (t < n) y[t] = 2 * x[t];\n}\n"
TWO_EACH = HEAD + "    if (2 * t < n) y[2 * t] = 2 * x[2 * t];\n    if (2 * t + 1 < n) y[2 * t + 1] = 2 * x[2 * t + 1];\n}\n"
FOUR_EACH = HEAD + "    for (int j = 4 * t; j < 4 * t + 4; j++) if (j < n) y[j] = 2 * x[j];\n}\n"
HALVES = HEAD + ("    int all = gridDim.x * blockDim.x;\n    if (t < n) y[t] = 2 * x[t];\n"
                "    if (t + all < n) y[t + all] = 2 * x[t + all];\n}\n")
SHORT_GRID = TWO_EACH.replace("if (2 * t < n)", "if (gridDim.x >= 4 && 2 * t < n)")
FLAT = ONE_EACH.replace("blockIdx.x *", "(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) *")
STRIDED = HEAD + "    for (; t < n; t += gridDim.x * blockDim.x) y[t] = 2 * x[t];\n}\n"

HOLDS = {
    "half the blocks": (TWO_EACH, ("--block", "256"), "gridDim.x == 2*b.gridDim.x"),
    "turned round, with more": (TWO_EACH, ("--block", "256"), "2*b.gridDim.x == gridDim.x && n > 0"),
    "half the threads of a block": (TWO_EACH, (), "blockDim.x == 2*b.blockDim.x"),
    "a quarter of all threads": (FOUR_EACH, ("--block", "128"), "gridDim.x == 4*b.gridDim.x"),
    "each covers the row": (TWO_EACH, ("--block", "64"), "gridDim.x*64 >= n && b.gridDim.x*128 >= n"),
    "two halves, one more of odd ones": (HALVES, ("--block", "64"), "b.gridDim.x == (gridDim.x + 1) / 2 && gridDim.x*64 >= n"),
    "numbers": (HALVES, ("--block", "64"), "b.gridDim.x == 2 && gridDim.x == 4"),
    "a parameter that is a number": (
        ONE_EACH.replace("t < n", "t < 129"), ("--block", "64"), "n == 129 && gridDim.x == b.gridDim.x"),
    "whatever b's grid is": (STRIDED, ("--block", "64"), "gridDim.x*64 >= n && b.gridDim.x >= 1"),
}
FAILS = {
    "as many blocks": (TWO_EACH, ("--block", "256"), "gridDim.x == b.gridDim.x"),
    "a third": (TWO_EACH, ("--block", "256"), "gridDim.x == 3*b.gridDim.x"),
    "two halves, the rest of odd ones dropped": (HALVES, ("--block", "64"), "b.gridDim.x == gridDim.x / 2"),
    "numbers that are too large": (HALVES, ("--block", "64"), "b.gridDim.x == 3 && gridDim.x == 4"),
    "a parameter that is another number": (
        ONE_EACH.replace("t < n", "t < 128"), ("--block", "64"), "n == 129 && gridDim.x == b.gridDim.x"),
    "in three dimensions": (FLAT, ("--block", "32"), "gridDim.x == 2*b.gridDim.x"),
    "one block less": (TWO_EACH, ("--block", "256"), "gridDim.x == 2*b.gridDim.x + 2"),
    "the other way": (TWO_EACH, ("--block", "256"), "b.gridDim.x == 2*gridDim.x"),
    "at least half": (TWO_EACH, ("--block", "256"), "gridDim.x <= 2*b.gridDim.x"),
    "only a covers the row": (TWO_EACH, ("--block", "64"), "gridDim.x*64 >= n && b.gridDim.x*128 >= n - 1"),
}


@pytest.mark.parametrize("name", HOLDS)
def test_equal_for_all_sizes(name: str, run: Run, kernel_file: Write) -> None:
    text, launch, require = HOLDS[name]
    found = run("equiv", kernel_file(ONE_EACH, "a.cu"), kernel_file(text, "b.cu"), *launch, "--require", require,
                "--format", "jsonl").records[0]
    assert (found["verdict"], found["assurance"]) == ("equal", "proved"), found
    assert found["scope"].startswith("all sizes under ") and require in found["scope"], found["scope"]
    assert any(require in text for text in found["assumptions"])


@pytest.mark.parametrize("name", FAILS)
def test_never_equal(name: str, run: Run, kernel_file: Write) -> None:
    text, launch, require = FAILS[name]
    found = run("equiv", kernel_file(ONE_EACH, "a.cu"), kernel_file(text, "b.cu"), *launch, "--require", require,
                "--format", "jsonl").records[0]
    assert found["verdict"] == "different", found
    assert meets(found["counterexample"]["sizes"], require), found


def meets(sizes: dict[str, int], require: str) -> bool:
    """Whether sizes that are told meet a requirement, as Python reads it; those that it sets to numbers are not told."""
    python = require.replace("b.gridDim.x", "other").replace("gridDim.x", "own").replace("&&", "and").replace("/", "//")
    stated = {name: int(number) for name, number in re.findall(r"(\w+) == (\d+)(?= |$)", python)}
    told = {"own": sizes.get("gridDim.x"), "other": sizes.get("b.gridDim.x"), "n": sizes.get("n")}
    return bool(eval(python, {}, {**stated, **{name: value for name, value in told.items() if value is not None}}))


def test_launches_of_numbers(run: Run, kernel_file: Write) -> None:
    sides = kernel_file(ONE_EACH, "a.cu"), kernel_file(TWO_EACH, "b.cu")
    numbers = "--block", "32", "--grid", "4", "--grid-b", "2", "--arg", "n=100", "--format", "jsonl"
    assert run("equiv", *sides, *numbers, "--require", "gridDim.x == 2*b.gridDim.x").records[0]["verdict"] == "equal"
    wrong = run("equiv", *sides, *numbers, "--require", "gridDim.x == 3*b.gridDim.x").records[0]
    assert wrong["verdict"] == "invalid" and "no launch meets the requirements" in wrong["reason"], wrong


def test_the_next_command_keeps_it(run: Run, kernel_file: Write) -> None:
    sides = kernel_file(ONE_EACH, "a.cu"), kernel_file(ONE_EACH.replace("2 * x[t]", "x[t] + x[t]"), "b.cu")
    found = run("equiv", *sides, "--require", "gridDim.x == b.gridDim.x", "--mode", "bitwise", "--format", "jsonl").records[0]
    assert found["verdict"] == "unknown" and "--require 'gridDim.x == b.gridDim.x'" in found["next"], found


def test_a_launch_of_one_side_is_not_taken_for_the_other(run: Run, kernel_file: Write) -> None:
    sides = kernel_file(ONE_EACH, "a.cu"), kernel_file(TWO_EACH, "b.cu")
    asked = "--require", "blockDim.x == 2*b.blockDim.x", "--format", "jsonl"
    for launch in ((), ("--block-b", "128"), ("--block", "64")):
        if launch == ("--block", "64"):
            launch = (*launch, "--block-b", "32")
        found = run("equiv", *sides, *launch, *asked).records[0]
        assert found["verdict"] == "equal", found
        assert not any("same launch" in text or "runs at" in text for text in found["assumptions"]), found["assumptions"]
    commented = kernel_file("// spmd: block=64\n" + ONE_EACH, "c.cu")
    found = run("equiv", commented, sides[1], "--require", "gridDim.x == 2*b.gridDim.x", "--format", "jsonl").records[0]
    assert found["verdict"] == "equal" and "blockDim.x == 64" in found["scope"], found
    wrong = run("equiv", *sides, "--block", "64", "--block-b", "64", *asked).records[0]
    assert wrong["verdict"] == "invalid" and "no launch meets" in wrong["reason"]


@pytest.mark.parametrize(("require", "told"), [
    ("gridDim.x == 2*b.gridDim.w", "'b.gridDim.w' is no parameter and no size"),
    ("gridDim.x == 2*c.gridDim.x", "'c.gridDim.x' is no parameter and no size"),
    ("gridDim.x == 2*b.n", "'b.n' is no parameter and no size"),
])
def test_what_is_no_size_of_b(require: str, told: str, run: Run, kernel_file: Write) -> None:
    ran = run("equiv", kernel_file(ONE_EACH, "a.cu"), kernel_file(TWO_EACH, "b.cu"), "--require", require)
    assert ran.status == 2 and told in ran.out + ran.err


def test_of_sequences_it_is_refused(run: Run, kernel_file: Write) -> None:
    a, b = kernel_file(ONE_EACH, "a.cu"), kernel_file(TWO_EACH, "b.cu")
    ran = run("equiv", f"{a}:k", f"{b}:k;k", "--require", "gridDim.x == 2*b.gridDim.x", "--block", "64")
    assert ran.status == 2 and "launches are related of two kernels" in ran.out + ran.err


def test_a_pair_whose_kernel_has_a_structure_called_b(run: Run, kernel_file: Write) -> None:
    """B's own names are marked otherwise there; a size of b is still called so."""
    head = "struct P { int n; };\n" + HEAD.replace("int n)", "P b)")
    one = head + "    if (t < b.n) y[t] = 2 * x[t];\n}\n"
    two = head + "    if (2 * t < b.n) y[2 * t] = 2 * x[2 * t];\n    if (2 * t + 1 < b.n) y[2 * t + 1] = 2 * x[2 * t + 1];\n}\n"
    sides = kernel_file(one, "a.cu"), kernel_file(two, "b.cu")
    asked = "--block", "256", "--format", "jsonl", "--require"
    assert run("equiv", *sides, *asked, "gridDim.x == 2*b.gridDim.x").records[0]["verdict"] == "equal"
    assert run("equiv", *sides, *asked, "gridDim.x == b.gridDim.x").records[0]["verdict"] == "different"


def test_what_a_comment_requires_of_sizes_is_of_its_own_launch(run: Run, kernel_file: Write) -> None:
    short = kernel_file("// spmd: block=64 require gridDim.x >= 4\n" + SHORT_GRID, "c.cu")
    one, two = kernel_file("// spmd: block=64 require gridDim.x >= 4\n" + ONE_EACH, "a.cu"), kernel_file(SHORT_GRID, "b.cu")
    asked = "--require", "gridDim.x == 2*b.gridDim.x", "--format", "jsonl"
    found = run("equiv", one, two, "--block-b", "64", *asked).records[0]
    assert found["verdict"] == "different" and found["counterexample"]["sizes"]["b.gridDim.x"] < 4, found
    found = run("equiv", kernel_file(ONE_EACH, "d.cu"), two, "--block", "64", *asked, "--require", "gridDim.x >= 4").records[0]
    assert found["verdict"] == "different" and found["counterexample"]["sizes"]["gridDim.x"] >= 4, found
    found = run("equiv", kernel_file("// spmd: block=64\n" + ONE_EACH, "e.cu"), short, *asked).records[0]
    assert found["verdict"] == "equal" and "b: gridDim.x >= 4" in found["scope"], found


def test_an_expression_is_of_the_side_that_states_it(run: Run, kernel_file: Write) -> None:
    """B's grid is made of b's block; where only a states one, by an expression, b's is the same number."""
    blocks = "(n+blockDim.x-1)/blockDim.x"
    rows = kernel_file("// spmd: block=256 grid=(n+255)/256\n" + ONE_EACH, "a.cu")
    for test, verdict in (("t < n", "equal"), ("t < n && t < 64", "different")):
        other = kernel_file(f"// spmd: block=64 grid={blocks}\n" + ONE_EACH.replace("t < n", test), "b.cu")
        found = run("equiv", rows, other, "--require", "b.gridDim.x >= gridDim.x", "--format", "jsonl").records[0]
        assert found["verdict"] == verdict, found
        assert "counterexample" not in found or found["counterexample"]["sizes"]["n"] > 64, found
    wide, pairs = kernel_file(f"// spmd: block=256 grid={blocks}\n" + ONE_EACH, "c.cu"), kernel_file(TWO_EACH, "d.cu")
    for times, verdict in ((2, "equal"), (4, "different")):
        found = run("equiv", wide, pairs, "--require", f"blockDim.x == {times}*b.blockDim.x", "--format", "jsonl").records[0]
        assert found["verdict"] == verdict, found


@pytest.mark.parametrize("require", ["b.gridDim.x == 0", "b.gridDim.x == 3000000000", "b.gridDim.x < 1",
                                     "gridDim.x == 2*b.gridDim.x && gridDim.x == 2*(n/2) + 1"])
def test_a_requirement_that_no_launch_meets(require: str, run: Run, kernel_file: Write) -> None:
    sides = kernel_file(ONE_EACH, "a.cu"), kernel_file(TWO_EACH, "b.cu")
    found = run("equiv", *sides, "--block", "64", "--require", require, "--format", "jsonl").records[0]
    assert found["verdict"] == "invalid" and "no launch meets" in found["reason"], found


def test_the_search_meets_what_is_required_of_both(run: Run, kernel_file: Write) -> None:
    """B is a block short where a goes on in rounds: no model of a solver says so, only runs."""
    sides = kernel_file(STRIDED, "a.cu"), kernel_file(ONE_EACH, "b.cu")
    found = run("equiv", *sides, "--block", "64", "--require", "b.gridDim.x*64 >= n - 1", "--format", "jsonl").records[0]
    sizes = found["counterexample"]["sizes"]
    assert found["verdict"] == "different" and sizes["n"] == 64 * sizes["b.gridDim.x"] + 1, found
