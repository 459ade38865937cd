"""Counts that a program's text leaves open are taken not to be negative; what is no count is not, nor what may be zero."""

from __future__ import annotations

from pathlib import Path

import pytest

import spmd.api as api
from automata.lang.launch import Launch
from spmd.asked import Question, Source
from spmd.counts import AS_COUNTS, counted, not_negative
from spmd.pipeline import kernels_asked, launches_in_host

QUARTERS = """
#include <cassert>
__global__ void plain(const float *x, float *y, int n, int m) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    float s = 0.0f;
    for (int j = 0; j < m; j++) s += x[i * m + j];
    y[i] = s;
}
__global__ void by_fours(const float *x, float *y, int n, int m) {
    int i = blockIdx.x * 64 + threadIdx.x, quarters = m / 4;
    if (i >= n) return;
    const float4 *row = (const float4 *)(x + i * m);
    float s = 0.0f;
    for (int j = 0; j < quarters; j++) { float4 v = row[j]; s += v.x; s += v.y; s += v.z; s += v.w; }
    y[i] = s EXTRA;
}
HOST
"""
ANY = """void run(const float *x, float *y, int n, int m) {
    assert(m % 4 == 0);
    plain<<<(n + 63) / 64, 64>>>(x, y, n, m); by_fours<<<(n + 63) / 64, 64>>>(x, y, n, m); }
"""


def answer(text: str, path: Path, one: str, two: str) -> api.PairAnswer:
    path.write_text(text)
    return api.equiv(f"{path}:{one}", f"{path}:{two}", timeout=60)


def test_a_quarter_of_a_count(tmp_path: Path) -> None:
    """m / 4 is rounded towards zero, which says little where m may be negative."""
    text = QUARTERS.replace("EXTRA", "").replace("HOST", ANY)
    found = answer(text, tmp_path / "k.cu", "plain", "by_fours")
    assert found.report.verdict.value == "equal"
    assert f"{AS_COUNTS}n, m" in found.report.assumptions
    assert not [told for told in found.report.assumptions if told.endswith("required: m >= 0")]


def test_zero_is_a_count(tmp_path: Path) -> None:
    """What differs where there is nothing to add is told with that."""
    text = QUARTERS.replace("EXTRA", "+ (m < 1)").replace("HOST", ANY)
    found = answer(text, tmp_path / "k.cu", "plain", "by_fours")
    assert found.report.verdict.value == "unknown"
    assert found.report.counterexample is not None and found.report.counterexample.sizes["m"] == 0


STRIDED = """
__global__ void plain(const float *x, float *y, int n, int by) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) y[i] = x[i] * by;
}
__global__ void other(const float *x, float *y, int n, int by) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) y[i] = x[i] * abs(by);
}
HOST
"""


@pytest.mark.parametrize(("host", "verdict"), [
    ("void run(const float *x, float *y, int n, int by) { "
     "plain<<<(n + 63) / 64, 64>>>(x, y, n, by); other<<<(n + 63) / 64, 64>>>(x, y, n, by); }", "unknown"),
    ("int main(int argc, char **argv) { float *x, *y; int n = atoi(argv[1]); "
     "plain<<<2, 64>>>(x, y, 128, n); other<<<2, 64>>>(x, y, 128, n); }", "different")])
def test_what_is_no_count_may_be_negative(host: str, verdict: str, tmp_path: Path) -> None:
    found = answer("#include <cstdlib>\n" + STRIDED.replace("HOST", host), tmp_path / "k.cu", "plain", "other")
    assert found.report.verdict.value == verdict
    assert found.report.counterexample is not None


@pytest.mark.parametrize(("body", "counts"), [
    ("if (i < n) x[i * by] = 1;", {"n"}),
    ("if (i * by < n) x[i * by] = 1;", {"n"}),
    ("if (n <= i) return; x[i + by] = 1;", {"n"}),
    ("if (i >= n * by) return; x[i] = 1;", {"n", "by"}),
    ("int half = by / 2; if (i < half) x[i] = n;", {"by"}),
    ("int half = by; half = half / 2; if (i < half) x[i] = n;", set()),  # two numbers under one name: neither is looked into
    ("for (int j = 0; j < n; j += by) x[j] = i;", {"n"}),
    ("if (n < by) x[i] = 1;", set()),
    ("if (x[i] < n) x[i] = by;", set()), ("int v = x[i]; v += 1; if (v < n) x[i] = by;", set()),
    ("x[i * n] = by;", set()), ("x[i / n] = by;", {"n"}), ("x[n / 2 + i] = by % n;", set())])
