"""Conditions on macros of the platform in host code: what they may change is not believed; what they cannot is read."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import host_programs
import pytest
from test_host_recorded import RUNS, needs_compiler

from automata.lang.foreign import OTHER_PLATFORMS
from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
KERNEL = "__global__ void k(float *p) {}\n"


def either(one: str, two: str = "") -> str:
    """Two texts of which a macro decides that the platform may define."""
    return f"\n#ifdef _LARGE\n{one}\n#else\n{two}\n#endif\n"


def read(text: str, write: Write) -> list[HostLaunch]:
    return find_launches(preprocess(str(write(text)), "cuda", side="host"))


def main(body: str) -> str:
    return f"{KERNEL}int main(int argc, char **argv) {{ float *p = 0; {body} }}\n"


GO = "k<<<1, b>>>(p);"
NESTED = "\n#ifdef _OTHER\n{0}\n#else\n{1}\n#endif\n"
OPEN = {
    "a type": either("typedef unsigned char T;", "typedef int T;") + main(f"T b = 320; {GO}"),
    "a type of a type": either("typedef unsigned char T;", "typedef int T;") + "typedef T U;\n" + main(f"U b = 320; {GO}"),
    "a type by using": either("using T = unsigned char;", "using T = int;") + main(f"T b = 320; {GO}"),
    "a type of a block": main(either("using T = unsigned char;", "using T = int;") + f"T b = 320; {GO}"),
    "the size of a type": either("typedef double T;", "typedef float T;") + main("k<<<1, 64 * sizeof(T)>>>(p);"),
    "a cast": either("typedef unsigned char T;", "typedef int T;") + main("k<<<1, (T)320>>>(p);"),
    "a function": either("static int f() { return 32; }", "static int f() { return 64; }") + main("k<<<1, f()>>>(p);"),
    "a constant": either("const int B = 32;", "const int B = 64;") + main("k<<<1, B>>>(p);"),
    "an enumerator": "enum { A = 63," + either("B,") + "C };\n" + main("k<<<1, C>>>(p);"),
    "a value in a table": "const int T[] = { 32," + either("16,") + "64 };\n" + main("k<<<1, T[1]>>>(p);"),
    "an operator": "struct V { int x; };\n" + either(
        "template <class T> V &operator<<(V &v, T &t) { t = 32; return v; }",
        "template <class T> V &operator<<(V &v, T t) { return v; }") + main(
            "int b = 64; V v; v << b; int c = b; k<<<1, c>>>(p);"),
    "a parameter": "void f(int" + either("&") + "b);\n" + main("int b = 64; f(b); int c = b; k<<<1, c>>>(p);"),
    "a macro with the name of a local variable": either("#define b c") + main(f"int c = 32; int b = 64; {GO}"),
    "a macro that another brings": "#define SET b = 32\n" + main("int b = 64;" + either("SET;") + GO),
    "a macro that pastes": "#define SET(x) x##s = 32\n" + main("int bs = 64;" + either("SET(b);") + "k<<<1, bs>>>(p);"),
    "a condition on a macro that is in doubt": (
        either("#define N 64", "#define N 32") + "#if N == 32\n#define B 64\n#else\n#define B 128\n#endif\n"
        + main("k<<<1, B>>>(p);")),
    "an assignment": main("int b = 64;" + either("b = 32;") + GO),
    "an operand": main("int b = 64" + either("+ 1") + f"; {GO}"),
    "an argument": main("k<<<1," + either("32", "64") + ">>>(p);"),
    "a test before an assignment": main("int b = 64;" + either("if (argc > 5)") + f"b = 32; {GO}"),
    "an else before an assignment": main(
        "int b = 64; if (argc > 3) b = 16;" + either("else") + f"b = 32; {GO}"),
    "a statement behind a test": main("int b = 64; if (argc > 3)" + either("p = 0;") + f"b = 32; {GO}"),
    "what a for does": main("int b = 64; for (int i = 0; i < 3; i++" + either(", b++") + f") p = 0; {GO}"),
    "a list of values": main("int x[2] = { 32," + either("16", "64") + "}; k<<<1, x[1]>>>(p);"),
    "a lambda that is called at once": main("int b = [] { return 64; }" + either("() / 2", "()") + f"; {GO}"),
    "a parameter's default": (
        f"{KERNEL}static void go(float *p, int b = 64" + either("/ 2") + f") {{ {GO} }}\nint main() {{ go(0); }}\n"),
    "an assignment in a nested condition": main("int b = 64;" + either(f"{{ {NESTED.format('b = 32;', 'b = 16;')} }}") + GO),
    "a test in a nested condition": main("int b = 64;" + either(NESTED.format("if (argc > 3)", "")) + f"b = 32; {GO}"),
    "a call from elsewhere": (
        f"{KERNEL}static void go(float *p, int b) {{ {GO} }}\nvoid f() {{ go(0, 64); " + either("go(0, 32);") + "}"),
}


@pytest.mark.parametrize("text", OPEN.values(), ids=OPEN)
def test_what_a_condition_decides_is_not_believed(text: str, kernel_file: Write) -> None:
    assert not [launch for launch in read(text, kernel_file) if isinstance(launch.block[0], int)]


HEADER = """namespace map {{
static int count(int n, int b) {{
  int i = n;
  if (n > 3
{0}
  ) i = b;
  return i;
}}
}}
"""
CERTAIN = {
    "part of a statement in another function": HEADER.format(either("&& b > 2")) + main(f"int b = 64, n = 3, i = n; {GO}"),
    "part of a head": "static int f(int a" + either(", int b") + ") { return a; }\n" + main(f"int b = 64; {GO}"),
    "an attribute": either("[[nodiscard]]") + "static int f(int b) { return 3; }\n" + main(f"int b = 64; {GO}"),
    "one of two functions": either("static int f(int b) { return b; }", "static int f(int b) { b = 3; return b; }") + main(
        f"int b = 64; {GO}"),
    "a macro in a branch": "#define LEAST 3\n" + either("static int f(int b) { return LEAST; }") + main(f"int b = 64; {GO}"),
    "an operand of another statement": main("int a = 1" + either("+ 1") + f"; int b = 64; {GO}"),
    "a condition on a macro that is in doubt": (
        either("#define N 64", "#define N 32") + "#if N == 32\nstatic int f(int b);\n#endif\n" + main(f"int b = 64; {GO}")),
    "a body with a condition of its own": (
        either(f"static int f(int b) {{ {NESTED.format('b = 3;', 'b = 4;')} return b; }}") + main(f"int b = 64; {GO}")),
    "the same header in another folder": either('#include "3rdparty/cub/cub.cuh"', "#include <cub/cub.cuh>") + main(
        f"int b = 64; {GO}"),
    "a type that is not used": either("typedef char T;", "typedef int T;") + main(f"int b = 64; {GO}"),
}


@pytest.mark.parametrize("text", CERTAIN.values(), ids=CERTAIN)
def test_what_no_condition_can_change_is_read(text: str, kernel_file: Write) -> None:
    assert [launch.block[0] for launch in read(text, kernel_file)] == [64]


@pytest.mark.parametrize(("macro", "blocks"), [("__EMSCRIPTEN__", [64]), ("__MCUDA__", [64]), ("__DEVICE_EMULATION__", [64]),
                                               ("__OTHER_SYSTEM__", [])])
def test_other_platforms_include_what_they_like(macro: str, blocks: list[int], kernel_file: Write) -> None:
    path = kernel_file(f"#ifdef {macro}\n#include <a_system/own.h>\n#endif\n" + main(f"int b = 64; {GO}"))
    found = find_launches(preprocess(str(path), "cuda", side="host", decided=OTHER_PLATFORMS))
    assert [launch.block[0] for launch in found] == blocks


@pytest.mark.parametrize("branch", [
    "{", "} void f() {", ") {", 'extern "C" {', "{" + NESTED.format("}", ""), NESTED.format("{", "") + "}",
    NESTED.format("{", "}"), '#include "3rdparty/own/cub.cuh"'])
def test_brackets_without_partners_leave_nothing(branch: str, kernel_file: Write) -> None:
    assert read(either(branch) + main(f"int b = 64; {GO}"), kernel_file) == []


TOKEN = re.compile(r"\s+|\w+|<<<|>>>|[<>=!+*/%&|-]=|&&|\|\||<<|>>|\+\+|--|->|::|.", re.DOTALL)
OTHERS = ("", "if (argc > 2)", "n = 3;", "else", "b += 1;", "static", "return 0;", "const", "+ 1")


def with_condition(text: str, chance: Random) -> str:
    """A program in which a condition decides about some tokens: whether they are there, or which numbers or words are."""
    tokens = TOKEN.findall(text)
    while True:
        begin = chance.randrange(len(tokens))
        end = min(len(tokens), begin + chance.choice([0, 1, 2, 3, 4, 6, 8, 12, 20, 40]))
        span = "".join(tokens[begin:end])
        before = "".join(tokens[:begin])
        paired = all(span.count(one) == span.count(two) for one, two in ("()", "{}", "[]"))
        if paired and "#" not in span and not before.rpartition("\n")[2].lstrip().startswith("#"):
            other = re.sub(r"\b\d+\b", lambda found: str(int(found[0]) + chance.choice([1, 3, 32])), span)
            said = [span, chance.choice([other, *OTHERS])]
            chance.shuffle(said)
            return before + either(*said) + "".join(tokens[end:])


@needs_compiler
@pytest.mark.drawn(12)
def test_launches_hold_whatever_a_condition_decides(seed: int, kernel_file: Write, tmp_path: Path) -> None:
    """A launch that is stated is one that the program makes in that line on either platform, where it compiles there."""
    chance = Random(seed)
    text = with_condition(host_programs.Programs(seed).text(), chance)
    stated = read(text, kernel_file)
    for macro in ("0", "1"):
        given = text.replace("#ifdef _LARGE", f"#if {macro}")
        try:
            made = host_programs.recorded(given, tmp_path, RUNS)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            continue
        for launch in made:
            here = [each for each in stated if each.place.line == launch.line]
            is_real = min(*launch.grid, *launch.block) > 0 and max(*launch.grid, *launch.block) < 2**31
            assert not here or not is_real or host_programs.is_covered(launch, here), (text, launch)
