"""Constants of classes in host code: `Traits<32, T>::size`. What is certain is read; what may be another value is not believed.

Most programs are run on a stand-in for the runtime (`host_programs`): each launch that is made has to be one that is stated.
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
KERNEL = "__global__ void k(float *p, int n) {}\n"
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def stated(text: str, write: Write) -> list[HostLaunch]:
    return find_launches(preprocess(str(write(text)), "cuda", side="host"))


def missed(text: str, found: list[HostLaunch], folder: Path) -> list[host_programs.Recorded]:
    return [each for each in host_programs.recorded(text, folder) if not host_programs.is_covered(each, found)]


def whole(code: str) -> str:
    """A program; without main, `code` is what stands before the launch, and `;;` parts off what stands outside."""
    outside, _, inside = code.rpartition(";;")
    return KERNEL + (code if "main(" in code else
                     f"{outside}\nint main() {{ float *p = 0; int n = 3; {inside} }}") + "\n"


GO = "k<<<1, T<4>::N>>>(p, n);"
CERTAIN = {
    "a parameter": (f"template <int B> struct T {{ static constexpr int N = B * 8; }};;; {GO}", [32]),
    "a class that is no template": ("class T { public: static const int N = 48; };;; k<<<1, T::N>>>(p, n);", [48]),
    "of another member": (f"template <int B> struct T {{ static constexpr int M = B + 1, N = M * 2; }};;; {GO}", [10]),
    "a member that hides a constant": (
        "const int W = 9; template <int B> struct T { static constexpr int W = 3; static constexpr int N = B * W; };;; "
        f"{GO}", [12]),
    "a constant of the file": (f"const int W = 9; template <int B> struct T {{ static constexpr int N = B * W; }};;; {GO}", [36]),
    "a function of the library": (
        f"template <int B> struct T {{ static constexpr int N = std::min(B * 32, 96); }};;; {GO}", [96]),
    "a choice": (f"template <int B> struct T {{ static constexpr int N = B == 4 ? 64 : 32; }};;; {GO}", [64]),
    "a type's size": ("template <typename V> struct T { using type = V; static constexpr int N = 128 / sizeof(type); };;; "
                      "k<<<1, T<double>::N>>>(p, n);", [16]),
    "of another class": ("template <int B> struct M { static constexpr int N = B * 2; }; "
                         f"template <int B> struct T {{ static constexpr int N = M<B + 1>::N; }};;; {GO}", [10]),
    "a name for the class": ("template <int B> struct T { static constexpr int N = B * 8; };;; "
                             "using K = T<4>; { using L = T<2>; k<<<1, L::N>>>(p, n); } k<<<1, K::N>>>(p, n);", [16, 32]),
    "in a template": ("template <int B, typename V> struct T { static constexpr int N = B * sizeof(V); }; "
                      "template <int B, typename V> void go(float *p) { using K = T<B, V>; constexpr int n = K::N; "
                      "k<<<1, n>>>(p, B); };; go<8, float>(p); go<4, double>(p); go<4, char>(p);", [32, 4]),
    "a truth value": ("template <bool B> struct T { static constexpr int N = B ? 64 : 32; };;; "
                      "k<<<1, T<true>::N>>>(p, n);", [64]),
    "another name in an inner class": (
        f"template <int B> struct T {{ struct I {{ static constexpr int N = 3; }}; static constexpr int N = B; }};;; {GO}", [4]),
}


@needs_compiler
@pytest.mark.parametrize(("code", "blocks"), CERTAIN.values(), ids=CERTAIN)
def test_constants_of_classes(code: str, blocks: list[int], kernel_file: Write, tmp_path: Path) -> None:
    text = whole(code)
    found = stated(text, kernel_file)
    assert list(dict.fromkeys(launch.block[0] for launch in found)) == blocks
    assert missed(text, found, tmp_path) == []


PLAIN = "template <int B> struct T { static constexpr int N = B; };"
OPEN = {
    "specialised": f"{PLAIN} template <> struct T<4> {{ static constexpr int N = 64; }};;; {GO}",
    "specialised in part": ("template <int B, int C> struct T { static constexpr int N = B; }; "
                            "template <int C> struct T<4, C> { static constexpr int N = 64; };;; k<<<1, T<4, 2>::N>>>(p, n);"),
    "a member that is specialised": (
        f"template <int B> struct T {{ static const int N; }}; template <int B> const int T<B>::N = B; "
        f"template <> const int T<4>::N = 64;;; {GO}"),
    "a base": f"struct S {{ static constexpr int N = 64; }}; template <int B> struct T : S {{}};;; {GO}",
    "a base beside": ("struct S { static constexpr int M = 64; }; const int M = 3; "
                      "struct Q : S { static constexpr int N = M; }; "
                      f"template <int B> struct T {{ static constexpr int N = Q::N; }};;; {GO}"),
    "a variable": f"template <int B> struct T {{ inline static int N = B; }};;; T<4>::N = 64; {GO}",
    "a class of the function": (f"{PLAIN};; struct S {{ static int M() {{ return 64; }} }}; {{ struct T {{ }}; }} "
                                "k<<<1, S::M()>>>(p, n);"),
    "a type of the function": (f"{PLAIN} template <int B> struct U {{ static constexpr int N = 64; }}; "
                               "template <template <int> class T> void go(float *p, int n) { k<<<1, T<4>::N>>>(p, n); }"
                               ";; go<U>(p, n);"),
    "in another namespace": (f"namespace a {{ {PLAIN} }} namespace b {{ "
                             "template <int B> struct T { static constexpr int N = 64; }; "
                             f"void go(float *p, int n) {{ {GO} }} }};; b::go(p, n);"),
    "a class of a class": (
        f"{PLAIN} struct O {{ template <int B> struct T {{ static constexpr int N = 64; }}; "
        f"void go(float *p, int n) {{ {GO} }} }};;; O().go(p, n);"),
    "an argument that is declared anew": (
        f"{PLAIN};; constexpr int b = 4; using K = T<b>; {{ constexpr int b = 64; k<<<1, b>>>(p, n); k<<<1, K::N>>>(p, n); }}"),
    "a pack": ("template <int... B> struct T { static constexpr int N = sizeof...(B) * 64; };;; k<<<1, T<4, 5>::N>>>(p, n);"),
    "a default": "template <int B, int C = 64> struct T { static constexpr int N = C; };;; " + GO,
    "what wraps": "template <int B> struct T { static constexpr unsigned char N = B; };;; k<<<1, T<2>::N>>>(p, n); "
                  "k<<<1, (unsigned char)(T<2>::N + 300)>>>(p, n);",
}


@needs_compiler
@pytest.mark.parametrize("code", OPEN.values(), ids=OPEN)
def test_what_may_be_another_constant(code: str, kernel_file: Write, tmp_path: Path) -> None:
    """Numbers that are stated are those that the program has; where a class may be another one, nothing is."""
    text = whole(code)
    assert missed(text, stated(text, kernel_file), tmp_path) == []


CONDITIONS = {
    "the compiler decides": "#ifdef __FAST__\n#define W 64\n#else\n#define W 32\n#endif\n"
                            "template <int B> struct T { static constexpr int N = B * W; };",
    "a header is not there": f'#include "unknown.h"\n{PLAIN}',
    "a condition around a member": "template <int B> struct T {\n#ifdef __FAST__\nstatic constexpr int N = 64;\n#else\n"
                                   "static constexpr int N = B;\n#endif\n};",
}


@pytest.mark.parametrize("head", CONDITIONS.values(), ids=CONDITIONS)
def test_a_constant_that_a_condition_decides(head: str, kernel_file: Write) -> None:
    found = stated(f"{head}\n{KERNEL}int main() {{ float *p; k<<<1, T<4>::N>>>(p, 3); }}\n", kernel_file)
    assert all(not isinstance(launch.block[0], int) for launch in found)


INSTANCES = {
    "written": ("k<T<4, float>><<<1, 64>>>(p); k<T<4, float> ><<<1, 64>>>(p);", ("T<4,float>",)),
    "by a name": ("using K = T<4, float>; k<K><<<1, K::N>>>(p);", ("T<4,float>",)),
    "in a template": ("} template <int B, typename V> void go(float *p) { using K = T<B, V>; k<K><<<1, K::N>>>(p); } "
                      "int f(float *p) { go<8, __half>(p);", ("T<8,__half>",)),
    "a default is left out": ("k<D<4>><<<1, 64>>>(p);", None),
    "a variable": ("const int b = 4; k<T<b, float>><<<1, 64>>>(p);", ("T<4,float>",)),
    "an argument that is not known": ("} template <typename V> void go(float *p) { k<T<4, V>><<<1, 64>>>(p); } int f() {", None),
}


@pytest.mark.parametrize(("code", "args"), INSTANCES.values(), ids=INSTANCES)
def test_instances_by_a_class(code: str, args: tuple[str, ...] | None, kernel_file: Write) -> None:
    head = ("template <int B, typename V> struct T { static constexpr int N = B * 8; };\n"
            "template <int B, int C = 2> struct D {};\ntemplate <typename K> __global__ void k(float *p) {}\n")
    found = stated(f"{head}int main() {{ float *p; {code} }}\n", kernel_file)
    assert {launch.template_args for launch in found} == {args}


class Classes:
    """Random programs whose sizes are constants of classes."""

    def __init__(self, seed: int) -> None:
        self.random, self.classes = Random(seed), list[str]()

    def text(self) -> str:
        out = ["template <typename V, int B> struct Size { static constexpr int N = sizeof(V) * B; };",
               "const int W = 3, B0 = 5;"]
        for number in range(self.random.randrange(1, 4)):
            out.append(self.a_class(f"T{number}"))
        launches = "".join(f"k<<<1, {self.use('A', 'B')} % 97 + 1>>>(p, A);\n" for _ in range(3))
        out.append("template <int A, int B> void go(float *p) { using K = T0<B, A>; "
                   f"k<<<2, K::M % 89 + 1>>>(p, B);\n{launches}}}")
        calls = " ".join(f"go<{self.random.randrange(1, 9)}, {self.random.choice(['W', 'B0', '2', 'W + 1'])}>(p);"
                         for _ in range(3))
        last = f"k<<<3, {self.use('4', 'W')} % 83 + 1>>>(p, 1);"
        return KERNEL + "\n".join(out) + f"\nint main() {{ float *p = 0; {calls} {last} }}\n"

    def use(self, one: str, two: str) -> str:
        name = self.random.choice([*self.classes, "Size"])
        if name == "Size":
            return f"Size<{self.random.choice(['float', 'double', 'char', 'short'])}, {self.random.choice([one, two])}>::N"
        return f"{name}<{self.random.choice([one, two])}, {one}>::{self.random.choice('MN')}"

    def a_class(self, name: str) -> str:
        own = self.random.choice(["W", "B0", "L"])
        hides = f"static constexpr int {own} = {self.random.randrange(2, 9)}; " if self.random.random() < 0.6 else ""
        own = own if hides or own != "L" else "X"
        members = [f"static constexpr int M = {self.value('X', 'Y', own)};", f"static const int N = {self.value('M', 'Y', own)};"]
        self.classes.append(name)
        return f"template <int X, int Y> struct {name} {{ {hides}{' '.join(members)} }};"

    def value(self, one: str, two: str, own: str) -> str:
        parts = [one, two, own, str(self.random.randrange(1, 9))]
        if self.classes and self.random.random() < 0.5:
            parts.append(self.use("X", "Y"))
        left, right = self.random.choice(parts), self.random.choice(parts)
        return self.random.choice([f"{left} * 2 + {right}", f"{left} > {right} ? {left} : {right} + 1",
                                   f"std::max({left}, {right})", f"({left} + {right}) / 2 + 1", f"{left} % 7 + {right}"])


@needs_compiler
@pytest.mark.drawn(12)
def test_random_classes(seed: int, kernel_file: Write, tmp_path: Path) -> None:
    text = Classes(seed).text()
    found = stated(text, kernel_file)
    assert found and missed(text, found, tmp_path) == [], text
    assert any(isinstance(launch.block[0], int) for launch in found), text
