"""What a GPU (H100, CUDA 13.0) was seen to do where C++ or the machine had said otherwise; `benchmarks/on_gpu.py` asks again."""

from __future__ import annotations

import math
import subprocess
import sys
from ctypes.util import find_library
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT
from library_calls import run
from test_groups import program

from automata.machine.state.outcome import Setting
from automata.scalar import F32, F64, I64, U8

NARROW = {
    "unsigned char": {1776.5825: 240, 1292.63: 12, 8388608.0: 0, -5.0: 0, 3.4e38: 255, 7.9: 7},
    "signed char": {8388608.0: 0, 3.4e38: -1, -3.4e38: 0, -129.0: 127, -7.9: -7},
    "unsigned short": {8388608.0: 0, 3.4e38: 65535, -1.0: 0, 65537.0: 1},
    "short": {8388608.0: 0, -8388608.0: 0, 3.4e38: -1, -3.4e38: 0, 32768.0: -32768},
}


@pytest.mark.parametrize("kind", NARROW)
@pytest.mark.parametrize("source", ["float", "double"])
def test_what_a_narrow_integer_cannot_hold(kind: str, source: str, tmp_path: Path) -> None:
    """It becomes one of 32 bits, which saturates, and is cut; no number becomes 0."""
    given = np.array([*NARROW[kind], math.nan], np.float32 if source == "float" else np.float64)
    made = program(f"__global__ void k({kind} *o, const {source} *x) {{ o[threadIdx.x] = x[threadIdx.x]; }}", tmp_path)
    extents = dict.fromkeys("ox", given.size)
    outcome = made.run(Setting((1, 1, 1), (given.size, 1, 1), {}, {"x": given}, lambda array, index: index * 0, extents))
    assert [outcome.contents("o").get(at, 0) for at in range(given.size)] == [*NARROW[kind].values(), 0]


@pytest.mark.parametrize(("one", "two", "verdict"), [
    ("(unsigned char)x[i]", "(unsigned char)(unsigned)x[i]", "equal"), ("(char)x[i]", "(char)(int)x[i]", "equal"),
    ("(char)x[i]", "(char)fminf(fmaxf(x[i], -128.0f), 127.0f)", "different"),
    ("(unsigned char)x[i]", "(unsigned char)min((unsigned)x[i], 255u)", "different"),
    ("(unsigned char)(300.0f + 0 * i)", "44 + 0 * (int)x[i]", "equal"),
    ("(unsigned char)300.5f + 0 * (int)x[i]", "255", "different"),
])
def test_conversions_are_cut_on_both_sides(one: str, two: str, verdict: str, compared: Any) -> None:
    texts = (f"// spmd: block=32 grid=1\n__global__ void k(unsigned *o, const float *x) {{ int i = threadIdx.x; o[i] = {text}; }}"
             for text in (one, two))
    assert compared(*texts)["verdict"] == verdict


def test_no_number_as_a_whole_one() -> None:
    for name in ("lrint", "lround"):
        for kind in (F32, F64):
            assert run(name, [[math.nan], [-math.inf], [2.5]], I64, kind)[:2] == [I64.low, I64.low]


def test_no_number_in_eight_bits() -> None:
    """Of floats one code; cuda_fp8.hpp converts doubles and keeps the sign, and in e5m2 the first bits of the fraction."""
    for kind in ("to_e4m3", "to_e5m2", "to_e4m3_open", "to_e5m2_open"):
        assert run(kind, [[math.nan], [-math.nan]], U8, F32) == [0x7F, 0x7F]
    assert run("to_e5m2", [[math.nan], [-math.nan], [-1e9]], U8, F64) == [0x7E, 0xFE, 0xFB]
    assert run("to_e4m3", [[math.nan], [-math.nan], [-1e9]], U8, F64) == [0x7F, 0xFF, 0xFE]


def test_a_double_becomes_eight_bits_at_once() -> None:
    """By way of float, this would be rounded twice."""
    assert run("to_e4m3", [[1.0625 + 2.0**-40], [1.0625]], U8, F64) == [0x39, 0x38]


def test_what_is_too_small_before_it_is_rounded_is_zero() -> None:
    least, below = 2.0**-126, 1 - 2.0**-24
    rows = [(below, least, 1e-45), (-below, least, 0.0), (1.0, least, 0.0)]
    assert run("fma_ftz", rows, F32, F32, F32, F32) == [0.0, 0.0, least]
    assert run("mul_ftz", [(below, least), (2 * below, least)], F32, F32, F32) == [0.0, 2 * least * below]


@pytest.mark.skipif(find_library("cuda") is not None, reason="there is a driver of NVIDIA's")
def test_without_a_gpu_it_says_so(tmp_path: Path) -> None:
    script = ROOT / "benchmarks" / "on_gpu.py"
    done = subprocess.run([sys.executable, script, "--run", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "run this on a machine with a GPU" in done.stderr and "Traceback" not in done.stderr
