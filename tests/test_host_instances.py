"""Which instance of a template a launch is of, and constants of namespaces: what is certain is read, no other is believed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from automata.lang.host import HostLaunch, find_launches, host_launches, launches_named
from automata.lang.preprocess import preprocess
from automata.lang.read import find_kernels

Write = Callable[..., Path]
KERNELS = """#include <cstdint>
template <typename T> __global__ void k(T *a, int n) {}
template <typename T, int B = 128> __global__ void d(const T *__restrict__ a, T x) {}
template <typename A, typename B> __global__ void two(A *a, const B *b) {}
template <typename T, typename U = T> __global__ void same(T *a, int n) {}
"""


def launches(text: str, write: Write) -> list[HostLaunch]:
    return find_launches(preprocess(str(write(text)), "cuda", side="host"))


CERTAIN = {
    "a pointer": ("float *p; k<<<1, 64>>>(p, 3);", ("float",)),
    "to what is const": ("const double *p; d<<<1, 64>>>(p, 1.0);", ("double", "128")),
    "of a parameter": ("} void go(unsigned int *p) { k<<<1, 64>>>(p, 3);", ("unsigned int",)),
    "by a typedef": ("} typedef long long wide; void go(wide *p) { k<<<1, 64>>>(p, 3);", ("long long",)),
    "by a name of the library": ("uint64_t *p; k<<<1, 64>>>(p, 3);", ("unsigned long",)),
    "words in another order": ("long unsigned int *p; k<<<1, 64>>>(p, 3);", ("unsigned long",)),
    "a cast": ("void *p; k<<<1, 64>>>((short *)p, 3);", ("short",)),
    "two": ("float *p; int *q; two<<<1, 64>>>(p, q);", ("float", "int")),
    "one is written": ("int *q; two<float><<<1, 64>>>(0, q);", ("float", "int")),
    "written by an alias": ("} using real = double; int main() { real *p; k<real><<<1, 64>>>(p, 3);", ("double",)),
    "a class": ("} struct S { int a; }; int go() { S *p; k<<<1, 64>>>(p, 3);", ("S",)),
    "a pair of halves by another name": ("half2 *p; k<half2><<<1, 64>>>(p, 3);", ("__half2",)),
    "of a pointer to such pairs": ("nv_bfloat162 *p; k<<<1, 64>>>(p, 3);", ("__nv_bfloat162",)),
    "a class of the program's own that is called half2": (
        "} struct half2 { int a; }; int go() { half2 *p; k<half2><<<1, 64>>>(p, 3);", ("half2",)),
    "a class of the program's own that is called half": (
        "} struct half { int a; }; int go() { half *p; k<<<1, 64>>>(p, 3);", ("half",)),
    "a name that a block gives to another": (
        "} using real = float; int go(void *p) { using real = double; { using t = real; k<t><<<1, 64>>>((t *)p, 3); }",
        ("double",)),
    "another name of a class of the library": ("} typedef __half H; int go() { H *p; k<<<1, 64>>>(p, 3);", ("__half",)),
    "another name, passed by a template": (
        "} using H = half; template <typename T> static void go() { T *p; k<<<1, 64>>>(p, 3); } int f() { go<H>();", ("__half",)),
    "a default by another": ("char *p; same<<<1, 64>>>(p, 3);", ("char", "char")),
}


@pytest.mark.parametrize(("code", "args"), CERTAIN.values(), ids=CERTAIN)
def test_deduced(code: str, args: tuple[str, ...], kernel_file: Write) -> None:
    found = launches(f"{KERNELS}int main() {{ {code} }}\n", kernel_file)
    assert [launch.template_args for launch in found] == [args]


HELD = {
    "a class has the name too": "} typedef __half H; struct S { typedef float H; }; int go() { H *p; k<<<1, 64>>>(p, 3);",
    "a block has the name too": "} typedef __half H; int go() { typedef float H; H *p; k<<<1, 64>>>(p, 3);",
    "a class is called so in a namespace": (
        "} typedef __half H; namespace n { struct H {}; int go() { H *p; k<<<1, 64>>>(p, 3); } int f() {"),
    "a template's parameter is called so": (
        "} typedef __half H; template <typename H> static void go() { H *p; k<<<1, 64>>>(p, 3); } int f() { go<char>();"),
    "a base that is not seen may give it": (
        "} typedef __half H; struct S : Base { void go() { H *p; k<<<1, 64>>>(p, 3); } }; int f() {"),
    "a pointer to a class": "} typedef __half *H; int go() { H p; k<<<1, 64>>>(p, 3);",
}


@pytest.mark.parametrize("code", HELD.values(), ids=HELD)
def test_another_name_that_may_be_another_type(code: str, kernel_file: Write) -> None:
    """Whatever is said, it is never the type that the name has elsewhere."""
    found = launches(f"{KERNELS}int main() {{ {code} }}\n", kernel_file)
    assert ("__half",) not in [launch.template_args for launch in found]


OPEN = {
    "auto": "auto p = get(); k<<<1, 64>>>(p, 3);",
    "an expression": "float *p; k<<<1, 64>>>(p + 1, 3);",
    "a call": "k<<<1, 64>>>(get(), 3);",
    "another number of stars": "float **p; k<<<1, 64>>>(p, 3);",
    "const is a part of it": "const float *p; k<<<1, 64>>>(p, 3);",
    "an array": "float p[4][4]; k<<<1, 64>>>(p, 3);",
    "a name of the file's own": "} struct half { int a; }; typedef half *H; int main() { H p; k<<<1, 64>>>(p, 3);",
    "a class of the program's own that is called as one of PyTorch's":
        "} namespace at { struct Half { float x; }; } int go(at::Half *p) { k<<<1, 64>>>(p, 3);",
    "a class gives the name later": (
        "} using real = float; struct S { void go(void *p) { k<real><<<1, 64>>>((real *)p, 3); } using real = double; }; "
        "int go() {"),
    "a base that is not seen may give the name":
        "} using real = float; struct S : Base { void go(void *p) { k<real><<<1, 64>>>((real *)p, 3); } }; int go() {",
    "a base that is not seen may give the name of a cast":
        "} using real = float; struct S : Base { void go(void *p) { k<<<1, 64>>>((real *)p, 3); } }; int go() {",
    "a base that is not seen may give the name of a variable's type":
        "} using real = float; struct S : Base { void go() { real *p; k<<<1, 64>>>(p, 3); } }; int go() {",
    "nobody calls it": "} template <typename T> void go(T *p) { k<<<1, 64>>>(p, 3);",
    "hidden by another": "float *p; { get(p); union { int *p; }; k<<<1, 64>>>(p, 3); }",
}


@pytest.mark.parametrize("code", OPEN.values(), ids=OPEN)
def test_not_deduced(code: str, kernel_file: Write) -> None:
    found = launches(f"{KERNELS}int main() {{ {code} }}\n", kernel_file)
    assert [launch.template_args for launch in found] in ([None], [])


def test_by_calls_of_a_template(kernel_file: Write) -> None:
    """A template of the host launches an instance for each of its calls, with the sizes of that call."""
    text = KERNELS + """
