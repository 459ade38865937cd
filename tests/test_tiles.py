"""Pairs of kernels that multiply matrices by fragments: equal where the steps are, never called different by made-up numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

Write = Callable[..., Path]
PRODUCT = """#include <mma.h>
using namespace nvcuda;
__global__ void k(float *c, const half *a, const half *b) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
"""
PLAIN = """#include <cuda_fp16.h>
__global__ void k(float *c, const half *a, const half *b) {
  for (int e = threadIdx.x; e < 256; e += 32) {
    float s = 0;
    for (int k = 0; k < 16; k++) s += __half2float(a[e / 16 * 16 + k]) * __half2float(b[k * 16 + e % 16]);
    c[e] = s;
  }
}
"""
MMA = """__global__ void k(unsigned *c, const unsigned *a) {
  unsigned t = threadIdx.x, d, e;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
               : "=r"(d), "=r"(e) : "r"(a[t]), "r"(a[t + 32]), "r"(a[t + 64]), "r"(0), "r"(0));
  c[t] = d; c[t + 32] = e;
}
"""


@pytest.mark.sliced(5)
@pytest.mark.sliced(3)
@pytest.mark.parametrize(("a", "b", "wanted"), [
    (PRODUCT, PRODUCT.replace("fa, a, 16", "fa, a, 16u"), "equal"),
    (PRODUCT, PLAIN, "unknown"),
    (PRODUCT, PRODUCT.replace("fb, sum)", "fb, sum, true)"), "unknown"),
    (PRODUCT, PRODUCT.replace("fill_fragment(sum, 0", "fill_fragment(sum, 1"), "unknown"),
    (PRODUCT, PRODUCT.replace("row_major> fa", "col_major> fa"), "unknown"),
    (PRODUCT, PRODUCT.replace("load_matrix_sync(fa, a", "load_matrix_sync(fa, b").replace("(fb, b", "(fb, a"), "unknown"),
    (MMA, MMA.replace("int t =", "int  t ="), "equal"),
    (MMA, MMA.replace("f16.f16.f16.f16", "f16.bf16.bf16.f16"), "unknown"),
    (MMA, MMA.replace('"r"(a[t]), "r"(a[t + 32])', '"r"(a[t + 32]), "r"(a[t])'), "unknown"),
    (MMA, MMA.replace("c[t] = d; c[t + 32] = e;", "c[t] = e; c[t + 32] = d;"), "unknown"),
], ids=["itself", "plain", "saturating", "another start", "layout", "sides", "mma", "types", "registers", "results"])
def test_products_equal_the_same_steps_alone(a: str, b: str, wanted: str, run: Run, kernel_file: Write) -> None:
    sides = kernel_file(a, "a.cu"), kernel_file(b, "b.cu")
    (record,) = run("equiv", *sides, "--block", "32", "--grid", "1", "--format", "jsonl").records
    assert record["verdict"] == wanted, record["reason"]
