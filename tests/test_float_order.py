"""The order of float atomics: refuted where two schedules leave other sums, proved where each cell has one order."""

from __future__ import annotations

import pytest
from conftest import Run

HEAD = "__global__ void k(float *out, const float *in, const int *at, double *d, const double *e, int n) {{ " \
       "int t = threadIdx.x, i = blockIdx.x * blockDim.x + t; {} }}"
SHOWS = {
    "a sum": "if (i < n) atomicAdd(out, in[i]);",
    "a sum of doubles": "if (i < n) atomicAdd(d, e[i]);",
    "a strided sum": "for (int j = i; j < n; j += gridDim.x * blockDim.x) atomicAdd(out, in[j]);",
    "a histogram": "if (i < n) atomicAdd(&out[at[i]], in[i]);",
    "a product with a sparse matrix": "if (i < n) atomicAdd(&d[at[i]], e[i] * e[at[i]]);",
    "few bins": "if (i < n) atomicAdd(&out[i % 3], in[i]);",
    "neighbours": "if (i < n) { atomicAdd(&out[i], in[i]); atomicAdd(&out[i + 1], in[i]); atomicAdd(&out[i + 2], in[i]); }",
    "both ends": "if (i < n) { atomicAdd(&out[at[i]], in[i]); atomicAdd(&out[at[i + n]], -in[i]); }",
    "a subtraction": "if (i < n) atomicAdd(out, -in[i] * 0.5f);",
    "squares": "if (i < n) atomicAdd(out, in[i] * in[i]);",
    "a dot product": "if (i < n) atomicAdd(d, e[i] * e[i + n]);",
    "a sum of a block": "__shared__ float s; if (t == 0) s = 0; __syncthreads(); atomicAdd(&s, in[i]); __syncthreads(); "
                        "if (t == 0) out[blockIdx.x] = s;",
    "sums of blocks": "__shared__ float s; if (t == 0) s = 0; __syncthreads(); atomicAdd(&s, in[i]); __syncthreads(); "
                      "if (t == 0) atomicAdd(out, s);",
    "bins of a block": "__shared__ float s[4]; if (t < 4) s[t] = 0; __syncthreads(); atomicAdd(&s[i % 4], in[i]); "
                       "__syncthreads(); if (t < 4) atomicAdd(&out[t], s[t]);",
    "own cells of another sum": "__shared__ float s; if (t == 0) s = 0; __syncthreads(); atomicAdd(&s, in[i]); __syncthreads(); "
                                "atomicAdd(&out[i], s);",
    "leaders": "if (t % 2 == 0) atomicAdd(out, in[i] + in[i + 1]);",
    "a scaled sum": "if (i < n) atomicAdd(out, in[i] / (i + 1));",
    "rows": "if (i < n) atomicAdd(&out[i / 4], in[i]);",
    "a loop of each": "for (int j = 0; j < 3; j++) if (i < n) atomicAdd(&out[j], in[i * 3 + j]);",
    "a condition on data": "if (i < n && in[i] > 0) atomicAdd(out, in[i]);",
    "two sums": "if (i < n) { atomicAdd(&out[0], in[i]); atomicAdd(&out[1], in[i] * in[i]); }",
    "a value seen on the way": "if (i < n) out[i + 1] = atomicAdd(out, in[i]);",
}
HIDES = {
    "own cells": "if (i < n) atomicAdd(&out[i], in[i]);",
    "own cells, twice": "if (i < n) { atomicAdd(&out[i], in[i]); atomicAdd(&out[i], in[i + n]); }",
    "own cells, strided": "for (int j = i; j < n; j += gridDim.x * blockDim.x) atomicAdd(&out[j], in[j]);",
    "own results": "if (i < n) out[2 * i + 1] = atomicAdd(&out[2 * i], in[i]);",
    "one thread": "if (i == 0) for (int j = 0; j < n; j++) atomicAdd(out, in[j]);",
    "one thread of a block": "__shared__ float s; if (t == 0) { s = 0; atomicAdd(&s, in[i]); out[blockIdx.x] = s; }",
    "in turns": "__shared__ float s[64]; if (t < 64) s[t] = 0; __syncthreads(); if (t < 64) atomicAdd(&s[t], in[i]); "
                "__syncthreads(); if (t < 64) atomicAdd(&s[63 - t], in[i]); __syncthreads(); "
                "if (t < 64) out[blockIdx.x * 64 + t] = s[t];",
}
NOT_PROVED = {
    "cells of neighbours": "if (i < n) atomicAdd(&out[i / 2], in[i]);",
    "no barrier between": "__shared__ float s[64]; if (t < 64) s[t] = 0; __syncthreads(); if (t < 64) atomicAdd(&s[t], in[i]); "
                          "if (t < 64) atomicAdd(&s[63 - t], in[i]); __syncthreads(); "
                          "if (t < 64) out[blockIdx.x * 64 + t] = s[t];",
    "blocks": "__syncthreads(); if (t < 64) atomicAdd(&out[t], in[i]);",
    "rounds": "for (int r = 0; r < 3; r++) { atomicAdd(&out[i + r], in[i]); __syncthreads(); }",
    "a cell of the one before": "if (i < n) { atomicAdd(&out[i], in[i]); if (i > 0) atomicAdd(&out[i - 1], in[i]); }",
    "wrapping": "atomicAdd(&out[i % 100], in[i]);",
}


@pytest.mark.sliced(5)
@pytest.mark.parametrize("name", SHOWS)
def test_an_order_that_shows_is_refuted(name: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (record,) = run("check", kernel_file(HEAD.format(SHOWS[name])), "--format", "jsonl").records
    assert record["verdict"] == "refuted" and record["properties"]["order-free"] == "refuted"
    assert any(finding["rule"] == "atomic-order" and finding["status"] == "confirmed" for finding in record["findings"])


@pytest.mark.parametrize("name", HIDES)
def test_an_order_that_cannot_show_is_proved(name: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (record,) = run("check", kernel_file(HEAD.format(HIDES[name])), "--format", "jsonl").records
    assert record["properties"]["order-free"] == "proved" and record["properties"]["race-free"] == "proved"


@pytest.mark.sliced(4)
@pytest.mark.parametrize("name", NOT_PROVED)
def test_an_order_that_may_show_is_not_proved(name: str, run: Run, kernel_file) -> None:  # type: ignore[no-untyped-def]
    (record,) = run("check", kernel_file(HEAD.format(NOT_PROVED[name])), "--timeout", "8", "--format", "jsonl").records
    assert record["properties"]["order-free"] != "proved"


ALIKE = {"one_number_ok": False, "one_number_read_x": True, "two_numbers_x": True, "up_and_down_x": True}


@pytest.mark.parametrize("name", ALIKE)
def test_a_run_tells_of_orders_where_updates_are_not_alike(name: str, run: Run) -> None:
    (record,) = run("run", f"tests/kernels/atomic_float_{name}.cu", "--format", "jsonl").records
    assert any(finding["rule"] == "atomic-order" for finding in record["findings"]) is ALIKE[name]
