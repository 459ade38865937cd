"""Loops in strips leave the same symbols as loops round by round, and go round by round where rounds hang together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from automata.lang.launch import parse_comment
from automata.lang.read import find_kernels
from automata.machine import strips
from automata.machine.frame import Frame
from automata.place import Place
from automata.proof.determinism import Side
from equivalence import symbolic_run
from equivalence.domains.field import READINGS, Reading
from equivalence.domains.symbols import Symbols
from equivalence.launched import Step
from equivalence.symbolic_run import Ran, run_symbolic

BLOCK = 16
"""Threads of each kernel here; a strip of them has many rounds."""

KERNELS = {
    "sum": "float s = 0.0f; for (int j = 0; j < 50; j++) s += a[t * 50 + j]; b[t] = s;",
    "dot": "float s = a[t]; for (int j = 49; j >= 0; j--) s += a[t * 50 + j] * c[j * 16 + t]; b[t] = s;",
    "fused": "float s = a[t]; for (int j = 3; j < 90; j += 2) s = fmaf(a[t * 50 + j], c[j], s); b[t] = s;",
    "less": "float s = a[t]; for (int j = 0; j < 50; j++) s -= a[t * 50 + j] * c[j]; b[t] = s;",
    "chain": "float s = 0.0f; for (int j = 0; j < 50; j++) { s += a[j] * c[t]; s = s - a[j + 1]; } b[t] = s;",
    "seen": "float s = 0.0f; for (int j = 0; j < 50; j++) { s += a[t * 50 + j]; b[t * 50 + j] = s; }",
    "before": "float s = 0.0f; for (int j = 0; j < 50; j++) { b[t * 50 + j] = s; s += a[t * 50 + j]; }",
    "recurrence": "float s = a[t]; for (int j = 0; j < 50; j++) s = s * c[j] + a[j] * a[t]; b[t] = s;",
    "online": """float m = -INFINITY, l = 0.0f;
        for (int j = 0; j < 40; j++) { float n = fmaxf(m, a[t * 40 + j]); l = l * expf(m - n) + expf(a[t * 40 + j] - n); m = n; }
        b[t] = l; b[t + 16] = m;""",
    "scaled in place": "for (int j = 0; j < 40; j++) b[t * 40 + j] *= a[j];",
    "prefix in place": "for (int j = 1; j < 40; j++) b[t * 40 + j] += b[t * 40 + j - 1];",
    "moved up": "for (int j = 0; j < 40; j++) b[t * 41 + j] = b[t * 41 + j + 1];",
    "every fourth": """for (int j = 1; j < 40; j++) {
        b[t * 200 + 4 * j] = b[t * 200 + 4 * j + 1]; b[t * 200 + 4 * j + 2] = a[j]; }""",
    "one cell": "for (int j = 0; j < 40; j++) b[t] = a[t * 40 + j];",
    "one cell grows": "for (int j = 0; j < 40; j++) b[t] += a[t * 40 + j];",
    "overwritten": "for (int j = 0; j < 40; j++) { b[t * 50 + j] = a[j]; b[t * 50 + j + 1] = c[j]; }",
    "private": """float p[40], s = 0.0f; for (int j = 0; j < 40; j++) { p[j] = a[t * 40 + j] * 2.0f; s += p[j]; }
        for (int j = 0; j < 40; j++) b[t * 40 + j] = p[39 - j] / s;""",
    "unequal": "float s = 0.0f; for (int j = 0; j < 9 + 3 * t; j++) s += a[t * 50 + j]; b[t] = s;",
    "strided": "float s = 0.0f; for (int j = t; j < 300; j += 16) s += a[j]; b[t] = s;",
    "halved": "float s = 0.0f; for (int d = 1 << 20; d > 0; d >>= 1) s += a[t * 50 + d % 37]; b[t] = s;",
    "two counters": "int k = t; float s = 0.0f; for (int j = 0; j < 40; j++) { s += a[k]; k += 3; } b[t] = s + (float)k;",
    "later value": "int k = 0; float s = 0.0f; for (int j = 0; j < 40; j++) { s += a[k]; k = j * 2 + t; } b[t] = s + (float)k;",
    "wrapping": "float s = 0.0f; unsigned char u = 200; for (int j = 0; j < 80; j++) { s += a[u]; u += 3; } b[t] = s;",
    "below": "float s = 0.0f; for (unsigned j = 45u; j != 5u; j--) s += a[t + j]; b[t] = s;",
    "guarded": "float s = 0.0f; for (int j = 0; j < 40; j++) s += j < 20 + t ? a[t * 40 + j] : 0.0f; b[t] = s;",
    "by data": "float s = 0.0f; for (int j = 0; j < 40; j++) if (a[t * 40 + j] > 0.0f) s += a[t * 40 + j]; b[t] = s;",
    "stored by data": "for (int j = 0; j < 40; j++) if (a[t * 40 + j] > c[j]) b[t * 40 + j] = a[j];",
    "left early": "float s = 0.0f; for (int j = 0; j < 40; j++) { if (s > c[j]) break; s += a[t * 40 + j]; } b[t] = s;",
    "left by number": "float s = 0.0f; for (int j = 0; j < 40; j++) { if (j == 20 + t) break; s += a[t * 40 + j]; } b[t] = s;",
    "integers": "int s = n[t]; for (int j = 0; j < 40; j++) s += n[j] * n[t + j]; b[t] = (float)s;",
    "parity": "bool p = false; for (int j = 0; j < 40; j++) p = p != (a[t * 40 + j] > 0.0f); b[t] = p ? 1.0f : 0.0f;",
    "index of a stored index": """int q[40]; for (int j = 0; j < 40; j++) q[j] = j;
        for (int j = 0; j < 40; j++) b[t * 40 + j] = 0.0f;
        for (int j = 0; j < 40; j++) { q[j] = 0; b[t * 40 + q[j]] = b[t * 40 + q[j]] + a[t * 40 + j]; }""",
    "sum of numbers": "int k = t; float s = 0.0f; for (int j = 0; j < 40; j++) { s += a[t * 40 + j]; k += j; } b[t] = s + a[k];",
    "two that add": """float s = 0.0f, r = 1.0f; for (int j = 0; j < 40; j++) { s = r + a[t * 40 + j]; r = s + c[j]; }
        b[t] = s; b[t + 16] = r;""",
    "three in a ring": """float s = 0.0f, r = 1.0f, q = 2.0f;
        for (int j = 0; j < 40; j++) { s = r + a[t * 40 + j]; r = q + c[j]; q = s + 1.0f; } b[t] = s + r * q;""",
    "update at the end": "int j = 0; while (j < 40) { j++; atomicAdd(&b[t], a[t * 50 + j]); }",
    "fractions": "float s = 0.0f; for (int j = 0; j < 40; j++) s = s * (1.0f / (float)(t + 7)) + a[t * 40 + j]; b[t] = s;",
    "rounded or not": "float s = 0.0f; for (int j = 0; j < 40; j++) s = s * ((float)j * 0.1f) + a[t * 40 + j]; b[t] = s;",
    "outer": """float s = 0.0f; for (int i = 0; i < 40; i++) { float r = c[i];
        for (int j = 0; j < 9; j++) r += a[i * 9 + j] * a[t];
        s = fmaxf(s, r); } b[t] = s;""",
    "infinite": "float s = -INFINITY; for (int j = 0; j < 40; j++) s += a[t * 40 + j] * (j == t ? 0.0f : 1.0f); b[t] = s;",
    "undefined": "float s; for (int j = 0; j < 40; j++) { float r; if (j > 3) r = a[j]; s = r; } b[t] = s;",
}


ROUND_BY_ROUND = {"update at the end", "prefix in place", "moved up",
                  "one cell grows", "overwritten", "halved", "left by number", "undefined"}
"""Where rounds hang together, or the loop is not of the kind."""


def ran(body: str, reading: Reading, folder: Path) -> Ran:
    path = folder / "k.cu"
    path.write_text(f"__global__ void k(float *a, float *b, float *c, int *n) {{ int t = threadIdx.x; {body} }}")
    launch = parse_comment(f"block={BLOCK} grid=1", Place("k.cu", 1, 1))
    return run_symbolic([Step(find_kernels(str(path))[0].read(), launch, Side()).part()], Symbols(reading, "a", 1), None)


@pytest.mark.parametrize("name", KERNELS)
def test_strips_leave_the_same(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[int] = []
    once = strips.Strip.once

    def counted(strip: strips.Strip, frame: Frame) -> int:
        made.append(once(strip, frame))
        return made[-1]
    monkeypatch.setattr(symbolic_run, "MOST_STATEMENTS", 0)
    monkeypatch.setattr(strips.Strip, "once", counted)
    for reading in READINGS:
        found = ran(KERNELS[name], reading, tmp_path)
        with monkeypatch.context() as patched:
            patched.setattr(strips, "ELEMENTS", 0)
            plain = ran(KERNELS[name], reading, tmp_path)
        indices = np.unique(np.concatenate(plain.indices("b")))
        assert np.array_equal(found.words("b", indices), plain.words("b", indices)), reading.name
    assert any(made) is (name not in ROUND_BY_ROUND), made
