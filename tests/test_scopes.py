"""Ends of scopes and structured bindings: destructors run where C++ runs them, names of parts mean the parts.

Random bodies of functions are compiled by g++ and run; the number that their locals write down as they die is what the kernel has
to assert; a number beside it is refuted, so the assertions are reached.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

CLASSES = """struct T { unsigned &log; unsigned id;
  HERE T(unsigned &l, unsigned i) : log(l), id(i) { log = log * 31u + id; }
  HERE ~T() { if (id % 5 == 4) return; log = log * 37u + id + 100u; } };
struct Two { T a; T b; HERE Two(unsigned &l, unsigned i) : a(l, i), b(l, i + 1u) {} };
struct Base { T t; HERE Base(unsigned &l, unsigned i) : t(l, i) {} HERE ~Base() { t.log = t.log * 41u + 7u; } };
struct Derived : Base { T u; HERE Derived(unsigned &l, unsigned i) : Base(l, i), u(l, i + 2u) {}
  HERE ~Derived() { u.log = u.log * 43u + 9u; } };
struct Plain { unsigned &log; int k; HERE ~Plain() { log = log * 47u + (unsigned)k; } };
struct Holder { Plain p; int n; };
"""
OBJECTS = ("T x{n}(log, {n}u);", "T x{n}{{log, {n}u}};", "Two x{n}(log, {n}u);", "Derived x{n}(log, {n}u);",
           "Plain x{n}{{log, {n}}};", "Holder x{n}{{{{log, {n}}}, 3}};", "T x{n} = T(log, {n}u);",
           "Plain x{n}[2] = {{{{log, {n}}}, {{log, 2}}}};")


class Bodies:
    """Random bodies of `unsigned f(unsigned &log, int a)`."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0

    def block(self, depth: int, loop: bool) -> str:
        return " ".join(self.statement(depth, loop) for _ in range(self.random.randint(1, 4)))

    def test(self) -> str:
        return self.random.choice(["(a & 1)", "(a > 2)", "log % 3u == 1u", "a == 1", "log % 2u"])

    def statement(self, depth: int, loop: bool) -> str:
        self.count += 1
        n, kind = self.count, self.random.randrange(12 if depth else 6)
        leave = self.random.choice(["return log + 1u;", *(["break;", "continue;"] if loop else ["return log;"])])
        match kind:
            case 0 | 1 | 2:
                return self.random.choice(OBJECTS).format(n=n)
            case 3 | 4:
                return f"if ({self.test()}) {leave}"
            case 5:
                return f"log = log * 3u + {n}u;"
            case 6:
                return f"{{ {self.block(depth - 1, loop)} }}"
            case 7:
                return f"if ({self.test()}) {{ {self.block(depth - 1, loop)} }} else {{ {self.block(depth - 1, loop)} }}"
            case 8:
                return f"for (int i{n} = 0; i{n} < 3; i{n}++) {{ a++; {self.block(depth - 1, True)} }}"
            case 9:
                return f"for (T h{n}(log, {n}u); h{n}.id < {n + 2}u; h{n}.id++) {{ {self.block(depth - 1, True)} }}"
            case 10:
                return f"if (T h{n}(log, {n}u); {self.test()}) {{ {self.block(depth - 1, loop)} }} else log += 5u;"
            case _:
                return (f"switch (a & 3) {{ case 0: {{ {self.block(depth - 1, False)} break; }} case 1: log += 2u; "
                        f"default: {{ {self.block(depth - 1, False)} }} }}")


def compiled(bodies: list[str], folder: Path) -> list[list[int]]:
    """What g++'s program says of each function, for each of four arguments."""
    functions = "\n".join(f"unsigned f{at}(unsigned &log, int a) {{ {body} return log; }}" for at, body in enumerate(bodies))
    calls = " ".join(f"for (int a = 0; a < 4; a++) {{ unsigned log = 1; unsigned got = f{at}(log, a);"
                     f' printf("%u ", got * 3u + log); }} puts("");' for at in range(len(bodies)))
    (folder / "twin.cpp").write_text(f"#include <cstdio>\n#define HERE\n{CLASSES}\n{functions}\nint main() {{ {calls} }}\n")
    subprocess.run(["g++", "-std=c++17", "-w", "-o", folder / "twin", folder / "twin.cpp"], check=True, timeout=60)
    told = subprocess.run([folder / "twin"], check=True, capture_output=True, text=True, timeout=10).stdout
    return [[int(word) for word in line.split()] for line in told.splitlines()]


