"""What a kernel needs is found in its project, and errors in what it does not use cost nothing: good and bad twins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Run

KERNEL = "__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = %s; }\n"


def _tree(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / ".git").mkdir()
    return folder


def _record(run: Run, path: Path, *flags: str) -> dict[str, Any]:
    (record,) = run("check", path, *flags, "--format", "jsonl").records
    return record


def test_the_one_header_of_that_name_is_found(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"src/k/a.cu": '#include "sizes.h"\n#include <deep/more.h>\n' + KERNEL % "SIZE + MORE",
                     "common/sizes.h": "#define SIZE 4\n", "lib/inc/deep/more.h": "#define MORE 1\n"})
    record = _record(run, tmp_path / "src/k/a.cu")
    assert record["verdict"] == "proved"
    assert any("common too, for the project has sizes.h nowhere else" in text for text in record["assumptions"])
    assert any("inc too, for the project has deep/more.h nowhere else" in text for text in record["assumptions"])


def test_of_two_headers_none_is_taken(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"src/k/a.cu": '#include "sizes.h"\n' + KERNEL % "SIZE", "one/sizes.h": "#define SIZE 4\n",
                     "two/sizes.h": "#define SIZE 5\n"})
    record = _record(run, tmp_path / "src/k/a.cu")
    assert record["verdict"] == "unsupported" and "a header was not found: sizes.h" in record["reason"]


def test_of_copies_of_the_tree_the_own_is_taken_and_said(run: Run, tmp_path: Path) -> None:
    """What the others say is not known: a race that only one of them has is told with the assumption."""
    near, far = "#define SIZE i\n#define AT i\n", "#define SIZE i\n#define AT i / 2\n"
    text = "__global__ void k(int *a) { int i = threadIdx.x; a[AT] = SIZE; }\n"
    for at, (one, other) in enumerate(((near, far), (far, near))):
        _tree(tmp_path / str(at), {"src/a.cu": '#include "sizes.h"\n' + text, "one/sizes.h": one, "old/one/sizes.h": other})
        record = _record(run, tmp_path / str(at) / "src/a.cu", "--grid", "1")
        assert record["verdict"] == ("proved", "refuted")[at]
        assert any("of several files called sizes.h that of" in each and each.endswith("one is meant, not a copy's")
                   for each in record["assumptions"])


def test_the_nearest_area_decides(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"src/k/a.cu": '#include "sizes.h"\n' + KERNEL % "SIZE", "src/inc/sizes.h": "#define SIZE 4\n",
                     "two/sizes.h": "#error other\n"})
    assert _record(run, tmp_path / "src/k/a.cu")["verdict"] == "proved"


@pytest.mark.parametrize("text, verdict", [
    ("CC = icc\n# for debugging: -O0\n", "unsupported"), ("# a word of no directive\n", "unsupported"),
    ("#if 0\n# as one likes\n#endif\n#define SIZE 4\n", "proved"), ("/*\n# a comment\n*/\n#define SIZE 4\n", "proved")])
def test_what_goes_by_the_name_is_text_of_c(run: Run, tmp_path: Path, text: str, verdict: str) -> None:
    _tree(tmp_path, {"src/k/a.cu": '#include "config.h"\n' + KERNEL % "SIZE", "tools/config.h": text})
    assert _record(run, tmp_path / "src/k/a.cu")["verdict"] == verdict


def test_what_goes_by_the_name_and_is_none_hides_nothing(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"src/k/a.cu": '#include "config.h"\n' + KERNEL % "4", "tools/config.h": "CC = icc\n# for debugging: -O0\n"})
    assert _record(run, tmp_path / "src/k/a.cu")["verdict"] == "proved"


@pytest.mark.parametrize("word", ["__restrict__", "__restrict"])
def test_a_promise_of_no_pointer_is_passed_over(run: Run, tmp_path: Path, word: str) -> None:
    """`const __restrict__ float *x`: nvcc takes it. The arrays may be told apart as ever, and a race is one."""
    text = f"__global__ void k(const {word} float *x, float *y) {{ y[threadIdx.x{{}}] = x[threadIdx.x]; }}\n"
    _tree(tmp_path, {"a.cu": text.replace("{}", ""), "b.cu": text.replace("{}", " / 2")})
    assert _record(run, tmp_path / "a.cu", "--grid", "1")["verdict"] == "proved"
    assert _record(run, tmp_path / "b.cu", "--grid", "1")["verdict"] == "refuted"


@pytest.mark.parametrize(("use", "verdict"), [
    ("{ if (p > 0) y[threadIdx.x] = *p; }", "proved"),
    ("{ if (p > 0) y[threadIdx.x / 2] = *p + threadIdx.x; }", "refuted"),
    ("{ if (p > 1) y[threadIdx.x] = *p; }", "invalid"),
    ("{ void *at = y;\n float *z =\n (float *)(at + 4 * threadIdx.x); *z = 1; }", "proved"),
    ("{ const void *at = y; *(float *)(at + threadIdx.x / 2 * 4) = threadIdx.x; }", "refuted"),
    ("{ void *at = y; *(float *)(2 * 2 + at) = 1; }", "invalid"),
])
def test_pointers_as_other_compilers_take_them(run: Run, tmp_path: Path, use: str, verdict: str) -> None:
    """A pointer is above null where it is not null, and one to nothing in particular steps by bytes."""
    head = "__global__ void k(float *x, float *y) { const float *p = threadIdx.x < 32 ? x : 0; "
    _tree(tmp_path, {"a.cu": head + use[1:] + "\n"})
    assert _record(run, tmp_path / "a.cu", "--grid", "1")["verdict"] == verdict


MAKE = """N ?= 3
HERE = -I../include
FLAGS := -O3 $(HERE) -DSIZE=$(N) -DTWICE=1 \\
         -DPLAIN
