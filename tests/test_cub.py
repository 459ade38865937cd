"""CUB's collectives by their contracts: who must come, which storage is touched, when a barrier is needed, what may be equal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

Write = Callable[..., Path]
REDUCE = """#include <cub/block/block_reduce.cuh>
__global__ void k(float *out, const float *in, int n) {
  typedef cub::BlockReduce<float, 256> Reduce;
  __shared__ typename Reduce::TempStorage temp;
  int i = blockIdx.x * 256 + threadIdx.x;
  float s = Reduce(temp).Sum(i < n ? in[i] : 0.f);
  __syncthreads();
  float m = Reduce(temp).Reduce(i < n ? in[i] : 0.f, cub::Max());
  if (threadIdx.x == 0) { out[2 * blockIdx.x] = s; out[2 * blockIdx.x + 1] = m; }
}
"""
SCAN = """#include <cub/cub.cuh>
template <int THREADS> __global__ void k(int *out, const int *in) {
  using Scan = cub::BlockScan<int, THREADS>;
  __shared__ typename Scan::TempStorage temp;
  int i = blockIdx.x * THREADS + threadIdx.x, v = in[i], total;
  Scan(temp).ExclusiveSum(v, v, total);
  out[i] = v + total;
}
void go(int *o, int *i) { k<128><<<7, 128>>>(o, i); }
"""
WARP = """#include <cub/cub.cuh>
__global__ void k(int *out, const int *in) {
  using Reduce = cub::WarpReduce<int>;
  __shared__ Reduce::TempStorage temp[4];
  int w = threadIdx.x / 32, i = blockIdx.x * 128 + threadIdx.x;
  int s = Reduce(temp[w]).Sum(in[i]);
  if (threadIdx.x % 32 == 0) out[blockIdx.x * 4 + w] = s;
}
void go(int *o, int *i) { k<<<7, 128>>>(o, i); }
"""


def test_the_names_of_hip(run: Run, kernel_file: Write) -> None:
    """hipCUB is CUB by another name, as HIP has its own for where a thread stands."""
    text = REDUCE.replace("cub/block/block_reduce.cuh", "hip/hip_runtime.h>\n#include <hipcub/hipcub.hpp")
    text = text.replace("cub::", "hipcub::").replace("blockIdx.x", "hipBlockIdx_x")
    assert run("check", kernel_file(text), "--block", "256", "--grid", "4", "--require", "n > 0").out.startswith("proved k")
    without = run("check", kernel_file(text.replace("  __syncthreads();\n", "")), "--block", "256", "--grid", "4")
    assert without.out.startswith("refuted k") and "confirmed race" in without.out


def _properties(run: Run, path: Path, *flags: str) -> tuple[str, dict[str, str], str]:
    (record,) = run("check", path, *flags, "--format", "jsonl").records
    return record["verdict"], record["properties"], record["scope"]


def test_a_block_reduction_holds_for_all_sizes_of_the_grid(run: Run, kernel_file: Write) -> None:
    verdict, _, scope = _properties(run, kernel_file(REDUCE))
    assert verdict == "proved" and "all sizes under blockDim.x == 256" in scope


@pytest.mark.parametrize(("change", "broken"), [
    (("  __syncthreads();\n", ""), "race-free"),
    (("float s = Reduce", "float s = 0; if (i < n) s = Reduce"), "barriers"),
    (("if (threadIdx.x == 0) {", "if (threadIdx.x < 2) {"), "order-free"),
    (("TempStorage temp;", "TempStorage temp; __shared__ float own[256]; own[threadIdx.x] = 1;"), ""),
    (("  __syncthreads();\n", "  temp.items[0] = 1; __syncthreads();\n"), "race-free"),
], ids=["storage used again", "not all come", "results of others", "good", "storage written beside"])
def test_what_breaks_the_contract_is_refuted(change: tuple[str, str], broken: str, run: Run, kernel_file: Write) -> None:
    path = kernel_file(REDUCE.replace(*change))
    verdict, properties, _ = _properties(run, path, "--block", "256", "--grid", "2", "--arg", "n=300")
    assert verdict == ("refuted" if broken else "proved")
    assert not broken or properties[broken] == "refuted"


def test_a_block_of_another_size_is_no_launch(run: Run, kernel_file: Write) -> None:
    (record,) = run("check", kernel_file(REDUCE), "--block", "128", "--format", "jsonl").records
    assert record["verdict"] == "invalid" and "requirements" in record["reason"]


def test_a_scan_and_its_total(run: Run, kernel_file: Write) -> None:
    path = kernel_file(SCAN)
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "proved" and record["kernel"] == "k<128>"
    own = kernel_file("__global__ void k(int *out, const int *in) { "
                      "__shared__ int s[128]; int t = threadIdx.x, b = blockIdx.x * 128; "
                      "s[t] = in[b + t]; __syncthreads(); int v = 0, all = 0; for (int i = 0; i < t; i++) v += s[i]; "
                      "for (int i = 0; i < 128; i++) all += s[i]; out[b + t] = v + all; }", "own.cu")
    (pair,) = run("equiv", path, own, "--block", "128", "--grid", "2", "--format", "jsonl").records
    assert (pair["verdict"], pair["class"]) == ("equal", "int")


@pytest.mark.sliced(3)
@pytest.mark.parametrize(("at", "outcome"), [("w", "proved"), ("0", "refuted"), ("w / 2", "refuted")])
def test_each_warp_needs_storage_of_its_own(at: str, outcome: str, run: Run, kernel_file: Write) -> None:
    assert _properties(run, kernel_file(WARP.replace("temp[w]", f"temp[{at}]")))[1]["race-free"] == outcome


OWN = """__global__ void k(KIND *out, const KIND *in) {
  __shared__ KIND s[64];
  s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) { KIND t = s[0]; for (int i = 1; i < 64; i++) t += s[i]; out[blockIdx.x] = t; }
}
"""
CUBS = """#include <cub/cub.cuh>
__global__ void k(KIND *out, const KIND *in) {
  using Reduce = cub::BlockReduce<KIND, 64WAY>;
  __shared__ Reduce::TempStorage temp;
  KIND s = Reduce(temp).Sum(in[blockIdx.x * 64 + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = s;
}
"""
OTHER = ", cub::BLOCK_REDUCE_RAKING"


LAST = """#include <cub/cub.cuh>
__global__ void k(KIND *out, const KIND *in) {
  using Scan = cub::BlockScan<KIND, 64, cub::BLOCK_SCAN_RAKING_MEMOIZE>;
  __shared__ Scan::TempStorage temp;
  KIND s;
  Scan(temp).InclusiveSum(in[blockIdx.x * 64 + threadIdx.x], s);
  if (threadIdx.x == 63) out[blockIdx.x] = s;
}
"""


@pytest.mark.parametrize(("a", "b", "kind", "wanted"), [
    (LAST, CUBS.replace("WAY", OTHER), "float", "unknown"), (LAST, CUBS.replace("WAY", ""), "float", "unknown"),
    (LAST, CUBS.replace("WAY", OTHER), "int", "equal"), (LAST, LAST, "float", "equal"),
    (OWN, CUBS.replace("WAY", ""), "int", "equal"), (OWN, CUBS.replace("WAY", ""), "float", "unknown"),
    (CUBS.replace("WAY", ""), CUBS.replace("WAY", ""), "float", "equal"), (OWN, CUBS.replace("WAY", ""), "double", "unknown"),
    (CUBS.replace("WAY", ""), CUBS.replace("WAY", OTHER), "float", "unknown"),
    (CUBS.replace("WAY", ""), CUBS.replace("WAY", OTHER), "int", "equal"),
    (OWN.replace("t += s[i]", "t += 2 * s[i]"), CUBS.replace("WAY", ""), "int", "different"),
])
def test_the_order_of_floats_is_cubs_own(a: str, b: str, kind: str, wanted: str, run: Run, kernel_file: Write) -> None:
    sides = kernel_file(a.replace("KIND", kind), "a.cu"), kernel_file(b.replace("KIND", kind), "b.cu")
    (record,) = run("equiv", *sides, "--block", "64", "--grid", "2", "--format", "jsonl").records
    assert record["verdict"] == wanted


TWO = CUBS.replace("WAY", "").replace("KIND", "two").replace("Sum(in", "Reduce(in").replace("x]);", "x], cub::Max());")


@pytest.mark.parametrize("text", [REDUCE.replace("cub::BlockReduce<float, 256>", "cub::BlockRunLengthDecode<float, 256>"),
                                  "struct two { float a, b; };\n" + TWO], ids=["runs", "a structure that is not ordered"])
def test_what_is_not_here_is_refused(text: str, run: Run, kernel_file: Write) -> None:
    (record,) = run("check", kernel_file(text), "--format", "jsonl").records
    assert record["verdict"] == "unsupported"


BEST = """#include <cub/cub.cuh>
struct Best { int at = -1; float value = -1e20f; };
__device__ Best larger(const Best &a, const Best &b) { return a.value > b.value ? a : b; }
__device__ Best smaller(const Best &a, const Best &b) { return a.value < b.value ? a : b; }
__global__ void k(int *out, const float *in, int rounds) {
  typedef cub::BlockReduce<Best, 128> Reduce;
  __shared__ typename Reduce::TempStorage temp;
  __shared__ int top;
  for (int r = 0; r < rounds; r++) {
    Best mine;
    mine.value = in[r * 128 + threadIdx.x];
    mine.at = threadIdx.x;
    Best all = Reduce(temp).Reduce(mine, larger);
    if (threadIdx.x == 0) top = all.at;
    __syncthreads();
    if (threadIdx.x == 1 && blockIdx.x == 0) out[r] = top;
  }
}
void go(int *o, float *i) { k<<<1, 128>>>(o, i, 3); }
"""


@pytest.mark.parametrize(("change", "verdict"), [
    (("", ""), "proved"), (("    __syncthreads();\n", ""), "refuted"),
    (("(mine, larger)", "(mine, in[0] > 2 ? larger : smaller)"), "unsupported")])
def test_what_has_initialisers_is_combined(change: tuple[str, str], verdict: str, run: Run, kernel_file: Write) -> None:
    """Room for what has constructors is not constructed; a function that takes references is called where it is known which."""
    (record,) = run("check", kernel_file(BEST.replace(*change)), "--format", "jsonl").records
    assert record["verdict"] == verdict, record
