"""Pairs in which a mask stands for a remainder by a size that is required to be a power of two, for all sizes."""

from __future__ import annotations

from typing import Any

import pytest

HEAD = "__global__ void k(const float *x, float *y, int n, int s) {\n    int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
EACH = HEAD + "    if (t < n) y[t] = x[INDEX];\n}\n"
STORE = HEAD + "    if (t < n) y[INDEX] = x[t];\n}\n"
RING = HEAD + "    float a = 0;\n    for (int j = 0; j < n; j++) a += x[INDEX];\n    y[t] = a;\n}\n"
STRIDED = HEAD + "    float a = 0;\n    for (int j = t; j < n; j += blockDim.x * gridDim.x) a += x[INDEX];\n    y[t] = a;\n}\n"
POWER = "s > 0 && (s & (s - 1)) == 0"
HOLDS = {
    "a remainder": (EACH, "t % s", "t & (s - 1)"),
    "the mask first": (EACH, "t % s", "(s - 1) & t"),
    "what it leaves": (EACH, "t / s * s", "t & -s"),
    "a product": (EACH, "t % (4 * s)", "t & (4 * s - 1)"),
    "where it is stored": (STORE, "t / s * s + t % s", "t"),
    "in a loop": (RING, "(t + j) % s", "(t + j) & (s - 1)"),
    "of rounds": (STRIDED, "j % s", "j & (s - 1)"),
}
FAILS = {
    "one less": (EACH, "t % s", "t & (s - 2)"),
    "the size itself": (EACH, "t % s", "t & s"),
    "one of what may be negative": (EACH, "(t - 5) % s + s", "((t - 5) & (s - 1)) + s"),
    "twice the size": (EACH, "t % s", "t & (2 * s - 1)"),
    "in a loop one less": (RING, "(t + j) % s", "(t + j) & (s - 2)"),
    "rounds moved": (STRIDED, "j % s", "(j + 1) & (s - 1)"),
}


def asked(compared: Any, text: str, one: str, two: str, require: str) -> dict[str, Any]:
    sides = (text.replace("INDEX", index) for index in (one, two))
    found: dict[str, Any] = compared(*sides, "--block", "64", "--require", require, "--require", "n < 100000 && s < 100000")
    return found


@pytest.mark.parametrize("name", HOLDS)
def test_equal(name: str, compared: Any) -> None:
    found = asked(compared, *HOLDS[name], POWER)
    assert (found["verdict"], found["assurance"]) == ("equal", "proved"), found


@pytest.mark.parametrize("name", FAILS)
def test_never_equal(name: str, compared: Any) -> None:
    assert asked(compared, *FAILS[name], POWER)["verdict"] == "different"


@pytest.mark.parametrize("name", ["a remainder", "in a loop", "of rounds"])
def test_of_other_sizes_it_is_none(name: str, compared: Any) -> None:
    assert asked(compared, *HOLDS[name], "s > 0")["verdict"] == "different"
