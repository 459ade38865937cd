"""Copies of a local that is returned: refused where it shows whether a compiler leaves them out, else they are followed."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Run

CLASSES = """struct Counting { int c; __device__ Counting() : c(1) {} __device__ Counting(const Counting &o) : c(o.c + 1) {} };
struct Moving { int c; __device__ Moving() : c(1) {} __device__ Moving(Moving &&o) : c(o.c + 10) {} };
struct Turned { int a, b; __device__ Turned(int x) : a(x), b(2) {} __device__ Turned(const Turned &o) : a(o.b), b(o.a) {} };
struct Half { int a, b; __device__ Half(int x) : a(x), b(2) {} __device__ Half(const Half &o) : a(o.a) { b = 3; } };
struct Plain { int v; int w[8]; };
struct Sets { Plain *p; __device__ ~Sets() { p->v = 7; } };
struct Adds { int *p; __device__ ~Adds() { *p += 7; } };
struct Sync { __device__ ~Sync() { __syncthreads(); } };
struct Listed { int a, b; __device__ Listed(int x) : a(x), b(2) {} __device__ Listed(const Listed &o) : a(o.a), b{o.b} {} };
struct Written { int a, b; __device__ Written(int x) : a(x), b(2) {}
  __device__ Written(const Written &o) { b = o.b; this->a = o.a; } };
template <class T> struct Of { T a; T b; __device__ Of(T x) : a(x), b(2) {} __device__ Of(const Of &o) : a(o.a), b(o.b) {} };
struct Base { int n; }; struct Derived : Base { int m; __device__ Derived() { n = 1; m = 2; } };
"""
REFUSED = {
    "a copy that counts": ("Counting f() { Counting x; return x; }", "f().c == 2"),
    "in brackets": ("Counting f() { Counting x; return (x); }", "f().c == 2"),
    "one of two": ("Counting f(int i) { Counting x, y; if (i > 3) return x; return y; }", "f(i).c == 2"),
    "a move": ("Moving f() { Moving x; return x; }", "f().c == 11"),
    "fields that change places": ("Turned f() { Turned x(1); return x; }", "f().a == 2"),
    "a field that is set otherwise": ("Half f() { Half x(1); return x; }", "f().b == 3"),
    "a destructor that changes it": ("Plain f() { Plain x{1}; Sets s{&x}; return x; }", "f().v == 1"),
    "a destructor of an outer scope": (
        "Plain f(int i) { Plain x{1}; Sets s{&x}; if (i) { return x; } return x; }", "f(i).v == 1"),
}
KEPT = {
    "a field for each": ("Listed f(int i) { Listed x(i); x.b = 5; return x; }", "f(i).a == i && f(i).b == 5"),
    "a field after the other": ("Written f(int i) { Written x(i); x.b = 5; return x; }", "f(i).a == i && f(i).b == 5"),
    "of a template": ("Of<int> f(int i) { Of<int> x(i); return x; }", "f(i).a == i && f(i).b == 2"),
    "of a base": ("Base f() { Derived x; return x; }", "f().n == 1"),
    "a parameter": ("Counting f(Counting x) { return x; }", "f(Counting()).c == 2"),
    "what a constructor makes": ("Counting f() { return Counting(); }", "f().c == 1"),
    "bytes": ("Plain f(int i) { Plain x{i}; return x; }", "f(i).v == i"),
    "bytes past a barrier": ("Plain f(int i) { Sync s; Plain x{i}; return x; }", "f(i).v == i"),
    "a number past a destructor": ("int f(int i) { int x = i; Adds a{&x}; return x; }", "f(i) == i"),
    "a copy that the text asks for": ("Plain f() { Plain x{1}; { Sets s{&x}; } return x; }", "f().v == 7"),
}


def told(code: str, claim: str, run: Run, kernel_file: Any) -> Any:
    text = (f"{CLASSES}__device__ {code}\n// spmd: block=32 grid=1\n"
            f"__global__ void k(int *o) {{ int i = threadIdx.x; __assert({claim}); o[i] = 1; }}")
    return run("check", kernel_file(text), "--format", "jsonl").records[0]


@pytest.mark.parametrize("name", REFUSED)
def test_a_copy_that_may_be_left_out_is_refused(name: str, run: Run, kernel_file: Any) -> None:
    record = told(*REFUSED[name], run, kernel_file)
    assert record["verdict"] == "unsupported" and "the compiler's choice" in record["reason"]


@pytest.mark.parametrize("name", KEPT)
def test_other_copies_are_followed(name: str, run: Run, kernel_file: Any) -> None:
    record = told(*KEPT[name], run, kernel_file)
    assert record["properties"]["assertions"] == "proved", record.get("reason")
