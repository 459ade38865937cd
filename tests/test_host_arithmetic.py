"""Sizes over arguments against a C++ compiler: where what a text needs holds, it is what the compiled host computes."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
TYPES = {"int": (32, True), "unsigned": (32, False), "short": (16, True), "unsigned short": (16, False),
         "unsigned char": (8, False), "long": (64, True), "size_t": (64, False), "char": (8, True)}
NUMBERS = ["1", "2", "7", "16", "64", "255", "1u", "2u", "256u", "128L", "65536", "2147483647"]
POWERS = (0, 3, 6, 8, 15, 16, 31, 32, 40, 63)
VALUES = sorted({sign * (1 << power) + more for power in POWERS for more in (-1, 0, 1) for sign in (1, -1)})
FORMS = {"k<<<{}, 64>>>(p, n);": "return dim3({}).x;",
         "dim3 g({}); k<<<g.x + 1, 64>>>(p, n);": "dim3 g({}); dim3 h(g.x + 1); return h.x;"}
PROGRAMS = 60


def expression(random: Random, names: list[str], depth: int) -> str:
    choice = random.random()
    if depth == 0 or choice < 0.3:
        return random.choice(names) if random.random() < 0.65 else random.choice(NUMBERS)
    if choice < 0.85:
        sign = random.choice("++--**//%")
        return f"({expression(random, names, depth - 1)} {sign} {expression(random, names, depth - 1)})"
    if choice < 0.93:
        return f"({random.choice(list(TYPES))})({expression(random, names, depth - 1)})"
    return f"(-{expression(random, names, depth - 1)})"


def program(seed: int) -> tuple[str, str, str, str]:
    """The type of the argument, statements before, the launch, and what gives the size of its grid."""
    random = Random(seed)
    kind, names, before = random.choice(list(TYPES)), ["n"], []
    for number in range(random.randrange(3)):
        before.append(f"{random.choice(list(TYPES))} v{number} = {expression(random, names, 2)};")
        names.append(f"v{number}")
    size, form = expression(random, names, 3), random.choice(list(FORMS))
    return kind, " ".join(before), form.format(size), FORMS[form].format(size)


def in_type(value: int, kind: str) -> int:
    bits, signed = TYPES[kind]
    value %= 1 << bits
    return value - (1 << bits) if signed and value >> (bits - 1) else value


class Integer(int):
    """An integer that is divided as in C."""

    def __add__(self, other: int) -> Integer:
        return Integer(int(self) + int(other))

    def __sub__(self, other: int) -> Integer:
        return Integer(int(self) - int(other))

    def __mul__(self, other: int) -> Integer:
        return Integer(int(self) * int(other))

    def __floordiv__(self, other: int) -> Integer:
        quotient = abs(int(self)) // abs(int(other))
        return Integer(quotient if (self < 0) == (other < 0) else -quotient)

    def __mod__(self, other: int) -> Integer:
        return self - (self // other) * int(other)


def value_of(text: str, argument: int) -> int:
    """A text at an argument."""
    code = re.sub(r"\b(\d+)\b", r"Integer(\1)", text.replace("{1}", "n").replace("/", "//"))
    return int(eval(code, {"Integer": Integer, "n": Integer(argument)}))


def compiled(programs: list[tuple[str, str, str, str]], folder: Path) -> dict[tuple[int, int], int | None]:
    """What the compiled host computes, by program and argument; None where its behaviour is not defined."""
    lines = ["#include <csetjmp>\n#include <csignal>\n#include <cstddef>\n#include <cstdio>",
             "struct dim3 { unsigned x, y, z; dim3(unsigned a) : x(a), y(1), z(1) {} };",
             "static sigjmp_buf there; static void stop(int) { siglongjmp(there, 1); }",
             "template <class T> void go(int i, unsigned (*f)(T), long long v) {",
             '  if (sigsetjmp(there, 1)) { printf("%d %lld -\\n", i, v); return; }',
             '  unsigned r = f((T)v); printf("%d %lld %u\\n", i, v, r); }']
    lines += [f"static unsigned f{at}({kind} n) {{ {before} {gives} }}" for at, (kind, before, _, gives) in enumerate(programs)]
    lines.append("int main() { signal(SIGFPE, stop); signal(SIGTRAP, stop); signal(SIGILL, stop);")
    lines += [f"for (long long v : all) go<{kind}>({at}, f{at}, ({kind})v);" for at, (kind, *_) in enumerate(programs)]
    numbers = ", ".join(f"{value}LL" for value in VALUES if -(2**63) < value < 2**63)
    text = "\n".join([*lines, "}"]).replace("int main()", f"static const long long all[] = {{{numbers}}};\nint main()")
    (folder / "host.cpp").write_text(text)
    subprocess.run(["g++", "-O0", "-w", "-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error", "-o",
                    folder / "host", folder / "host.cpp"], check=True)
    said = subprocess.run([folder / "host"], capture_output=True, text=True, check=True).stdout
    return {(int(at), in_type(int(value), programs[int(at)][0])): None if result == "-" else int(result)
            for at, value, result in map(str.split, said.splitlines())}


def agrees(launch: HostLaunch, argument: int, result: int | None) -> bool:
    """Whether a launch says of its grid what the host computed, or nothing."""
    size = launch.grid[0]
    if size is None or result is None or "{h" in str(size):
        return True
    if isinstance(size, int):
        return size == result
    needs = dict(launch.needs).get(size, ())
    try:
        if not all(value_of(need, argument) for need in needs):
            return True
        said = value_of(size, argument)
    except ZeroDivisionError:
        return True
    is_launched = 0 < result < 2**31
    return said == result if is_launched else not 0 < said < 2**31


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_sizes_over_an_argument_are_what_the_compiled_host_computes(kernel_file: Write, tmp_path: Path) -> None:
    programs = [program(seed) for seed in range(PROGRAMS)]
    text = "\n".join(["__global__ void k(float *a, int n) {}", *(
        f"void h{at}(float *p, {kind} n) {{ {before} {launch} }}" for at, (kind, before, launch, _) in enumerate(programs))])
    found = {launch.place.line - 2: launch for launch in find_launches(preprocess(str(kernel_file(text)), "cuda", side="host"))}
    symbolic = sum(isinstance(launch.grid[0], str) for launch in found.values())
    assert symbolic > PROGRAMS // 3
    for (at, argument), result in compiled(programs, tmp_path).items():
        assert agrees(found[at], argument, result), (programs[at], argument, result, found[at].grid, found[at].needs)
