"""Locals that hand their values round in a loop: their value in each round, against the same assignments carried out."""

from __future__ import annotations

import random
from typing import Any

import pytest
from conftest import Run

NAMES = "abcd"


def drawn(seed: int) -> tuple[str, list[list[int]]]:
    """The body of a loop whose locals take values of each other, most of them all round; their values in rounds 0 to 6."""
    r = random.Random(seed)
    takes = [r.randrange(4) for _ in NAMES] if r.random() < 0.3 else r.sample(range(4), 4)
    values = [r.sample(range(10), 4)]
    for _ in range(6):
        values.append([values[-1][other] for other in takes])
    kept = " ".join(f"int kept_{name} = {name};" for name in NAMES)
    return kept + " ".join(f" {name} = kept_{NAMES[other]};" for name, other in zip(NAMES, takes, strict=True)), values


@pytest.mark.drawn(12)
def test_values_that_go_round(seed: int, run: Run, kernel_file: Any) -> None:
    body, values = drawn(seed)
    start = ", ".join(f"{name} = {value}" for name, value in zip(NAMES, values[0], strict=True))
    for off in (0, 1):
        claims = " ".join(f"if (i == {at}) __assert(a == {row[0] + off} && d == {row[3]});" for at, row in enumerate(values))
        text = f"""// spmd: block=32
__global__ void k(int *o, int n) {{
  int {start};
  for (int i = 0; i < n; i++) {{ {claims} o[blockIdx.x * 128 + threadIdx.x * 4 + b - b] = c; {body} }}
}}"""
        told = run("check", kernel_file(text), "--format", "jsonl").records[0]["properties"]["assertions"]
        assert told == ("refuted" if off else "proved"), text
