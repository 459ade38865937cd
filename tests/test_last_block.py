"""The last block adds up what all have stored: a counter, fences, barriers, and a flag in shared memory that tells who is last.

Programs are drawn around the known pattern, with fences and barriers left out, doubled, narrowed or moved. The judge is a
simulator that knows nothing of the prover: it runs random interleavings and keeps for each thread what happened before it, after
PTX' memory consistency model. A barrier hands all of it to the block. A release pattern hands on what its own thread knew at its
fence, to an acquire pattern of the thread that sees it. A fence that is sequentially consistent hands on what it knew to each
later one of that kind which the order of observations puts behind it, whoever made the accesses between.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from conftest import Run

BLOCKS, THREADS = 3, 2
WHO = {"all": "", "0": "if (threadIdx.x == 0) ", "1": "if (threadIdx.x == 1) "}
FENCES = {"sc": "__threadfence();", "narrow": "__threadfence_block();",
          "acq_rel": "cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);"}
Item = tuple[str, ...]
HEAD = """#include <cuda/atomic>
// spmd: block=2 grid=3 require count[0] == 0
__global__ void k(int *part, unsigned *count, int *out) {
  __shared__ bool last;
"""


def text(items: list[Item], behind: list[Item]) -> str:
    lines = [line(item) for item in items]
    return HEAD + "\n".join(f"  {each}" for each in lines) + "\n  if (last) {\n" + "\n".join(
        f"    {line(item)}" for item in behind) + "\n  }\n}\n"


def line(item: Item) -> str:
    match item:
        case ("store", who):
            return f"{WHO[who]}part[blockIdx.x * 2 + threadIdx.x] = blockIdx.x;"
        case ("fence", who, kind):
            return WHO[who] + FENCES[kind]
        case ("barrier",):
            return "__syncthreads();"
        case ("count", who, wanted):
            return f"{WHO[who]}last = atomicAdd(count, 1u) == gridDim.x - {wanted};"
        case ("read", who):
            return f"{WHO[who]}{{ int s = 0; for (int i = 0; i < 6; i++) s += part[i]; if (s == 77) out[threadIdx.x] = s; }}"
    raise AssertionError(item)


def drawn(r: random.Random) -> tuple[list[Item], list[Item]]:
    """A program near the pattern, in one of its usual forms, with up to two slips."""
    who, kind = r.choice(["all", "0"]), r.choice(["sc", "sc", "acq_rel"])
    items: list[Item] = [("store", who)]
    items += [("fence", who, kind), ("barrier",)] if r.random() < .5 else [("barrier",), ("fence", "0", kind)]
    items.append(("count", "0", "1"))
    behind: list[Item] = [("read", r.choice(["all", "0"]))]
    if r.random() < .5:
        items += [("fence", "0", kind), ("barrier",)]
    else:
        items.append(("barrier",))
        behind.insert(0, ("fence", r.choice(["all", "0"]), kind))
    for _ in range(r.choice([0, 0, 1, 1, 2])):
        slip(r, items, behind)
    return items, behind


def slip(r: random.Random, items: list[Item], behind: list[Item]) -> None:
    every = [(whole, at) for whole in (items, behind) for at in range(len(whole))]
    whole, at = r.choice(every)
    item = whole[at]
    match item:
        case ("barrier",) | ("fence", _, _) if r.random() < .4:
            del whole[at]
        case ("barrier",):
            if at + 1 < len(items) and whole is items:
                items[at], items[at + 1] = items[at + 1], items[at]
        case ("fence", who, kind):
            whole[at] = ("fence", r.choice(["all", "0", "1"]), r.choice([kind, "sc", "acq_rel", "narrow"]))
        case ("count", who, _) if r.random() < .5:
            whole[at] = ("count", r.choice(["0", "1", "all"]), "1")
        case ("count", who, _):
            whole[at] = ("count", who, r.choice(["1", "2"]))
        case ("read" | "store" as what, who):
            whole[at] = (what, r.choice(["all", "0", "1"]))
    if r.random() < .2:
        items.insert(r.randrange(len(items) + 1), ("fence", r.choice(["all", "0", "1"]), r.choice(["sc", "acq_rel", "narrow"])))


@dataclass
class Thread:
    """`known`: events before it; `sealed`: what those fences knew that are sequentially consistent, and behind which observations
    put it; `seen`: what it has read of release patterns and not yet acquired; `released`: what it knew at its last fence. `at`:
    the next item; `within`: the next of those behind the flag; `waits`: at a barrier."""

    block: int
    number: int
    known: frozenset[int] = frozenset()
    sealed: frozenset[int] = frozenset()
    seen: frozenset[int] = frozenset()
    released: frozenset[int] = frozenset()
    at: int = 0
    within: int | None = None
    waits: bool = False
    done: bool = False


@dataclass
class Simulation:
    """One interleaving. `cells`: of each cell its accesses so far, an event, whose, and whether it writes."""

    items: list[Item]
    behind: list[Item]
    threads: list[Thread] = field(default_factory=lambda: [Thread(b, t) for b in range(BLOCKS) for t in range(THREADS)])
    cells: dict[Any, list[tuple[int, Thread, bool]]] = field(default_factory=dict)
    events: int = 0
    count: int = 0
    published: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    last: dict[int, bool] = field(default_factory=dict)
    races: bool = False

    def touch(self, thread: Thread, cell: Any, *, writes: bool) -> None:
        for event, other, wrote in self.cells.setdefault(cell, []):
            if other is not thread and (writes or wrote) and event not in thread.known:
                self.races = True
        self.events += 1
        thread.known |= {self.events}
        self.cells[cell].append((self.events, thread, writes))

    def meet(self, block: int) -> None:
        mates = [thread for thread in self.threads if thread.block == block]
        if all(mate.waits for mate in mates):
            known = frozenset().union(*(mate.known for mate in mates))
            sealed = frozenset().union(*(mate.sealed for mate in mates))
            for mate in mates:
                mate.known, mate.sealed, mate.waits = known, sealed, False
                mate.at += 1

    def run(self, r: random.Random) -> bool:
        while not self.races:
            ready = [thread for thread in self.threads if not thread.waits and not thread.done]
            if not ready:
                break
            self.step(r.choice(ready))
        return self.races

    def step(self, thread: Thread) -> None:
        if thread.within is None and thread.at < len(self.items):
            item = self.items[thread.at]
            if item == ("barrier",):
                thread.waits = True
                self.meet(thread.block)
                return
            thread.at += 1
        elif thread.within is None:
            self.touch(thread, ("last", thread.block), writes=False)
            thread.within, thread.done = 0, not self.last.get(thread.block, False)
            return
        elif thread.within < len(self.behind):
            item = self.behind[thread.within]
            thread.within += 1
        else:
            thread.done = True
            return
        if item[1] in ("all", str(thread.number)):
            self.act(thread, item)

    def act(self, thread: Thread, item: Item) -> None:
        match item:
            case ("store", _):
                self.touch(thread, ("part", thread.block * 2 + thread.number), writes=True)
            case ("read", _):
                for at in range(BLOCKS * THREADS):
                    self.touch(thread, ("part", at), writes=False)
            case ("fence", _, "sc" | "acq_rel" as kind):
                thread.known |= thread.seen | (thread.sealed if kind == "sc" else frozenset())
                thread.released = thread.known
                thread.sealed |= thread.known if kind == "sc" else frozenset()
            case ("count", _, wanted):
                thread.seen |= self.published[0]
                thread.sealed |= self.published[1]
                self.published = self.published[0] | thread.released, self.published[1] | thread.sealed
                self.count += 1
                self.touch(thread, ("last", thread.block), writes=True)
                self.last[thread.block] = self.count - 1 == BLOCKS - int(wanted)


def is_racy(program: tuple[list[Item], list[Item]], seed: int, tries: int = 400) -> bool:
    r = random.Random(seed)
    return any(Simulation(*program).run(r) for _ in range(tries))


def test_the_judge_knows_the_pattern() -> None:
    good: tuple[list[Item], list[Item]] = (
        [("store", "all"), ("fence", "all", "sc"), ("barrier",), ("count", "0", "1"), ("barrier",)],
        [("fence", "all", "sc"), ("read", "all")])
    assert not is_racy(good, 1)
    for whole, at, instead in ((0, 1, ()), (0, 2, ()), (0, 4, ()), (1, 0, ()), (0, 1, (("fence", "0", "sc"),)),
                               (0, 1, (("fence", "all", "acq_rel"),)), (0, 3, (("count", "0", "2"),))):
        bad = ([*good[0]], [*good[1]])
        bad[whole][at:at + 1] = instead
        assert is_racy(bad, 1), (whole, at, instead)


@pytest.mark.drawn(30)
def test_random_programs(seed: int, run: Run, kernel_file: Any) -> None:
    """None that races in some order is proved; none that never does is refuted."""
    program = drawn(random.Random(seed))
    record = run("check", kernel_file(text(*program)), "--format", "jsonl").records[0]
    racy = is_racy(program, seed)
    assert record["properties"]["race-free"] != ("proved" if racy else "refuted"), text(*program)


RESET = """// spmd: block=2 grid=3 require count[0] == 0
__global__ void k(int *part, unsigned *count, int *out) {{
  __shared__ bool last;
  part[blockIdx.x * 2 + threadIdx.x] = 1;
  __threadfence(); __syncthreads();
  {counted} __syncthreads();
  if ({test}) {{ __threadfence(); out[threadIdx.x] = part[threadIdx.x]; if (threadIdx.x == 1) count[0] = 0; }}
}}
"""
COUNTED = "if (threadIdx.x == 0) last = atomicAdd(count, 1u) == {};"


@pytest.mark.parametrize(("counted", "test", "wrong"), [
    ("gridDim.x - 1", "last", {"refuted"}), ("gridDim.x - 2", "last", {"proved", "unknown"}),
    ("gridDim.x - 1", "blockIdx.x == 1", {"proved"}), ("0", "last", {"proved", "unknown"}),
])
def test_a_counter_that_is_set_back(counted: str, test: str, wrong: set[str], run: Run, kernel_file: Any) -> None:
    """The last block has seen what all others have counted: no race is confirmed there. One that is not the last has not."""
    text = RESET.format(counted=COUNTED.format(counted), test=test)
    record = run("check", kernel_file(text), "--format", "jsonl").records[0]
    assert record["properties"]["race-free"] not in wrong, record