template <typename T> void go(int b) { T *p; k<<<1, b * sizeof(T)>>>(p, 3); }
int main() { go<float>(16); go<double>(32); }
"""
    found = {launch.template_args: launch.block[0] for launch in launches(text, kernel_file)}
    assert found == {("float",): 64, ("double",): 256}


ONE_PLACE = """
template <typename T> void go(T *p) { k<<<2, 64>>>(p, 3); }
void all(float *p, double *q, int kind) { kind ? go(p) : go(q); }
"""


@pytest.mark.parametrize(("more", "many"), [("", 1), ("template <typename T> void other(T *p) { k<<<2, 32>>>(p, 3); }", 0),
                                            ("void *table[] = {(void *)k<float>};", 0)])
def test_an_instance_that_is_not_told(more: str, many: int, kernel_file: Write) -> None:
    """It is launched where the kernel is named, if that is one place; where there are more, nobody knows by which."""
    text = preprocess(str(kernel_file(KERNELS + ONE_PLACE + more)), "cuda", side="host")
    found = launches_named("k<float>", {"k<*>": host_launches(text)["k<*>"]} if many else host_launches(text))
    assert len(found) == many


NAMESPACED = {
    "a constant": ("namespace a::b { constexpr int N = 64; }", "a::b::N", 64),
    "computed": ("namespace a { constexpr int M = 16; constexpr int N = 4 * M; }", "a::N", 64),
    "by auto": ("namespace a { constexpr int N = 64; } constexpr auto B = a::N;", "B", 64),
    "no constant": ("namespace a { int N = 64; }", "a::N", None),
    "two of the name": ("namespace a { constexpr int N = 64; } namespace b { constexpr int N = 32; }", "a::N", 64),
    "two of the name, of another": (
        "namespace a { constexpr int M = 32; } namespace b { constexpr int M = 64; constexpr int N = b::M; }", "b::N", 64),
    "two of the name, in one of another": (
        "namespace a { constexpr int N = 32; namespace b { constexpr int N = 64; } }", "a::b::N", 64),
    "two of the name, in an inline one": (
        "namespace a { inline namespace c { constexpr int N = 64; } } namespace b { constexpr int N = 32; }", "a::N", None),
    "two of the name, one nearer in an inline one": (
        "namespace a { constexpr int N = 6; } "
        "namespace b { inline namespace a { int N; } constexpr int M = a::N; }",
        "b::M", None),
    "two of the name, the other by using": (
        "namespace b { constexpr int N = 32; constexpr int M = 64; } namespace a { using namespace b; }", "a::N", 32),
    "two of the name, one nearer": (
        "namespace a { constexpr int N = 64; } namespace b { namespace a { constexpr int N = 32; } constexpr int M = a::N; }",
        "b::M", 32),
    "two of the name, one nearer in an unknown header": (
        '#include "unknown.h"\nnamespace a { constexpr int N = 64; } namespace b { constexpr int M = a::N; int N; }',
        "b::M", None),
    "of a class": ("struct a { static constexpr int N = 64; };", "a::N", 64),
    "of a class, beside an unknown header": ('#include "unknown.h"\nstruct a { static constexpr int N = 64; };', "a::N", None),
    "of a class, not constant": ("struct a { static int N; }; int a::N = 64;", "a::N", None),
    "of a library": ("namespace std { constexpr int N = 64; }", "std::N", None),
    "beside an unknown header": ('#include "unknown.h"\nnamespace a { constexpr int N = 64; }', "a::N", 64),
    "from the file's own scope": ('#include "unknown.h"\nnamespace a { constexpr int N = 64; }', "::a::N", 64),
    "in another namespace": (
        '#include "unknown.h"\nnamespace z { namespace a { constexpr int N = 64; } }\nusing namespace z;', "a::N", None),
    "by another name": ('#include "unknown.h"\nnamespace a { constexpr int N = 64; }\nnamespace b = a;', "b::N", None),
    "of a name given anew": (
        '#include "unknown.h"\nnamespace a { constexpr int N = 64; }\nvoid h() { namespace a = other; }', "a::N", None),
    "in a namespace without a name": ('#include "unknown.h"\nnamespace a { namespace { constexpr int N = 64; } }', "a::N", None),
    "in an inline one": ('#include "unknown.h"\nnamespace a { inline namespace b { constexpr int N = 64; } }', "a::b::N", None),
    "a template": ("namespace a { template <int> constexpr int N = 64; }", "a::N<1>", None),
}


@pytest.mark.parametrize(("head", "size", "value"), NAMESPACED.values(), ids=NAMESPACED)
def test_constant_of_a_namespace(head: str, size: str, value: int | None, kernel_file: Write) -> None:
    found = launches(f"{head}\nnamespace c {{ __global__ void g(float *a) {{}} }}\n"
                     f"int main() {{ float *p; c::g<<<1, {size}>>>(p); }}\n", kernel_file)
    assert [launch.block[0] for launch in found] == [value]


@pytest.mark.parametrize(("before", "said", "told"), [
    ("namespace a { enum class E { X }; }", "a::E::X", True),
    ("namespace a { enum class E { X }; } namespace b { using E = a::E; enum class F { X }; }", "a::E::X", True),
    ("enum class E { X }; namespace b { enum class E { X }; } using namespace b;", "E::X", False),
    ("namespace a { enum class E { X }; } namespace c { namespace a { enum class E { X }; } }", "a::E::X", True),
    ("namespace a { enum class E { X }; } namespace b = a; namespace c { enum class E { X }; }", "b::E::X", False),
    ('#include "unknown.h"\n#ifdef U\nnamespace a { enum class E { X }; }\n#endif\n', "a::E::X", False),
])
def test_an_enumerator_of_a_namespace(before: str, said: str, told: bool, kernel_file: Write) -> None:
    """Clang spells a template's argument by its whole path; what the text says is taken for it where it is that path."""
    kernel = "template <auto e> __global__ void k(float *a) {}"
    found = launches(f"{before}\n{kernel}\nvoid f(float *p) {{ k<{said}><<<1, 64>>>(p); }}\n", kernel_file)
    assert [launch.template_args for launch in found] == [(said,) if told else None]


