"""Classes whose parts libclang does not show as they are used.

Of instantiations of templates it lists neither members nor bases: what constructs, copies and destroys them is found or refused,
never passed by; members of bases are found. In lists it does not show constructors, in texts not what a header means.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from automata.lang.clang.probes import launched

HEAD = "// spmd: block=32 grid=1\n__device__ int g[4];\n__device__ int touched() { g[0] = threadIdx.x; return 1; }\n"
KERNEL = "__global__ void k(int *o) {{ {} }}\n"
TOUCH = "{ g[0] = threadIdx.x; }"
PASSED_BY: dict[str, tuple[str, str]] = {
    "a constructor of a part": (f"template<class T> struct S {{ T x; __device__ S() {TOUCH} }}; struct W {{ S<int> s; }};",
                                "W w; w.s.x = 3; o[threadIdx.x] = w.s.x;"),
    "a template of constructors": (
        f"template<class T> struct S {{ T x; template<class... A> __device__ S(A... a) {TOUCH} }}; struct W {{ S<int> s; }};",
        "W w; w.s.x = 3; o[threadIdx.x] = w.s.x;"),
    "a field's default": ("template<class T> struct S { T x = touched(); };", "S<int> w; w.x = 3; o[threadIdx.x] = w.x;"),
    "a field's default in braces": ("template<class T> struct S { T x = touched(); };", "S<int> w{}; o[threadIdx.x] = w.x;"),
    "a field's default in a part": (
        "template<class T> struct S { T x = touched(); }; template<class T> struct W { S<T> s; };",
        "W<int> w = {}; w.s.x = 3; o[threadIdx.x] = w.s.x;"),
    "a destructor": (f"template<class T> struct S {{ T x; __device__ ~S() {TOUCH} }};",
                     "S<int> w; w.x = 3; o[threadIdx.x] = w.x;"),
    "a destructor of a part": (
        f"template<class T> struct S {{ T x; __device__ ~S() {TOUCH} }}; struct W {{ S<int> s; }};",
        "W w; w.s.x = 3; o[threadIdx.x] = w.s.x;"),
    "a copy of a part": (
        f"template<class T> struct S {{ T x; __device__ S(T a) : x(a) {{}} __device__ S(const S &c) : x(c.x) {TOUCH} }};"
        " struct W { S<int> s; };", "W w{S<int>(3)}; W v = w; o[threadIdx.x] = v.s.x;"),
    "an assignment of a part": (
        "template<class T> struct S { T x; __device__ S &operator=(const S &) { g[0] = threadIdx.x; return *this; } };"
        " struct W { S<int> s; };", "W w, v; w.s.x = 3; v = w; o[threadIdx.x] = v.s.x;"),
    "a template declared before": (
        f"template<class T> struct S; template<class T> struct S {{ T x; __device__ S() {TOUCH} }}; struct W {{ S<int> s; }};",
        "W w; w.s.x = 3; o[threadIdx.x] = w.s.x;"),
    "a partial specialisation": (
        f"template<class T> struct S {{ T x; }}; template<class T> struct S<T *> {{ int x; __device__ S() {TOUCH} }};"
        " struct W { S<int *> s; };", "W w; w.s.x = 3; o[threadIdx.x] = w.s.x;"),
    "a specialisation": (
        f"template<class T> struct S {{ T x; }}; template<> struct S<float> {{ int x; __device__ S() {TOUCH} }};"
        " struct W { S<float> s; };", "W w; w.s.x = 3; o[threadIdx.x] = w.s.x;"),
    "an explicit instantiation": (
        f"template<class T> struct S {{ T x; __device__ S() {TOUCH} }}; template struct S<char>; struct W {{ S<char> s; }};",
        "W w; w.s.x = 3; o[threadIdx.x] = w.s.x;"),
    "a class in a template": (
        f"template<class T> struct S {{ struct In {{ T x; __device__ In() {TOUCH} }}; }}; struct W {{ S<int>::In s; }};",
        "W w; w.s.x = 3; o[threadIdx.x] = w.s.x;"),
    "a template in a template": (
        f"template<class T> struct S {{ template<class U> struct In {{ U x; __device__ In() {TOUCH} }}; }};"
        " struct W { S<int>::In<float> s; };", "W w; w.s.x = 3; o[threadIdx.x] = w.s.x;"),
    "a partial specialisation in a template": (
        "template<class T> struct S { template<class U> struct In { U x; };"
        f" template<class U> struct In<U *> {{ int x; __device__ In() {TOUCH} }}; }}; struct W {{ S<int>::In<float *> s; }};",
        "W w; w.s.x = 3; o[threadIdx.x] = w.s.x;"),
    "a base that nothing names": (
        f"template<class T> struct B {{ __device__ B() {TOUCH} }}; template<class T> struct D : B<T> {{ T x; }};",
        "D<int> w; w.x = 3; o[threadIdx.x] = w.x;"),
    "a base of a class with a constructor": (
        f"template<class T> struct B {{ __device__ B() {TOUCH} }};"
        " template<class T> struct D : B<T> { T x; __device__ D(int a) : x(a) {} };", "D<int> w(3); o[threadIdx.x] = w.x;"),
    "a base that is a parameter": (
        f"struct B {{ __device__ B() {TOUCH} }}; template<class M> struct D : M {{ int x; __device__ D(int a) : x(a) {{}} }};",
        "D<B> w(3); o[threadIdx.x] = w.x;"),
    "a base of one case": (
        f"template<class T> struct B {{}}; template<> struct B<int> {{ __device__ B() {TOUCH} }};"
        " template<class T> struct D : B<T> { T x; __device__ D(int a) : x(a) {} };", "D<int> w(3); o[threadIdx.x] = w.x;"),
    "a part of an array": (f"template<class T> struct S {{ T x; __device__ S() {TOUCH} }}; struct W {{ S<int> s[2]; }};",
                           "W w; w.s[0].x = 3; o[threadIdx.x] = w.s[0].x;"),
    "a temporary's destructor": (
        f"template<class T> struct V {{ T x; __device__ V(T a) : x(a) {{}} __device__ ~V() {TOUCH} }};",
        "o[threadIdx.x] = V<int>(3).x;"),
    "a base inside a class of traits": (
        f"template<class T> struct Tr {{ struct Base {{ __device__ Base() {TOUCH} }}; }};"
        " template<class T> struct D : Tr<T>::Base { T x; };", "D<int> w; w.x = 3; o[threadIdx.x] = w.x;"),
    "a base by another name": (
        f"template<class T> struct S {{ __device__ S() {TOUCH} }}; template<class T> using Al = S<T>;"
        " template<class T> struct D : Al<T> { T x; };", "D<int> w; w.x = 3; o[threadIdx.x] = w.x;"),
    "bases of a pack": (
        f"struct E1 {{ __device__ E1() {TOUCH} }}; struct E2 {{}}; template<class... M> struct D : M... {{ int x; }};",
        "D<E2, E1> w; w.x = 3; o[threadIdx.x] = w.x;"),
    "a virtual function": (
        "template<class T> struct V { T x; __device__ virtual T f() { g[0] = threadIdx.x; return x; } };",
        "V<int> v; v.x = 1; o[threadIdx.x] = v.f();"),
    "an assignment of a base": (
        "template<class T> struct A { T a; __device__ A &operator=(const A &) { g[0] = threadIdx.x; return *this; } };"
        " template<class T> struct D : A<T> { T x; };", "D<int> w, v; w.x = 3; v = w; o[threadIdx.x] = w.x;"),
    "a copy into a lambda": (
        f"template<class T> struct C {{ T x; __device__ C(T a) : x(a) {{}} __device__ C(const C &c) : x(c.x) {TOUCH} }};",
        "C<int> c(3); auto f = [=] { return c.x; }; o[threadIdx.x] = f();"),
    "a move of a part": (
        f"template<class T> struct M {{ T x; M() = default; __device__ M(M &&m) : x(m.x) {TOUCH} }}; struct W {{ M<int> m; }};",
        "W w; w.m.x = 3; W v = static_cast<W &&>(w); o[threadIdx.x] = v.m.x;"),
    "a base's destructor": (
        f"template<class T> struct B {{ __device__ ~B() {TOUCH} }}; template<class T> struct D : B<T> {{ T x; }};",
        "D<int> w; w.x = 3; o[threadIdx.x] = w.x;"),
}


REASONS = ("of which a base", "constructor", "destructor", "copy", "copied", "virtual")


@pytest.mark.parametrize("name", PASSED_BY)
def test_what_a_part_does_is_not_passed_by(name: str, run: Run, kernel_file: Any) -> None:
    """Every thread writes one cell on the way: whatever is not run must be refused."""
    before, body = PASSED_BY[name]
    record = run("check", kernel_file(HEAD + before + "\n" + KERNEL.format(body)), "--format", "jsonl").records[0]
    assert record["verdict"] in ("refuted", "unsupported"), record
    assert record["verdict"] == "refuted" or any(word in record["reason"] for word in REASONS), record


@pytest.mark.parametrize("name", [name for name in PASSED_BY if not re.match("a (copy|move|assignment)", name)])
def test_the_same_without_a_write_is_no_race(name: str, run: Run, kernel_file: Any) -> None:
    before, body = PASSED_BY[name]
    quiet = before.replace("g[0] = threadIdx.x;", "").replace("touched()", "4")
    record = run("check", kernel_file(HEAD + quiet + "\n" + KERNEL.format(body)), "--format", "jsonl").records[0]
    assert record["verdict"] in ("proved", "unsupported"), record


FOUND: dict[str, tuple[str, str]] = {
    "a default of a field": ("template<class T> struct S { T x = T(4); }; struct W { S<int> s; };", "W w; int v = w.s.x;"),
    "a constructor that is named elsewhere": (
        "template<class T> struct S { T x; __device__ S() : x(4) {} }; struct W { S<int> s; };",
        "W w; S<int> u; int v = w.s.x * u.x / 4;"),
    "a base of a template": (
        "template<class T> struct B { T a; __device__ T twice() { return 2 * a; } };"
        " template<class T, class U> struct D : B<T> { U b; __device__ T sum() { return this->a + b + this->twice(); } };",
        "D<int, int> d; d.a = 1; d.b = 1; int v = d.sum();"),
    "two bases, one for all": (
        "struct P { int q; }; template<class T> struct B { T a; }; template<class T> struct D : P, B<T> { T z; "
        "__device__ D(T a, int b) : P{b}, B<T>{a}, z(1) {} };", "D<int> d(2, 1); int v = d.q + d.a + d.z;"),
    "a base with defaults of its own": (
        "template<class T, int N = 2> struct B { T a[N]; }; template<class T> struct D : B<T> {};",
        "D<int> d; d.a[0] = 1; d.a[1] = 3; int v = d.a[0] + d.a[1];"),
    "a base by numbers": (
        "template<class T, unsigned long N> struct B { T a[N]; }; template<class T, int N> struct D : B<T, N> {};",
        "D<int, 3> d; d.a[2] = 4; int v = d.a[2];"),
    "a base that is a parameter": (
        "struct M { int m; __device__ M() : m(3) {} }; template<class B> struct D : B { int x; __device__ D() : x(1) {} };",
        "D<M> d; int v = d.m + d.x;"),
    "bases of bases": (
        "template<class T> struct A { T a; }; template<class T> struct B : A<T> { T b; };"
        " template<class T> struct D : B<T> { T c; };",
        "D<int> d; d.a = 1; d.b = 1; d.c = 2; int v = d.a + d.b + d.c;"),
    "a field of the same name": (
        "template<class T> struct B { T a; }; template<class T> struct D : B<T> { T a; };",
        "D<int> d; d.a = 1; d.B<int>::a = 3; int v = d.a + d.B<int>::a;"),
    "two bases of one template": (
        "template<class T> struct B { T a; }; template<class T> struct D : B<T>, B<float> { T c; };",
        "D<int> d; d.c = 1; d.B<int>::a = 2; d.B<float>::a = 1.0f; int v = d.c + d.B<int>::a + (int)d.B<float>::a;"),
    "a field behind the data of a base": (
        "struct P { P() = default; int i; char c; }; template<class T> struct D : P { T d; D() = default; };",
        "D<char> d; d.d = 1; d.c = 2; d.i = 1; int v = d.d + d.c + d.i;"),
    "a base of a partial specialisation": (
        "template<class T> struct B { T a; }; template<class M, class T> struct D;"
        " template<class M> struct D<M, int> : M { int z; };",
        "D<B<int>, int> d; d.a = 1; d.z = 3; int v = d.a + d.z;"),
    "bases in namespaces": (
        "namespace n { template<class T> struct B { T a; }; }"
        " namespace m { struct X { int i; }; template<class T> struct D : n::B<T> {}; }",
        "m::D<m::X> d; d.a.i = 4; int v = d.a.i;"),
}


@pytest.mark.parametrize("name", FOUND)
@pytest.mark.parametrize("wanted", [4, 5])
def test_members_and_bases_are_found(name: str, wanted: int, run: Run, kernel_file: Any) -> None:
    before, body = FOUND[name]
    text = HEAD + before + "\n" + KERNEL.format(f"{body} o[threadIdx.x] = v; __assert(v == {wanted});")
    record = run("check", kernel_file(text), "--format", "jsonl").records[0]
    assert record["verdict"] == ("proved" if wanted == 4 else "refuted"), record


IN_LISTS = {
    "(int a, int b) : x(a), y(b) {}": "proved", "(int a, int b) : x(b), y(a) {}": "unsupported",
    "(int a, int b) : x(a), y(b) { g[0] = threadIdx.x; }": "unsupported", "(int a, int b) : x(a), y(b + 1) {}": "unsupported",
    "(short a, int b) : x(a), y(b) {}": "unsupported", "(int a, int b) : x(a) { y = b; }": "unsupported",
    "(int a, int b) : x(a), y(b) {} __device__ P(long a, int b) : x(a), y(7) {}": "unsupported",
}


@pytest.mark.parametrize("constructor", IN_LISTS)
def test_a_constructor_in_a_list_that_only_sets_the_fields(constructor: str, run: Run, kernel_file: Any) -> None:
    text = f"{HEAD}struct P {{ int x, y; P() = default; __device__ P{constructor} }};\n" + KERNEL.format(
        "P v[2] = {{1, 2}, {3, 4}}; o[threadIdx.x] = v[1].x; __assert(v[0].y == 2 && v[1].x == 3);")
    assert run("check", kernel_file(text), "--format", "jsonl").records[0]["verdict"] == IN_LISTS[constructor]


@pytest.mark.parametrize(("wanted", "verdict"), [(3, "proved"), (4, "refuted")])
def test_a_constructor_sets_fields_of_unnamed_parts_in_parts(wanted: int, verdict: str, run: Run, kernel_file: Any) -> None:
    text = HEAD + """template<class T> struct V {
  union { struct { T x, y, z; }; struct { T r, s, t; }; T d[3]; };
  __device__ V(T a, T b, T c) : x(a), y(b), z(c) {}
};
""" + KERNEL.format(f"V<int> v(1, 2, 3); o[threadIdx.x] = v.x; __assert(v.x + v.s == 3 && v.d[2] == {wanted} && v.t == 3);")
    assert run("check", kernel_file(text), "--format", "jsonl").records[0]["verdict"] == verdict


@pytest.mark.parametrize(("at", "verdict"), [("threadIdx.x", "proved"), ("threadIdx.x / 2", "refuted")])
def test_names_of_the_program_that_the_library_has_too(at: str, verdict: str, run: Run, kernel_file: Any) -> None:
    text = f"""#include <vector>
