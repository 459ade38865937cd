"""Launches in host code: names by scope, constants by type, and None for whatever is not certain."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from automata.lang.host import HostLaunch, find_launches, host_launches
from automata.lang.launch import Launch
from automata.lang.preprocess import preprocess
from automata.lang.read import find_kernels

Write = Callable[..., Path]
HEAD = """__global__ void k(float *a, int n) {}
template <typename T, int B> __global__ void t(T *a, int n) {}
"""


def launches(path: Path) -> list[HostLaunch]:
    return find_launches(preprocess(str(path), "cuda", side="host"))


FORMS = [
    ("plain", "k<<<2, 64>>>(p, 7);",
     {"grid": (2, 1, 1), "block": (64, 1, 1), "shared_bytes": 0, "args": (None, 7), "template_args": ()}),
    ("three dimensions", "k<<<dim3(2, 3, 4), {8, 9}, 16, s>>>(p, -1);",
     {"grid": (2, 3, 4), "block": (8, 9, 1), "shared_bytes": 16, "args": (None, -1)}),
    ("template", "t<float, 1 << 8><<<1, 256>>>(p, 2.5f);", {"template_args": ("float", "256"), "args": (None, 2.5)}),
    ("nested template", "t<std::pair<int, A<char>>, (2 > 1)><<<1, 1>>>();",
     {"template_args": ("std::pair<int,A<char>>", "1"), "args": ()}),
    ("runtime call", "cudaLaunchKernel((const void *)&t<int, 8>, dim3(5), dim3(6), args, 1024, stream);",
     {"kernel": "t", "template_args": ("int", "8"), "grid": (5, 1, 1), "block": (6, 1, 1), "shared_bytes": 1024, "args": ()}),
    ("cast", "cudaLaunchCooperativeKernel(reinterpret_cast<void *>(k), 5, 6, args);",
     {"kernel": "k", "grid": (5, 1, 1), "shared_bytes": 0}),
    ("hip", "hipLaunchKernelGGL(HIP_KERNEL_NAME(t<float, 8>), dim3(5), dim3(6), 7, 0, p, 9);",
     {"template_args": ("float", "8"), "block": (6, 1, 1), "shared_bytes": 7, "args": (None, 9)}),
    ("hip brackets", "hipLaunchKernelGGL((t<float, 8>), 5, 6, 0, 0, p);",
     {"kernel": "t", "template_args": ("float", "8"), "args": (None,)}),
    ("configuration object", "cudaLaunchKernelEx(&config, k, p, 4);",
     {"kernel": "k", "grid": (None,) * 3, "block": (None,) * 3, "shared_bytes": None, "args": (None, 4)}),
    ("partly known", "k<<<dim3(q, 2), 64, q>>>(p);", {"grid": (None, 2, 1), "block": (64, 1, 1), "shared_bytes": None}),
    ("text between", 'k<<<1, 2>>>("a, >>>", \',\', 3);', {"args": (None, None, 3)}),
    ("no sizes of zero", "k<<<0, -4>>>(p);", {"grid": (None,) * 3, "block": (None,) * 3}),
]


@pytest.mark.parametrize(("code", "grids"), [
    ("int n = 0; if (argc > 1) n = 512; k<<<n / 256, 256>>>(p, n);", [2]),
    ("int n = argc > 1 ? 0 : 512; k<<<dim3(3, n), 256>>>(p, n);", [3]),
    ("int n = 0; while (next(p)) n++; k<<<(n + 255) / 256, 256>>>(p, n);", ["({1} + 255) / 256"]),
    ("int n = 0; k<<<n, 256>>>(p, n);", [None]),
    ("int n = -1; if (argc > 1) n = 512; k<<<n / 256, 256>>>(p, n);", [2]),
    ("dim3 g(0); if (argc > 1) g.x = 3; k<<<g, 256>>>(p, 1);", [3]),
])
def test_launches_of_no_thread_are_none(code: str, grids: list[Any], kernel_file: Write) -> None:
    found = launches(kernel_file(HEAD + f"int main(int argc, char **argv) {{ float *p; {code} }}\n"))
    assert [launch.grid[0] for launch in found] == grids, found


@pytest.mark.parametrize(("code", "stated"), [case[1:] for case in FORMS], ids=[case[0] for case in FORMS])
def test_form(code: str, stated: dict[str, Any], kernel_file: Write) -> None:
    found = launches(kernel_file(HEAD + f"int main() {{\n  {code}\n}}\n"))
    assert len(found) == 1
    assert {name: getattr(found[0], name) for name in stated} == stated
    assert found[0].place.line == 4


@pytest.mark.parametrize(("expression", "value"), [
    ("(n + 255) / 256", 4096), ("-7 / 2 + 4", 1), ("-7 % 4 + 4", 1), ("ceil(1000 / 256.0)", 4), ("(int)ceilf(n / 3.0f)", 349526),
    ("static_cast<int>(7.9)", 7), ("std::min(n, 100)", 100), ("std::max<size_t>(n, 2u)", 1 << 20), ("sizeof(float) * 2", 8),
    ("sizeof(double2)", 16), ("sizeof(float *)", 8), ("flag ? 4 : 8", 4), ("B", 129), ("A + 1", 129), ("0x10 + 010 + 0b1", 25),

     ("n >> 10 | 1", 1025), ("block.x * block.y", 32), ("unsigned(5)", 5), ("W", 1000), ("wide / 4", 1 << 38),
    ("1'000", 1000), ("!0 + ~-3", 3),

     ("2147483647 + 1", None), ("65536 * 65536", None), ("1u - 2u", None), ("1 << 31", None), ("4 / 0", None),
    ("n / 0.0", None), ("later", None),

     ("unknown(4)", None), ("global", 5), ("narrow", None), ("x.size()", None), ("p[0]", None), ("other", None),
    ("n ? 1", None), ("", None),

     ("+".join("1" * 9999), None), ("(" * 999 + "1" + ")" * 999, None), ("self", None), ("true", 1), ("sizeof(n)", None),
    ("c::W", None),
])
def test_value(expression: str, value: int | None, kernel_file: Write) -> None:
    text = HEAD + f"""constexpr int W = 1000, H = W / 2;
