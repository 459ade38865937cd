"""Loops in strips leave the same symbols as loops round by round, and go round by round where rounds hang together."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from automata.budget import UNLIMITED
from automata.lang.core import Array
from automata.lang.launch import parse_comment
from automata.lang.read import find_kernels
from automata.machine.lanes.frame import Frame
from automata.machine.numbers.values import Numbers
from automata.machine.running.run import Options, Program
from automata.machine.state.fill import as_cells
from automata.machine.state.memory import Cells
from automata.machine.state.outcome import Outcome, Setting
from automata.machine.strips import strips
from automata.place import Place
from automata.proof.determinism import Side
from automata.thread.build import build
from equivalence import symbolic_run
from equivalence.domains.field import READINGS, Reading
from equivalence.domains.symbols import Symbols
from equivalence.step import Step
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
    return run_symbolic([Step(find_kernels(str(path))[0].read(), launch, Side()).part()], Symbols(reading, "a", 1), UNLIMITED)


@pytest.mark.sliced(4)
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


NUMBERS = KERNELS | {
    "doubles": "double s = 0.1; for (int j = 0; j < 60; j++) s += (double)a[t * 50 + j] * 3.0; b[t] = (float)s;",
    "two sums": """float s = 1.0f, r = 0.0f; for (int j = 0; j < 60; j++) { s += a[j]; s += c[t + j]; r += s; }
        b[t] = s; b[t + 16] = r;""",
    "overflow": "int s = 2147483000; for (int j = 0; j < 60; j++) s += n[j] * 90000; b[t] = (float)s;",
    "overflow of the counter": "float s = 0.0f; for (int j = 2147483600; j > 0; j += 7) s += a[j % 50]; b[t] = s;",
    "overflow in the test": "float s = 0.0f; for (int j = 2147483500; j + 100 > 0; j += 3) s += a[j % 40]; b[t] = s;",
    "none behind the end": "float s = 0.0f; for (int j = 2147483500; j + 2 < 2147483640; j += 9) s += a[j % 40]; b[t] = s;",
    "outside": "float s = 0.0f; for (int j = 0; j < 60; j++) s += d[t * 2 + j]; b[t] = s;",
    "divided": "int s = 0; for (int j = 0; j < 60; j++) s += 7 / (n[j] % 5 - 2); b[t] = (float)s;",
    "shared, unwritten": "__shared__ float q[64]; q[t] = a[t]; float s = 0.0f; for (int j = 0; j < 20; j++) s += q[j]; b[t] = s;",
    "shared, after a barrier": """__shared__ float q[16]; q[t] = a[t]; __syncthreads();
        float s = 0.0f; for (int j = 0; j < 16; j++) s += q[j] * q[15 - j]; b[t] = s;""",
    "written by another": "b[t] = a[t]; float s = 0.0f; for (int j = 0; j < 16; j++) s += b[j]; b[t + 16] = s;",
    "the greatest": """float m = a[0]; int w = 0; for (int j = 0; j < 90; j++) { w = a[j] > m ? j : w; m = fmaxf(m, a[j]); }
        b[t] = m + w;""",
    "halves": "__half s = 0.0f; for (int j = 0; j < 60; j++) s += (__half)a[t * 50 + j]; b[t] = (float)s;",
    "for some lanes": "float s = 0.0f; if (t % 3) for (int j = t; j < 60; j++) s += a[j]; b[t] = s;",
    "bytes": "unsigned char u = 3; for (int j = 0; j < 60; j++) u += n[j]; b[t] = u;",
    "bits": "unsigned h = 7u; for (int j = 0; j < 60; j++) h = (h ^ n[j]) * 16777619u; b[t] = (float)h;",
    "chosen element": "float s = 0.0f; for (int j = 0; j < 60; j++) s += j % 3 ? a[j] : c[t]; b[t] = s;",
    "chosen by what was read": "int at = t; for (int j = 0; j < 40; j++) at = n[at & 63] & 63; b[t] = at;",
}
"""For runs on numbers besides: signed values that overflow, elements outside, divisors of 0, races, what nobody wrote."""

WRITING = {"seen", "before", "scaled in place", "moved up", "every fourth", "one cell", "stored by data", "by data", "left early",
           "private", "index of a stored index"}
ONE_BY_ONE = ROUND_BY_ROUND | WRITING


def outcome_of(body: str, folder: Path) -> Outcome:
    path = folder / "k.cu"
    path.write_text(f"#include <cuda_fp16.h>\n__global__ void k(float *a, float *b, float *c, int *n, float *d) "
                    f"{{ int t = threadIdx.x; {body} }}")
    kernel = find_kernels(str(path))[0].read()
    setting = Setting((1, 1, 1), (BLOCK, 1, 1), {}, {}, filling, {"d": 70})
    return Program(build(kernel)).run(setting, Options())


def filling(array: Array, index: Numbers) -> Cells:
    return as_cells(np.sin(index * 1.7 + ord(array.name[0])) * 40, array.element)


def told(outcome: Outcome) -> dict[str, object]:
    """Everything that a run says, but for the order in which it says it, and which threads it names of many."""
    events = (outcome.overflows, outcome.out_of_bounds, outcome.undefined, outcome.uninitialised)
    return {"cells": {name: {at: np.float64(value).tobytes() for at, value in outcome.contents(name).items()} for name in "ab"},
            "events": [sorted({(str(item.place), item.what.split(" does not fit")[-1]) for item in group}) for group in events],
            "races": sorted((item.array, item.rule, str(item.same_value)) for item in outcome.conflicts),
            "accesses": outcome.accesses}


class Loops:
    """Random loops that compute: integers that wrap, elements at computed places, sums, choices."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def integer(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.25:
            return self.pick("i", "k", "m", "t", "j", str(self.random.randint(-3, 9)))
        one, two = self.integer(depth - 1), self.integer(depth - 1)
        return self.pick(f"({one} {self.pick(*'+-*&|^')} {two})", f"n[{one} & 63]", f"({one} / ({two} | 1))",
                         f"({self.real(depth - 1)} > {self.real(depth - 1)} ? {one} : {two})",
                         f"(int)({self.pick('char', 'short', 'unsigned')})({one})")

    def real(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.2:
            return self.pick("x", "y", "z", "1.5f", "0.1f")
        one, two, at = self.real(depth - 1), self.real(depth - 1), self.integer(depth - 1)
        return self.pick(f"({one} {self.pick(*'+-*')} {two})", f"{self.pick('a', 'c')}[{at} & 127]", f"fmaxf({one}, {two})",
                         f"fmaf({one}, {two}, y)", f"(float)({at})", f"({at} < k ? {one} : {two})")

    def statement(self) -> str:
        return self.pick(f"{self.pick('x', 'y', 'z')} {self.pick('+=', '=', '-=', '*=')} {self.real(2)};",
                         f"{self.pick('x', 'y', 'z')} += {self.pick('a', 'c')}[{self.integer(1)} & 127] * {self.real(1)};",
                         f"{self.pick('i', 'k', 'm')} {self.pick('+=', '=', '^=')} {self.integer(2)};",
                         f"{{ float q = {self.real(2)}; z += q; }}", f"i += {self.random.randint(1, 5)};")

    def body(self) -> str:
        head = self.pick("int j = 0; j < 37; j++", "int j = t; j < 60; j += 3", "int j = 50; j > t; j--",
                         "unsigned j = 0; j < 20 + t * 2; ++j")
        loop = " ".join(self.statement() for _ in range(self.random.randint(1, 5)))
        return (f"int i = t, k = 3, m = n[t]; float x = a[t], y = 0.5f, z = 0.0f; for ({head}) {{ {loop} }} "
                "b[t] = x + y; b[t + 16] = z; b[t + 32] = (float)(i ^ k ^ m);")


@pytest.mark.sliced(20)
@pytest.mark.drawn(400)
def test_strips_of_random_loops(seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    body = Loops(seed).body()
    found = outcome_of(body, tmp_path)
    monkeypatch.setattr(strips, "ELEMENTS", 0)
    assert told(found) == told(outcome_of(body, tmp_path)), body


@pytest.mark.parametrize("name", NUMBERS)
def test_strips_of_numbers_do_the_same(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[int] = []
    once = strips.Strip.once

    def counted(strip: strips.Strip, frame: Frame) -> int:
        made.append(once(strip, frame))
        return made[-1]
    monkeypatch.setattr(strips.Strip, "once", counted)
    found = outcome_of(NUMBERS[name], tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(strips, "ELEMENTS", 0)
        plain = outcome_of(NUMBERS[name], tmp_path)
    assert told(found) == told(plain)
    assert any(made) is (name not in ONE_BY_ONE), made
