"""`--extent x=n*m`: how many elements an array has, where no comment says so."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Run

EACH = ("__global__ void k(const float *x, float *y, int n) {\n    int t = blockIdx.x * 64 + threadIdx.x;\n"
        "    if (t < n) y[t] = x[t];\n}\n")


@pytest.mark.parametrize(("extents", "verdict"), [
    (("x=n", "y=n"), "proved"), (("x=n - 1",), "refuted"), (("y=n / 2",), "refuted"), (("x=3", "y=3"), "refuted")])
def test_a_check_asks_whether_accesses_lie_inside(extents: tuple[str, ...], verdict: str, run: Run, kernel_file: Any) -> None:
    flags = [word for text in extents for word in ("--extent", text)]
    (found,) = run("check", kernel_file(EACH), "--block", "64", *flags, "--format", "jsonl").records
    assert found["properties"]["bounds"] == verdict, found
    (alone,) = run("check", kernel_file(EACH), *flags, "--require", "blockDim.x == 64", "--format", "jsonl").records
    assert alone["properties"]["bounds"] == verdict, alone


def test_beside_a_comment(run: Run, kernel_file: Any) -> None:
    """What the comment says of other arrays stays, and the flag wins."""
    path = kernel_file("// spmd: block=64 x[n-1] y[n]\n" + EACH)
    assert run("check", path, "--format", "jsonl").records[0]["properties"]["bounds"] == "refuted"
    assert run("check", path, "--extent", "x=n", "--format", "jsonl").records[0]["properties"]["bounds"] == "proved"


def test_of_a_pair(compared: Any) -> None:
    twice = EACH.replace("y[t] = x[t]", "y[t] = x[t] + 0 * x[t + 1]")
    launch = "--block", "64", "--grid", "2", "--arg", "n=100"
    inside = compared(EACH, EACH, *launch, "--extent", "x=100", "--extent", "y=100")
    assert inside["verdict"] == "equal" and not any("no extent" in text for text in inside["assumptions"])
    assert compared(EACH, EACH, *launch, "--extent", "x=99")["verdict"] == "nondeterministic"
    assert compared(EACH, twice, *launch, "--extent", "x=100")["verdict"] == "nondeterministic"
    assert compared(EACH, EACH, "--block", "64", "--extent", "x=n", "--extent", "y=n")["verdict"] == "equal"


@pytest.mark.parametrize(("text", "told"), [("z=3", "no kernel has an array of that name"), ("x=1.5", "a whole number"),
                                            ("x=q", "'q' is not declared")])
def test_what_is_no_extent(text: str, told: str, run: Run, kernel_file: Any) -> None:
    ran = run("equiv", kernel_file(EACH, "a.cu"), kernel_file(EACH, "b.cu"), "--extent", text)
    assert ran.status == 2 and told in ran.out + ran.err


def test_the_next_command_keeps_it(run: Run, kernel_file: Any) -> None:
    other = EACH.replace("x[t]", "x[t] + x[t]")
    found = run("equiv", kernel_file(EACH.replace("x[t]", "2 * x[t]"), "a.cu"), kernel_file(other, "b.cu"), "--extent", "x=n",
                "--mode", "bitwise", "--format", "jsonl").records[0]
    assert found["verdict"] == "unknown" and "--extent x=n" in found["next"], found