using namespace std;
struct item {{ int v; }};
__device__ item stack[32];
__device__ int list[32];
// spmd: block=32 grid=1
__global__ void k(int *o) {{ stack[{at}].v = threadIdx.x; list[threadIdx.x] = 1; o[threadIdx.x] = list[threadIdx.x]; }}
void host(vector<int> v, std::vector<int> w) {{ k<<<1, 32>>>(0); }}
"""
    assert run("check", kernel_file(text), "--format", "jsonl").records[0]["verdict"] == verdict


@pytest.mark.parametrize(("table", "verdict"), [("0x96", "proved"), ("0x97", "refuted")])
def test_inline_ptx_in_a_header(table: str, verdict: str, run: Run, kernel_file: Any) -> None:
    kernel_file(f"""#pragma once
static __device__ unsigned three(unsigned a, unsigned b, unsigned c) {{
  unsigned d;
  asm("lop3.b32 %0, %1, %2, %3, {table};" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}}
""", "three.h")
    text = '#include "three.h"\n' + HEAD + KERNEL.format("o[threadIdx.x] = three(1, 2, 4); __assert(three(1, 2, 4) == 7);")
    assert run("check", kernel_file(text), "--format", "jsonl").records[0]["verdict"] == verdict


ACCESSOR = """template<class T, int N> struct Base {{
  T *data; long sizes[N], strides[N];
  __device__ long size(int at) const {{ return sizes[at]; }}
}};
template<class T, int N> struct View {{
  T *data; const long *sizes, *strides;
  __device__ View(T *d, const long *n, const long *s) : data(d), sizes(n), strides(s) {{}}
  __device__ T &operator[](long at) {{ return data[strides[0] * at]; }}
}};
template<class T, int N> struct Packed : Base<T, N> {{
  __device__ View<T, N - 1> operator[](long at) {{
    return View<T, N - 1>(this->data + this->strides[0] * at, this->sizes + 1, this->strides + 1);
  }}
}};
// spmd: block=8 grid=4
__global__ void k(Packed<float, 2> x) {{
  x.sizes[0] = 4; x.sizes[1] = 8; x.strides[0] = {stride}; x.strides[1] = 1;
  if (blockIdx.x < x.size(0) && threadIdx.x < x.size(1)) x[blockIdx.x][threadIdx.x] = blockIdx.x;
}}
"""


@pytest.mark.parametrize("stride", [8, 4])
def test_an_accessor_of_the_programs_own(stride: int, run: Run, kernel_file: Any) -> None:
    record = run("check", kernel_file(ACCESSOR.format(stride=stride)), "--format", "jsonl").records[0]
    assert record["verdict"] == ("proved" if stride == 8 else "refuted"), record


WRONG_IN_ONE = """#include <cuda_fp16.h>
#include <cuda_bf16.h>
template <typename T> __device__ T helper(float x) {{ {helper} }}
template <typename T, typename U> __global__ void k(T *o, const U *i) {{ {body} }}
template <typename T, typename U> void go() {{ k<T, U><<<1, 32>>>((T *)nullptr, (const U *)nullptr); }}
int main() {{ go<__half, __nv_bfloat16>(); go<float, int>(); go<int, int>(); }}
"""
ONE = "k<__half, __nv_bfloat16>"
INSTANCES: dict[str, tuple[str, str, set[str]]] = {
    "in the kernel": ("return x;", "o[threadIdx.x] = static_cast<T>(i[threadIdx.x]);", {"k<float, int>", "k<int, int>"}),
    "in the kernel, for all": ("return x;", "o[threadIdx.x] = i[threadIdx.x]; nowhere = 3;", set()),
    "in a function": ("return static_cast<T>(__nv_bfloat16(x));", "o[threadIdx.x] = helper<T>(1.0f);", set()),
}


@pytest.mark.parametrize(("helper", "body", "right"), INSTANCES.values(), ids=INSTANCES)
def test_an_error_in_one_instance_of_a_kernel_concerns_that_one(helper: str, body: str, right: set[str], tmp_path: Path,
                                                               run: Run) -> None:
    path = tmp_path / "k.cu"
    path.write_text(WRONG_IN_ONE.format(helper=helper, body=body))
    said = {record["kernel"]: record["verdict"] for record in run("check", path, "--format", "jsonl").records}
    assert said[ONE] == "invalid" and len(said) == 3
    assert {name for name in said if said[name] == "proved"} >= right and (right or "proved" not in said.values())


def test_functions_that_call_each_other_in_many_ways() -> None:
    """Each of a hundred calls passes what it was passed itself: a million ways lead to the launch, and a few arguments."""
    calls = "".join(f"  {{}}<N, {at}>(p);\n" for at in range(100))
    functions = "".join(f"template <int N, int M> void step{at}(float *p) {{\n{calls.format(*[f'step{at + 1}'] * 100)}}}\n"
                        for at in range(3))
    text = ("template <int N, int M> __global__ void k(float *p) {}\n"
            "template <int N, int M> void step3(float *p) { k<N, M><<<1, 32>>>(p); }\n"
            + functions + "void go(float *p) { step3<7, 8>(p); step0<64, 1>(p); }\n")
    begun = time.process_time()
    assert "k<7, 8>" in launched(["k"], {"a.cu": text}) and time.process_time() - begun < 5
