"""Sizes along one axis that a kernel never reads: blocks of one row in grids of many, launches that have more; what runs try."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from automata.lang.launch import Launch
from automata.lang.read import find_kernels
from automata.proof.evidence import Shown, Uncovered, conclude
from automata.proof.runs.tested import runs

Write = Callable[[str], Path]
ROWS = """__global__ void turned(const float *a, float *b) {
    __shared__ float s[64];
    int row = blockIdx.y * gridDim.x + blockIdx.x;
    s[threadIdx.x] = a[row * 64 + threadIdx.x];
    __syncthreads();
    b[row * 64 + threadIdx.x] += s[63 - threadIdx.x];
}
"""
LAUNCHED = "void run(const float *a, float *b, int rows) { turned<<<dim3(8, rows), %s>>>(a, b); }\n"
ALONE = """__global__ void raised(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}
void run(float *x, int n) { raised<<<(n + 31) / 32, %s>>>(x, n); }
"""
WITH_EXTENT = ("--require", "blockDim.x == 64")


def checked(run: Run, write: Write, text: str, *args: str) -> dict[str, Any]:
    (record,) = run("check", write(text), *args, "--format", "jsonl").records
    return record


def test_blocks_of_one_row_in_a_grid_of_many(run: Run, kernel_file: Write) -> None:
    record = checked(run, kernel_file, ROWS, *WITH_EXTENT)
    assert record["verdict"] == "proved"
    assert "sizes the kernel never reads are 1: blockDim.y, blockDim.z, gridDim.z" in record["assumptions"]
    assert checked(run, kernel_file, ROWS.replace("    __syncthreads();\n", ""), *WITH_EXTENT)["verdict"] == "refuted"


def test_threads_of_many_rows_may_be_in_many_rows_of_blocks(run: Run, kernel_file: Write) -> None:
    text = ROWS.replace("blockIdx.y", "threadIdx.y").replace("s[64]", "s[1]")
    record = checked(run, kernel_file, text)
    assert any("never reads are 1: blockDim.z, gridDim.z" in each for each in record["assumptions"])


@pytest.mark.parametrize(("block", "verdict"), [("64", "proved"), ("dim3(64, 1)", "proved"), ("dim3(64, 2)", "refuted")])
def test_a_launch_of_the_program_with_more_rows(run: Run, kernel_file: Write, block: str, verdict: str) -> None:
    assert checked(run, kernel_file, ROWS + LAUNCHED % block)["verdict"] == verdict


@pytest.mark.parametrize(("block", "verdict"), [("32", "proved"), ("dim3(32, 1)", "proved"), ("dim3(32, 2)", "refuted")])
def test_a_launch_with_rows_where_none_are_read(run: Run, kernel_file: Write, block: str, verdict: str) -> None:
    """For all sizes it is proved, with one row: a program that launches more of them is told."""
    assert checked(run, kernel_file, ALONE % block)["verdict"] == verdict


LANES = """__global__ void summed(const float *a, float *b, int count) {
    __shared__ float s[512];
    for (int i = blockIdx.y * gridDim.x + blockIdx.x; i < count; i += gridDim.y * gridDim.x) {
        s[threadIdx.x] = 0;
        for (int j = threadIdx.x; j < count; j += blockDim.x) s[threadIdx.x] += a[i * count + j];
        __syncthreads();
        if (blockDim.x == 64) {
            if (threadIdx.x < 32) s[threadIdx.x] += s[threadIdx.x + 32];
            %s
            if (threadIdx.x < 16) s[threadIdx.x] += s[threadIdx.x + 16];
        }
        __syncthreads();
        if (threadIdx.x == 0) b[i] = s[0];
        __syncthreads();
    }
}
"""


@pytest.mark.parametrize(("barrier", "races"), [("", True), ("__syncwarp();", False)])
def test_a_grid_of_several_axes_is_run_with_few_blocks(run: Run, kernel_file: Write, barrier: str, races: bool) -> None:
    """As many blocks along each axis as are tried along one are more than a run takes."""
    record = checked(run, kernel_file, LANES % barrier, "--timeout", "20")
    assert any(each["rule"] == "race" and each["status"] == "confirmed" for each in record["findings"]) is races


ROUNDS = """__global__ void turned(const float *x, float *y, int n) {
    __shared__ float s[128];
    for (int i = threadIdx.x; i < n; i += 128) {
        s[threadIdx.x] = x[i];
        __syncthreads();
        y[i] = s[127 - threadIdx.x];
        %s
    }
}
"""


@pytest.mark.parametrize(("barrier", "races"), [("", True), ("__syncthreads();", False)])
def test_numbers_larger_than_a_block_are_run(kernel_file: Write, barrier: str, races: bool) -> None:
    """What is filled again in the next round is seen where there is one."""
    (found,) = find_kernels(str(kernel_file(ROUNDS % barrier)))
    kernel = found.read()
    nothing_known = conclude(kernel.name, [Uncovered("nothing", None, 1)])
    launch = Launch((1, 1, 1), (128, 1, 1), {}, requires=("n % 128 == 0",))
    shown = [item for item in runs(nothing_known, kernel, launch) if isinstance(item, Shown)]
    assert ("race" in {each.rule for item in shown for each in item.findings}) is races