ifeq ($(DEBUG),yes)
FLAGS += -DDEBUG
endif
all: a.cu
\tnvcc $(FLAGS) -c a.cu # -DLATER
other:
\tnvcc -DTWICE=2 $(FLAGS) -DOUTER=$(UNKNOWN)
"""


def _with_make(folder: Path, used: str) -> Path:
    return _tree(folder, {"src/a.cu": '#include "plain.h"\n' + KERNEL % used, "include/plain.h": "#define HEADER 1\n",
                          "other/plain.h": "#define HEADER 2\n", "src/Makefile": MAKE}) / "src/a.cu"


def test_macros_and_folders_of_a_makefile(run: Run, tmp_path: Path) -> None:
    record = _record(run, _with_make(tmp_path, "SIZE + PLAIN + HEADER"))
    assert record["verdict"] == "proved"
    assert any("Makefile says: -DSIZE=3 -DPLAIN" in text for text in record["assumptions"])


@pytest.mark.parametrize("name", ["DEBUG", "TWICE", "OUTER", "LATER"])
def test_what_hangs_on_conditions_or_targets_is_not_taken(run: Run, tmp_path: Path, name: str) -> None:
    record = _record(run, _with_make(tmp_path, name))
    assert record["verdict"] == "invalid" and name in record["reason"]


SWITCHED = """ifeq ($(GPU), 1)
FLAGS += -DGPU
endif
ifeq ($(FAST), 1)
FLAGS += -DFAST
endif
OBJECTS = main.o
ifeq ($(GPU),1)  # the other spelling
OBJECTS += a.o
else
FLAGS += -DHOST
endif
"""


@pytest.mark.parametrize("name, listed, verdict", [
    ("GPU", SWITCHED, "proved"), ("FAST", SWITCHED, "invalid"), ("HOST", SWITCHED, "invalid"),
    ("GPU", SWITCHED.replace("main.o", "main.o a.o"), "invalid"), ("GPU", SWITCHED.replace(" a.o", " b-a.o"), "invalid")])
def test_what_stands_under_the_condition_of_the_file(run: Run, tmp_path: Path, name: str, listed: str, verdict: str) -> None:
    """A file whose object is listed under a condition is compiled where that holds; one listed elsewhere too need not be."""
    text = f"#ifdef {name}\n#define SIZE 3\n#endif\n" + KERNEL % "SIZE"
    path = _tree(tmp_path, {"a.cu": text, "Makefile": listed}) / "a.cu"
    record = _record(run, path)
    assert record["verdict"] == verdict
    assert any("Makefile says: -DGPU" in text for text in record.get("assumptions", ())) == (verdict == "proved")


def test_the_user_comes_before_the_makefile(run: Run, tmp_path: Path) -> None:
    path = _with_make(tmp_path, "SIZE / (SIZE - 3) ? a[i + SIZE] : 0")
    assert _record(run, path, "-D", "SIZE=0")["verdict"] == "proved"


def test_a_fragment_of_a_fragment_is_read_as_the_whole(run: Run, tmp_path: Path) -> None:
    main = '#define SIZE 4\n#include "solver.cu"\n'
    _tree(tmp_path, {"main.cu": main, "solver.cu": '#include "k.cu"\n', "k.cu": KERNEL % "SIZE"})
    record = _record(run, tmp_path / "k.cu")
    assert record["verdict"] == "proved" and any("main.cu includes it" in text for text in record["assumptions"])


TIMER = "#ifdef HAVE_CLOCK\n#define CLOCK 1\n#else\n#error no clock here\n#endif\nstruct Timer { int at; };\n"


def test_an_error_directive_of_no_account(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"a.cu": '#include "timer.h"\n' + KERNEL % "1", "timer.h": TIMER})
    record = _record(run, tmp_path / "a.cu")
    assert record["verdict"] == "proved"
    assert any("'#error no clock here', is passed by" in text for text in record["assumptions"])


@pytest.mark.parametrize("file, used", [
    ("a.cu", "CLOCK"), ("a.cu", "Timer().at"), ("a.cu", "1; }\n#ifdef CLOCK\n__device__ int x;\n#endif\n__device__ void f() { ")])
def test_an_error_directive_that_counts(run: Run, tmp_path: Path, file: str, used: str) -> None:
    _tree(tmp_path, {file: '#include "timer.h"\n' + KERNEL % used, "timer.h": TIMER})
    record = _record(run, tmp_path / file)
    assert record["verdict"] == "invalid" and "#error no clock here" in record["reason"]


MANGLE = """#ifndef MANGLE_H
#define MANGLE_H
#if defined(UNDER)
#define NAME(x) x##_
#define LONG
#elif defined(PLAIN)
#define NAME(x) x
#else
#error say how names are made
#endif
#endif
"""


@pytest.mark.parametrize("between, used, is_apart", [
    ("#define solve NAME(solve)\nextern \"C\" int solve(int);\n", "1", True),
    ("#define solve NAME(solve)\n", "solve", False), ("#define HALF(x) NAME(x) / 2\n", "HALF(n)", False),
    ("#define TWICE 2 * ONCE\n#define ONCE NAME(n)\n", "TWICE", False),
    ("", "NAME(n)", False), ("#ifdef LONG\n#define SIZE 2\n#else\n#define SIZE 1\n#endif\n", "SIZE", False),
    ("#ifdef PLAIN\n#define SIZE 2\n#else\n#define SIZE 1\n#endif\n", "SIZE", False),
    ("#define HERE NAME(i)\n#ifdef HERE\n#define SIZE 1\n#endif\n", "SIZE", False),
    ("#define JOIN(x) NA##x(n)\n", "JOIN(ME)", False)])
def test_an_error_directive_and_what_it_hides(run: Run, tmp_path: Path, between: str, used: str, is_apart: bool) -> None:
    _tree(tmp_path, {"a.cu": f'#include "mangle.h"\n{between}' + KERNEL % used, "mangle.h": MANGLE})
    record = _record(run, tmp_path / "a.cu")
    assert record["verdict"] == ("proved" if is_apart else "invalid"), record.get("reason")


HOST = """template<class T> struct Trait { static const bool value = std::not_there<T>::flag; };
struct Table { std::map<int, int> rows; missing::hash<int, int> value; int size() { return nothing; } };
"""


def test_an_error_in_a_class_that_is_not_used(run: Run, tmp_path: Path) -> None:
    text = HOST + "__device__ int value(int x, int size) { return x + size; }\n" + KERNEL % "value(i, n)"
    _tree(tmp_path, {"a.cu": text})
    assert _record(run, tmp_path / "a.cu")["verdict"] == "proved"


@pytest.mark.parametrize("between, used", [
    ("", "Trait<int>::value"),
    ("struct Derived : Trait<int> {};\n", "Derived::value"),
    ("using Alias = Trait<int>;\nstruct Derived : Alias {};\n", "Derived::value"),
    ("template<class T> using Alias = Trait<T>;\n", "Alias<float>::value"),
    ("enum { value_of = Trait<int>::value };\n", "value_of + Trait<int>::value"),
    ("#define VALUE Trait<int>::value\n", "VALUE ? 1 : n - n"),
    ("#define PASTE(x) Tr##x<int>::value\n", "PASTE(ait)")])
def test_an_error_in_a_class_that_is_reached(run: Run, tmp_path: Path, between: str, used: str) -> None:
    _tree(tmp_path, {"a.cu": HOST + between + KERNEL % used})
    assert _record(run, tmp_path / "a.cu")["verdict"] in ("unsupported", "invalid")


LEAD = "struct Log { void say(int x) { missing::logger(x); } int size(int x) const { return missing::table[x]; } int at; };\n"


@pytest.mark.parametrize("head, used, verdict", [
    (LEAD, "Log{i}.at", "proved"),
    (LEAD + "__device__ int size(int x) { return x; }\n", "size(i)", "proved"),
    (LEAD + "__device__ int size(int x) { return x; }\n", "size(i) + Log{i}.at", "proved"),
    (LEAD, "Log{i}.size(2)", "refused"),
    ("inline int f(int x) { return missing::table[x]; }\n", "sizeof(f(2))", "refused"),
    ("struct S { auto f(int x) { return missing::table[x]; } int at; };\n", "sizeof(S().f(2))", "refused"),
    ("constexpr int f(int x) { return missing::table[x]; }\n", "sizeof(float[f(2)])", "refused"),
    ("inline int f(int x) { unknown_t y; return x; }\n", "sizeof(f(2))", "refused")])
def test_an_error_in_the_body_of_a_function(run: Run, tmp_path: Path, head: str, used: str, verdict: str) -> None:
    """What others take from a function stands in its head, but for a type or a value that the compiler takes from the body."""
    _tree(tmp_path, {"a.cu": head + KERNEL % used})
    found = _record(run, tmp_path / "a.cu")["verdict"]
    assert found == verdict if verdict == "proved" else found in ("unsupported", "invalid")


OWNERS = """#include <memory>
#include <typeinfo>
#include <iterator>
#include <numeric>
struct Node : std::enable_shared_from_this<Node> { int v; };
template<class V> struct Walk : std::iterator<std::forward_iterator_tag, V> { typedef typename Walk::value_type kept; };
inline long size(std::shared_ptr<Node> p, std::unique_ptr<int> q) { return p == nullptr || !q ? 0 : typeid(*p).hash_code(); }
template<int N> __global__ void k(Walk<float>::kept *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = N;
}
void go(float *a, int n) { if (std::gcd(12, 8u) == 4) k<std::gcd(12, 18)><<<8, 32>>>(a, n); }
"""


def test_owners_and_iterators_of_the_host(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"a.cu": OWNERS})
    record = _record(run, tmp_path / "a.cu")
    assert (record["verdict"], record["kernel"]) == ("proved", "k<6>")


def test_half_through_a_header(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"a.cu": '#include "types.h"\n__global__ void k(half *a) { a[threadIdx.x] = half(1.0f); }\n',
                     "types.h": "#include <cuda_fp16.h>\n"})
    assert _record(run, tmp_path / "a.cu", "--block", "32", "--grid", "1")["verdict"] == "proved"


def test_half_of_its_own(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"a.cu": '#include "types.h"\n__global__ void k(float *a, int half) { a[threadIdx.x] = half; }\n',
                     "types.h": "struct half { int x; };\n"})
    assert _record(run, tmp_path / "a.cu", "--block", "32", "--grid", "1")["verdict"] == "proved"


SPACE = "namespace far { template<class T> struct hash : std::nothing<T> { static const int value = 1; }; }\n"


@pytest.mark.parametrize("between, used, verdict", [
    ("__device__ int hash(int x) { return x; }\n", "hash(i)", "proved"),
    ("using namespace far;\n", "hash<int>::value", "refused"),
    ("", "far::hash<int>::value", "refused"),
    ("namespace near = far;\n", "near::hash<int>::value", "refused"),
    ("using far::hash;\n", "hash<int>::value", "refused"),
    ("namespace far { __device__ int f() { return hash<int>::value; } }\nusing far::f;\n", "f()", "refused")])
def test_an_error_in_a_class_of_a_namespace(run: Run, tmp_path: Path, between: str, used: str, verdict: str) -> None:
    _tree(tmp_path, {"a.cu": SPACE + between + KERNEL % used})
    found = _record(run, tmp_path / "a.cu")["verdict"]
    assert found == verdict if verdict == "proved" else found in ("unsupported", "invalid")


BLAS = """#include <blas.h>
template<class T> __global__ void scale(T *a, int n) { if (!blockIdx.x && threadIdx.x < n) a[threadIdx.x] *= T(2); }
template<class T> void go(T *a, int n) {
  Handle handle;
  blasCreate(&handle);
  if (n > 0)
    blasRun(handle, BLAS_ROW, a, n);
  else
    scale<<<1, 64>>>(a, n);
}
int main() { blasStart(); go((float *)0, 4); %s }
"""


def test_launches_beside_calls_of_an_unknown_library(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"a.cu": BLAS % "Handle h; go((double *)0, 4); blasEnd(h);"})
    records = run("check", tmp_path / "a.cu", "--format", "jsonl").records
    assert {(record["kernel"], record["verdict"]) for record in records} == {
        ("scale<float>", "proved"), ("scale<double>", "proved")}


def test_a_launch_whose_arguments_are_unknown(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"a.cu": (BLAS % "").replace("go((float *)0, 4)", "go(blasArray(), 4)")})
    record = _record(run, tmp_path / "a.cu")
    assert record["verdict"] == "invalid" and "is a template: say its arguments" in record["reason"]


SPACES = """namespace one { struct Wide { float x; };
namespace two { template<class T, int N> __global__ void k(T *a) { a[threadIdx.x].x = N; } } }
template<class T> struct Runner { void go(T *a) { one::two::k<T, 3><<<1, 32>>>(a); missing(a); } };
void go(one::Wide *a) { Runner<one::Wide>().go(a); }
"""


def test_a_template_in_a_namespace(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"a.cu": SPACES})
    assert _record(run, tmp_path / "a.cu")["verdict"] == "proved"
    record = _record(run, tmp_path / "a.cu", "--kernel", "k<Wide, 4>", "--block", "32", "--grid", "1")
    assert record["verdict"] == "proved"
    record = _record(run, tmp_path / "a.cu", "--kernel", "k<Narrow, 4>")
    assert record["verdict"] == "invalid" and "cannot be instantiated: " in record["reason"] and "Narrow" in record["reason"]


ACCESSOR = """template<class T> struct View {
  T *data; int n;
  __host__ View(T *d, int m) : data(d) { missing_copy(m, &n); }
  __host__ __device__ View(const View &) = default;
  __device__ T &operator[](int i) const { return data[i]; }
};
"""


def test_an_error_in_a_constructor_that_nobody_calls(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"a.cu": ACCESSOR + "__global__ void k(View<float> v) { if (threadIdx.x + blockIdx.x == 0) v[0] = 1; }\n"})
    assert _record(run, tmp_path / "a.cu")["verdict"] == "proved"


def test_an_error_in_a_constructor_that_is_called(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"a.cu": ACCESSOR.replace("__host__ View", "__device__ View")
                     + "__global__ void k(float *a) { View<float> v(a, 3); if (threadIdx.x + blockIdx.x == 0) v[0] = 1; }\n"})
    assert _record(run, tmp_path / "a.cu")["verdict"] == "invalid"


def test_a_template_that_nothing_instantiates_says_what_to_type(run: Run, tmp_path: Path) -> None:
    head = "template<class T, int N, bool C, unsigned M = 4> __global__ void k(T *a)"
    _tree(tmp_path, {"a.cu": head + " { if (C) a[blockIdx.x * blockDim.x + threadIdx.x] = N + M; }\n"})
    record = _record(run, tmp_path / "a.cu")
    assert record["verdict"] == "invalid" and record["reason"].endswith("for example k<float, 32, true>")
    assert _record(run, tmp_path / "a.cu", "--kernel", "k<float, 32, true>")["verdict"] == "proved"


CMAKE = """cmake_minimum_required(VERSION 3.20)
project(p)
option(FAST "quick" ON)
option(SLOW "slow" OFF)
add_definitions(-DPLAIN "-DSIZE=3") #[[ add_definitions(-DCOMMENT) ]]
add_compile_definitions(OTHER=2 TWICE=1 $<$<COMPILE_LANGUAGE:CUDA>:ON_DEVICE> $<$<CONFIG:Debug>:DEBUG>)
if(USE_CUDA)
  find_package(CUDAToolkit REQUIRED)
  add_definitions(-DCUDA)
