"""Atomic loads: of what others update they are no race, beside a plain store they are, and what they see shows the order."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

KERNEL = """#include <cuda/atomic>
// spmd: block=64 grid=4
__global__ void k(int *x, int *y, const int *in) {
  __shared__ int n;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  BODY
}
"""
LOAD = "__nv_atomic_load_n(&x[0], __NV_ATOMIC_RELAXED)"
LOOP = """int v = in[i], seen = FIRST;
  while (v < seen) { int old = seen; seen = atomicCAS(&x[0], old, v); if (seen == old) break; }"""
OF_BLOCK = "__nv_atomic_load_n(&x[0], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK)"
REFERENCE = "cuda::atomic_ref<int, cuda::thread_scope_device> at(x[0]); "

CASES = {
    "beside updates": (LOOP.replace("FIRST", LOAD), {"race-free": "proved"}),
    "a plain read beside updates": (LOOP.replace("FIRST", "x[0]"), {"race-free": "refuted"}),
    "beside plain reads": (f"y[i] = {LOAD} + x[0];", {"race-free": "proved", "order-free": "proved"}),
    "beside a plain store": (f"y[i] = {LOAD}; if (i == 7) x[0] = 1;", {"race-free": "refuted"}),
    "what it sees shows": (f"y[i] = {LOAD}; atomicAdd(&x[0], 1);", {"race-free": "proved", "order-free": "refuted"}),
    "what it sees is not used": (f"int old = {LOAD}; atomicAdd(&x[0], 1);", {"race-free": "proved", "order-free": "proved"}),
    "another block updates": (f"y[i] = {OF_BLOCK}; atomicAdd(&x[0], 1);", {"race-free": "refuted"}),
    "in its block alone": (f"y[i] = {OF_BLOCK};", {"race-free": "proved", "order-free": "proved"}),
    "nobody has set it": ("y[i] = __nv_atomic_load_n(&n, __NV_ATOMIC_RELAXED);", {"order-free": "refuted"}),
    "behind a barrier": ("if (threadIdx.x == 0) n = 5; __syncthreads(); y[i] = __nv_atomic_load_n(&n, __NV_ATOMIC_RELAXED);",
                         {"race-free": "proved", "order-free": "proved"}),
    "before the barrier": ("if (threadIdx.x == 0) n = 5; y[i] = __nv_atomic_load_n(&n, __NV_ATOMIC_RELAXED); __syncthreads();",
                           {"race-free": "refuted"}),
    "of a reference": (REFERENCE + "if (i == 3) atomicAdd(&x[0], 1); int seen = at.load(); if (seen < 0) return;",
                       {"race-free": "proved"}),
    "of a reference, beside a store": (REFERENCE + "if (i == 3) x[0] = 1; y[i] = at.load();", {"race-free": "refuted"}),
    "stored atomically": (f"__nv_atomic_store_n(&x[0], 1, __NV_ATOMIC_RELAXED); y[i] = {LOAD};", {"race-free": "proved"}),
    "stored atomically, beside a read": ("__nv_atomic_store_n(&x[0], 1, __NV_ATOMIC_RELAXED); y[i] = x[0];",
                                         {"race-free": "refuted"}),
    "added": ("__nv_atomic_add(&x[0], in[i], __NV_ATOMIC_RELAXED);", {"race-free": "proved", "order-free": "proved"}),
    "added, and the sum is used": ("y[i] = __nv_atomic_fetch_add(&x[0], 1, __NV_ATOMIC_RELAXED);", {"order-free": "refuted"}),
}


@pytest.mark.parametrize("name", CASES)
def test_atomic_loads(name: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    body, wanted = CASES[name]
    (record,) = run("check", kernel_file(KERNEL.replace("BODY", body)), "--format", "jsonl").records
    assert {key: record["properties"][key] for key in wanted} == wanted, record


CALLED = [f"y[i] = {OF_BLOCK};\n  atomicAdd(&x[0], 1);",
          "cuda::atomic_ref<int, cuda::thread_scope_block> at(x[0]);\n  at.fetch_add(1);"]


@pytest.mark.parametrize("body", CALLED)
def test_places_in_our_header_are_told_where_it_is_called(body: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    path = kernel_file(KERNEL.replace("BODY", body))
    (record,) = run("check", path, "--format", "jsonl").records
    spots = [spot for finding in record["findings"] if finding["rule"] == "race" for spot in finding["places"]]
    assert spots and all(spot["file"] == str(path) for spot in spots), spots


def test_a_load_leaves_all_as_it_is(run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    text = KERNEL.replace("BODY", f"y[i] = {LOAD} + in[i];")
    path, other = kernel_file(text), kernel_file(text.replace(LOAD, "x[0]"), name="plain.cu")
    assert run("equiv", path, other, "--format", "jsonl").records[0]["verdict"] == "equal"
    wrong = kernel_file(text.replace(LOAD, "x[1]"), name="wrong.cu")
    assert run("equiv", path, wrong, "--format", "jsonl").records[0]["verdict"] == "different"


def test_a_folder_named_like_a_header_is_passed_by(run: Run, tmp_path: Path) -> None:
    (tmp_path / "functional").mkdir()
    path = tmp_path / "k.cu"
    path.write_text("#include <functional>\n// spmd: block=64 grid=1\n__global__ void k(int *x) { x[threadIdx.x] = 1; }\n")
    assert run("check", path, "-I", tmp_path, "--format", "jsonl").records[0]["verdict"] == "proved"
