"""Memory of whole numbers that is updated as numbers with a sign and without: the same bits, where an update makes none of it."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Run

KERNEL = """// spmd: block=64 grid=2 x[128]
__global__ void k(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned *u = (unsigned *)x;
  BODY
}
"""


@pytest.mark.parametrize(("body", "verdict"), [
    ("atomicAdd(u + i, 5u); atomicAdd(x + i, -5);", "proved"),
    ("atomicAdd(u, 5u); atomicAdd(x, -5);", "proved"),
    ("atomicOr(u, 5u); atomicOr(x, 6);", "proved"),
    ("unsigned old = atomicAdd(u + i, 0u); atomicCAS(u + i, old, old + 5u); atomicAdd(x + i, -5);", "proved"),
    ("atomicAdd(x, -5); atomicCAS(u + 1, 3u, 4u); x[2] = u[0];", "refuted"),
    ("atomicAdd(x, 1); unsigned old = *u; atomicCAS(u, old, old * 3u);", "refuted"),
    ("atomicMax(u + i, 5u); atomicMax(x + i, -5);", "unknown"),
    ("atomicAdd(x + i, 1); atomicAdd((float *)(x + i), 1.0f);", "unknown"),
])
def test_updates_of_one_memory_as_two_types(body: str, verdict: str, run: Run, kernel_file: Any) -> None:
    (record,) = run("check", kernel_file(KERNEL.replace("BODY", body)), "--format", "jsonl").records
    assert record["verdict"] == verdict, record


@pytest.mark.parametrize(("body", "fails"), [
    ("x[i] = -1; unsigned old = atomicAdd(u + i, 2u); atomicAdd(x + i, 0); assert(old == ~0u && x[i] == 1);", False),
    ("x[i] = -1; int old = atomicAdd(x + i, 2); atomicExch(u + i, 7u); assert(old == -1); assert(x[i] == 7);", False),
    ("x[i] = -7; unsigned old = atomicExch(u + i, 1u); atomicAdd(x + i, 0); assert(old / 2 == 2147483644u);", False),
    ("x[i] = -7; unsigned old = atomicExch(u + i, 1u); atomicAdd(x + i, 0); assert((int)old / 2 == 2147483644);", True),
    ("x[i] = -7; unsigned old = atomicCAS(u + i, 4294967289u, 3u); atomicAdd(x + i, 0); assert(x[i] == 3 && old > 5u);", False),
    ("x[i] = -7; unsigned old = atomicCAS(u + i, 7u, 3u); atomicAdd(x + i, 0); assert(x[i] == 3);", True),
])
def test_values_are_those_of_the_type_they_are_taken_as(body: str, fails: bool, run: Run, kernel_file: Any) -> None:
    """A run shows which of two claims about the same update fails."""
    (record,) = run("check", kernel_file("#include <assert.h>\n" + KERNEL.replace("BODY", body)), "--format", "jsonl").records
    assert (record["properties"]["assertions"] == "refuted") == fails, record
