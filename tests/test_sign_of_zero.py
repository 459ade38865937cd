"""Equality over the reals, where zeros have no sign: what shows one is not called equal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

KERNEL = """__global__ void {}(float *out, const float *xs, const float *ys, float z, int n) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) {{ float x = xs[t], y = ys[t]; out[t] = {}; }}
}}
"""
UNLIKE = [
    ("copysignf(1.f, 0.0f)", "copysignf(1.f, -0.0f)"), ("copysignf(1.f, x * 0.0f)", "copysignf(1.f, 0.0f)"),
    ("atan2f(0.0f, x)", "atan2f(-0.0f, x)"), ("atan2f(x * 0.0f, x)", "atan2f(0.0f, x)"),
    ("atan2f(x - x, x)", "atan2f(y - x - y + x, x)"),
    ("rsqrtf(-0.0f)", "rsqrtf(0.0f)"), ("tgammaf(-0.0f)", "tgammaf(0.0f)"), ("powf(x * 0.0f, -1.f)", "powf(0.0f, -1.f)"),
    ("copysign(1.0, t ? -0.0 : 0.0)", "copysign(1.0, 0.0)"), ("fmaxf(x, copysignf(1.f, -0.f))", "fmaxf(x, copysignf(1.f, 0.f))"),
]
LAUNCHES = [("--block", "32", "--grid", "1", "--arg", "n=32", "--arg", "z=0.0"),
            ("--block", "32", "--grid", "1", "--arg", "n=32", "--certify"), ()]


def compared(run: Run, kernel_file: Callable[..., Path], one: str, two: str, *args: str) -> dict[str, Any]:
    path = kernel_file(KERNEL.format("one", one) + KERNEL.format("two", two))
    found: dict[str, Any] = run("equiv", f"{path}:one", f"{path}:two", "--format", "jsonl", *args).records[0]
    return found


@pytest.mark.parametrize("launch", LAUNCHES)
@pytest.mark.parametrize("one, two", UNLIKE)
def test_what_shows_the_sign_of_a_zero(run: Run, kernel_file: Callable[..., Path], one: str, two: str,
                                       launch: tuple[str, ...]) -> None:
    assert compared(run, kernel_file, one, two, *launch)["verdict"] in ("different", "unknown")


def test_an_argument_that_is_zero(run: Run, kernel_file: Callable[..., Path]) -> None:
    assert compared(run, kernel_file, "copysignf(1.f, -z)", "copysignf(1.f, z)", *LAUNCHES[0])["verdict"] == "different"


@pytest.mark.parametrize("launch", LAUNCHES)
def test_a_number_that_may_be_zero_is_said_to_have_its_sign(run: Run, kernel_file: Callable[..., Path],
                                                            launch: tuple[str, ...]) -> None:
    for one, two in (("copysignf(y, 0.0f - x)", "copysignf(y, -x)"), ("atan2f(0.0f - x, y)", "atan2f(-x, y)")):
        found = compared(run, kernel_file, one, two, *launch)
        assert found["verdict"] == "equal" and any("signs and bits of floats" in each for each in found["assumptions"])


@pytest.mark.parametrize("launch", LAUNCHES)
def test_the_same_of_the_same_is_equal(run: Run, kernel_file: Callable[..., Path], launch: tuple[str, ...]) -> None:
    found = compared(run, kernel_file, "copysignf(y, 0.0f) * x", "x * copysignf(y, 0.0f)", *launch)
    assert found["verdict"] == "equal" and found["class"] == "bitwise-commutative"
