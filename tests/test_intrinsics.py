"""Intrinsics that the headers write out: integers side by side, matches of all lanes, floats of eight bits, atomic references."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import Run

from automata.machine.numbers.functions import evaluate
from automata.scalar import F32, U8

SIDE = "__global__ void k(unsigned *o, const unsigned *a, const unsigned *b) {{ int i = threadIdx.x; o[i] = {}(a[i], b[i]); }}"
LOOP = """__global__ void k(unsigned *o, const unsigned *a, const unsigned *b) {{
  int i = threadIdx.x; unsigned r = 0;
  for (int at = 0; at < 32; at += {bits}) {{
    int x = ({kind})(a[i] >> at), y = ({kind})(b[i] >> at), z = {what};
    r |= ((unsigned)z & {mask}u) << at;
  }}
  o[i] = r;
}}"""


@pytest.mark.sliced(5)
@pytest.mark.parametrize(("name", "kind", "what"), [
    ("__vadd4", "unsigned char", "x + y"), ("__vsub2", "unsigned short", "x - y"), ("__vmaxs4", "signed char", "x > y ? x : y"),
    ("__vminu2", "unsigned short", "x < y ? x : y"), ("__vabsdiffu4", "unsigned char", "x < y ? y - x : x - y"),
    ("__vaddss4", "signed char", "x + y > 127 ? 127 : x + y < -128 ? -128 : x + y"),
    ("__vsubus2", "unsigned short", "x < y ? 0 : x - y"), ("__vcmpgts4", "signed char", "x > y ? -1 : 0"),
    ("__vseteq2", "unsigned short", "x == y"), ("__vavgu4", "unsigned char", "(x + y + 1) / 2"),
])
def test_integers_side_by_side(name: str, kind: str, what: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    wide = name.endswith("4")
    loop = LOOP.format(bits=8 if wide else 16, kind=kind, what=what, mask=255 if wide else 65535)
    flags = ("--block", "32", "--grid", "1", "--format", "jsonl")
    (record,) = run("equiv", kernel_file(SIDE.format(name), "a.cu"), kernel_file(loop, "b.cu"), *flags, "--timeout", "8").records
    assert record["verdict"] in ("equal", "unknown"), record
    other = loop.replace("r = 0", "r = 1 << 31")
    (record,) = run("equiv", kernel_file(SIDE.format(name), "a.cu"), kernel_file(other, "c.cu"), *flags).records
    assert record["verdict"] == "different"


def test_a_match_of_all_lanes(run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    text = """__global__ void k(int *o, int v) {
  int same; unsigned who = __match_all_sync(0xffffffffu, threadIdx.x < 32 ? v : (int)threadIdx.x, &same);
  o[2 * threadIdx.x] = who; o[2 * threadIdx.x + 1] = same;
}"""
    own = """__global__ void k(int *o, int v) {
  o[2 * threadIdx.x] = threadIdx.x < 32 ? -1 : 0; o[2 * threadIdx.x + 1] = threadIdx.x < 32;
}"""
    flags = ("--block", "64", "--grid", "1", "--arg", "v=7", "--format", "jsonl")
    (record,) = run("equiv", kernel_file(text, "a.cu"), kernel_file(own, "b.cu"), *flags).records
    assert record["verdict"] == "equal"


@pytest.mark.parametrize(("kind", "value", "code"), [
    ("e4m3", 1.0, 0x38), ("e4m3", 448.0, 0x7E), ("e4m3", 1e9, 0x7E), ("e4m3", -1e9, 0xFE), ("e4m3", 2.0**-9, 0x01),
    ("e4m3", 2.0**-10, 0x00), ("e4m3", 1.0625, 0x38), ("e4m3", 1.1875, 0x3A), ("e4m3", float("nan"), 0x7F),
    ("e4m3", -0.0, 0x80), ("e4m3_open", 465.0, 0x7F), ("e4m3_open", 464.0, 0x7E), ("e5m2", 1.0, 0x3C), ("e5m2", 1e9, 0x7B),
    ("e5m2_open", 61440.0, 0x7C), ("e5m2_open", 61439.0, 0x7B), ("e5m2", float("inf"), 0x7B), ("e5m2_open", float("-inf"), 0xFC),
])
def test_codes_of_floats_of_eight_bits(kind: str, value: float, code: int) -> None:
    assert int(evaluate(f"to_{kind}", [np.array([value], np.float32)], U8, [F32])[0]) == code


@pytest.mark.parametrize("kind", ["e4m3", "e5m2"])
def test_every_code_comes_back(kind: str) -> None:
    codes = np.arange(256, dtype=np.uint8)
    numbers = evaluate(f"from_{kind}", [codes], F32, [U8])
    known = ~np.isnan(numbers) & ~np.isinf(numbers)
    assert known.sum() == (254 if kind == "e4m3" else 248)
    assert (evaluate(f"to_{kind}", [numbers], U8, [F32])[known] == codes[known]).all()


EIGHT = """#include <cuda_fp8.h>
__global__ void k(__nv_fp8_e4m3 *o, const __nv_fp8_e4m3 *a, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = __nv_fp8_e4m3(float(a[i]) * scale);
}"""


def test_a_kernel_on_floats_of_eight_bits(run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    path = kernel_file(EIGHT, "a.cu")
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "proved", record
    (record,) = run("check", kernel_file(EIGHT.replace("o[i] =", "o[i / 2] ="), "b.cu"), "--format", "jsonl").records
    assert record["properties"]["race-free"] == "refuted"
    flags = ("--block", "32", "--grid", "1", "--format", "jsonl")
    other = kernel_file(EIGHT.replace("float(a[i]) * scale", "float(a[i]) / scale"), "c.cu")
    (record,) = run("equiv", path, other, *flags).records
    assert record["verdict"] == "different"


ATOMIC = """#include <cuda/atomic>
__global__ void k(int *sum, const int *a) {
  cuda::atomic_ref<int, cuda::thread_scope_SCOPE> total(*sum);
  total.fetch_add(a[blockIdx.x * blockDim.x + threadIdx.x], cuda::memory_order_relaxed);
  LATER
}"""


@pytest.mark.parametrize(("scope", "later", "outcome"), [
    ("device", "", "proved"), ("system", "", "proved"), ("block", "", "refuted"), ("device", "*sum = 0;", "refuted"),
    ("device", "if (*sum > 3) total.exchange(0);", "refuted"),
])
def test_atomic_references(scope: str, later: str, outcome: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    path = kernel_file(ATOMIC.replace("SCOPE", scope).replace("LATER", later))
    (record,) = run("check", path, "--block", "64", "--grid", "3", "--format", "jsonl").records
    assert record["properties"]["race-free"] == outcome


DECLARED_AGAIN = """extern __device__ __device_builtin__ void __syncthreads(void);
__global__ void k(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  BARRIER
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[63 - threadIdx.x];
}"""


@pytest.mark.parametrize(("barrier", "verdict"), [("__syncthreads();", "proved"), ("", "refuted")])
def test_a_builtin_that_is_declared_again(barrier: str, verdict: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    path = kernel_file(DECLARED_AGAIN.replace("BARRIER", barrier))
    assert run("check", path, "--block", "64", "--grid", "3", "--format", "jsonl").records[0]["verdict"] == verdict