enum {{ A = 128, B }};
int global = 5;
void f() {{ int other = 3; }}
int main() {{
  const int n = 1 << 20;
  static const bool flag = n > 2 && W != H;
  dim3 block(8, 4);
  size_t wide = 1ull << 40;
  char narrow = 300;
  int self = self + 1;
  k<<<1, 1>>>(p{"," * bool(expression)} {expression});
  int later = 4;
}}
"""
    found = launches(kernel_file(text))[0].args
    assert found == ((None, value) if expression else (None,))


@pytest.mark.parametrize(("code", "known"), [
    ("int n = 4; LAUNCH", True),
    ("int n; n = 4; LAUNCH", True),
    ("unsigned int m = 2, n = m * 2; LAUNCH", True),
    ("auto n = 4; if (n > 3) { LAUNCH }", True),
    ("int n = 4; std::vector<float> v(n); malloc(n); printf(\"%d\", n); v.resize(n); by_value(n); LAUNCH", True),
    ("int n = 4; { int n = 5; n++; } LAUNCH", True),
    ("int n = 4; int q = m & n; q = n << n; LAUNCH", True),
    ("int n = 4; auto f = [&]() { LAUNCH };", True),
    ("for (int i = 0; i < 9; i++) { const int n = 4; LAUNCH }", True),
    ("const int n = 4; whatever(n); LAUNCH", True),
    ("int n(4), m{n}; dim3 const g(n), h(1, m); LAUNCH", True),
    ("try { f(); } catch (int n) { LAUNCH }", False),
    ("int n = 4; Thing t(n); LAUNCH", False),
    ("int n = 4; Thing t{n}; LAUNCH", False),
    ("int n = 4; auto f = [](int &x) { x = 5; }; f(n); LAUNCH", False),
    ("int n = 4; call<int>(n); LAUNCH", False),
    ("int n = 4; std::tie(n, m) = f(); LAUNCH", False),
    ("LAUNCH int n = 4;", False),
    ("int n; if (argc) n = 4; LAUNCH", True),
    ("int n = 4; if (argc) n = 5; LAUNCH", False),
    ("int n; LAUNCH n = 4;", False),
    ("int n = 5; n = 4; LAUNCH", True),
    ("int n = 5; if (argc) return 1; n = 4; LAUNCH", True),
    ("int n = 4; LAUNCH n += 1;", True),
    ("int n = 4; while (argc--) { LAUNCH n += 1; }", False),
    ("int n = 4; ++n; LAUNCH", False),
    ("int n = 4; n--; LAUNCH", False),
    ("int n = 4; scanf(\"%d\", &n); LAUNCH", False),
    ("int n = 4; std::cin >> n; LAUNCH", False),
    ("int n = 4; int &r = n; r = 5; LAUNCH", False),
    ("int n = 4; auto f = [&n]() { n = 5; }; LAUNCH", False),
    ("int n = 4; by_reference(0, n); LAUNCH", False),
    ("int n = 4; std::swap(n, m); LAUNCH", False),
    ("int n = 4; mystery(n); LAUNCH", False),
    ("int n = 4; app.add_option(\"-n\", n); LAUNCH", False),
    ("int n = 4; { char *n = 0; LAUNCH }", False),
    ("int n = 4; auto f = [](int n) { LAUNCH };", False),
    ("int n = 4; for (int n = 0; n < 3; n = n + 1) LAUNCH", False),
    ("int n = argc > 1 ? atoi(argv[1]) : 4; LAUNCH", False),
    ("{ int n = 4; } LAUNCH", False),
    ("float n[4]; LAUNCH", False),
])
def test_a_variable_is_known_where_nothing_else_can_set_it(code: str, known: bool, kernel_file: Write) -> None:
    text = HEAD + "void by_value(int x) {}\nvoid by_reference(int x, int &y) { y = x; }\nint main(int argc, char **argv) {\n"
    found = launches(kernel_file(text + code.replace("LAUNCH", "k<<<n, 32>>>(p, n);") + "\n}\n"))
    assert ([launch.grid[0] for launch in found] == [4]) is known


def test_parameters_and_other_functions_are_unknown(kernel_file: Write) -> None:
    text = HEAD + """const int n = 4;