@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
@pytest.mark.sliced(2)
@pytest.mark.drawn(8)
def test_locals_die_where_a_compiler_lets_them_die(seed: int, run: Run, kernel_file: Any, tmp_path: Path) -> None:
    made = Bodies(seed)
    bodies = [made.block(2, False) for _ in range(6)]
    values = compiled(bodies, tmp_path)
    functions = "\n".join(f"__device__ unsigned f{at}(unsigned &log, int a) {{ {body} return log; }}"
                          for at, body in enumerate(bodies))
    for off in (0, 1):
        kernels = "\n".join(_claims(at, [value + off for value in row]) for at, row in enumerate(values))
        file = kernel_file(f"#define HERE __device__\n{CLASSES}\n{functions}\n{kernels}")
        for record in run("check", file, "--format", "jsonl", *(() if off else ("--timeout", 10))).records:
            told = record["properties"]["assertions"]
            assert told in (("refuted",) if off else ("proved", "unknown")), (bodies, values, record.get("reason"))


def _claims(at: int, values: list[int]) -> str:
    """A kernel that asserts what a function makes of each argument: one for each function, for together they are too long to
    be unrolled."""
    claims = " ".join(f"{{ unsigned log = 1; unsigned got = f{at}(log, {a}); __assert(got * 3u + log == {value}u); }}"
                      for a, value in enumerate(values))
    return f"// spmd: block=32 grid=1\n__global__ void k{at}(int *o) {{ {claims} o[threadIdx.x] = 1; }}"


GUARDS = """struct Sync { __device__ ~Sync() { __syncthreads(); } };
struct Put { int *to; int at; int value; __device__ ~Put() { to[at] = value; } };
struct Save { int *from; int kept; __device__ Save(int *p) : from(p), kept(*p) {} __device__ ~Save() { *from = kept; } };
struct Counted { int n = threadIdx.x; int *o = nullptr; __device__ ~Counted() { o[n] = blockIdx.x; } };
struct Nothing { int n; __device__ ~Nothing() {} };
"""
RACES = {
    "a barrier at the end of a block": (
        "__shared__ int s[64]; { Sync sync; s[threadIdx.x] = i; } o[i] = s[63 - threadIdx.x];",
        "__shared__ int s[64]; Sync sync; s[threadIdx.x] = i; o[i] = s[63 - threadIdx.x];"),
    "a barrier each round": (
        "__shared__ int s[64]; int v = i; for (int r = 0; r < 3; r++) { { Sync a; s[threadIdx.x] = v; } Sync b;"
        " v = s[63 - threadIdx.x]; } o[i] = v;",
        "__shared__ int s[64]; int v = i; for (int r = 0; r < 3; r++) { { Sync a; s[threadIdx.x] = v; }"
        " v = s[63 - threadIdx.x]; } o[i] = v;"),
    "a barrier that continue comes to": (
        "__shared__ int s[64]; for (int r = 0; r < n; r++) { Sync a; if (r & 1) continue; s[(threadIdx.x + r) % 64] = r; }"
        " o[i] = 1;",
        "__shared__ int s[64]; for (int r = 0; r < n; r++) { if (r == 1) { Sync a; continue; } s[(threadIdx.x + r) % 64] = r; }"
        " o[i] = 1;"),
    "a store as the thread returns": ("Put p{o, i, 1}; if (n > 3) return; p.value = 2;", "Put p{o, i / 2, i}; if (n > 3) return;"
                                      " p.at = i;"),
    "a place that is chosen later": ("Put p{o, 0, i}; p.at = i;", "Put p{o, i, i}; p.at = threadIdx.x;"),
    "a value put back": ("Save s(o + i); o[i] = n;", "Save s(o + (i ^ 1)); o[i] = n;"),
    "an array of them, in order": ("Put p[2] = {{o, i, 1}, {o, i, 2}};", "Put p[2] = {{o, i, 1}, {o, i + 1, i}};"),
    "default members": ("if (blockIdx.x == 0) { Counted c; c.o = o; }", "Counted c; c.o = o;"),
    "an empty one as a value": ("auto f = [](Nothing x) { return x.n; }; o[f(Nothing{i})] = 1;",
                                "auto f = [](Nothing x) { return x.n; }; o[f(Nothing{i / 2})] = i;"),
}


