"""Which runs come first: schedules that take little time at all launches before the others; and what is run of large grids."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from automata.lang.launch import Launch
from automata.lang.read import find_kernels
from automata.machine.running.run import Options, Program
from automata.machine.state.fill import Fill, drawn_from
from automata.machine.state.outcome import Outcome, Setting
from automata.machine.state.schedule import CANONICAL, Schedule
from automata.proof.evidence import Shown, Uncovered, conclude
from automata.proof.known.context import known_numbers, prepare
from automata.proof.runs.tested import runs
from automata.proof.witness.caution import Caution
from automata.proof.witness.reordered import QUICK, SLOW, order_that_shows
from automata.proof.witness.setting import setting_at
from automata.rewriting.lower import lower_for_runs
from automata.thread.build import build

COMPACT = """__global__ void compact(const float *x, int *out, int *count) {
  __shared__ int begin;
  if (threadIdx.x == 0) begin = atomicAdd(count, 4);
  __syncthreads();
  if (x[blockIdx.x] < 0) out[begin + threadIdx.x] = blockIdx.x;
}"""
POSITIVE, NEGATIVE = drawn_from((1.0, 2.0)), drawn_from((-1.0, -2.0))


@pytest.mark.parametrize(("fills", "wanted"), [
    ((POSITIVE, NEGATIVE), QUICK), ((POSITIVE, POSITIVE), (*QUICK, *QUICK, *SLOW, *SLOW))])
def test_quick_schedules_come_first_at_all_launches(fills: tuple[Fill, ...], wanted: tuple[Schedule, ...],
                                                    kernel_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = find_kernels(str(kernel_file(COMPACT)), None)[0].read()
    context = prepare(kernel, Launch((4, 1, 1), (4, 1, 1), {}))
    tried: list[Schedule] = []
    run = Program.run

    def noted(program: Program, setting: Setting, options: Options) -> Outcome:
        if options.schedule != CANONICAL:
            tried.append(options.schedule)
        return run(program, setting, options)

    monkeypatch.setattr(Program, "run", noted)
    program = Program(build(lower_for_runs(kernel, known_numbers(context))))
    settings = (setting_at(context, {}, fill) for fill in fills)
    found = order_that_shows(Caution(program), settings, Options(), is_race_free=True)
    assert (found is not None) == (NEGATIVE in fills)
    assert tuple(tried[-len(wanted):]) == wanted and len(tried) == len(wanted) + (len(QUICK) if NEGATIVE in fills else 0)


PICK = """__global__ void pick(const float *x, int *out, int n) {
  __shared__ int found;
  for (int r = blockIdx.x; r < n; r += gridDim.x) {
    if (x[r * 256 + threadIdx.x] > 0) found = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) out[r] = found;
    __syncthreads();
  }
}"""


@pytest.mark.parametrize("grid", [4, 4096])
def test_a_large_grid_is_run_in_part_though_arguments_are_open(grid: int, kernel_file: Callable[..., Path]) -> None:
    kernel = find_kernels(str(kernel_file(PICK)), None)[0].read()
    nothing_known = conclude(kernel.name, [Uncovered("not looked at", None, 2)])
    shown = [item for item in runs(nothing_known, kernel, Launch((grid, 1, 1), (256, 1, 1), {})) if isinstance(item, Shown)]
    assert [finding.rule for item in shown for finding in item.findings] == ["race"]
    assert shown[0].sizes["n"] > 0