else()
  add_definitions(-DHOST -DTWICE=2)
endif()
if(USE_HIP)
  add_definitions(-DHIP)
endif()
if(FAST)
  set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -DQUICK -O3")
endif()
if(SLOW)
  add_definitions(-DSLOW)
endif()
function(of_tests)
  add_definitions(-DTESTS)
endfunction()
include(cmake/more.cmake)
if(BACKEND STREQUAL "A")
  add_library(one src/a.cu)
  target_compile_definitions(one PRIVATE ONE)
  add_definitions(-DA -DVALUE=${UNKNOWN})
  add_executable(two main.cpp)
  target_compile_definitions(two PRIVATE TWO)
endif()
"""


def _with_cmake(folder: Path, name: str, cmake: str = CMAKE) -> Path:
    text = f"#ifdef {name}\n#define GIVEN 3\n#endif\n" + KERNEL % "GIVEN"
    more = "add_definitions(-DMORE)\n"
    return _tree(folder, {"src/a.cu": text, "CMakeLists.txt": cmake, "cmake/more.cmake": more}) / "src/a.cu"


@pytest.mark.parametrize("name", ["PLAIN", "SIZE", "OTHER", "ON_DEVICE", "CUDA", "QUICK", "MORE", "ONE", "A"])
def test_macros_that_cmake_gives_to_the_file(run: Run, tmp_path: Path, name: str) -> None:
    """Those of its folders and its target; behind the file's own conditions, those of CUDA, and options that are on."""
    record = _record(run, _with_cmake(tmp_path, name))
    assert record["verdict"] == "proved"
    assert any("CMakeLists.txt says: " in text and f"-D{name}" in text for text in record["assumptions"])


