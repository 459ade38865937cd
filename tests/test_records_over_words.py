"""Pointer variables at no whole number of their elements from where their array starts: random kernels, against the bytes that
each thread touches, counted here. Loops of a known number of rounds are unrolled; others are kept."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import Run

Write = Callable[..., Path]
THREADS, ROUNDS = 8, 3
ELEMENTS = {"unsigned char": 1, "unsigned short": 2, "unsigned": 4}
RECORDS = {"Bytes": ("unsigned char", 3), "Shorts": ("unsigned short", 5), "Words": ("unsigned", 3), "uint3": ("unsigned", 3)}


@dataclass(frozen=True)
class Case:
    """A kernel whose threads write a record in each round: `base + stride * thread + step * round` elements into an array."""

    element: str
    record: str
    base: int
    stride: int
    step: int
    moves: bool
    keeps: bool

    @property
    def size(self) -> int:
        part, count = RECORDS[self.record]
        return ELEMENTS[part] * count

    def touched(self, thread: int) -> set[int]:
        """The bytes that a thread writes."""
        unit = ELEMENTS[self.element]
        step = self.size if self.moves else self.step * unit
        starts = ((self.base + self.stride * thread) * unit + step * turn for turn in range(ROUNDS))
        return {start + byte for start in starts for byte in range(self.size)}

    @property
    def races(self) -> bool:
        return any(self.touched(one) & self.touched(two) for one in range(THREADS) for two in range(one))

    @property
    def text(self) -> str:
        count = RECORDS[self.record][1]
        fields = [f"->{name} = threadIdx.x;" for name in "xyz"] if self.record == "uint3" else [
            f"->part[{at}] = threadIdx.x;" for at in range(count)]
        written = " ".join(f"p{field}" for field in fields)
        move = "++p;" if self.moves else f"p = ({self.record} *)(data + first + {self.step} * (round + 1));"
        return (f"struct Bytes {{ unsigned char part[3]; }};\nstruct Shorts {{ unsigned short part[5]; }};\n"
                f"struct Words {{ unsigned part[3]; }};\n"
                f"__global__ void k({self.element} *data, int n) {{\n"
                f"  int first = {self.base} + {self.stride} * threadIdx.x;\n"
                f"  {self.record} *p = ({self.record} *)(data + first);\n"
                f"  for (int round = 0; round < n; round++) {{ {written} {move} }}\n}}\n")


def cases(count: int) -> Iterator[Case]:
    """Cases in which every record lies where its parts ask for, half of them with races."""
    draw, left = random.Random(7), {False: count // 2, True: count - count // 2}
    while any(left.values()):
        element, record = draw.choice(list(ELEMENTS)), draw.choice(list(RECORDS))
        whole = max(1, ELEMENTS[RECORDS[record][0]] // ELEMENTS[element])
        base, stride, step = (whole * draw.randrange(low, high) for low, high in ((3, 40), (3, 40), (1, 9)))
        found = Case(element, record, base, stride, step, draw.random() < 0.5, draw.random() < 0.5)
        if left[found.races]:
            left[found.races] -= 1
            yield found


@pytest.mark.sliced(4)
@pytest.mark.parametrize("case", list(cases(64)), ids=str)
def test_records_meet_where_their_bytes_do(case: Case, kernel_file: Write, run: Run) -> None:
    known = ("--require", f"n >= 0 && n <= {ROUNDS}") if case.keeps else ("--arg", f"n={ROUNDS}")
    (record,) = run("check", kernel_file(case.text), "--block", THREADS, "--grid", 1, *known, "--format", "jsonl").records
    assert record["properties"]["race-free"] == ("refuted" if case.races else "proved"), case.text
    assert record["properties"]["bounds"] != "refuted"
