"""A sigmoid is the same however it is written, also within another exponential, for all sizes and at a launch."""

from __future__ import annotations

from typing import Any

import pytest

KERNEL = ("__global__ void k(const float *x, float *y, int n) {{ int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "    if (t < n) y[t] = {}; }}\n")
FALLING = "1 / (1 + expf(-x[t]))"
WAYS = {
    "by tanh": "0.5f * tanhf(0.5f * x[t]) + 0.5f",
    "less a falling one": "1 - 1 / (1 + expf(x[t]))",
}
INSIDE = {"expf": "expf({})", "tanhf": "tanhf({})", "a product": "x[t] * ({})", "itself": "1 / (1 + expf(-({})))"}
WRONG = {
    "another half": "0.5f * tanhf(0.5f * x[t]) + 0.25f",
    "not halved": "0.5f * tanhf(x[t]) + 0.5f",
    "rising": "1 / (1 + expf(x[t]))",
    "less a half": "1 - 0.5f / (1 + expf(x[t]))",
    "two in the place of one": "1 - 1 / (2 + expf(x[t]))",
}
LAUNCHES = {"all sizes": ("--block", "64"), "a launch": ("--block", "64", "--grid", "2", "--arg", "n=100")}


@pytest.mark.parametrize("launch", LAUNCHES)
@pytest.mark.parametrize("inside", INSIDE)
@pytest.mark.parametrize("name", WAYS)
def test_equal(name: str, inside: str, launch: str, compared: Any) -> None:
    one, two = (KERNEL.format(INSIDE[inside].format(text)) for text in (FALLING, WAYS[name]))
    found = compared(one, two, *LAUNCHES[launch])
    assert (found["verdict"], found["class"]) == ("equal", "real-exp-max"), found


def test_other_numbers(compared: Any) -> None:
    """c/(a + b·e^-x), where c, a and b are not 1."""
    one, two = (KERNEL.format(f"expf({text})") for text in ("3 / (2 + 5 * expf(-x[t]))", "1.5f - 7.5f / (5 + 2 * expf(x[t]))"))
    assert compared(one, two, *LAUNCHES["all sizes"])["verdict"] == "equal"
    assert compared(one, two.replace("7.5f", "7"), *LAUNCHES["all sizes"])["verdict"] == "different"


@pytest.mark.parametrize("inside", ["expf", "a product"])
@pytest.mark.parametrize("name", WRONG)
def test_never_equal(name: str, inside: str, compared: Any) -> None:
    one, two = (KERNEL.format(INSIDE[inside].format(text)) for text in (FALLING, WRONG[name]))
    assert compared(one, two, *LAUNCHES["all sizes"])["verdict"] == "different"
