"""Sizes that arrays and vectors of the host hold, in random programs: every launch that is made is one that is stated.

The programs are run on a stand-in for the runtime (`host_programs`). Each fills an array or a vector in one of several ways, may
change it in one that is seen or not, and launches with its elements.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import host_programs
import pytest

from automata.lang.host import find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
HEAD = "#include <vector>\n__global__ void k(float *p, int n) {}\nstatic void go(float *p, int b) { GO }\n"
GO = "k<<<b, 32>>>(p, b);"
RUNS = ((), ("1",), ("2", "3"))
pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def _filled(chance: Random, count: int, step: int) -> str:
    """An array whose elements are all set."""
    kind = chance.choice(["int", "size_t", "unsigned", "short"])
    numbers = ", ".join(str(step * (at % 7 + 1)) for at in range(count))
    each, back = f"for (int i = 0; i < {count}; i++)", f"for (int i = {count - 1}; i >= 0; i--)"
    fill = chance.choice([
        f"{each} t[i] = {step} * (i + 1) + {chance.randrange(4)};", f"{each} {{ t[i] = {step}; if (i > 2) t[i] = {step} * i; }}",
        f"int v = {step}; {each} {{ t[i] = v; v += {step}; }}", f"{back} t[i] = i % 2 ? {step} : {step} * 3;"])
    return chance.choice([f"{kind} t[{count}]; {fill}", f"int m = {count}; {kind} t[m]; {fill}", f"{kind} t[] = {{{numbers}}};",
                          f"{kind} t[{count}] = {{{numbers}}}; {fill}", f"std::vector<int> t = {{{numbers}}};",
                          f"std::vector<int> t{{{numbers}}};"])


def _program(seed: int) -> str:
    chance = Random(seed)
    count, step = chance.choice([3, 5, 12, 20]), chance.choice([8, 32, 64])
    twist = chance.choice(["", "", "", "t[argc % 2] = 7;", "t[0]++;", "auto &x = t[1]; x = 9;",
                           "auto f = [&] { t[2] = 40; }; f();", "for (auto &y : t) y += 1;", "auto *q = &t[0]; q[argc] = 11;",
                           "t[2] = t[0] = 24;"])
    read = chance.choice([f"for (int j = 0; j < {count}; j++) {{ int b = t[j]; GO }}", "int b = t[argc % 3]; GO",
                          "go(p, t[argc % 3]);", f"for (int j = 0; j < {count}; j++) {{ int a, b; a = b = t[j]; GO }}",
                          "for (int b : t) { GO }",
                          f"for (int b = {step}; b < {step * count}; b += {step}) {{ GO }}",
                          f"int b = {step}; for (int j = 0; j < {count}; j++) {{ b = t[j] + {step}; GO }}"])
    body = _filled(chance, count, step)
    if "t[m]" in body:
        twist, read = twist.replace("for (auto &y : t) y += 1;", ""), read.replace("for (int b : t) { GO }", "go(p, t[1]);")
    return (HEAD + f"int main(int argc, char **argv) {{ float *p = 0; {body} {twist} {read} }}\n").replace("GO", GO)


@pytest.mark.drawn(15)
def test_random_sizes(seed: int, kernel_file: Write, tmp_path: Path) -> None:
    text = _program(seed)
    found = find_launches(preprocess(str(kernel_file(text)), "cuda", side="host"))
    made = host_programs.recorded(text, tmp_path, RUNS)
    assert made and [each for each in made if not host_programs.is_covered(each, found)] == [], text
