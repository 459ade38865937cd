"""What the host fills arrays with that it passes: bounds of all elements and their order; and what hides them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

from automata.lang.host.held import Held
from automata.lang.host.launches import find_launches
from automata.lang.preprocess import preprocess

TEXT = """#include <cstdlib>
#include <vector>
#include <random>
#include <algorithm>
{above}
__global__ void k({taken} *idx, int n) {{ {body} }}
__global__ void other(int *p) {{ p[threadIdx.x] = -1; }}
int main(int argc, char **argv) {{
  int n = {n};
  int *d;
  {fill}
  k<<<4, 64>>>(d, n);
}}
"""
COPY = "cudaMalloc((void **)&d, n * 4); cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);"
MADE = "int *h = (int *)malloc(n * 4);"
ANY = (-2**31, 2**31 - 1)


def held(tmp_path: Path, fill: str, n: str = "1024", taken: str = "const int", above: str = "", body: str = "") -> Held | None:
    """What is known of the first argument at all launches."""
    path = tmp_path / "k.cu"
    path.write_text(TEXT.format(fill=fill, n=n, taken=taken, above=above, body=body))
    launches = [each for each in find_launches(preprocess(str(path), "cuda", side="host")) if each.kernel == "k"]
    found = {next((each for each in launch.filled if each.at == 0), None) for launch in launches}
    assert len(found) == 1, found
    return found.pop()


def bounds(found: Held | None) -> tuple[int, int] | None:
    return None if found is None else (found.least, found.most)


@pytest.mark.parametrize(("value", "known"), [
    ("rand() % 16", (0, 15)), ("rand() & 7", (0, 7)), ("rand() % 16 - 8", (-8, 7)), ("-(rand() % 5)", (-4, 0)),
    ("i", (0, 1023)), ("n - i", (1, 1024)), ("n - 1 - i", (0, 1023)), ("i / 4", (0, 255)), ("i >> 3", (0, 127)),
    ("i << 2", (0, 4092)),
    ("i % 3 ? 5 : 9", (5, 9)), ("i < 5", (0, 1)), ("!i", (0, 1)), ("(i * 7) % n", (0, 1023)), ("3", (3, 3)),
    ("(int)(unsigned char)rand()", (0, 255)), ("std::min(rand(), 9)", (0, 9)), ("std::max(rand() % 5, 3)", (3, 4)),
    ("abs(rand() % 9 - 4)", (0, 4)), ("(rand() % 3) * (rand() % 4) + 1", (1, 7)),
    ("~(rand() % 4)", (-4, -1)),
    ("(rand() % 8) | (rand() % 4)", (0, 7)), ("rand() / 65536", (0, 32767)), ("true", (1, 1)),
    ("(int)(rand() * 1.0)", ANY), ("rand()", (0, 2**31 - 1)), ("h[i] + 1", (-2**31 + 1, 2**31 - 1)), ("(unsigned)i - 5u", ANY),
    ("argc", ANY), ("rand() % 16 - argc", (-2**31 + 1, 2**31 - 1)), ("atoi(argv[1])", ANY),
])
def test_values_that_are_stored_bound_all_elements(value: str, known: tuple[int, int], tmp_path: Path) -> None:
    found = bounds(held(tmp_path, f"{MADE} for (int i = 0; i < n; i++) h[i] = {value}; {COPY}"))
    assert found == known


@pytest.mark.parametrize(("fill", "known"), [
    ("int h[1024]; for (int i = 0; i < 1024; i++) h[i] = i % 5;", (0, 4)),
    ("int h[] = {4, 9, 5};", (4, 9)),
    ("int h[8] = {4, 9, 5};", (0, 9)),
    ("std::vector<int> h_(n, 7); int *h = 0;", None),
    ("int *h = new int[n]; for (int i = 0; i < n; ++i) { h[i] = 2; } h[0] = 6;", (2, 6)),
    ("int *h = new int[n](); h[0] = 6;", (0, 6)),
    ("int *h = (int *)calloc(n, 4); h[0] = 6;", (0, 6)),
    ("int *h; h = (int *)malloc(n * 4); for (int i = n - 1; i >= 0; i--) h[i] = i;", (0, 1023)),
    (f"{MADE} memset(h, 0, n * 4);", (0, 0)),
    (f"{MADE} memset(h, 1, n * 4);", ANY),
    (f"{MADE} int *g = (int *)malloc(n * 4); for (int i = 0; i < n; i++) g[i] = 3; memcpy(h, g, n * 4);", (3, 3)),
    (f"{MADE} std::fill(h, h + n, 4);", (4, 4)),
    (f"{MADE} for (int i = 0; i < n; i++) {{ int v = rand() % 9; if (v > 4) v = 0; h[i] = v; }}", (0, 8)),
    (f"{MADE} for (int i = 0; i < n; i++) h[i] = 1; std::sort(h, h + n);", (1, 1)),
    (f"{MADE} for (int i = 0; i < n; i++) h[i] = 1; for (int i = 0; i < n; i++) std::swap(h[i], h[rand() % n]);", (1, 1)),
    (f"{MADE} for (int i = 0; i < n; i++) h[i] = 1; int s = 0; for (int i = 0; i < n; i++) s += h[i]; if (!h) return 1;", (1, 1)),
    (f"{MADE} std::mt19937 g(1); std::uniform_int_distribution<int> u(0, n - 1); "
     "for (int i = 0; i < n; i++) h[i] = u(g);", (0, 1023)),
    (f"{MADE} std::mt19937 g(1); std::uniform_int_distribution<> u(3, 5); for (int i = 0; i < n; i++) h[i] = u(g);", (3, 5)),
    (f"{MADE} for (int i = 0; i < n; i++) h[i] = 1; h[3] += 4;", (1, 2**31 - 1)),
    (f"{MADE} memset(h, 0, n * 4); for (int i = 0; i < n; i++) h[rand() % n]++;", (0, 2**31 - 1)),
    (f"{MADE} memset(h, 0, n * 4); for (int i = 0; i < n; i++) ++h[rand() % n];", (0, 2**31 - 1)),
    (f"{MADE} for (int i = 0; i < n; i++) h[i] = 1; h[3] += argc - 9;", ANY), (f"{MADE} h[3]++;", ANY),
    (f"{MADE} for (int i = 0; i < n; i++) h[i] = 1; h[3]--;", ANY),
    (f"{MADE} for (int i = 0; i < n; i++) h[i] = 1; h[3] -= 1;", ANY),
    (f"{MADE} int c[9]; for (int i = 0; i < 9; i++) c[i] = rand() % 4; for (int i = 0; i < n; i++) h[i] = c[i % 9] + 1;", (1, 4)),
    (f"{MADE} int c[9]; for (int i = 0; i < 9; i++) c[i] = 1; c[0] = argc; for (int i = 0; i < n; i++) h[i] = c[i % 9];", ANY),
    (f"{MADE} h[0] = 1; for (int i = 1; i < n; i++) h[i] = h[rand() % i];", ANY),
    (f"{MADE} for (int i = 0; i < n; i++) h[i] = 1; h[3] = argc;", ANY),
])
def test_memory_is_followed_to_where_it_is_made(fill: str, known: tuple[int, int] | None, tmp_path: Path) -> None:
    assert bounds(held(tmp_path, f"{fill} {COPY}")) == known


@pytest.mark.parametrize("fill", [
    "std::vector<int> h(n); for (int i = 0; i < n; i++) h[i] = i % 6;", "std::vector<int> h(n, 5);",
    "std::vector<int> h; for (int i = 0; i < n; i++) h.push_back(i % 6);", "std::vector<int> h = {0, 1, 2, 5}; h[0] = 3;",
    "std::vector<int> h(n); std::fill(h.begin(), h.end(), 5);"])
def test_vectors_hold_what_is_put_in(fill: str, tmp_path: Path) -> None:
    found = bounds(held(tmp_path, f"{fill} cudaMalloc(&d, 4 * n); cudaMemcpy(d, h.data(), 4 * n, cudaMemcpyHostToDevice);"))
    assert found is not None and 0 <= found[0] <= found[1] <= 5


@pytest.mark.parametrize("more", [
    "int *p = h; p[3] = -1;", "int *p = h + 1; *p = -1;", "int &r = h[3]; r = -1;", "auto &r = h[3]; r = -1;", "*h = -1;",
    "*(h + 2) = -1;",
    "scanf(\"%d\", &h[3]);", "scanf(\"%d\", h);", "std::cin >> h[3];", "other<<<1, 64>>>(d);", "spoil(h);", "hide(h[3]);",
    "hide(*h);",
    "for (int i = 0; i < n; i++) *h++ = -1;", "int **q = &h; **q = -1;", "int *&q = h; q[0] = -1;", "fread(h, 4, n, 0);",
    "h = (int *)argv;", "other<<<1, 64>>>(e); cudaMemcpy(h, e, n * 4, cudaMemcpyDeviceToHost);",
    "auto f = [&]() { h[3] = -1; }; f();",
    "std::generate(h, h + n, rand);", "((char *)h)[3] = -1;", "reinterpret_cast<char *>(h)[3] = -1;",
    "struct S { int *p; } s = {h};",
    "int *two[2] = {h, 0}; two[0][3] = -1;", "memset(d, 255, 4);", "cudaMemset(d + 1, 7, 4);", "h[1] = h[2] = -1;",
    "(h)[3] = -1;",
    "3[h] = -1;", "std::swap(h[3], x);", "int *p; p = d; other<<<1, 64>>>(p);", "other<<<1, 64>>>(d + 4);", "return spoil(h);",
    "void *args[] = {&d}; cudaLaunchKernel(other, 1, 64, args, 0, 0);", "asm(\"\" : \"+m\"(h[3]));", "hide(argc ? h[3] : x);",
    "std::exchange(h[3], -1);", "new (h + 3) int(-1);", "for (auto p = h; p < h + n; p++) *p = -1;",
    "#define H h\n H[3] = -1;\n",
    "std::iota(h, h + n, -5);", "std::transform(h, h + n, h, std::negate<int>());",
    "cudaMemcpy2D(h, 4, e, 4, 4, 4, cudaMemcpyDefault);",
])
def test_what_may_change_elements_elsewhere_hides_them(more: str, tmp_path: Path) -> None:
    above = ("int spoil(int *p) { p[3] = -1; return 0; }\nvoid hide(int &r) { r = -1; }\n#include <iostream>\n"
             "#include <numeric>\n__global__ void other(int *p);")
    fill = f"int x = -1; int *e; cudaMalloc(&e, 4 * n); {MADE} for (int i = 0; i < n; i++) h[i] = rand() % 16; {COPY} {more}"
    found = bounds(held(tmp_path, fill, above=above))
    assert found is None or found[0] < 0, found


@pytest.mark.parametrize("more", ["int *d2 = d;", "other<<<1, 64>>>(d);", "k<<<1, 1>>>(d, 1); keep(d);", "kept = d;",
"S s = {d};"])
def test_what_may_change_the_memory_of_the_device_hides_it(more: str, tmp_path: Path) -> None:
    above = "struct S { int *p; };\nint *kept;\nvoid keep(int *p) { kept = p; }"
    assert held(tmp_path, f"{MADE} for (int i = 0; i < n; i++) h[i] = 3; {COPY} {more}", above=above) is None


@pytest.mark.parametrize(("body", "is_known"), [
    ("if (idx[threadIdx.x] > 3) return;", True), ("int v = idx[n] + 1;", True), ("idx[n] = 3;", False), ("idx[n]++;", False),
    ("atomicAdd(&idx[n], 1);", False), ("int *p = idx; p[0] = 1;", False), ("int &r = idx[n]; r = 1;", False),
    ("*idx = 1;", False),
    ("int v = (n) * idx[0];", False), ("swap(idx[0], n);", False), ("[&] { idx[0] = 2; }();", False),
    ("n = idx[idx[0]];", True),
])
def test_kernels_only_read_what_is_known(body: str, is_known: bool, tmp_path: Path) -> None:
    found = held(tmp_path, f"{MADE} for (int i = 0; i < n; i++) h[i] = 3; {COPY}", taken="int", body=body)
    assert (found is not None) is is_known


@pytest.mark.parametrize("body", ["const_cast<int *>(idx)[0] = 1;", "((int *)idx)[0] = 1;", "int *p = (int *)idx;"])
def test_const_is_not_cast_away(body: str, tmp_path: Path) -> None:
    assert held(tmp_path, f"{MADE} for (int i = 0; i < n; i++) h[i] = 3; {COPY}", body=body) is None


@pytest.mark.parametrize(("fill", "order"), [
    ("h[0] = 0; for (int i = 1; i < n; i++) h[i] = h[i - 1] + rand() % 5;", ("sorted",)),
    ("h[0] = 0; for (int i = 1; i < n; i++) h[i] = h[i - 1] + (rand() % argc + 1) * n;", ("sorted", "distinct")),
    ("h[0] = 0; for (int i = 1; i < n; i++) h[i] = h[i - 1] + rand() % 5 + 1;", ()),
    ("h[0] = 0; for (int i = 1; i < n; i++) h[i] = h[i - 1] + (rand() % 5 + 1);", ("sorted", "distinct")),
    ("h[0] = 0; for (int i = 0; i < n; i++) { h[i + 1] = h[i] + 3; }", ("sorted", "distinct")),
    ("int c[9] = {0}; for (int i = 0; i < 9; i++) c[rand() % 9]++; h[0] = 0; for (int i = 0; i < 9; i++) h[i + 1] = h[i] + c[i];",
     ("sorted",)),
    ("int c[9]; for (int i = 0; i < 9; i++) c[i] = argc; h[0] = 0; for (int i = 0; i < 9; i++) h[i + 1] = h[i] + c[i];", ()),
    ("for (int i = 0; i < n; i++) h[i] = i;", ("sorted", "distinct")),
    ("for (int i = 0; i < n; i++) h[i] = i * 4;", ("sorted", "distinct")),
    ("for (int i = 0; i < n; i++) h[i] = i * 0;", ("sorted",)),
    ("for (int i = 0; i < n; i++) h[i] = i * -4;", ()),
    ("for (int i = 0; i < n; i++) h[i] = n - i;", ()),
    ("for (int i = 0; i < n; i++) h[i] = (unsigned char)i;", ()),
    ("for (int i = 0; i < n; i++) h[n - i] = i;", ()),
    ("for (int i = 0; i < n; i++) if (i % 2) h[i] = i;", ()),
    ("for (int i = 0; i < n; i++) { if (i == 5) continue; h[i] = i; }", ()),
    ("for (int i = 0; i < n; i++) h[i] = i; h[5] = 0;", ()),
    ("for (int i = 0; i < n; i++) h[i] = i; std::random_shuffle(h, h + n);", ()),
    ("for (int i = 0; i < n; i++) h[i] = i; std::swap(h[0], h[1]);", ()),
    ("for (int i = 0; i < n; i++) h[i] = i; for (int i = 0; i < n; i++) h[i] = i;", ()),
    ("h[0] = 0; for (int i = 1; i < n; i++) h[i] = h[i - 1] + rand() % 5 - 1;", ()),
    ("h[0] = 0; for (int i = 1; i < n; i++) h[i] = h[i - 1] + (rand() % 5 - 1);", ()),
    ("h[0] = 0; for (int i = 2; i < n; i++) h[i] = h[i - 1] + 1;", ()),
    ("h[1] = 0; for (int i = 1; i < n; i++) h[i] = h[i - 1] + 1;", ()),
    ("for (int i = 1; i < n; i++) h[i] = h[i - 1] + 1; h[0] = 0;", ()),
    ("for (int j = 0; j < 2; j++) { for (int i = 0; i < n; i++) h[i] = i; n /= 2; }", ()),
    ("for (int i = 0; i < n; i += 2) h[i] = i;", ()),
    ("for (int i = 0; i < n; i++) { h[i] = i; i++; }", ()),
])
def test_order_of_elements(fill: str, order: tuple[str, ...], tmp_path: Path) -> None:
    found = held(tmp_path, f"{MADE} {fill} {COPY}")
    assert (found.order if found is not None else ()) == order


@pytest.mark.parametrize(("fill", "order"), [
    (f"{MADE} for (int i = 0; i < n; i++) {{ h[i] = i; cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice); }}", ()),
    (f"{MADE} for (int i = 0; i < n; i++) h[i] = i; cudaMemcpy(d + 1, h, n * 4, cudaMemcpyHostToDevice);", ()),
    (f"{MADE} for (int i = 0; i < n; i++) h[i] = i; cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice); cudaMemcpy(d, h + 1, 4, "
     "cudaMemcpyHostToDevice);", ()),
    (f"for (int j = 9; j > 0; j--) {{ {MADE} for (int i = 0; i < j; i++) h[i] = i * j; cudaMemcpy(d, h, j * 4, "
     "cudaMemcpyHostToDevice); }", ()),
    (f"{MADE} for (int i = 0; i < n; i++) h[i] = i; cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);", ("sorted", "distinct")),
])
def test_order_is_copied_whole(fill: str, order: tuple[str, ...], tmp_path: Path) -> None:
    found = held(tmp_path, f"cudaMalloc(&d, 4 * n); {fill}")
    assert (found.order if found is not None else ()) == order


@pytest.mark.parametrize(("fill", "is_told"), [
    ("for (int i = 0; i < n; i++) h[i] = rand() % n;", True),
    ("for (int i = 0; i < n; i++) h[i] = i;", True),
    ("for (int i = 0; i < n; i++) h[i] = rand() % n; n = n / 2;", False),
    ("n = n / 2; for (int i = 0; i < n; i++) h[i] = rand() % n;", False),
    ("for (int i = 0; i < n; i++) h[i] = rand() % (n + 1);", False),
    ("for (int i = 0; i <= n; i++) h[i] = i;", False),
    ("for (int j = 0; j < 3; j++) { for (int i = 0; i < n; i++) h[i] = rand() % n; n = n / 2; }", False),
])
def test_elements_are_less_than_what_the_launch_passes(fill: str, is_told: bool, tmp_path: Path) -> None:
    found = held(tmp_path, f"{MADE} {fill} {COPY}", n="atoi(argv[1])")
    less = found is not None and any("{1}" in test and "<=" not in test and "+" not in test for test in found.tests)
    assert less is is_told, found


def test_a_function_that_is_handed_the_memory_is_followed(tmp_path: Path) -> None:
    above = """void init(int *p, int n, int m) { for (int i = 0; i < n; i++) p[i] = rand() % 8; }
