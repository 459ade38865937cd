"""Test amplification: the scenes of the paper, what is variant and why, and what must not be amplified."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from automata.lang.launch import Launch
from automata.machine.state.fill import drawn_from
from automata.proof.known.context import prepare
from automata.proof.runs.amplify import amplify
from automata.proof.witness.setting import setting_at
from spmd.asked import Source

Write = Callable[..., Path]
SCENES = Path(__file__).parent / "scenes"
ROWS: list[dict[str, Any]] = json.loads((SCENES / "scenes.json").read_text())
BEYOND = {"histogram_columns"}
"""Free of races for a reason that no flow of information shows."""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["kernel"]))
def test_scene(row: dict[str, Any], run: Run) -> None:
    (record,) = run("run", SCENES / row["file"], "--kernel", row["kernel"], "--amplify", "--format", "jsonl").records
    wanted = "refuted" if row["race"] or row["divergence"] else "unknown" if row["kernel"] in BEYOND else "proved"
    assert record["verdict"] == wanted, record.get("reason")
    assert record["invariant"] is row["invariant"]
    assert record["integrity"] == sorted(row["integrity"])
    assert all((item["path"] and item["source"] in row["reason"]) or item["kind"] != "array" for item in record["variants"])


def test_the_table_counts_all_scenes(run: Run) -> None:
    ran = run("run", SCENES, "--amplify")
    assert ran.status == 1 and f"{len(ROWS)} kernels: {sum(row['invariant'] for row in ROWS)} invariant" in ran.out


PROVED = {
    "a swap on data": ("__global__ void k(int *a) { int t = 2 * threadIdx.x; int x = a[t], y = a[t + 1];\n"
                       "if (x > y) { a[t] = y; a[t + 1] = x; } }"),
    "a break on data": ("__global__ void k(int *a, int n) { int t = threadIdx.x;\n"
                        "for (int i = 0; i < n; i++) { if (a[t * n + i] < 0) break; a[t * n + i] = i; } }"),
    "a table that nobody writes": ("__global__ void k(const int *at, const float *in, float *out, int n) {\n"
                                   "for (int i = threadIdx.x; i < n; i += 8) out[i] = in[at[i]]; }"),
    "atomics alone": ("__global__ void k(const int *in, int *bins, int n) {\n"
                      "for (int i = threadIdx.x; i < n; i += 8) atomicAdd(&bins[in[i]], 1); }"),
    "a guarded read": ("__global__ void k(int *a, int n) { int t = threadIdx.x;\n"
                       "for (int i = 0; i < n; i++) if (a[t] > 0 && a[t + 8] > 0) a[t] += 1; }"),
}


@pytest.mark.parametrize("name", PROVED)
def test_proved_by_one_run(name: str, run: Run, kernel_file: Write) -> None:
    args = ["--arg", "n=5"] if "int n" in PROVED[name] else []
    record = run("run", kernel_file(PROVED[name]), "--block", 8, "--grid", 1, *args, "--amplify", "--format", "jsonl").records[0]
    assert record["verdict"] == "proved", record.get("reason")
    assert run("check", kernel_file(PROVED[name]), "--block", 8, "--grid", 1, *args).status == 0


NEVER_PROVED = {
    "one side changes what the other goes by": ("__global__ void k(int *a, const int *d, int n) { int t = threadIdx.x, x = 0;\n"
                                                "for (int i = 0; i < n; i++) if (d[t] != 77777) x = t; else a[x] = t; }"),
    "a return after a change": ("__global__ void k(int *a, const int *d, int n) { int t = threadIdx.x, x = 0;\n"
                                "for (int i = 0; i < n; i++) { if (d[t] != 77777) { x = t; return; } a[x] = t; } }"),
    "shared memory changed by one side": ("__global__ void k(int *a, const int *d, int n) { __shared__ int s[8];\n"
                                          "int t = threadIdx.x; for (int i = 0; i < n; i++) { s[t] = 0;\n"
                                          "if (d[t] != 77777) s[t] = t; else a[s[t]] = t; } }"),
    "a shuffle from nobody": ("__global__ void k(int *a) { int t = threadIdx.x;\n"
                              "if (t < 4) { int v = __shfl_sync(0xfu, t, t + 4); a[v] = t; } }"),
    "an atomic of the block among blocks": ("__global__ void k(int *a, const int *d, int n) {\n"
                                            "for (int i = 0; i < n; i++) atomicAdd_block(&a[d[i]], 1); }"),
    "one side of a branch on data": ("__global__ void k(int *a, int n) { int t = threadIdx.x;\n"
                                     "for (int i = 0; i < n; i++) if (a[t] > 1000000) a[t + 1] = 0; }"),
    "a value chosen by data": ("__global__ void k(int *a, int n) { int t = threadIdx.x, at = t;\n"
                               "for (int i = 0; i < n; i++) if (a[t] == 12345) at = 0; a[at] = 1; }"),
    "an address by a shuffle": ("__global__ void k(int *a, int *b) { int v = __shfl_sync(0xffu, a[threadIdx.x], 0);\n"
                                "b[threadIdx.x + (v == 777 ? threadIdx.x % 2 : 0)] = v; }"),
    "rounds by data, then an address": ("__global__ void k(int *a, int *b) { int t = threadIdx.x, i = 0;\n"
                                        "while (i < 3 && a[t] == 999 + i) i++; b[t + i] = t; }"),
    "a barrier in a loop on data": ("__global__ void k(int *a) { int t = threadIdx.x;\n"
                                    "for (int i = 0; i < a[t] - 500; i++) __syncthreads(); a[t] = 1; }"),
    "equal values of data": ("__global__ void k(const int *in, int *out, int n) {\n"
                             "for (int i = 0; i < n; i++) out[0] = in[threadIdx.x] > 1000000; }"),
    "an early return on data": ("__global__ void k(int *a, int n) { if (a[threadIdx.x] == 31337) return;\n"
                                "for (int i = 0; i < n; i++) a[threadIdx.x] += 1; __syncthreads(); a[threadIdx.x] = 0; }"),
    "a ticket as an address": ("__global__ void k(int *count, int *out) {\n"
                               "int at = atomicAdd(count, 1); out[at / 2] = threadIdx.x; }"),
    "an index left in shared memory": ("__global__ void k(const int *in, int *out) { __shared__ int s[8]; int t = threadIdx.x;\n"
                                       "s[t] = t; if (in[t] == 4711) s[t] = 0; __syncwarp(); out[s[t]] = t; }"),
}


@pytest.mark.parametrize("name", NEVER_PROVED)
def test_never_proved(name: str, run: Run, kernel_file: Write) -> None:
    text = NEVER_PROVED[name]
    args = ["--arg", "n=3"] if "int n" in text else []
    record = run("check", kernel_file(text), "--block", 8, "--grid", 2 if "_block" in text else 1, *args,
                 "--format", "jsonl").records[0]
    assert record["verdict"] in ("unknown", "refuted"), record
    assert {record["properties"]["race-free"], record["properties"]["barriers"]} & {"unknown", "refuted"}


def test_a_requirement_that_made_up_data_breaks_refutes_nothing(run: Run, kernel_file: Write) -> None:
    text = ("__global__ void k(const int *a, int *out, int n) { int t = threadIdx.x; __builtin_assume(a[t] == t);\n"
            "for (int i = 0; i < n; i++) out[a[t]] = i; }")
    args = "--block", 8, "--grid", 1, "--arg", "n=3", "--format", "jsonl"
    record = run("check", kernel_file(text), *args).records[0]
    assert record["verdict"] == "proved" and any("assumes" in item for item in record["assumptions"])
    assert run("check", kernel_file(text.replace("== t)", ">= t / 2)")), *args).records[0]["properties"]["race-free"] != "proved"


NOT_ORDER_FREE = {
    "shared memory begun by an atomic": ("__global__ void k(int *out, const int *d) { __shared__ int c;\n"
                                         "atomicAdd(&c, d[threadIdx.x]); __syncthreads(); out[threadIdx.x] = c; }"),
    "shared memory that nobody writes": ("__global__ void k(int *out, const int *d, int n) { __shared__ int s[8]; int v = 0;\n"
                                         "for (int i = 0; i < d[threadIdx.x] - 1000; i++) v += s[i & 7];\n"
                                         "out[threadIdx.x] = v; }"),
    "a clock": ("__global__ void k(int *out) { atomicAdd(&out[threadIdx.x], (int)clock()); }"),
}


@pytest.mark.parametrize("name", NOT_ORDER_FREE)
def test_not_called_order_free(name: str, run: Run, kernel_file: Write) -> None:
    args = ["--arg", "n=3"] if "int n" in NOT_ORDER_FREE[name] else []
    record = run("check", kernel_file(NOT_ORDER_FREE[name]), "--block", 8, "--grid", 1, *args, "--format", "jsonl").records[0]
    assert record["properties"]["order-free"] != "proved" and record["verdict"] != "proved"


CHOSEN = """// spmd: block=16 grid=1
// Which copy is waited for depends on the thread.
kernel void pick(global const float *a, global const float *b, global float *out) {
  local float left[16];
  local float right[16];
  event_t one = async_work_group_copy(left, a, 16, 0);
  event_t two = async_work_group_copy(right, b, 16, 0);
  event_t *which = &one;
  if (get_local_id(0) > 7) which = &two;
  wait_group_events(1, which);
  out[get_local_id(0)] = left[get_local_id(0)] + right[get_local_id(0)];
}
"""
UNEVEN = """// spmd: block=16 grid=1
// All threads must ask for the same copy.
kernel void uneven(global const float *a, global float *out) {
  local float tile[32];
  event_t done = async_work_group_copy(tile, a, 8 + get_local_id(0), 0);
  wait_group_events(1, &done);
  out[get_local_id(0)] = tile[get_local_id(0)];
}
"""


def test_copies_that_threads_do_not_agree_on(run: Run, kernel_file: Write) -> None:
    record = run("check", kernel_file(CHOSEN, "chosen.cl"), "--format", "jsonl").records[0]
    assert record["properties"]["barriers"] == "refuted"
    subscript = CHOSEN.replace("event_t one", "event_t both[2], one").replace("&two", "both + 1")
    subscript = subscript.replace("which = &one;", "which = both; both[0] = one; both[1] = two;")
    record = run("check", kernel_file(subscript, "subscript.cl"), "--format", "jsonl").records[0]
    assert record["verdict"] == "unknown" and "chosen at run time" in record["evidence"]
    record = run("check", kernel_file(UNEVEN, "uneven.cl"), "--format", "jsonl").records[0]
    assert record["properties"]["barriers"] == "refuted"


TICKET = """__device__ unsigned tickets;
__global__ void k(const int *in, int *part, int *out) {
  part[blockIdx.x] = in[blockIdx.x];
  FENCE
  bool last = atomicInc(&tickets, gridDim.x) == gridDim.x - 1;
  if (last) SEEN for (int b = 0; b < gridDim.x; b++) out[b] = part[b];
}"""


@pytest.mark.parametrize(("fence", "seen", "verdict"), [("__threadfence();", "__threadfence();", "unknown"), ("", "", "refuted"),
                                                        ("__threadfence();", "", "refuted")])
def test_what_fences_and_updates_may_order_is_no_confirmed_race(fence: str, seen: str, verdict: str, run: Run,
                                                                kernel_file: Write) -> None:
    """The count may begin anywhere, so that a block may take itself for the last: not decided. Both sides need a fence."""
    path = kernel_file(TICKET.replace("FENCE", fence).replace("SEEN", f"{{ {seen} }} if (last)"))
    (record,) = run("check", path, "--block", "1", "--grid", "4", "--format", "jsonl").records
    assert record["verdict"] == verdict


@pytest.mark.parametrize(("body", "exactness"), [
    ("atomicAdd(&c[t], 1); o[t / 2] = t;", "CIDI"), ("atomicAdd(&c[t], 1); if (d[t] < 100) o[t / 2] = t;", "CDDI"),
    ("atomicAdd(&c[t], 1); o[d[t] & 1] = t;", "CIDD"), ("atomicAdd(&c[t], 1); if (d[t] < 100) o[d[t] & 1] = t;", "CDDD")])
def test_what_a_run_finds_says_whether_it_hangs_on_data(body: str, exactness: str, run: Run, kernel_file: Write) -> None:
    path = kernel_file(f"__global__ void k(int *o, int *c, const int *d) {{ int t = threadIdx.x; {body} }}")
    (record,) = run("check", path, "--block", "8", "--grid", "1", "--format", "jsonl").records
    assert [finding["exactness"] for finding in record["findings"] if finding["rule"] == "race"][:1] == [exactness]


HASH = "unsigned h = 7; for (int i = 0; i < 9; i++) h = h * 31u + i; for (int i = 0; i < 5; i++) h = h * h + 1u;"
TRUE = "a[t] = 1; assert(h != 0u); assert(t < 8);"
CLAIMS = {
    "of the launch alone": (True, f"{HASH} {TRUE}"),
    "beside a branch on data": (True, f"{HASH} if (a[t] > 5) a[t] = 2; {TRUE}"),
    "through shared memory": (True, "__shared__ int s[8]; s[t] = t * t; __syncthreads(); assert(s[7 - t] == (7 - t) * (7 - t));"),
    "one that fails": (False, f"{HASH} a[t] = 1; assert(h == 0u);"),
    "one that a thread alone fails": (False, "a[t] = 1; assert(t != 6);"),
    "of data": (False, "assert(a[t] != 77777); a[t] = 1;"),
    "where data lead": (False, "if (a[t] == 77777) assert(t == 99); a[t] = 1;"),
    "of what data chose": (False, "int v = 1; if (a[t] == 77777) v = 2; assert(v == 1);"),
    "behind a return on data": (False, "if (a[t] != 77777) return; assert(t == 99);"),
    "behind a loop on data": (False, "int i = 0; while (a[t] > 99 * i) i++; assert(i < 5);"),
    "in a loop on data": (False, "for (int i = 0; i < a[t] - 500; i++) assert(i < 5);"),
    "of data through shared memory": (False, "__shared__ int s[8]; s[t] = a[t]; __syncthreads(); assert(s[7 - t] != 77777);"),
    "of data through a local array": (False, "int own[2] = {1, 2}; own[a[t] & 1] = 1; assert(own[1] == 2);"),
    "of a local array that is not written": (False, "int own[2]; if (t < 7) own[0] = 1; assert(own[0] == 1 || own[0] != 77777);"),
    "of a local array written in part": (False, "int own[3]; for (int i = 0; i < 2; i++) own[i] = i; assert(own[t % 3] < 3);"),
    "of a local that is not set": (False, "int own; if (t < 7) own = 1; assert(own == 1 || own != 77777);"),
    "of an update's result": (False, "int v = atomicAdd(&a[0], 1); assert(v != 77777);"),
    "by a lane's data": (False, "int v = __shfl_sync(0xffu, a[t], 0); assert(v != 77777);"),
    "behind an overflow": (False, "int v = 2147483647; v = v + t; a[t] = 1; assert(v >= 2147483647 || t > 0);"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_what_a_run_says_of_assertions(name: str, kernel_file: Write) -> None:
    holds, body = CLAIMS[name]
    (item,) = Source(str(kernel_file(f"__global__ void k(int *a) {{ int t = threadIdx.x; {body} }}"))).kernels()
    context = prepare(item.read(), Launch(block=(8, 1, 1), grid=(1, 1, 1)))
    found = amplify(context.kernel, setting_at(context, {}, drawn_from((0.0, 1.0, 2.0))))
    assert (found.holds and found.claims_hold) is holds, found.reason


def test_assertions_that_no_data_reach_are_proved_by_a_run(run: Run, kernel_file: Write) -> None:
    rounds = "for (int i = 0; i < 700; i++) { h = h * 31u + i; if (h % 3u == 0u) h ^= h >> 3; }"
    text = "__global__ void k(int *a) {{ unsigned h = 1; {} a[threadIdx.x] = 1; assert(h {} {}u); }}"
    h = 1
    for i in range(700):
        h = (h * 31 + i) % 2**32
        h ^= 0 if h % 3 else h >> 3
    for op, told in (("==", "proved"), ("!=", "refuted")):
        record = run("check", kernel_file(text.format(rounds, op, h)), "--block", 8, "--grid", 1, "--format", "jsonl").records[0]
        assert record["properties"]["assertions"] == told
