"""What a thread never asks for is no finding, and what it does ask for is one: overflows in choices, in steps of loops that never
begin, and of values that decide nothing; widths of shuffles; barriers of the grid in replays; sizes that nobody reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

Write = Callable[..., Path]
SCATTER = "(t * 37 ^ (t << 2)) * 5 & 7"
"""An index that formulas say little of: a run of the launch decides."""


def _record(run: Run, path: Path, command: str = "check") -> dict[str, Any]:
    record: dict[str, Any] = run(command, path, "--format", "jsonl").records[0]
    return record


VALUES = {
    "a side": ("t < 2 ? t * 2000000000 : 0", "t < 3 ? t * 2000000000 : 0"),
    "the other side": ("t >= 2 ? 7 : t * 2000000000", "t >= 3 ? 7 : t * 2000000000"),
    "a side of a side": ("t < 4 ? (t < 2 ? t * 2000000000 : 1) : 2", "t < 4 ? (t < 3 ? t * 2000000000 : 1) : 2"),
    "a side that reads": ("t < 2 ? t * 2000000000 + h[0] % 2 : 0", "t < 3 ? t * 2000000000 + h[0] % 2 : 0"),
    "behind an and": ("t < 2 && t * 2000000000 > 5", "t < 3 && t * 2000000000 > 5"),
    "behind an or": ("t >= 2 || t * 2000000000 > 5", "t >= 3 || t * 2000000000 > 5"),
    "a negative": ("t > 0 ? -(t - 2147483647 - 1) : 0", "t >= 0 ? -(t - 2147483647 - 1) : 0"),
    "a conversion": ("t < 2 ? (int)(t * 2000000000LL) : 0", "t < 3 ? (int)(t * 2000000000LL) : 0"),
}


@pytest.mark.parametrize("name", VALUES)
def test_overflow_in_a_choice_is_one_for_those_who_choose_it(name: str, run: Run, kernel_file: Write) -> None:
    for value, is_seen in zip(VALUES[name], (False, True), strict=True):
        path = kernel_file(f"// spmd: block=8 grid=1 b[8] h[8]\n__global__ void k(int *b, const int *h) {{ int t = threadIdx.x; "
                           f"b[t] = {value}; }}")
        rules = [finding["rule"] for finding in _record(run, path, "run")["findings"]]
        assert ("index-overflow" in rules) == is_seen, (value, rules)


LOOPS = {
    "a step that overflows": ("int e = t == 7 ? 0 : 40, big = t == 7 ? 2147483647 : 1;", "j += big + t"),
    "a step that divides": ("int e = t == 0 ? 0 : 1000;", "j += 20 / t"),
    "a step that shifts": ("int e = t == 7 ? 0 : 1000, by = t == 7 ? 40 : 2;", "j += 1 << by"),
    "a loop of nobody": ("int e = n;", "j += e / n"),
}


@pytest.mark.parametrize("name", LOOPS)
def test_step_of_a_loop_that_a_thread_never_enters(name: str, run: Run, kernel_file: Write) -> None:
    start, step = LOOPS[name]
    for begin, is_seen in (("0", False), ("-1", True)):
        path = kernel_file(f"""// spmd: block=8 grid=1 n=0 b[8]
        __global__ void k(const float *a, float *b, int n) {{
            int t = threadIdx.x; float s = 0.0f; {start}
            for (int j = {begin}; j < e; {step}) s += a[j + 1];
            b[t] = s; }}""")
        rules = [finding["rule"] for finding in _record(run, path, "run")["findings"]]
        assert bool({"index-overflow", "undefined-operation"} & set(rules)) == is_seen, rules


DECIDE = {
    "a value": ("h[t] = (t + 1) * 1000000007;", "1.0f", "proved"),
    "a value that is chosen": ("", "t < 2 ? t * 2000000000 : 0", "proved"),
    "a value, in rounds": ("", "sum", "proved"),
    "an index": ("", "(float)h[(t + 1) * 1000000007 & 7]", "refuted"),
    "an index through a local": ("int i = (t + 1) * 1000000007; i &= 7;", "(float)h[i]", "refuted"),
    "a test": ("if ((t + 1) * 1000000007 > 0) h[t] = 1;", "1.0f", "refuted"),
    "a number of rounds": ("for (int i = 0; i < ((t + 1) * 1000000007 & 3); i++) h[t] += i;", "1.0f", "refuted"),
}


@pytest.mark.parametrize("name", DECIDE)
def test_overflow_of_a_value_that_decides_nothing(name: str, run: Run, kernel_file: Write) -> None:
    body, value, outcome = DECIDE[name]
    loop = "float sum = 0.0f; for (int j = 0; j < 40; j++) sum += j < 2 ? (float)(j * 2000000000) : a[j];"
    path = kernel_file(f"// spmd: block=8 grid=1 b[8] h[8] a[64]\n__global__ void k(int *h, float *b, const float *a) {{ "
                       f"int t = threadIdx.x; {loop if value == 'sum' else ''} {body} b[{SCATTER}] = {value}; }}")
    record = _record(run, path)
    assert record["properties"]["no-wrap"] == outcome, record["findings"]


WIDTHS = [("1", True), ("8", True), ("32", True), ("0", False), ("3", False), ("64", False), ("-8", False), ("n", False),
          ("1 << (n & 3)", True), ("1 << (n & 7)", False), ("n > 3 ? 8 : 16", True), ("n > 3 ? 8 : 12", False)]


@pytest.mark.parametrize(("width", "is_one"), WIDTHS)
def test_width_of_a_shuffle_is_a_power_of_two(width: str, is_one: bool, run: Run, kernel_file: Write) -> None:
    for call in ("__shfl_sync(~0u, a[t], 1, {})", "__shfl_down_sync(~0u, a[t], 1, {})", "__shfl_xor_sync(~0u, a[t], 0, {})"):
        body = call.format(width)
        path = kernel_file("// spmd: block=32\n__global__ void k(const int *a, int *b, int n) { int t = threadIdx.x; "
                           f"b[blockIdx.x * 32 + t] = {body}; }}")
        record = _record(run, path)
        found = any("width of a shuffle" in finding["message"] for finding in record["findings"])
        assert (found, record["properties"]["order-free"]) == (not is_one, "proved" if is_one else "unknown"), record["findings"]


def test_width_that_makes_no_sense_gives_no_value(compared: Any) -> None:
    for width in (0, 3, 64):
        texts = [f"// spmd: block=32 grid=1\n__global__ void k(const int *a, int *b) {{ int t = threadIdx.x; b[t] = {value}; }}"
                 for value in (f"__shfl_sync(~0u, a[t], 1, {width})", f"__shfl_sync(~0u, a[t], 1, {min(max(width, 1), 32)})")]
        assert compared(*texts)["verdict"] == "unknown"


GRID = """#include <cooperative_groups.h>
__global__ void k(int *b, int n) {
    int g = blockIdx.x * blockDim.x + threadIdx.x, i = 0;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    """

MEETS = {
    "a prefix of the blocks": "if (g == 0) b[0] = 1; grid.sync(); if (b[0]) grid.sync();",
    "until done": "do { grid.sync(); b[g] = i; grid.sync(); i++; } while (b[0] < n);",
    "a test read after": "grid.sync(); if (b[0] > 3) { grid.sync(); b[g + 1] = 2; }",
}


@pytest.mark.parametrize("name", MEETS)
def test_barrier_of_the_grid_is_replayed_by_all_blocks(name: str, run: Run, kernel_file: Write) -> None:
    path = kernel_file(f"{GRID} {MEETS[name]} }}")
    record = _record(run, path)
    assert record["verdict"] != "refuted", record["findings"]


def test_some_blocks_alone_at_a_barrier_of_the_grid_are_seen(run: Run, kernel_file: Write) -> None:
    path = kernel_file(f"{GRID} if (blockIdx.x > 0) grid.sync(); b[g] = n; }}")
    record = _record(run, path)
    assert record["properties"]["barriers"] == "refuted", record["findings"]


READS = {
    "lanes of a tile": ("cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block()).sync();",
                        {"gridDim.y", "gridDim.z"}),
    "rows of a block": ("b[threadIdx.y * 64 + threadIdx.x + blockIdx.x * 64 * blockDim.y] = n; return;",
                        {"gridDim.z", "blockDim.z"}),
    "rows of a grid": ("n += blockIdx.y;", {"blockDim.y", "blockDim.z", "gridDim.z"}),
    "one row": ("", {"blockDim.y", "gridDim.y", "blockDim.z", "gridDim.z"}),
}


@pytest.mark.parametrize("name", READS)
def test_sizes_that_a_kernel_never_reads_are_named(name: str, run: Run, kernel_file: Write) -> None:
    body, closed = READS[name]
    path = kernel_file(f"""#include <cooperative_groups.h>
    __global__ void k(int *b, int n) {{ {body} b[blockIdx.x * blockDim.x + threadIdx.x] = n; }}""")
    (text,) = (text for text in _record(run, path)["assumptions"] if text.startswith("sizes the kernel never reads are 1"))
    assert set(text.partition(": ")[2].split(", ")) == closed