@pytest.mark.parametrize("name", ["COMMENT", "DEBUG", "HOST", "HIP", "SLOW", "TESTS", "TWO", "VALUE", "NEVER"])
def test_macros_that_hang_on_something_else_are_not_taken(run: Run, tmp_path: Path, name: str) -> None:
    record = _record(run, _with_cmake(tmp_path, name))
    assert record["verdict"] == "invalid" and "GIVEN" in record["reason"]


def test_of_two_values_cmake_says_none(run: Run, tmp_path: Path) -> None:
    twice = CMAKE.replace("  add_definitions(-DCUDA)", "  add_definitions(-DCUDA -DSIZE=4)")
    assert _record(run, _with_cmake(tmp_path, "SIZE", twice))["verdict"] == "invalid"
    elsewhere = CMAKE + "add_library(three src/a.cu)\n"
    assert _record(run, tmp_path / "src/a.cu")["verdict"] == "invalid"
    (tmp_path / "CMakeLists.txt").write_text(elsewhere)
    assert _record(run, _rewritten(tmp_path / "src/a.cu", "SIZE", "A"))["verdict"] == "invalid"


def _rewritten(path: Path, old: str, new: str) -> Path:
    path.write_text(path.read_text().replace(old, new))
    return path


BASES = """namespace lib {
template <typename T> struct Pointer { T *data; int shift; };
template <typename T> struct Sized : public Pointer<T> { int size; };
}
struct Task { int first; mutable lib::Sized<int> out; };
__global__ void k(Task t) { if (threadIdx.x < t.out.size) t.out.data[%s] = threadIdx.x; }
"""


