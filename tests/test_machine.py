"""The plain machine: schedules, barriers, conflicts, C's arithmetic. What it says is judged by the oracle."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from oracle import ORDER, RACE, SAME, Access, Triple, flat
from oracle import Launch as Truth

from automata.arithmetic import Value
from automata.lang.core import Kernel, Space
from automata.lang.launch import Launch
from automata.lang.read import find_kernels
from automata.machine.lanes.compiled import overflowed
from automata.machine.numbers.values import Concrete
from automata.machine.running.run import Options, Program
from automata.machine.state import shadow, stamps
from automata.machine.state.clock import Clock
from automata.machine.state.outcome import Conflict, Divergence, Outcome, Setting, Touch
from automata.machine.state.schedule import Schedule
from automata.proof.known.context import known_numbers, prepare
from automata.rewriting.lower import lower
from automata.scalar import I32, I64, U32, U64, Scalar
from automata.thread.build import build
from automata.thread.segments import is_acyclic, segments
from automata.verdict import Actor


def program(text: str, folder: Path) -> Program:
    path = folder / "k.cu"
    path.write_text(text)
    kernel = find_kernels(str(path))[0].read()
    return Program(build(lower(kernel, known_numbers(prepare(kernel, Launch())))))


def launch(text: str, folder: Path, *, block: int = 4, grid: int = 2, **scalars: Value) -> Outcome:
    setting = Setting((grid, 1, 1), (block, 1, 1), scalars, initial=lambda array, index: 100 + index)
    return program(text, folder).run(setting)


def test_reversal_through_shared_memory(tmp_path: Path) -> None:
    text = ("__global__ void k(int *o) { __shared__ int s[4]; int t = threadIdx.x; s[3 - t] = t; __syncthreads();"
            " o[blockIdx.x * 4 + t] = s[t]; }")
    outcome = launch(text, tmp_path)
    assert outcome.contents("o") == {0: 3, 1: 2, 2: 1, 3: 0, 4: 3, 5: 2, 6: 1, 7: 0}
    assert not outcome.conflicts and not outcome.divergences


def test_missing_barrier_is_a_conflict_of_two_threads(tmp_path: Path) -> None:
    text = "__global__ void k(int *o) { __shared__ int s[4]; int t = threadIdx.x; s[3 - t] = t; o[t] = s[t]; }"
    conflicts = launch(text, tmp_path, grid=1).conflicts
    assert conflicts and all(item.first.actor != item.second.actor for item in conflicts)


def test_blocks_conflict_across_barriers(tmp_path: Path) -> None:
    text = "__global__ void k(int *o) { if (blockIdx.x == 0) o[0] = 1; __syncthreads(); if (blockIdx.x == 1) o[0] = 2; }"
    assert launch(text, tmp_path, block=1).conflicts


def test_divergence_names_who_waits_and_who_has_gone(tmp_path: Path) -> None:
    text = "__global__ void k(int *o) { if (threadIdx.x == 2) return; __syncthreads(); o[threadIdx.x] = 1; }"
    (found, *_) = launch(text, tmp_path, grid=1).divergences
    assert found.absent.thread == (2, 0, 0) and found.other is None


def test_integers_wrap_and_divide_as_in_c(tmp_path: Path) -> None:
    text = ("__global__ void k(int *o, int a, unsigned u) { o[0] = a / 4; o[1] = a % 4; o[2] = a >> 1; o[3] = u - 1u > 5u;"
            " signed char c = 200; o[4] = c; o[5] = (unsigned short)(a); o[6] = a < u; }")
    outcome = launch(text, tmp_path, block=1, grid=1, a=-7, u=0)
    assert outcome.contents("o") == {0: -1, 1: -3, 2: -4, 3: 1, 4: -56, 5: 65529, 6: 0}


def test_unrolled_loops_give_an_acyclic_automaton_cut_at_its_barriers(tmp_path: Path) -> None:
    text = ("__global__ void k(int *o) { __shared__ int s[8]; for (int i = 0; i < 3; i++) { s[threadIdx.x] = i;"
            " __syncthreads(); } o[threadIdx.x] = s[0]; }")
    automaton = program(text, tmp_path).automaton
    assert is_acyclic(automaton)
    assert [part.number for part in segments(automaton)] == [0, 1, 2, 3]


# -- judged by the oracle -------------------------------------------------------------------------

SCHEDULES = (Schedule(), Schedule("reversed"), Schedule("sequential"), Schedule("threads", 1), Schedule("warps", 2),
             Schedule("ahead", 0, ((0, 1),)))


@dataclass(frozen=True)
class Finding:
    """Where the machine and the oracle differ. `said`, `true`: what each has to say of an array; `told`: how many conflicts
    the machine has told of in all."""

    what: str
    array: str = ""
    said: frozenset[str] = frozenset()
    true: frozenset[str] = frozenset()
    detail: str = ""
    told: int = 0

    @property
    def kind(self) -> tuple[object, ...]:
        return self.what, self.said, self.true

    def __str__(self) -> str:
        sides = f": machine {sorted(self.said)}, oracle {sorted(self.true)}" if self.what in ("verdict", "order") else ""
        return f"{self.what} {self.array}{sides} {self.detail}"


def disagreements(truth: Truth, outcome: Outcome, *, exact: bool = True) -> list[Finding]:
    """All that is not as the oracle has it. `exact`: values do not depend on racy reads."""
    found, said = [], defaultdict(set)
    exact &= not (truth.copies and any(RACE in truth.judged(name) for name in truth.arrays))
    for conflict in outcome.conflicts:
        said[conflict.array].add(SAME if conflict.same_value else conflict.rule)
        found += named(truth, conflict, exact)
    for name in truth.arrays:
        true, mine = truth.judged(name), frozenset(said[name])
        one, other = worst(mine), worst(true)
        if one != other and (exact or not (one and other)):
            found.append(Finding("verdict", name, mine, frozenset(true), told=len(outcome.conflicts)))
        elif other != RACE and (ORDER in mine) != (ORDER in true):
            found.append(Finding("order", name, mine, frozenset(true)))
    if outcome.unexplained:
        found.append(Finding("unexplained"))
    found += [*divergences(truth, outcome), *outside(truth, outcome), *unwritten(truth, outcome)]
    if not truth.stuck and not any({RACE, ORDER} & truth.judged(name) for name in truth.arrays):
        found += contents(truth, outcome)
    return found


def worst(rules: set[str] | frozenset[str]) -> str | None:
    return RACE if RACE in rules else SAME if SAME in rules else None


def who(truth: Truth, actor: Actor) -> tuple[int, int]:
    return flat(actor.block, truth.grid), flat(actor.thread, truth.block)


def named(truth: Truth, conflict: Conflict, exact: bool) -> Iterator[Finding]:
    """Whether the accesses that a conflict names are one."""
    block, _ = who(truth, conflict.second.actor)
    cell = conflict.array, block if truth.arrays[conflict.array].space is Space.SHARED else -1, conflict.index

    def is_named(access: Access, touch: Touch) -> bool:
        own = who(truth, touch.actor)
        is_actor = access.who[:2] == own or (access.who[2] > 0 and access.who[0] == own[0])
        return is_actor and access.writes == touch.is_write and access.place == touch.place

    mine = SAME if conflict.same_value else conflict.rule
    true = truth.pairs(cell, lambda access: is_named(access, conflict.first), lambda access: is_named(access, conflict.second))
    if mine not in true and (exact or not true - {ORDER}):
        yield Finding("pair", conflict.array, frozenset({mine}), frozenset(true), str(conflict))


def divergences(truth: Truth, outcome: Outcome) -> Iterator[Finding]:
    nameless = {(who(truth, item.waiting), item.barrier) for item in outcome.divergences if item.is_nameless}
    if not nameless <= truth.nameless or bool(nameless) != bool(truth.nameless):
        yield Finding("nameless", detail=f"{nameless}, truly {truth.nameless}")
    met = [item for item in outcome.divergences if not item.is_nameless]
    mine = {who(truth, item.waiting)[0] for item in met}
    if mine != {block for block, _ in truth.stuck}:
        yield Finding("divergence", detail=f"of blocks {mine}, truly of {sorted(truth.stuck)}")
    for item in met:
        if not waits_for(truth, item):
            yield Finding("who diverges", detail=str(item))


def waits_for(truth: Truth, item: Divergence) -> bool:
    """Whether the one thread waits where it is said to, and the other is one that it waits for."""
    waiting, absent = who(truth, item.waiting), who(truth, item.absent)
    wait, other = truth.stuck.get(waiting), truth.stuck.get(absent)
    if wait is None or wait.stmt.place != item.barrier or (item.other is None) != (other is None):
        return False
    if wait.scope == "warp":
        is_named = waiting[0] == absent[0] and waiting[1] // 32 == absent[1] // 32 and bool(wait.mask >> absent[1] % 32 & 1)
        elsewhere = (truth.is_awaited(truth.blocks[absent[0]][absent[1]], wait.stmt) if other is None
                     else other.stmt is not wait.stmt or other.mask != wait.mask)
        return is_named and elsewhere
    return other is None or other.stmt is not wait.stmt or other.rounds != wait.rounds


def outside(truth: Truth, outcome: Outcome) -> Iterator[Finding]:
    mine = set()
    for item in outcome.out_of_bounds:
        at = item.index[0] if len(item.index) == 1 else item.index[0] * (truth.arrays[item.array].dims[1] or 0) + item.index[1]
        mine.add((item.what, *who(truth, item.actor), item.array, at, item.place))
    if not mine <= truth.outside or (truth.outside and not mine):
        yield Finding("outside", detail=str(mine ^ truth.outside))


def unwritten(truth: Truth, outcome: Outcome) -> Iterator[Finding]:
    """Reads of shared cells that no write comes before: for sure those that in every order none does."""
    mine = {(*who(truth, item.actor), item.array, item.index[0], item.place) for item in outcome.uninitialised}
    surely, perhaps = set(), set()
    for (name, block, index), accesses in truth.log.items():
        for at, read in enumerate(accesses):
            if read.writes or read.who[2] or truth.arrays[name].space is not Space.SHARED:
                continue
            if not any(write.writes and read.knew(write) for write in accesses[:at]):
                perhaps.add((block, read.who[1], name, index, read.place))
                if all(not write.writes or write.knew(read) or read.knew(write) for write in accesses):
                    surely.add((block, read.who[1], name, index, read.place))
    if not mine <= perhaps or (surely and not mine):
        yield Finding("unwritten", detail=f"{mine - perhaps} or {surely}")


def contents(truth: Truth, outcome: Outcome) -> Iterator[Finding]:
    for name in outcome.written:
        if truth.arrays[name].space is Space.GLOBAL:
            wrong = [at for at, value in outcome.contents(name).items() if value != truth.content((name, -1, at))]
            if wrong:
                yield Finding("contents", name, detail=f"at {wrong[0]}")


@contextmanager
def short_clock() -> Iterator[Counter[str]]:
    """Stamps with four bits for the time, so that it runs out. What comes: how often which way out was taken."""
    ran: Counter[str] = Counter()
    prepared = Clock.__post_init__

    def narrow(clock: Clock) -> None:
        prepared(clock)
        clock.id_bits = 32 - stamps.FLAG_BITS - 4

    with ExitStack() as stack:
        stack.enter_context(patch.object(Clock, "__post_init__", narrow))
        stack.enter_context(patch.object(stamps, "SHORTEST_CLOCK", 4))
        for kind, name in ((shadow.Shadow, "make_room"), (shadow.Shadow, "promote"), (Clock, "shift_back"), (Clock, "restart")):
            def counted(*args: object, _run: object = getattr(kind, name), _name: str = name) -> object:
                ran[_name] += 1
                return _run(*args)  # type: ignore[operator]

            stack.enter_context(patch.object(kind, name, counted))
        yield ran


@dataclass(frozen=True)
class Way:
    """How a program is run. `short`: with a short clock."""

    schedule: Schedule
    lanes: int = 1 << 15
    short: bool = False


@dataclass(frozen=True)
class Run:
    """A kernel at a launch. `exact`: no value depends on what is read."""

    kernel: Kernel
    grid: Triple
    block: Triple
    extents: dict[str, int]
    exact: bool = True

    def truth(self) -> Truth:
        return Truth(self.kernel, self.grid, self.block, extents=self.extents, initial=lambda array, at: 100 + at).play()

    def outcome(self, way: Way) -> Outcome:
        setting = Setting(self.grid, self.block, extents=self.extents, initial=lambda array, index: 100 + index)
        with short_clock() if way.short else nullcontext():
            return Program(build(self.kernel)).run(setting, Options(schedule=way.schedule, batch_lanes=way.lanes))

    def judge(self, truth: Truth, way: Way) -> list[Finding]:
        try:
            return disagreements(truth, self.outcome(way), exact=self.exact)
        except (OverflowError, IndexError) as error:
            return [Finding("crash", detail=repr(error))]


IN_CUDA = "__global__ void k(int *g, int *o) { __shared__ int s[8]; int t = threadIdx.x, b = blockIdx.x; "
IN_GRID = "#include <cooperative_groups.h>\n" + IN_CUDA + "auto grid = cooperative_groups::this_grid(); "
IN_OPENCL = ("__kernel void k(__global int *g, __global const int *h, __global int *o) { __local int s[8]; event_t e;"
             " int t = get_local_id(0), b = get_group_id(0); ")
COPY = "e = async_work_group_copy(s, h, 4, 0); "
WAIT = "wait_group_events(1, &e); "
OTHERS = "for (int i = 0; i < 20; i++) "
Case = tuple[int, int, str, str]
KEPT: dict[str, Case] = {
    "a block's barriers order its threads": (1, 4, "s[t] = t; __syncthreads(); o[t] = s[t ^ 1];", ""),
    "a block's barriers order no other block": (2, 2, "if (b) g[0] = t; __syncthreads(); if (!b) o[t] = g[0];", "g: race"),
    "a grid barrier orders all": (2, 2, "if (t == 0) g[b] = 1; grid.sync(); if (t == 0) o[b] = g[1 - b];", ""),
    "a local fence orders no global memory": (1, 2, "g[t] = t; barrier(CLK_LOCAL_MEM_FENCE); o[t] = g[1 - t];", "g: race"),
    "warps are not in lock step": (1, 32, "s[t / 4] = t; o[t] = s[t / 4];", "s: race"),
    "a warp barrier orders the lanes it names": (1, 4, "if (!t) s[0] = 1; if (t < 2) __syncwarp(3); o[t] = s[0];", "s: race"),
    "what lanes know passes on": (1, 4, "if (t == 0) s[0] = 1; if (t < 2) __syncwarp(3); if (t == 1 || t == 2) __syncwarp(6);"
                                  " if (t == 2) s[0] = 2;", ""),
    "tiles read, then their first lanes write": (1, 16, "int m = 0xf << (t / 4 * 4); if (t % 4 == 0) s[t / 4] = 1; __syncwarp(m);"
                                                 " o[t] = s[t / 4]; __syncwarp(m); if (t % 4 == 0) s[t / 4] = 2;", ""),
    "a vote orders no memory": (1, 32, "if (t == 0) s[0] = 1; __ballot_sync(0xffffffff, t); o[t] = s[0];", "s: race"),
    "the same value": (1, 4, "s[0] = 7;", "s: same-value"),
    "updates of one family": (2, 4, "atomicAdd(&g[0], t); atomicSub(&g[0], 1);", ""),
    "updates of two families": (1, 4, "atomicAdd(&g[0], 1); atomicMax(&g[0], 2);", "g: atomic-order"),
    "a result is used": (1, 4, "o[t] = atomicAdd(&g[0], 1);", "g: atomic-order"),
    "update and plain write": (1, 2, "if (t == 0) s[0] = 0; atomicAdd(&s[0], 1);", "s: race"),
    "a copy that is waited for": (1, 4, COPY + WAIT + "o[t] = s[t];", ""),
    "lanes that have ended are not waited for": (1, 8, "if (t == 2) return; __syncwarp(); o[t] = 1;", ""),
    "an exit before a barrier": (2, 4, "if (t == 2) return; __syncthreads();", "diverges"),
    "different barriers": (1, 4, "if (t % 2) __syncthreads(); else __syncthreads();", "diverges"),
    "different rounds": (1, 4, "for (int i = 0; i <= t; i++) __syncthreads();", "diverges"),
    "a warp barrier that names a lane elsewhere": (1, 4, "if (t == 0) __syncwarp(3); else __syncthreads();", "diverges"),
    "narrow updates of two blocks at once": (2, 2, "if (t == 0) atomicAdd_block(&g[0], 5);", "g: race"),
    "a copy, a read": (1, 4, COPY + "o[t] = s[t]; " + WAIT, "s: race"),
    "a copy, a barrier, a read": (1, 4, COPY + "barrier(1); o[t] = s[t]; " + WAIT, "s: race"),
    "a write, a copy of it": (1, 4, "s[t] = t; e = async_work_group_copy(g, s, 4, 0); " + WAIT, "s: race"),
    "a copy, a barrier, its source written": (1, 4, "s[t] = t; barrier(1); e = async_work_group_copy(g, s, 4, 0); barrier(1);"
                                              " s[t] = 7; " + WAIT, "s: race"),
}
BROKEN: dict[str, Case] = {
    "own updates of two families": (1, 2, "if (t == 0) atomicMax(&g[0], 5); atomicAdd(&g[0], 1);", "g: atomic-order"),
    "an earlier family, and another block": (2, 2, "if (t == 0 && b == 0) atomicMax(&g[0], 5); __syncthreads();"
                                             " if (t == 1) atomicAdd(&g[0], 1);", "g: atomic-order"),
    "an earlier result, and another block": (2, 2, "if (t == 0 && b == 0) o[0] = atomicAdd(&g[0], 5); __syncthreads();"
                                             " if (t == 1) atomicAdd(&g[0], 1);", "g: atomic-order"),
    "an earlier narrow update, and another block": (2, 2, "if (t == 0 && b == 0) atomicAdd_block(&g[0], 5); __syncthreads();"
                                                    " if (t == 1) atomicAdd(&g[0], 1);", "g: race"),
    "update and plain write, one value": (1, 2, "if (t == 0) atomicExch(&s[0], 1); if (t == 1) s[0] = 1;", "s: race"),
    "the same value, but another before": (1, 2, "if (!t) { s[0] = 1; s[0] = 2; } if (t) s[0] = 2;", "s: race same-value"),
    "updates, a warp barrier, a read": (1, 32, "if (t == 0) s[0] = 0; __syncwarp(); atomicAdd(&s[0], 1); __syncwarp();"
                                        " if (t == 0) o[0] = s[0];", ""),
    "the same value, a warp barrier, reads": (1, 32, "s[0] = 1; __syncwarp(); o[t] = s[0];", "s: same-value"),
    "a part of a warp reads, a warp barrier, a write": (1, 20, "if (t == 0) s[0] = 1; __syncwarp(); o[t] = s[0]; __syncwarp();"
                                                        " if (t == 0) s[0] = 2;", ""),
    "a sub-group's local fence": (1, 4, "g[t] = t; sub_group_barrier(CLK_LOCAL_MEM_FENCE); o[t] = g[t ^ 1];", "g: race"),
    "a copy, its source read, then written": (1, 4, "e = async_work_group_copy(s, g, 4, 0); barrier(3); o[t] = g[t];"
                                              " barrier(3); g[t] = 7; " + WAIT, "g: race"),
    "two rounds of a copy to one place": (1, 4, OTHERS + COPY.replace("h,", "h + i,"), "s: race"),
    "an event that goes to another copy": (1, 4, COPY + "e = async_work_group_copy(s + 4, h, 4, 0); " + WAIT + "o[t] = s[t];",
                                           "s: race"),
    "an event for two copies": (1, 4, COPY + "async_work_group_copy(s + 4, h, 4, e); " + WAIT + "o[t] = s[t] + s[4 + t];", ""),
    "a copy waited for, then many barriers": (1, 4, "e = async_work_group_copy(g, h, 4, 0); " + WAIT + OTHERS + "barrier(3);"
                                              " g[t] = 0;", ""),
    "a grid barrier, then many barriers": (2, 2, "if (t == 0) g[b] = 1; grid.sync(); " + OTHERS + "__syncthreads();"
                                           " if (t == 0) o[b] = g[1 - b];", ""),
    "shared memory written, a grid barrier, many barriers, a read": (
        2, 2, "s[t] = b; grid.sync(); " + OTHERS + "__syncthreads(); o[b * 2 + t] = s[1 - t];", ""),
    "a copy waited for between two reads of its source, then written": (
        1, 2, "o[t] = g[t]; e = async_work_group_copy(s, g, 2, 0); " + WAIT + "o[t] = g[t]; g[t] = 7;", ""),
    "more batches than the clock has times": (20, 2, "g[2 * b + t] = 1;", ""),
    "many warp barriers, then other blocks": (40, 2, "s[t] = 1; " + OTHERS + "__syncwarp(); o[b * 2 + t] = s[t];", ""),
    "many conflicts, then one in another array": (40, 2, "s[0] = t; if (b == 39) g[0] = t;", "g: race s: race"),
    "a dynamic array that grows": (3, 33, "extern __shared__ int d[]; d[t * 40] = 0; __syncthreads(); d[t % 2] = t;", "d: race"),
    "a barrier, then out of the loop, in different rounds": (
        1, 4, "for (int i = 0; i < 4; i++) if (i == t) { __syncthreads(); break; }", "diverges"),
    "a grid barrier in different rounds": (1, 4, "for (int i = 0; i < 4; i++) if (i == t) grid.sync();", "diverges"),
}


def run_of(name: str, folder: Path) -> Run:
    grid, block, body, _ = {**KEPT, **BROKEN}[name]
    is_opencl = any(word in body for word in ("barrier(", "async_")) and "grid" not in body
    path = folder / ("k.cl" if is_opencl else "k.cu")
    path.write_text((IN_OPENCL if is_opencl else IN_GRID if "grid" in body else IN_CUDA) + body + " }")
    return Run(find_kernels(str(path))[0].read(), (grid, 1, 1), (block, 1, 1), {"g": 64, "h": 64, "o": 256})


@pytest.mark.parametrize("name", [*KEPT, *BROKEN])
def test_the_oracle_says_what_the_words_mean(name: str, tmp_path: Path) -> None:
    truth = run_of(name, tmp_path).truth()
    rules = {array: " ".join(sorted(truth.judged(array))) for array in sorted(truth.arrays)}
    said = " ".join([f"{array}: {rule}" for array, rule in rules.items() if rule] + ["diverges"] * bool(truth.stuck))
    assert said == {**KEPT, **BROKEN}[name][-1]


@pytest.mark.parametrize("name", [*KEPT, *BROKEN])
def test_the_machine_says_what_the_oracle_says(name: str, tmp_path: Path) -> None:
    run = run_of(name, tmp_path)
    truth = run.truth()
    for way in (Way(schedule, lanes, short) for schedule in SCHEDULES for lanes in (1, 1 << 15) for short in (False, True)):
        assert not list(run.judge(truth, way)), way


def test_an_update_over_smaller_elements_carries_and_hands_back(tmp_path: Path) -> None:
    text = ("__global__ void k(int *o, unsigned *old) { __shared__ unsigned short s[4]; int t = threadIdx.x;"
            " s[t] = t ? 0 : 65534; __syncthreads();"
            " if (t < 3) old[t] = atomicAdd((unsigned *)s, 1); else atomicMax((unsigned *)(s + 2), 70000u);"
            " __syncthreads(); o[t] = s[t]; }")
    found = program(text, tmp_path)
    for schedule, order in ((Schedule(), (0, 1, 2)), (Schedule("reversed"), (2, 1, 0))):
        outcome = found.run(Setting((1, 1, 1), (4, 1, 1)), Options(schedule))
        assert outcome.contents("o") == {0: 1, 1: 1, 2: 4464, 3: 1}
        assert {index: value - 65534 for index, value in outcome.contents("old").items()} == {
            thread: turn for turn, thread in enumerate(order)}
        assert {item.rule for item in outcome.conflicts} == {ORDER}
    assert not program(text.replace("old[t] = ", ""), tmp_path).run(Setting((1, 1, 1), (4, 1, 1))).conflicts


def test_an_index_beyond_signed_numbers_lies_outside(tmp_path: Path) -> None:
    text = "__global__ void k(const int *in, int *o, unsigned long n) { o[threadIdx.x] = in[n - 1]; }"
    outcome = program(text, tmp_path).run(Setting((1, 1, 1), (2, 1, 1), {"n": 0}, extents={"in": 8, "o": 2}))
    assert {event.array for event in outcome.out_of_bounds} == {"in"}


@pytest.mark.parametrize("kind", [I32, U32, I64, U64], ids=str)
@pytest.mark.parametrize("op", ["+", "-", "*"])
def test_one_value_for_all_lanes_overflows_where_an_array_of_it_does(op: str, kind: Scalar) -> None:
    """And where the exact result does not fit."""
    ends = [kind.low, kind.low + 1, kind.low // 2, -1, 0, 1, 2, 46341, 65536, kind.high // 2, kind.high // 2 + 1, kind.high]
    values = Concrete()
    for one, two in product([end for end in ends if kind.holds(end)], repeat=2):
        exact = one + two if op == "+" else one - two if op == "-" else one * two
        left, right = values.constant(one, kind), values.constant(two, kind)
        with np.errstate(over="ignore"):
            alone = overflowed(op, left, right, values.binary(op, left, right, kind), kind)
            many = [np.array([each, each]) for each in (left, right)]
            every_lane = overflowed(op, *many, values.binary(op, *many, kind), kind)
        assert bool(alone) is (not kind.holds(exact)) and every_lane.tolist() == [bool(alone)] * 2, (one, two)