@pytest.mark.parametrize("name", RACES)
@pytest.mark.parametrize("good", [True, False])
def test_what_destructors_do_is_seen(name: str, good: bool, run: Run, kernel_file: Any) -> None:
    body = RACES[name][0 if good else 1]
    text = (f"{GUARDS}\n// spmd: block=64 grid=2 require n >= 0, n <= 8\n"
            f"__global__ void k(int *o, int n) {{ int i = blockIdx.x * 64 + threadIdx.x; {body} }}")
    record = run("check", kernel_file(text), "--format", "jsonl").records[0]
    assert record["properties"]["race-free"] == ("proved" if good else "refuted"), record.get("reason")
    assert record["properties"]["barriers"] == "proved"


def test_a_barrier_in_a_destructor_that_some_threads_come_to(run: Run, kernel_file: Any) -> None:
    body = "if (threadIdx.x < 8) { Sync s; o[threadIdx.x] = 1; }"
    text = f"{GUARDS}// spmd: block=64 grid=1\n__global__ void k(int *o) {{ {body} }}"
    assert run("check", kernel_file(text), "--format", "jsonl").records[0]["properties"]["barriers"] == "refuted"


REFUSED = {
    "a temporary": "Put{o, i, 1}; o[i] = 2;",
    "an argument": "auto f = [](Put p) { return p.at; }; o[f(Put{o, i, 1})] = 1;",
    "a reference to a temporary": "const Put &p = Put{o, i, 1}; o[i + 1] = p.at;",
    "a jump": "again: Put p{o, i, 1}; if (n-- > 3) goto again;",
    "a union": "union U { int a; Put p; __device__ U() : a(1) {} __device__ ~U() { } }; U u; o[i] = u.a;",
    "a block with a value": "o[i] = ({ Put p{o, i, 1}; 3; });",
    "a closure": "Put p{o, i, 1}; auto f = [p]() { return p.at; }; o[f()] = 2;",
    "a result": "auto f = [&]() { return Put{o, i, 1}; }; Put p = f();",
    "a template": "templated<int>(o, i);",
    "one called by name": "Put p{o, i, 1}; p.~Put();",
    "a shared one": "__shared__ Put p; o[i] = 1;",
}
TEMPLATED = """template<class X> struct Of { X *to; int at; __device__ ~Of() { to[at] = 1; } };
template<class X> __device__ void templated(X *o, int i) { Of<X> of{o, i}; }
"""


@pytest.mark.parametrize("name", REFUSED)
def test_destructors_that_are_not_followed_are_refused(name: str, run: Run, kernel_file: Any) -> None:
    text = (f"{GUARDS}{TEMPLATED}// spmd: block=64 grid=2\n"
            f"__global__ void k(int *o, int n) {{ int i = blockIdx.x * 64 + threadIdx.x; {REFUSED[name]} }}")
    assert run("check", kernel_file(text), "--format", "jsonl").records[0]["verdict"] in ("unsupported", "invalid")


