"""Elaboration keeps every read, write and order: kernels that once lost one, each the smallest that shows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

from automata.lang.read import Frontend, find_kernels
from automata.place import UnsupportedError

Write = Callable[..., Path]
FRONTENDS: tuple[Frontend, Frontend] = ("c", "clang")

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
    "a wide read of signed shorts": (
        "__global__ void k(int *out) { short b[2]; b[0] = -1; b[1] = 1; out[0] = *(int *)b; }", "out[0] = 131071;"),
    "continue in a do loop": (
        "__global__ void k(int *out) { int i = 0, n = 0; do { i++; if (i % 2) continue; n += i; } while (i < 7); out[0] = n; }",
        "out[0] = 12;"),
}


SAME_OPENCL = {
    "components of a narrow vector are not promoted": (
        "char4 v = (char4)(100); v = (v + v) / (char)3; out[0] = v.x;", "out[0] = -18;"),
    "nor by ~ and -": (
        "uchar2 v = (uchar2)(1, 255); out[0] = (~v / (uchar)2).x; out[1] = (-v / (uchar)2).x;", "out[0] = 127; out[1] = 127;"),
    "the absolute value is unsigned": (
        "int x = -7; out[0] = abs(x) - 8 < 0; out[1] = abs((char)-128); out[2] = abs_diff((char)-100, (char)100);",
        "out[0] = 0; out[1] = 128; out[2] = 200;"),
    "shifts by more than the width": (
        "int m = 33; out[0] = 1 << m; out[1] = 64 >> 33; m <<= 35; out[2] = m; out[3] = ((char2)(3) << (char2)(9, 1)).x;"
        " switch (m) { case 33 << 35: out[4] = 5; }", "out[0] = 2; out[1] = 32; out[2] = 264; out[3] = 6; out[4] = 5;"),
    "tests of vectors are -1": (
        "float4 v = (float4)(1, 2, 3, 4); int4 t = isless(v, 2.5f); out[0] = t.x * 10 + t.z; out[1] = isless(v.x, v.y);"
        " t = v > 1.5f && v != 3.0f; out[2] = t.x + t.y * 2 + t.z * 4 + t.w * 8; t = !t; out[3] = t.x + t.y * 2;",
        "out[0] = -10; out[1] = 1; out[2] = -10; out[3] = -1;"),
    "a choice by vectors goes by the highest bit": (
        "int4 t = (int4)(1, -1, 0, (int)0x80000000); t = t ? (int4)(5, 6, 7, 8) : 9;"
        " out[0] = t.x * 1000 + t.y * 100 + t.z * 10 + t.w; out[1] = any(t < 6) + 2 * all(t == 9);",
        "out[0] = 9698; out[1] = 0;"),
    "a vector literal evaluates its parts once": (
        "int2 p = (int2)(1, 2); int4 v = (int4)(p++, (int2)(7)); out[0] = v.x * 100 + v.y * 10 + v.w; out[1] = p.x * 10 + p.y;",
        "out[0] = 127; out[1] = 23;"),
    "conversions saturate": (
        "int4 v = (int4)(300, -5, 128, 7); uchar4 u = convert_uchar4_sat(v); char4 c = convert_char4_sat(v);"
        " out[0] = u.x + u.y + u.z; out[1] = c.x + c.y + c.z; out[2] = convert_uchar_sat(-1) + convert_uint_sat(-9);",
        "out[0] = 383; out[1] = 249; out[2] = 0;"),
    "components of components": (
        "int8 v = (int8)(1, 2, 3, 4, 5, 6, 7, 8); v.lo.hi.x = 9; v.hi.even += 10; v.s01.yx++;"
        " out[0] = v.s2 + v.s4 + v.s6 + v.s0;",
        "out[0] = 43;"),
    "a pointer to const moves": (
        "const int *p = g; int * const q = g; p++; *q += 3; out[0] = *p + *g;", "out[0] = 8;"),
}
TABLES = """__constant int z[2] = {7, 8};
typedef struct { int a; int2 b; } pair;
typedef union { int a; uchar b[4]; } both;
__constant pair t[2] = {{3, {2, 4}}, {5, (int2)(6)}};
__constant both u[2] = {{1}, {0x0102030b}};
__constant float4 f[2] = {(float4)(1), (float4)((float2)(2), 16.0f, 4)};
__kernel void k(__global int *out) {
  out[0] = t[1].b.y + t[0].a + u[1].b[0] + f[1].z + z[1];
  out[1] = ((__constant int *)t)[2];
}
"""


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


@pytest.mark.parametrize("name", SAME_OPENCL)
def test_values_are_those_of_opencl(name: str, run: Run, kernel_file: Write) -> None:
    text, stores = SAME_OPENCL[name]
    a = kernel_file(f"__kernel void k(__global int *out) {{ int g[2] = {{1, 4}}; {text} }}", "a.cl")
    for number, added in enumerate(("", "1 + ")):
        b = kernel_file(f"__kernel void k(__global int *out) {{ {stores.replace('= ', f'= {added}')} }}", f"b{number}.cl")
        record = run("equiv", a, b, "--block", 1, "--grid", 1, "--format", "jsonl").records[0]
        assert record["verdict"] == ("different" if added else "equal"), record


@pytest.mark.parametrize(("before", "after"), [
    ("(int2)(6)", "(int2)(9)"), ("0x0102030b", "0x0102030c"), ("16.0f", "17.0f"), ("{7, 8}", "{7, 9}"),
    ("{3, {2, 4}}", "{3, {1, 4}}"),
])
def test_constant_tables_hold_what_they_say(before: str, after: str, run: Run, kernel_file: Write) -> None:
    a, b = kernel_file(TABLES, "a.cl"), kernel_file(TABLES.replace(before, after), "b.cl")
    for other, verdict in ((a, "equal"), (b, "different")):
        record = run("equiv", a, other, "--block", 1, "--grid", 1, "--format", "jsonl").records[0]
        assert record["verdict"] == verdict, record


@pytest.mark.parametrize(("text", "status", "words"), [
    ("out[0] = as_int(1.0);", 2, "as_int of a double: int has 4 bytes, double has 8"),
    ("out[0] = as_int(v.xy);", 2, "as_int of a int2"),
    ("out[0] = convert_int4(v.lo).x;", 2, "convert_int4 of a int2"),
    ("out[0] = convert_float_rtz(v.x);", 4, "the conversion 'convert_float_rtz'"),
    ("if (v) out[0] = 1;", 2, "a int4 where a bool is expected"),
    ("v = v + u;", 2, "a unsigned int4 where a int4 is expected: use convert_ or as_"),
    ("v = v.xyz;", 2, "a int3 where a int4 is expected"),
    ("v = v + 1.5f;", 2, "a float with a int4"),
    ("v = 1 << v;", 2, "operator << on a int and a int4"),
    ("v = v ? u.xy : v.xy;", 2, "?: with a int4 as its test"),
    ("v.xx = v.yz;", 2, "a component of a vector is assigned twice"),
    ("out[0] = v[4];", 2, "int4 has no component 4"),
    ("out[0] = v[out[1]];", 4, "a vector component chosen at run time"),
    ("out[0] = v.xyz.hi.x;", 4, "'.hi' of a vector of three"),
    ("bool b = out[1]; v = (int4)(b);", 4, "a bool made a vector"),
    ("int4 w = {1}; v = w;", 2, "1 initial value for a int4"),
    ("const int *p = (int *)&v; *p = 1;", 2, "write to 'p', which is const"),
    ("int * const p = (int *)&v; p++;", 2, "write to 'p', which is const"),
    ("out += 1.5f;", 2, "operator += on int* and float"),
])
def test_what_opencl_does_not_allow_is_refused(text: str, status: int, words: str, run: Run, kernel_file: Write) -> None:
    start = "__kernel void k(__global int *out) { int4 v = (int4)(1, 2, 3, 4); uint4 u = (uint4)(1);"
    path = kernel_file(f"{start}\n{text}\n}}", "k.cl")
    result = run("check", path, "--frontend", "c", "--block", 1, "--grid", 1)
    assert result.status == status, result.out + result.err
    assert words in result.out + result.err and "k.cl:2:" in result.out + result.err


def test_a_pointer_to_const_moves_in_cuda(run: Run, kernel_file: Write) -> None:
    path = kernel_file("__global__ void k(int *out, const int *p) { p++; out[threadIdx.x] = *p++; }")
    from_c, from_clang = (find_kernels(str(path), frontend=frontend)[0].read() for frontend in FRONTENDS)
    assert from_c == from_clang
    for text in ("int * const q = out; q++;", "const int *q = out; *q = 1;"):
        path = kernel_file(f"__global__ void k(int *out) {{ {text} }}")
        assert "write to 'q', which is const" in run("check", path, "--frontend", "c").out


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


def test_a_function_that_the_proofs_do_not_know_is_one_of_its_arguments(run: Run, kernel_file: Write) -> None:
    text = "__global__ void k(float *out, const float *in) { out[threadIdx.x] = lgammaf(in[threadIdx.x]); }"
    assert run("check", kernel_file(text)).status == 0
    racy = text.replace("out[threadIdx.x]", "out[0]")
    assert run("check", kernel_file(racy), "--block", 8, "--grid", 1, "--format", "jsonl").records[0]["verdict"] == "refuted"
    twice = "float x = lgammaf(in[threadIdx.x]), y = lgammaf(in[threadIdx.x + 0]);"
    same = f"__global__ void k(float *out, const float *in) {{ {twice} if (x != y && x == x) out[0] = threadIdx.x; }}"
    assert run("check", kernel_file(same), "--format", "jsonl").records[0]["properties"]["race-free"] != "refuted"


def test_pointers_written_through_pointers_are_refused(run: Run, kernel_file: Write) -> None:
    path = kernel_file("__global__ void k(int *out, int c) { __shared__ int a[8]; int *p = a, *q = a; int **pp = c ? &p : &q;"
                       " *pp = 0; if (p == 0) out[0] = threadIdx.x; }")
    assert run("check", path).status == 4


DEAD = """template <int N> __device__ void store(int *x, int v);
template <> __device__ void store<4>(int *x, int v) { *x = v; }
template <int N> __global__ void k(int *x) { if (N != 2) store<N>(x + threadIdx.x, 1); else x[threadIdx.x] = 2; }
void host(int *x) { k<N><<<1, 32>>>(x); }
"""


@pytest.mark.parametrize(("size", "is_read"), [(2, True), (4, True), (3, False)])
def test_a_branch_that_no_constant_takes_need_not_be_there(tmp_path: Path, size: int, is_read: bool) -> None:
    """A function without a body refuses the kernel only where it may be called."""
    path = tmp_path / "k.cu"
    path.write_text(DEAD.replace("k<N><<<", f"k<{size}><<<"))
    (found,) = find_kernels(str(path))
    if is_read:
        assert found.read().arrays
    else:
        with pytest.raises(UnsupportedError, match="which has no body here"):
            found.read()
