"""Objects that a launch passes, made by constructors of the text: fields that these set are the kernel's parameters."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

TEXT = """#include <cassert>
#include <cstdlib>
#include <initializer_list>
#include <algorithm>
{before}
{the_class}
{behind}
__global__ void k(int *x, Box q) {{
  if ({test}) x[0] = threadIdx.x;
}}
int main(int argc, char **argv) {{
  int *x, m = 64;
  {made}
  k<<<4, 64>>>(x, q);
}}
"""
KNOWN = "proved"
OTHERS = dict(each.split("\n", 1) for each in (Path(__file__).parent / "host_constructed.txt").read_text().split("\n=== ")[1:])
MADE = "Box q(64);"


def verdict(run: Run, folder: Path, the_class: str, made: str = MADE, test: str = "q.n != 64", before: str = "",
            behind: str = "") -> str:
    path = folder / "k.cu"
    path.write_text(TEXT.format(the_class=the_class, made=made, test=test, before=before, behind=behind))
    (record,) = run("check", path, "--format", "jsonl").records
    return str(record["verdict"])


@pytest.mark.parametrize("the_class", [
    "struct Box { Box(int m) : n(m) {} int n; };",
    "struct Box { int n; Box(int m) { n = m; } };",
    "struct Box { Box(int n) : n(n) {} int n; };",
    "struct Box { Box(int n) { this->n = n; } int n; };",
    "class Box { public: explicit Box(int m) : n{m}, last(m - 1) {} int n; int last; };",
    "struct Box { Box(int m); int n; }; Box::Box(int m) : n(m) {}",
    "struct Box { __host__ __device__ Box(int m) : n(m) {} __device__ int at(int i) const { return n + i; } int n; };",
    "struct Box { Box(int m) { n = m; assert(n < 99); if (n == 7) b = 1; } int n, b; };",
    "struct Box { Box(int m) { n = m; for (int i = 0; i < n; ++i) cells[i % 4] = i; } int n; int cells[4]; };",
    "struct Box { Box(int m) : p(new float[9]), n(m) {} float *p; int n; };",
    "struct Box { Box() : n(1) {} Box(int m) : n(m) {} Box(int m, int o) : n(m + o) {} int n; };",
    "struct Box { Box(int m) : n(m) {} int n; int twice() { return n *= 2; } void operator()(int m) { n = m; } };",
    "struct Box { enum Kind { A, B }; struct In { int n; }; static int n_of; using T = int; Box(int m) : n(m) {} int n; };",
    "struct Box { Box(int m) : n(m) {} template <int N> __device__ int at() { return n * N; } int n = 5; };",
    "struct Box { Box(int m) { n = m; if (m < 0 && n > -5) b = m; } int n, b; };",
    "struct Box { Box(int m) : n() { n = m; } int n; };",
    "struct Box { Box(int m) : n(1) { n = m; } int n; };",
    "struct Box { Box(const int m) : n(m) {} int n; };",
])
def test_what_constructors_set(the_class: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path, the_class) == KNOWN


@pytest.mark.parametrize("made", [
    "Box q(64);", "Box q{64};", "Box q = Box(64);", "Box q(m);", "Box q{m};", "Box q(m * 1);",
    "Box q(64); int v = q.n;", "Box q(64); int v = q.n + 1; x = x + v;", "Box q(1); q.n = 64;", "Box q(64), r(7); r.n = 8;",
    "Box q(64); Box r(3); r.set(65);", "Box r(64); Box q(r.n);",
])
def test_how_objects_are_made(made: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path, "struct Box { Box(int m) : n(m) {} int n; void set(int m) { n = m; } };", made) == KNOWN


@pytest.mark.parametrize(("the_class", "made"), [
    ("struct Box { int n; __device__ int at() { return n; } };", "Box q; q.n = 64;"),
    ("struct Box { int n; __device__ int at() { return n; } };", "Box q{64};"),
    ("struct Box { int n; __device__ int at() { return n; } };", "Box q = {64};"),
    ("struct Box { int n = 64; __device__ int at() { return n; } };", "Box q;"),
    ("struct Box { int m, n; __device__ int at() { return n; } };", "Box q = {1, 64};"),
    ("struct Box { Box() : n(64) {} int n; };", "Box q;"),
])
def test_classes_without_a_constructor_and_with_one_of_nothing(the_class: str, made: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path, the_class, made) == KNOWN


@pytest.mark.parametrize("the_class", [
    "struct Box { Box(int m) : n(m) { n += 1; } int n; };",
    "struct Box { Box(int m) : n(m) { n++; } int n; };",
    "struct Box { Box(int m) : n(m) { (n) = 65; } int n; };",
    "struct Box { Box(int m) : n(m) { ++(n); } int n; };",
    "struct Box { Box(int m) : n(m) { grow(); } void grow() { n = 65; } int n; };",
    "struct Box { Box(int m) : n(m) { this->grow(); } void grow() { n = 65; } int n; };",
    "struct Box { Box(int m) : n(m) { int *p = &n; *p = 65; } int n; };",
    "struct Box { Box(int m) : n(m) { int &r = n; r = 65; } int n; };",
    "struct Box { Box(int m) : n(m) { auto &&r = n; r = 65; } int n; };",
    "struct Box { Box(int m) : n(m) { std::swap(n, b); } int n, b = 65; };",
    "struct Box { Box(int m) : n(m) { [this] { n = 65; }(); } int n; };",
    "struct Box { Box(int m) : n(m) { auto f = [=] { n = 65; }; f(); } int n; };",
    "struct Box { Box(int m) : p(&n), n(m) { *p = 65; } int *p; int n; };",
    "struct Box { Box(int m) : n(m), r(n) { r = 65; } int n; int &r; };",
    "struct Box { Box(int m) : n(m) { if (m) n = 65; } int n; };",
    "struct Box { Box(int m) : n(m) { for (n = 0; n < 65; ) n++; } int n; };",
    "struct Box { Box(int n) : n(1) { n = 64; this->n = 65; } int n; };",
    "struct Box { Box(int m) : Box(m, 1) {} Box(int m, int d) : n(m + d) {} int n; };",
    "struct In { In(int &m) { m = 65; } }; struct Box { Box(int m) : in(m), n(m) {} In in; int n; };",
    "struct In { In(int &m) { m = 65; } }; struct Box { Box(int m) : n(m), in(n) {} int n; In in; };",
    "struct Box { Box(int m) { In in(n = m); } struct In { In(int &m) { m = 65; } }; int n; };",
    "struct Box { Box(int m) : n(m) {} Box(const Box &b) : n(65) {} int n; };",
    "struct Box { Box(int m) : n(m) {} Box(long m) : n(65) {} int n; };",
    "struct Box { Box(char m) : n(m + 1) {} Box(int m, int d = 0) : n(65) {} int n; };",
    "struct Box { template <class T> Box(T m) : n(65) {} int n; };",
    "struct Box { template <class... T> Box(T... m) : n(65) {} int n; };",
    "struct Box { Box(signed char m) : n(m + 1) {} int n; };",
    "struct Box { Box(bool m) : n(m) {} int n; };",
    "struct Box { Box(int m); int n; };",
    "struct Box { union { int n; int b; }; Box(int m) : n(m) { b = 65; } };",
    "struct Base { int n = 65; }; struct Box : Base { Box(int m) { n = m + 1; } };",
    "namespace a { struct Box { Box(int m) : n(m) {} int n; }; } struct Box { Box(int m) : n(m + 1) {} int n; };",
    "struct Box { Box(int m)\n#ifdef MORE\n : n(m + 1)\n#else\n : n(m)\n#endif\n {} int n; };",
    "struct Box { Box(int m) : n(m) { MORE } int n; };",
    "int both(int &m) { return m = 65; } struct Box { Box(int m) : b(both(m)), n(m) {} int b, n; };",
    "int both(int &m) { return m = 65; } struct Box { Box(int m) : n(m) { b = both(n); } int b, n; };",
    "int both(int &m) { return m = 65; } struct Box { Box(int m) : n(m) { if (both(n)) b = 1; } int b, n; };",
    "struct S { int v; }; int operator+(S s, int &m) { m = 65; return 1; } S s; "
    "struct Box { Box(int m) : n(m) { b = s + n; } int b, n; };",
    "struct S { int v; }; int operator+(S s, int &m) { m = 65; return 1; } "
    "struct Box { Box(int m) : b(S() + m), n(m) {} int b, n; };",
    "struct Box { Box(int m) try : n(m) { } catch (...) { n = 65; } int n; };",
    "#include <iostream>\nstruct Box { Box(int m) : n(m) { std::cin >> n; } int n; };",
    "struct Box { Box(int m) : n(m) { asm(\"\" : \"+r\"(n)); } int n; };",
    "struct Box { Box(int m) { if (m) return; n = m; } int n; };",
    "struct Box { Box(int m) { while (m < 65) m++; n = m; } int n; };",
    "struct Box { Box(int m) : b(m++), n(m) {} int b, n; };",
    "struct Box { Box(int m) : b(m = 65), n(m) {} int b, n; };",
    "struct Box { Box(int m) : n(m) { reinterpret_cast<int *>(this)[0] = 65; } int n; };",
])
def test_constructors_that_do_more_are_not_followed(the_class: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path, the_class, before="#define MORE n = 65;", test="q.n == 65") != KNOWN


CLASS = """struct Box {
  Box(int m) : n(m) {}
  void set(int m) { n = m; }
  void operator()(int m) { n = m; }
  int &operator[](int i) { n = 65; return n; }
  operator int() { n = 65; return n; }
  operator bool() { n = 65; return true; }
  int *operator&() { return &n; }
  int n, b;
};
struct Held { Held(Box &b) : b(b) { b.n = 65; } Box &b; };
void change(Box &b) { b.n = 65; }
template <class T> void changed(T &&b) { b.n = 65; }
"""


@pytest.mark.parametrize("made", [
    "q.set(65);", "q(65);", "int v = q[0];", "int v = q;", "if (q) x = 0;", "*&q = 65;", "q[0] = 65;", "change(q);",
    "changed(q);",
    "Box &r = q; r.n = 65;", "auto &r = q; r.set(65);", "Box *r = &q; r->n = 65;", "Held h(q);", "Held h{q};", "Held h = q;",
    "auto &[a, b] = q; a = 65;", "(q)(65);", "(q).set(65);", "int v = (q)[0];", "int v = 1 + q;", "int v = int(q);",
    "auto f = [&] { q.n = 65; }; f();", "auto f = [&q] { q.set(65); }; f();", "auto f = [&r = q] { r.n = 65; }; f();",
    "q = Box(65);", "std::swap(q.n, m);", "int *r = &q.n; *r = 65;", "for (; m < 66; m++) q.n = m;", "if (argc > 3) q.n = 65;",
    "q.Box::set(65);", "void (Box::*f)(int) = &Box::set; (q.*f)(65);", "std::for_each(&q, &q + 1, changed<Box &>);",
    "switch (q) { case 1: break; }", "while (q) break;", "q ? 1 : 2;", "!q;", "int v = (m, q);", "Box *r[] = {&q}; r[0]->n = 65;",
])
def test_what_else_names_an_object_may_change_it(made: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path, CLASS, f"Box q(64); {made}", test="q.n == 65") != KNOWN


@pytest.mark.parametrize(("the_class", "made"), [
    ("struct Box { int m, n = 65; __device__ int at() { return n; } };", "Box q{64};"),
    ("struct Box { int m, n = 65; };", "Box q = {};"), ("struct Box { int m, n = 65; };", "Box q{};"),
    ("struct Box { int m, n = 65; };", "Box q = {64};"), ("struct Box { int m, n = 65; };", "Box q;"),
    ("struct Box { int n; void set() { n = 65; } };", "Box q; q.n = 64; q.set();"),
    ("struct Box { int n; };", "Box q; q.n = 65;"),
    ("struct In { int a, b; }; struct Box { In in; int n; int at() { return n; } };", "Box q = {64, 64, 65};"),
    ("struct Box { static int s; int m, n; int at() { return n; } };", "Box q = {64, 65};"),
    ("struct Box { Box(int m) : n(m) {} Box(std::initializer_list<int> m) : n(65) {} int n; };", "Box q{64};"),
    ("struct Box { Box(int m) : n(m) {} int n; }; struct Two : Box { Two() : Box(64) { n = 65; } };", "Two q;"),
    ("template <class T> struct Of { Of(int m) : n(m) {} int n; }; template <> struct Of<int> { Of(int m) : n(65) {} int n; }; "
     "using Box = Of<int>;", "Box q(64);"),
    ("template <class T> struct Of { Of(T m) : n(m) {} int n; }; using Box = Of<char>;", "Box q(321);"),
])
def test_other_fields_are_not_taken_for_it(the_class: str, made: str, run: Run, tmp_path: Path) -> None:
    assert verdict(run, tmp_path, the_class, made, test="q.n == 65") != KNOWN


@pytest.mark.parametrize("kernel", ["Of<long, int> q", "const Of<long, int> q"])
def test_templates_of_classes(kernel: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(f"""#include <cassert>
template <typename T, typename I> struct Of {{
  Of();
  Of(T *p, int d, I s[8]);
  void reduce(int dim);
  T *data;
  I sizes[8];
  int dims;
}};
template <typename T, typename I> Of<T, I>::Of() {{ data = nullptr; dims = 0; }}
template <typename T, typename I> Of<T, I>::Of(T *p, int d, I s[8]) {{
  data = p;
  dims = d;
  assert(dims < 8);
  for (int i = 0; i < dims; ++i) sizes[i] = s[i];
}}
template <typename T, typename I> void Of<T, I>::reduce(int dim) {{ sizes[dim] = 1; dims = 0; }}
__global__ void k(int *x, {kernel}) {{ if (q.dims != 3) x[0] = threadIdx.x; }}
int main() {{
  int *x, s[8] = {{1, 2, 3}};
  long *d;
  Of<long, int> q(d, 3, s);
  k<<<4, 64>>>(x, q);
}}
""")
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == KNOWN, record


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_what_looks_like_it_and_is_not_believed(text: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(text)
    (record,) = run("check", tmp_path / "k.cu", "--kernel", "k", "--format", "jsonl").records
    assert record["verdict"] != KNOWN, record
