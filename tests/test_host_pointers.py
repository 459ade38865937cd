"""Launches through variables that point to kernels, and through tables of those: what they may be is read, no other is believed.

All programs are run on a stand-in for the runtime (`host_programs`): every launch that is made has to be one that is stated, with
its kernel; where the variable may be changed unseen none of its launches is stated.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import host_programs
import pytest

from automata.lang.host import HostLaunch, find_launches
from automata.lang.preprocess import preprocess

Write = Callable[..., Path]
HEAD = """__global__ void a(float *p, int n) {}
__global__ void b(float *p, int n) {}
__global__ void c(float *p, int n) {}
template <int N> __global__ void t(float *p, int n) {}
template <typename T> __global__ void u(T *p, int n) {}
typedef void (*F)(float *, int);
using G = void (*)(float *, int);
"""
RUNS = ((), ("1", "2"), ("7", "4"), ("20", "9"))
pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def stated(text: str, write: Write) -> list[HostLaunch]:
    return find_launches(preprocess(str(write(text)), "cuda", side="host"))


def missed(text: str, found: list[HostLaunch], folder: Path) -> list[host_programs.Recorded]:
    return [each for each in host_programs.recorded(text, folder, RUNS) if not host_programs.is_covered(each, found)]


def whole(code: str) -> str:
    """A program; `GO` launches what k points to."""
    body = code if "main(" in code else f"int main(int argc, char **argv) {{ float *p = 0; int n = argc; {code} }}"
    return HEAD + body.replace("GO", "k<<<2, 32>>>(p, n);") + "\n"


CERTAIN = {
    "a pointer": ("void (*k)(float *, int) = a; GO", "a"),
    "behind &": ("void (*k)(float *, int) = &a; GO", "a"),
    "set later": ("void (*k)(float *, int); k = a; GO", "a"),
    "none at first": ("void (*k)(float *, int) = nullptr; if (n > 1) k = a; else k = b; GO", "ab"),
    "replaced": ("void (*k)(float *, int) = a; k = b; GO", "b"),
    "set afterwards": ("void (*k)(float *, int) = a; GO k = b;", "a"),
    "one of two": ("F k = n > 3 ? a : &b; GO", "ab"),
    "by another name": ("const G k = c; GO", "c"),
    "auto, set again": ("auto k = a; if (n == 1) k = b; GO", "ab"),
    "an instance": ("auto k = t<4>; if (n == 1) k = t<8>; GO", "t"),
    "an instance by its type": ("void (*k)(float *, int) = u<float>; GO", "u"),
    "in a switch": ("F k; switch (n) { case 1: k = a; break; case 2: k = b; break; default: k = c; } GO", "abc"),
    "in a loop": ("F k = a; for (int i = 0; i < 3; i++) { GO k = b; }", "ab"),
    "in a lambda": ("F k = a; auto f = [&] { k = b; }; GO f(); GO", "ab"),
    "compared": ("F k = a; if (k == a || k != &b) n++; GO", "a"),
    "an argument of the runtime": ("F k = a; cudaFuncSetCacheConfig(k, 1); cudaFuncSetCacheConfig((const void *)k, 1); GO", "a"),
    "a table": ("F k[] = {a, &b}; for (int i = 0; i < 2; i++) k[i]<<<2, 32>>>(p, n);", "ab"),
    "a parameter": ("void go(float *p, int n, F k) { GO } int main() { go(0, 1, a); go(0, 1, &b); }", "ab"),
    "a parameter that a variable is passed for": (
        "void go(float *p, int n, F k) { GO } int main() { F k = a; go(0, 1, k); k = b; go(0, 1, k); }", "ab"),
    "in blocks of their own": ("{ F k = a; GO } { F k = b; GO } { int k = 3; n += k; }", "ab"),
    "in a block beside a parameter": (
        "void go(float *p, int n, int k) { { F k = a; GO } n = k; } int main() { go(0, 1, 2); }", "a"),
    "handed where what is given is used": (
        "float go(float *p, int n, F k) { GO return 1; } int main() { "
        "{ F k = a; float one = go(0, 1, k); if (one + go(0, 2, k) > 3) return 1; } "
        "{ F k = b; float two = go(0, 1, k); } }", "ab"),
    "an element": ("static void (*const k[2])(float *, int) = {a, b}; k[1]<<<2, 32>>>(p, n);", "b"),
    "of a call": ("F pick(int n) { return n ? a : b; } int main() { float *p = 0; int n = 1; F k = pick(1); GO }", "ab"),
    "of a call by tests": (
        "F pick(int n);\nF pick(int n) { if (n > 3) return a; else if (n == 2) { return &b; } return c; }\n"
        "int main(int n, char **) { float *p = 0; F k = n > 9 ? a : b; k = pick(n); GO }", "abc"),
    "of a call of instances": (
        "static F pick(int n) { switch (n) { case 1: return t<1>; default: return t<2>; } }\n"
        "int main(int n, char **) { float *p = 0; F k = pick(n); GO }", "t"),
    "another element": ("static void (*k[2])(float *, int) = {a, b}; k[1]<<<2, 32>>>(p, n);", "b"),
}


@pytest.mark.parametrize(("code", "kernels"), CERTAIN.values(), ids=CERTAIN)
def test_what_a_variable_points_to(code: str, kernels: str, kernel_file: Write, tmp_path: Path) -> None:
    text = whole(code)
    found = stated(text, kernel_file)
    assert "".join(sorted({launch.kernel for launch in found})) == kernels
    run = text.replace("int main(", "template <class T> int cudaFuncSetCacheConfig(T, int) { return 0; } int main(", 1)
    assert missed(run, found, tmp_path) == []


CHANGED = {
    "handed on": "F k = a; auto set = [](F *f) { *f = b; }; set(&k); GO",
    "by reference": "F k = a; F &r = k; r = b; GO",
    "by a function": "void set(F &f) { f = b; } int main() { float *p = 0; int n = 1; F k = a; set(k); GO }",
    "static": "void go(float *p, int n) { static F k = a; GO k = b; } int main() { go(0, 1); go(0, 2); }",
    "of the file": "F k = a; void set() { k = b; } int main() { float *p = 0; int n = 1; set(); GO }",
    "hidden by another": "F k = a; { F k = b; GO } GO",
    "hidden in a block of a block": "{ F k = a; { F k = b; GO } GO } { int k = 0; }",
    "changed in its own block": "{ F k = a; F &r = k; r = b; GO }",
    "read before it is hidden": (
        "void go(float *p, int n, F k) { { GO F k = a; n += k == a; } k = b; } int main() { go(0, 1, c); }"),
    "hidden by a parameter": "F k = a; auto f = [=](F k) { GO }; f(b);",
    "swapped": "F k = a, m = b; std::swap(k, m); GO",
    "by a comma": "F k = a; n++, k = b; GO",
    "in a condition": "F k = a; if ((k = b) != a) n++; GO",
    "by memory": "F k = a, m = b; memcpy(&k, &m, sizeof k); GO",
    "a parameter that is set": "void go(float *p, int n, F k) { k = c; GO } int main() { go(0, 1, a); go(0, 1, b); }",
    "a parameter by reference": "void go(float *p, int n, F &k) { GO } int main() { F k = a; go(0, 1, k); k = b; go(0, 1, k); }",
    "a variable that a parameter refers to": (
        "void set(float *p, int n, F &k) { k = b; } int main() { float *p = 0; int n = 1; F k = a; set(p, n, k); GO }"),
    "an element is written": "F k[] = {a, b}; k[0] = c; k[0]<<<2, 32>>>(p, n);",
    "a pointer to elements": "F k[] = {a, b}; F *q = k; q[0] = c; k[0]<<<2, 32>>>(p, n);",
    "of a call by an address": (
        "F pick(int n, F *m) { *m = b; return *m; } int main() { float *p = 0; int n = 1; F k = pick(1, &k); GO }"),
    "of a call that gives a variable": (
        "F pick(int n) { F k = a; if (n) k = b; return k; } int main() { float *p = 0; int n = 1; F k = pick(1); GO }"),
    "of a call of another one": (
        "F pick(int n) { return n ? a : b; } int main() { float *p = 0; int n = 1; auto pick = [](int) { return (F)c; }; "
        "F k = pick(1); GO }"),
    "of one of two calls": (
        "F pick(int n) { return a; } F pick(char n) { return b; } int main() { float *p = 0; int n = 1; F k = pick('1'); GO }"),
    "of a call of a template": (
        "template <int N> F pick(int n) { return t<N>; } int main() { float *p = 0; int n = 1; F k = pick<4>(1); GO }"),
    "of a call of a method": (
        "struct P { virtual F pick() { return a; } F one() { return pick(); } void go(float *p, int n) { F k = pick(); GO } }; "
        "struct Q : P { F pick() { return b; } }; int main() { Q q; q.go(0, 1); }"),
    "a cast among others": "F k = b; if (n > 5) k = F(a); GO",
    "a lambda among others": "F k = b; if (n > 5) k = []() -> F { return a; }(); GO",
    "of a call by the name of a pointer": (
        "F pick() { return c; } F other() { return a; } "
        "int main() { float *p = 0; int n = 1; F (*pick)() = other; F k = pick(); GO }"),
    "of a call by the name of a parameter": (
        "F pick() { return c; } F other() { return a; } void go(float *p, int n, F (*pick)()) { F k = pick(); GO } "
        "int main() { go(0, 1, other); }"),
    "of a call that gives its parameter, by a kernel's name": (
        "F pick(F c) { return c; } int main() { float *p = 0; int n = 1; F k = pick(a); GO }"),
    "a variable by a kernel's name": "F c = a; F k = b; if (n > 0) k = c; GO",
    "of a call that gives a class": (
        "struct R { F f; R(F) : f(a) {} operator F() { return f; } }; R pick() { return c; } "
        "int main() { float *p = 0; int n = 1; F k = pick(); GO }"),
    "of a call of a call": (
        "F one(F f) { return f; } int main() { float *p = 0; int n = 1; F k = one(b); GO }"),
    "of another variable": "F m = b; F k = m; GO",
    "of a class that turns into one": (
        "struct H { F f; H(F) : f(b) {} operator F() { return f; } }; "
        "int main() { float *p = 0; int n = 1; H k = a; spmd_launch(spmd_who((F)k), 1, 2, 32)(p, n); }"),
    "by the type of the pointer": "void (*k)(const float *, int) = u; GO",
    "a kernel of two": (
        "__global__ void a(float *p, float n) {} int main() { float *p = 0; void (*k)(float *, float) = a; int n = 3; GO }"),
}


@pytest.mark.parametrize("code", CHANGED.values(), ids=CHANGED)
def test_what_may_point_elsewhere_is_not_believed(code: str, kernel_file: Write, tmp_path: Path) -> None:
    text = whole(code)
    found = stated(text, kernel_file)
    assert found == [] and missed(text, found, tmp_path)


class Pointing:
    """Random programs in which variables point to kernels."""

    def __init__(self, seed: int) -> None:
        self.random, self.launched = Random(seed), 0

    def text(self) -> str:
        kind = self.random.choice(["F", "auto", "G", "void (*k)(float *, int)"])
        first = self.random.choice(["a", "b", "&c"] if kind != "auto" else ["a", "b"])
        begin = f"{kind} = {first};" if "(" in kind else f"{kind} k = {first};"
        body = begin + " ".join(self.statement(2) for _ in range(self.random.randrange(2, 7))) + self.go()
        return HEAD + f"static int go(float *p, int n, int m) {{ {body} return 0; }}\n" + (
            "int main(int argc, char **argv) { int n = argc > 1 ? atoi(argv[1]) : 3, m = argc > 2 ? atoi(argv[2]) : 1;\n"
            "for (int i = 0; i < 4; i++) go(0, n + i, m - i); }\n")

    def go(self) -> str:
        self.launched += 1
        return f"\nk<<<{self.launched}, {self.random.choice(['32', 'n * n + 1'])}>>>(p, {self.random.choice('nm')});\n"

    def test(self) -> str:
        name, number = self.random.choice("nm"), self.random.randrange(1, 5)
        return self.random.choice([f"{name} > {number}", f"{name} % 3 == {number % 3}", f"{name} != m", "k != a"])

    def statement(self, depth: int) -> str:
        what, one = self.random.randrange(10 if depth else 4), self.random.choice(["a", "&b", "c"])
        if what <= 1:
            return f"k = {one};"
        if what == 2:
            return self.go()
        if what == 3:
            return self.random.choice(["n++;", "m += n;", f"k = {self.test()} ? {one} : b;", f"if ({self.test()}) return 1;"])
        inner = " ".join(self.statement(depth - 1) for _ in range(self.random.randrange(1, 4)))
        if what <= 5:
            return f"if ({self.test()}) {{ {inner} }} else k = {one};"
        if what == 6:
            return f"if ({self.test()}) {{ {inner} }}"
        if what == 7:
            return f"for (int i = 0; i < 3; i++) {{ {inner} }}"
        if what == 8:
            jump = self.random.choice(["break;", ""])
            return f"switch (n % 3) {{ case 0: k = a; {jump} case 1: {inner} break; default: k = {one}; }}"
        return f"{{ {inner} }}"


@pytest.mark.drawn(15)
def test_random_pointers(seed: int, kernel_file: Write, tmp_path: Path) -> None:
    text = Pointing(seed).text()
    found = stated(text, kernel_file)
    assert found and missed(text, found, tmp_path) == [], text