TAKEN = """struct P { int a, b; }; struct W { int a : 4; int b; }; struct D : P {}; struct N { P p; int q[2]; };
__device__ P both(int i) { return P{i / 8, i % 8}; }
"""
PARTS = {
    "a value": ("auto [a, b] = both(i); o[a * 8 + b] = 1;", "auto [a, b] = both(i); o[a + b] = i;"),
    "a copy": ("P p{i, 5}; auto [a, b] = p; p.a = 0; o[a] = i;", "P p{0, 5}; auto [a, b] = p; p.a = i; o[a] = i;"),
    "a reference": ("P p{0, 5}; auto &[a, b] = p; p.a = i; o[a] = i;", "P p{i, 5}; auto &[a, b] = p; p.a = 0; o[a] = i;"),
    "a reference that is written": ("P p{0, 5}; auto &[a, b] = p; a = i; o[p.a] = i;",
                                    "P p{i, 5}; auto &[a, b] = p; a = 3; o[p.a] = i;"),
    "an array": ("int t[3] = {i, 1, 2}; auto [a, b, c] = t; t[0] = 4; o[a] = b;",
                 "int t[3] = {i, 1, 2}; auto &[a, b, c] = t; t[0] = 4; o[a] = i;"),
    "shared memory": ("__shared__ int t[2]; auto &[a, b] = t; if (i == 0) { a = 1; b = 2; } o[i] = 1;",
                      "__shared__ int t[2]; auto &[a, b] = t; a = i; b = 2; o[i] = 1;"),
    "a field of bits": ("W w{}; auto &[a, b] = w; b = i; a = 20; o[b] = 1; __assert(w.a == 4);",
                        "W w{}; auto &[a, b] = w; a = i; o[a + 8] = i;"),
    "a base": ("D d; d.a = i; d.b = 1; auto [a, b] = d; o[a] = b;", "D d; d.a = i; d.b = 1; auto [a, b] = d; o[b] = i;"),
    "fields of fields": ("N n{{1, 2}, {i, 4}}; auto &[p, q] = n; o[q[0]] = p.a;",
                         "N n{{1, 2}, {i, 4}}; auto &[p, q] = n; o[p.b] = i;"),
    "a round's element": ("P t[2] = {{0, i}, {64, i}}; for (auto [a, b] : t) o[a * 2 + b] = 1;",
                          "P t[2] = {{0, i}, {64, i}}; for (auto [a, b] : t) o[a] = b;"),
    "the head of a condition": ("if (auto [a, b] = both(i); b >= 0) o[a * 8 + b] = 1;",
                                "if (auto [a, b] = both(i); b < 8) o[a] = i;"),
    "a vector": ("int2 v = make_int2(i, 3); auto [x, y] = v; o[x] = y;", "int2 v = make_int2(i, 3); auto [x, y] = v; o[y] = x;"),
    "a constant reference": ("const auto &[a, b] = both(i); o[a * 8 + b] = 1;", "const auto &[a, b] = both(i); o[b] = i;"),
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("good", [True, False])
def test_names_of_parts(name: str, good: bool, run: Run, kernel_file: Any) -> None:
    body = PARTS[name][0 if good else 1]
    text = f"{TAKEN}\n// spmd: block=64 grid=1\n__global__ void k(int *o) {{ int i = threadIdx.x; {body} }}"
    record = run("check", kernel_file(text), "--format", "jsonl").records[0]
    assert record["properties"]["race-free"] == ("proved" if good else "refuted"), (record.get("reason"), record["findings"])
    assert record["properties"]["assertions"] != "refuted"


LIKE_TUPLES = """namespace std { template<class> struct tuple_size; template<unsigned long, class> struct tuple_element; }
struct G { int u, v; template<unsigned long I> __device__ int get() const { return 7; } };
template<> struct std::tuple_size<G> { static constexpr int value = 2; };
template<unsigned long I> struct std::tuple_element<I, G> { using type = int; };
"""


@pytest.mark.parametrize("body", [
    "G g{i, i}; auto [a, b] = g; o[a] = 1;", "int a, b; G g{i, 1}; auto &&[c, d] = g; o[c] = 1;",
    "int t[2] = {i, 1}; auto [a, b] = t; auto f = [&]() { return a; }; o[f()] = 1;"])
def test_names_of_what_is_like_a_tuple_and_captured_ones_are_refused(body: str, run: Run, kernel_file: Any) -> None:
    text = f"{LIKE_TUPLES}\n// spmd: block=64 grid=1\n__global__ void k(int *o) {{ int i = threadIdx.x; {body} }}"
    assert run("check", kernel_file(text), "--format", "jsonl").records[0]["verdict"] == "unsupported"
