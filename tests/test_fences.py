"""Fence flags that each thread chooses: prover and machine against what OpenCL's barrier orders, pair by pair."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from conftest import Run

from automata.lang.launch import Launch
from automata.lang.read import find_kernels
from automata.machine.running.run import Program
from automata.machine.state.outcome import Setting
from automata.proof.known.context import known_numbers, prepare
from automata.rewriting.lower import lower
from automata.thread.build import build

THREADS, CELLS = 6, 2


class Access(NamedTuple):
    """Some threads (a bit each) read or write a cell."""

    segment: int
    cell: int
    threads: int
    writes: bool


class Case(NamedTuple):
    """A kernel of segments that barriers part, with the threads that fence at each."""

    accesses: list[Access]
    fences: list[int]
    is_shared: bool

    @property
    def text(self) -> str:
        array, flag = ("s", "CLK_LOCAL_MEM_FENCE") if self.is_shared else ("g", "CLK_GLOBAL_MEM_FENCE")
        lines = [f"__kernel void k(__global int *g, __global int *out) {{ __local int s[{CELLS}];",
                 "int t = get_local_id(0), sum = 0;"]
        for segment in range(len(self.fences) + 1):
            for number, access in enumerate(self.accesses):
                if access.segment == segment:
                    body = f"{array}[{access.cell}] = t + {10 * number};" if access.writes else f"sum += {array}[{access.cell}];"
                    lines.append(f"if (({access.threads} >> t) & 1) {body}")
            if segment < len(self.fences):
                lines.append(f"barrier(({self.fences[segment]} >> t) & 1 ? {flag} : 0);")
        return "\n".join([*lines, "out[t] = sum; }"]) + "\n"

    def pairs(self) -> set[str]:
        """How accesses of two threads to one cell, one of them a write, are related: "race", "perhaps" or "ordered"."""
        found = set()
        done = [(access.segment, access.cell, access.writes, thread) for access in self.accesses for thread in range(THREADS)
                if access.threads >> thread & 1]
        for one, two in combinations(sorted(done), 2):
            if one[1] == two[1] and one[3] != two[3] and (one[2] or two[2]):
                between = self.fences[one[0]:two[0]]
                both = any(mask >> one[3] & mask >> two[3] & 1 for mask in between)
                first = any(mask >> one[3] & 1 for mask in between)
                found.add("ordered" if both else "perhaps" if first else "race")
        return found


def case(seed: int) -> Case:
    random = Random(seed)
    barriers = random.choice([1, 1, 2, 3])
    everybody = (1 << THREADS) - 1
    accesses = []
    for _ in range(random.choice([2, 2, 3, 4])):
        writes = random.random() < .5
        one = 1 << random.randrange(THREADS)
        accesses.append(Access(random.randrange(barriers + 1), random.randrange(CELLS),
                               one if writes else random.choice([one, random.randrange(everybody)]), writes))
    fences = [random.choice([everybody, random.randrange(everybody), random.randrange(everybody)]) for _ in range(barriers)]
    return Case(accesses, fences, random.random() < .5)


@pytest.mark.parametrize("seed", range(40))
def test_prover_and_machine_say_what_the_flags_order(seed: int, run: Run, tmp_path: Path) -> None:
    made = case(seed)
    path = tmp_path / "k.cl"
    path.write_text(made.text)
    pairs = made.pairs()
    kernel = find_kernels(str(path))[0].read()
    program = Program(build(lower(kernel, known_numbers(prepare(kernel, Launch())))))
    conflicts = [item for item in program.run(Setting((1, 1, 1), (THREADS, 1, 1))).conflicts if item.rule == "race"]
    told = {"perhaps" if item.perhaps_ordered else "race" for item in conflicts}
    assert told - {"perhaps"} == pairs & {"race"} and (told or "perhaps" not in pairs), made
    record = run("check", path, "--block", THREADS, "--grid", 1, "--format", "jsonl").records[0]
    wanted = "refuted" if "race" in pairs else "unknown" if "perhaps" in pairs else "proved"
    assert record["properties"]["race-free"] == wanted, made
    assert record["properties"]["barriers"] == "proved"
