"""Loops of few rounds that are written out: which they are, and that they do what they did."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from automata.lang.core import Kernel, Loop
from automata.lang.read import find_kernels
from automata.lang.traverse import walk
from automata.machine.running.run import Options, Program
from automata.machine.state.outcome import Setting
from automata.rewriting.few_rounds import taken_apart
from automata.rewriting.lower import lower
from automata.thread.build import build

THREADS = 7


def kernel(body: str, folder: Path) -> Kernel:
    path = folder / "k.cu"
    path.write_text(f"__global__ void k(int *out, const int *in, int n) {{ {body} }}\n")
    return find_kernels(str(path))[0].read()


def loops(read: Kernel) -> int:
    return sum(isinstance(stmt, Loop) for stmt in walk(read.body))


FEW = "int left = n - threadIdx.x; if (left > 2) left = 2;"
HELD = "int held[4];"


@pytest.mark.parametrize(("body", "left"), [
    (f"{HELD} {FEW} for (int i = 0; i < left; i++) held[i] = in[i]; out[0] = held[0];", 0),
    (f"{HELD} int left = n < 3 ? n : 3; for (int i = 0; i < left; i++) held[i] = in[i]; out[0] = held[0];", 0),
    (f"{HELD} {FEW} for (int i = 1; i <= left; i += 2) held[i] = in[i]; out[0] = held[1];", 0),
    (f"{HELD} {FEW} for (int i = 0; i < left; i++) {{ if (in[i] > 5) break; held[i] = in[i]; }} out[0] = held[0];", 0),
    (f"{HELD} int left = n; for (int i = 0; i < left; i++) held[i & 3] = in[i]; out[0] = held[0];", 1),
    (f"{HELD} {FEW} for (int i = 0; i < left; i++) out[i + 9 * threadIdx.x] = in[i];", 1),
    (f"{HELD} {FEW} for (int i = 0; i < left; i++) {{ held[i] = in[i]; left += in[i] & 1; }} out[0] = held[0];", 1),
    (f"{HELD} {FEW} for (int i = 0; i < left; i++) {{ held[i] = in[i]; if (in[i]) i--; }} out[0] = held[0];", 1),
    (f"{HELD} {FEW} for (int i = n; i < left; i++) held[i & 3] = in[i & 3]; out[0] = held[0];", 1),
    (f"{HELD} {FEW} left -= 1; for (int i = 0; i < left; i++) held[i] = in[i]; out[0] = held[0];", 1),
    (f"{HELD} {FEW} if (n > 9) left = n; for (int i = 0; i < left; i++) held[i & 3] = in[i]; out[0] = held[0];", 1),
    (f"{HELD} {FEW} for (int i = 0; i < left; i++) {{ held[i] = in[i]; __syncthreads(); }} out[0] = held[0];", 1),
    (f"{HELD} unsigned left = n; for (int i = 0; i < left; i++) held[i & 3] = in[i]; out[0] = held[0];", 1),
    (f"{HELD} int left = n; if (left < 3) left = 3; for (int i = 0; i < left; i++) held[i & 3] = in[i]; out[0] = held[0];", 1),
    (f"{HELD} int left = n; if (left > 257) left = 257; for (int i = 250; (unsigned char)i < left; i++) {{"
     " held[i & 3] = in[i & 3]; if (in[i & 1]) break; } out[0] = held[0];", 1),
], ids=str)
def test_which_loops_are_written_out(body: str, left: int, tmp_path: Path) -> None:
    assert loops(lower(kernel(body, tmp_path), {})) == left


def made(chance: random.Random) -> str:
    """A random loop over a thread's own array."""
    kind = chance.choice(("int", "unsigned", "signed char", "unsigned char", "short", "long"))
    counter = chance.choice(("int", "int", "unsigned", "unsigned char", "long"))
    most = chance.choice((-1, 0, 1, 2, 3, 7, 252))
    bound = chance.choice((f"if (left > {most}) left = {most};", f"if (left > {most}) left = {most - 1};",
                           f"if (left >= {most}) left = {most - 2};", f"if (!(left <= {most})) left = {most};",
                           f"left = left < {most} ? left : {most};", f"if (left >= {most}) left = {most}; else left -= 1;",
                           f"if (left > {most} || n == 4) left = {most};", f"if (left > {most}) {{ if (n & 1) left = {most}; }}",
                           f"if (left > {most}) out[99] = 1; else left = {most};",
                           f"{{ if (left < {most} && n > 2) left = {most}; }}"))
    start, step = chance.choice((0, 0, 1, 3, -2, 250)), chance.choice((1, 1, 2, 5))
    test = chance.choice(("i < left", "i <= left", f"({kind})i < left", "(unsigned char)i < left", "left > i",
                          "i < left && i < 5"))
    inner = chance.choice(("", "if (in[i & 7] & 1) break;", "if (in[i & 7] & 2) continue;", "left = left + 0;",
                           "if (in[i & 7] == 6) return;"))
    return (f"{kind} left = ({kind})(n - (int)threadIdx.x * {chance.choice((0, 1, 3))}); {bound} int held[8];"
            f" for (int j = 0; j < 8; j++) held[j] = j; int sum = 0;"
            f" for ({counter} i = {start}; ({test}) && sum < 9; i += {step}) {{ sum++; {inner} held[i & 7] += in[i & 7] + i; }}"
            f" for ({counter} i = {start}; {test}; i += {step}) {{ if (sum++ > 30) break; {inner} held[i & 7] += i; }}"
            f" for (int j = 0; j < 8; j++) out[threadIdx.x * 9 + j] = held[j]; out[threadIdx.x * 9 + 8] = (int)left + 100 * sum;")


@pytest.mark.drawn(30)
def test_what_is_written_out_does_the_same(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    for _ in range(6):
        body = made(chance)
        read = kernel(body, tmp_path)
        apart = taken_apart(read)
        for n in (-3, 0, 1, 2, 5, 120, 255, 300):
            setting = Setting((1, 1, 1), (THREADS, 1, 1), {"n": n}, initial=lambda array, index: (index * 5 + 3) % 11)
            one, two, three = (Program(build(each)).run(setting, Options()).contents("out")
                               for each in (read, apart, lower(read, {})))
            assert one == two == three, (n, body)
