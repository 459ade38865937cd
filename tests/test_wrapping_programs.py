"""Random programs of integers that wrap, in loops and behind branches, against compiled C++.

A program computes a number of a thread and an argument, in types of 8 to 64 bits. g++ says which numbers it leaves for every
thread and every argument that is required, and of which programs C says nothing (UBSan). Two questions are asked of each: an
assertion, which holds for all of these or fails for one, and the number as an index that threads may share. What fails is never
proved, unless it is printed that something is assumed not to wrap.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from spmd.api import check, text

WORDS = {"int": 32, "unsigned": 32, "long long": 64, "unsigned long long": 64, "short": 16, "unsigned short": 16,
         "signed char": 8, "unsigned char": 8}
NUMBERS = ("1", "2", "3", "5", "7", "8", "16", "31", "100", "255", "1664525u", "2654435761u", "0x7fffffff", "0xffffffffu",
           "65535", "65536", "-1", "-8", "0xff00ff00u", "1ll << 40", "6364136223846793005ull", "-5ll")
PROGRAMS, LEAST_ARGUMENTS = 8, 3


@dataclass(frozen=True)
class Program:
    """The words of the argument, its least and greatest value, how many threads, statements, and the number that is left."""

    word: str
    low: int
    high: int
    threads: int
    body: str
    result: str


class Drawn:
    """What a program is made of. `names`: of the variables that may be read."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.own: list[str] = []

    def number(self, depth: int, names: list[str]) -> str:
        chance, kind = self.chance, self.chance.random()
        if depth == 0 or kind < 0.12:
            return chance.choice(names) if chance.random() < 0.75 else f"({chance.choice(NUMBERS)})"
        left, right = self.number(depth - 1, names), self.number(depth - 1, names)
        if kind < 0.55:
            return f"({left} {chance.choice('+-*+*')} {right})"
        if kind < 0.65:
            return f"({left} {chance.choice('/%')} {chance.choice(('3', '7', '16', '8u', '5', '255u', '32'))})"
        if kind < 0.75:
            return f"({left} {chance.choice('&|^')} {right})"
        if kind < 0.82:
            return f"((unsigned){left} {chance.choice(('>>', '<<'))} {chance.choice(('1', '4', '15', '27', '31'))})"
        if kind < 0.9:
            return f"(({chance.choice(list(WORDS))}){left})"
        return f"({self.test(names)} ? {left} : {right})"

    def test(self, names: list[str]) -> str:
        return f"{self.number(1, names)} {self.chance.choice(('<', '>', '==', '!=', '<='))} {self.number(1, names)}"

    def statement(self, depth: int, names: list[str]) -> str:
        chance, kind, name = self.chance, self.chance.random(), self.chance.choice(self.own)
        if depth == 0 or kind < 0.3:
            return f"{name} {chance.choice(('=', '+=', '-=', '*=', '^='))} {self.number(2, names)};"
        if kind < 0.6:
            other = f" else {{ {self.statement(depth - 1, names)} }}" if chance.random() < 0.5 else ""
            return f"if ({self.test(names)}) {{ {self.statement(depth - 1, names)} }}{other}"
        if kind < 0.9:
            counter = f"i{depth}"
            rounds = chance.choice(("3", "8", "11", "(int)(n & 7)", "(int)(t & 3)", "(int)(n & 15)"))
            leave = f"if ({self.test([*names, counter])}) {chance.choice(('break', 'continue'))}; "
            leave = leave if chance.random() < 0.25 else ""
            body = " ".join(self.statement(depth - 1, [*names, counter]) for _ in range(chance.choice((1, 1, 2))))
            return f"for (int {counter} = 0; {counter} < {rounds}; {counter}++) {{ {leave}{body} }}"
        return (f"switch ({name} & 3) {{ case 0: {name} += {self.number(1, names)}; case 2: {name} ^= {self.number(1, names)}; "
                f"break; default: {name} = {self.number(1, names)}; }}")

    def program(self) -> Program:
        chance, word = self.chance, self.chance.choice(list(WORDS))
        is_signed, bits = not word.startswith("unsigned"), WORDS[word]
        low = chance.choice((-7, 0, 1)) if is_signed else chance.choice((0, 1, 5))
        high = low + chance.choice((LEAST_ARGUMENTS, 7, 20))
        if chance.random() < 0.2:
            high = (1 << (bits - is_signed)) - 1
            low = high - chance.choice((LEAST_ARGUMENTS, 5, 17))
        self.own, names, lines = [], ["t", "n"], list[str]()
        for number in range(chance.choice((1, 2, 2, 3))):
            lines.append(f"{chance.choice(list(WORDS))} v{number} = {self.number(2, names)};")
            self.own.append(f"v{number}")
            names.append(f"v{number}")
        lines += [self.statement(chance.choice((2, 3)), names) for _ in range(chance.choice((1, 1, 2)))]
        last = chance.choice(self.own)
        result = chance.choice((last, last, f"({last} & 31)", f"({last} / 5)", self.number(2, names)))
        return Program(word, low, high, chance.choice((1, 2, 8, 32, 33, 64)), "\n  ".join(lines), result)


