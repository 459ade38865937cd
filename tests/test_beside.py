"""Two computations at once: values and errors come back from the other process."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from automata.place import Place, UndecidedError
from equivalence.beside import both
from equivalence.symbolic_run import Broken

FLOATS = "const float *x, float *out, int n"


def raising(error: Exception) -> Any:
    def function() -> None:
        raise error
    return function


def test_values_come_back() -> None:
    one, two = both(lambda: np.arange(3), lambda: {"large": np.arange(1 << 20), "process": os.getpid()})
    assert one.tolist() == [0, 1, 2] and two["large"].sum() == sum(range(1 << 20)) and two["process"] != os.getpid()


ERRORS = [Broken("b", "out of bounds"), UndecidedError("a loop", Place("k.cu", 3, 1)), ValueError(1, "two")]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_of_the_other_process_are_raised_here(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        both(lambda: 1, raising(error))
    assert str(caught.value) == str(error) and caught.value.__dict__ == error.__dict__


def test_an_error_here_ends_the_other_process() -> None:
    with pytest.raises(KeyError):
        both(raising(KeyError("here")), lambda: [0] * (1 << 22))


def test_a_process_that_ends_early_is_an_error() -> None:
    with pytest.raises(MemoryError, match="ended early"):
        both(lambda: 1, lambda: os._exit(3))


@pytest.mark.parametrize(("side", "other"), [("x[i]", "x[i + 1]"), ("x[i + 1]", "x[i]")])
def test_accesses_outside_on_either_side_are_told(compared: Any, side: str, other: str) -> None:
    """In kernels long enough for a process of their own; data decide nothing, so the run itself shows it."""
    texts = [f"// spmd: block=32 grid=4 x[128] out[128] n=600\n__global__ void k({FLOATS}) {{\n"
             f"  int i = blockIdx.x * 32 + threadIdx.x;\n  float s = 0.0f;\n"
             f"  for (int j = 0; j < n; j++) s += {value} * x[i];\n  out[i] = s;\n}}\n" for value in (side, other)]
    assert compared(*texts)["verdict"] == "nondeterministic"