@pytest.mark.parametrize(("include", "value"), [("", 64), ('#include "unknown.h"', None)])
@pytest.mark.parametrize("user", ["namespace c {{ {} }}", "struct C {{ {} }};"])
def test_a_nearer_namespace_in_a_header(user: str, include: str, value: int | None, kernel_file: Write) -> None:
    """A header that is not there may hold c::a, or a base of C with a member called a."""
    code = user.format("void f(float *p) { g<<<1, a::N>>>(p); }")
    before = "namespace a { constexpr int N = 64; }\n__global__ void g(float *p) {}"
    found = launches(f"{include}\n{before}\n{code}\n", kernel_file)
    assert [launch.block[0] for launch in found] == [value]


@pytest.mark.parametrize(("code", "many"), [
    ("auto t = std::chrono::duration<double, std::milli>(1); int duration = 3;", 1),
    ("int k = 3; int y = q < k, z > (3);", 1),
    ("int n = 3; int q = 1; bool y = f(n < q, q > (3));", 0),
])
def test_brackets_that_may_be_comparisons(code: str, many: int, kernel_file: Write) -> None:
    """A variable whose `<` is taken for one of template arguments leaves nothing certain; behind `::` stands none of a body."""
    found = launches(f"__global__ void g(float *a) {{}}\nint main() {{ float *p; {code} g<<<1, 64>>>(p); }}\n", kernel_file)
    assert len(found) == many


