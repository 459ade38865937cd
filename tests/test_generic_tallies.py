"""Cells that many threads add to: what is shown of them for all sizes, and twins that differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

EACH = """// spmd: block=64 grid=(n+63)/64 x[n] w[n] y[m] require n >= 0, n <= 100000, m >= 256, m <= 1000
__global__ void k(const unsigned char *x, const int *w, int *y, int n, int m) {{
  int t = threadIdx.x, i = blockIdx.x * 64 + t; if (i >= n) return; {body} }}
"""
BLOCKS = """// spmd: block=64 grid=g x[n] w[n] y[m] require n >= 0, n <= 100000, g >= 1, g <= 100, m >= 256, m <= 1000
__global__ void k(const unsigned char *x, const int *w, int *y, int n, int m, int g) {{
  __shared__ int s[256]; int t = threadIdx.x, first = blockIdx.x * 64 + t; {body} }}
"""
STRIDED = "for (int i = first; i < n; i += gridDim.x * 64)"
MADE = "for (int k = t; k < 256; k += 64) s[k] = 0; __syncthreads();"
TALLY = "atomicAdd(&s[x[i]], w[i]);"
LEFT = "__syncthreads(); for (int k = t; k < 256; k += 64) atomicAdd(&y[k], s[k]);"
ONE = EACH.format(body="atomicAdd(&y[x[i]], w[i]);")


def blocks(body: str) -> str:
    return BLOCKS.format(body=body)


def each(body: str) -> str:
    return EACH.format(body=body)


def binned(bin_: str, bins: int = 16) -> str:
    """One is added for each element, by blocks with bins of their own."""
    return blocks(f"if (t < {bins}) s[t] = 0; __syncthreads(); {STRIDED} atomicAdd(&s[{bin_}], 1); "
                  f"__syncthreads(); if (t < {bins}) atomicAdd(&y[t], s[t]);")


GOOD = {
    "each by itself, and strided": (ONE, blocks(f"{STRIDED} atomicAdd(&y[x[i]], w[i]);")),
    "a tally for each block": (ONE, blocks(f"{MADE} {STRIDED} {TALLY} {LEFT}")),
    "what is taken away": (each("atomicAdd(&y[x[i]], -w[i]);"), blocks(f"{STRIDED} atomicSub(&y[x[i]], w[i]);")),
    "in two steps": (each("atomicAdd(&y[x[i]], 2 * w[i]);"), each("atomicAdd(&y[x[i]], w[i]); atomicAdd(&y[x[i]], w[i]);")),
    "those that data choose": (each("if (w[i] > 3) atomicAdd(&y[x[i]], w[i]);"),
                               blocks(f"{STRIDED} {{ if (w[i] > 3) atomicAdd(&y[x[i]], w[i]); }}")),
    "how many threads there are": (each("atomicAdd(&y[3], 1);"), blocks("if (first == 0) y[3] += n;")),
    "begun with something": (
        blocks(f"for (int k = t; k < 256; k += 64) s[k] = k; __syncthreads(); {STRIDED} {TALLY} __syncthreads(); "
               "for (int k = t; k < 256; k += 64) atomicAdd(&y[k], s[k] - k);"), ONE),
    "added to a second time": (
        blocks(f"{MADE} {STRIDED} {TALLY} __syncthreads(); {STRIDED} {TALLY} {LEFT}"),
        each("atomicAdd(&y[x[i]], 2 * w[i]);")),
    "bins of low bits": (each("atomicAdd(&y[w[i] & 15], 1);"), binned("w[i] & 15")),
    "bins of high bits": (each("atomicAdd(&y[x[i] >> 2], 1);"), binned("x[i] / 4", 64)),
    "bins of a field": (each("atomicAdd(&y[w[i] >> 4 & 15], 1);"), binned("(w[i] >> 2) >> 2 & 15")),
}


@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, GOOD[what])
    assert shown is not None
    assert shown.kind is not None, shown.reason


BAD = {
    "another key": (ONE, each("atomicAdd(&y[x[i] ^ 1], w[i]);")),
    "a key too far": (ONE, each("atomicAdd(&y[x[i] + 1], w[i]);")),
    "another weight": (ONE, each("atomicAdd(&y[x[i]], w[n - 1 - i]);")),
    "the last one is dropped": (ONE, each("if (i + 1 < n) atomicAdd(&y[x[i]], w[i]);")),
    "twice where it is zero": (ONE, each("atomicAdd(&y[x[i]], w[i]); if (i == 0) atomicAdd(&y[x[i]], w[i]);")),
    "each thread that there is": (each("atomicAdd(&y[3], 1);"), blocks("atomicAdd(&y[3], 1);")),
    "instead of beside": (each("atomicAdd(&y[3], 1);"), blocks("if (first == 0) y[3] = n;")),
    "all threads store the same": (each("atomicAdd(&y[3], 1);"), blocks("y[3] = n;")),
    "a block too few": (ONE, blocks("for (int i = first; i < n; i += gridDim.x * 128) atomicAdd(&y[x[i]], w[i]);")),
    "the tally is not cleared": (
        ONE, blocks(f"for (int k = t; k < 256; k += 64) s[k] = 1; __syncthreads(); {STRIDED} {TALLY} {LEFT}")),
    "the tally is cleared between": (
        ONE, blocks(f"{MADE} {STRIDED} {TALLY} __syncthreads(); {MADE} {STRIDED} atomicAdd(&s[x[i]], 0); {LEFT}")),
    "a part is left": (
        ONE, blocks(f"{MADE} {STRIDED} {TALLY} __syncthreads(); "
                    "for (int k = t; k < 255; k += 64) atomicAdd(&y[k], s[k]);")),
    "left in the wrong place": (
        ONE, blocks(f"{MADE} {STRIDED} {TALLY} __syncthreads(); "
                    "for (int k = t; k < 256; k += 64) atomicAdd(&y[255 - k], s[k]);")),
    "read before all have added": (
        ONE, blocks(f"{MADE} int early = s[t]; __syncthreads(); {STRIDED} {TALLY} __syncthreads(); "
                    "atomicAdd(&y[t], early);")),
    "the old value is used": (ONE, each("if (atomicAdd(&y[x[i]], w[i]) == -7) atomicAdd(&y[255], 1);")),
    "greatest instead of sum": (ONE, each("atomicMax(&y[x[i]], w[i]);")),
    "added to where it is loaded": (
        each("atomicAdd(&y[3], 1);"), blocks("int old = y[4]; if (first == 0) atomicAdd(&y[3], n + old - old + 1);")),
    "those that data do not choose": (
        each("if (w[i] > 3) atomicAdd(&y[x[i]], w[i]);"), each("if (w[i] > 2) atomicAdd(&y[x[i]], w[i]);")),
    "other bits": (each("atomicAdd(&y[w[i] & 15], 1);"), binned("w[i] >> 1 & 15")),
    "a bin fewer": (each("atomicAdd(&y[w[i] & 15], 1);"), binned("w[i] & 15").replace("t < 16) atomicAdd", "t < 15) atomicAdd")),
    "quotients of negative numbers": (each("atomicAdd(&y[w[i] >> 28 & 7], 1);"), binned("w[i] / (1 << 28) & 7")),
    "bins of what wraps": (each("atomicAdd(&y[(unsigned)w[i] * 16u >> 28], 1);"), binned("w[i] >> 24 & 15")),
    "a narrower weight": (ONE, each("atomicAdd(&y[x[i]], (int)(signed char)w[i]);")),
}


@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, BAD[what])
    assert shown is None or shown.kind is None, shown.proof
