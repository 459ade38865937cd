"""Left shifts of signed numbers: what the unsigned type holds is converted (C++14), and OpenCL C shifts bits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import Run

from automata import arithmetic
from automata.machine.lanes.compiled import overflowed
from automata.scalar import I32, I64, Scalar

Write = Callable[..., Path]
HEADS = {"cuda": "__global__ void k(unsigned *o, const int *d, int n) { int t = threadIdx.x;",
         "opencl": "__kernel void k(__global unsigned *o, __global const int *d, int n) { int t = get_local_id(0);"}

CASES = {
    "a constant into the sign": ("int m = 1 << 31; if (m < 0) o[t] = 1;", "proved", "proved"),
    "a constant by a variable": ("int m = 1 << (t & 31); if (m < 0) o[t] = 1;", "proved", "proved"),
    "a constant by a variable, out of the type": ("int m = 3 << (t & 31); if (m < 0) o[t] = 1;", "refuted", "proved"),
    "a variable into the sign": ("int m = t << 26; if (m < 0) o[t] = 1;", "proved", "proved"),
    "a variable out of the type": ("int m = t << 27; if (m < 0) o[t] = 1;", "refuted", "proved"),
    "a shift back": ("o[((t << 26) >> 26) & 63] = 1;", "proved", "proved"),
    "bytes put together": ("int m = ((t * 4) << 24) + (t << 16); if (m < 0) o[t] = 1;", "proved", "proved"),
    "one below the least number": ("int m = (t << 26) - 1; if (m < 0) o[t] = 1;", "refuted", "refuted"),
    "a mask of 31 bits": ("int m = (1 << (t & 31)) - 1; if (m < 0) o[t] = 1;", "refuted", "refuted"),
    "the negative of the sign": ("int k = 31; int m = -(1 << k); if (m < 0) o[t] = 1;", "refuted", "refuted"),
    "a mask of fewer": ("int m = (1 << (t & 15)) - 1; if (m > 3) o[t] = 1;", "proved", "proved"),
    "long numbers": ("long long m = 1LL << (t & 63); if (m < 0) o[t] = 1;", "proved", "proved"),
    "a number of memory": ("int m = (d[t] & 255) << 24; if (m < 0) o[t] = 1;", "proved", "proved"),
}


@pytest.mark.parametrize("dialect", HEADS)
@pytest.mark.parametrize("name", CASES)
def test_what_a_shift_may_do(name: str, dialect: str, run: Run, kernel_file: Write) -> None:
    body, *wanted = CASES[name]
    text = HEADS[dialect] + body + " }"
    path = kernel_file(text if dialect == "cuda" else text.replace("LL", "L").replace("long long", "long"),
                       "kernel.cu" if dialect == "cuda" else "kernel.cl")
    record = run("check", path, "--block", 64, "--grid", 1, "--format", "jsonl").records[0]
    assert record["properties"]["no-wrap"] == wanted[dialect == "opencl"], record
    assert not any("does not wrap" in text for text in record["assumptions"])
    rules = {finding["rule"]: finding["status"] for finding in record["findings"]}
    assert rules == ({"index-overflow": "confirmed"} if wanted[dialect == "opencl"] == "refuted" else {})


def test_what_nothing_bounds_is_assumed_in_cuda_and_wraps_in_opencl(run: Run, kernel_file: Write) -> None:
    for dialect, name in (("cuda", "kernel.cu"), ("opencl", "kernel.cl")):
        path = kernel_file(HEADS[dialect] + "int m = n << 1; if (m > 0) o[t] = 1; }", name)
        record = run("check", path, "--block", 64, "--grid", 1, "--format", "jsonl").records[0]
        assert any("`n << 1` does not wrap" in text for text in record["assumptions"]) is (dialect == "cuda")


def test_a_converted_shift_decides_where_threads_write(run: Run, kernel_file: Write) -> None:
    """The least values that the shift is converted to send several threads to one cell."""
    text = HEADS["cuda"] + "int m = (t << 26) + 1; o[m < 0 ? 64 + (t & 31) : t] = t; if (m < -2000000000) o[0] = 7; }"
    record = run("check", kernel_file(text), "--block", 64, "--grid", 1, "--format", "jsonl").records[0]
    assert record["properties"]["race-free"] == "refuted" and record["properties"]["no-wrap"] == "proved"


@pytest.mark.parametrize("kind", [I32, I64], ids=str)
def test_the_machine_notes_what_folding_leaves(kind: Scalar) -> None:
    values = [0, 1, 2, 3, 5, -1, -2, -3, kind.high, kind.low, kind.high // 2, kind.high // 2 + 1, kind.low // 2,
              kind.low // 2 - 1]
    pairs = [(value, by) for value in values for by in (0, 1, 2, 15, 30, 31, kind.bits - 2, kind.bits - 1)]
    dtype = np.int32 if kind is I32 else np.int64
    left, right = (np.array([pair[at] for pair in pairs if pair[1] < kind.bits], dtype) for at in (0, 1))
    found = overflowed("<<", left, right, np.left_shift(left, right), kind)
    for value, by, lost in zip(left.tolist(), right.tolist(), found.tolist(), strict=True):
        assert lost == (not kind.low <= value << by < 1 << kind.bits) == arithmetic.overflows("<<", value, by, kind), (value, by)