def test_an_assertion_changes_nothing(kernel_file: Write) -> None:
    found = launches("__global__ void g(float *a) {}\nint main() { float *p; const int b = 64;\n"
                     "static_assert(b % 32 == 0, \"warps\"); g<<<1, b>>>(p); }\n", kernel_file)
    assert [launch.block[0] for launch in found] == [64]


@pytest.mark.parametrize(("sizes", "is_vague", "is_open"), [
    ("n, n", False, True), ("dim3(q, 2), 64", False, False), ("n, dim3(n, n)", False, True), ("n / m, m", False, True),
    ("q, n", True, True), ("n, dim3(q, n)", True, True), ("64, 64", False, False)])
def test_sizes_of_which_little_is_known(sizes: str, is_vague: bool, is_open: bool, kernel_file: Write) -> None:
    """Values that nobody knows are sizes: they stay symbols. What is no value is not told."""
    text = f"__global__ void g(float *a) {{}}\nvoid go(float *p, int n, int m) {{ g<<<{sizes}>>>(p); }}\n"
    path = str(kernel_file(text))
    gathered = host_launches(preprocess(path, "cuda", side="host"))
    assert list(gathered) == ["g?" if is_vague else "g"]
    stated = launches_named("g", gathered)
    assert [launch.has_sizes for launch in stated] == [not is_vague]
    launch = stated[0].of(find_kernels(path)[0].read())
    assert (launch.is_vague, launch.is_open) == (is_vague, is_open)


