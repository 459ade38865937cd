"""Exclusive or of rows for all sizes, by lanes and trees, each beside twins that take an element twice or never."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generic import generic

FRAME = """// spmd: block=32 grid=rows x[rows*n] w[n] y[rows] require rows > 0, rows <= 2000, n >= 0, n <= 2000
__global__ void k(const {kind} *x, const int *w, {kind} *y, int rows, int n) {{
  __shared__ {kind} sh[32]; int t = threadIdx.x; const {kind} *in = x + blockIdx.x * n; {kind} a = 0;
  {body} if (t == 0) y[blockIdx.x] = a; }}
"""
SERIAL = "for (int j = 0; j < n; j++) a ^= in[j];"
TREE = ("sh[t] = a; __syncthreads(); "
        "for (int d = 16; d > 0; d /= 2) { if (t < d) sh[t] ^= sh[t + d]; __syncthreads(); } a = sh[0];")
SHUFFLES = "for (int d = 1; d < 32; d *= 2) a ^= __shfl_xor_sync(0xffffffffu, a, d);"
STRIDED = "for (int j = t; j < n; j += 32) a ^= in[j];"
CHOSEN = "for (int j = 0; j < n; j++) if (w[j] > 3) a ^= in[j];"
GOOD = {
    "lanes and a tree": (SERIAL, STRIDED + TREE),
    "lanes and shuffles": (SERIAL, STRIDED + SHUFFLES),
    "from behind": (SERIAL, "for (int j = n - 1; j >= 0; j--) a = in[j] ^ a;"),
    "two at a time": (SERIAL, "for (int j = 0; j + 1 < n; j += 2) a ^= in[j] ^ in[j + 1]; if (n % 2) a ^= in[n - 1];"),
    "all twice and once": (SERIAL, SERIAL + SERIAL + SERIAL),
    "all twice": ("a = 0;", SERIAL + SERIAL),
    "begun with a number": ("a = 5; " + SERIAL, SERIAL + "a ^= 5;"),
    "those that data choose": (CHOSEN, "for (int j = 0; j < n; j++) a ^= w[j] > 3 ? in[j] : 0;"),
    "those that data choose, by lanes": (CHOSEN, "for (int j = t; j < n; j += 32) { if (w[j] > 3) a ^= in[j]; }" + SHUFFLES),
    "the first one apart": (SERIAL, "if (n > 0) a = in[0]; for (int j = 1; j < n; j++) a ^= in[j];"),
    "of products": ("for (int j = 0; j < n; j++) a ^= in[j] * w[j];",
                    "for (int j = t; j < n; j += 32) a ^= w[j] * in[j];" + SHUFFLES),
    "a mask of them": (SERIAL + "a &= 255;", STRIDED + SHUFFLES + "a %= 256;"),
}
BAD = {
    "a lane fewer": (SERIAL, STRIDED.replace("int j = t", "int j = t + 1") + TREE),
    "a level fewer": (SERIAL, STRIDED + TREE.replace("int d = 16", "int d = 8")),
    "a shuffle fewer": (SERIAL, STRIDED + SHUFFLES.replace("d < 32", "d < 16")),
    "a shuffle twice": (SERIAL, STRIDED + SHUFFLES + "a ^= __shfl_xor_sync(0xffffffffu, a, 1);"),
    "all twice": (SERIAL, SERIAL + SERIAL),
    "the last one is dropped": (SERIAL, "for (int j = 0; j + 1 < n; j += 2) a ^= in[j] ^ in[j + 1];"),
    "begun with another number": ("a = 5; " + SERIAL, "a = 4; " + SERIAL),
    "a number in each round": (SERIAL, "for (int j = 0; j < n; j++) a ^= in[j] ^ 1;"),
    "added": (SERIAL, "for (int j = 0; j < n; j++) a += in[j];"),
    "one added": (SERIAL, "for (int j = 0; j < n; j++) a = (a ^ in[j]) + 0 * 1 + (j == 3);"),
    "or'ed": (SERIAL, "for (int j = 0; j < n; j++) a |= in[j];"),
    "a sum of pairs": (SERIAL, "for (int j = 0; j + 1 < n; j += 2) a ^= in[j] + in[j + 1]; if (n % 2) a ^= in[n - 1];"),
    "other ones are chosen": (CHOSEN, CHOSEN.replace("> 3", "> 2")),
    "the first one as well": (SERIAL, "if (n > 0) a = in[0]; for (int j = 0; j < n; j++) a ^= in[j];"),
    "the first one without a guard": (SERIAL, "a = in[0]; for (int j = 1; j < n; j++) a ^= in[j];"),
    "the number of a round": (SERIAL, "for (int j = 0; j < n; j++) a ^= in[j] ^ j;"),
    "a wider mask": (SERIAL + "a &= 255;", STRIDED + SHUFFLES + "a %= 512;"),
}


def texts(pair: tuple[str, str], kind: str) -> tuple[str, str]:
    one, two = (FRAME.format(body=body, kind=kind) for body in pair)
    return one, two


@pytest.mark.sliced(3)
@pytest.mark.parametrize("what", GOOD)
def test_equal(what: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, texts(GOOD[what], "unsigned"))
    assert shown is not None
    assert shown.kind is not None, shown.reason
    assert shown.kind.value == "int"


@pytest.mark.sliced(4)
@pytest.mark.parametrize(("what", "kind"), [(what, kind) for what in BAD for kind in ("unsigned", "int")])
def test_never(what: str, kind: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, texts(BAD[what], kind))
    assert shown is None or shown.kind is None, shown.proof


@pytest.mark.parametrize("kind", ["int", "unsigned long long"])
def test_other_types(kind: str, tmp_path: Path) -> None:
    shown = generic(tmp_path, texts((SERIAL, STRIDED + SHUFFLES), kind))
    assert shown is not None and shown.kind is not None


def test_proof_says_what_is_taken(tmp_path: Path) -> None:
    shown = generic(tmp_path, texts(GOOD["lanes and a tree"], "unsigned"))
    assert shown is not None
    assert any("⊕{Σ(k1 with" in line for line in shown.proof)
