"""Elaboration keeps every read, write and order: kernels that once lost one, each the smallest that shows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

Write = Callable[..., Path]

RACES = {
    "an update of several components": (
        "__kernel void k(__global int4 *out) { int t = get_local_id(0); out[0].xy += t; }", ".cl"),
    "several components of a local": (
        "__kernel void k(__global int *out) { int t = get_local_id(0); int4 v = (int4)(1, 2, 3, 4); v.zw += v.xy;"
        " out[t % (v.z == 4 && v.w == 6 ? 1 : 8)] = t; }", ".cl"),
    "the value of a helper that jumps back": (
        "__device__ int f(int x) { again: x--; if (x > 5) goto again; return x; }\n"
        "__global__ void k(int *out) { if (threadIdx.x < f(3)) out[0] = threadIdx.x; }", ".cu"),
    "a read in an argument of printf": (
        "__global__ void k(int *out) { __shared__ int s[9]; int t = threadIdx.x; s[t] = t;"
        " printf(\"%d\", s[(t + 1) % 8]); }", ".cu"),
    "a pointer moved in an argument": (
        "__kernel void k(__global int *p, __global int *q) { int t = get_local_id(0); p = q; prefetch(p++, 1);"
        " if (t == 0) p[0] = 1; else if (t == 1) q[1] = 2; }", ".cl"),
    "a read whose value nobody uses": (
        "__device__ int f(int *p) { return p[threadIdx.x]; }\n"
        "__global__ void k(int *p) { f(p); p[threadIdx.x + 1] = 1; }", ".cu"),
    "a write through a pointer to a struct's field": (
        "struct pair { int a, b; };\n"
        "__global__ void k(struct pair *p) { int *q = &p[threadIdx.x].b; q[1] = 1; p[threadIdx.x].a = 2; }", ".cu"),
    "a row that runs into the next": (
        "__global__ void k(int *out) { __shared__ int s[4][8]; int t = threadIdx.x; int *row = s[0]; row[8 + t] = t;"
        " s[1][7 - t] = 2; }", ".cu"),
    "a swap of two buffers": (
        "__global__ void k(int *a, int *b) { int *p = a, *q = b; for (int i = 0; i < 3; i++) { p[threadIdx.x] = i;"
        " int *r = p; p = q; q = r; } a[threadIdx.x + 1] = 1; }", ".cu"),
    "a record by value whose pointer a method moves": (
        "struct view { int *a; int n; __device__ void back(int k) { a -= k; } };\n"
        "__global__ void k(view v) { v.back(threadIdx.x); v.a[threadIdx.x] = threadIdx.x; }", ".cu"),
    "a barrier's return in a helper": (
        "__device__ void f(int *s) { if (threadIdx.x > 3) return; s[threadIdx.x] = 1; }\n"
        "__global__ void k(int *s) { f(s); s[threadIdx.x + 1] = 2; }", ".cu"),
}

SAME = {
    "a wide update of bytes": (
        "__global__ void k(int *out) { unsigned char b[4]; b[0] = 255; b[1] = 0; b[2] = 0; b[3] = 0; *(int *)b += 1;"
        " out[0] = b[1]; }", "out[0] = 1;"),
    "a reference to one of two": (
        "__device__ void inc(int &x) { x++; }\n"
        "__global__ void k(int *out) { int i = 0, j = 0; inc(out ? i : j); out[0] = i + j; }", "out[0] = 1;"),
    "references to what was just changed": (
        "__device__ void inc(int &x) { x += 5; }\n"
        "__global__ void k(int *out) { int i = 0, j = 0; inc(++i); inc(j = 2); out[0] = i + j; }", "out[0] = 13;"),
    "the right side of an assignment comes first": (
        "__global__ void k(int *out) { int i = 0; int a[3]; a[0] = 7; a[i++] = i; out[0] = a[0]; }", "out[0] = 0;"),
    "a bool through a char": (
        "__global__ void k(int *out) { bool b[2]; char *c = (char *)b; c[0] = 2; out[0] = c[0]; }", "out[0] = 2;"),
    "a swap of components": (
        "__global__ void k(int *out) { int2 v = make_int2(1, 2); v = make_int2(v.y, v.x); out[0] = 10 * v.x + v.y; }",
        "out[0] = 21;"),
    "a switch that falls through": (
        "__device__ int f(int x) { int r = 0; switch (x) { case 1: r += 1; default: r += 10; case 2: r += 100; break;"
        " case 3: return 7; } return r; }\n"
        "__global__ void k(int *out) { out[0] = f(1); out[1] = f(2); out[2] = f(3); out[3] = f(9); }",
        "out[0] = 111; out[1] = 100; out[2] = 7; out[3] = 110;"),
    "continue in a do loop": (
        "__global__ void k(int *out) { int i = 0, n = 0; do { i++; if (i % 2) continue; n += i; } while (i < 7); out[0] = n; }",
        "out[0] = 12;"),
}


@pytest.mark.parametrize("name", RACES)
def test_no_access_is_lost(name: str, run: Run, kernel_file: Write) -> None:
    text, suffix = RACES[name]
    path = kernel_file(text, f"k{suffix}")
    record = run("check", path, "--block", 8, "--grid", 1, "--format", "jsonl").records[0]
    assert record["verdict"] == "refuted" and any(item["rule"] == "race" for item in record["findings"]), record


@pytest.mark.parametrize("name", SAME)
def test_values_are_those_of_the_language(name: str, run: Run, kernel_file: Write) -> None:
    text, stores = SAME[name]
    a, b = kernel_file(text, "a.cu"), kernel_file(f"__global__ void k(int *out) {{ {stores} }}", "b.cu")
    for other, verdict in ((b, "equal"), (kernel_file(b.read_text().replace("= ", "= 1 + "), "c.cu"), "different")):
        record = run("equiv", a, other, "--block", 1, "--grid", 1, "--format", "jsonl").records[0]
        assert record["verdict"] == verdict, record


def test_a_struct_is_stored_where_its_address_was_before(run: Run, kernel_file: Write) -> None:
    path = kernel_file("struct pair { int x, y; };\n__global__ void k(int *out) { __shared__ struct pair s[4];"
                       " int t = threadIdx.x; struct pair *p = s + 2 * t; p[0].x = 0; struct pair v = {2, 9}; p[p[0].x] = v; }")
    assert run("check", path, "--block", 2, "--grid", 1, "--format", "jsonl").records[0]["verdict"] in ("proved", "unknown")


NEVER_PROVED = {
    "a requirement on a parameter that was changed before":
        "__global__ void k(int *out, int n) { n = -n; __requires(n > 0); if (n > 0) out[0] = threadIdx.x; }",
    "a pointer in a record passed by value is set to null":
        "struct view { int *a; int n; };\n__global__ void k(struct view v, int *out) { if (v.n > 3) v.a = 0;"
        " if (v.a == 0) out[0] = threadIdx.x; }",
}


@pytest.mark.parametrize("name", NEVER_PROVED)
def test_never_proved(name: str, run: Run, kernel_file: Write) -> None:
    for frontend in ("c", "clang"):
        record = run("check", kernel_file(NEVER_PROVED[name]), "--block", 8, "--grid", 1, "--frontend", frontend,
                     "--format", "jsonl").records[0]
        assert record["verdict"] in ("refuted", "unknown"), record


@pytest.mark.parametrize("text", [
    "cudaTextureObject_t t; if (c) t = x; else t = y; out[threadIdx.x] = tex1D<float>(t, 1.0f);",
    "cudaTextureObject_t t = c ? x : y; out[threadIdx.x] = tex1D<float>(t, 1.0f);",
])
def test_a_handle_is_known_or_refused(text: str, run: Run, kernel_file: Write) -> None:
    path = kernel_file(f"__global__ void k(float *out, cudaTextureObject_t x, cudaTextureObject_t y, int c) {{ {text} }}")
    result = run("check", path)
    assert result.status == 4 and "cudaTextureObject_t" in result.out


def test_a_function_that_nothing_evaluates_is_named(run: Run, kernel_file: Write) -> None:
    path = kernel_file("__global__ void k(float *out, const float *in) { out[0] = lgammaf(in[threadIdx.x]); }")
    record = run("check", path, "--block", 8, "--grid", 1, "--format", "jsonl").records[0]
    assert record["verdict"] == "unknown" and "lgamma" in record["reason"]


def test_pointers_written_through_pointers_are_refused(run: Run, kernel_file: Write) -> None:
    path = kernel_file("__global__ void k(int *out, int c) { __shared__ int a[8]; int *p = a, *q = a; int **pp = c ? &p : &q;"
                       " *pp = 0; if (p == 0) out[0] = threadIdx.x; }")
    assert run("check", path).status == 4
