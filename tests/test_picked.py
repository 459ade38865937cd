"""Templates of which no text says an instance: what is found in one that is picked, and that it decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

Write = Callable[[str], Path]
TURNED = """template <typename T, int N>
__global__ void turned(const T *a, T *b) {
    __shared__ T s[N];
    if (threadIdx.x < N) s[threadIdx.x] = a[threadIdx.x + blockIdx.x * N];
    if (threadIdx.x < N) b[threadIdx.x + blockIdx.x * N] = s[threadIdx.x];
}
"""
MIRRORED = TURNED.replace("s[threadIdx.x];", "s[N - 1 - threadIdx.x];")
PICKED = "as turned<float, 32>, an instance that was picked: no text says which there are"
INDEXED = """template <typename Index>
__global__ void turned(const Index *at, float *b, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) b[at[i] & i] = i;
}
"""
OF_A_CLASS = """template <typename Policy>
__global__ void turned(float *b) { b[Policy::place(0)] = threadIdx.x; }
"""
ALIKE = """enum class Way { up, down };
template <typename IndexT, typename Data, Way way>
__global__ void turned(const IndexT *at, Data *b, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) b[at[i] & i] = sqrtf(b[i]) + atomicAdd(b + n, 1.5f);
}
"""
OTHER = "__global__ void other(float *b) { b[threadIdx.x + blockIdx.x * blockDim.x] = 1; }\n"


def checked(run: Run, write: Write, text: str, *args: str) -> tuple[dict[str, Any], ...]:
    return tuple(run("check", write(text), *args, "--format", "jsonl").records)


def test_a_race_that_hangs_on_no_argument(run: Run, kernel_file: Write) -> None:
    (record,) = checked(run, kernel_file, MIRRORED)
    assert record["verdict"] == "invalid" and "say its arguments" in record["reason"] and not record["properties"]
    races = [each for each in record["findings"] if each["rule"] == "race"]
    assert [[place["line"] for place in each["places"]] for each in races] == [[4, 5]]
    assert all(each["status"] == "potential" and PICKED in each["note"] for each in record["findings"])
    assert run("check", kernel_file(MIRRORED)).status == 2


BARRIER = ("    if (threadIdx.x < N) b", "    __syncthreads();\n    if (threadIdx.x < N) b")


@pytest.mark.parametrize("text", [TURNED, MIRRORED.replace(*BARRIER), OF_A_CLASS],
                         ids=["its own cell", "with a barrier", "of a class"])
def test_where_nothing_is_found_or_read_nothing_is_said(run: Run, kernel_file: Write, text: str) -> None:
    """The barrier leaves out what a smaller block does not set: only that is told of the second."""
    (record,) = checked(run, kernel_file, text)
    assert record["verdict"] == "invalid" and not [each for each in record["findings"] if each["rule"] == "race"]


def test_an_index_is_picked_as_an_integer(run: Run, kernel_file: Write) -> None:
    (record,) = checked(run, kernel_file, INDEXED)
    assert {each["rule"] for each in record["findings"]} == {"race"} and "turned<int>" in record["findings"][0]["note"]


def test_beside_other_kernels_it_is_passed_by(run: Run, kernel_file: Write) -> None:
    (record,) = checked(run, kernel_file, MIRRORED + OTHER)
    assert record["kernel"] == "other" and record["verdict"] == "proved"
    (record,) = checked(run, kernel_file, MIRRORED + OTHER, "--kernel", "turned")
    assert record["verdict"] == "invalid" and record["findings"]


def test_an_instance_that_is_known_is_not_picked(run: Run, kernel_file: Write) -> None:
    (record,) = checked(run, kernel_file, MIRRORED + "template __global__ void turned<double, 8>(const double *, double *);\n")
    assert record["kernel"] == "turned<double, 8>" and record["verdict"] == "refuted"


def test_types_that_are_called_after_indices_are_picked_as_integers(run: Run, kernel_file: Write) -> None:
    """With all floats, or all integers, no such kernel is one."""
    (record,) = checked(run, kernel_file, ALIKE)
    picked = "turned<int, float, Way::up>"
    assert f"for example {picked}" in record["reason"] and "race" in {each["rule"] for each in record["findings"]}
    assert all(picked in each["note"] for each in record["findings"])


SUMMED = """template <typename T, int BLOCK_SIZE>
__global__ void turned(const T *a, T *b) {
    __shared__ T s[BLOCK_SIZE];
    s[threadIdx.x] = a[threadIdx.x + blockIdx.x * BLOCK_SIZE];
    __syncthreads();
    if (threadIdx.x < BLOCK_SIZE / 2) s[threadIdx.x] += s[threadIdx.x + BLOCK_SIZE / 2];
    if (threadIdx.x < BLOCK_SIZE / 4) s[threadIdx.x] += s[threadIdx.x + BLOCK_SIZE / 4];
    if (threadIdx.x == 0) b[blockIdx.x] = s[0];
}
"""


def test_blocks_are_as_large_as_an_argument_says(run: Run, kernel_file: Write) -> None:
    """Larger ones leave the array, which says nothing of the program."""
    (record,) = checked(run, kernel_file, SUMMED)
    assert {each["rule"] for each in record["findings"]} == {"race"}
    assert all("as turned<float, 128> in blocks of 128 threads, " in each["note"] for each in record["findings"])


@pytest.mark.parametrize("named", ["absent::Wrapper w(turned<double, 8>);", "absent::Wrapper table[] = {{1, turned<double, 8>}};",
                                   "void f() { absent::set(other<3>(), turned<double, 8>); }",
                                   "template <int N> void f() { auto at = turned<double, N>; absent::run(at); }\n"
                                   "void g() { f<8>(); }"])
def test_an_instance_that_is_named_without_a_launch_is_not_picked(run: Run, kernel_file: Write, named: str) -> None:
    """Also where clang drops the statement, for what else stands in it is not there."""
    (record,) = checked(run, kernel_file, MIRRORED + named + "\n")
    assert record["kernel"] == "turned<double, 8>" and record["verdict"] == "refuted"


@pytest.mark.parametrize("other", ["bool f(int turned, int a, int b) { return g(turned < a, b > (3)); }",
                                   "void f() { h(other::turned<Absent, 8>); }"])
def test_what_clang_does_not_make_is_no_instance(run: Run, kernel_file: Write, other: str) -> None:
    (record,) = checked(run, kernel_file, MIRRORED + other + "\n")
    assert "say its arguments" in record["reason"] and PICKED in record["findings"][0]["note"]


COPIED = """template <typename T, int {}>
__global__ void turned(const T *a, T *b, int n) {{
    for (int at = 0; at < {}; at++) {{
        int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4 + at;
        if (i < n) b[i] = a[i];
    }}
}}
"""


@pytest.mark.parametrize(("name", "few"), [("VEC_SIZE", True), ("kItemsPerThread", True), ("unroll", True), ("ILP", True),
                                           ("STACK_SIZE", False), ("service", False), ("THREADS_PER_VECTOR", False)])
def test_what_a_thread_takes_at_once_is_little(run: Run, kernel_file: Write, name: str, few: bool) -> None:
    """Loops are as long as that, and vectors as wide."""
    (record,) = checked(run, kernel_file, COPIED.format(name, name))
    assert ("turned<float, 4>" in record["reason"]) is few


def test_a_header_that_a_macro_of_an_absent_library_names(run: Run, kernel_file: Write) -> None:
    text = "#ifndef ONCE\n#define ONCE\n#include BOOST_PP_ITERATE()\n#endif\n__global__ void k(int *a) { a[threadIdx.x] = %s; }\n"
    (record,) = checked(run, kernel_file, text % "1", "--grid", "1")
    assert record["verdict"] == "proved" and any("BOOST_PP_ITERATE()" in each for each in record["assumptions"])
    (record,) = checked(run, kernel_file, text % "of_the_library", "--grid", "1")
    assert record["verdict"] == "unsupported"
    (record,) = checked(run, kernel_file, "#define BOOST_PP_ITERATE() 1\n" + text % "1", "--grid", "1")
    assert record["verdict"] in ("invalid", "unsupported")


FOLDED = """template <typename T, typename {name}, int BLOCK_SIZE>
__global__ void turned(const T *a, T *b{param}) {{
    __shared__ T s[BLOCK_SIZE];
    s[threadIdx.x] = a[threadIdx.x + blockIdx.x * BLOCK_SIZE];
    __syncthreads();
    for (int step = BLOCK_SIZE / 2; step > 0; step /= 2) {{
        if (threadIdx.x < step) s[threadIdx.x] = {call}(s[threadIdx.x], s[threadIdx.x + step]);
        {barrier}
    }}
    if (threadIdx.x == 0) b[blockIdx.x] = s[0];
}}
"""


@pytest.mark.parametrize(("name", "param", "call"), [
    ("F", ", F how", "how"), ("F", ", const F &how", "how"), ("F", ", F &&how", "how"), ("F", "", "F()"), ("F", "", "F{}"),
    ("ReduceOp", ", ReduceOp const how", "how")])
@pytest.mark.parametrize("barrier", ["", "__syncthreads();"])
def test_what_is_called_is_picked_as_a_function(run: Run, kernel_file: Write, name: str, param: str, call: str,
                                                barrier: str) -> None:
    (record,) = checked(run, kernel_file, FOLDED.format(name=name, param=param, call=call, barrier=barrier))
    races = [each for each in record["findings"] if each["rule"] == "race"]
    assert bool(races) is not bool(barrier)
    assert "turned<float, __spmd_function, 128> (__spmd_function adds what it is called with)" in record["reason"]
    assert all("as turned<float, __spmd_function, 128> in blocks of 128 threads, " in each["note"] for each in races)


@pytest.mark.parametrize(("used", "is_called"), [("b[i] = f(a[i])", True), ("b[i] = a[i] * sizeof(F)", False),
                                                 ("b[i] = g.f(a[i])", False), ("b[i] = F(a[i])", False)])
def test_what_is_not_called_is_none(run: Run, kernel_file: Write, used: str, is_called: bool) -> None:
    text = ("struct G { __device__ float f(float x) const { return x; } };\ntemplate <typename F>\n"
            "__global__ void turned(const float *a, float *b, F f, G g) { int i = threadIdx.x; %s; }\n")
    (record,) = checked(run, kernel_file, text % used)
    assert ("turned<__spmd_function>" in record["reason"]) is is_called


def test_a_class_that_stands_in_is_told(run: Run, kernel_file: Write) -> None:
    text = "template <typename F> __global__ void turned(float *b, F f) { int i = threadIdx.x; b[i] = f(b[i]); }\n"
    (record,) = run("check", kernel_file(text), "--kernel", "turned<__spmd_function>", "--format", "jsonl").records
    assert any(each.startswith("__spmd_function stands for a class") for each in record["assumptions"]), record


def test_iterators_are_picked_as_pointers(run: Run, kernel_file: Write) -> None:
    text = ("template <typename InputIt, typename OutputIterator>\n"
            "__global__ void turned(InputIt a, OutputIterator b) { *(b + threadIdx.x / 2) = a[threadIdx.x]; }\n")
    (record,) = checked(run, kernel_file, text)
    assert "turned<float *, float *>" in record["reason"] and {each["rule"] for each in record["findings"]} == {"race"}


GATHERED = """template <typename Accumulator, int BLOCK_SIZE>
__global__ void turned(const typename Accumulator::argument_type *a, Accumulator *b, Accumulator acc, int n) {{
    __shared__ Accumulator s[BLOCK_SIZE];
    for (int i = threadIdx.x; i < n; i += BLOCK_SIZE) acc(a[i]);
    s[threadIdx.x] = acc;
    {barrier}
    if (threadIdx.x == 0) {{
        for (int i = 1; i < BLOCK_SIZE; i++) acc(s[i]);
        b[blockIdx.x] = acc;
    }}
}}
"""


@pytest.mark.parametrize("barrier", ["", "__syncthreads();"])
def test_accumulators_are_functions_too(run: Run, kernel_file: Write, barrier: str) -> None:
    (record,) = checked(run, kernel_file, GATHERED.format(barrier=barrier))
    races = [each for each in record["findings"] if each["rule"] == "race"]
    assert bool(races) is not bool(barrier) and "turned<__spmd_function, 128>" in record["reason"]


@pytest.mark.parametrize(("row", "said"), [
    ("", "in blocks of 128 threads, "), (" + threadIdx.y * 0", "in blocks of 128 threads in x, ")])
def test_blocks_have_rows_where_the_kernel_asks_for_them(run: Run, kernel_file: Write, row: str, said: str) -> None:
    """Else threads of several rows would meet, which no program makes."""
    (record,) = checked(run, kernel_file, SUMMED.replace("a[threadIdx.x", f"a[threadIdx.x{row}"))
    assert record["findings"] and all(said in each["note"] for each in record["findings"])
    met = [place["thread"] for each in record["findings"] for place in each["places"] if place.get("thread")]
    assert any(thread["thread"][1] for thread in met) is bool(row)


CHOSEN = """#include <boost/utility/enable_if.hpp>
#include <boost/type_traits/is_same.hpp>
#include <boost/mpl/int.hpp>
template <int N> __device__ typename boost::enable_if_c<N == 1, void>::type sum(float *s) {
  if (threadIdx.x < N) s[threadIdx.x] += s[threadIdx.x + N];
}
template <int N> __device__ typename boost::disable_if<boost::is_same<boost::mpl::int_<N>, boost::mpl::int_<1> > >::type
sum(float *s) {
  if (threadIdx.x < N) s[threadIdx.x] += s[threadIdx.x + N];
  BARRIER
  sum<N / 2>(s);
}
// spmd: block=64 grid=2
__global__ void k(const float *a, float *b) {
  __shared__ float s[64];
  s[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  sum<32>(s);
  if (threadIdx.x == 0) b[blockIdx.x] = s[0];
}
"""


@pytest.mark.parametrize(("barrier", "verdict"), [("__syncthreads();", "proved"), ("", "refuted")])
def test_choices_of_boost_that_is_not_there(run: Run, kernel_file: Write, barrier: str, verdict: str) -> None:
    (record,) = checked(run, kernel_file, CHOSEN.replace("BARRIER", barrier))
    assert record["verdict"] == verdict, record.get("reason")


TAPPED = """__kernel void summed(__global const float *in, __global float *out) {
    __local float s[WG_SIZE];
    int i = get_local_id(0);
    if (i >= WG_SIZE) return;
    s[i] = in[get_group_id(0) * WG_SIZE + i];
    BARRIER
    float sum = 0;
    for (int k = 0; k < TAPS; k++) sum += s[(i + k) % WG_SIZE];
    out[get_group_id(0) * WG_SIZE + i] = sum;
}
"""


@pytest.mark.parametrize(("barrier", "races"), [("", True), ("barrier(CLK_LOCAL_MEM_FENCE);", False)])
def test_macros_that_no_text_defines(run: Run, kernel_file: Callable[..., Path], barrier: str, races: bool) -> None:
    """One after the other is picked, as refusals name them; where the kernel is not asked for by its name, none."""
    path = kernel_file(TAPPED.replace("BARRIER", barrier), "tapped.cl")
    (record,) = run("check", path, "--kernel", "summed", "--require", "blockDim.x == 64", "--format", "jsonl").records
    assert record["verdict"] == "invalid" and "'WG_SIZE' is not declared" in record["reason"] and not record["properties"]
    picked = "with -D WG_SIZE=64 -D TAPS=16, which was picked: no text says it"
    assert ("race" in {each["rule"] for each in record["findings"]}) is races is bool(record["findings"])
    assert all(each["status"] == "potential" and picked in each["note"] for each in record["findings"])
    (record,) = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "invalid" and not record["findings"]


def test_a_macro_and_an_instance(run: Run, kernel_file: Write) -> None:
    text = MIRRORED.replace("s[N - 1 - threadIdx.x];", "s[N - 1 - threadIdx.x] * SCALE;")
    (record,) = checked(run, kernel_file, text, "--kernel", "turned")
    assert record["verdict"] == "invalid" and "race" in {each["rule"] for each in record["findings"]}
    assert all(PICKED in each["note"] and "with -D SCALE=16, which was picked" in each["note"] for each in record["findings"])
    (record,) = checked(run, kernel_file, text, "--kernel", "turned", "-D", "SCALE=2")
    assert record["findings"] and not any("-D" in each["note"] for each in record["findings"])