def written(word: str, value: int) -> str:
    """A number of a type as C++ writes it."""
    if word.startswith("unsigned"):
        return f"{value}ull"
    return f"{value}ll" if value > -(1 << 63) else "(-9223372036854775807ll - 1)"


def left_by(folder: Path, programs: list[Program]) -> list[list[list[int]] | None]:
    """The numbers that each program leaves, a row of threads for each argument; None where C says nothing of one."""
    text = ["#include <cstdio>\n#include <cstdlib>\ntemplate <class F, class P> void go(F *f, P low, P high, int threads) {\n"
            "  for (P n = low;; n++) {\n    for (int t = 0; t < threads; t++) {\n      auto r = f(t, n);\n"
            '      decltype(r)(-1) > 0 ? printf("%llu ", (unsigned long long)r) : printf("%lld ", (long long)r);\n    }\n'
            '    puts("");\n    if (n == high) break;\n  }\n}\n']
    text += [f"static auto f{at}(unsigned t, {each.word} n) {{\n  {each.body}\n  return {each.result};\n}}\n"
             for at, each in enumerate(programs)]
    calls = [f"    case {at}: go<decltype(f{at}), {each.word}>(f{at}, {written(each.word, each.low)}, "
             f"{written(each.word, each.high)}, {each.threads}); break;\n" for at, each in enumerate(programs)]
    text += ["int main(int, char **words) {\n  switch (atoi(words[1])) {\n", *calls, "  }\n}\n"]
    (folder / "all.cpp").write_text("".join(text))
    subprocess.run(["g++", "-std=c++17", "-O0", "-w", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-o", folder / "all",
                    folder / "all.cpp"], check=True)
    runs = [subprocess.run([folder / "all", str(at)], capture_output=True, text=True, check=False) for at in range(len(programs))]
    return [[[int(word) for word in line.split()] for line in run.stdout.splitlines()] if not run.returncode else None
            for run in runs]


def asked(chance: random.Random, rows: list[list[int]]) -> list[tuple[str, bool]]:
    """What is done with the number `r`, and whether it goes wrong for some thread and argument."""
    values = sorted({value for row in rows for value in row})
    least, most, some = (written("unsigned" if value > (1 << 63) - 1 else "int", value)
                         for value in (values[0], values[-1], chance.choice(values)))
    claims = [(f"r != {some}", True), (f"r <= {most}", False)]
    claims += [(f"r < {most}", True), (f"r > {least}", True)] if len(values) > 1 else []
    claim, fails = chance.choice(claims)
    shared = any(len(set(row)) < len(row) for row in rows)
    return [(f"assert({claim}); out[t] = 1;", fails), ("out[r] = t;", shared)]


@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
@pytest.mark.drawn(4)
def test_what_fails_for_a_thread_is_never_proved(tmp_path: Path, seed: int) -> None:
    drawn = Drawn(seed)
    programs = [drawn.program() for _ in range(PROGRAMS)]
    verdicts = list[str]()
    for each, rows in zip(programs, left_by(tmp_path, programs), strict=True):
        for done, fails in asked(drawn.chance, rows) if rows else ():
            (tmp_path / "k.cu").write_text(
                f"// spmd: block={each.threads} grid=1 require n >= {written(each.word, each.low)}, "
                f"n <= {written(each.word, each.high)}\n#include <assert.h>\n__global__ void k(unsigned *out, {each.word} n) {{\n"
                f"  unsigned t = threadIdx.x;\n  {each.body}\n  auto r = {each.result};\n  {done}\n}}\n")
            (answer,) = check(str(tmp_path / "k.cu"), timeout=6)
            assert answer.verdict in ("proved", "refuted", "unknown"), text(answer)
            is_assumed = "wrap in " in text(answer)
            assert is_assumed or not (fails and answer.verdict == "proved"), (tmp_path / "k.cu").read_text()
            verdicts.append(f"{answer.verdict} {fails}")
    assert "refuted True" in verdicts, verdicts
