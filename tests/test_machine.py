"""The plain machine: schedules, barriers, conflicts, C's arithmetic."""

from __future__ import annotations

from pathlib import Path

from automata.arithmetic import Value
from automata.lang.launch import Launch
from automata.lang.lower import lower
from automata.lang.read import find_kernels
from automata.machine.outcome import Outcome, Setting
from automata.machine.run import Program
from automata.proof.context import known_numbers, prepare
from automata.thread.build import build
from automata.thread.segments import is_acyclic, segments


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