BY_VARIABLE = {
    "auto": ("auto f = k<float>;", ("k", ("float",))),
    "const auto": ("const auto f = &k<double>;", ("k", ("double",))),
    "by a cast": ("auto f = (void (*)(float *, int))k<float>;", None),
    "set again": ("auto f = d<float, 2>; f = d<float, 4>;", ("d", ("float", "4"))),
    "perhaps set again, with a default": ("auto f = d<float>; if (argc) f = d<float, 4>;", None),
    "handed on": ("auto f = k<float>; change(&f);", None),
    "by reference": ("auto g = k<float>; auto &f = g;", None),
    "one of two": ("auto f = argc ? k<float> : k<double>;", None),
    "another of the name": ("auto f = k<float>; { auto f = k<double>; }", ("k", ("float",))),
    "of a call": ("auto f = choose(k<float>);", None),
}


@pytest.mark.parametrize(("code", "kernel"), BY_VARIABLE.values(), ids=BY_VARIABLE)
def test_launched_by_a_variable(code: str, kernel: tuple[str, tuple[str, ...]] | None, kernel_file: Write) -> None:
    found = launches(f"{KERNELS}int main(int argc, char **argv) {{ float *p; {code} f<<<1, 64>>>(p, 3); }}\n", kernel_file)
    assert [(launch.kernel, launch.template_args) for launch in found] == ([kernel] if kernel else [])


def test_as_linux_compiles_it(kernel_file: Write) -> None:
    """What another platform decides is not certain; as Linux compiles it, it is, and the launch says so."""
    from automata.lang.read import find_kernels

    path = str(kernel_file("""#ifdef _WIN32
#define SIZE 32
#else
#define SIZE 64
#endif
__global__ void g(float *a) {}
int main() { float *p; g<<<1, SIZE>>>(p); }
"""))
    item, = find_kernels(path, in_project=True)
    plain, linux = (host_launches(text) for text in item.hosts())
    assert not any(launch.block[0] for each in plain.values() for launch in each)
    launch, = linux["g"]
    assert launch.block == (64, 1, 1) and launch.of(item.read()).source == "host code, line 7, as Linux compiles it"


@pytest.mark.parametrize(("macro", "is_told"), [("SYCL_LANGUAGE_VERSION", True), ("__SYCL_DEVICE_ONLY__", True),
                                               ("OTHER_LANGUAGE_VERSION", False), ("_OPENMP", False)])
def test_macros_of_other_languages(macro: str, is_told: bool, kernel_file: Write) -> None:
    """A compiler of another language defines those, none of CUDA: what they decide is certain."""
    code = f"#if defined({macro})\n#define SIZE 32\n#else\n#define SIZE 64\n#endif\n"
    found = launches(f"{KERNELS}{code}int main() {{ float *p; f<<<1, SIZE>>>(p, 3); }}\n", kernel_file)
    assert [launch.block[0] for launch in found if launch.block[0]] == ([64] if is_told else [])


@pytest.mark.parametrize("other", [
    "template <> int size<double>() { return 32; }", "template <> int size<double>();",
    "template <> __host__ __device__ int size<double>() { return 32; }",
])
def test_a_template_that_is_specialised_is_not_followed(other: str, kernel_file: Write) -> None:
    """A call may mean the specialisation, whose body is another."""
    text = KERNELS + "template <typename T> int size() { return 64; }\n"
    launch = "void go(double *p) { k<double><<<1, size<double>()>>>(p, 3); }\n"
    assert [each.block[0] for each in launches(text + launch, kernel_file)] == [64]
    assert [each.block[0] for each in launches(text + other + launch, kernel_file)] == [None]


