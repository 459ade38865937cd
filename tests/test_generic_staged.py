"""Shared and private arrays whose subscripts sizes decide, and locals that turn: what is shown of them, and twins that differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

FRAME = """// spmd: block=64 grid=rows x[rows*{size}] y[rows*64] require rows >= 1, rows <= 2000, n >= {least}, n <= 64
__global__ void k(const float *x, float *y, int rows, int n) {{
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * {size}; {body} }}
"""
FREE = """// spmd: block=threads grid=rows x[rows*threads] y[rows*threads] require rows > 0, rows < 999, threads > 0, threads < 99
__global__ void k(const float *x, float *y, int rows, int threads) {{
  __shared__ float s[160]; int t = threadIdx.x, b = blockIdx.x; const float *in = x + b * threads; {body} }}
"""


def rows(body: str, size: str = "64", least: int = 1) -> str:
    return FRAME.format(body=body, size=size, least=least)


def free(body: str) -> str:
    return FREE.format(body=body)


MEET, OUT = "__syncthreads();", "y[b * 64 + t] ="
ALL = "for (int j = 0; j < n; j++)"
TWO = "float a = 0; int now = 0; s[t] = in[t]; __syncthreads(); for (int j = 1; j < n; j++) {{ s[{there} * 64 + t] = in[t]; " \
      "a += s[{here} * 64 + 63 - t] * j; __syncthreads(); {turn} }} y[b * 64 + t] = a + s[{last} * 64 + 63 - t];"
TURNS = f"float a = 0; for (int j = 1; j < n; j++) a += in[63 - t] * j; {OUT} a + in[63 - t];"
AHEAD = f"float a = 0, next = in[0]; {ALL} {{ float now = next;"
RING = "float r[3]; float a = 0; r[0] = 0; r[1] = 0; r[2] = 0; " \
       "for (int j = 0; j < n; j++) {{ r[j % 3] = in[j]; a += r[{which}]; }} y[b * 64 + t] = a;"

GOOD = {
    "shifted by a parameter": (
        rows(f"s[t + n] = in[t]; {MEET} {OUT} s[63 - t + n];"), rows(f"{OUT} in[63 - t];")),
    "a tile as wide as a parameter": (
        rows(f"for (int k = t; k < 64 + n; k += 64) s[k] = in[k]; {MEET} {OUT} s[t + n] - s[t];", "128"),
        rows(f"{OUT} in[t + n] - in[t];", "128")),
    "the later store is what is there": (
        rows(f"s[t + n] = 1; {MEET} s[t + n] = in[t]; {MEET} {OUT} s[63 - t + n];"), rows(f"{OUT} in[63 - t];")),
    "two stores that have a part each": (
        rows(f"s[t + n] = 1; {MEET} if (t < 32) s[t + n] = in[t]; {MEET} {OUT} s[63 - t + n];"),
        rows(f"{OUT} t > 31 ? in[63 - t] : 1;")),
    "the last round is what is left": (
        rows(f"{ALL} {{ s[t + n] = in[t] * j; {MEET} }} {OUT} s[63 - t + n];"), rows(f"{OUT} in[63 - t] * (n - 1);")),
    "what the round before has stored": (
        rows(f"float a = 0; s[t + n] = 0; {MEET} {ALL} {{ a += s[63 - t + n]; {MEET} s[t + n] = in[t] * j; {MEET} }} {OUT} a;"),
        rows(f"float a = 0; for (int j = 0; j + 1 < n; j++) a += in[63 - t] * j; {OUT} a;")),
    "two buffers, by xor": (rows(TWO.format(there="(now ^ 1)", here="now", last="now", turn="now ^= 1;")), rows(TURNS)),
    "two buffers, by one less": (rows(TWO.format(there="(1 - now)", here="now", last="now", turn="now = 1 - now;")), rows(TURNS)),
    "two buffers, by the round": (
        rows(TWO.format(there="(j % 2)", here="((j + 1) % 2)", last="((n + 1) % 2)", turn="")), rows(TURNS)),
    "a block of any size": (free("s[t] = in[t]; __syncthreads(); y[b * threads + t] = s[threads - 1 - t];"),
                            free("y[b * threads + t] = in[threads - 1 - t];")),
    "a block of any size, its left neighbour": (
        free("s[t + 1] = in[t]; if (t == 0) s[0] = 0; __syncthreads(); y[b * threads + t] = s[t];"),
        free("y[b * threads + t] = t > 0 ? in[t - 1] : 0;")),
    "a ring of one's own": (rows(RING.format(which="j % 3")), rows(f"float a = 0; {ALL} a += in[j]; {OUT} a;")),
    "the value ahead": (
        rows(f"{AHEAD} if (j + 1 < n) next = in[j + 1]; a += now * now; }} {OUT} a;"),
        rows(f"float a = 0; {ALL} a += in[j] * in[j]; {OUT} a;")),
}


@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, GOOD[what])
    assert shown is not None
    assert shown.kind is not None, shown.reason


BAD = {
    "shifted by one more": (
        rows(f"s[t + n] = in[t]; if (t == 0) s[n + 64] = 0; {MEET} {OUT} s[64 - t + n];"), rows(f"{OUT} in[63 - t];")),
    "the first store is overwritten": (
        rows(f"s[t + n] = in[t]; {MEET} s[t + n] = 1; {MEET} {OUT} s[63 - t + n];"), rows(f"{OUT} in[63 - t];")),
    "the first store is overwritten in part": (
        rows(f"s[t + n] = in[t]; {MEET} if (t == 3) s[t + n] = 1; {MEET} {OUT} s[63 - t + n];"), rows(f"{OUT} in[63 - t];")),
    "the first store is overwritten elsewhere": (
        rows(f"s[t] = in[t]; {MEET} if (t == 3) s[n] = 1; {MEET} {OUT} s[63 - t];"), rows(f"{OUT} in[63 - t];")),
    "overwritten in a loop that may make no round": (
        rows(f"s[t + n] = in[t]; {MEET} for (int j = 1; j < n; j++) {{ s[t + n] = j; {MEET} }} {OUT} s[63 - t + n];"),
        rows(f"{OUT} in[63 - t];")),
    "not the last round": (
        rows(f"{ALL} {{ s[t + n] = in[t] * j; {MEET} }} {OUT} s[63 - t + n];"), rows(f"{OUT} in[63 - t] * n;")),
    "not the first round": (
        rows(f"{ALL} {{ s[t + n] = in[t] * j; {MEET} }} {OUT} s[63 - t + n];"), rows(f"{OUT} 0;")),
    "this round instead of the one before": (
        rows(f"float a = 0; s[t + n] = 0; {MEET} {ALL} {{ a += s[63 - t + n]; {MEET} s[t + n] = in[t] * j; {MEET} }} {OUT} a;"),
        rows(f"float a = 0; {ALL} a += in[63 - t] * j; {OUT} a;")),
    "the buffer before the loop alone": (
        rows(f"float a = 0; s[t + n] = 0; {MEET} {ALL} {{ a += s[63 - t + n]; {MEET} s[t + n] = in[t] * j; {MEET} }} {OUT} a;"),
        rows(f"{OUT} 0;")),
    "two buffers, the wrong one at the end": (
        rows(TWO.format(there="(now ^ 1)", here="now", last="now", turn="now ^= 1;")), rows(TURNS.replace("+ in[63", "- in[63"))),
    "two buffers that turn once": (
        rows(TWO.format(there="(now ^ 1)", here="now", last="now", turn="if (j == 1) now ^= 1;")), rows(TURNS)),
    "two buffers that turn by data": (
        rows(TWO.format(there="(now ^ 1)", here="now", last="now", turn="if (x[0] > 0) now ^= 1;")), rows(TURNS)),
    "two buffers that begin with a size": (
        rows(TWO.format(there="(now ^ 1)", here="now", last="now", turn="now ^= 1;").replace("now = 0", "now = n % 2")),
        rows(TURNS)),
    "three numbers that turn for two": (
        rows(f"float a = 0; int now = 0; {ALL} {{ a += in[now]; now = (now + 1) % 3; }} {OUT} a;"),
        rows(f"float a = 0; {ALL} a += in[j % 2]; {OUT} a;")),
    "a number that stops turning": (
        rows(f"float a = 0; int now = 0; {ALL} {{ a += in[now]; now = now < 2 ? now + 1 : 2; }} {OUT} a;"),
        rows(f"float a = 0; {ALL} a += in[j % 3]; {OUT} a;")),
    "a block of any size, one element twice": (
        free("s[t] = in[t]; __syncthreads(); y[b * threads + t] = s[threads - 1 - t];"),
        free("y[b * threads + t] = in[threads - 1 - (t == 1 ? 0 : t)];")),
    "a block of any size, whose first element is kept": (
        free("s[t + 1] = in[t]; if (t == 0) s[0] = 0; __syncthreads(); y[b * threads + t] = s[t];"),
        free("y[b * threads + t] = t > 0 ? in[t - 1] : in[0];")),
    "a ring read one too early": (rows(RING.format(which="(j + 1) % 3")), rows(f"float a = 0; {ALL} a += in[j]; {OUT} a;")),
    "the value ahead, not fetched each time": (
        rows(f"{AHEAD} if (j + 2 < n) next = in[j + 1]; a += now * j; }} {OUT} a;"),
        rows(f"float a = 0; {ALL} a += in[j] * j; {OUT} a;")),
    "the value ahead, fetched on even rounds": (
        rows(f"{AHEAD} if (j % 2 == 0) next = in[j + 1]; a += now * j; }} {OUT} a;", "128"),
        rows(f"float a = 0; {ALL} a += in[j] * j; {OUT} a;", "128")),
    "another thread in each round": (
        rows(f"float a = 0; s[t + n] = 0; {MEET} {ALL} {{ a += s[(t + j) % 64 + n]; {MEET} s[t + n] = in[t] * j; {MEET} }} "
             f"{OUT} a;"),
        rows(f"float a = 0; for (int j = 1; j < n; j++) a += in[(t + j - 1) % 64] * (j - 1); {OUT} a;")),
    "what another thread carries": (
        free("float a = 0, c = 0; for (int j = 0; j < rows; j++) { c += in[t] * j; s[t] = c; __syncthreads(); "
             "a += s[threads - 1 - t]; __syncthreads(); } y[b * threads + t] = a;"),
        free("float a = 0, c = 0; for (int j = 0; j < rows; j++) { c += in[t] * j; a += c; } y[b * threads + t] = a;")),
    "a narrow number that turns": (
        rows(f"float a = 0; unsigned char now = 0; {ALL} {{ a += now > 100 ? in[1] : in[0]; now = (unsigned char)(-now - 1); }} "
             f"{OUT} a;"),
        rows(f"float a = 0; {ALL} a += in[0]; {OUT} a;")),
    "one way for all rounds, begun otherwise": (
        rows(f"float a = rows == 3 ? 1 : 0; {ALL} {{ if (rows == 3) a += in[j]; else a *= in[j]; }} {OUT} a;"),
        rows(f"float a = 0; if (rows == 3) {ALL} a += in[j]; {OUT} a;")),
    "one way in the first round, the other behind it": (
        rows(f"float a = 1; {ALL} {{ if (j == 0) a += in[j]; else a *= in[j]; }} {OUT} a;"),
        rows(f"float a = 1; {ALL} a += in[j]; {OUT} a;")),
}


@pytest.mark.parametrize("what", BAD)
def test_never(what: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, BAD[what])
    assert shown is None or shown.kind is None, shown.proof