void f(int n) { k<<<n, 32>>>(p, n); }
template <int n> void g() { t<float, n><<<1, 32>>>(p, n); }
template <typename T> void h() { t<T, 2><<<n, 32>>>(p, n); }
struct S { int n = 3, x; static constexpr int m = 6; S(int n) : x(n) { k<<<n, m>>>(p, n); } };
extern "C" void e() { int q = 9; k<<<n, q>>>(p, q); }
namespace a { static int z = 2; void i() { k<<<n, z>>>(p, z); } }
"""
    found = launches(kernel_file(text))
    assert [launch.grid[0] for launch in found] == ["{1}", 1, 4, "{1}", 4, 4]
    assert [launch.block[0] for launch in found] == [32, 32, 32, 6, 9, 2]
    assert [launch.template_args for launch in found[1:3]] == [None, None]


def test_device_code_and_function_pointers_are_left_out(kernel_file: Write) -> None:
    text = HEAD + """__global__ void parent() { k<<<1, 32>>>(0, 1); if (1) { k<<<1, 33>>>(0, 1); } }
template <typename F> void f(F run) { run<<<1, 32>>>(0, 1); auto other = run; other<<<1, 32>>>(0, 1); }
"""
    assert launches(kernel_file(text)) == []


def of_kernel(path: Path, name: str = "k") -> list[Launch]:
    """The launches of a kernel as the check takes them."""
    kernel = find_kernels(str(path), name)[0].read()
    return [launch.of(kernel) for launch in host_launches(preprocess(str(path), "cuda", side="host"))[name]]


def test_many_launches_of_the_same_sizes_are_one_with_the_arguments_they_share(kernel_file: Write) -> None:
    calls = " ".join(f"k<<<1, 32>>>(0, {number});" for number in (1, 2, 3, 2, 4, 5, 6, 7, 8, 9, 10))
    launches = of_kernel(kernel_file(f"{HEAD}int main() {{ {calls} }}"))
    assert [(launch.args, launch.source) for launch in launches] == [
        *(({"n": number}, "host code, line 3") for number in range(1, 8)),
        ({}, "host code, line 3 and 2 more with other arguments")]


def test_few_launches_of_the_same_sizes_keep_their_arguments(kernel_file: Write) -> None:
    text = HEAD + "int main(int c, char **) {\n"
    text += " k<<<1, 32>>>(0, 1);\n k<<<1, 32>>>(0, 2);\n k<<<c, 32>>>(0, 7);\n k<<<c, c>>>(0, 1);\n}"
    path = kernel_file(text)
    assert [(launch.grid, launch.block, launch.args, launch.source) for launch in of_kernel(path)] == [
        ((1, 1, 1), (32, 1, 1), {"n": 1}, "host code, line 4"), ((1, 1, 1), (32, 1, 1), {"n": 2}, "host code, line 5"),
        ((None, 1, 1), (32, 1, 1), {"n": 7}, "host code, line 6"),
        (("c", 1, 1), ("c", 1, 1), {"n": 1}, "host code, line 7")]


def test_a_size_over_an_argument_of_another_type_is_known_where_both_hold_it(kernel_file: Write) -> None:
    text = HEAD + "void f(float *p, int n) { k<<<n, 32>>>(p, n); }\nvoid g(float *p, unsigned n) { k<<<n, 32>>>(p, n); }\n"
    assert [(launch.grid, launch.block) for launch in of_kernel(kernel_file(text))] == [
        (("n", 1, 1), (32, 1, 1)), (("n", 1, 1), (32, 1, 1))]
    assert [launch.requires for launch in of_kernel(kernel_file(text))] == [(), ("n >= 0",)]
    narrow, = of_kernel(kernel_file(HEAD + "void f(float *p, long n) { k<<<n, 32>>>(p, n); }"))
    assert (narrow.grid, narrow.of_host[0].name) == (("n_2", 1, 1), "n_2") and "n == n_2" in narrow.requires
    assert [launch.grid for launch in of_kernel(kernel_file(text.replace("unsigned", "int")))] == [("n", 1, 1)]


@pytest.mark.parametrize(("kind", "told"), [
    ("int", ("a == {1} + 1",)), ("long", ("a == {1} + 1",)), ("bool", ()), ("float", ()), ("short", ("a == {1} + 1",)),
])
def test_an_argument_over_others_is_tied_to_its_parameter(kind: str, told: tuple[str, ...], kernel_file: Write) -> None:
    text = f"__global__ void k(float *p, int n, {kind} a) {{}}\nvoid f(float *p, int n) {{ k<<<1, 32>>>(p, n, n + 1); }}\n"
    launch, = of_kernel(kernel_file(text))
    tied = tuple(need for need in launch.requires if "==" in need)
    assert tied == tuple(each.replace("{1}", "n") for each in told)


NEEDS = [
    ("int", "(n + 127) / 128", ("n + 127 <= 2147483647",)),
    ("int", "(n - 1) / 128 + 1", ("n - 1 >= -2147483648",)),
    ("unsigned", "(n - 1) % 64 + 1", ("n - 1 >= 0",)),
    ("unsigned", "(n - 1) / 256 + 1", ("n - 1 >= 0",)),
    ("unsigned", "(n + 255) / 256", ("n + 255 <= 4294967295",)),
    ("int", "(n + 15u) / 16", ("n >= 0",)),
    ("int", "n / 4 + 1", ()),
    ("int", "n % 7 + 1", ()),
    ("int", "1024 / n", ("n >= 1",)),
    ("short", "n * 2", ()),
    ("size_t", "(n + 63) / 64", ("n <= 1099511627776", "(n + 63) / 64 <= 4294967295")),
    ("int", "(unsigned char)n", ("n >= 0", "n <= 255")),
    ("int", "n * n", ("n * n <= 2147483647",)),
]


@pytest.mark.parametrize(("kind", "size", "needs"), NEEDS)
def test_what_a_size_needs_is_required(kind: str, size: str, needs: tuple[str, ...], kernel_file: Write) -> None:
    text = f"__global__ void k(float *a, {kind} n) {{}}\nvoid f(float *p, {kind} n) {{ k<<<{size}, 32>>>(p, n); }}"
    launch, = of_kernel(kernel_file(text))
    assert launch.grid is not None and isinstance(launch.grid[0], str)
    assert tuple(need for need in launch.requires if not need.startswith("n * n >=")) == needs


SYMBOLIC = [
    ("k<<<(n + 127) / 128, 128>>>(p, n);", "(n + 127) / 128"),
    ("int blocks = (n + 127) / 128; k<<<blocks, 128>>>(p, n);", "((n + 127) / 128)"),
    ("const int each = 64; int blocks = n / each; k<<<blocks * 2, each>>>(p, n);", "(n / 64) * 2"),
    ("dim3 grid(n / 16, 4); k<<<grid, 16>>>(p, n);", "n / 16"),
    ("dim3 grid = dim3((n + 1)/ 2u); k<<<grid, 16>>>(p, n);", "(n + 1) / 2"),
    ("auto grid = dim3{n}; k<<<grid, 16>>>(p, n);", None),
    ("k<<<dim3(n), 16>>>(p, n);", "n"),
    ("k<<<n, 16>>>(p, n + 1);", "n_2"),
    ("long m = n; k<<<m, 16>>>(p, m);", "n"),
    ("unsigned m = n; k<<<m, 16>>>(p, m);", "n"),
    ("int m = n; m++; k<<<m, 16>>>(p, m);", "n"),
    ("int m = n; k<<<m, 16>>>(p, m); m = 3;", "n"),
    ("int m = n; k<<<m++, 16>>>(p, m);", None),
    ("int m = n; dim3 g(m); m++; k<<<g, 16>>>(p, m);", "n_2"),
    ("int m; m = n; k<<<m + 1, 16>>>(p, m);", "n + 1"),
    ("k<<<ceil(n / 2.0), 16>>>(p, n);", "(n + 1) / 2"),
    ("k<<<ceil((float)n / 48), 16>>>(p, n);", "(n + 47) / 48"),
    ("k<<<ceil(n / 48), 16>>>(p, n);", "n / 48"),
    ("k<<<(int)(n / 48.0f + 1), 16>>>(p, n);", None),
    ("k<<<ceilf(n / 48.0), 16>>>(p, n);", None),
    ("k<<<std::min(n, 100), 16>>>(p, n);", "min(n, 100)"),
    ("k<<<f(n), 16>>>(p, n);", None),
    ("k<<<n > 3 ? 4 : 5, 16>>>(p, n);", "((n > 3) ? 4 : 5)"),
    ("k<<<s.n, 16>>>(p, n);", None),
    ("volatile int m = n; k<<<m, 16>>>(p, m);", None),
    ("k<<<n[0], 16>>>(p, n);", None),
]


@pytest.mark.parametrize(("code", "grid"), SYMBOLIC)
def test_sizes_over_arguments_become_those_over_parameters(code: str, grid: str | None, kernel_file: Write) -> None:
    found, = of_kernel(kernel_file(HEAD + f"void host(float *p, int n) {{ {code} }}"))
    assert found.grid is not None and found.grid[0] == grid if grid else not (found.grid or [None])[0], found


@pytest.mark.parametrize("text", [
    "<<<", "k<<<", "k<<<1", "k<<<1,", "k<<<>>>", "k<<<1, 2>>>", "k<<<1, 2>>>(", ">>><<<>>>", "<<<1, 2>>>(3)",
    "k<<<1, 2, 3, 4, 5, 6>>>(7)",
    "}}}} k<<<1, 2>>>(3) ))))", "k<<<(1, {2, [3>>>(4);", "t<<<<1, 2>>>>()", "t<a<b<c<<<1, 2>>>", "cudaLaunchKernel(",
    "cudaLaunchKernel()",
    "cudaLaunchKernelEx(a)", "hipLaunchKernelGGL(,,,,)", "enum { A = , B = { k<<<A, B>>>()",
    "int = ; int int int = 3 k<<<1, int>>>(int)",
    "dim3 g(1; k<<<g, g>>>(g)", "dim3 g = {}; k<<<g, g>>>()", "using k<<<", "typedef", "enum",
    "(" * 999 + "k<<<1, 2>>>" + ")" * 999, "&k<<<1,1>>>(&)",
    "int a = b, b = a; f() { static int c = d, d = c; k<<<c, d>>>(c.x, d.y.z) }",
    "k<<<0x, 1.2.3>>>(09, 1e999, 1e-999f, 0b2, 1ullu)",
], ids=range(29))
def test_odd_code_is_no_fault(text: str, kernel_file: Write) -> None:
    for wrapped in (text, f"int main() {{ {text} }}", f"template <{text}> class A {{ {text}"):
        assert isinstance(launches(kernel_file(wrapped)), list)


@pytest.mark.parametrize("argument", ["mystery()", "q.x", "{3}", "dim3(3)", "", "3 ? mystery() : 4"])
def test_a_type_that_an_argument_does_not_tell_is_not_known(argument: str, kernel_file: Write) -> None:
    run = "template <class T> static void run(T n) { t<T, 2><<<1, 32>>>(0, n); }"
    found, = launches(kernel_file(f"{HEAD}{run} int main() {{ run({argument}); }}"))
    assert found.template_args is None and found.block == (32, 1, 1)


def test_each_instance_of_a_template_that_is_launched_often_has_its_launches(kernel_file: Write) -> None:
    """Calls of the function around a launch are many where templates are."""
    sizes = (32, 64, 128, 256, 512)
    run = """template <class T, int N> static void run(T *p, int n) { t<T, N><<<n, N / 2>>>(p, n); }