def test_the_size_of_a_half_by_another_name(kernel_file: Write) -> None:
    """PyTorch's is as large as CUDA's; a class of the program's own may have any size."""
    launch = "void go(at::Half *p) { k<at::Half><<<1, 256 / sizeof(at::Half)>>>(p, 3); }\n"
    assert [each.block[0] for each in launches(KERNELS + launch, kernel_file)] == [128]
    own = "namespace at { struct Half { double x; }; }\n"
    assert [each.block[0] for each in launches(KERNELS + own + launch, kernel_file)] == [None]


LAUNCHER = """template <int N, typename T> __global__ void k(T *a, int n) {{}}
{before}template <int N, typename T> void go(T *p, int n) {{ const int b = (N + 1) * 32; k<N, T><<<n, b>>>(p, n); }}
{after}
"""


def test_explicit_instantiations_say_what_is_launched(kernel_file: Write) -> None:
    after = "template void go<1, float>(float *, int);\nnamespace n {}\ntemplate void go<3, double>(double *, int);"
    found = launches(LAUNCHER.format(before="", after=after), kernel_file)
    assert {(launch.template_args, launch.block[0]) for launch in found} == {(("1", "float"), 64), (("3", "double"), 128)}
    assert {launch.given[1] for launch in found} == {"{1}"}


@pytest.mark.parametrize(("head", "said", "deduced"), [
    ("T *p", "float *p, int n", "float"), ("T *p", "double *, int", "double"), ("const T *p", "const float *p, int", "float"),
    ("T **p", "unsigned int **, int", "unsigned int"), ("T *p", "__half *__restrict__ p, int", "__half"),
    ("T p", "float p, int n", None), ("T &p", "float &p, int n", None), ("T *p", "float const *p, int n", None),
    ("S<T> *p", "S<float> *p, int n", None),
])
def test_what_an_explicit_instantiation_leaves_out(head: str, said: str, deduced: str | None, kernel_file: Write) -> None:
    text = ("template <typename T> __global__ void k(T *a, int n) {}\ntemplate <typename T> struct S {};\n"
            f"template <typename T> void go({head}, int n) {{ k<T><<<n, 256 / sizeof(T)>>>(0, n); }}\n"
            f"template void go({said});\n")
    found = launches(text, kernel_file)
    sizes = {"float": 64, "double": 32, "unsigned int": 64, "__half": 128}
    if deduced is None:
        assert all(launch.template_args is None for launch in found)
    else:
        assert [(launch.template_args, launch.block[0]) for launch in found] == [((deduced,), sizes[deduced])]


def test_calls_count_beside_explicit_instantiations(kernel_file: Write) -> None:
    after = "template void go<1, float>(float *, int);\nstatic void f(float *p) { go<7, float>(p, 5); }\nint main() { f(0); }"
    found = launches(LAUNCHER.format(before="", after=after), kernel_file)
    assert {(launch.template_args, launch.block[0]) for launch in found} == {(("1", "float"), 64), (("7", "float"), 256)}
    assert {launch.args[1] for launch in found} == {None, 5}


@pytest.mark.parametrize(("before", "after"), [
    ("", "template void go(float *, int);"), ("", "template void go<1>(float, int);"),
    ("", "template void go<1>(float **, int);"),
    ("", "template void go<1>(const float *, int);"), ("", "template void go<1>(float *, int, int);"),
    ("", "template <> void go<1, float>(float *p, int n) {}\ntemplate void go<1, float>(float *, int);"),
    ("struct S { ", "};\ntemplate void S::go<1, float>(float *, int);"),
    ("template <int N, typename T> void go(T *p, T n) {}\n", "template void go<1, float>(float *, int);"),
    ("", "template class go<1, float>;"),
], ids=["a number to deduce", "no star", "two stars", "another const", "three parameters", "specialised", "a method",
        "two of the name", "a class"])
def test_instantiations_that_may_be_others(before: str, after: str, kernel_file: Write) -> None:
    found = launches(LAUNCHER.format(before=before, after=after), kernel_file)
    assert all(launch.block[0] != 64 and launch.template_args is None for launch in found)