def test_what_counts(body: str, counts: set[str], tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(f"__global__ void k(int *x, int n, int by) {{ int i = blockIdx.x * 64 + threadIdx.x; {body} }}\n"
                    "void run(int *x, int n, int by) { k<<<4, 64>>>(x, n, by); }\n")
    item, = kernels_asked(Question(Source(str(path), None)))
    kernel = item.read()
    launch, = launches_in_host(item, kernel, None)
    assert counted(kernel, launch) == counts


def test_a_fact_of_a_float_tells_something(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(float *x, int n, float z) { int i = threadIdx.x; if (i < n) x[i] = z; }\n")
    item, = kernels_asked(Question(Source(str(path), None)))
    side = item.read(), Launch(grid=(1, 1, 1), block=(64, 1, 1), requires=("n < z",))
    assert not_negative(side, side, {}) == (side, side)
    free = side[0], Launch(grid=(1, 1, 1), block=(64, 1, 1), requires=("z < 3",))
    assert not_negative(free, free, {})[0][1].counts == ("n",)


def test_what_a_grid_hangs_on_counts(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(int *x, int n, int rows) { x[blockIdx.x * 64 + threadIdx.x] = n; }\n"
                    "void run(int *x, int n, int rows) { k<<<rows * 2, 64>>>(x, n, rows); }\n")
    item, = kernels_asked(Question(Source(str(path), None)))
    kernel = item.read()
    launch, = launches_in_host(item, kernel, None)
    assert counted(kernel, launch) == {"rows"}


def test_sizes_that_nobody_tells_count_nothing(tmp_path: Path) -> None:
    """The third size of a grid comes from a function of another text."""
    path = tmp_path / "k.cu"
    path.write_text("int batches();\n__global__ void k(int *x, int n) { x[blockIdx.x * 64 + threadIdx.x] = n; }\n"
                    "void run(int *x, int n) { k<<<dim3(n, 1, batches()), 64>>>(x, n); }\n")
    item, = kernels_asked(Question(Source(str(path), None)))
    kernel = item.read()
    for launch in launches_in_host(item, kernel, None):
        assert counted(kernel, launch) <= {"n"}
    assert counted(kernel, Launch(grid=("n", 1, None), block=(64, 1, 1))) == {"n"}


BELOW = """
#include <cassert>
#include <cstdlib>
__global__ void one(const float *x, float *y, int n) {
    int i = threadIdx.x; if (i == 0 && n <= 0) y[0] = 1.0f; if (i < n) y[i] = x[i];
}
__global__ void two(const float *x, float *y, int n) {
    int i = threadIdx.x; if (i == 0 && n == 0) y[0] = 1.0f; if (i < n) y[i] = x[i];
}
static void launch(const float *x, float *y, int n) { one<<<1, 64>>>(x, y, n); two<<<1, 64>>>(x, y, n); }
HOST
"""


@pytest.mark.parametrize("host", [
    "int main() { float *x, *y; for (int k = -4; k < 12; k++) launch(x, y, k); }",
    "void run(const float *x, float *y, int q) { if (q >= -1 && q <= 1) launch(x, y, q); }",
    "void run(const float *x, float *y, int q) { if (q <= 0) launch(x, y, q); }",
    "void run(const float *x, float *y, int q) { if (q < 0) launch(x, y, q); }",
    "void run(const float *x, float *y, int q) { assert(q < 0); launch(x, y, q); }",
    "int main(int argc, char **argv) { float *x, *y; int n = argc > 1 ? atoi(argv[1]) : 7; launch(x, y, n); }"])
def test_what_the_text_tells_of_is_not_open(host: str, tmp_path: Path) -> None:
    """They differ at each number below zero, and at no other."""
    found = answer(BELOW.replace("HOST", host), tmp_path / "k.cu", "one", "two")
    assert found.report.verdict.value in ("different", "unknown")
    assert not [told for told in found.report.assumptions if told.startswith(AS_COUNTS)]


@pytest.mark.parametrize("host", [
    "void run(const float *x, float *y, int q) { launch(x, y, q); }",
    "void run(const float *x, float *y, int q) { assert(q % 4 == 0); launch(x, y, q); }",
    "void run(const float *x, float *y, int q) { assert(q <= 64); launch(x, y, q); }",
    "void run(const float *x, float *y, int q, int r) { assert(q <= r); launch(x, y, q); }",
    # what is not understood tells nothing: the assumption says so
    "void run(const float *x, float *y, int q) { for (int k = -4; k < q; k++) launch(x, y, k); }",
    "void run(const float *x, float *y, int q) { int k = 0 - abs(q); launch(x, y, k); }"])
def test_what_the_text_tells_little_of_is_open(host: str, tmp_path: Path) -> None:
    found = answer(BELOW.replace("HOST", host), tmp_path / "k.cu", "one", "two")
    assert found.report.verdict.value == "equal"
    assert [told for told in found.report.assumptions if told.startswith(AS_COUNTS)]