@pytest.mark.parametrize(("index", "verdict"), [("threadIdx.x", "proved"), ("threadIdx.x / 2", "refuted"),
                                                ("threadIdx.x * t.out.shift", "refuted")])
def test_a_base_of_which_no_function_names_a_member(index: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """clang is asked for it in a line of our own."""
    path = tmp_path / "a.cu"
    path.write_text(BASES % index)
    assert _record(run, path)["verdict"] == verdict


TILES = """#include <cooperative_groups.h>
namespace own {
template <typename Group> struct More : Group {
  using Group::Group;
#define WRITE_OUT(name) \\
  __device__ int name(int value, int by) const { \\
    return apply([this](int v, int b) { return static_cast<const Group *>(this)->name(v, b); }, value, by); \\
  }
  WRITE_OUT(shfl_down)
#undef WRITE_OUT
private:
  template <typename F> static __device__ int apply(F f, int v, int b) { return f(v, b); }
};
template <unsigned N> struct Tile : More<cooperative_groups::thread_block_tile<N>> {
  using More<cooperative_groups::thread_block_tile<N>>::More;
};
template <unsigned N> __device__ Tile<N> tile() { return Tile<N>(); }
}
__shared__ int s[32];
__global__ void k(int *x) {
  auto tile = own::tile<32>();
  s[threadIdx.x] = threadIdx.x;
  %s
  x[threadIdx.x] = tile.shfl_down(s[31 - threadIdx.x], 0);
}
int main() { int *x; k<<<1, 32>>>(x); }
"""


@pytest.mark.parametrize(("barrier", "verdict"), [("tile.sync();", "proved"), ("", "refuted")])
def test_a_tile_of_the_program_that_is_made_of_ours(barrier: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """Constructors that the compiler writes, and a closure in a macro that keeps `this`."""
    path = tmp_path / "a.cu"
    path.write_text(TILES % barrier)
    record = _record(run, path)
    assert record["verdict"] == verdict, record["reason"]


def test_a_closure_in_a_macro_that_keeps_two_things(run: Run, tmp_path: Path) -> None:
    """What is not `this` is not taken for it."""
    path = tmp_path / "a.cu"
    text = (TILES % "tile.sync();").replace("[this](", "[this, by](").replace("name(v, b)", "name(v, b + by - by)")
    path.write_text(text)
    assert _record(run, path)["verdict"] in ("proved", "unsupported")
    path.write_text(text.replace("b + by - by", "b + by * 0 + 1").replace("x[threadIdx.x] =", "x[threadIdx.x / 2] ="))
    assert _record(run, path)["verdict"] in ("refuted", "unsupported")


def test_a_header_by_its_name_in_a_large_project(run: Run, tmp_path: Path) -> None:
    """Names are looked at in more files than texts are read."""
    files = {"src/k/a.cu": "#include <own/sizes.h>\n" + KERNEL % "SIZE", "common/include/own/sizes.h": "#define SIZE 4\n"}
    _tree(tmp_path, files | {f"more/f{at}.h": "" for at in range(2_100)})
    assert _record(run, tmp_path / "src/k/a.cu")["verdict"] == "proved"
    (tmp_path / "more/own").mkdir()
    (tmp_path / "more/own/sizes.h").write_text("#define SIZE 5\n")
    assert _record(run, tmp_path / "src/k/a.cu")["verdict"] == "unsupported"


@pytest.mark.parametrize(("index", "verdict"), [("threadIdx.x", "proved"), ("threadIdx.x / 2", "refuted")])
def test_an_instance_that_a_test_of_the_project_makes(index: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """Its arguments are deduced from what the launch passes, beside a library that clang does not know."""
    kernel = "template <typename T, int N> __global__ void k(T *x, int n) { if (threadIdx.x < N) x[%s] = threadIdx.x; }\n"
    test = ('#include <some/tests.h>\n#include "../include/k.cuh"\n'
            "TEST_CASE(one) { some::thing t; auto w = t.work(); short *x; cudaMalloc(&x, 128); run(x); }\n"
            "void run(short *x) { some::thing t(x); k<short, 32><<<1, 64>>>(x, t.n()); }\n")
    _tree(tmp_path, {"include/k.cuh": kernel % index, "tests/t.cu": test})
    record = _record(run, tmp_path / "include/k.cuh")
    assert (record["kernel"], record["verdict"]) == ("k<short, 32>", verdict)


@pytest.mark.parametrize(("item", "verdict"), [("lib::Item", "proved"), ("other::Item", "unsupported"), ("Item", "unsupported")])
def test_a_base_whose_arguments_have_a_name_in_two_namespaces(item: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """clang prints the name alone, which means another class where it is asked."""
    path = tmp_path / "a.cu"
    path.write_text("namespace other { struct Item { int a; }; }\nstruct Item { short a, b; };\n"
                    "namespace lib { struct Item { float a; };\ntemplate <typename T> struct Base { T first; };\n"
                    "template <typename T> struct Sized : public Base<T> { int size; };\n}\n"
                    f"struct Task {{ lib::Sized<{item}> out; }};\n"
                    "__global__ void k(Task t, int *x) { x[threadIdx.x] = t.out.size; }\n")
    assert _record(run, path)["verdict"] == verdict


@pytest.mark.parametrize("written", ["Base<T>, Base<typename T::other>", "Base<typename T::other>"])
def test_a_base_by_a_type_of_a_parameter(written: str, run: Run, tmp_path: Path) -> None:
    """What it is called says nothing of what it is: two types have that name."""
    path = tmp_path / "a.cu"
    path.write_text("template <typename T> struct Base { T first; };\n"
                    "namespace a { struct X { int i; }; }\nnamespace b { struct X { float i; typedef a::X other; }; }\n"
                    f"template <typename T> struct Sized : {written} {{ int size; }};\n"
                    "__device__ int named(Base<b::X> &x) { return x.first.i; }\n"
                    "__global__ void k(Sized<b::X> t, int *x) { x[threadIdx.x] = t.size; }\n")
    assert _record(run, path)["verdict"] == "unsupported"


FIELD = """struct Field {
  int at;
  template<int M> static __device__ Field times(int a, Field b) { return Field{M * a + b.at}; }
};
template <typename FF> struct Point {
  FF x;
  friend __device__ Point operator+(Point p, Point q) { const FF t = FF::times<1>(3, p.x); return {FF{t.at + q.x.at}}; }
};
"""


@pytest.mark.parametrize("index", ["threadIdx.x", "threadIdx.x / 2"])
def test_a_keyword_that_clang_asks_for_in_a_header_above(run: Run, tmp_path: Path, index: str) -> None:
    """The header goes by `../`, and clang's error stands before the qualified name."""
    text = ('#include "../../primitives/field.cuh"\ntemplate<class P> __global__ void k(const P *v, P *w) '
            f"{{ w[{index}] = v[threadIdx.x] + v[threadIdx.x]; }}\n"
            "void go(Point<Field> *v, Point<Field> *w) { k<Point<Field>><<<1, 32>>>(v, w); }\n")
    _tree(tmp_path, {"apps/sums/a.cu": text, "primitives/field.cuh": FIELD})
    assert _record(run, tmp_path / "apps/sums/a.cu")["verdict"] == ("proved" if index == "threadIdx.x" else "refuted")


def test_integers_as_systems_name_them(run: Run, tmp_path: Path) -> None:
    _tree(tmp_path, {"a.cu": "__global__ void k(u_int32_t *a, u_int8_t b) { a[threadIdx.x] = (u_int64_t)b >> 8; }\n"})
    assert _record(run, tmp_path / "a.cu", "--grid", "1")["verdict"] == "proved"