@pytest.mark.parametrize(("header", "size"), [
    ("gsl/gsl_matrix.h", 64), ("fftw3.h", 64), ("nccl.h", 64), ("gsl/own_matrix.h", None), ("matrix.h", None),
])
def test_a_header_of_a_known_library_may_be_missing(header: str, size: int | None, kernel_file: Write) -> None:
    """What it defines has names of its own; any other may define a macro that changes what it is given."""
    found = launches(f"#include <{header}>\n{KERNELS}int main() {{ float *p; int b = 64; use(p); k<float><<<1, b>>>(p, 3); }}\n",
                     kernel_file)
    assert [launch.block[0] for launch in found] == [size]


@pytest.mark.parametrize(("code", "many"), [
    ("struct S { int g(int); };\nvoid go(float *p) { g<<<1, 64>>>(p); }", 1),
    ("struct S { int g(int); void go(float *p); };\nvoid S::go(float *p) { g<<<1, 64>>>(p); }", 0),
    ("struct S { int g(int); void go(float *p) { g<<<1, 64>>>(p); } };", 0),
    ("struct S { void (*g)(float *); void go(float *p) { g<<<1, 64>>>(p); } };", 0),
    ("struct S : Base { int g(int); void go(float *p) { g<<<1, 64>>>(p); } };", 0),
    ("void g(int);\nvoid go(float *p) { g<<<1, 64>>>(p); }", 1),
    ("__global__ void g(float *, int);\nvoid go(float *p) { g<<<1, 64>>>(p); }", 1),
    ("__global__ void g(double *);\nvoid go(float *p) { g<<<1, 64>>>(p); }", 0),
    ("__global__ void g(float *const __restrict__);\nvoid go(float *p) { g<<<1, 64>>>(p); }", 1),
    ("__global__ void g(const float *a);\nvoid go(float *p) { g<<<1, 64>>>(p); }", 0),
    ("void (*f)(float *);\nvoid go(float *p, void (*g)(float *)) { g<<<1, 64>>>(p); }", 0),
    ("__global__ void g(float *, int n = 3);\nvoid go(float *p) { g<<<1, 64>>>(p); }", 0),
    ("extern void (*g)(double *);\nvoid go(float *p) { g<<<1, 64>>>(p); }", 0),
    ("template <class... A> __global__ void g(A *...a);\nvoid go(float *p) { g<<<1, 64>>>(p); }", 0),
], ids=["of a class elsewhere", "of the class that launches", "within it", "a member", "of a base", "a function",
        "a kernel of more arguments", "a kernel of as many", "the kernel, its pointer const", "a kernel of a pointer to const",
        "a parameter", "a default", "a variable",
        "a pack"])
def test_a_kernel_whose_name_a_class_has_too(code: str, many: int, kernel_file: Write) -> None:
    assert len(launches(f"__global__ void g(float *a) {{}}\n{code}\n", kernel_file)) == many


def test_launches_of_kernels_of_one_name(kernel_file: Write) -> None:
    """The number of arguments says which one is launched."""
    text = "__global__ void g(float *a, int n) {}\nvoid go(float *p) { g<<<1, 64>>>(p); g<<<1, 32>>>(p, 3); }\n"
    found = host_launches(preprocess(str(kernel_file("__global__ void g(float *a) {}\n" + text)), "cuda", side="host"))
    assert {name: [each.block[0] for each in launches_named(name, found)] for name in (
        "g(float *)", "g(float *, int)", "g()", "g(float *, int, int)")} == {
            "g(float *)": [64], "g(float *, int)": [32], "g()": [], "g(float *, int, int)": []}


def test_an_alias_inside_a_whole_specialisation(kernel_file: Write) -> None:
    """Its head has no parameters."""
    text = "} template <> float *go<int>() { using real = float; real *p; k<<<1, 64>>>(p, 3); return p; } int f() {"
    assert launches(f"{KERNELS}int main() {{ {text} }}\n", kernel_file)