template <int N> static void all(int n) { run<int, N>(0, n); run<float, N>(0, n); run<char, N>(0, n); run<long, N>(0, n); }"""
    found = launches(kernel_file(f"{HEAD}{run} int main() {{ {' '.join(f'all<{size}>(7);' for size in sizes)} }}"))
    assert {(each.template_args, each.block) for each in found} == {
        ((kind, str(size)), (size // 2, 1, 1)) for kind in ("int", "float", "char", "long") for size in sizes}


def test_work_is_linear_in_the_text(kernel_file: Write) -> None:
    line = "int n{0} = n{1} + 1; dim3 g{0}((n{0} + 255) / 256); k<<<g{0}, 256>>>(p, n{0}); if (n{0} < 3) {{ f(n{0}); }}\n"
    deep = "int main() {" + "".join(line.format(at, at - 1) for at in range(3000)) + "}"
    for text in (deep, "{" * 99_999, "k<<<" * 20_000, "a<" * 99_999 + "<<<", "int a(" * 50_000 + "<<<",
    "int a = " * 50_000 + "<<<",
                 "enum { A, " * 30_000 + "<<<", "f(a, " * 50_000 + "<<<", "k<<<1, 1>>>(" * 20_000):
        began = time.process_time()
        launches(kernel_file(text))
        assert time.process_time() - began < 10


def test_kernels_of_namespaces_are_those_that_the_file_declares(kernel_file: Write) -> None:
    call = "int main() { float *p; ::a::b::k<3><<<1, 1>>>(p); }\n"
    kernel = "template <int B> __global__ void k(float *p) {}"
    found = launches(kernel_file(f"namespace a {{ namespace b {{ {kernel} }} }}\n{call}"))
    assert [(launch.kernel, launch.qualified, launch.template_args) for launch in found] == [("k", "a::b::k", ("3",))]
    for other in (kernel, f"namespace a {{ {kernel} }}", f"namespace a {{ namespace b {{ {kernel} }} {kernel} }}"):
        assert launches(kernel_file(f"{other}\n{call}")) == []


STRUCTS = """struct P { int u, v; }; struct Q { int u, v; __host__ __device__ Q(int x) : u(2 * x), v(x) {} };
__global__ void k(float *p, %s w, int n) { p[threadIdx.x] = n; }
"""


@pytest.mark.parametrize(("kind", "value", "known"), [
    ("P", "P{1, 2}", {"n": 5}), ("float2", "make_float2(1, 2)", {"n": 5}), ("Q", "4", {"n": 5}), ("int", "4", {"w": 4, "n": 5}),
    ("float *", "0", {"n": 5}), ("P *", "0", {"n": 5}), ("int4", "v", {"n": 5}),
])
def test_arguments_belong_to_parameters_not_to_fields(kind: str, value: str, known: dict[str, int], kernel_file: Write) -> None:
    text = STRUCTS % kind + f"void f(float *p, int4 v) {{ k<<<1, 64>>>(p, {value}, 5); }}\n"
    assert [launch.args for launch in of_kernel(kernel_file(text))] == [known]


def test_sizes_over_an_argument_behind_a_struct(kernel_file: Write) -> None:
    text = STRUCTS % "P" + "void f(float *p, P w, int n) { k<<<n, 64>>>(p, w, n); }\n"
    assert [launch.grid for launch in of_kernel(kernel_file(text))] == [("n", 1, 1)]
