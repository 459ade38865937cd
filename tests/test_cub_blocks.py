"""CUB's loads, stores, exchanges, scans of several items, sorts and histograms: each by its contract, with a way to break it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

Write = Callable[..., Path]
TRANSPOSED = """#include <cub/cub.cuh>
__global__ void k(int *out, const int *in, int n) {
  using Load = cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union { typename Load::TempStorage load; typename Store::TempStorage store; } temp;
  int items[4], first = blockIdx.x * 256;
  Load(temp.load).Load(in + first, items, n - first, 0);
  for (int i = 0; i < 4; i++) items[i] *= 3;
  __syncthreads();
  Store(temp.store).Store(out + first, items, n - first);
}
"""
DIRECT = TRANSPOSED.replace("LOAD_TRANSPOSE", "LOAD_DIRECT").replace("STORE_TRANSPOSE", "STORE_DIRECT")
BY_WARPS = TRANSPOSED.replace("LOAD_TRANSPOSE", "LOAD_WARP_TRANSPOSE").replace("STORE_TRANSPOSE", "STORE_WARP_TRANSPOSE")
TIMES = """__global__ void k(int *out, const int *in, int n) {
  for (int i = 0; i < 4; i++) {
    int at = blockIdx.x * 256 + threadIdx.x * 4 + i;
    if (at < n) out[at] = 3 * in[at];
  }
}
"""
UNSYNCED = ("  __syncthreads();\n", "")
LAUNCH = ("--block", "64", "--grid", "2", "--arg", "n=301")


def _race_free(run: Run, path: Path, *flags: str) -> str:
    (record,) = run("check", path, *flags, "--format", "jsonl").records
    found: str = record["properties"]["race-free"]
    return found


@pytest.mark.parametrize(("text", "outcome"), [
    (TRANSPOSED, "proved"), (TRANSPOSED.replace(*UNSYNCED), "refuted"), (DIRECT, "proved"), (DIRECT.replace(*UNSYNCED), "proved"),
    (BY_WARPS, "proved"), (BY_WARPS.replace(UNSYNCED[0], "  __syncwarp();\n"), "proved"),
    (BY_WARPS.replace(*UNSYNCED), "refuted"),
], ids=["turned", "turned, used again", "direct", "direct without", "by warps", "a barrier of the warp", "none"])
def test_loads_and_stores(text: str, outcome: str, run: Run, kernel_file: Write) -> None:
    assert _race_free(run, kernel_file(text), *LAUNCH) == outcome


@pytest.mark.parametrize("text", [TRANSPOSED, DIRECT, BY_WARPS, TRANSPOSED.replace("LOAD_TRANSPOSE", "LOAD_DIRECT")])
def test_they_move_what_a_loop_moves(text: str, run: Run, kernel_file: Write) -> None:
    sides = kernel_file(text, "a.cu"), kernel_file(TIMES, "b.cu")
    (record,) = run("equiv", *sides, *LAUNCH, "--format", "jsonl").records
    assert record["verdict"] == "equal", record["reason"]
    wrong = kernel_file(text.replace("in + first", "in + first + 1"), "c.cu")
    (record,) = run("equiv", wrong, sides[1], *LAUNCH, "--format", "jsonl").records
    assert record["verdict"] == "different"


TILES = """#include <cub/cub.cuh>
struct Running { int total; __device__ int operator()(int block) { int before = total; total += block; return before; } };
__global__ void k(int *out, const int *in) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ typename Scan::TempStorage temp;
  Running running{0};
  for (int tile = 0; tile < 3; tile++) {
    int v = in[tile * 64 + threadIdx.x];
    Scan(temp).InclusiveSum(v, v, running);
    out[tile * 64 + threadIdx.x] = v;
    __syncthreads();
  }
}
"""
ITEMS = """#include <cub/cub.cuh>
__global__ void k(int *out, const int *in) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ typename Scan::TempStorage temp;
  int v[3], all;
  for (int i = 0; i < 3; i++) v[i] = in[threadIdx.x * 3 + i];
  Scan(temp).InclusiveSum(v, v, all);
  for (int i = 0; i < 3; i++) out[threadIdx.x * 3 + i] = v[i];
}
"""
SUMS = """__global__ void k(int *out, const int *in) {
  for (int i = threadIdx.x; i < 192; i += 64) { int s = 0; for (int j = 0; j <= i; j++) s += in[j]; out[i] = s; }
}
"""


@pytest.mark.parametrize("text", [TILES, ITEMS], ids=["tile by tile", "three items of each thread"])
def test_scans_of_several_items(text: str, run: Run, kernel_file: Write) -> None:
    launch = "--block", "64", "--grid", "1"
    path, own = kernel_file(text, "a.cu"), kernel_file(SUMS, "b.cu")
    assert _race_free(run, path, *launch) == "proved"
    (record,) = run("equiv", path, own, *launch, "--format", "jsonl").records
    assert (record["verdict"], record["class"]) == ("equal", "int"), record["reason"]
    other = kernel_file(text.replace("Inclusive", "Exclusive"), "c.cu")
    (record,) = run("equiv", other, own, *launch, "--format", "jsonl").records
    assert record["verdict"] == "different"


def test_the_next_tile_needs_a_barrier(run: Run, kernel_file: Write) -> None:
    assert _race_free(run, kernel_file(TILES.replace("    __syncthreads();\n", "")), "--block", "64", "--grid", "1") == "refuted"


WARPS = """#include <cub/cub.cuh>
__global__ void k(int *out, const int *in) {
  using Scan = cub::WarpScan<int>;
  using Exchange = cub::WarpExchange<int, 2>;
  __shared__ typename Scan::TempStorage scan[2];
  __shared__ typename Exchange::TempStorage turn[2];
  int w = threadIdx.x / 32, v = in[threadIdx.x], all, two[2];
  Scan(scan[w]).ExclusiveSum(v, v, all);
  two[0] = v; two[1] = all;
  Exchange(turn[w]).BlockedToStriped(two, two);
  out[2 * threadIdx.x] = two[0]; out[2 * threadIdx.x + 1] = two[1];
}
"""


@pytest.mark.sliced(3)
@pytest.mark.parametrize(("change", "outcome"), [
    (("", ""), "proved"), (("scan[w]", "scan[0]"), "refuted"), (("turn[w]", "turn[0]"), "refuted")])
def test_warps(change: tuple[str, str], outcome: str, run: Run, kernel_file: Write) -> None:
    assert _race_free(run, kernel_file(WARPS.replace(*change)), "--block", "64", "--grid", "1") == outcome


SORT = """#include <cub/cub.cuh>
__global__ void k(int *out, const int *in) {
  using Sort = cub::BlockRadixSort<int, 64, 2>;
  __shared__ typename Sort::TempStorage temp;
  int keys[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]};
  Sort(temp).Sort(keys);
  __syncthreads();
  Sort(temp).Sort(keys, 8);
  out[2 * threadIdx.x] = keys[0]; out[2 * threadIdx.x + 1] = keys[1];
}
"""


def test_sorts(run: Run, kernel_file: Write) -> None:
    launch = "--block", "64", "--grid", "1"
    path = kernel_file(SORT, "a.cu")
    assert _race_free(run, path, *launch) == "proved"
    assert _race_free(run, kernel_file(SORT.replace(*UNSYNCED), "b.cu"), *launch) == "refuted"
    sides = [kernel_file(SORT.replace(*change), f"{at}.cu") for at, change in enumerate(
        [("in[2 * threadIdx.x]", "in[threadIdx.x * 2]"), ("Sort(keys)", "SortDescending(keys)"), ("keys, 8", "keys, 9")])]
    said = [run("equiv", path, side, *launch, "--format", "jsonl").records[0]["verdict"] for side in sides]
    assert said == ["equal", "unknown", "unknown"]


HISTOGRAM = """#include <cub/cub.cuh>
__global__ void k(int *out, const unsigned char *in) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 2, 256, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage temp;
  __shared__ int bins[256];
  unsigned char items[2] = {in[threadIdx.x], in[threadIdx.x + 64]};
  Histogram(temp).Histogram(items, bins);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 64) out[i] = bins[i];
}
"""


@pytest.mark.parametrize(("text", "outcome"), [(HISTOGRAM, "proved"), (HISTOGRAM.replace(*UNSYNCED), "refuted")])
def test_histograms(text: str, outcome: str, run: Run, kernel_file: Write) -> None:
    assert _race_free(run, kernel_file(text), "--block", "64", "--grid", "1") == outcome


PAIRS = """#include <cub/cub.cuh>
struct Best { float value; int at; };
struct Better { __device__ Best operator()(const Best &a, const Best &b) const { return b.value > a.value ? b : a; } };
__global__ void k(int *out, const float *in) {
  using Reduce = cub::BlockReduce<Best, 64>;
  __shared__ typename Reduce::TempStorage temp;
  Best mine{in[threadIdx.x], (int)threadIdx.x};
  Best best = Reduce(temp).Reduce(mine, Better());
  if (threadIdx.x == 0) out[0] = best.at;
}
"""
FIRST = """__global__ void k(int *out, const float *in) {
  if (threadIdx.x == 0) { int at = 0; for (int i = 1; i < 64; i++) if (in[i] > in[at]) at = i; out[0] = at; }
}
"""


def test_structures_come_in_an_order_of_their_own(run: Run, kernel_file: Write) -> None:
    launch = "--block", "64", "--grid", "1"
    path = kernel_file(PAIRS, "a.cu")
    assert _race_free(run, path, *launch) == "proved"
    others = PAIRS.replace("Best mine", "Best  mine"), FIRST, PAIRS.replace("b.value >", "b.value >=")
    said = [run("equiv", path, kernel_file(text, f"{at}.cu"), *launch, "--format", "jsonl").records[0]["verdict"]
            for at, text in enumerate(others)]
    assert said[0] == "equal" and said[1] == "unknown" and said[2] != "equal"


OWN = PAIRS.replace("  __shared__ typename Reduce::TempStorage temp;\n", "").replace("Reduce(temp)", "Reduce()")


@pytest.mark.parametrize(("text", "outcome"), [
    (OWN, "proved"), (OWN.replace("  if (thr", "  best = Reduce().Reduce(mine, Better());\n  if (thr"), "refuted")])
def test_storage_of_its_own_is_one(text: str, outcome: str, run: Run, kernel_file: Write) -> None:
    assert _race_free(run, kernel_file(text), "--block", "64", "--grid", "1") == outcome


@pytest.mark.parametrize(("waits", "outcome"), [("", "refuted"), ("__syncthreads();", "proved")])
def test_the_greatest_with_its_place(waits: str, outcome: str, run: Run, kernel_file: Write) -> None:
    """Pairs made by their constructor; storage that is used again asks for a barrier."""
    text = f"""#include <cub/cub.cuh>
