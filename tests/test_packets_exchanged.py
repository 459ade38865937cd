"""Four bytes in one `int` that lanes exchange, choose or multiply by `__dp4a`: at a launch, byte by byte."""

from __future__ import annotations

from pathlib import Path

import pytest

import spmd.api as api

HEAD = "// spmd: block=32 grid=2\n__global__ void NAME(const TYPE char *x, const TYPE char *w, int *y) {\n" \
       "    int t = threadIdx.x, i = blockIdx.x * 32 + t;\n" \
       "    const WORD *p = (const WORD *)x, *q = (const WORD *)w;\n    BODY\n}\n"
BYTES = "for (int k = 0; k < 4; k++) y[4 * i + k] = x[4 * WHERE + k];"
OUT = "for (int k = 0; k < 4; k++) y[4 * i + k] = (TYPE char)(v >> 8 * k);"
PRODUCT = "int s = 0; for (int k = 0; k < 4; k++) s += x[4 * i + k] * w[4 * i + k]; y[i] = s;"
CHOSEN = "for (int k = 0; k < 4; k++) y[4 * i + k] = t < 7 ? x[4 * i + k] : w[4 * i + k];"
EXCHANGE = "int v = __shfl_xor_sync(~0u, p[i], 1); "
CASES = {
    "exchanged": (BYTES.replace("WHERE", "(i ^ 1)"), EXCHANGE + OUT, True),
    "exchanged with another lane": (BYTES.replace("WHERE", "(i ^ 2)"), EXCHANGE + OUT, False),
    "exchanged twice": (BYTES.replace("WHERE", "(i ^ 3)"), EXCHANGE + "v = __shfl_xor_sync(~0u, v, 2); " + OUT, True),
    "exchanged, with a byte set before": (
        BYTES.replace("WHERE", "(i ^ 1)") + " y[4 * i] = 5;",
        "int v = p[i]; v = (v & ~255) | 5; v = __shfl_xor_sync(~0u, v, 1); " + OUT, True),
    "exchanged, with a byte set in one lane": (
        BYTES.replace("WHERE", "(i ^ 1)") + " y[4 * i] = 5;",
        "int v = p[i]; if (t) v = (v & ~255) | 5; v = __shfl_xor_sync(~0u, v, 1); " + OUT, False),
    "chosen": (CHOSEN, "int v = t < 7 ? p[i] : q[i]; " + OUT, True),
    "chosen the other way": (CHOSEN, "int v = t < 8 ? p[i] : q[i]; " + OUT, False),
    "chosen or nothing": (CHOSEN.replace("w[4 * i + k]", "0"), "int v = t < 7 ? p[i] : 0; " + OUT, True),
    "multiplied": (PRODUCT, "y[i] = __dp4a(p[i], q[i], (WORD)0);", True),
    "multiplied, begun at one": (PRODUCT, "y[i] = __dp4a(p[i], q[i], (WORD)1);", False),
    "multiplied by itself": (PRODUCT, "y[i] = __dp4a(p[i], p[i], (WORD)0);", False),
    "multiplied by a lane's": (
        PRODUCT.replace("w[4 * i", "w[4 * (i ^ 1)"), "y[i] = __dp4a(p[i], __shfl_xor_sync(~0u, q[i], 1), (WORD)0);", True),
    "multiplied in a loop": (
        "WORD s = 0; for (int k = 0; k < 64; k++) s += x[64 * t + k] * w[k]; y[i] = s;",
        "WORD s = 0; for (int k = 0; k < 16; k++) s = __dp4a(p[16 * t + k], q[k], s); y[i] = s;", True),
}


@pytest.mark.parametrize("kind", ["signed", "unsigned"])
@pytest.mark.parametrize("name", CASES)
def test_a_packet_is_what_its_bytes_are(name: str, kind: str, tmp_path: Path) -> None:
    one, two, is_equal = CASES[name]
    sides = []
    for called, body in ("f", one), ("g", two):
        text = HEAD.replace("NAME", called).replace("BODY", body).replace("TYPE", kind)
        text = text.replace("WORD", "int" if kind == "signed" else "unsigned")
        (tmp_path / f"{called}.cu").write_text(text)
        sides.append(str(tmp_path / f"{called}.cu"))
    assert api.equiv(*sides).verdict == ("equal" if is_equal else "different")