void upload(int *to, const int *from, int n) { cudaMemcpy(to, from, n * 4, cudaMemcpyHostToDevice); }"""
    found = held(tmp_path, f"{MADE} init(h, n, 9); cudaMalloc(&d, n * 4); upload(d, h, n);", above=above)
    assert bounds(found) == (0, 7)


def hides(tmp_path: Path, fill: str, above: str = "") -> None:
    """Nothing is known of the elements, or an element may be less than none."""
    found = bounds(held(tmp_path, fill, above=above))
    assert found is None or found[0] < 0, found


@pytest.mark.parametrize(("more", "above"), [
    ("if (int *p = h) p[3] = -1;", ""), ("int *p; while (p = h) { p[3] = -1; break; }", ""), ("hide((int &)h[3]);", ""),
    ("int &r = (int &)h[3]; r = -1;", ""), ("std::reference_wrapper<int> r = h[3]; r.get() = -1;", ""),
    ("R r = h[3]; r = -1;", "typedef int &R;"), ("S s = h[3];", "struct S { S(int &r) { r = -1; } };"),
    ("S s; s = h[3];", "struct S { void operator=(int &r) { r = -1; } };"),
    ("S s; s << h[3];", "struct S { void operator<<(int &r) { r = -1; } };"),
    ("S s; h[3] + s;", "struct S {}; void operator+(int &r, S) { r = -1; }"),
    ("S s; s[h[3]];", "struct S { int operator[](int &r) { return r = -1; } };"),
    ("S s; s == h[3];", "struct S {}; template <class T> bool operator==(S, T &r) { r = -1; return 1; }"),
    ("any<int>(h[3]);", "template <class T> void any(T &r) { r = -1; }"), ("if ((spoilt)(h[3])) x = 2;", ""),
    ("int (*fp)(int &) = spoilt; printf(\"%d\", (*fp)(h[3]));", ""), ("auto f = [&]() -> int & { return h[3]; }; f() = -1;", ""),
    ("printf(\"%n\", h);", ""), ("std::sort(h, h + n, [](int &a, int &b) { a = -1; return a < b; });", ""),
    ("auto count = [](int &r) { r = -1; }; count(h[3]);", ""), ("obj.count(h[3]);", "#include <other.h>"),
    ("auto swap = [](int &a, int &b) { a = -1; }; swap(h[0], h[1]);", ""), ("(int &)std::min(h[3], h[4]) = -1;", ""),
    ("const int &r = std::min(h[3], h[4]); const_cast<int &>(r) = -1;", ""),
    ("auto init = [](int *p) { p[3] = -1; }; init(h);", "void init(const int *p) {}"),
    ("f(h);", "void f(const int *p) { int *q = (int *)(p); q[3] = -1; }"),
    ("f(h);", "void f(const int *p) { *(int *)(size_t)p = -1; }"),
    ("f(h);", "void f(const int *p) { const int *q = p; ((int *)q)[3] = -1; }"),
    ("f(h); ((int *)g)[3] = -1;", "const int *g; void f(const int *p) { g = p; }"),
    ("id(h)[3] = -1;", "int *id(const int *p) { return (int *)p; }"),
    ("f(h);", "struct S { S(int *p) { p[3] = -1; } }; void f(S s) {}"),
    ("f(h);", "struct S { S(int *p) { p[3] = -1; } }; void f(S) {}"),
    ("memset((char *)h + 1, 255, 2);", ""),
    ("W w; { w & h; }", "struct W { void operator&(int *p) { p[0] = -1; } };"),
    ("W w; if (w && h) x = 1;", "struct W { bool operator&&(int *p) { p[0] = -1; return 1; } };"),
    ("W w; bool b = w == h;", "struct W { bool operator==(int *p) { p[0] = -1; return 1; } };"),
    ("W w; if (h != w) x = 1;", "struct W { W(int *p = 0) { if (p) p[0] = -1; } }; bool operator!=(W, W) { return 1; }"),
    ("int &r = h[3] = 1; r = -1;", ""), ("int &r = ++h[3]; r = -1;", ""), ("R r = h[3] += 1; r = -1;", "typedef int &R;"),
    ("int &r = x ? x : h[3] = 1; r = -1;", ""), ("for (int &r = h[3] = 1; r > -3; r--) ;", ""), ("h[3] += 4294967295u;", ""),
    ("unsigned u = atoi(argv[1]); h[3] += u;", ""), ("h[3] += 3000000000LL;", ""),
    ("h[3] += f();", "unsigned f() { return -9; }"), ("for (int i = 0; i < n; i++) h[3] += rand();", ""),
    ("void (*memset)(int *, int, int) = f; memset(h, 0, 4);", "void f(int *p, int, int) {}"),
])
def test_references_to_elements_hide_them(more: str, above: str, tmp_path: Path) -> None:
    above += "\nvoid hide(int &r) { r = -1; }\nint spoilt(int &r) { return r = -1; }\n#include <functional>\n#include <cstdio>"
    hides(tmp_path, f"int x = -1; {MADE} for (int i = 0; i < n; i++) h[i] = rand() % 16; {more} {COPY}", above)


@pytest.mark.parametrize(("more", "above"), [
    ("for (auto &x : h) x = -1;", ""), ("for (int &x : h) x = -1;", ""), ("for (auto &&x : h) x = -1;", ""),
    ("f(h);", "void f(std::vector<int> &v) { for (auto &x : v) x = -1; }"),
    ("f(h);", "void f(std::vector<int> &v) { v[3] = -1; }"), ("std::vector<int> w(n, -1); h.swap(w);", ""),
    ("std::sort(h.begin(), h.end(), [](int &a, int &b) { a = -1; return a < b; });", ""), ("h = std::vector<int>(n, -1);", ""),
])
def test_references_to_elements_of_vectors_hide_them(more: str, above: str, tmp_path: Path) -> None:
    hides(tmp_path, f"std::vector<int> h(n); for (int i = 0; i < n; i++) h[i] = i % 6; {more} cudaMalloc(&d, 4 * n); "
          "cudaMemcpy(d, h.data(), 4 * n, cudaMemcpyHostToDevice);", above)


@pytest.mark.parametrize("more", ["for (int x : h) if (x > 3) return 1;", "for (auto x : h) if (x > 3) return 1;",
                                  "int s = h[3]; int t = (int)h[3] + std::max(h[1], h[2]);", "g[0] = h[2]; float f = h[3];"])
def test_copies_of_elements_of_vectors_hide_nothing(more: str, tmp_path: Path) -> None:
    found = held(tmp_path, f"int g[2]; std::vector<int> h(n, 5); {more} cudaMalloc(&d, 4 * n); "
                 "cudaMemcpy(d, h.data(), 4 * n, cudaMemcpyHostToDevice);")
    assert bounds(found) == (5, 5)


@pytest.mark.parametrize(("body", "above"), [
    ("((int *)(p + 1))[0] = -1;", ""), ("*(int *)&p[0] = -1;", ""), ("*(int *)(size_t)p = -1;", ""),
    ("auto q = p; ((int *)q)[0] = -1;", ""), ("asm volatile(\"st.global.u32 [%0], %1;\" :: \"l\"(p), \"r\"(-1));", ""),
    ("w(p);", "__device__ void w(const int *q) { ((int *)q)[3] = -1; }"),
    ("w(p);", "__host__ __device__ void w(const int *q) { ((int *)q)[3] = -1; }"),
    ("w(p);", "typedef int *P; __device__ void w(const int *q) { ((P)q)[3] = -1; }"),
    ("const int &r = p[3]; (int &)r = -1;", ""), ("atomicAdd((int *)&p[1], -100);", ""),
    ("g = p;", "__device__ const int *g; __global__ void late() { ((int *)g)[3] = -1; }"),
    ("union { const int *a; int *b; } u; u.a = p; u.b[3] = -1;", ""), ("int *q; memcpy(&q, &p, 8); q[3] = -1;", ""),
    ("int *q; *(const int **)&q = p; q[3] = -1;", ""), ("w(p);", "#include \"other.cuh\""),
])
def test_kernels_that_take_const_away_hide_the_memory(body: str, above: str, tmp_path: Path) -> None:
    above += f"\n__global__ void last(const int *p) {{ {body} }}"
    hides(tmp_path, f"{MADE} for (int i = 0; i < n; i++) h[i] = 3; {COPY} last<<<1, 64>>>(d);", above)


@pytest.mark.parametrize("body", ["int v = __ldg(&p[3]);", "const int *q = p + 5; int v = q[3];", "int v = w(p);",
                                  "float4 v = ((const float4 *)p)[0];"])
def test_kernels_that_keep_const_hide_nothing(body: str, tmp_path: Path) -> None:
    above = f"__device__ int w(const int *q) {{ return q[3]; }}\n__global__ void last(const int *p) {{ {body} }}"
    fill = f"{MADE} for (int i = 0; i < n; i++) h[i] = 3; {COPY} last<<<1, 64>>>(d);"
    assert bounds(held(tmp_path, fill, above=above)) == (3, 3)


@pytest.mark.parametrize(("body", "above"), [
    ("decltype(auto) r = p[3]; r = -1;", ""), ("any<int>(p[3]);", "template <class T> __device__ void any(T &r) { r = -1; }"),
    ("if ((any)(p[3])) return;", "__device__ int any(int &r) { return r = -1; }"), ("int &q = (int &)p[3]; q = -1;", ""),
    ("int (&r) = p[3]; r = -1;", ""), ("S s = p[3];", "struct S { __device__ S(int &r) { r = -1; } };"),
])
def test_kernels_that_refer_to_elements_hide_the_memory(body: str, above: str, tmp_path: Path) -> None:
    above += f"\n__global__ void last(int *p) {{ {body} }}"
    hides(tmp_path, f"{MADE} for (int i = 0; i < n; i++) h[i] = 3; {COPY} last<<<1, 64>>>(d);", above)


def test_an_instance_with_a_body_of_its_own_hides_the_memory(tmp_path: Path) -> None:
    above = ("template <class T> __global__ void last(const T *p) {}\n"
             "template <> __global__ void last<int>(const int *p) { ((int *)p)[0] = -1; }")
    hides(tmp_path, f"{MADE} for (int i = 0; i < n; i++) h[i] = 3; {COPY} last<int><<<1, 64>>>(d);", above)


@pytest.mark.parametrize("more", [
    "f((char *)h);", "f((short *)h);", "std::fill((char *)h, (char *)h + n, 5);", "std::sort((short *)h, (short *)h + n);",
    "std::swap((short &)h[0], (short &)h[1]);", "memset((char *)h + 1, 0, 2);", "(short &)h[3] = -1;", "memset(h, 0, 3);",
    "memset(h, 0, sizeof(char));", "memset(h, 0, n + argc);", "memcpy(h, g, 2);", "memcpy((char *)h + 2, g, 8);",
    "memcpy(h, (char *)g + 2, 8);", "size_t b = 6; memcpy(h, g, b);", "for (int b = 1; b < 9; b++) memcpy(h, g, b);",
    "up(h, g, 2);",
])
def test_elements_are_set_whole(more: str, tmp_path: Path) -> None:
    above = ("#include <cstring>\nvoid f(char *p) { p[1] = 1; }\nvoid f(short *p) { p[1] = 1; }\n"
             "void up(int *to, int *from, int b) { memcpy(to, from, b); }")
    found = bounds(held(tmp_path, f"int *g = (int *)malloc(n * 4); for (int i = 0; i < n; i++) g[i] = -1; {MADE} "
                        f"for (int i = 0; i < n; i++) h[i] = 300; {more} {COPY}", above=above))
    assert found in (None, ANY), found


@pytest.mark.parametrize("size", ["n * 4", "sizeof(int) * n", "n * sizeof(*h)", "n * sizeof(h[0])", "bytes", "(size_t)n * 4"])
def test_sizes_of_whole_elements_are_known(size: str, tmp_path: Path) -> None:
    found = held(tmp_path, f"size_t bytes = n * sizeof(int); {MADE} for (int i = 0; i < n; i++) h[i] = 3; cudaMalloc(&d, n * 4); "
                 f"for (int r = 0; r < 3; r++) cudaMemcpy(d, h, {size}, cudaMemcpyHostToDevice);", n="atoi(argv[1])")
    assert bounds(found) == (3, 3)


@pytest.mark.parametrize(("value", "known"), [
    ("rand() * 3", ANY), ("rand() * rand() % 16", (-15, 15)), ("(rand() * 1103515245 + 12345) % 16", (-15, 15)),
    ("rand() + rand()", ANY), ("rand() % 5 * 3 + 1", (1, 13)), ("s == 3", ANY), ("!s", ANY), ("x == 3", (0, 1)),
    ("u(g, P(0, 1000))", ANY), ("u(g)", (0, 9)), ("w(g)", ANY), ("abs(x)", ANY), ("abs((long long)x)", ANY),
])
def test_values_leave_no_type_and_no_class_hides_them(value: str, known: tuple[int, int], tmp_path: Path) -> None:
    above = "struct S { int operator!() { return -1; } int operator==(int) { return -1; } } s;"
    fill = ("int x = argc; std::mt19937 g(1); std::uniform_int_distribution<int> u(0, 9), w_(0, -1); "
            "std::uniform_int_distribution<int> w(0, -1); typedef std::uniform_int_distribution<int>::param_type P;")
    assert bounds(held(tmp_path, f"{fill} {MADE} for (int i = 0; i < n; i++) h[i] = {value}; {COPY}", above=above)) == known


@pytest.mark.parametrize("pre", ["int (*rand)() = less;", "auto rand = [] { return -3; };"])
def test_variables_that_are_named_like_the_library(pre: str, tmp_path: Path) -> None:
    fill = f"{pre} {MADE} for (int i = 0; i < n; i++) h[i] = rand(); {COPY}"
    assert bounds(held(tmp_path, fill, above="int less() { return -3; }")) in (None, ANY)


def test_narrow_counters_wrap(tmp_path: Path) -> None:
    loop = "for (short i = 0; i < n; i++) { h[j++] = i; if (j > 60000) break; }"
    hides(tmp_path, f"int j = 0; n = 100000; {MADE} {loop} {COPY}")


@pytest.mark.parametrize("fill", [
    "h[0] = 0;\n#pragma omp parallel for\nfor (int i = 1; i < n; i++) h[i] = h[i - 1] + 1;",
    "h[0] = 0; _Pragma(\"omp parallel for\") for (int i = 1; i < n; i++) h[i] = h[i - 1] + 1;",
    "h[0] = 0; for (int i = 1; i < n; i++) { h[i] = h[i - 1] + 1; skip(i); }",
    "h[0] = 0; for (int i = 1; i < n; i++) { int &r = i; h[i] = h[i - 1] + 1; r = 2; }",
    "h[0] = 0; for (int i = 1; i < n; i++) argc > 1 ? 0 : h[i] = h[i - 1] + 1;",
    "h[0] = 0; for (int i = 1; i < n; i++) h[i] = h[i - 1] + rand() * 3;",
    "h[0] = 0; for (int i = 1; i < n; i++) h[i] = h[i - 1] + rand();", "for (int i = 0; i < n; i++) h[i] = i * 3000000;",
    "h[0] = 0; for (int i = 1; i < n; i++) h[i] = h[i - 1] + rand() % 10000000;",
])
def test_loops_that_are_not_passed_in_order(fill: str, tmp_path: Path) -> None:
    found = held(tmp_path, f"{MADE} {fill} {COPY}", above="void skip(int &i) { i++; }")
    assert found is None or not found.order


AGAIN = """#include <cstdlib>
__global__ void k(const int *idx, int n) {{}}
int main(int argc, char **argv) {{ int n = atoi(argv[1]); int *d; {loop} }}
"""
NEW = ("int *h = (int *)malloc(n * 4); for (int i = 0; i < n; i++) h[i] = rand() % n; cudaMalloc(&d, n * 4); "
       "cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);")


@pytest.mark.parametrize(("loop", "is_told"), [
    ("for (int r = 0; r < 3; r++) { n = atoi(argv[r]); if (r == 0) { NEW } k<<<1, 64>>>(d, n); }", False),
    ("for (int r = 0; r < 3; r++) { n = atoi(argv[r]); if (n < 0) break; NEW } k<<<1, 64>>>(d, n);", False),
    ("while (argc--) { n /= 2; if (!d) { NEW } k<<<1, 64>>>(d, n); }", False),
    ("for (; n > 0; n--) { if (argc > 1) { NEW argc = 0; } k<<<1, 64>>>(d, n); }", False),
    ("auto go = [&](int n) { if (argc-- > 3) { NEW } k<<<1, 64>>>(d, n); }; go(9); go(3);", False),
    ("int *h = 0; for (int r = 0; r < 3; r++) { n = atoi(argv[r]); cudaMalloc(&d, n * 4); if (h) cudaMemcpy(d, h, n * 4, "
     "cudaMemcpyHostToDevice);"
     " h = (int *)malloc(n * 4); for (int i = 0; i < n; i++) h[i] = rand() % n; "
     "k<<<1, 64>>>(d, n); }", False),
    ("for (int r = 0; r < 3; r++) { int n = atoi(argv[r]); int *d; NEW k<<<1, 64>>>(d, n); }", True),
    ("NEW for (int r = 0; r < 3; r++) k<<<1, 64>>>(d, n);", True),
])
def test_what_a_loop_sets_again_bounds_no_memory_of_before(loop: str, is_told: bool, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(AGAIN.format(loop=loop.replace("NEW", NEW)))
    launches = find_launches(preprocess(str(path), "cuda", side="host"))
    assert launches
    for launch in launches:
        assert any("{1}" in test for each in launch.filled for test in each.tests) is is_told, launch.filled


RUN = """#include <cstdlib>
__global__ void count(int *x, const int *idx) {{
  __shared__ int s[16];
  if (threadIdx.x < 16) s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[idx[blockIdx.x * blockDim.x + threadIdx.x]], 1);
  __syncthreads();
  if (threadIdx.x == 0) x[blockIdx.x] = s[0];
}}
static void run(const int *idx, int n) {{
  int *x, *d_idx;
  cudaMalloc(&x, 16);
  cudaMalloc((void **)&d_idx, n * 4);
  cudaMemcpy(d_idx, idx, n * 4, cudaMemcpyHostToDevice);
  count<<<4, 256>>>(x, d_idx);
}}
int main() {{
  int n = 1024;
  int *idx = (int *)malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) idx[i] = {value};
  run(idx, n);
}}
"""


@pytest.mark.parametrize(("value", "verdict"), [("rand() % 16", "proved"), ("rand() % 17", "unknown"), ("i - 1", "unknown")])
def test_a_launch_is_proved_for_what_its_program_fills_in(value: str, verdict: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(RUN.format(value=value))
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == verdict, record["reason"]
    if verdict == "proved":
        said = "set by the host program, in whose types it is computed (line 20)"
        assert any(said in each for each in map(str, record["assumptions"]))
