"""Range-based `for` over objects: with the begin, the end, the test and the step of their own iterators, effects and all."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Run

STEPS = """template<class T> class Steps {
  struct It {
    T at; const T by;
    __device__ It(T a, T b) : at(a), by(b) {}
    __device__ T operator*() const { return at; }
    __device__ It &operator++() { at += by; return *this; }
    __device__ bool operator!=(const It &o) const { return at < o.at; }
  };
  T first, by, last;
 public:
  __device__ Steps(T a, T b, T c) : first(a), by(b), last(c) {}
  __device__ It begin() const { return It{first, by}; }
  __device__ It end() const { return It{last, 0}; }
};
__device__ Steps<int> each(int n) { return Steps<int>(blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x, n); }
"""


@pytest.mark.parametrize("launch", ["block=32 grid=2 n=200", "block=32"])
@pytest.mark.parametrize("at", ["i", "i / 2"])
def test_a_loop_over_the_grid(at: str, launch: str, run: Run, kernel_file: Any) -> None:
    text = f"{STEPS}// spmd: {launch}\n__global__ void k(int *o, int n) {{ for (int i : each(n)) o[{at}] = i; }}"
    records = run("check", kernel_file(text), "--format", "jsonl").records
    assert {record["verdict"] for record in records} <= ({"proved", "unknown"} if at == "i" else {"refuted"}), records
    assert "proved" in {record["verdict"] for record in records} or at != "i" or "n=" not in launch


HEAD = """// spmd: block=32 grid=1
__device__ int g[4];
struct It {{
  int at;
  __device__ int operator*() const {{ {star} return at; }}
  __device__ It &operator++() {{ {step} at++; return *this; }}
  __device__ bool operator!=(const It &o) const {{ {test} return at < o.at; }}
}};
struct R {{
  int n;
  __device__ R(int a) : n(a) {{ {made} }}
  __device__ It begin() {{ {begin} return It{{0}}; }}
  __device__ It end() {{ {end} return It{{n}}; }}
}};
__global__ void k(int *o) {{ int s = 0; for (int i : R({count})) s += i + 1; o[threadIdx.x] = s; __assert(s == {sum}); }}
"""
PARTS = ("star", "step", "test", "made", "begin", "end")


@pytest.mark.parametrize("part", PARTS)
def test_effects_of_each_part_are_seen(part: str, run: Run, kernel_file: Any) -> None:
    quiet = dict.fromkeys(PARTS, "")
    for written, verdict in (("", "proved"), ("g[1] = threadIdx.x;", "refuted")):
        text = HEAD.format(**{**quiet, part: written}, count=3, sum=6)
        assert run("check", kernel_file(text), "--format", "jsonl").records[0]["verdict"] == verdict, written


@pytest.mark.parametrize(("part", "count", "sum"), [
    ("", 3, 6), ("", 0, 0), ("n = 4;", 2, 10), ("", 3, 7), ("", 0, 1), ("n = 4;", 2, 3)])
def test_the_end_is_asked_once_after_the_begin(part: str, count: int, sum: int, run: Run, kernel_file: Any) -> None:
    text = HEAD.format(**{**dict.fromkeys(PARTS, ""), "begin": part}, count=count, sum=sum)
    right = sum == (10 if part else count * (count + 1) // 2)
    assert run("check", kernel_file(text), "--format", "jsonl").records[0]["verdict"] == ("proved" if right else "refuted")


BODIES = {
    "pointers": ("struct P { int a[4]; __device__ int *begin() { return a; } __device__ int *end() { return a + 4; } };",
                 "P p = {{1, 2, 3, 4}}; int s = 0; for (int &x : p) { if (x == 2) continue; x *= 2; s += x; }"
                 " int v = s + p.a[0] * 100 + p.a[1] * 1000;", 2216),
    "functions beside": ("struct Q { int n; }; struct J { int at; __device__ int operator*() const { return at; }"
                         " __device__ J &operator++() { at++; return *this; }"
                         " __device__ bool operator!=(const J &o) const { return at != o.at; } };"
                         " __device__ J begin(Q &r) { return J{1}; } __device__ J end(Q &r) { return J{r.n}; }",
                         "Q q{4}; int v = 0;"
                         " for (int i : q) { for (int j : q) { if (j == i) break; v += j; } v += 10 * i; }", 64),
    "an array": ("", "int a[3] = {1, 2, 3}; int v = 0; for (int x : a) { if (x == 3) break; v += x; }", 3),
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("off", [0, 1])
def test_what_a_loop_computes(name: str, off: int, run: Run, kernel_file: Any) -> None:
    before, body, value = BODIES[name]
    body += f" o[threadIdx.x] = v; __assert(v == {value + off});"
    text = f"{before}\n// spmd: block=32 grid=1\n__global__ void k(int *o) {{ {body} }}"
    assert run("check", kernel_file(text), "--format", "jsonl").records[0]["verdict"] == ("refuted" if off else "proved")


def test_a_range_with_a_destructor_is_refused(run: Run, kernel_file: Any) -> None:
    plain = HEAD.format(**dict.fromkeys(PARTS, ""), count=3, sum=6)
    text = plain.replace("int n;", "int n; __device__ ~R() { g[2] = threadIdx.x; }")
    assert run("check", kernel_file(text), "--format", "jsonl").records[0]["verdict"] == "unsupported"