__global__ void k(int *out, const float *in) {{
  typedef cub::BlockReduce<cub::KeyValuePair<int, float>, 64> Reduce;
  __shared__ typename Reduce::TempStorage temp;
  cub::KeyValuePair<int, float> mine(threadIdx.x, in[blockIdx.x * 64 + threadIdx.x]), other;
  other = mine;
  auto best = Reduce(temp).Reduce(mine, cub::ArgMax());
  {waits}
  auto least = Reduce(temp).Reduce(other, cub::ArgMin());
  if (threadIdx.x == 0) out[blockIdx.x] = best.key + least.key;
}}
"""
    assert _race_free(run, kernel_file(text), "--block", "64", "--grid", "2") == outcome


BEHIND = """#include <cub/cub.cuh>
using Load = cub::BlockLoad<short, 128, 8, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
__global__ void k(const short *in, short *out) {
  extern __shared__ char bytes[];
  auto &load = reinterpret_cast<typename Load::TempStorage &>(bytes);
  uint4 *next = reinterpret_cast<uint4 *>(bytes + sizeof(typename Load::TempStorage) + AWAY);
  short items[8];
  Load(load).Load(in + blockIdx.x * 1024, items);
  next[threadIdx.x] = reinterpret_cast<uint4 *>(items)[0];
  __syncthreads();
  reinterpret_cast<uint4 *>(items)[0] = next[(threadIdx.x + 1) % 128];
  for (int i = 0; i < 8; i++) out[(blockIdx.x * 128 + threadIdx.x) * 8 + i] = items[i];
}
"""


@pytest.mark.parametrize(("away", "verdict"), [("0", "proved"), ("8", "refuted")])
def test_what_stands_behind_a_storage_is_aligned_as_the_storage_is(away: str, verdict: str, run: Run, kernel_file: Write) -> None:
    """How long a storage is CUB alone knows, and no access is misaligned for that."""
    flags = ("--block", "128", "--grid", "3", "--format", "jsonl")
    (record,) = run("check", kernel_file(BEHIND.replace("AWAY", away)), *flags).records
    assert record["verdict"] == verdict, record
    assert (verdict == "proved") is not any(finding["rule"] == "misaligned" for finding in record["findings"])
