"""Which of several races at the same places is told: one in a block, which a barrier mends, before one of two blocks."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Run

from automata.place import Place
from automata.verdict import Actor, Finding, Spot, Status, one_a_defect

KERNEL = """__global__ void k(float *x, int n) {
  int i = threadIdx.x;
  if (n < 4 || n > 64 || i >= n) return;
  float v = x[n - 1 - i];
  x[i] = v + 1;
}
"""
PHASES = """// spmd: require n > 3
__global__ void k(float *x, float *y, int n) {
  float v = x[(threadIdx.x + 1) % blockDim.x];
  BARRIER
  x[threadIdx.x] = v + blockIdx.x;
}
"""


def _blocks(record: dict[str, Any]) -> set[int]:
    """How many blocks the threads of each race are of."""
    races = [finding["places"] for finding in record["findings"] if finding["rule"] == "race"]
    return {len({tuple(place["thread"]["block"]) for place in places}) for places in races
            if {place["access"] for place in places} == {"read", "write"}}


@pytest.mark.parametrize(("barrier", "blocks"), [("", {1}), ("__syncthreads();", {2})])
def test_a_barrier_leaves_the_race_between_blocks(barrier: str, blocks: set[int], run: Run, kernel_file: Any) -> None:
    (record,) = run("check", kernel_file(PHASES.replace("BARRIER", barrier)), "--format", "jsonl").records
    assert record["verdict"] == "refuted" and _blocks(record) == blocks, record["findings"]


def test_a_race_of_one_block_is_told_where_there_is_one(run: Run, kernel_file: Any) -> None:
    (record,) = run("check", kernel_file(KERNEL), "--format", "jsonl").records
    assert record["verdict"] == "refuted" and _blocks(record) == {1}, record["findings"]


def _race(blocks: tuple[int, int], status: Status = Status.CONFIRMED) -> Finding:
    spots = tuple(Spot(Place("k.cu", line, 1), "write", Actor((block, 0, 0), (at, 0, 0)))
                  for at, (line, block) in enumerate(zip((3, 4), blocks, strict=True)))
    return Finding("race", status, "two threads meet", spots, "x")


def test_of_races_at_the_same_places_the_one_in_a_block_stands_for_all() -> None:
    across, inside = _race((0, 1)), _race((2, 2))
    (told,) = one_a_defect([across, inside])
    assert told.spots == inside.spots and told.times == 2


def test_a_race_that_is_sure_is_told_before_one_in_a_block() -> None:
    across, inside = _race((0, 1)), _race((2, 2), Status.POTENTIAL)
    (told,) = one_a_defect([inside, across])
    assert told.spots == across.spots
